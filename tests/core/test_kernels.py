"""How kernels are compiled and kept, and the small functions on words of bits."""

from __future__ import annotations

import os
import random
import shutil
import subprocess
import sys
from pathlib import Path

import numba
import numpy as np
import pytest

import molehunt
from molehunt.arena.node import sources_of
from molehunt.core import kernels
from molehunt.core.kernel_cache import KEEP_KEYS
from molehunt.core.kernels import bit, kernel, lowest, nth_bit, popcount, watch_compiling, without_lowest
from molehunt.core.made import DATA

WORDS = [0, 1, 2**63, 2**64 - 1, 0x5555555555555555, 6] + [random.Random(n).getrandbits(64) for n in range(200)]


@kernel
def ones(word: np.uint64) -> int:
    return popcount(word)  # type: ignore[no-any-return]


@kernel
def first(word: np.uint64) -> int:
    return lowest(word)  # type: ignore[no-any-return]


@pytest.mark.parametrize("word", WORDS)
def test_words_of_bits_are_counted_and_gone_through_as_in_python(word: int) -> None:
    places = [place for place in range(64) if word >> place & 1]
    assert ones(np.uint64(word)) == len(places)
    assert first(np.uint64(word)) == (places[0] if places else 64)
    assert [nth_bit(np.uint64(word), nth) for nth in range(len(places))] == places
    if places:
        assert int(without_lowest(np.uint64(word))) == word - (1 << places[0])


def test_bit_is_one_at_its_index() -> None:
    assert [int(bit(index)) for index in range(64)] == [1 << index for index in range(64)]


# --- The cache --------------------------------------------------------------------------------------------------------

FOLDERS = ("core", "games", "beliefs", "search", "agents")


@pytest.fixture
def package(tmp_path: Path) -> Path:
    """A small package with the real `core.kernels`, in which one kernel calls another from another file."""
    root = tmp_path / "molehunt"
    for folder in FOLDERS:
        (root / folder).mkdir(parents=True)
    (root / "__init__.py").touch()  # a package proper, so that it comes before an installed one
    for name in (
        "errors",
        "kernels",
        "kernel_cache",
        "kernel_files",
        "kernel_sources",
        "kernel_values",
        "language",
        "linking",
        "processor",
        "record_copies",
        "sharing",
        "unraised",
    ):
        shutil.copy(Path(kernels.__file__).with_stem(name), root / "core" / f"{name}.py")
    (root / "games" / "inner.py").write_text(
        "from molehunt.core.kernels import kernel\n\n@kernel\ndef inner():\n    return 1\n"
    )
    (root / "games" / "outer.py").write_text(
        "from molehunt.core.kernels import kernel\nfrom molehunt.games.inner import inner\n\n"
        "@kernel\ndef outer():\n    return 10 * inner()\n"
    )
    return root


def python(package: Path, code: str, **settings: str) -> str:
    """What a fresh Python prints that imports the small package."""
    path = os.pathsep.join([str(package.parent), *(place for place in sys.path if place.endswith("site-packages"))])
    environment = {"PATH": os.environ["PATH"], "PYTHONPATH": path, "MOLEHUNT_CACHE": str(package.parent / "cache")}
    done = subprocess.run(
        [sys.executable, "-c", code], env=environment | settings, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


OUTER = "from molehunt.games.outer import outer; print(outer(), sum(outer.stats.cache_hits.values()))"
PLACE = "from molehunt.games.outer import outer; print(outer._cache.cache_path)"


@pytest.mark.thorough
def test_change_of_a_kernel_is_noticed_by_a_kernel_in_another_file(package: Path) -> None:
    assert python(package, OUTER) == "10 0"
    assert python(package, OUTER) == "10 1"
    inner = package / "games" / "inner.py"
    inner.write_text(inner.read_text().replace("return 1", "return 2"))
    assert python(package, OUTER) == "20 0"


@pytest.mark.thorough
def test_a_second_copy_of_the_same_sources_compiles_nothing(package: Path, tmp_path: Path) -> None:
    assert python(package, OUTER) == "10 0"
    other = shutil.copytree(package, tmp_path / "elsewhere" / "molehunt", ignore=shutil.ignore_patterns("__pycache__"))
    assert python(other, OUTER, MOLEHUNT_CACHE=str(package.parent / "cache")) == "10 1"


def key(package: Path, module: str) -> str:
    """The key of a module of the small package, computed in a fresh process."""
    code = (
        "from pathlib import Path; import molehunt; from molehunt.core.kernel_cache import content_key; "
        f"print(content_key(Path(molehunt.__file__).parent.resolve() / {module!r}))"
    )
    return python(package, code)


def test_key_changes_with_what_a_module_imports_and_with_nothing_else(package: Path) -> None:
    before = key(package, "games/outer.py")
    (package / "games" / "beside.py").write_text("A = 1\n")
    (package / "games" / "notes.txt").write_text("a")
    assert key(package, "games/outer.py") == before
    changed = {before}
    for file in ("core/kernels.py", "games/inner.py", "games/outer.py", "core/kernel_cache.py"):
        with (package / file).open("a") as source:
            source.write("\nA = 2\n")
        changed.add(key(package, "games/outer.py"))
    assert len(changed) == 5
    assert key(package, "games/inner.py") not in changed


def test_key_follows_imports_of_modules_by_their_package_and_over_several_lines(package: Path) -> None:
    (package / "games" / "__init__.py").touch()
    (package / "games" / "constants.py").write_text("B = 1\n")
    outer = package / "games" / "outer.py"
    for line in (
        "from molehunt.games import constants\n",
        "from molehunt.games.constants import (\n    B,\n)\n",
        "import molehunt.games.constants\n",
    ):
        outer.write_text(line)
        before = key(package, "games/outer.py")
        with (package / "games" / "constants.py").open("a") as source:
            source.write("C = 3\n")
        assert key(package, "games/outer.py") != before


@pytest.mark.thorough
def test_folder_of_the_cache_is_another_one_with_bounds_checks(package: Path) -> None:
    plain = python(package, PLACE)
    assert "kernels-" in plain
    assert python(package, PLACE) == plain
    assert python(package, PLACE, NUMBA_BOUNDSCHECK="1") != plain


def test_sources_of_rules_and_players_are_all_that_hold_kernels_below_those_who_watch_and_teach_them() -> None:
    sources = Path(kernels.__file__).parents[1]
    holding = {
        path.relative_to(sources).parts[0] for path in sources.rglob("*.py") if "@kernel" in path.read_text("utf-8")
    }
    assert holding - set(kernels.KERNEL_FLOORS) == {"adapters", "learning", "studies"}


@pytest.mark.parametrize("setting", ["BOUNDSCHECK", "OPT", "LOOP_VECTORIZE", "SLP_VECTORIZE", "DEBUGINFO_DEFAULT"])
def test_settings_that_change_the_code_have_folders_of_their_own(setting: str, monkeypatch: pytest.MonkeyPatch) -> None:
    before = kernels.made_by()
    monkeypatch.setattr(numba.core.config, setting, 2)
    assert kernels.made_by() != before


def test_another_llvmlite_has_a_folder_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    before = kernels.made_by()
    monkeypatch.setattr("llvmlite.__version__", "0.0")
    assert kernels.made_by() != before


def test_only_the_latest_keys_of_a_module_are_kept(package: Path) -> None:
    mine = Path(python(package, PLACE))
    shutil.rmtree(mine)
    for number in range(KEEP_KEYS + 4):
        (mine.parent / f"old-{number}").mkdir()
        os.utime(mine.parent / f"old-{number}", (number, number))
    assert Path(python(package, PLACE)) == mine
    kept = {f"old-{number}" for number in range(4, KEEP_KEYS + 4)}
    assert {path.name for path in mine.parent.iterdir()} == {mine.name} | kept


def test_sources_of_rules_and_players_have_a_hash(package: Path) -> None:
    before = kernels.source_hash(package)
    (package / "cli.py").write_text("A = 1\n")
    assert kernels.source_hash(package) == before
    (package / "agents" / "another.py").write_text("A = 1\n")
    assert kernels.source_hash(package) != before


def test_data_of_rules_and_players_count_where_the_same_games_are_to_be_played(package: Path) -> None:
    endings = (".py", *DATA)
    for name in ("agents/saboteur/weights/krisnadi-5.safetensors", "reading/habits.json"):
        before, compiled, of_node = (
            kernels.source_hash(package, endings=endings),
            kernels.source_hash(package),
            sources_of(package),
        )
        (package / name).parent.mkdir(parents=True, exist_ok=True)
        (package / name).write_text(name)
        assert kernels.source_hash(package, endings=endings) != before and sources_of(package) != of_node
        assert kernels.source_hash(package) == compiled  # there is machine code all the same
    held = Path(kernels.__file__).parents[1]
    known = {path.suffix for folder in kernels.KERNEL_FLOORS for path in (held / folder).rglob("*") if path.is_file()}
    assert known - {".pyc"} == set(endings)


def test_every_kernel_is_kept_in_the_folder() -> None:
    assert kernels.CACHE_FOLDER.is_dir()
    ones(np.uint64(1))
    assert list(kernels.CACHE_FOLDER.rglob("*.nbc"))
    assert not list(Path(molehunt.__file__).parent.rglob("*.nbc"))


def test_it_is_warm_where_a_third_of_the_modules_at_hand_have_machine_code(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folders = [tmp_path / name for name in "abcd"]
    for folder in folders:
        folder.mkdir()
    (folders[0] / "one.nbc").touch()
    for count, warm in ((0, False), (1, True), (3, True), (4, False)):
        monkeypatch.setattr(kernels, "used", set(folders[:count]))
        assert kernels.warm() is warm
    monkeypatch.setattr(kernels, "used", set(folders[1:2]))
    assert not kernels.warm()


# --- Compiling --------------------------------------------------------------------------------------------------------


def test_what_is_compiled_is_told_by_name_and_once() -> None:
    # Not kept on disk: it is compiled whenever this test runs.
    @numba.njit(cache=False)  # type: ignore[untyped-decorator]
    def compiled_here(number: int) -> int:
        return number + 1

    told: list[str] = []
    with watch_compiling(told.append):
        assert compiled_here(1) == 2
        assert compiled_here(2) == 3
    assert told == ["compiled_here"]
    with watch_compiling(told.append):
        assert compiled_here(3) == 4
    assert told == ["compiled_here"]


def test_kernel_keeps_its_python_function() -> None:
    assert bit.py_func(3) == 8  # type: ignore[attr-defined]


def test_kernel_divides_by_zero_as_numpy_does() -> None:
    @kernel
    def divide(a: float, b: float) -> float:
        return a / b

    assert divide(1.0, 0.0) == float("inf")


def test_without_compiling_it_is_said_what_to_unset() -> None:
    ended = subprocess.run(
        [sys.executable, "-m", "molehunt", "show", "duel"],
        env=os.environ | {"NUMBA_DISABLE_JIT": "1", "PYTHONPATH": str(Path(molehunt.__file__).parents[1])},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ended.returncode == 2
    assert "NUMBA_DISABLE_JIT is set" in ended.stderr and "internal error" not in ended.stderr
