"""Saboteur and the duel in the terminal: what is typed is checked, what is hidden stays hidden, games end as they should."""

from __future__ import annotations

import io
import os
import re
import subprocess
import sys
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from rich.console import Console

from molehunt.console.play_game import sit_down
from molehunt.core.errors import BadInput
from molehunt.core.language import _ as in_words
from molehunt.core.language import languages, speaking
from molehunt.core.record import read_records
from molehunt.core.replay import Replay
from molehunt.games.registry import make_game
from molehunt.games.tunnels.as_text import beside
from molehunt.table import reasons
from molehunt.table.session import Session
from molehunt.terminal.general import GameTable
from molehunt.terminal.practice import Practice
from molehunt.terminal.prompts import SAID_AS, LeftTable, Prompter, command_word
from molehunt.terminal.setup import (
    Setup,
    ask_setup,
    check_opponents,
    make_table,
    play_game,
    seat_table,
)
from molehunt.terminal.tunnels import TunnelTable
from terminal.clue_person import Screen, Spoken
from terminal.pseudo_terminal import Terminal
from terminal.tunnel_person import LOOKS, Person, typed_by_number

START = "import sys; from molehunt.console.play_game import sit_down; sys.exit(sit_down({}))"
SETUPS = {
    "krisnadi": Setup("saboteur", 4, "krisnadi", ("decision-2019", "random", "random")),
    "official+talk": Setup("saboteur", 5, "official+talk", ("kripke-2012", "random", "random")),
    "speech": Setup("saboteur", 8, "krisnadi:speak=yes", ("mole:worlds=1,kept=2", "random", "random")),
    "veldhuis": Setup("saboteur", 6, "veldhuis", ("kripke-2012", "random", "random", "random")),
    "duel": Setup("duel", 7, opponents=("greedy-2020",)),
}
WRONG = [
    "",
    "99",
    "99 at 3,1",
    "1 at 50,50",
    "1 1 1",
    "discard",
    "discard 77",
    "spam",
    "spam eggs@",
    "P_SPAM@3,1",
    "map:left@",
    "m0",
    "m9999",
    "moves 99",
    "log some",
    "why",
    "hint",
    "undo",
    "at 3,1",
    "1 on Nobody",
    "⛏ \x00 ,,, @",
    "9" * 300,
]


def whole_game(setup: Setup, **script: Any) -> tuple[Session, Screen, Person]:
    screen = Screen()
    person = Person(screen, setup.seed, **script)
    return play_game(setup, Prompter(screen.console, person)), screen, person


# --- A game ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", SETUPS)
def test_a_game_with_wrong_input_at_every_prompt_is_played_to_its_end_and_replays(name: str) -> None:
    setup = SETUPS[name]
    wrong = {"your move": list(WRONG), "your claim": ["", "1", "discard 1", "perhaps", "m7", "moves", "top"]}
    session, screen, person = whole_game(setup, wrong=wrong, looks=LOOKS)
    assert not wrong["your move"]
    assert not (wrong["your claim"] and session.game.spec.startswith(("official+talk", "veldhuis")))
    assert Replay(session.record(), make_game).record.seats[setup.seat] == "person:You"
    ending = screen().rpartition("\n\n")[2]
    assert f"Seed {setup.seed}." in ending
    for seat, sitter in enumerate(session.sitters):
        if seat != setup.seat:
            assert f"{sitter.name} {sitter.spec}" in ending
    outcome = session.outcome
    assert outcome is not None
    winners = [session.names[seat].lower() for seat in outcome.winners] or ["nobody"]
    assert all(winner in ending.splitlines()[0].lower() for winner in winners)
    assert len(person.typed) == len(person.prompts)


def test_who_was_who_is_told_at_the_end() -> None:
    session, screen, _ = whole_game(SETUPS["official+talk"])
    ending = screen().rpartition("\n\n")[2]
    for number, roles in enumerate(session.place(0).view.past_roles, 1):
        saboteurs = [
            "you" if seat == 0 else session.names[seat] for seat, role in enumerate(roles) if role == "saboteur"
        ]
        assert f"Saboteurs of round {number}: {', '.join(saboteurs) or 'nobody'}." in ending
    assert session.outcome is not None
    assert f"Gold: you {int(session.outcome.payoffs[0])}, " in ending


def test_the_same_seed_is_the_same_game_and_another_seed_another() -> None:
    setup = SETUPS["krisnadi"]
    first, screen, _ = whole_game(setup)
    second, again, _ = whole_game(setup)
    other, _, _ = whole_game(replace(setup, seed=78))
    assert first.record() == second.record() and screen() == again()
    assert other.record() != first.record()


# --- What is typed -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", SETUPS)
def test_every_legal_move_can_be_typed_by_the_numbers_of_the_cards_and_in_notation(name: str) -> None:
    setup = SETUPS[name]
    session = seat_table(setup)
    place = session.place(setup.seat)
    table = make_table(place, Prompter(Screen().console))
    chance = np.random.default_rng(1)
    kinds = set()
    while place.outcome is None:
        place.wait()
        if place.my_move:
            assert isinstance(table, TunnelTable)
            choice = table.choice()
            for number, move in enumerate(choice.legal, 1):
                assert choice.find(str(move)) == move
                assert choice.find(f"m{number}") == move
                found = choice.find(typed_by_number(choice, move))
                # A card whose other side fits as well lies as it was said; so it is the same move.
                assert found == move, typed_by_number(choice, move)
                kinds.add(choice.take_apart(str(move)).kind)
            place.play(choice.legal[int(chance.integers(len(choice.legal)))])
    assert len(kinds) >= 4


class Table:
    """A table with lines to be typed; the screen after each of them."""

    def __init__(self, setup: Setup, lines: list[str]) -> None:
        self.screen = Screen()
        self.lines = lines
        self.session = seat_table(setup)
        self.prompts: list[str] = []
        self.said: dict[str, str] = {}
        self._typed: str | None = None
        self._length = 0
        practice = Practice(self.session, setup.seat) if setup.practice else None
        self.table = make_table(self.session.place(setup.seat), Prompter(self.screen.console, self.read), practice)
        with pytest.raises(LeftTable):
            self.table.play()

    def read(self, prompt: str) -> str:
        self.prompts.append(prompt)
        if self._typed is not None:
            self.said[self._typed] = self.screen()[self._length :]
        if not self.lines:
            raise EOFError
        self._typed = self.lines.pop(0)
        self._length = len(self.screen())
        return self._typed


HAND = Setup("saboteur", 525, "official+talk", ("random",) * 4)
"""The person begins with break:lantern, D_NS, map, rockfall, P_EW and fix:lantern; nothing is laid yet."""
DUEL = Setup("duel", 3, opponents=("random",))
"""The person begins with the tiles 7, 7, 6, bonus, 5, malus and 7."""


@pytest.mark.parametrize(
    ("setup", "typed", "said"),
    [
        (HAND, "", "Write a move, as 2 at 3,1"),
        (HAND, "2 at 1,0", "The dead-end straight up-down does not go to 1,0; it goes to 0,-1 and 0,1."),
        (HAND, "2 at", "Write which: m7 Lay a dead-end straight up-down at 0,-1; m8 "),
        (HAND, "6 on Bob", "The repair: lantern cannot be played now: there is nothing that it mends; discard 6 "),
        (HAND, "rockfall 0,0", "The rockfall cannot be played now: there is nothing to take away"),
        (HAND, "rockfall@0,0", "A rockfall removes a path card, never the start or a goal."),
        (HAND, "map:left", "a map looks at one of top, middle, bottom, not at 'left'."),
        (HAND, "broken cart", "The broken lantern can be played on me, Alice, Bob, Carol and Dave now: write 1 on me."),
        (HAND, "9 at 1,0", "Your cards are 1 to 6; there is no card 9."),
        (
            HAND,
            "1 on Zed",
            "after a card comes a cell (3,1), a player (Alice, Bob, Carol, Dave, me) or a goal (top, middle",
        ),
        (HAND, "spade", "You hold no card 'spade'; name it by its number, 1 to 6, or write help."),
        (HAND, "map left", "You hold no card 'map left'"),
        (HAND, "3", "Write which: "),
        (HAND, "gold", "There is nothing to say now: a claim comes after a map."),
        (HAND, "P_NES@1,0", "did you mean 'P_NESW'?"),
        (HAND, "break:cart>7", "there is no seat 7; seats go from 0 to 4."),
        (HAND, "m99", "; moves lists them."),
        (HAND, "why", "This is no practice game"),
        (HAND, "undo", "This is no practice game"),
        (DUEL, "4", "The bonus cannot be played now: no malus lies in front of you; discard 4 puts it away."),
        (DUEL, "tile 5 at 5,5", "You hold no card 'tile 5'"),
        (DUEL, "5@5,5", "A tile goes on an empty cell"),
        (DUEL, "2 left", "does not go there; it goes to"),
    ],
)
def test_what_is_wrong_is_said_and_nothing_is_played(setup: Setup, typed: str, said: str) -> None:
    table = Table(setup, [typed])
    assert said in table.said[typed]
    assert len(table.session.actions) == 0


@pytest.mark.parametrize(
    ("rules", "claims", "speech"),
    [
        ("official", False, False),
        ("official+talk", True, False),
        ("official:speak=yes", False, True),
        ("official+talk:speak=yes", True, True),
    ],
)
def test_help_lists_what_may_be_said_under_the_rules_of_the_table(rules: str, claims: bool, speech: bool) -> None:
    told = Table(Setup("saboteur", 525, rules, ("random",) * 4), ["help"]).said["help"]
    assert ("gold, stone           say what you saw there" in told) == claims
    assert ("accuse Bob, ask cart  before a card" in told) == speech
    assert "2 top                 look at a goal" in told and "discard 2 " in told


@pytest.mark.parametrize(
    ("typed", "played"),
    [
        ("5 at 1,0", "P_EW@1,0"),
        ("lay the straight at -1,0", "P_EW@-1,0"),
        ("5 1 , 0 turned", "P_EW@1,0"),
        ("P_EW@1,0", "P_EW@1,0"),
        ("1 on carol", "break:lantern>3"),
        ("break my lantern", "break:lantern>0"),
        ("Break Dave's lantern", "break:lantern>4"),
        ("look at the bottom goal with the map", "map:bottom"),
        ("3 middle", "map:middle"),
        ("throw away the rockfall", "discard:rockfall"),
        ("DISCARD 6", "discard:fix:lantern"),
    ],
)
def test_moves_may_be_typed_as_people_say_them(typed: str, played: str) -> None:
    table = Table(HAND, [typed])
    assert table.session.game.format_action(table.session.actions[0]) == played


SPEECH = Setup("saboteur", 525, "official:speak=yes", ("random",) * 4)


@pytest.mark.parametrize(
    ("typed", "played"),
    [
        ("accuse carol", "accuse>3"),
        ("Carol is a saboteur", "accuse>3"),
        ("accuse 2", "accuse>2"),
        ("blame Dave!", "accuse>4"),
        ("accuse>1", "accuse>1"),
    ],
)
def test_an_accusation_may_be_typed_as_people_say_it(typed: str, played: str) -> None:
    table = Table(SPEECH, [typed, "seats"])
    assert table.session.game.format_action(table.session.actions[0]) == played
    assert f"you accuse {table.session.names[int(played[-1])]}" in table.said["seats"]


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("accuse", "Say whom you accuse: accuse and one of Alice, Bob, Carol, Dave."),
        ("accuse Zed", "Say whom you accuse"),
        ("accuse me", "A player accuses another one, and not the one accused last."),
        ("accuse>0", "A player accuses another one"),
        ("ask", "Say which tool of your own you ask for, as ask cart."),
        ("ask for Bob's cart", "Say which tool of your own you ask for"),
        ("ask for my cart to be mended", "A player asks for an own tool that is broken"),
        ("ask:hat", "one asks for cart, lantern, pickaxe, not for 'hat'"),
    ],
)
def test_what_may_not_be_said_is_told(typed: str, said: str) -> None:
    table = Table(SPEECH, [typed])
    assert said in table.said[typed]
    assert len(table.session.actions) == 0


def test_a_claim_is_asked_for_and_nothing_else_taken() -> None:
    table = Table(HAND, ["3 top", "", "5 at 1,0", "discard 2", "bottom gold", "moves", "m3", "Gold"])
    assert table.prompts[:3] == ["your move > ", "your claim > ", "your claim > "]
    assert table.said["5 at 1,0"].startswith("First say what you saw: write gold or stone")
    assert "First say what you saw" in table.said["discard 2"]
    assert "write gold or stone" in table.said["bottom gold"]
    assert "m1    Say that the top goal is gold" in table.said["moves"]
    assert "The moves are m1 to m2" in table.said["m3"]
    assert "You say: gold at the top goal." in table.said["Gold"]


@pytest.mark.parametrize(
    ("typed", "played"),
    [
        ("5 auf 1,0 gedreht", "P_EW@1,0"),
        ("1 auf Carol", "break:lantern>3"),
        ("1 gegen mich", "break:lantern>0"),
        ("sieh mit der Karte 3 in der Mitte nach", "map:middle"),
        ("3 oben", "map:top"),
        ("wirf 6 ab", "discard:fix:lantern"),
    ],
)
def test_moves_may_be_typed_in_the_language_of_the_person(typed: str, played: str) -> None:
    with speaking("de"):
        table = Table(HAND, [typed])
    assert table.session.game.format_action(table.session.actions[0]) == played


def test_all_moves_are_asked_for_in_the_language_of_the_person() -> None:
    with speaking("de"):
        table = Table(HAND, ["log all", "log alles", "verlauf Alle", "log einige"])
    assert table.said["log alles"] == table.said["verlauf Alle"] == table.said["log all"]
    assert table.said["log einige"].startswith("Schreibe log oder log all, nicht log einige.")


def test_what_is_wrong_is_said_in_the_language_of_the_person() -> None:
    with speaking("de"):
        table = Table(HAND, ["5 auf 9,9", "5 auf Bob", "3 auf Bob"])
    assert table.said["5 auf 9,9"].startswith("Gerader Gang links-rechts passt nicht auf 9,9; möglich: 1,0 und -1,0.")
    assert "sieht sich eine Zielkarte an: schreibe 3 und top, middle oder bottom." in table.said["3 auf Bob"]
    assert not re.search(r"\b(the|goes|to)\b", "".join(table.said.values()))


def test_turns_are_counted_from_the_first_one_on() -> None:
    assert "Round 1 of 3, turn 1: your move." in Table(HAND, []).screen()
    assert "Turn 1: your move." in Table(DUEL, []).screen()


def test_a_broken_tool_is_named_where_it_forbids_a_tunnel() -> None:
    table = Table(HAND, ["break my lantern", "P_EW 0,1", "P_EW@0,1"])
    assert "your move. You are a miner. Your lantern is broken.\n" in table.screen()
    assert (
        "The straight tunnel left-right cannot be played now: your lantern is broken; discard 4"
        in table.said["P_EW 0,1"]
    )
    assert table.said["P_EW@0,1"] == "A player with a broken tool may not lay a path card.\n"


def test_the_moves_of_one_card_are_listed_with_their_numbers() -> None:
    table = Table(HAND, ["moves 3"])
    listed = [line for line in table.said["moves 3"].splitlines() if line.startswith("m")]
    assert [line.split(maxsplit=1)[1] for line in listed] == [
        "Look at the top goal",
        "Look at the middle goal",
        "Look at the bottom goal",
        "Discard the map",
    ]
    number = int(listed[1].split()[0].removeprefix("m"))
    assert table.session.place(0).game.format_action(Table(HAND, [f"m{number}"]).session.actions[0]) == "map:middle"


@pytest.mark.parametrize("name", ["krisnadi", "duel"])
def test_the_mine_and_the_hand_are_said_in_words_line_by_line_for_those_who_hear_the_terminal(name: str) -> None:
    table = Table(SETUPS[name], ["words", "1"])
    view = table.session.place(SETUPS[name].seat).view
    lines = table.said["words"].splitlines()
    told = [line for line in lines if re.search(r"\bat -?\d+,-?\d+", line)]
    hand = [line for line in lines if re.match(r"\d ", line)]
    assert len(told) == len(view.board) >= 4
    assert sum("goal" in line for line in told) == 3
    assert [line.split()[0] for line in hand] == [str(number) for number in range(1, len(view.hand) + 1)]
    assert any(" tunnel open " in line for line in hand)
    assert not re.search(r"[─│╭╮╰╯┃]|\b[PD]_", table.said["words"])


# --- Practice ----------------------------------------------------------------------------------------------------------


def test_at_practice_moves_are_taken_back_and_hints_and_reasons_given(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reasons, "is_at_hand", lambda _game: True)  # else another advises until there is machine code
    setup = replace(HAND, opponents=("decision-2019",) * 4, practice=True)
    table = Table(
        setup,
        [
            "undo",
            "why",
            "hint",
            "3 top",
            "undo",
            "5 at 1,0",
            "why",
            "why Bob",
            "why me",
            "why You",
            "why Zed",
            "undo",
            "log",
        ],
    )
    assert "There is no move of yours to take back." in table.screen()
    assert "There is no move yet to give reasons for." in table.screen()
    assert ", says mole." in table.said["hint"]
    assert "1 move taken back" in table.screen()
    assert table.prompts[4:6] == ["your claim > ", "your move > "]
    assert len(re.findall(r"^\d+ moves? taken back", table.screen(), re.MULTILINE)) == 2
    assert re.match(r"Bob .*\. \(decision-2019\)\nI choose .*: .* my cards that are of use now", table.said["why Bob"])
    assert "Your reasons are your own" in table.said["why me"]
    assert "Your reasons are your own" in table.said["why You"]
    assert "nobody is called Zed" in table.said["why Zed"]
    assert table.said["log"].startswith("Nothing has happened yet.")
    assert table.session.actions == []


# --- What is hidden stays hidden ---------------------------------------------------------------------------------------


def everything(table: GameTable, screen: Screen) -> str:
    start = len(screen())
    for look in LOOKS[:5]:
        table.prompter.commands[look]()
    return screen()[start:]


@pytest.mark.parametrize("name", SETUPS)
def test_the_screen_is_the_same_for_every_deal_that_the_person_holds_possible(name: str) -> None:
    setup = replace(SETUPS[name], opponents=("random",) * len(SETUPS[name].opponents))
    session = seat_table(setup)
    place = session.place(setup.seat)
    screen = Screen()
    table = make_table(place, Prompter(screen.console))
    chance = np.random.default_rng(2)
    draws = 0
    while place.outcome is None:
        place.wait()
        table.catch_up()
        if place.my_move:
            if chance.random() < 0.4:
                seen = everything(table, screen)
                true = session.position.states
                stream = chance.integers(1, 2**63, 1).astype(np.uint64)
                session.position.states = session.game.resample(session.view(setup.seat), stream)
                assert session.position.states.tobytes() != true.tobytes()
                assert everything(table, screen) == seen
                session.position.states = true
                draws += 1
            place.play(place.legal_actions[int(chance.integers(len(place.legal_actions)))])
    assert draws > 3


# --- Sitting down ------------------------------------------------------------------------------------------------------


def test_the_set_up_asks_until_it_can_be_played() -> None:
    lines = ["rules", "hand", "a,b", "", "chess", "veldhuis", "2", "kripke", "random*4", "maybe", ""]
    screen = Screen()
    setup = ask_setup(Prompter(screen.console, lambda _: lines.pop(0)), Setup("saboteur", 1), ())
    assert setup == Setup("saboteur", 1, "veldhuis", ("random",) * 4)
    for said in (
        "The cards are not dealt yet.",
        "A name has 1 to 20 letters",
        "Unknown ruleset of saboteur 'chess'",
        "With these rules 4 others can play, not 2.",
        "Did you mean kripke-2012?",
        "Write yes or no, not 'maybe'.",
    ):
        assert said in screen()


def test_enter_takes_what_is_usual() -> None:
    assert ask_setup(Prompter(Screen().console, lambda _: ""), Setup("duel", 1), ()) == Setup("duel", 1)
    asked = ask_setup(Prompter(Screen().console, lambda _: ""), Setup("saboteur", 1), ())
    assert (asked.ruleset, asked.opponents, asked.name) == ("official+talk", ("kripke-2012",) * 4, "You")


@pytest.mark.parametrize("text", ["", "0", "kripke", "random,", "miner:random", "random:foo=1", "random*0"])
def test_opponents_that_cannot_be_are_refused(text: str) -> None:
    with pytest.raises(BadInput):
        check_opponents("saboteur", text)


@pytest.mark.parametrize(
    "wrong",
    [
        {"opponents": "random", "ruleset": "veldhuis"},
        {"opponents": "basic*4"},
        {"ruleset": "chess"},
        {"name": ""},
        {"seed": -1},
        {"record": Path("-")},
        {"record": Path("/nowhere/at/all")},
    ],
)
def test_a_wrong_call_is_refused_before_anything_is_asked(wrong: dict[str, Any]) -> None:
    person = Person(lambda: "")
    with pytest.raises(BadInput):
        sit_down("saboteur", **wrong, read=person)
    assert not person.prompts


def test_a_game_that_is_left_is_not_finished(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    record = tmp_path / "game.jsonl"
    person = Person(lambda: "", wrong={"your move": ["quit"]})
    assert sit_down("duel", "random", seed=1, read=person, record=record) == 0
    said = capsys.readouterr().out
    assert "The game was not finished." in said and "No record was written." in said
    assert not record.exists()


def test_the_game_is_recorded(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    record = tmp_path / "game.jsonl"
    read = Person(Spoken(capsys))
    assert sit_down("duel", "random", name="Katie", first=False, seed=1, read=read, record=record) == 0
    (game,) = [Replay(game, make_game) for _, game in read_records(record)]
    assert game.record.seats == ("person:Katie", "random")


def test_a_pipe_without_unicode_that_ends_early_is_told_politely() -> None:
    done = subprocess.run(
        [sys.executable, "-c", START.format("'duel', 'random', seed=6")],
        input="moves\nspam\n",
        capture_output=True,
        text=True,
        check=False,
        env=os.environ | {"PYTHONIOENCODING": "ascii"},
    )
    assert done.returncode == 1
    assert done.stdout.endswith("The game was not finished.\n") and not done.stderr
    assert "\x1b" not in done.stdout
    assert "+---+" in done.stdout and "??" not in done.stdout


# --- A terminal --------------------------------------------------------------------------------------------------------


def test_a_whole_game_at_a_terminal_with_wrong_input_at_every_prompt(tmp_path: Path) -> None:
    record = tmp_path / "game.jsonl"
    wrong = {
        "Your name": ["a,b"],
        "Rules": ["chess"],
        "The others": ["two", "1"],
        "A practice game": ["who knows"],
        "your move": ["jump", "99 at 1,0", "hint", "why"],
        "your claim": ["perhaps"],
    }
    setup = {"Your name": "Katie", "Rules": "krisnadi:talk=yes", "The others": "random*2", "A practice": "yes"}
    call = f"'saboteur', seed=11, record=__import__('pathlib').Path({str(record)!r})"
    with Terminal(START.format(call)) as terminal:
        person = Person(lambda: terminal.text, 3, wrong=wrong, setup=setup)
        while terminal.until("> ").endswith("> "):
            prompt = terminal.text.rpartition("\n")[2]
            terminal.type(person(prompt) + "\n")
        assert terminal.finish() == 0
    assert not any(answers for beginning, answers in wrong.items() if beginning != "your claim")
    for said in ("Unknown ruleset of saboteur 'chess'", "'jump'", ", says kripke-2012.", "Seed 11."):
        assert said in terminal.text
    game = Replay(next(read_records(record))[1], make_game)
    assert game.record.seats == ("person:Katie", "random", "random")


def test_a_dumb_terminal_is_as_wide_as_it_says_and_no_line_is_longer() -> None:
    with Terminal(START.format("'saboteur', seed=4"), columns=44, kind="dumb") as terminal:
        for _ in range(4):
            terminal.until("> ")
            terminal.type("\n")
        terminal.until("your move > ")
    lines = terminal.text.splitlines()
    assert max(map(len, lines)) in range(38, 45)
    assert "  at most 2 saboteurs among 5 players, 36" in lines
    assert "The others: how many, or which" in lines  # the prompt was folded, not scrolled


def prompts_at(setup: Setup, width: int, height: int, moves: int, look: str = "") -> list[list[str]]:
    """What a terminal of some size shows at each of so many prompts of a game, at every other of which `look` is typed."""
    written, shown = io.StringIO(), []

    def read(prompt: str) -> str:
        shown.append([*written.getvalue().splitlines(), prompt][-height:])
        if len(shown) > moves:
            raise EOFError
        if look and len(shown) % 2:
            return look
        return "gold" if prompt.startswith("your claim") else "m1"

    console = Console(file=written, width=width, height=height, force_terminal=True, color_system=None)
    with pytest.raises(LeftTable):
        play_game(setup, Prompter(console, read))
    return shown


@pytest.mark.parametrize(("name", "moves"), [("krisnadi", 12), ("official+talk", 12), ("duel", 25)])
def test_a_low_terminal_shows_the_mine_the_hand_and_the_question(name: str, moves: int) -> None:
    for shown in prompts_at(SETUPS[name], 80, 24, moves):
        if shown[-1].startswith("your claim"):
            continue  # one was just told what was seen, and needs no mine
        # The line with the numbers of the columns stands above the mine, whole as it is.
        assert any(re.fullmatch(r"( +-?\d+){5,}", line) for line in shown), "\n".join(shown)
        assert any(line.startswith("hand ") for line in shown)
        assert any(re.match(r" *-?\d+ .*\+", line) for line in shown), "where a tunnel can be laid is in sight"
        # Where one asks for it at a claim, after what was seen, the mine has its columns, too.
    for asked, shown in pairwise(prompts_at(SETUPS[name], 80, 24, moves, look="board")):
        if asked[-1].startswith("your") and shown[-1] == asked[-1]:
            assert any(re.fullmatch(r"( +-?\d+){5,}", line) for line in shown), "\n".join(shown)
    # Where there is room, nothing is drawn smaller.
    high = prompts_at(SETUPS[name], 80, 60, 1)[0]
    assert high.count("") > 3 and any("│" in line for line in high[-6:])


def test_no_line_is_broken_before_a_sign_of_percent() -> None:
    written = io.StringIO()
    prompter = Prompter(Console(file=written, width=40))
    for width in range(20, 40):
        prompter.say(f"{'x' * width} 37 % of all that there is", indent=2)
    assert "37 %" in written.getvalue() and not re.search(r"37\s*\n", written.getvalue())


def test_a_question_is_broken_between_words() -> None:
    written, asked = io.StringIO(), []

    def read(prompt: str) -> str:
        asked.append(prompt)
        return ""

    question = "Which of the many rules that there are at this table do you want to play by, if any"
    Prompter(Console(file=written, width=40, force_terminal=True, color_system=None), read).ask(question)
    lines = [*written.getvalue().splitlines(), *asked]
    assert " ".join(line.strip() for line in lines) == f"{question} >"
    assert max(map(len, lines)) <= 40
    assert asked[0].endswith(" > ")


def test_a_malus_is_told_beside_the_question_for_as_long_as_it_lies_there() -> None:
    told = 0
    for shown in prompts_at(DUEL, 80, 60, 25):
        text = "\n".join(shown)
        malus = re.findall(r"^[> ] \d You +\d+ +(\d+) ", text, re.MULTILINE)[-1]
        blocked = any("A malus lies in front of you." in line for line in shown[-3:])
        assert blocked == (malus != "0"), text
        told += blocked
    assert told


def test_yes_and_no_are_read_in_english_and_in_the_language_of_the_person() -> None:
    written, asked = io.StringIO(), []
    answers = iter(["vielleicht", "j", "nein", "yes", "n", "", "Ja"])

    def read(prompt: str) -> str:
        asked.append(prompt)
        return next(answers)

    with speaking("de"):
        prompter = Prompter(Console(file=written), read)
        assert [prompter.yes("Los") for _ in range(4)] == [True, False, True, False]
        assert [prompter.yes_or_no("Üben", "no") for _ in range(2)] == [False, True]
    assert written.getvalue() == "Schreibe ja oder nein, nicht 'vielleicht'.\n"
    assert (asked[0], asked[-1]) == ("Los (ja oder nein) > ", "Üben (nein) > ")


def test_what_help_tells_of_a_line_goes_on_below_itself() -> None:
    written = io.StringIO()
    Prompter(Console(file=written, width=30)).say_help(
        "2 top     look at a goal with a map\nlog all, rules, help, hint and quit", 10
    )
    first, more, commands, last = written.getvalue().splitlines()
    assert (first, more) == ("2 top     look at a goal with", "          a map")
    assert (commands, last) == ("log all, rules, help, hint and", "quit")


def test_the_terminal_speaks_the_language_of_the_reader_all_through() -> None:
    with speaking("de"):
        setup = Setup("saboteur", 4, "krisnadi", ("random",) * 3)
        text = "\n".join(prompts_at(setup, 80, 60, 1)[0])
    assert setup.name == "Du"
    assert not re.search(r"\b(hand|start|dead-end|reachable|empty|You)\b", text), text
    assert "Sackgasse" in text and re.search(r"^Hand ", text, re.MULTILINE)


@pytest.mark.parametrize("name", ["krisnadi", "duel"])
def test_help_is_in_the_language_of_the_reader_all_through(name: str) -> None:
    screen = Screen()
    lines = iter(["help", "quit", "no"])
    with speaking("de"), pytest.raises(LeftTable):
        play_game(SETUPS[name], Prompter(screen.console, lambda _: next(lines)))
    told = screen()[screen().index("2 at 3,1") :]
    assert "Notation" in told and not re.search(r"\b(and|not|your|card|with)\b", told), told


@pytest.mark.parametrize(
    ("name", "titles"),
    [("krisnadi", "Schatzkarte|Steinschlag|Reparatur|zerbrochen"), ("duel", "Schatzkarte|Malus|Bonus")],
)
def test_the_hand_is_in_the_persons_language_and_notation_is_understood_all_the_same(name: str, titles: str) -> None:
    understood = 0
    for seed in range(4):
        screen = Screen()
        hand: list[str] = []

        def read(prompt: str, screen: Screen = screen, hand: list[str] = hand) -> str:
            if len(hand) > 1:
                raise EOFError
            hand.append(screen())
            return "moves map"

        with speaking("de"), pytest.raises(LeftTable):
            play_game(replace(SETUPS[name], seed=seed), Prompter(screen.console, read))
        first, then = hand
        assert re.search(rf"\d ({titles})", first)
        assert not re.search(r"\d (map|rockfall|malus|bonus|destroy|break:|fix:)", first)
        if re.search(r"\d Schatzkarte", first):
            understood += "Sieh dir die Zielkarte" in then[len(first) :]
    assert understood


def test_commands_may_be_typed_in_the_language_of_the_person() -> None:
    with speaking("de"):
        table = Table(HAND, ["Hilfe", "züge 5", "brett", "regeln"])
        as_in_english = Table(HAND, ["help", "moves 5", "board", "rules"])
    for typed, called in (("Hilfe", "help"), ("züge 5", "moves 5"), ("brett", "board"), ("regeln", "rules")):
        assert table.said[typed] == as_in_english.said[called] != ""
    with speaking("de"), pytest.raises(LeftTable):
        Prompter(Console(file=io.StringIO()), lambda _: "Aufhören").ask("?")


def test_the_names_of_commands_in_another_language_are_those_of_commands_that_there_are() -> None:
    known = {
        "help",
        "why",
        "hint",
        "quit",
        "rules",
        "log",
        "cards",
        "board",
        "sheet",
        "seats",
        "moves",
        "back",
        "undo",
        "beliefs",
        "save",
        "resume",
        "suggest",
        "accuse",
        "show",
        "end",
    }
    for language in languages():
        with speaking(language):
            pairs = [pair.split("=") for pair in in_words(SAID_AS).split()]
        assert pairs and {called for _, called in pairs} <= known
        typed = [word for word, called in pairs if word != called]
        assert len(typed) == len(set(typed)) and not known & set(typed)


def test_the_title_of_what_is_known_of_goals_stands_apart_from_it() -> None:
    with speaking("de"):
        table = Table(HAND, ["3 oben", "Gold"])
    assert re.search(r"^Zielkarten +oben ", table.screen(), re.MULTILINE)
    assert beside("a" * 12, ["one", "two"]) == ["a" * 12 + " one", " " * 13 + "two"]


def test_a_command_in_english_stays_whatever_a_language_calls_by_its_name() -> None:
    with speaking("de"):
        assert command_word("warum", {"why"}) == command_word("why", {"why"}) == "why"
        assert command_word("warum", {"warum", "why"}) == "warum"
        assert command_word("Ann", {"why"}) == "Ann"
