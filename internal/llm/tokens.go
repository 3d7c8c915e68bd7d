package llm

import (
	"fmt"
	"unicode"
)

// EstimateTokens guesses how many tokens a text costs, without a tokenizer: one
// for each Han, kana or Hangul rune, one for two runes of any other non-Latin
// script, one for four runes of the rest, where a run of white space counts as
// one rune. English prose lands within about a fifth of the usual tokenizers;
// other scripts are estimated high, so that a prompt is refused before its
// server cuts it.
func EstimateTokens(text string) int {
	n := count(text)
	return n.cjk + (n.other+1)/2 + (n.latin+3)/4
}

// leastTokens is a cautious estimate: what a generous tokenizer would still
// need. A server that reports far less has not read the whole text.
func leastTokens(text string) int {
	n := count(text)
	return n.cjk/2 + (n.other+n.latin)/4
}

type runes struct{ latin, cjk, other int }

func count(text string) runes {
	var n runes
	space := false
	for _, r := range text {
		isSpace := unicode.IsSpace(r)
		switch {
		case isSpace && space:
		case r < 0x250 || isSpace:
			n.latin++
		case unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul):
			n.cjk++
		default:
			n.other++
		}
		space = isSpace
	}
	return n
}

// Bounds of the check for a prompt that its server cut without a word.
const (
	cutMinimum  = 1000 // tokens: shorter prompts are estimated too loosely
	cutShare    = 0.60 // of the cautious estimate: less was read than sent
	cutFull     = 0.98 // of the window: it was filled to the brim
	cutExcess   = 1.15 // estimate over report, when the report equals a usual window
	cutSmallest = 2048 // tokens: the smallest usual window
)

// promptCut tells from the reported prompt tokens whether the server dropped a
// part of the prompt, and says how it is known. least is the cautious estimate
// of what was sent, context the window of the route (0 = unknown), used the
// server's count (no prompt tokens = none).
//
// Three signs count. The report is far under the estimate; it fills the known
// window; or it sits at the brim of a usual window (a power of two, or half of
// what was asked for) while the estimate is clearly larger. Ollama cuts this
// way: a prompt of 6,000 tokens to a window of 4,096 comes back as 4,096. For the
// first sign cached tokens are added once more, so that a server that counts
// them apart does not look like one that cuts.
func promptCut(least, context int, used Usage) (string, bool) {
	reported := used.Prompt
	if reported <= 0 || least < cutMinimum {
		return "", false
	}
	switch {
	case float64(reported+used.Cached) < cutShare*float64(least):
		return fmt.Sprintf("the server read %d tokens of a prompt of about %d", reported, least), true
	case brim(reported, context):
		return fmt.Sprintf("the prompt filled the context window: the server read %d tokens of at most %d", reported, context), true
	case float64(least) < cutExcess*float64(reported):
		return "", false
	case brim(reported, context/2):
		return fmt.Sprintf("the server read %d tokens of a prompt of about %d: half of the context window of %d that was asked for", reported, least, context), true
	}
	for w := cutSmallest; w > 0 && float64(w)*cutFull <= float64(reported); w *= 2 {
		if brim(reported, w) {
			return fmt.Sprintf("the server read %d tokens of a prompt of about %d: its context window seems to be %d", reported, least, w), true
		}
	}
	return "", false
}

func brim(reported, window int) bool {
	return window > 0 && reported <= window && float64(reported) >= cutFull*float64(window)
}
