"""What a person at Speed Clue is told: moves as sentences, the public record, the rules and the cards."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rich.text import Text

from molehunt.core.game import Game
from molehunt.core.words import capital, joined
from molehunt.games.entry import GameWords
from molehunt.games.speed_clue.edition import CATEGORIES, Edition
from molehunt.games.speed_clue.friendly import Event, Suggestion, View
from molehunt.games.speed_clue.game import check_game
from molehunt.games.speed_clue.ruleset import CONTEST_ORDER, Ruleset

HELP = """\
suggest                   ask about three cards; also at once: suggest Peacock, Rope, Hall
accuse                    name what is in the envelope, once in the game
show CARD, end            answer a suggestion; end your turn
hand, sheet, record       your cards; what you know; the suggestions so far
rules, cards, help, quit
Parts of names and codes will do (peacock, mrs p, Pe), and s, a and e for the moves."""

MARK_HELP = "mark CARD PLAYER yes      write on your sheet: yes, no, maybe, clear (also PLAYER envelope)"
INDENT = 13
"""Where the cards of a line begin in `card_lines`."""


def rules_text(rules: Ruleset, edition: Edition, sizes: Sequence[int]) -> str:
    """The rules in short, for so many cards in each hand."""
    counts = ", ".join(f"{count} {title}" for count, title in zip(edition.counts, CATEGORIES, strict=True))
    hands = ", ".join(map(str, sizes))
    if rules.order == CONTEST_ORDER:
        turn = (
            "On your turn you make a suggestion, never one of your own again; then you may accuse, but not with a card that you "
            "hold or have been shown. Where nobody disproves your suggestion and it has no card of yours, you must accuse with it."
        )
    else:
        turn = "On your turn you accuse, or you make a suggestion and may then accuse."
    return f"""\
Of {counts}, one each lies in the envelope; the others are all dealt ({hands} cards). Find out which.
{turn}
A suggestion names a suspect, a weapon and a location; cards of your own are allowed. From the next player on, each says that they \
have none of the three, or shows one of them to the suggester alone; then it stops. Which card was shown, only these two know.
An accusation is made once in the game. If it is right, you win; if it is wrong, you are out, and only go on answering.
The last player who is not out wins."""


def card_lines(edition: Edition, cards: Iterable[str], codes: bool) -> list[str]:
    """Cards, one line a category; with their codes if asked for."""
    wanted = set(cards)
    lines = []
    for category, title in enumerate(CATEGORIES):
        names = [
            f"{edition.names[card]} ({edition.codes[card]})" if codes else edition.names[card]
            for card in edition.cards(category)
            if edition.names[card] in wanted
        ]
        lines.append(f"  {title:10} {', '.join(names) or '-'}")
    return lines


class Narrator:
    """Tells the events of a game to the person on `seat`: one line for a suggestion with its answers."""

    def __init__(self, names: Sequence[str], seat: int) -> None:
        self._names = names
        self._seat = seat
        self._line = Text()

    def name(self, seat: int) -> str:
        """Who sits there, `you` for the reader."""
        return "you" if seat == self._seat else self._names[seat]

    def does(self, seat: int, verb: str) -> str:
        """`Alice shows`, `you show`."""
        word = {"has": "have", "is": "are"}.get(verb, verb.removesuffix("s")) if seat == self._seat else verb
        return f"{self.name(seat)} {word}"

    def lines(self, events: Iterable[Event]) -> list[Text]:
        """The events as lines; a suggestion that waits for an answer of the person's is told as far as it has come."""
        told: list[Text] = []
        for event in events:
            if event.right is not None:
                cards = event.move.partition(" ")[2]
                verdict = "right!" if event.right else f"wrong. {capital(self.does(event.seat, 'is'))} out."
                told.append(Text(f"{capital(self.does(event.seat, 'accuses'))} {cards}: {verdict}", "bold"))
            elif event.suggestion is not None:
                self._tell(event, event.suggestion)
                if not event.suggestion.awaited:
                    told.append(self._take())
        if self._line:
            told.append(self._take())
        return told

    def _take(self) -> Text:
        line, self._line = self._line, Text()
        return line

    def _tell(self, event: Event, made: Suggestion) -> None:
        line = self._line
        if event.seat == made.seat:
            line.append(f"{capital(self.does(made.seat, 'suggests'))} {', '.join(made.cards)}.")
            if made.without:
                who = joined(self.name(seat) for seat in made.without)
                verb = "have" if len(made.without) > 1 else self.does(made.without[0], "has").rpartition(" ")[2]
                line.append(f" {capital(who)} {verb} none.")
            if made.disprover is None and not made.awaited:
                line.append(" Nobody can disprove it.", "bold")
        if made.disprover is not None:
            line.append(f"{' ' if line else ''}{capital(self.does(made.disprover, 'shows'))} {self.name(made.seat)} ")
            line.append(made.shown or "a card", "bold" if made.shown else "")
            line.append(".")


def sentence(event: Event, names: Sequence[str], seat: int | None) -> str:
    """What happened, as sentences with names; `seat` is the reader's, None for a watcher."""

    def name(other: int) -> str:
        return "you" if other == seat else names[other]

    def does(other: int, verb: str, plural: str) -> str:
        return capital(f"{name(other)} {plural if other == seat else verb}")

    if event.right is not None:
        cards = event.move.partition(" ")[2]
        verdict = "right" if event.right else f"wrong. {does(event.seat, 'is', 'are')} out"
        return f"{does(event.seat, 'accuses', 'accuse')} {cards}: {verdict}."
    made = event.suggestion
    if made is None:
        return f"{does(event.seat, 'ends the', 'end your')} turn."
    parts = []
    if event.move.startswith("suggest"):
        parts.append(f"{does(made.seat, 'suggests', 'suggest')} {', '.join(made.cards)}.")
        if made.without:
            has = "have" if len(made.without) > 1 or made.without[0] == seat else "has"
            parts.append(f"{capital(joined(name(other) for other in made.without))} {has} none.")
        if made.disprover is None and not made.awaited:
            parts.append("Nobody can disprove it.")
    if made.disprover is not None:
        parts.append(f"{does(made.disprover, 'shows', 'show')} {name(made.seat)} {made.shown or 'a card'}.")
    return " ".join(parts)


def record_rows(view: View, narrator: Narrator) -> list[tuple[str, str, str, str]]:
    """The public record, a row a suggestion: its number, who made it, its cards, the answers as far as the person knows them."""
    rows = []
    for number, made in enumerate(view.suggestions, start=1):
        answers = [f"{narrator.name(seat)} none" for seat in made.without]
        if made.disprover is not None:
            shown = made.shown or "a card"
            answers.append(f"{narrator.does(made.disprover, 'shows')} {shown}")
        elif made.awaited:
            answers.append("not answered yet")
        rows.append((str(number), narrator.name(made.seat), ", ".join(made.cards), ", ".join(answers)))
    return rows


def rules_of(game: Game) -> str:
    """The rules in short, for the cards and seats of a game."""
    clue = check_game("these words", game)
    cards = len(clue.edition.names) - len(CATEGORIES)
    sizes = [(cards + clue.seats - 1 - seat) // clue.seats for seat in range(clue.seats)]
    return rules_text(clue.ruleset, clue.edition, sizes)


def move_words(move: str, _names: Sequence[str], _seat: int | None) -> str:
    """A move in notation as an imperative: the notation reads so already."""
    return capital(move)


WORDS = GameWords(sentence, move_words, lambda move: capital(move.partition(" ")[0]))
