"""The command line: one small function a command. Heavy imports stand inside the commands, so that --help is quick."""

from molehunt.cli.app import app
from molehunt.cli.running import main

__all__ = ["app", "main"]
