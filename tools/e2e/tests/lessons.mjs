// Lessons: every step by its dots and buttons, what is asked in them answered
// right and wrong, and what is kept.
import assert from "node:assert/strict";
import { open, reading } from "../harness/reader.mjs";
import { site } from "../harness/site.mjs";

const ack = "lessons/ack-after-work/";
const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
const text = (reader, selector) => reader.get(selector).innerText();
const shows = (reader, selector, pattern) => reader.eventually(() => text(reader, selector), (said) => pattern.test(said));

reading("the steps are gone through by buttons, dots and address, and the focus goes along", { path: ack }, async (reader) => {
  const titles = await reader.get(".steps a").allInnerTexts();
  assert.ok(titles.length >= 6);
  for (let step = 2; step <= titles.length; step++) {
    await reader.get("#step-next").click();
    await reader.until((s) => s.step === step);
    await shows(reader, ".steps-t", new RegExp(`Step ${step} of ${titles.length}`));
    await reader.focusIs("step");
    assert.match(titles[step - 1], new RegExp((await text(reader, "h1")).replace(/[?.]/g, ".")));
    assert.match(await reader.address(), new RegExp(`step=${step}$`));
  }
  await reader.counts("#step-next", 0);
  await reader.get("#step-back").click();
  await reader.until((s) => s.step === titles.length - 1);
  await reader.get(".steps a").nth(2).click();
  await reader.until((s) => s.step === 3);
  await reader.page.reload();
  await reader.program();
  assert.equal((await reader.state()).step, 3);
});

reading("a choice is committed, the run answers, and the moment is shown", { path: `${ack}#v=1&step=5` }, async (reader) => {
  await reader.counts("#q-emails :checked", 0, "nothing is chosen beforehand");
  await reader.get("#commit-emails").click();
  await shows(reader, "#q-emails .wrong", /Nothing is chosen/);
  await reader.get("#o-emails-1").check();
  await reader.get("#commit-emails").click();
  assert.equal((await reader.until((s) => s.playing)).time < 0.5, true);
  assert.match(await text(reader, "#q-emails .guess"), /1\s+you said/);
  await reader.counts("#q-emails .run", 0, "the result waits for its moment");
  await reader.goToEnd();
  await shows(reader, "#q-emails .run", /2\s+the run/);
  assert.match(await text(reader, "#q-emails .presult"), /One more than you said/);
  assert.match(await text(reader, "#q-emails"), /had left before cook A fell/);
  await reader.get("#see-emails").click();
  const there = await reader.until((s) => s.time < 1);
  assert.equal(there.playing, false);
  assert.match(await reader.stage(), /crash/i);
  await reader.eventually(() => reader.get("#ring").evaluate((e) => e.classList.contains("on")), Boolean);
  await reader.get("#again-emails").click();
  await reader.get("#o-emails-2").check();
  await reader.get("#commit-emails").click();
  await reader.goToEnd();
  await shows(reader, "#q-emails .both", /2\s+both/);
});

reading("a number is held beside the run's on one line, and skipping is a link", { path: `${ack}#v=1&step=4` }, async (reader) => {
  await reader.get("#n-rescue").fill("9");
  await reader.get("#commit-rescue").click();
  await shows(reader, "#q-rescue .wrong", /from 0 to 3/);
  await reader.get("#n-rescue").fill("0,9");
  await reader.get("#commit-rescue").click();
  await shows(reader, "#q-rescue .guess", /0\.9\ss/);
  await reader.goToEnd();
  await shows(reader, "#q-rescue .run", /1\.1\ss/);
  const at = (selector) => reader.get(selector).evaluate((e) => e.getBoundingClientRect().x + e.getBoundingClientRect().width / 2);
  assert.ok(await at("#q-rescue .guess") < await at("#q-rescue .run"), "less lies to the left");
  await reader.get("#skip-line").click();
  await reader.goToEnd();
  await shows(reader, "#q-line .run", /send_email/);
  await reader.counts("#q-line .guess", 0);
});

reading("a line is picked on the code card, and its list says the same", { path: `${ack}#v=1&step=4` }, async (reader) => {
  await reader.get("#line-2 code").click();
  await reader.eventually(() => reader.get("#o-line-2").isChecked(), Boolean);
  await reader.get("#commit-line").click();
  await reader.goToEnd();
  await shows(reader, "#q-line .both", /send_email/);
});

reading("play halts at the author's stops, says why, and goes on", { path: `${ack}#v=1&step=4` }, async (reader) => {
  await reader.get("#speed").fill("3");
  await reader.get("#play").click();
  for (const [kind, said] of [["crash", /Cook A is gone/], ["back", /time is up/], ["email", /not lost/]]) {
    await shows(reader, "#stop", said);
    assert.equal((await reader.state()).playing, false, kind);
    const { event } = await reader.state();
    await reader.get("#go-on").click();
    await reader.until((s) => s.event > event);
  }
  await reader.until((s) => s.event === s.events);
});

reading("the waiting line is drawn with the pointer or by keys", { path: "lessons/ticket-rail/#v=1&step=4" }, async (reader) => {
  const box = await reader.get("#draw-length").boundingBox();
  const { mouse } = reader.page;
  const point = (part, count) => [box.x + box.width * (26 + 374 * part) / 400, box.y + box.height * (132 * (1 - count / 7)) / 150];
  await mouse.move(...point(0.02, 5));
  await mouse.down();
  for (let n = 0; n < 24; n++) await mouse.move(...point((n + 0.5) / 24, 5 - Math.floor(n / 4)));
  await mouse.up();
  const value = (n) => reader.get(`#col-length-${n}`).getAttribute("aria-valuenow");
  assert.deepEqual([await value(0), await value(5), await value(11)], ["5", "3", "0"]);
  await reader.get("#col-length-0").press("ArrowUp");
  await reader.eventually(() => value(0), (v) => v === "6");
  await reader.get("#col-length-0").press("ArrowDown");
  await reader.eventually(() => value(0), (v) => v === "5");
  await reader.get("#commit-length").click();
  await reader.goToEnd();
  await shows(reader, "#q-length .presult", /That is how it goes/);
  await reader.counts("#q-length .curve", 2);
});

reading("a quiz says what is wrong, can be tried again, and is kept", { path: `${ack}#v=1&step=7` }, async (reader) => {
  const says = (id, pattern) => reader.get(`#q-${id} label`, { hasText: pattern }).click();
  await says("video", /Right after taking/);
  await reader.get("#check-video").click();
  await shows(reader, "#q-video .verdict", /Not that one[\s\S]*a crash while the picture is made/);
  await says("video", /After the database knows/);
  await reader.get("#check-video").click();
  await shows(reader, "#q-video .verdict", /Yes\.[\s\S]*last thing that has to be true/);
  await says("never", /Every message comes back/);
  await reader.get("#check-never").click();
  await shows(reader, "#q-never .verdict", /two are missing/);
  await says("never", /again and again/);
  await says("never", /never gets empty/);
  await reader.get("#check-never").click();
  await shows(reader, "#q-never .verdict", /Yes\./);
  await reader.page.reload();
  await reader.program();
  await shows(reader, "#q-never .verdict", /Yes\./);
});

reading("a challenge fails as it is found, and holds on all seeds when it is solved", { path: `${ack}#v=1&step=6` }, async (reader) => {
  await reader.get("#try-none-lost").click();
  await shows(reader, "#c-none-lost .presult", /holds on \d+ of 20 seeds/);
  await reader.counts("#c-none-lost .seeds i", 20);
  await reader.get("#seed-none-lost").click();
  await reader.until((s) => s.lost > 0 || s.time === 0);
  await reader.get("#hint-none-lost").click();
  await reader.get("#hint-none-lost").click();
  await reader.counts("#c-none-lost .hints li", 2);
  await reader.counts("#hint-none-lost", 0);
  await reader.page.getByRole("button", { name: "Move ack down" }).click();
  await shows(reader, "#c-none-lost .presult", /before your last change/);
  await reader.get("#try-none-lost").click();
  await shows(reader, "#c-none-lost .presult", /Solved: it holds on all 20 seeds/);
  await reader.page.reload();
  await reader.program();
  await shows(reader, "#c-none-lost .presult", /Solved/);
});

reading("what a step does not unlock has no control", { path: "lessons/ticket-rail/#v=1&step=4" }, async (reader) => {
  assert.equal(await reader.page.getByRole("button", { name: "Move ack up" }).count(), 0);
  await reader.counts("#type", 0);
  assert.deepEqual(await reader.get(".knobs .knob .tech").allInnerTexts(), ["workers", "latency"]);
  await reader.get("#all-settings > summary").click();
  assert.equal(await reader.page.getByLabel("max_receives", { exact: true }).inputValue(), "3");
});

const question = (extra) => ({ id: "asked", predict: true, ask: { text: "Which?" }, scenario: "it", ...extra });
const own = async (name, blocks) => {
  const mail = "def on_message(msg):\n    send_email(msg.id)\n    ack(msg)\n";
  const scenario = {
    queues: { orders: { visibility_timeout: "1s" } },
    producers: { shop: { to: "orders", send: [{ id: 101 }, { id: 102 }, { id: 103 }] } },
    services: { send_email: { latency: "100ms" } },
    workers: { cook: { from: "orders", handler: mail, crash: [{ message: 102, receive: 1, where: "before_effect" }], restart_after: "100ms" } },
  };
  return (await site()).lesson(name, {
    format: 1, slug: name, title: "Asked", minutes: 1, level: "start", scenarios: [{ id: "it", scenario }],
    steps: [{ title: "Asked", blocks: [{ stage: { scenario: "it", unlock: ["all"] } }, ...blocks] }],
  });
};

reading("an order is made by buttons and by dragging", {
  path: "order.html", before: () => own("order.html", [{ question: question({ form: "order", answer: "finished" }) }]),
}, async (reader) => {
  const order = () => reader.get("#order-asked .it").allInnerTexts();
  const begun = await order();
  assert.deepEqual([...begun].sort(), ["101", "102", "103"]);
  const grip = await reader.get("#order-asked .grip").first().boundingBox();
  const last = await reader.get("#order-asked li").last().boundingBox();
  const { mouse } = reader.page;
  await mouse.move(grip.x + grip.width / 2, grip.y + grip.height / 2);
  await mouse.down();
  await mouse.move(grip.x, last.y + last.height / 2, { steps: 5 });
  await mouse.up();
  await reader.eventually(order, (now) => now.at(-1) === begun[0]);
  for (const [at, id] of ["101", "103", "102"].entries()) {
    for (let from = (await order()).indexOf(id); from > at; from--) {
      await reader.page.getByRole("button", { name: `Move ${id} up` }).click();
      await reader.eventually(order, (now) => now[from - 1] === id);
      await reader.eventually(() => reader.page.evaluate(() => document.activeElement.id), (active) => active === `up-asked-${id}`);
    }
  }
  await reader.get("#commit-asked").click();
  await reader.goToEnd();
  await shows(reader, "#q-asked .presult", /You called it/);
  assert.match(await text(reader, "#q-asked .prow.run"), /101[\s\S]*103[\s\S]*102/);
});

reading("a message is picked on the stage", {
  path: "message.html", before: () => own("message.html", [{ question: question({ form: "message", answer: "message at first crashed" }) }]),
}, async (reader) => {
  await reader.get('#stage > svg:visible [data-act="follow"][data-message="102"]').first().click();
  await reader.eventually(() => reader.get("#o-asked-102").isChecked(), Boolean);
  await reader.get("#commit-asked").click();
  await reader.goToEnd();
  await shows(reader, "#q-asked .both", /102\s*both/);
});

reading("without JavaScript all steps are there, with pictures, sentences and answers", {
  path: ack, context: { javaScriptEnabled: false }, program: false,
}, async (reader) => {
  const steps = await reader.get(".still > h2").allInnerTexts();
  assert.equal(steps.length, 6);
  assert.ok(await reader.get(".poster > svg:visible").count() >= 5);
  for (const box of await Promise.all((await reader.get(".poster > svg:visible").all()).map((svg) => svg.boundingBox()))) {
    assert.ok(box.width > 300 && box.height > 150);
  }
  const answers = reader.get(".solved > summary");
  assert.ok(await answers.count() >= 7);
  for (const folded of await reader.get(".solved > summary, .told > summary").all()) await folded.click();
  assert.match(await text(reader, "#q-emails .solved"), /^Answer\s+2\s+Cook A’s email|^Answer\s+2\s+Cook A's email/);
  assert.match(await text(reader, "#c-none-lost .solved"), /send_email\(msg\.id\)\s+ack\(msg\)/);
  await reader.counts(".pgo:visible, .turns:visible", 0, "what needs the program is not there");
  assert.match(await text(reader, ".rest"), /Cook B sends/i);
});

reading("a lesson fits a phone, and is answered by touch", { path: ack, context: phone }, async (reader) => {
  for (let step = 1; ; step++) {
    const wide = await reader.page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    assert.ok(wide <= 0, `step ${step} is ${wide} px too wide`);
    if (await reader.get("#step-next").count() === 0) break;
    await reader.get("#step-next").tap();
    await reader.until((s) => s.step === step + 1);
  }
  await reader.get(".steps a").first().tap();
  await reader.until((s) => s.step === 1);
  await reader.get("#q-arrive label").nth(2).tap();
  await reader.get("#commit-arrive").tap();
  await reader.goToEnd();
  await shows(reader, "#q-arrive .both", /2\s+both/);
});

reading("a reader without storage has the lesson all the same", {
  path: ack, before: (page) => page.addInitScript(() => {
    Object.defineProperty(window, "localStorage", { get() { throw new DOMException("refused", "SecurityError"); } });
  }),
}, async (reader) => {
  await reader.get("#o-arrive-2").check();
  await reader.get("#commit-arrive").click();
  await reader.goToEnd();
  await shows(reader, "#q-arrive .both", /both/);
  const other = await open({ path: "" });
  assert.equal((await other.state()).step, 1);
  await other.close();
});

const told = (reader) => reader.page.evaluate(() => ({
  numbers: [...document.querySelectorAll(".outcome td")].filter((e) => e.textContent && e.checkVisibility({ visibilityProperty: true })).length,
  rows: [...document.querySelectorAll("#sentences > li")].filter((e) => e.checkVisibility()).length,
  life: document.querySelector("#biography .invite")?.checkVisibility() ?? false,
  flags: [...document.querySelectorAll("#marks .flag")].filter((e) => e.checkVisibility({ visibilityProperty: true })).length,
  unsaid: [...document.querySelectorAll(".unsaid")].filter((e) => e.checkVisibility()).map((e) => e.textContent),
  next: document.querySelector("#step-next").textContent,
}));

reading("nothing tells the answer before a prediction is made, and all is told after it", { path: ack }, async (reader) => {
  const predict = "Predict first, or run without a guess.";
  assert.deepEqual(await told(reader), { numbers: 0, rows: 0, life: false, flags: 0, unsaid: [predict, predict, predict], next: "Next" });
  await reader.get("#forward").click();
  await reader.get("#forward").click();
  const { event } = await reader.until((s) => s.event > 0);
  const rows = (await reader.eventually(() => told(reader), (now) => now.rows > 0)).rows;
  const ahead = await reader.get("#sentences button.row").nth(rows).getAttribute("data-event");
  assert.ok(Number(ahead) >= event, "the rows up to the playhead and no more");
  await reader.get("#skip-arrive").click();
  await reader.get("#play").click();
  const all = await reader.eventually(() => told(reader), (now) => now.unsaid.length === 0);
  assert.equal(all.rows, await reader.get("#sentences > li").count());
  assert.deepEqual([all.numbers > 5, all.life, all.flags], [true, true, 2]);
  assert.match(all.next, /^Next: /);
});

reading("a guess that is in keeps the secret until its run is there", { path: ack }, async (reader) => {
  await reader.get("#o-arrive-1").check();
  await reader.get("#commit-arrive").click();
  await reader.get("#play").click();
  const waits = await reader.eventually(() => told(reader), (now) => now.unsaid.includes("The run answers when it gets there."));
  assert.equal(waits.numbers, 0);
  await reader.goToEnd();
  await reader.eventually(() => told(reader), (now) => now.unsaid.length === 0 && now.numbers > 5);
});

reading("without JavaScript no answer is kept", { path: ack, context: { javaScriptEnabled: false }, program: false }, async (reader) => {
  assert.equal(await reader.get(".unsaid:visible").count(), 0);
  assert.equal(await reader.get("#sentences > li:visible").count(), await reader.get("#sentences > li").count());
  assert.ok(await reader.get(".outcome td:visible").count() > 5);
});
