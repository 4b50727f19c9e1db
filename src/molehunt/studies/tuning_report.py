"""A search for parameters as a page: the confirmation, every candidate, and which parameters mattered."""

from __future__ import annotations

import math
import shlex
from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from molehunt.arena.tuning.race import Gap
from molehunt.arena.tuning.search import Found, Trial
from molehunt.arena.tuning.space import Dimension
from molehunt.studies.report import on_each_screen, render
from molehunt.studies.report_curve import Dot, draw_dots
from molehunt.studies.study import NONE_PUBLISHED, Picture, Report, Row, Section, Study, points_row

SHOWN = 20
"""Candidates in the table of the page; the plots show all."""


def page(found: Found, seconds: float, command: Sequence[str]) -> str:
    """The page of a search that took so long; `command` is the call that makes it again, word by word."""
    plan = found.plan
    verdict = "better than the default" if found.better else "no better than the default"
    study = Study(
        name="tune",
        title=f"Tuning {found.default}: {verdict}",
        source=f"{len(found.trials)} candidates in the space {plan.space}; the best is {found.best}.",
        default_games=plan.deals,
        small_games=1,
        unit="points",
        sections=(
            Section("confirmed/", "Best and default on fresh deals", _confirmation(found)),
            Section(
                "rate/", "Games won on the same fresh deals", "By the best and by the default, for every opposition."
            ),
            Section(
                "importance/",
                "Which parameters mattered",
                "How much each decides whether a candidate is among the best tenth (PED-ANOVA); all together make 100 %.",
            ),
            Section(
                "candidate/",
                "The best candidates of the races",
                "Above the default, on the deals of the races. They were chosen on these deals, so these numbers flatter them.",
            ),
        ),
        measure=lambda *_: [],
        pictures=lambda _: pictures(plan.space.dimensions, found.trials),
    )
    return render(
        study, Report(study="tune", seconds=seconds, rows=rows(found)), plan.seed, command=shlex.join(command)
    )


def _confirmation(found: Found) -> str:
    """How the best was found and confirmed, in sentences."""
    over = "over all oppositions"
    worst = ""
    if found.worst:
        over = "against the worst ones"
        worst = f" On the deals of the final the best did worst against {found.worst[0]}, the default against {found.worst[1]}."
    return (
        f"{found.best} against {found.default}: {found.difference.deals:,} deals of seed {found.confirming_seed}, which no "
        f"candidate was chosen by, the same for both.{worst} The best counts as better where the interval of the difference "
        f"{over} lies above 0."
    )


def _points(cell: str, quantity: str, difference: Gap) -> Row:
    if difference.low == difference.high:  # all deals came out alike, which tells of no spread
        difference = replace(difference, low=-math.inf, high=math.inf)
    return points_row(cell, f"above the default, points: {quantity}", difference)


def rows(found: Found) -> list[Row]:
    """All numbers of a search as the rows of a report."""
    over = "the worst opposition of each" if found.worst else "over all oppositions"
    result = [_points("confirmed/all", over, found.difference)]
    result += [
        _points(f"confirmed/{number}", opposition, difference)
        for number, (opposition, _, _, difference) in enumerate(found.each, 1)
    ]
    for number, ((opposition, *rates, difference), within) in enumerate(zip(found.each, found.within, strict=True), 1):
        games = difference.deals * found.plan.oppositions[number - 1].seatings
        for player, rate, (low, high) in zip(("best", "default"), rates, within, strict=True):
            result.append(_percent(f"rate/{number}, {player}", f"games won, %: {opposition}", rate, low, high, games))
    result += [
        _percent(f"importance/{name}", f"share of the importance, %: {name}", share, share, share, len(found.trials))
        for name, share in found.importance.items()
    ]
    best = sorted(enumerate(found.trials, 1), key=lambda pair: (pair[1].dropped, -pair[1].difference))
    result += [
        _points(f"candidate/{number}", trial.spec, Gap(trial.difference, trial.low, trial.high, trial.deals))
        for number, trial in best[:SHOWN]
    ]
    return result


def _percent(cell: str, quantity: str, rate: float, low: float, high: float, games: int) -> Row:
    return Row(
        id=cell,
        quantity=quantity,
        published=None,
        measured=round(100 * rate, 3),
        low=round(100 * low, 3),
        high=round(100 * high, 3),
        games=games,
        verdict=NONE_PUBLISHED,
    )


def pictures(dimensions: Sequence[Dimension], trials: Sequence[Trial]) -> list[Picture]:
    """Every parameter against the difference to the default, a dot a candidate; and the candidates in their order."""
    text = "Points above the default, on the deals of the races. Hollow: dropped before the last rung."
    axis = "points above the default"
    history = [Dot(float(number), 100 * trial.difference, trial.dropped) for number, trial in enumerate(trials, 1)]
    svg = on_each_screen(partial(draw_dots, history, "candidate", axis), "dots")
    result = [Picture("The candidates in their order", text, svg, ())]
    for place, one in enumerate(dimensions):
        names = [str(choice) for choice in one.choices]
        dots = [
            Dot(
                float(one.choices.index(trial.values[one.name])) if names else float(trial.values[one.name]),
                100 * trial.difference,
                trial.dropped,
            )
            for trial in trials
        ]
        svg = on_each_screen(partial(draw_dots, dots, one.name, axis, names=names), f"dots-{place}")
        result.append(Picture(one.name, text, svg, ()))
    return result
