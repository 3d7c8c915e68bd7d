package biblio

import (
	"strings"
)

// Name of an author or editor: family and given names with a suffix ("Jr."),
// or Literal, the whole name of a group or of a person whose name is not known
// in parts. Family holds the particles: "van der Berg".
type Name struct {
	Family  string `json:"family,omitempty"`
	Given   string `json:"given,omitempty"`
	Suffix  string `json:"suffix,omitempty"`
	Literal string `json:"literal,omitempty"`
}

// Particle gives what stands in lower case before the family name proper, and
// that name: "van der" and "Berg".
func (n Name) Particle() (particle, family string) {
	words := strings.Fields(n.Family)
	i := 0
	for i < len(words)-1 && particles[words[i]] {
		i++
	}
	return strings.Join(words[:i], " "), strings.Join(words[i:], " ")
}

// Display is the name as it is read out: "Martin Luther King Jr."
func (n Name) Display() string {
	if n.Literal != "" {
		return n.Literal
	}
	return oneLine(n.Given + " " + n.Family + " " + n.Suffix)
}

// NameOf makes the name of an author whom a source describes by display form,
// and, where it knows them, by parts. A group stays literal.
func NameOf(display, family, given string, collective bool) Name {
	switch {
	case collective:
		return Name{Literal: display}.normal()
	case family != "":
		n := Name{Family: family, Given: given}.normal()
		if n.Literal == "" || given != "" {
			return n
		}
	}
	if display == "" {
		display = family
	}
	return DisplayName(display)
}

// parse reads a name in the order of the formats: "Family, Given",
// "Family, Given, Jr." or a display name. One that ends in a comma is a group,
// as EndNote has it.
func parse(s string) Name {
	s = oneLine(s)
	if head, ok := strings.CutSuffix(s, ","); ok {
		return Name{Literal: head}.normal()
	}
	if strings.IndexByte(s, ',') < 0 {
		return person(s, true)
	}
	return inverted(s)
}

// inverted reads what stands before and after commas.
func inverted(s string) Name {
	var p []string
	for _, part := range strings.Split(s, ",") {
		if part = oneLine(part); part != "" {
			p = append(p, part)
		}
	}
	if len(p) == 0 {
		return Name{}
	}
	n := Name{Family: p[0]}
	for i := len(p) - 1; i > 0; i-- {
		if junior(p[i]) || len(p) > 2 && generation(p[i]) {
			n.Suffix = p[i]
			p = append(p[:i:i], p[i+1:]...)
			break
		}
	}
	n.Given = strings.Join(p[1:], ", ")
	if n.Suffix == "" { // "King, Martin Luther Jr"
		if i := strings.LastIndexByte(n.Given, ' '); i > 0 && (junior(n.Given[i+1:]) || n.Given[i+1:] == "II" || n.Given[i+1:] == "III") {
			if head := strings.Trim(n.Given[:i], ", "); head != "" {
				n.Given, n.Suffix = head, n.Given[i+1:]
			}
		}
	}
	if n.Given == "" {
		return Name{Literal: oneLine(n.Family + " " + n.Suffix)}
	}
	return n
}

func junior(s string) bool {
	switch strings.ToLower(strings.TrimSuffix(s, ".")) {
	case "jr", "sr", "jnr", "snr", "junior", "senior":
		return true
	}
	return false
}

func generation(s string) bool {
	switch strings.TrimSuffix(s, ".") {
	case "II", "III", "IV", "2nd", "3rd", "4th":
		return true
	}
	return false
}

// normal has family and given names, or a literal, or nothing. A semicolon,
// which parts names in lists, becomes a comma.
func (n Name) normal() Name {
	if clean(n.Family) && clean(n.Given) && n.Suffix == "" && n.Literal == "" && n.Family != "" && n.Given != "" {
		return n
	}
	if l := strings.Trim(oneLine(strings.ReplaceAll(n.Literal, ";", ",")), ", "); l != "" {
		return Name{Literal: l}
	}
	return inverted(strings.ReplaceAll(n.Family+","+n.Given+","+n.Suffix, ";", ","))
}

// clean reports whether a part of a name is plain letters, points, single
// blanks and hyphens that no reader takes for anything else.
func clean(s string) bool {
	space := true
	for i := 0; i < len(s); i++ {
		c := s[i]
		switch {
		case c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '-' || c == '.':
			space = false
		case c == ' ' && !space:
			space = true
		default:
			return false
		}
	}
	if i := strings.LastIndexByte(s, ' '); i >= 0 {
		s = s[i+1:]
	}
	return !space && !junior(s) && s != "II" && s != "III"
}

// names brings a list to the normal form without empty ones.
func names(in []Name) []Name {
	if len(in) == 0 {
		return nil
	}
	out := make([]Name, 0, len(in))
	for _, n := range in {
		if n = n.normal(); n != (Name{}) {
			out = append(out, n)
		}
	}
	if len(out) == 0 {
		return nil
	}
	return out
}

// joined is the inverse of parse. A group gets EndNote's comma.
func (n Name) joined() string {
	if n.Literal != "" {
		if strings.ContainsAny(n.Literal, " ,") || person(n.Literal, true) != n {
			return n.Literal + ","
		}
		return n.Literal
	}
	s := n.Family + ", " + n.Given
	if n.Suffix != "" {
		s += ", " + n.Suffix
	}
	return s
}

func joinedAll(list []Name) []string {
	out := make([]string, 0, len(list))
	for _, n := range list {
		out = append(out, n.joined())
	}
	return out
}

// initials of the given names as MEDLINE writes them: "Jean-Luc B." is "JLB".
func (n Name) initials() string {
	var b strings.Builder
	for _, w := range strings.FieldsFunc(n.Given, func(r rune) bool { return r == ' ' || r == '.' || r == '-' || r == ',' }) {
		for i, r := range w {
			if i == 0 || isUpperRun(w) {
				b.WriteRune(r)
			}
		}
	}
	return strings.ToUpper(b.String())
}

// isUpperRun reports whether w is initials without points, such as "MJ".
func isUpperRun(w string) bool {
	return len(w) <= 3 && w == strings.ToUpper(w) && w != strings.ToLower(w)
}

// medline is the short form of MEDLINE: "van Raaij MJ", "King ML Jr".
func (n Name) medline() string {
	if n.Literal != "" {
		return n.Literal
	}
	return oneLine(n.Family + " " + n.initials() + " " + strings.TrimSuffix(n.Suffix, "."))
}
