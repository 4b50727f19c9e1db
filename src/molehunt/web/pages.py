"""The pages, made of their templates."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import msgspec

from molehunt.core.language import ENGLISH, _, counted_in, language, languages
from molehunt.web.face import Face

STATIC = Path(__file__).parent / "static"
TEMPLATES = Path(__file__).parent / "templates"
MESSAGES = STATIC / "languages"
LINK_PICTURE = "link.png"
"""Among what pages are made of: what a messenger shows beside an address, 1200 by 630; `docs/link_picture.py` draws it."""
KEYS = {"enter": "Enter", "tab": "Tab", "escape": "Esc", "turn": "R"}
"""Keys by what they do, as they are named on most keyboards."""


@cache
def _environment() -> Any:
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    made = Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.globals |= {"_": _, "counted_in": counted_in, "language": language, "languages": languages}
    made.globals |= {"messages": messages, "keys": _keys}
    return made


def messages() -> dict[str, Any]:
    """What the scripts of a page say in the language that is spoken, by their English texts; nothing in English."""
    return {} if language() == ENGLISH else _messages(language())


@cache
def _messages(code: str) -> dict[str, Any]:
    found: dict[str, Any] = msgspec.json.decode((MESSAGES / f"{code}.json").read_bytes())
    return found


def _keys() -> dict[str, Any]:
    """Keys as a sentence of a template takes them."""
    from markupsafe import Markup

    return {what: Markup("<kbd>{}</kbd>").format(name) for what, name in KEYS.items()}


def render_page(name: str, **values: Any) -> str:
    """The page of a template, with its values; `data` is what its script is given."""
    known: dict[str, Any] = {
        "title": "",
        "data": {},
        "sprite": "",
        "inline_css": "",
        "inline_script": "",
        "game": "",
        "face": Face(),
        "rules": "",
        "preview": None,
        "picture": "",
    }
    given = known | values
    given["data"] = msgspec.to_builtins(given["data"])
    made: str = _environment().get_template(f"{name}.html.jinja").render(**given)
    return made
