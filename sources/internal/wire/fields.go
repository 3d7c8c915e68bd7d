package wire

import (
	"net/url"
	"regexp"
	"slices"
	"strings"

	"optimistresearch/internal/text"
	"optimistresearch/state"
)

// mostValues is the most values of one field that are kept: keywords, grants,
// places of a copy. No work has more that anybody reads.
const mostValues = 100

// Distinct lists texts from outside as plain text without repeats and blanks,
// in their order, each cut to most characters.
func Distinct(values []Scalar, most int) []string {
	var out []string
	seen := map[string]bool{"": true}
	for _, v := range values {
		s := text.Truncate(text.OneLine(text.Strip(string(v))), most)
		if key := strings.ToLower(s); !seen[key] && len(out) < mostValues {
			seen[key] = true
			out = append(out, s)
		}
	}
	return out
}

var (
	issnShape = regexp.MustCompile(`\b[0-9]{4}-?[0-9]{3}[0-9Xx]\b`)
	isbnShape = regexp.MustCompile(`(?:97[89][0-9]{10}|[0-9]{9}[0-9X])$`)
)

// ISSNs finds serial numbers in texts, as NNNN-NNNX without repeats.
func ISSNs(given []Scalar) []string {
	var out []string
	for _, g := range given {
		for _, n := range issnShape.FindAllString(string(g[:min(len(g), 500)]), -1) {
			n = strings.ToUpper(strings.ReplaceAll(n, "-", ""))
			if n = n[:4] + "-" + n[4:]; !slices.Contains(out, n) && len(out) < mostValues {
				out = append(out, n)
			}
		}
	}
	return out
}

// ISBNs finds book numbers, one a text, which may be an address that ends in
// it: ten or thirteen digits without hyphens, without repeats.
func ISBNs(given []Scalar) []string {
	var out []string
	for _, g := range given {
		s := strings.NewReplacer("-", "", " ", "").Replace(strings.ToUpper(string(g[:min(len(g), 500)])))
		if n := isbnShape.FindString(s); n != "" && !slices.Contains(out, n) && len(out) < mostValues {
			out = append(out, n)
		}
	}
	return out
}

// Funding gathers grants without blanks and repeats. A funder alone is left
// out where a grant names it with an award.
func Funding(grants []state.Grant) []state.Grant {
	var out []state.Grant
	for _, g := range grants {
		g.Funder, g.Award = plain(g.Funder), plain(g.Award)
		known := slices.ContainsFunc(grants, func(o state.Grant) bool { return g.Award == "" && plain(o.Funder) == g.Funder && plain(o.Award) != "" })
		if g == (state.Grant{}) || known || slices.Contains(out, g) || len(out) == mostValues {
			continue
		}
		out = append(out, g)
	}
	return out
}

func plain(s string) string { return text.Truncate(text.OneLine(text.Strip(s)), 500) }

// WebAddress is an http(s) address, "" for anything else.
func WebAddress(s string) string {
	address := strings.TrimSpace(s)
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "https" && u.Scheme != "http" || u.Host == "" || len(address) > 2_000 ||
		strings.Contains(address, " ") || text.OneLine(address) != address {
		return ""
	}
	return address
}

// ORCID is the identifier of a person in its short form, "" for anything else.
func ORCID(s string) string {
	s = strings.ToUpper(s[strings.LastIndex(s, "/")+1:])
	if len(s) != 19 || strings.Trim(s, "0123456789-X") != "" {
		return ""
	}
	return s
}
