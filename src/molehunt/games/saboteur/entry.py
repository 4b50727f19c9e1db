"""Saboteur, as everything outside its rules knows it. Nothing is imported before it is asked for."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from molehunt.core.errors import BadInput
from molehunt.core.language import later
from molehunt.games.entry import GameEntry, Preset, RulesetEntry

if TYPE_CHECKING:
    from molehunt.core.game import Game


def _read(name: str, items: list[str]) -> Any:
    from molehunt.games.saboteur.ruleset import ruleset_from_text

    return ruleset_from_text(name, items)


def _load(name: str, items: list[str], seats: int, roles: Mapping[str, int] | None) -> Game:
    from molehunt.games.saboteur.game import Saboteur
    from molehunt.games.saboteur.ruleset import ruleset_from_text, with_saboteurs

    ruleset = ruleset_from_text(name, items)
    if roles is not None:
        wanted = roles.get("saboteur", 0)
        if wanted == 0:
            raise BadInput("at least one seat must be a saboteur's where roles are seated: write saboteur:AGENT")
        if ruleset.saboteurs and ruleset.saboteurs != wanted:
            raise BadInput(f"the ruleset says {ruleset.saboteurs} saboteurs, the seats say {wanted}")
        if ruleset.rounds > 1:
            raise BadInput(
                f"{ruleset.name} deals roles anew in every round: roles can be seated in a game of one, {ruleset.name}:rounds=1"
            )
        ruleset = with_saboteurs(ruleset, wanted)
    return Saboteur(ruleset, seats)


def longest(game: Game) -> int:
    """A bound on the moves of one play: a move takes a card out of a hand, but for claims, of which each map allows one.

    Where players may speak, each card allows one move more.
    """
    from molehunt.games.saboteur.cards import MAP
    from molehunt.games.saboteur.game import check_game

    ruleset = check_game("this door", game).ruleset
    counts = ruleset.deck_counts()
    return int(int(counts.sum() * (1 + ruleset.speak) + ruleset.talk * counts[MAP]) * ruleset.rounds)


ENTRY = GameEntry(
    name="saboteur",
    title=later("Saboteur: secret saboteurs in a gold mine"),
    rulesets={
        "krisnadi": RulesetEntry(
            later("the 9 x 5 research game of Krisnadi et al. 2019: one round, 3-10 seats, saboteurs known in number"),
            3,
            10,
            5,
        ),
        "official": RulesetEntry(
            later("the rule book of 2004: three rounds, gold shares, an open mine, 3-10 seats, a hidden role card"),
            3,
            10,
            5,
        ),
        "veldhuis": RulesetEntry(
            later("the 13 x 13 research game of 2012: three rounds, claims about the goals, 5 seats, 2 saboteurs"), 5, 5
        ),
        "small": RulesetEntry(
            later("a 5 x 3 mine and six cards, so that the whole game tree can be listed; 2-3 seats, one saboteur"),
            2,
            3,
        ),
    },
    read=_read,
    load=_load,
    roles=("miner", "saboteur"),
    spaces="molehunt.adapters.spaces.saboteur:SaboteurSpaces",
    longest="molehunt.games.saboteur.entry:longest",
    opponent="kripke-2012",
    adviser="mole",
    at_table={
        "official+talk": RulesetEntry(later("The rule book, with talk: three rounds, a mine without edges"), 3, 10, 5),
        "official+talk:speak=yes": RulesetEntry(
            later("The rule book, with talk and accusations: three rounds, a mine without edges"), 3, 10, 5
        ),
        "official": RulesetEntry(later("The rule book: three rounds, a mine without edges"), 3, 10, 5),
        "official+talk:rounds=1": RulesetEntry(later("The rule book, with talk: one round"), 3, 10, 5),
        "krisnadi": RulesetEntry(later("A small mine: one round, 9 x 5 cells"), 3, 10, 5),
        "veldhuis": RulesetEntry(later("A square mine, with talk: three rounds, 13 x 13 cells"), 5, 5),
    },
    presets=(
        Preset(
            later("Saboteur"),
            later("A small mine, two others, and a word at every step."),
            "krisnadi",
            ("decision-2019",) * 2,
            practice=True,
            pace=1200,
            guided=True,
        ),
        Preset(
            later("You and four mind readers"),
            later(
                "Saboteur by the rule book, one round. They work out from what all do and say who is who. With hints and reasons."
            ),
            "official+talk:rounds=1",
            ("kripke-2012",) * 4,
            practice=True,
        ),
        Preset(
            later("You, two friends and two artificial players"),
            later("Saboteur in full, three rounds: you send your friends a link each."),
            "official+talk",
            ("kripke-2012", "decision-2019"),
            people=3,
        ),
        Preset(
            later("Watch five minds dig"),
            later("All cards open: what each player thinks, and whom an onlooker would suspect."),
            "krisnadi",
            ("decision-2019", "kripke-2012", "decision-2019", "kripke-2012", "means-ends-2016"),
            people=0,
            pace=1800,
            open=True,
        ),
    ),
    words="molehunt.table.saboteur_words:WORDS",
    rules="molehunt.table.saboteur_words:rules_text",
    terminal="molehunt.terminal.saboteur:SaboteurTable",
    face="molehunt.web.saboteur_face:FACE",
    analysis="molehunt.analysis.saboteur:SaboteurAnalyst",
)
