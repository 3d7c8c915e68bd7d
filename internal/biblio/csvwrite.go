package biblio

import (
	"bufio"
	"encoding/csv"
	"strings"
)

// formula reports whether a spreadsheet would compute a cell, its leading
// apostrophes aside.
func formula(s string) bool {
	s = strings.TrimLeft(s, "'")
	return s != "" && strings.IndexByte("=+-@\t\r", s[0]) >= 0
}

// tidy makes a cell safe for spreadsheets: no formula, no range that becomes a
// date (an en dash does not), no more than a cell holds.
func tidy(column, v string) string {
	switch column {
	case "pages", "volume", "issue", "article number":
		v = strings.ReplaceAll(v, "-", "–")
	}
	if formula(v) {
		v = "'" + v
	}
	if len(v) > longestCell {
		v = strings.ToValidUTF8(v[:longestCell-3], "") + "…"
	}
	return v
}

const longestCell = 32767 // of Excel, in characters; bytes are never fewer

// untidy is the inverse of tidy, but for what was cut.
func untidy(v string) string {
	if strings.HasPrefix(v, "'") && formula(v) {
		return v[1:]
	}
	return v
}

// writeCSV writes a table with a row for the names of the columns, for programs
// in small letters, for spreadsheets as words with a byte order mark. What the
// entries have beside the columns (Extra of tables that were read) follows.
func writeCSV(w *bufio.Writer, entries []Entry, format Format) error {
	var columns, names []string
	at := map[string]int{}
	for _, r := range csvTable.rows {
		if !r.alias {
			at[r.tag] = len(columns)
			columns = append(columns, r.tag)
			names = append(names, columnName(r.tag, format))
		}
	}
	for i := range entries {
		if entries[i].Format != CSV {
			continue
		}
		for _, x := range entries[i].Extra {
			if name := oneLine(x.Name); name != "" && len(columns) < mostColumns {
				if _, ok := at[name]; !ok && spare(name) {
					at[name] = len(columns)
					columns, names = append(columns, name), append(names, name)
				}
			}
		}
	}
	if format == Spreadsheet {
		w.WriteString("\uFEFF")
		for i := range names {
			names[i] = tidy("", names[i])
		}
	}
	c := csv.NewWriter(w)
	c.UseCRLF = true
	if err := c.Write(names); err != nil {
		return err
	}
	cells := make([]string, len(columns))
	for i := range entries {
		e := entries[i].Normal()
		clear(cells)
		csvTable.write(&e, func(tag, v string) {
			n, ok := at[tag]
			if !ok {
				return
			}
			if cells[n] != "" {
				v = cells[n] + "; " + v
			}
			cells[n] = v
		})
		if format == Spreadsheet {
			for n := range cells {
				cells[n] = tidy(columns[n], cells[n])
			}
		}
		if err := c.Write(cells); err != nil {
			return err
		}
	}
	c.Flush()
	return c.Error()
}

const mostColumns = 2000

// spare reports whether a column of this name would be read back as what stands
// in Extra: one without a row, or the second name of a single value.
func spare(name string) bool {
	n, ok := csvTable.byTag[foldColumn(name)]
	return !ok || csvTable.rows[n].alias && !csvTable.rows[n].f.many
}

// columnName is "article_number" for programs and "Article number" for people.
func columnName(tag string, format Format) string {
	if format != Spreadsheet {
		return strings.ReplaceAll(tag, " ", "_")
	}
	switch tag {
	case "id", "doi", "pmid", "pmcid", "isbn", "issn", "urls":
		return strings.ToUpper(tag)
	case "arxiv":
		return "arXiv"
	case "mesh":
		return "MeSH"
	}
	return strings.ToUpper(tag[:1]) + tag[1:]
}
