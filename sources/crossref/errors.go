package crossref

import (
	"errors"
	"fmt"

	"optimistresearch/internal/fetch"
	"optimistresearch/sources"
	"optimistresearch/sources/internal/wire"
)

// fail words a failed operation and gives it the outcome that the method knows.
func (j *job) fail(err error) (sources.Result, error) {
	e, kind := wire.Fail(Name, j.op, err)
	switch {
	case kind != fetch.Refused:
	case j.s.cfg.Key != "":
		e.Hint = "set OPTIMISTRESEARCH_SOURCE_CROSSREF_KEY or source.crossref.key to a valid Plus token, or to nothing: Crossref also answers without one"
	default:
		// Crossref wants no key, but shuts out clients that ask too fast.
		e.Hint = "set contact (OPTIMISTRESEARCH_CONTACT) to an e-mail address and wait an hour; a Plus token goes to OPTIMISTRESEARCH_SOURCE_CROSSREF_KEY or source.crossref.key"
	}
	return sources.Result{}, e
}

func (j *job) noList(format string, args ...any) (sources.Result, error) {
	return sources.Result{}, wire.NoList(Name, j.op, fmt.Sprintf(format, args...))
}

// listFault says what is wrong with the answer to a list call. The first page
// of a list that counts works but holds none is no empty result, unless none
// were asked for.
func listFault(firstPage bool) func([]byte) error {
	return func(body []byte) error {
		var a listAnswer
		if _, err := wire.Lenient(body, &a); err != nil {
			return err
		}
		if a.Message == nil || a.Message.Items == nil {
			return errors.New("the answer has no list of items")
		}
		if n, _ := a.Message.Total.Int(); firstPage && n > 0 && len(*a.Message.Items) == 0 {
			return fmt.Errorf("the answer counts %d works and holds none", n)
		}
		return nil
	}
}

// recordFault says what is wrong with the answer to a call for one work.
func recordFault(body []byte) error {
	var a struct {
		Message struct {
			DOI  scalar `json:"DOI"`
			Type scalar `json:"type"`
		} `json:"message"`
	}
	if _, err := wire.Lenient(body, &a); err != nil {
		return err
	}
	if a.Message.DOI == "" {
		return errors.New("the answer is no work record: it has no DOI")
	}
	return nil
}
