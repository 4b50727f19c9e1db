"""Reference engine of Saboteur: a game of one or several rounds, and its gold.

Slow on purpose, as `saboteur`, which plays a round. A round that is over is paid at once; if it was not the last, the
match waits for the next deal and knows by itself who starts.
"""

from __future__ import annotations

import random
from typing import NamedTuple

from .saboteur import (
    KRISNADI,
    Deal,
    Event,
    IllegalMove,
    ReferenceGame,
    Rules,
    View,
    new_deal,
    new_first_seat,
)

# The gold cards by their nuggets, shuffled once for the whole game.
GOLD_CARDS: list[int] = [1] * 16 + [2] * 8 + [3] * 4

# --- Gold -------------------------------------------------------------------------------------------------------------


class Paid(NamedTuple):
    """What one round brought."""

    income: list[int]  # nuggets for each seat
    packs: list[list[int]]  # the gold cards that were handed to each seat at its first pick, the best one first
    first_taker: int | None  # who picked first, if a pack went round


def pay_pieces(roles: list[str], winners: str) -> Paid:
    """Every member of the winning team receives one piece. Where nobody is a saboteur and the cards are gone, nobody
    does."""
    member = {"miners": "miner", "saboteurs": "saboteur"}[winners]
    return Paid([int(role == member) for role in roles], [[] for _ in roles], None)


def pack_size(seats: int) -> int:
    """As many gold cards as players are drawn, but nine with ten players."""
    return min(seats, 9)


def counter_clockwise(roles: list[str], seat: int) -> list[int]:
    """The miners, counter-clockwise from a seat on; the seat itself first, if it is a miner."""
    seats = len(roles)
    order = [(seat - step) % seats for step in range(seats)]
    return [other for other in order if roles[other] == "miner"]


def share_out(pack: list[int], roles: list[str], reached_by: int) -> Paid:
    """The player who reached the gold, or the first miner counter-clockwise from a saboteur who did, takes the best
    card; the pack goes counter-clockwise from miner to miner, round and round, until all cards are taken."""
    order = counter_clockwise(roles, reached_by)
    income = [0 for _ in roles]
    packs: list[list[int]] = [[] for _ in roles]
    left = sorted(pack, reverse=True)
    pick = 0
    while left and order:
        taker = order[pick % len(order)]
        if pick < len(order):
            packs[taker] = list(left)
        income[taker] += left.pop(0)
        pick += 1
    return Paid(income, packs, order[0] if order else None)


def owed_to_each(saboteurs: int) -> int:
    """Four nuggets for a lone saboteur, three each for two or three, two each for four."""
    return {1: 4, 2: 3, 3: 3}.get(saboteurs, 2)


def pay_saboteurs(pile: list[int], roles: list[str]) -> tuple[Paid, list[int]]:
    """Each saboteur, in the order of seats, is paid with the largest cards that are not above what is still owed, until
    he is paid or no card suits. Of equal cards the one nearest to the top goes. Returns also the pile that is left, in
    its order."""
    left = list(pile)
    income = [0 for _ in roles]
    for seat, role in enumerate(roles):
        if role != "saboteur":
            continue
        owed = owed_to_each(roles.count("saboteur"))
        while suiting := [card for card in left if card <= owed]:
            card = max(suiting)
            left.remove(card)
            income[seat] += card
            owed -= card
    return Paid(income, [[] for _ in roles], None), left


# --- A match ----------------------------------------------------------------------------------------------------------


class MatchEvent(Event):
    """What one seat learns from one move; the last five only when the move ended the round."""

    ended: str | None  # "gold" or "exhausted"
    roles: list[str] | None  # all roles of the round
    paid: int  # the seat's own income
    pack: list[int]  # the gold cards that the seat was handed at its first pick
    first_taker: int | None  # who picked first


class MatchView(View):
    """Everything that one seat can see or remember. What is about the round is about the one that was dealt last."""

    round: int  # from 0
    nuggets: int  # the seat's own
    all_nuggets: list[int] | None  # everybody's: pieces are public, shares secret until the end of the game
    packs: list[list[int]]  # for each past round the gold cards that the seat was handed at its first pick
    first_takers: list[int | None]  # for each past round who picked first
    past_roles: list[list[str]]  # for each past round all roles
    past_ended: list[str]  # for each past round "gold" or "exhausted"


class ReferenceMatch:
    """One game. `gold[0]` is drawn first. Between two rounds nobody is to move, and `deal` begins the next one."""

    def __init__(
        self,
        rules: Rules,
        seats: int,
        gold: list[int],
        roles: list[str],
        goals: list[str],
        hands: list[list[str]],
        deck: list[str],
        first_seat: int,
    ) -> None:
        self.rules = rules
        self.seats = seats
        self.gold = list(gold)
        self.round = 0
        self.nuggets = [0] * seats
        self.paid: list[Paid] = []
        self.past_roles: list[list[str]] = []
        self.past_ended: list[str] = []
        self.next_seat = first_seat
        self.over = False
        self.winners: list[int] | None = None
        self.payoffs: list[int] | None = None
        self.unpaid: list[list[int]] = []  # by round the miners who got no gold for their broken tools
        self._begin(Deal(roles, goals, hands, deck))

    def _begin(self, deal: Deal) -> None:
        """Everything but the gold is dealt anew: broken tools, claims and looks are gone with the old round."""
        if len(deal.roles) != self.seats:
            raise ValueError(f"{self.seats} players have {self.seats} roles, not {len(deal.roles)}")
        self.game = ReferenceGame(self.rules, *deal, self.next_seat)

    @property
    def waiting(self) -> bool:
        """Whether a round is over and the next one is to be dealt."""
        return self.game.over and not self.over

    def deal(self, roles: list[str], goals: list[str], hands: list[list[str]], deck: list[str]) -> None:
        """Begin the next round."""
        if not self.waiting:
            raise ValueError("a round is dealt when the one before is over, and none after the last")
        self.round += 1
        self._begin(Deal(roles, goals, hands, deck))

    @property
    def to_move(self) -> int | None:
        """Who moves; nobody between two rounds and after the last."""
        return self.game.to_move

    def legal_moves(self) -> list[str]:
        """The moves of the seat to move; none between two rounds and after the last."""
        return self.game.legal_moves()

    def apply(self, move: str) -> list[MatchEvent]:
        """Play one turn. Returns one event per seat, as that seat sees it; raises IllegalMove and changes nothing if
        the move is not legal."""
        mover = self.to_move
        if mover is None:
            raise IllegalMove(f"{move!r}: nobody is to move")
        events = self.game.apply(move)
        if not self.game.over:
            return [MatchEvent(**event, ended=None, roles=None, paid=0, pack=[], first_taker=None) for event in events]

        # The round is over: the roles are shown to all, the gold is paid, the left neighbour of who played last starts.
        roles, ended = list(self.game.roles), "gold" if self.game.winner == "miners" else "exhausted"
        paid = self._pay(mover)
        self.nuggets = [had + got for had, got in zip(self.nuggets, paid.income, strict=True)]
        self.paid.append(paid)
        self.past_roles.append(roles)
        self.past_ended.append(ended)
        self.next_seat = (mover + 1) % self.seats
        if self.round + 1 == self.rules.rounds:
            self._finish()
        return [
            MatchEvent(
                **event,
                ended=ended,
                roles=list(roles),
                paid=paid.income[seat],
                pack=list(paid.packs[seat]),
                first_taker=paid.first_taker,
            )
            for seat, event in enumerate(events)
        ]

    def _pay(self, mover: int) -> Paid:
        """Pieces, or shares of the gold cards: used cards do not come back."""
        roles = self.game.roles
        self.unpaid.append([])
        assert self.game.winner is not None
        if self.rules.payment == "pieces":
            return pay_pieces(roles, self.game.winner)
        if self.game.winner == "miners":
            broken = self.game.broken if self.rules.broken_unpaid else [set() for _ in roles]
            # To the pack a miner who is not paid is as good as a saboteur.
            takers = ["unpaid" if role == "miner" and broken[seat] else role for seat, role in enumerate(roles)]
            drawn = pack_size(self.seats) if self.rules.pack == "players" else roles.count("miner")
            if "miner" not in takers:
                drawn = 0
            pack, self.gold = self.gold[:drawn], self.gold[drawn:]
            self.unpaid[-1] = [seat for seat, taker in enumerate(takers) if taker == "unpaid"]
            return share_out(pack, takers, mover)
        paid, self.gold = pay_saboteurs(self.gold, roles)
        return paid

    def _finish(self) -> None:
        """After the last round the most nuggets win; ties share, and where nobody has any nobody wins."""
        self.over = True
        most = max(self.nuggets)
        self.winners = [seat for seat, has in enumerate(self.nuggets) if has == most > 0]
        self.payoffs = list(self.nuggets)

    # --- What a seat knows --------------------------------------------------------------------------------------------

    def view(self, seat: int) -> MatchView:
        """The game as one seat knows it. The roles of past rounds are known to all; gold cards are secret until the end
        of the game, but for those that the seat itself was paid or handed."""
        public = self.over or self.rules.payment == "pieces"
        return MatchView(
            **self.game.view(seat),
            round=self.round,
            nuggets=self.nuggets[seat],
            all_nuggets=list(self.nuggets) if public else None,
            packs=[list(paid.packs[seat]) for paid in self.paid],
            first_takers=[paid.first_taker for paid in self.paid],
            past_roles=[list(roles) for roles in self.past_roles],
            past_ended=list(self.past_ended),
        )


# --- Dealing ----------------------------------------------------------------------------------------------------------


def new_match(rng: random.Random, seats: int, rules: Rules = KRISNADI) -> ReferenceMatch:
    """Shuffle the gold and deal the first round."""
    if not rules.fewest_seats <= seats <= rules.most_seats:
        raise ValueError(f"the game is for {rules.fewest_seats} to {rules.most_seats} players, not {seats}")
    gold = list(GOLD_CARDS)
    rng.shuffle(gold)
    deal = new_deal(rng, seats, rules.saboteurs_for(seats), rules)
    return ReferenceMatch(rules, seats, gold, *deal, new_first_seat(rng, seats, rules))


def deal_next(rng: random.Random, match: ReferenceMatch) -> None:
    """Shuffle and deal the next round of a match that waits for it."""
    match.deal(*new_deal(rng, match.seats, match.rules.saboteurs_for(match.seats), match.rules))
