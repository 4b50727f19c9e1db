"""Exact Clue: how strong `exact` is, what each of its ingredients is worth, and what simple deductions miss.

Nothing of this is published. Players of the report of 2020 sit on the other seats; exact inference also tells how often the
report's seven deductions miss a fact that is certain.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from molehunt.arena.workers import Workers
from molehunt.studies.clue_games import mix
from molehunt.studies.missed_facts import WINDOWS, count_missed
from molehunt.studies.study import FirstLook, Row, Section, Study, Tell, rate_row

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
    "reading": ("exact:own=1,again=1,silence=1", "without reading what suggestions and silences betray"),
    "weights": ("exact:choose=no", "without weights for cards that were chosen to be shown"),
    "gain": ("exact:ask=likeliest", "suggesting the likeliest envelope, not what tells most"),
    "leak": ("exact:askers=0", "showing the first card, not the one that tells least"),
    "early": ("exact:early=no", "without early accusations"),
    "rules": (
        "exact:own=1,again=1,silence=1,choose=no,early=no,askers=0",
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


def strength(games: int, seed: int, workers: Workers) -> Iterator[Row]:
    """One `exact` among players of another kind, in every seat."""
    for seats in SEATS:
        for other in ("advanced", *OTHERS):
            number = games if other == "advanced" and seats in (SEATS[0], SEATS[-1]) else share_of(games)
            yield strength_row(seats, other, number, seed, workers)


def strength_row(seats: int, other: str, games: int, seed: int, workers: Workers) -> Row:
    """One `exact` among players of one other kind, in every seat."""
    wins, played = mix(("exact", other), 1, seats, games, seed, workers)
    quantity = f"games won by exact among {seats - 1} x {other}, % (a fair share is {100 / seats:.0f})"
    return rate_row(f"strength/{seats}/{other}", quantity, wins, played, None)


def mixes(games: int, seed: int, workers: Workers) -> Iterator[Row]:
    """Several `exact` at a table with `advanced`: how often one of them wins."""
    for seats in SEATS:
        for number in range(2, seats):
            wins, played = mix(("exact", "advanced"), number, seats, share_of(games), seed, workers)
            yield rate_row(
                f"mixes/{seats}/{number}+{seats - number}",
                f"games won by one of {number} x exact, {seats - number} x advanced, % (a fair share is "
                f"{100 * number / seats:.0f})",
                wins,
                played,
                None,
            )


def worth(games: int, seed: int, workers: Workers) -> Iterator[Row]:
    """`exact` without one ingredient, on the same deals, against `combined`."""
    for seats in (SEATS[0], SEATS[-1]):
        for name, (player, what) in WITHOUT.items():
            wins, played = mix((player, "combined"), 1, seats, share_of(games, SHARE_OF_WORTH), seed + 1, workers)
            yield rate_row(
                f"worth/{seats}/{name}", f"games won among {seats - 1} x combined, %: {what}", wins, played, None
            )


def missed(games: int, seed: int, workers: Workers) -> Iterator[Row]:
    """How often the deductions of a player miss what is certain, by the number of suggestions that he has seen."""
    for seats in SEATS:
        for player in ("advanced", "combined"):
            found = count_missed(player, seats, share_of(games), seed, workers)
            for window in (None, *WINDOWS):
                states, wanting = found[window]
                if states:
                    when = "all states" if window is None else f"{window[0]} to {window[1] - 1} suggestions made"
                    label = "all" if window is None else f"{window[0]}-{window[1] - 1}"
                    yield rate_row(
                        f"missed/{seats}/{player}-{label}",
                        f"states in which the sheet of {player} misses something certain, %: {seats} players, {when}",
                        wanting,
                        states,
                        None,
                    )


def measure(games: int, seed: int, workers: Workers, tell: Tell) -> list[Row]:
    """Play every cell."""
    parts = (strength, mixes, worth, missed)
    cells = len(SEATS) * (1 + len(OTHERS)) + sum(seats - 2 for seats in SEATS) + 2 * len(WITHOUT)
    total = cells + 2 * len(SEATS) * (1 + len(WINDOWS))
    found: list[Row] = []
    for part in parts:
        for row in part(games, seed, workers):
            found.append(row)
            tell(len(found), total)
    return found


LOOKED_AT = (SEATS[0], ("advanced", "combined", "basic", "random"))
"""How many sit at a table in a first look, and among whom."""


def look_measure(games: int, seed: int, workers: Workers, tell: Tell) -> list[Row]:
    """One `exact` among players of four other kinds, three at a table."""
    seats, others = LOOKED_AT
    rows: list[Row] = []
    for other in others:
        rows.append(strength_row(seats, other, games, seed, workers))
        tell(len(rows), len(others))
    return rows


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
