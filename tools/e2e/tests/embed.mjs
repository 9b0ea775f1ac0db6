// Lessons in frames of other pages: what a host may do to a frame, what is said
// between it and the page around, and embed.js. The page around is served from
// another port, which is another origin.
import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after } from "node:test";
import { reading } from "../harness/reader.mjs";
import { serve, site } from "../harness/site.mjs";

const { address, binary } = await site();
const folder = await mkdtemp(join(tmpdir(), "ticketrail-around-"));
await writeFile(join(folder, "index.html"), "<!doctype html><title>Courses</title>");
const around = await serve(binary, folder);
after(async () => {
  await around.close();
  await rm(folder, { recursive: true, force: true });
});

const policy = "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'";
const lesson = (query = "", path = "embed/v1/ticket-rail/") => new URL(path + query, address).href;

// host writes a page of the other origin that keeps what its frames say.
async function host(name, body) {
  await writeFile(join(folder, name), `<!doctype html><html lang="en"><title>A course</title><link rel="icon" href="data:,">
<script>window.heard = []; addEventListener("message", (event) => heard.push({ data: event.data, frame: [...document.querySelectorAll("iframe")].findIndex((f) => f.contentWindow === event.source) }))</script>
${body}`);
  return new URL(name, around.address).href;
}

const frame = (query, { path, sandbox, width = 720, height = 520, more = "" } = {}) =>
  `<iframe title="Lesson" width="${width}" height="${height}" ${sandbox === undefined ? "" : `sandbox="${sandbox}"`} ${more} src="${lesson(query, path)}"></iframe>`;

// embedded declares a test of a page around with that body. Of what the browser
// complains about, the two hosts are the point here, and options.expected are
// those that the test causes.
let pages = 0;
function embedded(name, body, { expected = /^another host/, before, context }, test) {
  reading(name, { program: false, path: "embed/v1/ticket-rail/", before, context }, async (reader) => {
    await reader.page.goto(await host(`page-${++pages}.html`, body));
    await test(reader);
    const faults = reader.takeFaults().filter((fault) => !expected.test(fault) && !fault.startsWith("another host"));
    assert.deepEqual(faults, []);
  });
}

const inner = async (reader, n = 0) => {
  const frames = await reader.eventually(() => reader.page.frames().filter((f) => f !== reader.page.mainFrame() && f.url().startsWith("http")), (all) => all.length > n);
  return frames[n];
};
const heard = (reader, type) => reader.page.evaluate((t) => window.heard.filter((m) => m.data?.type === "ticketrail:" + t).map((m) => m.data), type);
const command = (reader, message, n = 0) => reader.page.evaluate(([m, i]) => document.querySelectorAll("iframe")[i].contentWindow.postMessage(m, "*"), [message, n]);
const stateOf = (f) => f.evaluate(() => JSON.parse(window.ticketrail.state()));

// runs presses Run and waits for the end of the run, as the page around hears it.
async function runs(reader, f) {
  await f.locator("#begin").click();
  await f.waitForFunction(() => document.documentElement.dataset.there !== undefined);
  const end = await reader.eventually(() => stateOf(f), (s) => !s.playing && s.event === s.events);
  assert.deepEqual([end.acked, end.effects], [6, 6]);
  await reader.eventually(() => heard(reader, "state"), (all) => all.some((s) => s.done === 6 && !s.playing));
}

embedded("a frame shows a picture first, and fetches the program when the reader asks", frame(), {}, async (reader) => {
  const fetched = [];
  reader.page.on("request", (request) => { if (/program\./.test(request.url())) fetched.push(request.url()); });
  const f = await inner(reader);
  await f.locator("#stage > svg:visible").waitFor();
  const [ready] = await reader.eventually(() => heard(reader, "ready"), (all) => all.length > 0);
  assert.deepEqual({ v: ready.v, lesson: ready.lesson, steps: ready.steps }, { v: 1, lesson: "ticket-rail", steps: 6 });
  await command(reader, { type: "ticketrail:getState", v: 1, id: "before" });
  const [before] = await reader.eventually(() => heard(reader, "state"), (all) => all.length > 0);
  assert.deepEqual([before.id, before.program, before.playing], ["before", "poster", false]);
  assert.deepEqual(fetched, []);
  await runs(reader, f);
  assert.equal(fetched.length, 1);
});

embedded("a frame out of sight loads nothing, whatever it is told", `<div style="height:4000px"></div>${frame()}`, {}, async (reader) => {
  const f = await inner(reader);
  await f.locator("#begin").waitFor();
  await command(reader, { type: "ticketrail:play", v: 1, id: 1 });
  await command(reader, { type: "ticketrail:getState", v: 1, id: 2 });
  const [state] = await reader.eventually(() => heard(reader, "state"), (all) => all.length > 0);
  assert.equal(state.program, "poster");
  await reader.page.evaluate(() => scrollTo(0, 4000));
  await reader.eventually(() => heard(reader, "state"), (all) => all.some((s) => s.id === 1 && s.playing));
});

for (const [name, options] of Object.entries({
  "a plain frame": [frame()],
  "a sandboxed frame": [frame("", { sandbox: "allow-scripts" })],
  "a frame below a path": [frame("", { path: "some-where/embed/v1/ticket-rail/" })],
  "a narrow frame": [frame("", { width: 320 })],
})) {
  embedded(`a lesson is played in ${name}`, options[0], {}, async (reader) => runs(reader, await inner(reader)));
}

const answering = (pattern, change) => (page) => page.route(pattern, async (route) => {
  const response = await route.fetch();
  const headers = response.headers();
  change(headers);
  await route.fulfill({ response, headers });
});

embedded("a sandboxed frame needs no permission of its host", frame("", { sandbox: "allow-scripts" }), {
  before: answering("**/program.*", (headers) => { delete headers["access-control-allow-origin"]; }),
  expected: /CORS policy|ERR_FAILED/,
}, async (reader) => runs(reader, await inner(reader)));

embedded("a wrong type of the program does not matter", frame(), {
  before: answering("**/program.*.wasm", (headers) => { headers["content-type"] = "application/octet-stream"; }),
}, async (reader) => runs(reader, await inner(reader)));

embedded("a strict policy of the host is enough", frame(), {
  before: answering("**/embed/v1/ticket-rail/", (headers) => { headers["content-security-policy"] = policy; }),
}, async (reader) => runs(reader, await inner(reader)));

embedded("a refused storage is done without", frame(), {
  before: (page) => page.addInitScript(() => {
    for (const name of ["localStorage", "sessionStorage"]) Object.defineProperty(window, name, { configurable: true, get() { throw new DOMException("refused", "SecurityError"); } });
  }),
}, async (reader) => runs(reader, await inner(reader)));

embedded("without WebAssembly the frame says so and leads to the lesson", frame(), {
  before: (page) => page.addInitScript(() => { delete window.WebAssembly; }),
}, async (reader) => {
  const f = await inner(reader);
  await f.locator("#notice").waitFor({ state: "visible" });
  assert.match(await f.locator("#notice").innerText(), /no WebAssembly/);
  assert.equal(await f.locator("#begin").isVisible(), false);
  assert.match(await f.getByRole("link", { name: "Open the lesson" }).evaluate((a) => a.href), /\/lessons\/ticket-rail\/$/);
});

embedded("without scripts there are the picture, the text and a way to the lesson", frame("", { sandbox: "" }), { expected: /Blocked script execution/ }, async (reader) => {
  const f = await inner(reader);
  await f.locator("#stage > svg:visible").waitFor();
  assert.match(await f.locator("h1").innerText(), /Six orders/);
  assert.match(await f.locator("noscript").innerText(), /where scripts are allowed/);
});

embedded("the height that a frame says is that of what is in it", frame("", { height: 200 }), {}, async (reader) => {
  const f = await inner(reader);
  const high = () => f.evaluate(() => Math.ceil(document.body.getBoundingClientRect().height));
  const first = await reader.eventually(() => heard(reader, "resize"), (all) => all.length > 0);
  assert.equal(first.at(-1).height, await high());
  const canvas = await reader.page.evaluate(() => window.heard.filter((m) => m.data?.subject === "lti.frameResize").map((m) => m.data.height));
  assert.deepEqual(canvas, first.map((m) => m.height));
  await f.locator("#begin").click();
  await f.waitForFunction(() => document.documentElement.dataset.there !== undefined);
  const before = await high();
  await f.locator("#type").click(); // the field is higher than the listing
  await reader.eventually(high, (now) => now !== before);
  await reader.eventually(async () => [(await heard(reader, "resize")).at(-1).height, await high()], ([said, is]) => said === is);
});

embedded("commands do what they say, and wrong ones are answered in words", frame(), {}, async (reader) => {
  const f = await inner(reader);
  const ask = async (message) => {
    await command(reader, message);
    return reader.eventually(() => reader.page.evaluate((id) => window.heard.map((m) => m.data).find((d) => d.id === id), message.id), (answer) => answer !== undefined);
  };
  await f.locator("#begin").waitFor();
  const stepped = await ask({ type: "ticketrail:step", v: 1, by: 3, id: "a" }); // waits for the program
  assert.deepEqual([stepped.type, stepped.program, stepped.playing], ["ticketrail:state", "running", false]);
  const sought = await ask({ type: "ticketrail:seek", v: 1, time: 0.5, id: "b" });
  assert.equal(sought.time, 0.5);
  assert.match(sought.fragment, /at=500ms/);
  assert.equal((await ask({ type: "ticketrail:play", v: 1, id: "c" })).playing, true);
  assert.equal((await ask({ type: "ticketrail:pause", v: 1, id: "d" })).playing, false);
  assert.equal((await ask({ type: "ticketrail:reset", v: 1, id: "e" })).time, 0);
  for (const [wrong, why] of [
    [{ type: "ticketrail:seek", v: 1, time: -1 }, /virtual seconds/],
    [{ type: "ticketrail:seek", v: 1, time: "soon" }, /a command is an object/],
    [{ type: "ticketrail:step", v: 1, by: 0 }, /not 0/],
    [{ type: "ticketrail:jump", v: 1 }, /there is no command jump/],
    [{ type: "ticketrail:play", v: 2 }, /version 1/],
  ]) {
    const answer = await ask({ ...wrong, id: JSON.stringify(wrong) });
    assert.equal(answer.type, "ticketrail:error");
    assert.match(answer.problem, why);
  }
});

embedded("only the page around is listened to", frame() + frame(), {}, async (reader) => {
  const first = await inner(reader, 0), second = await inner(reader, 1);
  await second.locator("#begin").waitFor();
  await first.locator("#begin").waitFor();
  // a frame beside it is not the page around
  await first.evaluate(() => parent.frames[1].postMessage({ type: "ticketrail:getState", v: 1, id: "beside" }, "*"));
  await command(reader, { type: "ticketrail:getState", v: 1, id: "around" }, 1);
  await reader.eventually(() => heard(reader, "state"), (all) => all.some((s) => s.id === "around"));
  assert.equal((await heard(reader, "state")).some((s) => s.id === "beside"), false);
});

embedded("answers are told, and nothing about the reader", frame(), {}, async (reader) => {
  const f = await inner(reader);
  await f.locator('[id^="o-"]').first().click(); // kept until the program is there
  await f.waitForFunction(() => document.documentElement.dataset.there !== undefined);
  await f.locator('[id^="o-"]:checked').waitFor();
  await f.getByRole("button", { name: "Commit and run" }).click();
  await f.getByRole("button", { name: "Show the answer now" }).click(); // the run halts at the author's stops before it gets there
  const [answer] = await reader.eventually(() => heard(reader, "answer"), (all) => all.length > 0);
  assert.deepEqual(Object.keys(answer).sort(), ["id", "kind", "lesson", "right", "step", "type", "v"]);
  assert.deepEqual([answer.kind, answer.step], ["prediction", 1]);
});

embedded("options of the address are kept to, and wrong ones noted", frame("?theme=dark&words=sqs&show=code,nonsense&lock=all&colour=red&answers=hide"), {}, async (reader) => {
  const notes = [];
  reader.page.on("console", (message) => { if (message.type() === "warning") notes.push(message.text()); });
  await reader.page.reload();
  const f = await inner(reader);
  await f.locator("#begin").waitFor();
  assert.deepEqual(await f.evaluate(() => ({ ...document.documentElement.dataset })).then(({ theme, show, answers }) => [theme, show, answers]), ["dark", "code", "hide"]);
  const shown = async () => Promise.all([".listing", ".prose", ".asked", "#settings"].map((part) => f.locator(part).first().isVisible()));
  assert.deepEqual(await shown(), [true, false, false, false]);
  await f.locator("#begin").click();
  await f.waitForFunction(() => document.documentElement.dataset.there !== undefined);
  assert.deepEqual(await shown(), [true, false, false, false]);
  assert.equal(await f.locator("#type").count(), 0, "the handler is locked");
  assert.match(await f.locator("#stage > svg:visible").evaluate((svg) => svg.textContent), /consumers?/i);
  assert.ok(notes.some((n) => n.includes("show=nonsense")) && notes.some((n) => n.includes("colour is no option")), notes.join("\n"));
});

embedded("the scheme of the frame is the page's", frame("", { more: 'style="color-scheme: dark"' }), { context: { colorScheme: null } }, async (reader) => {
  const f = await inner(reader);
  await f.locator("#begin").waitFor();
  const ground = () => f.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const dark = await ground();
  await reader.page.evaluate(() => { document.querySelector("iframe").style.colorScheme = "light"; });
  await reader.eventually(ground, (now) => now !== dark);
});

embedded("the keyboard leads into a frame and out of it", `<button id="before">Before</button>${frame("?show=prose")}<button id="after">After</button>`, {}, async (reader) => {
  const f = await inner(reader);
  await f.locator("#begin").waitFor();
  await reader.get("#before").focus();
  const where = () => reader.page.evaluate(() => document.activeElement.id || document.activeElement.localName);
  const passed = [];
  for (let n = 0; n < 80 && passed.at(-1) !== "after"; n++) {
    await reader.page.keyboard.press("Tab");
    passed.push(await where());
  }
  assert.equal(passed[0], "iframe");
  assert.equal(passed.at(-1), "after");
});

for (const [width, height] of [[320, 520], [390, 600], [720, 520], [900, 520]]) {
  embedded(`at ${width} by ${height} nothing is cut off, and time can be started`, frame("", { width, height }), {}, async (reader) => {
    const f = await inner(reader);
    await f.locator("#begin").waitFor();
    assert.ok(await f.evaluate(() => document.documentElement.scrollWidth <= innerWidth), "it scrolls sideways");
    for (const part of ["#begin", "#play"]) {
      const box = await f.locator(part).evaluate((e) => { const { top, bottom } = e.getBoundingClientRect(); return { top, bottom, high: innerHeight }; });
      assert.ok(box.top >= 0 && box.bottom <= box.high, `${part} is out of sight: ${JSON.stringify(box)}`);
    }
    const [ends, begins] = await f.evaluate(() => [document.querySelector("#begin").getBoundingClientRect().bottom, document.querySelector(".timeblock").getBoundingClientRect().top]);
    assert.ok(ends <= begins, `the button that begins ends at ${ends}, below ${begins}, where time covers it`);
  });
}

embedded("embed.js makes frames that are as high as what is in them, each with its own", `
<script src="${lesson("", "embed/v1/embed.js")}"></script>
<ticket-rail id="one" lesson="ticket-rail" show="prose"></ticket-rail>
<ticket-rail id="two" lesson="ack-after-work" theme="dark" label="Two"></ticket-rail>
<ticket-rail id="none" lesson="<b>"></ticket-rail>`, {}, async (reader) => {
  await reader.counts("iframe", 2);
  assert.deepEqual(await reader.get("iframe").evaluateAll((all) => all.map((f) => f.title)), ["Interactive lesson: ticket rail", "Two"]);
  const first = await inner(reader, 0), second = await inner(reader, 1);
  for (const [id, f] of [["one", first], ["two", second]]) {
    await f.locator("#stage").waitFor();
    await reader.eventually(async () => [await reader.get(`#${id} iframe`).evaluate((i) => i.clientHeight), await f.evaluate(() => Math.ceil(document.body.getBoundingClientRect().height))],
      ([has, wants]) => has === wants);
  }
  const state = await reader.page.evaluate(async () => {
    const events = [];
    document.getElementById("two").addEventListener("ticketrail-state", (event) => events.push(event.detail.lesson));
    const answered = await document.getElementById("one").seek(0.3);
    return { time: answered.time, lesson: answered.lesson, events };
  });
  assert.deepEqual(state, { time: 0.3, lesson: "ticket-rail", events: [] });
  // what a page without a frame of its own says is not listened to
  const before = await reader.get("#one iframe").evaluate((i) => i.height);
  await reader.page.evaluate(() => postMessage({ type: "ticketrail:resize", v: 1, height: 99 }, "*"));
  await reader.eventually(() => reader.page.evaluate(() => window.heard.some((m) => m.data?.height === 99)), Boolean);
  assert.equal(await reader.get("#one iframe").evaluate((i) => i.height), before);
  assert.match(await reader.page.evaluate(() => document.getElementById("one").seek(-1).catch((error) => error.message)), /virtual seconds/);
});

const forms = {
  iframe: /^<iframe src="http[^"]*"[^<]*<\/iframe>$/,
  element: /^<script src="[^"]*\/embed\/v1\/embed\.js" async><\/script>\n<ticket-rail lesson="ticket-rail" state="[^"]*"/,
  card: /^\[!\[Six orders on the rail\]\(http[^)]*\/embed\/v1\/ticket-rail\/picture\.svg\)\]\(http[^)]*\/lessons\/ticket-rail\/#/,
  hugo: /\{\{< ticketrail src="http[^"]*" title="[^"]*" >\}\}$/,
  mdx: /^<iframe src=\{"http[^"]*"\}[\s\S]*colorScheme: "light dark" \}\} \/>$/,
  jupyter: /^```\{raw\} html\n<iframe [\s\S]*<\/iframe>\n```$/,
  mkdocs: /^<!-- a blank line before and after -->\n<iframe /,
};

reading("the panel writes each form for what is on the screen, and a page elsewhere shows that", {
  path: "lessons/ticket-rail/#v=1&at=1.2s&services.send_email.latency=310ms",
}, async (reader) => {
  await reader.get("#embedding > summary").click();
  const written = () => reader.get("#embed-text").evaluate((e) => e.textContent);
  const pasted = {};
  for (const [form, looks] of Object.entries(forms)) {
    await reader.get("#embed-options [name=form]").selectOption(form);
    pasted[form] = await written();
    assert.match(pasted[form], looks, form);
    assert.match(pasted[form], /at=1\.2s[^"]*send_email\.latency=310ms/, form);
  }
  for (const form of ["iframe", "element"]) {
    await reader.page.goto(await host(`pasted-${form}.html`, pasted[form]));
    const f = await inner(reader);
    await f.locator("#begin").waitFor();
    await command(reader, { type: "ticketrail:pause", v: 1, id: form }); // asks for the program
    const [state] = await reader.eventually(async () => (await heard(reader, "state")).filter((s) => s.id === form), (all) => all.length > 0);
    assert.deepEqual([state.time, state.playing], [1.2, false]);
    assert.match(state.fragment, /send_email\.latency=310ms/);
  }
  assert.deepEqual(reader.takeFaults().filter((fault) => !fault.startsWith("another host")), []);
});

embedded("all traps at once: a sandbox below a path, no CORS header, a wrong type, a strict policy", frame("", { path: "some-where/embed/v1/ticket-rail/", sandbox: "allow-scripts" }), {
  before: (page) => page.route("**/some-where/**", async (route) => {
    const response = await route.fetch();
    const headers = response.headers();
    delete headers["access-control-allow-origin"];
    if (route.request().url().endsWith(".wasm")) headers["content-type"] = "application/octet-stream";
    if (route.request().url().endsWith("/")) headers["content-security-policy"] = policy.replaceAll("'self'", `'self' ${new URL(address).origin}`);
    await route.fulfill({ response, headers });
  }),
  expected: /CORS policy|ERR_FAILED/,
}, async (reader) => runs(reader, await inner(reader)));

embedded("without WebAssembly what was recorded is played to its end", frame(), {
  before: (page) => page.addInitScript(() => { delete window.WebAssembly; }),
}, async (reader) => {
  const f = await inner(reader);
  await f.locator("#notice").waitFor({ state: "visible" });
  const play = f.locator("#play");
  const time = () => f.locator(".clock").evaluate((e) => Number(e.textContent.replace(/^.*:/, "")));
  assert.equal(await time(), 0);
  await play.click();
  await reader.eventually(() => play.getAttribute("aria-label"), (label) => label === "Pause");
  await reader.eventually(() => play.getAttribute("aria-label"), (label) => label !== "Pause");
  assert.equal(await time(), 1.2);
});
