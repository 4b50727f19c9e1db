"""`mole`: works out who the saboteurs are and where the gold is (`suspicion`), and plays moves on in such worlds (`playing_on`)."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from molehunt.agents.compiled import CompiledAgent
from molehunt.agents.saboteur.decision_2019 import AS_RUN
from molehunt.agents.saboteur.minds import MIND as MODEL
from molehunt.agents.saboteur.mole_comparison import Comparison
from molehunt.agents.saboteur.mole_kernels import MIND, act_one, begin_many, observe_one, say_at
from molehunt.agents.saboteur.mole_memory import Memory, Scratch
from molehunt.agents.saboteur.mole_parameters import EDITIONS, Parameters
from molehunt.agents.saboteur.mole_words import Belief, Weighed, belief_panels, explain, likeness_panel
from molehunt.agents.saboteur.own_seat import OwnSeat
from molehunt.agents.saboteur.playing_on import (
    AHEAD,
    DECIDE,
    FAITH,
    GLANCE,
    HYPOTHESES,
    KEPT,
    NOTICED,
    PRIOR,
    STEP,
    WORLDS,
)
from molehunt.agents.saboteur.speaking import SILENT
from molehunt.core.agent import Reach, Rows, check_seating, check_views, seats_of_views, seen_from
from molehunt.core.errors import BadInput
from molehunt.core.game import Actions, Game, Views
from molehunt.core.interpreting import unchanged
from molehunt.core.language import _
from molehunt.core.panels import Panel, Words
from molehunt.core.processor_count import cores
from molehunt.core.seats import NOBODY
from molehunt.core.specs import as_record
from molehunt.core.streams import next_word
from molehunt.core.words import met_in_words
from molehunt.games.playing import laid_down
from molehunt.games.saboteur.actions import PLAY_PATH, PLAY_ROCKFALL, play_of
from molehunt.games.saboteur.game import check_game
from molehunt.games.saboteur.state import EVENT, VIEW
from molehunt.reading.saboteur.deeds import DEEDS
from molehunt.reading.saboteur.features import HISTORY
from molehunt.reading.saboteur.knowledge import value_table
from molehunt.reading.saboteur.suspicion import (
    DEPENDENT,
    SCRATCH,
    STYLES_HELD,
    believe_both,
    close_last,
    deal_of,
    new_cases,
    suspect_styles,
)
from molehunt.reading.saboteur.telling import weigh_card, weigh_turns

FORGET = 0.03
"""The share of what it believes of the others' styles that it gives up from game to game."""

OTHER_GAMES = 0.1
"""What a game says of the others' styles counts with this exponent in the next ones: nobody plays just like a style, and is so in
every game."""


class MoleAgent(CompiledAgent):
    """The strongest player of Saboteur here."""

    act_one = act_one
    observe_one = observe_one

    needs_machine_code = True

    def __init__(self, name: str = "mole", parameters: Parameters = EDITIONS["fast"]) -> None:
        self.name = name
        self.parameters = parameters
        self.in_batches = False

    def start(self, game: Game, views: Views, streams: npt.NDArray[np.uint64]) -> Memory:
        game = check_game(self.name, game)
        check_seating(game, views, streams)
        minds = np.zeros(len(views), MIND)
        minds["stream"][:, 0] = streams
        minds["case"] = new_cases(len(views), game.seats)
        models = np.zeros((len(views), HYPOTHESES * game.seats), MODEL)
        deal = deal_of(game)
        tables = value_table(game.ruleset, AS_RUN.halve_top_stone)
        noted = np.zeros(len(views), HISTORY)
        own = OwnSeat.of(game, plain=True) if self.parameters.own else None
        asked = OwnSeat.of(game, plain=False) if self.parameters.prior_in(game.ruleset) else None
        scratch = Scratch(game, deal, own, asked)
        seats, met = seats_of_views(views), np.zeros(len(views), np.int64)
        expected = np.zeros((len(views), game.seats, STYLES_HELD))
        memory = Memory(minds, models, noted, seats, met, expected, game, deal, as_record(AS_RUN), tables, scratch)
        begin_many(minds, models, views, memory.parameters_of_2019, memory.scratch.suspicion, game.params)
        return memory

    @property
    def threads(self) -> int:
        """How many threads play on."""
        return self.parameters.threads or cores()

    @property
    def _in_steps(self) -> bool:
        """Whether it thinks step by step, not in one compiled loop."""
        return self.parameters.seconds > 0 or self.threads > 1

    def parts(self, memory: Memory) -> tuple[npt.NDArray[Any], ...]:
        scratch, game = memory.scratch, memory.game
        scratch.lay_down(memory)
        scratch.usual[[FAITH, PRIOR]] = self.parameters.faith, self.parameters.prior_in(game.ruleset)
        settings = self.parameters
        scratch.enough[0] = settings.speaks
        scratch.budget[[STEP, WORLDS, KEPT]] = DECIDE, settings.worlds, settings.kept
        scratch.budget[[GLANCE, AHEAD, NOTICED]] = settings.glance, settings.ahead, settings.noticed
        return (
            memory.records,
            memory.models.reshape(-1),
            scratch.habits,
            memory.deal.teams,
            memory.deal.odds,
            game.params,
            memory.parameters_of_2019,
            memory.tables_of_2019,
            scratch.scratch_of_2019,
            scratch.suspicion,
            scratch.told,
            scratch.model_rows,
            scratch.model_numbers,
            scratch.search,
            memory.noted,
            scratch.enough,
            scratch.heard,
            scratch.words,
        )

    def reach(self, memory: Memory) -> Reach | None:
        return None if self._in_steps else super().reach(memory)

    def act(self, views: Views, memory: Memory, rows: Rows) -> Actions:
        if not self._in_steps:
            return super().act(views, memory, rows)
        rows = check_views(memory, views, rows, VIEW, memory.game.seats)
        actions = np.empty(len(views), np.int32)
        for place, row in enumerate(rows):
            said = self._say(views[place : place + 1], memory, int(row))
            if said != SILENT:
                actions[place] = said
                continue
            next_word(memory.records["stream"][row])
            view = views[place : place + 1]
            found = Comparison(self, view, memory, int(row)).weighed
            if self.parameters.seconds:
                memory.scratch.last = (int(row), view.tobytes()), found
            actions[place] = found.moves[0]
        return actions

    def _say(self, view: Views, memory: Memory, row: int) -> int:
        """What a chair says, a claim or before its card, or SILENT."""
        case = memory.records["case"][row : row + 1].copy()
        with unchanged():
            return int(say_at(case, np.ascontiguousarray(view), laid_down(*self.parts(memory))))

    def impressions(self, game: Game, view: Any, memory: Memory, row: int) -> Any:
        """Which style it takes each seat's to be, by distance from its own; and after how many games."""
        case, shown = memory.records["case"][row : row + 1].copy(), seen_from(memory, view, row)[0]
        if shown["to_move"] == NOBODY and shown["round"]:
            ended = np.zeros(1, EVENT)
            ended["roles"] = shown["past_roles"][shown["round"] - 1]
            close_last(case, ended, np.zeros(1, SCRATCH), memory.game.params)
        expected = memory.expected[row]
        styles = expected + OTHER_GAMES * (case["styles"][0, : memory.game.seats] - expected)
        chances = np.exp(styles - styles.max(axis=1, keepdims=True))
        chances = np.roll(chances / chances.sum(axis=1, keepdims=True), -memory.seats[row], axis=0)
        return {"games": int(memory.met[row]) + 1, "styles": chances.tolist()}

    def meet_again(self, memory: Memory, row: int, impressions: Any, seated: bool = True) -> None:
        """Expect of each seat what it believed of it, but for a share FORGET; where who sits where may differ, of each the mean."""
        believed, games = _believed(impressions)
        seats = memory.game.seats
        if len(believed) != seats or not seated:
            believed = np.tile(believed[1:].mean(axis=0), (seats, 1))
        believed = np.roll((1 - FORGET) * believed + FORGET / STYLES_HELD, memory.seats[row], axis=0)
        memory.expected[row] = np.log(believed / believed.max(axis=1, keepdims=True))
        memory.records["case"]["styles"][row, :seats] = memory.expected[row]
        memory.met[row] = games

    def why(self, game: Game, view: Any, memory: Memory, row: int) -> str:
        view = seen_from(memory, view, row)
        said = self._say(view, memory, row)
        if said != SILENT:
            found = Weighed.said(said)
        elif memory.scratch.last is not None and memory.scratch.last[0] == (row, view.tobytes()):
            # By the clock it would not think the same again.
            found = memory.scratch.last[1]
        else:
            fresh = self.take(memory, np.array([row]))
            next_word(fresh.records["stream"][0])
            found = Comparison(self, view, fresh, 0).weighed
        belief = self._ground(view, memory, row)
        told = explain(memory.game, view[0], belief, found, self._nearer(found, memory, row))
        met = int(memory.met[row])
        return f"{told}\n{met_in_words(met)}" if met else told

    def beliefs(self, game: Game, view: Any, memory: Memory, row: int) -> tuple[Panel, ...]:
        """Who the saboteurs are, where the gold is, what everybody believes of each seat, and how the others seem to play."""
        view = seen_from(memory, view, row)
        own, public = self._believe(view, memory, row)
        met = int(memory.met[row])
        earlier = [Words(_("Earlier games"), met_in_words(met))] if met else []
        playing = likeness_panel(self._styles(view, memory, row))
        return *belief_panels(memory.game, view[0], memory.deal, own, public), *playing, *earlier

    def _believe(self, view: Views, memory: Memory, row: int) -> npt.NDArray[np.float64]:
        """The chances of sets and goals to a chair and to an onlooker: shape (2, sets, 3)."""
        case = memory.records["case"][row : row + 1].copy()
        joints = np.zeros((2, len(memory.deal.teams), 3))
        view = np.ascontiguousarray(view)
        believe_both(case, view, DEPENDENT, memory.deal.teams, memory.deal.odds, np.zeros(1, SCRATCH), joints)
        return joints

    def _styles(self, view: Views, memory: Memory, row: int) -> npt.NDArray[np.float64]:
        """How likely each other seat is of each style, to a chair: shape (seats, styles)."""
        case = memory.records["case"][row : row + 1].copy()
        styles = np.zeros((memory.game.seats, STYLES_HELD))
        view = np.ascontiguousarray(view)
        suspect_styles(case, view, memory.deal.teams, memory.deal.odds, np.zeros(1, SCRATCH), styles)
        return styles

    def _ground(self, view: Views, memory: Memory, row: int) -> Belief:
        """What a chair believes, and how much each move that was made speaks for it."""
        case = memory.records["case"][row : row + 1].copy()
        turns = case["turns"][0, : case["turn_count"][0]].copy()
        deal, weights = memory.deal, np.zeros(len(turns))
        joint, now = np.zeros((len(deal.teams), 3)), np.zeros(memory.game.seats)
        view = np.ascontiguousarray(view)
        rows = memory.scratch.habits.reshape(-1, len(DEEDS))
        weigh_turns(case, view, rows, deal.teams, deal.odds, np.zeros(1, SCRATCH), joint, now, weights)
        own, public = self._believe(view, memory, row)
        return Belief(deal, own, public, turns, weights)

    def _nearer(self, found: Weighed, memory: Memory, row: int) -> npt.NDArray[np.float64]:
        """By how many cards the move that is taken shortens the way to each place of the gold: shape (3,)."""
        nearer = np.zeros(3)
        if len(found.moves) and play_of(found.moves[0]) in (PLAY_PATH, PLAY_ROCKFALL):
            event = np.zeros(1, EVENT)
            event["action"] = found.moves[0]
            case = memory.records["case"][row : row + 1].copy()
            weigh_card(case, event, np.zeros(1, SCRATCH), memory.game.params, nearer)
        return nearer


def _believed(impressions: Any) -> tuple[npt.NDArray[np.float64], int]:
    """(styles by distance, games) of impressions; BadInput where they are none."""
    try:
        games, styles = int(impressions["games"]), np.array(impressions["styles"], np.float64)
    except (KeyError, TypeError, ValueError, OverflowError):
        games, styles = 0, np.empty(0)
    if not 0 < games < 2**31 or styles.ndim != 2 or len(styles) < 2 or styles.shape[1] != STYLES_HELD:
        raise BadInput("this is not what mole takes along about the others from game to game")
    if not (styles >= 0).all() or not np.allclose(styles.sum(axis=1), 1.0, rtol=0.0, atol=1e-6):
        raise BadInput("the styles that mole takes along from game to game are chances, of sum 1 for each seat")
    return styles, games
