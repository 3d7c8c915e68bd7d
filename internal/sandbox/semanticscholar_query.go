package sandbox

import (
	"regexp"
	"strconv"
	"strings"

	"optimistresearch/internal/text"
)

// The bulk search's language: + AND (also between terms side by side), | OR,
// - NOT, "phrases", word*, parentheses, ~N after a phrase (distance) or a word
// (fuzziness, which finds the word itself here).

type bulkParser struct {
	tokens []string
	at     int
	depth  int
	f      finder
}

// A minus before a term is a token of its own, inside a word it is part of it.
var bulkToken = regexp.MustCompile(`[()|+-]|"[^"]*"?(?:~[0-9]+)?|[^\s()|+"-][^\s()|+"]*`)

func parseBulk(query string, f finder) node {
	p := &bulkParser{tokens: bulkToken.FindAllString(query, -1), f: f}
	n := p.or()
	for p.at < len(p.tokens) {
		p.at++
		n = join(n, p.or())
	}
	if n == nil {
		return none{}
	}
	return n
}

func (p *bulkParser) peek() string {
	if p.at < len(p.tokens) {
		return p.tokens[p.at]
	}
	return ""
}

func (p *bulkParser) or() node {
	n := p.and()
	for p.peek() == "|" {
		p.at++
		switch next := p.and(); {
		case n == nil:
			n = next
		case next != nil:
			n = anyOf{n, next}
		}
	}
	return n
}

func (p *bulkParser) and() node {
	var n node
	for p.at < len(p.tokens) {
		switch t := p.peek(); {
		case t == ")" || t == "|":
			return n
		case t == "+":
			p.at++
		default:
			not := t == "-"
			if not {
				p.at++
			}
			term := p.term()
			switch {
			case term == nil:
			case not && n == nil:
				n = except{where{func(int32) bool { return true }}, term}
			case not:
				n = except{n, term}
			default:
				n = join(n, term)
			}
		}
	}
	return n
}

func (p *bulkParser) term() node {
	t := p.peek()
	p.at++
	switch {
	case t == "" || t == ")" || t == "|" || t == "+" || t == "-":
		return nil
	case t == "(":
		if p.depth++; p.depth > 100 {
			p.at = len(p.tokens)
			return nil
		}
		n := p.or()
		p.depth--
		if p.peek() == ")" {
			p.at++
		}
		return n
	case strings.HasPrefix(t, `"`):
		inner, distance, near := strings.Cut(t[1:], `"`)
		slop := -1
		if near && strings.HasPrefix(distance, "~") {
			slop, _ = strconv.Atoi(distance[1:])
		}
		return p.f.sequence(text.Tokens(inner), min(slop, 100), inText, true)
	}
	word, _, _ := strings.Cut(t, "~")
	if stem, wild := strings.CutSuffix(word, "*"); wild {
		if w := text.Tokens(stem); len(w) == 1 {
			return words{any: p.f.starting(w[0]), in: inText}
		}
	}
	return p.f.sequence(text.Tokens(word), -1, inText, true)
}
