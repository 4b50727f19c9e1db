"""What a seat may know, and that nothing else reaches it, neither in a view nor in an event."""

from __future__ import annotations

import numpy as np
import pytest

from games.saboteur.playing import SWITCHES, legal, mover, play, positions, saboteur, seeds_of, seen_by, table
from games.saboteur.test_resample import resampled
from molehunt.core.game import States
from molehunt.games.saboteur.actions import DISCARD, HIDDEN_CARD
from molehunt.games.saboteur.cards import CARD_NUMBERS, KINDS
from molehunt.games.saboteur.game import Saboteur

GAME = saboteur(5)


def changed(states: States, name: str) -> States:
    """A copy, so that one field of it can be changed."""
    assert name in (states.dtype.names or ())
    return states.copy()


def swap(values: np.ndarray, one: int, other: int) -> None:
    values[[one, other]] = values[[other, one]]


# --- Views ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seats", [3, 5, 10])
@pytest.mark.parametrize("items", ["", SWITCHES[-1]])
def test_seat_cannot_tell_resampled_states_apart(seats: int, items: str) -> None:
    game = saboteur(seats, items)
    for states in positions(game, 6):
        for seat in range(seats):
            views = game.views(resampled(game, states, seat, 6), np.full(6, seat, np.int8))
            assert len({view.tobytes() for view in views}) == 1


def test_view_does_not_depend_on_the_games_stream() -> None:
    for states in positions(GAME, 2):
        other = changed(states, "stream")
        other["stream"] += 1
        assert all(seen_by(GAME, other, seat).tobytes() == seen_by(GAME, states, seat).tobytes() for seat in range(5))


def test_view_does_not_depend_on_the_deck() -> None:
    for states in positions(GAME, 2):
        other = changed(states, "deck")
        other["deck"][0] = other["deck"][0, ::-1]
        assert all(seen_by(GAME, other, seat).tobytes() == seen_by(GAME, states, seat).tobytes() for seat in range(5))


def test_roles_are_known_to_their_own_seats_alone() -> None:
    for states in positions(GAME, 2):
        other = changed(states, "roles")
        other["roles"][0, :5] = 1 - other["roles"][0, :5]
        for seat in range(5):
            mine, theirs = seen_by(GAME, states, seat)[0], seen_by(GAME, other, seat)[0]
            role = mine["role"]
            assert role == states["roles"][0, seat]
            theirs["role"] = role
            assert mine.tobytes() == theirs.tobytes()


def test_hands_of_others_are_not_seen() -> None:
    compared = 0
    for states in positions(GAME, 4):
        seat = mover(states)
        a, b = [other for other in range(5) if other != seat][:2]
        hands = states["hands"][0]
        if states["hand_sizes"][0, a] != states["hand_sizes"][0, b] or np.array_equal(hands[a], hands[b]):
            continue
        compared += 1
        other = changed(states, "hands")
        swap(other["hands"][0], a, b)
        assert seen_by(GAME, other, seat).tobytes() == seen_by(GAME, states, seat).tobytes()
        assert seen_by(GAME, other, a).tobytes() != seen_by(GAME, states, a).tobytes()
    assert compared > 10


def test_goals_are_seen_by_those_who_looked_and_by_all_once_they_lie_open() -> None:
    for states in positions(GAME, 30, every=11):
        for seat in range(5):
            known = int(states["revealed"][0]) | int(states["looked"][0, seat])
            view = seen_by(GAME, states, seat)[0]
            assert view["goals"].tolist() == [
                int(content) if known >> goal & 1 else 0 for goal, content in enumerate(states["goals"][0])
            ]


@pytest.mark.parametrize("name", ["krisnadi", "official:rounds=1", "veldhuis:rounds=1", "small"])
def test_goals_lie_where_a_view_says(name: str) -> None:
    game, opened = table(name, 3 if name == "small" else 5), 0
    for states in positions(game, 12, every=5, digs=0.9):
        view = game.friendly_view(seen_by(game, states, mover(states)))
        for place, cell in view.goal_cells.items():
            assert view.board[cell][0] == (view.goals[place] if place in view.revealed else "goal")
        opened += len(view.revealed)
    assert opened


def test_what_others_threw_away_is_a_number_of_cards() -> None:
    for states in positions(GAME, 5):
        for seat in range(5):
            view = seen_by(GAME, states, seat)[0]
            thrown = states["discards"][0]
            assert np.array_equal(view["discards"], thrown[seat])
            assert np.array_equal(view["discard_counts"], thrown.sum(axis=1))


def test_unseen_cards_are_those_of_the_others_and_of_the_deck() -> None:
    for states in positions(GAME, 5):
        state = states[0]
        for seat in range(5):
            others = [other for other in range(5) if other != seat]
            hidden = [card for other in others for card in state["hands"][other].tolist() if card >= 0]
            hidden += state["deck"][state["drawn"] :].tolist()
            counts = np.bincount(hidden, minlength=KINDS) + state["discards"][others].sum(axis=0)
            assert np.array_equal(seen_by(GAME, states, seat)[0]["unseen"], counts)


def test_views_of_a_batch_are_those_of_its_rows() -> None:
    states = GAME.new(seeds_of(0, 8))
    seats, rows = np.array([3, 0, 4, 3], np.int8), np.array([7, 2, 2, 0])
    views = GAME.views(states, seats, rows)
    for view, seat, row in zip(views, seats.tolist(), rows.tolist(), strict=True):
        assert view.tobytes() == seen_by(GAME, states[row : row + 1], seat)[0].tobytes()
    everywhere = GAME.views(states, np.full(8, 2, np.int8))
    assert all(everywhere[row].tobytes() == seen_by(GAME, states[row : row + 1], 2)[0].tobytes() for row in range(8))


def test_view_is_a_copy() -> None:
    states = GAME.new(seeds_of(0, 1))
    before = states.tobytes()
    view = seen_by(GAME, states, 1)
    for name in view.dtype.names or ():
        view[name] = 0
    assert states.tobytes() == before


def test_views_of_two_seats_are_never_the_same() -> None:
    for states in positions(GAME, 3):
        assert len({seen_by(GAME, states, seat).tobytes() for seat in range(5)}) == 5


# --- Events -----------------------------------------------------------------------------------------------------------

HIDDEN_DISCARD = HIDDEN_CARD << 20 | DISCARD << 16


@pytest.mark.parametrize("seats", [3, 5, 10])
def test_others_are_told_all_but_the_card_drawn_the_card_thrown_away_and_what_a_map_showed(seats: int) -> None:
    game = saboteur(seats)
    thrown = seen = 0
    for states in positions(game, 12):
        seat = mover(states)
        for action in list(legal(game, states))[::4]:
            after = states.copy()
            told = play(game, after, action)
            mine = told[seat]
            assert mine["action"] == action
            thrown += str(action).startswith("discard")
            seen += bool(mine["seen"])
            for other in range(seats):
                if other == seat:
                    continue
                event = told[other].copy()
                assert (event["seen"], event["drew"]) == (0, -1)
                assert event["action"] == (HIDDEN_DISCARD if str(action).startswith("discard") else action)
                # At the end of a round all see the roles, and each is told what it was paid.
                assert event["gained"] == (after["gains"][0, other] if mine["ended"] else 0)
                event["action"], event["seen"], event["drew"] = mine["action"], mine["seen"], mine["drew"]
                event["gained"] = mine["gained"]
                assert event.tobytes() == mine.tobytes()
    assert thrown > 10 and seen > 0


def reveals(game: Saboteur, states: States, told: np.ndarray, seat: int) -> bool:
    """Whether an event showed the seat a goal that it had not seen before: then possible states may differ in it."""
    known = int(states["looked"][0, seat]) | int(states["revealed"][0])
    looked = told["seat"] == seat and told["seen"] != 0
    target = 1 << (int(told["action"]) & 0xFFF) if looked else 0
    return bool((int(told["revealed"]) | target) & ~known)


@pytest.mark.parametrize("seats", [3, 5, 10])
def test_same_move_tells_the_seat_the_same_in_all_states_that_it_cannot_tell_apart(seats: int) -> None:
    game = saboteur(seats)
    kinds = set()
    compared = differing = 0
    for states in positions(game, 30):
        moving = mover(states)
        for action in list(legal(game, states))[::3]:
            truth = states.copy()
            told = play(game, truth, action)
            for seat in range(seats):
                for drawn in resampled(game, states, seat, 2):
                    # Another seat must hold the card there too; of a card thrown away the others see only its back.
                    possible = np.array([drawn])
                    move = str(action)
                    if seat != moving:
                        legal_there = list(map(str, legal(game, possible)))
                        if move.startswith("discard:"):
                            move = next(other for other in legal_there[::-1] if other.startswith("discard:"))
                        elif move not in legal_there:
                            continue
                    if told[seat]["ended"]:
                        # All roles are shown then.
                        possible["roles"] = states["roles"]
                    there = play(game, possible, move)
                    if reveals(game, states, told[seat], seat):
                        differing += told[seat].tobytes() != there[seat].tobytes()
                        continue
                    expected, found = told[seat].copy(), there[seat].copy()
                    if seat == moving:
                        # The card drawn is new to its player, and may be any that is unseen.
                        expected["drew"] = found["drew"] = -1
                    assert found.tobytes() == expected.tobytes()
                    kinds.add(move.partition(":")[0].partition("@")[0])
                    compared += 1
    assert compared > 1000 and differing > 0
    assert {"discard", "map", "break", "fix", "rockfall"} <= kinds


def test_words_of_an_event_hide_what_the_seat_may_not_know() -> None:
    states = GAME.new(seeds_of(0, 1))
    seat = mover(states)
    states["hands"][0, seat, :2] = [CARD_NUMBERS["map"], CARD_NUMBERS["D_NESW"]]
    shown = ("gold", "rock1", "rock2")[int(states["goals"][0, 0]) - 1]
    events = play(GAME, states.copy(), "map:top")
    assert GAME.format_event(events[seat]) == f"seat {seat}: map:top, it is {shown}"
    assert {GAME.format_event(events[other]) for other in range(5) if other != seat} == {f"seat {seat}: map:top"}
    events = play(GAME, states, "discard:D_NESW")
    assert GAME.format_event(events[seat]) == f"seat {seat}: discard:D_NESW"
    assert {GAME.format_event(events[other]) for other in range(5) if other != seat} == {f"seat {seat}: discard:?"}


def test_what_was_said_is_part_of_an_information_set() -> None:
    """Each of these ends where everything is alike but for who accused whom, who asked, and whether the seat to move has spoken."""
    keys = set()
    game = saboteur(4, "speak=yes,first_seat=0")
    for said in ((), ("accuse>1",), ("accuse>2",), ("ask:cart",), ("ask:lantern",)):
        states = game.new(np.array([5], np.uint64))
        states["broken"][0, 0] = 0b011
        for move in said:
            game.apply(states, np.array([int(game.parse_action(move))], np.int32))
        for spoken in (0, 1):
            # As if as many moves had been made.
            states["turn"], states["spoken"] = 9, spoken
            for seat in range(4):
                keys.add(int(game.infoset_keys(game.views(states, np.array([seat], np.int8)))[0]))
    assert len(keys) == 5 * 2 * 4
