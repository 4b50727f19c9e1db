"""What a compiled function finds outside of itself is part of it, in this process and on the disk."""

from __future__ import annotations

import functools
import importlib.util
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from molehunt.core import kernel_cache, kernels
from molehunt.core.kernel_values import values_read
from molehunt.core.kernels import first_class
from molehunt.core.streams import below

SOURCE = """
import math
import numpy as np
from molehunt.core.kernels import kernel
import settings_of_it

weight = {value}
table = np.full(3, weight)
unread = object()

def by_number(number):
    return number + weight

def by_table(number):
    return number + table[1]

def by_module(number):
    return number + settings_of_it.weight

@kernel
def inner(number):
    return number + weight

def by_kernel(number):
    return inner(number)

def closing_over(value):
    def by_closure(number):
        return number + value
    return by_closure

by_closure = closing_over(weight)

def by_nothing(number):
    return np.sqrt(number) + math.pi
"""
READING = ("by_number", "by_table", "by_module", "by_kernel", "by_closure")


def loaded(folder: Path, value: float, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """A module of one source in which a number is what some argument or file said: the text is the same for every number."""
    name = "values_of_somebody"
    path = folder / f"{name}.py"
    path.write_text(SOURCE.format(value="float(value_given)"))
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    vars(module)["value_given"] = value
    beside = folder / "settings_of_it.py"
    beside.touch()
    aside = ModuleType("settings_of_it")
    vars(aside).update(weight=value, __file__=str(beside))
    monkeypatch.setitem(sys.modules, "settings_of_it", aside)
    monkeypatch.setitem(sys.modules, name, module)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("name", READING)
def test_code_on_the_disk_is_used_for_the_same_values_alone(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kernels, "CACHE_FOLDER", tmp_path / "kernels-1")
    monkeypatch.setattr(kernel_cache, "used", set())
    hits = []
    for value in (1.0, 7.0, 1.0):
        function = first_class("float64(float64)", getattr(loaded(tmp_path, value, monkeypatch), name))
        assert function.ctypes(2.0) == 2.0 + value
        hits.append(function.cache_hits)
    assert hits == [0, 0, 1]


def test_values_that_change_are_other_values(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    module = loaded(tmp_path, 1.0, monkeypatch)
    for name in ("by_number", "by_table"):
        before = values_read(getattr(module, name))
        vars(module)["unread"] = object()
        assert values_read(getattr(module, name)) == before != b""
    before = values_read(module.by_table)
    module.table[1] = 5.0
    assert values_read(module.by_table) != before
    before = values_read(module.by_number)
    vars(module)["weight"] = 5.0
    assert values_read(module.by_number) != before


def test_of_this_package_and_of_libraries_nothing_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert values_read(loaded(tmp_path, 1.0, monkeypatch).by_nothing) == b""
    kernel: Any = below
    assert values_read(kernel.py_func) == values_read(functools.wraps) == b""


def test_a_function_of_no_file_is_compiled_and_kept_nowhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As one that is typed at Python's prompt."""
    monkeypatch.setattr(kernels, "CACHE_FOLDER", tmp_path / "kernels-1")
    more = eval(compile("lambda number: number + 1.0", "<stdin>", "eval"))  # noqa: S307 - that is how a prompt does it
    assert first_class("float64(float64)", more).ctypes(2.0) == 3.0
    assert kernels.kernel(more)(4.0) == 5.0
    assert not [path for path in tmp_path.rglob("*") if path.is_file()]
