package lexical

import (
	_ "embed"
	"regexp"
	"slices"
	"strings"
	"sync"

	"optimistresearch/internal/text"
)

//go:embed scope.txt
var scopeWords string

// Scope is a scope note taken apart. What the note says is in exactly one of
// its lists, so that nothing is silently left out.
type Scope struct {
	Years    Years
	YearsIn  []string // the wordings of the years
	Required []string // kinds of study that are required ("trials only"), as worded
	Designs  []string // kinds of study that are preferred
	Wanted   []string // subjects that are preferred
	Excluded []string // subjects and kinds of study that are not
	Unused   []string // what was not understood, or cannot be told from words
}

// design is a kind of study: the words that name it, and those that its
// studies use.
type design struct {
	names, cues [][]string // as stems
	words       []string   // the cues as written
}

type scopeLists struct {
	designs []design
	exclude *regexp.Regexp
	vague   []*regexp.Regexp
}

var scopeWordings = sync.OnceValue(func() *scopeLists {
	out := &scopeLists{}
	var openers []string
	sequences := func(s string) (list [][]string) {
		for _, f := range strings.Fields(s) {
			list = append(list, stems(strings.ReplaceAll(f, "_", " ")))
		}
		return list
	}
	name := ""
	for line := range strings.Lines(scopeWords) {
		line = strings.TrimSpace(line)
		switch {
		case line == "" || line[0] == '#':
		case line[0] == '[' && strings.HasSuffix(line, "]") && !strings.Contains(line, "|"):
			name = strings.Trim(line, "[]")
		case name == "design":
			names, cues, _ := strings.Cut(line, "|")
			out.designs = append(out.designs, design{sequences(names), sequences(cues), strings.Fields(cues)})
		case name == "exclude":
			openers = append(openers, regexp.QuoteMeta(line))
		case name == "vague":
			out.vague = append(out.vague, regexp.MustCompile(`(?i)(?:^|\b)`+line))
		}
	}
	out.exclude = regexp.MustCompile(`(?i)(?:^|[\s(,;])(?:` + strings.Join(openers, "|") + `)[\s:]+`)
	return out
})

// ReadScope takes a scope note apart. this is the year that "the last five
// years" counts from: they begin that many years before it.
func ReadScope(note string, this int) Scope {
	var sc Scope
	note = text.OneLine(plain(text.Strip(note)))
	note, sc.Years, sc.YearsIn, sc.Unused = readYears(note, this)
	note = sc.exclusions(note)
	for _, v := range scopeWordings().vague {
		note = v.ReplaceAllStringFunc(note, func(m string) string {
			sc.Unused = append(sc.Unused, "“"+strings.TrimSpace(m)+"”")
			return ";"
		})
	}
	for clause := range strings.FieldsFuncSeq(note, func(r rune) bool { return strings.ContainsRune(";,.()|\n", r) }) {
		sc.clause(clause)
	}
	return sc
}

// notOnly are words after "not" that exclude nothing.
var notOnly = regexp.MustCompile(`(?i)^(?:only|just|limited|necessarily|more|less|matter)\b`)

// opens are words that begin something that is wanted, after a comma.
var opens = regexp.MustCompile(`(?i)^\s*(?:but|focus|only|include|including|with|in|for|on|since|emphasis|especially|particularly|preferably|prefer|just)\b|\bonly\s*$`)

// exclusions takes what a note excludes out of it: up to the end of the clause,
// over commas only where a list goes on ("reviews, editorials and letters").
func (sc *Scope) exclusions(note string) string {
	for at := 0; ; {
		m := scopeWordings().exclude.FindStringIndex(note[at:])
		if m == nil {
			return note
		}
		start, from := at+m[0], at+m[1]
		if notOnly.MatchString(note[from:]) {
			at = from
			continue
		}
		end := from + strings.IndexAny(note[from:]+";", ";.()|")
		if i := strings.Index(strings.ToLower(note[from:end]), " but "); i >= 0 {
			end = from + i
		}
		parts := strings.Split(note[from:end], ",")
		n := 1
		for i, p := range parts {
			if i > 0 && opens.MatchString(p) {
				break
			}
			if i > 0 && (strings.Contains(p+" ", " and ") || strings.Contains(p+" ", " or ")) {
				n = i + 1
			}
		}
		said := strings.Join(parts[:n], ",")
		if i := strings.Index(strings.ToLower(said), " focus"); i > 0 {
			said = said[:i]
		}
		found := false
		for _, p := range parseQuestion(said) {
			if HasTopic(p.text) {
				sc.Excluded = append(sc.Excluded, p.text)
				found = true
			}
		}
		if !found && strings.TrimSpace(said) != "" {
			sc.Unused = append(sc.Unused, "“"+strings.TrimSpace(note[start:from]+said)+"”")
		}
		note = note[:start] + ";" + note[from+len(said):]
		at = start + 1
	}
}

// only marks a clause that requires and does not merely prefer.
var only = regexp.MustCompile(`(?i)\b(?:only|exclusively|(?:restrict|limit)(?:ed)? to|must be)\b`)

// clause reads one clause of a note: kinds of study first, then the subjects
// that are left.
func (sc *Scope) clause(s string) {
	c := cutQuestion(s)
	ss := make([]string, len(c.tokens))
	for i, t := range c.tokens {
		ss[i] = stem(t.Word)
	}
	used := make([]bool, len(c.tokens))
	for i := range ss {
		if n := named(ss[i:]); n > 0 {
			for k := i; k < i+n; k++ {
				used[k] = true
			}
		}
	}
	rest, understood := []byte(c.question), false
	for i := 0; i < len(used); i++ {
		if !used[i] {
			continue
		}
		end := i + 1
		for end < len(used) && (used[end] || c.w.scaffold[c.tokens[end].Word] && !text.IsStopword(c.tokens[end].Word)) && !c.tokens[end].Gap {
			end++
		}
		from, to := c.tokens[i].Start, c.tokens[end-1].End
		if kind := text.OneLine(c.question[from:to]); only.MatchString(s) {
			sc.Required = append(sc.Required, kind)
		} else {
			sc.Designs = append(sc.Designs, kind)
		}
		for k := from; k < to; k++ {
			rest[k] = '|'
		}
		i, understood = end-1, true
	}
	for part := range strings.FieldsFuncSeq(string(rest), func(r rune) bool { return r == '|' }) {
		if subject := subjectOf(part); subject != "" && !slices.Contains(sc.Wanted, subject) {
			sc.Wanted = append(sc.Wanted, subject)
			understood = true
		}
	}
	if s = text.OneLine(s); !understood && !allScaffold(c) {
		sc.Unused = append(sc.Unused, "“"+s+"”")
	}
}

// allScaffold reports whether a clause only opens or joins ("focus on", "and").
func allScaffold(c *cutter) bool {
	for _, t := range c.tokens {
		if !c.w.scaffold[t.Word] && !text.IsFunctionWord(t.Word) && !c.w.languages[c.language][t.Word] && t.Word != "only" {
			return false
		}
	}
	return true
}

// subjectOf gives the noun phrase of a part of a note, "" if it has none.
func subjectOf(part string) string {
	if !HasTopic(part) {
		return ""
	}
	return text.Truncate(Ask(part).Topic, 80)
}

// named gives how many stems at the start of a sequence name a kind of study.
func named(ss []string) int {
	most := 0
	for _, d := range scopeWordings().designs {
		for _, n := range d.names {
			if len(n) > most && len(n) <= len(ss) && slices.Equal(ss[:len(n)], n) {
				most = len(n)
			}
		}
	}
	return most
}

// DesignWords gives the words by which studies of the kinds that a phrase
// names give themselves away, nil if it names none: search terms for them.
func DesignWords(phrase string) []string {
	var out []string
	for _, d := range designsOf(phrase) {
		for _, w := range d.words {
			if w = strings.ReplaceAll(w, "_", " "); !slices.Contains(out, w) {
				out = append(out, w)
			}
		}
	}
	return out
}

// cuesOf gives those words as stems.
func cuesOf(phrase string) [][]string {
	var out [][]string
	for _, d := range designsOf(phrase) {
		out = append(out, d.cues...)
	}
	return out
}

func designsOf(phrase string) []design {
	ss := stems(phrase)
	var out []design
	for _, d := range scopeWordings().designs {
		if slices.ContainsFunc(d.names, func(n []string) bool { return holds(ss, n) }) {
			out = append(out, d)
		}
	}
	return out
}

// Kinds are the kinds of study that the note asks for, required or preferred.
func (sc Scope) Kinds() []string { return slices.Concat(sc.Required, sc.Designs) }

// Understood says in words how the note was taken; "" if nothing was.
func (sc Scope) Understood() string {
	var parts []string
	add := func(what string, list []string) {
		if len(list) > 0 {
			parts = append(parts, what+": "+strings.Join(list, ", "))
		}
	}
	if y := sc.Years.String(); y != "" {
		parts = append(parts, y)
	}
	add("kinds of study required", sc.Required)
	add("kinds of study preferred", sc.Designs)
	add("subjects preferred", sc.Wanted)
	add("left out", sc.Excluded)
	return strings.Join(parts, "; ")
}
