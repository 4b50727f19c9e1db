"""How many decisions a learner learns from: Saboteur (krisnadi, five seats) among `decision-2019`, end to end.

One update is games that are collected and three passes over them. The seconds are those of the processor, all threads together:
where nothing else runs, so many decisions a second come from one core.

python benchmarks/learning_steps.py            # 10 updates on one thread
python benchmarks/learning_steps.py --threads 2
python benchmarks/learning_steps.py --device cuda --minibatch 8192 # learning on a GPU, in the numbers that --precision names
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
    parser.add_argument("--device", default="cpu", help="where PyTorch computes: cpu, cuda")
    parser.add_argument("--precision", default="float32", choices=["float32", "bfloat16"], help="products of a GPU")
    parser.add_argument("--width", type=int, default=128, help="units of the dense layers of the network")
    parser.add_argument("--minibatch", type=int, default=1024, help="decisions that a step of the optimizer sees")
    parser.add_argument("--games", type=int, default=2000, help="games of an update")
    options = parser.parse_args()
    text = parse_training(
        f"{RUN}[network]\nwidth = {options.width}\n"
        f'[ppo]\nprecision = "{options.precision}"\nminibatch = {options.minibatch}\ngames = {options.games}\n'
    )
    run = Run(text, threads=options.threads, device=options.device)
    run.update()  # compiles
    began, wall, before = time.process_time(), time.perf_counter(), run.steps
    collecting = collected = 0.0
    for _ in range(options.updates):
        since, clock = time.process_time(), time.perf_counter()
        run.collect(run.next_lots())
        collecting += time.process_time() - since
        collected += time.perf_counter() - clock
        run.learn()
    seconds, waited, steps = time.process_time() - began, time.perf_counter() - wall, run.steps - before
    print(
        f"{steps:,} decisions of {options.updates * run.text.ppo.games:,} games, {options.threads} threads, {options.device}"
    )
    print(f"{1e6 * seconds / steps:.1f} us of CPU time a decision, {1e6 * collecting / steps:.1f} of them collecting")
    print(f"{1e6 * waited / steps:.1f} us of the clock a decision, {1e6 * collected / steps:.1f} of them collecting")
    print(f"{steps / seconds:,.0f} decisions a CPU second, {steps / waited:,.0f} a second")


if __name__ == "__main__":
    main()
