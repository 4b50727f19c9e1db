"""The statistics of a house: how the games of its people ended, by the names under which they play. There are no accounts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cache

import msgspec

from molehunt.core.errors import UnknownName
from molehunt.core.language import _, languages, speaking
from molehunt.games.registry import game_entry
from molehunt.table.session import Session
from molehunt.web import faces
from molehunt.web.messages import read_name
from molehunt.web.store import Result, Store


@cache
def unnamed() -> frozenset[str]:
    """What the lobby calls people who have not said their name, in every language."""
    found = set()
    for code in languages():
        with speaking(code):
            found.add(_("Guest"))
    return frozenset(found)


class Count(msgspec.Struct):
    """How often a person played and won something (a game, a role, with somebody); `practice` are practice games among them."""

    name: str
    played: int
    won: int
    practice: int


class Statistics(msgspec.Struct):
    """What the page is given: all people of the house, or one of them (`name`), whose games, roles and company it counts.

    `kept`: the house keeps statistics.
    """

    kept: bool
    people: list[Count] = msgspec.field(default_factory=list)
    name: str = ""
    games: list[Count] = msgspec.field(default_factory=list)
    roles: list[Count] = msgspec.field(default_factory=list)
    company: list[Count] = msgspec.field(default_factory=list)


def results_of(session: Session, practice: bool) -> list[Result]:
    """How a game that is over ended for the people who moved in it and said their names."""
    outcome = session.outcome
    if outcome is None:
        return []
    rounds = faces.rounds(session.game, session.events, session.truth(), outcome)
    company = [
        f"{name} (a person)" if sitter.agent is None else sitter.spec
        for name, sitter in zip(session.names, session.sitters, strict=True)
    ]
    return [
        Result(
            seat=seat,
            name=name,
            game=session.game.name,
            won=seat in outcome.winners,
            practice=practice,
            rounds=tuple((roles[seat], seat in winners) for roles, winners in rounds),
            against=tuple(company[:seat] + company[seat + 1 :]),
        )
        for seat, name in enumerate(session.names)
        if session.sitters[seat].agent is None and name not in unnamed() and session.has_moved(seat)
    ]


def statistics(store: Store, name: str = "") -> Statistics:
    """The statistics of all people, or of the one who plays under a name; BadInput where it is no name."""
    if not name:
        people = [Count(one.name, one.played, one.won, one.practice) for one in store.totals()]
        return Statistics(True, people)
    found = store.results_of(read_name(name))
    titles = {game: _title(game) for game in {result.game for result in found}}
    return Statistics(
        True,
        name=found[0].name if found else name,
        games=_counts((titles[result.game], result.won, result.practice) for result in found),
        roles=_counts(
            (f"{_(role)}, {titles[result.game]}", won, result.practice)
            for result in found
            for role, won in result.rounds
        ),
        company=_counts(_company(found, titles)),
    )


def _title(game: str) -> str:
    """What a game is called; one that is not installed any more, as it was typed."""
    try:
        return game_entry(game).short_title
    except UnknownName:
        return game


def _company(found: Iterable[Result], titles: dict[str, str]) -> Iterator[tuple[str, bool, bool]]:
    """With whom each game was played: each name once."""
    for result in found:
        for other in dict.fromkeys(result.against):
            yield f"{other}, {titles[result.game]}", result.won, result.practice


def _counts(games: Iterable[tuple[str, bool, bool]]) -> list[Count]:
    """How often each name is there and won; the most frequent first."""
    played, won, practice = Counter[str](), Counter[str](), Counter[str]()
    for name, has_won, practised in games:
        played[name] += 1
        won[name] += has_won
        practice[name] += practised
    return [Count(name, count, won[name], practice[name]) for name, count in played.most_common()]
