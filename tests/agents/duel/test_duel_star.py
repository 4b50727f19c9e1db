"""`duel-star`: what it compares, what it says, what it holds of the other, and that it beats players at random."""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from agents.duel.beside import AGENTS, decide, decisions, mover_view, sit, smaller
from games.duel.playing import (
    GAME,
    TUNNEL,
    action_of,
    give,
    mover,
    opening,
    reference_of,
    seeds_of,
    seen_by,
    walk,
)
from molehunt.agents.duel.digger import SCRATCH, WORTH, sit_down
from molehunt.agents.duel.duel_star import FIELDS, MOST_EXPECTED, OTHER_GAMES, SAID, DuelStarAgent
from molehunt.agents.duel.opponent import (
    BACK,
    CLOSE,
    DEAD_END,
    DEAD_END_BACK,
    DIGS,
    DISCARDS,
    FAR,
    FINE_DIGS,
    FINE_LEARNED,
    FINE_RANDOM,
    FINE_SEARCHES,
    HINDERED,
    LEARNED,
    MOST,
    NO_STEP,
    ON_THE_WAY,
    RANDOM,
    SUSPICION,
    chance_of_digger,
    chances_of_kinds,
    chances_of_places,
    fine_sort,
    log_odds_of,
)
from molehunt.agents.duel.star_comparison import Comparison
from molehunt.agents.duel.star_deals import believe
from molehunt.agents.duel.star_words import purpose
from molehunt.core.agent import Agent
from molehunt.core.errors import BadInput
from molehunt.core.game import States
from molehunt.core.kernels import kernel
from molehunt.core.match import Played, play, taken_along
from molehunt.core.panels import Words
from molehunt.core.position import Position
from molehunt.core.streams import game_seeds
from molehunt.core.words import percent_said
from molehunt.games.duel.actions import DESTROY_TILE, DISCARD, FREE, HINDER, LAY, LOOK
from molehunt.games.duel.cards import NUGGET
from molehunt.games.duel.state import DECK
from molehunt.games.registry import make_game
from reference.duel_players import guess

QUICK = "duel-star:deals=6,candidates=4"


def star(spec: str = "duel-star") -> DuelStarAgent:
    agent = AGENTS.make(spec)
    assert isinstance(agent, DuelStarAgent)
    return agent


# --- The move ---------------------------------------------------------------------------------------------------------


def winning_moves(states: States) -> set[int]:
    """The moves after which the mover has won."""
    seat, found = mover(states), set()
    for action in GAME.legal_actions(mover_view(states)):
        after = states.copy()
        GAME.apply(after, np.array([action], np.int32))
        if after["winner"][0] == seat:
            found.add(int(action))
    return found


@pytest.mark.parametrize("spec", ["duel-star", "duel-star:digger"])
def test_it_wins_where_one_tile_wins_and_the_nugget_is_known(spec: str) -> None:
    agent, met = star(spec), 0
    for states, _ in decisions(40, 1):
        seat = mover(states)
        if wins := winning_moves(states):
            known = states.copy()
            known["looked"][0, seat] = 7  # it has seen all goals
            assert decide(agent, mover_view(known), sit(agent, known, seat)) in wins
            met += 1
    assert met > 20


def test_it_wins_with_the_last_card_too() -> None:
    """No card is left but the one that wins."""
    states = opening(*TUNNEL, goals="blank nugget blank")
    view, _ = smaller(states, reference_of(GAME.new(seeds_of(0, 1))[0]), ["0"], ["malus"] * 3, ["malus"] * 3, 0)
    view["goals"][0] = 1, 2, 1
    for spec in ("duel-star", "duel-star:digger"):
        assert decide(star(spec), view, sit(star(spec), states, mover(states))) == action_of("0@11,5")


def test_every_move_is_legal_and_among_those_compared() -> None:
    agent = star(QUICK)
    for states, _ in decisions(8, 13):
        view, mind = mover_view(states), sit(agent, states, mover(states))
        compared = Comparison(agent.means, GAME, view, mind.histories[0].copy())
        legal = set(map(int, GAME.legal_actions(view)))
        assert 1 <= len(compared.moves) <= 4
        assert len(set(compared.moves.tolist())) == len(compared.moves) and set(compared.moves.tolist()) <= legal
        stream = int(mind.minds["stream"][0, 0])
        assert decide(agent, view, mind) == compared.best
        # The next decision draws other deals.
        assert int(mind.minds["stream"][0, 0]) != stream


def near_positions() -> Iterator[States]:
    """Positions near the goal, in which moves are compared by playing on."""
    for number in range(6):
        yield opening(*TUNNEL[: 2 + number % 3], number=number)


def test_halving_plays_most_games_where_the_choice_is_close() -> None:
    """With 24 deals and 8 candidates there are three stages: of 8, of 4 and of 2 moves."""
    agent, met = star("duel-star:deals=24,candidates=8,rare=0"), 0
    for states in near_positions():
        compared = Comparison(agent.means, GAME, mover_view(states), sit(agent, states, mover(states)).histories[0])
        if len(compared.moves) == 8 and compared.games.any():
            assert sorted(compared.games.tolist()) == [8] * 4 + [16] * 2 + [24] * 2
            met += 1
        if compared.games.max() > 0:
            assert compared.games[compared.moves == compared.best] == compared.games.max()
            assert (compared.totals <= compared.games).all() and (compared.totals >= 0).all()
    assert met > 0


def test_deals_candidates_and_near_say_what_is_compared() -> None:
    states = next(near_positions())
    view, seat = mover_view(states), mover(states)

    def compared(items: str) -> Comparison:
        agent = star(f"duel-star:own=no,{items}")
        return Comparison(agent.means, GAME, view, sit(agent, states, seat).histories[0])

    assert compared("deals=6,candidates=2").games.tolist() == [6, 6]
    assert compared("deals=60,candidates=2").games.tolist() == [60, 60]
    assert len(compared("candidates=3").moves) == 3
    assert len(compared("candidates=1").moves) == 1
    assert compared("candidates=1").games.tolist() == [0]
    assert compared("near=0").games.sum() == 0
    assert compared("near=999").games.sum() > 0
    assert compared("deals=100000,seconds=0.000001").games.max() == 1


def test_work_is_a_limit_that_is_the_same_on_every_machine() -> None:
    """About so many moves are played on: a round of deals more than its share in each stage at most."""
    states = opening(*TUNNEL[:2])
    view, seat = mover_view(states), mover(states)
    games = []
    for work in (0, 2_000):
        agent = star(f"duel-star:own=no,deals=120,near=99,work={work}")
        games.append(Comparison(agent.means, GAME, view, sit(agent, states, seat).histories[0]).games)
    assert games[0].max() == 120 and games[0].sum() > games[1].sum() > 0 and (games[1] % 16 == 0).all()
    again = star("duel-star:own=no,deals=120,near=99,work=2000,threads=2")
    assert (
        Comparison(again.means, GAME, view, sit(again, states, seat).histories[0]).games.tolist() == games[1].tolist()
    )


def test_the_digger_makes_the_first_of_the_promising_moves() -> None:
    """Without playing on, the digger's own move comes first, for every candidate count."""
    digger, few = star("duel-star:digger"), star("duel-star:own=no,near=0,candidates=1")
    for states, _ in decisions(12, 7):
        view, seat = mover_view(states), mover(states)
        assert decide(digger, view, sit(digger, states, seat)) == decide(few, view, sit(few, states, seat))


@kernel
def note(states: Any, seat: int, settings: Any, scratch: Any) -> None:
    """Have the digger note what it sees of the first state."""
    sit_down(states[0], seat, settings, scratch[0])


def test_the_digger_counts_and_knows_what_its_seat_sees() -> None:
    scratch = np.zeros(1, SCRATCH)
    for states, slow in decisions(10, 9):
        for seat in (0, 1):
            note(states, seat, star().means.settings, scratch)
            seen = seen_by(states, seat)[0]
            assert scratch["unseen"][0].tolist() == seen["unseen"].tolist()
            assert scratch["goals"][0].tolist() == seen["goals"].tolist()
            assert sum(scratch["hand"][0].tolist()) == len(slow.hands[seat])
            assert scratch["goal"][0] == guess(slow.view(seat)["goals"])


# --- Why --------------------------------------------------------------------------------------------------------------


SOLVED, PLAYED_ON, EXPECTED = (
    "The ending is solved: ",
    "Played on from: ",
    "What its network expects after each move and the answer to it: ",
)


@pytest.mark.parametrize(
    ("spec", "words"),
    [(QUICK, EXPECTED), (f"{QUICK},own=no,near=99", PLAYED_ON), ("duel-star:digger", PLAYED_ON)],
)
def test_why_names_the_moves_that_are_compared_and_leaves_the_memory_as_it_was(spec: str, words: str) -> None:
    agent = star(spec)
    for states, _ in decisions(6, 17):
        seat, view = mover(states), mover_view(states)
        mind = sit(agent, states, seat)
        before, seen = mind.histories.tobytes(), view.tobytes()
        told = agent.why(GAME, view[0], mind, 0)
        assert (mind.histories.tobytes(), view.tobytes()) == (before, seen)
        compared = Comparison(agent.means, GAME, view, mind.histories[0].copy())
        chosen = GAME.format_action(decide(agent, view, mind))
        assert told.startswith(f"It chooses {chosen}, which ")
        # The best comes first, and it is the one that is then made; where there is but one move, nothing is compared.
        said = SOLVED if compared.solved else words if compared.by_policy else PLAYED_ON
        assert told.partition(said)[2].startswith(chosen) == compared.games.any()
        if compared.games.any():
            assert all(GAME.format_action(int(move)) in told for move in compared.moves)
        assert f"{100 * compared.digger:.0f} %" in told


GIVES = re.compile(
    r"gives itself (\S+) % to win after it, and (?:as much after (\S+?)|(\S+) % after (\S+?))(?=\.\n|, but )"
)


@pytest.mark.parametrize("spec", [QUICK, f"{QUICK},own=no,near=99"])
def test_why_compares_the_move_with_the_next_best_by_what_both_brought(spec: str) -> None:
    agent, compares = star(spec), 0
    for states, _ in decisions(8, 23):
        seat, view = mover(states), mover_view(states)
        mind = sit(agent, states, seat)
        told = agent.why(GAME, view[0], mind, 0)
        compared = Comparison(agent.means, GAME, view, mind.histories[0].copy())
        said = GIVES.search(told)
        assert bool(said) == compared.games.any()
        if said is None:
            continue
        compares += 1
        first, second = compared.order()[:2]
        brought = [percent_said(compared.totals[index] / compared.games[index]) for index in (first, second)]
        assert f"{said[1]} %" == brought[0]
        assert (said[2] or said[4]) == GAME.format_action(int(compared.moves[second]))
        assert f"{said[3] or said[1]} %" == brought[1]
        # Where the next one brought more, it is said what speaks for the first all the same.
        speaks = "but what it learned by playing speaks for its choice" in told or "but the way is longer" in told
        assert speaks == (
            brought[0] != brought[1]
            and compared.totals[second] * compared.games[first] > compared.totals[first] * compared.games[second]
        )
    assert compares


def test_what_a_move_does_is_said_as_it_is() -> None:
    view = seen_by(opening(), 1)[0]

    def does(move: str, nearer: float = 0.0, reached: int = 0) -> str:
        return purpose(int(action_of(move)), view, nearer, reached)

    assert does("map:left") == "shows what lies at the left"
    assert does("0@6,5", 1.0) == "shortens the way to where the nugget may be"
    assert does("0@6,5", -1.0) == "makes the way to the nugget longer"
    assert does("0@6,5") == "hardly changes the way to the nugget"
    assert does("12@6,5") == "gets rid of a dead end where it changes the way little"
    assert does("0@11,5", 1.0, 0b010) == "reaches the middle goal"
    assert does("8@12,6", 1.0, 0b110) == "reaches the middle and right goals"
    assert does("malus") == "keeps the other from laying tiles until it has a bonus"
    assert does("drop:0") == "waits and changes a card for another"
    assert does("destroy@6,5", 1.0) == "takes away what stands in the way"
    view["goals"][0] = NUGGET
    assert does("map:right") == "shows it nothing new"
    assert does("0@6,5", 1.0) == "shortens the way to the nugget"
    view["malus"][:] = 1, 2
    assert does("malus") == "puts one more malus before the other"
    assert does("bonus") == "takes one of its maluses away"
    view["drawn"] = DECK
    assert does("drop:0") == "waits and lays a card aside"


# --- What it holds of the other ---------------------------------------------------------------------------------------


def chances(other: str, games: int, first: int) -> list[float]:
    """What `duel-star` as a quick digger holds of the other on seat 0 at the end of each game."""
    played = play(GAME, [AGENTS.make(other), star("duel-star:digger")], seeds_of(first, games))
    return [chance_of_digger(played.chairs[1].memory.minds[game : game + 1]) for game in range(games)]


def test_the_belief_rises_against_a_player_that_digs_and_falls_against_one_at_random() -> None:
    digs, random, listed = (chances(other, 30, 300) for other in ("greedy-2020", "random", "random-listed"))
    assert np.mean(digs) > 0.8 and np.mean(random) < 0.2 and np.mean(listed) < 0.2
    assert np.mean(np.array(digs) > 0.5) > 0.8 and np.mean(np.array(listed) < 0.5) > 0.8


def test_the_first_belief_is_the_parameter_and_a_mind_can_change() -> None:
    states = GAME.new(seeds_of(0, 1))
    for chance in (0.0, 0.25, 0.5, 1.0):
        for spec in ("duel-star:mirror=0", "duel-star:mirror=0.25", "duel-star:digger"):
            agent = star(f"{spec},suspicion={chance}")
            assert agent.means.kinds_of(sit(agent, states, 0).minds[0])[0] == pytest.approx(chance, abs=1e-5)
        # The network is told what it was told when it learned.
        assert chance_of_digger(sit(star(f"duel-star:suspicion={chance}"), states, 0).minds) == pytest.approx(SUSPICION)
    assert MOST < 20
    for often in (DIGS, RANDOM, FINE_DIGS, FINE_LEARNED, FINE_SEARCHES, FINE_RANDOM):
        assert often.sum(axis=1) == pytest.approx(1, abs=0.08) and often.min() >= 0.01


def minds_along(agent: Agent, moves: list[str], states: States, seat: int) -> Iterator[Any]:
    """What a seat makes of the other at first and after each of some moves; whoever is to move is given the card."""
    mind = sit(agent, states, seat)
    yield mind.minds
    for move in moves:
        card = move.partition("@")[0].partition("_")[0].partition(":")[0]
        give(states, card if ":" not in move or card == "map" else move.partition(":")[2])
        events = GAME.apply(states, np.array([action_of(move)], np.int32))
        agent.observe(events[:, seat], mind, np.zeros(1, np.int64))
        yield mind.minds


def observed(agent: Agent, moves: list[str], states: States, seat: int) -> list[float]:
    """The belief of a seat after each of some moves; whoever is to move is given the card."""
    return [chance_of_digger(minds) for minds in minds_along(agent, moves, states, seat)]


MOVES = ["0@6,5", "drop:15", "0@4,5", "malus", "bonus", "destroy@4,5", "map:left", "drop:0"]
"""Seat 1 begins. All is far from the goals, but for the bonus, which is played by one who has a malus."""
CLASSES = [0, 6, 1, 3, 4, 5, 2, 6]
FINE_CLASSES = [0, 11, 3, 8, 9, 10, 7, 11]
"""The crossing shortens the ways by more than two, then by nothing; what is discarded is not seen."""
PLACES = [HINDERED if move == "bonus" else FAR for move in MOVES]


def test_bayes_rule_move_by_move() -> None:
    """Tiles onward, aside, discards, a malus, a bonus, a destroy card and a map, each by its two frequencies."""
    readings = (("no", CLASSES, DIGS / RANDOM), ("yes", FINE_CLASSES, FINE_DIGS / FINE_RANDOM))
    for (fine, classes, ratios), seat in itertools.product(readings, (0, 1)):
        agent = star(f"duel-star:suspicion=0.5,mirror=0,fine={fine}")
        odds, wanted = 1.0, [0.5]
        for turn, sort in enumerate(classes):
            if (1, 0)[turn % 2] != seat:
                odds *= ratios[PLACES[turn], sort]
            wanted.append(odds / (1 + odds))
        found = [agent.means.kinds_of(minds[0])[0] for minds in minds_along(agent, MOVES, opening(), seat)]
        assert found == pytest.approx(wanted)


def test_tiles_are_told_apart_by_how_much_they_shorten_the_ways() -> None:
    laid = {gain: fine_sort(LAY, 0, gain) for gain in (3.0, 1.0, 0.1, 0.0, -1.0)}
    assert laid == {3.0: 0, 1.0: 1, 0.1: 2, 0.0: NO_STEP, -1.0: BACK}
    assert [fine_sort(LAY, 15, gain) for gain in (0.0, -1.0)] == [DEAD_END, DEAD_END_BACK]
    assert [fine_sort(play, 0, 0.0) for play in (LOOK, HINDER, FREE, DESTROY_TILE, DISCARD)] == [7, 8, 9, 10, 11]


def test_whoever_plays_at_random_is_played_to_the_end_against_and_draws_bring_nothing() -> None:
    agent = star("duel-star:mirror=0,deals=8")
    states = opening(*TUNNEL[:2])
    mind, view = sit(agent, states, mover(states)), mover_view(states)
    for odds, network, draw in ((2.0, True, 0.3), (-2.0, False, 0.0)):
        mind.minds["fine_log_odds"] = odds
        compared = Comparison(agent.means, GAME, view, mind.histories[0].copy())
        assert (compared.by_policy, compared.parameters.draw) == (network, draw)
    never = star("duel-star:mirror=0,deals=8,careless=0")
    assert Comparison(never.means, GAME, view, mind.histories[0].copy()).by_policy


def kinds_after(place: int, sort: int, chances: list[float]) -> list[float]:
    """How likely the other plays at random, digs, or plays as `learned` does, after one more move; before it, `chances`."""
    likely = [chance * often[place, sort] for chance, often in zip(chances, (RANDOM, DIGS, LEARNED), strict=True)]
    return [each / sum(likely) for each in likely]


def test_bayes_rule_with_one_who_plays_as_learned_does() -> None:
    """The same moves by three frequencies; before them 0.4 play at random, and of the other 0.6 a fourth as `learned` does."""
    agent = star("duel-star:suspicion=0.6,mirror=0.25,fine=no")
    for seat in (0, 1):
        chances = [0.4, 0.45, 0.15]
        found = [agent.means.kinds_of(minds[0]) for minds in minds_along(agent, MOVES, opening(), seat)]
        wanted = [(0.6, 0.25)]
        for turn, sort in enumerate(CLASSES):
            if (1, 0)[turn % 2] != seat:
                chances = kinds_after(PLACES[turn], sort, chances)
            wanted.append((1 - chances[0], chances[2] / (chances[1] + chances[2])))
        assert np.array(found) == pytest.approx(np.array(wanted))
        assert len({round(mirrors, 6) for _, mirrors in found}) > 3


def test_bayes_rule_with_one_who_searches() -> None:
    """The same moves by four frequencies; of those who dig 0.2 search, and of the others a fourth play as `learned` does."""
    agent = star("duel-star:suspicion=0.6,mirror=0.25,searches=0.2")
    often = [FINE_RANDOM, FINE_DIGS, FINE_LEARNED, FINE_SEARCHES]
    for seat in (0, 1):
        chances = np.array([0.4, 0.6 * 0.8 * 0.75, 0.6 * 0.8 * 0.25, 0.6 * 0.2])
        wanted = [(0.6, 0.25)]
        for turn, sort in enumerate(FINE_CLASSES):
            if (1, 0)[turn % 2] != seat:
                chances *= [each[PLACES[turn], sort] for each in often]
                chances /= chances.sum()
            wanted.append((1 - chances[0], chances[2] / (chances[1] + chances[2])))
        found = [agent.means.kinds_of(minds[0]) for minds in minds_along(agent, MOVES, opening(), seat)]
        assert np.array(found) == pytest.approx(np.array(wanted))


@pytest.mark.parametrize(("tiles", "place"), [(0, FAR), (2, ON_THE_WAY), (4, CLOSE)])
def test_a_discard_says_who_the_other_is_by_how_near_the_goal_they_are(tiles: int, place: int) -> None:
    agent, states = star("duel-star:suspicion=0.6,mirror=0.25,fine=no"), opening(*TUNNEL[:tiles])
    *_, minds = minds_along(agent, ["drop:15"], states, 1 - mover(states))
    _, digs, learned = kinds_after(place, DISCARDS, [0.4, 0.45, 0.15])
    assert agent.means.kinds_of(minds[0]) == pytest.approx((digs + learned, learned / (digs + learned)))
    # Where nobody is taken for one who plays as `learned` does, there are two kinds.
    assert chances_of_kinds(minds[0], 0.6, 0.0) == pytest.approx(
        (0.6 * DIGS[place, DISCARDS] / (0.6 * DIGS[place, DISCARDS] + 0.4 * RANDOM[place, DISCARDS]), 0.0)
    )


def test_who_waits_near_the_goal_digs_and_who_drops_far_from_it_plays_at_random() -> None:
    far, near = (observed(star(), ["drop:15"], opening(*TUNNEL[:tiles]), seat) for tiles, seat in ((0, 0), (4, 0)))
    assert far[1] < far[0] and near[1] > near[0]


def test_laying_the_tile_that_reaches_a_goal_speaks_for_digging() -> None:
    """Seat 0 lays the last tile to the middle goal, which is blank."""
    states = opening(*TUNNEL, goals="blank blank nugget")
    assert mover(states) == 0
    found = observed(star(), ["0@11,5"], states, 1)
    assert states["outcome"][0] == 0 and states["revealed"][0] == 2
    assert found[1] > found[0]


def test_the_maze_in_mind_is_the_board() -> None:
    agent = star("duel-star:digger")
    met = Counter[str]()
    for number in range(12):
        before = GAME.new(seeds_of(number, 1))
        minds = [sit(agent, before, seat) for seat in (0, 1)]
        for states, slow in itertools.islice(walk(number), 1, None):
            # The move that led here, seen by both.
            move = slow.history[slow.history[0][-1]["seat"]][-1]["move"]
            events = GAME.apply(before, np.array([action_of(move)], np.int32))
            for seat in (0, 1):
                agent.observe(events[:, seat], minds[seat], np.zeros(1, np.int64))
                assert minds[seat].minds["maze"][0].tobytes() == seen_by(states, seat)["maze"][0].tobytes()
                assert minds[seat].minds["seat"][0] == seat
            met[move.partition("@")[0]] += 1
            met["revealed"] += any(slow.revealed)
    assert met["destroy"] > 3 and met["revealed"] > 20


def minds_after(moves: list[str], states: States, seat: int) -> Any:
    """What a seat makes of the other after some moves; whoever is to move is given the card."""
    agent = star()
    mind = sit(agent, states, seat)
    for move in moves:
        give(states, move.partition(":")[2] if move.startswith("drop") else move.partition("@")[0].partition(":")[0])
        events = GAME.apply(states, np.array([action_of(move)], np.int32))
        agent.observe(events[:, seat], mind, np.zeros(1, np.int64))
    return mind.minds


def places_after(moves: list[str], states: States, seat: int) -> list[float]:
    """How likely a seat then holds each place of the nugget."""
    found: list[float] = chances_of_places(minds_after(moves, states, seat)[0], seen_by(states, seat)[0]).tolist()
    assert sum(found) == pytest.approx(1)
    return found


def test_tiles_of_one_who_has_looked_say_where_the_nugget_is() -> None:
    """Seat 1 looks to the left, and their tunnel turns left; without the look, or turning away, it says nothing for the left."""
    turns = ["8@6,5", "drop:15", "10@6,4", "drop:0", "8@6,3", "drop:0"]
    left, _, _ = places_after(["map:left", "drop:1", *turns], opening(), 0)
    assert left > 0.45
    assert places_after(["drop:1", "drop:2", *turns], opening(), 0) == pytest.approx([1 / 3] * 3)
    away = [move.replace("6,4", "6,6").replace("6,3", "6,7") for move in turns]
    assert places_after(["map:left", "drop:1", *away], opening(), 0)[0] < 1 / 3


def test_who_looks_on_has_not_found_it() -> None:
    left, middle, right = places_after(["map:left", "drop:0", "map:middle", "drop:0"], opening(), 0)
    assert left < 0.2 and middle == pytest.approx(right) and middle > 0.4


def test_what_the_seat_knows_itself_goes_before_what_the_other_does() -> None:
    states = opening(goals="blank nugget blank")
    states["looked"][0, 0] = 1
    left, middle, right = places_after(["map:left", "drop:0", "10@5,4", "drop:0"], states, 0)
    assert left == 0 and middle == pytest.approx(right)
    states["looked"][0, 0] = 2
    assert places_after([], states, 0) == [0, 1, 0]


def test_who_could_have_finished_and_did_not_lacks_the_tile() -> None:
    states = opening(*TUNNEL, goals="blank nugget blank")
    other = mover(states)
    states["looked"][0, other] = 2
    minds = minds_after(["drop:1"], states, 1 - other)
    straight = 1 << 5
    assert minds["lacks"][0, 1] & straight and not minds["lacks"][0, 0] and not minds["lacks"][0, 2]
    # Drawn again and again, the other hardly ever holds what would have finished, but for the card drawn last.
    view = seen_by(states, 1 - other)
    view["goals"][0] = 1, 2, 1
    deals = GAME.resample(np.repeat(view, 200), game_seeds(3, 0, 200))
    before = deals["hands"][:, other, :6].copy()
    believe(
        deals,
        game_seeds(4, 0, 200),
        view,
        1 - other,
        minds[0],
        np.array([0.0, 1, 0]),
        1.0,
        0.5,
        True,
        0.0,
        np.empty(200, np.int64),
    )
    held = deals["hands"][:, other, :6]
    assert (held == 0).any(axis=1).mean() < 0.05 < (before == 0).any(axis=1).mean()
    cards = np.sort(np.concatenate([deals["hands"][:, other], deals["deck"][:, states["drawn"][0] :]], axis=1), axis=1)
    assert (cards == cards[0]).all() or len({tuple(row) for row in cards.tolist()}) <= 30


def test_one_who_digs_is_taken_to_have_kept_the_best_of_what_they_drew() -> None:
    """After five discards of the other: no card but the last drawn is worth less than one that was discarded; no card is lost."""
    states = opening("0@6,5", "drop:0", "drop:0", "drop:5", "drop:5", "drop:6", "drop:6", "drop:7", "drop:7", "drop:9")
    other = mover(states)
    view = seen_by(states, 1 - other)
    for sensible in (0.0, 1.0):
        deals = GAME.resample(np.repeat(view, 100), game_seeds(3, 0, 100))
        whole = [
            sorted(np.repeat(np.arange(20), deal["discards"][other]).tolist() + deal["hands"][other].tolist())
            for deal in deals
        ]
        mind = sit(star(), states, 1 - other).minds[0]
        numbers = (np.full(3, 1 / 3), 1.0, 0.5, True, sensible, np.empty(100, np.int64))
        believe(deals, game_seeds(4, 0, 100), view, 1 - other, mind, *numbers)
        kept = [
            WORTH[deal["hands"][other, :6]].min() >= WORTH[np.flatnonzero(deal["discards"][other])].max()
            for deal in deals
        ]
        assert all(kept) if sensible else np.mean(kept) < 0.2
        after = [
            sorted(np.repeat(np.arange(20), deal["discards"][other]).tolist() + deal["hands"][other].tolist())
            for deal in deals
        ]
        assert after == whole


def test_who_keeps_a_malus_has_no_bonus() -> None:
    states = opening()
    assert mover(states) == 1
    assert not minds_after(["malus", "bonus"], states, 1)["no_bonus"][0]
    assert minds_after(["malus", "drop:1"], opening(), 1)["no_bonus"][0]


def test_who_exposes_the_goal_hurries_and_who_holds_back_waits() -> None:
    assert mover(opening(*TUNNEL[:4])) == 1
    exposed, held = (minds_after([move], opening(*TUNNEL[:4]), 1) for move in ("0@10,5", "drop:1"))
    assert (
        minds_after(["0@10,5"], opening(*TUNNEL[:4]), 0)["hurry"][0]
        > 0
        > minds_after(["drop:1"], opening(*TUNNEL[:4]), 0)["hurry"][0]
    )
    assert exposed["hurry"][0] == held["hurry"][0] == 0


def test_threads_change_no_move_and_no_number() -> None:
    for states in itertools.islice(near_positions(), 3):
        view, seat = mover_view(states), mover(states)
        one, two = (
            Comparison(agent.means, GAME, view, sit(agent, states, seat).histories[0])
            for agent in (star("duel-star:deals=20,threads=1"), star("duel-star:deals=20,threads=2"))
        )
        assert one.games.tolist() == two.games.tolist() and one.totals == pytest.approx(two.totals)
        assert one.best == two.best


def test_reaching_a_goal_that_may_be_blank_and_dead_ends_before_it_are_compared() -> None:
    states = opening(*TUNNEL)
    hand = ["0", "12", "6", "malus", "9", "5", "7"]
    states["hands"][0, mover(states)] = [int(action_of(f"drop:{name}")) >> 9 & 31 for name in hand]
    agent = star("duel-star:own=no,candidates=30,deals=5")
    compared = Comparison(agent.means, GAME, mover_view(states), sit(agent, states, mover(states)).histories[0])
    named = {GAME.format_action(int(move)) for move in compared.moves}
    assert {"0@11,5", "12@11,5", "malus"} <= named


# --- Games ------------------------------------------------------------------------------------------------------------


def moves_of(played: Played) -> list[list[int]]:
    assert played.actions is not None
    return played.actions


def test_the_same_seed_gives_the_same_game() -> None:
    agents = [star(QUICK), AGENTS.make("greedy-2020")]
    first, second = (moves_of(play(GAME, agents, seeds_of(40, 2), keep_actions=True)) for _ in range(2))
    assert first == second and first[0] != first[1]


def test_the_digger_beats_a_player_at_random() -> None:
    """It wins about 85 of 100."""
    agent, other = star("duel-star:digger"), AGENTS.make("random-listed")
    first = play(GAME, [agent, other], seeds_of(500, 50)).states["winner"]
    second = play(GAME, [other, agent], seeds_of(550, 50)).states["winner"]
    assert (first == 0).sum() + (second == 1).sum() >= 70
    assert (first == 1).sum() + (second == 0).sum() <= 10


LAST_CARD = (
    "6_flip@6,5 map:middle 7@7,5 drop:1 drop:2 map:right map:left 9@7,6 drop:destroy 11_flip@7,7 drop:13 0@8,6 8@9,6 malus bonus "
    "0@10,6 map:middle drop:14 drop:8 7@11,6 drop:10 3@9,5 drop:10 6_flip@6,7 drop:6 6@5,7 drop:0 malus bonus 5@5,4 drop:5 12@6,4 "
    "drop:8 6@9,7 drop:10 7@10,7 drop:destroy drop:destroy drop:5 7_flip@8,5 drop:15 drop:4 drop:9 drop:bonus drop:0 drop:bonus "
    "drop:map 7_flip@10,8 drop:8 5_flip@11,8 drop:map 8@5,6 drop:9"
)
"""A game of a waiting player and ours, whose last card cannot win; on 11,7 it would let the other finish."""


def test_a_last_card_that_cannot_win_is_not_laid_where_it_helps_the_other() -> None:
    position = Position(make_game("duel", "mcgill", 2), 4383591494886749)
    for move in LAST_CARD.split():
        position.play(move)
    assert position.view(0).hand == ("9",) and "9@11,7" in map(str, position.legal_actions)
    agent = star("duel-star")
    for seed in range(4):
        memory = agent.catch_up(position.game, position.past(0), np.array([seed], np.uint64))
        chosen = position.game.format_action(int(agent.act(position.view_record(0), memory, np.zeros(1, np.int64))[0]))
        assert chosen == "drop:9"
        assert "The ending is solved: drop:9 (" in agent.why(position.game, position.view_record(0), memory, 0)
        # What the moves bring alone counts: how long the way is after the last card says nothing.
        compared = Comparison(agent.means, GAME, np.atleast_1d(position.view_record(0)), memory.histories[0].copy())
        assert compared.solved and compared.worth == pytest.approx(compared.totals / compared.games)


def met(
    other: str, spec: str, games: int, known: list[tuple[Any, ...] | None] | None = None
) -> tuple[Played, list[Any]]:
    """Games of `duel-star` on seat 0, and what it takes along."""
    played = play(GAME, [star(spec), AGENTS.make(other)], game_seeds(6, 0, games), known=known)
    return played, [values[0] for values in taken_along(GAME, played) if values is not None]


@pytest.mark.parametrize("spec", ["duel-star:digger", "duel-star:digger,fine=yes,mirror=0.5,own=no"])
def test_how_the_other_plays_is_taken_along_where_they_meet_again(spec: str) -> None:
    found = {}
    for other in ("random-listed", "greedy-2020"):
        played, values = met(other, spec, 12)
        agent, memory = played.chairs[0].agent, played.chairs[0].memory
        assert isinstance(agent, DuelStarAgent) and [value["games"] for value in values] == [1] * 12
        found[other] = float(np.mean([value["digs"] for value in values]))
        # A game counts for a share: what moves said, without what was expected before the first.
        fields = FIELDS[agent.parameters.fine]
        before = log_odds_of(agent.parameters.suspicion), 0.0, 0.0, log_odds_of(agent.parameters.hurry)
        said = [float(memory.minds[0][name]) - odds for name, odds in zip(fields, before, strict=True)]
        assert [values[0][name] for name in SAID] == pytest.approx([OTHER_GAMES * odds for odds in said])
        # The next game begins with that; so the other is known sooner.
        fresh, again = (agent.start(GAME, mover_view(opening()), np.zeros(1, np.uint64)) for _ in range(2))
        agent.meet_again(again, 0, values[0])
        moved = [float(again.minds[0][name]) - float(fresh.minds[0][name]) for name in fields]
        scale = min(1.0, MOST_EXPECTED / max(abs(values[0][name]) for name in SAID))
        assert moved == pytest.approx([scale * values[0][name] for name in SAID])
        second = agent.impressions(GAME, mover_view(opening()), again, 0)
        assert second == pytest.approx({"games": 2} | {name: scale * values[0][name] for name in SAID})
        # Only what it thinks of the other is another: not the network's own, nor the place of the nugget.
        assert again.histories["mind"][0, 1].tobytes() == fresh.histories["mind"][0, 1].tobytes()
        assert (again.minds[0]["says"] == fresh.minds[0]["says"]).all() and again.met[0] == 1 and fresh.met[0] == 0
    assert found["random-listed"] < -0.5 and found["greedy-2020"] > 0.5, found


def test_however_often_they_met_a_mind_can_change() -> None:
    agent = star("duel-star:digger")
    memory = agent.start(GAME, mover_view(opening()), np.zeros(1, np.uint64))
    agent.meet_again(memory, 0, {"games": 1000, "digs": 300.0, "learned": -30.0, "searches": 0.0, "hurries": 3.0})
    assert memory.expected[0].tolist() == pytest.approx(
        [MOST_EXPECTED, -0.1 * MOST_EXPECTED, 0.0, 0.01 * MOST_EXPECTED]
    )
    assert agent.impressions(GAME, mover_view(opening()), memory, 0)["digs"] == pytest.approx(MOST_EXPECTED)


def test_it_says_in_how_many_games_it_met_the_other_before() -> None:
    agent, view = star("duel-star:digger"), mover_view(opening())
    memory = agent.start(GAME, view, np.zeros(1, np.uint64))
    _, (value,) = met("greedy-2020", "duel-star:digger", 1)
    said = "What it believes of their habits also comes from 1 earlier game with them."
    assert said not in agent.why(GAME, view, memory, 0)
    agent.meet_again(memory, 0, value)
    assert agent.why(GAME, view, memory, 0).splitlines()[-1] == said
    assert [panel.text for panel in agent.beliefs(GAME, view, memory, 0) if isinstance(panel, Words)] == [said]


ODDS = {"digs": 1.0, "learned": 0.0, "searches": 0.0, "hurries": 0.0}


@pytest.mark.parametrize(
    "value",
    [
        3,
        None,
        {},
        {"games": 1},
        ODDS,
        {"games": 0, **ODDS},
        {"games": 1, **ODDS, "digs": float("inf")},
        {"games": 1, **ODDS, "hurries": "much"},
    ],
)
def test_what_it_cannot_have_taken_along_is_refused(value: Any) -> None:
    agent = star("duel-star:digger")
    memory = agent.start(GAME, mover_view(opening()), np.zeros(1, np.uint64))
    before = memory.histories.tobytes()
    with pytest.raises(BadInput, match="duel-star takes along"):
        agent.meet_again(memory, 0, value)
    assert memory.histories.tobytes() == before and not memory.met.any()
