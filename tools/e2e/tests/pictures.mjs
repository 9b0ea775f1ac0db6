// The stage at a few fixed instants, beside pictures that were looked at. After
// a change of the drawing, `npm run pictures` makes them anew (RENEW=board one alone): look at each.
import assert from "node:assert/strict";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { difference, picture, tolerance } from "../harness/picture.mjs";
import { reading } from "../harness/reader.mjs";
import { scenarios, site } from "../harness/site.mjs";

const kept = resolve(import.meta.dirname, "../pictures");
const failed = resolve(import.meta.dirname, "../failed");
const renew = (name) => process.env.RENEW === "1" || process.env.RENEW === name;

const built = await site();
const [{ scenario: poison }, { scenario: drain }, { scenario: shop }] = await scenarios([
  "core/testdata/cases/poison-to-dead-letters.yaml", "core/testdata/cases/drain-eight-workers.yaml", "wasm/scene/testdata/boards/shop.yaml"]);
const tray = await built.page("picture-tray.html", poison);
const many = await built.page("picture-many.html", drain);
const board = await built.page("picture-board.html", shop);
const falls = "lessons/ack-after-work/#v=1&step=4&at=";

// looks holds the stage against its picture.
async function looks(reader, name, { drawn = false } = {}) {
  if (!drawn) await reader.frame();
  const now = await picture(reader.page);
  const file = join(kept, `${name.replaceAll(" ", "-")}.png`);
  if (renew(name)) {
    await mkdir(kept, { recursive: true });
    await writeFile(file, now);
    return;
  }
  const off = await difference(reader.page, await readFile(file), now);
  if (off > tolerance) {
    await mkdir(failed, { recursive: true });
    await writeFile(join(failed, `picture-${name}.png`), now);
  }
  assert.ok(off <= tolerance, `${(100 * off).toFixed(2)} % of the pixels differ from ${file}; what is drawn now is failed/picture-${name}.png`);
}

// at is a picture of an instant.
function at(name, path, context, when) {
  reading(`the picture of ${name}`, { path, context }, async (reader) => {
    await reader.until((s) => s.events > 0 && when(s));
    await looks(reader, name);
  });
}

const screen = (width, height, more) => ({ viewport: { width, height }, ...more });
at("wide", `${falls}900ms`, screen(1440, 1000), (s) => s.time === 0.9);
at("compact", `${falls}900ms`, screen(1200, 1000), (s) => s.time === 0.9);
at("phone", `${falls}900ms`, screen(390, 844), (s) => s.time === 0.9);
at("dark", `${falls}300ms`, screen(1440, 1000, { colorScheme: "dark" }), (s) => s.time === 0.3);
at("tray", `${tray}#v=1&at=1h`, screen(1440, 1000), (s) => s.event === s.events);
at("many waiting", `${many}#v=1&at=5s`, screen(1440, 1000), (s) => s.time === 5);
at("board", `${board}#v=1&at=2s`, screen(1440, 1000), (s) => s.time > 0);

reading("the picture of a halt at a crash", { path: `${falls}0s`, context: screen(1440, 1000) }, async (reader) => {
  const { event } = await reader.page.evaluate(() => {
    const stop = { event: 12, text: "Here." };
    window.ticketrail.stops(JSON.stringify([stop]));
    return stop;
  });
  await reader.get("#play").click();
  await reader.until((s) => !s.playing && s.event === event + 1);
  await looks(reader, "halted");
});

// While it plays, the drawing goes by the browser's clock; here that goes by
// the test's, and stands when the picture is taken.
reading("the picture of tickets on their way", { path: falls.replace("&at=", ""), context: screen(1440, 1000) }, async (reader) => {
  await reader.page.clock.install({ time: 0 });
  await reader.page.clock.pauseAt(1000);
  await reader.get("#play").click();
  await reader.page.clock.runFor(320);
  assert.equal((await reader.state()).playing, true);
  await looks(reader, "on their way", { drawn: true });
});

// What the comparison is worth: each of these is a broken drawing.
const broken = {
  "a ticket that hangs elsewhere": (svg) => {
    const ticket = svg.querySelector("g.tk");
    ticket.setAttribute("transform", `${ticket.getAttribute("transform")} translate(14 0)`);
  },
  "a ticket without its colour": (svg) => svg.querySelector("g.tk [class^=h]").remove(),
  "a rail that is gone": (svg) => svg.querySelector(".steel-edge").remove(),
  "a worker without a badge": (svg) => svg.querySelector(".badge").remove(),
};

reading("a broken drawing is not taken for its picture", { path: `${falls}100ms`, context: screen(1440, 1000) }, async (reader) => {
  await reader.until((s) => s.time === 0.1);
  const whole = await picture(reader.page);
  assert.ok(await difference(reader.page, whole, await picture(reader.page)) <= tolerance, "the same drawing is the same");
  for (const [name, breaks] of Object.entries(broken)) {
    const svg = reader.get("#stage > svg:visible");
    const before = await svg.innerHTML();
    await svg.evaluate(breaks);
    const off = await difference(reader.page, whole, await picture(reader.page));
    assert.ok(off > tolerance, `${name}: ${(100 * off).toFixed(3)} %`);
    await svg.evaluate((element, before) => { element.innerHTML = before; }, before);
  }
  assert.equal(await difference(reader.page, whole, await picture(reader.page)), 0);
});
