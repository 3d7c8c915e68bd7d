package desk

import (
	"strings"
	"time"
	"unicode"

	"optimistresearch/screening"
)

// Key is what was typed: a character, or one of the named keys.
type Key rune

// Named keys, outside of Unicode.
const (
	Enter Key = -1 - iota
	Escape
	Backspace
	Up
	Down
	PageUp
	PageDown
	Interrupt // ctrl-c
)

// mode is what the keys mean.
type mode int

const (
	reading   mode = iota
	reasoning      // the reason of an exclusion is asked for
	writing        // text is typed
	helping
)

// Reasons are the reasons of an exclusion that have a key, 1 to 9.
var Reasons = []string{
	"population", "intervention or exposure", "comparison", "outcome", "study design",
	"not a primary study", "language", "duplicate", "off topic",
}

// longest is the number of characters of a note or reason.
const longest = 1000

// Model is what the screen shows. It belongs to one goroutine.
type Model struct {
	corpus  *screening.Corpus
	learner *screening.Learner
	session *screening.Session
	reasons map[string]string // of the ranking, by record
	marks   map[string]bool
	by      string

	mode     mode
	current  string // "" when all are read
	deferred []string
	notes    map[string]string // of records without a decision yet
	typed    []rune
	typing   string // what is typed: note, reason
	scroll   int
	said     string // one line about what the last key did
	estimate screening.Estimate
}

// New makes the screen. The learner must have learned what the session holds;
// by is the name that decisions are stamped with.
func New(c *screening.Corpus, rv screening.Review, l *screening.Learner, s *screening.Session, ranked []screening.Ranked, by string) *Model {
	m := &Model{corpus: c, learner: l, session: s, marks: rv.Marks(), by: by, reasons: map[string]string{}, notes: map[string]string{}}
	for _, r := range ranked {
		m.reasons[r.ID] = r.Reason
	}
	m.next()
	return m
}

// Effect is what a key asks the caller to do.
type Effect struct {
	Keep *screening.Decision // append it to the log; the model has taken it already
	Quit bool
}

// Estimate gives what is left to find.
func (m *Model) Estimate() screening.Estimate { return m.estimate }

// Current gives the ID of the record shown, "" when all are read.
func (m *Model) Current() string { return m.current }

// Key takes a key. now stamps the decision that it may complete.
func (m *Model) Key(k Key, now time.Time) Effect {
	if k == Interrupt {
		return Effect{Quit: true}
	}
	m.said = ""
	switch m.mode {
	case helping:
		m.mode = reading
		return Effect{}
	case writing:
		return m.write(k, now)
	case reasoning:
		return m.reason(k, now)
	}
	switch unicode.ToLower(rune(k)) {
	case 'i':
		return m.decide(screening.Include, "", now)
	case 'e':
		if m.current != "" {
			m.mode = reasoning
		}
	case 'm':
		return m.decide(screening.Maybe, "", now)
	case 'u':
		return m.undo(now)
	case 'n':
		if m.current != "" {
			m.mode, m.typing, m.typed = writing, "note", []rune(m.notes[m.current])
		}
	case 's':
		m.skip()
	case '?', 'h':
		m.mode = helping
	case 'q':
		return Effect{Quit: true}
	case rune(Up), 'k':
		m.scroll = max(m.scroll-1, 0)
	case rune(Down), 'j':
		m.scroll++
	case rune(PageUp):
		m.scroll = max(m.scroll-10, 0)
	case rune(PageDown), ' ':
		m.scroll += 10
	default:
		m.said = "? shows the keys"
	}
	return Effect{}
}

// reason takes the key of a reason.
func (m *Model) reason(k Key, now time.Time) Effect {
	switch {
	case k == Escape || k == Backspace:
		m.mode = reading
	case k == Enter || k == 'e' || k == 'E':
		m.mode = reading
		return m.decide(screening.Exclude, "", now)
	case k == 't' || k == 'T':
		m.mode, m.typing, m.typed = writing, "reason", nil
	case k >= '1' && int(k-'1') < len(Reasons):
		m.mode = reading
		return m.decide(screening.Exclude, Reasons[k-'1'], now)
	default:
		m.said = "a number names the reason, Enter leaves it out, Esc goes back"
	}
	return Effect{}
}

// write takes a key of a text.
func (m *Model) write(k Key, now time.Time) Effect {
	switch {
	case k == Escape:
		m.mode = reading
	case k == Backspace:
		m.typed = m.typed[:max(len(m.typed)-1, 0)]
	case k == Enter:
		m.mode = reading
		s := strings.TrimSpace(string(m.typed))
		if m.typing == "reason" {
			return m.decide(screening.Exclude, s, now)
		}
		m.notes[m.current] = s
		m.said = "the note is kept with the decision"
	case k > 0 && unicode.IsPrint(rune(k)) && len(m.typed) < longest:
		m.typed = append(m.typed, rune(k))
	}
	return Effect{}
}

func (m *Model) decide(v screening.Verdict, reason string, now time.Time) Effect {
	if m.current == "" {
		m.said = "all records are read; u takes the last decision back, q ends"
		return Effect{}
	}
	d := screening.Decision{Record: m.current, Verdict: v, Reason: reason, Note: m.notes[m.current], At: now, By: m.by}
	m.session.Apply(d)
	m.learner.Learn(d.Record, v)
	delete(m.notes, m.current)
	m.said = map[screening.Verdict]string{screening.Include: "included", screening.Exclude: "excluded", screening.Maybe: "put aside as maybe"}[v]
	if reason != "" {
		m.said += ": " + reason
	}
	m.next()
	return Effect{Keep: &d}
}

// undo takes the last decision back and shows its record again.
func (m *Model) undo(now time.Time) Effect {
	last, ok := m.session.Last()
	if !ok {
		m.said = "nothing to take back"
		return Effect{}
	}
	d := screening.Decision{Record: last.Record, At: now, By: m.by}
	m.session.Apply(d)
	m.learner.Forget(last.Record)
	if last.Note != "" {
		m.notes[last.Record] = last.Note
	}
	m.show(last.Record)
	m.said = "taken back: " + string(last.Verdict)
	return Effect{Keep: &d}
}

// skip leaves the record for later.
func (m *Model) skip() {
	if m.current == "" {
		return
	}
	m.deferred = append(m.deferred, m.current)
	m.said = "left for later"
	m.next()
}

// next shows the record to read now; those left for later come last.
func (m *Model) next() {
	later := map[string]bool{}
	for _, id := range m.deferred {
		later[id] = true
	}
	id, ok := m.learner.Next()
	if ok && later[id] {
		id = ""
		for _, other := range m.learner.Order() {
			if !later[other] {
				id = other
				break
			}
		}
	}
	for ok && id == "" && len(m.deferred) > 0 {
		first := m.deferred[0]
		m.deferred = m.deferred[1:]
		if _, decided := m.session.ByPerson(first); !decided {
			id = first
		}
	}
	m.show(id)
}

func (m *Model) show(id string) {
	m.current, m.scroll = id, 0
	m.estimate = screening.Judge(m.session.Found(), len(m.corpus.Records))
}
