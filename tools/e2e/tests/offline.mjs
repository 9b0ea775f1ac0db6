// Without a network: what was opened once is there, whole; another version
// waits until a reader wants it; a frame keeps nothing.
import assert from "node:assert/strict";
import { cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { reading } from "../harness/reader.mjs";
import { root, serve, site } from "../harness/site.mjs";

const { folder, binary, rail } = await site();
const context = { serviceWorkers: "allow" };

// hosted serves a copy of the site, in a folder below its host's root as well,
// and gives body its address, its folder, and stop, after which nobody answers.
async function hosted(body) {
  const copy = await mkdtemp(join(tmpdir(), "ticketrail-offline-"));
  await cp(folder, join(copy, "a/b"), { recursive: true, filter: (path) => !path.endsWith("some-where") });
  await writeFile(join(copy, "index.html"), "<!doctype html><title>Another site</title>");
  const server = await serve(binary, copy);
  let open = true;
  const stop = async () => {
    if (open) await server.close();
    open = false;
  };
  try {
    await body({ address: server.address, folder: join(copy, "a/b"), stop });
  } finally {
    await stop();
    await rm(copy, { recursive: true, force: true });
  }
}

// kept waits until a page's worker has fetched all.
const kept = (page) => page.evaluate(() => new Promise((done) => navigator.serviceWorker.ready.then(done)).then(() => {}));

// The reader's page is one of the site at another address; there the tests go
// to the copy.
const elsewhere = (name, body, options = {}) => reading(name, { path: "about:blank", program: false, goes: 2, context: { ...context, ...options } }, (reader) => hosted((host) => body(reader, host)));

elsewhere("opened once, all lessons play without a network, from a folder of a host", async (reader, { address, stop }) => {
  const { page } = reader;
  await page.goto(new URL("a/b/lessons/ticket-rail/", address).href);
  await reader.program();
  await kept(page);
  assert.deepEqual(await page.evaluate(async () => (await navigator.serviceWorker.getRegistrations()).map((r) => new URL(r.scope).pathname)), ["/a/b/"]);
  await page.evaluate(() => caches.open("another"));
  await stop();
  for (const path of ["lessons/ack-after-work/?words=sqs", "practice/", "glossary/", "search/?q=ack", "docs/", "lessons/ticket-rail/index.html", ""]) {
    await page.goto(new URL("a/b/" + path, address).href);
    await page.waitForFunction(() => document.querySelector("h1") !== null);
  }
  await page.goto(new URL("a/b/lessons/ack-after-work", address).href); // no slash
  await reader.program();
  assert.equal(new URL(page.url()).pathname, "/a/b/lessons/ack-after-work/");
  await reader.get("#end").click();
  await reader.until((s) => s.event === s.events && s.events > 0);
  await page.goto(new URL("a/b/embed/v1/ticket-rail/", address).href);
  assert.match(await reader.get("h1").innerText(), /needs the network/);
  await reader.get("a", { hasText: "All lessons" }).click();
  await page.waitForFunction(() => document.querySelectorAll("a[href*='ticket-rail']").length > 0);
  assert.deepEqual(await page.evaluate(async () => (await caches.keys()).sort()), ["another", "ticketrail /a/b/"]);
  for (const fault of reader.takeFaults()) assert.match(fault, /another host|run_|ERR_FAILED|CONNECTION_REFUSED|503|\/icon\./);
});

elsewhere("a new version waits until the reader wants it, and is whole then", async (reader, { address, folder }) => {
  const { page } = reader;
  const lesson = new URL("a/b/lessons/ticket-rail/", address).href;
  const title = () => reader.get("h1").innerText();
  await page.goto(lesson);
  await reader.program();
  await kept(page);
  await page.reload();
  await reader.program();
  const old = await title();

  const lessons = await mkdtemp(join(tmpdir(), "ticketrail-lessons-"));
  try {
    await cp(join(root, "lessons"), lessons, { recursive: true });
    const file = join(lessons, "ticket-rail/lesson.md");
    const text = await readFile(file, "utf8");
    assert.ok(text.includes(old));
    await writeFile(file, text.replaceAll(old, "Six orders, said anew"));
    const built = await rail("build", "--lessons", lessons, "--site", folder, "-o", folder, "--unproven");
    assert.equal(built.status, 0, built.stderr);
  } finally {
    await rm(lessons, { recursive: true, force: true });
  }

  await page.goto(lesson);
  await reader.program();
  await reader.get("#news").waitFor();
  assert.match(await reader.get("#news").innerText(), /new version/);
  assert.equal(await reader.get("#news").getAttribute("role"), "status");
  assert.equal(await title(), old, "nothing changes before it is wanted");
  await reader.get("#news").getByRole("button", { name: "Later" }).click();
  await reader.counts("#news", 0);
  await page.reload();
  await reader.program();
  assert.equal(await title(), old);
  await reader.get("#news").getByRole("button", { name: "Use it" }).press("Enter");
  await page.waitForFunction(() => document.querySelector("h1")?.innerText === "Six orders, said anew");
  await reader.program();
  const left = await page.evaluate(async () => (await (await caches.open("ticketrail /a/b/")).keys()).map((request) => new URL(request.url).pathname));
  assert.equal(left.filter((path) => path === "/a/b/lessons/ticket-rail/").length, 1, "the old version is gone");
  for (const fault of reader.takeFaults()) assert.match(fault, /another host|ERR_ABORTED/);
});

elsewhere("a page in a frame, and a reader who saves data, keep nothing", async (reader, { address }) => {
  const { page } = reader;
  const registered = () => page.evaluate(async () => (await navigator.serviceWorker.getRegistrations()).length);
  await page.goto(address);
  await page.evaluate(() => new Promise((done) => {
    const frame = document.createElement("iframe");
    frame.onload = () => done();
    frame.src = "a/b/glossary/";
    document.body.append(frame);
  }));
  assert.equal(await registered(), 0);
  await page.addInitScript(() => Object.defineProperty(navigator, "connection", { configurable: true, value: { saveData: true } }));
  await page.goto(new URL("a/b/glossary/", address).href);
  assert.equal(await registered(), 0);
  await page.addInitScript(() => Object.defineProperty(navigator, "connection", { value: {} }));
  await page.goto(new URL("a/b/search/", address).href);
  await kept(page);
  assert.equal(await registered(), 1, "the same page alone is kept");
  for (const fault of reader.takeFaults()) assert.match(fault, /another host|404/);
});
