// Every lesson, as a reader goes through it: each step is opened and played,
// each prediction made wrong and right, each quiz question answered wrong and
// right, each challenge found unsolved and solved by its solution. On a phone
// once more, with the right answers by touch.
import assert from "node:assert/strict";
import { answers } from "../harness/site.mjs";
import { reading } from "../harness/reader.mjs";

const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
const right = /You called it|Close enough|That is how it goes|^Yes\.|^Yes /;

// fill puts an answer into the fields of a question.
async function fill(reader, { id }, given) {
  const { page } = reader;
  if (given.choices) {
    for (const box of await reader.get(`#q-${id} input[type=checkbox]:checked`).all()) await box.uncheck();
    for (const i of given.choices) await reader.get(`#o-${id}-${i}`).check();
  }
  if (given.number !== undefined) await reader.get(`#n-${id}`).fill(String(given.number));
  if (given.message) await reader.get(`#o-${id}-${given.message}`).check();
  if (given.line) await reader.get(`#o-${id}-${given.line}`).check();
  for (const [at, item] of (given.order ?? []).entries()) {
    const place = () => reader.get(`#order-${id} > li`).evaluateAll((all, up) => all.findIndex((li) => li.querySelector(up)), `[id="up-${id}-${item}"]`);
    for (let from = await place(); from > at; from--) {
      await page.locator(`[id="up-${id}-${item}"]`).click();
      await reader.eventually(place, (now) => now === from - 1);
    }
  }
  if (given.columns) await draw(reader, id, given.columns);
}

// draw draws a line with the pointer, column by column.
async function draw(reader, id, columns) {
  const { mouse } = reader.page;
  const field = reader.get(`#draw-${id}`);
  await field.scrollIntoViewIfNeeded();
  const box = await field.boundingBox();
  const top = Number(await reader.get(`#col-${id}-0`).getAttribute("aria-valuemax"));
  const point = (i) => [box.x + box.width * (26 + 374 * (i + 0.5) / columns.length) / 400, box.y + box.height * (132 * (1 - columns[i] / top)) / 150];
  await mouse.move(...point(0));
  await mouse.down();
  for (let i = 0; i < columns.length; i++) await mouse.move(...point(i));
  await mouse.up();
}

const verdict = (reader, id) => reader.get(`#q-${id} .verdict .presult b`).first();
const says = (reader, id, holds) => reader.eventually(async () => await verdict(reader, id).count() ? verdict(reader, id).innerText() : "", holds);

// predict commits a guess, has the run shown, and holds what is said about it.
async function predict(reader, question, given, holds) {
  await fill(reader, question, given);
  await reader.get(`#commit-${question.id}`).click();
  await reader.counts(`#commit-${question.id}`, 0);
  await reader.eventually(async () => { // the run may have answered before the button is pressed
    await reader.get(`#reveal-${question.id}`).evaluateAll(([button]) => button?.click());
    return verdict(reader, question.id).count();
  }, (n) => n > 0);
  await says(reader, question.id, (text) => text !== "" && holds(text));
}

async function quiz(reader, question, given, holds) {
  await fill(reader, question, given);
  await reader.get(`#check-${question.id}`).click();
  await says(reader, question.id, (text) => text !== "" && holds(text));
}

// answer answers a question wrong, when that can be, and right.
async function answer(reader, question, { wrong = true } = {}) {
  const put = question.predict ? predict : quiz;
  if (wrong && question.wrong) {
    await put(reader, question, question.wrong, (text) => !right.test(text));
    if (question.predict) {
      await reader.get(`#again-${question.id}`).click();
      await reader.counts(`#commit-${question.id}`, 1);
    }
  }
  await put(reader, question, question.right, (text) => right.test(text));
}

async function solve(reader, { id, hints }) {
  await reader.get(`#try-${id}`).click();
  await reader.eventually(() => reader.get(`#c-${id} .presult`).allInnerTexts(), ([text]) => /^It holds on \d+ of \d+ seed/.test(text ?? ""));
  for (let n = 1; n <= hints; n++) {
    await reader.get(`#hint-${id}`).click();
    await reader.counts(`#c-${id} .hints li`, n);
  }
  await reader.get(`#solve-${id}`).click();
  await reader.eventually(() => reader.get(`#c-${id} .presult`).allInnerTexts(), ([text]) => /before your last change/.test(text ?? ""));
  await reader.get(`#try-${id}`).click();
  await reader.eventually(() => reader.get(`#c-${id} .presult`).allInnerTexts(), ([text]) => /^Solved/.test(text ?? ""));
}

const go = async (reader, step) => {
  await reader.page.evaluate((n) => { location.hash = `v=1&step=${n}`; }, step);
  return reader.until((s) => s.step === step && !s.working);
};

const lessons = await answers();
assert.ok(lessons.length > 0, "there are lessons");
for (const { slug, steps } of lessons) {
  const path = `lessons/${slug}/`;

  reading(`${slug}: every step plays, and all that is asked is answered wrong and right`, { path, goes: steps.length, fresh: true }, async (reader) => {
    for (const [i, { questions, challenges }] of steps.entries()) {
      const begun = await go(reader, i + 1);
      assert.deepEqual(begun.problems, []);
      for (const question of questions) await answer(reader, question);
      for (const challenge of challenges) await solve(reader, challenge);
      await reader.get("#restart").click();
      await reader.until((s) => s.event === 0 || s.time === 0);
      await reader.get("#play").click();
      const { events } = await reader.state();
      if (events > 0) await reader.until((s) => s.event > 0 && (s.time > 0 || !s.playing));
      await reader.goToEnd();
    }
  });

  reading(`${slug}: fits a phone, and its questions are answered there`, { path, context: phone, goes: steps.length, fresh: true }, async (reader) => {
    for (const [i, { questions }] of steps.entries()) {
      await go(reader, i + 1);
      const wide = await reader.page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      assert.ok(wide <= 0, `step ${i + 1} is ${wide} px too wide`);
      for (const question of questions) await answer(reader, question, { wrong: false });
    }
  });

  reading(`${slug}: without JavaScript there are prose, pictures, sentences and answers`, {
    path, context: { javaScriptEnabled: false }, program: false,
  }, async (reader) => {
    assert.equal(await reader.get(".still > h2").count(), steps.length - 1);
    const asked = steps.flatMap((step) => [...step.questions, ...step.challenges]);
    assert.equal(await reader.get(".solved > summary").count(), asked.length);
    for (const { id } of asked) assert.ok(await reader.get(`#q-${id} .solved, #c-${id} .solved`).count() === 1, `${id} has its answer`);
    assert.ok(await reader.get("#stage > svg:visible").count() === 1);
    assert.ok(await reader.get(".transcript li").count() > 0);
  });
}
