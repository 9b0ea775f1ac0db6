// The browser: Chromium as the system has it, headless and offline.
import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { chromium } from "playwright-core";

const names = ["chromium", "chromium-browser", "google-chrome-stable", "google-chrome"];

// executable is CHROMIUM if that is set, or the first browser on the path.
function executable() {
  if (process.env.CHROMIUM) return process.env.CHROMIUM;
  const folders = ["/usr/bin", ...(process.env.PATH ?? "").split(delimiter)];
  for (const name of names) {
    const found = folders.map((folder) => join(folder, name)).find((path) => existsSync(path));
    if (found) return found;
  }
  throw new Error("there is no Chromium here: run `make setup`, or set CHROMIUM to its path");
}

// launch starts a browser. Nothing it does by itself reaches another host.
export function launch(options = {}) {
  return chromium.launch({
    executablePath: executable(),
    args: [
      "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
      "--disable-background-networking", "--disable-component-update", "--disable-sync",
    ],
    ...options,
  });
}
