package biblio

import (
	"bytes"
	"encoding/csv"
	"slices"
	"strings"
)

// header finds the names of the columns within the first lines.
func (r *csvReader) header() bool {
	var before []heldLine
	for range 40 {
		text, line, ok := r.record()
		if !ok {
			return false
		}
		if sep, ok := strings.CutPrefix(strings.ToLower(text), "sep="); ok && len(sep) == 1 {
			r.comma = rune(sep[0])
			r.csv.Comma = r.comma
			continue
		}
		cells, ok := r.cells(text)
		if !ok || !isHeader(cells) {
			if strings.TrimSpace(text) != "" {
				before = append(before, heldLine{text, line})
			}
			continue
		}
		for _, l := range before {
			r.k.warn(l.n, "", l.text, "the line stands before the names of the columns and was skipped")
		}
		r.name(cells)
		if embaseVertical(r.columns) { // the first row is a field already
			r.held = append([]heldLine{{text, line}}, r.held...)
		}
		return true
	}
	return false
}

// embaseVertical reports whether a row is one of Embase's tables in which every
// row is a field: "TITLE","A study".
func embaseVertical(cells []string) bool {
	if len(cells) != 2 || cells[0] != "TITLE" && cells[0] != "RECORD" {
		return false
	}
	_, column := csvTable.byTag[foldColumn(cells[1])]
	return !column
}

func isHeader(cells []string) bool {
	if embaseVertical(cells) {
		return true
	}
	title, known := false, 0
	for _, c := range cells {
		c = foldColumn(c)
		n, ok := csvTable.byTag[c]
		if ok {
			known++
			title = title || csvTable.rows[n].f == fTitle
		}
		if c == "ti" || c == "au" || c == "so" || c == "ut" {
			known++
			title = title || c == "ti"
		}
	}
	return title && (known > 1 || len(cells) == 1) || known >= 3 && known*2 >= len(cells)
}

// looksCSV reports whether the first lines hold the names of columns.
func looksCSV(head []byte) bool {
	comma := separator(head)
	for n, line := range bytes.SplitN(head, []byte{'\n'}, 21) {
		if n == 20 || len(line) > 20_000 {
			break
		}
		c := csv.NewReader(bytes.NewReader(line))
		c.Comma, c.LazyQuotes = comma, true
		if cells, err := c.Read(); err == nil && (len(cells) > 1 || embaseVertical(cells)) && isHeader(cells) {
			return true
		}
	}
	return false
}

// separator is the sign that stands most often in the row of names.
func separator(head []byte) rune {
	best, most := ',', 0
	for n, line := range bytes.SplitN(head, []byte{'\n'}, 21) {
		if n == 20 || len(line) > 20_000 {
			break
		}
		for _, sign := range []rune{',', ';', '\t', '|'} {
			c := csv.NewReader(bytes.NewReader(line))
			c.Comma, c.LazyQuotes = sign, true
			cells, err := c.Read()
			if err == nil && isHeader(cells) && len(cells) > most {
				best, most = sign, len(cells)
			}
		}
		if most > 0 {
			break
		}
	}
	return best
}

// authorColumns are the columns of the same authors, the fullest first.
var authorColumns = []string{"author full names", "authors", "author names", "author", "author s"}

// name settles what each column is.
func (r *csvReader) name(cells []string) {
	r.columns = slices.Clone(cells)
	folded := make([]string, len(cells))
	for i, c := range cells {
		r.columns[i] = oneLine(c)
		folded[i] = foldColumn(c)
	}
	r.dialect = dialectOf(folded)
	r.k.Dialect = r.dialect.name
	r.own = r.dialect.name == "optimistresearch" && r.columns[0] == "ID"
	table := csvTable
	if slices.Contains(folded, "ti") && slices.Contains(folded, "au") {
		table = wosTable
		for i := range folded {
			folded[i] = strings.ToUpper(folded[i])
		}
	}
	r.fill = table.filler()
	best := ""
	for _, c := range authorColumns {
		if slices.Contains(folded, c) {
			best = c
			break
		}
	}
	r.tags = make([]string, len(cells))
	for i, c := range folded {
		_, known := table.byTag[c]
		switch {
		case slices.Contains(authorColumns, c) && c != best:
			r.tags[i] = r.columns[i] + " as listed"
		case c == "AU" && slices.Contains(folded, "AF"):
			r.tags[i] = "AU as listed"
		case c == "AU":
			r.tags[i] = "AF"
		case known:
			r.tags[i] = c
		case r.columns[i] == "":
			r.tags[i] = "column " + string(rune('A'+i%26))
		default:
			r.tags[i] = r.columns[i]
		}
	}
}
