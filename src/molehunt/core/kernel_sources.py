"""What machine code is made of: the key of a module is a hash over it and all modules that it imports, directly or not.

Followed are modules of this package, of the module's own, of packages that hold kernels, and of all that is no installed library:
files beside it, and what else Python finds. What is imported conditionally or inside a function counts as well; what is there for
type checkers alone does not.
"""

from __future__ import annotations

import ast
import contextlib
import functools
import hashlib
import re
import sys
import threading
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

PACKAGE = Path(__file__).resolve().parents[1]
_NAME = PACKAGE.name
_MAKERS = frozenset({"llvmlite", "numba", "numpy"})
"""Packages that make machine code: their versions stand in the name of the cache folder."""
_INSTALLED = frozenset({"site-packages", "dist-packages"})
"""Folders of installed libraries."""
_kernel_homes: set[str] = set()
"""The top-level packages and modules that hold kernels, as far as this process has met them."""


_parsing = threading.Lock()


def parsed(text: str | bytes) -> ast.Module:
    """The tree of a source, one at a time: before 3.11.8, Python fails by chance where two threads parse at once (SystemError).

    SyntaxError, ValueError and RecursionError as `ast.parse`.
    """
    with _parsing:
        return ast.parse(text)


# --- What a source imports ----------------------------------------------------------------------------------------------


class _Import(NamedTuple):
    """`import module` without names, or `from module import names`; a relative module begins with its dots."""

    module: str
    names: tuple[str, ...] = ()


_PLAIN = re.compile(
    r"^(?:from[ ]+(?P<module>[\w.]+)[ ]+import[ ]*(?P<names>\([^)]*\)|[^\n]*)|import[ ]+(?P<plain>[\w.]+)(?P<renamed>[ ]+as\b)?)",
    re.MULTILINE,
)
_UNUSUAL = re.compile(
    r"""
    ^[ \t]+(?:from|import)\b             # inside of something
    | ^from[ ]*\.                        # relative
    | ^(?:from|import)[ ]*[\t\\]
    | ^import\b[^\n]*[,;]                # several
    | [;:][ \t]*(?:from|import)\b
    | \bimport\b[^\n]*\\\r?$             # over several lines, without brackets
    """,
    re.MULTILINE | re.VERBOSE,
)
"""What the quick look of `_PLAIN` would miss something of. Most sources have none of it, and to parse all would take long."""
_REMARK = re.compile(r"import[ ]*\([^)]*#")


@functools.cache
def _imports(text: bytes) -> tuple[_Import, ...]:
    """What a source imports, by its text."""
    words = text.decode("utf-8-sig", "replace")
    if _UNUSUAL.search("\n".join(line for line in words.split("\n") if "import" in line)) or _REMARK.search(words):
        with contextlib.suppress(SyntaxError, ValueError, RecursionError):
            return tuple(_in_tree(parsed(text)))
    return tuple(_in_lines(words))


def _in_lines(words: str) -> Iterator[_Import]:
    for found in _PLAIN.finditer(words):
        if found["module"]:
            yield _Import(found["module"], tuple(re.findall(r"\w+", found["names"])))
        else:
            yield from _with_parents(found["plain"], renamed=found["renamed"] is not None)


_PARTS = ("body", "handlers", "orelse", "finalbody", "cases")
"""Where statements hold other statements."""
_PARTS_WITHOUT_BODY = ("orelse",)


def _for_checkers(node: ast.AST) -> bool:
    """Whether it is `if TYPE_CHECKING:`."""
    test = getattr(node, "test", None)
    return isinstance(node, ast.If) and "TYPE_CHECKING" in {getattr(test, "id", ""), getattr(test, "attr", "")}


def _in_tree(node: ast.AST) -> Iterator[_Import]:
    if isinstance(node, ast.Import):
        for alias in node.names:
            yield from _with_parents(alias.name, renamed=alias.asname is not None)
    elif isinstance(node, ast.ImportFrom):
        yield _Import("." * node.level + (node.module or ""), tuple(alias.name for alias in node.names))
    else:
        for part in _PARTS_WITHOUT_BODY if _for_checkers(node) else _PARTS:
            for child in getattr(node, part, ()):
                yield from _in_tree(child)


def _with_parents(module: str, renamed: bool) -> Iterator[_Import]:
    """`import a.b` gives the name `a`, and with it what `a` holds; `import a.b as c` gives `a.b` alone."""
    yield _Import(module)
    while not renamed and "." in module:
        module = module.rpartition(".")[0]
        yield _Import(module)


# --- Where that is ------------------------------------------------------------------------------------------------------


@functools.cache
def _top_of(path: Path) -> Path:
    """The folder of the top-level package of a source, or the source itself where it belongs to none."""
    top = path
    while (top.parent / "__init__.py").is_file():
        top = top.parent
    return top


def _place(top: str) -> Path | None:
    """Where Python has a top-level module from, or would have it from: the folder of a package, the file of another module."""
    module = sys.modules.get(top)
    if module is not None:
        places, file = list(getattr(module, "__path__", None) or ()), getattr(module, "__file__", None)
    else:
        try:
            spec = find_spec(top)
        except (ImportError, ValueError, AttributeError):
            return None
        places, file = list((spec and spec.submodule_search_locations) or ()), spec and spec.origin
    found = places[0] if places else file
    if not isinstance(found, str) or not (places or found.endswith(".py")):
        return None
    return Path(found).resolve()


def _beside(top: str, folder: Path) -> Path | None:
    """A module or a package in the folder of the source that imports it."""
    if (folder / top).is_dir():
        return folder / top
    file = folder / f"{top}.py"
    return file if file.is_file() else None


def _is_known(top: str) -> bool:
    """Whether a top-level name is of Python itself or of what makes machine code, whose versions are told otherwise."""
    return top in sys.stdlib_module_names or top in _MAKERS


def _root(top: str, path: Path) -> Path | None:
    """The folder or file of a top-level name that a source imports; None where it is not followed."""
    if top == _NAME:
        return PACKAGE
    if _is_known(top):
        return None
    own = _top_of(path)
    if own.is_dir() and own.name == top:
        return own
    root = _place(top) or _beside(top, path.parent)
    if root is None or (top not in _kernel_homes and not _INSTALLED.isdisjoint(root.parts)):
        return None
    return root


@functools.cache
def _file_in(root: Path, rest: str) -> Path | None:
    """The source of a module by its name below a package's folder; None where there is none."""
    if not rest:
        return root if root.suffix == ".py" else _file(root / "__init__.py")
    place = root.joinpath(*rest.split("."))
    return _file(place / "__init__.py") or _file(place.with_name(f"{place.name}.py"))


def _file(path: Path) -> Path | None:
    return path if path.is_file() else None


def _files(path: Path, found: _Import) -> Iterator[Path]:
    """The sources that an import in the source at `path` reaches."""
    rest = found.module.lstrip(".")
    dots = len(found.module) - len(rest)
    root: Path | None
    if dots:
        root = path.parents[min(dots, len(path.parents)) - 1]
    else:
        top, _, rest = rest.partition(".")
        root = _root(top, path)
    if root is None:
        return
    file = _file_in(root, rest)
    if file is not None:
        yield file
    # Only a package has modules among the names that are imported from it.
    if file is None or file.name == "__init__.py":
        for name in found.names:
            module = _file_in(root, f"{rest}.{name}".lstrip("."))
            if module is not None:
                yield module


def _version(found: _Import) -> str:
    """What an installed library says its version is; nothing of other modules."""
    top = found.module.partition(".")[0]
    version = None if _is_known(top) else getattr(sys.modules.get(top), "__version__", None)
    return f"{top} {version}\n" if isinstance(version, str) else ""


# --- The key ------------------------------------------------------------------------------------------------------------


@functools.cache
def _data_beside(folder: Path) -> bytes:
    """A hash of the data of a folder's modules."""
    digest = hashlib.sha256()
    for data in sorted(folder.glob("data/*")):
        if data.is_file():
            digest.update(data.name.encode() + data.read_bytes())
    return digest.digest()


def _read_anew(path: Path) -> tuple[bytes, frozenset[Path]]:
    """A hash of a source, and the sources that it imports. The data beside it count as its text."""
    text = path.read_bytes()
    digest = hashlib.sha256(text)
    imported: set[Path] = set()
    versions: set[str] = set()
    own = path.is_relative_to(PACKAGE)
    for found in _imports(text):
        files = list(_files(path, found))
        imported.update(files)
        if not files and not own:
            versions.add(_version(found))
    digest.update("".join(sorted(versions)).encode())
    digest.update(_data_beside(path.parent))
    return digest.digest(), frozenset(imported - {path})


_read = functools.cache(_read_anew)


@functools.cache
def _name_of(path: Path) -> str:
    """Where a source stands in its package, wherever that is: machine code knows modules by their full names."""
    return path.relative_to(_top_of(path).parent).as_posix()


def content_key(path: Path) -> str:
    """The key of a source file as it is now: a hash over it and all that it imports, directly or not."""
    _kernel_homes.add(_top_of(path).stem)
    state = path.stat()
    return _content_key(path, state.st_mtime_ns, state.st_size)


@functools.cache
def _content_key(path: Path, *_stamp: int) -> str:
    # A file of players may be written anew while the process runs; what it imports is imported once.
    text, imported = _read_anew(path)
    seen = {path} | imported
    waiting = list(imported)
    texts = [(_name_of(path), text)]
    while waiting:
        other = waiting.pop()
        text, imported = _read(other)
        texts.append((_name_of(other), text))
        waiting += imported - seen
        seen |= imported
    digest = hashlib.sha256()
    for name, text in sorted(texts):
        digest.update(name.encode() + b"\0" + text)
    return digest.hexdigest()[:20]
