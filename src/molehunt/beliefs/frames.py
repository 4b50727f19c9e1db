"""Frames of several agents: worlds with names, and what each agent holds possible in which world. No facts yet.

An agent has a belief relation, and may have a second, wider one, knowledge: what it believes is chosen from what it knows to
be possible. Without it, an agent whose belief relation is an equivalence (S5) knows what it believes, and of any other agent
there is nothing to say about knowledge.

Source: Fagin, Halpern, Moses and Vardi, Reasoning About Knowledge (1995), sections 2.1 and 3.1.
"""

from __future__ import annotations

import operator
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from molehunt.beliefs import relations
from molehunt.beliefs.relations import Mask, Words
from molehunt.core.errors import BadInput, UnknownName, check_is, value_text
from molehunt.core.numbers import is_whole

RELATIONS = ("belief", "knowledge")

MOST_GROUPS = 256
"""For how many groups a frame keeps the union of their relations, before it forgets all of them."""


class BeliefsOnly(BadInput):
    """Knowledge was asked for of an agent whose model holds beliefs only.

    Attributes: `agent`, `logic` (what its belief relation is instead of S5).
    """

    def __init__(self, agent: int, logic: str) -> None:
        self.agent = agent
        self.logic = logic
        super().__init__(
            f"the model holds beliefs only of agent {agent}: its belief relation is {logic}, not S5, so nothing says what it "
            f"knows; ask for B_{agent}, or give the model a knowledge relation"
        )


class Frame:
    """A finite frame. It never changes.

    worlds: their names, all different, at least one. agents: their numbers, all different. belief: bool[agents, worlds,
    worlds], whether the agent, in the first world, holds the second one possible; or the same packed as in `relations`,
    uint64[agents, worlds, words]. knowledge: likewise, or None; it must allow all that belief does. Raises `BadInput`.
    """

    def __init__(
        self,
        worlds: Sequence[str],
        agents: Iterable[int],
        belief: npt.ArrayLike,
        knowledge: npt.ArrayLike | None = None,
    ) -> None:
        self.worlds: Final = worlds_of(worlds)
        self.agents: Final = agents_of(agents)
        self._number = {name: index for index, name in enumerate(self.worlds)}
        self._place = {agent: index for index, agent in enumerate(self.agents)}
        if not self.worlds:
            raise BadInput("a model has at least one world")
        for what, given, known in (("worlds", self.worlds, self._number), ("agents", self.agents, self._place)):
            if len(given) != len(known):
                raise BadInput(f"two {what} are called {next(one for one in given if given.count(one) > 1)!r}")
        if min(self.agents, default=0) < 0:
            raise BadInput(f"agents are numbers from 0, not {min(self.agents)}")
        self._everything = relations.pack(np.ones(len(self.worlds), np.bool_))
        self._relations = {"belief": self._rows_of("belief", belief)}
        if knowledge is not None:
            self._relations["knowledge"] = self._rows_of("knowledge", knowledge)
            self._check_contained()
        self._joined: dict[tuple[str, tuple[int, ...] | None, bool], Words] = {}
        self._logics: dict[tuple[int, str], str] = {}

    # ---- What is in it

    @property
    def has_knowledge(self) -> bool:
        """Whether the model was given a knowledge relation beside belief."""
        return "knowledge" in self._relations

    def possible(self, agent: int, world: str | int, relation: str = "belief") -> tuple[str, ...]:
        """The worlds that an agent holds possible in a world."""
        return self._names(self._rows(agent, relation)[self.index(world)])

    def links(self, agent: int, relation: str = "belief") -> Mask:
        """The relation of an agent: bool[worlds, worlds]."""
        return relations.unpack(self._rows(agent, relation), len(self.worlds))

    def rows(self, agent: int, relation: str = "belief") -> Words:
        """The relation of an agent, packed: uint64[worlds, words], read-only. Raises `BeliefsOnly`."""
        view = self._rows(agent, relation).view()
        view.flags.writeable = False
        return view

    def _rows(self, agent: int, relation: str) -> Words:
        # Writable, as are all sets within: to Numba a read-only array is another type, and each is compiled anew.
        if relation not in RELATIONS:
            raise UnknownName("relation", relation, RELATIONS)
        place = self._place_of(agent)
        if relation in self._relations:
            return self._relations[relation][place]
        if (logic := self.logic(agent)) != "S5":
            raise BeliefsOnly(agent, logic)
        return self._relations["belief"][place]

    def index(self, world: str | int) -> int:
        """The number of a world."""
        return index_of(world, self.worlds, self._number)

    # ---- Its logic

    def is_reflexive(self, agent: int, relation: str = "belief") -> bool:
        """Whether the agent holds every world possible in that world: axiom T, it is never wrong."""
        return bool(relations.reflexive(self._rows(agent, relation)))

    def is_serial(self, agent: int, relation: str = "belief") -> bool:
        """Whether the agent holds something possible everywhere: axiom D, it is never in contradiction."""
        return bool(relations.serial(self._rows(agent, relation)))

    def is_transitive(self, agent: int, relation: str = "belief") -> bool:
        """Axiom 4: it believes that it believes what it believes."""
        return bool(relations.transitive(self._rows(agent, relation)))

    def is_euclidean(self, agent: int, relation: str = "belief") -> bool:
        """Axiom 5: it believes that it does not believe what it does not believe."""
        return bool(relations.euclidean(self._rows(agent, relation)))

    def is_symmetric(self, agent: int, relation: str = "belief") -> bool:
        """Axiom B: what is true, it believes to be possible."""
        return bool(relations.symmetric(self._rows(agent, relation)))

    def logic(self, agent: int, relation: str = "belief") -> str:
        """The logic of the agent's frame by its axioms: "S5", "S4", "T", "KTB", or K with those of D, B, 4 and 5: "KD45"."""
        key = (self._place_of(agent), relation)
        if key not in self._logics:
            self._logics[key] = self._named_logic(agent, relation)
        return self._logics[key]

    def _named_logic(self, agent: int, relation: str) -> str:
        if self.is_reflexive(agent, relation):
            if self.is_euclidean(agent, relation):
                return "S5"
            if self.is_transitive(agent, relation):
                return "S4"
            return "KTB" if self.is_symmetric(agent, relation) else "T"
        axioms = (("D", self.is_serial), ("B", self.is_symmetric), ("4", self.is_transitive), ("5", self.is_euclidean))
        return "K" + "".join(axiom for axiom, test in axioms if test(agent, relation))

    # ---- For the checker: sets of worlds as words, which are not to be written to

    @property
    def everything(self) -> Words:
        """The set of all worlds."""
        return self._everything

    def joined(self, relation: str, agents: tuple[int, ...] | None) -> Words:
        """The union of the relations of some agents, or of all."""
        if agents is not None and len(agents) == 1:
            return self._rows(agents[0], relation)
        key = (relation, agents, False)
        if key not in self._joined:
            if len(self._joined) >= MOST_GROUPS:
                self._joined.clear()
            group = self.agents if agents is None else agents
            if not group:
                self._joined[key] = np.zeros((len(self.worlds), len(self._everything)), np.uint64)
            else:
                rows = np.stack([self._rows(agent, relation) for agent in group])
                self._joined[key] = relations.union(rows, np.arange(len(group)))
        return self._joined[key]

    def joined_backwards(self, relation: str, agents: tuple[int, ...] | None) -> Words:
        """The converse of `joined`."""
        key = (relation, agents, True)
        if key not in self._joined:
            self._joined[key] = relations.converse(self.joined(relation, agents))
        return self._joined[key]

    # ---- Reading what was given

    def _place_of(self, agent: int) -> int:
        if agent not in self._place:
            raise UnknownName("agent", str(agent), map(str, self.agents))
        return self._place[agent]

    def _names(self, words: Words) -> tuple[str, ...]:
        return tuple(self.worlds[world] for world in np.flatnonzero(relations.unpack(words, len(self.worlds))))

    def _rows_of(self, relation: str, given: npt.ArrayLike) -> Words:
        """A relation as it was given, checked and packed."""
        array = array_of(f"{relation} relation", given)
        number, words = len(self.worlds), len(self._everything)
        packed = array.dtype == np.uint64
        shape = (len(self.agents), number, words if packed else number)
        if array.shape != shape:
            raise BadInput(f"the {relation} relation has shape {array.shape}, not {shape} (agents, worlds, ...)")
        if packed:
            if (array & ~self._everything).any():
                raise BadInput(f"the {relation} relation has bits for worlds that do not exist")
            return np.array(array, np.uint64, order="C")
        if array.dtype != np.bool_:
            raise BadInput(f"the {relation} relation has type {array.dtype}, not bool (or uint64, packed)")
        return relations.pack(array)

    def _check_contained(self) -> None:
        beyond = self._relations["belief"] & ~self._relations["knowledge"]
        if beyond.any():
            place, world, _ = np.argwhere(beyond)[0]
            other = self._names(beyond[place, world])[0]
            raise BadInput(
                f"agent {self.agents[place]}, in world {self.worlds[world]!r}, believes {other!r} to be possible but knows that "
                "it is not; belief must be part of knowledge"
            )


def worlds_of(worlds: Iterable[str]) -> tuple[str, ...]:
    """The names of worlds as they were given; BadInput where they are none."""
    check_is(worlds, Iterable, 'worlds are a list of names, as ["{0}", "{1}"]')
    names = tuple(worlds)
    if not all(isinstance(name, str) for name in names):
        raise BadInput(f"the names of worlds are texts, not {value_text(names)}")
    return names


def agents_of(agents: Iterable[int]) -> tuple[int, ...]:
    """The numbers of agents as they were given; BadInput where they are none."""
    check_is(agents, Iterable, "agents are a list of numbers, as [0, 1]")
    numbers: tuple[object, ...] = tuple(agents)
    if not all(map(is_whole, numbers)):
        raise BadInput(f"agents are numbers from 0, not {value_text(numbers)}")
    return tuple(operator.index(agent) for agent in numbers)  # type: ignore[arg-type]


def array_of(what: str, given: npt.ArrayLike) -> npt.NDArray[Any]:
    """What was given as an array."""
    try:
        return np.asarray(given)
    except ValueError as error:
        raise BadInput(f"the {what} is no array: {error}") from error


def index_of(world: str | int, worlds: Sequence[str], number: Mapping[str, int]) -> int:
    """The number of a world that is given by name or number; `number` has the numbers of the names."""
    if isinstance(world, str):
        if world not in number:
            raise UnknownName("world", world, worlds)
        return number[world]
    try:
        index = operator.index(world)
    except TypeError as error:
        raise BadInput(f"{world!r} is no world: a world has a name and a number") from error
    if not 0 <= index < len(worlds):
        raise BadInput(f"there is no world number {index}; there are {len(worlds)}, from 0")
    return index


def has(words: Words, index: int) -> bool:
    """Whether a world is in a set."""
    return bool(int(words[index // relations.WORD]) >> (index % relations.WORD) & 1)
