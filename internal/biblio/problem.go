package biblio

import (
	"fmt"
	"strings"

	"optimistresearch/internal/text"
)

// Problem is something that a reader could not use, or doubts, and where.
type Problem struct {
	Line    int    `json:"line"`             // 1 = first; 0 = not known
	Entry   string `json:"entry,omitempty"`  // its id or title, when known
	Message string `json:"message"`          // the reason, a sentence
	Sample  string `json:"sample,omitempty"` // what stands there, shortened
}

func (p Problem) Error() string {
	var b strings.Builder
	if p.Line > 0 {
		fmt.Fprintf(&b, "line %d: ", p.Line)
	}
	if p.Entry != "" {
		fmt.Fprintf(&b, "entry %s: ", text.Truncate(text.OneLine(p.Entry), 80))
	}
	b.WriteString(p.Message)
	if p.Sample != "" {
		fmt.Fprintf(&b, ": %q", p.Sample)
	}
	return b.String()
}

// Most problems that a Summary lists one by one; the rest is only counted.
const (
	mostSkips    = 10_000
	mostWarnings = 1_000
)

// Summary of a file that was read.
type Summary struct {
	Name     string    `json:"name"`
	Format   Format    `json:"format"`
	Dialect  string    `json:"dialect,omitempty"` // "Scopus", "Embase", … where the format has some
	Encoding string    `json:"encoding"`
	Kept     int       `json:"kept"`    // records handed out
	Skipped  int       `json:"skipped"` // records not handed out, each with its reason
	Warned   int       `json:"warned"`  // doubts; no record was lost for them
	Skips    []Problem `json:"skips,omitempty"`
	Warnings []Problem `json:"warnings,omitempty"`
}

// String is one line for a person.
func (s Summary) String() string {
	format := string(s.Format)
	if s.Dialect != "" {
		format += " of " + s.Dialect
	}
	return fmt.Sprintf("%s (%s, %s): %d records kept, %d skipped, %d warnings", text.OneLine(s.Name), format, s.Encoding, s.Kept, s.Skipped, s.Warned)
}

func (s *Summary) skip(line int, entry, sample, format string, args ...any) {
	s.Skipped++
	if len(s.Skips) < mostSkips {
		s.Skips = append(s.Skips, Problem{Line: line, Entry: clip(entry), Message: fmt.Sprintf(format, args...), Sample: clip(sample)})
	}
}

func (s *Summary) warn(line int, entry, sample, format string, args ...any) {
	s.Warned++
	if len(s.Warnings) < mostWarnings {
		s.Warnings = append(s.Warnings, Problem{Line: line, Entry: clip(entry), Message: fmt.Sprintf(format, args...), Sample: clip(sample)})
	}
}
