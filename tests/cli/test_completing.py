"""The shell completes commands, games, rulesets and players, at once and without a compiler."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from cli.calling import call, environment
from molehunt.agents.registry import Agents, entries
from molehunt.cli.completing import joined
from molehunt.games.registry import all_games
from molehunt.studies.study import STUDIES

BASH = shutil.which("bash")
LABELS = [f"{entry.name}/{name}" for entry in all_games().values() for name in entry.rulesets]


def offered(*words: str) -> list[str]:
    """What may stand in the place of the last word."""
    made = call("__complete", *words)
    assert (made.status, made.err) == (0, "")
    _, begin, told = made.out.partition("\x1fbegin\n")
    assert begin, "the library's sign that candidates follow"
    return [line.partition("\t")[0] for line in told.splitlines()]


def own_names(game: str) -> list[str]:
    """The players of a game that play no other."""
    return list(dict.fromkeys(entry.name for entry in entries() if entry.game == game))


@pytest.mark.parametrize(
    ("words", "wanted"),
    [
        (("arena", "sab"), LABELS),
        (("games", ""), LABELS),
        (("show", "du"), LABELS),
        (("study", ""), list(STUDIES)),
        (
            ("study", "strangers", "--player", "du"),
            [f"{game}/{name}" for game in all_games() for name in own_names(game)],
        ),
        (("agents", "r"), list(dict.fromkeys(entry.name for entry in entries()))),
        (("play", "s"), [entry.command for entry in all_games().values()]),
        (("play", "saboteur", "--ruleset", ""), list(all_games()["saboteur"].at_table)),
        (("play", "duel", "--opponent", ""), Agents("duel").names()),
        (("contest-client", "me", "1", "--agent", ""), Agents("speed_clue").names()),
        (("course-client", "--agent", ""), Agents("duel").names()),
        (("tune", "dec"), list(dict.fromkeys(entry.name for entry in entries()))),
        (("tune", "basic", "--game", ""), LABELS),
    ],
)
def test_what_is_offered_is_what_there_is(words: tuple[str, ...], wanted: list[str]) -> None:
    found = offered(*words)
    assert [name for name in found if not name.endswith(":")] == wanted


def test_players_are_those_of_the_game_and_go_on_after_others_and_after_a_role() -> None:
    names = Agents("saboteur").names()
    roles = list(all_games()["saboteur"].roles)
    seats = ("arena", "saboteur/krisnadi:saboteurs=2", "--seats")
    assert offered(*seats, "de") == names + [f"{role}:" for role in roles]
    assert offered(*seats, "saboteur:de") == [f"saboteur:{name}" for name in names]
    assert f"saboteur:random*2,miner:{names[1]}" in offered(*seats, "saboteur:random*2,miner:")
    assert offered("arena", "duel/mcgill", "--seats", "") == Agents("duel").names()
    assert offered("arena", "chess/kasparov", "--seats", "") == offered("agents", "")


def test_words_that_bash_took_apart_are_put_together() -> None:
    seats = ("arena", "saboteur/krisnadi", ":", "saboteurs", "=", "2", "--seats", "random")
    assert joined(seats) == ["arena", "saboteur/krisnadi:saboteurs=2", "--seats", "random"]
    assert joined(["x", "--seats", "a", ":", "b", ""]) == ["x", "--seats", "a:b", ""]
    assert joined(["x", "--games", "=", "1"]) == ["x", "--games", "=", "1"]
    assert offered(*seats) == offered("arena", "saboteur/krisnadi", "--seats", "random")


def test_completing_imports_no_compiler() -> None:
    code = (
        "import sys, json\nfrom molehunt.cli import main\n"
        "for words in (['arena', 'sab'], ['arena', 'duel/mcgill', '--seats', 'gr'], ['play', '']): main(['__complete', *words])\n"
        "print(json.dumps(sorted({'numba', 'llvmlite', 'pyspiel', 'gymnasium'} & set(sys.modules))))"
    )
    made = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, env=environment())
    assert made.stderr == ""
    assert json.loads(made.stdout.splitlines()[-1]) == []


@pytest.mark.skipif(BASH is None, reason="there is no Bash")
def test_what_is_installed_completes_in_bash(tmp_path: Path) -> None:
    command = tmp_path / "molehunt"
    command.write_text(f"#!/bin/sh\nexec '{sys.executable}' -m molehunt \"$@\"\n")
    command.chmod(0o755)
    places = environment() | {"HOME": str(tmp_path), "SHELL": "/bin/bash"}
    places["PATH"] = f"{tmp_path}:{places['PATH']}"
    made = subprocess.run(
        [command, "--install-completion"], capture_output=True, text=True, check=False, env=places, cwd=tmp_path
    )
    assert made.returncode == 0, made.stderr
    (script,) = (tmp_path / ".local").rglob("molehunt")
    assert str(script) in (tmp_path / ".bashrc").read_text()
    ask = f"""
        source '{script}'
        COMP_WORDS=(molehunt "$@"); COMP_CWORD=$#
        _molehunt molehunt "${{COMP_WORDS[COMP_CWORD]}}" "${{COMP_WORDS[COMP_CWORD-1]}}"
        printf '%s\\n' "${{COMPREPLY[@]}}"
    """

    def complete(*words: str) -> list[str]:
        made = subprocess.run(
            [BASH or "", "-c", ask, "bash", *words],
            capture_output=True,
            text=True,
            check=False,
            env=places,
            cwd=tmp_path,
        )
        assert made.stderr == ""
        return made.stdout.split()

    assert complete("ar") == ["arena"]
    assert complete("arena", "--rot") == ["--rotate"]
    assert complete("arena", "duel/") == ["duel/mcgill"]
    assert complete("arena", "duel/mcgill", "--seats", "greedy-2020,gr") == ["greedy-2020\\,greedy-2020"]
    settings = ("saboteur/krisnadi", ":", "saboteurs", "=", "2")
    assert complete("arena", *settings, "--seats", "kri") == ["kripke-2012"]
