"""The catalogues are what the sources say, complete, and what the program reads is what they say."""

from __future__ import annotations

import ast
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from babel.messages.pofile import read_po

import molehunt
from molehunt.core.language import languages

ROOT = Path(__file__).resolve().parents[2]
SOURCES = Path(molehunt.__file__).parent
SCRIPT = ROOT / "release" / "catalogue.py"
MARKED = re.compile(r'(?<![\w.$])(?:_|later|counted_in)\(\s*"((?:[^"\\]|\\.)*)"')
"""What a script marks as a text."""
IMPORT = re.compile(r"^from molehunt.core.language import [^)]*\b_\b", re.MULTILINE)


def run(*words: str, copy: Path | None = None) -> subprocess.CompletedProcess[str]:
    script = SCRIPT if copy is None else copy / "release" / SCRIPT.name
    return subprocess.run([sys.executable, script, *words], capture_output=True, text=True, check=False)


def test_every_language_is_complete_and_up_to_date_with_the_sources() -> None:
    found = run("check")
    assert (found.returncode, found.stdout, found.stderr) == (0, "All languages are complete.\n", "")
    assert "de" in languages()


def test_every_text_that_a_script_marks_is_in_the_catalogues() -> None:
    """Babel passes over some within template strings."""
    marked = {
        json.loads(f'"{text}"'): path.name
        for path in SOURCES.glob("web/static/**/*.js")
        for text in MARKED.findall(path.read_text("utf-8"))
    }
    assert len(marked) > 300
    with (SOURCES / "languages" / "de.po").open("rb") as file:
        known = {message.id if isinstance(message.id, str) else message.id[0] for message in read_po(file)}
    assert {text: name for text, name in marked.items() if text not in known} == {}


@pytest.fixture
def small(tmp_path: Path) -> Path:
    """A project of one text in each kind of source, with the script in its place."""
    for folder in ("release", "src/molehunt/languages", "src/molehunt/web/static", "src/molehunt/web/templates"):
        (tmp_path / folder).mkdir(parents=True)
    (tmp_path / "release" / SCRIPT.name).write_text(SCRIPT.read_text("utf-8"), "utf-8")
    (tmp_path / "src/molehunt/words.py").write_text('A = _("{name} digs", name=1)\nB = later("gold")\n', "utf-8")
    (tmp_path / "src/molehunt/web/static/a.js").write_text(
        'counted_in("{n} card", "{n} cards", 2); _("gold");', "utf-8"
    )
    (tmp_path / "src/molehunt/web/templates/a.html.jinja").write_text("<p>{{ _('Lobby') }}</p>", "utf-8")
    return tmp_path


def test_a_language_begins_with_all_texts_and_what_is_missing_or_wrong_is_named(small: Path) -> None:
    assert run("update", "fr", copy=small).stdout == "fr: 4 texts, 4 to translate\n"
    catalogue = small / "src/molehunt/languages/fr.po"
    found = run("check", copy=small)
    assert found.returncode == 1
    assert {f"fr: no translation of {text!r}" for text in ("{name} digs", "gold", "{n} card", "Lobby")} <= set(
        found.stdout.splitlines()
    )
    text = catalogue.read_text("utf-8").replace(
        'msgid "{name} digs"\nmsgstr ""', 'msgid "{name} digs"\nmsgstr "{nom} creuse"'
    )
    text = text.replace('msgid "gold"\nmsgstr ""', 'msgid "gold"\nmsgstr "or"').replace(
        'msgstr[0] ""', 'msgstr[0] "une carte"'
    )
    # How many forms French has, two or three, depends on what Babel knows of it.
    catalogue.write_text(re.sub(r'msgstr\[([1-9])\] ""', r'msgstr[\1] "{n} cartes"', text), "utf-8")
    told = run("check", copy=small).stdout
    assert "fr: '{name} digs' has the places ['name'], its translation ['nom']" in told
    assert "fr.mo is not what fr.po says; python release/catalogue.py update" in told
    run("update", copy=small)
    assert '"gold": "or"' in (small / "src/molehunt/web/static/languages/fr.json").read_text("utf-8")
    said = json.loads((small / "src/molehunt/web/static/languages/fr.json").read_bytes())
    assert said["{n} card"] in (["une carte", "{n} cartes"], ["une carte", "{n} cartes", "{n} cartes"])


def test_a_text_that_is_gone_from_the_sources_is_noticed(small: Path) -> None:
    run("update", "fr", copy=small)
    (small / "src/molehunt/words.py").write_text("", "utf-8")
    assert "fr.po is not what the sources say; python release/catalogue.py update" in run("check", copy=small).stdout
    run("update", copy=small)
    assert "digs" not in (small / "src/molehunt/languages/fr.po").read_text("utf-8")


@pytest.mark.parametrize("way", [1, -1])
def test_a_text_that_comes_to_be_said_of_several_is_translated_anew(small: Path, way: int) -> None:
    words, catalogue = small / "src/molehunt/words.py", small / "src/molehunt/languages/fr.po"
    of_one, of_several = ('_("{name} digs", name=1)', 'counted_in("{name} digs", "{name} dig", 2)')[::way]
    words.write_text(of_one, "utf-8")
    run("update", "fr", copy=small)
    catalogue.write_text(
        re.sub('(digs?"\nmsgstr(?:.0.)?) ""', r'\1 "{name} creuse"', catalogue.read_text("utf-8")), "utf-8"
    )
    words.write_text(of_several, "utf-8")
    made = run("update", copy=small)
    assert (made.returncode, made.stderr) == (0, "")
    assert "creuse" not in catalogue.read_text("utf-8")
    assert "fr: no translation of '{name} digs'" in run("check", copy=small).stdout


def modules_that_translate() -> list[Path]:
    return [path for path in sorted(SOURCES.rglob("*.py")) if IMPORT.search(path.read_text("utf-8"))]


def binds(function: ast.FunctionDef) -> bool:
    return any(
        (isinstance(node, ast.Name) and node.id == "_" and isinstance(node.ctx, ast.Store))
        or (isinstance(node, ast.arg) and node.arg == "_")
        for node in ast.walk(function)
    )


def translates(function: ast.FunctionDef) -> bool:
    return any(
        isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "_"
        for node in ast.walk(function)
    )


def test_where_texts_are_translated_nothing_else_is_called_by_the_same_name() -> None:
    """`_` is also what Python people call a value that they do not want: in one function, it cannot be both."""
    found = [
        f"{path.relative_to(SOURCES)}:{node.lineno}"
        for path in modules_that_translate()
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.FunctionDef) and binds(node) and translates(node)
    ]
    assert found == []


def test_what_is_translated_is_a_text_of_the_catalogue_and_not_put_together_first() -> None:
    found = []
    for path in modules_that_translate():
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if (
                isinstance(node, ast.Call)
                and isinstance(node.func, ast.Name)
                and node.func.id in {"_", "later", "counted_in"}
            ):
                found += [
                    f"{path.relative_to(SOURCES)}:{node.lineno}"
                    for each in node.args
                    if isinstance(each, ast.JoinedStr)
                ]
    assert found == []
