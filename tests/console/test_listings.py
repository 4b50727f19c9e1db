"""`molehunt agents`, `molehunt games`, `--help`, `--version`."""

from __future__ import annotations

import re

import pytest

from cli.calling import GAME, call
from molehunt import __version__
from molehunt.agents.built_in import BUILT_IN
from molehunt.agents.entry import AgentEntry
from molehunt.agents.registry import Agents
from molehunt.core.language import CATALOGUES, _, speaking
from molehunt.core.specs import describe
from molehunt.games.registry import all_games, game_entry, make_game
from molehunt.games.speed_clue.edition import BUILT_IN as CARD_SETS
from molehunt.studies.study import STUDIES

COMMANDS = (
    "play",
    "advise",
    "study",
    "arena",
    "bench",
    "agents",
    "games",
    "replay",
    "show",
    "believe",
    "contest-client",
    "contest-server",
    "course-client",
)
SAID = sorted(
    {
        entry.name
        for entry in BUILT_IN
        if any(describe({"": value}) for value in Agents(entry.game).entry(entry.name).editions().values())
    }
)
"""Players in whom something can be set."""


def test_a_player_that_sits_in_few_rulesets_says_in_which_and_the_example_sets_something() -> None:
    told = " ".join(call("agents", "learned").out.split())
    assert "It plays only mitchell with 3 seats, or where it is given weights." in told
    assert "Write learned:mixed,temperature=0.0" in told
    told = " ".join(call("agents", "learned", "--language", "de").out.split())
    assert "Er spielt nur mitchell mit 3 Plätzen, oder wo man ihm Gewichte gibt." in told


def test_agents_lists_every_player_with_its_game() -> None:
    made = call("agents")
    assert made.status == 0 and not made.err
    rows = [line.split() for line in made.out.splitlines()]
    for entry in BUILT_IN:
        assert any(row[:2] == [entry.name, entry.game] for row in rows)
    assert {"random", "means-ends-2016", "decision-2019"} <= {entry.name for entry in BUILT_IN}


@pytest.mark.parametrize("entry", BUILT_IN, ids=lambda entry: f"{entry.game}-{entry.name}")
def test_agents_lists_the_parameters_of_one_and_an_example_that_works(entry: object) -> None:
    entry = next(each for each in BUILT_IN if each is entry)
    made = call("agents", entry.name)
    assert made.status == 0
    assert re.search(rf"^{entry.name} plays [^:]*\b{entry.game}\b[^:]*: ", made.out, re.MULTILINE)
    editions = entry.editions()
    if not editions:
        assert "It has no parameters." in made.out
        return
    for name, values, _doc in describe(editions):
        assert re.search(
            rf"^{re.escape(name)} +{' +'.join(re.escape(value) for value in values)} ", made.out, re.MULTILINE
        )
    for example in re.findall(r"^Write (\S+)$", made.out, re.MULTILINE):
        assert Agents(entry.game).make(example).name.startswith(entry.name)


def test_agents_shows_what_a_whole_spec_sets_beside_the_editions() -> None:
    made = call("agents", "and-or-2020:wins_first,depth=3")
    assert made.status == 0 and any(
        line.startswith("parameter ") and "as typed" in line for line in made.out.splitlines()
    )
    for row in (["wins_first", "no", "yes", "yes"], ["depth", "2", "2", "3"]):
        assert any(line.split()[:4] == row for line in made.out.splitlines())
    assert "as typed" not in call("agents", "and-or-2020").out


@pytest.mark.parametrize(
    ("spec", "wrong"),
    [
        ("decision-2019:hostile=20", "unknown parameter of decision-2019 'hostile'"),
        ("and-or-2020:depth=many", "and-or-2020: depth must be a whole number, not 'many'"),
        ("random:", "random"),
        ("random:depth=3", "random"),
    ],
)
def test_agents_refuses_settings_that_are_none(spec: str, wrong: str) -> None:
    made = call("agents", spec)
    assert made.status == 2 and wrong in made.err and not made.out


def test_a_player_that_there_is_not_is_told_each_name_once() -> None:
    made = call("agents", "nothing")
    names = made.err.partition("(known: ")[2].rpartition(")")[0].split(", ")
    assert made.status == 2 and len(names) == len(set(names)) >= 15


def test_games_lists_every_ruleset_and_every_study() -> None:
    made = call("games")
    assert made.status == 0 and not made.err
    for entry in all_games().values():
        for ruleset in entry.rulesets:
            assert re.search(rf"^{entry.name}/{ruleset} +\S", made.out, re.MULTILINE)
    for name in STUDIES:
        assert f"  molehunt study {name}: " in made.out


def test_games_lists_what_can_be_set_in_a_ruleset() -> None:
    made = call("games", GAME)
    assert made.status == 0
    rows = [line.split()[:2] for line in made.out.splitlines()]
    for setting, value in (("saboteurs", "0"), ("first_seat", "-1"), ("goals_fit", "yes"), ("may_break_own", "no")):
        assert [setting, value] in rows
        assert make_game("saboteur", f"krisnadi:{setting}={value}", 5).spec == "krisnadi"
    assert call("games", "saboteur").out.endswith(f"\n\n{made.out}")


def test_games_lists_the_rulesets_of_a_game_before_what_can_be_set_in_the_first() -> None:
    listed = call("games", "saboteur").out.partition("\n\n")[0]
    labels = [f"saboteur/{name}" for name in game_entry("saboteur").rulesets]
    assert re.findall(r"^(\w+/\w+) ", listed, re.MULTILINE) == ["game/ruleset", *labels]
    assert call("games", "duel").out == call("games", "duel/mcgill").out


def test_games_lists_every_card_set_of_clue() -> None:
    made = " ".join(call("games", "speed_clue/mitchell").out.split())
    assert f"the card set: {', '.join(CARD_SETS)}, or a JSON file" in made


@pytest.mark.parametrize("words", [(), ("--help",), ("-h",)])
def test_help_lists_every_command(words: tuple[str, ...]) -> None:
    made = call(*words)
    assert made.status == 0 and not made.err
    for name in COMMANDS:
        assert re.search(rf"^\W*{name} ", made.out, re.MULTILINE), name


@pytest.mark.parametrize("name", COMMANDS)
def test_help_of_a_command_says_what_each_option_is(name: str) -> None:
    made = call(name, "--help")
    assert made.status == 0
    assert f"Usage: molehunt {name}" in made.out
    assert "--empty-" not in made.out  # what the library would add beside each list
    assert ("--json" in made.out) == (name in {"study", "arena", "bench", "believe", "contest-server"})


def test_version() -> None:
    assert call("--version").out == f"{__version__}\n"


@pytest.mark.parametrize("entry", BUILT_IN, ids=lambda entry: f"{entry.game}-{entry.name}")
def test_agents_says_what_a_player_is_in_the_language_that_is_asked_for(entry: AgentEntry) -> None:
    with speaking("de"):
        title = _(entry.title)
    assert title != entry.title
    made = call("agents", entry.name, "--language", "de")
    said = rf"{entry.name} spielt [^:]*\b{entry.game}\b[^:]*: {re.escape(title)}"
    assert made.status == 0 and re.search(said, " ".join(made.out.split()))


@pytest.mark.parametrize("name", SAID)
def test_what_can_be_set_in_a_player_is_said_in_the_language_that_is_asked_for(name: str) -> None:
    made = " ".join(call("agents", name, "--language", "de").out.split())
    for entry in (entry for entry in BUILT_IN if entry.name == name):
        for _parameter, _values, doc in describe(Agents(entry.game).entry(name).editions()):
            with speaking("de"):
                said = _(doc)
            assert said != doc
            assert said.split()[0] in made and doc not in made


@pytest.mark.parametrize("label", ["saboteur/krisnadi", "speed_clue/contest"])
def test_rulesets_and_what_can_be_set_in_them_are_said_in_the_language_that_is_asked_for(label: str) -> None:
    english, german = (" ".join(call("games", label, *words).out.split()) for words in ((), ("--language", "de")))
    game, _slash, name = label.partition("/")
    entry = game_entry(game)
    docs = [doc for _setting, _values, doc in describe({name: entry.read(name, [])})]
    for text in (entry.rulesets[name].title, *docs):
        with speaking("de"):
            said = _(text)
        assert said != text and text.split()[0] in english
        assert " ".join(said.split()[:2]) in german and text not in german


def test_studies_are_listed_in_the_language_that_is_asked_for() -> None:
    made = " ".join(call("games", "--language", "de").out.split())
    for name, title in STUDIES.items():
        with speaking("de"):
            said = _(title)
        assert said != title and f"{name}: {said}" in made


def test_the_lists_are_in_the_language_of_the_system(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(name, raising=False)
    assert "every legal action is equally likely" in call("agents").out
    monkeypatch.setenv("LANG", "de_DE.UTF-8")
    assert "jede erlaubte Handlung ist gleich" in call("agents").out
    assert "was es ist" in call("games").out
    assert "unbekannt: Sprache 'xx'" in call("agents", "--language", "xx").err


def test_a_seed_has_one_name_in_german() -> None:
    text = (CATALOGUES / "de.po").read_text("utf-8")
    german = re.findall(r'^msgstr(?:\[\d\])? ("(?:.*)"(?:\n".*")*)', text, re.MULTILINE)
    assert not [words for words in german if re.search(r"\bSeed", words)]


@pytest.mark.parametrize("game", ["speed-clue", "duel"])
def test_the_players_of_a_game_are_listed_by_its_name(game: str) -> None:
    told = call("agents", game)
    listed = re.findall(r"^(\S+) +(saboteur|duel|speed_clue) ", told.out, re.MULTILINE)
    assert {plays for _name, plays in listed} == {game.replace("-", "_")}
    assert ("random", game.replace("-", "_")) in listed and len(listed) > 4
