"""A moment of a play that never changes: a move makes another one. So OpenSpiel may copy its states as often as it likes."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from molehunt.adapters.openspiel import recall
from molehunt.adapters.openspiel.settings import Setting
from molehunt.core.game import Events, States, Views
from molehunt.core.position import Position

MOST_KEPT = 50_000
"""How many positions of a game are remembered: some hundred megabytes."""
OTHERS = b"drawn"
"""What the traces of the other seats begin with in a position that was drawn from what one seat holds possible."""


@dataclass(slots=True, eq=False)
class Moment:
    """One moment of a play, with what each seat has seen.

    Attributes: `setting`; `play`, the position, and `first`, the state that it began with, shape (1,), neither to be changed;
    `traces`, by seat, see `recall`; `number`, of the deal, None where the moment was drawn; `keep`, whether moments that follow are
    remembered and made once; `to_move`, the seat.
    """

    setting: Setting
    first: States
    play: Position
    traces: tuple[bytes, ...]
    number: int | None
    keep: bool
    to_move: int = field(init=False)
    _views: dict[int, Views] = field(init=False, default_factory=dict)
    _legal: list[int] | None = field(init=False, default=None)
    _following: dict[int, Moment] = field(init=False, default_factory=dict)

    def __post_init__(self) -> None:
        self.to_move = self.play.to_move

    def __deepcopy__(self, memory: Any) -> Moment:
        return self

    def __reduce__(self) -> Any:
        return Moment, (self.setting, self.first, self.play, self.traces, self.number, self.keep)

    @property
    def states(self) -> States:
        """The state of now: shape (1,), not to be written to."""
        return self.play.states

    @property
    def moves(self) -> int:
        """How many moves were made since the first state."""
        return len(self.play.actions)

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.to_move < 0

    def view(self, seat: int) -> Views:
        """What a seat knows: shape (1,)."""
        if seat not in self._views:
            self._views[seat] = self.play.view_record(seat)
        return self._views[seat]

    def first_view(self, seat: int) -> Views:
        """What a seat knew before the first move: shape (1,)."""
        return self.setting.game.views(self.first, np.array([seat], np.int8))

    def events(self, seat: int, start: int = 0) -> Events:
        """The events that a seat received, from move `start` on: shape (moves,)."""
        told = [events[seat : seat + 1] for events in self.play.events[start:]]
        return np.concatenate(told) if told else np.zeros(0, self.setting.game.event_dtype)

    def legal(self) -> list[int]:
        """The legal actions of the seat to move, as indices in ascending order; empty where the game is over."""
        if self._legal is None:
            mask = self.setting.spaces.mask_many(self.view(self.to_move)) if not self.over else np.zeros((1, 0))
            self._legal = [int(index) for index in np.flatnonzero(mask[0])]
        return self._legal

    def after(self, index: int) -> Moment:
        """The position after the seat to move has played the action with an index; IllegalAction where it may not.

        GameFailure where the play goes on after the moves that its game has at most: observers have no room for more.
        """
        if index in self._following:
            return self._following[index]
        seat = self.to_move
        play = self.play.copy()
        told = play.play(self.setting.spaces.code(index, seat))
        traces = list(self.traces)
        traces[seat] = recall.then(traces[seat], self.view(seat).tobytes())
        for other in range(len(told)):
            traces[other] = recall.then(traces[other], told[other].tobytes())
        moment = Moment(self.setting, self.first, play, tuple(traces), self.number, self.keep)
        if 0 < play.game.most_moves <= moment.moves and not moment.over:
            raise play.game.too_long()
        if self.keep and self.setting.kept < MOST_KEPT:
            self.setting.kept += 1
            self._following[index] = moment
        return moment

    def information_state(self, seat: int) -> str:
        """The name of all that a seat has seen, in its order."""
        return recall.information_state(self.traces[seat], self.view(seat).tobytes())

    def observation(self, seat: int) -> str:
        """The name of a seat's view."""
        return recall.observation(self.view(seat).tobytes())

    def returns(self) -> list[float]:
        """What each seat won over what the others won on average; all 0 while the game goes on."""
        return [float(margin) for margin in self.setting.game.margins(self.states)[0]]

    def drawn(self, seat: int, stream: npt.NDArray[np.uint64]) -> Moment:
        """A position that `seat` holds possible, drawn with a stream that starts at `stream`, shape (1,)."""
        return drawn_from(self.setting, self.view(seat), self.traces[seat], stream)


def dealt(setting: Setting, outcomes: tuple[int, ...], number: int) -> Moment:
    """The position before the first move. Where deals are listed, positions that follow are remembered."""
    states = setting.deal(outcomes)
    seats = np.arange(setting.game.seats, dtype=np.int8)
    views = setting.game.views(states, seats, np.zeros(len(seats), np.int64))
    traces = tuple(recall.begin(view.tobytes()) for view in views)
    return Moment(setting, states, Position.at(setting.game, states), traces, number, keep=setting.listed is not None)


def drawn_from(setting: Setting, view: Views, trace: bytes, stream: npt.NDArray[np.uint64]) -> Moment:
    """A position that the seat of a view holds possible: shape (1,). What the others saw on the way there is not known.

    The seat's own information state is what it was: `trace` and `view`. The others' begin with this position.
    """
    game = setting.game
    states = game.resample(view, stream)
    seats = np.arange(game.seats, dtype=np.int8)
    views = game.views(states, seats, np.zeros(len(seats), np.int64))
    mine = view.tobytes()
    traces = tuple(trace if seen.tobytes() == mine else recall.then(OTHERS, seen.tobytes()) for seen in views)
    return Moment(setting, states, Position.at(game, states), traces, None, keep=False)
