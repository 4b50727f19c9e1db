"""Who is offered as an opponent in the terminal can sit down there."""

from __future__ import annotations

import importlib.util
import re
from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise
from typing import Any

import pytest

from molehunt.console.play_game import sit_down
from molehunt.core.errors import BadInput
from molehunt.core.friendly import FriendlyEvent
from molehunt.core.game import Game
from molehunt.core.language import speaking
from molehunt.games.entry import RulesetEntry
from molehunt.games.registry import make_game
from molehunt.terminal import clue_setup
from molehunt.terminal.prompts import LeftTable, Prompter
from molehunt.terminal.setup import Setup, ask_setup, check_opponents, make
from molehunt.terminal.sitting import offered
from terminal.clue_person import Screen
from web import cups


def names(setup: Setup) -> set[str]:
    return {entry.name for entry in offered(make(setup))}


def test_players_of_small_games_are_offered_where_the_game_is_small() -> None:
    assert "equilibrium" in names(Setup("saboteur", 1, "small"))
    large = names(Setup("saboteur", 1, "krisnadi"))
    assert "equilibrium" not in large and {"random", "kripke-2012", "ismcts"} <= large


def test_players_of_a_library_that_is_not_installed_are_not_offered(monkeypatch: pytest.MonkeyPatch) -> None:
    find = importlib.util.find_spec
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None if name == "pyspiel" else find(name))
    assert not {name for name in names(Setup("duel", 1)) if name.startswith("openspiel")}


def test_players_of_every_game_are_offered_where_rules_are_plain_python_too() -> None:
    with cups.installed():
        offered_there = {entry.name for entry in offered(make_game("cups", "six", 3))}
    assert {"peeker", "random", "ismcts"} <= offered_there


@pytest.mark.parametrize("game", ["duel", "speed-clue"])
def test_players_are_listed_the_easiest_to_beat_first(game: str) -> None:
    lines, screen = ["players", "quit"], Screen()
    prompter = Prompter(screen.console, lambda _prompt: lines.pop(0))
    asks: dict[str, Callable[[], object]] = {
        "duel": lambda: ask_setup(prompter, Setup("duel", 1), set()),
        "speed-clue": lambda: clue_setup.ask_setup(prompter, clue_setup.Setup(1), set()),
    }
    with pytest.raises(LeftTable):
        asks[game]()
    told = " ".join(screen().split())
    words = ["easy to beat", "of middling strength", "hard to beat"]
    assert all(word in told for word in words)
    for easier, harder in pairwise(words):
        assert told.rindex(f"({easier})") < told.index(f"({harder})")
    assert told.index("ismcts ") > told.rindex("(hard to beat)")


def test_help_tells_of_every_ruleset_that_is_offered_and_of_the_usual_one_first() -> None:
    lines, screen = ["?", "quit"], Screen()
    with pytest.raises(LeftTable):
        ask_setup(Prompter(screen.console, lambda _prompt: lines.pop(0)), Setup("saboteur", 1), {"name"})
    told = [line.split() for line in screen().splitlines() if line and not line.startswith(" ")]
    first = next(number for number, words in enumerate(told) if words[0] == "official+talk")
    assert [words[0] for words in told[first : first + 2]] == ["official+talk", "krisnadi"]
    assert "with talk" in " ".join(told[first])


def answered(asks: Callable[[Prompter], object], *lines: str) -> tuple[object, str]:
    """What comes of the questions before a game where these lines are typed, all of them, and what stands on the screen."""
    screen, left = Screen(), list(lines)
    found = asks(Prompter(screen.console, lambda _prompt: left.pop(0)))
    assert not left
    return found, " ".join(screen().split())


def told_of_opponents(game: str, answer: str) -> str:
    """What is said of an answer to the question for the others."""
    lines, screen = [answer], Screen()
    before = 0

    def read(_prompt: str) -> str:
        nonlocal before
        if lines:
            before = len(screen())
            return lines.pop(0)
        raise EOFError

    with pytest.raises(LeftTable):
        ask_setup(Prompter(screen.console, read), Setup(game, 1), {"name", "ruleset", "first"})
    return " ".join(screen()[before:].split())


@pytest.mark.parametrize("answer", ["foo", "many", "3 random", "random*x", "randm", "random,", "-3", "1.5", "0", "99"])
def test_who_misses_the_question_for_the_others_is_told_in_their_language_what_would_be_right(answer: str) -> None:
    english = told_of_opponents("saboteur", answer)
    with speaking("de"):
        german = told_of_opponents("saboteur", answer)
    number = re.fullmatch(r"[-\d.]+", answer)
    assert ("With these rules 2 to 9 others can play, not" in english) == bool(number)
    assert ("Write how many (2 to 9) or which, as random*2; players lists them." in english) == (not number)
    assert ("Did you mean random?" in english) == (answer == "randm")
    assert not set(re.findall(r"[a-zA-Z]+", german.replace(answer, ""))) & {
        "unknown",
        "Unknown",
        "known",
        "Write",
        "mean",
        "play",
        "others",
        "after",
    }
    assert answer in german and "2 bis 9" in german


def test_who_names_more_than_one_opponent_in_a_game_of_two_is_told_so() -> None:
    assert told_of_opponents("duel", "3") == "You have one opponent, not 3; write who that is, players lists them."
    assert told_of_opponents("duel", "duel-tsar").startswith(
        "'duel-tsar' is not understood. Did you mean duel-star? Write who"
    )
    assert "no parameters" in told_of_opponents("saboteur", "random:foo=1")


def test_back_returns_to_the_question_before_and_what_was_answered_since_is_asked_again() -> None:
    def asks(prompter: Prompter) -> Setup:
        return ask_setup(prompter, Setup("saboteur", 1), ())

    made, told = answered(
        asks, "back", "Zoe", "krisnadi", "random*3", "BACK", "back", "back", "Ann", "", "", "back", "2", "yes"
    )
    assert made == Setup("saboteur", 1, "", ("kripke-2012",) * 2, "Ann", True, True)
    assert told.count("This is the first question.") == 1
    # The usual answer stays that of the rules that were chosen, whatever was answered before.
    usual = Setup("saboteur", 1, "krisnadi").opponents
    assert answered(asks, "", "krisnadi", "random*2", "back", "", "")[0] == Setup("saboteur", 1, "krisnadi", usual)


def test_back_passes_over_what_was_given_and_what_is_not_asked() -> None:
    def asks(prompter: Prompter) -> Setup:
        return ask_setup(prompter, Setup("duel", 1, name="Zoe"), {"name", "opponents"})

    made, told = answered(asks, "no", "back", "yes", "back", "back", "no", "no")
    assert made == Setup("duel", 1, name="Zoe", first=False) and told.count("This is the first question.") == 1


def test_back_at_speed_clue_goes_through_the_strategies_one_by_one() -> None:
    def asks(prompter: Prompter) -> clue_setup.Setup:
        return clue_setup.ask_setup(prompter, clue_setup.Setup(1), {"name"})

    words = ["3", "known", "advanced", "back", "basic", "hidden", "back", "advanced", "basic", "9", "back", "back"]
    made, _ = answered(asks, *words, "basic", "advanced", "", "back", "7", "no")
    assert made == clue_setup.Setup(1, opponents=("basic", "basic", "advanced"), deal=7)
    made, _ = answered(asks, "5", "known", "basic", "back", "back", "hidden", "back", "back", "2", "hidden", "", "")
    assert made == clue_setup.Setup(1, opponents=("hidden", "hidden"))


def test_back_is_told_of_by_help_as_long_as_there_are_questions() -> None:
    lines, screen = ["help", "", "", "", ""], Screen()
    prompter = Prompter(screen.console, lambda _prompt: lines.pop(0))
    ask_setup(prompter, Setup("saboteur", 1), ())
    told = "back returns to the question before.\n"
    assert screen().splitlines().count(told.strip()) == 1 and "back" not in prompter.commands
    prompter.commands["help"]()
    assert screen().splitlines().count(told.strip()) == 1


@pytest.mark.parametrize(("most", "lines"), [(4, ["Ann", "", "no"]), (4, ["Ann", "0", "no"]), (1, ["Ann", "no"])])
def test_who_plays_a_game_for_one_is_asked_and_told_of_no_others(
    most: int, lines: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """It ended with an IndexError."""
    monkeypatch.setattr(cups, "ENTRY", cups.with_rulesets({"six": RulesetEntry("six cups and one coin", 1, most)}))
    moves = [f"lift:{cup}" for cup in range(cups.CUPS)]
    answers = [*lines, *moves]
    screen = Screen()

    def read(_prompt: str) -> str:
        return answers.pop(0) if answers else "no"

    with cups.installed():
        monkeypatch.setattr("molehunt.console.play_game.out", screen.console)
        assert sit_down("cups", seed=1, read=read) == 0
    told = screen()
    assert "You win: the coin is found." in told
    assert "\nSeed 1.\n" in told and "Players:" not in told


def test_a_game_without_words_is_told_in_its_notation_whatever_its_events_for_players_say(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The events of a package that say seat and move alone left out what the move had shown."""

    class Bare(FriendlyEvent):
        def __init__(self, game: Game, record: Any) -> None:
            super().__init__(game, record)
            self.seat, self.move = int(record["seat"]), game.format_action(int(record["action"]))

    def made(game: Game, record: Any) -> Bare:
        return Bare(game, record)

    monkeypatch.setattr(cups.Cups, "friendly_event", made)
    answers = ["Ann", "1", "no", "lift:0", "quit"]
    screen = Screen()
    with cups.installed():
        monkeypatch.setattr("molehunt.console.play_game.out", screen.console)
        sit_down("cups", seed=1, read=lambda _prompt: answers.pop(0))
    assert "Ann: lift:0: nothing." in screen()


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("random:z=3", "random hat keine Parameter, also kann 'z=3' nicht gesetzt werden"),
        ("kripke-2012:depth=x", "kripke-2012: depth muss eine ganze Zahl sein, nicht 'x'"),
        ("kripke-2012:depth=99", "kripke-2012: depth muss 1 bis 3 sein, nicht 99"),
        ("kripke-2012:strategy=foo", "kripke-2012: strategy muss eines von explicit, adaptive, undercover sein"),
        ("kripke-2012:worth=x", "kripke-2012: worth muss eine Zahl sein, nicht 'x'"),
        ("kripke-2012:worth=nan", "kripke-2012: worth muss endlich sein, nicht nan"),
        ("decision-2019:trust_both=maybe", "decision-2019: trust_both muss yes oder no sein, nicht 'maybe'"),
        ("decision-2019:foo", "unbekannt: Ausgabe oder Parameter von decision-2019 'foo' (bekannt: as_run, "),
        ("kripke-2012:dept=3", "unbekannt: Parameter von kripke-2012 'dept'; meintest du 'depth'? (bekannt: "),
    ],
)
def test_what_is_wrong_with_a_players_parameters_is_said_in_the_language_of_the_person(typed: str, said: str) -> None:
    with speaking("de"), pytest.raises(BadInput) as error:
        check_opponents("saboteur", typed)
    assert str(error.value).startswith(said)


@pytest.mark.parametrize(
    ("ruleset", "seats", "said"),
    [
        ("xyz", 5, "unbekannt: Regeln von saboteur 'xyz' (bekannt: krisnadi, official, veldhuis, small)"),
        ("official:rounds=x", 5, "ruleset official: rounds muss eine ganze Zahl sein, nicht 'x'"),
        ("official", 13, "official wird von 3 bis 10 Plätzen gespielt, nicht von 13"),
    ],
)
def test_what_is_wrong_with_rules_is_said_in_the_language_of_the_person(ruleset: str, seats: int, said: str) -> None:
    with speaking("de"), pytest.raises(BadInput) as error:
        make_game("saboteur", ruleset, seats)
    assert str(error.value) == said


def test_what_is_no_move_of_a_game_without_words_points_to_help() -> None:
    answers = ["Ann", "1", "no", "xyzzy", "exit"]
    screen = Screen()
    with cups.installed(), pytest.MonkeyPatch.context() as patch:
        patch.setattr("molehunt.console.play_game.out", screen.console)
        sit_down("cups", seed=1, read=lambda _prompt: answers.pop(0))
    told = " ".join(screen().split())
    assert "'xyzzy' is not a move; moves look like peek:2, lift:2, swap:2,3; help lists what you can write." in told


def test_a_title_that_asks_something_ends_as_it_does() -> None:
    answers = ["Ann", "1", "no", "quit"]
    screen = Screen()
    with cups.installed(), pytest.MonkeyPatch.context() as patch:
        patch.setattr("molehunt.console.play_game.out", screen.console)
        sit_down("cups", seed=1, read=lambda _prompt: answers.pop(0))
        rules = replace(cups.ENTRY, rules="").rules_text(make_game("cups", "six", 2))
    assert screen().startswith("Cups: where is the coin?\n")
    assert rules.startswith("Cups: where is the coin? ") and rules.endswith(".")
