package biblio

import (
	"fmt"
	"strings"
	"unicode"

	"optimistresearch/internal/text"
)

// ReadBibTeX reads BibTeX and biblatex: values in braces or quotes, macros and
// concatenation, entries in parentheses, text between entries. A broken entry
// is a problem; reading goes on at the next "@" at the start of a line.
func ReadBibTeX(data []byte) (entries []Entry, problems []Problem) {
	p := &bibParser{s: decode(data), macros: months()}
	for p.next() {
		e, ok, err := p.entry()
		if err != nil {
			problems = append(problems, Problem{Line: p.lineOf(p.start), Entry: p.key, Message: err.Error()})
			p.recover()
			continue
		}
		if ok {
			entries = append(entries, e)
		}
	}
	return entries, problems
}

type bibParser struct {
	s      string
	i      int
	start  int    // of the entry
	key    string // of the entry
	macros map[string]string
}

func months() map[string]string {
	m := map[string]string{}
	for i, name := range []string{"jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"} {
		m[name] = fmt.Sprintf("%02d", i+1)
	}
	return m
}

func (p *bibParser) lineOf(at int) int { return 1 + strings.Count(p.s[:min(at, len(p.s))], "\n") }

// next moves to the next "@" that opens an entry. Text between entries is a
// comment; a "%" comments out the rest of its line.
func (p *bibParser) next() bool {
	for p.i < len(p.s) {
		switch p.s[p.i] {
		case '@':
			p.start, p.key = p.i, ""
			p.i++
			return true
		case '%':
			for p.i < len(p.s) && p.s[p.i] != '\n' {
				p.i++
			}
		default:
			p.i++
		}
	}
	return false
}

// recover moves behind a broken entry: to the next "@" at the start of a line.
func (p *bibParser) recover() {
	if j := strings.Index(p.s[p.start+1:], "\n@"); j >= 0 {
		p.i = p.start + 1 + j + 1
		return
	}
	p.i = len(p.s)
}

func (p *bibParser) space() {
	for p.i < len(p.s) && unicode.IsSpace(rune(p.s[p.i])) {
		p.i++
	}
}

func (p *bibParser) word() string {
	from := p.i
	for p.i < len(p.s) && !unicode.IsSpace(rune(p.s[p.i])) && strings.IndexByte("{}()=,\"#%@", p.s[p.i]) < 0 {
		p.i++
	}
	return p.s[from:p.i]
}

func (p *bibParser) peek() byte {
	if p.i < len(p.s) {
		return p.s[p.i]
	}
	return 0
}

// entry reads one entry; ok is false for what is none: @string, @comment,
// @preamble, an "@" in running text.
func (p *bibParser) entry() (e Entry, ok bool, err error) {
	kind := strings.ToLower(p.word())
	p.space()
	open := p.peek()
	if kind == "" || open != '{' && open != '(' {
		return Entry{}, false, nil
	}
	p.i++
	closing := byte('}')
	if open == '(' {
		closing = ')'
	}
	if kind == "comment" || kind == "preamble" {
		p.i--
		_, err := p.braced(open, closing)
		return Entry{}, false, err
	}
	if kind != "string" {
		p.space()
		from := p.i
		for p.i < len(p.s) && strings.IndexByte(",\n", p.s[p.i]) < 0 && p.s[p.i] != closing {
			p.i++
		}
		p.key = strings.TrimSpace(p.s[from:p.i])
		if p.peek() == ',' {
			p.i++
		}
	}
	fields, err := p.fields(closing)
	if err != nil {
		return Entry{}, false, err
	}
	if kind == "string" {
		for name, v := range fields {
			p.macros[name] = v
		}
		return Entry{}, false, nil
	}
	return bibEntry(kind, p.key, fields), true, nil
}

// fields reads "name = value" up to the closing character. A missing comma
// between two fields is forgiven; of a name that comes twice the first counts.
func (p *bibParser) fields(closing byte) (map[string]string, error) {
	out := map[string]string{}
	for {
		p.space()
		switch c := p.peek(); {
		case c == 0:
			return nil, fmt.Errorf("the entry is not closed")
		case c == closing:
			p.i++
			return out, nil
		case c == ',':
			p.i++
			continue
		}
		name := strings.ToLower(p.word())
		p.space()
		if name == "" || p.peek() != '=' {
			return nil, fmt.Errorf("a field is expected at %q", text.Truncate(text.OneLine(p.s[p.i:min(p.i+40, len(p.s))]), 30))
		}
		p.i++
		v, err := p.value()
		if err != nil {
			return nil, fmt.Errorf("the field %s: %w", name, err)
		}
		if _, twice := out[name]; !twice {
			out[name] = v
		}
	}
}

// value reads strings, numbers and macros joined by "#".
func (p *bibParser) value() (string, error) {
	var b strings.Builder
	for {
		p.space()
		switch c := p.peek(); c {
		case '{':
			v, err := p.braced('{', '}')
			if err != nil {
				return "", err
			}
			b.WriteString(v)
		case '"':
			v, err := p.quoted()
			if err != nil {
				return "", err
			}
			b.WriteString(v)
		default:
			w := p.word()
			if w == "" {
				return "", fmt.Errorf("the value is missing")
			}
			if m, ok := p.macros[strings.ToLower(w)]; ok {
				w = m
			}
			b.WriteString(w)
		}
		p.space()
		if p.peek() != '#' {
			return b.String(), nil
		}
		p.i++
	}
}

// longest is how many bytes a value may have; it bounds what one missing brace
// costs.
const longest = 1 << 18

// braced reads a balanced group and gives its inside. A brace behind a
// backslash does not count.
func (p *bibParser) braced(open, closing byte) (string, error) {
	from, depth := p.i+1, 0
	for ; p.i < len(p.s) && p.i-from < longest; p.i++ {
		switch p.s[p.i] {
		case '\\':
			p.i++
		case open:
			depth++
		case closing:
			if depth--; depth == 0 {
				p.i++
				return p.s[from : p.i-1], nil
			}
		}
	}
	return "", fmt.Errorf("a brace is not closed")
}

func (p *bibParser) quoted() (string, error) {
	from, depth := p.i+1, 0
	for p.i++; p.i < len(p.s) && p.i-from < longest; p.i++ {
		switch p.s[p.i] {
		case '\\':
			p.i++
		case '{':
			depth++
		case '}':
			depth--
		case '"':
			if depth == 0 {
				p.i++
				return p.s[from : p.i-1], nil
			}
		}
	}
	return "", fmt.Errorf("a quotation mark is not closed")
}

func bibEntry(kind, key string, f map[string]string) Entry {
	get := func(names ...string) string {
		for _, n := range names {
			if v := unescape(f[n]); v != "" {
				return v
			}
		}
		return ""
	}
	raw := func(name string) string {
		return strings.NewReplacer(`\_`, "_", `\%`, "%", `\&`, "&", `\#`, "#", `\~`, "~").Replace(strings.TrimSpace(f[name]))
	}
	e := Entry{ID: key, Type: bibNames[kind], Title: get("title"), Container: get("journal", "journaltitle", "booktitle", "howpublished"), Volume: get("volume"),
		Issue: get("number", "issue"), Pages: get("pages"), Publisher: get("publisher", "school", "institution", "organization"), Abstract: get("abstract"),
		Language: get("language", "langid"), DOI: raw("doi"), PMID: raw("pmid"), PMCID: raw("pmcid"), URL: raw("url"),
		Keywords: []string{get("keywords")}, Notes: strings.Split(get("note"), "; ")}
	e.Date = date(get("date"))
	if e.Date == "" {
		e.Date = date(get("year") + "-" + get("month"))
	}
	if strings.EqualFold(get("archiveprefix", "eprinttype"), "arxiv") {
		e.ArXiv = raw("eprint")
	}
	if e.Type == Document && (strings.EqualFold(get("pubstate"), "preprint") || e.ArXiv != "" && get("entrysubtype") == "") {
		e.Type = Preprint
	}
	for _, n := range splitAnd(f["author"]) {
		e.Authors = append(e.Authors, bibAuthor(n))
	}
	return e.Normal()
}

// splitAnd splits a list of names at "and" outside braces.
func splitAnd(s string) []string {
	var out []string
	depth, from := 0, 0
	lower := strings.ToLower(s)
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case '{':
			depth++
		case '}':
			depth--
		default:
			if depth == 0 && unicode.IsSpace(rune(s[i])) && strings.HasPrefix(lower[i+1:], "and") && i+4 < len(s) && unicode.IsSpace(rune(s[i+4])) {
				out = append(out, s[from:i])
				from = i + 5
				i += 4
			}
		}
	}
	return append(out, s[from:])
}

// bibAuthor reads "Family, Given", "Family, Jr, Given", "Given Family" or a
// group in braces.
func bibAuthor(s string) Name {
	s = strings.TrimSpace(s)
	if strings.HasPrefix(s, "{") && strings.HasSuffix(s, "}") && closesAtEnd(s) {
		return Name{Literal: unescape(s)}
	}
	var parts []string
	depth, from := 0, 0
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case '{':
			depth++
		case '}':
			depth--
		case ',':
			if depth == 0 {
				parts = append(parts, s[from:i])
				from = i + 1
			}
		}
	}
	parts = append(parts, s[from:])
	switch len(parts) {
	case 1:
		whole := unescape(parts[0])
		words := strings.Fields(whole)
		if len(words) < 2 {
			return Name{Literal: whole}
		}
		// The family name is the last word and the particles before it.
		i := len(words) - 1
		for i > 1 && strings.ToLower(words[i-1]) == words[i-1] {
			i--
		}
		return Name{Family: strings.Join(words[i:], " "), Given: strings.Join(words[:i], " ")}
	case 2:
		return Name{Family: unescape(parts[0]), Given: unescape(parts[1])}
	}
	return Name{Family: unescape(parts[0]), Given: unescape(parts[2]) + ", " + unescape(parts[1])}
}

// closesAtEnd reports whether the brace that opens s is closed by its last.
func closesAtEnd(s string) bool {
	depth := 0
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case '{':
			depth++
		case '}':
			if depth--; depth == 0 {
				return i == len(s)-1
			}
		}
	}
	return false
}

// unescape turns TeX into plain text: our own escapes, braces, and, for what
// others write, accents and commands.
func unescape(s string) string {
	if !strings.ContainsAny(s, "\\{}$~") {
		return text.OneLine(s)
	}
	var b strings.Builder
	foreign := false
	for i := 0; i < len(s); {
		c := s[i]
		switch {
		case c == '{' || c == '}':
			i++
		case c == '~':
			b.WriteByte(' ')
			i++
		case c == '\\':
			if n, r := ownEscape(s[i:]); n > 0 {
				b.WriteRune(r)
				i += n
				continue
			}
			foreign = true
			i++
		case c == '$':
			foreign = true
			i++
		default:
			b.WriteByte(c)
			i++
		}
	}
	if foreign {
		return text.OneLine(text.Strip(s))
	}
	return text.OneLine(b.String())
}

// ownEscape recognises what WriteBibTeX writes.
func ownEscape(s string) (n int, r rune) {
	for r, e := range escapes {
		if strings.HasPrefix(s, e) {
			return len(e), r
		}
		if bare, ok := strings.CutSuffix(e, "{}"); ok && strings.HasPrefix(s, bare+" ") {
			return len(bare) + 1, r
		}
	}
	return 0, 0
}
