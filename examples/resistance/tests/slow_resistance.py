"""Reference engine of The Resistance. Slow on purpose: sets, dicts and names, and each function states one rule.

Nothing is shared with the package under test. Players are 0 to players - 1. Moves are text: `propose:0,2`, `approve`, `reject`,
`success`, `fail`; `vote:?` and `card:?` are a vote and a card that the reader may not know.
"""

from __future__ import annotations

from functools import cache
from itertools import combinations
from typing import Any

SPIES = {5: 2, 6: 2, 7: 3, 8: 3, 9: 3, 10: 4}
# The table of missions of the rule book, a line for each mission, by the number of players.
MISSIONS = """
     5  6  7  8  9 10
 1   2  2  2  3  3  3
 2   3  3  3  4  4  4
 3   2  4  3  4  4  4
 4   3  3  4  5  5  5
 5   3  4  4  5  5  5
"""


def team_size(players: int, mission: int) -> int:
    """How many players go on a mission (1 to 5)."""
    head, *lines = MISSIONS.strip("\n").splitlines()
    return int(lines[mission - 1].split()[1 + head.split().index(str(players))])


@cache
def teams(players: int, mission: int) -> list[str]:
    """All proposals for a mission."""
    return ["propose:" + ",".join(map(str, team)) for team in combinations(range(players), team_size(players, mission))]


def fails_to_fail(players: int, mission: int) -> int:
    """With 7 players or more, two fails are needed to fail the fourth mission; otherwise one."""
    return 2 if players >= 7 and mission == 4 else 1


class ReferenceResistance:
    """One game."""

    def __init__(self, spies: set[int], leader: int, players: int) -> None:
        assert len(spies) == SPIES[players]
        self.players = players
        self.spies = set(spies)
        self.leader = leader
        self.phase = "propose"
        self.mission = 1
        self.rejected_in_a_row = 0
        # All that happened: proposals with votes by player, missions with cards by player.
        self.proposals: list[dict[str, Any]] = []
        self.missions: list[dict[str, Any]] = []
        self.cards: dict[int, str] = {}
        self.winner: str | None = None
        self.reason: str | None = None
        self.history: list[dict[str, Any]] = []

    # --- Whose turn it is -----------------------------------------------------------------------------------------------

    @property
    def team(self) -> list[int]:
        return sorted(self.proposals[-1]["team"])

    def waiting_for(self) -> list[int]:
        """Those who still have to choose, in the order in which they are asked."""
        if self.winner is not None:
            return []
        if self.phase == "propose":
            return [self.leader]
        if self.phase == "vote":
            return [player for player in range(self.players) if player not in self.proposals[-1]["votes"]]
        return [player for player in self.team if player not in self.cards]

    @property
    def to_move(self) -> int | None:
        return next(iter(self.waiting_for()), None)

    # --- What may be done -------------------------------------------------------------------------------------------------

    def legal_moves(self) -> list[str]:
        if self.to_move is None:
            return []
        if self.phase == "propose":
            return teams(self.players, self.mission)
        if self.phase == "vote":
            return ["approve", "reject"]
        return ["success", "fail"] if self.to_move in self.spies else ["success"]

    # --- What is done -----------------------------------------------------------------------------------------------------

    def apply(self, move: str) -> list[dict[str, Any]]:
        """Play a legal move; what each player is told of it."""
        assert move in self.legal_moves()
        player = self.to_move
        assert player is not None
        mission = self.mission
        attempt = self.rejected_in_a_row + 1 if self.phase == "propose" else self.proposals[-1]["attempt"]
        told: dict[str, Any] = {"player": player, "mission": mission, "attempt": attempt}
        if self.phase == "propose":
            team = {int(seat) for seat in move.partition(":")[2].split(",")}
            self.proposals.append(
                {"mission": mission, "attempt": attempt, "leader": player, "team": team, "votes": {}, "open": False}
            )
            self.phase = "vote"
            covered = None
        elif self.phase == "vote":
            self.proposals[-1]["votes"][player] = move
            covered = "vote:?"
            if not self.waiting_for():
                covered = None
                told["ayes"] = self.count_votes()
        else:
            self.cards[player] = move
            covered = "card:?"
            if not self.waiting_for():
                told["fails"] = self.count_cards()
        told["team"] = set(self.proposals[-1]["team"])
        if self.winner is not None:
            told["winner"], told["spies"] = self.winner, set(self.spies)
        events = [
            {**told, "move": move if covered is None or other == player else covered} for other in range(self.players)
        ]
        self.history.append({**told, "move": move})
        return events

    def count_votes(self) -> set[int]:
        """The votes are shown. A tie is a rejection."""
        proposal = self.proposals[-1]
        proposal["open"] = True
        ayes = {player for player, vote in proposal["votes"].items() if vote == "approve"}
        if len(ayes) > self.players - len(ayes):
            self.phase = "mission"
            self.rejected_in_a_row = 0
            return ayes
        self.rejected_in_a_row += 1
        if self.rejected_in_a_row == 5:
            self.winner, self.reason = "spy", "rejections"
        else:
            self.next_leader()
        return ayes

    def count_cards(self) -> int:
        """The cards are mixed and shown."""
        fails = list(self.cards.values()).count("fail")
        failed = fails >= fails_to_fail(self.players, self.mission)
        self.missions.append({"team": set(self.team), "cards": self.cards, "fails": fails, "failed": failed})
        self.cards = {}
        if sum(mission["failed"] for mission in self.missions) == 3:
            self.winner, self.reason = "spy", "sabotage"
        elif sum(not mission["failed"] for mission in self.missions) == 3:
            self.winner, self.reason = "resistance", "successes"
        else:
            self.mission += 1
            self.next_leader()
        return fails

    def next_leader(self) -> None:
        self.leader = (self.leader + 1) % self.players
        self.phase = "propose"

    # --- What a player knows ------------------------------------------------------------------------------------------------

    def known_roles(self, player: int) -> dict[int, str]:
        """Roles by player, as far as `player` knows them (-1 knows what is public)."""
        everything = {other: "spy" if other in self.spies else "resistance" for other in range(self.players)}
        if self.winner is not None or player in self.spies:
            return everything
        return {player: everything[player]} if player >= 0 else {}

    def known_votes(self, player: int, proposal: dict[str, Any]) -> dict[int, str]:
        """The votes on a proposal; of a vote that goes on only the own one."""
        votes: dict[int, str] = proposal["votes"]
        return votes if proposal["open"] else {other: vote for other, vote in votes.items() if other == player}

    def own_cards(self, player: int) -> dict[int, str]:
        """By mission, the card that a player has played."""
        played = {number: mission["cards"].get(player) for number, mission in enumerate(self.missions, start=1)}
        if player in self.cards:
            played[self.mission] = self.cards[player]
        return {number: card for number, card in played.items() if card is not None}
