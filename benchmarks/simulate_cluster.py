"""A cluster of 1,000 nodes, simulated: how work should be cut and handed out when one process asks and 16,000 processors answer.

    python benchmarks/simulate_cluster.py [FILE] [--figure SVG]

A discrete-event simulation. What a task costs the asker, what pieces take and how many bytes they send back are read from FILE,
which `scaling.py` measured (default benchmarks/measured/scaling.json); how a large cluster behaves is assumed: see ASSUMED. Prints
tables; the same seed gives the same tables. About two minutes."""

from __future__ import annotations

import argparse
import heapq
import json
import math
import random
from collections import deque
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
FILE = ROOT / "benchmarks" / "measured" / "scaling.json"
SEED = 7
AHEAD = 2
"""Tasks under way for each processor, as in the executor."""
GUIDED = 8
"""A guided task takes the part of what is left that would keep everybody at work for an eighth of the rest."""
TOO_MANY = 60_000
"""With more tasks than this the asker is the limit, and its cost is the time: that is worked out and not simulated."""


@dataclass(frozen=True)
class Assumed:
    """What is not measured here. A job is what keeps the whole cluster at work for `seconds`, if nothing is lost or waited for."""

    processors: int = 16
    seconds: float = 60.0
    speeds: tuple[tuple[float, float], ...] = ((0.6, 1.0), (0.3, 0.75), (0.1, 0.5))
    slowed: float = 0.01
    slowed_to: float = 0.2
    deaths: int = 5
    notice: float = 5.0
    coordinator: float = 0.0002


ASSUMED = Assumed()


@dataclass(frozen=True)
class Measured:
    """What was measured: the asker's seconds for a task and for each piece in it, the seconds of pieces, their bytes."""

    task: float
    piece: float
    seconds: list[float]
    bytes: int
    bytes_with_records: int


@dataclass(frozen=True)
class Policy:
    """How work is cut: tasks of `seconds` on the fastest processor; guided ones begin larger and shrink with what is left.

    `copies`: tasks that last too long are played a second time when processors are idle. `by_node`: the asker deals with one
    coordinator a node, which cuts its range for its processors and merges their results.
    """

    name: str
    seconds: float
    guided: bool = False
    copies: bool = False
    by_node: bool = False


@dataclass
class Outcome:
    """What came of a simulated job. `busy` is the share of the time in which the asker works, `lost` the seconds played in vain."""

    seconds: float
    ideal: float
    tasks: int
    busy: float
    lost: float

    @property
    def efficiency(self) -> float:
        return self.ideal / self.seconds


@dataclass
class Task:
    work: float
    start: float = 0.0
    done: bool = False
    copied: bool = False
    on: list[int] = field(default_factory=list)


class Simulation:
    """One job. A processor here is what the asker deals with: a processor, or a whole node where nodes have coordinators."""

    def __init__(self, nodes: int, policy: Policy, measured: Measured, assumed: Assumed, seed: int) -> None:
        self.random = random.Random(seed)
        self.policy, self.measured, self.assumed = policy, measured, assumed
        of_node = [self._speed() for _ in range(nodes)]
        self.per_node = 1 if policy.by_node else assumed.processors
        self.speed = [speed for speed in of_node for _ in range(self.per_node)]
        self.width = assumed.processors if policy.by_node else 1
        power = sum(self.speed) * self.width
        self.left = assumed.seconds * power
        self.power = power
        self.spread = _spread(measured.seconds)
        self.mean = sum(measured.seconds) / len(measured.seconds)
        self.dead: set[int] = set()
        self.events: list[tuple[float, int, str, int, Task | None]] = []
        self.ready: deque[tuple[float, Task]] = deque()
        self.running: deque[Task] = deque()
        self.idle: set[int] = set()
        self.asker = self.busy = self.lost = 0.0
        self.tasks = self.count = self.open = 0

    def _speed(self) -> float:
        if self.random.random() < self.assumed.slowed:
            return self.assumed.slowed_to
        at = self.random.random()
        for share, speed in self.assumed.speeds:
            at -= share
            if at < 0:
                return speed
        return self.assumed.speeds[-1][1]

    def push(self, when: float, kind: str, processor: int, task: Task | None) -> None:
        self.count += 1
        heapq.heappush(self.events, (when, self.count, kind, processor, task))

    def create(self, now: float) -> None:
        """The asker makes a task of what is left, as soon as it has time."""
        if self.left <= 0:
            return
        policy = self.policy
        size = policy.seconds * self.width
        if policy.guided:
            size = max(size, self.left / (GUIDED * len(self.speed) * self.width) * self.width)
        size = min(size, self.left)
        self.left -= size
        pieces = math.ceil(size / self.mean)
        cost = self.measured.task + (0 if policy.by_node else pieces * self.measured.piece)
        self.asker = max(self.asker, now) + cost
        self.busy += cost
        self.tasks += 1
        self.open += 1
        # The sum of many pieces is nearly normal, with the spread that was measured for one.
        noise = self.random.gauss(0, self.spread * self.mean * math.sqrt(pieces))
        self.ready.append((self.asker, Task(max(size + noise, size / 10))))

    def give(self, now: float, processor: int) -> None:
        """A processor takes the next task, or a copy of one that lasts too long, or is idle."""
        if self.ready:
            when, task = self.ready.popleft()
            start = max(now, when)
            task.start = start
            self.begin(start, processor, task)
            self.running.append(task)
            return
        if self.policy.copies:
            while self.running and (self.running[0].done or self.running[0].copied):
                self.running.popleft()
            if self.running:
                task = self.running[0]
                late = task.start + 1.5 * self.policy.seconds
                if now >= late:
                    task.copied = True
                    self.begin(now, processor, task)
                    return
                self.push(late, "ask", processor, None)
                return
        self.idle.add(processor)

    def begin(self, start: float, processor: int, task: Task) -> None:
        lasts = task.work / self.speed[processor] / self.width
        if self.policy.by_node:
            # The coordinator's own cost, and half a piece in which not all of its processors are at work.
            lasts += self.assumed.coordinator * task.work / self.mean / self.width
            lasts += self.mean / self.speed[processor] / 2
        task.on.append(processor)
        self.push(start + lasts, "end", processor, task)

    def limit(self) -> Outcome | None:
        """What the asker alone makes of it, where there are too many tasks to be simulated."""
        tasks = self.left / self.policy.seconds / (2 if self.policy.guided else 1)  # guided ones are larger at first
        if self.policy.by_node or tasks < TOO_MANY:
            return None
        cost = self.measured.task + math.ceil(self.policy.seconds / self.mean) * self.measured.piece
        return Outcome(tasks * cost, self.assumed.seconds, int(tasks), 1.0, 0.0)

    def run(self) -> Outcome:  # noqa: C901, PLR0912 - one event after the other, each kind in its branch
        processors = len(self.speed)
        for _ in range(AHEAD * processors):
            self.create(0.0)
        for processor in range(processors):
            self.give(0.0, processor)
        for _ in range(self.assumed.deaths if processors > self.per_node * 10 else 0):
            node = self.random.randrange(processors // self.per_node)
            self.push(self.random.random() * self.assumed.seconds, "death", node, None)
        now = 0.0
        ended = 0.0
        while self.open:
            now, _, kind, processor, task = heapq.heappop(self.events)
            if kind == "death":
                gone = range(processor * self.per_node, (processor + 1) * self.per_node)
                self.dead.update(gone)
                self.idle.difference_update(gone)
            elif kind == "again":
                assert task is not None
                if not task.done:
                    self.ready.appendleft((now, task))
                    if self.idle:
                        self.give(now, self.idle.pop())
            elif processor in self.dead:
                if kind == "end" and task is not None and not task.done:
                    # Whatever had been played on a dead node is lost; it is noticed some seconds after the death.
                    self.lost += task.work
                    self.push(max(now, task.start) + self.assumed.notice, "again", processor, task)
            elif kind == "ask":
                self.give(now, processor)
            elif task is not None:
                if task.done:
                    self.lost += task.work
                else:
                    task.done = True
                    self.open -= 1
                    ended = now
                self.create(now)
                self.give(now, processor)
        # The answers to the last tasks have to be taken in as well.
        ended = max(ended, self.asker)
        return Outcome(ended, self.assumed.seconds, self.tasks, self.busy / ended, self.lost / self.power / ended)


def _spread(seconds: list[float]) -> float:
    mean = sum(seconds) / len(seconds)
    return math.sqrt(sum((each - mean) ** 2 for each in seconds) / len(seconds)) / mean


def simulate(nodes: int, policy: Policy, measured: Measured, assumed: Assumed = ASSUMED) -> Outcome:
    simulation = Simulation(nodes, policy, measured, assumed, SEED)
    return simulation.limit() or simulation.run()


PIECE, EXECUTOR = "one piece a task", "as the executor"
POLICIES = (
    Policy(PIECE, 0.0),
    Policy(EXECUTOR, 0.0),
    Policy("fixed, 1 s", 1.0),
    Policy("fixed, 4 s", 4.0),
    Policy("fixed, 16 s", 16.0),
    Policy("guided down to 1 s", 1.0, guided=True),
    Policy("guided down to 4 s", 4.0, guided=True),
    Policy("guided down to 4 s, copies", 4.0, guided=True, copies=True),
    Policy("by node, fixed 4 s", 4.0, by_node=True),
    Policy("by node, guided down to 1 s", 1.0, guided=True, by_node=True),
    Policy("by node, guided, copies", 1.0, guided=True, copies=True, by_node=True),
)


def read(file: Path, match: str = "") -> Measured:
    found: dict[str, Any] = json.loads(file.read_text())
    pieces = found["pieces"][match or next(iter(found["pieces"]))]
    alone = found["overhead"]["2 nodes, a task for each piece"]["asker_us"] / 1e6
    bundled = found["overhead"]["2 nodes"]["asker_us"] / 1e6
    return Measured(alone, bundled, pieces["seconds"], pieces["bytes"], pieces["bytes_with_records"])


def table(nodes: int, measured: Measured) -> list[tuple[str, Outcome]]:
    print(f"\n{nodes} nodes, {nodes * ASSUMED.processors} processors, a job of {ASSUMED.seconds:.0f} s at best")
    print(f"{'policy':30} {'seconds':>8} {'of best':>8} {'tasks':>8} {'asker busy':>10} {'in vain':>8}")
    rows = []
    piece = sum(measured.seconds) / len(measured.seconds)
    lengths = {PIECE: piece, EXECUTOR: max(1.0, 2 * measured.task * nodes * ASSUMED.processors)}
    for asked in POLICIES:
        policy = replace(asked, seconds=lengths.get(asked.name, asked.seconds))
        found = simulate(nodes, policy, measured)
        rows.append((policy.name, found))
        print(
            f"{policy.name:30} {found.seconds:8.1f} {found.efficiency:8.0%} {found.tasks:8,} {found.busy:10.0%} "
            f"{found.lost:8.1%}",
            flush=True,
        )
    return rows


def traffic(nodes: int, measured: Measured) -> None:
    """Bytes a second that arrive at the asker when all processors are at work."""
    pieces = nodes * ASSUMED.processors / (sum(measured.seconds) / len(measured.seconds))
    for name, size in (("counts", measured.bytes), ("records", measured.bytes_with_records)):
        print(f"{name} of every piece: {pieces * size / 1e6:,.1f} MB/s", end="; ")
        print(f"merged by node, a range of 16 s: {nodes / 16 * measured.bytes / 1e6:,.3f} MB/s")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", type=Path, nargs="?", default=FILE, help="what scaling.py has measured")
    parser.add_argument("--figure", type=Path, help="draw the speeds into this file")
    given = parser.parse_args()
    measured = read(given.file)
    print(f"a task costs the asker {1e6 * measured.task:.0f} us, each piece in it {1e6 * measured.piece:.0f} us more")
    rows = {nodes: table(nodes, measured) for nodes in (10, 100, 1000)}
    traffic(1000, measured)
    if given.figure:
        draw(rows, given.figure)


def draw(rows: dict[int, list[tuple[str, Outcome]]], file: Path) -> None:
    import matplotlib as mpl

    mpl.use("svg")
    mpl.rcParams.update({"svg.hashsalt": "scale", "svg.fonttype": "none", "font.size": 9})
    from matplotlib import pyplot as plt

    shown = (PIECE, "fixed, 1 s", EXECUTOR, "guided down to 4 s, copies", "by node, guided, copies")
    picture, axes = plt.subplots(figsize=(6.4, 3.2))
    for name in shown:
        values = [100 * dict(found)[name].efficiency for found in rows.values()]
        axes.plot(list(rows), values, marker="o", label=name)
    axes.set_xscale("log")
    axes.set_xticks(list(rows), [f"{nodes:,}" for nodes in rows])
    axes.set_xlabel("nodes of 16 processors")
    axes.set_ylabel("speed, % of the best possible")
    axes.set_ylim(0, 105)
    axes.legend(fontsize=8, loc="upper left", bbox_to_anchor=(1.01, 1.0), frameon=False)
    picture.savefig(file, metadata={"Date": None}, bbox_inches="tight")


if __name__ == "__main__":
    main()
