"""Puzzles from Saboteur: who the saboteur is, and where the gold is; answers weigh as much as the posterior says."""

from __future__ import annotations

from molehunt.analysis.puzzle import Maker, Option, Puzzle, cut, played_game
from molehunt.analysis.saboteur import Round, SaboteurAnalyst
from molehunt.core.language import _
from molehunt.core.places import place_said
from molehunt.core.replay import Played
from molehunt.core.words import percent_said
from molehunt.games.saboteur.cards import GOAL_PLACES
from molehunt.table.people import NAMES

SEATS = 5
PLAYER = "decision-2019"
SURE, ELSE = 0.9, 0.06
"""The answer is at least so likely, and every other at most so."""
SURE_OF_GOLD = 0.75
LEAST_MOVES = 8


def who_is_the_saboteur(seed: int) -> Puzzle | None:
    """The first moment of a game at which an onlooker can tell the only saboteur; None where there is none."""
    played, analyst, (whole,) = _read("krisnadi:saboteurs=1", seed)
    guilt = analyst.guilt(whole, None)
    guilty = int(whole.roles.argmax())
    for place in range(LEAST_MOVES, whole.last):
        others = [guilt[place, seat] for seat in range(SEATS) if seat != guilty]
        if guilt[place, guilty] >= SURE and max(others) <= ELSE:
            return cut(
                played,
                place,
                None,
                [Option(NAMES[seat], round(float(guilt[place, seat]), 4)) for seat in range(SEATS)],
                kind="who",
                question=_("Who is the saboteur?"),
                told=_("One of five is a saboteur. You watch, and see what everybody sees."),
                why=_(
                    "{name}, with {chance}: move {number} spoke most.",
                    name=NAMES[guilty],
                    chance=percent_said(float(guilt[place, guilty])),
                    number=_telling(analyst, whole, place),
                ),
            )
    return None


def where_the_gold_is(seed: int) -> Puzzle | None:
    """The first moment of a game at which a seat that has not seen the gold can tell from the others' moves where it is."""
    played, _analyst, (whole,) = _read("krisnadi", seed)
    for viewer in range(SEATS):
        chances = whole.joints[:, viewer].sum(axis=1)
        for place in range(LEAST_MOVES, whole.last):
            open_still = (chances[place] > 0).sum() > 1
            if open_still and chances[place, whole.gold] >= SURE_OF_GOLD:
                chance = percent_said(float(chances[place, whole.gold]))
                role = played.game.roles[int(whole.roles[viewer])]
                return cut(
                    played,
                    place,
                    viewer,
                    [
                        Option(
                            _("under the {place} goal", place=place_said(name)), round(float(chances[place, goal]), 4)
                        )
                        for goal, name in enumerate(GOAL_PLACES)
                    ],
                    kind="gold",
                    question=_("Where is the gold?"),
                    told=_("You are {name}, a {role}. Two of five are saboteurs.", name=NAMES[viewer], role=_(role)),
                    why=_(
                        "Under the {place} goal, with {chance}: so those dig who have looked.",
                        place=place_said(GOAL_PLACES[whole.gold]),
                        chance=chance,
                    ),
                )
    return None


def _read(ruleset: str, seed: int) -> tuple[Played, SaboteurAnalyst, tuple[Round, ...]]:
    played = played_game("saboteur", ruleset, (PLAYER,) * SEATS, seed)
    analyst = SaboteurAnalyst(played, NAMES[:SEATS])
    return played, analyst, analyst.rounds


def _telling(analyst: SaboteurAnalyst, whole: Round, place: int) -> int:
    """The number of the move that spoke most, of those before a place."""
    guilty = int(whole.roles.argmax())
    rises = [
        after - before
        for before, after in zip(
            analyst.guilt(whole, None)[:place, guilty], analyst.guilt(whole, None)[1 : place + 1, guilty], strict=True
        )
    ]
    return rises.index(max(rises)) + 1


WHO = Maker("saboteur", who_is_the_saboteur)
GOLD = Maker("saboteur", where_the_gold_is)
