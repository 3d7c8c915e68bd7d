package biblio

import (
	"bufio"
	"strings"
)

// readRIS reads RIS as it is met in the wild: values that go on in the next
// line, keywords one a line under one tag, a missing ER, TY not first, lines
// that belong to nothing.
func readRIS(in *bufio.Reader, k *sink) error {
	r := risReader{record: record{k: k, fill: risTable.filler(), id: "ID", title: "TI T1"}}
	l := lines{in: in, s: k.Summary}
	for {
		line, ok := l.next()
		if !ok {
			break
		}
		if err := r.line(l.n, line); err != nil {
			return err
		}
	}
	if r.open() {
		k.warn(r.start, r.name(), "", "the file ends within the entry, without its ER line; look whether the export is complete")
		if err := r.end(); err != nil {
			return err
		}
	}
	return l.failure()
}

type risReader struct {
	record
	typed bool // the open entry has its TY
	blank bool // the line before was blank
}

// risNeverWrapped are tags of short values: a line without a tag behind them
// is no continuation.
var risNeverWrapped = wordSet("TY ID PY Y1 DA Y2 VL IS SP EP SN DO DI UR LA DB DP AN C7 ET NV")

func (r *risReader) line(n int, line string) error {
	line = strings.TrimPrefix(line, "\uFEFF")
	tag, text, ok := risTag(line)
	trimmed := ""
	if !ok {
		trimmed = strings.TrimSpace(line)
		if trimmed == "ER" || strings.HasPrefix(trimmed, "TY  - ") {
			tag, text, ok = trimmed[:2], strings.TrimSpace(strings.TrimPrefix(trimmed[2:], "  -")), true
		}
	}
	blank := r.blank
	r.blank = !ok && trimmed == ""
	switch {
	case r.blank:
	case !ok && !r.open():
		r.k.warn(n, "", line, "the line belongs to no entry and was skipped")
	case !ok:
		r.untagged(n, line, trimmed)
	case tag == "TY" && r.open() && (r.typed || blank && r.has("TI", "T1")):
		if r.typed {
			r.k.warn(r.start, r.name(), "", "the entry has no ER line; it ends where the next one begins")
		}
		if err := r.end(); err != nil {
			return err
		}
		r.typed = true
		r.add(n, tag, text)
	case tag == "ER" && !r.open():
		r.k.warn(n, "", line, "ER without an entry was skipped")
	case tag == "ER":
		return r.end()
	default:
		r.typed = r.typed || tag == "TY"
		r.add(n, tag, text)
	}
	return nil
}

// untagged takes a line without a tag.
func (r *risReader) untagged(n int, line, trimmed string) {
	switch last := r.last(); {
	case risNeverWrapped[last] || strings.HasPrefix(trimmed, "Link to the "):
		r.k.warn(n, r.name(), line, "the line has no tag, does not go on from the one before, and was skipped")
	case last == "KW" && line[0] != ' ' && line[0] != '\t': // EndNote: one keyword a line
		r.add(n, "KW", trimmed)
	default:
		r.goOn(trimmed)
	}
}

func (r *risReader) end() error {
	if !r.typed {
		r.k.warn(r.start, r.name(), "", "the entry has no TY line; it is taken for a document of an unknown type")
		r.add(r.start, "TY", "GEN")
	}
	r.typed = false
	return r.close("TY")
}

// risTag reads "AU  - value"; fewer and more blanks are met in the wild.
func risTag(line string) (tag, text string, ok bool) {
	if len(line) < 4 || !startsLikeTag(line) {
		return "", "", false
	}
	i := 2
	for i < len(line) && i < 6 && (line[i] == ' ' || line[i] == '\t') {
		i++
	}
	if i == 2 || i == len(line) || line[i] != '-' {
		return "", "", false
	}
	return line[:2], strings.TrimSpace(line[i+1:]), true
}

func startsLikeTag(line string) bool {
	return line[0] >= 'A' && line[0] <= 'Z' && (line[1] >= 'A' && line[1] <= 'Z' || line[1] >= '0' && line[1] <= '9')
}
