// The pages that are measured: the lesson as it is, the burst of 400 jobs with
// eight workers, a lunch rush of a minute, and a run of 10,000 messages.
import { scenarios } from "../harness/site.mjs";

const long = {
  title: "Ten thousand jobs",
  limits: { events: 1_000_000 },
  queues: { jobs: { visibility_timeout: "30s" } },
  producers: { api: { to: "jobs", rate: "64/s", arrivals: "poisson", count: 10_000 } },
  services: { resize: { latency: { mean: "100ms", spread: "exponential" } } },
  workers: { resizer: { from: "jobs", count: 8, handler: "def on_message(msg):\n    resize(msg.id)\n    ack(msg)\n" } },
};

export const lesson = "lessons/ticket-rail/";

// scenes writes the pages into the site and returns their addresses by name.
export async function scenes(built) {
  const [{ scenario: burst }, { scenario: rush }] = await scenarios(["core/testdata/cases/drain-eight-workers.yaml", "core/testdata/cases/lunch-rush.yaml"]);
  const address = async (name, scenario) => new URL(await built.page(name, scenario), built.address).href;
  return {
    lesson: new URL(lesson, built.address).href,
    rush: await address("rush.html", rush),
    burst: await address("burst.html", burst),
    long: await address("long.html", long),
  };
}
