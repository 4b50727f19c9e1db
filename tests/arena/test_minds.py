"""What players believed during a recorded game: the same as they did while they played it, and formulas about it."""

from __future__ import annotations

import random
from collections.abc import Iterable
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from games.saboteur.playing import mover, seeds_of, seen_by, table
from molehunt.agents.registry import Agents
from molehunt.agents.saboteur.kripke_2012 import Memory
from molehunt.arena import minds
from molehunt.arena.match import run, seat_match
from molehunt.arena.minds import Mind, ask, minds_at, true_world
from molehunt.arena.seating import parse_seats
from molehunt.beliefs.syntax import And, Atom, Box, Diamond, Formula, Iff, Implies, Not, Or
from molehunt.core.errors import BadInput, BadNotation, UnknownName
from molehunt.core.record import Record, make_record
from molehunt.core.replay import Replay
from molehunt.core.streams import seat_streams
from molehunt.games.registry import game_entry, make_game

AGENTS = Agents("saboteur")
ONE = np.zeros(1, np.int64)
MIXED = ("kripke-2012", "kripke-2012:depth=1", "decision-2019", "kripke-2012:explicit", "random")


def seated(label: str, seats: str, games: int = 1, seed: int = 3, game: str = "saboteur") -> list[Record]:
    """Records of a match."""
    agents = Agents(game)
    records: list[Record] = []
    match = seat_match(label, parse_seats(seats, agents.names(), game_entry(game).roles), agents)
    run(match, games, seed, 1, None, records.extend)
    return records


@pytest.fixture(scope="module")
def replay() -> Replay:
    """A game of three rounds among players that hold models and players that hold none."""
    return Replay(seated("saboteur/veldhuis", ",".join(MIXED))[0], make_game)


def sets_of(mind: Mind) -> npt.NDArray[np.bool_]:
    """What every agent believes in one model: bool[agents, worlds]; it must be the same in all worlds."""
    links = np.array([mind.model.links(agent, "belief") for agent in mind.model.agents])
    assert (links == links[:, :1]).all()
    result: npt.NDArray[np.bool_] = links[:, 0]
    return result


def memories_during(spec: str, label: str, number: int, moves: Iterable[int]) -> tuple[Record, dict[int, list[Any]]]:
    """Play a game among five of a kind; its record, and copies of what each believed after some moves."""
    wanted = set(moves)
    game, agent, seeds = table(label), AGENTS.make(spec), seeds_of(number, 1)
    states = game.new(seeds)
    streams = seat_streams(seeds, 5)
    memories = [agent.start(game, seen_by(game, states, seat), streams[:, seat]) for seat in range(5)]
    actions: list[int] = []
    kept: dict[int, list[Any]] = {}
    while True:
        if len(actions) in wanted:
            kept[len(actions)] = [(m.strengths.copy(), m.records.copy(), m.believed()) for m in memories]
        seat = mover(states)
        if seat < 0:
            break
        action = agent.act(seen_by(game, states, seat), memories[seat], ONE)
        events = game.apply(states, action)
        for other, memory in enumerate(memories):
            agent.observe(events[:, other], memory, ONE)
        actions.append(int(action[0]))
    return make_record(game, int(seeds[0]), (agent.name,) * 5, None, actions, states[0]), kept


@pytest.mark.parametrize("spec", ["kripke-2012", "kripke-2012:depth-1", "kripke-2012:explicit,disbelief=5"])
@pytest.mark.parametrize("label", ["veldhuis", "official+talk", "krisnadi"])
def test_minds_are_rebuilt_exactly(label: str, spec: str) -> None:
    record, kept = memories_during(spec, label, 4, (0, 1, 7, 23, 48, 75))
    again = Replay(record, make_game)
    streams = seat_streams(np.array([record.seed], np.uint64), 5)
    assert len(kept) > 3
    for move, memories in kept.items():
        found = minds_at(again, move)
        for seat, (strengths, records, believed) in enumerate(memories):
            agent = AGENTS.make(record.seats[seat])
            memory: Memory = minds._told(again, agent, seat, move, streams[:, seat])
            assert memory.strengths.tobytes() == strengths.tobytes()
            for name in records.dtype.names:
                # Nothing is decided again, so the lots are those of the start.
                assert name == "stream" or memory.records[name].tobytes() == records[name].tobytes(), name
            assert (found[seat].seat, found[seat].agent, found[seat].watching) == (seat, agent.name, False)
            sets = sets_of(found[seat])
            assert (sets[seat] == believed[0, 0]).all()
            if believed.shape[1] > 1:
                others = [other for other in range(5) if other != seat]
                assert (sets[others] == believed[0, [1 + other for other in others]]).all()


def test_a_watcher_sits_where_no_model_is_held(replay: Replay) -> None:
    found = minds_at(replay, 30)
    assert [(mind.agent, mind.watching) for mind in found] == [
        ("kripke-2012", False),
        ("kripke-2012:depth=1", False),
        ("kripke-2012", True),
        ("kripke-2012:strategy=explicit", False),
        ("kripke-2012", True),
    ]
    watched = minds_at(replay, 30, "kripke-2012:strong-disbelief")
    assert [(mind.agent, mind.watching) for mind in watched] == [("kripke-2012:disbelief=5.0", True)] * 5
    # The watcher is told what that seat was told, and thinks as it does.
    mine = minds_at(replay, 30, "kripke-2012")
    assert (sets_of(mine[2]) == sets_of(found[2])).all() and (sets_of(mine[0]) == sets_of(found[0])).all()


def test_where_roles_were_seated_the_recorded_players_are_asked() -> None:
    seats = "saboteur:kripke-2012:depth=1*2,miner:kripke-2012:explicit,miner:kripke-2012:disbelief=5,miner:random"
    record = seated("saboteur/veldhuis:rounds=1", seats)[0]
    assert record.roles is not None
    found = minds_at(Replay(record, make_game), 9)
    names = [AGENTS.make(seat.partition(":")[2]).name for seat in record.seats[:4]] + ["kripke-2012"]
    assert len(set(names)) == 4
    assert [mind.agent for mind in found] == names
    assert [mind.watching for mind in found] == [False] * 4 + [True]


def test_the_true_world_is_that_of_the_round(replay: Replay) -> None:
    worlds = [true_world(replay, move) for move in range(len(replay.states))]
    assert len(set(worlds)) > 1, "roles are dealt anew"
    for move, world in enumerate(worlds):
        roles = replay.states[move]["roles"][0, :5].tolist()
        assert world == "{" + ",".join(str(seat) for seat in range(5) if roles[seat]) + "}"


# --- Formulas -----------------------------------------------------------------------------------------------------------


def holds_in(sets: npt.NDArray[np.bool_], teams: list[frozenset[int]], part: Formula, world: int) -> bool:
    """Whether a formula is true in a world of one model, by trying all worlds."""

    def inner(formula: Formula, where: int) -> bool:
        return holds_in(sets, teams, formula, where)

    match part:
        case Atom(name):
            return int(name[4:-1]) in teams[world]
        case Not(of):
            return not inner(of, world)
        case And(parts):
            return all(inner(each, world) for each in parts)
        case Or(parts):
            return any(inner(each, world) for each in parts)
        case Implies(left, right):
            return not inner(left, world) or inner(right, world)
        case Iff(left, right):
            return inner(left, world) == inner(right, world)
        case Box(_, agents, of) | Diamond(_, agents, of):
            # What an agent believes is the same in all worlds, so what is common is believed in what any of them believes.
            group = range(len(sets)) if agents is None else agents
            truth = [inner(of, int(each)) for agent in group for each in np.flatnonzero(sets[agent])]
            return all(truth) if isinstance(part, Box) else any(truth)
    raise AssertionError(part)


def true_of(found: list[Mind], part: Formula, world: str) -> bool:
    """Whether a formula about all minds is true, from the sets that they believe."""
    teams = [frozenset(int(seat) for seat in name[1:-1].split(",")) for name in found[0].model.worlds]
    here = found[0].model.worlds.index(world)
    match part:
        case Not(of):
            return not true_of(found, of, world)
        case And(parts):
            return all(true_of(found, each, world) for each in parts)
        case Or(parts):
            return any(true_of(found, each, world) for each in parts)
        case Implies(left, right):
            return not true_of(found, left, world) or true_of(found, right, world)
        case Iff(left, right):
            return true_of(found, left, world) == true_of(found, right, world)
        case Box("E", agents, of):
            asked = range(5) if agents is None else agents
            return all(holds_in(sets_of(found[seat]), teams, Box("B", (seat,), of), here) for seat in asked)
        case Box(_, agents, _):
            asked = range(5) if agents is None else agents
            return all(holds_in(sets_of(found[seat]), teams, part, here) for seat in asked)
        case Diamond(operator, agents, of):
            return not true_of(found, Box(operator, agents, Not(of)), world)
    return holds_in(sets_of(found[0]), teams, part, here)


def formula(luck: random.Random, depth: int) -> Formula:
    """A formula by chance."""
    kind = luck.randrange(9) if depth else 0
    if kind == 0:
        return Atom(f"sab({luck.randrange(5)})")
    one = formula(luck, depth - 1)
    if kind == 1:
        return Not(one)
    if kind in (2, 3):
        parts = (one, formula(luck, depth - 1))
        return And(parts) if kind == 2 else Or(parts)
    if kind in (4, 5):
        return (Implies if kind == 4 else Iff)(one, formula(luck, depth - 1))
    modal = Box if luck.random() < 0.6 else Diamond
    if kind in (6, 7):
        return modal("B", (luck.randrange(5),), one)
    group = luck.choice((None, (0, 2), (1, 3, 4)))
    return modal(luck.choice("EC"), group, one)


@pytest.mark.parametrize("move", [0, 12, 40, -1])
def test_truth_is_that_of_all_worlds_tried(replay: Replay, move: int) -> None:
    move = len(replay.actions) if move < 0 else move
    found, world, luck = minds_at(replay, move), true_world(replay, move), random.Random(move)
    answers = []
    for _ in range(150):
        part = formula(luck, 3)
        answers.append(ask(part, found, world))
        assert answers[-1] == true_of(found, part, world), str(part)
        # The same in notation.
        assert ask(str(part), found, world) == answers[-1], str(part)
    assert 20 < sum(answers) < 130


@pytest.mark.parametrize("operator", ["B", "E", "C"])
def test_a_diamond_is_the_dual_of_its_box(replay: Replay, operator: str) -> None:
    luck, answers = random.Random(operator), []
    for move in (0, 25, len(replay.actions)):
        found, world = minds_at(replay, move), true_world(replay, move)
        for _ in range(40):
            part = formula(luck, 2)
            group = (luck.randrange(5),) if operator == "B" else luck.choice((None, (0, 2), (1, 3, 4)))
            answers.append(ask(Diamond(operator, group, part), found, world))
            assert answers[-1] != ask(Box(operator, group, Not(part)), found, world), f"{group}: {part}"
    assert {True, False} == set(answers)


def test_one_who_holds_it_possible_is_enough_for_a_group(replay: Replay) -> None:
    found, world = minds_at(replay, 0), true_world(replay, 0)
    saboteur = next(seat for seat in range(5) if ask(f"sab({seat})", found, world))
    miner = next(seat for seat in range(5) if not ask(f"sab({seat})", found, world))
    # A saboteur may think of the miner as his partner; the miner knows better, and pictures the saboteur as a miner.
    pair = f"(sab({saboteur}) & sab({miner}))"
    assert ask(f"M_{saboteur} {pair}", found, world) and not ask(f"M_{miner} {pair}", found, world)
    assert not ask(f"M_{miner} M_{saboteur} {pair}", found, world)
    for operator in ("E", "C"):
        assert ask(f"<{operator}_{{{saboteur},{miner}}}> {pair}", found, world)
        assert not ask(f"<{operator}_{{{miner}}}> {pair}", found, world)


def test_each_seat_is_asked_about_itself(replay: Replay) -> None:
    found, world = minds_at(replay, 0), true_world(replay, 0)
    for seat in range(5):
        is_saboteur = ask(f"sab({seat})", found, world)
        # Everyone knows its own role; to all others it is, or plays, a miner.
        assert ask(f"B_{seat} sab({seat})", found, world) == is_saboteur
        assert ask(f"B_{seat} ~sab({seat})", found, world) != is_saboteur
        assert not ask("E sab(0)", found, world)
        other = (seat + 1) % 5
        assert ask(f"B_{other} B_{seat} ~sab({seat})", found, world)
        assert not ask(f"B_{other} sab({seat})", found, world)


@pytest.mark.parametrize(
    ("text", "kind", "message"),
    [
        ("B_5 sab(0)", BadInput, "there is no seat 5 in B_5 sab(0); seats are 0 to 4"),
        ("true | B_{0,9} sab(0)", BadNotation, "B takes one agent"),
        ("true | E_{0,9} sab(0)", BadInput, "there is no seat 9"),
        ("false & B_7 sab(0)", BadInput, "there is no seat 7"),
        ("B_0 B_8 sab(0)", BadInput, "8"),
        ("sab(5)", UnknownName, "sab(5)"),
        ("true | gold(top)", UnknownName, "gold(top)"),
        ("B_1 gold", UnknownName, "gold"),
        ("B_1 sab(0", BadNotation, "^"),
        ("K_1 sab(0)", BadInput, ""),
    ],
)
def test_wrong_questions_are_refused(replay: Replay, text: str, kind: type[BadInput], message: str) -> None:
    found = minds_at(replay, 5)
    with pytest.raises(kind) as caught:
        ask(text, found, true_world(replay, 5))
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("watcher", "message"),
    [
        ("random", "'random' holds no Kripke model; a player that does is kripke-2012"),
        ("decision-2019", "no Kripke model"),
    ],
)
def test_a_watcher_must_hold_a_model(replay: Replay, watcher: str, message: str) -> None:
    with pytest.raises(BadInput, match=message):
        minds_at(replay, 0, watcher)


def test_nobody_holds_a_model_in_speed_clue() -> None:
    record = seated("speed_clue/mitchell", "basic*3", game="speed_clue")[0]
    with pytest.raises(BadInput, match="no player of speed_clue holds a Kripke model"):
        minds_at(Replay(record, make_game), 0)


def test_minds_are_asked_of_a_replay() -> None:
    record: Any = "games.jsonl"
    with pytest.raises(BadInput, match=r"minds are those of a Replay\(record, make_game\), not 'games.jsonl'"):
        minds_at(record, 0)
