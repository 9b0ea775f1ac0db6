// search.js looks for lessons, steps and words of the glossary in an index that
// lies beside the site; nothing is asked of anybody else. A title weighs more
// than a step's title, that more than a word of the glossary, that more than
// what is only in a text; the beginning of a word finds it, and the plural does.
"use strict";
(() => {
  const script = document.currentScript;
  const root = script.dataset.root;
  const most = 40; // hits that are shown
  const kinds = { lesson: "lesson", step: "step", word: "glossary", guide: "for teachers" };
  const weights = { lesson: 100, step: 60, word: 40, guide: 40, words: 10 };

  const split = (text) => text.toLowerCase().split(/[^\p{L}\p{N}_]+/u).filter(Boolean);

  // stem takes the plural away, as far as it is regular.
  const stem = (word) => word.length > 4 && word.endsWith("ies") ? word.slice(0, -3) + "y"
    : /(?:s|x|z|ch|sh)es$/.test(word) ? word.slice(0, -2)
    : word.length > 3 && word.endsWith("s") && !word.endsWith("ss") ? word.slice(0, -1) : word;

  // fits says how well a word that is looked for fits one that is there, 0 to 1.
  function fits(sought, there) {
    if (sought === there) return 1;
    if (stem(sought) === stem(there)) return 0.9;
    if (there.startsWith(sought) || there.startsWith(stem(sought)) && sought.length > 3) return 0.7 * Math.max(0.5, sought.length / there.length);
    return 0;
  }

  const best = (sought, words) => words.reduce((most, word) => Math.max(most, fits(sought, word)), 0);

  function prepare(entry) {
    const title = split(entry.t);
    return { ...entry, title, said: split(entry.s), words: (entry.w ?? "").split(" ").filter(Boolean) };
  }

  // score is 0 unless every word that is looked for is in the entry.
  function score(entry, sought) {
    let sum = 0;
    for (const word of sought) {
      const titled = best(word, entry.title) * weights[entry.k];
      const inText = Math.max(best(word, entry.said), best(word, entry.words)) * weights.words;
      const found = Math.max(titled, inText);
      if (found === 0) return 0;
      sum += found;
    }
    // among equals the title that is all about it comes first
    return sum + (entry.title.every((word) => sought.some((s) => fits(s, word) > 0.5)) ? weights.words : 0);
  }

  function search(index, text) {
    const sought = split(text).slice(0, 8);
    if (sought.length === 0) return [];
    return index.map((entry, n) => ({ entry, n, score: score(entry, sought) })).filter((hit) => hit.score > 0)
      .sort((a, b) => b.score - a.score || a.n - b.n).map((hit) => hit.entry);
  }

  // marked is a text with the words that were looked for marked in it.
  function marked(text, sought) {
    const parts = document.createDocumentFragment();
    for (const part of text.split(/([\p{L}\p{N}_]+)/u)) {
      const found = part && sought.some((word) => fits(word, part.toLowerCase()) > 0);
      const node = found ? document.createElement("mark") : document.createTextNode(part);
      if (found) node.textContent = part;
      parts.append(node);
    }
    return parts;
  }

  function item(entry, sought) {
    const li = document.createElement("li"), link = document.createElement("a"), kind = document.createElement("span"), says = document.createElement("p");
    link.href = root + entry.a;
    link.append(marked(entry.t, sought));
    kind.className = "lbl";
    kind.textContent = entry.in ? `step of ${entry.in}` : kinds[entry.k];
    says.append(marked(entry.s, sought));
    li.append(link, " ", kind, says);
    return li;
  }

  const field = document.getElementById("q"), hits = document.getElementById("hits"), count = document.getElementById("count");
  let index = null;

  function show() {
    const text = field.value.trim(), sought = split(text);
    if (!index) return;
    const found = search(index, text);
    hits.replaceChildren(...found.slice(0, most).map((entry) => item(entry, sought)));
    count.textContent = sought.length === 0 ? ""
      : found.length === 0 ? `Nothing is found for “${text}”. Try another word, or a shorter one.`
      : `${found.length} ${found.length === 1 ? "result" : "results"}${found.length > most ? `, the best ${most} of them` : ""}`;
    const query = new URLSearchParams(location.search);
    if (text) query.set("q", text);
    else query.delete("q");
    history.replaceState(null, "", location.pathname + (query.size ? "?" + query : ""));
  }

  // the arrows go through the field and the results
  document.addEventListener("keydown", (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const stops = [field, ...hits.querySelectorAll("a")], at = stops.indexOf(document.activeElement);
    if (!step || at < 0 || !stops[at + step]) return;
    event.preventDefault();
    stops[at + step].focus();
  });

  field.value = new URLSearchParams(location.search).get("q")?.slice(0, 200) ?? "";
  if (!field.value) field.focus();
  field.addEventListener("input", show);
  document.getElementById("seek").addEventListener("submit", (event) => {
    event.preventDefault();
    show();
    hits.querySelector("a")?.focus();
  });
  fetch(script.dataset.index).then((response) => {
    if (!response.ok) throw new Error("the server answered " + response.status);
    return response.json();
  }).then((entries) => {
    index = entries.map(prepare);
    show();
  }).catch((error) => {
    count.textContent = `The list of what can be found did not come (${error.message}). Load the page again, or look through the lessons and the glossary.`;
  });
})();
