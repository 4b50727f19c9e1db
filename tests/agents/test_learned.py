"""What learned players are told of a view and of each legal move, and how they are made."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from agents.untrained import random_network
from molehunt.agents import networks
from molehunt.agents.duel import features as duel_features
from molehunt.agents.duel.learned import DuelLearnedAgent
from molehunt.agents.learned import LearnedAgent, Told
from molehunt.agents.registry import Agents
from molehunt.agents.saboteur.learned import SaboteurLearnedAgent
from molehunt.agents.saboteur.mole_words import belief_panels
from molehunt.agents.speed_clue.learned import ClueLearnedAgent
from molehunt.core.errors import BadInput
from molehunt.core.match import play
from molehunt.core.panels import Bars, seat_name
from molehunt.core.position import ROW, Position
from molehunt.core.streams import game_seeds, seat_streams
from molehunt.games.compiled import CompiledGame
from molehunt.games.duel.cards import NUGGET, UNKNOWN
from molehunt.games.duel.game import Duel
from molehunt.games.registry import make_game
from molehunt.games.saboteur.actions import PLAY_BREAK, PLAY_FIX, PLAY_PATH, card_of, play_of, target_of
from molehunt.games.saboteur.cards import SABOTEUR
from molehunt.games.saboteur.game import Saboteur
from molehunt.games.speed_clue.game import SpeedClue
from molehunt.games.speed_clue.ruleset import CARDS
from molehunt.reading.saboteur import features as saboteur_features
from molehunt.reading.saboteur.features import CHANCE_STEPS
from molehunt.reading.saboteur.suspicion import INDEPENDENT, believe_both, deal_of
from molehunt.reading.saboteur.suspicion import SCRATCH as SUSPICION
from molehunt.reading.speed_clue import features as clue_features

Parts = dict[str, npt.NDArray[Any]]


def split(numbers: npt.NDArray[np.int8], parts: dict[str, int]) -> Parts:
    """The parts of a position or of moves by name."""
    ends = np.cumsum(list(parts.values()))
    assert numbers.shape[-1] == ends[-1]
    return dict(zip(parts, np.split(numbers, ends[:-1], axis=-1), strict=True))


class Watched:
    """Games of a learned player with itself, move by move: of each decision the view, the position and the moves by their parts."""

    def __init__(
        self, game: CompiledGame, kind: type[LearnedAgent], position: dict[str, int], move: dict[str, int], games: int
    ) -> None:
        self.game = game
        self.decisions: list[tuple[Any, Parts, Parts, list[int]]] = []
        agent = kind.of(random_network(kind.sizes(game)), 1.0)
        for seed in game_seeds(3, 0, games):
            states = game.new(np.array([seed], np.uint64))
            streams = seat_streams(np.array([seed], np.uint64), game.seats)
            every = [game.views(states, np.array([seat], np.int8)) for seat in range(game.seats)]
            memories = [agent.start(game, every[seat], streams[:, seat].copy()) for seat in range(game.seats)]
            while (seat := int(game.to_move(states)[0])) >= 0:
                view = game.views(states, np.array([seat], np.int8))
                memory = memories[seat]
                action = agent.act(view, memory, np.zeros(1, np.int64))
                count = int(memory.notes[networks.COUNT])
                moves = memory.moves.reshape(len(memory.actions), -1)[:count].copy()
                self.decisions.append(
                    (view, split(memory.position.copy(), position), split(moves, move), memory.actions[:count].tolist())
                )
                events = game.apply(states, action)
                for other in range(game.seats):
                    agent.observe(events[:, other].copy(), memories[other], np.zeros(1, np.int64))


@pytest.fixture(scope="module", params=["krisnadi", "official", "veldhuis"])
def saboteur(request: pytest.FixtureRequest) -> Watched:
    game = make_game("saboteur", request.param, 5)
    assert isinstance(game, Saboteur)
    _, _, width, height = saboteur_features.frame_of(game)
    position = saboteur_features.position_parts(5, width * height)
    return Watched(game, SaboteurLearnedAgent, position, saboteur_features.move_parts(5, width, height), 2)


@pytest.fixture(scope="module")
def duel() -> Watched:
    game = make_game("duel", "mcgill", 2)
    assert isinstance(game, Duel)
    return Watched(game, DuelLearnedAgent, duel_features.position_parts(), duel_features.move_parts(), 3)


def test_what_saboteurs_are_told_of_a_view_is_what_it_says(saboteur: Watched) -> None:
    seats = saboteur.game.seats
    for view, told, _, _ in saboteur.decisions:
        one = view[0]
        seat = int(one["seat"])
        assert told["role"].tolist() == [int(one["role"] == role) for role in range(2)]
        assert told["hand"].sum() == (one["hand"] >= 0).sum()
        assert (told["unseen"] == one["unseen"]).all()
        assert told["hand sizes"].tolist() == [one["hand_sizes"][(seat + away) % seats] for away in range(seats)]
        broken = told["broken tools"].reshape(seats, -1) @ [1, 2, 4, 8]
        assert broken.tolist() == [one["broken"][(seat + away) % seats] for away in range(seats)]
        for name in ("nearest way", "cards left"):
            assert told[name].sum() == 1, name
        assert told["goals"].reshape(3, 3).sum(axis=1).tolist() == [1, 1, 1]
        assert told["ways"].reshape(3, -1).sum(axis=1).tolist() == [1, 1, 1]


def test_deeds_of_all_seats_are_counted_from_the_seat_of_the_view_on(saboteur: Watched) -> None:
    seats = saboteur.game.seats
    broken = False
    for view, told, _, _ in saboteur.decisions:
        seat = int(view[0]["seat"])
        deeds = told["deeds"].reshape(seats, -1)
        discards = [view[0]["discard_counts"][(seat + away) % seats] for away in range(seats)]
        assert deeds[:, saboteur_features.DISCARDS].tolist() == discards
        assert deeds[:, :-1].sum() == view[0]["played"].sum()
        assert told["breaks"].sum() == deeds[:, saboteur_features.BREAKS].sum()
        assert told["repairs"].sum() == deeds[:, saboteur_features.FIXES].sum()
        broken |= bool(told["breaks"].any())
    assert broken


@pytest.mark.parametrize(("ruleset", "seats"), [("krisnadi", 5), ("official", 4), ("small", 3)])
def test_beliefs_are_told_by_the_case_of_mole_who_sees_the_same(ruleset: str, seats: int) -> None:
    """In whole games, over all rounds; the classes are those of the chances, and so is what a break or repair is aimed at."""
    game = make_game("saboteur", ruleset, seats)
    assert isinstance(game, Saboteur)
    _, _, width, height = saboteur_features.frame_of(game)
    position_parts = saboteur_features.position_parts(seats, width * height, beliefs=True)
    move_parts = saboteur_features.move_parts(seats, width, height, beliefs=True)
    agent = SaboteurLearnedAgent.of(random_network(SaboteurLearnedAgent.sizes(game, Told(beliefs=True))), 1.0)
    mole = Agents("saboteur").make("mole")
    plain = SaboteurLearnedAgent.of(random_network(SaboteurLearnedAgent.sizes(game)), 1.0)
    deal, firmer = deal_of(game), 0
    seen: Counter[int] = Counter()
    for seed in range(3):
        position = Position(game, seed)
        streams = seat_streams(np.array([seed], np.uint64), seats)
        first = [position.view_record(seat) for seat in range(seats)]
        memories, moles, plains = (
            [each.start(game, first[seat], streams[:, seat].copy()) for seat in range(seats)]
            for each in (agent, mole, plain)
        )
        while position.outcome is None:
            seat = position.to_move
            view = position.view_record(seat)
            action = int(agent.act(view, memories[seat], ROW)[0])
            panels = agent.beliefs(game, view, memories[seat], 0)
            joints = np.zeros((2, len(deal.teams), 3))
            case = moles[seat].records["case"][:1].copy()
            believe_both(case, view, INDEPENDENT, *deal, np.zeros(1, SUSPICION), joints)
            assert panels == belief_panels(game, view[0], deal, *joints)
            firmer += panels != mole.beliefs(game, view, moles[seat], 0)
            suspected, gold, public = (panel for panel in panels if isinstance(panel, Bars))
            assert plain.beliefs(game, view, plains[seat], 0) == ()
            told = split(memories[seat].position.copy(), position_parts)
            others = {row.label: row.value for row in suspected.rows}
            own = [float(view["role"][0] == SABOTEUR)]
            own += [others[seat_name((seat + away) % seats)] for away in range(1, seats)]
            onlookers = [public.rows[(seat + away) % seats].value for away in range(seats)]
            for name, values in (
                ("suspected", own),
                ("gold", [row.value for row in gold.rows]),
                ("suspected by an onlooker", onlookers),
            ):
                classes = told[name].reshape(len(values), -1)
                assert classes.sum(axis=1).tolist() == [1] * len(values)
                assert classes.argmax(axis=1).tolist() == np.digitize(values, CHANCE_STEPS).tolist()
                seen.update(classes.argmax(axis=1).tolist())
            count = int(memories[seat].notes[networks.COUNT])
            moves = memories[seat].moves.reshape(len(memories[seat].actions), -1)[:count]
            aimed = split(moves, move_parts)["suspected target"]
            for number, move in enumerate(memories[seat].actions[:count].tolist()):
                if play_of(move) in (PLAY_BREAK, PLAY_FIX):
                    away = (target_of(move) - seat) % seats
                    assert aimed[number].tolist() == told["suspected"].reshape(seats, -1)[away].tolist()
                else:
                    assert not aimed[number].any()
            position.play(action)
            for other in range(seats):
                event = np.array([position.events[-1][other]], game.event_dtype)
                for each, held in ((agent, memories), (mole, moles), (plain, plains)):
                    each.observe(event, held[other], ROW)
            assert not any(memory.histories["case"].tobytes().strip(b"\0") for memory in plains)
    assert len(seen) == saboteur_features.CHANCES
    # `mole` itself is less sure of the gold's place.
    assert firmer > 0


def test_what_the_duel_tells_of_the_other_is_what_is_read_from_their_moves(duel: Watched) -> None:
    """The parts of a position against the mind of `duel-star` in the same games, where `beliefs` computes them in Python."""
    places, digs = set(), set()
    for view, told, _, _ in duel.decisions:
        goals = view[0]["goals"]
        chances = told["places"].reshape(3, -1)
        assert chances.sum(axis=1).tolist() == [1, 1, 1]
        assert told["digs"].sum() == told["hurries"].sum() == 1
        for goal in range(3):
            if (goals == NUGGET).any():
                certain = duel_features.CHANCES - 1 if goals[goal] == NUGGET else 0
                assert chances[goal].argmax() == certain
            elif goals[goal] != UNKNOWN:
                assert chances[goal].argmax() == 0
        seen = view[0]["looked"][1 - int(view[0]["seat"])] | view[0]["revealed"]
        many = int(seen).bit_count() >= 2
        assert told["knows the place"].tolist() == [int(many or bool(seen >> goal & 1)) for goal in range(3)]
        places.add(tuple(chances.argmax(axis=1).tolist()))
        digs.add(int(told["digs"].argmax()))
    assert len(places) > 3 and len(digs) > 2


def test_what_saboteurs_are_told_of_moves_is_what_they_are(saboteur: Watched) -> None:
    laid = 0
    for view, _, moves, actions in saboteur.decisions:
        assert actions == [int(action) for action in saboteur.game.legal_actions(view)]
        assert (moves["play"].sum(axis=1) == 1).all()
        assert moves["play"].argmax(axis=1).tolist() == [play_of(action) for action in actions]
        paths = np.array([play_of(action) == PLAY_PATH for action in actions])
        cards = moves["card"][paths].argmax(axis=1)
        assert cards.tolist() == [card_of(action) for action in actions if play_of(action) == PLAY_PATH]
        for name in ("nearest way", "nearest change"):
            assert (moves[name][paths].sum(axis=1) == 1).all(), name
        laid += int(paths.sum())
    assert laid


def test_what_duellists_are_told_is_what_is(duel: Watched) -> None:
    tunnels = 0
    for view, told, moves, actions in duel.decisions:
        one = view[0]
        assert actions == [int(action) for action in duel.game.legal_actions(view)]
        assert told["hand"].sum() == (one["hand"] >= 0).sum()
        assert (told["unseen"] == one["unseen"]).all()
        for name in ("cost to the guess", "risk", "cards left"):
            assert told[name].sum() == 1, name
        assert (moves["play"].sum(axis=1) == 1).all()
        onto = moves["onto the tunnel"][:, 0].astype(bool) & (moves["play"][:, 1] == 1) & (moves["edges"][:, 4] == 1)
        assert (moves["cost to the guess"][onto].sum(axis=1) == 1).all()
        tunnels += int(onto.sum())
    assert tunnels


@pytest.mark.parametrize(("ruleset", "seats"), [("small", 2), ("contest:cards=small", 3)])
def test_what_detectives_are_told_is_what_is(ruleset: str, seats: int) -> None:
    game = make_game("speed_clue", ruleset, seats)
    assert isinstance(game, SpeedClue)
    cards = int(game.params[CARDS])
    parts = clue_features.position_parts(seats, cards), clue_features.move_parts(cards)
    chances: list[int] = []
    for view, told, moves, actions in Watched(game, ClueLearnedAgent, *parts, 10).decisions:
        seen = game.friendly_view(view)
        assert actions == [int(action) for action in game.legal_actions(view)]
        assert told["hand"].sum() == len(seen.hand)
        assert (told["hand"] & ~told["not in the envelope"] & 1 == 0).all()
        assert told["open"].reshape(3, -1).sum(axis=1).tolist() == [1, 1, 1]
        assert (moves["play"].sum(axis=1) == 1).all()
        suggests, accuses = (moves["play"][:, play - 1] == 1 for play in (1, 2))
        assert (moves["suggested"].sum(axis=1) == 3 * suggests).all()
        assert (moves["accused"].sum(axis=1) == 3 * accuses).all()
        assert (moves["chance"].sum(axis=1) == accuses).all()
        own = moves["own"].argmax(axis=1)
        named = moves["suggested"] + moves["accused"]
        assert (own[suggests | accuses] == (named @ told["hand"])[suggests | accuses]).all()
        chances += moves["chance"][accuses].argmax(axis=1).tolist()
    assert clue_features.CHANCES - 1 in chances and len(set(chances)) > 2


def test_a_player_without_weights_for_a_table_says_how_to_get_some() -> None:
    game = make_game("saboteur", "krisnadi", 9)
    with pytest.raises(BadInput, match="molehunt train"):
        play(game, [Agents("saboteur").make("learned")] * 9, game_seeds(0, 0, 1))


def test_weights_of_another_game_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "weights.safetensors"
    path.write_bytes(networks.to_bytes(random_network((5, 5))))
    agent = Agents("duel").make(f"learned:weights={path}")
    with pytest.raises(BadInput, match=r"not for duel/mcgill with 2 seats"):
        play(make_game("duel", "mcgill", 2), [agent] * 2, game_seeds(0, 0, 1))


def test_weights_of_a_file_are_played(tmp_path: Path) -> None:
    game = make_game("duel", "mcgill", 2)
    network = random_network(DuelLearnedAgent.sizes(game))
    path = tmp_path / "weights.safetensors"
    path.write_bytes(networks.to_bytes(network))
    seeds = game_seeds(0, 0, 5)
    named = play(game, [Agents("duel").make(f"learned:weights={path}")] * 2, seeds, keep_actions=True)
    given = play(game, [DuelLearnedAgent.of(network, 0.0)] * 2, seeds, keep_actions=True)
    assert named.actions == given.actions


def test_what_it_expects_lies_on_the_scale_that_it_names_however_much_its_network_guesses() -> None:
    shape = random_network(DuelLearnedAgent.sizes(make_game("duel", "mcgill", 2))).shape
    told = []
    for seed in range(8):
        flat = 5 * np.random.default_rng(seed).standard_normal(networks.size_of(shape)).astype(np.float32)
        agent = DuelLearnedAgent.of(networks.from_flat(flat, shape, {}), 0.0, "learned")
        position = Position(make_game("duel", "mcgill", 2), seed)
        told.append(re.findall(r"It expects to end ([-+]\d+\.\d\d) above", position.why(agent))[0])
    assert set(told) == {"-1.00", "+1.00"}
