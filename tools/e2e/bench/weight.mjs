// What a reader downloads.
import { readFile, readdir } from "node:fs/promises";
import { join } from "node:path";

// weight returns kilobytes, as brotli sends them: the program, and all else
// that the home page asks for.
export async function weight(built) {
  const home = await readFile(join(built.folder, "index.html"), "utf8");
  const size = async (name) => (await readFile(join(built.folder, name))).length / 1000;
  let program = 0, rest = 0;
  for (const name of await readdir(built.folder)) {
    const plain = name.replace(/\.br$/, "");
    if (plain === name || (plain !== "index.html" && !home.includes(plain))) continue;
    if (plain.endsWith(".wasm")) program += await size(name);
    else rest += await size(name);
  }
  return { program, rest };
}
