"""The files of machine code: one for each signature of a function, that says whose code it holds and whether it is whole.

Numba keeps an index beside numbered files. Two processes that write at the same time can leave an index that takes the code of one
signature for that of another, and a file that lost its end ends every program that reads it. Here a file is found by the
signature, and what is damaged or belongs to something else counts as not there: it is compiled again, and written anew.
"""

from __future__ import annotations

import contextlib
import hashlib
import pickle
import uuid
from pathlib import Path
from typing import Any

import numba
from numba.core.caching import FunctionCache, NullCache
from numba.core.serialize import dumps

from molehunt.core.kernel_cache import ContentLocator, tell_that_nothing_is_kept
from molehunt.core.kernel_values import values_read
from molehunt.core.sharing import lock_of, take

_DIGEST = hashlib.sha256().digest_size


class KernelFiles:
    """The files of one function in a folder; their names begin with `base`. `stamp` must be the same for the code to be used."""

    def __init__(self, folder: Path, base: str, stamp: Any) -> None:
        self._folder = folder
        self._base = base
        self._belongs = numba.__version__, stamp

    def save(self, key: Any, data: Any) -> None:
        """Keep what was made for a signature. The file is there as a whole, or not at all; OSError where it cannot be written."""
        body = dumps((self._belongs, key, data))
        path = self._path(key)
        beside = path.with_name(f"{path.name}.tmp.{uuid.uuid4().hex[:16]}")
        try:
            beside.write_bytes(hashlib.sha256(body).digest() + body)
            beside.replace(path)
        except BaseException:
            with contextlib.suppress(OSError):
                beside.unlink()
            raise

    def load(self, key: Any) -> Any:
        """What was kept for a signature, None where there is nothing that can be used."""
        try:
            kept = self._path(key).read_bytes()
        except OSError:
            return None
        body = memoryview(kept)[_DIGEST:]
        if kept[:_DIGEST] != hashlib.sha256(body).digest():
            return None
        try:
            belongs, whose, data = pickle.loads(body)  # noqa: S301 - from a folder that others cannot write to
        except Exception:  # noqa: BLE001 - it names what there is no more, and that ends in errors of all kinds
            return None
        return data if (belongs, whose) == (self._belongs, key) else None

    def flush(self) -> None:
        """Forget what was kept for all signatures."""
        for path in self._folder.glob("*.nbc"):
            if path.name.rpartition(".")[0].rpartition(".")[0] == self._base:
                path.unlink(missing_ok=True)

    def lock(self, key: Any) -> Any:
        """The lock of what is made for a signature, for `sharing.take`."""
        # It stands in a folder of the module's name, that in one for versions and settings, and that in the root of all of them.
        return lock_of(self._folder.parents[2], self._path(key))

    def _path(self, key: Any) -> Path:
        return self._folder / f"{self._base}.{hashlib.sha256(repr(key).encode()).hexdigest()[:16]}.nbc"


class KernelCache(FunctionCache):  # type: ignore[misc]
    """Numba's cache of a function, with these files. Where nothing can be kept, the code is in memory alone."""

    def __init__(self, function: Any) -> None:
        super().__init__(function)
        self._cache_file = KernelFiles(
            Path(self._cache_path), self._impl.filename_base, self._impl.locator.get_source_stamp()
        )

    def _index_key(self, sig: Any, codegen: Any) -> Any:
        """The signature and what else the code of it is made of, the values that the function finds outside of itself included."""
        key = super()._index_key(sig, codegen)
        values = values_read(self._py_func)
        return (*key, values) if values else key

    def _load_overload(self, sig: Any, target_context: Any) -> Any:
        """What was compiled for a signature; where there is nothing, its lock is taken (Busy where another process has it)."""
        found = super()._load_overload(sig, target_context)
        if found is not None or not isinstance(self._impl.locator, ContentLocator):
            return found
        lock = self._cache_file.lock(self._index_key(sig, target_context.codegen()))
        # Between the two another process may have come to its end.
        return super()._load_overload(sig, target_context) if take(lock) else None

    def save_overload(self, sig: Any, data: Any) -> None:
        """Keep what was compiled for a signature."""
        try:
            super().save_overload(sig, data)
        except OSError as error:
            tell_that_nothing_is_kept(Path(self._cache_path), error)


def cache_of(function: Any, kind: type[KernelCache] = KernelCache) -> Any:
    """The cache of a function; one that keeps nothing where it stands in no file, as what is typed at Python's prompt."""
    try:
        return kind(function)
    except RuntimeError:  # Numba finds no place for it
        return NullCache()
