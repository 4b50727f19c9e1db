"""Events made from a table of the file of a tournament; whatever is wrong in it is named with its key."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path

from molehunt.agents.registry import Agents
from molehunt.arena.agent_files import AgentFile, load_agents
from molehunt.arena.isolation import Isolation, load_isolated
from molehunt.arena.match import CHUNK, SLOW_CHUNK, check_roles, seat_match
from molehunt.arena.seating import Chair, parse_seats
from molehunt.arena.tournament.definition import EventText, StopText, pairs_of
from molehunt.arena.tournament.events import ANY, Event, Stop
from molehunt.arena.tournament.lineups import Lineup, free_lineups, role_lineups, seatings_of, taken
from molehunt.core.errors import BadInput, UnknownName
from molehunt.core.game import Game
from molehunt.core.specs import split_spec
from molehunt.core.streams import game_seeds
from molehunt.core.toml_files import speaking_of
from molehunt.core.words import counted
from molehunt.games.registry import game_entry, split_label

COMPARED_BY_ITSELF = 5
"""Up to so many players, all pairs are compared where the file names no pair."""


def load_players(game: str, files: Sequence[Path], isolation: Isolation | None) -> tuple[Agents, tuple[AgentFile, ...]]:
    """The players of a game with those of files, isolated or not."""
    return load_isolated(game, files, isolation) if isolation else load_agents(game, files)


def events_of(  # noqa: PLR0913, PLR0917 - a table of the file, and what stands at its top
    text: EventText,
    stop: StopText | None,
    files: Sequence[Path],
    seed: int,
    place: str,
    first: int,
    isolation: Isolation | None,
) -> list[Event]:
    """The events of one table: one for each number of seats and each set of roles."""
    if text.game is None:
        raise BadInput(f"{place} needs the key game: 'saboteur/krisnadi'")
    with speaking_of(f"game of {place}"):
        name, ruleset = split_label(text.game)
        fewest, most = game_entry(name).ruleset_entry(ruleset).seat_limits
        game_entry(name).read(*split_spec(ruleset))
    with speaking_of(f"agents_from of {place}"):
        agents, _ = load_players(name, files, isolation)
    if text.sample is not None and text.seatings not in (None, "balanced"):
        raise BadInput(f"sample of {place} is read where seatings is 'balanced', and here it is {text.seatings!r}")
    sizes = text.seats if isinstance(text.seats, list) else [text.seats]
    roles = text.roles if isinstance(text.roles, list) else [text.roles]
    if not sizes or not roles:
        raise BadInput(f"{place}: seats and roles must not be empty lists")
    result: list[Event] = []
    several = len(sizes) * len(roles) > 1
    for size in sizes:
        for each in roles:
            teams = _teams(name, each, size, place)
            seats = sum(teams.values()) if teams else size
            if teams is None and seats is None and not isinstance(text.lineups, list):
                seats = game_entry(name).seats_of(ruleset)
            if seats is not None and not fewest <= seats <= most:
                key = "seats" if size is not None else "roles"
                limits = counted(most, "seat") if fewest == most else f"{fewest} to {most} seats"
                raise BadInput(f"{key} of {place}: {name}/{ruleset} is played by {limits}, not {seats}")
            suffix = " ".join(f"{count} {role}" for role, count in teams.items()) if teams else f"{seats} seats"
            title = text.name or text.game
            title = f"{title}, {suffix}" if several else title
            result.append(
                _Maker(text, title, place, f"{name}/{ruleset}", agents, seed).make(
                    first + len(result), teams, seats, stop
                )
            )
    return result


def _teams(game: str, roles: Mapping[str, int] | None, seats: int | None, place: str) -> dict[str, int] | None:
    """How many seats have each role, the role not named having the rest; None where roles are dealt."""
    if not roles:
        return None
    known = game_entry(game).roles
    if not known:
        raise BadInput(f"{place}: {game} has no roles, so leave roles out")
    for role, count in roles.items():
        if role not in known:
            raise UnknownName(f"role in {place}", role, known)
        if count < 0:
            raise BadInput(f"{place}: so many seats cannot be {role}: {count}")
    teams = dict(roles)
    rest = [role for role in known if role not in teams]
    named = sum(teams.values())
    if rest and seats is None:
        raise BadInput(f"{place} needs the key seats, or roles must say how many are {' and '.join(rest)}")
    if rest and seats is not None:
        if len(rest) > 1 or seats < named:
            raise BadInput(f"{place}: {named} roles are named for {seats} seats")
        teams[rest[0]] = seats - named
    elif seats is not None and named != seats:
        raise BadInput(f"{place}: the roles are for {named} seats, and seats is {seats}")
    return teams


@dataclass
class _Maker:
    """Makes an event from its table."""

    text: EventText
    title: str
    place: str
    label: str
    agents: Agents
    seed: int

    def make(self, number: int, teams: Mapping[str, int] | None, seats: int | None, stop: StopText | None) -> Event:
        """The event; BadInput says what is wrong with it."""
        lineups = self._lineups(teams, seats)
        seated = [
            Lineup(chairs, seatings_of(chairs, self.text.seatings or "balanced", self.text.sample, self.seed))
            for chairs in lineups
        ]
        with self._key("lineups" if isinstance(self.text.lineups, list) else "roles" if teams else "seats"):
            matches = [seat_match(self.label, lineup.chairs, self.agents) for lineup in seated]
            if isinstance(self.text.lineups, list):  # `roles` says the numbers in so many words
                for lineup in seated:
                    check_roles(self.label, lineup.chairs)
                    self._check_seats(teams, lineup)
        game = matches[0].game
        if self.text.deals is None and stop is None:
            raise BadInput(f"{self.title} needs the key deals: how many deals every lineup plays")
        players = tuple(dict.fromkeys(chair.agent for lineup in seated for chair in lineup.chairs))
        if self.text.players is not None:  # in the order in which they are listed
            listed = self._named("players", self.text.players)
            players = tuple(dict.fromkeys([*(name for name in listed if name in players), *players]))
        fast = [all(agent.in_batches for agent in match.agents) for match in matches]
        made = self._stop(stop, players, game, all(fast), lineups)
        deals = self.text.deals or 1_000_000
        block = min(made.every if made else CHUNK, deals)
        return Event(
            number=number,
            name=self.title,
            label=self.label,
            seats=game.seats,
            players=players,
            roles=game.roles if keeps_roles(game) else (ANY,),
            lineups=tuple(seated),
            deals=deals,
            compare=self._pairs(players),
            stop=made,
            block=block,
            chunks=tuple(CHUNK if quick else SLOW_CHUNK for quick in fast),
            endings=game.outcome_names(),
        )

    def _key(self, key: str) -> AbstractContextManager[None]:
        """What is wrong within is wrong in this key."""
        return speaking_of(f"{key} of {self.place}")

    def _named(self, key: str, specs: Iterable[str]) -> list[str]:
        """The players of a key, each once, by their names in short."""
        with self._key(key):
            return list(dict.fromkeys(self.agents.make(spec).name for spec in specs))

    def _lineups(self, teams: Mapping[str, int] | None, seats: int | None) -> list[tuple[Chair, ...]]:
        """The lineups, each player named in short."""
        text = self.text
        if isinstance(text.lineups, list):
            roles = game_entry(self.agents.game).roles
            with self._key("lineups"):
                listed = [parse_seats(each, self.agents.names(), roles) for each in text.lineups]
                lineups = [tuple(self._short(chair) for chair in chairs) for chairs in listed]
            sizes = {len(chairs) for chairs in lineups}
            if len(sizes) > 1 or (seats is not None and sizes != {seats}):
                raise BadInput(
                    f"{self.title}: all lineups must have the same number of seats{f', {seats}' if seats else ''}"
                )
            if len({chairs[0].role is None for chairs in lineups}) > 1:
                raise BadInput(f"{self.title}: either every lineup names its roles or none does")
            return taken(iter(lineups), self.title)
        if teams is not None:
            return taken(role_lineups(teams, self._role_players(teams), text.lineups or "pairs"), self.title)
        if text.role_players is not None:
            raise BadInput(f"{self.title}: role_players needs roles, e.g. roles = {{saboteur = 2}}")
        if not text.players:
            raise BadInput(f"{self.title} needs the key players: a list of players")
        assert seats is not None  # noqa: S101 - `_events` has the game's usual number where none is given
        players = self._named("players", text.players)
        usual = "pairs" if seats == 2 else "different" if len(players) >= seats else "mixes"
        return taken(free_lineups(seats, players, text.lineups or usual), self.title)

    @staticmethod
    def _check_seats(teams: Mapping[str, int] | None, lineup: Lineup) -> None:
        """BadInput where a lineup that is listed seats other roles than the key `roles` asks for."""
        if teams is not None and Counter(chair.role for chair in lineup.chairs) != Counter(teams):
            wanted = ", ".join(f"{count} {role}" for role, count in teams.items())
            raise BadInput(f"roles seats {wanted}, and {lineup} does not")

    def _role_players(self, teams: Mapping[str, int]) -> dict[str, list[str]]:
        given = dict(self.text.role_players or {})
        for role in given:
            if role not in teams:
                raise UnknownName(f"role in role_players of {self.title}", role, teams)
        result = {}
        for role in teams:
            specs = given.get(role, self.text.players)
            if not specs:
                raise BadInput(f"{self.title}: who plays {role}? Give players, or role_players = {{{role} = [...]}}")
            result[role] = self._named("role_players" if role in given else "players", specs)
        return result

    def _short(self, chair: Chair) -> Chair:
        return Chair(self.agents.make(chair.agent).name, chair.role)

    def _pair(self, key: str, pair: Sequence[str], players: Sequence[str]) -> tuple[str, str]:
        with self._key(key):
            names = [self.agents.make(spec).name for spec in pair]
        for name in names:
            if name not in players:
                raise UnknownName(f"player to compare in {key} of {self.place}", name, players)
        return names[0], names[1]

    def _pairs(self, players: Sequence[str]) -> tuple[tuple[str, str], ...]:
        """The pairs to compare: those of the file, else all pairs of a few players."""
        if self.text.compare is None:
            return tuple(combinations(players, 2)) if len(players) <= COMPARED_BY_ITSELF else ()
        return tuple(self._pair("compare", pair, players) for pair in pairs_of(self.text.compare))

    def _stop(
        self, stop: StopText | None, players: Sequence[str], game: Game, fast: bool, lineups: Sequence[Sequence[Chair]]
    ) -> Stop | None:
        if stop is None:
            return None
        roles = game.roles if keeps_roles(game) else (ANY,)
        if stop.role is not None and stop.role not in roles:
            raise UnknownName(f"role of stop in {self.title}", stop.role, roles)
        pairs = tuple(self._pair("compare of stop", pair, players) for pair in pairs_of(stop.compare))
        if not pairs:
            raise BadInput("compare of stop must name at least one pair of players")
        played: dict[str, set[str | None]] = {player: set() for player in players}
        for chair in (chair for chairs in lineups for chair in chairs):
            played[chair.agent].add(chair.role)
        for first, second in pairs if stop.role is None else ():
            if played[first] != played[second]:
                both = [role for role in roles if role in played[first] & played[second]]
                raise BadInput(
                    f"{self.title} is to stop when {first} and {second} are compared in all roles, but they do not play the same "
                    + (f"ones: say in which, role = {both[0]!r}" if both else "ones, and none that both play")
                )
        every = stop.every or (CHUNK if fast else 4 * SLOW_CHUNK)
        return Stop(pairs, stop.role, stop.level, stop.margin, stop.least, every)


def keeps_roles(game: Game) -> bool:
    """Whether every seat keeps one role through the whole game, so that roles can be seated."""
    if not game.roles:
        return False
    seeds = game_seeds(0, 0, 1)
    try:
        game.new(seeds, game.roles_of(game.new(seeds)))
    except BadInput:
        return False
    return True
