"""The players of Veldhuis, Jansen and Broers 2012, slow and in plain words: best ways, beliefs, the chart, the evaluations.

A state of the world is the set of seats that are saboteurs. What an agent believes is a dict from states to strengths; a state
that it knows to be false is not in it. Nothing is shared with the package under test; the board is that of
`reference.saboteur`. Goals are 0 top, 1 middle, 2 bottom; what is known of one is "gold" or "stone".
"""

from __future__ import annotations

import copy
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any

from reference.saboteur import (
    GOAL_NAMES,
    PATHS,
    STEP,
    Cell,
    Event,
    ReferenceGame,
    Tile,
    card_of,
    cell_of,
    claim_of,
    neighbour,
    on_board,
    orientations,
    path_tile,
    target_of,
    tools_of,
)

State = frozenset[int]
Beliefs = dict[State, float]

NO_WAY = 30.0
LONGEST_WAY = 28
TOLERANCE = 1e-6
ROUNDING = 1e-9
"""Expected lengths are sums of thirds and the like: so close to a line is on it."""

TUNNEL_EDGES = {
    path_tile(card, turned).open for card in PATHS if card.startswith("P_") for turned in orientations(card)
}


# --- The best way -----------------------------------------------------------------------------------------------------


def with_board(game: ReferenceGame, board: dict[Cell, Tile]) -> ReferenceGame:
    """The same game with another board, to be looked at only."""
    other = copy.copy(game)
    other.board = board
    return other


def fitting(game: ReferenceGame, cell: Cell) -> list[frozenset[str]]:
    """The edges of the tunnels that fit on an empty cell."""
    return [edges for edges in TUNNEL_EDGES if game.fits(Tile("any", False, edges, True), cell)]


def best_ways(game: ReferenceGame, goals: Iterable[int] = (0, 1, 2)) -> list[float]:
    """How many path cards are still to be laid until a tunnel from the start opens onto each of these goals; NO_WAY where there
    is no way, and for the others.

    A way leads from an open end over empty cells to a cell beside the goal. The open end is left on a side where some tunnel
    that fits there is open; on the cells after it whatever is needed is thought to fit.
    """
    openings = game.openings()
    lengths = [NO_WAY] * 3
    sought: dict[Cell, int] = {}
    for goal in goals:
        cell = game.rules.goal_cells[goal]
        if cell in openings:
            lengths[goal] = 0.0
        else:
            sought[cell] = goal
    xs, ys = [x for x, _ in game.board], [y for _, y in game.board]
    left, right, top, bottom = min(xs) - 3, max(xs) + 3, min(ys) - 3, max(ys) + 3

    def is_empty(cell: Cell) -> bool:
        near = left <= cell[0] <= right and top <= cell[1] <= bottom
        return near and cell not in game.board and on_board(cell, game.rules)

    # Cells after one card: those that the tunnel on an open end leads to.
    beside: set[Cell] = set()
    for end in openings if sought else ():
        if end not in game.board:
            beside |= {neighbour(end, edge) for edge in {edge for edges in fitting(game, end) for edge in edges}}
    seen: set[Cell] = set()
    length = 1
    while beside and sought and length <= LONGEST_WAY:
        for cell in beside & sought.keys():
            lengths[sought.pop(cell)] = float(length)
        frontier = {cell for cell in beside - seen if is_empty(cell)}
        seen |= frontier
        beside = {neighbour(cell, edge) for cell in frontier for edge in STEP}
        length += 1
    return lengths


def laid(game: ReferenceGame, card: str, turned: bool, cell: Cell) -> ReferenceGame:
    """The mine with one more path card; goals stay as they lie."""
    return with_board(game, {**game.board, cell: path_tile(card, turned)})


def taken_away(game: ReferenceGame, cell: Cell) -> ReferenceGame:
    """The mine without one of its path cards."""
    return with_board(game, {there: tile for there, tile in game.board.items() if there != cell})


# --- Strengths --------------------------------------------------------------------------------------------------------


def role_states(seats: int, counts: Iterable[int]) -> list[State]:
    """All ways in which so many of the players can be saboteurs."""
    return [frozenset(team) for count in counts for team in combinations(range(seats), count)]


def believed(beliefs: Beliefs, p: Any) -> set[State]:
    """The states at or above the threshold; where there are none, the strongest."""
    found = {state for state, strength in beliefs.items() if strength >= p.threshold}
    most = max(beliefs.values())
    return found or {state for state, strength in beliefs.items() if strength == most}


def share_of_saboteur(beliefs: Beliefs, seat: int, p: Any) -> float:
    """The share of the believed states in which a seat is a saboteur."""
    states = believed(beliefs, p)
    return len([state for state in states if seat in state]) / len(states)


def shift(beliefs: Beliefs, states: Iterable[State], steps: float, p: Any) -> None:
    """Strengthen states by so many steps, or weaken them: then by steps times the factor of disbelief."""
    for state in states:
        strength = beliefs[state] + steps * p.step * (p.disbelief if steps < 0 else 1)
        beliefs[state] = min(max(strength, -p.limit), p.limit)


# --- One agent --------------------------------------------------------------------------------------------------------


def deduced(known: dict[int, str]) -> dict[int, str]:
    """What follows: there is one gold and there are two stones."""
    missing = [goal for goal in range(3) if goal not in known]
    stones = list(known.values()).count("stone")
    if "gold" in known.values():
        return known | dict.fromkeys(missing, "stone")
    return known | dict.fromkeys(missing, "gold") if stones == 2 else dict(known)


def expected(odds: Sequence[float], lengths: Sequence[float]) -> float:
    """The expected length of the best way to the gold."""
    total = 0.0
    for odd, length in zip(odds, lengths, strict=True):
        if odd > 0:
            total += odd * length
    return total


@dataclass
class Mine:
    """What everybody sees, before and after one move: best ways, looks, claims, who was blocked."""

    before: list[float]
    card_down: list[float]  # with the card laid or taken away, before goals turn over
    after: list[float]


def mine_of(before: ReferenceGame, move: str, after: ReferenceGame, lengths: list[float]) -> Mine:
    """The best ways around a move, given those before it. `before` and `after` are the games before and after the move."""
    if "@" not in move:
        return Mine(lengths, lengths, lengths)
    cell = cell_of(move)
    gone = move.startswith("rockfall")
    board = taken_away(before, cell) if gone else laid(before, card_of(move), move.endswith("r"), cell)
    face_down = [goal for goal in range(3) if not before.face_up[goal]]
    card_down = best_ways(board, face_down)
    if before.face_up == after.face_up:
        return Mine(lengths, card_down, card_down)
    return Mine(lengths, card_down, best_ways(after, [goal for goal in range(3) if not after.face_up[goal]]))


@dataclass
class Believer:
    """One agent: what it believes about who is who, at depth two what it thinks that the others believe, and at depth three what it
    thinks that these believe of each other (and of itself)."""

    seat: int
    seats: int
    role: str
    states: list[State]
    p: Any
    own: Beliefs = field(default_factory=dict)
    pictures: dict[int, Beliefs] = field(default_factory=dict)
    theirs: dict[int, dict[int, Beliefs]] = field(default_factory=dict)
    known: dict[int, str] = field(default_factory=dict)
    face_up: set[int] = field(default_factory=set)
    looked: dict[int, set[int]] = field(default_factory=dict)
    claims: dict[int, dict[int, str]] = field(default_factory=dict)
    blocked: dict[int, set[str]] = field(default_factory=dict)
    explicit: bool = False
    trusted: int | None = None
    suspecting: int = 0

    def __post_init__(self) -> None:
        saboteur = self.role == "saboteur"
        self.own = {state: self.p.start for state in self.states if (self.seat in state) == saboteur}
        if self.p.depth >= 2:
            # Everybody is a miner, or plays one.
            for other in self.others():
                self.pictures[other] = {state: self.p.start for state in self.states if other not in state}
        if self.p.depth == 3:
            for other in self.others():
                self.theirs[other] = {
                    third: {state: self.p.start for state in self.states if third not in state}
                    for third in range(self.seats)
                    if third != other
                }
        self.looked = {seat: set() for seat in range(self.seats)}
        self.claims = {seat: {} for seat in range(self.seats)}
        self.blocked = {seat: set() for seat in range(self.seats)}
        self.explicit = saboteur and self.p.strategy == "explicit"

    def others(self) -> list[int]:
        return [seat for seat in range(self.seats) if seat != self.seat]

    def among_ten(self, count: float) -> float:
        """The paper counts states of ten; where there are more, in proportion."""
        return max(count, count * len(self.states) / 10)

    # What somebody knows of the goals, as far as this agent can tell.

    def knowledge_of(self, seat: int, by: int | None = None) -> dict[int, str]:
        """What a seat knows, as far as this agent can tell; or as far as it can tell that `by` can."""
        if by is None and seat == self.seat:
            return deduced(self.known)
        mine, theirs = deduced(self.known) if by is None else self.knowledge_of(by), {}
        for goal in sorted(self.face_up | self.looked[seat]):
            if goal in mine:
                theirs[goal] = mine[goal]
            elif goal in self.claims[seat]:
                theirs[goal] = self.claims[seat][goal]
        return deduced(theirs)

    def odds(self, seat: int, beliefs: Beliefs, by: int | None = None) -> list[float]:
        """Where a seat takes the gold to be, from what it knows and what others claimed."""
        known = self.knowledge_of(seat, by)
        golds = [goal for goal, content in sorted(known.items()) if content == "gold"]
        if golds:
            return [float(goal == golds[-1]) for goal in range(3)]
        odds = [0.0 if goal in known else 1.0 for goal in range(3)]
        for claimant in range(self.seats):
            if claimant == seat or not self.claims[claimant]:
                continue
            honest = 1 - share_of_saboteur(beliefs, claimant, self.p)
            honest = max(min(honest, 1 - self.p.doubt), self.p.doubt)
            for goal, said in sorted(self.claims[claimant].items()):
                for gold in range(3):
                    says_so = said == ("gold" if gold == goal else "stone")
                    odds[gold] *= honest if says_so else 1 - honest
        total = odds[0] + odds[1] + odds[2]
        return [odd / total if total > 0 else 1 / 3 for odd in odds]

    # The chart.

    def notice(self, event: Event, mine: Mine, round_over: bool = False) -> None:
        """Take in one move."""
        actor, move = event["seat"], event["move"]
        for believer, beliefs in [(self.seat, self.own), *self.pictures.items()]:
            if believer != actor:
                self.update(believer, beliefs, event, mine)
        for by, pictures in self.theirs.items():
            for believer, beliefs in pictures.items():
                if believer != actor:
                    self.update(believer, beliefs, event, mine, by)
        if move.startswith(("break:", "block>")):
            self.blocked[target_of(move)] |= tools_of(card_of(move))
        elif move.startswith(("fix:", "deblock>")):
            self.blocked[target_of(move)] -= event["mended"]
        elif move.startswith("map:"):
            self.looked[actor].add(GOAL_NAMES.index(move.removeprefix("map:")))
        elif move.startswith("claim:"):
            goal, said = claim_of(move)
            self.claims[actor][goal] = said
        if event["seen"]:
            goal = GOAL_NAMES.index(move.removeprefix("map:"))
            self.known[goal] = "gold" if event["seen"] == "gold" else "stone"
        for goal, content in event["turned_up"].items():
            self.face_up.add(goal)
            self.known[goal] = "gold" if content == "gold" else "stone"
        if self.p.depth >= 2 and self.role == "miner" and actor != self.seat:
            self.trusted = self.borrow(self.seat, self.own, self.pictures)
        for other, pictures in self.theirs.items():
            if other != actor:
                self.borrow(other, self.pictures[other], pictures)
        if self.role == "saboteur" and not self.explicit and self.p.strategy == "adaptive":
            self.suspecting = len([seat for seat in self.pictures if self.is_suspected_by(seat)])
            odds = self.odds(self.seat, self.own)
            reachable = [length for length, chance in zip(mine.after, odds, strict=True) if chance > 0]
            near = min(reachable, default=99.0) <= self.p.close
            self.explicit = near or self.suspecting >= self.p.suspecting

    def update(self, believer: int, beliefs: Beliefs, event: Event, mine: Mine, by: int | None = None) -> None:
        """What one move does to one row of beliefs."""
        actor, move, p = event["seat"], event["move"], self.p
        saboteur = [state for state in beliefs if actor in state]
        miner = [state for state in beliefs if actor not in state]
        if "@" in move:
            odds = self.odds(believer, beliefs, by)
            shorter = expected(odds, mine.before) - expected(odds, mine.card_down)
            dead_end_gone = event["removed"] is not None and event["removed"][0].startswith("D_")
            rockfall = event["removed"] is not None
            w = p.path_weight
            if shorter <= -p.lengthens + ROUNDING:
                shift(beliefs, saboteur, w * p.strong, p)
                shift(beliefs, miner, -w * p.strong, p)
            elif (
                shorter >= p.shortens_much - ROUNDING
                or dead_end_gone
                or (rockfall and shorter >= p.shortens - ROUNDING)
            ):
                shift(beliefs, miner, w * p.strong, p)
                shift(beliefs, saboteur, -w, p)
            elif shorter >= p.shortens - ROUNDING:
                shift(beliefs, miner, w, p)
        elif move.startswith(("break:", "block>", "fix:", "deblock>")):
            target = target_of(move)
            if target != actor:
                same = [state for state in beliefs if (actor in state) == (target in state)]
                different = [state for state in beliefs if (actor in state) != (target in state)]
                hostile = move.startswith(("break:", "block>"))
                shift(beliefs, different if hostile else same, p.block_weight, p)
                shift(beliefs, same if hostile else different, -p.block_weight, p)
        elif move.startswith("claim:"):
            self.update_on_claim(self.knowledge_of(believer, by), beliefs, actor, move)
        elif move.startswith("discard:") and not self.blocked[actor]:
            shift(beliefs, saboteur, p.discard_weight, p)

    def update_on_claim(self, known: dict[int, str], beliefs: Beliefs, actor: int, move: str) -> None:
        goal, said = claim_of(move)
        w = self.p.claim_weight
        if goal in known:
            if known[goal] == said:
                shift(beliefs, [state for state in beliefs if actor not in state], w, self.p)
            else:
                shift(beliefs, [state for state in beliefs if actor in state], w * self.p.strong, self.p)
                shift(beliefs, [state for state in beliefs if actor not in state], -w * self.p.strong, self.p)
            return
        for other in range(self.seats):
            if other == actor:
                continue
            earlier = self.claims[other]
            gold_elsewhere = any(claim == "gold" and place != goal for place, claim in earlier.items())
            if earlier.get(goal, said) != said or (said == "gold" and gold_elsewhere):
                wanted = [state for state in beliefs if (actor in state) != (other in state)]
            elif goal in earlier:
                wanted = [state for state in beliefs if (actor in state) == (other in state)]
            else:
                continue
            shift(beliefs, wanted, w, self.p)

    # Depth two; and the same in the pictures of others at depth three.

    def borrow(self, seat: int, own: Beliefs, pictures: dict[int, Beliefs]) -> int | None:
        """Move a little towards what the most trusted player is thought to believe, if one is trusted enough; returns who."""
        states = believed(own, self.p)
        enough = []
        for other in range(self.seats):
            if other == seat:
                continue
            saboteur = len([state for state in states if other in state])
            miner = len(states) - saboteur
            if miner > self.among_ten(self.p.trust_miner) and saboteur <= self.among_ten(self.p.trust_saboteur):
                enough.append((saboteur / len(states), other))
        trusted = min(enough)[1] if enough else None
        if trusted is not None:
            picture = pictures[trusted]
            for state in own.keys() & picture.keys():
                own[state] += self.p.borrow * (picture[state] - own[state])
        return trusted

    def is_suspected_by(self, seat: int) -> bool:
        """Whether another is thought to suspect this one."""
        states = believed(self.pictures[seat], self.p)
        saboteur = len([state for state in states if self.seat in state])
        miner = len(states) - saboteur
        return miner <= self.among_ten(self.p.suspect_miner) and saboteur >= miner


# --- The choice -------------------------------------------------------------------------------------------------------

Option = tuple[float, str]


def near(a: float, b: float) -> bool:
    return abs(a - b) <= TOLERANCE


def best(options: list[Option]) -> list[Option]:
    """The options of the highest value, all that tie."""
    most = max((value for value, _ in options), default=0.0)
    return [option for option in options if near(option[0], most)]


def options_of(agent: Believer, game: ReferenceGame, card: str) -> list[Option]:
    """What a card is worth, played as well as can be: (value, move), all that tie; empty where it is of no use."""
    if card in PATHS:
        return best(path_options(agent, game, card))
    if card == "rockfall":
        return best(rockfall_options(agent, game))
    if card == "map":
        return map_options(agent, game)
    if card == "block" or card.startswith("break:"):
        return block_options(agent, game, card)
    return deblock_options(agent, game, card)


def counted(change: float, p: Any) -> float:
    """A change of the best way counts for at most so many cards."""
    most: float = p.most
    return max(min(change, most), -most)


def path_options(agent: Believer, game: ReferenceGame, card: str) -> list[Option]:
    if game.broken[agent.seat]:
        return []
    p, odds = agent.p, agent.odds(agent.seat, agent.own)
    goals = [goal for goal in range(3) if odds[goal] > 0]
    now = expected(odds, best_ways(game, goals))
    options = []
    for move in game.legal_moves():
        if card_of(move) != card or move.startswith("discard"):
            continue
        then = expected(odds, best_ways(laid(game, card, move.endswith("r"), cell_of(move)), goals))
        change = counted(now - then, p)
        if agent.explicit:
            value = p.astray if near(change, 0) else -p.harm * change
        elif agent.role == "saboteur" and change > p.cover + TOLERANCE:
            continue
        else:
            value = p.path_gain * change
            if card.startswith("P_"):
                value = (p.path_idle if near(change, 0) else value) + p.path_open * len(path_tile(card).open)
        options.append((value, move))
    return options


def rockfall_options(agent: Believer, game: ReferenceGame) -> list[Option]:
    p, odds = agent.p, agent.odds(agent.seat, agent.own)
    goals = [goal for goal in range(3) if odds[goal] > 0]
    now = expected(odds, best_ways(game, goals))
    options = []
    for move in game.legal_moves():
        if move.startswith("rockfall"):
            change = counted(now - expected(odds, best_ways(taken_away(game, cell_of(move)), goals)), p)
            options.append((-p.harm * change if agent.explicit else p.path_gain * change, move))
    return [option for option in options if option[0] > TOLERANCE]


def map_options(agent: Believer, game: ReferenceGame) -> list[Option]:
    """The likeliest goal of those that are not known, while the gold is not known for sure."""
    known = deduced(agent.known)
    if "gold" in known.values():
        return []
    odds = agent.odds(agent.seat, agent.own)
    value = agent.p.saboteur_look if agent.explicit else agent.p.look
    goals = best([(odds[goal], f"map:{GOAL_NAMES[goal]}") for goal in range(3) if goal not in known])
    return [(value, move) for _, move in goals]


def block_options(agent: Believer, game: ReferenceGame, card: str) -> list[Option]:
    miner = agent.role == "miner"
    foes = []
    for other in agent.others():
        if not game.broken[other]:
            share = share_of_saboteur(agent.own, other, agent.p)
            foes.append((share if miner else 1 - share, f"{card}>{other}"))
    if miner:
        foes = [(share, move) for share, move in foes if share > agent.p.suspicious + TOLERANCE]
    weight = agent.p.block if miner else agent.p.saboteur_block
    return [(weight * share, move) for share, move in best(foes)]


def deblock_options(agent: Believer, game: ReferenceGame, card: str) -> list[Option]:
    tools, p = tools_of(card), agent.p

    def move(target: int) -> str:
        if game.rules.double_repair_mends_both or game.rules.one_tool:
            return f"{card}>{target}"
        return f"{card}>{target}/{min(tools & game.broken[target])}"

    if tools & game.broken[agent.seat]:
        return [(p.saboteur_free if agent.explicit else p.free_self, move(agent.seat))]
    if agent.role == "saboteur":
        return []
    friends = []
    for other in agent.others():
        share = share_of_saboteur(agent.own, other, p)
        if tools & game.broken[other] and share <= p.suspicious:
            friends.append((1 - share, move(other)))
    return [(p.free_other * trust, text) for trust, text in best(friends)]


def spare(agent: Believer, card: str) -> float:
    """How much a card is worth keeping."""
    kinds = (
        ("P_", "tunnel"),
        ("D_", "dead_end"),
        ("break:", "block"),
        ("block", "block"),
        ("fix:", "deblock"),
        ("deblock", "deblock"),
        ("rockfall", "rockfall"),
        ("map", "map"),
    )
    kind = next(kind for start, kind in kinds if card.startswith(start))
    prefix = "saboteur_" if agent.role == "saboteur" else ""
    return float(getattr(agent.p, f"{prefix}keep_{kind}"))


def best_moves(agent: Believer, game: ReferenceGame) -> set[str]:
    """All moves that the agent may choose: chance decides among them."""
    if game.must_claim is not None:
        truth = deduced(agent.known)[game.must_claim]
        lie = "stone" if truth == "gold" else "gold"
        return {f"claim:{GOAL_NAMES[game.must_claim]}={truth if agent.role == 'miner' else lie}"}
    hand = set(game.hands[agent.seat])
    options = [option for card in hand for option in options_of(agent, game, card)]
    options = [option for option in options if option[0] > agent.p.worth + TOLERANCE]
    if options:
        return {move for _, move in best(options)}
    return {f"discard:{card}" for worth, card in best([(-spare(agent, card), card) for card in hand])}


__all__ = ["Believer", "Mine", "best_moves", "best_ways", "laid", "mine_of", "role_states", "taken_away"]
