// The keyboard alone: everything is reached in order, nothing traps the focus.
import assert from "node:assert/strict";
import { reading } from "../harness/reader.mjs";

// tabStops are what the page offers to the keyboard, in the order of the page,
// each in a few words. Radio buttons of one group are one stop: the one that is
// chosen, or the first.
function tabStops() {
  const name = (e) => e.id || e.getAttribute("aria-label") || e.textContent.trim().slice(0, 40);
  const all = document.querySelectorAll("a[href], button, input, select, textarea, summary, [tabindex]");
  const stop = (e) => e.type !== "radio" || e === (document.querySelector(`input[name="${e.name}"]:checked`) ?? document.querySelector(`input[name="${e.name}"]`));
  return [...all].filter((e) => stop(e) && e.tabIndex >= 0 && !e.disabled && e.checkVisibility({ visibilityProperty: true }) && !e.closest("[inert]")).map(name);
}

const focused = () => {
  const e = document.activeElement;
  if (!e || e === document.body || e === document.documentElement) return null;
  const box = e.getBoundingClientRect();
  return {
    name: e.id || e.getAttribute("aria-label") || e.textContent.trim().slice(0, 40),
    seen: box.width > 0 && box.bottom > 0 && box.top < innerHeight,
  };
};

reading("Tab from the top reaches everything in order and leads out again", {}, async (reader) => {
  const expected = await reader.page.evaluate(tabStops);
  assert.ok(expected.length > 20, `${expected.length} stops`);
  const reached = [];
  for (;;) {
    await reader.page.keyboard.press("Tab");
    const at = await reader.page.evaluate(focused);
    if (!at || reached.length > expected.length) break;
    assert.ok(at.seen, `${at.name} has the focus and cannot be seen`);
    reached.push(at.name);
  }
  assert.deepEqual(reached, expected);
});

reading("the first stop leads past the header to the stage", {}, async (reader) => {
  await reader.page.keyboard.press("Tab");
  assert.match((await reader.page.evaluate(focused)).name, /stage/);
  await reader.page.keyboard.press("Enter");
  await reader.page.keyboard.press("Tab");
  assert.equal(await reader.page.evaluate(() => document.activeElement.closest("#stage") !== null), true);
});

reading("Space plays and pauses, arrows step, Home and End go to the ends", {}, async (reader) => {
  const { keyboard } = reader.page;
  const seen = async () => `${(await reader.state()).event}: ${await reader.stage()}`;
  for (const focus of ["#scrub", "#forward"]) {
    await reader.get(focus).focus();
    await keyboard.press("End");
    await reader.until((s) => s.event === s.events);
    await keyboard.press("Home");
    await reader.until((s) => s.time === 0 && s.event < s.events);
    const home = await seen();
    await keyboard.press("ArrowRight");
    await reader.eventually(seen, (now) => now !== home);
    await keyboard.press("ArrowRight");
    await reader.until((s) => s.time > 0);
    await keyboard.press("ArrowLeft");
    await reader.until((s) => s.time === 0);
  }
  await reader.get("#scrub").focus();
  await keyboard.press("Space");
  await reader.until((s) => s.playing);
  await keyboard.press("Space");
  const paused = await reader.until((s) => !s.playing);
  assert.ok(paused.time < paused.end);
});

reading("the whole lesson by keys alone: flaky mail server, ack moved, one order lost", {}, async (reader) => {
  const { keyboard } = reader.page;
  const tabTo = async (wanted) => {
    for (let n = 0; n < 120; n++) {
      await keyboard.press("Tab");
      if (await reader.page.evaluate((wanted) => document.activeElement.matches(wanted), wanted)) return;
    }
    assert.fail(`Tab does not reach ${wanted}`);
  };
  await tabTo('#listing .ln.ack .grip');
  await keyboard.press("ArrowUp");
  await reader.until((s) => s.handler.indexOf("ack") < s.handler.indexOf("send_email"));
  await tabTo('[aria-label="Fails at first: one more"]');
  await keyboard.press("Enter");
  await reader.page.keyboard.press("Shift+Tab");
  await tabTo(".transcript button.row");
  await keyboard.press("End");
  const end = await reader.until((s) => s.event === s.events && s.lost > 0);
  assert.deepEqual([end.lost, end.effects], [1, 5]);
});

reading("the question mark lists the keys, Escape closes the list and gives the focus back", {}, async (reader) => {
  await reader.get("#forward").focus();
  await reader.page.keyboard.press("?");
  const list = reader.get("#keys");
  await list.waitFor({ state: "visible" });
  assert.match(await list.innerText(), /Space[\s\S]*Home[\s\S]*End/);
  await reader.page.keyboard.press("Escape");
  await list.waitFor({ state: "hidden" });
  await reader.focusIs("forward");
});

reading("a setting is held by keys, and its words are spoken", {}, async (reader) => {
  const slider = reader.get("#latency");
  await slider.focus();
  const { end } = await reader.state();
  await reader.page.keyboard.press("ArrowRight");
  await reader.until((s) => s.end > 1.2);
  assert.ok(end < (await reader.state()).end);
  await reader.eventually(() => slider.getAttribute("aria-valuetext"), (text) => text === "250 milliseconds");
  await reader.focusIs("latency");
});

reading("stepping says each event in one sentence, playing says nothing until it stops", {}, async (reader) => {
  const said = reader.get("#said");
  await reader.get("#forward").click();
  const first = await reader.eventually(() => said.innerText(), (text) => text !== "");
  await reader.get("#forward").click();
  await reader.eventually(() => said.innerText(), (text) => text !== "" && text !== first);
  await said.evaluate((element) => {
    window.heard = [];
    new MutationObserver(() => window.heard.push(element.textContent)).observe(element, { childList: true, characterData: true, subtree: true });
  });
  await reader.get("#speed").fill("3");
  await reader.get("#play").click();
  await reader.until((s) => s.event === s.events && !s.playing);
  const heard = await reader.eventually(() => reader.page.evaluate(() => window.heard), (all) => all.length > 0);
  assert.equal(heard.length, 1, JSON.stringify(heard));
  assert.match(heard[0], /6 done/);
});
