// What is around the lessons: the header, the home page, the course map and
// its progress, the ways from one lesson to the next, glossary and search.
import assert from "node:assert/strict";
import { clean } from "../harness/axe.mjs";
import { reading } from "../harness/reader.mjs";

const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
const without = { context: { javaScriptEnabled: false }, program: false };
const text = (reader, selector) => reader.get(selector).innerText();
const shows = (reader, selector, pattern) => reader.eventually(() => text(reader, selector), (said) => pattern.test(said));
const card = (reader, slug) => reader.get(`[data-lesson="${slug}"]`);
const kept = (reader, slug) => reader.page.evaluate((name) => JSON.parse(localStorage.getItem(name)), "ticketrail.lesson." + slug);
const keep = (slug, value) => (page) => page.addInitScript(([name, text]) => {
  if (!sessionStorage.getItem("kept")) localStorage.setItem(name, text);
  sessionStorage.setItem("kept", "once");
}, ["ticketrail.lesson." + slug, JSON.stringify(value)]);

reading("the home page opens with a question, and its run is within the first screen", { path: "index.html", context: { viewport: { width: 1440, height: 900 } } }, async (reader) => {
  for (const selector of ["#stage", "#play", "#q-emails"]) {
    const box = await reader.get(selector).boundingBox();
    assert.ok(box.y >= 0 && box.y + box.height <= 900, `${selector} ends at ${box.y + box.height}`);
  }
  await reader.get("#o-emails-1").check();
  await reader.get("#commit-emails").click();
  await reader.goToEnd();
  await shows(reader, "#q-emails .run", /2\s+the run/);
  assert.match(await text(reader, "#q-emails"), /cannot see emails/);
  await clean(reader, "home, answered");
  await reader.get("#lesson-next").click();
  await reader.page.waitForURL(/lessons\/ticket-rail\/$/);
});

reading("the header leads everywhere, and says where one is", { path: "glossary/", program: false }, async (reader) => {
  for (const [name, title] of [["Lessons", "Lessons"], ["Glossary", "Glossary"]]) {
    await reader.get(".parts").getByRole("link", { name, exact: true }).click();
    await shows(reader, "h1", new RegExp(`^${title}$`));
    assert.equal(await text(reader, ".parts [aria-current]"), name);
  }
  await reader.get(".find input").fill("visibility");
  await reader.get(".find input").press("Enter");
  await shows(reader, "#count", /\d+ results?/);
  await reader.get(".brand").click();
  await reader.program();
  await shows(reader, "h1", /cook collapsed/);
  for (const part of ["practice/", "sandbox/"]) {
    const answer = await reader.page.request.get(new URL(part, reader.page.url()).href);
    assert.equal(answer.status(), 200, part);
  }
});

reading("on a phone the parts are behind a button", { path: "lessons/", context: phone, program: false }, async (reader) => {
  assert.equal(await reader.get(".parts").isVisible(), false);
  await reader.press("Menu");
  await reader.get(".parts").waitFor({ state: "visible" });
  await clean(reader, "menu");
  await reader.get(".parts").getByRole("link", { name: "Glossary" }).click();
  await shows(reader, "h1", /Glossary/);
  const wide = await reader.page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  assert.ok(wide <= 0, `the glossary is ${wide} px too wide`);
});

reading("a lesson names what it builds on, and leads to those beside it", { path: "lessons/ack-after-work/" }, async (reader) => {
  assert.match(await text(reader, ".head .where"), /^Lesson \d+ of \d+ · \d+ minutes$/);
  assert.ok(await reader.get(".needs a").count() >= 1);
  const steps = await reader.get(".steps a").count();
  await reader.get(".steps a").nth(steps - 1).click();
  await reader.until((s) => s.step === steps);
  assert.match(await text(reader, ".head .where"), /^Lesson \d+: Ack after the work/);
  assert.match(await text(reader, "#lesson-next"), /^Next lesson: /);
  assert.match(await text(reader, "#lesson-back"), /^Lesson before: /);
  const next = await reader.get("#lesson-next").getAttribute("href");
  await reader.get("#lesson-next").click();
  await reader.program();
  assert.equal(new URL(next, "http://x/lessons/a/").pathname.split("/").at(-2), new URL(reader.page.url()).pathname.split("/").at(-2));
});

reading("what is done in a lesson is marked on the map", { path: "lessons/ack-after-work/" }, async (reader) => {
  await reader.get("#o-arrive-2").check();
  await reader.get("#commit-arrive").click();
  await reader.get("#step-next").click();
  await reader.until((s) => s.step === 2);
  assert.deepEqual((await kept(reader, "ack-after-work")).done, [1]);
  await reader.page.goto(new URL("../", reader.page.url()).href);
  await shows(reader, '[data-lesson="ack-after-work"] .stamp', /carry on/i);
  await shows(reader, "#tally", /^0 of \d+ lessons and 1 of \d+ steps done$/);
  const link = card(reader, "ack-after-work").getByRole("link").first();
  assert.match(await link.getAttribute("href"), /ack-after-work\/#step-2$/);
  await clean(reader, "map with marks");
  await link.click();
  await reader.program();
  assert.equal((await reader.state()).step, 2);
});

reading("progress is copied as a link, cleared, brought back and taken from the link", {
  path: "lessons/", program: false,
  before: async (page) => {
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    await keep("ticket-rail", { v: 1, at: 3, done: [1, 2, 4], solved: ["faster"] })(page);
  },
}, async (reader) => {
  await reader.press("Copy progress as a link");
  await shows(reader, "#told", /Copied/);
  const link = await reader.page.evaluate(() => navigator.clipboard.readText());
  assert.match(link, /lessons\/#progress=1;ticket-rail:1-2,4$/);
  await reader.press("Clear");
  await shows(reader, "#told", /cleared/);
  assert.equal(await kept(reader, "ticket-rail"), null);
  assert.equal(await reader.get("#progress").isVisible(), false);
  await reader.press("Undo");
  assert.deepEqual((await kept(reader, "ticket-rail")).solved, ["faster"]);
  await reader.press("Clear");
  await reader.page.evaluate((to) => { location.href = to; }, link);
  await shows(reader, "#told", /Taken over from the link: 3 steps/);
  assert.deepEqual((await kept(reader, "ticket-rail")).done, [1, 2, 4]);
  assert.equal(new URL(reader.page.url()).hash, "");
  await reader.page.evaluate((to) => { location.href = to; }, link);
  await shows(reader, "#told", /was here already/);
});

reading("a link's progress is checked, and merged with what is here", {
  path: "lessons/#progress=1;ticket-rail:2-900;no-such-lesson:1;", program: false, before: keep("ticket-rail", { v: 1, done: [1], answers: { reply: { given: { choices: [0] }, committed: true } } }),
}, async (reader) => {
  await shows(reader, "#told", /cannot be read/);
  for (const [damaged, said] of [
    ["#progress=2;ticket-rail:1", /cannot be read/], ["#progress=1;ticket-rail:1<b>", /cannot be read/], ["#progress=%E0%A4%A", /cannot be read/],
    ["#progress=1;ticket-rail:" + "1,".repeat(5000), /cannot be read/], ["#progress=1;no-such-lesson:1", /was here already/],
  ]) {
    await reader.page.evaluate((hash) => { document.getElementById("told").hidden = true; location.hash = hash; }, damaged);
    await reader.get("#told").waitFor({ state: "visible" });
    assert.match(await text(reader, "#told"), said, damaged);
  }
  assert.deepEqual((await kept(reader, "ticket-rail")).done, [1]);
  await reader.page.evaluate(() => { location.hash = "#progress=1;ticket-rail:2-900"; });
  await shows(reader, "#told", /Taken over/);
  const steps = Number(await card(reader, "ticket-rail").getAttribute("data-steps"));
  const now = await kept(reader, "ticket-rail");
  assert.deepEqual(now.done, Array.from({ length: steps }, (_, i) => i + 1));
  assert.equal(now.answers.reply.committed, true, "answers stay");
  await shows(reader, '[data-lesson="ticket-rail"] .stamp', /done/i);
});

reading("the map shows what a lesson needs", { path: "lessons/", program: false }, async (reader) => {
  await card(reader, "ack-after-work").hover();
  await reader.eventually(() => card(reader, "ticket-rail").getAttribute("class"), (c) => c.includes("needed"));
});

reading("every word of the glossary can be linked to, and says where it is used first", { path: "glossary/#visibility-timeout", program: false }, async (reader) => {
  const words = await reader.get(".gloss h3").allInnerTexts();
  assert.ok(words.length > 30);
  assert.ok(await reader.get(".gloss .lbl a").count() > 10);
  const box = await reader.get("#visibility-timeout").boundingBox();
  assert.ok(box.y >= 0 && box.y < 1000, "the word is in sight");
  await clean(reader, "glossary");
  await reader.get("#visibility-timeout .lbl a").click();
  await reader.page.waitForURL(/lessons\/[a-z-]+\/$/);
});

reading("the search finds by title, step, word and text, by beginnings and plurals", { path: "search/", program: false }, async (reader) => {
  await reader.focusIs("q");
  const found = async (query) => {
    await reader.get("#q").fill(query);
    await shows(reader, "#count", /result|Nothing/);
    return reader.get("#hits li").evaluateAll((all) => all.map((li) => [li.querySelector("a").textContent, li.querySelector(".lbl").textContent]));
  };
  assert.equal((await found("visibility timeouts"))[0][0], "Visibility timeout");
  const ack = await found("ack");
  assert.deepEqual(ack[0], ["Ack after the work, not before", "lesson"], "a lesson's title comes first");
  assert.ok(ack.some(([title, kind]) => title === "Ack" && kind === "glossary"));
  assert.ok(ack.some(([, kind]) => kind.startsWith("step of ")));
  assert.ok((await found("idempot")).length > 0, "a beginning is enough");
  assert.equal((await found("zzzz")).length, 0);
  await shows(reader, "#count", /Nothing is found/);
  assert.equal(await reader.get("#count").getAttribute("role"), "status");
  await found("ack work");
  assert.match(reader.page.url(), /\?q=ack\+work$/);
  await reader.get("#q").press("ArrowDown");
  await reader.eventually(() => reader.page.evaluate(() => document.activeElement.closest("#hits li") !== null), Boolean);
  await clean(reader, "results");
  await reader.page.keyboard.press("Enter");
  await reader.page.waitForURL(/lessons\//);
});

reading("a search that is markup stays a text", { path: `search/?q=${encodeURIComponent("<img src=x onerror=alert(1)> ack")}`, program: false }, async (reader) => {
  await shows(reader, "#count", /Nothing is found for/);
  assert.equal(await reader.get("#count img").count(), 0);
});

for (const [path, wanted] of [
  ["index.html", /cook collapsed[\s\S]*lessons, about/], ["lessons/", /Afterwards you can/], ["glossary/", /Visibility timeout/], ["search/", /Searching needs scripts/],
]) {
  reading(`without JavaScript: ${path}`, { path, ...without }, async (reader) => {
    assert.match(await text(reader, "body"), wanted);
    assert.equal(await reader.get(".find:visible, .seek:visible, #progress:visible").count(), 0);
    assert.ok(await reader.get("main a, .below a").count() >= 2);
  });
}
