package wire

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"optimistresearch/internal/fetch"
	"optimistresearch/state"
)

func TestFail(t *testing.T) {
	for _, c := range []struct {
		err  error
		want state.Outcome
	}{
		{&fetch.Error{Kind: fetch.Throttled}, state.Throttled},
		{&fetch.Error{Kind: fetch.Refused}, state.Refused},
		{&fetch.Error{Kind: fetch.Down}, state.Down},
		{&fetch.Error{Kind: fetch.Offline}, state.Down},
		{&fetch.Error{Kind: fetch.Broken}, state.Broken},
		{&fetch.Error{Kind: fetch.BadRequest}, state.Broken},
		{fmt.Errorf("decoding: %w", &fetch.Error{Kind: fetch.Down}), state.Down},
		{errors.New("the answer has no list"), state.Broken},
		{context.Canceled, state.Skipped},
	} {
		e, _ := Fail("openalex", "search Q1", c.err)
		if e.Outcome != c.want {
			t.Errorf("%v ends as %s, want %s", c.err, e.Outcome, c.want)
		}
	}
	e, kind := Fail("openalex", "search Q1", &fetch.Error{Kind: fetch.Down, Service: "openalex", Op: "search Q1", Hint: "wait", Err: errors.New("no route"), Body: []byte("<html>")})
	if kind != fetch.Down || e.Hint != "wait" || strings.Count(e.Error(), "openalex") != 1 || strings.Count(e.Error(), "wait") != 1 || strings.Contains(e.Error(), "html") {
		t.Errorf("the failure reads %q", e)
	}
}

func TestLenientAndScalar(t *testing.T) {
	var v struct {
		A Scalar
		N int
	}
	for _, c := range []struct {
		in, a string
		note  bool
		bad   bool
	}{
		{`{"A":"x"}`, "x", false, false}, {`{"A":12}`, "12", false, false}, {`{"A":null}`, "", false, false}, {`{"A":{"b":1}}`, "", false, false},
		{`{"A":"x","N":"many"}`, "x", true, false}, {`[]`, "", false, true}, {``, "", false, true}, {`{"A":`, "", false, true}, {`<html>`, "", false, true},
	} {
		v.A = ""
		note, err := Lenient([]byte(c.in), &v)
		if string(v.A) != c.a && !c.bad || (note != "") != c.note || (err != nil) != c.bad {
			t.Errorf("%s: A = %q, note %q, error %v", c.in, v.A, note, err)
		}
	}
	for in, want := range map[string]int{`"12"`: 12, `12.0`: 12, `-3`: -3} {
		var s Scalar
		if err := json.Unmarshal([]byte(in), &s); err != nil {
			t.Fatal(err)
		}
		if n, ok := s.Int(); !ok || n != want {
			t.Errorf("%s reads as %d, %v", in, n, ok)
		}
	}
	if _, ok := Scalar("12.5").Int(); ok {
		t.Error("12.5 is taken for a whole number")
	}
}

func FuzzLenient(f *testing.F) {
	f.Add([]byte(`{"A":[1,{"b":null}]}`))
	f.Fuzz(func(t *testing.T, b []byte) {
		var v struct{ A Scalar }
		if _, err := Lenient(b, &v); err == nil && (len(b) == 0) {
			t.Error("nothing was decoded without an error")
		}
	})
}
