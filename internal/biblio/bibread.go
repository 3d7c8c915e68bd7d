package biblio

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strings"
)

// readBibTeX reads BibTeX and biblatex: values in braces or quotes, macros and
// concatenation, entries in parentheses, text between entries. A broken entry
// is skipped; reading goes on at the next "@" at the start of a line.
func readBibTeX(in *bufio.Reader, k *sink) error {
	p := &bibParser{in: in, k: k, fill: bibTable.filler(), macros: months(), limit: longest}
	for p.next() {
		if err := p.one(); err != nil {
			return err
		}
	}
	if p.err != nil && !errors.Is(p.err, io.EOF) {
		return p.err
	}
	return nil
}

// bibParser reads a text through a window that grows only while one entry does
// not fit.
type bibParser struct {
	in    *bufio.Reader
	k     *sink
	fill  *filler
	err   error // that ended the input
	s     string
	i     int
	start int  // of the entry
	lined int  // place up to which lines are counted
	line  int  // line ends before that place
	limit int  // bytes of a value
	waste int  // bytes looked at in entries that could not be read
	aware bool // a backslash hides a brace, as some programs have it and BibTeX has not

	key    string // of the entry
	fields []value
	macros map[string]string
}

// months are the macros of every style, and their long forms.
func months() map[string]string {
	m := map[string]string{}
	for i, name := range monthNames {
		m[name] = fmt.Sprintf("%02d", i+1)
		m[longMonths[i]] = m[name]
	}
	return m
}

const window = 256 << 10

// more lets the window begin at keep and reads on; false at the end of the
// file.
func (p *bibParser) more(keep int) bool {
	if p.err != nil {
		return false
	}
	p.lineOf(keep)
	buf := make([]byte, max(window, len(p.s)-keep))
	n, err := io.ReadFull(p.in, buf)
	if errors.Is(err, io.ErrUnexpectedEOF) {
		err = io.EOF
	}
	p.err = err
	p.s = p.s[keep:] + string(buf[:n])
	p.i, p.start, p.lined = max(p.i-keep, 0), max(p.start-keep, 0), p.lined-keep
	return n > 0
}

// lineOf counts lines; places must not go back.
func (p *bibParser) lineOf(at int) int {
	if at = min(at, len(p.s)); at > p.lined {
		p.line += strings.Count(p.s[p.lined:at], "\n")
		p.lined = at
	}
	return p.line + 1
}

// next moves to the next "@" that opens an entry. Text between entries is a
// comment; a "%" comments out the rest of its line.
func (p *bibParser) next() bool {
	comment := false
	for {
		for ; p.i < len(p.s); p.i++ {
			switch c := p.s[p.i]; {
			case c == '\n':
				comment = false
			case c == '@' && !comment:
				p.start = p.i
				return true
			case c == '%':
				comment = true
			}
		}
		if !p.more(len(p.s)) {
			return false
		}
	}
}

// one reads the entry at start and hands it on.
func (p *bibParser) one() error {
	var first error
	for {
		p.i, p.key, p.fields = p.start+1, "", p.fields[:0]
		kind, err := p.entry()
		if p.i >= len(p.s)-1 && len(p.s)-p.start < 2*largest && p.more(p.start) {
			first, p.aware = nil, false
			continue // it may go on behind the window
		}
		switch {
		case err == nil:
		case !p.aware:
			p.waste += p.i - p.start
			first, p.aware = err, true
			continue
		default:
			line := p.lineOf(p.start)
			if kind == "comment" {
				p.i, p.aware = p.start+1, false
				return nil
			}
			p.k.skip(line, p.key, p.s[p.start:min(len(p.s), p.start+200)], "the entry could not be read: %v", first)
			p.aware = false
			if p.waste += p.i - p.start; p.waste > mostWaste && p.limit == longest {
				p.limit = 1 << 10
				p.k.warn(line, p.key, "", "so many entries are broken that from here on only values of up to %d bytes are read", p.limit)
			}
			p.recover()
			return nil
		}
		p.aware = false
		if kind == "" || kind == "comment" || kind == "preamble" {
			return nil
		}
		line := p.lineOf(p.start)
		e := p.fill.fill(append(p.fields, value{tag: "@", text: kind}))
		e.ID = p.key
		return p.k.emit(line, e)
	}
}

// recover moves behind a broken entry: to the next "@" at the start of a line.
func (p *bibParser) recover() {
	p.i = p.start + 1
	for {
		if j := strings.Index(p.s[p.i:], "\n@"); j >= 0 {
			p.i += j + 1
			return
		}
		p.i = max(len(p.s)-1, 0)
		if !p.more(p.i) {
			p.i = len(p.s)
			return
		}
		p.i = 0
	}
}

func (p *bibParser) space() {
	for p.i < len(p.s) && blankByte(p.s[p.i]) {
		p.i++
	}
}

func (p *bibParser) word() string {
	from := p.i
	for p.i < len(p.s) && !blankByte(p.s[p.i]) && strings.IndexByte("{}()=,\"#%@", p.s[p.i]) < 0 {
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

// entry reads one entry; kind is empty for an "@" in running text and for
// @string, whose macros it keeps.
func (p *bibParser) entry() (kind string, err error) {
	kind = strings.ToLower(p.word())
	p.space()
	open := p.peek()
	if kind == "" || open != '{' && open != '(' {
		return "", nil
	}
	closing := byte('}')
	if open == '(' {
		closing = ')'
	}
	if kind == "comment" || kind == "preamble" {
		_, err := p.braced(open, closing)
		return kind, err
	}
	p.i++
	if kind != "string" {
		p.space()
		from := p.i
		for p.i < len(p.s) && strings.IndexByte(",\n", p.s[p.i]) < 0 && p.s[p.i] != closing {
			p.i++
		}
		if p.key = strings.TrimSpace(p.s[from:p.i]); strings.Contains(p.key, "=") { // the key is missing
			p.key, p.i = "", from
		} else if p.peek() == ',' {
			p.i++
		}
	}
	if err := p.list(closing); err != nil {
		return "", err
	}
	if kind != "string" {
		return kind, nil
	}
	for _, v := range p.fields {
		if len(p.macros) < mostValues {
			p.macros[v.tag] = v.text
		}
	}
	return "", nil
}

// list reads "name = value" up to the closing character. A missing comma
// between two fields is forgiven.
func (p *bibParser) list(closing byte) error {
	for {
		p.space()
		switch c := p.peek(); {
		case c == 0:
			return errors.New("it is not closed")
		case c == closing:
			p.i++
			return nil
		case c == ',':
			p.i++
			continue
		}
		at := p.i
		name := strings.ToLower(p.word())
		p.space()
		if name == "" || p.peek() != '=' {
			return fmt.Errorf("a field is expected at %q", clip(p.s[at:min(at+40, len(p.s))]))
		}
		p.i++
		v, err := p.value()
		if err != nil {
			return fmt.Errorf("the field %s: %w", clip(name), err)
		}
		if len(p.fields) < mostValues {
			p.field(name, v)
		}
	}
}

// field decodes a value: names one by one, identifiers as they stand, unknown
// fields as they stand with their TeX, all others as plain text.
func (p *bibParser) field(name, v string) {
	add := func(text string) { p.fields = append(p.fields, value{tag: name, text: text}) }
	switch _, known := bibTable.byTag[name]; {
	case name == "author" || name == "editor":
		for _, a := range splitAnd(v) {
			if n := bibAuthor(a).normal(); n != (Name{}) {
				add(n.joined())
			}
		}
	case !known:
		add(oneLine(v))
	case name == "url":
		for _, u := range strings.Fields(bare(v)) {
			add(u)
		}
	case bibVerbatim[name]:
		add(oneLine(bare(v)))
	case bibTable.rows[bibTable.byTag[name]].f == fKeywords || name == "mesh":
		if v = unescape(v); !strings.Contains(v, ";") {
			v = strings.ReplaceAll(v, ",", ";")
		}
		add(v)
	default:
		add(unescape(v))
	}
}
