package scene

import "github.com/ticketrail/ticketrail/core/event"

// Size is one of the drawings of the stage. Text is never scaled below 11 px,
// so each has its own places instead of a zoom.
type Size uint8

// The drawings.
const (
	Wide    Size = iota // 896 across, from 880 px up
	Compact             // 720 across, from 700 px and in embeds
	Tall                // 358 across, as high as needed
	Narrow              // 288 across, below 350 px
)

// SizeFor returns the drawing for a container of that width in CSS pixels.
func SizeFor(width int) Size {
	switch {
	case width >= 880:
		return Wide
	case width >= 700:
		return Compact
	case width >= 350:
		return Tall
	}
	return Narrow
}

// String returns the value of the drawing's data-size attribute: both drawings
// for phones stand in the same place of the page.
func (s Size) String() string { return [...]string{"m", "s", "t", "t"}[s] }

// phone reports whether the drawing goes from top to bottom.
func (s Size) phone() bool { return s >= Tall }

type point struct{ x, y float64 }

// rect is an area of the stage.
type rect struct{ x, y, w, h float64 }

func (r rect) right() float64  { return r.x + r.w }
func (r rect) bottom() float64 { return r.y + r.h }

// meets reports whether two areas have a part in common.
func (r rect) meets(o rect) bool {
	return r.x < o.right() && o.x < r.right() && r.y < o.bottom() && o.y < r.bottom()
}

func (r rect) middle() point { return point{r.x + r.w/2, r.y + r.h/2} }

// layout says where everything stands. Places are fixed for a whole run; only
// tickets move between them. A scenario of one queue and one pool has one
// place of most kinds (single.go); others are laid out in rows (board.go).
type layout struct {
	size  Size
	w, h  float64
	board bool
	body  *body // of every ticket outside a station

	border float64 // x of the dashed line, or its y when across
	across bool    // the dashed line is horizontal

	headings []heading
	rules    []float64 // y of the lines between the rows of a board
	wires    []wire
	hubs     []hub
	pads     []pad
	rails    []rail
	trays    []tray
	spikes   []spike
	pools    []poolPlace
	stations []station
	groups   []group

	panel rect // of the twins
	note  point
	noteW float64

	now       point
	nowGap    float64 // from one line of the caption to the next; 0: all in one
	nowRoom   float64
	nowIndent float64 // of the words after the time, when all is in one line
	following point   // x below 0: no room

	nobody   point   // where it says that nobody takes messages
	workersX float64 // where the stations begin: trails stay left of it

	// Which place each has, by reference, or -1.
	railOf, trayOf []int // by queue
	spikeOf        []int // by queue
	padOf          []int // by producer
	stationOf      []int // by worker
	poolOf         []int // by index into Log.Pools
	groupOf        []int // by target
}

// heading names a place.
type heading struct {
	at    point
	word  Word
	under bool    // the term stands below the name
	room  float64 // 0: as much as it needs
}

// pad is where one producer's orders come from. On a board, producers that
// have no place of their own share the last one.
type pad struct {
	producers []event.ProducerRef
	name      string // "" under a heading of its own
	head      point
	at        point // centre of the top order
	paper     bool  // drawn as a pad; otherwise as one small paper
	wire      point // where the way to the rail begins
	note      point
	anchor    string
	door      point // centre of the newest refused ticket, or left end of its chip
	doorChip  bool
	noChip    bool // not even that
	doorNote  point
	doorRoom  float64 // 0: enough
	doorGap   float64 // between lines of the note
	pause     rect    // empty: no room
	send      rect
	box       rect
}

// rail is where the messages of one queue wait: place 0 is next out.
type rail struct {
	queues  []event.QueueRef // more than one: counted together
	name    string           // "" under a heading of its own
	head    point
	steel   rect
	ball    float64
	drop    float64 // from the top of the steel to that of a ticket
	pitch   float64
	slots   int  // places for whole tickets
	bounded bool // the queue has just as many
	heads   int  // whole tickets at the head when a pile is drawn
	full    point
	lane    float64 // y of the line along which messages come back
	next    float64 // y of "next out", 0 for none
	brace   float64 // from the tickets to the brace of a pile
	pileY   float64 // from the tickets' top to the note of a pile, 0: in the count

	delayed     point
	delayedMost int
	delayedCols int
	delayedStep point

	redrive rect  // of a dead-letter queue that has readers
	touch   point // where a refused ticket knocks
	entry   point // where a ticket comes in on a board
	summary bool  // counts only
	box     rect
}

// tray is where dead letters lie that no worker takes.
type tray struct {
	queues   []event.QueueRef // one, or none as long as the run has none
	name     string           // written when it is not plain whose it is
	lip      rect             // empty: a sign in the note is enough
	note     point
	form     noteForm
	redrive  rect
	edit     rect
	chip     bool // the letters are chips
	glyph    bool
	touch    rect // on a phone the tray itself is the button
	nameRoom float64
	box      rect
}

// spike is where what is done ends up.
type spike struct {
	queues []event.QueueRef
	foot   point
	step   float64 // from sheet to sheet
	width  float64
	over   float64
	sheets int
	note   point
	form   noteForm
}

// noteForm is how much a tray or a spike says besides its count.
type noteForm uint8

const (
	fullNote  noteForm = iota // beside it, in three lines
	shortNote                 // beside it, in few words
	underNote                 // below it
	countNote                 // the count with one word beside it
	endNote                   // the same, ending at its point
)

// poolPlace is what is written over the stations of a pool.
type poolPlace struct {
	pools       []int  // more than one: counted together
	name        string // "" under a heading of its own
	head        point
	noteRoom    float64
	add, remove rect
	more        point // where workers without a station are counted
	rest        int   // how many
	sum         bool  // one line for all its workers
	counts      bool  // stations do not show what is in hand: it is counted
	box         rect
}

// group is a part of the outside: one service or table, or all of them.
type group struct {
	target  int // -1: all
	name    string
	head    point
	total   point // right end of the count, or of the line that says it
	rows    rect
	rowH    float64
	count   int // rows that fit
	columns int
	chip    float64 // width of the chip
	named   bool    // there is room for a person's name
	latest  bool    // the newest take the place of the oldest
	second  bool    // what failed or was repeated has a line of its own
	box     rect
}

// wire shows which way messages can go, however few do.
type wire struct {
	points []point
	class  string
	part   float64 // how far it is to the topic where copies part, or 0
	pad    int     // from a pad, or -1
	pool   int     // from an index into Log.Pools, or -1
	to     event.QueueRef
}

// hub is a topic: a message that comes to it parts into copies.
type hub struct {
	name   string
	x      float64
	top    float64
	bottom float64
	first  float64 // y of its first rail
	topic  int     // index into plan.topics
}

// slot is the centre of place i of the rail.
func (r *rail) slot(b *body, i float64) point {
	return point{r.steel.right() - 8 - r.pitch/2 - i*r.pitch, r.steel.y + r.drop + b.h/2}
}

// hang fits the places of a queue on the steel: the steel is as long as ever,
// and has as many places as the queue, at the end where they go out.
func (r *rail) hang(steel rect, capacity int, pitch, drop float64) {
	fit := max(1, int((steel.w-16)/pitch))
	r.steel, r.slots, r.drop = steel, fit, drop
	r.pitch = (steel.w - 16) / float64(fit)
	r.heads = max(2, fit/2)
	if capacity > 0 && capacity <= fit {
		r.bounded, r.slots = true, capacity
		r.heads = min(r.heads, capacity) // more can come back than it takes
	}
}

// small is how large a ticket is where a small paper will stand for it.
func (l *layout) small() float64 {
	if l.body == &chipBody {
		return 1
	}
	return .6
}

// doorPlace is where the k-th newest at the door stands.
func (p *pad) doorPlace(k int) placement {
	if p.doorChip {
		return placement{p.door.x + 20, p.door.y + 8, 0, .6}
	}
	return placement{p.door.x + float64(k)*5, p.door.y - float64(k)*9, -7 + float64(k)*5, 1}
}

// delayedPlace is the left top of delayed message i.
func (r *rail) delayedPlace(i int) point {
	n := max(r.delayedCols, 1)
	return point{r.delayed.x + float64(i%n)*r.delayedStep.x, r.delayed.y + float64(i/n)*r.delayedStep.y}
}

// place is where the k-th newest of have dead letters lies.
func (t *tray) place(b *body, k, have int) placement {
	if t.glyph {
		return placement{t.note.x + 8, t.note.y - 4, 0, .5}
	}
	if t.chip {
		return placement{t.lip.x + 22 + float64(k)*9, t.lip.y - 7 - float64(k)*2, -4 + float64(k)*7, 1}
	}
	x, y := t.lip.x+t.lip.w/2, t.lip.y-b.h/2+t.lip.h/2-2
	if have == 1 {
		return placement{x - 2, y, -6, 1}
	}
	spread := [...]placement{{16, 1, 8, 1}, {-4, 0, -1, 1}, {-22, -1, -10, 1}}
	o := spread[k]
	return placement{x + o.x, y + o.y, o.rot, 1}
}

// top is where the next sheet will lie when have are shown.
func (p *spike) top(have int) placement {
	i := max(0, min(have, p.sheets-1))
	dx, dy, tilt := sheetPlace(i, p.step)
	return placement{p.foot.x + dx, p.foot.y + dy, tilt, 1}
}

// rowPlace is the top left corner of row i.
func (g *group) rowPlace(i int) point {
	columns := max(g.columns, 1)
	return point{
		g.rows.x + float64(i%columns)*(g.rows.w/float64(columns)+10),
		g.rows.y + float64(i/columns)*g.rowH,
	}
}

func (g *group) rowWidth() float64 {
	if g.columns > 1 {
		return g.rows.w/float64(g.columns) - 10
	}
	return g.rows.w
}

// indexes returns a table of n references without a place.
func indexes(n int) []int {
	of := make([]int, n)
	for i := range of {
		of[i] = -1
	}
	return of
}
