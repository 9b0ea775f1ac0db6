// What a frame of a playing scene costs.
import { middle, opened, part } from "./open.mjs";

const frames = 240; // that are measured, four seconds of them

// play starts the scene, and starts it again whenever it ends; the first
// frames, in which caches fill, are left out.
async function play(page) {
  await page.evaluate(() => {
    const { requestAnimationFrame } = window;
    const again = () => {
      const button = document.getElementById("play");
      if (button.getAttribute("aria-label") === "Play") button.click();
      requestAnimationFrame(again);
    };
    again();
  });
  await passed(page, 30);
}

// passed waits until so many frames have been drawn.
const passed = (page, count) => page.evaluate((count) => new Promise((done) => {
  const next = () => (count-- > 0 ? requestAnimationFrame(next) : done());
  next();
}), count);

// wholeFrame measures all that the main thread does for a frame: program,
// style, layout, paint.
export function wholeFrame(browser, address) {
  return opened(browser, address, async (page) => {
    await play(page);
    const events = await traced(page, () => passed(page, frames));
    const costs = costsOf(events);
    if (costs.length < frames / 4) throw new Error(`only ${costs.length} frames in the trace of ${address}`);
    return { "frame/median": middle(costs), "frame/p95": part(costs, 0.95), "frame/count": costs.length };
  });
}

// traced returns the browser's trace of what happens during body.
async function traced(page, body) {
  const session = await page.context().newCDPSession(page);
  const events = [];
  session.on("Tracing.dataCollected", ({ value }) => events.push(...value));
  const complete = new Promise((done) => session.once("Tracing.tracingComplete", done));
  await session.send("Tracing.start", {
    transferMode: "ReportEvents",
    traceConfig: { includedCategories: ["devtools.timeline", "disabled-by-default-devtools.timeline", "toplevel"], recordMode: "recordAsMuchAsPossible" },
  });
  await body();
  await session.send("Tracing.end");
  await complete;
  return events;
}

// costsOf returns the milliseconds of each frame: the processor time of all
// tasks of the main thread from one animation frame to the next.
function costsOf(events) {
  const key = (e) => `${e.pid}/${e.tid}`;
  const byThread = new Map();
  for (const e of events) {
    if (e.name === "FireAnimationFrame") byThread.set(key(e), [...(byThread.get(key(e)) ?? []), e]);
  }
  const [thread, starts] = [...byThread].sort((a, b) => b[1].length - a[1].length)[0] ?? ["", []];
  const tasks = events.filter((e) => key(e) === thread && e.name === "RunTask" && e.ph === "X").sort((a, b) => a.ts - b.ts);
  const costs = [];
  let cost = 0, began = false;
  for (const task of tasks) {
    if (starts.some((s) => s.ts >= task.ts && s.ts <= task.ts + task.dur)) {
      if (began) costs.push(cost);
      [began, cost] = [true, 0];
    }
    cost += (task.tdur ?? task.dur) / 1000;
  }
  return costs;
}

// goPart measures what the program's own part of a frame takes, from the call
// of its callback to its end without what paint.js does in it, and how often
// it allocates in it.
export function goPart(browser, address) {
  return opened(browser, address, async (page) => {
    await play(page);
    const { took, allocated } = await page.evaluate(watch, frames);
    return { "go/median": middle(took), "go/p95": part(took, 0.95), "go/allocations": middle(allocated) };
  }, isolated);
}

// watch runs in the page. It takes the place of requestAnimationFrame and of
// paint; every other frame its allocations are counted in place of its time.
function watch(frames) {
  const { ticketrail: shared, performance } = window;
  const allocations = () => JSON.parse(shared.memory()).allocations;
  allocations();
  const asking = -(allocations() - allocations());
  const real = window.requestAnimationFrame.bind(window);
  const paint = shared.paint;
  let painting = 0;
  shared.paint = (...args) => {
    const start = performance.now();
    paint(...args);
    painting += performance.now() - start;
  };
  const took = [], allocated = [];
  return new Promise((done) => {
    let count = 0;
    window.requestAnimationFrame = (callback) => real((now) => {
      if (count++ >= frames) {
        window.requestAnimationFrame = real;
        done({ took, allocated });
        return callback(now);
      }
      painting = 0;
      if (count % 2) {
        const before = allocations();
        callback(now);
        allocated.push(allocations() - before - asking);
      } else {
        const start = performance.now();
        callback(now);
        took.push(performance.now() - start - painting);
      }
    });
  });
}

// isolated gives the page the finer clock that browsers keep for isolated ones.
export async function isolated(page) {
  await page.route((url) => url.pathname.endsWith("/") || url.pathname.endsWith(".html"), async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, headers: {
      ...response.headers(), "cross-origin-opener-policy": "same-origin", "cross-origin-embedder-policy": "require-corp",
    } });
  });
}
