"""Reference engine of Saboteur, ruleset `krisnadi`: one round on a board of 9 columns by 5 rows.

Slow on purpose: everything is sets, dicts and names, and each function states one rule. Nothing is shared with the
package under test.

Cells are (x, y) with x = 0..8 to the right and y = 0..4 downwards; seats count from 0; goals are 0 top, 1 middle,
2 bottom. Moves are text: `P_NSE@3,2`, turned by 180 degrees `P_NSE@3,2r` (a card that looks the same when turned never
carries `r`), `map:top`, `break:cart>4`, `fix:cart+lantern>2` (where a repair mends only one tool, it is named:
`fix:cart+lantern>2/cart`, `fix:cart>2/cart`), `rockfall@3,1`, `discard:P_EW`. A discard as the other seats see it is
`discard:?`.
"""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import dataclass
from functools import cache
from typing import TypedDict

Cell = tuple[int, int]

# --- Cards ------------------------------------------------------------------------------------------------------------

# Path cards: open edges, and how many of the card there are. P_ cards are tunnels, all their open edges meet inside the
# card; D_ cards are dead-ends, no two of their open edges meet.
PATHS: dict[str, tuple[str, int]] = {
    "P_NS": ("NS", 4),
    "P_EW": ("EW", 3),
    "P_SE": ("SE", 4),
    "P_SW": ("SW", 5),
    "P_NSE": ("NSE", 5),
    "P_EWN": ("EWN", 5),
    "P_NESW": ("NESW", 5),
    "D_N": ("N", 1),
    "D_E": ("E", 1),
    "D_NS": ("NS", 1),
    "D_EW": ("EW", 1),
    "D_SE": ("SE", 1),
    "D_SW": ("SW", 1),
    "D_NSE": ("NSE", 1),
    "D_EWN": ("EWN", 1),
    "D_NESW": ("NESW", 1),
}

ACTIONS: dict[str, int] = {
    "break:cart": 3,
    "break:lantern": 3,
    "break:pickaxe": 3,
    "fix:cart": 2,
    "fix:lantern": 2,
    "fix:pickaxe": 2,
    "fix:cart+lantern": 1,
    "fix:cart+pickaxe": 1,
    "fix:lantern+pickaxe": 1,
    "rockfall": 3,
    "map": 6,
}

ALL_CARDS: Counter[str] = Counter({name: count for name, (_, count) in PATHS.items()}) + Counter(ACTIONS)

# --- Board ------------------------------------------------------------------------------------------------------------

COLUMNS, ROWS = 9, 5
START: Cell = (0, 2)
GOAL_CELLS: tuple[Cell, Cell, Cell] = ((8, 0), (8, 2), (8, 4))
GOAL_NAMES: tuple[str, str, str] = ("top", "middle", "bottom")
GOAL_EDGES: dict[str, str] = {"gold": "NESW", "rock1": "SW", "rock2": "SE"}

STEP: dict[str, Cell] = {"N": (0, -1), "E": (1, 0), "S": (0, 1), "W": (-1, 0)}
OPPOSITE: dict[str, str] = {"N": "S", "E": "W", "S": "N", "W": "E"}


@dataclass(frozen=True)
class Tile:
    """A card as it lies on the board: its name, whether it is turned by 180 degrees, its open edges as they lie, and
    whether those edges meet inside the card (false for a dead-end)."""

    card: str
    turned: bool
    open: frozenset[str]
    through: bool


def lay(card: str, edges: str, turned: bool, through: bool = True) -> Tile:
    """A card with the given open edges; turning by 180 degrees swaps N with S and E with W."""
    return Tile(card, turned, frozenset(OPPOSITE[edge] if turned else edge for edge in edges), through)


@cache
def path_tile(card: str, turned: bool = False) -> Tile:
    """A path card as it lies on the board."""
    return lay(card, PATHS[card][0], turned, through=card.startswith("P_"))


@cache
def orientations(card: str) -> tuple[bool, ...]:
    """The ways to lay a path card: upright and turned, or upright only if both look the same."""
    return (False,) if path_tile(card, True).open == path_tile(card, False).open else (False, True)


def neighbour(cell: Cell, edge: str) -> Cell:
    """The cell beyond an edge; it may lie off the board."""
    return cell[0] + STEP[edge][0], cell[1] + STEP[edge][1]


def on_board(cell: Cell) -> bool:
    """The maze never grows beyond the 9 x 5 cells."""
    return 0 <= cell[0] < COLUMNS and 0 <= cell[1] < ROWS


# --- Moves ------------------------------------------------------------------------------------------------------------


def card_of(move: str) -> str:
    """The card that a move takes from the hand."""
    if move.startswith("discard:"):
        return move.removeprefix("discard:")
    if move.startswith("map:"):
        return "map"
    return move.partition("@")[0].partition(">")[0]


def cell_of(move: str) -> Cell:
    """The cell that a path card or a rockfall names."""
    x, y = move.partition("@")[2].removesuffix("r").split(",")
    return int(x), int(y)


def tools_of(card: str) -> set[str]:
    """The tool on a broken-tool card, or the one or two tools on a repair card."""
    return set(card.partition(":")[2].split("+"))


def target_of(move: str) -> int:
    """The seat that a broken-tool card or a repair names."""
    return int(move.partition(">")[2].partition("/")[0])


class IllegalMove(ValueError):
    """The move is not among the legal moves of the seat to move."""


class Event(TypedDict):
    """What one seat learns from one move."""

    seat: int  # who moved
    move: str  # the move; "discard:?" for a discard of somebody else
    seen: str | None  # what the map showed, for its player only
    turned_up: dict[int, str]  # goals that turned over at the end of the turn
    drew: str | None  # the card drawn, for its player only
    mended: set[str]  # tools that a repair mended
    removed: tuple[str, bool] | None  # the card that a rockfall removed, and whether it lay turned


class View(TypedDict):
    """Everything that one seat can see or remember."""

    seat: int
    role: str
    seats: int
    saboteurs: int
    turn: int
    to_move: int | None
    board: dict[Cell, tuple[str, bool]]
    goals: list[str | None]
    face_up: list[bool]
    looked: list[set[int]]
    hand: list[str]
    hand_sizes: list[int]
    broken: list[set[str]]
    deck_left: int
    unseen: Counter[str]


@dataclass(frozen=True)
class Rules:
    """Ruleset `krisnadi`: what its sources leave open, and where other rulesets differ."""

    blocked_may_rockfall: bool = True
    double_repair_mends_both: bool = True  # else a repair names the one tool that it mends
    may_break_own: bool = False
    goals_fit: bool = (
        True  # a face-down goal is an open cross; else it says nothing about the fit and passes nothing on
    )
    stones_let_in: bool = True  # a tunnel enters a stone that lies open even where the stone shows it a wall


class ReferenceGame:
    """One round. `deck[0]` is drawn first; `discards` holds the face-down discards of each seat, `played` every card
    that was played in public."""

    def __init__(
        self,
        rules: Rules,
        roles: list[str],
        goals: list[str],
        hands: list[list[str]],
        deck: list[str],
        first_seat: int,
    ) -> None:
        if sorted(goals) != sorted(GOAL_EDGES):
            raise ValueError(f"the goals are gold, rock1 and rock2 in some order, not {goals}")
        self.rules = rules
        self.roles = list(roles)
        self.goals = list(goals)
        self.hands = [list(hand) for hand in hands]
        self.deck = list(deck)
        self.discards: list[list[str]] = [[] for _ in roles]
        self.played: list[str] = []
        self.board: dict[Cell, Tile] = {START: lay("start", "NESW", False)}
        for cell in GOAL_CELLS:
            # A face-down goal counts as an open cross, or as nothing at all.
            self.board[cell] = lay("goal", "NESW" if rules.goals_fit else "", False, through=rules.goals_fit)
        self.face_up = [False, False, False]
        self.broken: list[set[str]] = [set() for _ in roles]
        self.knows: list[dict[int, str]] = [{} for _ in roles]
        self.looked: list[set[int]] = [set() for _ in roles]
        self.turn = 0
        self.over = False
        self.winner: str | None = None
        self.to_move: int | None = None
        self._pass_turn_to(first_seat)

    # --- The maze -----------------------------------------------------------------------------------------------------

    def joined(self) -> set[Cell]:
        """Cells whose card is joined to the start, the start included. A dead-end that a tunnel opens onto is joined,
        but it passes nothing on."""
        found = {START}
        frontier = [START]
        while frontier:
            cell = frontier.pop()
            if not self.board[cell].through:
                continue
            for edge in self.board[cell].open:
                beyond = neighbour(cell, edge)
                if beyond in self.board and beyond not in found and self._lets_in(self.board[beyond], OPPOSITE[edge]):
                    found.add(beyond)
                    frontier.append(beyond)
        return found

    def _lets_in(self, tile: Tile, edge: str) -> bool:
        """A tunnel enters a card through an open edge, and where the rules say so a goal that lies open at any edge."""
        return edge in tile.open or (self.rules.stones_let_in and tile.card in GOAL_EDGES)

    def opened(self) -> set[Cell]:
        """Cells of the board onto which an unbroken tunnel from the start opens, whatever lies there."""
        tunnels = [cell for cell in self.joined() if self.board[cell].through]
        opened = {neighbour(cell, edge) for cell in tunnels for edge in self.board[cell].open}
        return {cell for cell in opened if on_board(cell)}

    def reachable(self) -> set[Cell]:
        """Empty cells onto which an unbroken tunnel from the start opens."""
        return {cell for cell in self.opened() if cell not in self.board}

    def fits(self, tile: Tile, cell: Cell) -> bool:
        """Every touching edge fits: open meets open, wall meets wall. The rim of the board asks for nothing, nor does a
        face-down goal that is no open cross."""
        for edge in STEP:
            beyond = self.board.get(neighbour(cell, edge))
            if beyond is None or (beyond.card == "goal" and not self.rules.goals_fit):
                continue
            if (edge in tile.open) != (OPPOSITE[edge] in beyond.open):
                return False
        return True

    # --- What may be done ---------------------------------------------------------------------------------------------

    def legal_moves(self) -> list[str]:
        """The moves of the seat to move, each once: play one card or discard one. Empty when the game is over."""
        if self.to_move is None:
            return []
        kinds = list(dict.fromkeys(self.hands[self.to_move]))
        plays = [move for card in kinds for move in self._plays(card, self.to_move)]
        return plays + [f"discard:{card}" for card in kinds]

    def _plays(self, card: str, seat: int) -> list[str]:
        if card in PATHS:
            return self._path_plays(card, seat)
        if card == "map":
            return self._map_plays()
        if card == "rockfall":
            return self._rockfall_plays(seat)
        if card.startswith("break:"):
            return self._break_plays(card, seat)
        return self._fix_plays(card)

    def _path_plays(self, card: str, seat: int) -> list[str]:
        """A path card is placed on an empty reachable cell where it fits, by a player without a broken tool."""
        if self.broken[seat]:
            return []
        reachable = sorted(self.reachable())
        return [
            f"{card}@{x},{y}" + ("r" if turned else "")
            for x, y in reachable
            for turned in orientations(card)
            if self.fits(path_tile(card, turned), (x, y))
        ]

    def _map_plays(self) -> list[str]:
        """A map looks at any goal that is face down, also at one that its player has seen before."""
        return [f"map:{name}" for name, up in zip(GOAL_NAMES, self.face_up, strict=True) if not up]

    def _rockfall_plays(self, seat: int) -> list[str]:
        """A rockfall removes any path card, but neither the start nor a goal. Whether a blocked player may play it is
        up to the rules."""
        if self.broken[seat] and not self.rules.blocked_may_rockfall:
            return []
        return [f"rockfall@{x},{y}" for (x, y), tile in sorted(self.board.items()) if tile.card in PATHS]

    def _break_plays(self, card: str, seat: int) -> list[str]:
        """A broken tool is laid in front of another player who does not have that tool broken already."""
        return [
            f"{card}>{target}"
            for target, broken in enumerate(self.broken)
            if not tools_of(card) & broken and (target != seat or self.rules.may_break_own)
        ]

    def _fix_plays(self, card: str) -> list[str]:
        """A repair is played on any player, oneself included, who has a tool of the card broken; of the two tools of a
        double repair one is enough. Where a repair mends only one tool, each tool that it could mend is a move."""
        mendable = [(target, tools_of(card) & broken) for target, broken in enumerate(self.broken)]
        if self.rules.double_repair_mends_both:
            return [f"{card}>{target}" for target, tools in mendable if tools]
        return [f"{card}>{target}/{tool}" for target, tools in mendable for tool in sorted(tools)]

    # --- What is done -------------------------------------------------------------------------------------------------

    def apply(self, move: str) -> list[Event]:
        """Play one turn: the card, the draw, the goals that are reached, the next seat. Returns one event per seat, as
        that seat sees it; raises IllegalMove and changes nothing if the move is not legal."""
        if self.to_move is None or move not in self.legal_moves():
            raise IllegalMove(f"{move!r} is not legal for seat {self.to_move}")
        mover, card, discard = self.to_move, card_of(move), move.startswith("discard:")
        seen: str | None = None
        mended: set[str] = set()
        removed: tuple[str, bool] | None = None

        # The card leaves the hand: face down if discarded, in public if played.
        self.hands[mover].remove(card)
        (self.discards[mover] if discard else self.played).append(card)
        if discard:
            pass
        elif card in PATHS:
            self.board[cell_of(move)] = path_tile(card, turned=move.endswith("r"))
        elif card == "map":
            seen = self._look(mover, GOAL_NAMES.index(move.removeprefix("map:")))
        elif card == "rockfall":
            tile = self.board.pop(cell_of(move))
            removed = (tile.card, tile.turned)
        else:
            target = target_of(move)
            if card.startswith("break:"):
                self.broken[target] |= tools_of(card)
            else:
                # A double repair mends both of its tools, if both are broken, or the one that is named.
                named = move.partition("/")[2]
                mended = {named} if named else self.broken[target] & tools_of(card)
                self.broken[target] -= mended

        # Then the player draws while the deck lasts.
        drew = self.deck.pop(0) if self.deck else None
        if drew is not None:
            self.hands[mover].append(drew)
        turned_up = self._turn_up_reached_goals()
        self.turn += 1
        self._pass_turn_to((mover + 1) % len(self.roles))

        # Only the player himself knows what he discarded, saw and drew.
        return [
            Event(
                seat=mover,
                move="discard:?" if discard and seat != mover else move,
                seen=seen if seat == mover else None,
                turned_up=dict(turned_up),
                drew=drew if seat == mover else None,
                mended=set(mended),
                removed=removed,
            )
            for seat in range(len(self.roles))
        ]

    def _look(self, seat: int, goal: int) -> str:
        """The player of a map learns the goal; all learn that he looked."""
        self.looked[seat].add(goal)
        self.knows[seat][goal] = self.goals[goal]
        return self.goals[goal]

    def _turn_up_reached_goals(self) -> dict[int, str]:
        """At the end of a turn every face-down goal onto which a tunnel from the start opens turns over, for all to
        see."""
        opened = self.opened()
        reached = [goal for goal, cell in enumerate(GOAL_CELLS) if not self.face_up[goal] and cell in opened]
        for goal in reached:
            content = self.goals[goal]
            self.face_up[goal] = True
            self.board[GOAL_CELLS[goal]] = lay(content, GOAL_EDGES[content], self._stone_is_turned(goal))
            for knows in self.knows:
                knows[goal] = content
        return {goal: self.goals[goal] for goal in reached}

    def _stone_is_turned(self, goal: int) -> bool:
        """ROCK1 (SW) is turned to NE at the middle or bottom goal if the card above it opens down onto it; ROCK2 (SE)
        is turned to NW at the top or middle goal if the card below it opens up onto it. Nothing else turns a stone."""
        above, below = (self.board.get(neighbour(GOAL_CELLS[goal], edge)) for edge in "NS")
        if self.goals[goal] == "rock1":
            return above is not None and "S" in above.open
        if self.goals[goal] == "rock2":
            return below is not None and "N" in below.open
        return False

    def _pass_turn_to(self, first: int) -> None:
        """The turn goes to the first seat from `first` on that has cards. The gold wins for the miners, also with the
        very last card; when nobody has cards left, the saboteurs have won."""
        seats = len(self.roles)
        with_cards = [seat % seats for seat in range(first, first + seats) if self.hands[seat % seats]]
        if self.face_up[self.goals.index("gold")]:
            self.over, self.winner, self.to_move = True, "miners", None
        elif with_cards:
            self.to_move = with_cards[0]
        else:
            self.over, self.winner, self.to_move = True, "saboteurs", None

    # --- What a seat knows --------------------------------------------------------------------------------------------

    def view(self, seat: int) -> View:
        """The position as one seat knows it: the public part, its role, hand and discards, and the goals it has seen.
        `unseen` counts the cards that may be in the deck, in other hands or among the discards of others."""
        known = Counter(self.hands[seat] + self.discards[seat] + self.played)
        return View(
            seat=seat,
            role=self.roles[seat],
            seats=len(self.roles),
            saboteurs=self.roles.count("saboteur"),
            turn=self.turn,
            to_move=self.to_move,
            board={cell: (tile.card, tile.turned) for cell, tile in self.board.items()},
            goals=[self.knows[seat].get(goal) for goal in range(len(GOAL_CELLS))],
            face_up=list(self.face_up),
            looked=[set(goals) for goals in self.looked],
            hand=list(self.hands[seat]),
            hand_sizes=[len(hand) for hand in self.hands],
            broken=[set(tools) for tools in self.broken],
            deck_left=len(self.deck),
            unseen=ALL_CARDS - known,
        )


# --- Dealing ----------------------------------------------------------------------------------------------------------


def hand_size(seats: int) -> int:
    """Six cards each for up to five players, five for six or seven, four for eight or more."""
    return 6 if seats <= 5 else 5 if seats <= 7 else 4


def new_game(rng: random.Random, seats: int, saboteurs: int, rules: Rules = Rules()) -> ReferenceGame:
    """Shuffle and deal for 3 to 10 players. Roles, goals and the starting player are random; the number of saboteurs is
    given."""
    if not 3 <= seats <= 10:
        raise ValueError(f"the game is for 3 to 10 players, not {seats}")
    if not 0 <= saboteurs <= seats:
        raise ValueError(f"{saboteurs} of {seats} players cannot be saboteurs")
    roles = ["saboteur"] * saboteurs + ["miner"] * (seats - saboteurs)
    goals = list(GOAL_EDGES)
    deck = sorted(ALL_CARDS.elements())
    for pile in (roles, goals, deck):
        rng.shuffle(pile)
    size = hand_size(seats)
    hands = [deck[size * seat : size * (seat + 1)] for seat in range(seats)]
    return ReferenceGame(rules, roles, goals, hands, deck[size * seats :], rng.randrange(seats))
