"""How many decisions a learner learns from: Saboteur (krisnadi, five seats) among `decision-2019`, end to end.

One update is games that are collected and three passes over them. The seconds are those of the processor, all threads together:
where nothing else runs, so many decisions a second come from one core.

python benchmarks/learning_steps.py            # 10 updates on one thread
python benchmarks/learning_steps.py --threads 2
"""

import argparse
import time

from molehunt.learning.definition import parse_training
from molehunt.learning.run import Run

RUN = """
game = "saboteur/krisnadi"
seats = 5
steps = 1_000_000_000
opponents = { "decision-2019" = 1 }
"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--updates", type=int, default=10)
    parser.add_argument("--threads", type=int, default=1)
    options = parser.parse_args()
    run = Run(parse_training(RUN), threads=options.threads)
    run.update()  # compiles
    began, wall, before = time.process_time(), time.perf_counter(), run.steps
    collecting = 0.0
    for _ in range(options.updates):
        since = time.process_time()
        run.collect(run.next_lots())
        collecting += time.process_time() - since
        run.learn()
    seconds, waited, steps = time.process_time() - began, time.perf_counter() - wall, run.steps - before
    print(f"{steps:,} decisions of {options.updates * run.text.ppo.games:,} games, {options.threads} threads")
    print(f"{1e6 * seconds / steps:.1f} us a decision, {1e6 * collecting / steps:.1f} of them collecting")
    print(f"{steps / seconds:,.0f} decisions a CPU second, {steps / waited:,.0f} a second")


if __name__ == "__main__":
    main()
