"""Whom a candidate plays, and where it sits."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

import numpy as np

from molehunt.agents.registry import Agents
from molehunt.arena.clusters import rate_interval
from molehunt.arena.match import MatchSpec
from molehunt.arena.seating import Chair, parse_seats
from molehunt.arena.tuning.race import Scores
from molehunt.core.errors import BadInput, UnknownName
from molehunt.games.registry import game_entry, make_game, split_label

CANDIDATE = "candidate"
"""Who sits on the candidate's own seats, in the language of seats."""
BOTH = "both"
"""All roles, one after the other."""
Interval: TypeAlias = tuple[float, float]
"""The two ends."""


@dataclass(frozen=True)
class Opposition:
    """A seating with the candidate in it; without roles in it, every deal is played in every cyclic seating."""

    match: MatchSpec

    def __str__(self) -> str:
        pieces: list[list[object]] = []
        for chair in self.match.chairs:
            if pieces and pieces[-1][0] == chair:
                pieces[-1][1] = int(str(pieces[-1][1])) + 1
            else:
                pieces.append([chair, 1])
        return ",".join(f"{chair}" if count == 1 else f"{chair}*{count}" for chair, count in pieces)

    @property
    def own(self) -> tuple[int, ...]:
        """The candidate's chairs."""
        return tuple(number for number, chair in enumerate(self.match.chairs) if chair.agent == CANDIDATE)

    @property
    def seatings(self) -> int:
        """In how many seatings each deal is played."""
        return len(self.match.chairs) if self.match.rotate else 1

    def within(self, scores: Scores) -> Interval:
        """Between what the share of games lies that a candidate wins (95 %), from its share of each deal, as the arena says it."""
        seats = np.full(len(scores), self.seatings * len(self.own))
        return rate_interval(np.rint(scores * seats).astype(np.int64), seats)

    def seat(self, candidate: str) -> MatchSpec:
        """The match with a player in the candidate's place."""
        chairs = tuple(
            replace(chair, agent=candidate) if chair.agent == CANDIDATE else chair for chair in self.match.chairs
        )
        return replace(self.match, chairs=chairs)


def read_oppositions(  # noqa: PLR0913, PLR0917 - what a seating is made of
    label: str, against: Sequence[str], role: str | None, seats: int | None, agents: Agents, match: MatchSpec
) -> tuple[Opposition, ...]:
    """The oppositions that texts ask for. `match` says what all of them share: the label and the files of players.

    A text is one player, who takes all seats that are not the candidate's: of the other role where the candidate has `role`
    (`both`: one opposition for each role), else all but one seat. Or it is a whole seating in which `candidate` sits:
    `saboteur:candidate,saboteur:A,miner:B*3`. BadInput or UnknownName.
    """
    name = split_label(label)[0]
    entry = game_entry(name)
    if role is not None and not entry.roles:
        raise BadInput(f"{name} has no roles, so leave --role out")
    if role is not None and role not in {*entry.roles, BOTH}:
        raise UnknownName("role", role, (*entry.roles, BOTH))
    if not against:
        raise BadInput(f"say whom the candidates play: --against {agents.names()[0]}")
    found: list[Opposition] = []
    for text in against:
        chairs = parse_seats(text, [*agents.names(), CANDIDATE], entry.roles)
        if any(chair.agent == CANDIDATE for chair in chairs):
            if role is not None or seats not in {None, len(chairs)}:
                raise BadInput(f"{text!r:.80} is a whole seating already; leave --role and --seats out")
            found.append(Opposition(replace(match, chairs=tuple(chairs), rotate=chairs[0].role is None)))
        elif len(chairs) > 1 or chairs[0].role is not None:
            raise BadInput(
                f"{text!r:.80} names seats, but not the candidate's: name one player, or write all seats, such as "
                f"{CANDIDATE},{chairs[0].agent}*2"
            )
        else:
            count = entry.seats_of(split_label(label)[1]) if seats is None else seats
            roles = entry.roles if role in {None, BOTH} else (str(role),)
            seatings = (
                _by_role(label, chairs[0].agent, roles, count) if entry.roles else [_alone(chairs[0].agent, count)]
            )
            found += [Opposition(replace(match, chairs=seating, rotate=not entry.roles)) for seating in seatings]
    return tuple(found)


def _by_role(label: str, other: str, roles: Sequence[str], count: int) -> list[tuple[Chair, ...]]:
    """For each of the roles, the seating in which the candidate has it and the other player all other roles."""
    name, ruleset = split_label(label)
    game = make_game(name, ruleset, count)
    sizes = list(zip(game.roles, game.role_counts(), strict=True))
    if sum(size for _, size in sizes) != count:
        raise BadInput(f"{label} does not say how many of {count} seats have each role; write all seats by role")
    # The saboteurs sit in the first seats, as in the studies.
    return [
        tuple(Chair(CANDIDATE if role == own else other, role) for role, size in reversed(sizes) for _ in range(size))
        for own in roles
    ]


def _alone(other: str, count: int) -> tuple[Chair, ...]:
    """The candidate among others of one kind, in a game without roles."""
    return (Chair(CANDIDATE), *[Chair(other)] * (count - 1))
