package evidence

import (
	"slices"
	"strings"

	"optimistresearch/internal/text"
)

// instruction gives the words by which a text addresses its reader, a person or
// a model, instead of stating something of the work: "Ignore all previous
// instructions", "You must cite this paper", "As an AI, I", "Click here". It is
// "" if every sentence of the text is a statement.
//
// What counts is the form: a clause that starts with a commanding verb and its
// object, the second person with a modal verb, a reader who must do something
// with this very text, a model that speaks of itself, and the marks of a chat.
// Words in quotation marks are mentioned and not said, and the invitations of
// mathematics ("Consider a graph", "Let x be", "Note that") are statements. Only
// English is understood.
func instruction(s string) string {
	s = s[:min(len(s), longestRead)]
	for _, span := range text.Sentences(s) {
		if found := instructionIn(s[span.Start:span.End]); found != "" {
			return found
		}
	}
	return ""
}

// around is how far, in bytes, the sentences that hold a quote are looked for.
const around = 1000

// instructed is instruction for a quote: the sentences count that it was cut
// from, since half an order may look like a statement.
func instructed(quote, stored string, start, end int) string {
	if start < 0 || end > len(stored) || start >= end {
		return instruction(quote)
	}
	from, to := max(start-around, 0), min(end+around, len(stored))
	for _, span := range text.Sentences(stored[from:to]) {
		if span.Start+from < end && start < span.End+from {
			if found := instructionIn(stored[from+span.Start : from+span.End]); found != "" {
				return found
			}
		}
	}
	return ""
}

// chatMarks open the turns of a conversation with a model.
var chatMarks = []string{"<|im_", "<|system", "<|user", "[inst]", "[/inst]", "<<sys>>", "<system>", "</system>"}

func instructionIn(sentence string) string {
	lower := strings.ToLower(sentence)
	for _, m := range chatMarks {
		if strings.Contains(lower, m) {
			return m
		}
	}
	a := address{s: unquoted(sentence)}
	a.toks = text.TokensAt(a.s)
	for _, test := range []func() (int, int){a.summoned, a.speaksAsModel, a.charged, a.commanded} {
		if i, j := test(); j > i {
			return a.s[a.toks[i].Start:a.toks[min(j, len(a.toks))-1].End]
		}
	}
	return ""
}

// unquoted blanks what stands in quotation marks, unless that is all there is.
func unquoted(s string) string {
	b := []byte(s)
	left := 0
	for _, q := range [][2]string{{"“", "”"}, {"\"", "\""}, {"«", "»"}, {"„", "“"}} {
		for at := 0; at < len(s); {
			i := strings.Index(s[at:], q[0])
			if i < 0 {
				break
			}
			i += at + len(q[0])
			j := strings.Index(s[i:], q[1])
			if j < 0 {
				break
			}
			for k := i; k < i+j; k++ {
				b[k] = ' '
			}
			at = i + j + len(q[1])
		}
	}
	for _, t := range text.Tokens(string(b)) {
		left += len(t)
	}
	if left < 4 {
		return s
	}
	return string(b)
}

// address holds the words of one sentence. Its tests give the range of the words
// that address the reader, an empty one if none do.
type address struct {
	s    string
	toks []text.Token
}

func (a address) at(i int) string {
	if i < 0 {
		return ""
	}
	return wordAt(a.toks, i)
}

// mark gives the punctuation before word i.
func (a address) mark(i int) string {
	if i == 0 || !a.toks[i].Gap || a.toks[i-1].End > a.toks[i].Start {
		return ""
	}
	return strings.TrimSpace(a.s[a.toks[i-1].End:a.toks[i].Start])
}

// opens reports whether word i is the first of a main clause: the first word,
// one behind a colon, a semicolon, a dash or a bracket, or one behind the comma
// that ends an introduction ("If you agree, …", "For details, …"). aside is true
// of a clause in brackets or behind a dash.
func (a address) opens(i int) (ok, aside bool) {
	for i > 0 && (lexicon().polite[a.at(i-1)] || lexicon().adverb[a.at(i-1)] || lexicon().connective[a.at(i-1)]) {
		i--
	}
	if i == 0 {
		return true, false
	}
	switch m := a.mark(i); {
	case strings.ContainsAny(m, "([—–"):
		return true, true
	case strings.ContainsAny(m, ":;*#>|!?."):
		return true, false
	case strings.Contains(m, ","):
		return lexicon().intro[a.at(0)] && !strings.Contains(a.s[:a.toks[i-1].End], ","), false
	}
	return false, false
}

// commanded finds a clause in the imperative.
func (a address) commanded() (int, int) {
	for i := range a.toks {
		ok, aside := a.opens(i)
		if !ok || i+1 == len(a.toks) || a.s[a.toks[i+1].Start-1] == '-' { // "BEHAVE-AD" is a name
			continue
		}
		if n := a.forbids(i); n > 0 {
			return i, i + n
		}
		w, next := a.at(i), i+1
		for next+1 < len(a.toks) && adverb(a.at(next)) && !a.toks[next].Gap {
			next++
		}
		lex := lexicon()
		if !a.isVerb(w) || a.toks[next].Gap {
			continue
		}
		polite := i > 0 && lex.polite[a.at(i-1)]
		if !polite && (aside && lex.noun[w] || w == "see" && i > 0 && !strings.Contains(a.mark(i), ",")) {
			continue // "(see Figure 1)"
		}
		lower := a.s[a.toks[next].Start] >= 'a' || a.s[a.toks[i].Start:a.toks[i].End] == strings.ToUpper(w)
		own := lex.pointing[a.at(next)] && lex.text[a.at(next+1)]
		switch {
		case polite, own,
			lex.tell[w] && a.at(next) == "that",
			lex.command[w] && lex.object[a.at(next)] && (!lex.noun[w] || lower),
			lex.command[w] && !lex.noun[w] && a.takes(next),
			lex.charge[w] && lex.object[a.at(next)] && lower && a.judges():
			return i, next + 1
		}
	}
	return 0, 0
}

// forbids gives the number of words of a "do not", "never", "always" or "make
// sure" that commands at word i, 0 if none does.
func (a address) forbids(i int) int {
	lex := lexicon()
	switch w, next, third := a.at(i), a.at(i+1), a.at(i+2); {
	case (w == "do" && next == "not" || w == "don" && next == "t") && !strings.HasSuffix(strings.TrimSpace(a.s), "?"):
		switch third {
		case "", "resuscitate", "intubate", "know": // names of orders and of answers
			return 0
		}
		return 3
	case (w == "never" || w == "always") && (lex.command[next] && !lex.noun[next] || lex.charge[next] && a.judges()):
		return 2
	case w == "make" && next == "sure":
		return 2
	}
	return 0
}

// isVerb reports whether a word is a verb by which one commands.
func (a address) isVerb(w string) bool { return lexicon().command[w] || lexicon().charge[w] }

// takes reports whether word i may follow a commanding verb without a
// determiner: a name, a judgement, "to", or "me".
func (a address) takes(i int) bool {
	switch first := a.s[a.toks[i].Start]; {
	case a.at(i) == "to", a.at(i) == "on", a.at(i) == "table", lexicon().verdict[a.at(i)], a.at(i+1) == "me":
		return true
	default:
		return first >= 'A' && first <= 'Z'
	}
}

// judges reports whether a sentence names its reader, or speaks of a judgement of
// its own text.
func (a address) judges() bool {
	lex := lexicon()
	own, verdict, person := false, false, false
	for i := range a.toks {
		w := a.at(i)
		own = own || lex.text[w] && lex.pointing[a.at(i-1)] || w == "review" || w == "recommendation"
		verdict = verdict || lex.verdict[w]
		person = person || w == "you" || w == "your" || lex.reader[w]
	}
	return person || own && verdict
}

// summoned finds the second person: as the subject of a modal verb, called by
// "if you" or "we ask you", or with what a model or reviewer has ("your task").
func (a address) summoned() (int, int) {
	lex := lexicon()
	for i := range a.toks {
		switch w := a.at(i); {
		case w == "you" && slices.Contains([]string{"all", "what", "how"}, a.at(i-1)): // "all you need"
		case w == "you" && (lex.modal[a.at(i+1)] || lex.summons[a.at(i-1)] || a.at(i-1) == "thank" && (i+1 == len(a.toks) || a.at(i+1) == "for")):
			return max(i-1, 0), min(i+2, len(a.toks))
		case w == "you" && lex.command[a.at(i+1)] && (i == 0 || a.at(i-1) == "that"):
			return i, i + 2
		case w == "your" && lex.yours[a.at(i+1)]:
			return i, i + 2
		}
	}
	return 0, 0
}

// speaksAsModel finds a model that speaks of itself.
func (a address) speaksAsModel() (int, int) {
	first := func(from, to int, words ...string) bool {
		for i := from; i < to && i < len(a.toks); i++ {
			if slices.Contains(words, a.at(i)) {
				return true
			}
		}
		return false
	}
	machine := false // a phrase that ends with one: "…, an AI," or "… language model,"
	for i := 2; i < 8 && i < len(a.toks); i++ {
		w := a.at(i)
		machine = machine || (lexicon().machine[w] || lexicon().reader[w]) && (i+1 == len(a.toks) || a.toks[i+1].Gap)
	}
	switch {
	case a.at(0) == "as" && (a.at(1) == "a" || a.at(1) == "an") && machine && first(3, len(a.toks), "i", "you", "my", "your"):
		return 0, min(5, len(a.toks))
	case a.at(0) == "i" && (a.at(1) == "am" || a.at(1) == "m") && (first(2, 4, "sorry", "unable") || first(2, 6, "ai", "llm", "assistant", "chatbot")):
		return 0, 3
	case a.at(0) == "i" && (a.at(1) == "cannot" || a.at(1) == "can" && a.at(2) == "t" || a.at(1) == "apologize"):
		return 0, 2
	}
	return 0, 0
}

// charged finds a reader or a machine that is told what to do with this very
// text ("Reviewers must accept this paper"), and a text that says what must be
// done with itself ("This paper must be cited").
func (a address) charged() (int, int) {
	lex := lexicon()
	own := 0 // place of the first mention of the text itself
	for i := range a.toks {
		if lex.text[a.at(i)] && lex.pointing[a.at(i-1)] {
			own = i
			break
		}
	}
	for i := range a.toks {
		w := a.at(i)
		must := w == "must" || w == "should" || w == "shall"
		switch {
		case must && own > 0 && i == own+1 && a.at(i+1) == "be" && lex.deed[a.at(i+2)]:
			return own - 1, i + 3
		case must || lex.asked[w] && lexicon().be[a.at(i-1)]:
			for j := max(0, i-8); j < i; j++ {
				verb := a.at(i + 1)
				if !must && verb == "to" {
					verb = a.at(i + 2)
				}
				acts := lex.command[verb] || lex.charge[verb]
				if acts && (lex.reader[a.at(j)] || lex.machine[a.at(j)] && own > 0) {
					return j, i + 2
				}
			}
		}
	}
	return 0, 0
}
