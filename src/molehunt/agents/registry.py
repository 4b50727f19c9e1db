"""Which players there are, by game, and how a player is made from its name and parameters.

Nothing is imported before a player is made. Players of one's own come from a Python file (`own_files`) or from an installed
package, which names its `AgentEntry`s under the entry point `molehunt.agents`. Some players play every game there is.
"""

from __future__ import annotations

import importlib
import importlib.util
import traceback
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any

from molehunt.agents.own_files import agent_of, check_name, check_no_items, classes_of, editions_of, guarded
from molehunt.core.agent import Agent, Player
from molehunt.core.errors import AgentFailure, BadInput, ForeignCode, MolehuntError, UnknownName, error_text, value_text
from molehunt.core.language import later
from molehunt.core.specs import build, canonical, split_spec
from molehunt.games.entry import canonical_name
from molehunt.games.registry import GUESTS as GAME_GUESTS
from molehunt.games.registry import all_games, game_entry, package_of

OURS = "molehunt."
EVERY = "*"
"""The game of a player that plays every game."""


EASY, MEDIUM, HARD = 1, 2, 3
LEVEL_WORDS = ("", later("easy to beat"), later("of middling strength"), later("hard to beat"))
"""How hard a player is to beat, in words, by its level."""


@dataclass(frozen=True)
class AgentEntry:
    """A player as the command line knows it. `game` is the name of the game that it plays, or EVERY.

    `module` holds the class `agent` and, where it has parameters, its named sets of them under the name `parameters`. The class of
    another package may be a `Player`, whose parameters are its fields; where it has an attribute `game`, that is this one's.
    `holds_model` is what the agent says of itself, to be read without importing it. `small_games` says that it plays only games
    whose tree can be listed; `needs` names the library without which it cannot be made. `called` is what people at a table call
    it: "the careful digger". `only` says in words where it sits, if not in every ruleset with any number of seats. `level` says how
    hard it is to beat, as it did among strangers: EASY, MEDIUM or HARD, 0 where that was not measured.
    """

    name: str
    game: str
    title: str
    module: str
    agent: str
    parameters: str = "EDITIONS"
    holds_model: bool = False
    small_games: bool = False
    needs: str = ""
    called: str = ""
    only: str = ""
    level: int = 0

    @property
    def is_here(self) -> bool:
        """Whether the library that it needs is installed."""
        return not self.needs or importlib.util.find_spec(self.needs) is not None

    def editions(self) -> Mapping[str, Any]:
        """The named sets of parameters, the default first; empty where there is nothing to set."""
        player = None if self.is_ours else self._player_class()
        if player is not None:
            return editions_of(self.name, player)
        return getattr(importlib.import_module(self.module), self.parameters, {})

    @property
    def is_ours(self) -> bool:
        """Whether it is this package's own."""
        return self.module.startswith(OURS)

    def make(self, items: list[str]) -> Agent:
        """The player with the parameters that `items` say; AgentFailure where the code of another package fails at it."""
        if self.is_ours:
            _, own = self._made(items)
            return own  # type: ignore[no-any-return]
        with ForeignCode(f"{self.name} cannot be made", (MolehuntError,)):
            player = self._player_class()
            if player is not None:
                self._check_game_of(player)
                return agent_of(self.name, player, items)
            spec, made = self._made(items)
        if not isinstance(made, Agent):
            raise AgentFailure(
                f"{self.name} cannot be made: {self.module}:{self.agent} makes no Agent but {value_text(made)}"
            )
        made.name = spec
        return guarded(made)

    def _player_class(self) -> type[Player] | None:
        """The class of a player in plain Python; None where it is an Agent."""
        found = self._named()
        return found if isinstance(found, type) and issubclass(found, Player) else None

    def _check_game_of(self, player: type[Player]) -> None:
        """AgentFailure where the class says that it plays another game than the entry does."""
        own = vars(player).get("game")
        if isinstance(own, str) and own != EVERY and canonical_name(own) != canonical_name(self.game):
            raise AgentFailure(
                f"{self.name} plays {own} alone, as the attribute game of its class says, and not {self.game}: "
                "its entry has to name the same game"
            )

    def _made(self, items: list[str]) -> tuple[str, Any]:
        """The shortest spec of the player with the parameters that `items` say, and what its class makes of them."""
        factory = self._named()
        editions = self.editions()
        if editions:
            parameters = build(self.name, editions, items)
            spec = canonical(self.name, editions, parameters)
            return spec, factory(spec, parameters)
        check_no_items(self.name, items)
        return self.name, factory()

    def _named(self) -> Any:
        """What makes the player; AgentFailure where its module or the class in it is not there."""
        try:
            return getattr(importlib.import_module(self.module), self.agent)
        except (ImportError, AttributeError) as error:
            raise AgentFailure(
                f"the entry of {self.name} names {self.module}:{self.agent}, which is not there: {error}"
            ) from error


BUILT_IN: tuple[AgentEntry, ...] = (
    AgentEntry(
        "random",
        "saboteur",
        later("every legal action is equally likely"),
        "molehunt.agents.random",
        "RandomAgent",
        called=later("the coin tosser"),
        level=EASY,
    ),
    AgentEntry(
        "means-ends-2016",
        "saboteur",
        later("the means-ends baseline of 2016, as its program was run"),
        "molehunt.agents.saboteur.means_ends_2016",
        "MeansEnds2016Agent",
        called=later("the plain planner"),
        level=EASY,
    ),
    AgentEntry(
        "decision-2019",
        "saboteur",
        later("the decision system with trust of Krisnadi et al. 2019, editions as_run and as_printed"),
        "molehunt.agents.saboteur.decision_2019",
        "Decision2019Agent",
        called=later("the careful digger"),
        level=MEDIUM,
    ),
    AgentEntry(
        "kripke-2012",
        "saboteur",
        later("the players of Veldhuis et al. 2012 with Kripke models; saboteurs bluff (strategy, depth)"),
        "molehunt.agents.saboteur.kripke_2012",
        "Kripke2012Agent",
        holds_model=True,
        called=later("the mind reader"),
        level=MEDIUM,
    ),
    AgentEntry(
        "mole",
        "saboteur",
        later(
            "works out who the saboteurs are, and plays moves on in such worlds; editions fast and strong (worlds, seconds)"
        ),
        "molehunt.agents.saboteur.mole",
        "MoleAgent",
        called=later("the detective"),
        level=HARD,
    ),
    AgentEntry(
        "learned",
        "saboteur",
        later("a small network that learned by playing (weights, temperature)"),
        "molehunt.agents.saboteur.learned",
        "SaboteurLearnedAgent",
        called=later("the apprentice"),
        only=later("krisnadi with 4 or 5 seats and official with 5, or where it is given weights"),
        level=HARD,
    ),
    AgentEntry(
        "stranger",
        "saboteur",
        later("a player of a style drawn by its seed, to see how players do against those they do not know (seed)"),
        "molehunt.agents.saboteur.stranger",
        "StrangerAgent",
        called=later("the stranger"),
    ),
    AgentEntry(
        "equilibrium",
        "saboteur",
        later("a Nash equilibrium of a small game, found on its whole tree: saboteur/small (iterations)"),
        "molehunt.agents.equilibrium",
        "EquilibriumAgent",
        small_games=True,
        called=later("the game theorist"),
    ),
    AgentEntry(
        "random",
        "speed_clue",
        later("every legal action is equally likely"),
        "molehunt.agents.random",
        "RandomAgent",
        called=later("the coin tosser"),
        level=EASY,
    ),
    *(
        AgentEntry(
            name,
            "speed_clue",
            title,
            "molehunt.agents.speed_clue.strategies",
            "ClueAgent",
            editions,
            called=called,
            level=level,
        )
        for name, called, title, editions, level in (
            (
                "basic",
                later("the beginner"),
                later("the report of 2020: random cards not yet ruled out"),
                "BASIC_EDITIONS",
                EASY,
            ),
            (
                "advanced",
                later("the note taker"),
                later("the report of 2020: cards that the next players are known not to hold"),
                "ADVANCED_EDITIONS",
                MEDIUM,
            ),
            (
                "no-intelligence",
                later("the list reader"),
                later("Kingston 2017: goes through the cards until only three are left"),
                "NO_INTELLIGENCE_EDITIONS",
                EASY,
            ),
            (
                "deduction-only",
                later("the logician"),
                later("Kingston 2017: deduces, and asks about cards not yet ruled out"),
                "DEDUCTION_ONLY_EDITIONS",
                EASY,
            ),
            (
                "next-possible",
                later("the direct asker"),
                later("Kingston 2017: asks what the next player may hold"),
                "NEXT_POSSIBLE_EDITIONS",
                EASY,
            ),
            (
                "previous-possible",
                later("the patient asker"),
                later("Kingston 2017: corners what the previous player may hold"),
                "PREVIOUS_POSSIBLE_EDITIONS",
                EASY,
            ),
            (
                "next-not-held",
                later("the roundabout asker"),
                later("Kingston 2017: asks what the next players do not hold"),
                "NEXT_NOT_HELD_EDITIONS",
                MEDIUM,
            ),
            (
                "combined",
                later("the all-rounder"),
                later("the report's proposals that are best together"),
                "COMBINED_EDITIONS",
                HARD,
            ),
            (
                "mixed",
                later("the changeable one"),
                later("the report's last proposal: changes strategy with the stage of the game"),
                "MIXED_EDITIONS",
                MEDIUM,
            ),
        )
    ),
    AgentEntry(
        "learned",
        "speed_clue",
        later("a small network that learned by playing (weights, temperature)"),
        "molehunt.agents.speed_clue.learned",
        "ClueLearnedAgent",
        called=later("the apprentice"),
        only=later("mitchell with 3 seats, or where it is given weights"),
        level=MEDIUM,
    ),
    AgentEntry(
        "stranger",
        "speed_clue",
        later("players drawn from a space of habits, each seed another: a benchmark of robustness (seed)"),
        "molehunt.agents.speed_clue.stranger",
        "StrangerAgent",
        called=later("the stranger"),
    ),
    AgentEntry(
        "exact",
        "speed_clue",
        later("exact inference: asks what tells most, shows what tells least, reads the others (deals, seconds)"),
        "molehunt.agents.speed_clue.exact",
        "ExactAgent",
        called=later("the master detective"),
        level=HARD,
    ),
    AgentEntry(
        "equilibrium",
        "speed_clue",
        later("a Nash equilibrium of a small game, found on its whole tree: speed_clue/small (iterations)"),
        "molehunt.agents.equilibrium",
        "EquilibriumAgent",
        small_games=True,
        called=later("the game theorist"),
    ),
    AgentEntry(
        "random",
        "duel",
        later("every legal action is equally likely"),
        "molehunt.agents.random",
        "RandomAgent",
        called=later("the coin tosser"),
        level=EASY,
    ),
    AgentEntry(
        "random-listed",
        "duel",
        later("the course's random player: draws from its move list, duplicates and all"),
        "molehunt.agents.duel.random_listed",
        "RandomListedAgent",
        called=later("the shuffler"),
        level=EASY,
    ),
    AgentEntry(
        "greedy-2020",
        "duel",
        later("the heuristic of Cai and Jiang 2020 alone"),
        "molehunt.agents.duel.greedy_2020",
        "Greedy2020Agent",
        called=later("the hasty digger"),
        level=MEDIUM,
    ),
    AgentEntry(
        "and-or-2020",
        "duel",
        later(
            "the AND/OR search of Cai and Jiang 2020 over own moves and drawn cards (depth, seconds, nodes, opponent)"
        ),
        "molehunt.agents.duel.and_or_2020",
        "AndOr2020Agent",
        called=later("the deep thinker"),
        level=EASY,
    ),
    AgentEntry(
        "learned",
        "duel",
        later("a small network that learned by playing (weights, temperature)"),
        "molehunt.agents.duel.learned",
        "DuelLearnedAgent",
        called=later("the apprentice"),
        level=HARD,
    ),
    AgentEntry(
        "stranger",
        "duel",
        later("a player drawn from a space of habits by a seed, to measure robustness (seed)"),
        "molehunt.agents.duel.stranger",
        "StrangerAgent",
        called=later("the stranger"),
    ),
    AgentEntry(
        "duel-star",
        "duel",
        later("looks one move ahead with a learned network, in deals that it holds possible (deals, seconds)"),
        "molehunt.agents.duel.duel_star",
        "DuelStarAgent",
        called=later("the champion"),
        level=HARD,
    ),
)

GENERAL: tuple[AgentEntry, ...] = (
    AgentEntry(
        "random",
        EVERY,
        later("every legal action is equally likely"),
        "molehunt.agents.random",
        "RandomAgent",
        called=later("the coin tosser"),
    ),
    AgentEntry(
        "ismcts",
        EVERY,
        later("information set Monte Carlo tree search (iterations, seconds, trees, inference, bluffing, rollout)"),
        "molehunt.agents.ismcts",
        "IsmctsAgent",
        called=later("the dreamer of worlds"),
    ),
)
"""Players of every game, where a game has no player of that name of its own."""

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

    UnknownName where there is no such game.
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
        raise UnknownName(f"agent of {self.game}", name, self.names())

    def called(self, spec: str) -> str:
        """What people call the player of a spec, as its entry says; "" where it says nothing."""
        name, _ = split_spec(spec)
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
