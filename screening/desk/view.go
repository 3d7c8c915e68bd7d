package desk

import (
	"fmt"
	"strings"

	"github.com/rivo/uniseg"

	"optimistresearch/internal/text"
	"optimistresearch/screening"
)

// Styles of a terminal. Marks are bold and underlined: they need no colour.
const (
	bold  = "\x1b[1m"
	dim   = "\x1b[2m"
	mark  = "\x1b[1;4m"
	plain = "\x1b[0m"
)

// Bounds of the drawing.
const (
	leastWidth  = 20
	mostWidth   = 110
	leastHeight = 8
)

// View draws the screen as at most height lines of at most width columns,
// without line ends.
func (m *Model) View(width, height int) []string {
	width, height = min(max(width, leastWidth), mostWidth), max(height, leastHeight)
	head := m.head(width)
	foot := m.foot(width)
	room := max(height-len(head)-len(foot), 1)
	body := m.body(width)
	m.scroll = min(m.scroll, max(len(body)-room, 0))
	body = body[m.scroll:]
	more := len(body) > room
	body = body[:min(len(body), room)]
	if more && room > 1 {
		body[room-1] = dim + cut("… more below: Down or space", width) + plain
	}
	for len(body) < room {
		body = append(body, "")
	}
	out := append(append(head, body...), foot...)
	return out[:min(len(out), height)]
}

// head tells how far the screening is.
func (m *Model) head(width int) []string {
	e := m.estimate
	s := fmt.Sprintf("%d of %d read · %d included · %d excluded · %d maybe", e.Read, e.Records,
		m.session.Count(screening.Include), m.session.Count(screening.Exclude), m.session.Count(screening.Maybe))
	out := []string{bold + cut(s, width) + plain, cut(Progress(e), width)}
	return append(out, dim+strings.Repeat("─", width)+plain)
}

// Progress says in one line what is left to find and what follows from it.
func Progress(e screening.Estimate) string {
	left := fmt.Sprintf("still to find: about %.0f %% (%d), at most %.0f %% (%d)", 100*e.MissingShare, e.Left, 100*e.MissingMost, e.LeftMost)
	switch e.Advice {
	case screening.TooEarly:
		return "too early to say what is left to find"
	case screening.AllRead:
		return "all records are read"
	case screening.Enough:
		return "you can stop: 95 % are found, with 95 % confidence; " + left
	case screening.Probably:
		return fmt.Sprintf("you can probably stop: nothing among the last %d; %s", e.SinceLast, left)
	}
	return "go on; " + left
}

func (m *Model) body(width int) []string {
	if m.mode == helping {
		return keyHelp(width)
	}
	i, ok := m.corpus.Find(m.current)
	if !ok {
		return append([]string{""}, fill("All records are read. u takes the last decision back, q ends.", width)...)
	}
	r := m.corpus.Records[i]
	title := text.OneLine(text.Strip(r.Title))
	if title == "" {
		title = "(no title)"
	}
	out := m.wrap(title, width, bold)
	var facts []string
	for _, f := range []string{r.Authors, r.Venue, yearOf(r.Year), r.DOI, r.ID} {
		if f = text.OneLine(f); f != "" {
			facts = append(facts, text.Truncate(f, 60))
		}
	}
	out = append(out, dimmed(fill(strings.Join(facts, " · "), width))...)
	out = append(out, "")
	abstract := text.OneLine(text.Strip(r.Abstract))
	if abstract == "" {
		out = append(out, "(no abstract)")
	} else {
		out = append(out, m.wrap(abstract, width, "")...)
	}
	if len(r.Keywords) > 0 {
		out = append(out, "")
		out = append(out, m.wrap("Keywords: "+text.OneLine(strings.Join(r.Keywords, "; ")), width, "")...)
	}
	if n := m.notes[r.ID]; n != "" {
		out = append(out, "")
		out = append(out, fill("Note: "+text.OneLine(n), width)...)
	}
	if why := m.reasons[r.ID]; why != "" {
		out = append(out, "")
		out = append(out, dimmed(fill("Why here: "+text.OneLine(why), width))...)
	}
	if d, ok := m.session.ByModel(r.ID); ok {
		out = append(out, dimmed(fill("A model says: "+text.OneLine(string(d.Verdict)+" "+d.Note), width))...)
	}
	return out
}

func yearOf(y int) string {
	if y == 0 {
		return ""
	}
	return fmt.Sprint(y)
}

func (m *Model) foot(width int) []string {
	rule := dim + strings.Repeat("─", width) + plain
	switch m.mode {
	case reasoning:
		var list []string
		for i, r := range Reasons {
			list = append(list, fmt.Sprintf("%d %s", i+1, r))
		}
		return append(append([]string{rule}, fill("Exclude because: "+strings.Join(list, "  ")+"  t other words  Enter no reason  Esc back", width)...), cut(m.said, width))
	case writing:
		typed := string(m.typed)
		prompt := map[string]string{"note": "Note: ", "reason": "Exclude because: "}[m.typing]
		for uniseg.StringWidth(prompt+typed) > width-2 && typed != "" {
			_, typed, _, _ = uniseg.FirstGraphemeClusterInString(typed, -1)
		}
		return []string{rule, prompt + typed + "█", cut("Enter keeps it, Esc drops it", width)}
	}
	return []string{rule, cut("i include · e exclude · m maybe · u undo · n note · s later · ? keys · q quit", width), cut(m.said, width)}
}

func keyHelp(width int) []string {
	var out []string
	for _, l := range []string{
		"i  include: the record goes on to full text",
		"e  exclude; then a number for the reason, t to type one, Enter for none",
		"m  maybe: read, and to be looked at again",
		"u  take the last decision back",
		"n  write a note; it is kept with the decision",
		"s  leave the record for later",
		"Up, Down, space  scroll",
		"q  end; every decision is on disk already, and the same command goes on",
		"",
		"After each decision the records that are left are put into a new order. Words of the question are marked.",
		"What is left to find is an estimate: the likely number, and the greatest that the decisions are consistent with at 95 % confidence.",
		"", "any key goes back",
	} {
		out = append(out, fill(l, width)...)
	}
	return out
}
