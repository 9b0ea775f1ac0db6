package site

import (
	"encoding/binary"
	"errors"
	"fmt"
)

// packed returns a WebAssembly program that starts with the same memory and is
// smaller. The go command leaves out every eight bytes of zeros and more, and
// so cuts its data into 100,000 segments, each with its address. Compressed,
// the zeros would have cost less than the addresses do: 115 KB of 2,350 KB.
func packed(program []byte) ([]byte, error) {
	const (
		header = 8
		data   = 11 // the number of the section
	)
	if len(program) < header || string(program[:4]) != "\x00asm" {
		return nil, errors.New("this is not a WebAssembly program")
	}
	out := append(make([]byte, 0, len(program)), program[:header]...)
	for in := (wasm{bytes: program[header:]}); len(in.bytes) > 0; {
		id := in.byte()
		section := in.take(in.unsigned())
		if in.fault != nil {
			return nil, in.fault
		}
		if id == data {
			segments, err := segmentsOf(section)
			if err != nil {
				return nil, err
			}
			section = section[:0:0]
			joined := join(segments)
			section = binary.AppendUvarint(section, uint64(len(joined)))
			for _, s := range joined {
				section = s.append(section)
			}
		}
		out = append(out, id)
		out = binary.AppendUvarint(out, uint64(len(section)))
		out = append(out, section...)
	}
	return out, nil
}

// segment is a part of the memory that the program starts with.
type segment struct {
	at    int64
	bytes []byte
}

// join fills the gaps between segments, unless they are worth leaving out.
func join(segments []segment) []segment {
	const worth = 4 << 10
	var joined []segment
	for _, s := range segments {
		if n := len(joined) - 1; n >= 0 {
			last := &joined[n]
			if gap := s.at - last.at - int64(len(last.bytes)); gap >= 0 && gap <= worth {
				last.bytes = append(append(last.bytes, make([]byte, gap)...), s.bytes...)
				continue
			}
		}
		joined = append(joined, segment{s.at, append([]byte(nil), s.bytes...)})
	}
	return joined
}

// What stands before the bytes of a segment: memory 0, then its address as
// i32.const ADDRESS, end.
const (
	memory0  = 0x00
	i32const = 0x41
	end      = 0x0b
)

func segmentsOf(section []byte) ([]segment, error) {
	in := wasm{bytes: section}
	var segments []segment
	for n := in.unsigned(); n > 0 && in.fault == nil; n-- {
		kind, constant := in.byte(), in.byte()
		at, closed := in.signed(), in.byte()
		if kind != memory0 || constant != i32const || closed != end {
			return nil, fmt.Errorf("segment %d of the program's data is of a kind that the go command does not write", len(segments))
		}
		segments = append(segments, segment{at, in.take(in.unsigned())})
	}
	if in.fault == nil && len(in.bytes) > 0 {
		return nil, errors.New("something follows the program's data")
	}
	return segments, in.fault
}

func (s segment) append(section []byte) []byte {
	section = append(section, memory0, i32const)
	section = appendSigned(section, s.at)
	section = append(section, end)
	section = binary.AppendUvarint(section, uint64(len(s.bytes)))
	return append(section, s.bytes...)
}

// wasm reads the encoding of WebAssembly. After a fault all that it reads is 0.
type wasm struct {
	bytes []byte
	fault error
}

var errCut = errors.New("the program is cut off")

func (w *wasm) take(n uint64) []byte {
	if n > uint64(len(w.bytes)) {
		w.fault, w.bytes = errCut, nil
		return nil
	}
	taken := w.bytes[:n]
	w.bytes = w.bytes[n:]
	return taken
}

func (w *wasm) byte() byte {
	if b := w.take(1); b != nil {
		return b[0]
	}
	return 0
}

func (w *wasm) unsigned() uint64 {
	n, length := binary.Uvarint(w.bytes)
	if length <= 0 {
		length = len(w.bytes) + 1
	}
	w.take(uint64(length))
	return n
}

// signed reads a number of which each byte has seven bits, the last of them
// with the sign.
func (w *wasm) signed() int64 {
	var n int64
	for shift := 0; shift < 63; shift += 7 {
		b := w.byte()
		n |= int64(b&0x7f) << shift
		if b < 0x80 {
			if b&0x40 != 0 {
				n |= -1 << (shift + 7)
			}
			return n
		}
	}
	w.fault = errCut
	return 0
}

func appendSigned(to []byte, n int64) []byte {
	for {
		b := byte(n & 0x7f)
		n >>= 7
		if n == 0 && b&0x40 == 0 || n == -1 && b&0x40 != 0 {
			return append(to, b)
		}
		to = append(to, b|0x80)
	}
}
