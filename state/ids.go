package state

import (
	"net/url"
	"regexp"
	"strconv"
	"strings"
)

var (
	doiShape   = regexp.MustCompile(`^10\.[0-9]{4,9}(\.[0-9]+)*/\S+$`)
	arxivNew   = regexp.MustCompile(`^([0-9]{4}\.[0-9]{4,5})(v[0-9]+)?$`)
	arxivOld   = regexp.MustCompile(`^([a-z][a-z-]+)(\.[a-z]{2})?/([0-9]{7})(v[0-9]+)?$`)
	digits     = regexp.MustCompile(`^[0-9]+$`)
	openalexID = regexp.MustCompile(`^w[0-9]+$`)
	s2ID       = regexp.MustCompile(`^[0-9a-f]{40}$`)
)

// NormalizeDOI brings a DOI to its comparable form: lower case, without URL
// prefix or "doi:", percent-escapes decoded, surrounding white space and
// trailing punctuation removed. It returns "" for what is no DOI. The arXiv
// DOI 10.48550/arXiv.X stays a DOI here; see ArXivFromDOI.
func NormalizeDOI(s string) string {
	s = strings.ToLower(strings.TrimSpace(s))
	for changed := true; changed; {
		changed = false
		for _, p := range []string{"https://", "http://", "dx.doi.org/", "www.doi.org/", "doi.org/", "doi:", "urn:doi:", "info:doi/", "info:"} {
			if strings.HasPrefix(s, p) {
				s, changed = strings.TrimSpace(s[len(p):]), true
			}
		}
	}
	if strings.Contains(s, "%") {
		if u, err := url.PathUnescape(s); err == nil {
			s = strings.ToLower(u)
		}
	}
	s = strings.TrimRight(strings.TrimSpace(s), ".,;:'\"”’")
	for _, pair := range []string{"()", "[]", "{}", "<>"} {
		// A closing bracket without its opening one is the text's, not the DOI's.
		for strings.HasSuffix(s, pair[1:]) && strings.Count(s, pair[1:]) > strings.Count(s, pair[:1]) {
			s = strings.TrimRight(s[:len(s)-1], ".,;:")
		}
	}
	if !doiShape.MatchString(s) {
		return ""
	}
	return s
}

// NormalizeArXiv returns the arXiv id without version, and the version
// ("v2" or ""). It takes ids, "arXiv:" forms, URLs of abstract, PDF and HTML
// pages and the arXiv DOI; "" for anything else. The subject class of an old
// id (math.GT/0309136) is dropped, as arXiv does.
func NormalizeArXiv(s string) (id, version string) {
	s = strings.ToLower(strings.TrimSpace(s))
	if doi := NormalizeDOI(s); strings.HasPrefix(doi, "10.48550/arxiv.") {
		s = strings.TrimPrefix(doi, "10.48550/arxiv.")
	}
	if i := strings.Index(s, "arxiv.org/"); i >= 0 {
		s = s[i+len("arxiv.org/"):]
		for _, p := range []string{"abs/", "pdf/", "html/", "e-print/"} {
			s = strings.TrimPrefix(s, p)
		}
		s, _, _ = strings.Cut(s, "?")
		s, _, _ = strings.Cut(s, "#")
	}
	s = strings.TrimSpace(strings.TrimPrefix(s, "arxiv:"))
	s = strings.TrimSuffix(strings.TrimRight(s, "/.,;"), ".pdf")
	if m := arxivNew.FindStringSubmatch(s); m != nil {
		return m[1], m[2]
	}
	if m := arxivOld.FindStringSubmatch(s); m != nil {
		return m[1] + "/" + m[3], m[4]
	}
	return "", ""
}

// ArXivDOI is the DataCite DOI of an arXiv id.
func ArXivDOI(id string) string { return "10.48550/arxiv." + id }

// NormalizePMID returns the digits of a PubMed id, "" if it is none.
func NormalizePMID(s string) string {
	s = strings.TrimSpace(strings.ToLower(s))
	if i := strings.LastIndex(strings.TrimRight(s, "/"), "/"); i >= 0 && strings.Contains(s, "pubmed") {
		s = strings.TrimRight(s, "/")[i+1:]
	}
	s = strings.TrimSpace(strings.TrimPrefix(s, "pmid:"))
	s = strings.TrimLeft(s, "0")
	if !digits.MatchString(s) || len(s) > 9 {
		return ""
	}
	return s
}

// NormalizePMCID returns "PMC" and digits, "" if it is no PubMed Central id.
func NormalizePMCID(s string) string {
	s = strings.ToUpper(strings.TrimSpace(s))
	s = strings.TrimRight(s, "/;")
	if i := strings.LastIndex(s, "PMC"); i >= 0 {
		s = s[i+3:]
	}
	s = strings.TrimLeft(strings.TrimLeft(s, " :-"), "0")
	s, _, _ = strings.Cut(s, ".")
	if !digits.MatchString(s) || len(s) > 9 {
		return ""
	}
	return "PMC" + s
}

// NormalizeOpenAlex returns "W…" of a work id or URL, "" if it is none.
func NormalizeOpenAlex(s string) string {
	s = strings.ToLower(strings.TrimRight(strings.TrimSpace(s), "/"))
	s = s[strings.LastIndex(s, "/")+1:]
	if !openalexID.MatchString(s) {
		return ""
	}
	return strings.ToUpper(s)
}

// NormalizeS2 returns the 40 hex digits of a Semantic Scholar paperId.
func NormalizeS2(s string) string {
	s = strings.ToLower(strings.TrimSpace(s))
	s = s[strings.LastIndex(s, "/")+1:]
	if !s2ID.MatchString(s) {
		return ""
	}
	return s
}

// SetDOI stores a DOI; the arXiv DOI is stored as the arXiv id.
func (ids IDs) SetDOI(raw string) {
	doi := NormalizeDOI(raw)
	if strings.HasPrefix(doi, "10.48550/arxiv.") {
		if id, _ := NormalizeArXiv(doi); id != "" {
			ids[ArXiv] = id
		}
		return
	}
	if doi != "" {
		ids[DOI] = doi
	}
}

func itoa(n int) string { return strconv.Itoa(n) }
