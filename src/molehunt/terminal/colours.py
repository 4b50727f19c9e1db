"""Colours of a drawing of tunnels in a terminal. Every sign says the same without: `NO_COLOR` takes the colours away.

The terminal's own colours are used, which can be read on dark and on light; nothing has the colour of gold but gold.
"""

from __future__ import annotations

import re

from rich.text import Text

_STYLES = (
    (re.compile(r"[┏┓┗┛━┃]+|(?<=┃)[ (?)]+(?=┃)"), "cyan"),  # goals, face down
    (re.compile(r"(?<=[│┆ ])x(?=[│┆ ])|\bdead[- ]end"), "red"),
    (re.compile(r"(?<=[│┆ ])S(?=[│┆ ])"), "bold"),
    (re.compile(r"(?<= )\+(?= |$)"), "green"),  # where a card may be laid
    (re.compile(r"·"), "dim"),
    (
        re.compile(
            r"\bsaboteurs?\b|\bbreak:[\w+]+|\bmalus\b(?!  )|\bblock\b|(?<![:+\w])(?:cart|lantern|pickaxe)(?![+\w])"
        ),
        "red",
    ),
    (re.compile(r"\bminers?\b|\bfix:[\w+]+|\bbonus\b|\bdeblock\b"), "green"),
    (re.compile(r"\brockfall\b|\bmap\b|\bdestroy\b"), "blue"),
    (re.compile(r"\$|\bgold\b(?!  )|\bnugget\b"), "bold yellow"),
    (re.compile(r"^> .*?(?=  )"), "bold"),  # whose move it is
)


def coloured(line: str) -> Text:
    """A line of a board, of what is known of the seats, or of a hand, in colours; the signs stay what they are."""
    text = Text(line)
    for pattern, style in _STYLES:
        text.highlight_regex(pattern, style)
    return text
