// Measures what only a browser shows: the work of a frame, an edit, a seek, and
// the start of the page. Prints figures, one a line: a name, a tab and a
// number; tools/bench shows them beside their budgets.
//
// Work of a frame, an edit and a seek is processor time of the page's main
// thread, from the browser's own trace, so that a shared machine shows little
// in it; all else is time on the wall, and a median. With names behind it
// (lesson, burst, hour, seek, start, weight) it measures those alone. Start
// reading at measure.
import { edit, seek } from "./bench/answer.mjs";
import { goPart, wholeFrame } from "./bench/frame.mjs";
import { hour } from "./bench/hour.mjs";
import { scenes } from "./bench/scenes.mjs";
import { start } from "./bench/start.mjs";
import { weight } from "./bench/weight.mjs";
import { launch } from "./harness/chromium.mjs";
import { site } from "./harness/site.mjs";

async function measure(browser, built) {
  const figures = {};
  const take = (prefix, found) => {
    for (const [name, value] of Object.entries(found)) figures[`${prefix}/${name}`] = value;
  };
  const pages = await scenes(built);
  const asked = process.argv.slice(2);
  const wanted = (name) => asked.length === 0 || asked.includes(name);
  for (const name of ["lesson", "burst"].filter(wanted)) {
    take(name, await wholeFrame(browser, pages[name]));
    take(name, await goPart(browser, pages[name]));
    take(`${name}/edit`, await edit(browser, pages[name]));
  }
  if (wanted("hour")) Object.assign(figures, await hour(browser, pages.rush));
  if (wanted("seek")) take("long/seek", await seek(browser, pages.long));
  if (wanted("start")) take("start", await start(browser, built));
  if (wanted("weight")) take("weight", await weight(built));
  return figures;
}

const browser = await launch();
try {
  const built = await site({ compressed: true });
  try {
    for (const [name, value] of Object.entries(await measure(browser, built))) console.log(`${name}\t${value}`);
  } finally {
    await built.close();
  }
} finally {
  await browser.close();
}
