"""The study of strangers: whom a player meets, and how means, worst tenths and styles are counted."""

from __future__ import annotations

import math
import re
from pathlib import Path

import numpy as np
import pytest

from molehunt.agents.registry import Agents
from molehunt.arena.agent_files import read_agent_file
from molehunt.arena.ahead import STAND_IN
from molehunt.arena.faults import Where, where_of
from molehunt.arena.statistics import wilson
from molehunt.console.studies import _ahead
from molehunt.core.errors import AgentFailure, BadInput
from molehunt.core.match import play
from molehunt.core.streams import game_seeds
from molehunt.games.registry import make_game
from molehunt.reading.duel.habits import draw_habits, styles_of
from molehunt.studies.first_looks import look_at_players
from molehunt.studies.strangers import (
    DEALS,
    FEWEST,
    FIRST_SEED,
    HALVES,
    SHARES,
    STUDY,
    TABLES,
    Meeting,
    gains_of,
    games_with_strangers,
    look_verdict,
    mean_row,
    meetings,
    meetings_of,
    play_strangers,
    players_of,
    rows_of,
    worst_tenth,
)
from molehunt.studies.strangers import (
    styles_of as strangers_by_style,
)
from molehunt.studies.study import StudiedPlayer, load_study


def test_strangers_of_reported_seeds_are_met_by_every_player_of_their_games() -> None:
    assert FIRST_SEED > 10_000 and "duel" in games_with_strangers()
    assert set(players_of("duel")) == {"random", "random-listed", "greedy-2020", "and-or-2020", "duel-star", "learned"}
    met = {meeting.name: meeting.strangers for meeting in meetings(1600)}
    assert met["duel/greedy-2020"] == 200 and met["duel/duel-star"] == 50
    assert set(met) >= {f"duel/{player}" for player in players_of("duel")}


def test_the_page_says_who_meets_fewer_strangers_than_others() -> None:
    page = " ".join((Path(__file__).parents[2] / "docs" / "strangers.md").read_text("utf-8").split())
    (said,) = re.findall(r"Who thinks longer meets the first of them only, five at least: (.*?)\.", page)
    shares = {
        name: share
        for part in said.split(", ")
        for share in (part.split()[-1],)
        for name in re.findall("`(.*?)`", part)
    }
    assert shares == {name: {4: "quarter", 2: "half"}[share] for name, share in SHARES.items()}
    assert FEWEST == 5


@pytest.mark.parametrize("game", games_with_strangers())
def test_every_player_who_meets_strangers_can_sit_at_their_table(game: str) -> None:
    ruleset, seats = TABLES[game]
    table, agents = make_game(game, ruleset, seats), Agents(game)
    assert "learned" in players_of(game)
    for player in players_of(game):
        play(
            table,
            [agents.make(f"stranger:seed={FIRST_SEED}")] * (seats - 1) + [agents.make(player)],
            game_seeds(1, 0, 1),
        )


def test_the_shares_are_those_of_games_played_one_by_one() -> None:
    found = np.array(play_strangers("duel", "random-listed", FIRST_SEED, 2, 7))
    assert found.shape == (2, HALVES)
    game, agents = make_game("duel", "mcgill", 2), Agents("duel")
    for number in range(2):
        stranger = FIRST_SEED + number
        seeds = game_seeds(7, stranger * HALVES * DEALS, HALVES * DEALS)
        for half in range(HALVES):
            won = 0
            for deal in range(half * DEALS, (half + 1) * DEALS):
                for seat in (0, 1):
                    seated = [agents.make(f"stranger:seed={stranger}")] * 2
                    seated[seat] = agents.make("random-listed")
                    ends = play(game, seated, seeds[deal : deal + 1])
                    won += int(game.wins(ends.states)[0, seat])
            assert found[number, half] == won / (DEALS * 2)


def test_the_worst_tenth_is_found_in_one_half_and_counted_in_the_other() -> None:
    wins = np.full((20, 2), 0.5)
    wins[3] = 0.0, 1.0  # unlucky in the first half
    wins[7] = 0.1, 0.1  # really the worst
    wins[11] = 1.0, 0.0
    counted, whose = worst_tenth(wins)
    assert sorted(counted) == [0.1, 0.1, 1.0, 1.0]
    assert sorted(whose) == [3, 7, 7, 11]
    rng = np.random.default_rng(1)
    equal = rng.binomial(4, 0.6, (5000, 2)) / 4
    assert worst_tenth(equal)[0].mean() == pytest.approx(0.6, abs=0.03)  # nobody is worse, so the worst tenth is not


def test_rows_say_the_mean_its_interval_and_each_style() -> None:
    wins = np.array([[0.25, 0.75], [1.0, 1.0], [0.5, 0.5], [0.0, 0.5]])
    rows = {row.id: row for row in rows_of(Meeting("duel", "greedy-2020", 4), wins)}
    mean = rows["mean/duel/greedy-2020"]
    assert mean.measured == pytest.approx(56.25) and mean.games == 4 * 8
    error = float(np.std([0.5, 1.0, 0.5, 0.25], ddof=1)) / 2
    worth = 0.5625 * 0.4375 / error**2 * (1.959964 / 3.182446) ** 2  # Student's distribution, three degrees of freedom
    assert (mean.low, mean.high) == pytest.approx([100 * each for each in wilson(0.5625 * worth, worth)], abs=0.01)
    styles = strangers_by_style("duel", 4)
    for number in range(4):
        for style in styles_of(draw_habits(FIRST_SEED + number)[0]):
            assert number in styles[style]
    for style, numbers in styles.items():
        if len(numbers) > 1:
            row = rows[f"style/duel/greedy-2020/{style}"]
            assert row.measured == pytest.approx(100 * wins[numbers].mean(), abs=0.01)


def test_an_interval_counts_strangers_and_has_a_width() -> None:
    # One stranger in both halves is one witness.
    twice = mean_row("x", "x", np.array([0.2, 0.4]), 8, np.array([5, 5]))
    assert (twice.low, twice.high) == (0.0, 100.0)
    four = mean_row("x", "x", np.array([0.2, 0.4, 0.3, 0.5]), 16, np.array([1, 1, 2, 2]))
    error = float(np.std([0.3, 0.4], ddof=1)) / math.sqrt(2)
    worth = 0.35 * 0.65 / error**2 * (1.959964 / 12.7062) ** 2
    assert (four.measured, four.low, four.high) == pytest.approx(
        [35.0, *(100 * each for each in wilson(0.35 * worth, worth))], abs=0.01
    )
    # Where all won the same, so many strangers still leave a doubt, however many games each has played.
    same = mean_row("x", "x", np.full(5, 0.75), 4000)
    assert same.low < 50 and same.high > 80
    never = mean_row("x", "x", np.zeros(6), 4000, np.array([0, 0, 1, 1, 2, 2]))
    assert (never.low, never.high) == pytest.approx([100 * each for each in wilson(0, 3)], abs=0.01)


@pytest.mark.parametrize(("strangers", "wins"), [(5, 0.95), (20, 0.03), (50, 0.02)])
def test_the_interval_of_a_mean_near_an_end_holds_the_truth(strangers: int, wins: float) -> None:
    rng = np.random.default_rng(1)
    held = 0
    for _ in range(1000):
        of_each = rng.beta(8 * wins, 8 * (1 - wins), strangers)  # strangers differ, and each plays twenty games
        row = mean_row("x", "x", rng.binomial(20, of_each) / 20, 20 * strangers)
        held += row.low <= 100 * wins <= row.high
    assert held >= 910  # by Student's distribution it is 860 to 895


def test_a_first_look_plays_the_quick_players_and_says_who_does_best() -> None:
    told: list[tuple[int, int]] = []
    report = STUDY.glance(40, 1, 1, lambda done, total: told.append((done, total)))
    assert told[-1][0] == told[-1][1] > 0
    names = {row.id for row in report.rows}
    assert "mean/duel/greedy-2020" in names and not any("duel-star" in name for name in names)
    assert "duel: learned wins most" in look_verdict(report.rows)
    assert STUDY.glance(40, 1, 1).rows == report.rows


OWN = """
import molehunt


class Last(molehunt.Player):
    game = "duel"

    def choose(self, view):
        return view.legal_actions[-1]


class First(Last):
    def choose(self, view):
        if len(view.legal_actions) < 6:
            raise ValueError("too few")
        return view.legal_actions[0]
"""


@pytest.fixture
def own(tmp_path: Path) -> Path:
    """A file with two players of one's own; one fails in most games."""
    file = tmp_path / "mine.py"
    file.write_text(OWN)
    return file


def test_a_player_that_is_named_meets_the_strangers_that_ours_meet(own: Path) -> None:
    named = [StudiedPlayer("duel", "greedy-2020"), StudiedPlayer("duel", "last", (read_agent_file(own),))]
    rows = {row.id: row for row in STUDY.run(40, 3, 1, players=named).rows}
    assert [cell for cell in rows if cell.startswith("mean/")] == ["mean/duel/greedy-2020", "mean/duel/last"]
    assert {"worst/duel/last", "worst/duel/greedy-2020"} <= rows.keys()
    greedy = rows_of(
        Meeting("duel", "greedy-2020", 5), np.array(play_strangers("duel", "greedy-2020", FIRST_SEED, 5, 3))
    )
    assert {row.id: row for row in greedy}.items() <= rows.items()
    game, agents = make_game("duel", "mcgill", 2), Agents("duel")
    agents.load_file(own)
    won = 0
    for stranger in range(FIRST_SEED, FIRST_SEED + 5):
        seeds = game_seeds(3, stranger * HALVES * DEALS, HALVES * DEALS)
        for seat in (0, 1):
            seated = [agents.make(f"stranger:seed={stranger}")] * 2
            seated[seat] = agents.make("last")
            won += int(game.wins(play(game, seated, seeds).states)[:, seat].sum())
    assert rows["mean/duel/last"].measured == pytest.approx(100 * won / 40, abs=0.001)
    assert rows["mean/duel/last"].games == 40


def test_named_players_have_the_same_numbers_on_any_number_of_threads(own: Path) -> None:
    named = [StudiedPlayer("duel", "last", (read_agent_file(own),))]
    assert STUDY.run(80, 1, 2, players=named).rows == STUDY.run(80, 1, 1, players=named).rows


def test_who_fails_among_strangers_is_told_with_the_game(own: Path) -> None:
    named = [StudiedPlayer("duel", "first", (read_agent_file(own),))]
    with pytest.raises(AgentFailure, match="first failed in choose: ValueError: too few") as caught:
        STUDY.run(40, 1, 1, players=named)
    where = where_of(caught.value)
    assert isinstance(where, Where)
    assert where.label == "duel/mcgill" and where.seats[where.seat] == "first"
    assert where.seats[1 - where.seat] == f"stranger:seed={FIRST_SEED}" and where.deal // (HALVES * DEALS) == FIRST_SEED
    game, agents = make_game("duel", "mcgill", 2), Agents("duel")
    agents.load_file(own)
    with pytest.raises(AgentFailure, match="too few"):
        play(game, [agents.make(spec) for spec in where.seats], game_seeds(where.seed, where.deal, 1))


def test_players_that_think_longer_meet_fewer_strangers_also_where_they_are_named() -> None:
    named = [StudiedPlayer("duel", "duel-star:digger"), StudiedPlayer("duel", "random")]
    assert [meeting.strangers for meeting in meetings_of(named, 1600)] == [50, 200]


@pytest.mark.parametrize(
    ("named", "said"),
    [
        ([StudiedPlayer("duel", "random"), StudiedPlayer("duel", "random")], "duel/random is named twice"),
        ([StudiedPlayer("chess", "random")], "the games with strangers are .*duel.*; nobody can meet any in chess"),
    ],
)
def test_who_cannot_be_measured_among_strangers_is_refused(named: list[StudiedPlayer], said: str) -> None:
    with pytest.raises(BadInput, match=said):
        STUDY.run(40, 1, 1, players=named)


def test_a_study_of_its_own_players_measures_none_that_are_named() -> None:
    with pytest.raises(BadInput, match="cai2020 is of players of its own choice"):
        load_study("cai2020").run(4, 1, 1, players=[StudiedPlayer("duel", "random")])


def test_processes_that_compile_ahead_run_no_player_of_ones_own(own: Path) -> None:
    named = [StudiedPlayer("duel", each, (read_agent_file(own),)) for each in ("last", "first", "greedy-2020")]
    _, name, players, seed = _ahead("strangers", 4, named)
    assert (name, seed) == ("strangers", 4)
    assert set(players) == {StudiedPlayer("duel", STAND_IN), StudiedPlayer("duel", "greedy-2020")}
    assert look_at_players(name, players, seed).rows


def test_a_gain_is_the_mean_difference_over_strangers_to_the_player_named_first() -> None:
    rng = np.random.default_rng(3)
    first, second, other = (
        rng.integers(0, 5, (12, 2)) / 4,
        rng.integers(0, 5, (8, 2)) / 4,
        rng.integers(0, 7, (5, 2)) / 6,
    )
    played = [
        (Meeting("duel", "greedy-2020", 12), first),
        (Meeting("speed_clue", "basic", 5), other),
        (Meeting("duel", "duel-star", 8), second),
    ]
    (row,) = gains_of(played)
    assert row.id == "gain/duel/duel-star" and row.games == 8 * 8
    each = 100 * (second.mean(axis=1) - first[:8].mean(axis=1))
    half = 2.364624 * each.std(ddof=1) / np.sqrt(8)  # Student's distribution with seven degrees of freedom
    assert (row.measured, row.low, row.high) == pytest.approx(
        (each.mean(), each.mean() - half, each.mean() + half), abs=0.01
    )
    assert "more than greedy-2020" in row.quantity and "8 strangers" in row.quantity
    (alike,) = gains_of([(Meeting("duel", each, 8), second) for each in ("random", "random-listed")])
    assert alike.measured == 0 and alike.low < -30 and alike.high > 30  # eight strangers


def test_named_players_are_compared_with_the_first_and_ours_are_not() -> None:
    named = [StudiedPlayer("duel", "random-listed"), StudiedPlayer("duel", "greedy-2020")]
    rows = STUDY.run(40, 2, 1, players=named).rows
    means = {row.id: row.measured for row in rows if row.id.startswith("mean/")}
    (gain,) = (row for row in rows if row.id.startswith("gain/"))
    assert gain.id == "gain/duel/greedy-2020"
    assert gain.measured == pytest.approx(means["mean/duel/greedy-2020"] - means["mean/duel/random-listed"], abs=0.01)
    assert not any(row.id.startswith("gain/") for row in STUDY.glance(40, 1, 1).rows)
