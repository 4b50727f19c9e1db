"""Speed Clue in the terminal: what is typed is checked, what is hidden stays hidden, and games end as they should."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from molehunt.console.play import play_speed_clue
from molehunt.core.errors import BadInput
from molehunt.core.language import _ as in_words
from molehunt.core.language import speaking
from molehunt.core.record import read_records
from molehunt.core.replay import Replay
from molehunt.games.registry import make_game
from molehunt.games.speed_clue.actions import END, PLAY_SHIFT, SHOW
from molehunt.table.clue_sheet import ENVELOPE, HAS, LACKS, MAY, SHOWN, UNKNOWN, FilledSheet, sheet_sentences
from molehunt.table.session import Session
from molehunt.terminal.clue import ClueTable
from molehunt.terminal.clue_setup import (
    HIDDEN,
    Setup,
    ask_setup,
    check_opponents,
    play_game,
    seat_table,
)
from molehunt.terminal.prompts import LeftTable, Prompter
from molehunt.terminal.sitting import check_name
from terminal.clue_person import CARDS, LOOKS, Person, Screen, Spoken
from terminal.pseudo_terminal import Terminal

START = "import sys; from molehunt.console.play import play_speed_clue; sys.exit(play_speed_clue({}))"


def whole_game(setup: Setup, **script: Any) -> tuple[Session, Screen, Person]:
    screen = Screen()
    person = Person(screen, setup.seed, **script)
    return play_game(setup, Prompter(screen.console, person)), screen, person


# --- A game ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("opponents", [2, 3, 5])
def test_a_game_is_played_to_its_end_and_the_end_is_told(opponents: int) -> None:
    session, screen, _ = whole_game(Setup(opponents, opponents=(HIDDEN,) * opponents), looks=LOOKS)
    outcome = session.outcome
    assert outcome is not None and outcome.winners
    winner = session.sitters[outcome.winners[0]].name
    ending = screen().rpartition("\n\n")[2]
    assert ("You win in turn" if winner == "You" else f"{winner} wins in turn") in ending
    accused = next(event for event in reversed(screen().splitlines()) if event.endswith("right!"))
    assert f"The envelope held {re.sub('.*accuses? ', '', accused).removesuffix(': right!')}." in ending
    for sitter in session.sitters[1:]:
        assert f"{sitter.name} {sitter.spec}" in ending


def test_the_same_seed_is_the_same_game_and_another_seed_another() -> None:
    setup = Setup(77, opponents=(HIDDEN, "advanced", "basic"))
    first, screen, _ = whole_game(setup)
    second, again, _ = whole_game(setup)
    other, _, _ = whole_game(replace(setup, seed=78))
    assert first.record() == second.record() and screen() == again()
    assert other.record() != first.record()


def test_the_person_wins_with_what_the_sheet_says() -> None:
    winners = [whole_game(Setup(seed, opponents=("no-intelligence", "random")))[0].outcome for seed in range(12)]
    assert any(outcome is not None and outcome.winners == (0,) for outcome in winners)


def test_the_person_who_accuses_wrongly_goes_on_answering() -> None:
    asked = 0
    for seed in range(5):
        wrong = {"suggest or accuse": ["accuse Pe, Ro, Ha"]}
        session, screen, person = whole_game(Setup(seed, opponents=("basic", "basic", "basic")), wrong=wrong)
        assert "You accuse Mrs Peacock, Rope, Hall: wrong. You are out." in screen()
        assert sum(prompt.startswith("suggest or accuse") for prompt in person.prompts) == 1
        assert session.outcome is not None
        asked += sum(prompt.startswith("show") for prompt in person.prompts)
    assert asked


def test_a_listed_deal_deals_its_hands() -> None:
    _, screen, _ = whole_game(Setup(1, opponents=("basic", "basic"), deal=1))
    assert "Miss Scarlett, Colonel Mustard\n" in screen()
    assert "The envelope held Professor Plum, Lead Pipe, Hall." in screen()


def test_the_contest_rules_can_be_played() -> None:
    for seed in range(4):
        session, screen, _ = whole_game(Setup(seed, opponents=("advanced", "basic"), ruleset="contest:cards=report"))
        assert session.outcome is not None
        assert "suggest or accuse" not in screen()


@pytest.mark.parametrize("line", ["", "accuse"])
def test_who_must_accuse_is_told_so_and_types_no_card(line: str) -> None:
    setup = Setup(3, opponents=("advanced", "exact"), ruleset="contest")
    envelope = "Mrs Peacock, Lead Pipe, Study"
    screen = Screen()
    typed = iter([f"suggest {envelope}", "end", "accuse Mrs White, Rope, Hall", line, "yes"])
    prompts: list[str] = []

    def answer(prompt: str) -> str:
        prompts.append(prompt)
        return next(typed)

    session = play_game(setup, Prompter(screen.console, answer))
    assert session.outcome is not None and session.outcome.winners == (0,)
    assert screen().count("you must accuse with it") == 2
    # What cannot be accused is not asked about first, and is no dead end.
    assert "nobody disproves must accuse with it." in screen()
    forced = f"accuse (Enter accuses {envelope}) > "
    question = f"Accuse {envelope}? If it is wrong, you are out (yes or no) > "
    assert prompts[1:] == [forced, forced, forced, question]


# --- What is typed is checked -----------------------------------------------------------------------------------------


class Table:
    """A table with lines to be typed; the screen after each of them."""

    def __init__(self, setup: Setup, lines: list[str], finish: bool = False) -> None:
        self.screen = Screen()
        self.lines = lines
        self.session = seat_table(setup)
        self.prompts: list[str] = []
        self.said: dict[str, str] = {}
        self._typed: str | None = None
        self._length = 0
        table = ClueTable(self.session.place(0), Prompter(self.screen.console, self.read), setup.fill_sheet)
        with pytest.raises(LeftTable):
            table.play()

    def read(self, prompt: str) -> str:
        self.prompts.append(prompt)
        if self._typed is not None:
            self.said[self._typed] = self.screen()[self._length :]
        if not self.lines:
            raise EOFError
        self._typed = self.lines.pop(0)
        self._length = len(self.screen())
        return self._typed


HAND = Setup(5, opponents=("basic", "advanced"), deal=3)
"""The person holds Mustard, Green, Lead Pipe, Revolver, Hall and Library."""


def test_at_the_beginning_of_a_turn() -> None:
    table = Table(
        HAND,
        ["", "dance", "sugest", "end", "show Hall", "suggest Pe, Ro", "accuse Pe, Mu, Ha", "suggest spam, Ro, Ha"],
    )
    assert set(table.prompts) == {"suggest or accuse > "}
    assert table.said["dance"].startswith("'dance' is not understood. Write suggest or accuse")
    assert "Did you mean suggest?" in table.said["sugest"]
    assert table.said["end"] == "A turn ends after its suggestion.\n"
    assert table.said["show Hall"] == "Nobody has asked you for a card.\n"
    assert "must name a suspect, a weapon and a location" in table.said["suggest Pe, Ro"]
    assert "must name one suspect, one weapon and one location" in table.said["accuse Pe, Mu, Ha"]
    assert "No card is called 'spam'" in table.said["suggest spam, Ro, Ha"]
    assert table.session.actions == []


def test_while_a_suggestion_is_being_made() -> None:
    table = Table(HAND, ["suggest", "rope", "", "p", "back", "s", "MRS P", "mustard", "lead", "hand", "kitch"])
    assert "No suspect is called 'rope'; there are Miss Scarlett" in table.said["rope"]
    assert table.said[""] == "Write a suspect; back goes back.\n"
    assert "'p' may be Mrs Peacock or Professor Plum" in table.said["p"]
    assert "No weapon is called 'mustard'" in table.said["mustard"]
    assert "Your 6 cards:" in table.said["hand"]
    assert table.prompts[5:7] == ["suggest or accuse > ", "suggest: which suspect > "]
    assert "You suggest Mrs Peacock, Lead Pipe, Kitchen." in table.screen()


def test_an_accusation_is_asked_about_once_more() -> None:
    table = Table(HAND, ["accuse pe ro ha", "perhaps", "no", "accuse", "Pe", "Ro", "Ha", "n"])
    assert table.prompts[1] == "Accuse Mrs Peacock, Rope, Hall? If it is wrong, you are out (yes or no) > "
    assert table.said["perhaps"] == "Write yes or no, not 'perhaps'.\n"
    assert table.said["no"] == "No accusation was made.\n"
    assert table.session.actions == []


def test_after_the_suggestion() -> None:
    table = Table(HAND, ["Pe, Ro, Ha", "suggest Pe, Ro, Ha", "show Hall", "what", "end now", "e"])
    after = [prompt for prompt in table.prompts if prompt.startswith("accuse or end")]
    assert len(after) == 5
    assert table.said["suggest Pe, Ro, Ha"] == "You have made the suggestion of this turn.\n"
    assert table.said["show Hall"] == "Nobody has asked you for a card.\n"
    assert "'what' is not understood" in table.said["what"]
    assert table.said["end now"] == "Nothing comes after end.\n"


def asked_table(lines: list[str]) -> tuple[Table, tuple[str, ...]]:
    """A table at which the person is asked for one of two cards or more; `lines` are what is typed then."""
    for seed in range(200):
        setup = replace(HAND, seed=seed)
        table = Table(setup, ["Pe, Ro, Ki", "end"])
        view = table.session.place(0).view
        if view.phase == "answer" and len(view.showable) == 2 and len(view.suggestions) <= 3:
            return Table(setup, ["Pe, Ro, Ki", "end", *lines]), view.showable
    raise AssertionError("the person was never asked")


def test_when_the_person_is_asked() -> None:
    _, cards = asked_table([])
    table, _ = asked_table(
        ["", "no", "accuse Pe, Ro, Ha", "suggest", "end", "Rope", "spam", "yes", "sheet", f"show {cards[1]}"]
    )
    assert table.said[""] == table.said["yes"] == f"Write which card: {cards[0]} or {cards[1]}.\n"
    assert table.said["no"] == f"That would be false: you hold {cards[0]} and {cards[1]}.\n"
    assert "you can accuse in your own turn only" in table.said["accuse Pe, Ro, Ha"]
    assert "It is not your turn." in table.said["suggest"] and "It is not your turn." in table.said["end"]
    assert table.said["Rope"] == "You do not hold Rope.\n"
    assert "No card is called 'spam'" in table.said["spam"]
    assert table.said["sheet"].splitlines()[-1].endswith(f"You can disprove it with {cards[0]} or {cards[1]}.")
    assert re.search(f"You show (Alice|Bob) {cards[1]}.", table.said[f"show {cards[1]}"])


def test_one_who_is_asked_answers_in_german() -> None:
    with speaking("de"):
        _, cards = asked_table([])
        mine = in_words(cards[1])
        table, _ = asked_table(["ja", "nein", "ende", f"zeige {mine}"])
    assert table.said["ja"].startswith("Schreib, welche Karte: ")
    assert table.said["nein"].startswith("Das wäre falsch: ")
    assert "Du bist nicht am Zug." in table.said["ende"]
    assert re.search(f"Du zeigst (Alice|Bob) {mine}.", table.said[f"zeige {mine}"])


def test_a_card_that_was_not_named_is_not_shown() -> None:
    _, cards = asked_table([])
    other = next(card for card in ("Hall", "Library", "Revolver", "Lead Pipe") if card not in cards)
    table, _ = asked_table([other])
    assert table.said[other] == f"{other} is not one of the three cards that were named.\n"


def test_a_single_card_is_shown_with_enter_and_shown_again_is_told() -> None:
    screens = [whole_game(Setup(seed, opponents=("basic", "basic")))[1]() for seed in range(6)]
    assert any("before)" in screen for screen in screens)
    single = Table(replace(HAND, seed=1), ["Pe, Ro, Ki", *[""] * 30])
    assert any(re.fullmatch(r"show \(Enter shows [A-Z][A-Za-z ]+\) > ", prompt) for prompt in single.prompts)


def test_the_set_up_asks_until_it_can_be_played() -> None:
    lines = [
        "rules",
        "sheet",
        "a,b",
        "Alice",
        "one",
        "7",
        "3",
        "maybe",
        "known",
        "bassic",
        "basic",
        "hidden",
        "",
        "9",
        "1",
        "7",
        "yes",
    ]
    screen = Screen()
    prompts: list[str] = []

    def read(prompt: str) -> str:
        prompts.append(prompt)
        return lines.pop(0)

    setup = ask_setup(Prompter(screen.console, read), Setup(1), ())
    assert setup == Setup(1, "Alice", ("basic", "hidden", "basic"), 7, practice=True)
    assert "The cards are not dealt yet." in screen()
    assert "did you mean 'basic'" in screen()
    assert "Write a number from 1 to 8, not '9'." in screen()
    assert "Deal 1 is listed for 3, 6 seats, not 4." in screen()
    # The person is Alice, so nobody else is.
    assert [sitter.name for sitter in seat_table(setup).sitters] == ["Alice", "Bob", "Carol", "Dave"]


def test_enter_takes_the_usual_answer_to_every_question() -> None:
    prompts: list[str] = []

    def read(prompt: str) -> str:
        prompts.append(prompt)
        return ""

    setup = ask_setup(Prompter(Screen().console, read), Setup(1), ())
    assert setup == Setup(1, "You", ("basic", "basic"))
    assert prompts[:4] == [
        "Your name (Enter: You) > ",
        "How many artificial players (2 to 5; Enter: 2) > ",
        "Their strategies: known to you, or hidden until the end (Enter: known) > ",
        "Strategy of artificial player 1 (basic or advanced, ...; Enter: basic) > ",
    ]


def test_a_german_names_cards_in_german_and_is_answered_in_german() -> None:
    with speaking("de"):
        table = Table(HAND, ["Porz, seil, arbeitszimmer", "record", "end", "suggest Dolch, Dolch, Ha", "rules"])
        assert "Du verdächtigst Baronin von Porz, Seil, Arbeitszimmer." in table.screen()
        in_german = Table(HAND, ["Verdächtige porz, seil, arbeitszimmer"])
        assert "Du verdächtigst Baronin von Porz, Seil, Arbeitszimmer." in in_german.screen()
        assert "Baronin von Porz, Seil, Arbeitszimmer" in table.said["record"]
    assert not [card for card in CARDS if card != "Revolver" and card in table.screen()]


@pytest.mark.parametrize("text", ["basic", "basic*6", "basic,best", "basic,", "basic:foo=1,basic", "miner:basic,basic"])
def test_opponents_that_cannot_be_are_refused(text: str) -> None:
    with pytest.raises(BadInput):
        check_opponents(text)


def test_opponents_may_have_parameters() -> None:
    assert check_opponents("mixed,basic:show=random,choice=systematic,hidden*2") == (
        "mixed",
        "basic:show=random,choice=systematic",
        "hidden",
        "hidden",
    )


def test_a_name_is_the_same_however_its_accents_are_written() -> None:
    assert check_name("Rene\u0301") == check_name("Ren\u00e9") == "Ren\u00e9"


@pytest.mark.parametrize("name", ["", "  ", "a,b", "x" * 21, "\x1b[31m", "me:you"])
def test_names_that_cannot_be_are_refused(name: str) -> None:
    with pytest.raises(BadInput):
        check_name(name)


@pytest.mark.parametrize(
    ("typed", "completed"),
    [
        ("sug", ["suggest"]),
        ("suggest pea", ["suggest Mrs Peacock"]),
        (" ro", [" Rope"]),
        ("accuse B", ["accuse Ballroom", "accuse Billiard Room"]),
        (" room", []),
        ("spam", []),
    ],
)
def test_the_tabulator_key_completes_moves_and_cards(typed: str, completed: list[str]) -> None:
    prompter = Prompter(Screen().console, lambda _: "quit")
    with pytest.raises(LeftTable):
        prompter.ask("suggest or accuse", ["suggest", "accuse", *CARDS], ("suggest", "accuse"))
    assert prompter.completions(typed) == completed


# --- What is hidden stays hidden --------------------------------------------------------------------------------------


def test_no_screen_names_a_card_that_was_shown_to_others() -> None:
    hidden = 0
    for seed in range(25):
        session, screen, _ = whole_game(Setup(seed, opponents=(HIDDEN,) * (2 + seed % 4)), looks=LOOKS)
        told = r"(You|Alice|Bob|Carol|Dave|Eve) shows? (you|Alice|Bob|Carol|Dave|Eve) (a card|[A-Z][A-Za-z ]+)\.$"
        for shower, asker, what in re.findall(told, screen(), re.MULTILINE):
            assert (what == "a card") == (shower != "You" and asker != "you")
        rows = re.findall(r"^ *\d+ (\w+) .*?(\w+) shows? (a card|[A-Z]\w+)", screen(), re.MULTILINE)
        for asker, shower, what in rows:
            assert (what == "a card") == ("you" not in (asker, shower))
            hidden += what == "a card"
        before_end = screen()[: screen().rindex("\n\n")]
        assert not any(sitter.spec in before_end for sitter in session.sitters[1:])
    assert hidden > 100


def test_every_card_on_the_screen_is_held_or_was_named_aloud() -> None:
    for seed in range(10):
        session, screen, _ = whole_game(Setup(seed, opponents=("basic", "advanced", HIDDEN)))
        known = set(session.place(0).view.hand)
        for line in screen().splitlines():
            said = [card for card in CARDS if card in line]
            if re.match(r"\w+ (suggests?|accuses?) ", line):
                known |= set(re.search(r"(?:suggests?|accuses?) ([^.:]*)", line)[1].split(", "))  # type: ignore[index]
            if not line.startswith(("The envelope held", "Turn ")):
                assert set(said) <= known


def everything(table: ClueTable, screen: Screen) -> str:
    start = len(screen())
    for look in LOOKS:
        table.prompter.commands[look]()
    return screen()[start:]


class Doubter:
    """Answers as a person does, but first looks at everything, also with other deals that he holds possible."""

    def __init__(self, session: Session, seed: int) -> None:
        self.session, self.screen, self.scratch = session, Screen(), Screen()
        self.person = Person(self.screen, seed)
        self.draws = 0
        self.differed = 0
        self.table = ClueTable(session.place(0), Prompter(self.screen.console, self.read), fill=True)

    def read(self, prompt: str) -> str:
        true = self.session.position.states.copy()
        place = self.session.place(0)
        self.table.prompter.console = self.scratch.console
        seen = []
        for other in (False, True, True):
            if other:
                self.draws += 1
                streams = np.array([self.draws], np.uint64)
                self.session.position.states = self.session.game.resample(place.record_view, streams)
                self.differed += self.session.position.states["hands"].tobytes() != true["hands"].tobytes()
            view = self.session.game.friendly_view(place.record_view)
            self.table.sheet = FilledSheet(view)
            seen.append((everything(self.table, self.scratch), place.legal_actions[:], view.showable))
        self.session.position.states = true
        self.table.prompter.console = self.screen.console
        assert seen[0] == seen[1] == seen[2]
        return self.person(prompt)


@pytest.mark.parametrize("seed", range(3))
def test_what_can_be_looked_at_does_not_depend_on_what_is_hidden(seed: int) -> None:
    doubter = Doubter(seat_table(Setup(seed, opponents=("advanced", "basic", "basic")[: 2 + seed % 2])), seed)
    doubter.table.play()
    assert doubter.differed > 10


def test_the_sheet_holds_only_what_is_true_and_finds_the_envelope() -> None:
    found = 0
    for seed in range(8):
        session, _, _ = whole_game(Setup(seed, opponents=("basic", "advanced", "basic")))
        truth = session.truth()[0]
        sheet = FilledSheet(session.place(0).view)
        edition = session.game.edition  # type: ignore[attr-defined]
        for card in range(len(edition.names)):
            for column in (ENVELOPE, 0, 1, 2, 3):
                cards = truth["envelope"] if column == ENVELOPE else truth["hands"][column]
                mark, held = sheet.mark(card, column), int(cards) >> card & 1
                assert mark in ((HAS, UNKNOWN, MAY) if held else (LACKS, SHOWN, UNKNOWN, MAY))
                found += mark == HAS and column == ENVELOPE
    assert found > 3


def test_the_sheet_is_said_in_words_line_by_line_for_those_who_hear_the_terminal() -> None:
    session, _, _ = whole_game(Setup(2, opponents=("basic", "advanced", "basic")))
    place, game = session.place(0), session.game
    sheet, edition = FilledSheet(place.view), game.edition  # type: ignore[attr-defined]
    lines = sheet_sentences(sheet, place.names, 0, edition)
    assert [line for line in lines if line.endswith(":")] == ["Suspects:", "Weapons:", "Locations:"]
    kinds = set()
    for card, name in enumerate(edition.names):
        (said,) = [line for line in lines if re.match(rf"{name}\b", line)]
        marks = {place.names[seat]: sheet.mark(card, seat) for seat in (1, 2, 3)}
        for other, mark in marks.items():
            if "not with" in said and mark == LACKS:
                assert other in said.partition("not with")[2]
            if mark == HAS:
                assert said == f"{name} is with {other}."
        shown = [other for other, mark in marks.items() if mark == SHOWN]
        if sheet.mark(card, 0) == HAS:
            assert said == (f"{name} is yours; shown to {' and '.join(shown)}." if shown else f"{name} is yours.")
        assert (said == f"{name} is in the envelope.") == (sheet.mark(card, ENVELOPE) == HAS)
        kinds.add(re.sub("Alice|Bob|Carol", "", said.removeprefix(name)))
    assert len(kinds) > 3


def test_a_sheet_of_ones_own_is_said_as_it_was_written() -> None:
    lines = ["mark pe alice maybe", "mark pe bob no", "mark rope env no", "mark pl env maybe", "words"]
    said = Table(replace(HAND, fill_sheet=False), ["Pe, Ro, Ki", *lines]).said["words"].splitlines()
    assert "Mrs Peacock: perhaps with Alice, not with Bob." in said
    assert "Rope: not in the envelope." in said and "Professor Plum: perhaps in the envelope." in said
    assert "Kitchen: nothing known." in said or "Kitchen is yours." in said


def test_without_a_sheet_that_fills_itself_the_person_writes() -> None:
    setup = replace(HAND, fill_sheet=False)
    lines = [
        "Pe, Ro, Ki",
        "sheet",
        "mark pe alice yes",
        "mark rope env no",
        "mark x alice yes",
        "mark Pe",
        "mark Pe Zoe no",
    ]
    lines += ["mark Pe bob perhaps", "help", "record", "mark rope env clear", "sheet "]
    table = Table(setup, lines)
    lines = table.said["sheet"].splitlines()
    # However low the screen is on which one reads the last rows, the columns have their names.
    assert [line.split()[1:] for line in lines if line[0] in "swl"] == [["you", "Alice", "Bob", "envelope"]] * 3
    row = next(line for line in lines if "Mrs Peacock" in line)
    assert row.split()[2:] == ["x", ".", ".", "."]
    assert table.said["mark pe alice yes"].startswith("Mrs Peacock, Alice: yes")
    assert table.said["mark rope env no"].startswith("Rope, envelope: no")
    assert "No card is called 'x'" in table.said["mark x alice yes"]
    assert "mark CARD PLAYER yes" in table.said["mark Pe"] and "mark CARD PLAYER yes" in table.said["help"]
    assert "No player is called 'Zoe'; there are alice, bob, envelope" in table.said["mark Pe Zoe no"]
    assert "A mark is yes, no, maybe, clear" in table.said["mark Pe bob perhaps"]
    assert "Still possible" not in table.screen()


# --- The command -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "wrong",
    [
        {"opponents": "basic,basic", "hidden": 2},
        {"hidden": 1},
        {"deal": 9},
        {"deal": 1, "hidden": 3},
        {"name": ""},
        {"seed": -1},
        {"series": [2]},
        {"series": [3, 3]},
        {"series": [], "hidden": 3},
        {"table": Path("table.md")},
        {"record": Path("-")},
        {"record": Path("/nowhere/at/all")},
        {"ruleset": "chess"},
    ],
)
def test_a_wrong_call_is_refused_before_anything_is_asked(wrong: dict[str, Any]) -> None:
    with pytest.raises(BadInput):
        play_speed_clue(**wrong, read=Person(lambda: "", leave_after=0))


def test_a_game_that_is_left_is_not_finished(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    record = tmp_path / "game.jsonl"
    person = Person(lambda: "", wrong={"suggest or accuse": ["suggest Pe Ro Ha"], "accuse or end": ["quit"]})
    assert play_speed_clue(hidden=2, seed=1, read=person, record=record) == 0
    said = capsys.readouterr().out
    assert "The game was not finished." in said and "No record was written." in said
    assert not record.exists()


def test_the_game_is_recorded(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    record = tmp_path / "game.jsonl"
    read = Person(Spoken(capsys))
    assert play_speed_clue("basic,advanced", name="Katie", seed=1, read=read, record=record) == 0
    games = [Replay(game, make_game) for _, game in read_records(record)]
    assert [game.record.seats for game in games] == [("person:Katie", "basic", "advanced")]


def test_another_game_with_the_same_players_goes_on_from_what_they_learned(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    record = tmp_path / "game.jsonl"
    read = Person(Spoken(capsys), wrong={"Another game": ["perhaps", "yes"]})
    given: dict[str, Any] = {"opponents": "exact,basic", "name": "Katie", "practice": True, "ruleset": "contest"}
    assert play_speed_clue(**given, seed=1, read=read, record=record) == 0
    first, second = [Replay(game, make_game).record for _, game in read_records(record)]
    assert first.seats == second.seats == ("person:Katie", "exact", "basic")
    assert (first.seed, second.seed) == (1, 2)
    assert first.known is None and second.known is not None and second.known[0] is second.known[2] is None


def run_piped(call: str, lines: list[str]) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", START.format(call)],
        input="".join(f"{line}\n" for line in lines),
        capture_output=True,
        text=True,
        check=False,
        env=os.environ | {"PYTHONIOENCODING": "utf-8"},
    )


def scripted_lines(setup: Setup) -> list[str]:
    """What a person types in a game, found by playing it."""
    return whole_game(setup)[2].typed


def test_a_game_in_a_pipe_is_played_without_colours() -> None:
    done = run_piped("hidden=2, seed=6", scripted_lines(Setup(6)))
    assert done.returncode == 0, done.stderr
    assert "The envelope held" in done.stdout and "\x1b" not in done.stdout + done.stderr


def test_a_pipe_that_ends_early_is_told_politely() -> None:
    done = run_piped("hidden=2, seed=6", ["suggest Pe, Ro, Ha", "sheet"])
    assert done.returncode == 1
    assert done.stdout.endswith("The game was not finished.\n") and not done.stderr


def test_without_any_input_nothing_breaks() -> None:
    command = [sys.executable, "-c", START.format("hidden=2, seed=6")]
    done = subprocess.run(
        ["/bin/sh", "-c", 'exec "$@" <&-', "sh", *command], capture_output=True, text=True, check=False
    )
    assert done.returncode == 1
    assert done.stdout.endswith("The game was not finished.\n") and not done.stderr


# --- A terminal --------------------------------------------------------------------------------------------------------


def test_a_whole_game_at_a_terminal_with_wrong_input_at_every_prompt(tmp_path: Path) -> None:
    record = tmp_path / "game.jsonl"
    wrong = {
        "Your name": ["a,b"],
        "How many": ["eleven"],
        "Their strategies": ["who knows"],
        "Strategy of artificial player 1": ["brillant"],
        "Strategy of artificial player 2": ["sheet"],
        "Deal": ["12"],
        "suggest or accuse": ["jump", "suggest Peacock"],
        "suggest: which suspect": ["Rope"],
        "accuse or end": ["suggest Pe, Ro, Ha"],
        "show": ["no", "accuse Pe, Ro, Ha", "spam"],
        "Accuse": ["perhaps"],
    }
    setup = {
        "Your name": "Katie",
        "How many": "2",
        "Their": "known",
        "Strategy": "advanced",
        "Deal": "",
        "A practice": "no",
    }
    call = f"seed=11, record=__import__('pathlib').Path({str(record)!r})"
    with Terminal(START.format(call)) as terminal:
        person = Person(lambda: terminal.text, 3, wrong=wrong)
        completed = False
        while terminal.until("> ").endswith("> "):
            prompt = terminal.text.rpartition("\n")[2]
            if not completed and prompt.startswith("suggest or accuse") and not wrong["suggest or accuse"]:
                terminal.type("suggest pea\t")
                assert "Mrs Peacock" in terminal.until("Peacock ?", 10)
                terminal.type(", Ro, Ha\n")
                assert "You suggest Mrs Peacock, Rope, Hall." in terminal.until("> ")
                completed = True
            prompt = terminal.text.rpartition("\n")[2]
            misled = any(prompt.startswith(beginning) and answers for beginning, answers in wrong.items())
            answer = next((text for head, text in setup.items() if prompt.startswith(head) and not misled), None)
            terminal.type((person(prompt) if answer is None else answer) + "\n")
        assert terminal.finish() == 0
    assert completed
    assert not any(wrong[beginning] for beginning in wrong if beginning not in ("suggest: which suspect", "Accuse"))
    for said in ("Write a number from 2 to 5", "'jump' is not understood", "That would be false", "Your 6 cards:"):
        assert said in terminal.text
    assert "Strategies: Alice advanced, Bob advanced." in terminal.text
    game = Replay(next(read_records(record))[1], make_game)
    assert game.record.seats == ("person:Katie", "advanced", "advanced")
    kinds = {action >> PLAY_SHIFT for action in game.actions}
    assert {END, SHOW} <= kinds


def test_the_end_of_input_at_a_terminal_ends_politely() -> None:
    with Terminal(START.format("hidden=2, seed=1")) as terminal:
        terminal.until("accuse > ")
        terminal.type("\x04")
        assert terminal.finish() == 1
    assert terminal.text.endswith("The game was not finished.\n")
