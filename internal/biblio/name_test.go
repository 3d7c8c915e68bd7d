package biblio

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestDisplayName(t *testing.T) {
	for in, want := range map[string]Name{
		"Joon Sung Park":                   {Family: "Park", Given: "Joon Sung"},
		"Joseph C. O'Brien":                {Family: "O'Brien", Given: "Joseph C."},
		"Jean-Luc van der Berg":            {Family: "van der Berg", Given: "Jean-Luc"},
		"Oscar De La Hoya":                 {Family: "De La Hoya", Given: "Oscar"},
		"Ludwig von Mises":                 {Family: "von Mises", Given: "Ludwig"},
		"Quoc V. Le":                       {Family: "Le", Given: "Quoc V."},
		"Martin Luther King, Jr.":          {Family: "King", Given: "Martin Luther", Suffix: "Jr."},
		"Martin Luther King Jr.":           {Family: "King", Given: "Martin Luther", Suffix: "Jr."},
		"Sammy Davis III":                  {Family: "Davis", Given: "Sammy", Suffix: "III"},
		"Park, Joon Sung":                  {Family: "Park", Given: "Joon Sung"},
		"Plato":                            {Literal: "Plato"},
		"李明":                               {Family: "李", Given: "明"},
		"欧阳修文":                             {Family: "欧阳", Given: "修文"},
		"山田 太郎":                            {Family: "山田", Given: "太郎"},
		"김민준":                              {Family: "김", Given: "민준"},
		"约翰·史密斯":                           {Family: "史密斯", Given: "约翰"},
		"ひらがな":                             {Literal: "ひらがな"},
		"北京大学":                             {Literal: "北京大学"},
		"محمد علي":                         {Family: "علي", Given: "محمد"},
		"Memory Study Group":               {Literal: "Memory Study Group"},
		"The ATLAS Collaboration":          {Literal: "The ATLAS Collaboration"},
		"Google DeepMind":                  {Literal: "Google DeepMind"},
		"Gemini Team":                      {Literal: "Gemini Team"},
		"Meta AI":                          {Literal: "Meta AI"},
		"World Health Organization":        {Literal: "World Health Organization"},
		"University of California, Irvine": {Literal: "University of California, Irvine"},
		"CRASH Trial Collaborators on behalf of many": {Literal: "CRASH Trial Collaborators on behalf of many"},
		"Kenneth Church":              {Family: "Church", Given: "Kenneth"},
		"user42 at example":           {Literal: "user42 at example"},
		"  Ann \t Lee ":               {Family: "Lee", Given: "Ann"},
		"":                            {},
		"BigScience Workshop":         {Literal: "BigScience Workshop"},
		"Investigators of the X-Ray1": {Literal: "Investigators of the X-Ray1"},
	} {
		if d := cmp.Diff(want, DisplayName(in)); d != "" {
			t.Errorf("%q: %s", in, d)
		}
	}
}

func TestNameOf(t *testing.T) {
	for _, c := range []struct {
		display, family, given string
		collective             bool
		want                   Name
	}{
		{"Joon Sung Park", "", "", false, Name{Family: "Park", Given: "Joon Sung"}},
		{"Acme Widgets", "", "", true, Name{Literal: "Acme Widgets"}},
		{"Jane Doe", "Doe", "Jane", false, Name{Family: "Doe", Given: "Jane"}},
		{"", "Plato", "", false, Name{Literal: "Plato"}},
		{"Jane Doe", "Doe", "", false, Name{Family: "Doe", Given: "Jane"}},
	} {
		if d := cmp.Diff(c.want, NameOf(c.display, c.family, c.given, c.collective)); d != "" {
			t.Errorf("%+v: %s", c, d)
		}
	}
}

// Names as the files have them, in the order of the file.
func TestParseName(t *testing.T) {
	for in, want := range map[string]Name{
		"Doe, Jane":               {Family: "Doe", Given: "Jane"},
		"van Raaij MJ":            {Family: "van Raaij", Given: "MJ"},
		"Smith J.A.":              {Family: "Smith", Given: "J.A."},
		"Oudin Åström D":          {Family: "Oudin Åström", Given: "D"},
		"Ivanov, IV":              {Family: "Ivanov", Given: "IV"},
		"King, Jr., Martin":       {Family: "King", Given: "Martin", Suffix: "Jr."},
		"King, Martin Luther Jr":  {Family: "King", Given: "Martin Luther", Suffix: "Jr"},
		"King ML Jr":              {Family: "King", Given: "ML", Suffix: "Jr"},
		"Smith, Jr":               {Literal: "Smith Jr"},
		"Acme Widgets, Inc,":      {Literal: "Acme Widgets, Inc"},
		"Diabetes Research Group": {Literal: "Diabetes Research Group"},
		",":                       {},
	} {
		if d := cmp.Diff(want, parse(in)); d != "" {
			t.Errorf("%q: %s", in, d)
		}
	}
}

func TestSplitNames(t *testing.T) {
	for in, want := range map[string][]string{
		"Smith, John; Doe, Jane":                   {"Smith, John", "Doe, Jane"},
		"Zuna, R E and Wang, S S":                  {"Zuna, R E", "Wang, S S"},
		"Viswanath Poosala, Yannis E. Ioannidis":   {"Poosala, Viswanath", "Ioannidis, Yannis E."},
		"Mackay, D. Scott":                         {"Mackay, D. Scott"},
		"van der Berg, Jean-Luc":                   {"van der Berg, Jean-Luc"},
		"Smith, J., Doe, A. B.":                    {"Smith, J.", "Doe, A. B."},
		"Smith J, Doe AB, Study Group":             {"Smith, J", "Doe, AB", "Study Group,"},
		"Adeli K.Lewis G. F.":                      {"Adeli, K.", "Lewis, G. F."},
		"J.Smith":                                  {"J.Smith"},
		"Smith, John (57190000001)":                {"Smith, John"},
		"Joon Sung Park":                           {"Park, Joon Sung"},
		"李明, 王小红":                                  {"李, 明", "王, 小红"},
		"D. Scott Mackay":                          {"Mackay, D. Scott"},
		"Martin King, Jr., Ann Lee":                {"King, Martin, Jr.", "Lee, Ann"},
		"World Health Organization, Ann Lee, Bo X": {"World Health Organization,", "Lee, Ann", "Bo, X"},
	} {
		if d := cmp.Diff(want, joinedAll(splitNames(in))); d != "" {
			t.Errorf("%q: %s", in, d)
		}
	}
}

func TestParticle(t *testing.T) {
	if p, f := (Name{Family: "van der Berg"}).Particle(); p != "van der" || f != "Berg" {
		t.Errorf("%q %q", p, f)
	}
	if p, f := (Name{Family: "van"}).Particle(); p != "" || f != "van" {
		t.Errorf("%q %q", p, f)
	}
}
