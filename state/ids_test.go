package state

import "testing"

func TestNormalizeDOI(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"10.1093/MOLBEV/MSL010", "10.1093/molbev/msl010"},
		{"https://doi.org/10.1093/molbev/msl010", "10.1093/molbev/msl010"},
		{"doi: 10.1093/molbev/msl010 ", "10.1093/molbev/msl010"},
		{"http://dx.doi.org/10.1016/S0079-7421(08)60422-3", "10.1016/s0079-7421(08)60422-3"},
		{"10.1016/s0079-7421(08)60422-3).", "10.1016/s0079-7421(08)60422-3"},
		{"10.1002/(SICI)1097-4571(199806)49:8<693::AID-ASI4>3.0.CO;2-O", "10.1002/(sici)1097-4571(199806)49:8<693::aid-asi4>3.0.co;2-o"},
		{"https://doi.org/10.1002%2F%28sici%291097", "10.1002/(sici)1097"},
		{"10.48550/arXiv.2106.09685", "10.48550/arxiv.2106.09685"},
		{"not a doi", ""}, {"", ""}, {"10.1/x", ""}, {"10.1038/", ""},
	} {
		if got := NormalizeDOI(c.in); got != c.want {
			t.Errorf("NormalizeDOI(%q) = %q, want %q", c.in, got, c.want)
		}
		if got := NormalizeDOI(NormalizeDOI(c.in)); got != c.want {
			t.Errorf("NormalizeDOI is not idempotent on %q: %q", c.in, got)
		}
	}
}

func TestNormalizeArXiv(t *testing.T) {
	for _, c := range []struct{ in, id, version string }{
		{"2310.08560", "2310.08560", ""},
		{"http://arxiv.org/abs/1706.03762v7", "1706.03762", "v7"},
		{"https://arxiv.org/pdf/2005.11401.pdf", "2005.11401", ""},
		{"arXiv:hep-th/9711200v3", "hep-th/9711200", "v3"},
		{"math.GT/0309136", "math/0309136", ""},
		{"https://doi.org/10.48550/arXiv.2106.09685", "2106.09685", ""},
		{"10.1038/nature12373", "", ""}, {"", "", ""}, {"1234", "", ""},
	} {
		id, version := NormalizeArXiv(c.in)
		if id != c.id || version != c.version {
			t.Errorf("NormalizeArXiv(%q) = %q, %q, want %q, %q", c.in, id, version, c.id, c.version)
		}
	}
}

func TestNormalizeOthers(t *testing.T) {
	for _, c := range []struct {
		name string
		f    func(string) string
		in   string
		want string
	}{
		{"pmid", NormalizePMID, "https://pubmed.ncbi.nlm.nih.gov/27933103/", "27933103"},
		{"pmid", NormalizePMID, "PMID: 5912471", "5912471"},
		{"pmid", NormalizePMID, "PMC123", ""},
		{"pmcid", NormalizePMCID, "pmc-id: PMC8118396;", "PMC8118396"},
		{"pmcid", NormalizePMCID, "8118396", "PMC8118396"},
		{"pmcid", NormalizePMCID, "https://www.ncbi.nlm.nih.gov/pmc/articles/PMC8118396", "PMC8118396"},
		{"openalex", NormalizeOpenAlex, "https://openalex.org/W4385245566", "W4385245566"},
		{"openalex", NormalizeOpenAlex, "A123", ""},
		{"s2", NormalizeS2, "204E3073870FAE3D05BCBC2F6A8E263D9B72E776", "204e3073870fae3d05bcbc2f6a8e263d9b72e776"},
		{"s2", NormalizeS2, "short", ""},
	} {
		if got := c.f(c.in); got != c.want {
			t.Errorf("%s: %q gives %q, want %q", c.name, c.in, got, c.want)
		}
	}
}

func FuzzNormalize(f *testing.F) {
	f.Add("10.1016/s0079-7421(08)60422-3).")
	f.Add("https://arxiv.org/abs/1706.03762v7")
	f.Fuzz(func(t *testing.T, in string) {
		if doi := NormalizeDOI(in); doi != NormalizeDOI(doi) {
			t.Errorf("NormalizeDOI(%q) = %q is not a fixed point: %q", in, doi, NormalizeDOI(doi))
		}
		if id, _ := NormalizeArXiv(in); id != "" {
			if again, v := NormalizeArXiv(id); again != id || v != "" {
				t.Errorf("NormalizeArXiv(%q) = %q is not a fixed point", in, id)
			}
		}
		for _, norm := range []func(string) string{NormalizePMID, NormalizePMCID, NormalizeOpenAlex, NormalizeS2} {
			if id := norm(in); id != norm(id) {
				t.Errorf("%q gives %q, then %q", in, id, norm(id))
			}
		}
	})
}
