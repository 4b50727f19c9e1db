"""In which language people are spoken to: every sentence for them goes through `_`, and a catalogue says it in another language.

Texts stand in the sources in English and are their own keys, with named places for what varies: `_("{name} digs", name=name)`.
English loads nothing. Another language is `languages/<code>.po`, made into the `<code>.mo` that is read here by
`release/catalogue.py`. A package that brings a game may bring catalogues of its own (`add_catalogues`).

The language belongs to the context of the call: a thread or task keeps its own, so a server speaks several at once.
"""

from __future__ import annotations

import gettext
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from pathlib import Path

ENGLISH = "en"
CATALOGUES = Path(__file__).parents[1] / "languages"
SETTINGS = ("LC_ALL", "LC_MESSAGES", "LANG")
"""Where a system says which language is wanted, the strongest first."""

_spoken: ContextVar[gettext.NullTranslations | None] = ContextVar("spoken", default=None)
_code: ContextVar[str] = ContextVar("code", default=ENGLISH)


def _(text: str, /, **values: object) -> str:
    """A text in the language that is spoken, its places filled with `values`; as it stands where nobody has translated it."""
    catalogue = _spoken.get()
    # The empty text is where a catalogue keeps its head.
    said = catalogue.gettext(text) if catalogue is not None and text else text
    return said.format_map(values) if values else said


def counted_in(one: str, more: str, number: int, /, **values: object) -> str:
    """The one of two texts that fits a number, translated; in a language with more forms, its own. `{n}` is the number."""
    catalogue = _spoken.get()
    said = (one if number == 1 else more) if catalogue is None else catalogue.ngettext(one, more, number)
    return said.format_map({"n": number, **values})


def later(text: str, /) -> str:
    """A text that stands in a table and is translated where it is shown: the catalogue knows it by this."""
    return text


def spoken_words(words: str, /) -> tuple[str, ...]:
    """The words of a text that somebody may type: in English, which is always read, and in the language that is spoken."""
    return tuple(dict.fromkeys([*words.split(), *_(words).split()]))


@cache
def languages() -> tuple[str, ...]:
    """The codes of all languages that there are, English first."""
    return (ENGLISH, *sorted(path.stem for path in CATALOGUES.glob("*.mo")))


def language() -> str:
    """The code of the language that is spoken here."""
    return _code.get()


@contextmanager
def speaking(code: str) -> Iterator[None]:
    """Speak a language, for as long as this lasts; English where there is none of this code."""
    code = code if code in languages() else ENGLISH
    before = _spoken.set(None if code == ENGLISH else _catalogue(code))
    code_before = _code.set(code)
    try:
        yield
    finally:
        _code.reset(code_before)
        _spoken.reset(before)


def best_of(wanted: Iterable[str]) -> str:
    """The first of the languages somebody wants that there is: `de-AT` and `de_DE.UTF-8` are `de`; English where there is none."""
    for name in wanted:
        code = name.replace("_", "-").partition(".")[0].partition("-")[0].strip().lower()
        if code in languages():
            return code
    return ENGLISH


def language_of_system(settings: Mapping[str, str]) -> str:
    """The language that a system's settings (`os.environ`) ask for."""
    return best_of([next((settings[name] for name in SETTINGS if settings.get(name)), ENGLISH)])


_catalogues: dict[str, gettext.GNUTranslations] = {}
_brought: list[Path] = []


def add_catalogues(folder: Path) -> None:
    """Take in the catalogues `<code>.mo` of a folder, which say what those that are there already leave in English."""
    if folder not in _brought:
        _brought.append(folder)
        for code, catalogue in _catalogues.items():
            _add(folder, code, catalogue)


def _catalogue(code: str) -> gettext.GNUTranslations:
    if code not in _catalogues:
        made = _read(CATALOGUES / f"{code}.mo")
        for folder in _brought:
            _add(folder, code, made)
        _catalogues[code] = made
    return _catalogues[code]


def _add(folder: Path, code: str, catalogue: gettext.GNUTranslations) -> None:
    if (folder / f"{code}.mo").is_file():
        catalogue.add_fallback(_read(folder / f"{code}.mo"))


def _read(path: Path) -> gettext.GNUTranslations:
    with path.open("rb") as file:
        return gettext.GNUTranslations(file)
