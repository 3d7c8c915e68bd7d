package report

import (
	"fmt"

	"optimistresearch/state"
)

// Kept looks up what is left of the answer to a request, by the hash of the
// request: the sha256 of its body as it is stored now. The error says why the
// recording cannot vouch for what the run read; it is one line without the
// name of the recording ("is missing").
type Kept func(request string) (raw string, err error)

// warning opens a road that does not lead to the bytes that were read.
func (w *road) warning() string {
	if w.bad == 0 {
		return ""
	}
	return fmt.Sprintf("NOT INTACT: %s below cannot vouch for what was read; look for “NOT”. Restore the folder recordings from a copy.\n\n", count(w.bad, "recording"))
}

func (w *road) intact() string {
	if w.bad > 0 || len(w.seen) == 0 {
		return ""
	}
	return fmt.Sprintf("\n%s on this road: present, with the bytes that were received.\n", capital(count(len(w.seen), "recording")))
}

// recording writes where the answer to a request is kept, and whether it still
// is what was received.
func (w *road) recording(depth int, request string) (raw string, ok bool) {
	path := recordingPath(plain(request))
	if w.kept == nil {
		w.line(depth, "recording %s", path)
		return "", false
	}
	raw, err := w.kept(request)
	if _, again := w.seen[request]; !again && err != nil {
		w.bad++
	}
	w.seen[request] = raw
	if err != nil {
		w.line(depth, "recording %s: NOT INTACT, it %s", path, plain(err.Error()))
		return "", false
	}
	w.line(depth, "recording %s", path)
	return raw, true
}

// recordings writes where the answers to the requests of a call are kept.
func (w *road) recordings(depth int, id string, c state.SourceCall) {
	whole, found := len(c.Requests) > 0 && c.Raw != "", false
	for _, h := range c.Requests {
		raw, ok := w.recording(depth, h)
		whole = whole && ok
		found = found || raw == c.Raw
	}
	// Also a recording that agrees with itself may be another than the one that
	// the run noted.
	if whole && !found {
		if !w.foreign[id] {
			w.bad++
		}
		w.foreign[id] = true
		w.line(depth, "NOT INTACT: none of them is the response with the sha256 %s that was read", plain(c.Raw))
	}
}
