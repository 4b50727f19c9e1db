"""Cups, the smallest game that a package could bring: a coin lies under one of six cups, and who lifts that cup has won.

A move is `peek:N` (only who looks sees what is there), `lift:N` (all see it), or `swap:N,M` of two cups that stand. It has no
words, no board and no roles of its own, so pages show it as they show any game.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import pytest

from molehunt.agents import registry as agents
from molehunt.agents.entry import AgentEntry
from molehunt.core.agent import Agent, Rows
from molehunt.core.errors import BadNotation, IllegalAction
from molehunt.core.game import Action, Actions, Events, Game, LegalActions, Outcome, Seats, Seeds, States, Views
from molehunt.core.seats import NOBODY
from molehunt.core.svg import element
from molehunt.games import registry as games
from molehunt.games.registry import GameEntry, RulesetEntry

CUPS, SEATS, LONGEST = 6, 4, 30
NOTHING, EMPTY, COIN = 0, 1, 2
KINDS = ("peek", "lift", "swap")
SWAPS = tuple((one, two) for two in range(CUPS) for one in range(two))
ACTIONS = 2 * CUPS + len(SWAPS)

_PUBLIC: list[Any] = [
    ("looked", np.bool_, (SEATS, CUPS)),
    ("lifted", np.bool_, (CUPS,)),
    ("made", np.int8),
    ("winner", np.int8),
]
STATE = np.dtype([("coin", np.int8), *_PUBLIC])
VIEW = np.dtype([("seat", np.int8), ("found", np.int8, (CUPS,)), *_PUBLIC])
EVENT = np.dtype([("seat", np.int8), ("action", np.int8), ("found", np.int8)])


@dataclass(frozen=True)
class Ruleset:
    """There is one way to play."""


class Cups(Game):
    name, ruleset, spec = "cups", Ruleset(), "six"
    state_dtype, view_dtype, event_dtype = STATE, VIEW, EVENT

    def __init__(self, ruleset: Ruleset, seats: int) -> None:
        self.seats = seats

    def role_counts(self) -> tuple[int, ...]:
        return ()

    def new(self, seeds: Seeds, roles: Any = None) -> States:
        states = np.zeros(len(seeds), STATE)
        states["coin"] = [np.random.default_rng(int(seed)).integers(CUPS) for seed in seeds]
        states["winner"] = NOBODY
        return states

    def to_move(self, states: States) -> Seats:
        over = (states["winner"] != NOBODY) | (states["made"] >= LONGEST)
        return np.where(over, NOBODY, states["made"] % self.seats).astype(np.int8)

    def views(self, states: States, seats: Seats, rows: Any = None) -> Views:
        states = states if rows is None else states[rows]
        views = np.zeros(len(states), VIEW)
        views["seat"] = seats
        for field, *_ in _PUBLIC:
            views[field] = states[field]
        for view, state in zip(views, states, strict=True):
            known = view["lifted"] if view["seat"] < 0 else view["lifted"] | state["looked"][view["seat"]]
            view["found"] = np.where(known, np.where(np.arange(CUPS) == state["coin"], COIN, EMPTY), NOTHING)
        return views

    def public_view(self, state: Any) -> Views:
        return self.views(np.atleast_1d(state), np.full(1, NOBODY, np.int8))

    def public_event(self, events: Any) -> Any:
        hidden = events[0].copy()
        hidden["found"] = min(int(event["found"]) for event in events)
        return hidden

    def legal_actions(self, view: Any) -> LegalActions:
        view = np.atleast_1d(view)
        codes = []
        if self.to_move(view)[0] == view["seat"][0] >= 0:
            stands = ~view["lifted"][0]
            codes = [kind * CUPS + cup for kind in (0, 1) for cup in range(CUPS) if stands[cup]]
            codes += [2 * CUPS + at for at, (one, two) in enumerate(SWAPS) if stands[one] and stands[two]]
        return LegalActions(self, np.array(codes, np.int32))

    def apply(self, states: States, actions: Actions, rows: Any = None) -> Events:
        rows = np.arange(len(states)) if rows is None else rows
        events = np.zeros((len(rows), self.seats), EVENT)
        for event, row, action in zip(events, rows, actions, strict=True):
            state, seat = states[row], int(self.to_move(states[row : row + 1])[0])
            if not 0 <= action < ACTIONS:
                raise IllegalAction(seat, str(action), "this is no move")
            kind, cups = _parts(int(action))
            if seat == NOBODY or state["lifted"][list(cups)].any():
                raise IllegalAction(seat, self.format_action(int(action)), "only cups that stand are in play")
            event["seat"], event["action"] = seat, action
            found = COIN if state["coin"] in cups else EMPTY
            if kind == "peek":
                state["looked"][seat, cups[0]] = True
                event["found"][seat] = found
            elif kind == "lift":
                state["lifted"][cups[0]] = True
                state["winner"] = seat if found == COIN else NOBODY
                event["found"] = found
            else:
                state["looked"][:, list(cups)] = state["looked"][:, list(cups[::-1])]
                if found == COIN:
                    state["coin"] = cups[0] + cups[1] - state["coin"]
            state["made"] += 1
        return events

    def resample(self, views: Views, streams: Any, weights: Any = None) -> States:
        states = np.zeros(len(views), STATE)
        for field, *_ in _PUBLIC:
            states[field] = views[field]
        for state, view, stream in zip(states, views, streams, strict=True):
            sure = np.flatnonzero(view["found"] == COIN)
            places = sure if len(sure) else np.flatnonzero(view["found"] == NOTHING)
            state["coin"] = np.random.default_rng(int(stream)).choice(places)
        return states

    def outcome(self, state: Any) -> Outcome | None:
        state = np.atleast_1d(state)
        if self.to_move(state)[0] != NOBODY:
            return None
        winner = int(state["winner"][0])
        if winner == NOBODY:
            return Outcome("the coin was not found", (), (0.0,) * self.seats)
        return Outcome("the coin is found", (winner,), tuple(float(seat == winner) for seat in range(self.seats)))

    def wins(self, states: States) -> Any:
        return states["winner"][:, None] == np.arange(self.seats)

    def outcome_names(self) -> tuple[str, ...]:
        return ("found", "lost")

    def outcome_codes(self, states: States) -> Any:
        ended = np.where(states["winner"] != NOBODY, 0, 1)
        return np.where(self.to_move(states) == NOBODY, ended, -1)

    def roles_of(self, states: States) -> Any:
        return np.zeros((len(states), self.seats), np.int8)

    def format_action(self, action: int) -> str:
        kind, cups = _parts(action)
        return f"{kind}:{','.join(map(str, cups))}"

    def parse_action(self, text: str) -> Action:
        for code in range(ACTIONS):
            if self.format_action(code) == text:
                return Action(code, text)
        raise BadNotation(f"{text!r:.60} is not a move; moves look like peek:2, lift:2, swap:2,3")

    def format_event(self, event: Any) -> str:
        found = {NOTHING: "", EMPTY: ": nothing", COIN: ": the coin"}[int(event["found"])]
        return f"seat {event['seat']}: {self.format_action(int(event['action']))}{found}"

    def friendly_view(self, view: Any) -> Any:
        return view[0]

    def friendly_event(self, event: Any) -> Any:
        return self.format_event(event)

    def draw_text(self, view: Any) -> str:
        found = " ".join("?.*"[what] for what in np.atleast_1d(view)["found"][0])
        return f"seen by seat {np.atleast_1d(view)['seat'][0]}: {found}"

    def draw_svg(self, view: Any) -> str:
        from xml.etree.ElementTree import tostring

        moves = [action.text for action in self.legal_actions(view)]
        view = np.atleast_1d(view)[0]
        cups = []
        for cup in range(CUPS):
            offered = [move for move in moves if str(cup) in move.partition(":")[2].split(",")]
            words = f"cup {cup}: {('not known', 'empty', 'the coin')[view['found'][cup]]}"
            shape = element("rect", x=10 + cup * 60, y=10, width=50, height=60, rx=6, fill="#9a7", stroke="#333")
            label = element("text", "?.*"[view["found"][cup]], x=30 + cup * 60, y=45)
            more = {"data_moves": "\n".join(offered)} if offered else {}
            cups.append(element("g", shape, label, aria_label=words, role="img", data_cup=cup, **more))
        whose = element("text", f"seat {view['seat']}", x=10, y=95, data_name=view["seat"], data_width=60)
        style = element("style", ".button { fill: #333; }")
        drawing = element("svg", style, *cups, whose, xmlns="http://www.w3.org/2000/svg", width=370, height=110)
        return tostring(drawing, encoding="unicode")


class Peeker(Agent):
    """Looks under the cups, and lifts the one under which it has seen the coin; else chance decides.

    `troubles` are what a test lets it do besides, by what it is asked: raise an error, for one.
    """

    name, observes = "peeker", True
    troubles: ClassVar[dict[str, Callable[..., object]]] = {}

    def start(self, game: Game, views: Views, streams: Any) -> Any:
        return game, [np.random.default_rng(int(stream)) for stream in streams]

    def act(self, views: Views, memory: Any, rows: Rows) -> Actions:
        self._meet("act")
        game, draws = memory
        chosen = []
        for view, row in zip(views, rows, strict=True):
            coin = np.flatnonzero((view["found"] == COIN) & ~view["lifted"])
            legal = game.legal_actions(view).codes
            chosen.append(CUPS + coin[0] if len(coin) else legal[int(draws[row].integers(len(legal)))])
        return np.array(chosen, np.int32)

    def observe(self, events: Events, memory: Any, rows: Rows) -> None:
        self._meet("observe", events)

    def why(self, game: Game, view: Any, memory: Any, row: int) -> str:
        self._meet("why")
        return super().why(game, view, memory, row)

    def impressions(self, game: Game, view: Any, memory: Any, row: int) -> Any:
        self._meet("impressions")
        return super().impressions(game, view, memory, row)

    def _meet(self, asked: str, *told: Any) -> None:
        if asked in self.troubles:
            self.troubles[asked](*told)


def _parts(action: int) -> tuple[str, tuple[int, ...]]:
    if action < 2 * CUPS:
        return KINDS[action // CUPS], (action % CUPS,)
    return KINDS[2], SWAPS[action - 2 * CUPS]


def with_rulesets(rulesets: dict[str, RulesetEntry]) -> GameEntry:
    """The entry with its ruleset for other numbers of seats."""
    return GameEntry(
        name="cups",
        title="Cups: where is the coin?",
        rulesets=rulesets,
        game=f"{__name__}:Cups",
        editions=f"{__name__}:RULESETS",
        opponent="peeker",
        rules=f"{__name__}:RULES",
    )


ENTRY = with_rulesets({"six": RulesetEntry("six cups and one coin", 2, SEATS, 3)})
RULESETS = {"six": Ruleset()}
RULES = "A coin lies under one of six cups. Look under a cup, lift it, or swap two. Who lifts the coin wins."
AGENTS = (AgentEntry("peeker", "cups", "lifts what it has seen", __name__, "Peeker"),)


@contextmanager
def installed() -> Iterator[None]:
    """As if a package had brought the game and its player."""
    with pytest.MonkeyPatch.context() as patch:
        others, players = games.guests(), agents.guests()
        patch.setattr(games, "guests", lambda: {**others, ENTRY.name: ENTRY})
        patch.setattr(agents, "guests", lambda: (*players, *AGENTS))
        yield
