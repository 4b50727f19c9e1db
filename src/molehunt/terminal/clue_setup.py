"""Sitting down at Speed Clue: who plays, with which strategies, on which deal; asked for, or given."""

from __future__ import annotations

import random
from collections.abc import Callable, Collection
from dataclasses import dataclass, field, replace
from functools import partial

from molehunt.agents.registry import Agents
from molehunt.arena.seating import parse_seats
from molehunt.core.errors import BadInput
from molehunt.core.language import _, later
from molehunt.core.words import joined
from molehunt.games.registry import game_entry, make_game
from molehunt.games.speed_clue.friendly import cards_of
from molehunt.games.speed_clue.game import SpeedClue, check_game
from molehunt.table.clue_sheet import FilledSheet
from molehunt.table.clue_words import INDENT, card_lines, cards_said, rules_of
from molehunt.table.people import YOU
from molehunt.table.session import Session
from molehunt.terminal.clue import ClueTable
from molehunt.terminal.practice import COMMANDS, Practice, ask_practice
from molehunt.terminal.prompts import Prompter, one_of, whole_number
from molehunt.terminal.questions import ask_in_order, say_what_back_does
from molehunt.terminal.saving import SAVING, Keeper
from molehunt.terminal.sitting import (
    Looks,
    check_name,
    play_without_people,
    seat_everybody,
    seat_of_person,
    tell_players,
    tell_who_sits,
)

HIDDEN = "hidden"
"""A strategy that is drawn from HIDDEN_FROM, and told when the game is over."""
HIDDEN_FROM = ("basic", "advanced")
MIN_OPPONENTS, MAX_OPPONENTS = 2, 5
PERSON_SEAT = 0
"""Where the person sits in a single game: they begin."""
KNOWN = "known"


@dataclass(frozen=True)
class Setup:
    """A game to be played. `opponents` are agents as they are typed, or HIDDEN; `deal` 0 is a random one.

    The person sits on `seat`, the opponents on the others in their order.
    """

    seed: int
    name: str = field(default_factory=lambda: _(YOU))
    opponents: tuple[str, ...] = (HIDDEN, HIDDEN)
    deal: int = 0
    ruleset: str = "mitchell"
    fill_sheet: bool = True
    practice: bool = False
    seat: int = PERSON_SEAT


def check_opponents(text: str) -> tuple[str, ...]:
    """The opponents of a text `basic,advanced`, `advanced*3`, `hidden,basic`; BadInput says what would be right."""
    agents = Agents("speed_clue")
    specs = tuple(chair.agent for chair in parse_seats(text, [*agents.names(), HIDDEN], ()))
    if not MIN_OPPONENTS <= len(specs) <= MAX_OPPONENTS:
        raise BadInput(
            _(
                "{low} to {high} artificial players can play, not {number}",
                low=MIN_OPPONENTS,
                high=MAX_OPPONENTS,
                number=len(specs),
            )
        )
    for spec in specs:
        if spec != HIDDEN:
            agents.make(spec)
    return specs


def make_clue(setup: Setup) -> SpeedClue:
    """The game of a set-up; BadInput where it cannot be played so."""
    deal = f"{',' if ':' in setup.ruleset else ':'}deal={setup.deal}" if setup.deal else ""
    return check_game("the table", make_game("speed_clue", setup.ruleset + deal, len(setup.opponents) + 1))


def draw_hidden(setup: Setup) -> Setup:
    """The set-up with the hidden strategies drawn; a function of the seed."""
    chance = random.Random(setup.seed)
    return replace(
        setup,
        opponents=tuple(chance.choice(HIDDEN_FROM) if spec == HIDDEN else spec for spec in setup.opponents),
    )


def seat_table(setup: Setup) -> Session:
    """The table of a set-up, dealt: the person on their seat, the opponents on the others."""
    opponents = draw_hidden(setup).opponents
    hidden = [number for number, spec in enumerate(setup.opponents) if spec == HIDDEN]
    return seat_everybody(make_clue(setup), setup.name, opponents, setup.seed, setup.seat, hidden)


def setup_of(session: Session, fill_sheet: bool = True, practice: bool = False) -> Setup:
    """The set-up of a game that was begun."""
    name = session.names[seat_of_person(session)]
    artificial = [sitter for sitter in session.sitters if sitter.agent is not None]
    opponents = tuple(HIDDEN if sitter.hidden else sitter.spec for sitter in artificial)
    return Setup(session.seed, name, opponents, 0, session.game.spec, fill_sheet, practice)


def known_from_now(setup: Setup, session: Session) -> Setup:
    """The set-up of the next game at a table at whose end all strategies were told."""
    specs = tuple(sitter.spec for sitter in session.sitters if sitter.agent is not None)
    return replace(setup, opponents=specs)


def ask_setup(prompter: Prompter, setup: Setup, given: Collection[str]) -> Setup:
    """Ask for the fields of a set-up that are not among `given`; LeftTable where the person leaves."""
    set_commands(prompter, replace(setup, deal=0))
    prompter.say(_("Speed Clue: find out who, with what, and where."), style="bold")
    prompter.say(
        _(
            "A few questions first; back returns to the question before, and help, rules, cards, players and quit work at every "
            "prompt."
        )
    )
    return _Asking(prompter, setup, given).ask()


class _Asking:
    """What has been answered so far: a set-up whose opponents are HIDDEN until their strategies are known."""

    def __init__(self, prompter: Prompter, setup: Setup, given: Collection[str]) -> None:
        self.prompter = prompter
        self.setup = setup
        self.given = given
        self.known = False
        self.agents = Agents("speed_clue")

    def ask(self) -> Setup:
        """Everything that is not given."""
        others = [partial(self.ask_strategy, number) for number in range(MAX_OPPONENTS)]
        steps: list[Callable[[], None]] = [] if "name" in self.given else [self.ask_name]
        steps += [] if "opponents" in self.given else [self.ask_count, self.ask_whether_known, *others]
        steps += [self.ask_deal] + ([] if "practice" in self.given else [self.ask_practice])
        ask_in_order(self.prompter, steps)
        return self.setup

    def ask_name(self) -> None:
        """What the person is called."""
        name = self.prompter.choose(_("Your name (Enter: {you})", you=_(YOU)), lambda text: check_name(text or _(YOU)))
        self.setup = replace(self.setup, name=name)

    def ask_count(self) -> None:
        """How many artificial players there are."""
        usual = MIN_OPPONENTS
        count = self.prompter.choose(
            _(
                "How many artificial players ({low} to {high}; Enter: {usual})",
                low=MIN_OPPONENTS,
                high=MAX_OPPONENTS,
                usual=usual,
            ),
            lambda text: whole_number(MIN_OPPONENTS, MAX_OPPONENTS)(text or str(usual)),
        )
        self.setup = replace(self.setup, opponents=(HIDDEN,) * count)

    def ask_whether_known(self) -> None:
        """Whether their strategies are known."""
        kinds = {KNOWN: True, HIDDEN: False}
        self.known = self.prompter.choose(
            _("Their strategies: known to you, or hidden until the end (Enter: {usual})", usual=KNOWN),
            lambda text: one_of(kinds)(text or KNOWN),
            kinds,
        )
        self.setup = replace(self.setup, opponents=(HIDDEN,) * len(self.setup.opponents))

    def ask_strategy(self, number: int) -> None:
        """The strategy of the artificial player with this number, counted from 0."""
        opponents = [*self.setup.opponents]
        if not self.known or number >= len(opponents):
            return
        opponents[number] = self.prompter.choose(
            _(
                "Strategy of artificial player {number} ({some}, ...; Enter: {usual})",
                number=number + 1,
                some=joined(HIDDEN_FROM, "or"),
                usual=HIDDEN_FROM[0],
            ),
            self._strategy,
            [*self.agents.names(), HIDDEN],
        )
        self.setup = replace(self.setup, opponents=tuple(opponents))

    def _strategy(self, text: str) -> str:
        if text != HIDDEN:
            self.agents.make(text or HIDDEN_FROM[0])
        return text or HIDDEN_FROM[0]

    def ask_deal(self) -> None:
        """The deal, where none was given that fits the players."""
        if not ("deal" in self.given and can_be_dealt(self.prompter, self.setup)):
            self.setup = replace(self.setup, deal=ask_deal(self.prompter, replace(self.setup, deal=0)))

    def ask_practice(self) -> None:
        """Whether there is help."""
        self.setup = replace(self.setup, practice=ask_practice(self.prompter))


def can_be_dealt(prompter: Prompter, setup: Setup) -> bool:
    """Whether the deal that was given fits the players; where it does not, that is said."""
    try:
        make_clue(setup)
    except BadInput as error:
        prompter.complain(error)
        return False
    return True


def ask_deal(prompter: Prompter, setup: Setup) -> int:
    """A random deal, or a listed one."""

    def take(text: str) -> int:
        if text == "" or "random".startswith(text.lower()):
            return 0
        deal = whole_number(1, 8)(text)
        make_clue(replace(setup, deal=deal))
        return deal

    return prompter.choose(_("Deal: random (Enter), or a listed one (1 to 8)"), take, ("random",))


def set_commands(prompter: Prompter, setup: Setup) -> None:
    """The commands of the prompts at which no cards are dealt."""
    game = make_clue(setup)

    def not_dealt() -> None:
        prompter.say(_("The cards are not dealt yet."))

    def tell_rules() -> None:
        prompter.say(rules_of(game))

    def tell_cards() -> None:
        for line in card_lines(game.edition, game.edition.names, codes=True):
            prompter.say(line, indent=INDENT)

    def tell_help() -> None:
        prompter.say(
            _(
                "Answer the question, or write rules, cards, players or quit. players lists who can play. Once the cards are "
                "dealt: hand, sheet, record."
            )
        )
        say_what_back_does(prompter)

    prompter.with_rest.clear()
    prompter.commands = dict.fromkeys(("hand", "sheet", "words", "record", *COMMANDS, *SAVING), not_dealt) | {
        "rules": tell_rules,
        "cards": tell_cards,
        "players": lambda: tell_players(prompter, game),
        "help": tell_help,
    }


def play_game(setup: Setup, prompter: Prompter, tell: bool = True) -> Session:
    """Play one game to its end; the finished session. LeftTable where the person leaves.

    `tell` says whether strategies are told: at the beginning those that are not hidden, at the end all.
    """
    session = seat_table(setup)
    play_session(session, setup, prompter, Keeper(), tell)
    return session


def play_session(session: Session, setup: Setup, prompter: Prompter, keeper: Keeper, tell: bool = True) -> None:
    """Play a game to its end, begun before or not, keeping it after every move; LeftTable where the person leaves."""
    seat = seat_of_person(session)
    place = session.place(seat)
    others = [other for other in range(len(session.sitters)) if other != seat]
    seated = [
        session.names[other]
        + (f" ({session.sitters[other].spec})" if tell and not session.sitters[other].hidden else "")
        for other in others
    ]
    tell_who_sits(prompter, session, seat, seated)
    try:
        table = ClueTable(place, prompter, setup.fill_sheet, Practice(session, seat) if setup.practice else None)
        keeper.play(table, session, prompter)
        looks = Looks.of(prompter, (*table.looks, *(["why"] if setup.practice else [])))
    finally:
        set_commands(prompter, setup)
    tell_ending(session, prompter, tell)
    looks.go_on(prompter)


def tell_ending(session: Session, prompter: Prompter, tell: bool) -> None:
    """Who won, what the envelope held, and (`tell`) with which strategies."""
    outcome, truth, game = session.outcome, session.truth(), check_game("the table", session.game)
    if outcome is None:
        raise BadInput("the game is not over")
    turns = int(game.turns(truth)[0])
    if outcome.winners:
        winner = outcome.winners[0]
        won = (
            later("You win in turn {turns}: {reason}.")
            if session.sitters[winner].agent is None
            else later("{name} wins in turn {turns}: {reason}.")
        )
        text = _(won, name=session.sitters[winner].name, turns=turns, reason=_(outcome.reason))
    else:
        text = _("Nobody wins after {turns} turns: {reason}.", turns=turns, reason=_(outcome.reason))
    prompter.say()
    prompter.say(text, style="bold")
    envelope = cards_said(cards_of(int(truth["envelope"][0]), game.edition))
    prompter.say(_("The envelope held {cards}.", cards=envelope))
    if tell:
        played = (f"{sitter.name} {sitter.spec}" for sitter in session.sitters if sitter.agent is not None)
        prompter.say(_("Strategies: {players}. Seed {seed}.", players=", ".join(played), seed=session.seed))


def warm_up(setup: Setup) -> None:
    """Play a game without the person, so that all kernels are compiled or loaded before they are asked anything."""
    players = (game_entry("speed_clue").adviser if setup.practice else HIDDEN_FROM[0], *draw_hidden(setup).opponents)
    session = play_without_people(make_clue(setup), players, PERSON_SEAT)
    FilledSheet(session.game.friendly_view(session.view(PERSON_SEAT)))
    if setup.practice:
        Practice(seat_table(setup), PERSON_SEAT).warm_up()
