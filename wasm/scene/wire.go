package scene

import (
	"math"

	"github.com/ticketrail/ticketrail/core/event"
)

// wire draws the ways between the places of a board: from the pads to the
// rails, from the rails to the workers, from workers who publish to the next
// rail, and to dead letters that have a row of their own.
func (b *board) wire() {
	if b.across {
		b.phoneWires()
		return
	}
	b.placeHubs()
	lane := 0
	for i := range b.pads {
		lane = b.padWires(i, lane)
	}
	for l := range b.p.pools {
		b.readWires(l)
		for _, q := range b.p.pools[l].to {
			b.poolWire(l, q, "publish", lane)
			lane++
		}
	}
	for q := range b.p.queues {
		if d := b.p.queues[q].dead; d >= 0 && b.p.queues[q].tray && b.railOf[d] >= 0 {
			for _, l := range b.p.queues[q].readers {
				b.poolWire(l, d, "deadp", lane)
				lane++
			}
		}
	}
}

// leftLane and rightLane are where wires run up and down, left of the rails
// and left of the workers.
func (b *board) leftLane(k int) float64  { return b.col.rails.x - 7 - 6*float64(k%3) }
func (b *board) rightLane(k int) float64 { return b.col.pools.x - 7 - 6*float64(k%2) }

// placeHubs stands a bar for each topic left of the rails of its queues.
func (b *board) placeHubs() {
	k := 0
	for t := range b.p.topics {
		f := &b.p.topics[t]
		if !f.used || len(f.to) == 0 {
			continue
		}
		h := hub{name: f.name, x: b.col.rails.x - 12 - 9*float64(k%2), top: 1e9, topic: t}
		for _, q := range f.to {
			if r := b.rail(q); r != nil {
				h.top, h.bottom = min(h.top, r.entry.y-14), max(h.bottom, r.entry.y+14)
				h.first = h.top + 14
			}
		}
		b.hubs = append(b.hubs, h)
		k++
	}
}

func (b *board) rail(q event.QueueRef) *rail {
	if q < 0 || b.railOf[q] < 0 {
		return nil
	}
	return &b.rails[b.railOf[q]]
}

func (b *board) hub(topic int) *hub {
	for i := range b.hubs {
		if b.hubs[i].topic == topic {
			return &b.hubs[i]
		}
	}
	return nil
}

// padWires leads from a pad to where its producers send.
func (b *board) padWires(i, lane int) int {
	p := &b.pads[i]
	from := p.wire
	seen := map[event.QueueRef]bool{}
	for _, r := range p.producers {
		f := &b.p.producers[r]
		h := b.hub(f.hub)
		for _, q := range f.to {
			rail := b.rail(q)
			if rail == nil || seen[q] {
				continue
			}
			seen[q] = true
			w := wire{pad: i, pool: -1, to: q, class: "send"}
			x := b.leftLane(lane)
			if h != nil {
				x = h.x
				h.top, h.bottom = min(h.top, from.y-14), max(h.bottom, from.y+14)
				w.part = x - from.x
			}
			w.points = corners(from, point{x, from.y}, point{x, rail.entry.y}, rail.entry)
			b.wires = append(b.wires, w)
		}
	}
	return lane + 1
}

// readWires leads from the rails to the workers who read them.
func (b *board) readWires(l int) {
	if b.poolOf[l] < 0 {
		return
	}
	box := b.pools[b.poolOf[l]].box
	for k, q := range b.p.pools[l].from {
		r := b.rail(q)
		if r == nil {
			continue
		}
		from := point{r.steel.right() + 2, r.entry.y}
		y := clamp(from.y, box.y+8, box.bottom()-8)
		x := b.col.pools.x - 9 - 5*float64(k%3)
		b.wires = append(b.wires, wire{pad: -1, pool: -1, to: event.NoQueue, class: "read",
			points: corners(from, point{x, from.y}, point{x, y}, point{b.col.pools.x - 3, y})})
	}
}

// poolWire leads from a pool through the gap above a row to its rail.
func (b *board) poolWire(l int, q event.QueueRef, class string, lane int) {
	r := b.rail(q)
	if r == nil || b.poolOf[l] < 0 {
		return
	}
	box := b.pools[b.poolOf[l]].box
	from := point{b.col.pools.x - 2, clamp(box.bottom()-12-6*float64(lane%3), box.y+10, box.bottom())}
	right, left := b.rightLane(lane), b.leftLane(lane)
	gap := r.box.y - 5 - 3*float64(lane%2)
	to := r.entry
	part := 0.0
	if h := b.hub(b.p.hubOf(l, q)); h != nil && class == "publish" {
		// Copies go together to the topic's upper end.
		left, gap = h.x, h.first-28
		h.top = min(h.top, gap-4)
		part = from.x - right + math.Abs(from.y-gap) + right - left
	}
	b.wires = append(b.wires, wire{pad: -1, pool: l, to: q, class: class, part: part,
		points: corners(from, point{right, from.y}, point{right, gap}, point{left, gap}, point{left, to.y}, to)})
}

// phoneWires are ways that are not drawn, along the left edge: what moves
// between rows takes them.
func (b *board) phoneWires() {
	way := func(pool int, q event.QueueRef) {
		r := b.rail(q)
		if r == nil || b.poolOf[pool] < 0 {
			return
		}
		box := b.pools[b.poolOf[pool]].box
		y := box.y + box.h/2
		b.wires = append(b.wires, wire{pad: -1, pool: pool, to: q,
			points: corners(point{10, y}, point{4, y}, point{4, r.entry.y}, point{8, r.entry.y})})
	}
	for l := range b.p.pools {
		for _, q := range b.p.pools[l].to {
			way(l, q)
		}
		for _, q := range b.p.pools[l].from {
			if f := &b.p.queues[q]; f.dead >= 0 && f.tray {
				way(l, f.dead)
			}
		}
	}
	for i := range b.pads {
		p := &b.pads[i]
		for _, r := range p.producers {
			for _, q := range b.p.producers[r].to {
				if rail := b.rail(q); rail != nil && rail.box.y > p.box.bottom()+60 {
					b.wires = append(b.wires, wire{pad: i, pool: -1, to: q,
						points: corners(point{10, p.at.y}, point{4, p.at.y}, point{4, rail.entry.y}, point{8, rail.entry.y})})
				}
			}
		}
	}
}

// corners leaves out the points of a way that make no difference.
func corners(points ...point) []point {
	var out []point
	for i, q := range points {
		if n := len(out); n > 0 && distance(out[n-1], q) < .5 {
			continue
		}
		if n := len(out); n > 1 && i > 0 {
			a, c := out[n-2], out[n-1]
			if a.x == c.x && c.x == q.x || a.y == c.y && c.y == q.y {
				out[n-1] = q
				continue
			}
		}
		out = append(out, q)
	}
	return out
}
