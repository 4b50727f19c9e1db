"""The cache folder is where the user says or keeps such things, or else one that nobody else can write to; none ends a program."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

import molehunt
from molehunt.core import kernel_cache
from molehunt.core.kernel_cache import cache_root

DEAL = "import molehunt; molehunt.deal('saboteur', seed=1)"
IMPORT = "import molehunt.core.kernels"


@pytest.fixture
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The system's folder for temporary files; nothing else is set."""
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "gettempdir", lambda: str(folder))
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    monkeypatch.setenv("MOLEHUNT_CACHE", "")
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    return folder


def name_of_mine() -> str:
    return f"molehunt-{os.getuid()}"


def test_cache_goes_where_the_environment_says(
    temporary: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert cache_root() == tmp_path / "home" / ".cache" / "molehunt"
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "users"))
    assert cache_root() == tmp_path / "users" / "molehunt"
    monkeypatch.setenv("MOLEHUNT_CACHE", str(tmp_path / "given"))
    assert cache_root() == tmp_path / "given"
    monkeypatch.setenv("MOLEHUNT_CACHE", "~/mine")
    assert cache_root() == tmp_path / "home" / "mine"


def test_cache_goes_to_a_private_folder_where_the_users_cannot_be_written(
    temporary: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    mine = cache_root()
    assert mine == temporary / name_of_mine()
    assert mine.stat().st_mode & 0o777 == 0o700
    assert cache_root() == mine
    assert capfd.readouterr().err == ""


def test_cache_goes_to_a_private_folder_where_nobody_knows_a_home(
    temporary: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def unknown(*_: object) -> None:
        raise KeyError("getpwuid(): uid not found")

    monkeypatch.delenv("HOME")
    monkeypatch.setattr("pwd.getpwuid", unknown)
    assert cache_root() == temporary / name_of_mine()


@pytest.mark.parametrize("given", ["file", "file/below", "/proc/nothing", "~nobody-of-this-name/cache"])
def test_a_setting_that_cannot_be_used_is_said_once_and_another_folder_taken(
    given: str,
    temporary: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("MOLEHUNT_CACHE", str(tmp_path / given) if given[0] == "f" else given)
    assert cache_root() == temporary / name_of_mine()
    said = capfd.readouterr()
    assert said.out == ""
    assert said.err.startswith("molehunt: MOLEHUNT_CACHE is ") and said.err.count("\n") == 1
    assert "should name a folder" in said.err
    # So it is for the next, and for all processes that this one starts.
    assert os.environ["MOLEHUNT_CACHE"] == str(temporary / name_of_mine())
    assert cache_root() == temporary / name_of_mine()
    assert capfd.readouterr().err == ""


def test_a_folder_that_cannot_be_written_serves_where_it_holds_machine_code(
    temporary: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    def read_only(folder: Path) -> None:
        if folder == given:
            raise OSError(30, "Read-only file system")

    given = tmp_path / "given"
    monkeypatch.setattr(kernel_cache, "_try_to_write", read_only)
    monkeypatch.setenv("MOLEHUNT_CACHE", str(given))
    assert cache_root() == temporary / name_of_mine()
    assert "Read-only file system" in capfd.readouterr().err
    (given / "kernels-1" / "module").mkdir(parents=True)
    monkeypatch.setenv("MOLEHUNT_CACHE", str(given))
    assert cache_root() == given
    assert capfd.readouterr().err == ""


@pytest.mark.parametrize("how", ["open to others", "a link", "a file", "another's"])
def test_a_temporary_folder_that_others_may_have_made_is_not_taken(
    how: str, temporary: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    theirs = temporary / name_of_mine()
    if how == "a link":
        (tmp_path / "elsewhere").mkdir(mode=0o700)
        theirs.symlink_to(tmp_path / "elsewhere")
    elif how == "a file":
        theirs.touch()
    else:
        theirs.mkdir(mode=0o700)
        theirs.chmod(0o777 if how == "open to others" else 0o700)
    if how == "another's":
        user = os.getuid()
        monkeypatch.setattr(os, "getuid", lambda: user + 1)
        theirs.rename(temporary / name_of_mine())
    new = cache_root()
    assert new.parent == temporary and new.name != name_of_mine()
    assert new.stat().st_mode & 0o777 == 0o700
    assert os.environ["MOLEHUNT_CACHE"] == str(new)


def test_where_there_is_no_temporary_folder_either_the_place_is_none(
    temporary: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def none() -> str:
        raise FileNotFoundError(2, "No usable temporary directory found")

    (tmp_path / "file").touch()
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    monkeypatch.setattr(tempfile, "gettempdir", none)
    assert not cache_root().parent.is_dir()
    assert not kernel_cache.make_cache_folder("1").exists()


@pytest.mark.parametrize(("code", "private"), [(DEAL, True), (IMPORT, False)])
def test_cards_are_dealt_whatever_the_setting_and_nothing_but_a_private_folder_is_left(
    code: str, private: bool, tmp_path: Path
) -> None:
    (tmp_path / "file").touch()
    mine = tmp_path / name_of_mine()
    mine.mkdir(mode=0o700)
    mine.chmod(0o700 if private else 0o777)
    made = subprocess.run(
        [sys.executable, "-c", f"{code}; import os; print(os.environ['MOLEHUNT_CACHE'])"],
        env={
            "PATH": os.environ["PATH"],
            "PYTHONPATH": str(Path(molehunt.__file__).parents[1]),
            "MOLEHUNT_CACHE": str(tmp_path / "file"),
            "TMPDIR": str(tmp_path),
        },
        capture_output=True,
        text=True,
        check=False,
    )
    assert made.returncode == 0, made.stderr
    assert made.stderr.count("\n") == 1 and "MOLEHUNT_CACHE" in made.stderr
    assert (Path(made.stdout.strip()) == mine) == private
    assert sorted(path.name for path in tmp_path.iterdir()) == ["file", mine.name]
