"""`veldhuis2012`: the twelve setups of Veldhuis, Jansen and Broers 2012, and the six findings they report in words.

The paper prints no numbers: its findings come from 18 rounds a setup. Here each finding is a measure with a line drawn
beforehand, and the verdict says on which side of it the interval lies. The paper's flow chart is lost and ours is a
reconstruction, so the study also says how each finding moves with the chart's numbers, and `search` looks for the region in
which the findings hold.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from molehunt.agents.registry import Agents
from molehunt.agents.saboteur.kripke_parameters import NORMAL
from molehunt.arena.pieces import in_one_stream
from molehunt.arena.statistics import mean_interval
from molehunt.arena.workers import Workers
from molehunt.core.game import Game
from molehunt.core.match import play
from molehunt.core.streams import game_seeds
from molehunt.games.registry import make_game
from molehunt.games.saboteur.cards import CARD_NAMES, GOAL_PLACES, GOLD, NO_CARD
from molehunt.games.saboteur.state import GOLD_FOUND
from molehunt.reading.saboteur.role_beliefs import world_name
from molehunt.studies import kripke_eighteen
from molehunt.studies.kripke_findings import Share, findings
from molehunt.studies.kripke_rounds import CHUNK, RULESET, SEATS, Setup, Tally, setups, tallies, tally_of
from molehunt.studies.study import (
    FAILS,
    HOLDS,
    NONE_PUBLISHED,
    UNDECIDED,
    FirstLook,
    Picture,
    Progress,
    Row,
    Section,
    Study,
    Tell,
    clustered_row,
    verdict_in_words,
)

SENSITIVITY_SHARE = 10
"""Sensitivity is measured with a tenth of the rounds, if that leaves SENSITIVITY_LEAST a setup."""
SENSITIVITY_LEAST = 40

# --- The rows -----------------------------------------------------------------------------------------------------------


def setup_rows(setup: Setup, tally: Tally) -> Iterator[Row]:
    """What one setup came to."""
    described = f"{setup.strategy}, depth {setup.depth}, factor {setup.factor:g}"
    for name, quantity, counts, chances in (
        ("wins", "saboteur wins, %", tally.won, 1),
        ("truth", "rounds after which all agents believe the true state, %", tally.all_true, 1),
        ("lost", "agents that do not believe the true state, %", tally.lost, SEATS),
    ):
        share = Share(counts.astype(np.int64), chances)
        yield clustered_row(f"{name}/{setup.name}", f"{quantity}: {described}", share.counts, share.all_chances)
    mean, low, high = mean_interval(tally.believed)
    yield Row(
        id=f"states/{setup.name}",
        quantity=f"believed states of an agent at the end: {described}",
        published=None,
        measured=round(mean, 3),
        low=round(low, 3),
        high=round(high, 3),
        games=tally.rounds,
        verdict=NONE_PUBLISHED,
    )


CHART: dict[str, tuple[float, ...]] = {
    "start": (-1.0, 2.0),
    "strong": (1.5, 3.0),
    "threshold": (-6.0, -2.0, -1.0),
    "limit": (4.0, 12.0),
    "shortens": (0.3, 0.9),
    "lengthens": (0.3, 0.9),
    "path_weight": (0.0, 0.5, 2.0),
    "block_weight": (0.0, 0.5, 2.0),
    "claim_weight": (0.0, 0.5, 2.0),
    "discard_weight": (0.0, 0.5, 2.0),
    "trust_miner": (0.0, 2.0),
    "trust_saboteur": (0.0, 2.0),
    "borrow": (0.0, 0.5),
    "suspect_miner": (0.0, 2.0),
    "suspecting": (1, 3),
    "close": (1.0, 4.0, 6.0),
    "cover": (0.2, 9.0),
    "doubt": (0.02, 0.3),
    "suspicious": (0.3, 0.7),
    # What moves are worth, and what cards are worth keeping: no word of the paper says how much.
    "step": (0.5, 2.0),
    "shortens_much": (1.5, 3.0),
    "worth": (-0.5, 0.5),
    "most": (2.0, 10.0),
    "path_gain": (0.5, 2.0),
    "path_open": (0.0, 0.1),
    "path_idle": (-0.1, 0.3),
    "look": (1.0, 6.0),
    "block": (1.0, 5.0),
    "free_self": (1.5, 7.0),
    "free_other": (0.5, 4.0),
    "harm": (0.5, 3.0),
    "astray": (-0.1, 0.5),
    "saboteur_look": (0.2, 3.0),
    "saboteur_block": (1.0, 5.0),
    "saboteur_free": (1.0, 6.0),
    "keep_tunnel": (0.0, 6.0),
    "keep_dead_end": (4.0,),
    "keep_map": (0.0, 4.0),
    "keep_block": (0.0, 4.0),
    "keep_deblock": (0.0, 4.0),
    "keep_rockfall": (0.0, 4.0),
    "saboteur_keep_tunnel": (4.0,),
    "saboteur_keep_dead_end": (0.0,),
    "saboteur_keep_map": (4.0,),
    "saboteur_keep_block": (0.0,),
    "saboteur_keep_deblock": (0.0, 4.0),
    "saboteur_keep_rockfall": (0.0, 4.0),
}
"""Every number of the player that the paper does not vary itself, and what else each is set to, one at a time."""


NEAREST = ("cover=9", "close=6")
"""What has to change for most findings to hold: saboteurs who play a miner do not spare good path cards, and adaptive ones stop
pretending when a goal is six cards away, not two."""
SENTENCES: dict[tuple[str, ...], str] = {
    (
        "cover=1",
    ): "“(semi-)good moves to keep their cover”: who plays a miner lays what shortens the way by one card, not by more",
    (
        "cover=9",
    ): "a saboteur's “evaluation functions for the different cards change” when they stop pretending, so until then they are "
    "a miner's",
    ("cover=1", "close=4"): "the first of these, and “within two steps” as more than two cards",
}
"""Readings of the paper's sentences about saboteurs who play a miner, which the default (`cover=0.5`, from “throw away good path
cards”) does not take. The last was named after it had been seen, on another seed, that it refutes no finding."""


def measure(games: int, seed: int, workers: Workers, tell: Tell) -> list[Row]:
    """Play the twelve setups, judge the findings, also in the nearest region, and move the chart's numbers one at a time."""
    few = games // SENSITIVITY_SHARE
    variations = [f"{name}={value:g}" for name, values in CHART.items() for value in values]
    if few < SENSITIVITY_LEAST:
        variations = []
    groups: dict[str, tuple[list[Setup], int]] = {
        "finding/": (setups(), games),
        f"region/{'+'.join(NEAREST)}/": (setups(NEAREST), games),
        **{f"sentence/{'+'.join(changes)}/": (setups(changes), games) for changes in SENTENCES},
        **{f"sensitivity/{change}/": (setups((change,)), few) for change in variations},
    }
    progress = Progress(tell, sum(len(some) * count for some, count in groups.values()))

    def play_one(setup: Setup, count: int, stream: Workers) -> Tally:
        return tally_of(setup, count, seed, stream, progress.played)

    cells = {
        f"{prefix}{setup.name}": partial(play_one, setup, count)
        for prefix, (some, count) in groups.items()
        for setup in some
    }
    found = in_one_stream(workers, cells)
    rows: list[Row] = []
    for prefix, (some, _) in groups.items():
        played = {setup: found[cell] for setup in some if (cell := f"{prefix}{setup.name}") in found}
        if len(played) == len(some):  # a finding is about all setups
            rows += [finding.row(prefix) for finding in findings(played)]
        if prefix == "finding/" and played:
            measures = [list(setup_rows(setup, tally)) for setup, tally in played.items()]
            rows += [row for kind in zip(*measures, strict=True) for row in kind]
        if prefix.startswith(("finding/", "region/", "sentence/")) and len(played) == len(some):
            rows += kripke_eighteen.rows(f"eighteen/{prefix.partition('/')[2] or 'default/'}", played)
    return rows


def look_measure(games: int, seed: int, workers: Workers, tell: Tell) -> list[Row]:
    """The findings alone."""
    return [finding.row("finding/") for finding in findings(tallies(setups(), games, seed, workers, tell))]


def look_verdict(rows: Sequence[Row]) -> str:
    """How many of the findings hold, and how many do not."""
    said = Counter(verdict_in_words(row) for row in rows)
    each = ", ".join(f"{said[verdict]} x {verdict}" for verdict in (HOLDS, FAILS, UNDECIDED))
    return f"{len(rows)} findings are published in words: {each}"


# --- Pictures -----------------------------------------------------------------------------------------------------------

PICTURED = Setup("adaptive", 2, 5.0)
"""The setup of the paper's executable."""


def pictures(seed: int) -> list[Picture]:
    """The end board of the first round that the miners won and of the first that the saboteurs won."""
    game = make_game("saboteur", RULESET, SEATS)
    seeds = game_seeds(seed, 0, CHUNK)
    played = play(game, [Agents("saboteur").make(PICTURED.agent)] * SEATS, seeds)
    memory: Any = played.chairs[0].memory
    won = played.states["outcome"] == GOLD_FOUND
    result = []
    for title, wanted in (("A round that the miners won", True), ("A round that the saboteurs won", False)):
        for number in np.flatnonzero(won == wanted)[:1]:
            view = game.views(played.states, np.zeros(1, np.int8), np.array([number]))
            text = f"Round {number} of seed {seed}: {PICTURED.strategy}, depth {PICTURED.depth}, factor {PICTURED.factor:g}."
            lines = tuple(
                _knew(game, played.states[number], memory, number * SEATS + seat, seat) for seat in range(SEATS)
            )
            result.append(Picture(title, text, game.draw_svg(view), lines))
    return result


def _knew(game: Game, state: Any, memory: Any, chair: int, seat: int) -> str:
    """What one seat held and knew at the end of a round."""
    mind = memory.records[chair]
    goals = ", ".join(
        f"{place} {'gold' if content == GOLD else 'a stone' if content else 'not known'}"
        for place, content in zip(GOAL_PLACES, mind["goals"].tolist(), strict=True)
    )
    believed = np.flatnonzero(memory.believed()[chair, 0])
    teams = " ".join(world_name(np.flatnonzero(memory.roles[:, distribution])) for distribution in believed)
    hand = ", ".join(CARD_NAMES[card] for card in state["hands"][seat] if card != NO_CARD) or "no cards"
    blocked = ", blocked" if state["broken"][seat] else ""
    role = game.roles[int(state["roles"][seat])]
    return f"Seat {seat}, {role}{blocked}: goals {goals}; believed saboteurs {teams}; hand {hand}."


# --- The region in which the findings hold ------------------------------------------------------------------------------

REGION: dict[str, tuple[float, ...]] = {
    "threshold": (-6.0, -3.0, -2.0, -1.0),
    "limit": (4.0, 6.0, 12.0),
    "strong": (1.5, 2.0, 3.0),
    "path_weight": (0.5, 1.0, 2.0),
    "block_weight": (0.0, 0.5, 1.0),
    "discard_weight": (0.0, 1.0, 2.0),
    "suspecting": (1, 2),
    "suspect_miner": (1.0, 2.0, 3.0),
    "close": (2.0, 4.0, 6.0),
    "cover": (0.5, 9.0),
    "block": (1.0, 2.5, 4.0),
    "saboteur_block": (1.0, 2.5, 4.0),
    "harm": (0.5, 1.5, 3.0),
    "path_idle": (-0.1, 0.05),
    "suspicious": (0.3, 0.5, 0.7),
}
SAMPLES = 150


@dataclass(frozen=True)
class Region:
    """One choice of numbers, and which findings hold with it."""

    changes: tuple[str, ...]
    verdicts: dict[str, str]
    saboteur_wins: float

    @property
    def held(self) -> int:
        """How many findings hold."""
        return sum(verdict == HOLDS for verdict in self.verdicts.values())

    def values(self) -> dict[str, float | str]:
        """What there is to tell of it, by heading; wins in %."""
        failed = [name.partition("-")[0] for name, verdict in self.verdicts.items() if verdict == FAILS]
        unsure = [name.partition("-")[0] for name, verdict in self.verdicts.items() if verdict == UNDECIDED]
        return {
            "hold": self.held,
            "do not": " ".join(failed) or "-",
            "undecided": " ".join(unsure) or "-",
            "saboteurs win": self.saboteur_wins,
            "numbers": ", ".join(self.changes) or "the defaults",
        }

    def columns(self) -> dict[str, str]:
        """What to print of it, by heading."""
        told = {key: str(value) for key, value in self.values().items()}
        return {**told, "hold": f"{self.held} of {len(self.verdicts)}", "saboteurs win": f"{self.saboteur_wins:.0f} %"}


def search(games: int, seed: int, workers: Workers, tell: Tell) -> list[Region]:
    """Random choices of the numbers (the first is the default), those with the most findings first."""
    random = np.random.default_rng(seed)
    choices: list[tuple[str, ...]] = [()]
    while len(choices) < SAMPLES:
        picked = {name: values[random.integers(len(values))] for name, values in REGION.items()}
        choices.append(tuple(f"{n}={v:g}" for n, v in picked.items() if v != getattr(NORMAL, n)))
    progress = Progress(tell, SAMPLES * len(setups()) * games)

    def judge(changes: tuple[str, ...], stream: Workers) -> Region:
        judged = findings({each: tally_of(each, games, seed, stream, progress.played) for each in setups(changes)})
        return Region(changes, {f.name: f.verdict for f in judged}, judged[0].measured)

    found = in_one_stream(workers, {f"{n} {changes}": partial(judge, changes) for n, changes in enumerate(choices)})
    return sorted(found.values(), key=lambda region: -region.held)


STUDY = Study(
    name="veldhuis2012",
    title="Saboteurs that bluff, and players with Kripke models: twelve setups and six findings",
    source="Dyon Veldhuis, Eric Jansen, Eveline Broers: Saboteurs. Multi-Agent Systems, April 2012.",
    default_games=2000,
    small_games=40,
    unit="%",
    sections=(
        Section(
            "finding/",
            "The six findings",
            "The paper states them in words, from 18 rounds a setup. The lines to be crossed were drawn before measuring.",
        ),
        Section(
            "wins/", "Rounds that the saboteurs win", "Strategy of the saboteurs, depth of belief, disbelief factor."
        ),
        Section(
            "truth/", "Rounds after which all agents believe the true state", "The true distribution of the roles."
        ),
        Section("lost/", "Agents that do not believe the true state", "At the end of a round."),
        Section(
            "states/", "Believed states of an agent at the end", "Of ten; six when the roles were dealt to a miner."
        ),
        Section(
            "region/",
            "The nearest region in which most findings hold",
            f"All numbers as by default but {' and '.join(NEAREST)}.",
            "finding/",
        ),
        Section(
            "sentence/",
            "The findings in other readings of the paper's sentences",
            "; ".join(f"{' and '.join(changes)}: {says}" for changes, says in SENTENCES.items()) + ".",
            "finding/",
        ),
        Section(
            "eighteen/",
            "What eighteen rounds could show",
            "How likely 18 rounds a setup were to let the authors write each sentence, if our rates were theirs.",
        ),
        Section(
            "sensitivity/",
            "How the findings move with the numbers of the chart",
            "One number changed at a time, with a tenth of the rounds.",
            "finding/",
        ),
    ),
    measure=measure,
    look=FirstLook(("finding/",), look_verdict, look_measure),
    search=search,
    pictures=pictures,
    judged="finding/",
    noun="findings",
)
