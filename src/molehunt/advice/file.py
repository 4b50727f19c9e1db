"""A session with the adviser as one file of JSON: names for people to read, and nothing that is not needed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from molehunt.advice.deal import Board, Deal
from molehunt.advice.entries import Entry, Left, OneOf, Seen, Stands
from molehunt.advice.entry_faults import in_entry
from molehunt.advice.session import AdviceSession, Adviser
from molehunt.core.errors import BadInput
from molehunt.core.language import _, later
from molehunt.games.entry import canonical_name
from molehunt.games.speed_clue.edition import BUILT_IN, CATEGORIES, Edition, load_edition, read_edition
from molehunt.games.speed_clue.suggestions import Accusation, HeardSuggestion

FORMAT = 1
GAME = "speed_clue"
NO_PLAYER = later("no player is called {text}; there are {names}")
NO_CARD = later("no card is called {text}; there are {names}")
NO_ROOM = later("no room is called {text}; there are {names}")


class _Suggested(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="what", tag="suggestion"):
    by: str
    cards: tuple[str | None, str | None, str | None]
    shown_by: str | None
    card: str | None


class _Accused(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="what", tag="accusation"):
    by: str
    cards: tuple[str, str, str]
    right: bool


class _Saw(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="what", tag="seen"):
    player: str
    card: str
    has: bool


class _OneOf(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="what", tag="one of"):
    player: str
    cards: tuple[str, ...]


class _Stands(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="what", tag="stands"):
    player: str
    room: str | None


class _Left(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="what", tag="left"):
    player: str
    cards: tuple[str, ...]


class _Board(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    turns: float


_Entry = _Suggested | _Accused | _Saw | _OneOf | _Stands | _Left
ENVELOPE = "envelope"
"""Where a card was seen that is no player's."""


class _File(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """`advice` is the version of the format; `cards` a built-in card set by its name, or a whole one as in its own file.

    Of a suggestion, null is a card that was not heard. `board` is there where rooms are named where one stands.
    """

    advice: int
    game: str
    cards: str | dict[str, Any]
    players: tuple[str, ...]
    me: str
    hand: tuple[str, ...]
    hand_sizes: tuple[int, ...]
    entries: tuple[_Entry, ...]
    face_up: tuple[str, ...] = ()
    board: _Board | None = None


def to_json(session: AdviceSession) -> bytes:
    """The session as a file; of what can be undone only the entries are kept."""
    deal = session.deal
    edition, names = deal.edition, deal.edition.names
    file = _File(
        FORMAT,
        GAME,
        edition.name if edition.name in BUILT_IN else _edition_data(edition),
        deal.names,
        deal.names[deal.me],
        tuple(names[card] for card in deal.hand),
        deal.sizes,
        tuple(_kept(entry, deal) for entry in session.entries),
        tuple(names[card] for card in deal.face_up),
        None if deal.board is None else _Board(deal.board.turns),
    )
    return msgspec.json.format(msgspec.json.encode(file), indent=1) + b"\n"


def from_json(data: bytes, adviser: Adviser | None = None) -> AdviceSession:
    """The session of a file; BadInput says what is wrong with it."""
    try:
        file = msgspec.json.decode(data, type=_File)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise BadInput(_("this is not a game that the adviser has saved: {why}", why=error)) from None
    if file.advice != FORMAT or canonical_name(file.game) != GAME:
        raise BadInput(
            _(
                "the file holds {game} in format {number}; this program reads speed_clue in format {known}",
                game=file.game,
                number=file.advice,
                known=FORMAT,
            )
        )
    if isinstance(file.cards, str):
        if file.cards not in BUILT_IN:
            named = f"{file.cards!r:.40}"
            raise BadInput(
                _("there is no card set {name}; built in are {known}", name=named, known=", ".join(BUILT_IN))
            )
        edition = load_edition(file.cards)
    else:
        edition = read_edition("of the file", msgspec.json.encode(file.cards).decode())
    me = find_exactly(file.me, file.players, NO_PLAYER)
    hand = tuple(find_exactly(card, edition.names, NO_CARD) for card in file.hand)
    face_up = tuple(find_exactly(card, edition.names, NO_CARD) for card in file.face_up)
    board = None if file.board is None else Board(file.board.turns)
    deal = Deal(edition, file.players, me, hand, file.hand_sizes, face_up, board)
    entries = []
    for number, entry in enumerate(file.entries, start=1):
        try:
            entries.append(_read(entry, deal))
        except BadInput as error:
            raise in_entry(number, str(error)) from None
    return AdviceSession.taken_up(deal, entries, adviser)


def entry_data(entry: Entry, deal: Deal) -> dict[str, Any]:
    """An entry as the file has it, as values for JSON."""
    data: dict[str, Any] = msgspec.to_builtins(_kept(entry, deal))
    return data


def _kept(entry: Entry, deal: Deal) -> _Entry:
    """An entry as the file has it."""
    names, players = deal.edition.names, (*deal.names, ENVELOPE)
    if isinstance(entry, Seen):
        return _Saw(players[entry.place], names[entry.card], entry.has)
    if isinstance(entry, Left):
        return _Left(players[entry.player], tuple(names[card] for card in entry.cards))
    if isinstance(entry, OneOf):
        return _OneOf(players[entry.player], tuple(names[card] for card in entry.cards))
    if isinstance(entry, Stands):
        return _Stands(players[entry.player], None if entry.room is None else names[entry.room])
    if isinstance(entry, Accusation):
        suspect, weapon, location = (names[card] for card in entry.cards)
        return _Accused(players[entry.by], (suspect, weapon, location), entry.right)
    first, second, third = (None if card is None else names[card] for card in entry.cards)
    shown_by = None if entry.disprover is None else players[entry.disprover]
    card = None if entry.card is None else names[entry.card]
    return _Suggested(players[entry.by], (first, second, third), shown_by, card)


def _read(entry: _Entry, deal: Deal) -> Entry:
    """An entry of a file; BadInput where a name is none."""

    def player(name: str) -> int:
        return find_exactly(name, deal.names, NO_PLAYER)

    def card(name: str) -> int:
        return find_exactly(name, deal.edition.names, NO_CARD)

    if isinstance(entry, _Saw):
        return Seen(deal.players if entry.player == ENVELOPE else player(entry.player), card(entry.card), entry.has)
    if isinstance(entry, _Left):
        return Left(player(entry.player), tuple(card(name) for name in entry.cards))
    if isinstance(entry, _OneOf):
        return OneOf(player(entry.player), tuple(card(name) for name in entry.cards))
    if isinstance(entry, _Stands):
        return Stands(player(entry.player), None if entry.room is None else card(entry.room))
    if isinstance(entry, _Accused):
        suspect, weapon, location = (card(name) for name in entry.cards)
        return Accusation(player(entry.by), (suspect, weapon, location), entry.right)
    first, second, third = (None if name is None else card(name) for name in entry.cards)
    shown_by = None if entry.shown_by is None else player(entry.shown_by)
    shown = None if entry.card is None else card(entry.card)
    return HeardSuggestion(player(entry.by), (first, second, third), shown_by, shown)


def find_exactly(name: str, names: Sequence[str], none: str) -> int:
    """The number of an exact name; BadInput where there is none: `none`, such as NO_CARD, says so."""
    if name not in names:
        raise BadInput(_(none, text=f"{name!r:.40}", names=", ".join(names)))
    return names.index(name)


def _edition_data(edition: Edition) -> dict[str, Any]:
    """A card set as `read_edition` reads it."""
    kinds = {
        title: {edition.names[card]: edition.codes[card] for card in edition.cards(category)}
        for category, title in enumerate(CATEGORIES)
    }
    return {"title": edition.title, **kinds}
