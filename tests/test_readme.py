"""What the README, the tour and the pages about deals and papers show runs as it stands there."""

from __future__ import annotations

import json
import re
import shlex
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

import molehunt
from molehunt.cli import main

README = Path(__file__).parents[1] / "README.md"
TOUR = Path(__file__).parents[1] / "docs" / "tour.md"
PAPERS = Path(__file__).parents[1] / "docs" / "reproduce-a-paper.md"
DEALS = Path(__file__).parents[1] / "docs" / "deals.md"
EXAMPLE = Path(__file__).parents[1] / "examples" / "digger.py"
SEARCH = Path(__file__).parents[1] / "docs" / "search-player.md"


def blocks(language: str, page: Path = README) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", page.read_text("utf-8"), re.DOTALL)


def commands() -> list[str]:
    lines = [line for block in blocks("console", TOUR) for line in block.splitlines()]
    return [line for line in lines if line.startswith("molehunt arena")]


def session(word: str) -> str:
    """The one Python block of the tour that holds a word."""
    (found,) = [block for block in blocks("python", TOUR) if word in block]
    return found


def test_the_first_screen_is_a_picture_two_commands_a_play_and_where_to_go() -> None:
    text = README.read_text("utf-8")
    (commands,) = blocks("sh")
    assert [line.split("#")[0].split() for line in commands.splitlines()] == [["make", "run"], ["make", "test"]]
    (picture,) = re.findall(r'<img src="([^"]+)"', text)
    assert "molehunt" in (README.parent / picture).read_text("utf-8")[:200]  # we drew it
    assert len(blocks("python")) == 1
    assert text.index(picture) < text.index("make run") < text.index("import molehunt") < text.index("| You are |")


def test_links_lead_somewhere() -> None:
    links = re.findall(r"\]\(([^)#]+)(#[^)]*)?\)", README.read_text("utf-8"))
    assert len(links) > 15
    for link, anchor in links:
        page = README.parent / link
        assert page.is_file(), link
        headings = re.findall(r"^#+ (.*)$", page.read_text("utf-8"), re.MULTILINE)
        assert not anchor or anchor[1:] in {heading.lower().replace(" ", "-") for heading in headings}


def test_code_of_documents_imports_what_is_exported_and_nothing_of_the_core() -> None:
    pages = [README, *sorted(README.parent.glob("docs/**/*.md"))]
    found = [
        f"{page.name}: {line}"
        for page in pages
        for block in re.findall(r"```(?:python|sh)[^\n]*\n(.*?)```", page.read_text("utf-8"), re.DOTALL)
        for line in block.splitlines()
        if "molehunt.core" in line
    ]
    assert not found, "export it from molehunt: " + "; ".join(found)


def test_the_reference_has_what_is_exported_and_what_code_of_documents_imports() -> None:
    pytest.importorskip("pyspiel")
    docs = README.parent / "docs"
    pages = [README, *sorted(docs.glob("*.md"))]
    code = [line for page in pages for block in blocks(r"python[^\n]*", page) for line in block.splitlines()]
    imports = [found for line in code if (found := re.match(r"\s*from (molehunt\.[\w.]+) import ([\w, ]+)", line))]
    named = {(found[1], name.strip()) for found in imports for name in found[2].split(",")}
    homes = {getattr(import_module(module), name).__module__: name for module, name in named}
    homes |= {home: name for name in molehunt.__all__ if (home := getattr(getattr(molehunt, name), "__module__", None))}
    listed = {line for page in docs.glob("reference/*.md") for line in page.read_text("utf-8").splitlines()}
    missing = {
        home: name for home, name in homes.items() if home not in {"types", "typing"} and f"::: {home}" not in listed
    }
    assert len(homes) > 30 and not missing


def test_what_is_exported_is_what_its_home_calls_so() -> None:
    assert sorted(molehunt.__all__) == sorted(set(molehunt.__all__))
    assert all(hasattr(molehunt, name) for name in molehunt.__all__)
    assert {"Replay", "canonical", "element", "parameter"} <= set(molehunt.__all__) <= set(dir(molehunt))


RUN_BELOW = ("class Digger", "resample", "played =", "result.rates", "agent_iter", "KripkeModel")
"""A word of each Python block of the tour, by which a test below runs it."""


def test_every_block_of_the_tour_is_run() -> None:
    assert {session(word) for word in RUN_BELOW} == set(blocks("python", TOUR))


@pytest.mark.parametrize("command", commands())
def test_arena_commands_run(
    command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "digger.py").write_text(session("class Digger"), "utf-8")
    monkeypatch.chdir(tmp_path)
    words = shlex.split(command)[1:]
    words[words.index("--games") + 1] = "5"
    assert main(words) == 0
    assert "95 % interval" in capsys.readouterr().out


def test_the_opening_is_short_and_plays_a_game(capsys: pytest.CaptureFixture[str]) -> None:
    opening = blocks("python")[0]
    assert len([line for line in opening.splitlines() if line]) <= 8
    names: dict[str, Any] = {}
    exec(compile(opening, "README", "exec"), names)  # noqa: S102 - our own README
    printed = capsys.readouterr().out
    assert names["position"].outcome.reason in printed
    assert "start" in printed


def test_the_position_of_the_tour_is_drawn_and_kept(capsys: pytest.CaptureFixture[str]) -> None:
    exec(compile(session("resample"), "tour.md", "exec"), {})  # noqa: S102 - our own page
    view, _, record = capsys.readouterr().out.strip().rpartition("\n")
    assert "you are seat" in view and json.loads(record)["seats"]


def test_the_picture_is_what_the_commands_of_the_tour_draw(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (drawing,) = [block for block in blocks("sh", TOUR) if "--svg board.svg" in block]
    monkeypatch.chdir(tmp_path)
    for line in drawing.splitlines():
        assert main(shlex.split(line)[1:]) == 0
    assert (tmp_path / "board.svg").read_text("utf-8") == (TOUR.parent / "board.svg").read_text("utf-8")


def test_the_python_session_runs(capsys: pytest.CaptureFixture[str]) -> None:
    exec(compile(session("played ="), "tour.md", "exec"), {})  # noqa: S102 - our own page
    assert "start" in capsys.readouterr().out


def test_the_arena_in_python_tells_rates(capsys: pytest.CaptureFixture[str]) -> None:
    exec(compile(session("result.rates"), "tour.md", "exec"), {})  # noqa: S102 - our own page
    told = capsys.readouterr().out.splitlines()
    assert len(told) == 5 and told[0].startswith("hasty: 0.")


def test_the_environment_takes_random_moves() -> None:
    pytest.importorskip("pettingzoo")
    names: dict[str, Any] = {}
    exec(compile(session("agent_iter"), "tour.md", "exec"), names)  # noqa: S102 - our own page
    assert names["environment"].possible_agents == [f"player_{seat}" for seat in range(5)]


def test_the_kripke_session_names_the_worlds_where_seat_0_is_not_sure_of_seat_1(
    capsys: pytest.CaptureFixture[str],
) -> None:
    exec(compile(session("KripkeModel"), "tour.md", "exec"), {})  # noqa: S102 - our own page
    printed = capsys.readouterr().out
    assert "{1,3}" in printed
    assert "{0,2}" not in printed


def test_the_page_about_deals_prints_what_it_says(capsys: pytest.CaptureFixture[str]) -> None:
    (block,) = blocks("python", DEALS)
    exec(compile(block, "deals.md", "exec"), {})  # noqa: S102 - our own page
    printed = capsys.readouterr().out
    said = re.search(r"\*(Ann has Green, because: .*?)\*", DEALS.read_text("utf-8"), re.DOTALL)
    assert said
    assert printed.endswith(" ".join(said[1].split()) + "\n")


def test_the_page_about_papers_counts_the_cells_of_a_report_as_its_command_does(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["study", "krisnadi2019", "--games", "20", "--seed", "1", "--json", "krisnadi2019.json"]) == 0
    by_command = re.search(r"\d+ of \d+ published cells agree", capsys.readouterr().out)
    (block,) = [block for block in blocks("python", PAPERS) if "krisnadi2019.json" in block]
    exec(compile(block, "reproduce-a-paper.md", "exec"), {})  # noqa: S102 - our own page
    told = capsys.readouterr().out.splitlines()
    assert by_command and told[0] == f"{by_command[0]}, 20 games a cell"
    assert len(told) == 4


def test_the_question_about_beliefs_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (block,) = [block for block in blocks("sh", TOUR) if "molehunt believe" in block]
    for line in block.splitlines():
        assert main(shlex.split(line)[1:]) == 0
    assert "B_1 B_2 sab(3):" in capsys.readouterr().out


def test_the_example_player_beats_random_saboteurs_more_often_than_random_miners(tmp_path: Path) -> None:
    def miners_win(miner: str) -> int:
        result = tmp_path / f"{miner}.json"
        words = ["arena", "saboteur/krisnadi", "--agents-from", str(EXAMPLE), "--games", "40", "--json", str(result)]
        assert main([*words, "--seats", f"miner:{miner}*3,saboteur:random*2"]) == 0
        return int(json.loads(result.read_text())["seats"][0]["wins"])

    assert miners_win("digger") > miners_win("random") + 5


def test_the_page_about_search_players_shows_the_example() -> None:
    (shown,) = re.findall(r'```python title="sampler.py"\n(.*?)```', SEARCH.read_text("utf-8"), re.DOTALL)
    kept = EXAMPLE.with_name("sampler.py").read_text("utf-8")
    assert shown == kept.replace("examples/sampler.py", "sampler.py")
