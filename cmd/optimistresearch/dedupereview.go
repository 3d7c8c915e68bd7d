package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"os/user"
	"strings"
	"time"

	"github.com/rivo/uniseg"
	"github.com/spf13/cobra"
	"golang.org/x/term"

	"optimistresearch/cmd/internal/app"
	"optimistresearch/internal/biblio"
)

func newDedupeReview(s *streams) *cobra.Command {
	var same, different, undo []string
	c := &cobra.Command{
		Use:   "review DIR",
		Short: "Decide the uncertain pairs of a result of dedupe, one by one",
		Long: `Shows the pairs of records that dedupe left open, side by side, with the places
marked in which they differ. One key decides: s same, d different, u undo the last,
n next, p previous, q quit. Every decision is stored at once, and when you quit, the result is
written anew. Without a terminal, keys are read line by line. --same, --different
and --undo decide single pairs without asking.` + exitHelp(0, 1, 2, 130),
		Example: "  optimistresearch dedupe review unique\n  optimistresearch dedupe review unique --different id_17,id_42",
		Args:    exactly(1, "optimistresearch dedupe review unique"),
		RunE: func(c *cobra.Command, args []string) error {
			r, err := app.OpenReview(args[0])
			if err != nil {
				return err
			}
			who := reviewer()
			given := false
			for _, g := range []struct {
				flag, verdict string
				pairs         []string
			}{{"--same", "same", same}, {"--different", "different", different}, {"--undo", "", undo}} {
				for _, p := range g.pairs {
					a, b, ok := strings.Cut(p, ",")
					if !ok {
						return misuse("for example: "+g.flag+" id_17,id_42", "%s takes two record ids with a comma between them, and got %q", g.flag, p)
					}
					if err := r.Decide(strings.TrimSpace(a), strings.TrimSpace(b), g.verdict, who, time.Now()); err != nil {
						return err
					}
					given = true
				}
			}
			if !given {
				if s.json {
					return misuse("use --same, --different or --undo", "--json cannot ask")
				}
				if len(r.Pairs) == 0 {
					fmt.Fprintln(s.out, "No pair is left open.")
					return nil
				}
				if err := s.review(r, who); err != nil {
					return err
				}
			}
			res, err := r.Finish()
			if err != nil {
				return err
			}
			return s.deduped(res)
		},
	}
	f := c.Flags()
	f.StringArrayVar(&same, "same", nil, "the records `A,B` are one work (repeatable)")
	f.StringArrayVar(&different, "different", nil, "the records `A,B` are two works (repeatable)")
	f.StringArrayVar(&undo, "undo", nil, "take back what was decided about the records `A,B` (repeatable)")
	return c
}

func reviewer() string {
	if u, err := user.Current(); err == nil && u.Username != "" {
		return u.Username
	}
	return "person"
}

// review asks about one pair after the other, the open ones first.
func (s *streams) review(r *app.Review, who string) error {
	keys, restore, err := s.keys()
	if err != nil {
		return err
	}
	defer restore()
	width := 100
	bold := false
	if f, ok := s.out.(*os.File); ok && term.IsTerminal(int(f.Fd())) {
		bold = os.Getenv("NO_COLOR") == ""
		if w, _, err := term.GetSize(int(f.Fd())); err == nil && w > 40 {
			width = w
		}
	}
	at := 0
	for at < len(r.Pairs) && r.Pairs[at].Verdict != "" {
		at++
	}
	at = min(at, len(r.Pairs)-1)
	var last []int
	for {
		p := r.Pairs[at]
		open := 0
		for _, x := range r.Pairs {
			if x.Verdict == "" {
				open++
			}
		}
		show(s.out, p, at+1, len(r.Pairs), open, width, bold)
		key, err := keys()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		switch key {
		case 's', 'd':
			verdict := map[rune]string{'s': "same", 'd': "different"}[key]
			if err := r.Decide(p.A, p.B, verdict, who, time.Now()); err != nil {
				return err
			}
			last = append(last, at)
			at = next(r, at)
		case 'u':
			if len(last) == 0 {
				fmt.Fprint(s.out, "Nothing was decided in this session.\r\n")
				continue
			}
			at = last[len(last)-1]
			last = last[:len(last)-1]
			if err := r.Decide(r.Pairs[at].A, r.Pairs[at].B, "", who, time.Now()); err != nil {
				return err
			}
		case 'n', ' ', '\r', '\n':
			at = (at + 1) % len(r.Pairs)
		case 'p':
			at = (at + len(r.Pairs) - 1) % len(r.Pairs)
		case 'q', 3, 4, 27:
			return nil
		}
		if open == 1 && (key == 's' || key == 'd') {
			fmt.Fprint(s.out, "All pairs are decided.\r\n")
			return nil
		}
	}
}

// next is the next open pair after at, or at itself.
func next(r *app.Review, at int) int {
	for k := 1; k < len(r.Pairs); k++ {
		if i := (at + k) % len(r.Pairs); r.Pairs[i].Verdict == "" {
			return i
		}
	}
	return at
}

// keys reads single keys from a terminal, else the first letter of each line.
func (s *streams) keys() (read func() (rune, error), restore func(), err error) {
	if f, ok := s.in.(*os.File); ok && term.IsTerminal(int(f.Fd())) {
		old, err := term.MakeRaw(int(f.Fd()))
		if err != nil {
			return nil, nil, fmt.Errorf("reading keys: %w", err)
		}
		in := bufio.NewReader(f)
		return func() (rune, error) { r, _, err := in.ReadRune(); return r, err }, func() { term.Restore(int(f.Fd()), old) }, nil
	}
	if s.in == nil {
		return nil, nil, misuse("use --same, --different or --undo", "there is no terminal and no input to read keys from")
	}
	in := bufio.NewScanner(s.in)
	return func() (rune, error) {
		if !in.Scan() {
			return 0, errors.Join(in.Err(), io.EOF)
		}
		for _, r := range strings.TrimSpace(in.Text()) {
			return r, nil
		}
		return '\n', nil
	}, func() {}, nil
}

// show prints a pair side by side. What differs is bold on a terminal, else set
// between asterisks.
func show(w io.Writer, p app.ReviewPair, n, of, open, width int, bold bool) {
	column := max((width-16)/2, 20)
	var b strings.Builder
	fmt.Fprintf(&b, "\n── pair %d of %d, %d open ── similarity %.2f ── %s\n", n, of, open, p.Similarity, p.Why)
	if p.Compare != "" {
		fmt.Fprintf(&b, "   %s\n", p.Compare)
	}
	rows := [][3]string{
		{"id", p.A, p.B}, {"title", p.EntryA.Title, p.EntryB.Title}, {"authors", people(p.EntryA), people(p.EntryB)},
		{"date", p.EntryA.Date, p.EntryB.Date}, {"in", p.EntryA.Container, p.EntryB.Container},
		{"vol., no., pp.", place3(p.EntryA), place3(p.EntryB)}, {"DOI", p.EntryA.DOI, p.EntryB.DOI}, {"PMID", p.EntryA.PMID, p.EntryB.PMID},
		{"type", p.EntryA.Type, p.EntryB.Type}, {"database", p.EntryA.Database, p.EntryB.Database}, {"abstract", cut(p.EntryA.Abstract, 600), cut(p.EntryB.Abstract, 600)},
	}
	for _, r := range rows {
		if r[1] == "" && r[2] == "" {
			continue
		}
		left, right := marked(r[1], r[2], bold && r[0] != "id"), marked(r[2], r[1], bold && r[0] != "id")
		if r[0] == "id" {
			left, right = words(r[1]), words(r[2])
		}
		l, rr := wrap(left, column), wrap(right, column)
		for i := range max(len(l), len(rr)) {
			label := ""
			if i == 0 {
				label = r[0]
			}
			fmt.Fprintf(&b, "%-14s %s │ %s\n", label, padded(l, i, column), padded(rr, i, 0))
		}
	}
	verdict := ""
	if p.Verdict != "" {
		verdict = "  decided: " + p.Verdict
	}
	fmt.Fprintf(&b, "[s]ame  [d]ifferent  [u]ndo  [n]ext  [p]revious  [q]uit%s\n", verdict)
	// A raw terminal does not return to the first column by itself.
	io.WriteString(w, strings.ReplaceAll(b.String(), "\n", "\r\n"))
}

func people(e biblio.Entry) string {
	var out []string
	for i, n := range e.Authors {
		if i == 8 {
			out = append(out, fmt.Sprintf("and %d more", len(e.Authors)-i))
			break
		}
		out = append(out, n.Display())
	}
	return strings.Join(out, "; ")
}

func place3(e biblio.Entry) string {
	var out []string
	for _, v := range []string{e.Volume, e.Issue, e.Pages + e.ArticleNumber} {
		if v == "" {
			v = "–"
		}
		out = append(out, v)
	}
	if strings.Join(out, "") == "–––" {
		return ""
	}
	return strings.Join(out, ", ")
}

func cut(s string, n int) string {
	if r := []rune(s); len(r) > n {
		return string(r[:n]) + "…"
	}
	return s
}

// word is a word with the marks around it.
type word struct{ text, before, after string }

func words(s string) []word {
	var out []word
	for _, w := range strings.Fields(clean(s)) {
		out = append(out, word{text: w})
	}
	return out
}

// clean takes out what would steer a terminal.
func clean(s string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f || r >= 0x80 && r < 0xa0 {
			return ' '
		}
		return r
	}, s)
}

// marked marks the words of s that other does not have.
func marked(s, other string, bold bool) []word {
	have := map[string]bool{}
	for _, w := range strings.Fields(other) {
		have[strings.ToLower(strings.Trim(w, ".,;:()[]"))] = true
	}
	out := words(s)
	for i := range out {
		if key := strings.ToLower(strings.Trim(out[i].text, ".,;:()[]")); key != "" && !have[key] && other != "" {
			if bold {
				out[i].before, out[i].after = "\x1b[1;33m", "\x1b[0m"
			} else {
				out[i].before, out[i].after = "*", "*"
			}
		}
	}
	return out
}

// line is a wrapped line and its width on the screen.
type line struct {
	text  string
	width int
}

func wrap(list []word, width int) []line {
	var out []line
	var now line
	for _, w := range list {
		for rest := w.text; rest != ""; {
			part := fitting(rest, width-2)
			rest = rest[len(part):]
			n := uniseg.StringWidth(part)
			extra := 0
			if w.before == "*" {
				extra = 2
			}
			if now.width > 0 && now.width+1+n+extra > width {
				out = append(out, now)
				now = line{}
			}
			if now.width > 0 {
				now.text += " "
				now.width++
			}
			now.text += w.before + part + w.after
			now.width += n + extra
		}
	}
	if now.width > 0 {
		out = append(out, now)
	}
	return out
}

// fitting is the part of s, at least one sign, that is at most width wide.
func fitting(s string, width int) string {
	end, used := 0, 0
	for g := uniseg.NewGraphemes(s); g.Next(); {
		if used += g.Width(); used > width && end > 0 {
			break
		}
		_, end = g.Positions()
	}
	return s[:end]
}

func padded(lines []line, i, width int) string {
	if i >= len(lines) {
		return strings.Repeat(" ", max(width, 0))
	}
	return lines[i].text + strings.Repeat(" ", max(width-lines[i].width, 0))
}
