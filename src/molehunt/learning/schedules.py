"""The numbers that steer a learner."""

from __future__ import annotations

from dataclasses import dataclass

FLOAT32, BFLOAT16 = "float32", "bfloat16"
"""In which numbers a GPU computes products; a processor computes them in FLOAT32."""


@dataclass(frozen=True)
class Schedule:
    """A number that goes evenly from the first value to the last."""

    first: float
    last: float

    def at(self, share: float) -> float:
        """Its value when so much of the run is over, 0 to 1."""
        return self.first + (self.last - self.first) * min(max(share, 0.0), 1.0)


@dataclass(frozen=True)
class Settings:
    """What proximal policy optimization is told; `learning.definition` says what each number is."""

    epochs: int
    minibatch: int
    clip: float
    value_weight: float
    most_norm: float
    target_kl: float
    rate: Schedule
    entropy: Schedule
    magnet: Schedule
    magnet_every: int
    precision: str = FLOAT32
