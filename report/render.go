package report

import (
	"fmt"
	"strings"

	"optimistresearch/state"
)

// Render makes every browsable file of a run, by its path relative to the
// run's folder, with slashes. days dates the searches and may be nil. The state may be that of a run that has not
// ended. It is an error when the state holds no question or when the flow of
// records does not add up.
func Render(s *state.State, days Days) (map[string][]byte, error) {
	v, err := newView(s)
	if err != nil {
		return nil, err
	}
	v.days = days
	if err := v.flow.Check(); err != nil {
		return nil, fmt.Errorf("rendering the report: %w; the state is damaged; derive it again with `optimistresearch run --replay RUN`", err)
	}
	files := map[string][]byte{
		"report.md":           v.reportPage(), // first: the other pages use what it cites
		"plan.md":             v.plan(),
		"search-log.md":       v.searchLog(),
		"search-log.csv":      v.searchCSV(),
		"contradictions.md":   v.contradictionsPage(),
		"documents/index.md":  v.indexPage(),
		"documents/index.csv": v.indexCSV(),
		"prisma.csv":          v.flow.csv(),
		"prisma.svg":          v.flow.svg(),
	}
	files["README.md"] = v.readme()
	for _, id := range v.docs {
		safePaths(files, docFile(id), v.documentPage(id))
	}
	for _, q := range v.subquestions() {
		safePaths(files, subquestionFile(q.ID), v.subquestionPage(q))
	}
	files["evidence/clusters.md"] = v.clustersPage()
	files["evidence/evidence.csv"] = v.evidenceCSV()
	if files["evidence/evidence.jsonl"], err = v.evidenceJSONL(); err != nil {
		return nil, err
	}
	if err := v.exports(files); err != nil {
		return nil, fmt.Errorf("rendering the references: %w", err)
	}
	return files, nil
}

// safePaths drops files whose name an id from outside would make unsafe.
func safePaths(files map[string][]byte, name string, content []byte) {
	base := name[strings.LastIndexByte(name, '/')+1:]
	if safeID(strings.TrimSuffix(base, ".md")) {
		files[name] = content
	}
}
