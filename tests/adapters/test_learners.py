"""The scripts of examples/learners, each with the library that it is for, in small: what they learn wins more often than chance."""

from __future__ import annotations

import importlib.util
import re
import subprocess
import sys
from pathlib import Path

import pytest

SCRIPTS = Path(__file__).parents[2] / "examples" / "learners"
LEARNERS = {
    "maskable_ppo": ("sb3_contrib", 10_240),
    "tianshou_dqn": ("tianshou", 8_000),
    "rllib_ppo": ("ray.rllib", 10_240),
}
NEEDED = {"ray.rllib": ("tree",)}
"""What a library imports that does not come with it: `ray` comes with the cluster, too."""
"""By script: the library that it needs, and after how many steps it has learned something."""
RATE = re.compile(
    r"(?P<who>random play|the learner) wins .* of 200 games: .* \((?P<low>[\d.]+)% to (?P<high>[\d.]+)%\)"
)


def is_there(library: str) -> bool:
    """Whether a library can be imported, and what it learns with."""
    try:
        return all(importlib.util.find_spec(name) is not None for name in (library, "torch", *NEEDED.get(library, ())))
    except ModuleNotFoundError:
        return False


def test_every_script_is_tried_and_named_in_the_documentation() -> None:
    assert {path.stem for path in SCRIPTS.glob("*.py")} == {*LEARNERS, "winning"}
    page = (SCRIPTS.parents[1] / "docs" / "environments.md").read_text("utf-8")
    assert all(f"examples/learners/{name}.py" in page for name in LEARNERS)


@pytest.mark.slow
@pytest.mark.parametrize("script", LEARNERS)
def test_a_learner_wins_more_often_than_chance(script: str) -> None:
    library, steps = LEARNERS[script]
    if not is_there(library):
        pytest.skip(f"{library} is not installed: make learners")
    made = subprocess.run(
        [sys.executable, SCRIPTS / f"{script}.py", "--steps", str(steps), "--games", "200"],
        capture_output=True,
        text=True,
        check=False,
        timeout=1200,
    )
    assert made.returncode == 0, made.stderr
    rates = {found["who"]: (float(found["low"]), float(found["high"])) for found in RATE.finditer(made.stdout)}
    assert rates["the learner"][0] > rates["random play"][1], made.stdout
