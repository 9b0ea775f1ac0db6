// What it takes the page to answer: from an edit to the new run on screen, from
// a press on the timeline to the page in step. It is the work of the main
// thread, which does one thing after the other: on a machine that is free, it
// is the time that passes.
import { middle, opened, part } from "./open.mjs";
import { traced } from "./trace.mjs";

// edit changes the time of the service's call up and down.
export function edit(browser, address) {
  return answers(browser, address, "edit", (n) => (n % 2 ? 4 : 5), 12);
}

// seek presses the mouse at places all along the timeline.
export function seek(browser, address) {
  return answers(browser, address, "seek", (n) => (n * 0.381966 + 0.1) % 1, 26);
}

// answers does one thing some times, and leaves out the first two, in which
// caches fill.
function answers(browser, address, what, value, times) {
  return opened(browser, address, async (page) => {
    const tasks = await traced(page, async () => {
      for (let n = 0; n < times; n++) await page.evaluate(answer, { what, value: value(n) });
    });
    const took = costsOf(tasks).slice(2);
    if (took.length !== times - 2) throw new Error(`${took.length + 2} of ${times} answers in the trace of ${address}`);
    return { median: middle(took), worst: part(took, 1) };
  });
}

// costsOf returns the milliseconds of each answer: those of all tasks from the
// question to the frame that shows the last change.
function costsOf(tasks) {
  const asked = tasks.flatMap((task, i) => (task.marks.includes("asked") ? [i] : []));
  return asked.map((from, k) => {
    const next = asked[k + 1] ?? tasks.length;
    let last = from;
    for (let i = from; i < next; i++) if (tasks[i].marks.includes("changed")) last = i;
    let shown = last + 1;
    while (shown < next && !tasks[shown].frame) shown++;
    return tasks.slice(from, Math.min(shown + 1, next)).reduce((sum, task) => sum + task.work, 0);
  });
}

// answer runs in the page: it does one thing, and is over when nothing has
// changed for a while.
function answer({ what, value }) {
  const quiet = 6; // frames without a change, after which nothing more comes
  return new Promise((done) => {
    let changed = false, still = 0;
    const observer = new MutationObserver(() => {
      performance.mark("changed");
      [changed, still] = [true, 0];
    });
    observer.observe(document.getElementById("player"), { subtree: true, childList: true, attributes: true, characterData: true });
    performance.mark("asked");
    if (what === "edit") {
      const slider = document.getElementById("latency");
      slider.value = value;
      slider.dispatchEvent(new Event("input", { bubbles: true }));
      slider.dispatchEvent(new Event("change", { bubbles: true }));
    } else {
      const line = document.getElementById("scrub");
      const box = line.getBoundingClientRect();
      const at = { clientX: box.left + value * box.width, clientY: box.bottom - 2, bubbles: true, pointerId: 1 };
      line.dispatchEvent(new PointerEvent("pointerdown", at));
      line.dispatchEvent(new PointerEvent("pointerup", at));
    }
    const look = () => {
      if (changed && still++ >= quiet) {
        observer.disconnect();
        return done();
      }
      requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
  });
}
