"""The command line itself, on which the modules beside this one put their commands, and how numbers are read there."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any

from cyclopts import App, Parameter, Token

from molehunt import __version__
from molehunt.cli.help_pages import Pages

app = App(
    name="molehunt",
    help="Hidden-information card games: play them, study them, and measure who plays them well.",
    version=__version__,
    help_format="plaintext",
    help_formatter=Pages(),
    result_action="return_value",
    suppress_keyboard_interrupt=False,
    # An option that may be given several times is left out where there is none: it needs no `--empty-...` beside it.
    default_parameter=Parameter(negative_iterable=()),
)


def _whole_number(_: Any, tokens: Sequence[Token]) -> int:
    """A whole number as it is typed; the library would round 1.7 to 2."""
    text = tokens[0].value
    try:
        return int(text)
    except ValueError:
        raise ValueError(f"a whole number is needed, not {text:.40}") from None


Whole = Annotated[int, Parameter(converter=_whole_number)]
