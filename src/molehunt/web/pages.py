"""The pages, made of their templates."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

STATIC = Path(__file__).parent / "static"
TEMPLATES = Path(__file__).parent / "templates"


@cache
def _environment() -> Any:
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    return Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )


def page(name: str, **values: Any) -> str:
    """The page of a template, with its values."""
    known = {"title": "", "data": {}, "sprite": "", "inline_css": "", "inline_script": "", "game": ""}
    made: str = _environment().get_template(f"{name}.html.jinja").render(**{**known, **values})
    return made
