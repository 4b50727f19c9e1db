"""The adviser in a terminal or a pipe: one line a command, every change saved at once."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path

from molehunt.advice.answers import Line, accuse_lines, envelope_lines, placed, show_lines, suggest_lines
from molehunt.advice.entries import LOCATION, Entry
from molehunt.advice.file import to_json
from molehunt.advice.findings import Conflict
from molehunt.advice.rooms import room_remark
from molehunt.advice.sentences import entry_in_words
from molehunt.advice.session import AdviceSession
from molehunt.advice.sheet import sheet_lines, sheet_sentences
from molehunt.advice.usage import HELP_WIDTH, help_text
from molehunt.advice.words import Reader
from molehunt.core.errors import BadInput, MolehuntError, NotWritten
from molehunt.core.language import _
from molehunt.core.words import capital, joined
from molehunt.games.speed_clue.suggestions import Accusation, HeardSuggestion
from molehunt.table.clue_sheet import Paper
from molehunt.table.clue_words import INDENT, card_lines
from molehunt.terminal.advice_dealt import HANGING, DealtCommands
from molehunt.terminal.prompts import Prompter, command_word, unknown_word, whole_number
from molehunt.terminal.saving import is_there

SHORT = {"s": "suggest", "a": "accuse", "advice": "suggest", "advise": "suggest"}

Write = Callable[[Path, bytes], None]
"""Writes a file whole or not at all; NotWritten says why it cannot."""


Busy = Callable[[], AbstractContextManager[object]]


class AdviceTerminal:
    """A session at a terminal; every change is written to `file`. What takes a while is done inside `busy`.

    `found` is what was read from the file, None where there was none. What another program has written there since is left alone.
    """

    def __init__(  # noqa: PLR0913, PLR0917 - a session, its screen, and its file
        self,
        session: AdviceSession,
        prompter: Prompter,
        file: Path,
        write: Write,
        busy: Busy = nullcontext,
        found: bytes | None = None,
    ) -> None:
        self.session = session
        self.prompter = prompter
        self.say = prompter.say
        self.file = file
        self.busy = busy
        self._write = write
        self._written = found
        self._known = session.certain()
        self._reached: tuple[int, ...] = ()  # the rooms in which I said that I can be in this turn, if any
        self.dealt = DealtCommands(session, prompter, self.changed)
        self.commands: dict[str, Callable[[str], None]] = {
            "suggest": self.suggest,
            "accuse": self.accuse,
            "seen": self.enter_seen,
            "one": self.enter_one_of,
            "gone": self.enter_left,
            "at": self.enter_stands,
            "reach": self.reach,
            "i": self.say_where_i_am,
            "show": self.show,
            "sheet": self.tell_sheet,
            "words": self.tell_words,
            "why": self.tell_why,
            "log": self.tell_log,
            "edit": self.edit,
            "insert": self.insert,
            "drop": self.drop,
            "undo": self.undo,
            "redo": self.redo,
            "hand": self.dealt.hand,
            "sizes": self.dealt.sizes,
            "faceup": self.dealt.face_up,
            "board": self.dealt.board,
            "rename": self.dealt.rename,
            "cards": self.tell_cards,
            "save": self.save,
            "help": self.tell_help,
        }

    @property
    def reader(self) -> Reader:
        """Who reads what is typed."""
        return Reader(self.session.deal)

    def run(self) -> None:
        """Ask for commands until the person leaves, which is LeftTable."""
        self.keep()
        self.dealt.hand("")
        if self.session.entries:
            self.tell_log("")
            self.warn(self.session.conflict())
        self.say(_("help lists what you can write."))
        while True:
            words = [*self.commands, *self.session.deal.edition.names]
            line = self.prompter.ask(self.next_entry(), words)
            if line:
                self.obey(line)

    def next_entry(self) -> str:
        """What is asked for: the number of the next entry, and, while entries contradict each other, which to correct first."""
        number = len(self.session.entries) + 1
        conflict = self.session.conflict()
        if conflict is None:
            return str(number)
        wrong = joined(map(str, conflict.entries or (1,)), "or")
        if conflict.of_hand:
            return _("{number} (conflict: correct entry {wrong}, or your hand)", number=number, wrong=wrong)
        return _("{number} (conflict: correct entry {wrong})", number=number, wrong=wrong)

    def obey(self, line: str) -> None:
        """Do what a line says; what is wrong with it is said, and then nothing has changed."""
        word, _space, rest = line.partition(" ")
        wanted = SHORT.get(word.lower(), command_word(word.lower(), self.commands))
        found = [name for name in self.commands if name == wanted] or [
            name for name in self.commands if name.startswith(wanted)
        ]
        if len(found) > 1:
            meant = joined(found, "or")
            self.say(_("{text} may be {names}; write more of it.", text=f"{word!r:.40}", names=meant))
        elif not found:
            self.say(unknown_word(line, ["s", "a", "suggest", "show", "accuse", "sheet"]))
        else:
            try:
                self.commands[found[0]](rest)
            except (BadInput, NotWritten) as error:
                self.complain(error)

    def complain(self, error: MolehuntError) -> None:
        """Say what is wrong, line by line."""
        first, *rest = capital(str(error)).splitlines()
        self.say(first if first.endswith((".", "?", "!", ":")) else f"{first}.")
        for line in rest:
            self.say(line, indent=HANGING)

    # --- Entries --------------------------------------------------------------------------------------------------------

    def read_entry(self, text: str) -> Entry:
        """An entry as it is typed, with its first word."""
        word, _space, rest = text.partition(" ")
        wanted = SHORT.get(word.lower(), command_word(word.lower(), self.commands))
        if wanted == "suggest":
            return self.reader.suggestion(rest)
        if wanted == "accuse":
            return self.reader.accusation(rest)
        readers: dict[str, Callable[[str], Entry]] = {
            "seen": self.reader.seen,
            "one": self.reader.one_of,
            "gone": self.reader.left,
            "at": self.reader.stands,
        }
        if wanted in readers:
            return readers[wanted](rest)
        raise BadInput(_("an entry begins with s, a, seen, one, gone or at, not {text}", text=f"{word!r:.40}"))

    def enter(self, entry: Entry) -> None:
        """Add an entry."""
        self.changed(self.session.add(entry), len(self.session.entries))

    def enter_seen(self, rest: str) -> None:
        """What became known otherwise."""
        self.enter(self.reader.seen(rest))

    def enter_one_of(self, rest: str) -> None:
        """That somebody has one of some cards."""
        self.enter(self.reader.one_of(rest))

    def enter_left(self, rest: str) -> None:
        """That somebody left the table."""
        self.enter(self.reader.left(rest))

    def enter_stands(self, rest: str) -> None:
        """Where somebody stands on the board; of myself, what I may suggest there."""
        entry = self.reader.stands(rest)
        if entry.player == self.session.deal.me and entry.room is not None:
            self.propose([entry.room])
        else:
            self.enter(entry)

    def edit(self, rest: str) -> None:
        """Put an entry in the place of another."""
        number, text = self.numbered(rest, "edit 3 s ann ...")
        if not text:
            line = self.reader.line(self.session.entry(number))
            self.say(_("Entry {number} is: {line}", number=number, line=line))
            self.say(_("Write edit {number} and what is right.", number=number))
            return
        self.changed(self.session.replace(number, self.read_entry(text)), number)

    def insert(self, rest: str) -> None:
        """Put an entry before another."""
        number, text = self.numbered(rest, "insert 3 s ann ...")
        self.changed(self.session.insert(number, self.read_entry(text)), number)

    def drop(self, rest: str) -> None:
        """Take an entry out."""
        number, text = self.numbered(rest, "drop 3")
        if text:
            raise BadInput(_("one entry is dropped at a time: drop {number}", number=number))
        gone = self.told(self.session.entry(number))
        conflict = self.session.remove(number)
        self.say(_("Dropped: {entry}.", entry=gone))
        self.changed(conflict)

    def numbered(self, rest: str, usage: str) -> tuple[int, str]:
        """The number of an entry, and what follows it."""
        word, _space, text = rest.partition(" ")
        if not word:
            raise BadInput(_("write the number of the entry: {usage}; log lists them", usage=usage))
        number = whole_number(1, 999)(word)
        self.session.entry(number)
        return number, text.strip()

    def undo(self, _rest: str) -> None:
        """Take the last change back."""
        conflict = self.session.undo()
        self.say(_("Undone; {entries}.", entries=self.count()))
        self.changed(conflict)

    def redo(self, _rest: str) -> None:
        """Make a change again."""
        conflict = self.session.redo()
        self.say(_("Done again; {entries}.", entries=self.count()))
        self.changed(conflict)

    def count(self) -> str:
        """How many entries there are, with the last one."""
        entries = self.session.entries
        if not entries:
            return _("there are no entries")
        return _("the last of {number} is: {entry}", number=len(entries), entry=self.told(entries[-1]))

    def told(self, entry: Entry) -> str:
        """An entry as a sentence without its full stop."""
        return entry_in_words(entry, self.session.deal)

    def changed(self, conflict: Conflict | None, number: int | None = None) -> None:
        """After a change: save it, say the entry that is new, what has become certain, and what contradicts what."""
        self.keep()
        if number is not None:
            entry = self.session.entry(number)
            self.say(f"{number}  {self.told(entry)}.", indent=HANGING)
            self.remark_on_room(entry, number)
        certain = self.session.certain()
        news = sorted(certain - self._known)
        if conflict is None:
            self._known = certain
        told = [placed(self.session, card, place) for card, place in news if place != self.session.deal.me]
        if told:
            self.say(_("Now certain: {facts}.", facts=", ".join(told)), style="green", indent=HANGING)
        if conflict is None and news and len(self.session.solutions()) == 1:
            self.tell(envelope_lines(self.session))
        self.warn(conflict)

    def remark_on_room(self, entry: Entry, number: int) -> None:
        """Point out a suggestion that names another room than where its player is said to stand."""
        remark = room_remark(self.session.deal, self.session.entries, number, self._reached)
        if remark:
            self.say(remark, style="yellow", indent=HANGING)
        if isinstance(entry, HeardSuggestion | Accusation):
            self._reached = ()  # that was a turn; in my next one I may be elsewhere

    def warn(self, conflict: Conflict | None) -> None:
        """Say what contradicts what, and how it is corrected."""
        if conflict is None:
            return
        first, *rest = conflict.text.splitlines()
        self.say(first, style="bold red")
        for line in rest:
            self.say(line, style="red", indent=HANGING)
        slips = self.session.slips()
        if slips:
            self.say(_("With one of these changes all agree:"))
        for number in dict.fromkeys(slip.number for slip in slips):
            changes = joined((slip.text for slip in slips if slip.number == number), "or")
            self.say(_("  entry {number}: {changes}", number=number, changes=changes), indent=HANGING)
        wrong = conflict.entries or (1,)
        values = {"numbers": joined(map(str, wrong), "or"), "number": wrong[0]}
        mend = (
            _("Correct entry {numbers} (edit {number} ..., drop {number}) or your hand (hand ...)", **values)
            if conflict.of_hand
            else _("Correct entry {numbers} (edit {number} ..., drop {number})", **values)
        )
        self.say(_("{mend}; there is no advice until then.", mend=mend), style="red")

    # --- Advice ---------------------------------------------------------------------------------------------------------

    def suggest(self, rest: str) -> None:
        """What to suggest, and why; with more behind it, a suggestion that was made."""
        if rest:
            self.enter(self.reader.suggestion(rest))
        else:
            self.propose()

    def propose(self, rooms: Sequence[int] | None = None) -> None:
        """What to suggest, in some rooms or anywhere."""
        self._reached = tuple(rooms or self._reached)
        with self.busy():
            advice = self.session.consult()
        self.tell(suggest_lines(self.session, advice, rooms))

    def reach(self, rest: str) -> None:
        """All suggestions in the rooms that I can reach."""
        self.propose(self.reader.rooms(rest) if rest else self.session.deal.edition.cards(LOCATION))

    def say_where_i_am(self, rest: str) -> None:
        """`I am in the Kitchen`, `I can reach Hall or Study`: all suggestions there."""
        said = re.fullmatch(
            r"(?:am|stand)\s+in\s+(.+)|(?:can|could|may)\s+reach\s+(.+)", rest.rstrip("."), re.IGNORECASE
        )
        if said is None:
            raise BadInput(_("write i am in the Kitchen, or i can reach Hall or Study"))
        self.reach(said[1] or said[2])

    def accuse(self, rest: str) -> None:
        """Whether to accuse; with more behind it, an accusation that was made."""
        if rest:
            self.enter(self.reader.accusation(rest))
        else:
            with self.busy():
                advice = self.session.consult(after=self.session.may_end_turn)
            self.tell(accuse_lines(self.session, advice.accusation))

    def show(self, rest: str) -> None:
        """Which card to show; then the card that was shown may be written at once."""
        asked = self.reader.asked(rest)
        with self.busy():
            advice = self.session.consult(asked)
        self.tell(show_lines(self.session, asked, advice.shows))
        cards = [showing.card for showing in advice.shows]
        names = [self.session.deal.edition.names[card] for card in cards]
        line = self.prompter.ask(_("the card that you showed (Enter: none yet)"), names)
        if not line:
            return
        try:
            card = self.reader.among(line, cards)
        except BadInput:
            self.obey(line)
        else:
            self.enter(HeardSuggestion(asked.by, asked.cards, self.session.deal.me, card))

    def tell(self, lines: Sequence[Line]) -> None:
        """Print lines with their styles."""
        for text, style in lines:
            self.say(text, style=style, indent=HANGING)

    # --- What can be looked at ------------------------------------------------------------------------------------------

    def tell_sheet(self, _rest: str) -> None:
        """The sheet, and the likeliest envelope."""
        self.prompter.show_table(sheet_lines(self.session, Paper.of(self.prompter.console)))
        self.tell(envelope_lines(self.session))

    def tell_words(self, _rest: str) -> None:
        """The sheet in sentences, for those who hear the terminal."""
        for line in sheet_sentences(self.session):
            self.say(line, indent=HANGING)
        self.tell(envelope_lines(self.session))

    def tell_why(self, rest: str) -> None:
        """Why something is certain."""
        place, card = self.reader.at(rest)
        if place is None:
            found = [where for which, where in self.session.certain() if which == card]
            if not found:
                self.session.shares()
                name = self.session.deal.cards([card])
                raise BadInput(_("it is not certain who has {card}; sheet shows what is likely", card=name))
            place = found[0]
        for line in self.session.explain(card, place).text.splitlines():
            self.say(line, indent=HANGING)

    def tell_log(self, _rest: str) -> None:
        """All entries."""
        if not self.session.entries:
            self.say(_("There are no entries yet."))
        conflict = self.session.conflict()
        marked = conflict.entries if conflict else ()
        for number, entry in enumerate(self.session.entries, start=1):
            text = f"{number:>3}  {self.told(entry)}."
            self.say(text, style="red" if number in marked else None, indent=HANGING)

    def tell_cards(self, _rest: str) -> None:
        """All cards with their codes."""
        edition = self.session.deal.edition
        for line in card_lines(edition, edition.names, codes=True):
            self.say(line, indent=INDENT)

    def tell_help(self, _rest: str) -> None:
        """What can be typed."""
        self.prompter.say_help(help_text(), HELP_WIDTH)

    # --- The file -------------------------------------------------------------------------------------------------------

    def keep(self) -> None:
        """Write the file; where that fails, say so and go on."""
        try:
            self.write()
        except NotWritten as error:
            told = _("Not saved! {why}. save FILE writes elsewhere.", why=capital(str(error)))
            self.say(told, style="bold red")

    def write(self) -> None:
        """Write the file, or another one from now on where somebody else has written it; NotWritten says why it cannot be."""
        there = _content(self.file)
        if there is not None and there not in {self._written, to_json(self.session)}:
            changed, self.file = self.file, _another(self.file)
            self.say(
                _(
                    "{file} was changed by another program, perhaps a second adviser, and is left as it is. This game is saved in "
                    "{other} from now on.",
                    file=changed,
                    other=self.file,
                ),
                style="bold red",
            )
        try:
            self.write_into(self.file)
        except NotWritten:
            self._written = _content(self.file)  # a device, or a folder closed to us: perhaps a part of it
            raise

    def write_into(self, file: Path) -> None:
        """Write a file, that of this game from now on; NotWritten says why it cannot be."""
        data = to_json(self.session)
        self._write(file, data)
        self.file, self._written = file, data

    def save(self, rest: str) -> None:
        """Save into another file from now on."""
        file = Path(os.path.expanduser(rest)) if rest else self.file  # noqa: PTH111 - where there is no home, the name stays as it is
        if file == self.file:
            self.write()
        elif is_there(file) and not self.prompter.yes(_("{file} exists. Write over it", file=file)):
            self.say(_("Nothing was written there."))
            return
        else:
            self.write_into(file)
        self.say(_("Saved in {file}, as after every change.", file=self.file))


def _content(file: Path) -> bytes | None:
    """What a file holds; None where there is none, or nothing to be read as one."""
    try:
        return file.read_bytes() if file.is_file() else None
    except OSError:
        return None


def _another(file: Path) -> Path:
    """A file beside one that is not there yet, with a number behind its name."""
    number = 2
    while is_there(other := file.with_stem(f"{file.stem}-{number}")):
        number += 1
    return other
