"""How many processors there are: no more than a container has a quota for."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

from core.files import write
from molehunt.console import screen
from molehunt.core import processor_count
from molehunt.core.processor_count import cores, quota


@pytest.mark.parametrize(
    ("own", "files", "processors"),
    [
        pytest.param("0::/", {"cpu.max": "200000 100000"}, 2.0, id="a container that sees its own groups alone"),
        pytest.param("0::/a/b", {"a/cpu.max": "150000 100000", "a/b/cpu.max": "max 100000"}, 1.5, id="a group above"),
        pytest.param("0::/a", {"cpu.max": "50000 100000", "a/cpu.max": "400000 100000"}, 0.5, id="the least of both"),
        pytest.param("0::/a", {"cpu.max": "max 100000"}, math.inf, id="no limit"),
        pytest.param("0::/a", {"cpu.max": "what", "a/cpu.max": "1"}, math.inf, id="what is no quota"),
        pytest.param("0::/", {}, math.inf, id="no such files"),
        pytest.param(
            "4:memory:/a\n3:cpu,cpuacct:/docker/c0\n0::/",
            {"cpu,cpuacct/cpu.cfs_quota_us": "300000", "cpu,cpuacct/cpu.cfs_period_us": "100000"},
            3.0,
            id="version 1, seen from within",
        ),
        pytest.param(
            "3:cpuacct,cpu:/a",
            {"cpu/a/cpu.cfs_quota_us": "-1", "cpu/a/cpu.cfs_period_us": "100000", "memory/a/cpu.cfs_quota_us": "1"},
            math.inf,
            id="version 1, not limited",
        ),
    ],
)
def test_the_quota_is_the_least_of_a_group_and_those_above_it(
    own: str, files: dict[str, str], processors: float, tmp_path: Path
) -> None:
    write(tmp_path, {"own": own})
    write(tmp_path / "groups", files)
    assert quota(tmp_path / "own", tmp_path / "groups") == processors


def test_where_nothing_is_said_of_groups_there_is_no_quota(tmp_path: Path) -> None:
    assert quota(tmp_path / "none", tmp_path) == math.inf


@pytest.mark.parametrize(
    ("allowed", "given", "found"),
    [(64, "200000 100000", 2), (64, "1000 100000", 1), (1, "max 100000", 1), (3, "max 1", 3)],
)
def test_as_many_threads_as_there_are_processors(
    allowed: int, given: str, found: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path, {"own": "0::/", "groups/cpu.max": given})
    monkeypatch.setattr(processor_count, "OWN_GROUPS", tmp_path / "own")
    monkeypatch.setattr(processor_count, "GROUPS", tmp_path / "groups")
    monkeypatch.setattr("os.sched_getaffinity", lambda process: set(range(allowed)), raising=False)
    cores.cache_clear()
    try:
        assert cores() == found
        assert screen.check_threads(None) == found
    finally:
        cores.cache_clear()


def test_on_a_very_large_machine_there_are_no_more_threads_than_can_be_asked_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(screen, "cores", lambda: 384)
    assert screen.check_threads(None) == screen.MOST_THREADS == 256
