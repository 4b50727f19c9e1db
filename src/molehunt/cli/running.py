"""Running the command line: what is typed, and how a call ends, whatever happens in it.

Exit status: 0 success, 1 failure, 2 a wrong call.
"""

from __future__ import annotations

import contextlib
import gc
import io
import os
import select
import sys
import threading
import time
from pathlib import Path

from cyclopts import CycloptsError, UnusedCliTokensError

from molehunt.cli import completing, contest, learning, looking, measuring, sitting, tournaments
from molehunt.cli.app import app
from molehunt.cli.looking import analyse, replay, show
from molehunt.cli.sitting import advise, play
from molehunt.console import plain_signs
from molehunt.core.garbage import MANY_OBJECTS
from molehunt.core.standard_output import Output, output_given_back

OK, FAILED, WRONG_CALL = 0, 1, 2
FLAGS = {"--quiet", "--no-quiet"}
"""Options of commands that read standard input, and that have no value."""
LEFT_AFTER = 1.0
"""Seconds that are waited for threads which a player has begun."""
READERS = [[command.__name__] for command in (replay, analyse, show)]
"""Commands that read a file, which may be standard input, as their words begin."""
GROUPS = (measuring, tournaments, learning, looking, contest, sitting)
"""The modules of commands; to import one puts its commands on the command line."""


def main(arguments: list[str] | None = None) -> int:
    """Run the command line; the exit status. No error comes out as a traceback, unless MOLEHUNT_TRACEBACK is set."""
    if arguments is None:
        gc.set_threshold(MANY_OBJECTS)
    if isinstance(sys.stdout, io.TextIOWrapper):
        # A terminal that lacks a sign is shown a plain one.
        sys.stdout.reconfigure(errors=plain_signs.NAME)
    words = sys.argv[1:] if arguments is None else arguments
    status = _run(completing.joined(words) if words[:1] == [completing.COMPLETE] else _with_dashes(words))
    if arguments is None and threading.active_count() > 1 and (status != OK or _is_kept_by_players()):
        # A player that never answers keeps its thread for ever, and would keep the process; so would a thread that a player began.
        with contextlib.suppress(OSError, ValueError):
            sys.stdout.flush()
        sys.stderr.flush()
        os._exit(status)
    if arguments is None and "duckdb" not in sys.modules:
        # What there is goes with the process; to look for cycles among it would take longer than many a command. (DuckDB complains
        # on standard error of what is left of it at the end.)
        gc.freeze()
    return status


def _is_kept_by_players() -> bool:
    """Whether players of files, were any loaded, have begun threads that the process would wait for, and which go on."""
    own_files = sys.modules.get("molehunt.agents.own_files")
    if own_files is None or not any(name.startswith(own_files.MODULES) for name in sys.modules):
        return False
    begun = [thread for thread in threading.enumerate() if not thread.daemon and thread is not threading.main_thread()]
    end = time.monotonic() + LEFT_AFTER
    for thread in begun:
        thread.join(max(0.0, end - time.monotonic()))
    left = [thread for thread in begun if thread.is_alive()]
    if left:
        threads = "a thread" if len(left) == 1 else f"{len(left)} threads"
        print(f"molehunt: a player has begun {threads} and not ended; the command ends all the same", file=sys.stderr)
    return bool(left)


def _with_dashes(tokens: list[str]) -> list[str]:
    """`--json -` as `--json=-`, `replay -` as `replay -- -`: to the library a lone dash is an option, neither a value nor a file.

    And a game's name as a command.
    """
    joined: list[str] = []
    file: list[str] = []
    for word in tokens:
        before = joined[-1] if joined else ""
        if word == "-" and before.startswith("--") and "=" not in before and before not in FLAGS:
            joined[-1] += "=-"
        elif word == "-" and joined[:1] in READERS and not file and "--" not in joined:
            file = ["--", word]
        else:
            joined.append(word)
    return _with_hyphens([*joined, *file])


def _with_hyphens(tokens: list[str]) -> list[str]:
    """`play speed_clue/small` as `play speed-clue --ruleset small`: a game is a command there, and may be written as a label."""
    if len(tokens) > 1 and tokens[0] in {play.name[0], advise.name[0]} and not tokens[1].startswith("-"):
        game, _, ruleset = tokens[1].partition("/")
        named = ["--ruleset", ruleset] if ruleset and tokens[0] == play.name[0] and not _is_only(game, ruleset) else []
        return [tokens[0], game.replace("_", "-"), *named, *tokens[2:]]
    return tokens


def _is_only(game: str, ruleset: str) -> bool:
    """Whether a game has this ruleset and no other, so that none need be named."""
    from molehunt.games.registry import game_entry, is_game

    return is_game(game) and list(game_entry(game).rulesets) == [ruleset]


def _wrong_call(error: CycloptsError) -> str:
    """What is wrong with a call, and which help tells how it is meant."""
    said = str(error)
    if isinstance(error, UnusedCliTokensError) and error.unused_tokens:
        # The library shows a list of Python.
        said = f"more words than are asked for, from {error.unused_tokens[0]!r} on"
    return f"{said}\nTry: {' '.join(('molehunt', *(error.command_chain or ()), '--help'))}"


def _run(tokens: list[str]) -> int:
    output: Output | None = None
    try:
        try:
            with output_given_back() as output:
                status = app(tokens or ["--help"], exit_on_error=False, print_error=False)
        except CycloptsError as error:
            return _complain(_wrong_call(error), WRONG_CALL)
        if sys.stdout is not None:
            sys.stdout.flush()
    except KeyboardInterrupt as error:
        _tell_who_thinks(error)
        return _complain("stopped", FAILED)
    except SystemExit as error:
        # This is how the library for the screen leaves when its output, such as a help, is no longer read.
        if isinstance(error.__context__, BrokenPipeError) and _is_of_screen(error):
            return OK
        from molehunt.agents.registry import failure_of_package

        return _complain(failure_of_package(error) or "a player left the program (SystemExit)", FAILED)
    except Exception as error:
        if os.environ.get("MOLEHUNT_TRACEBACK") and not _nobody_reads(error):
            raise
        return _failed(error, output is not None and bool(output.closed))
    return status if isinstance(status, int) else OK


def _failed(error: Exception, closed: bool) -> int:  # noqa: PLR0911 - one return for each kind
    """Say what has failed, where somebody else's code may have `closed` what is printed to; the exit status."""
    from molehunt.core.errors import BadInput, MolehuntError

    if _nobody_reads(error):
        # Whoever read the output has had enough of it.
        _drop_output()
        return OK
    if isinstance(error, BadInput):
        return _complain(str(error), WRONG_CALL)
    if closed and isinstance(error, ValueError | OSError) and not isinstance(error, MolehuntError):
        return _complain(f"standard output or error was closed by a player or a game: {error}", FAILED)
    if isinstance(error, OSError) and _is_of_output(error):
        return _complain(f"cannot write to standard output: {error.strerror or error}", FAILED)
    if isinstance(error, FileNotFoundError) and error.filename is None and _folder_is_gone():
        return _complain("the folder in which this was called has been removed", FAILED)
    if isinstance(error, MolehuntError):
        return _complain(str(error), FAILED)
    from molehunt.agents.registry import failure_of_package

    if isinstance(error, OSError):
        return _complain(failure_of_package(error) or str(error), FAILED)
    failed = failure_of_package(error) or f"internal error, please report it: {type(error).__name__}: {error}"
    return _complain(
        f"{failed}\n(set MOLEHUNT_TRACEBACK=1 to see where it happened)",
        FAILED,
    )


def _tell_who_thinks(error: KeyboardInterrupt) -> None:
    """Say where players of files were thinking; where all is still imported, none was."""
    running_in_files = getattr(sys.modules.get("molehunt.agents.own_files"), "running_in_files", None)
    for place in running_in_files(error) if running_in_files is not None else ():
        print(f"A player was thinking at {place}.", file=sys.stderr)


def _is_of_output(error: OSError) -> bool:
    """Whether it was standard output that could not be written; what is left of it must then not be tried again at the exit."""
    if sys.stdout is None:
        return False
    try:
        sys.stdout.flush()
    except ValueError:  # it has been closed
        return False
    except OSError:
        _drop_output()
        return True
    # Where output is not buffered, nothing is left of it, and the error was raised where the library for the screen writes.
    return _is_of_screen(error)


def _is_of_screen(error: BaseException) -> bool:
    """Whether an error was raised by the library for the screen."""
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    return trace is not None and str(trace.tb_frame.f_globals.get("__name__")).startswith("rich.")


def _nobody_reads(error: Exception) -> bool:
    """Whether it is a pipe that has failed, also under a player that prints, and nobody reads standard output any more.

    A pipe of somebody's own fails, too.
    """
    innermost: BaseException = error
    while (before := innermost.__cause__ or innermost.__context__) is not None:
        innermost = before
    if not isinstance(innermost, BrokenPipeError):
        return False
    try:
        number = sys.stdout.fileno()
    except (AttributeError, OSError, ValueError):  # there is none, or it is no file
        return False
    if not hasattr(select, "poll"):
        return isinstance(error, OSError) and _is_of_output(error)
    poll = select.poll()
    poll.register(number, select.POLLOUT)
    return any(found & (select.POLLERR | select.POLLHUP) for _number, found in poll.poll(0))


def _folder_is_gone() -> bool:
    """Whether the current folder has been removed, so that what a name leads to is nowhere."""
    try:
        Path.cwd()
    except FileNotFoundError:
        return True
    return False


def _drop_output() -> None:
    """Send what is still to be written to standard output nowhere."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _complain(text: str, status: int) -> int:
    print(f"molehunt: {text}", file=sys.stderr)
    return status
