package pubmed

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"optimistresearch/internal/text"
	"optimistresearch/sources/internal/wire"
)

// found is what esearch found and what it has to say about the query.
type found struct {
	Count       int
	IDs         []string
	Translation string
	Remarks     map[string][]string // by the names of errorlist and warninglist
}

// remarks in the order in which they are told, with their words.
var remarks = []struct{ name, words string }{
	{"phrasesnotfound", "words unknown to PubMed, searched without them: "},
	{"fieldsnotfound", "field tags unknown to PubMed: "},
	{"phrasesignored", "words that PubMed ignored: "},
	{"quotedphrasesnotfound", "phrases unknown to PubMed's index, loosened: "},
	{"outputmessages", "PubMed says: "},
}

// notes are the remarks for people, and how PubMed read the query.
func (f found) notes() []string {
	var out []string
	for _, r := range remarks {
		var said []string
		for _, s := range f.Remarks[r.name] {
			if s = text.OneLine(s); s != "" && s != "No items found." {
				said = append(said, s)
			}
		}
		if len(said) > 0 {
			out = append(out, text.Truncate(r.words+strings.Join(said, ", "), 500))
		}
	}
	if t := text.OneLine(f.Translation); t != "" {
		out = append(out, text.Truncate("PubMed read it as: "+t, 1000))
	}
	return out
}

// said is an error that a utility reports inside a status of 200.
type said string

func (s said) Error() string { return "it says: " + text.Truncate(text.OneLine(string(s)), 300) }

// decodeSearch reads an answer of esearch. JSON is what we ask for; numbers
// are strings there. XML is read too, since error pages of the service come in
// it.
func decodeSearch(body []byte) (found, error) {
	if isXML(body) {
		return decodeSearchXML(body)
	}
	var w struct {
		Error  str `json:"error"` // also as ERROR
		Result *struct {
			Error       str             `json:"ERROR"`
			Count       str             `json:"count"`
			IDs         strs            `json:"idlist"`
			Translation str             `json:"querytranslation"`
			Errors      map[string]strs `json:"errorlist"`
			Warnings    map[string]strs `json:"warninglist"`
		} `json:"esearchresult"`
	}
	if err := unmarshal(body, &w); err != nil {
		return found{}, err
	}
	switch {
	case w.Error != "":
		return found{}, said(w.Error)
	case w.Result == nil:
		return found{}, errors.New("the answer has no esearchresult")
	case w.Result.Error != "":
		return found{}, said(w.Result.Error)
	}
	f := found{IDs: w.Result.IDs, Translation: string(w.Result.Translation), Remarks: map[string][]string{}}
	for _, list := range []map[string]strs{w.Result.Errors, w.Result.Warnings} {
		for name, texts := range list {
			f.Remarks[strings.ToLower(name)] = texts
		}
	}
	var err error
	f.Count, err = count(string(w.Result.Count))
	return f, err
}

func decodeSearchXML(body []byte) (found, error) {
	var w struct {
		XMLName     xml.Name `xml:"eSearchResult"`
		Errors      []string `xml:"ERROR"`
		Count       string   `xml:"Count"`
		IDs         []string `xml:"IdList>Id"`
		Translation string   `xml:"QueryTranslation"`
		Phrases     []string `xml:"ErrorList>PhraseNotFound"`
		Fields      []string `xml:"ErrorList>FieldNotFound"`
		Ignored     []string `xml:"WarningList>PhraseIgnored"`
		Quoted      []string `xml:"WarningList>QuotedPhraseNotFound"`
		Messages    []string `xml:"WarningList>OutputMessage"`
	}
	if err := wire.XML(body).Decode(&w); err != nil {
		return found{}, fmt.Errorf("the answer cannot be read: %w", err)
	}
	if len(w.Errors) > 0 {
		return found{}, said(strings.Join(w.Errors, "; "))
	}
	f := found{IDs: w.IDs, Translation: w.Translation, Remarks: map[string][]string{
		"phrasesnotfound": w.Phrases, "fieldsnotfound": w.Fields, "phrasesignored": w.Ignored,
		"quotedphrasesnotfound": w.Quoted, "outputmessages": w.Messages,
	}}
	var err error
	f.Count, err = count(w.Count)
	return f, err
}

func count(s string) (int, error) {
	n, err := strconv.Atoi(strings.TrimSpace(s))
	if err != nil || n < 0 {
		return 0, fmt.Errorf("the number of hits is %q", text.Truncate(s, 40))
	}
	return n, nil
}

// decodeLinks reads an answer of elink: the ids at the other end of one kind
// of link, each once. A work without such links has a link set without
// databases, and so has an unknown one.
func decodeLinks(body []byte, link string) ([]string, error) {
	if isXML(body) {
		return decodeLinksXML(body, link)
	}
	var w struct {
		Error str `json:"ERROR"`
		Sets  *[]struct {
			Error str `json:"ERROR"`
			DBs   []struct {
				Name  str         `json:"linkname"`
				Links []linkedOne `json:"links"`
			} `json:"linksetdbs"`
		} `json:"linksets"`
	}
	if err := unmarshal(body, &w); err != nil {
		return nil, err
	}
	if w.Error != "" {
		return nil, said(w.Error)
	}
	if w.Sets == nil {
		return nil, errors.New("the answer has no linksets")
	}
	var u union
	for _, set := range *w.Sets {
		if set.Error != "" {
			return nil, said(set.Error)
		}
		for _, db := range set.DBs {
			if string(db.Name) == link {
				for _, l := range db.Links {
					u.add(string(l))
				}
			}
		}
	}
	return u.ids, nil
}

func decodeLinksXML(body []byte, link string) ([]string, error) {
	var w struct {
		XMLName xml.Name `xml:"eLinkResult"`
		Errors  []string `xml:"ERROR"`
		Sets    []struct {
			Errors []string `xml:"ERROR"`
			DBs    []struct {
				Name string   `xml:"LinkName"`
				IDs  []string `xml:"Link>Id"`
			} `xml:"LinkSetDb"`
		} `xml:"LinkSet"`
	}
	if err := wire.XML(body).Decode(&w); err != nil {
		return nil, fmt.Errorf("the answer cannot be read: %w", err)
	}
	var u union
	for _, set := range w.Sets {
		w.Errors = append(w.Errors, set.Errors...)
		for _, db := range set.DBs {
			if strings.TrimSpace(db.Name) == link {
				for _, id := range db.IDs {
					u.add(strings.TrimSpace(id))
				}
			}
		}
	}
	if len(w.Errors) > 0 {
		return nil, said(strings.Join(w.Errors, "; "))
	}
	return u.ids, nil
}

// union collects ids, each once, in the order in which they come.
type union struct {
	ids  []string
	seen map[string]bool
}

func (u *union) add(id string) {
	if u.seen == nil {
		u.seen = map[string]bool{}
	}
	if !u.seen[id] {
		u.seen[id] = true
		u.ids = append(u.ids, id)
	}
}

// str is a string that may come as a number.
type str string

// UnmarshalJSON takes strings and numbers, and anything else for nothing.
func (s *str) UnmarshalJSON(b []byte) error {
	var plain string
	switch {
	case json.Unmarshal(b, &plain) == nil:
		*s = str(plain)
	case len(b) > 0 && (b[0] == '-' || b[0] >= '0' && b[0] <= '9'):
		*s = str(b)
	}
	return nil
}

// strs is a list of strings that may come as one string, or hold numbers.
type strs []string

// UnmarshalJSON takes what str takes, alone or in a list.
func (s *strs) UnmarshalJSON(b []byte) error {
	var list []str
	if json.Unmarshal(b, &list) != nil {
		var one str
		_ = one.UnmarshalJSON(b)
		list = []str{one}
	}
	for _, one := range list {
		if one != "" {
			*s = append(*s, string(one))
		}
	}
	return nil
}

// linkedOne is an id: a bare one from cmd=neighbor, an object with a score
// from cmd=neighbor_score.
type linkedOne str

// UnmarshalJSON takes both forms.
func (l *linkedOne) UnmarshalJSON(b []byte) error {
	var scored struct {
		ID str `json:"id"`
	}
	if len(b) > 0 && b[0] == '{' {
		err := json.Unmarshal(b, &scored)
		*l = linkedOne(scored.ID)
		return err
	}
	return (*str)(l).UnmarshalJSON(b)
}

// unmarshal decodes JSON. The errors of esearch past record 9,999 (biopython
// issue 4353, 2023) and of elink (TXCLIENT, 2026-09) hold a raw line break
// inside a string, which encoding/json rightly refuses; control characters are
// then replaced.
func unmarshal(body []byte, v any) error {
	err := json.Unmarshal(body, v)
	if _, broken := errors.AsType[*json.SyntaxError](err); broken {
		err = json.Unmarshal(bytes.Map(func(r rune) rune {
			if r < ' ' {
				return ' '
			}
			return r
		}, body), v)
	}
	if err != nil {
		return fmt.Errorf("the answer cannot be read: %w", err)
	}
	return nil
}
