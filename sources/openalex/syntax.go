package openalex

import (
	"strings"
	"unicode/utf8"
)

// node is a word, a phrase, an operator or a parenthesised sequence.
type node struct {
	word   string
	quoted bool
	near   string // "~5" after a phrase
	op     string // AND, OR, NOT
	group  []node
}

// token is a node without group, or a parenthesis.
type token struct {
	node
	paren byte // '(' or ')'
}

// scan splits a query into tokens. A quotation mark without its partner is
// dropped.
func scan(s string) []token {
	var out []token
	words := func(s string) {
		for i, part := range strings.Split(s, "|") {
			if i > 0 {
				out = append(out, token{node: node{op: "OR"}})
			}
			for _, w := range wordsOf(part) {
				out = append(out, token{node: node{word: w, op: operators[w]}})
			}
		}
	}
	start, outside := 0, true // outside: a phrase may begin here
	for i := 0; i < len(s); {
		c := s[i]
		end := -1
		switch {
		case c == '"':
			end = strings.IndexByte(s[i+1:], '"')
		case c == '\'' && outside:
			end = closingApostrophe(s[i+1:])
		}
		switch {
		case c == '(' || c == ')':
			words(s[start:i])
			out = append(out, token{paren: c})
			start = i + 1
		case end >= 0:
			words(s[start:i])
			next := i + 1 + end + 1
			n := node{word: strings.Join(wordsOf(s[i+1:next-1]), " "), quoted: true}
			n.near = proximity(s[next:])
			next += len(n.near)
			if n.word != "" {
				out = append(out, token{node: n})
			}
			i, start, outside = next, next, true
			continue
		case c == '"':
			words(s[start:i])
			start = i + 1
		}
		outside = c == ' ' || c == '(' || c == '|'
		i++
	}
	words(s[start:])
	return out
}

// closingApostrophe finds the apostrophe that ends a phrase in single quotes:
// before a space, a parenthesis or the end, and before any other quotation.
func closingApostrophe(s string) int {
	for i := 0; i < len(s) && s[i] != '"'; i++ {
		if s[i] == '\'' && i > 0 && (i+1 == len(s) || strings.IndexByte(" ()|", s[i+1]) >= 0) {
			return i
		}
	}
	return -1
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

// parse builds the tree. A parenthesis without its partner is dropped.
func parse(tokens []token) []node {
	stack := [][]node{nil}
	top := func() *[]node { return &stack[len(stack)-1] }
	for _, t := range tokens {
		switch t.paren {
		case '(':
			stack = append(stack, nil)
		case ')':
			if len(stack) > 1 {
				closed := *top()
				stack = stack[:len(stack)-1]
				*top() = append(*top(), node{group: closed})
			}
		default:
			*top() = append(*top(), t.node)
		}
	}
	var all []node
	for _, open := range stack {
		all = append(all, open...)
	}
	return all
}

// normalise drops empty groups, needless parentheses and operators that join
// nothing, so that rendering and parsing again changes nothing.
func normalise(nodes []node) []node {
	var out []node
	join, not := "", false
	for _, n := range nodes {
		switch {
		case n.op == "NOT":
			not = true
			continue
		case n.op != "":
			if join == "" && !not {
				join = n.op
			}
			continue
		case n.word == "":
			inner := normalise(n.group)
			if len(inner) == 0 {
				continue
			}
			n = node{group: inner}
			if len(inner) == 1 {
				n = inner[0]
			}
		}
		if join != "" && len(out) > 0 {
			out = append(out, node{op: join})
		}
		if not {
			out = append(out, node{op: "NOT"})
		}
		out = append(out, n)
		join, not = "", false
	}
	if len(out) == 1 && out[0].group != nil {
		return out[0].group
	}
	return out
}

// loosen turns the long phrases after the first allowed ones into words, and
// the longest in any case.
func loosen(nodes []node, allowed int) ([]node, int) {
	out := make([]node, 0, len(nodes))
	for _, n := range nodes {
		n.group, allowed = loosenGroup(n.group, allowed)
		if length := utf8.RuneCountInString(n.word); n.quoted && length > longPhrase {
			if allowed--; allowed < 0 || length > longestPhrase {
				var words []node
				for w := range strings.FieldsSeq(n.word) {
					if operators[w] == "" {
						words = append(words, node{word: w})
					}
				}
				n = node{group: words}
			}
		}
		out = append(out, n)
	}
	return out, allowed
}

func loosenGroup(nodes []node, allowed int) ([]node, int) {
	if nodes == nil {
		return nil, allowed
	}
	return loosen(nodes, allowed)
}

// leaves counts words and phrases.
func leaves(nodes []node) int {
	n := 0
	for _, c := range nodes {
		if c.word != "" && c.op == "" {
			n++
		}
		n += leaves(c.group)
	}
	return n
}

// firstLeaves keeps the first n words and phrases; left is what is missing.
func firstLeaves(nodes []node, n int) (kept []node, left int) {
	for _, c := range nodes {
		switch {
		case c.op != "":
		case n == 0:
			continue
		case c.word != "":
			n--
		default:
			c.group, n = firstLeaves(c.group, n)
		}
		kept = append(kept, c)
	}
	return kept, n
}

func renderSeq(nodes []node) string {
	parts := make([]string, len(nodes))
	for i, n := range nodes {
		switch {
		case n.op != "":
			parts[i] = n.op
		case n.group != nil:
			parts[i] = "(" + renderSeq(n.group) + ")"
		case n.quoted:
			parts[i] = `"` + n.word + `"` + n.near
		default:
			parts[i] = n.word
		}
	}
	return strings.Join(parts, " ")
}
