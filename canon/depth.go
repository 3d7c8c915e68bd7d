package canon

import "optimistresearch/state"

// setDepths computes the depth of every document from the sightings of its
// records: 0 when a search or an import brought it, else one more than the
// nearest seed that led to it. It adds to part the depth of new documents and
// of those that a new sighting brought nearer.
func setDepths(s, part *state.State) {
	led := map[string][]string{} // seed → documents it led to
	depth := map[string]int{}
	var queue []string
	ids := map[string]bool{}
	note := func(key string, l state.Link) {
		id := l.Document
		if id == "" {
			return
		}
		ids[id] = true
		r := s.Records[key]
		searched := len(r.Seen) == 0
		for _, p := range r.Seen {
			if p.Via != state.ViaSnowball {
				searched = true
			} else if p.Seed != "" {
				led[p.Seed] = append(led[p.Seed], id)
			}
		}
		if _, ok := depth[id]; searched && !ok {
			depth[id] = 0
			queue = append(queue, id)
		}
	}
	for _, k := range state.Keys(s.Links) {
		note(k, s.Links[k])
	}
	for _, k := range state.Keys(part.Links) {
		note(k, part.Links[k])
	}
	for len(queue) > 0 {
		id := queue[0]
		queue = queue[1:]
		for _, next := range led[id] {
			if _, ok := depth[next]; !ok {
				depth[next] = depth[id] + 1
				queue = append(queue, next)
			}
		}
	}
	for _, id := range state.Keys(ids) {
		d, ok := depth[id]
		if !ok {
			d = 1 // its seed is not in the corpus
		}
		old := s.Documents[id].Depth
		fresh, isNew := part.Documents[id]
		if old != nil && *old <= d {
			continue
		}
		if !isNew {
			fresh = state.Document{ID: id}
		}
		fresh.Depth = &d
		if part.Documents == nil {
			part.Documents = map[string]state.Document{}
		}
		part.Documents[id] = fresh
	}
}
