package text

import (
	"strings"
	"testing"
	"time"
)

func TestStripMarkup(t *testing.T) {
	cases := []struct{ name, in, want string }{
		{"plain", "Memory in the Age of AI Agents", "Memory in the Age of AI Agents"},
		{"inline", "CO<sub>2</sub> uptake by <i>E. coli</i>", "CO2 uptake by E. coli"},
		{"blocks", "<p>One.</p><p>Two.</p>", "One. Two."},
		{"JATS", "<jats:title>Background</jats:title><jats:p>We <jats:italic>show</jats:italic> it.</jats:p>", "Background We show it."},
		{"other prefix", "<ns4:p>x<ns4:sup>2</ns4:sup></ns4:p>", "x2"},
		{"MathML", `value <mml:math><mml:mi>p</mml:mi><mml:mo>&lt;</mml:mo><mml:mn>0.05</mml:mn></mml:math> only`, "value p<0.05 only"},
		{"MathML annotation", `<math><mi>x</mi><annotation encoding="application/x-tex">x_{tex}</annotation></math>!`, "x!"},
		{"tex-math beside MathML", `<alternatives><tex-math>\alpha</tex-math><mml:math><mml:mi>α</mml:mi></mml:math></alternatives>`, "α"},
		{"tex-math of a publisher", `x <tex-math>\documentclass[12pt]{minimal} \usepackage{amsmath} \setlength{\oddsidemargin}{-69pt} \begin{document}$$\alpha \le 2$$\end{document}</tex-math> y`, "x α ≤ 2 y"},
		{"tex-math alone", `<tex-math>\alpha</tex-math> test`, "α test"},
		{"escaped tags", "The &lt;i&gt;Drosophila&lt;/i&gt; brain", "The Drosophila brain"},
		{"doubly escaped tags", "The &amp;lt;i&amp;gt;Drosophila&amp;lt;/i&amp;gt; brain", "The Drosophila brain"},
		{"script and style", "a<script>var x = '<p>';</script>b<style>p{}</style>c", "abc"},
		{"word script without its end", "the <script> element is old", "the element is old"},
		{"comment", "a<!-- hidden -->b", "ab"},
		{"open comment", "a <!-- b c", "a b c"},
		{"CDATA", "<![CDATA[ <p>text</p> ]]>", "text"},
		{"comparison with spaces", "p < 0.05 and n > 3", "p < 0.05 and n > 3"},
		{"comparison without spaces", "a<b and c>d", "a<b and c>d"},
		{"comparison with a digit", "p<0.05; n>3", "p<0.05; n>3"},
		{"open angle at the end", "all values <LOD were", "all values <LOD were"},
		{"placeholder", "values <LOD> were", "values <LOD> were"},
		{"address", "mail <jane@example.org> now", "mail <jane@example.org> now"},
		{"link", `see <a href="http://x.org">this</a>.`, "see this."},
		{"own element with a value", `a <foo bar="1"> b`, "a b"},
		{"title element", "<title>A <i>b</i></title> c", "A b c"},
		{"table", "<table><tr><td>1</td><td>2</td></tr></table>", "1 2"},
		{"line break", "a<br/>b", "a b"},
		{"entities", "Smith &amp; Jones&nbsp;2020", "Smith & Jones 2020"},
	}
	for _, c := range cases {
		if got := Strip(c.in); got != c.want {
			t.Errorf("%s: Strip(%q) = %q, want %q", c.name, c.in, got, c.want)
		}
	}
}

func TestStripTeX(t *testing.T) {
	cases := []struct{ in, want string }{
		{`Erd\H{o}s and R\'enyi`, "Erdős and Rényi"},
		{`{\"O}zg{\"u}r \c{C}elik`, "Özgür Çelik"},
		{`Mar\'{\i}a Nu\~nez`, "María Nuñez"},
		{`Fran\c cois`, "François"},
		{`\v{S}koda Dvo\v{r}\'ak`, "Škoda Dvořák"},
		{`S{\o}ren {\AA}ngstr\"om stra\ss e`, "Søren Ångström straße"},
		{`\L{}ukasz Bj\o rn`, "Łukasz Bjørn"},
		{`The {DNA} of {LLM}-based agents`, "The DNA of LLM-based agents"},
		{`$\alpha$-synuclein and TNF-$\beta$`, "α-synuclein and TNF-β"},
		{`$k$-means on $\mathbb{R}^{n}$`, "k-means on Rn"},
		{`\emph{Very} \textbf{bold} claims`, "Very bold claims"},
		{`CO$_2$ and H$_{2}$O`, "CO2 and H2O"},
		{`about $10^{-3}$ and $x_{i}$`, "about 10-3 and xi"},
		{`costs $5 and $6`, "costs $5 and $6"},
		{`from $5-$6 or \$7`, `from $5-$6 or $7`},
		{`100\% of R\&D`, "100% of R&D"},
		{`as shown~\cite{foo2020,bar} in Fig.~\ref{fig:1}`, "as shown in Fig."},
		{`we use \citep[see][]{x} this`, "we use this"},
		{`\textsc{MemGPT} uses {\it virtual} memory`, "MemGPT uses virtual memory"},
		{`\methodname achieves \SI{5}{ms}`, "methodname achieves 5ms"},
		{`$p \leq 0.05$`, "p ≤ 0.05"},
		{`$\frac{1}{2}$ of`, "1/2 of"},
		{"``quoted'' --- and -- so \\ldots", `"quoted" — and – so …`},
		{`sets {0,1} and {a, b}`, "sets {0,1} and {a, b}"},
		{`memory_bank and a^b`, "memory_bank and a^b"},
		{`approx ~50% over 10~20 years`, "approx ~50% over 10~20 years"},
		{`$O(n^2)$ and $\mathcal{O}(n \log n)$`, "O(n2) and O(n log n)"},
		{`\begin{abstract}Text\end{abstract}`, "Text"},
		{`open { brace and $ sign and \`, `open { brace and $ sign and \`},
		{`\url{http://x.org} \href{http://y}{here}`, "http://x.org here"},
		{`Memory$^3$: explicit`, "Memory3: explicit"},
	}
	for _, c := range cases {
		if got := Strip(c.in); got != c.want {
			t.Errorf("Strip(%q) = %q, want %q", c.in, got, c.want)
		}
	}
}

// Inputs that make a careless parser quadratic or recurse without end.
func TestStripHostileInputIsQuick(t *testing.T) {
	const n = 200_000
	for _, part := range []string{"<", "<a ", "<a<", "</", "<!--", "<!", "&amp;", "&", "{", "}", "{{}", "$", "$x", `\`, `\'`, `\frac{`, `\c{`,
		"<math>", "<script>", "<![CDATA[", "\\cite[", "a&#38;", "<x:y z='"} {
		s := strings.Repeat(part, n/len(part))
		start := time.Now()
		Strip(s)
		if took := time.Since(start); took > 30*time.Second {
			t.Errorf("Strip of %d bytes of %q took %v", len(s), part, took)
		}
	}
}

func FuzzStrip(f *testing.F) {
	for _, s := range []string{`{\"o}`, `$\alpha$`, "<i>x</i>", "a<b", `\frac{1}{\frac{2}{3}}`, `\'`, "&lt;p&gt;", `\c`, `\'{\`, "<a:b>", `\frac*{1}{2}`, "$$x$$", `\cite[`} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		got := Strip(s)
		if got != strings.TrimSpace(got) {
			t.Fatalf("Strip(%q) = %q is not trimmed", s, got)
		}
		if len(got) > 4*len(s)+16 {
			t.Fatalf("Strip(%q) grew to %d bytes", s, len(got))
		}
	})
}

func TestTitleKey(t *testing.T) {
	same := [][]string{
		{"TNF-α and β-amyloid", "TNF-alpha and beta-amyloid", "TNF-$\\alpha$ and $\\beta$-amyloid", "TNF-&alpha; and &beta;-Amyloid."},
		{"NF-κB signalling", "NF-kappaB Signalling", "NF-&kappa;B signalling"},
		{"CO<sub>2</sub> capture", "CO₂ capture", "CO$_2$ Capture"},
		{"Properties of two’s complement", "Properties of two's complement", "Properties of two&rsquo;s complement"},
		{"Search & Rescue", "Search and Rescue", "Search &amp; rescue"},
		{"“My agent understands me better”: Memory", "\"My agent understands me better\" - memory"},
		{"∞Bench: Extending", "Bench—extending"},
		{"Über Gedächtnis", "Uber Gedachtnis", "{\\\"U}ber Ged{\\\"a}chtnis"},
	}
	for _, group := range same {
		for _, s := range group[1:] {
			if a, b := TitleKey(group[0]), TitleKey(s); a != b {
				t.Errorf("keys differ: %q gives %q, %q gives %q", group[0], a, s, b)
			}
		}
	}
	cases := []struct{ in, want string }{
		{"", ""},
		{"?!—", ""},
		{"記憶とエージェント：概観", "記憶とエージェント 概観"},
		{"Ελληνικά κείμενα", "ελληνικα κειμενα"},
		{"Part II. Results and interpretation", "part ii results and interpretation"},
		{"मेमोरी", "मेमोरी"},
	}
	for _, c := range cases {
		if got := TitleKey(c.in); got != c.want {
			t.Errorf("TitleKey(%q) = %q, want %q", c.in, got, c.want)
		}
	}
	if TitleKey("Part I. Design") == TitleKey("Part II. Design") {
		t.Error("Part I and Part II have one key")
	}
}
