"""What others hold of the roles of players that are named: who is watched, what is counted, and against whom."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from molehunt.agents.registry import Agents
from molehunt.arena.agent_files import read_agent_file
from molehunt.arena.faults import Where, where_of
from molehunt.arena.workers import Workers
from molehunt.core.errors import AgentFailure, BadInput
from molehunt.core.match import play
from molehunt.core.streams import game_seeds
from molehunt.games.registry import make_game
from molehunt.games.saboteur.game import check_game
from molehunt.learning.saboteur.habits import TABLES, Batch, read
from molehunt.reading.saboteur.habits import habits
from molehunt.reading.saboteur.onlooker import HALF
from molehunt.studies import suspected
from molehunt.studies.role_readers import AT_ONCE, OURS, READERS, TRUST, Judged
from molehunt.studies.study import StudiedPlayer
from molehunt.studies.suspected import (
    FIRST_READER,
    losses_above,
    means_by_role,
    seating_of,
    watch_suspect,
)
from molehunt.studies.suspicion import STUDY

OWN = """
import molehunt

class Open(molehunt.Player):
    def choose(self, view):
        harm = [each for each in view.legal_actions if str(each).startswith(("break", "D_"))]
        paths = [each for each in view.legal_actions if str(each).startswith("P_")]
        wanted = harm or view.legal_actions if view.role == "saboteur" else paths or view.legal_actions
        return wanted[0] if wanted is not view.legal_actions else wanted[-1]

class Quiet(molehunt.Player):
    def choose(self, view):
        paths = [each for each in view.legal_actions if str(each).startswith("P_")]
        return paths[0] if paths else view.legal_actions[-1]

class Late(molehunt.Player):
    def choose(self, view):
        if len(view.hand) < 4:
            raise ValueError("too late")
        return view.legal_actions[-1]
"""


@pytest.fixture
def own(tmp_path: Path) -> Path:
    """A file of players: one shows what it is, one does the same in both roles, one fails late in a round."""
    file = tmp_path / "mine.py"
    file.write_text(OWN)
    return file


def test_a_player_sits_in_every_seat_in_turn_among_players_of_the_study() -> None:
    of_four = range(0, 5 * len(TABLES), len(TABLES))  # the first table has four seats
    assert [seating_of(number, 3)[1] for number in of_four] == [0, 1, 2, 3, 0]
    for number in range(len(TABLES)):
        ruleset, chair, specs = seating_of(number, 3)
        assert (ruleset, len(specs)) == TABLES[number]
        assert [seat for seat, spec in enumerate(specs) if spec is None] == [chair]
    assert seating_of(7, 3)[2] != seating_of(7, 4)[2]


def test_what_others_hold_is_what_an_onlooker_of_the_same_games_holds() -> None:
    number = len(TABLES) + 1
    ruleset, chair, specs = seating_of(number, 5)
    game = check_game("a test", make_game("saboteur", ruleset, len(specs)))
    agents = [Agents("saboteur").make(spec or "means-ends-2016") for spec in specs]
    played = play(game, agents, game_seeds(5, number * AT_ONCE, 2), keep_actions=True)
    games = list(read(Batch(game, np.zeros(len(specs), np.int64), played), habits()))
    held = watch_suspect(StudiedPlayer("saboteur", "means-ends-2016"), number, 2, 5)
    for place, each in enumerate(games):
        here = held[(held[:, 0] == number * AT_ONCE + place) & (held[:, 1] == HALF)]
        assert len(here) == (len(specs) - 1 if each.reached[HALF] else 0)
        if each.reached[HALF]:
            assert (here[:, 2] == each.roles[chair]).all()
            others = [seat for seat in range(len(specs)) if seat != chair]
            assert here[:, FIRST_READER + OURS] == pytest.approx(each.chances[HALF][others, chair])
    assert any(each.reached[HALF] for each in games)


def test_who_shows_what_it_is_is_seen_through_and_who_does_not_is_not(own: Path) -> None:
    files = (read_agent_file(own),)
    rows = {
        row.id: row
        for row in STUDY.run(
            80, 2, 1, players=[StudiedPlayer("saboteur", "open", files), StudiedPlayer("saboteur", "quiet", files)]
        ).rows
    }
    saboteur, miner = (rows[f"held/saboteur/open/half/suspicion/{role}"] for role in ("saboteur", "miner"))
    assert saboteur.low > miner.high and saboteur.games + miner.games == rows["auc/saboteur/open/half/suspicion"].games
    losses = [rows[f"logloss/saboteur/{each}/half/suspicion"].measured for each in ("open", "quiet")]
    assert losses[0] < rows["logloss/saboteur/open/half/prior"].measured < losses[1]
    above = rows["above/saboteur/quiet/half/suspicion"]
    assert 0 < above.low < above.measured == pytest.approx(losses[1] - losses[0], abs=0.03)  # where both were seen
    assert not any(cell.startswith("above/saboteur/open") or "known" in cell for cell in rows)
    assert list(dict.fromkeys(cell.partition("/")[0] for cell in rows)) == ["held", "above", "logloss", "auc"]


def test_the_numbers_are_the_same_on_any_number_of_threads(own: Path) -> None:
    named = [StudiedPlayer("saboteur", "open", (read_agent_file(own),)), StudiedPlayer("saboteur", "random")]
    assert STUDY.run(20, 1, 2, players=named).rows == STUDY.run(20, 1, 1, players=named).rows


def held_at(deals: list[int], roles: list[int], seed: int) -> suspected.Held:
    """Rows of what others held at some deals, by chance."""
    chances = np.random.default_rng(seed).random((len(deals), len(READERS)))
    return np.column_stack([deals, np.full(len(deals), HALF), roles, chances]).astype(float)


def test_means_and_differences_are_those_of_the_rows() -> None:
    mine = held_at([0, 1, 5, 6, 6, 12], [1, 0, 1, 1, 1, 0], 1)
    means = means_by_role(mine, np.array([0, 0, 1, 1, 1, 2]))
    assert list(means) == [f"{reader}/{role}" for reader in READERS[OURS:] for role in ("miner", "saboteur")]
    assert means["suspicion/miner"][0] == pytest.approx(mine[[1, 5], FIRST_READER + OURS].mean())
    assert means["decision-2019/saboteur"][0] == pytest.approx(mine[[0, 2, 3, 4], FIRST_READER + TRUST].mean())
    low, high = means["suspicion/saboteur"][1:]
    assert low <= mine[[0], FIRST_READER + OURS].mean() <= high or low <= mine[2:5, FIRST_READER + OURS].mean() <= high
    first = held_at([0, 7, 9, 20], [1, 0, 0, 1], 2)
    found, games = losses_above(mine, first)
    losses = [
        Judged(each[:, FIRST_READER + OURS], each[:, 2], np.zeros(len(each), int)).measures(np.ones(len(each)))[
            "logloss"
        ]
        for each in (mine[:5], first[:3])  # the first two tables, where both were seen
    ]
    assert games == 4 and list(found) == list(READERS[OURS:])
    value, low, high = found["suspicion"]
    assert value == pytest.approx(losses[0] - losses[1]) and low < value < high
    assert losses_above(mine[:5], first[3:]) == ({}, 0)


def test_only_the_first_that_was_named_is_compared_with(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where a study is stopped, the first may be missing."""
    held = {name: held_at([0, 1, 5, 6], [1, 0, 1, 0], seed) for seed, name in enumerate(("random", "basic", "mole"))}
    found = [(StudiedPlayer("saboteur", name), rows) for name, rows in held.items()]

    def run(kept: slice) -> list[str]:
        def streamed(pool: Workers, cells: dict[str, object]) -> dict[str, object]:
            return dict(list(zip(cells, found, strict=True))[kept])

        monkeypatch.setattr(suspected, "in_one_stream", streamed)
        monkeypatch.setattr(suspected, "told_apart", lambda players: [suspect for suspect, _ in found])
        rows = STUDY.run(10, 1, 1, players=[StudiedPlayer("saboteur", name) for name in held]).rows
        return [row.id for row in rows if row.id.startswith("above/") and row.id.endswith("suspicion")]

    assert run(slice(0, 3)) == ["above/saboteur/basic/half/suspicion", "above/saboteur/mole/half/suspicion"]
    assert run(slice(1, 3)) == []


def test_who_fails_is_told_with_the_game(own: Path) -> None:
    named = [StudiedPlayer("saboteur", "late", (read_agent_file(own),))]
    with pytest.raises(AgentFailure, match="late failed in choose: ValueError: too late") as caught:
        STUDY.run(20, 1, 1, players=named)
    where = where_of(caught.value)
    assert isinstance(where, Where) and where.seats[where.seat] == "late"
    agents = Agents("saboteur")
    agents.load_file(own)
    name, _, ruleset = where.label.partition("/")
    game = make_game(name, ruleset, len(where.seats))
    with pytest.raises(AgentFailure, match="too late"):
        play(game, [agents.make(spec) for spec in where.seats], game_seeds(where.seed, where.deal, 1))


@pytest.mark.parametrize(
    ("named", "said"),
    [
        ([StudiedPlayer("duel", "random")], "roles are guessed in saboteur alone; duel/random has none to hide"),
        ([StudiedPlayer("saboteur", "random")] * 2, "saboteur/random is named twice"),
    ],
)
def test_who_has_no_role_to_hide_is_refused(named: list[StudiedPlayer], said: str) -> None:
    with pytest.raises(BadInput, match=said):
        STUDY.run(10, 1, 1, players=named)
