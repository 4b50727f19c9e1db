"""Whether a game keeps what `molehunt.Game` promises, as far as that shows along random plays: for whoever writes one.

What is hidden is drawn anew at every position, and nothing of a seat may change. No check can know what a seat should not see:
where a view shows the other's cards, and `resample` takes them from there, all agrees. So it is said where a seat was never unsure.
"""

from __future__ import annotations

import pickle
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NoReturn
from xml.etree.ElementTree import ParseError, fromstring

import numpy as np

from molehunt.core.errors import BadInput, GameFailure, IllegalAction, MolehuntError, foreign_error, value_text
from molehunt.core.game import Game, check_is_game
from molehunt.core.numbers import is_whole
from molehunt.core.seats import NOBODY
from molehunt.core.specs import describe, split_spec
from molehunt.core.streams import game_seeds
from molehunt.core.words import counted
from molehunt.games.promised_deals import look_at_deals, without_streams
from molehunt.games.promised_draws import look_at_draws
from molehunt.games.promised_results import look_at_results
from molehunt.games.registry import game_entry, is_game

MOST_PLAYS = 10_000
TRIED = 8
"""So many actions that are not legal are tried at a position."""
REDRAWN = 2
"""So often what is hidden from a seat is drawn anew at a position."""


@dataclass(frozen=True)
class Kept:
    """What was looked at: how many plays, their moves, and at how many positions each seat held several states possible.

    `held` is at how many positions what `resample` draws was held to the listed deals, `unheld` what of that was not looked at.
    """

    plays: int
    moves: int
    unsure: tuple[int, ...]
    held: int = 0
    unheld: str = ""

    def __str__(self) -> str:
        told = f"{counted(self.plays, 'play')} with {counted(self.moves, 'move')} kept what a game promises."
        if self.held:
            told += f" At {counted(self.held, 'position')} resample was held to all that the seat had seen"
            told += f" (not to the end: {self.unheld})." if self.unheld else "."
        elif self.unheld:
            told += f" Not checked is whether resample agrees with what a seat has seen before: {self.unheld}."
        sure = [str(seat) for seat, count in enumerate(self.unsure) if not count]
        if not sure:
            return told
        return (
            f"{told} Nothing was ever hidden from seat {' and '.join(sure)}, as far as resample tells: if something should "
            "be, views show too much."
        )


def check_game(game: Game, plays: int = 20, seed: int = 0) -> Kept:
    """Play random games, and look at all that `Game` promises; GameFailure names the first that is not kept, and where.

    `seed` is that of the run of plays. What is returned says how much was looked at; printed it is a sentence. BadInput where
    something is no game, or no number of plays from 1 to MOST_PLAYS.

    >>> molehunt.check_game(molehunt.make_game("duel", "mcgill", 2), plays=1).plays
    1
    """
    check_is_game(game)
    if not is_whole(plays) or not 1 <= plays <= MOST_PLAYS:
        raise BadInput(f"plays are a whole number from 1 to {MOST_PLAYS}, not {value_text(plays)}")
    return _Check(game, seed).plays(plays)


def check_spec(game: Game, typed: str) -> None:
    """Whether the `spec` of a game says the ruleset that it was made of, as typed (`krisnadi:saboteurs=2`); GameFailure.

    Records keep the spec: a game that leaves out what was set is played again under other rules.
    """
    entry = game_entry(game.name)
    asked = entry.read(*split_spec(typed))
    try:
        said = entry.read(*split_spec(game.spec))
    except MolehuntError as error:
        said, why = None, f", which cannot be read ({error})"
    else:
        why = ", which is another one: records of it would be of other rules"
    if said is None or describe({"": said}) != describe({"": asked}):
        raise GameFailure(f"{game.made_by}: spec of {game.name}/{typed} is {game.spec!r:.60}{why}: see molehunt.Game")


class _Check:
    """The check of one game; `at` says where in a play it is."""

    def __init__(self, game: Game, seed: int) -> None:
        self.game = game
        self.seed = seed
        self.random = np.random.default_rng(seed)
        self.known: dict[int, None] = {}
        self.unsure = [0] * game.seats
        self.at = ""
        # Where actions name seats they are listed by the seat that acts, each with the others named from it.
        entry = game_entry(game.name) if is_game(game.name) else None
        listed = entry.get("actions") if entry else None
        listed = np.asarray(listed(game) if callable(listed) else listed) if listed is not None else np.zeros((0, 0))
        if listed.ndim == 2 and len(listed) not in {0, game.seats}:
            raise GameFailure(
                f"{game.made_by}: actions of the entry of {game.name} have {counted(len(listed), 'row')}, and one a seat would "
                f"be right, {game.seats} in {game.label}: see molehunt.games.entry.GameEntry"
            )
        rows = listed if listed.ndim == 2 else [listed] * game.seats
        self.listed = [set(row.tolist()) for row in rows]

    def fail(self, method: str, said: str) -> NoReturn:
        raise GameFailure(f"{self.game.made_by}: {method} of {self.game.label}, {self.at}: {said}: see molehunt.Game")

    def plays(self, count: int) -> Kept:
        moves = 0
        seeds = game_seeds(self.seed, 0, count)
        self.at = "as it goes to another process"
        try:
            pickle.dumps(self.game)
        except Exception as error:  # noqa: BLE001 - whatever the code of a package raises
            self.fail("__init__", f"it keeps what cannot be pickled: {foreign_error(error)}")
        self.at = "as games are dealt"
        try:
            look_at_deals(self.game, seeds, self.seed, self.random, self.fail)
            for seed in seeds:
                moves += self.play(seed)
            held = look_at_draws(self.game, count, self.random, self.fail, self.stand)
        except MolehuntError as error:
            if isinstance(error, GameFailure):
                raise
            raise GameFailure(f"{self.game.made_by}: {self.game.label} fails, {self.at}: {error}") from error
        except Exception as error:
            raise GameFailure(
                f"{self.game.made_by}: {self.game.label} fails, {self.at}: {foreign_error(error)}"
            ) from error
        return Kept(count, moves, tuple(self.unsure), held.positions, held.why)

    def stand(self, at: str) -> None:
        """Say where in a play it is."""
        self.at = at

    # ---- A play

    def play(self, seed: Any) -> int:
        game = self.game
        states = game.new(np.array([seed], np.uint64))
        texts: list[str] = []
        while True:
            self.at = f"in the game of seed {seed} after " + (", ".join(texts[-4:]) if texts else "the deal")
            mover = self.mover(states)
            views = self.views(states, mover)
            looked = len(texts) % game.seats
            self.drawn(views[looked])
            for seat in {looked, max(mover, 0)}:
                self.hidden(states, views, seat, mover)
            look_at_results(game, states, mover == NOBODY, self.fail)
            if mover == NOBODY:
                return len(texts)
            if 0 < game.most_moves <= len(texts):
                raise game.too_long()
            legal = self.legal(views[mover], mover)
            self.refused(states, legal, mover)
            action = legal[int(self.random.integers(len(legal)))]
            self.move(states, views, action, legal)
            texts.append(game.format_action(action))

    def mover(self, states: Any) -> int:
        seat = int(self.game.to_move(states)[0])
        if not NOBODY <= seat < self.game.seats:
            self.fail("to_move", f"seat {seat} is to move, and seats are 0 to {self.game.seats - 1}, or NOBODY")
        return seat

    def seen(self, states: Any, seat: int) -> Any:
        return self.game.views(states, np.array([seat], np.int8))

    def views(self, states: Any, mover: int) -> list[Any]:
        """What each seat sees."""
        game, before = self.game, states.tobytes()
        views = [self.seen(states, seat) for seat in range(game.seats)]
        public = game.public_view(states)
        for seat, view in enumerate(views):
            if view.tobytes() != self.seen(states, seat).tobytes():
                self.fail("views", f"seat {seat} sees other bytes when it looks again")
            if len(game.legal_actions(view)) and seat != mover:
                self.fail("legal_actions", f"seat {seat} may move, and it is the turn of {_seat(mover)}")
        if len({view.tobytes() for view in views}) < game.seats:
            self.fail("views", "two seats have the same view; a view says whose it is")
        if mover != NOBODY and not len(game.legal_actions(views[mover])):
            self.fail("legal_actions", f"{_seat(mover)} is to move and has none")
        if len(game.legal_actions(public)):
            self.fail("legal_actions", "who watches may move: the public view has legal actions")
        self.drawn(public)
        if states.tobytes() != before:
            self.fail("views", "the state is another one after somebody has looked at it")
        return views

    def drawn(self, view: Any) -> None:
        text: Any = self.game.draw_text(view)
        drawing: Any = self.game.draw_svg(view)
        self.game.friendly_view(view)
        if not isinstance(text, str) or not text:
            self.fail("draw_text", f"a view is drawn as a text, not {value_text(text)}")
        try:
            fromstring(drawing)  # noqa: S314 - the game's own drawing
        except (ParseError, TypeError) as error:
            self.fail("draw_svg", f"the drawing is no SVG ({error}): {value_text(drawing)}")

    def hidden(self, states: Any, views: list[Any], seat: int, mover: int) -> None:
        """Draw anew what is hidden from a seat, and look for what changes."""
        game, view, public = self.game, views[seat], self.game.public_view(states).tobytes()
        drawn, other = {without_streams(states) + views[seat - 1].tobytes()}, (seat - 1) % game.seats
        for again in self.redrawn(view, REDRAWN):
            drawn.add(without_streams(again) + self.seen(again, other).tobytes())
            same = self.seen(again, seat)
            if same.tobytes() != view.tobytes():
                self.fail(
                    "resample",
                    f"a state that is drawn from the view of seat {seat} gives it another view ({_differ(same, view)}): the view "
                    "shows what the seat cannot know, or the state is none that it holds possible",
                )
            moves = self.mover(again)
            if moves != mover:
                self.fail(
                    "resample",
                    f"from the view of seat {seat} a state is drawn in which {_seat(moves)} is to move, not {_seat(mover)}",
                )
            if game.public_view(again).tobytes() != public:
                self.fail(
                    "public_view",
                    f"it shows what seat {seat} does not know: in a state that the seat holds possible it is another",
                )
            if mover != NOBODY and not len(game.legal_actions(self.seen(again, mover))):
                self.fail(
                    "resample",
                    f"from the view of seat {seat} a state is drawn in which seat {mover} is to move and has no legal action",
                )
        self.unsure[seat] += len(drawn) > 1

    def redrawn(self, view: Any, count: int) -> Iterator[Any]:
        for stream in self.random.integers(1 << 62, size=count, dtype=np.uint64):
            yield self.game.resample(view, np.array([stream]))

    # ---- A move

    def legal(self, view: Any, mover: int) -> list[int]:
        """The legal actions of who is to move."""
        game = self.game
        codes = game.legal_actions(view).codes
        if game.legal_actions(view).codes != codes:
            self.fail("legal_actions", "they are others, or in another order, when they are asked for again")
        texts = [game.format_action(code) for code in codes]
        for each, times in (*Counter(texts).items(), *Counter(codes).items()):
            if times > 1:
                self.fail("legal_actions", f"{each} is there twice")
        for code, text in zip(codes, texts, strict=True):
            if game.parse_action(text) != code:
                self.fail(
                    "parse_action", f"{text!r} is read as {game.parse_action(text)!r}, and is the notation of {code}"
                )
        for code, text in zip(codes, texts, strict=True):
            if self.listed and code not in self.listed[mover]:
                self.fail(
                    "legal_actions", f"{text} is none of the actions that the game's entry names for seat {mover}"
                )
        self.known |= dict.fromkeys(codes)
        return codes

    def refused(self, states: Any, legal: list[int], mover: int) -> None:
        """Try actions of other positions that are not legal here."""
        others = [code for code in self.known if code not in set(legal)]
        for code in self.random.permutation(others)[:TRIED]:
            trial = states.copy()
            text = self.game.format_action(int(code))
            try:
                self.game.apply(trial, np.array([code], np.int32))
            except IllegalAction as error:
                if trial.tobytes() != states.tobytes():
                    self.fail("apply", f"the state is another one after {text} was refused")
                if (error.seat, error.action) != (mover, text) or not error.rule:
                    self.fail(
                        "apply",
                        f"{text} is refused as {error.action!r} of seat {error.seat} by {error.rule!r}, not of {_seat(mover)}",
                    )
            except MolehuntError:
                raise
            except Exception as error:  # noqa: BLE001 - whatever the code of a package raises
                self.fail(
                    "apply",
                    f"{text} is not legal, and is refused by {foreign_error(error)}, not by IllegalAction with seat, action "
                    "and rule",
                )
            else:
                self.fail("apply", f"{text} can be played, and is not among the legal actions")

    def move(self, states: Any, views: list[Any], action: int, legal: list[int]) -> None:
        """Play an action, and look at what it does and who learns what of it."""
        game, text = self.game, self.game.format_action(action)
        before, played = states.copy(), np.array([action], np.int32)
        events = self.played(states, action)
        pair = np.concatenate([before, before])
        told = game.apply(pair, played, np.array([1]))
        if pair[:1].tobytes() != before.tobytes():
            self.fail("apply", f"{text} in row 1 changes row 0, too")
        if pair[1:].tobytes() != states.tobytes() or told.tobytes() != events.tobytes():
            self.fail(
                "apply",
                f"{text} does something else the second time, or in another row; what chance does comes of the state",
            )
        if states.tobytes() == before.tobytes():
            self.fail("apply", f"{text} changes nothing")
        for event in events[0]:
            if not isinstance(game.format_event(event), str):
                self.fail("format_event", f"an event is told as a text, not {value_text(game.format_event(event))}")
            game.friendly_event(event)
        public = {np.asarray(game.public_event(np.roll(events[0], shift))).tobytes() for shift in range(game.seats)}
        if len(public) > 1:
            self.fail(
                "public_event",
                f"what is public of {text} depends on which seats learned what: an event of one seat shows through",
            )
        self.learned(views, played, states, events, text)
        others = [code for code in legal if code != action]
        self.told_apart(before, [int(code) for code in self.random.permutation(others)[:TRIED]], states, events, text)

    def played(self, states: Any, action: int) -> Any:
        """The events of a legal action, which is played."""
        try:
            return self.game.apply(states, np.array([action], np.int32))
        except IllegalAction as error:
            text = self.game.format_action(action)
            self.fail("apply", f"{text} is among the legal actions, and is refused: {error.rule}")

    def told_apart(self, before: Any, others: list[int], after: Any, events: Any, text: str) -> None:
        """Whether a seat is told which of two moves it was, though in public, and by its view, they are the same.

        What all know may be left out of a view, as which of two cards that nobody saw was moved.
        """
        game, mover = self.game, self.mover(before)
        public = np.asarray(game.public_event(events[0])).tobytes()
        for other in others:
            trial = before.copy()
            told = self.played(trial, other)
            if np.asarray(game.public_event(told[0])).tobytes() != public:
                continue
            for seat in range(game.seats):
                if seat == mover or told[0, seat].tobytes() == events[0, seat].tobytes():
                    continue
                if self.seen(trial, seat).tobytes() == self.seen(after, seat).tobytes():
                    self.fail(
                        "apply",
                        f"the event of {text} tells seat {seat} ({_differ(told[:, seat], events[:, seat])}) that it was not "
                        f"{game.format_action(other)}, which is not public and makes no other view: hide it from the seat, or "
                        "keep it in the view, which holds all that a seat has seen",
                    )

    def learned(self, views: list[Any], played: Any, after: Any, events: Any, text: str) -> None:
        """Whether a seat that sees the same before and after a move in another state is told the same of it."""
        for seat, view in enumerate(views):
            for other in self.redrawn(view, 1):
                try:
                    told = self.game.apply(other, played)
                except IllegalAction:
                    continue
                if self.seen(other, seat).tobytes() != self.seen(after, seat).tobytes():
                    continue
                if told[0, seat].tobytes() != events[0, seat].tobytes():
                    self.fail(
                        "apply",
                        f"the event of {text} tells seat {seat} more ({_differ(told[:, seat], events[:, seat])}) than its view "
                        "afterwards: hide it from the "
                        "seat, or keep it in the view, which holds all that a seat has seen",
                    )


def _differ(one: Any, other: Any) -> str:
    """The fields in which two arrays of records differ."""
    return ", ".join(name for name in one.dtype.names or () if one[name].tobytes() != other[name].tobytes())


def _seat(seat: int) -> str:
    return "nobody" if seat == NOBODY else f"seat {seat}"
