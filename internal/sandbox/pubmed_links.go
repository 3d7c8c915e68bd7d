package sandbox

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"optimistresearch/state"
)

// elinkKinds are the links within PubMed.
var elinkKinds = []string{"pubmed_pubmed_citedin", "pubmed_pubmed_refs"}

var elinkID = regexp.MustCompile(`^[0-9]+$`)

// elink gives the works that a work cites and that cite it. Each id parameter
// has an answer of its own; ids in one parameter share one.
func (s *Server) elink(c *call) reply {
	f := s.finders[PubMed]
	type set struct {
		ids   []string
		links map[string][]string
	}
	var sets []set
	scored := c.param("cmd") == "neighbor_score"
	wanted := elinkKinds
	if name := c.param("linkname"); name != "" {
		wanted = strings.Split(name, ",")
	}
	if len(c.form["id"]) == 0 {
		if wantsJSON(c) {
			return ncbi("elink", member{"linksets", list{}}, member{"ERROR", "Empty id list - nothing todo"})
		}
		return reply{kind: xmlType, body: []byte(xmlHead + linkDoctype + "<eLinkResult>\n\t<ERROR>Empty id list - nothing todo</ERROR>\n</eLinkResult>\n")}
	}
	for _, param := range c.form["id"] {
		one := set{links: map[string][]string{}}
		for _, id := range strings.Split(param, ",") {
			id = strings.TrimSpace(id)
			if !elinkID.MatchString(id) {
				continue
			}
			one.ids = append(one.ids, id)
			r := f.find("pmid", state.NormalizePMID(id))
			if r < 0 {
				continue // an unknown id looks like one without links
			}
			work := int(f.records[r].work)
			for name, linked := range map[string][]int32{"pubmed_pubmed_refs": f.lib.Cites(work), "pubmed_pubmed_citedin": f.lib.CitedBy(work)} {
				for _, to := range linked {
					if m := f.main(to); m >= 0 && !slices.Contains(one.links[name], f.records[m].id) {
						one.links[name] = append(one.links[name], f.records[m].id)
					}
				}
			}
		}
		sets = append(sets, one)
	}
	if wantsJSON(c) {
		all := list{}
		for _, one := range sets {
			o := object{{"dbfrom", "pubmed"}, {"ids", filled(one.ids)}}
			dbs := list{}
			for _, name := range wanted {
				if links := page(c, one.links[name]); len(links) > 0 {
					dbs = append(dbs, object{{"dbto", "pubmed"}, {"linkname", name}, {"links", linkItems(links, scored)}})
				}
			}
			if len(dbs) > 0 {
				o = append(o, member{"linksetdbs", dbs})
			}
			all = append(all, o)
		}
		return ncbi("elink", member{"linksets", all})
	}
	var b strings.Builder
	b.WriteString(xmlHead + linkDoctype + "<eLinkResult>\n\n")
	for _, one := range sets {
		b.WriteString("  <LinkSet>\n    <DbFrom>pubmed</DbFrom>\n    <IdList>\n")
		for _, id := range one.ids {
			b.WriteString("      <Id>" + id + "</Id>\n")
		}
		b.WriteString("    </IdList>\n")
		for _, name := range wanted {
			links := page(c, one.links[name])
			if len(links) == 0 {
				continue
			}
			fmt.Fprintf(&b, "    <LinkSetDb>\n      <DbTo>pubmed</DbTo>\n      <LinkName>%s</LinkName>\n      \n", name)
			for _, id := range links {
				b.WriteString("        <Link>\n\t\t\t\t<Id>" + id + "</Id>\n")
				if scored {
					b.WriteString("\t\t\t\t<Score>0</Score>\n")
				}
				b.WriteString("\t\t\t</Link>\n")
			}
			b.WriteString("    </LinkSetDb>\n")
		}
		b.WriteString("  </LinkSet>\n")
	}
	b.WriteString("</eLinkResult>\n")
	return reply{kind: xmlType, body: []byte(b.String())}
}

const linkDoctype = `<!DOCTYPE eLinkResult PUBLIC "-//NLM//DTD elink 20101123//EN" "https://eutils.ncbi.nlm.nih.gov/eutils/dtd/20101123/elink.dtd">` + "\n"

func linkItems(links []string, scored bool) any {
	if !scored {
		return links
	}
	out := list{}
	for _, id := range links {
		out = append(out, object{{"id", id}, {"score", 0}})
	}
	return out
}
