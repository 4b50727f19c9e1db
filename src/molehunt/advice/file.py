"""A session with the adviser as one file of JSON: names for people to read, and nothing that is not needed."""

from __future__ import annotations

from typing import Any

import msgspec

from molehunt.advice.entries import Accusation, Deal, Entry, Seen, Suggestion, Triple
from molehunt.advice.session import AdviceSession, Adviser
from molehunt.core.errors import BadInput
from molehunt.games.speed_clue.edition import BUILT_IN, CATEGORIES, Edition, load_edition, read_edition

FORMAT = 1


class _Suggested(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="what", tag="suggestion"):
    by: str
    cards: tuple[str, str, str]
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


class _File(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`advice` is the version of the format; `cards` a built-in card set by its name, or a whole one as in its own file."""

    advice: int
    game: str
    cards: str | dict[str, Any]
    players: tuple[str, ...]
    me: str
    hand: tuple[str, ...]
    hand_sizes: tuple[int, ...]
    entries: tuple[_Suggested | _Accused | _Saw, ...]


def to_json(session: AdviceSession) -> bytes:
    """The session as a file; what can be undone is not kept."""
    deal = session.deal
    edition, names = deal.edition, deal.edition.names

    def triple(cards: Triple) -> tuple[str, str, str]:
        return names[cards[0]], names[cards[1]], names[cards[2]]

    def kept(entry: Entry) -> _Suggested | _Accused | _Saw:
        if isinstance(entry, Seen):
            return _Saw(deal.names[entry.player], names[entry.card], entry.has)
        if isinstance(entry, Accusation):
            return _Accused(deal.names[entry.by], triple(entry.cards), entry.right)
        shown_by = None if entry.disprover is None else deal.names[entry.disprover]
        card = None if entry.card is None else names[entry.card]
        return _Suggested(deal.names[entry.by], triple(entry.cards), shown_by, card)

    file = _File(
        FORMAT,
        "speed_clue",
        edition.name if edition.name in BUILT_IN else _edition_data(edition),
        deal.names,
        deal.names[deal.me],
        tuple(names[card] for card in deal.hand),
        deal.sizes,
        tuple(kept(entry) for entry in session.entries),
    )
    return msgspec.json.format(msgspec.json.encode(file), indent=1) + b"\n"


def from_json(data: bytes, adviser: Adviser | None = None) -> AdviceSession:
    """The session of a file; BadInput says what is wrong with it."""
    try:
        file = msgspec.json.decode(data, type=_File)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise BadInput(f"this is not a game that the adviser has saved: {error}") from None
    if file.advice != FORMAT or file.game != "speed_clue":
        raise BadInput(
            f"the file holds {file.game} in format {file.advice}; this program reads speed_clue in format {FORMAT}"
        )
    if isinstance(file.cards, str):
        if file.cards not in BUILT_IN:
            raise BadInput(f"there is no card set {file.cards!r:.40}; built in are {', '.join(BUILT_IN)}")
        edition = load_edition(file.cards)
    else:
        edition = read_edition("of the file", msgspec.json.encode(file.cards).decode())
    me = _place(file.me, file.players, "player")
    hand = tuple(_place(card, edition.names, "card") for card in file.hand)
    deal = Deal(edition, file.players, me, hand, file.hand_sizes)
    entries = []
    for number, entry in enumerate(file.entries, start=1):
        try:
            entries.append(_read(entry, deal))
        except BadInput as error:
            raise BadInput(f"entry {number}: {error}") from None
    return AdviceSession(deal, entries, adviser)


def _read(entry: _Suggested | _Accused | _Saw, deal: Deal) -> Entry:
    cards, players = deal.edition.names, deal.names
    if isinstance(entry, _Saw):
        return Seen(_place(entry.player, players, "player"), _place(entry.card, cards, "card"), entry.has)
    first, second, third = (_place(card, cards, "card") for card in entry.cards)
    by = _place(entry.by, players, "player")
    if isinstance(entry, _Accused):
        return Accusation(by, (first, second, third), entry.right)
    shown_by = None if entry.shown_by is None else _place(entry.shown_by, players, "player")
    card = None if entry.card is None else _place(entry.card, cards, "card")
    return Suggestion(by, (first, second, third), shown_by, card)


def _place(name: str, names: tuple[str, ...], what: str) -> int:
    """The number of an exact name; BadInput where there is none."""
    if name not in names:
        raise BadInput(f"no {what} is called {name!r:.40}; there are {', '.join(names)}")
    return names.index(name)


def _edition_data(edition: Edition) -> dict[str, Any]:
    """A card set as `read_edition` reads it."""
    kinds = {
        title: {edition.names[card]: edition.codes[card] for card in edition.cards(category)}
        for category, title in enumerate(CATEGORIES)
    }
    return {"title": edition.title, **kinds}
