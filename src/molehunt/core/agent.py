"""The interface of a player, in two sizes.

`Agent` is what the match loop speaks to: it sits at many tables at once and takes arrays. `Player` is what a beginner
writes: an object for one seat of one game with a `choose(view)`. `PlayerAgent` makes the first from the second.

A player is given views and events and nothing else. No state, no game in play, no other player's memory reaches it.
"""

from __future__ import annotations

import abc
import contextlib
import functools
import inspect
import math
from collections.abc import Callable, Coroutine, Iterator
from dataclasses import dataclass
from typing import Any

import msgspec
import numpy as np
import numpy.typing as npt

from molehunt.core.errors import AgentFailure, BadInput, BadNotation, ForeignCode, printable, value_text
from molehunt.core.first_faults import called_as, no_choose, why_no_index
from molehunt.core.game import Actions, Events, Game, Views
from molehunt.core.language import _
from molehunt.core.memory import alike, chairs_of, copy_of, put_into, taken_from
from molehunt.core.numbers import is_whole
from molehunt.core.panels import Panel
from molehunt.core.seats import NOBODY
from molehunt.core.words import counted

Rows = npt.NDArray[np.int64]
MOST_PLACES = 1 << 10
"""Numbers below it are looked at, whether they are places in the list of legal actions and no actions."""


@dataclass(frozen=True)
class Past:
    """What some chairs saw of their games before a player sat down on them.

    `first`, shape (n,): the first view of each. `events`, shape (n, k): what each was told since, in order. `views`, shape
    (n, k): what each saw before each of these events, where it is to be thought about again.
    """

    first: Views
    events: Events
    views: Views | None = None

    def __post_init__(self) -> None:
        n = len(self.first)
        if self.events.ndim != 2 or len(self.events) != n:
            raise BadInput(f"the past of {n} chairs has events of shape ({n}, k), not {self.events.shape}")
        if self.views is not None and self.views.shape != self.events.shape:
            raise BadInput(f"a past has a view for each event: shape {self.events.shape}, not {self.views.shape}")

    def __repr__(self) -> str:
        return f"<Past of {counted(len(self.first), 'chair')}, {counted(self.events.shape[1], 'event')}>"


@dataclass(frozen=True)
class Reach:
    """Where compiled loops find a compiled player: the addresses of its functions and what it lays down of a memory.

    `games.playing` says what the functions are. `observe` is 0 where nothing is observed; `memory` is int64. All holds for as
    long as the memory lives and its arrays stay where they are.
    """

    act: int
    observe: int
    memory: npt.NDArray[np.int64]


ASKED_OF_A_CHAIR = frozenset({"impressions", "meet_again", "why", "beliefs", "model"})
"""Methods of an agent that are about one chair, the `row` of a `memory`."""


def _of_a_chair(method: Callable[..., Any]) -> Callable[..., Any]:
    """One of these that is called only for a chair that there is: BadInput for another."""
    names = list(inspect.signature(method).parameters)
    if "memory" not in names or "row" not in names:
        return method
    at_memory, at_row = names.index("memory"), names.index("row")

    @functools.wraps(method)
    def checked(*given: Any, **named: Any) -> Any:
        if (at_memory < len(given) or "memory" in named) and (at_row < len(given) or "row" in named):
            memory = given[at_memory] if at_memory < len(given) else named["memory"]
            check_chair(memory, given[at_row] if at_row < len(given) else named["row"])
        return method(*given, **named)

    return checked


class Agent(abc.ABC):
    """A player that sits in any number of chairs at once; a chair is one seat of one game.

    The memory of all its chairs is one value that `start` makes (an array with a record a chair, in a compiled player),
    and `rows` says which chairs a call is about. An agent holds no state of a game outside that memory: the same call
    with the same memory gives the same answer, whatever else the agent is doing in other threads.

    A memory is made of arrays and lists with one entry a chair, in tuples, dicts or dataclasses; `core.memory` says how a
    dataclass marks what no chair owns. So memories can be copied, and those of some chairs taken.
    """

    name: str
    """The agent as it is typed, parameters included: `decision-2019:as_printed`."""

    observes: bool = True
    """Whether the agent wants to be told what happens; an agent that does not is spared the events."""

    in_batches: bool = True
    """Whether a batch costs hardly more than one view.

    An agent that thinks about each view alone is given few games at once, so that all threads have work.
    """

    needs_machine_code: bool = False
    """Whether the agent computes so much that it rather waits for machine code than have its kernels interpreted meanwhile."""

    interpreted_slowly: bool = False
    """Whether a move takes many seconds as long as its kernels are interpreted; who must answer in time lets another play then."""

    compiled_apart: tuple[Callable[[], object], ...] = ()
    """Functions of modules that each have a part of what the agent thinks with compiled, and need nothing of each other: who
    waits for the whole may have them done side by side first."""

    may_fail: bool = False
    """Whether it is code of a file or of another package: what goes wrong in it is a fault of the player, not of this project."""

    knows_by_seat: bool = False
    """Whether its impressions of the others are tied to their seats: it is asked for none where seats change between games."""

    holds_model: bool = False
    """Whether `model` gives what a chair believes as a Kripke model, whose worlds `world` names."""

    @property
    def interpreted_first(self) -> bool:
        """Whether what it does first from Python is interpreted (`core.at_first`).

        Not where it takes long that way, nor where it is code of others: that may keep addresses that mean nothing to machine code.
        """
        ours = type(self).__module__.partition(".")[0] == __name__.partition(".")[0]
        return ours and not (self.needs_machine_code or self.interpreted_slowly or self.may_fail)

    def __init_subclass__(cls, **named: Any) -> None:
        super().__init_subclass__(**named)
        for name in ASKED_OF_A_CHAIR & vars(cls).keys():
            setattr(cls, name, _of_a_chair(vars(cls)[name]))

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {getattr(self, 'name', 'without a name')}>"

    @abc.abstractmethod
    def start(self, game: Game, views: Views, streams: npt.NDArray[np.uint64]) -> Any:
        """Sit down: the memory for `len(views)` chairs, each with what it sees and the start of its random stream.

        The views need not be the first of their games: in the middle of one, a chair knows all that its view tells, and
        takes the rest (who did what to whom) for unknown. `catch_up` tells it that, too.
        """

    def sit_together(self, memory: Any, games: Rows) -> None:  # noqa: B027 - most players make nothing of it
        """Chairs with the same number in `games`, shape (chairs,), sit in the same game, one after the other in the memory.

        Until they `sit_apart` they are told every event of it in one call, in this order, so what all of them see need be kept only
        once. The match loop says so for as long as it plays; nobody need make anything of it.
        """

    def sit_apart(self, memory: Any) -> None:  # noqa: B027 - most players make nothing of it
        """From now on every chair may be copied, taken and told something alone: each keeps all that it knows itself."""

    @abc.abstractmethod
    def act(self, views: Views, memory: Any, rows: Rows) -> Actions:
        """One legal action for each view; view i is seen from chair `rows[i]`."""

    @abc.abstractmethod
    def observe(self, events: Events, memory: Any, rows: Rows) -> None:
        """What happened, as the seat of chair `rows[i]` may know it, for each i; also after the chair's own moves."""

    def reach(self, memory: Any) -> Reach | None:
        """How compiled loops let this player think without passing through Python; None where they cannot.

        What they do is what `act` and `observe` do.
        """
        return None

    def catch_up(self, game: Game, past: Past, streams: npt.NDArray[np.uint64]) -> Any:
        """Sit down at games that have begun, told what happened in them: the memory for the chairs of a past.

        It is that of a player who sat there from the first deal and was told all of this. With `past.views` it also thinks
        about the moves of its own chairs again, without deciding anything: then the memory is, to the last bit of the random
        streams, that of one who has played the games.
        """
        memory = self.start(game, past.first, streams)
        chairs = np.arange(len(past.first))
        for number in range(past.events.shape[1]):
            if past.views is not None:
                views = past.views[:, number]
                moved = np.flatnonzero([len(game.legal_actions(views[row : row + 1])) > 0 for row in chairs])
                if len(moved):
                    self.act(views[moved], memory, moved)
            if self.observes and len(chairs):
                self.observe(past.events[:, number].copy(), memory, chairs.copy())
        return memory

    def copy_memory(self, memory: Any) -> Any:
        """A memory equal to this one, to go on with; the old one stays as it is. They may be used in two threads."""
        return copy_of(memory)

    def take(self, memory: Any, rows: Rows) -> Any:
        """The memory of some chairs as one of its own: chair i of it is chair `rows[i]`; a chair may be taken repeatedly.

        BadInput where there is no such chair.
        """
        return taken_from(memory, check_rows(memory, rows))

    def put(self, memory: Any, rows: Rows, fresh: Any) -> None:
        """Let chair `rows[i]` of a memory remember what chair i of another memory of this agent does, for each i.

        BadInput where there is no such chair, or the other memory is none of as many chairs and the same make.
        """
        rows = check_rows(memory, rows)
        if not alike(memory, fresh):
            raise BadInput(f"what is put into a memory of {self.name} is one that it made of the same game")
        chairs = chairs_of(fresh)
        if chairs not in {None, len(rows)}:
            raise BadInput(f"there must be a chair for each of {len(rows)} rows, and the memory put there has {chairs}")
        put_into(memory, rows, fresh)

    def impressions(self, game: Game, view: Any, memory: Any, row: int) -> Any:
        """What a chair takes along about the others when a game is over, for `meet_again`; None where it learns nothing.

        `view`, an array of one record, shows the end. What is taken along is a value of its own, which no memory shares, made of
        what JSON holds (lists, dicts with texts for keys, numbers, texts); so it can be kept with the game that it is taken into.
        The arena asks where games are played in series; else each of its games is among strangers.
        """
        return None

    def meet_again(self, memory: Any, row: int, impressions: Any, seated: bool = True) -> None:  # noqa: B027 - most forget
        """Before a chair's first move: the others are those of an earlier game, of which it took these impressions along.

        `seated`: they are known to sit as they sat then, in order after this chair; else only that they are the same. Impressions
        may come from a file: BadInput where they cannot be any of this player's.
        """

    def why(self, game: Game, view: Any, memory: Any, row: int) -> str:
        """The reasons for the choice at one view, in words, for people; the memory stays as it was.

        `view`, here as in `beliefs` and `impressions`, is what the seat of chair `row` sees, an array of one record.
        """
        return f"{self.name} gives no reasons."

    def beliefs(self, game: Game, view: Any, memory: Any, row: int) -> tuple[Panel, ...]:
        """What a chair believes at a view, for people to look at; the memory stays as it was. Empty where it believes nothing."""
        return ()

    def model(self, game: Game, memory: Any, row: int) -> Any:
        """What a chair believes, as a `beliefs.kripke.KripkeModel`; only where `holds_model`."""
        raise AgentFailure(f"{self.name} holds no Kripke model")

    def world(self, game: Game, roles: npt.NDArray[np.int8]) -> str:
        """What its models call the world in which the seats have these roles, shape (seats,); only where `holds_model`."""
        raise AgentFailure(f"{self.name} holds no Kripke model")


def check_seating(game: Game, views: Views, streams: npt.NDArray[np.uint64]) -> None:
    """BadInput where who sits down (`Agent.start`) is not given views of this game, and the start of a random stream for each."""
    _check_records("views", views, game.view_dtype)
    seats = views["seats"] if "seats" in (views.dtype.names or ()) else np.zeros(0)
    seen = seats != 0  # nothing is seen yet
    if (seen & (seats != game.seats)).any():
        raise BadInput(f"{game.label} is played by {game.seats} here, and a view is of a game of {seats.max()}")
    game.check_seen(views if seen.all() or len(seats) != len(views) else views[seen])
    given: object = streams
    if not isinstance(given, np.ndarray) or given.dtype != np.uint64 or given.shape != (len(views),):
        raise BadInput(
            f"each of {counted(len(views), 'chair')} has the start of a random stream, as molehunt.seat_streams makes them "
            f"(numbers of the type uint64), not {value_text(streams)}"
        )


def check_chairs(memory: Any, records: Any, rows: Rows, kind: np.dtype[Any] | None = None, seats: int = 0) -> Rows:
    """The chairs that views or events are for, as numbers of 64 bits one after the other in memory.

    BadInput where there is not one of the memory's for each, or the records are not of the `kind` asked for or not of games of so
    many `seats` (0: nobody asks): machine code would read beyond its arrays.
    """
    if kind is not None:
        _check_records("views or events", records, kind)
        if seats and len(records) and "seats" in (kind.names or ()):
            seen = records["seats"]
            # One record, as it is mostly, is looked at in a tenth of the time that an array takes.
            other = seen.item(0) if len(seen) == 1 else next(iter(seen[seen != seats].tolist()), seats)
            if other != seats:
                raise BadInput(f"these chairs sit in games of {seats} seats, and a view is of a game of {other}")
    rows = check_rows(memory, rows)
    if len(rows) != len(records):
        raise BadInput(f"there must be a chair for each of {len(records)} views or events, not {len(rows)}")
    return rows


def check_rows(memory: Any, rows: Any) -> Rows:
    """Chairs of a memory as numbers of 64 bits one after the other; BadInput where they are no numbers, or it has no such chair."""
    if not isinstance(rows, np.ndarray) or rows.dtype.kind not in "iu" or rows.ndim != 1:
        raise BadInput(f"chairs are an array of whole numbers, not {value_text(rows)}")
    chairs = chairs_of(memory)
    if chairs is not None and len(rows):
        low, high = (rows[0], rows[0]) if len(rows) == 1 else (rows.min(), rows.max())
        if low < 0 or high >= chairs:
            raise BadInput(
                f"this memory has {counted(chairs, 'chair')}, counted from 0, and no chair {low if low < 0 else high}"
            )
    return np.ascontiguousarray(rows, np.int64)


def check_chair(memory: Any, row: Any) -> None:
    """BadInput where this is no chair of a memory."""
    chairs = chairs_of(memory)
    if not is_whole(row):
        raise BadInput(f"a chair is a whole number, not {value_text(row)}")
    if row < 0 or (chairs is not None and row >= chairs):
        there = "any memory" if chairs is None else f"this memory, which has {counted(chairs, 'chair')}"
        raise BadInput(f"chairs of {there} are counted from 0, and there is no chair {row}")


def seats_of_views(views: Views) -> npt.NDArray[np.int16]:
    """Whose each view is, for a memory to keep as its `seats`; NOBODY where views of the game do not say."""
    if "seat" not in (views.dtype.names or ()):
        return np.full(len(views), NOBODY, np.int16)
    return views["seat"].astype(np.int16)


def check_views(memory: Any, views: Any, rows: Rows, kind: np.dtype[Any] | None = None, seats: int = 0) -> Rows:
    """The chairs that views are for, as `check_chairs` gives them.

    BadInput as there, and where a view is another seat's than the one on which its chair sits (`memory.seats`, where there is such
    a part): a chair would think its own thoughts about another's cards.
    """
    rows = check_chairs(memory, views, rows, kind, seats)
    own = memory.get("seats") if isinstance(memory, dict) else getattr(memory, "seats", None)
    if own is None or not len(rows) or "seat" not in (views.dtype.names or ()):
        return rows
    seen = views["seat"]
    if seen.item(0) != own.item(rows.item(0)) if len(seen) == 1 else (seen != own[rows]).any():
        place = int((seen != own[rows]).argmax())
        raise BadInput(
            f"chair {rows[place]} sits on seat {own[rows[place]]}, and its view is that of seat {seen[place]}"
        )
    return rows


def seen_from(memory: Any, view: Any, row: int) -> Views:
    """The view that a chair is asked about, a record or an array of one, as an array of one; BadInput as `check_views` says."""
    views = np.atleast_1d(view)
    check_views(memory, views, np.array([row]))
    return views


def _check_records(what: str, records: Any, kind: np.dtype[Any]) -> None:
    """BadInput where these are not an array of records of a kind."""
    if (
        not isinstance(records, np.ndarray)
        or records.ndim != 1
        or (records.dtype is not kind and records.dtype != kind)
    ):
        raise BadInput(f"here an array of {what} of this game is asked for, not {value_text(records)}")


def one_chair() -> Rows:
    """The rows of a memory that is of one chair: [0], an array of its own, since a player may write into what it is given."""
    return np.zeros(1, np.int64)


def _own(records: npt.NDArray[Any], index: int) -> npt.NDArray[Any]:
    """One record as an array of its own: a player may write into what it is given, and behind a part of an array lies the rest."""
    # As bytes: NumPy copies a record field by field, which takes several times as long.
    return np.frombuffer(bytearray(records[index : index + 1].tobytes()), records.dtype)


def actions_of(agent: Agent, answer: Any, views: int) -> Actions:
    """What an agent has answered `act` with for so many views; AgentFailure where it is no action for each, a number of 32 bits."""
    if type(answer) is np.ndarray and answer.dtype == np.int32 and answer.shape == (views,):
        return answer
    with contextlib.suppress(ValueError):  # rows of several lengths
        found = np.asarray(answer)
        # What lies beneath a mask is no answer.
        if found.shape == (views,) and found.dtype.kind in "iu" and not np.ma.is_masked(answer):
            actions = found.astype(np.int32)
            if (actions == found).all():
                return actions
    raise AgentFailure(
        f"{agent.name} must answer act with an array of whole numbers, one for each view, not {value_text(answer)}"
    )


def check_agent(game: str, agent: Any) -> None:
    """BadInput where something is no agent, which could play a game of this name."""
    if isinstance(agent, Agent):
        return
    player = agent if isinstance(agent, type) else type(agent)
    if issubclass(player, Player):
        name = player.__name__
        raise BadInput(f"{name} is a Player: seat PlayerAgent({name.lower()!r}, {name})")
    raise BadInput(f"on a seat sits an Agent, as Agents({game!r}).make('random') makes one, not {value_text(agent)}")


def _why_no_move(chosen: Any) -> str:
    """What has probably been written where something that is no move was chosen; "" where nobody knows."""
    if isinstance(chosen, Coroutine):
        chosen.close()  # else Python warns that nobody has waited for it
        return ": choose is written with async, and has to be a plain def"
    if isinstance(chosen, Iterator):
        return ": a choose with yield in it chooses nothing; return the move"
    return ": choose has returned nothing" if chosen is None else ""


def taken_as_json(name: str, value: Any) -> Any:
    """What a player of a name takes along as JSON gives it back, a value of its own; AgentFailure where JSON cannot hold it."""
    problem = "JSON has no number that is none (nan) or without end (inf)"
    try:
        if _numbers_are_finite(value):
            return msgspec.json.decode(msgspec.json.encode(value))
    except (TypeError, ValueError, RecursionError) as error:
        problem = str(error)
    raise AgentFailure(
        f"{name} can take along what JSON holds (lists, dicts, numbers, texts), not {value_text(value)}: {problem}"
    )


def _numbers_are_finite(value: Any) -> bool:
    """Whether no number in lists and dicts is nan or inf, which would be written down as nothing at all."""
    if isinstance(value, float):
        return math.isfinite(value)
    parts = value.values() if isinstance(value, dict) else value if isinstance(value, list | tuple) else ()
    return all(map(_numbers_are_finite, parts))


class Player:
    """One seat of one game, in plain Python. Subclass it, write `choose`, and the arena plays it.

    `view` is the game's friendly view (`view.hand`, `view.legal_actions`, ...): write `view: View` with the class of the game
    (`from molehunt.saboteur import View`), and an editor completes it. `random` is this seat's own generator, the same for the
    same seed. `begin` comes once, before all else; `notice` is told every event, also those after one's own
    moves. A player may be copied in the middle of a game (`copy.deepcopy`), so what it remembers must be its own.
    """

    random: np.random.Generator

    def begin(self, game: Game, seat: int, view: Any) -> None:
        """The game begins, or this player comes to one that has begun. Nothing needs to be done about it.

        `game` are its rules (`game.ruleset`, `game.resample`, ...), `view` is what `seat` sees now; `random` is there already.
        """

    def choose(self, view: Any) -> int | str:
        """The action to play: one of `view.legal_actions`, or its notation as text."""
        raise AgentFailure(no_choose(type(self)))

    def notice(self, event: Any) -> None:
        """Something happened. Nothing needs to be done about it."""

    def why(self, view: Any) -> str:
        """The reasons for what it would choose at a view, for people at a table; nothing may be remembered of the question."""
        return ""

    def impressions(self, view: Any) -> Any:
        """What to take along about the others when a game is over, which `view` shows: what JSON holds; None for nothing.

        Asked where the same play again: in a series of the arena, at a table. The next game's player is another object.
        """
        return None

    def meet_again(self, impressions: Any) -> None:
        """After `begin`: the others sit as they sat in an earlier game, of which its player took these impressions along.

        Where the order of seats changes from game to game, as in a contest over TCP, nothing is asked for and nothing told.
        """


class PlayerAgent(Agent):
    """Seats plain Python players: one object a chair, called in a loop.

    `make`, the class or another function, builds a player; errors that a player raises come out as AgentFailure, with the player's
    name and the place. BadInput where these are no name and nothing that makes players.

    >>> class Mine(molehunt.Player):
    ...     def choose(self, view):
    ...         return view.legal_actions[0]
    >>> game = molehunt.make_game("duel", "mcgill", 2)
    >>> molehunt.play(
    ...     game, [molehunt.PlayerAgent("mine", Mine), molehunt.Agents("duel").make("random")], seeds=range(2)
    ... )
    <Played 2 games, 110 moves>
    """

    in_batches = False
    may_fail = True
    knows_by_seat = True

    def __init__(self, name: str, make: Callable[[], Player]) -> None:
        named: object = name
        if not isinstance(named, str):
            raise BadInput(
                f"a player is seated as PlayerAgent('mine', Mine), with a name first, not {value_text(named)}"
            )
        if not callable(make):
            of = type(make).__name__
            said = (
                f"the class {of}, not one of its objects"
                if isinstance(make, Player)
                else f"a class, not {value_text(make)}"
            )
            raise BadInput(f"each seat of each game has a player of its own: PlayerAgent({name!r}, ...) takes {said}")
        self.name = name
        self._make = make

    def start(self, game: Game, views: Views, streams: npt.NDArray[np.uint64]) -> Any:
        check_seating(game, views, streams)
        seats = seats_of_views(views)
        players = []
        for index, stream in enumerate(streams):
            with ForeignCode(f"{self.name} cannot be made"):
                player = self._make()
                if not isinstance(player, Player):
                    raise TypeError(f"{value_text(player)} is no player: write class Mine(molehunt.Player)")
                player.random = np.random.default_rng(int(stream))
            players.append(player)
            if type(player).begin is not Player.begin:
                view = game.friendly_view(_own(views, index))
                with ForeignCode(f"{self.name} failed in begin", hint=called_as("begin")):
                    player.begin(game, int(view.seat), view)
        return {"game": game, "players": players, "seats": seats}

    def copy_memory(self, memory: Any) -> Any:
        with ForeignCode(f"{self.name} cannot be copied"):
            return super().copy_memory(memory)

    def take(self, memory: Any, rows: Rows) -> Any:
        rows = check_rows(memory, rows)
        with ForeignCode(f"{self.name} cannot be copied"):
            return super().take(memory, rows)

    def act(self, views: Views, memory: Any, rows: Rows) -> Actions:
        game: Game = memory["game"]
        rows = check_views(memory, views, rows, game.view_dtype)
        actions = np.empty(len(rows), np.int32)
        choosing = ForeignCode(f"{self.name} failed in choose", hint=called_as("choose"))
        taking = ForeignCode(f"{self.name} chose what is no move", (AgentFailure,))  # classes of its own may fail, too
        for index, row in enumerate(rows):
            view = game.friendly_view(_own(views, index))
            player = memory["players"][row]
            if type(player).choose is Player.choose:
                raise AgentFailure(f"{self.name} failed: {no_choose(type(player))}")
            with choosing:
                chosen = player.choose(view)
            with taking:
                actions[index] = self._move_of(game, chosen, view)
        return actions

    def _move_of(self, game: Game, chosen: Any, view: Any) -> int:
        """What a player has chosen as a move; AgentFailure where it is none."""
        if isinstance(chosen, str) and chosen:
            try:
                return game.parse_action(chosen)
            except BadNotation as error:
                raise AgentFailure(f"{self.name} chose what is no move: {error}") from None
        why = ""
        if is_whole(chosen) and -(2**31) <= chosen < 2**31:
            why = why_no_index(chosen, view) if chosen < MOST_PLACES else ""
            if not why:
                return chosen
        raise AgentFailure(
            f"{self.name} must choose one of view.legal_actions or its notation, not {value_text(chosen)}"
            + (why or _why_no_move(chosen))
        )

    def observe(self, events: Events, memory: Any, rows: Rows) -> None:
        game: Game = memory["game"]
        noticing = ForeignCode(f"{self.name} failed in notice", hint=called_as("notice"))
        for index, row in enumerate(rows):
            player = memory["players"][row]
            if type(player).notice is Player.notice:
                continue
            event = game.friendly_event(_own(events, index)[0])
            with noticing:
                player.notice(event)

    def impressions(self, game: Game, view: Any, memory: Any, row: int) -> Any:
        player = memory["players"][row]
        if type(player).impressions is Player.impressions:
            return None
        seen = game.friendly_view(seen_from(memory, view, row))
        with ForeignCode(f"{self.name} failed in impressions"):
            found = player.impressions(seen)
        return taken_as_json(self.name, found)

    def meet_again(self, memory: Any, row: int, impressions: Any, seated: bool = True) -> None:
        if not seated:
            return
        player = memory["players"][row]
        own = taken_as_json(self.name, impressions)
        with ForeignCode(f"{self.name} failed in meet_again"):
            player.meet_again(own)

    def why(self, game: Game, view: Any, memory: Any, row: int) -> str:
        player = memory["players"][row]
        reasons = ""
        if type(player).why is not Player.why:
            seen = game.friendly_view(seen_from(memory, view, row))
            with ForeignCode(f"{self.name} failed in why"):
                told: object = player.why(seen)
                reasons = "" if told is None else printable(str(told))
        return reasons or _("{name} gives no reasons.", name=self.name)
