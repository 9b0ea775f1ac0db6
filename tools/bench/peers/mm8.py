"""Runs the model of the bench in SimPy 2: eight workers at 80% load.

Messages arrive at 64 a second, Poisson; work takes 100 ms, exponential. With
crashes, one run in twenty dies within its work: its worker is back after
100 ms, its message after 30 s. Prints messages a second of processor time.
"""

import random
import statistics
import time

from SimPy.Simulation import Process, Resource, Simulation, hold, release, request

MESSAGES = 50_000
GOES = 5


class Producer(Process):
    def send(self, workers, crash):
        for _ in range(MESSAGES):
            yield hold, self, self.sim.random.expovariate(64)
            message = Message(sim=self.sim)
            self.sim.activate(message, message.live(workers, crash))


class Message(Process):
    def live(self, workers, crash):
        chance = self.sim.random
        while True:
            yield request, self, workers
            work = chance.expovariate(10)
            if crash == 0 or chance.random() >= crash:
                yield hold, self, work
                yield release, self, workers
                self.sim.acked += 1
                return
            part = work * chance.random()
            yield hold, self, part + 0.1
            yield release, self, workers
            yield hold, self, max(30 - part - 0.1, 0)


def run(crash):
    start = time.process_time()
    sim = Simulation()
    sim.initialize()
    sim.random = random.Random(1)
    sim.acked = 0
    workers = Resource(capacity=8, sim=sim)
    producer = Producer(sim=sim)
    sim.activate(producer, producer.send(workers, crash))
    sim.simulate(until=1e12)
    if sim.acked != MESSAGES:
        raise SystemExit(f"{sim.acked} of {MESSAGES} messages were acked")
    return MESSAGES / (time.process_time() - start)


for name, crash in (("simpy", 0), ("simpy/crash", 0.05)):
    print(f"{name}\t{statistics.median(run(crash) for _ in range(GOES))}")
