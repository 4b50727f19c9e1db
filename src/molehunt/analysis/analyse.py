"""Any finished game, analysed: who could believe what, which moves lost what, and from when on something could have been known.

What is found follows from the moves, the seed and the number of worlds alone. Of each game its entry names the analyst
(`analysis`); without one, `analysis.general` does.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

from molehunt.analysis.findings import Analysis, Judged
from molehunt.analysis.general import GeneralAnalyst
from molehunt.analysis.marks import THRESHOLD
from molehunt.core.errors import BadInput, check_is, value_text
from molehunt.core.language import _
from molehunt.core.numbers import is_whole
from molehunt.core.panels import seat_name
from molehunt.core.replay import Played, Replay
from molehunt.games.registry import game_entry

MOST_WORLDS = 100_000
TRIAL_WORLDS = 8
"""Worlds of the look that says how many fit into a time."""
UNUSED = 0.8
"""How much of a time is planned for: other work takes some."""


def analyst_of(game: str) -> Any:
    """The class of a game's analyst: its own, or the one that does for any game."""
    return game_entry(game).get("analysis") or GeneralAnalyst


def analyse(
    played: Played,
    names: Sequence[str] = (),
    *,
    seed: int = 0,
    worlds: int | None = None,
    seconds: float | None = None,
) -> Analysis:
    """Analyse a game; `names` are by seat, else `seat 0` and so on.

    Moves are compared in `worlds` worlds each, by default as many as the game usually takes; with `seconds`, in as many as fit into
    about that time, and the result says in how many. What chance moved for a player that had lost by fault is not judged.
    BadInput for a number out of range.
    """
    check_is(played, Played, "what is analysed is a game that was played, as Replay(record, make_game)")
    if worlds is not None and not (is_whole(worlds) and 1 <= worlds <= MOST_WORLDS):
        raise BadInput(f"a move is compared in 1 to {MOST_WORLDS:,} worlds, not {value_text(worlds)}")
    if seconds is not None and not 0 < seconds <= 3600:
        raise BadInput(f"an analysis may take more than 0 and up to 3600 seconds, not {seconds}")
    game = played.game
    if not is_whole(seed) or not 0 <= seed < 2**64:
        raise BadInput(f"the seed of an analysis is a whole number from 0 to 2**64 - 1, not {value_text(seed)}")
    if names and (isinstance(names, str) or len(names) != game.seats):
        raise BadInput(f"there is a name for each of {game.seats} seats, or none at all, not {value_text(names)}")
    names = tuple(names) or tuple(seat_name(seat) for seat in range(game.seats))
    began = time.perf_counter()
    analyst = analyst_of(game.name)(played, names)
    charts, known = analyst.beliefs()
    if seconds is not None:
        worlds = _worlds_for(analyst, seconds, began, seed)
    elif worlds is None:
        worlds = int(analyst.usual_worlds)
    found = tuple(move for move in analyst.judge(worlds, seed) if not _is_of_chance(played, move))
    return Analysis(
        game.name,
        names,
        len(played.actions),
        THRESHOLD,
        seed,
        worlds,
        charts,
        known,
        found,
        _(str(analyst.rests_on)),
        tuple(played.seats),
    )


def _is_of_chance(played: Played, judged: Judged) -> bool:
    """Whether chance moved for a player that had lost by fault."""
    after = played.record.failed_after if isinstance(played, Replay) else None
    first = None if after is None else after[judged.seat]
    return first is not None and judged.move > first


def _worlds_for(analyst: Any, seconds: float, began: float, seed: int) -> int:
    """How many worlds fit into what is left of a time, by how long a few take."""
    start = time.perf_counter()
    analyst.judge(TRIAL_WORLDS, seed)
    now = time.perf_counter()
    left = UNUSED * seconds - (now - began)
    return min(max(int(TRIAL_WORLDS * left / (now - start)), TRIAL_WORLDS), MOST_WORLDS)
