"""How often what the papers describe happens: each kind of card, each deduction, trust, borrowed beliefs, suspicion.

A mechanism that hardly ever fires explains no outcome, however well it is built. Every number is a mean over games of players
among their own kind, with its interval over games, also where something never happened; nothing of it is published.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from molehunt.agents.saboteur.kripke_chart import CLOSE, SUSPECTED
from molehunt.agents.speed_clue.strategies import REASONS
from molehunt.arena.pieces import in_one_stream
from molehunt.arena.statistics import counts_interval, shares_interval
from molehunt.arena.workers import Workers, each_in_order, the_game, the_player
from molehunt.core.game import Game
from molehunt.core.match import Played, play
from molehunt.core.streams import game_seeds
from molehunt.games.duel.actions import DESTROY_TILE, FREE, HINDER, LAY, LOOK
from molehunt.games.duel.actions import DISCARD as DUEL_DISCARD
from molehunt.games.duel.actions import play_of as duel_play_of
from molehunt.games.saboteur.actions import (
    DISCARD,
    PLAY_BREAK,
    PLAY_FIX,
    PLAY_MAP,
    PLAY_PATH,
    PLAY_ROCKFALL,
    card_of,
    play_of,
)
from molehunt.games.saboteur.cards import FIRST_DEAD_END, MINER, SABOTEUR
from molehunt.studies.duel_games import sooner
from molehunt.studies.kripke_rounds import DEPTHS, FACTORS, RULESET, Setup
from molehunt.studies.kripke_rounds import SEATS as KRIPKE_SEATS
from molehunt.studies.study import NONE_PUBLISHED, FirstLook, Progress, Row, Section, Study, Tell

Numbers = npt.NDArray[np.float64]
CHUNK = 256
"""Games of one piece of work."""
PERCENTAGES = ("trust/", "beliefs/")
"""The rows that are percentages of a game begin so; all others are counts."""


# --- Cards of Saboteur and the duel -----------------------------------------------------------------------------------------

CARDS = ("tunnels", "dead-ends", "tools broken", "tools mended", "rockfalls", "maps", "cards thrown away")
ROLES = {"saboteur": SABOTEUR, "miner": MINER}
_KINDS = {PLAY_BREAK: 2, PLAY_FIX: 3, PLAY_ROCKFALL: 4, PLAY_MAP: 5, DISCARD: 6}
DUEL_MOVES = {
    LAY: "tiles laid",
    LOOK: "maps",
    HINDER: "maluses",
    FREE: "tools mended",
    DESTROY_TILE: "tiles destroyed",
    DUEL_DISCARD: "cards thrown away",
}
TEAM = (2, 3)
"""Saboteurs and miners at the tables of the published players."""


def moves_by_seat(
    game: Game, played: Played, kind_of: Callable[[int], int], kinds: int, roles: npt.NDArray[np.int8] | None = None
) -> Numbers:
    """How often each seat made each kind of move: shape (games, seats, kinds). `kind_of` gives -1 for what is not counted."""
    states = game.new(played.seeds, roles)
    actions = played.actions or []
    counts = np.zeros((len(states), game.seats, kinds))
    for step in range(max(map(len, actions))):
        rows = np.array([row for row, moves in enumerate(actions) if len(moves) > step])
        made = np.array([actions[row][step] for row in rows], np.int32)
        for row, seat, action in zip(rows, game.to_move(states)[rows], made.tolist(), strict=True):
            kind = kind_of(action)
            if kind >= 0:
                counts[row, seat, kind] += 1
        game.apply(states, made, rows)
    return counts


def saboteur_kind(action: int) -> int:
    """The number in CARDS of what an action does; -1 for a claim."""
    if play_of(action) == PLAY_PATH:
        return int(card_of(action) >= FIRST_DEAD_END)
    return _KINDS.get(int(play_of(action)), -1)


def saboteur_cards(player: str, seed: int, first: int, games: int) -> Numbers:
    """What a saboteur and a miner play in a round: shape (games, 2 * kinds of cards)."""
    saboteurs, miners = TEAM
    game = the_game("saboteur", "krisnadi", sum(TEAM))
    roles = np.tile(np.array([SABOTEUR] * saboteurs + [MINER] * miners, np.int8), (games, 1))
    played = play(game, [the_player("saboteur", player)] * sum(TEAM), game_seeds(seed, first, games), roles, True)
    counts = moves_by_seat(game, played, saboteur_kind, len(CARDS), roles)
    return np.concatenate([counts[:, :saboteurs].mean(axis=1), counts[:, saboteurs:].mean(axis=1)], axis=1)


def duel_cards(player: str, seed: int, first: int, games: int) -> Numbers:
    """What a player of the duel plays in a game against itself: shape (games, kinds of moves)."""
    game = the_game("duel", "mcgill", 2)
    kinds = list(DUEL_MOVES)
    played = play(game, [the_player("duel", sooner(player))] * 2, game_seeds(seed, first, games), None, True)
    counts = moves_by_seat(game, played, lambda action: kinds.index(int(duel_play_of(action))), len(kinds))
    result: Numbers = counts.mean(axis=1)
    return result


# --- Trust ------------------------------------------------------------------------------------------------------------------

TRUST = {
    "moved": "miners who trust some players more than others at the end, %",
    "right": "of the two whom a miner trusts least at the end, saboteurs, % (by chance 50; ties count in part)",
    "lost": "miners who have lost an old trust by the fault that enters them into their own table, %",
}


def trust_at_the_end(player: str, seed: int, first: int, games: int) -> Numbers:
    """What the trust of miners is worth at the end of a round: shape (games, 3), as TRUST has it."""
    saboteurs, miners = TEAM
    seats = saboteurs + miners
    game = the_game("saboteur", "krisnadi", seats)
    roles = np.tile(np.array([SABOTEUR] * saboteurs + [MINER] * miners, np.int8), (games, 1))
    played = play(game, [the_player("saboteur", player)] * seats, game_seeds(seed, first, games), roles)
    memory: Any = played.chairs[0].memory
    minds = memory.records.reshape(games, seats)
    result = np.zeros((games, miners, len(TRUST)))
    for number in range(miners):
        seat = saboteurs + number
        others = [other for other in range(seats) if other != seat]
        trust = minds[:, seat]["trust"][:, others]
        result[:, number, 0] = np.ptp(trust, axis=1) > 0
        result[:, number, 1] = share_of_first(trust, saboteurs)
        result[:, number, 2] = minds[:, seat]["rates_itself"]
    shares: Numbers = 100 * result.mean(axis=1)
    return shares


def share_of_first(trust: Numbers, saboteurs: int) -> Numbers:
    """The share of the first `saboteurs` columns among as many least trusted ones, ties broken at random: shape (rows,)."""
    bar = np.sort(trust, axis=1)[:, saboteurs - 1 : saboteurs]
    below, at = trust < bar, trust == bar
    open_places = saboteurs - below.sum(axis=1, keepdims=True)
    chance = below + at * open_places / at.sum(axis=1, keepdims=True)
    result: Numbers = chance[:, :saboteurs].sum(axis=1) / saboteurs
    return result


# --- Beliefs of 2012 --------------------------------------------------------------------------------------------------------

BELIEFS = {
    "borrowed": "actions of others after which a miner borrows beliefs, %",
    "by-suspicion": "saboteurs who have stopped pretending because they were suspected, %",
    "by-closeness": "saboteurs who have stopped pretending because a goal was near, %",
}


def kripke_beliefs(setup: Setup, seed: int, first: int, games: int) -> Numbers:
    """How often the parts of depth two fire in a round: shape (games, 3), as BELIEFS has it."""
    game = the_game("saboteur", RULESET, KRIPKE_SEATS)
    seeds = game_seeds(seed, first, games)
    played = play(game, [the_player("saboteur", setup.agent)] * KRIPKE_SEATS, seeds)
    memory: Any = played.chairs[0].memory
    minds = memory.records.reshape(games, KRIPKE_SEATS)
    miner = minds["role"] == MINER

    def among(who: npt.NDArray[np.bool_], what: npt.NDArray[np.bool_]) -> Numbers:
        share: Numbers = 100 * (who & what).sum(axis=1) / who.sum(axis=1)
        return share

    chances = np.maximum((minds["judged"] * miner).sum(axis=1), 1)
    return np.stack(
        [
            100 * (minds["borrowed"] * miner).sum(axis=1) / chances,
            among(~miner, minds["unmasked"] == SUSPECTED),
            among(~miner, minds["unmasked"] == CLOSE),
        ],
        axis=1,
    )


# --- Deductions -------------------------------------------------------------------------------------------------------------

DEDUCTIONS = range(1, 8)


def deductions(player: str, seats: int, seed: int, first: int, games: int) -> Numbers:
    """How many entries of a player's sheet each deduction has made by the end of a game: shape (games, 7)."""
    game = the_game("speed_clue", "mitchell", seats)
    played = play(game, [the_player("speed_clue", player)] * seats, game_seeds(seed, first, games))
    memory: Any = played.chairs[0].memory
    rules = memory.minds["rule"].reshape(games, seats, -1)
    return np.stack([(rules == number).sum(axis=2).mean(axis=1) for number in DEDUCTIONS], axis=1).astype(np.float64)


# --- The study ----------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Cell:
    """Games of one kind: `numbers(seed, first, games)` gives a column for each of `columns` (id, what it is)."""

    numbers: Callable[..., Numbers]
    arguments: tuple[Any, ...]
    columns: tuple[tuple[str, str], ...]


SYSTEMS = ("decision-2019", "means-ends-2016", "kripke-2012:cover=1,close=4")
DUELLISTS = ("random-listed", "greedy-2020", "and-or-2020:wins_first")
CLUE_PLAYERS = ("basic", "advanced", "combined")
CLUE_SEATS = (3, 6)
SHARE_OF_SEARCH = 20
"""The search of the duel has one game in so many."""


def cells() -> dict[str, Cell]:
    """All cells by name."""
    found: dict[str, Cell] = {}
    for player in SYSTEMS:
        columns = tuple(
            (f"cards/{player}/{role}/{card}", f"{card} of a {role} in a round: 2 + 3 x {player}")
            for role in ROLES
            for card in CARDS
        )
        found[f"cards/{player}"] = Cell(saboteur_cards, (player,), columns)
    for player in SYSTEMS[:2]:
        columns = tuple((f"trust/{player}/{name}", f"{text}: 2 + 3 x {player}") for name, text in TRUST.items())
        found[f"trust/{player}"] = Cell(trust_at_the_end, (player,), columns)
    for strategy in ("explicit", "adaptive", "undercover"):
        for depth in (*DEPTHS, 3):
            for factor in FACTORS:
                setup = Setup(strategy, depth, factor)
                columns = tuple(
                    (f"beliefs/{setup.name}/{name}", f"{text}: {setup.name}") for name, text in BELIEFS.items()
                )
                found[f"beliefs/{setup.name}"] = Cell(kripke_beliefs, (setup,), columns)
    for player in CLUE_PLAYERS:
        for seats in CLUE_SEATS:
            columns = tuple(
                (
                    f"deductions/{seats}/{player}/{number}",
                    f"entries of a sheet at the end by {REASONS[number]}: {player}",
                )
                for number in DEDUCTIONS
            )
            found[f"deductions/{seats}/{player}"] = Cell(deductions, (player, seats), columns)
    for player in DUELLISTS:
        columns = tuple(
            (f"duel/{player}/{move}", f"{move} by a player in a game: 2 x {player}") for move in DUEL_MOVES.values()
        )
        found[f"duel/{player}"] = Cell(duel_cards, (player,), columns)
    return found


def rows_of(cell: Cell, found: Numbers) -> list[Row]:
    """The rows of a cell."""
    rows = []
    for (name, quantity), values in zip(cell.columns, found.T, strict=True):
        told = shares_interval(values, 100.0) if name.startswith(PERCENTAGES) else counts_interval(values)
        numbers = [round(number, 4) for number in told]
        rows.append(
            Row(
                id=name,
                quantity=quantity,
                published=None,
                measured=numbers[0],
                low=numbers[1],
                high=numbers[2],
                games=len(values),
                verdict=NONE_PUBLISHED,
            )
        )
    return rows


def games_of(name: str, games: int) -> int:
    """How many games a cell has."""
    return max(2, games // SHARE_OF_SEARCH) if name == f"duel/{DUELLISTS[-1]}" else games


def play_cells(todo: dict[str, Cell], games: int, seed: int, workers: Workers, tell: Tell) -> list[Row]:
    """The rows of some cells, played as one stream."""
    progress = Progress(tell, sum(games_of(name, games) for name in todo))

    def play_one(name: str, cell: Cell, stream: Workers) -> list[Row]:
        number = games_of(name, games)
        work = ((*cell.arguments, seed, first, min(CHUNK, number - first)) for first in range(0, number, CHUNK))
        parts = []
        for part in each_in_order(stream, cell.numbers, work):
            parts.append(part)
            progress.played(len(part))
        return rows_of(cell, np.concatenate(parts))

    each = in_one_stream(workers, {name: partial(play_one, name, cell) for name, cell in todo.items()})
    return [row for rows in each.values() for row in rows]


def measure(games: int, seed: int, workers: Workers, tell: Tell) -> list[Row]:
    """Play every cell."""
    return play_cells(cells(), games, seed, workers, tell)


LOOKED_AT = "beliefs/adaptive-2-1.5"


def look_measure(games: int, seed: int, workers: Workers, tell: Tell) -> list[Row]:
    """The setup of the paper of 2012 in which depth two could do most and does least."""
    return play_cells({LOOKED_AT: cells()[LOOKED_AT]}, games, seed, workers, tell)


def look_verdict(rows: Sequence[Row]) -> str:
    """How often a miner borrows there."""
    borrowed = next(row for row in rows if row.id == f"{LOOKED_AT}/borrowed")
    return f"nothing is published; with the mild factor a miner of 2012 borrows after {borrowed.measured:.1f} % of others' actions"


STUDY = Study(
    name="mechanisms",
    title="How often what the papers describe happens",
    source="The players of all four papers and of Kingston's, among their own kind; nothing is published of it.",
    default_games=2000,
    small_games=50,
    unit="a game, or %",
    sections=(
        Section("cards/", "Cards of Saboteur", "What a player plays in a round of two saboteurs and three miners."),
        Section("trust/", "Trust", "Miners of 2019 and 2016 at the end of a round against two saboteurs."),
        Section("beliefs/", "Beliefs of 2012", "How often the parts of depth two fire, by setup; depth three is ours."),
        Section("deductions/", "The seven deductions", "Entries of a sheet at the end of a game among equals."),
        Section("duel/", "Cards of the duel", "What a player plays in a game against its like."),
    ),
    measure=measure,
    look=FirstLook((), look_verdict, look_measure),
)
