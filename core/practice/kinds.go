package practice

import (
	"fmt"
	"strconv"
)

// kind is one thing that can be asked.
type kind struct {
	name, title string
	from, to    int // levels
	draw        func(d *dice, level int) asked
}

var kinds = []kind{
	{"last", "The last email", 1, 2, last},
	{"waiting", "The line", 1, 3, waiting},
	{"sent", "Done so far", 1, 2, sent},
	{"staggered", "The last email", 2, 4, staggered},
	{"taker", "Who takes it?", 2, 4, taker},
	{"finish", "Who is done first?", 2, 4, finish},
	{"emails", "A cook falls", 3, 5, emails},
	{"lost", "A cook falls", 3, 5, lost},
	{"rescue", "A cook falls", 3, 6, rescue},
	{"too-slow", "Slower than the timeout", 4, 7, tooSlow},
	{"late-acks", "Slower than the timeout", 5, 8, lateAcks},
	{"poison", "An order that cannot be done", 4, 7, poison},
	{"tray", "An order that cannot be done", 5, 8, tray},
	{"backoff", "Wait longer each time", 6, 8, backoff},
	{"refused", "The rail is full", 5, 8, refused},
	{"dropped", "The rail is full", 6, 8, dropped},
	{"expired", "Too old", 6, 8, expired},
	{"hoard", "A handful of tickets", 6, 8, hoard},
	{"hoarded", "A handful of tickets", 7, 8, hoarded},
}

// rest is how many more of something a level has.
func rest(level, from int) int { return max(0, (level-from)/2) }

func latency(d *dice) ms { return of[ms](d, 100, 150, 200, 250, 300, 400) }

// plainKitchen has orders and cooks, and nothing goes wrong in it.
func plainKitchen(d *dice, orders, cooks int) kitchen {
	return kitchen{orders: orders, cooks: cooks, latency: latency(d), visibility: 30000}
}

// with is the kitchen as a change makes it.
func (k kitchen) with(change func(*kitchen)) kitchen {
	k.falls = append([]fall(nil), k.falls...)
	change(&k)
	return k
}

// Ideas that many questions share.
func (k kitchen) alone() mistake {
	return mistake{k.with(func(k *kitchen) { k.cooks = 1 }), fmt.Sprintf("That is how it goes with a single cook. There are %s here, who work side by side.", numerals[k.cooks]), "second delivered"}
}

func (k kitchen) crowd() mistake {
	return mistake{k.with(func(k *kitchen) { k.cooks = k.orders }), "That is how it goes when every order has a cook of its own. A cook does one ticket at a time, and the others wait.", "first acked"}
}

func (k kitchen) noFall() mistake {
	return mistake{k.with(func(k *kitchen) { k.falls = nil }), "That is how it goes when nobody falls. Here a cook does, and his ticket comes back.", "first crashed"}
}

func (k kitchen) never() mistake {
	return mistake{k.with(func(k *kitchen) { k.visibility, k.restart = 0, 0 }), "You forgot that a ticket comes back: it is hidden, not gone, and somebody else takes it.", "first hidden_over"}
}

func (k kitchen) patient() mistake {
	return mistake{k.with(func(k *kitchen) { k.visibility = 60000 }), "You ignored the timeout. It ends while the cook is still at work, and the ticket goes to the next one.", "first hidden_over"}
}

func last(d *dice, level int) asked {
	k := plainKitchen(d, d.between(3, 6), d.between(1, 2))
	return asked{
		kitchen: k, ask: "When is the last email out?", answer: "time at last effect", unit: "s", say: inSeconds, see: "last effect",
		why:   "Cooks work side by side, and each does one ticket after the other: count the rounds, and multiply by the time of one.",
		wrong: []mistake{k.alone(), k.crowd(), k.fewer(1), k.fewer(-1)}, near: float64(k.latency) / 1000,
	}
}

// fewer counts a round too few, or with -1 one too many.
func (k kitchen) fewer(rounds int) mistake {
	text := "That is a round too few: the first tickets take their time as well."
	if rounds < 0 {
		text = "That is a round too many: the first tickets are taken at 0 s, not after a round."
	}
	return mistake{k.with(func(k *kitchen) { k.orders = max(1, k.orders-rounds*k.cooks) }), text, "first acked"}
}

// between two ends of rounds, so that nothing happens at that very instant.
func (k kitchen) midway(d *dice, rounds int) ms {
	return ms(d.between(0, max(0, rounds-1)))*k.latency + k.latency/2
}

func waiting(d *dice, level int) asked {
	k := plainKitchen(d, d.between(4, 6+2*rest(level, 1)), d.between(1, 2+rest(level, 1)))
	if level > 1 {
		k.every = of[ms](d, 0, 40, 60, 80)
	}
	at := k.midway(d, (k.orders+k.cooks-1)/k.cooks)
	instant := strconv.FormatFloat(float64(at)/1000, 'f', -1, 64)
	return asked{
		kitchen: k, ask: fmt.Sprintf("How many orders wait on the rail at %s?", at.said()), answer: "at(" + instant + ").waiting", say: plainly, see: "at " + at.String(), near: 1, top: k.orders, calm: at,
		why: "What a cook holds is in flight and no longer waiting; what is spiked is done. Only the rest hangs on the rail.",
		wrong: []mistake{
			{k.with(func(k *kitchen) { k.cooks = 1 }), "That is how it goes with a single cook.", "at " + at.String()},
			{k.with(func(k *kitchen) { k.latency = 60000 }), "You took away what the cooks hold, but not what they have done by then.", "first acked"},
			{k.with(func(k *kitchen) { k.cooks, k.latency = 1, 60000 }), "Nearly all still hang there in your picture. By then some are done.", "first acked"},
			k.crowd(),
		},
	}
}

func sent(d *dice, level int) asked {
	k := plainKitchen(d, d.between(4, 6), d.between(1, 2))
	at := k.midway(d, (k.orders+k.cooks-1)/k.cooks) + k.latency*ms(d.below(2))
	instant := strconv.FormatFloat(float64(at)/1000, 'f', -1, 64)
	return asked{
		kitchen: k, ask: fmt.Sprintf("How many emails are out at %s?", at.said()), answer: "at(" + instant + ").effects", say: plainly, see: "at " + at.String(), near: 1, top: k.orders, calm: at,
		why:   "An email is out at the end of its time, not when a cook begins with it. Count the rounds that are over.",
		wrong: []mistake{k.alone(), k.crowd(), {k.with(func(k *kitchen) { k.latency = max(1, k.latency/2) }), "You counted the ones that the cooks still work on.", "at " + at.String()}},
	}
}

func staggered(d *dice, level int) asked {
	k := plainKitchen(d, d.between(4, 6+rest(level, 2)), d.between(1, 3))
	k.every = of[ms](d, 50, 100, 150, 200)
	return asked{
		kitchen: k, ask: "When is the last email out?", answer: "time at last effect", unit: "s", say: inSeconds, see: "last effect", near: float64(k.latency) / 1000,
		why: "When orders come faster than the cooks work, the cooks decide; when they come slower, the last order does, and one email after it all is over.",
		wrong: []mistake{
			k.alone(), k.crowd(),
			{k.with(func(k *kitchen) { k.every = 0 }), "You let all orders come at 0 s. They come one after the other.", "last accepted"},
		},
	}
}

func taker(d *dice, level int) asked {
	k := plainKitchen(d, d.between(6, 8), d.between(3, 4))
	k.slow, k.slower = first+d.below(k.cooks), of[ms](d, 150, 350, 550)
	x := d.between(k.cooks+1, k.orders-1) + first
	a := asked{
		kitchen: k, ask: fmt.Sprintf("Which cook takes order %d?", x), answer: fmt.Sprintf("worker at first delivered %d", x), say: byBadge,
		see: fmt.Sprintf("first delivered %d", x),
		why: "The next ticket goes to whoever has been free the longest. A cook with a slow order is passed by.",
		wrong: []mistake{
			{k.with(func(k *kitchen) { k.slow = 0 }), "You dealt the tickets out in turn. A cook who is still at work gets none.", "first acked"},
			{k.with(func(k *kitchen) { k.inTurn, k.slow = true, 0 }), "You dealt the tickets out in turn. A cook who is still at work gets none.", "first acked"},
		},
	}
	a.all = k.everyCook()
	return a
}

// everyCook is who can be the answer.
func (k kitchen) everyCook() []string {
	var all []string
	for i := range k.cooks {
		all = append(all, strconv.Quote(fmt.Sprintf("cook/%d", i+1)))
	}
	return all
}

func finish(d *dice, level int) asked {
	k := plainKitchen(d, d.between(4, 4+rest(level, 2)), d.between(2, 3))
	k.slow, k.slower = first+d.below(k.orders), of[ms](d, 50, 250, 450)
	return asked{
		kitchen: k, ask: "In which order are the orders done?", answer: "finished", say: inARow, see: fmt.Sprintf("first acked %d", k.slow),
		why: "They are taken in the order of the rail, and done when their own cook is done: one slow order is overtaken.",
		wrong: []mistake{
			{k.with(func(k *kitchen) { k.slow = 0 }), "That is the order in which they were sent. A slow one is overtaken by those behind it.", fmt.Sprintf("first acked %d", k.slow)},
			{k.with(func(k *kitchen) { k.slower = 60000 }), "The slow one is overtaken, but not by all: it takes its time, not for ever.", fmt.Sprintf("first acked %d", k.slow)},
			{k.with(func(k *kitchen) { k.slower /= 2 }), "The slow one takes longer than that.", fmt.Sprintf("first acked %d", k.slow)},
			{k.with(func(k *kitchen) { k.slower *= 2 }), "The slow one does not take that long.", fmt.Sprintf("first acked %d", k.slow)},
			{k.with(func(k *kitchen) { k.slower += k.latency }), "The slow one does not take that long.", fmt.Sprintf("first acked %d", k.slow)},
			{k.with(func(k *kitchen) { k.slow++ }), "It is another order that is slow.", fmt.Sprintf("first acked %d", k.slow)},
			{k.with(func(k *kitchen) { k.cooks++ }), "That is how it goes with one cook more.", "first acked"},
		},
	}
}

// fallen is a kitchen in which cooks fall.
func fallen(d *dice, level int) kitchen {
	k := plainKitchen(d, d.between(2, 4+rest(level, 3)), d.between(2, 3))
	k.visibility = k.latency*ms(d.between(2, 3)) + of[ms](d, 50, 100)
	k.restart = k.visibility * 4
	k.ackFirst = d.below(3) == 0
	return k
}

func emails(d *dice, level int) asked {
	k := fallen(d, level)
	x := first + d.below(2)
	k.falls = []fall{{x, 1, d.below(2) == 0}}
	if d.below(3) > 0 && !k.ackFirst {
		k.falls = append(k.falls, fall{x, 2, d.below(3) > 0})
	}
	return asked{
		kitchen: k, ask: fmt.Sprintf("How many emails does %s get?", nameOf(x)), answer: fmt.Sprintf(`effects_of("send_email", %d)`, x), say: plainly,
		see: fmt.Sprintf("last crashed %d", x), all: []string{"0", "1", "2", "3"},
		why: "Look at the card, and at the line where the cook falls: an email that is out stays out, and a ticket that is not spiked comes back. A ticket that is spiked does not.",
		wrong: []mistake{
			k.noFall(), k.never(),
			{k.with(func(k *kitchen) { k.ackFirst = !k.ackFirst }), "Look at the card again: where is the ack?", "first acked"},
			{k.with(func(k *kitchen) { k.falls = k.falls[:1] }), "You forgot that the second cook falls, too.", "last crashed"},
			{k.with(flipped), "Is the email out when the cook falls, or not yet?", "first crashed"},
		},
	}
}

// flipped has the cooks fall on the other side of the email.
func flipped(k *kitchen) {
	for i := range k.falls {
		k.falls[i].after = !k.falls[i].after
	}
}

func lost(d *dice, level int) asked {
	k := fallen(d, level)
	k.orders = max(3, k.orders)
	k.ackFirst = d.below(4) > 0
	for i := range d.between(1, 3) {
		k.falls = append(k.falls, fall{first + i, 1, d.below(3) == 0})
	}
	return asked{
		kitchen: k, ask: "How many orders are lost for good?", answer: "lost", say: plainly, see: "last crashed", all: []string{"0", "1", "2", "3"},
		why: "An order is lost when its ticket is on the spike and its email is not out: the ack stood before the work, and the cook fell in between.",
		wrong: []mistake{
			{k.with(func(k *kitchen) { k.ackFirst = !k.ackFirst }), "Look at the card again: where is the ack?", "first acked"},
			{k.with(flipped), "Is the email out when the cook falls, or not yet?", "first crashed"},
			k.noFall(),
			{k.with(func(k *kitchen) {
				for i := range k.falls {
					k.falls[i].after, k.ackFirst = false, true
				}
			}), "Not every fall loses an order.", "first crashed"},
		},
	}
}

func rescue(d *dice, level int) asked {
	k := fallen(d, level)
	k.ackFirst = false
	k.visibility = k.latency*ms(d.between(2, 4)) + of[ms](d, 0, 50, 100)
	k.restart = of(d, k.latency, k.latency*2, k.visibility*4)
	x := first + d.below(2)
	k.falls = []fall{{x, 1, false}}
	if level > 4 && d.below(2) == 0 {
		k.falls = append(k.falls, fall{x, 2, false})
	}
	return asked{
		kitchen: k, ask: fmt.Sprintf("When does %s's email leave?", nameOf(x)), answer: fmt.Sprintf("time at first effect %d", x), unit: "s", say: inSeconds,
		see: fmt.Sprintf("last hidden_over %d", x), near: float64(k.latency) / 1000,
		why: "Nobody tells the manager of a fall. He waits until the ticket's time is up, and then it takes its place at the end of the rail and the time of an email.",
		wrong: []mistake{
			k.noFall(),
			{k.with(func(k *kitchen) { k.visibility = max(1, k.latency) }), "You let the ticket come back as soon as the cook falls. The manager learns nothing of a fall; he only has his clock.", "first crashed"},
			{k.with(func(k *kitchen) { k.visibility = k.restart }), "You waited for the cook who fell. Another one takes the ticket, when its time is up.", "first hidden_over"},
			{k.with(func(k *kitchen) { k.falls = k.falls[:1] }), "You forgot the second fall.", "last crashed"},
			{k.with(func(k *kitchen) { k.visibility -= k.latency }), "You forgot the time of the email itself.", fmt.Sprintf("first effect %d", x)},
		},
	}
}

// hurried is a kitchen whose timeout is shorter than the work.
func hurried(d *dice, level int) kitchen {
	k := plainKitchen(d, d.between(1, 2), d.between(2, 3+rest(level, 4)))
	k.latency = of[ms](d, 300, 400, 500, 600)
	k.visibility = k.latency/ms(d.between(1, 3)) - of[ms](d, 10, 20, 30)
	k.maxReceives = d.between(0, 3)
	if k.maxReceives == 1 {
		k.maxReceives = 0
	}
	return k
}

func tooSlow(d *dice, level int) asked {
	k := hurried(d, level)
	return asked{
		kitchen: k, ask: "How many emails does Asha get?", answer: fmt.Sprintf(`effects_of("send_email", %d)`, first), say: plainly,
		see: "first hidden_over", near: 1,
		why: "Each time the ticket's time is up, the next free cook takes it, while the first is still at work. Each of them sends an email, and only the ack of the latest hand-out counts.",
		wrong: []mistake{
			k.patient(),
			{k.with(func(k *kitchen) { k.maxReceives = 0 }), "You forgot the limit of tries.", "first dead_lettered"},
			{k.with(func(k *kitchen) { k.cooks = 2 }), "There are more than two cooks who are free.", "last delivered 101"},
			{k.with(func(k *kitchen) { k.visibility = k.latency - 1 }), "The time is up more than once during the work.", "second hidden_over"},
		},
	}
}

func lateAcks(d *dice, level int) asked {
	k := hurried(d, level)
	k.orders = d.between(1, 3)
	return asked{
		kitchen: k, ask: "How many acks come too late and change nothing?", answer: "stale_acks", say: plainly, see: "first ack_ignored", near: 1,
		why: "An ack counts only while its hand-out is the latest one of its ticket. Who acks after somebody else has taken the ticket is told no.",
		wrong: []mistake{
			k.patient(),
			{k.with(func(k *kitchen) { k.orders = 1 }), "That is for one order only. There are more.", "last ack_ignored"},
			{k.with(func(k *kitchen) { k.maxReceives = 0 }), "You forgot the limit of tries.", "first dead_lettered"},
			{k.with(func(k *kitchen) { k.cooks = max(1, k.cooks-1) }), "There is one cook more.", "last delivered"},
		},
	}
}

// spoiled is a kitchen with an order that always fails.
func spoiled(d *dice, level int) kitchen {
	k := plainKitchen(d, d.between(3, 5+rest(level, 4)), d.between(1, 2))
	k.bad = first + d.below(k.orders)
	k.maxReceives = d.between(2, 4)
	k.visibility = k.latency*2 + of[ms](d, 20, 60, 100)
	k.nack = d.below(2) == 0
	return k
}

func (k kitchen) onceOnly() mistake {
	return mistake{k.with(func(k *kitchen) { k.maxReceives = 1 }), "You put it on the tray after its first try. It has more.", "second delivered " + strconv.Itoa(k.bad)}
}

func (k kitchen) oneMore() mistake {
	return mistake{k.with(func(k *kitchen) { k.maxReceives++ }), "The first try is a try as well: it counts among them.", "first dead_lettered"}
}

func (k kitchen) harmless() mistake {
	return mistake{k.with(func(k *kitchen) { k.bad = 0 }), fmt.Sprintf("You forgot that order %d fails, and is tried again.", k.bad), "first handler_failed"}
}

func poison(d *dice, level int) asked {
	k := spoiled(d, level)
	return asked{
		kitchen: k, ask: "How often is a ticket handed to a cook, in all?", answer: "deliveries", say: plainly, see: "first dead_lettered", near: 1,
		why:   "Each good order is handed out once, the one that cannot be done as often as tries are allowed.",
		wrong: []mistake{k.harmless(), k.onceOnly(), k.oneMore(), {k.with(func(k *kitchen) { k.maxReceives = 2 }), "It is tried more than twice.", "first dead_lettered"}},
	}
}

func tray(d *dice, level int) asked {
	k := spoiled(d, level)
	k.nack = false
	k.cooks = 2
	return asked{
		kitchen: k, ask: fmt.Sprintf("When does order %d land on the tray?", k.bad), answer: "time at first dead_lettered", unit: "s", say: inSeconds,
		see: "first dead_lettered", near: float64(k.visibility) / 1000,
		why: "A cook who fails says nothing. Every try ends when the ticket's time is up, the last one as well, and in between it has to be taken again.",
		wrong: []mistake{
			k.onceOnly(),
			{k.with(func(k *kitchen) { k.maxReceives-- }), "You forgot that the last try has to run out, too.", "last hidden_over"},
			k.oneMore(),
			{k.with(func(k *kitchen) { k.nack = true }), "You let the ticket come back as soon as it fails. Here it comes back when its time is up.", "first hidden_over"},
		},
	}
}

func backoff(d *dice, level int) asked {
	k := spoiled(d, level)
	k.orders = d.between(1, 2)
	k.bad, k.nack, k.cooks = first, true, 2
	k.backoff, k.base = of(d, "exponential", "exponential", "fixed"), of[ms](d, 100, 200, 300, 500)
	k.maxReceives = d.between(3, 5)
	n := d.between(3, k.maxReceives)
	return asked{
		kitchen: k, ask: fmt.Sprintf("When does the %s try of order %d begin?", []string{"", "", "", "third", "fourth", "fifth"}[n], k.bad),
		answer: fmt.Sprintf("time at delivered %d #%d", k.bad, n), unit: "s", say: inSeconds, see: fmt.Sprintf("delivered %d #%d", k.bad, n), near: float64(k.base) / 1000,
		why: "Add up the pauses before it. With exponential backoff each is twice the one before, with fixed backoff all are alike; a try that fails at once takes no time.",
		wrong: []mistake{
			{k.with(func(k *kitchen) { k.backoff = other(k.backoff) }), "Do the pauses grow, or are they all alike?", fmt.Sprintf("delivered %d #2", k.bad)},
			{k.with(func(k *kitchen) { k.backoff = "linear" }), "Each pause is twice the one before, not one more.", fmt.Sprintf("delivered %d #3", k.bad)},
			{k.with(func(k *kitchen) { k.base *= 2 }), "The first pause is the short one.", fmt.Sprintf("delivered %d #2", k.bad)},
			{k.with(func(k *kitchen) { k.base /= 2 }), "The first pause is longer than that.", fmt.Sprintf("delivered %d #2", k.bad)},
		},
	}
}

func other(backoff string) string {
	if backoff == "fixed" {
		return "exponential"
	}
	return "fixed"
}

// crowded is a kitchen whose rail is too short.
func crowded(d *dice, level int) kitchen {
	k := plainKitchen(d, d.between(6, 9+rest(level, 5)), d.between(1, 3))
	k.size = d.between(2, 4)
	k.every = of[ms](d, 0, 0, 40, 60)
	return k
}

func refused(d *dice, level int) asked {
	k := crowded(d, level)
	return asked{
		kitchen: k, ask: "How many orders are refused?", answer: "refused", say: plainly, see: "last refused", near: 1, top: k.orders,
		why: "Only what waits needs room on the rail. What a cook holds does not, and each ticket that is done makes room for one more.",
		wrong: []mistake{
			{k.with(func(k *kitchen) { k.size = max(1, k.size-k.cooks) }), "What the cooks hold is not on the rail, and needs no room there.", "first refused"},
			{k.with(func(k *kitchen) { k.size = 100 }), "The rail is not endless: what finds no room is turned away.", "first refused"},
			{k.with(func(k *kitchen) { k.latency = 60000 }), "Cooks make room: what is done lets the next one move up.", "first acked"},
			{k.with(func(k *kitchen) { k.every = 0 }), "They do not come all at once, and in between the cooks get on.", "last refused"},
			k.alone(),
		},
	}
}

func dropped(d *dice, level int) asked {
	k := crowded(d, level)
	k.dropOldest = true
	return asked{
		kitchen: k, ask: "Which orders are done in the end, in this order?", answer: "finished", say: inARow, see: "last dropped",
		why: "When the rail is full the oldest ticket that waits falls off, and the new one gets its place. What the cooks hold is safe.",
		wrong: []mistake{
			{k.with(func(k *kitchen) { k.dropOldest = false }), "That is what happens when a full rail turns new ones away. Here the oldest has to go.", "first dropped"},
			{k.with(func(k *kitchen) { k.size++ }), "The rail has room for one less.", "first dropped"},
			{k.with(func(k *kitchen) { k.size-- }), "The rail has room for one more.", "last dropped"},
			{k.with(func(k *kitchen) { k.cooks = max(1, k.cooks-1) }), "What the cooks hold is safe, and all of them hold one.", "first delivered"},
			{k.with(func(k *kitchen) { k.size = 100 }), "The rail is not that long.", "first dropped"},
		},
	}
}

func expired(d *dice, level int) asked {
	k := plainKitchen(d, d.between(5, 9), d.between(1, 2))
	k.ttl = k.latency*ms(d.between(1, 3)) - of[ms](d, 20, 40)
	k.every = of[ms](d, 0, 0, 40, 80)
	return asked{
		kitchen: k, ask: "How many orders are thrown away?", answer: "expired", say: plainly, see: "last expired", near: 1, top: k.orders,
		why: "Only waiting tickets grow too old. What a cook has taken in time is done, however long it takes.",
		wrong: []mistake{
			{k.with(func(k *kitchen) { k.ttl = 0 }), "You forgot that tickets grow too old.", "first expired"},
			{k.with(func(k *kitchen) { k.ttl = max(1, k.ttl-k.latency) }), "What a cook has taken does not grow too old any more.", "last delivered"},
			{k.with(func(k *kitchen) { k.every = 0 }), "They do not come all at once.", "last accepted"},
			k.alone(),
			{k.with(func(k *kitchen) { k.ttl += k.latency }), "They wait longer than they may.", "last expired"},
		},
	}
}

// grabbing is a kitchen whose cooks take several tickets at a time.
func grabbing(d *dice, level int) kitchen {
	k := plainKitchen(d, d.between(5, 8), 2)
	k.prefetch = d.between(2, 4)
	k.slow, k.slower = first+d.below(2), k.latency*ms(d.between(2, 5))
	return k
}

func (k kitchen) oneAtATime() mistake {
	return mistake{k.with(func(k *kitchen) { k.prefetch = 1 }), "That is how it goes when each cook takes one ticket at a time. Here tickets lie behind a slow one while the other cook is free.", "third delivered"}
}

func hoard(d *dice, level int) asked {
	k := grabbing(d, level)
	return asked{
		kitchen: k, ask: "When is the last email out?", answer: "time at last effect", unit: "s", say: inSeconds, see: "last effect", near: float64(k.latency) / 1000,
		why: "Tickets that a cook has taken wait for him, even when the other one has nothing to do. Look at what lies behind the slow order.",
		wrong: []mistake{
			k.oneAtATime(), k.alone(),
			{k.with(func(k *kitchen) { k.slow = 0 }), "You forgot the slow order.", fmt.Sprintf("first acked %d", k.slow)},
			{k.with(func(k *kitchen) { k.prefetch = 100 }), "A cook takes only so many at a time.", "last delivered"},
		},
	}
}

func hoarded(d *dice, level int) asked {
	k := grabbing(d, level)
	k.cooks = 3
	k.slow = first + d.below(3)
	x := d.between(k.cooks, k.orders-1) + first
	a := asked{
		kitchen: k, ask: fmt.Sprintf("Which cook sends the email for order %d?", x), answer: fmt.Sprintf("worker at first effect %d", x), say: byBadge,
		see: fmt.Sprintf("first delivered %d", x),
		why: "Tickets are dealt out to those who hold the fewest, before anybody knows which order is slow. After that they stay where they are.",
		wrong: []mistake{
			k.oneAtATime(),
			{k.with(func(k *kitchen) { k.prefetch = 100 }), "A cook takes only so many at a time.", fmt.Sprintf("first delivered %d", x)},
		},
	}
	a.all = k.everyCook()
	return a
}
