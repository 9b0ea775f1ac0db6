// course.js marks on the course map what this browser has kept of the lessons,
// copies that as a link, takes it from one, and clears it. What is kept is the
// matter of wasm/player: {v: 1, at: step, done: [steps]} a lesson; without
// storage the map stays as it is.
"use strict";
(() => {
  const cards = [...document.querySelectorAll("[data-lesson]")];
  const byId = (id) => document.getElementById(id);
  const name = (slug) => "ticketrail.lesson." + slug;
  const version = "1";
  const longest = 4096; // characters of a link's progress

  // read returns what is kept of a lesson; a text that is not understood is as
  // none.
  function read(slug) {
    try {
      const kept = JSON.parse(localStorage.getItem(name(slug)));
      if (kept?.v === 1) return kept;
    } catch { /* no storage, or another's text */ }
    return { v: 1 };
  }

  function write(slug, kept) {
    try {
      localStorage.setItem(name(slug), JSON.stringify(kept));
      return true;
    } catch {
      return false;
    }
  }

  // done are the steps of a card's lesson that are over, of those that it has.
  function done(card) {
    const steps = read(card.dataset.lesson).done;
    return Array.isArray(steps) ? sound(steps, Number(card.dataset.steps)) : [];
  }

  const sound = (steps, of) => [...new Set(steps)].filter((n) => Number.isInteger(n) && n >= 1 && n <= of).sort((a, b) => a - b);
  const whole = (card) => done(card).length === Number(card.dataset.steps);

  // ---- marks
  function mark() {
    let lessons = 0, steps = 0, of = 0, next = null, begun = false;
    for (const card of cards) {
      const over = done(card).length, all = Number(card.dataset.steps), kept = read(card.dataset.lesson);
      const link = card.querySelector("a[data-way]");
      card.querySelector(".stamp")?.remove();
      card.querySelector(".so-far")?.remove();
      link.setAttribute("href", link.dataset.way);
      steps += over;
      of += all;
      if (over === all) {
        lessons++;
        stamp(card, "Done", "done");
        continue;
      }
      const at = Number.isInteger(kept.at) && kept.at > 1 && kept.at <= all ? kept.at : 0;
      if (over > 0 || at) {
        begun = true;
        stamp(card, "Carry on", "on");
        soFar(card, `${over} of ${all} steps`);
        if (at) link.setAttribute("href", `${link.dataset.way}#step-${at}`);
      } else {
        next ??= card;
      }
    }
    if (lessons > 0 && !begun && next) stamp(next, "Next", "next");
    const tally = byId("progress");
    if (!tally) return;
    tally.hidden = steps === 0;
    byId("tally").textContent = `${lessons} of ${cards.length} lessons and ${steps} of ${of} steps done`;
  }

  function stamp(card, text, kind) {
    const element = document.createElement("em");
    element.className = "stamp " + kind;
    element.textContent = text;
    card.querySelector(".ltn").after(element);
  }

  function soFar(card, text) {
    const element = document.createElement("span");
    element.className = "so-far";
    element.textContent = text;
    card.querySelector(".ltm").firstElementChild.after(element);
  }

  // ---- what a lesson needs is shown while it is pointed at
  function needs(slug, found = new Set()) {
    for (const card of cards) {
      if (card.dataset.lesson !== slug) continue;
      for (const before of card.dataset.needs.split(" ").filter(Boolean)) {
        if (!found.has(before)) needs(before, found.add(before));
      }
    }
    return found;
  }
  const show = (slug) => {
    const found = slug ? needs(slug) : new Set();
    for (const card of cards) card.classList.toggle("needed", found.has(card.dataset.lesson));
  };
  for (const card of cards) {
    card.addEventListener("pointerenter", () => show(card.dataset.lesson));
    card.addEventListener("pointerleave", () => show(""));
    card.addEventListener("focusin", () => show(card.dataset.lesson));
    card.addEventListener("focusout", () => show(""));
  }

  // ---- as a link: 1;ticket-rail:1-5,7;ack-after-work:1
  function ranges(steps) {
    const parts = [];
    for (const n of steps) {
      const last = parts.at(-1);
      if (last && last[1] === n - 1) last[1] = n;
      else parts.push([n, n]);
    }
    return parts.map(([from, to]) => from === to ? from : `${from}-${to}`).join(",");
  }

  function link() {
    const parts = cards.map((card) => [card.dataset.lesson, done(card)]).filter(([, steps]) => steps.length > 0);
    const text = [version, ...parts.map(([slug, steps]) => `${slug}:${ranges(steps)}`)].join(";");
    return `${location.origin}${location.pathname}#progress=${text}`;
  }

  // parse reads a link's progress: the lessons that the map has, with steps
  // that they have, or null when it is none of ours.
  function parse(text) {
    const [v, ...parts] = text.split(";");
    if (text.length > longest || v !== version || parts.length > 10 * cards.length + 10) return null;
    const found = new Map();
    for (const part of parts) {
      const match = /^([a-z0-9-]+):((?:\d{1,3}(?:-\d{1,3})?,?)+)$/.exec(part);
      if (!match) return null;
      const card = cards.find((c) => c.dataset.lesson === match[1]);
      if (!card) continue; // of another course, or of a later version
      const steps = [];
      for (const range of match[2].split(",").filter(Boolean)) {
        const [from, to = from] = range.split("-").map(Number);
        for (let n = from; n <= Math.min(to, Number(card.dataset.steps)); n++) steps.push(n);
      }
      found.set(card, sound(steps, Number(card.dataset.steps)));
    }
    return found;
  }

  function merge() {
    const text = /^#progress=(.*)$/.exec(location.hash)?.[1];
    if (text === undefined) return;
    history.replaceState(null, "", location.pathname + location.search);
    let found = null;
    try {
      found = parse(decodeURIComponent(text));
    } catch { /* not an address */ }
    if (!found) return tell("This link's progress cannot be read, so nothing has changed. Copy it again where it was made.");
    let added = 0, refused = false;
    for (const [card, steps] of found) {
      const kept = read(card.dataset.lesson), before = done(card);
      const all = sound([...before, ...steps], Number(card.dataset.steps));
      if (all.length === before.length) continue;
      if (write(card.dataset.lesson, { ...kept, done: all })) added += all.length - before.length;
      else refused = true;
    }
    if (refused) return tell("This browser keeps nothing here, so the link's progress could not be taken over.");
    tell(added === 0 ? "All of this link's progress was here already." : `Taken over from the link: ${counted(added, "step")}. What was here before is still there.`);
  }

  const counted = (n, what) => `${n} ${what}${n === 1 ? "" : "s"}`;

  function tell(text, ...buttons) {
    const told = byId("told");
    if (!told) return;
    told.hidden = false;
    const span = document.createElement("span");
    span.textContent = text;
    told.replaceChildren(span, ...buttons);
  }

  // ---- buttons
  function copied(text, could) {
    if (could) return tell("Copied. Open the link in another browser, and what is done here is done there.");
    const field = document.createElement("input");
    field.className = "btn";
    field.value = text;
    field.readOnly = true;
    field.setAttribute("aria-label", "Progress as a link");
    tell("Copying is not allowed here. This is the link:", field);
    field.select();
  }

  byId("copy-progress")?.addEventListener("click", () => {
    const text = link();
    window.ticketrail.copy(text, (could) => copied(text, could));
  });

  byId("clear-progress")?.addEventListener("click", () => {
    const before = cards.map((card) => [card.dataset.lesson, localStorage.getItem(name(card.dataset.lesson))]).filter(([, kept]) => kept !== null);
    for (const [slug] of before) localStorage.removeItem(name(slug));
    mark();
    const undo = document.createElement("button");
    undo.type = "button";
    undo.className = "btn";
    undo.textContent = "Undo";
    undo.addEventListener("click", () => {
      for (const [slug, kept] of before) localStorage.setItem(name(slug), kept);
      mark();
      tell("It is all there again.");
      byId("clear-progress").focus();
    });
    tell("The progress, and the answers with it, are cleared in this browser.", undo);
    undo.focus();
  });

  merge();
  mark();
  addEventListener("hashchange", () => { merge(); mark(); });
  addEventListener("pageshow", mark); // back from a lesson
  addEventListener("storage", mark);
})();
