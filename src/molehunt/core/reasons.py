"""Why the system did not read or write a file, in the language that is spoken."""

from __future__ import annotations

from molehunt.core.language import _, later

SAID = (
    later("No such file or directory"),
    later("Is a directory"),
    later("Not a directory"),
    later("Permission denied"),
    later("Read-only file system"),
    later("No space left on device"),
    later("File name too long"),
    later("Invalid argument"),
)
"""What systems say of files; other reasons stay as they are."""


def reason_of(error: Exception) -> str:
    """What an error of the system, or of a name that can be none of a file, says."""
    told = getattr(error, "strerror", None) or str(error)
    return _(told) if told in SAID else told
