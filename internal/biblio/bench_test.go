package biblio

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"runtime"
	"strings"
	"testing"
	"time"
)

// records makes entries of the size that databases give: 2 kB in RIS.
func records(n int) []Entry {
	abstract := strings.Repeat("Background: the effect of the intervention on naïve patients is not known. ", 18)
	out := make([]Entry, n)
	for i := range out {
		out[i] = Entry{ID: fmt.Sprintf("r%d", i), Type: Journal, Title: fmt.Sprintf("A randomised trial of treatment %d in adults with asthma: results & outlook", i),
			Authors: []Name{{Family: "Müller", Given: "Anna B."}, {Family: "van der Berg", Given: "Jean-Luc"}, {Family: "Okafor", Given: "C."}, {Literal: "Asthma Study Group"}, {Family: "Li", Given: "Wei"}},
			Date:    "2020-03-05", Container: "The Journal of Clinical Trials", Abbrev: "J Clin Trials", Volume: "12", Issue: "3", Pages: "100-109", Publisher: "Wiley",
			Language: "eng", Abstract: abstract, DOI: fmt.Sprintf("10.1000/jct.%d", i), PMID: fmt.Sprint(30000000 + i), ISSN: []string{"1234-567X"}, URL: "https://example.org/x",
			Keywords: []string{"asthma", "adults", "randomised trial", "inhaled corticosteroids"}, MeSH: []string{"Humans", "Asthma/drug therapy"}, Database: "Embase", Accession: fmt.Sprint("L", i)}
	}
	return out
}

func BenchmarkRead(b *testing.B) {
	const n = 2000
	for _, f := range lawFormats {
		var buf bytes.Buffer
		if err := Write(&buf, f, records(n)); err != nil {
			b.Fatal(err)
		}
		b.Run(string(f), func(b *testing.B) {
			b.ReportAllocs()
			b.SetBytes(int64(buf.Len()))
			for b.Loop() {
				s, err := Read(bytes.NewReader(buf.Bytes()), "x", func(Entry) error { return nil })
				if err != nil || s.Kept != n {
					b.Fatal(s, err)
				}
			}
			b.ReportMetric(float64(n*b.N)/b.Elapsed().Seconds(), "records/s")
		})
	}
}

func BenchmarkWrite(b *testing.B) {
	const n = 2000
	entries := records(n)
	for _, f := range lawFormats {
		b.Run(string(f), func(b *testing.B) {
			b.ReportAllocs()
			var buf bytes.Buffer
			for b.Loop() {
				buf.Reset()
				if err := Write(&buf, f, entries); err != nil {
					b.Fatal(err)
				}
			}
			b.SetBytes(int64(buf.Len()))
			b.ReportMetric(float64(n*b.N)/b.Elapsed().Seconds(), "records/s")
		})
	}
}

// repeated gives one text n times without holding it so often.
type repeated struct {
	text []byte
	n    int
	rest []byte
}

func (r *repeated) Read(p []byte) (int, error) {
	if len(r.rest) == 0 {
		if r.n == 0 {
			return 0, io.EOF
		}
		r.n--
		r.rest = r.text
	}
	n := copy(p, r.rest)
	r.rest = r.rest[n:]
	return n, nil
}

// A long file is read in the memory of a few records.
func TestManyRecords(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	for _, f := range []Format{RIS} {
		var buf bytes.Buffer
		if err := Write(&buf, f, records(100)); err != nil {
			t.Fatal(err)
		}
		var before, now runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&before)
		most := uint64(0)
		start := time.Now()
		kept := 0
		s, err := Read(&repeated{text: buf.Bytes(), n: 100}, "x", func(Entry) error {
			if kept++; kept%1000 == 0 {
				runtime.ReadMemStats(&now)
				most = max(most, now.HeapAlloc)
			}
			return nil
		})
		if err != nil || s.Kept != 10_000 {
			t.Fatal(s.String(), err)
		}
		t.Logf("%s: 10,000 records of %d bytes in %v, heap %d MiB", f, buf.Len()/100, time.Since(start), most>>20)
		if most > before.HeapAlloc+64<<20 {
			t.Errorf("%s: the heap grew to %d MiB", f, most>>20)
		}
		if d := time.Since(start); d > 30*time.Second {
			t.Errorf("%s: took %v", f, d)
		}
	}
}

// BenchmarkImport is what the command does: RIS in, JSON lines out.
func BenchmarkImport(b *testing.B) {
	const n = 2000
	var buf bytes.Buffer
	if err := Write(&buf, RIS, records(n)); err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	b.SetBytes(int64(buf.Len()))
	for b.Loop() {
		enc := json.NewEncoder(io.Discard)
		if _, err := Read(bytes.NewReader(buf.Bytes()), "x", func(e Entry) error { return enc.Encode(e) }); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(n*b.N)/b.Elapsed().Seconds(), "records/s")
}
