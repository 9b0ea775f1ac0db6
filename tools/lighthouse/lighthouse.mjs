// Holds the kinds of pages against Lighthouse, in the Chromium of this machine
// and without internet. Accessibility, best practices and SEO have to reach
// least; performance depends on what else the machine does and is printed. It
// is measured as on a desk; MOBILE=1 takes Lighthouse's slow telephone.
import { launch } from "chrome-launcher";
import lighthouse from "lighthouse";
import desktop from "lighthouse/core/config/desktop-config.js";
import { site } from "../e2e/harness/site.mjs";

const least = 0.95;
const pages = { home: "", lesson: "lessons/ack-after-work/", embed: "embed/v1/ack-after-work/", guide: "docs/" };
const held = ["accessibility", "best-practices", "seo"];

// missed are the audits of a category that cost it points.
const missed = ({ audits }, category) => category.auditRefs
  .filter(({ id, weight }) => weight > 0 && audits[id].score !== null && audits[id].score < 1)
  .map(({ id }) => `  ${id}: ${audits[id].title}`);

async function measure(port, address) {
  const flags = { port, logLevel: "error", onlyCategories: ["performance", ...held] };
  const { lhr } = await lighthouse(address, flags, process.env.MOBILE ? undefined : desktop);
  if (lhr.runtimeError) throw new Error(lhr.runtimeError.message);
  return lhr;
}

const { address, close } = await site({ compressed: true });
const browser = await launch({
  chromePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  chromeFlags: ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync"],
});
try {
  for (const [name, path] of Object.entries(pages)) {
    const result = await measure(browser.port, new URL(path, address).href);
    console.log(name.padEnd(8) + Object.entries(result.categories).map(([key, { score }]) => `${key} ${Math.round(score * 100)}`).join("  "));
    for (const key of held) {
      const category = result.categories[key];
      if (category.score >= least) continue;
      process.exitCode = 1;
      console.log([`${name}: ${key} has to reach ${least * 100}`, ...missed(result, category)].join("\n"));
    }
  }
} finally {
  browser.kill();
  await close();
}
