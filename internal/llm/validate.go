package llm

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// validator checks answers against one schema.
type validator struct {
	schema *jsonschema.Schema
	into   func([]byte) error // decodes a valid answer into its Go type
}

// compile prepares a schema. It never loads anything that the schema refers to.
func compile(s Schema, into func([]byte) error) (*validator, error) {
	if s.err != nil {
		return nil, s.err
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(s.JSON))
	if err != nil {
		return nil, fmt.Errorf("reading the JSON schema %q: %w", s.Name, err)
	}
	const url = "mem:///schema"
	c := jsonschema.NewCompiler()
	c.UseLoader(jsonschema.SchemeURLLoader{})
	if err := c.AddResource(url, doc); err != nil {
		return nil, fmt.Errorf("reading the JSON schema %q: %w", s.Name, err)
	}
	compiled, err := c.Compile(url)
	if err != nil {
		return nil, fmt.Errorf("compiling the JSON schema %q: %w", s.Name, err)
	}
	return &validator{schema: compiled, into: into}, nil
}

// verdict is what became of an answer.
type verdict struct {
	ok      bool
	notes   []string // what had to be put right, in order
	problem string   // why not ok, for the model to read
}

// judge looks for the value that the schema accepts in an answer, mends what can
// be mended without guessing, and decodes it.
func (v *validator) judge(text string, cut bool) verdict {
	if strings.TrimSpace(text) == "" {
		return verdict{problem: "the answer was empty"}
	}
	found := candidates(text, cut)
	if len(found) == 0 {
		return verdict{problem: "the answer holds no complete JSON value"}
	}
	var first string
	for _, c := range found {
		notes, err := v.accept(c.json)
		if err == nil {
			if c.note != "" {
				notes = append([]string{c.note}, notes...)
			}
			return verdict{ok: true, notes: notes}
		}
		if first == "" {
			first = err.Error()
		}
	}
	return verdict{problem: clip(first, maxProblem)}
}

const maxProblem = 1500 // runes of the validator's message that a model is shown

// accept validates one value, as it is, mended or unwrapped, and decodes it.
func (v *validator) accept(raw []byte) (notes []string, err error) {
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(raw))
	if err != nil {
		return nil, fmt.Errorf("the answer is not JSON: %w", err)
	}
	repeated, clash := repeats(raw)
	if clash != "" {
		return nil, fmt.Errorf("the property %q occurs twice in one object, with different values: give it once", clip(clash, 60))
	}
	var already []string
	if repeated {
		already = []string{"ignored a repeated property"}
	}
	refusal := v.check(value)
	if refusal == nil {
		return already, v.decode(raw, value)
	}
	if notes, ok := v.mend(value, refusal); ok {
		return append(already, notes...), v.reencode(value)
	}
	value, err = jsonschema.UnmarshalJSON(bytes.NewReader(raw)) // mend may have changed it
	if err != nil {
		return nil, fmt.Errorf("the answer is not JSON: %w", err)
	}
	for _, inner := range unwrapped(value) {
		if v.check(inner) == nil {
			return []string{"took the answer out of a wrapper"}, v.reencode(inner)
		}
	}
	return nil, errors.New(plain(refusal))
}

func (v *validator) check(value any) *jsonschema.ValidationError {
	err := v.schema.Validate(value)
	if err == nil {
		return nil
	}
	var refusal *jsonschema.ValidationError
	if !errors.As(err, &refusal) {
		return &jsonschema.ValidationError{}
	}
	return refusal
}

// decode fills the Go value from raw. Numbers such as 3.0, which JSON Schema
// takes as integers and Go does not, are written anew if they were in the way.
func (v *validator) decode(raw []byte, value any) error {
	if v.into(raw) == nil {
		return nil
	}
	return v.reencode(value)
}

func (v *validator) reencode(value any) error {
	raw, err := json.Marshal(wholeNumbers(value))
	if err != nil {
		return fmt.Errorf("the answer cannot be written as JSON: %w", err)
	}
	if err := v.into(raw); err != nil {
		return fmt.Errorf("the answer does not fit: %w", err)
	}
	return nil
}

// wholeNumbers writes integral numbers below 2^53 without point and exponent.
func wholeNumbers(value any) any {
	switch x := value.(type) {
	case map[string]any:
		for k, e := range x {
			x[k] = wholeNumbers(e)
		}
	case []any:
		for i, e := range x {
			x[i] = wholeNumbers(e)
		}
	case json.Number:
		if len(x) < 40 && strings.ContainsAny(string(x), ".eE") {
			f, _, err := big.ParseFloat(string(x), 10, 200, big.ToNearestEven)
			if err == nil && f.IsInt() && f.MantExp(nil) <= 53 {
				return json.Number(f.Text('f', 0))
			}
		}
	}
	return value
}

// plain is the validator's message without its heading.
func plain(e *jsonschema.ValidationError) string {
	if e.ErrorKind == nil {
		return "the answer does not match the schema"
	}
	_, list, found := strings.Cut(e.Error(), "\n")
	if !found {
		list = e.Error()
	}
	return "the answer does not match the schema:\n" + list
}

// clip cuts text to n runes and marks the cut.
func clip(text string, n int) string {
	text = strings.ToValidUTF8(text, "\ufffd")
	i := 0
	for at := range text {
		if i == n {
			return text[:at] + "…"
		}
		i++
	}
	return text
}
