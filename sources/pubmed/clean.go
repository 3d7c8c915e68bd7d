package pubmed

import (
	"regexp"
	"strings"

	"optimistresearch/internal/text"
	"optimistresearch/sources/internal/wire"
)

// Clean implements sources.Source. Phrases, field tags, ranges, truncation,
// operators and parentheses stay. Removed or mended is what PubMed errs on or
// drops without a word: "?", "#", "&", "|", "*" after fewer than four letters,
// brackets that are no field tag, unbalanced parentheses, operators without an
// operand. A phrase that is not closed is closed before its tag, the next
// operator, or at the end. A tag behind parentheses, which PubMed does not
// know, goes to the terms inside.
func (s *Source) Clean(q string) string {
	if len(q) > 2*longestQuery {
		q = q[:2*longestQuery]
	}
	return wire.Assemble(tokenise(wire.CloseQuotes(wire.Straighten(q), operatorFirst)), "NOT", longestQuery)
}

// operatorFirst reports whether a query goes on with an operator in capitals.
func operatorFirst(rest string) bool {
	w, _, _ := strings.Cut(strings.TrimLeft(rest, " "), " ")
	return operators[w]
}

var operators = map[string]bool{"AND": true, "OR": true, "NOT": true}

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
	name, suffix := text.OneLine(m[1]), ""
	if p := proximity.FindStringSubmatch(name); p != nil {
		name, suffix = p[1], ":"+p[2]
	}
	if !fields[strings.ToLower(name)] {
		return "", 0
	}
	return "[" + name + suffix + "]", len(m[0])
}

// tokenise reads a straightened query.
func tokenise(s string) []wire.Token {
	var out []wire.Token
	for {
		s = strings.TrimLeft(s, " ")
		if s == "" {
			return out
		}
		switch s[0] {
		case '"':
			end := strings.IndexByte(s[1:], '"')
			inner := phrase(s[1 : end+1])
			s = s[end+2:]
			tag, n := tagOf(s)
			s = s[n:]
			if inner != "" {
				out = append(out, wire.Token{Kind: wire.Operand, Text: `"` + inner + `"`, Tag: tag})
			}
			continue
		case '(':
			out = append(out, wire.Token{Kind: wire.Open, Text: "("})
			s = s[1:]
			continue
		case ')':
			s = s[1:]
			tag, n := tagOf(s)
			s = s[n:]
			spread(out, tag)
			out = append(out, wire.Token{Kind: wire.Close, Text: ")"})
			continue
		case '[', ']':
			s = s[1:]
			continue
		case ':':
			s = s[1:]
			if len(out) > 0 && dateTags[strings.ToLower(out[len(out)-1].Tag)] {
				out = append(out, wire.Token{Kind: wire.Between, Text: ":"})
			}
			continue
		}
		end := strings.IndexAny(s, ` "()[]`)
		if end < 0 {
			end = len(s)
		}
		chunk := s[:end]
		s = s[end:]
		if operators[chunk] {
			out = append(out, wire.Token{Kind: wire.Operator, Text: chunk})
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
	if s = text.OneLine(s); dateShape.MatchString(s) || doiShape.MatchString(s) {
		return capTerm(s)
	}
	return capTerm(strings.Join(words(s, true), " "))
}

var doiShape = regexp.MustCompile(`^10\.[0-9]{4,9}/[^\s"\[\]]+$`)

// operands are the terms in a run without white space; the last has the tag.
func operands(chunk, tag string) []wire.Token {
	if rangeShape.MatchString(chunk) || doiShape.MatchString(chunk) && !strings.ContainsAny(chunk, parting) {
		return []wire.Token{{Kind: wire.Operand, Text: capTerm(chunk), Tag: tag}}
	}
	var out []wire.Token
	for _, w := range words(chunk, true) {
		if w = capTerm(w); wire.OnlyOperators([]string{w}) {
			w = strings.ToLower(w)
		}
		out = append(out, wire.Token{Kind: wire.Operand, Text: w})
	}
	if len(out) > 0 {
		out[len(out)-1].Tag = tag
	}
	return out
}

// spread gives a tag to the untagged operands of the group that is about to
// be closed.
func spread(tokens []wire.Token, tag string) {
	if tag == "" {
		return
	}
	depth := 0
	for i := len(tokens) - 1; i >= 0 && depth >= 0; i-- {
		switch tokens[i].Kind {
		case wire.Close:
			depth++
		case wire.Open:
			depth--
		case wire.Operand:
			if tokens[i].Tag == "" {
				tokens[i].Tag = tag
			}
		}
	}
}
