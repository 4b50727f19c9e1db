"""How much memory is left: what the machine says, and no more than a container is given."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

from core.files import write
from molehunt.core import free_memory
from molehunt.core.free_memory import of_groups, of_machine


def second(most: str, taken: str, stat: str = "anon 1") -> dict[str, str]:
    return {"memory.max": most, "memory.current": taken, "memory.stat": stat}


def first(most: str, taken: str, stat: str = "cache 1") -> dict[str, str]:
    return {"memory.limit_in_bytes": most, "memory.usage_in_bytes": taken, "memory.stat": stat}


def at(folder: str, files: dict[str, str]) -> dict[str, str]:
    return {f"{folder}/{name}": text for name, text in files.items()}


@pytest.mark.parametrize(
    ("own", "files", "left"),
    [
        pytest.param("0::/", second("1000", "300"), 700, id="a container that sees its own groups alone"),
        pytest.param(
            "0::/a/b", at("a", second("900", "300")) | at("a/b", second("max", "300")), 600, id="a group above"
        ),
        pytest.param("0::/a", second("1000", "500") | at("a", second("800", "400")), 400, id="the least of both"),
        pytest.param(
            "0::/", second("1000", "900", "anon 500\nfile 350\nfile_mapped 40\nshmem 10"), 400, id="copies of files"
        ),
        pytest.param("0::/", second("1000", "1200"), 0, id="more than it may"),
        pytest.param("0::/", second("max", "1200"), math.inf, id="no limit"),
        pytest.param("0::/", {"memory.max": "1000", "memory.current": "1"}, math.inf, id="a file that is not there"),
        pytest.param("0::/", {}, math.inf, id="no such files"),
        pytest.param(
            "4:memory:/docker/c0\n3:cpu,cpuacct:/docker/c0\n0::/",
            at("memory", first("1000", "900", "cache 5\ntotal_cache 320\ntotal_mapped_file 20")),
            400,
            id="version 1, seen from within",
        ),
        pytest.param(
            "4:memory:/a", at("memory/a", first(str(2**63 - 4096), "9")), 2**63 - 4105, id="version 1, not limited"
        ),
    ],
)
def test_a_group_has_left_what_it_and_those_above_it_may_take(
    own: str, files: dict[str, str], left: float, tmp_path: Path
) -> None:
    write(tmp_path, {"own": own})
    write(tmp_path / "groups", files)
    assert of_groups(tmp_path / "own", tmp_path / "groups") == pytest.approx(left, abs=0.5)


@pytest.mark.parametrize(
    ("told", "left"),
    [
        ("MemTotal:       24684092 kB\nMemFree:        1 kB\nMemAvailable:   2048 kB", 2048 * 1024),
        ("MemTotal:       24684092 kB", math.inf),
        ("MemAvailable: much kB", math.inf),
    ],
)
def test_a_machine_has_left_what_it_says(told: str, left: float, tmp_path: Path) -> None:
    write(tmp_path, {"meminfo": told})
    assert of_machine(tmp_path / "meminfo") == left
    assert of_machine(tmp_path / "nothing") == math.inf


def test_the_least_of_the_machine_and_its_groups_counts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(free_memory, "MACHINE", tmp_path / "meminfo")
    monkeypatch.setattr(free_memory, "OWN_GROUPS", tmp_path / "own")
    monkeypatch.setattr(free_memory, "GROUPS", tmp_path / "groups")
    assert free_memory.free_memory() == math.inf
    write(tmp_path, {"meminfo": "MemAvailable: 5 kB"})
    assert free_memory.free_memory() == 5 * 1024
    write(tmp_path, {"own": "0::/"} | at("groups", second("1000", "400")))
    assert free_memory.free_memory() == 600
