package semanticscholar

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"optimistresearch/internal/fetch"
	"optimistresearch/sources"
	"optimistresearch/sources/internal/wire"
)

// keySetting names where the key is set.
const keySetting = "OPTIMISTRESEARCH_SOURCE_SEMANTICSCHOLAR_KEY or source.semanticscholar.key"

// fail words a failed operation and gives it the outcome that the method knows.
func (j *job) fail(err error) (sources.Result, error) {
	e, kind := wire.Fail(Name, j.op, err)
	switch {
	case kind == fetch.Refused:
		e.Hint = "set " + keySetting + " to a valid key; keys die when they are not used for about 60 days"
	case kind == fetch.Throttled && j.s.cfg.Key == "":
		e.Hint = "all clients without a key share one pool: set " + keySetting
	}
	return sources.Result{}, e
}

func (j *job) noList(format string, args ...any) (sources.Result, error) {
	return sources.Result{}, wire.NoList(Name, j.op, fmt.Sprintf(format, args...))
}

// noneKnown reports whether a batch was refused because none of its ids is
// known: 400 {"error":"No valid paper ids given"} (POST /paper/batch, 2026),
// where a batch with one known id answers null for the others.
func noneKnown(err error) bool { return said(err) == "No valid paper ids given" }

// tooLarge reports whether an answer would have had over 10 MB: 400
// {"error":"Response would exceed maximum size…"}.
func tooLarge(err error) bool {
	return strings.HasPrefix(said(err), "Response would exceed maximum size")
}

// said is what the service says of a wrong request, for which it has one status.
func said(err error) string {
	f, ok := errors.AsType[*fetch.Error](err)
	if !ok || f.Status != 400 {
		return ""
	}
	var e struct {
		Error scalar `json:"error"`
	}
	if _, bad := wire.Lenient(f.Body, &e); bad != nil {
		return ""
	}
	return string(e.Error)
}

// searchFault says what is wrong with the answer to a search. No hit is
// {"total":0,"offset":0} without data.
func searchFault(first bool) func([]byte) error {
	return func(body []byte) error {
		var p page
		if _, err := wire.Lenient(body, &p); err != nil {
			return err
		}
		n, ok := p.Total.Int()
		switch {
		case !ok:
			return errors.New("the answer has no total")
		case first && n > 0 && len(p.Data) == 0:
			return fmt.Errorf("the answer counts %d papers and holds none", n)
		}
		return nil
	}
}

// edgeFault says what is wrong with a page of references or citations.
func edgeFault(body []byte) error {
	var p struct {
		Offset *json.RawMessage `json:"offset"`
		Data   *json.RawMessage `json:"data"`
	}
	if _, err := wire.Lenient(body, &p); err != nil {
		return err
	}
	if p.Offset == nil && p.Data == nil {
		return errors.New("the answer has neither offset nor data")
	}
	return nil
}

// recordFault says what is wrong with the answer to a call for one paper.
func recordFault(body []byte) error {
	if isNull(body) {
		return nil // an id that the graph has lost (danielnsilva/semanticscholar 80, 2023)
	}
	var p paper
	if _, err := wire.Lenient(body, &p); err != nil {
		return err
	}
	if p.PaperID == "" {
		return errors.New("the answer is no paper record: it has no paperId")
	}
	return nil
}

// batchFault says what is wrong with the answer to a batch.
func batchFault(body []byte) error {
	var list []rawRecord
	if err := json.Unmarshal(body, &list); err != nil {
		return fmt.Errorf("the answer is no list of papers: %w", err)
	}
	if list == nil {
		return errors.New("the answer is null instead of a list of papers")
	}
	return nil
}
