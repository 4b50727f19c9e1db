"""Which players there are, by game: those built in, those of installed packages, those of files; and the player of a spec.

Nothing is imported before a player is made. Players of one's own come from a Python file (`own_files`) or from an installed
package (`entry`). Some players play every game there is.
"""

from __future__ import annotations

import traceback
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any

from molehunt.agents.built_in import BUILT_IN, GENERAL
from molehunt.agents.entry import EVERY, AgentEntry
from molehunt.agents.own_files import agent_of, check_name, classes_of, editions_of
from molehunt.core.agent import Agent, Player
from molehunt.core.errors import AgentFailure, BadInput, UnknownName, error_text, value_text
from molehunt.core.language import _, later
from molehunt.core.specs import split_spec
from molehunt.games.entry import canonical_name
from molehunt.games.registry import GUESTS as GAME_GUESTS
from molehunt.games.registry import all_games, game_entry, package_of

GUESTS = "molehunt.agents"
"""The group of entry points under which installed packages, this one's adapters among them, name further players."""


@cache
def guests() -> tuple[AgentEntry, ...]:
    """The players that installed packages bring along; AgentFailure where a package's list cannot be read."""
    found: list[AgentEntry] = []
    for point in sorted(entry_points(group=GUESTS), key=lambda point: point.name):
        try:
            value = point.load()
        except Exception as error:
            raise AgentFailure(
                f"the players of {package_of(point)} cannot be read: {type(error).__name__}: {error}"
            ) from error
        for entry in value if isinstance(value, list | tuple) else [value]:
            if not isinstance(entry, AgentEntry):
                raise AgentFailure(f"the players of {package_of(point)} cannot be read: {entry!r:.60} is no AgentEntry")
            found.append(entry)
    return tuple(found)


def failure_of_package(error: BaseException) -> str:
    """Which package that brings games or players has failed, how and where, in one line; "" where the error is not of its code."""
    brought = {
        point.value.partition(":")[0].partition(".")[0]: point.dist.name if point.dist else point.value
        for group in (GAME_GUESTS, GUESTS)
        for point in entry_points(group=group)
    }
    brought.pop("molehunt", None)  # it brings players of other libraries
    of = type(error.obj).__module__ if isinstance(error, AttributeError) else ""
    package, place = brought.get(of.partition(".")[0], ""), ""
    for frame, line in traceback.walk_tb(error.__traceback__):
        found = brought.get(str(frame.f_globals.get("__name__")).partition(".")[0])
        if found:
            package, place = found, f" ({frame.f_code.co_filename}:{line})"
    return f"the package {package} failed: {type(error).__name__}: {error_text(error)}{place}" if package else ""


def entries(only: str | None = None) -> Iterator[AgentEntry]:
    """All players that need no file to be made, one entry for each game that they play, those built in first.

    `only`: those of one game. Guests are looked for only when these are used up. Of two players with one name there is the first.
    """
    known: set[tuple[str, str]] = set()
    for entry in BUILT_IN:
        if only in (None, entry.game):
            known.add((entry.game, entry.name))
            yield entry
    for entry in (*guests(), *of_files(), *GENERAL):
        games = all_games() if entry.game == EVERY else (canonical_name(entry.game),)
        for game in games:
            if only in (None, game) and (game, entry.name) not in known:
                known.add((game, entry.name))
                yield replace(entry, game=game)


@dataclass(frozen=True, kw_only=True)
class FileEntry(AgentEntry):
    """A player from a file of one's own that sits among us; `made_of` is its class."""

    made_of: type[Player | Agent]

    def editions(self) -> Mapping[str, Any]:
        return editions_of(self.name, self.made_of)

    def make(self, items: list[str]) -> Agent:
        return agent_of(self.name, self.made_of, items)


_of_files: dict[tuple[str, str], FileEntry] = {}


def seat_among_us(path: Path | str, game: str = EVERY) -> None:
    """Let the players of a file play a game as if they were built in, as long as this process lives.

    Where `game` is EVERY, each plays what its attribute `game` names, by default every game. BadInput or AgentFailure as
    `Agents.load_file`, UnknownName where there is no game of the name.
    """
    for entry in entries_of_file(path, game):
        if entry.name in Agents(entry.game).names():
            raise BadInput(f"{path}: another player is called {entry.name!r}; give this one an attribute name = '...'")
        _of_files[entry.game, entry.name] = entry


def entries_of_file(path: Path | str, game: str = EVERY) -> list[FileEntry]:
    """The players of a file, one entry for each game that they play; `game` and errors as for `seat_among_us`."""
    agents = Agents(next(iter(all_games())) if game == EVERY else game)
    agents.load_file(path)
    found = []
    for name, player in agents.from_files.items():
        own = vars(player).get("game")
        asked = own if game == EVERY and isinstance(own, str) else game
        for each in all_games() if asked == EVERY else (game_entry(asked).name,):
            title = later("a player from a file")
            entry = FileEntry(name, each, title, player.__module__, player.__name__, called=name, made_of=player)
            found.append(entry)
    return found


def of_files() -> tuple[AgentEntry, ...]:
    """The players of files that sit among us."""
    return tuple(_of_files.values())


def is_of_file(game: str, spec: str) -> bool:
    """Whether the player of a spec comes from a file and sits among us."""
    return (canonical_name(game), split_spec(spec)[0]) in _of_files


@dataclass
class Agents:
    """The players that a command knows for a game: those built in, those of installed packages, those from the user's files.

    `make(spec)` gives an agent by its name and parameters as they are typed, which sits on any seats. UnknownName where there is no
    such game.

    >>> molehunt.Agents("duel").make("and-or-2020:depth=1")
    <AndOr2020Agent and-or-2020:depth=1>
    """

    game: str
    from_files: dict[str, type[Player | Agent]] = field(default_factory=dict)
    elsewhere: dict[str, Callable[[str], Agent]] = field(default_factory=dict)
    """Players that are not made in this process: what makes one from its spec, by name. They come before all others."""

    def __post_init__(self) -> None:
        self.game = game_entry(self.game).name
        given: object = self.from_files
        if not isinstance(given, dict):
            raise BadInput(f"players of one's own are given by name, as {{'mine': Mine}}, not as {value_text(given)}")
        for name, player in given.items():
            if not isinstance(name, str) or not callable(player):
                said = f"{value_text(name)}: {value_text(player)}"
                raise BadInput(f"a player of one's own is a class by its name, as {{'mine': Mine}}, not {said}")
            check_name(name)
        for name in set(given) & {entry.name for entry in entries(self.game)} if given else ():
            raise BadInput(f"another player of {self.game} is called {name!r}; give this one another name")

    def names(self) -> list[str]:
        """The names of all players of the game."""
        known = (entry.name for entry in entries(self.game))
        return list(dict.fromkeys((*known, *self.from_files, *self.elsewhere)))

    def entry(self, name: str) -> AgentEntry:
        """The entry of a built-in player or of a guest; UnknownName if there is none."""
        for entry in entries(self.game):
            if entry.name == name:
                return entry
        raise UnknownName(_("agent of {game}", game=self.game), name, self.names())

    def called(self, spec: str) -> str:
        """What people call the player of a spec, as its entry says; "" where it says nothing."""
        name = split_spec(spec)[0]
        return next((entry.called for entry in entries(self.game) if entry.name == name), "")

    def model_holder(self) -> str:
        """The first built-in player of the game that holds a Kripke model; BadInput if there is none."""
        for entry in BUILT_IN:
            if entry.game == self.game and entry.holds_model:
                return entry.name
        raise BadInput(f"no player of {self.game} holds a Kripke model")

    def make(self, spec: str) -> Agent:
        """The player of a spec `name:edition,key=value`; its `name` is the shortest spec of the same parameters."""
        name, items = split_spec(spec)
        if name in self.elsewhere:
            return self.elsewhere[name](spec)
        if name in self.from_files:
            return agent_of(name, self.from_files[name], items)
        return self.entry(name).make(items)

    def load_file(self, path: Path | str) -> None:
        """Take in every Player and Agent class of a Python file, by its attribute `name` or its class name.

        BadInput where the file cannot be read or holds no player, AgentFailure where it fails while it is loaded.
        """
        given: object = path
        if not isinstance(given, Path | str):
            raise BadInput(f"a file of players is named by its path, not by {value_text(path)}")
        self.from_files |= classes_of(Path(path), self.names())
