// How long the page takes to answer: from an edit to the new run on screen,
// from a press on the timeline to the page in step.
import { isolated } from "./frame.mjs";
import { middle, opened, part } from "./open.mjs";

// edit changes the time of the service's call up and down.
export function edit(browser, address) {
  return opened(browser, address, async (page) => {
    const took = [];
    for (let n = 0; n < 12; n++) {
      took.push(await page.evaluate(answer, { what: "edit", value: n % 2 ? 4 : 5 }));
    }
    return { median: middle(took.slice(2)), worst: part(took.slice(2), 1) };
  }, isolated);
}

// seek presses the mouse at places all along the timeline.
export function seek(browser, address) {
  return opened(browser, address, async (page) => {
    const took = [];
    for (let n = 0; n < 26; n++) {
      took.push(await page.evaluate(answer, { what: "seek", value: (n * 0.381966 + 0.1) % 1 }));
    }
    return { median: middle(took.slice(2)), worst: part(took.slice(2), 1) };
  }, isolated);
}

// answer runs in the page: it does one thing and returns the milliseconds until
// the last change that it brings, layout included.
function answer({ what, value }) {
  const quiet = 6; // frames without a change, after which nothing more comes
  return new Promise((done) => {
    let last = 0, still = 0;
    const observer = new MutationObserver(() => {
      document.body.getBoundingClientRect();
      [last, still] = [performance.now(), 0];
    });
    observer.observe(document.getElementById("player"), { subtree: true, childList: true, attributes: true, characterData: true });
    const start = performance.now();
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
      if (last > 0 && still++ >= quiet) {
        observer.disconnect();
        return done(last - start);
      }
      requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
  });
}
