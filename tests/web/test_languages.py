"""The server speaks to each client in its language."""

from __future__ import annotations

import pytest
from starlette.requests import HTTPConnection

from molehunt.web.languages import language_of, preferred


def asked(query: str = "", **headers: str) -> str:
    """The language of a request with a query and headers."""
    raw = [(name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()]
    return language_of(HTTPConnection({"type": "http", "query_string": query.encode(), "headers": raw}))


def test_the_address_is_stronger_than_the_cookie_and_the_cookie_than_the_browser() -> None:
    assert asked() == "en"
    assert asked(accept_language="de-DE,de;q=0.9,en;q=0.8") == "de"
    assert asked(accept_language="de", cookie="lang=en") == "en"
    assert asked("lang=de", accept_language="en", cookie="lang=en") == "de"
    assert asked("lang=tlh", cookie="lang=de") == "de"


@pytest.mark.parametrize(
    ("header", "wanted"),
    [
        ("en;q=0.5, de", ["de", "en"]),
        ("fr-CH, fr;q=0.9, en;q=0.8, de;q=0.7, *;q=0.5", ["fr-CH", "fr", "en", "de", "*"]),
        ("de;q=0, en", ["en"]),
        ("de;q=x, en", ["en"]),
        (",;,", []),
    ],
)
def test_the_languages_that_a_browser_prefers_are_read_in_its_order(header: str, wanted: list[str]) -> None:
    assert preferred(header) == wanted
