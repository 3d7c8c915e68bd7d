package check

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"io"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"optimistresearch/internal/fetch"
	"optimistresearch/internal/shape"
	"optimistresearch/sources"
	"optimistresearch/sources/all"
)

var update = flag.Bool("update", false, "learn the shapes anew from the recordings")

const recordings = "../../../shared/data/recorded"

type nobody struct{}

func (nobody) Do(context.Context, fetch.Request) (*fetch.Response, error) {
	return nil, errors.New("nothing is sent here")
}

func shaped(t *testing.T) []sources.Shaped {
	t.Helper()
	var out []sources.Shaped
	for _, name := range all.Names() {
		src, err := all.Build(nobody{}, name, all.Config{})
		if err != nil {
			t.Fatal(err)
		}
		s, ok := src.(sources.Shaped)
		if !ok {
			t.Errorf("%s knows no shapes", name)
			continue
		}
		out = append(out, s)
	}
	return out
}

type recorded struct {
	Source, Case, File string
	URL                string `json:"request_url"`
	Status             int
	Provenance         string
}

// bodies gives the recorded answers of a source whose body is as it was sent.
func bodies(t *testing.T, source string) (out []struct {
	recorded
	body []byte
}) {
	t.Helper()
	index, err := os.ReadFile(filepath.Join(recordings, "index.jsonl"))
	if errors.Is(err, os.ErrNotExist) {
		t.Skip("the recorded answers are not here")
	}
	if err != nil {
		t.Fatal(err)
	}
	for line := range bytes.Lines(index) {
		var r recorded
		if err := json.Unmarshal(line, &r); err != nil {
			t.Fatal(err)
		}
		if r.Source != source || r.Status != 200 || r.Provenance != "recorded" {
			continue
		}
		b, err := os.ReadFile(filepath.Join(recordings, r.File))
		if err != nil {
			t.Fatal(err)
		}
		if strings.HasSuffix(r.File, ".gz") {
			z, err := gzip.NewReader(bytes.NewReader(b))
			if err != nil {
				t.Fatal(err)
			}
			if b, err = io.ReadAll(z); err != nil {
				t.Fatal(err)
			}
		}
		out = append(out, struct {
			recorded
			body []byte
		}{r, b})
	}
	return out
}

func fits(t *testing.T, s sources.Shape, address string, body []byte) bool {
	t.Helper()
	u, err := url.Parse(address)
	if err != nil {
		return false
	}
	return regexp.MustCompile(s.Path+"$").MatchString(u.Path) && s.XML == bytes.HasPrefix(bytes.TrimSpace(body), []byte("<"))
}

// The shapes in the adapters are those of the recorded answers, and every
// recorded answer fits its shape.
func TestShapesAreLearnedFromRecordings(t *testing.T) {
	for _, src := range shaped(t) {
		t.Run(src.Name(), func(t *testing.T) {
			learned := map[string]*shape.Shape{}
			kinds := map[string]sources.Shape{}
			list := bodies(t, src.Name())
			for _, rec := range list {
				i := slices.IndexFunc(src.Shapes(), func(s sources.Shape) bool { return fits(t, s, rec.URL, rec.body) })
				if i < 0 {
					continue // of an operation that the adapter does not use
				}
				s := src.Shapes()[i]
				if learned[s.Name] == nil {
					learned[s.Name] = &shape.Shape{}
				}
				kinds[s.Name] = s
				if err := learned[s.Name].Learn(rec.body, s.At, shape.Hints{Maps: s.Maps, Leaves: s.Leaves}); err != nil {
					t.Logf("%s: %v", rec.Case, err) // an error page in place of an answer
				}
			}
			for name, s := range learned {
				for object, other := range kinds[name].Like {
					from, there, _ := strings.Cut(other, " ")
					s.Like(object, learned[from], there)
				}
			}
			for name, s := range learned {
				s.Keep(kinds[name].Of, kinds[name].Fields)
				if len(s.Fields) == 0 {
					t.Errorf("nothing was learned of %s", name)
				}
				file := filepath.Join("..", src.Name(), "shapes", name+".txt")
				if *update {
					if err := os.WriteFile(file, s.Encode(), 0o644); err != nil {
						t.Fatal(err)
					}
					continue
				}
				if !bytes.Equal(kinds[name].Text, s.Encode()) {
					t.Errorf("%s is not what the recordings show; run: go test ./sources/check -update", file)
				}
			}
			for _, s := range src.Shapes() {
				if learned[s.Name] == nil {
					t.Errorf("no recording shows %s", s.Name)
				}
			}
		})
	}
}
