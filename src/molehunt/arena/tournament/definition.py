"""The file of a tournament: TOML, read into values; whatever is wrong is named with its key and what would be right."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec

from molehunt.arena.isolation import ISOLATED_MEGABYTES, ISOLATED_SECONDS
from molehunt.core.errors import BadInput, UnknownName
from molehunt.core.streams import MAX_SEED
from molehunt.core.toml_files import check_keys, check_value, parse_toml, read_settings

MAX_DEALS = 1_000_000_000
MAX_SAMPLE = 10_000


class EventText(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """An event as it is written: one game, its players, who meets whom; what is left out comes from the top of the file."""

    name: str | None = None
    game: str | None = None
    seats: int | list[int] | None = None
    players: list[str] | None = None
    roles: dict[str, int] | list[dict[str, int]] | None = None
    role_players: dict[str, list[str]] | None = None
    lineups: str | list[str] | None = None
    seatings: str | None = None
    sample: int | None = None
    deals: int | None = None
    compare: list[str | list[str]] | None = None


class StopText(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """When to stop, as it is written: when every one of these comparisons is decided."""

    compare: list[str | list[str]]
    role: str | None = None
    level: float = 0.95
    margin: float | None = None
    least: int = 0
    every: int | None = None


class TournamentText(EventText, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The whole file. Without `event` tables, what stands at the top is the one event."""

    seed: int = 0
    agents_from: list[str] = []
    records: bool = False
    isolate: bool = False
    isolate_seconds: int = 10
    isolate_memory: int = 1024
    isolate_network: bool = False
    stop: StopText | None = None
    event: list[EventText] = []


MEANINGS = {
    "name": "a text",
    "game": "a game and its ruleset as text: 'saboteur/krisnadi'",
    "seats": "how many seats, a whole number, or several: [4, 5]",
    "players": "a list of players as text: ['decision-2019', 'means-ends-2016:program_forms=no']",
    "roles": "how many seats have a role: {saboteur = 2}, or a list of such tables",
    "role_players": "who plays a role: {saboteur = ['decision-2019'], miner = ['random']}",
    "lineups": "'pairs', 'different' or 'mixes', or a list of lineups: ['saboteur:random*2,miner:decision-2019*3']",
    "seatings": "'balanced', 'all' or 'listed'",
    "sample": f"how many seatings of a lineup, 1 to {MAX_SAMPLE:,}",
    "deals": f"how many deals every lineup plays in each of its seatings, 1 to {MAX_DEALS:,}",
    "compare": "two players, ['A', 'B'], or a list of such pairs",
    "seed": f"a whole number, 0 to {MAX_SEED}",
    "agents_from": "a list of Python files: ['my_players.py']",
    "records": "true or false",
    "isolate": "true or false",
    "isolate_seconds": "how many seconds an isolated player has for a move, {} to {}".format(*ISOLATED_SECONDS),
    "isolate_memory": "how many megabytes an isolated player may take, {} to {}".format(*ISOLATED_MEGABYTES),
    "isolate_network": "true or false",
    "stop": "a table: {compare = ['A', 'B']}",
    "event": "a list of tables, each under [[event]]",
    "role": "a role of the game as text: 'saboteur'",
    "level": "how sure a decision is, 0.5 to 0.9999",
    "margin": "the difference that does not matter, as a fraction, 0.0001 to 1",
    "least": "how many deals are played at least, 0 or more",
    "every": "after how many deals it is looked whether to stop, 1 or more",
}
"""What each key holds, as errors and the documentation say it."""

_RANGES: dict[str, tuple[float, float]] = {
    "deals": (1, MAX_DEALS),
    "sample": (1, MAX_SAMPLE),
    "seed": (0, MAX_SEED),
    "level": (0.5, 0.9999),
    "margin": (0.0001, 1),
    "least": (0, MAX_DEALS),
    "every": (1, MAX_DEALS),
    "isolate_seconds": ISOLATED_SECONDS,
    "isolate_memory": ISOLATED_MEGABYTES,
}
_CHOICES = {"seatings": ("balanced", "all", "listed"), "lineups": ("pairs", "different", "mixes")}


def read_tournament(path: Path | str) -> TournamentText:
    """Read a file; BadInput names the file, the key and what would be right."""
    return read_settings(path, parse_tournament)


def parse_tournament(text: str) -> TournamentText:
    """A tournament from its text; BadInput or UnknownName."""
    value = parse_toml(text)
    check_keys(value, TournamentText, "the tournament", MEANINGS, _check)
    return msgspec.convert(value, TournamentText)


def _check(key: str, part: Any, kind: Any, where: str) -> None:
    """Check one value: its parts where it has keys of its own, else its type, its range, its choices and its shape."""
    wrong = BadInput(f"{where} must be {MEANINGS[key]}, not {part!r:.60}")
    if key == "event":
        if not isinstance(part, list):
            raise BadInput(f"{where} must be {MEANINGS[key]}")
        for number, each in enumerate(part, start=1):
            check_keys(each, EventText, f"event {number}", MEANINGS, _check)
        return
    if key == "stop":
        check_keys(part, StopText, "stop", MEANINGS, _check)
        return
    check_value(part, kind, _RANGES.get(key), wrong)
    if key in _CHOICES and isinstance(part, str) and part not in _CHOICES[key]:
        raise UnknownName(f"value of {where}", part, _CHOICES[key])
    if key == "compare":
        mixed = len({type(each) for each in part}) > 1
        if mixed or not all(len(pair) == 2 and pair[0] != pair[1] for pair in pairs_of(part)):
            raise wrong
    if key in {"players", "lineups", "agents_from"} and isinstance(part, list) and not all(map(str.strip, part)):
        raise wrong
    if key == "lineups" and not part:
        raise wrong


def pairs_of(compare: list[str | list[str]] | None) -> list[tuple[str, ...]]:
    """The pairs of `compare`, which may be one pair by itself."""
    if not compare:
        return []
    if all(isinstance(each, str) for each in compare):
        return [tuple(str(each) for each in compare)]
    return [tuple(each) for each in compare if not isinstance(each, str)]
