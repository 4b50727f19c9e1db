"""In which language a client of the server is spoken to: what its page asks for, what it chose before, what its browser prefers."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Receive, Scope, Send

from molehunt.core.language import best_of, speaking
from molehunt.core.places import signed_places

ASKED_FOR = "lang"
"""The name of the parameter of an address, and of the cookie that a page sets, with the code of a language."""
MOST_HEADER = 500


class Speaking:
    """Everything that is done for a client is done in its language: requests, and the line of a page as long as it is open."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        with speaking_to_page(language_of(HTTPConnection(scope))):
            await self.app(scope, receive, send)


@contextmanager
def speaking_to_page(code: str) -> Iterator[None]:
    """Speak a language as pages are spoken to, which show boards turned where these fit so: names of places have signs."""
    with speaking(code), signed_places():
        yield


def language_of(client: HTTPConnection) -> str:
    """The language of a client: `lang` of the address, the cookie `lang`, or what its browser prefers of those there are."""
    asked = [client.query_params.get(ASKED_FOR, ""), client.cookies.get(ASKED_FOR, "")]
    return best_of([*asked, *preferred(client.headers.get("accept-language", "")[:MOST_HEADER])])


def preferred(header: str) -> list[str]:
    """The languages of an Accept-Language header, the most wanted first (RFC 9110, 12.5.4); those with weight 0 are not wanted."""
    weighed = []
    for part in header.split(","):
        name, _, weight = part.partition(";")
        value = _weight(weight)
        if name.strip() and value > 0:
            weighed.append((-value, name.strip()))
    return [name for _, name in sorted(weighed, key=lambda each: each[0])]


def _weight(text: str) -> float:
    """The weight of `q=0.8`, 1 where there is none or it cannot be read."""
    name, _, number = text.partition("=")
    try:
        return float(number) if name.strip() == "q" else 1.0
    except ValueError:
        return 0.0
