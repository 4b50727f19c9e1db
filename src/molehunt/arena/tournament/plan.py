"""The plan of a tournament: its events, lineups and seatings, and all its work in order, from the file and the seed alone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, suppress
from dataclasses import dataclass, field, replace
from itertools import combinations
from pathlib import Path
from typing import Any

import msgspec

from molehunt import __version__
from molehunt.agents.registry import Agents
from molehunt.arena.agent_files import AgentFile, load_agents
from molehunt.arena.isolation import Isolation, load_isolated
from molehunt.arena.match import CHUNK, SLOW_CHUNK, MatchSpec, check_roles, seat_match
from molehunt.arena.seating import Chair, parse_seats
from molehunt.arena.tournament.definition import EventText, StopText, TournamentText, pairs_of
from molehunt.arena.tournament.failed import Failed, left_to_play
from molehunt.arena.tournament.lineups import Lineup, Seating, free_lineups, role_lineups, seatings_of, taken
from molehunt.core.errors import AgentFailure, BadInput, UnknownName
from molehunt.core.game import Game
from molehunt.core.made import rules_and_players
from molehunt.core.specs import split_spec
from molehunt.core.streams import game_seeds
from molehunt.core.toml_files import speaking_of
from molehunt.core.words import counted
from molehunt.games.registry import game_entry, split_label

COMPARED_BY_ITSELF = 5
"""Up to so many players, all pairs are compared where the file names no pair."""
EVENTS = "events"
"""What holds the events in an identity."""
LEFT_OUT = "players left out"
"""What names in an identity who cannot be made."""
ANY = "any"
"""The role of all seats in a game whose seats have no roles, or change them."""


@dataclass(frozen=True)
class Stop:
    """When an event stops: when each of these pairs is decided, looked at every `every` deals; see `stopping`."""

    compare: tuple[tuple[str, str], ...]
    role: str | None
    level: float
    margin: float | None
    least: int
    every: int


@dataclass(frozen=True)
class Event:
    """A game with its lineups. `players` are as typed in short; `roles` are the roles that statistics tell apart, [ANY] without.

    `block` is how many deals all lineups play before any plays further ones; `chunks` how many of them make a unit, by lineup.
    """

    number: int
    name: str
    label: str
    seats: int
    players: tuple[str, ...]
    roles: tuple[str, ...]
    lineups: tuple[Lineup, ...]
    deals: int
    compare: tuple[tuple[str, str], ...]
    stop: Stop | None
    block: int
    chunks: tuple[int, ...]
    endings: tuple[str, ...]

    @property
    def seatings(self) -> int:
        """Games that one deal is played in."""
        return sum(len(lineup.seatings) for lineup in self.lineups)

    @property
    def games(self) -> int:
        """Games that the event has if it is not stopped."""
        return self.deals * self.seatings


@dataclass(frozen=True)
class Unit:
    """A piece of work: some deals of a lineup in one seating. `number` is its place in the plan."""

    number: int
    event: int
    lineup: int
    seating: int
    first: int
    deals: int


@dataclass(frozen=True)
class Plan:
    """A whole tournament. `agent_files` are the files with players of one's own, `identity` is what must agree to go on with it.

    `failed` are files and players that are left out, so that the others can play.
    """

    name: str
    seed: int
    events: tuple[Event, ...]
    records: bool
    agent_files: tuple[AgentFile, ...] = ()
    isolation: Isolation | None = None
    identity: dict[str, Any] = field(default_factory=dict)
    failed: tuple[Failed, ...] = ()

    @property
    def games(self) -> int:
        """Games of all events if none is stopped."""
        return sum(event.games for event in self.events)

    def seating_of(self, unit: Unit) -> Seating:
        """Which chair sits on each seat in a unit."""
        return self.events[unit.event].lineups[unit.lineup].seatings[unit.seating]

    def match_of(self, event: Event, lineup: Lineup) -> MatchSpec:
        """The match that a lineup plays."""
        return MatchSpec(event.label, lineup.chairs, self.agent_files, isolation=self.isolation)

    def matches(self) -> Iterator[MatchSpec]:
        """The matches of all lineups, event by event."""
        return (self.match_of(event, lineup) for event in self.events for lineup in event.lineups)

    def units(self) -> Iterator[Unit]:
        """All units, in the order in which they are counted: block by block, in each block event by event."""
        number = 0
        for first in self._blocks():
            for event in self.events:
                if first >= event.deals or first % event.block:
                    continue
                end = min(first + event.block, event.deals)
                for which, lineup in enumerate(event.lineups):
                    for seating in range(len(lineup.seatings)):
                        for start in range(first, end, event.chunks[which]):
                            count = min(event.chunks[which], end - start)
                            yield Unit(number, event.number, which, seating, start, count)
                            number += 1

    def _blocks(self) -> Iterator[int]:
        """The deals at which a block of some event begins, in order."""
        begins = {event.number: 0 for event in self.events}
        while begins:
            first = min(begins.values())
            yield first
            for event in self.events:
                if begins.get(event.number) == first:
                    begins[event.number] = first + event.block
                    if begins[event.number] >= event.deals:
                        del begins[event.number]


def make_plan(
    text: TournamentText,
    folder: Path,
    games: int | None = None,
    seed: int | None = None,
    hidden: Sequence[Path | None] = (),
) -> Plan:
    """The plan of a file that lies in `folder`. `games` asks for so many games in all instead of the file's deals; BadInput.

    What is `hidden`, the file itself and where results are kept, isolated players may not open.

    Of several files of players those that fail are left out. AgentFailure where there is only one, or nothing would be left.
    """
    place = folder.absolute()  # a file that is loaded may make another folder the current one
    if seed is not None:
        text = msgspec.structs.replace(text, seed=seed)
    isolation = _isolation(text, hidden)
    try:
        return _plan(text, place, games, (), isolation)
    except (AgentFailure, BadInput):
        events = [_with_defaults(each, text) for each in text.event or [EventText()]]
        rest = None
        with suppress(BadInput):  # what is wrong with the file itself was said, with its key
            rest = left_to_play(text, events, place, lambda game, files: _load(game, files, isolation)[0])
        if rest is None:
            raise
    return _plan(rest.text, place, games, rest.failed, isolation)


def _plan(
    text: TournamentText, folder: Path, games: int | None, failed: tuple[Failed, ...], isolation: Isolation | None
) -> Plan:
    files = [folder / name for name in text.agents_from]
    events: list[Event] = []
    for number, each in enumerate(text.event or [EventText()], start=1):
        place = f"event {number}" if text.event else "the tournament"
        events += _events(_with_defaults(each, text), text.stop, files, text.seed, place, len(events), isolation)
    if games is not None:
        events = _with_games(events, games)
    names = [event.name for event in events]
    for name in names:
        if names.count(name) > 1:
            raise BadInput(f"name of event: two events are called {name!r}; give each a name of its own")
    plan = Plan(
        text.name or "tournament",
        text.seed,
        tuple(events),
        text.records,
        _load(split_label(events[0].label)[0], files, isolation)[1],
        isolation,
        failed=failed,
    )
    return replace(plan, identity=_identity(plan))


def _isolation(text: TournamentText, hidden: Sequence[Path | None]) -> Isolation | None:
    """How foreign players are isolated; None where they are not."""
    return Isolation(text.isolate_seconds, text.isolate_memory).and_hidden(*hidden) if text.isolate else None


def _load(game: str, files: Sequence[Path], isolation: Isolation | None) -> tuple[Agents, tuple[AgentFile, ...]]:
    """The players of a game with those of files, isolated or not."""
    return load_isolated(game, files, isolation) if isolation else load_agents(game, files)


def plan_text(plan: Plan) -> str:
    """A plan as JSON, from which `plan_from_text` makes it again."""
    return msgspec.json.encode(plan).decode()


def plan_from_text(text: str) -> Plan:
    """A plan from what `plan_text` wrote."""
    return msgspec.json.decode(text, type=Plan)


def _with_defaults(event: EventText, top: TournamentText) -> EventText:
    """An event with what it leaves out taken from the top of the file."""
    # Who sits where comes as one: an event that says anything of its players takes nothing of that from the top.
    own = {"players", "roles", "role_players", "lineups"}
    fresh = any(getattr(event, key) is not None for key in own - {"lineups"}) or event.game is not None
    values = {}
    for key in EventText.__struct_fields__:
        value = getattr(event, key)
        if value is None and key != "name" and not (fresh and key in own and key != "players"):
            value = getattr(top, key)
        values[key] = value
    return EventText(**values)


def _with_games(events: Sequence[Event], games: int) -> list[Event]:
    """The events with so many deals each that there are at least `games` games in all."""
    deals = max(1, -(-games // sum(event.seatings for event in events)))
    return [replace(event, deals=deals, block=min(event.block, deals)) for event in events]


def _events(  # noqa: PLR0913, PLR0917 - a table of the file, and what stands at its top
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
        agents, _ = _load(name, files, isolation)
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


def _identity(plan: Plan) -> dict[str, Any]:
    """Everything that the results depend on, as plain values."""
    limits = plan.isolation
    isolated = {} if limits is None else {"isolation": {"seconds": limits.seconds, "memory": limits.memory}}
    helpers = {name: digest for file in plan.agent_files for name, digest in file.helpers}
    return {
        **isolated,
        "name": plan.name,
        "seed": plan.seed,
        "records": plan.records,
        "version": __version__,
        "rules and players": rules_and_players(),
        "files of players": {
            **{Path(file.path).name: file.digest for file in plan.agent_files},
            **{Path(each.name).name: each.digest for each in plan.failed if each.digest},
        },
        **({LEFT_OUT: [each.name for each in plan.failed if not each.digest]} if plan.failed else {}),
        **({"modules of players": helpers} if helpers else {}),
        EVENTS: {event.name: _event_identity(event) for event in plan.events},
    }


def _event_identity(event: Event) -> dict[str, Any]:
    stop = event.stop
    return {
        "number": event.number,
        "game": event.label,
        "deals": event.deals,
        "lineups": [str(lineup) for lineup in event.lineups],
        "seatings": [[list(seating) for seating in lineup.seatings] for lineup in event.lineups],
        "compare": [list(pair) for pair in event.compare],
        "stop": None
        if stop is None
        else {
            "compare": [list(pair) for pair in stop.compare],
            "role": stop.role,
            "level": stop.level,
            "margin": stop.margin,
            "least": stop.least,
        },
        "block": event.block,
        "chunks": list(event.chunks),
    }


def first_difference(old: Any, new: Any, place: str = "") -> str | None:
    """The first thing in which two identities differ, in words; None where they agree."""
    if isinstance(old, Mapping) and isinstance(new, Mapping):
        for key in dict.fromkeys([*old, *new]):
            where = f"{place} {key}".strip()
            if key not in new or key not in old:
                return f"{where} is {'only' if key in old else 'not'} in the store"
            if (found := first_difference(old[key], new[key], where)) is not None:
                return found
        return None
    if isinstance(old, list) and isinstance(new, list) and len(old) == len(new):
        pairs = enumerate(zip(old, new, strict=True), start=1)
        found_in = (first_difference(one, other, f"{place} {number}") for number, (one, other) in pairs)
        return next((found for found in found_in if found is not None), None)
    return None if old == new else f"{place} is {old!r:.80} in the store and {new!r:.80} now"
