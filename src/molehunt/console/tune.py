"""`molehunt tune`: the best parameters of a player, raced and confirmed."""

from __future__ import annotations

import shlex
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rich.table import Table

from molehunt import __version__
from molehunt.agents.entry import EVERY, AgentEntry
from molehunt.agents.registry import entries, entries_of_file
from molehunt.arena.agent_files import load_agents
from molehunt.arena.ahead import ahead_of
from molehunt.arena.match import MatchSpec, the_match
from molehunt.arena.tuning.opposition import read_oppositions
from molehunt.arena.tuning.race import FIRST_RUNG, Gap
from molehunt.arena.tuning.scoreboard import MEAN, WORST
from molehunt.arena.tuning.search import BATCH, Found, Plan, Trial, search
from molehunt.arena.tuning.space import parse_space
from molehunt.arena.tuning.store import open_store
from molehunt.arena.workers import open_workers
from molehunt.console.faults import saying_where, tell_who_thinks
from molehunt.console.outputs import STANDARD_OUTPUT, Outputs
from molehunt.console.screen import Pieces, Stopped, check_count, check_threads, named, out, to_json, working
from molehunt.core.errors import AgentFailure, BadInput, MolehuntError, UnknownName
from molehunt.core.specs import split_spec
from molehunt.core.streams import MAX_SEED
from molehunt.core.words import counted, rate_said
from molehunt.games.registry import split_label

MAX_GAMES, MAX_TRIALS = 1_000_000, 100_000
FINAL_TIMES, CONFIRM_TIMES = 2, 4
"""The final and the confirmation are so many times as long as a race."""
SHOWN = 8
"""Candidates that are printed."""


@dataclass(frozen=True)
class Wanted:
    """What `molehunt tune` is asked for: whose parameters in which space, against whom at which table, and how long."""

    agent: str
    against: tuple[str, ...]
    space: str
    game: str | None
    role: str | None
    seats: int | None
    games: int
    trials: int
    over: str
    seed: int
    agents_from: tuple[Path, ...] = ()

    def check(self) -> None:
        """BadInput where a number is out of its range; UnknownName."""
        check_count("--games", self.games, FIRST_RUNG, MAX_GAMES)
        check_count("--trials", self.trials, 1, MAX_TRIALS)
        check_count("--seed", self.seed, 0, MAX_SEED)
        if self.over not in {MEAN, WORST}:
            raise UnknownName("way to count several oppositions", self.over, (MEAN, WORST))

    def plan(self) -> Plan:
        """The search; BadInput and UnknownName where there is none."""
        name, items = split_spec(self.agent)
        entry = _entry(name, self.game, self.agents_from)
        label = entry.game if self.game is None else self.game
        agents, files = load_agents(entry.game, self.agents_from)
        editions = entry.editions()
        match = MatchSpec(label, (), files)
        plan = Plan(
            agent=name,
            items=tuple(items),
            editions=editions,
            space=parse_space(self.space, name, editions),
            oppositions=read_oppositions(label, self.against, self.role, self.seats, agents, match),
            deals=self.games,
            final=FINAL_TIMES * self.games,
            confirm=CONFIRM_TIMES * self.games,
            trials=-(-self.trials // BATCH) * BATCH,
            seed=self.seed,
            over=self.over,
            files=tuple(each for file in files for each in ((Path(file.path).name, file.digest), *file.helpers)),
        )
        for opposition in plan.oppositions:
            the_match(opposition.seat(plan.spec()))  # says now what cannot be seated
        return plan

    def command(self, plan: Plan) -> list[str]:
        """The command that searches so again."""
        label = plan.oppositions[0].match.label
        words: list[object] = ["--space", self.space, "--game", label, "--games", self.games, "--trials", plan.trials]
        words += ["--over", self.over, "--seed", self.seed]
        repeated = [("--against", each) for each in self.against]
        repeated += [("--agents-from", str(path)) for path in self.agents_from]
        for option, value in (("--role", self.role), ("--seats", self.seats), *repeated):
            words += [] if value is None else [option, value]
        return ["molehunt", "tune", self.agent, *(str(word) for word in words)]


def run_tune(
    wanted: Wanted,
    *,
    threads: int | None,
    store: Path | None,
    json: Path | None,
    report: Path | None,
    cluster: str | None = None,
) -> int:
    """Search, print what was found, write the files."""
    wanted.check()
    used = check_threads(threads)
    if STANDARD_OUTPUT in (store, report):
        raise BadInput("--store and --report need the name of a file; only --json writes to standard output")
    with Outputs(json, report, store) as outputs:
        _check_installed(report)
        plan = wanted.plan()
        ahead = None if cluster is not None else ahead_of(each.seat(plan.spec()) for each in plan.oppositions)
        began = time.perf_counter()
        raced: list[Trial] = []
        try:
            with (
                open_store(plan, store) as kept,
                open_workers(used, cluster) as workers,
                working(f"tuning {plan.spec()}", ahead=ahead, threads=used) as tell,
                saying_where(plan.oppositions[0].match.files),
            ):
                try:
                    found = search(plan, workers, kept, tell)
                except (KeyboardInterrupt, MolehuntError):
                    raced = kept.trials()
                    raise
        except KeyboardInterrupt as error:
            tell_who_thinks(error)
            if json != STANDARD_OUTPUT:
                _print_races(raced)
            kept_in = (
                f"what was found is in {store}: the same command goes on" if store else "nothing was kept (no --store)"
            )
            after = f" after {len(raced)} candidates, which no fresh deals have confirmed" if raced else ""
            raise Stopped(f"stopped{after}; {kept_in}") from None
        except AgentFailure as error:
            if not raced:
                raise
            if json != STANDARD_OUTPUT:
                _print_races(raced)
            kept_in = f" and are kept in {store}" if store else ""
            raise AgentFailure(
                f"{error}; {counted(len(raced), 'candidate')} had raced until then{kept_in}, which no fresh deals have confirmed"
            ) from error
        seconds = time.perf_counter() - began
        outputs.put(json, lambda: to_json(found_json(found)))
        outputs.put(report, lambda: _page(found, seconds, wanted.command(plan)), "The report is in {}.")
        if json != STANDARD_OUTPUT:
            _print(found, seconds)
    return 0


def _page(found: Found, seconds: float, command: list[str]) -> str:
    from molehunt.studies.tuning_report import page

    return page(found, seconds, command)


def _check_installed(report: Path | None) -> None:
    """Say before the work what is missing."""
    try:
        import optuna  # noqa: F401
    except ImportError:
        raise MolehuntError("tuning needs optuna: pip install 'molehunt[tune]'") from None
    if report:
        from molehunt.studies.report import check_installed

        check_installed()


def _entry(name: str, game: str | None, agents_from: Sequence[Path]) -> AgentEntry:
    """The player of a name, built in or from a file, of the game that is asked for or of the only one that has it."""
    wanted = None if game is None else split_label(game)[0]
    of_files = [entry for path in agents_from for entry in entries_of_file(path, wanted or EVERY)]
    known = [entry for entry in (*entries(), *of_files) if wanted in {None, entry.game}]
    found = [entry for entry in known if entry.name == name]
    if not found:
        raise UnknownName("agent" if wanted is None else f"agent of {wanted}", name, sorted({e.name for e in known}))
    if len(found) > 1:
        raise BadInput(f"several games have a player {name}; say which: --game {' or '.join(e.game for e in found)}")
    return found[0]


def _gap_json(gap: Gap) -> dict[str, Any]:
    return {"mean": gap.mean, "low": gap.low, "high": gap.high, "deals": gap.deals}


def found_json(found: Found) -> dict[str, Any]:
    """What a search came to as the JSON that other programs read; scores and differences are fractions."""
    plan = found.plan
    return {
        "version": __version__,
        **plan.identity(),
        "best": found.best,
        "better": found.better,
        "difference": {**_gap_json(found.difference), "seed": found.confirming_seed},
        "each": [
            {"against": text, "best": ours, "default": theirs, "difference": _gap_json(gap)}
            for text, ours, theirs, gap in found.each
        ],
        **({"worst": dict(zip(("best", "default"), found.worst, strict=True))} if found.worst else {}),
        "finalists": [{"agent": name, "score": score} for name, score in found.finalists],
        "importance": found.importance,
        "trials": [
            {
                "agent": trial.spec,
                "values": trial.values,
                "difference": trial.difference,
                "low": trial.low,
                "high": trial.high,
                "deals": trial.deals,
                "dropped": trial.dropped,
            }
            for trial in found.trials
        ],
        "games_played": found.games,
    }


def _points(gap: Gap) -> str:
    return "".join(_points_in_pieces(gap))


def _points_in_pieces(gap: Gap) -> tuple[str, str]:
    """A difference in points, and how sure it is: where all deals came out alike, they tell of no spread, and so of no interval."""
    if gap.low == gap.high:
        return (
            ("the same score ", "in every deal")
            if not gap.mean
            else (f"{100 * gap.mean:+.1f} points ", "in every deal")
        )
    return f"{100 * gap.mean:+z.1f} points ", f"({100 * gap.low:+z.1f} to {100 * gap.high:+z.1f})"


def _print_races(trials: list[Trial]) -> None:
    """The best candidates of the races, where one was not dropped."""
    table = Table(title="The best of the races", title_justify="left", title_style="bold")
    table.add_column("candidate")
    table.add_column("above the default")
    table.add_column("deals", justify="right", no_wrap=True)
    kept = sorted((trial for trial in trials if not trial.dropped), key=lambda trial: -trial.difference)
    shown: dict[str, Trial] = {}
    for trial in kept:  # a small space proposes a candidate more than once
        shown.setdefault(trial.spec, trial)
    for trial in list(shown.values())[:SHOWN]:
        gap = Gap(trial.difference, trial.low, trial.high, trial.deals)
        table.add_row(named(trial.spec), Pieces(*_points_in_pieces(gap)), f"{trial.deals:,}")
    if kept:
        out.print(table)


def _print(found: Found, seconds: float) -> None:
    plan = found.plan
    _print_races(found.trials)
    dropped = sum(trial.dropped for trial in found.trials)
    different = len({trial.spec for trial in found.trials})
    candidates = f"{len(found.trials)} candidates" + (
        f" ({different} different)" if different < len(found.trials) else ""
    )
    out.print(f"{candidates}, {dropped} dropped early; {found.games:,} games in {seconds:.1f} s, seed {plan.seed}.")
    if found.importance:
        shares = ", ".join(f"{name} {100 * share:.0f} %" for name, share in found.importance.items())
        out.print(f"Importance: {shares}.", markup=False)
    out.print(f"Best:    {found.best}", markup=False, soft_wrap=True)
    out.print(f"Default: {found.default}", markup=False, soft_wrap=True)
    fresh = f"{found.difference.deals:,} fresh deals, seed {found.confirming_seed}"
    out.print(f"Best above default on {fresh}: {_points(found.difference)}.", markup=False, soft_wrap=True)
    if found.worst:
        one, other = found.worst
        said = (
            f"both do worst against {one}" if one == other else f"the best against {one}, the default against {other}"
        )
        out.print(f"Worst on the deals of the final, and counted here: {said}.", markup=False, soft_wrap=True)
    for text, ours, theirs, gap in found.each:
        out.print(
            f"  {text}: {rate_said(ours)} against {rate_said(theirs)}, {_points(gap)}", markup=False, soft_wrap=True
        )
    if found.better:
        games = found.difference.deals * plan.oppositions[0].seatings
        words = ["molehunt", "arena", plan.oppositions[0].match.label, "--seats", _seats(found), "--games", str(games)]
        words += ["--seed", str(found.confirming_seed), *(["--rotate"] if plan.oppositions[0].match.rotate else [])]
        words += [word for file in plan.oppositions[0].match.files for word in ("--agents-from", file.path)]
        out.print(f"Better than the default. The same games again: {shlex.join(words)}", markup=False, soft_wrap=True)
    else:
        out.print("No better than the default.")


def _seats(found: Found) -> str:
    """The first seating with the best in it, as it is typed."""
    from molehunt.arena.tuning.opposition import CANDIDATE

    return str(found.plan.oppositions[0]).replace(CANDIDATE, found.best)
