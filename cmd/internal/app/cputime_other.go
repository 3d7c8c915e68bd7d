//go:build !unix

package app

// cpuTime is 0 where the CPU time of the process is not known.
func cpuTime() float64 { return 0 }
