// What a reader does to the run, on the stage and in the list below it, and the
// present mode.
import assert from "node:assert/strict";
import axe from "axe-core";
import { reading } from "../harness/reader.mjs";
import { scenarios, site } from "../harness/site.mjs";

const built = await site();
const [{ scenario: poison }, { scenario: rush }] = await scenarios(["core/testdata/cases/poison-to-dead-letters.yaml", "core/testdata/cases/lunch-rush.yaml"]);
const letters = await built.page("act-letters.html", poison);
const stream = await built.page("act-stream.html", rush);
const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

const control = (reader, act) => reader.get(`#stage > svg:visible [data-act="${act}"]`).first();

// does uses a control and waits for the run that comes of it and the sentence
// that says so.
async function does(reader, use, said) {
  const { hash } = await reader.state();
  await use();
  const now = await reader.until((s) => s.hash !== hash);
  await reader.eventually(() => reader.get("#said").innerText(), (text) => said.test(text));
  return now;
}

reading("a producer is paused, let go on, and sends one by hand", { path: stream }, async (reader) => {
  await reader.scrub(0.1);
  const { time } = await reader.state();
  await does(reader, () => control(reader, "pause").click(), /^Paused shop\. Undo/);
  assert.ok((await reader.state()).time > time, "one sees what one has done");
  await control(reader, "resume").focus();
  await does(reader, () => reader.page.keyboard.press("Enter"), /^Let shop go on/);
  assert.equal(await reader.page.evaluate(() => document.activeElement.dataset.act), "pause", "the focus stays on the control");
  await does(reader, () => control(reader, "send").click(), /^Sent \d+ from shop/);
});

reading("undo, redo and the address carry what the reader did", { path: letters }, async (reader) => {
  const { hash } = await reader.state();
  const sent = await does(reader, () => control(reader, "send").click(), /^Sent \d+ from shop/);
  const link = await reader.address();
  await reader.get("#undo").click();
  await reader.until((s) => s.hash !== sent.hash);
  await reader.get("#redo").click();
  await reader.until((s) => s.hash === sent.hash);
  await reader.page.goto("about:blank");
  await reader.page.goto(link);
  await reader.program();
  await reader.until((s) => s.hash === sent.hash);
  await reader.get("#undo").click();
  await reader.until((s) => s.hash === hash);
});

reading("workers come and go and fall, by the keyboard", { path: stream }, async (reader) => {
  await reader.scrub(0.1);
  for (const [act, said] of [["add", /^Added one to mailer/], ["crash", /^Crashed mailer\/1/], ["remove", /^Sent mailer\/2 away/]]) {
    await control(reader, act).focus();
    await does(reader, () => reader.page.keyboard.press("Space"), said);
    assert.notEqual(await reader.page.evaluate(() => document.activeElement), null);
  }
  assert.equal((await reader.state()).playing, false, "Space is the control's");
});

reading("a dead letter is corrected on the stage, with the handler that gave up on it", { path: letters }, async (reader) => {
  await reader.goToEnd();
  const { dead } = await reader.state();
  await control(reader, "edit").click();
  await reader.focusIs("letter-body");
  await reader.get("#letter-handler").fill("def on_message(msg:");
  await reader.get("#letter-send").click();
  await reader.get(".correct [role=alert]").waitFor();
  await reader.page.keyboard.press("Escape");
  await reader.get("#letter-body").waitFor({ state: "detached" });
  await reader.focusIs("stage");
  await control(reader, "edit").click();
  await reader.get("#letter-handler").fill("def on_message(msg):\n    ack(msg)\n");
  await does(reader, () => reader.get("#letter-send").click(), /^Corrected \w+ and sent it back/);
  await reader.goToEnd();
  await reader.until((s) => s.dead < dead);
});

reading("on a phone the list says in words what a finger can do", { path: stream, context: phone }, async (reader) => {
  await reader.scrub(0.1);
  await reader.get("#deeds > summary").tap();
  for (const [name, said] of [["Pause shop", /^Paused/], ["Add one cook to mailer", /^Added/], ["Send one more from shop", /^Sent \d+/]]) {
    await does(reader, () => reader.page.getByRole("button", { name, exact: true }).and(reader.get("#deeds .btn")).tap(), said);
  }
  const boxes = await reader.get("#deeds .btn").evaluateAll((all) => all.map((e) => e.getBoundingClientRect().height));
  assert.ok(boxes.length > 3 && boxes.every((height) => height >= 40), `${boxes}`);
});

async function clean(reader, state) {
  await reader.page.evaluate(axe.source);
  const { violations } = await reader.page.evaluate(() => window.axe.run(document, {
    resultTypes: ["violations"], runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
  }));
  assert.deepEqual(violations.filter((v) => v.impact === "serious" || v.impact === "critical")
    .map((v) => `${v.id}: ${v.nodes.slice(0, 3).map((n) => n.html.slice(0, 160)).join(" | ")}`), [], state);
}

for (const [width, height] of [[1920, 1080], [1280, 720]]) {
  reading(`present mode is the stage and the time on one screen of ${width} px, asks, and is left`, {
    path: "lessons/ack-after-work/", context: { viewport: { width, height } },
  }, async (reader) => {
    const seen = () => reader.page.evaluate(() => document.documentElement.dataset.view ?? "page");
    const before = (await reader.get("#stage").boundingBox()).width;
    await reader.get("#present").click();
    await reader.eventually(seen, (view) => view === "present");
    assert.match(reader.page.url(), /view=present/);
    await reader.focusIs("play");
    for (const [selector, there] of [["#stage > svg:visible", 1], [".transport:visible", 1], [".asked.predict:visible", 1], [".bar:visible", 0], [".code:visible", 0], [".strip:visible", 0]]) {
      assert.equal(await reader.get(selector).count(), there, selector);
    }
    const screen = await reader.page.evaluate(() => ({ high: document.documentElement.scrollHeight - innerHeight, wide: document.documentElement.scrollWidth - innerWidth }));
    assert.ok(screen.high <= 0 && screen.wide <= 0, JSON.stringify(screen));
    assert.ok((await reader.get("#stage").boundingBox()).width > before);
    await clean(reader, "present mode");
    await reader.page.keyboard.press("ArrowRight");
    await reader.page.keyboard.press("ArrowRight");
    await reader.until((s) => s.event > 0);
    await reader.scrub(0.5);
    await reader.get("#o-arrive-2").check();
    await reader.get("#commit-arrive").click();
    await reader.goToEnd();
    await reader.eventually(() => reader.get("#q-arrive").innerText(), (text) => /both/.test(text));
    await reader.page.keyboard.press("Escape");
    await reader.eventually(seen, (view) => view === "page");
    await reader.focusIs("present");
    assert.doesNotMatch(reader.page.url(), /view=/);
    await reader.page.goto(`${reader.page.url().split("#")[0]}?view=present`);
    await reader.program();
    assert.equal(await seen(), "present");
    await reader.get("#leave").click();
    await reader.eventually(seen, (view) => view === "page");
  });
}
