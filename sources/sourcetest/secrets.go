package sourcetest

import (
	"encoding/json"
	"fmt"
	"net/url"
	"strings"
	"sync"
	"testing"

	"optimistresearch/internal/fetch"
)

// secrets checks that the key appears in no recording and in no event of the
// call log, whatever the service answers.
func (s suite) secrets(t testing.TB) {
	for _, op := range s.operations(t) {
		for _, echo := range []bool{false, true} {
			service := NewService(t, op.scenario.Answers)
			if echo {
				service.failFrom, service.fault = 1, always(400, "application/json", `{"error":"cannot do this with `+Key+`"}`)
			}
			var recorder fetch.MemoryRecorder
			var mu sync.Mutex
			var shown strings.Builder
			do := service.client(fetch.Options{Recorder: &recorder, Observe: func(e fetch.Event) {
				mu.Lock()
				defer mu.Unlock()
				fmt.Fprintf(&shown, "%+v\n", e)
			}})
			_, _ = op.call(t.Context(), s.source(do), op.scenario) // the other checks judge the result
			for _, hash := range recorder.Hashes() {
				r, _, err := recorder.Load(hash)
				if err != nil {
					t.Errorf("%s: a recording cannot be loaded: %v", op.name, err)
					continue
				}
				b, err := json.Marshal(r.Query)
				if err != nil {
					t.Errorf("%s: %v", op.name, err)
				}
				fmt.Fprintf(&shown, "%s %s %s %s\n", r.Path, b, r.RequestBody, r.Body)
				for name, values := range r.Header {
					fmt.Fprintln(&shown, name, values)
				}
			}
			if !service.sawKey {
				continue // what was never sent is no secret
			}
			for _, secret := range []string{Key, url.QueryEscape(Key), url.PathEscape(Key)} {
				if strings.Contains(shown.String(), secret) {
					t.Errorf("%s: the recordings or the call log show the key", op.name)
					break
				}
			}
		}
	}
}
