"""A real Chromium and a running server for the tests of the pages."""

from __future__ import annotations

import os
import shutil
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
import uvicorn
from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright

from molehunt.games.entry import GameEntry
from molehunt.studies.people_store import PeopleStore
from molehunt.web import offers
from molehunt.web.app import make_app
from molehunt.web.store import Store
from molehunt.web.strain import Strain
from molehunt.web.tables import Limits, Tables

PROGRAMS = (
    "chromium-headless-shell",
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
    "chrome",
)
"""The first one that is there is taken: without windows the same pages are a third less work."""
ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--disable-background-networking"]
DESKTOP, PHONE = (1280, 800), (360, 740)
PATIENCE = 120_000
"""Milliseconds: kernels may have to be compiled before the first cards are dealt."""
SHOWN_WITHIN = 30_000
"""Milliseconds in which a page has to show what is expected of it; other programs may keep the machine busy."""

Open = Callable[..., Page]


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Chromium: the one that MOLEHUNT_CHROMIUM names, that is installed, or that Playwright brought.

    Playwright keeps an event loop running for as long as it is open, in which other modules' tests could not run theirs.
    """
    expect.set_options(timeout=SHOWN_WITHIN)
    program = os.environ.get("MOLEHUNT_CHROMIUM") or next(filter(None, map(shutil.which, PROGRAMS)), None)
    with sync_playwright() as playwright:
        if program is None and not Path(playwright.chromium.executable_path).exists():
            told = "no Chromium is here: install one, or run `.venv/bin/playwright install chromium`"
            if os.environ.get("CI"):
                pytest.fail(told)
            pytest.skip(told)
        chromium = playwright.chromium.launch(executable_path=program, args=ARGUMENTS, timeout=PATIENCE)
        yield chromium
        chromium.close()


class AtEase(Strain):
    """A server that is never behind."""

    def note(self, late: float) -> None:
        pass


class Server:
    """A server on a port of its own, in a thread, that can be stopped and started again on the same store."""

    def __init__(self, store: Path, people: PeopleStore | None = None) -> None:
        self.store = store
        self.people = people
        self.port = 0
        self.start()

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def start(self) -> None:
        tables = Tables(Store(self.store), Limits(rate=100.0, client_tables=400, client_requests=1000.0))
        # All tests are one client, who sets hundreds of tables while the machine is busy: it need not wait for its next one.
        tables.strain = AtEase()
        self.tables = tables
        config = uvicorn.Config(
            make_app(tables, people=self.people),
            port=self.port,
            log_level="error",
            ws="websockets-sansio",
            timeout_graceful_shutdown=1,
        )
        self._server = uvicorn.Server(config)
        self._thread = threading.Thread(target=self._server.run, daemon=True)
        self._thread.start()
        while not self._server.started:
            assert self._thread.is_alive()
            time.sleep(0.02)
        self.port = self._server.servers[0].sockets[0].getsockname()[1]

    def stop(self) -> None:
        self._server.should_exit = True
        self._thread.join(20)


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    running = Server(tmp_path_factory.mktemp("tables") / "tables.sqlite")
    yield running
    running.stop()


@pytest.fixture
def presets_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """At the tables that the lobby sets with one click, artificial players move without a pause."""
    usual = offers._presets

    def at_once(entry: GameEntry) -> list[offers.OfferedPreset]:
        found = usual(entry)
        for preset in found:
            preset.setup.pace = 0
        return found

    monkeypatch.setattr(offers, "_presets", at_once)


@pytest.fixture
def faults() -> Iterator[list[str]]:
    """What the consoles of the pages complained about; a test that leaves something here fails."""
    found: list[str] = []
    yield found
    assert not found


@pytest.fixture
def people(browser: Browser, faults: list[str]) -> Iterator[Open]:
    """Opens pages, each as another person's: `people(size, dark=False)`; with `motion`, things move there."""
    contexts: list[BrowserContext] = []

    def open_page(size: tuple[int, int] = DESKTOP, dark: bool = False, motion: bool = False) -> Page:
        width, height = size
        phone = min(width, height) < 600
        context = browser.new_context(
            viewport={"width": width, "height": height},
            has_touch=phone,
            color_scheme="dark" if dark else "light",
            reduced_motion="no-preference" if motion else "reduce",
            accept_downloads=True,
        )
        context.set_default_timeout(PATIENCE)
        contexts.append(context)
        page = context.new_page()
        page.on(
            "console", lambda message: faults.append(message.text) if message.type in ("error", "warning") else None
        )
        page.on("pageerror", lambda error: faults.append(str(error)))
        return page

    yield open_page
    for context in contexts:
        context.close()


@contextmanager
def allowing(faults: list[str], *words: str) -> Iterator[None]:
    """Complaints with these words are expected, as of a line that is cut."""
    yield
    faults[:] = [fault for fault in faults if not any(word in fault for word in words)]
