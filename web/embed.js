// embed.js is for pages of others that show a lesson. It makes an element:
//
//   <script src="https://HOST/PATH/embed/v1/embed.js" async></script>
//   <ticket-rail lesson="ack-after-work"></ticket-rail>
//
// Attributes: lesson, its name; theme, words, lang, show, unlock, lock and
// answers, as the frame's address has them; state, what an address has behind
// its #; label, the title of the frame; height, in pixels, until the lesson has
// said its own. The element fires what happens in the frame as events that
// bubble: ticketrail-ready, -state, -answer, -complete, -error, with the
// message as detail. Its methods play(), pause(), step(by), seek(seconds),
// reset() and getState() are promises of the state.
(() => {
  "use strict";
  if (!globalThis.customElements || customElements.get("ticket-rail")) return;
  const script = document.currentScript ?? document.querySelector('script[src*="embed/v1/embed.js"]');
  const home = new URL(".", script?.src ?? document.baseURI);
  const options = ["theme", "words", "lang", "show", "unlock", "lock", "answers"];
  const patience = 60_000; // milliseconds until a command that is not answered is given up

  class TicketRail extends HTMLElement {
    #frame = null;
    #open = new Map(); // commands that wait for an answer, by id
    #last = 0;
    #listen = (event) => this.#heard(event);

    static observedAttributes = ["lesson", "state", "label", ...options];

    connectedCallback() {
      if (!this.style.display) this.style.display = "block";
      window.addEventListener("message", this.#listen);
      this.#show();
    }

    disconnectedCallback() {
      window.removeEventListener("message", this.#listen);
      this.#frame?.remove();
      this.#frame = null;
    }

    attributeChangedCallback() {
      if (this.isConnected && this.#frame) this.#show();
    }

    // #show makes the frame, or has it show something else.
    #show() {
      const lesson = this.getAttribute("lesson") ?? "";
      if (!/^[a-z0-9-]+$/.test(lesson)) {
        console.warn(`ticket-rail: lesson="${lesson}" is no lesson: write its name, such as ack-after-work.`);
        return;
      }
      const url = new URL(lesson + "/", home);
      for (const name of options) if (this.hasAttribute(name)) url.searchParams.set(name, this.getAttribute(name));
      url.hash = this.getAttribute("state") ?? "";
      if (!this.#frame) {
        const frame = this.#frame = document.createElement("iframe");
        frame.loading = "lazy";
        frame.allow = "fullscreen; clipboard-write";
        frame.style.cssText = "display:block; width:100%; border:0; color-scheme:light dark";
        frame.height = this.getAttribute("height") ?? "520";
      }
      this.#frame.title = this.getAttribute("label") ?? "Interactive lesson: " + lesson.replaceAll("-", " ");
      if (this.#frame.src !== url.href) this.#frame.src = url.href;
      if (!this.#frame.parentNode) this.append(this.#frame);
    }

    #heard({ source, data }) {
      if (!this.#frame || source !== this.#frame.contentWindow) return;
      if (typeof data?.type !== "string" || !data.type.startsWith("ticketrail:") || data.v !== 1) return;
      const name = data.type.slice("ticketrail:".length);
      if (name === "resize") {
        if (Number.isFinite(data.height)) this.#frame.height = Math.min(Math.max(data.height, 80), 10_000);
        return;
      }
      const waiting = this.#open.get(data.id);
      if (waiting) {
        this.#open.delete(data.id);
        clearTimeout(waiting.timer);
        if (name === "error") waiting.failed(new Error(data.problem));
        else waiting.done(data);
      }
      this.dispatchEvent(new CustomEvent("ticketrail-" + name, { detail: data, bubbles: true }));
    }

    #ask(name, more) {
      const id = ++this.#last;
      return new Promise((done, failed) => {
        if (!this.#frame?.contentWindow) return failed(new Error("the element is not in a page"));
        const timer = setTimeout(() => {
          this.#open.delete(id);
          failed(new Error("the lesson has not answered"));
        }, patience);
        this.#open.set(id, { done, failed, timer });
        this.#frame.contentWindow.postMessage({ type: "ticketrail:" + name, v: 1, id, ...more }, "*");
      });
    }

    play() { return this.#ask("play"); }
    pause() { return this.#ask("pause"); }
    step(by = 1) { return this.#ask("step", { by }); }
    seek(time) { return this.#ask("seek", { time }); }
    reset() { return this.#ask("reset"); }
    getState() { return this.#ask("getState"); }
  }

  customElements.define("ticket-rail", TicketRail);
})();
