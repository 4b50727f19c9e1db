"""A match: the same whatever the threads and chunks, fair under rotation, honest when it is stopped."""

from __future__ import annotations

import dataclasses
import signal
import threading
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from molehunt.agents.registry import Agents
from molehunt.arena import match as arena
from molehunt.arena.match import Match, Result, check_roles, run, seat_match
from molehunt.arena.seating import parse_seats
from molehunt.core.agent import Player
from molehunt.core.errors import AgentFailure, BadInput, IllegalAction, UnknownName
from molehunt.core.record import Record
from molehunt.core.replay import Replay
from molehunt.games.registry import game_entry, make_game
from molehunt.table.session import Session, Sitter

LABEL = "saboteur/krisnadi"
MIXED = "random,means-ends-2016,decision-2019,decision-2019:as_printed"


class Last(Player):
    """The last legal action, or any of them by the seat's own lot."""

    def choose(self, view: Any) -> Any:
        return view.legal_actions[-1 - int(self.random.integers(2)) % len(view.legal_actions)]


class Cheat(Player):
    """Looks at a goal with a card that it does not hold."""

    def choose(self, view: Any) -> Any:
        return view.legal_actions[0] if "map" in view.hand else "map:top"


class Clumsy(Player):
    def choose(self, view: Any) -> Any:
        missing: dict[str, str] = {}
        return missing["no such key"]


class Slow(Player):
    thinks = threading.Event()

    def choose(self, view: Any) -> Any:
        self.thinks.set()
        time.sleep(0.001)
        return view.legal_actions[0]


def match_of(seats: str, rotate: bool = False, label: str = LABEL, series: int = 1, **players: type[Player]) -> Match:
    game = label.partition("/")[0]
    agents = Agents(game)
    agents.from_files.update(players)
    return seat_match(label, parse_seats(seats, agents.names(), game_entry(game).roles), agents, rotate, series=series)


def played(match: Match, games: int, threads: int = 1, seed: int = 5) -> tuple[Result, list[Record]]:
    records: list[Record] = []
    return run(match, games, seed, threads, None, records.extend), records


@pytest.fixture
def ctrl_c() -> Iterator[Any]:
    """What a Ctrl-C does to the main thread, to be called from any thread."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    main = threading.main_thread().ident
    assert main is not None
    yield lambda: signal.pthread_kill(main, signal.SIGINT)
    signal.signal(signal.SIGINT, before)


def summary(result: Result) -> tuple[Any, ...]:
    return result.games, result.moves, result.wins.tolist(), result.outcomes.tolist()


def lines(records: Sequence[Record]) -> bytes:
    return b"".join(record.line() for record in records)


# --- The same whatever the threads ------------------------------------------------------------------------------------


@pytest.mark.parametrize("rotate", [False, True])
def test_result_and_records_do_not_depend_on_threads_or_chunks(rotate: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    first, first_records = played(match_of(MIXED, rotate), 120)
    assert first.games == 120
    for threads, chunk in ((2, 512), (3, 512), (1, 7), (2, 7), (3, 1), (2, 64)):
        monkeypatch.setattr(arena, "CHUNK", chunk)
        again, records = played(match_of(MIXED, rotate), 120, threads)
        assert summary(again) == summary(first)
        if not rotate:
            assert lines(records) == lines(first_records)
        else:
            # Within a chunk one seating follows the other, so only the order of the games depends on it.
            assert Counter(record.line() for record in records) == Counter(record.line() for record in first_records)


@pytest.mark.parametrize("rotate", [False, True])
def test_a_series_is_the_same_on_any_number_of_threads(rotate: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    def result(threads: int) -> tuple[Any, ...]:
        match = match_of("exact:deals=100,trials=5,basic*2", rotate, "speed_clue/small", series=3)
        result, records = played(match, 31, threads)
        return summary(result), lines(records), [record.known for record in records]

    first = result(1)
    assert first[0][0] == (36 if rotate else 33)
    # Who plays first among strangers knows nobody; the others' seats learn nothing.
    taken = [known is not None for known in first[2]]
    assert taken == [number % 3 > 0 for number in range(len(taken))]
    for threads, chunk in ((2, 16), (3, 1)):
        monkeypatch.setattr(arena, "SLOW_CHUNK", chunk)
        again = result(threads)
        assert again[0] == first[0]
        assert Counter(again[1].splitlines()) == Counter(first[1].splitlines())


def test_a_game_of_a_series_is_the_one_that_a_table_would_play() -> None:
    seats = ["exact:deals=100,trials=5", "combined:own=2.0", "exact:deals=100,trials=5"]
    _, records = played(match_of(",".join(seats), label="speed_clue/contest", series=3), 6)
    agents = Agents("speed_clue")
    for start in (0, 3):
        session = None
        for record in records[start : start + 3]:
            sitters = [Sitter(f"P{seat}", agents.make(spec)) for seat, spec in enumerate(seats)]
            game = make_game("speed_clue", "contest", 3)
            session = Session(game, sitters, record.seed) if session is None else session.another(record.seed)
            while session.outcome is None:
                session.step()
            assert session.record().line() == record.line()
            Replay(record, make_game)


def test_the_record_says_what_was_taken_along_also_where_that_says_nothing() -> None:
    class Empty(Last):
        def impressions(self, view: Any) -> Any:
            return {}

    _, records = played(match_of("empty,random*2", series=2, empty=Empty), 2)
    assert [record.known for record in records] == [None, ({}, None, None)]


def test_a_series_changes_nothing_for_players_who_take_nothing_along() -> None:
    alone, series = (played(match_of(MIXED, True, series=number), 60) for number in (1, 5))
    assert summary(alone[0]) == summary(series[0])
    assert lines(alone[1]) == lines(series[1])


def test_records_of_a_rotated_match_come_in_the_same_order_for_any_number_of_threads() -> None:
    orders = [lines(played(match_of("random*2,decision-2019", True), 600, threads)[1]) for threads in (1, 2, 3)]
    assert orders[0] == orders[1] == orders[2]


def test_plain_python_players_give_the_same_on_any_number_of_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    first = played(match_of("last*2,random", last=Last), 24)
    for threads, chunk in ((2, 16), (3, 5), (2, 1)):
        monkeypatch.setattr(arena, "SLOW_CHUNK", chunk)
        again = played(match_of("last*2,random", last=Last), 24, threads)
        assert summary(again[0]) == summary(first[0])
        assert lines(again[1]) == lines(first[1])


@pytest.mark.parametrize(("agent", "most"), [("and-or-2020:depth=1", arena.SLOW_CHUNK), ("greedy-2020", 40)])
def test_a_player_that_thinks_about_each_view_alone_is_given_few_games_at_once(agent: str, most: int) -> None:
    told: list[int] = []
    run(match_of(f"{agent},random", label="duel/mcgill"), 40, 1, tell=lambda done, _: told.append(done))
    assert max(after - before for before, after in pairwise(told)) == most
    assert told[-1] == 40


def test_seed_decides_and_a_longer_match_begins_with_the_shorter_one() -> None:
    short, long, other = (played(match_of(MIXED), games, 2, seed)[1] for games, seed in ((8, 5), (20, 5), (8, 6)))
    assert long[:8] == short
    assert not {record.seed for record in other} & {record.seed for record in long}
    assert len({record.seed for record in long}) == 20


def test_result_is_what_its_records_say() -> None:
    match = match_of("saboteur:random,miner:decision-2019*3", rotate=True)
    result, records = played(match, 40, 2)
    wins: Counter[str] = Counter()
    for record in records:
        again = Replay(record, make_game)
        assert record.ending.winners == tuple(np.flatnonzero(again.game.wins(again.states[-1])[0]))
        wins.update(record.seats[seat] for seat in record.ending.winners)
    assert result.games == len(records) == 40
    assert result.moves == sum(len(record.moves) for record in records)
    assert result.wins[0] == wins["saboteur:random"] > 0
    assert result.wins[1:].sum() == wins["miner:decision-2019"] > 0
    found = sum("gold was reached" in record.ending.reason or len(record.ending.winners) == 3 for record in records)
    assert result.outcomes.tolist() == [found, 40 - found]


# --- Rotation ---------------------------------------------------------------------------------------------------------


def test_rotation_plays_every_deal_with_every_chair_on_every_seat() -> None:
    result, records = played(match_of("random,means-ends-2016,decision-2019", rotate=True), 30)
    assert result.games == 30
    deals = Counter(record.seed for record in records)
    assert list(deals.values()) == [3] * 10
    for seed in deals:
        seatings = {record.seats for record in records if record.seed == seed}
        order = ("random", "means-ends-2016", "decision-2019")
        assert seatings == {order, order[1:] + order[:1], order[2:] + order[:2]}


def test_seatings_of_one_deal_begin_from_the_same_cards_and_roles() -> None:
    _, records = played(match_of("random,means-ends-2016,decision-2019", rotate=True), 9)
    starts: dict[int, set[bytes]] = {}
    for record in records:
        starts.setdefault(record.seed, set()).add(Replay(record, make_game).states[0].tobytes())
    assert [len(states) for states in starts.values()] == [1, 1, 1]


def test_seated_roles_go_round_with_their_chairs() -> None:
    _, records = played(match_of("saboteur:random,miner:decision-2019*2", rotate=True), 3)
    assert [record.roles for record in records] == [
        ("saboteur", "miner", "miner"),
        ("miner", "miner", "saboteur"),
        ("miner", "saboteur", "miner"),
    ]
    for record in records:
        assert record.roles == tuple(name.partition(":")[0] for name in record.seats)


@pytest.mark.parametrize(("asked", "made"), [(1, 3), (3, 3), (4, 6), (6, 6)])
def test_rotation_plays_whole_deals_and_at_least_as_many_games_as_asked(asked: int, made: int) -> None:
    assert played(match_of("random*3", rotate=True), asked)[0].games == made


def test_rotation_is_fair_to_equal_players() -> None:
    # Every chair plays the same seats of the same deals, so equal players win equally often, and not just on average.
    assert len(set(played(match_of("decision-2019*4", rotate=True), 200)[0].wins.tolist())) == 1
    assert len(set(played(match_of("decision-2019*4"), 200)[0].wins.tolist())) > 1


# --- Roles ------------------------------------------------------------------------------------------------------------


def test_seated_roles_are_those_asked_for() -> None:
    match = match_of("miner:random,saboteur:random,miner:random,saboteur:random,miner:random")
    _, records = played(match, 10)
    for record in records:
        assert record.roles == ("miner", "saboteur", "miner", "saboteur", "miner")
        assert Replay(record, make_game).game.roles_of(Replay(record, make_game).states[0]).tolist() == [
            [0, 1, 0, 1, 0]
        ]
        assert record.ruleset == "krisnadi:saboteurs=2"


def test_roles_are_dealt_where_none_are_named() -> None:
    _, records = played(match_of("random*5"), 30)
    assert {record.roles for record in records} == {None}
    dealt = {
        tuple(Replay(record, make_game).game.roles_of(Replay(record, make_game).states[0])[0]) for record in records
    }
    assert len(dealt) > 5


@pytest.mark.parametrize(
    ("seats", "label", "message"),
    [
        ("miner:random*3", LABEL, "at least one seat must be a saboteur's where roles are seated"),
        ("saboteur:random*3", LABEL, "saboteurs must be 1 to 2 with 3 seats, not 3"),
        ("saboteur:random,miner:random*4", f"{LABEL}:saboteurs=2", "the ruleset says 2 saboteurs, the seats say 1"),
        ("random*2", LABEL, "krisnadi is played by 3 to 10 seats, not 2"),
        ("random*11", LABEL, "krisnadi is played by 3 to 10 seats, not 11"),
        ("random*5", f"{LABEL}:saboteurs=7", "saboteurs must be 1 to 4 with 5 seats, not 7"),
        ("random:x*3", LABEL, "random has no parameters, so 'x' cannot be set"),
        ("decision-2019:d_b=many*3", LABEL, "d_b must be a number, not 'many'"),
    ],
)
def test_what_cannot_be_seated_is_refused(seats: str, label: str, message: str) -> None:
    with pytest.raises(BadInput) as error:
        match_of(seats, label=label)
    assert message in str(error.value)


@pytest.mark.parametrize("label", ["tic-tac-toe", "saboteur/kreisnadi", "saboteur/krisnadi:gold=4", "/krisnadi", ""])
def test_unknown_game_or_ruleset_is_refused(label: str) -> None:
    with pytest.raises(UnknownName):
        match_of("random*3", label=label)


def test_names_are_the_shortest_that_mean_the_same_and_equal_players_are_one() -> None:
    match = match_of("decision-2019:as_run,decision-2019,decision-2019:as_printed,as_run")
    assert match.names == ["decision-2019"] * 3
    assert len({id(agent) for agent in match.agents}) == 1
    assert match_of("saboteur:random,miner:random*2").names == ["saboteur:random", "miner:random", "miner:random"]


# --- Progress, faults, stops ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("seats", "rotate", "threads"), [("random*3", False, 1), ("random*5", True, 3)])
def test_progress_only_grows_from_nothing_to_all(seats: str, rotate: bool, threads: int) -> None:
    told: list[tuple[int, int]] = []
    result = run(match_of(seats, rotate), 2000, 1, threads, lambda done, total: told.append((done, total)))
    assert told[0] == (0, 2000) and told[-1] == (2000, 2000) and result.games == 2000
    assert len(told) > 3
    assert all(before[0] < after[0] for before, after in pairwise(told))


@pytest.mark.parametrize("threads", [1, 3])
def test_illegal_action_of_a_plain_player_names_seat_move_and_rule(threads: int) -> None:
    with pytest.raises(IllegalAction) as error:
        run(match_of("random,cheat,random", cheat=Cheat), 40, 1, threads)
    assert (error.value.seat, error.value.action) == (1, "map:top")
    assert error.value.rule == "the hand holds no such card"
    assert str(error.value) == "illegal action of seat 1 (cheat): 'map:top': the hand holds no such card"


@pytest.mark.parametrize("threads", [1, 3])
def test_error_of_a_plain_player_names_file_and_line(threads: int) -> None:
    with pytest.raises(
        AgentFailure, match=r"clumsy failed in choose: KeyError: 'no such key' \(.*test_match\.py:\d+\)"
    ):
        run(match_of("random*2,clumsy", clumsy=Clumsy), 40, 1, threads)


def test_error_of_whoever_takes_the_records_comes_out() -> None:
    def full(records: list[Record]) -> None:
        raise OSError("no space left")

    with pytest.raises(OSError, match="no space left"):
        run(match_of("random*3"), 10, 1, 2, None, full)


def test_seats_may_be_written_as_on_the_command_line_and_rates_have_intervals() -> None:
    agents = Agents("saboteur", {"last": Last})
    result = run(seat_match("saboteur/krisnadi", "last,random*3", agents, rotate=True), 40, seed=2)
    assert result.seed == 2 and [rate.agent for rate in result.rates] == ["last", "random", "random", "random"]
    for rate, wins in zip(result.rates, result.wins.tolist(), strict=True):
        assert (rate.wins, rate.rate) == (wins, wins / 40) and 0 < rate.low < rate.rate < rate.high < 1
    seated = seat_match("saboteur/krisnadi", "saboteur:random,miner:random*2", Agents("saboteur"))
    assert [str(chair) for chair in seated.chairs] == ["saboteur:random", "miner:random", "miner:random"]


@pytest.mark.parametrize(
    ("games", "seed", "said"),
    [
        (10, 1.5, "a seed is a whole number .* not 1.5"),
        (10, -1, "a seed is a whole number .* not -1"),
        (0, 0, "how many games is a whole number from 1 on, not 0"),
        (2.5, 0, "how many games is a whole number from 1 on, not 2.5"),
        (True, 0, "how many games is a whole number from 1 on, not True"),
    ],
)
def test_a_match_of_no_games_or_no_seed_is_refused(games: Any, seed: Any, said: str) -> None:
    with pytest.raises(BadInput, match=said):
        run(match_of("random*3"), games, seed)


def test_interrupted_match_keeps_what_was_played() -> None:
    records: list[Record] = []

    def tell(done: int, total: int) -> None:
        if done >= 32:
            raise KeyboardInterrupt

    result = run(match_of("last*3", last=Last), 10_000, 7, 2, tell, records.extend)
    assert result.interrupted
    assert 32 <= result.games == len(records) < 10_000
    assert result.moves == sum(len(record.moves) for record in records)
    assert records == played(match_of("last*3", last=Last), 48, 1, 7)[1][: len(records)]


def test_interruption_in_the_middle_of_writing_leaves_records_and_counts_in_step(ctrl_c: Any) -> None:
    records: list[Record] = []

    def take(some: list[Record]) -> None:
        records.extend(some[:5])
        if len(records) > 40:
            ctrl_c()
            time.sleep(0.1)
        records.extend(some[5:])

    result = run(match_of("last*3", last=Last), 1000, 7, 2, None, take)
    assert result.interrupted
    assert result.games == len(records) < 1000
    assert len(records) % arena.SLOW_CHUNK == 0


def test_interruption_while_a_slow_player_thinks_is_answered_at_once(ctrl_c: Any) -> None:
    def interrupt() -> None:
        Slow.thinks.wait(60)
        time.sleep(0.3)
        ctrl_c()

    Slow.thinks.clear()
    threading.Thread(target=interrupt).start()
    result = run(match_of("slow*3", slow=Slow), 3200, 1, 2)
    assert result.interrupted and result.games < 320


@pytest.mark.parametrize(
    ("label", "seats"),
    [
        (LABEL, "saboteur:random*2,miner:random*3"),
        (f"{LABEL}:saboteurs=4", "saboteur:random*4,miner:random"),
        ("saboteur/official:rounds=1", "saboteur:random,miner:random*4"),
        ("saboteur/official:rounds=1", "saboteur:random*2,miner:random*3"),
        (LABEL, "random*5"),
        ("speed_clue/mitchell", "random*3"),
    ],
)
def test_seats_with_as_many_of_each_role_as_are_dealt_pass(label: str, seats: str) -> None:
    game = label.partition("/")[0]
    check_roles(label, parse_seats(seats, ["random"], game_entry(game).roles))


@pytest.mark.parametrize("workers", [-1, True, 1.5, None, "2"])
def test_workers_are_a_number_or_do_pieces_of_work(workers: Any) -> None:
    with pytest.raises(BadInput, match="workers are a number of threads, or what open_workers gives, not "):
        run(match_of("random*3"), 3, workers=workers)


@pytest.mark.parametrize("series", [0, -1, 1.5, True, "2"])
def test_a_series_is_of_games(series: Any) -> None:
    with pytest.raises(BadInput, match="a series is of a whole number of games from 1 on, not "):
        match_of("random*3", series=series)


def test_players_of_one_s_own_are_classes_by_their_names() -> None:
    """As for a match in a notebook."""

    class Own(Player):
        pass

    for given in ([Own], None, Own):
        with pytest.raises(BadInput, match=r"are given by name, as {'mine': Mine}, not as "):
            Agents("saboteur", given)  # type: ignore[arg-type]
    for name, player in (("own", Own()), (Own, "own")):
        with pytest.raises(BadInput, match=r"is a class by its name, as {'mine': Mine}, not "):
            Agents("saboteur", {name: player})  # type: ignore[dict-item]
    for seats in (["random"] * 5, None, 5):
        with pytest.raises(BadInput, match=r"seats are a text, as 'random\*2,decision-2019', or a list of Chair, not "):
            seat_match("saboteur/krisnadi", seats, Agents("saboteur"))  # type: ignore[arg-type]


def test_a_class_of_ones_own_has_a_name_of_its_own_that_can_be_written() -> None:
    for name in ("decision-2019", "ismcts"):
        with pytest.raises(BadInput, match=f"another player of saboteur is called '{name}'"):
            Agents("saboteur", {name: Player})
    for name in ("a,b", "a:b", "a*2", " a", "a\nb", ""):
        with pytest.raises(BadInput, match=r"a player cannot be called .* without comma, colon, star"):
            Agents("saboteur", {name: Player})
    assert Agents("duel", {"decision-2019": Player, "a b": Player}).make("a b").name == "a b"


def test_deals_that_all_paid_the_same_tell_no_interval_of_a_mean_payoff() -> None:
    result = run(seat_match("saboteur/official:rounds=1", "random*3", Agents("saboteur")), 8, seed=1)
    deals = result.games
    paid = np.array([[deals * 0.1, deals * 0.1, 3.0], [deals * 0.1**2, deals * 0.1**2, 5.0]])
    same, _, other = dataclasses.replace(result, paid=paid).rates
    assert same.payoff == pytest.approx(0.1) and same.payoff_low is same.payoff_high is None
    assert other.payoff_low is not None and other.payoff_high is not None
    assert other.payoff_low < 3 / deals < other.payoff_high


@pytest.mark.parametrize("given", [None, "saboteur/krisnadi", [], 3])
def test_what_is_no_match_no_players_and_no_files_is_refused(given: Any) -> None:
    with pytest.raises(BadInput, match="a match is what seat_match makes, not "):
        run(given, 1)
    with pytest.raises(BadInput, match=r"the players of a match are Agents\('duel'\), not "):
        seat_match("duel", "random*2", given)
    if given != []:
        with pytest.raises(BadInput, match=r"files of players are a list of what arena\.agent_files reads, not "):
            seat_match("duel", "random*2", Agents("duel"), files=given)
