//go:build !unix && !js

package main

import "time"

var started = time.Now()

// cpuSeconds is the time of day where there is no clock for processor time.
func cpuSeconds() float64 { return time.Since(started).Seconds() }
