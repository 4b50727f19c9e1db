"""Sitting down with the adviser: the card set, who plays, which cards I hold; asked for, or given."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

from molehunt.advice.deal import (
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
    asking = None in (given.cards, given.players, given.hand)
    if asking:
        prompter.say(_("A few questions first; quit leaves."))
    prompter.commands["help"] = lambda: prompter.say(_("Answer the question, or write quit."))
    try:
        edition = _take(
            prompter,
            given.cards,
            lambda text: load_edition(text or "report"),
            lambda take: prompter.choose(
                _("Card set (Enter: report, which Speed Clue has here; clue, cluedo, another, or a JSON file)"), take
            ),
        )

        def tell_cards() -> None:
            for line in card_lines(edition, edition.names, codes=True):
                prompter.say(line, indent=INDENT)

        prompter.commands["cards"] = tell_cards
        names = _take(
            prompter,
            given.players,
            lambda text: read_names(text, edition),
            lambda take: prompter.choose(_("Players in the order in which they are asked (Ann, Bob, Me)"), take),
        )
        mine = next((name for name in names if name.lower() in spoken_words(MYSELF)), None)
        me = _take(
            prompter,
            given.me or mine,
            lambda text: find_name(text, names),
            lambda take: prompter.choose(_("Which of them are you ({names})", names=", ".join(names)), take, names),
        )
        face_up = _take(
            prompter,
            given.face_up if asking else given.face_up or "",
            lambda text: _dealt_to(len(names), read_face_up(text or None, edition), edition),
            lambda take: prompter.choose(_("Cards left over that lie face up (Enter: none)"), take, edition.names),
        )
        hand, sizes = _ask_hand(prompter, (edition, face_up), (len(names), me), given.hand)
        on_board = asking and edition.name in BOARD_EDITIONS
        usual = f"{Board().turns:g}"
        board = _take(
            prompter,
            given.board if on_board else given.board or "no",
            lambda text: read_board(text or usual),
            lambda take: prompter.choose(
                _(
                    "On the board, one suggests about once in how many turns (Enter: {usual}; no: no board)",
                    usual=usual,
                ),
                take,
            ),
        )
    finally:
        prompter.commands.clear()
    return Deal(edition, names, me, hand, sizes, face_up, board)


def _dealt_to(players: int, face_up: tuple[int, ...], edition: Edition) -> tuple[int, ...]:
    """The cards that lie face up; BadInput where they leave too few for the players."""
    if number_dealt(edition, face_up) < players:
        raise BadInput(_("too many cards lie face up: each of {players} players has one at least", players=players))
    return face_up


def _take(prompter: Prompter, given: str | None, take: Callable[[str], T], ask: Callable[[Callable[[str], T]], T]) -> T:
    """What was given, or, where there is nothing or it cannot be, what is answered."""
    if given is not None:
        try:
            return take(given)
        except BadInput as error:
            prompter.complain(error)
    return ask(take)


def _ask_hand(
    prompter: Prompter, cards: tuple[Edition, tuple[int, ...]], seat: tuple[int, int], given: str | None
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """My cards and how many everybody has; `cards`: the set and what lies face up; `seat`: how many play, and which I am."""
    edition, face_up = cards
    players, me = seat
    dealt = number_dealt(edition, face_up)
    usual = sorted({dealt // players, -(-dealt // players)})
    number = joined(map(str, usual), "or")
    example = " ".join(edition.codes[edition.first(category)] for category in range(3))

    def take(text: str) -> tuple[int, ...]:
        hand = read_hand(text, edition)
        check_hand(hand, edition, face_up)
        if len(hand) > dealt - players + 1:
            raise BadInput(_("with {players} players nobody has {number} cards", players=players, number=len(hand)))
        return hand

    question = _("Your {number} cards ({example} ...; cards lists them)", number=number, example=example)
    while True:
        hand = _take(
            prompter,
            given,
            take,
            lambda take: prompter.choose(question, take, edition.names),
        )
        given = None
        sizes = likely_sizes(dealt, players, me, len(hand))
        if usual == [len(hand)]:
            return hand, sizes
        if len(hand) in usual:
            return hand, _ask_sizes(prompter, me, len(hand), sizes)
        held = ", ".join(map(edition.said, hand))
        prompter.say(_("These are {number} cards: {cards}.", number=len(hand), cards=held))
        if prompter.yes(_("By an even deal you would have {usual}. Is {number} right", usual=number, number=len(hand))):
            return hand, _ask_sizes(prompter, me, len(hand), sizes)


def _ask_sizes(prompter: Prompter, me: int, mine: int, usual: tuple[int, ...]) -> tuple[int, ...]:
    """How many cards each player has, in order, where I have `mine`; `usual` is taken by an empty line."""

    def take(text: str) -> tuple[int, ...]:
        sizes = read_sizes(text, len(usual), sum(usual)) if text else usual
        if sizes[me] != mine:
            raise BadInput(_("you hold {number} cards, and here you would have {size}", number=mine, size=sizes[me]))
        return sizes

    expected = " ".join(map(str, usual))
    return prompter.choose(_("How many cards each player has, in order (Enter: {sizes})", sizes=expected), take)
