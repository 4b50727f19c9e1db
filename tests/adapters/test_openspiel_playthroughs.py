"""OpenSpiel writes down a game of every ruleset, and it is the one that is kept; what is public and what is private to a seat."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

pytest.importorskip("pyspiel")

from adapters.openspiel_plays import LARGE, random_play
from adapters.openspiel_playthroughs import generator, labels, path_of, playthrough
from molehunt.adapters.openspiel.games import load_game, new_play, pyspiel
from molehunt.core.errors import BadInput
from molehunt.games.registry import all_games

PrivateInfo = pyspiel.PrivateInfoType
KINDS = [
    (public, private, recall)
    for public in (True, False)
    for private in (PrivateInfo.NONE, PrivateInfo.SINGLE_PLAYER, PrivateInfo.ALL_PLAYERS)
    for recall in (True, False)
    if public or private != PrivateInfo.NONE
]


def kind_of(public: bool, private: Any, recall: bool = False) -> Any:
    return pyspiel.IIGObservationType(public_info=public, private_info=private, perfect_recall=recall)


@pytest.mark.parametrize("label", labels())
def test_a_playthrough_is_the_one_that_is_kept(label: str) -> None:
    path = path_of(label)
    again = "write the playthroughs anew (tests/adapters/openspiel_playthroughs.py) and look at what is different"
    assert path.exists(), f"{label} has no playthrough: {again}"
    same = path.read_text("utf-8") == playthrough(label)  # pytest would take minutes for a diff of thousands of lines
    assert same, f"{label} plays otherwise: {again}"


def test_every_ruleset_has_its_playthrough_and_there_is_no_other() -> None:
    folder = path_of("").parent
    assert {path_of(label) for label in labels()} == set(folder.iterdir())
    assert sum(path.stat().st_size for path in folder.iterdir()) < 500_000


def test_openspiel_generates_a_playthrough_as_it_is() -> None:
    text = generator().playthrough(str(load_game("speed_clue/small")), None, seed=3)
    assert 'PublicObservationString() = "all ' in text
    assert text.count('PrivateObservationString(1) = "1 ') >= 5
    assert text.rstrip().splitlines()[-1].startswith("Returns() = [")


@pytest.mark.thorough
@pytest.mark.parametrize("name", sorted(all_games()))
def test_openspiel_generates_a_playthrough_of_every_game(name: str) -> None:
    text = generator().playthrough(str(load_game(f"{name}/{next(iter(all_games()[name].rulesets))}")), None, seed=1)
    assert "IsTerminal() = True" in text


@pytest.mark.parametrize(("label", "seats"), LARGE)
def test_what_is_public_and_what_is_private_to_a_seat_are_together_its_view(label: str, seats: int) -> None:
    state = random_play(label, seats, 6, moves=7)
    game = state.get_game()
    for seat in range(seats):
        public = game.make_py_observer(kind_of(True, PrivateInfo.NONE))
        private = game.make_py_observer(kind_of(False, PrivateInfo.SINGLE_PLAYER))
        public.set_from(state, seat)
        private.set_from(state, seat)
        both = np.round(public.tensor * 255).astype(np.uint8) ^ np.round(private.tensor * 255).astype(np.uint8)
        assert both.tobytes() == state.position.view(seat).tobytes()
        assert private.tensor.any(), "a seat that knows nothing but what is public"


@pytest.mark.parametrize(("label", "seats"), LARGE)
@pytest.mark.parametrize("recall", [True, False])
def test_what_is_public_is_the_same_for_all_and_in_every_deal_that_a_seat_holds_possible(
    label: str, seats: int, recall: bool
) -> None:
    state = random_play(label, seats, 4, moves=6)
    observer = state.get_game().make_py_observer(kind_of(True, PrivateInfo.NONE, recall))
    names, tensors = set(), set()
    for seat in range(seats):
        observer.set_from(state, seat)
        names.add(observer.string_from(state, seat))
        tensors.add(observer.tensor.tobytes())
    assert len(names) == len(tensors) == 1
    if recall:
        return
    mover = state.current_player()
    for number in range(4):
        drawn = state.resample_from_infostate(mover, pyspiel.UniformProbabilitySampler(number, 0.0, 1.0))
        assert observer.string_from(drawn, 0) in names


@pytest.mark.parametrize(("label", "seats"), LARGE)
def test_what_is_private_to_a_seat_changes_with_nothing_that_is_hidden_from_it(label: str, seats: int) -> None:
    state = random_play(label, seats, 4, moves=6)
    observer = state.get_game().make_py_observer(kind_of(False, PrivateInfo.SINGLE_PLAYER))
    mover = state.current_player()
    others = set()
    for number in range(4):
        drawn = state.resample_from_infostate(mover, pyspiel.UniformProbabilitySampler(number, 0.0, 1.0))
        assert observer.string_from(drawn, mover) == observer.string_from(state, mover)
        others.add(observer.string_from(drawn, (mover + 1) % seats))
    assert len(others) > 1, "every draw dealt the others the same cards"


@pytest.mark.parametrize(("public", "private", "recall"), KINDS)
def test_every_kind_of_observation_has_a_tensor_of_named_parts_that_fills_as_a_game_goes_on(
    public: bool, private: Any, recall: bool
) -> None:
    game = load_game("speed_clue/mitchell", 3)
    observer = game.make_py_observer(kind_of(public, private, recall))
    start, later = new_play(game, 3), random_play("speed_clue/mitchell", 3, 3, moves=4)
    assert sum(part.size for part in observer.dict.values()) == observer.tensor.size
    observer.set_from(game.new_initial_state(), 0)
    assert not observer.tensor.any()
    assert observer.string_from(game.new_initial_state(), 0).endswith("before the deal")
    seen = []
    for state in (start, later):
        observer.set_from(state, 0)
        seen.append((observer.tensor.tobytes(), observer.string_from(state, 0)))
        for name, part in observer.dict.items():
            if name.endswith("events"):
                rows = part.any(axis=-1).reshape(-1, game.max_game_length()).any(axis=0)
                assert not rows[state.position.moves :].any()
                assert rows[: state.position.moves].all() or name == "private_events"
    if public or recall:
        assert seen[0][0] != seen[1][0] and seen[0][1] != seen[1][1]


def test_an_observer_that_would_show_nothing_is_refused() -> None:
    with pytest.raises(BadInput, match="an observer shows something"):
        load_game("duel/mcgill").make_py_observer(kind_of(False, PrivateInfo.NONE))


def test_with_perfect_recall_public_and_private_events_are_together_what_each_seat_was_told() -> None:
    state = random_play("saboteur/krisnadi", 5, 4, moves=9)
    observer = state.get_game().make_py_observer(kind_of(True, PrivateInfo.ALL_PLAYERS, True))
    observer.set_from(state, 0)
    events = {name: np.round(part * 255).astype(np.uint8) for name, part in observer.dict.items()}
    for seat in range(5):
        told = events["public_events"] ^ events["private_events"][seat]
        assert told[:9].tobytes() == state.position.events(seat).tobytes()
        first = events["first_public"] ^ events["first_private"][seat]
        assert first.tobytes() == state.position.first_view(seat).tobytes()
