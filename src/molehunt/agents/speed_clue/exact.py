"""`exact`: the player with exact inference.

It keeps no sheet. Before each move it works out, from the whole record, how likely every deal is and which habits each other seat
has (`reading`, `habits`), asks what is expected to tell most about the envelope and gives little away (`questions`, `telling`),
shows the card that tells least, and accuses before it is certain where another would probably win first (`race`). Where it plays
several games with the same seats (`meet_again`), it takes what it believes of them along.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from molehunt.agents.speed_clue.beside import NOTHING, Beside
from molehunt.agents.speed_clue.grids import grid
from molehunt.agents.speed_clue.thought import Accusation, Advice, Impression, Proposal, Showing, Thought
from molehunt.core.agent import Agent, Rows, check_seating, check_views, seats_of_views, seen_from
from molehunt.core.errors import BadInput
from molehunt.core.game import Actions, Events, Game, Views
from molehunt.core.language import _, counted_in
from molehunt.core.panels import Bar, Bars, Panel, Words, seat_name
from molehunt.core.seeds import check_seed
from molehunt.core.streams import derive, next_word
from molehunt.core.words import capital, joined, met_in_words, number_said, percent_said
from molehunt.games.speed_clue.actions import ACCUSE, PLAY_SHIFT, SHOW, SUGGEST
from molehunt.games.speed_clue.friendly import cards_of
from molehunt.games.speed_clue.game import SpeedClue, check_game
from molehunt.games.speed_clue.notation import triple_of
from molehunt.games.speed_clue.state import VIEW
from molehunt.reading.speed_clue.exact_parameters import EDITIONS, Parameters
from molehunt.reading.speed_clue.habits import ACCUSING_WORDS, HABITS, KINDS, NAMING, PROMPT, SEEN, STYLE_WORDS, prior

__all__ = [
    "EDITIONS",
    "Accusation",
    "Advice",
    "ExactAgent",
    "Impression",
    "Parameters",
    "Proposal",
    "Showing",
    "habit_in_words",
    "in_words",
]


FORGET = 0.1
"""How much of what it believes of others it does not take along to the next game."""
OTHERS = 0.5
"""How much of that it expects of anybody, where who sits where may have changed."""
FEW_ENVELOPES = 9.95
"""Of fewer envelopes one decimal is told."""


class Memory(NamedTuple):
    """What the chairs of one table remember: their seats, their random streams, and whom they take the others for before the game.

    prior: float64[chairs, seats - 1, HABITS], as in `thought.Thought`. met: int64[chairs], in how many games before they were met.
    """

    game: SpeedClue
    seats: npt.NDArray[np.int16]
    streams: npt.NDArray[np.uint64]
    prior: npt.NDArray[np.float64]
    met: npt.NDArray[np.int64]


class ExactAgent(Agent):
    """The strongest player of Speed Clue here."""

    observes = False
    in_batches = False
    interpreted_slowly = True

    def __init__(self, name: str = "exact", parameters: Parameters = EDITIONS["tuned"]) -> None:
        self.name = name
        self.parameters = parameters

    def start(self, game: Game, views: Views, streams: npt.NDArray[np.uint64]) -> Any:
        clue = check_game(self.name, game)
        check_seating(game, views, streams)
        wide = prior(self.parameters, clue.seats)
        return Memory(
            clue,
            seats_of_views(views),
            np.array(streams, np.uint64),
            np.tile(wide, (len(views), 1, 1)),
            np.zeros(len(views), np.int64),
        )

    def act(self, views: Views, memory: Any, rows: Rows) -> Actions:
        rows = check_views(memory, views, rows, VIEW, memory.game.seats)
        actions = np.empty(len(views), np.int32)
        for index, row in enumerate(rows):
            stream = memory.streams[row : row + 1]
            word = np.array([next_word(stream)], np.uint64)
            actions[index] = self._thought(memory, views[index : index + 1], row, word).action()
        return actions

    def observe(self, events: Events, memory: Any, rows: Rows) -> None:
        pass

    def consult(self, game: Game, view: Any, beside: Beside = NOTHING, seed: int = 0) -> Advice:
        """What this player thinks of a view, an array of one record, at its move; `beside` is what the view does not say.

        BadInput where no deal agrees with all of it, or these are no view of the game and no seed.
        """
        clue, views = check_game(self.name, game), np.atleast_1d(view)
        stream = np.array([derive(np.uint64(check_seed(seed)), np.uint64(0))], np.uint64)
        check_seating(clue, views, stream)
        wide = prior(self.parameters, clue.seats)
        return Thought(self.parameters, clue, views, stream, wide, beside).advice()

    def _thought(self, memory: Memory, view: Views, row: int, stream: npt.NDArray[np.uint64]) -> Thought:
        """What a chair thinks of a view, an array of one record."""
        return Thought(self.parameters, memory.game, view, stream, memory.prior[row])

    def _looked_at(self, view: Any, memory: Memory, row: int) -> Thought:
        """What a chair thinks of a view, with a copy of its stream."""
        word = np.array([next_word(memory.streams[row : row + 1].copy())], np.uint64)
        return self._thought(memory, seen_from(memory, view, row), row, word)

    def impressions(self, game: Game, view: Any, memory: Any, row: int) -> Any:
        """What it believes of the others' habits, by distance, as a chair's part of `Memory.prior`; and after how many games."""
        return {
            "games": int(memory.met[row]) + 1,
            "habits": self._looked_at(view, memory, row).posterior.tolist(),
        }

    def meet_again(self, memory: Any, row: int, impressions: Any, seated: bool = True) -> None:
        """Expect what it believed of them, but for a share FORGET; where who sits where may differ, OTHERS of it of all alike."""
        believed, games = _believed(impressions)
        wide = prior(self.parameters, memory.game.seats)
        if believed.shape != wide.shape:
            # Others than then: they may be of the same kinds.
            believed = np.tile(believed.mean(axis=0), (len(wide), 1))
        elif not seated:
            believed = (1 - OTHERS) * believed + OTHERS * believed.mean(axis=0)
        memory.prior[row] = (1 - FORGET) * believed + FORGET * wide
        memory.met[row] = games

    def beliefs(self, game: Game, view: Any, memory: Any, row: int) -> tuple[Panel, ...]:
        """Where it takes each card to be, over all deals, and what it believes of the others' habits."""
        thought = self._looked_at(view, memory, row)
        found = thought.impressions()

        def bars(title: str, most: float, values: list[float]) -> Bars:
            rows = zip(found, values, strict=True)
            return Bars(title, 0.0, most, tuple(Bar(seat_name(x.seat), v, number_said(v, ".2f")) for x, v in rows))

        return (
            grid(_("Where each card may be"), memory.game.edition, thought.shares().tolist()),
            *([Words(_("Earlier games"), met_in_words(met))] if (met := int(memory.met[row])) else []),
            bars(_("How often each names own cards (1: as by chance)"), NAMING[-1], [each.own for each in found]),
            bars(
                _("How often each names cards they were shown (1: as by chance)"),
                SEEN[-1],
                [each.seen for each in found],
            ),
            bars(_("How likely each accuses as soon as certain"), 1.0, [each.accusing[PROMPT] for each in found]),
        )

    def why(self, game: Game, view: Any, memory: Any, row: int) -> str:
        thought = self._looked_at(view, memory, row)
        advice = thought.advice()
        told = in_words(advice, memory.game, thought.choice(advice))
        met = int(memory.met[row])
        return f"{told}\n{met_in_words(met)}" if met else told


def _believed(impressions: Any) -> tuple[npt.NDArray[np.float64], int]:
    """(habits by distance, games) of impressions; BadInput where they are none."""
    try:
        games, habits = int(impressions["games"]), np.array(impressions["habits"], np.float64)
    except (KeyError, TypeError, ValueError, OverflowError):
        games, habits = 0, np.empty(0)
    if not 0 < games < 2**31 or habits.ndim != 2 or not len(habits) or len(habits[0]) != HABITS:
        raise BadInput("this is not what exact takes along about the others from game to game")
    sums = np.add.reduceat(habits, KINDS[:-1], axis=1)
    if (habits < 0).any() or not np.allclose(sums, 1.0, rtol=0.0, atol=1e-6):
        raise BadInput("the habits that exact takes along from game to game are chances, of sum 1 in each kind")
    return habits, games


def in_words(advice: Advice, game: SpeedClue, action: int) -> str:
    """The advice in sentences, and what is played by it, which comes first of suggestions that are worth the same."""

    def names(cards: Iterable[int]) -> str:
        return ", ".join(_(card) for card in cards_of(sum(1 << card for card in cards), game.edition))

    found, play, cards = advice.accusation, action >> PLAY_SHIFT, triple_of(action)
    asked = sorted(advice.suggestions, key=lambda proposal: play != SUGGEST or proposal.cards != cards)
    likeliest = {"cards": names(found.cards), "chance": percent_said(found.probability), "deals": advice.deals}
    lines = [
        *_plainly(advice, action, names),
        _("By all {deals} ways in which the cards may lie, the likeliest envelope is {cards}, {chance}.", **likeliest)
        if advice.every_deal
        else _(
            "By {deals} of the ways in which the cards may lie, the likeliest envelope is {cards}, {chance}.",
            **likeliest,
        ),
    ]
    lines += [
        _(
            "{cards}: {gain} of {entropy} bits about the envelope, certain after it with {solves}.",
            cards=names(proposal.cards),
            gain=number_said(proposal.gain, ".2f"),
            entropy=number_said(advice.entropy, ".2f"),
            solves=percent_said(proposal.solves),
        )
        for proposal in asked[:5]
    ]
    lines += [
        _("{card} would tell {bits} bits.", card=names([showing.card]), bits=number_said(showing.tells, ".2f"))
        for showing in advice.shows
    ]
    if found.danger and (play == ACCUSE) == found.accuse:
        verdict = _("So it accuses now.") if found.accuse else _("So it waits.")
        danger = _("Another wins before its next turn in {chance} of them.", chance=percent_said(found.danger))
        lines.append(f"{danger} {verdict}")
    return "\n".join((*lines, *_habits_in_words(advice.habits)))


def _plainly(advice: Advice, action: int, names: Callable[[Iterable[int]], str]) -> Iterator[str]:
    """What it does and why, for who does not count in bits: a question by how many equally likely envelopes it leaves."""
    found, play, cards = advice.accusation, action >> PLAY_SHIFT, triple_of(action)
    if play == ACCUSE and (not found.accuse or found.cards != cards):
        yield _("It accuses with what it asked about: nobody could show a card of it, and none is its own.")
    elif play == ACCUSE:
        yield (
            _("It accuses: to wait is the greater risk.")  # how likely another wins is told at the end
            if found.danger
            else _("It accuses: it has nothing more to learn of the envelope.")
        )
    elif play == SUGGEST:
        asked = next(proposal for proposal in advice.suggestions if proposal.cards == cards)
        yield _(
            "It asks about {cards}: of what amounts to {now} equally likely envelopes, the answer leaves {then}.",
            cards=names(cards),
            now=_envelopes(advice.entropy),
            then=_envelopes(advice.entropy - asked.gain),
        )
    elif play == SHOW and len(advice.shows) > 1:
        yield _("It shows {card}: of the cards that it may show, this one tells least.", card=names(cards[:1]))
    elif play == SHOW:
        yield _("It shows {card}: it has no other card of those asked for.", card=names(cards[:1]))
    else:
        yield _("It ends its turn: of the envelope it is not sure enough.")


def _envelopes(bits: float) -> str:
    """Among how many equally likely envelopes one is so unsure."""
    number = 2.0 ** max(bits, 0.0)
    return number_said(number, ".0f" if number >= FEW_ENVELOPES else ".1f")


def _habits_in_words(habits: Sequence[Impression]) -> list[str]:
    """What is believed of the habits of the other seats, a sentence for all of whom the same is said."""
    alike: dict[str, list[int]] = {}
    for found in habits:
        alike.setdefault(habit_in_words(found, ""), []).append(found.seat)
    by_seat = {found.seat: found for found in habits}
    return [
        habit_in_words(by_seat[seats[0]], capital(joined(map(seat_name, seats))), len(seats))
        for seats in alike.values()
    ]


def habit_in_words(found: Impression, name: str, number: int = 1) -> str:
    """What is believed of a seat's habits, in a sentence; of habits that are as likely, by whole percents, none is left out.

    `name` may be those of several (`number`) of whom the same is believed.
    """
    which, shows = _likeliest(found.showing, STYLE_WORDS)
    accuses, when = _likeliest(found.accusing, ACCUSING_WORDS)
    return counted_in(
        "{name} seems to name own cards {times} times as often as at random (never: {never}) and cards that they were shown "
        "{seen} times as often, of several cards to show {which} ({chance}), to name first what others are known to lack "
        "({lacked}), and {accuses} ({sure}).",
        "{name} seem to name own cards {times} times as often as at random (never: {never}) and cards that they were shown "
        "{seen} times as often, of several cards to show {which} ({chance}), to name first what others are known to lack "
        "({lacked}), and {accuses} ({sure}).",
        number,
        name=name,
        times=number_said(found.own, ".1f"),
        never=percent_said(found.naming[0]),
        seen=number_said(found.seen, ".1f"),
        which=which,
        chance=shows,
        lacked=percent_said(found.lacked),
        accuses=accuses,
        sure=when,
    )


def _likeliest(chances: Sequence[float], words: Sequence[str]) -> tuple[str, str]:
    """The likeliest habits in words, all that are as likely by whole percents, and how likely each is."""
    chance = percent_said(max(chances))
    alike = [_(said) for said, each in zip(words, chances, strict=True) if percent_said(each) == chance]
    return joined(alike, "or"), chance if len(alike) == 1 else _("{chance} each", chance=chance)
