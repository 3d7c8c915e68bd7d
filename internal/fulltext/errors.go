package fulltext

import (
	"errors"
	"fmt"
)

// Kinds of failure; test with errors.Is. With any of them the Doc may still hold
// what was found (a title, an abstract) but no full text.
var (
	// ErrEmpty: no bytes at all.
	ErrEmpty = errors.New("the file is empty")
	// ErrTooLarge: above Limits.Bytes.
	ErrTooLarge = errors.New("the file is too large")
	// ErrWebPage: a web page in the place of a paper, such as a log-in page, a
	// landing page or a list of results.
	ErrWebPage = errors.New("it is a web page, not a paper")
	// ErrFormat: none of the formats that can be read.
	ErrFormat = errors.New("it is not a PDF")
	// ErrEncrypted: needs a password.
	ErrEncrypted = errors.New("the PDF is encrypted")
	// ErrScan: pages are images without a text layer.
	ErrScan = errors.New("the PDF has no text layer")
	// ErrGarbled: a text layer whose letters cannot be told.
	ErrGarbled = errors.New("the text layer cannot be decoded")
	// ErrDamaged: broken beyond what any reader repairs.
	ErrDamaged = errors.New("the file is damaged")
	// ErrLimit: reading was stopped by a limit of time, memory or steps.
	ErrLimit = errors.New("reading was stopped by a limit")
	// ErrRestricted: the archive delivers the front matter only.
	ErrRestricted = errors.New("the full text is withheld")
)

// kinds name the failures where they travel as text, between processes and in
// the output of commands.
var kinds = []struct {
	name string
	err  error
}{
	{"empty", ErrEmpty}, {"too_large", ErrTooLarge}, {"web_page", ErrWebPage}, {"format", ErrFormat},
	{"encrypted", ErrEncrypted}, {"scan", ErrScan}, {"garbled", ErrGarbled}, {"damaged", ErrDamaged},
	{"limit", ErrLimit}, {"restricted", ErrRestricted},
}

// Kind names the kind of a failure in one word, or "" when it is none of ours.
func Kind(err error) string {
	for _, k := range kinds {
		if errors.Is(err, k.err) {
			return k.name
		}
	}
	return ""
}

func fail(kind error, format string, args ...any) error {
	if format == "" {
		return kind
	}
	return fmt.Errorf("%w: %s", kind, fmt.Sprintf(format, args...))
}
