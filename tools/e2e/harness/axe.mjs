// What axe says about a page.
import assert from "node:assert/strict";
import axe from "axe-core";

// clean holds that axe finds nothing serious in the page as it is.
export async function clean(reader, state) {
  await reader.page.evaluate(axe.source);
  const { violations } = await reader.page.evaluate(() => window.axe.run(document, {
    resultTypes: ["violations"],
    runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
  }));
  const serious = violations.filter((v) => v.impact === "serious" || v.impact === "critical")
    .map((v) => `${v.id}: ${v.help}: ${v.nodes.slice(0, 3).map((n) => n.html.slice(0, 160)).join(" | ")}`);
  assert.deepEqual(serious, [], state);
}
