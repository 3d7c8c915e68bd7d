package report

import (
	"bytes"
	"encoding/csv"
	"encoding/xml"
	"html"
	"regexp"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"
	ghtml "github.com/yuin/goldmark/renderer/html"
)

func TestMarkdownEscape(t *testing.T) {
	for in, want := range map[string]string{
		"plain p < 0.05 and R&D":      "plain p < 0.05 and R&amp;D",
		"<script>alert(1)</script>":   "&lt;script>alert(1)&lt;/script>",
		"[x](javascript:alert(1))":    `\[x\](javascript:alert(1))`,
		"![x](http://e.x/p)":          `!\[x\](http:\/\/e.x/p)`,
		"see www.example.org":         `see www\.example.org`,
		"# heading":                   `\# heading`,
		"#1 of all":                   "#1 of all",
		"- item":                      `\- item`,
		"-5 % change":                 "-5 % change",
		"1. first":                    `1\. first`,
		"0.5 points":                  "0.5 points",
		"> quote":                     "&gt; quote",
		"---":                         `\---`,
		"a | b":                       `a \| b`,
		"two\nlines\r\nand\ttabs\x00": "two lines and tabs",
		"doc_0001 and _emphasis_":     `doc_0001 and \_emphasis\_`,
		"**bold** `code` $x$":         "\\*\\*bold\\*\\* \\`code\\` \\$x\\$",
		"left\u202eright":             "leftright",
		"ذاكرة الوكيل 记忆":             "ذاكرة الوكيل 记忆",
		"&lt;b&gt;":                   "&amp;lt;b&amp;gt;",
	} {
		if got := md(in); got != want {
			t.Errorf("md(%q) = %q, want %q", in, got, want)
		}
	}
}

var (
	markdown = goldmark.New(goldmark.WithExtensions(extension.GFM), goldmark.WithRendererOptions(ghtml.WithUnsafe()))
	tag      = regexp.MustCompile(`<[^>]*>`)
)

// Whatever text comes in, Markdown shows exactly that text and nothing acts.
func FuzzMarkdownShowsTheText(f *testing.F) {
	for _, s := range []string{"<b>x</b>", "[a](b)", "[a]: b", "![i](x)", "https://x.y", "a  b", "*a*", "1) x", "+ x", "===", "~~~", "    code", "a\\", "|a|b|", "x@y.z", "&#60;", "- [ ] x", "[^1]", "\\[", "ftp://a.b", "<!-- x"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		var b bytes.Buffer
		if err := markdown.Convert([]byte(md(s)+"\n"), &b); err != nil {
			t.Fatal(err)
		}
		out := strings.TrimSpace(b.String())
		if plain(s) == "" {
			return
		}
		for _, x := range tag.FindAllString(out, -1) {
			// An address of mail may become a link to write to it, no more.
			if x != "<p>" && x != "</p>" && !strings.HasPrefix(x, `<a href="mailto:`) && x != "</a>" {
				t.Fatalf("md(%q) = %q acts: %s", s, md(s), out)
			}
		}
		if got := html.UnescapeString(tag.ReplaceAllString(out, "")); got != plain(s) {
			t.Fatalf("md(%q) = %q shows %q", s, md(s), got)
		}
	})
}

func TestCodeSpan(t *testing.T) {
	for in, want := range map[string]string{"": "", "a": "`a`", "a`b": "``a`b``", "`a": "`` `a ``", "a\nb": "`a b`"} {
		if got := code(in); got != want {
			t.Errorf("code(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestCSVField(t *testing.T) {
	for in, want := range map[string]string{
		"plain": "plain", "=1+1": "'=1+1", "+x": "'+x", "-x": "'-x", "@x": "'@x", "a,\"b\"": `a,"b"`, "two\nlines": "two lines", " =x": "'=x", "": "", "\t=x": "'=x",
	} {
		rows, err := csv.NewReader(strings.NewReader(csvRow("first", in))).ReadAll()
		if err != nil || len(rows) != 1 || rows[0][1] != want {
			t.Errorf("csvRow(%q) reads as %q, %v; want %q", in, rows, err, want)
		}
	}
}

func FuzzQuotedFormats(f *testing.F) {
	for _, s := range []string{"a", "\"", "\\", ": #", "\u2028", "=x", "<&>'\"", "\x00", "---", "ذ"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		var y struct{ V string }
		if err := yaml.Unmarshal([]byte("v: "+yamlString(s)+"\n"), &y); err != nil {
			t.Fatalf("YAML of %q: %v", s, err)
		}
		if y.V != plain(s) {
			t.Fatalf("YAML of %q reads as %q", plain(s), y.V)
		}
		var x struct {
			V string `xml:",chardata"`
		}
		if err := xml.Unmarshal([]byte("<v>"+svgText(s)+"</v>"), &x); err != nil {
			t.Fatalf("SVG of %q: %v", s, err)
		}
	})
}

func TestAddresses(t *testing.T) {
	for in, want := range map[string]string{
		"https://doi.org/10.1/a(b)": "https://doi.org/10.1/a%28b%29", "javascript:alert(1)": "", "http://u:p@h/": "", "//h/x": "", "http://": "",
		"http://h/ x>y": "http://h/%20x%3Ey", "ftp://h/x": "",
	} {
		if got := safeURL(in); got != want {
			t.Errorf("safeURL(%q) = %q, want %q", in, got, want)
		}
	}
	if got := doiURL("10.1002/(sici)1<1::aid>3.0"); got != "https://doi.org/10.1002/%28sici%291%3C1::aid%3E3.0" {
		t.Error(got)
	}
}
