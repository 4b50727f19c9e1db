"""The language in which a space of parameters is written: `d_b=0..5,d_pi=1..1000:log,plan=a|b|c`, a TOML file, or `all`.

A dimension is a parameter of a player with the values that may be tried. What the player itself allows (types, ranges, choices:
`core.specs`) holds here too, and is checked while the space is read.
"""

from __future__ import annotations

import dataclasses
import math
import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, TypeAlias, get_type_hints

from molehunt.core.errors import BadInput, UnknownName
from molehunt.core.specs import build, show_value

ALL, LOG, RANGE, CHOICE = "all", "log", "..", "|"
SUFFIX = ".toml"
DIGITS = 4
"""Significant digits of a number that is tried, so that the best one can be typed."""
STEP_DIGITS = 12
"""The same where a range has steps: its numbers are short by themselves."""

Value: TypeAlias = bool | int | float | str

ROUNDING = 1e-9


@dataclasses.dataclass(frozen=True)
class Dimension:
    """One parameter and what may be tried: `choices`, or the range from `low` to `high`.

    A range has steps of `step` if there is one, is even in the logarithm with `log`, and only whole numbers with `whole`.
    """

    name: str
    low: float = 0.0
    high: float = 0.0
    step: float | None = None
    log: bool = False
    whole: bool = False
    choices: tuple[Value, ...] = ()

    def __str__(self) -> str:
        if self.choices:
            return f"{self.name}={CHOICE.join(show_value(choice) for choice in self.choices)}"
        after = f":{LOG}" if self.log else f":{self.step:g}" if self.step is not None else ""
        return f"{self.name}={self.low:.12g}{RANGE}{self.high:.12g}{after}"

    def value(self, drawn: Any) -> Value:
        """A drawn value as it is tried: in the type of the parameter, with no more digits than can be typed."""
        if self.choices:
            return self.choices[int(drawn)]
        if self.whole:
            return int(drawn)
        digits = DIGITS if self.step is None else STEP_DIGITS
        return min(max(float(f"{float(drawn):.{digits}g}"), self.low), self.high)

    def holds(self, value: Value) -> bool:
        """Whether a value is one that may be tried."""
        if self.choices:
            return value in self.choices
        return not isinstance(value, str) and self.low <= value <= self.high and self._on_step(value)

    def _on_step(self, value: float) -> bool:
        steps = 0.0 if self.step is None else (value - self.low) / self.step
        return math.isclose(steps, round(steps), abs_tol=ROUNDING)


@dataclasses.dataclass(frozen=True)
class Space:
    """The dimensions in the order in which they were written."""

    dimensions: tuple[Dimension, ...]

    def __str__(self) -> str:
        return ",".join(str(dimension) for dimension in self.dimensions)


def parse_space(text: str, owner: str, editions: Mapping[str, Any]) -> Space:
    """The space that a text asks for, over the parameters of the player `owner` with these editions.

    `name=low..high` is a range, with `:log` or `:step` after it; `name=a|b|c` are choices; a name alone is the parameter's own
    range, its choices, or yes and no; `all` is every parameter like that. A text that ends in `.toml` is a file whose table
    `[space]` says the same: `d_b = "0..5"`, `d_b = {low = 0, high = 5, log = true}`, `plan = ["a", "b"]`, `d_b = true` for its
    own range.
    BadInput, BadParameter or UnknownName say what is wrong.
    """
    if not editions:
        raise BadInput(f"{owner} has no parameters, so there is nothing to tune")
    text = text.strip()
    if text.endswith(SUFFIX):
        items = _from_file(Path(text))
    elif text == ALL:
        items = _all_of(owner, editions)
    else:
        items = [_item(piece, text) for piece in text.split(",")]
    names = [name for name, _ in items]
    for name in names:
        if names.count(name) > 1:
            raise BadInput(f"the space names {name} twice")
    if not items:
        raise BadInput("the space names no parameter; write it as d_b=0..5,plan=a|b|c")
    return Space(tuple(_dimension(owner, editions, name, said) for name, said in items))


def _item(piece: str, text: str) -> tuple[str, str]:
    name, _, said = (part.strip() for part in piece.partition("="))
    if not name:
        raise BadInput(f"the space {text!r:.80} has an empty place between commas; write d_b=0..5,plan=a|b|c")
    return name, said


def _from_file(path: Path) -> list[tuple[str, str]]:
    """The items of a TOML file, each as it would be typed."""
    try:
        data = tomllib.loads(path.read_text("utf-8"))
    except OSError as error:
        raise BadInput(f"cannot read the space {path}: {error.strerror or error}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise BadInput(f"the space {path} is no TOML file: {error}") from None
    table = data.get("space")
    if not isinstance(table, dict) or set(data) != {"space"}:
        raise BadInput(f"{path} must hold one table [space] and nothing else")
    return [(name, _typed(path, name, value)) for name, value in table.items()]


def _typed(path: Path, name: str, value: Any) -> str:
    """A value of the file as it would be typed."""
    if value is True:
        return ""
    if isinstance(value, str):
        return value
    if isinstance(value, list) and value and all(isinstance(each, bool | int | float | str) for each in value):
        return CHOICE.join(show_value(each) for each in value)
    if isinstance(value, dict) and {"low", "high"} <= set(value) <= {"low", "high", "log", "step"}:
        after = f":{LOG}" if value.get("log") else f":{value['step']}" if "step" in value else ""
        return f"{value['low']}{RANGE}{value['high']}{after}"
    raise BadInput(
        f'{path}: {name} must be a text as on the command line ("0..5"), a list of choices, true, or {{low = .., high = ..}} '
        f"perhaps with log = true or step = .., not {value!r:.60}"
    )


def _fields(editions: Mapping[str, Any]) -> dict[str, dataclasses.Field[Any]]:
    value = next(iter(editions.values()))
    return {field.name: field for field in dataclasses.fields(value) if field.metadata}


def _all_of(owner: str, editions: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Every parameter with its own range; BadInput names those that have none."""
    kinds = get_type_hints(type(next(iter(editions.values()))))
    without = [name for name, field in _fields(editions).items() if not _own(field, kinds[name])]
    if without:
        raise BadInput(
            f"{owner} says no range for {', '.join(without)}, so all cannot be meant; "
            f"name what to tune: {_written(without[0], kinds)}"
        )
    return [(name, "") for name in _fields(editions)]


def _written(name: str, kinds: Mapping[str, Any]) -> str:
    """How one says what may be tried of a parameter: a range of a number, choices of a text."""
    return f"{name}=a{CHOICE}b" if kinds[name] is str else f"{name}=LOW{RANGE}HIGH"


def _own(field: dataclasses.Field[Any], kind: Any) -> bool:
    """Whether a parameter says by itself what may be tried."""
    both = field.metadata["low"] is not None and field.metadata["high"] is not None
    return kind is bool or field.metadata["choices"] is not None or both


def _dimension(owner: str, editions: Mapping[str, Any], name: str, said: str) -> Dimension:
    fields = _fields(editions)
    if name not in fields:
        raise UnknownName(f"parameter of {owner}", name, fields)
    field = fields[name]
    kind = get_type_hints(type(next(iter(editions.values()))))[name]

    def read(text: str) -> Any:
        """A value from its text, as the player reads it."""
        return getattr(build(owner, editions, [f"{name}={text.strip()}"]), name)

    if not said:
        return _own_dimension(owner, field, kind)
    if RANGE in said:
        if kind not in {int, float}:
            raise BadInput(
                f"{owner}: {name} is no number, so it has no range; write {name}=a{CHOICE}b, or {name} alone"
            )
        return _range(name, said, kind is int, read)
    choices = tuple(read(each) for each in said.split(CHOICE))
    if len(choices) < 2 or len(set(choices)) < len(choices):
        raise BadInput(
            f"{name}={said}: choices are two or more different values, {name}=a{CHOICE}b, or a range LOW{RANGE}HIGH"
        )
    return Dimension(name, choices=choices)


def _own_dimension(owner: str, field: dataclasses.Field[Any], kind: Any) -> Dimension:
    """The dimension of a parameter that was only named."""
    if not _own(field, kind):
        raise BadInput(f"{owner} says no range for {field.name}; write {_written(field.name, {field.name: kind})}")
    if kind is bool:
        return Dimension(field.name, choices=(True, False))
    if field.metadata["choices"] is not None:
        return Dimension(field.name, choices=tuple(field.metadata["choices"]))
    low, high = field.metadata["low"], field.metadata["high"]
    return Dimension(field.name, float(low), float(high), whole=kind is int)


def _range(name: str, said: str, whole: bool, read: Any) -> Dimension:
    """`low..high`, perhaps with `:log` or `:step`."""
    bounds, _, after = (part.strip() for part in said.partition(":"))
    ends: Sequence[str] = bounds.split(RANGE)
    if len(ends) != 2 or not all(end.strip() for end in ends):
        raise BadInput(f"{name}={said}: a range is LOW{RANGE}HIGH, such as 0{RANGE}5")
    low, high = (float(read(end)) for end in ends)
    if not low < high:
        raise BadInput(f"{name}={said}: a range goes from a lower to a higher number")
    if after == LOG:
        if low <= 0:
            raise BadInput(f"{name}={said}: only a range above 0 can be tried evenly in the logarithm")
        return Dimension(name, low, high, log=True, whole=whole)
    if not after:
        return Dimension(name, low, high, whole=whole)
    try:
        step = int(after) if whole else float(after)
    except ValueError:
        step = 0
    if not 0 < step <= high - low:
        raise BadInput(
            f"{name}={said}: after the range comes {LOG}, or a step above 0 and no larger than the range, not {after!r:.40}"
        )
    last = low + math.floor((high - low) / step + ROUNDING) * step
    return Dimension(name, low, float(f"{last:.{STEP_DIGITS}g}"), step=float(step), whole=whole)
