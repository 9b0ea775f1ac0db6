// What a page must do without: scripts, WebAssembly, the network, storage, the
// root of its host.
import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { reading } from "../harness/reader.mjs";
import { site } from "../harness/site.mjs";

const policy = "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'";

// headed adds a header to the answers that match.
const headed = (pattern, headers) => async (page) => {
  await page.route(pattern, async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, headers: { ...response.headers(), ...headers } });
  });
};

async function playsToTheEnd(reader) {
  await reader.get("#speed").fill("3");
  await reader.get("#play").click();
  const end = await reader.until((s) => !s.playing && s.event === s.events);
  assert.deepEqual([end.acked, end.effects], [6, 6]);
}

reading("without JavaScript there are the prose, the picture, the code and the whole transcript", {
  context: { javaScriptEnabled: false }, program: false,
}, async (reader) => {
  assert.match(await reader.get("h1").innerText(), /Six orders/);
  const svg = reader.get("#stage > svg:visible");
  assert.equal(await svg.count(), 1);
  const box = await svg.boundingBox();
  assert.ok(box.width > 600 && box.height > 300);
  assert.match(await reader.get(".listing").innerText(), /send_email\(msg\.id\)[\s\S]*ack\(msg\)/);
  const sentences = await reader.get(".transcript li").allInnerTexts();
  assert.match(sentences[0], /clips\s+101 to the rail/);
  for (const order of [101, 102, 103, 104, 105, 106]) {
    assert.ok(sentences.some((s) => new RegExp(`Cook A spikes\\s+${order}`).test(s)), `no sentence says that ${order} is done`);
  }
  assert.match(await reader.get(".outcome").innerText(), /Emails sent[\s\S]*6/);
  assert.match(await reader.get("noscript").innerText(), /scripts/);
});

reading("the transcript of the page without JavaScript is the program's", {}, async (reader) => {
  const words = (html) => html.replace(/<[^>]*>/g, " ").replace(/\s+/g, " ").trim();
  const { address } = await site();
  const still = await (await reader.page.request.get(new URL("lessons/ticket-rail/", address).href)).text();
  const [, list] = still.match(/<section[^>]*class="transcript"[^>]*>([\s\S]*?)<\/ol>/);
  const written = list.split(/<li[^>]*>/).slice(1).map(words);
  const live = (await reader.get(".transcript li").evaluateAll((all) => all.map((li) => li.innerHTML))).map(words);
  assert.deepEqual(written, live);
});

reading("without WebAssembly the page says so and stays readable", {
  program: false, before: (page) => page.addInitScript(() => { delete window.WebAssembly; }),
}, async (reader) => {
  await reader.get("#notice").waitFor({ state: "visible" });
  assert.match(await reader.get("#notice").innerText(), /no WebAssembly/);
  await reader.counts("#stage > svg:visible", 1);
  assert.ok(await reader.get(".transcript li").count() > 10);
});

reading("a program that does not come is said in words, and can be tried again", {
  program: false,
  before: (page) => page.route("**/program.*.wasm", (route) => route.abort(), { times: 1 }),
}, async (reader) => {
  await reader.get("#notice").waitFor({ state: "visible" });
  assert.match(await reader.get("#notice").innerText(), /did not load/);
  assert.ok(reader.takeFaults().length > 0);
  await reader.press("Try again");
  await reader.program();
  await reader.get("#notice").waitFor({ state: "hidden" });
  await playsToTheEnd(reader);
});

reading("runs below a path, under a strict policy of the host", {
  path: "some-where/lessons/ticket-rail/", before: headed("**/some-where/lessons/ticket-rail/", { "content-security-policy": policy }),
}, playsToTheEnd);

reading("runs where the host gives the program a wrong type", {
  before: headed("**/program.*.wasm", { "content-type": "text/plain" }),
}, playsToTheEnd);

reading("runs in a sandboxed frame that has no storage", {
  path: "frame.html", program: false,
  before: async () => {
    const { folder } = await site();
    await writeFile(join(folder, "frame.html"),
      '<!doctype html><html lang="en"><title>Embedded</title><link rel="icon" href="data:,"><iframe title="Lesson" width="900" height="900" sandbox="allow-scripts" src="./lessons/ticket-rail/"></iframe>');
  },
}, async (reader) => {
  const frame = await reader.eventually(() => reader.page.frames()[1], (frame) => frame?.url().startsWith("http"));
  await frame.waitForFunction(() => typeof window.ticketrail?.state === "function");
  assert.equal(await frame.evaluate(() => self.origin), "null");
  const state = () => frame.evaluate(() => JSON.parse(window.ticketrail.state()));
  await frame.locator("#speed").fill("3");
  await frame.locator("#play").click();
  const end = await reader.eventually(state, (s) => !s.playing && s.event === s.events);
  assert.equal(end.acked, 6);
  await frame.getByRole("button", { name: "Light or dark" }).click();
});

reading("a damaged link opens the lesson as it is", { path: "#v=1&handler=%%%&workers.cook.count=nine&at=soon&x=<script>" }, async (reader) => {
  const state = await reader.state();
  assert.deepEqual([state.time, state.problems.length, state.end], [0, 0, 1.2]);
  await playsToTheEnd(reader);
});
