// The page's simulator and the terminal's are one: same scenario, same log.
import assert from "node:assert/strict";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { reading } from "../harness/reader.mjs";
import { root, scenarios, site } from "../harness/site.mjs";

async function caseFiles() {
  const files = [];
  for (const folder of ["core/testdata/cases", "core/testdata/cases/rules"]) {
    for (const name of await readdir(join(root, folder))) if (name.endsWith(".yaml")) files.push(`${folder}/${name}`);
  }
  return files.sort();
}

reading("the log of every case has the same hash in the page and in the terminal", {}, async (reader) => {
  const files = await caseFiles();
  assert.ok(files.length >= 50, `${files.length} cases`);
  const { rail } = await site();
  const told = await rail("run", "--json", "core/testdata/cases", "core/testdata/cases/rules");
  const terminal = new Map(told.stdout.trim().split("\n").map((line) => JSON.parse(line)).map((o) => [o.file, o]));
  const wrong = [];
  for (const { file, scenario } of await scenarios(files)) {
    const here = await reader.page.evaluate((text) => JSON.parse(window.ticketrail.run(text)), JSON.stringify(scenario));
    const there = terminal.get(file);
    if (here.hash !== there?.log_hash || here.events !== there?.events || here.failed?.length !== 0) {
      wrong.push({ file, here, there: there && { hash: there.log_hash, events: there.events } });
    }
  }
  assert.deepEqual(wrong, []);
});

reading("the run on the stage is the terminal's", {}, async (reader) => {
  const { rail } = await site();
  const told = JSON.parse((await rail("run", "--json", "lessons/ticket-rail/lesson.md#six")).stdout);
  const { hash, events, end } = await reader.state();
  assert.deepEqual({ hash, events, end }, { hash: told.log_hash, events: told.events, end: told.ended_at });
});
