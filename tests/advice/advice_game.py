"""Whole games of the library as a person at one seat would enter them for the adviser."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from molehunt.advice.deal import Deal
from molehunt.advice.entries import Asked, Entry
from molehunt.agents.registry import Agents
from molehunt.core.game import Views
from molehunt.core.streams import seat_streams
from molehunt.games.registry import make_game
from molehunt.games.speed_clue.friendly import Event
from molehunt.games.speed_clue.game import SpeedClue, check_game
from molehunt.games.speed_clue.suggestions import Accusation, HeardSuggestion

NAMES = ("Ann", "Bob", "Carol", "Dave", "Eve", "Frank")


class Watched:
    """A game that players of the library play, watched from one seat.

    Iterating plays it: after every move comes (my view, the entries so far, what I am asked, whether it is my move).
    """

    def __init__(self, players: list[str], seat: int, seed: int, ruleset: str = "mitchell") -> None:
        self.game: SpeedClue = check_game("the test", make_game("speed_clue", ruleset, len(players)))
        self.seat = seat
        self.players = [Agents("speed_clue").make(player) for player in players]
        seeds = np.array([seed], np.uint64)
        self.state = self.game.new(seeds)
        streams = seat_streams(seeds, self.game.seats)
        self.memories = [
            player.start(self.game, self.view(other), streams[:, other].copy())
            for other, player in enumerate(self.players)
        ]
        self.entries: list[Entry] = []
        view = self.game.friendly_view(self.view(seat))
        hand = tuple(card for card, name in enumerate(self.game.edition.names) if name in view.hand)
        self.deal = Deal(self.game.edition, NAMES[: len(players)], seat, hand, view.hand_sizes)

    def view(self, seat: int) -> Views:
        return self.game.views(self.state, np.array([seat], np.int8))

    def __iter__(self) -> Iterator[tuple[Views, tuple[Entry, ...], Asked | None, bool]]:
        asked = None
        while True:
            mover = int(self.game.to_move(self.state)[0])
            if mover < 0:
                return
            yield self.view(self.seat), tuple(self.entries), asked if mover == self.seat else None, mover == self.seat
            action = self.players[mover].act(self.view(mover), self.memories[mover], np.zeros(1, np.int64))
            events = self.game.apply(self.state, action.astype(np.int32))
            for other, player in enumerate(self.players):
                if player.observes:
                    player.observe(events[0, other : other + 1], self.memories[other], np.zeros(1, np.int64))
            event = self.game.friendly_event(events[0, self.seat])
            asked = self.note(event)

    def note(self, event: Event) -> Asked | None:
        """Enter an event; what is asked and not answered yet."""
        find = self.game.edition.names.index
        if event.right is not None:
            first, second, third = (find(card) for card in event.move.removeprefix("accuse ").split(", "))
            self.entries.append(Accusation(event.seat, (first, second, third), event.right))
        made = event.suggestion
        if made is None:
            return None
        first, second, third = (find(card) for card in made.cards)
        if made.awaited:
            return Asked(made.seat, (first, second, third))
        shown = None if made.shown is None else find(made.shown)
        self.entries.append(HeardSuggestion(made.seat, (first, second, third), made.disprover, shown))
        return None
