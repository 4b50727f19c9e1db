"""Puzzles: every answer is the case and the only one, no picture or story tells it, and a day has the same one for everybody."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from itertools import permutations

import msgspec
import numpy as np
import pytest

from molehunt.analysis.clue_puzzles import name_the_envelope
from molehunt.analysis.daily import FIRST_DAY, MAKERS, maker_of, puzzle_of, read_day
from molehunt.analysis.duel_puzzles import finish_in_two, tiles, ways_to_finish, wins
from molehunt.analysis.puzzle import Puzzle, played_game
from molehunt.analysis.saboteur import SaboteurAnalyst
from molehunt.analysis.saboteur_puzzles import ELSE, SURE, SURE_OF_GOLD, where_the_gold_is, who_is_the_saboteur
from molehunt.core.errors import BadInput
from molehunt.core.replay import Played
from molehunt.games.duel.actions import card_of
from molehunt.games.duel.cards import NO_CARD
from molehunt.games.saboteur.cards import GOAL_PLACES, GOLD
from molehunt.games.speed_clue.game import check_game
from molehunt.table.people import NAMES


def first(make: Callable[[int], Puzzle | None]) -> tuple[Puzzle, Played]:
    """The first puzzle of a kind, and the game from which it was cut."""
    found = next(puzzle for seed in range(100) if (puzzle := make(seed)) is not None)
    return found, played_game(found.game, found.ruleset, found.players, found.seed)


def test_the_saboteur_is_the_only_one_who_can_be_it() -> None:
    found, played = first(who_is_the_saboteur)
    guilt = SaboteurAnalyst(played, NAMES[:5]).rounds[0]
    lines = SaboteurAnalyst(played, NAMES[:5]).guilt(guilt, None)[found.moves]
    assert [option.worth for option in found.options] == pytest.approx(lines, abs=1e-4)
    assert played.game.roles_of(played.states[0])[0, found.answer] == 1
    assert sorted(option.worth for option in found.options)[-2] <= ELSE < SURE <= found.options[found.answer].worth
    # An onlooker's story holds neither what was drawn nor what was thrown away.
    assert not any("draws" in sentence for sentence in found.story)
    assert len(found.story) == found.moves


def test_the_gold_is_where_it_is_and_the_seat_has_not_seen_it() -> None:
    found, played = first(where_the_gold_is)
    place = GOAL_PLACES[int(np.flatnonzero(played.states[0]["goals"][0] == GOLD)[0])]
    assert found.options[found.answer].label == f"under the {place} goal"
    assert SURE_OF_GOLD <= found.options[found.answer].worth < 1
    assert sum(option.worth > 0 for option in found.options) > 1
    viewer = NAMES.index(found.told.split()[2].rstrip(","))
    assert not (played.view(found.moves, viewer)["goals"] == GOLD).any()


def test_one_envelope_is_left_by_the_rules() -> None:
    found, played = first(name_the_envelope)
    game = check_game("a test", played.game)
    envelope = int(played.states[0]["envelope"][0])
    names = [name for card, name in enumerate(game.edition.names) if envelope >> card & 1]
    assert [option.worth for option in found.options].count(1.0) == 1
    assert all(name in found.options[found.answer].label for name in names)
    assert len({option.label for option in found.options}) == len(found.options) == 6
    # Whatever is drawn of what the seat may hold possible has this envelope.
    seat = NAMES.index(found.told.split()[2].rstrip("."))
    view = np.repeat(played.view(found.moves, seat), 200)
    assert set(game.resample(view, np.arange(200, dtype=np.uint64))["envelope"].tolist()) == {envelope}


def test_the_story_of_an_envelope_does_not_say_it() -> None:
    """Nobody has asked for just its cards."""
    puzzles = [found for seed in range(12) if (found := name_the_envelope(seed)) is not None]
    assert len(puzzles) > 2
    for found in puzzles:
        played = played_game(found.game, found.ruleset, found.players, found.seed)
        game, envelope = check_game("a test", played.game), int(played.states[0]["envelope"][0])
        names = {name for card, name in enumerate(game.edition.names) if envelope >> card & 1}
        assert found.viewer is not None
        asked = [set(each.cards) for each in game.friendly_view(played.view(found.moves, found.viewer)).suggestions]
        assert asked and names not in asked


def test_one_tile_alone_lets_another_of_the_hand_finish() -> None:
    found, played = first(finish_in_two)
    state = played.states[found.moves]
    seat = played.position.game.to_move(state)[0]
    game = played.game
    hand = [int(card) for card in played.view(found.moves, int(seat))["hand"][0] if card != NO_CARD]

    def lay(move: int) -> np.ndarray:
        after = state.copy()
        game.apply(after, np.array([move], np.int32), np.zeros(1, np.int64))
        after["to_move"][0] = seat
        return after

    # By hand: every ordered pair of cards of the hand, and all ways to lay them.
    pairs = {(hand[one], hand[two]) for one, two in permutations(range(len(hand)), 2)}
    finishing = {
        move
        for move in tiles(game, state)
        for again in tiles(game, lay(move))
        if (card_of(move), card_of(again)) in pairs and wins(game, lay(move), again, int(seat))
    }
    assert finishing == set(ways_to_finish(game, state)) and len(finishing) == 1
    assert [option.worth for option in found.options].count(1.0) == 1
    assert not any(wins(game, state, move, int(seat)) for move in tiles(game, state))


def test_every_day_has_one_puzzle_and_the_kinds_take_turns() -> None:
    day = dt.date(2026, 11, 24)
    assert [maker_of(day + dt.timedelta(days=number)) for number in range(4)] == [
        *MAKERS[MAKERS.index(maker_of(day)) :],
        *MAKERS[: MAKERS.index(maker_of(day))],
    ]
    assert msgspec.json.encode(puzzle_of(day)) == msgspec.json.encode(puzzle_of(day))
    assert puzzle_of(day) != puzzle_of(day + dt.timedelta(days=len(MAKERS)))


@pytest.mark.parametrize("wrong", ["", "yesterday", "2026-13-01", "2025-12-31"])
def test_a_day_without_a_puzzle_is_refused(wrong: str) -> None:
    with pytest.raises(BadInput, match=f"2026-11-22|{FIRST_DAY}"):
        read_day(wrong)
