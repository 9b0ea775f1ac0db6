// The sandbox: a scenario is built by hand, as forms and as text, and taken
// along in a link.
import assert from "node:assert/strict";
import { clean } from "../harness/axe.mjs";
import { open, reading } from "../harness/reader.mjs";

const path = "sandbox/";
const clipboard = { permissions: ["clipboard-read", "clipboard-write"] };
const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

// changed does something and waits for the run that comes of it.
async function changed(reader, act) {
  const before = await reader.state();
  await act();
  return reader.until((s) => s.hash !== before.hash);
}

// edited waits for the edit only: a queue that nobody sends to changes no run.
async function edited(reader, act) {
  const before = await reader.state();
  await act();
  return reader.until((s) => s.revision > before.revision);
}

// add adds a thing and gives it a name.
async function add(reader, section, name) {
  await edited(reader, () => reader.get(`#add-${section}`).click());
  await reader.get("#thing-name").fill(name);
  await reader.get("#thing-name").press("Enter");
  await reader.get(`#thing-${section}-${name}[aria-pressed="true"]`).waitFor();
}

const copied = (reader) => reader.page.evaluate(() => navigator.clipboard.readText());

// link copies the link of what is open.
async function link(reader) {
  await reader.get("#out-link").click();
  await reader.eventually(() => reader.get(".sb-said").innerText(), (text) => text === "Copied.");
  return copied(reader);
}

reading("a pipeline is built by hand, runs at once, and opens from its link at the same moment", { path, context: clipboard }, async (reader) => {
  const first = await reader.state();
  await add(reader, "queues", "parcels");
  await add(reader, "services", "print_label");
  await add(reader, "workers", "packer");
  assert.equal(await reader.get("#f-workers-packer-from input:checked + span").innerText(), "parcels", "it takes from where nobody takes from");
  await reader.get("#thing-workers-mailer").click();
  await reader.get("#pool-0[aria-selected=true]").waitFor();
  await reader.get("#type").click();
  await reader.get("#typing").fill('def on_message(msg):\n    publish("parcels", msg.body, id=msg.id)\n    send_email(msg.id)\n    ack(msg)\n');
  const whole = await reader.until((s) => s.problems.length === 0 && s.acked === 0 && s.events > first.events);
  assert.ok(whole.end > 3);
  await reader.goToEnd();
  const end = await reader.until((s) => s.acked === 24);
  assert.deepEqual([end.lost, end.duplicates], [0, 12], "twelve orders, and a parcel for each");
  await reader.eventually(() => reader.written(), (text) => text.includes("parcels") && text.includes("packer"));

  await reader.scrub(0.5);
  const there = await reader.state();
  const address = await link(reader);
  assert.match(address, /\/sandbox\/#v=1&at=[^&]+&run=[0-9a-f]{8}&scenario=[\w-]+$/);
  const other = await open({ path: address });
  const again = await other.until((s) => s.time > 0);
  assert.deepEqual([again.hash, again.time, again.event, again.handler], [there.hash, there.time, there.event, there.handler]);
  assert.equal(await other.get("#trouble").count(), 0);
  assert.equal(await other.drawing(), await reader.drawing());
  other.assertQuiet();
  await other.close();

  while (await reader.get("#undo:not([aria-disabled])").count()) await edited(reader, () => reader.get("#undo").click());
  assert.equal((await reader.state()).hash, first.hash);
});

reading("a mistake is said at its field, and the last good run stays", { path }, async (reader) => {
  const { hash } = await reader.state();
  await reader.get("#thing-name").fill("9 lives");
  await reader.get("#thing-name").press("Enter");
  await reader.eventually(() => reader.get("#thing-name-wrong").innerText(), (text) => /is not a name here: write letters/.test(text));
  assert.equal(await reader.get("#thing-name").getAttribute("aria-invalid"), "true");
  await reader.get("#thing-name").fill("orders");
  await reader.get("#thing-name").press("Enter");
  await reader.get("#thing-name-wrong").waitFor({ state: "detached" });

  await reader.get("#thing-producers-shop").click();
  await reader.get("#f-producers-shop-count").fill("many");
  await reader.get("#f-producers-shop-count").press("Enter");
  await reader.eventually(() => reader.get("#f-producers-shop-count-wrong").innerText(), (text) => /"many" is not a whole number: write one such as 3/.test(text));
  assert.equal((await reader.state()).hash, hash);
  await clean(reader, "a field refused");
  await reader.get("#thing-queues-orders").click();
  await changed(reader, () => reader.get("#remove").click());
  await reader.eventually(() => reader.get("#said").innerText(), (text) => text === "Removed queue orders, and with it producer shop, pool mailer.");
  await changed(reader, () => reader.get("#undo").click());
  assert.equal((await reader.state()).hash, hash);
});

reading("exact messages, crashes and expectations are entries of lists", { path }, async (reader) => {
  await reader.get("#thing-producers-shop").click();
  await changed(reader, () => reader.get("#stream-0").check());
  await changed(reader, () => reader.get("#f-producers-shop-send-1-at").fill("700ms").then(() => reader.get("#f-producers-shop-send-1-at").press("Enter")));
  await changed(reader, () => reader.get("#more-producers-shop-send").click());
  await changed(reader, () => reader.get("#less-producers-shop-send-0").click());
  await reader.get("#thing-timeline-").click();
  await reader.get("#more-timeline").click();
  await reader.get("#f-timeline-0-crash").waitFor();
  await changed(reader, () => reader.get("#f-timeline-0-at").fill("100ms").then(() => reader.get("#f-timeline-0-at").press("Enter")));
  await reader.get("#action-0").selectOption("set");
  await reader.eventually(() => reader.get("#f-timeline-0-to").inputValue(), (value) => value === "2");
  await reader.get("#thing-expect-").click();
  await reader.get("#more-expect").click();
  await reader.get("#f-expect-0").fill("lost = 0");
  await reader.get("#f-expect-0").press("Enter");
  await reader.get("#f-expect-0-wrong").waitFor();
});

reading("the scenario as text: typed both ways, mistakes at line and column, copied", { path, context: clipboard }, async (reader) => {
  await reader.get("#yaml > summary").click();
  const field = reader.get("#yaml-text");
  const text = await field.inputValue();
  assert.match(text, /^title: Two workers and a mail server\n/);
  await changed(reader, () => field.fill(text.replace("count: 2", "count: 1")));
  await reader.get("#thing-workers-mailer").click();
  await reader.eventually(() => reader.knob("workers").locator(".val").innerText(), (value) => value === "1");
  await changed(reader, () => reader.press("Cooks: one more"));
  await reader.eventually(() => field.inputValue(), (now) => now === text);

  const { hash } = await reader.state();
  await field.fill(text.replace("visibility_timeout", "visibilty_timeout"));
  await reader.eventually(() => reader.get("#yaml-wrong").innerText(), (said) => said.includes('Line 3, column 19: unknown field "visibilty_timeout": did you mean "visibility_timeout"?'));
  assert.equal((await reader.state()).hash, hash);
  assert.equal(await reader.get(".sb-yaml .ln.bad .no").innerText(), "3");
  await clean(reader, "text with a mistake");
  await reader.get("#undo").click();
  await reader.eventually(() => field.inputValue(), (now) => now === text);
  await reader.get("#out-yaml").click();
  await reader.eventually(() => reader.get(".sb-said").innerText(), (said) => said === "Copied.");
  assert.equal(await copied(reader), text);
});

reading("one starts from a case, from nothing, and from a file; a wrong file says so", { path }, async (reader) => {
  const full = await changed(reader, () => reader.get("#from").selectOption({ label: "A queue with room for three" }));
  assert.deepEqual([full.accepted, full.refused, full.problems], [3, 2, []]);
  await changed(reader, () => reader.get("#blank").click());
  await reader.get("#thing-queues-queue").waitFor();
  const download = reader.page.waitForEvent("download");
  await reader.get("#out-file").click();
  assert.equal((await download).suggestedFilename(), "scenario.yaml");
  const give = (name, text) => reader.get("#open-file").setInputFiles({ name, mimeType: "text/plain", buffer: Buffer.from(text) });
  await give("bad.yaml", "queues:\n  orders: {ttl: soon}\n");
  await reader.eventually(() => reader.get(".sb-said").innerText(), (text) => /^bad\.yaml cannot be opened\. 2:17: ttl: /.test(text));
  await give("good.json", '{"title":"<img src=x onerror=alert(1)>","queues":{"letters":{}},"producers":{"web":{"to":"letters","send":[{"id":7}]}}}');
  await reader.get("#thing-queues-letters").waitFor();
  await reader.get("#thing-run-").click();
  await reader.eventually(() => reader.get("#f-title").inputValue(), (title) => title === "<img src=x onerror=alert(1)>");
  assert.equal(await reader.get('img[src="x"]').count(), 0, "what a file says is text");
});

reading("a lesson's stage opens in the sandbox with what was changed", {}, async (reader) => {
  const { hash } = await reader.state();
  await reader.press("Move ack up").catch(() => {});
  const there = await reader.until((s) => s.hash !== hash);
  await reader.get("#to-sandbox").click();
  await reader.page.waitForURL(/\/sandbox\/#v=1&/);
  await reader.program();
  const again = await reader.until((s) => s.handler === there.handler);
  assert.equal(again.hash, there.hash);
});

for (const [what, fragment] of [
  ["cut off", "v=1&scenario=f5uhlYMCKYCikVsnP43Z7z-owXdnv"],
  ["of another version", "v=7&scenario=abc"],
  ["with markup", "v=1&scenario=%3Cimg%20src%3Dx%20onerror%3Dalert(1)%3E"],
  ["far too large", "v=1&scenario=" + "A".repeat(1_000_000)],
]) {
  reading(`a link that is ${what} gives a sentence and a way on`, { path: path + "#" + fragment }, async (reader) => {
    await reader.eventually(() => reader.get("#trouble").innerText(), (text) => /^This link .*The page is as it is without the link\.$/.test(text));
    await edited(reader, () => reader.get("#add-queues").click());
    await reader.eventually(() => reader.get("#trouble").count(), (n) => n === 0);
  });
}

reading("on a phone all of it is within reach", { path, context: { ...phone, ...clipboard } }, async (reader) => {
  await add(reader, "queues", "letters");
  const { width, wide } = await reader.page.evaluate(() => ({ width: document.documentElement.clientWidth, wide: document.documentElement.scrollWidth }));
  assert.ok(wide <= width, `${wide} px wide on ${width}`);
  await reader.get("#yaml > summary").click();
  await reader.get("#yaml-text").waitFor();
  await clean(reader, "phone, text open");
  for (const button of await reader.get(".palette button, .sb-start .btn, #remove").all()) {
    const box = await button.boundingBox();
    assert.ok(box.height >= 39.5, `${await button.getAttribute("id")} is ${box.height} px high`);
  }
  const address = await link(reader);
  const other = await open({ path: address });
  await other.get("#thing-queues-letters").waitFor();
  assert.equal((await other.state()).hash, (await reader.state()).hash);
  await other.close();
});
