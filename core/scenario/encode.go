package scenario

import (
	"slices"
)

// EncodeJSON writes the scenario as compact JSON, without what is at its
// default. Decoding it gives the same scenario, apart from places.
func (s *Scenario) EncodeJSON() []byte { return s.Tree().JSON() }

// Tree is the scenario as a tree, without what is at its default.
func (s *Scenario) Tree() *Node {
	if n := scenarioRecord.write(s); n != nil {
		return n
	}
	return &Node{Kind: MapNode}
}

// Clone returns a copy that can be changed by Set without changing s. Bodies
// are shared: they are values that nobody changes.
func (s *Scenario) Clone() *Scenario {
	c := *s
	c.Queues = slices.Clone(s.Queues)
	c.Topics = slices.Clone(s.Topics)
	c.Producers = slices.Clone(s.Producers)
	c.Services = slices.Clone(s.Services)
	c.Tables = slices.Clone(s.Tables)
	c.Workers = slices.Clone(s.Workers)
	c.Timeline = slices.Clone(s.Timeline)
	c.Expect = slices.Clone(s.Expect)
	for i := range c.Topics {
		c.Topics[i].To = slices.Clone(c.Topics[i].To)
	}
	for i := range c.Producers {
		c.Producers[i].Send = slices.Clone(c.Producers[i].Send)
		c.Producers[i].Mix = slices.Clone(c.Producers[i].Mix)
	}
	for i := range c.Workers {
		c.Workers[i].From = slices.Clone(c.Workers[i].From)
		c.Workers[i].Crash.Exact = slices.Clone(c.Workers[i].Crash.Exact)
	}
	return &c
}
