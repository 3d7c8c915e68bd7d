package canon

import (
	"strings"
	"testing"

	"optimistresearch/state"
)

func TestVerifyLookup(t *testing.T) {
	lora := []string{"Edward J. Hu", "Yelong Shen", "Phillip Wallis", "Zeyuan Allen-Zhu"}
	cases := []struct {
		name    string
		title   string
		authors []string
		year    int
		got     state.Record
		ok      bool
		why     string
	}{
		{"R5: another work with the true authors", "LoRA: Low-Rank Adaptation of Large Language Models", lora, 2021,
			rec("LoRA Fine-Tuning of a 3B Code LLM for Algorithmic Efficiency", "Edward J. Hu;Yelong Shen;Phillip Wallis;Zeyuan Allen-Zhu", 2021, ""), false, "titles differ"},
		{"R5: another work on the same topic", "Chain-of-Thought Prompting Elicits Reasoning in Large Language Models", []string{"Jason Wei"}, 2022,
			rec("Prompting strategies for arithmetic tutoring", "Jason Wei", 2022, ""), false, "titles differ"},
		{"R5: ToolLLM, another work with the true authors", "ToolLLM: Facilitating Large Language Models to Master 16000+ Real-world APIs", []string{"Yujia Qin", "Shihao Liang"}, 2023,
			rec("Benchmarking tool use of open models in the browser", "Yujia Qin;Shihao Liang", 2023, ""), false, "titles differ"},
		{"R5: Constitutional AI, another work with the true authors", "Constitutional AI: Harmlessness from AI Feedback", []string{"Yuntao Bai"}, 2022,
			rec("Constitutional courts and the feedback of legislators", "Yuntao Bai", 2022, ""), false, "titles differ"},
		{"R1: the second part under the identifier of the first", designs, []string{"A. Miller", "B. Olsen"}, 1990, rec(designs2, "Miller A;Olsen B", 1990, "Stat Med"), false, ""},
		{"R2: a chapter under the DOI of its book", "Spike trains as event sequences: fundamental implications", []string{"D. Johnson"}, 2013,
			rec("Introduction", "Daley D", 2013, "Point Processes", doi("10.1201/b14859")), false, "titles differ"},
		{"R3: the work under another spelling of its DOI", "Ancestral state reconstruction of gene content in bacteria", []string{"Chang B"}, 2006,
			rec("Ancestral State Reconstruction of Gene Content in Bacteria.", "Belinda Chang", 2006, "MBE", doi("https://doi.org/10.1093/molbev/msl010")), true, "1.00"},
		{"R28: the published version for a preprint", "Jailbreaking leading safety-aligned models with simple attacks", []string{"Maksym Andriushchenko"}, 2024,
			rec("Jailbreaking Leading Safety-Aligned Models with Simple Attacks", "Andriushchenko M", 2025, "ICLR"), true, "1.00"},
		{"R28: fields of two works blended", "Jailbreaking leading safety-aligned models with simple attacks", []string{"Maksym Andriushchenko"}, 2024,
			rec("Refusal in language models is mediated by a single direction", "Maksym Andriushchenko", 2024, "ICLR", id(state.ArXiv, "2406.14302")), false, "titles differ"},
		{"an open copy that is the supplement", bias, []string{"Ann Weber"}, 2010, rec("Additional file 1 of "+bias, "Ann Weber", 2010, "figshare"), false, "notice"},
		{"the work itself", "LoRA: Low-Rank Adaptation of Large Language Models", lora, 2021, rec("LoRA: Low-rank adaptation of large language models.", "Hu EJ;Shen Y", 2022, "ICLR"), true, "1.00"},
		{"authors rendered otherwise", "LoRA: Low-Rank Adaptation of Large Language Models", lora, 2021, rec("LoRA: Low-Rank Adaptation of Large Language Models", "Microsoft Research", 2021, ""), true, ""},
		{"dropped subtitle", "Generative agents: interactive simulacra of human behavior", []string{"Joon Sung Park"}, 2023, rec("Generative Agents", "Joon Sung Park", 2023, "UIST"), false, "distinctive"},
		{"dropped subtitle with words enough", "Hierarchical memory storage for robots: a field trial", []string{"Ann Weber"}, 2023, rec("Hierarchical memory storage for robots", "Weber A", 2023, ""), true, ""},
		{"cut title, other authors", "Hierarchical memory storage for robots: a field trial", []string{"Ann Weber"}, 2023, rec("Hierarchical memory storage for robots", "Lee K", 2023, ""), false, "authors differ"},
		{"hyphen U+2010 in a name", "Mathematical discoveries from program search", []string{"Bernardino Romera-Paredes"}, 2023, rec("Mathematical discoveries from program search", "Bernardino Romera‐Paredes", 2024, "Nature"), true, ""},
		{"other part", "Theory of reliable memory. Part I", []string{"Ann Weber"}, 2001, rec("Theory of reliable memory. Part II", "Ann Weber", 2001, ""), false, "numerals"},
		{"generic title", "Introduction", []string{"Ann Weber"}, 2001, rec("Introduction", "Karl Lee", 2001, ""), false, "authors differ"},
		{"erratum", bias, []string{"Ann Weber"}, 2001, rec("Erratum: "+bias, "Ann Weber", 2001, ""), false, "notice"},
		{"no title", bias, []string{"Ann Weber"}, 2001, rec("", "Ann Weber", 2001, ""), false, "missing"},
		{"alternative title", bias, nil, 0, rec("Häufigkeit von Publikationsbias", "Ann Weber", 2001, "", alt(bias)), true, ""},
	}
	for _, c := range cases {
		ok, why := VerifyLookup(c.title, c.authors, c.year, c.got)
		if ok != c.ok || !strings.Contains(why, c.why) || strings.ContainsAny(why, "\n") {
			t.Errorf("%s: %v, %q; want %v, …%q…", c.name, ok, why, c.ok, c.why)
		}
	}
}

func TestVerifyText(t *testing.T) {
	lora := []string{"Edward J. Hu", "Yelong Shen"}
	const title = "LoRA: Low-Rank Adaptation of Large Language Models"
	for _, c := range []struct {
		name, title string
		authors     []string
		text        string
		ok          bool
	}{
		{"the work", title, lora, "LORA: LOW-RANK ADAPTATION OF LARGE LAN-\nGUAGE MODELS\nEdward Hu∗ Yelong Shen∗", true},
		{"the work behind a cover page", title, lora, "Downloaded from the archive.\n\nLoRA: Low–Rank Adaptation of Large\nLanguage Models\nEdward Hu", true},
		{"another document by the authors", title, lora, "Fine-Tuning of a 3B Code LLM\nEdward Hu, Yelong Shen\nAbstract. We study rank.", false},
		{"a page that asks to log in", title, lora, "Sign in to continue", false},
		{"the other part", "Theory of reliable memory stores, part II", []string{"Ann Weber"}, "Theory of reliable memory stores, part I\nAnn Weber\n", false},
		{"a title that tells too little, other authors", "Introduction", []string{"Ann Weber"}, "Introduction\nKarl Lee", false},
		{"a title that tells too little", "Introduction", []string{"Ann Weber"}, "Introduction\nAnn Weber", true},
		{"nothing", title, lora, "", false},
	} {
		if ok, why := VerifyText(c.title, c.authors, c.text); ok != c.ok || why == "" {
			t.Errorf("%s: %v, %q", c.name, ok, why)
		}
	}
}

func TestBlended(t *testing.T) {
	for _, c := range []struct {
		name string
		r    state.Record
		want bool
	}{
		{"R28: a conference beside the arXiv DOI", rec("Jailbreaking leading models", "M. Andriushchenko", 2024, "International Conference on Learning Representations", doi("10.48550/arXiv.2406.14302")), true},
		{"R28: a conference beside the arXiv id", rec("Jailbreaking leading models", "M. Andriushchenko", 2024, "ICLR", id(state.ArXiv, "2406.14302")), true},
		{"the preprint", rec("Jailbreaking leading models", "M. Andriushchenko", 2024, "arXiv.org", doi("10.48550/arXiv.2406.14302")), false},
		{"bioRxiv", rec("Phage resistance", "Weber A", 2020, "bioRxiv", doi("10.1101/2020.01.02.123456")), false},
		{"the publication with the id of its preprint", rec("Phage resistance", "Weber A", 2021, "mBio", doi("10.1128/mbio.1"), id(state.ArXiv, "2001.00001")), false},
		{"no venue", rec("Phage resistance", "Weber A", 2020, "", doi("10.1101/2020.01.02.123456")), false},
	} {
		if why, got := Blended(c.r); got != c.want || (why != "") != got {
			t.Errorf("%s: %v, %q", c.name, got, why)
		}
	}
}
