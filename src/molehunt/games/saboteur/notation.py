"""Moves as people write them.

`P_NSE@3,2` lays a path card on x = 3, y = 2, `P_NSE@3,2r` lays it turned; `map:top`; `break:cart>4` breaks the cart of
seat 4; `fix:cart>2`, `fix:cart+lantern>2` (and `fix:cart+lantern>2/cart` where a double repair mends one of its two);
`block>4`, `deblock>4`; `rockfall@3,1`; `claim:top=gold`, `claim:top=stone`; `accuse>2` accuses seat 2, `ask:cart` asks for the
repair of the own cart; `discard:P_EW`, `discard:?` for a card that the reader may not know. In a mine without bounds x and y may
be negative: `P_NSE@3,-1`.
"""

from __future__ import annotations

import difflib
import re

from molehunt.core.errors import BadNotation
from molehunt.games.saboteur.actions import (
    ACCUSE,
    ASK,
    CLAIM,
    DISCARD,
    HIDDEN_CARD,
    PLAY_BREAK,
    PLAY_FIX,
    PLAY_MAP,
    PLAY_PATH,
    PLAY_ROCKFALL,
    USED_BITS,
    pack,
    unpack,
)
from molehunt.games.saboteur.cards import (
    CARD_NAMES,
    CARD_NUMBERS,
    CARD_TOOLS,
    CLAIM_NAMES,
    FIRST_BREAK,
    FIRST_FIX,
    GOAL_PLACES,
    MAP,
    ROCKFALL,
    TOOLS,
)
from molehunt.games.saboteur.ruleset import GRID, Ruleset, cell_number, cell_place
from molehunt.games.tunnels.cards import CARD_FORMS

EXAMPLES = (
    "P_NSE@3,2 or P_NSE@3,2r, map:top, break:cart>4, fix:cart>2, fix:cart+lantern>2, block>4, deblock>2, rockfall@3,1, "
    "claim:top=gold, accuse>2, ask:cart, discard:P_EW"
)

_AT = re.compile(r"(?P<card>\w+)@(?P<x>-?[0-9]{1,3}),(?P<y>-?[0-9]{1,3})(?P<turned>r?)")
_ACCUSED = re.compile(r"accuse>(?P<seat>[0-9]{1,2})")
_ON = re.compile(r"(?P<card>(?:break|fix):[a-z+]+|block|deblock)>(?P<seat>[0-9]{1,2})(?:/(?P<tool>[a-z]+))?")


def card_number(name: str) -> int:
    """The number of a card's name; BadNotation names the nearest that there is."""
    if name in CARD_NUMBERS:
        return CARD_NUMBERS[name]
    close = difflib.get_close_matches(name, CARD_NAMES, n=1, cutoff=0.5)
    hint = f"did you mean {close[0]!r}?" if close else f"cards are {', '.join(CARD_NAMES)}"
    raise BadNotation(f"no card is called {name!r:.60}; {hint}")


def format_action(action: int, ruleset: Ruleset) -> str:
    """An action in notation; an int that is no action comes out as `action 123`."""
    play, card, form, target = unpack(action)
    if action == pack(DISCARD, HIDDEN_CARD, 0, 0):
        return "discard:?"
    if not 0 <= card < len(CARD_NAMES) or action < 0 or action >> USED_BITS:
        return f"action {action}"
    name = CARD_NAMES[card]
    x, y = cell_place(target)
    on_board = target < GRID * GRID and ruleset.holds(x, y)
    named_or_all = form > 0 or ruleset.mends_all  # a repair of one tool names it, even where the card mends no other
    if play == DISCARD and form == 0 and target == 0:
        return f"discard:{name}"
    if play == PLAY_PATH and card < FIRST_BREAK and form in (0, 1) and on_board:
        return f"{name}@{x},{y}{'r' * form}"
    if play == PLAY_ROCKFALL and card == ROCKFALL and form == 0 and on_board:
        return f"rockfall@{x},{y}"
    if play == PLAY_MAP and card == MAP and form == 0 and target < len(GOAL_PLACES):
        return f"map:{GOAL_PLACES[target]}"
    if play == PLAY_BREAK and FIRST_BREAK <= card < FIRST_FIX and form == 0 and target < 100:
        return f"{name}>{target}"
    if play == PLAY_FIX and FIRST_FIX <= card < ROCKFALL and form <= len(TOOLS) and target < 100 and named_or_all:
        return f"{name}>{target}" + (f"/{TOOLS[form - 1]}" if form else "")
    if play == CLAIM and card == MAP and 1 <= form < len(CLAIM_NAMES) and target < len(GOAL_PLACES):
        return f"claim:{GOAL_PLACES[target]}={CLAIM_NAMES[form]}"
    if play == ACCUSE and card == form == 0 and target < 100:
        return f"accuse>{target}"
    if play == ASK and card == form == 0 and target < len(TOOLS):
        return f"ask:{TOOLS[target]}"
    return f"action {action}"


def parse_action(text: str, ruleset: Ruleset, seats: int) -> int:
    """The action that a notation means; BadNotation says what would be right. Whether it is legal is not asked."""
    text = text.strip()
    if text == "discard:?":
        return pack(DISCARD, HIDDEN_CARD, 0, 0)
    if text.startswith("discard:"):
        return pack(DISCARD, card_number(text.removeprefix("discard:")), 0, 0)
    if text.startswith("map:"):
        place = text.removeprefix("map:")
        if place not in GOAL_PLACES:
            raise BadNotation(f"{text!r:.60}: a map looks at one of {', '.join(GOAL_PLACES)}, not at {place!r:.40}")
        return pack(PLAY_MAP, MAP, 0, GOAL_PLACES.index(place))
    if text.startswith("claim:"):
        place, _, claimed = text.removeprefix("claim:").partition("=")
        if place not in GOAL_PLACES or claimed not in CLAIM_NAMES[1:]:
            raise BadNotation(f"{text!r:.60} is not a claim; claims look like claim:top=gold, claim:bottom=stone")
        return pack(CLAIM, MAP, CLAIM_NAMES.index(claimed), GOAL_PLACES.index(place))
    if match := _ACCUSED.fullmatch(text):
        return pack(ACCUSE, 0, 0, _seat(match["seat"], text, seats))
    if text.startswith("ask:"):
        tool = text.removeprefix("ask:")
        if tool not in ruleset.tools:
            raise BadNotation(f"{text!r:.60}: one asks for {', '.join(ruleset.tools)}, not for {tool!r:.40}")
        return pack(ASK, 0, 0, TOOLS.index(tool))
    if match := _AT.fullmatch(text):
        return _parse_at(match, text, ruleset)
    if match := _ON.fullmatch(text):
        return _parse_on(match, text, ruleset, seats)
    raise BadNotation(f"{text!r:.60} is not a move; moves look like {EXAMPLES}")


def _seat(number: str, text: str, seats: int) -> int:
    """The seat of a number."""
    seat = int(number)
    if seat >= seats:
        raise BadNotation(f"{text!r}: there is no seat {seat}; seats go from 0 to {seats - 1}")
    return seat


def _parse_at(match: re.Match[str], text: str, ruleset: Ruleset) -> int:
    """A card laid on a cell, or a rockfall on it."""
    card = card_number(match["card"])
    x, y = int(match["x"]), int(match["y"])
    left, top, right, bottom = ruleset.bounds
    if not ruleset.holds(x, y):
        raise BadNotation(
            f"{text!r}: there is no cell {x},{y}; x goes from {left} to {right}, y from {top} to {bottom}"
        )
    turned = bool(match["turned"])
    cell = cell_number(x, y)
    if card == ROCKFALL:
        if turned:
            raise BadNotation(f"{text!r}: a rockfall is not turned; write rockfall@{x},{y}")
        return pack(PLAY_ROCKFALL, card, 0, cell)
    if card >= FIRST_BREAK:
        raise BadNotation(f"{text!r}: {CARD_NAMES[card]} is not laid on a cell; moves look like {EXAMPLES}")
    if turned and CARD_FORMS[card] == 1:
        raise BadNotation(f"{text!r}: {match['card']} looks the same turned; write {match['card']}@{x},{y}")
    return pack(PLAY_PATH, card, int(turned), cell)


def _parse_on(match: re.Match[str], text: str, ruleset: Ruleset, seats: int) -> int:
    """A break or fix card played on a player."""
    card = card_number(match["card"])
    seat = _seat(match["seat"], text, seats)
    breaks = card < FIRST_FIX
    tools = [tool for number, tool in enumerate(TOOLS) if CARD_TOOLS[card] >> number & 1]
    tool = match["tool"]
    if breaks or ruleset.mends_all:
        if tool:
            raise BadNotation(f"{text!r}: no tool is named here; write {match['card']}>{seat}")
        return pack(PLAY_BREAK if breaks else PLAY_FIX, card, 0, seat)
    tool = tool or (tools[0] if len(tools) == 1 else None)
    if tool not in tools:
        raise BadNotation(f"{text!r}: say which tool is mended: {match['card']}>{seat}/{' or /'.join(tools)}")
    return pack(PLAY_FIX, card, 1 + TOOLS.index(tool), seat)
