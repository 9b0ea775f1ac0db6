// Evidence: the transcript and its filters, the life of a message, what an edit
// changed, both stages in step, words, the page as text and on paper.
import assert from "node:assert/strict";
import axe from "axe-core";
import { reading } from "../harness/reader.mjs";
import { scenarios, site } from "../harness/site.mjs";

const built = await site();
const [{ scenario: poison }] = await scenarios(["core/testdata/cases/poison-to-dead-letters.yaml"]);
const letters = await built.page("letters.html", poison);

const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

async function clean(reader, state) {
  await reader.page.evaluate(axe.source);
  const { violations } = await reader.page.evaluate(() => window.axe.run(document, {
    resultTypes: ["violations"], runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
  }));
  assert.deepEqual(violations.filter((v) => v.impact === "serious" || v.impact === "critical")
    .map((v) => `${v.id}: ${v.nodes.slice(0, 3).map((n) => n.html.slice(0, 160)).join(" | ")}`), [], state);
}

const rows = (reader) => reader.get("#sentences > li");

// failing has the first email fail, so that one order is tried twice.
async function failing(reader) {
  const { hash } = await reader.state();
  await reader.press("Fails at first: one more");
  await reader.until((s) => s.hash !== hash && s.before === hash);
}

reading("the transcript is confined to a message, a worker, a kind, and copied", {
  context: { permissions: ["clipboard-read", "clipboard-write"] },
}, async (reader) => {
  const all = await rows(reader).count();
  await reader.counts("#tr-only", 0, "nobody is followed");
  await reader.get("#tr-topic").selectOption("acks");
  await reader.eventually(() => rows(reader).count(), (n) => n === 6);
  for (const text of await rows(reader).allInnerTexts()) assert.match(text, /spikes/);
  await reader.get("#tr-topic").selectOption("everything");
  await reader.eventually(() => rows(reader).count(), (n) => n === all);
  await reader.get("#tr-worker").selectOption({ label: "Cook A" });
  await reader.eventually(() => rows(reader).count(), (n) => n === 18);
  await reader.get("#tr-worker").selectOption({ label: "Anybody" });

  await reader.get(".pickme", { hasText: "104" }).click();
  await reader.get("#tr-only").click();
  await reader.eventually(() => rows(reader).count(), (n) => n === 4);
  for (const text of await rows(reader).allInnerTexts()) assert.match(text, /104/);
  await reader.get("#copy").click();
  await reader.eventually(() => reader.get(".tr-copied").innerText(), (text) => text === "Copied 4 sentences.");
  const lines = (await reader.page.evaluate(() => navigator.clipboard.readText())).trim().split("\n");
  assert.equal(lines.length, 4);
  assert.match(lines[0], /^00\.000 {2}The waiter clips 104/);
});

reading("where the clipboard is refused, copying goes the old way", {
  before: (page) => page.addInitScript(() => {
    Object.defineProperty(navigator, "clipboard", { value: { writeText: () => Promise.reject(new Error("refused")) } });
    document.addEventListener("copy", () => { window.copied = String(document.getSelection()) || document.activeElement.value; });
  }),
}, async (reader) => {
  await reader.get("#copy").click();
  await reader.eventually(() => reader.get(".tr-copied").innerText(), (text) => /^Copied \d+ sentences\.$/.test(text));
  assert.match(await reader.page.evaluate(() => window.copied), /Cook A spikes 101\. Done\./);
  await reader.focusIs("copy");
});

reading("the current sentence is marked while it plays, and a click goes to one", {}, async (reader) => {
  await reader.get("#play").click();
  await reader.until((s) => s.acked >= 2);
  await reader.get("#play").click();
  const { time } = await reader.until((s) => !s.playing);
  const marked = reader.get("#sentences [aria-current]");
  assert.equal(await marked.count(), 1);
  const clock = Number(await marked.locator("time").innerText());
  assert.ok(clock <= time + 0.001, `${clock} is not before ${time}`);
  assert.match(await reader.get("#said").innerText(), /^Paused at .*done/);
  const row = rows(reader).nth(8).locator("button");
  const sentence = (await row.innerText()).replace(/\s+/g, " ");
  await row.click();
  await reader.eventually(() => rows(reader).nth(8).locator("[aria-current]").count(), (n) => n === 1);
  const said = await reader.get("#said").innerText();
  assert.ok(sentence.includes(said.split(" ")[1]), `${said} is not ${sentence}`);
});

reading("a life is told in tries, every line leads to its moment, and why is answered", {}, async (reader) => {
  assert.match(await reader.get("#biography").innerText(), /3\s+slowest/);
  await failing(reader);
  await reader.eventually(() => reader.get("#biography").innerText(), (text) => /1\s+handed out again/.test(text));
  await reader.get(".worth", { hasText: "handed out again" }).locator(".pickme").click();
  await reader.focusIs("unfollow");
  assert.equal(await reader.get("#biography h2").innerText(), "Why was 101 handed out twice?");
  assert.match(await reader.get("#said").innerText(), /Following 101\. Why was 101/);
  const life = reader.get("#life");
  assert.deepEqual(await life.locator(".stampy").allInnerTexts(), ["TRY 1", "TRY 2"]);
  assert.match(await life.locator(".why").innerText(), /kept|keeps/);
  const failed = life.locator(".line", { hasText: "fails at line" });
  await failed.click();
  const at = await reader.until((s) => s.time === 0.2);
  assert.equal(at.playing, false);
  await reader.eventually(() => life.locator("li.here").innerText(), (text) => /fails at line/.test(text));
  assert.equal(await life.locator("[aria-current=true]").count(), 1);
  await reader.get("#unfollow").click();
  await reader.eventually(() => reader.get("#life").count(), (n) => n === 0);
});

reading("a ticket on the stage opens its life", { context: { viewport: { width: 1440, height: 900 } } }, async (reader) => {
  await reader.get('#stage > svg:visible .tk[data-message="103"], #stage > svg:visible [data-act="follow"][data-message="103"]').first().click();
  await reader.eventually(() => reader.get("#biography h2").innerText(), (text) => /103/.test(text));
  assert.ok(await reader.get("#sentences .mine").count() > 2);
  await reader.get('#stage > svg:visible [data-act="unfollow"]').click();
  await reader.eventually(() => reader.get("#life").count(), (n) => n === 0);
});

reading("a dead letter is corrected and sent back, and that can be undone", { path: letters }, async (reader) => {
  const start = await reader.state();
  await reader.goToEnd();
  await reader.get(".worth", { hasText: "dead letters" }).locator(".pickme").first().click();
  await reader.get("#letter").fill("{broken");
  await reader.get("#correct").click();
  await reader.eventually(() => reader.get("#life .errmsg").count(), (n) => n === 1);
  await reader.get("#letter").fill('{"email": "dev@example.com"}');
  await reader.get("#correct").click();
  const after = await reader.until((s) => s.hash !== start.hash);
  assert.match(await reader.page.evaluate(() => decodeURIComponent(location.hash)), /edit/);
  await reader.eventually(() => reader.get("#life").innerText(), (text) => /corrects it|corrected/.test(text));
  await reader.page.reload();
  await reader.program();
  await reader.until((s) => s.hash === after.hash);
  await reader.get("#undo").click();
  await reader.until((s) => s.hash === start.hash);
});

reading("what an edit changed: figures, where the runs part, and the way there", {}, async (reader) => {
  await reader.counts(".parting", 0);
  await failing(reader);
  await reader.press("Move ack up");
  await reader.until((s) => s.lost >= 0 && /ack\(msg\)\n.*send_email/s.test(s.handler));
  const row = (technical) => reader.get(".outcome tr", { has: reader.page.locator(".tech", { hasText: new RegExp(`^${technical}$`) }) });
  await reader.eventually(() => row("lost").innerText(), (text) => /0\s+1\s*worse/.test(text));
  assert.match(await reader.get(".parting").innerText(), /ack stood on line 3 and stands on line 2/);
  await reader.goToEnd();
  await reader.get("#go-there").click();
  const there = await reader.until((s) => s.event < s.events);
  assert.equal(there.time, 0);
  await reader.get("#against").selectOption({ label: "1: as it was" });
  await reader.eventually(() => row("lost").innerText(), (text) => /0\s+1\s*worse/.test(text));
  await reader.eventually(() => reader.get(".parting").innerText(), (text) => /fails\.first was never and is 1/.test(text));
  const few = await reader.get(".outcome tbody tr").count();
  await reader.get("#everything").click();
  await reader.eventually(() => reader.get(".outcome tbody tr").count(), (n) => n > few + 10);
  assert.equal(await row('queue\\("orders"\\)\\.waiting_max').count(), 1);
});

reading("both stages move in step", {}, async (reader) => {
  await failing(reader);
  const label = (id) => reader.get(`#${id} > svg:visible`).getAttribute("aria-label");
  await reader.get("#twins").click();
  await reader.goToEnd();
  await reader.eventually(() => label("twin"), (text) => /6 done/.test(text));
  const done = (text) => Number(text.match(/(\d+) done/)[1]);
  for (const part of [0.2, 0.5, 0.9]) {
    await reader.scrub(part);
    await reader.eventually(async () => [done(await label("twin")), done(await label("stage"))], ([was, is]) => was >= is && was < 6 + 1);
  }
  assert.equal(await reader.get("#twin").evaluate((e) => e.inert), true);
  await reader.get("#twins").click();
  await reader.eventually(() => reader.get("#twin").count(), (n) => n === 0);
});

reading("words change what is said and nothing that happens; they stay", {}, async (reader) => {
  const { hash } = await reader.state();
  const seen = new Set();
  for (const [key, sentence, place] of [
    ["plain", /Worker .*acks 101/, "Queue"], ["sqs", /deletes 101/, "Consumers"], ["rabbitmq", /gets 101 delivered/, "Publisher"],
    ["pubsub", /pulls 101/, "Subscription"], ["kitchen", /spikes 101/, "Rail"],
  ]) {
    await reader.get(`#words-${key}`).click();
    await reader.eventually(() => reader.get("#sentences").innerText(), (text) => sentence.test(text.replace(/\s+/g, " ")));
    assert.ok((await reader.written()).includes(place), `${place} on the stage in ${key}`);
    assert.equal(await reader.get(`#words-${key}`).getAttribute("aria-pressed"), "true");
    assert.equal((await reader.state()).hash, hash);
    seen.add(await reader.get(".outcome").innerText());
    assert.match(await reader.get(".outcome").innerText(), /acked/, "the technical term stays");
  }
  assert.ok(seen.size >= 4);
  await reader.get("#words-sqs").click();
  await reader.eventually(() => reader.page.evaluate(() => location.search), (query) => query === "?words=sqs");
  await reader.page.goto(new URL(".", reader.page.url()).href);
  await reader.program();
  await reader.eventually(() => reader.get("#words-sqs").getAttribute("aria-pressed"), (pressed) => pressed === "true");
  await reader.page.goto(new URL("?words=pubsub", reader.page.url()).href);
  await reader.program();
  await reader.eventually(() => reader.get("#sentences").innerText(), (text) => /pulls/.test(text));
});

reading("the page as text has the whole run in headings, sentences and tables", { path: "?view=text#v=1&services.send_email.fails.first=1" }, async (reader) => {
  await reader.counts("#stage", 0);
  const state = await reader.until((s) => s.before !== "");
  await reader.eventually(() => reader.get("section.all").innerText(), (text) => /101 failed on try 1/.test(text.replace(/\s+/g, " ")));
  assert.match(await reader.get(".lives").innerText(), /Why was 101 handed out twice/);
  assert.ok(await reader.get(".outcome table").isVisible());
  const levels = await reader.get("h1, h2, h3, h4").evaluateAll((all) => all.filter((h) => h.checkVisibility()).map((h) => Number(h.localName[1])));
  levels.forEach((level, i) => assert.ok(i === 0 ? level === 1 : level <= levels[i - 1] + 1, `headings skip a level: ${levels}`));
  await clean(reader, "text");
  await reader.press("Cooks: one more");
  await reader.until((s) => s.hash !== state.hash);
  await reader.eventually(() => reader.get("section.all").innerText(), (text) => /Cook B/.test(text));
  await reader.page.getByRole("link", { name: "With the stage" }).click();
  await reader.page.waitForURL((url) => !url.search.includes("view"));
  await reader.program();
  assert.match(await reader.page.evaluate(() => location.hash), /workers\.cook\.count=2/);
});

reading("the transcript's link opens the text with the edits that were made", {}, async (reader) => {
  await failing(reader);
  await reader.page.getByRole("link", { name: "Text only" }).click();
  await reader.page.waitForURL(/view=text/);
  await reader.program();
  await reader.eventually(() => reader.get("section.all").innerText(), (text) => /failed on try 1/.test(text));
});

reading("on paper there are prose, picture, outcome and sentences, and no controls", {}, async (reader) => {
  await reader.page.emulateMedia({ media: "print" });
  for (const part of ["h1", "#stage > svg", "#sentences", ".outcome table"]) assert.ok(await reader.get(part).filter({ visible: true }).first().isVisible(), part);
  for (const part of [".transport", "#words", "#copy", "#everything", ".move"]) {
    assert.equal(await reader.get(part).filter({ visible: true }).count(), 0, part);
  }
  const box = await reader.get("#sentences").evaluate((e) => [e.scrollHeight, e.clientHeight]);
  assert.equal(box[0], box[1], "no sentence is scrolled away");
});

for (const [name, context] of [["on a desktop", {}], ["in the dark", { colorScheme: "dark" }], ["on a phone", phone]]) {
  reading(`axe finds nothing serious in the evidence ${name}`, { context }, async (reader) => {
    await reader.unfold();
    await failing(reader);
    await reader.goToEnd();
    await reader.get(".pickme").first().click();
    await reader.get("#everything").click();
    await reader.get("#twins").click();
    await reader.eventually(() => reader.get("#twin > svg").count(), (n) => n === 1);
    await clean(reader, "a life, everything, both stages");
    assert.equal(await reader.page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), true, "nothing is wider than the page");
  });
}

reading("the words are a list on a phone", { context: phone }, async (reader) => {
  await reader.get("#words").selectOption("rabbitmq");
  await reader.unfold();
  await reader.eventually(() => reader.get("#sentences").innerText(), (text) => /delivered/.test(text));
});

reading("one sentence is said for a step, a summary on pause, none while it plays", {}, async (reader) => {
  await reader.page.evaluate(() => {
    window.heard = [];
    new MutationObserver(() => window.heard.push(document.getElementById("said").textContent))
      .observe(document.getElementById("said"), { childList: true, characterData: true, subtree: true });
  });
  const heard = () => reader.page.evaluate(() => window.heard);
  await reader.get("#forward").click();
  await reader.get("#forward").click();
  await reader.eventually(heard, (all) => all.length === 2);
  await reader.get("#play").click();
  await reader.until((s) => s.acked >= 2);
  assert.equal((await heard()).length, 2, "nothing is said while it plays");
  await reader.get("#play").click();
  await reader.eventually(heard, (all) => all.length === 3);
  assert.match((await heard())[2], /^Paused at/);
});
