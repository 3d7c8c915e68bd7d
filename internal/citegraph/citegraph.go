// Package citegraph is a frozen citation library: works in a file with the ids
// of what they cite, asked like a literature service. A chase over it needs no
// network and gives the same answer in every year.
//
// It must never look at labels that a file carries, nor touch the disk: what it
// reads comes from a reader. Start with Read; Describe adds abstracts and
// identifiers.
package citegraph

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"unicode/utf8"

	"optimistresearch/internal/lexical"
	"optimistresearch/internal/text"
	"optimistresearch/state"
)

// Name of the library as a source, and the scheme of its own ids in state.IDs.
const (
	Name   = "library"
	Scheme = "library"
)

// longestLine is the longest line of a library in bytes.
const longestLine = 16 << 20

// Library holds the works and their links. It is safe for concurrent use once
// it is complete.
type Library struct {
	works   []work
	at      map[string]int // by id
	known   map[string]int // by "scheme:value"
	citing  map[string][]int
	Skipped []Skip // lines that could not be used

	once  sync.Once // makes index
	index *lexical.Index
}

// Skip is a line that could not be used, and why.
type Skip struct {
	Line   int
	Reason string
}

type work struct {
	record     state.Record
	references []string
}

// Read reads a library: JSON lines with record_id, title, year, cited_by_count
// and references, the ids of the works that the work cites, which need not be in
// the library. Other members are ignored. The error says that the library cannot
// be read, or that nothing in it is a work.
func Read(r io.Reader) (*Library, error) {
	l := &Library{at: map[string]int{}, known: map[string]int{}, citing: map[string][]int{}}
	lines := bufio.NewScanner(r)
	lines.Buffer(make([]byte, 0, 1<<16), longestLine)
	n := 0
	for lines.Scan() {
		n++
		if strings.TrimSpace(lines.Text()) == "" {
			continue
		}
		if why := l.add(lines.Bytes()); why != "" {
			l.Skipped = append(l.Skipped, Skip{n, why})
		}
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("line %d: %w", n+1, err)
	}
	if len(l.works) == 0 {
		if len(l.Skipped) > 0 {
			return nil, fmt.Errorf("none of its %d lines is a work: line %d: %s", n, l.Skipped[0].Line, l.Skipped[0].Reason)
		}
		return nil, errors.New("it is empty")
	}
	return l, nil
}

// add takes one line, or says why it cannot.
func (l *Library) add(line []byte) string {
	var in struct {
		ID         string   `json:"record_id"`
		Title      string   `json:"title"`
		Year       int      `json:"year"`
		Cited      *int     `json:"cited_by_count"`
		References []string `json:"references"`
	}
	if !utf8.Valid(line) {
		return "it is not UTF-8"
	}
	if err := json.Unmarshal(line, &in); err != nil {
		return "it is not a JSON object with record_id, title, year, cited_by_count and references: " + err.Error()
	}
	id := clean(in.ID)
	switch {
	case id == "":
		return "it has no record_id"
	case strings.Contains(id, "|"):
		return `its record_id holds "|"`
	}
	if _, twice := l.at[id]; twice {
		return "its record_id " + id + " stands in an earlier line"
	}
	r := state.Record{Source: Name, Title: text.OneLine(in.Title), Year: in.Year, Kind: state.Other, Citations: in.Cited, IDs: idsOf(id)}
	r.Key = state.RecordKey(Name, id, r)
	w := work{record: r}
	seen := map[string]bool{id: true}
	for _, ref := range in.References {
		if ref = clean(ref); ref != "" && !strings.Contains(ref, "|") && !seen[ref] {
			seen[ref] = true
			w.references = append(w.references, ref)
			l.citing[ref] = append(l.citing[ref], len(l.works))
		}
	}
	l.at[id] = len(l.works)
	l.works = append(l.works, w)
	l.learn(len(l.works) - 1)
	return ""
}

// Describe adds what another file says of a work: abstract, identifiers, and
// whatever the library leaves open. It reports whether the library has the work.
func (l *Library) Describe(id string, r state.Record) bool {
	i, ok := l.at[clean(id)]
	if !ok {
		return false
	}
	mine := l.works[i].record
	ids := state.IDs{}
	for scheme, v := range r.IDs {
		ids[scheme] = v
	}
	for scheme, v := range mine.IDs {
		ids[scheme] = v
	}
	r.Key, r.Source, r.IDs, r.Seen = mine.Key, mine.Source, ids, nil
	if mine.Title != "" {
		r.Title = mine.Title
	}
	if mine.Year != 0 {
		r.Year = mine.Year
	}
	if mine.Citations != nil {
		r.Citations = mine.Citations
	}
	l.works[i].record = r
	l.learn(i)
	return true
}

// learn notes by which identifiers a work can be found.
func (l *Library) learn(i int) {
	for scheme, v := range l.works[i].record.IDs {
		if key := scheme + ":" + v; v != "" {
			if first, taken := l.known[key]; !taken || first > i {
				l.known[key] = i
			}
		}
	}
}

// Records gives all works in the order of the file.
func (l *Library) Records() []state.Record {
	out := make([]state.Record, len(l.works))
	for i, w := range l.works {
		out[i] = w.record
	}
	return out
}

// ID gives the library's own id of one of its records.
func ID(r state.Record) string { return r.IDs[Scheme] }

// clean brings an OpenAlex address to its id and leaves other ids as they are.
func clean(id string) string {
	id = strings.TrimSpace(id)
	if w := state.NormalizeOpenAlex(id); w != "" {
		return w
	}
	return id
}

func idsOf(id string) state.IDs {
	ids := state.IDs{Scheme: id}
	if w := state.NormalizeOpenAlex(id); w != "" {
		ids[state.OpenAlex] = w
	}
	return ids
}
