"""Machine code is made for all usual processors of a kind, where this one is among them."""

from __future__ import annotations

import platform
from typing import Any, cast

import pytest

from molehunt.core import processor
from molehunt.core.kernels import kernel

USUAL = {"cx16", "popcnt", "sahf", "sse3", "sse4.1", "sse4.2", "ssse3", "avx2"}


@kernel
def one_more(number: int) -> int:
    """A sum."""
    return number + 1


@pytest.fixture
def usual(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    """A usual processor, and no wishes."""
    monkeypatch.delenv("NUMBA_CPU_NAME", raising=False)
    monkeypatch.delenv("NUMBA_CPU_FEATURES", raising=False)
    monkeypatch.setattr(platform, "machine", lambda: "x86_64")
    monkeypatch.setattr("molehunt.core.processor.binding.get_host_cpu_features", lambda: dict.fromkeys(USUAL, True))
    return monkeypatch


@pytest.mark.usefixtures("usual")
def test_usual_processors_share_a_baseline() -> None:
    assert processor.baseline() == "x86-64-v2"


@pytest.mark.parametrize("lacking", ["popcnt", "sse4.2"])
def test_a_processor_that_cannot_do_all_of_it_has_code_of_its_own(usual: pytest.MonkeyPatch, lacking: str) -> None:
    usual.setattr(
        "molehunt.core.processor.binding.get_host_cpu_features", lambda: dict.fromkeys(USUAL - {lacking}, True)
    )
    assert processor.baseline() is None


@pytest.mark.parametrize("machine", ["aarch64", "arm64"])
def test_all_arm64_processors_share_a_baseline_whatever_is_known_of_them(
    usual: pytest.MonkeyPatch, machine: str
) -> None:
    usual.setattr(platform, "machine", lambda: machine)
    usual.setattr("molehunt.core.processor.binding.get_host_cpu_features", dict)
    assert processor.baseline() == "generic"


def test_a_kind_of_machine_that_was_not_tried_has_code_of_its_own(usual: pytest.MonkeyPatch) -> None:
    usual.setattr(platform, "machine", lambda: "riscv64")
    assert processor.baseline() is None


@pytest.mark.parametrize("setting", ["NUMBA_CPU_NAME", "NUMBA_CPU_FEATURES"])
def test_what_is_asked_of_numba_has_the_last_word(usual: pytest.MonkeyPatch, setting: str) -> None:
    usual.setenv(setting, "host")
    assert processor.baseline() is None


def test_kernels_are_made_for_the_baseline() -> None:
    name = processor.baseline()
    if name is None:
        pytest.skip("there is no baseline for this machine")
    assert one_more(4) == 5
    entry = cast("Any", one_more)._twin
    (compiled,) = entry.overloads.values()
    _, cpu, features = compiled.library.codegen.magic_tuple()
    assert (cpu, features) == (name, "")
