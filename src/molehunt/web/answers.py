"""What requests bring and what they are answered with."""

from __future__ import annotations

import sqlite3
from typing import Any

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from molehunt.core.errors import BadInput
from molehunt.core.language import _


class NotFound(BadInput):
    """There is no table or replay at an address; who asks for it is answered with the status 404."""


class JSON(Response):
    """An answer as JSON, made by msgspec."""

    media_type = "application/json"

    def render(self, content: Any) -> bytes:
        return msgspec.json.encode(content)


def cannot_be_kept(error: sqlite3.Error) -> str:
    """What people are told whose wish cannot be written to the store."""
    return _("the server cannot keep this just now ({error}); try again in a moment", error=error)


async def body_of(request: Request, most: int) -> bytes:
    """What a request brings; BadInput where it is longer than `most` bytes."""
    body = bytearray()
    async for part in request.stream():
        body += part
        if len(body) > most:
            raise BadInput(_("this is too long: {most} kB are the most", most=most // 1024))
    return bytes(body)
