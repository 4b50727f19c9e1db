"""The terminal's table in colours, without them, and on sixty columns."""

from __future__ import annotations

import io
import re

import pytest
from rich.console import Console

from molehunt.games.tunnels.as_text import folded
from molehunt.terminal.colours import coloured
from molehunt.terminal.prompts import LeftTable, Prompter
from molehunt.terminal.setup import Setup, play_game
from terminal.tunnel_person import Person

COLOUR = re.compile(r"\x1b\[[\d;]*3[0-7]")
LINES = ("0 ┏━━━┓ │x│  │S│   +    ·   ($)", "> 1 Bob   6  cart lantern  top=gold", "1 fix:cart  2 break:pickaxe  3 map")


def written(line: str) -> str:
    file = io.StringIO()
    Console(file=file, force_terminal=True, color_system="standard", width=80).print(coloured(line))
    return file.getvalue()


@pytest.mark.parametrize("line", LINES)
def test_colours_change_no_sign_and_go_where_they_are_not_wanted(line: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert coloured(line).plain == line
    assert COLOUR.search(written(line))
    monkeypatch.setenv("NO_COLOR", "1")
    assert not COLOUR.search(written(line))


@pytest.mark.parametrize(
    ("line", "words", "style"),
    [
        ("($)", "$", "bold yellow"),
        ("1 break:cart", "break:cart", "red"),
        ("1 fix:cart+lantern", "fix:cart+lantern", "green"),
        ("  1 Bob  6  cart", "cart", "red"),
        ("You are a saboteur.", "saboteur", "red"),
        ("> 1 Bob  6", "> 1 Bob", "bold"),
    ],
)
def test_what_a_colour_means(line: str, words: str, style: str) -> None:
    spans = {(line[span.start : span.end], str(span.style)) for span in coloured(line).spans}
    assert (words, style) in spans


@pytest.mark.parametrize("game", ["saboteur/official", "saboteur/veldhuis", "duel/mcgill"])
def test_boards_and_hands_fit_into_sixty_columns(game: str) -> None:
    name, _, ruleset = game.partition("/")
    seats = {"saboteur/veldhuis": 5, "duel/mcgill": 2}.get(game, 3)
    file = io.StringIO()
    console = Console(file=file, highlight=False, width=60)
    answers = iter(["board", "hand", "quit"])
    moves = Person(file.getvalue, 3)

    def read(prompt: str) -> str:
        return next(answers) if len(moves.prompts) > 8 else moves(prompt)

    with pytest.raises(LeftTable):
        play_game(Setup(name, 3, ruleset, ("random",) * (seats - 1)), Prompter(console, read))
    drawn = [line for line in file.getvalue().splitlines() if re.search("[│━╭╰┏]", line)]
    assert len(drawn) > 10
    assert max(map(len, drawn)) <= 60


def test_a_line_is_folded_between_its_entries() -> None:
    assert folded("S start  ? goal, face down  $ gold", 20) == ["S start", "? goal, face down", "$ gold"]
    assert folded("S start  ? goal", 80) == ["S start  ? goal"]


@pytest.mark.parametrize("indent", [0, 2])
def test_no_sign_of_percent_begins_a_line(indent: int) -> None:
    file = io.StringIO()
    said = "It is not certain whether the envelope has Miss Scarlet: the probability is 47 %."
    Prompter(Console(file=file, width=40)).say(said, indent=indent)
    lines = file.getvalue().splitlines()
    assert " ".join(line.strip() for line in lines) == said
    assert max(map(len, lines)) <= 40
    assert not any(line.lstrip().startswith("%") for line in lines)
