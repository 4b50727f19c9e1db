"""Logs of the course's program: whole deals and moves, written by the slow engine, played again by `molehunt replay`."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from cli.calling import call
from games.duel.playing import seeds_of, walk
from molehunt.core.errors import BadRecord
from molehunt.games.duel.course import read_logs
from reference import duel as reference
from reference.duel import TILES, ReferenceDuel


def written(slow: ReferenceDuel) -> str:
    """The deal of a game that has just begun, as the program logs it."""

    def cards(names: list[str]) -> str:
        return ",".join(f"Tile:{name}" if name in TILES else name.capitalize() for name in names)

    blanks = iter(("hidden2", "hidden1"))
    goals = [f"Tile:{'nugget' if content == 'nugget' else next(blanks)}" for content in slow.goals]
    return f"BoardInit:{cards(slow.deck)}-{cards(slow.hands[1])}-{cards(slow.hands[0])}-{','.join(goals)}"


def log_of(number: int, discards: float = 0.4) -> tuple[str, ReferenceDuel]:
    """A log of a random game in which many discards name later copies, and the game at its end."""
    assert len(seeds_of(number, 1)) == 1
    slow = next(walk(number))[1]
    lines = [
        "# Server version 0.08",
        "# Board class: Saboteur.SaboteurBoard",
        "START Player-0 260",
        "START Player-1 Human",
    ]
    lines.append(written(slow))
    chance = random.Random(number)
    while slow.to_move is not None:
        mover = slow.to_move
        texts = [reference.to_course(move, slow) for move in slow.legal_moves() if not reference.is_drop(move)]
        if not texts or chance.random() < discards:
            texts = [f"Drop {index} 0 {mover}" for index in range(len(slow.hands[mover]))]
        elif chance.random() < 0.2 and "map:left" in slow.legal_moves():
            texts = [f"Map 0 0 {mover}"]
        text = chance.choice(texts)
        lines.append(text)
        slow.apply_course(text if not text.startswith("Map 0 0") else f"Map 12 3 {mover}")
    lines.append("GAMEOVER DRAW" if slow.winner is None else f"GAMEOVER WINNER {slow.winner}")
    return "\n".join([*lines, "# Game ended: Tue Apr 14", ""]), slow


def test_logged_games_are_played_again_to_the_same_board_and_end() -> None:
    later = 0
    for number in range(8):
        text, slow = log_of(number)
        logs = read_logs(text)
        assert logs is not None and [log.line for log in logs] == [5]
        played = logs[0].replay()
        later += sum("#" in played.game.format_action(action) for action in played.actions)
        assert played.seats == ("260", "Human") and len(played.actions) == slow.turn
        view = played.position.view(0)
        assert {cell: name for cell, name in view.board.items() if name in TILES or "_flip" in name} == {
            cell: name for cell, name in slow.board.items() if name in TILES or "_flip" in name
        }
        outcome = played.position.outcome
        assert outcome is not None and outcome.winners == (() if slow.winner is None else (slow.winner,))
    assert later > 20


def test_replay_reads_a_log(tmp_path: Path) -> None:
    text, slow = log_of(3)
    file = tmp_path / "game00003.log"
    lines = text.splitlines()
    file.write_text("\n".join([*lines, *lines[:-3], "GAMEOVER USER CANCEL UNDECIDED"]))
    made = call("replay", str(file))
    assert made.status == 0, made.err
    assert made.out.splitlines()[-1] == (
        f"2 logged games with {2 * slow.turn - 1} moves follow the rules and end as logged; 1 of them was broken off."
    )
    assert (
        "seat 0: 260" in made.out and "seat 1: Human" in made.out and "Game of line 5: duel/mcgill, a log" in made.out
    )
    quiet = call("replay", str(file), "--quiet")
    assert quiet.out == made.out.splitlines()[-1] + "\n"


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("GAMEOVER DRAW", "GAMEOVER WINNER 1", "the log says 'WINNER 1', but all cards are gone"),
        ("Tile:nugget", "Tile:hidden1", "line 5: the goals are"),
        ("BoardInit:", "BoardInit:Malus,", "the game has the card malus 2 times, not 3 times"),
        ("BoardInit:", "BoardInit:Tile:77,", "no card is called '77'"),
        ("BoardInit:", "BoardInit:x-y-", "not 6 parts"),
        ("# Game ended", "Drop 0 0 1\n# Game ended", "comes after the end of the game"),
    ],
)
def test_wrong_log_is_named_by_its_line(old: str, new: str, said: str) -> None:
    text, slow = log_of(2, discards=1.0)
    assert slow.draw
    logs = read_logs(text.replace(old, new))
    assert logs is not None
    with pytest.raises(BadRecord, match=said):
        logs[0].replay()


def test_illegal_move_of_a_log_is_named_by_its_line() -> None:
    text, _ = log_of(1)
    lines = text.splitlines()
    lines[5] = "Tile:8 0 0 1"
    logs = read_logs("\n".join(lines))
    assert logs is not None
    with pytest.raises(BadRecord, match=r"line 6: move 1: illegal action of seat 1"):
        logs[0].replay()


def test_what_is_no_log_is_read_by_others(tmp_path: Path) -> None:
    assert read_logs("") is None and read_logs("hello\nBoardInit:") is None and read_logs("# nothing") is None
    file = tmp_path / "notes.txt"
    file.write_text("hello")
    assert call("replay", str(file)).status == 2
