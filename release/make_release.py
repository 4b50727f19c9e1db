"""Make a release: the version, the changes, a wheel, the sources as an archive, a tag.

    python release/make_release.py 0.2.0 --dry-run    all of it in a copy of the repository; nothing here changes
    python release/make_release.py 0.2.0              here: files in dist/, a commit, an annotated tag; nothing leaves the machine
    python release/make_release.py 0.2.0 --machine-code FOLDER    one more wheel, with what release/compile_kernels.py put there

CHANGELOG.md begins with the section of the version, `## 0.2.0, unreleased`, which gets today's date. The version is written into
the package and CITATION.cff. The wheel is made from the archive of the sources, so that both hold the same. Run `.ci/run` before.
What is to be done by hand afterwards is said at the end.
"""

from __future__ import annotations

import argparse
import datetime as dt
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
VERSION = re.compile(r"(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)")
CHANGES, CITATION, PACKAGE = "CHANGELOG.md", "CITATION.cff", "src/molehunt/__init__.py"
SECTION = re.compile(r"^## (?P<version>\S+), (?P<date>\S+)\n(?P<text>.*?)(?=^## |\Z)", re.MULTILINE | re.DOTALL)
IN_THE_WHEEL = (
    "molehunt/__init__.py",
    "molehunt/py.typed",
    "molehunt/studies/published/",
    "molehunt/web/static/",
    "/licenses/LICENSE",
)
IN_THE_ARCHIVE = (
    "src/molehunt/__init__.py",
    "tests/",
    "docs/",
    "LICENSE",
    "CHANGELOG.md",
    "constraints.txt",
    "PKG-INFO",
)


class NotReady(Exception):
    """Why there can be no release."""


def git(repository: Path, *words: str, told: str = "") -> str:
    """What git prints, `told` something on its standard input; NotReady with what it says where it fails."""
    done = subprocess.run(["git", "-C", repository, *words], input=told, capture_output=True, text=True, check=False)  # noqa: S607
    if done.returncode:
        raise NotReady(f"git {' '.join(words[:2])}: {done.stderr.strip()}")
    return done.stdout.strip()


def numbers(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in version.split("."))


def check(repository: Path, version: str) -> str:
    """The text of the changes of a version that may be released; NotReady says what is missing."""
    if not VERSION.fullmatch(version):
        raise NotReady(f"a version is three numbers, 0.2.0, not {version!r:.40}")
    if git(repository, "status", "--porcelain"):
        raise NotReady("there are changes that no commit holds: git status")
    released = [tag[1:] for tag in git(repository, "tag", "--list", "v*").split() if VERSION.fullmatch(tag[1:])]
    if version in released:
        raise NotReady(f"there is a tag v{version}")
    newest = max(released, key=numbers, default=None)
    if newest is not None and numbers(version) <= numbers(newest):
        raise NotReady(f"{version} does not come after {newest}")
    section = SECTION.search((repository / CHANGES).read_text("utf-8"))
    if section is None or section["version"] != version or section["date"] != "unreleased":
        raise NotReady(f"{CHANGES} does not begin with a section `## {version}, unreleased`")
    if "- " not in section["text"]:
        raise NotReady(f"{CHANGES} says of no change in {version}")
    return section["text"].strip()


def replace(path: Path, pattern: str, text: str) -> None:
    """Put a text in the one place of a file where a pattern stands."""
    changed, count = re.subn(pattern, text, path.read_text("utf-8"), count=1, flags=re.MULTILINE)
    if not count:
        raise NotReady(f"{path} has no line {pattern}")
    path.write_text(changed, "utf-8")


def write_version(repository: Path, version: str, today: str) -> None:
    replace(repository / PACKAGE, r'^__version__ = ".*"$', f'__version__ = "{version}"')
    replace(repository / CITATION, r"^version: .*$", f"version: {version}")
    replace(repository / CHANGES, rf"^## {re.escape(version)}, unreleased$", f"## {version}, {today}")


def build(repository: Path, dist: Path, machine_code: Path | None) -> list[Path]:
    """The archive of the sources, the wheel made from it, and where it is wanted the wheel with machine code."""
    dist.mkdir(parents=True, exist_ok=True)
    before = set(dist.iterdir())
    with tempfile.TemporaryDirectory() as folder:
        run_builder(repository, "sdist", dist)
        (archive,) = set(dist.glob("*.tar.gz")) - before
        shutil.unpack_archive(archive, folder)
        (unpacked,) = Path(folder).iterdir()
        run_builder(unpacked, "wheel", dist)
    if machine_code is not None:
        run_builder(repository, "wheel", dist, MOLEHUNT_MACHINE_CODE=str(machine_code.resolve()))
    return sorted(set(dist.iterdir()) - before)


def run_builder(repository: Path, target: str, dist: Path, **settings: str) -> None:
    clean = {name: value for name, value in os.environ.items() if name != "MOLEHUNT_MACHINE_CODE"}
    done = subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "--target", target, "--directory", dist.resolve()],
        cwd=repository,
        env=clean | settings,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise NotReady(f"the {target} cannot be built: {(done.stderr or done.stdout).strip()}")


def inspect(files: list[Path], version: str) -> None:
    """NotReady where a file lacks something that belongs there."""
    wanted: tuple[str, ...]
    for path in files:
        if path.suffix == ".whl":
            names = zipfile.ZipFile(path).namelist()
            wanted = IN_THE_WHEEL
        else:
            with tarfile.open(path) as archive:
                names = archive.getnames()
            wanted = IN_THE_ARCHIVE
        missing = [part for part in wanted if not any(part in name for name in names)]
        if missing or f"molehunt-{version}" not in path.name:
            raise NotReady(f"{path.name} lacks {', '.join(missing) or version}")


def make(repository: Path, dist: Path, version: str, machine_code: Path | None, *identity: str) -> None:
    """All of it in one repository."""
    changes = check(repository, version)
    today = dt.datetime.now(dt.UTC).date().isoformat()
    write_version(repository, version, today)
    files = build(repository, dist, machine_code)
    inspect(files, version)
    git(repository, "add", PACKAGE, CITATION, CHANGES)
    git(repository, *identity, "commit", "--quiet", "--message", f"Release {version}")
    git(
        repository,
        *identity,
        "tag",
        "--annotate",
        f"v{version}",
        "--cleanup=verbatim",
        "--file=-",  # the changes of a version may be more than an argument holds
        told=f"molehunt {version}\n\n{changes}\n",
    )
    print(git(repository, "show", "--stat", "--format=%s", "HEAD"))
    print(f"tag v{version}, with {changes.count(chr(10) + '- ') + changes.startswith('- ')} changes")
    for path in files:
        print(f"{path.name}, {path.stat().st_size / 2**20:.1f} MiB")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("version", help="the version to release, 0.2.0")
    parser.add_argument("--dry-run", action="store_true", help="do it in a copy; nothing here changes")
    parser.add_argument("--machine-code", type=Path, help="a folder of release/compile_kernels.py")
    parser.add_argument(
        "--repository", type=Path, default=ROOT, help="whose release it is; by default that of this file"
    )
    given = parser.parse_args()
    try:
        if not given.dry_run:
            make(given.repository, given.repository / "dist", given.version, given.machine_code)
            print(f"Look at it, then: git push --follow-tags, and upload dist/*{given.version}* to the package index.")
            return 0
        check(given.repository, given.version)  # of what is here, uncommitted changes too
        with tempfile.TemporaryDirectory() as folder:
            copy = Path(folder) / "molehunt"
            git(given.repository, "clone", "--quiet", str(given.repository.resolve()), str(copy))
            make(
                copy,
                Path(folder) / "dist",
                given.version,
                given.machine_code,
                "-c",
                "user.name=dry run",
                "-c",
                "user.email=",
            )
        print("This was a dry run: nothing here has changed.")
    except NotReady as error:
        print(f"make_release: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
