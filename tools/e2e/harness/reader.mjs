// A reader in front of the page: opens it, uses it as people do, and sees what
// it shows. A test is a call of reading(); it fails on its own assertions, and
// also when the page logs an error, throws, or asks another host for anything.
//
// Nothing here waits for a time to pass: until() waits for a condition of the
// page. Start reading at reading, then Reader.
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { mkdir } from "node:fs/promises";
import { join, resolve } from "node:path";
import { after, test } from "node:test";
import { launch } from "./chromium.mjs";
import { site } from "./site.mjs";

const first = "lessons/ticket-rail/";
const shots = resolve(import.meta.dirname, "../failed");
const patience = 60_000; // milliseconds until a condition that does not come true is a failure

// One browser and one site serve all tests of a process. Without either there
// is nothing to test, so both are waited for before a test is declared.
const browser = await launch();
const { address, close } = await site().catch(async (error) => {
  await browser.close();
  throw error;
});

after(async () => {
  await browser.close();
  await close();
});

// reading declares a test of the page. Options are those of open; and goes, of
// how many goes the test consists, each of which may take its time.
export function reading(name, options, body) {
  test(name, { timeout: (1 + (options.goes ?? 1)) * patience }, async () => {
    const reader = await open(options);
    try {
      await body(reader);
      reader.assertQuiet();
    } catch (error) {
      await reader.shoot(name);
      error.message += reader.said();
      throw error;
    } finally {
      await reader.close();
    }
  });
}

// open opens a page. Options:
//   path      of the page in the site; without one, that of the first lesson
//   context   options of the browser's context: viewport, colorScheme, ...
//   before    called with the page before it is opened
//   program   false when the program is not expected to run
//   fresh     the reader was never here: what the home page asks is open, and
//             its run keeps the answer. Otherwise he has let the question be.
export async function open({ path = "", context = {}, before, program = true, fresh = false } = {}) {
  const opened = await browser.newContext({ viewport: { width: 1440, height: 1000 }, serviceWorkers: "block", ...context });
  opened.setDefaultTimeout(patience);
  const page = await opened.newPage();
  const url = new URL(/^($|[?#])/.test(path) ? first + path : path, address);
  const reader = new Reader(page, url.origin);
  if (!fresh) await page.addInitScript(letBe);
  await before?.(page);
  await page.goto(url.href);
  if (program) await reader.program();
  return reader;
}

// letBe keeps what the home page would have kept.
function letBe() {
  try {
    localStorage["ticketrail.lesson.ticket-rail"] ??= JSON.stringify({ v: 1, answers: { free: { given: {}, skipped: true, shown: true } } });
  } catch { /* a test may refuse the storage */ }
}

export class Reader {
  #faults = [];

  constructor(page, origin) {
    this.page = page;
    page.on("console", (message) => {
      if (message.type() === "error") this.#faults.push(`console: ${message.text()}`);
    });
    page.on("pageerror", (error) => this.#faults.push(`thrown: ${error.stack ?? error}`));
    page.on("requestfailed", (request) => {
      const why = request.failure()?.errorText;
      if (why === "net::ERR_ABORTED" && /\/icon\.|\/live$/.test(request.url())) return; // a reload ends what is under way
      this.#faults.push(`request failed: ${request.url()} ${why}`);
    });
    page.on("request", (request) => {
      const url = new URL(request.url());
      if (url.protocol !== "data:" && url.protocol !== "blob:" && url.origin !== origin) {
        this.#faults.push(`another host: ${request.url()}`);
      }
    });
  }

  // assertQuiet holds that the page reported no fault and asked no other host.
  assertQuiet() {
    assert.deepEqual(this.#faults, []);
  }

  // takeFaults takes the faults so far, for a test that causes one.
  takeFaults() {
    return this.#faults.splice(0);
  }

  said() {
    return this.#faults.length ? `\nThe page reported:\n  ${this.#faults.join("\n  ")}` : "";
  }

  async shoot(name) {
    await mkdir(shots, { recursive: true });
    const path = join(shots, `${name.replace(/[^a-z0-9]+/gi, "-")}.png`);
    await this.page.screenshot({ path, fullPage: true }).catch(() => {}); // the page may be gone
  }

  close() {
    return this.page.context().close();
  }

  // program waits until the program has taken over the page and its first run
  // is there. It begins when a reader does something, as this one does.
  async program() {
    await this.page.waitForFunction(() => {
      if (document.documentElement.dataset.asked !== "no") window.ticketrail?.ask?.();
      return typeof window.ticketrail?.state === "function" && document.querySelectorAll("#said").length === 1
        && !JSON.parse(window.ticketrail.state()).working;
    });
  }

  // state is what the page says about itself.
  state() {
    return this.page.evaluate(() => JSON.parse(window.ticketrail.state()));
  }

  // address is the page's, with all that the program has noted for it.
  address() {
    return this.page.evaluate(() => {
      window.ticketrail.remembered();
      return location.href;
    });
  }

  // frame waits until the browser has drawn once more.
  frame() {
    return this.page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => drawn())));
  }

  // until waits until the page's state satisfies a condition, and returns it.
  until(holds) {
    return this.eventually(() => this.state(), holds);
  }

  // eventually reads something of the page, frame after frame, until it
  // satisfies a condition, and returns it.
  async eventually(read, holds) {
    const end = Date.now() + patience;
    for (;;) {
      const value = await read();
      if (holds(value)) return value;
      if (Date.now() > end) throw new Error(`never came true: ${holds}\nlast seen: ${JSON.stringify(value, null, 1)}`);
      await this.frame();
    }
  }

  // counts waits until so many elements match.
  async counts(selector, count, why = "") {
    try {
      await this.eventually(() => this.get(selector).count(), (n) => n === count);
    } catch (error) {
      throw new Error(`${count} of ${selector} expected${why && `: ${why}`}; ${error.message}`);
    }
  }

  get(selector, options) {
    return this.page.locator(selector, options);
  }

  // press clicks the button with that name.
  press(name) {
    return this.page.getByRole("button", { name, exact: true }).click();
  }

  // unfold opens all folded parts.
  async unfold() {
    const folded = this.get("details:not([open]) > summary");
    for (let left = await folded.count(); left > 0; left--) {
      await folded.first().click();
      await this.eventually(() => folded.count(), (n) => n < left);
    }
  }

  // knob is the setting with that technical name.
  knob(technical) {
    return this.get(".knob", { has: this.page.locator(".tech", { hasText: new RegExp(`^${technical}$`) }) });
  }

  // scrub presses the mouse on the timeline at a part of the run, 0 to 1.
  async scrub(part) {
    const box = await this.get("#scrub").boundingBox();
    const { end, axis } = await this.state(); // the axis also holds the run before an edit
    await this.get("#scrub").click({ position: { x: part * end / axis * box.width, y: box.height - 4 } });
    await this.until((s) => Math.abs(s.time / s.end - part) < 0.05);
  }

  // goToEnd goes to after the last event.
  async goToEnd() {
    await this.get("#scrub").press("End");
    await this.until((s) => s.event === s.events);
  }

  // focusIs waits until the element with that id has the focus.
  focusIs(id) {
    return this.eventually(() => this.page.evaluate(() => document.activeElement.id), (active) => active === id);
  }

  // stage is what the stage says in words, for those who do not see it.
  stage() {
    return this.get("#stage > svg:visible").getAttribute("aria-label");
  }

  // written is all text on the stage.
  written() {
    return this.get("#stage > svg:visible").evaluate((svg) => [...svg.querySelectorAll("text")].map((text) => text.textContent).join("\n"));
  }

  // drawing is the stage as it is drawn, shortened to one word: equal
  // drawings have equal words.
  async drawing() {
    const drawn = await this.get("#stage > svg:visible").evaluate((svg) => [...svg.children].map((g) =>
      [g.dataset.k, ...["transform", "opacity", "class"].map((name) => g.getAttribute(name)), g.innerHTML].join(" ")));
    return createHash("sha256").update(drawn.join("\n")).digest("hex").slice(0, 16);
  }

  // inbox are the rows of the inbox: {order, done}.
  inbox() {
    return this.get("#stage > svg:visible").evaluate((svg) => [...svg.querySelectorAll(".irow")].map((row) => ({
      order: row.dataset.message, done: row.querySelector(".mail") !== null,
    })));
  }
}
