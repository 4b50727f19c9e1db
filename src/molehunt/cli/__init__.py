"""The command line: one small function a command. Heavy imports stand inside the commands, so that --help is quick."""

from __future__ import annotations

import sys

__all__ = ["main"]


def main(arguments: list[str] | None = None) -> int:
    """Run the command line (`cli.running`); the exit status. All is imported here, so that a Ctrl-C is heard meanwhile."""
    try:
        from molehunt.cli import running
        from molehunt.core import at_first

        at_first.end()  # each command knows what it interprets
    except KeyboardInterrupt:
        print("molehunt: stopped", file=sys.stderr)
        return 1
    return running.main(arguments)
