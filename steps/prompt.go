package steps

import (
	"fmt"
	"io/fs"
	"strings"
)

// Prompt reads the rules of a role from prompts/NAME.md: a first line
// "version: N", an empty line, the text.
func Prompt(files fs.FS, name string) (text, version string, err error) {
	b, err := fs.ReadFile(files, "prompts/"+name+".md")
	if err != nil {
		return "", "", fmt.Errorf("reading the prompt of the %s: %w", name, err)
	}
	head, text, ok := strings.Cut(string(b), "\n\n")
	version, isVersion := strings.CutPrefix(head, "version: ")
	if !ok || !isVersion {
		return "", "", fmt.Errorf("the prompt %s.md does not begin with “version: N” and an empty line", name)
	}
	return strings.TrimSpace(text), version, nil
}
