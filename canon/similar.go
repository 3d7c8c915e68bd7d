package canon

import "optimistresearch/internal/text"

// longestMatched is the number of characters up to which text.Similarity
// compares two strings in full.
const longestMatched = 512

// similarity is text.Similarity, the Ratcliff/Obershelp ratio in the better
// order of its arguments. Plain ASCII, which most keys are, is matched over
// bytes without maps.
func similarity(a, b string) float64 {
	if a == b {
		return 1
	}
	if len(a) == 0 || len(b) == 0 || len(a) > longestMatched || len(b) > longestMatched || !plain(a) || !plain(b) {
		return text.Similarity(a, b)
	}
	var m matcher
	n := max(m.matched(a, b), m.matched(b, a))
	return 2 * float64(n) / float64(len(a)+len(b))
}

// similar reports whether two strings are at least min similar, with their
// similarity; 0 for a pair that cannot reach min.
func similar(a, b string, min float64) (float64, bool) {
	const rounding = 1e-9
	if len(a) > longestMatched || len(b) > longestMatched || !plain(a) || !plain(b) {
		return text.Similar(a, b, min)
	}
	total := float64(len(a) + len(b))
	shorter := len(a)
	if len(b) < shorter {
		shorter = len(b)
	}
	if total > 0 && 2*float64(shorter)/total < min-rounding || total > 0 && 2*float64(commonBytes(a, b))/total < min-rounding {
		return 0, false
	}
	s := similarity(a, b)
	return s, s >= min
}

// commonBytes counts the characters that two strings share, wherever they stand.
func commonBytes(a, b string) int {
	var count [128]int16
	for i := range len(a) {
		count[a[i]&0x7f]++
	}
	n := 0
	for i := range len(b) {
		if c := b[i] & 0x7f; count[c] > 0 {
			count[c]--
			n++
		}
	}
	return n
}

// matcher finds the matching blocks of two strings of at most longestMatched
// bytes below 0x80: the longest common substring, the first of equal ones, then
// the same on both sides of it.
type matcher struct {
	first    [128]int16 // first place of a byte in b
	next     [longestMatched]int16
	row, old [longestMatched + 1]int16 // length of the match that ends before j
	touched  [2][]int16
}

func (m *matcher) matched(a, b string) int {
	for c := range m.first {
		m.first[c] = -1
	}
	for j := len(b) - 1; j >= 0; j-- {
		m.next[j] = m.first[b[j]]
		m.first[b[j]] = int16(j)
	}
	return m.within(a, 0, len(a), 0, len(b))
}

func (m *matcher) within(a string, alo, ahi, blo, bhi int) int {
	total := 0
	for alo < ahi && blo < bhi {
		i, j, n := m.longest(a, alo, ahi, blo, bhi)
		if n == 0 {
			break
		}
		total += n + m.within(a, alo, i, blo, j)
		alo, blo = i+n, j+n
	}
	return total
}

func (m *matcher) longest(a string, alo, ahi, blo, bhi int) (besti, bestj, best int) {
	row, old := &m.row, &m.old
	now, before := m.touched[0][:0], m.touched[1][:0]
	for i := alo; i < ahi; i++ {
		for j := m.first[a[i]]; j >= 0 && int(j) < bhi; j = m.next[j] {
			if int(j) < blo {
				continue
			}
			k := int16(1)
			if int(j) > blo {
				k += old[j]
			}
			row[j+1] = k
			now = append(now, j+1)
			if int(k) > best {
				besti, bestj, best = i-int(k)+1, int(j)-int(k)+1, int(k)
			}
		}
		for _, j := range before {
			old[j] = 0
		}
		row, old = old, row
		now, before = before[:0], now
	}
	for _, j := range before {
		old[j] = 0
	}
	m.touched[0], m.touched[1] = now, before
	return besti, bestj, best
}
