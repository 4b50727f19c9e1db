"""What pages say of commands and of what can be set is so: the options that there are, and the defaults."""

from __future__ import annotations

import ast
import contextlib
import io
import re
import shlex
from dataclasses import fields
from functools import cache
from pathlib import Path
from typing import Any, get_args

import msgspec
import pytest

from molehunt.agents.registry import Agents
from molehunt.arena.tournament.definition import StopText, TournamentText
from molehunt.cli import main
from molehunt.console.serve import Serving
from molehunt.core.panels import named
from molehunt.learning.definition import LeagueText, NetworkText, PpoText, TrainingText
from molehunt.web import frames, messages

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]
FENCED = re.compile(r"^```(\w*)[^\n]*\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def commands_of(page: Path) -> list[list[str]]:
    """The words after `molehunt` of every command on a page, in blocks and in sentences."""
    text = page.read_text("utf-8")
    lines = [
        line
        for language, block in FENCED.findall(text)
        if language in ("sh", "console")
        for line in block.replace("\\\n", " ").splitlines()
    ]
    lines += [" ".join(said.split()) for said in re.findall(r"`((?:\S*/)?molehunt [^`]+)`", FENCED.sub("", text))]
    found = [re.match(r"(?:\$ )?(?:\w+=\S+ )*(?:\S*/)?molehunt (.*)", line) for line in lines]
    words = [shlex.split(each[1].partition(" | ")[0], comments=True) for each in found if each]
    return [each for each in words if each and not each[0].startswith("-")]


@cache
def told_of(command: tuple[str, ...]) -> str:
    """What `--help` says of a command."""
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        assert main([*command, "--help"]) == 0, command
    return out.getvalue()


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_commands_have_the_options_that_they_are_shown_with(page: Path) -> None:
    for words in commands_of(page):
        told = told_of(tuple(words[: 2 if words[0] in {"advise", "play"} else 1]))
        used = [word.partition("=")[0] for word in words if word.startswith("--")]
        assert [option for option in used if not re.search(rf"(?<!\S){option}(?![\w-])", told)] == [], words


def test_the_pages_show_many_commands() -> None:
    assert len([words for page in PAGES for words in commands_of(page)]) > 200
    assert {"arena", "play", "study"} <= {words[0] for words in commands_of(ROOT / "docs" / "tour.md")}


def numbers_of(page: str, heading: str, column: int) -> dict[str, Any]:
    """What the table under a heading line says is the default of what its first column names, where that is a number or several.

    A row that begins with `[a table]` of a file, and those after it, are of the keys in that table.
    """
    lines = (ROOT / "docs" / page).read_text("utf-8").split(f"{heading}\n", 1)[1].split("\n\n", 1)[0].splitlines()[1:]
    found: dict[str, Any] = {}
    table = ""
    for line in lines:
        cells = line.replace("\\|", "/").strip("|").split("|")
        if begins := re.match(r" `(\[\w+\])`", cells[0]):
            table = f"{begins[1]} "
        names = [f"{table}{name}" for name in re.findall(r"`([\w-]+)`", cells[0])]
        said = [each.strip() for each in re.split(r",(?![^\[]*\])", cells[column])]
        for name, value in zip(names, said, strict=False):
            with contextlib.suppress(ValueError, SyntaxError):
                found[name] = ast.literal_eval(value)
    return found


def defaults_of(*kinds: type[msgspec.Struct]) -> dict[str, Any]:
    """What is taken for the keys of a file that it leaves out."""
    named = {each.name: each.default for kind in kinds for each in msgspec.structs.fields(kind)}
    return {name: list(value) if isinstance(value, tuple) else value for name, value in named.items()}


def test_the_page_of_the_browser_table_says_the_defaults_of_its_settings() -> None:
    said = numbers_of("table.md", "| setting | default | what it limits |", 1)
    known = {f"--{each.name.replace('_', '-')}": each.default for each in fields(Serving)}
    assert len(said) == 9
    assert said == {name: known[name] for name in said}


def test_the_page_of_the_browser_table_names_all_that_pages_and_server_say_to_each_other() -> None:
    page = (ROOT / "docs" / "table.md").read_text("utf-8")
    said = [each.__struct_config__.tag for each in get_args(messages.Message)]
    sent = [each.__struct_config__.tag for each in vars(frames).values() if getattr(each, "__struct_config__", None)]
    assert {"play", "again"} <= {*said} and {"table", "gone"} <= {*sent}
    assert [tag for tag in {*said, *sent} - {None} if not re.search(rf'`{tag}`|"{tag}"', page)] == []


def test_the_page_of_tree_search_says_the_defaults_of_its_parameters() -> None:
    said = numbers_of("ismcts.md", "| parameter | default | what it is |", 1)
    plain = Agents("duel").entry("ismcts").editions()["plain"]
    assert {each.name for each in fields(plain)} - said.keys() == {"selection", "trees", "inference", "rollout"}
    assert said == {name: getattr(plain, name) for name in said}


def test_the_page_of_learning_says_what_is_taken_for_keys_that_are_left_out() -> None:
    said = numbers_of("learning.md", "| key | what it is | usual |", 2)
    known = {
        **defaults_of(TrainingText),
        **{
            f"[{table}] {name}": default
            for table, kind in (("network", NetworkText), ("ppo", PpoText), ("league", LeagueText))
            for name, default in defaults_of(kind).items()
        },
    }
    assert said.keys() >= {"seed", "draw", "[network] width", "[ppo] games", "[ppo] magnet", "[league] games"}
    assert said == {name: known[name] for name in said}


@pytest.mark.parametrize(
    ("heading", "kind", "least"),
    [
        ("| key | what it holds | if left out |", TournamentText, {"seed", "isolate_seconds", "isolate_memory"}),
        ("| key of `[stop]` | what it holds | if left out |", StopText, {"level", "least"}),
    ],
)
def test_the_page_of_tournaments_names_every_key_and_what_is_taken_where_it_is_left_out(
    heading: str, kind: type[msgspec.Struct], least: set[str]
) -> None:
    said, known = numbers_of("tournaments.md", heading, 2), defaults_of(kind)
    assert said.keys() >= least
    assert {name: known[name] for name in said} == said | {name: None for name in said if known[name] is None}
    page = (ROOT / "docs" / "tournaments.md").read_text("utf-8")
    assert [name for name in known if not re.search(rf"`\[*{name}\]*`", page)] == []


def test_the_guide_to_games_says_what_becomes_a_name() -> None:
    """As the terminal and the pages do it."""
    said = " ".join((ROOT / "docs" / "add-a-game.md").read_text("utf-8").split())
    assert "`seat 2` becomes the name of who sits there, and a number alone stays a number" in said
    assert named("peek:2 at seat 2", ("Ann", "Bob", "Cat")) == "peek:2 at Cat"
