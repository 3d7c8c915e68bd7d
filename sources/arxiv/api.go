package arxiv

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"optimistresearch/internal/fetch"
	"optimistresearch/internal/text"
	"optimistresearch/sources/internal/wire"
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
	Categories []category `xml:"http://www.w3.org/2005/Atom category"`
	Primary    category   `xml:"http://arxiv.org/schemas/atom primary_category"`
	Comment    string     `xml:"http://arxiv.org/schemas/atom comment"`
	JournalRef string     `xml:"http://arxiv.org/schemas/atom journal_ref"`
	DOIs       []string   `xml:"http://arxiv.org/schemas/atom doi"`
}

type category struct {
	Term string `xml:"term,attr"`
}

// isError tells arXiv's report of a bad request from a paper. It comes as a
// feed of one entry, with status 400 from the service of 2026
// (id_list=abc, 2026-04-12) and with 200 from the older one, whose ids begin
// with http; so neither the status nor the scheme says it.
func (e entry) isError() bool {
	return strings.EqualFold(text.OneLine(e.Title), "error") && strings.Contains(e.ID, "api/errors")
}

// reported is what arXiv says in an error report.
type reported struct{ words string }

func (r *reported) Error() string { return r.words }

// aboutID reports whether the report blames an id, as in "incorrect id format
// for abc".
func (r *reported) aboutID() bool { return slices.Contains(strings.Fields(r.words), "id") }

// decode reads a page. What XML does not allow inside a text (control
// characters, broken UTF-8) is replaced rather than costing the whole page.
func decode(body []byte) (feed, error) {
	var w wireFeed
	if err := wire.XML(body).Decode(&w); err != nil {
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
				return &fetch.Error{Kind: fetch.BadRequest, Err: &reported{text.Truncate(text.OneLine(f.Entries[0].Summary), 300)}}
			}
		}
		if status != 200 {
			return nil
		}
		switch root := strings.ToLower(wire.RootName(body)); {
		case root == "":
			return errors.New("the answer is no XML")
		case root != "feed":
			return fmt.Errorf("the answer is <%s> instead of an Atom feed", text.Truncate(root, 40))
		case !bytes.HasSuffix(bytes.TrimRight(body, " \t\r\n"), []byte("feed>")):
			return errors.New("the feed is cut short")
		}
		return nil
	}
}
