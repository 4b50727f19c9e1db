"""Positions of the reference engine by hand: cards on the board, hands, goals; what can be played there."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from .saboteur import Cell, ReferenceGame, Rules, card_of, cell_of, path_tile
from .saboteur_match import ReferenceMatch

GOLD_TOP = ("gold", "rock1", "rock2")
GOLD_MIDDLE = ("rock1", "gold", "rock2")
GOLD_BOTTOM = ("rock2", "rock1", "gold")


@dataclass(frozen=True)
class Positions:
    """How positions of a ruleset are laid out; each may be under other `rules` on the same board."""

    rules: Rules

    def position(
        self,
        hand: Sequence[str],
        tiles: Iterable[str] = (),
        goals: Sequence[str] = GOLD_TOP,
        others: Sequence[Sequence[str]] = (("map",), ("map",), ("map",)),
        deck: Sequence[str] = (),
        rules: Rules | None = None,
    ) -> ReferenceGame:
        """A position with seat 0, the only saboteur, to move; `tiles` are cards on the board in the notation of moves."""
        hands = [list(hand), *map(list, others)]
        roles = ["saboteur"] + ["miner"] * (len(hands) - 1)
        game = ReferenceGame(rules or self.rules, roles, list(goals), hands, list(deck), 0)
        lay_out(game, tiles)
        return game

    def row(self, first: int, last: int, y: int | None = None) -> list[str]:
        """A straight tunnel from column `first` to column `last`, in the row of the start unless `y` is another."""
        return [f"P_EW@{x},{self.rules.start[1] if y is None else y}" for x in range(first, last + 1)]

    def reach(
        self,
        approach: tuple[list[str], str],
        goals: Sequence[str],
        extra: Iterable[str] = (),
        rules: Rules | None = None,
    ) -> ReferenceGame:
        """The position after the last card of an approach: (tunnel, last card)."""
        tunnel, last = approach
        game = self.position([card_of(last), "map"], [*tunnel, *extra], goals, rules=rules)
        game.apply(last)
        return game


def lay_out(game: ReferenceGame, tiles: Iterable[str]) -> None:
    """Put cards on the board, in the notation of moves."""
    for tile in tiles:
        game.board[cell_of(tile)] = path_tile(card_of(tile), tile.endswith("r"))


def plays(game: ReferenceGame | ReferenceMatch, at: str = "") -> set[str]:
    """The legal moves that are not discards, or those of them at one cell."""
    moves = {move for move in game.legal_moves() if not move.startswith("discard:")}
    return {move for move in moves if move.removesuffix("r").endswith(f"@{at}")} if at else moves


def edges(game: ReferenceGame, cell: Cell) -> str:
    """The open edges at a cell, in the order N, E, S, W."""
    return "".join(edge for edge in "NESW" if edge in game.board[cell].open)
