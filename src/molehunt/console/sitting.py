"""What `molehunt play` does alike for every game: exit status, kernels at hand, keeping the record."""

from __future__ import annotations

import contextlib
import dataclasses
import functools
import secrets
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

from molehunt.agents.own_files import place_in_files
from molehunt.agents.registry import Agents, is_of_file, seat_among_us
from molehunt.console.outputs import STANDARD_OUTPUT, check_writable, write_file
from molehunt.console.replacing import KINDS, check_replaceable
from molehunt.console.screen import check_count, out, side
from molehunt.core.agent import Agent
from molehunt.core.beside import Task
from molehunt.core.errors import BadInput
from molehunt.core.interpreting import interpreting
from molehunt.core.language import _
from molehunt.core.made import made_before
from molehunt.core.meanwhile import compile_beside
from molehunt.core.processor_count import cores
from molehunt.core.reasons import reason_of
from molehunt.core.record import Record
from molehunt.core.streams import MAX_SEED
from molehunt.core.words import joined
from molehunt.games.registry import game_entry, make_game
from molehunt.table.session import Saved, Session, Sitter
from molehunt.terminal.prompts import LeftTable, Prompter
from molehunt.terminal.saving import Keeper, check_nothing_unfinished, from_json, take_up

T = TypeVar("T")

FINISHED, LEFT, BROKEN_OFF = 0, 0, 1


def check_files(files: Mapping[str, Path | None]) -> None:
    """Refuse the files of some options, by their names, where they could not be written, or hold what is not to be lost."""
    named = [option for option in files if files[option] is not None]
    for option in named:
        if files[option] == STANDARD_OUTPUT:
            raise BadInput(f"{option} needs the name of a file; standard output is for the game")
    check_writable(*files.values())
    for option, path in files.items():
        if path is not None and option in KINDS:
            check_replaceable(path, option)


def check_save(path: Path | None) -> None:
    """Refuse to save over a game that is not finished."""
    if path is None or not path.is_file():
        return
    with interpreting(wanted=True):
        check_nothing_unfinished(path)


def check_resume(resume: Path | None, given: Mapping[str, Any]) -> None:
    """Refuse what cannot be said of a game that is gone on with: options, by their names, that are not None."""
    wrong = [option for option, value in given.items() if value is not None]
    if resume is not None and wrong:
        raise BadInput(f"--resume takes the game from {resume} and goes on saving it there; leave out {joined(wrong)}")


def load(path: Path, game: str) -> Saved:
    """The saved game of a file; BadInput says what is wrong with it."""
    try:
        return from_json(path.read_bytes(), game, path)
    except BadInput as error:
        raise BadInput(f"{path}: {error}") from None
    except (OSError, ValueError) as error:
        raise BadInput(_("cannot read {file}: {why}", file=path, why=reason_of(error))) from None


def go_on(path: Path, saved: Saved) -> Session:
    """The game that was saved in a file, as it was; BadInput where it cannot be gone on with."""
    try:
        return take_up(saved)
    except BadInput as error:
        raise BadInput(f"{path}: {error}") from None


def keeper(save: Path | None, resume: Path | None, practice: bool, agents_from: Sequence[Path], *others: str) -> Keeper:
    """Where the game is kept while it is played, or once somebody leaves it; `others` are more options of the same command."""
    options = [*["--practice"] * practice, *others]
    for path in agents_from:
        options += ["--agents-from", str(path)]
    return Keeper(save or resume, write_file, offers=True, options=options)


@functools.cache
def _began_warm(use: str) -> bool:
    """Whether there was machine code when this was first asked: what is compiled here since then says nothing."""
    return made_before(use)


def use_of(game: str, ruleset: str, players: Sequence[str], practice: bool = False) -> str:
    """What kernels are used for (`core.made`) by players at a table; where they sit makes no difference."""
    return " ".join([game, ruleset, *sorted(set(players)), *(["practice"] if practice else [])])


def known_to_all(game: str, players: Sequence[str]) -> tuple[str, ...]:
    """Players of a game with the usual one for each that comes from a file, which processes beside this one do not know."""
    usual = game_entry(game).opponent
    return tuple(usual if is_of_file(game, spec) else spec for spec in players)


def seat_files(game: str, agents_from: Sequence[Path]) -> None:
    """Let the players of files sit among us."""
    for path in agents_from:
        seat_among_us(path, game)


def make_ready(game: str, needs: str, use: Callable[..., Any], *arguments: Any, players: Sequence[Agent] = ()) -> None:
    """Have the kernels of a game at hand, all of which `use(*arguments)` uses, without the person waiting for a compiler.

    On first use processes beside this one compile them, and they are interpreted until then. What `players` have compiled apart is
    compiled side by side. `needs` says what the kernels are used for.
    """
    if _began_warm(needs):
        with side.status(_("Setting the table")):
            use(*arguments)
        return
    parts = dict.fromkeys(part for player in players for part in player.compiled_apart)
    tasks = [Task(f"{game}/{part.__name__}", part) for part in parts]
    whole = Task(game, use, arguments, frozenset(task.name for task in tasks))
    processes = max(1, min(len(tasks), cores()))
    compile_beside([*tasks, whole], processes, lambda: use(*arguments), (game, needs))


def at_once(game: str, call: Callable[[], T]) -> T:
    """What a call gives that must not wait for a compiler: interpreted where no machine code was made for the game."""
    with interpreting(wanted=not _began_warm(game)):
        return call()


@contextlib.contextmanager
def saying_who_thinks(agent: str) -> Iterator[None]:
    """While a player of a file is tried out: who takes long is told of once, and where it is, as it may never come to an end."""
    thread, done = threading.get_ident(), threading.Event()

    def watch() -> None:
        while not done.wait(LONG):
            if place := place_in_files(thread):
                side.print(
                    f"{agent} has been thinking for {LONG:g} s or more before any game, now at {place}; Ctrl-C ends this",
                    markup=False,
                    soft_wrap=True,
                )
                return

    threading.Thread(target=watch, daemon=True).start()
    try:
        yield
    finally:
        done.set()


LONG = 10.0
"""Seconds that a player that is tried out may take without a word; in the contest of 2014 it has them for a reply."""
HASTE = 0.02
"""Seconds for a move of a player with a clock, where all that counts is that its kernels are used."""


def in_haste(agent: Agent) -> Agent:
    """The player with hardly any time for a move, where it has a clock; else itself."""
    its: Any = getattr(agent, "parameters", None)
    if getattr(its, "seconds", 0.0) <= HASTE:
        return agent
    made: Any = type(agent)
    hasty: Agent = made(agent.name, dataclasses.replace(its, seconds=HASTE))
    return hasty


def use_player(game: str, ruleset: str, seats: int, agent: str, agents_from: list[Path]) -> None:
    """Use all kernels that a player of a game needs, in one play among copies of itself, by the clock in haste."""
    agents = Agents(game)
    for path in agents_from:
        agents.load_file(path)
    made = make_game(game, ruleset, seats)
    session = Session(made, [Sitter(str(seat), in_haste(agents.make(agent))) for seat in range(seats)], 0)
    while session.step():
        pass
    made.legal_actions(session.view(0))


def keep(path: Path | None, records: list[Record]) -> None:
    """Write records to a file, one line each."""
    if path is not None:
        write_file(path, b"".join(record.line() for record in records))
        out.print(_("Recorded in {path}; molehunt replay shows it.", path=path), markup=False)


def used_seed(seed: int | None) -> int:
    """The seed that was given, or one by chance; BadInput where it is none."""
    return secrets.randbelow(MAX_SEED) if seed is None else check_count("--seed", seed, 0, MAX_SEED)


def play_and_keep(prompter: Prompter, record: Path | None, play: Callable[[], Iterator[Session]]) -> int:
    """Sit down and play (`play`, which gives each finished game), and keep the records of all finished games.

    The exit status, also where the person leaves.
    """
    records: list[Record] = []
    try:
        for session in play():
            records.append(session.record())
            keep(record, records)
    except LeftTable as left:
        if record is not None and not records:
            prompter.say(_("No record was written."))
        return LEFT if left.wanted else BROKEN_OFF
    return FINISHED


def next_game(prompter: Prompter, session: Session) -> Session | None:
    """Another game of those who sit at a table, with the seed after this one's, where the person wants one; else None."""
    try:
        wanted = prompter.yes_or_no(_("Another game with the same players"), "no")
    except LeftTable:  # they leave after a finished game
        return None
    return at_once(session.game.name, lambda: session.another((session.seed + 1) % MAX_SEED)) if wanted else None
