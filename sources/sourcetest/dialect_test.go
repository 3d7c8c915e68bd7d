package sourcetest

import (
	"errors"
	"strings"
	"testing"

	"optimistresearch/sources"
)

// joiner writes words joined by one operator.
type joiner struct {
	toy
	operator string
}

func (j joiner) Write(e sources.Expr) string {
	var words []string
	for _, group := range e.All {
		words = append(words, group...)
	}
	return strings.Join(words, j.operator)
}

func (j joiner) Clean(q string) string {
	if j.operator == "" {
		return ""
	}
	return q
}

func TestDialectFindsDefects(t *testing.T) {
	d := Dialect{
		Fold: strings.ToLower,
		Parse: func(q string) (*Clause, error) {
			all := &Clause{}
			for _, w := range strings.Fields(q) {
				switch {
				case w == "AND" || w == "OR":
					all.Ops = append(all.Ops, w)
				case strings.ContainsAny(w, "?"):
					return nil, errors.New("a question mark")
				default:
					all.Parts = append(all.Parts, &Clause{Text: w})
				}
			}
			if len(all.Parts) == 0 {
				return nil, nil
			}
			return all, nil
		},
		Fields: map[sources.Field][]string{sources.Anywhere: {""}},
	}
	and := sources.Expr{All: [][]string{{"rods"}, {"dust"}}}
	mixed := sources.Expr{All: [][]string{{"rods", "sand"}, {"dust"}}}
	for _, c := range []struct {
		name  string
		check func(*spy)
		says  string
	}{
		{"what is right", func(s *spy) { d.CheckWrite(s, joiner{operator: " AND "}, and) }, ""},
		{"OR for AND", func(s *spy) { d.CheckWrite(s, joiner{operator: " OR "}, and) }, "means something else"},
		{"AND for OR", func(s *spy) { d.CheckWrite(s, joiner{operator: " AND "}, mixed) }, "means something else"},
		{"a foreign field", func(s *spy) {
			d.CheckWrite(s, joiner{operator: " AND "}, sources.Expr{All: and.All, Field: sources.Title})
		}, `binds "rods" to ""`},
		{"what does not parse", func(s *spy) { d.CheckClean(s, joiner{operator: "x"}, "rods?") }, "a question mark"},
		{"lost words", func(s *spy) { d.CheckClean(s, joiner{}, "rods and dust") }, `lost "rods"`},
		{"a typed query that is lost", func(s *spy) { d.CheckTyped(s, joiner{}, "rods AND dust") }, "Clean("},
	} {
		report := &spy{TB: t}
		c.check(report)
		if all := strings.Join(report.words, "\n"); !strings.Contains(all, c.says) || c.says == "" && all != "" {
			t.Errorf("%s: reported %q, want %q", c.name, all, c.says)
		}
	}
}
