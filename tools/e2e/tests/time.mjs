// Time: marks and their lists, events of one kind, loop, stops, seed, charts
// that are read, the run before an edit, lanes, many seeds; on a wide page, on
// a phone, and with less motion.
import assert from "node:assert/strict";
import { reading } from "../harness/reader.mjs";
import { scenarios, site } from "../harness/site.mjs";

// The rush: 18 orders, a crash, a timeout, a dead letter and a refusal. The
// burst: 400 jobs, more than there are lanes. Chance: arrivals that differ with
// the seed.
const built = await site();
const [{ scenario: rush }, { scenario: burst }] = await scenarios(["wasm/scene/testdata/lesson.yaml", "core/testdata/cases/drain-eight-workers.yaml"]);
const chance = { ...burst, producers: { shop: { to: "jobs", rate: "30/s", arrivals: "poisson", count: 60 } } };
const path = await built.page("rush.html", rush);
const random = await built.page("chance.html", chance);
const many = await built.page("burst.html", burst);
const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

const legend = (reader) => reader.get(".legend").evaluateAll((lists) => Object.fromEntries(lists.flatMap((list) =>
  [...list.querySelectorAll("b")].map((b) => [b.id.slice(2), b.textContent]))));
const kinds = { crash: 2, timeout: 1, refusal: 4 };

reading("Shift and the arrows go through the events of the chosen kind", { path }, async (reader) => {
  const { keyboard } = reader.page;
  await reader.get("#kind").selectOption(String(kinds.crash));
  await reader.get("#scrub").focus();
  await keyboard.press("Shift+ArrowRight");
  const crash = await reader.until((s) => s.time > 0);
  await reader.eventually(() => reader.get("#said").innerText(), (said) => /goes down/.test(said));
  await keyboard.press("Shift+ArrowRight");
  await reader.eventually(() => reader.get("#said").innerText(), (said) => /No such event/.test(said));
  assert.equal((await reader.state()).event, crash.event, "there is one crash");
  await reader.get("#kind").selectOption(String(kinds.timeout));
  await reader.press("Next of its kind");
  const timeout = await reader.until((s) => s.time > crash.time);
  await reader.get("#kind").selectOption(String(kinds.crash));
  await reader.press("Previous of its kind");
  await reader.until((s) => s.event === crash.event);
  assert.ok(Math.abs(timeout.time - 1.0) < 0.05, `${timeout.time}`);
});

reading("a mark goes to its event; one that stands for several lists them, for keys alone too", { path, context: { viewport: { width: 400, height: 900 } } }, async (reader) => {
  const { keyboard } = reader.page;
  const marks = reader.get("#marks [data-mark]");
  assert.equal(await marks.evaluateAll((all) => all.filter((m) => m.tabIndex === 0).length), 1, "one stop for Tab");
  for (const box of await marks.evaluateAll((all) => all.map((m) => m.querySelector(".hit").getBoundingClientRect()).map(({ width, height }) => ({ width, height })))) {
    assert.ok(box.width >= 23.9 && box.height >= 23.9, JSON.stringify(box));
  }
  await marks.first().focus();
  await keyboard.press("End");
  await keyboard.press("Home");
  const lists = reader.get("#marks [data-mark][aria-haspopup]");
  assert.ok(await lists.count() > 0, "some marks stand for several events");
  const id = await lists.first().getAttribute("id");
  for (let n = 0; (await reader.page.evaluate(() => document.activeElement.id)) !== id && n < 20; n++) await keyboard.press("ArrowRight");
  await keyboard.press("Enter");
  await reader.focusIs("listed-0");
  await keyboard.press("ArrowDown");
  await reader.focusIs("listed-1");
  await keyboard.press("Escape");
  await reader.focusIs(id);
  await reader.counts("#marklist", 0);
  await keyboard.press("Enter");
  await reader.focusIs("listed-0");
  await keyboard.press("ArrowDown");
  const event = Number(await reader.get("#listed-1").getAttribute("data-event"));
  await keyboard.press("Enter");
  await reader.until((s) => s.event === event + 1);
  await reader.focusIs(id);
  const single = reader.get("#marks [data-mark]:not([aria-haspopup])").first();
  await single.click();
  await reader.until((s) => s.event !== event + 1);
});

reading("loop begins again at the end", {}, async (reader) => {
  await reader.get("#loop").click();
  assert.equal(await reader.get("#loop").getAttribute("aria-pressed"), "true");
  await reader.get("#speed").fill("4");
  await reader.get("#play").click();
  await reader.until((s) => s.time > 0.8 * s.end);
  await reader.until((s) => s.time < 0.5 * s.end && s.playing);
  await reader.get("#loop").click();
  await reader.until((s) => !s.playing && s.time === s.end);
});

reading("play halts at the author's stops, says and shows their sentence, and goes on", { path }, async (reader) => {
  const { stops } = await reader.page.evaluate(() => JSON.parse(window.ticketrail.stops(JSON.stringify([
    { event: 120, text: "The second one." }, { event: 40, text: "Look at cook A." }, { event: 1e6, text: "In no run." },
  ]))));
  assert.equal(stops, 2);
  await reader.get("#speed").fill("6");
  await reader.get("#play").click();
  await reader.until((s) => !s.playing && s.event === 41);
  assert.match(await reader.get("#stop").innerText(), /Look at cook A\./);
  await reader.eventually(() => reader.get("#said").innerText(), (said) => said === "Look at cook A.");
  await reader.get("#go-on").click();
  await reader.until((s) => !s.playing && s.event === 121);
  await reader.get("#play").click();
  await reader.until((s) => !s.playing && s.event === s.events);
  await reader.counts("#stop", 0);
  await reader.get("#flag-0").click();
  await reader.until((s) => s.event === 41);
});

reading("another seed is another run, and can be undone and linked to", { path: random }, async (reader) => {
  const first = await reader.state();
  await reader.press("Another seed");
  const second = await reader.until((s) => s.revision !== first.revision && s.hash !== first.hash);
  assert.equal(await reader.get("#seed").inputValue(), "2");
  assert.match(await reader.address(), /seed=2/);
  await reader.get("#seed").fill("nonsense");
  await reader.get("#seed").press("Enter");
  await reader.eventually(() => reader.get("#seed").inputValue(), (v) => v === "2");
  assert.equal((await reader.state()).hash, second.hash);
  await reader.get("#undo").click();
  await reader.until((s) => s.hash === first.hash);
});

reading("charts show the future only when a run was seen, and read what the pointer is at", { path }, async (reader) => {
  await reader.counts(".axes.first", 1);
  await reader.goToEnd();
  await reader.eventually(() => reader.get(".axes.first").count(), (n) => n === 0);
  await reader.scrub(0.1);
  const state = await reader.state();
  const here = await reader.eventually(() => legend(reader), (l) => l.waiting === String(state.waiting) && l.flight === String(state.in_flight));
  const box = await reader.get("#axes").evaluate((e) => { const { x, width } = e.getBoundingClientRect(); return { x, width }; });
  const plot = await reader.get(".plotrow svg.plot").first().boundingBox();
  await reader.page.mouse.move(box.x + 0.5 * box.width, plot.y + 50);
  const hovered = await reader.eventually(() => legend(reader), (l) => l.dead !== here.dead);
  assert.match(await reader.get("#hover-time").innerText(), /^1\.\d\d s$/);
  assert.equal((await reader.state()).time, state.time, "reading moves nothing");
  await reader.page.mouse.move(box.x + 0.5 * box.width, plot.y - 300);
  await reader.eventually(() => legend(reader), (l) => l.dead === here.dead);
  await reader.page.mouse.click(box.x + 0.5 * box.width, plot.y + 50);
  const there = await reader.until((s) => Math.abs(s.time / s.end - 0.5) < 0.02);
  assert.equal(String(there.dead), hovered.dead);
  assert.equal(String(there.waiting), hovered.waiting);
});

reading("one playhead crosses timeline, charts and lanes, while it plays too", { path }, async (reader) => {
  await reader.goToEnd();
  await reader.get("#speed").fill("4");
  await reader.get("#play").click();
  await reader.until((s) => s.playing && s.time > 0.3 * s.end);
  for (let n = 0; n < 5; n++) {
    const [track, over] = await reader.page.evaluate(() => new Promise((done) => requestAnimationFrame(() =>
      done([...document.querySelectorAll(".needle")].map((needle) => needle.getBoundingClientRect().x)))));
    assert.ok(Math.abs(track - over) < 0.6, `${track} and ${over}`);
  }
});

reading("after an edit the run before is a ghost on the same axis", { path }, async (reader) => {
  await reader.goToEnd();
  await reader.counts(".plot .ln-ghost", 0);
  const before = await reader.state();
  const ticks = () => reader.get(".plotrow .axt").allInnerTexts();
  const line = await reader.get(".plot .ln-w").getAttribute("d");
  await reader.knob("workers").getByRole("button", { name: /fewer/ }).click();
  await reader.until((s) => s.hash !== before.hash && s.before === before.hash);
  await reader.eventually(() => reader.get(".plot .ln-ghost").count(), (n) => n > 0);
  assert.ok((await ticks()).length > 0);
  assert.notEqual(await reader.get(".plot .ln-w").getAttribute("d"), line);
  assert.ok((await reader.get(".legend").first().innerText()).includes("was waiting"));
});

reading("lanes: a ticket is followed from its lane; of many messages those around the playhead have one", { path: many }, async (reader) => {
  const first = () => reader.get(".lane").first().getAttribute("data-follow");
  assert.equal(await first(), "1");
  assert.match(await reader.get(".lanemore").innerText(), /340 more: 0 before these, 340 after/);
  await reader.scrub(0.5);
  const from = Number(await reader.eventually(first, (id) => id !== "1"));
  assert.ok(from > 150 && from < 210, `${from}`);
  await reader.get(".lane .lane-h").nth(20).click();
  await reader.eventually(() => reader.get(".lane.on").count(), (n) => n === 1);
  const followed = await reader.get(".lane.on").getAttribute("data-follow");
  await reader.goToEnd();
  await reader.eventually(() => reader.get(".lane").nth(1).getAttribute("data-follow"), (id) => Number(id) > 300);
  assert.equal(await first(), followed, "the one that is followed stays");
});

reading("many seeds: computed in slices, shown as a band, and taken away", { path: many }, async (reader) => {
  await reader.goToEnd();
  await reader.get("#band").click();
  await reader.eventually(() => reader.get(".plot .ln-band").count(), (n) => n === 1);
  assert.match(await reader.get(".band").innerText(), /40 seeds/);
  await reader.get("#band").click();
  await reader.eventually(() => reader.get(".plot .ln-band").count(), (n) => n === 0);
  await reader.get("#band").click();
  await reader.press("Cancel");
  await reader.eventually(() => reader.get("#band").innerText(), (text) => /Compare/.test(text));
});

reading("with less motion, play goes from event to event and the charts with it", { path, context: { reducedMotion: "reduce" } }, async (reader) => {
  await reader.get("#play").click();
  const one = await reader.until((s) => s.playing && s.accepted > 0);
  const other = await reader.until((s) => s.event > one.event);
  assert.ok(other.playing);
  await reader.eventually(async () => [await legend(reader), await reader.state()], ([l, s]) => l.waiting === String(s.waiting));
});

reading("on a phone transport docks at the bottom, and the rest folds", { path, context: phone }, async (reader) => {
  const dock = await reader.get(".dock").boundingBox();
  assert.ok(Math.abs(dock.y + dock.height - 844) < 1, JSON.stringify(dock));
  await reader.counts(".axes", 0, "nothing is drawn that is folded away");
  await reader.get("#more").tap();
  await reader.get("#end").tap();
  await reader.until((s) => s.event === s.events);
  await reader.get("#charts > summary").tap();
  await reader.eventually(() => reader.get(".lane").count(), (n) => n === 18);
  const wide = await reader.page.evaluate(() => document.documentElement.scrollWidth);
  assert.equal(wide, 390);
});
