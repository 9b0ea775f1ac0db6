// live.js reloads an open page when its lesson was saved, and keeps what the
// reader has: the playhead, the step and the edits are in the address, the
// answers in the browser's storage. Only rail serve sends it.
"use strict";
(() => {
  const version = document.currentScript.dataset.version; // of the page that is open
  const playing = "ticketrail.live.playing";
  const shared = window.ticketrail;
  const state = () => shared?.state ? JSON.parse(shared.state()) : {};

  try {
    if (shared && sessionStorage.getItem(playing)) shared.wanted = "play";
    sessionStorage.removeItem(playing);
  } catch { /* no storage: it stands still after a reload */ }

  // changed reports whether the server has another page than the one that is
  // open.
  async function changed() {
    const answer = await fetch(location.pathname + location.search, { cache: "no-store" });
    const found = /data-version="([0-9a-f]+)"/.exec(await answer.text());
    return answer.ok && found !== null && found[1] !== version;
  }

  // reload opens the page anew where it is.
  function reload() {
    if (shared?.address) {
      const address = JSON.parse(shared.address());
      history.replaceState(null, "", location.pathname + location.search + (address ? "#" + address : ""));
    }
    try {
      if (state().playing) sessionStorage.setItem(playing, "yes");
    } catch { /* as above */ }
    location.reload();
  }

  // tell shows what is wrong with the lessons. The program takes the first
  // element of the page for its own, so this is the last.
  function tell(problems) {
    let bar = document.getElementById("live");
    if (!problems) return bar?.remove();
    if (!bar) {
      bar = document.createElement("pre");
      bar.id = "live";
      bar.className = "notice err live";
      bar.setAttribute("role", "status");
      document.body.append(bar);
    }
    bar.textContent = problems;
  }

  const source = new EventSource("/live");
  source.onmessage = async (event) => {
    tell(JSON.parse(event.data).problems);
    if (await changed()) reload();
  };
  addEventListener("pagehide", () => source.close());
})();
