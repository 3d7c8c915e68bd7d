package app

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"optimistresearch/canon"
	"optimistresearch/internal/advice"
	"optimistresearch/internal/atomicfile"
	"optimistresearch/internal/biblio"
	"optimistresearch/state"
)

// Names of the files that Dedupe writes.
const (
	DedupeSummary   = "summary.json"
	DedupeClusters  = "clusters.csv"
	DedupeLinks     = "links.csv"
	DedupeUncertain = "uncertain.csv"
	DedupeDecisions = "decisions.jsonl"
	dedupeRecords   = "records.jsonl" // all records as they were read, for the review
)

// DedupeOptions of Dedupe.
type DedupeOptions struct {
	Files     []string
	From      biblio.Format // "" = told from each file
	Format    biblio.Format // of the unique records; "" = that of the first file
	Out       string
	Clusters  string // a further place for clusters.csv
	Policy    canon.Policy
	Decisions []string // files of earlier decisions, beside those in Out
	In        io.Reader
}

// DedupeResult is what Dedupe did, and the content of summary.json.
type DedupeResult struct {
	Out       string           `json:"out"`
	Unique    string           `json:"unique"` // name of the file in Out
	Policy    canon.Policy     `json:"policy"`
	Files     []biblio.Summary `json:"files"`
	Records   int              `json:"records"`
	Works     int              `json:"works"`
	Removed   int              `json:"duplicates_removed"`
	Rules     []RuleCount      `json:"merged_by_rule"`
	Uncertain int              `json:"uncertain_pairs"`
	Doubts    []RuleCount      `json:"uncertain_by_reason"`
	Sources   []SourceCount    `json:"sources"`
	Decided   int              `json:"decisions_in_force"`
}

// RuleCount counts the merges of a rule, or the pairs that one left open.
type RuleCount struct {
	Rule   string `json:"rule"`
	Reason string `json:"reason"`
	Count  int    `json:"count"`
}

// SourceCount counts the records of a file or database, and those of them that
// were removed as duplicates.
type SourceCount struct {
	Source     string `json:"source"`
	Records    int    `json:"records"`
	Duplicates int    `json:"duplicates"`
}

// decision is a line of decisions.jsonl.
type decision struct {
	Time string `json:"time"` // RFC 3339
	By   string `json:"by"`
	canon.Decision
}

// Dedupe reads files, finds the records that describe one work, and writes the
// folder Out: unique records, clusters, links with their reasons, pairs for a
// person, a summary.
func Dedupe(o DedupeOptions) (DedupeResult, error) {
	res := DedupeResult{Out: o.Out, Policy: o.Policy}
	if err := dedupePlace(o.Out); err != nil {
		return res, err
	}
	set, err := readSet(o, &res)
	if err != nil {
		return res, err
	}
	log, err := readDecisions(append(slices.Clone(o.Decisions), filepath.Join(o.Out, DedupeDecisions)))
	if err != nil {
		return res, err
	}
	found := canon.Dedupe(set.records, canon.Options{Policy: o.Policy, Decisions: bare(log)})
	if err := os.MkdirAll(o.Out, 0o755); err != nil {
		return res, &InputError{advice.New("choose another folder with --out", "writing the result: %w", err)}
	}
	if o.Format == "" {
		o.Format = res.Files[0].Format
	}
	if !slices.Contains(biblio.Writable(), o.Format) {
		o.Format = biblio.RIS
	}
	res.Unique = "unique" + o.Format.Ext()
	res.count(set, found, log)
	return res, set.write(o, res, found, log)
}

// dedupePlace refuses a folder that holds something else.
func dedupePlace(dir string) error {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return &InputError{advice.New("choose a folder with --out", "%w", err)}
	}
	if len(entries) == 0 {
		return nil
	}
	if _, err := os.Stat(filepath.Join(dir, DedupeSummary)); err != nil {
		return &InputError{advice.New("choose an empty or a new one with --out", "the folder %s is not empty, and holds no result of dedupe", dir)}
	}
	return nil
}

// fileMark follows the name of a file that stands for the database of its
// records.
const fileMark = " (file)"

// recordSet is all that was read.
type recordSet struct {
	entries []biblio.Entry
	records []state.Record
	ids     []string // as clusters.csv names them
	origins []string // database where the entry names it, else file
}

func readSet(o DedupeOptions, res *DedupeResult) (recordSet, error) {
	var set recordSet
	taken := map[string]bool{}
	for _, name := range o.Files {
		base := filepath.Base(name)
		number := 0
		take := func(e biblio.Entry) error {
			number++
			id := e.ID
			switch {
			case id == "":
				id = fmt.Sprintf("%s#%d", base, number)
			case taken[id] && len(o.Files) > 1:
				id = base + ":" + id
			}
			for n := 2; taken[id]; n++ {
				id = fmt.Sprintf("%s#%d", strings.TrimSuffix(id, fmt.Sprintf("#%d", n-1)), n)
			}
			taken[id] = true
			set.add(e, id, base)
			return nil
		}
		sum, err := ReadFile(o.In, name, o.From, take)
		if err != nil {
			return set, err
		}
		res.Files = append(res.Files, sum)
	}
	return set, nil
}

// add makes a record of an entry. The source that counts are given for is the
// database where the entry names it, else the file.
func (s *recordSet) add(e biblio.Entry, id, file string) {
	source := file + fileMark
	if e.Database != "" {
		source = e.Database
	}
	r := e.Record(source, "")
	if e.Database == "" || e.Database == file || strings.HasSuffix(e.Database, fileMark) {
		r.Source = "files" // one file may hold several exports, and duplicates
	}
	r.Key = id
	for _, f := range e.Extra {
		if f.Name == "stage" && strings.Contains(f.Value, "submitted") {
			r.Kind = state.Preprint
		}
	}
	r.Seen = map[string]state.Provenance{"f": {Source: source, Via: state.ViaImport, Rank: len(s.records) + 1}}
	s.entries, s.records, s.ids, s.origins = append(s.entries, e), append(s.records, r), append(s.ids, id), append(s.origins, source)
}

// ReadFile reads one file of references; "-" is in. What is wrong with a file is
// an *InputError.
func ReadFile(in io.Reader, name string, from biblio.Format, take func(biblio.Entry) error) (biblio.Summary, error) {
	if name != "-" {
		f, err := os.Open(name)
		if err != nil {
			return biblio.Summary{Name: name}, &InputError{advice.New("name a file that exists and can be read", "%w", err)}
		}
		defer f.Close()
		if st, err := f.Stat(); err == nil && st.IsDir() {
			return biblio.Summary{Name: name}, &InputError{advice.New("name the files in it, for example: "+filepath.Join(advice.Arg(name), "*.ris"), "%s is a folder", name)}
		}
		in = f
	}
	sum, err := biblio.ReadAs(in, name, from, take)
	var file *biblio.FileError
	if errors.As(err, &file) {
		bare := *file
		bare.Hint = ""
		return sum, &InputError{advice.New(file.Hint, "%w", &bare)}
	}
	return sum, err
}

func (res *DedupeResult) count(set recordSet, found canon.Result, log []decision) {
	bySource := map[string]*SourceCount{}
	for _, c := range found.Clusters {
		for k, i := range c.Members {
			n := bySource[set.origins[i]]
			if n == nil {
				n = &SourceCount{Source: set.origins[i]}
				bySource[set.origins[i]] = n
			}
			n.Records++
			if k > 0 {
				n.Duplicates++
			}
		}
	}
	for _, name := range state.Keys(bySource) {
		res.Sources = append(res.Sources, *bySource[name])
	}

	s := found.Summary
	res.Records, res.Works, res.Removed, res.Uncertain = s.Records, s.Clusters, s.Duplicates, len(found.Uncertain)
	for _, r := range s.Links {
		res.Rules = append(res.Rules, RuleCount(r))
	}
	for _, r := range s.Uncertain {
		res.Doubts = append(res.Doubts, RuleCount(r))
	}
	inForce := map[string]bool{}
	for _, d := range log {
		inForce[d.A+"\x00"+d.B] = d.Verdict != canon.DecisionNone
	}
	for _, v := range inForce {
		if v {
			res.Decided++
		}
	}
}

func (s *recordSet) write(o DedupeOptions, res DedupeResult, found canon.Result, log []decision) error {
	index := map[string]int{}
	for i, id := range s.ids {
		index[id] = i
	}
	clusters := csvRows{{"record_id", "cluster_id"}}
	unique := make([]biblio.Entry, 0, len(found.Clusters))
	for _, c := range found.Clusters {
		var members []biblio.Entry
		for _, i := range c.Members {
			members = append(members, s.entries[i])
		}
		unique = append(unique, biblio.Merge(members))
	}
	of := make([]string, len(s.ids))
	for _, c := range found.Clusters {
		for _, i := range c.Members {
			of[i] = c.ID
		}
	}
	for i, id := range s.ids {
		clusters = append(clusters, []string{id, of[i]})
	}
	links := csvRows{{"record_a", "record_b", "rule", "reason", "values_compared", "similarity"}}
	for _, l := range found.Links {
		links = append(links, []string{l.A, l.B, l.Rule, canon.Reason(l.Rule, true), safe(l.Compare), fmt.Sprintf("%.3f", l.Similarity)})
	}
	open := csvRows{{"record_a", "record_b", "title_a", "title_b", "authors_a", "authors_b", "year_a", "year_b", "venue_a", "venue_b", "why", "reason", "values_compared", "similarity"}}
	for _, u := range found.Uncertain {
		a, b := s.entries[index[u.A]], s.entries[index[u.B]]
		open = append(open, []string{u.A, u.B, safe(a.Title), safe(b.Title), safe(authorList(a)), safe(authorList(b)), biblio.Year(a.Year()), biblio.Year(b.Year()), safe(a.Container), safe(b.Container),
			u.Why, canon.Reason(strings.TrimSuffix(orElse(u.Veto, u.Why), "_veto"), false), safe(u.Compare), fmt.Sprintf("%.3f", u.Similarity)})
	}
	var lines bytes.Buffer
	enc := json.NewEncoder(&lines)
	enc.SetEscapeHTML(false)
	for _, d := range log {
		if err := enc.Encode(d); err != nil {
			return err
		}
	}
	var summary bytes.Buffer
	enc = json.NewEncoder(&summary)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(res); err != nil {
		return err
	}
	put := func(name string, data []byte) error { return atomicfile.Write(filepath.Join(o.Out, name), data, 0o644) }
	clusterCSV, err := clusters.bytes()
	if err != nil {
		return err
	}
	linkCSV, err := links.bytes()
	if err != nil {
		return err
	}
	openCSV, err := open.bytes()
	if err != nil {
		return err
	}
	err = errors.Join(
		streamFile(filepath.Join(o.Out, res.Unique), func(w io.Writer) error { return biblio.Write(w, o.Format, unique) }),
		streamFile(filepath.Join(o.Out, dedupeRecords), func(w io.Writer) error { return s.writeRecords(w) }),
		put(DedupeClusters, clusterCSV), put(DedupeLinks, linkCSV), put(DedupeUncertain, openCSV), put(DedupeDecisions, lines.Bytes()), put(DedupeSummary, summary.Bytes()))
	if err == nil && o.Clusters != "" {
		err = atomicfile.Write(o.Clusters, clusterCSV, 0o644)
	}
	if err != nil {
		return fmt.Errorf("writing the result to %s: %w", o.Out, err)
	}
	return nil
}

// writeRecords keeps all records under the ids of clusters.csv.
func (s *recordSet) writeRecords(w io.Writer) error {
	out, err := biblio.NewWriter(w, biblio.JSONL)
	if err != nil {
		return err
	}
	for i, e := range s.entries {
		e.ID = s.ids[i]
		e.Database = s.origins[i]
		if err := out.Write(e); err != nil {
			return err
		}
	}
	return out.Close()
}

func authorList(e biblio.Entry) string {
	var out []string
	for _, n := range e.Authors {
		out = append(out, n.Display())
	}
	return strings.Join(out, "; ")
}

func orElse(a, b string) string {
	if a != "" {
		return a
	}
	return b
}

// readDecisions reads logs of decisions, one after the other; a missing file has
// none. A line twice counts once.
func readDecisions(names []string) ([]decision, error) {
	var out []decision
	seen := map[string]bool{}
	for _, name := range names {
		b, err := os.ReadFile(name)
		if errors.Is(err, fs.ErrNotExist) && filepath.Base(name) == DedupeDecisions {
			continue
		}
		if err != nil {
			return nil, &InputError{advice.New("name a file of decisions that exists", "%w", err)}
		}
		n := 0
		for line := range bytes.Lines(b) {
			n++
			if len(bytes.TrimSpace(line)) == 0 || seen[string(line)] {
				continue
			}
			seen[string(line)] = true
			var d decision
			if err := json.Unmarshal(line, &d); err != nil {
				if n == bytes.Count(b, []byte("\n"))+1 {
					continue // the torn end of the last write
				}
				return nil, &InputError{advice.New("mend the line, or take it out", "line %d of %s is no decision: %w", n, name, err)}
			}
			out = append(out, d)
		}
	}
	return out, nil
}

func bare(log []decision) []canon.Decision {
	var out []canon.Decision
	for _, d := range log {
		out = append(out, d.Decision)
	}
	return out
}

// Review is an open result of Dedupe, for a person to decide its uncertain
// pairs.
type Review struct {
	dir     string
	options DedupeOptions
	set     recordSet
	index   map[string]int
	log     []decision
	Pairs   []ReviewPair
}

// ReviewPair is one pair with what a person needs to decide it.
type ReviewPair struct {
	A, B       string // record ids
	EntryA     biblio.Entry
	EntryB     biblio.Entry
	Why        string // a sentence
	Compare    string
	Similarity float64
	Verdict    string // "" = open; same or different
}

// OpenReview reads the result of an earlier Dedupe.
func OpenReview(dir string) (*Review, error) {
	b, err := os.ReadFile(filepath.Join(dir, DedupeSummary))
	if err != nil {
		return nil, &InputError{advice.New("make one first: optimistresearch dedupe FILE… --out "+advice.Arg(dir), "%s holds no result of dedupe: %w", dir, err)}
	}
	var was DedupeResult
	if err := json.Unmarshal(b, &was); err != nil {
		return nil, &InputError{advice.New("run dedupe again", "%s cannot be read: %w", filepath.Join(dir, DedupeSummary), err)}
	}
	r := &Review{dir: dir, index: map[string]int{}}
	format, _ := biblio.FormatOf(strings.TrimPrefix(filepath.Ext(was.Unique), "."))
	r.options = DedupeOptions{Files: []string{filepath.Join(dir, dedupeRecords)}, Format: format, Out: dir, Policy: was.Policy}
	var again DedupeResult
	if r.set, err = readSet(r.options, &again); err != nil {
		return nil, err
	}
	for i, id := range r.set.ids {
		r.index[id] = i
	}
	if r.log, err = readDecisions([]string{filepath.Join(dir, DedupeDecisions)}); err != nil {
		return nil, err
	}
	r.refresh()
	return r, nil
}

// refresh finds the pairs again under the decisions so far; those decided stay
// in the list.
func (r *Review) refresh() {
	found := canon.Dedupe(r.set.records, canon.Options{Policy: r.options.Policy, Decisions: bare(r.log)})
	for _, u := range found.Uncertain {
		if r.find(u.A, u.B) < 0 {
			r.Pairs = append(r.Pairs, ReviewPair{A: u.A, B: u.B, EntryA: r.set.entries[r.index[u.A]], EntryB: r.set.entries[r.index[u.B]],
				Why: canon.Reason(strings.TrimSuffix(orElse(u.Veto, u.Why), "_veto"), false), Compare: u.Compare, Similarity: u.Similarity})
		}
	}
	for _, d := range r.log {
		i := r.find(d.A, d.B)
		if i < 0 {
			a, okA := r.index[d.A]
			b, okB := r.index[d.B]
			if !okA || !okB {
				continue
			}
			r.Pairs = append(r.Pairs, ReviewPair{A: d.A, B: d.B, EntryA: r.set.entries[a], EntryB: r.set.entries[b], Why: "decided before"})
			i = len(r.Pairs) - 1
		}
		r.Pairs[i].Verdict = d.Verdict
	}
}

func (r *Review) find(a, b string) int {
	return slices.IndexFunc(r.Pairs, func(p ReviewPair) bool { return p.A == a && p.B == b || p.A == b && p.B == a })
}

// Decide stores what a person says about two records: same, different, or ""
// to take it back. It survives whatever happens next. who is the person, now
// the time.
func (r *Review) Decide(a, b, verdict, who string, now time.Time) error {
	i, okA := r.index[a]
	j, okB := r.index[b]
	if !okA || !okB || a == b {
		return &InputError{advice.New("take the ids from uncertain.csv or clusters.csv", "%s and %s are not two records of %s", a, b, r.dir)}
	}
	d := decision{Time: now.UTC().Format(time.RFC3339), By: who, Decision: canon.Decide(r.set.records[i], r.set.records[j], verdict)}
	line, err := json.Marshal(d)
	if err != nil {
		return err
	}
	f, err := os.OpenFile(filepath.Join(r.dir, DedupeDecisions), os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o644)
	if err != nil {
		return fmt.Errorf("storing the decision: %w", err)
	}
	_, err = f.Write(append(line, '\n'))
	if err == nil {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err != nil {
		return fmt.Errorf("storing the decision: %w", err)
	}
	r.log = append(r.log, d)
	if n := r.find(a, b); n >= 0 {
		r.Pairs[n].Verdict = verdict
	}
	return nil
}

// Finish writes the result again, under the decisions so far.
func (r *Review) Finish() (DedupeResult, error) {
	res := DedupeResult{Out: r.dir, Policy: r.options.Policy, Unique: "unique" + r.options.Format.Ext()}
	b, err := os.ReadFile(filepath.Join(r.dir, DedupeSummary))
	if err == nil {
		var was DedupeResult
		if json.Unmarshal(b, &was) == nil {
			res.Files, res.Unique = was.Files, was.Unique
		}
	}
	found := canon.Dedupe(r.set.records, canon.Options{Policy: r.options.Policy, Decisions: bare(r.log)})
	res.count(r.set, found, r.log)
	return res, r.set.write(r.options, res, found, r.log)
}

// DedupePolicy reads the name of a policy.
func DedupePolicy(name string) (canon.Policy, error) {
	p, ok := canon.ParsePolicy(name)
	if !ok {
		return "", fmt.Errorf("the policy is %q", name)
	}
	return p, nil
}
