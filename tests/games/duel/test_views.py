"""What a seat may know, and that nothing else reaches it, neither in a view nor in an event; views and events as objects."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from games.duel.playing import (
    CARDS,
    CONTENTS,
    GAME,
    TUNNEL,
    action_of,
    give,
    legal,
    mover,
    opening,
    play,
    positions,
    seen_by,
    walk,
)
from molehunt.core.game import States
from molehunt.games.duel.friendly import Event
from reference.duel import card_of, is_drop

DEALS = ("nugget blank blank", "blank nugget blank", "blank blank nugget")


def both_views(states: States) -> list[bytes]:
    return [seen_by(states, seat).tobytes() for seat in (0, 1)]


def hidden_from(states: States, seat: int) -> list[States]:
    """The same position with the nugget wherever this seat holds it possible."""
    view = seen_by(states, seat)
    result = []
    for deal in DEALS:
        goals = [CONTENTS.index(content) for content in deal.split()]
        if all(known in {0, goal} for known, goal in zip(view["goals"][0].tolist(), goals, strict=True)):
            other = states.copy()
            other["goals"][0] = goals
            result.append(other)
    return result


# --- Views ------------------------------------------------------------------------------------------------------------


def test_views_and_events_do_not_depend_on_the_goals_that_a_seat_has_not_seen() -> None:
    """A third of the legal actions in every world that the seat holds possible, unless it reveals goals."""
    compared = 0
    for states in positions(10, every=9):
        for seat in (0, 1):
            worlds = hidden_from(states, seat)
            assert worlds
            assert len({seen_by(world, seat).tobytes() for world in worlds}) == 1
            for action in legal(states)[::3] if len(worlds) > 1 else []:
                heard, seen = set(), set()
                for world in worlds:
                    after = world.copy()
                    events = play(after, action)
                    if events["revealed"][seat] or (str(action).startswith("map") and mover(states) == seat):
                        break
                    heard.add(events[seat].tobytes())
                    seen.add(seen_by(after, seat).tobytes())
                else:
                    assert len(heard) == len(seen) == 1
                    compared += 1
    assert compared > 300


@pytest.mark.parametrize("goal", ["left", "middle", "right"])
@pytest.mark.parametrize("seat", [0, 1])
def test_what_a_map_shows_reaches_its_player_alone(goal: str, seat: int) -> None:
    own, others, views_own, views_others = set(), set(), set(), set()
    number = ("left", "middle", "right").index(goal)
    for deal in DEALS:
        states = opening(*(["drop:15"] if seat == 0 else []), goals=deal)
        give(states, "map")
        events = play(states, f"map:{goal}")
        assert CONTENTS[events["seen"][seat]] == deal.split()[number]
        assert events["seen"][1 - seat] == 0
        own.add(events[seat].tobytes())
        others.add(events[1 - seat].tobytes())
        views_own.add(seen_by(states, seat).tobytes())
        views_others.add(seen_by(states, 1 - seat).tobytes())
        # The other sees that the map was played, and where.
        assert GAME.format_action(events["action"][1 - seat]) == f"map:{goal}"
        assert seen_by(states, 1 - seat)["looked"][0, seat] == 1 << number
        assert seen_by(states, 1 - seat)["goals"][0].tolist() == [0, 0, 0]
    assert (len(own), len(others), len(views_own), len(views_others)) == (2, 1, 2, 1)


def test_which_card_was_dropped_reaches_its_player_alone() -> None:
    own, others, views_own, views_others = set(), set(), set(), set()
    for card in CARDS:
        states = opening(number=1)
        give(states, *CARDS[:7], seat=1)
        give(states, card, seat=1)
        hand, deck = states["hands"][0, 1], states["deck"][0]
        events = play(states, f"drop:{card}")
        assert hand[6] == deck[14] == events["drew"][1]
        own.add(int(events["action"][1]))
        others.add(events[0].tobytes())
        views_own.add(seen_by(states, 1).tobytes())
        view = seen_by(states, 0)
        view["hand"] = -1
        view["unseen"] = 0
        views_others.add(view.tobytes())
        assert seen_by(states, 0)["discard_counts"].tolist() == [[0, 1]]
        assert not seen_by(states, 0)["discards"].any()
        assert GAME.format_event(events[0]) == "seat 1: drop:?"
        assert GAME.format_event(events[1]) == f"seat 1: drop:{card}"
    assert (len(own), len(others), len(views_own), len(views_others)) == (20, 1, 20, 1)


def test_dropped_cards_may_change_places_with_the_deck_and_the_hand_unseen() -> None:
    """The other's discards, the other's hand and the deck in any order: one view and, for what the seat does itself, one event."""
    rng = np.random.default_rng(5)
    swapped = 0
    for states in positions(10):
        for seat in (0, 1):
            for _ in range(3):
                other = states.copy()
                state = other[0]
                discards = np.repeat(np.arange(20), state["discards"][1 - seat])
                size = int(state["hand_sizes"][1 - seat])
                left = state["deck"][state["drawn"] :]
                pool = rng.permutation(np.concatenate([discards, state["hands"][1 - seat][:size], left]))
                state["discards"][1 - seat] = np.bincount(pool[: len(discards)], minlength=20)
                state["hands"][1 - seat][:size] = pool[len(discards) : len(discards) + size]
                left[:] = pool[len(discards) + size :]
                swapped += other.tobytes() != states.tobytes()
                assert seen_by(other, seat).tobytes() == seen_by(states, seat).tobytes()
    assert swapped > 100


def test_view_does_not_depend_on_the_games_stream() -> None:
    for states in positions(3):
        other = states.copy()
        other["stream"] += 1
        assert both_views(other) == both_views(states)


def test_drawn_card_is_seen_by_its_player_alone() -> None:
    views = set()
    for card in ("0", "map", "malus"):
        states = opening(number=2)
        give(states, "13", seat=1)
        state = states[0]
        place = 14 + int(np.flatnonzero(state["deck"][14:] == CARDS.index(card))[0])
        state["deck"][[14, place]] = state["deck"][[place, 14]]
        events = play(states, "13@6,5")
        assert (events["drew"] == [-1, CARDS.index(card)]).all()
        assert seen_by(states, 1)["hand"][0, 6] == CARDS.index(card)
        views.add(seen_by(states, 0).tobytes())
    assert len(views) == 1


# --- Events -----------------------------------------------------------------------------------------------------------


def test_events_keep_the_books_of_the_public_part() -> None:
    """From the events that one seat is told, all that its view says of maluses, discards, tiles on the board and goals follows."""
    for number in range(10):
        for seat in (0, 1):
            malus, discards, board, goals = [0, 0], [0, 0], set[str](), [0, 0, 0]
            for states, heard in told_to(number, seat):
                for event in heard:
                    move, who = GAME.format_action(int(event["action"])), int(event["seat"])
                    malus[1 - who] += move == "malus"
                    malus[who] -= move == "bonus"
                    discards[who] += is_drop(move)
                    if move[0].isdigit():
                        board.add(move)
                    if move.startswith("destroy"):
                        code = int(event["removed"])
                        board.remove(f"{(code - 1) // 2}{'_flip' if code % 2 == 0 else ''}@{move.partition('@')[2]}")
                    if event["seen"]:
                        goals[("left", "middle", "right").index(move[4:])] = int(event["seen"])
                    goals = [int(shown) or known for shown, known in zip(event["goals"], goals, strict=True)]
                view = seen_by(states, seat)[0]
                assert view["malus"].tolist() == malus
                assert view["discard_counts"].tolist() == discards
                assert view["goals"].tolist() == goals
                on_board = {
                    f"{name}@{row},{column}"
                    for (row, column), name in GAME.friendly_view(view).board.items()
                    if name[0].isdigit()
                }
                assert on_board == board


def told_to(number: int, seat: int) -> Any:
    """The positions of one game, each with the events that this seat was told since the one before."""
    states = GAME.new(np.zeros(1, np.uint64))
    for turn, (there, slow) in enumerate(walk(number)):
        if turn == 0:
            states = there.copy()
            yield states, []
            continue
        mover_of_it = slow.history[0][-1]["seat"]
        yield states, [play(states, action_of(slow.history[mover_of_it][-1]["move"]))[seat]]
        assert states.tobytes() == there.tobytes()


# --- As objects -------------------------------------------------------------------------------------------------------


def test_views_as_objects_agree_with_the_reference() -> None:
    places = ("left", "middle", "right")
    for number in range(10):
        for turn, (states, slow) in enumerate(walk(number)):
            if turn % 5 != number % 5 and not slow.over:
                continue
            for seat in (0, 1):
                view, expected = GAME.friendly_view(seen_by(states, seat)), slow.view(seat)
                history = expected["history"]
                assert (view.seat, view.turn, view.to_move) == (seat, expected["turn"], expected["to_move"])
                assert (view.over, view.winner) == (slow.over, slow.winner)
                assert view.deck_left == expected["deck_left"]
                assert view.hand == tuple(expected["hand"])
                assert view.hand_sizes == tuple(expected["hand_sizes"])
                assert view.malus == tuple(expected["malus"])
                assert view.goals == dict(zip(places, expected["goals"], strict=True))
                assert view.revealed == {
                    place for place, shown in zip(places, expected["revealed"], strict=True) if shown
                }
                assert view.board == expected["board"]
                assert view.joined == slow.joined()
                assert view.unseen == expected["unseen"]
                discards = [event for event in history if is_drop(event["move"])]
                assert view.discard_counts == tuple(sum(event["seat"] == who for event in discards) for who in (0, 1))
                assert list(view.discarded.elements()) == sorted(
                    (event["move"].removeprefix("drop:") for event in discards if event["seat"] == seat),
                    key=CARDS.index,
                )
                assert sorted(view.played.elements()) == sorted(slow.played)
                assert list(view.looked) == [{places[goal] for goal in slow.seen[who]} for who in (0, 1)]
                moves = slow.legal_moves() if slow.to_move == seat else []
                assert sorted(map(str, view.legal_actions)) == sorted(moves)
                tiles = {move.partition("@")[2] for move in moves if move[0].isdigit()}
                assert {f"{row},{column}" for row, column in view.open_cells} >= tiles


def told(states: States, move: str) -> list[Event]:
    """What both seats are told when the seat to move, given the card, makes this move."""
    card = card_of(move)
    assert card is not None
    give(states, card)
    return [GAME.friendly_event(event) for event in play(states, move)]


def test_events_as_objects() -> None:
    states = opening(*TUNNEL)
    own, other = told(states, "map:right")
    assert [(event.move, event.seen, event.seat, event.turn) for event in (own, other)] == [
        ("map:right", "nugget", 0, 5),
        ("map:right", None, 0, 5),
    ]
    assert (str(own), str(other)) == ("seat 0: map:right, it is the nugget", "seat 0: map:right")
    assert (own.drew, other.drew) == (CARDS[states["hands"][0, 0, 6]], None)

    events = told(states, "destroy@10,5")
    assert {str(event) for event in events} == {"seat 1: destroy@10,5, tile 0 is gone"}
    assert {event.removed for event in events} == {"0"}

    other, own = told(states, "drop:4")[::-1]
    assert (own.move, other.move) == ("drop:4", "drop:?")

    told(states, "8@10,5")
    events = told(states, "6_flip@11,5")
    assert all(event.revealed == {"middle": "blank"} for event in events)
    assert {str(event) for event in events} == {"seat 0: 6_flip@11,5, the middle goal is reached: blank"}


def test_event_tells_of_the_nugget() -> None:
    states = opening(*TUNNEL, goals="blank nugget blank")
    for event in told(states, "6@11,5"):
        assert str(event) == "seat 0: 6@11,5, the middle goal is reached: the nugget"
    assert GAME.wins(states).tolist() == [[True, False]]
    # The others stay hidden for those who have not seen them, also after the end; that they are blank is easy to tell.
    for seat in (0, 1):
        assert seen_by(states, seat)["revealed"][0] == 2
        assert GAME.friendly_view(seen_by(states, seat)).goals == {"left": None, "middle": "nugget", "right": None}


@pytest.mark.parametrize("goals", DEALS)
def test_two_goals_are_revealed_at_once(goals: str) -> None:
    states = opening(*TUNNEL, "7@11,5", "9@11,6", goals=goals)
    contents = dict(zip(("left", "middle", "right"), goals.split(), strict=True))
    for event in told(states, "8@12,6"):
        assert event.revealed == {place: contents[place] for place in ("middle", "right")}
    assert (mover(states) == -1) == (contents["left"] == "blank")
