"""What is said where an installed package brings no game after all, or a player that fails."""

from __future__ import annotations

import importlib
import re
import sys
import warnings
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from types import ModuleType
from typing import Any, cast

import numpy as np
import pytest

from cli.calling import Call, call
from molehunt.adapters.stepping.opponents import Opponents
from molehunt.agents.registry import Agents
from molehunt.core.errors import GameFailure
from molehunt.core.game import Game
from molehunt.core.position import Position
from molehunt.core.specs import parameter
from molehunt.games.compiled import CompiledGame
from molehunt.games.entry import GameEntry, GameWords, RulesetEntry
from molehunt.games.registry import guests, make_game
from molehunt.learning.collecting import Lot, Rollout
from molehunt.search.ismcts import search
from molehunt.search.ismcts_terms import Settings
from outside.coin.entry import ENTRY
from outside.installing import installed
from web import cups
from web.people import agents, line, open_table, server

SEEDS = np.arange(40, dtype=np.uint64)
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
from molehunt.agents.entry import AgentEntry


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


class Bare(molehunt.Player):
    luck: float = molehunt.parameter(1, "how odd", low=0, high=5)

    def choose(self, view):
        return view.legal_actions[self.luck > 2]


class Racer(Plain):
    game = "duel"


class Digger(Plain):
    game = "saboteur"


@dataclass(frozen=True)
class Frozen(molehunt.Player):
    pass


def nothing():
    return 7


ENTRIES = [
    AgentEntry(name, "duel", name, __name__, agent)
    for name, agent in [
        ("first", "First"), ("numbers", "Numbers"), ("tired", "Tired"), ("asks", "Asks"), ("nothing", "nothing"),
        ("plain", "Plain"), ("gone", "Gone"), ("frozen", "Frozen"), ("racer", "Racer"), ("digger", "Digger"),
        ("bare", "Bare"),
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
        ("gone", "the entry of gone names guests_of_a_package:Gone, which is not there: "),
        ("frozen", "frozen cannot be a frozen dataclass: "),
        ("bare", "bare: luck would be no number but a field without a dataclass: write @dataclass above class Bare"),
        ("racer", ""),
        ("digger", "digger plays saboteur alone, as the attribute game of its class says, and not duel: its entry has"),
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
    told = f"molehunt: {said}" if said else "│ plain:odds=2.0 │" if "odds" in player else f"│ {player} "
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


def test_an_entry_names_what_cannot_be_imported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tmp_path.joinpath("broken_go.py").write_text("ALL = {\n    'only': stone,\n}\n")
    monkeypatch.syspath_prepend(tmp_path)
    entry = GameEntry(name="go", title="Go: stones", rulesets=RULESETS, game="broken_go:Go", editions="broken_go:ALL")
    with pytest.raises(
        GameFailure, match=r"cannot be imported: NameError: name 'stone' is not defined \(.*_go\.py:2\)"
    ):
        entry.read("only", [])


@pytest.mark.parametrize(
    ("editions", "said"),
    [
        (
            "{'only': {'name': 'only'}}",
            r"rules_go:ALL: the ruleset only of go is \{'name': 'only'\}, and no frozen dataclass",
        ),
        ("{'only': int}", "rules_go:ALL: the ruleset only of go is <class 'int'>, and no frozen dataclass"),
        ("['only']", r"rules_go:ALL, the rulesets of go by name, is \['only'\] and no dict"),
    ],
)
def test_rulesets_that_are_none_are_named(
    editions: str, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "rules_go", raising=False)
    tmp_path.joinpath("rules_go.py").write_text(f"ALL = {editions}\n")
    importlib.invalidate_caches()
    entry = GameEntry(name="go", title="Go: stones", rulesets=RULESETS, game="rules_go:Go", editions="rules_go:ALL")
    with pytest.raises(GameFailure, match=said):
        entry.read("only", [])


def test_a_module_that_cannot_be_read_is_named_with_the_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tmp_path.joinpath("torn_go.py").write_text("ALL = {\n    'only': 1 +* 2,\n}\n")
    monkeypatch.syspath_prepend(tmp_path)
    entry = GameEntry(name="go", title="Go: stones", rulesets=RULESETS, game="torn_go:Go", editions="torn_go:ALL")
    said = rf"cannot be imported: SyntaxError: invalid syntax \({re.escape(str(tmp_path))}/torn_go\.py:2\)$"
    with pytest.raises(GameFailure, match=said):
        entry.read("only", [])


@pytest.mark.usefixtures("coin")
def test_an_error_in_a_package_names_the_package_and_its_line(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = ("show", "hidden-coin/parlour")
    assert call(*asked).status == 0
    monkeypatch.delattr("outside.coin.game.NOBODY")
    made = call(*asked)
    assert made.status == 1
    assert re.match(
        r"molehunt: the package coin failed: NameError: .* \(.*outside.coin.game\.py:\d+\)\n\(set MOLEHUNT_TRACEBACK=1 ",
        made.err,
    )


@pytest.mark.usefixtures("coin")
def test_a_game_that_leaves_the_program_is_named_and_no_player(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("outside.coin.game.Coin.friendly_view", lambda _game, _view: sys.exit(3))
    made = call("show", "hidden-coin/parlour")
    assert made.status == 1
    assert re.match(r"molehunt: the package coin failed: SystemExit: 3 \(", made.err)


@pytest.mark.usefixtures("coin")
def test_what_a_class_of_a_game_lacks_is_named_with_its_package(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr("outside.coin.game.Coin.state_dtype")
    made = call("show", "hidden-coin/parlour")
    assert made.status == 1
    assert made.err.startswith(
        "molehunt: outside.coin.game:Coin sets no state_dtype: see the attributes of molehunt.Game"
    )
    monkeypatch.setattr("outside.coin.game.Coin.__abstractmethods__", frozenset({"outcome_names", "wins"}))
    made = call("show", "hidden-coin/parlour")
    assert made.err == "molehunt: outside.coin.game:Coin has no outcome_names, no wins: see molehunt.Game\n"


@pytest.mark.parametrize("spec", ["parlour", "parlor", "parlour:seats=9", 7])
def test_a_spec_that_reads_back_to_another_ruleset_is_named(spec: object, monkeypatch: pytest.MonkeyPatch) -> None:
    """Records and tables keep the spec: they would go on with another game."""

    class Told(cups.Cups):
        def __init__(self, ruleset: Any, seats: int) -> None:
            super().__init__(ruleset, seats)
            self.spec = cast("str", spec)

    @dataclass(frozen=True)
    class Ruleset:
        name: str = "parlour"
        coins: int = parameter(1, "coins", low=1, high=2)

    names = ModuleType("told_cups")
    names.Told, names.RULESETS = Told, {"parlour": Ruleset()}  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, names.__name__, names)
    entry = GameEntry(
        name="cups",
        title="Cups",
        rulesets={"parlour": RulesetEntry("one coin or two", 2, 3)},
        game="told_cups:Told",
        editions="told_cups:RULESETS",
    )
    with pytest.raises(GameFailure, match=r"Told: the spec of "):
        entry.load("parlour", ["coins=2"], 3, None)


CHEATS = """
import molehunt


class First(molehunt.Player):
    def choose(self, view):
        return view.legal_actions[0]


class Cheat(molehunt.Player):
    def choose(self, view):
        return view.legal_actions[0] if view.seat else "point:0"
"""


def arena(folder: Path, seats: str, *more: str) -> Call:
    file = folder / "cheats.py"
    file.write_text(CHEATS)
    return call("arena", "hidden-coin/parlour", "--seats", seats, "--agents-from", str(file), "--games", "40", *more)


@pytest.mark.usefixtures("coin")
@pytest.mark.parametrize("texts", [(), ("legal", "the game is over"), ("legal",) * 3])
def test_a_rule_without_a_text_is_named_with_its_game(
    texts: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("outside.coin.game.Coin.rule_texts", texts)
    made = arena(tmp_path, "cheat,first,first")
    assert made.status == 1
    assert made.err.splitlines()[-1] == (
        "molehunt: outside.coin.game:Coin: by its fault 'point:0' in hidden_coin/parlour breaks the rule 3, and its rule_texts "
        f"has {len(texts)} texts from 0 on"
    )


@pytest.mark.usefixtures("coin")
def test_a_table_goes_on_after_a_move_that_breaks_a_rule_without_a_text(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("outside.coin.game.Coin.rule_texts", ())
    seats = [{"kind": "me", "name": "Ann"}, *agents("random", 2)]
    wish = {"game": "hidden_coin", "ruleset": "parlour", "seats": seats, "pace": 0, "seed": 11}
    with server() as client, line(client, open_table(client, wish)) as ann:
        ann.my_move()
        refused = ann.ask(do="play", move="point:0", at=ann.frame["moves"])
        assert refused["type"] == "refused"
        assert re.fullmatch(
            r"It is not allowed, and the game does not say why \(outside\.coin\.game:Coin: .* breaks the rule 3, .*\)\.",
            refused["reason"],
        )
        ann.play_on()
        assert "cannot go on" not in ann.frame["over"]["text"]


@pytest.mark.usefixtures("coin")
def test_an_ending_without_a_name_is_named_with_its_game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("outside.coin.game.Coin.outcome_names", lambda _: ())
    made = arena(tmp_path, "first*3")
    assert made.status == 1
    assert re.fullmatch(
        r"molehunt: outside\.coin\.game:Coin: a play of hidden_coin/parlour that is over has the outcome code [01], "
        r"and its outcome_names has 0 names from 0 on\n",
        made.err,
    )
    monkeypatch.setattr("outside.coin.game.Coin.outcome_codes", lambda _, states: states["to_move"] - 1.5)
    made = arena(tmp_path, "first*3")
    assert made.status == 1
    assert made.err.endswith("hidden_coin/parlour are whole numbers of shape (16,), not float64 of (16,)\n")


@pytest.mark.usefixtures("coin")
@pytest.mark.parametrize("seats", ["random*3", "random*2,first"])
@pytest.mark.parametrize("records", [False, True])
@pytest.mark.parametrize(("longest", "status"), [(2, 1), (5, 1), (6, 0)])
def test_a_play_that_is_longer_than_its_entry_says_is_stopped_and_told(
    seats: str, records: bool, longest: int, status: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Three seats point, and each of them may peek before.
    monkeypatch.setattr("outside.coin.entry.ENTRY", replace(ENTRY, longest=longest))
    monkeypatch.setattr("molehunt.games.playing.KEPT_AT_ONCE", 1)
    made = arena(tmp_path, seats, "--seed", "3", *(["--records", str(tmp_path / "games.jsonl")] if records else []))
    assert made.status == status, made.err
    said = f"outside.coin.game:Coin: a play of hidden_coin/parlour goes on after {longest} moves, and none is longer by what"
    assert (said in made.err) == (status == 1)


def random_play(game: CompiledGame) -> None:
    game.play_randomly(game.new(SEEDS), SEEDS)


def search_by_random_play(game: CompiledGame) -> None:
    view = game.views(game.new(SEEDS[:1]), np.zeros(1, np.int8))
    search(game, view, 0, 1, Settings(iterations=300))


def search_by_random_players(game: CompiledGame) -> None:
    view = game.views(game.new(SEEDS[:1]), np.zeros(1, np.int8))
    search(game, view, 0, 1, Settings(iterations=300), rollout=[Agents(game.name).make("random")] * game.seats)


def what_is_written_down_for_learning(game: CompiledGame) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)  # nobody learns, so no learner has a mean
        Rollout(1, 1).play(game, Lot(SEEDS, (Agents(game.name).make("random"),) * game.seats, ()), 1.0)


def analysis_of_rules_in_python(game: CompiledGame) -> None:
    # It plays on through the methods of any game, where rules are not compiled.
    Game.play_randomly(cast("Game", InPython(game)), game.new(SEEDS), SEEDS)


def opponents_in_a_row(game: CompiledGame) -> None:
    states = game.new(SEEDS)
    others = Opponents(game, {seat: Agents(game.name).make("random") for seat in range(game.seats)})
    others.begin(states, SEEDS)
    others.move(states)


def moves_of_a_position(game: CompiledGame) -> None:
    position = Position(game, 3)
    for other in (1, 2, 0):
        position.play(f"peek:{other}")
        position.play(f"point:{other}")


class InPython:
    """A compiled game as one that is not."""

    def __init__(self, game: CompiledGame) -> None:
        self.game = game

    def __getattr__(self, name: str) -> Any:
        return getattr(self.game, name)


@pytest.mark.usefixtures("coin")
@pytest.mark.parametrize("longest", [2, 5, 6])
@pytest.mark.parametrize(
    "play",
    [
        random_play,
        search_by_random_play,
        search_by_random_players,
        what_is_written_down_for_learning,
        analysis_of_rules_in_python,
        opponents_in_a_row,
        moves_of_a_position,
    ],
)
def test_whatever_plays_on_stops_at_a_play_that_is_longer_than_its_entry_says(
    play: Callable[[CompiledGame], None], longest: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("outside.coin.entry.ENTRY", replace(ENTRY, longest=longest))
    game = make_game("hidden_coin", "parlour", 3)
    assert isinstance(game, CompiledGame)
    # A search plays on from where it has come to in its tree.
    if longest == 6 or (longest == 5 and play in (search_by_random_play, search_by_random_players)):
        play(game)
        return
    said = f"a play of hidden_coin/parlour goes on after {longest} moves, and none is longer by what"
    with pytest.raises(GameFailure, match=said):
        play(game)


@pytest.mark.usefixtures("coin")
@pytest.mark.parametrize(
    ("longest", "shown"),
    [(0, "not 0"), ("outside.coin.game:VERBS", "not ('peek', 'point')"), ("outside.coin.game:longest", "not 7.5")],
)
def test_a_bound_that_is_none_is_named(longest: int | str, shown: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("outside.coin.game.longest", lambda _: 7.5, raising=False)
    monkeypatch.setattr("outside.coin.entry.ENTRY", replace(ENTRY, longest=longest))
    made = call("show", "hidden-coin/parlour")
    assert made.status == 1
    assert made.err.startswith("molehunt: the entry of hidden_coin says as longest how many moves a play has at most, ")
    assert shown in made.err


def test_words_that_are_not_brought_are_general() -> None:
    words = GameWords(lambda *_: "", lambda *_: "")
    assert words.group("pass") == "Moves"


def test_what_is_no_game_or_is_called_otherwise_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """Records of the one could not be replayed by the name of the other."""
    with cups.installed():
        monkeypatch.setattr(cups.Cups, "name", "mugs")
        with pytest.raises(
            GameFailure, match=r"^web\.cups:Cups: the name of the game is 'mugs', and its entry calls it 'cups'"
        ):
            make_game("cups", "six", 3)
        monkeypatch.setattr(cups, "Cups", lambda *_: cups.ENTRY.rulesets["six"])
        monkeypatch.setattr(GameEntry, "_check_spec", lambda *_: None)
        with pytest.raises(
            GameFailure, match=r"^what the entry of cups makes is RulesetEntry\(.*no subclass of molehunt\.Game"
        ):
            make_game("cups", "six", 3)
