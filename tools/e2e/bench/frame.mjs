// What a frame of a playing scene costs.
import { middle, opened, part } from "./open.mjs";
import { traced } from "./trace.mjs";

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
    const costs = costsOf(await traced(page, () => passed(page, frames)));
    if (costs.length < frames / 2) throw new Error(`only ${costs.length} frames in the trace of ${address}`);
    return { "frame/median": middle(costs), "frame/p95": part(costs, 0.95) };
  });
}

// costsOf returns the milliseconds of each frame: those of all tasks from one
// animation frame to the next.
function costsOf(tasks) {
  const costs = [];
  for (const task of tasks) {
    if (task.frame) costs.push(0);
    if (costs.length > 0) costs[costs.length - 1] += task.work;
  }
  return costs.slice(0, -1); // the last one may be cut off
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
async function isolated(page) {
  await page.route((url) => url.pathname.endsWith("/") || url.pathname.endsWith(".html"), async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, headers: {
      ...response.headers(), "cross-origin-opener-policy": "same-origin", "cross-origin-embedder-policy": "require-corp",
    } });
  });
}
