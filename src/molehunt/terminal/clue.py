"""A person plays Speed Clue in a terminal or through a pipe: one game, prompt by prompt.

The table sees a `Place`, the person's own seat, and so can say nothing that the person may not know.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rich.table import Table
from rich.text import Text

from molehunt.core.errors import BadInput, IllegalAction
from molehunt.core.language import _, counted_in, later, spoken_words
from molehunt.core.words import capital, joined
from molehunt.games.speed_clue.actions import ACCUSE, END, PLAY_SHIFT, SHOW, SUGGEST
from molehunt.games.speed_clue.edition import SINGULAR
from molehunt.games.speed_clue.friendly import View
from molehunt.games.speed_clue.game import SpeedClue, check_game
from molehunt.games.speed_clue.notation import pack, parse_triple, triple_of
from molehunt.table.clue_sheet import FilledSheet, OwnSheet, Paper, Sheet, sheet_lines, sheet_sentences, still_possible
from molehunt.table.clue_words import (
    INDENT,
    MARK_HELP,
    Narrator,
    card_lines,
    cards_said,
    heard,
    help_text,
    record_rows,
    rules_text,
)
from molehunt.table.session import Place
from molehunt.terminal.practice import Practice, PracticeCommands, TakenBack
from molehunt.terminal.prompts import NO, YES, Prompter, command_word, unknown_word
from molehunt.terminal.sitting import LAST_MOVES, nothing

VERBS = {"suggest": SUGGEST, "accuse": ACCUSE, "show": SHOW, "end": END, "s": SUGGEST, "a": ACCUSE, "e": END}
WORDS = {SUGGEST: "suggest", ACCUSE: "accuse", SHOW: "show", END: "end"}
CANNOT_DISPROVE = ("none", "pass", "cannot", "can't")
CANCEL = ("back", "cancel")
HELP_WIDTH = 26
HANGING = 2
RECAP = 5
"""So many lines are told where a game is gone on with."""

NOT_NOW = {
    ("suggest", "answer"): later("It is not your turn. First show a card."),
    ("accuse", "answer"): later("It is not your turn: you can accuse in your own turn only. First show a card."),
    ("end", "answer"): later("It is not your turn. First show a card."),
    ("show", "turn"): later("Nobody has asked you for a card."),
    ("show", "after"): later("Nobody has asked you for a card."),
    ("end", "turn"): later("A turn ends after its suggestion."),
    ("accuse", "turn"): later("Under these rules an accusation comes after a suggestion."),
    ("suggest", "after"): later("You have made the suggestion of this turn."),
    ("end", "after"): later(
        "Nobody has disproved your suggestion, which has no card of yours: you must accuse with it."
    ),
}
"""Why a move cannot be made in a phase in which the rules do not offer it."""


class ClueTable:
    """The game at one person's place. `fill` says whether the sheet fills itself."""

    looks = ("hand", "sheet", "words", "record")
    """Commands with which a game that is over is looked at again."""

    def __init__(self, place: Place, prompter: Prompter, fill: bool, practice: Practice | None = None) -> None:
        self.place = place
        self.game: SpeedClue = check_game("the table", place.game)
        self.edition = self.game.edition
        self.prompter = prompter
        self.say = prompter.say
        self.narrator = Narrator(place.names, place.seat)
        self.sheet: Sheet = FilledSheet(place.view) if fill else OwnSheet(place.view)
        prompter.commands |= {
            "hand": self.tell_hand,
            "sheet": self.tell_sheet,
            "words": self.tell_words,
            "record": self.tell_record,
            "rules": self.tell_rules,
            "cards": self.tell_cards,
            "help": self.tell_help,
        }
        if isinstance(self.sheet, OwnSheet):
            prompter.with_rest["mark"] = self.write_mark
        self.at_practice = PracticeCommands(practice, place, prompter, capital, self.tell_event)

    # --- The game -------------------------------------------------------------------------------------------------------

    def play(self, moved: Callable[[], None] = nothing) -> None:
        """Play until the game is over; LeftTable where the person leaves.

        `moved` is called after every move of the person's, also where it was taken back, and at the end.
        """
        self.tell_hand()
        if self.place.past:
            self.say(_(LAST_MOVES), style="bold")
        self.recap(RECAP)
        while self.place.outcome is None:
            self.place.wait(self.prompter.tell_waiting)
            view = self.catch_up()
            if self.place.my_move:
                try:
                    {"turn": self.take_turn, "answer": self.answer, "after": self.after}[view.phase](view)
                except TakenBack:
                    if isinstance(self.sheet, FilledSheet):
                        self.sheet = FilledSheet(self.place.view)
                    self.recap(1)
                moved()
        moved()

    def recap(self, lines: int) -> None:
        """Tell the last lines of what the person was told before."""
        events = [self.game.friendly_event(event) for event in self.place.past]
        for line in Narrator(self.place.names, self.place.seat).lines(events)[-lines:]:
            self.prompter.console.print(line)

    def tell_event(self, record: Any) -> str:
        """One event in words."""
        event = self.game.friendly_event(record)
        told = Narrator(self.place.names, self.place.seat).lines([event])
        return told[0].plain if told else _("{name} ends the turn.", name=self.place.names[event.seat])

    def catch_up(self) -> View:
        """Tell what has happened, and take it in."""
        events = [self.game.friendly_event(event) for event in self.place.news()]
        for line in self.narrator.lines(events):
            self.prompter.console.print(line)
        view = self.game.friendly_view(self.place.record_view)
        self.sheet.read(view)
        return view

    def take_turn(self, view: View) -> None:
        """The person's turn begins."""
        state = _("Turn {number}, yours.", number=view.turns)
        if isinstance(self.sheet, FilledSheet):
            state += f" {_('Still possible: {cards}.', cards=still_possible(self.sheet, self.edition))}"
        self.say()
        self.say(state, style="bold")
        self.move(view, state)

    def after(self, view: View) -> None:
        """The suggestion has been answered."""
        may_end = END in self.plays()
        state = "" if may_end else _(NOT_NOW["end", "after"])
        if state:
            self.say(state)
        self.move(view, state, blank=END if may_end else ACCUSE)

    def move(self, view: View, state: str, blank: int | None = None) -> None:
        """Ask until a move of one's own turn has been made; an empty line is the move `blank`."""
        offered = self.plays()
        words = [WORDS[play] for play in offered]
        note = f" ({_('Enter ends your turn')})" if blank == END else ""
        if blank == ACCUSE:  # with what was suggested, and nothing else may be done
            note = f" ({_('Enter accuses {cards}', cards=cards_said(view.suggestions[-1].cards))})"
        verbs = joined(words, "or")
        while True:
            line = self.prompter.ask(
                f"{verbs}{note}", [*words, *map(_, self.edition.names)], ("suggest", "accuse"), state
            )
            verb, _space, rest = line.partition(" ")
            play = VERBS.get(command_word(verb.lower(), VERBS), blank if not line else None)
            if play is None and SUGGEST in offered and self.is_triple(line):
                play, rest = SUGGEST, line
            if play is None:
                self.say(unknown_word(line, words) if line else _("Write {words}; help lists the rest.", words=verbs))
            elif play not in offered:
                self.say(_(NOT_NOW[WORDS[play], view.phase]))
            elif play == END and rest:
                self.say(_("Nothing comes after end."))
            elif self.attempt(play, rest):
                return

    def is_triple(self, line: str) -> bool:
        """Whether a line that begins with no verb means three cards to suggest."""
        try:
            self.triple(line)
        except BadInput:
            return "," in line
        return True

    def triple(self, text: str) -> tuple[int, int, int]:
        """The three cards that a text means; BadInput says what is wrong."""
        return heard(lambda edition: parse_triple(text, edition), self.edition)

    def card(self, text: str, category: int | None = None) -> int:
        """The card that a text means; BadInput says what is wrong."""
        return heard(lambda edition: edition.find(text, category), self.edition)

    def plays(self) -> list[int]:
        """What kinds of moves the rules offer the person now."""
        return sorted({action >> PLAY_SHIFT for action in self.place.legal_actions.codes})

    def attempt(self, play: int, rest: str) -> bool:
        """Suggest, accuse or end; False, with the reason said, where that was not done."""
        if play == END:
            return self.try_play(pack(END))
        try:
            cards = self.triple(rest) if rest else self.ask_cards(play)
        except BadInput as error:
            self.prompter.complain(error)
            return False
        if cards is None:
            return False
        action = pack(play, *cards)
        names = ", ".join(map(self.edition.said, cards))
        # What may not be named is told at once, without a question before it.
        asked = play == ACCUSE and action in self.place.legal_actions
        if asked and not self.prompter.yes(_("Accuse {cards}? If it is wrong, you are out", cards=names)):
            self.say(_("No accusation was made."))
            return False
        return self.try_play(action)

    def try_play(self, action: int) -> bool:
        """Play; where the rules forbid it, say which."""
        try:
            self.place.play(action)
        except IllegalAction as error:
            self.prompter.complain(BadInput(_(error.rule)))
            return False
        return True

    def ask_cards(self, play: int) -> tuple[int, ...] | None:
        """A card of each category, asked one by one; None where the person goes back.

        Where nothing else may be accused, nothing is asked.
        """
        if play == ACCUSE and self.plays() == [ACCUSE]:
            return triple_of(self.place.legal_actions.codes[0])
        cards: list[int] = []
        for category, what in enumerate(SINGULAR):
            names = [self.edition.said(card) for card in self.edition.cards(category)]

            def take(text: str, category: int = category, what: str = what) -> int | None:
                if not text:
                    raise BadInput(_("write a {what}; back goes back", what=_(what)))
                return None if command_word(text.lower(), CANCEL) in CANCEL else self.card(text, category)

            question = _("{move}: which {what}", move=WORDS[play], what=_(what))
            card = self.prompter.choose(question, take, [*names, CANCEL[0]])
            if card is None:
                return None
            cards.append(card)
        return tuple(cards)

    # --- Answering ------------------------------------------------------------------------------------------------------

    def answer(self, view: View) -> None:
        """The person can disprove a suggestion and shows a card."""
        made = view.suggestions[-1]
        asker = self.place.names[made.seat]
        seen = {old.shown for old in view.suggestions if old.disprover == view.seat and old.seat == made.seat}
        cards = [
            _("{card} (shown to {name} before)", card=_(card), name=asker) if card in seen else _(card)
            for card in view.showable
        ]
        state = _("You can disprove it with {cards}.", cards=joined(cards, "or"))
        self.say(state, style="bold")
        only = _("Enter shows {card}", card=_(view.showable[0]))
        prompt = f"show ({only})" if len(cards) == 1 else "show"
        asked = _("{name} asks: {cards}.", name=asker, cards=cards_said(made.cards))
        while True:
            line = self.prompter.ask(prompt, [*map(_, view.showable)], ("show",), f"{asked} {state}")
            card = self.card_to_show(view, line)
            if card is not None and self.try_play(pack(SHOW, card)):
                return

    def card_to_show(self, view: View, line: str) -> int | None:
        """The card that an answer means; None, with the reason said, where it cannot be shown."""
        verb, _space, rest = line.partition(" ")
        verb = command_word(verb.lower(), VERBS)
        only = view.showable[0] if len(view.showable) == 1 else ""
        fault = ""
        if line.lower() in (*CANNOT_DISPROVE, *spoken_words(NO)):
            fault = _("That would be false: you hold {cards}.", cards=joined(map(_, view.showable)))
        elif verb in VERBS and VERBS[verb] != SHOW:
            fault = _(NOT_NOW[WORDS[VERBS[verb]], "answer"])
        text = rest if verb == "show" else line
        if not fault and (not text or text.lower() in spoken_words(YES)):
            text = only
            fault = "" if only else _("Write which card: {cards}.", cards=joined(map(_, view.showable), "or"))
        card = None
        if not fault:
            try:
                card = self.card(text)
            except BadInput as error:
                self.prompter.complain(error)
                return None
            name = self.edition.names[card]
            if name not in view.hand:
                fault = _("You do not hold {card}.", card=_(name))
            elif name not in view.showable:
                fault = _("{card} is not one of the three cards that were named.", card=_(name))
        if fault:
            self.say(fault)
            return None
        return card

    # --- What can be looked at at any prompt ----------------------------------------------------------------------------

    def tell_hand(self) -> None:
        """The person's cards."""
        hand = self.game.friendly_view(self.place.record_view).hand
        self.say(counted_in("Your {n} card:", "Your {n} cards:", len(hand)))
        for line in card_lines(self.edition, hand, codes=False):
            self.say(line, indent=INDENT)

    def tell_sheet(self) -> None:
        """The sheet."""
        self.sheet.read(self.game.friendly_view(self.place.record_view))
        place, paper = self.place, Paper.of(self.prompter.console)
        self.prompter.show_table(sheet_lines(self.sheet, place.names, place.seat, self.edition, paper))

    def tell_words(self) -> None:
        """The sheet in sentences, for those who hear the terminal."""
        self.sheet.read(self.game.friendly_view(self.place.record_view))
        for line in sheet_sentences(self.sheet, self.place.names, self.place.seat, self.edition):
            self.say(line, indent=HANGING)

    def tell_record(self) -> None:
        """The public record of suggestions and accusations, with what the person knows."""
        view = self.game.friendly_view(self.place.record_view)
        if not view.suggestions and not view.accusations:
            self.say(_("There were no suggestions yet."))
        table = Table(box=None, show_header=False, padding=(0, 1, 0, 0))
        table.add_column(justify="right", style="dim")
        for row in record_rows(view, self.narrator):
            table.add_row(*(Text(part) for part in row))
        if view.suggestions:
            self.prompter.console.print(table)
        for seat, cards, right in view.accusations:
            told = later("{name} accused {cards}: right") if right else later("{name} accused {cards}: wrong")
            self.say(_(told, name=self.narrator.name(seat), cards=cards_said(cards)))

    def tell_rules(self) -> None:
        """The rules in short."""
        sizes = self.game.friendly_view(self.place.record_view).hand_sizes
        self.say(rules_text(self.game.ruleset, self.edition, sizes))

    def tell_cards(self) -> None:
        """All cards with their codes."""
        for line in card_lines(self.edition, self.edition.names, codes=True):
            self.say(line, indent=INDENT)

    def tell_help(self) -> None:
        """What can be typed."""
        text = help_text() if isinstance(self.sheet, FilledSheet) else f"{help_text()}\n{_(MARK_HELP)}"
        self.prompter.say_help(self.at_practice.help(text, HELP_WIDTH), HELP_WIDTH)

    def write_mark(self, rest: str) -> None:
        """Write on a sheet of one's own."""
        if isinstance(self.sheet, OwnSheet):
            try:
                self.say(self.sheet.write(rest, self.place.names, self.edition))
            except BadInput as error:
                self.prompter.complain(error)
