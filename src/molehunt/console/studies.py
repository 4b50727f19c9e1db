"""`molehunt study` and `molehunt bench`: published numbers beside measured ones."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

from rich.table import Table

from molehunt import __version__
from molehunt.agents.registry import Agents
from molehunt.arena.agent_files import AgentFile, load_agents
from molehunt.arena.ahead import who_sits
from molehunt.arena.pieces import Stream, open_pieces
from molehunt.arena.workers import open_workers
from molehunt.console.faults import saying_where, tell_who_thinks
from molehunt.console.outputs import STANDARD_OUTPUT, Outputs
from molehunt.console.screen import Stopped, check_count, check_threads, listed, out, side, to_json, working
from molehunt.console.study_tables import print_study
from molehunt.core.errors import BadInput, UnknownName
from molehunt.core.streams import MAX_SEED
from molehunt.core.words import counted
from molehunt.games.registry import game_entry
from molehunt.studies.first_looks import look_at, look_at_players
from molehunt.studies.study import STUDIES, Ranked, Report, StudiedPlayer, Study, load_study

MAX_GAMES = 10_000_000
SEARCH_GAMES = 250
"""Games a cell when all readings are ranked."""
SHOWN_READINGS = 25
SHOWN_MISSING = 8
"""Missing cells that are named."""


def version_of_numbers() -> str:
    """What the numbers in a store depend on besides what is asked for."""
    from molehunt.core.made import rules_and_players

    return f"{__version__} (sources {rules_and_players()})"


def run_studies(
    name: str | None,
    *,
    games: int | None,
    seed: int,
    threads: int | None,
    small: bool,
    readings: bool,
    json: Path | None,
    report: Path | None,
    cluster: str | None = None,
    store: Path | None = None,
    players: Sequence[str] = (),
    agents_from: Sequence[Path] = (),
) -> int:
    """Run one study, or all of them one after the other; or rank the readings of one.

    `players` are those that one study is to measure instead of its own: `duel/greedy-2020`, also of the files `agents_from`.
    """
    _check_call(name, games, seed, small, readings, json, report)
    _check_players(name, players, agents_from, readings)
    used = check_threads(threads)
    if readings:
        return _rank_readings(name, games or SEARCH_GAMES, seed, used, json, cluster, store)
    if report:
        from molehunt.studies.report import check_installed

        check_installed()
    named = _studied(players, agents_from)
    if name is None and small and cluster is None and store is None:
        from molehunt.console.first_looks import tell_story

        return tell_story(games, seed, used)
    with open_pieces(store, version_of_numbers()) as pieces:
        if pieces is not None and pieces.known:
            side.print(f"Going on in {store}: {pieces.known:,} pieces of work are there.", markup=False, soft_wrap=True)
        for number, each in enumerate([name] if name else STUDIES):
            study = load_study(each)
            count = games or (study.small_games if small else study.default_games)
            with Outputs(json, report) as outputs:
                ahead = None if cluster is not None else _ahead(each, seed, named)
                with (
                    open_workers(used, cluster) as workers,
                    working(f"{each}, {counted(count, 'game')} a cell", ahead=ahead, threads=used) as tell,
                    saying_where(named[0].files if named else ()),
                ):
                    result = study.run(count, seed, workers, tell, pieces, patient=True, players=named)
                if result.rows:
                    outputs.put(json, partial(to_json, result))
                    outputs.put(report, partial(_page, study, result, seed, count, named), "The report is in {}.")
                    if json != STANDARD_OUTPUT:
                        print_study(study, result, seed, brief=small and not named)
                if result.missing:
                    tell_who_thinks()
                    raise Stopped(_how_to_go_on(result, number, name, store))
    if (small or name is None) and not named and json != STANDARD_OUTPUT:
        _what_next(name)
    return 0


def _ahead(name: str, seed: int, players: Sequence[StudiedPlayer]) -> tuple[Any, ...]:
    """What other processes do to know what is compiled for a study: a look at it, or at the players that are named."""
    if not players:
        return look_at, name, 1, seed, 1
    seated = {StudiedPlayer(each.game, who_sits(each.game, each.spec)) for each in players}
    return look_at_players, name, tuple(sorted(seated, key=str)), seed


def _check_players(name: str | None, players: Sequence[str], files: Sequence[Path], readings: bool) -> None:
    """Refuse players and files of players that nothing can be made of; BadInput."""
    if files and not players:
        raise BadInput("--agents-from brings players; --player says which of them is measured: --player duel/NAME")
    if players and readings:
        raise BadInput("--readings ranks the readings of a paper; there is no --player with it")
    if players and (name is None or load_study(name).measure_players is None):
        able = [each for each in STUDIES if load_study(each).measure_players is not None]
        raise BadInput(f"players that are named are measured by molehunt study {' or '.join(able)}")


def _studied(players: Sequence[str], files: Sequence[Path]) -> list[StudiedPlayer]:
    """The players that are named, each with the files of players; BadInput where there is none of that name."""
    found = []
    loaded: dict[str, tuple[Agents, tuple[AgentFile, ...]]] = {}
    for word in players:
        label, _, spec = word.partition("/")
        if not spec:
            raise BadInput(f"a player is named with its game, such as duel/greedy-2020, not {word!r}")
        game = game_entry(label).name
        if game not in loaded:  # a file is run each time that it is loaded
            loaded[game] = load_agents(game, files)
        agents, texts = loaded[game]
        agents.make(spec)  # says now what cannot be made
        found.append(StudiedPlayer(game, spec, texts))
    return found


def _page(study: Study, result: Report, seed: int, games: int, players: Sequence[StudiedPlayer]) -> str:
    from molehunt.studies.report import render

    return render(study, result, seed, games=games, players=players)


def _how_to_go_on(result: Report, finished: int, name: str | None, store: Path | None) -> str:
    """What is said of a study that was stopped: what is missing, and whether it can go on."""
    if name is None:
        said = f"stopped; {finished} of {len(STUDIES)} studies stand above"
        said += f", and a part of {result.study}" if result.rows else ""
    else:
        said = "stopped; what is finished stands above" if result.rows else "stopped before any cell was finished"
    some = ", ".join(result.missing[:SHOWN_MISSING]) + (", ..." if len(result.missing) > SHOWN_MISSING else "")
    said += f"\n{result.study} lacks {counted(len(result.missing), 'cell')}: {some}"
    kept = f"what was played is in {store}: the same command goes on" if store else "nothing was kept (no --store)"
    return f"{said}\n{kept}"


def _check_call(
    name: str | None, games: int | None, seed: int, small: bool, readings: bool, json: Path | None, report: Path | None
) -> None:
    """Refuse a wrong call before any work is done."""
    if readings and (small or report):
        option = "--report" if report else "--small"
        raise BadInput(f"--readings ranks readings as a table and for --json; there is no {option} with it")
    if name is None and (json or report):
        raise BadInput(f"--json and --report are about one study: molehunt study {' or '.join(STUDIES)}")
    if name is not None and name not in STUDIES:
        raise UnknownName("study", name, STUDIES)
    if games is not None:
        check_count("--games", games, 1, MAX_GAMES)
    check_count("--seed", seed, 0, MAX_SEED)


def _rank_readings(
    name: str | None,
    games: int,
    seed: int,
    threads: int,
    json: Path | None,
    cluster: str | None,
    store: Path | None,
) -> int:
    """Rank the readings of a study by their distance to the published numbers."""
    searchable = [each for each in STUDIES if load_study(each).search is not None]
    search = load_study(name).search if name else None
    if search is None:
        raise BadInput(
            f"--readings is for studies with open readings: molehunt study {' or '.join(searchable)} --readings"
        )
    with Outputs(json) as outputs:
        with (
            open_pieces(store, version_of_numbers()) as pieces,
            open_workers(threads, cluster) as workers,
            working(f"all readings of {name}, {counted(games, 'game')} a cell") as tell,
        ):
            ranked = search(games, seed, Stream(workers, pieces), tell)
        told = {"study": name, "games": games, "seed": seed, "readings": [reading.values() for reading in ranked]}
        outputs.put(json, lambda: to_json(told))
        if json != STANDARD_OUTPUT:
            out.print(_readings_table(ranked[:SHOWN_READINGS]))
            shown = f"; the nearest {SHOWN_READINGS} are shown" if len(ranked) > SHOWN_READINGS else ""
            out.print(f"{counted(len(ranked), 'reading')}, {counted(games, 'game')} a cell, seed {seed}{shown}.")
    return 0


def _readings_table(ranked: Sequence[Ranked]) -> Table:
    """The readings as they are printed: headings in two lines, so that there is room for what is read how."""
    table = Table(box=None, pad_edge=False)
    *numbers, _last = ranked[0].columns()
    for heading in ranked[0].columns():
        table.add_column(heading.replace(": ", ":\n"), no_wrap=heading in numbers)
    for reading in ranked:
        table.add_row(*map(listed, reading.columns().values()))
    return table


def _what_next(name: str | None) -> None:
    """Commands that lead on: from a first look at one study to that study in full."""
    out.print("What to try next:")
    for each in [name] if name else STUDIES:
        out.print(f"  molehunt study {each} --report {each}.html", markup=False, soft_wrap=True)
    for line in (
        "molehunt arena saboteur/krisnadi --seats decision-2019*5 --games 2000",
        "molehunt arena saboteur/krisnadi --seats saboteur:decision-2019*2,miner:means-ends-2016*3 --records games.jsonl",
        "molehunt replay games.jsonl",
        "molehunt tournament examples/tournaments/first.toml --report first.html",
        "molehunt show saboteur/krisnadi",
        "molehunt agents decision-2019",
    ):
        out.print(f"  {line}", markup=False, soft_wrap=True)
    out.print("docs/first-player.md says how to write a player of your own in ten minutes.")
