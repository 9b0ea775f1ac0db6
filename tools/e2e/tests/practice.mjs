// Practice: a question is answered right and wrong, the level follows, the
// address is the question, and how far one is is kept.
import assert from "node:assert/strict";
import { open, reading } from "../harness/reader.mjs";
import { clean } from "../harness/axe.mjs";

const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
const said = async (reader) => ({ title: await reader.get("h1").innerText(), facts: await reader.get(".prose .text li").allInnerTexts(), ask: await reader.get(".asked h2").innerText() });
const head = (reader) => reader.get(".head .where").innerText();
const shows = (reader, selector, pattern) => reader.eventually(() => reader.get(selector).innerText(), (text) => pattern.test(text));

// answer gives one of the choices, by its place from 0, and has the run say
// what is right; it returns whether the answer was.
async function answer(reader, place) {
  const options = reader.get(".asked fieldset input");
  await options.nth(place).check();
  await reader.press("Commit and run");
  await reader.get(".asked .presult").waitFor();
  const reveal = reader.page.getByRole("button", { name: "Show the answer now" });
  if (await reveal.count() > 0) await reveal.click({ timeout: 2000 }).catch(() => {}); // the run may have got there first
  await shows(reader, ".asked .presult", /called it|said|The run says/);
  return await reader.get(".asked .both").count() === 1;
}

// learn answers the questions of some addresses anyhow, notes where the right
// choice stands in each, and forgets that it has been here.
async function learn(reader, addresses) {
  const places = [];
  for (const address of addresses) {
    await reader.page.evaluate((hash) => { location.hash = hash; }, address);
    await reader.eventually(() => reader.get("#practice-link").getAttribute("href"), (href) => href === address);
    await answer(reader, 0);
    places.push(await reader.get(".asked :is(.pscale, .plist) > li").evaluateAll((all) => all.findIndex((li) => li.matches(".run, .both"))));
  }
  await reader.page.evaluate(() => localStorage.clear());
  return places;
}

for (const [name, context] of [["a wide page", {}], ["a phone", phone]]) {
  reading(`two right answers lead a level up, a wrong one down; ${name}`, { path: "practice/#seed=41&level=1", context }, async (reader) => {
    const [one, two, three] = await learn(reader, ["#seed=42&level=1", "#seed=42&level=1&n=2", "#seed=42&level=2&n=3"]);
    await reader.page.goto(reader.page.url().replace(/#.*/, "?new#seed=42&level=1"));
    await reader.program();
    await shows(reader, ".head .where", /Level 1 of 8 · question 1$/);
    assert.equal(await answer(reader, one), true);
    await shows(reader, ".head .where", /1 of 1 right/);
    await clean(reader, "answered right");
    await reader.press("Next question");
    await shows(reader, ".head .where", /Level 1 of 8 · question 2/);
    await reader.focusIs("step");
    assert.match(await reader.address(), /#seed=42&level=1&n=2$/);
    assert.equal(await answer(reader, two), true);
    await shows(reader, ".onwards", /Two in a row: on to level 2/);
    await reader.press("Next question");
    await shows(reader, ".head .where", /Level 2 of 8 · question 3/);
    assert.equal(await answer(reader, three === 0 ? 1 : 0), false);
    assert.ok((await reader.get(".asked .verdict p").allInnerTexts()).length >= 3, "a wrong answer is talked about");
    await shows(reader, ".onwards", /Back to level 1/);
    await clean(reader, "answered wrong");
    await reader.press("Show me the moment");
    assert.equal((await reader.state()).playing, false);
    await reader.press("Next question");
    await shows(reader, ".head .where", /Level 1 of 8 · question 4 · 2 of 3 right/);
  });
}

reading("an address is one question for everybody, and a new one is opened in the page", { path: "practice/#seed=42&level=3" }, async (reader) => {
  const one = await said(reader);
  const other = await open({ path: "practice/#seed=42&level=3" });
  assert.deepEqual(await said(other), one);
  assert.equal((await other.state()).hash, (await reader.state()).hash);
  await other.close();
  assert.match(await reader.get("#practice-link").getAttribute("href"), /#seed=42&level=3$/);
  await reader.page.evaluate(() => { location.hash = "#seed=7&level=6&n=2"; });
  await shows(reader, ".head .where", /Level 6 of 8 · question 2/);
  const third = await open({ path: "practice/#seed=7&level=6&n=2" });
  assert.deepEqual(await said(third), await said(reader));
  await third.close();
});

reading("easier, harder and another series by hand", { path: "practice/#seed=5&level=1" }, async (reader) => {
  assert.equal(await reader.get("#practice-easier").count(), 0);
  await reader.press("harder");
  await shows(reader, ".head .where", /Level 2 of 8/);
  await reader.press("easier");
  await shows(reader, ".head .where", /Level 1 of 8/);
  await reader.press("another series");
  await reader.eventually(() => reader.page.url(), (url) => /#seed=\d+&level=1$/.test(url) && !url.includes("seed=5&"));
});

reading("how far one is is kept", { path: "practice/#seed=11&level=2" }, async (reader) => {
  const first = await said(reader);
  await answer(reader, 0);
  const text = await head(reader);
  await reader.page.goto((await reader.address()).replace(/#.*/, "?again"));
  await reader.program();
  await shows(reader, ".head .where", /question 2/);
  assert.match(text, /of 1 right/);
  assert.notDeepEqual(await said(reader), first);
});

reading("a damaged address opens a question all the same", { path: "practice/#seed=x&level=99&n=-1" }, async (reader) => {
  await shows(reader, ".head .where", /Level 8 of 8 · question 1/);
});

reading("without JavaScript there is a question with its run and its answer", {
  path: "practice/", context: { javaScriptEnabled: false }, program: false,
}, async (reader) => {
  assert.ok((await reader.get(".prose .text li").count()) >= 2);
  await reader.get(".solved summary").click();
  assert.match(await reader.get(".solved").innerText(), /Answer/);
  assert.equal(await reader.get("#stage > svg:visible").count(), 1);
  assert.equal(await reader.page.getByRole("button", { name: /question/ }).count(), 0);
});
