"""`molehunt analyse`: a finished game looked at again, in the terminal, as JSON and as a page."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec
from rich.cells import cell_len
from rich.markup import escape
from rich.table import Table

from molehunt.analysis.analyse import analyse
from molehunt.analysis.findings import GOOD, GRADES, Analysis, Chart
from molehunt.analysis.words import WIDTH, place_in_words, score, sparkline, viewer_name
from molehunt.console.outputs import STANDARD_OUTPUT, Outputs
from molehunt.console.records import game_of
from molehunt.console.screen import check_count, out, to_json, working
from molehunt.core.errors import BadInput
from molehunt.core.interpreting import interpreting
from molehunt.core.language import _, counted_in
from molehunt.core.places import signed_places, unsigned
from molehunt.core.position import PERSON
from molehunt.core.processor_count import cores
from molehunt.core.record import parse_record
from molehunt.core.replay import Played, Replay
from molehunt.core.streams import MAX_SEED
from molehunt.core.words import percent_said
from molehunt.games.registry import make_game
from molehunt.table.people import faults_in_words, recorded_names

COLUMN_GAP = 2
"""So many spaces lie between two columns of a table."""
FEWEST_BLOCKS = 6
"""So many blocks a row of chances has on the narrowest screen."""
STYLES = {"good": "green", "inaccurate": "yellow", "mistaken": "red"}


def run_analysis(
    file: Path,
    *,
    number: int,
    seat: int | None,
    seed: int,
    worlds: int | None,
    seconds: float | None,
    json: Path | None,
    page: Path | None,
) -> int:
    """Analyse one game of a file; print what an onlooker and, if asked, a seat could know, and the moves that lost something."""
    with Outputs(json, page) as outputs:
        check_count("--seed", seed, 0, MAX_SEED)
        if worlds is not None and seconds is not None:
            raise BadInput("--worlds and --seconds both say how deep to look: give one of them")
        with interpreting():
            played = game_of(file, number)
        if seat is not None:
            check_count("--seat", seat, 0, played.game.seats - 1)
        if page is not None and not isinstance(played, Replay):
            raise BadInput("--page needs a record of this program; a log of another has none")
        names = recorded_names(played.seats)
        with working("playing on", ahead=_ahead(played), threads=cores()) as tell, signed_places():
            tell(0, 1)
            signed = analyse(played, names, seed=seed, worlds=worlds, seconds=seconds)
        found = msgspec.json.decode(unsigned(to_json(signed).decode()), type=Analysis)
        if json is not None:
            outputs.put(json, lambda: to_json(found))
        if page is not None and isinstance(played, Replay):
            replay = played
            outputs.put(page, lambda: _page(replay, names, signed), _("The page is in {}."))
        if STANDARD_OUTPUT not in (json, page):
            _print(found, seat, played)
    return 0


def _ahead(played: Played) -> tuple[Any, ...] | None:
    """What other processes do to know what is compiled for the analysis of a game; of a log, nothing."""
    return (_look, played.record.line()) if isinstance(played, Replay) else None


def _look(line: bytes) -> None:
    analyse(Replay(parse_record(line), make_game), worlds=1)


def _page(played: Replay, names: Sequence[str], found: Analysis) -> str:
    from molehunt.web.replays import exported, replay_data

    with signed_places():
        return exported(replay_data(played, names, drawn=True, analysis=found))


# --- In the terminal ----------------------------------------------------------------------------------------------------


def _print(found: Analysis, seat: int | None, played: Played) -> None:
    outcome = played.position.outcome
    end = _("broken off") if outcome is None else _(outcome.reason)
    told = counted_in(
        "{game}: {end}, after {n} move.",
        "{game}: {end}, after {n} moves.",
        found.moves,
        game=played.game.label,
        end=end,
    )
    out.print(told, markup=False, soft_wrap=True)
    for number, (name, player) in enumerate(zip(found.seats, found.players, strict=True)):
        if not player.startswith(PERSON):
            said = _("{name} sits on seat {seat}: {player}", name=name, seat=number, player=player)
            out.print(said, markup=False, soft_wrap=True)
    for lost in faults_in_words(played.record, found.seats) if isinstance(played, Replay) else ():
        out.print(lost, markup=False, soft_wrap=True)
    for viewer in (None,) if seat is None else (None, seat):
        for chart in found.charts:
            if chart.viewer == viewer:
                _print_chart(found, chart)
    if found.known:
        _print_known(found, seat)
    if found.rests_on:
        out.print(f"\n{found.rests_on}", markup=False, soft_wrap=True)
    _print_scores(found)
    _print_moves(found, seat)


def _print_chart(found: Analysis, chart: Chart) -> None:
    last = chart.first + len(chart.lines[0].values) - 1
    who = escape(viewer_name(found, chart.viewer))
    out.print(f"\n{_('[bold]{what}[/bold], to {who}', what=escape(chart.title), who=who)}")
    moves = _("moves {first} to {last}", first=chart.first, last=last)
    table = Table("", _("true"), moves, _("at the end"), box=None, pad_edge=False)
    beside = sum(max(map(cell_len, cells)) for cells in _beside_sparklines(chart)) + 3 * COLUMN_GAP
    width = max(FEWEST_BLOCKS, min(WIDTH, out.width - beside))
    for line in chart.lines:
        blocks = sparkline(line.values, width)
        table.add_row(escape(line.label), "*" if line.true else "", blocks, percent_said(line.values[-1]))
    out.print(table)
    for turn in chart.turns:
        told = _(
            "move {number}: {what} from {before} to {after}",
            number=turn.move,
            what=chart.lines[turn.line].label,
            before=percent_said(turn.before),
            after=percent_said(turn.after),
        )
        out.print(f"  {told}", markup=False)


def _beside_sparklines(chart: Chart) -> tuple[list[str], list[str], list[str]]:
    """What stands in the columns of a chart's table beside its sparklines."""
    ends = [percent_said(line.values[-1]) for line in chart.lines]
    return [line.label for line in chart.lines], [_("true")], [_("at the end"), *ends]


def _print_known(found: Analysis, seat: int | None) -> None:
    out.print(f"\n[bold]{_('When could one have known?')}[/bold]")
    likely = _("{chance} likely", chance=percent_said(found.threshold))
    table = Table("", _("to"), likely, _("certain"), box=None, pad_edge=False)
    for known in found.known:
        if known.viewer in (None, seat):
            who = viewer_name(found, known.viewer)
            places = (place_in_words(place, known.first) for place in (known.likely, known.certain))
            table.add_row(*map(escape, (known.what, who, *places)))
    out.print(table)


def _print_scores(found: Analysis) -> None:
    out.print(
        "\n"
        + _(
            "[bold]Moves[/bold], played on in {worlds} worlds each (seed {seed}); what is lost is the chance to win, as the mover "
            "could know",
            worlds=found.worlds,
            seed=found.seed,
        ),
        soft_wrap=True,
    )
    bits = any(each.bits is not None for each in found.judged)
    table = Table("", _("moves"), *map(_, GRADES), _("lost"), *([_("bits")] if bits else []), box=None, pad_edge=False)
    for seat, name in enumerate(found.seats):
        own = score(found.judged, seat)
        counts = (str(own.grades[grade]) for grade in GRADES)
        told = [] if not bits else ["" if own.bits is None else f"{own.bits:.2f}"]
        table.add_row(escape(name), str(own.moves), *counts, f"{own.lost:.2f}", *told)
    out.print(table)


def _print_moves(found: Analysis, seat: int | None) -> None:
    """The moves that lost something; of a seat that was asked for, all."""
    shown = [each for each in found.judged if each.seat == seat or (seat is None and each.grade != GOOD)]
    if not shown:
        out.print(_("No move lost much.") if seat is None else _("There was no choice at any move of this seat."))
        return
    table = Table(_("move"), "", _("played"), _("to win"), _("best"), _("to win"), "", box=None, pad_edge=False)
    for each in shown:
        better = ("", "") if each.best == each.played else (escape(each.best_text), percent_said(each.best_chance))
        grade = f"[{STYLES[each.grade]}]{_(each.grade)}[/]"
        name = escape(found.seats[each.seat])
        table.add_row(str(each.move), name, escape(each.played_text), percent_said(each.chance), *better, grade)
    out.print(table)
