"""The duel, as everything outside its rules knows it. Nothing is imported before it is asked for."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from molehunt.core.errors import BadInput
from molehunt.core.language import later
from molehunt.games.entry import GameEntry, Preset, RulesetEntry

if TYPE_CHECKING:
    from molehunt.core.game import Game


def _read(name: str, items: list[str]) -> Any:
    from molehunt.games.duel.ruleset import ruleset_from_text

    return ruleset_from_text(name, items)


def _load(name: str, items: list[str], seats: int, roles: Mapping[str, int] | None) -> Game:
    from molehunt.games.duel.game import Duel
    from molehunt.games.duel.ruleset import ruleset_from_text

    if roles is not None:
        raise BadInput("duel has no roles to seat")
    return Duel(ruleset_from_text(name, items), seats)


def longest(_: Game) -> int:
    """A bound on the moves of one play: every move takes a card out of a hand."""
    from molehunt.games.duel.state import DECK

    return DECK


ENTRY = GameEntry(
    name="duel",
    title=later("The duel: the two-player race of Saboteur for the nugget"),
    rulesets={
        "mcgill": RulesetEntry(
            later("the course project of McGill University, winter 2020: 2 seats, seat 1 moves first"), 2, 2
        )
    },
    read=_read,
    load=_load,
    spaces="molehunt.adapters.spaces.duel:DuelSpaces",
    longest="molehunt.games.duel.entry:longest",
    opponent="and-or-2020:wins_first",
    adviser="duel-star",
    at_table={"mcgill": RulesetEntry(later("The race to the nugget"), 2, 2)},
    presets=(
        Preset(
            later("The duel"),
            later("A race to the nugget against a hasty digger, and a word at every step."),
            "mcgill",
            ("greedy-2020",),
            practice=True,
            pace=1200,
            guided=True,
        ),
        Preset(
            later("The race to the nugget"),
            later("The duel against a player that looks moves ahead. With hints and reasons."),
            "mcgill",
            ("and-or-2020:wins_first",),
            practice=True,
        ),
    ),
    words="molehunt.table.duel_words:WORDS",
    rules="molehunt.table.duel_words:rules_text",
    logs="molehunt.games.duel.course:read_logs",
    terminal="molehunt.terminal.duel:DuelTable",
    face="molehunt.web.duel_face:FACE",
    analysis="molehunt.analysis.duel:DuelAnalyst",
)
