"""Signs that an output cannot show, such as those of boards on a terminal without Unicode, by plain ones in their places."""

from __future__ import annotations

import codecs

NAME = "molehunt.plain_signs"
"""What the way to handle errors is called, for the `errors` of a stream."""
UNKNOWN = "?"
PLAIN = {
    **dict.fromkeys("─━═", "-"),
    **dict.fromkeys("│┃║", "|"),
    **dict.fromkeys("╭╮┌┐┏┓", "."),
    **dict.fromkeys("╰╯└┘┗┛", "'"),
    **dict.fromkeys("├┤┬┴┼╋┣┫┳┻", "+"),
    **dict(zip("▁▂▃▄▅▆▇█", "_.:-=+*#", strict=True)),
    **dict.fromkeys("“”„", '"'),
    **dict.fromkeys("\u2018\u2019\u201a", "'"),
    **dict.fromkeys("\u2013\u2014\u2212", "-"),
    "·": ".",
    "…": ".",
    "\u00d7": "x",
}
"""Each is one sign, so that columns stay where they are. No corner of a tunnel is a `+`, which is a cell where a card fits."""


def _plain(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    signs = error.object[error.start : error.end]
    return "".join(PLAIN.get(sign, UNKNOWN) for sign in signs), error.end


codecs.register_error(NAME, _plain)
