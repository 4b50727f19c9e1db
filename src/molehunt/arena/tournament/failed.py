"""Who is left out of a tournament as a file of players fails, so that the others can play."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeAlias

from msgspec import structs

from molehunt.agents.own_files import check_python_file
from molehunt.agents.registry import Agents, entries
from molehunt.arena.seating import parse_seats
from molehunt.arena.tournament.definition import EventText, TournamentText, pairs_of
from molehunt.core.errors import AgentFailure, BadInput, UnknownName
from molehunt.games.registry import game_entry, split_label

Load: TypeAlias = Callable[[str, Sequence[Path]], Agents]
"""The players of a game with those of files."""


@dataclass(frozen=True)
class Failed:
    """A file of players that cannot be loaded, or a player that cannot be made: `name` is the file's or the player's."""

    name: str
    error: str
    digest: str = ""
    """Of a file: 16 hexadecimal digits that stand for what it holds."""


@dataclass
class _Leaving:
    """Leaves players out of the texts of events, and remembers which."""

    agents: Agents
    lenient: bool
    asked: AbstractSet[str]
    """The names in all events."""
    waiting: str
    """For whom nobody asks though files hold them, in words."""
    errors: dict[str, str] = field(default_factory=dict)

    def plays(self, spec: str) -> bool:
        """Whether a player can be made."""
        return self._stands(spec, lambda: self.agents.make(spec))

    def sits(self, lineup: str) -> bool:
        """Whether all players of a lineup can be made."""
        roles = game_entry(self.agents.game).roles
        return self._stands(
            lineup, lambda: [self.agents.make(each.agent) for each in parse_seats(lineup, self.agents.names(), roles)]
        )

    def _stands(self, text: str, make: Callable[[], object]) -> bool:
        try:
            make()
        except UnknownName as error:
            if not self.lenient or not error.kind.startswith("agent"):
                raise
            # Who is asked for anyway is not meant by it.
            meant = UnknownName(error.kind, error.name, [name for name in error.known if name not in self.asked])
            self.errors[text] = str(meant).partition(" (known: ")[0] + self.waiting
        except AgentFailure as error:
            self.errors[text] = str(error)
        return text not in self.errors

    def event(self, text: EventText) -> EventText:
        """An event without those that cannot play."""
        compare = text.compare
        if compare is not None:
            pairs = [pair for pair in pairs_of(compare) if all(self.plays(each) for each in pair)]
            compare = [list(pair) for pair in pairs]
        lineups = text.lineups
        return structs.replace(
            text,
            players=None if text.players is None else [*filter(self.plays, text.players)],
            role_players=None
            if text.role_players is None
            else {role: [*filter(self.plays, specs)] for role, specs in text.role_players.items()},
            lineups=[*filter(self.sits, lineups)] if isinstance(lineups, list) else lineups,
            compare=compare,
        )


@dataclass(frozen=True)
class Rest:
    """What is left of a tournament: its text without those who are left out, which files can be loaded, and who failed why."""

    text: TournamentText
    failed: tuple[Failed, ...]


def left_to_play(text: TournamentText, events: Sequence[EventText], folder: Path, load: Load) -> Rest | None:
    """What is left of a tournament of these events, whose plan could not be made; None where nobody's file is to blame.

    That is so as well where nothing would be left, or where there is only one file: who plays with it wants to hear of it at once.
    """
    games = list(dict.fromkeys(split_label(event.game)[0] for event in events if event.game is not None))
    if len(text.agents_from) < 2 or not games or any(event.game is None for event in events):
        return None
    for name in text.agents_from:
        check_python_file(folder / name)

    def loaded(names: Sequence[str]) -> dict[str, Agents]:
        return {game: load(game, [folder / each for each in names]) for game in games}

    failed: list[Failed] = []
    sound = _sound(text.agents_from, loaded, folder, failed)
    if not sound:
        return None
    try:
        known = loaded(sound)
    except (AgentFailure, BadInput):  # two of them do not go together: the later one is left out
        sound = _sound(sound, loaded, folder, failed, together=True)
        known = loaded(sound)
    seated = [(each.players, each.role_players, each.lineups, each.compare) for each in events]
    asked = frozenset(re.findall(r"[\w.-]+", str(seated)))
    waiting = _waiting(known, asked)
    lenient = bool(failed or waiting)
    told = f"; nobody asks for {' and '.join(waiting)}, which files hold" if waiting else ""
    rest: list[EventText] = []
    errors: dict[str, str] = {}
    for event in events:
        leaving = _Leaving(known[split_label(str(event.game))[0]], lenient, asked, told)
        rest.append(leaving.event(event))
        errors |= leaving.errors
    failed += [Failed(name, error) for name, error in errors.items()]
    empty = any(
        parts is not None and not parts
        for event in rest
        for parts in (event.players, event.lineups, *(event.role_players or {}).values())
    )
    stop = text.stop
    if stop is not None:
        pairs = [[*pair] for pair in pairs_of(stop.compare) if not set(pair) & errors.keys()]
        empty = empty or not pairs
        stop = structs.replace(stop, compare=pairs)
    if not failed or empty:
        return None
    return Rest(structs.replace(text, agents_from=sound, event=rest, stop=stop), tuple(failed))


def _sound(
    names: Sequence[str],
    loaded: Callable[[Sequence[str]], object],
    folder: Path,
    failed: list[Failed],
    together: bool = False,
) -> list[str]:
    """The files that can be loaded, each alone, or `together` with those before it; the others are put with `failed`."""
    sound: list[str] = []
    for name in names:
        try:
            loaded([*sound, name] if together else [name])
        except (AgentFailure, BadInput) as error:
            failed.append(Failed(name, str(error), _digest(folder / name)))
        else:
            sound.append(name)
    return sound


def _waiting(known: Mapping[str, Agents], asked: AbstractSet[str]) -> list[str]:
    """The players of files for whom no event asks: a name that is not known may be meant for one of them."""
    of_packages = {entry.name for entry in entries()}
    found = {name for agents in known.values() for name in (*agents.from_files, *agents.elsewhere)} - of_packages
    return sorted(name for name in found if name not in asked)


def _digest(path: Path) -> str:
    try:
        return hashlib.sha256(path.read_bytes()).hexdigest()[:16]
    except OSError:
        return ""
