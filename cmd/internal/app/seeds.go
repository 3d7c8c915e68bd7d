package app

import (
	"bytes"
	"compress/gzip"
	"io"
	"os"
	"path/filepath"
	"strings"

	"optimistresearch/internal/biblio"
	"optimistresearch/internal/citegraph"
	"optimistresearch/state"
)

// seed is a work to start from, as it was named.
type seed struct {
	name   string
	ids    state.IDs
	record state.Record // of a file; else empty
}

// readSeeds reads seeds: an identifier, or a file with one in each line or with
// records in any format that biblio reads.
func readSeeds(args []string) ([]seed, error) {
	var out []seed
	for _, a := range args {
		st, err := os.Stat(a)
		switch {
		case err == nil && st.IsDir():
			return nil, wrong("name a file in it", "the seed %s is a folder", a)
		case err == nil:
			list, err := seedsOf(a)
			if err != nil {
				return nil, err
			}
			out = append(out, list...)
		case len(IDsOf(a)) == 1 && looksLikeFile(a):
			return nil, wrong("name a file that exists", "there is no file %s, and it is no identifier", a)
		default:
			out = append(out, seed{name: a, ids: IDsOf(a)})
		}
	}
	if len(out) == 0 {
		return nil, wrong("give a DOI, PMID, arXiv or OpenAlex id, or a file of them", "there is no seed")
	}
	return out, nil
}

// looksLikeFile tells a forgotten file from an id of a frozen library.
func looksLikeFile(s string) bool {
	switch strings.ToLower(filepath.Ext(s)) {
	case ".txt", ".ris", ".bib", ".csv", ".nbib", ".xml", ".json", ".jsonl", ".enw", ".gz":
		return true
	}
	return false
}

// seedsOf reads a file of seeds. What no line of is an identifier, and what has
// the marks of a format, is a file of records.
func seedsOf(name string) ([]seed, error) {
	data, err := os.ReadFile(name)
	if err != nil {
		return nil, wrong("name a file that can be read", "reading seeds: %w", err)
	}
	if list := seedLines(data); list != nil {
		return list, nil
	}
	var out []seed
	_, err = biblio.Read(bytes.NewReader(data), name, func(e biblio.Entry) error {
		r := e.Record(fileSource, e.ID)
		ids := state.IDs{}
		for scheme, v := range r.IDs {
			ids[scheme] = v
		}
		if e.ID != "" {
			ids[citegraph.Scheme] = e.ID
			if w := state.NormalizeOpenAlex(e.ID); w != "" {
				ids[state.OpenAlex] = w
			}
		}
		title := e.Title
		if title == "" {
			title = e.ID
		}
		out = append(out, seed{name: title, ids: ids, record: r})
		return nil
	})
	if err != nil {
		return nil, wrong("give one identifier a line, or records in a format that `optimistresearch import` reads", "reading the seeds in %s: %w", name, err)
	}
	return out, nil
}

// seedLines takes a file for one of identifiers if every line is one word; a
// line that begins with # is a remark.
func seedLines(data []byte) []seed {
	var out []seed
	for line := range strings.Lines(string(bytes.TrimPrefix(data, []byte("\ufeff")))) {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		if len(strings.Fields(line)) != 1 || strings.ContainsAny(line, "{}<>,=\"") || strings.Contains(line, "\x00") {
			return nil
		}
		out = append(out, seed{name: line, ids: IDsOf(line)})
	}
	return out
}

// IDsOf reads an identifier that a person typed: a DOI, an arXiv, OpenAlex or
// Semantic Scholar id, PMC… or digits, which are a PMID; prefixes such as
// "pmid:" and addresses are understood. The id of a frozen library is always
// among the answers, under citegraph.Scheme.
func IDsOf(s string) state.IDs {
	s = strings.TrimSpace(s)
	ids := state.IDs{citegraph.Scheme: s}
	if scheme, rest, ok := strings.Cut(s, ":"); ok && strings.EqualFold(scheme, "pmid") {
		ids[state.PMID] = state.NormalizePMID(rest)
		return ids
	}
	low := strings.ToLower(s)
	switch {
	case state.NormalizeOpenAlex(s) != "":
		ids[state.OpenAlex] = state.NormalizeOpenAlex(s)
		ids[citegraph.Scheme] = ids[state.OpenAlex]
	case state.NormalizeDOI(s) != "":
		ids.SetDOI(s)
	case strings.Contains(low, "pubmed"):
		ids[state.PMID] = state.NormalizePMID(s[strings.LastIndex(strings.TrimRight(s, "/"), "/")+1:])
	case strings.HasPrefix(low, "pmc") || strings.Contains(low, "/pmc"):
		ids[state.PMCID] = state.NormalizePMCID(s)
	case state.NormalizeS2(s) != "":
		ids[state.S2] = state.NormalizeS2(s)
	default:
		if id, _ := state.NormalizeArXiv(s); id != "" {
			ids[state.ArXiv] = id
		} else if id := state.NormalizePMID(s); id != "" {
			ids[state.PMID] = id
		}
	}
	for scheme, v := range ids {
		if v == "" {
			delete(ids, scheme)
		}
	}
	return ids
}

// gunzip unpacks a file, no further than an import may be large.
func gunzip(data []byte) ([]byte, error) {
	z, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		return nil, err
	}
	defer z.Close()
	return io.ReadAll(io.LimitReader(z, largestImport+1))
}
