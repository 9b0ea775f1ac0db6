package main

import "syscall/js"

// cpuSeconds is the processor time that this program has used in Node.
func cpuSeconds() float64 {
	used := js.Global().Get("process").Call("cpuUsage")
	return (used.Get("user").Float() + used.Get("system").Float()) / 1e6
}
