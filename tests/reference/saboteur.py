"""Reference engine of Saboteur: one round, by the rulesets `krisnadi`, `official`, `veldhuis` and `small` or any mixture.

Slow on purpose: everything is sets, dicts and names, and each function states one rule. Nothing is shared with the
package under test. A game of several rounds, and its gold, is in `saboteur_match`.

Cells are (x, y) with x to the right and y downwards, both of them negative too where the board has no bounds; seats
count from 0, clockwise; goals are 0 top, 1 middle, 2 bottom. Moves are text: `P_NSE@3,2`, turned by 180 degrees
`P_NSE@3,2r` (a card that looks the same when turned never carries `r`), `map:top`, `break:cart>4`,
`fix:cart+lantern>2` (where a repair mends only one tool, it is named: `fix:cart+lantern>2/cart`, `fix:cart>2/cart`),
`block>4`, `deblock>4`, `rockfall@3,-1`, `claim:top=gold`, `accuse>2`, `ask:cart`, `discard:P_EW`. A discard as the
other seats see it is `discard:?`.
"""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import dataclass, replace
from functools import cache
from typing import NamedTuple, TypedDict

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

# The action cards where there is only one tool to break.
ONE_TOOL_ACTIONS: dict[str, int] = {"block": 9, "deblock": 9, "rockfall": 3, "map": 6}
ONE_TOOL = "block"

_paths = Counter({name: count for name, (_, count) in PATHS.items()})
FULL_DECK: Counter[str] = _paths + Counter(ACTIONS)
FULL_DECK_OF_ONE_TOOL: Counter[str] = _paths + Counter(ONE_TOOL_ACTIONS)

# --- Rules ------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Rules:
    """One way to play. The defaults are ruleset `krisnadi`."""

    # Broken tools, repairs, rockfalls.
    blocked_may_rockfall: bool = True
    double_repair_mends_both: bool = True  # else a repair names the one tool that it mends
    may_break_own: bool = False
    one_tool: bool = False  # one kind of broken tool, `block`, and one kind of repair, `deblock`
    # Goals.
    goals_fit: bool = True  # a face-down goal is an open cross; else it is silent for the fit and passes nothing on
    stones_let_in: bool = True  # a tunnel enters a stone that lies open even where the stone shows it a wall
    stones_face_entry: bool = False  # a stone is turned towards the card that reached it; else see `_stone_is_turned`
    dead_ends_turn_stones: bool = False  # also a dead-end beside a stone turns it
    # The board: first and last column, first and last row; None = it grows in every direction.
    bounds: tuple[int, int, int, int] | None = (0, 8, 0, 4)
    start: Cell = (0, 2)
    goal_cells: tuple[Cell, Cell, Cell] = ((8, 0), (8, 2), (8, 4))
    # Players.
    fewest_seats: int = 3
    most_seats: int = 10
    saboteurs: int = 0  # 0 = by the table: up to so many seats, so many saboteurs
    saboteur_table: tuple[tuple[int, int], ...] = ((4, 1), (6, 2), (10, 3))
    hidden_role: bool = False  # one role card more than players, of which one stays unseen
    hand: int = 0  # cards in a hand; 0 = by the table in `hand_size`
    first_seat: int = -1  # who starts the first round; -1 = anybody
    # The course of the game.
    talk: bool = False  # after a map its player says what he saw, or something else
    speak: bool = False  # before a card its player may accuse somebody or ask for a repair
    rounds: int = 1
    payment: str = "pieces"  # or "shares"
    pack: str = "players"  # as many gold cards as players are drawn, or as "miners"
    broken_unpaid: bool = False  # a miner with a broken tool gets no gold
    deck: tuple[tuple[str, int], ...] = ()  # the cards and their counts; empty = all 67

    @property
    def cards(self) -> Counter[str]:
        """The cards of a round: the 67 of the full deck, 40 path cards and 27 action cards, or those of `deck`."""
        if self.deck:
            return Counter(dict(self.deck))
        return (FULL_DECK_OF_ONE_TOOL if self.one_tool else FULL_DECK).copy()

    def saboteurs_for(self, seats: int) -> int:
        """How many saboteurs sit among so many players; with a hidden role card, how many saboteur cards there are."""
        return self.saboteurs or next(count for most, count in self.saboteur_table if seats <= most)

    def hand_for(self, seats: int) -> int:
        """How many cards each of so many players is dealt."""
        return self.hand or hand_size(seats)


def hand_size(seats: int) -> int:
    """Six cards each for up to five players, five for six or seven, four for eight or more."""
    return 6 if seats <= 5 else 5 if seats <= 7 else 4


KRISNADI = Rules()
OFFICIAL = Rules(
    double_repair_mends_both=False,
    may_break_own=True,
    goals_fit=False,
    stones_let_in=False,
    stones_face_entry=True,
    bounds=None,
    start=(0, 0),
    goal_cells=((8, -2), (8, 0), (8, 2)),
    saboteur_table=((4, 1), (6, 2), (9, 3), (10, 4)),
    hidden_role=True,
    rounds=3,
    payment="shares",
)
VELDHUIS = Rules(
    may_break_own=True,
    one_tool=True,
    goals_fit=False,
    stones_let_in=False,
    stones_face_entry=True,
    bounds=(0, 12, 0, 12),
    start=(2, 6),
    goal_cells=((10, 4), (10, 6), (10, 8)),
    fewest_seats=5,
    most_seats=5,
    saboteurs=2,
    hand=6,
    talk=True,
    rounds=3,
)

SMALL = Rules(
    goals_fit=False,
    stones_let_in=False,
    stones_face_entry=True,
    bounds=(0, 4, 0, 2),
    start=(0, 1),
    goal_cells=((3, 0), (3, 1), (3, 2)),
    fewest_seats=2,
    most_seats=3,
    saboteurs=1,
    hand=2,
    first_seat=0,
    deck=(("P_EW", 4), ("D_EW", 1), ("rockfall", 1)),
)

ALL_CARDS: Counter[str] = KRISNADI.cards

# --- Board ------------------------------------------------------------------------------------------------------------

START, GOAL_CELLS = KRISNADI.start, KRISNADI.goal_cells
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


def on_board(cell: Cell, rules: Rules = KRISNADI) -> bool:
    """The maze never grows beyond the bounds of the board, if it has any."""
    if rules.bounds is None:
        return True
    first_x, last_x, first_y, last_y = rules.bounds
    return first_x <= cell[0] <= last_x and first_y <= cell[1] <= last_y


# --- Moves ------------------------------------------------------------------------------------------------------------


def card_of(move: str) -> str:
    """The card that a move takes from the hand; "" for what is only said, which takes none."""
    if move.startswith(("claim:", "accuse>", "ask:")):
        return ""
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
    if card in ("block", "deblock"):
        return {ONE_TOOL}
    return set(card.partition(":")[2].split("+"))


def target_of(move: str) -> int:
    """The seat that a broken-tool card or a repair names."""
    return int(move.partition(">")[2].partition("/")[0])


def claim_of(move: str) -> tuple[int, str]:
    """The goal that a claim is about, and what it is claimed to be: "gold" or "stone"."""
    goal, _, claimed = move.removeprefix("claim:").partition("=")
    return GOAL_NAMES.index(goal), claimed


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
    claim: tuple[int, str] | None  # what was claimed about which goal


class View(TypedDict):
    """Everything that one seat can see or remember."""

    seat: int
    role: str
    seats: int
    saboteurs: int  # how many play; with a hidden role card, how many saboteur cards there are
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
    claims: list[list[str | None]]  # what each seat last claimed about each goal
    must_claim: int | None  # the goal about which the seat to move has to speak now
    accused: list[int | None]  # whom each seat accuses
    asked: list[set[str]]  # the broken tools for which each seat asks
    has_spoken: bool  # whether the seat to move has accused or asked before its card


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
        cards = rules.saboteurs_for(len(roles))
        if rules.hidden_role and roles.count("saboteur") not in (cards - 1, cards):
            raise ValueError(f"with one role card unseen {cards - 1} or {cards} players are saboteurs, not {roles}")
        self.rules = rules
        self.roles = list(roles)
        self.goals = list(goals)
        self.hands = [list(hand) for hand in hands]
        self.deck = list(deck)
        self.discards: list[list[str]] = [[] for _ in roles]
        self.played: list[str] = []
        self.board: dict[Cell, Tile] = {rules.start: lay("start", "NESW", False)}
        for cell in rules.goal_cells:
            # A face-down goal counts as an open cross, or as nothing at all.
            self.board[cell] = lay("goal", "NESW" if rules.goals_fit else "", False, through=rules.goals_fit)
        self.face_up = [False, False, False]
        self.broken: list[set[str]] = [set() for _ in roles]
        self.knows: list[dict[int, str]] = [{} for _ in roles]
        self.looked: list[set[int]] = [set() for _ in roles]
        self.claims: list[list[str | None]] = [[None, None, None] for _ in roles]
        self.must_claim: int | None = None
        self.accused: list[int | None] = [None for _ in roles]
        self.asked: list[set[str]] = [set() for _ in roles]
        self.has_spoken = False
        self.turn = 0
        self.over = False
        self.winner: str | None = None
        self.to_move: int | None = None
        self._pass_turn_to(first_seat)

    # --- The maze -----------------------------------------------------------------------------------------------------

    def joined(self) -> set[Cell]:
        """Cells whose card is joined to the start, the start included. A dead-end that a tunnel opens onto is joined,
        but it passes nothing on."""
        found = {self.rules.start}
        frontier = [self.rules.start]
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
        return set(self.openings())

    def openings(self) -> dict[Cell, dict[str, Cell]]:
        """For each cell onto which an unbroken tunnel from the start opens: the sides from which one does, and the cell
        it comes from. A tunnel that leads off the board leads nowhere."""
        openings: dict[Cell, dict[str, Cell]] = {}
        for cell in self.joined():
            if self.board[cell].through:
                for edge in self.board[cell].open:
                    beyond = neighbour(cell, edge)
                    if on_board(beyond, self.rules):
                        openings.setdefault(beyond, {})[OPPOSITE[edge]] = cell
        return openings

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
        """The moves of the seat to move, each once: play one card or discard one; after a map, where players talk, claim
        that the goal is gold or that it is a stone. Empty when the round is over."""
        if self.to_move is None:
            return []
        if self.must_claim is not None:
            return [f"claim:{GOAL_NAMES[self.must_claim]}={claimed}" for claimed in ("gold", "stone")]
        kinds = list(dict.fromkeys(self.hands[self.to_move]))
        reachable = sorted(self.reachable())
        plays = [move for card in kinds for move in self._plays(card, self.to_move, reachable)]
        return plays + [f"discard:{card}" for card in kinds] + self._sayings(self.to_move)

    def _sayings(self, seat: int) -> list[str]:
        """Before a card its player may say one thing: accuse another player than the one accused last, or ask for the
        repair of a broken tool of his own that he does not ask for already."""
        if not self.rules.speak or self.has_spoken:
            return []
        others = [other for other in range(len(self.roles)) if other not in (seat, self.accused[seat])]
        return [f"accuse>{other}" for other in others] + [
            f"ask:{tool}" for tool in sorted(self.broken[seat] - self.asked[seat])
        ]

    def _plays(self, card: str, seat: int, reachable: list[Cell]) -> list[str]:
        if card in PATHS:
            return self._path_plays(card, seat, reachable)
        if card == "map":
            return self._map_plays()
        if card == "rockfall":
            return self._rockfall_plays(seat)
        if card == "block" or card.startswith("break:"):
            return self._break_plays(card, seat)
        return self._fix_plays(card)

    def _path_plays(self, card: str, seat: int, reachable: list[Cell]) -> list[str]:
        """A path card is placed on an empty reachable cell where it fits, by a player without a broken tool."""
        if self.broken[seat]:
            return []
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
        """A broken tool is laid in front of a player who does not have that tool broken already. Whether one may break
        one's own is up to the rules."""
        return [
            f"{card}>{target}"
            for target, broken in enumerate(self.broken)
            if not tools_of(card) & broken and (target != seat or self.rules.may_break_own)
        ]

    def _fix_plays(self, card: str) -> list[str]:
        """A repair is played on any player, oneself included, who has a tool of the card broken; of the two tools of a
        double repair one is enough. Where a repair mends only one tool, each tool that it could mend is a move."""
        mendable = [(target, tools_of(card) & broken) for target, broken in enumerate(self.broken)]
        if self.rules.double_repair_mends_both or card == "deblock":
            return [f"{card}>{target}" for target, tools in mendable if tools]
        return [f"{card}>{target}/{tool}" for target, tools in mendable for tool in sorted(tools)]

    # --- What is done -------------------------------------------------------------------------------------------------

    def apply(self, move: str) -> list[Event]:
        """Play one turn: the card, the draw, the goals that are reached, the next seat. Returns one event per seat, as
        that seat sees it; raises IllegalMove and changes nothing if the move is not legal."""
        if self.to_move is None or move not in self.legal_moves():
            raise IllegalMove(f"{move!r} is not legal for seat {self.to_move}")
        if self.must_claim is not None:
            return self._claim(move)
        if move.startswith(("accuse>", "ask:")):
            return self._say(move)
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
            if card == "block" or card.startswith("break:"):
                self.broken[target] |= tools_of(card)
            else:
                # A double repair mends both of its tools, if both are broken, or the one that is named.
                named = move.partition("/")[2]
                mended = {named} if named else self.broken[target] & tools_of(card)
                self.broken[target] -= mended
                self.asked[target] -= mended

        # Then the player draws while the deck lasts.
        drew = self.deck.pop(0) if self.deck else None
        if drew is not None:
            self.hands[mover].append(drew)
        # A path card may have reached goals.
        laid = cell_of(move) if card in PATHS and not discard else None
        turned_up = self._turn_up_reached_goals(laid) if laid is not None else {}
        self.turn += 1
        self.has_spoken = False
        if card == "map" and not discard and self.rules.talk:
            self.must_claim = GOAL_NAMES.index(move.removeprefix("map:"))  # the same seat goes on: it has to speak
        else:
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
                claim=None,
            )
            for seat in range(len(self.roles))
        ]

    def _claim(self, move: str) -> list[Event]:
        """The player of a map tells all others what he saw, the truth or a lie. It is a turn of its own that takes no
        card and draws none; then play passes on."""
        assert self.to_move is not None
        mover, (goal, claimed) = self.to_move, claim_of(move)
        self.claims[mover][goal] = claimed
        self.must_claim = None
        self.turn += 1
        self._pass_turn_to((mover + 1) % len(self.roles))
        return self._heard(mover, move, (goal, claimed))

    def _say(self, move: str) -> list[Event]:
        """An accusation or a request, for all to hear. It takes no card, and the same seat goes on."""
        assert self.to_move is not None
        if move.startswith("accuse>"):
            self.accused[self.to_move] = target_of(move)
        else:
            self.asked[self.to_move].add(move.removeprefix("ask:"))
        self.has_spoken = True
        self.turn += 1
        return self._heard(self.to_move, move, None)

    def _heard(self, mover: int, move: str, claim: tuple[int, str] | None) -> list[Event]:
        """What is said, for all to hear alike."""
        return [
            Event(
                seat=mover,
                move=move,
                seen=None,
                turned_up={},
                drew=None,
                mended=set(),
                removed=None,
                claim=claim,
            )
            for _ in self.roles
        ]

    def _look(self, seat: int, goal: int) -> str:
        """The player of a map learns the goal; all learn that he looked."""
        self.looked[seat].add(goal)
        self.knows[seat][goal] = self.goals[goal]
        return self.goals[goal]

    def _turn_up_reached_goals(self, laid: Cell) -> dict[int, str]:
        """At the end of a turn with a path card every face-down goal onto which a tunnel from the start opens turns
        over, for all to see. If the gold is not among them, the tunnels may go on through the stones to further goals:
        those turn over too, and so on."""
        turned_up: dict[int, str] = {}
        while "gold" not in turned_up.values():
            # All goals of one pass are judged by the tunnels as they are now.
            openings = self.openings()
            cells = enumerate(self.rules.goal_cells)
            reached = [goal for goal, cell in cells if not self.face_up[goal] and cell in openings]
            if not reached:
                break
            for goal in reached:
                content = self.goals[goal]
                self._turn_up(goal, entry_side(openings[self.rules.goal_cells[goal]], laid))
                turned_up[goal] = content
        return turned_up

    def _turn_up(self, goal: int, entry: str) -> None:
        """A goal that a tunnel reached from the side `entry` lies open from now on, whatever becomes of the tunnel."""
        content = self.goals[goal]
        edges = GOAL_EDGES[content]
        turned = entry not in edges if self.rules.stones_face_entry else self._stone_is_turned(goal)
        self.face_up[goal] = True
        self.board[self.rules.goal_cells[goal]] = lay(content, edges, turned)
        for knows in self.knows:
            knows[goal] = content

    def _stone_is_turned(self, goal: int) -> bool:
        """Where stones do not face the entry: ROCK1 (SW) is turned to NE at the middle or bottom goal if the card above
        it opens down onto it; ROCK2 (SE) is turned to NW at the top or middle goal if the card below it opens up onto
        it. Nothing else turns a stone, nor does a dead-end, where the rules do not say so."""
        above, below = (self.board.get(neighbour(self.rules.goal_cells[goal], edge)) for edge in "NS")
        if not self.rules.dead_ends_turn_stones:
            above, below = (tile if tile is not None and tile.through else None for tile in (above, below))
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
            saboteurs=self.saboteurs_known(),
            turn=self.turn,
            to_move=self.to_move,
            board={cell: (tile.card, tile.turned) for cell, tile in self.board.items()},
            goals=[self.knows[seat].get(goal) for goal in range(len(GOAL_NAMES))],
            face_up=list(self.face_up),
            looked=[set(goals) for goals in self.looked],
            hand=list(self.hands[seat]),
            hand_sizes=[len(hand) for hand in self.hands],
            broken=[set(tools) for tools in self.broken],
            deck_left=len(self.deck),
            unseen=self.rules.cards - known,
            claims=[list(claims) for claims in self.claims],
            must_claim=self.must_claim,
            accused=list(self.accused),
            asked=[set(tools) for tools in self.asked],
            has_spoken=self.has_spoken,
        )

    def saboteurs_known(self) -> int:
        """What all know of the number of saboteurs: how many play or, with a hidden role card, how many saboteur cards
        were shuffled."""
        return self.rules.saboteurs_for(len(self.roles)) if self.rules.hidden_role else self.roles.count("saboteur")


def entry_side(openings: dict[str, Cell], laid: Cell) -> str:
    """The side from which a goal was reached: that of the card just laid, if its tunnel opens onto the goal, else the
    first in the order N, E, S, W from which a tunnel does."""
    sides = [side for side in "NESW" if side in openings]
    return next((side for side in sides if openings[side] == laid), sides[0])


# --- Dealing ----------------------------------------------------------------------------------------------------------


class Deal(NamedTuple):
    """What is dealt anew for each round."""

    roles: list[str]
    goals: list[str]
    hands: list[list[str]]
    deck: list[str]


def role_cards(seats: int, saboteurs: int, hidden_role: bool) -> list[str]:
    """One role card for each player, or one more if one is to stay unseen."""
    return ["saboteur"] * saboteurs + ["miner"] * (seats + hidden_role - saboteurs)


def new_deal(rng: random.Random, seats: int, saboteurs: int, rules: Rules = KRISNADI) -> Deal:
    """Shuffle and deal roles, goals and cards. A role card that is left over stays unseen."""
    roles = role_cards(seats, saboteurs, rules.hidden_role)
    goals = list(GOAL_EDGES)
    deck = sorted(rules.cards.elements())
    for pile in (roles, goals, deck):
        rng.shuffle(pile)
    size = rules.hand_for(seats)
    hands = [deck[size * seat : size * (seat + 1)] for seat in range(seats)]
    return Deal(roles[:seats], goals, hands, deck[size * seats :])


def new_first_seat(rng: random.Random, seats: int, rules: Rules) -> int:
    """Who starts the first round: anybody, unless the rules name a seat."""
    return rng.randrange(seats) if rules.first_seat < 0 else rules.first_seat


def new_game(rng: random.Random, seats: int, saboteurs: int | None = None, rules: Rules = KRISNADI) -> ReferenceGame:
    """Shuffle and deal one round. Roles, goals and the starting player are random; the number of saboteurs (with a
    hidden role card: of saboteur cards) is given, or that of the rules."""
    if not rules.fewest_seats <= seats <= rules.most_seats:
        raise ValueError(f"the game is for {rules.fewest_seats} to {rules.most_seats} players, not {seats}")
    count = rules.saboteurs_for(seats) if saboteurs is None else saboteurs
    if not 0 <= count <= seats:
        raise ValueError(f"{count} of {seats} players cannot be saboteurs")
    deal = new_deal(rng, seats, count, rules)
    known = rules if saboteurs is None else replace(rules, saboteurs=saboteurs)
    return ReferenceGame(known, *deal, new_first_seat(rng, seats, rules))
