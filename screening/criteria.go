package screening

import (
	"regexp"
	"strings"
	"unicode"

	"optimistresearch/internal/text"
)

// Review says what is looked for. Question must not be empty; Title is that of
// the review, if it has one; the criteria have one wish a line.
type Review struct {
	Title     string `json:"title,omitempty"`
	Question  string `json:"question"`
	Inclusion string `json:"inclusion_criteria,omitempty"`
	Exclusion string `json:"exclusion_criteria,omitempty"`
}

// topic is the text that names the subject.
func (rv Review) topic() string {
	return strings.Trim(strings.TrimSpace(strings.TrimRight(rv.Title, " .?!"))+". "+lines(rv.Question, " "), ". ")
}

// bullet is what a criterion begins with.
var bullet = regexp.MustCompile(`^(?:[-*•–—]+|\(?\d{1,2}[.)]|\(?[a-zA-Z][.)])\s+`)

// criteria takes a list of criteria apart, one a line; bullets and numbers go.
func criteria(s string) []string {
	var out []string
	for line := range strings.Lines(s) {
		line = strings.TrimSpace(line)
		line = strings.TrimSpace(bullet.ReplaceAllString(line, ""))
		if strings.IndexFunc(line, unicode.IsLetter) >= 0 {
			out = append(out, text.OneLine(line))
		}
	}
	return out
}

// lines joins the criteria of a list.
func lines(s, sep string) string { return strings.Join(criteria(s), sep) }

// heading is a line that says which criteria follow.
var heading = regexp.MustCompile(`(?i)^[\s#*_>-]*(?:(?P<in>inclusion|include|included|eligib\w*|einschluss\w*|inclusi[oó]n)|(?P<ex>exclusion|exclude|excluded|ausschluss\w*|exclusi[oó]n))\b[^:]{0,40}:?[\s*_]*(?P<rest>.*)$`)

// ReadCriteria takes a file of criteria apart. What follows a line that begins
// with "Inclusion" or "Exclusion" belongs there; what stands before any such
// line includes.
func ReadCriteria(s string) (inclusion, exclusion string) {
	var in, ex []string
	into := &in
	for line := range strings.Lines(s) {
		line = strings.TrimSpace(line)
		if m := heading.FindStringSubmatch(line); m != nil && (strings.Contains(line, ":") || len(strings.Fields(line)) <= 4) {
			into = &in
			if m[heading.SubexpIndex("ex")] != "" {
				into = &ex
			}
			_, line, _ = strings.Cut(line, ":")
			line = strings.Trim(line, " *_")
		}
		if line != "" {
			*into = append(*into, line)
		}
	}
	return strings.Join(in, "\n"), strings.Join(ex, "\n")
}
