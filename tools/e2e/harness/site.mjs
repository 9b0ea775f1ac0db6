// The site under test: built once into a temporary folder and served as any
// static host would. The terminal's program is built beside it, so that page
// and terminal can be compared.
//
// Start reading at site().
import { execFile, spawn } from "node:child_process";
import { rmSync } from "node:fs";
import { mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { promisify } from "node:util";

const run = promisify(execFile);

// A process that is told to end still ends what it has started.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.once(signal, () => process.exit(1));

// root is the source tree.
export const root = resolve(import.meta.dirname, "../../..");

let made;

// site returns the one site of this process: {address, folder, binary, rail,
// page, lesson, close}. Its pages also lie below some-where/, as on a host that keeps
// many sites. Compressed files are written beside the plain ones when asked
// for.
export function site({ compressed = false } = {}) {
  made ??= make(compressed);
  return made;
}

async function make(compressed) {
  const temporary = await mkdtemp(join(tmpdir(), "ticketrail-e2e-"));
  const binary = join(temporary, "rail");
  const folder = join(temporary, "site");
  process.once("exit", () => rmSync(temporary, { recursive: true, force: true }));
  try {
    await run("go", ["build", "-o", binary, "./tools/rail"], { cwd: root });
    await run(binary, ["build", "-o", folder, ...(compressed ? ["--compressed"] : [])], { cwd: root });
    await symlink(folder, join(folder, "some-where"));
    const server = await serve(binary, folder);
    return {
      address: server.address,
      folder,
      binary,
      rail: (...args) => rail(binary, args),
      page: (name, scenario) => page(folder, name, scenario),
      lesson: (name, made) => lesson(folder, name, made),
      async close() {
        await server.close();
        await rm(temporary, { recursive: true, force: true });
      },
    };
  } catch (error) {
    await rm(temporary, { recursive: true, force: true });
    throw error;
  }
}

// serve starts the server of a folder on a free port and waits for the address
// that it prints. env is that of the server, if it is not to be this one's.
export async function serve(binary, folder, options = [], env = process.env) {
  const server = spawn(binary, ["serve", folder, ...options], { env, stdio: ["ignore", "pipe", "inherit"] });
  const ended = new Promise((done) => server.once("exit", done));
  process.once("exit", () => server.kill());
  const address = await Promise.race([
    new Promise((found) => createInterface(server.stdout).once("line", found)),
    ended.then((code) => { throw new Error(`rail serve ended with status ${code} before it served`); }),
  ]);
  return {
    address,
    async close() {
      server.kill("SIGTERM");
      await ended;
    },
  };
}

// rail runs one command of the terminal and returns what it prints and its
// exit status.
async function rail(binary, args) {
  try {
    const { stdout, stderr } = await run(binary, args, { cwd: root, maxBuffer: 64 << 20 });
    return { stdout, stderr, status: 0 };
  } catch (error) {
    if (typeof error.code !== "number") throw error;
    return { stdout: error.stdout, stderr: error.stderr, status: error.code };
  }
}

// page writes another page of the site: a lesson's with another scenario,
// everything of which can be changed.
async function page(folder, name, scenario) {
  return lesson(folder, name, {
    format: 1, slug: "", title: scenario.title ?? "A scenario", minutes: 0, level: "", scenarios: [{ id: "it", scenario }],
    steps: [{ title: scenario.title ?? "A scenario", blocks: [{ stage: { scenario: "it", unlock: ["all"] } }] }],
  });
}

// lesson writes another page of the site, beside its home page: the first
// lesson's with another lesson.
async function lesson(folder, name, lesson) {
  const first = (await readFile(join(folder, "lessons/ticket-rail/index.html"), "utf8")).replaceAll('"../../', '"./');
  const data = JSON.stringify({ root: "./", lesson }).replaceAll("<", "\\u003c");
  const open = '<script type="application/json" id="page">';
  const at = first.indexOf(open) + open.length;
  if (at < open.length) throw new Error("the page holds no lesson");
  await writeFile(join(folder, name), first.slice(0, at) + data + first.slice(first.indexOf("</script>", at)));
  return name;
}

// scenarios reads scenario files of the tree as the page is given them:
// [{file, scenario}].
export async function scenarios(files) {
  const { stdout } = await run("go", ["run", "./tools/e2e/scenarios", ...files], { cwd: root, maxBuffer: 64 << 20 });
  return stdout.trim().split("\n").map((line) => JSON.parse(line));
}

// answers reads the lessons of the tree with the answers to what they ask:
// [{slug, title, steps: [{title, questions, challenges}]}].
export async function answers() {
  const { stdout } = await run("go", ["run", "./tools/e2e/answers", "lessons"], { cwd: root, maxBuffer: 64 << 20 });
  return stdout.trim().split("\n").map((line) => JSON.parse(line));
}
