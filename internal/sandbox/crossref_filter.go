package sandbox

import (
	"slices"
	"strings"
)

// crossrefTests are the filters that the sandbox knows, each with the test of
// one value.
func (f finder) crossrefTests() map[string]func(r int32, value string) bool {
	flag := func(is func(r int32) bool) func(int32, string) bool {
		return func(r int32, v string) bool { return is(r) == (v == "true" || v == "t" || v == "1") }
	}
	never := flag(func(int32) bool { return false })
	no := func(int32, string) bool { return false }
	published := func(r int32) string {
		if f.records[r].year == 0 {
			return ""
		}
		// A year alone counts as its first day.
		return itoa(f.records[r].year) + "-01-01"
	}
	tests := map[string]func(int32, string) bool{
		"type":                 func(r int32, v string) bool { return crossrefType(f.of(r)) == v },
		"has-abstract":         flag(func(r int32) bool { return f.records[r].abstract }),
		"has-references":       flag(func(r int32) bool { return len(f.lib.Cites(int(f.records[r].work))) > 0 }),
		"reference-visibility": func(_ int32, v string) bool { return v == "open" },
		"has-update":           flag(func(r int32) bool { return f.of(r).Retracted != nil }),
		"has-relation":         flag(func(r int32) bool { return hasPreprintRelation(f.of(r)) }),
		"relation.type":        func(r int32, v string) bool { return v == "has-preprint" && hasPreprintRelation(f.of(r)) },
		"doi":                  func(r int32, v string) bool { return f.of(r).DOI == normalDOI(v) },
		"prefix":               func(r int32, v string) bool { return prefixOf(f.of(r).DOI) == v },
		"container-title":      func(r int32, v string) bool { return strings.EqualFold(f.of(r).Venue, v) },
		"is-update":            never, "has-orcid": never, "has-full-text": never, "has-license": never, "has-funder": never, "has-affiliation": never,
		"has-archive": never, "issn": no, "isbn": no, "orcid": no, "updates": no, "update-type": no, "member": no, "relation.object": no,
	}
	for _, which := range []string{"pub", "print-pub", "online-pub", "issued", "posted", "accepted"} {
		date := which + "-date"
		tests["from-"+date] = func(r int32, v string) bool { return published(r) != "" && published(r) >= firstDay(v) }
		tests["until-"+date] = func(r int32, v string) bool { return published(r) != "" && published(r) <= lastDay(v) }
	}
	for _, which := range []string{"created", "update", "index", "deposit"} {
		tests["from-"+which+"-date"] = func(_ int32, v string) bool { return day >= firstDay(v) }
		tests["until-"+which+"-date"] = func(_ int32, v string) bool { return day <= lastDay(v) }
	}
	return tests
}

// firstDay and lastDay complete a date of year, or year and month.
func firstDay(v string) string { return v + "-01-01"[min(max(len(v)-4, 0), 6):] }
func lastDay(v string) string  { return v + "-12-31"[min(max(len(v)-4, 0), 6):] }

// crossrefFilters reads filter=name:value,…: AND across names, OR where a name
// repeats.
func (f finder) crossrefFilters(filter string) (func(int32) bool, *reply) {
	if filter == "" {
		return nil, nil
	}
	tests := f.crossrefTests()
	values, names := map[string][]string{}, []string{}
	for _, part := range strings.Split(filter, ",") {
		name, value, _ := strings.Cut(part, ":")
		name = strings.TrimSpace(name)
		if tests[name] == nil {
			var valid []string
			for n := range tests {
				valid = append(valid, n)
			}
			slices.Sort(valid)
			return nil, invalid("filter-not-available", name, "Filter '"+name+"' specified but there is no such filter for this route. Valid filters "+
				"for this route are: "+strings.Join(valid, ", "))
		}
		if strings.HasSuffix(name, "-date") && !dateValue(value) {
			return nil, invalid("date-not-valid", value, "Date specified as "+value+" but must be of the form: yyyy or yyyy-MM or yyyy-MM-dd")
		}
		if values[name] == nil {
			names = append(names, name)
		}
		values[name] = append(values[name], value)
	}
	return func(r int32) bool {
		for _, name := range names {
			if !slices.ContainsFunc(values[name], func(v string) bool { return tests[name](r, v) }) {
				return false
			}
		}
		return true
	}, nil
}

func dateValue(v string) bool {
	if len(v) != 4 && len(v) != 7 && len(v) != 10 {
		return false
	}
	for i, r := range v {
		if dash := i == 4 || i == 7; dash != (r == '-') || !dash && (r < '0' || r > '9') {
			return false
		}
	}
	return true
}

func prefixOf(doi string) string {
	prefix, _, _ := strings.Cut(doi, "/")
	return prefix
}
