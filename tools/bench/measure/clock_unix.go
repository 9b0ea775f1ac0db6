//go:build unix

package main

import "syscall"

// cpuSeconds is the processor time that this program has used: unlike the
// time of day, it does not grow while others have the machine.
func cpuSeconds() float64 {
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		panic(err)
	}
	return float64(used.Utime.Nano()+used.Stime.Nano()) / 1e9
}
