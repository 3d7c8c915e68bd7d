package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"golang.org/x/term"

	"optimistresearch/cmd/internal/app"
	"optimistresearch/screening"
	"optimistresearch/screening/desk"
)

// terminal is a person's keyboard and screen.
type terminal struct {
	in, out *os.File
	close   func() error
}

// terminal gives the terminal that the program is used at, or says why there is
// none. The screen is the controlling terminal where there is one, so that
// standard output may go elsewhere.
func (s *streams) terminal() (terminal, error) {
	none := misuse("leave --interactive out, or give decisions with --import", "--interactive needs a terminal and standard input is none, or --json is given")
	in, ok := s.in.(*os.File)
	if s.json || !ok || !term.IsTerminal(int(in.Fd())) {
		return terminal{}, none
	}
	if tty, err := os.OpenFile("/dev/tty", os.O_WRONLY, 0); err == nil {
		return terminal{in, tty, tty.Close}, nil
	}
	if out, ok := s.out.(*os.File); ok && term.IsTerminal(int(out.Fd())) {
		return terminal{in, out, func() error { return nil }}, nil
	}
	return terminal{}, none
}

// Control sequences: the other screen with the cursor hidden, and back.
const (
	enterScreen = "\x1b[?1049h\x1b[?25l"
	leaveScreen = "\x1b[?25h\x1b[?1049l"
	homeClear   = "\x1b[H\x1b[2J"
)

// atDesk lets the person decide until all is read or they end it.
func (s *streams) atDesk(ctx context.Context, job screenJob, by string) (err error) {
	t, err := s.terminal()
	if err != nil {
		return err
	}
	learner := screening.NewLearner(job.corpus, job.review, job.ranked, 0)
	for _, d := range job.session.Read() {
		learner.Learn(d.Record, d.Verdict)
	}
	m := desk.New(job.corpus, job.review, learner, job.session, job.ranked, by)
	before, err := term.MakeRaw(int(t.in.Fd()))
	if err != nil {
		return fmt.Errorf("taking over the terminal: %w", err)
	}
	fmt.Fprint(t.out, enterScreen)
	defer func() {
		fmt.Fprint(t.out, leaveScreen)
		err = errors.Join(err, term.Restore(int(t.in.Fd()), before), t.close())
		if err == nil {
			s.note("%s", desk.Progress(m.Estimate()))
		}
	}()
	// A goroutine reads, so that an interrupt from outside ends the wait; the read
	// that it may still be in ends with the process.
	type stroke struct {
		key desk.Key
		err error
	}
	keys := make(chan stroke)
	done := make(chan struct{})
	defer close(done)
	go func() {
		r := bufio.NewReader(t.in)
		for {
			k, err := readKey(r)
			select {
			case keys <- stroke{k, err}:
			case <-done:
				return
			}
			if err != nil {
				return
			}
		}
	}()
	for {
		width, height, err := term.GetSize(int(t.out.Fd()))
		if err != nil || width == 0 {
			width, height = 80, 24
		}
		fmt.Fprint(t.out, homeClear+strings.Join(m.View(width, height), "\r\n"))
		var k stroke
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case k = <-keys:
		}
		if errors.Is(k.err, io.EOF) {
			return nil // the terminal went away; all decisions are kept
		}
		if k.err != nil {
			return fmt.Errorf("reading the keyboard: %w", k.err)
		}
		effect := m.Key(k.key, app.Now().UTC())
		if effect.Keep != nil {
			if err := job.log.Append(*effect.Keep); err != nil {
				return err
			}
		}
		if effect.Quit {
			return nil
		}
	}
}

// sequences of keys that have no character, after the escape character.
var sequences = map[string]desk.Key{
	"[A": desk.Up, "[B": desk.Down, "OA": desk.Up, "OB": desk.Down, "[5~": desk.PageUp, "[6~": desk.PageDown,
}

// readKey reads one key. An escape character that nothing follows at once is
// the key Escape.
func readKey(r *bufio.Reader) (desk.Key, error) {
	c, _, err := r.ReadRune()
	if err != nil {
		return 0, err
	}
	switch c {
	case 3, 4:
		return desk.Interrupt, nil
	case '\r', '\n':
		return desk.Enter, nil
	case 8, 127:
		return desk.Backspace, nil
	case 27:
	default:
		return desk.Key(c), nil
	}
	seq := ""
	for r.Buffered() > 0 && len(seq) < 8 {
		b, err := r.ReadByte()
		if err != nil {
			return 0, err
		}
		seq += string(rune(b))
		if len(seq) > 1 && (b >= 'A' && b <= 'Z' || b == '~') {
			break
		}
	}
	if seq == "" {
		return desk.Escape, nil
	}
	return sequences[seq], nil // an unknown one is no key
}
