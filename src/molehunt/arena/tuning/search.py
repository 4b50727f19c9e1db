"""The search for the best parameters: candidates in batches, each batch raced, the best ones played again on fresh deals.

What is proposed is a function of the seed and of the batches before, and what is played is a function of the seed: so the result
does not depend on who does the work, and a search that was killed goes on from its store as if nothing had happened.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from molehunt.arena.tuning.opposition import Interval, Opposition
from molehunt.arena.tuning.race import ERROR, Gap, gap_of_shares, ladder, race
from molehunt.arena.tuning.scoreboard import MEAN, WORST, Scoreboard
from molehunt.arena.tuning.space import Space, Value
from molehunt.arena.workers import Workers
from molehunt.core.errors import ForeignCode, MolehuntError
from molehunt.core.made import rules_and_players
from molehunt.core.specs import build, canonical, show_value
from molehunt.core.streams import MAX_SEED

if TYPE_CHECKING:
    from optuna.distributions import BaseDistribution
    from optuna.trial import FrozenTrial

    from molehunt.arena.tuning.store import Store

BATCH = 8
"""Candidates that are proposed and raced together, with the best one so far."""
STARTING_BATCHES = 2
"""Batches that are drawn evenly from the space; what comes after them follows what has been found."""
FINALISTS = 4
"""So many of the best meet again on fresh deals."""
FINAL, CONFIRMING = 1, 2
"""The final is played on the deals of the seed after the search's, the confirmation on those of the one after that."""
Tell = Callable[[int, int], None]


@dataclass(frozen=True)
class Plan:
    """A search: whose parameters (`agent` with `editions`, beginning with `items`), in which space, against whom, how long.

    A candidate plays at most `deals` deals in a race, the finalists `final` fresh ones, and the winner is confirmed on `confirm`
    fresh ones. `trials` is how many candidates there are, a multiple of BATCH.
    """

    agent: str
    items: tuple[str, ...]
    editions: Any = field(repr=False, compare=False)
    space: Space
    oppositions: tuple[Opposition, ...]
    deals: int
    final: int
    confirm: int
    trials: int
    seed: int = 0
    over: str = MEAN
    error: float = ERROR
    files: tuple[tuple[str, str], ...] = ()
    """The files from which players come, and modules that these import, by name, with hashes of their texts."""

    def spec(self, values: dict[str, Value] | None = None) -> str:
        """The player with these values, as it is typed; without values, the default that is to be beaten.

        AgentFailure where a player of somebody's own, whose values these are, cannot be made with them.
        """
        base = build(self.agent, self.editions, self.items)
        tried = ",".join(f"{name}={show_value(value)}" for name, value in (values or {}).items())
        with ForeignCode(f"{self.agent} cannot be made with {tried}", (MolehuntError,)):
            base = dataclasses.replace(base, **(values or {}))
        return canonical(self.agent, self.editions, base)

    def identity(self) -> dict[str, Any]:
        """All that must be the same for a stored search to go on."""
        return {
            "agent": self.spec(),
            "space": str(self.space),
            "game": self.oppositions[0].match.label,
            "against": [str(opposition) for opposition in self.oppositions],
            "over": self.over,
            "games": self.deals,
            "seed": self.seed,
            "error": self.error,
            "sources": rules_and_players(),
            **({"files": dict(self.files)} if self.files else {}),
        }


@dataclass(frozen=True)
class Trial:
    """A candidate after its race: how far it is from the default over the deals that it played, and whether it was dropped."""

    spec: str
    values: dict[str, Value]
    difference: float
    low: float
    high: float
    deals: int
    dropped: bool


@dataclass(frozen=True)
class Found:
    """What a search came to.

    `best` was the best of the final. `difference` is best minus default on the fresh deals of the confirmation; where its 95 %
    interval lies above 0, the best is `better`. `each` has (opposition, score of the best, of the default, their difference) for
    every opposition; scores are shares of games won, and `within` has their 95 % intervals. `importance` adds up to 1, `games` is
    what was played now, not before a killed run. Where the worst opposition counts, `worst` names that of the best and that of the
    default, which the deals of the final chose, so that those of the confirmation choose nothing.
    """

    plan: Plan
    best: str
    default: str
    difference: Gap
    better: bool
    each: list[tuple[str, float, float, Gap]]
    within: list[tuple[Interval, Interval]]
    trials: list[Trial]
    finalists: list[tuple[str, float]]
    importance: dict[str, float]
    games: int = field(compare=False)
    worst: tuple[str, str] | None = None

    @property
    def confirming_seed(self) -> int:
        """The seed of the deals of the confirmation, numbered from 0: those that `molehunt arena --seed` plays."""
        return seed_of(self.plan.seed, CONFIRMING)


def seed_of(seed: int, stage: int) -> int:
    """The seed of a later stage's deals."""
    return int((seed + stage) % (MAX_SEED + 1))


def search(plan: Plan, workers: Workers, store: Store, tell: Tell) -> Found:
    """Search, hold the final, confirm the winner. What the store holds already is not played again.

    `tell(done, total)` counts batches; the final and the confirmation are one each.
    """
    batches = plan.trials // BATCH
    races = Scoreboard(plan.oppositions, plan.seed, workers, plan.over)
    default = plan.spec()
    trials = store.trials()
    tell(len(trials) // BATCH, batches + 2)
    for number in range(len(trials) // BATCH, batches):
        # What a killed run has stored of this batch is the beginning of what comes out now.
        past = trials[: number * BATCH]
        values = propose(plan, past, number)
        fresh = run_batch(plan, races, past, values)
        store.add(fresh[len(trials) - len(past) :])
        trials = [*past, *fresh]
        tell(number + 1, batches + 2)
    trials = trials[: plan.trials]
    finals = Scoreboard(plan.oppositions, seed_of(plan.seed, FINAL), workers, plan.over)
    names = _ranked(trials)[:FINALISTS] or [default]
    finalists = [
        (name, float(scores.mean())) for name, scores in zip(names, finals.scores(names, plan.final), strict=True)
    ]
    best = max(finalists, key=lambda pair: pair[1])[0]
    tell(batches + 1, batches + 2)
    confirming = Scoreboard(plan.oppositions, seed_of(plan.seed, CONFIRMING), workers, plan.over)
    counted = None
    if plan.over == WORST:  # chosen on the deals of the final: the least of several means of the same deals is too low
        counted = finals.worst([best, default], plan.final)
        each = confirming.each([best, default], plan.confirm)
        ours, theirs = (scores[number] for scores, number in zip(each, counted, strict=True))
    else:
        ours, theirs = confirming.scores([best, default], plan.confirm)
    difference = gap_of_shares(ours, theirs)
    both = list(zip(plan.oppositions, *confirming.each([best, default], plan.confirm), strict=True))
    per_opposition = [
        (str(opposition), float(one.mean()), float(other.mean()), gap_of_shares(one, other))
        for opposition, one, other in both
    ]
    tell(batches + 2, batches + 2)
    return Found(
        plan=plan,
        best=best,
        default=default,
        difference=difference,
        better=difference.low > 0,
        each=per_opposition,
        within=[(opposition.within(one), opposition.within(other)) for opposition, one, other in both],
        trials=trials,
        finalists=sorted(finalists, key=lambda pair: -pair[1]),
        importance=importance(plan, trials),
        games=races.games + finals.games + confirming.games,
        worst=None if counted is None else (str(plan.oppositions[counted[0]]), str(plan.oppositions[counted[1]])),
    )


def _ranked(trials: Sequence[Trial]) -> list[str]:
    """The candidates that no race dropped, the best first."""
    kept = sorted((trial for trial in trials if not trial.dropped), key=lambda trial: -trial.difference)
    return list(dict.fromkeys(trial.spec for trial in kept))


def run_batch(plan: Plan, board: Scoreboard, past: Sequence[Trial], batch: Sequence[dict[str, Value]]) -> list[Trial]:
    """Race a batch with the default and the best of all batches before; the trials in the order of the batch."""
    default = plan.spec()
    names = [plan.spec(values) for values in batch]
    arms = list(dict.fromkeys([*_ranked(past)[:1], default, *names]))
    standings = {standing.arm: standing for standing in race(arms, board.scores, ladder(plan.deals), plan.error)}
    trials = []
    for name, values in zip(names, batch, strict=True):
        standing = standings[name]
        # An arm that was left alone has not played all deals; it is compared with those of other batches, so it does now.
        deals = plan.deals if standing.survived else standing.deals
        ours, theirs = board.scores([name, default], deals)
        apart = gap_of_shares(ours, theirs)
        trials.append(Trial(name, values, apart.mean, apart.low, apart.high, deals, not standing.survived))
    return trials


# --- What Optuna does -----------------------------------------------------------------------------------------------------


def distributions(space: Space) -> dict[str, BaseDistribution]:
    """The space as Optuna has it. A choice is drawn by its number."""
    from optuna.distributions import CategoricalDistribution, FloatDistribution, IntDistribution

    found: dict[str, BaseDistribution] = {}
    for one in space.dimensions:
        if one.choices:
            found[one.name] = CategoricalDistribution(tuple(range(len(one.choices))))
        elif one.whole:
            found[one.name] = IntDistribution(int(one.low), int(one.high), one.log, int(one.step or 1))
        else:
            found[one.name] = FloatDistribution(one.low, one.high, one.log, one.step)
    return found


def frozen(plan: Plan, values: dict[str, Value], difference: float) -> FrozenTrial:
    """A candidate and its value as Optuna keeps them."""
    from optuna.trial import create_trial

    drawn = {
        one.name: one.choices.index(values[one.name]) if one.choices else values[one.name]
        for one in plan.space.dimensions
    }
    return create_trial(params=drawn, distributions=distributions(plan.space), value=difference)


def propose(plan: Plan, past: Sequence[Trial], number: int) -> list[dict[str, Value]]:
    """The candidates of a batch, by the tree-structured Parzen estimator (Bergstra et al. 2011) over the batches before it.

    The default, where it lies in the space, is known to differ from itself by 0.
    """
    import optuna

    sampler = optuna.samplers.TPESampler(
        seed=(plan.seed * 1_000_003 + number) % 2**32,
        multivariate=True,
        constant_liar=True,
        n_startup_trials=STARTING_BATCHES * BATCH,
    )
    study = _study(sampler)
    study.add_trials([frozen(plan, trial.values, trial.difference) for trial in past])
    base = build(plan.agent, plan.editions, plan.items)
    start = {one.name: getattr(base, one.name) for one in plan.space.dimensions}
    if all(one.holds(start[one.name]) for one in plan.space.dimensions):
        study.add_trial(frozen(plan, start, 0.0))
    wanted = distributions(plan.space)
    drawn = [study.ask(wanted).params for _ in range(BATCH)]
    return [{one.name: one.value(params[one.name]) for one in plan.space.dimensions} for params in drawn]


def importance(plan: Plan, trials: Sequence[Trial]) -> dict[str, float]:
    """How much each parameter decides whether a candidate is among the best tenth (PED-ANOVA, Watanabe et al. 2023); adds up to 1.

    Empty where all candidates came out alike, or there are too few.
    """
    import optuna

    if len({trial.difference for trial in trials}) < 2 * STARTING_BATCHES:
        return {}
    study = _study(None)
    study.add_trials([frozen(plan, trial.values, trial.difference) for trial in trials])
    evaluator = optuna.importance.PedAnovaImportanceEvaluator()
    return dict(optuna.importance.get_param_importances(study, evaluator=evaluator))


def _study(sampler: Any) -> Any:
    import optuna

    optuna.logging.set_verbosity(optuna.logging.WARNING)
    return optuna.create_study(direction="maximize", sampler=sampler)
