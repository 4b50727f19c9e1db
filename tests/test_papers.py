"""The pages of the papers: what each paper has is held by a test or a study that exists."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from molehunt.studies.study import STUDIES, load_study

ROOT = Path(__file__).resolve().parents[1]
PAGES = sorted((ROOT / "docs" / "papers").glob("*.md"))
REFERENCE = re.compile(r"`(tests/[^`]+::\w+|study [^`]+)`")


def entries(page: Path) -> list[tuple[str, str]]:
    """What a paper has, and what holds it: the last table of its page."""
    _, _, table = page.read_text("utf-8").rpartition("| held by |\n")
    lines = [line.strip("| ").split(" | ") for line in table.splitlines() if line.startswith("|")]
    return [(cells[0], cells[-1]) for cells in lines[1:]]


def exists(reference: str) -> bool:
    """Whether there is such a test, or a study with a section of rows whose ids begin so."""
    if reference.startswith("tests/"):
        file, _, name = reference.partition("::")
        path = ROOT / file
        return (
            path.is_file() and re.search(rf"^(async )?def {name}\(", path.read_text("utf-8"), re.MULTILINE) is not None
        )
    _, name, prefix = reference.split()
    return name in STUDIES and any(section.prefix.startswith(prefix) for section in load_study(name).sections)


def test_there_are_pages() -> None:
    assert PAGES


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_everything_that_a_paper_has_is_held_by_a_test_or_a_study(page: Path) -> None:
    found = entries(page)
    assert len(found) >= 10
    for what, held_by in found:
        references = REFERENCE.findall(held_by)
        assert references, f"{what} is held by nothing"
        for reference in references:
            assert exists(reference), f"{what}: there is no {reference}"


@pytest.mark.parametrize(
    "reference", ["tests/test_papers.py::no_such", "study krisnadi2019 table9/", "study nothing x/"]
)
def test_what_does_not_exist_is_seen(reference: str) -> None:
    assert not exists(reference)
