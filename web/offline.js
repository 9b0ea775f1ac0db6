// Has the site kept for when there is no network, by sw.js beside this file,
// and asks before a new version takes the place of the one that is read. In a
// frame, and where the browser or the reader's settings forbid it, nothing
// happens.
(() => {
  const { src } = document.currentScript;
  if (window.top !== window.self || navigator.connection?.saveData) return;
  let workers;
  try {
    workers = navigator.serviceWorker;
  } catch { /* a sandbox */ }
  if (!workers) return;
  const page = document.documentElement;
  let used = false;

  // The page comes first: what is kept is fetched when the program is there.
  addEventListener("load", () => {
    const begin = () => page.dataset.program !== "loading" && (waiting.disconnect(), register(), true);
    const waiting = new MutationObserver(begin);
    if (!begin()) waiting.observe(page, { attributes: true, attributeFilter: ["data-program"] });
  });

  async function register() {
    const registration = await workers.register(new URL("sw.js", src)).catch(() => {});
    if (!registration) return;
    const look = () => {
      if (!registration.waiting || !workers.controller) return;
      ask("There is a new version of these pages.", "Use it", () => {
        used = true;
        registration.waiting?.postMessage("use");
      });
    };
    const follow = () => registration.installing?.addEventListener("statechange", look);
    registration.addEventListener("updatefound", follow);
    follow(); // the browser may have found one by itself
    look();
  }

  const before = workers.controller;
  workers.addEventListener("controllerchange", () => {
    if (used) location.reload();
    else if (before) ask("A new version of these pages is in use elsewhere.", "Load it here", () => location.reload());
  });

  function ask(text, does, act) {
    document.getElementById("news")?.remove();
    const bar = Object.assign(document.createElement("p"), { id: "news", className: "notice news" });
    bar.setAttribute("role", "status");
    const button = (text, look, act) => {
      const made = Object.assign(document.createElement("button"), { type: "button", className: "btn " + look, textContent: text });
      made.addEventListener("click", act);
      return made;
    };
    document.body.append(bar); // the first element is the program's
    // What is put into a status is said, what came with it is not.
    requestAnimationFrame(() => bar.append(
      Object.assign(document.createElement("span"), { textContent: text }), button(does, "primary", act), button("Later", "text", () => bar.remove())));
  }
})();
