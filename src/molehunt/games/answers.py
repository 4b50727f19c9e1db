"""What a package's game answers, looked at once when it is first made: the beginning of one play.

A method in plain Python that answers with something of another kind would fail far from it, in code that knows nothing of the game.
Of compiled rules the answers are made here; what is looked at is whether they fill their records (`games.written`).
"""

from __future__ import annotations

import contextlib
from typing import Any, NoReturn

import numpy as np

from molehunt.core.errors import BadNotation, GameFailure, KernelFailure, value_text
from molehunt.core.game import Game, LegalActions, Outcome
from molehunt.core.seats import NOBODY

MOVES = 50
"""So many moves are made at most."""
COMPILED_MOVES = 3
"""The same of compiled rules, which are interpreted for it."""
COMPILED = "molehunt.games.compiled"

_looked_at: set[tuple[type, str, int]] = set()


def look_at_answers(game: Game) -> None:
    """Play the beginning of a play, once; the first method whose answer is not what `Game` says is named.

    GameFailure, or KernelFailure where compiled rules leave a field unwritten.
    """
    key = type(game), game.label, game.seats
    if key in _looked_at:
        return
    if any(base.__module__ == COMPILED for base in type(game).__mro__):
        _look_at_compiled(game)
    else:
        _Look(game).play()
    _looked_at.add(key)


def _look_at_compiled(game: Any) -> None:
    from molehunt.games.written import check_written

    try:
        check_written(game, seed=0, moves=COMPILED_MOVES, every=COMPILED_MOVES + 1)
    except KernelFailure:
        raise
    except Exception:  # noqa: BLE001 - rules that cannot be interpreted may be right; tests/games/test_every_game.py shows why
        return


class _Look:
    def __init__(self, game: Game) -> None:
        self.game = game

    def play(self) -> None:
        game = self.game
        two = self.array("new", game.new(np.arange(2, dtype=np.uint64)), (2,), game.state_dtype)
        self.array("views", game.views(two, np.zeros(2, np.int8)), (2,), game.view_dtype)
        self.array("to_move", game.to_move(two), (2,), "iu")
        states = two[:1].copy()
        for _ in range(MOVES):
            mover = self.array("to_move", game.to_move(states), (1,), "iu")
            if not NOBODY <= mover[0] < game.seats:
                self.fail("to_move", f"a seat from 0 to {game.seats - 1}, or NOBODY", mover[0])
            if mover[0] == NOBODY:
                break
            self.move(states, mover)
        self.results(states)

    def move(self, states: Any, mover: Any) -> None:
        """Look at what is asked before a move, and make the first that is legal."""
        game = self.game
        view = self.array("views", game.views(states, mover), (1,), game.view_dtype)
        with contextlib.suppress(NotImplementedError):  # a match can do without
            self.array("resample", game.resample(view, np.zeros(1, np.uint64)), (1,), game.state_dtype)
        legal: Any = game.legal_actions(view)
        if not isinstance(legal, LegalActions):
            self.fail("legal_actions", "LegalActions", legal)
        self.array("legal_actions", np.asarray(legal._codes), (len(legal),), "iu")  # noqa: SLF001 - what it was made of
        if not legal:
            self.fail("legal_actions", "one action or more at the view of who is to move", legal)
        code = legal.codes[0]
        text: Any = game.format_action(code)
        if not isinstance(text, str):
            self.fail("format_action", "a text", text)
        wanted = f"the action {code}, whose notation is {text!r:.40}"
        try:
            read: Any = game.parse_action(text)
        except BadNotation as error:
            self.fail("parse_action", wanted, f"BadNotation ({error})", quoted=True)
        if read != code:
            self.fail("parse_action", wanted, read)
        events = game.apply(states, np.array([code], np.int32))
        self.array("apply", events, (1, game.seats), game.event_dtype)

    def results(self, states: Any) -> None:
        game = self.game
        shape = 1, game.seats
        self.array("wins", game.wins(states), shape, "b")
        paid = self.array("payoffs", game.payoffs(states), shape, "iuf")
        if not np.isfinite(paid).all():
            self.fail("payoffs", "finite numbers", paid)
        self.array("roles_of", game.roles_of(states), shape, "iu")
        ended: Any = game.outcome(states)
        if ended is not None and not isinstance(ended, Outcome):
            self.fail("outcome", "an Outcome, or None while the game goes on", ended)
        names: Any = game.outcome_names()
        if not isinstance(names, tuple | list) or not all(isinstance(name, str) for name in names):
            self.fail("outcome_names", "a tuple of texts", names)

    def array(self, method: str, answer: Any, shape: tuple[int, ...], kind: Any) -> Any:
        """An answer; GameFailure where it is no array of a shape, and of a dtype or one of some kinds of numbers."""
        wanted = _KINDS.get(kind, "records of the dtype that the game says") if isinstance(kind, str) else str(kind)
        found = isinstance(answer, np.ndarray) and answer.shape == shape
        if not found or (answer.dtype.kind not in kind if isinstance(kind, str) else answer.dtype != kind):
            got = f"{answer.dtype} of shape {answer.shape}" if isinstance(answer, np.ndarray) else value_text(answer)
            self.fail(method, f"an array of shape {shape} of {wanted}", got, quoted=True)
        return answer

    def fail(self, method: str, wanted: str, answer: Any, quoted: bool = False) -> NoReturn:
        got = answer if quoted else value_text(answer)
        raise GameFailure(
            f"{self.game.made_by}: {method} of {self.game.label} answers with {got}, not with {wanted}: see molehunt.Game"
        )


_KINDS = {"iu": "whole numbers", "b": "truth values", "iuf": "numbers"}
