"""The lockstep loop: what an agent is given, that a batch changes nothing, and who is named when something goes wrong."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

import molehunt
from games.saboteur.playing import saboteur, seeds_of
from molehunt.core import game as core_game
from molehunt.core.agent import Agent, Player, PlayerAgent, Rows
from molehunt.core.errors import AgentFailure, BadInput, IllegalAction, MolehuntError
from molehunt.core.game import Actions, Events, Game, Views
from molehunt.core.match import Played, play, play_on, taken_along
from molehunt.core.streams import below, seat_streams

GAME = saboteur(5)


class Lottery(Agent):
    """Plays at random with the stream of its chair, and writes down all that it is given."""

    def __init__(self, name: str = "lottery", observes: bool = True) -> None:
        self.name = name
        self.observes = observes
        self.game: Game
        self.calls: list[tuple[Views, Rows]] = []
        self.told: list[tuple[Events, Rows]] = []

    def start(self, game: Game, views: Views, streams: npt.NDArray[np.uint64]) -> Any:
        self.game = game
        self.first_views = views.copy()
        self.first_streams = streams.copy()
        return streams.copy()

    def act(self, views: Views, memory: Any, rows: Rows) -> Actions:
        self.calls.append((views.copy(), rows.copy()))
        actions = np.empty(len(views), np.int32)
        for index, row in enumerate(rows):
            legal = self.game.legal_actions(views[index])
            actions[index] = legal[below(memory[row : row + 1], len(legal))]
        return actions

    def observe(self, events: Events, memory: Any, rows: Rows) -> None:
        self.told.append((events.copy(), rows.copy()))


class Stubborn(Lottery):
    """Plays one move whatever happens, from some turn on."""

    def __init__(self, move: int, turn: int) -> None:
        super().__init__("stubborn")
        self.move, self.turn = move, turn

    def act(self, views: Views, memory: Any, rows: Rows) -> Actions:
        actions = super().act(views, memory, rows)
        actions[views["turn"] >= self.turn] = self.move
        return actions


def played(agents: Sequence[Agent], games: int = 12, first: int = 0) -> Played:
    return play(GAME, agents, seeds_of(first, games), keep_actions=True)


# --- Batches ----------------------------------------------------------------------------------------------------------


def test_games_are_the_same_one_by_one_and_in_a_batch() -> None:
    together = played([Lottery()] * 5)
    assert together.actions is not None
    for number in range(12):
        alone = played([Lottery()] * 5, 1, number)
        assert alone.states.tobytes() == together.states[number : number + 1].tobytes()
        assert alone.actions == [together.actions[number]]


def test_games_are_the_same_whether_one_agent_sits_everywhere_or_one_on_each_seat() -> None:
    once = played([Lottery()] * 5)
    many = played([Lottery(str(seat)) for seat in range(5)])
    assert once.states.tobytes() == many.states.tobytes() and once.actions == many.actions
    a, b = Lottery("a"), Lottery("b")
    assert played([a, b, a, b, a]).states.tobytes() == once.states.tobytes()


def test_games_are_over_and_their_moves_replay_to_the_byte() -> None:
    result = played([Lottery()] * 5)
    assert result.actions is not None
    assert (GAME.to_move(result.states) == -1).all()
    assert result.moves == sum(len(actions) for actions in result.actions)
    assert np.array_equal(result.seeds, seeds_of(0, 12))
    for number, actions in enumerate(result.actions):
        states = GAME.new(result.seeds[number : number + 1])
        for action in actions:
            GAME.apply(states, np.array([action], np.int32))
        assert states.tobytes() == result.states[number : number + 1].tobytes()


def test_moves_are_kept_only_on_demand_and_no_games_are_no_games() -> None:
    assert play(GAME, [Lottery()] * 5, seeds_of(0, 2)).actions is None
    empty = play(GAME, [Lottery()] * 5, seeds_of(0, 0), keep_actions=True)
    assert (len(empty.states), empty.moves, empty.actions) == (0, 0, [])


def test_roles_may_be_seated() -> None:
    roles = np.array([[1, 0, 0, 0, 1], [0, 1, 1, 0, 0]], np.int8)
    result = play(GAME, [Lottery()] * 5, seeds_of(0, 2), roles)
    assert np.array_equal(GAME.roles_of(result.states), roles)


# --- What an agent is given -------------------------------------------------------------------------------------------


def test_agent_is_asked_once_a_step_about_its_own_chairs_that_are_to_move() -> None:
    a, b = Lottery("a"), Lottery("b")
    seats_of = {"a": [0, 3], "b": [1, 2, 4]}
    result = played([a, b, b, a, b])
    asked = 0
    for agent in (a, b):
        own = seats_of[agent.name]
        for views, rows in agent.calls:
            seats = views["seat"]
            assert (views["to_move"] == seats).all()
            # Chair number = game * seats of the agent + which of its seats.
            assert np.array_equal(rows % len(own), [own.index(seat) for seat in seats])
            assert len(set((rows // len(own)).tolist())) == len(rows)
            asked += len(rows)
    assert asked == result.moves


def test_agent_sits_down_with_the_first_view_and_stream_of_each_chair() -> None:
    a, b = Lottery("a"), Lottery("b")
    played([a, b, b, a, b])
    states, streams = GAME.new(seeds_of(0, 12)), seat_streams(seeds_of(0, 12), 5)
    for agent, own in ((a, [0, 3]), (b, [1, 2, 4])):
        for chair in range(12 * len(own)):
            number, seat = chair // len(own), own[chair % len(own)]
            view = GAME.views(states, np.array([seat], np.int8), np.array([number]))
            assert agent.first_views[chair].tobytes() == view[0].tobytes()
            assert agent.first_streams[chair] == streams[number, seat]


def test_every_seat_is_told_every_move_in_its_own_words() -> None:
    a, b = Lottery("a"), Lottery("b")
    result = played([a, b, b, a, b], 3)
    assert result.actions is not None
    heard: dict[tuple[int, int], list[bytes]] = {(number, seat): [] for number in range(3) for seat in range(5)}
    for agent, own in ((a, [0, 3]), (b, [1, 2, 4])):
        for events, rows in agent.told:
            for event, row in zip(events, rows.tolist(), strict=True):
                heard[row // len(own), own[row % len(own)]].append(event.tobytes())
    for number, actions in enumerate(result.actions):
        states = GAME.new(result.seeds[number : number + 1])
        told = [GAME.apply(states, np.array([action], np.int32))[0] for action in actions]
        for seat in range(5):
            assert heard[number, seat] == [events[seat].tobytes() for events in told]


def test_agent_that_does_not_observe_is_spared_the_events() -> None:
    deaf, listens = Lottery("deaf", observes=False), Lottery("listens")
    result = played([deaf, listens, deaf, deaf, deaf])
    assert not deaf.told
    assert sum(len(rows) for _, rows in listens.told) == result.moves


# --- Faults -----------------------------------------------------------------------------------------------------------


def test_illegal_action_names_seat_action_rule_and_player() -> None:
    move = int(GAME.parse_action("rockfall@0,2"))
    with pytest.raises(IllegalAction) as error:
        played([Lottery(), Lottery(), Stubborn(move, 0), Lottery(), Lottery()], 1)
    assert error.value.seat == 2
    assert error.value.action == "rockfall@0,2"
    assert error.value.rule in (
        "the hand holds no such card",
        "a rockfall removes a path card, never the start or a goal",
    )
    assert str(error.value) == f"illegal action of seat 2 (stubborn): 'rockfall@0,2': {error.value.rule}"


def test_number_that_is_no_action_is_illegal_too() -> None:
    for number in (-1, 2**31 - 1, -(2**31)):
        with pytest.raises(
            IllegalAction, match=rf"\(stubborn\): 'action {number}': there is no such action in this game"
        ):
            played([Stubborn(number, 5)] * 5, 3)


# --- Plain Python players ---------------------------------------------------------------------------------------------


class First(Player):
    """Plays the first legal action, as an action."""

    def choose(self, view: Any) -> Any:
        assert view.to_move == view.seat
        return view.legal_actions[0]


class FirstAsText(Player):
    def choose(self, view: Any) -> Any:
        return str(view.legal_actions[0])


class FirstAsNumber(Player):
    def choose(self, view: Any) -> Any:
        return np.int64(int(view.legal_actions[0]))


class Random(Player):
    def choose(self, view: Any) -> Any:
        return view.legal_actions[int(self.random.integers(len(view.legal_actions)))]


@pytest.mark.parametrize("player", [FirstAsText, FirstAsNumber])
def test_player_answers_with_an_action_its_number_or_its_notation(player: type[Player]) -> None:
    expected = played([PlayerAgent("first", First)] * 5, 3)
    assert played([PlayerAgent("first", player)] * 5, 3).actions == expected.actions


def test_player_has_its_own_random_numbers_which_the_seed_decides() -> None:
    once, again = (played([PlayerAgent("random", Random)] * 5, 4) for _ in range(2))
    alone = played([PlayerAgent("random", Random)] * 5, 1, 2)
    assert once.actions is not None and alone.actions is not None
    assert once.actions == again.actions
    assert alone.actions[0] == once.actions[2]
    assert len({tuple(actions) for actions in once.actions}) == 4


def test_player_sits_on_one_seat_of_one_game_and_is_told_every_event() -> None:
    made: list[Listener] = []

    class Listener(Random):
        def __init__(self) -> None:
            made.append(self)
            self.turns: list[int] = []
            self.own: list[str] = []
            self.seat = -1

        def choose(self, view: Any) -> Any:
            assert self.seat in (-1, view.seat)
            self.seat = view.seat
            self.own.append(str(super().choose(view)))
            return self.own[-1]

        def notice(self, event: Any) -> None:
            self.turns.append(event.turn)
            if event.seat == self.seat:
                assert event.move == self.own[-1]
            elif event.move.startswith("discard"):
                assert event.move == "discard:?"

    result = played([PlayerAgent("listener", Listener)] * 5, 3)
    assert result.actions is not None
    assert len(made) == 15
    for chair, player in enumerate(made):
        assert player.turns == list(range(len(result.actions[chair // 5])))
        assert player.seat == chair % 5


class Clumsy(Player):
    """Makes a mistake of its own in some turn."""

    def choose(self, view: Any) -> Any:
        return {"a": 1}["no such key"]


def test_error_of_a_player_names_the_player_and_the_place() -> None:
    with pytest.raises(
        AgentFailure, match=r"clumsy failed in choose: KeyError: 'no such key' \(.*test_match\.py:\d+\)"
    ) as error:
        played([PlayerAgent("clumsy", Clumsy)] * 5, 1)
    assert isinstance(error.value.__cause__, KeyError)


@pytest.mark.parametrize(
    ("who", "said"),
    [
        ([Clumsy] * 5, r"Clumsy is a Player: seat PlayerAgent\('clumsy', Clumsy\)"),
        ([Clumsy()] * 5, r"Clumsy is a Player: seat PlayerAgent\('clumsy', Clumsy\)"),
        (["random"] * 5, r"Agents\('saboteur'\)\.make\('random'\) makes one, not 'random'"),
        ([Lottery()] * 4, r"needs a player for each of 5 seats, not 4"),
        (Lottery(), r"needs a list with a player for each of 5 seats, not <"),
        ("random*5", r"needs a list with a player for each of 5 seats, not 'random\*5'"),
    ],
)
def test_who_cannot_sit_down_is_told_what_can(who: Any, said: str) -> None:
    with pytest.raises(BadInput, match=said):
        play(GAME, who, seeds_of(0, 1))


def test_a_choose_that_is_written_with_async_is_told_so() -> None:
    class Waits(Player):
        async def choose(self, view: Any) -> Any:  # type: ignore[override]
            return view.legal_actions[0]

    with pytest.raises(AgentFailure, match=r"choose is written with async, and has to be a plain def$"):
        play(GAME, [PlayerAgent("waits", Waits)] * 5, seeds_of(0, 1))


def test_a_position_is_no_array_of_states() -> None:
    with pytest.raises(BadInput, match=r"states are an array of records, as position\.states is, not <Position"):
        play_on(GAME, molehunt.deal("saboteur/krisnadi"), [Lottery()] * 5)  # type: ignore[arg-type]


def test_seeds_may_be_plain_numbers() -> None:
    first, second = (play(GAME, [Lottery()] * 5, seeds) for seeds in ([1, 2], np.array([1, 2], np.uint64)))
    assert first.states.tobytes() == second.states.tobytes()


@pytest.mark.parametrize("seeds", [[0.2, 0.7], [-1], 7, [[1, 2]], ["1"], np.array([1.5])], ids=str)
def test_what_are_no_seeds_is_refused(seeds: Any) -> None:
    with pytest.raises(BadInput, match=r"seeds are whole numbers from 0 on, one for each game, not "):
        play(GAME, [Lottery()] * 5, seeds)
    with pytest.raises(BadInput, match=r"seeds are whole numbers from 0 on, one for each game, not "):
        play_on(GAME, GAME.new(seeds_of(0, 1)), [Lottery()] * 5, seeds=seeds)


def test_error_in_what_a_player_calls_is_placed_where_it_happened() -> None:
    class Deep(Player):
        def choose(self, view: Any) -> Any:
            return view.no_such_attribute

    with pytest.raises(AgentFailure, match=r"deep failed in choose: AttributeError: .*no_such_attribute"):
        played([PlayerAgent("deep", Deep)] * 5, 1)


def test_error_in_notice_is_a_failure_too() -> None:
    class Jumpy(Random):
        def notice(self, event: Any) -> None:
            raise ZeroDivisionError("boo")

    with pytest.raises(AgentFailure, match=r"jumpy failed in notice: ZeroDivisionError: boo \(.*test_match\.py:\d+\)"):
        played([PlayerAgent("jumpy", Jumpy)] * 5, 1)


@pytest.mark.parametrize("answer", [None, 1.5, True, (), 2**31, -(2**31) - 1, b"map:top", ""])
def test_answer_that_is_no_action_names_the_player(answer: Any) -> None:
    class Odd(Player):
        def choose(self, view: Any) -> Any:
            return answer

    with pytest.raises(AgentFailure, match=r"odd must choose one of view.legal_actions or its notation, not "):
        played([PlayerAgent("odd", Odd)] * 5, 1)


@pytest.mark.parametrize("kind", [int, str])
def test_answer_of_a_class_that_fails_names_the_player(kind: type) -> None:
    def fail(*_: Any) -> Any:
        raise ZeroDivisionError("boo")

    answers: Any = type("Answer", (kind,), {"__ge__": fail, "__bool__": fail, "__len__": fail})

    class Odd(Player):
        def choose(self, view: Any) -> Any:
            return answers("7")

    with pytest.raises(AgentFailure, match=r"odd chose what is no move: ZeroDivisionError: boo \(.*test_match.py"):
        played([PlayerAgent("odd", Odd)] * 5, 1)


class Keeper(Player):
    """Remembers what it was shown and what it did: views, legal actions, events."""

    def begin(self, game: Game, seat: int, view: Any) -> None:
        self.kept: list[Any] = []

    def notice(self, event: Any) -> None:
        self.kept.append(event.move)

    def choose(self, view: Any) -> Any:
        legal = view.legal_actions
        self.kept += [view.seat, *legal]
        self.legal = legal
        return legal[0]


def pickled(thing: Any) -> Any:
    return pickle.loads(pickle.dumps(thing))  # noqa: S301 - our own


@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy, pickled])
def test_a_player_may_remember_actions_and_is_copied_with_them(copied: Callable[[Any], Any]) -> None:
    agent = PlayerAgent("keeper", Keeper)
    states = GAME.new(seeds_of(7, 1))
    mover = GAME.to_move(states)
    memory = agent.start(GAME, GAME.views(states, mover), seeds_of(8, 1))
    chosen = agent.act(GAME.views(states, mover), memory, np.zeros(1, np.int64))
    (player,) = agent.copy_memory(memory)["players"]
    assert player.kept == memory["players"][0].kept and player.kept is not memory["players"][0].kept
    assert player.legal[0] == chosen[0] and list(player.legal) == list(memory["players"][0].legal)
    for action in player.legal:
        again = copied(action)
        assert type(again) is type(action) and again == action and str(again) == str(action)


def test_an_action_prints_as_its_notation_in_any_width() -> None:
    action = GAME.parse_action("map:top")
    assert f"{action}" == f"{action!s}" == "map:top" and f"{action!r}" == "<map:top>"
    assert f"{action:>9}" == "  map:top" and f"{action:.^11s}" == "..map:top.." and f"{action:{9}}" == "map:top  "
    assert f"{action:d}" == str(int(action)) and f"{action:#x}" == hex(action) and f"{action:,}" == f"{int(action):,}"
    with pytest.raises(ValueError, match="format"):
        f"{action:what}"


def test_an_action_is_named_once_however_often_it_is_listed(monkeypatch: pytest.MonkeyPatch) -> None:
    game = saboteur(4)
    named = []

    def format_action(action: int) -> str:
        named.append(action)
        return f"number {action}"

    monkeypatch.setattr(game, "format_action", format_action)
    assert [str(game.named(action)) for action in (3, 4, 3, 4)] == ["number 3", "number 4"] * 2 and named == [3, 4]
    monkeypatch.setattr(core_game, "MOST_NAMED", 2)
    assert [game.named(action) for action in (5, 6, 4)] == [5, 6, 4] and named == [3, 4, 5, 6, 4]
    # Another process names them for itself.
    before = pickle.dumps(sent := saboteur(4))
    sent.named(5)
    assert pickle.dumps(sent) == before and pickled(sent).named(5) == 5


def test_answer_in_bad_notation_says_what_would_be_right() -> None:
    class Typo(Player):
        def choose(self, view: Any) -> Any:
            return "map:topp"

    with pytest.raises(MolehuntError, match="a map looks at one of top, middle, bottom, not at 'topp'"):
        played([PlayerAgent("typo", Typo)] * 5, 1)


def test_illegal_answer_of_a_player_names_it() -> None:
    class Cheat(Player):
        def choose(self, view: Any) -> Any:
            return next(f"discard:{card}" for card in ("map", "D_N", "D_E", "rockfall") if card not in view.hand)

    with pytest.raises(IllegalAction, match=r"\(cheat\): 'discard:.*': the hand holds no such card"):
        played([PlayerAgent("cheat", Cheat)] * 5, 1)


def test_player_without_choose_is_told_what_to_write() -> None:
    class Empty(Player):
        pass

    with pytest.raises(AgentFailure, match=r"Empty has no method choose\(self, view\)"):
        played([PlayerAgent("empty", Empty)] * 5, 1)


def test_player_agent_gives_no_reasons_by_default() -> None:
    agent = PlayerAgent("first", First)
    view = GAME.views(GAME.new(seeds_of(0, 1)), np.zeros(1, np.int8))
    memory = agent.start(GAME, view, np.zeros(1, np.uint64))
    assert agent.why(GAME, view, memory, 0) == "first gives no reasons."


def test_a_class_that_is_no_player_is_told_what_to_write() -> None:
    class Forgetful:
        def choose(self, view: Any) -> Any:
            return view.legal_actions[0]

    make: Any = Forgetful
    with pytest.raises(AgentFailure, match=r"cannot be made: .* is no player: write class Mine\(molehunt.Player\)"):
        played([PlayerAgent("forgetful", make)] * 5, 1)


def test_a_player_that_has_no_answer_to_why_gives_no_reasons() -> None:
    class Silent(First):
        def why(self, view: Any) -> Any:
            return None

    position = molehunt.deal("saboteur/krisnadi", seats=5, seed=1)
    assert position.why(PlayerAgent("silent", Silent)) == "silent gives no reasons."


@pytest.mark.parametrize(
    "answer",
    [
        lambda actions: actions[:1],
        lambda actions: actions[0],
        lambda actions: actions[:, None],
        lambda actions: actions * 1.0,
        lambda actions: actions.astype(np.int64) + 2**32,
        lambda actions: [str(action) for action in actions],
        lambda actions: [actions, []],
        lambda actions: np.ma.masked_array(actions, mask=True),
        lambda actions: np.ma.masked_array(actions, mask=np.arange(len(actions)) == 0),
        lambda actions: None,
    ],
)
def test_an_agent_answers_with_an_action_for_each_view(answer: Callable[[Any], Any]) -> None:
    """One answer would else be played in every game, and a number that is too large be another one."""

    class Odd(Lottery):
        def act(self, views: Views, memory: Any, rows: Rows) -> Actions:
            result: Actions = answer(super().act(views, memory, rows))
            return result

    with pytest.raises(
        AgentFailure, match="odd must answer act with an array of whole numbers, one for each view, not "
    ):
        played([Odd("odd")] * 5, 3)


@pytest.mark.parametrize(
    "kind", [list, lambda actions: actions.astype(np.int64), lambda actions: actions.astype(np.uint32)]
)
def test_an_agent_may_answer_with_a_list_or_wider_numbers(kind: Callable[[Any], Any]) -> None:
    class Wide(Lottery):
        def act(self, views: Views, memory: Any, rows: Rows) -> Actions:
            result: Actions = kind(super().act(views, memory, rows))
            return result

    assert played([Wide()] * 5, 3).actions == played([Lottery()] * 5, 3).actions


class Remembering(Player):
    """Counts the moves of all games that it has played here, and tells each choice what it knew before."""

    def begin(self, game: Game, seat: int, view: Any) -> None:
        self.moves = 0
        self.before: dict[str, Any] = {"moves": 0, "games": []}

    def choose(self, view: Any) -> Any:
        return view.legal_actions[self.before["moves"] % len(view.legal_actions)]

    def notice(self, event: Any) -> None:
        self.moves += 1

    def impressions(self, view: Any) -> Any:
        return {"moves": self.before["moves"] + self.moves, "games": (*self.before["games"], int(view.seat))}

    def meet_again(self, impressions: Any) -> None:
        self.before = impressions
        impressions["games"].append("met")


def test_what_a_plain_player_takes_along_it_has_in_the_next_game() -> None:
    agents = [PlayerAgent("remembering", Remembering), *[Lottery()] * 4]
    first = play(GAME, agents, seeds_of(0, 2), None, True)
    assert first.actions is not None
    known = taken_along(GAME, first)
    moves = [len(actions) for actions in first.actions]
    assert known == [({"moves": n, "games": [0]}, None, None, None, None) for n in moves]
    second = play(GAME, agents, seeds_of(2, 2), None, True, known)
    assert second.actions is not None
    # It was handed a copy, so what is kept with the record is what was taken along.
    assert known[0] is not None and known[0][0]["games"] == [0]
    for row, actions in enumerate(second.actions):
        game = play(GAME, agents, seeds_of(2 + row, 1), None, True, [known[row]])
        assert game.actions == [actions]
    assert taken_along(GAME, second) == [
        ({"moves": n + len(actions), "games": [0, "met", 0]}, None, None, None, None)
        for n, actions in zip(moves, second.actions, strict=True)
    ]
    assert taken_along(GAME, play(GAME, [Lottery()] * 5, seeds_of(0, 2))) == [None, None]
    # Where the others may sit elsewhere, it is told nothing: it could not know of whom.
    memory = agents[0].start(GAME, GAME.views(GAME.new(seeds_of(0, 1)), np.zeros(1, np.int8)), np.zeros(1, np.uint64))
    agents[0].meet_again(memory, 0, {"moves": 9, "games": []}, seated=False)
    assert memory["players"][0].before["moves"] == 0


def test_what_says_nothing_yet_is_taken_along_too() -> None:
    class Empty(Random):
        def impressions(self, view: Any) -> Any:
            return {}

    agents = [PlayerAgent("empty", Empty), *[Lottery()] * 4]
    assert taken_along(GAME, play(GAME, agents, seeds_of(0, 1))) == [({}, None, None, None, None)]


@pytest.mark.parametrize(
    ("value", "said"),
    [
        (
            {"seen": [1.0, float("nan")]},
            r"odd can take along .*: JSON has no number that is none \(nan\) or without end",
        ),
        ({1j}, r"odd can take along what JSON holds \(lists, dicts, numbers, texts\), not \{1j\}"),
        (ZeroDivisionError("boo"), r"odd failed in impressions: ZeroDivisionError: boo"),
    ],
)
def test_what_cannot_be_taken_along_names_the_player(value: Any, said: str) -> None:
    class Odd(Random):
        def impressions(self, view: Any) -> Any:
            if isinstance(value, Exception):
                raise value
            return value

        def meet_again(self, impressions: Any) -> None:
            raise KeyError("lost")

    agents = [PlayerAgent("odd", Odd)] * 5
    with pytest.raises(AgentFailure, match=said):
        taken_along(GAME, play(GAME, agents, seeds_of(0, 1)))
    with pytest.raises(AgentFailure, match="odd failed in meet_again: KeyError: 'lost'"):
        play(GAME, agents, seeds_of(0, 1), known=[[None, 1, None, None, None]])


@pytest.mark.parametrize(
    ("known", "said"),
    [
        ([None], "for each of 2 games .None where nothing is., not for 1"),
        ([None] * 3, "for each of 2 games .None where nothing is., not for 3"),
        ([None, [None] * 4], "for each of 5 seats of saboteur/krisnadi, not for 4"),
    ],
)
def test_what_is_known_is_of_these_games_and_seats(known: Any, said: str) -> None:
    agents = [PlayerAgent("random", Random)] * 5
    with pytest.raises(BadInput, match=said):
        play(GAME, agents, seeds_of(0, 2), known=known)


@pytest.mark.parametrize("name", ["random", "decision-2019", "learned", "ismcts:iterations=2", "kripke-2012"])
def test_a_memory_of_other_chairs_than_the_games_is_refused(name: str) -> None:
    agent = molehunt.Agents("saboteur").make(name)
    states = GAME.new(seeds_of(0, 6))
    streams = molehunt.seat_streams(seeds_of(0, 6), 5)[:, 0]
    memory = agent.start(GAME, GAME.views(states, np.zeros(6, np.int8)), streams.copy())
    few = agent.take(memory, np.arange(3))
    with pytest.raises(BadInput, match="seat 0 is one of 3 chairs, and there must be one for each of 6 games"):
        play_on(GAME, states, [agent] * 5, [few, None, None, None, None])
    with pytest.raises(BadInput, match="seat 1 is one of 6 chairs, and there must be one for each of 2 games"):
        play_on(GAME, states[:2], [agent] * 5, [None, memory, None, None, None])
    played = play_on(GAME, states[:2], [agent] * 5, [agent.take(memory, np.arange(2)), None, None, None, None])
    assert (GAME.to_move(played.states) < 0).all()


@pytest.mark.parametrize(
    ("name", "make", "said"),
    [
        (None, Player, "with a name first, not None"),
        (Player, "mine", "with a name first, not <class"),
        ("mine", Player(), r"PlayerAgent\('mine', ...\) takes the class Player, not one of its objects"),
        ("mine", "mine.py", r"PlayerAgent\('mine', ...\) takes a class, not 'mine.py'"),
    ],
)
def test_a_player_is_seated_by_its_name_and_class(name: Any, make: Any, said: str) -> None:
    with pytest.raises(BadInput, match=said):
        PlayerAgent(name, make)
