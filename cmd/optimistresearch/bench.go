package main

import (
	"bytes"
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"optimistresearch/internal/atomicfile"
)

func newBench(s *streams) *cobra.Command {
	c := &cobra.Command{
		Use:   "bench",
		Short: "Measure a stage of the method on labelled data",
		Args:  parents,
		RunE:  func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	c.AddCommand(newBenchScreen(s), newBenchDedupe(s))
	c.AddCommand(newBenchSnowball(s), newBenchSearch(s))
	return c
}

// writeSection puts a section into a file of figures, between two marks that
// carry its name, and leaves everything else as it is. A section that is not
// there goes to the end; a file that is not there is begun.
func writeSection(file, name, body string) error {
	begin, end := "<!-- begin "+name+" -->\n", "<!-- end "+name+" -->\n"
	section := []byte(begin + "\n" + strings.TrimSpace(body) + "\n\n" + end)
	old, err := os.ReadFile(file)
	switch {
	case os.IsNotExist(err):
		old = []byte("# Evaluation\n\nEach section is written by the command that it names.\n")
	case err != nil:
		return fmt.Errorf("reading %s: %w", file, err)
	}
	from := bytes.Index(old, []byte(begin))
	to := bytes.Index(old, []byte(end))
	var out []byte
	switch {
	case from >= 0 && to > from:
		out = append(append(append(out, old[:from]...), section...), old[to+len(end):]...)
	case from >= 0 || to >= 0:
		return misuse("mend or remove the marks", "%s has only one of the marks of the section %q, or has them in the wrong order", file, name)
	default:
		out = append(append(append(out, bytes.TrimRight(old, "\n")...), "\n\n"...), section...)
	}
	return atomicfile.Write(file, out, 0o644)
}
