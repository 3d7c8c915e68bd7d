package evidence

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"optimistresearch/internal/text"
	"optimistresearch/state"
)

// person is an author's name in the form in which names are compared here.
type person struct {
	family, given string // folded; given may be an initial or ""
	orcid         string
}

// authorGroups splits documents into groups that share an author, directly or
// through other documents of the list. A document without authors is a group of
// its own. Groups and their members are sorted.
func authorGroups(s *state.State, documents []string) [][]string {
	documents = state.Union(documents, nil)
	people := make([][]person, len(documents))
	for i, id := range documents {
		people[i] = persons(s.Documents[id].Authors)
	}
	keys := newKeyring(people)
	parent := make([]int, len(documents))
	for i := range parent {
		parent[i] = i
	}
	root := func(i int) int {
		for parent[i] != i {
			parent[i] = parent[parent[i]]
			i = parent[i]
		}
		return i
	}
	holder := map[string]int{}
	for i := range documents {
		for _, p := range people[i] {
			for _, k := range keys.of(p) {
				if j, ok := holder[k]; ok {
					a, b := root(i), root(j)
					parent[max(a, b)] = min(a, b)
				} else {
					holder[k] = i
				}
			}
		}
	}
	groups := make([][]string, len(documents))
	for i, id := range documents {
		r := root(i)
		groups[r] = append(groups[r], id)
	}
	return slices.DeleteFunc(groups, func(g []string) bool { return g == nil })
}

// keyring resolves a name with an initial to the one full name that it can
// stand for among the authors given, so that "Wang, Y." does not tie every
// Yan, Yi and Yu Wang together.
type keyring struct{ full map[string]map[string]bool } // "family|initial" → given names

func newKeyring(people [][]person) keyring {
	k := keyring{full: map[string]map[string]bool{}}
	for _, list := range people {
		for _, p := range list {
			if utf8.RuneCountInString(p.given) > 1 {
				i := p.initialKey()
				if k.full[i] == nil {
					k.full[i] = map[string]bool{}
				}
				k.full[i][p.given] = true
			}
		}
	}
	return k
}

func (k keyring) of(p person) []string {
	var out []string
	if p.orcid != "" {
		out = append(out, "orcid|"+p.orcid)
	}
	given := p.given
	if full := k.full[p.initialKey()]; utf8.RuneCountInString(given) == 1 && len(full) == 1 {
		given = state.Keys(full)[0]
	}
	return append(out, p.family+"|"+given)
}

func (p person) initialKey() string {
	r, _ := utf8.DecodeRuneInString(p.given)
	if p.given == "" {
		r = '-'
	}
	return p.family + "|" + string(r)
}

func persons(authors []state.Author) []person {
	var out []person
	for _, a := range authors {
		if p, ok := personOf(a); ok {
			out = append(out, p)
		}
	}
	return out
}

func personOf(a state.Author) (person, bool) {
	name := text.OneLine(a.Name)
	family, given := text.OneLine(a.Family), text.OneLine(a.Given)
	if a.Collective || family == "" && given == "" && !strings.ContainsAny(name, " ,") {
		key := text.TitleKey(name)
		return person{family: key, orcid: orcid(a)}, key != "" && !nobody[key]
	}
	if family == "" {
		family, given = splitName(name)
	}
	words := strings.Fields(text.TitleKey(family))
	if len(words) == 0 || nobody[strings.Join(words, " ")] {
		return person{}, false
	}
	p := person{family: words[len(words)-1], orcid: orcid(a)}
	if g := strings.FieldsFunc(text.Fold(given), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsMark(r) && r != '-' && r != '\'' }); len(g) > 0 {
		p.given = strings.Map(func(r rune) rune {
			if unicode.IsLetter(r) || unicode.IsMark(r) {
				return r
			}
			return -1
		}, g[0])
		if initials(given) {
			_, n := utf8.DecodeRuneInString(p.given)
			p.given = p.given[:n]
		}
	}
	return p, true
}

func orcid(a state.Author) string {
	id := strings.ToUpper(strings.TrimSpace(a.ORCID))
	return id[strings.LastIndexByte(id, '/')+1:]
}

// splitName reads "Family, Given", "Given Family" and "Family GI".
func splitName(name string) (family, given string) {
	if f, g, ok := strings.Cut(name, ","); ok {
		return f, g
	}
	words := strings.Fields(name)
	last := words[len(words)-1]
	if len(words) > 1 && initials(last) && !initials(words[0]) {
		return strings.Join(words[:len(words)-1], " "), last
	}
	return last, strings.Join(words[:len(words)-1], " ")
}

// initials reports whether a given name is written "J", "J.-P." or "JP".
func initials(given string) bool {
	letters := 0
	for _, r := range given {
		switch {
		case unicode.IsUpper(r):
			letters++
		case unicode.IsLetter(r):
			return false
		}
	}
	return letters > 0 && letters <= 3
}

var nobody = map[string]bool{"anonymous": true, "unknown": true, "na": true, "n a": true, "none": true, "et al": true, "others": true}
