package arxiv

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"time"

	"optimistresearch/internal/fetch"
)

// feed is one page of Atom. Elements are matched by name space, never by
// order: the order changed with the service of 2026.
type feed struct {
	Total   int // −1 = not said
	Entries []entry
}

type wireFeed struct {
	XMLName xml.Name `xml:"http://www.w3.org/2005/Atom feed"`
	Total   string   `xml:"http://a9.com/-/spec/opensearch/1.1/ totalResults"`
	Entries []entry  `xml:"http://www.w3.org/2005/Atom entry"`
}

// entry is one paper. DOI is the DOI of the publication, never arXiv's own.
type entry struct {
	ID        string `xml:"http://www.w3.org/2005/Atom id"`
	Title     string `xml:"http://www.w3.org/2005/Atom title"`
	Summary   string `xml:"http://www.w3.org/2005/Atom summary"`
	Published string `xml:"http://www.w3.org/2005/Atom published"` // of v1
	Updated   string `xml:"http://www.w3.org/2005/Atom updated"`   // of this version
	Authors   []struct {
		Name string `xml:"http://www.w3.org/2005/Atom name"`
	} `xml:"http://www.w3.org/2005/Atom author"`
	Links []struct {
		Href  string `xml:"href,attr"`
		Title string `xml:"title,attr"`
		Type  string `xml:"type,attr"`
	} `xml:"http://www.w3.org/2005/Atom link"`
	Comment    string   `xml:"http://arxiv.org/schemas/atom comment"`
	JournalRef string   `xml:"http://arxiv.org/schemas/atom journal_ref"`
	DOIs       []string `xml:"http://arxiv.org/schemas/atom doi"`
}

// isError tells arXiv's report of a bad request from a paper. It comes as a
// feed of one entry, with status 400 from the service of 2026
// (id_list=abc, 2026-04-12) and with 200 from the older one, whose ids begin
// with http; so neither the status nor the scheme says it.
func (e entry) isError() bool {
	return strings.EqualFold(fold(e.Title), "error") && strings.Contains(e.ID, "api/errors")
}

// reported is what arXiv says in an error report.
type reported struct{ words string }

func (r *reported) Error() string { return r.words }

// decode reads a page. What XML does not allow inside a text (control
// characters, broken UTF-8) is replaced rather than costing the whole page.
func decode(body []byte) (feed, error) {
	var w wireFeed
	d := xml.NewDecoder(bytes.NewReader(sanitise(body)))
	d.Entity = xml.HTMLEntity
	if err := d.Decode(&w); err != nil {
		return feed{}, fmt.Errorf("the feed cannot be read: %w", err)
	}
	f := feed{Total: -1, Entries: w.Entries}
	if n, err := strconv.Atoi(strings.TrimSpace(w.Total)); err == nil && n >= 0 {
		f.Total = n
	}
	if f.Total < 0 && len(f.Entries) == 0 {
		return feed{}, errors.New("the feed has neither entries nor a number of hits")
	}
	return f, nil
}

var charRef = regexp.MustCompile(`&#(x[0-9a-fA-F]+|[0-9]+);`)

// sanitise replaces what the XML decoder refuses anywhere in a document.
func sanitise(body []byte) []byte {
	body = bytes.TrimPrefix(body, []byte("\xef\xbb\xbf"))
	body = bytes.ToValidUTF8(body, []byte("\uFFFD"))
	body = bytes.Map(func(r rune) rune {
		if !legal(r) {
			return ' '
		}
		return r
	}, body)
	if bytes.Contains(body, []byte("&#")) {
		body = charRef.ReplaceAllFunc(body, func(ref []byte) []byte {
			digits, base := string(ref[2:len(ref)-1]), 10
			if digits[0] == 'x' {
				digits, base = digits[1:], 16
			}
			if n, err := strconv.ParseInt(digits, base, 32); err != nil || !legal(rune(n)) {
				return []byte(" ")
			}
			return ref
		})
	}
	return body
}

// legal reports whether XML 1.0 allows a character.
func legal(r rune) bool {
	return r == '\t' || r == '\n' || r == '\r' || r >= 0x20 && r <= 0xD7FF || r >= 0xE000 && r <= 0xFFFD || r >= 0x10000 && r <= 0x10FFFF
}

// verdict judges a whole answer before it is kept; one verdict serves one
// request with its retries.
//
// 429 comes since early 2026 even to clients that keep to the pace, as
// "Rate exceeded." without Retry-After (export.arxiv.org/api/query,
// 2026-09); back-off starts at a minute and doubles. 503 means the same, and
// is not waited for more than twice. atOnce gives up without waiting.
func verdict(backoff time.Duration, atOnce bool) func(int, http.Header, []byte) error {
	refusals := 0
	return func(status int, _ http.Header, body []byte) error {
		switch {
		case status == 429 || status == 200 && bytes.Equal(bytes.TrimSpace(body), []byte("Rate exceeded.")):
			refusals++
			return &fetch.Error{Kind: fetch.Throttled, After: backoff << min(refusals-1, 8), Final: atOnce, Hint: throttledHint}
		case status == 503:
			refusals++
			return &fetch.Error{Kind: fetch.Down, After: backoff, Final: atOnce || refusals > 2}
		case bytes.Contains(body, []byte("api/errors")):
			if f, err := decode(body); err == nil && len(f.Entries) > 0 && f.Entries[0].isError() {
				return &fetch.Error{Kind: fetch.BadRequest, Err: &reported{cut(fold(f.Entries[0].Summary), 300)}}
			}
		}
		if status != 200 {
			return nil
		}
		switch root := rootName(body); {
		case root == "":
			return errors.New("the answer is no XML")
		case root != "feed":
			return fmt.Errorf("the answer is <%s> instead of an Atom feed", cut(root, 40))
		case !bytes.HasSuffix(bytes.TrimRight(body, " \t\r\n"), []byte("feed>")):
			return errors.New("the feed is cut short")
		}
		return nil
	}
}

var prolog = regexp.MustCompile(`^(?:\xef\xbb\xbf|\s+|<\?[^>]*>|<!--(?s:.*?)-->|<![^>]*>)+`)

// rootName is the name of the first element of a document, without prefix, in
// lower case; "" when it does not begin like one.
func rootName(body []byte) string {
	head := body[:min(len(body), 4096)]
	head = prolog.ReplaceAll(head, nil)
	if len(head) == 0 || head[0] != '<' {
		return ""
	}
	name := head[1:]
	if i := bytes.IndexAny(name, " \t\r\n/>"); i >= 0 {
		name = name[:i]
	}
	return strings.ToLower(string(name[bytes.IndexByte(name, ':')+1:]))
}

// cut shortens a text to n characters.
func cut(s string, n int) string {
	if r := []rune(s); len(r) > n {
		return string(r[:n]) + "…"
	}
	return s
}

// fold makes one line of a text: feeds wrap titles, summaries and even names.
func fold(s string) string { return strings.Join(strings.Fields(s), " ") }
