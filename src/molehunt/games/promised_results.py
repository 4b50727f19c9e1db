"""Whether what a game says of the end of a play agrees, as `molehunt.Game` promises."""

from __future__ import annotations

from typing import Any

import numpy as np

from molehunt.core.errors import value_text
from molehunt.core.game import Game
from molehunt.games.promised_deals import Fail

CLOSE = 1e-6


def look_at_results(game: Game, states: Any, over: bool, fail: Fail) -> None:
    """Whether outcome, wins, payoffs and margins of a play agree with each other; `over` says that nobody is to move."""
    outcome, wins, paid = game.outcome(states), game.wins(states)[0], game.payoffs(states)[0]
    ended = int(np.asarray(game.outcome_codes(states))[0]) >= 0
    if (outcome is not None) != over or ended != over:
        fail(
            "outcome" if (outcome is not None) != over else "outcome_codes",
            f"to_move says that the game is {'over' if over else 'not over'}, and it does not",
        )
    if not np.isfinite(paid).all():
        fail("payoffs", f"{paid} are not finite")
    margins = game.margins(states)
    if margins.shape != (1, game.seats) or not np.isfinite(margins).all() or np.abs(margins).max() > 1 + CLOSE:
        fail("margins", f"they are from -1 to 1, of shape (1, {game.seats}), not {value_text(margins)}")
    if not over and margins.any():
        fail("margins", f"they are 0 while the game goes on, not {value_text(margins)}")
    if game.together and np.ptp(margins) > CLOSE:
        fail(
            "margins",
            f"by the entry all win together, so they are the same for all seats, and {value_text(margins)} are not",
        )
    if game.seats > 1 and not game.together and abs(margins.sum()) > CLOSE:
        fail(
            "margins",
            f"they sum to 0, and {value_text(margins)} do not (where all win together, the entry says so: together=True)",
        )
    if game.together and over and wins.any() != wins.all():
        fail("wins", f"by the entry all win together, and {value_text(wins)} do not")
    if outcome is None:
        if wins.any():
            fail("wins", "somebody has won, and the game goes on")
        return
    game.endings(states)
    most = max(outcome.payoffs, default=0.0)
    winners = tuple(seat for seat, each in enumerate(outcome.payoffs) if each == most > 0)
    if len(outcome.payoffs) != game.seats or not np.allclose(outcome.payoffs, paid):
        fail("outcome", f"its payoffs are {outcome.payoffs}, and payoffs says {paid.tolist()}")
    if tuple(np.flatnonzero(wins)) != winners or tuple(outcome.winners) != winners:
        fail(
            "outcome",
            f"winners, and seats that have won by wins, are those that were paid most, if anybody was: {winners}, not "
            f"{outcome.winners} and {tuple(np.flatnonzero(wins).tolist())}",
        )
    reason: Any = outcome.reason
    if not isinstance(reason, str) or not reason:
        fail("outcome", f"it says its reason in words, not {value_text(reason)}")
