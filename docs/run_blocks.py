"""Runs the code blocks of documentation pages as they stand there, in order, each page in an empty folder of its own.

python docs/run_blocks.py                       # all pages of docs/ that have blocks
python docs/run_blocks.py docs/first-player.md  # one

A block with a title is a file: ```python title="digger.py" is written to digger.py. A block ```sh is run by bash and stops at the
first command that fails; ```python without a title is run in a namespace that all such blocks of the page share. Other blocks
(```console, ```text, ...) are read by people only.
"""

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

DOCS = Path(__file__).parent
FENCE = re.compile(r"^```(\w+)?(?: +title=\"([^\"]+)\")?[^\n]*\n(.*?)^```$", re.MULTILINE | re.DOTALL)
LIMIT = 600
"""Seconds that a page may take."""


@dataclass(frozen=True)
class Block:
    language: str
    title: str
    text: str
    line: int

    @property
    def runs(self) -> bool:
        return bool(self.title) or self.language in ("sh", "python")


def blocks_of(page: Path) -> list[Block]:
    """The blocks of a page in order."""
    text = page.read_text("utf-8")
    return [
        Block(found[1] or "", found[2] or "", found[3], text.count("\n", 0, found.start()) + 2)
        for found in FENCE.finditer(text)
    ]


def run_page(page: Path, folder: Path) -> None:
    """Run the blocks of a page in a folder, in this process; leaves with status 1 at the first that fails."""
    os.chdir(folder)
    os.environ["PATH"] = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    os.environ["COLUMNS"] = "120"
    sys.path.insert(0, str(folder))
    names: dict[str, object] = {"__name__": "__main__"}
    for block in blocks_of(page):
        began = time.perf_counter()
        if block.title:
            (folder / block.title).parent.mkdir(parents=True, exist_ok=True)
            (folder / block.title).write_text(block.text, "utf-8")
            continue
        if block.language == "sh":
            ended = subprocess.run(
                ["/usr/bin/env", "bash", "-euxo", "pipefail", "-c", block.text], stdin=subprocess.DEVNULL, check=False
            )
            if ended.returncode:
                sys.exit(f"{page}:{block.line}: status {ended.returncode}")
        elif block.language == "python":
            exec(compile("\n" * (block.line - 1) + block.text, str(page), "exec"), names)  # noqa: S102 - our own pages
        else:
            continue
        print(f"-- line {block.line}: {time.perf_counter() - began:.1f} s", flush=True)


def run_apart(page: Path) -> str | None:
    """Run a page in a process and an empty folder of its own; what it printed if it failed, else None."""
    folder = tempfile.mkdtemp(prefix="molehunt-docs-")
    command = [sys.executable, __file__, "--in", folder, str(page.resolve())]
    try:
        ended = subprocess.run(
            command,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            stdin=subprocess.DEVNULL,
            timeout=LIMIT,
            check=False,
        )
    except subprocess.TimeoutExpired as late:
        return f"{page}: longer than {LIMIT} s\n{late.output}"
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    return None if ended.returncode == 0 else f"{page}\n{ended.stdout[-6000:]}"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("pages", nargs="*", type=Path)
    parser.add_argument("--in", dest="folder", type=Path, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.folder:
        (page,) = arguments.pages
        run_page(page, arguments.folder)
        return 0
    pages = arguments.pages or [
        page for page in sorted(DOCS.rglob("*.md")) if any(block.runs for block in blocks_of(page))
    ]
    failed = 0
    for page in pages:
        began = time.perf_counter()
        failure = run_apart(page)
        print(f"{page}: {'failed' if failure else 'runs'}, {time.perf_counter() - began:.1f} s", flush=True)
        if failure:
            failed += 1
            print(failure, file=sys.stderr, flush=True)
    print(f"{len(pages)} pages, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
