package desk

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rivo/uniseg"
	"pgregory.net/rapid"

	"optimistresearch/screening"
)

var (
	now    = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	review = screening.Review{Question: "Does exercise prevent falls in older adults?"}
)

func records() []screening.Record {
	return []screening.Record{
		{ID: "a", Title: "Exercise prevents falls in older adults", Abstract: "Falls were counted. <i>Exercise</i> helped.", Year: 2020, DOI: "10.1/a", Authors: "Jane Doe", Venue: "Journal of Falls"},
		{ID: "b", Title: "Falls and exercise\x1b[31m in red", Abstract: "A bell\a and a\u202e direction mark. " + strings.Repeat("Older adults fall. ", 200)},
		{ID: "c", Title: "老年人跌倒预防的运动干预：一项随机对照试验", Abstract: strings.Repeat("运动预防跌倒。", 60)},
		{ID: "d", Title: "Soil", Abstract: ""},
		{ID: "e"},
	}
}

func open(t interface{ Fatalf(string, ...any) }, before ...screening.Decision) (*Model, *screening.Session) {
	c := screening.NewCorpus(records())
	ranked := screening.Rank(c, review, screening.Options{})
	l := screening.NewLearner(c, review, ranked, 0)
	s := &screening.Session{}
	for _, d := range before {
		s.Apply(d)
		l.Learn(d.Record, d.Verdict)
	}
	return New(c, review, l, s, ranked, "Ada"), s
}

// press types keys, one a character, and gives what was to be kept.
func press(m *Model, keys string) (kept []screening.Decision, quit bool) {
	for _, k := range keys {
		e := m.Key(Key(k), now)
		if e.Keep != nil {
			kept = append(kept, *e.Keep)
		}
		quit = quit || e.Quit
	}
	return kept, quit
}

func screenOf(m *Model) string { return strings.Join(m.View(80, 24), "\n") }

func TestDecisions(t *testing.T) {
	m, s := open(t)
	if m.Current() != "a" {
		t.Fatalf("%s is first", m.Current())
	}
	kept, _ := press(m, "ie5m")
	want := []screening.Decision{
		{Record: "a", Verdict: screening.Include, At: now, By: "Ada"},
		{Record: kept[1].Record, Verdict: screening.Exclude, Reason: "study design", At: now, By: "Ada"},
		{Record: kept[2].Record, Verdict: screening.Maybe, At: now, By: "Ada"},
	}
	if !slices.Equal(kept, want) {
		t.Errorf("kept %+v\nwant %+v", kept, want)
	}
	for _, d := range want {
		if got, ok := s.ByPerson(d.Record); !ok || got != d {
			t.Errorf("%s: %+v", d.Record, got)
		}
	}
	if v := screenOf(m); !strings.Contains(v, "3 of 5 read · 1 included · 1 excluded · 1 maybe") {
		t.Errorf("no counts in\n%s", v)
	}
}

func TestUndo(t *testing.T) {
	m, s := open(t)
	kept, _ := press(m, "iu")
	if m.Current() != "a" || len(kept) != 2 || kept[1].Record != "a" || kept[1].Verdict != "" {
		t.Errorf("after undo: %s, %+v", m.Current(), kept)
	}
	if _, ok := s.Of("a"); ok {
		t.Error("the decision is still there")
	}
	if kept, _ := press(m, "u"); len(kept) != 0 || !strings.Contains(screenOf(m), "nothing to take back") {
		t.Errorf("undo of nothing: %+v", kept)
	}
	// A decision of an earlier session can be taken back as well, and its note stays.
	m, _ = open(t, screening.Decision{Record: "d", Verdict: screening.Exclude, Note: "look again", By: "Ada"})
	press(m, "u")
	if m.Current() != "d" || !strings.Contains(screenOf(m), "look again") {
		t.Errorf("%s is shown:\n%s", m.Current(), screenOf(m))
	}
}

func TestNotesAndTypedReasons(t *testing.T) {
	m, _ := open(t)
	press(m, "nask Bobx")
	m.Key(Backspace, now)
	m.Key(Enter, now)
	kept, quit := press(m, "et")
	if len(kept) != 0 || quit {
		t.Fatalf("decided while the reason is typed: %+v", kept)
	}
	press(m, "quite i")
	m.Key(Backspace, now)
	e := m.Key(Enter, now)
	if e.Keep == nil || e.Keep.Reason != "quite" || e.Keep.Note != "ask Bob" || e.Keep.Verdict != screening.Exclude {
		t.Errorf("%+v", e.Keep)
	}
	// Esc leaves a question without an answer; Enter answers without a reason.
	press(m, "e")
	m.Key(Escape, now)
	press(m, "e")
	if e := m.Key(Enter, now); e.Keep == nil || e.Keep.Reason != "" {
		t.Errorf("%+v", e.Keep)
	}
}

func TestLaterComesLast(t *testing.T) {
	m, _ := open(t)
	first := m.Current()
	press(m, "s")
	var read []string
	for m.Current() != "" {
		read = append(read, m.Current())
		press(m, "i")
	}
	if len(read) != 5 || read[4] != first {
		t.Errorf("read %q, want %s last", read, first)
	}
	if v := screenOf(m); !strings.Contains(v, "All records are read") {
		t.Errorf("at the end:\n%s", v)
	}
	if kept, _ := press(m, "iems"); len(kept) != 0 {
		t.Errorf("decided on nothing: %+v", kept)
	}
	if _, quit := press(m, "q"); !quit {
		t.Error("q does not end")
	}
}

func TestView(t *testing.T) {
	m, _ := open(t)
	v := screenOf(m)
	for _, want := range []string{mark + "Exercise" + plain, mark + "falls" + plain, "Jane Doe · Journal of Falls · 2020 · 10.1/a · a", "too early to say", "Why here: ", "i include"} {
		if !strings.Contains(v, want) {
			t.Errorf("no %q in\n%s", want, v)
		}
	}
	if strings.Contains(v, "<i>") {
		t.Errorf("markup is shown:\n%s", v)
	}
	press(m, "?")
	if !strings.Contains(screenOf(m), "take the last decision back") {
		t.Error("no help")
	}
	press(m, "q") // any key goes back
	if m.Current() != "a" {
		t.Error("a key in the help did something")
	}
	// A model's decision is shown beside the record.
	score := 0.9
	m, _ = open(t)
	m.session.Apply(screening.Decision{Record: "a", Verdict: screening.Include, Note: "a trial", By: "ollama:m", Model: true, Score: &score})
	if v := screenOf(m); !strings.Contains(v, "A model says: include a trial") {
		t.Errorf("no word of the model in\n%s", v)
	}
}

// Whatever is typed and however small the window: no line is wider or more than
// the window, nothing but our own control sequences is printed, and every
// decision that was taken was kept.
func TestViewLaws(t *testing.T) {
	ours := strings.NewReplacer(bold, "", dim, "", mark, "", plain, "")
	rapid.Check(t, func(t *rapid.T) {
		m, s := open(t)
		kept := 0
		for range rapid.IntRange(0, 12).Draw(t, "keys") {
			k := rapid.SampledFrom([]Key{'i', 'e', 'm', 'u', 'n', 's', '?', 'j', 'k', ' ', '1', '5', 't', 'x', '界', Enter, Escape, Backspace, Up, Down, PageUp, PageDown, 0, 7}).Draw(t, "key")
			if e := m.Key(k, now); e.Keep != nil {
				if kept++; e.Keep.Verdict == "" {
					kept -= 2
				}
			}
			width, height := rapid.IntRange(leastWidth, 140).Draw(t, "width"), rapid.IntRange(leastHeight, 60).Draw(t, "height")
			lines := m.View(width, height)
			if len(lines) > height {
				t.Fatalf("%d lines for a height of %d", len(lines), height)
			}
			for _, l := range lines {
				l = ours.Replace(l)
				if uniseg.StringWidth(l) > width {
					t.Fatalf("%d columns for a width of %d: %q", uniseg.StringWidth(l), width, l)
				}
				if strings.ContainsFunc(l, func(r rune) bool { return r < ' ' || r == 0x7f || r == '\u202e' }) {
					t.Fatalf("a control character in %q", l)
				}
			}
		}
		if got := len(s.Read()); got != kept {
			t.Fatalf("%d decisions hold, %d were kept", got, kept)
		}
	})
}
