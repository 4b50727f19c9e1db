"""A game that an installed package brings: everything that is there for the games of this package is there for it."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import molehunt
from cli.calling import call
from molehunt.adapters.batched import BatchedGames
from molehunt.adapters.spaces import spaces_of
from molehunt.adapters.spaces.general import GeneralSpaces
from molehunt.agents.registry import Agents
from molehunt.console.play_game import sit_down
from molehunt.core.errors import BadInput, BadParameter, GameFailure, IllegalAction, KernelFailure
from molehunt.core.game import Game, States
from molehunt.core.record import read_records
from molehunt.core.replay import Replay
from molehunt.core.streams import game_seeds
from molehunt.games.compiled import CompiledGame
from molehunt.games.registry import all_games, game_entry, make_game, split_label
from molehunt.terminal.general import GameTable
from molehunt.terminal.setup import Setup, make_table, seat_table
from outside.installing import TESTS
from terminal.clue_person import Screen, Spoken
from web import cups

pytestmark = pytest.mark.usefixtures("coin")
LABEL = "hidden-coin/parlour"


def moments(game: Game, games: int = 40) -> list[States]:
    """The states along some random games, shape (1,) each, those before a move."""
    found = []
    chance = np.random.default_rng(1)
    for state in game.new(game_seeds(1, 0, games)):
        states = np.array([state])
        while (seat := game.to_move(states))[0] >= 0:
            found.append(states.copy())
            legal = game.legal_actions(game.views(states, seat)).codes
            game.apply(states, np.array([legal[chance.integers(len(legal))]], np.int32))
    return found


# --- Known by its name, however it is typed ----------------------------------------------------------------------------


def test_a_game_is_found_by_its_name_with_hyphens_or_underscores() -> None:
    assert list(all_games())[:3] == ["saboteur", "duel", "speed_clue"]
    for name in ("hidden_coin", "hidden-coin"):
        assert game_entry(name) is all_games()["hidden_coin"]
        assert make_game(name, "blind", 3).label == "hidden_coin/blind"
        assert split_label(name) == ("hidden_coin", "parlour")
        assert Agents(name).names() == Agents("hidden_coin").names() != []
    assert make_game("speed-clue", "mitchell", 3).label == "speed_clue/mitchell"


def test_it_is_listed_with_its_rulesets_settings_and_players() -> None:
    assert re.search(
        r"^hidden_coin/blind +The coin: one of a few holds it; nobody may peek *$", call("games").out, re.MULTILINE
    )
    assert re.search(r"^peeks +yes +each may peek at one other, once$", call("games", LABEL).out, re.MULTILINE)
    assert re.search(r"^random +hidden_coin +every legal action", call("agents").out, re.MULTILINE)
    assert call("games", "hidden-coin/spam").err.startswith("molehunt: unknown ruleset of hidden_coin 'spam'")


def test_bad_rulesets_seats_and_roles_are_refused_in_words() -> None:
    with pytest.raises(BadParameter, match="peeks must be yes or no"):
        make_game("hidden_coin", "parlour:peeks=perhaps", 3)
    with pytest.raises(BadInput, match="hidden_coin/parlour is played by 2 to 4 seats, not 5"):
        make_game("hidden_coin", "parlour", 5)
    with pytest.raises(BadInput, match="of 3 seats in hidden_coin/parlour so many have each role: seeker 2, holder 1"):
        make_game("hidden_coin", "parlour", 3, {"seeker": 1, "holder": 2})


# --- Played, recorded and replayed -------------------------------------------------------------------------------------


def test_a_match_is_played_recorded_and_replayed(tmp_path: Path) -> None:
    records = tmp_path / "games.jsonl"
    made = call("arena", LABEL, "--seats", "holder:random,seeker:random*2", "--games", "60", "--records", str(records))
    assert made.status == 0, made.err
    assert "holder:random" in made.out
    again = call("replay", str(records))
    assert re.search(r"^60 games with \d+ moves replay to the byte\.$", again.out, re.MULTILINE)
    assert "seat 0: holder:random, holder" in again.out
    # A record of before there was a check, with the other way to write the name.
    text = re.sub(r',"check":"\w+"', "", records.read_text().replace('"hidden_coin"', '"hidden-coin"'))
    records.write_text(text)
    assert call("replay", str(records), "--quiet").status == 0
    assert "You are the " in call("show", str(records), "--move", "1").out
    assert call("show", LABEL, "--svg", "-").out.startswith("<svg")


def test_a_tournament_is_played_from_its_file(tmp_path: Path) -> None:
    pytest.importorskip("openskill")
    file = tmp_path / "coin.toml"
    file.write_text(
        f"""
name = "coin"
game = "{LABEL}"
players = ["random", "first"]
agents_from = ["first.py"]
seats = 3
deals = 10
"""
    )
    (tmp_path / "first.py").write_text(
        "import molehunt\n\n\nclass First(molehunt.Player):\n    def choose(self, view):\n"
        "        return view.legal_actions[0]\n"
    )
    made = call("tournament", str(file), "--json", "-")
    assert made.status == 0, made.err
    assert json.loads(made.out)["events"][0]["game"] == "hidden_coin/parlour"


def test_players_of_every_game_play_it(tmp_path: Path) -> None:
    made = call("arena", LABEL, "--seats", "ismcts:iterations=200,random*2", "--games", "60", "--rotate", "--json", "-")
    assert made.status == 0, made.err
    seats = json.loads(made.out)["seats"]
    # Who peeks and then points at the one that it saw wins more often than by chance.
    assert seats[0]["rate"] > 0.5


# --- What a seat knows -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("label", ["parlour", "blind"])
def test_states_drawn_anew_look_the_same_to_the_seat(label: str) -> None:
    game = make_game("hidden_coin", label, 4)
    differ = 0
    for number, states in enumerate(moments(game)):
        for seat in range(4):
            view = game.views(states, np.array([seat], np.int8))
            drawn = game.resample(view, np.array([number], np.uint64))
            assert game.views(drawn, np.array([seat], np.int8)).tobytes() == view.tobytes()
            differ += bool(drawn.tobytes() != states.tobytes())
    assert differ > 100


def test_weights_draw_the_holder_as_often_as_they_say() -> None:
    game = make_game("hidden_coin", "parlour", 4)
    roles = np.array([[1, 0, 0, 0]], np.int8)
    view = game.views(game.new(np.zeros(1, np.uint64), roles), np.array([3], np.int8))
    weights = np.zeros(16)
    weights[1 << 0], weights[1 << 2], weights[1 << 3] = 1.0, 3.0, 100.0
    views = np.repeat(view, 4000)
    drawn = game.resample(views, np.arange(4000, dtype=np.uint64), weights)
    share = game.roles_of(drawn).mean(axis=0)
    assert abs(share[2] - 0.75) < 0.03 and share[1] == share[3] == 0


def test_the_tests_of_every_game_take_it_too(coin: Path) -> None:
    file = Path(TESTS) / "games" / "test_every_game.py"
    made = process(coin, "-q", "-n", "0", "-p", "no:cacheprovider", "-k", "hidden_coin", str(file), module="pytest")
    assert made.returncode == 0, made.stdout
    assert re.search(r"\n\d{2,} passed, \d+ deselected", made.stdout)


# --- As numbers --------------------------------------------------------------------------------------------------------


def test_masks_name_the_legal_actions_and_observations_hold_the_view() -> None:
    game = make_game("hidden_coin", "parlour", 3)
    spaces = spaces_of(game)
    assert spaces.size == 4
    for states in moments(game):
        seat = int(game.to_move(states)[0])
        view = game.views(states, np.array([seat], np.int8))
        mask = spaces.mask_many(view)[0]
        assert sorted(spaces.code(int(index), seat) for index in np.flatnonzero(mask)) == sorted(
            game.legal_actions(view).codes
        )
        parts = spaces.split(spaces.observation_many(view)[0])
        assert parts["seat"].tolist() == [seat]
        assert (parts["peeked"] == view["peeked"][0]).all()
        assert parts["move"].reshape(16) @ (1 << np.arange(16)) == view["move"][0]
        assert not spaces.mask_many(game.views(states, np.array([(seat + 1) % 3], np.int8))).any()
    (move,) = (field for field in spaces.fields if field.name == "move")
    assert spaces.describe(move.start + 3).endswith("bit 3")
    # The next seat is the next seat, whoever acts.
    assert [spaces.format(0, seat) for seat in range(3)] == ["peek:1", "peek:2", "peek:0"]


@pytest.mark.filterwarnings("ignore::UserWarning")
def test_environments_step_it() -> None:
    api = pytest.importorskip("pettingzoo.test")
    from molehunt.adapters.pettingzoo import MolehuntEnv

    api.api_test(MolehuntEnv("hidden-coin/parlour", 4), num_cycles=100)
    api.api_test(MolehuntEnv("hidden-coin/blind", opponents={1: "random"}), num_cycles=50)
    env = MolehuntEnv(LABEL, 3)
    env.reset(seed=5)
    with pytest.raises(BadInput, match="has actions 0 to 3, not 4"):
        env.step(4)
    env.step(0)
    with pytest.raises(IllegalAction, match="one may peek once"):
        env.step(0)


def test_many_games_at_once_are_the_games_one_by_one() -> None:
    env = BatchedGames(LABEL, 3, 8, auto_reset=False)
    env.reset(3)
    game = make_game("hidden_coin", "parlour", 3)
    states = game.new(game_seeds(3, 0, 8))
    assert env.states.tobytes() == states.tobytes()
    while (env.states["to_move"] >= 0).any():
        actions = env.random_actions().copy()
        seats = game.to_move(states)
        rows = np.flatnonzero(seats >= 0)
        game.apply(states, env.spaces.codes_many(actions[rows], seats[rows]), rows)
        ended = (game.to_move(states) < 0) & (seats >= 0)
        step = env.step(actions)
        assert env.states.tobytes() == states.tobytes()
        assert (step.terminated == ended).all()
        assert (step.rewards == np.where(ended[:, None], game.payoffs(states), 0)).all()
    refused = BatchedGames(LABEL, 3, 2)
    refused.reset(1)
    refused.step(np.zeros(2, np.int64))
    with pytest.raises(IllegalAction, match=r"one may peek once.*\(game 0 of 2\)"):
        refused.step(np.zeros(2, np.int64))


def test_games_that_end_are_replaced_and_opponents_move_inside() -> None:
    env = BatchedGames(LABEL, 3, 32, opponents={1: "random"})
    step = env.reset(9)
    paid = np.zeros(3)
    for _ in range(40):
        step = env.step(env.random_actions())
        assert (step.to_move != 1).all() and step.masks.any(axis=1).all()
        paid += step.rewards.sum(axis=0)
    assert (paid > 20).all()


def process(
    folder: Path, *words: str, code: str = "", typed: str = "", module: str = "molehunt"
) -> subprocess.CompletedProcess[str]:
    """Run Python in a process of its own that has the package installed."""
    sources = Path(molehunt.__file__).parents[1]
    path = os.pathsep.join([str(sources), TESTS, str(folder)])
    what = ["-c", code] if code else ["-m", module, *words]
    return subprocess.run(
        [sys.executable, *what],
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
        input=typed,
        env={**os.environ, "PYTHONPATH": path, "COLUMNS": "100"},
    )


def test_openspiel_plays_it(coin: Path) -> None:
    pytest.importorskip("pyspiel")
    code = (
        "from molehunt.adapters.openspiel.games import load_game, pyspiel\n"
        "game = load_game('hidden-coin/parlour', 3)\n"
        "pyspiel.random_sim_test(game, num_sims=3, serialize=True, verbose=False)\n"
        "print(game.get_type().short_name, game.num_distinct_actions(), pyspiel.load_game(str(game)) is not None)\n"
    )
    made = process(coin, code=code)
    assert made.returncode == 0, made.stderr
    assert made.stdout.splitlines()[-1] == "molehunt_hidden_coin 4 True"


# --- Sitting down ------------------------------------------------------------------------------------------------------


def test_a_person_plays_through_a_pipe(coin: Path, tmp_path: Path) -> None:
    record = tmp_path / "game.jsonl"
    typed = "rules\nmoves\npeek 1\nwhy\nhint\nlog\nm1\n"
    words = ("play", "hidden-coin", "--opponents", "2", "--seed", "3", "--practice", "--record", str(record))
    made = process(coin, *words, typed=typed)
    assert made.returncode == 0, made.stderr
    for said in (
        "At the table: Guest (you), Alice (random), Bob (random). You begin. Your role: holder.",
        "The coin: one of a few holds it. Each may peek at one other.",
        "seats: 0 Guest, 1 Alice, 2 Bob",
        "m1    peek:1",
        "Guest peeks at Alice and sees a seeker.",
        ", says random.",
        "Holder: you.",
        "Seeker: Alice and Bob.",
    ):
        assert said in made.stdout, made.stdout
    ((_, game),) = read_records(record)
    assert Replay(game, make_game).record.seats == ("person:Guest", "random", "random")


def test_what_is_not_given_is_asked_for(capsys: pytest.CaptureFixture[str]) -> None:
    screen = Spoken(capsys)
    lines = [
        "help",
        "players",
        "Ann",
        "spam",
        "blind",
        "3",
        "no",
        "nonsense",
        "7",
        "",
        "point:1",
        "no",
    ]  # another game: no
    assert sit_down("hidden-coin", seed=4, read=lambda _: lines.pop(0)) == 0
    told = screen()
    for said in (
        "parlour  each may peek at one other\nblind    nobody may peek",
        "random           every legal action is equally likely",
        "Unknown ruleset of hidden_coin 'spam'",
        "'nonsense' is no move; moves look like peek:1, point:2; help lists ",
        "The moves are 1 to 3; moves lists them.",
        "At the table: Ann (you), Alice (random), Bob (random), Carol (random).",
    ):
        assert said in told


def test_a_game_is_saved_and_gone_on_with(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file, record = tmp_path / "game.json", tmp_path / "game.jsonl"
    screen = Spoken(capsys)
    lines = ["peek:2"]

    def read(_: str) -> str:
        if not lines:
            raise EOFError
        return lines.pop(0)

    assert sit_down("hidden_coin", "random*2", seed=8, save=file, read=read) == 1
    # Wherever the screen breaks the line.
    assert f"Togoon:molehuntplayhidden-coin--resume{file}" in "".join(screen().split())
    lines = ["point:1"]
    assert sit_down("hidden-coin", resume=file, record=record, read=read) == 0
    assert "The game goes on after 1 move." in " ".join(screen().split())
    ((_, game),) = read_records(record)
    assert game.moves[:2] == ("peek:2", "point:1")


def test_the_screen_is_the_same_for_every_deal_that_the_person_holds_possible() -> None:
    session = seat_table(Setup("hidden_coin", 5, opponents=("random",) * 3))
    place, screen = session.place(0), Screen()
    from molehunt.terminal.prompts import Prompter

    table = make_table(place, Prompter(screen.console))
    assert type(table) is GameTable
    place.play("peek:3")

    def look() -> str:
        start = len(screen())
        for told in (table.tell_board, table.tell_moves, table.tell_log):
            told()
        return screen()[start:]

    seen, true = look(), session.position.states.copy()
    others = 0
    for stream in range(40):
        session.position.states = session.game.resample(session.view(0), np.array([stream], np.uint64))
        others += session.position.states.tobytes() != true.tobytes()
        assert look() == seen
    assert others > 5


def test_a_legal_move_that_the_entry_does_not_list_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    game = make_game("hidden_coin", "parlour", 3)
    spaces = GeneralSpaces(game)
    states = game.new(game_seeds(1, 0, 2))
    views = game.views(states, game.to_move(states))
    assert spaces.mask_many(views).sum() == 2 * 4
    spaces._set_codes(spaces.codes[:, 1:])
    with pytest.raises(
        GameFailure, match="the actions of hidden_coin that its entry lists lack peek:1, legal moves of seat 0"
    ):
        spaces.mask_many(views)
    with cups.installed():
        game = make_game("cups", "six", 3)
        views = game.views(game.new(game_seeds(1, 0, 1)), np.array([0], np.int8))
        listed = np.array([game.legal_actions(views).codes])
        monkeypatch.setattr("molehunt.adapters.spaces.general.listed_actions", lambda _game: listed)
        assert GeneralSpaces(game).mask_many(views).all()
        listed = listed[:, 2:]
        with pytest.raises(
            GameFailure, match=r"the actions of cups that its entry lists lack peek:0, peek:1, legal moves$"
        ):
            GeneralSpaces(game).mask_many(views)


def test_more_legal_actions_than_a_game_says_are_not_read() -> None:
    game = make_game("hidden_coin", "parlour", 3)
    assert isinstance(game, CompiledGame)
    with pytest.raises(KernelFailure, match=r"coin\.kernels lists 5 legal actions of hidden_coin/parlour, .* says 2$"):
        game._listed(np.zeros(2, np.int32), 5)
