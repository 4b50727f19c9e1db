"""The interface of a game. It is a specification: what each method must do is said here and tested over all games.

A `Game` is a ruleset with a number of seats; it holds nothing of a play. A play is a *state*, one record of `state_dtype`;
many plays are an array of them, and every method that a match loop needs takes such arrays. Seats are numbered from 0.
An *action* is an int that the game can write as text and read back.
"""

from __future__ import annotations

import abc
import functools
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from hashlib import blake2b
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from molehunt.core.errors import BadInput, BadNotation, GameFailure, value_text
from molehunt.core.numbers import is_whole
from molehunt.core.seats import NOBODY
from molehunt.core.words import counted

States: TypeAlias = npt.NDArray[np.void]
Views: TypeAlias = npt.NDArray[np.void]
Events: TypeAlias = npt.NDArray[np.void]
Actions: TypeAlias = npt.NDArray[np.int32]
Seats: TypeAlias = npt.NDArray[np.int8]
Seeds: TypeAlias = npt.NDArray[np.uint64]

MOST_DEALS = 100_000
"""How many deals of a game are listed at most."""
MOST_NAMED = 1 << 16
"""How many actions of a game are kept with their notation."""
NEEDED = ("name", "ruleset", "spec", "seats", "state_dtype", "view_dtype", "event_dtype")
"""What every game has to have once it is made; `params` are for those with kernels."""
RULES = frozenset({*NEEDED, "params", "roles", "most_moves", "together"})
"""What of a game never changes once it is made."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a game ended: the reason in words, the winning seats, and what each seat was paid (1 for a win where nothing is).

    The winners are the seats that were paid most, if anybody was paid.
    """

    reason: str
    winners: tuple[int, ...]
    payoffs: tuple[float, ...]


class Action(int):
    """An action that prints as its notation, in any width. It is an int, and equal to it."""

    text: str

    def __new__(cls, code: int, text: str) -> Action:
        action = super().__new__(cls, code)
        action.text = text
        return action

    def __getnewargs__(self) -> tuple[int, str]:  # type: ignore[override] # what a copy or a pickle is made anew from
        return int(self), self.text

    def __str__(self) -> str:
        return self.text

    def __format__(self, spec: str) -> str:
        try:
            return format(self.text, spec)
        except ValueError:  # a format of numbers alone, as of `f"{action:d}"`
            return int.__format__(self, spec)

    def __repr__(self) -> str:
        return f"<{self.text}>"


class LegalActions(Sequence[Action]):
    """The legal actions of a view: they can be counted, iterated, indexed, and asked `in` and where (by action, int or text).

    There are no duplicates, and the order is fixed: it depends on the view alone.
    """

    def __init__(self, game: Game, codes: npt.NDArray[np.int32]) -> None:
        self._game = game
        self._codes = codes
        self._set: frozenset[int] | None = None
        self._texts: frozenset[str] | None = None

    @property
    def codes(self) -> list[int]:
        """The actions as ints, without their notation."""
        found: list[int] = self._codes.tolist()
        return found

    def __len__(self) -> int:
        return len(self._codes)

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            return list(map(self._game.named, self._codes[index].tolist()))
        return self._game.named(int(self._codes[index]))

    def __iter__(self) -> Iterator[Action]:
        return map(self._game.named, self.codes)

    def __contains__(self, action: object) -> bool:
        if isinstance(action, str):
            if self._texts is None:
                self._texts = frozenset(action.text for action in self)
            return action in self._texts
        if self._set is None:
            self._set = frozenset(self.codes)
        return isinstance(action, int | np.integer) and int(action) in self._set

    def index(self, action: object, *bounds: int) -> int:
        """The place of an action, an int or a text; ValueError where it is none of them."""
        known: list[Any] = [each.text for each in self] if isinstance(action, str) else self.codes
        return known.index(action, *bounds)

    def count(self, action: object) -> int:
        """1 for an action that is one of them, else 0."""
        return int(action in self)

    def __repr__(self) -> str:
        return (
            f"<{len(self)} legal actions: {', '.join(str(action) for action in self[:6])}{', ...' * (len(self) > 6)}>"
        )


def _seating(new: Callable[..., States]) -> Callable[..., States]:
    """`Game.new` of a class, held to the roles that it is given."""

    @functools.wraps(new)
    def held(game: Game, seeds: Seeds, roles: npt.NDArray[np.int8] | None = None) -> States:
        if roles is None:
            return new(game, seeds)
        if not game.roles:
            raise BadInput(f"{game.name} has no roles to seat")
        states = new(game, seeds, roles)
        if not np.array_equal(game.roles_of(states), roles):
            raise GameFailure(f"{game.made_by}: new of {game.label} seats other roles than those it is given")
        return states

    return held


class Game(abc.ABC):
    """The rules of one game for one ruleset and number of seats.

    Attributes: `name` ("saboteur"), `ruleset` (a frozen dataclass), `spec` (the ruleset as it is typed, "krisnadi:saboteurs=2"),
    `params` (the ruleset as one array of numbers, which the kernels read), `seats`, `roles` (the names of the roles by their
    number; empty where there are none), the dtypes of a state, a view and an event, `most_moves`, a bound on the moves of one play,
    0 where none is known, and `together`, whether all seats win or lose together: `games.registry.make_game` takes both from
    the game's entry.
    """

    name: str
    ruleset: Any
    spec: str
    params: npt.NDArray[np.int64]
    seats: int
    roles: tuple[str, ...] = ()
    state_dtype: np.dtype[Any]
    view_dtype: np.dtype[Any]
    event_dtype: np.dtype[Any]
    most_moves: int = 0
    together: bool = False
    interpreted_first: bool = False
    """Whether the first moves of a position are interpreted (`core.at_first`), where that is shown to be the same."""
    _is_made: bool = False

    def __init_subclass__(cls, **named: Any) -> None:
        super().__init_subclass__(**named)
        if "new" in vars(cls):
            type.__setattr__(cls, "new", _seating(vars(cls)["new"]))

    def __setattr__(self, name: str, value: Any) -> None:
        if self._is_made and name in RULES:
            raise BadInput(
                f"the {name} of {self.label} cannot be set: all who play it share these rules. For others make a game "
                "of its own with molehunt.make_game"
            )
        super().__setattr__(name, value)

    def keep_rules(self) -> None:
        """From now on nobody can set what the rules are. A player is handed the game that all others play, too."""
        self._is_made = True

    def __repr__(self) -> str:
        return f"<Game {self.label}, {self.seats} seats>"

    def __deepcopy__(self, memo: dict[int, Any]) -> Game:
        """The game itself, which never changes: whatever is copied, its rules are not."""
        return self

    @property
    def label(self) -> str:
        """The game as it is typed on the command line: `saboteur/krisnadi`."""
        return f"{self.name}/{self.spec}"

    @property
    def made_by(self) -> str:
        """Whose game it is: the class with its package, `kuhn.game:Kuhn`."""
        return f"{type(self).__module__}:{type(self).__qualname__}"

    def too_long(self) -> GameFailure:
        """The error for a play that goes on after `most_moves` moves."""
        return GameFailure(
            f"{self.made_by}: a play of {self.label} goes on after {counted(self.most_moves, 'move')}, and none is longer by "
            "what the game's entry says: see longest of molehunt.games.entry.GameEntry"
        )

    def no_action(self, seat: int) -> GameFailure:
        """The error for a seat that is to move and has no legal action."""
        return GameFailure(
            f"{self.made_by}: seat {seat} is to move by to_move of {self.label}, and its view has no legal_actions: "
            "see molehunt.Game"
        )

    @abc.abstractmethod
    def new(self, seeds: Seeds, roles: npt.NDArray[np.int8] | None = None) -> States:
        """Deal games, one for each seed: shape (n,). A game is a function of its seed.

        `roles`, shape (n, seats), seats the roles instead of dealing them; all else of the deal stays as it was.
        BadInput where the roles are not a legal set, or, as is seen to for any game, where it has none; GameFailure where it
        seats others.
        """

    def deals(self, roles: npt.NDArray[np.int8] | None = None) -> tuple[States, npt.NDArray[np.float64]]:
        """All deals that differ, shape (n,), and the probability of each, shape (n,): what chance does in the whole game.

        `roles`, shape (seats,), seats the roles. What chance does later (cards drawn) is part of the deal; the states are
        those that `new` makes, but for their random streams, which are 0 and are not used. Hands that differ only in the
        order of their cards are one deal. BadInput where the deals cannot be listed: more than MOST_DEALS, or cards that
        are shuffled again.
        """
        raise BadInput(f"the deals of {self.label} cannot be listed")

    def as_listed(self, views: Views) -> Views:
        """First views as they are in the listed deals, shape (n,): hands in the order of `deals`."""
        return views

    @abc.abstractmethod
    def role_counts(self) -> tuple[int, ...]:
        """How many seats have each role, in the order of `roles`; empty in a game without roles."""

    def deal_number(self, view: Any) -> int:
        """How many deals of roles came before the one that a view (an array of one record) belongs to."""
        return 0

    def as_dealt(self, view: Views, events: Events) -> tuple[Views, Events] | None:
        """What the seat of a view (an array of one record) saw at the beginning of its deal of roles, and what it was told since.

        `events`, shape (n,), are the last that it was told. None where they say too little, or the seat has moved since.
        """
        return None

    @abc.abstractmethod
    def to_move(self, states: States) -> Seats:
        """The seat to move in each state, NOBODY where the game is over: shape (n,)."""

    @abc.abstractmethod
    def views(self, states: States, seats: Seats, rows: npt.NDArray[np.int64] | None = None) -> Views:
        """What the given seat may know of each state (or of the states `rows`), and nothing else: shape (n,).

        Two states that a seat cannot tell apart give equal bytes.
        """

    @abc.abstractmethod
    def public_view(self, state: Any) -> Views:
        """What is public of a state (one record), for those who watch: an array of one record, of seat NOBODY.

        Every seat knows all of it: states between which some seat cannot tell have the same public view, to the byte.
        """

    @abc.abstractmethod
    def public_event(self, events: Any) -> Any:
        """What is public of one move, one record, from what each seat learned of it: shape (seats,)."""

    @abc.abstractmethod
    def legal_actions(self, view: Any) -> LegalActions:
        """The legal actions of the seat whose view this is (one record); empty where it is not that seat's move."""

    def legal_in(self, states: States) -> LegalActions:
        """The legal actions of the seat to move in the first state; empty when the game is over."""
        seats = self.to_move(states[:1])
        if seats[0] == NOBODY:
            return LegalActions(self, np.empty(0, np.int32))
        return self.legal_actions(self.views(states[:1], seats))

    def play_through(
        self,
        states: States,
        players: npt.NDArray[np.int64],
        memories: npt.NDArray[np.int64],
        kept: list[list[int]] | None,
    ) -> int | None:
        """Play all states to their ends, in place, in one compiled loop; how many moves, None where rules are not compiled.

        `players` and `memories`, each with a row a seat, say where its player is found (`games.playing`). The moves of game i are
        added to `kept[i]`. IllegalAction for the first action that is not legal.
        """
        return None

    @abc.abstractmethod
    def apply(self, states: States, actions: Actions, rows: npt.NDArray[np.int64] | None = None) -> Events:
        """Play one action in each state (or in the states `rows`), in place; return what each seat learns.

        The result has shape (n, seats): events, redacted for the seat of the column. IllegalAction names seat, action
        and rule of the first action that is not legal; the states before it are already advanced, it and those after
        it are not.
        """

    def play_randomly(self, states: States, streams: npt.NDArray[np.uint64]) -> int:
        """Play states to their ends, in place, with uniformly random legal actions, each by its own stream; the number of moves.

        GameFailure where a play is longer than the game says, or a seat to move has no legal action.
        """
        made = 0
        for number, stream in enumerate(streams):
            draws = np.random.default_rng(int(stream))
            state, moves = states[number : number + 1], 0
            while (seat := int(self.to_move(state)[0])) != NOBODY:
                if 0 < self.most_moves <= moves:
                    raise self.too_long()
                codes = self.legal_actions(self.views(state, np.array([seat], np.int8))).codes
                if not codes:
                    raise self.no_action(seat)
                self.apply(state, np.array([codes[int(draws.integers(len(codes)))]], np.int32))
                moves += 1
            made += moves
        return made

    @abc.abstractmethod
    def outcome(self, state: Any) -> Outcome | None:
        """How the game ended (one record), or None while it goes on."""

    @abc.abstractmethod
    def wins(self, states: States) -> npt.NDArray[np.bool_]:
        """Whether each seat has won: shape (n, seats); all False while the game goes on."""

    def margins(self, states: States) -> npt.NDArray[np.float64]:
        """What searches and equilibria play for, from -1 to 1: what each seat won over what the others won on average.

        Shape (n, seats). 1 for a win alone of two seats, 0 in a game that goes on or that nobody won. The margins of a game sum to
        0, so every game of two seats is zero-sum; who plays alone has 1 for a win. A game in which a win may be worth more than
        another, as in poker, says so here. Where all win `together`, margins are the same for all seats, 1 for a win, and a game
        that has a score says here what part of the best one was reached.
        """
        wins = self.wins(states).astype(np.float64)
        if self.together:
            return wins
        others = (wins.sum(axis=1, keepdims=True) - wins) / max(1, self.seats - 1)
        result: npt.NDArray[np.float64] = wins - others
        return result

    def payoffs(self, states: States) -> npt.NDArray[np.float64]:
        """What each seat has been paid by now, shape (n, seats): in games that are over as in `Outcome.payoffs`.

        While a game goes on it is what cannot be lost any more, such as the nuggets of rounds that are over.
        """
        return self.wins(states).astype(np.float64)

    @abc.abstractmethod
    def outcome_names(self) -> tuple[str, ...]:
        """The ways in which a game can end, as short names."""

    @abc.abstractmethod
    def outcome_codes(self, states: States) -> npt.NDArray[np.int64]:
        """Which of `outcome_names` ended each state, -1 while it goes on: shape (n,)."""

    def endings(self, states: States) -> npt.NDArray[np.int64]:
        """Which of `outcome_names` ended each state, shape (n,), all of which are over; GameFailure where it is none of them."""
        codes, names = np.asarray(self.outcome_codes(states)), self.outcome_names()
        if codes.shape != (len(states),) or codes.dtype.kind not in "iu":
            raise GameFailure(
                f"{self.made_by}: outcome_codes of {self.label} are whole numbers of shape ({len(states)},), "
                f"not {codes.dtype} of {codes.shape}"
            )
        none = codes[(codes < 0) | (codes >= len(names))]
        if len(none):
            raise GameFailure(
                f"{self.made_by}: a play of {self.label} that is over has the outcome code {none[0]}, and its outcome_names "
                f"has {counted(len(names), 'name')} from 0 on"
            )
        return codes.astype(np.int64)

    @abc.abstractmethod
    def roles_of(self, states: States) -> npt.NDArray[np.int8]:
        """The role of every seat: shape (n, seats). For referees and reports, never for a player."""

    def check_seen(self, views: Views) -> None:  # noqa: B027 - most games rely on nothing
        """BadInput where a view can be no seat's, as far as the game can tell: who sits down, and draws of states, rely on them."""

    @abc.abstractmethod
    def resample(
        self, views: Views, streams: npt.NDArray[np.uint64], weights: npt.NDArray[np.float64] | None = None
    ) -> States:
        """States drawn from those that the seat of each view holds possible: shape (n,).

        The seat's view of the result is the view it was drawn from, to the byte. All deals that agree with everything
        the seat has seen and been told are equally likely. `streams` are the starts of the random streams, one a view, and not
        the game's own. With `weights`, shape (2**seats,) or a row for each view, a set of seats m (seat s at bit s) holds role 1
        with a probability in proportion to `weights[m]`, among the sets that can be; all else is as likely as before.
        BadInput where there are no roles.
        """

    def infoset_keys(self, views: Views) -> npt.NDArray[np.uint64]:
        """A word for what the seat of each view knows, shape (n,): equal for views between which a search sees no difference.

        Here for views that are the same to the byte.
        """
        words = [blake2b(view.tobytes(), digest_size=8).digest() for view in np.atleast_1d(views)]
        return np.frombuffer(b"".join(words), np.uint64)

    @abc.abstractmethod
    def format_action(self, action: int) -> str:
        """The action in notation; total over all actions that `parse_action` can return."""

    def named(self, action: int) -> Action:
        """The action with its notation. One that was named lately is the same object: players are told the same ones each turn."""
        found = self._already_named.get(action)
        if found is None:
            if len(self._already_named) >= MOST_NAMED:
                self._already_named.clear()
            found = self._already_named[action] = Action(action, self.format_action(action))
        return found

    @cached_property
    def _already_named(self) -> dict[int, Action]:
        return {}

    @abc.abstractmethod
    def parse_action(self, text: str) -> Action:
        """The action that a notation means; BadNotation says what would be right. It need not be legal."""

    @abc.abstractmethod
    def format_event(self, event: Any) -> str:
        """What happened, in words, as the seat that received this event (one record) may know it."""

    @abc.abstractmethod
    def friendly_view(self, view: Any) -> Any:
        """A view (an array of one record) as an object for people and plain Python players: named attributes.

        `molehunt.FriendlyView` is there to be extended: it has `seat` and `legal_actions`, is printed, and equals its like.
        """

    @abc.abstractmethod
    def friendly_event(self, event: Any) -> Any:
        """An event (one record) as an object for people and plain Python players, such as a `molehunt.FriendlyEvent`."""

    @abc.abstractmethod
    def draw_text(self, view: Any) -> str:
        """A view as text, for a terminal."""

    @abc.abstractmethod
    def draw_svg(self, view: Any) -> str:
        """A view as a self-contained SVG that is readable on light and on dark ground."""


def check_is_game(game: Any) -> None:
    """BadInput where something is no game."""
    if not isinstance(game, Game):
        raise BadInput(f"a game is what make_game makes, not {value_text(game)}")


def check_has_all(game: Game) -> None:
    """GameFailure where a game that has just been made lacks what every game has, or has records of objects; its class is named."""
    lacking = [each for each in NEEDED if not hasattr(game, each)]
    if lacking:
        raise GameFailure(
            f"{game.made_by} sets no {', no '.join(lacking)}: see the attributes of molehunt.Game; most are set in its class or "
            "in __init__(self, ruleset, seats)"
        )
    for each in ("state_dtype", "view_dtype", "event_dtype"):
        dtype: Any = getattr(game, each)
        if isinstance(dtype, np.dtype) and dtype.hasobject:
            held = [name for name in dtype.names or () if dtype[name].hasobject]
            raise GameFailure(
                f"{game.made_by}: {each} holds Python objects ({', '.join(held) or dtype}), of which a copy of the bytes is none: "
                "records are of numbers alone, see molehunt.Game"
            )


def check_is_code(action: Any) -> int:
    """A move by its number, as an int; BadInput where that is no whole number."""
    if not is_whole(action):
        raise BadInput(f"a move is known by a whole number, as parse_action gives it, not {value_text(action)}")
    return int(action)


def check_is_text(action: Any) -> str:
    """A move as it is written; BadNotation where that is no text."""
    if not isinstance(action, str):
        raise BadNotation(f"a move is written as a text, not {value_text(action)}")
    return action
