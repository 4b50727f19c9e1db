"""Our clients at our server: the same games as in the arena, seen by each seat as the game itself shows them."""

from __future__ import annotations

import math
from itertools import permutations
from typing import Any

import numpy as np
import pytest

from adapters.speed_clue_contest.contest_room import EDITION, Chatterer, Diarist, Leave, hold, no_remark, ours, scripted
from core.changing import changing_at_each_moment
from molehunt.adapters.speed_clue_contest.client import ContestPlayer
from molehunt.adapters.speed_clue_contest.protocol import Message, Suggest, format_reply
from molehunt.adapters.speed_clue_contest.server import ContestGame, seat_order
from molehunt.agents.registry import Agents
from molehunt.core.match import play
from molehunt.core.streams import game_seeds
from molehunt.games.speed_clue.game import SpeedClue
from molehunt.games.speed_clue.ruleset import CONTEST

pytestmark = pytest.mark.usefixtures("messages_in_one_piece")

MIXES = {
    3: ("combined", "basic", "random"),
    4: ("random", "basic", "mixed", "next-possible:systematic"),
    5: ("advanced", "combined", "random", "previous-possible", "basic"),
    6: ("random", "combined", "deduction-only", "next-not-held", "mixed", "basic"),
}


def diarists(seats: int) -> list[Diarist]:
    agents = Agents("speed_clue")
    return [Diarist(agents.make(spec)) for spec in MIXES[seats]]


def in_the_arena(players: list[Diarist], games: int, seed: int) -> tuple[list[int], list[int]]:
    """(wins by player, outcomes) of the same games played by the match loop; fills the diaries."""
    seats = len(players)
    game = SpeedClue(CONTEST, seats)
    wins, outcomes = [0] * seats, [0] * len(game.outcome_names())
    # Every deal in every rotation of an order, the next one in those of the next order.
    rotations = [
        [around[(seat + step) % seats] for seat in range(seats)]
        for around in ((0, *others) for others in permutations(range(1, seats)))
        for step in range(seats)
    ]
    for number in range(games):
        order = rotations[number % len(rotations)]
        played = play(game, [players[player] for player in order], game_seeds(seed, number // seats, 1))
        for seat, won in enumerate(game.wins(played.states)[0].tolist()):
            wins[order[seat]] += won
        outcomes[int(game.outcome_codes(played.states)[0])] += 1
    return wins, outcomes


def compare(seats: int, games: int, seed: int) -> list[int]:
    """Play the same games at the server and in the arena; the outcomes of both."""
    here, there = diarists(seats), diarists(seats)
    programs = [ours(f"p{number}", player, seed) for number, player in enumerate(here)]
    standing, raised = hold(programs, games, seed=seed)
    assert (raised, standing.faults, standing.games) == ([], [], games)
    wins, outcomes = in_the_arena(there, games, seed)
    assert (standing.wins, standing.outcomes) == (wins, outcomes)
    for one, other in zip(here, there, strict=True):
        assert len(one.diaries) == games
        for number, (mine, theirs) in enumerate(zip(one.diaries, other.diaries, strict=True)):
            assert mine.lines == theirs.lines, f"{one.name}, game {number}"
    return outcomes


@pytest.mark.parametrize(("seats", "games"), [(3, 9), (4, 8), (5, 7), (6, 6)])
def test_every_view_and_event_is_the_games_own(seats: int, games: int) -> None:
    outcomes = compare(seats, games, 2014)
    assert sum(outcomes) == games
    assert outcomes[0] > 0


@pytest.mark.parametrize("seats", [3, 4, 5, 6])
def test_every_seat_order_is_played_equally_often(seats: int) -> None:
    orders = math.factorial(seats)
    played = [tuple(seat_order(number, seats)) for number in range(orders)]
    assert sorted(played) == sorted(permutations(range(seats)))
    assert [tuple(seat_order(number, seats)) for number in range(orders, 2 * orders)] == played
    # The first are the rotations of one order, as in the arena.
    assert played[:seats] == [tuple((seat + step) % seats for seat in range(seats)) for step in range(seats)]


def test_a_game_may_end_because_all_others_have_accused_wrongly() -> None:
    agents = Agents("speed_clue")
    here = [Diarist(agents.make("random")) for _ in range(3)]
    there = [Diarist(agents.make("random")) for _ in range(3)]
    standing, raised = hold([ours(f"p{number}", player) for number, player in enumerate(here)], 6)
    assert (raised, standing.faults) == ([], [])
    assert (standing.wins, standing.outcomes) == in_the_arena(there, 6, 0)
    assert standing.outcomes[1] >= 4
    assert [[diary.lines for diary in one.diaries] for one in here] == [
        [diary.lines for diary in one.diaries] for one in there
    ]


def test_a_game_without_end_is_undecided_at_the_limit_of_suggestions() -> None:
    here, there = ([Diarist(Chatterer()) for _ in range(3)] for _ in range(2))
    standing, raised = hold([ours(f"p{number}", player) for number, player in enumerate(here)], 1)
    assert (raised, standing.faults, standing.wins, standing.outcomes) == ([], [], [0, 0, 0], [0, 0, 1])
    assert in_the_arena(there, 1, 0) == ([0, 0, 0], [0, 0, 1])
    assert [one.diaries[0].lines for one in here] == [one.diaries[0].lines for one in there]


def watched(monkeypatch: pytest.MonkeyPatch) -> dict[str, list[bytes]]:
    """The views of the server's own game whenever it asks a program for a decision, by program; filled as games are played."""
    seen: dict[str, list[bytes]] = {}
    ask = ContestGame._ask

    def watching(self: ContestGame, seat: int, message: Any, kind: Any) -> Any:
        view = self.game.views(self.states, np.array([seat], np.int8))[0]
        if seat not in self.failed:
            seen.setdefault(self.programs[seat].identifier, []).append(view.tobytes())
        return ask(self, seat, message, kind)

    monkeypatch.setattr(ContestGame, "_ask", watching)
    return seen


def decisions(player: Diarist) -> list[bytes]:
    """The views at which a player decided where it was asked: not where the server showed its only card."""
    views = [
        diary.lines[place + 1] for diary in player.diaries for place, line in enumerate(diary.lines) if line == b"view"
    ]
    game = SpeedClue(CONTEST, 3)
    return [view for view in views if len(game.legal_actions(np.frombuffer(view, game.view_dtype))) > 1]


def test_the_view_at_every_decision_is_that_of_the_servers_game(monkeypatch: pytest.MonkeyPatch) -> None:
    seen = watched(monkeypatch)
    players = {name: Diarist(Agents("speed_clue").make(spec)) for name, spec in zip("abc", MIXES[3], strict=True)}
    standing, raised = hold([ours(name, player) for name, player in players.items()], 6)
    assert (raised, standing.faults) == ([], [])
    game = SpeedClue(CONTEST, 3)
    for name, player in players.items():
        # Where only one thing may be done (an accusation that must be made), both leave it out.
        asked = [view for view in seen[name] if len(game.legal_actions(np.frombuffer(view, game.view_dtype))) > 1]
        assert len(asked) > 20
        assert decisions(player) == asked


def test_a_program_that_fails_spoils_no_record_of_the_others(monkeypatch: pytest.MonkeyPatch) -> None:
    seen = watched(monkeypatch)

    def leave(game: int, message: Any, reply: str) -> str:
        if game == 2 and isinstance(message, Suggest):
            raise Leave
        return reply

    players = {name: Diarist(Agents("speed_clue").make("basic")) for name in "ac"}
    standing, raised = hold([ours("a", players["a"]), scripted("b", leave), ours("c", players["c"])], 4)
    assert raised == [] and [fault.game for fault in standing.faults] == [2]
    game = SpeedClue(CONTEST, 3)
    for name, player in players.items():
        mine = np.frombuffer(b"".join(decisions(player)), game.view_dtype)
        theirs = np.frombuffer(b"".join(seen[name]), game.view_dtype)
        theirs = theirs[[len(game.legal_actions(view)) > 1 for view in theirs]]
        assert len(mine) == len(theirs) > 20
        told = ("hand", "record", "accusations", "hand_sizes", "seat", "seats")
        for field in (*told, "to_move", "phase", "suggestion_count", "on_turn"):
            assert np.array_equal(mine[field], theirs[field])


def test_the_seeds_decide() -> None:
    def result(server: int, client: int) -> tuple[list[int], list[list[bytes]]]:
        players = [Diarist(Agents("speed_clue").make(spec)) for spec in ("basic", "random", "combined")]
        programs = [ours(f"p{number}", player, client) for number, player in enumerate(players)]
        standing, _ = hold(programs, 6, seed=server)
        return standing.wins, [diary.lines for player in players for diary in player.diaries]

    first = result(1, 1)
    assert result(1, 1) == first
    assert result(2, 1)[1] != first[1] != result(1, 2)[1]


@pytest.mark.long
@pytest.mark.slow
@pytest.mark.parametrize("seats", [3, 4, 5, 6])
def test_a_thousand_games_without_one_fault_of_the_protocol(seats: int) -> None:
    assert sum(compare(seats, 250, 7)) == 250


@pytest.mark.parametrize("spec", ["combined", "stranger:seed=3", "exact:deals=2"])
def test_machine_code_may_come_at_any_moment_of_a_contest(spec: str) -> None:
    heard: list[tuple[Message, str]] = []

    def keep(_game: int, message: Message, reply: str) -> str:
        heard.append((message, reply))
        return reply

    hold([scripted("a", keep, spec), ours("b"), ours("c", "basic")], 2)

    def replies() -> list[str]:
        player = ContestPlayer(Agents("speed_clue").make(spec), remark=no_remark)
        return [format_reply(player.reply(message), EDITION) for message, _ in heard]

    expected = [reply for _, reply in heard]
    assert len(expected) > 10
    for found in changing_at_each_moment(replies, lambda moment: moment + 1 + moment):
        assert found == expected
