package pubmed

import (
	"net/url"
	"regexp"
	"sort"
	"strings"
)

// Clean implements sources.Source. Phrases, field tags, ranges, truncation,
// operators and parentheses stay. Removed or mended is what PubMed errs on or
// drops without a word: "?", "#", "&", "|", "*" after fewer than four letters,
// brackets that are no field tag, unbalanced quotation marks and parentheses,
// operators without an operand. A tag behind parentheses, which PubMed does
// not know, goes to the terms inside.
func (s *Source) Clean(q string) string {
	if len(q) > 2*longestQuery {
		q = q[:2*longestQuery]
	}
	tokens := tokenise(straighten(q))
	fits := func(n int) bool { return len(url.QueryEscape(assemble(tokens[:n]))) <= longestQuery }
	n := len(tokens)
	if !fits(n) {
		n = max(sort.Search(n, func(n int) bool { return !fits(n) })-1, 0)
	}
	return assemble(tokens[:n])
}

// token is a piece of a query as it will be sent.
type token struct {
	kind byte // 'o' operator, ':' between the ends of a range, '(', ')', 'w' operand
	text string
	tag  string // of an operand, with its brackets
}

var (
	tagShape   = regexp.MustCompile(`^ *\[([^\[\]]{1,60})\]`)
	rangeShape = regexp.MustCompile(`^[0-9]{4}(/[0-9]{1,2}){0,2}:[0-9]{4}(/[0-9]{1,2}){0,2}$`)
	dateShape  = regexp.MustCompile(`^[0-9]{4}(/[0-9]{1,2}){0,2}$`)
	proximity  = regexp.MustCompile(`^(.*\S) *: *(~[0-9]{1,3}|noexp)$`)
)

// fields are PubMed's field tags, short and long, in lower case.
var fields = func() map[string]bool {
	set := map[string]bool{}
	for _, f := range strings.Split(`ad affiliation,aid article identifier,all all fields,au author,auid author - identifier,1au author - first,
		lastau author - last,cn author - corporate,corporate author,cois conflict of interest statements,dcom date - completion,
		crdt date - create,edat date - entry,mhda date - mesh,lr date - modification,dp date - publication,pdat publication date,
		epdat electronic publication date,ppdat print publication date,doi,rn ec/rn number,ed editor,filter,sb subset,fau full author name,
		gr grants and funding,grant number,ir investigator,full investigator name,is issn,isbn,ip issue,ta journal,jour,la language,lang,
		lid location id,mh mesh terms,mesh,majr mesh major topic,sh mesh subheading,subheading,nm supplementary concept,ot other term,
		pg pagination,ps personal name as subject,pa pharmacological action,pl place of publication,pmid,pmcid pmc,pt publication type,
		ptyp,publisher,si secondary source id,ti title,title/abstract,tiab,ab abstract,tw text word,text words,tt transliterated title,
		uid,vi volume,bk book`, ",") {
		f = strings.TrimSpace(f)
		set[f] = true
		if short, long, ok := strings.Cut(f, " "); ok {
			set[short], set[long] = true, true
		}
	}
	return set
}()

// tagOf reads a field tag at the start of s: the tag as it is sent, and the
// number of bytes it takes. The tag is "" for brackets that hold no tag.
func tagOf(s string) (tag string, n int) {
	m := tagShape.FindStringSubmatch(s[:min(len(s), 300)]) // a regexp costs the length of its input
	if m == nil {
		return "", 0
	}
	name, suffix := fold(m[1]), ""
	if p := proximity.FindStringSubmatch(name); p != nil {
		name, suffix = p[1], ":"+p[2]
	}
	if !fields[strings.ToLower(name)] {
		return "", 0
	}
	return "[" + name + suffix + "]", len(m[0])
}

// tokenise reads a straightened query.
func tokenise(s string) []token {
	var out []token
	for {
		s = strings.TrimLeft(s, " ")
		if s == "" {
			return out
		}
		switch s[0] {
		case '"':
			end := strings.IndexByte(s[1:], '"')
			if end < 0 { // the quotation mark that is left over
				s = s[1:]
				continue
			}
			inner := phrase(s[1 : end+1])
			s = s[end+2:]
			tag, n := tagOf(s)
			s = s[n:]
			if inner != "" {
				out = append(out, token{'w', `"` + inner + `"`, tag})
			}
			continue
		case '(':
			out = append(out, token{kind: '(', text: "("})
			s = s[1:]
			continue
		case ')':
			s = s[1:]
			tag, n := tagOf(s)
			s = s[n:]
			spread(out, tag)
			out = append(out, token{kind: ')', text: ")"})
			continue
		case '[', ']':
			s = s[1:]
			continue
		case ':':
			s = s[1:]
			if len(out) > 0 && dateTags[strings.ToLower(out[len(out)-1].tag)] {
				out = append(out, token{kind: ':', text: ":"})
			}
			continue
		}
		end := strings.IndexAny(s, ` "()[]`)
		if end < 0 {
			end = len(s)
		}
		chunk := s[:end]
		s = s[end:]
		switch chunk {
		case "AND", "OR", "NOT":
			out = append(out, token{kind: 'o', text: chunk})
			continue
		}
		tag, n := tagOf(s)
		s = s[n:]
		out = append(out, operands(chunk, tag)...)
	}
}

var dateTags = map[string]bool{
	"[dp]": true, "[pdat]": true, "[edat]": true, "[crdt]": true, "[mhda]": true, "[lr]": true, "[epdat]": true, "[ppdat]": true, "[dcom]": true,
	"[date - publication]": true, "[date - entry]": true, "[date - create]": true, "[date - mesh]": true,
	"[date - modification]": true, "[date - completion]": true, "[publication date]": true,
}

// phrase is the inside of quotation marks: words, a date, or a DOI.
func phrase(s string) string {
	if s = fold(s); dateShape.MatchString(s) || doiShape.MatchString(s) {
		return capTerm(s)
	}
	return capTerm(strings.Join(words(s, true), " "))
}

var doiShape = regexp.MustCompile(`^10\.[0-9]{4,9}/[^\s"\[\]]+$`)

// operands are the terms in a run without white space; the last has the tag.
func operands(chunk, tag string) []token {
	if rangeShape.MatchString(chunk) || doiShape.MatchString(chunk) && !strings.ContainsAny(chunk, parting) {
		return []token{{'w', capTerm(chunk), tag}}
	}
	var out []token
	for _, w := range words(chunk, true) {
		switch w = capTerm(w); {
		case onlyOperators([]string{w}):
			w = strings.ToLower(w)
		}
		out = append(out, token{'w', w, ""})
	}
	if len(out) > 0 {
		out[len(out)-1].tag = tag
	}
	return out
}

// spread gives a tag to the untagged operands of the group that is about to
// be closed.
func spread(tokens []token, tag string) {
	if tag == "" {
		return
	}
	depth := 0
	for i := len(tokens) - 1; i >= 0 && depth >= 0; i-- {
		switch tokens[i].kind {
		case ')':
			depth++
		case '(':
			depth--
		case 'w':
			if tokens[i].tag == "" {
				tokens[i].tag = tag
			}
		}
	}
}

// assemble joins tokens so that parentheses balance, none is empty, and every
// operator stands between two operands.
func assemble(tokens []token) string {
	var out []token
	depth := 0
	last := func() byte {
		if len(out) == 0 {
			return '('
		}
		return out[len(out)-1].kind
	}
	dropOperators := func() {
		for len(out) > 0 && (last() == 'o' || last() == ':') {
			out = out[:len(out)-1]
		}
	}
	closeOne := func() {
		dropOperators()
		depth--
		if last() == '(' {
			out = out[:len(out)-1]
			return
		}
		out = append(out, token{kind: ')', text: ")"})
	}
	for _, t := range tokens {
		switch t.kind {
		case '(':
			depth++
			out = append(out, t)
		case ')':
			if depth > 0 {
				closeOne()
			}
		case 'o', ':':
			switch last() {
			case '(', ':':
			case 'o':
				if t.text == "NOT" && out[len(out)-1].text == "AND" {
					out[len(out)-1] = t
				}
			default:
				out = append(out, t)
			}
		default:
			out = append(out, t)
		}
	}
	for depth > 0 {
		closeOne()
	}
	dropOperators()
	var b strings.Builder
	for i, t := range out {
		if i > 0 && t.kind != ')' && out[i-1].kind != '(' && t.kind != ':' && out[i-1].kind != ':' {
			b.WriteByte(' ')
		}
		b.WriteString(t.text + t.tag)
	}
	return b.String()
}
