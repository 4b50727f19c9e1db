"""Finite Kripke models of several agents: worlds, facts, what each agent believes and knows, and announcements.

A model has worlds with names, facts that are true in some of them, and for every agent a belief relation: which worlds the
agent holds possible in which world. `B` in a formula reads it. An agent may have a second, wider relation, knowledge, that
`K` reads: what is believed is chosen from what is known to be possible. Without it, an agent whose belief relation is an
equivalence (S5) knows what it believes, and of any other agent there is nothing to say about knowledge.

    >>> worlds, facts = choose_worlds(4, 1, "sab")
    >>> model = KripkeModel.total(worlds, range(4), facts)
    >>> after = model.announce("~sab(0)")
    >>> after.valid("C ~sab(0)"), after.holds("M_1 sab(3)", "{2}")
    (True, True)

Sources: Fagin, Halpern, Moses and Vardi, Reasoning About Knowledge (1995), chapters 2 and 3, for models and frames; van
Ditmarsch, van der Hoek and Kooi, Dynamic Epistemic Logic (2007), chapters 4 and 6, for announcements as products with events.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from molehunt.beliefs import relations
from molehunt.beliefs.checker import worlds_where
from molehunt.beliefs.formulas import Formula, is_atom, parse
from molehunt.beliefs.frames import Frame, agents_of, array_of, has, index_of, worlds_of
from molehunt.beliefs.relations import Mask, Words
from molehunt.core.errors import BadInput, UnknownName, check_is, value_text
from molehunt.core.numbers import is_whole

MOST_PLAYERS = 10_000
MOST_WORLDS = 10_000_000
"""So many worlds `choose_worlds` makes: their names alone take a gigabyte."""
MOST_REMEMBERED = 4096
"""How many sets of worlds a model keeps of the formulas that it was asked about, before it forgets all of them."""

Facts = Mapping[str, Iterable[Any]]
"""For every fact a bool[worlds], or the worlds (names or numbers) in which it is true."""


class KripkeModel(Frame):
    """A finite Kripke model. It never changes: announcements make new ones.

    worlds: their names, all different, at least one. agents: their numbers, all different. facts: see `Facts`; the names are
    in the notation of `formulas`. belief: bool[agents, worlds, worlds], whether the agent, in the first world, holds the
    second one possible; or the same packed as in `relations`, uint64[agents, worlds, words]. knowledge: likewise, or None;
    it must allow all that belief does. Raises `BadInput`.
    """

    def __init__(
        self,
        worlds: Sequence[str],
        agents: Iterable[int],
        facts: Facts,
        belief: npt.ArrayLike,
        knowledge: npt.ArrayLike | None = None,
    ) -> None:
        super().__init__(worlds, agents, belief, knowledge)
        check_is(
            facts, Mapping, 'facts are a dict from their names to the worlds where they are true, as {"p": ["{0}"]}'
        )
        self._facts = {name: relations.pack(self._fact_mask(name, where)) for name, where in facts.items()}
        self._memory: dict[Formula, Words] = {}

    # ---- Ways to make one

    @classmethod
    def total(cls, worlds: Sequence[str], agents: Iterable[int], facts: Facts) -> KripkeModel:
        """Everybody holds everything possible, everywhere: nobody knows anything (S5)."""
        agents, worlds = agents_of(agents), worlds_of(worlds)
        return cls(worlds, agents, facts, np.ones((len(agents), len(worlds), len(worlds)), np.bool_))

    @classmethod
    def from_partitions(
        cls, worlds: Sequence[str], agents: Iterable[int], facts: Facts, partitions: Sequence[Any] | npt.NDArray[Any]
    ) -> KripkeModel:
        """Each agent tells the cells of a partition apart, and nothing within a cell (S5).

        partitions: for each agent its cells, every cell an iterable of worlds (names or numbers); or an array
        [agents, worlds] of what each agent sees in each world, where worlds that look the same make a cell.
        """
        agents, worlds = agents_of(agents), worlds_of(worlds)
        check_is(partitions, (Sequence, np.ndarray), "partitions are a list with the cells of each agent, or an array")
        if len(partitions) != len(agents):
            raise BadInput(f"{len(partitions)} partitions for {len(agents)} agents")
        if isinstance(partitions, np.ndarray):
            if partitions.shape != (len(agents), len(worlds)):
                raise BadInput(f"what agents see has shape {partitions.shape}, not {(len(agents), len(worlds))}")
            seen = partitions
        else:
            number = {name: index for index, name in enumerate(worlds)}
            seen = np.full((len(agents), len(worlds)), -1)
            for place, cells in enumerate(partitions):
                for cell, members in enumerate(cells):
                    for world in members:
                        index = index_of(world, worlds, number)
                        if seen[place, index] not in (-1, cell):
                            raise BadInput(f"world {worlds[index]!r} is in two cells of agent {agents[place]}")
                        seen[place, index] = cell
                if (seen[place] < 0).any():
                    missing = worlds[int(np.argmin(seen[place]))]
                    raise BadInput(f"world {missing!r} is in no cell of agent {agents[place]}")
        return cls(worlds, agents, facts, seen[:, :, None] == seen[:, None, :])

    @classmethod
    def from_beliefs(
        cls,
        worlds: Sequence[str],
        agents: Iterable[int],
        facts: Facts,
        sets: npt.ArrayLike,
        knowledge: npt.ArrayLike | None = None,
    ) -> KripkeModel:
        """Each agent believes, in whatever world, that the world is one of a set (KD45): bool[agents, worlds]."""
        agents, worlds = agents_of(agents), worlds_of(worlds)
        believed = array_of("array of believed sets", sets)
        if believed.dtype != np.bool_:
            raise BadInput(f"the believed sets have type {believed.dtype}, not bool: whether each world is in the set")
        if believed.shape != (len(agents), len(worlds)):
            raise BadInput(f"the believed sets have shape {believed.shape}, not {(len(agents), len(worlds))}")
        for agent, row in zip(agents, believed, strict=True):
            if not row.any():
                raise BadInput(f"agent {agent} believes in no world at all: its set is empty")
        packed = relations.pack(believed)
        rows = np.broadcast_to(packed[:, None, :], (len(agents), len(worlds), packed.shape[1]))
        return cls(worlds, agents, facts, rows, knowledge)

    # ---- What is in it

    @property
    def facts(self) -> tuple[str, ...]:
        """The names of the facts."""
        return tuple(self._facts)

    def facts_in(self, world: str | int) -> tuple[str, ...]:
        """The facts that are true in a world."""
        index = self.index(world)
        return tuple(name for name, words in self._facts.items() if has(words, index))

    def __repr__(self) -> str:
        extra = ", knowledge beside belief" if self.has_knowledge else ""
        return f"<KripkeModel: {len(self.worlds)} worlds, {len(self.agents)} agents, {len(self._facts)} facts{extra}>"

    def _repr_svg_(self) -> str:
        from molehunt.beliefs.kripke_draw import as_svg

        return as_svg(self)

    # ---- Formulas

    def where(self, formula: str | Formula) -> tuple[str, ...]:
        """The worlds in which a formula is true. Raises `BadFormula`, `UnknownName`, `BeliefsOnly`; `BadInput` where it is none."""
        return self._names(self._where(formula))

    def mask(self, formula: str | Formula) -> Mask:
        """Whether a formula is true, in each world: bool[worlds]. Raises as `where` does."""
        return relations.unpack(self._where(formula), len(self.worlds))

    def holds(self, formula: str | Formula, world: str | int) -> bool:
        """Whether a formula is true in a world. Raises as `where` does."""
        return has(self._where(formula), self.index(world))

    def valid(self, formula: str | Formula) -> bool:
        """Whether a formula is true in all worlds. Raises as `where` does."""
        return bool(np.array_equal(self._where(formula), self._everything))

    def _where(self, formula: str | Formula) -> Words:
        check_is(formula, (str, Formula), "a formula is a text, as 'B_1 sab(2)', or what parse makes of one")
        tree = parse(formula) if isinstance(formula, str) else formula
        if len(self._memory) > MOST_REMEMBERED:
            self._memory.clear()
        return worlds_where(tree, self, self._memory)

    def fact_words(self, name: str) -> Words:
        """Where a fact is true, packed; for the checker."""
        if name not in self._facts:
            raise UnknownName("fact", name, self._facts)
        return self._facts[name]

    # ---- Announcements

    def announce(self, formula: str | Formula, keep_serial: bool = False) -> KripkeModel:
        """What is left after a true formula was said to everybody: the worlds where it is false go.

        An agent that held only such worlds possible then holds nothing possible and believes everything: `is_serial` is
        false. With `keep_serial` it gives up its beliefs instead, and holds all worlds possible that it does not know to be
        false; without a knowledge relation, all that are left. That keeps an agent with one set for all worlds KD45; one with
        several may lose axiom 5. Raises `BadInput` where the formula is true nowhere.
        """
        left = self._some(formula)
        return self._product(
            [left], np.ones((1, len(self.agents), 1, 1), np.bool_), keep_serial, lambda world, _: world
        )

    def announce_privately(
        self, formula: str | Formula, group: Iterable[int], keep_serial: bool = False
    ) -> PrivateAnnouncement:
        """A group learns that a formula is true, and all others believe that nothing happened.

        Two copies of the model: one of the worlds where the formula is true and the group has learned it, with primes behind
        their names, and the old model, which is all that the others believe in. Relations of the others are at best KD45
        after it. A knowledge relation is not deceived: with it, the others do not know that nothing happened, and `K` stays
        S5. `keep_serial` is as in `announce`. Raises `BadInput` where the formula is true nowhere.
        """
        members = self._members(group)
        told = self._some(formula)
        belief = np.zeros((len(self.agents), 2, 2), np.bool_)
        belief[:, :, 1] = True  # from both events, nobody thinks that anything happened...
        belief[members, 0] = (True, False)  # ... but for the group, when it did
        knowledge = np.ones((len(self.agents), 2, 2), np.bool_)
        knowledge[members] = np.eye(2, dtype=np.bool_)
        primes = "'"
        while any(name + primes in self._number for name in self.worlds):
            primes += "'"
        everywhere = np.ones(len(self.worlds), np.bool_)
        model = self._product(
            [told, everywhere],
            np.stack([belief, knowledge]),
            keep_serial,
            lambda world, event: world if event else world + primes,
        )
        return PrivateAnnouncement(model, {self.worlds[w]: self.worlds[w] + primes for w in np.flatnonzero(told)})

    def announce_whether(self, formula: str | Formula, group: Iterable[int], keep_serial: bool = False) -> KripkeModel:
        """A group learns whether a formula is true, and everybody sees that it does: a semi-private announcement.

        The worlds stay; the links of the group between those where it is true and those where it is false go. `keep_serial`
        is as in `announce`, among the worlds on the same side.
        """
        truth = self.mask(formula)
        allowed = np.ones((1, len(self.agents), 2, 2), np.bool_)
        allowed[:, self._members(group)] = np.eye(2, dtype=np.bool_)
        return self._product([truth, ~truth], allowed, keep_serial, lambda world, _: world)

    def _product(
        self, events: list[Mask], allowed: Mask, keep_serial: bool, name: Callable[[str, int], str]
    ) -> KripkeModel:
        """The product with events, which happen where their masks say.

        allowed: bool[2, agents, events, events], as in `relations.product`, for belief and knowledge (or [1, ...] for both);
        name(world, event): the name of a new world.
        """
        # In the order of the worlds for each event, but where every world has just one event, simply in their order.
        pairs = [(event, world) for event, mask in enumerate(events) for world in np.flatnonzero(mask)]
        if sum(map(np.count_nonzero, events)) == len(self.worlds) == len({world for _, world in pairs}):
            pairs.sort(key=lambda pair: pair[1])
        event_of = np.array([event for event, _ in pairs])
        world_of = np.array([world for _, world in pairs])
        made = {
            relation: relations.product(rows, world_of, event_of, np.ascontiguousarray(links))
            for (relation, rows), links in zip(self._relations.items(), (allowed[0], allowed[-1]), strict=False)
        }
        if keep_serial:
            # For every agent and event, the new worlds whose event it cannot rule out.
            sides = relations.pack(np.take(allowed[0], event_of, axis=2))
            had = np.take(self._relations["belief"].any(axis=2), world_of, axis=1)
            lost = had & ~made["belief"].any(axis=2)
            made["belief"][lost] = made.get("knowledge", sides[:, event_of])[lost]
        names = [name(self.worlds[world], event) for event, world in pairs]
        facts = {fact: relations.unpack(words, len(self.worlds))[world_of] for fact, words in self._facts.items()}
        return KripkeModel(names, self.agents, facts, made["belief"], made.get("knowledge"))

    def _some(self, formula: str | Formula) -> Mask:
        """Where a formula is true that is about to be announced."""
        truth = self.mask(formula)
        if not truth.any():
            raise BadInput(f"{formula!s} is true in no world, so nobody can announce it")
        return truth

    def _members(self, group: Iterable[int]) -> list[int]:
        members = [self._place_of(agent) for agent in group]
        if not members:
            raise BadInput("a group has at least one agent")
        return members

    # ---- Reading what was given

    def _fact_mask(self, name: str, where: Iterable[Any]) -> Mask:
        if not is_atom(name):
            raise BadInput(f"{name!r} is no name of a fact: p, sab(3) and gold(top) are, B_1 and true are not")
        check_is(
            where, Iterable, f"fact {name!r} has a truth value for each world, or a list of the worlds where it is true"
        )
        given = where if isinstance(where, np.ndarray) else list(where)
        if len(given) and all(isinstance(value, (bool, np.bool_)) for value in given):
            if len(given) != len(self.worlds):
                raise BadInput(f"fact {name!r} has {len(given)} truth values for {len(self.worlds)} worlds")
            return np.asarray(given, np.bool_)
        mask = np.zeros(len(self.worlds), np.bool_)
        for world in given:
            mask[self.index(world)] = True
        return mask


class PrivateAnnouncement(NamedTuple):
    """A model after a private announcement, and where the actual world went."""

    model: KripkeModel
    after: dict[str, str]
    """The name of the world that the model is in, if it was in this one before; worlds where the formula was false, and
    nobody could have said it, are missing."""


def choose_worlds(
    players: int, counts: int | Iterable[int], predicate: str = "sab"
) -> tuple[tuple[str, ...], dict[str, Mask]]:
    """All ways to choose some of the players: names of worlds, and where each player is chosen, as a model takes them.

    counts: how many are chosen, or the numbers that are possible. A world is called "{1,3}", and the fact that player 3 is
    chosen "sab(3)". Worlds come by number, then in the order of the players: 10 players with 4 make 210. Raises `BadInput`.
    """
    asked: object = players
    if not is_whole(asked) or asked < 1:
        raise BadInput(f"how many players there are is a whole number from 1 on, not {value_text(players)}")
    if asked > MOST_PLAYERS:
        raise BadInput(f"there may be {MOST_PLAYERS:,} players at most, not {value_text(players)}")
    wanted: tuple[Any, ...] = tuple(counts) if isinstance(counts, Iterable) else (counts,)
    for count in wanted:
        if not is_whole(count) or not 0 <= count <= players:
            raise BadInput(f"{value_text(count)} of {players} players cannot be chosen")
    if not is_atom(f"{predicate}(0)"):
        raise BadInput(f"the predicate is the name of a fact without its player, as sab, not {value_text(predicate)}")
    if not wanted:
        raise BadInput("no number of players to choose")
    worlds = sum(math.comb(players, count) for count in set(wanted))
    if worlds > MOST_WORLDS:
        raise BadInput(f"these would be more than {MOST_WORLDS:,} worlds, which are too many for a model")
    chosen = [ones for count in sorted(set(wanted)) for ones in combinations(range(players), count)]
    masks = np.zeros((players, len(chosen)), np.bool_)
    for world, ones in enumerate(chosen):
        masks[list(ones), world] = True
    names = tuple(f"{{{','.join(map(str, ones))}}}" for ones in chosen)
    return names, {f"{predicate}({player})": masks[player] for player in range(players)}
