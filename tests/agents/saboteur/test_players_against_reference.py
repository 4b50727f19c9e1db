"""The compiled players of 2016 and 2019 equal the slow players in tests/reference, decision by decision."""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from agents.saboteur.beside import AGENTS, SideBySide, allowed_moves, slow_parameters, trust_of
from core.chance import assert_distributed
from games.saboteur.playing import mover, play, positions, saboteur, seeds_of, seen_by
from molehunt.agents.saboteur.decision_2019 import AS_PRINTED, AS_RUN
from molehunt.agents.saboteur.minds import MIND, TrustAgent
from molehunt.core.specs import show_value
from molehunt.core.streams import game_seeds
from molehunt.games.saboteur.cards import CARD_NUMBERS, NO_CARD, ROLE_NAMES
from molehunt.games.saboteur.game import Saboteur
from reference import saboteur_players as slow
from reference.saboteur import PATHS, Tile, path_tile

SYSTEMS = ("decision-2019", "decision-2019:as_printed", "means-ends-2016")
GAMES = 20

# --- Whole games ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seats", [4, 5, 6, 7, 8])
@pytest.mark.parametrize("spec", SYSTEMS)
def test_every_decision_and_every_trust_is_one_of_the_reference(spec: str, seats: int) -> None:
    games = SideBySide(saboteur(seats), [spec] * seats, 100 * seats, GAMES)
    games.run()
    # The games came to where the players differ: ties, chance, all kinds of moves by both roles.
    own_table = games.checked["own table entered"]
    assert own_table == 0 if spec == "decision-2019:as_printed" else own_table > 20
    assert games.checked["decisions with ties"] > 200
    assert games.checked["trust by chance"] > 0 or seats == 4
    for role in ROLE_NAMES:
        for move in ("ma", "br", "fi", "di", "P_" if role == "miner" else "D_"):
            assert games.checked[f"{role} {move}"] > 0
    assert (games.checked["saboteur ro"] > 0) == spec.startswith("decision")
    assert (games.checked["miner ro"] > 0) == (spec == "decision-2019:as_printed")


@pytest.mark.parametrize("items", ["", "blocked_may_rockfall=no"])
@pytest.mark.parametrize("seats", [3, 5, 8, 10])
def test_they_equal_the_reference_among_random_players(seats: int, items: str) -> None:
    seating = [*SYSTEMS, "random", "random"] * 2
    games = SideBySide(saboteur(seats, items), seating[:seats], 1000 + seats, 8)
    games.run()
    assert games.checked["decisions"] > 100


# Settings in which the editions differ and that are about the same thing are checked only beside their own kind: the
# reference is silent on mixtures.
NOT_FROM_AS_RUN = {"blocked_values_paths", "repair_printed", "repair_counts_empty", "complement", "few_enemies"}
NOT_FROM_AS_PRINTED = {"repair_growth", "no_placement", "own_kind_only", "self_target_fault", "map_useless"}
BASELINES = ("k0=1,no_placement=0.5", "k1=2", "k2=1.5", "k3=1", "k4=1", "c1=1", "c2=1", "c3=2", "c4=-1")
FAULTS = ("plays_turned_fault=no", "self_target_fault=no")


def other(value: Any) -> str:
    """Another value of a parameter, as it is typed."""
    return show_value(not value if isinstance(value, bool) else 1.5 * value + 0.2)


def changed_systems() -> Iterator[str]:
    """Players with one parameter changed."""
    for field in dataclasses.fields(AS_RUN):
        if field.name not in NOT_FROM_AS_RUN:
            yield f"decision-2019:{field.name}={other(getattr(AS_RUN, field.name))}"
        if field.name not in NOT_FROM_AS_PRINTED:
            yield f"decision-2019:as_printed,{field.name}={other(getattr(AS_PRINTED, field.name))}"
    for item in BASELINES + FAULTS:
        yield f"means-ends-2016:{item}"


@pytest.mark.parametrize("spec", list(changed_systems()))
def test_every_parameter_means_what_it_means_in_the_reference(spec: str) -> None:
    SideBySide(saboteur(5), [spec] * 3 + ["random", "decision-2019"], 5000, 3).run()


@pytest.mark.parametrize("seats", [4, 6])
def test_what_is_said_is_heard_as_by_the_reference(seats: int) -> None:
    listener = "decision-2019:hears=1.5,heeds=1"
    seating = [listener, "random", listener, "random", "means-ends-2016", "decision-2019:as_printed,hears=2"]
    games = SideBySide(saboteur(seats, "speak=yes"), seating[:seats], 7000, 20)
    games.run()
    said = Counter(move.partition(">")[0].partition(":")[0] for moves in games.moves for move in moves)
    assert said["accuse"] > 100 and said["ask"] > 5
    assert games.checked["trust changed"] > 300


@pytest.mark.parametrize("seats", [3, 4, 8])
def test_with_few_enemies_a_lone_saboteur_has_none(seats: int) -> None:
    spec = "decision-2019:as_printed,few_enemies=yes"
    games = SideBySide(saboteur(seats), [spec] * seats, 6000, 4)
    games.run()
    assert (games.checked["saboteur br"] > 0) == (seats == 8)
    assert games.checked["miner br"] > 0


def test_the_changed_systems_cover_every_parameter_of_2019() -> None:
    assert not NOT_FROM_AS_RUN & NOT_FROM_AS_PRINTED


# --- Chance -----------------------------------------------------------------------------------------------------------


def choices(game: Saboteur, agent: TrustAgent, view: Any, mind: Any, draws: int) -> Counter[str]:
    """How often each move is chosen at one view (an array of one record) with one mind, over many streams."""
    memory = agent.start(game, view, np.zeros(1, np.uint64))
    records = np.repeat(np.atleast_1d(mind), draws)
    records["stream"][:, 0] = game_seeds(7, 0, draws)
    many = dataclasses.replace(memory, records=records)
    chosen = agent.act(np.repeat(view, draws), many, np.arange(draws))
    codes, times = np.unique(chosen, return_counts=True)
    return Counter({game.format_action(code): int(count) for code, count in zip(codes, times, strict=True)})


class Ambiguous(SideBySide):
    """Collects the decisions that chance decides: (seat, view, mind, what the slow player sees)."""

    found: list[tuple[int, Any, Any, slow.Seen]]

    def check_decision(
        self, row: int, seat: int, mind: Any, worth: tuple[Any, Any], move: str, params: slow.Parameters
    ) -> None:
        # Trust that differs only by rounding is a tie to the slow player and none to the compiled one.
        mind = mind.copy()
        mind["trust"] = mind["trust"].round(3)
        now = slow.seen(self.followed[row], seat)
        if len(allowed_moves(now, trust_of(mind), float(mind["repair"]), params)) >= 3:
            view = self.game.views(self.states, np.array([seat], np.int8), np.array([row]))
            self.found.append((seat, view, mind, now))


@pytest.mark.parametrize("spec", SYSTEMS)
def test_every_allowed_move_is_really_chosen(spec: str) -> None:
    games = Ambiguous(saboteur(6), [spec] * 6, 600, 6)
    games.found = []
    games.run()
    kinds: Counter[int] = Counter()
    for seat, view, mind, now in games.found:
        agent, params = games.agents[seat], games.params[seat]
        assert isinstance(agent, TrustAgent) and params is not None
        allowed = allowed_moves(now, trust_of(mind), float(mind["repair"]), params)
        assert set(choices(games.game, agent, view, mind, 2000)) == allowed
        kinds[len(allowed)] += 1
    assert sum(kinds.values()) >= 20 and max(kinds) >= 5


def first_view(seats: int, role: str, hand: list[str], number: int = 0) -> tuple[Saboteur, Any]:
    """A dealt game and the view of its first seat to move, with another hand; the first deal that gives it this role."""
    game = saboteur(seats)
    while True:
        states = game.new(seeds_of(number, 1))
        view = seen_by(game, states, mover(states))
        if game.friendly_view(view).role == role:
            return game, with_hand(view, hand)
        number += 1


def with_hand(view: Any, hand: list[str]) -> Any:
    """The view with another hand."""
    view = view.copy()
    view["hand"] = NO_CARD
    for slot, card in enumerate(hand):
        view["hand"][0, slot] = CARD_NUMBERS[card]
    return view


def trusting(game: Saboteur, spec: str, view: Any) -> tuple[TrustAgent, Any]:
    """An agent and the mind with which it sits down."""
    agent = AGENTS.make(spec)
    assert isinstance(agent, TrustAgent)
    return agent, agent.start(game, view, np.zeros(1, np.uint64)).records


@pytest.mark.parametrize("role", ROLE_NAMES)
@pytest.mark.parametrize("spec", SYSTEMS)
class TestTies:
    """Whatever ties is equally likely. At the start of five players' games all are trusted alike."""

    DRAWS = 20_000

    def counts(self, spec: str, role: str, hand: list[str], broken: int = 0) -> tuple[Counter[str], list[int]]:
        """(how often each move is chosen, the other seats); `broken` are the broken tools of all others."""
        game, view = first_view(5, role, hand)
        seat = game.friendly_view(view).seat
        others = [other for other in range(5) if other != seat]
        view["broken"][0, others] = broken
        agent, mind = trusting(game, spec, view)
        return choices(game, agent, view, mind, self.DRAWS), others

    def test_targets_and_cards_of_a_break(self, spec: str, role: str) -> None:
        found, others = self.counts(spec, role, ["break:cart", "break:lantern", "break:lantern"])
        expected = {f"break:cart>{target}": 1 / 12 for target in others}
        expected |= {f"break:lantern>{target}": 1 / 6 for target in others}
        assert_distributed(found, expected)

    def test_targets_of_a_fix(self, spec: str, role: str) -> None:
        found, others = self.counts(spec, role, ["fix:cart"], broken=0b001)
        assert_distributed(found, {f"fix:cart>{target}": 1 / 4 for target in others})

    def test_cards_to_throw_away(self, spec: str, role: str) -> None:
        found, _ = self.counts(spec, role, ["fix:cart", "fix:lantern", "fix:pickaxe", "fix:cart"])
        assert_distributed(
            found, {"discard:fix:cart": 1 / 2, "discard:fix:lantern": 1 / 4, "discard:fix:pickaxe": 1 / 4}
        )


CARDS = {"decision-2019": ("P_NESW", "P_NS", "D_NESW", "D_NS"), "decision-2019:as_printed": ("P_SE", "D_SE", "D_NS")}


@pytest.mark.parametrize("spec", SYSTEMS)
def test_cells_that_tie_are_equally_likely(spec: str) -> None:
    """With a single card in the hand: a tie that turns out to be illegal is thrown away."""
    game, draws = saboteur(5), 4000
    checked: Counter[str] = Counter()
    for states in positions(game, 20, every=4):
        seat = mover(states)
        view = seen_by(game, states, seat)
        friendly = game.friendly_view(view)
        if friendly.broken[seat] or friendly.revealed or any(friendly.goals.values()):
            continue
        for card in CARDS.get(spec, ("P_NESW", "P_SW", "D_SE", "P_EWN")):
            one = with_hand(view, [card])
            agent, mind = trusting(game, spec, one)
            params = slow_parameters(agent)
            assert params is not None
            (option,) = slow.possible_options(seen_slowly(friendly, card), trust_of(mind[0]), 0.4, params)[0]
            ties = len(option.moves) + option.failing
            if ties < 2 or not option.moves or option.value <= slow.threshold(params):
                continue
            expected = dict.fromkeys(option.moves, 1 / ties)
            if option.failing:
                expected[f"discard:{card}"] = option.failing / ties
            assert_distributed(choices(game, agent, one, mind, draws), expected)
            checked["failing" if option.failing and option.moves else "all legal"] += 1
    assert checked["all legal"] >= 10
    assert checked["failing"] >= 3 or spec != "means-ends-2016"


def seen_slowly(view: Any, card: str) -> slow.Seen:
    """What the slow player sees of a view with one card in the hand, no goal known."""
    board = {
        cell: path_tile(*tile) if tile[0] in PATHS else Tile(tile[0], False, frozenset("NESW"), True)
        for cell, tile in view.board.items()
    }
    return slow.Seen(
        seat=view.seat,
        role=view.role,
        seats=view.seats,
        saboteurs=view.saboteurs,
        board=board,
        face_up=(False, False, False),
        known={},
        hand=(card,),
        broken=view.broken,
        asked=(frozenset(),) * view.seats,
        may_rockfall=True,
    )


@pytest.mark.parametrize(
    ("spec", "shares"),
    [
        ("decision-2019", {-1: 1 / 2, 1: 1 / 4, 0: 1 / 4}),
        ("decision-2019:as_printed", {-1: 1 / 2, 1: 1 / 2}),
        ("means-ends-2016", {-1: 1 / 2, 1: 1 / 4, 0: 1 / 4}),
    ],
)
def test_a_target_of_tied_trust_is_friend_or_foe_by_chance(spec: str, shares: dict[int, float]) -> None:
    """A miner among five trusts two of four, and as run draws his two foes apart: so a target may be neither."""
    game, draws = saboteur(5), 4000
    states = game.new(seeds_of(3, 1), np.array([[0, 0, 0, 1, 1]], np.int8))
    states["to_move"][0] = 1
    states["hands"][0, 1, 0] = CARD_NUMBERS["break:cart"]
    view = seen_by(game, states, 0)
    agent, mind = trusting(game, spec, view)
    event = play(game, states, "break:cart>2")[0]
    records = np.repeat(mind, draws)
    assert records.dtype == MIND
    records["stream"][:, 0] = game_seeds(8, 0, draws)
    memory = agent.start(game, view, np.zeros(1, np.uint64))
    agent.observe(np.repeat(event, draws), dataclasses.replace(memory, records=records), np.arange(draws))
    change = (records["trust"][:, 1] - 2.5) / 2.6
    assert_distributed(Counter(change.round(6).astype(int).tolist()), shares)
    both = 0 if spec == "decision-2019:as_printed" else -1
    assert np.allclose(records["trust"][:, 2] - 2.5, both * 2.6 * change)
    assert (records["trust"][:, 3:5] == 2.5).all()
