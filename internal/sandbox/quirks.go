package sandbox

// What a fault does to counts and places in a list.

// lied is how far a lying total is from the true one.
const lied = 10

// total is the number of hits that an answer tells.
func (c *call) total(n int) int {
	if c.fault.Kind == LyingTotal {
		return n*lied + lied
	}
	return n
}

// offset is the place in a list from which a page is taken: the beginning,
// whatever was asked for, of a service whose paging repeats.
func (c *call) offset(n int) int {
	if c.fault.Kind == RepeatCursor {
		return 0
	}
	return n
}

// cursor is the cursor that a page is taken at, and next the one that follows:
// the same again of a service whose cursor repeats.
func (c *call) cursor(sent string) string {
	if c.fault.Kind == RepeatCursor {
		return "*"
	}
	return sent
}

func (c *call) next(sent, next string) string {
	if c.fault.Kind == RepeatCursor {
		return sent
	}
	return next
}
