"""The analyses of the three games: their numbers against other ways to them, what they may depend on, and that they come again."""

from __future__ import annotations

from functools import cache
from itertools import count
from typing import Any

import msgspec
import numpy as np
import pytest

from analysis.analysed import played, with_other_secrets
from games.speed_clue.playing import play as play_clue
from games.speed_clue.playing import seeds_of, small
from molehunt.agents.registry import Agents
from molehunt.analysis.analyse import TRIAL_WORLDS, UNUSED, analyse, analyst_of
from molehunt.analysis.clue import ClueAnalyst, public_facts
from molehunt.analysis.findings import Analysis, Chart
from molehunt.analysis.saboteur import SaboteurAnalyst
from molehunt.analysis.words import place_in_words
from molehunt.beliefs.deals.facts import LACKS, ONE_OF, Fact
from molehunt.core.errors import BadInput
from molehunt.core.language import speaking
from molehunt.core.match import Played, play
from molehunt.core.panels import Bars
from molehunt.core.replay import Replay
from molehunt.games.saboteur.game import check_game
from molehunt.games.speed_clue.game import check_game as check_clue
from molehunt.learning.saboteur.habits import Batch, read
from molehunt.reading.saboteur.habits import habits

THREE = ("saboteur", "duel", "clue")


def values(charts: tuple[Chart, ...], viewer: int | None) -> list[tuple[float, ...]]:
    return [line.values for chart in charts if chart.viewer == viewer for line in chart.lines]


@cache
def found(which: str, worlds: int = 8, seed: int = 0) -> Analysis:
    return analyse(played(which), worlds=worlds, seed=seed)


# --- Any game -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("which", ["saboteur", "duel"])
def test_what_an_onlooker_or_a_seat_believes_does_not_depend_on_what_is_hidden_from_it(which: str) -> None:
    game = played(which)
    names = [""] * game.game.seats
    analyst = analyst_of(game.game.name)
    charts, _ = analyst(game, names).beliefs()
    for seat, seed in ((0, 1), (1, 2)):
        others, _ = analyst(with_other_secrets(game, seat, seed), names).beliefs()
        assert values(others, None) == values(charts, None)
        assert values(others, seat) == values(charts, seat)


def test_the_envelopes_that_are_held_possible_do_not_depend_on_what_is_hidden() -> None:
    game = played("clue")
    mine, theirs = (ClueAnalyst(each, ["", "", ""]) for each in (game, with_other_secrets(game, 0, 1)))
    for viewer in (None, 0):
        for found_here, found_there in zip(mine.envelopes(viewer), theirs.envelopes(viewer), strict=True):
            assert [part.tolist() for part in found_here] == [part.tolist() for part in found_there]


@pytest.mark.parametrize("which", THREE)
def test_the_same_seed_gives_the_same_bytes(which: str) -> None:
    again = analyse(played(which), worlds=8)
    assert msgspec.json.encode(found(which)) == msgspec.json.encode(again)
    assert found(which).judged != found(which, seed=1).judged


@pytest.mark.parametrize("which", THREE)
def test_moves_are_legal_and_their_losses_are_what_they_say(which: str) -> None:
    game = played(which)
    analysis = found(which)
    assert analysis.judged
    for each in analysis.judged:
        legal = [str(action) for action in game.game.legal_actions(game.view(each.move - 1))]
        assert {each.played, each.best} <= set(legal)
        assert each.played == game.game.format_action(game.actions[each.move - 1])
        assert each.lost == pytest.approx(each.best_chance - each.chance, abs=2e-4) and each.lost >= 0
        assert (each.lost == 0) == (each.best == each.played)


def test_what_is_said_before_a_card_is_no_choice_and_changes_no_judgement(monkeypatch: pytest.MonkeyPatch) -> None:
    game = played("speech")
    analysis = found("speech")
    said = [
        number
        for number, move in enumerate(map(game.game.format_action, game.actions), 1)
        if move[:3] in ("acc", "ask")
    ]
    assert len(said) > 3 and not {each.move for each in analysis.judged} & {*said}
    assert not [each.best for each in analysis.judged if each.best[:3] in ("acc", "ask")]
    # Whether the mole that judges would speak itself makes no difference.
    monkeypatch.setattr("molehunt.analysis.saboteur.MoleAgent", lambda: Agents("saboteur").make("mole:speaks=2"))
    assert analyse(game, worlds=8).judged == analysis.judged


@pytest.mark.parametrize("which", ["duel", "clue"])
def test_the_move_that_wins_the_game_wins_in_every_world(which: str) -> None:
    last = found(which).judged[-1]
    assert last.move == len(played(which).actions) and last.chance == 1.0 and last.grade == "good"


def test_more_time_is_more_worlds(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = count()
    # Every look at the clock is a second later: the look at a few worlds takes one, and two are over then.
    monkeypatch.setattr("molehunt.analysis.analyse.time.perf_counter", lambda: float(next(clock)))
    analysis = analyse(played("saboteur"), seconds=5.0)
    assert analysis.worlds == TRIAL_WORLDS * (UNUSED * 5.0 - 2)
    assert {each.worlds for each in analysis.judged} == {analysis.worlds}


@pytest.mark.parametrize(
    "wrong", [{"worlds": 0}, {"worlds": 1.5}, {"seconds": 0.0}, {"seconds": 1e9}, {"seed": -1}, {"seed": 2**64}]
)
def test_a_number_out_of_range_is_named(wrong: dict[str, float]) -> None:
    with pytest.raises(BadInput, match=r"worlds|seconds|seed"):
        analyse(played("duel"), **wrong)  # type: ignore[arg-type]


@pytest.mark.parametrize("names", [["Ann"], ["Ann", "Ben", "Cleo"], "AB"])
def test_there_is_a_name_for_each_seat_or_none(names: Any) -> None:
    with pytest.raises(BadInput, match="a name for each of 2 seats"):
        analyse(played("duel"), names, worlds=4)


# --- Saboteur -----------------------------------------------------------------------------------------------------------


def test_lines_end_where_the_reading_of_whole_games_ends() -> None:
    game = played("saboteur")
    analyst = SaboteurAnalyst(game, [""] * 5)
    batch = Batch(check_game("a test", game.game), np.zeros(5, np.int64), _as_match(game))
    (direct,) = read(batch, habits())
    (whole,) = analyst.rounds
    for seat in range(5):
        assert analyst.guilt(whole, seat)[-1] == pytest.approx(direct.chances[2, seat])


def _as_match(game: Replay) -> Played:
    agents = [Agents("saboteur").make("decision-2019")] * 5
    return play(game.game, agents, np.array([game.record.seed], np.uint64), keep_actions=True)


def test_a_line_is_what_a_mole_on_that_seat_believes() -> None:
    game = played("saboteur")
    charts, _ = SaboteurAnalyst(game, [f"seat {seat}" for seat in range(5)]).beliefs()
    mole = Agents("saboteur").make("mole")
    for seat, place in ((0, 12), (3, 30)):
        memory = mole.catch_up(game.game, game.position.before(place + 1).past(seat), np.zeros(1, np.uint64))
        panel = mole.beliefs(game.game, game.view(place, seat), memory, 0)[0]
        assert isinstance(panel, Bars)
        lines = {line.label: line.values[place] for chart in charts if chart.viewer == seat for line in chart.lines}
        told = {row.label: row.value for row in panel.rows if row.label in lines}
        assert len(told) >= 4
        for label, value in told.items():
            assert lines[label] == pytest.approx(value, abs=1e-4)


def test_every_round_has_lines_of_its_own_that_end_before_the_roles_are_opened() -> None:
    game = played("rounds")
    analyst = SaboteurAnalyst(game, ["Ann", "Bob", "Cy", "Di"])
    assert [each.number for each in analyst.rounds] == [0, 1]
    assert analyst.rounds[0].last == analyst.rounds[1].first
    assert analyst.rounds[1].last == len(game.actions)
    for each in analyst.rounds:
        start = game.states[each.first]
        assert start["round"][0] == each.number and start["outcome"][0] == 0
        assert each.roles.tolist() == start["roles"][0, :4].tolist()
        guilt = analyst.guilt(each, None)
        assert len(guilt) == each.last - each.first + 1
        # An open role would be certain.
        assert ((guilt > 0) & (guilt < 1)).all()
    charts, known = analyst.beliefs()
    assert {chart.title for chart in charts} == {
        f"{what}, round {number}" for what in ("Who is a saboteur", "Where the gold is") for number in (1, 2)
    }
    assert all(each.certain is None for each in known if each.viewer is None and "saboteur" in each.what)


@pytest.mark.parametrize("code", ["en", "de"])
def test_what_could_have_been_known_is_said_of_a_round_where_there_are_several(code: str) -> None:
    analyst = SaboteurAnalyst(played("rounds"), ["Ann", "Bob", "Cy", "Di"])
    with speaking(code):
        _, known = analyst.beliefs()
    word = {"en": "round", "de": "Runde"}[code]
    assert {each.what.partition(": ")[0] for each in known} == {f"{word} 1", f"{word} 2"}
    said = [(each.viewer, each.what) for each in known]
    assert len(set(said)) == len(said)


def test_what_holds_when_a_round_begins_holds_from_its_start_and_from_no_move_of_the_round_before() -> None:
    analyst = SaboteurAnalyst(played("rounds"), ["Ann", "Bob", "Cy", "Di"])
    _, known = analyst.beliefs()
    begins = {f"round {each.number + 1}": each.first for each in analyst.rounds}
    assert all(each.first == begins[each.what.partition(": ")[0]] for each in known)
    second = begins["round 2"]
    assert second > 0
    assert [place_in_words(place, second) for place in (None, second, second + 1)] == [
        "never",
        "from the start",
        f"from move {second + 1}",
    ]


# --- Speed Clue ---------------------------------------------------------------------------------------------------------


def test_an_onlookers_envelopes_are_those_of_all_deals_that_agree() -> None:
    game = played("small clue")
    deals, _ = game.game.deals()
    analyst, clue = ClueAnalyst(game, ["", ""]), check_clue("a test", game.game)
    shares, certain = analyst.shares(None)
    truth = int(game.states[0]["envelope"][0])
    for place, state in enumerate(game.states):
        facts = public_facts(clue, game.game.public_view(state)[0])
        agreeing = {
            (*(int(hand) for hand in deal["hands"][:2]), int(deal["envelope"]))
            for deal in deals
            if all(fact.is_met((*(int(hand) for hand in deal["hands"][:2]), int(deal["envelope"]))) for fact in facts)
        }
        envelopes = [envelope for *_, envelope in agreeing]
        assert shares[place, 0] == pytest.approx(envelopes.count(truth) / len(envelopes))
        assert certain[place] == (len(set(envelopes)) == 1)


def test_in_the_contest_an_onlooker_knows_what_who_acts_neither_holds_nor_was_shown() -> None:
    """Seat 0 asks in vain and goes on, so it has one of the cards; seat 1 is shown a card and accuses wrongly."""
    clue = small(3, "contest")
    states = clue.new(seeds_of(0, 1))
    hands = [["Blue", "Bow", "Cave"], ["Green", "Den"], ["Club", "Barn"]]
    names = list(clue.edition.names)
    states["hands"][0, :3] = [sum(1 << names.index(card) for card in hand) for hand in hands]
    states["envelope"] = sum(1 << names.index(card) for card in ("Red", "Axe", "Attic"))
    idle, accused = ["suggest Blue, Axe, Attic", "end"], "accuse Red, Axe, Barn"
    play_clue(clue, states, *idle, "suggest Red, Club, Barn", "show Club", accused)

    def cards(*named: str) -> tuple[int, ...]:
        return tuple(names.index(card) for card in named)

    facts = public_facts(clue, clue.public_view(states)[0])
    assert Fact(ONE_OF, 0, cards("Blue", "Axe", "Attic")) in facts
    assert Fact(ONE_OF, 2, cards("Club")) in facts
    assert Fact(LACKS, 1, cards("Red", "Axe", "Barn")) in facts


def test_the_envelope_is_certain_to_who_named_it() -> None:
    game = played("clue")
    winner = game.record.ending.winners[0]
    _, known = ClueAnalyst(game, ["Ann", "Bob", "Cy"]).beliefs()
    (mine,) = (each for each in known if each.viewer == winner)
    assert mine.certain is not None and mine.certain < len(game.actions)
    (public,) = (each for each in known if each.viewer is None)
    assert public.certain == len(game.actions)
