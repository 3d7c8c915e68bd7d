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
