"""Games that the compiled players of Saboteur play while the slow engine and the slow players follow them, move by move.

At every decision of a compiled player: what each card of its hand is worth is one of the values that the slow player may
have by some tie-break, and the move is one that the slow player may choose. After every move of another: its trust is one
that the slow player may have. Both are worked out from the compiled player's own trust and repair value, so that a
difference shows where it arises.
"""

from __future__ import annotations

import dataclasses
import math
from collections import Counter
from typing import Any
from unittest import mock

import numpy as np
import numpy.typing as npt

from games.saboteur.playing import seeds_of
from molehunt.agents.registry import Agents
from molehunt.agents.saboteur.minds import TrustAgent
from molehunt.core.agent import Agent
from molehunt.core.streams import seat_streams
from molehunt.games.saboteur.cards import CARD_NAMES, GOAL_NAMES, NO_CARD, ROLE_NAMES
from molehunt.games.saboteur.game import Saboteur
from reference import saboteur_players as slow
from reference.saboteur import ReferenceGame, Rules

TOLERANCE = 1e-6

AGENTS = Agents("saboteur")

# The parameters of decision-2019 by their names in the slow players. A minus: the opposite of it.
NAMES_2019 = {
    "d_delta": "play_above",
    "d_mu": "map_unknown",
    "map_useless": "map_known",
    "d_pi": "path_factor",
    "d_rho": "rockfall_factor",
    "d_phi": "block_base repair_base",
    "repair_growth": "repair_growth",
    "d_0": "trust_start",
    "d_b": "trust_block",
    "d_r": "trust_repair",
    "no_placement": "no_cell",
    "halve_top_stone": "halve_v_x_when_top_is_stone",
    "goals_count": "count_reachable_goals",
    "mean_breaks_ties": "mean_breaks_ties",
    "own_kind_only": "only_suiting_path_cards",
    "blocked_values_paths": "-blocked_path_is_worth_nothing",
    "miner_rockfall": "miner_may_rockfall",
    "rockfall_absolute": "rockfall_is_absolute",
    "rockfall_joined": "rockfall_only_joined",
    "block_fewest": "-block_prefers_most_broken",
    "repair_printed": "-repair_counts_mended",
    "repair_counts_empty": "repair_counts_empty",
    "trust_both": "trust_of_target_changes",
    "self_target_fault": "self_target_trust_fault",
    "complement": "-neither_friend_nor_enemy",
    "few_enemies": "few_enemies",
    "rockfall_occupied": "rockfall_by_occupied",
    "discard_suiting": "discard_suiting_card",
    "hears": "accusation_counts",
    "heeds": "request_counts",
}


def slow_parameters(agent: Agent) -> slow.Parameters | None:
    """The parameters of the slow player that does what this agent does; None for an agent that has no slow player."""
    if not isinstance(agent, TrustAgent):
        return None
    given = dataclasses.asdict(agent.parameters)
    changes: dict[str, Any] = {}
    if agent.name.startswith("decision-2019"):
        for name, theirs in NAMES_2019.items():
            value = given.pop(name)
            for key in theirs.split():
                changes[key.removeprefix("-")] = not value if key.startswith("-") else value
        assert not given, f"the slow players do not know {', '.join(given)}"
        return slow.Decision2019(**changes)
    same = ("k0", "k1", "k2", "k3", "k4", "c1", "c2", "c3", "c4")
    return slow.MeansEnds2016(
        **{name: given[name] for name in same},
        plays_unturned_as_turned=given["plays_turned_fault"],
        z2_of_turned_form=given["plays_turned_fault"],
        self_target_trust_fault=given["self_target_fault"],
    )


def reference_of(game: Saboteur, state: Any) -> ReferenceGame:
    """The slow game of the same deal."""
    seats = game.seats
    return ReferenceGame(
        Rules(
            blocked_may_rockfall=game.ruleset.blocked_may_rockfall,
            stones_let_in=game.ruleset.stones_let_in,
            speak=game.ruleset.speak,
        ),
        [ROLE_NAMES[role] for role in state["roles"][:seats]],
        [GOAL_NAMES[content] for content in state["goals"]],
        [[CARD_NAMES[card] for card in hand if card != NO_CARD] for hand in state["hands"][:seats]],
        [CARD_NAMES[card] for card in state["deck"][int(state["drawn"]) :]],
        int(state["to_move"]),
    )


def trust_of(mind: Any) -> slow.Trust:
    """The table of trust of one mind: all others, and its own seat once the fault has put it there."""
    trust, own = mind["trust"].tolist(), None if mind["rates_itself"] else int(mind["seat"])
    return {seat: trust[seat] for seat in range(mind["seats"]) if seat != own}


def known_of(mind: Any) -> dict[int, str]:
    """What one mind knows of the goals."""
    return {goal: "gold" if content == 1 else "stone" for goal, content in enumerate(mind["goals"].tolist()) if content}


def close(a: float, b: float) -> bool:
    """Equal within the tolerance, also at infinity."""
    return a == b or math.isclose(a, b, rel_tol=0, abs_tol=TOLERANCE)


def same_trust(a: slow.Trust, b: slow.Trust) -> bool:
    return a.keys() == b.keys() and all(close(a[seat], b[seat]) for seat in a)


def allowed_moves(now: slow.Seen, trust: slow.Trust, repair: float, params: slow.Parameters) -> set[str]:
    """What the slow player may do; also by rounding, where a card is worth exactly what must be exceeded."""
    limit = slow.threshold(params)
    options = slow.possible_options(now, trust, repair, params)
    if not any(close(option.value, limit) for slot in options for option in slot):
        return slow.allowed_moves(now, trust, repair, params)
    moves = set()
    for value in (limit - TOLERANCE, limit + TOLERANCE):
        if isinstance(params, slow.MeansEnds2016):
            moves |= slow.allowed_moves(now, trust, repair, dataclasses.replace(params, k2=3 * value))
        else:
            moves |= slow.allowed_moves(now, trust, repair, dataclasses.replace(params, play_above=value))
    return moves


class Remembering:
    """The slow player's `possible_options`, which is asked about one decision several times in a row."""

    def __init__(self) -> None:
        self.ask = slow.possible_options
        self.asked: tuple[Any, ...] = ()
        self.answer: list[set[slow.Option]] = []

    def __call__(
        self, now: slow.Seen, trust: slow.Trust, repair: float, params: slow.Parameters
    ) -> list[set[slow.Option]]:
        asked = (now, trust, repair, params)
        if asked != self.asked:
            self.asked, self.answer = asked, self.ask(now, trust, repair, params)
        return self.answer


class SideBySide:
    """Some games of one seating: `seating` names the agent of every seat."""

    def __init__(self, game: Saboteur, seating: list[str], first: int, games: int) -> None:
        self.game = game
        self.seating = seating
        seeds = seeds_of(first, games)
        self.states = game.new(seeds)
        self.followed = [reference_of(game, state) for state in self.states]
        self.agents = [AGENTS.make(spec) for spec in seating]
        self.params = [slow_parameters(agent) for agent in self.agents]
        streams = seat_streams(seeds, game.seats)
        self.memories = [
            agent.start(game, game.views(self.states, np.full(games, seat, np.int8)), streams[:, seat])
            for seat, agent in enumerate(self.agents)
        ]
        self.moves: list[list[str]] = [[] for _ in range(games)]
        self.checked: Counter[str] = Counter()

    def where(self, row: int, seat: int) -> str:
        """The place of a difference."""
        return (
            f"{self.game.label} with {self.seating}, game {row}, seat {seat} ({self.followed[row].roles[seat]}), "
            f"after {' '.join(self.moves[row])}"
        )

    def run(self) -> None:
        """Play all games to their ends."""
        with mock.patch.object(slow, "possible_options", Remembering()):
            self.play()
        assert all(followed.over for followed in self.followed)

    def play(self) -> None:
        while (rows := np.flatnonzero(self.game.to_move(self.states) >= 0)).size:
            seats = self.game.to_move(self.states)[rows]
            actions = np.empty(len(rows), np.int32)
            for seat, agent in enumerate(self.agents):
                mine = np.flatnonzero(seats == seat)
                if mine.size:
                    actions[mine] = self.decide(seat, agent, rows[mine])
            self.move(rows, actions)

    def decide(self, seat: int, agent: Agent, rows: npt.NDArray[np.int64]) -> npt.NDArray[np.int32]:
        """The actions of one agent in these games, checked."""
        views = self.game.views(self.states, np.full(len(rows), seat, np.int8), rows)
        params = self.params[seat]
        if params is None:
            return agent.act(views, self.memories[seat], rows)
        assert isinstance(agent, TrustAgent)
        before = self.memories[seat].records[rows].copy()
        worth = [agent.consider(views[i : i + 1], self.memories[seat], row) for i, row in enumerate(rows.tolist())]
        actions = agent.act(views, self.memories[seat], rows)
        for i, row in enumerate(rows.tolist()):
            self.check_decision(row, seat, before[i], worth[i], self.game.format_action(actions[i]), params)
        return actions

    def check_decision(
        self, row: int, seat: int, mind: Any, worth: tuple[Any, Any], move: str, params: slow.Parameters
    ) -> None:
        """The values of the cards, what each would do, and the move, at one decision."""
        now, trust, repair = slow.seen(self.followed[row], seat), trust_of(mind), float(mind["repair"])
        assert known_of(mind) == now.known, f"{self.where(row, seat)}: the goals known are {known_of(mind)}"
        options = slow.possible_options(now, trust, repair, params)
        for slot, card in enumerate(now.hand):
            value, action = float(worth[0][slot]), int(worth[1][slot])
            meant = self.game.format_action(action) if action >= 0 else "nothing"
            fits = [
                option
                for option in options[slot]
                if close(value, option.value)
                and (value <= slow.threshold(params) or (meant in option.moves if action >= 0 else option.failing))
            ]
            assert fits, f"{self.where(row, seat)}: {card} is worth {value} for {meant}, not {options[slot]}"
            self.checked["infinite values" if math.isinf(value) else "values"] += 1
        allowed = allowed_moves(now, trust, repair, params)
        assert move in allowed, f"{self.where(row, seat)}: plays {move}, not one of {sorted(allowed)}"
        self.checked["decisions"] += 1
        self.checked["decisions with ties"] += len(allowed) > 1
        self.checked[f"{now.role} {move.split(':', maxsplit=1)[0].split('@', maxsplit=1)[0][:2]}"] += 1

    def move(self, rows: npt.NDArray[np.int64], actions: npt.NDArray[np.int32]) -> None:
        """Play one move in these games, and check what it does to the trust of every seat."""
        moves = [self.game.format_action(action) for action in actions]
        watched = [seat for seat in range(self.game.seats) if self.params[seat] is not None]
        seen = {(row, seat): slow.seen(self.followed[row], seat) for row in rows.tolist() for seat in watched}
        told = [self.followed[row].apply(move) for row, move in zip(rows.tolist(), moves, strict=True)]
        events = self.game.apply(self.states, actions, rows)
        for seat, agent in enumerate(self.agents):
            before = self.memories[seat].records[rows].copy() if seat in watched else None
            agent.observe(events[:, seat], self.memories[seat], rows)
            if before is not None:
                for i, row in enumerate(rows.tolist()):
                    self.check_trust(row, seat, before[i], told[i][seat], seen[row, seat])
        for row, move in zip(rows.tolist(), moves, strict=True):
            self.moves[row].append(move)

    def check_trust(self, row: int, seat: int, before: Any, event: Any, seen: slow.Seen) -> None:
        """What one move did to the trust and the repair value of one seat."""
        params = self.params[seat]
        assert params is not None
        mind = self.memories[seat].records[row]
        trust, found = trust_of(before), trust_of(mind)
        allowed = slow.allowed_trust_updates(trust, event, seen, params)
        assert any(same_trust(found, one) for one in allowed), (
            f"{self.where(row, seat)}: after {event['move']} of seat {event['seat']} trust is {found}, not {allowed}"
        )
        if isinstance(params, slow.Decision2019):
            repair = slow.next_repair(float(before["repair"]), event, seat, params)
            assert close(float(mind["repair"]), repair), f"{self.where(row, seat)}: repair is worth {mind['repair']}"
        self.checked["trust"] += 1
        self.checked["trust changed"] += not same_trust(found, trust)
        self.checked["trust by chance"] += len(allowed) > 1
        self.checked["own table entered"] += len(found) > len(trust)
