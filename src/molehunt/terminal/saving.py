"""A game at a terminal kept in a file, and taken up from it: what `--save` writes and `--resume` reads."""

from __future__ import annotations

import contextlib
import os
import shlex
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Protocol

import msgspec

from molehunt.agents.registry import Agents
from molehunt.core.errors import BadInput, BadRecord, MolehuntError, NotWritten
from molehunt.core.interpreting import interpreting
from molehunt.core.language import _, spoken_words
from molehunt.core.position import PERSON, Position
from molehunt.core.streams import MAX_SEED
from molehunt.games.entry import canonical_name
from molehunt.games.registry import is_game, make_game
from molehunt.table.session import Saved, Session, command, resuming, saved_in
from molehunt.terminal.prompts import NO, LeftTable, Prompter
from molehunt.terminal.sitting import check_name

Write = Callable[[Path, bytes], object]
"""Writes a file whole or not at all; NotWritten says why it cannot."""
SAVING = ("save", "resume")
"""What people write at a prompt who want a game kept; the options of these names do that."""


class Keeper:
    """Keeps games in `file`, or nowhere (None); where it `offers` to, in a file that who leaves names at a terminal.

    `options` are those of the command with which a game goes on as it was, besides its file.
    """

    def __init__(
        self,
        file: Path | None = None,
        write: Write = Path.write_bytes,
        offers: bool = False,
        options: Sequence[str] = (),
    ) -> None:
        self._file = file
        self._write = write
        self._offers = offers
        self._options = options

    def keep(self, session: Session, prompter: Prompter) -> None:
        """Write the game as it stands; where that fails, say so and go on."""
        if self._file is None:
            return
        try:
            self._write(self._file, to_json(session.saved()))
        except (MolehuntError, OSError) as error:
            prompter.say(_("The game is not saved: {error}.", error=error), style="bold red")

    def play(self, table: Table, session: Session, prompter: Prompter) -> None:
        """Play at a table to the end, keeping the game after every move; LeftTable where the person leaves, also with Ctrl-C.

        Where a player fails, the game is kept as where one leaves, and what the player raises goes on.
        """
        self._offer_commands(session, prompter)
        try:
            with _leaving_by_interrupt(prompter):
                table.play(lambda: self.keep(session, prompter))
        except LeftTable:
            self._end_unfinished(session, prompter)
            raise
        except MolehuntError:
            prompter.say(_("The game cannot go on, as a player or its rules have failed; what failed is told below."))
            self.keep(session, prompter)
            self._end_unfinished(session, prompter)
            raise

    def _offer_commands(self, session: Session, prompter: Prompter) -> None:
        """Say at every prompt of the game how it is kept and gone on with, where somebody asks for it by the options' names."""

        def tell_saving(_rest: str = "") -> None:
            if self._file is not None:
                prompter.say(_("The game is kept in {file} after every move of yours.", file=self._file))
            else:
                told = _(
                    "This game is not kept. A game that begins with --save FILE is kept after every move of yours."
                )
                if self._offers and prompter.console.is_terminal:
                    told = f"{told} {_('Who leaves this one with quit, after a move, may name a file for it.')}"
                prompter.say(told)

        def tell_resuming(_rest: str = "") -> None:
            prompter.say(
                _(
                    "A game that was kept is gone on with by: molehunt play {name} --resume FILE",
                    name=command(session.game.name),
                )
            )

        for word, tell in zip(SAVING, (tell_saving, tell_resuming), strict=True):
            prompter.commands[word] = tell
            prompter.with_rest[word] = tell

    def _end_unfinished(self, session: Session, prompter: Prompter) -> None:
        """Offer to keep a game that nobody keeps yet, and tell how it is gone on with."""
        if self._file is None and self._offers and session.actions and prompter.console.is_terminal:
            self._file = self._name_file(session, prompter)
        prompter.say(_("The game was not finished."))
        self.tell_how_to_go_on(session, prompter)

    def _name_file(self, session: Session, prompter: Prompter) -> Path | None:
        """Ask who leaves for a file, and write the game there; None where they name none."""

        def take(text: str) -> Path | None:
            if text.lower() in ("", "-", *spoken_words(NO)):
                return None
            file = Path(os.path.expanduser(text))  # noqa: PTH111 - where there is no home, the name stays as it is
            if is_there(file):
                raise BadInput(_("{file} exists; name another file", file=file))
            try:
                self._write(file, to_json(session.saved()))
            except NotWritten as error:
                raise BadInput(str(error)) from None
            return file

        try:
            return prompter.choose(_("To go on with it later, name a file to keep it in (Enter: none)"), take)
        except LeftTable:
            return None

    def tell_how_to_go_on(self, session: Session, prompter: Prompter) -> None:
        """How a game that is left is taken up again; nothing where it was not saved."""
        if self._file is not None and self._file.is_file() and session.actions:
            file = shlex.join([str(self._file), *self._options])
            prompter.say(_("To go on: {command}", command=resuming(session.game.name, file)))


@contextlib.contextmanager
def _leaving_by_interrupt(prompter: Prompter) -> Iterator[None]:
    """Ctrl-C while others think is leaving, as it is at a prompt."""
    try:
        yield
    except KeyboardInterrupt:
        prompter.say()
        raise LeftTable(wanted=False) from None


def is_there(file: Path) -> bool:
    """Whether a file exists; one that cannot be looked at, as its name is too long, is not there: writing it says why."""
    try:
        return file.exists()
    except OSError:
        return False


class Table(Protocol):
    """What is played at in a terminal."""

    def play(self, moved: Callable[[], None]) -> None:
        """Play until the game is over, calling `moved` after every move of the person's; LeftTable where they leave."""


def to_json(saved: Saved) -> bytes:
    """A saved game as readable JSON."""
    return msgspec.json.format(msgspec.json.encode(saved), indent=1) + b"\n"


def from_json(data: bytes, game: str, file: Path) -> Saved:
    """The saved game of `game` in a file, which holds `data`; BadInput says what is wrong with it."""
    try:
        saved = msgspec.json.decode(data, type=Saved)
    except msgspec.DecodeError as error:
        raise BadInput(_("this is no game that --save has written ({error})", error=error)) from None
    if canonical_name(saved.game) != game:
        told = _("this is a game of {saved}, not of {game}", saved=f"{command(saved.game):.40}", game=command(game))
        raise BadInput(f"{told}{_of_another_game(saved, file)}")
    people = sum(spec.startswith(PERSON) for spec in saved.seats)
    if people != 1:
        raise BadInput(_("one person plays at a terminal, and this is a game of {people}", people=people))
    if saved.roles is not None:
        raise BadInput(_("its roles were seated and not dealt, as no game at a terminal is"))
    if not 0 <= saved.seed <= MAX_SEED:
        raise BadInput(_("its seed is not 0 to {most}, but {seed}", most=MAX_SEED, seed=saved.seed))
    for name in saved.names:
        check_name(name)
    return saved


def _of_another_game(saved: Saved, file: Path) -> str:
    """What becomes of a saved game where another one was to go on; nothing where its game is not here."""
    if not is_game(saved.game):
        return ""
    with interpreting(wanted=True):
        over = is_over(saved)
    if over:
        return _("; it was played to its end")
    return _(": {command} goes on with it", command=resuming(saved.game, shlex.quote(str(file))))


def check_nothing_unfinished(file: Path) -> None:
    """BadInput where a file holds a game that is not finished, which saving another there would lose."""
    try:
        saved = saved_in(file.read_bytes())
    except OSError:
        return
    if saved is not None and not is_over(saved):
        raise BadInput(
            _(
                "{file} holds a game that is not finished: {command} goes on with it; name another file for a new game",
                file=file,
                command=resuming(saved.game, shlex.quote(str(file))),
            )
        )


def is_over(saved: Saved) -> bool:
    """Whether a saved game was played to its end; False where that cannot be known."""
    try:
        position = Position(make_game(saved.game, saved.ruleset, len(saved.seats)), saved.seed, saved.roles)
        for move in saved.moves:
            position.play(move)
    except (MolehuntError, ValueError):
        return False
    return position.outcome is not None


def take_up(saved: Saved) -> Session:
    """Go on with a saved game; BadInput where it cannot be gone on with, or is over."""
    try:
        session = Session.resume(saved, make_game, Agents(saved.game).make)
    except BadRecord:
        raise
    except MolehuntError as error:
        raise BadRecord(_("the game cannot be gone on with: {error}", error=error)) from None
    if session.outcome is not None:
        raise BadInput(_("this game is over; --save begins a new one"))
    return session
