"""Two runs of the bench side by side: what became faster, what slower, and what is within the noise.

The earlier run is a file of rows, one number each. The present one is taken several times; how far these lie apart is the noise of
this machine, and the earlier run is taken to have as much. A change counts where it exceeds the noise of both.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import msgspec

from molehunt.core.errors import BadInput
from molehunt.studies.bench import STEPS, BenchRow, measure
from molehunt.studies.study import Tell, silent

RUNS = 3
"""How often everything is measured."""
LEAST_NOISE = 0.03
"""No change below this share is called one, however well the runs agree."""
FASTER, SLOWER, SAME, NEW, GONE = "faster", "slower", "within the noise", "not measured then", "not measured now"
LESS, MORE = "less", "more"
PER_SECOND, MEMORY = "/s", "MiB"


@dataclass(frozen=True)
class Compared:
    """One measurement then and now, None where it was not taken. `noise` is the least relative change that counts."""

    name: str
    unit: str
    then: float | None
    now: float | None
    noise: float
    verdict: str

    @property
    def change(self) -> float | None:
        """By how much the value grew, as a fraction of what it was."""
        return None if self.then is None or self.now is None else self.now / self.then - 1


def read_rows(path: Path) -> list[BenchRow]:
    """The rows of an earlier run, as `molehunt bench --json` wrote them; BadInput says what is wrong with the file."""
    try:
        rows = msgspec.json.decode(path.read_bytes(), type=list[BenchRow])
    except OSError as error:
        raise BadInput(f"cannot read {path}: {error.strerror or error}") from None
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise BadInput(f"{path} holds no rows of a bench, as molehunt bench --json FILE writes them: {error}") from None
    wrong = next((row for row in rows if not (math.isfinite(row.value) and row.value > 0)), None)
    if not rows or wrong:
        found = f"the value {wrong.value} for {wrong.name}" if wrong else "no rows"
        raise BadInput(f"{path} holds {found}; run molehunt bench again")
    return rows


def measure_often(tell: Tell = silent, runs: int = RUNS) -> list[list[BenchRow]]:
    """Several runs of the whole bench, one after the other: what slows the machine for a while hits no row in all of them."""
    return [measure(lambda done, _, run=run: tell(run * len(STEPS) + done, runs * len(STEPS))) for run in range(runs)]  # type: ignore[misc]


def best_of(runs: Sequence[Sequence[BenchRow]]) -> list[BenchRow]:
    """The best value of each row over several runs: other programs can only make a run worse."""
    by_row = zip(*runs, strict=True)
    return [(max if row[0].unit.endswith(PER_SECOND) else min)(row, key=lambda each: each.value) for row in by_row]


def compare(earlier: Sequence[BenchRow], runs: Sequence[Sequence[BenchRow]]) -> list[Compared]:
    """The rows of both in the order of the present bench, then those no longer measured; BadInput where a unit changed."""
    then = {row.name: row for row in earlier}
    result = []
    for number, row in enumerate(best_of(runs)):
        values = [run[number].value for run in runs]
        noise = max(LEAST_NOISE, 2 * (max(values) / min(values) - 1))
        old = then.pop(row.name, None)
        if old is not None and old.unit != row.unit:
            raise BadInput(
                f"{row.name} was measured in {old.unit} then and is in {row.unit} now; they cannot be compared"
            )
        result.append(
            Compared(row.name, row.unit, old.value if old else None, row.value, noise, _verdict(old, row, noise))
        )
    gone = [Compared(row.name, row.unit, row.value, None, 0.0, GONE) for row in then.values()]
    return result + gone


def _verdict(then: BenchRow | None, now: BenchRow, noise: float) -> str:
    if then is None:
        return NEW
    ratio = now.value / then.value
    if 1 / (1 + noise) <= ratio <= 1 + noise:
        return SAME
    if now.unit == MEMORY:
        return MORE if ratio > 1 else LESS
    return FASTER if (ratio > 1) == now.unit.endswith(PER_SECOND) else SLOWER
