"""`molehunt advise`: people at a real table, and the adviser in a terminal beside them."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path

from molehunt.advice.deal import Deal
from molehunt.advice.entries import Asked, Seen
from molehunt.advice.file import from_json
from molehunt.advice.session import ADVICE, AdviceSession
from molehunt.console.outputs import STANDARD_OUTPUT, check_writable, write_file
from molehunt.console.screen import out, side
from molehunt.console.sitting import make_ready
from molehunt.core.errors import BadInput
from molehunt.core.language import _
from molehunt.core.meanwhile import is_at_hand, machine_code
from molehunt.core.reasons import reason_of
from molehunt.games.speed_clue.edition import load_edition
from molehunt.games.speed_clue.suggestions import Triple
from molehunt.terminal.advice import AdviceTerminal
from molehunt.terminal.advice_setup import Given, ask_deal
from molehunt.terminal.prompts import LeftTable, Prompter, Read

FINISHED, LEFT, BROKEN_OFF = 0, 0, 1
NOTHING = Given()


def advise_speed_clue(
    file: Path | None = None,
    given: Given = NOTHING,
    read: Read = input,
) -> int:
    """Advise a person until they leave; the exit status, 1 where the input ends before the table is set.

    `file` is gone on with where there is one, and else made; `given` is what need not be asked. `read` takes the place of `input`
    where it is not a person who types.
    """
    given.check()
    if file == STANDARD_OUTPUT:
        raise BadInput(_("the adviser needs the name of a file to save in; standard output is for what it says"))
    path = file or Path(f"speed-clue-{datetime.now().astimezone():%Y-%m-%d-%H%M%S}.json")
    found = _read(path)
    resumed = None if found is None else _resume(path, found)
    if resumed is not None and given != NOTHING:
        raise BadInput(
            _(
                "{file} holds a game already; leave out --cards and whatever says what was dealt, or name another file",
                file=path,
            )
        )
    check_writable(path)
    prompter = Prompter(out, read)
    # While somebody says who plays and what they hold, the kernels are made.
    make_ready(ADVICE, ADVICE, get_adviser_ready)
    with prompter.completing():
        try:
            session = resumed or AdviceSession(ask_deal(prompter, given))
        except LeftTable as left:
            prompter.say(_("The table was not set; there is nothing to save."))
            return LEFT if left.wanted else BROKEN_OFF
        terminal = AdviceTerminal(session, prompter, path, write_file, _busy, found)
        begun = _("Going on with {file}.", file=path) if resumed else _("Every change is saved in {file}.", file=path)
        prompter.say(begun)
        try:
            terminal.run()
        except LeftTable:
            prompter.say(
                _("To go on: {command}", command=f"molehunt advise speed-clue {shlex.quote(str(terminal.file))}")
            )
    return FINISHED


def _read(path: Path) -> bytes | None:
    """What a file holds, None where there is no such file."""
    try:
        return path.read_bytes()
    except FileNotFoundError:
        return None
    except (OSError, ValueError) as error:
        raise BadInput(_("cannot read {file}: {why}", file=path, why=reason_of(error))) from None


def _resume(path: Path, data: bytes) -> AdviceSession:
    """The session that a file holds."""
    try:
        return from_json(data)
    except BadInput as error:
        raise BadInput(f"{path}: {error}") from None


@contextmanager
def _busy() -> Iterator[None]:
    """Show that something is worked out; on first use that waits until its kernels are compiled, and says so."""
    text = (
        _("Thinking")
        if is_at_hand(ADVICE)
        else _("Thinking (the first answer on a machine waits until its kernels are compiled)")
    )
    with side.status(text), machine_code(ADVICE):
        yield


def warm_up(deal: Deal) -> None:
    """Ask for every kind of advice about a deal once, so that all kernels are compiled or loaded before a person waits."""
    first: Triple = (deal.edition.first(0), deal.edition.first(1), deal.edition.first(2))
    mine = deal.hand[0]
    category = deal.edition.category(mine)
    asked: Triple = (
        first[0] if category else mine,
        first[1] if category != 1 else mine,
        first[2] if category != 2 else mine,
    )
    fresh = AdviceSession(deal)
    fresh.consult()
    fresh.consult(Asked(deal.others[0], asked))
    # All cards but one are known to be where they might be, so that an early accusation is worth a thought.
    dealt = [
        (player, card)
        for player, cards in zip(deal.others, fresh.deals().sample(1)[0].tolist(), strict=True)
        for card in range(len(deal.edition.names))
        if cards >> card & 1
    ]
    AdviceSession(deal, [Seen(player, card) for player, card in dealt[1:]]).consult(after=True)


def get_adviser_ready() -> None:
    """Have the kernels of the adviser at hand, whatever it will be asked about."""
    edition = load_edition("report")
    first, second, third = (edition.first(category) for category in range(3))
    hand = (first + 1, first + 2, second + 1, second + 2, third + 1, third + 2)
    warm_up(Deal(edition, ("One", "Two", "Three"), 0, hand, (6, 6, 6)))
