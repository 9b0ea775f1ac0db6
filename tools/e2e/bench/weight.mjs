// What a reader downloads.
import { readFile, readdir } from "node:fs/promises";
import { join } from "node:path";
import { lesson } from "./scenes.mjs";

// inlined is the program as a script, for frames that may fetch nothing.
const inlined = /^program\..*\.js$/;

// weight returns kilobytes, as brotli sends them: the program, and all else
// that a lesson's page asks for.
export async function weight(built) {
  const page = await readFile(join(built.folder, lesson, "index.html"), "utf8");
  const size = async (name) => (await readFile(join(built.folder, name))).length / 1000;
  let program = 0, rest = await size(join(lesson, "index.html.br"));
  for (const name of await readdir(built.folder)) {
    const plain = name.replace(/\.br$/, "");
    if (plain === name || !page.includes(plain) || inlined.test(plain)) continue;
    if (plain.endsWith(".wasm")) program += await size(name);
    else rest += await size(name);
  }
  const runs = (await readdir(join(built.folder, lesson))).filter((name) => /^run_m.*\.br$/.test(name)); // one of them is fetched
  for (const name of runs) rest += await size(join(lesson, name));
  return { program, rest };
}
