"""Monte Carlo CFR of OpenSpiel's on small rulesets: training, and policies as files."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any

import msgspec

from molehunt.adapters.openspiel.efg import SmallGame, small_game
from molehunt.adapters.openspiel.library import openspiel
from molehunt.core.errors import BadInput

FORMAT = 1
SAMPLING = ("external", "outcome")
DECIMALS = 6
"""How exactly a file holds a probability."""


class Policy(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A policy for all seats of one game.

    `openspiel_policy` is the version of the format; `game` and `seats` say which game; `made_by` says how it came about.
    `probabilities` holds, by information state (see `recall`), how likely each legal action is, in the order of their indices.
    """

    openspiel_policy: int
    game: str
    seats: int
    made_by: str
    probabilities: dict[str, tuple[float, ...]]

    def chances(self, information_state: str, actions: int) -> tuple[float, ...]:
        """How likely each of so many legal actions is; all equally where nothing is known."""
        known = self.probabilities.get(information_state)
        if known is None:
            return (1.0 / actions,) * actions
        total = sum(known)
        return tuple(chance / total for chance in known)


def save_policy(policy: Policy, path: Path) -> None:
    """Write a policy to a file, as JSON; BadInput where it cannot be written."""
    rounded = {
        state: tuple(round(chance, DECIMALS) for chance in chances) for state, chances in policy.probabilities.items()
    }
    try:
        path.write_bytes(msgspec.json.encode(msgspec.structs.replace(policy, probabilities=rounded)) + b"\n")
    except OSError as error:
        raise BadInput(f"cannot write {path}: {error.strerror or error}") from None


@lru_cache(8)
def load_policy(path: str) -> Policy:
    """Read the policy of a file, once; BadInput where there is none."""
    try:
        policy = msgspec.json.decode(Path(path).read_bytes(), type=Policy)
    except (OSError, ValueError) as error:
        raise BadInput(f"{path} holds no policy: {getattr(error, 'strerror', None) or error}") from None
    if policy.openspiel_policy != FORMAT:
        raise BadInput(f"{path} has format {policy.openspiel_policy}, this program reads format {FORMAT}")
    return policy


def solver(game: Any, sampling: str, seed: int) -> Any:
    """OpenSpiel's own solver, in C++, for a game it has loaded; `sampling` is external or outcome."""
    pyspiel = openspiel()
    if sampling == "external":
        return pyspiel.ExternalSamplingMCCFRSolver(game, seed, pyspiel.MCCFRAverageType.SIMPLE)
    if sampling == "outcome":
        return pyspiel.OutcomeSamplingMCCFRSolver(game, seed=seed)
    raise BadInput(f"sampling is {' or '.join(SAMPLING)}, not {sampling!r:.40}")


def training(small: SmallGame, sampling: str, seed: int, rounds: list[int]) -> Iterator[tuple[int, Any]]:
    """(iterations, average policy) at each number of iterations in `rounds`, which ascends.

    A policy looks into its solver, so it is to be used before the next one is asked for, and not after the last.
    """
    run = solver(small.game, sampling, seed)
    done = 0
    for iterations in rounds:
        for _ in range(iterations - done):
            run.run_iteration()
        done = iterations
        yield done, run.average_policy()


@lru_cache(8)
def trained(label: str, seats: int, sampling: str, iterations: int, seed: int) -> Policy:
    """The average policy after so many iterations; BadInput where the game is too large for it."""
    small = small_game(label, seats)
    made_by = f"OpenSpiel, MCCFR with {sampling} sampling, {iterations} iterations, seed {seed}"
    run = solver(small.game, sampling, seed)
    for _ in range(iterations):
        run.run_iteration()
    return Policy(FORMAT, label, seats, made_by, small.probabilities(run.average_policy()))
