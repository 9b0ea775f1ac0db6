// Applies the buffers of wasm/scene's Differ to one <svg>. It knows nothing of
// tickets: it creates, moves and fills <g> elements by key, and touches only
// what a buffer says has changed. The format is described in
// wasm/scene/diff.go; both sides change together.
//
//   ticketrailPaint.attach(element)  the stage's <svg>, or what holds it; a
//                                    poster that is there already is taken over
//   ticketrailPaint.apply(bytes)     one Uint8Array a frame
//   ticketrailPaint.reset()          forget the element
//   ticketrailPaint.create(element)  another, independent stage
(() => {
  "use strict";
  const SVG = "http://www.w3.org/2000/svg";
  const VERSION = 1;
  const utf8 = new TextDecoder();

  function painter() {
    let svg = null;
    let nodes = new Map(); // by key: {el, dash, text, sig}
    let claimed = null; // keys that the running begin ... end has created
    let bytes, view, at;

    const u8 = () => bytes[at++];
    const u16 = () => { const v = view.getUint16(at, true); at += 2; return v; };
    const u32 = () => { const v = view.getUint32(at, true); at += 4; return v; };
    const i32 = () => { const v = view.getInt32(at, true); at += 4; return v; };
    const text = () => { const n = u32(); const s = utf8.decode(bytes.subarray(at, at + n)); at += n; return s; };

    function attach(element) {
      reset();
      svg = element.localName === "svg" ? element : element.querySelector("svg");
      if (!svg) {
        svg = document.createElementNS(SVG, "svg");
        svg.setAttribute("class", "stage-svg");
        svg.setAttribute("role", "group");
        element.append(svg);
      }
      for (const el of [...svg.children]) {
        const key = el.getAttribute("data-k");
        if (key === null) el.remove();
        else nodes.set(parseInt(key, 36), slots({ el, sig: parseInt(el.getAttribute("data-s"), 36) }));
      }
    }

    function reset() {
      svg = null;
      nodes = new Map();
      claimed = null;
    }

    function slots(node) {
      node.dash = node.el.querySelector("[data-d]");
      node.text = node.el.querySelector("[data-t]");
      return node;
    }

    // Moving or refilling an element drops the focus inside it; it is given
    // back to the same control, or to the one that has taken its place.
    function keepingFocus(el, change) {
      const active = document.activeElement;
      if (!active || active === document.body || !el.contains(active)) return change();
      const act = active.getAttribute("data-act");
      change();
      const again = el.contains(active) ? active : act && (el.querySelector(`[data-act="${act}"]`) ?? el.querySelector("[role=button]"));
      if (again) again.focus({ preventScroll: true });
    }

    function place(el, before) {
      const next = before ? nodes.get(before).el : null;
      if (el.parentNode === svg && el.nextSibling === next) return;
      keepingFocus(el, () => svg.insertBefore(el, next));
    }

    function create(key, before, sig) {
      let node = nodes.get(key);
      if (!node) {
        const el = document.createElementNS(SVG, "g");
        el.setAttribute("data-k", key.toString(36));
        node = { el, sig: -1, dash: null, text: null };
        nodes.set(key, node);
      }
      if (claimed) claimed.add(key);
      place(node.el, before);
    }

    function remove(key) {
      const node = nodes.get(key);
      if (!node) return;
      // a control that goes with the focus leaves it to the stage
      if (node.el.contains(document.activeElement)) svg.parentElement.focus({ preventScroll: true });
      node.el.remove();
      nodes.delete(key);
    }

    function markup(key, sig, inside) {
      const node = nodes.get(key);
      if (node.sig === sig) return;
      node.sig = sig;
      keepingFocus(node.el, () => {
        node.el.innerHTML = inside;
        slots(node);
      });
    }

    function transform(key, x, y, rot, scale) {
      let t = x || y ? `translate(${x / 100} ${y / 100})` : "";
      if (rot) t += ` rotate(${rot / 100})`;
      if (scale !== 1000) t += ` scale(${scale / 1000})`;
      const el = nodes.get(key).el;
      if (t) el.setAttribute("transform", t);
      else el.removeAttribute("transform");
    }

    function fade(key, percent) {
      const el = nodes.get(key).el;
      if (percent === 100) el.removeAttribute("opacity");
      else el.setAttribute("opacity", percent / 100);
    }

    function named(key, name) {
      const el = nodes.get(key).el;
      if (name) el.setAttribute("class", name);
      else el.removeAttribute("class");
    }

    const operations = [
      null,
      function begin() { claimed = new Set(); },
      function end() {
        for (const key of [...nodes.keys()]) if (!claimed.has(key)) remove(key);
        claimed = null;
      },
      function size() {
        const w = u16(), h = u16();
        svg.setAttribute("viewBox", `0 0 ${w} ${h}`);
        svg.setAttribute("width", w);
        svg.setAttribute("height", h);
        svg.setAttribute("data-size", text());
      },
      function label() { svg.setAttribute("aria-label", text()); },
      () => create(u32(), u32(), u32()),
      () => remove(u32()),
      () => place(nodes.get(u32()).el, u32()),
      () => markup(u32(), u32(), text()),
      () => transform(u32(), i32(), i32(), 0, 1000),
      () => transform(u32(), i32(), i32(), i32(), u32()),
      () => fade(u32(), u8()),
      () => named(u32(), text()),
      () => {
        const node = nodes.get(u32()), arc = u16();
        if (node.dash) node.dash.setAttribute("stroke-dasharray", `${arc / 10} 999`);
      },
      () => {
        const node = nodes.get(u32()), s = text();
        if (!node.text) return;
        const first = node.text.firstChild;
        if (first) first.data = s;
        else node.text.textContent = s;
      },
    ];

    function apply(buffer) {
      if (!svg || buffer.length === 0) return;
      bytes = buffer;
      view = new DataView(buffer.buffer, buffer.byteOffset, buffer.byteLength);
      if (bytes[0] !== VERSION) throw new Error(`paint.js reads version ${VERSION}, the buffer has ${bytes[0]}`);
      at = 1;
      while (at < bytes.length) operations[bytes[at++]]();
    }

    return { attach, apply, reset, get element() { return svg; } };
  }

  const main = painter();
  main.create = (element) => {
    const p = painter();
    p.attach(element);
    return p;
  };
  globalThis.ticketrailPaint = main;
})();
