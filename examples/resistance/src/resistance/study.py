"""How often the spies win: `python -m resistance.study --games 2000 --seed 1 --json rows.json`.

Roles and the first leader are dealt. Spies play as one player, the resistance as another. Rows are those of molehunt's own studies.
The players `ismcts` are measured where molehunt brings them, in `--search-games` games each.
"""

from __future__ import annotations

import argparse
import dataclasses
import sys
from collections.abc import Sequence
from math import comb
from pathlib import Path

from molehunt.agents.registry import Agents
from molehunt.arena.match import Match, run
from molehunt.arena.seating import Chair
from molehunt.arena.workers import Workers
from molehunt.console.outputs import write_file
from molehunt.console.screen import check_threads, to_json, working
from molehunt.console.study_tables import print_study
from molehunt.core.errors import BadInput, MolehuntError
from molehunt.games.registry import make_game
from molehunt.studies.study import Row, Section, Study, Tell, rate_row
from resistance.agents.sides import SidesAgent
from resistance.ruleset import STANDARD
from resistance.state import ATTEMPTS, MISSIONS, MISSIONS_TO_WIN, MOST_SEATS

SEATS = range(5, MOST_SEATS + 1)
RANDOM, COUNTING, LOGIC = "random", "counting", "counting:logic"
LIE_LOW = ("0.25", "0.5", "0.75", "1.0")
SEARCHER = "ismcts"
SEARCH_SEATS = 5
SEARCH = f"{SEARCHER}:iterations=500,selection=tuned"
SEARCH_SPECS = {
    "plain": SEARCH,
    "inference": f"{SEARCH},inference=cowling",
    "bluffing": f"{SEARCH},bluffing=0.5",
    "both": f"{SEARCH},inference=cowling,bluffing=0.5",
    "bayes": f"{SEARCH},inference=bayes,bluffing=0.5",
}
"""The search players that are measured, by the name of their rows: what Cowling et al. (2015) add, each alone and together, and
inference by the rule of Bayes."""
SEARCH_GAMES = 200


@dataclasses.dataclass(frozen=True)
class Cell:
    """One rate to measure: how often spies of one player win against a resistance of another."""

    id: str
    spy: str
    resistance: str
    seats: int
    note: str = ""

    @property
    def quantity(self) -> str:
        """What is measured, in words."""
        return f"spy wins, %: {self.spy} against {self.resistance}, {self.seats} seats{self.note}"

    @property
    def searches(self) -> bool:
        """Whether a search player takes part."""
        return SEARCHER in self.spy or SEARCHER in self.resistance


def cells(searchers: bool) -> list[Cell]:
    """Everything that is measured, in the order of the report; with `searchers` the players that search, too."""
    result = [Cell(f"random/{n}", RANDOM, RANDOM, n, f" (exactly {100 * exact_random_spy_wins(n):.3f})") for n in SEATS]
    for prefix, spy, resistance in (
        ("counting-spies", COUNTING, RANDOM),
        ("counting-resistance", RANDOM, COUNTING),
        ("counting", COUNTING, COUNTING),
        ("logic", COUNTING, LOGIC),
    ):
        result += [Cell(f"{prefix}/{n}", spy, resistance, n) for n in SEATS]
    result += [
        Cell(f"lie-low/{n}/{share}", f"{COUNTING}:lie_low={share}", COUNTING, n) for n in (5, 10) for share in LIE_LOW
    ]
    if searchers:
        for name, spec in SEARCH_SPECS.items():
            for rival, other in (("counting", COUNTING), ("plain", SEARCH)):
                result.append(Cell(f"search/{name}/spies/{rival}", spec, other, SEARCH_SEATS))
                if name != rival:
                    result.append(Cell(f"search/{name}/resistance/{rival}", other, spec, SEARCH_SEATS))
    return result


def exact_random_spy_wins(seats: int) -> float:
    """The chance that the spies win where everybody chooses uniformly among the legal actions, worked out by hand.

    A proposal is approved with the chance of more heads than tails among all seats; five rejected ones end the game. The spies on
    a team are hypergeometric, and each plays fail with 1/2.
    """
    spies = STANDARD.spies_of(seats)
    approved = sum(comb(seats, ayes) for ayes in range(seats // 2 + 1, seats + 1)) / 2**seats
    stuck = (1 - approved) ** ATTEMPTS
    # How likely the game comes to (missions failed, missions that succeeded) and goes on.
    chances = {(0, 0): 1.0}
    won = 0.0
    for mission in range(MISSIONS):
        size, needed = STANDARD.team_sizes(seats)[mission], STANDARD.fails_needed(seats)[mission]
        failing = 0.0
        for there in range(min(spies, size) + 1):
            team = comb(spies, there) * comb(seats - spies, size - there) / comb(seats, size)
            failing += team * sum(comb(there, fails) for fails in range(needed, there + 1)) / 2**there
        after: dict[tuple[int, int], float] = {}
        for (failed, succeeded), chance in chances.items():
            won += chance * stuck
            for came, share in (((failed + 1, succeeded), failing), ((failed, succeeded + 1), 1 - failing)):
                reached = chance * (1 - stuck) * share
                if came[0] == MISSIONS_TO_WIN:
                    won += reached
                elif came[1] < MISSIONS_TO_WIN:
                    after[came] = after.get(came, 0.0) + reached
        chances = after
    return won


def measure_cells(
    todo: Sequence[Cell], games: int, search_games: int, seed: int, workers: Workers, tell: Tell
) -> list[Row]:
    """The row of every cell; cells with as many seats see the same deals. KeyboardInterrupt where it is stopped."""
    agents = Agents("resistance")
    total = sum(search_games if cell.searches else games for cell in todo)
    rows: list[Row] = []
    played = 0
    for cell in todo:
        game = make_game("resistance", "standard", cell.seats)
        player = SidesAgent(agents.make(cell.spy), agents.make(cell.resistance))
        match = Match(game, [Chair(player.name)] * cell.seats, [player] * cell.seats)
        count = search_games if cell.searches else games
        result = run(match, count, seed, workers, lambda done, _, before=played: tell(before + done, total))  # type: ignore[misc]
        if result.interrupted:
            raise KeyboardInterrupt
        spy_wins = int(result.outcomes[1:].sum())
        rows.append(rate_row(cell.id, cell.quantity, spy_wins, result.games, None))
        played += count
    return rows


def study_of(search_games: int = SEARCH_GAMES) -> Study:
    """The study, with so many games for each row in which a player searches."""
    searchers = search_games > 0 and SEARCHER in Agents("resistance").names()

    def measure(games: int, seed: int, workers: Workers, tell: Tell) -> list[Row]:
        return measure_cells(cells(searchers), games, search_games, seed, workers, tell)

    return dataclasses.replace(STUDY, measure=measure)


STUDY = Study(
    name="resistance",
    title="The Resistance: how often the spies win",
    source="Nothing published is comparable. Cowling, Whitehouse, Powley: Emergent bluffing and inference with Monte Carlo "
    "tree search (CIG 2015) measures search players of its own; Serrino et al.: Finding friend and foe in multi-agent games "
    "(NeurIPS 2019) plays Avalon, with roles that this game does not have. Random play can be worked out, and is.",
    default_games=2000,
    small_games=100,
    unit="spy wins in %",
    sections=(
        Section("random/", "Everybody chooses by chance", "The exact number stands in each row's quantity."),
        Section(
            "counting-spies/", "Spies that count against chance", "Spies bring just as many spies as a fail takes."
        ),
        Section("counting-resistance/", "A resistance that counts against spies by chance", "It weighs sets of spies."),
        Section("counting/", "Counting on both sides", "By the number of seats."),
        Section("logic/", "Spies that count, a resistance of bare logic", "All sets that are possible count alike."),
        Section(
            "lie-low/", "Spies that lie low", "By seats, and by how often they play success where nothing is decided."
        ),
        Section(
            "search/",
            "Search: spy wins, 5 seats",
            "By what is added to the search, on which side it plays, and against whom: players that count, or the plain search.",
        ),
    ),
    measure=lambda games, seed, workers, tell: measure_cells(cells(searchers=False), games, 0, seed, workers, tell),
)


def main(words: Sequence[str] | None = None) -> int:
    """Run the study as a command; the exit status."""
    parser = argparse.ArgumentParser(prog="python -m resistance.study", description=STUDY.title)
    parser.add_argument("--games", type=int, default=STUDY.default_games, help="games a row (default %(default)s)")
    parser.add_argument(
        "--search-games",
        type=int,
        default=SEARCH_GAMES,
        help="games a row with search, 0 for none (default %(default)s)",
    )
    parser.add_argument("--seed", type=int, default=0, help="the seed of the deals (default %(default)s)")
    parser.add_argument("--threads", type=int, help="threads (default: one a core)")
    parser.add_argument("--json", type=Path, help="write the rows to this file")
    given = parser.parse_args(words)
    try:
        if given.games < 1 or given.search_games < 0 or given.seed < 0:
            raise BadInput("--games must be 1 or more, --search-games and --seed 0 or more")
        study = study_of(given.search_games)
        with working(f"{study.name}, {given.games} games a row") as tell:
            report = study.run(given.games, given.seed, check_threads(given.threads), tell)
        if given.json:
            write_file(given.json, to_json(report))
        print_study(study, report, given.seed)
    except MolehuntError as error:
        sys.stderr.write(f"{parser.prog}: {error}\n")
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
