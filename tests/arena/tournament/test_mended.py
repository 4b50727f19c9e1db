"""A tournament goes on with mended players: their games are played again, all others stay, and no game is of both."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("duckdb")

from arena.tournament.small import json_of
from cli.calling import call
from molehunt.arena.databases import open_for_reading
from molehunt.arena.store import RECORDS, Store, may_have_gaps, read_records, read_units
from molehunt.arena.tournament.definition import parse_tournament
from molehunt.arena.tournament.plan import make_plan
from molehunt.arena.tournament.play import Progress, play_tournament
from molehunt.core.errors import BadInput

PLAYER = """
import molehunt


class {name}(molehunt.Player):
    def choose(self, view):
        return view.legal_actions[{place}]
"""
TEXT = """
name = "class"
game = "duel/mcgill"
players = ["anna", "bert", "random"]
agents_from = ["anna.py", "bert.py"]
deals = 20
records = true
"""
OLD, NEW = "0", "len(view.legal_actions) // 2"


class Killed(Exception):
    """What stands for the end of a process."""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    write("Anna", OLD)
    write("Bert", "-1")
    Path("class.toml").write_text(TEXT)
    return tmp_path


def write(name: str, place: str) -> None:
    Path(f"{name.lower()}.py").write_text(PLAYER.format(name=name, place=place))


def go_on(store: str | None, tell: Any = None, step: Any = None, mended: bool = True, text: str = TEXT) -> Progress:
    """Play what is missing."""
    progress = Progress(make_plan(parse_tournament(text), Path()))
    if store is None:
        play_tournament(progress, 1)
        return progress
    with Store(Path(store), progress.plan, step, go_on_mended=mended) as kept:
        first = progress.resume(kept.results(), may_have_gaps(kept.base))
        play_tournament(progress, 1, kept, tell, first)
    return progress


def lines(store: str) -> list[bytes]:
    """All records of a store, in the order of the plan."""
    with open_for_reading(Path(store)) as base:
        return b"".join(read_records(Path(store), base)).splitlines()


def seconds(store: str) -> dict[tuple[int, int, int], float]:
    """How long each unit took, which tells whether it has been played again."""
    with open_for_reading(Path(store)) as base:
        rows = base.execute("SELECT lineup, seating, first_deal, seconds FROM units").fetchall()
    return {(lineup, seating, first): taken for lineup, seating, first, taken in rows}


def test_games_of_the_mended_player_are_played_again_and_all_others_kept(folder: Path) -> None:
    old = go_on("kept")
    before, old_lines = seconds("kept"), lines("kept")
    write("Anna", NEW)
    new = go_on("kept")
    after = seconds("kept")
    stayed = [str(lineup) for lineup in new.plan.events[0].lineups].index("bert, random")
    assert {key[0] for key in before if before[key] == after[key]} == {stayed}
    assert all(before[key] == after[key] for key in before if key[0] == stayed)
    go_on("fresh")
    assert lines("kept") == lines("fresh") != old_lines
    assert json_of(new) == json_of(go_on(None))
    assert json_of(new) == json_of(go_on("kept", mended=False)) and new.games == old.games
    assert "All is as it was written" in call("results", "kept", "--verify").out
    asked = call("results", "kept", "--sql", "SELECT * FROM mended", "--json", "-").out
    assert '"files":["anna.py"],"players":["anna"],"games_kept":40' in asked.replace(" ", "").replace("\n", "")


def test_a_store_is_not_changed_where_nobody_asks_for_it(folder: Path) -> None:
    go_on("kept")
    before = lines("kept")
    write("Anna", NEW)
    with pytest.raises(
        BadInput, match=r"files of players anna\.py is .* let --mended play the games of its players again"
    ):
        go_on("kept", mended=False)
    with pytest.raises(BadInput, match=r"deals is 20 in the store and 21 now\. Play into a new folder$"):
        go_on("kept", text=TEXT.replace("deals = 20", "deals = 21"))
    assert lines("kept") == before


@pytest.mark.parametrize("where", ["record written", "made anew", "database renewed"])
def test_a_process_that_is_killed_meanwhile_loses_nothing(folder: Path, where: str) -> None:
    go_on("kept")
    write("Anna", NEW)

    def die(name: str) -> None:
        if name == where:
            raise Killed

    with pytest.raises(Killed):
        go_on("kept", step=die)
    again = go_on("kept")
    assert json_of(again) == json_of(go_on(None))
    go_on("fresh")
    assert lines("kept") == lines("fresh")
    assert {path.name for path in Path("kept").iterdir()} == {path.name for path in Path("fresh").iterdir()}


def test_records_that_lose_their_end_are_played_again_also_then(folder: Path) -> None:
    go_on("kept")
    write("Anna", NEW)
    go_on("kept")
    whole = lines("kept")
    data = (Path("kept") / RECORDS).read_bytes()
    (Path("kept") / RECORDS).write_bytes(data[: len(data) // 2])
    assert json_of(go_on("kept")) == json_of(go_on(None)) and lines("kept") == whole


def test_it_can_be_stopped_and_asked_in_the_middle(folder: Path) -> None:
    go_on("kept")
    write("Anna", NEW)

    def stopping_at(games: int) -> Callable[[int, int], None]:
        def tell(done: int, total: int) -> None:
            if done >= games:
                raise KeyboardInterrupt

        return tell

    halfway = go_on("kept", stopping_at(1))
    with open_for_reading(Path("kept")) as base:
        kept = sum(len(result.wins) for _, result in read_units(base))
    assert halfway.interrupted and 40 < halfway.games == kept < 120
    asked = call("results", "kept")
    assert asked.status == 0 and f"class: {kept} games, seed 0, not finished" in asked.out
    assert json_of(go_on("kept", mended=False)) == json_of(go_on(None))


def test_an_event_that_stops_earlier_now_keeps_no_games_from_beyond_its_end(folder: Path) -> None:
    write("Anna", "0")
    stop = '\n[stop]\ncompare = ["anna", "greedy-2020"]\nevery = 8\nlevel = 0.5\nmargin = 0.001\n'
    text = TEXT.replace("random", "greedy-2020").replace("deals = 20", "deals = 64") + stop
    Path("class.toml").write_text(text)
    assert call("tournament", "class.toml", "--store", "kept", "--json", "old.json").status == 0
    write("Anna", "int(self.random.integers(len(view.legal_actions)))")
    made = call("tournament", "class.toml", "--store", "kept", "--mended", "--json", "new.json")
    assert made.status == 0, made.err
    assert call("tournament", "class.toml", "--json", "fresh.json").status == 0
    assert Path("new.json").read_bytes() == Path("fresh.json").read_bytes()
    deals = {name: json.loads(Path(f"{name}.json").read_text())["events"][0]["deals"] for name in ("old", "new")}
    assert deals["new"] < deals["old"]
    counted = call("results", "kept", "--sql", "SELECT max(deal) + 1 AS deals FROM games", "--json", "-").out
    assert json.loads(counted) == [{"deals": deals["new"]}]
    assert call("results", "kept", "--json", "asked.json").status == 0
    assert Path("asked.json").read_bytes() == Path("fresh.json").read_bytes()


def test_the_command_says_in_one_line_what_is_played_again(folder: Path) -> None:
    assert call("tournament", "class.toml", "--store", "kept").status == 0
    write("Bert", "0")
    made = call("tournament", "class.toml", "--store", "kept", "--mended")
    said = "kept: bert.py changed: 80 games with bert are played again, 40 games are kept.\n"
    assert made.status == 0 and said in made.err
    assert "80 games played in" in made.out
    assert call("tournament", "class.toml", "--mended").status == 2


def test_isolated_players_are_found_by_their_files_too(folder: Path) -> None:
    words = ("tournament", "class.toml", "--store", "kept", "--isolate", "--games", "6")
    assert call(*words).status == 0
    write("Bert", "0")
    made = call(*words, "--mended")
    assert made.status == 0 and "bert.py changed: 4 games with bert are played again, 2 games are kept" in made.err
