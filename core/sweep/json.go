package sweep

import (
	"encoding/json"
	"errors"
	"fmt"
)

// format is the version of what Encode writes.
const format = 1

// file is a Result as JSON. What is there twice is there for its readers:
// Decode takes the values, and jq the mean.
type file struct {
	Format       int               `json:"sweep"`
	Title        string            `json:"title"`
	Runs         uint64            `json:"runs"`
	Seeds        []string          `json:"seeds"`
	CutShort     []string          `json:"cut_short"`
	Expectations []fileExpectation `json:"expectations"`
	Measures     []fileMeasure     `json:"measures"`
	Scenario     json.RawMessage   `json:"scenario"`
}

type fileExpectation struct {
	Text   string   `json:"expect"`
	Failed uint64   `json:"failed"`
	Seeds  []string `json:"failed_seeds"`
}

type fileMeasure struct {
	Name   string     `json:"name"`
	Unit   Unit       `json:"unit"`
	Mean   float64    `json:"mean"`
	Margin float64    `json:"margin95"`
	SD     float64    `json:"sd"`
	Min    float64    `json:"min"`
	P50    float64    `json:"p50"`
	P95    float64    `json:"p95"`
	Max    float64    `json:"max"`
	Values [][2]int64 `json:"values"` // value and runs
}

// Encode writes the result as JSON: for people and programs the mean, its
// margin and the percentiles, and for a later Merge the values themselves.
func (r *Result) Encode() ([]byte, error) {
	f := file{
		Format: format, Title: r.Title, Runs: r.Runs(), Seeds: r.Seeds.texts(), CutShort: r.CutShort.texts(),
		Expectations: []fileExpectation{}, Measures: []fileMeasure{}, Scenario: json.RawMessage(r.Scenario),
	}
	if r.Scenario == "" {
		f.Scenario = json.RawMessage("{}")
	}
	for _, e := range r.Expectations {
		f.Expectations = append(f.Expectations, fileExpectation{e.Text, e.Failed.Len(), e.Failed.texts()})
	}
	for i := range r.Measures {
		m := &r.Measures[i]
		out := fileMeasure{
			Name: m.Name, Unit: m.Unit, Mean: m.Mean(), Margin: m.Margin(), SD: m.Deviation(),
			Min: m.Min(), P50: m.Percentile(50), P95: m.Percentile(95), Max: m.Max(),
		}
		for _, v := range m.Values {
			out.Values = append(out.Values, [2]int64{v.Value, int64(v.Runs)})
		}
		f.Measures = append(f.Measures, out)
	}
	return json.Marshal(f)
}

func (r Ranges) texts() []string {
	texts := []string{}
	for _, part := range r {
		texts = append(texts, part.String())
	}
	return texts
}

// Decode reads what Encode wrote.
func Decode(data []byte) (*Result, error) {
	var f file
	if err := json.Unmarshal(data, &f); err != nil || f.Format == 0 {
		return nil, errors.New("this is not the result of a sweep: write one with rail sweep -o FILE")
	}
	if f.Format != format {
		return nil, fmt.Errorf("this result has format %d and not %d: it is from another version of rail; sweep again", f.Format, format)
	}
	r := &Result{Title: f.Title, Scenario: string(f.Scenario)}
	if f.Runs == 0 {
		r.Scenario = ""
	}
	var faults [2]error
	r.Seeds, faults[0] = parseRanges(f.Seeds)
	r.CutShort, faults[1] = parseRanges(f.CutShort)
	for _, e := range f.Expectations {
		ranges, err := parseRanges(e.Seeds)
		if err != nil {
			faults[1] = err
		}
		r.Expectations = append(r.Expectations, Expectation{e.Text, ranges})
	}
	for _, m := range f.Measures {
		own := Measure{Name: m.Name, Unit: m.Unit}
		for _, v := range m.Values {
			own.Values = append(own.Values, Value{v[0], uint64(v[1])})
		}
		r.Measures = append(r.Measures, own)
	}
	if err := errors.Join(faults[:]...); err != nil {
		return nil, fmt.Errorf("the seeds of this result are not as rail writes them (%w): sweep again", err)
	}
	return r, r.check()
}

// check holds the parts of a decoded result against each other.
func (r *Result) check() error {
	for i := range r.Measures {
		if u := r.Measures[i].Unit; u != Count && u != Seconds && u != Share {
			return fmt.Errorf("%s has the unit %q: this result is from another version of rail; sweep again", r.Measures[i].Name, u)
		}
		if m := &r.Measures[i]; m.runs() != r.Runs() || !ascending(m.Values) {
			return fmt.Errorf("the values of %s do not add up to %d runs: this result was changed since it was written; sweep again", m.Name, r.Runs())
		}
	}
	for _, e := range r.Expectations {
		if !e.Failed.within(r.Seeds) {
			return fmt.Errorf("%s fails for seeds that were not swept: this result was changed since it was written; sweep again", e.Text)
		}
	}
	if r.Runs() > 0 && r.Scenario == "" {
		return errors.New("this result does not say of which scenario it is: sweep again")
	}
	return nil
}

func ascending(values []Value) bool {
	for i, v := range values {
		if int64(v.Runs) <= 0 || i > 0 && values[i-1].Value >= v.Value {
			return false
		}
	}
	return true
}

func parseRanges(texts []string) (Ranges, error) {
	var list Ranges
	for _, text := range texts {
		r, err := ParseRange(text)
		if err != nil {
			return nil, err
		}
		if n := len(list); n > 0 && r.From <= list[n-1].To {
			return nil, fmt.Errorf("%s comes after %s", r, list[n-1])
		}
		list = append(list, r)
	}
	return list, nil
}
