"""Cai and Jiang 2020, section 6: a Bayesian network of the opponent, parameters and structure learned from rounds before.

"We can use the past moves of the opponent as the observed sample, and then use parameter estimation and finally perform
structure learning", "the conditional probability of certain cards given that the opponent previously picked certain cards",
"e.g. after 100 rounds". Here a network has a node for what is to be told, the kind of the opponent's next move or whether they
hold a card of a kind, and up to two parents among what the observer has seen. The parents are chosen by the Bayesian information
criterion (Schwarz 1978), the probabilities estimated from so many rounds, and both are judged on fresh games: by bits, against the
mere frequencies of moves, and, for hands, against what elimination says of the unseen cards.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
import numpy.typing as npt

from molehunt.arena.pieces import in_one_stream
from molehunt.arena.statistics import mean_interval
from molehunt.arena.tuning.race import Scores
from molehunt.arena.workers import Workers, each_in_order, the_game, the_player
from molehunt.core.match import play
from molehunt.core.streams import game_seeds
from molehunt.games.duel.actions import DISCARD, LAY, play_of
from molehunt.games.duel.cards import CARD_NAMES, DESTROY, MALUS, MAP
from molehunt.games.duel.state import FIRST_SEAT, SEATS
from molehunt.studies.duel_games import sooner
from molehunt.studies.paired import Comparison, paired_rows
from molehunt.studies.study import NONE_PUBLISHED, FirstLook, Progress, Row, Section, Study, Tell

OPPONENTS = ("random-listed", "greedy-2020", "and-or-2020:wins_first")
OBSERVER = "greedy-2020"
"""Who plays against them, and watches."""
ROUNDS = (1, 10, 100)
"""After how many rounds the network is judged; the report speaks of 100."""
HELD = (MAP, MALUS, DESTROY)
"""Kinds of cards of which it is asked whether the opponent holds one."""
MOVES = DISCARD - LAY + 1
NO_MOVE = MOVES
PARENTS = {"own": MOVES + 1, "other": MOVES + 1, "malus": 3, "my malus": 3, "stage": 3, "maps": 4, "elimination": 6}
"""What a node may hang on, and how many values it has: the last move of the opponent and of the observer, the maluses in front of
either, the third of the game, how many goals the opponent has seen; for hands, what elimination says, in sixths."""
MOST_PARENTS = 2
STAGE = 20
"""Moves of a third of a game."""
CHUNK = 16


# --- What is observed -----------------------------------------------------------------------------------------------------------

COLUMNS = len(PARENTS) - 1
GAME_COLUMN, MOVE_COLUMN = COLUMNS, COLUMNS + 1
HOLDS, CHANCES = COLUMNS + 2, COLUMNS + 2 + len(HELD)
WIDTH = CHANCES + len(HELD)


def watch(opponent: str, seed: int, first: int, games: int) -> npt.NDArray[np.float64]:
    """Every move of the opponent in some games: shape (moves, WIDTH).

    The columns are the parents but elimination, the number of the game, the kind of the move; then for each kind of HELD whether
    the opponent holds one, and the chance of it by elimination alone.
    """
    game = the_game("duel", "mcgill", SEATS)
    seats = [the_player("duel", OBSERVER), the_player("duel", sooner(opponent))]
    played = play(game, seats, game_seeds(seed, first, games), None, keep_actions=True)
    states, actions = game.new(played.seeds), played.actions or []
    last = np.full((games, SEATS), NO_MOVE)
    opponent_seat, observer_seat = FIRST_SEAT, 1 - FIRST_SEAT
    found = []
    for step in range(max(map(len, actions))):
        rows = np.array([row for row, moves in enumerate(actions) if len(moves) > step])
        made = np.array([actions[row][step] for row in rows], np.int32)
        movers = game.to_move(states)[rows]
        views = game.views(states, np.full(len(rows), observer_seat, np.int8), rows)
        for view, row, seat, action in zip(views, rows, movers, made.tolist(), strict=True):
            kind = int(play_of(action)) - LAY
            if seat == opponent_seat:
                found.append(
                    [*seen(view, last[row], opponent_seat), first + row, kind, *held(view, states[row], opponent_seat)]
                )
            last[row, seat] = kind
        game.apply(states, made, rows)
    return np.array(found, np.float64)


def seen(view: np.void, last: npt.NDArray[np.int64], opponent: int) -> list[int]:
    """The parents but elimination, as the observer sees them."""
    observer = int(view["seat"])
    return [
        int(last[opponent]),
        int(last[observer]),
        min(int(view["malus"][opponent]), 2),
        min(int(view["malus"][observer]), 2),
        min(int(view["turn"]) // STAGE, 2),
        int(view["looked"][opponent]).bit_count(),
    ]


def held(view: np.void, state: np.void, opponent: int) -> list[float]:
    """Whether the opponent holds a card of each kind of HELD, and the chance of it if all unseen cards are equally likely."""
    size = int(state["hand_sizes"][opponent])
    hand = state["hands"][opponent][:size]
    unseen = int(view["unseen"].sum())
    truth = [float((hand == kind).any()) for kind in HELD]
    chances = [1 - math.comb(unseen - int(view["unseen"][kind]), size) / math.comb(unseen, size) for kind in HELD]
    return [*truth, *chances]


# --- The network ------------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Node:
    """A node with its parents (columns of a sample), and its probabilities: shape (values of the parents together, classes)."""

    parents: tuple[int, ...]
    sizes: tuple[int, ...]
    chances: npt.NDArray[np.float64]

    def of(self, sample: npt.NDArray[np.int64]) -> npt.NDArray[np.float64]:
        """The probabilities at each row of a sample: shape (rows, classes)."""
        return self.chances[places(sample, self.parents, self.sizes)]


def places(sample: npt.NDArray[np.int64], parents: Sequence[int], sizes: Sequence[int]) -> npt.NDArray[np.int64]:
    """Where the values of the parents stand together in a table: shape (rows,)."""
    place = np.zeros(len(sample), np.int64)
    for parent in parents:
        place = place * sizes[parent] + sample[:, parent]
    return place


def counts_of(
    sample: npt.NDArray[np.int64],
    what: npt.NDArray[np.int64],
    parents: Sequence[int],
    sizes: Sequence[int],
    classes: int,
) -> npt.NDArray[np.float64]:
    """How often each class came with each value of the parents: shape (values of the parents together, classes)."""
    counts = np.zeros((math.prod(sizes[parent] for parent in parents), classes))
    np.add.at(counts, (places(sample, parents, sizes), what), 1)
    return counts


def criterion(counts: npt.NDArray[np.float64]) -> float:
    """The Bayesian information criterion of a node: log likelihood minus half the log of the sample for each parameter in use."""
    totals = counts.sum(axis=1, keepdims=True)
    with np.errstate(divide="ignore", invalid="ignore"):
        likelihood = float(np.nansum(np.where(counts > 0, counts * np.log(counts / totals), 0.0)))
    used = int((totals > 0).sum()) * (counts.shape[1] - 1)
    return float(likelihood - 0.5 * used * math.log(max(totals.sum(), 1.0)))


def learn(
    sample: npt.NDArray[np.int64],
    what: npt.NDArray[np.int64],
    sizes: tuple[int, ...],
    classes: int,
    most_parents: int = MOST_PARENTS,
) -> Node:
    """Learn a node: parents one by one, as long as the criterion grows; then its probabilities.

    Each is the mean of a Dirichlet distribution whose prior weighs as one observation and says what comes overall, which in turn
    has one observation that is uniform.
    """
    parents: tuple[int, ...] = ()
    best = criterion(counts_of(sample, what, parents, sizes, classes))
    while len(parents) < most_parents:
        offers = {
            (*parents, one): criterion(counts_of(sample, what, (*parents, one), sizes, classes))
            for one in range(len(sizes))
            if one not in parents
        }
        chosen = max(offers, key=offers.__getitem__)
        if offers[chosen] <= best:
            break
        parents, best = chosen, offers[chosen]
    overall = (counts_of(sample, what, (), sizes, classes)[0] + 1 / classes) / (len(what) + 1)
    counts = counts_of(sample, what, parents, sizes, classes)
    return Node(parents, sizes, (counts + overall) / (counts.sum(axis=1, keepdims=True) + 1))


def bits_by_game(chances: npt.NDArray[np.float64], what: npt.NDArray[np.int64], games: npt.NDArray[np.int64]) -> Scores:
    """The mean of minus the binary logarithm of what was given to what came, in each game: shape (games,)."""
    bits = -np.log2(np.clip(chances[np.arange(len(what)), what], 1e-9, 1.0))
    _, place = np.unique(games, return_inverse=True)
    result: Scores = np.bincount(place, bits) / np.bincount(place)
    return result


# --- The study --------------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Judged:
    """What a network and what it is compared with need on the same fresh games, in bits by game; and its parents."""

    cell: str
    text: str
    bits: Scores
    plain: Scores
    parents: tuple[str, ...]


def judge_moves(opponent: str, rounds: int, learned: npt.NDArray[np.float64], fresh: npt.NDArray[np.float64]) -> Judged:
    """The next move, told after so many rounds by the network, and by the frequencies of moves alone."""
    sizes = tuple(PARENTS.values())[:COLUMNS]
    some = learned[learned[:, GAME_COLUMN] < rounds].astype(np.int64)
    new = fresh.astype(np.int64)
    node = learn(some[:, :COLUMNS], some[:, MOVE_COLUMN], sizes, MOVES)
    flat = learn(some[:, :COLUMNS], some[:, MOVE_COLUMN], sizes, MOVES, most_parents=0)
    bits, plain = (
        bits_by_game(one.of(new[:, :COLUMNS]), new[:, MOVE_COLUMN], new[:, GAME_COLUMN]) for one in (node, flat)
    )
    names = tuple(list(PARENTS)[parent] for parent in node.parents)
    text = f"the next move of {opponent} after {rounds} rounds"
    return Judged(f"moves/{opponent}/{rounds}", text, bits, plain, names)


def judge_hand(opponent: str, number: int, learned: npt.NDArray[np.float64], fresh: npt.NDArray[np.float64]) -> Judged:
    """Whether a card of a kind is held, told by the network, and by elimination alone."""
    sizes = tuple(PARENTS.values())

    def sample(rows: npt.NDArray[np.float64]) -> npt.NDArray[np.int64]:
        said = np.minimum(rows[:, CHANCES + number] * sizes[-1], sizes[-1] - 1)
        return np.column_stack([rows[:, :COLUMNS], said]).astype(np.int64)

    truth, new = learned[:, HOLDS + number].astype(np.int64), fresh[:, HOLDS + number].astype(np.int64)
    node = learn(sample(learned), truth, sizes, 2)
    games = fresh[:, GAME_COLUMN].astype(np.int64)
    chance = fresh[:, CHANCES + number]
    bits = bits_by_game(node.of(sample(fresh)), new, games)
    plain = bits_by_game(np.column_stack([1 - chance, chance]), new, games)
    card = CARD_NAMES[HELD[number]]
    names = tuple(list(PARENTS)[parent] for parent in node.parents)
    return Judged(
        f"hands/{opponent}/{card}",
        f"whether {opponent} holds a card {card}, after {ROUNDS[-1]} rounds",
        bits,
        plain,
        names,
    )


def bits_row(cell: str, quantity: str, bits: Scores) -> Row:
    """A row for a mean number of bits, its interval over games."""
    mean, low, high = mean_interval(bits)
    return Row(
        id=cell,
        quantity=quantity,
        published=None,
        measured=round(mean, 4),
        low=round(low, 4),
        high=round(high, 4),
        games=len(bits),
        verdict=NONE_PUBLISHED,
    )


def rows_of(judged: Sequence[Judged]) -> list[Row]:
    """The rows of all networks: what they need, what the plain way needs, and what is saved."""
    rows, comparisons = [], []
    for one in judged:
        parents = " and ".join(one.parents) or "nothing"
        plain = "frequencies" if one.cell.startswith("moves/") else "elimination"
        rows.append(bits_row(f"{one.cell}/network", f"bits for {one.text}, hanging on {parents}", one.bits))
        rows.append(bits_row(f"{one.cell}/{plain}", f"bits for {one.text}, by {plain} alone", one.plain))
        comparisons.append(
            Comparison(f"change/{one.cell}", f"bits more than by {plain} for {one.text}", one.bits, one.plain)
        )
    return [*rows, *paired_rows(comparisons, scale=1.0)]


def measure(games: int, seed: int, workers: Workers, tell: Tell) -> list[Row]:
    """Watch every opponent for the rounds that are learned from, and for `games` fresh games; then learn and judge."""
    total = ROUNDS[-1] + games
    progress = Progress(tell, total * len(OPPONENTS))

    def play_one(opponent: str, stream: Workers) -> npt.NDArray[np.float64]:
        parts = []
        pieces = ((opponent, seed, first, min(CHUNK, total - first)) for first in range(0, total, CHUNK))
        for number, part in enumerate(each_in_order(stream, watch, pieces)):
            parts.append(part)
            progress.played(min(CHUNK, total - number * CHUNK))
        return np.concatenate(parts)

    found = in_one_stream(workers, {opponent: partial(play_one, opponent) for opponent in OPPONENTS})
    judged = []
    for opponent, rows in found.items():
        learned, fresh = (
            rows[mask] for mask in (rows[:, GAME_COLUMN] < ROUNDS[-1], rows[:, GAME_COLUMN] >= ROUNDS[-1])
        )
        judged += [judge_moves(opponent, rounds, learned, fresh) for rounds in ROUNDS]
        judged += [judge_hand(opponent, number, learned, fresh) for number in range(len(HELD))]
    return rows_of(judged)


def look_verdict(rows: Sequence[Row]) -> str:
    """What is saved of the next move of the best opponent after all rounds."""
    saved = {row.id: row.measured for row in rows}
    each = ", ".join(
        f"{-saved[f'change/moves/{opponent}/{ROUNDS[-1]}']:z.2f} bits a move of {opponent}" for opponent in OPPONENTS
    )
    return f"nothing is published; after {ROUNDS[-1]} rounds a network saves {each}"


STUDY = Study(
    name="opponents2020",
    title="A Bayesian network of the opponent in the duel",
    source="Proposed in section 6 of Cai and Jiang 2020 and not built there; nothing is published.",
    default_games=400,
    small_games=20,
    unit="bits",
    sections=(
        Section(
            "moves/",
            "The next move",
            "Bits a move, on fresh games; fewer are better. By the rounds that were learned from.",
        ),
        Section("hands/", "The hand", "Bits for whether the opponent holds a card of a kind, at each of their moves."),
        Section(
            "change/",
            "What the network saves",
            "Bits above the plain way, game by game; below 0 it saves. `more` and `less` hold at 95 % for all of them together "
            "(Holm).",
        ),
    ),
    measure=measure,
    look=FirstLook((), look_verdict),
)
