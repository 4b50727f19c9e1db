"""`molehunt train`: a player trained from the file of a run, kept in a store if one is named."""

from __future__ import annotations

import contextlib
import shlex
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from msgspec import structs
from rich.table import Table

from molehunt.agents.networks import to_bytes
from molehunt.arena.databases import interruptible
from molehunt.arena.workers import open_workers
from molehunt.console.outputs import STANDARD_OUTPUT, Outputs
from molehunt.console.screen import (
    MOST_THREADS,
    Stopped,
    between,
    check_count,
    many,
    named,
    out,
    side,
    to_json,
    working,
)
from molehunt.core.errors import BadInput, MolehuntError
from molehunt.core.streams import MAX_SEED
from molehunt.core.words import rate_said
from molehunt.learning.definition import TrainingText, read_training
from molehunt.learning.ppo import import_torch
from molehunt.learning.run import Run, Trained, identity_of
from molehunt.learning.store import KeptRun, TrainingStore

MAX_STEPS = 100_000_000_000
DEVICES = frozenset(
    {"cpu", "cuda", "fpga", "hip", "hpu", "ipu", "lazy", "maia", "meta", "mps", "mtia", "privateuseone", "ve", "vulkan"}
    | {"xla", "xpu"}
)
"""What PyTorch computes on, by its names."""


def run_train(
    file: Path,
    *,
    steps: int | None,
    seed: int | None,
    threads: int,
    device: str,
    store: Path | None,
    weights: Path | None,
    json: Path | None,
    report: Path | None,
    cluster: str | None = None,
) -> int:
    """Train, or go on with a run, show its league, write its files."""
    check_count("--threads", threads, 1, MOST_THREADS)
    text = read_training(file)
    if steps is not None:
        text = structs.replace(text, steps=check_count("--steps", steps, 1, MAX_STEPS))
    if seed is not None:
        text = structs.replace(text, seed=check_count("--seed", seed, 0, MAX_SEED))
    if STANDARD_OUTPUT in (weights, report):
        raise BadInput("--weights and --report need the name of a file; only --json writes to standard output")
    check_device_name(device)
    command = _command(file, steps, seed, store, threads, device)
    with Outputs(json, report, weights) as outputs:
        _check_library(text)
        check_device(device)
        if report:
            from molehunt.studies.report import check_installed

            check_installed()
        began = time.perf_counter()
        trained, before = _train(text, threads, device, store, command, cluster)
        seconds = time.perf_counter() - began
        outputs.put(weights, lambda: to_bytes(trained.network), "The weights are in {}.")
        outputs.put(json, lambda: to_json(trained_json(trained)))
        outputs.put(report, lambda: _page(text, trained, seconds, command), "The report is in {}.")
        if json != STANDARD_OUTPUT:
            _print(text, trained, before, seconds)
    return 0


def check_device_name(device: str) -> None:
    """Raise BadInput where no PyTorch has such a device, which can be said without one."""
    if device.partition(":")[0] not in DEVICES:
        raise BadInput(f"PyTorch cannot compute on {device!r:.40}; --device cpu is always there, and cuda is a GPU")


def _check_library(text: TrainingText) -> None:
    """MolehuntError where PyTorch is missing; BadInput before that, where something is wrong in the file."""
    try:
        import_torch()
    except MolehuntError:
        Run(text)  # looks at the file first, and says then what is missing
        raise


def check_device(device: str) -> None:
    """Raise BadInput where PyTorch has no such device."""
    torch = import_torch()
    try:
        torch.zeros(1, device=device)
    except (RuntimeError, AssertionError):
        raise BadInput(f"PyTorch cannot compute on {device!r:.40} here; --device cpu is always there") from None


def _train(
    text: TrainingText, threads: int, device: str, folder: Path | None, command: str, cluster: str | None
) -> tuple[Trained, int]:
    """What came of the run, and how many decisions had been learned from before."""
    with contextlib.ExitStack() as stack:
        workers = stack.enter_context(open_workers(cluster=cluster)) if cluster is not None else None
        store = stack.enter_context(TrainingStore(folder, identity_of(text))) if folder else None
        run = Run(text, store, threads, device, workers)
        before = run.steps
        if before:
            side.print(f"Going on in {folder}: {before:,} decisions were learned from.", markup=False, soft_wrap=True)
        try:
            with interruptible(), working(f"training for {text.game}", run) as tell:
                return run.train(tell), before
        except KeyboardInterrupt:
            kept = f"the same command goes on: {command}" if folder else "nothing was kept (no --store)"
            raise Stopped(f"stopped after {run.steps:,} decisions; {kept}") from None


def _command(file: Path, steps: int | None, seed: int | None, store: Path | None, threads: int, device: str) -> str:
    """The command that makes the same player."""
    words = ["molehunt", "train", str(file)]
    options: dict[str, object] = {"--steps": steps, "--seed": seed, "--store": store}
    options |= {"--threads": None if threads == 1 else threads, "--device": None if device == "cpu" else device}
    for option, value in options.items():
        words += [] if value is None else [option, str(value)]
    return shlex.join(words)


def trained_json(trained: Trained) -> dict[str, Any]:
    """What came of a run, for `--json`."""
    return {
        "updates": trained.updates,
        "steps": trained.steps,
        "games": trained.games,
        "curve": [
            {"updates": updates, "steps": steps, "games": games, "name": name, "value": value}
            for updates, steps, games, name, value in trained.curve
        ],
        "league": [league_row(row) for row in trained.league],
    }


def league_row(row: tuple[Any, ...]) -> dict[str, Any]:
    """A row of the league by the names of its columns."""
    names = ("updates", "steps", "opponent", "games", "margin", "low", "high", "wins")
    return dict(zip(names, row, strict=True))


def _page(text: TrainingText, trained: Trained, seconds: float, command: str) -> str:
    from molehunt.studies.training_report import page

    return page(text, trained, seconds, command)


def _print(text: TrainingText, trained: Trained, before: int, seconds: float) -> None:
    print_league(trained.league)
    learned = trained.steps - before
    updates = many(trained.updates, "update")
    if not learned:
        out.print(f"The run was over: {trained.steps:,} decisions were learned from, in {updates}.")
        return
    out.print(
        f"{learned:,} decisions learned from in {seconds:.1f} s, {learned / seconds:,.0f} a second; {updates} in all."
    )
    if trained.updates == 1 and trained.steps > text.steps:
        games = f"{text.ppo.games:,} of them (games in [ppo])"
        out.print(f"An update learns from whole games, {games}, so no run learns from fewer.", markup=False)


def print_league(league: Sequence[tuple[Any, ...]]) -> None:
    """The rows of a league as a table; nothing where there are none."""
    if not league:
        return
    table = Table(title="The league", title_justify="left")
    for heading in ("opponent", "decisions", "games", "margin", "95 % interval", "won"):
        words = heading == "opponent"
        table.add_column(heading, justify="left" if words else "right", no_wrap=not words)
    for _, steps, opponent, games, margin, low, high, wins in league:
        interval = between(low, high, 3)
        table.add_row(named(opponent), f"{steps:,}", f"{games:,}", f"{margin:z.3f}", interval, rate_said(wins / games))
    out.print(table)


def kept_json(kept: KeptRun) -> dict[str, Any]:
    """What the store of a run holds, for `--json`."""
    return {
        "run": kept.run,
        "updates": kept.updates,
        "steps": kept.steps,
        "games": kept.games,
        "league": [league_row(row) for row in kept.league],
    }


def print_kept(kept: KeptRun) -> None:
    """How far a run in a store is, and its league."""
    print_league(kept.league)
    seats = f" with {kept.run['seats']} seats" if kept.run["seats"] else ""
    out.print(
        f"A training run for {kept.run['game']}{seats}, seed {kept.run['seed']}: {kept.steps:,} of {kept.run['steps']:,} "
        f"decisions, {many(kept.updates, 'update')}, {many(kept.games, 'game')}."
    )
    out.print("Its curve: --sql 'SELECT * FROM curve'.")
