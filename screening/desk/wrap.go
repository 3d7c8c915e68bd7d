package desk

import (
	"strings"

	"github.com/rivo/uniseg"

	"optimistresearch/internal/text"
)

// cut shortens a line to a width in columns.
func cut(s string, width int) string {
	s = text.OneLine(s)
	if uniseg.StringWidth(s) <= width {
		return s
	}
	n := len([]rune(s))
	for uniseg.StringWidth(s) > width && n > 0 {
		n--
		s = text.Truncate(s, n)
	}
	return s
}

func dimmed(lines []string) []string {
	for i, l := range lines {
		lines[i] = dim + l + plain
	}
	return lines
}

// fill breaks a text into lines of at most width columns.
func fill(s string, width int) []string { return wrap(s, width, nil, "") }

// wrap breaks a text into lines and marks the words of the question. base is the
// style of what is not marked.
func (m *Model) wrap(s string, width int, base string) []string { return wrap(s, width, m.marks, base) }

func wrap(s string, width int, marks map[string]bool, base string) []string {
	marked := make([]bool, len(s)+1)
	if len(marks) > 0 {
		for _, t := range text.TokensAt(s) {
			if marks[text.Stem(t.Word)] {
				for i := t.Start; i < t.End; i++ {
					marked[i] = true
				}
			}
		}
	}
	// Cells are grapheme clusters with their columns; lines break at spaces, and
	// inside a word only if it is longer than a line or written without spaces.
	type cell struct {
		s      string
		cols   int
		marked bool
		can    bool // a line may end after it
	}
	var cells []cell
	for at, rest, state := 0, s, -1; rest != ""; {
		var c string
		var bounds int
		c, rest, bounds, state = uniseg.StepString(rest, state)
		cells = append(cells, cell{s: c, cols: bounds >> uniseg.ShiftWidth, marked: marked[at], can: bounds&uniseg.MaskLine != uniseg.LineDontBreak})
		at += len(c)
	}
	var lines []string
	for from := 0; from < len(cells); {
		cols, end, brk := 0, from, -1
		for end < len(cells) && (cols+cells[end].cols <= width || end == from || cells[end].s == " ") {
			cols += cells[end].cols
			if cells[end].can {
				brk = end + 1
			}
			end++
		}
		if end < len(cells) && brk > from {
			end = brk
		}
		var b strings.Builder
		b.WriteString(base)
		on := false
		last := end
		for last > from && cells[last-1].s == " " {
			last--
		}
		for _, c := range cells[from:last] {
			if c.marked != on {
				if on = c.marked; on {
					b.WriteString(mark)
				} else {
					b.WriteString(plain + base)
				}
			}
			b.WriteString(c.s)
		}
		if on || base != "" {
			b.WriteString(plain)
		}
		lines = append(lines, b.String())
		from = end
	}
	return lines
}
