// All tests of the page, in one process: the site is built and the browser
// started once. One file alone: node --test tests/play.mjs
import "./tests/play.mjs";
import "./tests/act.mjs";
import "./tests/pictures.mjs";
import "./tests/time.mjs";
import "./tests/code.mjs";
import "./tests/evidence.mjs";
import "./tests/settings.mjs";
import "./tests/sandbox.mjs";
import "./tests/wrong.mjs";
import "./tests/keys.mjs";
import "./tests/shape.mjs";
import "./tests/accessible.mjs";
import "./tests/lessons.mjs";
import "./tests/course.mjs";
import "./tests/practice.mjs";
import "./tests/every.mjs";
import "./tests/live.mjs";
import "./tests/without.mjs";
import "./tests/recorded.mjs";
import "./tests/embed.mjs";
import "./tests/scorm.mjs";
import "./tests/cases.mjs";
