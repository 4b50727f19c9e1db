"""Reference engine of the Saboteur duel: two players race for the nugget, and whoever's move completes the tunnel wins.

Slow on purpose: everything is sets, dicts and names, and each function states one rule. Nothing is shared with the
package under test.

Cells are (row, column) on a board of 14 x 14, rows grow from N to S, towards the goals; the players are 1, who moves
first, and 0. Tile cards are named by their id, "0" to "15", as they lie in a hand; laid turned by 180 degrees the tile
is named "5_flip". Moves are text: `5@7,5` lays tile 5 at row 7, column 5, `5_flip@7,5` lays it flipped, `map:left`,
`map:middle`, `map:right`, `malus`, `bonus`, `destroy@6,5`, `drop:5`, `drop:map`. A discard as the other player sees it is
`drop:?`. `to_course` and `from_course` write and read the notation of the course's program: `Tile:5_flip 7 5 1`,
`Map 12 3 1`, `Malus 0 0 1`, `Bonus 0 0 1`, `Destroy 6 5 1`, `Drop 4 0 1` are card, row, column and who moves; a discard
has in place of the row the index of its card in the hand.
"""

from __future__ import annotations

import random
import re
from collections import Counter
from functools import cache
from typing import NamedTuple, TypedDict

Cell = tuple[int, int]

# --- Cards ------------------------------------------------------------------------------------------------------------


class Shape(NamedTuple):
    """A tile as it lies: its open edges, and what is in its centre: "open", "closed", or "arm", a tunnel that ends in
    the centre."""

    edges: str
    centre: str


# The tiles by id, unflipped, and how many there are of each. A tile with an arm has one open edge.
TILES: dict[str, tuple[Shape, int]] = {
    "0": (Shape("NS", "open"), 4),
    "1": (Shape("NS", "closed"), 1),
    "2": (Shape("NES", "closed"), 1),
    "3": (Shape("NE", "closed"), 1),
    "4": (Shape("E", "arm"), 1),
    "5": (Shape("ES", "open"), 4),
    "6": (Shape("NSW", "open"), 5),
    "7": (Shape("NE", "open"), 5),
    "8": (Shape("NESW", "open"), 5),
    "9": (Shape("ESW", "open"), 5),
    "10": (Shape("EW", "open"), 3),
    "11": (Shape("ESW", "closed"), 1),
    "12": (Shape("N", "arm"), 1),
    "13": (Shape("NESW", "closed"), 1),
    "14": (Shape("NW", "closed"), 1),
    "15": (Shape("EW", "closed"), 1),
}
ACTIONS: dict[str, int] = {"destroy": 3, "malus": 2, "bonus": 4, "map": 6}
ALL_CARDS: Counter[str] = Counter({name: count for name, (_, count) in TILES.items()}) + Counter(ACTIONS)

HAND = 7
FLIP = "_flip"

# --- Board ------------------------------------------------------------------------------------------------------------

SIZE = 14
ENTRANCE: Cell = (5, 5)
GOAL_CELLS: tuple[Cell, Cell, Cell] = ((12, 3), (12, 5), (12, 7))
GOAL_NAMES: tuple[str, str, str] = ("left", "middle", "right")
CONTENTS = ["blank", "blank", "nugget"]
CROSS = Shape("NESW", "open")  # the entrance and the goals

STEP: dict[str, Cell] = {"N": (-1, 0), "E": (0, 1), "S": (1, 0), "W": (0, -1)}
OPPOSITE: dict[str, str] = {"N": "S", "E": "W", "S": "N", "W": "E"}


@cache
def shape(name: str) -> Shape:
    """How a card lies on the board: "5", "5_flip", "entrance", "nugget" or "blank". Flipped is turned by 180 degrees."""
    if name in {"entrance", "nugget", "blank"}:
        return CROSS
    edges, centre = TILES[name.removesuffix(FLIP)][0]
    if name.endswith(FLIP):
        edges = "".join(edge for edge in "NESW" if OPPOSITE[edge] in edges)
    return Shape(edges, centre)


@cache
def ways(card: str) -> tuple[str, ...]:
    """The ways to lay a tile card: unflipped and flipped, or unflipped only if both look the same."""
    return (card,) if set(shape(card + FLIP).edges) == set(shape(card).edges) else (card, card + FLIP)


@cache
def neighbour(cell: Cell, edge: str) -> Cell:
    """The cell beyond an edge; it may lie off the board."""
    return cell[0] + STEP[edge][0], cell[1] + STEP[edge][1]


def on_board(cell: Cell) -> bool:
    """The board has 14 rows and 14 columns."""
    return 0 <= cell[0] < SIZE and 0 <= cell[1] < SIZE


# --- Moves ------------------------------------------------------------------------------------------------------------

NUMBER = r"(-?[1-9][0-9]*|0)"
TILE_MOVE = re.compile(rf"([0-9]+(?:{FLIP})?)@{NUMBER},{NUMBER}")
DESTROY_MOVE = re.compile(rf"destroy@{NUMBER},{NUMBER}")
COURSE_MOVE = re.compile(rf"(?:Tile:([0-9]+(?:{FLIP})?)|(Map|Malus|Bonus|Destroy|Drop)) {NUMBER} {NUMBER} ([01])")


class IllegalMove(ValueError):
    """The move breaks a rule; the message names the move and the rule."""


def is_drop(move: str) -> bool:
    """Whether a move discards its card."""
    return move.startswith("drop:")


def card_of(move: str) -> str | None:
    """The card that a move takes from the hand, None where the text is no move."""
    if is_drop(move):
        card = move.removeprefix("drop:")
    elif TILE_MOVE.fullmatch(move):
        card = move.partition("@")[0].removesuffix(FLIP)
    elif DESTROY_MOVE.fullmatch(move):
        card = "destroy"
    elif move in {f"map:{name}" for name in GOAL_NAMES}:
        card = "map"
    else:
        card = move if move in {"malus", "bonus"} else ""
    return card if card in ALL_CARDS else None


def cell_of(move: str) -> Cell:
    """The cell that a tile or a destroy card names."""
    row, column = move.partition("@")[2].split(",")
    return int(row), int(column)


class Event(TypedDict):
    """What one player learns from one move."""

    seat: int  # who moved
    move: str  # the move; "drop:?" for a discard of the other player
    seen: str | None  # what the map showed, for its player only
    removed: str | None  # the tile that a destroy card took off the board
    drew: str | None  # the card drawn, for its player only
    revealed: dict[int, str]  # goals that were revealed after the move


class View(TypedDict):
    """Everything that one player can see or remember."""

    seat: int
    turn: int  # moves made so far by both
    to_move: int | None
    board: dict[Cell, str]  # "goal" for a goal that is not revealed, whatever the player knows about it
    goals: list[str | None]  # the contents that the player knows: revealed to both, or seen on a map
    revealed: list[bool]
    hand: list[str]
    hand_sizes: list[int]
    malus: list[int]  # how many maluses each player has in front of him
    deck_left: int
    unseen: Counter[str]  # the deck, the other's hand and the other's discards, together
    history: list[Event]  # the moves so far as this player learned of them


class ReferenceDuel:
    """One game. `goals` are the contents of the left, the middle and the right goal; `hands[0]` is the hand of player 0,
    `hands[1]` that of player 1; `deck[0]` is drawn first. `winner` is None in a draw, and while the game goes on.

    A hand keeps the order in which its cards came."""

    def __init__(self, goals: list[str], hands: list[list[str]], deck: list[str]) -> None:
        if sorted(goals) != CONTENTS:
            raise ValueError(f"the goals are one nugget and two blanks, not {goals}")
        if len(hands) != 2 or not hands[0] or len(hands[0]) != len(hands[1]):
            raise ValueError(f"two players hold equally many cards, not {hands}")
        unknown = {*hands[0], *hands[1], *deck} - set(ALL_CARDS)
        if unknown:
            raise ValueError(f"these are no cards: {sorted(unknown)}")
        self.goals = list(goals)
        self.hands = [list(hand) for hand in hands]
        self.deck = list(deck)
        self.board: dict[Cell, str] = {ENTRANCE: "entrance", **dict(zip(GOAL_CELLS, goals, strict=True))}
        self.revealed = [False, False, False]
        self.seen: list[dict[int, str]] = [{}, {}]  # what each player saw on his maps
        self.malus = [0, 0]
        self.played: list[str] = []
        self.discards: list[list[str]] = [[], []]
        self.history: list[list[Event]] = [[], []]
        self.turn = 0
        self.to_move: int | None = 1  # player 1 moves first
        self.winner: int | None = None

    @property
    def over(self) -> bool:
        """Somebody has won, or nobody can move any more."""
        return self.to_move is None

    @property
    def draw(self) -> bool:
        """The deck and both hands are used up, and nobody has reached the nugget."""
        return self.over and self.winner is None

    # --- The maze -----------------------------------------------------------------------------------------------------

    def hidden(self, cell: Cell) -> bool:
        """Whether a goal lies here that is not revealed."""
        return cell in GOAL_CELLS and not self.revealed[GOAL_CELLS.index(cell)]

    def joined(self) -> set[Cell]:
        """Cells whose centre a tunnel from the entrance reaches. It runs on through open centres, goals included; it
        does not enter a closed one, and out of the centre of a tile with an arm there is no other way."""
        found = {ENTRANCE}
        frontier = [ENTRANCE]
        while frontier:
            cell = frontier.pop()
            for edge in shape(self.board[cell]).edges:
                beyond = neighbour(cell, edge)
                if beyond in self.board and beyond not in found:
                    edges, centre = shape(self.board[beyond])
                    if OPPOSITE[edge] in edges and centre != "closed":
                        found.add(beyond)
                        frontier.append(beyond)
        return found

    # --- What may be done ---------------------------------------------------------------------------------------------

    def legal_moves(self) -> list[str]:
        """The moves of the player to move, each once: play one card or drop one. Empty when the game is over."""
        if self.to_move is None:
            return []
        kinds = list(dict.fromkeys(self.hands[self.to_move]))
        plays = [move for card in kinds for move in self._plays(card, self.to_move)]
        return plays + [f"drop:{card}" for card in kinds]

    def listed_moves(self) -> list[str]:
        """The legal moves as the course's program lists them, in its order. It goes through the hand card by card, so
        that each copy of a card gives its moves again, plays and drop; and it looks for the cells of a tile around each
        card on the board, so that a cell comes once per occupied neighbour: whatever lies there and however it fits, a
        goal that is not revealed included."""
        if self.to_move is None:
            return []
        moves: list[str] = []
        for card in self.hands[self.to_move]:
            plays = self._plays(card, self.to_move)
            if card not in TILES:
                moves += plays
                continue
            legal = set(plays)
            for name in ways(card):
                around = [neighbour(cell, edge) for cell in sorted(self.board) for edge in "WESN"]
                laid = [f"{name}@{row},{column}" for row, column in around]
                moves += [move for move in laid if move in legal]
        return moves + [f"drop:{card}" for card in self.hands[self.to_move]]

    def _plays(self, card: str, seat: int) -> list[str]:
        """The ways to play a card, each once."""
        if card in TILES:
            beside = sorted({neighbour(cell, edge) for cell in self.board for edge in STEP} - self.board.keys())
            places = [(name, cell) for name in ways(card) for cell in beside]
            return [f"{name}@{cell[0]},{cell[1]}" for name, cell in places if not self._against_tile(name, cell, seat)]
        if card == "map":
            return [f"map:{name}" for goal, name in enumerate(GOAL_NAMES) if not self._against_map(goal)]
        if card == "destroy":
            cells = [cell for cell in sorted(self.board) if not self._against_destroy(cell)]
            return [f"destroy@{row},{column}" for row, column in cells]
        if card == "bonus":
            return [] if self._against_bonus(seat) else ["bonus"]
        # A malus on the other player is always allowed, also where he has one already.
        return ["malus"]

    def broken_rule(self, move: str) -> str | None:
        """The rule that the move would break if the player to move made it now; None if it is legal."""
        card = card_of(move)
        if card is None:
            return "this is no move"
        if self.to_move is None:
            return "the game is over"
        if card not in self.hands[self.to_move]:
            return f"the card {card} is not in the hand"
        if is_drop(move):
            # Any card may be discarded at any time.
            return None
        if card in TILES:
            return self._against_tile(move.partition("@")[0], cell_of(move), self.to_move)
        if card == "map":
            return self._against_map(GOAL_NAMES.index(move.removeprefix("map:")))
        if card == "destroy":
            return self._against_destroy(cell_of(move))
        return self._against_bonus(self.to_move) if card == "bonus" else None

    def _against_tile(self, name: str, cell: Cell, seat: int) -> str | None:
        """A tile is laid on an empty cell of the board by a player with no malus in front of him. Each touching edge
        fits: open meets open, wall meets wall, and at least once open meets open. An empty or off-board neighbour says
        nothing, nor does a goal that is not revealed; one that is revealed is an open cross. Whether the tile is joined
        to the entrance does not matter."""
        if self.malus[seat]:
            return "no tile is laid with a malus in front of oneself"
        if name not in ways(name.removesuffix(FLIP)):
            return f"tile {name.removesuffix(FLIP)} looks the same flipped and is laid unflipped"
        if not on_board(cell):
            return "the cell is not on the board"
        if cell in self.board:
            return "the cell is not empty"
        meetings = 0
        for edge in STEP:
            beyond = neighbour(cell, edge)
            if beyond not in self.board or self.hidden(beyond):
                continue
            opens = edge in shape(name).edges
            if opens != (OPPOSITE[edge] in shape(self.board[beyond]).edges):
                return f"the edge {edge} does not fit"
            meetings += opens
        return None if meetings else "no open edge meets an open edge"

    def _against_map(self, goal: int) -> str | None:
        """A map is for a goal that is not revealed to all, also for one that its player has seen before."""
        return "the goal is revealed already" if self.revealed[goal] else None

    def _against_bonus(self, seat: int) -> str | None:
        """A bonus is for a player with a malus in front of him."""
        return None if self.malus[seat] else "a bonus needs a malus in front of oneself"

    def _against_destroy(self, cell: Cell) -> str | None:
        """Any placed tile may be destroyed, but neither the entrance nor a goal."""
        if cell == ENTRANCE or cell in GOAL_CELLS:
            return "neither the entrance nor a goal is destroyed"
        return None if cell in self.board else "there is no tile to destroy"

    # --- What is done -------------------------------------------------------------------------------------------------

    def apply(self, move: str) -> list[Event]:
        """Make one move: the card, the draw, the goals that are reached, the turn of the other. Returns one event per
        player, player 0 first, as that player sees it; raises IllegalMove, names move and rule and changes nothing if
        the move is not legal. Of several copies of the card the first in the hand is used."""
        self._check(move)
        card = card_of(move)
        assert self.to_move is not None and card is not None
        return self._make(move, self.hands[self.to_move].index(card))

    def apply_course(self, text: str) -> list[Event]:
        """`apply` for a move in the notation of the course's program, which names the copy that is discarded: it matters
        for the order of the hand, and so for what the index in a later drop means."""
        move = from_course(text, self)
        if not is_drop(move):
            return self.apply(move)
        self._check(move)
        return self._make(move, int(text.split()[1]))

    def _check(self, move: str) -> None:
        rule = self.broken_rule(move)
        if rule is not None:
            who = "nobody" if self.to_move is None else f"not player {self.to_move}"
            raise IllegalMove(f"{move!r} may be played by {who} now: {rule}")

    def _make(self, move: str, index: int) -> list[Event]:
        assert self.to_move is not None
        mover, other = self.to_move, 1 - self.to_move
        drop = is_drop(move)
        seen: str | None = None
        removed: str | None = None

        # The card leaves the hand: face down if discarded, in public if played.
        card = self.hands[mover].pop(index)
        (self.discards[mover] if drop else self.played).append(card)
        if drop:
            pass
        elif card in TILES:
            self.board[cell_of(move)] = move.partition("@")[0]
        elif card == "map":
            # The player of a map alone sees the goal.
            goal = GOAL_NAMES.index(move.removeprefix("map:"))
            seen = self.seen[mover][goal] = self.goals[goal]
        elif card == "destroy":
            removed = self.board.pop(cell_of(move))
        elif card == "malus":
            # Maluses add up, and a bonus takes off one.
            self.malus[other] += 1
        else:
            self.malus[mover] -= 1

        # Then the mover draws while the deck lasts, and what the tunnel has reached is revealed.
        drew = self.deck.pop(0) if self.deck else None
        if drew is not None:
            self.hands[mover].append(drew)
        revealed = self._reveal_reached_goals()
        self.turn += 1
        self._pass_turn(mover, "nugget" in revealed.values())

        # Only the player himself knows what he discarded, saw and drew.
        events = [
            Event(
                seat=mover,
                move="drop:?" if drop and seat != mover else move,
                seen=seen if seat == mover else None,
                removed=removed,
                drew=drew if seat == mover else None,
                revealed=dict(revealed),
            )
            for seat in (0, 1)
        ]
        for seat, event in enumerate(events):
            self.history[seat].append(event)
        return [Event({**event, "revealed": dict(event["revealed"])}) for event in events]

    def _reveal_reached_goals(self) -> dict[int, str]:
        """Each goal that is joined to the entrance is revealed to both, and stays so whatever becomes of the tunnel."""
        joined = self.joined()
        reached = [goal for goal, cell in enumerate(GOAL_CELLS) if not self.revealed[goal] and cell in joined]
        for goal in reached:
            self.revealed[goal] = True
        return {goal: self.goals[goal] for goal in reached}

    def _pass_turn(self, mover: int, nugget: bool) -> None:
        """Whose move reveals the nugget wins, whoever built the rest of the tunnel. If both hands are empty it is a
        draw; otherwise the other player is to move."""
        if nugget:
            self.to_move, self.winner = None, mover
        else:
            self.to_move = 1 - mover if self.hands[1 - mover] else None

    # --- What a player knows ------------------------------------------------------------------------------------------

    def view(self, seat: int) -> View:
        """The position as one player knows it: his hand, the board with the hidden goals hidden, what he saw on maps,
        and the other's moves as far as they are public."""
        known = [*self.hands[seat], *self.discards[seat], *self.played]
        return View(
            seat=seat,
            turn=self.turn,
            to_move=self.to_move,
            board={cell: "goal" if self.hidden(cell) else name for cell, name in self.board.items()},
            goals=[
                self.goals[goal] if self.revealed[goal] else self.seen[seat].get(goal)
                for goal in range(len(GOAL_CELLS))
            ],
            revealed=list(self.revealed),
            hand=list(self.hands[seat]),
            hand_sizes=[len(hand) for hand in self.hands],
            malus=list(self.malus),
            deck_left=len(self.deck),
            unseen=self._all_cards() - Counter(known),
            history=[Event({**event, "revealed": dict(event["revealed"])}) for event in self.history[seat]],
        )

    def _all_cards(self) -> Counter[str]:
        """The cards of this game; of a game that was dealt from the full deck they are public."""
        return Counter([*self.hands[0], *self.hands[1], *self.discards[0], *self.discards[1], *self.played, *self.deck])


# --- The notation of the course's program -----------------------------------------------------------------------------


def to_course(move: str, game: ReferenceDuel) -> str:
    """A move of the player to move as the course's program writes it. A discard names the first copy of its card."""
    rule = game.broken_rule(move)
    if rule is not None or game.to_move is None:
        raise IllegalMove(f"{move!r} cannot be written: {rule}")
    row, column = 0, 0
    if is_drop(move):
        word, row = "Drop", game.hands[game.to_move].index(move.removeprefix("drop:"))
    elif move in {"malus", "bonus"}:
        word = move.capitalize()
    elif move.startswith("map:"):
        word = "Map"
        row, column = GOAL_CELLS[GOAL_NAMES.index(move.removeprefix("map:"))]
    else:
        name = move.partition("@")[0]
        word = "Destroy" if name == "destroy" else f"Tile:{name}"
        row, column = cell_of(move)
    return f"{word} {row} {column} {game.to_move}"


def from_course(text: str, game: ReferenceDuel) -> str:
    """What the course's program wrote, as a move of the player to move. Whether it is legal is for the game to say; but
    it is an IllegalMove if it is no move, is somebody else's, looks at no goal or discards a card that is not there."""
    match = COURSE_MOVE.fullmatch(text)
    if match is None:
        raise IllegalMove(f"{text!r} cannot be read: this is no move")
    name, word = match[1], match[2]
    row, column, seat = int(match[3]), int(match[4]), int(match[5])
    if seat != game.to_move:
        raise IllegalMove(f"{text!r} cannot be played: it is not the turn of player {seat}")
    if word == "Drop":
        if not 0 <= row < len(game.hands[seat]):
            raise IllegalMove(f"{text!r} cannot be played: there is no card {row} in the hand")
        return f"drop:{game.hands[seat][row]}"
    if word == "Map":
        if (row, column) not in GOAL_CELLS:
            raise IllegalMove(f"{text!r} cannot be played: there is no goal")
        return f"map:{GOAL_NAMES[GOAL_CELLS.index((row, column))]}"
    if word in {"Malus", "Bonus"}:
        return word.lower()
    return f"{name or 'destroy'}@{row},{column}"


# --- Dealing ----------------------------------------------------------------------------------------------------------


def deal(deck: list[str]) -> tuple[list[list[str]], list[str]]:
    """The hands of player 0 and player 1, seven cards each, dealt alternately, player 1 first; and the cards left."""
    dealt = 2 * HAND
    return [deck[1:dealt:2], deck[0:dealt:2]], deck[dealt:]


def new_duel(rng: random.Random) -> ReferenceDuel:
    """Put the nugget behind one of the goals, shuffle the 55 cards and deal."""
    goals = list(CONTENTS)
    rng.shuffle(goals)
    deck = sorted(ALL_CARDS.elements())
    rng.shuffle(deck)
    hands, left = deal(deck)
    return ReferenceDuel(goals, hands, left)
