"""File names that are no text, for tests of what takes paths."""

from __future__ import annotations

import os
import sys

import pytest

NO_TEXT = os.fsdecode(b"lat\xfcn")
"""A name whose bytes are no UTF-8."""
names_of_any_bytes = pytest.mark.skipif(
    sys.platform != "linux", reason="the file systems of macOS and Windows take no name that is not text"
)
"""A test that makes such a file."""
