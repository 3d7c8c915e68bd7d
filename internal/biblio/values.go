package biblio

import (
	"regexp"
	"strings"
	"unicode/utf8"

	"optimistresearch/internal/text"
)

// oneLine is text.OneLine with a short way for what is clean already, as most
// values are.
func oneLine(s string) string {
	space := true // at the start
	for i := 0; i < len(s); {
		c := s[i]
		if c >= utf8.RuneSelf {
			r, size := utf8.DecodeRuneInString(s[i:])
			if r == utf8.RuneError && size == 1 || unplain(r) {
				return text.OneLine(s)
			}
			space = false
			i += size
			continue
		}
		if c < ' ' || c == 0x7F || c == ' ' && space {
			return text.OneLine(s)
		}
		space = c == ' '
		i++
	}
	if space && s != "" {
		return text.OneLine(s)
	}
	return s
}

// unplain reports whether text.OneLine may change a character: blanks, controls
// and invisible marks.
func unplain(r rune) bool {
	switch {
	case r <= 0xA0, r == 0x1680, r == 0x3000, r == 0xFEFF:
		return true
	case r >= 0x2000 && r <= 0x206F:
		return r <= 0x200F || r >= 0x2028 && r <= 0x202F || r >= 0x205F
	}
	return false
}

// verbatim percent-encodes in identifiers and addresses what would end a field
// of BibTeX, and blanks, which no identifier has.
func verbatim(s string) string {
	if !strings.ContainsAny(s, "{}\\\" ") {
		return s
	}
	return verbatimSigns.Replace(s)
}

var verbatimSigns = strings.NewReplacer("{", "%7B", "}", "%7D", `\`, "%5C", `"`, "%22", " ", "%20")

var doiPrefixes = []string{"https://doi.org/", "http://doi.org/", "https://dx.doi.org/", "http://dx.doi.org/", "https://www.doi.org/", "doi.org/", "dx.doi.org/", "doi:"}

// bareDOI removes what is written before a DOI.
func bareDOI(s string) string {
	if strings.HasPrefix(s, "10.") {
		return s
	}
	return withoutPrefixes(s, doiPrefixes)
}

// looksDOI reports whether s has the form of a DOI.
func looksDOI(s string) bool {
	s = bareDOI(oneLine(s))
	slash := strings.IndexByte(s, '/')
	return strings.HasPrefix(s, "10.") && slash >= 4 && slash < len(s)-1 && !strings.ContainsRune(s, ' ')
}

var arxivPrefixes = []string{"https://arxiv.org/abs/", "http://arxiv.org/abs/", "https://arxiv.org/pdf/", "arxiv:"}

func bareArXiv(s string) string { return withoutPrefixes(s, arxivPrefixes) }

// withoutPrefixes removes the prefixes, in any case, as often as they come,
// with blanks behind them.
func withoutPrefixes(s string, prefixes []string) string {
	for again := s != ""; again; {
		again = false
		for _, p := range prefixes {
			if len(s) >= len(p) && strings.EqualFold(s[:len(p)], p) {
				s, again = strings.TrimPrefix(strings.TrimLeft(s[len(p):], " "), "%20"), true
			}
		}
	}
	return s
}

// address refuses what no reader should follow.
func address(s string) string {
	if i := strings.IndexByte(s, ':'); i > 0 && strings.EqualFold(s[:i], "javascript") {
		return ""
	}
	return s
}

// list folds each value, takes values apart at semicolons, and drops empty and
// repeated ones.
func list(values []string) []string {
	if len(values) == 0 {
		return nil
	}
	out := make([]string, 0, len(values))
	for _, s := range values {
		for s != "" {
			part, rest, _ := strings.Cut(s, ";")
			s = rest
			if part = oneLine(part); part != "" && !contains(out, part) {
				out = append(out, part)
			}
		}
	}
	if len(out) == 0 {
		return nil
	}
	return out
}

// contains looks among the values that stand near: a list of thousands must
// not cost its square.
func contains(values []string, s string) bool {
	for i := len(values) - 1; i >= 0 && i >= len(values)-200; i-- {
		if values[i] == s {
			return true
		}
	}
	return false
}

var dashSigns = strings.NewReplacer("–", "-", "—", "-", "‐", "-", "‑", "-", "−", "-")

func plainDashes(s string) string {
	for i := 0; i < len(s); i++ {
		if s[i] >= utf8.RuneSelf {
			return dashSigns.Replace(s)
		}
	}
	return s
}

var hyphens = regexp.MustCompile(` *-[- ]*`)

// pages brings ranges to one hyphen without spaces.
func pages(s string) string {
	s = plainDashes(oneLine(s))
	if strings.Contains(s, "--") || strings.Contains(s, " ") {
		s = hyphens.ReplaceAllString(s, "-")
	}
	return strings.Trim(s, "- ")
}

// splitPages gives first and last page of a plain range.
func splitPages(s string) (first, last string, ok bool) {
	first, last, ok = strings.Cut(s, "-")
	if !ok || first == "" || last == "" || strings.ContainsAny(last, "-,;") || strings.ContainsAny(first, ",;") {
		return "", "", false
	}
	return first, last, true
}

// mangled are page ranges that a spreadsheet has taken for a date: "9-11"
// became "11-Sep" or "Nov-19". Which range it was cannot be known.
var mangled = regexp.MustCompile(`(?i)^(\d{1,2}-(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)|(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)-\d{1,4})$`)

// serials gives the ISSNs and ISBNs in s, plain: "0957-9672 (Print) 09579672".
func serials(s string) (issns, isbns []string) {
	for _, w := range strings.FieldsFunc(s, func(r rune) bool { return strings.ContainsRune(" ;,()[]\t\n", r) }) {
		n := strings.ToUpper(plainDashes(strings.Trim(w, ".:")))
		bare := strings.ReplaceAll(n, "-", "")
		switch {
		case len(bare) == 8 && digits(bare[:7]) && (bare[7] == 'X' || digits(bare[7:])) && (len(n) == 8 || len(n) == 9 && n[4] == '-'):
			issns = append(issns, bare[:4]+"-"+bare[4:])
		case len(bare) == 13 && digits(bare) && (bare[:3] == "978" || bare[:3] == "979"), len(bare) == 10 && digits(bare[:9]) && (bare[9] == 'X' || digits(bare[9:])):
			isbns = append(isbns, n)
		}
	}
	return issns, isbns
}

func digits(s string) bool {
	for i := 0; i < len(s); i++ {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
	}
	return s != ""
}

// number reads a short whole number.
func number(s string) (int, bool) {
	if !digits(s) || len(s) > 9 {
		return 0, false
	}
	n := 0
	for i := 0; i < len(s); i++ {
		n = n*10 + int(s[i]-'0')
	}
	return n, true
}

// clip is a sample of a line for a message.
func clip(s string) string {
	if len(s) > 400 {
		s = strings.ToValidUTF8(s[:400], "")
	}
	return text.Truncate(text.OneLine(s), 80)
}
