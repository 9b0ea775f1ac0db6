package story

import "strings"

// Words is one way of saying what happens: the names of things and a phrase
// for everything that there is to tell. A run is the same in all words.
//
// Phrases are text with names in braces, which mean the same in all of them:
//
//	{m} the message      {q} its queue        {t} the queue it goes to
//	{w} the worker       {v} another worker   {p} the producer
//	{s} the service      {d} a length of time {n} a count or a line
//	{x} other text       {nth} first, second ...
//
// Capitals ({M}, {W}, {Nth}) are for the start of a sentence. What stands
// *between stars* is what a reader should not miss.
type Words struct {
	Name string
	Life Life // the phrases of biographies

	names *strings.Replacer // what else is called otherwise than in Plain, or nil

	WorkerNoun               string
	Worker, WorkerWithin     string // before its name, at the start of a sentence and within
	Letters                  bool   // workers are lettered A, B, C instead of pool/1
	Message                  string // the noun, put before ids that look like counts
	Queue, OneQueue          string // {x} is its name; the second when there is only one
	DeadLetters, OneDead     string
	Producer, OneProducer    string
	People                   bool // messages are told by the person in their body
	Things, Thing            string
	ToTail, ToHead, ToOrigin string // where a message goes back to
	ToLater                  string // when it comes back after a delay {d}

	Sent, SentLater, SentAgain, SentAfterWait, Published string
	RefusedForNow, Refused, Blocked, BlockedWorker       string

	Delivered, DeliveredWhile, DeliveredAhead           string
	Acked, AckedOnDelivery, AckedOnReturn, AckedLate    string
	AckStale, AckStaleHeld, AckStaleDone, AckRepeated   string
	Nacked, NackedLast, NackedUnbegun                   string // NackedLast as HiddenOverLast
	Rejected, Extended                                  string
	HiddenOver, HiddenOverLast                          string // the second when a dead letter or the end follows
	Noticed, NoticedLast                                string
	Returned, Ready, Room                               string
	DeadAfterTries, DeadRejected, DeadInstead, Redriven string
	Expired, Dropped                                    string

	Started, Line, CallStarted, CallTakes, CallFailed, CallAnswered string
	Printed, Finished, FinishedBare, Failed                         string
	Crashed, CrashedIdle, Restarted, Added, Removed                 string
	Leaving                                                         string

	LostAfterAck, Lost, DoneAnyway, EffectUnseen, StaysHidden, HiddenForever string

	Set, CrashCommand, Pause, Resume, Redrive, RedriveTo, Edit string
	Quiet, Until, Limit                                        string
}

// Plain tells a run in the field's own words, for the terminal.
var Plain = Words{
	Name:       "plain",
	Life:       PlainLife,
	WorkerNoun: "worker", Worker: "Worker ", WorkerWithin: "",
	Message: "message",
	Queue:   "{x}", OneQueue: "{x}",
	DeadLetters: "{x}", OneDead: "{x}",
	Producer: "{x}", OneProducer: "{x}",
	Things: "messages", Thing: "message",
	ToTail: "goes back to the line", ToHead: "goes back to the head of the line",
	ToOrigin: "goes back to its old place in the line", ToLater: "waits {d} before the next try",

	Sent:          "{P} sends {m} to {q}.",
	SentLater:     "{P} sends {m} to {q}. It can be handed out in {d}.",
	SentAgain:     "{P} asks again, and {m} gets into {q}.",
	SentAfterWait: "There is room again: {m} from {p} gets into {q} after {d} at the door.",
	Published:     "{W} publishes {m} to {q}.",
	RefusedForNow: "{Q} is full: {m} is turned away. {P} will ask again in {d}.",
	Refused:       "{Q} is full: {m} is turned away for good.",
	Blocked:       "{Q} is full: {p} has to wait with {m} until there is room.",
	BlockedWorker: "{Q} is full: {w} has to wait with {m} until there is room.",

	Delivered:       "{W} takes {m}, try {n}.",
	DeliveredWhile:  "{W} takes {m}, try {n}, *while {v} is still working on it*.",
	DeliveredAhead:  "{W} is handed {m} as well, try {n}, to do later.",
	Acked:           "{W} acks {m}. Done.",
	AckedOnDelivery: "{M} is acknowledged on delivery, before any work is done.",
	AckedOnReturn:   "{W} has finished, so {m} is acked. Done.",
	AckedLate:       "{W}'s ack of {m} comes late, but nobody else has taken it yet, so it counts. Done.",
	AckStale:        "{W}'s ack of {m} came too late: *the receipt is old and changes nothing*.",
	AckStaleHeld:    "{W}'s ack of {m} came too late: *the receipt is old and changes nothing*. {V} has the message now.",
	AckStaleDone:    "{W}'s ack of {m} came too late: *the receipt is old and changes nothing*. The message is gone already.",
	AckRepeated:     "{W} acks {m} once more; it was done already.",
	Nacked:          "{W} gives {m} back: it {x}.",
	NackedLast:      "{W} gives {m} back.",
	NackedUnbegun:   "{W} never began with {m}: it {x}.",
	Rejected:        "{W} rejects {m}.",
	Extended:        "{W} asks for more time: {m} stays hidden until {x}.",
	HiddenOver:      "The visibility timeout of {m} ended after {d} without an ack: it {x}.",
	HiddenOverLast:  "The visibility timeout of {m} ended after {d} without an ack.",
	Noticed:         "The broker notices that {w} is gone: {m} {x}.",
	NoticedLast:     "The broker notices that {w} is gone, and with it {m}.",
	Returned:        "The wait of {m} is over: it is back in line.",
	Ready:           "{M} can be handed out now.",
	Room:            "There is room in {q} again.",
	DeadAfterTries:  "That was try {n} of {x}: {m} goes to {t}.",
	DeadRejected:    "{M} goes to {t}.",
	DeadInstead:     "{M} has been handed out {x} already: instead of once more, it goes to {t}.",
	Redriven:        "{M} goes back from {q} to {t}. Its tries start again.",
	Expired:         "{M} has waited longer than its time to live of {d}: it is removed.",
	Dropped:         "{Q} is full, so {m}, the first in line, is dropped to make room.",

	Started:      "{W} starts on {m}.",
	Line:         "{W} comes to line {n}: {x}",
	CallStarted:  "{W} calls {s} for {m}.",
	CallTakes:    "This takes {d}.",
	CallFailed:   "{s} fails for {m}: {x}.",
	CallAnswered: "{s} has seen this key before and gives its first answer again: nothing happens twice.",
	Printed:      "{W} prints: {x}",
	Finished:     "{W} has finished with {m}.",
	FinishedBare: "{W} has finished with {m} and *has not acked it*.",
	Failed:       "{M} failed on try {n} at line {x}.",
	Crashed:      "{W} crashes at line {n} with {m} in its hands.",
	CrashedIdle:  "{W} crashes while it has nothing to do.",
	Restarted:    "{W} is back.",
	Added:        "{W} joins.",
	Removed:      "{W} leaves.",
	Leaving:      "{W} will leave when it has finished {m}.",

	LostAfterAck:  "*{M} was already acknowledged, so nobody will try again: lost.*",
	Lost:          "*Nothing came of it: lost.*",
	DoneAnyway:    "It was already acknowledged, so nobody will try again.",
	EffectUnseen:  "{x}, but the queue sees only that the ack is missing.",
	StaysHidden:   "It stays hidden until {x}.",
	HiddenForever: "It stays hidden, and no timer will bring it back.",

	Set:          "From here on, {x}.",
	CrashCommand: "Somebody pulls the plug on {w}.",
	Pause:        "{P} pauses.",
	Resume:       "{P} goes on.",
	Redrive:      "The dead letters in {q} are sent back to where they came from.",
	RedriveTo:    "The dead letters in {q} are sent to {t}.",
	Edit:         "Somebody changes {m} to {x}.",
	Quiet:        "Nothing more can happen. The run ends at {x}.",
	Until:        "The run stops at {x}, as the scenario says.",
	Limit:        "The run stops at {d}: it met its limit of {x}.",
}

// Kitchen tells a run as what happens in a busy restaurant, for the page.
var Kitchen = kitchen()

func kitchen() Words {
	w := Plain
	w.Name, w.Life = "kitchen", KitchenLife
	w.WorkerNoun, w.Worker, w.WorkerWithin, w.Letters = "cook", "Cook ", "cook ", true
	w.Message = "ticket"
	w.Queue, w.OneQueue = "the {x} rail", "the rail"
	w.DeadLetters, w.OneDead = "the {x} tray", "the head chef's tray"
	w.Producer, w.OneProducer = "the waiter ({x})", "the waiter"
	w.People = true
	w.Things, w.Thing = "tickets", "ticket"
	w.ToTail, w.ToHead = "goes back on the rail", "goes back to the front of the rail"
	w.ToOrigin = "goes back to its old place on the rail"

	w.Sent = "{P} clips {m} to {q}."
	w.SentLater = "{P} brings {m} for {q}. Nobody may take it for {d}."
	w.SentAgain = "{M} asks again and is clipped to {q}."
	w.SentAfterWait = "There is room again: {p} clips {m} to {q} after waiting {d}."
	w.Published = "{W} writes {m} and clips it to {q}."
	w.RefusedForNow = "No room on {q}. {M} is told: busy, try again in {d}."
	w.Refused = "No room on {q}. *{M} is turned away for good.*"
	w.Blocked = "No room on {q}: {p} stands and waits with {m}."
	w.BlockedWorker = "No room on {q}: {w} stands and waits with {m}."

	w.Delivered = "{W} takes {m}. {Nth} try."
	w.DeliveredWhile = "{W} takes {m}. {Nth} try, *while {v} is still cooking it*."
	w.DeliveredAhead = "{W} takes {m} as well, for later. {Nth} try."
	w.Acked = "{W} spikes {m}. Done."
	w.AckedOnDelivery = "{M} goes on the spike at once, before any cooking."
	w.AckedOnReturn = "{W} has finished, so {m} goes on the spike. Done."
	w.AckedLate = "{W} spikes {m} late, but nobody else has taken it yet, so it counts. Done."
	w.AckStale = "{W} comes to spike {m} too late: *the slip is old and changes nothing*."
	w.AckStaleHeld = "{W} comes to spike {m} too late: *the slip is old and changes nothing*. {V} has the ticket now."
	w.AckStaleDone = "{W} comes to spike {m} too late: *the slip is old and changes nothing*. The ticket is gone already."
	w.AckRepeated = "{W} spikes {m} once more; it was done already."
	w.Nacked = "{W} hands {m} back: it {x}."
	w.NackedLast = "{W} hands {m} back."
	w.Rejected = "{W} refuses to cook {m}."
	w.Extended = "{W} asks for more time: nobody else gets {m} before {x}."
	w.HiddenOver = "Nobody spiked {m} in {d}: it {x}."
	w.HiddenOverLast = "Nobody spiked {m} in {d}."
	w.Noticed = "The manager sees that {w} is down: {m} {x}."
	w.NoticedLast = "The manager sees that {w} is down, and with it {m}."
	w.Returned = "The wait of {m} is over: it is back on the rail."
	w.Ready = "{M} may be taken now."
	w.Room = "There is room on {q} again."
	w.DeadAfterTries = "That was try {n} of {x}: {m} goes to {t}."
	w.DeadInstead = "{M} has been taken {x} already: instead of once more, it goes to {t}."
	w.Redriven = "{M} is clipped back from {q} to {t}. Its tries start again."
	w.Expired = "{M} has hung for longer than {d}: it is thrown away."
	w.Dropped = "No room on {q}, so {m}, the first in line, is thrown away."
	w.FinishedBare = "{W} has finished with {m} and *has not spiked it*."
	w.Crashed = "*{W} goes down* at line {n} with {m} in hand."
	w.CrashedIdle = "{W} goes down with nothing in hand."
	w.LostAfterAck = "*{M} was on the spike already, so nobody will try again: lost.*"
	w.DoneAnyway = "It was on the spike already, so nobody will try again."
	w.EffectUnseen = "{x}, but the manager sees only that the ticket is not on the spike."
	w.StaysHidden = "Nobody else gets it before {x}."
	w.HiddenForever = "Nobody else will ever get it: there is no timer."
	w.CrashCommand = "Somebody takes {w} out."
	w.Redrive = "The tickets on {q} are clipped back to where they came from."
	w.RedriveTo = "The tickets on {q} are clipped to {t}."
	w.Edit = "Somebody corrects {m}: {x}."
	return w
}
