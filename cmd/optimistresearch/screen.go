package main

import (
	"cmp"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/user"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"optimistresearch/cmd/internal/app"
	"optimistresearch/internal/advice"
	"optimistresearch/internal/biblio"
	"optimistresearch/screening"
)

// screenFlags are the flags of screen.
type screenFlags struct {
	records, imports             []string
	question, title, criteria    string
	review, out, decisions       string
	feedback, export, embeddings string
	by                           string
	interactive                  bool
}

func newScreen(s *streams) *cobra.Command {
	var f screenFlags
	c := &cobra.Command{
		Use:   "screen",
		Short: "Order records for title and abstract screening, and screen them at the terminal",
		Long: `Reads records in any format that import reads and writes record_id,score,reason as
CSV, best first. Without a model the built-in method scores: the words of the
question weighed by field, what the best matches have in common, the kind of
study, and the criteria (what includes raises, what excludes lowers). With a model for the
role screener (--set models.screener=…) that model decides on every record that
nobody decided on yet. --embeddings adds the likeness of an embedding model.

--interactive shows one record at a time; one key decides, and the order is
learned anew from each decision. Decisions are kept in the file of --decisions
as they are made: the same command goes on where it stopped, --export gives them
to reference managers (RIS, CSV …), --import takes them from there. What a person
decided holds, whatever a model says.

--feedback simulates that person with known labels and writes the order in which
the records would have been read.` + exitHelp(0, 1, 2, 5, 130),
		Example: `  optimistresearch screen --records pubmed.nbib --question "Does exercise prevent falls in older adults?" --out scores.csv
  optimistresearch screen --records library.ris --review review.json --interactive --decisions decisions.jsonl --export decided.ris`,
		Args: exactly(0, `optimistresearch screen --records export.ris --question "…" --out scores.csv`),
		RunE: func(c *cobra.Command, _ []string) error {
			if len(f.records) == 0 {
				return misuse("for example: --records export.ris", "--records is missing: %s --records FILE --question QUESTION", c.CommandPath())
			}
			return s.screen(c, f)
		},
	}
	c.Flags().StringArrayVar(&f.records, "records", nil, "a `FILE` with records, in any format that import reads (repeatable; \"-\" is standard input)")
	c.Flags().StringVar(&f.question, "question", "", "the question of the review")
	c.Flags().StringVar(&f.title, "title", "", "the title of the review")
	c.Flags().StringVar(&f.criteria, "criteria", "", "a text `FILE` with criteria, one a line, below the headings Inclusion and Exclusion")
	c.Flags().StringVar(&f.review, "review", "", "a JSON `FILE` with title, question, inclusion_criteria, exclusion_criteria")
	c.Flags().StringVar(&f.out, "out", "", "write the scores to this `FILE` instead of standard output")
	c.Flags().BoolVarP(&f.interactive, "interactive", "i", false, "screen at the terminal")
	c.Flags().StringVar(&f.decisions, "decisions", "", "the `FILE` that keeps the decisions (default: that of --out with .decisions.jsonl)")
	c.Flags().StringArrayVar(&f.imports, "import", nil, "take decisions from this `FILE`: CSV, or records with the notes that --export or Rayyan write (repeatable)")
	c.Flags().StringVar(&f.export, "export", "", "write records and decisions to this `FILE`; its ending tells the format (.ris, .csv, .bib …)")
	c.Flags().StringVar(&f.feedback, "feedback", "", "a CSV `FILE` with record_id,label: simulate the person, write the order of reading")
	c.Flags().StringVar(&f.embeddings, "embeddings", "", "the `PROVIDER:MODEL` that embeds question and records (default: the setting embeddings)")
	c.Flags().StringVar(&f.by, "by", "", "the `NAME` that decisions are stamped with (default: the user's)")
	return c
}

// screenJob is what a screening works on.
type screenJob struct {
	review  screening.Review
	corpus  *screening.Corpus
	entries map[string]biblio.Entry
	log     *app.DecisionLog // nil: nothing is kept
	session *screening.Session
	ranked  []screening.Ranked
}

func (s *streams) screen(c *cobra.Command, f screenFlags) (err error) {
	if f.interactive && f.feedback != "" {
		return misuse("leave one of them out", "--interactive and --feedback exclude each other")
	}
	if f.interactive && f.out == "" && f.decisions == "" {
		return misuse("for example: --decisions decisions.jsonl", "--interactive needs a file that keeps the decisions")
	}
	if f.interactive {
		t, err := s.terminal()
		if err != nil {
			return err
		}
		if err := t.close(); err != nil {
			return fmt.Errorf("looking for the terminal: %w", err)
		}
	}
	format := biblio.CSV
	if f.export != "" {
		if format, err = formatFlag("--export", strings.TrimPrefix(filepath.Ext(f.export), ".")); err != nil {
			return err
		}
	}
	cfg, err := s.load(nil)
	if err != nil {
		return err
	}
	job := screenJob{session: &screening.Session{}}
	if job.review, err = reviewOf(f); err != nil {
		return err
	}
	records, err := s.readRecords(f.records, &job)
	if err != nil {
		return err
	}
	by := f.by
	if by == "" {
		by = userName()
	}
	job.corpus = screening.NewCorpus(records)

	if path := decisionsFile(f); path != "" && f.feedback == "" && keeps(f, path) {
		if job.log, err = app.OpenDecisions(path, job.review.Question); err != nil {
			return err
		}
		defer func() { err = errors.Join(err, job.log.Close()) }()
		for _, n := range job.log.Notices {
			s.warn("%s", n)
		}
		job.session = job.log.Session()
	}
	if err := s.takeDecisions(f.imports, &job, by); err != nil {
		return err
	}

	opt := app.ScreenOptions{Config: cfg, Now: app.Now(), Corpus: job.corpus, Review: job.review, Embeddings: cmp.Or(f.embeddings, cfg.Runtime.Embeddings), Session: job.session,
		Builtin: f.interactive || f.feedback != "", Progress: s.screenProgress(), Waiting: s.waitNote}
	if job.log != nil {
		opt.Keep = job.log.Keep
	}
	res, err := app.Screen(c.Context(), opt)
	for _, n := range res.Notices {
		s.warn("%s", n)
	}
	if err != nil {
		return err
	}
	job.ranked = res.Ranked

	if f.feedback != "" {
		return s.simulate(f, job)
	}
	if f.interactive {
		if err := s.atDesk(c.Context(), job, by); err != nil {
			return err
		}
	}
	return s.writeScreened(f, format, job)
}

// decisionsFile is where decisions are kept, "" for nowhere.
func decisionsFile(f screenFlags) string {
	if f.decisions == "" && f.out != "" {
		return strings.TrimSuffix(f.out, filepath.Ext(f.out)) + ".decisions.jsonl"
	}
	return f.decisions
}

// keeps tells whether the log is opened: a plain ranking makes none, but minds
// one that is there.
func keeps(f screenFlags, path string) bool {
	if f.interactive || f.decisions != "" || len(f.imports) > 0 {
		return true
	}
	_, err := os.Stat(path)
	return err == nil
}

// reviewOf puts together what is looked for. Flags stand above the file.
func reviewOf(f screenFlags) (screening.Review, error) {
	var rv screening.Review
	read := func(flag, name string) ([]byte, error) {
		data, err := os.ReadFile(name)
		if err != nil {
			return nil, misuse("name a file that exists and can be read", "%s: %v", flag, err)
		}
		return data, nil
	}
	if f.review != "" {
		data, err := read("--review", f.review)
		if err != nil {
			return rv, err
		}
		if err := json.Unmarshal(data, &rv); err != nil {
			return rv, misuse(`write {"question": "…", "inclusion_criteria": "…", "exclusion_criteria": "…"}`, "--review: %s is no such JSON: %v", f.review, err)
		}
	}
	if f.criteria != "" {
		data, err := read("--criteria", f.criteria)
		if err != nil {
			return rv, err
		}
		rv.Inclusion, rv.Exclusion = screening.ReadCriteria(string(data))
	}
	if f.question != "" {
		rv.Question = f.question
	}
	if f.title != "" {
		rv.Title = f.title
	}
	if strings.TrimSpace(rv.Question) == "" {
		return rv, misuse("name it with --question, or in the file of --review", "there is no question to screen for")
	}
	return rv, nil
}

// readRecords reads the files, each with a line about it on stderr.
func (s *streams) readRecords(names []string, job *screenJob) ([]screening.Record, error) {
	var records []screening.Record
	var all []biblio.Entry
	for _, name := range names {
		sum, err := app.ReadFile(s.in, name, "", func(e biblio.Entry) error {
			all = append(all, e)
			records = append(records, app.RecordOf(e))
			return nil
		})
		s.summarise(sum)
		if err != nil {
			return nil, err
		}
	}
	if len(records) == 0 {
		return nil, misuse("name a file with records", "there is no record in %s", strings.Join(names, ", "))
	}
	missing, repeated := screening.UniqueIDs(records, "record-")
	if missing > 0 {
		s.note("%d records have no id and are called by their place, such as record-1", missing)
	}
	if repeated > 0 {
		s.warn("%d records have the id of an earlier one and got a number behind it; remove duplicates before screening", repeated)
	}
	job.entries = make(map[string]biblio.Entry, len(all))
	for i, r := range records {
		job.entries[r.ID] = all[i]
	}
	return records, nil
}

// takeDecisions reads the files of --import. A person's decision that is there
// already holds if it is the later one.
func (s *streams) takeDecisions(names []string, job *screenJob, by string) error {
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			return misuse("name a file that exists and can be read", "--import: %v", err)
		}
		list, unknown, err := app.ReadDecisions(data, name, job.corpus, app.Now().UTC(), by)
		if err != nil {
			return err
		}
		taken := 0
		for _, d := range list {
			if old, ok := job.session.ByPerson(d.Record); ok && (d.Model || !d.At.After(old.At)) {
				continue
			}
			if old, ok := job.session.ByModel(d.Record); ok && d.Model && !d.At.After(old.At) {
				continue
			}
			if job.log == nil {
				job.session.Apply(d)
			} else if err := job.log.Keep(d); err != nil {
				return err
			}
			taken++
		}
		s.note("%s: %d decisions taken, %d older than those that hold, %d on records that are not here", name, taken, len(list)-taken, unknown)
	}
	return nil
}

// simulate writes the order in which a person with known labels would have read.
func (s *streams) simulate(f screenFlags, job screenJob) error {
	data, err := os.ReadFile(f.feedback)
	if err != nil {
		return misuse("name a file that exists and can be read", "--feedback: %v", err)
	}
	included, err := app.ReadLabels(data, f.feedback)
	if err != nil {
		return err
	}
	unlabelled := 0
	for _, r := range job.corpus.Records {
		if _, ok := included[r.ID]; !ok {
			unlabelled++
		}
	}
	if unlabelled > 0 {
		s.warn("%d records have no label in %s and count as excluded", unlabelled, f.feedback)
	}
	order := screening.Replay(screening.NewLearner(job.corpus, job.review, job.ranked, 0), included)
	type row struct {
		ID       string `json:"record_id"`
		Score    int    `json:"score"`
		Read     int    `json:"read"`
		Included bool   `json:"included"`
	}
	rows := make([]row, len(order))
	for i, id := range order {
		rows[i] = row{id, len(order) - i, i + 1, included[id]}
	}
	return writeRows(s, f.out, rows, []string{"record_id", "score", "read", "included"}, func(r row) []string {
		return []string{r.ID, fmt.Sprint(r.Score), fmt.Sprint(r.Read), map[bool]string{true: "1", false: "0"}[r.Included]}
	})
}

// writeScreened writes scores and decisions.
func (s *streams) writeScreened(f screenFlags, format biblio.Format, job screenJob) error {
	rows := app.Scores(job.ranked, job.session)
	if f.export != "" {
		w, done, err := s.output(f.export)
		if err != nil {
			return err
		}
		err = app.WriteDecisions(w, format, job.entries, rows, job.session)
		if err = errors.Join(err, done(err == nil)); err != nil {
			return advice.New("choose another file or format", "--export: %w", err)
		}
	}
	if out, ok := s.out.(*os.File); f.interactive && f.out == "" && ok && term.IsTerminal(int(out.Fd())) {
		return nil // a person's screen is no place for a table
	}
	return writeRows(s, f.out, rows, []string{"record_id", "score", "reason"}, func(r app.Scored) []string {
		return []string{r.ID, app.Number(r.Score), r.Reason}
	})
}

// writeRows writes a table: CSV, or JSON on stdout with --json.
func writeRows[T any](s *streams, out string, rows []T, head []string, line func(T) []string) error {
	if s.json && out == "" {
		return s.answer(rows)
	}
	w, done, err := s.output(out)
	if err != nil {
		return err
	}
	c := csv.NewWriter(w)
	err = c.Write(head)
	for _, r := range rows {
		if err == nil {
			err = c.Write(line(r))
		}
	}
	c.Flush()
	err = errors.Join(err, c.Error())
	return errors.Join(err, done(err == nil))
}

// userName is who decides when --by does not say.
func userName() string {
	if u, err := user.Current(); err == nil {
		if u.Name != "" {
			return u.Name
		}
		return u.Username
	}
	return "person"
}

// screenProgress tells how far embeddings and model are, a line for every tenth.
func (s *streams) screenProgress() func(what string, done, of int) {
	var mu sync.Mutex
	last := map[string]int{}
	return func(what string, done, of int) {
		mu.Lock()
		defer mu.Unlock()
		tenth := 10 * done / max(of, 1)
		if tenth == last[what] {
			return
		}
		last[what] = tenth
		if s.json {
			s.line(map[string]any{"event": what, "done": done, "of": of})
			return
		}
		fmt.Fprintf(s.err, "%s %d of %d records\n", what, done, of)
	}
}

func (s *streams) waitNote(service string, d time.Duration, _ bool) {
	if d >= worthALine {
		s.note("%s: waiting %s", service, d.Round(time.Second))
	}
}
