"""Where a search keeps its trials: nowhere, or a journal file of Optuna, which Optuna's own tools can read."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol

from molehunt.arena.tuning.search import Plan, Trial, frozen
from molehunt.core.errors import BadInput
from molehunt.core.words import joined

STUDY = "molehunt"


class Store(Protocol):
    """Trials in the order in which they were made."""

    def trials(self) -> list[Trial]:
        """All trials so far."""

    def add(self, trials: Sequence[Trial]) -> None:
        """Keep more trials; they are safe when this returns."""


class Memory:
    """A store that lives as long as the process."""

    def __init__(self) -> None:
        self._trials: list[Trial] = []

    def trials(self) -> list[Trial]:
        return list(self._trials)

    def add(self, trials: Sequence[Trial]) -> None:
        self._trials += trials


class Journal:
    """Trials in a journal file of Optuna. A trial is one line of it, so a killed process leaves whole trials behind."""

    def __init__(self, plan: Plan, study: Any) -> None:
        self._plan = plan
        self._study = study

    def trials(self) -> list[Trial]:
        found = []
        for trial in self._study.get_trials(deepcopy=False):
            kept = trial.user_attrs
            values = {one.name: one.value(trial.params[one.name]) for one in self._plan.space.dimensions}
            found.append(
                Trial(kept["spec"], values, trial.value, kept["low"], kept["high"], kept["deals"], kept["dropped"])
            )
        return found

    def add(self, trials: Sequence[Trial]) -> None:
        for trial in trials:
            made = frozen(self._plan, trial.values, trial.difference)
            for name in ("spec", "low", "high", "deals", "dropped"):
                made.set_user_attr(name, getattr(trial, name))
            self._study.add_trial(made)


@contextlib.contextmanager
def open_store(plan: Plan, path: Path | None) -> Iterator[Store]:
    """The store of a search: in this file, or in memory without one.

    BadInput where the file is no journal, holds another search (it names what differs), or is in use.
    """
    if path is None:
        yield Memory()
        return
    import optuna

    optuna.logging.set_verbosity(optuna.logging.WARNING)
    with contextlib.ExitStack() as stack:
        stack.enter_context(_held(path))
        study = _load(path)
        identity = plan.identity()
        kept = study.user_attrs.get("plan")
        if kept is None:
            study.set_user_attr("plan", identity)
        elif kept != identity:
            raise BadInput(f"{path} holds another search: {_difference(kept, identity)}")
        yield Journal(plan, study)


def _difference(kept: Mapping[str, Any], now: Mapping[str, Any]) -> str:
    """The first thing in which two searches differ, and what to do."""
    key = next(key for key in {**now, **kept} if kept.get(key) != now.get(key))
    if key == "sources":
        said = "it was begun with other rules or players of molehunt"
    elif key == "files":
        before, after = kept.get(key, {}), now.get(key, {})
        names = sorted(name for name in {**before, **after} if before.get(name) != after.get(name))
        changed = all(name in before and name in after for name in names)
        said = f"it was begun with {'another' if changed else 'other files than'} {joined(names)}"
    else:
        return f"its {key} is {kept.get(key)}, not {now.get(key)}; give this one a file of its own"
    return (
        f"{said}, and each candidate has played with what was there then, so all of them have to play again: "
        "give this one a file of its own, or put the old one away and call the same command"
    )


def _load(path: Path) -> Any:
    import optuna
    from optuna.storages import JournalStorage
    from optuna.storages.journal import JournalFileBackend, JournalFileOpenLock

    class Held(JournalFileOpenLock):
        """No lock: the whole file is held already, by a lock that ends with the process."""

        def acquire(self) -> bool:
            return True

        def release(self) -> None:
            pass

    try:
        storage = JournalStorage(JournalFileBackend(str(path), lock_obj=Held(str(path))))
        return optuna.create_study(storage=storage, study_name=STUDY, direction="maximize", load_if_exists=True)
    except (ValueError, KeyError, TypeError, AttributeError, AssertionError):
        raise BadInput(f"{path} is no journal of a search; give the search a file of its own") from None


@contextlib.contextmanager
def _held(path: Path) -> Iterator[None]:
    """Keep other processes away from the file, and cut off a last line that a killed process has not written to its end."""
    try:
        file = path.open("r+b" if path.exists() else "w+b")
    except OSError as error:
        raise BadInput(f"cannot write {path}: {error.strerror or error}") from None
    with file:
        try:
            import fcntl

            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except ImportError:
            pass
        except OSError:
            raise BadInput(f"{path} is in use by another search") from None
        data = file.read()
        if data and b'"op_code"' not in data.partition(b"\n")[0]:
            raise BadInput(f"{path} is no journal of a search; give the search a file of its own")
        whole = data.rfind(b"\n") + 1
        if whole < len(data):
            file.truncate(whole)
            file.flush()
            os.fsync(file.fileno())
        yield
