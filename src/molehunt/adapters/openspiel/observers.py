"""What a seat sees, what is public and what only it knows, as numbers and as a name: OpenSpiel's observers for our games."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from molehunt.adapters.openspiel import recall
from molehunt.adapters.openspiel.moments import Moment
from molehunt.adapters.openspiel.settings import Setting
from molehunt.core.errors import BadInput

BYTE = 255.0


def observer_of(setting: Setting, kind: Any, params: Any) -> Observer | PartObserver:
    """The observer of an `IIGObservationType`: what one seat sees, or else what is public, private, or both, by `PartObserver`."""
    if params:
        raise BadInput(f"observers of molehunt's games take no parameters, not {params}")
    if kind.public_info and kind.private_info.name == "SINGLE_PLAYER":
        return Observer(setting, kind)
    return PartObserver(setting, kind)


def _tensor_of(
    shapes: Mapping[str, tuple[int, ...]],
) -> tuple[npt.NDArray[np.float32], dict[str, npt.NDArray[np.float32]]]:
    """One flat array of zeros, and its parts by name, which are views of it."""
    tensor = np.zeros(sum(math.prod(shape) for shape in shapes.values()), np.float32)
    parts = {}
    start = 0
    for name, shape in shapes.items():
        parts[name] = tensor[start : start + math.prod(shape)].reshape(shape)
        start += math.prod(shape)
    return tensor, parts


class Observer:
    """OpenSpiel's observer: `tensor` is one flat array of float32, and `dict` names its parts.

    Without perfect recall a tensor is the seat's observation as `adapters.spaces` gives it. With perfect recall, the parts
    `first` (the observation before the first move), `observation` (the one of now) and `events`: one row a move, the bytes of
    the event that the seat received, each divided by 255. Before the deal all is 0. Strings are the names of `recall`.
    """

    def __init__(self, setting: Setting, kind: Any) -> None:
        self.setting = setting
        self.perfect_recall = bool(kind.perfect_recall)
        size = setting.spaces.observation_size
        shapes: dict[str, tuple[int, ...]] = {"observation": (size,)}
        if self.perfect_recall:
            width = setting.game.event_dtype.itemsize
            shapes = {"first": (size,), **shapes, "events": (setting.longest, width)}
        self.tensor, self.dict = _tensor_of(shapes)

    def set_from(self, state: Any, player: int) -> None:
        """Fill the tensor with what a seat sees of a play."""
        self.tensor.fill(0)
        position = state.position
        if position is None:
            return
        spaces = self.setting.spaces
        self.dict["observation"][:] = spaces.observation_many(position.view(player))[0]
        if not self.perfect_recall:
            return
        self.dict["first"][:] = spaces.observation_many(position.first_view(player))[0]
        if position.moves:
            rows = self.dict["events"][: position.moves]
            rows[:] = position.events(player).view(np.uint8).reshape(rows.shape)
            rows /= BYTE

    def string_from(self, state: Any, player: int) -> str:
        """The name of what a seat knows (with perfect recall) or sees."""
        position = state.position
        if position is None:
            return f"{player} before the deal"
        if self.perfect_recall:
            return f"{player} {position.information_state(player)}"
        return f"{player} {position.observation(player)}"


class PartObserver:
    """What is public of a play, what seats know beyond it, or both: `public_info` and `private_info` say which.

    Public is the game's `public_view`, which every seat knows. Private is by which bytes a seat's own view differs from that
    (exclusive or), so both together are the view. Tensors are the parts `public`, shape (bytes of
    a view,), and `private`, shape (seats, bytes of a view), or (1, ...) where it is that of one seat: bytes, each divided by
    255. With perfect recall, `first_public` and `first_private` are the same before the first move, and `public_events` and
    `private_events`, shapes (moves, bytes of an event) and (seats or 1, moves, bytes of an event), what came with each move
    since. Before the deal all is 0. Strings are names, made as in `recall`; a drawn play has no moves before its drawing.
    BadInput where neither part is asked for.
    """

    def __init__(self, setting: Setting, kind: Any) -> None:
        self.public = bool(kind.public_info)
        self.private = kind.private_info.name
        if not self.public and self.private == "NONE":
            raise BadInput("an observer shows something: public_info, or PrivateInfoType.SINGLE_PLAYER or ALL_PLAYERS")
        self.setting = setting
        self.perfect_recall = bool(kind.perfect_recall)
        game = setting.game
        seats = game.seats if self.private == "ALL_PLAYERS" else 1
        view, moves = game.view_dtype.itemsize, (setting.longest, game.event_dtype.itemsize)
        public: dict[str, tuple[int, ...]] = {"public": (view,)}
        private: dict[str, tuple[int, ...]] = {"private": (seats, view)}
        if self.perfect_recall:
            public |= {"first_public": (view,), "public_events": moves}
            private |= {"first_private": (seats, view), "private_events": (seats, *moves)}
        self.tensor, self.dict = _tensor_of(
            (public if self.public else {}) | (private if self.private != "NONE" else {})
        )

    def _seats(self, player: int) -> list[int]:
        """The seats whose private part is shown."""
        return {"NONE": [], "SINGLE_PLAYER": [player]}.get(self.private, list(range(self.setting.game.seats)))

    def _seen(self, position: Moment, player: int, first: bool) -> dict[str, npt.NDArray[np.uint8]]:
        """What is public and private now, or before the `first` move, as bytes."""
        states = position.first if first else position.states
        public = self.setting.game.public_view(states).view(np.uint8).ravel()
        seen = position.first_view if first else position.view
        private = [seen(seat).view(np.uint8).ravel() ^ public for seat in self._seats(player)]
        return {"public": public, "private": np.array(private, np.uint8).reshape(len(private), len(public))}

    def _told(self, position: Moment, player: int) -> dict[str, npt.NDArray[np.uint8]]:
        """What every move told to all, and to seats beyond that, as bytes."""
        game = self.setting.game
        width = game.event_dtype.itemsize
        public = np.zeros((position.moves, width), np.uint8)
        private = np.zeros((len(self._seats(player)), position.moves, width), np.uint8)
        for move, events in enumerate(position.play.events):
            public[move] = np.frombuffer(game.public_event(events).tobytes(), np.uint8)
            for row, seat in enumerate(self._seats(player)):
                private[row, move] = np.frombuffer(events[seat].tobytes(), np.uint8) ^ public[move]
        return {"public_events": public, "private_events": private}

    def _parts(self, position: Moment, player: int) -> dict[str, npt.NDArray[np.uint8]]:
        """All parts that are shown, as bytes."""
        parts = self._seen(position, player, first=False)
        if self.perfect_recall:
            before = self._seen(position, player, first=True)
            parts |= {f"first_{name}": part for name, part in before.items()} | self._told(position, player)
        return {name: part for name, part in parts.items() if name in self.dict}

    def set_from(self, state: Any, player: int) -> None:
        """Fill the tensor with what is public, and what is private to `player` or to all seats."""
        self.tensor.fill(0)
        if state.position is None:
            return
        for name, part in self._parts(state.position, player).items():
            # Of the moves to come there is nothing to tell yet.
            where = self.dict[name]
            (where[..., : state.position.moves, :] if name.endswith("_events") else where)[:] = part / BYTE

    def string_from(self, state: Any, player: int) -> str:
        """The name of what is public, of what is private to `player` or to all seats, or of both."""
        who = {"NONE": "all", "SINGLE_PLAYER": str(player)}.get(self.private, "each")
        if state.position is None:
            return f"{who} before the deal"
        parts = self._parts(state.position, player)
        return f"{who} {recall.observation(b''.join(parts[name].tobytes() for name in self.dict))}"
