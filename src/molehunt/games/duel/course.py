"""Logs of the course's program (McGill COMP 424, winter 2020): whole deals and moves, played again with our rules.

A log has remarks (`#`), who plays (`START Player-0 NAME`), the deal (`BoardInit:` and, joined by `-`, the deck in the order of
drawing, the hands of players 1 and 0, the goals from left to right), the moves (see `notation`), and how it ended (`GAMEOVER`).
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field

import numpy as np

from molehunt.core.errors import BadInput, BadRecord
from molehunt.core.position import Position
from molehunt.core.replay import Logged, Played
from molehunt.games.duel.cards import BLANK, CARD_NAMES, DECK_COUNTS, NUGGET, card_number
from molehunt.games.duel.game import Duel
from molehunt.games.duel.notation import from_course
from molehunt.games.duel.state import FIRST_SEAT, HAND, SEATS

DEAL, START, GAME_OVER = "BoardInit:", "START ", "GAMEOVER"
GOALS = {"Tile:nugget": NUGGET, "Tile:hidden1": BLANK, "Tile:hidden2": BLANK}


@dataclass
class Log:
    """One game of a log: the line of its deal, the players by seat, the moves with their lines, and what its last line says."""

    line: int
    deal: str
    seats: dict[int, str]
    moves: list[tuple[int, str]] = field(default_factory=list)
    ending: str = ""

    def replay(self) -> Played:
        """The game, played again; BadRecord names the line of what is wrong, also where another ending comes out."""
        game = Duel()
        try:
            position = Position.at(game, dealt(game, self.deal))
        except BadInput as error:
            raise BadRecord(f"line {self.line}: {error}") from None
        played = Played(position, [self.seats.get(seat, f"player {seat}") for seat in range(SEATS)])
        for line, text in self.moves:
            try:
                seat = position.to_move
                hand = position.view(seat).hand if seat >= 0 else ()
                played.play(text, from_course(text, seat, hand) if seat >= 0 else text)
            except BadInput as error:
                raise BadRecord(f"line {line}: {error}") from None
        self._check(played)
        return played

    def _check(self, played: Played) -> None:
        """Compare the ending that is logged with the one that comes out; a game that was broken off has none."""
        outcome = played.position.outcome
        winner = re.fullmatch(r"WINNER ([01])", self.ending)
        if self.ending == "DRAW":
            said: tuple[int, ...] = ()
        elif winner:
            said = (int(winner[1]),)
        elif outcome is not None and self.ending:
            raise BadRecord(f"the log says {self.ending!r:.60}, but the game is over: {outcome.reason}")
        else:
            return
        if outcome is None:
            raise BadRecord(f"the log says {self.ending!r}, but after {len(self.moves)} moves the game goes on")
        if outcome.winners != said:
            raise BadRecord(f"the log says {self.ending!r}, but {outcome.reason}")


def dealt(game: Duel, text: str) -> np.ndarray:
    """The state that a log deals, shape (1,); BadInput says what is wrong."""
    parts = [part.split(",") for part in text.strip().split("-")]
    if len(parts) != 4:
        raise BadInput(f"a deal is the deck, two hands and the goals, joined by -, not {len(parts)} parts")
    deck, *hands, goals = parts
    if sorted(goals) != sorted(GOALS):
        raise BadInput(f"the goals are {', '.join(GOALS)} in some order, not {', '.join(goals)!r:.80}")
    numbers = [[card_number(card.removeprefix("Tile:").lower()) for card in cards] for cards in (*hands, deck)]
    if [len(cards) for cards in numbers[:SEATS]] != [HAND] * SEATS:
        raise BadInput(f"each hand has {HAND} cards")
    counts = Counter(card for cards in numbers for card in cards)
    for card, count in enumerate(DECK_COUNTS.tolist()):
        if counts[card] != count:
            raise BadInput(f"the game has the card {CARD_NAMES[card]} {count} times, not {counts[card]} times")
    states = game.new(np.zeros(1, np.uint64))
    state = states[0]
    first, second, drawn = numbers
    for number, (one, other) in enumerate(zip(first, second, strict=True)):
        state["deck"][2 * number : 2 * number + 2] = one, other
    state["deck"][SEATS * HAND :] = drawn
    state["hands"][FIRST_SEAT], state["hands"][1 - FIRST_SEAT] = first, second
    state["goals"] = [GOALS[goal] for goal in goals]
    return states


def read_logs(text: str) -> list[Logged] | None:
    """The games of a text, None where it is no log of the course's program."""
    logs: list[Log] = []
    seats: dict[int, str] = {}
    for number, line in enumerate(text.splitlines(), start=1):
        word = line.strip()
        if word.startswith(DEAL):
            logs.append(Log(number, word.removeprefix(DEAL), seats))
            seats = {}
        elif match := re.fullmatch(rf"{START}Player-([01]) (.+)", word):
            seats[int(match[1])] = match[2]
        elif not word or word.startswith("#"):
            continue
        elif not logs:
            return None
        elif word.startswith(GAME_OVER):
            logs[-1].ending = word.removeprefix(GAME_OVER).strip()
        else:
            logs[-1].moves.append((number, word))
    return [Logged(log.line, log.replay) for log in logs] or None
