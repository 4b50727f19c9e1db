"""Players by name, and players of one's own from a Python file."""

from __future__ import annotations

import pickle
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from games.saboteur.playing import saboteur, seeds_of
from molehunt.agents.built_in import BUILT_IN
from molehunt.agents.registry import Agents
from molehunt.core.agent import Agent, PlayerAgent
from molehunt.core.errors import AgentFailure, BadInput, IllegalAction, MolehuntError, UnknownName
from molehunt.core.match import play

BUILT_IN_NAMES = [
    "random",
    "means-ends-2016",
    "decision-2019",
    "kripke-2012",
    "mole",
    "learned",
    "stranger",
    "equilibrium",
]
GUESTS = ["openspiel-random", "openspiel-ismcts", "openspiel-mccfr", "ismcts"]
"""Players that the adapters bring along."""

FIRST_LEGAL = """
from molehunt.core.agent import Player

class {name}(Player):
    {body}

    def choose(self, view):
        return view.legal_actions[0]
"""


@pytest.fixture(autouse=True)
def forget_modules() -> Iterator[None]:
    """Take the modules of players' files out of Python again."""
    yield
    for name in [name for name in sys.modules if name.startswith("molehunt_agents_")]:
        del sys.modules[name]


def written(folder: Path, text: str, name: str = "mine.py") -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def first_legal(name: str, body: str = "pass") -> str:
    """The source of a player that plays the first legal action."""
    return FIRST_LEGAL.format(name=name, body=body)


def loaded(folder: Path, text: str) -> Agents:
    agents = Agents("saboteur")
    agents.load_file(written(folder, text))
    return agents


OF_ITS_OWN_TYPE = """
from __future__ import annotations
from dataclasses import dataclass, field
import molehunt

class Note:
    pass

@dataclass
class {name}(molehunt.Player):
    notes: list[Note] = field(default_factory=list)
    hostile: float = molehunt.parameter(4, "how hostile it is", low=-5, high=10)

    def choose(self, view):
        return view.legal_actions[0]
"""


def test_two_files_of_one_name_are_two_modules(tmp_path: Path) -> None:
    agents = Agents("saboteur")
    for name in ("Alice", "Bob"):
        (tmp_path / name).mkdir()
        agents.load_file(written(tmp_path / name, OF_ITS_OWN_TYPE.format(name=name).replace("Note", f"NoteOf{name}")))
    for name in ("alice", "bob"):
        player = agents.from_files[name]
        assert agents.make(f"{name}:hostile=3").name == f"{name}:hostile=3.0"
        assert pickle.loads(pickle.dumps(player)) is player  # noqa: S301 - it is this test's own


# --- Built in ---------------------------------------------------------------------------------------------------------


def test_the_built_in_players() -> None:
    assert Agents("saboteur").names() == BUILT_IN_NAMES + GUESTS
    for entry in BUILT_IN:
        if entry.game != "saboteur":
            continue
        agent = Agents(entry.game).make(entry.name)
        assert isinstance(agent, Agent)
        assert agent.name == entry.name
        assert len(entry.title) > 10
        assert agent.holds_model == entry.holds_model


def test_who_holds_a_model() -> None:
    assert Agents("saboteur").model_holder() == "kripke-2012"
    with pytest.raises(BadInput, match="no player of speed_clue holds a Kripke model"):
        Agents("speed_clue").model_holder()
    game = saboteur()
    roles = np.array([0, 1, 0, 0, 1], np.int8)
    assert Agents("saboteur").make("kripke-2012").world(game, roles) == "{1,4}"
    with pytest.raises(AgentFailure, match="random holds no Kripke model"):
        Agents("saboteur").make("random").world(game, roles)


def test_players_of_a_game_that_is_not_there_are_refused_at_once() -> None:
    with pytest.raises(UnknownName, match=r"unknown game 'chess' \(known: saboteur, "):
        Agents("chess")


# --- A file -----------------------------------------------------------------------------------------------------------


def test_a_player_from_a_file_plays(tmp_path: Path) -> None:
    agents = loaded(tmp_path, first_legal("FirstLegal"))
    assert agents.names() == [*BUILT_IN_NAMES, *GUESTS, "first-legal"]
    agent = agents.make("first-legal")
    assert isinstance(agent, PlayerAgent)
    assert agent.name == "first-legal"
    game = saboteur(4)
    seating = [agent, agents.make("random"), agent, agents.make("decision-2019")]
    played = play(game, seating, seeds_of(0, 3), keep_actions=True)
    # It did what it says: every move of its seats is the first legal one.
    assert played.actions is not None
    states = game.new(seeds_of(0, 3))
    checked = 0
    for row, actions in enumerate(played.actions):
        for action in actions:
            seat = int(states["to_move"][row])
            if seat in (0, 2):
                view = game.views(states, np.array([seat], np.int8), np.array([row]))
                assert action == int(game.legal_actions(view)[0])
                checked += 1
            game.apply(states, np.array([action], np.int32), np.array([row]))
    assert checked > 30


@pytest.mark.parametrize(
    ("class_name", "body", "name"),
    [
        ("Digger", "pass", "digger"),
        ("FirstLegal", "pass", "first-legal"),
        ("MyPlayer2", "pass", "my-player2"),
        ("Plan9Digger", "pass", "plan9-digger"),
        ("snake_case", "pass", "snake_case"),
        ("FirstLegal", "name = 'badger'", "badger"),
    ],
)
def test_the_name_of_a_player_from_a_file(tmp_path: Path, class_name: str, body: str, name: str) -> None:
    agents = loaded(tmp_path, first_legal(class_name, body))
    assert list(agents.from_files) == [name]
    assert agents.make(name).name == name


def test_a_subclass_does_not_inherit_the_name(tmp_path: Path) -> None:
    both = first_legal("FirstLegal", "name = 'badger'") + "\nclass DeepMole(FirstLegal):\n    pass\n"
    assert list(loaded(tmp_path, both).from_files) == ["badger", "deep-mole"]


def test_an_agent_class_from_a_file(tmp_path: Path) -> None:
    text = """
from molehunt.agents.random import RandomAgent

class Dice(RandomAgent):
    pass
"""
    agents = loaded(tmp_path, text)
    # The class that the file imports is none of its players.
    assert list(agents.from_files) == ["dice"]
    agent = agents.make("dice")
    assert agent.name == "dice" and not isinstance(agent, PlayerAgent)
    game = saboteur(3)
    moves = [play(game, [one] * 3, seeds_of(0, 5), keep_actions=True).actions for one in (agent, agents.make("random"))]
    assert moves[0] == moves[1]


def test_two_files_with_one_name_are_two_files(tmp_path: Path) -> None:
    agents = Agents("saboteur")
    for folder, name in (("a", "One"), ("b", "Two")):
        (tmp_path / folder).mkdir()
        agents.load_file(written(tmp_path / folder, first_legal(name)))
    assert list(agents.from_files) == ["one", "two"]
    for name in ("one", "two"):
        played = play(saboteur(3), [agents.make(name)] * 3, seeds_of(0, 1))
        assert played.moves > 0


# --- What goes wrong --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("class Broken(:\n", "SyntaxError"),
        ("import no_such_library\n", "ModuleNotFoundError: No module named 'no_such_library'"),
        ("1 / 0\n", "ZeroDivisionError: division by zero"),
        ("raise SystemExit(3)\n", "SystemExit: 3"),
    ],
)
def test_a_file_that_fails_while_it_is_loaded(tmp_path: Path, text: str, part: str) -> None:
    agents = Agents("saboteur")
    path = written(tmp_path, text)
    with pytest.raises(AgentFailure) as caught:
        agents.load_file(path)
    assert str(caught.value).startswith(f"{path} fails while it is loaded: ")
    assert part in str(caught.value)
    assert agents.from_files == {}


@pytest.mark.parametrize(
    "text", ["", "from molehunt.core.agent import Player\n", "class Digger:\n    def choose(self, view): ...\n"]
)
def test_a_file_without_players(tmp_path: Path, text: str) -> None:
    with pytest.raises(BadInput, match=r"mine\.py holds no player: subclass molehunt\.Player and write choose"):
        loaded(tmp_path, text)


def test_a_file_that_is_not_there_or_not_python(tmp_path: Path) -> None:
    agents = Agents("saboteur")
    with pytest.raises(BadInput, match=r"there is no file .*none\.py to take agents from"):
        agents.load_file(tmp_path / "none.py")
    with pytest.raises(BadInput, match=r"is a folder; agents come from a Python file"):
        agents.load_file(tmp_path)
    with pytest.raises(BadInput, match=r"mine\.txt is not a Python file; agents come from a file that ends in \.py"):
        agents.load_file(written(tmp_path, first_legal("FirstLegal"), "mine.txt"))


def test_players_from_files_have_no_parameters(tmp_path: Path) -> None:
    agents = loaded(tmp_path, first_legal("FirstLegal"))
    said = r"first-legal has no parameters, so 'x=3,y' cannot be set; parameters are fields of a @dataclass"
    with pytest.raises(BadInput, match=said):
        agents.make("first-legal:x=3,y")
    with pytest.raises(UnknownName, match=r"did you mean 'first-legal'"):
        agents.make("first-legl")


DEEP = """
from __future__ import annotations
from dataclasses import dataclass, field
import numpy as np
from molehunt import Agent, Player, parameter

@dataclass
class Deep(Player):
    depth: int = parameter(3, "how far it looks", low=1, high=8)
    bold: bool = parameter(False, "whether it dares")
    seen: list = field(default_factory=list)

    def choose(self, view):
        self.seen.append((self.depth, self.bold))
        assert len(self.seen) < 20 and set(self.seen) == {(self.depth, self.bold)}
        return view.legal_actions[min(self.depth, len(view.legal_actions) - 1)]

@dataclass(eq=False)
class Wide(Agent):
    width: float = parameter(0.5, "how wide")
    observes = False
    def start(self, game, views, streams):
        self.game = game
    def act(self, views, memory, rows):
        return np.array([self.game.legal_actions(views[i : i + 1]).codes[0] for i in range(len(rows))])
    def observe(self, events, memory, rows): ...

@dataclass
class Equal(Wide): ...

@dataclass
class Beyond(Deep):
    depth: int = parameter(9, "how far it looks", low=1, high=8)


@dataclass
class Half(Deep):
    depth: int = parameter(2.5, "how far it looks", low=1, high=8)


@dataclass
class Perhaps(Deep):
    far: float | None = parameter(None, "how far it looks")


@dataclass
class Pair(Deep):
    places: tuple = parameter((1, 2), "where it looks")


@dataclass
class Elsewhere(Deep):
    side: str = parameter("up", "where it looks", choices=("left", "right"))


@dataclass
class Misspelt(Deep):
    far: "Flot" = parameter(1.0, "how far it looks")


@dataclass
class Whole(Deep):
    far: float = parameter(1, "how far it looks")
"""


def test_fields_of_a_class_that_are_parameters_are_set_as_those_of_built_in_players(tmp_path: Path) -> None:
    agents = loaded(tmp_path, DEEP)
    assert agents.make("deep").name == agents.make("deep:depth=3,bold=no").name == "deep"
    assert agents.make("deep:bold=yes,depth=4").name == "deep:depth=4,bold=yes"
    assert agents.make("wide:width=2").name == "wide:width=2.0"
    for wrong, said in (
        ("deep:depth=9", "depth must be 1 to 8, not 9"),
        ("deep:depth=x", "depth must be a whole number"),
        ("deep:dept=2", "did you mean 'depth'"),
        ("deep:seen=2", "unknown parameter of deep 'seen'"),
    ):
        with pytest.raises(BadInput, match=said):
            agents.make(wrong)
    with pytest.raises(AgentFailure, match=r"equal: an Agent that is a dataclass needs @dataclass\(eq=False\)"):
        agents.make("equal")
    with pytest.raises(BadInput, match="beyond as it is written: depth must be 1 to 8, not 9"):
        agents.make("beyond:depth=2")
    # What is written in code could be typed, too.
    for name, said in (
        ("half", "half as it is written: depth must be a whole number, not 2.5"),
        ("perhaps", r"far is of the type float \| None; a parameter is of bool, int, float or str"),
        ("pair", "places is of the type tuple; a parameter is"),
        ("elsewhere", "side must be one of left, right, not 'up'"),
        ("misspelt", "misspelt: the types of its fields cannot be read: NameError: name 'Flot'"),
    ):
        with pytest.raises(MolehuntError, match=said):
            agents.make(name)
    assert agents.make("whole:far=1").name == "whole"
    made = [agents.make(spec) for spec in ("deep", "deep:depth=1", "deep:bold=yes", "wide", "wide:width=2")]
    played = play(saboteur(5), made, seeds_of(0, 2))  # each seat of each game has an object of its own
    assert played.moves > 0


def test_a_player_that_cannot_be_made(tmp_path: Path) -> None:
    agents = loaded(tmp_path, first_legal("Needy", "def __init__(self, wish): ..."))
    with pytest.raises(AgentFailure, match=r"needy cannot be made without arguments: TypeError: .*wish"):
        agents.make("needy")


def test_a_player_that_wants_its_random_numbers_too_early_is_told_when_they_come(tmp_path: Path) -> None:
    agents = loaded(tmp_path, first_legal("Eager", "def __init__(self): self.lot = self.random.random()"))
    said = r"AttributeError: 'Eager' object has no attribute 'random' \(.*\); self\.random is there from begin\("
    with pytest.raises(AgentFailure, match=said):
        agents.make("eager")


def test_a_player_that_cannot_even_be_asked_for_its_class_is_named(tmp_path: Path) -> None:
    text = """
import molehunt

class Bad(molehunt.Player):
    def __getattribute__(self, name):
        raise ValueError(name)
"""
    with pytest.raises(
        AgentFailure, match=r"bad cannot be made without arguments: ValueError: __class__ \(.*mine\.py:6"
    ):
        loaded(tmp_path, text).make("bad")


@pytest.mark.parametrize(
    ("code", "part"),
    [
        ("raise ValueError('gone')", r"ValueError: gone \(.*mine\.py:9\)$"),
        ("raise SystemExit(3)", r"SystemExit: 3 \(.*mine\.py:9\)$"),
    ],
)
def test_a_player_that_can_be_made_no_more_is_named(tmp_path: Path, code: str, part: str) -> None:
    """One is made for every seat of every game, and what worked once may fail later."""
    text = f"""
from molehunt.core.agent import Player

class Bad(Player):
    made = []
    def __init__(self):
        self.made.append(1)
        if len(self.made) > 3:
            {code}
    def choose(self, view):
        return view.legal_actions[0]
"""
    agents = loaded(tmp_path, text)
    with pytest.raises(AgentFailure, match=f"bad cannot be made: {part}"):
        play(saboteur(3), [agents.make("bad")] * 3, seeds_of(0, 1))
    with pytest.raises(AgentFailure, match=f"bad cannot be made without arguments: {part}"):
        agents.make("bad")


@pytest.mark.parametrize(
    ("code", "error", "part"),
    [
        ("return 1 / 0", AgentFailure, r"bad failed in choose: ZeroDivisionError: division by zero \(.*mine\.py:6\)"),
        ("import json; json.loads('no')", AgentFailure, r"bad failed in choose: JSONDecodeError: .* \(.*mine\.py:6\)$"),
        (
            "raise ValueError('a\\n' * 400)",
            AgentFailure,
            r"bad failed in choose: ValueError: (a ){150}\.\.\. \(.*mine\.py:6\)$",
        ),
        ("return None", AgentFailure, r"bad must choose one of .*, not None: choose has returned nothing"),
        ("yield view.legal_actions[0]", AgentFailure, r"a choose with yield in it chooses nothing; return the move$"),
        ("return True", AgentFailure, r"bad must choose one of .*, not True"),
        ("return 2.5", AgentFailure, r"bad must choose one of .*, not 2\.5"),
        ("return 1 << 40", AgentFailure, r"bad must choose one of .*, not 1099511627776"),
        ("return 'P_EW at 3'", AgentFailure, r"bad chose what is no move: 'P_EW at 3' is not a move"),
        ("return 'P_EW@8,4'", IllegalAction, r"illegal action of seat \d \(bad\): 'P_EW@8,4'"),
        ("return -1", IllegalAction, r"illegal action of seat \d \(bad\): .* no such action"),
    ],
)
def test_a_player_that_fails_at_the_table(tmp_path: Path, code: str, error: type[Exception], part: str) -> None:
    text = f"""
from molehunt.core.agent import Player

class Bad(Player):
    def choose(self, view):
        {code}
"""
    agents = loaded(tmp_path, text)
    with pytest.raises(error, match=part):
        play(saboteur(3), [agents.make("bad")] * 3, seeds_of(0, 1))


@pytest.mark.parametrize(
    ("code", "part"),
    [
        ("return 1", r"not 1: that is the place of an action, not the action; return view\.legal_actions\[1\]$"),
        ("import numpy; return numpy.int64(1)", r"that is the place of an action"),
        ("return view.actions[0]", r"no attribute 'actions' \(.*\); View has legal_actions$"),
        ("return view.mine", r"no attribute 'mine' \(.*\); View has accused, .*legal_actions, .*unseen$"),
        (
            "return next(a for a in view.legal_actions if a.startswith('P_'))",
            r"no attribute 'startswith' \(.*\); the text of an action is str\(action\), as in str\(action\)\.startswith$",
        ),
        ("return self.nothing", r"no attribute 'nothing' \([^()]*\)$"),
        ("return int(*'12')[0]", r"TypeError: [^;]*$"),
    ],
)
def test_who_writes_a_first_player_is_told_what_would_be_right(tmp_path: Path, code: str, part: str) -> None:
    text = f"from molehunt.core.agent import Player\nclass Mine(Player):\n    def choose(self, view):\n        {code}\n"
    agents = loaded(tmp_path, text)
    with pytest.raises(AgentFailure, match=part):
        play(saboteur(3), [agents.make("mine")] * 3, seeds_of(0, 1))


@pytest.mark.parametrize(
    ("method", "part"),
    [
        (
            "def choose(self): ...",
            r"odd failed in choose: TypeError: .* but 2 were given; it is written def choose\(self, view\)$",
        ),
        (
            "def begin(self, game): ...",
            r"odd failed in begin: TypeError: .* but 4 were given; it is written def begin\(self, game, seat, view\)$",
        ),
        ("def chose(self, view): ...", r"odd failed: Odd has no method choose\(self, view\), but one called chose$"),
        ("def think(self, view): ...", r"odd failed: Odd has no method choose\(self, view\)$"),
    ],
)
def test_a_player_that_is_called_otherwise_than_it_is_written_is_not_sent_to_our_own_lines(
    tmp_path: Path, method: str, part: str
) -> None:
    agents = loaded(tmp_path, f"from molehunt.core.agent import Player\nclass Odd(Player):\n    {method}\n")
    with pytest.raises(AgentFailure, match=part):
        play(saboteur(3), [agents.make("odd")] * 3, seeds_of(0, 1))


def test_a_file_that_fails_names_its_line_and_what_it_cannot_have(tmp_path: Path) -> None:
    with pytest.raises(AgentFailure, match=r"NameError: name 'y' is not defined \(.*mine\.py:2\)$"):
        loaded(tmp_path, "x = 1\ny += x\n")
    (tmp_path / "helping.py").write_text("HELP = 1\n")
    with pytest.raises(
        AgentFailure, match=r"makes do with itself .*, so what it needs of helping\.py has to stand in it$"
    ):
        loaded(tmp_path, "from helping import HELP\n")
    for line in ("from .helping import HELP\n", "from . import helping\n"):
        with pytest.raises(
            AgentFailure, match=r"relative import .*mine\.py:1\); .* no package: it makes do with itself"
        ):
            loaded(tmp_path, line)


def test_a_player_that_fails_to_listen(tmp_path: Path) -> None:
    text = first_legal("Deaf", "def notice(self, event): raise ValueError(event.move)")
    agents = loaded(tmp_path, text)
    with pytest.raises(AgentFailure, match=r"deaf failed in notice: ValueError: .* \(.*mine\.py:5\)"):
        play(saboteur(3), [agents.make("deaf")] * 3, seeds_of(0, 1))


# --- One name for two players -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", BUILT_IN_NAMES)
def test_a_file_may_not_take_the_name_of_a_built_in_player(tmp_path: Path, name: str) -> None:
    with pytest.raises(BadInput, match=name):
        loaded(tmp_path, first_legal("Mine", f"name = {name!r}"))


def test_two_players_may_not_have_one_name(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="badger"):
        loaded(tmp_path, first_legal("One", "name = 'badger'") + first_legal("Two", "name = 'badger'"))


@pytest.mark.parametrize("name", ["my:mole", "mole,2", "mole*2", ""])
def test_a_name_that_cannot_be_typed_is_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(
        BadInput, match=r"mine\.py: a player cannot be called '.*'; a name is a text without comma, colon, star"
    ):
        loaded(tmp_path, first_legal("Mine", f"name = {name!r}"))


def test_a_name_that_begins_with_a_blank_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadInput):
        loaded(tmp_path, first_legal("Mine", "name = ' mole'"))
