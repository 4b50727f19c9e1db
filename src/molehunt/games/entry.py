"""What everybody asks about a game who is not its rules: one entry says it all.

An entry is plain values and texts. Where code is meant it is named by a text, `package.module:attribute`, and imported when it is
first wanted: so entries are cheap, and the entry of a game may name what lives on floors above it (its spaces, its faces). All
that is optional has a general default, which does for any game.
"""

from __future__ import annotations

import importlib
import operator
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, is_dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from molehunt.core.errors import BadInput, GameFailure, UnknownName, foreign_error, value_text
from molehunt.core.language import _
from molehunt.core.specs import build, split_spec, wrong_seats
from molehunt.core.words import as_sentence

if TYPE_CHECKING:
    from molehunt.core.game import Game

LONGEST = 1000
"""So many moves a play has at most where an entry does not say how many."""
MOST_SEATS = 64


@dataclass(frozen=True)
class RulesetEntry:
    """A ruleset to choose: what it is in a line, the fewest and the most seats, and how many play where nobody says (`usual`)."""

    title: str
    fewest: int
    most: int
    usual: int = 0

    def __post_init__(self) -> None:
        if not 1 <= self.fewest <= self.most <= MOST_SEATS:
            raise GameFailure(f"a ruleset is for 1 to {MOST_SEATS} seats, not {self.fewest} to {self.most}")
        if not self.usual:
            object.__setattr__(self, "usual", self.fewest)
        if not self.fewest <= self.usual <= self.most:
            raise GameFailure(f"{self.usual} seats are usual, but {self.fewest} to {self.most} may play")

    @property
    def seat_limits(self) -> tuple[int, int]:
        """The fewest and the most seats."""
        return self.fewest, self.most


@dataclass(frozen=True)
class GameWords:
    """A game in words, for people. `names` are by seat; `seat` is the reader's, None for somebody who watches.

    `sentence(event, names, seat)` says what happened, from a friendly event as its reader received it. `move(move, names, seat)` is
    a move in notation as an imperative. `group(move)` is the heading under which a move in notation is offered; moves of one
    heading come together. `written(game)` finds moves in notation within a text, where their signs do not give them away.
    """

    sentence: Callable[[Any, Sequence[str], int | None], str]
    move: Callable[[str, Sequence[str], int | None], str]
    group: Callable[[str], str] = lambda _: "Moves"
    written: Callable[[Game], re.Pattern[str]] | None = None


@dataclass(frozen=True)
class Preset:
    """A table that is set with one click: the ruleset as typed, the artificial players, and how many people sit with them."""

    title: str
    text: str
    ruleset: str
    agents: tuple[str, ...]
    people: int = 1
    practice: bool = False
    pace: int | None = None
    """Milliseconds between moves of artificial players, None for the usual pace."""
    open: bool = False
    """Whether all cards lie open, and thoughts are told, for those who watch artificial players."""
    guided: bool = False
    """Whether it is a first game, in which a page says step by step what to do."""


@dataclass(frozen=True, kw_only=True, eq=False)
class GameEntry:
    """A game as everything outside its rules knows it.

    Needed are `name`, `title`, `rulesets`, and either `game` with `editions` or `load` with `read`.

    - `name`: letters a-z, digits and `_`, as in labels `name/ruleset`; wherever it is typed, `-` does for `_`.
    - `title`: `Short title: what it is`; what stands before the colon is the game's name for people.
    - `rulesets`: by name, the usual one first.
    - `game`: names what makes the game of a ruleset and a number of seats, most often the class: `kuhn.game:Kuhn`.
    - `editions`: names the rulesets by name, frozen dataclasses whose fields are `core.specs.parameter`s: `kuhn.game:RULESETS`.
    - `read(name, items)`, `load(name, items, seats, roles)`: the ruleset of a spec, and the game, where they are made in another
      way. `roles` is how many seats have each role where they are seated, None where they are dealt.
    - `roles`: the names of the roles by their number; empty where there are none.
    - `actions`: names all actions that can ever be legal, an array of ints, or a function of the game that gives it: shape (n,),
      or (seats, n) by acting seat where an action names a seat, which is then named from the one that acts. Spaces number them.
    - `spaces`: names a function of the game (and of a `window`, where it has one) that makes
      `adapters.spaces.base.Spaces`; without it, the actions are numbered as `actions` lists them, and an observation is the
      view's fields.
    - `longest`: a bound on the moves of one play, or names a function of the game that gives it.
    - `together`: whether all seats win or lose together, so that `Game.margins` are the same for all of them.
    - `opponent`: the artificial player whom people meet where they do not say whom.
    - `adviser`: who gives hints and believes in a person's place, and moves when time is up; without it, `opponent`.
    - `at_table`: the rulesets that people are offered, as typed, the usual one first; without them, `rulesets`.
    - `presets`: tables that are set with one click.
    - `words`: names the game's `GameWords`; without it, events and moves are said in the game's notation.
    - `rules`: names the rules for people, a text (a line a paragraph) or a function of the game that gives it; without it, the
      ruleset's title.
    - `logs`: names a function of a text that reads games that another program has played and logged, as a list of
      `core.replay.Logged`; None where the text is no such log. `molehunt replay` plays them.
    - `terminal`, `face`: name how the game is shown in a terminal (`terminal.general.GameTable` or what has its `play`) and on
      a page (`web.face.Face`); without them, by the general face: the drawing, and the moves in words.
    - `languages`: names the folder in which a package's catalogues lie, `<code>.mo`: `kuhn:languages`. All texts of the entry, the
      game's reasons and rules, and what its code says by `core.language._`, are said by them.
    - `analysis`: names the game's `analysis.analyst.Analyst`; without it, `analysis.general` looks at finished games.
    """

    name: str
    title: str
    rulesets: Mapping[str, RulesetEntry]
    game: str = ""
    editions: str = ""
    read: Callable[[str, list[str]], Any] = field(default=None)  # type: ignore[assignment]
    load: Callable[[str, list[str], int, Mapping[str, int] | None], Game] = field(default=None)  # type: ignore[assignment]
    roles: tuple[str, ...] = ()
    actions: str = ""
    spaces: str = ""
    longest: int | str = LONGEST
    together: bool = False
    opponent: str = "random"
    adviser: str = ""
    at_table: Mapping[str, RulesetEntry] = field(default_factory=dict)
    presets: tuple[Preset, ...] = ()
    words: str = ""
    rules: str = ""
    logs: str = ""
    terminal: str = ""
    face: str = ""
    languages: str = ""
    analysis: str = ""

    def __post_init__(self) -> None:
        if not re.fullmatch(r"[a-z][a-z0-9_]*", self.name):
            raise GameFailure(
                f"a game's name has letters a-z, digits and _, and begins with a letter, not {self.name!r}"
            )
        if not self.rulesets:
            raise GameFailure(f"{self.name} has no rulesets")
        for option, general in (("read", self._read), ("load", self._load)):
            if getattr(self, option) is None:
                if not (self.game and self.editions):
                    raise GameFailure(f"the entry of {self.name} says neither game and editions nor {option}")
                object.__setattr__(self, option, general)
        for option, usual in (("adviser", self.opponent), ("at_table", self.rulesets)):
            if not getattr(self, option):
                object.__setattr__(self, option, usual)

    # --- How it is called, and by how many it is played -----------------------------------------------------------------

    @property
    def short_title(self) -> str:
        """The game's name for people, in their language: "Speed Clue"."""
        return _(self.title).partition(":")[0]

    @property
    def command(self) -> str:
        """The game's name as a word of a command: `speed-clue`."""
        return self.name.replace("_", "-")

    def ruleset_entry(self, ruleset: str) -> RulesetEntry:
        """What is known of a ruleset as typed (`krisnadi:saboteurs=2`, `official+talk`); UnknownName if there is none."""
        if ruleset in self.at_table:
            return self.at_table[ruleset]
        name = split_spec(ruleset)[0].partition("+")[0]
        if name not in self.rulesets:
            raise UnknownName(_("ruleset of {game}", game=self.name), name, self.rulesets)
        return self.rulesets[name]

    @property
    def seat_limits(self) -> tuple[int, int]:
        """The fewest and the most seats, over all rulesets."""
        return min(each.fewest for each in self.rulesets.values()), max(each.most for each in self.rulesets.values())

    @property
    def usual_seats(self) -> int:
        """How many play the first ruleset where nobody says how many."""
        return next(iter(self.rulesets.values())).usual

    def seats_of(self, ruleset: str) -> int:
        """How many play a ruleset as typed where nobody says how many."""
        return self.ruleset_entry(ruleset).usual

    # --- What it names --------------------------------------------------------------------------------------------------

    def get(self, option: str) -> Any:
        """What the entry names under `option` ("face"), imported; None where it names nothing. GameFailure: it is not there."""
        named = getattr(self, option)
        return self._import(named) if named else None

    def longest_play(self, game: Game) -> int:
        """A bound on the moves of one play of `game`; GameFailure where what the entry names gives none."""
        found = self._import(self.longest) if isinstance(self.longest, str) else self.longest
        found = found(game) if callable(found) else found
        try:
            moves = operator.index(found)
        except TypeError:
            moves = 0
        if moves < 1:
            raise GameFailure(
                f"the entry of {self.name} says as longest how many moves a play has at most, from 1 on, not {found!r:.60}"
            )
        return moves

    def rules_text(self, game: Game) -> str:
        """The rules of `game` for people."""
        found = self.get("rules")
        if found is None:
            ruleset = _(self.ruleset_entry(game.spec).title)
            return f"{as_sentence(_(self.title))} {as_sentence(ruleset)}"
        return str(found(game)) if callable(found) else _(str(found))

    def catalogues(self) -> Path | None:
        """The folder of the package's catalogues, None where it brings none; GameFailure where there is no such folder."""
        if not self.languages:
            return None
        package, _colon, folder = self.languages.partition(":")
        try:
            found = Path(str(importlib.import_module(package).__file__)).parent / folder
        except (ImportError, ValueError) as error:
            raise GameFailure(
                f"the entry of {self.name} names {self.languages!r}, which is not there: {error}"
            ) from error
        if not found.is_dir():
            raise GameFailure(f"the entry of {self.name} names {self.languages!r}, but {found} is no folder")
        return found

    def _import(self, named: str) -> Any:
        module, _colon, attribute = named.partition(":")
        try:
            return getattr(importlib.import_module(module), attribute)
        except (ImportError, AttributeError, ValueError) as error:
            raise GameFailure(f"the entry of {self.name} names {named!r}, which is not there: {error}") from error
        except Exception as error:
            raise GameFailure(
                f"the entry of {self.name} names {named!r}, which cannot be imported: {foreign_error(error)}"
            ) from error

    # --- Rulesets and games of a spec, where the entry has no functions of its own -------------------------------------

    def _read(self, name: str, items: list[str]) -> Any:
        editions = self._import(self.editions)
        if not isinstance(editions, Mapping):
            raise GameFailure(
                f"{self.editions}, the rulesets of {self.name} by name, is {value_text(editions)} and no dict"
            )
        if name not in editions:
            raise UnknownName(_("ruleset of {game}", game=self.name), name, editions)
        if isinstance(editions[name], type) or not is_dataclass(editions[name]):
            raise GameFailure(
                f"{self.editions}: the ruleset {name} of {self.name} is {value_text(editions[name])}, and no frozen dataclass: "
                "see parameter of molehunt.core.specs"
            )
        return build(f"ruleset {name}", {name: editions[name]}, items)

    def _load(self, name: str, items: list[str], seats: int, roles: Mapping[str, int] | None) -> Game:
        entry = self.ruleset_entry(name)
        if not entry.fewest <= seats <= entry.most:
            raise BadInput(wrong_seats(f"{self.name}/{name}", entry.seat_limits, seats))
        from molehunt.core.game import Game as GameClass
        from molehunt.core.game import check_has_all

        made = self._import(self.game)
        lacking = sorted(getattr(made, "__abstractmethods__", ()))
        if lacking:
            raise GameFailure(f"{self.game} has no {', no '.join(lacking)}: see molehunt.Game")
        ruleset = self.read(name, items)
        game: Game = made(ruleset, seats)
        if isinstance(game, GameClass):  # what is none is told where it was asked for
            check_has_all(game)
            if game.seats != seats:
                raise GameFailure(
                    f"{game.made_by}: seats of {self.name}/{name} is {value_text(game.seats)}, and the game was made for {seats}: "
                    "see molehunt.Game"
                )
        self._check_spec(game, ruleset, name, items)
        if roles is not None:
            if not self.roles:
                raise BadInput(f"{self.name} has no roles to seat")
            counts = dict(zip(self.roles, game.role_counts(), strict=True))
            if {role: roles.get(role, 0) for role in self.roles} != counts:
                said = ", ".join(f"{role} {count}" for role, count in counts.items())
                raise BadInput(f"of {seats} seats in {self.name}/{name} so many have each role: {said}")
        return game

    def _check_spec(self, game: Game, ruleset: Any, name: str, items: list[str]) -> None:
        """GameFailure where the `spec` of a game reads back to another ruleset: its records would replay as another game."""
        spec: object = game.spec
        if not isinstance(spec, str):
            raise GameFailure(
                f"{game.made_by}: the spec of a game is its ruleset as it is typed, not {value_text(spec)}"
            )
        if ruleset != self.read(name, items):  # rulesets that cannot be compared
            return
        try:
            same = self.read(*split_spec(spec)) == ruleset
        except BadInput:
            same = False
        if not same:
            typed = name + (":" + ",".join(items) if items else "")
            raise GameFailure(
                f"{game.made_by}: the spec of {self.name}/{typed} is {spec!r:.60}, which is another ruleset or none: "
                "see canonical of molehunt"
            )


def canonical_name(name: str) -> str:
    """A game's name as its entry says it, from how it may be typed: `speed-clue` as `speed_clue`. BadInput where it is no text."""
    typed: object = name
    if not isinstance(typed, str):
        raise BadInput(f"a game is named by a text, as 'duel', not {value_text(typed)}")
    return name.strip().replace("-", "_")
