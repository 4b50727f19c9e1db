"""One text in several languages: each context its own, what is not translated stays, and English loads nothing."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor

import pytest

from molehunt.core import language
from molehunt.core.language import (
    _,
    best_of,
    counted_in,
    language_of_system,
    languages,
    later,
    speaking,
)

KNOWN = later("The game is over")


def test_a_text_is_said_in_the_language_that_is_spoken_and_in_english_before_and_after() -> None:
    with speaking("de"):
        assert _(KNOWN) == "Das Spiel ist vorbei"
        with speaking("en"):
            assert _(KNOWN) == KNOWN
        assert language.language() == "de"
    assert _(KNOWN) == KNOWN
    assert language.language() == "en"


def test_values_fill_the_places_of_a_text_and_a_text_without_values_stays_as_it_is() -> None:
    assert _("{name} is to move", name="A{0}n") == "A{0}n is to move"
    assert _("{") == "{"


def test_a_number_chooses_the_form() -> None:
    assert [counted_in("{n} card in the deck", "{n} cards in the deck", n) for n in (0, 1, 2)] == [
        "0 cards in the deck",
        "1 card in the deck",
        "2 cards in the deck",
    ]
    with speaking("de"):
        assert [counted_in("{n} card in the deck", "{n} cards in the deck", n) for n in (1, 2)] == [
            "1 Karte im Stapel",
            "2 Karten im Stapel",
        ]


def test_what_nobody_has_translated_stays_english_and_an_unknown_language_is_english() -> None:
    with speaking("de"):
        assert _("never said by anybody here") == "never said by anybody here"
        with speaking("tlh"):
            assert language.language() == "en"
            assert _(KNOWN) == KNOWN


def test_threads_and_tasks_speak_their_own_language() -> None:
    async def said(code: str) -> str:
        with speaking(code):
            await asyncio.sleep(0)
            return _(KNOWN)

    async def both() -> list[str]:
        return [*await asyncio.gather(said("de"), said("en"), said("de"))]

    assert asyncio.run(both()) == ["Das Spiel ist vorbei", KNOWN, "Das Spiel ist vorbei"]
    with speaking("de"), ThreadPoolExecutor(1) as pool:
        assert pool.submit(_, KNOWN).result() == KNOWN


def test_english_reads_no_catalogue(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(code: str) -> None:
        raise AssertionError(code)

    monkeypatch.setattr(language, "_catalogue", refuse)
    with speaking("en"):
        assert _(KNOWN) == KNOWN
    with pytest.raises(AssertionError, match="de"), speaking("de"):
        pass
    assert language.language() == "en"


@pytest.mark.parametrize(
    ("wanted", "best"),
    [
        (["de-AT"], "de"),
        (["DE_de.UTF-8"], "de"),
        (["tlh", "de", "en"], "de"),
        (["en-GB", "de"], "en"),
        (["C"], "en"),
        ([""], "en"),
        ([], "en"),
        (["../de"], "en"),
    ],
)
def test_the_first_wanted_language_that_there_is_is_best(wanted: list[str], best: str) -> None:
    assert best_of(wanted) == best
    assert best in languages()


@pytest.mark.parametrize(
    ("settings", "spoken"),
    [
        ({"LANG": "de_DE.UTF-8"}, "de"),
        ({"LANG": "en_US.UTF-8", "LC_MESSAGES": "de_CH"}, "de"),
        ({"LC_ALL": "C", "LANG": "de_DE"}, "en"),
        ({"LC_ALL": "", "LANG": "de"}, "de"),
        ({}, "en"),
    ],
)
def test_the_system_says_which_language_is_wanted(settings: dict[str, str], spoken: str) -> None:
    assert language_of_system(settings) == spoken
