package llm_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"optimistresearch/internal/llm"
	"optimistresearch/internal/llm/llmtest"
)

type scoredPair struct {
	Record  string  `json:"record"`
	Score   float64 `json:"score" jsonschema:"minimum=0,maximum=1"`
	Count   int     `json:"count"`
	Kept    bool    `json:"kept"`
	Verdict string  `json:"verdict" jsonschema:"enum=in,enum=out"`
}

type scoreList struct {
	Scores []scoredPair `json:"scores"`
}

const goodPair = `{"record":"doc_0001","score":0.5,"count":3,"kept":true,"verdict":"in"}`

// What models write instead of what they were asked for.
func TestVicesOfAnswers(t *testing.T) {
	want := scoredPair{"doc_0001", 0.5, 3, true, "in"}
	list := func(s string) string { return `{"scores":[` + s + `]}` }
	for name, c := range map[string]struct {
		text    string
		note    string // that is left; "" = the answer is refused
		problem string // that the model is shown
	}{
		"wrong case":                     {`{"Scores":[` + strings.ReplaceAll(goodPair, `"score"`, `"Score"`) + `]}`, `read the property "Scores" as "scores"`, ""},
		"other separators":               {`{"scores ":[` + goodPair + `]}`, `read the property "scores " as "scores"`, ""},
		"a name that fits nothing":       {`{"list":[` + goodPair + `]}`, "", "scores"},
		"an own property beside":         {list(strings.Replace(goodPair, `"score"`, `"confidence":"high","score"`, 1)), "ignored what the schema does not have: confidence", ""},
		"both spellings":                 {list(strings.Replace(goodPair, `"score"`, `"Score":0.9,"score"`, 1)), "ignored what the schema does not have: Score", ""},
		"number in a string":             {list(strings.Replace(goodPair, "0.5", `"0.5"`, 1)), `read the string "0.5" as a number`, ""},
		"truth in a string":              {list(strings.Replace(goodPair, "true", `"True"`, 1)), `read the string "True" as a boolean`, ""},
		"a word for a number":            {list(strings.Replace(goodPair, "0.5", `"high"`, 1)), "", "number"},
		"whole number with a point":      {list(strings.Replace(goodPair, `"count":3`, `"count":3.0`, 1)), "-", ""},
		"whole number in powers":         {list(strings.Replace(goodPair, `"count":3`, `"count":0.3e1`, 1)), "-", ""},
		"a whole number beyond all":      {list(strings.Replace(goodPair, `"count":3`, `"count":58e25`, 1)), "", "58e25"},
		"out of range":                   {list(strings.Replace(goodPair, "0.5", "85", 1)), "", "maximum"},
		"out of range, as a string":      {list(strings.Replace(goodPair, "0.5", `"85"`, 1)), "", "want number"},
		"verdict in another case":        {list(strings.Replace(goodPair, `"in"`, `"IN"`, 1)), `read "IN" as "in"`, ""},
		"a verdict that is none":         {list(strings.Replace(goodPair, `"in"`, `"not in"`, 1)), "", "verdict"},
		"repeated with the same value":   {list(strings.Replace(goodPair, `"score":0.5`, `"score":0.5,"score": 0.5`, 1)), "ignored a repeated property", ""},
		"repeated with another value":    {list(strings.Replace(goodPair, `"score":0.5`, `"score":0.1,"score":0.5`, 1)), "", `"score" occurs twice`},
		"fence, thoughts and a farewell": {"<think>{\"scores\":[]}</think>Here:\n```json\n" + list(goodPair) + "\n```\nHope this helps {really}!", "stripped <think>", ""},
		"empty":                          {" \n", "", "empty"},
		"null":                           {"null", "", "no complete JSON value"},
	} {
		t.Run(name, func(t *testing.T) {
			script := llmtest.NewScripted(llmtest.Text(c.text), llmtest.Text("no"))
			v, res, err := llm.Structured[scoreList](context.Background(), script.Router(), llm.Screener, llm.Prompt{Name: "scores", System: "Score.", Input: "x"})
			if c.note != "" {
				if err != nil || len(v.Scores) != 1 || v.Scores[0] != want {
					t.Fatalf("got %+v, %v", v, err)
				}
				if c.note != "-" && !slices.ContainsFunc(res.Notes, func(n string) bool { return strings.Contains(n, c.note) }) {
					t.Errorf("notes %q lack %q", res.Notes, c.note)
				}
				return
			}
			if llm.KindOf(err) != llm.Invalid || len(script.Calls()) != 2 {
				t.Fatalf("got %+v, %v after %d calls; want a refusal after two", v, err, len(script.Calls()))
			}
			if again := script.Calls()[1].User; !strings.Contains(again, c.problem) {
				t.Errorf("the model is not told %q:\n%s", c.problem, again)
			}
		})
	}
}

// What only the caller can check goes to the model as well, once.
func TestTheCheckIsPartOfTheRepair(t *testing.T) {
	known := func(l scoreList) error {
		for _, s := range l.Scores {
			if _, ok := llm.RepairID(s.Record, []string{"doc_0001"}); !ok {
				return errors.New("there is no record " + s.Record)
			}
		}
		return nil
	}
	bad := llmtest.Text(`{"scores":[` + strings.ReplaceAll(goodPair, "doc_0001", "doc_0404") + `]}`)
	ask := func(replies ...llmtest.Reply) (scoreList, llm.Result, []llm.Call, error) {
		s := llmtest.NewScripted(replies...)
		v, res, err := llm.StructuredChecked(context.Background(), s.Router(), llm.Screener, llm.Prompt{Name: "scores", Input: "x"}, known)
		return v, res, s.Calls(), err
	}
	v, res, calls, err := ask(bad, llmtest.Text(`{"scores":[`+goodPair+`]}`))
	if err != nil || len(v.Scores) != 1 || res.Repairs != 1 || !strings.Contains(calls[1].User, "there is no record doc_0404") {
		t.Errorf("%+v, %+v, %v", v, res, err)
	}
	if v, _, calls, err := ask(bad, bad); llm.KindOf(err) != llm.Invalid || len(v.Scores) != 0 || len(calls) != 2 {
		t.Errorf("%+v, %v after %d calls", v, err, len(calls))
	}
	if _, _, calls, err := ask(llmtest.Text(`{"scores":[` + strings.ReplaceAll(goodPair, "doc_0001", "doc_0001: On memory") + `]}`)); err != nil || len(calls) != 1 {
		t.Errorf("an echoed line: %v after %d calls", err, len(calls))
	}
}

// A window needs room for the answer, also where no limit is set.
func TestRoomForTheAnswer(t *testing.T) {
	for _, c := range []struct {
		words, output, window int
		sent                  bool
	}{{1500, 0, 4096, true}, {2500, 0, 4096, false}, {2500, 0, 8192, true}, {2500, 6000, 8192, false}} {
		s := llmtest.NewScripted(llmtest.Text(`{"scores":[]}`))
		r := llm.NewRouter(map[llm.Role]llm.Route{llm.Screener: {Spec: "a:m", Provider: s, Model: "m", Context: c.window}})
		_, _, err := llm.Structured[scoreList](context.Background(), r, llm.Screener, llm.Prompt{Name: "scores", Input: strings.Repeat("memory ", c.words), MaxOutput: c.output})
		if sent := len(s.Calls()) == 1; sent != c.sent || !sent && llm.KindOf(err) != llm.ContextLength {
			t.Errorf("%+v: sent %v, %v", c, sent, err)
		}
	}
}
