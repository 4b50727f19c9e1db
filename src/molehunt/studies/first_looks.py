"""A first look at every study: in which order they are told, which of them share their machine code, and playing one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from molehunt.studies.study import Report, StudiedPlayer, load_study


@dataclass(frozen=True)
class Step:
    """A study of the story. It needs what those in `after` compile, and so many kernels more, about, on an empty cache."""

    study: str
    after: tuple[str, ...] = ()
    kernels: int = 0


STEPS = (
    Step("mitchell2020", kernels=130),
    Step("kingston2017", after=("mitchell2020",)),
    Step("hansen2019", after=("mitchell2020",)),
    Step("neller2018", after=("mitchell2020",), kernels=25),
    Step("krisnadi2019", kernels=180),
    Step("readings2019", after=("krisnadi2019",)),
    Step("constants2019", after=("krisnadi2019",)),
    Step("veldhuis2012", after=("krisnadi2019",), kernels=60),
    Step("deeper_beliefs", after=("veldhuis2012",)),
    Step("mechanisms", after=("veldhuis2012", "mitchell2020")),
    Step("bluffing", after=("veldhuis2012",)),
    Step("suspicion", after=("veldhuis2012",), kernels=12),
    Step("mole2026", after=("suspicion",), kernels=8),
    Step("exact_clue", after=("mitchell2020",), kernels=130),
    Step("exploitability", after=("veldhuis2012", "exact_clue"), kernels=15),
    Step("cai2020", kernels=135),
    Step("opponents2020", after=("cai2020",)),
    Step("strangers", after=("cai2020", "mitchell2020"), kernels=15),
)
"""The quickest first; benchmarks/first_minute.py counts the kernels."""


def look_at(name: str, games: int | None, seed: int, threads: int) -> Report:
    """A first look at a study with so many games a cell, by default as many as it says; a task of a process."""
    study = load_study(name)
    return study.glance(games or study.look.games or study.small_games, seed, threads)


def look_at_players(name: str, players: Sequence[StudiedPlayer], seed: int) -> Report:
    """What a study says of players that are named, with as few games as it can be made of; a task of a process."""
    return load_study(name).run(1, seed, 1, players=players)
