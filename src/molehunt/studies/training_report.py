"""A training run as a page: its league and its curves."""

from __future__ import annotations

from functools import partial

from molehunt.learning.definition import TrainingText
from molehunt.learning.run import Trained
from molehunt.studies.report import on_each_screen, render
from molehunt.studies.report_curve import Curve, Dot, Point, draw_curves, draw_dots
from molehunt.studies.study import NONE_PUBLISHED, Picture, Report, Row, Section, Study

CURVES = {
    "margin": "the learner's mean margin in the games it learned from",
    "entropy": "how undecided the policy is, in nats",
    "kl": "how far an update moved the policy",
    "explained": "the share of the spread of returns that its values explain",
}
"""What is drawn of a run, and what it means."""
AGAIN = (
    "The same version with the same seed gives the same player on as many threads of the same kind of machine; on another number "
    "of threads, or on a GPU, sums are rounded otherwise."
)
MOST_DOTS = 400
AXIS = "millions of decisions"
MILLION = 1e6


def page(text: TrainingText, trained: Trained, seconds: float, command: str) -> str:
    """The page of a run that took so long; `command` is the call that makes it again."""
    updates = "update" if trained.updates == 1 else "updates"
    study = Study(
        name="train",
        title=f"Training for {text.game}",
        source=f"{trained.steps:,} decisions of {trained.games:,} games, {trained.updates:,} {updates}.",
        default_games=text.league.games,
        small_games=1,
        unit="margin a game",
        sections=(
            Section(
                "league/",
                "The league",
                "What the learner wins over what the others win on average when it makes its best moves; games of a seed that it "
                "does not learn from.",
            ),
        ),
        measure=lambda *_: [],
        pictures=lambda _: pictures(trained),
    )
    report = Report(study="train", seconds=seconds, rows=rows(trained))
    return render(study, report, text.seed, command=command, again=AGAIN)


def rows(trained: Trained) -> list[Row]:
    """The league as rows of a report, the last measurement of each opponent."""
    last = {row[2]: row for row in trained.league}
    return [
        Row(
            id=f"league/{opponent}",
            quantity=f"margin against {opponent}, after {steps:,} decisions",
            published=None,
            measured=round(margin, 4),
            low=round(low, 4),
            high=round(high, 4),
            games=games,
            verdict=NONE_PUBLISHED,
        )
        for opponent, (_, steps, _, games, margin, low, high, _) in last.items()
    ]


def pictures(trained: Trained) -> list[Picture]:
    """The league over the run, and the curves."""
    result = []
    opponents = dict.fromkeys(row[2] for row in trained.league)
    for number, opponent in enumerate(opponents):
        points = tuple(
            Point(steps / MILLION, margin, low, high)
            for _, steps, other, _, margin, low, high, _ in trained.league
            if other == opponent
        )
        svg = on_each_screen(partial(draw_curves, [Curve(opponent, points)], AXIS, table=False), f"league-{number}")
        result.append(Picture(f"Against {opponent}", "The learner's mean margin, with 95 % intervals.", svg, ()))
    for name, meaning in CURVES.items():
        found = [(steps, value) for _, steps, _, each, value in trained.curve if each == name]
        found = found[:: max(1, len(found) // MOST_DOTS)]
        if found:
            dots = [Dot(steps / MILLION, value, hollow=False) for steps, value in found]
            svg = on_each_screen(partial(draw_dots, dots, AXIS, name, of="update"), f"curve-{name}")
            result.append(Picture(name, f"After each update: {meaning}.", svg, ()))
    return result
