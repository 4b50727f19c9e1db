"""What the lobby offers: games, rulesets, players and presets, as entries say. Nothing else can be set up from a page."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import msgspec
from msgspec import UNSET, UnsetType

from molehunt.agents.entry import LEVEL_WORDS, AgentEntry, by_level
from molehunt.agents.registry import entries, guests, of_files
from molehunt.arena.workers import the_game
from molehunt.core.errors import BadInput, UnknownName
from molehunt.core.language import _
from molehunt.games.registry import GameEntry, all_games, game_entry
from molehunt.web.frames import ListedTable
from molehunt.web.messages import FEWEST_SEATS, MOST_SEATS, Setup, read_name_of_one

ADAPTERS = "molehunt.adapters."


class OfferedRuleset(msgspec.Struct):
    """A ruleset to choose: as typed, in words, and the fewest and the most seats."""

    name: str
    title: str
    seats: tuple[int, int]


class OfferedAgent(msgspec.Struct, omit_defaults=True):
    """An artificial player to choose: its name, what people call it, what it is, and how hard it is to beat ("" if unknown)."""

    name: str
    called: str
    title: str
    level: str = ""


class OfferedGame(msgspec.Struct):
    """A game to choose. `default_agent` sits where nobody says who; None where the game has no artificial players."""

    game: str
    title: str
    rulesets: list[OfferedRuleset]
    agents: list[OfferedAgent]
    default_agent: str | None


class OfferedSeat(msgspec.Struct, omit_defaults=True):
    """Who sits on a seat of a preset: "me", "friend", or the artificial player `agent`."""

    kind: str
    agent: str = ""


class PresetSetup(msgspec.Struct):
    """The table of a preset, to which the page adds names."""

    game: str
    ruleset: str
    seats: list[OfferedSeat]
    practice: bool
    open: bool
    pace: int | UnsetType = UNSET


class OfferedPreset(msgspec.Struct):
    """A table that is set with one click; `guided`: the page then says step by step what to do."""

    title: str
    text: str
    setup: PresetSetup
    guided: bool


class Lobby(msgspec.Struct):
    """All that there is to choose from.

    `limits` says how many tables are kept, and how long, in hours; `share` is the address under which others reach the server;
    `told` is why somebody is here who wanted to go elsewhere, `listed` the tables that are open to all;
    `statistics`: the house keeps some.
    """

    games: list[OfferedGame]
    presets: list[OfferedPreset]
    limits: dict[str, float]
    share: str | None
    told: str | UnsetType = UNSET
    listed: list[ListedTable] = msgspec.field(default_factory=list)
    statistics: bool = False


def lobby(
    limits: dict[str, float],
    share: str | None,
    told: str | UnsetType = UNSET,
    listed: Sequence[ListedTable] = (),
    statistics: bool = False,
) -> Lobby:
    """What the lobby's page is given."""
    games = all_games().values()
    return Lobby(
        [game for game in map(_game, games) if game.rulesets],  # nobody sits at a table for one
        [preset for entry in games for preset in _presets(entry)],
        limits,
        share,
        told,
        list(listed),
        statistics,
    )


def _game(entry: GameEntry) -> OfferedGame:
    offered = [
        OfferedAgent(agent.name, _(agent.called), _(agent.title), _(LEVEL_WORDS[agent.level]))
        for agent in by_level(_agents(entry.name))
    ]
    names = [agent.name for agent in offered]
    usual = entry.opponent if entry.opponent.partition(":")[0] in names else next(iter(names), None)
    rulesets = [
        OfferedRuleset(name, _(ruleset.title), (max(ruleset.fewest, FEWEST_SEATS), min(ruleset.most, MOST_SEATS)))
        for name, ruleset in entry.at_table.items()
        if ruleset.fewest <= MOST_SEATS and ruleset.most >= FEWEST_SEATS
    ]
    return OfferedGame(entry.name, entry.short_title, rulesets, offered, usual)


def _agents(game: str) -> tuple[AgentEntry, ...]:
    """The players of a game for people."""
    return _agents_among(game, tuple(all_games()), (*guests(), *of_files()))


@lru_cache(64)
def _agents_among(game: str, _games: tuple[str, ...], _guests: tuple[AgentEntry, ...]) -> tuple[AgentEntry, ...]:
    """As `_agents`, looked for once as long as the same packages are installed."""
    return tuple(entry for entry in entries(game) if not _why_not(entry))


def _why_not(entry: AgentEntry) -> str:
    """Why a player does not sit at tables; "" where it does."""
    if entry.small_games:
        return _("it plays only games so small that all of their course can be listed")
    if entry.only:
        return _("it plays only {only}: molehunt arena seats it", only=_(entry.only))
    if entry.module.startswith(ADAPTERS):
        return _("it is another library's, which need not be installed, and for research: molehunt arena seats it")
    return ""


def _presets(entry: GameEntry) -> list[OfferedPreset]:
    found = []
    for preset in entry.presets:
        people = [OfferedSeat("me"), *[OfferedSeat("friend")] * (preset.people - 1)] if preset.people else []
        seats = [*people, *(OfferedSeat("agent", agent) for agent in preset.agents)]
        setup = PresetSetup(entry.name, preset.ruleset, seats, preset.practice, preset.open)
        if preset.pace is not None:
            setup.pace = preset.pace
        found.append(OfferedPreset(_(preset.title), _(preset.text), setup, preset.guided))
    return found


def check_setup(setup: Setup) -> str:
    """The owner's name at a table that can be set; BadInput says why it cannot."""
    entry = game_entry(setup.game)
    if setup.ruleset not in entry.at_table:
        raise UnknownName(_("ruleset of {game}", game=entry.short_title), setup.ruleset, entry.at_table)
    people = [wish for wish in setup.seats if wish.kind != "agent"]
    owners = [wish for wish in setup.seats if wish.kind == "me"]
    fewest, most = entry.at_table[setup.ruleset].seat_limits
    if not fewest <= len(setup.seats) <= most:
        wanted = f"{fewest}" if fewest == most else _("{fewest} to {most}", fewest=fewest, most=most)
        raise BadInput(
            _(
                "{game} ({ruleset}) is for {wanted} players, not {number}",
                game=entry.short_title,
                ruleset=setup.ruleset,
                wanted=wanted,
                number=len(setup.seats),
            )
        )
    if len(owners) > 1 or (people and not owners):
        raise BadInput(_("one seat is yours, the others are friends' or artificial players'"))
    if setup.practice and len(people) != 1:
        raise BadInput(_("a practice game is for one person among artificial players"))
    if setup.open and people:
        raise BadInput(_("cards lie open only where artificial players sit alone"))
    for wish in setup.seats:
        if wish.kind == "agent":
            _check_agent(entry.name, wish.agent)
    the_game(entry.name, setup.ruleset, len(setup.seats))
    return read_name_of_one(owners[0].name) if owners else ""


def is_offered(game: str, spec: str) -> bool:
    """Whether a player is to be had from a page."""
    try:
        _check_agent(game, spec)
    except BadInput:
        return False
    return True


def _check_agent(game: str, spec: str) -> None:
    """BadInput where an artificial player is not to be had from a page: a name, or a name and an edition, and no parameters."""
    name, colon, edition = spec.partition(":")
    offered = {entry.name: entry for entry in _agents(game)}
    if name not in offered:
        absent = next((entry for entry in entries(game) if entry.name == name), None)
        if absent is not None:
            raise BadInput(_("{name} does not sit at tables: {reason}", name=name, reason=_why_not(absent)))
        raise UnknownName(_("agent of {game}", game=game), name, offered)
    entry = offered[name]
    if colon and edition not in entry.editions():
        raise UnknownName(_("edition of {name}", name=name), edition, entry.editions())
