"""A player of a file that never comes back: its table says so and ends, and no other table waits for it."""

from __future__ import annotations

import asyncio
import sys
import threading
import time
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from molehunt.agents import entry, own_files, registry
from molehunt.agents.entry import AgentEntry
from molehunt.agents.own_files import MODULES, place_in_files
from molehunt.agents.registry import seat_among_us
from molehunt.core.language import speaking
from molehunt.games.registry import make_game
from molehunt.table.session import Session, Sitter
from molehunt.web import offers, turns
from web.people import line, open_table, server, setup, some_move

STUCK = """
import molehunt


class Stuck(molehunt.Player):
    name = "stuck-in-{method}"

    def choose(self, view):
        return view.legal_actions[0]

    def {method}(self, *_):
        while True:
            pass
"""


def hasten(monkeypatch: pytest.MonkeyPatch, given_up: float) -> None:
    """Players are looked at often, and given up after so many seconds."""
    for name, seconds in (("LOOK", 0.05), ("LATE", 0.1), ("GIVEN_UP", given_up)):
        monkeypatch.setattr(turns, name, seconds)


def another_table_goes_on(client: TestClient) -> None:
    """Somebody else plays meanwhile."""
    with line(client, open_table(client, setup("duel", 1))) as ben:
        ben.play_on(2)
        assert ben.frame["moves"] >= 2


def stuck_while_another_table_goes_on(client: TestClient, wish: dict[str, Any]) -> str:
    """What a table says in the end whose player never comes back."""
    with line(client, open_table(client, wish)) as ann:
        if ann.until(lambda frame: frame["over"] or frame["position"])["mine"]:
            ann.say(do="play", move=some_move(ann.frame), at=0)
        another_table_goes_on(client)
        ann.until(lambda frame: frame["over"])
        return str(ann.frame["over"]["text"])


def thinking() -> int:
    """How many threads there are that think."""
    return sum(thread.name.startswith("thinking") for thread in threading.enumerate())


@pytest.mark.parametrize(("method", "seed"), [("begin", 1), ("choose", 1), ("notice", 1), ("notice", 4)])
def test_its_table_is_told_others_go_on_meanwhile_and_its_thread_is_left(
    method: str, seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(registry, "_of_files", {})
    hasten(monkeypatch, 2.0)
    (tmp_path / "mine.py").write_text(STUCK.format(method=method))
    seat_among_us(tmp_path / "mine.py")
    before = thinking()
    seats = [{"kind": "me", "name": "Ann"}, *[{"kind": "agent", "agent": f"stuck-in-{method}"}] * 2]
    # In the deal of seed 4 the person begins.
    wish = setup("saboteur", ruleset="krisnadi", seats=seats, seed=seed)
    with server(workers=1) as client:
        said = stuck_while_another_table_goes_on(client, wish)
        assert said.startswith("The game cannot go on: a player has not answered for 2 seconds (") and method in said
        while thinking() > before + 1:
            time.sleep(0.01)
        another_table_goes_on(client)


def test_how_a_game_ended_stands_whatever_a_player_does_who_is_told_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And with the last move: what lies open then is shown as the end of the game, by no frame before it."""
    monkeypatch.setattr(registry, "_of_files", {})
    hasten(monkeypatch, 1.0)
    stuck = STUCK.format(method="notice").replace("(self, *_)", "(self, event)")
    stuck = stuck.replace("while True", "while event.seat == 1").replace("[0]", "[-1]")  # an accusation
    (tmp_path / "mine.py").write_text(stuck)
    seat_among_us(tmp_path / "mine.py")
    seats = [{"kind": "me", "name": "Ann"}, *[{"kind": "agent", "agent": "stuck-in-notice"}] * 2]
    wish = setup("speed_clue", ruleset="mitchell", seats=seats, seed=1)
    with server(workers=1) as client, line(client, open_table(client, wish)) as ann:
        ann.my_move()
        ann.say(do="play", move="accuse Plum, Lead Pipe, Hall", at=0)
        opened = ann.until(lambda frame: frame["position"]["envelope"])
        assert "have accused wrongly" in opened["over"]["text"]
        another_table_goes_on(client)
        while any(place_in_files(thread.ident or 0) for thread in threading.enumerate()):
            time.sleep(0.01)
        ann.say(do="undo")
        ann.hear()
        assert ann.frame["over"]["text"] == opened["over"]["text"]


SLOW = """
import time
import molehunt


class Slow(molehunt.Player):
    def choose(self, view):
        ends = time.monotonic() + 0.1
        while time.monotonic() < ends:
            pass
        return view.legal_actions[0]
"""


def install(monkeypatch: pytest.MonkeyPatch, folder: Path, text: str, name: str, player: str) -> None:
    """As if a package were installed of which this is all: a player of Saboteur."""
    package = folder / "package_of_one"
    package.mkdir()
    (package / "__init__.py").write_text("")
    (package / "players.py").write_text(text)
    monkeypatch.syspath_prepend(folder)
    for module in (registry, offers):
        monkeypatch.setattr(
            module, "guests", lambda: (AgentEntry(name, "saboteur", "one", "package_of_one.players", player),)
        )
    for loaded in ("package_of_one", "package_of_one.players"):
        monkeypatch.delitem(sys.modules, loaded, raising=False)
    monkeypatch.setattr(own_files, "PACKAGES", set())
    monkeypatch.setattr(entry, "PACKAGES", own_files.PACKAGES)


def test_a_player_of_a_package_that_never_comes_back_is_left_as_well(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    hasten(monkeypatch, 2.0)
    install(monkeypatch, tmp_path, STUCK.format(method="choose"), "stuck-of-a-package", "Stuck")
    seats = [{"kind": "me", "name": "Ann"}, *[{"kind": "agent", "agent": "stuck-of-a-package"}] * 2]
    with server(workers=1) as client:
        said = stuck_while_another_table_goes_on(client, setup("saboteur", ruleset="krisnadi", seats=seats))
        assert "a player has not answered for 2 seconds (" in said and "players.py" in said


def test_a_game_of_many_moves_that_a_slow_player_thinks_through_again_is_waited_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each move takes a fraction of the time after which a player is given up, all of them several times as much."""
    for name, seconds in (("LOOK", 0.02), ("LATE", 0.1), ("GIVEN_UP", 0.6)):
        monkeypatch.setattr(turns, name, seconds)
    install(monkeypatch, tmp_path, SLOW, "slow", "Slow")
    slow = registry.Agents("saboteur").make("slow")
    game = make_game("saboteur", "krisnadi", 3)

    def thinks_again() -> int:
        session = Session(game, [Sitter(str(seat), slow) for seat in range(3)], 1)
        for _ in range(15):
            session.step()
        return len(session.actions)

    async def ask() -> Any:
        one = turns.Turns(1)
        try:
            return await one.take("a", "a", thinks_again)
        finally:
            one.stop()

    assert asyncio.run(ask()) == 15


def test_it_is_said_in_the_language_of_who_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    """Not in that of who was waiting when threads were looked at first."""
    for name, seconds in (("LOOK", 0.02), ("LATE", 0.05), ("GIVEN_UP", 0.3)):
        monkeypatch.setattr(turns, name, seconds)
    found: dict[str, Any] = {"__name__": f"{MODULES}mine"}
    exec("def loop():\n    while True:\n        pass\n", found)  # noqa: S102 - code as of a player's file

    async def ask() -> list[str]:
        both = turns.Turns(2)
        asked = []
        for code in ("en", "de"):
            with speaking(code):
                asked.append(asyncio.create_task(both.take(code, code, found["loop"])))
            await asyncio.sleep(0)
        said = [str(error) for error in await asyncio.gather(*asked, return_exceptions=True)]
        both.stop()
        return said

    english, german = asyncio.run(ask())
    assert english.startswith("a player has not answered for ") and german.startswith("ein Spieler hat ")
