"""`mole`: works out who the saboteurs are and where the gold is (`suspicion`), and plays moves on in such worlds (`playing_on`)."""

from __future__ import annotations

import math
import time
from collections import deque
from typing import Any

import numpy as np
import numpy.typing as npt

from molehunt.agents.compiled import CompiledAgent
from molehunt.agents.saboteur.decision_2019 import AS_RUN
from molehunt.agents.saboteur.minds import MIND as MODEL
from molehunt.agents.saboteur.mole_kernels import MIND, SEARCH, act_one, begin_many, observe_one, say_at
from molehunt.agents.saboteur.mole_memory import Memory, Scratch
from molehunt.agents.saboteur.mole_parameters import EDITIONS, Parameters
from molehunt.agents.saboteur.mole_words import Belief, Weighed, belief_panels, explain, likeness_panel
from molehunt.agents.saboteur.own_seat import OwnSeat
from molehunt.agents.saboteur.playing_on import (
    ADD,
    AHEAD,
    BROUGHT,
    COUNT,
    DECIDE,
    FAITH,
    FIRST,
    GLANCE,
    HYPOTHESES,
    KEPT,
    LIST,
    MOVE,
    NOTICED,
    PREFERRED,
    PRIOR,
    RANKED,
    STEP,
    TRY,
    WORLDS,
    left_over,
)
from molehunt.agents.saboteur.speaking import SILENT
from molehunt.agents.threads import side_by_side
from molehunt.core.agent import Reach, Rows, check_seating, check_views, seats_of_views, seen_from
from molehunt.core.errors import BadInput
from molehunt.core.game import Actions, Game, Views
from molehunt.core.interpreting import is_interpreting, unchanged
from molehunt.core.language import _
from molehunt.core.panels import Panel, Words
from molehunt.core.processor_count import cores
from molehunt.core.seats import NOBODY
from molehunt.core.specs import as_record
from molehunt.core.streams import next_word
from molehunt.core.words import met_in_words
from molehunt.games.compiled import bytes_of
from molehunt.games.playing import act_many, address_of, laid_down
from molehunt.games.saboteur.actions import PLAY_PATH, PLAY_ROCKFALL, play_of
from molehunt.games.saboteur.cards import MINER
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

STAGES = 4
"""By the clock, so many times the worse half of the moves is left out."""
AT_ONCE = 32
"""Games that a thread plays on, about, before it looks at the clock and whether there is more to do."""
BLOCK = 1024
"""Worlds, at most, of which it is kept what each move brought before that is added up."""


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


class Comparison:
    """The moves at one view, the best first, compared as the player does but step by step; the next word of luck has been drawn.

    `worlds` says in how many each was played on, and `worth` what it brought there on average. `usual` is the move that a player of
    2019 would make.
    """

    def __init__(self, agent: MoleAgent, view: Views, memory: Memory, row: int) -> None:
        began = time.perf_counter()
        self._agent, self._scratch = agent, memory.scratch
        self._asked = np.ascontiguousarray(view), memory, np.array([row])
        self._do(LIST)
        count = int(self._scratch.budget[COUNT])
        self.worlds = np.zeros(count, np.int64)
        self._first = 0
        parameters = agent.parameters
        self._ahead = parameters.glance
        worlds, stage, followed = parameters.worlds, 1, count
        while count > 1:
            if parameters.seconds:
                self._play_until(began + parameters.seconds * stage / STAGES, count)
                if stage == STAGES:
                    break
            else:
                self._play_on(count, worlds)
            glanced = stage == 1 and parameters.glance != parameters.ahead
            count = left_over(count, parameters.kept if stage == 1 else count, glanced)
            if glanced and count > 1:
                self._begin_again(count)
            followed = count if stage == 1 else followed
            self._ahead = parameters.ahead
            worlds *= 2
            stage += 1
        moves = len(self.worlds)
        order = self._scratch.alive[:moves].copy()
        self.moves = self._scratch.moves[order].copy()
        self.worlds = self.worlds[order]
        self.usual = int(self._scratch.usual[MOVE])
        played = self.worlds > 0
        self.worth = self._scratch.totals[order] / np.maximum(self.worlds, 1)
        # What is added because a move is usual, or liked, is none of what it brought.
        added = self._scratch.liking[order].copy()
        faith = parameters.faith if view["role"][0] == MINER else 0.0
        added[self.moves == self.usual] += faith
        self.worth[played] -= added[played]
        self.weighed = Weighed(self.moves, self.worth, self.worlds, added, min(followed, moves), self.usual, faith)

    def _play_on(self, count: int, worlds: int) -> None:
        """Play the moves alive on in so many worlds more."""
        done = 0
        while done < worlds:
            brought = self._try(count, min(worlds - done, BLOCK), math.inf)
            first, done = not done, done + len(brought)
            # As in one go, sums are rounded with what is preferred first, and equals stay in the order that they had before.
            self._do(ADD, brought, worlds if first else 0, ranked=done == worlds)

    def _play_until(self, until: float, count: int) -> None:
        """Play the moves alive on in some worlds, and in more while there is time."""
        while True:
            brought = self._try(count, BLOCK, until)
            self._do(ADD, brought, len(brought))
            if time.perf_counter() >= until:
                return

    def _try(self, count: int, worlds: int, until: float) -> npt.NDArray[np.float64]:
        """What the moves alive bring in the next worlds, as many as there is time for, at least one: shape (worlds, count)."""
        view, _memory, row = self._asked
        at_once = max(1, AT_ONCE // count)
        # Machine code may come meanwhile.
        brought = np.empty((min(worlds, at_once) if is_interpreting() else worlds, count))
        starts = deque(range(0, len(brought), at_once))
        with unchanged() as interpreted:
            threads = 1 if interpreted else min(self._agent.threads, len(starts))
            benches = self._scratch.benches(threads)
            numbers = self._laid_down(benches, count)

            def work(thread: int) -> None:
                bench, act = benches[thread], act_one.address
                while starts:
                    try:
                        start = starts.popleft()
                    except IndexError:  # another thread was quicker
                        return
                    rows = brought[start : start + at_once]
                    bench.search[BROUGHT : BROUGHT + 2] = address_of(rows), len(rows)
                    bench.budget[[STEP, WORLDS, FIRST]] = TRY, len(rows), self._first + start
                    act_many(act, bytes_of(view), numbers[thread], row, np.empty(1, np.int32))
                    if time.perf_counter() >= until:
                        return

            side_by_side(work, threads)
        # They are begun in their order, and what was begun is there.
        played = brought[: starts[0] if starts else len(brought)]
        self._first += len(played)
        self.worlds[self._scratch.alive[:count]] += len(played)
        return played

    def _laid_down(self, benches: list[Scratch], count: int) -> list[npt.NDArray[np.int64]]:
        """The memory by addresses, once for each of those who play on at once."""
        _view, memory, _row = self._asked
        own = laid_down(*self._agent.parts(memory))
        self._scratch.budget[[COUNT, AHEAD]] = count, self._ahead
        numbers = [own]
        for bench in benches[1:]:
            bench.lay_down(memory)
            bench.budget[:] = self._scratch.budget
            numbers.append(own.copy())
            numbers[-1][SEARCH] = address_of(bench.search)
        return numbers

    def _begin_again(self, count: int) -> None:
        """What was seen at a glance only says which moves are looked at."""
        kept = self._scratch.alive[:count]
        self.worlds[kept] = 0
        self._scratch.totals[kept] = 0.0

    def _do(
        self, step: int, brought: npt.NDArray[np.float64] | None = None, preferred: int = 0, ranked: bool = True
    ) -> None:
        """Have the compiled player do one step."""
        view, memory, row = self._asked
        with unchanged():
            numbers = laid_down(*self._agent.parts(memory))
            budget = self._scratch.budget
            budget[STEP] = step
            if brought is not None:
                budget[[WORLDS, COUNT]] = brought.shape
                budget[[PREFERRED, RANKED]] = preferred, ranked
                self._scratch.search[BROUGHT : BROUGHT + 2] = address_of(brought), len(brought)
            act_many(act_one.address, bytes_of(view), numbers, row, np.empty(1, np.int32))
