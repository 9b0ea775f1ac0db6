package site

import (
	"encoding/binary"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

// programOf is a program with a section that is not data, then data.
func programOf(segments []segment) []byte {
	p := []byte("\x00asm\x01\x00\x00\x00\x01\x02\xab\xcd")
	section := binary.AppendUvarint(nil, uint64(len(segments)))
	for _, s := range segments {
		section = s.append(section)
	}
	p = append(p, 11)
	p = binary.AppendUvarint(p, uint64(len(section)))
	return append(p, section...)
}

// memoryOf is what the memory holds when such a program starts.
func memoryOf(t *testing.T, program []byte) ([]byte, int) {
	in := wasm{bytes: program[12:]}
	require.Equal(t, byte(11), in.byte())
	segments, err := segmentsOf(in.take(in.unsigned()))
	require.NoError(t, err)
	memory := make([]byte, 1<<17)
	for _, s := range segments {
		copy(memory[s.at:], s.bytes)
	}
	return memory, len(segments)
}

func TestPackedStartsWithTheSameMemory(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		var segments []segment
		for at := int64(random.IntN(9000)); at < 1<<16; at += int64(random.IntN(6000)) {
			bytes := make([]byte, random.IntN(300))
			for i := range bytes {
				bytes[i] = byte(random.Uint32())
			}
			segments = append(segments, segment{at, bytes})
			at += int64(len(bytes))
		}
		program := programOf(segments)
		small, err := packed(program)
		require.NoError(t, err)
		require.Equal(t, program[:12], small[:12], "other sections stay as they are")
		want, many := memoryOf(t, program)
		got, few := memoryOf(t, small)
		require.Equal(t, want, got)
		require.Less(t, few, many)
		again, err := packed(small)
		require.NoError(t, err)
		require.Equal(t, small, again)
	}
}

func TestSignedNumbersAreReadAsTheyAreWritten(t *testing.T) {
	for _, n := range []int64{0, 1, 63, 64, 127, 128, 8191, 8192, 1 << 31, -1, -64, -65, -1 << 31} {
		in := wasm{bytes: appendSigned(nil, n)}
		require.Equal(t, n, in.signed())
		require.Empty(t, in.bytes)
		require.NoError(t, in.fault)
	}
}

func TestPackedRefusesWhatItDoesNotKnow(t *testing.T) {
	whole := programOf([]segment{{5, []byte("abc")}, {20, []byte("def")}})
	for length := range len(whole) {
		if length == 8 || length == 12 {
			continue // a program ends between two sections
		}
		_, err := packed(whole[:length])
		require.Error(t, err, "%d bytes", length)
	}
	passive := append([]byte(nil), whole...)
	passive[15] = 1 // the first segment's kind
	_, err := packed(passive)
	require.ErrorContains(t, err, "segment 0")
}
