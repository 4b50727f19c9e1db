"""The pages, made of their templates."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import msgspec

from molehunt.core.language import _, counted_in, language
from molehunt.web.face import Face

STATIC = Path(__file__).parent / "static"
TEMPLATES = Path(__file__).parent / "templates"


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
    made.globals |= {"_": _, "counted_in": counted_in, "language": language}
    return made


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
    }
    given = known | values
    given["data"] = msgspec.to_builtins(given["data"])
    made: str = _environment().get_template(f"{name}.html.jinja").render(**given)
    return made
