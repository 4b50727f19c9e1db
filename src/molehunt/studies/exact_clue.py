"""Exact Clue: how strong `exact` is, what each of its ingredients is worth, and what simple deductions miss.

Nothing of this is published. Players of the report of 2020 sit on the other seats; exact inference also tells how often the
report's seven deductions miss a fact that is certain.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial

from molehunt.arena.pieces import in_one_stream
from molehunt.arena.workers import Workers
from molehunt.studies.clue_games import mix
from molehunt.studies.missed_facts import WINDOWS, count_missed
from molehunt.studies.study import FirstLook, Progress, Row, Section, Study, Tell, rate_row

SEATS = (3, 4, 5, 6)
OTHERS = (
    "combined",
    "mixed",
    "basic",
    "next-possible",
    "previous-possible",
    "next-not-held",
    "deduction-only",
    "no-intelligence",
    "random",
)
WITHOUT = {
    "all": ("exact", "nothing left out"),
    "reading": ("exact:read=no", "without reading what suggestions and silences betray"),
    "weights": ("exact:choose=no", "without weights for cards that were chosen to be shown"),
    "likeliest": ("exact:ask=gain", "suggesting what tells most, not the likeliest envelope"),
    "leak": ("exact:askers=0", "showing the first card, not the one that tells least"),
    "early": ("exact:early=no", "without early accusations"),
    "rules": (
        "exact:read=no,choose=no,early=no,askers=0",
        "the rules alone: exact deductions, what tells most",
    ),
    "danger": ("exact:danger=4", "with the danger after a suggestion played on to one's next turn"),
    "marks": ("exact:leak=0.01", "with a price for what a suggestion lets everybody note"),
}
"""Ingredients: the player, and what it does without; the last two have more than the default."""
SHARE, SHARE_OF_WORTH = 20, 4
"""Cells but the two most important ones have one game in so many; those of the ingredients, which are close, more."""


def share_of(games: int, part: int = SHARE) -> int:
    """So many games in a cell."""
    return max(2, games // part)


def strength_row(seats: int, other: str, games: int, seed: int, workers: Workers) -> Row:
    """One `exact` among players of one other kind, in every seat."""
    wins, played = mix(("exact", other), 1, seats, games, seed, workers)
    quantity = f"games won by exact among {seats - 1} x {other}, % (a fair share is {100 / seats:.0f})"
    return rate_row(f"strength/{seats}/{other}", quantity, wins, played, None)


def mixes_row(seats: int, number: int, games: int, seed: int, workers: Workers) -> Row:
    """Several `exact` at a table with `advanced`: how often one of them wins."""
    wins, played = mix(("exact", "advanced"), number, seats, games, seed, workers)
    fair = f"(a fair share is {100 * number / seats:.0f})"
    quantity = f"games won by one of {number} x exact, {seats - number} x advanced, % {fair}"
    return rate_row(f"mixes/{seats}/{number}+{seats - number}", quantity, wins, played, None)


def worth_row(seats: int, name: str, games: int, seed: int, workers: Workers) -> Row:
    """`exact` without one ingredient, on the same deals, against `combined`."""
    player, what = WITHOUT[name]
    wins, played = mix((player, "combined"), 1, seats, games, seed + 1, workers)
    return rate_row(f"worth/{seats}/{name}", f"games won among {seats - 1} x combined, %: {what}", wins, played, None)


def missed_rows(seats: int, player: str, games: int, seed: int, workers: Workers) -> list[Row]:
    """How often the deductions of a player miss what is certain, by the number of suggestions that they have seen."""
    found = count_missed(player, seats, games, seed, workers)
    rows = []
    for window in (None, *WINDOWS):
        states, wanting = found[window]
        if states:
            when = "all states" if window is None else f"{window[0]} to {window[1] - 1} suggestions made"
            label = "all" if window is None else f"{window[0]}-{window[1] - 1}"
            quantity = f"states in which the sheet of {player} misses something certain, %: {seats} players, {when}"
            rows.append(rate_row(f"missed/{seats}/{player}-{label}", quantity, wanting, states, None))
    return rows


def cells(games: int, seed: int) -> dict[str, Callable[[Workers], Row | list[Row]]]:
    """All cells by name: strength in every seat, mixes, what ingredients are worth, what simple deductions miss."""
    todo: dict[str, Callable[[Workers], Row | list[Row]]] = {}
    for seats in SEATS:
        for other in ("advanced", *OTHERS):
            number = games if other == "advanced" and seats in (SEATS[0], SEATS[-1]) else share_of(games)
            todo[f"strength/{seats}/{other}"] = partial(strength_row, seats, other, number, seed)
    for seats in SEATS:
        for number in range(2, seats):
            todo[f"mixes/{seats}/{number}"] = partial(mixes_row, seats, number, share_of(games), seed)
    for seats in (SEATS[0], SEATS[-1]):
        for name in WITHOUT:
            todo[f"worth/{seats}/{name}"] = partial(worth_row, seats, name, share_of(games, SHARE_OF_WORTH), seed)
    for seats in SEATS:
        for player in ("advanced", "combined"):
            todo[f"missed/{seats}/{player}"] = partial(missed_rows, seats, player, share_of(games), seed)
    return todo


def play_all(todo: Mapping[str, Callable[[Workers], Row | list[Row]]], workers: Workers, tell: Tell) -> list[Row]:
    """The rows of some cells, played as one stream."""
    progress = Progress(tell, len(todo))

    def play_one(cell: Callable[[Workers], Row | list[Row]], stream: Workers) -> list[Row]:
        found = cell(stream)
        progress.played()
        return found if isinstance(found, list) else [found]

    each = in_one_stream(workers, {name: partial(play_one, cell) for name, cell in todo.items()})
    return [row for found in each.values() for row in found]


def measure(games: int, seed: int, workers: Workers, tell: Tell) -> list[Row]:
    """Play every cell."""
    return play_all(cells(games, seed), workers, tell)


LOOKED_AT = (SEATS[0], ("advanced", "combined", "basic", "random"))
"""How many sit at a table in a first look, and among whom."""


def look_measure(games: int, seed: int, workers: Workers, tell: Tell) -> list[Row]:
    """One `exact` among players of four other kinds, three at a table."""
    seats, others = LOOKED_AT
    return play_all({other: partial(strength_row, seats, other, games, seed) for other in others}, workers, tell)


def look_verdict(rows: Sequence[Row]) -> str:
    """What `exact` wins among the best players of the report."""
    seats, others = LOOKED_AT
    return (
        f"nothing is published; exact wins {rows[0].measured:.0f} % of its games among {seats - 1} x {others[0]}, "
        f"where a fair share is {100 / seats:.0f} %"
    )


STUDY = Study(
    name="exact_clue",
    title="Speed Clue: exact inference against every other player",
    source="The platform of 2020 (J. Mitchell's report) with players that reason exactly; nothing published to compare with.",
    default_games=2000,
    small_games=10,
    unit="%",
    sections=(
        *(
            Section(
                f"strength/{seats}/",
                f"Strength with {seats} players",
                f"One exact among {seats - 1} of another kind, every seat in turn.",
            )
            for seats in SEATS
        ),
        *(
            Section(f"mixes/{seats}/", f"Mixes of {seats}", "Several exact with advanced, every seating in turn.")
            for seats in SEATS
        ),
        *(
            Section(
                f"worth/{seats}/",
                f"What each ingredient is worth, {seats} players",
                "The same deals and seats for every row, so the rows are closer to each other than their intervals say.",
            )
            for seats in (SEATS[0], SEATS[-1])
        ),
        *(
            Section(
                f"missed/{seats}/",
                f"What simple deductions miss, {seats} players",
                "At the beginning of each turn: the sheet of the player on turn beside all that is certain: which cards a seat "
                "has or lacks, and which are or are not in the envelope.",
            )
            for seats in SEATS
        ),
    ),
    measure=measure,
    look=FirstLook((f"strength/{LOOKED_AT[0]}/",), look_verdict, look_measure),
)
