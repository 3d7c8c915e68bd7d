package wire

import (
	"strings"
	"unicode/utf8"
)

// Node is a part of a Boolean query: a word or phrase, an operator, or a
// sequence in parentheses.
type Node struct {
	Word   string
	Quoted bool
	Near   string // "~5" after a phrase
	Op     string // AND, OR, NOT
	Group  []Node
}

// Grammar is how a dialect is read into nodes.
type Grammar struct {
	// Stretch reads what stands between quotation marks and parentheses, and
	// goes on after it if more is set: words and operators.
	Stretch func(s string, more bool) []Node
	// Phrase gives the words of a quoted phrase.
	Phrase func(s string) []string
}

// Read reads a query with balanced quotation marks. A parenthesis without its
// partner is dropped. The nodes are in their normal form.
func (g Grammar) Read(s string) []Node {
	stack := [][]Node{nil}
	put := func(nodes ...Node) { stack[len(stack)-1] = append(stack[len(stack)-1], nodes...) }
	start := 0
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '(':
			put(g.Stretch(s[start:i], true)...)
			stack = append(stack, nil)
			start = i + 1
		case ')':
			put(g.Stretch(s[start:i], false)...)
			start = i + 1
			if last := len(stack) - 1; last > 0 {
				closed := stack[last]
				stack = stack[:last]
				put(Node{Group: closed})
			}
		case '"':
			end := strings.IndexByte(s[i+1:], '"')
			put(g.Stretch(s[start:i], end >= 0)...)
			start = i + 1
			if end < 0 {
				continue
			}
			next := i + 1 + end + 1
			n := Node{Word: strings.Join(g.Phrase(s[i+1:next-1]), " "), Quoted: true, Near: proximity(s[next:])}
			if n.Word != "" {
				put(n)
			}
			start = next + len(n.Near)
			i = start - 1
		}
	}
	put(g.Stretch(s[start:], false)...)
	var all []Node
	for _, open := range stack {
		all = append(all, open...)
	}
	return Normal(all)
}

// proximity is a "~5" at the start of s.
func proximity(s string) string {
	n := 1
	for n < len(s) && n < 3 && s[n] >= '0' && s[n] <= '9' {
		n++
	}
	if n == 1 || s[0] != '~' || n < len(s) && s[n] != ' ' && s[n] != ')' {
		return ""
	}
	return s[:n]
}

// Normal drops empty groups, needless parentheses and operators that join
// nothing, so that rendering and reading again changes nothing.
func Normal(nodes []Node) []Node {
	var out []Node
	join, not := "", false
	for _, n := range nodes {
		switch {
		case n.Op == "NOT":
			not = true
			continue
		case n.Op != "":
			if join == "" && !not {
				join = n.Op
			}
			continue
		case n.Word == "":
			inner := Normal(n.Group)
			if len(inner) == 0 {
				continue
			}
			n = Node{Group: inner}
			if len(inner) == 1 {
				n = inner[0]
			}
		}
		if join != "" && len(out) > 0 {
			out = append(out, Node{Op: join})
		}
		if not {
			out = append(out, Node{Op: "NOT"})
		}
		out = append(out, n)
		join, not = "", false
	}
	if len(out) == 1 && out[0].Group != nil {
		return out[0].Group
	}
	return out
}

// Conjunction ANDs groups of alternatives and excludes the terms of not; of
// each it takes the first most terms.
func Conjunction(groups [][]Node, not []Node, most int) []Node {
	anyOf := func(terms []Node) Node {
		var any []Node
		for _, term := range terms[:min(most, len(terms))] {
			any = append(any, Node{Op: "OR"}, term)
		}
		return Node{Group: any}
	}
	var all []Node
	for _, group := range groups {
		all = append(all, Node{Op: "AND"}, anyOf(group))
	}
	if len(all) > 0 && len(not) > 0 {
		all = append(all, Node{Op: "NOT"}, anyOf(not))
	}
	return Normal(all)
}

// Symbols are the operators as a dialect writes them, with their spaces.
type Symbols struct{ And, Or, Not string }

// Render writes nodes in a dialect.
func (y Symbols) Render(nodes []Node) string {
	var b strings.Builder
	y.render(&b, nodes)
	return b.String()
}

func (y Symbols) render(b *strings.Builder, nodes []Node) {
	for i, n := range nodes {
		if i > 0 && n.Op == "" && nodes[i-1].Op == "" {
			b.WriteByte(' ')
		}
		switch {
		case n.Op == "AND":
			b.WriteString(y.And)
		case n.Op == "OR":
			b.WriteString(y.Or)
		case n.Op == "NOT":
			if i > 0 && nodes[i-1].Op == "" {
				b.WriteByte(' ')
			}
			b.WriteString(y.Not)
		case n.Group != nil:
			b.WriteByte('(')
			y.render(b, n.Group)
			b.WriteByte(')')
		case n.Quoted:
			b.WriteString(`"` + n.Word + `"` + n.Near)
		default:
			b.WriteString(n.Word)
		}
	}
}

// Fit renders nodes, without the last words and phrases if the whole would
// have more than most characters.
func (y Symbols) Fit(nodes []Node, most int) string {
	nodes = Normal(nodes)
	q := y.Render(nodes)
	if utf8.RuneCountInString(q) <= most {
		return q
	}
	fits, tooMany := 0, leaves(nodes)
	for fits+1 < tooMany {
		half := (fits + tooMany) / 2
		kept, _ := firstLeaves(nodes, half)
		if utf8.RuneCountInString(y.Render(Normal(kept))) <= most {
			fits = half
		} else {
			tooMany = half
		}
	}
	kept, _ := firstLeaves(nodes, fits)
	return y.Render(Normal(kept))
}

// FitConjunction renders the conjunction of groups with as many alternatives
// of each as fit into most characters, one at least.
func (y Symbols) FitConjunction(groups [][]Node, not []Node, most int) string {
	alternatives := len(not)
	for _, g := range groups {
		alternatives = max(alternatives, len(g))
	}
	low, high := 1, max(alternatives, 1) // low always counts as fitting
	for low < high {
		half := (low + high + 1) / 2
		if utf8.RuneCountInString(y.Render(Conjunction(groups, not, half))) <= most {
			low = half
		} else {
			high = half - 1
		}
	}
	return y.Fit(Conjunction(groups, not, low), most)
}

// leaves counts words and phrases.
func leaves(nodes []Node) int {
	n := 0
	for _, c := range nodes {
		if c.Word != "" && c.Op == "" {
			n++
		}
		n += leaves(c.Group)
	}
	return n
}

// firstLeaves keeps the first n words and phrases; left is what is missing.
func firstLeaves(nodes []Node, n int) (kept []Node, left int) {
	for _, c := range nodes {
		switch {
		case c.Op != "":
		case n == 0:
			continue
		case c.Word != "":
			n--
		default:
			c.Group, n = firstLeaves(c.Group, n)
		}
		kept = append(kept, c)
	}
	return kept, n
}

// Terms are the terms of each group as term makes nodes of them, without
// repeats; ones that are nothing but operators only where there is nothing
// else. The terms of not are left out with them.
func Terms(all [][]string, not []string, most int, term func(string) (Node, bool)) (groups [][]Node, excluded []Node) {
	read := func(terms []string, operators bool) []Node {
		var out []Node
		seen := map[string]bool{}
		for _, t := range terms[:min(len(terms), most)] {
			n, ok := term(t)
			if !ok || seen[n.Word] || !operators && OnlyOperators(strings.Fields(n.Word)) {
				continue
			}
			seen[n.Word] = true
			out = append(out, n)
		}
		return out
	}
	for _, operators := range []bool{false, true} {
		for _, terms := range all[:min(len(all), most)] {
			if group := read(terms, operators); len(group) > 0 {
				groups = append(groups, group)
			}
		}
		if len(groups) > 0 {
			break
		}
	}
	if len(groups) == 0 {
		return nil, nil
	}
	return groups, read(not, false)
}
