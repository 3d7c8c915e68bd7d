package corpus

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"optimistresearch/state"
)

// entry is what one line of the journal holds: a delta, or the numbers of
// earlier lines that do not count any more. A line is never removed; one that
// is set back stays for whoever wants to know what had happened.
type entry struct {
	state.Delta
	Void []int `json:"void,omitempty"`
}

// SetBack lets earlier deltas count no more, so that their tasks are done
// again. which is given the deltas that count, in the order of the journal, and
// returns the positions among them to set back; none is fine. The state is
// folded anew. It returns how many deltas were set back, and must not run
// beside Append.
func (r *Run) SetBack(which func([]state.Delta) []int) (int, error) {
	name := filepath.Join(r.Dir, JournalFile)
	b, err := os.ReadFile(name)
	if err != nil {
		return 0, fmt.Errorf("setting %s back: %w", r.Dir, err)
	}
	now, err := fold(name, b)
	if err != nil {
		return 0, fmt.Errorf("setting %s back: %w", r.Dir, err)
	}
	deltas := make([]state.Delta, len(now.standing))
	for i, l := range now.standing {
		deltas[i] = l.delta
	}
	var void []int
	for _, i := range which(deltas) {
		void = append(void, now.standing[i].n)
	}
	if len(void) == 0 {
		return 0, nil
	}
	slices.Sort(void)
	if err := r.journal.append(entry{Void: void}); err != nil {
		return 0, err
	}
	again, err := foldFile(name)
	if err != nil {
		return 0, fmt.Errorf("setting %s back: %w", r.Dir, err)
	}
	r.state = again.state
	return len(void), nil
}
