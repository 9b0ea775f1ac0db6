// recorded.js plays a page's first run before the program is there, and where
// it cannot run: from what was recorded when the site was built, one recording
// for each drawing of the stage. wasm/view/recording.go writes them and
// describes the format; both sides change together. When the program is there,
// it takes over at the same instant.
"use strict";
(() => {
  const script = document.currentScript, root = document.documentElement, shared = window.ticketrail;
  const query = new URLSearchParams(location.search);
  // What an address asks for was not recorded, and who wants no motion has none.
  if (location.hash.length > 1 || query.get("view") === "text" || query.has("words") || matchMedia("(prefers-reduced-motion: reduce)").matches) return;

  const patience = 1000; // milliseconds
  const base = new URL(".", script.src);
  const coming = new Map(); // by size: promises of those that were asked for
  const recordings = new Map(); // by size: {head, frames}
  const element = (id) => document.getElementById(id);
  const next = [...element("next")?.childNodes ?? []].map((node) => node.cloneNode(true));
  let run = null; // the recording that is on the stage
  let at = -1; // the frame that is on the stage
  let playing = false, since = 0, from = 0; // when play began, and at which frame
  let wanted = false; // play was pressed before the recording was there
  let over = false; // the program has taken over

  function shown() {
    const drawing = [...document.querySelectorAll("#stage > svg[data-size]")].find((svg) => svg.getBoundingClientRect().width > 0);
    return drawing?.dataset.size ?? "";
  }

  // ready reports whether the recording of the drawing that is shown is there,
  // and has it fetched otherwise: as a script, which every host sends, and a
  // sandboxed frame may have.
  function ready() {
    const size = shown();
    const found = recordings.get(size);
    if (found && run !== found) {
      run = found;
      at = -1;
      show(0);
    }
    const name = script.dataset[size];
    if (!found && name && !coming.has(size)) {
      const fetched = document.createElement("script");
      coming.set(size, new Promise((done) => { fetched.onload = fetched.onerror = done; }));
      fetched.src = new URL(name, base);
      fetched.fetchPriority = "high";
      document.head.append(fetched);
    }
    return found !== undefined;
  }

  // recording is called by the script that was fetched, with its bytes as
  // letters.
  shared.recording = (text) => {
    if (over) return;
    const bytes = new Uint8Array(text.length), view = new DataView(bytes.buffer);
    for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i);
    let byte = bytes.indexOf(10) + 1;
    const head = JSON.parse(text.slice(0, byte)), frames = [];
    while (byte < bytes.length) {
      const time = view.getUint32(byte, true), buffers = [];
      const count = view.getUint16(byte + 4, true);
      byte += 6;
      for (let n = 0; n < count; n++) {
        const length = view.getUint32(byte, true), stage = view.getUint32(byte + 4, true);
        buffers.push({ bytes: bytes.subarray(byte + 8, byte + 8 + length), stage });
        byte += 8 + length;
      }
      frames.push({ time: (time & 0x7fffffff) / 1e6, halts: time >>> 31 === 1, buffers });
    }
    recordings.set(head.size, { head, frames });
    root.dataset.recorded = "";
    if (wanted) play();
  };

  // ---- what is shown
  function frame(n) {
    for (const { bytes, stage } of run.frames[n].buffers) shared.paint(bytes, bytes.length, run.head.size, stage);
    at = n;
  }

  // show goes to a frame: each is what has changed since the one before.
  function show(n) {
    if (n < at || at < 0) frame(0);
    while (at < n) frame(at + 1);
  }

  function begin() {
    if (root.dataset.recorded !== "") return;
    root.dataset.recorded = "used";
    element("next")?.replaceChildren(...next); // a note on loading may stand there
  }

  function look() {
    const button = element("play");
    button?.setAttribute("aria-label", playing ? "Pause" : "Play");
    button?.querySelector("use")?.setAttribute("href", playing ? "#g-pause" : "#g-play");
  }

  function play() {
    wanted = false;
    shared.wanted = "";
    begin();
    if (at === run?.frames.length - 1) at = -1;
    if (!ready()) return;
    if (at < 0) show(0);
    [playing, since, from] = [true, performance.now(), at];
    look();
    requestAnimationFrame(move);
  }

  function move(now) {
    if (!playing) return;
    const { head, frames } = run;
    const to = Math.min(frames.length - 1, from + Math.max(0, Math.floor((now - since) / 1000 * head.rate)));
    while (at < to) {
      frame(at + 1);
      if (frames[at].halts) return pause();
    }
    if (at === frames.length - 1) return ended();
    requestAnimationFrame(move);
  }

  // ended is the end of what was recorded, which may be before that of the run.
  function ended() {
    pause();
    if (run.frames[at].time < run.head.end && root.dataset.program === "loading") shared.wanted = "play";
  }

  function pause() {
    playing = false;
    look();
    const time = Math.min(run.frames[at].time, run.head.end), spoken = `${time.toFixed(2)} s`;
    element("scrub")?.setAttribute("aria-valuenow", Math.round(time * 1000));
    element("scrub")?.setAttribute("aria-valuetext", spoken);
  }

  // go moves to a part of the axis, 0 to 1.
  function go(part) {
    if (!ready()) return;
    begin();
    const time = Math.max(0, Math.min(part, 1)) * run.head.axis;
    let n = 0;
    while (n + 1 < run.frames.length && run.frames[n + 1].time <= time) n++;
    show(part >= 1 ? run.frames.length - 1 : n);
    pause();
  }

  // ---- what readers do
  const idle = () => over || root.dataset.recorded === undefined;
  let dragged = false;

  function along(event) {
    const box = element("scrub").getBoundingClientRect();
    go((event.clientX - box.left) / box.width);
  }

  document.addEventListener("pointerdown", (event) => {
    if (idle() || !event.target.closest?.("#scrub")) return;
    dragged = true;
    along(event);
  });
  document.addEventListener("pointermove", (event) => { if (dragged && !idle()) along(event); });
  for (const name of ["pointerup", "pointercancel"]) document.addEventListener(name, () => { dragged = false; });

  document.addEventListener("keydown", (event) => {
    if (idle() || event.target.id !== "scrub" || !ready()) return;
    const now = run.frames[Math.max(at, 0)].time / run.head.axis;
    const to = { Home: 0, End: 1, ArrowRight: now + .02, ArrowUp: now + .02, ArrowLeft: now - .02, ArrowDown: now - .02, PageUp: now + .1, PageDown: now - .1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    go(to);
  });
  document.addEventListener("click", (event) => {
    const id = event.target.closest?.("button")?.id;
    if (!idle() && (id === "restart" || id === "end")) go(id === "end" ? 1 : 0);
  });

  shared.recorded = {
    // toggle plays or pauses, and reports whether it could.
    toggle() {
      if (over) return false;
      if (playing) {
        pause();
        return true;
      }
      wanted = !ready();
      if (!wanted) play();
      return !wanted;
    },
    // come waits for the recording, but not long. The program is compiled on all
    // processors: begun before, it would be there first, and nothing moves
    // until then.
    come() {
      ready();
      return Promise.race([Promise.all(coming.values()), new Promise((done) => setTimeout(done, patience))]);
    },
    // used reports whether the recording has written what happens next.
    used: () => root.dataset.recorded === "used",
    // handOver leaves the stage to the program, and says where it is, as JSON:
    // nothing when it was not touched.
    handOver() {
      over = true;
      if (at < 0 || root.dataset.recorded !== "used") return "";
      const state = { time: run.frames[at].time, playing, halted: !playing && run.frames[at].halts };
      playing = false;
      return JSON.stringify(state);
    },
  };
  // The page is laid out here for the first time; the fetch is on its way before
  // the program keeps the browser busy.
  if (!root.dataset.asked || typeof WebAssembly !== "object") ready();
})();
