"""Machine code that came with the package is used where it was made from the same sources, and never in place of one's own."""

from __future__ import annotations

from pathlib import Path

import pytest

from molehunt.core import kernel_cache
from molehunt.core.kernel_cache import folder_of
from molehunt.core.kernel_sources import content_key

SOURCE = "def work():\n    return 1\n"


@pytest.fixture
def source(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A module of which machine code was shipped."""
    monkeypatch.setattr(kernel_cache, "SHIPPED", tmp_path / "shipped")
    monkeypatch.setattr(kernel_cache, "used", set())
    path = tmp_path / "module.py"
    path.write_text(SOURCE)
    shipped = tmp_path / "shipped" / "kernels-1" / "module" / content_key(path)
    shipped.mkdir(parents=True)
    (shipped / "work.nbi").write_bytes(b"index")
    (shipped / "work.1.nbc").write_bytes(b"code")
    return path


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_shipped_code_is_taken_over_where_there_is_none_yet(source: Path, tmp_path: Path) -> None:
    mine = folder_of(tmp_path / "cache" / "kernels-1", source)
    assert names(mine) == ["work.1.nbc", "work.nbi"]
    assert mine.is_relative_to(tmp_path / "cache")
    assert names(mine.parent) == [mine.name]  # nothing is left of the copying


def test_one_s_own_code_stays(source: Path, tmp_path: Path) -> None:
    folder = tmp_path / "cache" / "kernels-1"
    mine = folder / "module" / content_key(source)
    mine.mkdir(parents=True)
    (mine / "own.nbi").touch()
    assert names(folder_of(folder, source)) == ["own.nbi"]


def test_code_of_other_versions_of_the_compiler_is_left_alone(source: Path, tmp_path: Path) -> None:
    assert names(folder_of(tmp_path / "cache" / "kernels-2", source)) == []


def test_code_of_other_sources_is_left_alone(source: Path, tmp_path: Path) -> None:
    source.write_text(SOURCE.replace("1", "2000"))
    assert names(folder_of(tmp_path / "cache" / "kernels-1", source)) == []


def test_where_it_cannot_be_copied_the_folder_is_empty(
    source: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("molehunt.core.kernel_cache.shutil.copytree", full)
    assert names(folder_of(tmp_path / "cache" / "kernels-1", source)) == []


def test_a_module_that_has_moved_within_its_package_gets_new_code_and_a_second_copy_of_the_package_none(
    tmp_path: Path,
) -> None:
    """Machine code names the modules that it calls: that of a module which has moved would look for the old one."""
    keys = []
    for copy in ("first", "second"):
        for room in ("old", "new"):
            folder = tmp_path / copy / "package" / room
            folder.mkdir(parents=True)
            (folder.parent / "__init__.py").touch()
            (folder / "__init__.py").touch()
            (folder / "module.py").write_text(SOURCE)
            keys.append(content_key(folder / "module.py"))
    assert keys[0] == keys[2] and keys[1] == keys[3] and keys[0] != keys[1]
