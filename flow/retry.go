package flow

import (
	"optimistresearch/critic"
	"optimistresearch/state"
)

// Retry picks out of the deltas of a run, in the order in which they were
// stored, those to be set back so that a run that ended because a source or a
// model did not answer can go on: the deltas of the failed calls, and all that
// came after their wave and rested on it. What other calls of that wave got
// stays. nil if the run did not end that way, or if asking again would give the
// same: answers that could not be used are recorded.
func Retry(s *state.State, deltas []state.Delta) []int {
	failed := failedCall(s)
	if failed == nil {
		return nil
	}
	var out []int
	var first *state.Task
	wave := true // still among the tasks that ran beside the first failed one
	for i := range deltas {
		d := &deltas[i]
		bad := failed(d)
		switch {
		case first == nil && !bad:
			continue
		case first == nil:
			first = &d.Task
		}
		wave = wave && d.Task.Node == first.Node && d.Task.Iteration == first.Iteration
		if bad || !wave {
			out = append(out, i)
		}
	}
	return out
}

// failedCall tells which deltas hold calls of the kind that ended the run; nil
// if it did not end by a failure that may pass.
func failedCall(s *state.State) func(*state.Delta) bool {
	stop := critic.Failure(s)
	if stop == nil {
		stop = s.Stop
	}
	if stop == nil {
		return nil
	}
	switch stop.Reason {
	case state.StopUnreachable:
		return func(d *state.Delta) bool {
			for _, c := range d.Part.Calls {
				if c.Outcome.Failed() {
					return true
				}
			}
			return false
		}
	case state.StopModelFailed:
		return func(d *state.Delta) bool {
			for _, u := range d.Part.Ledger[d.Task.ID].Models {
				if u.Failed > 0 {
					return true
				}
			}
			return false
		}
	}
	return nil
}
