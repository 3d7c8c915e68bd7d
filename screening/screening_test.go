package screening

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// trials and others are records of two fields; the first belong to the question.
var (
	question = Review{Question: "What is the efficacy of exercise for preventing falls in older adults?"}
	trials   = []string{
		"Exercise to prevent falls in older adults: a randomised controlled trial|Older adults were randomly assigned to balance and strength exercise or usual care. Falls were fewer with exercise.",
		"Balance training and fall rates in community-dwelling older people|We randomised 240 older people to balance training. The rate of falls fell.",
		"Tai chi for fall prevention|Older adults practised tai chi or stretching. Falls and fear of falling were compared between the randomised groups.",
		"Home-based strength training reduces falls after discharge|A randomised trial of strength exercise in older adults after hospital discharge.",
	}
	others = []string{
		"Falls in older adults: a narrative review|Risk factors for falls in older adults are reviewed.",
		"Soil moisture in semi-arid grasslands|Field plots were irrigated for three seasons.",
		"Hip fracture surgery and anaesthesia|Mortality after hip fracture surgery was studied in a register.",
		"Exercise and depression in adolescents|Adolescents took part in a running programme.",
		"Muscle loss in ageing mice|Ageing mice ran on a wheel. Muscle mass was measured.",
		"Falling leaves and nutrient cycling|Leaf litter was collected in autumn.",
		"Vitamin D and bone density|Bone density was measured in women.",
		"A letter about falls|",
	}
)

func sample() []Record {
	var out []Record
	for i, s := range slices.Concat(trials, others) {
		title, abstract, _ := strings.Cut(s, "|")
		out = append(out, Record{ID: fmt.Sprintf("r%02d", i+1), Title: title, Abstract: abstract, Year: 2000 + i})
	}
	return out
}

func TestRank(t *testing.T) {
	c := NewCorpus(sample())
	got := Rank(c, question, Options{})
	if len(got) != len(c.Records) {
		t.Fatalf("%d of %d records are ranked", len(got), len(c.Records))
	}
	for k, r := range got {
		if on := slices.Contains([]string{"r01", "r02", "r03", "r04"}, r.ID); on != (k < 4) {
			t.Errorf("place %d has %s", k+1, r.ID)
		}
		if r.Score < 0 || r.Score > 1 || k > 0 && r.Score >= got[k-1].Score || r.Reason == "" || strings.ContainsAny(r.Reason, "\n\r") {
			t.Errorf("place %d: %+v", k+1, r)
		}
	}
}

// What the order of the records in the file is must not show in the ranking.
func TestRankDoesNotDependOnTheOrderOfTheFile(t *testing.T) {
	records := sample()
	want := Rank(NewCorpus(records), question, Options{})
	slices.Reverse(records)
	if got := Rank(NewCorpus(records), question, Options{}); !slices.EqualFunc(got, want, func(a, b Ranked) bool {
		return a.ID == b.ID && a.Reason == b.Reason && math.Abs(a.Score-b.Score) < 1e-9
	}) {
		t.Errorf("reversed: %v\nwant %v", got, want)
	}
}

func place(t *testing.T, rv Review, o Options, id string) int {
	t.Helper()
	for k, r := range Rank(NewCorpus(sample()), rv, o) {
		if r.ID == id {
			return k + 1
		}
	}
	t.Fatalf("%s is not ranked", id)
	return 0
}

func TestCriteriaRaiseAndLower(t *testing.T) {
	plain := place(t, question, Options{}, "r03")
	raised := question
	raised.Inclusion = "- Studies of tai chi"
	lowered := question
	lowered.Exclusion = "- Tai chi and stretching"
	if got := place(t, raised, Options{}, "r03"); got >= plain {
		t.Errorf("the tai chi trial is at %d with a criterion that includes it, at %d without", got, plain)
	}
	if got := place(t, lowered, Options{}, "r03"); got <= plain {
		t.Errorf("the tai chi trial is at %d with a criterion that excludes it, at %d without", got, plain)
	}
	if got := place(t, raised, Options{Without: Criteria}, "r03"); got != plain {
		t.Errorf("at %d with the criteria left out, want %d", got, plain)
	}
	kinds := question
	kinds.Exclusion = "1. Review articles\n2. Animal studies"
	if a, b := place(t, question, Options{}, "r05"), place(t, kinds, Options{}, "r05"); b <= a {
		t.Errorf("a review is at %d when reviews are left out, at %d when not", b, a)
	}
}

func TestEmbeddingsAreFused(t *testing.T) {
	likeness := make([]float64, len(sample()))
	likeness[6] = 1 // hip fracture surgery
	if a, b := place(t, question, Options{}, "r07"), place(t, question, Options{Embedded: likeness}, "r07"); b >= a {
		t.Errorf("the record that the embeddings prefer goes from %d to %d", a, b)
	}
	if a, b := place(t, question, Options{}, "r07"), place(t, question, Options{Embedded: likeness[:3]}, "r07"); a != b {
		t.Errorf("embeddings of other records count: from %d to %d", a, b)
	}
}

// A question about reviews wants reviews.
func TestQuestionAboutReviews(t *testing.T) {
	rv := Review{Question: "Which systematic reviews on falls in older adults exist?"}
	if got := place(t, rv, Options{}, "r05"); got > 3 {
		t.Errorf("the review is at %d", got)
	}
}

func TestOddInput(t *testing.T) {
	for name, records := range map[string][]Record{
		"none": nil, "one": {{ID: "a"}}, "same id": {{ID: "a", Title: "x y"}, {ID: "a", Title: "z"}},
		"empty": {{ID: "a"}, {ID: "b"}, {ID: "c"}, {ID: "d"}}, "other scripts": {{ID: "a", Title: "老年人跌倒预防", Abstract: "运动"}, {ID: "b", Title: "הפלות"}},
	} {
		c := NewCorpus(records)
		ranked := Rank(c, question, Options{})
		l := NewLearner(c, question, ranked, 0)
		if got := Replay(l, map[string]bool{"a": true}); len(got) != len(c.Records) {
			t.Errorf("%s: %d of %d are read", name, len(got), len(c.Records))
		}
	}
}

func TestReadCriteria(t *testing.T) {
	for _, c := range []struct{ in, include, exclude string }{
		{"", "", ""},
		{"Adults\nTrials", "Adults\nTrials", ""},
		{"Inclusion criteria:\n- Adults\n- Trials\n\nExclusion criteria\n- Animal studies\n", "- Adults\n- Trials", "- Animal studies"},
		{"# Inclusion\nAdults\n## Exclusion\nReviews", "Adults", "Reviews"},
		{"Include: adults\nExclude: animals; reviews", "adults", "animals; reviews"},
		{"Excluded studies had to report nothing at all about the drug\nAdults", "Excluded studies had to report nothing at all about the drug\nAdults", ""},
	} {
		if in, ex := ReadCriteria(c.in); in != c.include || ex != c.exclude {
			t.Errorf("%q gives %q and %q, want %q and %q", c.in, in, ex, c.include, c.exclude)
		}
	}
	got := criteria("- a b\n2. c\n(3) d\n* e\n– f\n---\n\n")
	if want := []string{"a b", "c", "d", "e", "f"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestUniqueIDs(t *testing.T) {
	records := []Record{{ID: "a"}, {}, {ID: "a"}, {ID: " a "}, {ID: "a#2"}}
	missing, repeated := UniqueIDs(records, "record-")
	got := []string{}
	for _, r := range records {
		got = append(got, r.ID)
	}
	if want := []string{"a", "record-2", "a#2", "a#3", "a#2#2"}; !slices.Equal(got, want) || missing != 1 || repeated != 3 {
		t.Errorf("%q, %d missing, %d repeated; want %q", got, missing, repeated, want)
	}
}

func TestMeasure(t *testing.T) {
	// Ten records, the included ones at places 1, 3 and 4: AP = (1 + 2/3 + 3/4)/3.
	order := []string{"a", "b", "c", "d", "e", "f", "g", "h", "i", "j"}
	m := Measure(order, map[string]bool{"a": true, "c": true, "d": true, "not here": true})
	want := Measures{Records: 10, Included: 3, WSS95: 0.55, WSS100: 0.6, TNR95: 6.0 / 7, Recall10: 1.0 / 3, Recall20: 1.0 / 3, AP: (1 + 2.0/3 + 3.0/4) / 3}
	if math.Abs(m.AP-want.AP) > 1e-12 || math.Abs(m.WSS95-want.WSS95) > 1e-12 {
		t.Errorf("%+v, want %+v", m, want)
	}
	m.AP, m.WSS95 = want.AP, want.WSS95
	if m != want {
		t.Errorf("%+v, want %+v", m, want)
	}
	if got := Measure(order, nil); got != (Measures{}) {
		t.Errorf("without an included record: %+v", got)
	}
}

func TestOdds(t *testing.T) {
	got := odds([]float64{3, 1, 1, 7})
	want := []float64{math.Log(2.5 / 1.5), math.Log(1.0 / 3), math.Log(1.0 / 3), math.Log(3.5 / 0.5)}
	for i := range want {
		if math.Abs(got[i]-want[i]) > 1e-12 {
			t.Errorf("%v, want %v", got, want)
		}
	}
}

// Reading by feedback: every record is read once, whatever the labels are.
func TestReplayReadsEveryRecordOnce(t *testing.T) {
	records := sample()
	c := NewCorpus(records)
	ranked := Rank(c, question, Options{})
	rapid.Check(t, func(t *rapid.T) {
		labels := map[string]bool{}
		for _, r := range records {
			labels[r.ID] = rapid.Bool().Draw(t, r.ID)
		}
		order := Replay(NewLearner(c, question, ranked, 0), labels)
		slices.Sort(order)
		for i, r := range records {
			if i >= len(order) || order[i] != r.ID {
				t.Fatalf("read: %q", order)
			}
		}
	})
}

// What is found raises what is like it.
func TestLearnerLearns(t *testing.T) {
	var records []Record
	for i := range 60 {
		kind := []string{"kidney dialysis filter", "heart valve surgery", "lung capacity training"}[i%3]
		records = append(records, Record{ID: fmt.Sprintf("r%02d", i), Title: fmt.Sprintf("Outcomes of %s, part %d", kind, i), Abstract: "Patients and " + kind + " were studied."})
	}
	rv := Review{Question: "Outcomes of patients"}
	c := NewCorpus(records)
	l := NewLearner(c, rv, Rank(c, rv, Options{}), 0)
	l.Learn("r00", Include)
	l.Learn("r01", Exclude)
	l.Learn("r02", Exclude)
	for k, id := range l.Order()[:19] {
		if i, _ := c.Find(id); i%3 != 0 {
			t.Errorf("place %d has %s, of another kind", k+1, id)
		}
	}
	if next, ok := l.Next(); !ok || next != l.Order()[0] {
		t.Errorf("next is %s, the order begins with %s", next, l.Order()[0])
	}
	if l.Read() != 3 {
		t.Errorf("%d read", l.Read())
	}
}

// Taking a decision back leaves the order near what it was before: the same
// records are unread and the one taken back is among them.
func TestForget(t *testing.T) {
	c := NewCorpus(sample())
	l := NewLearner(c, question, Rank(c, question, Options{}), 0)
	before := l.Order()
	l.Learn("r02", Include)
	l.Learn("r06", Exclude)
	l.Learn("r07", Maybe)
	l.Learn("r07", Exclude) // changed
	if got := len(l.Order()); got != len(before)-3 {
		t.Errorf("%d unread", got)
	}
	for _, id := range []string{"r02", "r06", "r07", "r07", "nowhere"} {
		l.Forget(id)
	}
	if got := l.Order(); !slices.Equal(got, before) {
		t.Errorf("after taking all back: %q, want %q", got, before)
	}
	if slices.ContainsFunc(l.svm.alpha[:len(c.Records)], func(a float64) bool { return a != 0 }) {
		t.Error("decisions that were taken back still count")
	}
}
