"""A player that fails in the middle of a game: it loses that game, the others' games stay, and the game can be played again."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path

import numpy as np
import pytest

from cli.calling import GAME, call
from molehunt.agents.registry import Agents
from molehunt.arena.agent_files import load_agents
from molehunt.arena.faults import Lost, lost_by_fault, payoffs_of, play_with_faults, where_of
from molehunt.arena.isolation import Isolation, load_isolated
from molehunt.arena.match import Match, run, seat_match
from molehunt.core.errors import AgentFailure, IllegalAction, MolehuntError
from molehunt.core.match import play
from molehunt.core.streams import game_seeds

PLAYERS = '''
import numpy as np

import molehunt
from molehunt.core.agent import Agent


class Calm(molehunt.Player):
    """Fails nowhere; the others are as this one until they fail."""

    def choose(self, view):
        return view.legal_actions[len(view.hand) % len(view.legal_actions)]


class Raiser(Calm):
    def choose(self, view):
        if "P_SW" in view.hand and "map" in view.hand:
            raise ValueError("not this hand")
        return super().choose(view)


class Cheat(Calm):
    def choose(self, view):
        return "map:top" if "P_SW" in view.hand and "map" not in view.hand else super().choose(view)


class Late(Calm):
    def begin(self, game, seat, view):
        if "P_SW" in view.hand:
            raise ValueError("not today")


class Deaf(Calm):
    def notice(self, event):
        if str(event.move).startswith(("rockfall@4,", "rockfall@5,")):
            raise ValueError("what was that?")


class Batch(Agent):
    """All views at once, as arrays."""

    name = "batch"

    def start(self, game, views, streams):
        return {"game": game, "seen": [0] * len(views)}

    def act(self, views, memory, rows):
        game, actions = memory["game"], []
        for index, row in enumerate(rows.tolist()):
            memory["seen"][row] += 1
            view = game.friendly_view(views[index : index + 1])
            if "P_SW" in view.hand and "map" in view.hand:
                raise ValueError(f"after {memory['seen'][row]}")
            actions.append(int(view.legal_actions[len(view.hand) % len(view.legal_actions)]))
        return np.array(actions)

    def observe(self, events, memory, rows):
        pass
'''
FAULTS = {
    "raiser": "raiser failed in choose: ValueError: not this hand",
    "cheat": "cheat chose what is no legal action: 'map:top'",
    "late": "late failed in begin: ValueError: not today",
    "deaf": "deaf failed in notice: ValueError: what was that?",
    "batch": "batch failed in act: ValueError: after ",
}
GAMES = 60


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("players.py").write_text(PLAYERS)
    return tmp_path / "players.py"


def match_of(file: Path, seats: str, series: int = 1, rotate: bool = False) -> Match:
    agents, files = load_agents("saboteur", [file])
    return seat_match(GAME, seats, agents, rotate, files, series=series)


@pytest.mark.parametrize("player", FAULTS)
def test_where_a_player_fails_its_game_is_lost_and_all_others_are_as_they_were(file: Path, player: str) -> None:
    seeds = game_seeds(5, 0, GAMES)
    match, calm = match_of(file, f"random,{player},random"), match_of(file, "random,calm,random")
    played = play_with_faults(match.game, match.agents, seeds, keep=True)
    lost = lost_by_fault(match.game, played)
    assert {fault.seat for fault in lost.faults} == {1}
    assert {fault.reason.startswith(FAULTS[player]) for fault in lost.faults} == {True}
    failed = {fault.game for fault in lost.faults}
    assert 0 < len(failed) < GAMES
    as_ever = play(calm.game, calm.agents, seeds, keep_actions=True)
    assert played.actions is not None and as_ever.actions is not None
    for game, (mine, theirs) in enumerate(zip(played.actions, as_ever.actions, strict=True)):
        assert game in failed or mine == theirs
    # Nobody is asked again who has failed: before that the game is as it was.
    for fault in lost.faults:
        after = (lost.after(match.game, fault.game, int(seeds[fault.game]), None, played.actions[fault.game]) or ())[1]
        assert after is not None
        assert played.actions[fault.game][:after] == as_ever.actions[fault.game][:after]


@pytest.mark.parametrize("player", ["raiser", "cheat", "late"])
def test_what_is_lost_by_fault_is_the_same_in_a_process_of_its_own(file: Path, player: str) -> None:
    """Where a player draws no lots, for which it has other numbers there."""
    seeds = game_seeds(5, 0, 20)
    outcomes = []
    for agents in (load_agents("saboteur", [file])[0], load_isolated("saboteur", [file], Isolation())[0]):
        match = seat_match(GAME, f"random,{player},random", agents)
        played = play_with_faults(match.game, match.agents, seeds, keep=True)
        lost = lost_by_fault(match.game, played)
        faults = [(fault.game, fault.seat, fault.reason.partition(" (")[0]) for fault in lost.faults]
        outcomes.append((faults, lost.turns, played.actions))
    assert outcomes[0] == outcomes[1] and outcomes[0][0]


@pytest.mark.parametrize(
    ("label", "chairs", "seats"), [("duel/mcgill", "greedy-2020*2", 2), ("saboteur/official", "random*5", 5)]
)
def test_who_has_lost_by_fault_is_paid_the_least_of_the_game_and_nothing_at_best(
    label: str, chairs: str, seats: int
) -> None:
    match = seat_match(label, chairs, Agents(label.partition("/")[0]))
    played = play(match.game, match.agents, game_seeds(5, 0, GAMES))
    paid = match.game.payoffs(played.states)
    failed = np.arange(GAMES) % seats
    lost = np.zeros((GAMES, seats), np.bool_)
    lost[np.arange(GAMES), failed] = True
    fined = payoffs_of(match.game, played, Lost(lost, [], {}))
    assert (paid[lost] > 0).any()
    for game, seat in enumerate(failed.tolist()):
        assert fined[game, seat] == min(*paid[game], 0)
        assert np.delete(fined[game], seat).tolist() == np.delete(paid[game], seat).tolist()


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("player", ["raiser", "cheat", "batch"])
def test_an_error_of_a_match_says_in_which_deal_it_came_and_that_deal_alone_fails_so(
    file: Path, player: str, threads: int
) -> None:
    seats = f"{player},random*2"
    with pytest.raises(MolehuntError) as error:
        run(match_of(file, seats, rotate=True), 3 * GAMES, 5, threads)
    where = where_of(error.value)
    assert where is not None and where.seed == 5 and where.seats[where.seat] == player
    assert f"deal {where.deal} of seed 5" in error.value.__notes__[0]
    with pytest.raises(type(error.value)) as again:
        run(match_of(file, ",".join(where.seats)), 1, where.seed, first_deal=where.deal)
    assert str(again.value) == str(error.value)


def test_in_a_series_the_whole_series_is_played_again(file: Path) -> None:
    with pytest.raises(AgentFailure) as error:
        run(match_of(file, "raiser,random*2", series=3), GAMES, 5)
    where = where_of(error.value)
    assert where is not None and where.series == 3 and where.deal % 3 == 0
    with pytest.raises(AgentFailure, match="not this hand"):
        run(match_of(file, ",".join(where.seats), series=3), 1, 5, first_deal=where.deal)


def test_who_does_not_fail_twice_is_told_as_ever(file: Path) -> None:
    file.write_text(
        PLAYERS
        + """

COUNT = [0]


class Once(Calm):
    def choose(self, view):
        COUNT[0] += 1
        if COUNT[0] == 100:
            raise ValueError("once")
        return super().choose(view)
"""
    )
    with pytest.raises(AgentFailure, match="once failed in choose: ValueError: once") as error:
        run(match_of(file, "once,random*2"), GAMES, 5)
    assert where_of(error.value) is None


def test_an_illegal_action_keeps_what_it_says(file: Path) -> None:
    with pytest.raises(IllegalAction) as error:
        run(match_of(file, "random,cheat,random"), GAMES, 5)
    assert (error.value.seat, error.value.action, error.value.rule) == (1, "map:top", "the hand holds no such card")


def command_in(told: str) -> list[str]:
    """The words of the command that plays a game again."""
    words = shlex.split(told.partition("to play it again: molehunt ")[2].partition("\n")[0])
    assert words
    return words


@pytest.mark.parametrize("rotate", [(), ("--rotate",)])
def test_the_arena_names_the_deal_and_the_command_that_plays_it_again(file: Path, rotate: tuple[str, ...]) -> None:
    made = call("arena", GAME, "--agents-from", "players.py", "--seats", "random*2,raiser", "--games", "99", *rotate)
    assert made.status == 1 and FAULTS["raiser"] in made.err
    words = command_in(made.err)
    again = call(*words)
    assert again.status == 1 and again.err == made.err
    deal = int(words[words.index("--first-deal") + 1])
    assert f"in deal {deal} of seed 0" in made.err


def test_an_isolated_arena_plays_on_and_names_the_deal(file: Path) -> None:
    words = ("arena", GAME, "--agents-from", "players.py", "--seats", "raiser,random*2", "--games", "20", "--isolate")
    made = call(*words, "--isolate-seconds", "9", "--json", "made.json")
    assert made.status == 1 and "games lost by fault, as told above" in made.err
    assert json.loads(Path("made.json").read_text())["games"] == 20
    again = call(*command_in(made.out))
    assert again.status == 1 and "Lost by fault in 1 game: raiser failed in choose" in again.out
    assert command_in(again.out) == command_in(made.out)


def test_one_deal_alone_is_the_one_of_the_whole(file: Path) -> None:
    words = ("arena", GAME, "--seats", "decision-2019*3", "--seed", "3", "--records")
    assert call(*words, "all.jsonl", "--games", "5").status == 0
    assert call(*words, "one.jsonl", "--games", "1", "--first-deal", "3").status == 0
    assert Path("all.jsonl").read_text().splitlines()[3:4] == Path("one.jsonl").read_text().splitlines()
    refused = call(*words, "no.jsonl", "--games", "1", "--first-deal", str(2**53 - 1))
    assert refused.status == 2 and "--first-deal must be" in refused.err


TEXT = f"""
name = "class"
game = "{GAME}"
seats = 3
players = ["calm", "raiser", "random"]
lineups = "different"
agents_from = ["players.py"]
deals = 20
records = true
"""


@pytest.mark.parametrize("isolate", [(), ("--isolate",)])
def test_a_tournament_goes_on_and_names_who_failed_with_the_deal(file: Path, isolate: tuple[str, ...]) -> None:
    Path("class.toml").write_text(TEXT)
    words = ("tournament", "class.toml", "--store", "kept", *isolate)
    made = call(*words, "--json", "made.json")
    assert made.status == 1 and "Traceback" not in made.err
    tables = json.loads(Path("made.json").read_text())
    assert tables["finished"] and [*tables["faults"]] and all("raiser failed" in each for each in tables["faults"])
    assert "games lost by fault, as told above" in made.err.splitlines()[-1]
    assert "Lost by fault: raiser failed in choose" in made.err  # as it happens
    # The game alone fails so again; `results` tells the same; every record replays and says who failed.
    told = command_in(made.out)
    again = call(*told)
    assert again.status == 1 and FAULTS["raiser"] in again.err + again.out
    assert command_in(call("results", "kept").out) == told
    assert call("results", "kept", "--records", "games.jsonl").status == 0
    replayed = call("replay", "games.jsonl")
    assert replayed.status == 0 and "raiser failed in choose" in replayed.out
    assert call("results", "kept", "--verify").status == 0
    # All has been played: the same command adds nothing, and its exit status is the same.
    kept = call(*words, "--json", "again.json")
    assert kept.status == 1 and Path("again.json").read_bytes() == Path("made.json").read_bytes()


@pytest.mark.parametrize("isolate", [(), ("--isolate",)])
def test_the_text_of_an_error_may_be_what_no_file_and_no_screen_holds(file: Path, isolate: tuple[str, ...]) -> None:
    """Half a sign (of a name of a file that is no UTF-8), and what would wipe the screen."""
    file.write_text(PLAYERS.replace('"not this hand"', r'"this \udcff and \x1b[2J"'))
    Path("class.toml").write_text(TEXT)
    made = call("tournament", "class.toml", "--store", "kept", *isolate, "--json", "made.json", "--report", "made.html")
    assert made.status == 1 and "games lost by fault, as told above" in made.err.splitlines()[-1]
    said = r"raiser failed in choose: ValueError: this \udcff and \x1b[2J"
    assert said in made.out and said in made.err
    assert any(said in fault for fault in json.loads(Path("made.json").read_text())["faults"])
    assert call("results", "kept", "--verify").status == 0


def test_a_mended_player_plays_its_games_again(file: Path) -> None:
    Path("class.toml").write_text(TEXT)
    assert call("tournament", "class.toml", "--store", "kept").status == 1
    file.write_text(PLAYERS.replace('raise ValueError("not this hand")', "pass"))
    made = call("tournament", "class.toml", "--store", "kept", "--mended", "--json", "made.json")
    assert made.status == 0, made.err
    assert call("tournament", "class.toml", "--json", "fresh.json").status == 0
    assert Path("made.json").read_bytes() == Path("fresh.json").read_bytes()


def test_tuning_names_the_candidate_and_the_deal(file: Path) -> None:
    pytest.importorskip("optuna")
    Path("turned.py").write_text("""
from dataclasses import dataclass

import molehunt


@dataclass
class Turned(molehunt.Player):
    anger: int = molehunt.parameter(0, "how angry", low=0, high=9)

    def choose(self, view):
        if self.anger > 1 and "P_SW" in view.hand:
            raise ValueError("angry")
        return view.legal_actions[0]
""")
    words = (
        "--game",
        f"{GAME}",
        "--seats",
        "3",
        "--against",
        "random",
        "--space",
        "all",
        "--games",
        "128",
        "--trials",
        "8",
    )
    made = call("tune", "turned", "--agents-from", "turned.py", *words)
    assert made.status == 1 and "failed in choose: ValueError: angry" in made.err
    # Values that a player refuses are told as such.
    text = Path("turned.py").read_text()
    for error in ('ValueError("odd")', "SystemExit(0)"):
        refusing = f"    def __post_init__(self):\n        if self.anger:\n            raise {error}\n\n    def choose"
        Path("refusing.py").write_text(text.replace("    def choose", refusing))
        refused = call("tune", "turned", "--agents-from", "refusing.py", *words)
        assert refused.status == 1
        assert re.match(
            r"molehunt: turned cannot be made with anger=\d: (ValueError: odd|SystemExit: 0) \(", refused.err
        )
    again = call(*command_in(made.err))
    assert again.status == 1 and again.err == made.err.replace(str(file.parent / "turned.py"), "turned.py")
