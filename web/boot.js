// boot.js starts the program over the finished page, if it has one, and looks
// after what must work without it: the theme, the list of keys, and a readable
// sentence when the program cannot run. It is loaded in the head, so that a
// chosen theme is there before the first paint and the download begins at once.
"use strict";
(() => {
  const script = document.currentScript;
  const base = new URL(".", script.src);
  const root = document.documentElement;
  // From the first paint on, the page is as the program will show it.
  if (script.dataset.program && typeof WebAssembly === "object") root.dataset.program = "loading";
  root.dataset.scripts = ""; // what needs them is shown

  // A page in a frame may be refused its storage, and go-app reads it at the
  // start. A Map takes its place then, and nothing is remembered.
  for (const name of ["localStorage", "sessionStorage"]) {
    try {
      window[name].getItem("");
    } catch {
      const kept = new Map();
      Object.defineProperty(window, name, { value: {
        getItem: (key) => kept.get(String(key)) ?? null,
        setItem: (key, value) => void kept.set(String(key), String(value)),
        removeItem: (key) => void kept.delete(String(key)),
        clear: () => kept.clear(),
        key: (n) => [...kept.keys()][n] ?? null,
        get length() { return kept.size; },
      } });
    }
  }

  // ---- theme: the system's, unless the reader has chosen
  // or, in a frame, the page around
  const embedded = script.dataset.asked === "no";
  const chosen = embedded ? new URLSearchParams(location.search).get("theme") : localStorage.getItem("ticketrail.theme");
  if (chosen === "light" || chosen === "dark") root.dataset.theme = chosen;
  const isDark = () => root.dataset.theme
    ? root.dataset.theme === "dark"
    : matchMedia("(prefers-color-scheme: dark)").matches;
  const toggleTheme = () => {
    root.dataset.theme = isDark() ? "light" : "dark";
    try { localStorage.setItem("ticketrail.theme", root.dataset.theme); } catch { /* a full or refused storage */ }
  };

  // a page that is asked for as text has no stage, from the first paint on
  const view = new URLSearchParams(location.search).get("view");
  if (view === "text" || view === "present") root.dataset.view = view;

  // ---- present mode, for projectors: css/present.css leaves the stage, the
  // transport and what is asked. It needs no program. Where the browser allows
  // it, it fills the screen; to leave that leaves the mode as well.
  const presenting = () => root.dataset.view === "present";
  let filled = false;

  function present(on) {
    if (on === presenting()) return;
    if (on) root.dataset.view = "present";
    else delete root.dataset.view;
    remembered();
    const query = new URLSearchParams(location.search);
    if (on) query.set("view", "present");
    else query.delete("view");
    history.replaceState(history.state, "", location.pathname + (query.size ? "?" + query : "") + location.hash);
    if (on) root.requestFullscreen?.().catch(() => { /* not allowed here: the page alone is large, too */ });
    else if (document.fullscreenElement) document.exitFullscreen().catch(() => { /* it has ended by itself */ });
    document.getElementById(on ? "play" : "present")?.focus({ preventScroll: !on });
    const said = document.getElementById("said");
    if (said) said.textContent = on ? "Presenting: the stage and the time. Escape leaves." : "The whole page again.";
  }

  document.addEventListener("fullscreenchange", () => {
    if (filled && !document.fullscreenElement) present(false);
    filled = document.fullscreenElement !== null;
  });
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && !event.defaultPrevented && presenting() && !document.querySelector("dialog[open]")) present(false);
  });

  // go-app stops at an address that it cannot read: a damaged link opens the
  // page as it is.
  try {
    decodeURIComponent(location.hash);
  } catch {
    history.replaceState(null, "", location.pathname + location.search);
  }

  // ---- what the program finds: the page's stage, and what was pressed too early
  const shared = window.ticketrail = { wanted: "", stage: null, paint, paintTwin, tabTo, copy, save, readFile, remember, remembered, frames };
  let painted = ""; // which of the stage's drawings paint.js holds

  // paint shows what has changed: the first bytes are the stage's, the others,
  // up to length, what is live beside it.
  function paint(bytes, length, size, stage) {
    if (stage > 0 && sought.size > 0) scroll();
    if (stage > 0 && size !== painted) {
      painted = size;
      ticketrailPaint.attach(shared.stage.querySelector(`[data-size="${size}"]`) ?? shared.stage);
    }
    if (stage > 0) ticketrailPaint.apply(bytes.subarray(0, stage));
    if (length > stage) live(bytes.subarray(stage, length));
  }

  // paintTwin does it for the stage of the run before, an element that comes
  // and goes.
  let twin = { element: null, painter: null };
  function paintTwin(bytes, length) {
    const element = document.getElementById("twin");
    if (!element) return;
    if (element !== twin.element) twin = { element, painter: ticketrailPaint.create(element) };
    twin.painter.apply(bytes.subarray(0, length));
  }

  // frames calls step once a frame, until it says that there is no more to do.
  function frames(step) {
    requestAnimationFrame(function next(now) {
      if (step(now)) requestAnimationFrame(next);
    });
  }

  // remember notes the fragment that the page's address is to have. It is
  // written once the next frame is painted: to write it has the browser lay the
  // page out, and in the midst of changes it would do so twice.
  let fragment = null, before = ""; // what is noted, and what stood there then

  function remember(wanted) {
    if (fragment === null) {
      before = location.hash;
      requestAnimationFrame(() => setTimeout(remembered));
      setTimeout(remembered, 200); // where no frame is painted
    }
    fragment = wanted;
  }

  // remembered writes it now: who reads the address, or leaves, finds it there.
  function remembered() {
    if (fragment === null) return;
    if (location.hash !== before) { // a link was opened since: that counts
      fragment = null;
      return;
    }
    history.replaceState(null, "", location.pathname + location.search + (fragment && "#" + fragment));
    fragment = null;
  }
  document.addEventListener("click", remembered, true);
  document.addEventListener("visibilitychange", remembered);
  addEventListener("pagehide", remembered);

  // copy puts a text on the clipboard, in the old way where the new one is
  // refused, and says whether it could.
  async function copy(text, done) {
    try {
      await navigator.clipboard.writeText(text);
      return done(true);
    } catch { /* not allowed here, or not over this connection */ }
    const active = document.activeElement;
    const field = document.createElement("textarea");
    field.value = text;
    field.className = "vh";
    document.body.append(field);
    field.select();
    let could = false;
    try { could = document.execCommand("copy"); } catch { /* nor in this way */ }
    field.remove();
    active?.focus({ preventScroll: true });
    done(could);
  }

  // save has the browser save a text as a file.
  function save(name, text) {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([text], { type: "application/yaml" }));
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  }

  // readFile reads the file that was chosen in a field, and empties the field,
  // so that the same file can be chosen again. What is larger than a scenario
  // may be is read no further than it takes to say so.
  async function readFile(id, done) {
    const field = document.getElementById(id), file = field?.files[0];
    if (!file) return;
    const text = await file.slice(0, (1 << 20) + 1).text();
    field.value = "";
    done(file.name, text);
  }

  // A file that is dropped onto the page is as one that was chosen.
  for (const name of ["dragover", "drop"]) {
    document.addEventListener(name, (event) => {
      const field = document.getElementById("open-file");
      if (!field || !event.dataTransfer?.types.includes("Files")) return;
      event.preventDefault();
      if (name !== "drop" || event.dataTransfer.files.length === 0) return;
      field.files = event.dataTransfer.files;
      field.dispatchEvent(new Event("change", { bubbles: true }));
    });
  }

  // ---- what is live: written past go-app while time moves. The format is that
  // of wasm/view/live.go; both sides change together.
  const slots = ["clock-faint", "clock-now", "v-waiting", "v-flight", "v-dead", "v-wait", "next-time", "next-text",
    "hover-time", "accepted", "lost", "twice"]; // and one for each share
  const kept = new Map(); // elements by what finds them
  const utf8 = new TextDecoder();

  function find(selector) {
    let element = kept.get(selector);
    if (!element?.isConnected) kept.set(selector, element = document.querySelector(selector));
    return element;
  }

  function write(selector, text) {
    const element = find(selector);
    if (!element) return;
    const first = element.firstChild;
    if (first && first === element.lastChild && first.nodeType === Node.TEXT_NODE) first.data = text;
    else element.textContent = text;
  }

  const move = (selector, transform) => { const element = find(selector); if (element) element.style.transform = transform; };

  function share(item, width, count) {
    const element = find("#share-" + item);
    if (!element) return;
    for (const name of [...element.classList]) if (/^n\d+$/.test(name)) element.classList.remove(name);
    element.classList.add("n" + width);
    const cells = element.querySelector(".cells");
    while (cells.children.length > Math.max(count, 1)) cells.lastChild.remove();
    while (cells.children.length < count) cells.append(document.createElement("i"));
    cells.firstChild.className = count ? "" : "none";
  }

  // current marks a row of the transcript and keeps it in sight within its box.
  // A list that has taken the place of another one takes over its focus, and is
  // at its row before it is painted.
  let listed, focusedRow;
  document.addEventListener("focusin", (event) => { focusedRow = event.target.closest("#sentences .row"); });

  function current(row) {
    const list = find("#sentences");
    if (!list) return;
    const replaced = listed && listed !== list;
    listed = list;
    if (replaced && focusedRow && !focusedRow.isConnected) {
      list.querySelector(`[data-event="${focusedRow.dataset.event}"]`)?.focus({ preventScroll: true });
    }
    list.querySelector(".cur")?.classList.remove("cur");
    list.querySelector("[aria-current]")?.removeAttribute("aria-current");
    const item = list.children[row];
    if (!item) return;
    item.classList.add("cur");
    item.querySelector(".row")?.setAttribute("aria-current", "true");
    reveal(list, item, 0);
    if (replaced) scroll();
  }

  // atLine shows who is at a line of the card, the last one's colour behind it,
  // and what was raised there last.
  const mostBadges = 3;
  function atLine(line, workers, error) {
    for (const name of [...line.classList]) if (/^(live|w-[a-z])$/.test(name)) line.classList.remove(name);
    if (workers.length) line.classList.add("live", "w-" + workers.at(-1).colour);
    const shown = workers.length > mostBadges ? workers.slice(0, mostBadges - 1) : workers;
    const badges = shown.map((w) => Object.assign(document.createElement("span"), {
      className: `who w-${w.colour}${w.down ? " down" : ""}`, title: w.title, textContent: w.letter,
    }));
    if (shown.length < workers.length) badges.push(Object.assign(document.createElement("span"), { className: "tech", textContent: "+" + (workers.length - shown.length) }));
    line.querySelector(".whos").replaceChildren(...badges);
    const raised = line.querySelector(".raised");
    if (!raised) return;
    raised.classList.toggle("on", error !== "");
    raised.title = error;
    raised.lastElementChild.textContent = error;
  }

  // lived marks a line of the biography, and what is still to come.
  function lived(line) {
    find("#life")?.querySelectorAll("ol > li").forEach((item, n) => {
      item.classList.toggle("here", n === line);
      if (n === line) item.querySelector(".line")?.setAttribute("aria-current", "true");
      else item.querySelector("[aria-current]")?.removeAttribute("aria-current");
    });
  }

  const laneMargin = 44; // two lanes

  // lane keeps a row of the lanes in sight, unless a pointer reads them.
  function lane(row) {
    const box = find("#lanes"), item = box?.querySelectorAll(".lane")[row];
    if (item && !box.matches(":hover")) reveal(box, item, laneMargin);
  }

  // reveal scrolls a box so that an item in it is in sight, with a margin; not
  // at once but at the start of the next frame that is painted, or a moment
  // later: asked in the middle of one for places, the browser would have to lay
  // out the page twice.
  const sought = new Map(); // by box: {item, margin}
  let later = 0;

  function reveal(box, item, margin) {
    sought.set(box, { item, margin });
    later ||= setTimeout(scroll, 100);
  }

  function scroll() {
    clearTimeout(later);
    later = 0;
    for (const [box, { item, margin }] of sought) {
      const top = item.offsetTop - (item.offsetParent === box ? 0 : box.offsetTop), bottom = top + item.offsetHeight;
      if (top - margin < box.scrollTop || bottom + margin > box.scrollTop + box.clientHeight) box.scrollTop = top - box.clientHeight / 3;
    }
    sought.clear();
  }

  function live(bytes) {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    let at = 0;
    const u8 = () => bytes[at++];
    const i16 = () => { at += 2; return view.getInt16(at - 2, true); };
    const i32 = () => { at += 4; return view.getInt32(at - 4, true); };
    const f64 = () => { at += 8; return view.getFloat64(at - 8, true); };
    const text = () => {
      const from = at + 2;
      at = from + view.getUint16(at, true);
      return utf8.decode(bytes.subarray(from, at));
    };
    const operations = [
      null,
      () => {
        const part = `translateX(${f64() * 100}%)`;
        move("#now-track", part);
        move("#now-over", part);
        move("#to-come", part);
      },
      () => {
        const part = f64();
        find("#reading")?.classList.toggle("on", part >= 0);
        move("#reading", `translateX(${part * 100}%)`);
      },
      () => {
        const slot = u8();
        write(slot < slots.length ? "#" + slots[slot] : `#share-${slot - slots.length} b`, text());
      },
      () => { const dot = u8(); move("#dot-" + dot, `translateY(${i16() / 10}px)`); },
      () => share(u8(), u8(), u8()),
      () => { const tally = ["lost", "twice"][u8()]; find("#tally-" + tally)?.classList.toggle("bad", u8() > 0); },
      () => current(i32()),
      () => lane(i32()),
      () => lived(i32()),
      () => {
        const value = f64(), spoken = text(), slider = find("#scrub");
        slider?.setAttribute("aria-valuenow", value);
        slider?.setAttribute("aria-valuetext", spoken);
      },
      () => {
        const lines = [...document.querySelectorAll(".code .ln")];
        for (const line of lines) atLine(line, [], "");
        for (let count = i16(); count > 0; count--) {
          const line = lines[i16() - 1], workers = [];
          for (let n = u8(); n > 0; n--) workers.push({ letter: text(), colour: String.fromCharCode(u8()), down: u8() > 0, title: text() });
          const error = text();
          if (line) atLine(line, workers, error);
        }
      },
      () => {
        const marks = i32(), stops = i32(), row = find("#marks");
        row?.querySelectorAll("[data-mark]").forEach((mark) => mark.classList.toggle("past", mark.dataset.mark < marks));
        row?.querySelectorAll(".flag").forEach((flag, n) => flag.classList.toggle("past", n < stops));
      },
    ];
    while (at < bytes.length) operations[u8()]();
  }

  // tabTo makes one mark of a group the one to which Tab leads.
  function tabTo(group, id) {
    for (const element of document.querySelectorAll(`#${group} [data-mark]`)) element.setAttribute("tabindex", element.id === id ? 0 : -1);
  }

  document.addEventListener("click", (event) => {
    // go-app would take a link for one to another page of its own
    if (event.target.closest("a[href]")) event.stopPropagation();
    const button = event.target.closest("[data-do]");
    if (!button) return;
    switch (button.dataset.do) {
      case "theme": return toggleTheme();
      case "stage": // go-app would only scroll there
        event.preventDefault();
        event.stopPropagation();
        return shared.stage.focus();
      case "open": // go-app would go there by itself, without the fragment
        event.stopPropagation();
        button.hash = location.hash;
        return;
      case "present": return present(true);
      case "leave": return present(false);
      case "keys": return document.getElementById("keys").showModal();
      case "retry": return start();
      case "reload": return location.reload();
      case "play":
        if (root.dataset.program !== "running" && shared.recorded) shared.ask();
        if (shared.recorded?.toggle()) return;
        if (root.dataset.program === "loading") {
          shared.wanted = "play";
          say("Loading. It plays as soon as it is here.");
          shared.ask();
        }
    }
  });

  const say = (text, failed) => {
    const next = document.getElementById(embedded ? "begin" : "next");
    if (next && !failed && !shared.recorded?.used()) next.textContent = text;
    const notice = document.getElementById("notice");
    if (!notice || !failed) return;
    notice.hidden = false;
    notice.querySelector("span").textContent = text;
  };

  if (!script.dataset.program) return; // a page that is whole without one

  // ---- the program
  window.goappGetenv = (key) => ({
    GOAPP_ROOT_PREFIX: base.pathname.replace(/\/$/, ""),
    GOAPP_STATIC_RESOURCES_URL: base.href.replace(/\/$/, ""),
    GOAPP_INTERNAL_URLS: "null",
    GOAPP_VERSION: script.dataset.program,
  })[key] ?? "";

  const url = new URL(script.dataset.program, base);
  const size = Number(script.dataset.size);
  const unsupported = typeof WebAssembly !== "object";
  let fetched = null;
  const scripted = script.dataset.program === script.dataset.inlined; // where there is nothing to fetch
  const fetching = () => {
    if (unsupported || scripted) return;
    fetched = fetch(url, { priority: "low" }); // the page and its recording come first
    fetched.catch(() => {}); // reported by start
  };
  if (!embedded) fetching();

  // What the program does at its beginning keeps the browser from all else. Where
  // a recording plays meanwhile, it is compiled beside the page and begins when
  // the reader does something, or after a while.
  const longest = 10_000; // milliseconds
  let wanted;
  const gesture = new Promise((done) => { wanted = done; });
  for (const name of ["pointermove", "pointerdown", "touchstart", "wheel", "keydown", "focusin"]) {
    addEventListener(name, () => wanted(), { once: true, passive: true, capture: true });
  }
  const moment = () => root.dataset.recorded === undefined || embedded ? undefined : Promise.race([gesture, new Promise((done) => setTimeout(done, longest))]);

  // An embedded page fetches the program when the reader asks for it.
  let asked = !embedded;
  if (embedded) root.dataset.asked = "no";
  shared.ask = () => {
    wanted();
    if (asked) return;
    asked = true;
    delete root.dataset.asked;
    fetching();
    start();
  };

  // fromScript is called where nothing may be fetched: in a sandboxed frame,
  // when the host sends no CORS header, or from a disk. The program then comes
  // as a script, which needs no permission.
  function fromScript() {
    return new Promise((done, failed) => {
      shared.inlined = (text) => {
        const packed = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
        const unpacked = new Response(packed).body.pipeThrough(new DecompressionStream("gzip"));
        new Response(unpacked).arrayBuffer().then((bytes) => WebAssembly.compile(bytes)).then(done, failed);
      };
      const element = document.createElement("script");
      element.src = new URL(script.dataset.inlined, base);
      element.onerror = () => failed(new Error("it could not be fetched"));
      document.head.append(element);
    });
  }

  async function compile() {
    if (scripted) return fromScript();
    const coming = fetched ?? fetch(url);
    fetched = null; // one that fails is not waited for again
    let response;
    try {
      response = await coming;
    } catch (error) {
      if (!script.dataset.inlined || self.origin !== "null") throw error;
      return fromScript();
    }
    if (!response.ok) throw new Error("the server answered " + response.status);
    if (root.dataset.recorded === undefined) count(response.clone());
    try {
      return await WebAssembly.compileStreaming(response);
    } catch { // a wrong MIME type, or no streaming
      const again = await fetch(url);
      return WebAssembly.compile(await again.arrayBuffer());
    }
  }

  // count shows how much has come, in bytes of the unpacked program.
  async function count(response) {
    const reader = response.body.getReader();
    for (let got = 0; ;) {
      const { done, value } = await reader.read();
      if (done || root.dataset.program !== "loading") return;
      got += value.byteLength;
      if (embedded || !shared.wanted) say("Loading the program: " + Math.min(100, Math.round(got / size * 100)) + "%");
    }
  }

  // whole says what there is without the program.
  const whole = () => shared.recorded
    ? "The run can be played as it was recorded, and the transcript tells all of it."
    : "The picture and the transcript show the whole run.";

  async function start() {
    const notice = document.getElementById("notice");
    notice.hidden = true;
    if (unsupported) {
      root.dataset.program = "none";
      say("This browser has no WebAssembly, so nothing can be changed here. " + whole(), true);
      return;
    }
    root.dataset.program = "loading";
    try {
      await shared.recorded?.come();
      const go = new Go();
      const [program] = await Promise.all([compile(), moment()]);
      const instance = await WebAssembly.instantiate(program, go.importObject);
      const over = go.run(instance);
      root.dataset.program = "running";
      await over;
      stopped();
    } catch (error) {
      if (root.dataset.program === "running") return stopped(error);
      root.dataset.program = "failed";
      say("The program did not load (" + error.message + "). " + whole(), true);
    }
  }

  function stopped(error) {
    root.dataset.program = "stopped";
    if (error) console.error(error);
    const bar = document.getElementById("stopped");
    if (bar) bar.hidden = false;
  }

  document.addEventListener("DOMContentLoaded", () => {
    shared.stage = document.getElementById("stage");
    if (matchMedia("(max-width: 700px)").matches) {
      for (const fold of document.querySelectorAll(".fold")) fold.open = false;
    }
    // go-app puts its own tree in place of #app. The drawn stage moves into
    // the new tree before the browser paints again, and so does the focus.
    let focused = "";
    document.addEventListener("focusin", (event) => { focused = event.target.id; });
    new MutationObserver((_, observer) => {
      const slot = document.getElementById("stage");
      if (!slot || slot === shared.stage) return;
      observer.disconnect();
      slot.append(...shared.stage.childNodes);
      shared.stage = slot;
      if (focused) document.getElementById(focused)?.focus({ preventScroll: true });
    }).observe(document.body, { childList: true });
    if (asked || unsupported) start();
  });
})();
