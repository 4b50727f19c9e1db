"""A view of Speed Clue as a self-contained SVG, readable on light and on dark ground."""

from __future__ import annotations

from html import escape

from molehunt.games.speed_clue.draw.sheet import HOLDS, LACKS, MAY, accusation_sentence, headline, marks, sentence
from molehunt.games.speed_clue.edition import CATEGORIES
from molehunt.games.speed_clue.friendly import View

ROW, COLUMN, NAME, MARGIN, HEAD = 26, 64, 180, 24, 84
SHOWN_SUGGESTIONS = 10
WORDS = {HOLDS: "has it", LACKS: "has it not", MAY: "showed one of three with it"}
STYLE = """
.clue{--paper:#f8f1e4;--ink:#2b2a33;--soft:#857c6e;--line:#d9cdb8;--own:#2f6f4f;--no:#b9ad99;--may:#b07a1e;--band:#efe4cf}
@media (prefers-color-scheme:dark){.clue{--paper:#24232b;--ink:#efe9dd;--soft:#a79f92;--line:#45424d;--own:#7fd1a4;
--no:#6b6672;--may:#e8b85c;--band:#2e2c36}}
.clue text{font-family:system-ui,-apple-system,"Segoe UI",sans-serif;fill:var(--ink);font-size:14px}
.clue .soft{fill:var(--soft)}.clue .title{font-size:20px;font-weight:700}.clue .head{font-weight:700;text-anchor:middle}
"""


def _mark(kind: str, x: float, y: float, label: str) -> str:
    """One mark of the sheet, with what it says for those who cannot see it."""
    shapes = {
        HOLDS: f'<circle cx="{x}" cy="{y}" r="7" fill="var(--own)"/>',
        LACKS: f'<path d="M{x - 5} {y - 5}l10 10m0 -10l-10 10" stroke="var(--no)" stroke-width="2.5" stroke-linecap="round"/>',
        MAY: f'<circle cx="{x}" cy="{y}" r="6" fill="none" stroke="var(--may)" stroke-width="2.5" stroke-dasharray="4 3"/>',
    }
    return f'<g role="img" aria-label="{escape(label)}">{shapes[kind]}</g>' if kind in shapes else ""


def svg(view: View) -> str:
    """The sheet of a view as SVG."""
    edition = view.game.edition
    found = marks(view)
    width = max(2 * MARGIN + NAME + COLUMN * view.seats, 560)
    top = HEAD + 20
    parts = [
        f'<text class="title" x="{MARGIN}" y="36">Speed Clue</text>',
        f'<text class="soft" x="{MARGIN}" y="58">turn {view.turns} · {escape(headline(view))}</text>',
    ]
    for seat in range(view.seats):
        x = MARGIN + NAME + COLUMN * (seat + 0.5)
        name = "you" if seat == view.seat else f"seat {seat}"
        parts.append(f'<text class="head" x="{x}" y="{top - 10}">{name}</text>')
    y = top
    for category, title in enumerate(CATEGORIES):
        parts.append(
            f'<rect x="{MARGIN - 8}" y="{y}" width="{width - 2 * MARGIN + 16}" height="{ROW}" rx="5" fill="var(--band)"/>'
        )
        parts.append(f'<text class="soft" x="{MARGIN}" y="{y + 18}">{title}</text>')
        y += ROW
        for card in edition.cards(category):
            name = edition.names[card]
            parts.append(f'<text x="{MARGIN}" y="{y + 18}">{escape(name)}</text>')
            for seat in range(view.seats):
                kind = found[name, seat]
                label = f"{'you' if seat == view.seat else f'seat {seat}'}: {WORDS.get(kind, '')} ({name})"
                parts.append(_mark(kind, MARGIN + NAME + COLUMN * (seat + 0.5), y + ROW / 2, label))
            y += ROW
            parts.append(f'<path d="M{MARGIN} {y}h{width - 2 * MARGIN}" stroke="var(--line)" stroke-width="1"/>')
    y += 30
    parts.append(f'<text x="{MARGIN}" y="{y}">Your hand: {escape(", ".join(view.hand))}</text>')
    lines = [f"{number + 1}. {sentence(view, made)}" for number, made in enumerate(view.suggestions)][
        -SHOWN_SUGGESTIONS:
    ]
    lines += [accusation_sentence(view, *accusation) for accusation in view.accusations]
    for line in lines:
        y += 22
        parts.append(f'<text class="soft" x="{MARGIN}" y="{y}">{escape(line)}</text>')
    wide = max(
        [width, *(2 * MARGIN + 7.4 * len(line) for line in lines), 2 * MARGIN + 7.6 * len(", ".join(view.hand)) + 80]
    )
    height = y + MARGIN
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="clue" viewBox="0 0 {wide:.0f} {height}" role="img">'
        f"<title>Speed Clue, {escape(headline(view))}</title><style>{STYLE}</style>"
        f'<rect width="{wide:.0f}" height="{height}" rx="14" fill="var(--paper)"/>{"".join(parts)}</svg>'
    )
