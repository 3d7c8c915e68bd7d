package sandbox

import (
	"slices"
	"strconv"
	"strings"

	"optimistresearch/internal/text"
	"optimistresearch/state"
)

func (p *pubMedParser) wild(stem string, tag pubMedTag) (node, string) {
	t := text.Tokens(stem)
	if len(t) != 1 || len(t[0]) < 4 {
		p.q.notFound = append(p.q.notFound, stem+"*")
		return nil, ""
	}
	return words{any: p.f.starting(t[0]), in: tag.in}, t[0] + "*[" + tag.name + "]"
}

// tagged searches for a value in one field.
func (p *pubMedParser) tagged(value, tagName string, quoted bool) (node, string) {
	slop := -1
	if m := nearTag.FindStringSubmatch(tagName); m != nil {
		n, _ := strconv.Atoi(m[2])
		tagName, slop = m[1], min(n, 1000)
	}
	tag, ok := pubMedTags[tagName]
	if !ok {
		if tagName != "" {
			p.q.noField = append(p.q.noField, tagName)
		}
		tag = pubMedTags["all"]
	}
	said := `"` + value + `"[` + tag.name + "]"
	if tag.in == 0 {
		n := p.byFact(tag.name, value)
		if n == nil {
			p.q.notFound = append(p.q.notFound, value+"["+tagName+"]")
			return nil, ""
		}
		if tag.name == "Date - Publication" {
			said = value + "[" + tag.name + "]"
		}
		return n, said
	}
	if stem, isWild := strings.CutSuffix(value, "*"); isWild && !strings.Contains(stem, " ") {
		return p.wild(stem, tag)
	}
	t := text.Tokens(value)
	switch {
	case len(t) == 0:
		return nil, ""
	case tag.in == inAuthors:
		return p.author(value, tag)
	case len(t) == 1:
		n := words{any: t, in: tag.in}
		if len(p.f.eval(n)) == 0 {
			p.q.notFound = append(p.q.notFound, value)
		}
		return n, said
	}
	n := phrase{slop: slop, in: tag.in}
	for _, w := range t {
		n.seq = append(n.seq, []string{w})
	}
	if len(p.f.eval(n)) > 0 {
		return n, said
	}
	// No record has the phrase: its words are searched for instead.
	if quoted {
		p.q.noPhrase = append(p.q.noPhrase, `"`+value+`"`)
	}
	if !ok {
		return p.mapped(t)
	}
	var all allOf
	var parts []string
	for _, w := range t {
		if !text.IsFunctionWord(w) {
			all, parts = append(all, words{any: []string{w}, in: tag.in}), append(parts, `"`+w+`"[`+tag.name+"]")
		}
	}
	if len(all) == 0 {
		return nil, ""
	}
	return all, "(" + strings.Join(parts, " AND ") + ")"
}

// author matches "Family" or "Family AB", as PubMed writes names.
func (p *pubMedParser) author(value string, tag pubMedTag) (node, string) {
	said := value + "[" + tag.name + "]"
	parts := strings.Fields(value)
	last := parts[len(parts)-1]
	initials := ""
	if len(parts) > 1 && len(last) <= 3 && strings.ToUpper(last) == last {
		initials, parts = last, parts[:len(parts)-1]
	}
	want := strings.Join(text.Tokens(strings.Join(parts, " ")), " ")
	return where{func(work int32) bool {
		for _, a := range p.f.lib.Works[work].Authors {
			n := split(a)
			family := strings.Join(text.Tokens(n.family), " ")
			full := strings.Join(text.Tokens(n.full()), " ")
			if initials != "" && family == want && strings.HasPrefix(strings.ToUpper(n.initials("")), strings.ToUpper(initials)) {
				return true
			}
			if initials == "" && (family == want || full == want) {
				return true
			}
		}
		return false
	}}, said
}

// byFact matches a value that is no text; nil if it cannot match anything.
func (p *pubMedParser) byFact(name, value string) node {
	f := p.f
	record := func(ok func(r int32) bool) node {
		return where{func(work int32) bool { return ok(f.main(work)) }}
	}
	switch name {
	case "Date - Publication", "Date - Entry", "Date - Create":
		m := yearRange.FindStringSubmatch(value)
		if m == nil {
			return nil
		}
		from, _ := strconv.Atoi(m[1])
		to := from
		if m[2] != "" {
			to, _ = strconv.Atoi(m[2])
		}
		entered, _ := strconv.Atoi(day[:4])
		return record(func(r int32) bool {
			year := f.records[r].year
			if name != "Date - Publication" {
				year = entered
			}
			return year != 0 && from <= year && year <= to
		})
	case "UID":
		return record(func(r int32) bool { return f.records[r].id == state.NormalizePMID(value) })
	case "Article Identifier", "Location ID":
		doi := normalDOI(value)
		if doi == "" {
			return nil
		}
		return record(func(r int32) bool { return f.of(r).DOI == doi })
	case "Language":
		given := strings.ToLower(value)
		return record(func(r int32) bool {
			code := language(f.of(r))
			return given == medlineCodes[code] || given == medlineNames[code]
		})
	case "Publication Type":
		return record(func(r int32) bool {
			return slices.ContainsFunc(publicationTypes(f.of(r)), func(t [2]string) bool { return strings.EqualFold(t[1], value) })
		})
	case "Filter":
		switch strings.ToLower(value) {
		case "hasabstract":
			return record(func(r int32) bool { return f.records[r].abstract })
		case "booksdocs": // all of the library's PubMed records are articles
			return record(func(int32) bool { return false })
		}
	}
	return nil
}
