"""Players of others, from a Python file or an installed package: how their classes are found, made, and kept from hurting others.

Whatever goes wrong in them comes out as AgentFailure, with the player's name and the place in the file.
"""

from __future__ import annotations

import contextlib
import dataclasses
import functools
import hashlib
import importlib.util
import os
import re
import sys
import traceback
from collections.abc import Callable, Collection, Iterator, Mapping
from importlib.machinery import ModuleSpec, SourceFileLoader
from pathlib import Path
from types import CodeType, FrameType
from typing import Any, get_args, get_type_hints

from molehunt.core.agent import Agent, Player, PlayerAgent, Rows, actions_of, taken_as_json
from molehunt.core.errors import AgentFailure, BadInput, ForeignCode, MolehuntError, printable, value_text
from molehunt.core.game import Actions, Views
from molehunt.core.language import _
from molehunt.core.leaving import leave_by_error
from molehunt.core.panels import Panel, panel_printable
from molehunt.core.specs import build, canonical, check_written
from molehunt.core.standard_output import output_given_back

MODULES = "molehunt_agents_"
"""What the names of modules of files of players begin with."""
AS_WRITTEN = "as_written"
"""The edition of a player of one's own that has the values of its class."""


def classes_of(path: Path, taken: Collection[str]) -> dict[str, type[Player | Agent]]:
    """Every Player and Agent class of a Python file, by its attribute `name` or its class name; no name may be `taken`.

    BadInput where the file cannot be read or holds no player, AgentFailure where it fails while it is loaded.
    """
    check_python_file(path)
    with contextlib.suppress(OSError):  # it is told of where the file is loaded
        text_of(path)
    loader = _SourceLoader(_module_name(path), str(path))
    spec = ModuleSpec(loader.name, loader, origin=loader.path)
    spec.has_location = True
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    leave_by_error(loader.path)
    with output_given_back(), ForeignCode(f"{path} fails while it is loaded", hint=lambda error: _beside(path, error)):
        loader.exec_module(module)
    found = [
        value
        for value in vars(module).values()
        if isinstance(value, type) and issubclass(value, Player | Agent) and value.__module__ == spec.name
    ]
    if not found:
        raise BadInput(f"{path} holds no player: subclass molehunt.Player and write choose(self, view)")
    fresh: dict[str, type[Player | Agent]] = {}
    for value in found:
        name = _class_name(value, f"{path}: ")
        check_not_taken(name, {*taken, *fresh}, path)
        fresh[name] = value
    return fresh


def check_python_file(path: Path) -> None:
    """BadInput where players cannot come from here, as it is no Python file."""
    if _is_folder(path):
        inside = sorted(path.glob("*.py"))
        raise BadInput(f"{path} is a folder; agents come from a Python file{f', as {inside[0]}' if inside else ''}")
    if not _is_file(path):
        raise BadInput(f"there is no file {path} to take agents from")
    if path.suffix != ".py":
        raise BadInput(f"{path} is not a Python file; agents come from a file that ends in .py")


def text_of(path: Path) -> str:
    """The text of a Python file as Python reads it: UTF-8, if it names no other encoding.

    OSError; BadInput where it is no such text.
    """
    content = path.read_bytes()
    said = ""
    at, wrong = content.find(b"\0"), "holds a zero byte"
    try:
        text = importlib.util.decode_source(content)
        if at < 0:
            return text
    except (SyntaxError, UnicodeDecodeError) as error:
        said = str(error)
    try:
        content.decode()
    except UnicodeDecodeError as error:
        at, wrong = error.start, "is not in UTF-8"
    if at >= 0:
        line = content[:at].count(b"\n") + 1
        said = f"line {line} {wrong}"
    raise BadInput(
        f"{path} cannot be read as Python: {said}; save it as UTF-8, or let its first line name its encoding "
        "(# -*- coding: latin-1 -*-)"
    )


def check_name(name: str, said: str = "") -> None:
    """BadInput, which begins with `said`, where nobody could write this name on a seat."""
    if not name or name != name.strip() or set(name) & set(",:*") or not name.isprintable():
        raise BadInput(
            f"{said}a player cannot be called {name!r:.60}; a name is a text without comma, colon, star and line ends, "
            "and without blanks around it"
        )


def check_not_taken(name: str, taken: Collection[str], path: Path | str) -> None:
    """BadInput where a player of a file cannot have this name, or another has it."""
    check_name(name, f"{path}: ")
    if name in taken:
        raise BadInput(f"{path}: another player is called {name!r}; give this one an attribute name = '...'")


def _module_name(path: Path) -> str:
    """What the module of a file is called; of two files of one name, as people hand them in, each has a module of its own."""
    name = f"{MODULES}{path.stem}"
    other = getattr(sys.modules.get(name), "__file__", None)
    if other is None or _is_same(other, path):
        return name
    return f"{name}_{hashlib.sha256(os.path.realpath(path).encode(errors='surrogateescape')).hexdigest()[:12]}"


def _is_of_file(frame: FrameType) -> bool:
    return str(frame.f_globals.get("__name__", "")).startswith(MODULES)


PACKAGES: set[str] = set()
"""The first names of the packages, not of this project, of which players were made."""


def _is_foreign(frame: FrameType) -> bool:
    """Whether somebody else's code runs in a frame: of a file of players, or of a package that brings some."""
    return _is_of_file(frame) or str(frame.f_globals.get("__name__", "")).partition(".")[0] in PACKAGES


def _frames_of(thread: int) -> Iterator[FrameType]:
    """Where a thread is, by its number, from the innermost call outwards; nothing where there is none."""
    frame = sys._current_frames().get(thread)  # noqa: SLF001 - there is no other way to ask
    while frame is not None:
        yield frame
        frame = frame.f_back


def place_in_players(thread: int) -> tuple[FrameType | None, str]:
    """Where a thread, by its number, is in players of others: the call by which it came there, and `file:line, in function`.

    It is another call each time that such a player is asked. (None, "") where the thread is in none.
    """
    found = [(frame, _place(frame, frame.f_lineno)) for frame in _frames_of(thread) if _is_foreign(frame)]
    return (found[-1][0], found[0][1]) if found else (None, "")


def _place(frame: FrameType, line: int | None) -> str:
    return f"{frame.f_code.co_filename}:{line}, in {frame.f_code.co_name}"


def place_in_files(thread: int) -> str:
    """Where a thread, by its number, is in a file of players, as `file:line, in function`; "" where it is in none."""
    return next((_place(frame, frame.f_lineno) for frame in _frames_of(thread) if _is_of_file(frame)), "")


def running_in_files(error: BaseException | None = None) -> list[str]:
    """Where threads of this process are in files of players, as `file:line, in function`; each place once.

    With an error, a Ctrl-C for one, also where in such a file it came.
    """
    found = {place for thread in sys._current_frames() if (place := place_in_files(thread))}  # noqa: SLF001 - see there
    if error is not None:
        steps = [step for step in traceback.walk_tb(error.__traceback__) if _is_of_file(step[0])]
        found |= {_place(*step) for step in steps[-1:]}
    return sorted(found)


def _is_same(other: str, path: Path) -> bool:
    """Whether two names are of one file."""
    try:
        return os.path.realpath(other) == os.path.realpath(path)
    except FileNotFoundError:  # the current folder has been removed, and a name in it leads nowhere
        return other == str(path)


class _SourceLoader(SourceFileLoader):
    """Loads a file from its text alone.

    Python would keep what it compiled in a folder beside the file, and take it for an edited file of the same second and size.
    """

    def get_code(self, fullname: str) -> CodeType:
        return self.source_to_code(self.get_data(self.path), self.path)


def _is_file(path: Path) -> bool:
    """Whether there is a file of this name; a name that no file can have is none."""
    try:
        return path.is_file()
    except OSError:
        return False


def _is_folder(path: Path) -> bool:
    """Whether there is a folder of this name; a name that none can have is none."""
    try:
        return path.is_dir()
    except OSError:
        return False


def _beside(path: Path, error: BaseException) -> str:
    """Where a file asks for a module that lies beside it: that it has to make do without."""
    if isinstance(error, ImportError) and "relative import" in str(error):
        return "; a file of players belongs to no package: it makes do with itself and installed packages"
    module = f"{error.name}.py" if isinstance(error, ModuleNotFoundError) else ""
    if not module or not _is_file(path.parent / module):
        return ""
    return f"; a file of players makes do with itself and installed packages, so what it needs of {module} has to stand in it"


def _class_name(player: type[Player | Agent], said: str = "") -> str:
    """The name under which a class plays: its attribute `name`, else its class name as my-player.

    BadInput where the attribute is a number or another plain value; a method or a property of this name is the player's own matter.
    """
    given = vars(player).get("name")
    if isinstance(given, str):
        return given
    if isinstance(given, int | float | bytes | list | tuple | dict | set):
        raise BadInput(
            f"{said}the attribute name of {player.__name__} is a text, as name = 'my-player', not {value_text(given)}"
        )
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "-", player.__name__).lower()


def _too_early(error: BaseException) -> str:
    """Where a player asks for its random numbers while it is made: when they are there."""
    asked = isinstance(error, AttributeError) and error.name == "random" and isinstance(error.obj, Player)
    return "; self.random is there from begin(self, game, seat, view) on" if asked else ""


def editions_of(name: str, player: type[Player | Agent]) -> Mapping[str, Any]:
    """The parameters of a class of somebody's own as one of its objects, which has them as fields; empty where it has none.

    They are fields of a dataclass that are made with `parameter`. AgentFailure where it has such fields and is none.
    """
    for each in player.__mro__:
        fields = [field for field, value in vars(each).items() if isinstance(value, dataclasses.Field)]
        if fields:
            raise AgentFailure(
                f"{name}: {' and '.join(fields)} would be no number but a field without a dataclass: write @dataclass above "
                f"class {each.__name__}"
            )
    if not dataclasses.is_dataclass(player) or not any(field.metadata for field in dataclasses.fields(player)):
        return {}
    found: dict[str, Any] = {}
    with ForeignCode(f"{name} cannot be made without arguments", hint=_too_early):
        found[AS_WRITTEN] = player()
    hints: dict[str, Any] = {}
    with ForeignCode(f"{name}: the types of its fields cannot be read"):
        hints = get_type_hints(player)
    for each in dataclasses.fields(player):
        if each.metadata:
            check_written(f"{name} as it is written", each, hints[each.name], getattr(found[AS_WRITTEN], each.name))
    return found


def agent_of(name: str, player: type[Player | Agent], items: list[str]) -> Agent:
    """A player of a class of somebody's own with the parameters that `items` say; BadInput or AgentFailure."""
    if dataclasses.is_dataclass(player) and getattr(player, "__dataclass_params__").frozen:  # noqa: B009 - no type knows it
        raise AgentFailure(
            f"{name} cannot be a frozen dataclass: a player is given things when it sits down, as self.random"
        )
    editions = editions_of(name, player)
    values: dict[str, Any] = {}
    if editions:
        with ForeignCode(f"{name} cannot be made with {','.join(items)}", (MolehuntError,)):
            parameters = build(name, editions, items)
            name = canonical(name, editions, parameters)
            values = {
                each.name: getattr(parameters, each.name) for each in dataclasses.fields(parameters) if each.metadata
            }
    else:
        check_no_items(name, items, "; parameters are fields of a @dataclass, made with molehunt.parameter")
    with ForeignCode(f"{name} cannot be made without arguments", hint=_too_early):
        made = player(**values)
        agent = made if isinstance(made, Agent) else None  # asks the player, too
    if agent is not None:
        if type(agent).__hash__ is None:
            raise AgentFailure(
                f"{name}: an Agent that is a dataclass needs @dataclass(eq=False): no two of them are the same"
            )
        agent.name = name
        return guarded(agent)
    return PlayerAgent(name, functools.partial(player, **values))  # type: ignore[arg-type]


ASKED = (
    "start",
    "act",
    "observe",
    "catch_up",
    "copy_memory",
    "take",
    "put",
    "impressions",
    "meet_again",
    "why",
    "beliefs",
)
"""What an agent of somebody's own is called for, while games are played and looked at."""


def guarded(agent: Agent) -> Agent:
    """An agent of somebody's own whose errors come out as AgentFailure, with its name and the place."""

    def guard(method: str, own: Callable[..., Any]) -> Callable[..., Any]:
        def ask(*arguments: Any, **named: Any) -> Any:
            with ForeignCode(f"{agent.name} failed in {method}", (MolehuntError,)):
                return own(*arguments, **named)

        def act(views: Views, memory: Any, rows: Rows) -> Actions:
            with ForeignCode(f"{agent.name} failed in act", (MolehuntError,)):
                return actions_of(agent, own(views, memory, rows), len(rows))

        def impressions(*arguments: Any, **named: Any) -> Any:
            return taken_as_json(agent.name, ask(*arguments, **named))

        def meet_again(memory: Any, row: int, impressions: Any, seated: bool = True) -> None:
            # A value of its own: what was taken along is kept with the record as it was.
            ask(memory, row, taken_as_json(agent.name, impressions), seated)

        def why(*arguments: Any, **named: Any) -> str:
            reasons = ""
            with ForeignCode(f"{agent.name} failed in why", (MolehuntError,)):
                told = own(*arguments, **named)
                reasons = "" if told is None else printable(str(told))
            return reasons or _("{name} gives no reasons.", name=agent.name)

        def beliefs(*arguments: Any, **named: Any) -> tuple[Panel, ...]:
            with ForeignCode(f"{agent.name} failed in beliefs", (MolehuntError,)):
                told = own(*arguments, **named)
                for panel in told:
                    if not isinstance(panel, get_args(Panel)):
                        raise AgentFailure(
                            f"{agent.name} believes {value_text(panel)}; beliefs are panels of molehunt.core.panels"
                        )
                return tuple(map(panel_printable, told))

        own_ways: dict[str, Callable[..., Any]] = {
            "act": act,
            "beliefs": beliefs,
            "impressions": impressions,
            "meet_again": meet_again,
            "why": why,
        }
        return own_ways.get(method, ask)

    for method in ASKED:
        setattr(agent, method, guard(method, getattr(agent, method)))
    agent.may_fail = True
    return agent


def check_no_items(name: str, items: list[str], hint: str = "") -> None:
    """BadInput where something is set of a player that has no parameters."""
    if items:
        set_so = repr(",".join(items))
        told = _("{name} has no parameters, so {items} cannot be set", name=name, items=set_so)
        raise BadInput(f"{told}{hint}")
