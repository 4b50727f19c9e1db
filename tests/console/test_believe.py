"""`molehunt believe`: what is printed, what is written, and what is refused."""

from __future__ import annotations

import json
import re
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from cli.calling import call
from molehunt.arena.minds import ask, minds_at, true_world
from molehunt.beliefs.kripke_draw import as_svg, as_text
from molehunt.core.record import read_records
from molehunt.core.replay import Replay
from molehunt.games.registry import make_game

SEATS = "kripke-2012*3,random,kripke-2012:depth=1"


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("records") / "games.jsonl"
    made = call("arena", "saboteur/veldhuis", "--seats", SEATS, "--games", "2", "--records", str(path))
    assert made.status == 0
    return path


@pytest.fixture(scope="module")
def replays(file: Path) -> list[Replay]:
    return [Replay(record, make_game) for _, record in read_records(file)]


@pytest.mark.parametrize("formula", ["B_1 sab(3)", "E ~sab(2)", "B_0 B_1 (sab(3) | sab(4))", "M_2 sab(0) -> sab(1)"])
def test_the_answer_and_what_each_model_says(file: Path, replays: list[Replay], formula: str) -> None:
    for line, move in ((1, None), (2, 17), (1, 0)):
        replay = replays[line - 1]
        after = len(replay.actions) if move is None else move
        found, world = minds_at(replay, after), true_world(replay, after)
        words = ["believe", formula, "--record", str(file), "--game", str(line)]
        made = call(*words, *([] if move is None else ["--move", str(move)]), columns=200)
        assert (made.status, made.err.strip()) == (0, "")
        answer = "yes" if ask(formula, found, world) else "no"
        head, table = made.out.split("\n", 1)
        assert head == f"{formula}: {answer}, after {after} moves; the saboteurs are {world}."
        rows = [re.split(r"\s{2,}", row.strip()) for row in table.strip().splitlines()][1:]
        assert [row[0] for row in rows] == ["0", "1", "2", "3", "4"]
        for mind, row in zip(found, rows, strict=True):
            assert row[1] == mind.agent + (" (watching)" if mind.watching else "")
            assert row[2] == ("yes" if mind.model.holds(formula, world) else "no")
            assert row[3].startswith(", ".join(mind.model.possible(mind.seat, 0, "belief")[:6]))
        assert [mind.watching for mind in found] == [False, False, False, True, False]


def test_json_has_exactly_the_promised_fields(file: Path, replays: list[Replay], tmp_path: Path) -> None:
    path = tmp_path / "out.json"
    made = call("believe", "B_1  sab(3)", "--record", str(file), "--move", "20", "--json", str(path))
    assert made.status == 0 and made.out.startswith("B_1 sab(3): ")
    got = json.loads(path.read_text())
    found, world = minds_at(replays[0], 20), true_world(replays[0], 20)
    assert list(got) == ["formula", "move", "world", "holds", "seats"]
    assert (got["formula"], got["move"], got["world"]) == ("B_1 sab(3)", 20, world)
    assert got["holds"] == ask("B_1 sab(3)", found, world)
    assert got["seats"] == [
        {
            "seat": mind.seat,
            "agent": mind.agent,
            "watching": mind.watching,
            "holds": mind.model.holds("B_1 sab(3)", world),
        }
        for mind in found
    ]
    alone = call("believe", "B_1 sab(3)", "--record", str(file), "--move", "20", "--json", "-")
    assert alone.status == 0 and json.loads(alone.out) == got


def test_a_seat_is_shown_or_drawn(file: Path, replays: list[Replay], tmp_path: Path) -> None:
    found, world = minds_at(replays[0], 25), true_world(replays[0], 25)
    words = ("believe", "sab(0)", "--record", str(file), "--move", "25", "--seat", "2")
    shown = call(*words)
    assert shown.out.rstrip("\n").endswith(as_text(found[2].model, world).rstrip("\n"))
    path = tmp_path / "seat.svg"
    made = call(*words, "--svg", str(path))
    assert made.status == 0
    assert path.read_text("utf-8") == as_svg(found[2].model, world, title="What seat 2 believes after 25 moves")
    assert ET.fromstring(path.read_text("utf-8")).tag.endswith("svg")  # noqa: S314 - our own drawing
    assert call(*words, "--svg", "-").out == path.read_text("utf-8")


def test_a_watcher_may_sit_on_all_seats(file: Path) -> None:
    made = call("believe", "sab(0)", "--record", str(file), "--watcher", "kripke-2012:depth=1", "--json", "-")
    rows = json.loads(made.out)["seats"]
    assert all(row["watching"] and row["agent"] == "kripke-2012:depth=1" for row in rows) and len(rows) == 5


WRONG: dict[str, tuple[tuple[str, ...], str]] = {
    "no such seat in the formula": (("B_7 sab(0)",), "there is no seat 7 in B_7 sab(0); seats are 0 to 4"),
    "no such fact": (("B_1 thief(0)",), "thief(0)"),
    "knowledge": (("K_1 sab(0)",), "molehunt: "),
    "bad formula": (("B_1 sab(0) &",), "the formula ends too early at position 12"),
    "empty formula": (("",), "there is nothing at position 0"),
    "drawing of nobody": (("sab(0)", "--svg", "x.svg"), "--svg draws the model of one seat: say which with --seat"),
    "no such seat": (("sab(0)", "--seat", "5"), "--seat must be 0 to 4, not 5"),
    "negative seat": (("sab(0)", "--seat", "-1"), "--seat must be 0 to 4, not -1"),
    "negative move": (("sab(0)", "--move", "-1"), "--move must be 0 to "),
    "too late a move": (("sab(0)", "--move", "9999"), "--move must be 0 to "),
    "no such line": (("sab(0)", "--game", "3"), "--game must be 1 to 2, not 3"),
    "watcher without a model": (("sab(0)", "--watcher", "random"), "'random' holds no Kripke model"),
    "unknown watcher": (("sab(0)", "--watcher", "kripke-2013"), "kripke-2013"),
    "json nowhere": (("sab(0)", "--json", "no/out.json"), "there is no folder no"),
    "one file for two": (
        ("sab(0)", "--seat", "0", "--svg", "out", "--json", "out"),
        "cannot write two things into out",
    ),
}


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_call_says_what_would_be_right(
    name: str, file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    words, message = WRONG[name]
    made = call("believe", *words, "--record", str(file))
    assert (made.status, made.out) == (2, "")
    assert message in made.err
    assert list(tmp_path.iterdir()) == []


def test_a_fault_in_a_formula_is_pointed_at(file: Path) -> None:
    made = call("believe", "B_1 sab(3) & | sab(2)", "--record", str(file))
    lines = made.err.splitlines()
    shown = next(line for line in lines if line.endswith("B_1 sab(3) & | sab(2)"))
    caret = lines[lines.index(shown) + 1]
    assert caret.strip() == "^" and shown[len(caret) - 1] == "|"


def test_records_that_cannot_be_asked(file: Path, tmp_path: Path) -> None:
    assert call("believe", "sab(0)").status == 2
    made = call("believe", "sab(0)", "--record", str(tmp_path / "none.jsonl"))
    assert made.status == 2 and "cannot read" in made.err
    bad = tmp_path / "bad.jsonl"
    bad.write_bytes(file.read_bytes().splitlines(keepends=True)[0].replace(b'"seed":', b'"seed":1'))
    made = call("believe", "sab(0)", "--record", str(bad))
    assert made.status == 2 and f"{bad}, line 1: " in made.err
    clue = tmp_path / "clue.jsonl"
    call("arena", "speed_clue/mitchell", "--seats", "basic*3", "--games", "1", "--records", str(clue))
    made = call("believe", "true", "--record", str(clue))
    assert made.status == 2 and "no player of speed_clue holds a Kripke model" in made.err


def test_an_internal_error_is_status_1(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> int:
        raise KeyError("boo")

    monkeypatch.setattr("molehunt.console.believe.ask_record", broken)
    made = call("believe", "sab(0)", "--record", str(file))
    assert made.status == 1 and "internal error" in made.err
