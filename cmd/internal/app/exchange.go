package app

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"optimistresearch/internal/biblio"
	"optimistresearch/internal/text"
	"optimistresearch/screening"
)

// RecordOf makes a record for screening of an entry.
func RecordOf(e biblio.Entry) screening.Record {
	var authors []string
	for _, a := range e.Authors {
		if authors = append(authors, a.Display()); len(authors) == 3 && len(e.Authors) > 3 {
			authors = append(authors, "et al.")
			break
		}
	}
	return screening.Record{ID: e.ID, Title: e.Title, Abstract: e.Abstract, Keywords: slices.Concat(e.Keywords, e.MeSH), Year: e.Year(), DOI: e.DOI,
		Venue: e.Container, Authors: strings.Join(authors, ", ")}
}

// columns of a table of decisions. Only the first five are read back.
var columns = []string{"record_id", "decision", "reason", "note", "decided_at", "decided_by", "score", "why", "title", "year", "doi"}

// noteMark begins the note of an entry that carries a decision.
const noteMark = "Screening decision: "

// WriteDecisions writes the records with their scores and decisions, in the
// order of rows: a table for CSV, else the entries in their format, the decision
// as a note. ReadDecisions reads both back.
func WriteDecisions(w io.Writer, format biblio.Format, entries map[string]biblio.Entry, rows []Scored, session *screening.Session) error {
	if format == biblio.CSV || format == biblio.Spreadsheet {
		return writeTable(w, entries, rows, session)
	}
	out := make([]biblio.Entry, 0, len(rows))
	for _, row := range rows {
		e := entries[row.ID]
		e.ID = row.ID
		e.Notes = slices.DeleteFunc(slices.Clone(e.Notes), func(n string) bool { return strings.HasPrefix(n, noteMark) })
		if d, ok := session.Of(row.ID); ok {
			e.Notes = append(e.Notes, noteOf(d))
		}
		out = append(out, e)
	}
	return biblio.Write(w, format, out)
}

func noteOf(d screening.Decision) string {
	n := noteMark + string(d.Verdict) + " | by " + quoted(d.By) + " | at " + d.At.UTC().Format(time.RFC3339)
	if d.Reason != "" {
		n += " | reason " + quoted(d.Reason)
	}
	if d.Note != "" {
		n += " | note " + quoted(d.Note)
	}
	return n
}

// plainly takes from a text what would end it, or the note, in some format.
var plainly = strings.NewReplacer(`"`, "'", ";", ",")

// quoted puts a text into quotation marks.
func quoted(s string) string { return `"` + plainly.Replace(text.OneLine(s)) + `"` }

func writeTable(w io.Writer, entries map[string]biblio.Entry, rows []Scored, session *screening.Session) error {
	c := csv.NewWriter(w)
	if err := c.Write(columns); err != nil {
		return err
	}
	for _, row := range rows {
		e := entries[row.ID]
		d, ok := session.Of(row.ID)
		at := ""
		if ok {
			at = d.At.UTC().Format(time.RFC3339)
		}
		line := []string{row.ID, string(d.Verdict), d.Reason, d.Note, at, d.By, Number(row.Score), row.Reason, e.Title, biblio.Year(e.Year()), e.DOI}
		for i := range line {
			line[i] = inert(line[i])
		}
		if err := c.Write(line); err != nil {
			return err
		}
	}
	c.Flush()
	return c.Error()
}

// Number writes a score.
func Number(x float64) string { return strconv.FormatFloat(x, 'f', 6, 64) }

// inert keeps a spreadsheet from taking a text for a formula; live undoes it.
func inert(s string) string {
	if s != "" && strings.ContainsAny(s[:1], "=+-@\t\r'") {
		if _, err := strconv.ParseFloat(s, 64); err != nil {
			return "'" + s
		}
	}
	return s
}

func live(s string) string {
	if len(s) > 1 && s[0] == '\'' && strings.ContainsAny(s[1:2], "=+-@\t\r'") {
		return s[1:]
	}
	return s
}

// ReadDecisions reads decisions back from a table or from entries with notes,
// ours or those of Rayyan. now and by stamp what has no stamp of its own. unknown
// counts decisions on records that the corpus does not hold; entries are found
// by their ID, their DOI or their title with the year.
func ReadDecisions(data []byte, name string, c *screening.Corpus, now time.Time, by string) (list []screening.Decision, unknown int, err error) {
	if rows, at, ok := table(data); ok {
		return fromTable(rows, at, name, c, now, by)
	}
	find := finder(c)
	_, err = biblio.Read(bytes.NewReader(data), name, func(e biblio.Entry) error {
		d, ok := decisionOf(e, now, by)
		if !ok {
			return nil
		}
		if d.Record = find(e); d.Record == "" {
			unknown++
			return nil
		}
		list = append(list, d)
		return nil
	})
	var bad *biblio.FileError
	if errors.As(err, &bad) {
		return nil, 0, wrong(bad.Hint, "reading decisions from %s: %s", name, bad.Reason)
	}
	return list, unknown, err
}

// table reads a CSV file that has the columns record_id and one with decisions.
func table(data []byte) (rows [][]string, at map[string]int, ok bool) {
	r := csv.NewReader(bytes.NewReader(bytes.TrimPrefix(data, []byte("\ufeff"))))
	r.FieldsPerRecord, r.LazyQuotes = -1, true
	head, err := r.Read()
	if err != nil {
		return nil, nil, false
	}
	at = map[string]int{}
	for i, h := range head {
		h = strings.ToLower(strings.TrimSpace(h))
		if h == "label" || h == "label_included" || h == "included" {
			h = "decision"
		}
		if _, twice := at[h]; !twice {
			at[h] = i
		}
	}
	_, id := at["record_id"]
	_, decision := at["decision"]
	if !id || !decision {
		return nil, nil, false
	}
	for {
		row, err := r.Read()
		if err != nil {
			return rows, at, errors.Is(err, io.EOF)
		}
		rows = append(rows, row)
	}
}

func fromTable(rows [][]string, at map[string]int, name string, c *screening.Corpus, now time.Time, by string) (list []screening.Decision, unknown int, err error) {
	for n, row := range rows {
		get := func(col string) string {
			if i, ok := at[col]; ok && i < len(row) {
				return strings.TrimSpace(live(row[i]))
			}
			return ""
		}
		said := get("decision")
		if said == "" {
			continue
		}
		v, ok := verdict(said)
		if !ok {
			return nil, 0, wrong("write include, exclude or maybe, or 1 or 0", "reading decisions: %s, row %d says %q", name, n+2, said)
		}
		d := screening.Decision{Record: get("record_id"), Verdict: v, Reason: get("reason"), Note: get("note"), At: now, By: by}
		stamp(&d, get("decided_at"), get("decided_by"))
		if _, known := c.Find(d.Record); !known {
			unknown++
			continue
		}
		list = append(list, d)
	}
	return list, unknown, nil
}

// verdict reads a decision as people and programs write it.
func verdict(s string) (screening.Verdict, bool) {
	switch strings.ToLower(strings.TrimSpace(s)) {
	case "include", "included", "1", "yes", "true", "in":
		return screening.Include, true
	case "exclude", "excluded", "0", "no", "false", "out":
		return screening.Exclude, true
	case "maybe", "unsure", "unclear", "undecided":
		return screening.Maybe, true
	}
	return "", false
}

// stamp takes a stamp over. A decision that names a provider and a model is that
// model's.
func stamp(d *screening.Decision, at, by string) {
	if t, err := time.Parse(time.RFC3339, at); err == nil {
		d.At = t
	}
	if by != "" {
		d.By = by
	}
	provider, model, ok := strings.Cut(d.By, ":")
	d.Model = ok && provider != "" && model != "" && !strings.ContainsAny(d.By, " @")
}

var (
	ourNote    = regexp.MustCompile(`^` + noteMark + `(include|exclude|maybe) \| by "([^"]*)" \| at (\S+)(?: \| reason "([^"]*)")?(?: \| note "([^"]*)")?$`)
	rayyanNote = regexp.MustCompile(`RAYYAN-INCLUSION:\s*\{\s*"([^"]*)"\s*=>\s*"(Included|Excluded|Maybe)"`)
	rayyanWhy  = regexp.MustCompile(`RAYYAN-EXCLUSION-REASONS:\s*([^|]+)`)
)

// decisionOf reads the decision in the notes of an entry.
func decisionOf(e biblio.Entry, now time.Time, by string) (screening.Decision, bool) {
	for _, n := range e.Notes {
		if m := ourNote.FindStringSubmatch(n); m != nil {
			d := screening.Decision{Verdict: screening.Verdict(m[1]), Reason: m[4], Note: m[5], At: now, By: by}
			stamp(&d, m[3], m[2])
			return d, true
		}
		if m := rayyanNote.FindStringSubmatch(n); m != nil {
			v, _ := verdict(m[2])
			d := screening.Decision{Verdict: v, At: now, By: m[1]}
			if why := rayyanWhy.FindStringSubmatch(n); why != nil && v == screening.Exclude {
				d.Reason = text.OneLine(why[1])
			}
			return d, true
		}
	}
	return screening.Decision{}, false
}

// finder tells which record of a corpus an entry is.
func finder(c *screening.Corpus) func(biblio.Entry) string {
	byDOI, byTitle := map[string]string{}, map[string]string{}
	key := func(title string, year int) string { return fmt.Sprintf("%s|%d", text.TitleKey(title), year) }
	for _, r := range c.Records {
		if r.DOI != "" {
			byDOI[strings.ToLower(r.DOI)] = r.ID
		}
		if r.Title != "" {
			byTitle[key(r.Title, r.Year)] = r.ID
		}
	}
	return func(e biblio.Entry) string {
		if _, ok := c.Find(e.ID); ok && e.ID != "" {
			return e.ID
		}
		if id := byDOI[strings.ToLower(e.DOI)]; e.DOI != "" && id != "" {
			return id
		}
		return byTitle[key(e.Title, e.Year())]
	}
}

// ReadLabels reads known decisions for a simulation: record_id and one of
// decision, label, label_included, included.
func ReadLabels(data []byte, name string) (map[string]bool, error) {
	rows, at, ok := table(data)
	if !ok {
		return nil, wrong("give a CSV file with the columns record_id and label", "%s has no labels", name)
	}
	out := map[string]bool{}
	for n, row := range rows {
		if max(at["record_id"], at["decision"]) >= len(row) {
			return nil, wrong("give every row all columns", "%s, row %d is too short", name, n+2)
		}
		v, ok := verdict(row[at["decision"]])
		if !ok && strings.TrimSpace(row[at["decision"]]) != "" {
			return nil, wrong("write 1 or 0, include or exclude", "%s, row %d says %q", name, n+2, row[at["decision"]])
		}
		out[strings.TrimSpace(live(row[at["record_id"]]))] = v == screening.Include
	}
	return out, nil
}
