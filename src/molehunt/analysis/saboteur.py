"""Saboteur looked at again: the posterior over saboteurs and gold along the game, and moves played on in worlds of the mover's."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from molehunt.agents.saboteur.mole import MoleAgent
from molehunt.agents.saboteur.trials import Trials
from molehunt.analysis.analyst import Judgements, seed_of
from molehunt.analysis.comparing import compare
from molehunt.analysis.findings import Chart, Judged, Known, Line
from molehunt.analysis.marks import THRESHOLD, chart, lasting, rounded
from molehunt.core.language import _
from molehunt.core.places import place_said
from molehunt.core.replay import Played
from molehunt.games.saboteur.actions import is_before_card, play_of
from molehunt.games.saboteur.cards import GOAL_PLACES, GOLD, SABOTEUR
from molehunt.games.saboteur.game import check_game
from molehunt.reading.saboteur.course import end_round, follow_round, open_round
from molehunt.reading.saboteur.habits import habits
from molehunt.reading.saboteur.suspicion import SCRATCH, deal_of, new_cases

ROW = np.zeros(1, np.int64)


@dataclass(frozen=True)
class Round:
    """A round as it could be read: places `first` to `last` of the game; who the saboteurs were, and where the gold lay.

    joints: float64[places, viewers, sets, 3], the chances of sets of saboteurs and places of the gold; the last viewer is an
    onlooker. The last place is before the roles were opened.
    """

    number: int
    first: int
    last: int
    roles: npt.NDArray[np.int8]
    gold: int
    joints: npt.NDArray[np.float64]


class SaboteurAnalyst:
    """A game of Saboteur."""

    rests_on = ""

    usual_worlds = 150

    def __init__(self, played: Played, names: Sequence[str]) -> None:
        self._played, self._names = played, tuple(names)
        self._game = check_game("the analysis", played.game)
        self._deal = deal_of(self._game)
        self._members = self._deal.teams[:, None] >> np.arange(self._game.seats) & 1

    # --- Beliefs --------------------------------------------------------------------------------------------------------

    def beliefs(self) -> tuple[tuple[Chart, ...], tuple[Known, ...]]:
        charts: list[Chart] = []
        known: list[Known] = []
        for each in self.rounds:
            for viewer in (None, *range(self._game.seats)):
                charts += self._charts(each, viewer)
                known += self._known(each, viewer)
        return tuple(charts), tuple(known)

    def guilt(self, each: Round, viewer: int | None) -> npt.NDArray[np.float64]:
        """How likely a viewer may hold each seat for a saboteur: shape (places, seats)."""
        joint = self._joint(each, viewer)
        result: npt.NDArray[np.float64] = joint.sum(axis=2) @ self._members
        return result

    def _joint(self, each: Round, viewer: int | None) -> npt.NDArray[np.float64]:
        found: npt.NDArray[np.float64] = each.joints[:, self._game.seats if viewer is None else viewer]
        return found

    def _charts(self, each: Round, viewer: int | None) -> list[Chart]:
        who, where = _("Who is a saboteur"), _("Where the gold is")
        if len(self.rounds) > 1:
            number = each.number + 1
            who = _("Who is a saboteur, round {number}", number=number)
            where = _("Where the gold is, round {number}", number=number)
        guilt = self.guilt(each, viewer)
        gold = self._joint(each, viewer).sum(axis=1)
        seats = [
            Line(self._names[seat], seat, bool(each.roles[seat] == SABOTEUR), rounded(guilt[:, seat]))
            for seat in range(self._game.seats)
            if seat != viewer
        ]
        places = [
            Line(_("the {place} goal", place=place_said(place)), None, goal == each.gold, rounded(gold[:, goal]))
            for goal, place in enumerate(GOAL_PLACES)
        ]
        return [
            chart(who, viewer, each.first, seats),
            chart(where, viewer, each.first, places),
        ]

    def _known(self, each: Round, viewer: int | None) -> list[Known]:
        joint = self._joint(each, viewer)
        guilt, gold = self.guilt(each, viewer), joint.sum(axis=1)
        # What is impossible has the chance 0 and no more; all else has some.
        teams_left, goals_left = joint.sum(axis=2) > 0, gold > 0
        certain = ((~teams_left)[:, :, None] | (self._members == 1)[None]).all(axis=1)
        found = [
            Known(
                self._in_round(each, _("{name} is a saboteur", name=self._names[seat])),
                viewer,
                lasting(guilt[:, seat] >= THRESHOLD, each.first),
                lasting(certain[:, seat], each.first),
                each.first,
            )
            for seat in np.flatnonzero(each.roles == SABOTEUR).tolist()
            if seat != viewer
        ]
        where = self._in_round(each, _("the gold is under the {place} goal", place=place_said(GOAL_PLACES[each.gold])))
        sure = goals_left.sum(axis=1) == 1
        likely = lasting(gold[:, each.gold] >= THRESHOLD, each.first)
        found.append(Known(where, viewer, likely, lasting(sure, each.first), each.first))
        return found

    def _in_round(self, each: Round, words: str) -> str:
        """What is the case in a round, which is named where there are several: roles and gold are dealt anew."""
        return _("round {number}: {words}", number=each.number + 1, words=words) if len(self.rounds) > 1 else words

    @cached_property
    def rounds(self) -> tuple[Round, ...]:
        """The rounds of the game as they could be read."""
        return tuple(self._read())

    def _read(self) -> Iterator[Round]:
        game, deal = self._game, self._deal
        cases, scratch = new_cases(1, game.seats), np.zeros(1, SCRATCH)
        events = [np.atleast_1d(game.public_event(told)) for told in self._played.events]
        views = self._views()
        open_round(cases, scratch, game.params)
        # After the last round the game counts on.
        numbers = [min(int(state["round"][0]), game.ruleset.rounds - 1) for state in self._played.states]
        first = 0
        for number in range(numbers[-1] + 1):
            last = next((place for place, of in enumerate(numbers) if of > number), len(numbers) - 1)
            seen = views[first : last + 1].copy()
            if numbers[last] > number:
                # The views after the last move are of the next round.
                seen[-1] = seen[-2]
            joints = np.zeros((*seen.shape, len(deal.teams), 3))
            told = np.concatenate(events[first:last]) if last > first else np.zeros(0, game.event_dtype)
            follow_round(cases, seen, told, habits(), deal.teams, deal.odds, scratch, game.params, joints)
            start = self._played.states[first]
            gold = int(np.flatnonzero(start["goals"][0] == GOLD)[0])
            yield Round(number, first, last, game.roles_of(start)[0], gold, joints)
            if numbers[last] > number:
                end_round(cases, events[last - 1], scratch, game.params)
            first = last

    def _views(self) -> npt.NDArray[np.void]:
        """What every seat and, last, an onlooker saw after every move: shape (places, seats + 1)."""
        game, states = self._game, self._played.states
        seats = np.arange(game.seats, dtype=np.int8)
        views = np.zeros((len(states), game.seats + 1), game.view_dtype)
        for place, state in enumerate(states):
            views[place, :-1] = game.views(state, seats, np.zeros(game.seats, np.int64))
            views[place, -1] = game.public_view(state)[0]
        return views

    # --- Moves ----------------------------------------------------------------------------------------------------------

    def judge(self, worlds: int, seed: int) -> Sequence[Judged]:
        game, played = self._game, self._played
        agent = MoleAgent()
        # What a chair remembers is public; at each move it looks at the view of who moved.
        memory = agent.start(game, played.view(0, 0), np.zeros(1, np.uint64))
        found = Judgements(played, self._names, worlds)
        for number, action in enumerate(played.actions):
            view = played.view(number)
            # What is said before a card takes none: it is no choice between cards.
            moves = [move for move in game.legal_actions(view).codes if not is_before_card(play_of(move))]
            if len(moves) > 1 and action in moves:
                trials = Trials(agent, view, memory, 0, np.uint64(seed_of(seed, number)))
                verdict = compare(trials.wins, moves, action, worlds)
                found.add(number, verdict)
            agent.observe(played.events[number][:1], memory, ROW)
        return found.found
