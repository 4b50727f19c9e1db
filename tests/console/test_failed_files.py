"""A tournament of many files is played without those that fail, says which and why, and takes them in when they are mended."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest

pytest.importorskip("duckdb")

from cli.calling import call

GOOD = """
import molehunt


class {name}(molehunt.Player):
    def choose(self, view):
        return view.legal_actions[{place}]
"""
BROKEN = {
    "syntax": "class Carl(",
    "import": "import there_is_no_such_module\n",
    "class": "class Carl:\n    pass\n",
    "name": GOOD.format(name="Karl", place=0),
    "parameters": GOOD.format(name="Carl", place=0).replace(
        "class", "from dataclasses import dataclass\n\n@dataclass\nclass"
    )
    + "    def __post_init__(self):\n        raise ValueError(1)\n    depth: int = molehunt.parameter(1, 'how deep')\n",
}
TEXT = """
name = "class"
game = "duel/mcgill"
players = ["anna", "bert", "carl"]
agents_from = ["anna.py", "bert.py", "carl.py"]
compare = [["anna", "bert"], ["anna", "carl"]]
deals = 6
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("anna.py").write_text(GOOD.format(name="Anna", place=0))
    Path("bert.py").write_text(GOOD.format(name="Bert", place=-1))
    Path("class.toml").write_text(TEXT)
    return tmp_path


def players(file: str) -> list[str]:
    event = json.loads(Path(file).read_text())["events"][0]
    return sorted({row["player"] for row in event["standings"]})


@pytest.mark.parametrize("kind", BROKEN)
def test_the_others_play_and_who_failed_is_listed_with_the_error(folder: Path, kind: str) -> None:
    Path("carl.py").write_text(BROKEN[kind])
    made = call("tournament", "class.toml", "--json", "made.json", "--report", "page.html")
    assert made.status == 1 and "Traceback" not in made.err
    assert made.err.splitlines()[-1].startswith("molehunt: the others have played; left out, as they failed: carl")
    assert "class: 12 games, seed 0, finished" in made.out and players("made.json") == ["anna", "bert"]
    failed = json.loads(Path("made.json").read_text())["failed"]
    said = {
        "syntax": "SyntaxError",
        "import": "there_is_no",
        "class": "holds no player",
        "name": "'carl'",
        "parameters": "ValueError",
    }
    assert said[kind] in " ".join(failed.values()) and "carl" in failed
    for name, error in failed.items():
        assert f"Left out: {name}: {error}\n" in made.out and f"Left out: {name}: {error}\n" in made.err
    assert "Left out</h2>" in Path("page.html").read_text("utf-8")


def test_of_a_name_that_no_file_holds_it_is_said_whom_files_hold_and_nobody_is_suggested_who_plays(
    folder: Path,
) -> None:
    Path("carl.py").write_text(GOOD.format(name="player", place=0))
    Path("berta.py").write_text(BROKEN["syntax"])
    Path("class.toml").write_text(
        TEXT.replace('"carl"]\n', '"carl", "berta"]\n').replace('"carl.py"', '"carl.py", "berta.py"')
    )
    made = call("tournament", "class.toml", "--games", "2")
    files_hold = "; nobody asks for player, which files hold\n"
    assert f"Left out: carl: unknown agent of duel 'carl'{files_hold}" in made.out
    assert f"Left out: berta: unknown agent of duel 'berta'{files_hold}" in made.out  # not: did you mean 'bert'?


def test_each_file_is_loaded_a_few_times_however_many_there_are(folder: Path) -> None:
    """A file that takes seconds to be loaded, as with a library for networks, is no reason to wait for hours."""
    names = [f"p{number}" for number in range(6)]
    for name in names:
        noting = f"with open({str(folder / 'loads')!r}, 'a') as file:\n    print(__file__, file=file)\n"
        Path(f"{name}.py").write_text(noting + GOOD.format(name=name.title(), place=0))
    Path("carl.py").write_text(BROKEN["syntax"])
    files = ", ".join(f'"{name}.py"' for name in [*names, "carl"])
    Path("class.toml").write_text(
        f'game = "duel"\nplayers = ["p0", "p1", "carl"]\nagents_from = [{files}]\ndeals = 1\nlineups = "pairs"\n'
    )
    assert "Left out: carl.py" in call("tournament", "class.toml").out
    assert max(Counter(Path("loads").read_text().split()).values()) <= 6


def test_two_files_with_a_player_of_the_same_name_leave_out_the_later_one(folder: Path) -> None:
    Path("carl.py").write_text(GOOD.format(name="Anna", place=0))
    made = call("tournament", "class.toml", "--games", "2", "--json", "made.json")
    assert players("made.json") == ["anna", "bert"] and "Left out: carl.py" in made.out
    assert "'anna'" in json.loads(Path("made.json").read_text())["failed"]["carl.py"]


def test_each_player_who_loses_by_fault_is_told_of_however_many_reasons_another_has(folder: Path) -> None:
    for name, nonsense in ("Anna", "f'{view.legal_actions[-1]}!{len(view.legal_actions)}'"), ("Carl", "None"):
        Path(f"{name.lower()}.py").write_text(
            GOOD.format(name=name, place=0).replace("view.legal_actions[0]", nonsense)
        )
    made = call("tournament", "class.toml", "--games", "200", "--json", "made.json")
    told = call("tournament", "class.toml", "--games", "200").out
    faults = json.loads(Path("made.json").read_text())["faults"]
    of_anna = [reason for reason in faults if reason.startswith("anna")]
    assert len(of_anna) > 20 and made.status == 1  # one for each move that she wrote wrongly
    assert told.count(": anna chose what is no move") == 3
    assert f"... and for {len(of_anna) - 3} more reasons of anna; --json FILE tells all.\n" in told
    assert "games: carl must choose one of view.legal_actions" in told


def test_a_player_of_several_roles_is_told_of_as_one(folder: Path) -> None:
    for name in ("Anna", "Carl"):
        nonsense = "f'{view.legal_actions[-1]}!{len(view.legal_actions)}'"
        Path(f"{name.lower()}.py").write_text(
            GOOD.format(name=name, place=0).replace("view.legal_actions[0]", nonsense)
        )
    Path("class.toml").write_text(
        TEXT.replace("duel/mcgill", "saboteur/krisnadi").replace(
            "deals = 6", "deals = 2\nseats = 3\nroles = { saboteur = 1 }"
        )
    )
    made = call("tournament", "class.toml")
    for name in ("anna", "carl"):
        assert made.err.count(f"Lost by fault: {name} chose") == 1
        assert made.out.count(f": {name} chose what is no move") == 3 and f"more reasons of {name};" in made.out


def test_isolated_the_others_play_too(folder: Path) -> None:
    Path("carl.py").write_text(BROKEN["import"])
    made = call("tournament", "class.toml", "--isolate", "--games", "2", "--json", "made.json")
    assert made.status == 1 and players("made.json") == ["anna", "bert"]
    assert "there_is_no_such_module" in json.loads(Path("made.json").read_text())["failed"]["carl.py"]


def test_who_is_mended_is_taken_in_and_the_games_of_the_others_stay(folder: Path) -> None:
    Path("carl.py").write_text(BROKEN["syntax"])
    words = ("tournament", "class.toml", "--store", "kept")
    assert call(*words).status == 1
    assert call(*words, "--json", "again.json").status == 1  # nothing has changed: it goes on
    assert "Left out: carl.py" in call("results", "kept").out
    Path("carl.py").write_text(GOOD.format(name="Carl", place=0))
    refused = call(*words)
    assert refused.status == 2 and "let --mended play" in refused.err
    made = call(*words, "--mended", "--json", "made.json")
    assert made.status == 0 and "12 games are kept" in made.err and "24 games played in" in made.out
    assert call("tournament", "class.toml", "--json", "fresh.json").status == 0
    assert Path("made.json").read_bytes() == Path("fresh.json").read_bytes()
    Path("carl.py").write_text(BROKEN["syntax"])
    assert call(*words, "--mended", "--json", "without.json").status == 1
    assert Path("without.json").read_bytes() == Path("again.json").read_bytes()


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('["anna.py", "bert.py", "carl.py"]', '["carl.py"]', "carl.py fails while it is loaded"),
        ('["anna", "bert", "carl"]', '["carl"]', "carl.py fails while it is loaded"),
        ('"bert.py"', '"nowhere.py"', "nowhere.py"),
        ("deals = 6", "deals = 0", "deals"),
    ],
)
def test_where_nobody_else_is_left_or_the_file_is_wrong_it_stops_at_once(
    folder: Path, old: str, new: str, said: str
) -> None:
    Path("carl.py").write_text(BROKEN["syntax"])
    Path("class.toml").write_text(TEXT.replace(old, new))
    made = call("tournament", "class.toml")
    assert made.status in {1, 2} and made.out == "" and said in made.err and "the others" not in made.err


def test_a_name_that_nobody_can_have_meant_is_refused_as_ever(folder: Path) -> None:
    Path("carl.py").write_text(GOOD.format(name="Carl", place=0))
    Path("class.toml").write_text(TEXT.replace('"carl"]\nagents', '"carl", "randon"]\nagents'))
    made = call("tournament", "class.toml")
    assert made.status == 2 and "unknown agent of duel 'randon'; did you mean 'random'?" in made.err


def test_lineups_of_ones_own_are_played_where_all_of_them_can(folder: Path) -> None:
    Path("carl.py").write_text(BROKEN["class"])
    own = 'lineups = ["anna,bert", "anna,carl", "bert,random"]\n'
    Path("class.toml").write_text(TEXT.replace('players = ["anna", "bert", "carl"]\n', own))
    made = call("tournament", "class.toml", "--json", "made.json")
    assert made.status == 1 and players("made.json") == ["anna", "bert", "random"]
