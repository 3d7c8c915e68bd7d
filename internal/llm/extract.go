package llm

import (
	"bytes"
	"encoding/json"
	"regexp"
	"slices"
	"strings"
)

// candidate is a JSON value found in an answer, and how it was found.
type candidate struct {
	json []byte
	note string // "" = the answer is the value
}

// What a note says about an answer that was not the bare value.
const (
	noteThink  = "stripped <think>"
	noteFence  = "took the answer out of a code fence"
	noteQuoted = "took the answer out of a JSON string"
	noteProse  = "took the answer out of surrounding text"
	noteNoEnd  = "stripped an unclosed <think>"
)

// candidates lists the JSON values in an answer, the likeliest first: the whole
// text; then, outside reasoning blocks, the values from the last to the first,
// since a draft comes before the answer. cut says that the answer was stopped at
// its length limit: then only the first value counts, for a later one is a part
// of the half answer.
func candidates(text string, cut bool) []candidate {
	text = strings.TrimSpace(strings.TrimPrefix(text, "\ufeff"))
	if startsValue(text) && json.Valid([]byte(text)) {
		return []candidate{{json: []byte(text)}}
	}
	var quoted string
	if json.Unmarshal([]byte(text), &quoted) == nil && json.Valid([]byte(quoted)) {
		return []candidate{{json: []byte(quoted), note: noteQuoted}}
	}
	s := scanner{rest: text, firstOnly: cut}
	s.run()
	note := s.note()
	out := make([]candidate, 0, len(s.values))
	for _, v := range slices.Backward(s.values) {
		out = append(out, candidate{json: v, note: note})
	}
	return out
}

// Bounds of the work on one answer; honest answers stay far below them.
const (
	maxStarts    = 500      // places tried as the start of a value
	maxLandmarks = 10_000   // brackets and tags looked at
	maxWork      = 16 << 20 // bytes offered to the decoder, over all starts
)

var (
	landmark = regexp.MustCompile(`^(?i:\[/?THINK\]|</?(?:think|thinking|thought|thoughts|reasoning)>|[{\[])`)
	closing  = regexp.MustCompile(`^(?i:\[/THINK\]|</(?:think|thinking|thought|thoughts|reasoning)>)`)
)

// longestMark is more than any landmark takes.
const longestMark = 16

// next finds the first match of an anchored mark, nil if there is none. It looks
// for the bytes that begin one, which is much faster than the expression.
func next(mark *regexp.Regexp, text, starts string) []int {
	for off := 0; ; off++ {
		i := strings.IndexAny(text[off:], starts)
		if i < 0 {
			return nil
		}
		off += i
		if m := mark.FindStringIndex(text[off:min(off+longestMark, len(text))]); m != nil {
			return []int{off, off + m[1]}
		}
	}
}

// scanner reads the outermost JSON objects and arrays of a text one by one. A
// value is read whole, so braces and tags inside its strings do no harm.
type scanner struct {
	rest      string
	firstOnly bool

	values                      [][]byte
	thought, open, fence, prose bool // what else there was; open: a block without an end
}

func (s *scanner) run() {
	for tries, marks, work := 0, 0, 0; tries < maxStarts && marks < maxLandmarks && work < maxWork; marks++ {
		at := next(landmark, s.rest, "<[{")
		if at == nil {
			break
		}
		s.skip(at[0])
		mark := s.rest[:at[1]-at[0]]
		switch {
		case closing.MatchString(mark): // all before it was reasoning
			s.values, s.fence, s.prose = nil, false, false
			s.thought, s.open = true, false
			s.rest = s.rest[len(mark):]
		case len(mark) > 1:
			s.reasoning(mark)
		default:
			tries++
			work += len(s.rest)
			if !s.value() && s.firstOnly || s.firstOnly && len(s.values) > 0 {
				s.skip(len(s.rest))
				return
			}
		}
	}
	s.skip(len(s.rest))
}

// skip passes over n bytes of other text.
func (s *scanner) skip(n int) {
	text := s.rest[:n]
	s.fence = s.fence || strings.Contains(text, "```")
	s.prose = s.prose || strings.TrimSpace(text) != ""
	s.rest = s.rest[n:]
}

// reasoning passes over a block that begins with mark, or over the mark alone if
// the block has no end.
func (s *scanner) reasoning(mark string) {
	s.rest = s.rest[len(mark):]
	if s.open {
		return
	}
	if end := next(closing, s.rest, "<["); end != nil {
		s.thought = true
		s.rest = s.rest[end[1]:]
		return
	}
	s.open = true
}

// value reads the value at the start of the rest, or passes over its bracket if
// there is none.
func (s *scanner) value() bool {
	var v json.RawMessage
	d := json.NewDecoder(strings.NewReader(s.rest))
	if d.Decode(&v) != nil {
		s.skip(1)
		return false
	}
	s.values = append(s.values, bytes.TrimSpace(v))
	s.rest = s.rest[d.InputOffset():]
	return true
}

// note says what was around the values.
func (s *scanner) note() string {
	var notes []string
	if s.open {
		notes = append(notes, noteNoEnd)
	} else if s.thought {
		notes = append(notes, noteThink)
	}
	if s.fence {
		notes = append(notes, noteFence)
	}
	if s.prose && len(notes) == 0 {
		notes = append(notes, noteProse)
	}
	return strings.Join(notes, "; ")
}

func startsValue(text string) bool {
	return text != "" && (text[0] == '{' || text[0] == '[')
}
