"""What both drawings share: the open edges of what lies on a cell by its name, and how a view reads in words."""

from __future__ import annotations

from collections.abc import Sequence

from molehunt.core.language import _, counted_in, later
from molehunt.core.panels import seat_name
from molehunt.core.places import place_said
from molehunt.core.words import joined
from molehunt.games.saboteur.cards import (
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
from molehunt.games.saboteur.state import OUTCOME_REASONS
from molehunt.games.tunnels.cards import CARD_EDGES, CARD_THROUGH, EDGE_LETTERS, letters_of_edges
from molehunt.games.tunnels.wording import in_order, looked_sentence, tunnel_sentence

PATH_CARDS = frozenset(CARD_NAMES[:FIRST_BREAK])
"""The names of the cards that are laid on the board."""

FACE_DOWN = "goal"
"""The name of a goal that lies face down (`friendly.code_name`)."""

GOAL_WORDS = {"gold": later("the gold"), "rock1": later("a stone"), "rock2": later("a stone")}

RULE_WORDS = (
    *(later("miner"), later("saboteur"), later("top"), later("middle"), later("bottom")),
    *(
        later("pickaxe"),
        later("lantern"),
        later("cart"),
        later("block"),
        later("deblock"),
        later("rockfall"),
        later("map"),
    ),
    *(later("gold"), later("stone"), later("rock1"), later("rock2")),
    *(later("the gold was reached"), later("all cards are gone and the gold was not reached")),
)
"""Words of the rules, as they stand where the rules are compiled: what is shown of them is translated."""


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
    columns, rows = [x for x, _y in used], [y for _x, y in used]
    return (
        range(max(min(columns) - 1, left), min(max(columns) + 1, right) + 1),
        range(max(min(rows) - 1, top), min(max(rows) + 1, bottom) + 1),
    )


def mine_sentence(view: View) -> str:
    """How far the mine goes."""
    if view.game.ruleset.is_open:
        return _("the mine has no bounds")
    left, top, right, bottom = view.game.ruleset.bounds
    return _(
        "the mine goes from {left} to {right} across and from {top} to {bottom} down",
        left=left,
        right=right,
        top=top,
        bottom=bottom,
    )


def goal_places(ruleset: Ruleset) -> dict[Cell, str]:
    """The place (top, middle, bottom) of each goal by its cell."""
    return dict(zip(ruleset.goals, GOAL_PLACES, strict=True))


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
    goal = int(view.record[0]["claiming"])
    return GOAL_PLACES[goal - 1] if goal else None


def move_sentence(view: View) -> str:
    """Who is to move, or how the game ended."""
    reason = OUTCOME_REASONS[int(view.record[0]["outcome"])]
    if reason and view.rounds > 1:
        counts = {"gold": view.gold_rounds, "rounds": view.rounds}
        return _("game over: the gold was reached in {gold} of {rounds} rounds", **counts)
    if reason:
        return _("game over: {reason}", reason=_(reason))
    own = view.to_move == view.seat
    if view.to_move is None:
        return _("nobody is to move")
    who = seat_name(view.to_move)
    if place := claim_due(view):
        if own:
            return _("you must say what you saw on the {place} goal", place=place_said(place))
        return _("{name} must say what it saw on the {place} goal", name=who, place=place_said(place))
    return _("you are to move") if own else _("{name} is to move", name=who)


def turn_sentence(view: View, from_one: bool = False) -> str:
    """The turn, with the round where there is more than one: how many moves were made, or which one comes (`from_one`)."""
    turn = view.turn + from_one
    if view.rounds == 1:
        return _("turn {turn}", turn=turn)
    now = min(view.round + 1, view.rounds)
    return _("round {round} of {rounds} · turn {turn}", round=now, rounds=view.rounds, turn=turn)


def role_sentence(view: View) -> str:
    """Which seat is the viewer's, and its role."""
    if view.seat < 0:
        return _("you are watching")
    return _("you are seat {number}, a {role}", number=view.seat, role=_(view.role))


def saboteurs_sentence(view: View) -> str:
    """How many saboteurs there are, as far as the seat knows."""
    if view.saboteurs_hidden:
        return counted_in(
            "at most {n} saboteur among {players} players",
            "at most {n} saboteurs among {players} players",
            view.saboteurs,
            players=view.seats,
        )
    return counted_in(
        "{n} saboteur among {players} players",
        "{n} saboteurs among {players} players",
        view.saboteurs,
        players=view.seats,
    )


def past_sentences(view: View) -> list[str]:
    """For each round that is over, who the saboteurs were; before them how often the gold was reached in a game that goes on."""
    sentences = []
    for number, roles in enumerate(view.past_roles, 1):
        seats = [str(seat) for seat, role in enumerate(roles) if role == "saboteur"]
        words = (
            counted_in("seat {who} was a saboteur", "seats {who} were saboteurs", len(seats), who=joined(seats))
            if seats
            else _("there was no saboteur")
        )
        sentences.append(_("round {number}: {words}", number=number, words=words) if view.rounds > 1 else words)
    if 0 < view.round < view.rounds:
        sentences.insert(
            0,
            counted_in(
                "the gold was reached in {gold} of {n} round so far",
                "the gold was reached in {gold} of {n} rounds so far",
                view.round,
                gold=view.gold_rounds,
            ),
        )
    return sentences


def said_sentences(view: View, names: Sequence[str] = ()) -> list[str]:
    """Whom each seat accuses and what it asks for; `names` are those of the seats, if they have any."""
    sentences = []
    for seat, (accused, asked) in enumerate(zip(view.accused, view.asked, strict=True)):
        own, who = seat == view.seat, names[seat] if names else seat_name(seat)
        if accused == view.seat and accused is not None:
            sentences.append(_("{name} accuses you", name=who))
        elif accused is not None:
            other = names[accused] if names else seat_name(accused)
            sentences.append(
                _("you accuse {other}", other=other) if own else _("{name} accuses {other}", name=who, other=other)
            )
        if asked and view.game.ruleset.one_tool:
            sentences.append(
                _("you ask for your block to be taken away")
                if own
                else _("{name} asks for the block to be taken away", name=who)
            )
        elif asked:
            tools = tools_asked_for(view, seat)
            sentences.append(
                _("you ask for {tools} to be mended", tools=tools)
                if own
                else _("{name} asks for {tools} to be mended", name=who, tools=tools)
            )
    return sentences


def tools_asked_for(view: View, seat: int) -> str:
    """The tools for whose repair a seat asks: "the cart and the lantern"."""
    return joined(_("the {tool}", tool=_(tool)) for tool in in_order(view.asked[seat], TOOLS))


def asks_for(view: View, seat: int) -> str:
    """What a seat asks for: "asks for the cart and the lantern to be mended"."""
    if view.game.ruleset.one_tool:
        return _("asks for the block to be taken away")
    return _("asks for {tools} to be mended", tools=tools_asked_for(view, seat))


def goal_sentence(view: View, place: str) -> str:
    """What the seat knows of one goal: "gold, face up", "stone (rock1), seen on a map", "face down"."""
    content = view.goals[place]
    if content is None:
        return _("face down")
    open_for_all = place in view.revealed
    if content == "gold":
        return _("gold, face up") if open_for_all else _("gold, seen on a map")
    # The kind of stone stands in records, and is the same in all languages.
    return (
        _("stone ({card}), face up", card=content) if open_for_all else _("stone ({card}), seen on a map", card=content)
    )


def card_sentence(name: str, turned: bool = False) -> str:
    """A card in words, for those who hear the drawing: "P_NSE, a tunnel open up, right and down"."""
    if name not in PATH_CARDS:
        return name
    tunnel = tunnel_sentence(*edges_of(name, turned))
    return _("{card} turned, {tunnel}", card=name, tunnel=tunnel) if turned else f"{name}, {tunnel}"


def cell_sentence(view: View, cell: Cell) -> str:
    """What lies on a cell, in words, with the cell."""
    name, turned = view.board.get(cell, ("", False))
    at = f"{cell[0]},{cell[1]}"
    if not name:
        if cell in view.reachable:
            return _("empty cell at {cell}, reachable", cell=at)
        return _("empty cell at {cell}, not reachable", cell=at)
    if name == "start":
        return _("the start at {cell}, a tunnel open to all sides", cell=at)
    if name == FACE_DOWN or name in GOAL_WORDS:
        place = goal_places(view.game.ruleset)[cell]
        known = goal_sentence(view, place)
        sentence = _("the {place} goal at {cell}: {known}", place=place_said(place), cell=at, known=known)
        if name == FACE_DOWN:
            return sentence
        return f"{sentence}, {tunnel_sentence(*edges_of(name, turned))}"
    return _("{what}, at {cell}", what=card_sentence(name, turned), cell=at)


def seat_sentence(view: View, seat: int, names: Sequence[str] = (), *, says_turn: bool = True) -> str:
    """A seat in words: its hand, its gold, its broken tools, the goals it has looked at, what it says, and that it is to move.

    `names` are those of the seats, if they have any, where the sentence names another one. Where it stands beside something else
    that says whose turn it is, it is silent about that (not `says_turn`).
    """
    cards = view.hand_sizes[seat]
    who = _("{seat} (you)", seat=seat_name(seat)) if seat == view.seat else seat_name(seat)
    parts = [f"{who}: {counted_in('{n} card in hand', '{n} cards in hand', cards)}"]
    if gold_is_counted(view.game.ruleset):
        nuggets = view.known_gold[seat]
        parts.append(_("secret gold") if nuggets is None else counted_in("{n} nugget", "{n} nuggets", nuggets))
    if broken := broken_tools(view, seat):
        tools = joined(_(tool) for tool in broken)
        parts.append(_("blocked") if view.game.ruleset.one_tool else _("broken {tools}", tools=tools))
    if looked := looked_goals(view, seat):
        parts.append(looked_sentence(looked))
    if said := [
        _("{what} at the {place}", what=_(what), place=place_said(place))
        for place, what in claims_of(view, seat).items()
        if what
    ]:
        parts.append(_("says it saw {what}", what=joined(said)))
    accused = view.accused[seat]
    if accused is not None:
        parts.append(_("accuses {other}", other=names[accused] if names else seat_name(accused)))
    if view.asked[seat]:
        parts.append(asks_for(view, seat))
    if says_turn and seat == view.to_move:
        parts.append(_("is to move"))
    return ", ".join(parts)
