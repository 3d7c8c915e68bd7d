package sandbox

import (
	"cmp"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// openAlexSort applies sort=field:desc,field.
func (f finder) openAlexSort(c *call, results []found, searched bool) *reply {
	keys := c.query.Get("sort")
	if keys == "" {
		return nil
	}
	for _, k := range slices.Backward(strings.Split(keys, ",")) {
		name, direction, _ := strings.Cut(strings.TrimSpace(k), ":")
		var compare func(a, b found) int
		switch name {
		case "relevance_score":
			if !searched {
				out := badParameter("Sorting by relevance_score requires a search query.")
				return &out
			}
			compare = func(a, b found) int { return cmp.Compare(a.score, b.score) }
		case "publication_year", "publication_date":
			compare = func(a, b found) int { return strings.Compare(f.openAlexDate(a.record), f.openAlexDate(b.record)) }
		case "cited_by_count":
			compare = func(a, b found) int { return cmp.Compare(f.openAlexCount(a.record), f.openAlexCount(b.record)) }
		case "display_name", "title":
			compare = func(a, b found) int { return strings.Compare(f.of(a.record).Title, f.of(b.record).Title) }
		default:
			out := badParameter(name + " is not a valid sort field. Valid fields for sort are: cited_by_count, display_name, publication_date, " +
				"publication_year, relevance_score.")
			return &out
		}
		slices.SortStableFunc(results, func(a, b found) int {
			if direction == "desc" {
				a, b = b, a
			}
			return compare(a, b)
		})
	}
	return nil
}

// sampled keeps a sample that the seed fixes.
func sampled(c *call, f finder, results *[]found) *reply {
	v := c.query.Get("sample")
	if v == "" {
		return nil
	}
	n, err := strconv.Atoi(v)
	if err != nil || n < 1 || n > mostResults {
		out := badParameter("Sample size must be a number between 1 and 10,000.")
		return &out
	}
	seed := "sample" + c.query.Get("seed")
	slices.SortStableFunc(*results, func(a, b found) int {
		return cmp.Compare(hash(f.records[a.record].id, seed), hash(f.records[b.record].id, seed))
	})
	*results = (*results)[:min(n, len(*results))]
	return nil
}

// openAlexPage writes one page, or the groups that were asked for.
func (f finder) openAlexPage(c *call, results []found, searched bool) reply {
	size := 25
	if v := cmp.Or(c.query.Get("per_page"), c.query.Get("per-page")); v != "" {
		n, err := strconv.Atoi(v)
		if err != nil || n < 1 || n > 200 {
			return badPage("per-page parameter must be between 1 and 200")
		}
		size = n
	}
	chosen, fault := chosenFields(c)
	if fault != nil {
		return *fault
	}
	meta := object{{"count", c.total(len(results))}, {"db_response_time_ms", 3}}
	from, cursor := 0, c.query.Get("cursor")
	switch {
	case cursor != "":
		if c.query.Get("page") != "" {
			return badPage("Use either page or cursor, not both.")
		}
		if from = readCursor(c.cursor(cursor), results, f); from < 0 {
			return badPage("Invalid cursor value")
		}
		meta = append(meta, member{"page", nil}, member{"per_page", size})
	default:
		number := 1
		if v := c.query.Get("page"); v != "" {
			n, err := strconv.Atoi(v)
			if err != nil || n < 1 {
				return badPage("page parameter must be a number greater than 0")
			}
			number = n
		}
		if number*size > mostResults {
			return badPage("Maximum results size of 10,000 records is exceeded. Cursor pagination is required for records beyond 10,000. " +
				"See: https://developers.openalex.org/guides/page-through-results")
		}
		from = c.offset((number - 1) * size)
		meta = append(meta, member{"page", number}, member{"per_page", size})
	}
	shown := results[min(from, len(results)):min(from+size, len(results))]
	if cursor != "" {
		// A cursor follows every page that is not empty, the last one too.
		var next any
		if len(shown) > 0 {
			next = c.next(cursor, writeCursor(from+len(shown), f.records[shown[len(shown)-1].record].id))
		}
		meta = append(meta, member{"next_cursor", next})
	}
	spaced := style{spaced: true}
	cost := member{"cost_usd", dollars(openAlexCost(c))}
	if by := cmp.Or(c.query.Get("group_by"), c.query.Get("group-by")); by != "" {
		groups, ok := f.grouped(results, by)
		if !ok {
			return badParameter(by + " is not a valid field for group_by. Valid fields are: is_retracted, language, open_access.is_oa, publication_year, type.")
		}
		meta = append(meta, member{"groups_count", len(groups)}, cost)
		return reply{kind: jsonType, body: spaced.encode(object{{"meta", meta}, {"group_by", groups}})}
	}
	meta = append(meta, member{"groups_count", nil}, cost)
	records := list{}
	for _, r := range page(c, shown) {
		score := -1.0
		if searched {
			score = r.score
		}
		records = append(records, pick(f.openAlexRecord(r.record, score), chosen))
	}
	return reply{kind: jsonType, body: spaced.encode(object{{"meta", meta}, {"results", records}, {"group_by", list{}}})}
}

// A cursor is the base64 of a small list, as OpenAlex's is.
func writeCursor(next int, last string) string {
	return base64.StdEncoding.EncodeToString(fmt.Appendf(nil, `[%d, "%s"]`, next, openAlexPrefix+last))
}

// readCursor gives the place at which a cursor goes on, −1 if it is none.
func readCursor(cursor string, results []found, f finder) int {
	if cursor == "*" {
		return 0
	}
	raw, err := base64.StdEncoding.DecodeString(cursor)
	if err != nil {
		return -1
	}
	var parts []json.RawMessage
	var next int
	var last string
	if json.Unmarshal(raw, &parts) != nil || len(parts) != 2 || json.Unmarshal(parts[0], &next) != nil || json.Unmarshal(parts[1], &last) != nil {
		return -1
	}
	if next < 1 || next > len(results) || openAlexPrefix+f.records[results[next-1].record].id != last {
		return -1
	}
	return next
}

// grouped counts results by a field.
func (f finder) grouped(results []found, by string) (list, bool) {
	value := map[string]func(r int32) (key, name string){
		"type": func(r int32) (string, string) {
			t := f.openAlexType(r)
			return openAlexPrefix + "types/" + t, t
		},
		"publication_year": func(r int32) (string, string) {
			y := itoa(f.records[r].year)
			return y, y
		},
		"is_retracted": func(r int32) (string, string) {
			v := strconv.Itoa(btoi(f.of(r).Retracted != nil))
			return v, strconv.FormatBool(v == "1")
		},
		"open_access.is_oa": func(r int32) (string, string) {
			v := strconv.Itoa(btoi(f.of(r).ArXiv != ""))
			return v, strconv.FormatBool(v == "1")
		},
		"language": func(r int32) (string, string) {
			l := language(f.of(r))
			return openAlexPrefix + "languages/" + l, l
		},
	}[by]
	if value == nil {
		return nil, false
	}
	counts, shown := map[string]int{}, map[string]string{}
	var keys []string
	for _, r := range results {
		key, name := value(r.record)
		if counts[key] == 0 {
			keys = append(keys, key)
		}
		counts[key]++
		shown[key] = name
	}
	slices.SortFunc(keys, func(a, b string) int { return cmp.Or(cmp.Compare(counts[b], counts[a]), strings.Compare(a, b)) })
	groups := list{}
	for _, k := range keys {
		groups = append(groups, object{{"key", k}, {"key_display_name", shown[k]}, {"count", counts[k]}})
	}
	return groups, true
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

// openAlexSelectable are the root fields that select takes.
var openAlexSelectable = strings.Fields(`id doi title display_name relevance_score publication_year publication_date ids language primary_location sources
	type type_crossref indexed_in open_access authorships institution_assertions institutions countries_distinct_count institutions_distinct_count
	corresponding_author_ids corresponding_institution_ids apc_list apc_paid fwci is_authors_truncated has_fulltext fulltext_origin cited_by_count
	citation_normalized_percentile cited_by_percentile_year biblio is_retracted is_paratext is_xpac primary_topic topics keywords concepts mesh
	locations_count locations best_oa_location sustainable_development_goals awards funders datasets versions has_content content_urls
	referenced_works_count referenced_works related_works abstract_inverted_index cited_by_api_url counts_by_year updated_date created_date`)

// chosenFields reads select; nil means all fields.
func chosenFields(c *call) (map[string]bool, *reply) {
	v := c.query.Get("select")
	if v == "" {
		return nil, nil
	}
	chosen := map[string]bool{}
	for _, name := range strings.Split(v, ",") {
		name = strings.TrimSpace(name)
		if !slices.Contains(openAlexSelectable, name) {
			out := badParameter(name + " is not a valid select field. Valid fields for select are: " + strings.Join(openAlexSelectable, ", ") + ".")
			return nil, &out
		}
		chosen[name] = true
	}
	return chosen, nil
}

func pick(o object, chosen map[string]bool) object {
	if chosen == nil {
		return o
	}
	return slices.DeleteFunc(o, func(m member) bool { return !chosen[m.name] })
}
