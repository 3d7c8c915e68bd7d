package sourcetest

import (
	"fmt"
	"hash/fnv"
	"slices"
	"strings"
	"testing"
	"unicode"

	"pgregory.net/rapid"

	"optimistresearch/sources"
)

// Dialect is what a Boolean query language of a service looks like, told by
// the test of the adapter apart from the adapter's own code.
type Dialect struct {
	// Parse reads a query strictly; the error says what is wrong with it. nil
	// is the empty query.
	Parse func(q string) (*Clause, error)
	// Fold brings texts to one form that differ in case, accents or width only,
	// such as text.Fold.
	Fold func(string) string
	// Fields lists what a leaf of a query for a field may be bound to.
	Fields map[sources.Field][]string
	// Excluded lists what an excluded term may be bound to, by the same fields;
	// nil = Fields.
	Excluded map[sources.Field][]string
	// Tagged renders a word or "phrase" bound to a field of the dialect, for
	// queries that a person could type.
	Tagged []func(term string) string
	// Not is the dialect's word for NOT.
	Not string
	// Lost reports whether Clean may lose the words of an input, which holds
	// codes, say, that are no words.
	Lost func(input string) bool
}

// Clause is a part of a parsed query: a leaf with a text, or clauses joined by
// operators, one fewer than there are clauses. An operator is AND, OR, NOT or,
// between clauses side by side, "".
type Clause struct {
	Field, Text string
	Parts       []*Clause
	Ops         []string
}

// leaves calls f for every leaf.
func (c *Clause) leaves(f func(*Clause)) {
	if c == nil {
		return
	}
	if len(c.Parts) == 0 {
		f(c)
	}
	for _, p := range c.Parts {
		p.leaves(f)
	}
}

// holds says whether a work fits a query, by what is true of its leaves. AND
// and NOT bind closer than OR unless leftToRight; side by side means AND.
func (c *Clause) holds(leftToRight bool, truth func(*Clause) bool) bool {
	if len(c.Parts) == 0 {
		return truth(c)
	}
	value, any := c.Parts[0].holds(leftToRight, truth), false
	for i, op := range c.Ops {
		next := c.Parts[i+1].holds(leftToRight, truth)
		switch op {
		case "OR":
			if leftToRight {
				value = value || next
			} else {
				any, value = any || value, next
			}
		case "NOT":
			value = value && !next
		default:
			value = value && next
		}
	}
	return any || value
}

// core is a text reduced to its letters and digits, folded: what a dialect may
// not change.
func (d Dialect) core(s string) string {
	s = strings.ToValidUTF8(s, " ")
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsNumber(r) {
			return r
		}
		return -1
	}, d.Fold(s))
}

// symbolic reports whether a text has symbols that stand for letters, such as
// ⒜; a dialect may take them for either.
func (d Dialect) symbolic(s string) bool {
	return strings.ContainsFunc(s, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsNumber(r) && !unicode.IsMark(r) && d.core(string(r)) != ""
	})
}

// CheckWrite checks that what the source writes for an expression parses and
// means the expression, however operators are taken to bind.
func (d Dialect) CheckWrite(t rapid.TB, source sources.Source, e sources.Expr) {
	t.Helper()
	for _, group := range append(e.All[:len(e.All):len(e.All)], e.Not) {
		if slices.ContainsFunc(group, d.symbolic) {
			return
		}
	}
	q := source.Write(e)
	c, err := d.Parse(q)
	if err != nil {
		t.Errorf("Write(%+v) = %q: %v", e, q, err)
		return
	}
	groups := d.telling(e.All, false)
	if len(groups) == 0 {
		groups = d.telling(e.All, true)
	}
	if c == nil || len(groups) == 0 {
		if c != nil || len(groups) > 0 {
			t.Errorf("Write(%+v) = %q says something else", e, q)
		}
		return
	}
	excluded := map[string]bool{}
	if not := d.telling([][]string{e.Not}, false); len(not) > 0 {
		for _, core := range not[0] {
			excluded[core] = true
		}
	}
	c.leaves(func(leaf *Clause) {
		allowed := d.Fields[e.Field]
		if d.Excluded != nil && excluded[d.core(leaf.Text)] {
			allowed = append(allowed[:len(allowed):len(allowed)], d.Excluded[e.Field]...)
		}
		if !slices.Contains(allowed, leaf.Field) {
			t.Errorf("Write(%+v) = %q binds %q to %q", e, q, leaf.Text, leaf.Field)
		}
	})
	for seed := range 16 {
		want := true
		for _, group := range groups {
			want = want && slices.ContainsFunc(group, func(core string) bool { return chance(seed, core) })
		}
		for core := range excluded {
			want = want && !chance(seed, core)
		}
		for _, leftToRight := range []bool{true, false} {
			if got := c.holds(leftToRight, func(leaf *Clause) bool { return chance(seed, d.core(leaf.Text)) }); got != want {
				t.Errorf("Write(%+v) = %q means something else (operators from left to right: %t)", e, q, leftToRight)
				return
			}
		}
	}
}

// telling are the cores of the terms of each group that has any; terms that
// are nothing but operators count only on request.
func (d Dialect) telling(groups [][]string, operators bool) [][]string {
	var out [][]string
	for _, group := range groups {
		var cores []string
		for _, term := range group {
			words := strings.FieldsFunc(d.Fold(strings.ToValidUTF8(term, " ")), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsNumber(r) && !unicode.IsMark(r) })
			bare := slices.DeleteFunc(words, func(w string) bool {
				return w == "and" || w == "or" || w == "not" || w == "andnot"
			})
			if core := d.core(term); core != "" && (operators || len(bare) > 0) {
				cores = append(cores, core)
			}
		}
		if len(cores) > 0 {
			out = append(out, cores)
		}
	}
	return out
}

// chance is whether a work of a kind has a term: one of two, by lot.
func chance(seed int, core string) bool {
	h := fnv.New64a()
	fmt.Fprint(h, seed, core)
	return h.Sum64()>>17&1 == 0
}

// CheckClean checks that what Clean gives for any input parses and keeps its
// words.
func (d Dialect) CheckClean(t rapid.TB, source sources.Source, in string) {
	t.Helper()
	q := source.Clean(in)
	if _, err := d.Parse(q); err != nil {
		t.Errorf("Clean(%q) = %q: %v", in, q, err)
		return
	}
	if len(in) > 500 || d.symbolic(in) || d.Lost != nil && d.Lost(in) {
		return
	}
	core := d.core(q)
	for _, w := range strings.FieldsFunc(strings.ToValidUTF8(in, " "), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsNumber(r) && !unicode.IsMark(r) }) {
		switch w {
		case "AND", "OR", "NOT", "ANDNOT":
			continue
		}
		if c := d.core(w); !strings.Contains(core, c) {
			t.Errorf("Clean(%q) = %q lost %q", in, q, w)
		}
	}
}

// CheckTyped checks that Clean keeps the meaning of a query that is right
// already, also when the last quotation mark is missing.
func (d Dialect) CheckTyped(t rapid.TB, source sources.Source, q string) {
	t.Helper()
	before, err := d.Parse(q)
	if err != nil || before == nil {
		t.Errorf("the test's own query %q is wrong: %v", q, err)
		return
	}
	forms := []string{q}
	if i := strings.LastIndexByte(q, '"'); i >= 0 && i == len(q)-1 {
		forms = append(forms, q[:i])
	}
	for _, form := range forms {
		clean := source.Clean(form)
		after, err := d.Parse(clean)
		if err != nil || after == nil {
			t.Errorf("Clean(%q) = %q: %v", form, clean, err)
			continue
		}
		same := func(leaf *Clause) string { return leaf.Field + ":" + d.core(leaf.Text) }
		for seed := range 16 {
			truth := func(leaf *Clause) bool { return chance(seed, same(leaf)) }
			if before.holds(true, truth) != after.holds(true, truth) || before.holds(false, truth) != after.holds(false, truth) {
				t.Errorf("Clean(%q) = %q means something else", form, clean)
				break
			}
		}
	}
}

// Run draws expressions and queries and checks them all.
func (d Dialect) Run(t *testing.T, source sources.Source) {
	terms := []string{
		"rods", "dust", "water divining", "graph neural networks", "COVID-19", "naïve Bayes", "深層学習", "two’s complement", "a/b", "title: subtitle?",
		"AND", "or not", "not a rod", "p<0.05", "C++", "", "???", "Łódź", "node.js", "“rods”", "(rods", "x*",
	}
	t.Run("write", func(t *testing.T) {
		for _, term := range terms {
			d.CheckWrite(t, source, sources.Expr{All: [][]string{{term}}})
		}
		rapid.Check(t, func(t *rapid.T) {
			term := rapid.OneOf(rapid.SampledFrom(terms), rapid.StringN(0, 12, 40))
			d.CheckWrite(t, source, sources.Expr{
				All:   rapid.SliceOfN(rapid.SliceOfN(term, 0, 3), 0, 3).Draw(t, "all"),
				Not:   rapid.SliceOfN(term, 0, 2).Draw(t, "not"),
				Field: rapid.SampledFrom([]sources.Field{sources.Anywhere, sources.TitleAbstract, sources.Title}).Draw(t, "field"),
			})
		})
	})
	t.Run("clean", func(t *testing.T) {
		for _, in := range strange {
			d.CheckClean(t, source, in)
		}
		rapid.Check(t, func(t *rapid.T) {
			d.CheckClean(t, source, rapid.OneOf(rapid.StringN(0, 40, 120),
				rapid.StringOfN(rapid.RuneFrom([]rune(`ab "()[]:*?-|+~'ANDOR`)), 0, 40, -1)).Draw(t, "query"))
		})
	})
	t.Run("typed", func(t *testing.T) {
		rapid.Check(t, func(t *rapid.T) { d.CheckTyped(t, source, d.typed(t, 3)) })
	})
}

// typed draws a query that a person who knows the dialect could type.
func (d Dialect) typed(t *rapid.T, depth int) string {
	n := rapid.IntRange(1, 3).Draw(t, "clauses")
	var b strings.Builder
	for i := range n {
		if i > 0 {
			b.WriteString(rapid.SampledFrom([]string{" AND ", " OR ", " " + d.Not + " "}).Draw(t, "operator"))
		}
		if depth > 0 && rapid.IntRange(0, 3).Draw(t, "kind") == 0 {
			b.WriteString("(" + d.typed(t, depth-1) + ")")
			continue
		}
		term := rapid.SampledFrom([]string{"rods", "dust", "Lodz", `"water divining"`, `"graph neural networks"`}).Draw(t, "term")
		if k := rapid.IntRange(-1, len(d.Tagged)-1).Draw(t, "tag"); k >= 0 {
			term = d.Tagged[k](term)
		}
		b.WriteString(term)
	}
	return b.String()
}
