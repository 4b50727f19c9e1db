"""A person's seat at a real table as the players of the library see one: a game and a view, made from the entries."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields

import numpy as np

from molehunt.advice.deal import MAX_PLAYERS, MIN_PLAYERS, Deal
from molehunt.advice.entries import LOCATION, Asked, Entry, OneOf, Seen, Stands, gone, laid_open
from molehunt.agents.speed_clue.beside import Beside, Known
from molehunt.core.game import Views
from molehunt.games.speed_clue.edition import BUILT_IN, Edition
from molehunt.games.speed_clue.game import SpeedClue
from molehunt.games.speed_clue.notation import pack, pack_entry
from molehunt.games.speed_clue.ruleset import MITCHELL, Ruleset
from molehunt.games.speed_clue.state import (
    ACCUSED,
    AFTER,
    ANSWER,
    FORCED,
    NOBODY_DID,
    NOBODY_YET,
    OVER,
    RIGHT,
    SOLVED,
    TURN,
    VIEW,
)
from molehunt.games.speed_clue.suggestions import Accusation, HeardSuggestion


@dataclass(frozen=True)
class OwnCards(Ruleset):
    """A ruleset with a card set that is given and not looked for under its name."""

    given: Edition | None = None

    @property
    def edition(self) -> Edition:
        return super().edition if self.given is None else self.given


def game_of(deal: Deal) -> SpeedClue:
    """The game that is played at the table: suggestions and accusations as in the rule book, and these cards."""
    same = {field.name: getattr(MITCHELL, field.name) for field in fields(MITCHELL)}
    given = None if deal.edition.name in BUILT_IN else deal.edition
    same |= {"cards": deal.edition.name, "seat_limits": (MIN_PLAYERS, MAX_PLAYERS)}
    return SpeedClue(OwnCards(**same, given=given), deal.players)


def view_of(deal: Deal, entries: Sequence[Entry], asked: Asked | None = None, after: bool = False) -> Views:
    """My view, an array of one record: I am asked, or my turn ends (`after`), or it begins; or the game is over.

    Turns in which nothing was suggested were not entered, so they are not counted; nor are moves. Cards that lie face up count to
    the hand, and so do the cards of those who have left the table, who hold none and have no turns. Suggestions of which not all
    was heard, or that such a player made or answered, are left out: `beside_of` has what they tell.
    """
    away = gone(entries)
    views = np.zeros(1, VIEW)
    view = views[0]
    view["hand"] = sum(1 << card for card in {*deal.hand, *deal.face_up, *laid_open(entries)})
    view["hand_sizes"][: deal.players] = [0 if player in away else size for player, size in enumerate(deal.sizes)]
    view["out"] = sum(1 << player for player in away)
    view["seat"], view["seats"] = deal.me, deal.players
    view["phase"], view["winner"] = TURN, -1
    view["to_move"] = view["on_turn"] = deal.me
    # Who may still accuse in the turn in which they suggested.
    count, turns, open_turn = 0, 1, -1
    rooms: dict[int, int | None] = {}
    for entry in entries:
        if isinstance(entry, Stands):
            rooms[entry.player] = entry.room
        elif isinstance(entry, HeardSuggestion) and _of_those_away(entry, away):
            turns, open_turn = turns + 1, entry.by
        elif isinstance(entry, HeardSuggestion) and entry.whole is not None:
            told = entry.card if deal.me in (entry.by, entry.disprover) else None
            disprover = NOBODY_DID if entry.disprover is None else entry.disprover
            packed = pack_entry(entry.whole, entry.by, disprover, told)
            forced = deal.board is not None or rooms.get(entry.by) == entry.whole[LOCATION]
            view["record"][count] = packed | (FORCED if forced else 0)
            count, turns, open_turn = count + 1, turns + 1, entry.by
        elif isinstance(entry, Accusation):
            view["accusations"][entry.by] = pack(0, *entry.cards) | ACCUSED | (RIGHT if entry.right else 0)
            turns, open_turn = turns + (entry.by != open_turn), -1
            if entry.right:
                view["phase"], view["to_move"], view["outcome"] = OVER, -1, SOLVED
                view["on_turn"] = view["winner"] = entry.by
            else:
                view["out"] |= 1 << entry.by
    if asked is not None:
        view["record"][count] = pack_entry(asked.cards, asked.by, NOBODY_YET, None)
        view["phase"], view["on_turn"] = ANSWER, asked.by
        count += 1
    if after:
        view["phase"] = AFTER
        turns -= 1
    view["suggestion_count"], view["turns"] = count, turns
    return views


def _of_those_away(entry: HeardSuggestion, away: Sequence[int]) -> bool:
    """Whether somebody who has left the table since made a suggestion, or answered it."""
    return entry.by in away or entry.disprover in away


def beside_of(deal: Deal, entries: Sequence[Entry]) -> Beside:
    """What a view has no place for: what became known beside the game or was heard in part, what lies face up, and the pace."""
    found, away = [], gone(entries)
    for entry in entries:
        if isinstance(entry, Seen):
            found.append(Known(entry.place, (entry.card,), entry.has))
        elif isinstance(entry, OneOf):
            found.append(Known(entry.player, entry.cards, has=True))
        elif isinstance(entry, HeardSuggestion):
            found += _known_by(deal, entry, away)
    # Those who have left hold nothing any more: their cards lie open, too.
    found = [known for known in found if known.seat not in away]
    face_up = sum(1 << card for card in {*deal.face_up, *laid_open(entries)})
    shown = tuple(
        (entry.by, entry.card)
        for entry in entries
        if isinstance(entry, HeardSuggestion)
        and (entry.whole is None or _of_those_away(entry, away))
        and entry.disprover == deal.me
        and entry.card is not None
    )
    return Beside(tuple(found), face_up, 1.0 if deal.board is None else 1 / deal.board.turns, shown)


def _known_by(deal: Deal, entry: HeardSuggestion, away: Sequence[int]) -> list[Known]:
    """What a suggestion tells that its place in a record, if it has one, does not."""
    found = []
    apart = entry.whole is None or _of_those_away(entry, away)
    if apart:
        found = [Known(player, entry.heard, has=False) for player in entry.without(deal.players) if player != deal.me]
    if entry.disprover is None or entry.disprover == deal.me:
        return found
    if entry.card is not None and (apart or entry.by != deal.me):
        found.append(Known(entry.disprover, (entry.card,), has=True))
    elif apart:
        found.append(Known(entry.disprover, deal.may_be(entry.cards), has=True))
    return found
