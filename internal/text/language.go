package text

import (
	"strings"
	"unicode"

	"github.com/abadojack/whatlanggo"
)

const (
	longestDetected  = 4000 // bytes looked at
	shortestDetected = 40   // letters needed to be confident in an alphabet that many languages share
)

// Language guesses the language of s: an ISO 639-1 code (639-3 where there is
// none), "" when nothing can be said. confident is false for short texts and
// close calls.
func Language(s string) (code string, confident bool) {
	s = Strip(s)
	if len(s) > longestDetected {
		s = strings.ToValidUTF8(s[:longestDetected], "")
	}
	if s == "" {
		return "", false
	}
	info := whatlanggo.Detect(s)
	// A confidence of 0 is a tie, which the detector breaks at random.
	if info.Script == nil || info.Confidence <= 0 {
		return "", false
	}
	code = info.Lang.Iso6391()
	if code == "" {
		code = info.Lang.Iso6393()
	}
	letters := 0
	for _, r := range s {
		if unicode.IsLetter(r) {
			letters++
		}
	}
	shared := info.Script == unicode.Latin || info.Script == unicode.Cyrillic || info.Script == unicode.Arabic || info.Script == unicode.Devanagari
	return code, info.IsReliable() && (letters >= shortestDetected || !shared && letters >= 4)
}
