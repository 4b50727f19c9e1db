"""A program at a pseudo-terminal."""

from __future__ import annotations

import os
import pty
import re
import select
import subprocess
import sys
import termios
import time


class Terminal:
    """A program of Python, `code`, at a pseudo-terminal of so many columns, read prompt by prompt."""

    def __init__(self, code: str, columns: int = 120, kind: str = "xterm") -> None:
        self.master, slave = pty.openpty()
        termios.tcsetwinsize(slave, (24, columns))
        environment = {name: value for name, value in os.environ.items() if name not in ("COLUMNS", "LINES")} | {
            "TERM": kind,
            "PYTHONIOENCODING": "utf-8",
            "INPUTRC": os.devnull,
        }
        self.program = subprocess.Popen(
            [sys.executable, "-c", code],
            stdin=slave,
            stdout=slave,
            stderr=slave,
            env=environment,
            start_new_session=True,
        )
        os.close(slave)
        self.text = ""

    def until(self, pattern: str, seconds: float = 120) -> str:
        """Read until the text since the last call ends in `pattern`, or the program has ended."""
        start = len(self.text)
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if not select.select([self.master], [], [], 0.1)[0]:
                if self.program.poll() is not None:
                    break
                continue
            try:
                data = os.read(self.master, 65536)
            except OSError:
                break
            self.text += re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", data.decode("utf-8", "replace")).replace("\r", "")
            if re.search(pattern + r"$", self.text[start:]):
                break
        return self.text[start:]

    def type(self, text: str) -> None:
        os.write(self.master, text.encode())

    def finish(self) -> int:
        """Read to the end of the program; its exit status."""
        self.until(r"\Z(?!)")
        return self.program.wait(10)

    def __enter__(self) -> Terminal:
        return self

    def __exit__(self, *_: object) -> None:
        if self.program.poll() is None:
            self.program.kill()
            self.program.wait(10)
        os.close(self.master)
