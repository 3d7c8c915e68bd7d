package lexical

import (
	"fmt"
	"slices"
	"strings"

	"optimistresearch/internal/text"
)

// Bounds of a note.
const (
	notedPhrases = 3
	notedShared  = 3
	likeMatches  = 0.5 // likeness from which the words shared are named
)

// note says in one line what the score of document n rests on.
func (j *judge) note(n int) string {
	s, t := j.seen[n], j.topic
	found, core, foundLabels := 0, 0, []string(nil)
	for u := range t.units {
		if !t.isCore(u) {
			continue
		}
		core++
		if s.count[u] > 0 {
			found++
			foundLabels = append(foundLabels, quoted(t.units[u].label))
		}
	}
	var parts []string
	title := t.inTitle(&s)
	switch {
	case core == 0:
		return "the question names no topic"
	case found == 0:
		parts = append(parts, fmt.Sprintf("none of %s", terms(core)))
	case len(title) > 0:
		parts = append(parts, fmt.Sprintf("names %s in the title; %d of %s", list(title, notedPhrases), found, terms(core)))
	case found == core:
		parts = append(parts, fmt.Sprintf("all %s, none in the title", terms(core)))
	default:
		parts = append(parts, fmt.Sprintf("names %s; %d of %s", list(foundLabels, notedPhrases), found, terms(core)))
	}
	if asked := append(slices.Clone(t.aspects), t.focus...); len(asked) > 0 && found > 0 {
		has := slices.DeleteFunc(slices.Clone(asked), func(w wanted) bool {
			return slices.ContainsFunc(w.units, func(u int) bool { return s.count[u] == 0 })
		})
		if len(has) > 0 {
			parts = append(parts, "speaks of "+list(labels(has), notedPhrases))
		} else {
			parts = append(parts, "nothing on "+list(labels(asked), notedPhrases))
		}
	}
	if j.likeness != nil {
		switch shared := j.shared(n); {
		case j.likeness[n] >= likeMatches && len(shared) > 0:
			parts = append(parts, "shares "+strings.Join(shared, ", ")+" with the best matches")
		case found > 0 && j.likeness[n] < likeMatches/2:
			parts = append(parts, "otherwise unlike the best matches")
		}
	}
	return strings.Join(parts, "; ")
}

func terms(n int) string {
	if n == 1 {
		return "1 core term"
	}
	return fmt.Sprintf("%d core terms", n)
}

func quoted(s string) string { return "'" + s + "'" }

func labels(ws []wanted) []string {
	var out []string
	for _, w := range ws {
		out = append(out, quoted(w.label))
	}
	return out
}

// list joins at most n items with commas and a final "and".
func list(items []string, n int) string {
	if len(items) > n {
		return strings.Join(items[:n], ", ") + " and more"
	}
	if len(items) < 2 {
		return strings.Join(items, "")
	}
	return strings.Join(items[:len(items)-1], ", ") + " and " + items[len(items)-1]
}

// isCore reports whether a unit belongs to the topic itself.
func (t *topic) isCore(u int) bool {
	return slices.ContainsFunc(t.groups, func(g group) bool {
		return slices.ContainsFunc(g.phrases, func(p wanted) bool { return slices.Contains(p.units, u) })
	})
}

// inTitle gives the parts of the question's phrases that the title names: the
// longest runs of units, as the question words them.
func (t *topic) inTitle(s *seen) []string {
	var out []string
	for _, g := range t.groups {
		for _, p := range g.phrases {
			var run []string
			for i := 0; i <= len(p.units); i++ {
				if i < len(p.units) && s.inTitle[p.units[i]] {
					run = append(run, t.units[p.units[i]].label)
				} else if len(run) > 0 {
					out = append(out, quoted(strings.Join(run, " ")))
					run = nil
				}
			}
		}
	}
	return out
}

// shared gives words that document n has in common with the best matches and
// that the question does not name.
func (j *judge) shared(n int) []string {
	has := j.ix.docs[n].termSet()
	var out []string
	for _, term := range j.learned {
		if len(out) == notedShared {
			break
		}
		w := j.spelling[term]
		if has[term] && len(j.topic.byTerm[term]) == 0 && len(w) > 3 && !text.IsGenericWord(w) {
			out = append(out, w)
		}
	}
	return out
}
