package biblio

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// DisplayName takes a name in reading order apart, as arXiv and others give it:
// "Joon Sung Park", "Jean-Luc van der Berg", "Martin Luther King, Jr.", "李明".
// Groups ("Memory Study Group"), single names and what is no name stay literal.
func DisplayName(s string) Name {
	s = oneLine(s)
	if head, tail, ok := strings.Cut(s, ","); ok {
		if tail = strings.TrimSpace(tail); (junior(tail) || generation(tail)) && !strings.Contains(head, ",") {
			n := person(head, false)
			if n.Literal == "" {
				n.Suffix = tail
			}
			return n.normal()
		}
		if Collective(s) {
			return Name{Literal: s}.normal()
		}
		return inverted(s)
	}
	return person(s, false)
}

// person reads a name without a comma. short allows the form of MEDLINE, where
// the family name comes first: "Smith J", "van Raaij MJ".
func person(s string, short bool) Name {
	s = oneLine(strings.Trim(s, ", "))
	words := strings.Fields(s)
	if len(words) == 1 {
		return eastAsian(s)
	}
	if len(words) == 0 || len(words) > 7 || !namelike(s) || Collective(s) {
		return Name{Literal: s}.normal()
	}
	if family, given, ok := strings.Cut(s, " "); ok && eastAsianScript(s) {
		return Name{Family: family, Given: given}.normal()
	}
	suffix := ""
	if last := words[len(words)-1]; len(words) > 2 && (junior(last) || generation(last)) {
		suffix, words = last, words[:len(words)-1]
	}
	last := len(words) - 1
	if words[last] == "AI" && !short { // "Meta AI" is no person
		return Name{Literal: s}.normal()
	}
	// One letter at the end is an initial in either order: no family name is.
	if initialsOnly(words[last]) && (short && !allCapitals(words[:last]) || utf8.RuneCountInString(strings.Trim(words[last], ".")) == 1) {
		i := last
		for i > 1 && initialsOnly(words[i-1]) {
			i--
		}
		return Name{Family: strings.Join(words[:i], " "), Given: strings.Join(words[i:], " "), Suffix: suffix}.normal()
	}
	i := last
	for j := 1; j < last; j++ {
		if particles[words[j]] || (capitalParticles[words[j]] && j >= last-3) {
			i = j
			break
		}
	}
	if i == last && particles[words[0]] && last == 1 { // "van Gogh"
		return Name{Literal: s}.normal()
	}
	return Name{Family: strings.Join(words[i:], " "), Given: strings.Join(words[:i], " "), Suffix: suffix}.normal()
}

// particles stand in lower case before a family name and belong to it.
var particles = wordSet("van von der den de del della dello degli dei di da das do dos du des la le las los ter ten te tot zu zum zur af av het 't op y e al el ibn bin bint d' st. vande vander")

// capitalParticles are those that some families write with a capital.
var capitalParticles = wordSet("Van Von Der Den De Del Della Di Da Dos Du La El Al Bin Ibn St.")

// initialsOnly reports whether w is initials: "J", "J.S.", "MJ", "J.-P.".
func initialsOnly(w string) bool {
	letters, points := 0, 0
	for _, r := range w {
		switch {
		case unicode.IsUpper(r):
			letters++
		case r == '.':
			points++
		case r == '-':
		default:
			return false
		}
	}
	return letters > 0 && (letters <= 3 || points >= letters)
}

func allCapitals(words []string) bool {
	s := strings.Join(words, "")
	return s == strings.ToUpper(s) && s != strings.ToLower(s) && utf8.RuneCountInString(s) > 3
}

// namelike reports whether s is made of what names are made of. A question mark
// or replacement sign behind a letter stands for a letter that a conversion
// lost: "B?hlen".
func namelike(s string) bool {
	before := ' '
	for _, r := range s {
		lost := (r == '?' || r == unicode.ReplacementChar) && unicode.IsLetter(before)
		before = r
		if !lost && !unicode.IsLetter(r) && !unicode.IsMark(r) && !strings.ContainsRune(" .'’-‐`´·’", r) {
			return false
		}
	}
	return true
}

// Collective reports whether a display name is that of a group, by the words
// that groups call themselves.
func Collective(s string) bool {
	low := strings.ToLower(s)
	if strings.HasPrefix(low, "the ") || strings.Contains(low, "on behalf of") || strings.Contains(low, " for the ") || strings.HasPrefix(low, "et al") {
		return true
	}
	for _, part := range eastAsianGroups {
		if strings.Contains(s, part) {
			return true
		}
	}
	from := -1
	for i, r := range low + " " {
		if unicode.IsLetter(r) {
			if from < 0 {
				from = i
			}
			continue
		}
		if from >= 0 && groupWords[low[from:i]] {
			return true
		}
		from = -1
	}
	return false
}

// groupWords are words that stand in the names of groups and not in those of
// persons. "Church", "Bank" and "Service" are family names.
var groupWords = wordSet(`group groups subgroup consortium consortia collaboration collaborations collaborative collaborators committee subcommittee society societies
university universities team teams investigators association associations organization organisation organizations institute institutes institution network project projects
council agency foundation department ministry center centre centers centres hospital hospitals college laboratory laboratories lab labs inc ltd llc gmbh corporation corp company
initiative initiatives commission taskforce task panel bureau alliance federation programme program trial trials trialists study studies authors contributors writers
academy authority services registry forum secretariat government directorate division unit office museum library libraries workshop conference research researchers
deepmind volunteers participants members editors staff community
universität université universidad universidade università gesellschaft institut instituto istituto comité groupe grupo gruppo sociedad société sociedade ministerio arbeitsgruppe arbeitsgemeinschaft verein verband`)

var eastAsianGroups = []string{"大学", "大學", "学院", "学会", "學會", "研究", "委员会", "委員会", "協会", "协会", "集团", "公司", "课题组", "团队", "编辑部", "编委会", "医院", "病院", "センター", "グループ", "학회", "대학", "연구", "위원회", "협회"}

func wordSet(s string) map[string]bool {
	m := map[string]bool{}
	for _, w := range strings.Fields(s) {
		m[w] = true
	}
	return m
}

// doubleSurnames are family names of two signs.
var doubleSurnames = wordSet("欧阳 歐陽 上官 司马 司馬 诸葛 諸葛 夏侯 皇甫 尉迟 公孙 公孫 慕容 令狐 长孙 宇文 司徒 端木 东方 남궁 황보 선우 제갈 독고 사공 서문")

// eastAsian reads a name without a blank. Chinese and Korean names of two to
// four signs are family name first; other single words stay literal, as does
// what is written in kana, where the border cannot be seen.
func eastAsian(s string) Name {
	if i := strings.Index(s, "·"); i > 0 && eastAsianScript(s) { // 约翰·史密斯: given name first
		j := strings.LastIndex(s, "·")
		return Name{Family: s[j+len("·"):], Given: s[:j]}.normal()
	}
	n := utf8.RuneCountInString(s)
	if n < 2 || n > 4 || Collective(s) {
		return Name{Literal: s}.normal()
	}
	for _, r := range s {
		if !unicode.Is(unicode.Han, r) && !unicode.Is(unicode.Hangul, r) {
			return Name{Literal: s}.normal()
		}
	}
	signs := []rune(s)
	border := 1
	if n > 2 && doubleSurnames[string(signs[:2])] || n == 4 && unicode.Is(unicode.Han, signs[0]) {
		border = 2
	}
	return Name{Family: string(signs[:border]), Given: string(signs[border:])}
}

func eastAsianScript(s string) bool {
	for _, r := range s {
		if !unicode.In(r, unicode.Han, unicode.Hangul, unicode.Hiragana, unicode.Katakana) && r != ' ' && r != '·' && r != '・' && r != 'ー' && r != '々' {
			return false
		}
	}
	return s != ""
}
