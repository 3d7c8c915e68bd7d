package wire

import (
	"bytes"
	"encoding/json"
)

// Events lists the data of the server-sent events in a body, nil if it holds
// none. Comments, names and the end mark "[DONE]" are left out; done says that
// the mark was there.
func Events(body []byte) (data [][]byte, done bool) {
	var event []byte
	flush := func() {
		if len(event) > 0 {
			data = append(data, event)
		}
		event = nil
	}
	for line := range bytes.Lines(body) {
		line = bytes.TrimRight(line, "\r\n")
		if len(line) == 0 {
			flush()
			continue
		}
		value, ok := bytes.CutPrefix(line, []byte("data:"))
		if !ok {
			continue
		}
		value = bytes.TrimSpace(value)
		if string(value) == "[DONE]" {
			done = true
			continue
		}
		if len(event) > 0 {
			event = append(event, '\n')
		}
		event = append(event, value...)
	}
	flush()
	return data, done
}

// HasError tells whether a piece of a stream is an error object.
func HasError(piece []byte) bool {
	var e struct {
		Error json.RawMessage `json:"error"`
	}
	return json.Unmarshal(piece, &e) == nil && !absent(e.Error)
}
