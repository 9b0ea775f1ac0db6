// scorm.js is what a lesson in a SCORM 1.2 package has besides embed_frame.js: it
// tells the course system around it what was answered and how far the reader
// is, and opens the lesson where it was left. Where there is no course system,
// or it fails, the lesson goes on by itself and says so.
//
//   cmi.core.lesson_status    incomplete; when nothing is left to do, passed or
//                             failed, by the score
//   cmi.core.score.raw        of 100: the share of the quiz questions whose last
//                             answer is right; one that was shown is not
//   cmi.core.lesson_location  the step, from 1
//   cmi.interactions          each answer to a quiz question
//   cmi.suspend_data          JSON: the answers, as the program keeps them
//   cmi.core.session_time, cmi.core.exit
//
// The values stay within the limits of Moodle, which are those of the standard.
"use strict";
(() => {
  const { pass, lesson } = document.currentScript.dataset;
  const shared = window.ticketrail;
  const mostKept = 4096, mostText = 255, farthest = 50; // windows up to the course system
  const began = Date.now();

  // ---- the course system: an object API in a window around, or in the one that
  // has opened this one. Windows of others refuse to be looked into.
  function within(start) {
    let there = start;
    for (let n = 0; there && n < farthest; n++) {
      try {
        if (there.API && typeof there.API.LMSInitialize !== "undefined") return there.API;
      } catch { /* somebody else's */ }
      try {
        if (there.parent === there) return null;
        there = there.parent;
      } catch {
        return null;
      }
    }
    return null;
  }

  function opener() {
    try {
      return window.top.opener;
    } catch {
      return window.opener;
    }
  }

  const system = within(window.parent) ?? within(opener());
  let open = false; // initialised, and not finished
  let trouble = "";

  function call(name, ...values) {
    try {
      return String(system[name](...values));
    } catch (error) {
      fails(`${name}: ${error?.message ?? error}`);
      return "";
    }
  }

  const get = (name) => (open ? call("LMSGetValue", name) : "");
  const set = (name, value) => { if (open && call("LMSSetValue", name, String(value)) !== "true") fails(name); };

  // offer sets what a course system need not keep: the standard leaves it the choice.
  const offer = (name, value) => { if (open) call("LMSSetValue", name, String(value)); };

  function commit() {
    if (call("LMSCommit", "") !== "true") fails("LMSCommit");
  }

  function fails(what) {
    if (!trouble) console.warn("ticketrail: the course system refused " + what);
    trouble ||= "Your course system does not take what is done here: nothing more is recorded. The lesson works all the same.";
    say();
  }

  function say() {
    const text = system ? trouble : "No course system is around this page, so nothing is recorded. The lesson works all the same.";
    const note = document.getElementById("scorm");
    if (!note || !text) return;
    note.textContent = text;
    note.hidden = false;
  }

  // ---- what is kept
  const state = { kept: "", right: {}, noted: {} }; // as the program keeps it; by question, whether it was right and what was noted
  const storage = new Map();
  Object.defineProperty(window, "localStorage", { configurable: true, value: {
    getItem: (name) => storage.get(String(name)) ?? null,
    setItem(name, text) {
      storage.set(String(name), String(text));
      if (String(name).startsWith("ticketrail.embed.")) {
        state.kept = String(text);
        keep();
      }
    },
    removeItem: (name) => void storage.delete(String(name)),
    clear: () => storage.clear(),
    key: (n) => [...storage.keys()][n] ?? null,
    get length() { return storage.size; },
  } });

  // packed is what is kept, within its limit: what was drawn takes the most room,
  // and goes first, then what was given.
  function packed() {
    const kept = state.kept ? JSON.parse(state.kept) : undefined;
    const answers = Object.values(kept?.answers ?? {});
    const lighter = [() => {}, (a) => { delete a.given.curve; }, (a) => { a.given = {}; }];
    for (const change of lighter) {
      answers.forEach(change);
      const text = ascii(JSON.stringify({ v: 1, kept, right: state.right, noted: state.noted }));
      if (text.length <= mostKept) return text;
    }
    return ascii(JSON.stringify({ v: 1, right: state.right }));
  }

  const ascii = (json) => json.replace(/[^\x20-\x7e]/g, (c) => "\\u" + c.charCodeAt(0).toString(16).padStart(4, "0"));
  const keep = () => { if (recording) set("cmi.suspend_data", packed()); };

  function resume() {
    try {
      const { v, kept, right, noted } = JSON.parse(get("cmi.suspend_data") || "{}");
      if (v !== 1) return;
      Object.assign(state.right, right);
      Object.assign(state.noted, noted);
      if (!kept) return;
      state.kept = JSON.stringify(kept);
      storage.set("ticketrail.embed." + lesson, state.kept);
    } catch { /* of another version, or of something else: the lesson begins anew */ }
  }

  // ---- what is told
  let recording = true, done = false, passed = false; // the course system asks for it; nothing was left to do
  let at = 1; // the step

  function begin() {
    if (!system) return;
    open = call("LMSInitialize", "") === "true";
    if (!open) return fails("LMSInitialize");
    const mode = get("cmi.core.lesson_mode");
    const status = get("cmi.core.lesson_status");
    recording = mode !== "browse" && mode !== "review"; // it may say nothing
    passed = status === "passed" || status === "completed";
    done = passed || status === "failed";
    resume();
    const step = Number(get("cmi.core.lesson_location"));
    if (step > 1) at = step;
    if (at > 1 && location.hash.length < 2) history.replaceState(null, "", location.pathname + location.search + "#step-" + at);
    if (!recording) return;
    if (!["passed", "completed", "failed", "incomplete"].includes(status)) set("cmi.core.lesson_status", "incomplete");
    offer("cmi.core.score.min", 0);
    offer("cmi.core.score.max", 100);
    commit();
  }
  // quiz are the ids of all questions that count.
  const quiz = () => JSON.parse(document.getElementById("page").textContent).lesson.steps
    .flatMap((step) => step.blocks ?? []).filter((b) => b.question && !b.question.predict).map((b) => b.question.id);

  function score() {
    const ids = quiz();
    if (ids.length === 0) return 100;
    return Math.round(100 * ids.filter((id) => state.right[id]).length / ids.length);
  }

  const two = (n) => String(n).padStart(2, "0");
  const clock = (date) => `${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`;
  const letter = (n) => Number(n).toString(36); // one sign for each choice
  const short = (text) => text.replace(/[^\x20-\x7e]/g, "?").slice(0, mostText);

  // noted is an answer as the standard writes it, by its type.
  function noted(type, text) {
    if (type === "choice") return text.split(",").filter(Boolean).map(letter).join(",");
    return short(text);
  }

  const types = { choice: "choice", several: "choice", number: "numeric", line: "numeric", order: "fill-in", message: "fill-in", draw: "performance" };

  // fingerprint tells an answer from another one to the same question.
  const fingerprint = (text) => [...text].reduce((sum, c) => (Math.imul(sum, 31) + c.charCodeAt(0)) >>> 0, 0).toString(36);

  // answered notes an answer; those that were kept are told anew when the
  // lesson is taken up again, and are in the notes already.
  function answered({ id, right, more }) {
    const print = fingerprint(JSON.stringify([right, more.given, more.shown]));
    if (state.noted[id] === print) return;
    state.noted[id] = print;
    if (!more.shown) note(id, right, more);
    state.right[id] = right && !more.shown ? 1 : 0;
    set("cmi.core.score.raw", score());
    if (done) conclude();
    keep();
    commit();
  }

  function note(id, right, more) {
    const type = types[more.form];
    const one = "cmi.interactions." + (Number(get("cmi.interactions._count")) || 0);
    offer(one + ".id", short(id.replace(/[^A-Za-z0-9_-]/g, "_")));
    offer(one + ".type", type);
    offer(one + ".time", clock(new Date()));
    if (more.correct) offer(one + ".correct_responses.0.pattern", noted(type, more.correct));
    if (more.given) offer(one + ".student_response", noted(type, more.given));
    offer(one + ".result", right ? "correct" : "wrong");
  }

  // conclude says whether a lesson with nothing left to do is passed. One that
  // is passed stays so; one that is failed can still be mended.
  function conclude() {
    const raw = score();
    set("cmi.core.score.raw", raw);
    passed ||= raw >= Number(pass);
    set("cmi.core.lesson_status", passed ? "passed" : "failed");
  }

  function heard(message) {
    if (!open || !recording) return;
    if (message.type === "answer" && message.kind === "question") answered(message);
    if (message.type === "state" && message.step !== at) set("cmi.core.lesson_location", at = message.step);
    if (message.type === "complete" && !done) {
      done = true;
      conclude();
      commit();
    }
  }

  const tell = shared.tell;
  shared.tell = (text) => {
    heard(JSON.parse(text));
    tell(text);
  };

  // ---- the end. A page that is hidden may never come back, and is only saved;
  // one that is left is finished.
  document.addEventListener("visibilitychange", () => {
    if (open && document.visibilityState === "hidden") commit();
  });
  addEventListener("pagehide", () => {
    if (!open) return;
    const seconds = Math.round((Date.now() - began) / 1000);
    set("cmi.core.session_time", `${String(Math.floor(seconds / 3600)).padStart(4, "0")}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`);
    if (recording) set("cmi.core.exit", done ? "" : "suspend");
    commit();
    call("LMSFinish", "");
    open = false;
  });
  addEventListener("pageshow", (event) => { if (event.persisted) location.reload(); });

  begin();
  document.addEventListener("DOMContentLoaded", say);
})();
