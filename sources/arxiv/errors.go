package arxiv

import (
	"optimistresearch/internal/fetch"
	"optimistresearch/sources/internal/wire"
	"optimistresearch/state"
)

const (
	againHint     = "try again later"
	throttledHint = "arXiv does not say for how long: wait some minutes, then try again"
	refusedHint   = "arXiv has no keys; it shuts out addresses that ask too often: wait an hour, then try again"
)

// fail words an error as the contract wants it.
func (a *answers) fail(err error) error {
	out, kind := wire.Fail(Name, a.op, err)
	switch kind {
	case fetch.Refused:
		out.Hint = refusedHint
	case "":
		if out.Outcome == state.Broken && out.Hint == "" {
			out.Hint = againHint
		}
	}
	return out
}
