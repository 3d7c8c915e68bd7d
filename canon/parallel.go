package canon

import (
	"runtime"
	"sync"
	"sync/atomic"
)

// workers gives the number of goroutines for n > 0, else as many as the program
// may run at once. No result depends on it.
func workers(n int) int {
	if n > 0 {
		return n
	}
	return runtime.GOMAXPROCS(0)
}

// chunk is the number of items that a worker takes at a time.
const chunk = 1024

// inChunks calls f for the chunks of n items, on several goroutines. f gets the
// number of its worker, for memory of its own, and of the chunk, to put results
// in an order that does not depend on which worker was faster.
func inChunks(n, size, workers int, f func(worker, chunk, from, to int)) {
	if n == 0 {
		return
	}
	chunks := (n + size - 1) / size
	if workers = min(workers, chunks); workers <= 1 {
		for c := range chunks {
			f(0, c, c*size, min(n, (c+1)*size))
		}
		return
	}
	var next atomic.Int64
	var wg sync.WaitGroup
	for w := range workers {
		wg.Go(func() {
			for {
				c := int(next.Add(1)) - 1
				if c >= chunks {
					return
				}
				f(w, c, c*size, min(n, (c+1)*size))
			}
		})
	}
	wg.Wait()
}
