"""The files of docs/learning.md and examples/training are those that the shipped players came out of."""

from __future__ import annotations

from pathlib import Path

import pytest

from molehunt.agents.networks import load
from molehunt.agents.registry import Agents
from molehunt.agents.saboteur.learned import SaboteurLearnedAgent
from molehunt.games.registry import split_label
from molehunt.learning.definition import MEANINGS, parse_training
from molehunt.learning.run import game_of, identity_of
from molehunt.learning.seating import Seating, learner_of

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "learning.md").read_text("utf-8")
FILES = sorted((ROOT / "examples" / "training").glob("*.toml"))
STARTS = {path: parse_training(path.read_text("utf-8")).start for path in FILES}
"""The weights with which a run begins: `duel.safetensors` are what came out of `duel.toml`."""
LAST = [path for path in FILES if f"{path.stem}.safetensors" not in STARTS.values()]
"""The files whose weights are shipped, but for those that another run goes on from."""


def test_a_run_that_goes_on_from_another_names_the_weights_of_its_file() -> None:
    for start in filter(None, STARTS.values()):
        assert (ROOT / "examples" / "training" / start).with_suffix(".toml") in FILES


@pytest.mark.parametrize("path", LAST, ids=[path.stem for path in LAST])
def test_every_file_can_be_trained_from_and_the_shipped_weights_say_that_they_are_its(path: Path) -> None:
    text = parse_training(path.read_text("utf-8"))
    game = game_of(text)
    assert game.name == split_label(text.game)[0]
    assert Seating.of(game, text.roles, text.opponents).players
    kind = learner_of(game)
    shipped = (
        kind.shipped_plain(game) if issubclass(kind, SaboteurLearnedAgent) and not text.beliefs else kind.shipped(game)
    )
    assert load(shipped).about["run"] == identity_of(text)


def test_where_the_shipped_players_sit_is_said() -> None:
    for path in FILES:
        game = game_of(parse_training(path.read_text("utf-8")))
        only = Agents(game.name).entry("learned").only
        if only and not game.label.partition(":")[2]:
            place = only.partition(game.label.partition("/")[2])[2].partition(" and official")[0]
            assert str(game.seats) in place, (path, only)


def test_the_page_shows_the_file_of_the_shipped_player_and_names_every_key() -> None:
    shown = PAGE.split('```toml title="krisnadi-4.toml"\n', 1)[1].split("```", 1)[0]
    assert shown == (ROOT / "examples" / "training" / "krisnadi-4.toml").read_text("utf-8")
    assert [key for key in MEANINGS if f"`{key}`" not in PAGE and f"`[{key}]`" not in PAGE] == []
