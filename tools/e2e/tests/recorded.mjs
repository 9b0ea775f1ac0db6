// The first run before the program is there, and where it cannot run: played
// from what the build has recorded.
import assert from "node:assert/strict";
import { reading } from "../harness/reader.mjs";

// held has the program wait for release.
function held() {
  let release;
  const wait = new Promise((done) => { release = done; });
  return {
    release: () => release(),
    before: (page) => page.route("**/program.*.wasm", async (route) => {
      await wait;
      await route.continue();
    }),
  };
}

const here = (reader) => reader.get("html[data-recorded]").waitFor({ state: "attached" });
const clock = async (reader) => Number((await reader.get(".clock").innerText()).replace(/^.*:/, ""));
const label = (reader) => reader.get("#play").getAttribute("aria-label");

for (const [name, context] of Object.entries({
  "a wide page": {}, "a phone": { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
})) {
  const program = held();
  reading(`the run plays before the program is there, which goes on with it: ${name}`, { program: false, before: program.before, context }, async (reader) => {
    await here(reader);
    assert.equal(await clock(reader), 0);
    await reader.get("#play").click();
    await reader.eventually(() => clock(reader), (time) => time > 0.1);
    assert.equal(await label(reader), "Pause");
    assert.ok(await reader.get("#stage > svg:visible .station.working").count() > 0, "a cook works");
    program.release();
    await reader.program();
    const { time, playing, end } = await reader.state();
    assert.ok(playing && time > 0.1 && time <= end, `${time}`);
    await reader.until((s) => s.time > time);
    await reader.until((s) => !s.playing && s.time === s.end);
  });
}

reading("the program is compiled beside the page, and begins when the reader does something", {
  program: false,
  before: (page) => page.addInitScript(() => {
    const { compileStreaming, instantiate } = WebAssembly;
    WebAssembly.compileStreaming = async (...given) => {
      const program = await compileStreaming(...given);
      window.compiled = true;
      return program;
    };
    WebAssembly.instantiate = (...given) => {
      window.begun = true;
      return instantiate(...given);
    };
  }),
}, async (reader) => {
  await reader.eventually(() => reader.page.evaluate(() => window.compiled), (compiled) => compiled === true);
  await reader.frame();
  assert.equal(await reader.page.evaluate(() => window.begun), undefined);
  await reader.page.keyboard.press("Shift");
  await reader.eventually(() => reader.page.evaluate(() => typeof window.ticketrail.state), (type) => type === "function");
  await reader.program();
});

const moments = held();
reading("the recording is paused, and gone through on the timeline by mouse and keys", { program: false, before: moments.before }, async (reader) => {
  await here(reader);
  await reader.get("#play").click();
  await reader.eventually(() => clock(reader), (time) => time > 0.05);
  await reader.get("#play").click();
  assert.equal(await label(reader), "Play");
  const box = await reader.get("#scrub").boundingBox();
  await reader.page.mouse.click(box.x + box.width / 2, box.y + box.height - 4);
  const middle = await clock(reader);
  assert.ok(Math.abs(middle - 0.6) < 0.02, `${middle}`);
  const sentence = await reader.get("#next").innerText();
  await reader.get("#scrub").focus();
  await reader.page.keyboard.press("End");
  assert.equal(await clock(reader), 1.2);
  await reader.page.keyboard.press("Home");
  assert.equal(await clock(reader), 0);
  await reader.page.mouse.click(box.x + box.width / 2, box.y + box.height - 4);
  assert.equal(await clock(reader), middle);
  assert.equal(await reader.get("#next").innerText(), sentence, "the same moment is the same page");
  const drawn = await reader.get("#stage > svg:visible").evaluate((svg) => [...svg.children].map((g) => [g.dataset.k, g.getAttribute("transform"), g.dataset.s ?? ""].join(" ")).join("\n"));
  moments.release();
  await reader.program();
  const state = await reader.state();
  assert.equal(state.playing, false);
  assert.ok(Math.abs(state.time - middle) < 0.001, `${state.time}`);
  assert.match(drawn, /translate/);
});

reading("without WebAssembly the recorded run plays to its end", {
  program: false, before: (page) => page.addInitScript(() => { delete window.WebAssembly; }),
}, async (reader) => {
  await here(reader);
  assert.match(await reader.get("#notice").innerText(), /no WebAssembly.*recorded/);
  await reader.get("#end").click();
  assert.equal(await clock(reader), 1.2);
  assert.ok(await reader.get("#stage > svg:visible .mail").count() >= 6, "six emails are out");
  await reader.get("#restart").click();
  assert.equal(await clock(reader), 0);
  await reader.get("#play").click();
  await reader.eventually(() => clock(reader), (time) => time > 0.05);
  assert.equal(await reader.get("#speed").evaluate((e) => getComputedStyle(e.closest(".ttools")).pointerEvents), "none", "what needs the program is out of reach");
});

reading("an address with a moment of its own waits for the program", { path: "#v=1&at=600ms" }, async (reader) => {
  assert.equal((await reader.state()).time, 0.6);
  assert.equal(await reader.get("html").getAttribute("data-recorded"), null);
});

reading("who wants no motion has no recording", { context: { reducedMotion: "reduce" } }, async (reader) => {
  assert.equal(await reader.get("html").getAttribute("data-recorded"), null);
});
