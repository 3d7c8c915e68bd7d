package state

import "strings"

// SynopsisMark opens an abstract that is not the authors' but a synopsis of
// the demonstration library. The mark travels through the simulated services
// like any text; adapters turn it into Record.Synopsis.
const SynopsisMark = "[Synopsis] "

// CutSynopsis removes the mark and reports whether it was there.
func CutSynopsis(abstract string) (string, bool) {
	return strings.CutPrefix(abstract, SynopsisMark)
}
