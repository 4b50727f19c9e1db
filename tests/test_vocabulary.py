"""The words of docs/architecture.md, as far as names can tell: what the code calls by another word is found here."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import molehunt

SOURCES = Path(molehunt.__file__).parent
BUFFERS = re.compile(r"(^|_)(desk|purse|[Ww]orkroom)s?(_|$)|[a-z](Desk|Room|Workroom)$|^(Desk|Workroom)$")
"""What buffers of kernels were once called; they are `scratch`."""
LISTED = ("studies/report.py", "studies/tournament_report.py")
"""Where a desk is a piece of furniture, with a screen on it."""


def names_of(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """All names that a module gives: of classes, functions, arguments, variables, attributes."""
    for node in ast.walk(tree):
        match node:
            case ast.ClassDef(name=name) | ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                yield node.lineno, name
            case ast.arg(arg=name) | ast.Name(id=name, ctx=ast.Store()) | ast.Attribute(attr=name, ctx=ast.Store()):
                yield node.lineno, name


def is_compiled(node: ast.FunctionDef) -> bool:
    """Whether a function is a kernel, by its decorators."""
    return any(re.match(r"(kernel|acting|observing)\b", ast.unparse(each)) for each in node.decorator_list)


@pytest.fixture(scope="module")
def modules() -> dict[str, ast.Module]:
    """All modules by their path below the package."""
    return {
        path.relative_to(SOURCES).as_posix(): ast.parse(path.read_text("utf-8"))
        for path in sorted(SOURCES.rglob("*.py"))
    }


def faults_in(tree: ast.Module) -> list[tuple[int, str]]:
    """Lines of a module and what is said there in another word."""
    found = [(line, name) for line, name in names_of(tree) if BUFFERS.search(name.lower() if name.isupper() else name)]
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef) and is_compiled(node):
            found += [(one.lineno, one.arg) for one in node.args.args if one.arg in ("work", "room", "rules")]
        match node:
            case ast.Assign(targets=[ast.Name(id="rules")], value=ast.Attribute(attr=of)) if of in (
                "ruleset",
                "params",
            ):
                found.append((node.lineno, f"rules = {of}"))
            case ast.arg(arg="rules", annotation=ast.Name(id="Ruleset")):
                found.append((node.lineno, "rules: Ruleset"))
            case ast.AnnAssign(target=ast.Name(id="rules"), annotation=kind) if "NDArray" in ast.unparse(kind):
                found.append((node.lineno, "rules: array"))
    return found


def test_scratch_rulesets_and_params_are_called_so(modules: dict[str, ast.Module]) -> None:
    found = [
        f"{path}:{line}: {said}"
        for path, tree in modules.items()
        if path not in LISTED
        for line, said in faults_in(tree)
    ]
    assert not found, "docs/architecture.md has other words for these:\n" + "\n".join(found)


def test_every_name_of_minus_one_stands_in_the_vocabulary(modules: dict[str, ast.Module]) -> None:
    words = (
        (SOURCES.parents[1] / "docs/architecture.md").read_text("utf-8").partition("## Words")[2].partition("\n## ")[0]
    )
    named = {
        target.id
        for tree in modules.values()
        for node in tree.body
        if isinstance(node, ast.Assign) and ast.unparse(node.value) == "-1"
        for target in node.targets
        if isinstance(target, ast.Name)
    }
    assert named == {name for name in named if re.search(rf"\b{name}\b", words)} >= {"NOBODY", "NO_CARD"}


@pytest.mark.parametrize(
    "text",
    [
        "DESK = 3",
        "def new_desk(): ...",
        "class AdviserDesk: ...",
        "class Workroom: ...",
        "@kernel\ndef f(work): ...",
        "@acting(VIEW)\ndef f(rules): ...",
        "rules = game.ruleset",
        "def f(rules: Ruleset): ...",
        "class Memory:\n    rules: npt.NDArray[np.int64]",
    ],
)
def test_the_other_words_are_seen(text: str) -> None:
    assert faults_in(ast.parse(text))


@pytest.mark.parametrize("text", ["DESKTOP = 1", "rules = rules_text(game)", "def f(room: int): ...", "scratch = 1"])
def test_what_only_looks_like_them_is_let_be(text: str) -> None:
    assert not faults_in(ast.parse(text))
