"""A player in plain Python: digs towards the gold as a miner, breaks tools and lays dead-ends as a saboteur.

molehunt arena saboteur/krisnadi --agents-from examples/digger.py --seats digger,random*4 --games 200 --rotate
"""

import molehunt


class Digger(molehunt.Player):
    def choose(self, view):
        """The legal action with the highest worth; `random` breaks ties, so the same seed plays the same game."""
        return max(view.legal_actions, key=lambda action: (self.worth(str(action), view), self.random.random()))

    def worth(self, move, view):
        """How much a move is worth, from its notation: P_NSE@3,2r, map:top, break:cart>4, discard:P_EW, ..."""
        miner = view.role == "miner"
        if move.startswith("P_"):
            return self.column(move) if miner else -1
        if move.startswith("D_"):
            return -1 if miner else self.column(move)
        if move.startswith("map:") and "gold" not in view.goals.values():
            place = move.removeprefix("map:")
            return 5 if view.goals[place] is None else -1
        if move.startswith("fix:"):
            return 6 if move.endswith(f">{view.seat}") else 0
        if move.startswith("break:"):
            return 0 if miner else 4
        if move.startswith("discard:"):
            return 0.5 if miner == move.startswith("discard:D_") else 0.2
        return 0

    def column(self, move):
        """How far along the way to the goals a card is laid: x, from 0 to 8."""
        return int(move.partition("@")[2].partition(",")[0])
