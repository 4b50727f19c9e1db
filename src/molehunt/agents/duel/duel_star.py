"""`duel-star`: information-set search one move deep, with a learned network at its leaves.

It draws deals that it holds possible, makes each move that the network of `learned` finds likely in each of them, lets the other
answer, and asks the network what the position is then worth (`own_seat`). On the other seat sits one of several players: at
random, a digger that hurries, one that waits, or the network itself, as the other's moves so far suggest. What they did also says
where the nugget is, and what they cannot hold (`opponent`). The moves are compared on the same deals, and the worse half is left
out again and again (sequential halving), so that most deals are spent where the choice is close. Without the network (`own=no`)
the digger lists promising moves and plays the games to the end.
"""

from __future__ import annotations

import os
import time
from concurrent.futures import Executor, ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import cache, cached_property
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from molehunt.agents.duel.digger import (
    MOST_MOVES,
    RISK,
    SCRATCH,
    WORTH,
    list_promising,
    settings_of,
)
from molehunt.agents.duel.ending import new_scratch, solve
from molehunt.agents.duel.features import HISTORY, note_event
from molehunt.agents.duel.learned import DuelLearnedAgent
from molehunt.agents.duel.opponent import (
    AT_RANDOM,
    GUESSED,
    HURRY,
    MIND,
    MIRROR,
    SEEN_NEAR,
    SUSPICION,
    chance_of,
    chances_of_kinds,
    chances_of_places,
    log_odds_of,
    move_of_kind,
    open_mind,
)
from molehunt.agents.duel.own_seat import OTHER, OWN, OwnSeat
from molehunt.core.agent import Agent, Rows
from molehunt.core.errors import BadInput
from molehunt.core.game import Actions, Events, Game, States, Views
from molehunt.core.interpreting import as_here, is_interpreting
from molehunt.core.kernels import kernel
from molehunt.core.language import _, later
from molehunt.core.panels import Bar, Bars, Panel, Words, seat_name
from molehunt.core.places import place_said
from molehunt.core.specs import parameter
from molehunt.core.streams import below, game_seeds, next_word
from molehunt.core.words import met_in_words, percent_said
from molehunt.games.duel.actions import DISCARD, play_of
from molehunt.games.duel.cards import BLANK, BONUS, GOAL_PLACES, KINDS, NUGGET, TILE_EDGES, TILE_FORMS, TILES, UNKNOWN
from molehunt.games.duel.game import Duel, check_game
from molehunt.games.duel.rules import advance
from molehunt.games.duel.state import DECK, EVENT, GOING_ON, STATE
from molehunt.reading.duel.digging import TUNNEL


@dataclass(frozen=True)
class Parameters:
    """What can be set in `duel-star`."""

    deals: int = parameter(40, later("deals on which the most promising moves are compared"), low=1, high=1_000_000)
    work: int = parameter(
        40_000, later("moves that are played on for one move, about; 0 = any number"), low=0, high=1_000_000_000
    )
    seconds: float = parameter(0.0, later("time for one move, in seconds; 0 = any"), low=0.0, high=3600.0)
    threads: int = parameter(1, later("threads that play on; 0 = one a processor; changes no move"), low=0, high=256)
    candidates: int = parameter(10, later("moves that are compared at first"), low=1, high=64)
    near: float = parameter(
        7.0,
        later("without own, moves are compared where the way is not longer; else the digger's is made"),
        low=0.0,
        high=999.0,
    )
    own: bool = parameter(
        True, later("the network of learned lists the moves and plays on the own seat; else the digger does")
    )
    rare: float = parameter(0.01, later("moves that the network makes less often are not compared"), low=0.0, high=1.0)
    ahead: int = parameter(
        0, later("own moves that are played on before the network says what is to be expected"), low=0, high=1000
    )
    mirror: float = parameter(
        0.5,
        later("the chance that the other, if it digs and does not search, plays as learned does"),
        low=0.0,
        high=1.0,
    )
    searches: float = parameter(
        0.3,
        later("the chance that the other, if it digs, searches: waits for good cards and lays no tile aside"),
        low=0.0,
        high=0.99,
    )
    fine: bool = parameter(True, later("tell who the other is by twelve classes of moves; else by seven"))
    careless: float = parameter(
        0.59,
        later(
            "the chance of digging below which the other is taken to play at random, and games are played to the end"
        ),
        low=0.0,
        high=1.0,
    )
    ending: int = parameter(
        1,
        later("own cards from which on an ending without a deck is solved; one more takes ten times as long"),
        low=0,
        high=7,
    )
    endings: int = parameter(96, later("deals in which an ending is solved"), low=1, high=100_000)
    belief: float = parameter(
        40.0,
        later("deals that count for what a move is worth by the network, or by its way, alone"),
        low=0.0,
        high=1000.0,
    )
    slope: float = parameter(
        0.03,
        later("what a move costs that is rarer by a factor of 2.7, or a longer way, by that measure"),
        low=0.0,
        high=1.0,
    )
    draw: float = parameter(0.3, later("what a draw is worth, where a win is 1 and a loss 0"), low=0.0, high=1.0)
    suspicion: float = parameter(0.6, later("the chance that the other digs, before it has moved"), low=0.0, high=1.0)
    hurry: float = parameter(HURRY, later("the chance that the other hurries, if it digs, likewise"), low=0.0, high=1.0)
    places: bool = parameter(True, later("read from the other's tiles and maps where the nugget is"))
    hands: bool = parameter(True, later("read from what the other did not do what it cannot hold"))
    sensible: float = parameter(
        0.7, later("the chance that the other, if it digs, has kept the best of its cards"), low=0.0, high=1.0
    )
    patience: float = parameter(
        0.3, later("what it costs to wait for a card, against laying a tile"), low=0.0, high=10.0
    )
    progress: float = parameter(0.05, later("the least that a tile must shorten the way"), low=0.0, high=10.0)
    risk: float = parameter(
        0.05, later("the chance of the other's finishing from which on a tile is held back"), low=0.0, high=2.0
    )
    shy: float = parameter(3.0, later("how long the way is when risks and maluses begin to count"), low=0.0, high=99.0)
    looks: float = parameter(5.0, later("how long the way is when a map comes before tiles"), low=0.0, high=99.0)
    breaks: float = parameter(
        0.3,
        later("the chance of the other's finishing from which on the end of the tunnel is destroyed"),
        low=0.0,
        high=2.0,
    )
    hinders: float = parameter(4.0, later("how long the way is when a malus comes before tiles"), low=0.0, high=99.0)


LEAST_CHANCE, NEVER = 0.01, 2.0
"""The least chance that the other digs, where risks are weighed; a risk that no chance reaches."""
WAITING_RISK, WAITING_SHY = 0.1, 3.0
"""The risk from which on a digger that waits holds a tile back, and how long the way is then."""
TRIES = 6
"""How often a deal is drawn again in which the other holds what it would have played."""
WHO = np.uint64(0x6D6972726F72)
"""What the stream that says who mirrors differs by from that of the deals."""
ROUND = 16
"""Deals that are played on before it is looked at whether there is time and work left."""
MORE_DEALS = 5
"""How many times as many deals there are without the network, which takes longer than the digger."""
BEFORE: dict[str, Any] = {"fine": False, "careless": 0.0, "suspicion": SUSPICION}
"""How the other was taken before players at random were met in a way of their own."""
EDITIONS: dict[str, Parameters] = {
    "tuned": Parameters(),
    "contest": Parameters(deals=1_000_000, work=0, seconds=1.5, threads=0),
    "digger": Parameters(own=False, near=0.0, ending=0, **BEFORE),
    "plays_on": Parameters(own=False, deals=240, ending=4, endings=48, belief=8.0, slope=0.1, mirror=0.0, **BEFORE),
}
"""By the number of deals it is the same on every machine; in the course a move may take 2 s; the digger plays no games on;
`plays_on` is what it was before it had a network: the digger plays the games to the end, and endings are solved."""


SAID = ("digs", "learned", "searches", "hurries")
"""What is taken along of how the other plays: log odds, the first three against playing at random."""
FIELDS = (
    ("log_odds", "learned_odds", "fine_searches_odds", "hurry"),
    ("fine_log_odds", "fine_learned_odds", "fine_searches_odds", "hurry"),
)
"""Where a mind holds them: by seven classes of moves, or by twelve."""
OTHER_GAMES = 0.3
"""What a game says of how the other plays counts with this exponent in the next ones."""
MOST_EXPECTED = 4.0
"""Log odds that are expected before the first move, at most: a game can change a mind."""


def compile_digging() -> None:
    """Have compiled what finds promising moves, plays on to the end and solves endings: about half of all."""
    agent = DuelStarAgent()
    settings = np.concatenate([agent.settings[None], agent.kinds])
    deals, streams, kinds = np.zeros(0, STATE), np.zeros(0, np.uint64), np.zeros(0, np.int64)
    tried = np.zeros(0, np.int32)
    solve(deals, streams, kinds, 0, 0.0, tried, np.zeros(0), new_scratch(settings, 0))
    scratch, event = np.zeros(1, SCRATCH), np.zeros(1, EVENT)
    compare(deals, streams, kinds, 0, 0.0, tried, np.zeros((0, 0)), settings, scratch, event)
    moves, scores = np.empty(MOST_MOVES, np.int32), np.empty(MOST_MOVES)
    list_promising(Duel().new(game_seeds(0, 0, 1)), 0, settings[0], np.zeros(3), scratch, moves, scores)


def compile_network() -> None:
    """Have the other half compiled: what the network of `learned` plays and remembers with."""
    game, agent, first = Duel(), DuelLearnedAgent(), np.zeros(1, np.int64)
    states = game.new(game_seeds(0, 0, 1))
    views = game.views(states, states["to_move"].astype(np.int8), first)
    memory = agent.start(game, views, np.zeros(1, np.uint64))
    events = np.ascontiguousarray(game.apply(states, agent.act(views, memory, first))[:, 0])
    agent.observe(events, memory, first)
    note_in_both(events, np.zeros((1, 2), HISTORY), first)


class Memory(NamedTuple):
    """What the chairs of one table remember."""

    game: Duel
    histories: npt.NDArray[Any]  # dtype HISTORY, shape (n, 2): what the chair notes, then what the other seat would
    met: npt.NDArray[np.int64]  # in how many earlier games each chair met the other
    expected: npt.NDArray[
        np.float64
    ]  # what those said of how the other plays, shape (n, len(SAID)): log odds in the order of SAID

    @property
    def minds(self) -> npt.NDArray[Any]:
        """What each chair makes of the other, dtype MIND."""
        result: npt.NDArray[Any] = self.histories["mind"][:, OWN]
        return result


class DuelStarAgent(Agent):
    """The strongest player of the duel here."""

    in_batches = False
    needs_machine_code = True
    compiled_apart = compile_digging, compile_network

    def __init__(self, name: str = "duel-star", parameters: Parameters = EDITIONS["tuned"]) -> None:
        self.name = name
        self.parameters = parameters
        its = parameters
        self.settings = settings_of(its.patience, its.progress, its.risk, its.shy, its.looks, its.hinders, its.breaks)
        hurries = settings_of(its.patience, its.progress, NEVER, 0.0, its.looks, its.hinders, NEVER)
        waits = settings_of(its.patience, its.progress, WAITING_RISK, WAITING_SHY, its.looks, its.hinders, its.breaks)
        self.kinds = np.stack([hurries, waits])

    @cached_property
    def at_ease(self) -> Parameters:
        """What holds against one who is taken to play at random: the digger plays the games to the end, and only a win counts."""
        its = EDITIONS["plays_on"]
        return replace(
            self.parameters,
            own=False,
            deals=MORE_DEALS * self.parameters.deals,
            ending=its.ending,
            endings=its.endings,
            belief=its.belief,
            slope=its.slope,
            draw=0.0,
        )

    @cached_property
    def learned(self) -> DuelLearnedAgent:
        """The player of the network."""
        return DuelLearnedAgent()

    def kinds_of(self, mind: Any) -> tuple[float, float]:
        """`chances_of_kinds` of a mind."""
        its = self.parameters
        return chances_of_kinds(mind, its.suspicion, its.mirror if its.own else 0.0, its.fine, its.searches)

    def start(self, game: Game, views: Views, streams: npt.NDArray[np.uint64]) -> Any:
        duel = check_game(self.name, game)
        across = views.copy()
        across["seat"] = 1 - views["seat"]
        count = len(views)
        memory = Memory(duel, np.zeros((count, 2), HISTORY), np.zeros(count, np.int64), np.zeros((count, len(SAID))))
        for whose, seen in ((OWN, views), (OTHER, across)):
            minds = np.zeros(len(views), MIND)
            # The network was trained with this first belief.
            open_mind(
                minds, seen, SUSPICION if self.parameters.fine else self.parameters.suspicion, self.parameters.hurry
            )
            minds["fine_log_odds"] = log_odds_of(self.parameters.suspicion)
            memory.histories["mind"][:, whose] = minds
        memory.minds["stream"][:, 0] = streams
        return memory

    def act(self, views: Views, memory: Any, rows: Rows) -> Actions:
        actions = np.empty(len(views), np.int32)
        for index, row in enumerate(rows):
            actions[index] = Comparison(self, memory.game, views[index : index + 1], memory.histories[row]).best
        return actions

    def observe(self, events: Events, memory: Any, rows: Rows) -> None:
        note_in_both(events, memory.histories, rows)

    def beliefs(self, game: Game, view: Any, memory: Any, row: int) -> tuple[Panel, ...]:
        """What it makes of the other, and where it thinks the nugget is."""
        mind = memory.minds[row]
        seat = seat_name(1 - int(mind["seat"]))
        digs, _mirrors = self.kinds_of(mind)
        hurries = chance_of(float(mind["hurry"]))
        places = chances_of_places(mind, np.atleast_1d(view)[0], digs)
        met = int(memory.met[row])
        return (
            Bars(_("Digs for the nugget"), 0.0, 1.0, (Bar(seat, digs, percent_said(digs)),)),
            Bars(_("Hurries rather than waits"), 0.0, 1.0, (Bar(seat, hurries, percent_said(hurries)),)),
            Bars(
                _("Where the nugget is"),
                0.0,
                1.0,
                tuple(
                    Bar(place_said(place), float(chance), percent_said(chance))
                    for place, chance in zip(GOAL_PLACES, places, strict=True)
                ),
            ),
            *([Words(_("Earlier games"), met_in_words(met))] if met else []),
        )

    def why(self, game: Game, view: Any, memory: Any, row: int) -> str:
        told = Comparison(self, memory.game, np.atleast_1d(view), memory.histories[row].copy()).in_words()
        met = int(memory.met[row])
        return f"{told}\n{met_in_words(met)}" if met else told

    def _said(self, mind: Any) -> npt.NDArray[np.float64]:
        """What moves said of how the other plays, in the order of SAID: log odds, with what was expected before them."""
        fine, its = self.parameters.fine, self.parameters
        before = log_odds_of(its.suspicion), 0.0, 0.0, log_odds_of(its.hurry)
        return np.array([float(mind[name]) for name in FIELDS[fine]]) - before

    def impressions(self, game: Game, view: Any, memory: Any, row: int) -> Any:
        """How the other seems to play, as log odds against playing at random, and of hurrying; and after how many games."""
        expected = memory.expected[row]
        said = expected + OTHER_GAMES * (self._said(memory.minds[row]) - expected)
        return {"games": int(memory.met[row]) + 1, **dict(zip(SAID, said.tolist(), strict=True))}

    def meet_again(self, memory: Any, row: int, impressions: Any, seated: bool = True) -> None:
        """Expect of the other what it took along, as far as a mind can still be changed."""
        said, games = _said_before(impressions)
        said *= min(1.0, MOST_EXPECTED / max(np.abs(said).max(), MOST_EXPECTED))
        memory.expected[row] = said
        mind = memory.histories["mind"][row, OWN]
        for name, odds in zip(FIELDS[self.parameters.fine], said.tolist(), strict=True):
            mind[name] += odds
        memory.met[row] = games


def _said_before(impressions: Any) -> tuple[npt.NDArray[np.float64], int]:
    """(log odds in the order of SAID, games) of impressions; BadInput where they are none."""
    try:
        games, said = int(impressions["games"]), np.array([float(impressions[name]) for name in SAID])
    except (KeyError, TypeError, ValueError, OverflowError):
        games, said = 0, np.full(1, np.nan)
    if not 0 < games < 2**31 or not np.isfinite(said).all():
        raise BadInput("this is not what duel-star takes along about the other from game to game")
    return said, games


class Comparison:
    """The promising moves of one view, compared by playing on.

    `history` is a row of the memory's `histories`; its random stream moves on.
    """

    def __init__(self, agent: DuelStarAgent, game: Duel, views: Views, history: npt.NDArray[Any]) -> None:
        self.game = game
        self.mind = history["mind"][OWN]
        self.views = views
        self.seat = int(views[0]["seat"])
        self.digger, self.mirrors = agent.kinds_of(self.mind)
        self.parameters = agent.at_ease if self.digger < agent.parameters.careless else agent.parameters
        self.hurries = chance_of(float(self.mind["hurry"]))
        self.places = (
            chances_of_places(self.mind, views[0], self.digger) if self.parameters.places else even_places(views[0])
        )
        settings = agent.settings.copy()
        settings[RISK] = min(settings[RISK] / max(self.digger, LEAST_CHANCE), NEVER)
        if (views[0]["goals"] == UNKNOWN).any() and self.places.max() > self.places.mean() + GUESSED:
            settings[-1] = int(self.places.argmax())
        self.settings = np.concatenate([settings[None], agent.kinds])
        self.stream = np.uint64(next_word(self.mind["stream"]))
        self.own = OwnSeat(agent.learned, game, views, history) if self.parameters.own else None
        solves = self._is_ending()
        self.by_policy = self.own is not None and not solves
        if self.own is not None and self.by_policy:
            self._list_by_policy(self.own)
        else:
            self._list_by_ways()
        self.totals = np.zeros(len(self.moves))
        self.games = np.zeros(len(self.moves), np.int64)
        self.solved = False
        if len(self.moves) > 1 and (self.by_policy or self.ways[0] > 0):
            if solves:
                self._solve()
            elif self.by_policy or self.ways[0] <= self.parameters.near:
                self._halve()
        self.best = int(self.moves[self._order()[0]])

    def _list_by_policy(self, own: OwnSeat) -> None:
        """The moves that the network makes most, and how much less it makes each than the first: the difference of the logs."""
        moves, chances = own.policy()
        kept = slice(0, max(1, min(self.parameters.candidates, int((chances >= self.parameters.rare).sum()))))
        self.moves = moves[kept]
        self.ways = np.log(chances[0] / chances[kept])

    def _list_by_ways(self) -> None:
        """The moves after which the way is cheapest, and how long it is."""
        scratch, moves, scores = np.zeros(1, SCRATCH), np.empty(MOST_MOVES, np.int32), np.empty(MOST_MOVES)
        deal = self.game.resample(self.views, np.array([self.stream]))
        count = list_promising(deal, self.seat, self.settings[0], self.places, scratch, moves, scores)
        kept = np.argsort(scores[:count], kind="stable")[: self.parameters.candidates]
        self.moves = moves[:count][kept]
        self.ways = scores[:count][kept]

    def _is_ending(self) -> bool:
        """Whether the deck is empty and so few cards are left that the ending can be solved."""
        view = self.views[0]
        return bool(view["drawn"] == DECK and view["hand_sizes"][self.seat] <= self.parameters.ending)

    def _solve(self) -> None:
        """Find what each move brings with the best plan after it, in deals."""
        count = self.parameters.endings
        deals, streams, kinds = self.draw(0, count, 0.0)
        solve(
            deals,
            streams,
            kinds,
            self.seat,
            self.parameters.draw,
            self.moves,
            self.totals,
            new_scratch(self.settings, count),
        )
        self.games += count
        self.solved = True

    def _halve(self) -> None:
        """Play the moves on in deals, and leave out the worse half again and again."""
        began = time.perf_counter()
        alive = np.arange(len(self.moves))
        stages = max(1, (len(alive) - 1).bit_length())
        each = max(1, self.parameters.deals // stages)
        limit, work = self.parameters.seconds, self.parameters.work
        threads = 1 if is_interpreting() else self.parameters.threads or processors()
        first = done = 0
        for stage in range(stages):
            until = first + each
            while first < until:
                # Where there is a clock, the first deal says how long one takes.
                count = 1 if limit and not first else min(until - first, ROUND)
                done += self._play_on(first, count, alive, threads)
                first += count
                share = (stage + 1) / stages
                if (limit and time.perf_counter() - began > limit * share) or (work and done > work * share):
                    break
            alive = self._order()[: (len(alive) + 1) // 2]
            if limit and time.perf_counter() - began > limit:
                return

    def _play_on(self, first: int, count: int, alive: npt.NDArray[np.int64], threads: int) -> int:
        """Play the moves that are alive on in some deals, each thread its share of them; how many moves that were."""
        share = -(-count // threads)
        parts = [(start, min(share, first + count - start)) for start in range(first, first + count, share)]
        if len(parts) == 1:
            results = [self._play_part(first, count, alive)]
        else:
            results = list(pool(threads).map(as_here(lambda part: self._play_part(part[0], part[1], alive)), parts))
        for brought, _moves in results:
            self.totals[alive] += brought
        self.games[alive] += count
        return sum(moves for _brought, moves in results)

    def _play_part(self, first: int, count: int, alive: npt.NDArray[np.int64]) -> tuple[npt.NDArray[np.float64], int]:
        """What each move that is alive brings in some deals, their sums, and how many moves were played on."""
        results, moves = self.try_moves(self.moves[alive], first, count)
        return results.sum(axis=0), moves

    def try_moves(self, tried: npt.NDArray[np.int32], first: int, count: int) -> tuple[npt.NDArray[np.float64], int]:
        """What moves bring in the deals from number `first` on, shape (count, moves), and how many moves were played on."""
        its = self.parameters
        deals, streams, kinds = self.draw(first, count, self.mirrors)
        if self.own is not None:
            return self.own.play_on(deals, streams, kinds, self.seat, its.draw, its.ahead, tried, self.settings)
        results = np.zeros((count, len(tried)))
        scratch, event = np.zeros(1, SCRATCH), np.zeros(1, self.game.event_dtype)
        table = (tried, results, self.settings, scratch, event)
        return results, int(compare(deals, streams, kinds, self.seat, self.parameters.draw, *table))

    def draw(
        self, first: int, count: int, mirror: float
    ) -> tuple[States, npt.NDArray[np.uint64], npt.NDArray[np.int64]]:
        """Deals from number `first` on, as the other's moves suggest them, their random streams, and who the other is in each.

        With the chance `mirror` one who digs plays as `learned` does.
        """
        streams = game_seeds(int(self.stream), first, count)
        deals = self.game.resample(np.repeat(self.views, count), streams)
        kinds = np.empty(count, np.int64)
        its = self.parameters
        readable = its.hands and self.digger > SEEN_NEAR
        numbers = (self.digger, self.hurries, readable, its.sensible)
        believe(deals, streams, self.views, self.seat, self.mind, self.places, *numbers, kinds)
        luck = game_seeds(int(self.stream ^ WHO), first, count) / 2.0**53
        kinds[(kinds >= FIRST_KIND) & (luck < mirror)] = MIRROR
        return deals, streams, kinds

    def _order(self) -> npt.NDArray[np.int64]:
        """The moves, the best first: those that were played on longest, by what they brought and by their way.

        Where an ending is solved on the network's seat, what they bring alone counts; of equals, one that helps nobody.
        """
        if self.solved and self.own is not None:
            self.worth = self.totals / self.games
            helps = np.array([play_of(int(move)) != DISCARD for move in self.moves])
            return np.lexsort((helps, -np.round(self.worth, 9)))
        played = self.games[0]
        mean = self.totals[0] / played if played else 0.0
        prior = mean - self.parameters.slope * (self.ways - self.ways[0])
        belief = max(self.parameters.belief, 1e-6)
        self.worth = (self.totals + belief * prior) / (self.games + belief)
        return np.lexsort((-self.worth, -self.games))

    def in_words(self) -> str:
        """The moves that were compared, the best first, and what is held of the other."""
        listed = ", ".join(self._told(int(index)) for index in self._order())
        places = ", ".join(
            f"{place_said(place)} {percent_said(chance)}"
            for place, chance in zip(GOAL_PLACES, self.places, strict=True)
        )
        other = _(
            "The other digs with a chance of {digs} %, and then hurries with {hurries} %. The nugget: {places}.",
            digs=f"{100 * self.digger:.0f}",
            hurries=f"{100 * self.hurries:.0f}",
            places=places,
        )
        if self.solved:
            return f"{other} {_('The ending is solved: {moves}.', moves=listed)}"
        if self.by_policy:
            return (
                f"{other} {_('What its network expects after each move and the answer to it: {moves}.', moves=listed)}"
            )
        return f"{other} {_('Played on from: {moves}.', moves=listed)}"

    def _told(self, index: int) -> str:
        """One of the moves, and what it brought."""
        move, games = self.game.format_action(int(self.moves[index])), int(self.games[index])
        if not games:
            return move
        share = f"{100 * self.totals[index] / games:.0f}"
        if self.solved or self.by_policy:
            return _("{move} ({share} % of {deals} deals)", move=move, share=share, deals=games)
        return _("{move} ({share} % of {games} games)", move=move, share=share, games=games)


def even_places(view: Any) -> npt.NDArray[np.float64]:
    """How likely the nugget is under each goal where nothing is read from the other's moves."""
    goals = view["goals"]
    chances = (goals == NUGGET if (goals == NUGGET).any() else goals == UNKNOWN).astype(np.float64)
    result: npt.NDArray[np.float64] = chances / chances.sum()
    return result


def processors() -> int:
    """How many processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


@cache
def pool(threads: int) -> Executor:
    """So many threads, kept from move to move."""
    return ThreadPoolExecutor(threads, thread_name_prefix="duel-star")


@kernel
def note_in_both(events: Any, histories: Any, rows: Any) -> None:
    """Note an event each for the chairs of these rows, as they see it and as the other seat would."""
    for index in range(len(events)):
        note_event(histories[rows[index], OWN], events[index])
        note_event(histories[rows[index], OTHER], events[index])


FIRST_KIND = 1
"""The row of the settings where the kinds that dig on the other seat begin; the first is the digger on this seat."""


@kernel
def fraction(stream: Any) -> Any:
    """A random number from 0 to 1."""
    return (next_word(stream) >> np.uint64(11)) / 2.0**53


@kernel
def believe(
    deals: Any,
    streams: Any,
    views: Any,
    seat: int,
    mind: Any,
    places: Any,
    digger: float,
    hurries: float,
    readable: bool,
    sensible: float,
    kinds: Any,
) -> None:
    """Change deals, all equally likely, into such as the other's moves suggest, and draw for each who the other is."""
    other = 1 - seat
    goals = views[0].goals
    for index in range(len(deals)):
        deal = deals[index]
        stream = streams[index : index + 1].copy()
        kinds[index] = AT_RANDOM
        if fraction(stream) < digger:
            kinds[index] = FIRST_KIND if fraction(stream) < hurries else FIRST_KIND + 1
        # The place of the nugget.
        nugget = 0
        at = fraction(stream)
        while nugget < 2 and (places[nugget] <= at or places[nugget] == 0):
            at -= places[nugget]
            nugget += 1
        for goal in range(3):
            if goals[goal] == UNKNOWN:
                deal.goals[goal] = NUGGET if goal == nugget else BLANK
        if not readable or kinds[index] == AT_RANDOM:
            continue
        # The hand of the other: what it would have played is changed for another card of the deck, all but the card drawn last.
        known = deal.hand_sizes[other] - (deal.drawn < DECK)
        if fraction(stream) < sensible:
            keep_the_best(deal, other, known)
        for slot in range(known):
            for _try in range(TRIES):
                if not is_lacked(deal.hands[other, slot], mind, nugget) or deal.drawn >= DECK:
                    break
                place = deal.drawn + below(stream, DECK - deal.drawn)
                card = deal.hands[other, slot]
                deal.hands[other, slot] = deal.deck[place]
                deal.deck[place] = card


@kernel
def keep_the_best(deal: Any, other: int, known: int) -> None:
    """Change a deal so that the other has discarded nothing better than what it holds, but for the card drawn last."""
    for slot in range(known):
        held = deal.hands[other, slot]
        best = held
        for kind in range(KINDS):
            if deal.discards[other, kind] and WORTH[kind] > WORTH[best]:
                best = kind
        if best != held:
            deal.discards[other, best] -= 1
            deal.discards[other, held] += 1
            deal.hands[other, slot] = best


@kernel
def is_lacked(card: int, mind: Any, nugget: int) -> bool:
    """Whether the other would have played a card, if the nugget is there."""
    if card == BONUS:
        return bool(mind.no_bonus)
    if card < 0 or card >= TILES or not TUNNEL[card]:
        return False
    for flipped in range(TILE_FORMS[card]):
        if mind.lacks[nugget] >> TILE_EDGES[card, flipped] & 1:
            return True
    return False


@kernel
def compare(
    deals: Any,
    streams: Any,
    kinds: Any,
    seat: int,
    draw: float,
    candidates: Any,
    results: Any,
    settings: Any,
    scratch: Any,
    event: Any,
) -> Any:
    """Play each candidate on to the end of each deal, and note in `results`, shape (deals, candidates), what it brings the seat.

    `settings` has a row for the digger on this seat and one for each kind of digger on the other.
    Returns how many moves were played.
    """
    moves, scores = np.empty(MOST_MOVES, np.int32), np.empty(MOST_MOVES)
    played = np.int64(0)
    trial = deals[:1].copy()
    stream = streams[:1].copy()
    for index in range(len(deals)):
        for number in range(len(candidates)):
            stream[0] = streams[index]
            trial[0] = deals[index]
            state = trial[0]
            advance(state, candidates[number], event[0])
            while state.outcome == GOING_ON:
                mover = state.to_move
                kind = 0 if mover == seat else kinds[index]
                action = move_of_kind(kind, state, mover, stream, settings, scratch[0], moves, scores)
                advance(state, action, event[0])
                played += 1
            if state.winner == seat:
                results[index, number] = 1.0
            elif state.winner < 0:
                results[index, number] = draw
    return played
