"""Which players there are, by game, and how a player is made from its name and parameters.

Nothing is imported before a player is made. Players of one's own come from a Python file (`load_file`) or from an installed
package, which names its `AgentEntry`s under the entry point `molehunt.agents`. Some players play every game there is.
"""

from __future__ import annotations

import dataclasses
import functools
import importlib
import importlib.util
import re
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from importlib.machinery import ModuleSpec, SourceFileLoader
from importlib.metadata import entry_points
from pathlib import Path
from types import CodeType
from typing import Any

import numpy as np

from molehunt.core.agent import Agent, Player, PlayerAgent, Rows, taken_as_json
from molehunt.core.errors import AgentFailure, BadInput, ForeignCode, MolehuntError, UnknownName, value_text
from molehunt.core.game import Actions, Views
from molehunt.core.language import later
from molehunt.core.leaving import leave_by_error
from molehunt.core.specs import build, canonical, check_range, split_spec
from molehunt.games.entry import canonical_name
from molehunt.games.registry import all_games, game_entry

AS_WRITTEN = "as_written"
"""The edition of a player of one's own that has the values of its class."""
EVERY = "*"
"""The game of a player that plays every game."""


@dataclass(frozen=True)
class AgentEntry:
    """A player as the command line knows it. `game` is the name of the game that it plays, or EVERY.

    `module` holds the class `agent` and, where it has parameters, its named sets of them under the name `parameters`.
    `holds_model` is what the agent says of itself, to be read without importing it. `small_games` says that it plays only games
    whose tree can be listed; `needs` names the library without which it cannot be made. `called` is what people at a table call
    it: "the careful digger". `only` says in words where it sits, if not in every ruleset with any number of seats.
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

    @property
    def is_here(self) -> bool:
        """Whether the library that it needs is installed."""
        return not self.needs or importlib.util.find_spec(self.needs) is not None

    def editions(self) -> Mapping[str, Any]:
        """The named sets of parameters, the default first; empty where there is nothing to set."""
        return getattr(importlib.import_module(self.module), self.parameters, {})

    def make(self, items: list[str]) -> Agent:
        """The player with the parameters that `items` say."""
        made: Agent
        factory = getattr(importlib.import_module(self.module), self.agent)
        editions = self.editions()
        if editions:
            parameters = build(self.name, editions, items)
            made = factory(canonical(self.name, editions, parameters), parameters)
        else:
            _no_items(self.name, items)
            made = factory()
        return made


BUILT_IN: tuple[AgentEntry, ...] = (
    AgentEntry(
        "random",
        "saboteur",
        later("every legal action is equally likely"),
        "molehunt.agents.random",
        "RandomAgent",
        called=later("the coin tosser"),
    ),
    AgentEntry(
        "means-ends-2016",
        "saboteur",
        later("the means-ends baseline of 2016, as its program was run"),
        "molehunt.agents.saboteur.means_ends_2016",
        "MeansEnds2016Agent",
        called=later("the plain planner"),
    ),
    AgentEntry(
        "decision-2019",
        "saboteur",
        later("the decision system with trust of Krisnadi et al. 2019, editions as_run and as_printed"),
        "molehunt.agents.saboteur.decision_2019",
        "Decision2019Agent",
        called=later("the careful digger"),
    ),
    AgentEntry(
        "kripke-2012",
        "saboteur",
        later("the players of Veldhuis et al. 2012 with Kripke models; saboteurs bluff (strategy, depth)"),
        "molehunt.agents.saboteur.kripke_2012",
        "Kripke2012Agent",
        holds_model=True,
        called=later("the mind reader"),
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
    ),
    AgentEntry(
        "learned",
        "saboteur",
        later("a small network that learned by playing (weights, temperature)"),
        "molehunt.agents.saboteur.learned",
        "SaboteurLearnedAgent",
        called=later("the apprentice"),
        only=later("krisnadi with 4 or 5 seats and official with 5, or where it is given weights"),
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
    ),
    *(
        AgentEntry(
            name, "speed_clue", title, "molehunt.agents.speed_clue.strategies", "ClueAgent", editions, called=called
        )
        for name, called, title, editions in (
            (
                "basic",
                later("the beginner"),
                later("the report of 2020: random cards not yet ruled out"),
                "BASIC_EDITIONS",
            ),
            (
                "advanced",
                later("the note taker"),
                later("the report of 2020: cards that the next players are known not to hold"),
                "ADVANCED_EDITIONS",
            ),
            (
                "no-intelligence",
                later("the list reader"),
                later("Kingston 2017: goes through the cards until only three are left"),
                "NO_INTELLIGENCE_EDITIONS",
            ),
            (
                "deduction-only",
                later("the logician"),
                later("Kingston 2017: deduces, and asks about cards not yet ruled out"),
                "DEDUCTION_ONLY_EDITIONS",
            ),
            (
                "next-possible",
                later("the direct asker"),
                later("Kingston 2017: asks what the next player may hold"),
                "NEXT_POSSIBLE_EDITIONS",
            ),
            (
                "previous-possible",
                later("the patient asker"),
                later("Kingston 2017: corners what the previous player may hold"),
                "PREVIOUS_POSSIBLE_EDITIONS",
            ),
            (
                "next-not-held",
                later("the roundabout asker"),
                later("Kingston 2017: asks what the next players do not hold"),
                "NEXT_NOT_HELD_EDITIONS",
            ),
            (
                "combined",
                later("the all-rounder"),
                later("the report's proposals that are best together"),
                "COMBINED_EDITIONS",
            ),
            (
                "mixed",
                later("the changeable one"),
                later("the report's last proposal: changes strategy with the stage of the game"),
                "MIXED_EDITIONS",
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
    ),
    AgentEntry(
        "random-listed",
        "duel",
        later("the course's random player: draws from its move list, duplicates and all"),
        "molehunt.agents.duel.random_listed",
        "RandomListedAgent",
        called=later("the shuffler"),
    ),
    AgentEntry(
        "greedy-2020",
        "duel",
        later("the heuristic of Cai and Jiang 2020 alone"),
        "molehunt.agents.duel.greedy_2020",
        "Greedy2020Agent",
        called=later("the hasty digger"),
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
    ),
    AgentEntry(
        "learned",
        "duel",
        later("a small network that learned by playing (weights, temperature)"),
        "molehunt.agents.duel.learned",
        "DuelLearnedAgent",
        called=later("the apprentice"),
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
            found += point.load()
        except Exception as error:
            raise AgentFailure(
                f"the players of {point.value} cannot be read: {type(error).__name__}: {error}"
            ) from error
    return tuple(found)


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
        return _editions(self.name, self.made_of)

    def make(self, items: list[str]) -> Agent:
        return _from_class(self.name, self.made_of, items)


_of_files: dict[tuple[str, str], FileEntry] = {}


def seat_among_us(path: Path, game: str = EVERY) -> None:
    """Let the players of a file play a game as if they were built in, as long as this process lives.

    Where `game` is EVERY, each plays what its attribute `game` names, by default every game. BadInput or AgentFailure as
    `Agents.load_file`, UnknownName where there is no game of the name.
    """
    for entry in entries_of_file(path, game):
        if entry.name in Agents(entry.game).names():
            raise BadInput(f"{path}: another player is called {entry.name!r}; give this one an attribute name = '...'")
        _of_files[entry.game, entry.name] = entry


def entries_of_file(path: Path, game: str = EVERY) -> list[FileEntry]:
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
    """The players that a command knows for a game: those built in, those of installed packages, those from the user's files."""

    game: str
    from_files: dict[str, type[Player | Agent]] = field(default_factory=dict)
    elsewhere: dict[str, Callable[[str], Agent]] = field(default_factory=dict)
    """Players that are not made in this process: what makes one from its spec, by name. They come before all others."""

    def __post_init__(self) -> None:
        self.game = canonical_name(self.game)

    def names(self) -> list[str]:
        """The names of all players of the game."""
        known = (entry.name for entry in entries(self.game))
        return list(dict.fromkeys((*known, *self.from_files, *self.elsewhere)))

    def entry(self, name: str) -> AgentEntry:
        """The entry of a built-in player or of a guest; UnknownName if there is none, or no such game."""
        for entry in entries(self.game):
            if entry.name == name:
                return entry
        game_entry(self.game)
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
            return _from_class(name, self.from_files[name], items)
        return self.entry(name).make(items)

    def load_file(self, path: Path) -> None:
        """Take in every Player and Agent class of a Python file, by its attribute `name` or its class name.

        BadInput where the file cannot be read or holds no player, AgentFailure where it fails while it is loaded.
        """
        if not _is_file(path):
            raise BadInput(f"there is no file {path} to take agents from")
        if path.suffix != ".py":
            raise BadInput(f"{path} is not a Python file; agents come from a file that ends in .py")
        loader = _SourceLoader(f"molehunt_agents_{path.stem}", str(path))
        spec = ModuleSpec(loader.name, loader, origin=loader.path)
        spec.has_location = True
        module = importlib.util.module_from_spec(spec)
        sys.modules[spec.name] = module
        leave_by_error(loader.path)
        with ForeignCode(f"{path} fails while it is loaded", hint=lambda error: _beside(path, error)):
            loader.exec_module(module)
        found = [
            value
            for value in vars(module).values()
            if isinstance(value, type) and issubclass(value, Player | Agent) and value.__module__ == spec.name
        ]
        if not found:
            raise BadInput(f"{path} holds no player: subclass molehunt.Player and write choose(self, view)")
        fresh: dict[str, type[Player | Agent]] = {}
        for value in found:
            name = _class_name(value)
            if not name or name != name.strip() or set(name) & set(",:*"):
                raise BadInput(f"{path}: a player cannot be called {name!r:.60}; a name has no comma, colon or star")
            if name in self.names() or name in fresh:
                raise BadInput(f"{path}: another player is called {name!r}; give this one an attribute name = '...'")
            fresh[name] = value
        self.from_files |= fresh


class _SourceLoader(SourceFileLoader):
    """Loads a file from its text alone.

    Python would keep what it compiled in a folder beside the file, and take it for an edited file of the same second and size.
    """

    def get_code(self, fullname: str) -> CodeType:
        return self.source_to_code(self.get_data(self.path), self.path)


def _is_file(path: Path) -> bool:
    """Whether there is a file of this name; a name that no file can have is none."""
    try:
        return path.is_file()
    except OSError:
        return False


def _beside(path: Path, error: BaseException) -> str:
    """Where a file asks for a module that lies beside it: that it has to make do without."""
    module = f"{error.name}.py" if isinstance(error, ModuleNotFoundError) else ""
    if not module or not _is_file(path.parent / module):
        return ""
    return f"; a file of players makes do with itself and installed packages, so what it needs of {module} has to stand in it"


def _class_name(player: type[Player | Agent]) -> str:
    """The name under which a class plays: its attribute `name`, else its class name as my-player."""
    given = vars(player).get("name")
    if isinstance(given, str):
        return given
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "-", player.__name__).lower()


def _too_early(error: BaseException) -> str:
    """Where a player asks for its random numbers while it is made: when they are there."""
    asked = isinstance(error, AttributeError) and error.name == "random" and isinstance(error.obj, Player)
    return "; self.random is there from begin(self, game, seat, view) on" if asked else ""


def _editions(name: str, player: type[Player | Agent]) -> Mapping[str, Any]:
    """The parameters of a class of somebody's own as one of its objects, which has them as fields; empty where it has none.

    They are fields of a dataclass that are made with `parameter`.
    """
    if not dataclasses.is_dataclass(player) or not any(field.metadata for field in dataclasses.fields(player)):
        return {}
    found: dict[str, Any] = {}
    with ForeignCode(f"{name} cannot be made without arguments", hint=_too_early):
        found[AS_WRITTEN] = player()
    for each in dataclasses.fields(player):
        check_range(f"{name} as it is written", each, getattr(found[AS_WRITTEN], each.name))
    return found


def _from_class(name: str, player: type[Player | Agent], items: list[str]) -> Agent:
    editions = _editions(name, player)
    values: dict[str, Any] = {}
    if editions:
        with ForeignCode(f"{name} cannot be made with {','.join(items)}", (MolehuntError,)):
            parameters = build(name, editions, items)
            name = canonical(name, editions, parameters)
            values = {
                each.name: getattr(parameters, each.name) for each in dataclasses.fields(parameters) if each.metadata
            }
    else:
        _no_items(name, items, "; parameters are fields of a @dataclass, made with molehunt.parameter")
    with ForeignCode(f"{name} cannot be made without arguments", hint=_too_early):
        made = player(**values)
    if isinstance(made, Agent):
        if type(made).__hash__ is None:
            raise AgentFailure(
                f"{name}: an Agent that is a dataclass needs @dataclass(eq=False): no two of them are the same"
            )
        made.name = name
        return _guarded(made)
    return PlayerAgent(name, functools.partial(player, **values))  # type: ignore[arg-type]


ASKED = (
    "start",
    "act",
    "observe",
    "catch_up",
    "copy_memory",
    "take",
    "put",
    "impressions",
    "meet_again",
    "why",
    "beliefs",
)
"""What an agent of somebody's own is called for, while games are played and looked at."""


def _guarded(agent: Agent) -> Agent:
    """An agent of somebody's own whose errors come out as AgentFailure, with its name and the place."""

    def guard(method: str, own: Callable[..., Any]) -> Callable[..., Any]:
        def ask(*arguments: Any, **named: Any) -> Any:
            with ForeignCode(f"{agent.name} failed in {method}", (MolehuntError,)):
                return own(*arguments, **named)

        def act(views: Views, memory: Any, rows: Rows) -> Actions:
            answer: Any = None
            with ForeignCode(f"{agent.name} failed in act", (MolehuntError,)):
                answer = own(views, memory, rows)
                actions = np.asarray(answer)
            if actions.shape != (len(rows),) or actions.dtype.kind not in "iu":
                raise AgentFailure(
                    f"{agent.name} must answer act with an array of whole numbers, one for each view, "
                    f"not {value_text(answer)}"
                )
            return actions

        def impressions(*arguments: Any, **named: Any) -> Any:
            return taken_as_json(agent.name, ask(*arguments, **named))

        def meet_again(memory: Any, row: int, impressions: Any, seated: bool = True) -> None:
            # A value of its own: what was taken along is kept with the record as it was.
            ask(memory, row, taken_as_json(agent.name, impressions), seated)

        own_ways: dict[str, Callable[..., Any]] = {"act": act, "impressions": impressions, "meet_again": meet_again}
        return own_ways.get(method, ask)

    for method in ASKED:
        setattr(agent, method, guard(method, getattr(agent, method)))
    return agent


def _no_items(name: str, items: list[str], hint: str = "") -> None:
    if items:
        raise BadInput(f"{name} has no parameters, so {','.join(items)!r} cannot be set{hint}")
