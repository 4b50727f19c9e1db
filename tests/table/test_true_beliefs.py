"""What panels of beliefs say is so: chances lie between 0 and 1 and sum to what they must, and what a seat knows is certain."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest

from molehunt.agents.registry import Agents
from molehunt.core.panels import Bars, Grid, Panel
from molehunt.core.words import percent_said
from molehunt.games.registry import make_game, split_label
from molehunt.games.saboteur.cards import SABOTEUR
from molehunt.table.session import Session, Sitter

TABLES = {
    "saboteur/krisnadi": ("mole:worlds=2", "stranger:seed=30", "learned", "means-ends-2016", "decision-2019"),
    "saboteur/official+talk:rounds=1": ("kripke-2012", "mole:worlds=2", "decision-2019"),
    "saboteur/veldhuis:rounds=1": ("kripke-2012", "stranger:seed=6", "mole:worlds=2", "decision-2019", "random"),
    "duel/mcgill": ("duel-star:deals=2", "greedy-2020"),
    "speed_clue/mitchell": ("exact", "stranger:seed=21", "combined"),
    "speed_clue/contest": ("exact", "mixed", "random", "previous-possible"),
}
ROUNDING = 1e-9


def believed(label: str) -> Iterator[tuple[Session, int, Panel]]:
    """What every player believes along a game, seats by their numbers: the session, the seat, a panel."""
    name, ruleset = split_label(label)
    agents, specs = Agents(name), TABLES[label]
    session = Session(make_game(name, ruleset, len(specs)), [Sitter(s, agents.make(s)) for s in specs], 4)
    while session.to_move is not None and len(session.actions) < 90:
        if len(session.actions) % 5 == 0:
            for seat, sitter in enumerate(session.sitters):
                assert sitter.agent is not None
                for panel in sitter.agent.beliefs(session.game, session.view(seat), session.mind(seat), 0):
                    yield session, seat, panel
        session.step()


def check_bars(session: Session, seat: int, bars: Bars, view: Any) -> str:
    """Chances are written as what they are; those of saboteurs and places sum up, and what the seat has seen is certain."""
    chances = {row.label: row.value for row in bars.rows}
    assert all(bars.low <= chance <= bars.high for chance in chances.values())
    assert all(row.text == percent_said(row.value) for row in bars.rows if "%" in row.text)
    total = sum(chances.values())
    if set(chances) == set(getattr(view, "goals", ())):
        assert total == pytest.approx(1.0)
        for place, content in view.goals.items():
            if content is not None:
                assert percent_said(chances[place]) == ("100 %" if content in {"gold", "nugget"} else "0 %")
        return "goals"
    if session.game.name == "saboteur" and bars.title != "Trust":
        roles = session.position.states["roles"][0, : session.game.seats]
        onlooker = bars.title == "As an onlooker sees it"
        assert onlooker or f"seat {seat}" not in chances
        most = view.saboteurs - (0 if onlooker else int(roles[seat] == SABOTEUR))
        assert most - view.saboteurs_hidden - ROUNDING <= total <= most + ROUNDING
        return "saboteurs"
    return bars.title


def check_grid(session: Session, seat: int, grid: Grid, hand: tuple[str, ...]) -> None:
    """A card is in one place, each kind has one in the envelope, and the own hand is known; what is certain is so."""
    hands = [session.position.view(other).hand for other in range(session.game.seats)]
    for group in grid.groups:
        inside = [row.values[-1] for row in group.rows]
        assert None in inside or sum(chance or 0 for chance in inside) == pytest.approx(1.0)
        for row in group.rows:
            assert row.values[seat] == (1.0 if row.label in hand else 0.0)
            assert None in row.values or sum(chance or 0 for chance in row.values) == pytest.approx(1.0)
            there = [row.label in held for held in hands]
            for chance, is_there in zip(row.values, [*there, not any(there)], strict=True):
                # What is as good as certain is told as certain, and is so.
                assert chance is None or chance in {0.0, 1.0} or ROUNDING < chance < 1.0 - ROUNDING
                assert chance is None or chance != (0.0 if is_there else 1.0)


@pytest.mark.parametrize("label", TABLES)
def test_what_is_believed_adds_up_and_what_is_known_is_certain(label: str) -> None:
    kinds: Counter[str] = Counter()
    for session, seat, panel in believed(label):
        view = session.position.view(seat)
        if isinstance(panel, Bars):
            kinds[check_bars(session, seat, panel, view)] += 1
        if isinstance(panel, Grid):
            check_grid(session, seat, panel, view.hand)
            kinds["grid"] += 1
    assert {"saboteur": {"goals", "saboteurs"}, "duel": {"goals"}, "speed_clue": {"grid"}}[session.game.name] <= set(
        kinds
    )
