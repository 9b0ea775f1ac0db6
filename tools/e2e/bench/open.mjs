// Opens a page to be measured, in a browser context of its own.

// opened calls body with the page at that address once its program runs and
// its first run is there.
export async function opened(browser, address, body, before) {
  const context = await browser.newContext({ viewport: { width: 1440, height: 1000 }, serviceWorkers: "block" });
  try {
    const page = await context.newPage();
    await before?.(page);
    await page.goto(address);
    await page.evaluate(() => window.ticketrail.ask());
    await page.waitForFunction(() => typeof window.ticketrail?.state === "function" && JSON.parse(window.ticketrail.state()).events > 0);
    return await body(page);
  } finally {
    await context.close();
  }
}

// middle returns the median, and part any other quantile, of some numbers.
export const middle = (values) => part(values, 0.5);

export function part(values, q) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(q * sorted.length))];
}
