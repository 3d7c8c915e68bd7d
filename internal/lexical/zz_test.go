package lexical
import ("testing";"os";"path/filepath";"encoding/json";"compress/gzip";"bufio";"fmt")
func TestZZ(t *testing.T) {
	dirs, _ := filepath.Glob("/work/shared/data/screening/*/review.json")
	for _, f := range dirs {
		var rv struct{ Title, Question string }
		raw, _ := os.ReadFile(f)
		json.Unmarshal(raw, &rv)
		fh, _ := os.Open(filepath.Join(filepath.Dir(f), "records.jsonl.gz"))
		gz, _ := gzip.NewReader(fh)
		sc := bufio.NewScanner(gz)
		sc.Buffer(nil, 1<<24)
		var docs []Doc
		for sc.Scan() {
			var r struct{ Record_id, Title, Abstract string }
			json.Unmarshal(sc.Bytes(), &r)
			docs = append(docs, Doc{ID: r.Record_id, Title: r.Title, Body: r.Abstract})
		}
		ix := NewIndex(docs)
		for _, foc := range []string{rv.Title, ""} {
		j := judge{ix: ix, topic: newTopic(ix, rv.Question, foc)}
		j.read(rv.Question, foc)
		j.learn()
		cov := []float64{}
		for _, s := range j.seen { cov = append(cov, s.coverage) }
		fmt.Printf("%.2f %.2f  groups %d %s\n", j.strength, meanOfBest(cov,5), len(j.topic.groups), filepath.Base(filepath.Dir(f)))
		}
		for _, q := range []string{"quantum error correction codes", "episodic memory of honey bees", "AI agent memory", "carbon taxes in OECD countries"} {
			j := judge{ix: ix, topic: newTopic(ix, q, "")}
		j.read(q, "")
		j.learn()
		cov := []float64{}
		for _, s := range j.seen { cov = append(cov, s.coverage) }
			m := 0
			for n := range ix.docs { if j.score(n) >= .5 { m++ } }
			fmt.Printf("    off: %.2f %.2f %d %s\n", j.strength, meanOfBest(cov,5), m, q)
		}
	}
}
