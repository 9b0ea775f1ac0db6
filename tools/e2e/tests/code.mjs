// The code card: moving ack(msg), typing, and mistakes in words.
import assert from "node:assert/strict";
import { reading } from "../harness/reader.mjs";

const ackFirst = "def on_message(msg):\n    ack(msg)\n    send_email(msg.id)\n";

// flaky lets the mail server fail once.
async function flaky(reader) {
  await reader.press("more fails.first");
  await reader.until((s) => s.revision > 2);
}

// seesOneLost goes to the end and sees one order gone without a word.
async function seesOneLost(reader) {
  assert.equal((await reader.until((s) => s.handler.indexOf("ack") < s.handler.indexOf("send_email"))).handler, ackFirst);
  await reader.goToEnd();
  const end = await reader.state();
  assert.deepEqual([end.acked, end.effects, end.lost, end.waiting, end.in_flight, end.dead], [6, 5, 1, 0, 0, 0]);
  await reader.eventually(() => reader.get(".strip-x").innerText(), (text) => /1\s*lost/.test(text));
  const inbox = await reader.inbox();
  assert.deepEqual(inbox.filter((row) => !row.done).map((row) => row.order), ["101"]);
  const lost = reader.get(".outcome tr", { hasText: "lost" });
  await reader.eventually(() => lost.innerText(), (text) => /\b0\s+1\b/.test(text));
}

reading("drags ack above the work with a flaky mail server and sees one order lost", {}, async (reader) => {
  await flaky(reader);
  const { mouse } = reader.page;
  const grip = reader.get(".ln.ack .grip");
  await grip.scrollIntoViewIfNeeded();
  const from = await grip.boundingBox();
  await mouse.move(from.x + from.width / 2, from.y + from.height / 2);
  await mouse.down();
  await reader.get(".listing.dragging").waitFor();
  const slot = await reader.get('#listing .slot[data-before="2"]').boundingBox();
  await mouse.move(from.x, slot.y + slot.height / 2, { steps: 4 });
  const target = reader.get('#listing .slot.target[data-before="2"]');
  await target.waitFor();
  assert.match(await target.innerText(), /gone before the work is done/);
  await mouse.up();
  await seesOneLost(reader);
});

reading("a drag that is let go elsewhere, or ended by Escape, leaves the code as it was", {}, async (reader) => {
  const before = await reader.state();
  const { mouse, keyboard } = reader.page;
  const grip = reader.get(".ln.ack .grip");
  await grip.scrollIntoViewIfNeeded();
  const from = await grip.boundingBox();
  const start = async () => {
    await mouse.move(from.x + from.width / 2, from.y + from.height / 2);
    await mouse.down();
    await reader.get(".listing.dragging").waitFor();
  };
  await start();
  await mouse.move(from.x, from.y + 400, { steps: 3 });
  await mouse.up();
  await reader.get(".listing:not(.dragging)").waitFor();
  await start();
  await grip.focus();
  await keyboard.press("Escape");
  await reader.get(".listing:not(.dragging)").waitFor();
  await mouse.up();
  assert.deepEqual(await reader.state(), before);
});

reading("moves ack by the up button and loses one order, and down again loses none", {}, async (reader) => {
  await flaky(reader);
  await reader.page.getByRole("button", { name: "Move ack up" }).click();
  await reader.focusIs("up-2");
  await seesOneLost(reader);
  await reader.page.getByRole("button", { name: "Move ack down" }).click();
  const back = await reader.until((s) => s.handler.indexOf("ack") > s.handler.indexOf("send_email"));
  assert.equal(back.lost, 0);
});

reading("moves ack by keys, and the focus goes along", {}, async (reader) => {
  await flaky(reader);
  await reader.get(".ln.ack .grip").focus();
  await reader.page.keyboard.press("ArrowUp");
  await reader.focusIs("grip-2");
  assert.match(await reader.get("#said").innerText(), /ack\(msg\) is now line 2/);
  await seesOneLost(reader);
  await reader.get("#grip-2").focus();
  await reader.page.keyboard.press("Alt+ArrowDown");
  await reader.until((s) => s.handler.indexOf("ack") > s.handler.indexOf("send_email"));
  await reader.focusIs("grip-3");
});

reading("marks the line that each cook is at", {}, async (reader) => {
  await reader.press("more workers");
  await reader.press("more workers");
  await reader.scrub(0.25);
  await reader.until((s) => s.in_flight === 3);
  const live = reader.get("#listing .ln.live");
  await reader.eventually(() => live.count(), (n) => n === 1);
  assert.match(await live.innerText(), /send_email/);
  assert.deepEqual(await live.locator(".who").allInnerTexts(), ["A", "B", "C"]);
});

const mistakes = [
  ["a syntax error", "def on_message(msg):\n    send_email(msg.id\n    ack(msg)\n", /Line [23]:/],
  ["a name that does not exist", "def on_message(msg):\n    send_emial(msg.id)\n    ack(msg)\n", /Line 2:.*send_emial.*send_email/s],
  ["no handler at all", "ack(1)\n", /on_message/],
];

for (const [what, source, says] of mistakes) {
  reading(`names ${what} in words while the last good run stays`, {}, async (reader) => {
    await reader.scrub(0.5);
    const before = await reader.until((s) => s.event > 0 && s.event < s.events);
    const [stage, drawing] = [await reader.stage(), await reader.drawing()];
    await reader.get("#type").click();
    await reader.get("#typing").fill(source);
    const wrong = await reader.until((s) => s.problems.length > 0);
    assert.match(await reader.get(".code .errmsg").innerText(), says);
    assert.match(await reader.get(".code .errmsg").innerText(), /last good run stays/);
    assert.deepEqual([wrong.hash, wrong.time, wrong.acked], [before.hash, before.time, before.acked]);
    assert.deepEqual([await reader.stage(), await reader.drawing()], [stage, drawing]);
    assert.equal(await reader.get("#typing").inputValue(), source, "what was typed stays");
    await reader.get("#typing").fill(ackFirst);
    await reader.until((s) => s.problems.length === 0 && s.hash !== before.hash);
    assert.equal(await reader.get(".code .errmsg").count(), 0);
    await reader.get("#reset-code").click();
    await reader.until((s) => s.handler.endsWith("ack(msg)\n") && s.hash === before.hash);
  });
}

reading("an endless loop ends as an error of the handler, in words, and nothing hangs", {}, async (reader) => {
  await reader.get("#type").click();
  await reader.get("#typing").fill("def on_message(msg):\n    while True:\n        pass\n");
  const endless = await reader.until((s) => s.handler.includes("while"));
  if (endless.problems.length === 0) {
    await reader.goToEnd();
    await reader.get("#type").click();
    await reader.eventually(() => reader.get("#listing").innerText(), (text) => /step/.test(text));
  } else {
    assert.match(await reader.get(".code .errmsg").innerText(), /Line 2:/);
  }
  await reader.get("#undo").click();
  await reader.until((s) => !s.handler.includes("while") && s.problems.length === 0);
});
