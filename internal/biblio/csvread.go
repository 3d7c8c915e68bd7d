package biblio

import (
	"bufio"
	"encoding/csv"
	"errors"
	"io"
	"strings"
)

// readCSV reads the tables of databases and reference managers: any separator,
// lines before the names of the columns, cells with line ends, quotation marks
// that are not closed, and Embase's tables with one field a row.
func readCSV(in *bufio.Reader, k *sink) error {
	head, err := peek(in)
	if err != nil {
		return err
	}
	r := &csvReader{k: k, lines: lines{in: in, s: k.Summary}, comma: separator(head), fill: csvTable.filler()}
	r.csv = r.newCSV()
	return r.read()
}

func (r *csvReader) newCSV() *csv.Reader {
	c := csv.NewReader(&r.feed)
	c.Comma, c.LazyQuotes, c.FieldsPerRecord, c.ReuseRecord = r.comma, true, -1, true
	return c
}

type csvReader struct {
	k       *sink
	lines   lines
	comma   rune
	csv     *csv.Reader
	feed    feed
	held    []heldLine // read ahead
	columns []string   // names in the file
	tags    []string   // of csvTable, or the name in the file
	dialect *dialect
	own     bool // written by us for spreadsheets
	fill    *filler
	values  []value
}

type heldLine struct {
	text string
	n    int
}

// feed gives the CSV reader one record at a time.
type feed struct{ text string }

func (f *feed) Read(p []byte) (int, error) {
	if f.text == "" {
		return 0, io.EOF
	}
	n := copy(p, f.text)
	f.text = f.text[n:]
	return n, nil
}

func (r *csvReader) read() error {
	if !r.header() {
		if err := r.lines.failure(); err != nil {
			return err
		}
		return &FileError{Name: r.k.Name, Reason: "the table has no row with the names of columns such as Title, Authors, Year, DOI",
			Hint: "Export it again with column names, or write them into the first row.", Kind: ErrUnknown}
	}
	if len(r.columns) >= 1 && embaseVertical(r.columns) {
		return r.vertical()
	}
	for {
		text, line, ok := r.record()
		if !ok {
			return r.lines.failure()
		}
		if strings.Trim(text, " \t\n,;\"") == "" {
			continue
		}
		cells, ok := r.cells(text)
		if !ok {
			r.k.skip(line, "", text, "the row could not be taken apart into cells")
			continue
		}
		if err := r.row(line, cells); err != nil {
			return err
		}
	}
}

// line gives the next line, first those that were read ahead.
func (r *csvReader) line() (heldLine, bool) {
	if len(r.held) > 0 {
		l := r.held[0]
		r.held = r.held[1:]
		return l, true
	}
	text, ok := r.lines.next()
	return heldLine{text, r.lines.n}, ok
}

// longestRow is how many lines a quoted cell may open before it is taken for a
// slip.
const longestRow = 5000

// record gives the lines of one record: as long as a quotation mark is open it
// goes on. When it never closes, or two rows have one stray mark each, the first
// line alone is the record.
func (r *csvReader) record() (text string, line int, ok bool) {
	first, ok := r.line()
	if !ok {
		return "", 0, false
	}
	if strings.Count(first.text, `"`)%2 == 0 {
		return first.text, first.n, true
	}
	var b strings.Builder
	b.WriteString(first.text)
	var taken []heldLine
	for len(taken) < longestRow && b.Len() < largest {
		next, ok := r.line()
		if !ok {
			break
		}
		taken = append(taken, next)
		b.WriteByte('\n')
		b.WriteString(next.text)
		if strings.Count(next.text, `"`)%2 == 1 {
			if r.strays(first.text, b.String()) {
				break
			}
			return b.String(), first.n, true
		}
	}
	r.k.warn(first.n, "", first.text, "a quotation mark is not closed; the row was read by itself")
	r.held = append(taken, r.held...)
	return first.text, first.n, true
}

// strays reports whether the lines together do not fill the columns and the
// first line alone does.
func (r *csvReader) strays(first, whole string) bool {
	width := func(text string) int {
		cells, ok := r.cells(text)
		if !ok {
			return -1
		}
		return len(cells)
	}
	return len(r.columns) > 0 && width(whole) != len(r.columns) && width(first) == len(r.columns)
}

// cells takes a record apart.
func (r *csvReader) cells(text string) ([]string, bool) {
	r.feed.text = text + "\n"
	cells, err := r.csv.Read()
	if _, more := r.csv.Read(); more == nil { // two records in one
		r.csv = r.newCSV()
		err = errors.New("two records")
	}
	r.feed.text = ""
	if err != nil {
		return nil, false
	}
	return cells, true
}

// row makes an entry of the cells of a row.
func (r *csvReader) row(line int, cells []string) error {
	if len(cells) != len(r.columns) {
		title := ""
		if len(cells) > 0 {
			title = strings.Join(cells[:min(3, len(cells))], ", ")
		}
		r.k.warn(line, "", title, "the row has %d cells and the table %d columns; look whether it was cut or shifted", len(cells), len(r.columns))
	}
	r.values = r.values[:0]
	for i, cell := range cells {
		if i >= len(r.tags) {
			if cell != "" {
				r.values = append(r.values, value{tag: "more cells", text: oneLine(cell)})
			}
			continue
		}
		if r.own {
			cell = untidy(cell)
		}
		r.cell(r.tags[i], cell)
	}
	return r.emit(line)
}

// cell adds the values of one cell.
func (r *csvReader) cell(tag, cell string) {
	add := func(text string) { r.values = append(r.values, value{tag: tag, text: text}) }
	n, known := r.fill.t.byTag[tag]
	if !known {
		add(oneLine(cell))
		return
	}
	switch f := r.fill.t.rows[n].f; {
	case strings.TrimSpace(cell) == "":
	case f == fAuthors || f == fEditors:
		people := splitNames
		if r.dialect.commas {
			people = commaList
		}
		for _, p := range people(cell) {
			if p = p.normal(); p != (Name{}) {
				add(p.joined())
			}
		}
	case f == fKeywords || f == fMeSH:
		if !strings.ContainsAny(cell, ";\n") {
			cell = strings.ReplaceAll(cell, ",", ";")
		}
		add(oneLine(strings.ReplaceAll(cell, "\n", ";")))
	default:
		add(oneLine(cell))
	}
}

func (r *csvReader) emit(line int) error {
	e := r.fill.fill(r.values)
	if e.Format != CSV { // read with the tags of Web of Science
		e.Format, e.RawType = CSV, ""
		for i, x := range e.Extra {
			if _, known := csvTable.byTag[foldColumn(x.Name)]; known {
				e.Extra[i].Name += " as listed"
			}
		}
	}
	e.Extra = joined(e.Extra)
	if r.dialect.finish != nil {
		r.dialect.finish(&e)
	}
	if e.Database == "" && (e.Accession != "" || e.PMID != "") {
		e.Database = r.dialect.database
	}
	return r.k.emit(line, e)
}

// joined makes one field of those of one name, as one cell has to hold them.
func joined(fields []Field) []Field {
	at := map[string]int{}
	out := fields[:0]
	for _, f := range fields {
		if i, ok := at[f.Name]; ok {
			out[i].Value += "; " + f.Value
			continue
		}
		at[f.Name] = len(out)
		out = append(out, f)
	}
	return out
}

// vertical reads tables in which every row is a field, the first cell its name;
// a row with the title begins the next record.
func (r *csvReader) vertical() error {
	r.dialect = &dialect{name: "Embase", database: "Embase", commas: true}
	r.k.Dialect = r.dialect.name
	start := 0
	r.values = r.values[:0]
	for {
		text, line, ok := r.record()
		if ok && strings.Trim(text, " \t\n,;\"") == "" {
			continue
		}
		cells, fine := []string(nil), false
		if ok {
			cells, fine = r.cells(text)
		}
		name := ""
		if fine {
			name = cells[0]
		}
		if len(r.values) > 0 && (!ok || name == "TITLE" && r.has("title") || name == "RECORD") {
			if err := r.emit(start); err != nil {
				return err
			}
			r.values = r.values[:0]
		}
		switch {
		case !ok:
			return r.lines.failure()
		case !fine:
			r.k.warn(line, "", text, "the row could not be taken apart into cells and was skipped")
			continue
		case name == "RECORD":
			continue
		}
		if len(r.values) == 0 {
			start = line
		}
		tag := foldColumn(name)
		if _, known := csvTable.byTag[tag]; !known {
			tag = oneLine(name)
		}
		if len(r.values) > mostValues {
			continue
		}
		for _, cell := range cells[1:] {
			r.cell(tag, cell)
		}
	}
}

func (r *csvReader) has(tag string) bool {
	for _, v := range r.values {
		if v.tag == tag {
			return true
		}
	}
	return false
}
