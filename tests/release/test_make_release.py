"""A release is made in a dry run: the version in every place, the wheel, the archive, the tag; and what is not ready is refused."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from pathlib import Path

import pytest

import molehunt

ROOT = Path(__file__).resolve().parents[2]
SCRIPT = ROOT / "release" / "make_release.py"
SECTION = re.compile(r"^## (\S+), (\S+)\n", re.MULTILINE)
GIT = shutil.which("git")
IDENTITY = dict.fromkeys(("GIT_AUTHOR_NAME", "GIT_COMMITTER_NAME"), "a test") | dict.fromkeys(
    ("GIT_AUTHOR_EMAIL", "GIT_COMMITTER_EMAIL"), "test@example.org"
)


def git(repository: Path, *words: str) -> str:
    made = subprocess.run(
        [GIT or "git", "-C", repository, *words], capture_output=True, text=True, check=True, env=os.environ | IDENTITY
    )
    return made.stdout.strip()


def release(repository: Path, *words: str) -> subprocess.CompletedProcess[str]:
    clean = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    return subprocess.run(
        [sys.executable, SCRIPT, "--repository", repository, *words],
        capture_output=True,
        text=True,
        check=False,
        env=clean | IDENTITY,
    )


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """A repository that holds the files of this one as they are, with all that it would have in a commit."""
    if GIT is None or not (ROOT / ".git").exists():
        pytest.skip("this is no clone of the repository")
    here = tmp_path / "repository"
    here.mkdir()
    for name in git(ROOT, "ls-files", "--cached", "--others", "--exclude-standard").splitlines():
        if (ROOT / name).is_file():
            (here / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, here / name)
    git(here, "init", "--quiet")
    git(here, "add", "--all")
    git(here, "commit", "--quiet", "--message", "All of it")
    return here


def test_the_version_stands_in_one_place_and_the_changes_begin_with_it() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    assert project["project"]["dynamic"] == ["version"]
    assert project["tool"]["hatch"]["version"]["path"] == "src/molehunt/__init__.py"
    assert f"\nversion: {molehunt.__version__}\n" in (ROOT / "CITATION.cff").read_text("utf-8")
    found = SECTION.search((ROOT / "CHANGELOG.md").read_text("utf-8"))
    assert found and (found[1] == molehunt.__version__ or found[2] == "unreleased")


def test_a_dry_run_makes_all_of_a_release_and_changes_nothing_here(repository: Path) -> None:
    first = git(repository, "rev-parse", "HEAD")
    made = release(repository, molehunt.__version__, "--dry-run")
    assert made.returncode == 0, made.stderr
    assert "nothing here has changed" in made.stdout
    assert f"tag v{molehunt.__version__}, with " in made.stdout
    assert f"molehunt-{molehunt.__version__}-py3-none-any.whl, " in made.stdout
    assert (git(repository, "rev-parse", "HEAD"), git(repository, "tag", "--list")) == (first, "")
    assert git(repository, "status", "--porcelain") == "" and not (repository / "dist").exists()


def test_a_release_bears_its_version_everywhere(repository: Path) -> None:
    changes = repository / "CHANGELOG.md"
    old = molehunt.__version__
    text = changes.read_text("utf-8")
    changes.write_text(
        text.replace(f"## {old}, unreleased", "## 7.8.9, unreleased\n\n- One thing.\n- Another.\n\n## 0.0.1, long ago")
    )
    git(repository, "commit", "--quiet", "--all", "--message", "Two changes")
    made = release(repository, "7.8.9")
    assert made.returncode == 0, made.stderr
    assert "tag v7.8.9, with 2 changes" in made.stdout
    tag = git(repository, "tag", "--list", "--format=%(contents)", "v7.8.9")
    assert tag == "molehunt 7.8.9\n\n- One thing.\n- Another."
    assert git(repository, "show", "--format=%s", "--name-only", "HEAD").split("\n") == [
        "Release 7.8.9",
        "",
        "CHANGELOG.md",
        "CITATION.cff",
        "src/molehunt/__init__.py",
    ]
    assert re.search(r"^## 7\.8\.9, \d{4}-\d\d-\d\d$", changes.read_text("utf-8"), re.MULTILINE)
    (wheel,) = (repository / "dist").glob("*.whl")
    with zipfile.ZipFile(wheel) as files:
        metadata = files.read("molehunt-7.8.9.dist-info/METADATA").decode()
        points = files.read("molehunt-7.8.9.dist-info/entry_points.txt").decode()
        assert b'__version__ = "7.8.9"' in files.read("molehunt/__init__.py")
        shipped = {name.removeprefix("molehunt/") for name in files.namelist() if name.startswith("molehunt/")}
    assert "\nVersion: 7.8.9\n" in metadata
    assert all(f"Python :: 3.{minor}\n" in metadata for minor in (11, 12, 13))
    assert "molehunt = molehunt.cli:main" in points
    listed = git(repository, "ls-files", "src/molehunt").splitlines()
    assert shipped == {name.removeprefix("src/molehunt/") for name in listed}
    (archive,) = (repository / "dist").glob("*.tar.gz")
    with tarfile.open(archive) as files:
        names = files.getnames()
    # Whoever has the archive alone can do all that a clone can: its tests read every file.
    assert sorted(names) == sorted(
        f"molehunt-7.8.9/{name}" for name in ("PKG-INFO", *git(repository, "ls-files").splitlines())
    )
    # The next one must come after it, and needs changes of its own.
    for version, said in (
        ("7.8.9", "there is a tag v7.8.9"),
        ("7.8.8", "does not come after 7.8.9"),
        ("7.9.0", "does not begin"),
    ):
        again = release(repository, version, "--dry-run")
        assert (again.returncode, again.stdout) == (1, "") and said in again.stderr


def test_what_is_not_ready_is_refused_and_nothing_is_changed(repository: Path) -> None:
    for version, said in (("1.0", "three numbers"), ("v1.0.0", "three numbers"), ("99.0.0", "## 99.0.0, unreleased")):
        made = release(repository, version)
        assert (made.returncode, made.stdout) == (1, "") and said in made.stderr
    (repository / "stray.txt").write_text("?")
    made = release(repository, molehunt.__version__)
    assert made.returncode == 1 and "no commit holds" in made.stderr
    assert git(repository, "tag", "--list") == "" and not (repository / "dist").exists()
