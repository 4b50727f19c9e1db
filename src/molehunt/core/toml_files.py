"""TOML files of settings, checked key by key against a struct, so that an error speaks of one key and says what would be right."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from molehunt.core.errors import BadInput, UnknownName, value_text

T = TypeVar("T")


def read_settings(path: Path | str, parse: Callable[[str], T]) -> T:
    """What `parse` makes of the text of a file; BadInput names the file."""
    given: object = path
    if not isinstance(given, Path | str):
        raise BadInput(f"a file of settings is named by its path, not by {value_text(path)}")
    try:
        text = Path(path).read_text("utf-8")
    except (OSError, ValueError) as error:
        raise BadInput(f"cannot read {path}: {getattr(error, 'strerror', None) or error}") from None
    try:
        return parse(text)
    except BadInput as error:
        raise BadInput(f"{path}: {error}") from None


@contextmanager
def speaking_of(where: object) -> Iterator[None]:
    """Name where in a file it stands what the block finds wrong: a BadInput stays of its kind, and its text begins so."""
    try:
        yield
    except BadInput as error:
        error.args = (f"{where}: {error}",)
        raise


def parse_toml(text: str) -> dict[str, Any]:
    """The keys and values of a text; BadInput where it is not TOML."""
    try:
        return tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise BadInput(f"this is not TOML: {error}") from None


def check_keys(
    value: Any,
    kind: type[msgspec.Struct],
    place: str,
    meanings: Mapping[str, str],
    check: Callable[[str, Any, Any, str], None],
) -> None:
    """Check a table of keys and values against the fields of a struct; `place` is what the table is called.

    `check(key, part, type, where)` checks one value. UnknownName: a key is no field; BadInput: the value is no table, or
    a key is missing: `meanings` says what each holds.
    """
    fields = {field.name: field for field in msgspec.structs.fields(kind)}
    if not isinstance(value, Mapping):
        raise BadInput(f"{place} must be a table of keys and values")
    for key, part in value.items():
        if key not in fields:
            raise UnknownName(f"key of {place}", key, fields)
        check(key, part, fields[key].type, f"{key} of {place}")
    for name, field in fields.items():
        if field.required and name not in value:
            raise BadInput(f"{place} needs the key {name}: {meanings[name]}")


def check_value(part: Any, kind: Any, limits: tuple[float, float] | None, wrong: BadInput) -> None:
    """Raise `wrong` where a value is not of a type, or lies outside its limits, both included."""
    try:
        msgspec.convert(part, kind)
    except msgspec.ValidationError:
        raise wrong from None
    if limits is not None and part is not None and not limits[0] <= part <= limits[1]:
        raise wrong
