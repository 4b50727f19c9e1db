"""What both drawings share: the open edges of what lies on a cell by its name, and how a view reads in words."""

from __future__ import annotations

from molehunt.core.words import counted, joined
from molehunt.games.saboteur.cards import (
    BROKEN_TOOLS,
    CARD_NAMES,
    CARD_NUMBERS,
    FIRST_BREAK,
    GOAL_EDGES,
    GOAL_NAMES,
    GOAL_PLACES,
    TOOLS,
)
from molehunt.games.saboteur.friendly import Cell, View
from molehunt.games.saboteur.ruleset import Ruleset
from molehunt.games.saboteur.state import CLAIMING, OUTCOME, OUTCOME_REASONS
from molehunt.games.tunnels.cards import CARD_EDGES, CARD_THROUGH, EDGE_LETTERS, letters_of_edges
from molehunt.games.tunnels.wording import in_order, tunnel_sentence

PATH_CARDS = frozenset(CARD_NAMES[:FIRST_BREAK])
"""The names of the cards that are laid on the board."""

FACE_DOWN = "goal"
"""The name of a goal that lies face down (`friendly.code_name`)."""

GOAL_WORDS = {"gold": "the gold", "rock1": "a stone", "rock2": "a stone"}


def edges_of(name: str, turned: bool = False) -> tuple[str, bool]:
    """(letters of the open edges in the order NESW, whether they are joined inside) of what is so called on a board.

    A face-down goal shows no edge. KeyError where nothing of that name lies on a board.
    """
    if name == "start":
        return EDGE_LETTERS, True
    if name == FACE_DOWN:
        return "", False
    if name in PATH_CARDS:
        number = CARD_NUMBERS[name]
        mask, joined = int(CARD_EDGES[number, int(turned)]), bool(CARD_THROUGH[number])
    elif name in GOAL_WORDS:
        mask, joined = int(GOAL_EDGES[GOAL_NAMES.index(name), int(turned)]), True
    else:
        raise KeyError(name)
    return letters_of_edges(mask), joined


def columns_and_rows(view: View) -> tuple[range, range]:
    """The x of the columns from left to right, and the y of the rows from top to bottom.

    A mine with bounds is shown whole; of one without, what lies there and a cell around it.
    """
    if view.game.ruleset.is_open:
        return used_columns_and_rows(view)
    left, top, right, bottom = view.game.ruleset.bounds
    return range(left, right + 1), range(top, bottom + 1)


def used_columns_and_rows(view: View) -> tuple[range, range]:
    """The same for the part of the mine that is used: what lies there, and as far as the mine goes a cell around it."""
    left, top, right, bottom = view.game.ruleset.bounds
    used = [*view.board, *view.reachable]
    columns, rows = [x for x, _ in used], [y for _, y in used]
    return (
        range(max(min(columns) - 1, left), min(max(columns) + 1, right) + 1),
        range(max(min(rows) - 1, top), min(max(rows) + 1, bottom) + 1),
    )


def mine_sentence(view: View) -> str:
    """How far the mine goes."""
    if view.game.ruleset.is_open:
        return "the mine has no bounds"
    left, top, right, bottom = view.game.ruleset.bounds
    return f"the mine goes from {left} to {right} across and from {top} to {bottom} down"


def goal_places(ruleset: Ruleset) -> dict[Cell, str]:
    """The place (top, middle, bottom) of each goal by its cell."""
    return dict(zip(ruleset.goals, GOAL_PLACES, strict=True))


def tools_in_play(ruleset: Ruleset) -> tuple[str, ...]:
    """What can lie broken in front of a seat: cart, lantern and pickaxe, or the one block."""
    return TOOLS[len(BROKEN_TOOLS) :] if ruleset.one_tool else BROKEN_TOOLS


def broken_tools(view: View, seat: int) -> tuple[str, ...]:
    """The broken tools in front of a seat, in the order cart, lantern, pickaxe."""
    return in_order(view.broken[seat], TOOLS)


def looked_goals(view: View, seat: int) -> tuple[str, ...]:
    """The goals that a seat has looked at, in the order top, middle, bottom."""
    return in_order(view.looked[seat], GOAL_PLACES)


def claims_of(view: View, seat: int) -> dict[str, str | None]:
    """What a seat has said ("gold", "stone") of each goal that it has looked at, None where it has said nothing."""
    said = view.claims[seat]
    return {place: said.get(place) for place in in_order(view.looked[seat] | said.keys(), GOAL_PLACES)}


def gold_is_counted(ruleset: Ruleset) -> bool:
    """Whether the gold of each seat tells more than who won the round."""
    return ruleset.rounds > 1 or ruleset.payment == "shares"


def claim_due(view: View) -> str | None:
    """The goal about which the seat to move must say now what it saw there, None where no claim is due."""
    goal = int(view.record[0]["info"][CLAIMING])
    return GOAL_PLACES[goal - 1] if goal else None


def move_sentence(view: View) -> str:
    """Who is to move, or how the game ended."""
    reason = OUTCOME_REASONS[int(view.record[0]["info"][OUTCOME])]
    if reason and view.rounds > 1:
        reason = f"the gold was reached in {view.gold_rounds} of {view.rounds} rounds"
    if reason:
        return f"game over: {reason}"
    own = view.to_move == view.seat
    if place := claim_due(view):
        who = "you must say what you" if own else f"seat {view.to_move} must say what it"
        return f"{who} saw on the {place} goal"
    if own:
        return "you are to move"
    return f"seat {view.to_move} is to move" if view.to_move is not None else "nobody is to move"


def turn_sentence(view: View) -> str:
    """The turn, with the round where there is more than one."""
    turn = f"turn {view.turn}"
    return f"round {min(view.round + 1, view.rounds)} of {view.rounds} · {turn}" if view.rounds > 1 else turn


def role_sentence(view: View) -> str:
    """Which seat is the viewer's, and its role."""
    return f"you are seat {view.seat}, a {view.role}" if view.seat >= 0 else "you are watching"


def saboteurs_sentence(view: View) -> str:
    """How many saboteurs there are, as far as the seat knows."""
    number = f"{'at most ' * view.saboteurs_hidden}{counted(view.saboteurs, 'saboteur')}"
    return f"{number} among {view.seats} seats"


def past_sentences(view: View) -> list[str]:
    """For each round that is over, who the saboteurs were; before them how often the gold was reached in a game that goes on."""
    sentences = []
    for number, roles in enumerate(view.past_roles, 1):
        seats = [str(seat) for seat, role in enumerate(roles) if role == "saboteur"]
        were = "were saboteurs" if len(seats) > 1 else "was a saboteur"
        words = f"seat{'s' * (len(seats) > 1)} {joined(seats)} {were}" if seats else "there was no saboteur"
        sentences.append(f"round {number}: {words}" if view.rounds > 1 else words)
    if 0 < view.round < view.rounds:
        rounds = counted(view.round, "round")
        sentences.insert(0, f"the gold was reached in {view.gold_rounds} of {rounds} so far")
    return sentences


def goal_sentence(view: View, place: str) -> str:
    """What the seat knows of one goal: "gold, face up", "stone (rock1), seen on a map", "face down"."""
    content = view.goals[place]
    if content is None:
        return "face down"
    name = content if content == "gold" else f"stone ({content})"
    return f"{name}, {'face up' if place in view.revealed else 'seen on a map'}"


def card_sentence(name: str, turned: bool = False) -> str:
    """A card in words, for those who hear the drawing: "P_NSE, a tunnel open up, right and down"."""
    if name not in PATH_CARDS:
        return name
    return f"{name}{' turned' * turned}, {tunnel_sentence(*edges_of(name, turned))}"


def cell_sentence(view: View, cell: Cell) -> str:
    """What lies on a cell, in words, with the cell."""
    name, turned = view.board.get(cell, ("", False))
    at = f"at {cell[0]},{cell[1]}"
    if not name:
        return f"empty cell {at}, {'reachable' if cell in view.reachable else 'not reachable'}"
    if name == "start":
        return f"the start {at}, a tunnel open to all sides"
    if name == FACE_DOWN or name in GOAL_WORDS:
        place = goal_places(view.game.ruleset)[cell]
        sentence = f"the {place} goal {at}: {goal_sentence(view, place)}"
        if name == FACE_DOWN:
            return sentence
        return f"{sentence}, {tunnel_sentence(*edges_of(name, turned))}"
    return f"{card_sentence(name, turned)}, {at}"


def seat_sentence(view: View, seat: int) -> str:
    """A seat in words: its hand, its gold, its broken tools, the goals it has looked at, and what it says of them."""
    cards = view.hand_sizes[seat]
    parts = [f"seat {seat}{' (you)' * (seat == view.seat)}: {counted(cards, 'card')} in hand"]
    if gold_is_counted(view.game.ruleset):
        nuggets = view.nuggets[seat]
        parts.append("secret gold" if nuggets is None else counted(nuggets, "nugget"))
    if broken := broken_tools(view, seat):
        parts.append("blocked" if view.game.ruleset.one_tool else f"broken {joined(broken)}")
    if looked := looked_goals(view, seat):
        parts.append(f"has looked at the {joined(looked)} goal{'s' * (len(looked) > 1)}")
    if said := [f"{what} at the {place}" for place, what in claims_of(view, seat).items() if what]:
        parts.append(f"says it saw {joined(said)}")
    if seat == view.to_move:
        parts.append("is to move")
    return ", ".join(parts)
