"""A table of compiled players of Speed Clue, with the slow game and slow sheets beside it."""

from __future__ import annotations

import random
from typing import Any

import numpy as np

from games.speed_clue.playing import Bits, careful, edition_of, reference_of, seeds_of, seen_by, small
from molehunt.agents.built_in import BUILT_IN
from molehunt.agents.registry import Agents
from molehunt.core.kernels import kernel
from molehunt.core.streams import seat_streams
from molehunt.games.speed_clue.game import SpeedClue
from molehunt.reading.speed_clue.knowledge import read_own_shows
from reference.speed_clue import ReferenceClue, View, all_cards
from reference.speed_clue_players import OVERALL, Key, Knowledge

AGENTS = Agents("speed_clue")
OWN = [
    entry
    for entry in BUILT_IN
    if entry.game == "speed_clue" and entry.name not in {"exact", "learned"} and not entry.small_games
]
SPECS = [f"{entry.name}:{edition}" for entry in OWN for edition in entry.editions()]
"""Every player of the family of strategies, in every edition."""


@kernel
def take_in_shows(minds: Any, views: Any) -> None:
    """Let one mind take in which of its cards it has shown."""
    read_own_shows(minds[0], views[0])


class Table:
    """One game: compiled players, one chair each, and the slow game, move by move the same.

    With `luck` that probability of a move is another's, so that the record is not as the players would have it.
    """

    def __init__(self, game: SpeedClue, specs: list[str], number: int, luck: float = 0.0) -> None:
        self.game = game
        self.bits = Bits(edition_of(game))
        self.cards = all_cards(edition_of(game))
        self.states = game.new(seeds_of(number, 1))
        self.slow: ReferenceClue = reference_of(game, self.states[0])
        self.random = random.Random(number)
        self.luck = luck
        streams = seat_streams(seeds_of(number, 1), game.seats)
        self.agents = [AGENTS.make(spec) for spec in specs]
        self.memories = [
            agent.start(game, seen_by(game, self.states, seat), streams[:, seat])
            for seat, agent in enumerate(self.agents)
        ]

    @property
    def seat(self) -> int:
        """The seat to move."""
        assert self.slow.to_move is not None
        return self.slow.to_move

    @property
    def over(self) -> bool:
        return self.slow.to_move is None

    def view(self) -> View:
        """What the seat to move knows, as the slow engine has it."""
        return self.slow.view(self.seat)

    def decide(self) -> str:
        """The choice of the seat to move; its sheet is up to date afterwards."""
        seat = self.seat
        action = self.agents[seat].act(
            seen_by(self.game, self.states, seat), self.memories[seat], np.zeros(1, np.int64)
        )
        return self.game.format_action(int(action[0]))

    def play(self, move: str) -> None:
        """Play a move in both games, or, by luck, another one."""
        if self.random.random() < self.luck:
            move = careful(
                self.random, self.slow, [m for m in self.slow.legal_moves() if not m.startswith("accuse")] or [move]
            )
        self.slow.apply(move)
        self.game.apply(self.states, np.array([self.bits.action(move)], np.int32))

    def mind(self, seat: int) -> Any:
        """The memory of a seat's player: one record."""
        return self.memories[seat].minds[0]

    def letters(self, seat: int) -> dict[Key, str]:
        """The sheet of a compiled player in the letters of the report."""
        minds = self.memories[seat].minds.copy()
        take_in_shows(minds, seen_by(self.game, self.states, seat))
        mind = minds[0]
        found: dict[Key, str] = {}
        for card, name in enumerate(self.cards):
            own = int(mind["owned"][seat]) >> card & 1

            def has(mask: Any, card: int = card) -> bool:
                return bool(int(mask) >> card & 1)

            for player in range(self.game.seats):
                owned, lacks, may = (has(mind[field][player]) for field in ("owned", "lacks", "may"))
                assert owned + lacks + may <= 1
                letter = "B" if owned else "C" if lacks else "D" if may else "A"
                if own and player != seat:
                    assert letter == "C"
                    letter = "F" if has(mind["revealed"][player]) else "E"
                found[name, player] = letter
            outside, inside = has(mind["not_envelope"]), has(mind["envelope"])
            assert outside + inside <= 1
            found[name, OVERALL] = "H" if inside else "G" if outside else "A"
        return found

    def reasons(self, seat: int) -> dict[Key, int]:
        """The deduction by which each entry of a compiled player's sheet came."""
        rule = self.mind(seat)["rule"]
        columns: list[tuple[int | str, int]] = [*((player, player) for player in range(self.game.seats)), (OVERALL, 6)]
        return {
            (name, player): int(rule[column, card])
            for card, name in enumerate(self.cards)
            for player, column in columns
        }


def sheet(table: Table, seat: int, deduction_6: str = "sound", deduces: bool = True) -> Knowledge:
    """What the slow player of a seat has written down by now."""
    view = table.slow.view(seat)
    knowledge = Knowledge(table.slow.edition, seat, view["seats"], view["hand"], deduction_6, deduces)
    knowledge.read(view)
    return knowledge


HANDS = [["Blue", "Bow", "Cave"], ["Green", "Den"], ["Club", "Barn"]]
ENVELOPE = ("Red", "Axe", "Attic")


def dealt(order: str, *moves: str, items: tuple[str, ...] = ()) -> Table:
    """A game of three with ten cards, dealt as HANDS and ENVELOPE say, after these moves."""
    table = Table(small(3, order, *items), ["basic"] * 3, 0)
    table.states["hands"][0, :3] = [table.bits.mask(hand) for hand in HANDS]
    table.states["envelope"] = table.bits.mask(ENVELOPE)
    table.slow.envelope, table.slow.hands = ENVELOPE, [list(hand) for hand in HANDS]
    for move in moves:
        table.play(move)
    return table
