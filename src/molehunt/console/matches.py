"""`molehunt arena`: a match and its table."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from rich.table import Table

from molehunt.arena.agent_files import load_agents
from molehunt.arena.ahead import ahead_of
from molehunt.arena.isolation import ISOLATED_MEGABYTES, ISOLATED_SECONDS, Isolation, load_isolated
from molehunt.arena.match import Match, Result, check_roles, run, seat_match
from molehunt.arena.seating import parse_seats
from molehunt.arena.workers import open_workers
from molehunt.console.faults import lost_words, print_faults, saying_where, tell_who_thinks
from molehunt.console.outputs import STANDARD_OUTPUT, Outputs, Stream
from molehunt.console.screen import (
    Pieces,
    Stopped,
    check_count,
    check_threads,
    many,
    mean_between,
    named,
    out,
    pace,
    percents_between,
    to_json,
    working,
)
from molehunt.core.errors import AgentFailure, BadInput
from molehunt.core.record import Record
from molehunt.core.streams import MAX_SEED
from molehunt.core.words import rate_said
from molehunt.games.registry import game_entry, split_label

MAX_GAMES = 1_000_000_000
MAX_SERIES = 1_000


def result_json(result: Result) -> dict[str, Any]:
    """The result of a match as the JSON that other programs read; rates are fractions.

    The mean payoff stands there where it is another than the rate; its interval is unknown where there is one deal alone.
    """
    match = result.match
    seats: list[dict[str, Any]] = []
    for seat, row in enumerate(result.rates):
        seats.append(
            {"seat": seat, "agent": row.agent, "wins": row.wins, "rate": row.rate, "low": row.low, "high": row.high}
        )
        if row.payoff is not None:
            seats[-1] |= {"payoff": row.payoff, "payoff_low": row.payoff_low, "payoff_high": row.payoff_high}
    found = {
        "games": result.games,
        "moves": result.moves,
        "seconds": result.seconds,
        "games_per_second": result.games / result.seconds if result.seconds else 0.0,
        "seats": seats,
        "outcomes": dict(zip(match.game.outcome_names(), result.outcomes.tolist(), strict=True)),
    }
    if match.spec is not None and match.spec.isolation is not None:
        found["faults"] = dict(sorted(result.faults.items()))
    return found


def isolation_of(isolate: bool, seconds: int | None, memory: int | None, network: bool) -> Isolation | None:
    """The limits of isolated players, None where nobody is isolated; BadInput for limits that would hold for nobody."""
    if isolate:
        usual = Isolation(network=network)
        return replace(
            usual,
            seconds=usual.seconds if seconds is None else seconds,
            memory=usual.memory if memory is None else memory,
        )
    if seconds is not None or memory is not None or network:
        raise BadInput(
            "--isolate-seconds, --isolate-memory and --isolate-network are about isolated players; say --isolate, too"
        )
    return None


def check_isolation(limits: Isolation) -> None:
    """BadInput where limits of isolated players are out of range."""
    check_count("--isolate-seconds", limits.seconds, *ISOLATED_SECONDS)
    check_count("--isolate-memory", limits.memory, *ISOLATED_MEGABYTES)


@dataclass(frozen=True)
class Wanted:
    """What `molehunt arena` is asked for: which game, who plays, also of which files, and how many of which deals."""

    label: str
    seats: str
    games: int
    seed: int
    rotate: bool
    agents_from: tuple[Path, ...] = ()
    isolation: Isolation | None = None
    series: int = 1
    first_deal: int = 0

    def check(self) -> None:
        """BadInput where a number is out of its range."""
        check_count("--games", self.games, 1, MAX_GAMES)
        check_count("--seed", self.seed, 0, MAX_SEED)
        check_count("--series", self.series, 1, MAX_SERIES)
        check_count("--first-deal", self.first_deal, 0, MAX_SEED - self.games * self.series)
        if self.isolation is not None:
            check_isolation(self.isolation)

    def match(self) -> Match:
        """The match; BadInput, UnknownName and AgentFailure where it cannot be seated."""
        name, _ = split_label(self.label)
        limits = self.isolation
        agents, files = load_isolated(name, self.agents_from, limits) if limits else load_agents(name, self.agents_from)
        chairs = parse_seats(self.seats, agents.names(), game_entry(name).roles)
        match = seat_match(self.label, chairs, agents, self.rotate, files, limits, self.series)
        check_roles(self.label, chairs)
        return match


def run_arena(
    wanted: Wanted, *, threads: int | None, json: Path | None, records: Path | None, cluster: str | None
) -> int:
    """Play a match, show its table, write its files."""
    wanted.check()
    used = check_threads(threads)
    if records == STANDARD_OUTPUT:
        raise BadInput("--records needs the name of a file; only --json writes to standard output")
    if wanted.isolation is not None:
        wanted = replace(wanted, isolation=wanted.isolation.and_hidden(json, records))
    with Outputs(json, records) as outputs:
        match = wanted.match()
        files = () if match.spec is None else match.spec.files
        stream = outputs.stream(records) if records else None
        ahead = None if match.spec is None or cluster is not None else ahead_of([match.spec])
        with (
            open_workers(used, cluster) as workers,
            working(f"{match.game.label}, {match.game.seats} seats", match, ahead=ahead, threads=used) as tell,
            saying_where(files),
        ):
            sink = None if stream is None else _record_sink(stream)
            result = run(match, wanted.games, wanted.seed, workers, tell, sink, wanted.first_deal)
        if stream is not None:
            stream.finish()
        outputs.put(json, lambda: to_json(result_json(result)))
        if json != STANDARD_OUTPUT:
            _print(result)
            print_faults(result.faults, result.first_faults, files, wanted.isolation)
    if result.interrupted:
        tell_who_thinks()
        raise Stopped(f"stopped after {many(result.games, 'game')}; the result above is of the games played until then")
    if result.faults:
        raise AgentFailure(f"all games are played; {lost_words(result.faults)}")
    return 0


def _record_sink(stream: Stream) -> Any:
    def write(records: list[Record]) -> None:
        stream.write(b"".join(record.line() for record in records))

    return write


def _print(result: Result) -> None:
    match = result.match
    played = many(result.games, "game")
    if match.rotate:
        deals = many(result.games // match.rotations, "deal")
        played += f" ({deals} in {many(match.rotations, 'seating')})"
    if match.series > 1:
        played += f" in series of {match.series}"
    out.print(f"{match.game.label}: {played}, seed {result.seed}", markup=False)
    table = Table()
    table.add_column("seat", justify="right")
    table.add_column("agent")
    paid = ("mean payoff",) if result.paid is not None else ()
    for heading in ("wins", "rate", "95 % interval", *paid):
        table.add_column(heading, justify="right")
    for seat, row in enumerate(result.rates):
        cells: list[Pieces | str] = [
            f"{row.wins:,}",
            rate_said(row.rate),
            percents_between(row.low, row.high),
        ]
        if row.payoff is not None:
            cells.append(mean_between(row.payoff, row.payoff_low, row.payoff_high))
        table.add_row(str(seat), named(row.agent), *cells)
    out.print(table)
    ends = ", ".join(
        f"{name}: {count:,}" for name, count in zip(match.game.outcome_names(), result.outcomes.tolist(), strict=True)
    )
    out.print(f"Ends: {ends}. {result.moves:,} moves in {result.seconds:.2f} s, {pace(result.games, result.seconds)}.")
