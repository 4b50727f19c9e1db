"""Whatever a page says, it is played by the rules or refused with a reason, and no game suffers."""

from __future__ import annotations

import asyncio
import random
from collections import Counter
from collections.abc import Callable
from typing import Any

import msgspec
import pytest

from molehunt.core.errors import BadInput, MolehuntError
from molehunt.core.record import parse_record
from molehunt.core.replay import Replay
from molehunt.games.registry import make_game
from molehunt.web.messages import Setup, read_join, read_message, read_setup
from molehunt.web.store import Store
from molehunt.web.table import WebTable
from molehunt.web.tables import Limits, Tables
from web.fuzz import Fuzz, kept, set_up
from web.people import BOTS, setup

GAMES = tuple(BOTS)


def open_one(tables: Tables, wish: dict[str, Any]) -> WebTable:
    return tables.find(tables.open_table(msgspec.convert(wish, Setup)).token)[0]


async def until_a_person_is_to_move(table: WebTable) -> bool:
    """Wait for the artificial players; whether the game goes on."""
    while table.session is None or (table.session.outcome is None and not table.waits_for_a_person):  # noqa: ASYNC110
        await asyncio.sleep(0.001)
    return table.session.outcome is None


async def finish(tables: Tables, table: WebTable) -> None:
    """Play to the end by legal moves; the record replays."""
    while await until_a_person_is_to_move(table):
        session = table.session
        assert session is not None and session.to_move is not None
        session.apply(session.to_move, int(session.place(session.to_move).legal_actions[0]))
        table._moved(session)
    while not table.state.replay:  # noqa: ASYNC110
        await asyncio.sleep(0.001)
    record, _ = tables.replays.find(table.state.replay)
    assert Replay(parse_record(record.line()), make_game).actions
    row = tables.store.table(table.id)
    assert row is not None and list(row.moves) == list(record.moves)


async def fuzz_games(count: int, games: tuple[str, ...] = GAMES, practice: bool = False, seed: int = 5) -> Counter[str]:
    """Say so many messages at one table after the other, beside tables that nobody disturbs; what became of them."""
    tables = Tables(Store(), Limits(tables=100_000, replays=100_000, client_tables=100_000))
    quiet = [open_one(tables, setup(game, 1 if game == "duel" else 2, seed=seed)) for game in GAMES]
    for table in quiet:
        await until_a_person_is_to_move(table)
    before = [kept(tables, table) for table in quiet]
    found: Counter[str] = Counter()
    while found["said"] < count:
        game = games[found["games"] % len(games)]
        seed += 1
        table = open_one(tables, setup(game, 1 if game == "duel" else 2, seed=seed, practice=practice))
        owner = next(link for link in table.links if link.owner)
        fuzz = Fuzz(tables, table, owner, seed)
        left = min(count - found["said"], 100 if practice else 400)
        while fuzz.said < left and await until_a_person_is_to_move(table):
            await fuzz.talk(min(left - fuzz.said, 20))
        await finish(tables, table)
        found.update(said=fuzz.said, played=fuzz.played, refused=fuzz.refused, answered=fuzz.answered, games=1)
    assert [kept(tables, table) for table in quiet] == before
    tables.stop()
    return found


def test_whatever_a_page_says_is_played_or_refused_and_the_game_goes_on() -> None:
    found = asyncio.run(fuzz_games(1500))
    assert found["said"] == found["played"] + found["refused"] == 1500
    assert found["played"] > 50


def test_whatever_a_page_says_in_practice_is_done_answered_or_refused() -> None:
    # What the advisers of the other games think takes seconds.
    found = asyncio.run(fuzz_games(200, ("saboteur",), practice=True, seed=70))
    assert found["said"] == found["played"] + found["refused"] + found["answered"] == 200
    assert found["answered"] > 5


@pytest.mark.slow
@pytest.mark.long
def test_whatever_a_page_says_is_played_or_refused_in_a_hundred_thousand_messages() -> None:
    found = asyncio.run(fuzz_games(100_000, seed=1000))
    print(dict(found))  # noqa: T201
    assert found["said"] == found["played"] + found["refused"] == 100_000


@pytest.mark.parametrize(
    ("read", "text"),
    [
        (read_message, '{"do":"LONG"}'),
        (read_setup, '{"game":"duel","ruleset":"mcgill","seats":[{"kind":"LONG"},{"kind":"me"}]}'),
        (read_join, '{"LONG":"duel"}'),
    ],
)
def test_a_refusal_does_not_hand_back_all_that_was_said(read: Callable[[bytes], Any], text: str) -> None:
    with pytest.raises(BadInput, match="xxx") as refused:
        read(text.replace("LONG", "x" * 1800).encode())
    assert len(str(refused.value)) < 300


def test_whatever_is_posted_as_a_table_is_set_or_refused() -> None:
    async def post() -> Counter[str]:
        tables, draws, found = Tables(Store()), random.Random(3), Counter[str]()
        for number in range(450):
            game = GAMES[number % len(GAMES)]
            text = set_up(setup(game, 1 if game == "duel" else 2), draws)
            try:
                tables.open_table(read_setup(text))
            except MolehuntError as error:
                found["refused" if 8 < len(str(error)) < 600 else str(error)] += 1
            else:
                found["set"] += 1
        tables.stop()
        return found

    found = asyncio.run(post())
    assert set(found) == {"refused", "set"}
    assert found["refused"] > 100
