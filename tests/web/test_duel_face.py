"""The duel as pages are told of it: cells as x and y, what a seat may know and nothing more, and all of it in an open replay."""

from __future__ import annotations

import numpy as np
import pytest

from molehunt.agents.registry import Agents
from molehunt.core.replay import Replay
from molehunt.games.registry import make_game
from molehunt.table.session import Session, Sitter
from molehunt.table.tunnel_words import LAY
from molehunt.web import faces
from molehunt.web.face import Shown
from molehunt.web.mine_face import SEEN, MinePosition

NAMES = ("Ann", "Bob")


def played(seed: int) -> Session:
    player = Agents("duel").make("random")
    session = Session(make_game("duel", "mcgill", 2), [Sitter(name, player) for name in NAMES], seed)
    while session.step():
        pass
    return session


def at(session: Session, moves: int, seat: int | None) -> MinePosition:
    """The position after so many moves, as a page of a seat, or of a watcher, is sent it."""
    now = session.position.before(moves + 1)
    view = now.public_record() if seat is None else now.view_record(seat)
    found = faces.position(session.game, Shown(view, NAMES, now.to_move, moves=seat is not None))
    assert isinstance(found, MinePosition)
    return found


@pytest.fixture(scope="module", params=[1, 2, 3])
def session(request: pytest.FixtureRequest) -> Session:
    return played(request.param)


def test_cells_and_moves_are_those_of_the_view_with_the_column_first(session: Session) -> None:
    kinds = set()
    for moves in range(len(session.actions)):
        now = session.position.before(moves + 1)
        for seat in (0, 1):
            view, found = now.view(seat), at(session, moves, seat)
            assert found.lines[0] == f"Turn {moves + 1}"
            assert {(cell.y, cell.x) for cell in found.board.cells} == set(view.board)
            assert {(y, x) for x, y in found.board.reachable} == set(view.open_cells)
            assert [move.move for move in found.moves] == [str(action) for action in view.legal_actions]
            assert [held.card for held in found.hand or ()] == list(view.hand)
            for move in found.moves:
                kinds.add(move.kind)
                if move.kind == LAY:
                    cell = f"{move.y},{move.x}"
                    assert cell in move.move and (move.y, move.x) in view.open_cells
                if move.kind == "seat":  # a bonus or a malus, which have no cell
                    assert move.seat == (seat if move.card == "bonus" else 1 - seat)
    assert {LAY, "discard", "look", "clear"} <= kinds


def test_a_seat_is_sent_nothing_of_what_only_the_other_knows(session: Session) -> None:
    looked = 0
    for moves in range(0, len(session.actions), 3):
        now = session.position.before(moves + 1)
        watcher = at(session, moves, None)
        assert watcher.hand is None and watcher.moves == [] and watcher.hands is None
        for seat in (0, 1):
            view, found = now.view(seat), at(session, moves, seat)
            for goal in found.goals:
                assert goal.known == SEEN.get(view.goals[goal.place] or "")
                known_to_all = next(other for other in watcher.goals if other.place == goal.place)
                looked += goal.known is not None and known_to_all.known is None
            assert [known.looked for known in found.seats] == [known.looked for known in watcher.seats]
    assert looked


def test_an_open_replay_shows_both_hands_and_what_lies_under_every_goal(session: Session) -> None:
    states = Replay(session.record(), make_game).states
    for moves in (0, len(session.actions) // 2):
        now = session.position.before(moves + 1)
        found = faces.open_position(session.game, states[moves], NAMES)
        assert isinstance(found, MinePosition)
        hands = [[held.card for held in hand] for hand in found.hands or ()]
        assert hands == [list(now.view(seat).hand) for seat in (0, 1)]
        known = [goal.known for goal in found.goals]
        assert None not in known and known.count("gold") == 1
        nugget = next(goal for goal in found.goals if goal.known == "gold")
        lying = next(cell for cell in found.board.cells if (cell.x, cell.y) == (nugget.x, nugget.y))
        assert "nugget" in lying.symbol
        assert found.moves == []


def test_what_a_map_shows_is_news_for_its_player_alone(session: Session) -> None:
    maps = 0
    for number, told in enumerate(session.events):
        mover = session.position.before(number + 1).to_move
        assert mover is not None
        text = session.game.format_action(session.actions[number])
        news = [faces.private_news(session.game, np.atleast_1d(told)[seat], seat) for seat in (0, 1)]
        if text.startswith("map:"):
            maps += 1
            place = text.partition(":")[2]
            assert (news[mover] or "").startswith(f"You looked at the {place} goal: it is ")
            news[mover] = None
        assert news == [None, None], text
    assert maps
