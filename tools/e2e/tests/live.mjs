// Lessons of somebody's own: an open page follows what is saved, and a rail
// that holds the page's program needs nothing else.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { promisify } from "node:util";
import { reading } from "../harness/reader.mjs";
import { root, serve, site } from "../harness/site.mjs";

const run = promisify(execFile);
const temporary = await mkdtemp(join(tmpdir(), "ticketrail-live-"));
const mine = join(temporary, "my-lessons");
const file = join(mine, "small", "lesson.md");
await begin();

const { binary, folder } = await site();
const server = await serve(binary, mine, ["--site", folder]);
after(async () => {
  await server.close();
  await rm(temporary, { recursive: true, force: true });
});

// begin writes a folder with one lesson, as it should be.
async function begin() {
  await cp(join(root, "lessons", "testdata", "right"), join(mine, "small"), { recursive: true });
  await writeFile(join(mine, "GLOSSARY.md"), "## Ack\nDone.\n");
}

// save changes the lesson as an author does.
async function save(was, is) {
  const text = await readFile(file, "utf8");
  assert.ok(text.includes(was), was);
  await writeFile(file, text.replace(was, is));
}

// shows waits until the page, loaded anew or not, has a text and its program.
const shows = (reader, text) => reader.page.waitForFunction((text) => {
  window.ticketrail?.ask?.();
  return document.body?.innerText.includes(text) && typeof window.ticketrail?.state === "function" && document.querySelectorAll("#said").length === 1;
}, text);

reading("an open page follows what is saved, and keeps playhead, step and answers", { path: server.address + "lessons/small/" }, async (reader) => {
  await reader.get("#o-done-1").check();
  await reader.get("#commit-done").click();
  await reader.scrub(0.5);
  const before = await reader.state();
  const answered = await reader.eventually(() => reader.get("#q-done").innerText(), (text) => /both/.test(text));
  await save("Two orders", "Both orders");
  await shows(reader, "Both orders");
  const after = await reader.until((s) => s.time > 0);
  assert.equal(after.time, before.time);
  assert.equal(after.hash, before.hash);
  assert.equal(await reader.get("#q-done").innerText(), answered, "the answer is kept");

  await reader.get("#step-next").click();
  await reader.until((s) => s.step === 2);
  await save("latency: 100ms", "latency: 40s");
  await reader.page.waitForFunction((hash) => {
    const state = typeof window.ticketrail?.state === "function" ? JSON.parse(window.ticketrail.state()) : {};
    return state.hash !== undefined && state.hash !== hash;
  }, before.hash);
  await reader.until((s) => s.step === 2);
});

reading("what is playing plays on, and a mistake stands in the page until it is mended", { path: server.address + "lessons/small/" }, async (reader) => {
  await reader.press("Play");
  await reader.until((s) => s.playing && s.time > 0);
  await save("Both orders", "Two orders");
  await shows(reader, "Two orders");
  const now = await reader.until((s) => s.playing);
  assert.ok(now.time > 0);

  await save("level: start", "level: strat");
  await reader.eventually(() => reader.get("#live").innerText().catch(() => ""), (text) => /lesson\.md:5:8: the level is one of/.test(text));
  assert.match(await reader.get("main").innerText(), /Two orders/, "the page is as it was");
  await save("level: strat", "level: start");
  await reader.eventually(() => reader.get("#live").innerText().catch(() => ""), (text) => !/lesson\.md:5:8/.test(text));
});

test("a rail that holds the program needs neither the source tree nor Go", { timeout: 300_000 }, async () => {
  const archive = join(temporary, "site.zip"), overlay = join(temporary, "overlay.json"), released = join(temporary, "rail");
  await run(binary, ["build", "--archive", archive, "--site", folder], { cwd: temporary });
  await writeFile(overlay, JSON.stringify({ Replace: { [join(root, "tools", "rail", "site.zip")]: archive } }));
  await run("go", ["build", "-tags", "embedsite", "-overlay", overlay, "-o", released, "./tools/rail"], { cwd: root });
  await begin();
  const env = { PATH: "", HOME: temporary, TMPDIR: temporary };
  await run(released, ["build", "--lessons", mine, "-o", "my-site"], { cwd: temporary, env });
  assert.match(await readFile(join(temporary, "my-site", "lessons", "small", "index.html"), "utf8"), /orders/);
  const own = await serve(released, mine, [], env);
  try {
    const page = await fetch(own.address + "lessons/small/");
    const program = /data-program="(program[^"]+)"/.exec(await page.text())[1];
    const answer = await fetch(own.address + program);
    assert.equal(answer.headers.get("content-type"), "application/wasm");
    assert.ok(Buffer.from(await answer.arrayBuffer()).equals(await readFile(join(folder, program))), "the program of the site");
  } finally {
    await own.close();
  }
  const course = await serve(released, "--addr=localhost:0", [], env); // that it holds
  try {
    const page = await fetch(course.address + "lessons/ticket-rail/");
    assert.match(await page.text(), /Six orders/);
    assert.equal(page.headers.get("content-encoding"), "gzip");
  } finally {
    await course.close();
  }
});
