"""Who is let in, and what keeps the pages to themselves: origins, names of this machine, headers."""

from __future__ import annotations

import ipaddress
import re
from base64 import b64encode
from hashlib import sha256
from html import unescape
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from molehunt.core.language import _, later, speaking
from molehunt.core.words import as_sentence
from molehunt.web.answers import JSON
from molehunt.web.clients import Clients, client_of
from molehunt.web.languages import language_of

_SECURITY = {
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
    "cache-control": "no-store",
}


def page_security(sprite: str = "") -> str:
    """The content security policy of a page: nothing from elsewhere, and no style or script that stands in markup.

    The style sheet of the sprite with which the page was sent is known by its hash.
    """
    sheets = (unescape(sheet).encode() for sheet in _SHEET.findall(sprite))
    hashes = "".join(f" 'sha256-{b64encode(sha256(sheet).digest()).decode()}'" for sheet in sheets)
    return (
        f"default-src 'self'; img-src 'self' data: blob:; style-src 'self'{hashes}; script-src 'self'; "
        "connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'self'"
    )


_SHEET = re.compile(r"<style>(.*?)</style>", re.DOTALL)


class Guard:
    """Lets in what comes from a page of this server, and sends the headers that keep the pages to themselves.

    A page of another site cannot speak for the person whose browser it is in: what it sends carries its own origin, of which
    scheme, name and port must be the server's. On the loopback only names of the loopback are answered to, so that no name of
    elsewhere can be made to mean this machine. A client that asks too often is told to wait.
    """

    def __init__(self, app: ASGIApp, loopback: bool, clients: Clients) -> None:
        self.app = app
        self.loopback = loopback
        self.clients = clients

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        host, origin = headers.get("host", ""), headers.get("origin")
        fault, status = "", 403
        if not self.clients.may_ask(client_of(scope, self.clients)):
            fault, status = later("that was too often; wait a moment"), 429
        elif self.loopback and not is_loopback(host):
            fault = later("this server listens on this machine alone; open it as http://127.0.0.1")
        elif origin is not None and origin.lower() != own_origin(scope, host):
            fault = later(
                "what another site sends is not taken; a proxy that others come through is named with --proxy, and hands "
                "on Host and X-Forwarded-Proto"
            )
        if not fault:
            await self.app(scope, receive, _with_headers(send))
            return
        with speaking(language_of(HTTPConnection(scope))):
            fault = _(fault)
        if scope["type"] == "http":
            await JSON({"error": as_sentence(fault)}, status)(scope, receive, send)
        else:
            await send({"type": "websocket.close", "code": 1008, "reason": fault})


def _with_headers(send: Send) -> Send:
    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            headers.setdefault("content-security-policy", page_security())
            for name, value in _SECURITY.items():
                headers.setdefault(name, value)
        await send(message)

    return sending


def own_origin(scope: Scope, host: str) -> str:
    """What the pages of this server name as their origin: the scheme with which they came, and the host that they asked."""
    secure = scope.get("scheme") in {"https", "wss"}
    return f"{'https' if secure else 'http'}://{host}".lower()


def is_loopback(host: str) -> bool:
    """Whether a host, with or without a port, is this machine."""
    try:
        name = urlsplit(f"//{host}").hostname or ""
        return name == "localhost" or ipaddress.ip_address(name).is_loopback
    except ValueError:
        return False
