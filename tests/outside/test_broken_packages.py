"""What is said where an installed package brings no game after all, or a player that fails."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from cli.calling import call
from molehunt.games.entry import GameEntry, GameFailure, GameWords, RulesetEntry
from molehunt.games.registry import guests, make_game
from outside.installing import installed

RULESETS = {"only": RulesetEntry("the only one", 2, 2)}


@pytest.mark.parametrize(
    ("module", "said"),
    [
        ("raise RuntimeError('not today')", r"cannot be read: RuntimeError: not today"),
        ("", r"cannot be read: AttributeError"),
        ("ENTRY = 7", r"cannot be read: 7 is no GameEntry and no list of them"),
        ("ENTRY = ['chess']", r"cannot be read: 'chess' is no GameEntry"),
        (
            "from molehunt.games.duel.entry import ENTRY",
            r"brings a game duel, and there is another one of this name",
        ),
        (
            "from molehunt.games.entry import GameEntry\nENTRY = GameEntry(name='Chess', title='Chess', rulesets={})",
            r"cannot be read: GameFailure: a game's name has letters a-z, digits and _, .* not 'Chess'",
        ),
    ],
)
def test_the_package_is_named_and_what_is_wrong_with_it(
    module: str, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    name = f"broken_{abs(hash(module)) % 10**9}"
    tmp_path.joinpath(f"{name}.py").write_text(module)
    with installed(tmp_path, "woodpusher", {"molehunt.games": f"chess = {name}:ENTRY"}, monkeypatch):
        with pytest.raises(GameFailure, match=rf"the package woodpusher \({name}:ENTRY\).*{said}"):
            guests()
        made = call("games")
        assert made.status == 1
        assert "the package woodpusher" in made.err and len(made.err.splitlines()) == 1
        # The games of this package are found without a look at others.
        assert make_game("duel", "mcgill", 2).seats == 2


PLAYERS = """
from dataclasses import dataclass

import numpy as np

import molehunt
from molehunt.agents.registry import AgentEntry


class First(molehunt.Agent):
    def __init__(self):
        self.name = "first"

    def start(self, game, views, streams):
        return {"game": game}

    def act(self, views, memory, rows):
        return np.array([memory["game"].legal_actions(views[i : i + 1])[0] for i in range(len(rows))])

    def observe(self, events, memory, rows):
        pass


class Numbers(First):
    def impressions(self, game, view, memory, row):
        return {"games": np.int64(3)}


class Tired(First):
    def act(self, views, memory, rows):
        raise RuntimeError("not today")


class Asks(First):
    def __init__(self, much):
        pass


@dataclass
class Plain(molehunt.Player):
    odds: float = molehunt.parameter(1, "how odd", low=0, high=5)

    def choose(self, view):
        return view.legal_actions[0]


@dataclass(frozen=True)
class Frozen(molehunt.Player):
    pass


def nothing():
    return 7


ENTRIES = [
    AgentEntry(name, "duel", name, __name__, agent)
    for name, agent in [
        ("first", "First"), ("numbers", "Numbers"), ("tired", "Tired"), ("asks", "Asks"), ("nothing", "nothing"),
        ("plain", "Plain"), ("gone", "Gone"), ("frozen", "Frozen"),
    ]
]
"""


@pytest.mark.parametrize(
    ("player", "said"),
    [
        ("first", ""),
        ("plain:odds=2", ""),
        ("plain:odds=9", "plain: odds must be 0 to 5, not 9"),
        (
            "numbers",
            "numbers can take along what JSON holds (lists, dicts, numbers, texts), not {'games': np.int64(3)}",
        ),
        ("tired", "tired failed in act: RuntimeError: not today"),
        ("asks", "asks cannot be made: TypeError: Asks.__init__() missing 1 required positional argument: 'much'"),
        ("nothing", "nothing cannot be made: guests_of_a_package:nothing makes no Agent but 7"),
        ("gone", "gone cannot be made: AttributeError: module 'guests_of_a_package' has no attribute 'Gone'"),
        ("frozen", "frozen cannot be a frozen dataclass: "),
    ],
)
def test_a_player_of_a_package_fails_by_its_name(
    player: str, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tmp_path.joinpath("guests_of_a_package.py").write_text(PLAYERS)
    monkeypatch.delitem(sys.modules, "guests_of_a_package", raising=False)
    with installed(tmp_path, "visitors", {"molehunt.agents": "all = guests_of_a_package:ENTRIES"}, monkeypatch):
        made = call("arena", "duel", "--seats", f"{player},random", "--games", "4", "--series", "2")
    assert made.status == (0 if not said else 2 if "odds" in said else 1), made.err
    told = f"molehunt: {said}" if said else "│ plain:odds=2.0 │" if "odds" in player else "│ first "
    assert told in " ".join((made.err if said else made.out).split())
    assert "internal error" not in made.err


def test_what_is_no_list_of_players_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tmp_path.joinpath("no_guests.py").write_text("ENTRIES = [7]")
    with installed(tmp_path, "visitors", {"molehunt.agents": "all = no_guests:ENTRIES"}, monkeypatch):
        made = call("agents")
    assert made.status == 1
    assert "the players of the package visitors (no_guests:ENTRIES) cannot be read: 7 is no AgentEntry" in made.err


def test_an_entry_says_what_it_lacks() -> None:
    with pytest.raises(GameFailure, match="the entry of go says neither game and editions nor read"):
        GameEntry(name="go", title="Go", rulesets=RULESETS)
    with pytest.raises(GameFailure, match="go has no rulesets"):
        GameEntry(name="go", title="Go", rulesets={}, game="a:b", editions="a:c")
    with pytest.raises(GameFailure, match="a ruleset is for 1 to 64 seats, not 3 to 2"):
        RulesetEntry("none", 3, 2)
    entry = GameEntry(name="go", title="Go: stones", rulesets=RULESETS, game="nowhere.go:Go", editions="nowhere.go:ALL")
    assert (entry.short_title, entry.usual_seats, entry.adviser) == ("Go", 2, "random")
    with pytest.raises(GameFailure, match=r"the entry of go names 'nowhere\.go:ALL', which is not there"):
        entry.read("only", [])


PLAYERS = """
from dataclasses import dataclass
from molehunt import Player, parameter
from molehunt.agents.registry import AgentEntry

@dataclass
class Pusher(Player):
    wood: int = parameter(1, "so much of it", low=0, high=9)

    def choose(self, view):
        return view.legal_actions[min(self.wood, len(view.legal_actions) - 1)]

AGENTS = [
    AgentEntry("pusher", "duel", "pushes", __name__, "Pusher"),
    AgentEntry("puller", "duel", "is not there", __name__, "Puller"),
]
"""


def test_a_package_brings_players_in_plain_python_as_files_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tmp_path.joinpath("wood_players.py").write_text(PLAYERS)
    with installed(tmp_path, "woodpusher", {"molehunt.agents": "wood = wood_players:AGENTS"}, monkeypatch):
        made = call("arena", "duel", "--seats", "pusher:wood=3,random", "--games", "2")
        assert made.status == 0
        assert "pusher:wood=3" in made.out
        assert "so much of it" in call("agents", "pusher").out
        made = call("arena", "duel", "--seats", "pusher:wod=3,random", "--games", "2")
        assert made.err.startswith("molehunt: unknown parameter of pusher 'wod'; did you mean 'wood'?")
        made = call("arena", "duel", "--seats", "puller,random", "--games", "2")
        assert made.status == 1
        assert "the entry of puller names wood_players:Puller, which is not there" in made.err


def test_words_that_are_not_brought_are_general() -> None:
    words = GameWords(lambda *_: "", lambda *_: "")
    assert words.group("pass") == "Moves"
