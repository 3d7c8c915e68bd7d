package evidence
import ("testing";"fmt")
func TestDbg(t *testing.T){
 for _,c:=range []string{
 "Primary cervical cancer screening with HPV detection has lower longitudinal sensitivity than conventional cytology to detect cervical intraepithelial neoplasia grade 2.",
 "Primary cervical cytology screening with HPV detection has higher longitudinal sensitivity to detect severe cervical intraepithelial neoplasia than conventional cytology.",
 "The NF-κB essential modulator gene prevents intestinal inflammation by inhibiting receptor-interacting protein (RIP) kinase 1 kinase activity-mediated epithelial cell death.",
 "Leuko-reduced blood reduces infectious complications in red blood cell transfusion.",
 "General exercise therapy is more effective than scapular stabilizer exercises in reducing pain and improving function of the shoulder.",
 "Female carriers of the Apolipoprotein E4 (APOE4) allele have decreased risk for dementia.",
 "Reduced responsiveness to interleukin-2 in regulatory T cells is associated with greater resistance to autoimmune diseases such as Type 1 Diabetes.",
 "Memory reduces hallucination", "A-MEM outperforms MemGPT on LoCoMo", "Retrieval does not improve accuracy", "latency increased by 20%", "Long-term memory improves recall but increases latency",
 }{ st:=readStance(c); fmt.Printf("%+v %s\n",st,c)}
}
func TestDbg2(t *testing.T){
	docs := map[string]labelledDoc{}
	for _, d := range labelled[labelledDoc](t, "evidence_inference/docs.jsonl.gz") { docs[d.ID] = d }
	n:=0
	for _, p := range labelled[prompt](t, "evidence_inference/prompts.jsonl.gz") {
		text := ""
		for _, r := range p.Rationales { for _, i := range r { text += docs[p.Doc].Sentences[i] + " " } }
		st := readStance(text)
		if p.Label=="decreased" && st.outcome!=0 || p.Label=="no_difference" && st.mixed { n++; if n%5==0 && n<150 {fmt.Printf("%s | %s | %+v\n   %s\n", p.Label,p.Outcome, st, text)} }
	}
}
