"""What is said beside an error of a player's own code, where it is probably a first player: what would be right."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Collection
from typing import Any

from molehunt.core.game import Action

CALLED = {
    "choose": "choose(self, view)",
    "begin": "begin(self, game, seat, view)",
    "notice": "notice(self, event)",
}
"""How the methods of a player are written."""


def called_as(method: str) -> Callable[[BaseException], str]:
    """What to say to an error that came of calling a method of a player, as a hint of `ForeignCode`."""

    def hint(error: BaseException) -> str:
        return _how_it_is_written(method, error) or _what_there_is(error)

    return hint


def _how_it_is_written(method: str, error: BaseException) -> str:
    """Where nothing of the method has run, as it takes something else than it is given."""
    here = error.__traceback__
    called_wrongly = isinstance(error, TypeError) and here is not None and here.tb_next is None
    return f"; it is written def {CALLED[method]}" if called_wrongly else ""


def _what_there_is(error: BaseException) -> str:
    """Where a view, an event or an action is asked for what it has not."""
    if not isinstance(error, AttributeError) or error.obj is None or not error.name:
        return ""
    if isinstance(error.obj, Action):
        return (
            f"; the text of an action is str(action), as in str(action).{error.name}"
            if hasattr(str, error.name)
            else ""
        )
    kind = type(error.obj)
    if not kind.__module__.startswith("molehunt.games."):
        return ""
    names = [name for name in dir(error.obj) if not name.startswith("_")]
    return f"; {kind.__name__} has {', '.join(_nearest(error.name, names) or names)}"


def no_choose(player: type[Any]) -> str:
    """What to say of a class of players that does not say what it chooses."""
    near = _nearest("choose", [name for name, value in vars(player).items() if callable(value)])
    return f"{player.__name__} has no method {CALLED['choose']}" + (f", but one called {near[0]}" if near else "")


def why_no_index(chosen: int, view: Any) -> str:
    """What to say of a number that is no action, but the place of one; "" for any other."""
    legal: Collection[int] = getattr(view, "legal_actions", ())
    if not 0 <= chosen < len(legal) or chosen in legal:
        return ""
    return f": that is the place of an action, not the action; return view.legal_actions[{chosen}]"


def _nearest(name: str, names: Collection[str]) -> list[str]:
    return difflib.get_close_matches(name, names, n=1)
