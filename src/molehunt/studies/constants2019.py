"""`constants2019`: what the constants of Krisnadi et al. 2019 are worth.

The paper closes with "Further investigation regarding the given constants should be done for better optimization". Here every
constant is moved alone, for saboteurs and for miners separately, on the same deals; the best value of each is judged on fresh
deals; and a player whose constants were searched for together (`molehunt tune`) is set against the published one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial

import msgspec

from molehunt.arena.match import MatchSpec
from molehunt.arena.pieces import in_one_stream
from molehunt.arena.seating import Chair
from molehunt.arena.tuning.opposition import CANDIDATE, Opposition
from molehunt.arena.tuning.race import Gap, Scores, gap_of_shares
from molehunt.arena.tuning.scoreboard import Scoreboard
from molehunt.arena.tuning.search import seed_of
from molehunt.arena.workers import Workers
from molehunt.studies.krisnadi2019 import BASELINE, RULESET, SYSTEM, published
from molehunt.studies.paired import said_together
from molehunt.studies.study import FirstLook, Progress, Row, Section, Study, Tell, points_row, rate_row, those_with

LABEL = f"saboteur/{RULESET}"
TEAMS = ((2, 3), (1, 3), (2, 5))
"""Saboteurs and miners; the curves of the first are drawn with all games, those of the others with a part of them."""
SHARE = 3
"""The other team sizes are played with a third of the games, and only if that leaves LEAST."""
LEAST = 100
SIDES = ("saboteur", "miner")

CONSTANTS: dict[str, tuple[float, ...]] = {
    "d_delta": (-5.0, -2.0, -1.0, -0.5, 0.0, 0.3, 1.0, 5.0),
    "d_mu": (-1.0, 0.0, 0.3, 1.0, 2.0, 3.0, 4.5, 7.0, 15.0),
    "map_useless": (-30.0, -4.5, -1.0, -0.5, 0.0, 1.0, 5.0),
    "d_pi": (1.0, 5.0, 20.0, 50.0, 100.0, 300.0, 1000.0),
    "d_rho": (0.0, 1.0, 5.0, 20.0, 50.0, 100.0, 300.0),
    "d_phi": (0.0, 0.1, 0.2, 0.4, 1.0, 2.0, 3.0, 5.0, 10.0),
    "repair_growth": (0.0, 0.01, 0.03, 0.1, 0.3, 1.0),
    "d_0": (0.0, 1.0, 2.5, 5.0, 10.0),
    "d_b": (0.0, 0.1, 0.5, 1.0, 2.6, 5.0, 10.0),
    "d_r": (0.0, 0.1, 0.5, 1.0, 2.6, 5.2),
    "no_placement": (-5.0, -1.0, 0.0, 0.25, 1.0, 5.0),
}
"""The constants and the values that each is set to; the published one is among them."""
PUBLISHED = {
    "d_delta": -0.5,
    "d_mu": 4.5,
    "map_useless": -4.5,
    "d_pi": 50.0,
    "d_rho": 50.0,
    "d_phi": 0.4,
    "repair_growth": 0.01,
    "d_0": 2.5,
    "d_b": 2.6,
    "d_r": 0.5,
    "no_placement": 0.25,
}
"""The values with which the authors' program was run and their tables were made. Printed are 3 for d_mu and 2 d_b for d_r."""


@dataclass(frozen=True)
class Side:
    """One side of one team size: `side` is moved, the others are `other`."""

    side: str
    team: tuple[int, int]
    other: str = SYSTEM

    @property
    def name(self) -> str:
        """The team size as rows name it."""
        return f"{self.team[0]}+{self.team[1]}"

    def opposition(self) -> Opposition:
        """The seating with the candidate on this side; the saboteurs sit in the first seats, as in the published tables."""
        players = [CANDIDATE if side == self.side else self.other for side in SIDES]
        chairs = [
            Chair(player, side)
            for player, side, count in zip(players, SIDES, self.team, strict=True)
            for _ in range(count)
        ]
        return Opposition(MatchSpec(LABEL, tuple(chairs)))


def spec_of(name: str, value: float) -> str:
    """The published player with one constant moved."""
    return SYSTEM if value == PUBLISHED[name] else f"{SYSTEM}:{name}={value!r}"


def above_published(cell: str, quantity: str, difference: Gap) -> Row:
    """A row for a paired difference to the published player."""
    return points_row(cell, f"win rate of the side above that of the published player, points: {quantity}", difference)


# --- One constant at a time -------------------------------------------------------------------------------------------------


def curves(side: Side, board: Scoreboard, games: int) -> tuple[list[Row], dict[str, dict[float, Scores]]]:
    """The rows of all curves of a side, and what every value scored in each deal, by constant."""
    board.scores([spec_of(name, value) for name, values in CONSTANTS.items() for value in values], games)
    rows, found = [], {}
    for name, values in CONSTANTS.items():
        scores = dict(zip(values, board.scores([spec_of(name, value) for value in values], games), strict=True))
        found[name] = scores
        for value, score in scores.items():
            rows.append(
                above_published(
                    f"curve/{side.name}/{name}/{side.side}/{value:g}",
                    f"{side.side}s with {name} = {value:g}",
                    gap_of_shares(score, scores[PUBLISHED[name]]),
                )
            )
    return rows, found


def changed(side: Side, found: dict[str, dict[float, Scores]]) -> Iterator[Row]:
    """In how many deals any value of a constant changes who wins: none, if it does nothing at all."""
    for name, scores in found.items():
        published_scores = scores[PUBLISHED[name]]
        other = sum(score != published_scores for score in scores.values()) > 0
        yield rate_row(
            f"changed/{side.name}/{side.side}/{name}",
            f"deals in which some value of the curve changes who wins, %: {side.side}s, {name}",
            int(other.sum()),
            len(other),
            None,
        )


def judged_afresh(side: Side, found: dict[str, dict[float, Scores]], fresh: Scoreboard, games: int) -> Iterator[Row]:
    """The best value of each curve against the published one, and against the worst, on deals that did not choose them."""
    ends = {}
    for name, scores in found.items():
        by_mean = sorted(scores, key=lambda value: (float(scores[value].mean()), value == PUBLISHED[name]))
        ends[name] = by_mean[-1], by_mean[0]
    fresh.scores([SYSTEM, *(spec_of(name, value) for name, pair in ends.items() for value in pair)], games)
    rows = []
    for name, (best, worst) in ends.items():
        ours, least, theirs = fresh.scores([spec_of(name, best), spec_of(name, worst), SYSTEM], games)
        place = f"{side.name}/{side.side}/{name}"
        rows.append(
            above_published(
                f"best/{place}",
                f"{side.side}s with {name} = {best:g}, published {PUBLISHED[name]:g}",
                gap_of_shares(ours, theirs),
            )
        )
        spread = above_published(f"spread/{place}", "", gap_of_shares(ours, least))
        quantity = (
            f"between the best and the worst value of a curve, points: {side.side}s, {name} = {best:g} and {worst:g}"
        )
        rows.append(msgspec.structs.replace(spread, quantity=quantity))
    yield from rows


# --- The tuned player -------------------------------------------------------------------------------------------------------

TUNED = {
    "saboteur": "decision-2019:d_delta=-4.017,d_mu=3.665,d_pi=137.3,d_rho=154.5,d_phi=5.773,repair_growth=0.001481,d_0=0.3912,"
    "d_b=0.4085,d_r=4.174",
    "miner": "decision-2019:d_delta=-0.8981,d_mu=4.811,d_pi=66.7,d_rho=77.2,d_phi=1.435,repair_growth=0.007684,d_0=3.381,d_b=1.76,"
    "d_r=0.3156",
}
"""The best that `molehunt tune` found for each side over all three team sizes; docs/tuning.md has the commands."""
TUNED_FOR_BOTH = (
    "decision-2019:d_delta=-1.182,d_mu=5.012,d_pi=108.9,d_rho=128.3,d_phi=3.358,repair_growth=0.004505,d_0=8.399,d_b=9.27,"
    "d_r=4.731"
)
"""What it found for both sides together."""


def tuned(side: Side, fresh: Scoreboard, games: int) -> Iterator[Row]:
    """The tuned players in place of the published one, on one side."""
    theirs = fresh.scores([SYSTEM], games)[0]
    for kind, player in (("tuned", TUNED[side.side]), ("tuned for both sides", TUNED_FOR_BOTH)):
        yield above_published(
            f"tuned/{side.name}/{side.side}s {kind}, against {_short(side.other)}",
            f"{side.side}s {kind}, the other side {_short(side.other)}",
            gap_of_shares(fresh.scores([player], games)[0], theirs),
        )


def cross(team: tuple[int, int], boards: dict[str, Scoreboard], games: int) -> Iterator[Row]:
    """How often saboteurs win, tuned and published ones against tuned and published miners; all on the same deals."""
    for other, board in boards.items():
        for player in (SYSTEM, TUNED["saboteur"]):
            name = f"saboteurs {_short(player)}, miners {_short(other)}"
            wins = int(board.scores([player], games)[0].sum())
            yield rate_row(f"cross/{team[0]}+{team[1]}/{name}", f"saboteur wins, %: {name}", wins, games, None)


def _short(player: str) -> str:
    """A player in the names of rows."""
    return "published" if player == SYSTEM else "tuned" if player in TUNED.values() else player


# --- The study --------------------------------------------------------------------------------------------------------------


def base(team: tuple[int, int], scores: Scores) -> Row:
    """How often the published saboteurs win against the published miners: Table 5 of the paper."""
    saboteurs, miners = team
    return rate_row(
        f"base/{saboteurs}+{miners}",
        f"saboteur wins, %: {SYSTEM} on both sides",
        int(scores.sum()),
        len(scores),
        published()["5", saboteurs, miners],
    )


def teams_of(games: int) -> list[tuple[tuple[int, int], int]]:
    """The team sizes and the games of each."""
    few = games // SHARE
    return [(TEAMS[0], games), *((team, few) for team in TEAMS[1:] if few >= LEAST)]


Drawn = tuple[list[Row], Scoreboard]
"""Rows, and what has been played for them."""


def games_in_all(games: int) -> int:
    """About how many games the study plays; best and worst values may be the published one."""
    points = 1 + sum(len(values) - 1 for values in CONSTANTS.values())
    fresh = 2 * (1 + 2 * len(CONSTANTS)) + 2 * 2 + 4 * 3
    return sum(count * (2 * points + fresh) for _, count in teams_of(games))


def measure(games: int, seed: int, workers: Workers, tell: Tell) -> list[Row]:
    """Draw the curves, judge their best values and the tuned player on fresh deals."""
    progress = Progress(tell, games_in_all(games))

    def board(side: Side, stage: int, stream: Workers) -> Scoreboard:
        return Scoreboard((side.opposition(),), seed_of(seed, stage), stream, tell=progress.played)

    def draw(side: Side, count: int, stream: Workers) -> Drawn:
        first, fresh = board(side, 0, stream), board(side, 1, stream)
        points, found = curves(side, first, count)
        rows = [base(side.team, first.scores([SYSTEM], count)[0])] if side.side == SIDES[0] else []
        rows += [*points, *changed(side, found), *judged_afresh(side, found, fresh, count), *tuned(side, fresh, count)]
        return rows, fresh

    def play_against(side: Side, count: int, stream: Workers) -> Drawn:
        against = board(side, 1, stream)
        return list(tuned(side, against, count)), against

    todo: dict[str, Callable[[Workers], Drawn]] = {}
    for team, count in teams_of(games):
        todo |= {f"{name} {team}": partial(draw, Side(name, team), count) for name in SIDES}
        for name, other in zip(SIDES, reversed(SIDES), strict=True):
            for against in (TUNED[other], BASELINE):
                todo[f"{name} {team} against {against}"] = partial(play_against, Side(name, team, against), count)
    found = in_one_stream(workers, todo)
    rows: dict[str, list[Row]] = {}
    for team, count in teams_of(games):
        some = [found[cell][0] for cell in todo if cell in found and f" {team}" in cell]
        mine, theirs = f"{SIDES[0]} {team}", f"{SIDES[0]} {team} against {TUNED[SIDES[1]]}"
        if mine in found and theirs in found:
            # Both have played these games: nothing is played here.
            some.append(list(cross(team, {SYSTEM: found[mine][1], TUNED[SIDES[1]]: found[theirs][1]}, count)))
        for row in (row for each in some for row in each):
            rows.setdefault(row.id.partition("/")[0], []).append(row)
    rows |= {part: said_together(rows[part]) for part in ("best", "tuned") if part in rows}
    return [
        row
        for section in SECTIONS
        for row in rows.get(section.prefix.partition("/")[0], [])
        if row.id.startswith(section.prefix)
    ]


def _by_team(prefix: str, title: str, text: str, curves: bool = False) -> list[Section]:
    """A section for each team size."""
    return [Section(f"{prefix}/{s}+{m}/", f"{title}: {s} against {m}", text, curves=curves) for s, m in TEAMS]


SECTIONS = (
    Section("base/", "The published player on both sides", "Table 5 of the paper, with the edition as_run."),
    *_by_team(
        "curve",
        "One constant at a time",
        "The win rate of the side whose constant is moved, above that of the published player on the same deals; all other "
        "constants are as published, and the other side is the published player.",
        curves=True,
    ),
    *_by_team(
        "changed",
        "Which constants do anything",
        "A constant none of whose values ever changes who wins does nothing at all.",
    ),
    *_by_team(
        "spread",
        "Which constants matter",
        "The best value of a curve above its worst, on deals that did not choose them.",
    ),
    *_by_team(
        "best",
        "Where the published value stands",
        "The best value of a curve above the published one, on deals that did not choose it. None: the published one was best. "
        "`more` and `less` hold at 95 % for all constants, sides and team sizes together (Holm).",
    ),
    *_by_team(
        "tuned",
        "The tuned player",
        "All constants searched for together, for one side or for both; the tuned player in place of the published one on one "
        "side, on fresh deals. `more` and `less` hold at 95 % for all of them together (Holm).",
    ),
    *_by_team("cross", "Cross play", "Saboteurs win against miners; all four on the same deals."),
)


def look_verdict(rows: Sequence[Row]) -> str:
    """The constants whose curves are the steepest, and how many do nothing at all."""
    spreads = {}
    for row in rows:
        if row.id.startswith("spread/"):
            _, team, side, name = row.id.split("/")
            spreads[f"{name} of the {side}s ({team})"] = row.measured
    widest = max(spreads.values())
    idle = sum(row.measured == 0 for row in rows if row.id.startswith("changed/"))
    return (
        f"what matters most is {those_with(widest, spreads)}, {widest:z.0f} points between best and worst value; "
        f"{idle} of {len(spreads)} constants never change who wins"
    )


STUDY = Study(
    name="constants2019",
    title="The constants of the decision system of 2019, one at a time and tuned together",
    source="Krisnadi et al. 2019 ask for it in their conclusion; nothing but the base cells is published. All deals of a team size "
    "are the same for all its rows of a section.",
    default_games=3000,
    small_games=60,
    unit="points",
    sections=SECTIONS,
    measure=measure,
    look=FirstLook(("base/",), look_verdict),
    judged="base/",
)
