// Package share packs a whole scenario into a piece of text that fits into the
// address of a page, and unpacks it again. What comes out of a link was written
// by anybody: it is bounded while it is unpacked, held against its checksum,
// and decoded and checked like any file. It never trusts a length that a link
// states, and nothing that it returns is markup.
//
// A packed scenario is the CRC-32 of its JSON, how many bytes that has, and the
// JSON itself, compressed (squeeze.go), in the letters of base64url. It stands
// under Scenario in the fragment of an address, beside the moment and what is
// selected. The fragment names the version of the form; links of version 1 open
// for ever. Start reading at Pack, then Parse.
package share

import (
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"net/url"
	"strings"

	"github.com/ticketrail/ticketrail/core/scenario"
)

// Version is that of the links that are written, and the only one so far.
const Version = "1"

// The names in a fragment that every page reads.
const (
	VersionKey  = "v"
	ScenarioKey = "scenario" // what Pack returns
	AtKey       = "at"       // the moment, a duration
	TicketKey   = "ticket"   // the message that is followed, by its place in the log
	RunKey      = "run"      // the first letters of the hash of the run
)

const (
	// MaxUnpacked is the most bytes of JSON that a link may hold.
	MaxUnpacked = 64 << 10
	// MaxPacked is the most letters that are unpacked: what does not compress
	// at all still fits.
	MaxPacked = 96 << 10
)

// Pack returns a scenario as text for an address. It cannot pack one whose
// JSON has more than MaxUnpacked bytes.
func Pack(s *scenario.Scenario) (string, error) {
	text := s.EncodeJSON()
	if len(text) > MaxUnpacked {
		return "", fmt.Errorf("this scenario has %d bytes, and a link holds at most %d: keep it as a file instead", len(text), MaxUnpacked)
	}
	data := binary.BigEndian.AppendUint32(nil, crc32.ChecksumIEEE(text))
	data = binary.AppendUvarint(data, uint64(len(text)))
	return base64.RawURLEncoding.EncodeToString(append(data, squeeze(text)...)), nil
}

// Unpack reads what Pack has written, and has it checked. An error is a
// sentence for a reader.
func Unpack(packed string, checks ...scenario.Check) (*scenario.Scenario, error) {
	text, err := unpacked(packed)
	if err != nil {
		return nil, err
	}
	s, problems := scenario.DecodeJSON(text, checks...)
	if len(problems) > 0 {
		first := problems[0]
		first.Line = 0 // nobody sees the lines of a link
		return nil, fmt.Errorf("the scenario in this link is not valid: %s", first)
	}
	return s, nil
}

var (
	errDamaged = errors.New("this link is damaged or was cut off: copy it again, as a whole")
	errLarge   = fmt.Errorf("this link holds more than %d KB, which is the limit of a link: send the scenario as a file", MaxUnpacked>>10)
)

func unpacked(packed string) ([]byte, error) {
	if len(packed) > MaxPacked {
		return nil, errLarge
	}
	data, err := base64.RawURLEncoding.Strict().DecodeString(packed)
	const sum = 4 // bytes
	if err != nil || len(data) < sum {
		return nil, errDamaged
	}
	size, n := binary.Uvarint(data[sum:])
	switch {
	case n <= 0:
		return nil, errDamaged
	case size > MaxUnpacked:
		return nil, errLarge
	}
	text, whole := release(data[sum+n:], int(size))
	if !whole || crc32.ChecksumIEEE(text) != binary.BigEndian.Uint32(data) {
		return nil, errDamaged
	}
	return text, nil
}

// Fragment writes what an address says; "" for nothing. The version stands
// first: it is there in whatever is left of a link that was cut off.
func Fragment(v url.Values) string {
	if len(v) == 0 {
		return ""
	}
	return VersionKey + "=" + Version + "&" + v.Encode()
}

// Parse reads what Fragment has written, with or without its #. A fragment that
// is no link, such as that of a heading, gives nil; one that is meant to be a
// link and cannot be read, a sentence for a reader.
func Parse(fragment string) (url.Values, error) {
	fragment = strings.TrimPrefix(fragment, "#")
	if len(fragment) > 2*MaxPacked {
		return nil, errLarge
	}
	fragment = strings.TrimRight(fragment, " .,;:!)>]}'\"")
	v, err := url.ParseQuery(fragment)
	switch version := v.Get(VersionKey); {
	case !strings.Contains(fragment, "="):
		return nil, nil
	case err != nil:
		return nil, errDamaged
	case version == "" && !v.Has(ScenarioKey):
		return nil, nil
	case version == "":
		return nil, errDamaged
	case version != Version:
		return nil, fmt.Errorf("this link is of version %s, and only version %s is known here: open it where it was made, or with a newer Ticketrail", shortened(version), Version)
	}
	v.Del(VersionKey)
	return v, nil
}

func shortened(version string) string {
	if len(version) > 8 {
		return version[:8] + "..."
	}
	return version
}
