"""The file of a training run: what is wrong is named with its key and what would be right."""

from __future__ import annotations

from pathlib import Path

import pytest

from molehunt.core.errors import BadInput
from molehunt.learning.definition import SELF, parse_training, read_training

LEAST = 'game = "duel/mcgill"\nsteps = 1000\n'


def test_what_is_left_out_has_its_usual_value() -> None:
    text = parse_training(LEAST)
    assert text.opponents == {SELF: 1.0} and text.roles == {} and text.seed == 0
    settings = text.ppo.settings()
    assert settings.rate.at(0) == 2.5e-3 and settings.rate.at(2) == settings.rate.at(1) == pytest.approx(2e-4)
    assert settings.entropy.at(0.5) == pytest.approx(0.011)


def test_tables_are_read() -> None:
    text = parse_training(LEAST + '[ppo]\nrate = [0.1, 0.0]\ngames = 5\n[league]\nagainst = ["random"]\n')
    assert text.ppo.rate == (0.1, 0.0) and text.ppo.games == 5 and text.league.against == ["random"]


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("steps = 5", "needs the key game"),
        ('game = "duel/mcgill"', "needs the key steps"),
        (LEAST + "step = 3", "unknown key of the training run 'step'"),
        (LEAST + "entropy = [0.1, 0.02]", r"entropy stands in \[ppo\], not above the first table"),
        (LEAST + "games = 3", r"games stands in \[ppo\] or in \[league\], not above the first table"),
        (LEAST + "[ppo]\nseed = 3", r"seed stands above the first table, not in \[ppo\]"),
        (LEAST + "[league]\nepochs = 3", r"epochs stands in \[ppo\], not in \[league\]"),
        ('game = "duel/mcgill"\nsteps = 0', "steps of the training run must be"),
        (LEAST + 'roles = ["saboteur"]', "roles of the training run must be"),
        (LEAST + "opponents = { random = -1 }", "opponents of the training run must be"),
        (LEAST + "opponents = { random = 0 }", "opponents of the training run must be"),
        (LEAST + "[ppo]\nrate = [0.1]", "rate of ppo must be the learning rate"),
        (LEAST + "[ppo]\nentropy = [-1, 0]", "entropy of ppo must be"),
        (LEAST + "[ppo]\nprecision = 'half'", "precision of ppo must be in which numbers a GPU computes products"),
        (LEAST + "[network]\nwidth = 4", "width of network must be a whole number, 8"),
        (LEAST + "[network]\nwidth = 16.5", "width of network must be"),
        (LEAST + "ppo = 3", "ppo must be a table"),
        (LEAST + "[league]\nagainst = 'random'", "against of league must be"),
        (LEAST + "draw = -2", "draw of the training run must be what a game is worth that nobody wins, -1 to 1"),
        (LEAST + "history = 33", "history of the training run must be how many of the last moves"),
        (LEAST + "beliefs = 1", "beliefs of the training run must be true or false: whether the learner is told"),
        (LEAST + "horizon = 0", "horizon of the training run must be"),
        ("game =", "not TOML"),
    ],
)
def test_what_is_wrong_is_named(text: str, wrong: str) -> None:
    with pytest.raises(BadInput, match=wrong):
        parse_training(text)


def test_errors_of_a_file_name_it(tmp_path: Path) -> None:
    path = tmp_path / "run.toml"
    with pytest.raises(BadInput, match=r"cannot read .*run\.toml"):
        read_training(path)
    path.write_text("steps = 1")
    with pytest.raises(BadInput, match=r"run\.toml: .*game"):
        read_training(path)
