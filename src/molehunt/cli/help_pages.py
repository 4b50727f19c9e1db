"""How `--help` stands on a screen of any width: names of commands and options are whole, and sentences fill their lines."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from cyclopts.help import ColumnSpec, HelpEntry, HelpPanel
    from rich.console import Console, ConsoleOptions

INDENT = 2
"""So far to the right goes on in the next line what is too long for the column of names."""


class Pages:
    """Prints commands and options as the library does, but for two things.

    Where the screen is narrow it cuts names in two, as it gives them a third of the width whatever they are. And it keeps the ends
    of lines of docstrings, which are those of the sources and not of this screen.
    """

    def __call__(self, console: Console, options: ConsoleOptions, panel: HelpPanel) -> None:
        """Print commands or options."""
        from cyclopts.help import DefaultFormatter

        for entry in panel.entries:
            _fill(entry)
        DefaultFormatter(column_specs=_columns(console, options, panel))(console, options, panel)

    def render_usage(self, console: Console, options: ConsoleOptions, usage: Any) -> None:
        """Print the line that says how a command is called."""
        from cyclopts.help import DefaultFormatter

        DefaultFormatter().render_usage(console, options, usage)


def _fill(entry: HelpEntry) -> None:
    """Let the sentences about an option be broken where this screen ends."""
    from cyclopts.help import InlineText
    from rich.text import Text

    described = entry.description
    if isinstance(described, InlineText) and isinstance(described.primary_renderable, Text):
        described.primary_renderable.plain = " ".join(described.primary_renderable.plain.split())


def _columns(console: Console, options: ConsoleOptions, panel: HelpPanel) -> tuple[ColumnSpec, ...]:
    """The library's columns, that of the names being as wide as its longest word at least."""
    from cyclopts.help.specs import get_default_command_columns, get_default_parameter_columns

    make = get_default_command_columns if panel.format == "command" else get_default_parameter_columns
    *before, names, told = make(console, options, panel.entries)
    width = max([names.max_width or 0, *map(_least_width, panel.entries)])
    renderer: Any = type(names.renderer)
    whole = names.copy(renderer=renderer(max_width=width), max_width=width, no_wrap=True)
    return (*before, whole, told)


def _least_width(entry: HelpEntry) -> int:
    """How wide a column must be in which no name of an entry is cut in two."""
    first, *others = " ".join(entry.display_labels_with_metavar).split() or [""]
    return max([len(first), *(INDENT + len(word) for word in others)])
