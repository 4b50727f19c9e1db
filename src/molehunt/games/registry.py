"""Which games there are. Nothing is compiled or imported before it is asked for."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from molehunt.core.errors import BadInput, UnknownName
from molehunt.core.game import Game
from molehunt.core.specs import split_spec


@dataclass(frozen=True)
class GameEntry:
    """A game as the command line knows it.

    `rulesets` gives, by name, what each is; `read(name, items)` gives the ruleset itself; `load(name, items, seats, roles)` makes
    the game, `roles` being how many seats have each role where they are seated (None where they are dealt); `usual_seats` play
    where nobody says how many (`seats_of` a ruleset; those in `fewer_seats` are for fewer).
    """

    name: str
    title: str
    rulesets: Mapping[str, str]
    roles: tuple[str, ...]
    read: Callable[[str, list[str]], Any]
    load: Callable[[str, list[str], int, Mapping[str, int] | None], Game]
    usual_seats: int = 5
    fewer_seats: Mapping[str, int] = field(default_factory=dict)

    def seats_of(self, ruleset: str) -> int:
        """How many play a ruleset as typed where nobody says how many."""
        return self.fewer_seats.get(split_spec(ruleset)[0], self.usual_seats)


def _saboteur_ruleset(name: str, items: list[str]) -> Any:
    from molehunt.games.saboteur.ruleset import ruleset_from_text

    return ruleset_from_text(name, items)


def _saboteur(name: str, items: list[str], seats: int, roles: Mapping[str, int] | None) -> Game:
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


def _speed_clue_ruleset(name: str, items: list[str]) -> Any:
    from molehunt.games.speed_clue.ruleset import ruleset_from_text

    return ruleset_from_text(name, items)


def _speed_clue(name: str, items: list[str], seats: int, roles: Mapping[str, int] | None) -> Game:
    from molehunt.games.speed_clue.game import SpeedClue
    from molehunt.games.speed_clue.ruleset import ruleset_from_text

    if roles is not None:
        raise BadInput("speed_clue has no roles to seat")
    return SpeedClue(ruleset_from_text(name, items), seats)


def _duel_ruleset(name: str, items: list[str]) -> Any:
    from molehunt.games.duel.ruleset import ruleset_from_text

    return ruleset_from_text(name, items)


def _duel(name: str, items: list[str], seats: int, roles: Mapping[str, int] | None) -> Game:
    from molehunt.games.duel.game import Duel
    from molehunt.games.duel.ruleset import ruleset_from_text

    if roles is not None:
        raise BadInput("duel has no roles to seat")
    return Duel(ruleset_from_text(name, items), seats)


GAMES: dict[str, GameEntry] = {
    "saboteur": GameEntry(
        name="saboteur",
        title="Saboteur: secret saboteurs in a gold mine",
        rulesets={
            "krisnadi": "the 9 x 5 research game of Krisnadi et al. 2019: one round, 3-10 seats, saboteurs known in number",
            "official": "the rule book of 2004: three rounds, gold shares, an open mine, 3-10 seats, a hidden role card",
            "veldhuis": "the 13 x 13 research game of 2012: three rounds, claims about the goals, 5 seats, 2 saboteurs",
            "small": "a 5 x 3 mine and six cards, so that the whole game tree can be listed; 2-3 seats, one saboteur",
        },
        roles=("miner", "saboteur"),
        read=_saboteur_ruleset,
        load=_saboteur,
        fewer_seats={"small": 2},
    ),
    "duel": GameEntry(
        name="duel",
        title="The duel: the two-player race of Saboteur for the nugget",
        rulesets={"mcgill": "the course project of McGill University, winter 2020: 2 seats, seat 1 moves first"},
        roles=(),
        read=_duel_ruleset,
        load=_duel,
        usual_seats=2,
    ),
    "speed_clue": GameEntry(
        name="speed_clue",
        title="Speed Clue: who, with what, where",
        rulesets={
            "mitchell": "the platform of the 2020 report: accuse, or suggest and then perhaps accuse; 3-6 seats",
            "contest": "the public contest of 2014: a suggestion must be made, an accusation may follow; 3-6 seats",
            "small": "seven cards and two suggestions, so that the whole game tree can be listed; 2-3 seats",
        },
        roles=(),
        read=_speed_clue_ruleset,
        load=_speed_clue,
        fewer_seats={"small": 2},
    ),
}


def game_entry(name: str) -> GameEntry:
    """The entry of a game; UnknownName if there is none."""
    if name not in GAMES:
        raise UnknownName("game", name, GAMES)
    return GAMES[name]


def make_game(name: str, ruleset: str, seats: int, roles: Mapping[str, int] | None = None) -> Game:
    """The game `name` under a ruleset as typed (`krisnadi:saboteurs=2`), with a number of seats.

    `roles` says how many seats have each role, where roles are seated. UnknownName, BadParameter or BadInput.
    """
    entry = game_entry(name)
    ruleset_name, items = split_spec(ruleset)
    return entry.load(ruleset_name, items, seats, roles)


def split_label(label: str) -> tuple[str, str]:
    """(game, ruleset) of a label `saboteur/krisnadi`; where the ruleset is left out, it is the first that there is."""
    name, slash, ruleset = label.partition("/")
    entry = game_entry(name)
    if slash and ruleset:
        ruleset_name = split_spec(ruleset)[0].partition("+")[0]
        if ruleset_name not in entry.rulesets:
            raise UnknownName(f"ruleset of {name}", ruleset_name, entry.rulesets)
        return name, ruleset
    return name, next(iter(entry.rulesets))
