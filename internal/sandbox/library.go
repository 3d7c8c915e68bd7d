package sandbox

import (
	"bufio"
	"bytes"
	"embed"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"sync"

	"optimistresearch/state"
)

// Library is a set of works and the citations between them. It is not changed
// after loading and may serve any number of servers.
type Library struct {
	Works []Work
	// Unknown are the keys of a file that no Work has, the most frequent first.
	Unknown []UnknownKey

	cites [][]int32 // by work: the works it cites, in order
	cited [][]int32 // by work: the works that cite it

	once    sync.Once
	finders map[string]finder // see prepare
}

// UnknownKey is a key that is not read.
type UnknownKey struct {
	Key   string // cut to 60 characters; of a part of a work with a dot: cited_by.total
	Count int    // works that have it
	Line  int    // the first of them
}

// String says what is not read, and which key may have been meant.
func (u UnknownKey) String() string {
	where := fmt.Sprintf("line %d", u.Line)
	if u.Count > 1 {
		where = fmt.Sprintf("%d works, first in line %d", u.Count, u.Line)
	}
	msg := fmt.Sprintf("%q is not read (%s)", u.Key, where)
	if near := nearestKey(u.Key); near != "" {
		msg += fmt.Sprintf("; did you mean %q?", near)
	}
	return msg
}

// prepare indexes the library and deals it out to the services, once for all
// servers.
func (l *Library) prepare() map[string]finder {
	l.once.Do(func() {
		ix := newIndex(l)
		l.finders = map[string]finder{}
		for source, h := range hold(l) {
			l.finders[source] = finder{ix, h}
		}
	})
	return l.finders
}

// Work is one work of a library. Title is required; what is not known is left
// out and never made up by the loader.
type Work struct {
	ID        string   `json:"id"` // unique within the library; "" becomes "line:N"
	Title     string   `json:"title"`
	Authors   []string `json:"authors"`            // "Given Family", or "Family, Given" where the last word is not the family name
	Cut       bool     `json:"authors_incomplete"` // authors are missing, or their names could not be confirmed
	Year      int      `json:"year"`               // of the first version
	Venue     string   `json:"venue"`
	VenueYear int      `json:"venue_year"` // of the version in the venue, where it is known
	Type      string   `json:"type"`       // preprint, conference, article, book-chapter, book, …

	DOI      string `json:"doi"` // of the version in the venue
	ArXiv    string `json:"arxiv"`
	PMID     string `json:"pmid"`
	PMCID    string `json:"pmcid"`
	OpenAlex string `json:"openalex"`
	S2       string `json:"s2"` // paperId, 40 hexadecimal digits
	CorpusID int    `json:"corpusid"`
	DBLP     string `json:"dblp"`

	Fields     []string    `json:"fields"`     // broad fields, in Semantic Scholar's words: Computer Science, Psychology, …
	Categories []string    `json:"categories"` // arXiv categories, the primary one first
	Language   string      `json:"language"`   // ISO 639-1; "" = en
	Topic      string      `json:"topic"`      // what the work is in the library for; no service shows it
	CitedBy    *CitedBy    `json:"cited_by"`
	Retracted  *Retraction `json:"retracted"`

	// Titles are spellings of the title by service, where a service has one
	// of its own.
	Titles map[string]string `json:"titles"`
	// Synopsis is a text written for the library; services show it in place
	// of the abstract, marked. Abstract is the authors' own and is shown bare.
	Synopsis string `json:"synopsis"`
	Abstract string `json:"abstract"`
	// References are ids of works in the same library; others are ignored.
	References []string `json:"references"`
	// In names the services that hold the work; empty = by the rules of the
	// sandbox.
	In []string `json:"in"`
}

// CitedBy is a citation count with the source and the date that it is from.
type CitedBy struct {
	Count  int    `json:"count"`
	Source string `json:"source"`
	Date   string `json:"date"`
}

// Retraction is the notice that retracted a work.
type Retraction struct {
	Notice string `json:"notice"` // DOI
	Year   int    `json:"year"`
}

// text is what the services show as the abstract.
func (w *Work) text() string {
	switch {
	case w.Abstract != "":
		return w.Abstract
	case w.Synopsis != "":
		return state.SynopsisMark + w.Synopsis
	}
	return ""
}

//go:embed library/works.jsonl library/citations.csv
var builtin embed.FS

// Builtin is the library that comes with the program; library/README.md tells
// what it holds and how far to trust it.
func Builtin() (*Library, error) {
	works, err := builtin.ReadFile("library/works.jsonl")
	if err != nil {
		return nil, fmt.Errorf("sandbox: the built-in library: %w", err)
	}
	l, byID, err := readLibrary(bytes.NewReader(works))
	if err != nil {
		return nil, fmt.Errorf("sandbox: the built-in library: %w", err)
	}
	links, err := builtin.ReadFile("library/citations.csv")
	if err != nil {
		return nil, fmt.Errorf("sandbox: the built-in library: %w", err)
	}
	rows, err := csv.NewReader(bytes.NewReader(links)).ReadAll()
	if err != nil {
		return nil, fmt.Errorf("sandbox: the citations of the built-in library: %w", err)
	}
	lists := map[string][]string{}
	for i, row := range rows[min(1, len(rows)):] {
		_, citing := byID[row[0]]
		_, cited := byID[row[1]]
		if !citing || !cited {
			return nil, fmt.Errorf("sandbox: the citations of the built-in library: line %d links a work that is not there", i+2)
		}
		lists[row[0]] = append(lists[row[0]], row[1])
	}
	for i := range l.Works {
		l.Works[i].References = lists[l.Works[i].ID]
	}
	l.link(byID)
	return l, nil
}

// LoadLibrary reads a library from a file of JSON Lines, one Work a line.
// Keys that a Work does not have are not read, and listed in Library.Unknown;
// blank lines are ignored. The file is read as a stream; what stays in memory is
// the works themselves.
func LoadLibrary(path string) (*Library, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("sandbox: the library cannot be opened: %w", err)
	}
	defer f.Close()
	if st, err := f.Stat(); err == nil && st.IsDir() {
		return nil, fmt.Errorf("sandbox: the library %s is a folder; name a file of JSON Lines, one work a line", path)
	}
	l, _, err := readLibrary(f)
	if err != nil {
		return nil, fmt.Errorf("sandbox: the library %s: %w", path, err)
	}
	return l, nil
}

// longestLine is the most that one work may take.
const longestLine = 16 << 20

func readLibrary(r io.Reader) (*Library, map[string]int32, error) {
	l, byID, unknown := &Library{}, map[string]int32{}, unknownKeys{}
	lines := bufio.NewScanner(r)
	lines.Buffer(make([]byte, 64<<10), longestLine)
	n := 0
	for lines.Scan() {
		n++
		line := bytes.TrimSpace(lines.Bytes())
		if n == 1 {
			line = bytes.TrimPrefix(line, []byte("\xef\xbb\xbf"))
		}
		if len(line) == 0 {
			continue
		}
		w, err := readWork(line, func(key string) { unknown.add(key, n) })
		if err != nil {
			return nil, nil, fmt.Errorf("line %d: %w", n, err)
		}
		if w.ID == "" {
			w.ID = "line:" + strconv.Itoa(n)
		}
		if _, twice := byID[w.ID]; twice {
			return nil, nil, fmt.Errorf("line %d: the id %q was given before; give each work an id of its own", n, w.ID)
		}
		byID[w.ID] = int32(len(l.Works))
		l.Works = append(l.Works, w)
	}
	switch err := lines.Err(); {
	case errors.Is(err, bufio.ErrTooLong):
		return nil, nil, fmt.Errorf("line %d is longer than %d MB; is it JSON Lines, one work a line?", n+1, longestLine>>20)
	case err != nil:
		return nil, nil, fmt.Errorf("reading stopped after line %d: %w", n, err)
	case len(l.Works) == 0:
		return nil, nil, errors.New("there is no work in it; write one JSON object with a title per line")
	}
	l.Unknown = unknown.list()
	l.link(byID)
	return l, byID, nil
}

// readWork decodes one line, tells of keys that it does not know, and brings the
// identifiers to their normal form.
func readWork(line []byte, unknown func(key string)) (Work, error) {
	w, err := decodeWork(line, unknown)
	if err != nil {
		if wrong, ok := errors.AsType[*json.UnmarshalTypeError](err); ok && wrong.Field != "" {
			return w, fmt.Errorf("%q is a %s where %s is expected", wrong.Field, wrong.Value, wrong.Type)
		}
		return w, fmt.Errorf("it is not a JSON object: %w", err)
	}
	w.Title = strings.Join(strings.Fields(w.Title), " ")
	if w.Title == "" {
		return w, errors.New(`the work has no title; add "title": "…"`)
	}
	var bad string
	normal := func(name string, field *string, normalise func(string) string) {
		if *field == "" {
			return
		}
		given := *field
		if *field = normalise(given); *field == "" && bad == "" {
			bad = fmt.Sprintf("%q is no %s; correct it or leave the field out", given, name)
		}
	}
	normal("arXiv id", &w.ArXiv, func(s string) string { id, _ := state.NormalizeArXiv(s); return id })
	normal("DOI", &w.DOI, state.NormalizeDOI)
	normal("PubMed id", &w.PMID, state.NormalizePMID)
	normal("PubMed Central id", &w.PMCID, state.NormalizePMCID)
	normal("OpenAlex work id", &w.OpenAlex, state.NormalizeOpenAlex)
	normal("Semantic Scholar paperId", &w.S2, state.NormalizeS2)
	if bad != "" {
		return w, errors.New(bad)
	}
	if id, _ := state.NormalizeArXiv(w.DOI); id != "" {
		// The DOI of an arXiv preprint is its arXiv id under another name.
		if w.ArXiv == "" {
			w.ArXiv = id
		}
		w.DOI = ""
	}
	for _, source := range w.In {
		if !known(source) {
			return w, fmt.Errorf("it is in %q; the services are %s", source, strings.Join(Sources(), ", "))
		}
	}
	return w, nil
}

// link turns the reference lists into links both ways.
func (l *Library) link(byID map[string]int32) {
	l.cites, l.cited = make([][]int32, len(l.Works)), make([][]int32, len(l.Works))
	for i := range l.Works {
		seen := make(map[int32]bool, len(l.Works[i].References))
		for _, id := range l.Works[i].References {
			if to, ok := byID[id]; ok && !seen[to] {
				seen[to] = true
				l.cites[i] = append(l.cites[i], to)
				l.cited[to] = append(l.cited[to], int32(i))
			}
		}
	}
}

// Cites lists the works that a work cites, by their place in Works.
func (l *Library) Cites(work int) []int32 { return at(l.cites, work) }

// CitedBy lists the works that cite a work, by their place in Works.
func (l *Library) CitedBy(work int) []int32 { return at(l.cited, work) }

func at(lists [][]int32, i int) []int32 {
	if i < 0 || i >= len(lists) {
		return nil
	}
	return lists[i]
}
