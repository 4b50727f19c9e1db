"""The messages of the public Speed Clue contest of 2014 as typed values: ASCII over TCP, one reply to each message.

Messages have no ends: what one write sends is a message, and a reply is compared with what is right as a whole, but for case
and NULs after it. Here neither side sends more than that, and both take line ends, NULs and blanks around a message, any case,
a message in pieces and several at once (`endings`). A program is started with its identifier and a port, connects, and says
`<identifier> alive`. From then on the server speaks and the program replies:

    reset PLAYERS INDEX CARD...              ok                      a game begins; your seat, your cards
    suggest                                  suggest CARD CARD CARD  it is your turn
    disprove PLAYER CARD CARD CARD           show CARD               only where you hold two or more of them
    suggestion PLAYER CARD CARD CARD - | BY [CARD]   ok              to all; the card to who asked and who showed
    accuse                                   - | accuse CARD CARD CARD   after each suggestion of yours
    accusation PLAYER CARD CARD CARD + | -   ok                      to all; right or wrong
    done                                     dead                    the contest is over

Cards are codes of two letters, in the order suspect, weapon, room; here they are card numbers of an `Edition`. Seats count from 0.

    suspects  Gr Mu Pe Pl Sc Wh
    weapons   Ca Kn Pi Re Ro Wr
    rooms     Ba Bi Co Di Ha Ki Li Lo St
"""

from __future__ import annotations

import difflib
from dataclasses import dataclass
from typing import TypeAlias

from molehunt.core.errors import BadNotation
from molehunt.games.speed_clue.edition import SINGULAR, Edition
from molehunt.games.speed_clue.ruleset import MAX_SEATS, MIN_SEATS
from molehunt.games.speed_clue.suggestions import Accusation, HeardSuggestion, Triple

MAX_IDENTIFIER = 60
"""How long a program's name may be."""

FORMS = {
    "reset": "reset PLAYERS INDEX CARD...",
    "suggest": "suggest",
    "disprove": "disprove PLAYER SUSPECT WEAPON ROOM",
    "suggestion": "suggestion PLAYER SUSPECT WEAPON ROOM -, or a player in place of the -, then perhaps a card",
    "accuse": "accuse",
    "accusation": "accusation PLAYER SUSPECT WEAPON ROOM + or -",
    "done": "done",
}
"""What the server says, by first word."""

REPLY_FORMS = {
    "ok": "ok",
    "suggest": "suggest SUSPECT WEAPON ROOM",
    "show": "show CARD",
    "accuse": "accuse SUSPECT WEAPON ROOM",
    "-": "-",
    "dead": "dead",
}
"""What a program replies, by first word; its greeting, `IDENTIFIER alive`, begins with a name."""

GREETING = "IDENTIFIER alive"


# --- What the server says -----------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Reset:
    """A game begins: how many seats, the receiver's seat, its cards."""

    seats: int
    seat: int
    cards: tuple[int, ...]


@dataclass(frozen=True)
class Suggest:
    """The receiver is on turn and must suggest."""


@dataclass(frozen=True)
class Disprove:
    """The receiver must show `suggester` one of the cards; it holds two or more."""

    suggester: int
    cards: Triple


@dataclass(frozen=True)
class Accuse:
    """The receiver may accuse."""


@dataclass(frozen=True)
class Done:
    """The contest is over."""


Message: TypeAlias = Reset | Suggest | Disprove | HeardSuggestion | Accuse | Accusation | Done


# --- What a program replies ---------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Alive:
    """The greeting of a program."""

    identifier: str


@dataclass(frozen=True)
class Ok:
    """Heard."""


@dataclass(frozen=True)
class OwnSuggestion:
    """The reply to `Suggest`."""

    cards: Triple


@dataclass(frozen=True)
class Show:
    """The reply to `Disprove`."""

    card: int


@dataclass(frozen=True)
class OwnAccusation:
    """The reply to `Accuse`; None is `-`, no accusation."""

    cards: Triple | None


@dataclass(frozen=True)
class Dead:
    """The reply to `Done`."""


Reply: TypeAlias = Alive | Ok | OwnSuggestion | Show | OwnAccusation | Dead

REPLY_TO: dict[type[Message], tuple[type[Reply], str]] = {
    Reset: (Ok, REPLY_FORMS["ok"]),
    Suggest: (OwnSuggestion, REPLY_FORMS["suggest"]),
    Disprove: (Show, REPLY_FORMS["show"]),
    HeardSuggestion: (Ok, REPLY_FORMS["ok"]),
    Accuse: (OwnAccusation, f"- or {REPLY_FORMS['accuse']}"),
    Accusation: (Ok, REPLY_FORMS["ok"]),
    Done: (Dead, REPLY_FORMS["dead"]),
}
"""Which reply each message asks for, and how that is written."""


# --- Writing ------------------------------------------------------------------------------------------------------------


def _codes(cards: tuple[int, ...], edition: Edition) -> str:
    return " ".join(edition.codes[card] for card in cards)


def format_message(message: Message, edition: Edition) -> str:
    """A message as it is sent."""
    match message:
        case Reset(seats, seat, cards):
            return f"reset {seats} {seat} {_codes(cards, edition)}"
        case Suggest():
            return "suggest"
        case Disprove(suggester, cards):
            return f"disprove {suggester} {_codes(cards, edition)}"
        case HeardSuggestion(suggester, _, disprover, shown):
            by = "-" if disprover is None else str(disprover)
            card = "" if shown is None else f" {edition.codes[shown]}"
            return f"suggestion {suggester} {_codes(message.heard, edition)} {by}{card}"
        case Accuse():
            return "accuse"
        case Accusation(player, cards, right):
            return f"accusation {player} {_codes(cards, edition)} {'+' if right else '-'}"
        case Done():
            return "done"


def format_reply(reply: Reply, edition: Edition) -> str:
    """A reply as it is sent."""
    match reply:
        case Alive(identifier):
            return f"{identifier} alive"
        case Ok():
            return "ok"
        case OwnSuggestion(cards):
            return f"suggest {_codes(cards, edition)}"
        case Show(card):
            return f"show {edition.codes[card]}"
        case OwnAccusation():
            return "-" if reply.cards is None else f"accuse {_codes(reply.cards, edition)}"
        case Dead():
            return "dead"


# --- Reading ------------------------------------------------------------------------------------------------------------


def decode_message(message: bytes) -> str:
    """The text of a message as it came; BadNotation where it is not printable ASCII."""
    text = message.strip(b"\r\n\0")
    for byte in text:
        if not 0x20 <= byte < 0x7F:
            raise BadNotation(f"{_shown(text)}: a message is printable ASCII, which the byte 0x{byte:02x} is not")
    return text.decode("ascii")


def parse_message(text: str, edition: Edition) -> Message:
    """What a message of the server means, in any case; BadNotation says what would be right."""
    word, rest = _split(text, FORMS, "message")
    match word:
        case "reset":
            return _reset(text, rest, edition)
        case "disprove":
            _expect(text, rest, (4,), FORMS[word])
            return Disprove(_seat(text, rest[0]), _triple(text, rest[1:], edition))
        case "suggestion":
            return _suggested(text, rest, edition)
        case "accusation":
            _expect(text, rest, (5,), FORMS[word])
            if rest[4] not in {"+", "-"}:
                raise BadNotation(f"{_shown(text)}: an accusation ends in + (right) or - (wrong), not {rest[4]!r:.20}")
            return Accusation(_seat(text, rest[0]), _triple(text, rest[1:4], edition), rest[4] == "+")
    _expect(text, rest, (0,), FORMS[word])
    return Suggest() if word == "suggest" else Accuse() if word == "accuse" else Done()


def parse_reply(text: str, edition: Edition) -> Reply:
    """What a reply of a program means, in any case; BadNotation says what would be right."""
    greeting = parse_greeting(text)
    if greeting is not None:
        return greeting
    word, rest = _split(text, REPLY_FORMS, "reply")
    match word:
        case "suggest":
            _expect(text, rest, (3,), REPLY_FORMS[word])
            return OwnSuggestion(_triple(text, rest, edition))
        case "show":
            _expect(text, rest, (1,), REPLY_FORMS[word])
            return Show(_card(text, rest[0], edition))
        case "accuse":
            _expect(text, rest, (3,), REPLY_FORMS[word])
            return OwnAccusation(_triple(text, rest, edition))
    _expect(text, rest, (0,), REPLY_FORMS[word])
    return Ok() if word == "ok" else Dead() if word == "dead" else OwnAccusation(None)


def parse_greeting(text: str) -> Alive | None:
    """The greeting of a program, in any case, None where it is something else; BadNotation where it has no name for a program."""
    name, _, word = text.strip().rpartition(" ")
    return Alive(check_identifier(name.strip())) if name and word.lower() == "alive" else None


def check_identifier(name: str) -> str:
    """A name that a program may have; BadNotation says what would be right."""
    if not name or len(name) > MAX_IDENTIFIER or any(not "!" <= letter <= "~" for letter in name):
        raise BadNotation(
            f"a program cannot be called {name!r:.80}; a name is 1 to {MAX_IDENTIFIER} printable ASCII characters, no spaces"
        )
    return name


def _shown(text: str | bytes) -> str:
    """A message as a person is shown it: quoted and not too long."""
    return f"{text!r:.80}"


def _split(text: str, forms: dict[str, str], kind: str) -> tuple[str, list[str]]:
    words = text.split()
    if not words:
        raise BadNotation(f"nothing is no {kind}; it begins with {', '.join(forms)}")
    first = words[0].lower()
    if first not in forms:
        close = difflib.get_close_matches(first, forms, n=1)
        hint = f"; did you mean {close[0]!r}?" if close else ""
        raise BadNotation(f"{_shown(text)} is no {kind}{hint}; it begins with {', '.join(forms)}")
    return first, words[1:]


def _expect(text: str, rest: list[str], counts: tuple[int, ...], form: str) -> None:
    if len(rest) not in counts:
        raise BadNotation(f"{_shown(text)} has {len(rest)} words after the first; right is: {form}")


def _number(text: str, word: str, what: str, low: int, high: int) -> int:
    if not (word.isascii() and word.isdecimal() and len(word) == 1 and low <= int(word) <= high):
        raise BadNotation(f"{_shown(text)}: {what} is a number from {low} to {high}, not {word!r:.20}")
    return int(word)


def _seat(text: str, word: str) -> int:
    return _number(text, word, "a player", 0, MAX_SEATS - 1)


def _card(text: str, word: str, edition: Edition, category: int | None = None) -> int:
    pool = range(len(edition.codes)) if category is None else edition.cards(category)
    for card in pool:
        if edition.codes[card].lower() == word.lower():
            return card
    what = "card" if category is None else SINGULAR[category]
    raise BadNotation(f"{_shown(text)}: no {what} has the code {word!r:.20}; there are {_codes(tuple(pool), edition)}")


def _triple(text: str, words: list[str], edition: Edition) -> Triple:
    suspect, weapon, location = (_card(text, word, edition, category) for category, word in enumerate(words))
    return suspect, weapon, location


def _reset(text: str, rest: list[str], edition: Edition) -> Reset:
    if len(rest) < 3:
        raise BadNotation(f"{_shown(text)} has {len(rest)} words after the first; right is: {FORMS['reset']}")
    seats = _number(text, rest[0], "the number of players", MIN_SEATS, MAX_SEATS)
    seat = _number(text, rest[1], "the own place", 0, seats - 1)
    cards = tuple(_card(text, word, edition) for word in rest[2:])
    if len(set(cards)) < len(cards):
        raise BadNotation(f"{_shown(text)} deals a card twice")
    return Reset(seats, seat, cards)


def _suggested(text: str, rest: list[str], edition: Edition) -> HeardSuggestion:
    _expect(text, rest, (5, 6), FORMS["suggestion"])
    suggester, cards = _seat(text, rest[0]), _triple(text, rest[1:4], edition)
    if rest[4] == "-":
        if len(rest) == 6:
            raise BadNotation(f"{_shown(text)}: where nobody disproves (-) no card is shown")
        return HeardSuggestion(suggester, cards)
    disprover = _seat(text, rest[4])
    if disprover == suggester:
        raise BadNotation(f"{_shown(text)}: nobody disproves their own suggestion")
    shown = _card(text, rest[5], edition) if len(rest) == 6 else None
    return HeardSuggestion(suggester, cards, disprover, shown)
