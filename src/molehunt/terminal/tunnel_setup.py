"""Sitting down at Saboteur or the duel: under which rules, with whom; asked for, or given."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

from molehunt.agents.registry import BUILT_IN, Agents
from molehunt.arena.seating import parse_seats
from molehunt.core.errors import BadInput
from molehunt.core.game import Game
from molehunt.core.specs import split_spec
from molehunt.games.duel.cards import GOAL_PLACES as DUEL_GOALS
from molehunt.games.duel.cards import NUGGET
from molehunt.games.duel.game import Duel
from molehunt.games.registry import game_entry, make_game
from molehunt.games.saboteur.cards import GOAL_PLACES as SABOTEUR_GOALS
from molehunt.games.saboteur.cards import GOLD
from molehunt.games.saboteur.draw.wording import gold_is_counted
from molehunt.games.saboteur.game import Saboteur
from molehunt.games.tunnels.wording import capital, listed
from molehunt.table.session import Place, Session
from molehunt.table.tunnel_words import name_of
from molehunt.table.wording import joined
from molehunt.terminal.duel import RULES, DuelTable
from molehunt.terminal.practice import COMMANDS, PRACTICE_QUESTION, Practice
from molehunt.terminal.prompts import LeftTable, Prompter
from molehunt.terminal.saboteur import SaboteurTable, rules_text
from molehunt.terminal.saving import Keeper, so_far
from molehunt.terminal.sitting import YOU, check_name, play_without_people, seat_everybody, seat_of_person
from molehunt.terminal.tunnels import TunnelTable

SABOTEUR, DUEL = "saboteur", "duel"
USUAL_RULESETS = {SABOTEUR: "official+talk", DUEL: "mcgill"}
USUAL_OPPONENTS = {SABOTEUR: ("kripke-2012",) * 4, DUEL: ("and-or-2020",)}
MAX_DIGITS = 3
FIRST_SEAT_OF_DUEL = 1
"""In the duel seat 1 moves first."""
TITLES = {
    SABOTEUR: "Saboteur: dig for the gold, or hinder those who do.",
    DUEL: "The duel: dig to the nugget before the other.",
}


@dataclass(frozen=True)
class Setup:
    """A game to be played. `opponents` are agents as they are typed; `first` says whether the person begins a duel.

    In a practice game there are hints and reasons, and moves can be taken back.
    """

    game: str
    seed: int
    ruleset: str = ""
    opponents: tuple[str, ...] = ()
    name: str = YOU
    first: bool = True
    practice: bool = False

    def __post_init__(self) -> None:
        # What is not said is as usual.
        object.__setattr__(self, "ruleset", self.ruleset or USUAL_RULESETS[self.game])
        object.__setattr__(self, "opponents", self.opponents or USUAL_OPPONENTS[self.game])

    @property
    def seat(self) -> int:
        """The person's seat."""
        return FIRST_SEAT_OF_DUEL if self.game == DUEL and self.first else 0


def check_opponents(game: str, text: str) -> tuple[str, ...]:
    """The opponents of a text `kripke-2012*4`, `decision-2019,random`, or `4`; BadInput says what would be right."""
    agents = Agents(game)
    if text.isascii() and text.isdecimal() and len(text) < MAX_DIGITS and int(text):
        return (USUAL_OPPONENTS[game][0],) * int(text)
    specs = tuple(chair.agent for chair in parse_seats(text, agents.names(), ()))
    for spec in specs:
        agents.make(spec)
    return specs


def check_ruleset(game: str, text: str) -> str:
    """A ruleset as it is typed; BadInput says what would be right."""
    game_entry(game).read(*split_spec(text))
    return text


def make_tunnels(setup: Setup) -> Game:
    """The game of a set-up; BadInput where it cannot be played so."""
    return make_game(setup.game, setup.ruleset, len(setup.opponents) + 1)


def seat_table(setup: Setup) -> Session:
    """The table of a set-up, dealt; BadInput where it cannot be."""
    return seat_everybody(make_tunnels(setup), setup.name, setup.opponents, setup.seed, setup.seat)


def ask_setup(prompter: Prompter, setup: Setup, given: Collection[str]) -> Setup:
    """Ask for the fields of a set-up that are not among `given`; LeftTable where the person leaves."""
    set_commands(prompter, setup)
    prompter.say(TITLES[setup.game], style="bold")
    prompter.say(
        "A few questions first; Enter takes what stands in brackets. help, rules, players and quit work at every prompt."
    )
    if "name" not in given:
        setup = replace(setup, name=prompter.choose(f"Your name ({YOU})", lambda text: check_name(text or YOU)))
    if "ruleset" not in given and setup.game == SABOTEUR:
        setup = replace(setup, ruleset=ask_ruleset(prompter, setup))
        set_commands(prompter, setup)
    if "opponents" not in given:
        setup = replace(setup, opponents=ask_opponents(prompter, setup))
    if "first" not in given and setup.game == DUEL:
        setup = replace(setup, first=prompter.yes_or_no("Do you begin", "yes"))
    if "practice" not in given:
        setup = replace(setup, practice=prompter.yes_or_no(PRACTICE_QUESTION, "no"))
    return setup


def ask_ruleset(prompter: Prompter, setup: Setup) -> str:
    """The ruleset."""
    names = list(dict.fromkeys([setup.ruleset, *game_entry(SABOTEUR).rulesets]))
    return prompter.choose(
        f"Rules: {joined(names, 'or')} ({setup.ruleset})",
        lambda text: check_ruleset(SABOTEUR, text or setup.ruleset),
        names,
    )


def ask_opponents(prompter: Prompter, setup: Setup) -> tuple[str, ...]:
    """The artificial players: so many of the usual ones, or which."""
    usual = setup.opponents

    def take(text: str) -> tuple[str, ...]:
        specs = check_opponents(setup.game, text) if text else usual
        seat_table(replace(setup, opponents=specs))
        return specs

    what = (
        f"Your opponent ({usual[0]})"
        if setup.game == DUEL
        else f"The others: how many, or which ({usual[0]}*{len(usual)})"
    )
    return prompter.choose(what, take, Agents(setup.game).names())


def set_commands(prompter: Prompter, setup: Setup) -> None:
    """The commands of the prompts at which no cards are dealt."""

    def not_dealt(_: str = "") -> None:
        prompter.say("The cards are not dealt yet.")

    def tell_rules() -> None:
        try:
            game = make_tunnels(setup)
        except BadInput:
            game = make_tunnels(Setup(setup.game, 0))
        prompter.say(rules_text(game) if isinstance(game, Saboteur) else RULES)

    def tell_players() -> None:
        for entry in BUILT_IN:
            if entry.game == setup.game:
                prompter.say(f"{entry.name:<16} {entry.title}", indent=17)

    def tell_help() -> None:
        for name, ruleset in game_entry(setup.game).rulesets.items() if setup.game == SABOTEUR else ():
            prompter.say(f"{name:<10} {ruleset.title}", indent=11)
        prompter.say("Answer the question, or write rules, players or quit. players lists who can play.")

    prompter.with_rest.clear()
    prompter.commands = dict.fromkeys(("board", "hand", "moves", "seats", "log", *COMMANDS), not_dealt) | {
        "rules": tell_rules,
        "players": tell_players,
        "help": tell_help,
    }


def make_table(place: Place, prompter: Prompter, practice: Practice | None = None) -> TunnelTable:
    """The table at a person's place."""
    kind = DuelTable if isinstance(place.game, Duel) else SaboteurTable
    return kind(place, prompter, practice)


def setup_of(session: Session, practice: bool = False) -> Setup:
    """The set-up of a game that was begun."""
    seat = seat_of_person(session)
    opponents = tuple(sitter.spec for sitter in session.sitters if sitter.agent is not None)
    return Setup(
        session.game.name,
        session.seed,
        session.game.spec,
        opponents,
        session.names[seat],
        seat == FIRST_SEAT_OF_DUEL,
        practice,
    )


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
    begins = f"{place.names[session.to_move or 0]} begins" if session.to_move != seat else "You begin"
    if session.actions:
        begins = so_far(session)
    role = f" You are a {place.view.role}." if setup.game == SABOTEUR else ""
    prompter.say()
    prompter.say(
        f"At the table: {setup.name}{'' if setup.name == YOU else ' (you)'}, {', '.join(others)}. {begins}.{role}"
    )
    try:
        table = make_table(place, prompter, Practice(session, seat) if setup.practice else None)
        table.play(lambda: keeper.keep(session, prompter))
    except LeftTable:
        prompter.say("The game was not finished.")
        keeper.tell_how_to_go_on(session, prompter)
        raise
    finally:
        set_commands(prompter, setup)
    prompter.say()
    tell_ending(session, seat, prompter)


def tell_ending(session: Session, seat: int, prompter: Prompter) -> None:
    """Who won, who was who, the gold, the players and the seed."""
    outcome = session.outcome
    if outcome is None:
        raise BadInput("the game is not over")
    winners = [name_of(winner, session.names, seat) for winner in outcome.winners]
    who = listed(sorted(winners, key=lambda name: name != "you"))
    win = "wins" if len(winners) == 1 and winners != ["you"] else "win"
    prompter.say(
        f"{capital(who)} {win}: {outcome.reason}." if winners else f"Nobody wins: {outcome.reason}.", style="bold"
    )
    truth = session.truth()[0]
    if isinstance(session.game, Saboteur):
        tell_roles(session.game.friendly_view(session.view(seat)).past_roles, session, seat, prompter)
        if gold_is_counted(session.game.ruleset):
            gold = (f"{name_of(n, session.names, seat)} {int(paid)}" for n, paid in enumerate(outcome.payoffs))
            prompter.say(f"Gold: {', '.join(gold)}.")
        last = "In the last round the" if session.game.ruleset.rounds > 1 else "The"
        prompter.say(f"{last} gold lay under the {SABOTEUR_GOALS[truth['goals'].tolist().index(GOLD)]} goal.")
    else:
        prompter.say(f"The nugget lay under the {DUEL_GOALS[truth['goals'].tolist().index(NUGGET)]} goal.")
    players = (f"{sitter.name} {sitter.spec}" for number, sitter in enumerate(session.sitters) if number != seat)
    prompter.say(f"Players: {', '.join(players)}. Seed {session.seed}.")


def tell_roles(rounds: Sequence[Sequence[str]], session: Session, seat: int, prompter: Prompter) -> None:
    """Who the saboteurs were in each round."""
    for number, roles in enumerate(rounds, 1):
        saboteurs = [name_of(other, session.names, seat) for other, role in enumerate(roles) if role == "saboteur"]
        title = "Saboteurs" if len(rounds) == 1 else f"Saboteurs of round {number}"
        prompter.say(f"{title}: {', '.join(saboteurs) or 'nobody'}.")


def warm_up(setup: Setup) -> None:
    """Have all kernels at hand that the game will need."""
    person = game_entry(setup.game).adviser if setup.practice else setup.opponents[0]
    players = [*setup.opponents]
    players.insert(setup.seat, person)
    play_without_people(make_tunnels(setup), players, setup.seat)
    if setup.practice:
        Practice(seat_table(setup), setup.seat).warm_up()
