// Time: playing, stepping, scrubbing, and the transcript as a way through it.
import assert from "node:assert/strict";
import { reading } from "../harness/reader.mjs";

reading("plays the run and sees the inbox at six", {}, async (reader) => {
  assert.equal((await reader.state()).playing, false, "nothing moves until the reader asks");
  await reader.get("#speed").fill("3");
  await reader.get("#play").click();
  const end = await reader.until((s) => !s.playing && s.event === s.events);
  assert.deepEqual([end.acked, end.effects, end.lost, end.duplicates], [6, 6, 0, 0]);
  await reader.eventually(() => reader.get(".strip").innerText(), (text) => /6\s*done/.test(text));
  assert.match(await reader.stage(), /0 waiting, 0 in flight, 6 done, 0 dead/);
  const inbox = await reader.inbox();
  assert.deepEqual(inbox.map((row) => row.order), ["101", "102", "103", "104", "105", "106"]);
  assert.ok(inbox.every((row) => row.done), JSON.stringify(inbox));
  assert.equal(await reader.get("#play").getAttribute("aria-label"), "Play");
});

reading("the stage and the panels move while it plays, and pause holds them", {}, async (reader) => {
  await reader.get("#play").click();
  const moving = await reader.until((s) => s.playing && s.acked >= 1);
  await reader.get("#play").click();
  const paused = await reader.until((s) => !s.playing);
  assert.ok(paused.time >= moving.time && paused.time < paused.end);
  const stage = await reader.drawing();
  await reader.frame();
  await reader.frame();
  assert.equal(await reader.drawing(), stage, "a paused stage is still");
  assert.equal((await reader.state()).time, paused.time);
});

reading("scrubs back and sees the earlier state", {}, async (reader) => {
  const { end } = await reader.state();
  await reader.scrub(0.3);
  const early = await reader.until((s) => s.event > 0 && s.event < s.events);
  const [label, drawing, strip] = [await reader.stage(), await reader.drawing(), await reader.get(".strip").innerText()];
  assert.ok(Math.abs(early.time - 0.3 * end) < 0.02 * end, `${early.time} is not near ${0.3 * end}`);
  assert.ok(early.acked < 6);
  await reader.scrub(0.95);
  const late = await reader.until((s) => s.time > 0.9 * end);
  assert.ok(late.acked > early.acked);
  assert.notEqual(await reader.stage(), label);
  await reader.scrub(0.3);
  const again = await reader.until((s) => s.time < 0.5 * end);
  assert.deepEqual({ ...again, revision: 0 }, { ...early, revision: 0 });
  assert.equal(await reader.stage(), label);
  assert.equal(await reader.drawing(), drawing, "the same instant is drawn the same");
  await reader.eventually(() => reader.get(".strip").innerText(), (text) => text === strip);
});

reading("the playhead follows a drag along the timeline", {}, async (reader) => {
  const box = await reader.get("#scrub").boundingBox();
  const { mouse } = reader.page;
  await mouse.move(box.x + 0.1 * box.width, box.y + box.height / 2);
  await mouse.down();
  const seen = [];
  for (const part of [0.2, 0.5, 0.8, 0.4]) {
    await mouse.move(box.x + part * box.width, box.y + box.height / 2);
    const state = await reader.until((s) => Math.abs(s.time / s.end - part) < 0.02);
    seen.push(state.event);
  }
  await mouse.up();
  assert.ok(seen[0] < seen[1] && seen[1] < seen[2] && seen[3] < seen[1] && seen[3] > seen[0], String(seen));
});

reading("steps from event to event and back", {}, async (reader) => {
  // seen is what a step changes: the events that are over and what the stage says.
  const seen = async () => `${(await reader.state()).event}: ${await reader.stage()}`;
  const press = async (button, from) => {
    await reader.get(button).click();
    return reader.eventually(seen, (now) => now !== from);
  };
  const forth = [await seen()];
  for (let n = 0; n < 6; n++) forth.push(await press("#forward", forth.at(-1)));
  assert.equal(new Set(forth).size, 7);
  const back = [forth.at(-1)];
  for (let n = 0; n < 4; n++) back.push(await press("#back", back.at(-1)));
  assert.deepEqual(back, forth.slice(2).reverse());
});

reading("a click on a sentence goes there and marks it", {}, async (reader) => {
  const rows = reader.get(".transcript button.row");
  for (const n of [7, 2, await rows.count() - 1]) {
    const row = rows.nth(n);
    const [event, text] = [Number(await row.getAttribute("data-event")), await row.locator("time").innerText()];
    await row.click();
    const there = await reader.until((s, e = event) => s.event === e + 1);
    assert.equal(there.playing, false);
    assert.equal(there.time.toFixed(3), Number(text).toFixed(3));
    const marked = reader.get(".transcript [aria-current=true]");
    await reader.eventually(() => marked.getAttribute("data-event"), (e) => Number(e) === event);
    assert.equal(await marked.count(), 1);
  }
});

reading("a ticket that is clicked is followed, and its number stays the same ticket's", {}, async (reader) => {
  const ticket = reader.get('#stage > svg:visible [data-act="follow"][data-message="103"]').first();
  const before = await reader.drawing();
  await ticket.click();
  await reader.eventually(() => reader.drawing(), (drawing) => drawing !== before);
  await ticket.click();
  await reader.eventually(() => reader.drawing(), (drawing) => drawing === before);
});
