"""Players of files who sit down with people: at a terminal, in the browser, and to be exploited."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from cli.calling import call
from learning.test_collecting import learner
from molehunt.agents import registry
from molehunt.agents.entry import EVERY
from molehunt.agents.registry import Agents, is_of_file, seat_among_us
from molehunt.console import exploit
from molehunt.console.play import play_speed_clue
from molehunt.console.play_game import sit_down
from molehunt.core.errors import AgentFailure, BadInput, UnknownName
from molehunt.core.panels import Bar, Bars
from molehunt.core.streams import game_seeds
from molehunt.games.registry import all_games, make_game
from molehunt.learning.collecting import Rollout
from molehunt.learning.run import game_of
from molehunt.learning.seating import Seating, learner_of
from molehunt.web.offers import lobby
from web.people import line, open_table, server, setup

MINE = """
import molehunt


class Hasty(molehunt.Player):
    def choose(self, view):
        return view.legal_actions[0]

    def why(self, view):
        return f"It was the first of {len(view.legal_actions)}."


class Silent(molehunt.Player):
    game = "duel"

    def choose(self, view):
        return view.legal_actions[0]


class Failing(Hasty):
    def why(self, view):
        raise BaseException("no idea")


class Garbled(Hasty):
    def why(self, view):
        return "because\\n\\ud800 \\x1b[2J"


class Stopping(Hasty):
    def choose(self, view):
        raise ValueError("no \\ud800")
"""


@pytest.fixture
def mine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(registry, "_of_files", {})
    path = tmp_path / "mine.py"
    path.write_text(MINE)
    return path


def typed(*lines: str) -> Any:
    """A person who types these lines, and then leaves."""
    left = iter(lines)

    def read(_prompt: str = "") -> str:
        line = next(left, None)
        if line is None:
            raise EOFError
        return line

    return read


def test_players_of_a_file_are_known_as_others_are_and_play_what_they_say(mine: Path) -> None:
    seat_among_us(mine)
    for game in all_games():
        assert "hasty" in Agents(game).names()
        assert ("silent" in Agents(game).names()) == (game == "duel")
    assert Agents("saboteur").make("hasty").name == "hasty"
    assert is_of_file("saboteur", "hasty") and not is_of_file("saboteur", "random")
    with pytest.raises(BadInput, match="hasty has no parameters"):
        Agents("saboteur").make("hasty:x=1")
    with pytest.raises(BadInput, match="another player is called 'hasty'"):
        seat_among_us(mine, "saboteur")


def test_where_the_game_is_named_all_players_of_a_file_play_it(mine: Path) -> None:
    seat_among_us(mine, "saboteur")
    assert {"hasty", "silent"} <= {*Agents("saboteur").names()}
    assert not {"hasty", "silent"} & {*Agents("duel").names()}


def test_a_player_of_a_game_that_nobody_knows_is_refused(mine: Path) -> None:
    mine.write_text(MINE.replace('"duel"', '"chess"'))
    with pytest.raises(UnknownName, match="'chess'"):
        seat_among_us(mine, EVERY)


def test_one_plays_against_ones_own_player_in_a_terminal_and_asks_it_why(
    mine: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    read = typed("m1", "why", "why Alice", "quit")
    given = {"opponents": "hasty*3", "ruleset": "krisnadi", "practice": True, "seed": 3, "agents_from": [mine]}
    assert sit_down("saboteur", **given, read=read) == 0  # type: ignore[arg-type]
    assert capsys.readouterr().out.count("It was the first of ") == 2


def test_one_plays_speed_clue_against_ones_own_player(mine: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert play_speed_clue("hasty,basic", seed=1, practice=False, read=typed("quit"), agents_from=[mine]) == 0
    assert "Turn 1" in capsys.readouterr().out


def test_without_the_file_its_player_is_unknown(mine: Path) -> None:
    assert call("play", "saboteur", "--opponents", "hasty*3").status == 2
    refused = call("play", "saboteur", "--opponents", "hasty*3", "--agents-from", "none.py")
    assert refused.status == 2 and "there is no file none.py to take agents from" in refused.err


def test_reasons_that_fail_are_the_players_failure(mine: Path) -> None:
    seat_among_us(mine)
    game = make_game("saboteur", "krisnadi", 3)
    view = game.views(game.new(game_seeds(0, 0, 1)), np.zeros(1, np.int8))
    agents = Agents("saboteur")
    told = {}
    for name in ("hasty", "failing"):
        agent = agents.make(name)
        memory = agent.start(game, view, np.zeros(1, np.uint64))
        if name == "hasty":
            told[name] = agent.why(game, view[0], memory, 0)
        else:
            with pytest.raises(AgentFailure, match=r"failing failed in why: BaseException: no idea \(.*mine\.py:\d+\)"):
                agent.why(game, view, memory, 0)
    assert told["hasty"].startswith("It was the first of ")


def test_a_practice_game_goes_on_after_reasons_that_fail(mine: Path, capsys: pytest.CaptureFixture[str]) -> None:
    read = typed("m1", "why", "why", "quit")
    assert sit_down("saboteur", "failing*3", "krisnadi", practice=True, seed=1, read=read, agents_from=[mine]) == 0
    said = "".join(capsys.readouterr().out.split())  # a line may end anywhere in a long path
    assert len(re.findall(r"Failingfailedinwhy:BaseException:noidea\(.*?mine\.py:\d+\)\.", said)) == 2


@pytest.fixture
def client(mine: Path) -> Iterator[Any]:
    seat_among_us(mine)
    with server() as talked_to:
        yield talked_to


def test_players_of_a_file_are_offered_in_the_lobby_and_sit_down_in_the_browser(client: Any) -> None:
    offered = {each.game: [agent.name for agent in each.agents] for each in lobby({}, None).games}
    assert "hasty" in offered["saboteur"] and "silent" in offered["duel"] and "silent" not in offered["saboteur"]
    seats = [{"kind": "me", "name": "Ann"}, *[{"kind": "agent", "agent": "hasty"}] * 2]
    assert open_table(client, setup("saboteur") | {"seats": seats})


def test_the_page_is_told_of_a_player_that_fails_with_half_a_sign(client: Any) -> None:
    seats = [{"kind": "me", "name": "Ann"}, *[{"kind": "agent", "agent": "stopping"}] * 2]
    with line(client, open_table(client, setup("saboteur") | {"seats": seats})) as ann:
        ann.play_on()
        said = r"The game cannot go on: stopping failed in choose: ValueError: no \ud800 ("
        assert ann.frame["over"]["text"].startswith(said)


def test_reasons_with_half_a_sign_can_be_shown(client: Any) -> None:
    seats = [{"kind": "me", "name": "Ann"}, {"kind": "agent", "agent": "garbled"}]
    with line(client, open_table(client, setup("duel") | {"seats": seats})) as ann:
        ann.play_on()
        told = [ann.ask(do="why", move=move).get("text") for move in range(2)]
        assert "because\n\\ud800 \\x1b[2J" in told


BELIEVER = """
import numpy as np

import molehunt


class Believer(molehunt.Agent):
    believed = ()

    def __init__(self):
        self.name = "believer"

    def start(self, game, views, streams):
        return {"game": game}

    def act(self, views, memory, rows):
        return np.array([memory["game"].legal_actions(views[i : i + 1])[0] for i in range(len(rows))])

    def observe(self, events, memory, rows):
        pass

    def beliefs(self, game, view, memory, row):
        bar = molehunt.Bar("seat 1 \\ud800", 0.5, "half\\x1b[2J")
        return self.believed or (molehunt.Bars("trust \\udfff", 0.0, 1.0, (bar,)),)


class Muddled(Believer):
    believed = ("seat 1 lies",)
"""


def test_beliefs_with_half_a_sign_can_be_shown_and_what_is_no_belief_is_named(
    mine: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    mine.write_text(BELIEVER)
    seat_among_us(mine)
    game = make_game("duel", "mcgill", 2)
    view = game.views(game.new(np.zeros(1, np.uint64)), np.zeros(1, np.int8))
    believer, muddled = (Agents("duel").make(name) for name in ("believer", "muddled"))
    (bars,) = believer.beliefs(game, view, believer.start(game, view, np.zeros(1, np.uint64)), 0)
    assert bars == Bars("trust \\udfff", 0.0, 1.0, (Bar("seat 1 \\ud800", 0.5, "half\\x1b[2J"),))
    with pytest.raises(
        AgentFailure, match=r"^muddled believes 'seat 1 lies'; beliefs are panels of molehunt\.core\.panels$"
    ):
        muddled.beliefs(game, view, muddled.start(game, view, np.zeros(1, np.uint64)), 0)


def test_what_can_be_set_in_a_player_of_a_file_is_listed(mine: Path) -> None:
    mine.write_text(
        MINE.replace(
            '''    game = "duel"''',
            """    game = "duel"
    deep: int = molehunt.parameter(3, "how deep it is", low=1)""",
        ).replace("class Silent", "@dataclasses.dataclass\nclass Silent")
    )
    mine.write_text(f"import dataclasses\n{mine.read_text()}")
    listed = call("agents", "silent", "--agents-from", "mine.py")
    assert (listed.status, listed.out.count("silent plays ")) == (0, 1)
    assert re.search(r"^deep +3 +how deep it is$", listed.out, re.MULTILINE)
    assert listed.out.endswith("Write silent:deep=3\n")
    # One that plays every game is told of once.
    registry._of_files.clear()
    mine.write_text(mine.read_text().replace('    game = "duel"\n', ""))
    listed = call("agents", "silent", "--agents-from", "mine.py")
    assert listed.out.startswith("silent plays saboteur, duel and speed_clue: a player from a file\n")
    assert listed.out.count("how deep it is") == 1


def test_the_server_takes_files_of_players(mine: Path) -> None:
    refused = call("serve", "--agents-from", "none.py")
    assert refused.status == 2 and "there is no file none.py to take agents from" in refused.err


def test_a_player_of_a_file_is_learned_against(mine: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    met = []

    def learn(text: Any, agent: str, *_rest: Any) -> Any:
        game = game_of(text)
        assert (game.name, game.seats) == {"hasty": ("saboteur", 4), "silent": ("duel", 2)}[agent]
        seating = Seating.of(game, {}, {agent: 1.0})
        rollout = Rollout(*learner_of(game).sizes(game))
        for lot in seating.lots(learner(game), [], 0, 4, 1) if agent == "hasty" else ():
            rollout.play(game, lot, 0.9)
        met.append((agent, rollout.rows))
        raise KeyboardInterrupt

    monkeypatch.setattr(exploit, "exploit", learn)
    words = ("exploit", "hasty", "--agents-from", "mine.py")
    assert "say with --game which game hasty is to play: saboteur, " in call(*words).err
    monkeypatch.setattr(registry, "_of_files", {})
    assert "stopped; nothing was kept" in call("exploit", "silent", "--agents-from", "mine.py").err
    monkeypatch.setattr(registry, "_of_files", {})
    assert met.pop()[0] == "silent"
    stopped = call(*words, "--game", "saboteur/krisnadi", "--seats", "4")
    assert "stopped; nothing was kept" in stopped.err
    ((name, rows),) = met
    assert name == "hasty" and rows > 0
