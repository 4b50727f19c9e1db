"""The reference engine of Saboteur, ruleset `krisnadi`: counted decks, hand-worked positions, random games."""

from __future__ import annotations

import copy
import random
from collections import Counter
from collections.abc import Callable

import pytest

from .saboteur import (
    ACTIONS,
    ALL_CARDS,
    GOAL_CELLS,
    GOAL_EDGES,
    PATHS,
    STEP,
    Cell,
    Event,
    IllegalMove,
    ReferenceGame,
    Rules,
    card_of,
    cell_of,
    neighbour,
    new_game,
    orientations,
    path_tile,
)
from .saboteur_positions import GOLD_BOTTOM, Positions, edges, plays

KRISNADI = Rules()
TOP, MIDDLE, BOTTOM = GOAL_CELLS
POSITIONS = Positions(KRISNADI)
position, row, reach = POSITIONS.position, POSITIONS.row, POSITIONS.reach

# Tunnels to the cell before each goal, by the side from which the last card comes: the tunnel and that last card.
TO_TOP_FROM_LEFT = ["P_NS@0,1", "P_SE@0,0", *row(1, 6, 0)], "P_EW@7,0"
TO_MIDDLE_FROM_LEFT = row(1, 6), "P_EW@7,2"
TO_BOTTOM_FROM_LEFT = ["P_NS@0,3", "P_SW@0,4r", *row(1, 6, 4)], "P_EW@7,4"
BETWEEN_TOP_AND_MIDDLE = ["P_NS@0,1", "P_SE@0,1", *row(1, 7, 1)], "P_NSE@8,1r"
BETWEEN_MIDDLE_AND_BOTTOM = ["P_SW@0,3r", *row(1, 7, 3)], "P_NSE@8,3r"


# --- Cards ------------------------------------------------------------------------------------------------------------


def test_a_round_has_67_cards_40_path_and_27_action() -> None:
    assert ALL_CARDS.total() == 67
    assert sum(count for _, count in PATHS.values()) == 40
    assert sum(ACTIONS.values()) == 27


def test_31_path_cards_are_tunnels_and_9_are_dead_ends() -> None:
    through = {card for card in PATHS if path_tile(card).through}
    assert sum(ALL_CARDS[card] for card in through) == 31
    assert sum(ALL_CARDS[card] for card in PATHS if card not in through) == 9
    assert all(card.startswith("P_") == (card in through) for card in PATHS)


@pytest.mark.parametrize(
    ("card", "nesw", "count", "turned"),
    [
        ("P_NS", "1010", 4, "same"),
        ("P_EW", "0101", 3, "same"),
        ("P_SE", "0110", 4, "NW"),
        ("P_SW", "0011", 5, "NE"),
        ("P_NSE", "1110", 5, "NSW"),
        ("P_EWN", "1101", 5, "ESW"),
        ("P_NESW", "1111", 5, "same"),
        ("D_N", "1000", 1, "S"),
        ("D_E", "0100", 1, "W"),
        ("D_NS", "1010", 1, "same"),
        ("D_EW", "0101", 1, "same"),
        ("D_SE", "0110", 1, "NW"),
        ("D_SW", "0011", 1, "NE"),
        ("D_NSE", "1110", 1, "NSW"),
        ("D_EWN", "1101", 1, "ESW"),
        ("D_NESW", "1111", 1, "same"),
    ],
)
def test_path_card_edges_count_and_turned_edges(card: str, nesw: str, count: int, turned: str) -> None:
    upright = {edge for edge, bit in zip("NESW", nesw, strict=True) if bit == "1"}
    assert path_tile(card).open == upright
    assert ALL_CARDS[card] == count
    assert path_tile(card, turned=True).open == (upright if turned == "same" else set(turned))
    assert orientations(card) == ((False,) if turned == "same" else (False, True))


def test_action_cards_are_9_broken_tools_6_single_and_3_double_repairs_3_rockfalls_6_maps() -> None:
    tools = ["cart", "lantern", "pickaxe"]
    assert [ALL_CARDS[f"break:{tool}"] for tool in tools] == [3, 3, 3]
    assert [ALL_CARDS[f"fix:{tool}"] for tool in tools] == [2, 2, 2]
    doubles = ["fix:cart+lantern", "fix:cart+pickaxe", "fix:lantern+pickaxe"]
    assert [ALL_CARDS[card] for card in doubles] == [1, 1, 1]
    assert (ALL_CARDS["rockfall"], ALL_CARDS["map"]) == (3, 6)


def test_gold_is_an_open_cross_and_the_stones_are_mirror_bends() -> None:
    assert GOAL_EDGES == {"gold": "NESW", "rock1": "SW", "rock2": "SE"}


# --- Dealing ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("seats", "size"), [(3, 6), (4, 6), (5, 6), (6, 5), (7, 5), (8, 4), (9, 4), (10, 4)])
def test_hands_are_6_up_to_5_players_5_for_6_or_7_and_4_from_8(seats: int, size: int) -> None:
    game = new_game(random.Random(1), seats, 2)
    assert [len(hand) for hand in game.hands] == [size] * seats
    assert Counter(game.deck) + Counter(card for hand in game.hands for card in hand) == ALL_CARDS


def test_new_game_has_the_given_number_of_saboteurs_and_one_of_each_goal() -> None:
    game = new_game(random.Random(2), 7, 3)
    assert Counter(game.roles) == {"saboteur": 3, "miner": 4}
    assert sorted(game.goals) == ["gold", "rock1", "rock2"]
    assert game.turn == 0 and not game.over and game.winner is None


def test_new_game_is_random_in_everything_and_repeats_with_the_seed() -> None:
    games = [new_game(random.Random(seed), 5, 2) for seed in range(60)]
    assert {game.to_move for game in games} == set(range(5))
    assert len({tuple(game.goals) for game in games}) == 6
    assert len({tuple(game.roles) for game in games}) == 10
    assert len({tuple(game.deck) for game in games}) == 60
    again = new_game(random.Random(7), 5, 2)
    assert (again.deck, again.hands, again.goals) == (games[7].deck, games[7].hands, games[7].goals)


@pytest.mark.parametrize(("seats", "saboteurs"), [(2, 1), (11, 3), (5, 6), (5, -1)])
def test_new_game_is_for_3_to_10_players(seats: int, saboteurs: int) -> None:
    with pytest.raises(ValueError, match="players"):
        new_game(random.Random(0), seats, saboteurs)


def test_goals_are_gold_and_two_different_stones() -> None:
    with pytest.raises(ValueError, match="gold, rock1 and rock2"):
        position(["map"], goals=["gold", "rock1", "rock1"])


# --- Path cards: where they may lie -----------------------------------------------------------------------------------


def test_board_begins_with_the_start_and_three_face_down_goals() -> None:
    game = position(["map"])
    assert {cell: tile.card for cell, tile in game.board.items()} == {
        (0, 2): "start",
        (8, 0): "goal",
        (8, 2): "goal",
        (8, 4): "goal",
    }
    assert game.joined() == {(0, 2)}
    assert game.reachable() == {(0, 1), (1, 2), (0, 3)}


@pytest.mark.parametrize(
    ("shape", "expected"),
    [
        ("P_NS", "0,1 0,3"),
        ("P_EW", "1,2"),
        ("P_SE", "0,1 0,3r 1,2r"),
        ("P_SW", "0,1 1,2 0,3r"),
        ("P_NSE", "0,1 0,3 0,1r 0,3r 1,2r"),
        ("P_EWN", "0,3 1,2 0,1r 1,2r"),
        ("P_NESW", "0,1 0,3 1,2"),
        ("D_N", "0,3 0,1r"),
        ("D_E", "1,2r"),
        ("D_NS", "0,1 0,3"),
        ("D_EW", "1,2"),
        ("D_SE", "0,1 0,3r 1,2r"),
        ("D_SW", "0,1 1,2 0,3r"),
        ("D_NSE", "0,1 0,3 0,1r 0,3r 1,2r"),
        ("D_EWN", "0,3 1,2 0,1r 1,2r"),
        ("D_NESW", "0,1 0,3 1,2"),
    ],
)
def test_first_card_must_open_onto_the_start(shape: str, expected: str) -> None:
    assert plays(position([shape])) == {f"{shape}@{place}" for place in expected.split()}


def test_card_that_looks_the_same_turned_is_one_move() -> None:
    game = position(["P_NESW", "P_NS"])
    assert not [move for move in game.legal_moves() if move.endswith("r")]
    with pytest.raises(IllegalMove):
        game.apply("P_NESW@1,2r")


def test_equal_cards_give_each_move_once() -> None:
    assert position(["P_EW", "P_EW", "map", "map"]).legal_moves() == [
        "P_EW@1,2",
        "map:top",
        "map:middle",
        "map:bottom",
        "discard:P_EW",
        "discard:map",
    ]


def test_card_is_placed_on_an_empty_cell_only() -> None:
    game = position(["P_NESW"], ["P_NESW@1,2"])
    assert (1, 2) not in game.reachable()
    assert plays(game) == {f"P_NESW@{cell}" for cell in ["0,1", "0,3", "1,1", "1,3", "2,2"]}


def test_card_is_not_placed_beside_a_wall() -> None:
    # The tunnel at (1,2) runs straight: nothing opens onto the cells above and below it.
    game = position(["P_NESW"], row(1, 1))
    assert (1, 1) not in game.reachable() and (1, 3) not in game.reachable()
    assert game.reachable() == {(0, 1), (0, 3), (2, 2)}


@pytest.mark.parametrize(
    ("neighbour_tile", "allowed"),
    [
        ("P_EW@1,1", "EW SW"),  # wall above
        ("P_NS@1,1", "NW"),  # tunnel above
        ("P_NS@2,2", "SW NW"),  # wall on the right
        ("P_EW@2,2", "EW"),  # tunnel on the right
        ("P_EW@1,3", "EW NW"),  # wall below
        ("P_NS@1,3", "SW"),  # tunnel below
        ("D_N@1,3", "SW"),  # a dead-end below
    ],
)
def test_every_touching_edge_fits_also_towards_cards_not_joined_to_the_start(neighbour_tile: str, allowed: str) -> None:
    game = position(["P_EW", "P_SW", "P_SE", "P_NS"], [neighbour_tile])
    moves = {"EW": "P_EW@1,2", "SW": "P_SW@1,2", "NW": "P_SE@1,2r"}
    assert {move for move in plays(game) if "@1,2" in move} == {moves[shape] for shape in allowed.split()}


def test_rim_of_the_board_asks_for_nothing_and_is_never_left() -> None:
    game = position(["P_NESW", "P_SE", "P_NSE"], ["P_NS@0,1", "P_NESW@0,3"])
    assert {"P_NESW@0,0", "P_SE@0,0", "P_NSE@0,0r", "P_NESW@0,4"} <= plays(game)
    game.apply("P_NESW@0,0")
    assert game.reachable() == {(1, 0), (1, 2), (1, 3), (0, 4)}


def test_tunnel_cut_off_from_the_start_opens_nothing() -> None:
    game = position(["P_EW"], row(2, 4))
    assert game.joined() == {(0, 2)}
    assert plays(game) == {"P_EW@1,2"}
    game.apply("P_EW@1,2")
    assert game.joined() == {(x, 2) for x in range(5)}
    assert (5, 2) in game.reachable()


# --- Dead-ends --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("dead_end", ["D_E@1,2r", "D_EW@1,2", "D_SW@1,2", "D_NSE@1,2r", "D_EWN@1,2", "D_NESW@1,2"])
def test_dead_end_is_joined_but_passes_nothing_on(dead_end: str) -> None:
    game = position(["P_NESW"], [dead_end])
    assert (1, 2) in game.joined()
    assert game.reachable() == {(0, 1), (0, 3)}


def test_tunnel_behind_a_dead_end_is_not_joined() -> None:
    game = position(["P_EW"], ["D_EW@1,2", "P_EW@2,2"])
    assert game.joined() == {(0, 2), (1, 2)}
    assert plays(game) == set()


def test_dead_end_counts_for_the_fit() -> None:
    # (1,1) is reached from (0,1); the dead-end below it is open towards it, so the new card must open down.
    game = position(["P_EW", "P_SW"], ["P_SE@0,1", "D_NESW@1,2"])
    assert {move for move in plays(game) if "@1,1" in move} == {"P_SW@1,1"}


def test_dead_end_may_close_a_tunnel() -> None:
    game = position(["D_E"], row(1, 3))
    assert plays(game) == {"D_E@4,2r"}


def test_dead_end_reaches_no_goal() -> None:
    game = position(["D_EW", "map"], row(1, 6))
    event = game.apply("D_EW@7,2")[0]
    assert event["turned_up"] == {}
    assert game.joined() == {(x, 2) for x in range(8)}
    assert game.face_up == [False, False, False] and not game.over


# --- Goals that are face down -----------------------------------------------------------------------------------------


def test_wall_may_not_face_a_goal_that_is_face_down() -> None:
    game = position(["P_EW", "P_SW", "P_NS", "D_EW", "D_E"], row(1, 6))
    at_goal = {move for move in plays(game) if "@7,2" in move}
    assert at_goal == {"P_EW@7,2", "D_EW@7,2"}


def test_card_between_two_face_down_goals_must_open_to_both() -> None:
    hand = ["P_EW", "P_SW", "P_EWN", "P_NSE", "P_NESW", "D_NSE", "D_E"]
    game = position(hand, BETWEEN_TOP_AND_MIDDLE[0])
    assert {move for move in plays(game) if "@8,1" in move} == {"P_NSE@8,1r", "P_NESW@8,1", "D_NSE@8,1r"}


def test_face_down_goal_does_not_open_cells_while_it_is_not_joined() -> None:
    assert not position(["P_NS"]).reachable() & {(7, 0), (7, 2), (7, 4), (8, 1), (8, 3)}


def test_face_down_goal_passes_the_tunnel_on_like_a_cross() -> None:
    game = reach(TO_MIDDLE_FROM_LEFT, GOLD_BOTTOM, extra=["P_NS@8,1"])
    assert game.face_up == [True, True, False]


# --- Goals that are reached -------------------------------------------------------------------------------------------


def test_reached_gold_ends_the_round_and_the_miners_win() -> None:
    game = position(["P_EW"], row(1, 6), ["rock1", "gold", "rock2"], deck=["map"])
    events = game.apply("P_EW@7,2")
    assert all(event["turned_up"] == {1: "gold"} for event in events)
    assert (game.over, game.winner, game.to_move) == (True, "miners", None)
    assert edges(game, MIDDLE) == "NESW"


def test_goal_turns_over_at_the_end_of_the_turn_after_the_draw() -> None:
    game = position(["P_EW"], row(1, 6), ["rock1", "gold", "rock2"], deck=["rockfall", "map"])
    assert game.apply("P_EW@7,2")[0]["drew"] == "rockfall"
    assert game.hands[0] == ["rockfall"] and game.deck == ["map"]


def test_reached_stone_turns_over_for_all_and_the_round_goes_on() -> None:
    game = position(["P_EW", "map"], row(1, 6))
    events = game.apply("P_EW@7,2")
    assert [event["turned_up"] for event in events] == [{1: "rock1"}] * 4
    assert game.face_up == [False, True, False]
    assert game.board[MIDDLE].card == "rock1" and game.board[MIDDLE].through
    assert all(game.view(seat)["goals"] == [None, "rock1", None] for seat in range(4))
    assert game.looked == [set()] * 4
    assert not game.over and game.to_move == 1


@pytest.mark.parametrize(
    ("stone", "cell", "approach", "expected"),
    [
        ("rock1", TOP, TO_TOP_FROM_LEFT, "SW"),
        ("rock1", TOP, BETWEEN_TOP_AND_MIDDLE, "SW"),
        ("rock1", MIDDLE, TO_MIDDLE_FROM_LEFT, "SW"),
        ("rock1", MIDDLE, BETWEEN_TOP_AND_MIDDLE, "NE"),
        ("rock1", MIDDLE, BETWEEN_MIDDLE_AND_BOTTOM, "SW"),
        ("rock1", BOTTOM, TO_BOTTOM_FROM_LEFT, "SW"),
        ("rock1", BOTTOM, BETWEEN_MIDDLE_AND_BOTTOM, "NE"),
        ("rock2", TOP, TO_TOP_FROM_LEFT, "ES"),
        ("rock2", TOP, BETWEEN_TOP_AND_MIDDLE, "NW"),
        ("rock2", MIDDLE, TO_MIDDLE_FROM_LEFT, "ES"),
        ("rock2", MIDDLE, BETWEEN_TOP_AND_MIDDLE, "ES"),
        ("rock2", MIDDLE, BETWEEN_MIDDLE_AND_BOTTOM, "NW"),
        ("rock2", BOTTOM, TO_BOTTOM_FROM_LEFT, "ES"),
        ("rock2", BOTTOM, BETWEEN_MIDDLE_AND_BOTTOM, "ES"),
        ("gold", TOP, BETWEEN_TOP_AND_MIDDLE, "NESW"),
        ("gold", MIDDLE, TO_MIDDLE_FROM_LEFT, "NESW"),
        ("gold", BOTTOM, BETWEEN_MIDDLE_AND_BOTTOM, "NESW"),
    ],
)
def test_rock1_turns_for_a_card_above_and_rock2_for_a_card_below(
    stone: str, cell: Cell, approach: tuple[list[str], str], expected: str
) -> None:
    goals = [content for content in ("gold", "rock1", "rock2") if content != stone]
    goals.insert(GOAL_CELLS.index(cell), stone)
    game = reach(approach, goals)
    tile = game.board[cell]
    assert tile.card == stone
    assert edges(game, cell) == expected
    assert tile.turned == (expected in ("NE", "NW"))


DEAD_ENDS_TURN = Rules(dead_ends_turn_stones=True)


def test_a_dead_end_turns_no_stone_where_the_rules_do_not_say_so() -> None:
    assert edges(reach(TO_MIDDLE_FROM_LEFT, GOLD_BOTTOM, ["D_NSE@8,1r"]), MIDDLE) == "SW"
    assert edges(reach(TO_MIDDLE_FROM_LEFT, ["gold", "rock2", "rock1"], ["D_NSE@8,3r"]), MIDDLE) == "ES"


def test_rock1_turns_for_a_dead_end_above_that_opens_down_onto_it() -> None:
    game = reach(TO_MIDDLE_FROM_LEFT, GOLD_BOTTOM, ["D_NSE@8,1r"], DEAD_ENDS_TURN)
    assert game.face_up == [False, True, False]
    assert edges(game, MIDDLE) == "NE"


def test_rock2_turns_for_a_dead_end_below_that_opens_up_onto_it() -> None:
    game = reach(TO_MIDDLE_FROM_LEFT, ["gold", "rock2", "rock1"], ["D_NSE@8,3r"], DEAD_ENDS_TURN)
    assert edges(game, MIDDLE) == "NW"


def test_rock1_does_not_turn_for_a_card_above_with_a_wall_below() -> None:
    game = reach(TO_MIDDLE_FROM_LEFT, GOLD_BOTTOM, extra=["D_N@8,1"])
    assert edges(game, MIDDLE) == "SW"


def test_rock2_does_not_turn_for_a_card_below_with_a_wall_above() -> None:
    game = reach(TO_MIDDLE_FROM_LEFT, ["gold", "rock2", "rock1"], extra=["D_N@8,3r"])
    assert edges(game, MIDDLE) == "ES"


def test_rock1_with_cards_above_and_below_turns_and_so_does_rock2() -> None:
    both = ["D_NSE@8,1r", "D_NSE@8,3r"]
    assert edges(reach(TO_MIDDLE_FROM_LEFT, ["gold", "rock1", "rock2"], both, DEAD_ENDS_TURN), MIDDLE) == "NE"
    assert edges(reach(TO_MIDDLE_FROM_LEFT, ["gold", "rock2", "rock1"], both, DEAD_ENDS_TURN), MIDDLE) == "NW"


def test_stone_that_lies_face_up_is_not_turned_again() -> None:
    game = reach(TO_MIDDLE_FROM_LEFT, GOLD_BOTTOM)
    before = game.board[MIDDLE]
    game.board[(8, 1)] = path_tile("P_NESW")
    game.apply("map:top")
    assert game.board[MIDDLE] == before


def test_tunnels_go_on_through_a_stone() -> None:
    # ROCK1 at the top, reached from the left, opens down: (8,1) is reachable although no card touches it but the goals.
    game = reach(TO_TOP_FROM_LEFT, ["rock1", "gold", "rock2"])
    assert (8, 1) in game.reachable()
    game.hands[1] = ["P_NS"]
    event = game.apply("P_NS@8,1")[1]
    assert event["turned_up"] == {1: "gold"} and game.winner == "miners"


@pytest.mark.parametrize("lets_in", [True, False])
def test_stone_that_breaks_the_fit_is_entered_at_its_wall_where_the_rules_say_so(lets_in: bool) -> None:
    # ROCK2 at the top, reached from the left, opens right and down: its wall faces the tunnel.
    game = reach(TO_TOP_FROM_LEFT, ["rock2", "gold", "rock1"], rules=Rules(stones_let_in=lets_in))
    assert edges(game, TOP) == "ES"
    assert (TOP in game.joined()) == lets_in
    assert ((8, 1) in game.reachable()) == lets_in
    assert TOP in game.opened()


@pytest.mark.parametrize("lets_in", [True, False])
def test_tunnel_goes_on_through_a_stone_entered_at_its_wall(lets_in: bool) -> None:
    game = reach(TO_TOP_FROM_LEFT, ["rock2", "gold", "rock1"], rules=Rules(stones_let_in=lets_in))
    game.hands[1] = ["P_NS", "P_SE", "map"]
    assert {move for move in plays(game) if "@8,1" in move} == ({"P_NS@8,1"} if lets_in else set())
    if lets_in:
        assert game.apply("P_NS@8,1")[0]["turned_up"] == {1: "gold"}


@pytest.mark.parametrize("lets_in", [True, False])
def test_fit_at_a_stone_is_two_sided_even_where_tunnels_enter_it(lets_in: bool) -> None:
    # ROCK1 in the middle shows a wall to (8,1); a card there must show it a wall too.
    extra = ["P_NS@0,1", "P_SE@0,1", *row(1, 7, 1)]
    game = reach(TO_MIDDLE_FROM_LEFT, GOLD_BOTTOM, extra, Rules(stones_let_in=lets_in))
    game.hands[1] = ["P_NSE", "P_EWN", "P_NESW", "P_SE", "P_SW"]
    assert {move for move in plays(game) if "@8,1" in move} == {"P_EWN@8,1", "P_SE@8,1r"}


def test_stone_lets_in_from_every_side_but_lets_out_only_through_its_open_edges() -> None:
    # ROCK2 in the middle, SE: entered at its wall on the left, it opens down and not up.
    game = reach(TO_MIDDLE_FROM_LEFT, ["gold", "rock2", "rock1"])
    assert edges(game, MIDDLE) == "ES"
    assert {cell for cell in game.reachable() if cell[0] == 8} == {(8, 3)}


@pytest.mark.parametrize("lets_in", [True, False])
def test_path_card_with_a_wall_is_never_entered_at_it(lets_in: bool) -> None:
    # Such neighbours cannot be laid: this is about the search alone.
    game = position(["map"], ["P_NS@1,2"], rules=Rules(stones_let_in=lets_in))
    assert game.joined() == {(0, 2)}


# --- Goals that are no open crosses while they lie face down ----------------------------------------------------------

SILENT = Rules(goals_fit=False)


def test_silent_goal_says_nothing_about_the_fit() -> None:
    game = position(["P_EW", "P_SW", "P_SE", "P_NS", "D_E"], row(1, 6), rules=SILENT)
    assert {move for move in plays(game) if "@7,2" in move} == {"P_EW@7,2", "P_SW@7,2", "P_SE@7,2r", "D_E@7,2r"}


def test_silent_goal_turns_over_when_a_tunnel_opens_onto_it_and_not_otherwise() -> None:
    for last, turned_up in [("P_EW@7,2", {1: "rock1"}), ("P_SW@7,2", {}), ("D_EW@7,2", {})]:
        game = position([card_of(last), "map"], row(1, 6), rules=SILENT)
        assert game.apply(last)[0]["turned_up"] == turned_up


def test_silent_goal_passes_no_tunnel_on() -> None:
    # The tunnel reaches the middle; the one card between middle and top is not joined to the start through it.
    game = position(["P_EW", "map"], [*row(1, 6), "P_NS@8,1"], ["rock2", "gold", "rock1"], rules=SILENT)
    assert game.apply("P_EW@7,2")[0]["turned_up"] == {1: "gold"}
    assert game.face_up == [False, True, False]


def test_stone_that_was_a_silent_goal_passes_the_tunnel_on_once_it_lies_open() -> None:
    game = position(["P_EW", "map"], [*row(1, 6), "P_NS@8,1"], GOLD_BOTTOM, rules=SILENT)
    assert game.apply("P_EW@7,2")[0]["turned_up"] == {1: "rock1", 0: "rock2"}
    assert edges(game, MIDDLE) == "NE" and (8, 1) in game.joined()


def test_wall_of_a_stone_counts_for_the_fit_once_it_lies_open() -> None:
    game = reach(TO_MIDDLE_FROM_LEFT, GOLD_BOTTOM, ["P_NS@0,1", "P_SE@0,1", *row(1, 7, 1)], SILENT)
    game.hands[1] = ["P_NSE", "P_EWN", "P_NESW", "P_SE", "P_SW"]
    # Down is the wall of the stone; up is a goal that asks for nothing.
    assert {move for move in plays(game) if "@8,1" in move} == {"P_EWN@8,1", "P_SE@8,1r"}
    game.hands[1] = ["P_EW"]
    assert "P_EW@8,1" in plays(game)


def test_wall_of_a_stone_that_lies_face_up_counts_for_the_fit() -> None:
    # ROCK1 in the middle lies SW: its upper wall faces (8,1), the goal at the top is still face down.
    game = reach(TO_MIDDLE_FROM_LEFT, GOLD_BOTTOM, extra=["P_NS@0,1", "P_SE@0,1", *row(1, 7, 1)])
    assert edges(game, MIDDLE) == "SW"
    game.hands[1] = ["P_NSE", "P_EWN", "P_NESW", "P_SE", "P_SW"]
    assert {move for move in plays(game) if "@8,1" in move} == {"P_EWN@8,1", "P_SE@8,1r"}


def test_one_card_reaches_two_stones() -> None:
    game = reach(BETWEEN_TOP_AND_MIDDLE, GOLD_BOTTOM)
    assert game.face_up == [True, True, False]
    assert (edges(game, TOP), edges(game, MIDDLE)) == ("NW", "NE")
    assert not game.over


def test_one_card_reaches_the_gold_and_a_stone() -> None:
    game = position(["P_NESW"], BETWEEN_MIDDLE_AND_BOTTOM[0], GOLD_BOTTOM)
    assert game.apply("P_NESW@8,3")[2]["turned_up"] == {1: "rock1", 2: "gold"}
    assert game.face_up == [False, True, True]
    assert (game.over, game.winner) == (True, "miners")


# --- Broken tools -----------------------------------------------------------------------------------------------------


def test_broken_tool_goes_in_front_of_any_other_player_who_has_that_tool_whole() -> None:
    game = position(["break:cart", "break:lantern"])
    game.broken[2] = {"cart"}
    assert plays(game) == {
        "break:cart>1",
        "break:cart>3",
        "break:lantern>1",
        "break:lantern>2",
        "break:lantern>3",
    }
    game.apply("break:lantern>2")
    assert game.broken == [set(), set(), {"cart", "lantern"}, set()]


def test_nobody_may_break_his_own_tool_unless_the_rules_say_so() -> None:
    assert "break:pickaxe>0" not in plays(position(["break:pickaxe"]))
    assert "break:pickaxe>0" in plays(position(["break:pickaxe"], rules=Rules(may_break_own=True)))


def test_broken_tool_may_be_laid_in_front_of_a_player_without_cards() -> None:
    game = position(["break:cart"], others=[["map"], [], ["map"]])
    assert "break:cart>2" in plays(game)


@pytest.mark.parametrize("tool", ["cart", "lantern", "pickaxe"])
def test_blocked_player_places_no_path_card(tool: str) -> None:
    hand = ["P_NESW", "D_N", "map", "break:cart", f"fix:{tool}", "rockfall"]
    game = position(hand, ["P_NS@0,1"])
    game.broken[0] = {tool}
    assert plays(game) == {
        "map:top",
        "map:middle",
        "map:bottom",
        "break:cart>1",
        "break:cart>2",
        "break:cart>3",
        f"fix:{tool}>0",
        "rockfall@0,1",
    }
    assert set(game.legal_moves()) - plays(game) == {f"discard:{card}" for card in hand}


def test_tools_of_the_others_block_nobody_else() -> None:
    game = position(["P_EW"])
    game.broken[1] = {"cart", "lantern", "pickaxe"}
    assert plays(game) == {"P_EW@1,2"}


def test_rockfall_of_a_blocked_player_is_up_to_the_rules() -> None:
    for allowed in (True, False):
        game = position(["rockfall"], row(1, 1), rules=Rules(blocked_may_rockfall=allowed))
        assert plays(game) == {"rockfall@1,2"}
        game.broken[0] = {"lantern"}
        assert plays(game) == ({"rockfall@1,2"} if allowed else set())


# --- Repairs ----------------------------------------------------------------------------------------------------------


def test_single_repair_mends_its_tool_of_any_player_oneself_included() -> None:
    game = position(["fix:cart", "map"])
    assert not [move for move in plays(game) if move.startswith("fix")]
    game.broken = [{"cart"}, {"lantern"}, {"cart", "pickaxe"}, set()]
    assert {move for move in plays(game) if move.startswith("fix")} == {"fix:cart>0", "fix:cart>2"}
    events = game.apply("fix:cart>2")
    assert [event["mended"] for event in events] == [{"cart"}] * 4
    assert game.broken == [{"cart"}, {"lantern"}, {"pickaxe"}, set()]


@pytest.mark.parametrize("card", ["fix:cart+lantern", "fix:cart+pickaxe", "fix:lantern+pickaxe"])
def test_double_repair_mends_both_tools_if_both_are_broken(card: str) -> None:
    game = position([card])
    game.broken[0] = {"cart", "lantern", "pickaxe"}
    tools = set(card.removeprefix("fix:").split("+"))
    assert game.apply(f"{card}>0")[3]["mended"] == tools
    assert game.broken[0] == {"cart", "lantern", "pickaxe"} - tools


def test_double_repair_is_playable_if_one_of_its_tools_is_broken() -> None:
    game = position(["fix:cart+lantern"])
    game.broken = [set(), {"lantern"}, {"pickaxe"}, {"cart", "pickaxe"}]
    assert plays(game) == {"fix:cart+lantern>1", "fix:cart+lantern>3"}
    assert game.apply("fix:cart+lantern>3")[0]["mended"] == {"cart"}
    assert game.broken[3] == {"pickaxe"}


def test_repair_that_mends_one_tool_names_it() -> None:
    game = position(["fix:cart+lantern", "fix:cart"], rules=Rules(double_repair_mends_both=False))
    game.broken = [set(), {"lantern"}, {"pickaxe"}, {"cart", "lantern", "pickaxe"}]
    assert plays(game) == {
        "fix:cart+lantern>1/lantern",
        "fix:cart+lantern>3/cart",
        "fix:cart+lantern>3/lantern",
        "fix:cart>3/cart",
    }
    events = game.apply("fix:cart+lantern>3/lantern")
    assert [event["mended"] for event in events] == [{"lantern"}] * 4
    assert game.broken[3] == {"cart", "pickaxe"}


def test_mended_player_may_dig_again() -> None:
    game = position(["fix:pickaxe", "P_EW"], others=[[], [], []])
    game.broken[0] = {"pickaxe"}
    assert plays(game) == {"fix:pickaxe>0"}
    game.apply("fix:pickaxe>0")
    assert plays(game) == {"P_EW@1,2"}


# --- Rockfall ---------------------------------------------------------------------------------------------------------


def test_rockfall_removes_any_path_card_but_neither_start_nor_goals() -> None:
    game = position(["rockfall"], ["P_EW@1,2", "D_NESW@2,2", "P_NSE@5,3r"])
    assert plays(game) == {"rockfall@1,2", "rockfall@2,2", "rockfall@5,3"}
    events = game.apply("rockfall@5,3")
    assert [event["removed"] for event in events] == [("P_NSE", True)] * 4
    assert (5, 3) not in game.board


def test_rockfall_does_not_remove_a_goal_that_lies_face_up() -> None:
    game = reach(TO_MIDDLE_FROM_LEFT, GOLD_BOTTOM)
    game.hands[1] = ["rockfall"]
    assert "rockfall@8,2" not in plays(game) and "rockfall@7,2" in plays(game)


def test_rockfall_cuts_the_tunnel_and_leaves_the_cell_open() -> None:
    game = position(["rockfall", "P_EW"], row(1, 4), others=[[], [], []])
    game.apply("rockfall@2,2")
    assert game.joined() == {(0, 2), (1, 2)}
    assert game.reachable() == {(0, 1), (0, 3), (2, 2)}
    game.apply("P_EW@2,2")
    assert (5, 2) in game.reachable()


def test_rockfall_leaves_a_reached_stone_face_up() -> None:
    game = reach(TO_MIDDLE_FROM_LEFT, GOLD_BOTTOM)
    game.hands[1] = ["rockfall"]
    game.apply("rockfall@7,2")
    assert game.face_up == [False, True, False] and game.board[MIDDLE].card == "rock1"


# --- Map and discard --------------------------------------------------------------------------------------------------


def test_map_shows_one_face_down_goal_to_its_player_alone() -> None:
    game = position(["map"], goals=GOLD_BOTTOM)
    events = game.apply("map:bottom")
    assert [event["seen"] for event in events] == ["gold", None, None, None]
    assert [event["move"] for event in events] == ["map:bottom"] * 4
    assert game.knows == [{2: "gold"}, {}, {}, {}]
    assert game.looked == [{2}, set(), set(), set()]
    assert game.face_up == [False, False, False]


def test_map_may_be_played_again_on_a_goal_already_seen() -> None:
    game = position(["map", "map"], others=[[], [], []])
    game.apply("map:top")
    assert "map:top" in plays(game)
    assert game.apply("map:top")[0]["seen"] == "gold"


def test_map_may_not_be_played_on_a_goal_that_lies_face_up() -> None:
    game = reach(TO_MIDDLE_FROM_LEFT, GOLD_BOTTOM)
    assert plays(game) == {"map:top", "map:bottom"}


def test_any_card_may_be_discarded_face_down() -> None:
    game = position(sorted(ALL_CARDS))
    assert {f"discard:{card}" for card in ALL_CARDS} <= set(game.legal_moves())
    events = game.apply("discard:break:cart")
    assert [event["move"] for event in events] == ["discard:break:cart", "discard:?", "discard:?", "discard:?"]
    assert game.discards == [["break:cart"], [], [], []] and game.played == []
    assert game.broken == [set()] * 4


# --- Turns ------------------------------------------------------------------------------------------------------------


def test_player_draws_the_first_card_of_the_deck_after_playing() -> None:
    game = position(["P_EW", "map"], deck=["rockfall", "D_N"])
    events = game.apply("P_EW@1,2")
    assert [event["drew"] for event in events] == ["rockfall", None, None, None]
    assert game.hands[0] == ["map", "rockfall"] and game.deck == ["D_N"]


def test_played_card_leaves_the_first_slot_that_holds_it_and_the_rest_close_up() -> None:
    game = position(["map", "P_EW", "rockfall", "P_EW", "D_N"], deck=["D_E"])
    game.apply("P_EW@1,2")
    assert game.hands[0] == ["map", "rockfall", "P_EW", "D_N", "D_E"]


def test_nobody_draws_when_the_deck_is_used_up() -> None:
    game = position(["map", "P_EW"])
    assert game.apply("map:top")[0]["drew"] is None
    assert game.hands[0] == ["P_EW"]


def test_turn_passes_around_the_table() -> None:
    game = position(["map", "map"], others=[["map", "map"]] * 3)
    movers = []
    while game.to_move is not None:
        movers.append(game.to_move)
        game.apply("map:top")
    assert movers == [0, 1, 2, 3] * 2
    assert game.turn == 8


def test_player_without_cards_is_skipped() -> None:
    game = position(["map", "map"], others=[[], ["map"], []])
    movers = []
    while game.to_move is not None:
        movers.append(game.to_move)
        game.apply("map:top")
    assert movers == [0, 2, 0]


def test_first_player_without_cards_is_skipped() -> None:
    assert position([], others=[[], ["map"], ["map"]]).to_move == 2


def test_player_who_draws_the_last_card_still_plays_it() -> None:
    game = position(["map"], others=[["map"], ["map"], ["map"]], deck=["P_EW"])
    for _ in range(4):
        game.apply("map:top")
    assert game.to_move == 0 and game.hands == [["P_EW"], [], [], []]


# --- End of the game --------------------------------------------------------------------------------------------------


def test_saboteurs_win_when_deck_and_all_hands_are_empty() -> None:
    game = position(["map"], others=[["map"], [], []])
    game.apply("map:top")
    assert not game.over
    game.apply("discard:map")
    assert game.over and game.winner == "saboteurs" and game.to_move is None


def test_gold_reached_with_the_very_last_card_wins_for_the_miners() -> None:
    game = position(["P_EW"], row(1, 6), ["rock1", "gold", "rock2"], others=[[], [], []])
    game.apply("P_EW@7,2")
    assert (game.over, game.winner) == (True, "miners")


def test_no_move_is_legal_after_the_end() -> None:
    game = position(["map"], others=[[], [], []])
    game.apply("map:top")
    assert game.legal_moves() == []
    with pytest.raises(IllegalMove):
        game.apply("map:top")


@pytest.mark.parametrize(
    "move",
    [
        "P_EW@0,1",  # does not fit
        "P_EW@3,2",  # not reachable
        "P_EW@1,2r",  # looks the same when turned
        "P_NS@0,1",  # not in hand
        "P_EW@0,2",  # not empty
        "map:left",
        "break:cart>0",
        "break:cart>4",
        "fix:cart>1",
        "rockfall@0,2",
        "rockfall@8,0",
        "discard:P_NS",
        "discard:?",
        "nonsense",
        "",
    ],
)
def test_illegal_move_is_refused_and_changes_nothing(move: str) -> None:
    game = position(["P_EW", "map", "break:cart", "fix:cart", "rockfall"], deck=["map"])
    before = copy.deepcopy(vars(game))
    with pytest.raises(IllegalMove):
        game.apply(move)
    assert vars(game) == before
    assert issubclass(IllegalMove, ValueError)


# --- What a seat knows ------------------------------------------------------------------------------------------------


def test_view_shows_the_own_role_and_hand_and_the_public_board() -> None:
    game = position(["map", "rockfall"], ["P_NSE@1,2r"], deck=["P_EW"] * 3)
    game.broken[3] = {"cart"}
    view = game.view(0)
    assert (view["seat"], view["role"], view["seats"], view["saboteurs"]) == (0, "saboteur", 4, 1)
    assert (view["turn"], view["to_move"], view["deck_left"]) == (0, 0, 3)
    assert view["board"] == {
        (0, 2): ("start", False),
        (1, 2): ("P_NSE", True),
        (8, 0): ("goal", False),
        (8, 2): ("goal", False),
        (8, 4): ("goal", False),
    }
    assert view["hand"] == ["map", "rockfall"]
    assert view["hand_sizes"] == [2, 1, 1, 1]
    assert view["broken"] == [set(), set(), set(), {"cart"}]
    assert game.view(1)["role"] == "miner" and game.view(1)["hand"] == ["map"]


def test_view_holds_a_goal_only_for_those_who_have_seen_it() -> None:
    game = position(["map"], goals=GOLD_BOTTOM)
    game.apply("map:bottom")
    assert game.view(0)["goals"] == [None, None, "gold"]
    assert game.view(1)["goals"] == [None, None, None]
    assert [game.view(seat)["looked"] for seat in range(4)] == [[{2}, set(), set(), set()]] * 4
    assert game.view(0)["face_up"] == [False, False, False]


def test_unseen_cards_are_all_but_the_own_hand_the_own_discards_and_the_cards_played_in_public() -> None:
    game = position(["map", "D_N"], others=[["P_EW"], ["rockfall"], ["map"]])
    game.apply("discard:map")
    assert game.view(0)["unseen"] == ALL_CARDS - Counter(["map", "D_N"])
    assert game.view(1)["unseen"] == ALL_CARDS - Counter(["P_EW"])
    game.apply("P_EW@1,2")
    assert game.view(0)["unseen"] == ALL_CARDS - Counter(["map", "D_N", "P_EW"])
    game.apply("rockfall@1,2")
    # The fallen path card stays counted: it was played in public.
    assert game.view(0)["unseen"] == ALL_CARDS - Counter(["map", "D_N", "P_EW", "rockfall"])
    assert game.view(3)["unseen"] == ALL_CARDS - Counter(["map", "P_EW", "rockfall"])


def test_view_is_a_copy() -> None:
    game = position(["map"])
    before = copy.deepcopy(vars(game))
    view = game.view(0)
    for part in (view["board"], view["goals"], view["face_up"], view["looked"], view["hand"], view["broken"]):
        part.clear()
    view["unseen"].clear()
    assert vars(game) == before


# --- Random games -----------------------------------------------------------------------------------------------------

TABLES = [(seats, saboteurs) for seats, saboteurs in zip(range(3, 11), (1, 1, 2, 2, 3, 3, 3, 3), strict=True)]


Player = Callable[[random.Random, ReferenceGame], str]


def uniform(rng: random.Random, game: ReferenceGame) -> str:
    """A uniform random player."""
    return rng.choice(game.legal_moves())


def digger(rng: random.Random, game: ReferenceGame) -> str:
    """A random player who digs to the right when he can, so that games reach the goals."""
    moves = game.legal_moves()
    tunnels = [move for move in moves if move.startswith("P_")]
    if not tunnels:
        return rng.choice(moves)
    furthest = max(cell_of(move)[0] for move in tunnels)
    return rng.choice([move for move in tunnels if cell_of(move)[0] == furthest])


def check_all_67_cards_are_accounted_for(game: ReferenceGame) -> None:
    hidden = [*game.hands, *game.discards, game.deck, game.played]
    assert Counter(card for pile in hidden for card in pile) == ALL_CARDS
    laid = Counter(tile.card for tile in game.board.values() if tile.card in PATHS)
    assert laid <= Counter(game.played)
    assert game.turn + len(game.deck) + sum(map(len, game.hands)) == 67


def check_the_board(game: ReferenceGame) -> None:
    assert all(0 <= x < 9 and 0 <= y < 5 for x, y in game.board)
    assert not game.reachable() & set(game.board)
    stones = {cell for goal, cell in enumerate(GOAL_CELLS) if game.face_up[goal]}
    for cell, tile in game.board.items():
        for edge in STEP:
            beyond = neighbour(cell, edge)
            if beyond in game.board and not {cell, beyond} & stones:
                opposite = {"N": "S", "E": "W", "S": "N", "W": "E"}[edge]
                assert (edge in tile.open) == (opposite in game.board[beyond].open)
    for goal, cell in enumerate(GOAL_CELLS):
        assert game.board[cell].card == (game.goals[goal] if game.face_up[goal] else "goal")
        assert game.face_up[goal] or cell not in game.joined()


def check_the_turn(game: ReferenceGame) -> None:
    moves = game.legal_moves()
    assert len(moves) == len(set(moves))
    assert (game.to_move is None) == game.over == (game.winner is not None) == (not moves)
    if game.to_move is not None:
        hand = set(game.hands[game.to_move])
        assert {card_of(move) for move in moves} == hand
        assert sum(move.startswith("discard:") for move in moves) == len(hand)
        blocked = bool(game.broken[game.to_move])
        assert not (blocked and any(card_of(move) in PATHS and "@" in move for move in moves))


def check_the_views(game: ReferenceGame) -> None:
    for seat in range(len(game.roles)):
        view = game.view(seat)
        others = [pile for piles in (game.hands, game.discards) for i, pile in enumerate(piles) if i != seat]
        assert view["unseen"] == Counter(card for pile in [*others, game.deck] for card in pile)
        for goal, content in enumerate(view["goals"]):
            known = game.face_up[goal] or goal in game.looked[seat]
            assert content == (game.goals[goal] if known else None)


def check_the_end(game: ReferenceGame) -> None:
    gold_found = game.face_up[game.goals.index("gold")]
    assert game.winner == ("miners" if gold_found else "saboteurs")
    assert gold_found or (game.turn == 67 and not game.deck and not any(game.hands))


@pytest.mark.parametrize(("seats", "saboteurs"), TABLES)
def test_random_games_keep_the_invariants(seats: int, saboteurs: int) -> None:
    for seed in range(3):
        for player in (uniform, digger):
            rng = random.Random(1000 * seats + seed)
            rules = KRISNADI if seed < 2 else Rules(stones_let_in=False)
            game = new_game(rng, seats, saboteurs, rules)
            while not game.over:
                check_all_67_cards_are_accounted_for(game)
                check_the_board(game)
                check_the_turn(game)
                check_the_views(game)
                game.apply(player(rng, game))
            check_all_67_cards_are_accounted_for(game)
            check_the_board(game)
            check_the_turn(game)
            check_the_views(game)
            check_the_end(game)


def test_random_games_end_both_ways_and_use_every_card() -> None:
    winners: Counter[str | None] = Counter()
    cards: set[str] = set()
    for seed in range(40):
        rng = random.Random(seed)
        game = new_game(rng, 5, 2)
        while not game.over:
            game.apply(digger(rng, game))
        winners[game.winner] += 1
        cards |= set(game.played)
    assert winners["miners"] > 0 and winners["saboteurs"] > 0
    assert cards == set(ALL_CARDS)


class Follower:
    """A seat that keeps its own books from its events alone."""

    def __init__(self, game: ReferenceGame, seat: int) -> None:
        view = game.view(seat)
        self.seat, self.hand, self.board = seat, view["hand"], view["board"]
        self.hand_sizes, self.deck_left, self.broken = view["hand_sizes"], view["deck_left"], view["broken"]
        self.goals, self.looked, self.unseen = view["goals"], view["looked"], view["unseen"]

    def follow(self, event: Event) -> None:
        mover, move = event["seat"], event["move"]
        card, own = card_of(move), mover == self.seat
        if own:
            self.hand.remove(card)
        elif card != "?":
            self.unseen[card] -= 1
        if card in PATHS and "@" in move:
            self.board[cell_of(move)] = (card, move.endswith("r"))
        elif move.startswith("break:"):
            self.broken[int(move[-1])].add(card.removeprefix("break:"))
        elif move.startswith("fix:"):
            self.broken[int(move[-1])] -= event["mended"]
        elif move.startswith("rockfall"):
            assert self.board.pop(cell_of(move)) == event["removed"]
        elif move.startswith("map:"):
            goal = ["top", "middle", "bottom"].index(move.removeprefix("map:"))
            self.looked[mover].add(goal)
            if own:
                self.goals[goal] = event["seen"]
        if own and event["drew"] is not None:
            self.hand.append(event["drew"])
            self.unseen[event["drew"]] -= 1
        self.hand_sizes[mover] -= 0 if self.deck_left else 1
        self.deck_left -= 1 if self.deck_left else 0
        for goal, content in event["turned_up"].items():
            self.goals[goal] = content

    def agrees_with(self, game: ReferenceGame) -> None:
        view = game.view(self.seat)
        goals = set(GOAL_CELLS)
        assert {cell: tile for cell, tile in self.board.items() if cell not in goals} == {
            cell: tile for cell, tile in view["board"].items() if cell not in goals
        }
        assert (self.hand, self.hand_sizes, self.deck_left) == (view["hand"], view["hand_sizes"], view["deck_left"])
        assert (self.broken, self.goals, self.looked) == (view["broken"], view["goals"], view["looked"])
        assert +self.unseen == view["unseen"]


@pytest.mark.parametrize("player", [uniform, digger])
def test_events_tell_each_seat_enough_to_follow_the_game(player: Player) -> None:
    rng = random.Random(5)
    game = new_game(rng, 6, 2)
    followers = [Follower(game, seat) for seat in range(6)]
    while not game.over:
        for follower, event in zip(followers, game.apply(player(rng, game)), strict=True):
            follower.follow(event)
            follower.agrees_with(game)


def reshuffled(game: ReferenceGame, seat: int, rng: random.Random) -> ReferenceGame:
    """The same game with everything dealt anew that the seat cannot know."""
    other = copy.deepcopy(game)
    piles = [pile for piles in (other.hands, other.discards) for i, pile in enumerate(piles) if i != seat]
    piles.append(other.deck)
    hidden = [card for pile in piles for card in pile]
    rng.shuffle(hidden)
    for pile in piles:
        pile[:] = [hidden.pop() for _ in pile]
    seats = [i for i in range(len(other.roles)) if i != seat]
    roles = rng.sample([other.roles[i] for i in seats], len(seats))
    for i, role in zip(seats, roles, strict=True):
        other.roles[i] = role
    unknown = [goal for goal in range(3) if goal not in other.knows[seat]]
    contents = rng.sample([other.goals[goal] for goal in unknown], len(unknown))
    for goal, content in zip(unknown, contents, strict=True):
        other.goals[goal] = content
    for i in seats:
        other.knows[i] = {goal: other.goals[goal] for goal in other.knows[i]}
    return other


def test_views_and_events_hold_nothing_hidden() -> None:
    compared = 0
    for seed in range(4):
        rng = random.Random(seed)
        game = new_game(rng, 5, 2)
        while not game.over:
            move = uniform(rng, game)
            mover = game.to_move
            for seat in range(5):
                other = reshuffled(game, seat, rng)
                assert other.view(seat) == game.view(seat)
                if seat == mover:
                    assert other.legal_moves() == game.legal_moves()
                elif move in other.legal_moves():
                    # The same move by the same seat looks the same, unless it turns over goals that lie differently.
                    mine, theirs = copy.deepcopy(game).apply(move)[seat], other.apply(move)[seat]
                    if not mine["turned_up"]:
                        assert mine == theirs
                        compared += 1
            game.apply(move)
    assert compared > 100


def test_hidden_part_of_an_event_is_for_the_mover_alone() -> None:
    rng = random.Random(11)
    game = new_game(rng, 5, 2)
    kinds: set[str] = set()
    while not game.over:
        move, mover = uniform(rng, game), game.to_move
        assert mover is not None
        events = game.apply(move)
        assert [event["seat"] for event in events] == [mover] * 5
        assert events[mover]["move"] == move
        for seat, event in enumerate(events):
            if seat != mover:
                assert event["seen"] is None and event["drew"] is None
                assert event["move"] == ("discard:?" if move.startswith("discard:") else move)
        kinds.add(card_of(move).partition(":")[0])
    assert {"map", "rockfall", "break", "fix"} <= kinds
