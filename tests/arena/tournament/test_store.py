"""A store outlives being killed at any moment: nothing is lost that was finished, nothing is counted twice."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from arena.tournament.small import TEXT, json_of, plan_of, played
from molehunt.arena import store as stores
from molehunt.arena.databases import RESULTS, StoreFailure, open_for_reading
from molehunt.arena.store import RECORDS, Store, read_plan, read_records, read_units
from molehunt.arena.tournament.events import Unit
from molehunt.arena.tournament.outcomes import UnitResult
from molehunt.arena.tournament.play import Progress, play_tournament
from molehunt.arena.workers import open_workers
from molehunt.core.errors import BadInput
from molehunt.core.record import parse_record
from molehunt.core.replay import Replay
from molehunt.games.registry import make_game

TWO = TEXT.replace('"random-listed", ', "")
"""The same in two units."""


@pytest.fixture(autouse=True)
def one_unit_a_transaction(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stores, "GAMES_TOGETHER", 1)


def go_on(folder: Path, text: str = TEXT, step: stores.Step | None = None) -> Progress:
    """Play what is missing in a store."""
    progress = Progress(plan_of(text))
    with Store(folder, progress.plan, step) as store, open_workers(2) as workers:
        first = progress.resume(store.results())
        play_tournament(progress, workers, store, first=first)
    return progress


def read(folder: Path) -> Progress:
    with open_for_reading(folder) as base:
        progress = Progress(read_plan(base))
        progress.resume(read_units(base))
    return progress


def records(folder: Path) -> bytes:
    with open_for_reading(folder) as base:
        return b"".join(read_records(folder, base))


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("whole") / "store"
    go_on(folder)
    return folder


def test_a_store_holds_what_was_played(whole: Path) -> None:
    assert json_of(read(whole)) == json_of(played())
    lines = records(whole).splitlines()
    assert len(lines) == 20 * 6
    for line in lines[::20]:
        Replay(parse_record(line), make_game)


def test_killed_between_any_two_steps_of_a_commit_it_ends_the_same(tmp_path: Path) -> None:
    # What a killed process leaves behind is what is in its files at that moment: they are copied at every step.
    names: list[str] = []

    def copy(name: str) -> None:
        shutil.copytree(tmp_path / "store", tmp_path / f"copy{len(names)}")
        names.append(name)

    go_on(tmp_path / "store", TWO, copy)
    assert len(names) == 1 + 2 * 5 and len(set(names)) == 6
    wanted = json_of(read(tmp_path / "store")), (tmp_path / "store" / RECORDS).read_bytes()
    for number, name in enumerate(names):
        folder = tmp_path / f"copy{number}"
        progress = Progress(plan_of(TWO))
        with Store(folder, progress.plan) as store, open_workers(1) as workers:
            first = progress.resume(store.results())
            assert progress.games == 20 * names[: number + 1].count("committed"), name
            play_tournament(progress, workers, store, first=first)
        assert (json_of(progress), (folder / RECORDS).read_bytes()) == wanted, name


def test_an_error_in_a_commit_leaves_only_what_was_committed(whole: Path, tmp_path: Path) -> None:
    calls = 0

    def fail(name: str) -> None:
        nonlocal calls
        calls += 1
        if calls == 9:
            raise OSError(28, "No space left on device")

    with pytest.raises(StoreFailure, match="No space left"):
        go_on(tmp_path / "store", step=fail)
    assert read(tmp_path / "store").games == 20
    assert json_of(go_on(tmp_path / "store")) == json_of(read(whole))


def test_a_torn_end_of_the_records_is_cut_off_or_played_again(whole: Path, tmp_path: Path) -> None:
    for number, size in enumerate((-700, -1, 0, 1)):
        folder = tmp_path / str(number)
        shutil.copytree(whole, folder)
        path = folder / RECORDS
        data = path.read_bytes()
        path.write_bytes(data[:size] if size < 0 else data + b"x" * size)
        with Store(folder, plan_of()) as store:
            assert bool(store.mended) == bool(size)
        go_on(folder)
        assert path.read_bytes() == data
        assert json_of(read(folder)) == json_of(read(whole))


def test_a_torn_end_of_the_log_of_the_database_is_not_counted(whole: Path, tmp_path: Path) -> None:
    logs: list[Path] = []

    def copy(name: str) -> None:
        if name == "committed":
            shutil.copytree(tmp_path / "store", tmp_path / f"copy{len(logs)}")
            logs.append(tmp_path / f"copy{len(logs)}" / f"{RESULTS}.wal")

    go_on(tmp_path / "store", step=copy)
    log = logs[3]
    size = log.stat().st_size
    for cut in (1, size // 2, size):
        folder = tmp_path / f"cut{cut}"
        shutil.copytree(log.parent, folder)
        os.truncate(folder / log.name, size - cut)
        assert json_of(go_on(folder)) == json_of(read(whole))


def test_records_that_are_damaged_are_named(whole: Path, tmp_path: Path) -> None:
    folder = tmp_path / "store"
    shutil.copytree(whole, folder)
    data = bytearray((folder / RECORDS).read_bytes())
    data[100] ^= 1
    (folder / RECORDS).write_bytes(data)
    with pytest.raises(StoreFailure, match=r"the records of unit 0 \(byte 0 on\)"):
        records(folder)


def test_a_damaged_database_is_named(whole: Path, tmp_path: Path) -> None:
    folder = tmp_path / "store"
    shutil.copytree(whole, folder)
    (folder / RESULTS).write_bytes(b"no database" * 1000)
    with pytest.raises(StoreFailure, match=r"results\.duckdb cannot be opened"):
        go_on(folder)
    with pytest.raises(StoreFailure, match=r"results\.duckdb cannot be read"):
        read(folder)


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("deals = 20", "deals = 21", "events duel/mcgill deals is 20 in the store and 21 now"),
        ('name = "small"', 'name = "large"', "name is 'small' in the store"),
        ("records = true", "records = false", "records is True in the store"),
        ("deals = 20", "deals = 20\nseed = 1", "seed is 0 in the store and 1 now"),
        ('"random-listed", ', "", "lineups is"),
    ],
)
def test_another_tournament_is_refused_with_what_differs(whole: Path, old: str, new: str, said: str) -> None:
    before = (whole / RESULTS).read_bytes()
    with pytest.raises(BadInput) as error:
        go_on(whole, TEXT.replace(old, new))
    assert "another tournament" in str(error.value) and said in str(error.value)
    assert (whole / RESULTS).read_bytes() == before


def test_another_version_is_refused(whole: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("molehunt.arena.tournament.identity.__version__", "9.9")
    with pytest.raises(BadInput, match=r"version is '[0-9.]*' in the store and '9.9' now"):
        go_on(whole)


def test_views_answer_in_a_store_and_in_its_copy(whole: Path, tmp_path: Path) -> None:
    shutil.copytree(whole, tmp_path / "store")
    (tmp_path / "store" / RESULTS).rename(tmp_path / "other.duckdb")
    for path in (whole, tmp_path / "other.duckdb"):
        with open_for_reading(path) as base:
            assert base.execute("SELECT count(*) FROM seats").fetchone() == (240,)
            assert base.execute("SELECT sum(seats) FROM rates").fetchone() == (240,)
            assert base.execute("SELECT games FROM progress").fetchone() == (120,)


def test_what_a_process_killed_in_its_first_moment_left_is_made_anew(whole: Path, tmp_path: Path) -> None:
    for left in (b"", b"half a header"):
        folder = tmp_path / str(len(left))
        folder.mkdir()
        (folder / stores.UNFINISHED).write_bytes(left)
        assert json_of(go_on(folder)) == json_of(read(whole))


def test_a_folder_with_other_things_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "letter.txt").write_text("dear")
    with pytest.raises(BadInput, match="other things in it"):
        go_on(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["letter.txt"]


def test_a_second_process_is_refused_and_may_ask(tmp_path: Path) -> None:
    store = tmp_path / "store"
    file = tmp_path / "file.toml"
    file.write_text(TEXT)
    words = [sys.executable, "-m", "molehunt"]
    progress = Progress(plan_of())

    class Halfway:
        def __init__(self, store: Store) -> None:
            self.store = store
            self.asked = False

        def keep(self, unit: Unit, result: UnitResult) -> None:
            self.store.keep(unit, result)
            if unit.number == 2:
                play = [*words, "tournament", str(file), "--store", str(store)]
                second = subprocess.run(play, capture_output=True, text=True, check=False)
                assert second.returncode == 2
                assert f"another process (process {os.getpid()}) is playing into" in second.stderr
                ask = [*words, "results", str(store), "--sql", "SELECT count(*) AS games FROM games", "--json", "-"]
                answer = subprocess.run(ask, capture_output=True, text=True, check=False)
                assert '"games": 60' in answer.stdout
                self.asked = True

        def flush(self) -> None:
            self.store.flush()

    with Store(store, progress.plan) as kept, open_workers(1) as workers:
        keeper = Halfway(kept)
        play_tournament(progress, workers, keeper)
    assert keeper.asked and json_of(read(store)) == json_of(progress)


def test_payoffs_come_back(tmp_path: Path) -> None:
    text = """
        game = "saboteur/official:rounds=1"
        seats = 3
        players = ["random"]
        deals = 30
    """
    progress = go_on(tmp_path / "store", text)
    assert progress.outcomes[0].has_payoffs
    assert json_of(read(tmp_path / "store")) == json_of(progress) == json_of(played(text))
