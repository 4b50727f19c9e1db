"""Sitting down at any game: under which rules, with whom; asked for, or given. Nothing here knows a game: its entry says it all."""

from __future__ import annotations

import difflib
import re
from collections.abc import Collection
from dataclasses import dataclass, replace

from molehunt.agents.registry import Agents
from molehunt.arena.seating import parse_seats
from molehunt.core.errors import BadInput
from molehunt.core.game import Game
from molehunt.core.language import _, counted_in
from molehunt.core.position import Position
from molehunt.core.specs import split_spec
from molehunt.core.words import as_sentence, capital, joined
from molehunt.games.registry import GameEntry, game_entry, make_game
from molehunt.table.game_words import rules_of
from molehunt.table.people import GUEST, YOU
from molehunt.table.session import Place, Session
from molehunt.terminal.general import GameTable
from molehunt.terminal.practice import COMMANDS, Practice, ask_practice
from molehunt.terminal.prompts import Prompter
from molehunt.terminal.questions import ask_in_order, say_what_back_does
from molehunt.terminal.saving import SAVING, Keeper
from molehunt.terminal.sitting import (
    Looks,
    check_name,
    offered,
    play_without_people,
    seat_everybody,
    seat_of_person,
    tell_players,
    tell_who_sits,
)

MAX_DIGITS = 3
_NUMBER = re.compile(r"-?\d{1,9}(?:\.\d{1,9})?")


def usual_name(entry: GameEntry) -> str:
    """What a person is called who gives no name: YOU where the game has words, which speak to them; else a name."""
    return _(GUEST) if entry.get("words") is None else _(YOU)


@dataclass(frozen=True)
class Setup:
    """A game to be played. `opponents` are agents as they are typed; `first` says whether the person begins a game of two.

    In a practice game there are hints and reasons, and moves can be taken back.
    """

    game: str
    seed: int
    ruleset: str = ""
    opponents: tuple[str, ...] = ()
    name: str = ""
    first: bool = True
    practice: bool = False

    def __post_init__(self) -> None:
        # What is not said is as usual.
        entry = self.entry
        object.__setattr__(self, "game", entry.name)
        object.__setattr__(self, "name", self.name or usual_name(entry))
        object.__setattr__(self, "ruleset", self.ruleset or next(iter(entry.at_table)))
        others = entry.seats_of(self.ruleset) - 1
        object.__setattr__(self, "opponents", self.opponents or (entry.opponent,) * others)

    @property
    def entry(self) -> GameEntry:
        """What is known of the game."""
        return game_entry(self.game)

    @property
    def is_for_two(self) -> bool:
        """Whether no more than two can play, so that one begins and the other answers."""
        return self.entry.ruleset_entry(self.ruleset).most == 2

    @property
    def seat(self) -> int:
        """The person's seat: in a game of two the one that begins, or the other, else the first."""
        if not self.is_for_two:
            return 0
        begins = Position(make(self), self.seed).to_move
        return begins if self.first else 1 - begins


def check_opponents(game: str, text: str) -> tuple[str, ...]:
    """The opponents of a text `kripke-2012*4`, `decision-2019,random`, or `4`; BadInput says what would be right."""
    agents = Agents(game)
    if text == "0" and game_entry(game).usual_seats == 1:
        return ()
    if text.isascii() and text.isdecimal() and len(text) < MAX_DIGITS and int(text):
        return (game_entry(game).opponent,) * int(text)
    specs = tuple(chair.agent for chair in parse_seats(text, agents.names(), ()))
    for spec in specs:
        agents.make(spec)
    return specs


def check_ruleset(game: str, text: str) -> str:
    """A ruleset as it is typed; BadInput says what would be right."""
    game_entry(game).read(*split_spec(text))
    return text


def make(setup: Setup) -> Game:
    """The game of a set-up; BadInput where it cannot be played so."""
    return make_game(setup.game, setup.ruleset, len(setup.opponents) + 1)


def seat_table(setup: Setup) -> Session:
    """The table of a set-up, dealt; BadInput where it cannot be."""
    return seat_everybody(make(setup), setup.name, setup.opponents, setup.seed, setup.seat)


def ask_setup(prompter: Prompter, setup: Setup, given: Collection[str]) -> Setup:
    """Ask for the fields of a set-up that are not among `given`; LeftTable where the person leaves."""
    set_commands(prompter, setup)
    prompter.say(as_sentence(_(setup.entry.title)), style="bold")
    prompter.say(
        _(
            "A few questions first; Enter takes what stands in brackets, back returns to the question before. help, rules, "
            "players and quit work at every prompt."
        )
    )
    return _Asking(prompter, setup, given).ask()


class _Asking:
    """What has been answered so far; `usual` are the answers that Enter gives, under the rules that were chosen."""

    def __init__(self, prompter: Prompter, setup: Setup, given: Collection[str]) -> None:
        self.prompter = prompter
        self.setup = self.usual = setup
        self.given = given
        self.rulesets = _rulesets(setup)

    def ask(self) -> Setup:
        """Everything that is not given."""
        steps = {
            "name": self.ask_name,
            "ruleset": self.ask_ruleset,
            "opponents": self.ask_opponents,
            "first": self.ask_first,
            "practice": self.ask_practice,
        }
        ask_in_order(self.prompter, [step for field, step in steps.items() if field not in self.given])
        return self.setup

    def ask_name(self) -> None:
        """What the person is called."""
        usual = usual_name(self.setup.entry)
        name = self.prompter.choose(_("Your name ({you})", you=usual), lambda text: check_name(text or usual))
        self.setup = replace(self.setup, name=name)

    def ask_ruleset(self) -> None:
        """The rules, with which the usual opponents may change."""
        if len(self.rulesets) < 2:
            return
        ruleset = ask_ruleset(self.prompter, replace(self.setup, ruleset=self.rulesets[0]))
        self.setup = replace(self.setup, ruleset=ruleset)
        if "opponents" not in self.given:
            self.usual = self.setup = replace(self.setup, opponents=())
        set_commands(self.prompter, self.setup)

    def ask_opponents(self) -> None:
        """Against whom; one who plays alone meets nobody."""
        if self.setup.entry.ruleset_entry(self.setup.ruleset).most == 1:
            return
        usual = replace(self.setup, opponents=self.usual.opponents)
        self.setup = replace(self.setup, opponents=ask_opponents(self.prompter, usual))

    def ask_first(self) -> None:
        """Who begins, in a game of two."""
        if self.setup.is_for_two:
            self.setup = replace(self.setup, first=self.prompter.yes_or_no(_("Do you begin"), "yes"))

    def ask_practice(self) -> None:
        """Whether there is help."""
        self.setup = replace(self.setup, practice=ask_practice(self.prompter))


def _rulesets(setup: Setup) -> list[str]:
    """The rulesets to choose from, the usual one first."""
    return list(dict.fromkeys([setup.ruleset, *setup.entry.rulesets]))


def ask_ruleset(prompter: Prompter, setup: Setup) -> str:
    """The ruleset."""
    names = _rulesets(setup)
    return prompter.choose(
        _("Rules: {names} ({usual})", names=joined(names, "or"), usual=setup.ruleset),
        lambda text: check_ruleset(setup.game, text or setup.ruleset),
        names,
    )


def ask_opponents(prompter: Prompter, setup: Setup) -> tuple[str, ...]:
    """The artificial players: so many of the usual ones, or which."""
    usual = setup.opponents

    def take(text: str) -> tuple[str, ...]:
        specs = _understood_opponents(setup, text) if text else usual
        seat_table(replace(setup, opponents=specs))
        return specs

    if not usual:
        what = _("The others: how many, or which (nobody)")
    elif setup.is_for_two:
        what = _("Your opponent ({usual})", usual=usual[0])
    else:
        what = _("The others: how many, or which ({usual}*{number})", usual=usual[0], number=len(usual))
    return prompter.choose(what, take, [entry.name for entry in offered(_some_game(setup))])


def _understood_opponents(setup: Setup, text: str) -> tuple[str, ...]:
    """The opponents of an answer; BadInput says in the words of the question what would be right."""
    fewest, most = (seats - 1 for seats in setup.entry.ruleset_entry(setup.ruleset).seat_limits)
    number = _("{low} to {high}", low=fewest, high=most) if fewest < most else str(fewest)
    agents = Agents(setup.game).names()
    if not _NUMBER.fullmatch(text):
        try:
            parse_seats(text, agents, ())
        except BadInput:
            raise BadInput(" ".join(_not_understood(setup, text, fewest, number))) from None
    elif "." in text or not fewest <= int(text) <= most:
        raise BadInput(_wrong_number(setup, number, text))
    specs = check_opponents(setup.game, text)
    if not fewest <= len(specs) <= most:
        raise BadInput(_wrong_number(setup, number, str(len(specs))))
    return specs


def _wrong_number(setup: Setup, number: str, wanted: str) -> str:
    """That so many others cannot play, but `number` can."""
    if setup.is_for_two:
        return _("you have one opponent, not {wanted}; write who that is, players lists them", wanted=f"{wanted:.40}")
    return _("with these rules {number} others can play, not {wanted}", number=number, wanted=f"{wanted:.40}")


def _not_understood(setup: Setup, text: str, fewest: int, number: str) -> list[str]:
    """Sentences about an answer that names no players."""
    names = [entry.name for entry in offered(_some_game(setup))]
    word = next((word for word in re.split(r"[\s,*:]+", text.lower()) if word not in {*names, ""}), "")
    close = [] if word.isdecimal() else difflib.get_close_matches(word, names, n=1)
    parts = [_("{typed} is not understood.", typed=f"{text!r:.40}")]
    if close:
        parts.append(_("Did you mean {close}?", close=close[0]))
    if setup.is_for_two:
        right = _("Write who it is, as {example}; players lists them", example=names[0])
    else:
        example = f"{names[0]}*{max(2, fewest)}"
        right = _(
            "Write how many ({number}) or which, as {example}; players lists them", number=number, example=example
        )
    return [*parts, right]


def _some_game(setup: Setup) -> Game:
    """The game, or, where as many as were wished do not play it, that of as many as usual."""
    try:
        return make(setup)
    except BadInput:
        return make(Setup(setup.game, 0, setup.ruleset))


def set_commands(prompter: Prompter, setup: Setup) -> None:
    """The commands of the prompts at which no cards are dealt."""

    def not_dealt(_rest: str = "") -> None:
        prompter.say(_("The cards are not dealt yet."))

    def tell_rules() -> None:
        prompter.say(rules_of(_some_game(setup)))

    def tell_help() -> None:
        names = _rulesets(setup)
        wide = max(map(len, names)) + 1
        for name in names if len(names) > 1 else ():
            ruleset = setup.entry.rulesets.get(name) or setup.entry.ruleset_entry(name)
            prompter.say(f"{name:<{wide}} {_(ruleset.title)}", indent=wide + 1)
        prompter.say(_("Answer the question, or write rules, players or quit. players lists who can play."))
        say_what_back_does(prompter)

    prompter.with_rest.clear()
    prompter.commands = dict.fromkeys((*table_kind(setup.entry).commands, *COMMANDS, *SAVING), not_dealt) | {
        "rules": tell_rules,
        "players": lambda: tell_players(prompter, _some_game(setup)),
        "help": tell_help,
    }


def table_kind(entry: GameEntry) -> type[GameTable]:
    """How a game is shown in a terminal: in its own way, or in the general one."""
    kind: type[GameTable] | None = entry.get("terminal")
    return kind or GameTable


def make_table(place: Place, prompter: Prompter, practice: Practice | None = None) -> GameTable:
    """The table at a person's place."""
    return table_kind(game_entry(place.game.name))(place, prompter, practice)


def setup_of(session: Session, practice: bool = False) -> Setup:
    """The set-up of a game that was begun."""
    seat = seat_of_person(session)
    opponents = tuple(sitter.spec for sitter in session.sitters if sitter.agent is not None)
    first = session.before(1).to_move == seat
    setup = Setup(session.game.name, session.seed, session.game.spec, opponents, session.names[seat], True, practice)
    return replace(setup, first=first) if setup.is_for_two else setup


def play_game(setup: Setup, prompter: Prompter) -> Session:
    """Play one game to its end; the finished session. LeftTable where the person leaves."""
    session = seat_table(setup)
    play_session(session, setup, prompter, Keeper())
    return session


def play_session(session: Session, setup: Setup, prompter: Prompter, keeper: Keeper) -> None:
    """Play a game to its end, begun before or not, keeping it after every move; LeftTable where the person leaves."""
    seat = seat_of_person(session)
    place = session.place(seat)
    others = [f"{sitter.name} ({sitter.spec})" for other, sitter in enumerate(session.sitters) if other != seat]
    role = getattr(place.view, "role", None) if setup.entry.roles else None
    told = f" {table_kind(setup.entry).role_line(role)}" if role else ""
    tell_who_sits(prompter, session, seat, others, told)
    try:
        table = make_table(place, prompter, Practice(session, seat) if setup.practice else None)
        keeper.play(table, session, prompter)
        looks = Looks.of(prompter, (*table.looks, *(["why"] if setup.practice else [])))
    finally:
        set_commands(prompter, setup)
    prompter.say()
    tell_ending(session, seat, prompter)
    looks.go_on(prompter)


def tell_ending(session: Session, seat: int, prompter: Prompter) -> None:
    """Who won, what was hidden, the players and the seed."""
    outcome = session.outcome
    if outcome is None:
        raise BadInput("the game is not over")
    # The reader is named first, whatever the seat.
    winners = [_("you")] * (seat in outcome.winners)
    winners += [session.names[winner] for winner in outcome.winners if winner != seat]
    who, reason = capital(joined(winners)), _(outcome.reason)
    if not winners:
        told = _("Nobody wins: {reason}.", reason=reason)
    elif seat not in outcome.winners:
        told = counted_in("{who} wins: {reason}.", "{who} win: {reason}.", len(winners), who=who, reason=reason)
    elif len(winners) == 1:
        told = _("You win: {reason}.", reason=reason)
    else:
        told = _("{you_and_others} win: {reason}.", you_and_others=who, reason=reason)
    prompter.say(told, style="bold")
    for line in table_kind(game_entry(session.game.name)).ending(session, seat):
        prompter.say(line)
    players = [f"{sitter.name} {sitter.spec}" for number, sitter in enumerate(session.sitters) if number != seat]
    if players:
        prompter.say(_("Players: {players}. Seed {seed}.", players=", ".join(players), seed=session.seed))
    else:
        prompter.say(_("Seed {seed}.", seed=session.seed))


def warm_up(setup: Setup) -> None:
    """Have all kernels at hand that the game will need."""
    person = setup.entry.adviser if setup.practice or not setup.opponents else setup.opponents[0]
    players = [*setup.opponents]
    players.insert(setup.seat, person)
    play_without_people(make(setup), players, setup.seat)
    if setup.practice:
        Practice(seat_table(setup), setup.seat).warm_up()
