package sandbox

import (
	"fmt"
	"strconv"
	"strings"
)

// Where a service needs an identifier that the library does not know, the
// sandbox makes one in a range that no real record uses (2026), counted from
// the work's place in the library, so that nobody takes it for real:
//
//	OpenAlex          W9900000001 …   W9950000001 … for the preprint beside the venue version
//	                  S9900000001 …   for venues
//	Semantic Scholar  5a4d, zeros, number (40 hexadecimal digits); corpus id 990000001 …
//	PubMed            990000001 …, also in Europe PMC
//	Europe PMC        PPR990000001 … for preprints
const (
	madeOpenAlex = 9_900_000_000
	madePreprint = 9_950_000_000
	madeNumber   = 990_000_000
	madeHex      = "5a4d"
)

func madeW(work int) string       { return "W" + strconv.Itoa(madeOpenAlex+work+1) }
func madeWTwin(work int) string   { return "W" + strconv.Itoa(madePreprint+work+1) }
func madePMID(work int) string    { return strconv.Itoa(madeNumber + work + 1) }
func madeCorpusID(work int) int   { return madeNumber + work + 1 }
func madePPR(work int) string     { return "PPR" + madePMID(work) }
func madePaper(work int) string   { return fmt.Sprintf("%s%036d", madeHex, work+1) }
func madeVenue(number int) string { return "S" + strconv.Itoa(madeOpenAlex+number+1) }

// Made reports whether an identifier was made by the sandbox: an OpenAlex id
// or address, a Semantic Scholar paperId, a PubMed id, a corpus id or a
// preprint id of Europe PMC from the reserved ranges.
func Made(id string) bool {
	id = strings.ToLower(strings.TrimSpace(id))
	id = id[strings.LastIndexAny(id, "/:")+1:]
	if len(id) == 40 {
		return strings.HasPrefix(id, madeHex+"00000000")
	}
	if len(id) == 11 && (id[0] == 'w' || id[0] == 's') {
		n, err := strconv.Atoi(id[1:])
		return err == nil && n > madeOpenAlex
	}
	id = strings.TrimPrefix(id, "ppr")
	n, err := strconv.Atoi(id)
	return err == nil && len(id) == 9 && n > madeNumber
}
