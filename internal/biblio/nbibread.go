package biblio

import (
	"bufio"
	"strings"
)

// readNBIB reads PubMed's format: records begin with PMID and are parted by
// blank lines; values go on behind six blanks.
func readNBIB(in *bufio.Reader, k *sink) error {
	r := record{k: k, fill: nbibTable.filler(), id: "PMID", title: "TI"}
	l := lines{in: in, s: k.Summary}
	blank, full := false, "" // full is the long form of a name that waits for its short one
	for {
		line, ok := l.next()
		if !ok {
			break
		}
		line = strings.TrimPrefix(line, "\uFEFF")
		tag, text, ok := nbibTag(line)
		switch trimmed := strings.TrimSpace(line); {
		case ok:
			if r.open() && (blank || tag == "PMID" && r.has("PMID")) {
				if err := r.close("PMID"); err != nil {
					return err
				}
			}
			switch {
			case (tag == "AU" || tag == "ED") && full == "F"+tag: // says less than the line before
			case tag == "AU" || tag == "ED":
				r.add(l.n, "F"+tag, text)
			default:
				r.add(l.n, tag, text)
			}
			if full = ""; tag == "FAU" || tag == "FED" {
				full = tag
			}
			blank = false
		case trimmed == "":
			blank = true
		case !r.open():
			k.warn(l.n, "", line, "the line belongs to no record and was skipped")
		default:
			r.goOn(trimmed)
		}
	}
	if r.open() {
		if err := r.close("PMID"); err != nil {
			return err
		}
	}
	return l.failure()
}

// nbibTag reads "PMID- 123" and "TI  - A title": a tag of two to four signs in
// four columns, then a hyphen.
func nbibTag(line string) (tag, text string, ok bool) {
	if len(line) < 5 || line[4] != '-' || line[0] == ' ' {
		return "", "", false
	}
	tag = strings.TrimRight(line[:4], " ")
	if !nbibTagged(tag) || len(line) > 5 && line[5] != ' ' {
		return "", "", false
	}
	return tag, strings.TrimSpace(line[5:]), true
}
