// Runs the model of the bench in simjs: eight workers at 80% load.
//
// Messages arrive at 64 a second, Poisson; work takes 100 ms, exponential. With
// crashes, one run in twenty dies within its work: its worker is back after
// 100 ms, its message after 30 s. Prints messages a second of processor time.
import { createRequire } from 'node:module';

globalThis.window = {}; // simjs gives its names to the window only
createRequire(import.meta.url)('simjs');
const { Sim, Entity, Facility, Random } = globalThis.window.Sim;

const messages = 50_000;
const goes = 5;

class Producer extends Entity {
  start(workers, crash, chance) {
    Object.assign(this, { workers, crash, chance, sent: 0, acked: 0 });
    this.next();
  }

  next() {
    if (this.sent++ < messages) {
      this.setTimer(this.chance.exponential(64)).done(this.send, this);
    }
  }

  send() {
    this.handOut();
    this.next();
  }

  handOut() {
    const work = this.chance.exponential(10);
    if (this.crash === 0 || this.chance.random() >= this.crash) {
      this.useFacility(this.workers, work).done(this.ack, this);
      return;
    }
    const part = work * this.chance.random();
    this.useFacility(this.workers, part + 0.1).done(this.hide, this, Math.max(30 - part - 0.1, 0));
  }

  hide(rest) {
    this.setTimer(rest).done(this.handOut, this);
  }

  ack() {
    this.acked++;
  }
}

function run(crash) {
  const start = process.cpuUsage();
  const sim = new Sim();
  const workers = new Facility('workers', Facility.FCFS, 8);
  const producer = sim.addEntity(Producer, 'producer', workers, crash, new Random(1));
  sim.simulate(1e12);
  if (producer.acked !== messages) throw new Error(`${producer.acked} of ${messages} messages were acked`);
  const used = process.cpuUsage(start);
  return messages / ((used.user + used.system) / 1e6);
}

for (const [name, crash] of [['simjs', 0], ['simjs/crash', 0.05]]) {
  const rates = Array.from({ length: goes }, () => run(crash)).sort((a, b) => a - b);
  console.log(`${name}\t${rates[Math.floor(goes / 2)]}`);
}
