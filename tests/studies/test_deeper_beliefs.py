"""The study of deeper beliefs: whose depth is varied, and what a step of it changes."""

from __future__ import annotations

import pytest

from molehunt.agents.registry import Agents
from molehunt.agents.saboteur.kripke_2012 import Kripke2012Agent
from molehunt.studies import deeper_beliefs
from molehunt.studies.deeper_beliefs import DEPTHS, STUDY, cells


def depths(saboteur: str, miner: str) -> tuple[int, int]:
    """At which depth the two sides reason."""
    agents = [Agents("saboteur").make(spec) for spec in (saboteur, miner)]
    assert all(isinstance(agent, Kripke2012Agent) for agent in agents)
    return tuple(agent.parameters.depth for agent in agents)  # type: ignore[attr-defined]


def test_one_side_is_varied_while_the_other_stays() -> None:
    for one in cells():
        whose, _, depth = one.id.split("/")
        wanted = {"miners": (2, int(depth)), "saboteurs": (int(depth), 2), "all": (int(depth), int(depth))}[whose]
        assert depths(one.saboteur, one.miner) == wanted
    assert len({one.id for one in cells()}) == len(cells()) == (3 + 1 + 1) * 2 * len(DEPTHS)


def test_a_step_is_compared_with_the_depth_before_on_the_same_deals(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(deeper_beliefs, "WHOSE", ("miners",))
    monkeypatch.setattr(deeper_beliefs, "FACTORS", (5.0,))
    rows = {row.id: row for row in STUDY.run(12, 2, 1).rows}
    changes = [name for name in rows if name.startswith("change/")]
    assert len(changes) == 3 * (len(DEPTHS) - 1)
    for name in changes:
        table, _, depth = name.removeprefix("change/").rpartition("/")
        gap = rows[f"{table}/{depth}"].measured - rows[f"{table}/{int(depth) - 1}"].measured
        assert rows[name].measured == pytest.approx(gap, abs=2e-3)
    assert all(any(name.startswith(section.prefix) for section in STUDY.sections) for name in rows)
