// How the page starts, cold, beside a go-app program that says hello, built
// and measured in the same run.
import { execFile } from "node:child_process";
import { copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { brotliCompressSync, constants } from "node:zlib";
import { root, serve } from "../harness/site.mjs";
import { middle } from "./open.mjs";
import { lesson } from "./scenes.mjs";

const run = promisify(execFile);
const goes = 7;

export async function start(browser, built) {
  const folder = await mkdtemp(join(tmpdir(), "ticketrail-hello-"));
  try {
    await hello(folder);
    const server = await serve(built.binary, join(folder, "site"));
    const address = new URL(lesson, built.address).href;
    try {
      const ours = [], theirs = [];
      for (let n = 0; n < goes; n++) {
        ours.push(await cold(browser, address));
        theirs.push(await cold(browser, server.address));
      }
      const slow = await cold(browser, address, { latency: 40, megabits: 10 });
      const median = (list, name) => middle(list.map((go) => go[name]));
      return {
        paint: median(ours, "paint"), running: median(ours, "running"),
        "hello/paint": median(theirs, "paint"), "hello/running": median(theirs, "running"),
        ratio: median(ours, "running") / median(theirs, "running"),
        "paint/without": await paintWithoutProgram(browser, address),
        "slow/paint": slow.paint, "slow/running": slow.running, "slow/moves": slow.moves, moves: median(ours, "moves"),
      };
    } finally {
      await server.close();
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

// cold opens an address in a context that has nothing kept, and returns the
// milliseconds to the first content, to the run that moves after a press on
// play, and to what the program makes.
async function cold(browser, address, network) {
  const context = await browser.newContext({ viewport: { width: 1440, height: 1000 }, serviceWorkers: "block" });
  try {
    const page = await context.newPage();
    await page.addInitScript(() => {
      // what the program makes first: the hello's element, our page's answers
      const there = () => document.getElementById("hello") || window.ticketrail?.state;
      const clock = () => document.getElementById("clock-now")?.textContent;
      let was; // the clock, once play is pressed
      const look = () => {
        if (there()) window.running ??= performance.now();
        if (was === undefined && (document.documentElement.dataset.recorded === "" || there())) {
          was = clock();
          document.getElementById("play")?.click();
        }
        if (was !== undefined && clock() !== was) window.moves ??= performance.now();
        if (!window.running || !window.moves && document.getElementById("play")) requestAnimationFrame(look);
      };
      requestAnimationFrame(look);
    });
    if (network) {
      const session = await context.newCDPSession(page);
      await session.send("Network.enable");
      const throughput = network.megabits * 1e6 / 8;
      await session.send("Network.emulateNetworkConditions", {
        offline: false, latency: network.latency, downloadThroughput: throughput, uploadThroughput: throughput,
      });
    }
    await page.goto(address);
    await page.waitForFunction(() => window.running && (window.moves || !document.getElementById("play")) && performance.getEntriesByName("first-contentful-paint").length > 0);
    return await page.evaluate(() => ({
      running: window.running, moves: window.moves ?? NaN, paint: performance.getEntriesByName("first-contentful-paint")[0]?.startTime,
    }));
  } finally {
    await context.close();
  }
}

// paintWithoutProgram returns the first content's time while the program is
// held back for good: a page that needs it for that never comes to it.
async function paintWithoutProgram(browser, address) {
  const context = await browser.newContext({ viewport: { width: 1440, height: 1000 }, serviceWorkers: "block" });
  try {
    const page = await context.newPage();
    await page.route("**/*.wasm", () => {});
    await page.goto(address);
    await page.waitForFunction(() => performance.getEntriesByName("first-contentful-paint").length > 0);
    return await page.evaluate(() => performance.getEntriesByName("first-contentful-paint")[0].startTime);
  } finally {
    await context.close();
  }
}

const program = `package main

import "github.com/maxence-charriere/go-app/v10/pkg/app"

type hello struct{ app.Compo }

func (h *hello) Render() app.UI {
	if app.IsServer { // the page as it is sent, before the program is there
		return app.H1().Text("Hello")
	}
	return app.H1().ID("hello").Text("Hello")
}

func main() {
	app.Route("/", func() app.Composer { return &hello{} })
	app.RunWhenOnBrowser()
	if err := app.GenerateStaticWebsite("site", &app.Handler{Name: "Hello", Icon: app.Icon{Default: "/web/icon.png", Large: "/web/icon.png", SVG: "/web/icon.svg"}}); err != nil {
		panic(err)
	}
}
`;

// hello writes the site of a go-app program, with the version that this tree
// uses, and compressed as ours is.
async function hello(folder) {
  const version = (await readFile(join(root, "go.mod"), "utf8")).match(/maxence-charriere\/go-app\/v10 (v\S+)/)[1];
  await writeFile(join(folder, "main.go"), program);
  await writeFile(join(folder, "go.mod"), `module hello\n\ngo 1.26\n\nrequire github.com/maxence-charriere/go-app/v10 ${version}\n`);
  await copyFile(join(root, "go.sum"), join(folder, "go.sum"));
  const env = { ...process.env, GOFLAGS: "-mod=mod" };
  await run("go", ["run", "."], { cwd: folder, env });
  await mkdir(join(folder, "site/web"), { recursive: true });
  await run("go", ["build", "-trimpath", "-ldflags=-s -w", "-o", "site/web/app.wasm", "."], { cwd: folder, env: { ...env, GOOS: "js", GOARCH: "wasm" } });
  const wasm = join(folder, "site/web/app.wasm");
  const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }; // as quick to unpack as the best
  await writeFile(`${wasm}.br`, brotliCompressSync(await readFile(wasm), quality));
}
