"""Saboteur for learning programs: which number an action has, and what an observation holds.

Actions in this order: every path card in each of its forms on each cell, form by form; the rockfall by cell; the map by goal;
breaks by card and player; repairs by card, tool where one of two is mended, and player; discards by card; claims by goal and what
is claimed; accusations by player; requests by tool. Cells go row by row. Kinds of cards that are not in the deck have no numbers.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from molehunt.adapters.spaces import saboteur_kernels
from molehunt.adapters.spaces.base import NO_INDEX, Axis, CompiledSpaces, seats_after
from molehunt.adapters.spaces.saboteur_kernels import (
    ACCUSATIONS_AT,
    CLAIMS_AT,
    DISCARDS_AT,
    PLACES,
    PLANES,
    PLAYS_AT,
    REQUESTS_AT,
    SIZE_AT,
    TABLE_SIZE,
    WINDOW_AT,
)
from molehunt.core.errors import BadInput
from molehunt.core.numbers import is_whole
from molehunt.games.saboteur.actions import (
    ACCUSE,
    ASK,
    CLAIM,
    DISCARD,
    PLAY_BREAK,
    PLAY_FIX,
    PLAY_MAP,
    PLAY_PATH,
    PLAY_ROCKFALL,
    pack,
)
from molehunt.games.saboteur.cards import (
    CARD_NAMES,
    CARD_TOOLS,
    CLAIMED_GOLD,
    CLAIMED_STONE,
    FIRST_BREAK,
    FIRST_FIX,
    GOAL_PLACES,
    KINDS,
    MAP,
    ROCKFALL,
    ROLE_NAMES,
    TOOLS,
)
from molehunt.games.saboteur.game import Saboteur
from molehunt.games.saboteur.ruleset import COUNTS, MAX_ROUNDS, Ruleset, cell_number
from molehunt.games.saboteur.state import MAX_PACK
from molehunt.games.tunnels.cards import CARD_FORMS

REACH_X, REACH_Y, REACH_STEPS = 22, 23, 34
"""How far from the start a tunnel of the 40 path cards can come: 44 and 46 half steps (see `ruleset.OPEN_MINE`), and 31 cards that
lead on, two stones and one last cell in all."""
MORE_REACH = 3
"""What face-down goals that count as crosses, or stones that let in everywhere, may add."""


def reachable(ruleset: Ruleset, x: int, y: int) -> bool:
    """Whether a card can ever be laid on a cell of an open mine, as far as the number of cards says."""
    more = MORE_REACH if ruleset.goals_fit or ruleset.stones_let_in else 0
    right, down = abs(x - ruleset.start[0]), abs(y - ruleset.start[1])
    return right <= REACH_X + more and down <= REACH_Y + more and right + down <= REACH_STEPS + more


class SaboteurSpaces(CompiledSpaces):
    """The spaces of Saboteur. `window` is the rectangle of cells that is numbered and seen (smallest x, y, largest x, y)."""

    kernels = saboteur_kernels
    counts_seats = True

    def __init__(self, game: Saboteur, window: tuple[int, int, int, int] | None = None) -> None:
        self.game = game
        self.window = self._choose_window(game.ruleset, window)
        self.params = game.params
        self._number_actions(game)
        self._lay_out(game)

    @staticmethod
    def _choose_window(ruleset: Ruleset, window: tuple[int, int, int, int] | None) -> tuple[int, int, int, int]:
        if not ruleset.is_open:
            if window is not None:
                raise BadInput(f"a window is for an open mine; all of {ruleset.name}'s is numbered")
            return ruleset.bounds
        if window is None:
            xs = [x for x in range(ruleset.bounds[0], ruleset.bounds[2] + 1) if reachable(ruleset, x, ruleset.start[1])]
            ys = [y for y in range(ruleset.bounds[1], ruleset.bounds[3] + 1) if reachable(ruleset, ruleset.start[0], y)]
            return xs[0], ys[0], xs[-1], ys[-1]
        given: object = window
        numbers = given if isinstance(given, Sequence) else ()
        if [is_whole(number) for number in numbers] != [True] * 4:
            raise BadInput(
                f"a window is the smallest x and y and the largest x and y, (-4, -5, 12, 5), not {window!r:.60}"
            )
        left, top, right, bottom = window
        for x, y in (ruleset.start, *ruleset.goals):
            if not (left <= x <= right and top <= y <= bottom):
                raise BadInput(f"the window {window} must hold the start and the goals, and does not hold {(x, y)}")
        if not (ruleset.holds(left, top) and ruleset.holds(right, bottom)):
            raise BadInput(f"the window {window} must lie within the mine, {ruleset.bounds}")
        return window

    def _number_actions(self, game: Saboteur) -> None:
        ruleset = game.ruleset
        seats = game.seats
        left, top, right, bottom = self.window
        special = {ruleset.start, *ruleset.goals}
        self.cells = [
            cell_number(x, y)
            for y in range(top, bottom + 1)
            for x in range(left, right + 1)
            if (x, y) not in special and (not ruleset.is_open or reachable(ruleset, x, y))
        ]
        """The numbers of the cells on which cards can be laid, in the order of the indices."""
        in_deck = [kind for kind in range(KINDS) if game.params[COUNTS + kind]]
        numbering = np.full(TABLE_SIZE, NO_INDEX, np.int32)
        numbering[PLACES : PLACES + 64 * 64][self.cells] = np.arange(len(self.cells))
        numbering[WINDOW_AT : WINDOW_AT + 4] = (cell_number(left, top), 0, right - left + 1, bottom - top + 1)
        codes: list[int] = []
        of_seat: list[tuple[int, int]] = []  # (index, the player as so many seats after the one that acts)

        def number(play: int, card: int, form: int, targets: list[int]) -> None:
            numbering[PLAYS_AT + 4 * card + form] = len(codes)
            codes.extend(pack(play, card, form, target) for target in targets)

        def number_players(play: int, card: int, form: int) -> None:
            # Oneself too where nobody may break their own tool: so the same indices can name the seats as they are numbered.
            of_seat.extend((len(codes) + away, away) for away in range(seats))
            number(play, card, form, list(range(seats)))

        for kind in in_deck:
            if kind < FIRST_BREAK:
                for form in range(CARD_FORMS[kind]):
                    number(PLAY_PATH, kind, form, self.cells)
        if ROCKFALL in in_deck:
            number(PLAY_ROCKFALL, ROCKFALL, 0, self.cells)
        if MAP in in_deck:
            number(PLAY_MAP, MAP, 0, [0, 1, 2])
        for kind in in_deck:
            if FIRST_BREAK <= kind < FIRST_FIX:
                number_players(PLAY_BREAK, kind, 0)
        for kind in in_deck:
            if FIRST_FIX <= kind < ROCKFALL:
                tools = [tool for tool in range(len(TOOLS)) if CARD_TOOLS[kind] >> tool & 1]
                for form in [0] if ruleset.mends_all else [1 + tool for tool in tools]:
                    number_players(PLAY_FIX, kind, form)
        for kind in in_deck:
            numbering[DISCARDS_AT + kind] = len(codes)
            codes.append(pack(DISCARD, kind, 0, 0))
        if ruleset.talk:
            numbering[CLAIMS_AT] = len(codes)
            codes.extend(
                pack(CLAIM, MAP, claimed, goal) for goal in range(3) for claimed in (CLAIMED_GOLD, CLAIMED_STONE)
            )
        if ruleset.speak:
            # Oneself has a number too, as with tools.
            numbering[ACCUSATIONS_AT] = len(codes)
            of_seat.extend((len(codes) + away, away) for away in range(seats))
            codes.extend(pack(ACCUSE, 0, 0, target) for target in range(seats))
            asked_for = [TOOLS.index(tool) for tool in ruleset.tools]
            numbering[REQUESTS_AT] = len(codes) - asked_for[0]  # so that a tool is added by its number
            codes.extend(pack(ASK, 0, 0, tool) for tool in asked_for)
        numbering[SIZE_AT] = len(codes)
        every = np.tile(np.array(codes, np.int32), (seats, 1))
        for index, away in of_seat:
            every[:, index] += (np.arange(seats) + away) % seats - away
        self._set_codes(every)
        self.numbering = numbering
        self.numbering.setflags(write=False)

    def _lay_out(self, game: Saboteur) -> None:
        ruleset, seats = game.ruleset, game.seats
        left, top, right, bottom = self.window
        height, width = bottom - top + 1, right - left + 1
        players = seats_after(seats)
        across, down = [f"x {x}" for x in range(left, right + 1)], [f"y {y}" for y in range(top, bottom + 1)]
        rounds = [f"round {number}" for number in range(1, MAX_ROUNDS + 1)]
        parts: list[tuple[str, tuple[int, ...], str, *tuple[Axis, ...]]] = [
            (
                "board",
                (len(PLANES), height, width),
                f"planes of the mine: {', '.join(PLANES)}",
                PLANES,
                down,
                across,
            ),
            ("hand", (KINDS,), "own cards by kind", CARD_NAMES),
            (
                "unseen",
                (KINDS,),
                "cards by kind that may be in the deck, in other hands or discarded by others",
                CARD_NAMES,
            ),
            ("discards", (KINDS,), "own discards by kind", CARD_NAMES),
            ("played", (KINDS,), "cards by kind that were played in public", CARD_NAMES),
            (
                "goals",
                (3, 3),
                "by goal: known to be gold, the bend S+W, the bend S+E",
                GOAL_PLACES,
                ("gold", "the bend S+W", "the bend S+E"),
            ),
            ("revealed", (3,), "goals that lie open", GOAL_PLACES),
            ("role", (2,), "own role: miner, saboteur", ROLE_NAMES),
            ("saboteurs", (1,), "how many saboteurs there are, at most"),
            ("deck", (1,), "cards left in the deck"),
            ("outcome", (2,), "over by gold, over by the end of the cards", ("gold", "the end of the cards")),
            ("to_move", (seats,), "who is to move", players),
            ("hand_sizes", (seats,), "cards in hand by player", players),
            ("discard_counts", (seats,), "cards discarded by player", players),
            ("broken", (seats, len(TOOLS)), "broken tools by player: cart, lantern, pickaxe, block", players, TOOLS),
            ("looked", (seats, 3), "goals that each player has looked at", players, GOAL_PLACES),
        ]
        if ruleset.talk:
            parts += [
                (
                    "claims",
                    (seats, 3, 2),
                    "by player and goal: last claimed gold, last claimed stone",
                    players,
                    GOAL_PLACES,
                    ("gold", "stone"),
                ),
                ("claiming", (3,), "the goal about which the player to move must say what was seen", GOAL_PLACES),
            ]
        if ruleset.speak:
            accused = [f"accuses {player}" for player in players]
            parts += [
                ("accused", (seats, seats), "by player: whom they last accused", players, accused),
                (
                    "asked",
                    (seats, len(TOOLS)),
                    "by player: broken tools for whose repair they have asked",
                    players,
                    TOOLS,
                ),
                ("spoken", (1,), "whether the player to move has accused or asked before the card"),
            ]
        if ruleset.rounds > 1 or ruleset.payment == "shares":
            parts += [
                ("nuggets", (seats,), "gold by player, -1 where it is secret", players),
                (
                    "round",
                    (2,),
                    "rounds finished, and those of them that found the gold",
                    ("finished", "found the gold"),
                ),
                (
                    "past_roles",
                    (MAX_ROUNDS, seats, 2),
                    "by finished round and player: miner, saboteur",
                    rounds,
                    players,
                    ROLE_NAMES,
                ),
            ]
        if ruleset.payment == "shares":
            parts += [
                ("gold_drawn", (1,), "gold cards that left the pile"),
                (
                    "packs",
                    (MAX_ROUNDS, MAX_PACK),
                    "nuggets on the gold cards drawn after each round, -1 where not seen",
                    rounds,
                    [f"card {number}" for number in range(1, MAX_PACK + 1)],
                ),
                ("takers", (MAX_ROUNDS, seats), "who took first from each pack", rounds, players),
            ]
        self._set_fields(parts)
