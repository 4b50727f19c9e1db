"""The reference engine of the Saboteur duel: the counted deck, hand-worked positions, both notations, random games."""

from __future__ import annotations

import copy
import random
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import product

import pytest

from .duel import (
    ACTIONS,
    ALL_CARDS,
    ENTRANCE,
    GOAL_CELLS,
    GOAL_NAMES,
    STEP,
    TILES,
    Cell,
    Event,
    IllegalMove,
    ReferenceDuel,
    card_of,
    cell_of,
    deal,
    from_course,
    is_drop,
    neighbour,
    new_duel,
    on_board,
    shape,
    to_course,
    ways,
)

LEFT, MIDDLE, RIGHT = GOAL_CELLS
NUGGET_LEFT = ("nugget", "blank", "blank")
NUGGET_MIDDLE = ("blank", "nugget", "blank")
NUGGET_RIGHT = ("blank", "blank", "nugget")


def position(
    hand: Sequence[str],
    tiles: Iterable[str] = (),
    goals: Sequence[str] = NUGGET_LEFT,
    other: Sequence[str] = (),
    deck: Sequence[str] = ("bonus", "bonus", "bonus", "bonus"),
    seat: int = 1,
) -> ReferenceDuel:
    """A position with this hand and this player to move; `tiles` lie on the board, in the notation of moves. The other
    player's hand is filled up with maps."""
    others = [*other, *["map"] * (len(hand) - len(other))]
    hands = [list(hand), others] if seat == 0 else [others, list(hand)]
    game = ReferenceDuel(list(goals), hands, list(deck))
    game.to_move = seat
    for tile in tiles:
        game.board[cell_of(tile)] = tile.partition("@")[0]
    return game


def column(first: int, last: int, where: int = 5) -> list[str]:
    """A straight tunnel from row `first` to row `last`."""
    return [f"0@{row},{where}" for row in range(first, last + 1)]


def plays(game: ReferenceDuel) -> set[str]:
    """The legal moves that are not discards."""
    return {move for move in game.legal_moves() if not is_drop(move)}


def random_games(games: int, pick: Callable[[ReferenceDuel], list[str]], seed: int = 0) -> Iterator[ReferenceDuel]:
    """Every position of some random games, the last ones included."""
    for number in range(games):
        rng = random.Random(seed + number)
        game = new_duel(rng)
        yield game
        while not game.over:
            game.apply(rng.choice(pick(game)))
            yield game


# A tunnel to the cell above each goal, without the last tile, and that tile.
TO_LEFT = [*column(6, 10), "6@5,4", "5_flip@5,4", "10@5,4", "5@5,3", *column(6, 10, 3)], "0@11,3"
TO_MIDDLE = column(6, 10), "0@11,5"


# --- The deck ---------------------------------------------------------------------------------------------------------


def test_deck_has_55_cards_40_tiles_3_destroy_2_malus_4_bonus_6_map() -> None:
    assert sum(ALL_CARDS.values()) == 55
    assert sum(count for _, count in TILES.values()) == 40
    assert ACTIONS == {"destroy": 3, "malus": 2, "bonus": 4, "map": 6}


@pytest.mark.parametrize(
    ("tile", "edges", "centre", "count", "flipped"),
    [
        ("0", "NS", "open", 4, None),
        ("1", "NS", "closed", 1, None),
        ("2", "NES", "closed", 1, "NSW"),
        ("3", "NE", "closed", 1, "SW"),
        ("4", "E", "arm", 1, "W"),
        ("5", "ES", "open", 4, "NW"),
        ("6", "NSW", "open", 5, "NES"),
        ("7", "NE", "open", 5, "SW"),
        ("8", "NESW", "open", 5, None),
        ("9", "ESW", "open", 5, "NEW"),
        ("10", "EW", "open", 3, None),
        ("11", "ESW", "closed", 1, "NEW"),
        ("12", "N", "arm", 1, "S"),
        ("13", "NESW", "closed", 1, None),
        ("14", "NW", "closed", 1, "ES"),
        ("15", "EW", "closed", 1, None),
    ],
)
def test_tile_edges_centre_count_and_flipped_edges(
    tile: str, edges: str, centre: str, count: int, flipped: str | None
) -> None:
    assert shape(tile) == (edges, centre)
    assert ALL_CARDS[tile] == count
    assert ways(tile) == ((tile,) if flipped is None else (tile, f"{tile}_flip"))
    if flipped is not None:
        assert shape(f"{tile}_flip") == (flipped, centre)


def test_entrance_and_goals_are_open_crosses() -> None:
    assert {shape(name) for name in ("entrance", "nugget", "blank")} == {("NESW", "open")}


# --- The deal ---------------------------------------------------------------------------------------------------------


def test_seven_cards_each_are_dealt_alternately_player_1_first_and_41_remain() -> None:
    cards = [str(number) for number in range(55)]
    hands, left = deal(cards)
    assert hands[1] == ["0", "2", "4", "6", "8", "10", "12"]
    assert hands[0] == ["1", "3", "5", "7", "9", "11", "13"]
    assert left == cards[14:]
    assert len(left) == 41


def test_new_duel_deals_all_cards_and_player_1_moves_first() -> None:
    game = new_duel(random.Random(1))
    assert Counter([*game.hands[0], *game.hands[1], *game.deck]) == ALL_CARDS
    assert (len(game.hands[0]), len(game.hands[1]), len(game.deck)) == (7, 7, 41)
    assert (game.to_move, game.turn, game.malus, game.over) == (1, 0, [0, 0], False)


def test_board_begins_with_the_entrance_and_three_hidden_goals() -> None:
    game = position(["0"], goals=NUGGET_RIGHT)
    assert game.board == {(5, 5): "entrance", (12, 3): "blank", (12, 5): "blank", (12, 7): "nugget"}
    assert (ENTRANCE, GOAL_CELLS) == ((5, 5), ((12, 3), (12, 5), (12, 7)))
    assert game.revealed == [False, False, False]


def test_new_duel_is_random_in_everything_and_repeats_with_the_seed() -> None:
    games = [new_duel(random.Random(seed)) for seed in range(60)]
    assert {tuple(game.goals) for game in games} == {NUGGET_LEFT, NUGGET_MIDDLE, NUGGET_RIGHT}
    assert len({tuple(game.deck) for game in games}) == 60
    again = new_duel(random.Random(7))
    assert (again.goals, again.hands, again.deck) == (games[7].goals, games[7].hands, games[7].deck)


@pytest.mark.parametrize(
    ("goals", "hands", "deck", "message"),
    [
        (["nugget", "nugget", "blank"], [["0"], ["1"]], [], "one nugget"),
        (["nugget", "blank"], [["0"], ["1"]], [], "one nugget"),
        (list(NUGGET_LEFT), [["0"], ["1", "2"]], [], "equally many"),
        (list(NUGGET_LEFT), [[], []], [], "equally many"),
        (list(NUGGET_LEFT), [["0"]], [], "equally many"),
        (list(NUGGET_LEFT), [["5_flip"], ["1"]], [], "no cards"),
        (list(NUGGET_LEFT), [["0"], ["1"]], ["16"], "no cards"),
    ],
)
def test_deal_is_checked(goals: list[str], hands: list[list[str]], deck: list[str], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        ReferenceDuel(goals, hands, deck)


# --- Tiles: where they may be laid ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("tile", "expected"),
    [
        ("0", {"0@4,5", "0@6,5"}),
        ("10", {"10@5,4", "10@5,6"}),
        ("8", {"8@4,5", "8@5,4", "8@5,6", "8@6,5"}),
        ("5", {"5@4,5", "5@5,4", "5_flip@5,6", "5_flip@6,5"}),  # E S, flipped N W
        ("4", {"4@5,4", "4_flip@5,6"}),  # E, flipped W
        ("12", {"12@6,5", "12_flip@4,5"}),  # N, flipped S
        ("1", {"1@4,5", "1@6,5"}),  # a closed centre makes no difference
    ],
)
def test_first_tile_opens_onto_the_entrance(tile: str, expected: set[str]) -> None:
    assert plays(position([tile])) == expected


def test_equal_cards_give_each_legal_move_once() -> None:
    game = position(["0", "map", "0", "map"])
    moves = game.legal_moves()
    assert len(moves) == len(set(moves))
    assert set(moves) == {"0@4,5", "0@6,5", "map:left", "map:middle", "map:right", "drop:0", "drop:map"}


def test_connection_to_the_entrance_is_not_required() -> None:
    game = position(["10"], ["10@0,9"])
    assert {"10@0,8", "10@0,10"} <= plays(game)
    # Nor need the tunnel in between be open: the tile goes on behind a closed centre and behind a wall of it.
    assert "0@7,5" in plays(position(["0"], ["1@6,5"]))
    assert "0@8,5" in plays(position(["0"], ["12_flip@7,5"]))


def test_tile_is_laid_on_an_empty_cell_only() -> None:
    game = position(["8"], ["8@6,5"])
    assert game.broken_rule("8@6,5") == "the cell is not empty"
    assert game.broken_rule("8@5,5") == "the cell is not empty"
    assert game.broken_rule("8@12,5") == "the cell is not empty"


def test_tile_is_laid_on_the_board_only() -> None:
    game = position(["10", "0"], ["10@3,0", "10@6,13", "0@0,7", "0@13,9"])
    for move in ("10@3,-1", "10@6,14", "0@-1,7", "0@14,9"):
        assert game.broken_rule(move) == "the cell is not on the board"
    assert all(on_board(cell_of(move)) for move in plays(game))


def test_edge_of_the_board_asks_for_nothing() -> None:
    # Open edges and walls may both lie at the rim.
    assert "10@3,0" in plays(position(["10"], ["10@3,1"]))
    assert "4@3,0" in plays(position(["4"], ["10@3,1"]))
    assert "8@13,13" in plays(position(["8"], ["10@13,12"]))
    assert "8@0,0" in plays(position(["8"], ["0@1,0"]))


@pytest.mark.parametrize(
    ("beside", "allowed"),
    [
        ("10@6,6", False),  # opens W, and tile 0 has a wall there
        ("0@6,6", True),  # wall meets wall
        ("9@6,6", False),
        ("5@6,6", True),
        ("15@6,6", False),  # a closed centre makes no difference: its edge is open
        ("4@6,6", True),  # opens E only
        ("4_flip@6,6", False),
    ],
)
def test_every_touching_edge_matches_exactly(beside: str, allowed: bool) -> None:
    game = position(["0"], [beside])
    assert ("0@6,5" in plays(game)) is allowed
    assert game.broken_rule("0@6,5") == (None if allowed else "the edge E does not fit")


@pytest.mark.parametrize("edge", "NESW")
def test_wall_against_an_open_edge_does_not_fit_on_any_side(edge: str) -> None:
    # A cross on one side of the cell (3, 9); a tile with a wall towards it does not fit, with an opening it does.
    row, where = neighbour((3, 9), edge)
    game = position([*TILES], [f"8@{row},{where}"])
    for tile in TILES:
        for name in ways(tile):
            rule = game.broken_rule(f"{name}@3,9")
            assert rule == (None if edge in shape(name).edges else f"the edge {edge} does not fit")


def test_at_least_one_side_is_an_open_open_match() -> None:
    # Beside a straight tunnel wall meets wall: that fits, but it is not enough.
    game = position(["0"], ["0@6,5"])
    assert game.broken_rule("0@6,6") == "no open edge meets an open edge"
    assert game.broken_rule("0@1,1") == "no open edge meets an open edge"
    assert "0@6,6" in plays(position(["0"], ["0@6,5", "0@7,6"]))


def test_unrevealed_goal_counts_as_absent() -> None:
    # Its cell says nothing about the fit, neither to a wall nor to an opening ...
    game = position(["14", "0"], ["0@10,5"])
    assert {"14@11,5", "0@11,5"} <= plays(game)
    # ... and it is no open-open match.
    assert position(["0"]).broken_rule("0@11,5") == "no open edge meets an open edge"


def test_revealed_goal_counts_as_an_open_cross() -> None:
    game = position(["14", "0"], ["0@10,5"])
    game.revealed[1] = True
    assert "0@11,5" in plays(game)
    assert game.broken_rule("14@11,5") == "the edge S does not fit"
    # It is an open-open match, and on every side.
    game = position(["8"])
    game.revealed[1] = True
    assert {"8@11,5", "8@12,4", "8@12,6", "8@13,5"} <= plays(game)
    assert game.broken_rule("8@11,3") == "no open edge meets an open edge"


def test_map_does_not_make_a_goal_count_for_the_fit() -> None:
    game = position(["map", "0"], other=["map", "0"])
    game.apply("map:middle")
    assert game.broken_rule("0@11,5") == "no open edge meets an open edge"


def test_tile_that_does_not_flip_is_laid_unflipped_only() -> None:
    game = position(["0", "5"])
    assert game.broken_rule("0_flip@6,5") == "tile 0 looks the same flipped and is laid unflipped"
    game.apply("5_flip@6,5")
    assert game.board[6, 5] == "5_flip"


# --- Malus and bonus --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seat", [0, 1])
def test_malus_is_laid_in_front_of_the_opponent_and_adds_up(seat: int) -> None:
    game = position(["malus", "malus"], seat=seat)
    for maluses in (1, 2):
        # It is allowed also where the opponent, or the player himself, has a malus already.
        assert "malus" in plays(game)
        game.apply("malus")
        assert game.malus[1 - seat] == maluses
        assert game.malus[seat] == 0
        game.apply("drop:map")


def test_malus_blocks_tiles_only() -> None:
    hand = ["8", "map", "malus", "bonus", "destroy"]
    game = position(hand, ["0@6,5"])
    game.malus[1] = 1
    expected = {"map:left", "map:middle", "map:right", "malus", "bonus", "destroy@6,5"}
    assert plays(game) == expected
    assert game.broken_rule("8@7,5") == "no tile is laid with a malus in front of oneself"
    assert set(game.legal_moves()) - expected == {f"drop:{card}" for card in hand}


def test_malus_of_the_opponent_blocks_nobody_else() -> None:
    game = position(["8"])
    game.malus[0] = 2
    assert "8@6,5" in plays(game)


def test_bonus_needs_a_malus_in_front_of_oneself() -> None:
    game = position(["bonus"])
    game.malus[0] = 1
    assert plays(game) == set()
    assert game.broken_rule("bonus") == "a bonus needs a malus in front of oneself"
    game.malus[1] = 1
    assert plays(game) == {"bonus"}


def test_bonus_takes_off_one_malus() -> None:
    game = position(["bonus", "bonus", "0"])
    game.malus = [1, 2]
    game.apply("bonus")
    assert game.malus == [1, 1]
    game.apply("drop:map")
    # One is left, and it still blocks.
    assert plays(game) == {"bonus"}
    game.apply("bonus")
    assert game.malus == [1, 0]
    game.apply("drop:map")
    assert plays(game) == {"0@4,5", "0@6,5"}


# --- Destroy ----------------------------------------------------------------------------------------------------------


def test_destroy_takes_off_any_placed_tile() -> None:
    game = position(["destroy", "0"], ["0@6,5", "5_flip@0,0", "13@11,5"], other=["8", "map"])
    assert plays(game) >= {"destroy@6,5", "destroy@0,0", "destroy@11,5"}
    own, others = game.apply("destroy@0,0")
    assert (0, 0) not in game.board
    assert own["removed"] == others["removed"] == "5_flip"
    # The cell is empty again, and its tile does not come back.
    assert "0@7,5" not in game.legal_moves()
    assert game.played == ["destroy"]


def test_destroy_does_not_touch_the_entrance_or_a_goal() -> None:
    game = position(["destroy"], ["0@6,5"])
    game.revealed[1] = True
    assert plays(game) == {"destroy@6,5"}
    for row, where in (ENTRANCE, *GOAL_CELLS):
        assert game.broken_rule(f"destroy@{row},{where}") == "neither the entrance nor a goal is destroyed"


def test_destroy_needs_a_tile() -> None:
    game = position(["destroy"])
    assert plays(game) == set()
    assert game.broken_rule("destroy@6,5") == "there is no tile to destroy"


# --- Map --------------------------------------------------------------------------------------------------------------


def test_map_looks_at_a_goal_and_the_result_is_private() -> None:
    game = position(["map", "map"], goals=NUGGET_MIDDLE)
    events = game.apply("map:middle")
    assert [event["seen"] for event in events] == [None, "nugget"]
    assert [event["move"] for event in events] == ["map:middle", "map:middle"]  # that a map was played is public
    assert game.view(1)["goals"] == [None, "nugget", None]
    assert game.view(0)["goals"] == [None, None, None]


def test_map_reveals_nothing_to_all_and_does_not_end_the_game() -> None:
    game = position(["map", "map"], goals=NUGGET_MIDDLE)
    game.apply("map:middle")
    assert game.revealed == [False, False, False]
    assert not game.over
    for seat in (0, 1):
        assert game.view(seat)["board"][MIDDLE] == "goal"


def test_map_may_look_again_at_a_goal_that_this_player_has_seen() -> None:
    game = position(["map", "map"])
    game.apply("map:left")
    game.apply("drop:map")
    assert "map:left" in plays(game)
    assert game.apply("map:left")[1]["seen"] == "nugget"


def test_map_is_not_for_a_goal_that_is_revealed_to_all() -> None:
    game = position(["map"])
    game.revealed[2] = True
    assert plays(game) == {"map:left", "map:middle"}
    assert game.broken_rule("map:right") == "the goal is revealed already"


# --- Drop and draw ----------------------------------------------------------------------------------------------------


def test_drop_of_any_card_is_always_allowed() -> None:
    for blocked in (0, 1):
        hand = ["8", "map", "malus", "bonus", "destroy", "5"]
        game = position(hand)
        game.malus[1] = blocked
        assert {move for move in game.legal_moves() if is_drop(move)} == {f"drop:{card}" for card in hand}


def test_drop_changes_nothing_but_the_hand() -> None:
    game = position(["8", "malus"], ["0@6,5"])
    board = dict(game.board)
    game.apply("drop:malus")
    assert (game.board, game.malus, game.discards) == (board, [0, 0], [[], ["malus"]])
    assert game.hands[1] == ["8", "bonus"]


def test_mover_draws_after_the_move_while_the_deck_lasts() -> None:
    game = position(["0", "8"], deck=["7", "6", "9"])
    assert game.apply("0@6,5")[1]["drew"] == "7"
    assert game.hands == [["map", "map"], ["8", "7"]]
    assert game.apply("map:left")[0]["drew"] == "6"
    assert game.apply("drop:8")[1]["drew"] == "9"
    assert game.apply("drop:map")[0]["drew"] is None
    assert game.hands == [["6"], ["7", "9"]]


def test_players_take_turns() -> None:
    game = position(["0", "8"])
    movers = []
    while not game.over:
        movers.append(game.to_move)
        game.apply(game.legal_moves()[-1])
    assert movers == [1, 0] * 4


# --- Goals that are reached -------------------------------------------------------------------------------------------


def test_goal_joined_to_the_entrance_is_revealed_to_both() -> None:
    tunnel, last = TO_MIDDLE
    game = position([last.partition("@")[0]], tunnel, NUGGET_LEFT)
    events = game.apply(last)
    assert [event["revealed"] for event in events] == [{1: "blank"}, {1: "blank"}]
    assert game.revealed == [False, True, False]
    for seat in (0, 1):
        assert game.view(seat)["goals"] == [None, "blank", None]
        assert game.view(seat)["board"][MIDDLE] == "blank"
        assert game.view(seat)["board"][LEFT] == "goal"
    assert not game.over


def test_goals_are_revealed_after_the_draw_and_the_winner_draws_too() -> None:
    tunnel, last = TO_MIDDLE
    game = position(["0"], tunnel, NUGGET_MIDDLE, deck=["7"])
    event = game.apply(last)[1]
    assert (event["drew"], event["revealed"]) == ("7", {1: "nugget"})
    assert (game.hands[1], game.deck) == (["7"], [])


@pytest.mark.parametrize(
    ("tunnel", "last", "goal"),
    [
        (column(6, 10), "0@11,5", 1),  # from N
        ([*column(6, 10), "7@11,5", "7_flip@11,6"], "7@12,6", 2),  # from W
        ([*column(6, 10), "5_flip@11,5", "5@11,4"], "5_flip@12,4", 0),  # from E
        (
            [*column(6, 10), "7@11,5", "10@11,6", "10@11,7", "7_flip@11,8", "0@12,8", "5_flip@13,8"],
            "7@13,7",
            2,
        ),  # from S
    ],
)
def test_goal_may_be_reached_from_any_side(tunnel: list[str], last: str, goal: int) -> None:
    game = position(
        [last.partition("@")[0].removesuffix("_flip")], tunnel, ["nugget" if n == goal else "blank" for n in range(3)]
    )
    assert not any(cell in game.joined() for cell in GOAL_CELLS)
    assert game.apply(last)[0]["revealed"] == {goal: "nugget"}


@pytest.mark.parametrize("closed", ["1", "2", "2_flip", "13"])
def test_closed_centre_does_not_carry_the_tunnel(closed: str) -> None:
    tunnel = [f"{closed}@8,5" if tile == "0@8,5" else tile for tile in column(6, 10)]
    game = position(["0"], tunnel, NUGGET_MIDDLE)
    assert all(event["revealed"] == {} for event in game.apply("0@11,5"))
    assert game.joined() == {(5, 5), (6, 5), (7, 5)}
    # Nor does it reach a goal itself.
    game = position([closed.removesuffix("_flip")], column(6, 10), NUGGET_MIDDLE)
    assert game.apply(f"{closed}@11,5")[1]["revealed"] == {}


def test_arm_tile_does_not_carry_the_tunnel() -> None:
    # The arm of 12 at (11, 5) is entered from above; below it is a wall.
    game = position(["12"], column(6, 10), NUGGET_MIDDLE)
    assert game.apply("12@11,5")[1]["revealed"] == {}
    assert (11, 5) in game.joined()
    # The arm of 12_flip leads from its centre to the goal, but no tunnel gets into the centre.
    game = position(["12", "5"], [*column(6, 9), "12_flip@11,5"], NUGGET_MIDDLE)
    game.board[10, 5] = "0"
    assert game.apply("drop:12")[1]["revealed"] == {}
    assert (11, 5) not in game.joined()


def test_tunnel_beside_a_goal_with_a_wall_towards_it_does_not_reach_it() -> None:
    game = position(["5"], column(6, 10), NUGGET_MIDDLE)
    assert game.apply("5_flip@11,5")[1]["revealed"] == {}


def test_tunnel_without_connection_to_the_entrance_reaches_nothing() -> None:
    game = position(["0"], column(7, 10), NUGGET_MIDDLE)
    assert game.apply("0@11,5")[1]["revealed"] == {}
    # The tile that closes the gap reaches the goal, wherever it lies.
    game.to_move = 1
    game.hands[1].append("0")
    assert game.apply("0@6,5")[1]["revealed"] == {1: "nugget"}
    assert game.winner == 1


def test_one_tile_reaches_two_goals_at_once() -> None:
    tunnel = [*column(6, 9), "5_flip@10,5", "5@10,4", "0@11,4"]
    game = position(["9"], tunnel, NUGGET_RIGHT)
    assert game.apply("9_flip@12,4")[0]["revealed"] == {0: "blank", 1: "blank"}
    assert not game.over
    game = position(["9"], tunnel, NUGGET_LEFT)
    assert game.apply("9_flip@12,4")[0]["revealed"] == {0: "nugget", 1: "blank"}
    assert game.winner == 1


def test_tunnels_run_on_through_goals() -> None:
    game = position(["0"], [*column(6, 10), "10@12,4", "10@12,6"], NUGGET_RIGHT)
    assert game.apply("0@11,5")[0]["revealed"] == {0: "blank", 1: "blank", 2: "nugget"}
    assert game.winner == 1


def test_tunnels_run_on_through_a_goal_that_was_revealed_before() -> None:
    game = position(["0", "10"], column(6, 10), NUGGET_RIGHT)
    game.apply("0@11,5")
    game.apply("drop:map")
    assert game.apply("10@12,6")[0]["revealed"] == {2: "nugget"}
    assert game.winner == 1


def test_closed_centre_between_two_goals_does_not_carry_the_tunnel() -> None:
    game = position(["0"], [*column(6, 10), "15@12,4", "10@12,6"], NUGGET_LEFT)
    assert game.apply("0@11,5")[0]["revealed"] == {1: "blank", 2: "blank"}


def test_goal_stays_revealed_after_the_tunnel_is_destroyed() -> None:
    game = position(["0", "destroy", "14"], column(6, 10), NUGGET_LEFT)
    game.apply("0@11,5")
    game.apply("drop:map")
    game.apply("destroy@8,5")
    assert MIDDLE not in game.joined()
    assert game.revealed == [False, True, False]
    game.apply("drop:map")
    # It still is an open cross: E and W of it a wall does not fit, an opening does.
    game.hands[1].append("10")
    assert "10@12,4" in plays(game)
    assert game.broken_rule("14@12,6") is None
    assert game.broken_rule("14@12,4") == "the edge E does not fit"


def test_goal_that_was_revealed_is_not_revealed_again() -> None:
    game = position(["0", "destroy", "0"], column(6, 10), NUGGET_LEFT)
    game.apply("0@11,5")
    game.apply("drop:map")
    game.apply("destroy@11,5")
    game.apply("drop:map")
    assert game.apply("0@11,5")[0]["revealed"] == {}


# --- Who wins ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seat", [0, 1])
def test_whoever_completes_the_tunnel_to_the_nugget_wins(seat: int) -> None:
    tunnel, last = TO_MIDDLE
    game = position(["0"], tunnel, NUGGET_MIDDLE, seat=seat)
    game.apply(last)
    assert (game.over, game.winner, game.draw, game.to_move) == (True, seat, False, None)
    assert game.legal_moves() == game.listed_moves() == []


def test_who_built_the_rest_of_the_tunnel_does_not_matter() -> None:
    game = position(["0"] * 4, goals=NUGGET_MIDDLE, other=["0"] * 4, deck=["0"] * 3)
    for row in range(6, 11):
        game.apply(f"0@{row},5")
    # Player 1 laid three of the five tiles so far; player 0 lays the last one.
    assert game.to_move == 0
    game.apply("0@11,5")
    assert game.winner == 0


@pytest.mark.parametrize(("tunnel", "last"), [TO_LEFT, TO_MIDDLE])
def test_blank_goal_does_not_end_the_game(tunnel: list[str], last: str) -> None:
    game = position(["0", "0"], tunnel, NUGGET_RIGHT)
    assert list(game.apply(last)[1]["revealed"].values()) == ["blank"]
    assert (game.over, game.winner, game.to_move) == (False, None, 0)


def test_game_is_a_draw_when_the_deck_and_both_hands_are_empty() -> None:
    game = position(["0", "8"], deck=["7"])
    for move in ("drop:0", "drop:map", "drop:8", "drop:map"):
        game.apply(move)
        assert not game.over
    game.apply("drop:7")
    assert (game.over, game.draw, game.winner, game.to_move) == (True, True, None, None)


def test_last_card_of_the_game_may_still_win() -> None:
    game = position(["0"], column(6, 10), NUGGET_MIDDLE, other=["map"], deck=["0"])
    game.apply("drop:0")
    game.apply("drop:map")
    game.apply("0@11,5")
    assert (game.winner, game.draw) == (1, False)


def test_undecided_game_has_55_moves_28_by_player_1_and_27_by_player_0() -> None:
    # Drops only.
    game = new_duel(random.Random(0))
    movers: Counter[int | None] = Counter()
    while not game.over:
        movers[game.to_move] += 1
        game.apply(next(move for move in game.legal_moves() if is_drop(move)))
    assert (movers[1], movers[0], game.turn) == (28, 27, 55)
    assert game.draw


# --- Illegal moves ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("move", "rule"),
    [
        ("", "this is no move"),
        ("5", "this is no move"),
        ("5@7", "this is no move"),
        ("5@07,5", "this is no move"),
        ("16@6,5", "this is no move"),
        ("5_flop@6,5", "this is no move"),
        ("map:top", "this is no move"),
        ("drop:?", "this is no move"),
        ("drop:5_flip", "this is no move"),
        ("destroy", "this is no move"),
        ("7@6,5", "the card 7 is not in the hand"),
        ("drop:7", "the card 7 is not in the hand"),
        ("malus", "the card malus is not in the hand"),
        ("5@6,5", "the edge N does not fit"),
        ("5@0,0", "no open edge meets an open edge"),
        ("bonus", "a bonus needs a malus in front of oneself"),
        ("destroy@6,5", "there is no tile to destroy"),
    ],
)
def test_illegal_move_is_an_error_that_names_move_and_rule_and_changes_nothing(move: str, rule: str) -> None:
    game = position(["5", "bonus", "destroy", "map"])
    before = copy.deepcopy(vars(game))
    with pytest.raises(IllegalMove) as error:
        game.apply(move)
    assert repr(move) in str(error.value)
    assert rule in str(error.value)
    assert vars(game) == before


def test_no_move_is_legal_after_the_end() -> None:
    tunnel, last = TO_MIDDLE
    game = position(["0", "8"], tunnel, NUGGET_MIDDLE)
    game.apply(last)
    with pytest.raises(IllegalMove, match="the game is over"):
        game.apply("drop:8")


def test_rule_that_a_move_breaks_agrees_with_the_legal_moves() -> None:
    cells = [(row, where) for row in range(-1, 15) for where in range(-1, 15)]
    names = [*TILES, *(f"{tile}_flip" for tile in TILES), "destroy"]
    thinkable = [f"{name}@{row},{where}" for name, (row, where) in product(names, cells)]
    thinkable += ["malus", "bonus", *(f"map:{name}" for name in GOAL_NAMES), *(f"drop:{card}" for card in ALL_CARDS)]
    for number, game in enumerate(random_games(1, ReferenceDuel.listed_moves, seed=3)):
        if number % 6 == 0:
            allowed = [move for move in thinkable if game.broken_rule(move) is None]
            assert sorted(allowed) == sorted(game.legal_moves())


# --- The list of the course's program ---------------------------------------------------------------------------------


def test_list_holds_a_card_once_per_copy() -> None:
    listed = Counter(position(["0", "map", "0", "malus", "malus", "map", "map"]).listed_moves())
    assert listed == {
        "0@4,5": 2,
        "0@6,5": 2,
        "map:left": 3,
        "map:middle": 3,
        "map:right": 3,
        "malus": 2,
        "drop:0": 2,
        "drop:map": 3,
        "drop:malus": 2,
    }


def test_list_holds_a_cell_once_per_occupied_neighbour() -> None:
    # The cell (6, 6) has a cross on its left and one above it.
    assert Counter(position(["8"], ["8@6,5", "8@5,6"]).listed_moves())["8@6,6"] == 2
    # It does not matter how the neighbour fits: here wall meets wall on the left.
    assert Counter(position(["0"], ["0@6,5", "8@5,6"]).listed_moves())["0@6,6"] == 2
    # Nor whether it is a goal that is not revealed, which says nothing about the fit.
    game = position(["0"], ["0@10,5"])
    assert Counter(game.listed_moves())["0@11,5"] == 2
    game.revealed[1] = True
    assert Counter(game.listed_moves())["0@11,5"] == 2


def test_list_goes_through_the_hand_and_around_the_cards_on_the_board_and_ends_with_the_drops() -> None:
    game = position(["map", "5", "map"], ["8@6,5"])
    maps = ["map:left", "map:middle", "map:right"]
    assert game.listed_moves() == [
        *maps,
        "5@5,4",
        "5@4,5",
        "5@6,4",
        "5_flip@5,6",
        "5_flip@6,6",
        "5_flip@7,5",
        *maps,
        "drop:map",
        "drop:5",
        "drop:map",
    ]


def test_list_holds_the_legal_moves_and_no_others_weighted_by_copies_and_neighbours() -> None:
    for number, game in enumerate(random_games(6, ReferenceDuel.legal_moves, seed=10)):
        if number % 5 or game.to_move is None:
            continue
        copies = Counter(game.hands[game.to_move])
        expected: Counter[str] = Counter()
        for move in game.legal_moves():
            card = card_of(move)
            assert card is not None
            expected[move] = copies[card]
            if card in TILES and not is_drop(move):
                expected[move] *= sum(neighbour(cell_of(move), edge) in game.board for edge in STEP)
        assert Counter(game.listed_moves()) == expected


# --- The notation of the course's program -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("move", "text"),
    [
        ("5_flip@7,5", "Tile:5_flip 7 5 {}"),
        ("8@7,5", "Tile:8 7 5 {}"),
        ("map:left", "Map 12 3 {}"),
        ("map:middle", "Map 12 5 {}"),
        ("map:right", "Map 12 7 {}"),
        ("malus", "Malus 0 0 {}"),
        ("bonus", "Bonus 0 0 {}"),
        ("destroy@6,5", "Destroy 6 5 {}"),
        ("drop:5", "Drop 1 0 {}"),  # the index of the first copy in the hand
        ("drop:destroy", "Drop 6 0 {}"),
    ],
)
@pytest.mark.parametrize("seat", [0, 1])
def test_move_is_written_and_read_as_card_row_column_player(move: str, text: str, seat: int) -> None:
    game = position(["8", "5", "map", "malus", "bonus", "5", "destroy"], ["0@6,5"], seat=seat)
    # Flipped and with a malus in front of oneself not every move is legal at once.
    game.malus[seat] = int(move == "bonus")
    assert to_course(move, game) == text.format(seat)
    assert from_course(text.format(seat), game) == move


def test_every_legal_move_can_be_written_and_read() -> None:
    for number, game in enumerate(random_games(3, ReferenceDuel.legal_moves, seed=20)):
        if number % 3 == 0:
            for move in game.legal_moves():
                assert from_course(to_course(move, game), game) == move


def test_drop_names_a_copy_and_the_hand_keeps_its_order() -> None:
    game = position(["5", "0", "5"], deck=["8"])
    assert from_course("Drop 2 0 1", game) == "drop:5"
    game.apply_course("Drop 2 0 1")
    assert game.hands[1] == ["5", "0", "8"]
    game = position(["5", "0", "5"], deck=["8"])
    game.apply("drop:5")
    assert game.hands[1] == ["0", "5", "8"]


def test_whole_game_can_be_replayed_in_the_notation_of_the_course() -> None:
    rng = random.Random(30)
    game, again = new_duel(random.Random(31)), new_duel(random.Random(31))
    while not game.over:
        move = rng.choice(game.legal_moves())
        text = to_course(move, game)
        assert game.apply(move) == again.apply_course(text)
    assert vars(game) == vars(again)


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("", "this is no move"),
        ("Tile 6 5 1", "this is no move"),
        ("Tile:5 6 5", "this is no move"),
        ("Tile:5 6 5 2", "this is no move"),
        ("Drop:5 0 0 1", "this is no move"),
        ("Tile:5 6 5 0", "it is not the turn of player 0"),
        ("Map 12 4 1", "there is no goal"),
        ("Drop 3 0 1", "there is no card 3 in the hand"),
        ("Drop -1 0 1", "there is no card -1 in the hand"),
        ("Tile:5 6 5 1", "the edge N does not fit"),
        ("Bonus 0 0 1", "a bonus needs a malus in front of oneself"),
        ("Tile:16 6 5 1", "this is no move"),
    ],
)
def test_course_move_that_is_illegal_is_an_error_that_names_the_rule(text: str, rule: str) -> None:
    game = position(["5", "bonus", "map"])
    before = copy.deepcopy(vars(game))
    with pytest.raises(IllegalMove, match=rule):
        game.apply_course(text)
    assert vars(game) == before


def test_illegal_move_cannot_be_written() -> None:
    with pytest.raises(IllegalMove, match="the edge N does not fit"):
        to_course("5@6,5", position(["5"]))


# --- What a player knows ----------------------------------------------------------------------------------------------


def test_view_holds_the_hand_the_board_the_maluses_and_the_turn() -> None:
    game = position(["0", "malus"], deck=["8", "9"], other=["5", "map"])
    game.apply("0@6,5")
    game.apply("drop:5")
    game.apply("malus")
    view = game.view(0)
    assert (view["seat"], view["turn"], view["to_move"]) == (0, 3, 0)
    assert view["hand"] == ["map", "9"]
    assert view["hand_sizes"] == [2, 1]
    assert view["malus"] == [1, 0]
    assert view["deck_left"] == 0
    assert view["board"] == {ENTRANCE: "entrance", (6, 5): "0", LEFT: "goal", MIDDLE: "goal", RIGHT: "goal"}
    assert (view["goals"], view["revealed"]) == ([None] * 3, [False] * 3)
    # Of the seven cards the player has seen his own three and the two that were played.
    assert view["unseen"] == Counter(["8"])


def test_events_show_drops_and_draws_to_their_player_only() -> None:
    game = position(["0", "malus"], deck=["8"])
    nobody = Event(seat=1, move="drop:?", seen=None, removed=None, drew=None, revealed={})
    mover = Event(seat=1, move="drop:malus", seen=None, removed=None, drew="8", revealed={})
    assert game.apply("drop:malus") == [nobody, mover]
    assert game.view(0)["history"] == [nobody]
    assert game.view(1)["history"] == [mover]


def shuffle_what_is_hidden(game: ReferenceDuel, seat: int, rng: random.Random) -> ReferenceDuel:
    """The same game with everything dealt anew that this player cannot know."""
    other = copy.deepcopy(game)
    pool = [*other.hands[1 - seat], *other.discards[1 - seat], *other.deck]
    rng.shuffle(pool)
    for cards in (other.hands[1 - seat], other.discards[1 - seat], other.deck):
        cards[:] = [pool.pop() for _ in cards]
    unknown = [goal for goal in range(3) if not other.revealed[goal] and goal not in other.seen[seat]]
    contents = [other.goals[goal] for goal in unknown]
    rng.shuffle(contents)
    for goal, content in zip(unknown, contents, strict=True):
        other.goals[goal] = other.board[GOAL_CELLS[goal]] = content
    other.seen[1 - seat] = {}
    return other


@pytest.mark.parametrize("seat", [0, 1])
def test_view_does_not_depend_on_what_the_player_cannot_know(seat: int) -> None:
    rng = random.Random(40)
    for number, game in enumerate(random_games(4, ReferenceDuel.legal_moves, seed=41)):
        if number % 3 == 0:
            other = shuffle_what_is_hidden(game, seat, rng)
            assert other.view(seat) == game.view(seat)
            if game.to_move == seat:
                assert other.legal_moves() == game.legal_moves()
                assert other.listed_moves() == game.listed_moves()


def told(event: Event) -> tuple[object, ...]:
    """An event without the names of the cards and the contents of the goals that are new in it."""
    return (
        event["seat"],
        event["move"],
        event["seen"] is None,
        event["removed"],
        event["drew"] is None,
        set(event["revealed"]),
    )


@pytest.mark.parametrize("seat", [0, 1])
def test_events_tell_nothing_that_the_player_cannot_know(seat: int) -> None:
    rng = random.Random(50)
    game = new_duel(rng)
    while not game.over:
        other = shuffle_what_is_hidden(game, seat, rng)
        moves = game.legal_moves()
        if game.to_move != seat:
            # What both deals allow: plays of a card that is in both hands. A discard may be of any card.
            moves = [move for move in moves if is_drop(move) or move in other.legal_moves()]
        move = rng.choice(moves)
        twin = f"drop:{other.hands[1 - seat][0]}" if is_drop(move) and game.to_move != seat else move
        event, same = game.apply(move)[seat], other.apply(twin)[seat]
        # Which card one draws, what a map shows and what a goal holds is news; that it is so is not.
        assert told(event) == told(same)


@pytest.mark.parametrize("seat", [0, 1])
def test_view_agrees_with_the_events_that_led_to_it(seat: int) -> None:
    game = new_duel(random.Random(60))
    rng = random.Random(61)
    hand, malus, board = Counter(game.hands[seat]), [0, 0], dict(game.view(seat)["board"])
    goals: list[str | None] = [None, None, None]
    while not game.over:
        event = game.apply(rng.choice(game.listed_moves()))[seat]
        mover, move = event["seat"], event["move"]
        card = card_of(move)
        if mover == seat:
            assert card is not None
            hand.subtract([card])
            hand.update([] if event["drew"] is None else [event["drew"]])
        if event["seen"] is not None:
            goals[GOAL_NAMES.index(move.removeprefix("map:"))] = event["seen"]
        if not is_drop(move):
            malus[1 - mover] += move == "malus"
            malus[mover] -= move == "bonus"
            if card == "destroy":
                assert board.pop(cell_of(move)) == event["removed"]
            elif card in TILES:
                board[cell_of(move)] = move.partition("@")[0]
        for goal, content in event["revealed"].items():
            goals[goal] = board[GOAL_CELLS[goal]] = content
        view = game.view(seat)
        assert (+hand, malus, board, goals) == (Counter(view["hand"]), view["malus"], view["board"], view["goals"])


def test_views_and_events_share_nothing_with_the_game() -> None:
    game = position(["0", "malus"])
    event = game.apply("0@6,5")[1]
    event["revealed"][0] = "nugget"
    view = game.view(1)
    view["board"].clear()
    view["hand"].clear()
    view["malus"][1] = 9
    view["history"][0]["revealed"][0] = "nugget"
    assert game.view(1)["hand"] == ["malus", "bonus"]
    assert game.view(1)["malus"] == [0, 0]
    assert game.view(1)["history"][0]["revealed"] == {}
    assert (6, 5) in game.board


# --- Random games -----------------------------------------------------------------------------------------------------


def test_every_card_has_one_place_at_any_time() -> None:
    for game in random_games(5, ReferenceDuel.listed_moves, seed=70):
        assert Counter(
            [*game.deck, *game.hands[0], *game.hands[1], *game.discards[0], *game.discards[1], *game.played]
        ) == (ALL_CARDS)
        placed = {cell for cell in game.board if cell != ENTRANCE and cell not in GOAL_CELLS}
        assert all(on_board(cell) for cell in placed)
        assert min(game.malus) >= 0


def test_every_open_edge_on_the_board_meets_an_open_edge_or_a_goal_that_was_hidden() -> None:
    goals: set[Cell] = set(GOAL_CELLS)
    for number, game in enumerate(random_games(8, ReferenceDuel.listed_moves, seed=80)):
        for cell, name in game.board.items() if number % 9 == 0 else ():
            for edge in "SE":
                beyond = neighbour(cell, edge)
                if beyond in game.board and not {cell, beyond} & goals:
                    opposite = {"S": "N", "E": "W"}[edge]
                    assert (edge in shape(name).edges) == (opposite in shape(game.board[beyond]).edges)


@pytest.mark.thorough
def test_random_games_finish_and_99_percent_are_draws() -> None:
    games, draws = 120, 0
    for number in range(games):
        rng = random.Random(1000 + number)
        game = new_duel(rng)
        while not game.over:
            game.apply(rng.choice(game.listed_moves()))
        draws += game.draw
        # Every turn uses up one card, so a draw has 55 moves; a game that is won ends with the nugget.
        assert game.turn == 55 if game.draw else game.turn <= 55
        assert game.draw != game.revealed[game.goals.index("nugget")]
    assert draws / games >= 0.99
