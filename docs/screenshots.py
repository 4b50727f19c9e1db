"""Takes the pictures of the browser table that stand in docs/tour.md, from fixed seeds: `.venv/bin/python docs/screenshots.py`."""

from __future__ import annotations

import argparse
import shutil
import tempfile
import threading
import time
from pathlib import Path
from typing import Any

import uvicorn
from playwright.sync_api import Page, sync_playwright

from molehunt.web.app import make_app
from molehunt.web.store import Store
from molehunt.web.tables import Limits, Tables

IMAGES = Path(__file__).parent / "images"
DESKTOP, PHONE = (1280, 860), (390, 844)
PLAY = """async ([token, moves]) => {
  const line = new WebSocket(`ws://${location.host}/ws/${token}`);
  let frame = null, asked = -1, left = moves;
  await new Promise((done) => {
    line.onmessage = ({ data }) => {
      const message = JSON.parse(data);
      if (message.type === "table") frame = message;
      if (message.type === "hint") {
        left -= 1;
        line.send(JSON.stringify({ do: "play", move: message.move, at: frame.moves }));
      }
      if (frame.over || (frame.mine && left === 0)) done();
      else if (frame.mine && asked !== frame.moves) {
        asked = frame.moves;
        line.send(JSON.stringify({ do: "hint" }));
      }
    };
  });
  line.close();
}"""
"""Plays so many moves as the adviser says, over a line of its own."""


def agents(name: str, count: int) -> list[dict[str, str]]:
    return [{"kind": "agent", "agent": name}] * count


def setup(game: str, ruleset: str, seed: int, seats: list[dict[str, str]]) -> dict[str, Any]:
    me = {"kind": "me", "name": "Ann"}
    return {"game": game, "ruleset": ruleset, "seed": seed, "seats": [me, *seats], "practice": True, "pace": 0}


TABLES = {
    "saboteur": (setup("saboteur", "official+talk:rounds=1", 12, agents("kripke-2012", 4)), 3),
    "duel": (setup("duel", "mcgill", 21, agents("and-or-2020:wins_first", 1)), 3),
    "speed-clue": (setup("speed_clue", "mitchell", 7, agents("advanced", 2) + agents("exact", 1)), 2),
}


def shoot(page: Page, name: str) -> None:
    time.sleep(0.6)
    page.screenshot(path=IMAGES / f"{name}.png")
    print(f"docs/images/{name}.png")


def play(page: Page, address: str, wish: dict[str, Any], moves: int) -> None:
    """Set a table, play so many moves, and show it."""
    link = page.request.post(f"{address}/api/tables", data=wish).json()["link"]
    page.goto(address + link)
    page.evaluate(PLAY, [link.removeprefix("/t/"), moves])


def watch(page: Page, address: str) -> None:
    """Five minds with open cards, some moves after the beginning."""
    seats = [*agents("decision-2019", 2), *agents("kripke-2012", 2), *agents("means-ends-2016", 1)]
    wish = {"game": "saboteur", "ruleset": "krisnadi", "seats": seats, "seed": 5, "pace": 700, "open": True}
    page.goto(address + page.request.post(f"{address}/api/tables", data=wish).json()["link"])
    page.locator('#log [data-move="24"]').wait_for()
    page.locator(".thought:visible").wait_for()
    shoot(page, "minds")


def take(page: Page, phone: Page, address: str) -> None:
    page.goto(address)
    page.locator("#presets li").first.wait_for()
    shoot(page, "lobby")
    for name, (wish, moves) in TABLES.items():
        play(page, address, wish, moves)
        if name == "saboteur":
            card = page.locator(".hand [data-card]").first
            card.click()
        shoot(page, name)
        if name == "saboteur":
            page.locator("#beliefs").click()
            page.locator("#answer .bars").first.wait_for()
            shoot(page, "beliefs")
    wish, moves = TABLES["saboteur"]
    play(phone, address, wish, moves)
    shoot(phone, "phone")
    watch(page, address)
    watched = {**wish, "seats": agents("kripke-2012", 3) + agents("decision-2019", 2), "practice": False}
    page.goto(address + page.request.post(f"{address}/api/tables", data=watched).json()["link"])
    page.locator("#replay").click()
    page.locator("#scrubber").wait_for()
    page.goto(f"{page.url.partition('#')[0]}#move=30&seat=1")
    page.reload()
    page.locator("#ask-beliefs").click()
    page.locator("#answer .bars").wait_for()
    shoot(page, "replay")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--chromium", default=shutil.which("chromium"), help="the program; by default chromium")
    given = parser.parse_args()
    IMAGES.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        tables = Tables(Store(Path(folder) / "tables.sqlite"), Limits(rate=1000.0))
        server = uvicorn.Server(uvicorn.Config(make_app(tables), port=0, log_level="error", ws="websockets-sansio"))
        thread = threading.Thread(target=server.run, daemon=True)
        thread.start()
        while not server.started:
            time.sleep(0.05)
        address = f"http://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}"
        browser = playwright.chromium.launch(executable_path=given.chromium, args=["--no-sandbox", "--disable-gpu"])
        pages = []
        for (width, height), dark in ((DESKTOP, False), (PHONE, True)):
            context = browser.new_context(
                viewport={"width": width, "height": height},
                color_scheme="dark" if dark else "light",
                reduced_motion="reduce",
            )
            context.set_default_timeout(40_000)
            pages.append(context.new_page())
        take(pages[0], pages[1], address)
        browser.close()
        server.should_exit = True
        thread.join(10)


if __name__ == "__main__":
    main()
