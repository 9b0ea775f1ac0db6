// embed_panel.js writes the lines with which another page shows the lesson that
// is open, as it stands on the screen, in several forms, and shows what comes
// of them. Nothing is loaded before the panel is opened.
"use strict";
(() => {
  const panel = document.getElementById("embedding");
  if (!panel) return;
  const { frames, page, slug, title } = panel.dataset;
  const form = document.getElementById("embed-options");
  const text = document.getElementById("embed-text");
  const said = document.getElementById("embed-said");
  const preview = document.getElementById("embed-preview");
  const label = "Interactive lesson: " + title;
  const home = new URL(frames, document.baseURI); // with its slash
  let state = "";

  // screen is what the address of this moment has behind its #.
  function screen() {
    try {
      return JSON.parse(window.ticketrail.address());
    } catch { // the program is not there
      return location.hash.slice(1);
    }
  }

  function options() {
    const asked = new URLSearchParams();
    const words = new URLSearchParams(location.search).get("words");
    if (form.theme.value) asked.set("theme", form.theme.value);
    if (words) asked.set("words", words);
    if (form.show.value) asked.set("show", form.show.value);
    if (form.lock.checked) asked.set("lock", "all");
    if (form.answers.checked) asked.set("answers", "hide");
    return asked;
  }

  const html = (s) => s.replace(/&/g, "&amp;").replace(/"/g, "&quot;").replace(/</g, "&lt;").replace(/>/g, "&gt;");
  const inText = (s) => s.replace(/[\\`*_[\]<>]/g, "\\$&"); // of Markdown
  const inAddress = (s) => s.replace(/[()<> ]/g, (c) => "%" + c.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0"));

  // address is a place of the site with options and state.
  function address(base, asked, fragment) {
    const url = new URL(base, document.baseURI);
    url.search = asked;
    url.hash = fragment;
    return url.href;
  }

  const attributes = (asked, fragment) => [["lesson", slug], ...asked, ...(fragment ? [["state", fragment]] : []), ["label", label]];
  const frame = (source, style) => `<iframe src="${html(source)}" title="${html(label)}"\n  width="100%" height="520" loading="lazy" allow="fullscreen; clipboard-write" ${style}></iframe>`;

  const forms = {
    iframe: (source) => frame(source, 'style="border:0; color-scheme: light dark"'),
    element: (_, asked, fragment) => `<script src="${html(new URL("embed.js", home).href)}" async></script>\n<ticket-rail ${attributes(asked, fragment).map(([n, v]) => `${n}="${html(v)}"`).join(" ")}></ticket-rail>`,
    card: (_, asked, fragment) => {
      const words = asked.get("words");
      const to = address(page, words ? new URLSearchParams({ words }) : "", fragment);
      return `[![${inText(title)}](${inAddress(new URL(slug + "/picture.svg", home).href)})](${inAddress(to)})\n\n[${inText(title)}](${inAddress(to)}): an interactive lesson on message queues.`;
    },
    hugo: (source) => `<!-- layouts/shortcodes/ticketrail.html -->\n<iframe src="{{ .Get "src" }}" title="{{ .Get "title" }}" width="100%" height="520" loading="lazy" allow="fullscreen; clipboard-write" style="border:0; color-scheme: light dark"></iframe>\n\n<!-- in the page -->\n{{< ticketrail src=${JSON.stringify(source)} title=${JSON.stringify(label)} >}}`,
    mdx: (source) => `<iframe src={${JSON.stringify(source)}} title={${JSON.stringify(label)}}\n  width="100%" height="520" loading="lazy" allow="fullscreen; clipboard-write" style={{ border: 0, colorScheme: "light dark" }} />`,
    jupyter: (source) => "```{raw} html\n" + forms.iframe(source) + "\n```",
    mkdocs: (source) => `<!-- a blank line before and after -->\n${forms.iframe(source)}`,
  };

  function write() {
    const asked = options(), fragment = form.state.checked ? state : "";
    const source = address(new URL(slug + "/", home), asked, fragment);
    text.textContent = forms[form.form.value](source, asked, fragment);
    document.getElementById("embed-where").hidden = !/^(localhost|127\.|\[::1\]|$)/.test(home.hostname);
    said.textContent = "";
    show(source);
  }

  // show shows it; a frame whose address differs behind the # only would stay.
  function show(source) {
    if (preview.dataset.source === source) return;
    preview.dataset.source = source;
    const element = document.createElement("iframe");
    element.title = "Preview: " + label;
    element.loading = "lazy";
    element.height = 520;
    element.src = source;
    preview.replaceChildren(element);
  }

  function take() {
    state = screen();
    write();
  }

  panel.addEventListener("toggle", () => { if (panel.open) take(); });
  form.addEventListener("change", write);
  form.addEventListener("submit", (event) => event.preventDefault());
  document.getElementById("embed-again").addEventListener("click", take);
  document.getElementById("embed-copy").addEventListener("click", () => window.ticketrail.copy(text.textContent, (could) => {
    said.textContent = could ? "Copied." : "The browser does not allow copying here: select the text above.";
  }));
  window.addEventListener("message", ({ source, data }) => {
    const element = preview.querySelector("iframe");
    if (element && source === element.contentWindow && data?.type === "ticketrail:resize" && Number.isFinite(data.height)) {
      element.height = Math.min(Math.max(data.height, 80), 10_000);
    }
  });
})();
