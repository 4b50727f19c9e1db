"""The study of mechanisms: what it counts is what was played, believed and deduced."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from molehunt.agents.registry import Agents
from molehunt.core.match import play
from molehunt.core.streams import game_seeds
from molehunt.games.registry import make_game
from molehunt.games.saboteur.actions import unpack
from molehunt.games.saboteur.cards import CARD_NAMES
from molehunt.studies.kripke_rounds import Setup
from molehunt.studies.mechanisms import (
    BELIEFS,
    CARDS,
    PERCENTAGES,
    STUDY,
    deductions,
    duel_cards,
    kripke_beliefs,
    saboteur_cards,
    share_of_first,
    trust_at_the_end,
)


def test_cards_are_counted_by_kind_and_role() -> None:
    games = 6
    found = saboteur_cards("decision-2019", 3, 0, games)
    assert found.shape == (games, 2 * len(CARDS))
    game = make_game("saboteur", "krisnadi", 5)
    roles = np.tile(np.array([1, 1, 0, 0, 0], np.int8), (games, 1))
    roles = roles if game.roles[1] == "saboteur" else 1 - roles
    agents = [Agents("saboteur").make("decision-2019")] * 5
    played = play(game, agents, game_seeds(3, 0, games), roles, keep_actions=True)
    assert played.actions is not None
    for number, moves in enumerate(played.actions):
        kinds: Counter[str] = Counter()
        for action in moves:
            text = game.format_action(int(action))
            name = CARD_NAMES[unpack(int(action))[1]]
            kinds["thrown"] += text.startswith("discard")
            kinds["tunnels"] += not text.startswith("discard") and name.startswith("P_")
            kinds["maps"] += text.startswith("map")
        whole = 2 * found[number, : len(CARDS)] + 3 * found[number, len(CARDS) :]
        assert whole.sum() == pytest.approx(len(moves))
        assert whole[0] == pytest.approx(kinds["tunnels"])
        assert whole[CARDS.index("maps")] == pytest.approx(kinds["maps"])
        assert whole[CARDS.index("cards thrown away")] == pytest.approx(kinds["thrown"])


def test_all_moves_of_the_duel_are_counted() -> None:
    found = duel_cards("random-listed", 4, 0, 5)
    game = make_game("duel", "mcgill", 2)
    played = play(game, [Agents("duel").make("random-listed")] * 2, game_seeds(4, 0, 5), None, keep_actions=True)
    assert played.actions is not None
    assert (2 * found.sum(axis=1)).tolist() == [len(moves) for moves in played.actions]


def test_ties_of_trust_count_in_part() -> None:
    trust = np.array([[0.0, 1, 5, 5], [5, 5, 0, 1], [2, 2, 2, 2], [0, 2, 2, 2]])
    # Two saboteurs, in the first columns, among four: found, missed, by chance, one found and a third of the other.
    assert share_of_first(trust, 2).tolist() == pytest.approx([1, 0, 0.5, (1 + 1 / 3) / 2])


def test_trust_tells_saboteurs_better_than_chance() -> None:
    found = trust_at_the_end("decision-2019", 5, 0, 120).mean(axis=0)
    assert found[0] > 50 and found[1] > 60 and 0 <= found[2] <= 100


def test_nobody_borrows_at_depth_one_and_only_adaptive_saboteurs_drop_the_mask() -> None:
    names = list(BELIEFS)
    alone = kripke_beliefs(Setup("adaptive", 1, 5.0), 6, 0, 20)
    assert (alone[:, names.index("borrowed")] == 0).all() and (alone[:, names.index("by-closeness")] > 0).any()
    assert (alone[:, names.index("by-suspicion")] == 0).all()
    both = kripke_beliefs(Setup("adaptive", 2, 5.0), 6, 0, 20)
    assert (both[:, names.index("borrowed")] > 0).any() and (both[:, names.index("by-suspicion")] > 0).any()
    assert (both >= 0).all() and (both <= 100).all()
    hidden = kripke_beliefs(Setup("undercover", 2, 5.0), 6, 0, 20)
    assert (hidden[:, names.index("by-suspicion") :] == 0).all()


def test_deductions_are_those_of_the_sheets() -> None:
    sound = deductions("advanced", 3, 7, 0, 10)
    never = deductions("advanced:deduction_6=never", 3, 7, 0, 10)
    assert sound.shape == (10, 7) and (sound[:, 0] > 0).all()
    assert sound[:, 5].sum() > 0 and never[:, 5].sum() == 0


def test_every_row_has_a_section(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("molehunt.studies.mechanisms.DUELLISTS", ("random-listed", "greedy-2020"))
    report = STUDY.run(2, 1, 1)
    ids = [row.id for row in report.rows]
    assert len(set(ids)) == len(ids)
    assert all(0 <= row.low <= row.measured <= row.high and row.published is None for row in report.rows)
    # What never happened in two games is not known never to happen.
    assert all(row.low < row.high for row in report.rows) and any(row.measured == 0 for row in report.rows)
    assert all(row.high <= 100 for row in report.rows if row.id.startswith(PERCENTAGES))
    for section in STUDY.sections:
        assert any(name.startswith(section.prefix) for name in ids)
    assert all(any(name.startswith(section.prefix) for section in STUDY.sections) for name in ids)
