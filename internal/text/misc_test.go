package text

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func TestNumbers(t *testing.T) {
	cases := []struct{ in, want string }{
		{"", ""},
		{"1,234.5 and 12 % of 3.5B", "1234.5 12 3.5"},
		{"four of five", ""},
		{"p<.05, n=30", "0.05 30"},
		{"1,234,567 tokens", "1234567"},
		{"items 1,2,3 and 12,34", "1 2 3 12 34"},
		{"10\u2009000 patients, 5\u00a0000 more", "10000 5000"},
		{"rose from 0.50 to 1.0", "0.5 1"},
		{"between 10–20 and 2019-2020", "10 20 2019 2020"},
		{"BM25, GPT-4, COVID-19, H1N1 and Hits@10", "10"},
		{"a 5-fold, 10x, 2nd, 7b gain", "5 10 2 7"},
		{"3D and 2-D scans over 3 days", "3"},
		{"1e-3, 2.5E+6, 1.5e−4 and 3em", "1e-3 2.5e6 1.5e-4 3"},
		{"−5.2% and -7", "5.2 7"},
		{"version 1.2.3 of 007", "1.2.3 7"},
		{"ends with 5.", "5"},
		{"提高了12.5％，共３００例", "12.5 300"},
		{"٣٥ مريضا", "35"},
		{"(95% CI: 1.2, 3.4)", "95 1.2 3.4"},
		{"0 and 0.0", "0 0"},
		{"US$1,000", "1000"},
		{"10^5 and 10²", "10 5 10"},
	}
	for _, c := range cases {
		if got := strings.Join(Numbers(c.in), " "); got != c.want {
			t.Errorf("Numbers(%q) = %q, want %q", c.in, got, c.want)
		}
	}
}

func FuzzNumbers(f *testing.F) {
	for _, s := range []string{"1,234.5", "1e-5", ".5.5.", "٣e٣", "1,2,345,6789"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		for _, n := range Numbers(s) {
			if strings.Trim(n, "0123456789.e-") != "" || n == "" {
				t.Fatalf("Numbers(%q) has %q", s, n)
			}
			if again := Numbers(n); len(again) != 1 || again[0] != n {
				t.Fatalf("Numbers(%q) = %q", n, again)
			}
		}
	})
}

func TestTruncate(t *testing.T) {
	cases := []struct {
		in   string
		n    int
		want string
	}{
		{"", 5, ""},
		{"short", 5, "short"},
		{"anything", 0, ""},
		{"abcdef", 4, "abc…"},
		{"memory of language agents", 19, "memory of language…"},
		{"a survey of the memory of agents", 29, "a survey of the memory of…"},
		{"memory of language agents", 18, "memory of languag…"},
		{"记忆机制研究", 4, "记忆机…"},
		{"e\u0301e\u0301e\u0301", 4, "e\u0301…"},
		{"abc", 1, "…"},
	}
	for _, c := range cases {
		if got := Truncate(c.in, c.n); got != c.want {
			t.Errorf("Truncate(%q, %d) = %q, want %q", c.in, c.n, got, c.want)
		}
	}
}

func FuzzTruncate(f *testing.F) {
	f.Add("memory of agents", 7)
	f.Add("e\u0301\xff👩‍👩‍👧", 3)
	f.Fuzz(func(t *testing.T, s string, n int) {
		if got := utf8.RuneCountInString(Truncate(s, n)); got > max(n, 0) {
			t.Fatalf("Truncate(%q, %d) has %d characters", s, n, got)
		}
	})
}

func TestOneLine(t *testing.T) {
	if got, want := OneLine(" a\n\tb\x1b[31m\u202ec\x00 \xff "), "a b[31mc \ufffd"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestLanguage(t *testing.T) {
	cases := []struct {
		in, want  string
		confident bool
	}{
		{"", "", false},
		{"12345 !!", "", false},
		{"The agent retrieves past experience from a long-term memory and uses what it finds to plan the next action.", "en", true},
		{"Le système récupère les souvenirs de la mémoire à long terme et les utilise pour planifier les actions suivantes.", "fr", true},
		{"Das System ruft Erinnerungen aus dem Langzeitgedächtnis ab und verwendet sie, um die nächste Handlung zu planen.", "de", true},
		{"我们提出了一种用于大语言模型智能体的长期记忆机制，并在多个基准上进行了评估。", "zh", true},
		{"エージェントのための長期記憶を提案し、評価した。", "ja", true},
		{"Агент извлекает прошлый опыт из долговременной памяти и использует его для планирования.", "ru", true},
	}
	for _, c := range cases {
		code, confident := Language(c.in)
		if code != c.want || confident != c.confident {
			t.Errorf("Language(%q) = %q, %v; want %q, %v", c.in, code, confident, c.want, c.confident)
		}
	}
	if _, confident := Language("Memory systems"); confident {
		t.Error("confident about two words")
	}
}

func TestLanguageIsStable(t *testing.T) {
	for _, s := range []string{"a", "ab cd", "memory", "la le les", "x y z", "over de"} {
		first, _ := Language(s)
		for range 30 {
			if again, _ := Language(s); again != first {
				t.Fatalf("Language(%q) gave %q, then %q", s, first, again)
			}
		}
	}
}
