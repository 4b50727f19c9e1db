"""Files that a test writes."""

from __future__ import annotations

from pathlib import Path


def write(folder: Path, files: dict[str, str]) -> None:
    """Write texts by name below a folder, each with a line end."""
    for name, text in files.items():
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(f"{text}\n", "utf-8")
