"""`duel-star`: information-set search one move deep, with a learned network at its leaves.

It draws deals that it holds possible, makes each move that the network of `learned` finds likely in each of them, lets the other
answer, and asks the network what the position is then worth (`own_seat`). On the other seat sits one of several players: at
random, a digger that hurries, one that waits, or the network itself, as the other's moves so far suggest. What they did also says
where the nugget is, and what they cannot hold (`opponent`). The moves are compared on the same deals, and the worse half is left
out again and again (sequential halving), so that most deals are spent where the choice is close. Without the network (`own=no`)
the digger lists promising moves and plays the games to the end.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from molehunt.agents.duel.digger import MOST_MOVES, SCRATCH, list_promising
from molehunt.agents.duel.ending import new_scratch, solve
from molehunt.agents.duel.features import HISTORY, note_event
from molehunt.agents.duel.learned import DuelLearnedAgent
from molehunt.agents.duel.opponent import MIND, SUSPICION, Drawn, chance_of, chances_of_places, log_odds_of, open_mind
from molehunt.agents.duel.own_seat import OTHER, OWN
from molehunt.agents.duel.star_comparison import Comparison, Means, compare
from molehunt.agents.duel.star_parameters import EDITIONS, Parameters
from molehunt.agents.duel.star_words import in_words
from molehunt.core.agent import Agent, Rows, check_chairs, check_seating, check_views, seats_of_views, seen_from
from molehunt.core.errors import BadInput
from molehunt.core.game import Actions, Events, Game, Views
from molehunt.core.kernels import kernel
from molehunt.core.language import _
from molehunt.core.panels import Bar, Bars, Panel, Words, seat_name
from molehunt.core.places import place_said
from molehunt.core.streams import game_seeds
from molehunt.core.words import met_in_words, percent_said
from molehunt.games.duel.cards import GOAL_PLACES
from molehunt.games.duel.game import Duel, check_game
from molehunt.games.duel.possible import can_happen
from molehunt.games.duel.state import EVENT, SEATS, STATE, VIEW

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
    means = Means(EDITIONS["tuned"])
    settings = np.concatenate([means.settings[None], means.kinds])
    drawn = Drawn(np.zeros(0, STATE), np.zeros(0, np.uint64), np.zeros(0, np.int64))
    tried = np.zeros(0, np.int32)
    solve(drawn, 0, 0.0, tried, np.zeros(0), new_scratch(settings, 0))
    scratch, event = np.zeros(1, SCRATCH), np.zeros(1, EVENT)
    compare(drawn, 0, 0.0, tried, np.zeros((0, 0)), settings, scratch, event)
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
    seats: npt.NDArray[np.int16]
    histories: npt.NDArray[Any]  # dtype HISTORY, shape (n, 2): what the chair notes, then what the other seat would
    met: npt.NDArray[np.int64]  # in how many earlier games each chair met the other
    expected: npt.NDArray[np.float64]  # what those said of how the other plays, shape (n, len(SAID))

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
        self.means = Means(parameters)

    def start(self, game: Game, views: Views, streams: npt.NDArray[np.uint64]) -> Any:
        duel = check_game(self.name, game)
        check_seating(game, views, streams)
        across = views.copy()
        across["seat"] = 1 - views["seat"]
        count = len(views)
        histories, met = np.zeros((count, 2), HISTORY), np.zeros(count, np.int64)
        memory = Memory(duel, seats_of_views(views), histories, met, np.zeros((count, len(SAID))))
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
        rows = check_views(memory, views, rows, VIEW)
        actions = np.empty(len(views), np.int32)
        for index, row in enumerate(rows):
            actions[index] = Comparison(self.means, memory.game, views[index : index + 1], memory.histories[row]).best
        return actions

    def observe(self, events: Events, memory: Any, rows: Rows) -> None:
        rows = check_chairs(memory, events, rows, EVENT)
        can_happen.check(events, SEATS)
        note_in_both(events, memory.histories, rows)

    def beliefs(self, game: Game, view: Any, memory: Any, row: int) -> tuple[Panel, ...]:
        """What it makes of the other, and where it thinks the nugget is."""
        mind = memory.minds[row]
        seat = seat_name(1 - int(mind["seat"]))
        digs, _mirrors = self.means.kinds_of(mind)
        hurries = chance_of(float(mind["hurry"]))
        places = chances_of_places(mind, seen_from(memory, view, row)[0], digs)
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
        views = seen_from(memory, view, row)
        compared = Comparison(self.means, memory.game, views, memory.histories[row].copy())
        told = in_words(compared, *_done_by(compared, memory.game, views, memory.histories[row : row + 1].copy()))
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


def _done_by(compared: Comparison, game: Duel, views: Views, history: npt.NDArray[Any]) -> tuple[float, int]:
    """What the move that is chosen does: by how much it shortens the way to the nugget, and the set of goals that it reaches."""
    deals = game.resample(views, np.array([compared.stream]))
    event = np.ascontiguousarray(game.apply(deals, np.array([compared.best], np.int32))[:, compared.seat])
    before = history["mind"]["ways"][0, OWN].copy()
    note_in_both(event, history, np.zeros(1, np.int64))
    shorter = before - history["mind"]["ways"][0, OWN]
    return float(compared.places @ shorter), int(event["revealed"][0])


def _said_before(impressions: Any) -> tuple[npt.NDArray[np.float64], int]:
    """(log odds in the order of SAID, games) of impressions; BadInput where they are none."""
    try:
        games, said = int(impressions["games"]), np.array([float(impressions[name]) for name in SAID])
    except (KeyError, TypeError, ValueError, OverflowError):
        games, said = 0, np.full(1, np.nan)
    if not 0 < games < 2**31 or not np.isfinite(said).all():
        raise BadInput("this is not what duel-star takes along about the other from game to game")
    return said, games


@kernel
def note_in_both(events: Any, histories: Any, rows: Any) -> None:
    """Note an event each for the chairs of these rows, as they see it and as the other seat would."""
    for index in range(len(events)):
        note_event(histories[rows[index], OWN], events[index])
        note_event(histories[rows[index], OTHER], events[index])
