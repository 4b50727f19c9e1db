"""`molehunt arena`: its table, its JSON, its records, and the players of one's own."""

from __future__ import annotations

import json
import re
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from cli.calling import GAME, PLAYERS, call, process
from molehunt.arena.clusters import rate_interval
from molehunt.arena.statistics import student, wilson
from molehunt.console.screen import pace
from molehunt.core.record import parse_record, read_records
from molehunt.core.replay import Replay
from molehunt.games.registry import all_games, make_game


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.py").write_text(PLAYERS, "utf-8")
    return tmp_path


def result(*words: str) -> dict[str, Any]:
    """The JSON of a match."""
    made = call("arena", GAME, *words, "--json", "-")
    assert made.status == 0, made.err
    loaded: dict[str, Any] = json.loads(made.out)
    return loaded


def test_json_has_exactly_the_promised_fields() -> None:
    got = result("--seats", "random,means-ends-2016,decision-2019:d_b=3.0", "--games", "30")
    assert list(got) == ["games", "moves", "seconds", "games_per_second", "seats", "outcomes"]
    assert (got["games"], got["outcomes"].keys()) == (30, {"gold", "exhausted"})
    assert sum(got["outcomes"].values()) == 30 < got["moves"]
    assert got["games_per_second"] == pytest.approx(30 / got["seconds"])
    assert [row["agent"] for row in got["seats"]] == ["random", "means-ends-2016", "decision-2019:d_b=3.0"]
    for seat, row in enumerate(got["seats"]):
        assert list(row) == ["seat", "agent", "wins", "rate", "low", "high"]
        assert row["seat"] == seat and isinstance(row["wins"], int)
        assert row["rate"] == row["wins"] / 30
        assert (row["low"], row["high"]) == wilson(row["wins"], 30)


def test_table_says_what_the_json_says(folder: Path) -> None:
    made = call("arena", GAME, "--seats", "decision-2019*3", "--games", "40", "--seed", "9", "--json", "out.json")
    got = json.loads((folder / "out.json").read_text())
    assert made.status == 0
    lines = made.out.splitlines()
    assert lines[0] == "saboteur/krisnadi: 40 games, seed 9"
    assert re.findall(r"[\w%][\w %]*\w|%", lines[2]) == ["seat", "agent", "wins", "rate", "95 % interval"]
    rows = [[cell.strip() for cell in line.split("│")[1:-1]] for line in lines if line.startswith("│")]
    assert rows == [
        [
            str(row["seat"]),
            "decision-2019",
            str(row["wins"]),
            f"{100 * row['rate']:.1f} %",
            f"{100 * row['low']:.1f} to {100 * row['high']:.1f} %",
        ]
        for row in got["seats"]
    ]
    ends = got["outcomes"]
    assert re.fullmatch(
        rf"Ends: gold: {ends['gold']}, exhausted: {ends['exhausted']}\. {got['moves']:,} moves in \d+\.\d\d s, [\d,.]+ games/s\.",
        lines[-1],
    )


@pytest.mark.parametrize("games", [30, 1])
def test_deals_in_all_seatings_count_as_deals_and_gold_is_that_of_the_records(games: int, folder: Path) -> None:
    words = ("arena", "saboteur/official", "--seats", "means-ends-2016,random*2", "--threads", "2", "--rotate")
    made = call(*words, "--games", str(games), "--records", "g.jsonl", "--json", "g.json")
    got = json.loads((folder / "g.json").read_text())
    deals = got["games"] // 3
    # Of each deal one seating after the other, all in one piece of work.
    paid, won = np.zeros((3, 3, deals)), np.zeros((3, 3, deals), np.int64)  # by chair, seating and deal
    for number, (_, record) in enumerate(read_records(folder / "g.jsonl")):
        shift, deal = divmod(number, deals)
        position = Replay(record, make_game).position
        chairs = [(seat + shift) % 3 for seat in range(3)]
        assert position.outcome is not None
        paid[chairs, shift, deal] = position.outcome.payoffs
        won[chairs, shift, deal] = position.game.wins(position.states)[0]
    for row, payoffs, wins in zip(got["seats"], paid.mean(axis=1), won.sum(axis=1), strict=True):
        assert row["wins"] == wins.sum()
        assert (row["low"], row["high"]) == pytest.approx(rate_interval(wins, np.full(deals, 3)))
        said = f"{payoffs.mean():.2f}"
        assert row["payoff"] == pytest.approx(payoffs.mean())
        if deals > 1 and payoffs.std() > 0:
            half = student(deals - 1) * payoffs.std(ddof=1) / deals**0.5
            said += f" ({payoffs.mean() - half:.2f} to {payoffs.mean() + half:.2f})"
            assert (row["payoff_low"], row["payoff_high"]) == pytest.approx(
                (payoffs.mean() - half, payoffs.mean() + half)
            )
        else:
            assert row["payoff_low"] is row["payoff_high"] is None
        assert f"{said} │" in made.out


def test_a_series_counts_as_one(folder: Path) -> None:
    seated = ("--seats", "means-ends-2016,random*2", "--series", "4", "--games", "1200")
    found = [result(*seated, "--threads", threads, "--records", f"{threads}.jsonl") for threads in ("1", "2")]
    ends = [Replay(record, make_game).position for _, record in read_records(folder / "1.jsonl")]
    won = np.array([end.game.wins(end.states)[0] for end in ends], np.int64)
    assert (folder / "2.jsonl").read_bytes() == (folder / "1.jsonl").read_bytes()
    for got in found:
        for row, wins in zip(got["seats"], won.reshape(-1, 4, 3).sum(axis=1).T, strict=True):
            assert (row["low"], row["high"]) == pytest.approx(rate_interval(wins, np.full(300, 4)))


def test_one_game_is_no_games(folder: Path) -> None:
    for games, said in (("1", "1 game"), ("1024", "1,024 games")):
        made = call("arena", "duel", "--seats", "random*2", "--games", games)
        assert made.out.startswith(f"duel/mcgill: {said}, seed 0\n")
    made = call("arena", "duel", "--seats", "random*2", "--games", "2", "--rotate")
    assert made.out.startswith("duel/mcgill: 2 games (1 deal in 2 seatings), seed 0\n")


def test_ends_whose_names_are_numbered_are_told_from_their_counts(folder: Path) -> None:
    made = call("arena", "saboteur/official", "--seats", "random*3", "--games", "20")
    assert "Ends: gold in 0 of 3: 20, gold in 1 of 3: 0," in made.out


@pytest.mark.parametrize(
    ("games", "seconds", "said"),
    [(123_456, 10, "12,346"), (100, 10, "10"), (99, 10, "9.9"), (1, 10, "0.1"), (1, 300, "0.0033"), (0, 0, "0")],
)
def test_the_pace_of_slow_players_is_no_zero(games: int, seconds: float, said: str) -> None:
    assert pace(games, seconds) == f"{said} games/s"


def test_seed_decides_and_threads_do_not() -> None:
    def wins(*more: str) -> tuple[Any, ...]:
        got = result("--seats", "decision-2019*4", "--games", "700", *more)
        return got["moves"], got["outcomes"], [row["wins"] for row in got["seats"]]

    assert wins("--threads", "1") == wins("--threads", "3") == wins("--seed", "0")
    assert wins("--seed", "1") != wins()


def test_rotation_says_how_many_deals_it_played(folder: Path) -> None:
    made = call("arena", GAME, "--seats", "random*2,decision-2019", "--games", "10", "--rotate")
    assert made.out.startswith("saboteur/krisnadi: 12 games (4 deals in 3 seatings), seed 0\n")


def test_roles_are_seated(folder: Path) -> None:
    words = ("--seats", "saboteur:random*2,miner:decision-2019*3", "--games", "25", "--records", "g.jsonl")
    got = result(*words)
    assert [row["agent"] for row in got["seats"]] == ["saboteur:random"] * 2 + ["miner:decision-2019"] * 3
    assert got["seats"][0]["wins"] == got["seats"][1]["wins"] == 25 - got["seats"][4]["wins"]
    for line in (folder / "g.jsonl").read_bytes().splitlines():
        assert parse_record(line).roles == ("saboteur",) * 2 + ("miner",) * 3


def test_records_are_the_games_and_replay(folder: Path) -> None:
    words = ("arena", GAME, "--seats", "random*3,decision-2019", "--games", "40", "--rotate", "--records", "g.jsonl")
    for threads in ("1", "3"):
        assert call(*words, "--threads", threads, "--json", f"{threads}.json").status == 0
        (folder / "g.jsonl").rename(folder / f"{threads}.jsonl")
    assert (folder / "1.jsonl").read_bytes() == (folder / "3.jsonl").read_bytes()
    moves = json.loads((folder / "1.json").read_text())["moves"]
    replay = call("replay", "1.jsonl", "--quiet")
    assert (replay.status, replay.out) == (0, f"40 games with {moves} moves replay to the byte.\n")


SEATS = {"veldhuis": 5, "mcgill": 2}
"""Where three cannot play."""


@pytest.mark.parametrize(
    ("label", "seats"),
    [
        (f"{entry.name}/{ruleset}", f"random*{SEATS.get(ruleset, 3)}")
        for entry in all_games().values()
        for ruleset in entry.rulesets
    ]
    + [("saboteur/official+talk", "random*3"), ("saboteur/official:rounds=1", "random*4")],
)
def test_every_game_is_played_recorded_and_replayed(label: str, seats: str, folder: Path) -> None:
    games = 2 * int(seats[-1])
    made = call(
        "arena", label, "--seats", seats, "--games", str(games), "--rotate", "--records", "g.jsonl", "--json", "g.json"
    )
    assert made.status == 0, made.err
    got = json.loads((folder / "g.json").read_text())
    assert sum(got["outcomes"].values()) == got["games"] == games
    replay = call("replay", "g.jsonl")
    assert replay.out.count(f": {label}, seed ") == games
    assert replay.out.endswith(f"\n{games} games with {got['moves']} moves replay to the byte.\n")
    assert call("show", label).status == call("show", "g.jsonl", "--move", "1").status == 0


def test_setting_of_the_ruleset_is_played_and_shown() -> None:
    made = call("arena", f"{GAME}:saboteurs=3,first_seat=0", "--seats", "random*5", "--games", "4")
    assert made.out.startswith("saboteur/krisnadi:saboteurs=3,first_seat=0: 4 games")
    assert call("arena", "saboteur", "--seats", "random*5", "--games", "4").out.startswith("saboteur/krisnadi: 4 games")


# --- Players of one's own ---------------------------------------------------------------------------------------------


def test_players_come_from_a_file(folder: Path) -> None:
    got = result("--agents-from", "mine.py", "--seats", "first*2,random", "--games", "20")
    assert [row["agent"] for row in got["seats"]] == ["first", "first", "random"]


def test_players_come_from_several_files_and_a_name_may_hold_any_sign(folder: Path) -> None:
    (folder / "more.py").write_text(
        "import molehunt\nclass BigDigger(molehunt.Player):\n  choose = lambda s, v: v.legal_actions[0]\n"
    )
    words = ("--agents-from", "mine.py", "--agents-from", "more.py", "--games", "2")
    made = call("arena", GAME, "--seats", "[/] named [red],big-digger,first", *words)
    assert made.status == 0, made.err
    assert "│ [/] named [red] │" in made.out and "│ big-digger      │" in made.out


@pytest.mark.parametrize("limit", ["--isolate-seconds 100", "--isolate-memory 100", "--isolate-network"])
def test_a_limit_that_would_hold_for_nobody_is_a_wrong_call(limit: str) -> None:
    """Else a player would think for ever, whatever was said."""
    made = call("arena", GAME, "--seats", "random*3", "--games", "2", *limit.split())
    assert made.status == 2 and "say --isolate, too" in made.err


@pytest.mark.parametrize(
    ("seats", "message"),
    [
        ("random,cheat,random", "illegal action of seat 1 (cheat): 'map:top': the hand holds no such card"),
        (
            "clumsy,random*2",
            "clumsy failed in choose: AttributeError: 'View' object has no attribute 'no_such_thing' (",
        ),
        ("leaver,random*2", "leaver cannot be made without arguments: RuntimeError: not today"),
    ],
)
def test_fault_of_a_player_is_a_failure_and_names_it(seats: str, message: str, folder: Path) -> None:
    made = call("arena", GAME, "--agents-from", "mine.py", "--seats", seats, "--games", "9", "--records", "g.jsonl")
    assert made.status == 1
    assert made.err.lstrip().startswith(f"molehunt: {message}")
    if "clumsy" in seats:
        line = 1 + PLAYERS[: PLAYERS.index("no_such")].count(chr(10))
        assert f"mine.py:{line}); View has " in made.err
        assert "; on seat 0 in deal 0 of seed 0; to play it again: molehunt arena" in made.err


ODD = """
import os, sys
import molehunt
from molehunt.core.agent import Agent


class Untold(Exception):
    def __str__(self):
        raise ValueError


class Nameless:
    def __repr__(self):
        raise ValueError


class Odd(molehunt.Player):
    def choose(self, view):
        {code}


class Batch(Agent):
    def start(self, game, views, streams):
        return None

    def act(self, views, memory, rows):
        {code}

    def observe(self, events, memory, rows):
        pass
"""


@pytest.mark.parametrize(
    ("code", "odd", "batch"),
    [
        ("os._exit(0)", "failed in choose: SystemExit: os._exit(0)", "failed in act: SystemExit: os._exit(0)"),
        ("sys.exit()", "failed in choose: SystemExit", "failed in act: SystemExit"),
        ("raise KeyboardInterrupt", "failed in choose: KeyboardInterrupt", "failed in act: KeyboardInterrupt"),
        ("raise BaseException('odd')", "failed in choose: BaseException: odd", "failed in act: BaseException: odd"),
        ("1 / 0", "failed in choose: ZeroDivisionError: division", "failed in act: ZeroDivisionError: division"),
        (
            "raise Untold",
            "failed in choose: Untold: (its text cannot be told: ValueError)",
            "failed in act: Untold: (its text cannot be told: ValueError)",
        ),
        (
            "return Nameless()",
            "must choose one of view.legal_actions or its notation, not something of the class Nameless",
            "must answer act with an array of whole numbers, one for each view, not something of the class Nameless",
        ),
        (
            "return 'a'",
            "chose what is no move: ",
            "must answer act with an array of whole numbers, one for each view, not 'a'",
        ),
    ],
)
@pytest.mark.parametrize("player", ["odd", "batch"])
def test_whatever_a_player_raises_or_answers_is_its_own_failure(
    player: str, code: str, odd: str, batch: str, folder: Path
) -> None:
    """Also what is no `Exception`, what has no text, and what would end the program without a word."""
    (folder / "odd.py").write_text(ODD.format(code=code))
    words = ("arena", GAME, "--agents-from", "odd.py", "--seats", f"{player},random*2", "--games", "2")
    if "os._exit" in code:  # which would end the tests, too
        ended = process(*words)
        status, err = ended.returncode, ended.stderr
    else:
        made = call(*words)
        status, err = made.status, made.err
    assert status == 1
    assert err.splitlines()[-1].startswith(f"molehunt: {player} {odd if player == 'odd' else batch}")
    assert "Traceback" not in err


TAKES = """
import numpy as np
from molehunt.core.agent import Agent

SHARED = []


class Takes(Agent):
    def start(self, game, views, streams):
        return {{"game": game}}

    def act(self, views, memory, rows):
        return np.array([memory["game"].legal_actions(views[i : i + 1])[0] for i in range(len(views))], np.int32)

    def observe(self, events, memory, rows):
        pass

    def impressions(self, game, view, memory, row):
        SHARED.append(1)
        return {value}

    def meet_again(self, memory, row, impressions, seated=True):
        impressions.append(2)
"""


def test_what_an_agent_of_a_file_takes_along_is_a_value_of_its_own_that_json_holds(folder: Path) -> None:
    words = ("arena", GAME, "--agents-from", "takes.py", "--seats", "takes,random*2", "--games", "3", "--series", "3")
    (folder / "takes.py").write_text(TAKES.format(value="SHARED"))
    assert call(*words, "--records", "t.jsonl").status == 0
    known = [record.known and record.known[0] for _, record in read_records(folder / "t.jsonl")]
    assert known == [None, [1], [1, 1]]
    (folder / "takes.py").write_text(TAKES.format(value="np.arange(2)"))
    made = call(*words, "--records", "t.jsonl")
    assert made.status == 1
    assert (
        "molehunt: takes can take along what JSON holds (lists, dicts, numbers, texts), not array([0, 1])" in made.err
    )


def test_a_process_that_a_player_forks_may_end_as_it_likes(folder: Path) -> None:
    code = "child = os.fork() or os._exit(3); return view.legal_actions[0] if os.waitpid(child, 0)[1] >> 8 == 3 else 0"
    (folder / "odd.py").write_text(ODD.format(code=code))
    made = process("arena", GAME, "--agents-from", "odd.py", "--seats", "odd,random*2", "--games", "1")
    assert made.returncode == 0, made.stderr


@pytest.mark.parametrize(
    ("text", "status", "message"),
    [
        ("x = 1\n", 2, "holds no player: subclass molehunt.Player and write choose(self, view)"),
        ("from molehunt import Player\n", 2, "holds no player"),
        ("def f(:\n", 1, "fails while it is loaded: SyntaxError: invalid syntax ("),
        (
            "import no_such_module\n",
            1,
            "fails while it is loaded: ModuleNotFoundError: No module named 'no_such_module'",
        ),
        ("1 / 0\n", 1, "fails while it is loaded: ZeroDivisionError: division by zero"),
        ("raise SystemExit(0)\n", 1, "fails while it is loaded: SystemExit: 0"),
        ("import os\nos._exit(0)\n", 1, "fails while it is loaded: SystemExit: os._exit(0)"),
        ("import molehunt\nclass A(molehunt.Player):\n  name = 'a,b'\n", 2, "a player cannot be called 'a,b'"),
        (
            "import molehunt\nclass A(molehunt.Player):\n  name = 'a*2'\n",
            2,
            "a name is a text without comma, colon, star and",
        ),
        ("import molehunt\nclass A(molehunt.Player):\n  name = ''\n", 2, "a player cannot be called ''"),
        (
            "import molehunt\nclass A(molehunt.Player):\n  name = 5\n",
            2,
            "the attribute name of A is a text, as name = ",
        ),
        (
            "import molehunt\nclass A(molehunt.Player):\n  name = chr(27) + '[2J'\n",
            2,
            "a player cannot be called '\\x1b",
        ),
        ("x = 1\n\0", 2, "cannot be read as Python: line 2 holds a zero byte; save it as UTF-8"),
    ],
)
def test_file_without_players_is_refused(text: str, status: int, message: str, folder: Path) -> None:
    (folder / "bad.py").write_text(text)
    made = call("arena", GAME, "--agents-from", "bad.py", "--seats", "random*3", "--games", "1")
    assert made.status == status
    assert made.err.startswith("molehunt: bad.py") and message in made.err


# --- Files ------------------------------------------------------------------------------------------------------------


def test_written_file_replaces_the_old_one_whole_and_leaves_nothing_beside_it(folder: Path) -> None:
    (folder / "out.json").write_text("x" * 100_000)
    assert call("arena", GAME, "--seats", "random*3", "--games", "1", "--json", "out.json").status == 0
    assert json.loads((folder / "out.json").read_text())["games"] == 1
    assert sorted(path.name for path in folder.iterdir() if path.is_file()) == ["mine.py", "out.json"]


def test_link_is_written_through_and_a_device_is_no_file_to_replace(folder: Path) -> None:
    (folder / "real.json").write_text("")
    (folder / "link.json").symlink_to(folder / "real.json")
    (folder / "null").symlink_to("/dev/null")
    for name in ("link.json", "null"):
        assert call("arena", GAME, "--seats", "random*3", "--games", "1", "--json", name).status == 0
        assert (folder / name).is_symlink()
    assert json.loads((folder / "real.json").read_text())["games"] == 1
    assert not Path("/dev/null").is_file()


def test_name_as_long_as_a_name_may_be_is_written(folder: Path) -> None:
    assert call("show", GAME, "--svg", "x" * 251 + ".svg").status == 0
    assert (folder / ("x" * 251 + ".svg")).read_text().startswith("<svg")


def test_wrong_call_leaves_records_of_before_alone(folder: Path) -> None:
    (folder / "g.jsonl").write_text("precious")
    assert call("arena", GAME, "--seats", "random*2", "--records", "g.jsonl").status == 2
    assert (folder / "g.jsonl").read_text() == "precious"


def test_on_a_narrow_screen_specs_break_at_commas_and_numbers_stay_whole() -> None:
    long = "decision-2019:as_printed,d_b=3.0,d_r=2.0"
    made = call("arena", "saboteur/official", "--seats", f"{long},means-ends-2016,random", "--games", "4", columns=80)
    rows = [[cell.strip() for cell in line.split("│")[1:-1]] for line in made.out.splitlines() if line.startswith("│")]
    assert max(map(len, made.out.splitlines())) <= 80
    assert [row[1] for row in rows[:3]] == ["decision-2019:", "as_printed,", "d_b=3.0,d_r=2.0"]
    assert rows[3][1] == "means-ends-2016" and rows[4][1] == ""
    for first, second in pairwise(rows):
        if first[0]:
            assert re.fullmatch(r"-?\d+\.\d\d", first[5]) and re.fullmatch(r"\(\S+ to \S+\)", second[5])
            assert re.fullmatch(r"\d+\.\d to \d+\.\d %", first[4])
    # On a wide one, each player has one line.
    made = call("arena", "saboteur/official", "--seats", f"{long},means-ends-2016,random", "--games", "4")
    assert f"│ {long} │" in made.out and re.search(r" \d\.\d\d \(\S+ to \S+\) │", made.out)
