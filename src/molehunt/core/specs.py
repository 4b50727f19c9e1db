"""The small language in which rulesets and agents are named with their parameters.

`decision-2019`, `decision-2019:as_printed`, `decision-2019:as_printed,d_b=3.0`, `krisnadi:saboteurs=3`: a name, then after
a colon editions (named sets of parameters) and `key=value` pairs, separated by commas. The values are fields of a frozen
dataclass, each made with `parameter`, so that a parameter has a type, a range and a sentence that says what it is.
"""

from __future__ import annotations

import dataclasses
import functools
import math
from collections.abc import Mapping, Sequence
from typing import Any, TypeVar, get_type_hints

from molehunt.core.errors import BadInput, BadParameter, ForeignCode, MolehuntError, UnknownName, value_text
from molehunt.core.language import _

P = TypeVar("P")

TRUE = ("yes", "true", "on", "1")
FALSE = ("no", "false", "off", "0")


def parameter(
    default: Any,
    doc: str,
    *,
    low: float | None = None,
    high: float | None = None,
    choices: Sequence[str] | None = None,
) -> Any:
    """A dataclass field with its description, its range (`low` to `high`, both allowed) or its choices.

    A player with such fields is typed with their values, `cautious:patience=3`; BadParameter where one is out of range.

    >>> @dataclasses.dataclass
    ... class Cautious(molehunt.Player):
    ...     patience: int = molehunt.parameter(2, "how many turns it waits", low=0, high=9)
    """
    return dataclasses.field(default=default, metadata={"doc": doc, "low": low, "high": high, "choices": choices})


def split_spec(text: str) -> tuple[str, list[str]]:
    """Split `name:item,item` into the name and its items (no items where there is no colon). BadInput where it is no text."""
    written: object = text
    if not isinstance(written, str):
        raise BadInput(f"a player or a ruleset is named by a text, as name:parameter=value, not {value_text(written)}")
    name, colon, rest = text.partition(":")
    return name.strip(), [item.strip() for item in rest.split(",")] if colon else []


def _convert(owner: str, field: dataclasses.Field[Any], kind: Any, text: str) -> Any:
    """The value of one parameter from its text; BadParameter says what would be right."""
    name = field.name
    if kind is bool:
        if text.lower() in TRUE:
            return True
        if text.lower() in FALSE:
            return False
        raise BadParameter(_("{owner}: {name} must be yes or no, not {text}", owner=owner, name=name, text=repr(text)))
    choices = field.metadata.get("choices")
    if kind is str and choices is None:
        return text
    if choices is not None:
        if text not in choices:
            raise _not_among(owner, name, choices, repr(text))
        return text
    try:
        value: Any = int(text) if kind is int else float(text)
    except ValueError:
        said = (
            _("{owner}: {name} must be a whole number, not {text}", owner=owner, name=name, text=repr(text))
            if kind is int
            else _("{owner}: {name} must be a number, not {text}", owner=owner, name=name, text=repr(text))
        )
        raise BadParameter(said) from None
    check_range(owner, field, value)
    return value


WANTED: dict[type, tuple[tuple[type, ...], str]] = {
    bool: ((bool,), "yes or no (True or False)"),
    int: ((int,), "a whole number"),
    float: ((int, float), "a number"),
    str: ((str,), "a text"),
}
"""The types that a parameter can be of: of which its value is then, in Python, and what that is in words."""


def check_written(owner: str, field: dataclasses.Field[Any], kind: Any, value: Any) -> None:
    """Raise BadParameter where a value from code could not be typed: it is not of the type of its field, or out of range."""
    if kind not in WANTED:
        said = kind.__name__ if isinstance(kind, type) else str(kind)
        raise BadParameter(f"{owner}: {field.name} is of the type {said}; a parameter is of bool, int, float or str")
    kinds, words = WANTED[kind]
    if not isinstance(value, kinds) or isinstance(value, bool) != (kind is bool):
        raise BadParameter(f"{owner}: {field.name} must be {words}, not {value!r:.40}")
    choices = field.metadata.get("choices")
    if choices is not None:
        _check_choices(owner, field.name, kind, choices)
        if value not in choices:
            raise _not_among(owner, field.name, choices, f"{value!r:.40}")
    low, high = field.metadata.get("low"), field.metadata.get("high")
    if low is not None and high is not None and not low <= high:
        raise BadParameter(
            f"{owner}: nothing lies in the range of {field.name}, from {_in_full(low)} to {_in_full(high)}"
        )
    check_range(owner, field, value)


def _check_choices(owner: str, name: str, kind: Any, choices: Sequence[Any]) -> None:
    """Raise BadParameter where choices from code could not be typed, as `name=choice` among other items in a list of seats."""
    for choice in choices:
        if (
            not isinstance(choice, str)
            or kind is not str
            or choice != choice.strip()
            or not choice
            or set(choice) & set(",*")
        ):
            raise BadParameter(
                f"{owner}: {name} is of the type {kind.__name__} and has the choice {value_text(choice)}; a parameter with choices "
                "is of str, and they are texts without comma and star, and without blanks around them"
            )


def _not_among(owner: str, name: str, choices: Sequence[str], given: str) -> BadParameter:
    """The error that a value is none of the choices."""
    listed = ", ".join(choices)
    return BadParameter(
        _("{owner}: {name} must be one of {choices}, not {text}", owner=owner, name=name, choices=listed, text=given)
    )


def check_range(owner: str, field: dataclasses.Field[Any], value: Any) -> None:
    """Raise BadParameter where a number lies outside the range of its field."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return
    low, high = field.metadata.get("low"), field.metadata.get("high")
    if isinstance(value, float) and not math.isfinite(value):
        raise BadParameter(_("{owner}: {name} must be finite, not {text}", owner=owner, name=field.name, text=value))
    if (low is not None and value < low) or (high is not None and value > high):
        least, most = _in_full(low), _in_full(high)
        bounds = (
            _("at least {least}", least=least)
            if high is None
            else _("at most {most}", most=most)
            if low is None
            else _("{low} to {high}", low=least, high=most)
        )
        raise BadParameter(
            _(
                "{owner}: {name} must be {bounds}, not {text}",
                owner=owner,
                name=field.name,
                bounds=bounds,
                text=_in_full(value),
            )
        )


def wrong_seats(owner: str, limits: tuple[int, int], seats: int) -> str:
    """What is wrong where so many seats cannot play; `limits` are the fewest and the most that can."""
    low, high = limits
    wanted = str(low) if low == high else _("{low} to {high}", low=low, high=high)
    return _("{owner} is played by {wanted} seats, not {seats}", owner=owner, wanted=wanted, seats=seats)


def _in_full(number: float | None) -> str:
    """A number as one reads it: whole ones with all their digits, but 40 at most."""
    return f"{number:g}" if isinstance(number, float) else f"{number!s:.40}"


@functools.cache
def _hints_of(kind: type) -> dict[str, Any]:
    """The types of the fields of a class of parameters, whose annotations are read only once."""
    return get_type_hints(kind)


def build(owner: str, editions: Mapping[str, P], items: Sequence[str]) -> P:
    """The parameters that `items` say: the first edition of `editions`, changed item by item.

    `owner` names whose parameters they are, for the errors: BadParameter or UnknownName; AgentFailure where a class of
    somebody's own takes no such values.
    """
    value: Any = next(iter(editions.values()))
    kind: Any = type(value)
    hints = _hints_of(kind)
    fields = {field.name: field for field in dataclasses.fields(value) if field.metadata}
    changes: dict[str, Any] = {}
    for item in items:
        key, equals, text = (part.strip() for part in item.partition("="))
        if not equals:
            if key not in editions:
                known = [*editions, *(f"{name}=..." for name in fields)]
                raise UnknownName(_("edition or parameter of {owner}", owner=owner), item, known)
            value = editions[key]
            continue
        if key not in fields:
            raise UnknownName(_("parameter of {owner}", owner=owner), key, fields)
        changes[key] = _convert(owner, fields[key], hints[key], text)
    with ForeignCode(f"{owner} cannot be made with {','.join(items)}", (MolehuntError,)):
        changed: P = dataclasses.replace(value, **changes)
    return changed


def show_value(value: Any) -> str:
    """A parameter's value as it is typed."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{float(value)!r}" if isinstance(value, float) else str(value)  # also one of NumPy


def canonical(name: str, editions: Mapping[str, Any], value: Any) -> str:
    """The shortest spec that `build` reads back to `value`: the nearest edition, then what differs from it.

    A ruleset among those of its game, whose own `name` is the one given, is told by what differs from the edition of that name.
    `editions` are dataclasses with fields of `parameter`, by name, as `value` is one; BadInput where they are none.

    >>> from molehunt.games.saboteur.ruleset import KRISNADI
    >>> molehunt.canonical("krisnadi", {"krisnadi": KRISNADI}, dataclasses.replace(KRISNADI, saboteurs=2))
    'krisnadi:saboteurs=2'
    """
    given: object = editions
    if not isinstance(given, Mapping) or not given or not all(map(dataclasses.is_dataclass, [value, *given.values()])):
        raise BadInput(
            "a spec is told of a dataclass and of its editions, dataclasses of the same kind by name, not of "
            f"{value_text(value)} and {value_text(editions)}"
        )
    if name in editions and getattr(value, "name", None) == name:
        editions = {name: editions[name]}

    def differences(edition: Any) -> list[str]:
        return [
            f"{field.name}={show_value(getattr(value, field.name))}"
            for field in dataclasses.fields(value)
            if field.metadata and getattr(value, field.name) != getattr(edition, field.name)
        ]

    first = next(iter(editions))
    best = min(editions, key=lambda key: len(differences(editions[key])) + (key != first))
    items = ([] if best == first else [best]) + differences(editions[best])
    return name + (":" + ",".join(items) if items else "")


def describe(editions: Mapping[str, Any]) -> list[tuple[str, list[str], str]]:
    """What there is to set: a row (name, its value in each edition, its description) per parameter."""
    value = next(iter(editions.values()))
    return [
        (field.name, [show_value(getattr(edition, field.name)) for edition in editions.values()], field.metadata["doc"])
        for field in dataclasses.fields(value)
        if field.metadata
    ]


def as_record(parameters: Any) -> Any:
    """A parameters dataclass as an array of one record of float64, for kernels.

    Switches are 0 and 1; a parameter with choices is the number of its choice.
    """
    import numpy as np

    fields = [field for field in dataclasses.fields(parameters) if field.metadata]
    record = np.zeros(1, [(field.name, np.float64) for field in fields])
    for field in fields:
        value = getattr(parameters, field.name)
        choices = field.metadata["choices"]
        record[field.name] = choices.index(value) if choices is not None else float(value)
    return record
