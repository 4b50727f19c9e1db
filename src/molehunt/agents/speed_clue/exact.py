"""`exact`: the player with exact inference.

It keeps no sheet. Before each move it works out, from the whole record, how likely every deal is (`reading`), asks what is
expected to tell most about the envelope and gives little away (`questions`, `telling`), shows the card that tells least, and
accuses before it is certain where another would probably win first (`race`).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from molehunt.agents.speed_clue.exact_parameters import EDITIONS, Parameters
from molehunt.agents.speed_clue.grids import grid
from molehunt.agents.speed_clue.thought import Accusation, Advice, Proposal, Showing, Thought
from molehunt.core.agent import Agent, Rows
from molehunt.core.game import Actions, Events, Game, Views
from molehunt.core.panels import Panel
from molehunt.core.streams import derive, next_word
from molehunt.games.speed_clue.friendly import cards_of
from molehunt.games.speed_clue.game import SpeedClue, check_game

__all__ = ["EDITIONS", "Accusation", "Advice", "ExactAgent", "Parameters", "Proposal", "Showing", "in_words"]


class Memory(NamedTuple):
    """What the chairs of one table remember: their random streams."""

    game: SpeedClue
    streams: npt.NDArray[np.uint64]


class ExactAgent(Agent):
    """The strongest player of Speed Clue here."""

    observes = False
    in_batches = False

    def __init__(self, name: str = "exact", parameters: Parameters = EDITIONS["tuned"]) -> None:
        self.name = name
        self.parameters = parameters

    def start(self, game: Game, views: Views, streams: npt.NDArray[np.uint64]) -> Any:
        return Memory(check_game(self.name, game), np.array(streams, np.uint64))

    def act(self, views: Views, memory: Any, rows: Rows) -> Actions:
        actions = np.empty(len(views), np.int32)
        for index, row in enumerate(rows):
            stream = memory.streams[row : row + 1]
            word = np.array([next_word(stream)], np.uint64)
            actions[index] = Thought(self.parameters, memory.game, views[index : index + 1], word).action()
        return actions

    def observe(self, events: Events, memory: Any, rows: Rows) -> None:
        pass

    def consult(self, game: Game, view: Any, known: Iterable[tuple[int, int, bool]] = (), seed: int = 0) -> Advice:
        """What this player thinks of a view, an array of one record, at its move.

        known: more that is certain: (seat, card, whether he has it). BadInput where no deal agrees with all of it.
        """
        stream = np.array([derive(np.uint64(seed), np.uint64(0))], np.uint64)
        return Thought(self.parameters, check_game(self.name, game), np.atleast_1d(view), stream, known).advice()

    def beliefs(self, game: Game, view: Any, memory: Any, row: int) -> tuple[Panel, ...]:
        """Where it takes each card to be, over the deals that it weighs."""
        clue = check_game(self.name, game)
        word = np.array([next_word(memory.streams[row : row + 1].copy())], np.uint64)
        shares = Thought(self.parameters, clue, np.atleast_1d(view), word).shares()
        return (grid("Where each card may be", clue.edition, shares.tolist()),)

    def why(self, game: Game, view: Any, memory: Any, row: int) -> str:
        clue = check_game(self.name, game)
        word = np.array([next_word(memory.streams[row : row + 1].copy())], np.uint64)
        return in_words(Thought(self.parameters, clue, np.atleast_1d(view), word).advice(), clue)


def in_words(advice: Advice, game: SpeedClue) -> str:
    """The advice in sentences."""

    def names(cards: Iterable[int]) -> str:
        return ", ".join(cards_of(sum(1 << card for card in cards), game.edition))

    found = advice.accusation
    deals = f"all {advice.deals} deals left" if advice.every_deal else f"{advice.deals} of the deals left"
    lines = [f"Over {deals}: the likeliest envelope is {names(found.cards)}, {100 * found.probability:.0f} %."]
    lines += [
        f"{names(proposal.cards)}: {proposal.gain:.2f} of {advice.entropy:.2f} bits about the envelope, certain after it with "
        f"{100 * proposal.solves:.0f} %."
        for proposal in advice.suggestions[:5]
    ]
    lines += [f"{names([showing.card])} would tell {showing.tells:.2f} bits." for showing in advice.shows]
    if found.danger:
        verdict = "So it accuses now." if found.accuse else "So it waits."
        lines.append(f"Another wins before its next turn in {100 * found.danger:.0f} % of them. {verdict}")
    return "\n".join(lines)
