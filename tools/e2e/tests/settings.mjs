// Settings: each edit is a new run at once, with the playhead where it was.
import assert from "node:assert/strict";
import { reading } from "../harness/reader.mjs";

reading("every control makes a new run at once and keeps the playhead", {}, async (reader) => {
  await reader.scrub(0.25);
  const start = await reader.until((s) => s.event > 0 && s.event < s.events);
  const knobs = reader.get(".knobs .knob");
  const count = await knobs.count();
  assert.ok(count >= 6, `${count} settings`);
  for (let n = 0; n < count; n++) {
    const knob = knobs.nth(n);
    const before = await reader.state();
    const shown = await knob.locator("output").innerText();
    const slider = knob.locator("input[type=range]");
    if (await slider.count()) await slider.press("ArrowRight");
    else await knob.getByRole("button", { name: /^more / }).click();
    const after = await reader.until((s) => s.revision > before.revision);
    assert.equal(after.time, start.time, `the playhead is kept when setting ${n} changes`);
    assert.deepEqual(after.problems, []);
    await reader.eventually(() => knob.locator("output").innerText(), (text) => text !== shown);
    assert.equal(await knob.evaluate((e) => e.classList.contains("changed")), true);
    await reader.get("#undo").click();
    const undone = await reader.until((s) => s.revision > after.revision);
    assert.deepEqual([undone.hash, undone.time], [start.hash, start.time]);
    await reader.eventually(() => knob.locator("output").innerText(), (text) => text === shown);
  }
});

reading("undo, redo and reset take edits back and make them again", {}, async (reader) => {
  const original = await reader.state();
  const hashes = [original.hash];
  for (const press of ["more workers", "more workers", "more fails.first"]) {
    await reader.press(press);
    hashes.push((await reader.until((s) => s.hash !== hashes.at(-1))).hash);
  }
  assert.equal(new Set(hashes).size, 4);
  for (const hash of hashes.slice(0, 3).reverse()) {
    await reader.get("#undo").click();
    await reader.until((s) => s.hash === hash);
  }
  assert.equal(await reader.get("#undo").isDisabled(), true);
  for (const hash of hashes.slice(1)) {
    await reader.get("#redo").click();
    await reader.until((s) => s.hash === hash);
  }
  assert.equal(await reader.get("#redo").isDisabled(), true);
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
  assert.equal(await reader.get("#undo").isDisabled(), true);
});

reading("a number in the prose and its control are one value", {}, async (reader) => {
  await reader.get("#scrub-workers").focus();
  await reader.page.keyboard.press("ArrowRight");
  await reader.until((s) => s.end === 0.6);
  await reader.eventually(() => reader.get("#scrub-workers").innerText(), (text) => /2.cooks/.test(text));
  assert.equal(await reader.knob("workers").locator("output").innerText(), "2");
  await reader.press("more workers");
  await reader.until((s) => s.end === 0.4);
  await reader.eventually(() => reader.get("#scrub-workers").innerText(), (text) => /3.cooks/.test(text));
});

reading("eight workers are all on the stage, and done after one email's time", {}, async (reader) => {
  for (let n = 2; n <= 8; n++) {
    await reader.press("more workers");
    await reader.eventually(() => reader.knob("workers").locator("output").innerText(), (text) => text === String(n));
  }
  assert.equal(await reader.page.getByRole("button", { name: "more workers" }).isDisabled(), true);
  await reader.until((s) => s.end === 0.2);
  await reader.get("#forward").click(); // from the opening to what happens at 0
  await reader.until((s) => s.in_flight === 6);
  const cooks = reader.get('#stage > svg:visible [aria-label^="Cook "]');
  await reader.eventually(() => cooks.count(), (n) => n >= 8);
  await reader.goToEnd();
  assert.deepEqual((await reader.inbox()).map((row) => row.done), Array(6).fill(true));
});

reading("with room for one order, others are refused at the door", {}, async (reader) => {
  await reader.press("more max size");
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
  assert.deepEqual([after.time, after.event, after.acked], [before.time, before.event, before.acked], "what was seen stays as it was");
  await reader.eventually(() => reader.get(".transcript").innerText(), (text) => /goes down/.test(text));
  await reader.goToEnd();
  const end = await reader.state();
  assert.deepEqual([end.acked, end.lost], [6, 0]);
  await reader.eventually(() => reader.get(".transcript").innerText(), (text) => /takes\s+101\. Second try/.test(text));
  await reader.get("#undo").click();
  await reader.until((s) => s.hash === before.hash);
});

reading("edits and the moment are in the address, and open again", {}, async (reader) => {
  await reader.press("more fails.first");
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
