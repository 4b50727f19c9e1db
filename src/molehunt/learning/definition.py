"""The file of a training run: TOML, read into values; whatever is wrong is named with its key and what would be right."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Literal

import msgspec

from molehunt.agents.networks import MOST_HISTORY
from molehunt.core.errors import BadInput, check_is
from molehunt.core.streams import MAX_SEED
from molehunt.core.toml_files import check_keys, check_value, parse_toml, read_settings
from molehunt.core.words import joined
from molehunt.learning.schedules import Schedule, Settings

SELF, PAST, STRANGERS = "self", "past", "strangers"
"""Opponents that are no players of the registry: the learner as it is, on all seats; as it was; and on each seat another stranger,
drawn anew for every few games."""


class NetworkText(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The size of the network: units of its dense layers, and units in which a position and a move are joined."""

    width: int = 128
    joint: int = 32


class PpoText(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """How it learns: the numbers of proximal policy optimization."""

    games: int = 2000
    epochs: int = 3
    minibatch: int = 1024
    clip: float = 0.2
    lookahead: float = 0.95
    value_weight: float = 0.5
    most_norm: float = 0.5
    target_kl: float = 0.03
    rate: tuple[float, float] = (2.5e-3, 2e-4)
    entropy: tuple[float, float] = (0.02, 0.002)
    magnet: tuple[float, float] = (0.0, 0.0)
    magnet_every: int = 20
    precision: Literal["float32", "bfloat16"] = "float32"

    def settings(self) -> Settings:
        """These numbers as the learner takes them."""
        return Settings(
            epochs=self.epochs,
            minibatch=self.minibatch,
            clip=self.clip,
            value_weight=self.value_weight,
            most_norm=self.most_norm,
            target_kl=self.target_kl,
            rate=Schedule(*self.rate),
            entropy=Schedule(*self.entropy),
            magnet=Schedule(*self.magnet),
            magnet_every=self.magnet_every,
            precision=self.precision,
        )


class LeagueText(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Against whom the learner is measured, in so many games after every so many updates, and at the end."""

    against: list[str] = []
    games: int = 1000
    every: int = 25


class TrainingText(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The whole file."""

    game: str
    steps: int
    horizon: int | None = None
    seats: int | None = None
    seed: int = 0
    roles: dict[str, float] = {}
    reward: Literal["wins", "share"] = "wins"
    draw: float = 0.0
    beliefs: bool = False
    history: int = 0
    start: str = ""
    opponents: dict[str, float] = msgspec.field(default_factory=lambda: {SELF: 1.0})
    past_every: int = 25
    past_kept: int = 10
    save_every: int = 10
    network: NetworkText = NetworkText()
    ppo: PpoText = PpoText()
    league: LeagueText = LeagueText()


MEANINGS = {
    "game": "a game and its ruleset as text: 'saboteur/krisnadi'",
    "steps": "how many decisions are learned from, 1 to 100,000,000,000",
    "horizon": "over how many decisions numbers go from their first value to their last, 1 to 100,000,000,000",
    "seats": "how many seats, a whole number",
    "seed": f"a whole number, 0 to {MAX_SEED}",
    "roles": "how often the learner has a role: {saboteur = 2, miner = 1}; without it, roles are dealt",
    "opponents": "how often whom it plays against: {'decision-2019' = 2, strangers = 2, self = 1, past = 1}",
    "reward": "what a game is worth: 'wins', or 'share', the share of all gold",
    "draw": "what a game is worth that nobody wins, -1 to 1",
    "beliefs": "true or false: whether the learner is told what follows from everybody's moves; in Saboteur",
    "history": f"how many of the last moves the learner is told, 0 to {MOST_HISTORY}",
    "start": "the file of weights to go on from, or 'learned', those that are shipped for the game",
    "past_every": "after how many updates the learner as it is joins its past selves, 1 to 1,000,000",
    "past_kept": "how many past selves are kept, 1 to 1,000",
    "save_every": "after how many updates all is saved, 1 to 1,000,000",
    "network": "a table: {width = 128, joint = 32}",
    "ppo": "a table: {games = 2000, epochs = 3}",
    "league": "a table: {against = ['decision-2019'], games = 1000, every = 25}",
    "width": "a whole number, 8 to 2,048",
    "joint": "a whole number, 4 to 1,024",
    "games": "how many games, 1 to 10,000,000",
    "epochs": "how often a batch is gone through, 1 to 100",
    "minibatch": "how many decisions a step of the optimizer sees, 16 to 1,000,000",
    "clip": "how far a chance may move, 0.01 to 1",
    "lookahead": "lambda of the advantages, 0 to 1",
    "value_weight": "the weight of the error of values, 0 to 100",
    "most_norm": "the largest norm of a gradient, 0.001 to 1,000",
    "target_kl": "the divergence at which a batch is left, 0.0001 to 100",
    "rate": "the learning rate at the start and at the end: [0.0025, 0.0002]",
    "entropy": "the weight of entropy at the start and at the end: [0.02, 0.002]",
    "magnet": "the weight of the magnet at the start and at the end: [0.05, 0.0]",
    "magnet_every": "after how many updates the magnet follows, 1 to 1,000,000",
    "precision": "in which numbers a GPU computes products: 'float32' or 'bfloat16'",
    "against": "a list of players as text: ['decision-2019']",
    "every": "after how many updates, 1 to 1,000,000",
}
"""What each key holds, as errors and the documentation say it."""

_RANGES: dict[str, tuple[float, float]] = {
    "steps": (1, 10**11),
    "horizon": (1, 10**11),
    "seed": (0, MAX_SEED),
    "draw": (-1, 1),
    "history": (0, MOST_HISTORY),
    "past_every": (1, 10**6),
    "past_kept": (1, 1000),
    "save_every": (1, 10**6),
    "width": (8, 2048),
    "joint": (4, 1024),
    "games": (1, 10**7),
    "epochs": (1, 100),
    "minibatch": (16, 10**6),
    "clip": (0.01, 1),
    "lookahead": (0, 1),
    "value_weight": (0, 100),
    "most_norm": (0.001, 1000),
    "target_kl": (0.0001, 100),
    "magnet_every": (1, 10**6),
    "every": (1, 10**6),
}
_TABLES: dict[str, type[msgspec.Struct]] = {"network": NetworkText, "ppo": PpoText, "league": LeagueText}
_SCHEDULES = ("rate", "entropy", "magnet")
_WEIGHTS = ("roles", "opponents")


def read_training(path: Path | str) -> TrainingText:
    """Read a file; BadInput names the file, the key and what would be right."""
    return read_settings(path, parse_training)


def parse_training(text: str) -> TrainingText:
    """A training run from its text; BadInput or UnknownName."""
    check_is(text, str, "a training run is read from its text")
    value = parse_toml(text)
    _check_places(value, "")
    check_keys(value, TrainingText, "the training run", MEANINGS, _check)
    return msgspec.convert(value, TrainingText)


def _check_places(told: Any, table: str) -> None:
    """BadInput where a key stands in another part of the file than it should; the top of the file is the table ""."""
    tables: dict[str, type[msgspec.Struct]] = {"": TrainingText, **_TABLES}
    known = {name: _fields_of(kind) for name, kind in tables.items()}
    for key in told if isinstance(told, dict) else ():
        right = [f"in [{name}]" if name else "above the first table" for name, keys in known.items() if key in keys]
        if right and key not in known[table]:
            here = f"in [{table}]" if table else "above the first table"
            raise BadInput(f"{key} stands {joined(right, 'or')}, not {here}")


def _fields_of(kind: type[msgspec.Struct]) -> set[str]:
    """The keys of a part of the file."""
    return {each.name for each in msgspec.structs.fields(kind)}


def _check(key: str, part: Any, kind: Any, where: str) -> None:
    """Check one value: its parts where it has keys of its own, else its type, its range and its shape."""
    if key in _TABLES:
        _check_places(part, key)
        check_keys(part, _TABLES[key], key, MEANINGS, _check)
        return
    wrong = BadInput(f"{where} must be {MEANINGS[key]}, not {part!r:.60}")
    check_value(part, kind, _RANGES.get(key), wrong)
    if key in _SCHEDULES and not all(0 <= each <= 10 for each in part):
        raise wrong
    if key in _WEIGHTS and not (all(0 <= each < 1e9 for each in part.values()) and (not part or sum(part.values()))):
        raise wrong
