"""The modules of a page as one script, for a replay that needs no server."""

from __future__ import annotations

import re
from collections import Counter

import pytest

from molehunt.web.pages import STATIC
from molehunt.web.replays import _bundle

PAGES = sorted(path.name for path in STATIC.glob("replay_*.js"))
DECLARED = re.compile(r"^(?:async function|function|class|const|let|var)\s+\*?\s*(\w+)", re.MULTILINE)
MODULES = re.compile(r"^\s*(import|export)\b.*", re.MULTILINE)


@pytest.mark.parametrize("page", PAGES)
def test_modules_become_one_script_in_which_no_name_stands_twice(page: str) -> None:
    script = _bundle(page)
    assert [found[0] for found in MODULES.finditer(script)] == []
    names = Counter(DECLARED.findall(script))
    assert {name: count for name, count in names.items() if count > 1} == {}
    assert len(names) > 20
    imported = set(re.findall(r'from "\./([\w.]+)"', (STATIC / page).read_text("utf-8")))
    assert imported, "a page that imports nothing needs no bundle"
    for module in imported:
        for name in re.findall(
            r"^export (?:async )?(?:function|class|const) (\w+)", (STATIC / module).read_text("utf-8"), re.MULTILINE
        ):
            assert name in names


def test_there_are_pages_to_bundle() -> None:
    assert len(PAGES) >= 3
