package sandbox

import (
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"optimistresearch/state"
)

// openAlexTests are the filters that the sandbox knows, each with the test of
// one value. A value is what stands between commas and bars.
func (f finder) openAlexTests() map[string]func(r int32, value string) bool {
	id := func(r int32, v string) bool { return f.records[r].id == state.NormalizeOpenAlex(v) }
	byPMID := func(r int32, v string) bool { return f.of(r).PMID != "" && f.of(r).PMID == state.NormalizePMID(v) }
	byPMCID := func(r int32, v string) bool { return f.of(r).PMCID != "" && f.of(r).PMCID == state.NormalizePMCID(v) }
	flag := func(is func(r int32) bool) func(int32, string) bool {
		return func(r int32, v string) bool { return is(r) == (strings.EqualFold(v, "true") || v == "1") }
	}
	open := flag(func(r int32) bool { return f.of(r).ArXiv != "" })
	year := func(r int32, v string) bool { return inRange(f.records[r].year, v) }
	status := func(r int32, v string) bool {
		return v == map[bool]string{true: "green", false: "closed"}[f.of(r).ArXiv != ""]
	}
	references := func(r int32, v string) bool {
		return slices.Contains(f.openAlexReferences(r), openAlexPrefix+state.NormalizeOpenAlex(v))
	}
	tests := map[string]func(int32, string) bool{
		"doi":      func(r int32, v string) bool { return f.openAlexDOI(r) != "" && f.openAlexDOI(r) == normalDOI(v) },
		"openalex": id, "openalex_id": id, "ids.openalex": id,
		"pmid": byPMID, "ids.pmid": byPMID, "pmcid": byPMCID, "ids.pmcid": byPMCID,
		"cites": references, "referenced_works": references,
		"cited_by": func(r int32, v string) bool {
			from := f.find("openalex", state.NormalizeOpenAlex(v))
			return from >= 0 && slices.Contains(f.openAlexReferences(from), openAlexPrefix+f.records[r].id)
		},
		"publication_year": year,
		"publication_date": func(r int32, v string) bool { return f.openAlexDate(r) == v },
		"from_publication_date": func(r int32, v string) bool {
			return f.openAlexDate(r) != "" && f.openAlexDate(r) >= v
		},
		"to_publication_date": func(r int32, v string) bool {
			return f.openAlexDate(r) != "" && f.openAlexDate(r) <= v
		},
		"type": func(r int32, v string) bool {
			return strings.TrimPrefix(v, openAlexPrefix+"types/") == f.openAlexType(r)
		},
		"language": func(r int32, v string) bool {
			return strings.TrimPrefix(v, openAlexPrefix+"languages/") == language(f.of(r))
		},
		"has_abstract":    flag(func(r int32) bool { return f.records[r].abstract }),
		"has_doi":         flag(func(r int32) bool { return f.openAlexDOI(r) != "" }),
		"has_pmid":        flag(func(r int32) bool { return f.of(r).PMID != "" }),
		"has_references":  flag(func(r int32) bool { return len(f.openAlexReferences(r)) > 0 }),
		"has_fulltext":    flag(func(int32) bool { return false }),
		"is_retracted":    flag(func(r int32) bool { return f.of(r).Retracted != nil }),
		"is_paratext":     flag(func(int32) bool { return false }),
		"is_xpac":         flag(func(int32) bool { return false }),
		"is_oa":           open,
		"oa_status":       status,
		"cited_by_count":  func(r int32, v string) bool { return inRange(f.openAlexCount(r), v) },
		"authors_count":   func(r int32, v string) bool { return inRange(len(f.of(r).Authors), v) },
		"doi_starts_with": func(r int32, v string) bool { return strings.HasPrefix(f.openAlexDOI(r), strings.ToLower(v)) },
		"display_name":    func(r int32, v string) bool { return strings.EqualFold(f.of(r).Title, v) },
		"referenced_works_count": func(r int32, v string) bool {
			return inRange(len(f.openAlexReferences(r)), v)
		},
	}
	tests["open_access.is_oa"], tests["open_access.oa_status"] = open, status
	return tests
}

// openAlexTextFilters are the filters that search.
var openAlexTextFilters = map[string]fields{
	"title.search": inTitle, "display_name.search": inTitle, "abstract.search": inAbstract, "title_and_abstract.search": inText,
	"default.search": inText, "fulltext.search": inText, "raw_author_name.search": inAuthors,
}

// openAlexFilters reads filter=: what comes of it are a test of records and
// the searches in it.
func (f finder) openAlexFilters(filter, address string) (pass func(int32) bool, query allOf, fault *reply) {
	if filter == "" {
		return nil, nil, nil
	}
	if rawComma(address) {
		out := edge("Invalid request rejected at the API edge", "A filter value contains an unescaped comma. Commas separate filters, so a literal "+
			"comma inside a value must be percent-encoded as %2C (or the whole value wrapped in double quotes). e.g. filter=title.search:climate%2C+biodiversity",
			"f1:raw_comma_filter")
		return nil, nil, &out
	}
	tests := f.openAlexTests()
	var all []func(int32) bool
	for _, part := range splitFilter(filter) {
		given, value, _ := strings.Cut(part, ":")
		name := strings.ReplaceAll(strings.TrimSpace(given), "-", "_")
		if name == "from_created_date" || name == "from_updated_date" || name == "to_created_date" || name == "to_updated_date" {
			out := failure(429, "Plan upgrade required", fmt.Sprintf("The \"%s\" filter requires a Premium, Institutional, or Partner plan. "+
				"See https://openalex.org/pricing for details.", name))
			return nil, nil, &out
		}
		field, exact := strings.CutSuffix(name, ".exact")
		if in, isSearch := openAlexTextFilters[field]; isSearch {
			n, message := parseOpenAlex(value, f, in, exact)
			if message != "" {
				out := badParameter(message)
				return nil, nil, &out
			}
			query = append(query, n)
			continue
		}
		test := tests[name]
		if test == nil {
			var valid []string
			for n := range tests {
				valid = append(valid, n)
			}
			for n := range openAlexTextFilters {
				valid = append(valid, n, n+".exact")
			}
			slices.Sort(valid)
			out := badParameter(given + " is not a valid field. Valid fields are underscore or hyphenated versions of: " + strings.Join(valid, ", "))
			return nil, nil, &out
		}
		value, not := strings.CutPrefix(value, "!")
		values := strings.Split(value, "|")
		if len(values) > 100 {
			if name == "openalex" {
				name = "ids.openalex"
			}
			out := badParameter("Maximum number of values exceeded for " + name + ". Decrease values to 100 or below, or consider downloading the full " +
				"dataset at https://developers.openalex.org/download/snapshot-format")
			return nil, nil, &out
		}
		all = append(all, func(r int32) bool {
			return slices.ContainsFunc(values, func(v string) bool { return test(r, strings.Trim(v, `" `)) }) != not
		})
	}
	return func(r int32) bool {
		for _, test := range all {
			if !test(r) {
				return false
			}
		}
		return true
	}, query, nil
}

// filterName begins a filter.
var filterName = regexp.MustCompile(`^\s*!?[A-Za-z_.-]+:`)

// splitFilter splits at commas, but for those between quotation marks and
// those after which no filter begins: they belong to the value.
func splitFilter(s string) []string {
	var parts []string
	start, quoted := 0, false
	for i := range len(s) {
		switch {
		case s[i] == '"':
			quoted = !quoted
		case s[i] == ',' && !quoted && filterName.MatchString(s[i+1:]):
			parts = append(parts, s[start:i])
			start = i + 1
		}
	}
	return append(parts, s[start:])
}

// rawComma reports whether a comma stands unescaped in a value of the filter
// of a request. Only the address as it was sent tells.
func rawComma(address string) bool {
	_, query, _ := strings.Cut(address, "?")
	for _, param := range strings.Split(query, "&") {
		value, ok := strings.CutPrefix(param, "filter=")
		if !ok {
			continue
		}
		for _, part := range strings.Split(value, ",") {
			if plain, err := url.QueryUnescape(part); err == nil && !filterName.MatchString(plain) && strings.Count(plain, `"`) == 0 {
				return true
			}
		}
	}
	return false
}

// inRange tests a number against "2020", "2020-2024", "2020-", ">2020" and
// "<2020".
func inRange(n int, value string) bool {
	if rest, ok := strings.CutPrefix(value, ">"); ok {
		limit, err := strconv.Atoi(rest)
		return err == nil && n > limit
	}
	if rest, ok := strings.CutPrefix(value, "<"); ok {
		limit, err := strconv.Atoi(rest)
		return err == nil && n < limit
	}
	low, high, between := strings.Cut(value, "-")
	if !between {
		high = low
	}
	from, err1 := strconv.Atoi(low)
	to, err2 := strconv.Atoi(high)
	if low == "" {
		from, err1 = 0, nil
	}
	if high == "" && between {
		to, err2 = int(^uint(0)>>1), nil
	}
	return err1 == nil && err2 == nil && from <= n && n <= to
}
