package canon

import (
	"flag"
	"fmt"
	"runtime"
	"runtime/debug"
	"sync/atomic"
	"testing"
	"time"
)

var million = flag.Bool("million", false, "BenchmarkDedupe goes up to 1,000,000 records, which takes minutes and some gigabytes")

// BenchmarkDedupe measures how cost grows with the corpus: microseconds of wall
// time per record, and the largest heap, the records included.
func BenchmarkDedupe(b *testing.B) {
	// What a program that reads a million records sets too: collect rather than
	// grow beyond this.
	defer debug.SetMemoryLimit(debug.SetMemoryLimit(3600 << 20))
	sizes := []int{10_000, 20_000, 40_000}
	if *million {
		sizes = append(sizes, 250_000, 500_000, 1_000_000)
	}
	for _, n := range sizes {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			records, works := generate(n)
			runtime.GC()
			var res Result
			peak := watchHeap()
			b.ResetTimer()
			for b.Loop() {
				res = Dedupe(records, Options{})
			}
			b.StopTimer()
			b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N)/float64(n), "µs/record")
			b.ReportMetric(float64(peak())/(1<<20), "MB")
			b.ReportMetric(float64(res.Summary.Compared)/float64(n), "pairs/record")
			tp, fp, fn := scoreClusters(res, works)
			b.ReportMetric(float64(tp)/float64(max(1, tp+fp)), "precision")
			b.ReportMetric(float64(tp)/float64(max(1, tp+fn)), "recall")
		})
	}
}

// watchHeap samples what the program holds until the function that it gives is
// called, which tells the most.
func watchHeap() func() uint64 {
	var most atomic.Uint64
	stop := make(chan struct{})
	done := make(chan struct{})
	go func() {
		defer close(done)
		for {
			var m runtime.MemStats
			runtime.ReadMemStats(&m)
			most.Store(max(most.Load(), m.HeapInuse+m.StackInuse))
			select {
			case <-stop:
				return
			case <-time.After(200 * time.Millisecond):
			}
		}
	}()
	return func() uint64 { close(stop); <-done; return most.Load() }
}

// scoreClusters counts pairs of records against the works that they came from.
func scoreClusters(res Result, works []int) (tp, fp, fn int) {
	gold, both := map[int]int{}, map[[2]int]int{}
	for c, x := range res.Clusters {
		fp += len(x.Members) * (len(x.Members) - 1) / 2
		for _, i := range x.Members {
			gold[works[i]]++
			both[[2]int{works[i], c}]++
		}
	}
	for _, n := range both {
		tp += n * (n - 1) / 2
	}
	for _, n := range gold {
		fn += n * (n - 1) / 2
	}
	return tp, fp - tp, fn - tp
}

func BenchmarkCanonicalise(b *testing.B) {
	for _, n := range []int{1_000, 10_000, 100_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			records, _ := generate(n)
			s := stateOf(records)
			documents := 0
			b.ResetTimer()
			for b.Loop() {
				documents = len(Canonicalise(s, 1).Documents)
			}
			b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N)/float64(n), "µs/record")
			b.ReportMetric(float64(documents)/float64(n), "documents/record")
		})
	}
}

func BenchmarkCompare(b *testing.B) {
	x := rec(bias, "Weber A;Lee K;Ito B", 2010, "BMJ", at("3", "1", "10-19"))
	y := rec(bias+" and their handling", "Weber A;Lee K", 2010, "British Medical Journal", at("3", "1", "10"))
	for b.Loop() {
		Compare(x, y)
	}
}

// BenchmarkLabelledSet is the cost of the engine on 7,159 records of seven
// databases, profiles included.
func BenchmarkLabelledSet(b *testing.B) {
	rs := readLabelled(b, "digital_work")
	b.ReportAllocs()
	for b.Loop() {
		Dedupe(rs, Options{Workers: 1})
	}
}
