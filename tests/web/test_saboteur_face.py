"""The end of a round, as pages are told of it: the mine that the next deal takes away, the roles, and what was paid."""

from __future__ import annotations

import re

import numpy as np
import pytest

from molehunt.agents.registry import Agents
from molehunt.core.language import speaking
from molehunt.core.position import Position
from molehunt.games.registry import make_game
from molehunt.table.session import Session, Sitter
from molehunt.web import faces
from molehunt.web.face import Shown
from molehunt.web.mine_face import NOT_COUNTED, MinePosition
from molehunt.web.sprite import symbol_name


def played(ruleset: str, seed: int, seats: int = 4) -> Session:
    agents = Agents("saboteur")
    sitters = [Sitter(str(seat), agents.make("decision-2019")) for seat in range(seats)]
    session = Session(make_game("saboteur", ruleset, seats), sitters, seed)
    while session.step():
        pass
    return session


def at(session: Session, moves: int, seat: int | None) -> MinePosition:
    """The position after so many moves, as a page of a seat, or of a watcher, is sent it."""
    now = session.position.before(moves + 1)
    view = now.public_record() if seat is None else now.view_record(seat)
    found = faces.position(session.game, Shown(view, session.names, None, moves=False))
    faces.tell_rounds(found, session.game, now.events, seat, session.as_left)
    assert isinstance(found, MinePosition)
    return found


@pytest.mark.parametrize("ruleset", ["official", "official+talk", "krisnadi"])
@pytest.mark.parametrize("seed", [3, 4])
def test_the_end_of_a_round_is_told_with_the_mine_as_it_was(ruleset: str, seed: int) -> None:
    session = played(ruleset, seed)
    ends = [number for number, told in enumerate(session.events, 1) if told[0]["ended"]]
    assert ends
    paid = np.zeros(4, int)
    for number, moves in enumerate(ends, 1):
        paid += [int(session.events[moves - 1][seat]["gained"]) for seat in range(4)]
        for seat in (0, 3, None):
            before, after = at(session, moves - 1, seat), at(session, moves, seat)
            assert (before.ended.number if before.ended else 0) == number - 1
            ended = after.ended
            assert ended is not None
            assert (ended.number, ended.moves) == (number, moves)
            event = session.game.friendly_event(session.event(moves, seat))
            assert ended.roles == list(event.roles or ())
            assert ended.team == ("miners" if event.ended == "gold" else "saboteurs")
            assert ended.gained == (None if seat is None else event.gained)
            for who, told in enumerate(after.seats):
                assert told.gold == paid[who] or told.gold == NOT_COUNTED or (told.gold is None and who != seat)
            # The mine is the one before the last move and what that move has changed; goals that one seat knows are covered.
            lay = {(cell.x, cell.y): cell.symbol for cell in before.board.cells}
            left = {(cell.x, cell.y): cell.symbol for cell in ended.board.cells}
            changed = {cell for cell in lay.keys() | left.keys() if lay.get(cell) != left.get(cell)}
            goals = {(goal.x, goal.y): goal for goal in before.goals}
            revealed = {cell for cell, goal in goals.items() if goal.place in event.revealed}
            laid = changed - goals.keys()
            assert len(laid) <= 1
            assert revealed <= changed <= laid | goals.keys()
            # What lay under goals that nobody reached is shown, too.
            golden = {cell for cell in goals if "gold" in left[cell]}
            assert [goals[cell].place for cell in golden] == [ended.gold]
            assert all("stone" in left[cell] or "rock" in left[cell] for cell in goals.keys() - golden)
            words = [cell.words for cell in ended.board.cells if (cell.x, cell.y) in goals]
            assert sorted(said.rpartition(": ")[2] for said in words) == ["gold", "stone", "stone"]
            if ended.team == "miners":
                assert symbol_name("gold") in {symbol.removesuffix("-r") for symbol in left.values()}
                assert laid


@pytest.mark.parametrize("rounds", [2, 3])
def test_how_a_game_of_several_rounds_ended_is_told_in_the_language_of_the_reader(rounds: int) -> None:
    session = played(f"official:rounds={rounds}", 3)
    for reached in range(rounds + 1):
        state = session.truth()
        state["gold_rounds"] = reached
        outcome = session.game.outcome(state)
        assert outcome is not None
        assert outcome.reason == f"the gold was reached in {reached} of {rounds} rounds"
        with speaking("de"):
            told = faces.who_won(session.game, outcome, session.names)
        assert told.endswith(f": das Gold wurde in {reached} von {rounds} Runden erreicht.")


def test_where_all_cards_lie_open_all_gold_does() -> None:
    session = played("official", 3)
    first = next(number for number, told in enumerate(session.events, 1) if told[0]["ended"])
    paid = [int(session.events[first - 1][seat]["gained"]) for seat in range(4)]
    state = session.as_left(first + 1)
    found = faces.open_position(session.game, state, session.names)
    assert isinstance(found, MinePosition)
    assert None in [seat.gold for seat in at(session, first, None).seats]
    assert [seat.gold for seat in found.seats] == paid
    assert not any("secret" in seat.words for seat in found.seats)


def shown(position: Position, seat: int) -> MinePosition:
    """A position as its seat's page shows it."""
    names = ("Ann", "Bob", "Carol", "Dave")
    found = faces.position(position.game, Shown(position.view_record(seat), names, seat, moves=True))
    assert isinstance(found, MinePosition)
    return found


def test_who_the_saboteurs_of_earlier_rounds_were_is_a_list_as_people_say_it() -> None:
    session = played("official", 5, seats=5)
    assert not at(session, len(session.events), None).board.reachable  # nobody lays a card any more
    past = at(session, len(session.events), None).lines
    events = [session.game.friendly_event(session.event(number, None)) for number in range(1, len(session.events) + 1)]
    ends = [event.roles or () for event in events if event.ended]
    saboteurs = [[str(seat) for seat, role in enumerate(roles) if role == "saboteur"] for roles in ends]
    said = [{0: "nobody", 1: "".join(who), 2: " and ".join(who)}[len(who)] for who in saboteurs]
    assert past == [f"Saboteurs of round {number}: {who}" for number, who in enumerate(said, 1)]
    assert any(" and " in who for who in said)


def test_moves_are_counted_from_the_first_one_on() -> None:
    position = Position(make_game("saboteur", "official", 4), 6)
    assert shown(position, 0).lines[0] == "Round 1 of 3 · turn 1"
    position.play(next(iter(position.legal_actions)))
    assert shown(position, 0).lines[0] == "Round 1 of 3 · turn 2"


def test_what_is_said_before_a_card_is_offered_and_shown() -> None:
    position = Position(make_game("saboteur", "krisnadi:speak=yes,first_seat=0", 4), 6)
    position.play("accuse>2")
    seats = shown(position, 1).seats
    assert [seat.accuses for seat in seats] == [2, None, None, None]
    assert "accuses Carol" in seats[0].words and "accuses" not in seats[1].words
    position.states["broken"][0, 0] = 0b010
    position.states["spoken"] = 0
    assert [(move.move, move.words, move.card) for move in shown(position, 0).moves if move.kind == "say"] == [
        ("accuse>1", "Accuse Bob", None),
        ("accuse>3", "Accuse Dave", None),
        ("ask:lantern", "Ask for your lantern to be mended", None),
    ]
    position.play("ask:lantern")
    now = shown(position, 0)
    assert now.seats[0].asks == ["lantern"] and not [move for move in now.moves if move.kind == "say"]


STONE_WORDS = {
    "en": {"face down", "gold, seen on a map", "stone, seen on a map", "gold, face up", "stone, face up"},
    "de": {
        "verdeckt",
        "Gold, mit einer Schatzkarte gesehen",
        "Stein, mit einer Schatzkarte gesehen",
        "Gold, aufgedeckt",
        "Stein, aufgedeckt",
    },
}
"""All that is said of a goal, by language."""


@pytest.mark.parametrize("code", STONE_WORDS)
def test_a_stone_is_a_stone_whichever_of_the_two_it_is(code: str) -> None:
    said = set()
    for ruleset in ("official", "krisnadi"):
        session = played(ruleset, 3)
        for moves in range(len(session.events) + 1):
            with speaking(code):
                now = at(session, moves, moves % 4)
            said |= {goal.words for goal in now.goals}
            assert not any(re.search(r"rock|\(", cell.words) for cell in now.board.cells)
    assert said == STONE_WORDS[code]


def test_nothing_is_told_before_a_round_has_ended() -> None:
    session = played("official", 3)
    first = next(number for number, told in enumerate(session.events, 1) if told[0]["ended"])
    assert at(session, first - 1, 0).ended is None
    assert at(session, first - 1, 0).round == 1
    assert at(session, first, 0).round == 2
