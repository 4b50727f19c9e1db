"""Actions as numbers and views as arrays: nothing is missing, nothing stands there twice, and nothing is given away."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pytest

import molehunt
from adapters.table_games import LABELS, each, game_of, positions, views_of_all
from molehunt.adapters.spaces import action_space, spaces_of
from molehunt.adapters.spaces.saboteur import reachable
from molehunt.core.errors import BadInput
from molehunt.core.game import Game
from molehunt.core.streams import game_seeds
from molehunt.games.registry import make_game
from molehunt.games.saboteur.ruleset import cell_place
from molehunt.games.saboteur.ruleset import ruleset_from_text as saboteur_rules

THREE: Any = (-4, -5, 12)
FRACTIONS: Any = (-4.5, -5, 12, 5)


@pytest.fixture(params=each(LABELS))
def game(request: pytest.FixtureRequest) -> Game:
    return game_of(request.param)


def test_every_legal_action_has_one_index_and_the_mask_shows_just_these(game: Game) -> None:
    spaces = action_space(game)
    for states in positions(game):
        views = views_of_all(game, states)
        for relative in (True, False):
            masks = spaces.mask_many(views, relative=relative)
            for seat in range(game.seats):
                legal = game.legal_actions(views[seat]).codes
                chosen = np.flatnonzero(masks[seat])
                acting = seat if relative else 0
                assert sorted(spaces.codes_many(chosen, np.full(len(chosen), acting, np.int8)).tolist()) == sorted(
                    legal
                )
                assert spaces.indices_many(
                    np.array(legal, np.int32), np.full(len(legal), acting, np.int8)
                ).tolist() == [spaces.index(code, acting) for code in legal]


def test_indices_and_actions_are_one_to_one_for_every_acting_seat(game: Game) -> None:
    spaces = spaces_of(game)
    for seat in range(game.seats):
        codes = spaces.codes[seat % len(spaces.codes)]
        assert len(set(codes.tolist())) == spaces.size
        for index in range(0, spaces.size, 97):
            assert spaces.index(spaces.code(index, seat), seat) == index
            assert game.parse_action(spaces.format(index, seat)) == spaces.code(index, seat)


def test_the_parts_of_an_observation_fill_it(game: Game) -> None:
    spaces = spaces_of(game)
    views = game.views(game.new(game_seeds(1, 0, 3)), np.zeros(3, np.int8))
    out = np.full((3, spaces.observation_size), 77, np.int8)
    parts = spaces.split(spaces.observation_many(views, out))
    assert sum(part[0].size for part in parts.values()) == spaces.observation_size
    assert 77 not in out
    assert [parts[field.name].shape for field in spaces.fields] == [(3, *field.shape) for field in spaces.fields]


def test_every_entry_of_an_observation_says_what_it_is(game: Game) -> None:
    spaces = spaces_of(game)
    for field in spaces.fields:
        assert "\n" not in field.meaning
        assert field.size == 1 or tuple(map(len, field.axes)) == field.shape
    entries = range(0, spaces.observation_size, 1 + spaces.observation_size // 3000)
    assert len({spaces.describe(entry) for entry in entries}) == len(entries)
    for states in positions(game, games=1):
        views = views_of_all(game, states)
        for seat, seen in enumerate(spaces.observation_many(views)):
            hand = Counter(game.friendly_view(views[seat : seat + 1]).hand)
            shown = {spaces.describe(entry): int(seen[entry]) for entry in np.flatnonzero(seen).tolist()}
            assert {name: held for name, held in shown.items() if name.startswith("hand: ")} == {
                f"hand: {card}": held for card, held in hand.items()
            }


def test_an_entry_is_described_by_its_place_along_each_axis() -> None:
    mine = spaces_of(make_game("saboteur", "official", 3), (-2, -3, 10, 3))
    states = mine.game.new(game_seeds(1, 0, 1))
    states["broken"][0, 1] = 2
    seen = mine.observation_many(mine.game.views(states, np.zeros(1, np.int8)))[0]
    told = {mine.describe(int(entry)) for entry in np.flatnonzero(seen)}
    assert told >= {"board: a card lies here, y 0, x 0", "broken: the player 1 seat after oneself, lantern", "deck"}
    duel = spaces_of(make_game("duel", "mcgill", 2))
    assert duel.describe(5 * 14 * 14 + 5 * 14 + 6) == "board: something lies here, row 5, column 6"
    clue = spaces_of(make_game("speed_clue", "small", 2))
    assert [clue.describe(entry) for entry in (3, 7, 84)] == [
        "hand: Dagger",
        "shown: oneself, Miss Scarlett",
        "record: the last but 1, the card shown",
    ]


def test_what_a_seat_cannot_tell_apart_looks_the_same(game: Game) -> None:
    spaces = spaces_of(game)
    for number, states in enumerate(positions(game)):
        if number % 9:
            continue
        views = views_of_all(game, states)
        streams = np.arange(number, number + game.seats, dtype=np.uint64)
        seats = np.arange(game.seats, dtype=np.int8)
        again = game.views(game.resample(views, streams), seats)
        assert (spaces.observation_many(again) == spaces.observation_many(views)).all()
        assert (spaces.mask_many(again) == spaces.mask_many(views)).all()


def known(game: Game, view: Any) -> tuple[Any, ...]:
    """A view without what an observation leaves out: the order of the hand, in which order cards were laid, the number of moves."""
    # How many moves and turns there were is a count of what the record shows.
    left_out = {"maze", "hand", "record", "turn", "moves", "turns"}
    rest = tuple(view[name].tobytes() for name in view.dtype.names if name not in left_out)
    if game.name == "speed_clue":
        return (rest, view["hand"], view["record"].tobytes())
    maze = view["maze"]
    if game.name == "duel":
        board: Any = maze["what"].tobytes()
    else:
        count = maze["tile_count"]
        board = sorted(zip(maze["cells"][:count].tolist(), maze["what"][:count].tolist(), strict=True))
    return (rest, sorted(view["hand"].tolist()), tuple(map(str, board)))


def test_an_observation_holds_what_its_seat_knows(game: Game) -> None:
    spaces = spaces_of(game)
    seen: dict[tuple[int, bytes], Any] = {}
    looks: dict[Any, bytes] = {}
    for states in positions(game, games=3):
        views = views_of_all(game, states)
        for seat, observation in enumerate(spaces.observation_many(views)):
            key = known(game, views[seat])
            assert seen.setdefault((seat, observation.tobytes()), key) == key
            assert looks.setdefault(str((seat, key)), observation.tobytes()) == observation.tobytes()
    assert len(seen) > 20


def test_players_are_counted_from_the_seat_that_looks_and_acts() -> None:
    game = make_game("saboteur", "krisnadi", 3)
    spaces = spaces_of(game)
    for seat in range(3):
        action = spaces.code(spaces.index(game.parse_action("break:cart>1"), 0), seat)
        assert action == game.parse_action(f"break:cart>{(seat + 1) % 3}")
    states = game.new(game_seeds(1, 0, 1))
    states["broken"][0, 1] = 2
    for seat, parts in enumerate(map(spaces.split, spaces.observation_many(views_of_all(game, states)))):
        assert parts["broken"][(1 - seat) % 3].tolist() == [0, 1, 0, 0]
        assert parts["broken"].sum() == 1


def test_no_tunnel_can_leave_the_cells_that_an_open_mine_has_numbers_for() -> None:
    rules = saboteur_rules("official", [])
    assert reachable(rules, 0, 23) and not reachable(rules, 0, 24)
    assert reachable(rules, 22, 12) and not reachable(rules, 22, 13)
    game = make_game("saboteur", "official", 4)
    for states in positions(game, games=4):
        maze = states["maze"][0]
        assert all(reachable(rules, *cell_place(int(cell))) for cell in maze["ends"][: maze["end_count"]])


def test_a_window_leaves_out_what_lies_outside_and_nothing_else() -> None:
    game = make_game("saboteur", "official", 4)
    part = spaces_of(game, (-2, -3, 10, 3))
    assert part.size < spaces_of(game).size / 15
    lost = kept = 0
    for states in positions(game):
        mover = game.to_move(states)
        if mover[0] < 0:
            continue
        views = game.views(states, mover)
        legal = set(game.legal_actions(views).codes)
        shown = {part.code(int(index), int(mover[0])) for index in np.flatnonzero(part.mask_many(views)[0])}
        assert shown <= legal
        assert shown
        for code in legal - shown:
            x, y = cell_place(code & 0xFFF)
            assert not (-2 <= x <= 10 and -3 <= y <= 3)
        lost, kept = lost + len(legal - shown), kept + len(shown)
        assert part.observation_many(views).shape == (1, part.observation_size)
    assert 0 < lost < kept


def view_of_ten() -> Any:
    """A view in a game of ten seats."""
    game = make_game("saboteur", "krisnadi", 10)
    return game.views(game.new(game_seeds(1, 0, 1)), np.array([7], np.int8))


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda spaces: spaces.code(spaces.size), "has actions 0 to"),
        (lambda spaces: spaces.code(-1), "has actions 0 to"),
        (lambda spaces: spaces.codes_many(np.array([3, 10**6])), "not 1000000"),
        (lambda spaces: spaces.index(5), "has no index"),
        (
            lambda spaces: spaces.index("map:top"),
            "game.parse_action reads from its notation, is a whole number, not 'map:top'",
        ),
        (lambda spaces: spaces.format(1.5), "an index is a whole number, not 1.5"),
        (lambda spaces: spaces.describe(544), "has entries 0 to 543"),
        (lambda spaces: spaces.describe(-1), "has entries 0 to 543"),
        (lambda spaces: spaces.mask_many(np.empty(2, spaces.game.view_dtype), np.empty((2, 3), np.int8)), "one byte"),
        (lambda spaces: spaces.mask_many(np.empty(2, spaces.game.state_dtype)), "are an array of its records"),
        (lambda spaces: spaces.observation_many(molehunt.deal("duel").view_record()), "are an array of its records"),
        (lambda spaces: spaces.observation_many(np.empty(2, spaces.game.view_dtype)[0]), "are an array of its records"),
        (
            lambda spaces: spaces.mask_many(view_of_ten()),
            "5 seats, not with 10",
        ),
        (
            lambda spaces: spaces.observation_many(view_of_ten()),
            "not with 10",
        ),
        (lambda spaces: spaces_of(spaces.game, (0, 0, 3, 3)), "open mine"),
        (lambda spaces: spaces_of(make_game("duel", "mcgill", 2), (0, 0, 3, 3)), "open mine"),
        (lambda spaces: spaces_of(make_game("saboteur", "official", 3), (0, 0, 3, 3)), "must hold the start"),
        (lambda spaces: spaces_of(make_game("saboteur", "official", 3), THREE), "smallest x and y"),
        (lambda spaces: spaces_of(make_game("saboteur", "official", 3), FRACTIONS), "smallest x and y"),
        (lambda spaces: spaces_of(make_game("saboteur", "official", 3), (False, -2, 9, True)), "smallest x and y"),
        (lambda spaces: spaces_of(make_game("saboteur", "official", 3), (-90, -9, 90, 9)), "within the mine"),
    ],
)
def test_wrong_calls_say_what_would_be_right(call: Any, said: str) -> None:
    with pytest.raises(BadInput, match=said):
        call(spaces_of(game_of("saboteur/krisnadi")))


def test_what_is_no_seat_and_no_observation_is_refused() -> None:
    spaces = spaces_of(make_game("saboteur", "krisnadi", 5))
    code = spaces.code(0, 4)
    assert spaces.index(code, 4) == 0
    for seat in (5, -1):
        with pytest.raises(BadInput, match=f"has seats 0 to 4, not {seat}"):
            spaces.code(0, seat)
        with pytest.raises(BadInput, match=f"has seats 0 to 4, not {seat}"):
            spaces.index(code, seat)
    for observation in (np.zeros(3), np.float64(0), [[0, 1]]):
        with pytest.raises(BadInput, match=f"has {spaces.observation_size} entries, not the shape"):
            spaces.split(observation)  # type: ignore[arg-type]
    with pytest.raises(BadInput, match=r"an entry is a whole number, not 1.5"):
        spaces.describe(1.5)  # type: ignore[arg-type]


@pytest.mark.parametrize("given", [None, 3, "map:top", [1.5], ["map:top"], [[1, 2]]])
def test_actions_that_are_no_array_of_numbers_have_no_indices(given: Any) -> None:
    spaces = spaces_of(make_game("saboteur", "krisnadi", 5))
    with pytest.raises(BadInput, match=r"actions are an array of whole numbers, shape \(n,\), not "):
        spaces.indices_many(given)
    with pytest.raises(BadInput, match=r"2 actions are of as many seats, shape \(n,\), not of shape \(3,\)"):
        spaces.indices_many(np.array([1, 2]), np.array([0, 1, 2]))
