package advice

import (
	"errors"
	"fmt"
	"io/fs"
	"testing"
)

func TestSplit(t *testing.T) {
	inner := New("free some space", "writing x: %w", fs.ErrPermission)
	for _, c := range []struct {
		err              error
		all, what, nextS string
	}{
		{errors.New("plain"), "plain", "plain", ""},
		{inner, "writing x: permission denied; free some space", "writing x: permission denied", "free some space"},
		{fmt.Errorf("opening r: %w", inner), "opening r: writing x: permission denied; free some space", "opening r: writing x: permission denied", "free some space"},
		{fmt.Errorf("%w (by 7)", inner), "writing x: permission denied; free some space (by 7)", "writing x: permission denied (by 7)", "free some space"},
		{New("resume r", "%w", inner), "writing x: permission denied; free some space; resume r", "writing x: permission denied", "free some space; resume r"},
		{New("", "plain"), "plain", "plain", ""},
		{errors.Join(inner, errors.New("closing")), "writing x: permission denied; free some space\nclosing", "writing x: permission denied\nclosing", "free some space"},
	} {
		what, next := Split(c.err)
		if c.err.Error() != c.all || what != c.what || next != c.nextS {
			t.Errorf("%q splits into %q and %q, want %q: %q and %q", c.err, what, next, c.all, c.what, c.nextS)
		}
	}
	if !errors.Is(inner, fs.ErrPermission) {
		t.Error("the kind of an error is lost in its advice")
	}
}

func TestArg(t *testing.T) {
	for in, want := range map[string]string{
		"runs/r-2": "runs/r-2", "": "''", "my run": "'my run'", "it's": `'it'\''s'`, "größe": "größe", "a;b": "'a;b'", "a$b.md": "'a$b.md'", "../r": "../r",
	} {
		if got := Arg(in); got != want {
			t.Errorf("Arg(%q) = %s, want %s", in, got, want)
		}
	}
}
