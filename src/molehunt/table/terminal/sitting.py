"""What sitting down is like at every table: names, who sits there, and having all at hand before the cards are dealt."""

from __future__ import annotations

from collections.abc import Sequence

from molehunt.agents.registry import Agents
from molehunt.core.errors import BadInput
from molehunt.core.game import Game
from molehunt.table.session import Session, Sitter

NAMES = ("Alice", "Bob", "Carol", "Dave", "Eve", "Frank", "Grace", "Heidi", "Ivan", "Judy")
"""The artificial players, in the order of the seats; a name that the person has is left out."""
MAX_NAME = 20
LAST_MOVES = "What happened last:"
YOU = "You"
"""The person who gives no name."""


def check_name(text: str) -> str:
    """A name for the person; BadInput where it cannot be one."""
    name = " ".join(text.split())
    if not 1 <= len(name) <= MAX_NAME or not name.isprintable() or set(name) & set(",:*"):
        raise BadInput(f"a name has 1 to {MAX_NAME} letters and no comma, colon or star, not {text!r:.40}")
    return name


def seat_everybody(game: Game, person: str, opponents: Sequence[str], seed: int, seat: int = 0) -> Session:
    """A table, dealt: the person on `seat`, the artificial players, by their specs, on the other seats in their order."""
    agents = Agents(game.name)
    names = [name for name in NAMES if name.lower() != person.lower()]
    sitters = [Sitter(name, agents.make(spec)) for name, spec in zip(names, opponents, strict=False)]
    return Session(game, [*sitters[:seat], Sitter(person), *sitters[seat:]], seed)


def seat_of_person(session: Session) -> int:
    """Where the one person sits."""
    (seat,) = (seat for seat, sitter in enumerate(session.sitters) if sitter.agent is None)
    return seat


def nothing() -> None:
    """What is done where nothing is to be done."""


def play_without_people(game: Game, players: Sequence[str], seat: int) -> Session:
    """Play a game without the person, so that all kernels are compiled or loaded before he is asked anything.

    What the person is shown of a game is asked for `seat`.
    """
    agents = Agents(game.name)
    session = Session(game, [Sitter(str(number), agents.make(spec)) for number, spec in enumerate(players)], 0)
    session.game.friendly_view(session.view(seat))
    while session.step():
        pass
    session.game.legal_actions(session.view(seat))
    return session
