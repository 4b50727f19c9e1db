"""What a page tells of Saboteur is so: seats, goals, the deck, rounds and who has won are those of the true states."""

from __future__ import annotations

import re
from typing import Any

import pytest

from molehunt.agents.registry import Agents
from molehunt.games.registry import make_game
from molehunt.games.saboteur.cards import GOAL_NAMES, GOAL_PLACES, NO_CARD, ROLE_NAMES, SABOTEUR, TOOLS
from molehunt.games.saboteur.ruleset import DECK_CARDS
from molehunt.table.session import Session, Sitter
from molehunt.web import faces
from molehunt.web.face import Shown
from molehunt.web.mine_face import NOT_COUNTED, KnownSeat, MinePosition

NAMES = ("Ann", "Bob", "Cid", "Dora", "Eve", "Fay", "Gus")
TABLES = {
    "krisnadi": ("decision-2019", "stranger:seed=3", "decision-2019"),
    "official+talk": ("decision-2019",) * 4 + ("stranger:seed=3", "random", "means-ends-2016"),
    "official:speak=yes": ("decision-2019", "stranger:seed=6", "stranger:seed=3", "decision-2019"),
    "veldhuis": ("decision-2019", "stranger:seed=6", "random", "decision-2019", "means-ends-2016"),
}


def check_seat(told: KnownSeat, state: Any) -> None:
    """Cards, gold and tools of a seat, as numbers and in words."""
    assert told.cards == sum(card != NO_CARD for card in state["hands"][told.seat])
    assert told.words.startswith(f"{told.cards} card{'' if told.cards == 1 else 's'} in hand")
    assert told.gold in {None, NOT_COUNTED, int(state["nuggets"][told.seat])}
    nuggets = re.search(r"(\d+) nugget", told.words)
    assert nuggets is None or int(nuggets[1]) == state["nuggets"][told.seat]
    assert set(told.broken) == {tool for bit, tool in enumerate(TOOLS) if state["broken"][told.seat] >> bit & 1}
    assert set(told.looked) == {place for bit, place in enumerate(GOAL_PLACES) if state["looked"][told.seat] >> bit & 1}
    assert set(told.asks) <= set(told.broken)


def check_goals(found: MinePosition, state: Any, seat: int | None) -> None:
    """What is known of goals is true, and known to all or to this seat."""
    for bit, (place, told) in enumerate(zip(GOAL_PLACES, found.goals, strict=True)):
        is_open = bool(state["revealed"] >> bit & 1)
        seen = seat is not None and bool(state["looked"][seat] >> bit & 1)
        content = "gold" if GOAL_NAMES[state["goals"][bit]] == "gold" else "stone"
        assert (told.place, told.open, told.known) == (place, is_open, content if is_open or seen else None)


def check_lines(found: MinePosition, session: Session, state: Any, seat: int | None, past: list[list[int]]) -> None:
    """The lines above the board: the round and the move, the own role, how many saboteurs, the deck, earlier rounds."""
    lines, game = " | ".join(found.lines), session.game
    for number, roles in enumerate(past, 1):
        who = [session.names[other] for other, role in enumerate(roles) if role == SABOTEUR] or ["nobody"]
        assert (
            f"Saboteurs of round {number}: {' and '.join([', '.join(who[:-1])] * (len(who) > 1) + who[-1:])}" in lines
        )
    if session.to_move is None:
        return
    left = int(game.params[DECK_CARDS]) - int(state["drawn"])
    assert f" {left} card{'' if left == 1 else 's'} in the deck" in f" {lines}"
    assert re.search(rf"[Tt]urn {len(session.actions) + 1}\b", lines)
    assert game.ruleset.rounds == 1 or f"Round {len(past) + 1} of {game.ruleset.rounds}" in lines
    assert (f"You are a {ROLE_NAMES[state['roles'][seat]]}" in lines) if seat is not None else "You are" not in lines
    most, true = (
        re.search(r"(At most )?(\d+) saboteurs? among", lines),
        int((state["roles"][: game.seats] == SABOTEUR).sum()),
    )
    assert most is not None
    assert int(most[2]) - true in ({0, 1} if most[1] else {0})


@pytest.mark.parametrize("ruleset", TABLES)
def test_what_stands_around_the_board_is_so_for_every_seat_and_who_watches(ruleset: str) -> None:
    specs, agents = TABLES[ruleset], Agents("saboteur")
    game = make_game("saboteur", ruleset, len(specs))
    session = Session(game, [Sitter(NAMES[seat], agents.make(spec)) for seat, spec in enumerate(specs)], 5)
    past: list[list[int]] = []
    while True:
        state = session.position.states.copy()[0]
        for seat in (None, len(session.actions) % game.seats):
            view = session.public_view() if seat is None else session.view(seat)
            found = faces.position(game, Shown(view, session.names, session.to_move))
            assert isinstance(found, MinePosition)
            for told in found.seats:
                check_seat(told, state)
            check_goals(found, state, seat)
            check_lines(found, session, state, seat, past)
        if not session.step():
            break
        if session.events[-1][0]["ended"]:
            past.append(state["roles"][: game.seats].tolist())
    outcome = session.outcome
    assert outcome is not None and len(past) == game.ruleset.rounds
    gold = session.position.states[0]["nuggets"][: game.seats].tolist()
    best = [name for name, amount in zip(session.names, gold, strict=True) if amount == max(gold)]
    said = faces.who_won(game, outcome, session.names)
    assert re.findall("|".join(NAMES), said.partition(":")[0]) == best
    reached = int(session.position.states[0]["gold_rounds"])
    assert (
        (f"in {reached} of {game.ruleset.rounds} rounds" in said)
        if len(past) > 1
        else ("not reached" in said) != bool(reached)
    )
