"""What is kept on disk is used where it is whole and belongs to what is asked for; all else is compiled again, and ends nothing."""

from __future__ import annotations

import errno
import os
import textwrap
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from molehunt.core import kernel_cache, kernels
from molehunt.core.kernel_files import KernelFiles
from molehunt.core.kernels import first_class, kernel


def doubled(number: Any) -> Any:
    return number + number


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty cache folder of this test's own."""
    monkeypatch.setattr(kernels, "CACHE_FOLDER", tmp_path / "kernels-1")
    monkeypatch.setattr(kernel_cache, "used", set())
    monkeypatch.setattr(kernel_cache, "_told", False)
    return tmp_path / "kernels-1"


def hits(number: Any) -> int:
    """How often a new kernel took its code for a number from the disk; it works either way."""
    made: Any = kernel(doubled)
    assert made(number) == 2 * number
    return sum(made.stats.cache_hits.values())


def test_code_is_kept_in_a_file_for_each_signature(cache: Path) -> None:
    assert [hits(1), hits(1), hits(1.0), hits(1), hits(1.0)] == [0, 1, 0, 1, 1]
    assert len([path for path in cache.rglob("*") if path.is_file()]) == 2


@pytest.mark.parametrize(
    "damage",
    [
        lambda whole: b"",
        lambda whole: whole[:10],
        lambda whole: whole[: len(whole) // 2],
        lambda whole: whole[:-1],
        lambda whole: bytes(len(whole)),
        lambda whole: whole[:-200] + bytes(200),
        lambda whole: b"no machine code",
    ],
)
def test_a_damaged_file_is_compiled_again_and_written_anew(
    damage: Callable[[bytes], bytes], cache: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    assert hits(1) == 0
    files = [path for path in cache.rglob("*") if path.is_file()]
    for path in files:
        path.write_bytes(damage(path.read_bytes()))
    assert [hits(1), hits(1)] == [0, 1]
    assert capfd.readouterr().err == ""


def test_a_damaged_file_of_a_function_with_an_address_is_compiled_again(cache: Path) -> None:
    for expected in (0, 1):
        assert first_class("int64(int64)", doubled).cache_hits == expected
    for path in cache.rglob("*.nb*"):
        path.write_bytes(b"")
    for expected in (0, 1):
        assert first_class("int64(int64)", doubled).cache_hits == expected


def test_a_file_that_names_what_there_is_no_more_is_not_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files = KernelFiles(tmp_path, "work", "stamp")
    files.save("key", textwrap.dedent)
    (kept,) = tmp_path.iterdir()
    assert files.load("key") is not None
    monkeypatch.delattr(textwrap, "dedent")
    assert kept.is_file()
    assert files.load("key") is None


def test_files_of_other_sources_and_other_signatures_are_not_used(tmp_path: Path) -> None:
    files = KernelFiles(tmp_path, "work", "stamp")
    files.save("key", 1)
    assert files.load("key") == 1
    assert files.load("other") is None
    assert KernelFiles(tmp_path, "work", "other").load("key") is None
    (kept,) = tmp_path.iterdir()
    files.save("other", 2)
    (other,) = set(tmp_path.iterdir()) - {kept}
    other.write_bytes(kept.read_bytes())
    assert files.load("other") is None
    files.flush()
    assert list(tmp_path.iterdir()) == []


def test_two_that_save_at_the_same_time_do_not_take_each_other_s_code(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = (KernelFiles(tmp_path, "work", "stamp") for _ in range(2))
    replace = os.replace

    def second_comes_between(source: Path, target: Path) -> None:
        monkeypatch.setattr(os, "replace", replace)
        second.save("second", 2)
        second.save("both", 4)
        replace(source, target)

    for key, data in (("first", 1), ("both", 3)):
        monkeypatch.setattr(os, "replace", second_comes_between)
        first.save(key, data)
    for files in (first, second):
        assert [files.load(key) for key in ("first", "second", "both")] == [1, 2, 3]


def full(*_: object) -> None:
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def test_where_nothing_can_be_written_the_code_stays_in_memory_and_that_is_said_once(
    cache: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(os, "replace", full)
    assert [hits(1), hits(1)] == [0, 0]
    assert first_class("int64(int64)", doubled).cache_hits == 0
    said = capfd.readouterr()
    assert said.out == ""
    assert said.err.count("\n") == 1
    assert str(cache) in said.err and "No space left on device" in said.err
    assert not [path for path in cache.rglob("*") if path.is_file()]  # nothing half written is left


def test_where_the_folder_cannot_be_made_the_code_stays_in_memory(
    cache: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    cache.touch()
    assert [hits(1), hits(1)] == [0, 0]
    assert str(cache) in capfd.readouterr().err
