// axe finds nothing serious in any state of the page.
import { clean } from "../harness/axe.mjs";
import { reading } from "../harness/reader.mjs";

for (const colorScheme of ["light", "dark"]) {
  reading(`axe finds nothing serious: ready, playing, wrong code, crashed, done twice; ${colorScheme}`, { context: { colorScheme } }, async (reader) => {
    await clean(reader, "ready");
    await reader.get("#play").click();
    await reader.until((s) => s.playing && s.acked >= 1);
    await clean(reader, "playing");
    await reader.scrub(0.1);
    await reader.until((s) => s.in_flight === 1 && s.acked === 0);
    await reader.get('#stage > svg:visible [data-act="crash"]').first().click();
    await reader.get("#forward").click();
    await reader.get("#forward").click();
    await clean(reader, "crashed");
    await reader.page.getByRole("button", { name: "Move ack up" }).click();
    await reader.goToEnd();
    await clean(reader, "ack moved, at the end");
    await reader.get("#what-if").click();
    await reader.get(".cell").first().waitFor();
    await reader.get("#all-settings > summary").click();
    await reader.get("#f-queues-orders-delay").fill("soon");
    await reader.get("#f-queues-orders-delay").press("Enter");
    await reader.get(".field .errmsg").waitFor();
    await clean(reader, "crashes asked for, a field refused");
    await reader.get("#undo").click();
    await reader.get("#type").click();
    await reader.get("#typing").fill("def on_message(msg)\n    ack(msg)\n");
    await reader.until((s) => s.problems.length > 0);
    await clean(reader, "wrong code");
    await reader.get("#type").click();
    await clean(reader, "wrong code, listed");
    await reader.get("#forward").focus();
    await reader.page.keyboard.press("?");
    await clean(reader, "list of keys");
  });
}

reading("axe finds nothing serious on a phone", {
  context: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
}, async (reader) => {
  await clean(reader, "folded");
  await reader.unfold();
  await clean(reader, "unfolded");
});

// axe itself needs scripts, so the page before the program stands for the
// page without them: it is the same markup.
reading("axe finds nothing serious before the program is there", {
  program: false, before: (page) => page.route("**/program.*.wasm", () => {}),
}, async (reader) => {
  await clean(reader, "loading");
});
