package llm

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"strings"
)

// Prompt is what a step asks. Stable goes first and Input last, so that a
// server can reuse its work on everything before Input.
type Prompt struct {
	Name, Version string // the prompt's file and its version
	System        string // rules of the job
	Stable        string // the part that all calls of a batch share
	Input         string // the part of this call
	Schema        Schema // empty = made from the answer's type
	MaxOutput     int    // tokens allowed for the answer, 0 = the server's default
}

// Hash identifies the prompt without its input: the hex SHA-256 of name,
// version, system, stable part and schema, each preceded by its length as
// eight big-endian bytes.
func (p Prompt) Hash() string {
	h := sha256.New()
	for _, part := range []string{p.Name, p.Version, p.System, p.Stable, string(p.Schema.JSON)} {
		var n [8]byte
		binary.BigEndian.PutUint64(n[:], uint64(len(part)))
		h.Write(n[:])
		h.Write([]byte(part))
	}
	return hex.EncodeToString(h.Sum(nil))
}

// user joins the stable part and the input, and returns how many bytes of the
// result are stable.
func (p Prompt) user() (text string, stable int) {
	if p.Stable == "" {
		return p.Input, 0
	}
	head := strings.TrimRight(p.Stable, "\n") + "\n\n"
	return head + p.Input, len(head)
}

// system returns the rules with the rule about fenced text, once.
func (p Prompt) system() string {
	if strings.Contains(p.System, Instructions()) {
		return p.System
	}
	return strings.TrimSpace(p.System + "\n\n" + Instructions())
}
