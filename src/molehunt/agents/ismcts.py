"""`ismcts`: information set Monte Carlo tree search, in any game (`search.ismcts`).

With `inference` it reads its own tree as a model of the others and carries weights of role sets along; with `bluffing` it also
searches worlds that the others hold possible, and prefers a move that looks well there and costs it little (Cowling, Whitehouse and
Powley 2015). In games without roles the first does nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from molehunt.core.agent import Agent, Rows, check_chairs, check_seating, check_views, seats_of_views, seen_from
from molehunt.core.errors import BadInput
from molehunt.core.game import Actions, Events, Game, Views
from molehunt.core.language import _, counted_in, later
from molehunt.core.memory import CONSTANT_PART
from molehunt.core.panels import Bar, Bars, Panel, seat_name
from molehunt.core.seats import NOBODY
from molehunt.core.specs import parameter
from molehunt.core.streams import SEED_BITS, next_word
from molehunt.core.words import number_said, percent_said
from molehunt.games.compiled import bytes_of
from molehunt.search.inference import WAYS, updated
from molehunt.search.ismcts import search
from molehunt.search.ismcts_kernels import told, told_own
from molehunt.search.ismcts_terms import MANY, MOST_NOTED, SELECTIONS, SINGLE, Found, Noted, Settings
from molehunt.search.worlds import Sampler, Weights, first_weights, role_sets, seat_chances

NO = "no"
RANDOM = "random"
SHOWN = 6
"""Moves that `why` tells of."""
DRAWN = 512
"""Worlds from which `beliefs` reads."""


@dataclass(frozen=True)
class Parameters:
    """What can be set in `ismcts`."""

    iterations: int = parameter(1000, later("iterations a move; 0 = until time is up"), low=0, high=1_000_000_000)
    seconds: float = parameter(0.0, later("time for one move, in seconds; 0 = any"), low=0.0, high=3600.0)
    c: float = parameter(1.0, later("how much is explored; values are from -1 to 1"), low=0.0, high=100.0)
    selection: str = parameter("puct", later("how moves are selected in the tree"), choices=tuple(SELECTIONS))
    trees: str = parameter(MANY, later("a tree for each seat, or a single one"), choices=(MANY, SINGLE))
    inference: str = parameter(NO, later("how roles are inferred from the tree"), choices=(NO, *WAYS))
    bluffing: float = parameter(
        0.0, later("share of iterations in worlds that the others hold possible"), low=0.0, high=0.9
    )
    rollout: str = parameter(RANDOM, later("who plays on from a leaf: random, or a player of the game"))
    roots: int = parameter(1, later("independent trees that share the iterations"), low=1, high=1024)
    threads: int = parameter(1, later("trees that are grown at once; changes no move"), low=1, high=256)
    nodes: int = parameter(1 << 18, later("nodes of a tree at most"), low=1, high=1 << 26)

    def settings(self) -> Settings:
        """These numbers as the search takes them."""
        return Settings(
            iterations=self.iterations,
            seconds=self.seconds,
            c=self.c,
            selection=self.selection,
            trees=self.trees,
            roots=self.roots,
            threads=self.threads,
            nodes=self.nodes,
            bluffing=self.bluffing,
            noted=MOST_NOTED if self.inference != NO else 0,
        )


EDITIONS: dict[str, Parameters] = {
    "plain": Parameters(),
    "cowling_2015": Parameters(selection="tuned", c=1.0, inference="cowling", bluffing=0.5),
    "reading": Parameters(selection="tuned", inference="bayes", bluffing=0.5),
}


@dataclass
class Mind:
    """What a chair remembers.

    `deal` is the number of the deal that its beliefs are about. `weights` are its own of role sets, `others` those that an onlooker
    would have; None before they are needed. `view` is where it sat down, until it has searched. Then `noted` is what its last
    search noted, `chain` what it was told since, `depth` in how many moves, and `moved` its own move that it has not been told of.
    `heard` is what it was told since it moved.
    """

    seat: int
    view: Views | None
    deal: int
    weights: Weights | None = None
    others: Weights | None = None
    noted: Noted | None = None
    chain: int = 0
    depth: int = 0
    moved: int | None = None
    heard: list[Events] = field(default_factory=list)


@dataclass
class Memory:
    """All chairs of an agent: the game, who plays on from leaves, the mind and the random stream of each chair."""

    game: Game = field(metadata=CONSTANT_PART)
    players: Sequence[Agent] | None = field(metadata=CONSTANT_PART)
    minds: list[Mind]
    streams: npt.NDArray[np.uint64]
    seats: npt.NDArray[np.int16]


def own_move(seat: int, event: Events) -> int | None:
    """The move of an event, an array of one record, where it was this seat's own; None where it was not, or no event says whose."""
    names = event.dtype.names or ()
    if "seat" not in names or "action" not in names or int(event["seat"][0]) != seat:
        return None
    return int(event["action"][0])


class IsmctsAgent(Agent):
    """The player."""

    in_batches = False
    needs_machine_code = True

    def __init__(self, name: str = "ismcts", parameters: Parameters | None = None) -> None:
        self.name = name
        self.parameters = parameters or EDITIONS["plain"]
        self.settings = self.parameters.settings()
        self.infers = self.parameters.inference != NO
        self.observes = self.infers
        if self.infers and self.parameters.trees == SINGLE:
            raise BadInput(f"{name}: inference needs trees={MANY}, where the others' moves depend on their roles")

    def start(self, game: Game, views: Views, streams: npt.NDArray[np.uint64]) -> Memory:
        check_seating(game, views, streams)
        seats = seats_of_views(views)
        minds = []
        for row in range(len(views)):
            view = views[row : row + 1].copy()
            # Views of a package's game need not say whose they are in so many numbers.
            seat = int(game.friendly_view(view).seat if seats[row] == NOBODY else seats[row])
            minds.append(Mind(seat, view, game.deal_number(view)))
        return Memory(game, self._players(game), minds, streams.copy(), seats)

    def _players(self, game: Game) -> Sequence[Agent] | None:
        """Who plays on from leaves."""
        spec = self.parameters.rollout
        if spec == RANDOM:
            return None
        # The registry names this player, too; and it searches no games inside its search.
        from molehunt.agents.registry import Agents

        player = Agents(game.name).make(spec)
        if isinstance(player, IsmctsAgent):
            raise BadInput(f"{self.name}: a search does not play on with searches")
        return [player] * game.seats

    # --- Choosing -------------------------------------------------------------------------------------------------------

    def act(self, views: Views, memory: Memory, rows: Rows) -> Actions:
        rows = check_views(memory, views, rows, memory.game.view_dtype, memory.game.seats)
        actions = np.empty(len(rows), np.int32)
        for place, row in enumerate(rows):
            view, mind = views[place : place + 1], memory.minds[row]
            legal = memory.game.legal_actions(view).codes
            if len(legal) == 1 and not self._weighs(memory.game):
                actions[place] = legal[0]
                continue
            stream = memory.streams[row : row + 1]
            self._catch_up_in_deal(memory.game, view, mind, stream, memory.players)
            found = self._think(memory.game, view, mind, stream, memory.players)
            actions[place] = self._choice(found)
            mind.moved = int(actions[place])
        return actions

    def _weighs(self, game: Game) -> bool:
        return self.infers and len(game.roles) > 1

    def _choice(self, found: Found) -> int:
        return found.bluff if self.parameters.bluffing else found.best

    def _believe(self, game: Game, view: Views, mind: Mind, seed: int) -> None:
        """Take beliefs of an earlier deal for none, and begin with what the deal alone says."""
        if mind.deal != game.deal_number(view):
            mind.deal, mind.weights, mind.others = game.deal_number(view), None, None
        if mind.weights is None and self._weighs(game):
            mind.weights = first_weights(game, view, mind.seat, seed)
            if self.parameters.bluffing:
                mind.others = first_weights(game, view, mind.seat, seed, as_others=True)

    def _think(
        self,
        game: Game,
        view: Views,
        mind: Mind,
        stream: npt.NDArray[np.uint64],
        players: Sequence[Agent] | None,
    ) -> Found:
        """Search from a view, and remember what inference will read."""
        seed = int(next_word(stream)) >> (64 - SEED_BITS)
        self._believe(game, view, mind, seed)
        found = search(
            game, view, mind.seat, seed, self.settings, weights=mind.weights, others=mind.others, rollout=players
        )
        if self._weighs(game):
            mind.view, mind.noted, mind.chain, mind.depth = None, found.noted, 0, 0
        return found

    # --- Inference ------------------------------------------------------------------------------------------------------

    def observe(self, events: Events, memory: Memory, rows: Rows) -> None:
        rows = check_chairs(memory, events, rows, memory.game.event_dtype)
        if not self._weighs(memory.game):
            return
        for place, row in enumerate(rows):
            mind = memory.minds[row]
            if mind.noted is None and mind.view is not None:
                # The others move first: a search from where this chair sat down is the model of them.
                self._think(memory.game, mind.view, mind, memory.streams[row : row + 1], memory.players)
            mind.heard.append(events[place : place + 1].copy())
            self._hear(mind, events[place : place + 1])

    def _catch_up_in_deal(
        self,
        game: Game,
        view: Views,
        mind: Mind,
        stream: npt.NDArray[np.uint64],
        players: Sequence[Agent] | None,
    ) -> None:
        """Before its first move after roles were dealt anew: take in what the others have done since then.

        The model of them is a search from what this chair saw then, as where it sat down.
        """
        heard, mind.heard = mind.heard, []
        if mind.deal == game.deal_number(view) or not heard:
            return
        found = game.as_dealt(view, np.concatenate(heard))
        if found is None or not len(found[1]):
            return
        dealt, since = found
        mind.moved = None
        self._think(game, dealt, mind, stream, players)
        for number in range(len(since)):
            self._hear(mind, since[number : number + 1])

    def _hear(self, mind: Mind, event: Events) -> None:
        """Take in a move: one's own goes along in the tree, another's also says who they may be."""
        if mind.noted is None or mind.weights is None or mind.depth >= MOST_NOTED:
            return
        before = mind.chain
        own = own_move(mind.seat, event) if mind.moved is None else mind.moved
        if own is not None:
            mind.chain, mind.moved = int(told_own(np.uint64(before), own)), None
        else:
            mind.chain = int(told(np.uint64(before), bytes_of(np.ascontiguousarray(event))[0]))
            way = self.parameters.inference
            mind.weights = updated(mind.weights, mind.noted, before, mind.chain, mind.depth, way, as_others=False)
            if mind.others is not None:
                mind.others = updated(mind.others, mind.noted, before, mind.chain, mind.depth, way, as_others=True)
        mind.depth += 1

    # --- Reasons --------------------------------------------------------------------------------------------------------

    def why(self, game: Game, view: Any, memory: Memory, row: int) -> str:
        view = np.array(seen_from(memory, view, row))
        fresh = self.take(memory, np.array([row]))
        self._catch_up_in_deal(memory.game, view, fresh.minds[0], fresh.streams[:1], memory.players)
        found = self._think(memory.game, view, fresh.minds[0], fresh.streams[:1], memory.players)
        chosen = self._choice(found)
        order = np.lexsort((-found.values, -found.visits))
        parts = [self._choice_in_words(game, found, chosen, order)]
        if len(order) > 1:
            parts.append(
                _(
                    "How often it tried moves, and what it then won above the others' average, from -1 to 1: {moves}.",
                    moves=", ".join(self._tried(game, found, place) for place in order[:SHOWN]),
                )
            )
        return "\n".join(parts)

    @staticmethod
    def _choice_in_words(game: Game, found: Found, chosen: int, order: npt.NDArray[np.int64]) -> str:
        """The move, and what it rests on."""
        move = game.format_action(chosen)
        if len(order) == 1:
            return _("It chooses {move}: it is the only move.", move=move)
        said = {"move": move, "games": number_said(found.iterations, ",")}
        if chosen != found.best:
            return _(
                "It chooses {move}: in {games} games that it played on in its head, each time with other hidden cards that may be, "
                "it came back to {best} most often; but this move looks better to the others and costs it little.",
                best=game.format_action(int(found.best)),
                **said,
            )
        if found.visits[order[0]] == found.visits[order[1]]:
            return _(
                "It chooses {move}: in {games} games that it played on in its head, each time with other hidden cards that may be, "
                "it came back to no move more often.",
                **said,
            )
        return _(
            "It chooses {move}: in {games} games that it played on in its head, each time with other hidden cards that may be, "
            "it came back to this move most often.",
            **said,
        )

    def _tried(self, game: Game, found: Found, place: int) -> str:
        """How often a move was tried, and what it was worth."""
        said = {
            "move": game.format_action(int(found.actions[place])),
            "visits": number_said(found.visits[place], ","),
            "worth": number_said(found.values[place], "+.2f"),
        }
        if not self.parameters.bluffing:
            return counted_in(
                "{move} (once: {worth})", "{move} ({visits} times: {worth})", int(found.visits[place]), **said
            )
        return counted_in(
            "{move} (once: {worth}; as others see it {seen} times)",
            "{move} ({visits} times: {worth}; as others see it {seen} times)",
            int(found.visits[place]),
            seen=number_said(found.as_others[place], ","),
            **said,
        )

    def beliefs(self, game: Game, view: Any, memory: Memory, row: int) -> tuple[Panel, ...]:
        """How likely each seat holds role 1, where it infers roles."""
        if not self._weighs(game):
            return ()
        view = np.array(seen_from(memory, view, row))
        fresh = self.take(memory, np.array([row]))
        mind = fresh.minds[0]
        self._catch_up_in_deal(memory.game, view, mind, fresh.streams[:1], memory.players)
        self._believe(memory.game, view, mind, 0)
        drawn = Sampler(game, view, mind.seat, mind.weights).draw(0, 0, DRAWN)
        chances = seat_chances(np.bincount(role_sets(game, drawn), minlength=1 << game.seats) / DRAWN, game.seats)
        rows = tuple(Bar(seat_name(seat), float(chance), percent_said(chance)) for seat, chance in enumerate(chances))
        return (Bars(_("Who is {role}", role=_(game.roles[1])), 0.0, 1.0, rows),)
