"""What the interface of `core.game.Game` promises, checked over every game and ruleset there is."""

from __future__ import annotations

import copy
import itertools
import pickle
import re
from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from molehunt.agents.registry import Agents
from molehunt.core.errors import BadInput, BadNotation, IllegalAction
from molehunt.core.game import RULES, Game
from molehunt.core.match import play
from molehunt.core.seats import NOBODY
from molehunt.core.streams import game_seeds, seat_streams
from molehunt.games.compiled import CompiledGame
from molehunt.games.registry import BUILT_IN, all_games, game_entry, make_game
from molehunt.games.written import check_written

SEATS = {
    "saboteur": (3, 5, 8),
    "saboteur/official": (3, 8),
    "saboteur/veldhuis": (5,),
    "saboteur/official+talk": (6,),
    "saboteur/veldhuis:speak=yes,rounds=1": (5,),
    "saboteur/official:rounds=1": (4,),
    "saboteur/small": (2, 3),
    "speed_clue": (3, 4, 6),
    "speed_clue/small": (2, 3),
    "duel": (2,),
}
"""By the game, or by the game and the ruleset."""
MORE_RULESETS = {"saboteur": ("official+talk", "official:rounds=1", "veldhuis:speak=yes,rounds=1")}
GAMES_EACH = 3
LONGER = {"speed_clue": "advanced"}
"""Players of every other game, where random ones end it after a few moves (half of what they do in Clue is to accuse)."""
SETUPS = [
    (entry.name, ruleset, seats)
    for entry in all_games().values()
    for ruleset in (*entry.rulesets, *MORE_RULESETS.get(entry.name, ()))
    for seats in SEATS.get(
        f"{entry.name}/{ruleset}", SEATS.get(entry.name, sorted({*entry.ruleset_entry(ruleset).seat_limits}))
    )
]


@pytest.fixture(params=SETUPS, ids=lambda setup: f"{setup[0]}/{setup[1]}/{setup[2]}")
def game(request: pytest.FixtureRequest) -> Game:
    name, ruleset, seats = request.param
    return make_game(name, ruleset, seats)


def compiled_game(setup: tuple[str, str, int]) -> CompiledGame:
    """The game of a setup, whose rules are compiled; a game that a package brings need not be such a one, and is then left out."""
    game = make_game(*setup)
    if not isinstance(game, CompiledGame):
        assert game.name not in BUILT_IN
        pytest.skip("a package's game with rules in plain Python")
    return game


def positions(game: Game, seed: int = 11) -> Iterator[np.ndarray]:
    """Every state, shape (1,), along a few random games, the last ones included; none is longer than the game's entry says."""
    walk = game.label, game.seats, type(game), seed
    if walk not in WALKED:
        WALKED[walk] = [states.tobytes() for states in walked(game, seed)]
    for state in WALKED[walk]:
        yield np.frombuffer(bytearray(state), game.state_dtype)


WALKED: dict[tuple[str, int, type[Game], int], list[bytes]] = {}
"""The states of such games, which most tests of a game go through."""


def walked(game: Game, seed: int) -> Iterator[np.ndarray]:
    seeds = game_seeds(seed, 0, GAMES_EACH)
    longest = game_entry(game.name).longest_play(game)
    streams = seat_streams(seeds, game.seats)
    for number, state in enumerate(game.new(seeds)):
        states = np.array([state])
        agent = Agents(game.name).make(LONGER.get(game.name, "random") if number % 2 else "random")
        memories = [agent.start(game, view(game, states, s), streams[number, s : s + 1]) for s in range(game.seats)]
        for move in itertools.count():
            yield states
            seat = game.to_move(states)
            if seat[0] == NOBODY:
                break
            assert move < longest, "a play ends within the moves that the entry's `longest` says"
            action = agent.act(game.views(states, seat), memories[seat[0]], np.zeros(1, np.int64))
            events = game.apply(states, action)
            if agent.observes:
                for other, memory in enumerate(memories):
                    agent.observe(events[:, other], memory, np.zeros(1, np.int64))


def rounds_of(game: Game) -> int:
    """How many rounds a game has."""
    return int(getattr(game.ruleset, "rounds", 1))


def view(game: Game, states: np.ndarray, seat: int) -> np.ndarray:
    return game.views(states, np.array([seat], np.int8))


def test_only_the_seat_to_move_has_legal_actions(game: Game) -> None:
    for states in positions(game):
        mover = int(game.to_move(states)[0])
        counts = [len(game.legal_actions(view(game, states, seat))) for seat in range(game.seats)]
        assert [seat for seat in range(game.seats) if counts[seat]] == ([] if mover == NOBODY else [mover])


def test_legal_actions_have_no_duplicates_and_read_back_from_their_notation(game: Game) -> None:
    long_lists = 0
    for states in positions(game):
        mover = game.to_move(states)
        if mover[0] == NOBODY:
            continue
        legal = game.legal_actions(game.views(states, mover))
        assert len(set(map(int, legal))) == len(legal)
        # Of the lists of hundreds of actions that Clue has, one in eight is written and read.
        long_lists += len(legal) > 200
        if len(legal) > 200 and long_lists % 8 != 1:
            continue
        assert len({str(action) for action in legal}) == len(legal)
        assert [game.parse_action(str(action)) for action in legal] == list(legal)


def test_every_listed_action_can_be_played_and_no_other_notation_of_the_game_can(game: Game) -> None:
    everything: set[int] = set()
    for states in positions(game):
        mover = game.to_move(states)
        if mover[0] != NOBODY:
            everything |= set(game.legal_actions(game.views(states, mover)))
    for number, states in enumerate(positions(game)):
        mover = game.to_move(states)
        if number % (7 * rounds_of(game)) or mover[0] == NOBODY:
            continue
        legal = game.legal_actions(game.views(states, mover))
        for action in everything:
            trial = states.copy()
            if action in legal:
                game.apply(trial, np.array([action], np.int32))
                assert trial.tobytes() != states.tobytes()
                continue
            with pytest.raises(IllegalAction) as refused:
                game.apply(trial, np.array([action], np.int32))
            assert trial.tobytes() == states.tobytes()
            assert refused.value.seat == mover[0]
            assert refused.value.action == game.format_action(action)
            assert refused.value.rule


def test_whatever_number_can_be_played_is_written_and_read_back(game: Game) -> None:
    """So no two numbers are one move: a record would hold another game than was played."""
    for number, states in enumerate(positions(game)):
        mover = game.to_move(states)
        if number % (13 * rounds_of(game)) or mover[0] == NOBODY:
            continue
        legal = [int(action) for action in game.legal_actions(game.views(states, mover))]
        for action in legal[:: 1 + len(legal) // 8]:
            for bit in range(31):
                try:
                    game.apply(states.copy(), np.array([action ^ 1 << bit], np.int32))
                except IllegalAction:
                    continue
                assert game.parse_action(game.format_action(action ^ 1 << bit)) == action ^ 1 << bit


def test_compiled_functions_write_every_field_whatever_stood_there(game: Game) -> None:
    """So nothing of another play is left in a record that is used again, and none needs memory that happens to be zero."""
    if isinstance(game, CompiledGame):
        check_written(game, seed=3, moves=200, every=20)


def test_no_view_belongs_to_two_seats(game: Game) -> None:
    for states in positions(game):
        views = {view(game, states, seat).tobytes() for seat in range(game.seats)}
        assert len(views) == game.seats


def test_what_is_hidden_from_a_seat_does_not_show_in_its_view(game: Game) -> None:
    for number, states in enumerate(positions(game)):
        seat = number % game.seats
        seen = view(game, states, seat)
        again = game.resample(seen, np.array([number], np.uint64))
        assert view(game, again, seat).tobytes() == seen.tobytes()
        assert game.draw_text(view(game, again, seat)) == game.draw_text(seen)
        assert game.legal_actions(view(game, again, seat))[:] == game.legal_actions(seen)[:]


def test_the_public_view_holds_only_what_every_seat_knows(game: Game) -> None:
    for number, states in enumerate(positions(game)):
        public = game.public_view(states)
        again = game.resample(view(game, states, number % game.seats), np.array([number], np.uint64))
        assert game.public_view(again).tobytes() == public.tobytes()
        assert not game.legal_actions(public)
        assert game.name not in BUILT_IN or game.friendly_view(public).seat == NOBODY
        if not number % 20:
            assert game.draw_text(public) == game.draw_text(game.public_view(again))


def test_a_public_event_is_the_same_whichever_seat_tells_it(game: Game) -> None:
    states = game.new(game_seeds(5, 0, 1))
    agent = Agents(game.name).make("random")
    streams = seat_streams(game_seeds(5, 0, 1), game.seats)[0]
    memories = [agent.start(game, view(game, states, seat), streams[seat : seat + 1]) for seat in range(game.seats)]
    while (seat := int(game.to_move(states)[0])) != NOBODY:
        action = agent.act(view(game, states, seat), memories[seat], np.zeros(1, np.int64))
        events = game.apply(states, action)[0]
        told = {game.public_event(np.roll(events, shift)).tobytes() for shift in range(game.seats)}
        assert len(told) == 1
        shown = game.friendly_event(game.public_event(events))
        if game.name not in BUILT_IN:
            continue
        assert (shown.seat, shown.move.partition(":")[0]) == (
            seat,
            game.format_action(int(action[0])).partition(":")[0],
        ) or (shown.move == "show ?")


def test_the_outcome_comes_with_the_end_and_agrees_with_the_wins(game: Game) -> None:
    for states in positions(game):
        outcome = game.outcome(states)
        over = game.to_move(states)[0] == NOBODY
        assert (outcome is not None) == over == bool(game.outcome_codes(states)[0] >= 0)
        wins = game.wins(states)[0]
        if outcome is None:
            assert not wins.any()
            continue
        assert outcome.reason
        assert outcome.winners == tuple(np.flatnonzero(wins))
        assert len(outcome.payoffs) == game.seats
        assert tuple(game.payoffs(states)[0]) == outcome.payoffs
        # Most wins, if anybody has anything.
        most = max(outcome.payoffs)
        assert outcome.winners == tuple(seat for seat, payoff in enumerate(outcome.payoffs) if payoff == most > 0)


def test_a_game_is_a_function_of_its_seed_and_not_of_its_batch(game: Game) -> None:
    seeds = game_seeds(5, 0, 20)
    agents = [Agents(game.name).make("random")] * game.seats
    together = play(game, agents, seeds, keep_actions=True)
    assert together.actions is not None
    for index in (0, 7, 19):
        alone = play(game, agents, seeds[index : index + 1], keep_actions=True)
        assert alone.actions == [together.actions[index]]
        assert alone.states.tobytes() == together.states[index : index + 1].tobytes()
    # In a small game two of them may come out the same, and packages may bring very small ones.
    assert len({tuple(actions) for actions in together.actions}) > (0.7 if game.name in BUILT_IN else 0.1) * len(seeds)


def test_seated_roles_leave_the_rest_of_the_deal_as_it_was(game: Game) -> None:
    if not game.roles:
        return
    seeds = game_seeds(3, 0, 5)
    dealt = game.new(seeds)
    roles = game.roles_of(dealt)
    if rounds_of(game) > 1:
        # Roles are dealt anew in every round.
        with pytest.raises(BadInput, match="rounds=1"):
            game.new(seeds, roles)
        return
    for turned in (roles, np.roll(roles, 1, axis=1)):
        seated = game.new(seeds, turned)
        assert (game.roles_of(seated) == turned).all()
        assert (game.to_move(seated) == game.to_move(dealt)).all()
        if "deck" in (game.state_dtype.names or ()):
            assert seated["deck"].tobytes() == dealt["deck"].tobytes()


@pytest.mark.parametrize(
    "text", ["", " ", "discard", "discard:", "P_NS", "P_NS@", "map:nowhere", "🂡", "a" * 5000, "1", "0x10", "\0"]
)
def test_what_is_no_notation_is_refused_with_what_would_be_right(game: Game, text: str) -> None:
    with pytest.raises(BadNotation) as refused:
        game.parse_action(text)
    assert len(str(refused.value)) > 20


def test_drawings_show_every_seat_and_stand_alone(game: Game) -> None:
    states = game.new(game_seeds(2, 0, 1))
    for seat in (0, game.seats - 1):
        svg = game.draw_svg(view(game, states, seat))
        assert svg.startswith("<svg")
        assert "http://" not in svg.replace("http://www.w3.org/", "")
        text = game.draw_text(view(game, states, seat))
        assert text
        if game.name not in BUILT_IN:
            continue
        # The seat itself may be called "you".
        for other in range(game.seats):
            assert re.search(rf"\b{other}\b", text) or (other == seat and "you" in text)


def test_nobody_sets_the_rules_of_a_game_that_others_play(game: Game) -> None:
    for name in RULES:
        if not hasattr(game, name):  # `params` are for games with kernels
            continue
        before = getattr(game, name)
        with pytest.raises(BadInput, match=f"the {name} of .* cannot be set: all who play it share these rules"):
            setattr(game, name, before)
        assert getattr(game, name) is before
    for same in (pickle.loads(pickle.dumps(game)), copy.copy(game)):  # noqa: S301 - of this test
        with pytest.raises(BadInput, match="cannot be set"):
            same.seats = 2


def rubbish(kind: np.dtype[Any], byte: int) -> npt.NDArray[Any]:
    return np.frombuffer(bytes([byte]) * kind.itemsize, kind).copy()


OUR_OWN = [setup for setup in SETUPS if setup[0] in BUILT_IN]
"""Without games of packages: what those do with records that cannot be is their own."""


@pytest.mark.parametrize("byte", [0x55, 0x7F])
@pytest.mark.parametrize("setup", OUR_OWN, ids=str)
def test_records_that_cannot_be_are_refused_by_whatever_reads_them(setup: tuple[str, str, int], byte: int) -> None:
    game = make_game(*setup)
    for read in (game.draw_text, game.draw_svg):
        with pytest.raises(BadInput):
            read(rubbish(game.view_dtype, byte))
    for tell in (game.format_event, game.friendly_event):
        with pytest.raises(BadInput, match=f"this cannot be in {re.escape(game.label)}: "):
            tell(rubbish(game.event_dtype, byte)[0])
    with pytest.raises(BadInput, match=f"this cannot be in {re.escape(game.label)}: "):
        game.outcome(rubbish(game.state_dtype, byte))


@pytest.mark.parametrize("setup", OUR_OWN, ids=str)
def test_what_is_asked_of_one_record_is_asked_of_one(setup: tuple[str, str, int]) -> None:
    game = make_game(*setup)
    states = game.new(game_seeds(2, 0, 2))
    seats = game.to_move(states)
    views = game.views(states, seats)
    actions = np.array([game.legal_actions(views[row]).codes[0] for row in range(2)], np.int32)
    told = game.apply(states, actions)[0]
    assert game.format_event(told[:1]) == game.format_event(told[0])
    with pytest.raises(
        BadInput, match=rf"one event of .* is asked for, and here are {game.seats}: of those of a move take"
    ):
        game.format_event(told)
    for several in (views, views[:0]):
        for read in (game.friendly_view, game.draw_text, game.draw_svg):
            with pytest.raises(BadInput, match=r"one view of .* is asked for, and here is an array of shape"):
                read(several)
        with pytest.raises(BadInput, match="legal actions are those of one view, and here"):
            game.legal_actions(several)
    for none in (states, states[:0]):
        with pytest.raises(BadInput, match=r"one state of .* is asked for, and here is an array of shape"):
            game.outcome(none)
    with pytest.raises(BadInput, match="here an array of this game's own records is asked for"):
        game.outcome(np.zeros(1))


@pytest.mark.parametrize("name", sorted(BUILT_IN))
@pytest.mark.parametrize("number", [1.5, True, float("nan"), None, "map:top", []])
def test_what_is_no_number_of_an_action_is_not_written(name: str, number: Any) -> None:
    """1.5 was written as action 1."""
    entry = game_entry(name)
    game = make_game(name, next(iter(entry.rulesets)), min(3, entry.seat_limits[1]))
    with pytest.raises(BadInput, match=re.escape(f"known by a whole number, as parse_action gives it, not {number!r}")):
        game.format_action(number)
