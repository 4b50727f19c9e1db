"""The rule book of 2004, sentence by sentence, in the ruleset `official`; and the ruleset `veldhuis` of 2012.

Positions are worked out by hand. Each test is one sentence of the rules; that the rules hold in all positions is shown by
the comparison with the slow engine.
"""

from __future__ import annotations

from collections import Counter
from itertools import combinations, pairwise, permutations
from typing import Any

import numpy as np
import pytest

from core.chance import assert_distributed, assert_uniform
from games.saboteur.playing import legal, mover, play, seeds_of, seen_by, table
from molehunt.core.errors import BadInput, BadParameter, IllegalAction
from molehunt.core.game import States
from molehunt.games.saboteur.cards import CARD_NAMES, CARD_NUMBERS, DECK_COUNTS, NO_CARD
from molehunt.games.saboteur.draw.wording import edges_of
from molehunt.games.saboteur.friendly import View, code_name
from molehunt.games.saboteur.ruleset import OFFICIAL, OPEN_MINE, VELDHUIS, cell_place
from molehunt.games.saboteur.state import DECK, NOT_KNOWN
from molehunt.games.tunnels.cards import CARD_EDGES, CARD_THROUGH, EDGE_LETTERS

GOLD, ROCK_1, ROCK_2 = 1, 2, 3
TOOLS = {"cart": 1, "lantern": 2, "pickaxe": 4}


class Table:
    """A game in which every seat holds the cards it needs."""

    def __init__(
        self, text: str = "official", seats: int = 5, goals: tuple[int, int, int] = (ROCK_1, GOLD, ROCK_2)
    ) -> None:
        self.game = table(text, seats)
        self.states: States = self.game.new(seeds_of(0, 1))
        self.state: Any = self.states[0]
        self.state["goals"] = goals

    def sit(self, seat: int) -> None:
        """It is the turn of a seat."""
        self.state["to_move"] = seat

    def give(self, *names: str) -> None:
        """The seat to move holds just these cards."""
        hand = self.state["hands"][mover(self.states)]
        hand[:] = NO_CARD
        hand[: len(names)] = [CARD_NUMBERS[name] for name in names]
        self.state["hand_sizes"][mover(self.states)] = len(names)

    def play(self, *moves: str) -> Any:
        """Play these moves, each by a seat that is given the card; the events of the last."""
        told = None
        for move in moves:
            if not move.startswith("claim"):
                card = move.split("@")[0].split(">")[0]
                card = card.removeprefix("discard:")
                self.state["hands"][mover(self.states), 0] = CARD_NUMBERS["map" if card.startswith("map:") else card]
            told = play(self.game, self.states, move)
        return told

    def moves(self, *names: str) -> set[str]:
        """What the seat to move may do with these cards, discards left out."""
        self.give(*names)
        return {str(action) for action in legal(self.game, self.states) if not str(action).startswith("discard")}

    def view(self, seat: int = 0) -> View:
        return self.game.friendly_view(seen_by(self.game, self.states, seat))

    def open_edges(self, x: int, y: int) -> str:
        """The open edges of what lies on a cell, as letters of NESW."""
        maze = self.state["maze"]
        cells = [cell_place(cell) for cell in maze["cells"][: maze["tile_count"]].tolist()]
        return edges_of(*code_name(int(maze["what"][cells.index((x, y))])))[0]

    def run_out(self, last: int) -> Any:
        """A seat throws away the last card that there is; the events."""
        self.state["hands"] = NO_CARD
        self.state["hand_sizes"] = 0
        self.state["drawn"] = DECK
        self.sit(last)
        self.give("map")
        return play(self.game, self.states, "discard:map")


def row(card: str, xs: range, y: int) -> list[str]:
    return [f"{card}@{x},{y}" for x in xs]


TO_THE_MIDDLE = row("P_EW", range(1, 8), 0)
TO_THE_SIDE_OF_THE_MIDDLE = TO_THE_MIDDLE[:-1]
ABOVE_THE_MIDDLE = ["P_SE@0,-1", *row("P_EW", range(1, 8), -1)]
BELOW_THE_MIDDLE = ["P_SW@0,1r", *row("P_EW", range(1, 8), 1)]
ABOVE_THE_TOP = [*[f"P_NS@0,{y}" for y in (-1, -2, -3)], "P_SE@0,-4", *row("P_EW", range(1, 9), -4)]
AROUND_THE_TOP = [*ABOVE_THE_TOP, "P_SW@9,-4", "P_NS@9,-3"]

# --- Players and roles ------------------------------------------------------------------------------------------------

ROLE_CARDS = {3: (3, 1), 4: (4, 1), 5: (4, 2), 6: (5, 2), 7: (5, 3), 8: (6, 3), 9: (7, 3), 10: (7, 4)}
HANDS = {3: 6, 4: 6, 5: 6, 6: 5, 7: 5, 8: 4, 9: 4, 10: 4}
MANY = 12_000


@pytest.mark.parametrize("seats", ROLE_CARDS)
def test_one_role_card_more_than_players_is_shuffled_and_one_stays_unseen(seats: int) -> None:
    miners, saboteurs = ROLE_CARDS[seats]
    assert miners + saboteurs == seats + 1
    states = table("official", seats).new(seeds_of(0, MANY))
    assert not states["roles"][:, seats:].any()
    # Each card is the unseen one equally often.
    counts = Counter(states["roles"].sum(axis=1).tolist())
    assert_distributed(counts, {saboteurs: miners / (seats + 1), saboteurs - 1: saboteurs / (seats + 1)})


@pytest.mark.parametrize("seats", [3, 5])
def test_every_set_of_players_is_as_likely_as_its_cards(seats: int) -> None:
    _, saboteurs = ROLE_CARDS[seats]
    cards_dealt = [1] * saboteurs + [0] * (seats + 1 - saboteurs)
    orders = Counter(order[:seats] for order in permutations(cards_dealt))
    total = sum(orders.values())
    states = table("official", seats).new(seeds_of(1, MANY))
    found = Counter(tuple(roles) for roles in states["roles"][:, :seats].tolist())
    assert_distributed(found, {roles: ways / total for roles, ways in orders.items()})


def test_with_three_players_there_may_be_no_saboteur() -> None:
    states = table("official", 3).new(seeds_of(0, 100))
    assert set(states["roles"].sum(axis=1).tolist()) == {0, 1}


@pytest.mark.parametrize("seats", HANDS)
def test_hands_are_six_five_or_four_cards(seats: int) -> None:
    state = table("official", seats).new(seeds_of(0, 1))[0]
    assert state["hand_sizes"][:seats].tolist() == [HANDS[seats]] * seats
    assert state["drawn"] == HANDS[seats] * seats


@pytest.mark.parametrize("seats", [2, 11])
def test_the_game_is_for_three_to_ten(seats: int) -> None:
    with pytest.raises(BadParameter, match="official is played by 3 to 10 seats"):
        table("official", seats)


def test_the_number_of_saboteurs_is_hidden_and_so_are_the_roles_of_others() -> None:
    one, other = Table(), Table()
    one.state["roles"][:5], other.state["roles"][:5] = [0, 1, 1, 0, 0], [0, 0, 0, 1, 0]
    assert seen_by(one.game, one.states, 0).tobytes() == seen_by(one.game, other.states, 0).tobytes()
    assert one.view().saboteurs == 2 and one.view().saboteurs_hidden
    # Nor do moves tell.
    for move in ("P_EW@1,0", "map:top", "discard:map", "break:cart>2"):
        assert one.play(move)[0].tobytes() == other.play(move)[0].tobytes()


def test_roles_are_shown_to_all_at_the_end_of_the_round() -> None:
    made = Table()
    made.state["roles"][:5] = [0, 1, 0, 0, 1]
    told = made.play(*TO_THE_SIDE_OF_THE_MIDDLE)
    assert (told["roles"] == NOT_KNOWN).all() and (told["role"] == NOT_KNOWN).all()
    told = made.play("P_EW@7,0")
    assert (told["roles"][:, :5] == [0, 1, 0, 0, 1]).all()
    assert told["role"].tolist() == made.state["roles"][:5].tolist()
    assert made.view(3).past_roles == (("miner", "saboteur", "miner", "miner", "saboteur"),)


def test_roles_cannot_be_seated_where_they_are_dealt_anew() -> None:
    with pytest.raises(BadInput, match="official:rounds=1"):
        table("official").new(seeds_of(0, 1), np.array([[1, 1, 0, 0, 0]], np.int8))
    # In one round they can, by all the sets of cards that could be dealt.
    for roles in ([1, 1, 0, 0, 0], [0, 0, 0, 1, 0]):
        seated = table("official:rounds=1").new(seeds_of(0, 1), np.array([roles], np.int8))
        assert seated["roles"][0, :5].tolist() == roles
    for roles in ([0, 0, 0, 0, 0], [1, 1, 1, 0, 0]):
        with pytest.raises(BadInput, match="1 or 2 saboteurs"):
            table("official:rounds=1").new(seeds_of(0, 1), np.array([roles], np.int8))


# --- The board --------------------------------------------------------------------------------------------------------


def test_start_and_goals_lie_seven_cards_apart_and_the_goals_one() -> None:
    assert Table().view().board == {
        (0, 0): ("start", False),
        (8, -2): ("goal", False),
        (8, 0): ("goal", False),
        (8, 2): ("goal", False),
    }
    assert Table().view().reachable == {(0, -1), (1, 0), (0, 1), (-1, 0)}


def test_goals_lie_in_random_order() -> None:
    states = table("official").new(seeds_of(0, MANY))
    assert_uniform(Counter(tuple(goals) for goals in states["goals"].tolist()), 6)


@pytest.mark.parametrize(
    ("moves", "cells"),
    [
        (row("P_EW", range(-1, -8, -1), 0), {(-8, 0)}),
        ([f"P_NS@0,{y}" for y in range(-1, -8, -1)], {(0, -8)}),
        ([f"P_NS@0,{y}" for y in range(1, 8)], {(0, 8)}),
        ([*ABOVE_THE_TOP, *row("P_EW", range(9, 15), -4)], {(15, -4)}),
    ],
)
def test_the_maze_grows_beyond_the_cards_laid_out_in_every_direction(
    moves: list[str], cells: set[tuple[int, int]]
) -> None:
    made = Table()
    made.play(*moves)
    assert cells <= made.view().reachable


def most_steps(one: str, other: str) -> float:
    """How far a tunnel can lead by edges `one` and `other` of its cards, half a step for each, if every card of a deck that
    passes it on lies in it; with the start, two stones, and the cell that it ends on."""
    bits = [1 << EDGE_LETTERS.index(edge) for edge in (one, other)]
    edges = 0
    for card, count in enumerate(DECK_COUNTS[: len(CARD_THROUGH)].tolist()):
        # A card is passed on two of its edges, of which these two may be.
        passed = sum(bool(CARD_EDGES[card, 0] & bit) for bit in bits)
        edges += count * passed if CARD_THROUGH[card] else 0
    return (edges + 1 + 1 + 2) / 2


def test_the_bounds_of_the_open_mine_are_further_than_any_tunnel() -> None:
    left, top, right, bottom = OPEN_MINE
    # Half steps: 28 + 14 + 4 up or down, 26 + 14 + 4 to the side. Face-down goals that pass tunnels on are three more steps.
    assert (most_steps("N", "S"), most_steps("E", "W")) == (23, 22)
    assert min(-top, bottom) > 23 + 3
    assert min(-left, right) > 22 + 3
    assert OFFICIAL.start == (0, 0)


def deck_allows(moves: list[str]) -> bool:
    used = Counter(move.split("@")[0] for move in moves)
    return all(DECK_COUNTS[CARD_NUMBERS[name]] >= count for name, count in used.items())


def test_the_longest_tunnel_up_can_be_dug() -> None:
    straight = ["P_NS"] * 4 + ["P_NSE"] * 5 + ["P_NESW"] * 5
    moves = [f"{card}@0,{-1 - number}" for number, card in enumerate(straight)]
    # Each step to the right and up again takes two cards: S+E then N+W, S+W turned is N+E.
    x, y = 0, -15
    for first, second in [("P_SE", "P_SEr")] * 2 + [("P_SW", "P_SWr")] * 2 + [("P_EWNr", "P_EWN")] * 2:
        aside = -1 if first == "P_SW" else 1
        for card, column in ((first, x), (second, x + aside)):
            moves.append(f"{card.removesuffix('r')}@{column},{y}" + "r" * card.endswith("r"))
        x, y = x + aside, y - 1
    assert deck_allows(moves)
    made = Table()
    made.play(*moves)
    assert (x, y) in made.view().reachable and y == -21
    assert min(y for _, y in made.view().reachable) == -21


def test_the_longest_tunnel_to_the_left_can_be_dug() -> None:
    straight = ["P_EW"] * 3 + ["P_EWN"] * 5 + ["P_NESW"] * 5
    moves = [f"{card}@{-1 - number},0" for number, card in enumerate(straight)]
    x, y = -14, 0
    # From the east up: N+E is S+W turned, then S+W; down: S+E, then N+W.
    for first, second, aside in (
        [("P_SWr", "P_SW", -1)] * 2 + [("P_SE", "P_SEr", 1)] * 2 + [("P_NSE", "P_NSEr", -1)] * 2
    ):
        for card, line in ((first, y), (second, y + aside)):
            moves.append(f"{card.removesuffix('r')}@{x},{line}" + "r" * card.endswith("r"))
        x, y = x - 1, y + aside
    assert deck_allows(moves)
    made = Table()
    made.play(*moves)
    assert (x, y) in made.view().reachable and x == -20


# --- A turn -----------------------------------------------------------------------------------------------------------


def test_a_player_plays_a_card_or_throws_one_away_and_then_draws() -> None:
    made = Table()
    for move in ("P_EW@1,0", "discard:rockfall"):
        seat, drawn = mover(made.states), int(made.state["drawn"])
        top = int(made.state["deck"][drawn])
        told = made.play(move)
        assert made.state["drawn"] == drawn + 1
        assert made.state["hands"][seat, 5] == top
        assert [int(event["drew"]) for event in told] == [top if other == seat else NO_CARD for other in range(5)]
        assert mover(made.states) == (seat + 1) % 5
    assert made.state["discards"].sum() == made.state["played"].sum() == 1


def test_a_card_is_thrown_away_face_down() -> None:
    made = Table()
    seat = mover(made.states)
    told = made.play("discard:rockfall")
    words = [made.game.format_event(event) for event in told]
    assert words == [f"seat {seat}: discard:" + ("rockfall" if other == seat else "?") for other in range(5)]


def test_nobody_passes_while_he_has_cards() -> None:
    made = Table()
    made.give("D_N", "rockfall")
    made.state["broken"][mover(made.states)] = TOOLS["cart"]
    assert set(map(str, legal(made.game, made.states))) == {"discard:D_N", "discard:rockfall"}


def test_without_a_deck_nobody_draws_and_who_has_no_cards_passes() -> None:
    made = Table()
    made.state["drawn"] = DECK
    made.sit(1)
    made.give("map")
    made.state["hands"][2] = NO_CARD
    made.state["hand_sizes"][2] = 0
    told = made.play("discard:map")
    assert (told["drew"] == NO_CARD).all()
    assert made.state["hand_sizes"][:5].tolist() == [6, 0, 0, 6, 6]
    assert mover(made.states) == 3


# --- Path cards -------------------------------------------------------------------------------------------------------


def test_a_path_card_goes_on_an_empty_cell_beside_a_tunnel() -> None:
    made = Table()
    made.play("P_EW@1,0")
    assert made.moves("P_NESW") == {f"P_NESW@{x},{y}" for x, y in ((0, -1), (0, 1), (-1, 0), (2, 0))}


@pytest.mark.parametrize(("card", "fits"), [("P_EW", True), ("P_NS", False), ("P_NESW", True), ("D_NS", False)])
def test_every_touching_edge_fits(card: str, fits: bool) -> None:
    made = Table()
    made.play("P_EW@1,0")
    assert (f"{card}@2,0" in made.moves(card)) == fits


def test_walls_meet_walls() -> None:
    made = Table()
    made.play("P_EW@1,0", "P_SW@0,1r")
    # Right of a bend and below a straight card, which shows a wall.
    assert made.moves("P_SW", "P_NSE", "P_EW") >= {"P_SW@1,1", "P_EW@1,1"}
    assert not any(move.startswith("P_NSE@1,1") for move in made.moves("P_NSE"))


def test_face_down_goals_do_not_count_for_the_fit() -> None:
    made = Table()
    made.play(*ABOVE_THE_MIDDLE)
    # Between two goals: any card that opens to the left.
    for card, form in (("P_EW", ""), ("P_SW", ""), ("P_NSE", "r"), ("P_NESW", ""), ("D_E", "r")):
        assert f"{card}@8,-1{form}" in made.moves(card)
    assert "P_NS@8,-1" not in made.moves("P_NS")


def test_a_card_must_continue_a_tunnel_from_the_start() -> None:
    made = Table()
    made.play("P_EW@1,0", "P_EW@2,0", "P_EW@3,0", "rockfall@2,0")
    # On the far side of the gap nothing may be laid, until it is closed.
    assert not any(move.startswith("P_EW@4,0") for move in made.moves("P_EW"))
    made.play("P_NESW@2,0")
    assert "P_EW@4,0" in made.moves("P_EW")


def test_a_dead_end_carries_no_tunnel() -> None:
    made = Table()
    made.play("D_EW@1,0")
    assert made.view().reachable == {(0, -1), (0, 1), (-1, 0)}


def test_a_card_beside_the_start_may_lie_where_only_another_tunnel_joins_it() -> None:
    made = Table()
    made.play("P_SW@1,0", "P_SW@1,1r", "P_EW@2,1")
    assert (3, 1) in made.view().reachable and (2, 0) not in made.view().reachable


def test_a_player_with_a_broken_tool_lays_no_path_card() -> None:
    made = Table()
    for tool in TOOLS.values():
        made.state["broken"][mover(made.states)] = tool
        assert made.moves("P_EW", "P_NESW", "D_E") == set()
    made.state["broken"] = 0
    assert made.moves("P_EW")


def test_a_path_card_is_not_laid_on_a_card() -> None:
    made = Table()
    made.play("P_EW@1,0")
    made.give("P_EW")
    for cell in ("0,0", "1,0", "8,0"):
        with pytest.raises(IllegalAction, match="an empty cell"):
            play(made.game, made.states, f"P_EW@{cell}")


# --- Action cards -----------------------------------------------------------------------------------------------------


def test_any_player_may_be_blocked_and_so_may_oneself() -> None:
    made = Table()
    seat = mover(made.states)
    assert made.moves("break:cart") == {f"break:cart>{target}" for target in range(5)}
    made.play(f"break:cart>{seat}")
    assert made.view().broken[seat] == {"cart"}


def test_nobody_has_the_same_tool_broken_twice_but_all_three() -> None:
    made = Table()
    made.play("break:cart>1")
    assert made.moves("break:cart") == {f"break:cart>{target}" for target in (0, 2, 3, 4)}
    made.play("break:lantern>1", "break:pickaxe>1")
    assert made.view().broken[1] == {"cart", "lantern", "pickaxe"}


def test_a_repair_mends_the_tool_of_any_player() -> None:
    made = Table()
    made.state["broken"][[1, 3]] = TOOLS["cart"], TOOLS["lantern"]
    assert made.moves("fix:cart", "fix:lantern", "fix:pickaxe") == {"fix:cart>1/cart", "fix:lantern>3/lantern"}
    made.play("fix:cart>1")
    assert not made.view().broken[1]


def test_a_double_repair_mends_one_of_its_two_tools() -> None:
    made = Table()
    made.state["broken"][2] = TOOLS["cart"] | TOOLS["lantern"] | TOOLS["pickaxe"]
    assert made.moves("fix:cart+lantern") == {"fix:cart+lantern>2/cart", "fix:cart+lantern>2/lantern"}
    told = made.play("fix:cart+lantern>2/lantern")
    assert made.view().broken[2] == {"cart", "pickaxe"}
    assert (told["mended"] == TOOLS["lantern"]).all()


def test_a_rockfall_takes_away_any_path_card_but_not_the_start_or_a_goal() -> None:
    made = Table(goals=(GOLD, ROCK_1, ROCK_2))
    made.play(*TO_THE_MIDDLE, "D_E@-1,0")
    cells = [f"rockfall@{x},0" for x in range(1, 8)] + ["rockfall@-1,0"]
    assert made.moves("rockfall") == set(cells)
    made.play("rockfall@-1,0")
    assert (-1, 0) in made.view().reachable


def test_a_blocked_player_may_play_a_rockfall() -> None:
    made = Table()
    made.play("P_EW@1,0")
    made.state["broken"][mover(made.states)] = TOOLS["cart"]
    assert made.moves("rockfall") == {"rockfall@1,0"}


def test_a_map_looks_at_a_goal_in_secret() -> None:
    made = Table()
    seat = mover(made.states)
    told = made.play("map:bottom")
    assert [int(event["seen"]) for event in told] == [ROCK_2 if other == seat else 0 for other in range(5)]
    for other in range(5):
        assert made.view(other).goals["bottom"] == ("rock2" if other == seat else None)
        assert made.view(other).looked[seat] == {"bottom"}
    # Without talk the next seat moves at once.
    assert mover(made.states) == (seat + 1) % 5


# --- Goals ------------------------------------------------------------------------------------------------------------

ENTRIES = {
    "W": ([*TO_THE_SIDE_OF_THE_MIDDLE, "P_EW@7,0"], 1, (8, 0)),
    "N": ([*ABOVE_THE_MIDDLE, "P_SW@8,-1"], 1, (8, 0)),
    "S": ([*BELOW_THE_MIDDLE, "P_SE@8,1r"], 1, (8, 0)),
    "E": ([*AROUND_THE_TOP, "P_SE@9,-2r"], 0, (8, -2)),
}
"""How a goal is reached from each of its sides: the moves, the goal, its cell."""


@pytest.mark.parametrize(
    ("side", "content", "edges"),
    [
        ("W", ROCK_1, "SW"),
        ("W", ROCK_2, "NW"),
        ("S", ROCK_1, "SW"),
        ("S", ROCK_2, "ES"),
        ("N", ROCK_1, "NE"),
        ("N", ROCK_2, "NW"),
        ("E", ROCK_1, "NE"),
        ("E", ROCK_2, "ES"),
    ],
)
def test_a_stone_is_turned_to_open_towards_the_card_that_reached_it(side: str, content: int, edges: str) -> None:
    moves, goal, cell = ENTRIES[side]
    contents = [GOLD, GOLD, GOLD]
    contents[goal] = content
    others = [place for place in range(3) if place != goal]
    contents[others[1]] = ROCK_1 + ROCK_2 - content
    made = Table(goals=(contents[0], contents[1], contents[2]))
    told = made.play(*moves)
    assert (told["revealed"] == 1 << goal).all()
    assert made.open_edges(*cell) == edges and side in edges
    # The tunnel goes on through it, on its other open side.
    beyond = {"N": (0, -1), "E": (1, 0), "S": (0, 1), "W": (-1, 0)}[edges.replace(side, "")]
    assert (cell[0] + beyond[0], cell[1] + beyond[1]) in made.view().reachable
    # All see it, and the round goes on.
    place = ("top", "middle", "bottom")[goal]
    assert made.view(4).goals[place] == f"rock{content - 1}" and place in made.view(4).revealed
    assert made.view().round == 0


@pytest.mark.parametrize("side", ENTRIES)
def test_the_gold_ends_the_round(side: str) -> None:
    moves, goal, _ = ENTRIES[side]
    contents = [ROCK_1, ROCK_2]
    contents.insert(goal, GOLD)
    made = Table(goals=(contents[0], contents[1], contents[2]))
    made.play(*moves[:-1])
    assert made.view().round == 0
    told = made.play(moves[-1])
    assert (told["ended"] == 1).all() and made.view().round == 1


def test_a_stone_may_break_the_fit_with_its_other_neighbours() -> None:
    made = Table(goals=(GOLD, ROCK_1, ROCK_2))
    made.play(*BELOW_THE_MIDDLE, "P_EW@8,1", *TO_THE_MIDDLE)
    # The stone opens down onto a wall: no tunnel passes there.
    assert (made.open_edges(8, 0), made.open_edges(8, 1)) == ("SW", "EW")
    made.play("rockfall@4,1")
    assert (9, 1) not in made.view().reachable
    # And a card beside the stone fits it as it lies.
    assert "P_EW@9,0" not in made.moves("P_EW")


def test_a_tunnel_goes_on_through_a_stone_to_cards_that_were_cut_off() -> None:
    made = Table(goals=(GOLD, ROCK_1, ROCK_2))
    made.play(*BELOW_THE_MIDDLE, "P_SE@8,1r")
    assert made.open_edges(8, 0) == "SW"
    made.play("rockfall@1,1")
    assert (7, 0) not in made.view().reachable
    # From the other side the tunnel leads through the stone back to the card that first reached it.
    made.play(*TO_THE_MIDDLE)
    assert (1, 1) in made.view().reachable


def test_one_card_can_reach_two_goals_at_once() -> None:
    made = Table(goals=(ROCK_1, ROCK_2, GOLD))
    told = made.play(*ABOVE_THE_MIDDLE, "P_NSE@8,-1r")
    assert (told["revealed"] == 0b011).all()
    # Each opens towards the card between them.
    assert (made.open_edges(8, -2), made.open_edges(8, 0)) == ("SW", "NW")
    assert made.view(2).goals == {"top": "rock1", "middle": "rock2", "bottom": None}


def test_of_two_goals_at_once_one_may_be_the_gold() -> None:
    made = Table(goals=(ROCK_1, GOLD, ROCK_2))
    told = made.play(*ABOVE_THE_MIDDLE, "P_NSE@8,-1r")
    assert (told["revealed"] == 0b011).all() and (told["ended"] == 1).all()


def test_a_dead_end_reaches_no_goal() -> None:
    made = Table()
    told = made.play(*TO_THE_SIDE_OF_THE_MIDDLE, "D_EW@7,0")
    assert not told["revealed"].any() and made.view().round == 0


def test_a_goal_is_reached_by_an_open_edge_only() -> None:
    made = Table()
    told = made.play(*TO_THE_SIDE_OF_THE_MIDDLE, "P_SW@7,0")
    assert not told["revealed"].any()


def test_a_face_down_goal_passes_nothing_on() -> None:
    made = Table(goals=(GOLD, ROCK_1, ROCK_2))
    made.play(*TO_THE_SIDE_OF_THE_MIDDLE)
    assert not any(x >= 8 for x, _ in made.view().reachable)


def test_a_goal_that_lies_open_stays_open_when_its_tunnel_is_cut() -> None:
    made = Table(goals=(GOLD, ROCK_1, ROCK_2))
    made.play(*TO_THE_MIDDLE)
    told = made.play("rockfall@7,0")
    assert not told["revealed"].any()
    assert made.view().revealed == {"middle"} and made.open_edges(8, 0) == "SW"
    assert (8, 1) not in made.view().reachable
    # It is not turned again when it is reached from another side.
    made.play(*ABOVE_THE_MIDDLE)
    assert "P_SW@8,-1" not in made.moves("P_SW")


# --- The end of a round -----------------------------------------------------------------------------------------------


def test_the_round_ends_when_deck_and_hands_are_empty() -> None:
    made = Table()
    told = made.run_out(2)
    assert (told["ended"] == 2).all()
    assert made.view().round == 1 and made.view().gold_rounds == 0


def test_the_very_last_card_may_reach_the_gold() -> None:
    made = Table()
    made.play(*TO_THE_SIDE_OF_THE_MIDDLE)
    made.state["hands"], made.state["hand_sizes"], made.state["drawn"] = NO_CARD, 0, DECK
    made.give("P_EW")
    told = play(made.game, made.states, "P_EW@7,0")
    assert (told["ended"] == 1).all() and made.view().gold_rounds == 1


def reach_the_gold(made: Table, last: int, roles: list[int], gold: list[int], *before: str) -> list[int]:
    """Let a seat reach the gold, with these roles and these gold cards on top of the pile; what each seat was paid. The
    moves `before` are played when one card is missing."""
    seats = made.game.seats
    made.play(*TO_THE_SIDE_OF_THE_MIDDLE, *before)
    made.state["roles"][:seats] = roles
    drawn = int(made.state["gold_drawn"])
    made.state["gold"][drawn : drawn + len(gold)] = gold
    made.sit(last)
    gained: list[int] = made.play("P_EW@7,0")["gained"].tolist()
    return gained


@pytest.mark.parametrize(
    ("last", "paid"),
    [
        # The pack is 3, 2, 1, 1, 1; seats 1 and 4 are saboteurs and are skipped.
        (2, [2 + 1, 0, 3 + 1, 1, 0]),  # 2, 0, 3, 2, 0
        (0, [3 + 1, 0, 1, 2 + 1, 0]),  # 0, 3, 2, 0, 3
        (3, [1, 0, 2 + 1, 3 + 1, 0]),  # 3, 2, 0, 3, 2
        # A saboteur reached it: the first miner counter-clockwise begins.
        (1, [3 + 1, 0, 1, 2 + 1, 0]),
        (4, [1, 0, 2 + 1, 3 + 1, 0]),
    ],
)
def test_miners_share_the_gold_counter_clockwise_the_best_card_first(last: int, paid: list[int]) -> None:
    made = Table()
    assert reach_the_gold(made, last, [0, 1, 0, 0, 1], [1, 3, 1, 2, 1]) == paid
    assert made.state["nuggets"][:5].tolist() == paid


@pytest.mark.parametrize(("seats", "drawn"), [(3, 3), (5, 5), (9, 9), (10, 9)])
def test_as_many_gold_cards_as_players_are_drawn_and_nine_with_ten(seats: int, drawn: int) -> None:
    made = Table(seats=seats)
    paid = reach_the_gold(made, 0, [0] * (seats - 1) + [1], [1] * 12)
    assert sum(paid) == drawn == made.state["gold_drawn"]
    assert paid[-1] == 0


def test_with_no_saboteur_all_share_the_gold() -> None:
    made = Table(seats=3)
    assert reach_the_gold(made, 1, [0, 0, 0], [2, 1, 3]) == [2, 3, 1]


@pytest.mark.parametrize(
    ("seats", "roles", "gold", "paid", "left"),
    [
        (5, [0, 0, 1, 0, 0], [1, 2, 3, 1, 1], [0, 0, 4, 0, 0], [2, 1, 1]),
        (5, [1, 0, 1, 0, 0], [1, 3, 2, 1, 3], [3, 0, 3, 0, 0], [1, 2, 1]),
        (7, [1, 0, 1, 0, 0, 1, 0], [1, 3, 2, 1, 2, 1], [3, 0, 3, 0, 0, 3, 0], [1]),
        (10, [1, 1, 1, 0, 0, 0, 0, 0, 0, 1], [3, 2, 1, 2, 1, 2], [2, 2, 2, 0, 0, 0, 0, 0, 0, 2], [3]),
        (5, [0, 0, 0, 0, 0], [1, 2], [0, 0, 0, 0, 0], [1, 2]),
        # Where nothing suits any more, he gets less.
        (5, [1, 0, 1, 0, 0], [3, 2], [3, 0, 2, 0, 0], []),
        (10, [1, 1, 1, 0, 0, 0, 0, 0, 0, 1], [3, 3], [0] * 10, [3, 3]),
    ],
)
def test_saboteurs_are_paid_four_three_or_two_nuggets(
    seats: int, roles: list[int], gold: list[int], paid: list[int], left: list[int]
) -> None:
    made = Table(seats=seats)
    made.state["roles"][:seats] = roles
    made.state["gold_drawn"] = 28 - len(gold)
    made.state["gold"][28 - len(gold) :] = gold
    assert made.run_out(0)["gained"].tolist() == paid
    assert sorted(made.state["gold"][made.state["gold_drawn"] :].tolist()) == sorted(left)


def test_the_28_gold_cards_are_16_of_one_8_of_two_and_4_of_three() -> None:
    states = table("official").new(seeds_of(0, 400))
    for gold in states["gold"]:
        assert Counter(gold.tolist()) == {1: 16, 2: 8, 3: 4}
    top = Counter(states["gold"][:, 0].tolist())
    assert_distributed(top, {1: 16 / 28, 2: 8 / 28, 3: 4 / 28})


def test_gold_is_kept_secret_until_the_end_of_the_game() -> None:
    made = Table()
    paid = reach_the_gold(made, 2, [0, 1, 0, 0, 1], [1, 3, 1, 2, 1])
    for seat in range(5):
        assert made.view(seat).nuggets == tuple(paid[seat] if other == seat else None for other in range(5))
    # Of the pack a miner saw the cards that were left when it came to him first; a saboteur none.
    packs = [seen_by(made.game, made.states, seat)[0]["packs"][0, :5].tolist() for seat in range(5)]
    assert packs == [[-1, 2, 1, 1, 1], [-1] * 5, [3, 2, 1, 1, 1], [-1, -1, 1, 1, 1], [-1] * 5]
    # What a seat did not see it works out where only one amount is possible: who came first knows all, and a saboteur got nothing.
    known = [made.view(seat).known_gold for seat in range(5)]
    hidden = (None, 0, None, None, 0)
    assert paid == [3, 0, 4, 1, 0]
    assert known == [(3, 0, None, 1, 0), hidden, tuple(paid), (None, 0, None, 1, 0), hidden]
    assert made.game.friendly_view(made.game.public_view(made.states)).known_gold == hidden
    made.run_out(0)
    made.run_out(0)
    assert made.state["round"] == 3
    assert len({made.view(seat).nuggets for seat in range(5)}) == 1 and None not in made.view(1).nuggets


# --- The next round ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("last", range(5))
def test_the_left_neighbour_of_the_player_of_the_last_card_starts_the_next_round(last: int) -> None:
    made = Table()
    reach_the_gold(made, last, [0, 1, 0, 0, 1], [])
    assert mover(made.states) == (last + 1) % 5
    made.run_out((last + 2) % 5)
    assert mover(made.states) == (last + 3) % 5


def test_all_cards_but_the_gold_are_shuffled_again() -> None:
    made = Table()
    used = reach_the_gold(made, 0, [0, 1, 0, 0, 1], [3, 3, 3, 3, 2], "map:top", "break:cart>1", "discard:map")
    state = made.state
    assert np.array_equal(np.bincount(state["deck"], minlength=len(CARD_NAMES)), DECK_COUNTS)
    assert state["drawn"] == 30 and (state["hand_sizes"][:5] == 6).all()
    assert not any(state[name].any() for name in ("broken", "looked", "claims", "played", "discards"))
    assert made.view().board.keys() == Table().view().board.keys()
    assert {name for name, _ in made.view().board.values()} == {"start", "goal"}
    # The gold that was paid stays with its owners.
    assert state["gold_drawn"] == 5 and sum(used) == 14
    made.state["goals"] = [ROCK_1, GOLD, ROCK_2]
    second = reach_the_gold(made, 0, [0, 1, 0, 0, 1], [1] * 5)
    assert state["gold_drawn"] == 10
    assert state["nuggets"][:5].tolist() == [one + other for one, other in zip(used, second, strict=True)]


def test_deals_of_the_three_rounds_are_independent() -> None:
    game = table("official")
    states = game.new(seeds_of(0, 3000))
    first = np.argmax(states["goals"] == GOLD, axis=1)
    made = Table()
    pairs: Counter[tuple[int, int]] = Counter()
    for state, place in zip(states, first.tolist(), strict=True):
        made.states[0] = state
        made.run_out(0)
        pairs[place, int(np.argmax(made.state["goals"] == GOLD))] += 1
    assert_uniform(pairs, 9)


@pytest.mark.parametrize(
    ("before", "winners"),
    [([5, 0, 0, 1, 0], (0,)), ([3, 3, 0, 1, 3], (0, 1, 4)), ([0, 1, 0, 0, 0], (1,)), ([0, 0, 0, 0, 0], ())],
)
def test_most_nuggets_after_three_rounds_win_and_ties_share(before: list[int], winners: tuple[int, ...]) -> None:
    made = Table()
    made.run_out(0)
    made.run_out(0)
    assert made.game.outcome(made.states) is None
    made.state["nuggets"][:5] = before
    made.state["roles"] = 0
    made.run_out(0)
    outcome = made.game.outcome(made.states)
    assert outcome is not None
    assert outcome.winners == winners and outcome.payoffs == tuple(map(float, before))
    assert outcome.reason == "the gold was reached in 0 of 3 rounds"
    assert mover(made.states) == -1
    with pytest.raises(IllegalAction, match="the game is over"):
        play(made.game, made.states, "map:top")


# --- Talk -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("text", ["official+talk", "veldhuis"])
def test_after_a_map_its_player_tells_all_what_he_saw_or_lies(text: str) -> None:
    for claimed in ("gold", "stone"):
        made = Table(text)
        seat = mover(made.states)
        drawn = int(made.state["drawn"])
        made.play("map:middle")
        assert mover(made.states) == seat and made.state["drawn"] == drawn + 1
        assert set(map(str, legal(made.game, made.states))) == {"claim:middle=gold", "claim:middle=stone"}
        told = made.play(f"claim:middle={claimed}")
        assert len({event.tobytes() for event in told}) == 1
        assert made.state["drawn"] == drawn + 1 and made.state["turn"] == 2
        assert mover(made.states) == (seat + 1) % 5
        for other in range(5):
            assert made.view(other).claims[seat] == {"middle": claimed}


def test_a_later_claim_replaces_an_earlier_one() -> None:
    made = Table("official+talk")
    seat = mover(made.states)
    made.play("map:top", "claim:top=gold", *["discard:map"] * 4, "map:top", "claim:top=stone")
    assert made.view().claims[seat] == {"top": "stone"}


def test_a_claim_comes_after_a_map_and_nothing_else_does() -> None:
    made = Table("official+talk")
    with pytest.raises(IllegalAction, match="a claim is about the goal that its player has just looked at"):
        play(made.game, made.states, "claim:top=gold")
    made.play("map:top")
    made.give("P_EW", "map")
    for move in ("P_EW@1,0", "discard:P_EW", "map:top"):
        with pytest.raises(IllegalAction, match="after a map its player first says what they saw"):
            play(made.game, made.states, move)
    with pytest.raises(IllegalAction, match="just looked at"):
        play(made.game, made.states, "claim:bottom=gold")


def test_the_round_is_over_after_the_claim_of_the_last_card() -> None:
    made = Table("official+talk")
    made.state["hands"], made.state["hand_sizes"], made.state["drawn"] = NO_CARD, 0, DECK
    made.sit(1)
    made.give("map")
    told = play(made.game, made.states, "map:top")
    assert not told["ended"].any() and mover(made.states) == 1
    told = play(made.game, made.states, "claim:top=stone")
    assert (told["ended"] == 2).all() and mover(made.states) == 2


def test_a_throw_of_a_map_asks_for_no_claim() -> None:
    made = Table("official+talk")
    seat = mover(made.states)
    made.play("discard:map")
    assert mover(made.states) == (seat + 1) % 5


# --- Veldhuis ---------------------------------------------------------------------------------------------------------


def test_the_mine_of_veldhuis_is_13_by_13() -> None:
    assert VELDHUIS.bounds == (0, 0, 12, 12)
    made = Table("veldhuis")
    assert made.view().board.keys() == {(2, 6), (10, 4), (10, 6), (10, 8)}
    # At most two cards behind the start, and nothing beyond: a tunnel that leads out leads nowhere.
    made.play("P_EW@1,6", "P_EW@0,6")
    assert made.view().reachable == {(2, 5), (3, 6), (2, 7)}
    made.play(*[f"P_NS@2,{y}" for y in range(5, -1, -1)], *[f"P_NS@2,{y}" for y in range(7, 13)])
    assert made.view().reachable == {(3, 6)}


def test_two_cards_may_lie_behind_the_goals_of_veldhuis() -> None:
    made = Table("veldhuis", goals=(GOLD, ROCK_2, ROCK_1))
    made.play("P_SE@2,5", *row("P_EW", range(3, 12), 5), "P_EW@12,5")
    assert made.view().reachable == {(1, 6), (2, 7), (3, 6)}


def test_veldhuis_is_for_five_of_whom_two_are_saboteurs_known_to_all() -> None:
    for seats in (3, 4, 6, 10):
        with pytest.raises(BadParameter, match="veldhuis is played by 5 seats"):
            table("veldhuis", seats)
    game = table("veldhuis")
    states = game.new(seeds_of(0, MANY))
    assert (states["roles"].sum(axis=1) == 2).all() and game.role_counts() == (3, 2)
    assert_uniform(Counter(tuple(np.flatnonzero(roles).tolist()) for roles in states["roles"]), 10)
    assert (states["hand_sizes"][:, :5] == 6).all()
    assert not Table("veldhuis").view().saboteurs_hidden


def test_there_is_one_kind_of_block_and_a_player_has_at_most_one() -> None:
    made = Table("veldhuis")
    names = Counter(CARD_NAMES[card] for card in made.state["deck"].tolist())
    assert (names["block"], names["deblock"], names["rockfall"], names["map"]) == (9, 9, 3, 6)
    assert not any(name.startswith(("break", "fix")) for name in names) and names.total() == 67
    assert made.moves("block") == {f"block>{seat}" for seat in range(5)} and made.moves("deblock") == set()
    made.play("block>3")
    assert made.view().broken[3] == {"block"}
    assert made.moves("block") == {f"block>{seat}" for seat in (0, 1, 2, 4)}
    assert made.moves("deblock") == {"deblock>3"}
    made.sit(3)
    assert made.moves("P_NESW") == set()
    made.play("deblock>3")
    assert not made.view().broken[3]


@pytest.mark.parametrize("gold", [True, False])
def test_every_member_of_the_winning_team_receives_one_piece(gold: bool) -> None:
    made = Table("veldhuis")
    roles = made.state["roles"][:5].copy()
    told = made.play(*row("P_EW", range(3, 10), 6)) if gold else made.run_out(0)
    assert told["gained"].tolist() == [int((role == 0) == gold) for role in roles]
    # Pieces are no secret.
    assert all(made.view(seat).nuggets == tuple(told["gained"].tolist()) for seat in range(5))


def test_most_pieces_after_three_rounds_win() -> None:
    made = Table("veldhuis")
    pieces = np.zeros(5, int)
    for _ in range(3):
        assert made.game.outcome(made.states) is None
        pieces += made.state["roles"][:5]
        made.run_out(0)
    outcome = made.game.outcome(made.states)
    assert outcome is not None and outcome.payoffs == tuple(map(float, pieces))
    assert outcome.winners == tuple(np.flatnonzero(pieces == pieces.max()).tolist())


# --- The differences, one by one --------------------------------------------------------------------------------------


def test_pairs_of_saboteurs_sit_anywhere() -> None:
    states = table("official:hidden_role=no").new(seeds_of(0, MANY))
    found = Counter(tuple(np.flatnonzero(roles).tolist()) for roles in states["roles"])
    assert set(found) == set(combinations(range(5), 2))
    assert_uniform(found, 10)


def test_nobody_is_paid_twice_in_pieces_of_three_rounds() -> None:
    # The purse of a seat never gets smaller, and grows by what it was told.
    game = table("official")
    states = game.new(seeds_of(5, 1))
    purses = [states["nuggets"][0].copy()]
    rng = np.random.default_rng(1)
    while mover(states) >= 0:
        actions = legal(game, states)
        told = play(game, states, int(actions[int(rng.integers(len(actions)))]))
        purses.append(states["nuggets"][0].copy())
        assert np.array_equal(purses[-1][:5] - purses[-2][:5], told["gained"])
    assert all((later >= earlier).all() for earlier, later in pairwise(purses))
