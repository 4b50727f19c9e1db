"""Keeps the catalogues of languages: takes the texts out of the sources, and makes what the program reads of each `.po`.

    python release/catalogue.py update        # after texts have changed: into every .po, then compile
    python release/catalogue.py update fr     # ... and begin another language
    python release/catalogue.py check         # whether all is up to date, translated, and keeps its places

Sources are Python, plain JavaScript modules and Jinja templates. In all of them `_("text")` is a text, and `later("text")` one that
is translated where it is shown; `counted_in("{n} card", "{n} cards", number)` has a form for one and one for more.
Two kinds of texts have no such mark: the tables `RULE_TEXTS`, which stand where rules are compiled, and the names of Clue's cards.
Of each `languages/<code>.po` come `<code>.mo`, for Python, and `web/static/languages/<code>.json`, what pages say themselves.
"""

from __future__ import annotations

import ast
import io
import json
import re
import sys
from collections.abc import Collection, Iterable, Iterator
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Any, BinaryIO

from babel.messages.catalog import Catalog, Message
from babel.messages.extract import extract_from_dir
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

SOURCES = Path(__file__).resolve().parents[1] / "src" / "molehunt"
LANGUAGES = SOURCES / "languages"
FOR_PAGES = SOURCES / "web" / "static" / "languages"
KEYWORDS = {"_": None, "later": None, "counted_in": (1, 2)}
RULE_TABLE = "RULE_TEXTS"
PYTHON_WORDS = re.compile(rb"\b(_|later|counted_in)\(|\bRULE_TEXTS\b")
CARD_CATEGORIES = ("suspects", "weapons", "locations")
"""Under these keys of a card set of Clue, the names of cards are keys."""


def python_texts(file: BinaryIO, keywords: Collection[str], _tags: object, options: object) -> Iterator[Found]:  # noqa: ARG001 - what Babel hands on
    """The texts of a Python source, as Babel asks for them: constants alone, read from the syntax tree.

    Babel's own reader takes the strings within `_(TABLE["key"])` for texts.
    """
    source = file.read()
    if not PYTHON_WORDS.search(source):
        return
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Assign) and [to.id for to in node.targets if isinstance(to, ast.Name)] == [RULE_TABLE]:
            yield from ((node.lineno, "_", text, []) for text in _texts(ast.walk(node.value)))
        if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in keywords):
            continue
        texts = _texts(node.args)
        if texts:
            yield node.lineno, node.func.id, texts[0] if len(texts) == 1 else tuple(texts), []


def _texts(nodes: Iterable[ast.AST]) -> list[str]:
    """The constants among nodes that are texts."""
    values = [node.value for node in nodes if isinstance(node, ast.Constant)]
    return [value for value in values if isinstance(value, str) and value]


def card_texts(file: BinaryIO, keywords: Collection[str], _tags: object, options: object) -> Iterator[Found]:  # noqa: ARG001 - what Babel hands on
    """The names of the cards of a card set of Clue; other data have none."""
    data = json.load(file)
    for category in CARD_CATEGORIES:
        yield from ((1, "_", name, []) for name in data.get(category, ()))
    if "suspects" in data:
        yield 1, "_", data["title"], []


METHODS: list[tuple[str, Any]] = [
    ("**.py", python_texts),
    ("games/speed_clue/data/*.json", card_texts),
    ("web/static/**.js", "javascript"),
    ("web/templates/**.jinja", "jinja2"),
]
WIDTH = 120
SCRIPT = ".js"
PLACE = re.compile(r"\{(\w*)[^{}]*\}")
Found = tuple[int, str, str | tuple[str, ...], list[str]]
NO_DATE = datetime.fromtimestamp(0, UTC)


@cache
def extracted() -> Catalog:
    """All texts of the sources, each with the files in which it stands."""
    found = Catalog(project="molehunt", charset="utf-8", fuzzy=False)
    for name, _, message, comments, context in extract_from_dir(
        SOURCES,
        METHODS,
        {"web/static/**.js": {"parse_template_string": "true"}},
        KEYWORDS,
        comment_tags=("For translators:",),
        strip_comment_tags=True,
    ):
        found.add(message, None, [(name, 0)], auto_comments=comments, context=context)
    for each in found:
        each.locations = [(name, 0) for name in sorted({name for name, _ in each.locations})]
    return found


def read(code: str) -> Catalog:
    """The catalogue of a language as its `.po` has it."""
    with (LANGUAGES / f"{code}.po").open("rb") as file:
        return read_po(file, locale=code)


def codes() -> list[str]:
    """The languages that there are besides English."""
    return sorted(path.stem for path in LANGUAGES.glob("*.po"))


def updated(code: str) -> Catalog:
    """The catalogue of a language with the texts of the sources: new ones empty, those that are gone left out."""
    known = read(code) if (LANGUAGES / f"{code}.po").exists() else Catalog(locale=code)
    fresh = Catalog(
        locale=code, project="molehunt", charset="utf-8", fuzzy=False, header_comment=f"# molehunt in {known.locale}"
    )
    for message in extracted():
        if not message.id:
            continue
        before = known.get(message.id, message.context)
        # What has come to be said of one and of several, or no longer is, is translated anew.
        alike = before is not None and before.pluralizable == message.pluralizable
        said = before.string if before is not None and alike else ""
        fresh.add(message.id, said, message.locations, auto_comments=message.auto_comments, context=message.context)
    return fresh


def as_po(catalogue: Catalog) -> bytes:
    """A catalogue as its file: in the order of the files, without line numbers, dates or versions, so that it merges well."""
    file = io.BytesIO()
    write_po(file, catalogue, width=WIDTH, sort_by_file=True, include_lineno=False, omit_header=True)
    plural = f'"Plural-Forms: {catalogue.plural_forms}\\n"'
    head = f'{catalogue.header_comment}\nmsgid ""\nmsgstr ""\n"Language: {catalogue.locale}\\n"\n{plural}\n'
    kind = (
        '"MIME-Version: 1.0\\n"\n"Content-Type: text/plain; charset=utf-8\\n"\n"Content-Transfer-Encoding: 8bit\\n"\n\n'
    )
    return (head + kind).encode() + file.getvalue()


class Plain(Catalog):
    """A catalogue whose head does not say which Babel made it: the same texts always make the same file."""

    @property  # type: ignore[misc]  # nobody writes it here
    def mime_headers(self) -> list[tuple[str, str]]:
        return [head for head in super().mime_headers if head[0] != "Generated-By"]


def as_mo(catalogue: Catalog) -> bytes:
    """A catalogue as Python reads it, in the format of GNU gettext."""
    # The format has a head with dates: always the same ones.
    plain = Plain(locale=catalogue.locale, charset="utf-8", fuzzy=False, creation_date=NO_DATE, revision_date=NO_DATE)
    for message in catalogue:
        if message.id and is_translated(message):
            plain.add(message.id, message.string, context=message.context)
    file = io.BytesIO()
    write_mo(file, plain)
    return file.getvalue()


def as_json(catalogue: Catalog) -> bytes:
    """What pages say themselves: the translation of each text that stands in a script, of counted ones a list of forms."""
    said = {
        message.id if isinstance(message.id, str) else message.id[0]: message.string
        for message in catalogue
        if message.id and is_translated(message) and any(name.endswith(SCRIPT) for name, _ in message.locations)
    }
    return (json.dumps(said, ensure_ascii=False, indent=0, sort_keys=True) + "\n").encode()


def forms(message: Message) -> list[str]:
    """The translation of a text, in all its forms."""
    return [message.string] if isinstance(message.string, str) else [*(message.string or [""])]


def is_translated(message: Message) -> bool:
    """Whether a text has all its forms in the language."""
    return all(forms(message))


def faults(code: str) -> list[str]:
    """What is wrong with a language: texts without a translation, and those whose translation has other places."""
    found = []
    for message in updated(code):
        if not message.id:
            continue
        one, *more = [message.id] if isinstance(message.id, str) else message.id
        if not is_translated(message):
            found.append(f"{code}: no translation of {one!r}")
            continue
        # A form for one thing need not say the number, so each place stands in one of the forms at least.
        places = set(PLACE.findall("".join([one, *more])))
        said = set(PLACE.findall("".join(forms(message))))
        if places != said:
            found.append(f"{code}: {one!r} has the places {sorted(places)}, its translation {sorted(said)}")
    if as_po(updated(code)) != (LANGUAGES / f"{code}.po").read_bytes():
        found.append(f"{code}.po is not what the sources say; python release/catalogue.py update")
    for path, made in made_of(code).items():
        if not path.exists() or path.read_bytes() != made:
            found.append(f"{path.name} is not what {code}.po says; python release/catalogue.py update")
    return found


def made_of(code: str) -> dict[Path, bytes]:
    """The files that come of a language's `.po`, and what they hold."""
    catalogue = read(code)
    return {LANGUAGES / f"{code}.mo": as_mo(catalogue), FOR_PAGES / f"{code}.json": as_json(catalogue)}


def update(code: str) -> None:
    """Bring a language up to date with the sources, and compile it."""
    (LANGUAGES / f"{code}.po").write_bytes(as_po(updated(code)))
    FOR_PAGES.mkdir(exist_ok=True)
    for path, made in made_of(code).items():
        path.write_bytes(made)


def main(words: list[str]) -> int:
    match words:
        case ["update", *more] if len(more) < 2:
            for code in more or codes():
                update(code)
                left = sum("no translation" in fault for fault in faults(code))
                print(f"{code}: {len(updated(code))} texts, {left} to translate")
            return 0
        case ["check"]:
            found = [fault for code in codes() for fault in faults(code)]
            print("\n".join(found) or "All languages are complete.")
            return 1 if found else 0
    print(__doc__)
    return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
