// Shapes and moods: narrow and wide, light and dark, less motion, and a page
// that stays where it is when the program takes over.
import assert from "node:assert/strict";
import { createServer } from "node:http";
import { after } from "node:test";
import { reading } from "../harness/reader.mjs";
import { site } from "../harness/site.mjs";

// A page that comes over a slow line may be painted in its midst; what comes
// after would push what is there. This server keeps the second piece of the
// page back until the page asks for it.
const { address } = await site();
let at = "", rest;
const slow = createServer(async (request, response) => {
  if (request.url === "/rest") {
    response.writeHead(204).end();
    return rest();
  }
  const got = await fetch(new URL(request.url, address));
  response.writeHead(got.status, { "content-type": got.headers.get("content-type") });
  const body = Buffer.from(await got.arrayBuffer());
  const cut = request.url === "/" ? body.indexOf(at) : -1;
  if (cut < 0) return response.end(body);
  response.write(body.subarray(0, cut));
  rest = () => response.end(body.subarray(cut));
});
await new Promise((go) => slow.listen(0, "localhost", go));
after(() => slow.close().closeAllConnections());

for (const [what, width, height] of [["a desk", 1440, 900], ["twice the text on a desk", 640, 450], ["a phone", 390, 844], ["the narrowest", 320, 568]]) {
  reading(`nothing is cut off or scrolls sideways on ${what}, ${width} px`, { context: { viewport: { width, height } } }, async (reader) => {
    await reader.unfold();
    const wide = await reader.page.evaluate(() => {
      const room = document.documentElement.clientWidth;
      const out = [...document.querySelectorAll("#app *")].filter((e) => {
        const box = e.getBoundingClientRect();
        return box.width > 0 && box.right > room + 1 && !e.closest(".vh, svg") && !scrolls(e);
      });
      function scrolls(e) {
        for (let p = e.parentElement; p; p = p.parentElement) if (/auto|scroll|hidden/.test(getComputedStyle(p).overflowX)) return true;
        return false;
      }
      return { scroll: Math.max(0, document.documentElement.scrollWidth - room), out: out.map((e) => e.outerHTML.slice(0, 120)) };
    });
    assert.deepEqual(wide, { scroll: 0, out: [] });
    await reader.get("#play").click();
    await reader.until((s) => s.event > 0);
  });
}

reading("everything to press is large enough for a finger", {
  context: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
}, async (reader) => {
  await reader.unfold();
  const small = await reader.page.evaluate(() => [...document.querySelectorAll("#app button, #app select, #app summary, #app input, #app textarea")]
    .filter((e) => e.checkVisibility({ visibilityProperty: true }))
    .map((e) => ({ name: e.id || e.getAttribute("aria-label") || e.textContent.slice(0, 30), box: e.getBoundingClientRect() }))
    .filter(({ box }) => box.width > 0 && (box.width < 24 || box.height < 24))
    .map(({ name, box }) => `${name} ${Math.round(box.width)} × ${Math.round(box.height)}`));
  assert.deepEqual(small, []);
});

reading("the stage fits its place in each of its three drawings", {}, async (reader) => {
  const sizes = [];
  for (const width of [1440, 1200, 390]) {
    await reader.page.setViewportSize({ width, height: 900 });
    const size = await reader.eventually(
      () => reader.get("#stage > svg:visible").getAttribute("data-size"), (size) => size !== sizes.at(-1));
    sizes.push(size);
    await reader.get("#forward").click();
    const here = await reader.state();
    await reader.eventually(() => reader.stage(), (label) => label.includes(`${here.waiting} waiting`));
    const [svg, place] = [await reader.get("#stage > svg:visible").boundingBox(), await reader.get("#stage").boundingBox()];
    assert.ok(svg.width <= place.width + 1 && svg.x >= place.x - 1, `${size}: ${JSON.stringify({ svg, place })}`);
    await reader.counts("#stage > svg:visible", 1);
  }
  assert.equal(new Set(sizes).size, 3);
});

reading("dark where the system is dark, and the reader's choice before that", { context: { colorScheme: "dark" } }, async (reader) => {
  const ground = () => reader.page.evaluate(() => {
    const colours = [document.body, document.documentElement].map((e) => getComputedStyle(e).backgroundColor.match(/[\d.]+/g).map(Number));
    const [r, g, b] = colours.find(([, , , opacity = 1]) => opacity > 0);
    return (r + g + b) / 3;
  });
  assert.ok(await ground() < 90);
  await reader.press("Light or dark");
  await reader.eventually(ground, (light) => light > 160);
  await reader.page.reload();
  await reader.program();
  assert.ok(await ground() > 160, "the choice is kept");
});

reading("with less motion, play goes in steps: each event is drawn once, nothing moves between", {
  context: { reducedMotion: "reduce" },
}, async (reader) => {
  await reader.get("#play").click();
  const seen = await reader.page.evaluate(() => new Promise((done) => {
    const drawn = new Map(); // by number of events: every different drawing
    const places = (svg) => [...svg.children].map((g) => `${g.dataset.k} ${g.getAttribute("transform")} ${g.getAttribute("opacity")}`).join("\n");
    const look = () => {
      const { event, playing } = JSON.parse(window.ticketrail.state());
      const svg = [...document.querySelectorAll("#stage > svg")].find((svg) => svg.checkVisibility());
      if (!drawn.has(event)) drawn.set(event, new Set());
      drawn.get(event).add(places(svg));
      if (drawn.size >= 4 || !playing) return done([...drawn].map(([event, all]) => [event, all.size]));
      requestAnimationFrame(look);
    };
    look();
  }));
  assert.equal(seen.length, 4);
  assert.deepEqual(seen.map(([, drawings]) => drawings), [1, 1, 1, 1]);
});

const parts = [".bar", "h1", ".stage", ".strip", ".timeblock", ".transport", "#play", ".track", ".blocks", ".code", ".listing", ".knobs", ".transcript", ".outcome", ".foot"];

for (const [what, width, touch] of [["desk", 1440, false], ["phone", 390, true]]) {
  reading(`nothing jumps when the program takes over, ${what}`, {
    context: { viewport: { width, height: 900 }, hasTouch: touch, isMobile: touch }, program: false, fresh: true,
    before: async (page) => {
      await page.addInitScript(() => {
        window.shifts = [];
        new PerformanceObserver((list) => window.shifts.push(...list.getEntries().map((e) => ({
          value: e.value, of: e.sources.map((s) => s.node?.className || s.node?.nodeName),
        })))).observe({ type: "layout-shift", buffered: true });
      });
      await page.route("**/program.*.wasm", async (route) => {
        await new Promise((go) => { page.release = go; });
        await route.continue();
      });
    },
  }, async (reader) => {
    const boxes = () => reader.page.evaluate((parts) => Object.fromEntries(parts.map((part) => {
      const { x, y, width, height } = document.querySelector(part).getBoundingClientRect();
      return [part, [x, y, width, height].map(Math.round)];
    })), parts);
    await reader.frame();
    const before = await boxes();
    const stage = await reader.drawing();
    await reader.eventually(() => reader.page.release, (release) => release !== undefined);
    reader.page.release();
    await reader.program();
    await reader.frame();
    assert.deepEqual(await boxes(), before);
    assert.equal(await reader.drawing(), stage, "the program draws what the page showed");
    assert.deepEqual(await reader.page.evaluate(() => window.shifts), []);
  });
}

for (const [what, part] of [["header", "<option"], ["dock", 'id="now-track"']]) {
  reading(`a page that comes in two pieces does not jump on a phone, cut in its ${what}`, {
    context: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }, program: false,
    path: `http://localhost:${slow.address().port}/`,
    before: async (page) => {
      at = part;
      rest = undefined;
      await page.addInitScript(() => {
        window.shifts = [];
        new PerformanceObserver((list) => window.shifts.push(...list.getEntries().map((e) => e.sources.map((s) => s.node?.className)))).observe({ type: "layout-shift", buffered: true });
        let left = 20; // looks, in which what is there would have been painted
        const looks = setInterval(() => {
          if (document.styleSheets.length === 0 || document.querySelector(".bar") === null || --left > 0) return;
          clearInterval(looks);
          fetch("/rest").catch(() => {});
        }, 16);
      });
    },
  }, async (reader) => {
    await reader.frame();
    assert.ok(await reader.get("#said").count() === 1 && rest !== undefined);
    assert.deepEqual(await reader.page.evaluate(() => window.shifts), []);
    await reader.program();
  });
}

reading("what was pressed before the program and the recording were there is done when it is", {
  program: false,
  before: async (page) => {
    await page.route("**/program.*.wasm", async (route) => {
      await new Promise((go) => { page.release = go; });
      await route.continue();
    });
    await page.route("**/run_*.js", (route) => route.abort());
  },
}, async (reader) => {
  await reader.eventually(() => reader.page.release, (release) => release !== undefined);
  await reader.get("#play").click();
  assert.ok(reader.takeFaults().every((fault) => /run_/.test(fault) || /ERR_FAILED/.test(fault)));
  assert.match(await reader.get("#next").innerText(), /plays as soon as/);
  reader.page.release();
  await reader.program();
  await reader.until((s) => s.event === s.events || s.playing);
});
