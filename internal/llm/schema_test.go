package llm

import (
	"encoding/json"
	"strings"
	"testing"
)

type finding struct {
	Quote    string   `json:"quote" jsonschema_description:"verbatim, from the text"`
	Strength float64  `json:"strength" jsonschema:"minimum=0,maximum=1"`
	Stance   string   `json:"stance,omitempty" jsonschema:"enum=supports,enum=contradicts"`
	Year     *int     `json:"year" jsonschema:"nullable"`
	Tags     []string `json:"tags"`
	hidden   int      //lint:ignore U1000 an unexported field must not reach the schema
}

type findings struct {
	Items []finding `json:"items"`
}

type loop struct {
	Children []*loop `json:"children"`
}

func TestSchemaFor(t *testing.T) {
	got := SchemaFor[findings]("findings")
	want := `{"properties":{"items":{"items":{"properties":{` +
		`"quote":{"type":"string","description":"verbatim, from the text"},` +
		`"strength":{"type":"number","maximum":1,"minimum":0},` +
		`"stance":{"type":"string","enum":["supports","contradicts"]},` +
		`"year":{"anyOf":[{"type":"integer"},{"type":"null"}]},` +
		`"tags":{"items":{"type":"string"},"type":"array"}},` +
		`"additionalProperties":false,"type":"object","required":["quote","strength","stance","year","tags"]},"type":"array"}},` +
		`"additionalProperties":false,"type":"object","required":["items"]}`
	if got.Name != "findings" || !sameJSON(t, string(got.JSON), want) {
		t.Errorf("got  %s\nwant %s", got.JSON, want)
	}
	for _, banned := range []string{"$schema", "$id", "$ref", "$defs", "oneOf"} {
		if strings.Contains(string(got.JSON), banned) {
			t.Errorf("the schema holds %s: %s", banned, got.JSON)
		}
	}
	if again := SchemaFor[findings]("findings"); string(again.JSON) != string(got.JSON) {
		t.Errorf("two schemas of one type differ:\n%s\n%s", got.JSON, again.JSON)
	}
}

func TestSchemaForImpossibleTypes(t *testing.T) {
	for name, s := range map[string]Schema{
		"recursive": SchemaFor[loop]("x"),
		"channel":   SchemaFor[struct{ C chan int }]("x"),
		"function":  SchemaFor[struct{ F []func() }]("x"),
	} {
		if s.err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

func sameJSON(t *testing.T, a, b string) bool {
	t.Helper()
	var va, vb any
	if err := json.Unmarshal([]byte(a), &va); err != nil {
		t.Fatalf("not JSON: %v: %s", err, a)
	}
	if err := json.Unmarshal([]byte(b), &vb); err != nil {
		t.Fatalf("not JSON: %v: %s", err, b)
	}
	ra, _ := json.Marshal(va)
	rb, _ := json.Marshal(vb)
	return string(ra) == string(rb)
}

func TestPromptHash(t *testing.T) {
	base := Prompt{Name: "screen", Version: "1", System: "rules", Stable: "RQ1", Schema: Schema{JSON: []byte(`{}`)}}
	seen := map[string]string{base.Hash(): "base"}
	if len(base.Hash()) != 64 {
		t.Fatalf("not a hex SHA-256: %q", base.Hash())
	}
	same := base
	same.Input, same.MaxOutput, same.Schema.Name = "other input", 7, "n"
	if same.Hash() != base.Hash() {
		t.Error("input, allowance or the schema's name changed the hash")
	}
	for name, change := range map[string]func(*Prompt){
		"name":    func(p *Prompt) { p.Name = "screem" },
		"version": func(p *Prompt) { p.Version = "2" },
		"system":  func(p *Prompt) { p.System = "rules " },
		"stable":  func(p *Prompt) { p.Stable = "RQ2" },
		"schema":  func(p *Prompt) { p.Schema.JSON = []byte(`{"type":"object"}`) },
		"border":  func(p *Prompt) { p.System, p.Stable = "rulesR", "Q1" },
	} {
		p := base
		change(&p)
		if other, taken := seen[p.Hash()]; taken {
			t.Errorf("changing the %s gives the hash of %s", name, other)
		}
		seen[p.Hash()] = name
	}
}

func TestPromptParts(t *testing.T) {
	p := Prompt{System: "rules", Stable: "shared\n", Input: "this one"}
	text, stable := p.user()
	if text != "shared\n\nthis one" || text[:stable] != "shared\n\n" {
		t.Errorf("got %q with %d stable bytes", text, stable)
	}
	if text, stable := (Prompt{Input: "only"}).user(); text != "only" || stable != 0 {
		t.Errorf("without a stable part: %q, %d", text, stable)
	}
	if n := strings.Count(p.system(), Instructions()); n != 1 {
		t.Errorf("the rule about fenced text stands %d times", n)
	}
	p.System += "\n" + Instructions()
	if p.system() != p.System {
		t.Errorf("a system prompt with the rule was changed: %q", p.system())
	}
}
