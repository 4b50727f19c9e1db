"""`molehunt replay` and `molehunt show`: recorded games and positions."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Iterator
from io import BufferedReader, BytesIO
from pathlib import Path
from typing import Any

from molehunt.console.outputs import STANDARD_OUTPUT, check_writable, write_file
from molehunt.console.screen import check_count, out
from molehunt.core.errors import BadInput, BadRecord
from molehunt.core.interpreting import interpreting
from molehunt.core.language import _
from molehunt.core.reasons import reason_of
from molehunt.core.record import GZIP, Record, records_in
from molehunt.core.replay import Logged, Played, Replay
from molehunt.core.streams import MAX_SEED
from molehunt.core.words import counted
from molehunt.games.registry import all_games, deal, game_entry, is_game, make_game
from molehunt.table.session import resuming, saved_in
from molehunt.terminal.saving import is_over

STANDARD_INPUT = Path("-")
BEGINNING = 8192
"""So many bytes of a file tell what it is."""
FEW_MOVES = 1000
"""So many moves are played again without machine code sooner than that is loaded, or compiled."""


def run_replay(file: Path, quiet: bool) -> int:
    """Verify every record of a file, or every game of another program's log; show the games, unless `quiet`."""
    logged, records = games_of(file)
    games = moves = 0
    if logged is None:
        for number, record in records:
            with interpreting(wanted=moves < FEW_MOVES):
                played = replayed(record, file, number)
                if not quiet:
                    _print_game(played, f"Game {number}: {record.game}/{record.ruleset}, seed {record.seed}")
            games, moves = games + 1, moves + len(played.actions)
        replay = "replays" if games == 1 else "replay"
        out.print(f"{counted(games, 'game')} with {counted(moves, 'move')} {replay} to the byte.")
        return 0
    broken_off = 0
    for each in logged:
        with interpreting(wanted=moves < FEW_MOVES):
            logged_game = _logged_again(each, file)
            if not quiet:
                _print_game(logged_game, f"Game of line {each.line}: {logged_game.game.label}, a log")
        games, moves = games + 1, moves + len(logged_game.actions)
        broken_off += logged_game.position.outcome is None
    was = "was" if broken_off == 1 else "were"
    rest = f"; {broken_off} of them {was} broken off" if broken_off else ""
    follow = "follows the rules and ends" if games == 1 else "follow the rules and end"
    out.print(f"{counted(games, 'logged game')} with {counted(moves, 'move')} {follow} as logged{rest}.")
    return 0


def games_of(file: Path) -> tuple[list[Logged] | None, Iterator[tuple[int, Record]]]:
    """The games of another program's log, None where a file is none; else its records, with the numbers of their lines.

    Records are read one at a time. The file may be a pipe, or `-` for standard input; BadInput where it cannot be read.
    """
    if file == STANDARD_INPUT and sys.stdin is None:
        raise BadInput("there is no standard input to read")
    try:
        source: Any = sys.stdin.buffer if file == STANDARD_INPUT else file.open("rb")
        stream = source if isinstance(source, BufferedReader) else BufferedReader(source)
        begin = stream.peek(BEGINNING)
        if begin.startswith((GZIP, b'{"')):  # records, one a line, as many as there may be
            if begin.count(b"\n") <= 1:
                _check_not_saved(begin, file)
            return None, _records_in(stream, file)
        content = stream.read()
        if file != STANDARD_INPUT:
            stream.close()
    except BadInput:
        raise
    except (OSError, ValueError) as error:
        raise BadInput(_("cannot read {file}: {why}", file=file, why=reason_of(error))) from None
    _check_not_saved(content, file)
    kept: Any = BytesIO(content)
    return logged_games(content), records_in(BufferedReader(kept), file)


def _records_in(stream: BufferedReader, file: Path) -> Iterator[tuple[int, Record]]:
    """The records of a file that is open, which is closed after them."""
    try:
        yield from records_in(stream, file)
    finally:
        if file != STANDARD_INPUT:
            stream.close()


def _check_not_saved(content: bytes, file: Path) -> None:
    """BadInput where a file is what `molehunt play --save` writes: no record, and its game has a command of its own."""
    saved = saved_in(content)
    if saved is None:
        return
    named, quoted = ("standard input", "FILE") if file == STANDARD_INPUT else (str(file), shlex.quote(str(file)))
    with interpreting(wanted=True):
        over = is_over(saved)
    told = (
        "it was played to its end, and its record is what --record wrote, if that was given"
        if over
        else f"{resuming(saved.game, quoted)} goes on with it, and with --record as well writes its record at the end"
    )
    raise BadInput(f"{named} is no record, but a game that molehunt play --save keeps; {told}")


def record_of(records: Iterator[tuple[int, Record]], wanted: int) -> tuple[int, Record]:
    """Record number `wanted` of those of a file, counted from 1, with the number of its line; BadInput where there is none.

    What comes after it is not read.
    """
    count = 0
    for count, each in enumerate(records, start=1):
        if count == wanted:
            return each
    check_count("--game", wanted, 1, count)
    raise AssertionError


def game_of(file: Path, wanted: int) -> Played:
    """Game number `wanted` of a file, counted from 1: a record, or one of another program's log. BadInput where there is none."""
    logged, records = games_of(file)
    if logged is not None:
        return _logged_again(logged[check_count("--game", wanted, 1, len(logged)) - 1], file)
    number, record = record_of(records, wanted)
    return replayed(record, file, number)


def _logged_again(game: Logged, file: Path) -> Played:
    """A game of another program's log, played again; BadRecord names the file and the line of its beginning."""
    try:
        return game.replay()
    except BadRecord as error:
        raise BadRecord(f"{file}, game of line {game.line}: {error}") from None


def replayed(record: Record, file: Path | str, number: int) -> Replay:
    """The record of a line of a file, played again; BadRecord names file and line."""
    try:
        return Replay(record, make_game)
    except BadRecord as error:
        raise BadRecord(f"{file}, line {number}: {error}") from None


def logged_games(content: bytes) -> list[Logged] | None:
    """The games of what a file holds where it is another program's log; None where it is none."""
    if content.startswith((b"{", GZIP)):
        return None
    text = content.decode("utf-8", "replace")
    for name in all_games():
        read = game_entry(name).get("logs")
        if read is not None and (found := read(text)) is not None:
            return list(found)
    return None


def _print_game(played: Played, title: str) -> None:
    """Show a game, and of a record who has lost by fault in it."""
    out.print(title, markup=False)
    roles = played.game.roles_of(played.states[0])[0]
    # In a game of several rounds roles are dealt anew.
    first = " at first" if (played.game.roles_of(played.states[-1])[0] != roles).any() else ""
    for seat, agent in enumerate(played.seats):
        role = f", {played.game.roles[roles[seat]]}{first}" if played.game.roles else ""
        out.print(f"  seat {seat}: {_as_printed(agent)}{role}", markup=False)
    for turn, events in enumerate(played.events):
        # Each move as its own player knows it.
        mover = int(played.game.to_move(played.states[turn])[0])
        out.print(f"  {turn + 1:3}. {played.game.format_event(events[mover])}", markup=False)
    out.print(played.game.draw_text(played.view(len(played.actions))), markup=False, soft_wrap=True)
    outcome = played.position.outcome
    if outcome is None:
        out.print("broken off.\n")
        return
    record = played.record if isinstance(played, Replay) else None
    faults = (record.faults if record else None) or ()
    lost = {seat: reason for seat, reason in enumerate(faults) if reason}
    winners = ", ".join(f"seat {seat}" for seat in outcome.winners if seat not in lost) or "nobody"
    out.print(f"{outcome.reason}: {winners} won.")
    for seat, reason in lost.items():
        after = record.failed_after[seat] if record and record.failed_after else None
        asked = "" if after is None else f"; it was asked after {counted(after, 'move')}"
        out.print(
            f"seat {seat} has lost by fault, and chance moved on in it: {_as_printed(reason)}{asked}", markup=False
        )
    out.print()


def _as_printed(text: str) -> str:
    """What a file says, whatever it is: no sign of it may move the cursor."""
    return "".join(sign if sign.isprintable() else "?" for sign in text)


@interpreting()
def show_position(
    what: str, line: int, move: int | None, seat: int | None, seats: int | None, seed: int, svg: Path | None
) -> int:
    """Show one view of a recorded game, or of a fresh deal."""
    check_writable(svg)
    file = Path(what)
    # Whoever writes a game stands beside its package, a folder of the same name.
    if file != STANDARD_INPUT and (not _exists(file) or file.is_dir()) and is_game(what.partition("/")[0]):
        check_count("--seed", seed, 0, MAX_SEED)
        position = deal(what, seats, seed)
        game = position.game
        if move:
            raise BadInput("--move is for a recorded game; a fresh deal has no moves yet")
        if seat is None:
            seat = position.to_move
        check_count("--seat", seat, 0, game.seats - 1)
        view = position.view_record(seat)
    else:
        if file != STANDARD_INPUT and not _exists(file):
            raise BadInput(f"{what} is neither a file of records nor a game; games are {', '.join(all_games())}")
        played = game_of(file, line)
        game = played.game
        after = check_count("--move", len(played.actions) if move is None else move, 0, len(played.actions))
        if seat is not None:
            check_count("--seat", seat, 0, game.seats - 1)
        view = played.view(after, seat)
    if svg is not None:
        write_file(svg, game.draw_svg(view))
        if svg != STANDARD_OUTPUT:
            out.print(f"Drawn into {svg}.", markup=False, soft_wrap=True)
    else:
        out.print(game.draw_text(view), markup=False, soft_wrap=True)
    return 0


def _exists(path: Path) -> bool:
    """Whether there is a file or folder of this name; a name that no file can have is none."""
    try:
        return path.exists()
    except OSError:
        return False
