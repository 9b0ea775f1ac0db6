// Settings: each edit is a new run at once, with the playhead where it was.
import assert from "node:assert/strict";
import { reading } from "../harness/reader.mjs";

const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

// held holds that a button does nothing now, and can still have the focus.
const held = (reader, selector) => reader.eventually(() => reader.get(selector).getAttribute("aria-disabled"), (value) => value === "true");

reading("every control makes a new run at once and keeps the playhead", {}, async (reader) => {
  await reader.scrub(0.25);
  const start = await reader.until((s) => s.event > 0 && s.event < s.events);
  const knobs = reader.get(".knobs .knob");
  const count = await knobs.count();
  assert.ok(count >= 6, `${count} settings`);
  for (let n = 0; n < count; n++) {
    const knob = knobs.nth(n);
    const before = await reader.state();
    const shown = await knob.locator(".val").innerText();
    const slider = knob.locator("input[type=range]");
    if (await slider.count()) await slider.press("ArrowRight");
    else await knob.getByRole("button", { name: /one more$/ }).click();
    const after = await reader.until((s) => s.revision > before.revision);
    assert.equal(after.time, start.time, `the playhead is kept when setting ${n} changes`);
    assert.deepEqual(after.problems, []);
    await reader.eventually(() => knob.locator(".val").innerText(), (text) => text !== shown);
    assert.equal(await knob.evaluate((e) => e.classList.contains("changed")), true);
    await reader.get("#undo").click();
    const undone = await reader.until((s) => s.revision > after.revision);
    assert.deepEqual([undone.hash, undone.time], [start.hash, start.time]);
    await reader.eventually(() => knob.locator(".val").innerText(), (text) => text === shown);
  }
});

reading("undo, redo and reset take edits back and make them again", {}, async (reader) => {
  const original = await reader.state();
  const hashes = [original.hash];
  for (const press of ["Cooks: one more", "Cooks: one more", "Fails at first: one more"]) {
    await reader.press(press);
    hashes.push((await reader.until((s) => s.hash !== hashes.at(-1))).hash);
  }
  assert.equal(new Set(hashes).size, 4);
  for (const hash of hashes.slice(0, 3).reverse()) {
    await reader.get("#undo").click();
    await reader.until((s) => s.hash === hash);
  }
  await held(reader, "#undo");
  for (const hash of hashes.slice(1)) {
    await reader.get("#redo").click();
    await reader.until((s) => s.hash === hash);
  }
  await held(reader, "#redo");
  await reader.get("#reset").click();
  await reader.until((s) => s.hash === original.hash);
  await reader.get("#undo").click();
  await reader.until((s) => s.hash === hashes[3]);
});

reading("a drag of a slider is undone as one edit", {}, async (reader) => {
  const { hash } = await reader.state();
  const slider = reader.get("#latency");
  await slider.scrollIntoViewIfNeeded();
  const box = await slider.boundingBox();
  const { mouse } = reader.page;
  await mouse.move(box.x + 0.1 * box.width, box.y + box.height / 2);
  await mouse.down();
  await mouse.move(box.x + 0.6 * box.width, box.y + box.height / 2, { steps: 6 });
  await mouse.up();
  const dragged = await reader.until((s) => s.end > 3);
  assert.notEqual(dragged.hash, hash);
  await reader.get("#undo").click();
  await reader.until((s) => s.hash === hash);
  await held(reader, "#undo");
});

reading("a number in the prose and its control are one value", {}, async (reader) => {
  await reader.get("#scrub-workers").focus();
  await reader.page.keyboard.press("ArrowRight");
  await reader.until((s) => s.end === 0.6);
  await reader.eventually(() => reader.get("#scrub-workers").innerText(), (text) => /2.cooks/.test(text));
  assert.equal(await reader.knob("workers").locator(".val").innerText(), "2");
  await reader.press("Cooks: one more");
  await reader.until((s) => s.end === 0.4);
  await reader.eventually(() => reader.get("#scrub-workers").innerText(), (text) => /3.cooks/.test(text));
});

reading("eight workers are all on the stage, and done after one email's time", {}, async (reader) => {
  for (let n = 2; n <= 8; n++) {
    await reader.press("Cooks: one more");
    await reader.eventually(() => reader.knob("workers").locator(".val").innerText(), (text) => text === String(n));
  }
  await held(reader, "#workers");
  await reader.until((s) => s.end === 0.2);
  await reader.get("#forward").click(); // from the opening to what happens at 0
  await reader.until((s) => s.in_flight === 6);
  const cooks = reader.get('#stage > svg:visible [aria-label^="Cook "]');
  await reader.eventually(() => cooks.count(), (n) => n >= 8);
  await reader.goToEnd();
  assert.deepEqual((await reader.inbox()).map((row) => row.done), Array(6).fill(true));
});

reading("with room for one order, others are refused at the door", {}, async (reader) => {
  await reader.press("Rail size: one more");
  await reader.until((s) => s.end < 1);
  await reader.get("#forward").click(); // from the opening to what happens at 0
  const state = await reader.until((s) => s.refused > 0);
  assert.equal(state.accepted + state.refused, 6);
  await reader.eventually(() => reader.written(), (text) => /busy/i.test(text));
  await reader.goToEnd();
  const end = await reader.state();
  assert.deepEqual([end.acked, end.refused], [state.accepted, state.refused]);
  await reader.eventually(() => reader.get(".transcript").innerText(), (text) => /turned away|refused|busy/i.test(text));
  await reader.eventually(() => reader.get(".outcome").innerText(), (text) => /Turned away/.test(text));
});

reading("crash now: the ticket comes back with one more try", {}, async (reader) => {
  await reader.scrub(0.08);
  const before = await reader.until((s) => s.in_flight === 1 && s.time > 0);
  await reader.get('#stage > svg:visible [data-act="crash"]').first().click();
  const after = await reader.until((s) => s.hash !== before.hash);
  const shown = await reader.until((s) => s.event > before.event);
  assert.ok(shown.time >= before.time && shown.time < before.time + 0.01, "the playhead goes along as far as the crash");
  assert.equal(after.acked, before.acked, "what was seen stays as it was");
  await reader.eventually(() => reader.get(".transcript").innerText(), (text) => /goes down/.test(text));
  await reader.goToEnd();
  const end = await reader.state();
  assert.deepEqual([end.acked, end.lost], [6, 0]);
  await reader.eventually(() => reader.get(".transcript").innerText(), (text) => /takes\s+101\. Second try/.test(text));
  await reader.get("#undo").click();
  await reader.until((s) => s.hash === before.hash);
});

reading("edits and the moment are in the address, and open again", {}, async (reader) => {
  await reader.press("Fails at first: one more");
  await reader.page.getByRole("button", { name: "Move ack up" }).click();
  await reader.until((s) => s.handler.indexOf("ack") < s.handler.indexOf("send_email"));
  await reader.scrub(0.6);
  const there = await reader.until((s) => s.time > 0.5 * s.end);
  await reader.eventually(() => reader.page.url(), (url) => url.includes("at="));
  await reader.page.reload();
  await reader.program();
  const again = await reader.until((s) => s.time > 0);
  assert.deepEqual([again.hash, again.handler], [there.hash, there.handler]);
  assert.ok(Math.abs(again.time - there.time) < 0.001);
  await reader.get("#undo").click();
  await reader.until((s) => s.hash !== there.hash);
});

reading("a stepper says its new value once, keeps the focus, and has no live region of its own", {}, async (reader) => {
  const said = reader.get("#said");
  await reader.get("#workers").focus();
  await reader.page.keyboard.press("Enter");
  await reader.eventually(() => said.innerText(), (text) => text === "Cooks: 2 workers");
  await reader.focusIs("workers");
  await reader.counts(".knobs output, .knobs [aria-live]", 0);
  assert.equal(await reader.page.getByRole("slider", { name: "Time to ack", exact: true }).getAttribute("aria-valuetext"), "1 second");
  for (let n = 3; n <= 8; n++) {
    await reader.page.keyboard.press("Enter");
    await reader.eventually(() => said.innerText(), (text) => text === `Cooks: ${n} workers`);
  }
  await held(reader, "#workers");
  await reader.focusIs("workers");
});

reading("a value goes back by its own undo, and the focus to its control", {}, async (reader) => {
  const { hash } = await reader.state();
  await reader.get("#latency").press("ArrowRight");
  await reader.until((s) => s.hash !== hash);
  const back = reader.get("#was-latency");
  assert.match(await back.innerText(), /was 200 ms, undo/);
  await back.click();
  await reader.until((s) => s.hash === hash);
  await reader.focusIs("latency");
  await reader.eventually(() => reader.get("#was-latency").count(), (n) => n === 0);
});

reading("what a full rail does is a choice of three words", {}, async (reader) => {
  await reader.counts(".knobs .seg", 0, "a rail without an end is never full");
  await reader.press("Rail size: one more");
  const before = await reader.until((s) => s.refused > 0 || s.revision > 2);
  await reader.page.getByRole("radio", { name: "Drop oldest" }).check({ force: true });
  await reader.until((s) => s.hash !== before.hash);
  await reader.goToEnd();
  assert.equal((await reader.state()).dropped > 0, true);
  await reader.page.getByRole("radio", { name: "Drop oldest" }).press("ArrowRight");
  await reader.until((s) => s.dropped === 0 && s.refused === 0);
  await reader.goToEnd();
  assert.equal((await reader.state()).accepted, 6);
  assert.equal(await reader.page.getByRole("radio", { name: "Waiter waits" }).isChecked(), true);
  assert.match(await reader.get("#undo").innerText(), /Undo:\s+overflow Waiter waits/);
});

for (const [where, context] of [["a desktop", {}], ["a phone", phone]]) {
  reading(`every other value is a field under all settings, on ${where}`, { context }, async (reader) => {
    await reader.unfold();
    const { hash } = await reader.state();
    const field = reader.page.getByLabel("restart_after", { exact: true });
    assert.equal(await field.inputValue(), "1s");
    assert.ok(await reader.get(".field").count() > 25);
    const wait = reader.page.getByLabel("delay", { exact: true });
    await wait.fill("soon");
    await wait.press("Enter");
    const why = reader.get(".field .errmsg");
    await reader.eventually(() => why.count(), (n) => n === 1);
    assert.match(await why.innerText(), /soon.*such as/s);
    assert.equal(await wait.getAttribute("aria-invalid"), "true");
    assert.equal((await reader.state()).hash, hash, "the last good run stays");
    assert.equal(await wait.inputValue(), "soon");
    await wait.fill("300ms");
    await wait.press("Enter");
    const later = await reader.until((s) => s.hash !== hash && s.problems.length === 0);
    assert.ok(later.end > 1.4);
    await reader.eventually(() => why.count(), (n) => n === 0);
    await reader.page.getByLabel("on_error", { exact: true }).selectOption("reject");
    await reader.eventually(() => reader.get("#undo").innerText(), (text) => /Undo:\s+on error reject/.test(text));
    await reader.get("#undo").click();
    await reader.until((s) => s.hash === later.hash);
    await reader.get("#undo").click();
    await reader.eventually(() => wait.inputValue(), (value) => value === "soon" || value === "0s");
    await reader.get("#reset").click();
    await reader.eventually(() => wait.inputValue(), (value) => value === "0s");
    assert.equal((await reader.until((s) => s.problems.length === 0)).hash, hash);
    const small = await reader.get("#settings").locator("button, input:not([type=radio]), select, summary").evaluateAll((all, least) => all
      .map((e) => [e.id || e.textContent, e.getBoundingClientRect()]).filter(([, box]) => box.height < least || box.width < 24).map(([name, box]) => `${name}: ${box.width} by ${box.height}`), context.hasTouch ? 40 : 24);
    assert.deepEqual(small, []);
  });
}

reading("undo and redo have their keys, and say what they did", {}, async (reader) => {
  const { keyboard } = reader.page;
  const first = await reader.state();
  await reader.page.getByRole("button", { name: "Move ack up" }).click();
  const moved = await reader.until((s) => s.hash !== first.hash);
  await reader.focusIs("up-2");
  await keyboard.press("Control+z");
  await reader.until((s) => s.hash === first.hash);
  await reader.eventually(() => reader.get("#said").innerText(), (text) => text === "Undone: ack on line 2.");
  await reader.get("#latency").focus();
  await keyboard.press("Control+Shift+z");
  await reader.until((s) => s.hash === moved.hash);
  await reader.eventually(() => reader.get("#said").innerText(), (text) => text === "Done again: ack on line 2.");
  await reader.get("#all-settings > summary").click();
  const field = reader.get("#f-workers-cook-prefetch");
  await field.fill("2");
  await keyboard.press("Control+z");
  assert.equal((await reader.state()).hash, moved.hash, "in a field the keys are the field's own");
});
