"""What a seat sees as numbers and as a name: OpenSpiel's observers for our games."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from molehunt.adapters.openspiel.settings import Setting
from molehunt.core.errors import BadInput

BYTE = 255.0


class Observer:
    """OpenSpiel's observer: `tensor` is one flat array of float32, and `dict` names its parts.

    Without perfect recall a tensor is the seat's observation as `adapters.spaces` gives it. With perfect recall, the parts
    `first` (the observation before the first move), `observation` (the one of now) and `events`: one row a move, the bytes of
    the event that the seat received, each divided by 255. Before the deal all is 0. Strings are the names of `recall`.
    """

    def __init__(self, setting: Setting, kind: Any, params: Any) -> None:
        if params:
            raise BadInput(f"observers of molehunt's games take no parameters, not {params}")
        if not kind.public_info or kind.private_info.name != "SINGLE_PLAYER":
            raise BadInput(
                "observers of molehunt's games show what one player sees: public_info, PrivateInfoType.SINGLE_PLAYER"
            )
        self.setting = setting
        self.perfect_recall = bool(kind.perfect_recall)
        size = setting.spaces.observation_size
        shapes: dict[str, tuple[int, ...]] = {"observation": (size,)}
        if self.perfect_recall:
            width = setting.game.event_dtype.itemsize
            shapes = {"first": (size,), **shapes, "events": (setting.longest, width)}
        self.tensor = np.zeros(sum(int(np.prod(shape)) for shape in shapes.values()), np.float32)
        self.dict: dict[str, npt.NDArray[np.float32]] = {}
        start = 0
        for name, shape in shapes.items():
            end = start + int(np.prod(shape))
            self.dict[name] = self.tensor[start:end].reshape(shape)
            start = end

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
