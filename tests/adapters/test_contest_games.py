"""Our clients at our server: the same games as in the arena, seen by each seat as the game itself shows them."""

from __future__ import annotations

import pytest

from adapters.contest_room import Chatterer, Diarist, hold, ours
from molehunt.agents.registry import Agents
from molehunt.core.match import play
from molehunt.core.streams import game_seeds
from molehunt.games.speed_clue.game import SpeedClue
from molehunt.games.speed_clue.ruleset import CONTEST

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
    for number in range(games):
        order = [(seat + number) % seats for seat in range(seats)]
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
