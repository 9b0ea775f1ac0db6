// What an hour of playing leaves in memory: a minute of orders, round and
// round, at a hundred times real time.
import { opened } from "./open.mjs";

const warm = 600, whole = 4200; // virtual seconds: until caches are full, and an hour more

// hour returns how much larger the page's own heap and the program's are after
// an hour than before it, in KB.
export function hour(browser, address) {
  return opened(browser, address, async (page) => {
    const devtools = await page.context().newCDPSession(page);
    const used = async () => {
      await devtools.send("HeapProfiler.collectGarbage");
      const { usedSize } = await devtools.send("Runtime.getHeapUsage");
      return { page: usedSize, program: await least(page) };
    };
    await page.locator("#loop").click();
    await page.locator("#speed").fill("9");
    await page.locator("#play").click();
    await played(page, warm);
    const before = await used();
    await played(page, whole - warm);
    const after = await used();
    return { "hour/page": (after.page - before.page) / 1024, "hour/program": (after.program - before.program) / 1024 };
  });
}

// least is the least that the program's heap came to over a hundred frames:
// what its collector has left.
const least = (page) => page.evaluate(() => new Promise((done) => {
  let found = Infinity, count = 100;
  const look = () => {
    found = Math.min(found, JSON.parse(window.ticketrail.memory()).heap);
    if (count-- > 0) requestAnimationFrame(look);
    else done(found);
  };
  look();
}));

// played waits until so many virtual seconds have been played.
const played = (page, seconds) => page.evaluate((seconds) => new Promise((done) => {
  let passed = 0, last = JSON.parse(window.ticketrail.state()).time;
  const look = () => {
    const { time } = JSON.parse(window.ticketrail.state());
    passed += time >= last ? time - last : time;
    last = time;
    if (passed < seconds) setTimeout(look, 50);
    else done();
  };
  look();
}), seconds);
