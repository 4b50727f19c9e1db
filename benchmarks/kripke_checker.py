"""How long the model checker takes: random formulas of depth three about which 4 of 10 players are chosen (210 worlds), each
asked once, as a text and as a tree; then models, frames and announcements. Prints microseconds. A few seconds."""

import argparse
import random
import statistics
import time
from collections.abc import Callable

import numpy as np

from molehunt.beliefs.formulas import Atom, Box, Diamond, Formula, parse
from molehunt.beliefs.kripke import KripkeModel, choose_worlds

PLAYERS, CHOSEN, FORMULAS, DEPTH, SEED = 10, 4, 2000, 3, 5


def random_formula(draw: random.Random, depth: int) -> Formula:
    if depth == 0:
        return Atom(f"sab({draw.randrange(PLAYERS)})")
    part = random_formula(draw, depth - 1)
    kind = draw.randrange(7)
    if kind < 3:
        other = random_formula(draw, depth - 1)
        return (part & other, part | other, part >> other)[kind]
    if kind == 3:
        return ~part
    if kind == 4:
        return draw.choice((Box, Diamond))("B", (draw.randrange(PLAYERS),), part)
    group = None if draw.random() < 0.5 else tuple(draw.sample(range(PLAYERS), 3))
    return Box("C" if kind == 5 else "E", group, part)


def timed(words: str, calls: list[Callable[[], object]]) -> None:
    times = []
    for call in calls:
        start = time.perf_counter()
        call()
        times.append(1e6 * (time.perf_counter() - start))
    times.sort()
    last = times[int(0.99 * len(times))]
    print(f"{words:<55}{statistics.median(times):>10.1f}{last:>10.1f}{times[-1]:>10.1f}")


def main() -> None:
    argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter).parse_args()
    draw = random.Random(SEED)
    worlds, facts = choose_worlds(PLAYERS, CHOSEN)
    sets = np.random.default_rng(SEED).random((PLAYERS, len(worlds))) < 0.3
    formulas = [random_formula(draw, DEPTH) for _ in range(FORMULAS)]
    texts = list(dict.fromkeys(map(str, formulas)))

    def fresh() -> KripkeModel:
        return KripkeModel.from_beliefs(worlds, range(PLAYERS), facts, sets)

    warm = fresh()
    for text in (*texts[:200], "C true", "E_{1,2} true"):
        warm.where(text)
    warm.logic(0)
    parse.cache_clear()
    print(f"{len(worlds)} worlds, {PLAYERS} agents, {len(texts)} formulas of depth {DEPTH}, seed {SEED}")
    print(f"{'microseconds':<55}{'median':>10}{'99 %':>10}{'most':>10}")

    asked = fresh()
    timed("holds(text), every formula new to parser and model", [lambda t=t: asked.holds(t, 0) for t in texts])  # type: ignore[misc]
    asked = fresh()
    timed("holds(tree), every formula new to the model", [lambda f=f: asked.holds(f, 0) for f in formulas])  # type: ignore[misc]
    timed("holds(text) again", [lambda t=t: asked.holds(t, 0) for t in texts[-1000:]])  # type: ignore[misc]
    alone = [fresh() for _ in range(200)]
    timed(
        "holds(text), a new model for every formula",
        [lambda t=t, m=m: m.holds(t, 0) for t, m in zip(texts, alone, strict=False)],  # type: ignore[misc]
    )
    timed("from_beliefs", [fresh] * 200)
    timed("logic of an agent, new model", [lambda m=m: m.logic(3) for m in alone])  # type: ignore[misc]
    for name in ("announce", "announce_whether", "announce_privately"):
        more = () if name == "announce" else ((1, 2, 3),)
        warm_call = getattr(warm, name)
        warm_call("sab(1) | sab(2)", *more)
        timed(name, [lambda c=warm_call, m=more: c("sab(1) | sab(2)", *m)] * 50)  # type: ignore[misc]


if __name__ == "__main__":
    main()
