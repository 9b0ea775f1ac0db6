// The code card: moving ack(msg), typing, and mistakes in words.
import assert from "node:assert/strict";
import { reading } from "../harness/reader.mjs";
import { site } from "../harness/site.mjs";

const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

const ackFirst = "def on_message(msg):\n    ack(msg)\n    send_email(msg.id)\n";

// flaky lets the mail server fail once.
async function flaky(reader) {
  await reader.press("Fails at first: one more");
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
  await reader.press("Cooks: one more");
  await reader.press("Cooks: one more");
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
    await reader.counts(".code .errmsg", 0);
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

// typing opens the field and puts the caret behind a piece of its text.
async function typing(reader, behind) {
  await reader.get("#type").click();
  await reader.focusIs("typing");
  await reader.get("#typing").evaluate((field, behind) => {
    const at = field.value.indexOf(behind) + behind.length;
    field.setSelectionRange(at, at);
  }, behind);
}

const typed = (reader, text) => reader.until((s) => s.handler === text);

reading("keys indent, close brackets and keep the browser's own undo", {}, async (reader) => {
  const { keyboard } = reader.page;
  const before = (await reader.state()).handler;
  await typing(reader, "def on_message(msg):");
  await keyboard.press("Enter");
  await keyboard.type("if msg.receives > 1:");
  await keyboard.press("Enter");
  await keyboard.type('print("again")');
  const whole = "def on_message(msg):\n    if msg.receives > 1:\n        print(\"again\")\n    send_email(msg.id)\n    ack(msg)\n";
  await typed(reader, whole);
  await keyboard.press("Enter");
  await keyboard.press("Backspace");
  await typed(reader, whole.replace('again")', 'again")\n    '));
  await keyboard.press("Backspace");
  await keyboard.press("Backspace");
  await typed(reader, whole);
  await keyboard.press("Control+BracketRight");
  await typed(reader, whole.replace("        print", "            print"));
  await keyboard.press("Control+BracketLeft");
  await typed(reader, whole);
  await reader.get("#indent").click();
  await typed(reader, whole.replace("        print", "            print"));
  await reader.focusIs("typing");
  await reader.get("#dedent").click();
  await typed(reader, whole);
  for (let n = 0; n < 80 && (await reader.get("#typing").inputValue()) !== before; n++) await keyboard.press("Control+z");
  assert.equal(await reader.get("#typing").inputValue(), before);
  await typed(reader, before);
  for (let n = 0; n < 80 && (await reader.get("#typing").inputValue()) !== whole; n++) await keyboard.press("Control+Shift+z");
  assert.equal(await reader.get("#typing").inputValue(), whole);
  await typed(reader, whole);
});

reading("Tab leads out of the field, both ways", {}, async (reader) => {
  await typing(reader, "ack");
  await reader.page.keyboard.press("Tab");
  await reader.focusIs("dedent");
  await reader.page.keyboard.press("Shift+Tab");
  await reader.focusIs("typing");
  await reader.page.keyboard.press("Shift+Tab");
  await reader.focusIs("reset-code");
});

// over returns, for each line of the card, where its first letter is in the
// coloured text and where a line of the field begins; and whether both are as
// high. The field's own lines cannot be measured one by one: its height, its
// metrics and its width say where they are.
const over = (reader) => reader.page.evaluate(() => {
  const field = document.getElementById("typing");
  const code = [...document.querySelectorAll(".typed code")];
  const [a, b] = [getComputedStyle(field), getComputedStyle(code[0])];
  const same = ["fontFamily", "fontSize", "fontWeight", "lineHeight", "letterSpacing", "whiteSpace", "overflowWrap", "tabSize"].filter((k) => a[k] !== b[k]);
  const box = field.getBoundingClientRect();
  return {
    same,
    left: code[0].getBoundingClientRect().left - box.left - parseFloat(a.paddingLeft),
    top: code[0].getBoundingClientRect().top - box.top - parseFloat(a.paddingTop),
    right: box.right - parseFloat(a.paddingRight) - code[0].getBoundingClientRect().right + parseFloat(b.paddingRight),
    height: document.querySelector(".typed").getBoundingClientRect().height - box.height,
    hidden: field.scrollHeight - field.clientHeight,
    unseen: a.color,
  };
});

for (const [where, context] of [["a desktop", {}], ["a phone", phone]]) {
  reading(`the field lies letter on letter over the coloured text, on ${where}`, { context }, async (reader) => {
    await typing(reader, "ack(msg)");
    await reader.get("#typing").fill("def on_message(msg):\n    # a comment that is so long that it does not fit into one line of the card, wherever\n    send_email(msg.id)\n    ack(msg)\n\n");
    await reader.until((s) => s.handler.includes("wherever") && s.problems.length === 0);
    await reader.eventually(() => reader.get(".typed .ln").count(), (n) => n === 6);
    assert.deepEqual(await over(reader), { same: [], left: 0, top: 0, right: 0, height: 0, hidden: 0, unseen: "rgba(0, 0, 0, 0)" });
    assert.equal(await reader.get(".typed code .c-service").innerText(), "send_email");
    await reader.counts(".typed code .c-cmt", 1);
  });
}

reading("a mistake stands under its line while one types, and at its line afterwards", {}, async (reader) => {
  await typing(reader, "def on_message(msg):");
  await reader.page.keyboard.press("Enter");
  await reader.page.keyboard.type("if msg.receives > 1");
  await reader.until((s) => s.problems.length > 0);
  const lint = reader.get(".typed .ln.bad .lint");
  await lint.waitFor();
  assert.match(await lint.innerText(), /^needs a colon at its end: write if msg.receives > 1:/);
  const [line, said] = [await reader.get(".typed .ln.bad code").boundingBox(), await lint.boundingBox()];
  assert.ok(said.y > line.y + line.height / 2 && said.y < line.y + line.height);
  assert.equal(await reader.get(".typed .ln.bad .no").innerText(), "2");
  assert.match(await reader.get("#mistake").innerText(), /Line 2: needs a colon.*last good run stays/s);
  await reader.get("#type").click();
  assert.match(await reader.get("#line-2 + .errmsg").innerText(), /Line 2: needs a colon/);
  await reader.get("#undo").click();
  await reader.until((s) => s.problems.length === 0);
});

reading("undo from outside brings the field up to date", {}, async (reader) => {
  const { handler } = await reader.state();
  await typing(reader, "ack(msg)");
  await reader.page.keyboard.type("  # spiked");
  await typed(reader, handler.replace("ack(msg)", "ack(msg)  # spiked"));
  await reader.get("#undo").click();
  await typed(reader, handler);
  await reader.eventually(() => reader.get("#typing").inputValue(), (text) => text === handler);
});

for (const [where, context] of [["a desktop", {}], ["a phone", phone]]) {
  reading(`what if it crashes here: a grid of lines, and each cell is played, on ${where}`, { context }, async (reader) => {
    const first = await reader.state();
    await reader.get("#what-if").click();
    const cells = reader.get("#listing .cell");
    await reader.eventually(() => cells.count(), (n) => n === 2);
    assert.deepEqual(await cells.allInnerTexts(), ["twice", "right"]);
    await reader.eventually(() => reader.get(".what-if p").innerText(), (text) => /Tried with 101/.test(text));
    const twice = reader.page.getByRole("button", { name: "done twice: crash right after line 2" });
    await twice.click();
    const put = await reader.until((s) => s.playing && s.hash !== first.hash);
    assert.ok(put.time < 0.3, `plays from just before the crash, not from ${put.time}`);
    await reader.eventually(() => twice.getAttribute("aria-pressed"), (pressed) => pressed === "true");
    await reader.goToEnd();
    assert.equal((await reader.state()).duplicates, 1);
    await reader.eventually(() => reader.page.url(), (url) => url.includes("fall="));
    await twice.click();
    await reader.until((s) => s.hash === first.hash && !s.playing);
    await reader.page.getByRole("button", { name: "Move ack up" }).click();
    await reader.eventually(() => cells.allInnerTexts(), (words) => words.join() === "lost,right");
    await reader.get("#what-if").click();
    await reader.eventually(() => cells.count(), (n) => n === 0);
  });
}

const two = async () => (await site()).lesson("two.html", {
  format: 1, slug: "two", title: "Two pools", minutes: 1, level: "start", scenarios: [{ id: "it", scenario: {
    queues: { orders: { visibility_timeout: "1s" }, mails: {} },
    producers: { shop: { to: "orders", send: [{ id: 101 }, { id: 102 }] } },
    services: { send_email: { latency: "100ms" } },
    workers: {
      cook: { from: "orders", handler: 'def on_message(msg):\n    publish("mails", msg.body)\n    ack(msg)\n' },
      clerk: { from: "mails", handler: "def on_message(msg):\n    send_email(msg.id)\n    ack(msg)\n" },
    },
  } }],
  steps: [{ title: "Two pools", blocks: [{ stage: { scenario: "it", unlock: ["all"] } }] }],
});

reading("several pools have a card each", { path: "two.html", before: two }, async (reader) => {
  const tabs = reader.page.getByRole("tab");
  assert.deepEqual(await tabs.allInnerTexts(), ["cook", "clerk"]);
  assert.match(await reader.get("#listing").innerText(), /publish/);
  await tabs.first().focus();
  await reader.page.keyboard.press("ArrowRight");
  await reader.focusIs("pool-1");
  await reader.eventually(() => reader.get("#listing").innerText(), (text) => /send_email/.test(text));
  const { hash } = await reader.state();
  await reader.page.getByRole("button", { name: "Move ack up" }).click();
  const moved = await reader.until((s) => s.hash !== hash);
  assert.match(moved.handler, /ack\(msg\)\n    send_email/);
  await reader.page.reload();
  await reader.program();
  assert.equal((await reader.state()).hash, moved.hash, "the address has the second card");
  await tabs.nth(1).click();
  await reader.eventually(() => reader.get("#listing").innerText(), (text) => /ack[\s\S]*send_email/.test(text));
});
