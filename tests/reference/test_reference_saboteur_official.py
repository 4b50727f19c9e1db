"""The reference engine of Saboteur beyond `krisnadi`: rulesets `official` and `veldhuis`, talk, rounds and gold."""

from __future__ import annotations

import copy
import random
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace

import pytest

from .saboteur import (
    ALL_CARDS,
    KRISNADI,
    OFFICIAL,
    PATHS,
    VELDHUIS,
    Cell,
    IllegalMove,
    ReferenceGame,
    Rules,
    card_of,
    cell_of,
    claim_of,
    neighbour,
    new_deal,
    new_game,
    path_tile,
    target_of,
    tools_of,
)
from .saboteur_match import (
    GOLD_CARDS,
    MatchEvent,
    ReferenceMatch,
    counter_clockwise,
    deal_next,
    new_match,
    pay_pieces,
    pay_saboteurs,
    share_out,
)
from .saboteur_positions import GOLD_BOTTOM, GOLD_MIDDLE, GOLD_TOP, Positions, edges, lay_out, plays

TALKING = replace(OFFICIAL, talk=True)
TOP, MIDDLE, BOTTOM = OFFICIAL.goal_cells
ROCK2_MIDDLE = ("gold", "rock2", "rock1")


POSITIONS = Positions(OFFICIAL)
position, row, reach = POSITIONS.position, POSITIONS.row, POSITIONS.reach

# Tunnels to the cell before the goal in the middle, by the side of the goal from which the last card comes.
UPPER_ROW = ["P_SE@0,-1", *row(1, 7, -1)]
LOWER_ROW = ["P_SW@0,1r", *row(1, 7, 1)]
TO_MIDDLE: dict[str, tuple[list[str], str]] = {
    "W": (row(1, 6), "P_EW@7,0"),
    "N": (UPPER_ROW, "P_SW@8,-1"),
    "S": (LOWER_ROW, "P_SE@8,1r"),
    "E": ([*UPPER_ROW, "P_EW@8,-1", "P_SW@9,-1"], "P_SE@9,0r"),
}


# --- Rulesets ---------------------------------------------------------------------------------------------------------


def test_official_starts_at_0_0_with_goals_at_8_and_2_rows_apart() -> None:
    game = position(["map"])
    assert {cell: tile.card for cell, tile in game.board.items()} == {
        (0, 0): "start",
        (8, -2): "goal",
        (8, 0): "goal",
        (8, 2): "goal",
    }


def test_veldhuis_starts_at_2_6_with_goals_in_column_10() -> None:
    game = new_game(random.Random(0), 5, rules=VELDHUIS)
    assert {cell: tile.card for cell, tile in game.board.items()} == {
        (2, 6): "start",
        (10, 4): "goal",
        (10, 6): "goal",
        (10, 8): "goal",
    }


@pytest.mark.parametrize(
    ("field", "krisnadi", "official", "veldhuis"),
    [
        ("bounds", (0, 8, 0, 4), None, (0, 12, 0, 12)),
        ("start", (0, 2), (0, 0), (2, 6)),
        ("goal_cells", ((8, 0), (8, 2), (8, 4)), ((8, -2), (8, 0), (8, 2)), ((10, 4), (10, 6), (10, 8))),
        ("fewest_seats", 3, 3, 5),
        ("most_seats", 10, 10, 5),
        ("hidden_role", False, True, False),
        ("goals_fit", True, False, False),
        ("double_repair_mends_both", True, False, True),
        ("may_break_own", False, True, True),
        ("blocked_may_rockfall", True, True, True),
        ("stones_let_in", True, False, False),
        ("stones_face_entry", False, True, True),
        ("one_tool", False, False, True),
        ("talk", False, False, True),
        ("rounds", 1, 3, 3),
        ("payment", "pieces", "shares", "pieces"),
        ("first_seat", -1, -1, -1),
    ],
)
def test_rulesets_side_by_side(field: str, krisnadi: object, official: object, veldhuis: object) -> None:
    assert [getattr(rules, field) for rules in (KRISNADI, OFFICIAL, VELDHUIS)] == [krisnadi, official, veldhuis]
    assert Rules() == KRISNADI


@pytest.mark.parametrize("rules", [KRISNADI, OFFICIAL, VELDHUIS])
def test_every_ruleset_has_67_cards_of_which_40_path_cards(rules: Rules) -> None:
    assert rules.cards.total() == 67
    assert {card: count for card, count in rules.cards.items() if card in PATHS} == {
        card: count for card, (_, count) in PATHS.items()
    }


def test_veldhuis_has_9_block_9_deblock_3_rockfall_6_map() -> None:
    actions = {card: count for card, count in VELDHUIS.cards.items() if card not in PATHS}
    assert actions == {"block": 9, "deblock": 9, "rockfall": 3, "map": 6}
    assert OFFICIAL.cards == ALL_CARDS


@pytest.mark.parametrize(
    ("seats", "miners", "saboteurs", "hand"),
    [
        (3, 3, 1, 6),
        (4, 4, 1, 6),
        (5, 4, 2, 6),
        (6, 5, 2, 5),
        (7, 5, 3, 5),
        (8, 6, 3, 4),
        (9, 7, 3, 4),
        (10, 7, 4, 4),
    ],
)
def test_official_role_cards_and_hands_by_the_number_of_players(
    seats: int, miners: int, saboteurs: int, hand: int
) -> None:
    assert OFFICIAL.saboteurs_for(seats) == saboteurs
    assert seats + 1 - saboteurs == miners
    found: set[int] = set()
    for seed in range(60):
        game = new_game(random.Random(seed), seats, rules=OFFICIAL)
        assert len(game.roles) == seats and set(game.roles) <= {"miner", "saboteur"}
        assert [len(cards) for cards in game.hands] == [hand] * seats
        assert sum(map(Counter, game.hands), Counter(game.deck)) == ALL_CARDS
        assert [game.view(seat)["saboteurs"] for seat in range(seats)] == [saboteurs] * seats
        found.add(game.roles.count("saboteur"))
    # One card stays unseen: a miner's or a saboteur's. Nobody is told how many saboteurs play.
    assert found == {saboteurs - 1, saboteurs}


def test_unseen_role_card_is_any_of_the_cards() -> None:
    # Three players, four cards, one of them a saboteur's: it stays unseen in a quarter of the games.
    deals = [new_deal(random.Random(seed), 3, 1, OFFICIAL) for seed in range(400)]
    roles = Counter(tuple(deal.roles) for deal in deals)
    assert len(roles) == 4
    assert all(60 < count < 140 for count in roles.values())


def test_number_of_saboteurs_is_that_of_the_cards_or_one_less() -> None:
    deal = new_deal(random.Random(0), 5, 2, KRISNADI)
    for count in range(6):
        roles = ["saboteur"] * count + ["miner"] * (5 - count)
        if count in (1, 2):
            game = ReferenceGame(OFFICIAL, roles, deal.goals, deal.hands, deal.deck, 0)
            assert game.view(4)["saboteurs"] == 2
        else:
            with pytest.raises(ValueError, match="one role card unseen"):
                ReferenceGame(OFFICIAL, roles, deal.goals, deal.hands, deal.deck, 0)


def test_given_number_of_saboteur_cards_with_a_hidden_role() -> None:
    rules = replace(OFFICIAL, saboteurs=3)
    games = [new_game(random.Random(seed), 4, rules=rules) for seed in range(40)]
    assert {game.roles.count("saboteur") for game in games} == {2, 3}
    assert {game.view(0)["saboteurs"] for game in games} == {3}


def test_veldhuis_is_three_miners_and_two_saboteurs_known_to_all_with_six_cards_each() -> None:
    for seed in range(20):
        game = new_game(random.Random(seed), 5, rules=VELDHUIS)
        assert Counter(game.roles) == {"miner": 3, "saboteur": 2}
        assert game.view(0)["saboteurs"] == 2
        assert [len(hand) for hand in game.hands] == [6] * 5
        assert (
            sum(map(Counter, game.hands), Counter(game.deck))
            == VELDHUIS.cards
            == game.view(0)["unseen"] + Counter(game.hands[0])
        )


@pytest.mark.parametrize(
    ("rules", "seats"), [(VELDHUIS, 4), (VELDHUIS, 6), (OFFICIAL, 2), (OFFICIAL, 11), (KRISNADI, 2)]
)
def test_number_of_players_that_a_ruleset_is_not_for(rules: Rules, seats: int) -> None:
    with pytest.raises(ValueError, match="players"):
        new_game(random.Random(0), seats, rules=rules)
    with pytest.raises(ValueError, match="players"):
        new_match(random.Random(0), seats, rules)


def test_krisnadi_table_of_saboteurs_is_unchanged() -> None:
    assert [KRISNADI.saboteurs_for(seats) for seats in range(3, 11)] == [1, 1, 2, 2, 3, 3, 3, 3]
    assert {new_game(random.Random(seed), 10).roles.count("saboteur") for seed in range(20)} == {3}


def test_starting_seat_is_random_or_named() -> None:
    assert {new_match(random.Random(seed), 4, OFFICIAL).to_move for seed in range(60)} == {0, 1, 2, 3}
    named = replace(OFFICIAL, first_seat=2)
    assert {new_match(random.Random(seed), 4, named).to_move for seed in range(20)} == {2}


# --- Board: bounds ----------------------------------------------------------------------------------------------------


def test_official_maze_grows_in_every_direction_also_to_negative_cells() -> None:
    game = position(["P_NESW", "P_NSE"])
    assert game.reachable() == {(0, -1), (-1, 0), (1, 0), (0, 1)}
    assert plays(game, "-1,0") == {"P_NESW@-1,0", "P_NSE@-1,0"}
    assert plays(game, "0,-1") == {"P_NESW@0,-1", "P_NSE@0,-1", "P_NSE@0,-1r"}
    game.apply("P_NSE@0,-1r")
    assert game.board[0, -1].turned and edges(game, (0, -1)) == "NSW"
    assert game.reachable() == {(-1, 0), (1, 0), (0, 1), (0, -2), (-1, -1)}


@pytest.mark.parametrize(("edge", "card"), [("W", "P_EW"), ("N", "P_NS"), ("S", "P_NS")])
def test_official_maze_has_no_end(edge: str, card: str) -> None:
    game = position([card] * 25, others=[[], [], []])
    cell = neighbour((0, 0), edge)
    for _ in range(25):
        game.apply(f"{card}@{cell[0]},{cell[1]}")
        cell = neighbour(cell, edge)
    assert cell in game.reachable() and max(map(abs, cell)) == 26


def test_official_maze_goes_on_beyond_the_goals() -> None:
    game = position(["P_EW"], ["P_SE@0,-1", *row(1, 9, -1)], others=[[], [], []])
    assert (10, -1) in game.reachable()
    game.apply("P_EW@10,-1")
    assert (11, -1) in game.reachable()


def test_cell_of_a_move_may_be_negative() -> None:
    assert cell_of("P_NSE@3,-2") == (3, -2)
    assert cell_of("P_NSE@-1,4r") == (-1, 4)
    assert cell_of("rockfall@-3,-1") == (-3, -1)


def test_cells_outside_the_bounds_are_no_cells() -> None:
    # Veldhuis: columns 0 to 12, rows 0 to 12; two cells behind the start, two beyond the goals.
    others: list[list[str]] = [["map"]] * 4
    roles = ["saboteur", "saboteur", "miner", "miner", "miner"]
    game = ReferenceGame(VELDHUIS, roles, list(GOLD_TOP), [["P_EW", "P_NS", "P_NESW"], *others], [], 0)
    lay_out(game, ["P_EW@1,6", "P_NESW@0,6", *[f"P_NS@2,{y}" for y in range(6)]])
    lay_out(game, ["P_NS@2,7", "P_SW@2,8r", *row(3, 11, 8), "P_NESW@12,8"])
    assert game.reachable() == {(3, 6), (0, 5), (0, 7), (12, 7), (12, 9)}
    assert plays(game, "-1,6") == plays(game, "2,-1") == plays(game, "13,8") == set()


def test_krisnadi_board_is_9_by_5() -> None:
    game = position(["P_NESW"], ["P_NS@0,1", "P_NESW@0,0"], rules=KRISNADI)
    assert game.reachable() == {(1, 0), (1, 2), (0, 3)}


# --- Goals that lie face down are silent ------------------------------------------------------------------------------


@pytest.mark.parametrize("rules", [OFFICIAL, VELDHUIS])
def test_face_down_goal_does_not_count_for_the_fit(rules: Rules) -> None:
    x, y = rules.start
    tunnel = [f"P_EW@{x + step},{y}" for step in range(1, 7)]
    hand = ["P_EW", "P_SW", "P_SE", "P_NSE", "D_E"]
    roles = ["saboteur", "saboteur", "miner", "miner", "miner"]
    game = ReferenceGame(rules, roles, list(GOLD_TOP), [hand, *([["map"]] * 4)], [], 0)
    lay_out(game, tunnel)
    assert plays(game, f"{x + 7},{y}") == {
        f"{card}@{x + 7},{y}{turned}"
        for card, turned in [("P_EW", ""), ("P_SW", ""), ("P_SE", "r"), ("P_NSE", "r"), ("D_E", "r")]
    }


def test_card_with_a_wall_towards_a_face_down_goal_does_not_reach_it() -> None:
    game = position(["P_SW", "map"], row(1, 6))
    assert game.apply("P_SW@7,0")[0]["turned_up"] == {}


def test_dead_end_before_a_goal_does_not_reach_it() -> None:
    game = position(["D_EW", "map"], row(1, 6))
    assert game.apply("D_EW@7,0")[0]["turned_up"] == {}
    assert (7, 0) in game.joined() and not any(game.face_up)


def test_face_down_goal_passes_no_tunnel_on() -> None:
    # A card behind the goal in the middle is joined to nothing while the goal lies face down.
    game = position(["P_NS", "P_EW"], ["P_NS@8,1", "P_EW@9,0"])
    assert game.joined() == {(0, 0)}
    assert (10, 0) not in game.reachable()


def test_path_card_between_two_face_down_goals_may_show_walls_to_both() -> None:
    game = position(["P_EW"], UPPER_ROW)
    assert "P_EW@8,-1" in plays(game)
    game.apply("P_EW@8,-1")
    assert game.face_up == [False, False, False] and (9, -1) in game.reachable()


def test_path_card_needs_an_open_edge_at_a_tunnel_joined_to_the_start() -> None:
    # (1,1) touches the straight tunnel at (1,0) at its wall, and a cut-off tunnel at (2,1): neither is enough.
    game = position(["P_EW", "P_NS"], [*row(1, 1), "P_EW@2,1"])
    assert plays(game, "1,1") == set()
    # A dead-end carries no connection.
    assert plays(position(["P_EW"], ["D_EW@1,0"]), "2,0") == set()


def test_every_touching_edge_fits() -> None:
    game = position(["P_EW", "P_SW", "P_NESW"], [*row(1, 1), "P_NS@2,1"])
    assert plays(game, "2,0") == {"P_SW@2,0", "P_NESW@2,0"}


# --- Stones: turned towards the card that reached them ----------------------------------------------------------------


@pytest.mark.parametrize(
    ("stone", "side", "expected"),
    [
        ("rock1", "N", "NE"),
        ("rock1", "E", "NE"),
        ("rock1", "S", "SW"),
        ("rock1", "W", "SW"),
        ("rock2", "N", "NW"),
        ("rock2", "E", "ES"),
        ("rock2", "S", "ES"),
        ("rock2", "W", "NW"),
    ],
)
def test_stone_opens_towards_the_card_that_reached_it(stone: str, side: str, expected: str) -> None:
    game = reach(TO_MIDDLE[side], GOLD_BOTTOM if stone == "rock1" else ROCK2_MIDDLE)
    assert game.face_up == [False, True, False]
    assert game.board[MIDDLE].card == stone
    assert edges(game, MIDDLE) == expected and side in expected
    assert game.board[MIDDLE].turned == (expected in ("NE", "NW"))
    assert MIDDLE in game.joined()
    (other,) = set(expected) - {side}
    beyond = neighbour(MIDDLE, other)
    assert beyond in game.reachable() | set(game.board)


@pytest.mark.parametrize("side", "NESW")
def test_gold_is_an_open_cross_from_every_side(side: str) -> None:
    game = reach(TO_MIDDLE[side], GOLD_MIDDLE)
    assert (game.winner, edges(game, MIDDLE), game.board[MIDDLE].turned) == ("miners", "NESW", False)


# A loop from the card at (7,0) to a second side of the goal in the middle.
LOOP_BELOW = ["P_SW@7,1r", "P_SE@8,1r"]
LOOP_ABOVE = ["P_SE@7,-1", "P_SW@8,-1"]


def test_card_just_laid_counts_before_other_tunnels_that_open_onto_the_goal() -> None:
    # The card at (7,0) opens onto the goal from the left and joins a loop that opens onto it from below, or from above.
    below = reach((row(1, 6), "P_EWN@7,0r"), ROCK2_MIDDLE, LOOP_BELOW)
    assert below.openings()[MIDDLE] == {"W": (7, 0), "S": (8, 1)}
    assert edges(below, MIDDLE) == "NW"
    above = reach((row(1, 6), "P_EWN@7,0"), GOLD_BOTTOM, LOOP_ABOVE)
    assert edges(above, MIDDLE) == "SW"


def test_first_side_in_the_order_n_e_s_w_counts_if_the_card_just_laid_is_no_neighbour() -> None:
    below = reach((row(1, 5), "P_EW@6,0"), ROCK2_MIDDLE, ["P_EWN@7,0r", *LOOP_BELOW])
    assert edges(below, MIDDLE) == "ES"
    above = reach((row(1, 5), "P_EW@6,0"), GOLD_BOTTOM, ["P_EWN@7,0", *LOOP_ABOVE])
    assert edges(above, MIDDLE) == "NE"
    both = reach((row(1, 5), "P_EW@6,0"), ROCK2_MIDDLE, ["P_NESW@7,0", *LOOP_ABOVE, *LOOP_BELOW])
    assert edges(both, MIDDLE) == "NW"


def test_card_just_laid_does_not_count_where_it_shows_the_goal_a_wall() -> None:
    # The bend at (7,0) leads down and around: the goal is reached from below, not from the left.
    game = reach((row(1, 6), "P_SW@7,0"), ROCK2_MIDDLE, LOOP_BELOW)
    assert edges(game, MIDDLE) == "ES"


def test_dead_end_that_opens_onto_the_goal_is_no_entry() -> None:
    # From above a dead-end opens onto the goal; the stone is turned towards the tunnel on its left all the same.
    game = reach(TO_MIDDLE["W"], GOLD_BOTTOM, ["D_NS@8,-1"])
    assert edges(game, MIDDLE) == "SW"


def test_without_entry_facing_a_stone_is_turned_by_the_cards_above_and_below() -> None:
    rules = replace(OFFICIAL, stones_face_entry=False, dead_ends_turn_stones=True)
    assert edges(reach(TO_MIDDLE["W"], ROCK2_MIDDLE, rules=rules), MIDDLE) == "ES"
    assert edges(reach(TO_MIDDLE["W"], GOLD_BOTTOM, ["D_NS@8,-1"], rules), MIDDLE) == "NE"
    assert edges(reach(TO_MIDDLE["N"], ROCK2_MIDDLE, rules=rules), MIDDLE) == "ES"


def test_entry_facing_stones_where_face_down_goals_are_open_crosses() -> None:
    # The krisnadi board: the goal in the middle passes the tunnel on, so the top is reached in the same pass, from below.
    rules = replace(KRISNADI, stones_face_entry=True)
    tunnel = [f"P_EW@{x},2" for x in range(1, 7)]
    game = position(["P_EW", "map"], [*tunnel, "P_NS@8,1"], ["rock2", "rock1", "gold"], rules=rules)
    game.apply("P_EW@7,2")
    assert game.face_up == [True, True, False]
    assert (edges(game, (8, 0)), edges(game, (8, 2))) == ("ES", "SW")


def test_stone_may_break_the_fit_with_its_other_neighbours_and_carries_no_tunnel_there() -> None:
    # ROCK2 reached from the left lies NW: its lower wall meets the open edge of (8,1), its open edge the wall of (8,-1).
    game = reach(TO_MIDDLE["W"], ROCK2_MIDDLE, ["P_NS@8,1", "P_EW@8,-1"])
    assert edges(game, MIDDLE) == "NW"
    assert not {(8, 1), (8, -1)} & game.joined()
    assert game.face_up == [False, True, False]


def test_stone_that_fits_none_of_its_other_neighbours_turns_over_all_the_same() -> None:
    game = reach(TO_MIDDLE["W"], ROCK2_MIDDLE, ["P_NS@8,1", "P_EW@8,-1", "P_EW@9,0"])
    beside = {edge: game.board[neighbour(MIDDLE, edge)] for edge in "NES"}
    opposite = {"N": "S", "E": "W", "S": "N"}
    assert all((edge in edges(game, MIDDLE)) != (opposite[edge] in tile.open) for edge, tile in beside.items())
    assert not game.over and (7, 0) in game.joined()


@pytest.mark.parametrize("lets_in", [False, True])
def test_edges_at_a_stone_that_do_not_match_carry_no_tunnel_unless_stones_let_in(lets_in: bool) -> None:
    # ROCK2 lies NW. A rockfall cuts its tunnel, and another tunnel comes to its lower wall.
    rules = replace(OFFICIAL, stones_let_in=True) if lets_in else OFFICIAL
    game = reach(TO_MIDDLE["W"], ROCK2_MIDDLE, [*LOWER_ROW, "P_SE@8,1r"], rules)
    del game.board[7, 0]
    assert (8, 1) in game.joined() and MIDDLE in game.opened()
    assert (MIDDLE in game.joined()) == lets_in
    assert ((8, -1) in game.reachable()) == lets_in


def test_open_stone_counts_for_the_fit_of_later_cards() -> None:
    # ROCK1 in the middle lies SW: open below, a wall above.
    game = reach(TO_MIDDLE["W"], GOLD_BOTTOM, UPPER_ROW)
    game.hands[1] = ["P_NS", "P_SE", "P_SW", "P_EW", "P_NSE"]
    assert plays(game, "8,1") == {"P_NS@8,1", "P_SE@8,1r", "P_SW@8,1r", "P_NSE@8,1", "P_NSE@8,1r"}
    assert plays(game, "8,-1") == {"P_SE@8,-1r", "P_EW@8,-1"}


def test_open_stone_is_not_turned_again() -> None:
    game = reach(TO_MIDDLE["W"], ROCK2_MIDDLE, LOWER_ROW)
    before = game.board[MIDDLE]
    game.hands[1] = ["P_SW", "P_NSE"]
    # A card that would open up onto the stone does not fit its wall.
    assert plays(game, "8,1") == {"P_SW@8,1"}
    assert game.apply("P_SW@8,1")[0]["turned_up"] == {2: "rock1"}
    assert game.board[MIDDLE] == before


# --- Goals: several at once, one through another ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("goals", "top", "middle"),
    [(("rock2", "rock1", "gold"), "ES", "NE"), (("rock1", "rock2", "gold"), "SW", "NW")],
)
def test_one_card_reaches_two_stones(goals: Sequence[str], top: str, middle: str) -> None:
    game = position(["P_NSE", "map"], UPPER_ROW, goals)
    events = game.apply("P_NSE@8,-1r")
    assert [event["turned_up"] for event in events] == [{0: goals[0], 1: goals[1]}] * 4
    assert (edges(game, TOP), edges(game, MIDDLE)) == (top, middle)
    assert not game.over


def test_one_card_reaches_the_gold_and_a_stone_and_both_turn_over() -> None:
    for goals in [("gold", "rock1", "rock2"), ("rock1", "gold", "rock2")]:
        game = position(["P_NSE", "map"], UPPER_ROW, goals)
        assert game.apply("P_NSE@8,-1r")[0]["turned_up"] == {0: goals[0], 1: goals[1]}
        assert game.winner == "miners"


def test_tunnels_go_on_through_a_stone() -> None:
    game = reach(TO_MIDDLE["W"], GOLD_BOTTOM)
    assert (8, 1) in game.reachable()
    game.hands[1] = ["P_NS"]
    assert game.apply("P_NS@8,1")[0]["turned_up"] == {2: "gold"}
    assert game.winner == "miners"


def test_goal_behind_a_stone_turns_over_in_the_same_turn() -> None:
    # ROCK1 in the middle lies SW and opens onto a card that was cut off; that card leads to the goal at the bottom.
    game = position(["P_EW", "map"], [*row(1, 6), "P_NS@8,1"], ["gold", "rock1", "rock2"])
    assert game.apply("P_EW@7,0")[0]["turned_up"] == {1: "rock1", 2: "rock2"}
    assert (edges(game, MIDDLE), edges(game, BOTTOM)) == ("SW", "NW")
    assert not game.over


def test_gold_behind_a_stone_wins_in_the_same_turn() -> None:
    game = position(["P_EW", "map"], [*row(1, 6), "P_NS@8,1"], GOLD_BOTTOM)
    assert game.apply("P_EW@7,0")[0]["turned_up"] == {1: "rock1", 2: "gold"}
    assert game.winner == "miners"


def test_gold_passes_nothing_on_in_the_same_turn() -> None:
    game = position(["P_EW", "map"], [*row(1, 6), "P_NS@8,1"], GOLD_MIDDLE)
    assert game.apply("P_EW@7,0")[0]["turned_up"] == {1: "gold"}
    assert game.face_up == [False, True, False]


def test_tunnel_goes_on_through_one_stone_after_the_other() -> None:
    # ROCK1 at the top lies SW, leads down to ROCK2 in the middle, which lies NW and leads around to the bottom.
    tunnel = ["P_NS@0,-1", "P_SE@0,-2", *row(1, 6, -2)]
    behind = ["P_NS@8,-1", "P_SE@7,0", "P_SW@7,1r", "P_SW@8,1"]
    game = position(["P_EW", "map"], [*tunnel, *behind], ["rock1", "rock2", "gold"])
    assert game.apply("P_EW@7,-2")[0]["turned_up"] == {0: "rock1", 1: "rock2", 2: "gold"}
    assert (edges(game, TOP), edges(game, MIDDLE)) == ("SW", "NW")


def test_goals_of_one_pass_are_judged_by_the_tunnels_as_they_were() -> None:
    # One card joins a tunnel to the middle (ROCK1, entered from the left) and one to the bottom (ROCK2, from the right).
    # ROCK1 then also opens down towards the bottom, from above; but the bottom was judged before.
    to_bottom = ["P_NS@6,1", "P_NS@6,2", "P_SW@6,3r", *row(7, 8, 3), "P_SE@9,3r", "P_SW@9,2"]
    tiles = [*row(1, 5), "P_EW@7,0", "P_NS@8,1", *to_bottom]
    game = position(["P_EWN", "map"], tiles, ["gold", "rock1", "rock2"])
    assert game.apply("P_EWN@6,0r")[0]["turned_up"] == {1: "rock1", 2: "rock2"}
    assert (edges(game, MIDDLE), edges(game, BOTTOM)) == ("SW", "ES")


def test_goals_turn_over_only_after_a_path_card() -> None:
    game = position(["map", "rockfall"], row(1, 7), others=[[], [], []])
    game.apply("map:middle")
    assert game.face_up == [False, False, False]
    game.hands[0].append("P_NS")
    game.apply("discard:P_NS")
    assert game.face_up == [False, False, False]


def test_goal_turns_over_after_the_draw() -> None:
    game = position(["P_EW"], row(1, 6), GOLD_MIDDLE, deck=["rockfall", "map"])
    assert game.apply("P_EW@7,0")[0]["drew"] == "rockfall"
    assert game.winner == "miners" and game.deck == ["map"]


# --- Rockfall ---------------------------------------------------------------------------------------------------------


def test_rockfall_removes_any_path_card_but_neither_start_nor_goals() -> None:
    game = reach(TO_MIDDLE["W"], GOLD_BOTTOM, ["D_N@-1,-3"])
    game.hands[1] = ["rockfall"]
    assert plays(game) == {f"rockfall@{x},0" for x in range(1, 8)} | {"rockfall@-1,-3"}


def test_rockfall_that_cuts_the_tunnel_takes_its_ends_away_and_leaves_goals_open() -> None:
    game = reach(TO_MIDDLE["W"], GOLD_BOTTOM)
    assert (8, 1) in game.reachable()
    game.hands[1] = ["rockfall"]
    assert game.apply("rockfall@4,0")[0]["removed"] == ("P_EW", False)
    assert game.joined() == {(x, 0) for x in range(4)}
    assert game.reachable() == {(0, -1), (-1, 0), (0, 1), (4, 0)}
    assert game.face_up == [False, True, False] and game.board[MIDDLE].card == "rock1"
    # Joined again, the tunnel goes on through the stone as before.
    game.hands[2] = ["P_EW"]
    game.apply("P_EW@4,0")
    assert (8, 1) in game.reachable()


def test_blocked_player_may_play_a_rockfall_by_all_three_rulesets() -> None:
    assert KRISNADI.blocked_may_rockfall and OFFICIAL.blocked_may_rockfall and VELDHUIS.blocked_may_rockfall
    game = position(["rockfall", "P_EW"], ["P_NS@0,1"])
    game.broken[0] = {"cart"}
    assert plays(game) == {"rockfall@0,1"}


# --- Tools ------------------------------------------------------------------------------------------------------------


def test_official_broken_tool_goes_in_front_of_anybody_with_that_tool_whole_oneself_included() -> None:
    game = position(["break:cart", "P_EW"], others=[["map"], ["map"], ["map"]])
    game.broken[1] = {"cart"}
    game.broken[2] = {"lantern"}
    assert {move for move in plays(game) if ">" in move} == {"break:cart>0", "break:cart>2", "break:cart>3"}
    game.apply("break:cart>0")
    assert game.broken == [{"cart"}, {"cart"}, {"lantern"}, set()]


def test_player_with_his_own_tool_broken_lays_no_path_card() -> None:
    game = position(["break:cart", "P_EW"], others=[[], [], []])
    assert "P_EW@1,0" in plays(game)
    game.apply("break:cart>0")
    assert plays(game) == set() and game.legal_moves() == ["discard:P_EW"]


def test_official_double_repair_mends_one_of_its_two_tools() -> None:
    game = position(["fix:cart+lantern", "fix:pickaxe"])
    game.broken = [{"pickaxe"}, {"cart", "lantern"}, {"lantern", "pickaxe"}, set()]
    assert plays(game) == {
        "fix:cart+lantern>1/cart",
        "fix:cart+lantern>1/lantern",
        "fix:cart+lantern>2/lantern",
        "fix:pickaxe>0/pickaxe",
        "fix:pickaxe>2/pickaxe",
    }
    assert game.apply("fix:cart+lantern>1/lantern")[3]["mended"] == {"lantern"}
    assert game.broken[1] == {"cart"}


def test_double_repair_without_a_named_tool_is_no_official_move() -> None:
    game = position(["fix:cart+lantern"])
    game.broken[1] = {"cart", "lantern"}
    with pytest.raises(IllegalMove):
        game.apply("fix:cart+lantern>1")


def one_tool_position(hand: Sequence[str], tiles: Iterable[str] = (), rules: Rules = VELDHUIS) -> ReferenceGame:
    roles = ["saboteur", "saboteur", "miner", "miner", "miner"]
    game = ReferenceGame(rules, roles, list(GOLD_TOP), [list(hand), *([["map"]] * 4)], [], 0)
    lay_out(game, tiles)
    return game


def test_veldhuis_block_goes_in_front_of_anybody_not_blocked_oneself_included() -> None:
    game = one_tool_position(["block", "P_EW"])
    game.broken[3] = {"block"}
    assert {move for move in plays(game) if ">" in move} == {"block>0", "block>1", "block>2", "block>4"}
    assert game.apply("block>2")[2]["move"] == "block>2"
    assert game.broken == [set(), set(), {"block"}, {"block"}, set()]


def test_block_spares_oneself_where_nobody_may_break_his_own_tool() -> None:
    game = one_tool_position(["block"], rules=replace(VELDHUIS, may_break_own=False))
    assert plays(game) == {"block>1", "block>2", "block>3", "block>4"}


def test_veldhuis_player_has_at_most_one_block_and_a_deblock_takes_it_away() -> None:
    game = one_tool_position(["deblock", "block"])
    game.broken = [{"block"}, set(), {"block"}, set(), set()]
    assert plays(game) == {"deblock>0", "deblock>2", "block>1", "block>3", "block>4"}
    assert [event["mended"] for event in game.apply("deblock>2")] == [{"block"}] * 5
    assert game.broken == [{"block"}, set(), set(), set(), set()]


@pytest.mark.parametrize("mends_both", [True, False])
def test_deblock_names_no_tool(mends_both: bool) -> None:
    game = one_tool_position(["deblock"], rules=replace(VELDHUIS, double_repair_mends_both=mends_both))
    game.broken[4] = {"block"}
    assert plays(game) == {"deblock>4"}


def test_veldhuis_blocked_player_lays_no_path_card() -> None:
    game = one_tool_position(["P_EW", "rockfall", "map"], ["P_NS@2,7"])
    assert "P_EW@3,6" in plays(game)
    game.broken[0] = {"block"}
    assert plays(game) == {"rockfall@2,7", "map:top", "map:middle", "map:bottom"}


def test_block_and_deblock_may_be_discarded() -> None:
    game = one_tool_position(["block", "deblock"])
    events = game.apply("discard:deblock")
    assert [event["move"] for event in events] == ["discard:deblock"] + ["discard:?"] * 4
    assert game.broken == [set()] * 5 and game.discards[0] == ["deblock"]
    assert game.view(0)["unseen"]["deblock"] == 8 and game.view(1)["unseen"]["deblock"] == 9


# --- Talk -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("rules", [KRISNADI, OFFICIAL])
def test_nobody_talks_by_krisnadi_and_official(rules: Rules) -> None:
    game = position(["map", "map"], rules=rules)
    game.apply("map:top")
    assert game.to_move == 1 and game.view(0)["must_claim"] is None


@pytest.mark.parametrize("goal", ["top", "middle", "bottom"])
def test_player_of_a_map_draws_and_then_must_claim_about_the_goal_he_looked_at(goal: str) -> None:
    game = position(["map", "P_EW"], deck=["rockfall", "D_N"], rules=TALKING)
    assert game.apply(f"map:{goal}")[0]["drew"] == "rockfall"
    assert (game.to_move, game.turn, game.hands[0]) == (0, 1, ["P_EW", "rockfall"])
    assert game.legal_moves() == [f"claim:{goal}=gold", f"claim:{goal}=stone"]
    assert all(game.view(seat)["must_claim"] == ["top", "middle", "bottom"].index(goal) for seat in range(4))


@pytest.mark.parametrize("claimed", ["gold", "stone"])
@pytest.mark.parametrize("goal", [0, 1])
def test_claim_may_be_the_truth_or_a_lie_and_is_public(goal: int, claimed: str) -> None:
    game = position(["map", "P_EW"], deck=["rockfall", "D_N"], rules=TALKING)
    name = ("top", "middle")[goal]
    seen = game.apply(f"map:{name}")
    assert [event["seen"] for event in seen] == [GOLD_TOP[goal], None, None, None]
    assert [event["claim"] for event in seen] == [None] * 4
    events = game.apply(f"claim:{name}={claimed}")
    assert [event["claim"] for event in events] == [(goal, claimed)] * 4
    assert {(event["seat"], event["move"], event["seen"], event["drew"]) for event in events} == {
        (0, f"claim:{name}={claimed}", None, None)
    }
    assert all(game.view(seat)["claims"][0][goal] == claimed for seat in range(4))
    assert [game.view(seat)["goals"][goal] for seat in range(4)] == [GOLD_TOP[goal], None, None, None]


def test_claim_takes_no_card_draws_none_counts_as_a_turn_and_then_play_passes_on() -> None:
    game = position(["map", "P_EW"], deck=["rockfall", "D_N"], rules=TALKING)
    game.apply("map:top")
    before = (list(game.hands[0]), list(game.deck), list(game.played), copy.deepcopy(game.discards))
    game.apply("claim:top=stone")
    assert (game.hands[0], game.deck, game.played, game.discards) == before
    assert (game.turn, game.to_move, game.view(1)["must_claim"]) == (2, 1, None)
    assert "map:top" in plays(game)


def test_claims_are_kept_for_every_seat_and_goal_and_the_latest_counts() -> None:
    game = position(["map", "map", "map"], others=[["map"], ["P_EW"], ["P_EW"]], rules=TALKING)
    for move in ["map:top", "claim:top=gold", "map:top", "claim:top=stone", "discard:P_EW", "discard:P_EW"]:
        game.apply(move)
    nothing = [None, None, None]
    assert game.view(2)["claims"] == [["gold", None, None], ["stone", None, None], nothing, nothing]
    for move in ["map:top", "claim:top=stone", "map:bottom", "claim:bottom=gold"]:
        game.apply(move)
    assert game.view(3)["claims"] == [["stone", None, "gold"], ["stone", None, None], nothing, nothing]


def test_view_is_a_copy_that_later_moves_do_not_change() -> None:
    game = position(["map", "map"], rules=TALKING)
    game.apply("map:top")
    view = game.view(1)
    before = copy.deepcopy(view)
    game.apply("claim:top=gold")
    assert view == before and view["claims"][0] == [None, None, None]


def test_discarded_map_asks_for_no_claim() -> None:
    game = position(["map", "map"], rules=TALKING)
    game.apply("discard:map")
    assert game.to_move == 1 and game.must_claim is None


def test_other_cards_ask_for_no_claim() -> None:
    game = position(["P_EW", "map"], rules=TALKING)
    game.apply("P_EW@1,0")
    assert game.to_move == 1 and game.must_claim is None


@pytest.mark.parametrize("move", ["claim:middle=gold", "claim:top=rock1", "map:top", "discard:map", "claim:top"])
def test_nothing_but_the_two_claims_is_legal_after_a_map(move: str) -> None:
    game = position(["map", "map"], rules=TALKING)
    game.apply("map:top")
    before = copy.deepcopy(vars(game))
    with pytest.raises(IllegalMove):
        game.apply(move)
    assert vars(game) == before


def test_claim_without_a_map_is_illegal() -> None:
    with pytest.raises(IllegalMove):
        position(["map"], rules=TALKING).apply("claim:top=gold")


def test_map_as_the_very_last_card_is_still_claimed_about_before_the_round_ends() -> None:
    game = position(["map"], others=[[], [], []], rules=TALKING)
    game.apply("map:top")
    assert not game.over and game.to_move == 0 and game.hands == [[], [], [], []]
    game.apply("claim:top=stone")
    assert game.over and game.winner == "saboteurs" and game.to_move is None and game.turn == 2


def test_player_without_cards_speaks_after_his_last_map_and_play_passes_to_the_next_with_cards() -> None:
    game = position(["map"], others=[[], ["map"], []], rules=TALKING)
    game.apply("map:top")
    game.apply("claim:top=gold")
    assert game.to_move == 2


def test_claim_of_names_the_goal_and_the_content() -> None:
    assert claim_of("claim:bottom=stone") == (2, "stone") and card_of("claim:bottom=stone") == ""


# --- Shares: the miners win -------------------------------------------------------------------------------------------


def roles_of(letters: str) -> list[str]:
    """Roles from letters, m and s."""
    return [{"m": "miner", "s": "saboteur"}[letter] for letter in letters]


def test_pack_goes_counter_clockwise_and_skips_saboteurs() -> None:
    assert counter_clockwise(roles_of("mmsm"), 1) == [1, 0, 3]
    assert counter_clockwise(roles_of("mmsm"), 2) == [1, 0, 3]


def test_three_players_two_passes() -> None:
    # Seat 1 takes 3, seat 0 takes 2, the saboteur is skipped, seat 1 takes 1.
    paid = share_out([1, 3, 2], roles_of("mms"), 1)
    assert paid.income == [2, 4, 0]
    assert paid.packs == [[2, 1], [3, 2, 1], []]
    assert paid.first_taker == 1


def test_four_players_none_of_them_a_saboteur() -> None:
    # 2, 1, 0, 3 in this order take 3, 2, 2, 1.
    paid = share_out([2, 1, 2, 3], roles_of("mmmm"), 2)
    assert paid.income == [2, 2, 3, 1]
    assert paid.packs == [[2, 1], [2, 2, 1], [3, 2, 2, 1], [1]]


def test_five_players_where_a_saboteur_laid_the_last_card() -> None:
    # Seat 3, a saboteur, reached the gold: seats 2, 0, 4 take 3, 2, 2, then seats 2 and 0 take 1 each.
    paid = share_out([2, 1, 3, 1, 2], roles_of("msmsm"), 3)
    assert paid.income == [3, 0, 4, 0, 2]
    assert paid.packs == [[2, 2, 1, 1], [], [3, 2, 2, 1, 1], [], [2, 1, 1]]
    assert paid.first_taker == 2


def test_ten_players_share_nine_cards() -> None:
    # Miners 0, 2, 4, 6, 8, 9; seat 4 begins: 4, 2, 0, 9, 8, 6 take 3 3 2 2 2 1, then 4, 2, 0 take 1 each.
    match = gold_match(roles_of("msmsmsmsmm"), 4, [1, 2, 3, 1, 2, 3, 1, 2, 1, 3, 1, 2])
    match.apply("P_EW@7,0")
    assert match.nuggets == [3, 0, 4, 0, 4, 0, 1, 0, 2, 2]
    assert match.gold == [3, 1, 2]
    assert match.paid[0].packs[6] == [1, 1, 1, 1]


@pytest.mark.parametrize(("seats", "drawn"), [(3, 3), (4, 4), (5, 5), (6, 6), (7, 7), (8, 8), (9, 9), (10, 9)])
def test_as_many_gold_cards_are_drawn_as_players_but_nine_with_ten(seats: int, drawn: int) -> None:
    saboteurs = OFFICIAL.saboteurs_for(seats)
    match = gold_match(["saboteur"] * saboteurs + ["miner"] * (seats - saboteurs), seats - 1, GOLD_CARDS)
    match.apply("P_EW@7,0")
    assert match.gold == GOLD_CARDS[drawn:]
    assert sum(match.nuggets) == sum(GOLD_CARDS[:drawn])


def test_fewer_gold_cards_are_drawn_if_fewer_are_left() -> None:
    match = gold_match(roles_of("mmsm"), 0, [1, 2])
    match.apply("P_EW@7,0")
    assert match.nuggets == [2, 0, 0, 1] and match.gold == []
    assert match.paid[0].packs == [[2, 1], [], [], [1]]


def test_gold_is_shared_by_who_laid_the_card_not_by_who_is_first_at_the_table() -> None:
    for seat, income in [(0, [3, 1, 0, 2]), (1, [2, 3, 0, 1]), (2, [2, 3, 0, 1]), (3, [1, 2, 0, 3])]:
        match = gold_match(roles_of("mmsm"), seat, [1, 2, 3])
        events = match.apply("P_EW@7,0")
        assert match.nuggets == income
        assert [event["paid"] for event in events] == income
        assert {event["first_taker"] for event in events} == {1 if seat == 2 else seat}


def gold_match(
    roles: list[str], mover: int, gold: Sequence[int], rules: Rules = OFFICIAL, goals: Sequence[str] = GOLD_MIDDLE
) -> ReferenceMatch:
    """A match in its first round, where `mover` can reach the goal in the middle with `P_EW@7,0`."""
    hands = [["P_EW", "map"] for _ in roles]
    match = ReferenceMatch(rules, len(roles), list(gold), roles, list(goals), hands, ["D_N"] * 4, mover)
    lay_out(match.game, row(1, 6))
    return match


# --- Shares: the saboteurs win ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("letters", "income"),
    [
        ("mms", [0, 0, 4]),
        ("smms", [3, 0, 0, 3]),
        ("smsmmsm", [3, 0, 3, 0, 0, 3, 0]),
        ("mmssmmssmm", [0, 0, 2, 2, 0, 0, 2, 2, 0, 0]),
        ("mmm", [0, 0, 0]),
    ],
)
def test_saboteurs_are_paid_4_alone_3_each_as_two_or_three_2_each_as_four(letters: str, income: list[int]) -> None:
    paid, left = pay_saboteurs(GOLD_CARDS, roles_of(letters))
    assert paid.income == income
    assert sum(left) == sum(GOLD_CARDS) - sum(income)
    assert paid.packs == [[] for _ in letters] and paid.first_taker is None


def test_saboteur_takes_the_largest_cards_not_above_what_is_owed() -> None:
    # Four are owed: 3, then 1; the pile that is left keeps its order.
    paid, left = pay_saboteurs([1, 2, 3, 1, 2], roles_of("sm"))
    assert (paid.income, left) == ([4, 0], [2, 1, 2])
    # Without threes: 2 and 2.
    assert pay_saboteurs([1, 2, 1, 2, 1], roles_of("sm"))[1] == [1, 1, 1]
    assert pay_saboteurs([1, 1, 1, 1, 1], roles_of("sm")) == (([4, 0], [[], []], None), [1])


def test_saboteurs_are_paid_in_the_order_of_seats() -> None:
    # Three are owed to each: seat 1 takes the 3, seat 2 takes 2 and 1, seat 3 takes the 1s that are left.
    paid, left = pay_saboteurs([1, 2, 3, 1], roles_of("msss"))
    assert (paid.income, left) == ([0, 3, 3, 1], [])


def test_saboteur_gets_less_when_no_card_suits() -> None:
    # Two are owed to each of four: 2, then 1 (a 3 is too much for the second nugget), then nothing.
    paid, left = pay_saboteurs([3, 1, 3, 2], roles_of("ssssmm"))
    assert (paid.income, left) == ([2, 1, 0, 0, 0, 0], [3, 3])
    assert pay_saboteurs([3, 3], roles_of("sm")) == (([3, 0], [[], []], None), [3])
    assert pay_saboteurs([], roles_of("sm"))[0].income == [0, 0]


# --- Rounds -----------------------------------------------------------------------------------------------------------


def exhausted_match(
    roles: list[str], last: int, gold: Sequence[int] = GOLD_CARDS, rules: Rules = OFFICIAL
) -> ReferenceMatch:
    """A match in which `last` discards the very last card of its first round with `discard:P_NS`."""
    hands: list[list[str]] = [[] for _ in roles]
    hands[last] = ["P_NS"]
    return ReferenceMatch(rules, len(roles), list(gold), roles, list(GOLD_TOP), hands, [], last)


def next_deal(roles: list[str], last: int | None = None) -> tuple[list[str], list[str], list[list[str]], list[str]]:
    """A round in which all but `last` discard nothing: only he, or each seat, has one card."""
    hands = [["P_NS"] if last in (seat, None) else [] for seat in range(len(roles))]
    return roles, list(GOLD_TOP), hands, []


def test_round_ends_with_the_gold_and_roles_are_shown_to_all() -> None:
    roles = roles_of("mmsm")
    match = gold_match(roles, 1, [1, 2, 3, 1, 2])
    assert [event["ended"] for event in match.apply("P_EW@7,0")] == ["gold"] * 4
    assert match.waiting and not match.over and match.to_move is None and match.legal_moves() == []
    assert [match.view(seat)["past_roles"] for seat in range(4)] == [[roles]] * 4
    assert match.view(0)["past_ended"] == ["gold"]


def test_round_ends_when_deck_and_all_hands_are_empty_and_the_saboteurs_are_paid() -> None:
    match = exhausted_match(roles_of("smsmm"), 2)
    events = match.apply("discard:P_NS")
    assert [(event["ended"], event["roles"]) for event in events] == [("exhausted", roles_of("smsmm"))] * 5
    assert [event["paid"] for event in events] == match.nuggets == [3, 0, 3, 0, 0]


def test_before_its_end_a_round_shows_no_roles_and_pays_nothing() -> None:
    match = gold_match(roles_of("mmsm"), 1, GOLD_CARDS, goals=GOLD_TOP)
    for event in match.apply("P_EW@7,0"):
        assert (event["ended"], event["roles"], event["paid"], event["pack"], event["first_taker"]) == (
            None,
            None,
            0,
            [],
            None,
        )
    assert match.view(2)["past_roles"] == [] and match.view(2)["role"] == "saboteur"


@pytest.mark.parametrize("payment", ["pieces", "shares"])
def test_round_without_saboteurs_in_which_the_cards_run_out_pays_nobody(payment: str) -> None:
    match = exhausted_match(roles_of("mmm"), 2, rules=replace(OFFICIAL, payment=payment))
    events = match.apply("discard:P_NS")
    assert match.game.winner == "saboteurs" and events[0]["ended"] == "exhausted"
    assert match.nuggets == [0, 0, 0] and match.gold == GOLD_CARDS


def test_round_without_saboteurs_that_finds_the_gold_pays_all() -> None:
    match = gold_match(roles_of("mmm"), 0, [3, 1, 2])
    match.apply("P_EW@7,0")
    assert match.nuggets == [3, 1, 2]


def test_pieces_are_one_for_every_member_of_the_winning_team() -> None:
    assert pay_pieces(roles_of("msmms"), "miners").income == [1, 0, 1, 1, 0]
    assert pay_pieces(roles_of("msmms"), "saboteurs").income == [0, 1, 0, 0, 1]
    match = exhausted_match(roles_of("msmms"), 0, rules=VELDHUIS)
    match.apply("discard:P_NS")
    assert match.nuggets == [0, 1, 0, 0, 1] and match.gold == GOLD_CARDS
    assert all(match.view(seat)["all_nuggets"] == [0, 1, 0, 0, 1] for seat in range(5))


@pytest.mark.parametrize("mover", [0, 1, 2, 3])
def test_left_neighbour_of_who_played_last_starts_the_next_round(mover: int) -> None:
    for match, move in [
        (gold_match(roles_of("mmsm"), mover, GOLD_CARDS), "P_EW@7,0"),
        (exhausted_match(roles_of("mmsm"), mover), "discard:P_NS"),
    ]:
        match.apply(move)
        match.deal(*next_deal(roles_of("smmm")))
        assert match.to_move == (mover + 1) % 4


def test_first_seat_of_the_rules_is_for_the_first_round_only() -> None:
    match = exhausted_match(roles_of("mmsm"), 2, rules=replace(OFFICIAL, first_seat=2))
    match.apply("discard:P_NS")
    match.deal(*next_deal(roles_of("smmm")))
    assert match.to_move == 3


def test_left_neighbour_of_who_claimed_last_starts_the_next_round() -> None:
    match = exhausted_match(roles_of("mmsm"), 1, rules=TALKING)
    match.game.hands[1] = ["map"]
    assert match.apply("map:top")[0]["ended"] is None
    assert not match.waiting
    assert match.apply("claim:top=gold")[0]["ended"] == "exhausted"
    match.deal(*next_deal(roles_of("mmsm")))
    assert match.to_move == 2


def test_everything_but_the_gold_is_dealt_anew() -> None:
    match = gold_match(roles_of("mmsm"), 1, [3, 1, 2, 1, 2, 2, 1], TALKING)
    match.game.broken = [{"cart"}, set(), {"lantern"}, set()]
    match.game.hands[1] = ["map", "P_EW"]
    for move in ["map:top", "claim:top=gold"]:
        match.apply(move)
    for _ in range(3):
        match.apply("discard:map")
    match.apply("P_EW@7,0")
    assert match.view(0)["claims"][1] == ["gold", None, None] and match.view(0)["looked"][1] == {0}
    match.deal(*new_deal(random.Random(3), 4, 1, TALKING))
    for seat in range(4):
        view = match.view(seat)
        assert view["round"] == 1 and view["turn"] == 0 and view["deck_left"] == 67 - 4 * 6
        assert view["broken"] == [set()] * 4 and view["looked"] == [set()] * 4
        assert view["claims"] == [[None] * 3] * 4
        assert view["goals"] == [None] * 3 and view["face_up"] == [False] * 3
        assert view["board"] == {(0, 0): ("start", False), **dict.fromkeys(OFFICIAL.goal_cells, ("goal", False))}
    # Four gold cards are gone; those that are left keep their order.
    assert match.gold == [2, 2, 1] and sum(match.nuggets) == 7


def test_used_gold_cards_do_not_come_back() -> None:
    # Round 1: the lone saboteur takes 3 and 1. Round 2: two of three cards for the miners. Round 3: 2 and 2.
    match = exhausted_match(roles_of("smm"), 0, [2, 3, 1, 2, 1, 1, 2, 2, 1])
    match.apply("discard:P_NS")
    assert (match.nuggets, match.gold) == ([4, 0, 0], [2, 2, 1, 1, 2, 2, 1])
    match.deal(roles_of("msm"), list(GOLD_MIDDLE), [["map"], ["P_EW"], ["map"]], [])
    lay_out(match.game, row(1, 6))
    match.apply("P_EW@7,0")  # seat 1, a saboteur: seats 0, 2, 0 take 2, 2, 1
    assert (match.nuggets, match.gold) == ([7, 0, 2], [1, 2, 2, 1])
    match.deal(*next_deal(roles_of("mms"), 2))
    match.apply("discard:P_NS")
    assert (match.nuggets, match.gold) == ([7, 0, 6], [1, 1])


def test_game_is_over_after_three_rounds_and_the_most_nuggets_win() -> None:
    match = exhausted_match(roles_of("smm"), 0)
    for number, roles in enumerate(["smm", "msm", "smm"]):
        if number:
            match.deal(*next_deal(roles_of(roles), match.next_seat))
        assert not match.over and match.winners is None and match.payoffs is None
        match.apply("discard:P_NS")
    assert match.over and not match.waiting
    assert (match.nuggets, match.payoffs, match.winners) == ([8, 4, 0], [8, 4, 0], [0])
    assert match.past_roles == [roles_of("smm"), roles_of("msm"), roles_of("smm")]
    with pytest.raises(ValueError, match="none after the last"):
        match.deal(*next_deal(roles_of("smm")))
    with pytest.raises(IllegalMove):
        match.apply("discard:P_NS")


@pytest.mark.parametrize("rounds", [1, 2, 3])
def test_number_of_rounds_is_up_to_the_rules(rounds: int) -> None:
    match = exhausted_match(roles_of("smm"), 0, rules=replace(OFFICIAL, rounds=rounds))
    for number in range(rounds):
        if number:
            match.deal(*next_deal(roles_of("smm"), match.next_seat))
        match.apply("discard:P_NS")
        assert match.over == (number + 1 == rounds)


def test_ties_share() -> None:
    match = exhausted_match(roles_of("smm"), 0, rules=replace(OFFICIAL, rounds=2))
    match.apply("discard:P_NS")
    match.deal(*next_deal(roles_of("mms"), 1))
    match.apply("discard:P_NS")
    assert (match.payoffs, match.winners) == ([4, 0, 4], [0, 2])


def test_nobody_wins_if_nobody_has_any_gold() -> None:
    match = exhausted_match(roles_of("mmm"), 0, rules=replace(OFFICIAL, rounds=1))
    match.apply("discard:P_NS")
    assert (match.over, match.payoffs, match.winners) == (True, [0, 0, 0], [])


def test_round_is_dealt_only_between_rounds() -> None:
    match = exhausted_match(roles_of("smm"), 0)
    with pytest.raises(ValueError, match="is over"):
        match.deal(*next_deal(roles_of("smm")))


def test_krisnadi_is_one_round_that_pays_the_winning_team() -> None:
    match = exhausted_match(roles_of("smms"), 3, rules=KRISNADI)
    match.apply("discard:P_NS")
    assert (match.over, match.payoffs, match.winners) == (True, [1, 0, 0, 1], [0, 3])


# --- What a seat knows of the gold ------------------------------------------------------------------------------------


def test_seat_knows_its_own_nuggets_and_the_cards_it_was_handed() -> None:
    match = gold_match(roles_of("mmsm"), 1, [2, 3, 1, 2, 1])
    events = match.apply("P_EW@7,0")  # seats 1, 0, 3 take 3, 2, 2, then seat 1 takes 1
    packs = [[2, 2, 1], [3, 2, 2, 1], [], [2, 1]]
    assert [match.view(seat)["nuggets"] for seat in range(4)] == [2, 4, 0, 2]
    assert [match.view(seat)["packs"] for seat in range(4)] == [[pack] for pack in packs]
    assert [event["pack"] for event in events] == packs
    assert [match.view(seat)["first_takers"] for seat in range(4)] == [[1]] * 4
    assert [match.view(seat)["all_nuggets"] for seat in range(4)] == [None] * 4


def test_saboteurs_pay_is_secret_and_no_pack_goes_round() -> None:
    match = exhausted_match(roles_of("smm"), 0)
    match.apply("discard:P_NS")
    view = match.view(1)
    assert (view["nuggets"], view["all_nuggets"], view["packs"], view["first_takers"]) == (0, None, [[]], [None])
    assert match.view(0)["nuggets"] == 4


def test_all_gold_is_revealed_at_the_end_of_the_game() -> None:
    match = exhausted_match(roles_of("smm"), 0, rules=replace(OFFICIAL, rounds=1))
    match.apply("discard:P_NS")
    assert [match.view(seat)["all_nuggets"] for seat in range(3)] == [[4, 0, 0]] * 3


# --- Random games -----------------------------------------------------------------------------------------------------

MIXTURES: dict[str, tuple[Rules, int]] = {
    "official, three": (OFFICIAL, 3),
    "official, ten": (OFFICIAL, 10),
    "official with talk": (TALKING, 6),
    "veldhuis": (VELDHUIS, 5),
    "krisnadi with rounds and shares": (replace(KRISNADI, rounds=2, payment="shares", talk=True), 4),
    "krisnadi without bounds": (replace(KRISNADI, bounds=None, stones_face_entry=True, hidden_role=True), 7),
    "official where stones let in": (replace(OFFICIAL, stones_let_in=True, one_tool=True, rounds=2), 8),
}


def digger(rng: random.Random, match: ReferenceMatch) -> str:
    """Mostly digs towards the nearest goal that lies face down, so that goals are reached often."""
    game = match.game
    moves = game.legal_moves()
    digs = [move for move in moves if move.startswith("P_")]
    if not digs or rng.random() < 0.2:
        return rng.choice(moves)
    goals = [cell for cell, up in zip(match.rules.goal_cells, game.face_up, strict=True) if not up]

    def distance(move: str) -> int:
        """How near an end of a tunnel would be to a goal."""
        after = copy.copy(game)
        after.board = {**game.board, cell_of(move): path_tile(card_of(move), move.endswith("r"))}
        ends = [cell for cell in after.opened() if cell not in after.board or cell in goals]
        return min((abs(x - end_x) + abs(y - end_y) for x, y in goals for end_x, end_y in ends), default=99)

    return min(digs, key=distance)


def check_the_round(game: ReferenceGame) -> None:
    rules = game.rules
    on_board = [tile.card for tile in game.board.values() if tile.card in PATHS]
    removed = Counter(card for card in game.played if card in PATHS) - Counter(on_board)
    assert removed.total() <= game.played.count("rockfall")
    piles = [*game.hands, *game.discards, game.deck, game.played]
    assert sum(map(Counter, piles), Counter()) == rules.cards

    # Cards fit each other; only a stone may break the fit.
    for cell, tile in game.board.items():
        for edge, opposite in zip("NESW", "SWNE", strict=True):
            beyond = game.board.get(neighbour(cell, edge))
            if tile.card in PATHS and beyond is not None and beyond.card in {*PATHS, "start"}:
                assert (edge in tile.open) == (opposite in beyond.open)
        if rules.bounds is not None:
            x0, x1, y0, y1 = rules.bounds
            assert x0 <= cell[0] <= x1 and y0 <= cell[1] <= y1
    # No tunnel opens onto a face-down goal while the round goes on.
    if not game.over:
        opened = game.opened()
        assert all(up or cell not in opened for up, cell in zip(game.face_up, rules.goal_cells, strict=True))

    moves = game.legal_moves()
    assert len(moves) == len(set(moves))
    assert (game.to_move is None) == game.over == (not moves)
    if game.must_claim is not None:
        assert len(moves) == 2 and rules.talk
    elif game.to_move is not None:
        assert {card_of(move) for move in moves} == set(game.hands[game.to_move]) != set()


def check_the_gold(match: ReferenceMatch) -> None:
    if match.rules.payment == "shares":
        assert sum(match.nuggets) + sum(match.gold) == sum(GOLD_CARDS) == 44
    assert sum(sum(paid.income) for paid in match.paid) == sum(match.nuggets)
    assert len(match.paid) == len(match.past_roles) == match.round + match.game.over


class Follower:
    """A seat that keeps its own books from its events alone."""

    def __init__(self, match: ReferenceMatch, seat: int) -> None:
        self.seat, self.nuggets, self.packs, self.past_roles = seat, 0, list[list[int]](), list[list[str]]()
        self.first_takers: list[int | None] = []
        self.begin(match)

    def begin(self, match: ReferenceMatch) -> None:
        self.view = match.view(self.seat)

    def follow(self, event: MatchEvent) -> None:
        mover, move, view = event["seat"], event["move"], self.view
        card, own = card_of(move), mover == self.seat
        view["turn"] += 1
        if event["claim"] is not None:
            goal, claimed = event["claim"]
            view["claims"][mover][goal] = claimed
        else:
            self.follow_card(event, card, own)
        for goal, content in event["turned_up"].items():
            view["goals"][goal], view["face_up"][goal] = content, True
        if event["ended"] is not None:
            assert event["roles"] is not None
            self.nuggets += event["paid"]
            self.packs.append(event["pack"])
            self.past_roles.append(event["roles"])
            self.first_takers.append(event["first_taker"])

    def follow_card(self, event: MatchEvent, card: str, own: bool) -> None:
        mover, move, view = event["seat"], event["move"], self.view
        if own:
            view["hand"].remove(card)
        elif card != "?":
            view["unseen"][card] -= 1
        if card in PATHS and "@" in move:
            view["board"][cell_of(move)] = (card, move.endswith("r"))
        elif card == "rockfall" and "@" in move:
            assert view["board"].pop(cell_of(move)) == event["removed"]
        elif move.startswith("map:"):
            goal = ["top", "middle", "bottom"].index(move.removeprefix("map:"))
            view["looked"][mover].add(goal)
            if own:
                view["goals"][goal] = event["seen"]
        elif move.startswith(("break:", "block>")):
            view["broken"][target_of(move)] |= tools_of(card)
        elif ">" in move:
            view["broken"][target_of(move)] -= event["mended"]
        if own and event["drew"] is not None:
            view["hand"].append(event["drew"])
            view["unseen"][event["drew"]] -= 1
        view["hand_sizes"][mover] -= 0 if view["deck_left"] else 1
        view["deck_left"] -= 1 if view["deck_left"] else 0

    def agrees_with(self, match: ReferenceMatch) -> None:
        view, goals = match.view(self.seat), match.rules.goal_cells
        for name in ("turn", "hand", "hand_sizes", "deck_left", "broken", "goals", "face_up", "looked", "claims"):
            assert view[name] == self.view[name], name
        assert view["unseen"] == +self.view["unseen"]
        boards = [
            {cell: tile for cell, tile in seen["board"].items() if cell not in goals} for seen in (view, self.view)
        ]
        assert boards[0] == boards[1]
        assert (view["nuggets"], view["packs"], view["past_roles"], view["first_takers"]) == (
            self.nuggets,
            self.packs,
            self.past_roles,
            self.first_takers,
        )


def reshuffled(match: ReferenceMatch, seat: int, rng: random.Random) -> ReferenceMatch:
    """The same match with everything dealt anew that the seat cannot know."""
    other = copy.deepcopy(match)
    game = other.game
    piles = [pile for piles in (game.hands, game.discards) for i, pile in enumerate(piles) if i != seat]
    piles.append(game.deck)
    hidden = [card for pile in piles for card in pile]
    rng.shuffle(hidden)
    for pile in piles:
        pile[:] = [hidden.pop() for _ in pile]
    unknown = [goal for goal in range(3) if goal not in game.knows[seat]]
    contents = rng.sample([game.goals[goal] for goal in unknown], len(unknown))
    for goal, content in zip(unknown, contents, strict=True):
        game.goals[goal] = content
    for i, knows in enumerate(game.knows):
        if i != seat:
            game.knows[i] = {goal: game.goals[goal] for goal in knows}
    if not game.over:
        # The role cards of the others, and the one that nobody holds.
        seats = match.seats
        count = match.rules.saboteurs_for(seats) - (game.roles[seat] == "saboteur")
        cards = ["saboteur"] * count + ["miner"] * (seats - 1 + match.rules.hidden_role - count)
        rng.shuffle(cards)
        game.roles = [role if i == seat else cards.pop() for i, role in enumerate(game.roles)]
    if match.rules.payment == "shares" and not match.over:
        rng.shuffle(other.gold)
        other.nuggets = [had if i == seat else rng.randrange(20) for i, had in enumerate(other.nuggets)]
        for paid in other.paid:
            paid.income[:] = [had if i == seat else rng.randrange(9) for i, had in enumerate(paid.income)]
            paid.packs[:] = [pack if i == seat else [1] for i, pack in enumerate(paid.packs)]
    return other


@pytest.mark.parametrize("name", MIXTURES)
def test_random_games_keep_the_invariants_and_seats_can_follow_and_see_nothing_hidden(name: str) -> None:
    rules, seats = MIXTURES[name]
    for seed in range(2):
        rng = random.Random(seed)
        match = new_match(rng, seats, rules)
        followers = [Follower(match, seat) for seat in range(seats)]
        deals: list[list[str]] = [match.game.deck[:]]
        while not match.over:
            if match.waiting:
                last = match.next_seat
                deal_next(rng, match)
                assert match.to_move == last
                deals.append(match.game.deck[:])
                for follower in followers:
                    follower.begin(match)
            seat = rng.randrange(seats)
            assert reshuffled(match, seat, rng).view(seat) == match.view(seat)
            events = match.apply(digger(rng, match))
            check_the_round(match.game)
            check_the_gold(match)
            for follower, event in zip(followers, events, strict=True):
                follower.follow(event)
                follower.agrees_with(match)
                private = [event["seen"], event["drew"]]
                assert event["seat"] == follower.seat or (private == [None, None] and "discard:P" not in event["move"])
        assert match.round + 1 == rules.rounds == len(deals)
        assert all(deals[i] != deals[j] for i in range(len(deals)) for j in range(i))
        for seat in range(seats):
            assert reshuffled(match, seat, rng).view(seat) == match.view(seat)


def test_random_games_end_both_ways_reach_far_cells_and_use_every_kind_of_move() -> None:
    ends: Counter[str] = Counter()
    kinds: set[str] = set()
    cells: set[Cell] = set()
    stones: set[tuple[str, bool]] = set()
    for seed in range(12):
        rng = random.Random(seed)
        match = new_match(rng, 5, TALKING if seed % 2 else VELDHUIS)
        while not match.over:
            if match.waiting:
                deal_next(rng, match)
            move = digger(rng, match)
            match.apply(move)
            kinds.add(move.partition(">")[0].partition("@")[0].partition(":")[0])
            tiles = match.game.board.values()
            stones |= {(tile.card, tile.turned) for tile in tiles if tile.card in ("rock1", "rock2")}
            if seed % 2:
                cells |= set(match.game.board)
        ends.update(match.past_ended)
    assert ends["gold"] > 0 and ends["exhausted"] > 0
    assert {"break", "fix", "block", "deblock", "rockfall", "map", "claim", "discard"} <= kinds
    assert min(x for x, _ in cells) < 0 and min(y for _, y in cells) < 0
    assert len(stones) >= 3


def test_new_match_repeats_with_the_seed() -> None:
    first, again = (new_match(random.Random(9), 6, OFFICIAL) for _ in range(2))
    assert sorted(first.gold) == sorted(GOLD_CARDS) and len(GOLD_CARDS) == 28
    assert first.gold == again.gold != sorted(first.gold)
    assert vars(first.game) == vars(again.game)


def test_gold_is_16_ones_8_twos_4_threes() -> None:
    assert Counter(GOLD_CARDS) == {1: 16, 2: 8, 3: 4}
