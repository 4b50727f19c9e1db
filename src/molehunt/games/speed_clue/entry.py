"""Speed Clue, as everything outside its rules knows it. Nothing is imported before it is asked for."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from molehunt.core.errors import BadInput
from molehunt.core.language import later
from molehunt.games.entry import GameEntry, Preset, RulesetEntry

if TYPE_CHECKING:
    from molehunt.core.game import Game


def _read(name: str, items: list[str]) -> Any:
    from molehunt.games.speed_clue.ruleset import ruleset_from_text

    return ruleset_from_text(name, items)


def _load(name: str, items: list[str], seats: int, roles: Mapping[str, int] | None) -> Game:
    from molehunt.games.speed_clue.game import SpeedClue
    from molehunt.games.speed_clue.ruleset import ruleset_from_text

    if roles is not None:
        raise BadInput("speed_clue has no roles to seat")
    return SpeedClue(ruleset_from_text(name, items), seats)


def longest(game: Game) -> int:
    """A bound on the moves of one play.

    A suggestion is answered by one card at most and followed by an end or an accusation, and each seat accuses once.
    """
    from molehunt.games.speed_clue.game import check_game

    return int(3 * check_game("this door", game).ruleset.max_suggestions + game.seats)


ENTRY = GameEntry(
    name="speed_clue",
    title=later("Speed Clue: who, with what, where"),
    rulesets={
        "mitchell": RulesetEntry(
            later("the platform of the 2020 report: accuse, or suggest and then perhaps accuse; 3-6 seats"), 3, 6, 5
        ),
        "contest": RulesetEntry(
            later("the public contest of 2014: a suggestion must be made, an accusation may follow; 3-6 seats"), 3, 6, 5
        ),
        "small": RulesetEntry(
            later("seven cards and two suggestions, so that the whole game tree can be listed; 2-3 seats"), 2, 3
        ),
    },
    read=_read,
    load=_load,
    spaces="molehunt.adapters.spaces.speed_clue:ClueSpaces",
    longest="molehunt.games.speed_clue.entry:longest",
    opponent="advanced",
    adviser="exact:people",
    at_table={
        "mitchell": RulesetEntry(later("Suggest, and perhaps accuse"), 3, 6, 5),
        "contest": RulesetEntry(later("Suggest, and perhaps accuse: no suggestion twice"), 3, 6, 5),
    },
    presets=(
        Preset(
            later("Speed Clue"),
            later("Find the murderer among two beginners, and a word at every step."),
            "mitchell",
            ("basic",) * 2,
            practice=True,
            pace=1200,
            guided=True,
        ),
        Preset(
            later("Who, with what, where?"),
            later("Speed Clue against three artificial players, with the adviser beside you."),
            "mitchell",
            ("advanced", "combined", "exact"),
            practice=True,
        ),
    ),
    words="molehunt.table.clue_words:WORDS",
    rules="molehunt.table.clue_words:rules_of",
    terminal="molehunt.terminal.clue:ClueTable",
    face="molehunt.web.clue_face:FACE",
    analysis="molehunt.analysis.clue:ClueAnalyst",
)
