"""The language of seats: `A,B,...`, `A*3`, `saboteur:A*2,miner:B*3`, `A:as_printed,d_b=3.0*2,B`."""

from __future__ import annotations

import re
from dataclasses import dataclass

from molehunt.core.errors import BadInput, UnknownName
from molehunt.core.language import _

MAX_REPEAT, MAX_DIGITS = 100, 3


@dataclass(frozen=True)
class Chair:
    """One seat as it was asked for: the player's spec, and the role it must have (None: dealt)."""

    agent: str
    role: str | None = None

    def __str__(self) -> str:
        return f"{self.role}:{self.agent}" if self.role else self.agent


def parse_seats(text: str, agents: list[str], roles: tuple[str, ...]) -> list[Chair]:
    """The chairs that a text asks for.

    Commas separate seats and also the parameters of a player, so a piece begins a new seat where it begins with the name
    of one of `agents` (perhaps after one of `roles` and a colon); otherwise it is a parameter of the player before it.
    UnknownName or BadInput.
    """
    groups: list[list[str]] = []
    for piece in (part.strip() for part in text.split(",")):
        if not piece:
            raise BadInput(f"the seats {text!r:.80} have an empty place between commas; write A,B,C or A*3")
        head = re.split(r"[:*]", piece, maxsplit=1)[0]
        if head in agents or head in roles or not groups or not _takes_items(groups[-1], piece, roles):
            groups.append([piece])
        else:
            groups[-1].append(piece)
    chairs: list[Chair] = []
    for group in groups:
        chairs += _chairs(",".join(group), agents, roles)
    if len({chair.role is None for chair in chairs}) > 1:
        raise BadInput("either every seat names its role (saboteur:A,miner:B) or none does")
    return chairs


def _takes_items(group: list[str], piece: str, roles: tuple[str, ...]) -> bool:
    """Whether a piece can be one more parameter of the group before it: that one has parameters, or it is key=value."""
    head = group[0]
    for role in roles:
        head = head.removeprefix(f"{role}:")
    return "*" not in group[-1] and (":" in head or "=" in piece)


def _chairs(text: str, agents: list[str], roles: tuple[str, ...]) -> list[Chair]:
    spec, star, count = text.rpartition("*")
    if not star:
        spec, count = text, "1"
    if not count.isdecimal() or len(count) > MAX_DIGITS or not 1 <= int(count) <= MAX_REPEAT:
        raise BadInput(f"{text!r:.80}: after * comes how many seats, 1 to {MAX_REPEAT}, not {count!r:.40}")
    role = None
    first, colon, rest = spec.partition(":")
    if colon and first in roles:
        role, spec = first, rest
    name = spec.partition(":")[0]
    if name not in agents:
        if colon and role is None and rest.partition(":")[0] in agents:
            if not roles:
                raise BadInput(f"{spec!r:.80}: this game has no roles; write {rest!r:.80}")
            raise UnknownName("role", first, roles)
        if name.endswith(".py"):
            raise BadInput(
                f"{name!r:.80} is a file: give it with --agents-from, and say here what its player is called"
            )
        raise UnknownName(_("agent"), name, agents)
    return [Chair(spec, role)] * int(count)
