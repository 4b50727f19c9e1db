"""Sitting down with the adviser: the card set, who plays, which cards I hold; asked for, or given."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TypeVar

from molehunt.advice.deal import (
    MAX_PLAYERS,
    MIN_PLAYERS,
    NOBODY_WORDS,
    Board,
    Deal,
    check_hand,
    check_meaning,
    check_names,
    check_sizes,
    find_name,
    likely_sizes,
    number_dealt,
)
from molehunt.advice.lines import read_hand, read_number
from molehunt.core.errors import BadInput
from molehunt.core.language import _, later, spoken_words
from molehunt.core.words import joined
from molehunt.games.speed_clue.edition import BOARD_EDITIONS, Edition, load_edition
from molehunt.table.clue_words import INDENT, card_lines
from molehunt.terminal.prompts import Prompter
from molehunt.terminal.questions import WentBack, ask_in_order

T = TypeVar("T")

MYSELF = later("me i myself you")


@dataclass(frozen=True)
class Given:
    """What the call says about the table, as it is typed; None is asked for."""

    cards: str | None = None
    players: str | None = None
    me: str | None = None
    hand: str | None = None
    face_up: str | None = None
    board: str | None = None

    def check(self) -> None:
        """BadInput where something given cannot be."""
        edition = None if self.cards is None else load_edition(self.cards)
        names = None if self.players is None else read_names(self.players, edition)
        if self.me is not None and names is not None:
            find_name(self.me, names)
        face_up = read_face_up(self.face_up, edition) if edition is not None else ()
        if self.hand is not None and edition is not None:
            check_hand(read_hand(self.hand, edition), edition, face_up)
        read_board(self.board)


def read_names(text: str, edition: Edition | None = None) -> tuple[str, ...]:
    """The players of a text `Ann, Bob, Me` or `Ann Bob Me`; BadInput says what would be right."""
    if not text.strip():
        raise BadInput(_("write the names of all players, yourself as Me, in the order of asking: Ann, Bob, Me"))
    parts = text.split(",") if "," in text else text.split()
    names = tuple(" ".join(part.split()) for part in parts)
    check_names(names)
    for name in names:
        check_meaning(name)
    if edition is not None and len(edition.names) - 3 < len(names):
        raise BadInput(_("the card set has too few cards for {number} players", number=len(names)))
    return names


def read_face_up(text: str | None, edition: Edition) -> tuple[int, ...]:
    """The cards that lie face up, none where nothing is said or `no`; BadInput says which is not understood."""
    return () if text is None or text.lower() in spoken_words(NOBODY_WORDS) else read_hand(text, edition)


def read_board(text: str | None) -> Board | None:
    """How rooms are named: None, or a board with so many turns a suggestion; BadInput where that is no number."""
    return None if text is None or text.lower() in spoken_words(NOBODY_WORDS) else Board(read_number(text))


def read_sizes(text: str, players: int, cards: int) -> tuple[int, ...]:
    """Hand sizes of a text `5 5 4 4`; BadInput says what would be right."""
    words = text.replace(",", " ").split()
    if not all(word.isascii() and word.isdecimal() and len(word) < 4 for word in words):
        typed = f"{text!r:.40}"
        raise BadInput(
            _("write {number} numbers of cards, in the order of the players, not {text}", number=players, text=typed)
        )
    sizes = tuple(int(word) for word in words)
    check_sizes(sizes, players, cards)
    return sizes


def ask_deal(prompter: Prompter, given: Given) -> Deal:
    """Ask for what is not given; LeftTable where the person leaves."""
    prompter.say(_("Advice for Speed Clue at your table."), style="bold")
    if None in (given.cards, given.players, given.hand):
        prompter.say(_("A few questions first; back returns to the question before, quit leaves."))
    prompter.commands["help"] = lambda: prompter.say(
        _("Answer the question, or write back for the question before, or quit.")
    )
    try:
        return _Sitting(prompter, given).deal()
    finally:
        prompter.commands.clear()


class _Sitting:
    """What has been said of the table so far."""

    edition: Edition
    names: tuple[str, ...]
    me: int
    face_up: tuple[int, ...]
    hand: tuple[int, ...]
    sizes: tuple[int, ...]
    board: Board | None

    def __init__(self, prompter: Prompter, given: Given) -> None:
        self.prompter = prompter
        self.given = given
        self.asking = None in (given.cards, given.players, given.hand)

    def deal(self) -> Deal:
        """Everything, asked where it is not given."""
        ask_in_order(
            self.prompter,
            [
                self.ask_edition,
                self.ask_names,
                self.ask_me,
                self.ask_face_up,
                self.ask_hand,
                self.ask_sizes,
                self.ask_board,
            ],
        )
        return Deal(self.edition, self.names, self.me, self.hand, self.sizes, self.face_up, self.board)

    def _take(
        self, given: str | None, take: Callable[[str], T], question: Callable[[], str], words: Iterable[str] = ()
    ) -> T:
        """What was given, or, where there is nothing or it cannot be, what is answered."""
        if given is not None:
            try:
                return take(given)
            except BadInput as error:
                self.prompter.complain(error)
        return self.prompter.choose(question(), take, words)

    def ask_edition(self) -> None:
        """The card set."""
        self.edition = self._take(
            self.given.cards,
            lambda text: load_edition(text or "report"),
            lambda: _("Card set (Enter: report, which Speed Clue has here; clue, cluedo, another, or a JSON file)"),
        )
        self.prompter.commands["cards"] = self._tell_cards

    def _tell_cards(self) -> None:
        for line in card_lines(self.edition, self.edition.names, codes=True):
            self.prompter.say(line, indent=INDENT)

    def ask_names(self) -> None:
        """Who plays."""
        self.names = self._take(
            self.given.players,
            lambda text: read_names(text, self.edition),
            lambda: _(
                "Players, {least} to {most}, in the order in which they are asked (Ann, Bob, Me)",
                least=MIN_PLAYERS,
                most=MAX_PLAYERS,
            ),
        )

    def ask_me(self) -> None:
        """Which of them I am."""
        mine = next((name for name in self.names if name.lower() in spoken_words(MYSELF)), None)
        self.me = self._take(
            self.given.me or mine,
            lambda text: find_name(text, self.names),
            lambda: _("Which of them are you ({names})", names=", ".join(self.names)),
            self.names,
        )

    def ask_face_up(self) -> None:
        """What lies face up."""
        self.face_up = self._take(
            self.given.face_up if self.asking else self.given.face_up or "",
            lambda text: _dealt_to(len(self.names), read_face_up(text or None, self.edition), self.edition),
            lambda: _("Cards left over that lie face up (Enter: none)"),
            self.edition.names,
        )

    def ask_hand(self) -> None:
        """What I hold; where that is no even deal, whether it is so."""
        given, usual = self.given.hand, self._usual()
        while True:
            hand = self._take(given, self._read_hand, self._ask_for_hand, self.edition.names)
            given = None
            self.hand = hand
            if len(hand) in usual:
                return
            held = ", ".join(map(self.edition.said, hand))
            self.prompter.say(_("These are {number} cards: {cards}.", number=len(hand), cards=held))
            expected = joined(map(str, usual), "or")
            question = _("By an even deal you would have {usual}. Is {number} right", usual=expected, number=len(hand))
            try:
                if self.prompter.yes(question):
                    return
            except WentBack:
                continue

    def _usual(self) -> list[int]:
        """How many cards a player has by an even deal."""
        dealt, players = number_dealt(self.edition, self.face_up), len(self.names)
        return sorted({dealt // players, -(-dealt // players)})

    def _ask_for_hand(self) -> str:
        number = joined(map(str, self._usual()), "or")
        example = " ".join(self.edition.codes[self.edition.first(category)] for category in range(3))
        return _("Your {number} cards ({example} ...; cards lists them)", number=number, example=example)

    def _read_hand(self, text: str) -> tuple[int, ...]:
        hand = read_hand(text, self.edition)
        check_hand(hand, self.edition, self.face_up)
        players = len(self.names)
        if len(hand) > number_dealt(self.edition, self.face_up) - players + 1:
            raise BadInput(_("with {players} players nobody has {number} cards", players=players, number=len(hand)))
        return hand

    def ask_sizes(self) -> None:
        """How many cards each player has, in order; the likeliest are taken by an empty line, and where all have as many."""
        dealt = number_dealt(self.edition, self.face_up)
        usual = likely_sizes(dealt, len(self.names), self.me, len(self.hand))

        def take(text: str) -> tuple[int, ...]:
            sizes = read_sizes(text, len(usual), dealt) if text else usual
            if sizes[self.me] != len(self.hand):
                size = sizes[self.me]
                raise BadInput(
                    _("you hold {number} cards, and here you would have {size}", number=len(self.hand), size=size)
                )
            return sizes

        self.sizes = self._take(
            "" if self._usual() == [len(self.hand)] else None,
            take,
            lambda: _("How many cards each player has, in order (Enter: {sizes})", sizes=" ".join(map(str, usual))),
        )

    def ask_board(self) -> None:
        """How rooms are named."""
        on_board = self.asking and self.edition.name in BOARD_EDITIONS
        usual = f"{Board().turns:g}"
        self.board = self._take(
            self.given.board if on_board else self.given.board or "no",
            lambda text: read_board(text or usual),
            lambda: _(
                "On the board, one suggests about once in how many turns (Enter: {usual}; no: no board)", usual=usual
            ),
        )


def _dealt_to(players: int, face_up: tuple[int, ...], edition: Edition) -> tuple[int, ...]:
    """The cards that lie face up; BadInput where they leave too few for the players."""
    if number_dealt(edition, face_up) < players:
        raise BadInput(_("too many cards lie face up: each of {players} players has one at least", players=players))
    return face_up
