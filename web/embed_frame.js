// embed_frame.js is what an embedded lesson has besides boot.js: it reads the
// options of its address before the first paint, says how high the frame should
// be, tells the page around what happens and takes its commands. embed.js is
// the other side, for that page. The messages are version 1:
//
//   out, {type: "ticketrail:NAME", v: 1, lesson, ...}
//     resize    height in CSS pixels; also as {subject: "lti.frameResize", height}
//     ready     the frame listens: step, steps
//     state     program, playing, time and end in virtual seconds, step, steps,
//               fragment, accepted, waiting, inFlight, done, dead, lost, twice;
//               after every change at rest, and in answer to a command
//     answer    step, id, kind (prediction, question, challenge), right
//     complete  nothing is left to do in any step
//     error     problem, in words; command and id of the command it is about
//   in, {type: "ticketrail:NAME", v: 1, id?}; id comes back with the answer
//     play, pause, reset, getState
//     step      by, events to go, -1000 to 1000, 1 when it is left out
//     seek      time, virtual seconds
//
// Only the page around is listened to. Nothing here is about the reader.
"use strict";
(() => {
  const root = document.documentElement;
  const shared = window.ticketrail;
  const query = new URLSearchParams(location.search);
  const note = (text) => console.warn("ticketrail: " + text);
  const framed = window.parent !== window;

  // ---- options: a value that is none of those known is as if it were not there
  const words = ["kitchen", "plain", "sqs", "rabbitmq", "pubsub"];
  const parts = ["prose", "questions", "code", "settings", "charts", "lanes", "transcript", "outcome"];
  const options = {
    theme: ["auto", "light", "dark"], words, lang: ["en"], answers: ["show", "hide"], view: ["text"],
  };
  for (const [name, values] of Object.entries(options)) {
    const value = query.get(name);
    if (value !== null && !values.includes(value)) note(`${name}=${value} is left out: write ${values.join(", ")}.`);
  }
  for (const name of query.keys()) {
    if (!(name in options) && !["show", "unlock", "lock"].includes(name)) note(`${name} is no option.`);
  }
  const asked = (query.get("show") ?? "").split(/[\s,]+/).filter(Boolean);
  for (const name of asked) {
    if (name !== "all" && !parts.includes(name)) note(`show=${name} is left out: write ${parts.join(", ")} or all, with commas between.`);
  }
  const known = asked.filter((name) => parts.includes(name));
  const shown = asked.includes("all") ? parts : known.length > 0 ? known : ["prose", "questions", "code", "settings"];
  root.dataset.show = shown.join(" ");
  if (query.get("answers") === "hide") root.dataset.answers = "hide";

  // ---- to the page around
  const lesson = location.pathname.split("/").filter((part) => part && part !== "index.html").pop();
  const post = (message) => { if (framed) window.parent.postMessage(message, "*"); };
  const send = (type, more) => post({ type: "ticketrail:" + type, v: 1, lesson, ...more });

  // tell is called by the program, with JSON.
  shared.tell = (text) => {
    const { type, text: words, lesson: _, more: __, ...more } = JSON.parse(text); // of an answer, only whether it is right
    if (type === "note") note(words);
    else send(type, more);
  };

  let height = 0;
  function resized() {
    const now = Math.ceil(document.body.getBoundingClientRect().height);
    if (now === height) return;
    height = now;
    send("resize", { height });
    post({ subject: "lti.frameResize", height });
  }

  // ---- what was asked before the program is there
  const pressed = []; // ids of controls, in order
  const commands = [];
  const running = () => typeof shared.obey === "function" && document.getElementById("said") !== null;

  // Only what is in sight is loaded.
  let visible = false, wanted = false;
  function want() {
    wanted = true;
    if (visible) shared.ask();
  }

  document.addEventListener("click", (event) => {
    const link = event.target.closest("a[href]");
    if (link && !link.getAttribute("href").startsWith("#")) { // the frame keeps its page
      link.target = "_blank";
      link.rel = "noopener";
    }
    if (running() || root.dataset.program !== "loading") return;
    const control = event.target.closest("#app :is(button, input, select, summary, a[href^='#'])");
    if (!control || control.dataset.do === "stage" || control.dataset.do === "keys") return;
    if (control.id && control.dataset.do !== "play") pressed.push(control.id);
    want();
  }, true);

  function catchUp() {
    root.dataset.there = "";
    for (const id of pressed.splice(0)) document.getElementById(id)?.click();
    for (const command of commands.splice(0)) execute(command);
  }

  // ---- commands
  const names = ["play", "pause", "step", "reset", "seek", "getState"];

  window.addEventListener("message", (event) => {
    if (!framed || event.source !== window.parent) return;
    const message = event.data;
    if (typeof message !== "object" || message === null || typeof message.type !== "string" || !message.type.startsWith("ticketrail:")) return;
    const name = message.type.slice("ticketrail:".length);
    const about = { command: name, ...(message.id === undefined ? {} : { id: message.id }) };
    if (message.v !== 1) return send("error", { ...about, problem: "this frame speaks version 1: write v: 1" });
    if (!names.includes(name)) return send("error", { ...about, problem: `there is no command ${name}: write ${names.join(", ")}` });
    if (running()) return execute(message);
    if (name === "getState") return send("state", { ...about, ...before() });
    if (root.dataset.program !== "loading") return send("error", { ...about, problem: "the program does not run here" });
    commands.push(message);
    want();
  });

  // before is the state without the program.
  function before() {
    const steps = Math.max(document.querySelectorAll(".steps li").length, 1);
    return { program: root.dataset.program === "loading" && root.dataset.asked === "no" ? "poster" : root.dataset.program, playing: false, time: 0, step: 1, steps };
  }

  function execute(message) {
    const name = message.type.slice("ticketrail:".length);
    const { problem, ...state } = JSON.parse(shared.obey(JSON.stringify({ type: name, by: message.by, time: message.time })));
    const about = { command: name, ...(message.id === undefined ? {} : { id: message.id }) };
    if (problem) send("error", { ...about, problem });
    else send("state", { ...about, ...state });
  }

  document.addEventListener("DOMContentLoaded", () => {
    new ResizeObserver(resized).observe(document.body);
    new IntersectionObserver((entries) => {
      visible = entries[entries.length - 1].isIntersecting;
      if (visible && wanted) shared.ask();
    }).observe(root);
    new MutationObserver((_, observer) => {
      if (!running()) return;
      observer.disconnect();
      requestAnimationFrame(catchUp);
    }).observe(document.body, { childList: true, subtree: true });
    send("ready", { step: 1, steps: before().steps });
  });
})();
