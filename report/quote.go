package report

import (
	"fmt"
	"net/url"
	"strings"
)

// csvField writes one cell of a CSV file. A cell that a spreadsheet would take
// for a formula gets an apostrophe in front.
func csvField(s string) string {
	s = plain(s)
	if s != "" && strings.IndexByte("=+-@\t\r|%", s[0]) >= 0 {
		s = "'" + s
	}
	if strings.ContainsAny(s, ",\"\n\r;") || strings.HasPrefix(s, "'") || strings.HasPrefix(s, " ") {
		return `"` + strings.ReplaceAll(s, `"`, `""`) + `"`
	}
	return s
}

// csvRow writes a row with its line end.
func csvRow(cells ...string) string {
	out := make([]string, len(cells))
	for i, c := range cells {
		out[i] = csvField(c)
	}
	return strings.Join(out, ",") + "\n"
}

// yamlString writes a quoted YAML scalar on one line.
func yamlString(s string) string {
	s = plain(s)
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r < 0x20 || r == 0x7F || r == 0x85 || r == 0x2028 || r == 0x2029 || r == 0xFEFF:
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			b.WriteRune(r)
		}
	}
	b.WriteByte('"')
	return b.String()
}

// svgText writes outside text inside an SVG element.
func svgText(s string) string {
	return strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;", "'", "&#39;").Replace(plain(s))
}

// link gives a Markdown autolink for an http or https address; "" for any
// other.
func link(address string) string {
	u := safeURL(address)
	if u == "" {
		return ""
	}
	return "<" + u + ">"
}

// safeURL gives an absolute http or https address without any character that
// could end the place where it stands; "" for what is none.
func safeURL(address string) string {
	address = strings.TrimSpace(address)
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || u.User != nil {
		return ""
	}
	var b strings.Builder
	for _, c := range []byte(u.String()) {
		if c <= ' ' || c >= 0x7F || strings.IndexByte("<>\"'`\\[](){}|^*", c) >= 0 {
			fmt.Fprintf(&b, "%%%02X", c)
			continue
		}
		b.WriteByte(c)
	}
	return b.String()
}

// doiURL is the resolver's address of a DOI.
func doiURL(doi string) string {
	var b strings.Builder
	for _, c := range []byte(doi) {
		if c <= ' ' || c >= 0x7F || strings.IndexByte("<>\"'`\\[](){}|^*%#?", c) >= 0 {
			fmt.Fprintf(&b, "%%%02X", c)
			continue
		}
		b.WriteByte(c)
	}
	return "https://doi.org/" + b.String()
}
