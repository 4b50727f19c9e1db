"""A view of Speed Clue as text."""

from __future__ import annotations

from molehunt.games.speed_clue.draw.sheet import (
    HOLDS,
    LACKS,
    MAY,
    UNKNOWN,
    accusation_sentence,
    headline,
    marks,
    sentence,
)
from molehunt.games.speed_clue.edition import CATEGORIES
from molehunt.games.speed_clue.friendly import View

SIGNS = {HOLDS: "■", LACKS: "-", MAY: "?", UNKNOWN: "·"}
SHOWN_SUGGESTIONS = 12


def text(view: View) -> str:
    """The sheet of a view, for a terminal."""
    edition = view.game.edition
    found = marks(view)
    wide = max(len(name) for name in edition.names) + 2
    heads = ["you" if seat == view.seat else str(seat) for seat in range(view.seats)]
    lines = [f"{'':{wide}}" + "".join(f"{head:>5}" for head in heads)]
    for category, title in enumerate(CATEGORIES):
        lines.append(title)
        for card in edition.cards(category):
            name = edition.names[card]
            lines.append(f"  {name:{wide - 2}}" + "".join(f"{SIGNS[found[name, s]]:>5}" for s in range(view.seats)))
    sizes = "".join(f"{size:>5}" for size in view.hand_sizes)
    lines += [f"{'cards':{wide}}{sizes}", "", "■ has it  - has it not  ? showed one of three  · nothing seen", ""]
    lines.append(f"turn {view.turns} · {headline(view)}")
    lines.append(f"your hand: {', '.join(view.hand)}")
    made = view.suggestions
    first = max(0, len(made) - SHOWN_SUGGESTIONS)
    if first:
        lines.append(f"({first} earlier suggestions)")
    lines += [f"{number + 1:3}. {sentence(view, made[number])}" for number in range(first, len(made))]
    lines += [accusation_sentence(view, *accusation) for accusation in view.accusations]
    return "\n".join(lines)
