"""Views and events as objects with names, for people and for players in plain Python."""

from __future__ import annotations

from collections import Counter
from functools import cache, cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from molehunt.core.friendly import FriendlyEvent, FriendlyView, names_in
from molehunt.core.game import LegalActions
from molehunt.core.seats import NOBODY, seat_or_none
from molehunt.games.saboteur.cards import (
    CARD_NAMES,
    CLAIM_NAMES,
    FACE_DOWN_CODE,
    FIRST_GOAL_CODE,
    GOAL_NAMES,
    GOAL_PLACES,
    NO_CARD,
    ROLE_NAMES,
    START_CELL_CODE,
    TOOLS,
)
from molehunt.games.saboteur.gold import gold_bounds
from molehunt.games.saboteur.ruleset import DECK_CARDS, cell_place
from molehunt.games.saboteur.state import (
    EVENT,
    NOT_KNOWN,
    OUTCOME_NAMES,
    VIEW,
)

if TYPE_CHECKING:
    from molehunt.games.saboteur.game import Saboteur

Cell = tuple[int, int]
_NUMBERS = VIEW[["seat", "seats", "role", "saboteur_count", "round", "gold_rounds", "turn", "to_move", "drawn"]]
"""Fields of a view that are read at once, as one by one they take several times as long."""
_FIELDS: tuple[str, ...] = EVENT.names or ()


@cache
def code_name(code: int) -> tuple[str, bool]:
    """(name, turned) of what lies on a cell: a card's name, "start", "goal" (face down), "gold", "rock1", "rock2"."""
    if code == START_CELL_CODE:
        return "start", False
    if code == FACE_DOWN_CODE:
        return "goal", False
    if code >= FIRST_GOAL_CODE:
        content, turned = divmod(code - FIRST_GOAL_CODE, 2)
        return GOAL_NAMES[content + 1], bool(turned)
    card, turned = divmod(code - 1, 2)
    return CARD_NAMES[card], bool(turned)


class View(FriendlyView):
    """What one seat knows. Everything here is named as on the table; `legal_actions` is empty when others move.

    The public view is of seat -1 (`core.seats.NOBODY`), which has no hand and no role ("").
    """

    game: Saboteur
    """The rules of the game; `game.ruleset` are those that differ between rulesets."""
    record: npt.NDArray[np.void]
    """The underlying array of one record, for those who want the numbers."""
    seat: int
    """Whose view this is."""
    seats: int
    """How many sit at the game."""
    role: str
    """The own role: "miner" or "saboteur"."""
    saboteurs: int
    """How many saboteurs there are, the most where `saboteurs_hidden`."""
    saboteurs_hidden: bool
    """Whether a role card stays face down, so that there may be a saboteur less."""
    round: int
    """The round, from 0."""
    rounds: int
    """How many rounds are played."""
    gold_rounds: int
    """In how many rounds the gold was reached."""
    turn: int
    """How many moves were made in the game."""
    to_move: int | None
    """The seat to move, None when the game is over."""
    deck_left: int
    """How many cards are left in the deck."""

    def __init__(self, game: Saboteur, record: Any) -> None:
        self.game = game
        self.record = record
        self._view = record[0]
        numbers = record.view(_NUMBERS)[0].item()
        self.seat, self.seats, role, self.saboteurs, self.round, self.gold_rounds, self.turn, to_move, drawn = numbers
        self.role = ROLE_NAMES[role] if self.seat >= 0 else ""
        self.saboteurs_hidden = game.ruleset.hidden_role
        self.rounds = game.ruleset.rounds
        self.to_move = seat_or_none(to_move)
        self.deck_left = int(game.params[DECK_CARDS]) - drawn

    @property
    def hand(self) -> tuple[str, ...]:
        """The names of the cards in hand, the oldest first."""
        return tuple(CARD_NAMES[card] for card in self._view["hand"].tolist() if card != NO_CARD)

    @property
    def hand_sizes(self) -> tuple[int, ...]:
        """How many cards each seat holds."""
        return tuple(self._view["hand_sizes"][: self.seats].tolist())

    @property
    def broken(self) -> tuple[frozenset[str], ...]:
        """The broken tools in front of each seat."""
        return tuple(names_in(mask, TOOLS) for mask in self._view["broken"][: self.seats].tolist())

    @property
    def goals(self) -> dict[str, str | None]:
        """What this seat has seen on each goal: "gold", "rock1", "rock2", or None."""
        return {
            place: GOAL_NAMES[content] if content else None
            for place, content in zip(GOAL_PLACES, self._view["goals"].tolist(), strict=True)
        }

    @property
    def goal_cells(self) -> dict[str, Cell]:
        """Where each goal lies, the same in all rounds."""
        return dict(zip(GOAL_PLACES, self.game.ruleset.goals, strict=True))

    @property
    def revealed(self) -> frozenset[str]:
        """The goals that lie open for all."""
        return names_in(int(self._view["revealed"]), GOAL_PLACES)

    @property
    def looked(self) -> tuple[frozenset[str], ...]:
        """The goals that each seat has looked at with a map."""
        return tuple(names_in(mask, GOAL_PLACES) for mask in self._view["looked"][: self.seats].tolist())

    @property
    def claims(self) -> tuple[dict[str, str], ...]:
        """What each seat last claimed of goals that it looked at in this round: "gold" or "stone" by place."""
        return tuple(
            {place: CLAIM_NAMES[claim] for place, claim in zip(GOAL_PLACES, row, strict=True) if claim}
            for row in self._view["claims"][: self.seats].tolist()
        )

    @property
    def accused(self) -> tuple[int | None, ...]:
        """Whom each seat last accused in this round, None for nobody."""
        return tuple(None if seat == NOBODY else seat for seat in self._view["accused"][: self.seats].tolist())

    @property
    def asked(self) -> tuple[frozenset[str], ...]:
        """The broken tools for whose repair each seat has asked."""
        return tuple(names_in(mask, TOOLS) for mask in self._view["asked"][: self.seats].tolist())

    @property
    def spoken(self) -> bool:
        """Whether the seat to move has accused or asked before its card."""
        return bool(self._view["spoken"])

    @property
    def nuggets(self) -> tuple[int | None, ...]:
        """The gold of each seat, None where it is kept secret from this one."""
        return tuple(None if count == NOT_KNOWN else count for count in self._view["nuggets"][: self.seats].tolist())

    @cached_property
    def known_gold(self) -> tuple[int | None, ...]:
        """The gold of each seat as far as this one can work it out from the rounds that are over; None where it cannot."""
        if None not in (told := self.nuggets):
            return told
        least, most = gold_bounds(self._view, self.seats)
        return tuple(
            low if known is None and low == high else known for known, low, high in zip(told, least, most, strict=True)
        )

    @property
    def past_roles(self) -> tuple[tuple[str, ...], ...]:
        """The roles of the rounds that are over, which all have seen."""
        return tuple(
            tuple(ROLE_NAMES[role] for role in row[: self.seats])
            for row in self._view["past_roles"][: self.round].tolist()
        )

    @cached_property
    def board(self) -> dict[Cell, tuple[str, bool]]:
        """What lies where: (name, turned) by cell (x, y); "goal" on one that is face down, whatever this seat knows of it."""
        maze = self._view["maze"]
        count = int(maze["tile_count"])
        return {
            cell_place(cell): code_name(code)
            for cell, code in zip(maze["cells"][:count].tolist(), maze["what"][:count].tolist(), strict=True)
        }

    @cached_property
    def reachable(self) -> frozenset[Cell]:
        """The empty cells onto which a tunnel from the start opens."""
        maze = self._view["maze"]
        return frozenset(cell_place(cell) for cell in maze["ends"][: int(maze["end_count"])].tolist())

    @property
    def unseen(self) -> Counter[str]:
        """The cards that this seat has not seen: in the deck, in other hands, or discarded by others."""
        return Counter({CARD_NAMES[kind]: count for kind, count in enumerate(self._view["unseen"].tolist()) if count})

    @cached_property
    def legal_actions(self) -> LegalActions:
        """What this seat may do now."""
        return self.game.legal_actions(self.record)


class Event(FriendlyEvent):
    """What a seat learns of one move."""

    record: np.void
    """The underlying record, for those who want the numbers."""
    turn: int
    """How many moves were made before it."""
    seat: int
    """Who moved."""
    move: str
    """The move in notation, "discard:?" where the card is hidden."""
    seen: str | None
    """What the own map showed: "gold", "rock1", "rock2"; None for all other moves."""
    drew: str | None
    """The card that this seat drew after its own move."""
    mended: frozenset[str]
    """The tools that were mended."""
    removed: tuple[str, bool] | None
    """(name, turned) of the card that a rockfall took away."""
    revealed: dict[str, str]
    """The goals that turned over, and what they are."""
    revealed_cards: dict[str, tuple[str, bool]]
    """The same, with whether the card lies turned by 180 degrees."""
    ended: str | None
    """How the round ended: "gold" or "exhausted"; None while it goes on. What follows is known only then."""
    roles: tuple[str, ...] | None
    """All roles of the round that has ended."""
    gained: int
    """What this seat was paid for it."""
    role: str | None
    """The own role in the next round, if there is one."""

    def __init__(self, game: Saboteur, record: Any) -> None:
        self.record = record
        told = dict(zip(_FIELDS, record.item(), strict=True))  # at once, as one by one they take several times as long
        self.turn, self.seat, self.gained = told["turn"], told["seat"], told["gained"]
        self.move = game.named(told["action"]).text
        self.seen = GOAL_NAMES[told["seen"]] if told["seen"] else None
        self.drew = CARD_NAMES[told["drew"]] if told["drew"] != NO_CARD else None
        self.mended = names_in(told["mended"], TOOLS)
        self.removed = code_name(told["removed"]) if told["removed"] else None
        self.revealed_cards = {
            place: code_name(int(told["goals"][number]))
            for number, place in enumerate(GOAL_PLACES)
            if told["revealed"] >> number & 1
        }
        self.revealed = {place: content for place, (content, _) in self.revealed_cards.items()}
        self.ended = OUTCOME_NAMES[told["ended"] - 1] if told["ended"] else None
        self.roles = tuple(ROLE_NAMES[role] for role in told["roles"][: game.seats].tolist()) if self.ended else None
        self.role = ROLE_NAMES[told["role"]] if told["role"] != NOT_KNOWN else None

    def __str__(self) -> str:
        parts = [f"seat {self.seat}: {self.move}"]
        if self.seen:
            parts.append(f"it is {self.seen}")
        parts += [f"the {place} goal turns over: {content}" for place, content in self.revealed.items()]
        if self.ended:
            saboteurs = [str(seat) for seat, role in enumerate(self.roles or ()) if role == "saboteur"]
            parts.append(f"the round ends: {self.ended}; saboteurs: {', '.join(saboteurs) or 'none'}")
        return ", ".join(parts)
