"""`molehunt agents` and `molehunt games`: what there is and what can be set."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from rich.markup import escape
from rich.table import Table

from molehunt.agents.entry import LEVEL_WORDS, AgentEntry
from molehunt.agents.own_files import AS_WRITTEN, check_no_items
from molehunt.agents.registry import Agents, entries, seat_among_us
from molehunt.console.screen import check_count, out
from molehunt.core.errors import BadInput, UnknownName
from molehunt.core.language import _
from molehunt.core.specs import build, describe, split_spec
from molehunt.core.words import counted, joined
from molehunt.games.entry import GameEntry, canonical_name
from molehunt.games.registry import all_games, game_entry, is_game, make_game, split_label
from molehunt.studies.study import STUDIES


def list_agents(name: str | None, agents_from: Sequence[Path] = ()) -> int:
    """All players, those of a game, or the parameters of one; with those of files."""
    for path in agents_from:
        seat_among_us(path)
    game = canonical_name(name) if name is not None and is_game(name) else None
    if name is None or game is not None:
        table = Table(_("agent"), _("plays"), _("what it is"), box=None, pad_edge=False)
        for entry in entries():
            if game not in (None, entry.game):
                continue
            missing = (
                "" if entry.is_here else f" ({_('needs {packages}, which is not installed', packages=entry.needs)})"
            )
            table.add_row(entry.name, entry.game, escape(f"{_(entry.title)}{missing}"))
        out.print(table)
        more = _("molehunt agents NAME lists what can be set in a player; a player of your own: --agents-from FILE.")
        out.print(f"\n{more}", markup=False)
        return 0
    _tell_of(*split_spec(name))
    return 0


def _tell_of(name: str, items: list[str]) -> None:
    """What the players of a name are, what can be set in them, and what `items` set.

    BadInput where no player of the name takes `items`; of several those are told of that do.
    """
    called = [entry for entry in entries() if entry.name == name]
    if not called:
        if is_game(game := name.partition("/")[0]):
            raise BadInput(
                _(
                    "players are those of a game, whatever its ruleset: {command}, not {name}",
                    command=f"molehunt agents {game}",
                    name=f"{name!r:.60}",
                )
            )
        raise UnknownName(_("agent"), name, [entry.name for entry in entries()])
    same: dict[tuple[str, ...], list[AgentEntry]] = {}  # a player of several games is told of once
    for entry in called:
        same.setdefault(
            (entry.module, entry.agent, entry.parameters, entry.title, entry.only, LEVEL_WORDS[entry.level]), []
        ).append(entry)
    refused: BadInput | None = None
    told = 0
    for entry, *others in same.values():
        editions = Agents(entry.game).entry(name).editions()
        try:
            typed = _typed(name, editions, items)
        except BadInput as error:
            refused = error
            continue
        told += 1
        title, games = _(entry.title), joined(each.game for each in (entry, *others))
        out.print(_("{player} plays {game}: {title}", player=entry.name, game=games, title=title), markup=False)
        if entry.only:
            out.print(_("It plays only {only}.", only=_(entry.only)), markup=False)
        if entry.level:
            out.print(_("It is {level}.", level=_(LEVEL_WORDS[entry.level])), markup=False)
        if not editions:
            out.print(_("It has no parameters."))
            continue
        _parameters(_("parameter"), {**editions, **typed})
        settings = describe(editions)
        example = next((setting for setting in settings if setting[1][0]), settings[0])
        edition = "" if AS_WRITTEN in editions else f"{list(editions)[-1]},"
        spec = f"{name}:{edition}{example[0]}={example[1][0]}"
        out.print(f"\n{_('Write {example}', example=spec)}", markup=False)
    if refused is not None and not told:
        raise refused


def _typed(name: str, editions: Mapping[str, Any], items: list[str]) -> dict[str, Any]:
    """The parameters that `items` say, under what heads their column; empty where nothing is typed. BadInput."""
    if not editions:
        check_no_items(name, items)
        return {}
    return {_("as typed"): build(name, editions, items)} if items else {}


def list_games(label: str | None) -> int:
    """All games and rulesets, or what can be set in one ruleset; of a game its rulesets, and what can be set in the first."""
    if label is None:
        _rulesets((entry, f"{_(entry.title)}; ") for entry in all_games().values())
        more = _("molehunt games GAME/RULESET lists what can be set in a ruleset. Studies:")
        out.print(f"\n{more}", markup=False)
        for name, title in STUDIES.items():
            out.print(f"  molehunt study {name}: {_(title)}")
        return 0
    name, ruleset = split_label(label)
    ruleset_name, items = split_spec(ruleset)
    entry = game_entry(name)
    value = entry.read(ruleset_name, items)
    if "/" not in label and len(entry.rulesets) > 1:
        _rulesets([(entry, "")])
        out.print()
    title = _(entry.rulesets[ruleset_name.partition("+")[0]].title)
    out.print(f"{name}/{ruleset_name}: {title}", markup=False)
    if describe({ruleset_name: value}):
        _parameters(_("setting"), {ruleset_name: value})
    else:
        out.print(_("It has no settings."))
    return 0


def check_games(label: str | None, plays: int) -> int:
    """Look whether a game keeps what games promise; a line for each ruleset and number of seats. GameFailure where it does not."""
    from molehunt.games.promises import MOST_PLAYS, check_game, check_spec

    if label is None:
        raise BadInput(_("--check looks at one game: {command}", command="molehunt games NAME --check"))
    check_count("--plays", plays, 1, MOST_PLAYS)
    name, ruleset = split_label(label)
    entry = game_entry(name)
    for option in ("spaces", "words", "logs", "terminal", "face", "analysis"):
        entry.get(option)
    entry.catalogues()
    for each in [ruleset] if "/" in label else entry.rulesets:
        for seats in sorted({*entry.ruleset_entry(each).seat_limits}):
            game = make_game(name, each, seats)
            check_spec(game, each)
            entry.rules_text(game)
            kept = check_game(game, plays)
            out.print(f"{name}/{each}, {counted(seats, 'seat')}: {kept}", markup=False, soft_wrap=True)
    return 0


def _rulesets(games: Iterable[tuple[GameEntry, str]]) -> None:
    """The table of the rulesets of games, with what is said of a game before each."""
    table = Table(_("game/ruleset"), _("what it is"), box=None, pad_edge=False)
    for entry, before in games:
        for each, known in entry.rulesets.items():
            table.add_row(f"{entry.name}/{each}", escape(f"{before}{_(known.title)}"))
    out.print(table)


def _parameters(heading: str, editions: Mapping[str, Any]) -> None:
    """The table of what can be set."""
    table = Table(heading, *editions, _("what it is"), box=None, pad_edge=False)
    for parameter, values, doc in describe(editions):
        table.add_row(parameter, *values, escape(_(doc)))
    out.print(table)
