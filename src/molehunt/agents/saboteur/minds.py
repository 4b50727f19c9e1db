"""What the compiled players of 2016 and 2019 have in common as agents: memory, batches, and reasons in words."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from molehunt.agents.saboteur.prospects import PROSPECTS
from molehunt.agents.saboteur.valuing import ValuingAgent
from molehunt.core.agent import Rows, check_seating, seen_from
from molehunt.core.errors import BadInput, value_text
from molehunt.core.game import Game, Views
from molehunt.core.kernels import kernel
from molehunt.core.language import _
from molehunt.core.memory import CONSTANT_PART, SCRATCH_PART
from molehunt.core.panels import Bar, Bars, Panel, seat_name
from molehunt.core.places import place_said
from molehunt.core.specs import as_record
from molehunt.core.words import counted, number_said
from molehunt.games.playing import array_at
from molehunt.games.saboteur.actions import DISCARD, is_said, unpack
from molehunt.games.saboteur.cards import (
    CARD_NAMES,
    CLAIMED_GOLD,
    CLAIMED_STONE,
    GOAL_NAMES,
    GOAL_PLACES,
    GOLD,
    MINER,
    NO_CARD,
    ROLE_NAMES,
    UNKNOWN_GOAL,
)
from molehunt.games.saboteur.game import Saboteur, check_game
from molehunt.games.saboteur.maze import MAX_OPENED, copy_maze, follow_goals, lay_out
from molehunt.games.saboteur.rules import claim_action
from molehunt.games.saboteur.ruleset import MAX_HAND, MAX_SEATS
from molehunt.games.saboteur.state import (
    MAX_ENDS,
    MAX_TILES,
    MAZE,
)
from molehunt.reading.saboteur.knowledge import SCORES, deduce, learn_goals

MIND = np.dtype(
    [
        ("stream", np.uint64, (1,)),
        ("maze", MAZE),  # as it was after the last event; of use where `behind` is 0
        ("behind", np.int64),  # how many chairs before it in the memory is the chair whose maze it shares
        ("trust", np.float64, (MAX_SEATS,)),
        ("repair", np.float64),  # the value of a repair, where it grows with time
        ("goals", np.int8, (3,)),  # what is known of the goals, deductions included
        ("revealed", np.int64),  # the goals that lie open, as a set
        ("role", np.int64),
        ("seat", np.int64),
        ("seats", np.int64),
        ("saboteurs", np.int64),
        ("rates_itself", np.int64),  # 1 once the self-target fault has made the chair one of those whose trust it keeps
    ]
)
"""The memory of one chair."""

SCRATCH = np.dtype(
    [
        ("ends", np.int16, (MAX_ENDS,)),
        ("tiles", np.int16, (MAX_TILES,)),
        ("prospects", PROSPECTS, (1,)),
        ("values", np.float64, (MAX_HAND,)),
        ("actions", np.int32, (MAX_HAND,)),
        # What the card of an event changed.
        ("before", np.int16, (MAX_OPENED,)),
        ("after", np.int16, (MAX_OPENED,)),
        ("count_before", np.int64),
        ("count_after", np.int64),
        ("valued", np.int64),
        ("changes", np.float64, (2, SCORES)),
    ]
)
"""Scratch for a view or an event.

`ends` and `tiles` are the open ends and the path cards in the order of their cells, in which these players go through them: so ties
are broken the same way whatever the history of a maze. `before` and `after` are the cells that tunnels opened onto before and after
the card of an event, and `changes` is what it changed to each role and score, for those in the set `valued`.
"""


@kernel
def claim(goals: Any, role: int, claiming: int) -> int:
    """What is said after a map: the truth by a miner, the opposite by a saboteur. The papers' players know no talk."""
    goal = claiming - 1
    honest = CLAIMED_GOLD if goals[goal] == GOLD else CLAIMED_STONE
    return claim_action(goal, honest if role == MINER else CLAIMED_GOLD + CLAIMED_STONE - honest)


@kernel
def follow_turn(maze: Any, event: Any, params: Any) -> None:
    """Do to a maze what followed the card of an event: goals turned over, and where a new round began, all is laid out anew."""
    follow_goals(maze, event, params)
    if event.ended and event.role >= 0:
        lay_out(maze, params)


@kernel
def finish(mind: Any, event: Any, trust: float, repair: float) -> None:
    """The end of a turn: the goals that it showed, and everything forgotten where a new round begins."""
    if event.seen != UNKNOWN_GOAL or event.revealed:
        learn_goals(mind.goals, event)
        mind.revealed |= event.revealed
    if event.ended and event.role >= 0:
        mind.trust[:] = trust
        mind.repair = repair
        mind.goals[:] = 0
        mind.revealed = 0
        mind.role = event.role
        mind.rates_itself = 0


@kernel
def moves_of_others(view: Any) -> int:
    """How many cards the others have played or discarded in this round: seats move in turn."""
    moves = 0
    for kind in range(len(view.played)):
        moves += view.played[kind]
    seats = view.seats
    for seat in range(seats):
        moves += view.discard_counts[seat]
    mover = view.to_move
    # Who makes a claim has played a card and is to move still.
    last = mover if view.claiming else (mover + seats - 1) % seats
    own = 0
    for back in range(moves):
        own += (last - back) % seats == view.seat
    return moves - own


@kernel
def sit_down(minds: Any, views: Any, growth: float) -> None:
    """Minds take in what their views tell of a round that may have begun; `growth` is that of a repair with each move of others."""
    for index in range(len(minds)):
        mind, view = minds[index], views[index]
        copy_maze(view.maze, mind.maze)
        mind.goals[:] = view.goals
        deduce(mind.goals)
        mind.revealed = view.revealed
        mind.repair += growth * moves_of_others(view)


@kernel
def part(minds: Any) -> None:
    """Give each mind the maze that it shares with one before it."""
    for chair in range(len(minds)):
        if minds[chair].behind:
            copy_maze(minds[chair - minds[chair].behind].maze, minds[chair].maze)
            minds[chair].behind = 0


RECORDS, PARAMETERS, TABLES, SCRATCHES, PARAMS = range(0, 10, 2)
"""Where compiled loops find the parts of a memory: the address and the length of each."""
MEMORY_NUMBERS = 10
"""How many numbers that are."""

minds_at = array_at(MIND)
scratch_at = array_at(SCRATCH)
params_at = array_at(np.int64, readonly=True)


@dataclass
class Minds:
    """The memory of all chairs of an agent: `records` of dtype MIND, and what its kernels read besides."""

    records: npt.NDArray[Any]
    params: npt.NDArray[np.int64] = field(metadata=CONSTANT_PART)
    parameters: npt.NDArray[Any] = field(metadata=CONSTANT_PART)
    tables: npt.NDArray[Any] = field(metadata=CONSTANT_PART)
    scratch: npt.NDArray[Any] = field(metadata=SCRATCH_PART)

    @property
    def seats(self) -> npt.NDArray[np.int64]:
        """The seat of each chair."""
        result: npt.NDArray[np.int64] = self.records["seat"]
        return result


def playable_cards(legal: Sequence[int]) -> frozenset[int]:
    """The cards that the rules allow to be played, by the legal actions: not those that can only be thrown away."""
    taken_apart = (unpack(action) for action in legal)
    return frozenset(card for play, card, *_rest in taken_apart if play != DISCARD and not is_said(play))


class TrustAgent(ValuingAgent):
    """A compiled player with trust. Subclasses name their functions and build their tables."""

    def __init__(self, name: str, parameters: Any) -> None:
        self.name = name
        self.parameters = parameters

    def tables(self, game: Saboteur) -> npt.NDArray[Any]:
        """What the kernels look up, as an array of one record."""
        raise NotImplementedError

    def first_trust(self) -> float:
        """The trust in everybody at the start."""
        raise NotImplementedError

    def first_repair(self) -> float:
        """The value of a repair at the start."""
        raise NotImplementedError

    def repair_growth(self) -> float:
        """How much the value of a repair grows with each move of another player."""
        return 0.0

    def start(self, game: Game, views: Views, streams: npt.NDArray[np.uint64]) -> Minds:
        game = check_game(self.name, game)
        check_seating(game, views, streams)
        minds = np.zeros(len(views), MIND)
        minds["stream"][:, 0] = streams
        minds["trust"] = self.first_trust()
        minds["repair"] = self.first_repair()
        for name in ("role", "seat", "seats"):
            minds[name] = views[name]
        minds["saboteurs"] = views["saboteur_count"]
        sit_down(minds, views, self.repair_growth())
        return Minds(minds, game.params, as_record(self.parameters), self.tables(game), np.zeros(1, SCRATCH))

    def sit_together(self, memory: Minds, games: Rows) -> None:
        """The first chair of each game keeps the maze, and the others look there."""
        if np.shape(games) != (len(memory.records),):
            raise BadInput(f"each of {counted(len(memory.records), 'chair')} sits in a game, not {value_text(games)}")
        first = np.flatnonzero(np.r_[True, games[1:] != games[:-1]])
        memory.records["behind"] = np.arange(len(games)) - np.repeat(first, np.diff(np.r_[first, len(games)]))

    def sit_apart(self, memory: Minds) -> None:
        """Each chair has a maze of its own again."""
        part(memory.records)

    def parts(self, memory: Minds) -> tuple[npt.NDArray[Any], ...]:
        return memory.records, memory.parameters, memory.tables, memory.scratch, memory.params

    def valued_by(self, memory: Minds, row: int) -> tuple[npt.NDArray[Any], ...]:
        return memory.parameters, memory.tables, memory.scratch, memory.params

    def beliefs(self, game: Game, view: Any, memory: Any, row: int) -> tuple[Panel, ...]:
        """The trust in each player, the chair itself included once it rates itself."""
        mind = memory.records[row]
        players = [seat for seat in range(int(mind["seats"])) if seat != mind["seat"] or mind["rates_itself"]]
        trust = {seat: float(mind["trust"][seat]) for seat in players}
        # Infinite trust, from a card that left no cell to be reached or opened the first one, is as far as the scale goes.
        finite = [value for value in trust.values() if math.isfinite(value)]
        low, high = min([-1.0, *finite]), max([1.0, *finite])
        bars = tuple(
            Bar(seat_name(seat), min(max(value, low), high), number_said(value, ".2f")) for seat, value in trust.items()
        )
        return (Bars(_("Trust"), low, high, bars),)

    def why(self, game: Game, view: Any, memory: Any, row: int) -> str:
        view = seen_from(memory, view, row)
        if view["claiming"][0]:
            return _("A miner says what they saw on the map; a saboteur says the opposite.")
        values, actions = self.consider(view, memory, row)
        mind = memory.records[row]
        others = [
            f"{seat_name(int(seat))} {number_said(mind['trust'][seat], '.2f')}"
            for seat in np.argsort(-mind["trust"][: mind["seats"]], kind="stable")
            if seat != mind["seat"] or mind["rates_itself"]
        ]
        goals = [
            f"{place_said(place)} {_(GOAL_NAMES[content] if content < len(GOAL_NAMES) else 'a stone')}"
            for place, content in zip(GOAL_PLACES, mind["goals"].tolist(), strict=True)
        ]
        move = int(self.act(view, self.take(memory, np.array([row])), np.zeros(1, np.int64))[0])
        said = {"move": game.format_action(move)}
        choice = (
            _("I choose {move}: none of my cards that are of use now is worth enough to me.", **said)
            if unpack(move)[0] == DISCARD
            else _("I choose {move}: of my cards that are of use now none is worth more to me.", **said)
        )
        role = _("I am a {role}.", role=_(ROLE_NAMES[mind["role"]]))
        seen = _("Goals: {goals}.", goals=", ".join(goals))
        lines = [f"{choice} {role} {seen} {_('Trust: {trust}.', trust=', '.join(others))}"]
        allowed = playable_cards(game.legal_actions(view).codes)
        for slot in np.argsort(-values, kind="stable"):
            card = int(view["hand"][0, slot])
            if card != NO_CARD:
                unused = _("of no use now") if card in allowed else _("cannot be played")
                best = game.format_action(int(actions[slot])) if actions[slot] >= 0 else unused
                lines.append(f"{CARD_NAMES[card]:>20}  {number_said(values[slot], '8.3f')}  {best}")
        return "\n".join(lines)
