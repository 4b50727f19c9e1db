"""Which games there are: those built in, and those that installed packages bring. Nothing is imported before it is asked for.

A package names its `GameEntry`, or a list of them, under the entry point `molehunt.games`, and needs no line here.
"""

from __future__ import annotations

import importlib
import operator
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from functools import cache
from importlib.metadata import entry_points
from typing import TYPE_CHECKING, Any

from molehunt.core.errors import BadInput, GameFailure, UnknownName, value_text
from molehunt.core.language import _, add_catalogues
from molehunt.core.specs import split_spec
from molehunt.games.entry import GameEntry, RulesetEntry, canonical_name

if TYPE_CHECKING:
    from molehunt.core.game import Game
    from molehunt.core.position import Position

BUILT_IN = ("saboteur", "duel", "speed_clue")
"""The games of this package, that with most to compile first; the entry of each is `ENTRY` of its module `entry`."""

GUESTS = "molehunt.games"
"""The group of entry points under which installed packages name further games."""


@cache
def _built_in(name: str) -> GameEntry:
    entry: GameEntry = importlib.import_module(f"molehunt.games.{name}.entry").ENTRY
    return entry


@cache
def guests() -> Mapping[str, GameEntry]:
    """The games that installed packages bring along, by name; GameFailure names a package whose games cannot be read."""
    found: dict[str, GameEntry] = {}
    for point in sorted(entry_points(group=GUESTS), key=lambda point: (point.name, point.value)):
        try:
            value = point.load()
        except Exception as error:
            raise GameFailure(
                f"the games of {package_of(point)} cannot be read: {type(error).__name__}: {error}"
            ) from error
        for entry in [value] if isinstance(value, GameEntry) else _as_list(value, point):
            if not isinstance(entry, GameEntry):
                raise GameFailure(f"the games of {package_of(point)} cannot be read: {entry!r:.60} is no GameEntry")
            if entry.name in BUILT_IN or entry.name in found:
                raise GameFailure(
                    f"{package_of(point)} brings a game {entry.name}, and there is another one of this name"
                )
            found[entry.name] = entry
            folder = entry.catalogues()
            if folder is not None:
                add_catalogues(folder)
    return found


def _as_list(value: Any, point: Any) -> list[Any]:
    if not isinstance(value, list | tuple):
        raise GameFailure(
            f"the games of {package_of(point)} cannot be read: {value!r:.60} is no GameEntry and no list of them"
        )
    return list(value)


def package_of(point: Any) -> str:
    """Who brings an entry point, as its user knows it."""
    package = getattr(point, "dist", None)
    return f"the package {package.name} ({point.value})" if package is not None else str(point.value)


def all_games() -> dict[str, GameEntry]:
    """All games by name, those built in first."""
    return {name: _built_in(name) for name in BUILT_IN} | dict(guests())


def is_game(name: str) -> bool:
    """Whether there is a game of this name, as it may be typed."""
    return canonical_name(name) in BUILT_IN or canonical_name(name) in guests()


def game_entry(name: str) -> GameEntry:
    """The entry of a game by its name, as it may be typed (`speed-clue`); UnknownName if there is none."""
    known = canonical_name(name)
    if known in BUILT_IN:
        return _built_in(known)
    if known not in guests():
        raise UnknownName(_("game"), name, all_games())
    return guests()[known]


def make_game(name: str, ruleset: str, seats: int, roles: Mapping[str, int] | None = None) -> Game:
    """The game `name` under a ruleset as typed (`krisnadi:saboteurs=2`), with a number of seats.

    >>> molehunt.make_game("saboteur", "krisnadi:saboteurs=2", 5)
    <Game saboteur/krisnadi:saboteurs=2, 5 seats>

    `roles` says how many seats have each role, where roles are seated. UnknownName, BadParameter or BadInput;
    GameFailure where a package's game cannot be made.
    """
    try:
        seats = operator.index(seats)
    except TypeError:
        raise BadInput(f"how many seats there are is a whole number, not {seats!r:.60}") from None
    ruleset_name, items = split_spec(ruleset)
    entry = game_entry(name)
    game = entry.load(ruleset_name, items, seats, roles)
    if entry.name not in BUILT_IN:
        _check_is_of(entry, game)
    game.most_moves = entry.longest_play(game)
    game.together = entry.together
    game.keep_rules()
    if entry.name not in BUILT_IN:
        from molehunt.games.answers import look_at_answers

        look_at_answers(game)
    return game


def _check_is_of(entry: GameEntry, made: Any) -> None:
    """GameFailure where what an entry makes is no game, or one of another name: its records would be another game's, or none's."""
    from molehunt.core.game import Game, check_has_all

    if not isinstance(made, Game):
        raise GameFailure(
            f"what the entry of {entry.name} makes is {value_text(made)}, and no subclass of molehunt.Game"
        )
    check_has_all(made)
    if made.name != entry.name:
        raise GameFailure(
            f"{made.made_by}: the name of the game is {made.name!r:.60}, and its entry calls it {entry.name!r}: records say "
            "the one and are looked for by the other"
        )


def deal(label: str, seats: int | None = None, seed: int = 0, roles: Sequence[str] | None = None) -> Position:
    """A game dealt from its seed, as a position: `deal("saboteur/krisnadi", seats=5, seed=1)`.

    Without `seats` as many play as usual. `seed` is a whole number from 0 to MAX_SEED; the same gives the same deal. `roles`, the
    name of one for each seat, seats the roles instead of dealing them. UnknownName, BadParameter or BadInput say what cannot be.

    >>> molehunt.deal("saboteur/krisnadi", roles=["miner", "saboteur", "miner"]).roles
    ('miner', 'saboteur', 'miner')
    """
    from molehunt.core.position import Position

    name, ruleset = split_label(label)
    entry = game_entry(name)
    given: object = roles
    if given is not None and (isinstance(given, str) or not isinstance(given, Collection)):
        raise BadInput(f"roles are a list of names, one for each seat, not {value_text(roles)}")
    if roles is not None and seats is None:
        seats = len(roles)
    if seats is None:
        seats = entry.seats_of(ruleset)
    if roles is None:
        return Position(make_game(name, ruleset, seats), seed)
    if len(roles) != seats:
        raise BadInput(f"roles name one role for each of {seats} seats, not {len(roles)}")
    for role in roles:
        if role not in entry.roles:
            raise UnknownName(f"role of {name}", str(role), entry.roles)
    game = make_game(name, ruleset, seats, Counter(roles))
    return Position(game, seed, [game.roles.index(role) for role in roles])


def split_label(label: str) -> tuple[str, str]:
    """(game, ruleset) of a label `saboteur/krisnadi`; where the ruleset is left out, it is the first that there is."""
    typed: object = label
    if not isinstance(typed, str):
        raise BadInput(f"a game is named by a text, as 'duel/mcgill' or 'duel', not {value_text(typed)}")
    name, slash, ruleset = label.partition("/")
    entry = game_entry(name)
    if slash and ruleset:
        entry.ruleset_entry(ruleset)
        return entry.name, ruleset
    return entry.name, next(iter(entry.rulesets))


__all__ = [
    "BUILT_IN",
    "GUESTS",
    "GameEntry",
    "GameFailure",
    "RulesetEntry",
    "all_games",
    "deal",
    "game_entry",
    "guests",
    "is_game",
    "make_game",
    "split_label",
]
