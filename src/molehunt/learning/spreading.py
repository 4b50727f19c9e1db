"""Games of a training run that are shared out: to threads of this process, or to workers elsewhere.

They go out in pieces. A piece is played as one thread would play it, what learners saw and chose comes back as arrays, and pieces
are added in their order. So what is learned from is the same wherever games are played.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from molehunt.arena.workers import Workers, each_in_order, open_workers
from molehunt.core.errors import BadInput
from molehunt.games.compiled import CompiledGame
from molehunt.games.registry import make_game, split_label
from molehunt.learning.collecting import Lot, Rollout

MOST_GAMES = 64
"""Games in a piece at most; of Saboteur, what comes back of a piece is some 2 MB (docs/learning.md)."""


@dataclass(frozen=True)
class Paid:
    """For what a learner is rewarded, and how far ahead advantages look; `Rollout.play` says what each is."""

    lookahead: float
    reward: str
    draw: float


def play_lots(game: CompiledGame, lots: Sequence[Lot], paid: Paid, rollout: Rollout) -> None:
    """Play the games of some lots here, one after the other, and write them down."""
    for lot in lots:
        rollout.play(game, lot, paid.lookahead, paid.reward, paid.draw)


def collect_by(
    workers: Workers, label: str, game: CompiledGame, lots: Sequence[Lot], paid: Paid, rollout: Rollout
) -> None:
    """Have the games of some lots played by workers, and add what they write down to a rollout, in the order of the games."""
    pieces = (
        (label, game.seats, names_of(piece), rollout.inputs, rollout.move_size, piece, paid) for piece in cut(lots)
    )
    for played in each_in_order(workers, play_piece, pieces):
        rollout.add(played)


def collect_on(threads: int, game: CompiledGame, lots: Sequence[Lot], paid: Paid, rollout: Rollout) -> None:
    """Play the games of some lots on threads of this process, and add what is written down in the order of the games."""
    spare: list[Rollout] = []

    def played(piece: tuple[Lot, ...]) -> Rollout:
        try:
            own = spare.pop()  # its memory is there already
        except IndexError:
            own = Rollout(rollout.inputs, rollout.move_size)
        own.clear()
        play_lots(game, piece, paid, own)
        return own

    with open_workers(threads) as workers:  # where a player never comes to an end, nobody waits for it
        for own in each_in_order(workers, played, ((piece,) for piece in cut(lots))):
            rollout.add(own)
            spare.append(own)


def cut(lots: Sequence[Lot], most: int = MOST_GAMES) -> Iterator[tuple[Lot, ...]]:
    """The lots in pieces of at most so many games; lots of many games are cut, and those of few share a piece."""
    piece: list[Lot] = []
    games = 0
    for lot in lots:
        for first in range(0, len(lot.seeds), most):
            here = slice(first, first + most)
            part = replace(lot, seeds=lot.seeds[here], roles=None if lot.roles is None else lot.roles[here])
            if piece and games + len(part.seeds) > most:
                yield tuple(piece)
                piece, games = [], 0
            piece.append(part)
            games += len(part.seeds)
    if piece:
        yield tuple(piece)


def names_of(lots: Sequence[Lot]) -> tuple[str, ...]:
    """Who plays in some lots: what a node compiles once."""
    return tuple(sorted({agent.name for lot in lots for agent in lot.agents}))


def play_piece(
    label: str, seats: int, names: tuple[str, ...], inputs: int, move_size: int, lots: Sequence[Lot], paid: Paid
) -> Rollout:
    """Play some lots; of what is written down as much as is filled. `names` are those of the players, for the node."""
    del names
    game = _game(label, seats)
    rollout = Rollout(inputs, move_size)
    play_lots(game, lots, paid, rollout)
    rows, moves = rollout.rows, rollout.all_moves
    rollout.positions, rollout.chosen = rollout.positions[:rows], rollout.chosen[:rows]
    rollout.numbers, rollout.seats = rollout.numbers[:rows], rollout.seats[:rows]
    rollout.firsts, rollout.moves = rollout.firsts[: rows + 1], rollout.moves[:moves]
    return rollout


@lru_cache(8)
def _game(label: str, seats: int) -> CompiledGame:
    game = make_game(*split_label(label), seats)
    if not isinstance(game, CompiledGame):
        raise BadInput(f"{label} has no compiled rules, and learners play such games only")
    return game
