"""All cards and icons of a game as one hidden SVG: a page draws a card with `<use href="#c-P_NSE">`.

A card is the symbol `c-NAME` of 60 x 78, turned by 180 degrees `c-NAME-r`; an icon is `i-NAME` of 20 x 20. NAME is the card's
name as the game writes it, with `-` for every character that has a meaning in a selector. The drawings are those of the games.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache
from xml.etree.ElementTree import Element, tostring

from molehunt.core.errors import BadInput
from molehunt.core.svg import element
from molehunt.games.duel import cards as duel
from molehunt.games.duel.draw.as_svg import held_card, hidden_goal, open_card
from molehunt.games.saboteur import cards as saboteur
from molehunt.games.saboteur.draw.svg_cards import action_card, board_card
from molehunt.games.saboteur.draw.svg_parts import broken_icon, tool_icon
from molehunt.games.tunnels.cards import PATH_NAMES
from molehunt.games.tunnels.svg_cards import CARD_HEIGHT, CARD_WIDTH
from molehunt.games.tunnels.svg_parts import ICON, STYLE, icon, lump, nugget

TURNED = "-r"
"""What the symbol of a turned card has after its name."""

_BOARD_RULES = """
symbol { overflow: visible; }
symbol .goal-ink { transform-box: fill-box; transform-origin: center; rotate: var(--upright, 0deg); }
symbol .goal-tag { display: none; }
symbol .goal { fill: #3d474f; stroke: #93a7b5; }
symbol .goal-frame { stroke: #93a7b5; }
symbol .goal-ink { fill: #dbe6ee; }
symbol .goal-eye { color: #dbe6ee; }
.molehunt.dark { --floor: var(--pebble-light); }
"""
"""Tunnels run beyond their card and meet those of the next one; those without a way from the entrance are dark.

What a page says of a goal it says beside the card, in letters that can be read; `--upright` turns the sign of a card back that
lies turned. Nothing there has the colour of gold but gold.
"""
# The classes reach into the copies that `use` makes, which hold the symbol and nothing of the page around it.
_RULES = STYLE.replace("\n.molehunt .", "\nsymbol .") + _BOARD_RULES


def symbol_name(card: str, turned: bool = False) -> str:
    """The name of a card's symbol: "c-break-cart" for "break:cart", "c-P_NSE-r" for a P_NSE that lies turned."""
    return f"c-{re.sub(r'[^A-Za-z0-9_-]', '-', card)}{TURNED if turned else ''}"


@cache
def sprite(game: str) -> str:
    """The hidden SVG of "saboteur" or "duel" with its style sheet; "" for games whose cards are words. BadInput for others."""
    if game not in _CARDS:
        if game == "speed_clue":
            return ""
        raise BadInput(f"no cards are drawn for a game called {game!r:.60}; there are {', '.join(_CARDS)}")
    symbols = [*_symbols(_CARDS[game](), (CARD_WIDTH, CARD_HEIGHT)), *_symbols(_icons(), (ICON, ICON))]
    drawing = element(
        "svg",
        element("style", _RULES),
        *symbols,
        xmlns="http://www.w3.org/2000/svg",
        id="sprite",
        hidden="",
        aria_hidden="true",
    )
    return tostring(drawing, encoding="unicode")


def _symbols(drawings: Iterable[tuple[str, Element]], size: tuple[float, float]) -> Iterator[Element]:
    for name, drawn in drawings:
        yield element("symbol", drawn, id=name, viewBox=f"0 0 {size[0]:g} {size[1]:g}")


def _saboteur_cards() -> Iterator[tuple[str, Element]]:
    for name in (*PATH_NAMES, "start", *saboteur.GOAL_NAMES[saboteur.GOLD :]):
        for turned in (False, True):
            yield symbol_name(name, turned), board_card(name, turned)
    yield symbol_name("goal"), board_card("goal", turned=False)
    yield symbol_name("goal-gold"), board_card("goal", turned=False, seen="gold")
    yield symbol_name("goal-stone"), board_card("goal", turned=False, seen="stone")
    for name in saboteur.CARD_NAMES[saboteur.FIRST_BREAK :]:
        yield symbol_name(name), action_card(name)


def _duel_cards() -> Iterator[tuple[str, Element]]:
    for number in range(duel.TILES):
        for flipped in (0, 1):
            name = duel.tile_name(number, flipped)
            yield symbol_name(name), open_card(name)
    for name in ("entrance", *duel.CONTENT_NAMES[duel.BLANK :]):
        yield symbol_name(name), open_card(name)
    yield symbol_name("goal"), hidden_goal(None)
    for content in duel.CONTENT_NAMES[duel.BLANK :]:
        yield symbol_name(f"goal-{content}"), hidden_goal(content)
    for name in duel.CARD_NAMES[duel.TILES :]:
        yield symbol_name(name), held_card(name)


def _icons() -> Iterator[tuple[str, Element]]:
    for tool in saboteur.TOOLS:
        yield f"i-{tool}", tool_icon(tool)
        yield f"i-{tool}-broken", broken_icon(tool)
    for name in ("eye", "card", "arrow", "map", "rockfall"):
        yield f"i-{name}", icon(name)
    yield "i-nugget", nugget()
    yield "i-stone", lump()


_CARDS = {"saboteur": _saboteur_cards, "duel": _duel_cards}
