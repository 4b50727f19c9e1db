"""The file of a tournament: what a beginner writes, and errors that say what would be right."""

from __future__ import annotations

from pathlib import Path

import pytest

from molehunt.arena.tournament.definition import MEANINGS, StopText, TournamentText, parse_tournament
from molehunt.arena.tournament.identity import first_difference
from molehunt.arena.tournament.plan import Plan, make_plan, plan_from_text, plan_text
from molehunt.core.errors import BadInput
from molehunt.core.made import rules_and_players, sources

EXAMPLES = Path(__file__).parents[3] / "examples" / "tournaments"

SMALL = """
game = "saboteur/krisnadi"
players = ["decision-2019", "random"]
roles = { saboteur = 2 }
seats = 5
deals = 3
"""
FREE = 'game = "saboteur/krisnadi"\nplayers = ["random", "mole"]\ndeals = 3\n'


def plan_of(text: str) -> Plan:
    return make_plan(parse_tournament(text), Path())


def test_every_key_says_what_it_holds() -> None:
    assert set(MEANINGS) == {*TournamentText.__struct_fields__, *StopText.__struct_fields__}


@pytest.mark.parametrize("file", sorted(EXAMPLES.glob("*.toml")), ids=lambda path: path.stem)
def test_examples_are_tournaments(file: Path) -> None:
    assert make_plan(parse_tournament(file.read_text("utf-8")), file.parent, games=100).games >= 100


def test_seated_roles_pair_every_saboteur_with_every_miner() -> None:
    (event,) = plan_of(SMALL).events
    assert sorted(map(str, event.lineups)) == [
        "saboteur:decision-2019*2, miner:decision-2019*3",
        "saboteur:decision-2019*2, miner:random*3",
        "saboteur:random*2, miner:decision-2019*3",
        "saboteur:random*2, miner:random*3",
    ]
    assert event.games == 3 * 4 * 5


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("deals = 3", "needs the key game"),
        ('gaem = "duel"', "did you mean 'game'"),
        ('game = "duel"\nplayers = ["random"]', "needs the key deals"),
        ('game = "duel"\ndeals = 3', "needs the key players"),
        (
            'game = "duel"\nplayers = ["random"]\ndeals = 3\nroles = { saboteur = 1 }',
            "duel has no roles, so leave roles out",
        ),
        ('game = "duel"\ndeals = 3\nplayers = ["random", "randon"]', "did you mean 'random'"),
        ("deals = 0", "deals of the tournament must be how many deals"),
        ('deals = "many"', "not 'many'"),
        ("deals = 2.5", "not 2.5"),
        ("deals = true", "not True"),
        ("players = 3", "players of the tournament must be a list of players as text"),
        ('seatings = "some"', "known: balanced, all, listed"),
        ('compare = ["a"]', "two players"),
        ("stop = 3", "stop must be a table"),
        ("[stop]\nlevel = 0.9", "stop needs the key compare"),
        ("[[event]]\nseed = 3", "unknown key of event 1 'seed'"),
        ("event = 3", "each under [[event]]"),
        ("game = ", "this is not TOML"),
        (SMALL.replace("saboteur = 2", "sabotour = 2"), "did you mean 'saboteur'"),
        (SMALL.replace("saboteur = 2", "saboteur = 6"), "6 roles are named for 5 seats"),
        (SMALL + 'compare = ["random", "means-ends-2016"]', "unknown player to compare"),
        (SMALL + 'lineups = ["saboteur:random*2,miner:random*4"]', "the same number of seats"),
        (SMALL + 'lineups = ["saboteur:random*4,miner:random"]', "right is miner:A*3,saboteur:B*2"),
        (SMALL + 'seatings = "all"\nsample = 20000', "1 to 10,000"),
        (
            SMALL + 'seatings = "listed"\nsample = 6',
            "sample of the tournament is read where seatings is 'balanced', and here it is 'listed'",
        ),
        (SMALL + '[stop]\ncompare = ["random", "decision-2019"]\nrole = "mole"', "unknown role of stop"),
        (f"{FREE}seats = 11", "seats of the tournament: saboteur/krisnadi is played by 3 to 10 seats, not 11"),
        (f"{FREE}[[event]]\nseats = 0", "seats of event 1: saboteur/krisnadi is played by 3 to 10 seats, not 0"),
        (
            f"{FREE}roles = {{ saboteur = 0, miner = 0 }}",
            "roles of the tournament: saboteur/krisnadi is played by 3 to",
        ),
        (f"{FREE}seats = [5, -1]", "seats of the tournament: saboteur/krisnadi is played by 3 to 10 seats, not -1"),
        (f"{FREE}seats = 5\nisolate_seconds = 0", "an isolated player has for a move, 1 to 86400, not 0"),
        (f"{FREE}seats = 5\nisolate_memory = 0", "an isolated player may take, 16 to 1000000, not 0"),
        (f'{FREE}seats = 5\nagents_from = ["nowhere.py"]', "agents_from of the tournament: there is no file"),
        (f'{FREE}seats = 5\ncompare = ["random", "nobody"]', "compare of the tournament: unknown agent"),
        (f'{FREE}lineups = ["random*5,nobody"]', "lineups of the tournament: unknown agent"),
        (f'{FREE}lineups = ["random*11"]', "lineups of the tournament: krisnadi is played by 3 to 10 seats, not 11"),
        (FREE.replace('"random"', '"randm"') + "seats = 5", "players of the tournament: unknown agent"),
        (FREE.replace("krisnadi", "krisnad") + "seats = 5", "game of the tournament: unknown ruleset"),
        (FREE.replace("krisnadi", "krisnadi:x=1") + "seats = 5", "game of the tournament: unknown parameter"),
        (SMALL + 'role_players = { miner = ["nobody"] }', "role_players of the tournament: unknown agent"),
        (SMALL + "[stop]\ncompare = []", "compare of stop must name at least one pair of players"),
        (
            SMALL + 'lineups = ["saboteur:random*2,miner:random*3", "random*5"]',
            "either every lineup names its roles or none",
        ),
        ('players = ["random", " "]', "players of the tournament must be a list of players as text"),
        (f"{FREE}seats = []", "the tournament: seats and roles must not be empty lists"),
        (f"{FREE}roles = {{ saboteur = 2 }}", "needs the key seats, or roles must say how many are miner"),
        (f"{FREE}seats = 5\nroles = {{ saboteur = -1 }}", "so many seats cannot be saboteur: -1"),
        (f"{FREE}seats = 5\nroles = {{ saboteur = 2, miner = 2 }}", "the roles are for 4 seats, and seats is 5"),
        (f'{FREE}seats = 5\nrole_players = {{ miner = ["random"] }}', "role_players needs roles"),
        (f'{FREE}seats = 5\n[[event]]\nname = "a"\n[[event]]\nname = "a"', "two events are called 'a'"),
        (
            f'{FREE}seats = 5\ncompare = ["random", ["random", "mole"]]',
            "two players, ['A', 'B'], or a list of such pairs",
        ),
        (f'{FREE}seats = 5\n[stop]\ncompare = [["random", "mole"], "mole"]', "compare of stop must be two players"),
        (f'{FREE}seats = 5\ncompare = ["mole", "mole"]', "two players, ['A', 'B'], or a list of such pairs"),
        (f"{FREE}seats = 5\nlineups = []", "or a list of lineups: ['saboteur:random*2,miner:decision-2019*3'], not []"),
        (
            SMALL + 'lineups = ["random*5"]',
            "lineups of the tournament: roles seats 2 saboteur, 3 miner, and random*5 does not",
        ),
        (
            SMALL.replace("krisnadi", "official:rounds=1") + 'lineups = ["saboteur:random,miner:random*4"]',
            "roles seats 2 saboteur, 3 miner, and saboteur:random, miner:random*4 does not",
        ),
        (SMALL + 'role_players = { mner = ["random"] }', "unknown role in role_players of saboteur/krisnadi 'mner'"),
        (SMALL.replace("players", "# "), "who plays saboteur? Give players, or role_players"),
        (
            SMALL + 'role_players = { miner = ["random"] }\n[stop]\ncompare = ["random", "decision-2019"]',
            "they do not play the same ones: say in which, role = 'saboteur'",
        ),
    ],
)
def test_a_mistake_is_named_with_what_would_be_right(text: str, said: str) -> None:
    with pytest.raises(BadInput) as error:
        plan_of(text)
    assert said in str(error.value)


def test_what_has_no_name_is_called_as_its_page_says() -> None:
    made = plan_of('game = "saboteur/krisnadi"\nplayers = ["random", "mole"]\nlineups = "pairs"\ndeals = 3')
    page = (EXAMPLES.parents[1] / "docs" / "tournaments.md").read_text("utf-8")
    assert made.events[0].name == "saboteur/krisnadi"
    assert f"the game; of the whole, `{made.name}`" in page


def test_an_event_takes_what_it_leaves_out_from_the_top() -> None:
    plan = plan_of("""
        deals = 4
        seats = 3
        game = "speed_clue/mitchell"
        players = ["basic", "advanced", "combined"]
        [[event]]
        name = "three"
        [[event]]
        name = "four"
        seats = 4
        deals = 2
        lineups = "mixes"
    """)
    assert [(event.name, event.seats, event.deals, len(event.lineups)) for event in plan.events] == [
        ("three", 3, 4, 1),
        ("four", 4, 2, 12),
    ]


def test_units_cover_every_deal_of_every_seating_once() -> None:
    plan = plan_of(
        SMALL.replace("deals = 3", "deals = 700")
        + 'compare = []\n[[event]]\nname = "a"\n[[event]]\nname = "b"\ndeals = 20'
    )
    played = set()
    units = list(plan.units())
    for number, unit in enumerate(units):
        assert unit.number == number
        for deal in range(unit.first, unit.first + unit.deals):
            key = (unit.event, unit.lineup, unit.seating, deal)
            assert key not in played
            played.add(key)
    assert len(played) == plan.games == 720 * 4 * 5


def test_a_plan_is_read_back_from_its_text() -> None:
    plan = plan_of(SMALL)
    again = plan_from_text(plan_text(plan))
    assert again == plan and list(again.units()) == list(plan.units())


def test_a_tournament_depends_on_weights_and_habits_as_on_sources() -> None:
    assert plan_of(SMALL).identity["rules and players"] == rules_and_players() != sources()


def test_a_changed_tournament_differs_in_words() -> None:
    old, new = plan_of(SMALL).identity, plan_of(SMALL.replace("deals = 3", "deals = 4")).identity
    assert first_difference(old, old) is None
    assert first_difference(old, new) == "events saboteur/krisnadi deals is 3 in the store and 4 now"
