package main

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestNumber(t *testing.T) {
	for v, want := range map[float64]string{0: "0", 0.0021: "0.0021", 7.126: "7.13", 48: "48", 999: "999", 1234: "1,230", 5.5387e6: "5,540,000"} {
		assert.Equal(t, want, number(v))
	}
}

func TestVerdict(t *testing.T) {
	assert.Equal(t, "aim", row{value: 5, must: 1, aim: 4, more: true}.verdict())
	assert.Equal(t, "must", row{value: 2, must: 1, aim: 4, more: true}.verdict())
	assert.Equal(t, "MISSED", row{value: 0.5, must: 1, aim: 4, more: true}.verdict())
	assert.Equal(t, "must", row{value: 9, must: 10, aim: 4}.verdict())
	assert.Equal(t, "below the aim", row{value: 3, aim: 4, more: true}.verdict())
	assert.Equal(t, "", row{value: 3}.verdict())
}
