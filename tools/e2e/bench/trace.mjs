// The browser's own trace: what the main thread of the page did, in processor
// time, which a shared machine changes little.

const categories = ["devtools.timeline", "disabled-by-default-devtools.timeline", "toplevel", "blink.user_timing"];

// traced returns the trace of what happens during body, as the main thread's
// tasks in order of time: {from, to, work, frame, marks}. Instants are in
// microseconds, work in milliseconds; frame says that an animation frame was
// called in the task, marks are the page's own in it.
export async function traced(page, body) {
  const session = await page.context().newCDPSession(page);
  const events = [];
  session.on("Tracing.dataCollected", ({ value }) => events.push(...value));
  const complete = new Promise((done) => session.once("Tracing.tracingComplete", done));
  await session.send("Tracing.start", {
    transferMode: "ReportEvents",
    traceConfig: { includedCategories: categories, recordMode: "recordAsMuchAsPossible" },
  });
  await body();
  await session.send("Tracing.end");
  await complete;
  await session.detach();
  return tasksOf(events);
}

function tasksOf(events) {
  const thread = busiest(events.filter((e) => e.name === "FireAnimationFrame"));
  const own = events.filter((e) => key(e) === thread).sort((a, b) => a.ts - b.ts);
  const tasks = own.filter((e) => e.name === "RunTask" && e.ph === "X")
    .map((e) => ({ from: e.ts, to: e.ts + e.dur, work: (e.tdur ?? e.dur) / 1000, frame: false, marks: [] }));
  let at = 0;
  for (const e of own) {
    while (at < tasks.length && tasks[at].to < e.ts) at++;
    if (at === tasks.length || tasks[at].from > e.ts) continue;
    if (e.name === "FireAnimationFrame") tasks[at].frame = true;
    if (e.cat?.includes("blink.user_timing")) tasks[at].marks.push(e.name);
  }
  return tasks;
}

const key = (e) => `${e.pid}/${e.tid}`;

// busiest is the thread on which most of some events were.
function busiest(events) {
  const counts = new Map();
  for (const e of events) counts.set(key(e), (counts.get(key(e)) ?? 0) + 1);
  return [...counts].sort((a, b) => b[1] - a[1])[0]?.[0];
}
