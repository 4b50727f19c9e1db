"""Players of files that fail, as it is told: in which game, how it is played again, how many were lost so; who never answers."""

from __future__ import annotations

import contextlib
import itertools
import shlex
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from molehunt.agents.own_files import running_in_files
from molehunt.arena.agent_files import AgentFile
from molehunt.arena.faults import Where, where_of
from molehunt.arena.isolation import Isolation
from molehunt.console.screen import out, side
from molehunt.core.errors import AgentFailure, MolehuntError
from molehunt.core.words import counted

SHOWN_FAULTS = 3
"""Reasons for which a player lost games that are shown, those of most games; --json tells all."""


@contextlib.contextmanager
def saying_where(files: Sequence[AgentFile]) -> Iterator[None]:
    """Where a player fails, the error says in which game, and how that is played again."""
    try:
        yield
    except MolehuntError as error:
        where = where_of(error)
        if where is None:
            raise
        raise AgentFailure(f"{error}; {played_again(where, files)}") from error


def played_again(where: Where, files: Sequence[AgentFile], isolation: Isolation | None = None) -> str:
    """In which game a player failed, and the command that plays it again, alone."""
    seats = [(seat, len([*same])) for seat, same in itertools.groupby(where.seats)]
    words = ["molehunt", "arena", where.label]
    words += [word for file in files for word in ("--agents-from", _from_here(file.path))]
    words += ["--seats", ",".join(seat if count == 1 else f"{seat}*{count}" for seat, count in seats)]
    words += ["--seed", str(where.seed), "--first-deal", str(where.deal), "--games", "1"]
    words += ["--series", str(where.series)] if where.series > 1 else []
    if isolation is not None:
        usual = Isolation()
        words.append("--isolate")
        words += ["--isolate-seconds", str(isolation.seconds)] if isolation.seconds != usual.seconds else []
        words += ["--isolate-memory", str(isolation.memory)] if isolation.memory != usual.memory else []
        words += ["--isolate-network"] * isolation.network
    return f"{where}; to play it again: {shlex.join(words)}"


def _from_here(path: str) -> str:
    """A path as it is typed in the current folder, where the file lies in it."""
    try:
        return str(Path(path).relative_to(Path.cwd()))
    except (OSError, ValueError):
        return path


def print_faults(
    faults: Mapping[str, int], first: Mapping[str, Where], files: Sequence[AgentFile], isolation: Isolation | None
) -> None:
    """Why players lost games by fault, how many, and how one of them is played again; player by player, so that each is told of."""
    whose: dict[str, list[str]] = {}
    for reason in sorted(faults, key=lambda reason: (-faults[reason], reason)):
        where = first.get(reason)
        whose.setdefault("" if where is None else where.player, []).append(reason)
    for player, reasons in sorted(whose.items()):
        for reason in reasons[:SHOWN_FAULTS]:
            out.print(f"Lost by fault in {counted(faults[reason], 'game')}: {reason}", markup=False, soft_wrap=True)
            if reason in first:
                out.print(f"  {played_again(first[reason], files, isolation)}", markup=False, soft_wrap=True)
        if len(reasons) > SHOWN_FAULTS:
            more = counted(len(reasons) - SHOWN_FAULTS, "more reason")
            out.print(
                f"... and for {more} of {player or 'others'}; --json FILE tells all.", markup=False, soft_wrap=True
            )


def lost_words(faults: Mapping[str, int]) -> str:
    """How many games were lost by fault."""
    return f"{counted(sum(faults.values()), 'game')} lost by fault, as told above"


def tell_who_thinks(error: KeyboardInterrupt | None = None) -> None:
    """Say where players of files are as their games are stopped, by this error where it is known: who never ends is found so."""
    for place in running_in_files(error):
        side.print(f"A player was thinking at {place}.", markup=False, soft_wrap=True)
