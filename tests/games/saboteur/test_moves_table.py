"""A golden playthrough: everything that the interface of the game says along one game, kept as text.

A change of the rules, of the dealing, of views, events or notation shows up as a difference to be looked at. To write the
files anew: `python tests/games/saboteur/test_moves_table.py`.
"""

from __future__ import annotations

import random
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from games.saboteur.playing import SWITCHES, cell_of, legal, mover, pick, play, saboteur, seeds_of, seen_by, table
from molehunt.core.game import LegalActions, States
from molehunt.games.saboteur.game import Saboteur
from molehunt.games.saboteur.state import VIEW

GOLDEN = Path(__file__).parent / "golden"
PLAYTHROUGHS = {
    "krisnadi": (5, "krisnadi", 358),
    "switches": (4, f"krisnadi:{SWITCHES[-1]}", 347),
    "official": (4, "official+talk:rounds=2", 40),
    "veldhuis": (5, "veldhuis:rounds=1", 21),
}
"""Files: the number of seats, the ruleset, and the number of the seed."""

# --- A game in words --------------------------------------------------------------------------------------------------


def in_order(value: Any) -> str:
    """A value of a view as text that does not depend on the order of sets."""
    if isinstance(value, frozenset):
        return "{" + ", ".join(sorted(map(str, value))) + "}"
    if isinstance(value, Counter):
        return ", ".join(f"{name} {count}" for name, count in sorted(value.items()))
    if isinstance(value, dict):
        return ", ".join(f"{key}: {in_order(item)}" for key, item in value.items())
    if isinstance(value, tuple):
        return "(" + ", ".join(in_order(item) for item in value) + ")"
    return str(value)


HEAD = [
    "turn",
    "to_move",
    "deck_left",
    "hand_sizes",
    "broken",
    "looked",
    "claims",
    "revealed",
    "round",
    "gold_rounds",
    "past_roles",
    "board",
    "reachable",
]
NUMBERS = tuple(name for name in VIEW.names or () if VIEW[name] == np.int16)
"""The fields of a view that are one number each, in order."""
OWN = ("seat", "role", "hand", "goals", "nuggets", "unseen")


def public_lines(game: Saboteur, states: States) -> Iterator[str]:
    view = game.friendly_view(seen_by(game, states, 0))
    for name in HEAD:
        yield f"  {name}: {in_order(getattr(view, name))}"
    yield f"  outcome: {game.outcome(states[0])}"
    yield f"  wins: {game.wins(states)[0].astype(int).tolist()}"


def grouped(actions: LegalActions) -> Iterator[str]:
    """The legal actions in their order, those of one card on one line."""
    rows: dict[str, list[str]] = {}
    for action in actions:
        rows.setdefault(str(action).partition("@")[0].partition(">")[0], []).append(str(action))
    for row in rows.values():
        yield f"    {' '.join(row)}"


def own_lines(game: Saboteur, states: States, seat: int) -> Iterator[str]:
    record = seen_by(game, states, seat)
    view = game.friendly_view(record)
    yield f"  seat {seat} sees"
    for name in OWN:
        yield f"    {name}: {in_order(getattr(view, name))}"
    yield f"    discards: {' '.join(map(str, record[0]['discards'].tolist()))}"
    yield f"    discard_counts: {record[0]['discard_counts'][: game.seats].tolist()}"
    yield f"    info: {[int(record[0][name]) for name in NUMBERS]}"
    maze = record[0]["maze"]
    count, ends = int(maze["tile_count"]), int(maze["end_count"])
    yield f"    tiles: {' '.join(map(str, maze['cells'][:count].tolist()))}"
    yield f"    edges: {' '.join(map(str, maze['edges'][:count].tolist()))}"
    yield f"    joined: {int(maze['joined']):x}, opened goals: {int(maze['opened_goals'])}"
    fits = sorted(zip(maze["ends"][:ends].tolist(), maze["fits"][:ends].tolist(), strict=True))
    yield f"    fits: {' '.join(f'{cell}:{fit:x}' for cell, fit in fits)}"


def event_lines(game: Saboteur, events: Any) -> Iterator[str]:
    """What each seat is told; seats that are told the same share their lines."""
    seats_told: dict[bytes, list[int]] = {}
    for seat, event in enumerate(events):
        seats_told.setdefault(event.tobytes(), []).append(seat)
    for seats in seats_told.values():
        event = events[seats[0]]
        friendly = game.friendly_event(event)
        yield f"  told to {seats}: {game.format_event(event)}"
        yield (
            f"    move {friendly.move}, seen {friendly.seen}, drew {friendly.drew}, mended {in_order(friendly.mended)}, "
            f"removed {friendly.removed}, revealed {in_order(friendly.revealed) or None}"
        )
        yield (
            f"    goals {event['goals'].tolist()}, broken before {event['broken_before']}, ended {friendly.ended}, "
            f"roles {friendly.roles}, gained {friendly.gained}, role {friendly.role}"
        )


def in_reading_order(moves: list[str]) -> list[str]:
    """Moves as they came; those that lay one card in one form, or play one rockfall, by rows and columns."""
    groups = [(move.partition("@")[0], move.endswith("r")) if "@" in move else (move, False) for move in moves]
    first = {group: groups.index(group) for group in set(groups)}

    def place(index: int) -> tuple[int, int, int]:
        x, y = cell_of(moves[index]) if "@" in moves[index] else (0, 0)
        return first[groups[index]], y, x

    return [moves[index] for index in sorted(range(len(moves)), key=place)]


def playthrough(seats: int, ruleset: str, number: int) -> Iterator[tuple[str, int]]:
    """The lines of one game, and with those of a move how many actions were legal (else 0)."""
    game = table(ruleset, seats)
    states = game.new(seeds_of(number, 1))
    rng = random.Random(number)
    yield f"game: {game.label}, {seats} seats, roles {game.roles}, {game.role_counts()} of each", 0
    yield f"seed: {int(seeds_of(number, 1)[0])}", 0
    yield (
        f"bytes: state {game.state_dtype.itemsize}, view {game.view_dtype.itemsize}, event {game.event_dtype.itemsize}",
        0,
    )
    yield f"roles: {game.roles_of(states)[0].tolist()}", 0
    yield f"goals: {states['goals'][0].tolist()}", 0
    yield f"deck: {' '.join(map(str, states['deck'][0].tolist()))}", 0
    while True:
        seat = mover(states)
        yield "", 0
        yield f"after {int(states['turn'][0])} moves, stream {int(states['stream'][0, 0]):x}", 0
        for line in public_lines(game, states):
            yield line, 0
        for other in range(seats) if seat < 0 or states["turn"][0] == 0 else [seat]:
            for line in own_lines(game, states, other):
                yield line, 0
        if seat < 0:
            return
        actions = legal(game, states)
        yield f"  legal actions of seat {seat}: {len(actions)}", len(actions)
        for line in grouped(actions):
            yield line, 0
        move = pick(rng, in_reading_order([str(action) for action in actions]), 0.7)
        code = int(game.parse_action(move))
        yield f"  played: {move} = {code:#x}", 0
        for line in event_lines(game, game.apply(states, np.array([code], np.int32))[0]):
            yield line, 0


# --- The tests --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", PLAYTHROUGHS)
def test_playthrough_is_the_one_that_was_kept(name: str) -> None:
    kept = (GOLDEN / f"{name}.txt").read_text(encoding="utf-8").splitlines()
    now = [line for line, _ in playthrough(*PLAYTHROUGHS[name])]
    for number, (old, new) in enumerate(zip(kept, now, strict=False), start=1):
        assert new == old, f"{name}.txt, line {number}"
    assert len(now) == len(kept)


LEGAL_COUNTS = {
    "krisnadi": (
        "16 22 25 13 18 16 15 22 21 24 18 11 29 26 34 19 27 26 27 39 12 25 17 27 37 16 14 20 29 31 19 12 15 "
        "12 31 11 8 38 8 31 21 7 34 6 21 13 6 12 4 23 11 15"
    ),
    "switches": (
        "18 29 24 34 19 26 33 37 29 27 26 25 25 27 21 36 28 30 28 29 24 27 20 22 13 18 15 13 10 15 41 36 11 "
        "13 19 11 13 7 17 39 7 20 18 15 7 16 16 15 8 7 13 12 4 5 12 7 3 4 8 2 3 3 6 2 1 2 2"
    ),
    "official": (
        "19 19 25 23 19 26 19 21 22 2 39 22 20 16 41 22 8 12 32 23 23 17 29 34 22 24 27 28 26 23 26 26 21 12 "
        "26 30 28 15 29 15 30 32 23 17 28 12 22 16 23 14 20 8 21 14 28 22 22 14 12 8 2 20 14 2 31 5 21 11 24 "
        "2 38 22 12 28 31 15 10 23 24 13 6 19 23 9 14 11 12 2 7 2 13"
    ),
    "veldhuis": (
        "19 25 27 29 33 17 2 19 34 2 31 42 2 17 18 32 31 2 35 22 13 6 31 46 18 32 30 44 52 26 19 22 55 46 25 "
        "31 32 43 63 18 24"
    ),
}
"""How many actions are legal before each move of the kept games: counts that a change of the rules would move."""


@pytest.mark.parametrize("name", PLAYTHROUGHS)
def test_number_of_legal_actions_before_each_move(name: str) -> None:
    counts = [count for _, count in playthrough(*PLAYTHROUGHS[name]) if count]
    assert counts == [int(count) for count in LEGAL_COUNTS[name].split()]


def count_lines_of_play(game: Saboteur, states: States, depth: int) -> int:
    """How many different sequences of so many moves there are from a state (a perft count)."""
    actions = legal(game, states)
    if depth == 1:
        return len(actions)
    total = 0
    for action in actions:
        after = states.copy()
        play(game, after, action)
        total += count_lines_of_play(game, after, depth - 1)
    return total


@pytest.mark.parametrize(
    ("seats", "number", "counts"),
    [
        (5, 0, [21, 331, 8303, 157270]),
        (5, 1, [25, 597, 12303, 264016]),
        (10, 2, [14, 165, 4036, 61539]),
    ],
)
def test_number_of_lines_of_play(seats: int, number: int, counts: list[int]) -> None:
    # The first three of each were counted with the reference engine too.
    game = saboteur(seats)
    states = game.new(seeds_of(number, 1))
    assert [count_lines_of_play(game, states, depth) for depth in (1, 2, 3, 4)] == counts


@pytest.mark.parametrize("name", PLAYTHROUGHS)
def test_kept_games_show_every_kind_of_move(name: str) -> None:
    text = (GOLDEN / f"{name}.txt").read_text(encoding="utf-8")
    _, ruleset, _ = PLAYTHROUGHS[name]
    tools = ("block>", "deblock>") if name == "veldhuis" else ("break:", "fix:")
    talk = () if ruleset.startswith("krisnadi") else ("claim:",)
    for start in ("P_", "D_", "map:", "rockfall@", "discard:", *tools, *talk):
        assert f"  played: {start}" in text
    assert "turns over: rock" in text


if __name__ == "__main__":
    GOLDEN.mkdir(exist_ok=True)
    for file, parameters in PLAYTHROUGHS.items():
        lines = list(playthrough(*parameters))
        (GOLDEN / f"{file}.txt").write_text("\n".join(line for line, _ in lines) + "\n", encoding="utf-8")
        print(f"{file}: {' '.join(str(count) for _, count in lines if count)}")  # noqa: T201
