"""Who types at the terminal of an adviser, and what it says to that."""

from __future__ import annotations

from pathlib import Path

import pytest

from molehunt.advice.deal import Deal
from molehunt.advice.entries import Entry
from molehunt.advice.file import to_json
from molehunt.advice.lines import read_hand
from molehunt.advice.session import AdviceSession
from molehunt.core.errors import NotWritten
from molehunt.games.speed_clue.edition import load_edition
from molehunt.terminal.advice import AdviceTerminal
from molehunt.terminal.prompts import LeftTable, Prompter
from terminal.clue_person import Screen

REPORT = load_edition("report")
HAND = "Mu Gr Le Re Ha Li"
DEAL = Deal(REPORT, ("Ann", "Bob", "Carol"), 0, read_hand(HAND, REPORT), (6, 6, 6))


class Told:
    """An adviser's terminal with lines to be typed; what was said after each of them."""

    def __init__(self, lines: list[str], entries: tuple[Entry, ...] = (), folder: Path | None = None) -> None:
        self.screen = Screen()
        self.lines = list(lines)
        self.said: dict[str, str] = {}
        self.asked: list[str] = []
        self.files: dict[Path, bytes] = {}
        self.broken = False
        self.session = AdviceSession(DEAL, entries)
        self._typed: str | None = None
        self._length = 0
        self.terminal = AdviceTerminal(
            self.session, Prompter(self.screen.console, self.read), (folder or Path()) / "game.json", self.write
        )
        with pytest.raises(LeftTable):
            self.terminal.run()

    def read(self, prompt: str) -> str:
        self.asked.append(prompt)
        if self._typed is not None:
            self.said[self._typed] = self.screen()[self._length :]
            if not self.broken:
                assert self.files[self.terminal.file] == to_json(self.session)
        if not self.lines:
            raise EOFError
        self._typed = self.lines.pop(0)
        self._length = len(self.screen())
        return self._typed

    def write(self, path: Path, data: bytes) -> None:
        if "nowhere" in str(path):
            self.broken = True
            raise NotWritten(f"cannot write {path}: no such folder")
        self.files[path] = data
        if path.is_file():
            path.write_bytes(data)
