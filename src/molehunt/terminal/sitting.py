"""What sitting down is like at every table: names, who sits there, and having all at hand before the cards are dealt."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass

from molehunt.agents.entry import LEVEL_WORDS, AgentEntry, by_level
from molehunt.agents.registry import Agents, entries
from molehunt.core.errors import BadInput
from molehunt.core.game import Game
from molehunt.core.language import _, counted_in, later
from molehunt.core.words import joined
from molehunt.table import people
from molehunt.table.people import YOU
from molehunt.table.session import Session, Sitter
from molehunt.terminal.prompts import Prompter

MAX_NAME = 20
LEAST_COLUMN = 16
"""How wide the column of names is at least where players are listed."""
AT_ANY_TIME = ("rules", "players", "cards", "help")
"""Commands at the questions between games."""
LAST_MOVES = later("What happened last:")


def check_name(text: str) -> str:
    """A name for the person; BadInput where it cannot be one."""
    return people.check_name(text, MAX_NAME)


def seat_everybody(  # noqa: PLR0913, PLR0917 - a table, and who is hidden there
    game: Game, person: str, opponents: Sequence[str], seed: int, seat: int = 0, hidden: Collection[int] = ()
) -> Session:
    """A table, dealt: the person on `seat`, the artificial players, by their specs, on the other seats in their order.

    `hidden` are the places in `opponents` of those of whom it is told at the end which player they are.
    """
    agents = Agents(game.name)
    sitters = [
        Sitter(name, agents.make(spec), number in hidden)
        for number, (name, spec) in enumerate(zip(people.free_names([person]), opponents, strict=False))
    ]
    return Session(game, [*sitters[:seat], Sitter(person), *sitters[seat:]], seed)


def seat_of_person(session: Session) -> int:
    """Where the one person sits."""
    (seat,) = (seat for seat, sitter in enumerate(session.sitters) if sitter.agent is None)
    return seat


def offered(game: Game) -> list[AgentEntry]:
    """The players that can sit down at any table of a game, the easiest to beat first.

    Those whose library is missing are left out, and those of small games where it is not small.
    """
    return by_level(
        entry
        for entry in entries(game.name)
        if entry.is_here and not entry.only and (not entry.small_games or _is_small(game))
    )


def _is_small(game: Game) -> bool:
    """Whether all deals of a game can be listed."""
    try:
        game.deals()
    except BadInput:
        return False
    return True


def tell_players(prompter: Prompter, game: Game) -> None:
    """Who can play, what they are, and how hard to beat."""
    found = offered(game)
    wide = max(LEAST_COLUMN, *(len(entry.name) for entry in found))
    for entry in found:
        level = f" ({_(LEVEL_WORDS[entry.level])})" if entry.level else ""
        prompter.say(f"{entry.name:<{wide}} {_(entry.title)}{level}", indent=wide + 1)


def tell_who_sits(prompter: Prompter, session: Session, seat: int, others: Sequence[str], role: str = "") -> None:
    """Who is at the table, the person on `seat` first, and who begins; or how far a game that was begun has come."""
    begins = _("You begin") if session.to_move == seat else _("{name} begins", name=session.names[session.to_move or 0])
    if session.actions:
        begins = counted_in("The game goes on after {n} move", "The game goes on after {n} moves", len(session.actions))
    name = session.names[seat]
    prompter.say()
    who = name if name in {YOU, _(YOU)} else _("{name} (you)", name=name)
    prompter.say(f"{_('At the table: {names}.', names=', '.join([who, *others]))} {begins}.{role}")


@dataclass(frozen=True)
class Looks:
    """Commands of a table that look at its game, kept for when it is over; `ended` are its others, which then have no meaning."""

    commands: dict[str, Callable[[], None]]
    with_rest: dict[str, Callable[[str], None]]
    ended: frozenset[str]

    @classmethod
    def of(cls, prompter: Prompter, words: Collection[str]) -> Looks:
        """Those of `words` among the commands of a table."""
        return cls(
            {word: prompter.commands[word] for word in words if word in prompter.commands},
            {word: prompter.with_rest[word] for word in words if word in prompter.with_rest},
            frozenset(prompter.commands) - frozenset((*words, *AT_ANY_TIME)),
        )

    def go_on(self, prompter: Prompter) -> None:
        """Offer them at the questions that follow; `help` and the table's other commands name them."""
        at_any_time = prompter.commands["help"]

        def tell() -> None:
            prompter.say(_("The game is over. {commands} look back at it.", commands=joined(list(self.commands))))

        def tell_help() -> None:
            at_any_time()
            tell()

        prompter.commands |= self.commands | dict.fromkeys(self.ended, tell) | {"help": tell_help}
        prompter.with_rest |= self.with_rest


def nothing() -> None:
    """What is done where nothing is to be done."""


def play_without_people(game: Game, players: Sequence[str], seat: int) -> Session:
    """Play a game without the person, so that all kernels are compiled or loaded before they are asked anything.

    What the person is shown of a game is asked for `seat`.
    """
    agents = Agents(game.name)
    session = Session(game, [Sitter(str(number), agents.make(spec)) for number, spec in enumerate(players)], 0)
    session.game.friendly_view(session.view(seat))
    while session.step():
        pass
    session.game.legal_actions(session.view(seat))
    return session
