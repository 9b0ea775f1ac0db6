// Bad input in the page: named in words beside the thing at fault, nothing
// hangs, nothing is lost of what was on the screen.
import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { reading } from "../harness/reader.mjs";
import { site } from "../harness/site.mjs";

const handler = "def on_message(msg):\n    send_email(msg.id)\n    ack(msg)\n";
const good = () => ({
  queues: { orders: { visibility_timeout: "1s" } },
  producers: { shop: { to: "orders", send: [{ id: 101 }] } },
  services: { send_email: { latency: "200ms" } },
  workers: { mailer: { from: "orders", handler } },
});

const wrong = {
  "an unknown field": (s) => { s.queues.orders.visibility_timout = "1s"; },
  "a wrong unit": (s) => { s.services.send_email.latency = "200 parsecs"; },
  "a worker on a queue that does not exist": (s) => { s.workers.mailer.from = "oders"; },
  "a handler with a syntax error": (s) => { s.workers.mailer.handler = "def on_message(msg)\n    ack(msg)\n"; },
  "a name that no handler knows": (s) => { s.workers.mailer.handler = handler.replace("send_email", "send_emial"); },
  "several mistakes at once": (s) => { s.queues.orders.max_size = -1; s.workers.mailer.count = "many"; },
};

reading("the page says of a wrong scenario what the terminal says", {}, async (reader) => {
  const { folder, rail } = await site();
  for (const [what, spoil] of Object.entries(wrong)) {
    const scenario = good();
    spoil(scenario);
    const text = JSON.stringify(scenario, null, 1);
    const file = join(folder, "wrong.json");
    await writeFile(file, text);
    const terminal = await rail("run", file);
    assert.equal(terminal.status, 2, what);
    const said = terminal.stderr.trim().split("\n").map((line) => line.replace(file, "").replace(/^:\s*/, ""));
    const { problems } = await reader.page.evaluate((text) => JSON.parse(window.ticketrail.run(text)), text);
    assert.deepEqual(problems, said, what);
  }
  const state = await reader.state();
  assert.deepEqual([state.problems, state.end], [[], 1.2], "what is on the stage stays");
});

const link = (source) => `#v=1&handler=${Buffer.from(source).toString("base64url")}`;

reading("a link with a mistake in its handler shows the mistake, and a run that works", {
  path: link("def on_message(msg):\n    sent_email(msg.id)\n    ack(msg)\n"),
}, async (reader) => {
  await reader.eventually(() => reader.get(".code .errmsg").allInnerTexts(), (texts) => /Line 2:.*send_email/s.test(texts.join()));
  const state = await reader.until((s) => s.events > 0);
  assert.equal(state.problems.length, 1);
  await reader.get("#speed").fill("3");
  await reader.get("#play").click();
  assert.equal((await reader.until((s) => !s.playing && s.event === s.events)).acked, 6);
  await reader.get("#undo").click();
  assert.deepEqual((await reader.until((s) => s.problems.length === 0)).problems, []);
});

reading("ten million messages: the page answers while it computes, and ends at the named limit", {
  path: "many.html",
  before: async () => {
    const s = good();
    s.producers = { shop: { to: "orders", rate: "100/s", count: 10_000_000 } };
    s.workers.mailer.count = 8;
    s.limits = { events: 300_000 };
    await (await site()).page("many.html", s);
  },
}, async (reader) => {
  await reader.press("Light or dark");
  const state = await reader.until((s) => s.events > 0);
  assert.ok(state.events >= 300_000 && state.events < 300_100, `${state.events} events`);
  await reader.eventually(() => reader.get(".notices").allInnerTexts(), (texts) => /limits\.events/.test(texts.join()));
  await reader.goToEnd();
  const end = await reader.state();
  assert.equal(end.waiting + end.in_flight + end.acked + end.delayed + end.dead, end.accepted);
});
