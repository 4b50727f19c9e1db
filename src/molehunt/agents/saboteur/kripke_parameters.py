"""Every number of the players of 2012 (`kripke-2012`), with its name. Where the paper gives it, that is said; else it is ours."""

from __future__ import annotations

from dataclasses import dataclass, replace

from molehunt.core.language import later
from molehunt.core.specs import parameter

EXPLICIT, ADAPTIVE, UNDERCOVER = range(3)
STRATEGIES = ("explicit", "adaptive", "undercover")


@dataclass(frozen=True)
class Kripke2012:
    """The parameters; the defaults are the paper's "normal settings" and our reconstruction of the rest."""

    depth: int = parameter(
        2,
        later(
            "1: beliefs about roles; 2: also about what others believe (paper); 3: also about what these believe of each other"
        ),
        low=1,
        high=3,
    )
    strategy: str = parameter("adaptive", later("when a saboteur stops playing a miner (paper)"), choices=STRATEGIES)
    disbelief: float = parameter(
        1.5, later("how much stronger a belief falls than it rises (paper: 1.5 or 5)"), low=0.0
    )
    # The strengths.
    start: float = parameter(0.0, later("strength of a state after the deal"))
    step: float = parameter(1.0, later("one plus of the chart"), low=0.0)
    strong: float = parameter(2.0, later("how many steps two plusses are"), low=0.0)
    threshold: float = parameter(-3.0, later("a state is believed from this strength on"))
    limit: float = parameter(6.0, later("strengths stay between minus this and this"), low=0.0)
    # The chart.
    shortens_much: float = parameter(
        2.0, later("a card that shortens the best way by so many cards: M(i)++ S(i)-"), low=0.0
    )
    shortens: float = parameter(0.5, later("a card that shortens it by so many: M(i)+"), low=0.0)
    lengthens: float = parameter(0.5, later("a card that lengthens it by so many: S(i)++ M(i)--"), low=0.0)
    path_weight: float = parameter(1.0, later("weight of what path cards and rockfalls show"), low=0.0)
    block_weight: float = parameter(1.0, later("weight of what blocks and deblocks show"), low=0.0)
    claim_weight: float = parameter(1.0, later("weight of what claims show"), low=0.0)
    discard_weight: float = parameter(1.0, later("weight of what throwing a card away unblocked shows"), low=0.0)
    # Depth two.
    trust_miner: float = parameter(
        1.0, later("trusted: a miner in more than so many believed states of ten (paper)"), low=0.0
    )
    trust_saboteur: float = parameter(1.0, later("... and a saboteur in at most so many (paper)"), low=0.0)
    borrow: float = parameter(
        0.1, later("share of the way that a miner's strengths move to those of the most trusted"), low=0.0, high=1.0
    )
    suspect_miner: float = parameter(
        1.0, later("suspected: a miner in at most so many believed states of ten (paper)"), low=0.0
    )
    suspecting: int = parameter(
        2, later("an adaptive saboteur stops pretending when so many suspect them (paper)"), low=1, high=9
    )
    close: float = parameter(2.0, later("... or when a goal is so many cards away (paper: two steps)"), low=0.0)
    doubt: float = parameter(
        0.1, later("the least chance that a claim is false, and that it is true"), low=0.0, high=0.5
    )
    # The evaluations: the best card is played if it is worth more than `worth`, else one is thrown away.
    worth: float = parameter(0.0, later("a card is played if its value exceeds this"))
    most: float = parameter(5.0, later("a change of the best way counts for at most so many cards"), low=0.0)
    path_gain: float = parameter(1.0, later("miner, path card or rockfall: per card that the best way gets shorter"))
    path_open: float = parameter(0.02, later("miner, tunnel card: per open edge"))
    path_idle: float = parameter(0.05, later("miner, tunnel card that does not change the best way"))
    look: float = parameter(3.0, later("miner: a map while the gold is not known for sure"))
    block: float = parameter(2.5, later("miner: a block, times the suspicion of its target"))
    suspicious: float = parameter(
        0.5, later("... if the target is a saboteur in more than this share of the states"), low=0.0, high=1.0
    )
    free_self: float = parameter(3.5, later("miner: a deblock of oneself"))
    free_other: float = parameter(2.0, later("miner: a deblock of another, times the belief that they are a miner"))
    cover: float = parameter(
        0.5, later("saboteur playing a miner: a path card that shortens the best way by more is not played"), low=0.0
    )
    harm: float = parameter(
        1.5, later("explicit saboteur, path card or rockfall: per card that the best way gets longer")
    )
    astray: float = parameter(0.1, later("explicit saboteur: a path card that leads elsewhere"))
    saboteur_look: float = parameter(1.0, later("explicit saboteur: a map while the gold is not known for sure"))
    saboteur_block: float = parameter(2.5, later("saboteur: a block, times the belief that its target is a miner"))
    saboteur_free: float = parameter(3.0, later("explicit saboteur: a deblock of their own"))
    # What is thrown away: the card with the lowest number.
    keep_tunnel: float = parameter(3.0, later("miner: how much a tunnel card is worth keeping"))
    keep_dead_end: float = parameter(0.0, later("miner: a dead-end"))
    keep_map: float = parameter(1.0, later("miner: a map that is of no use now"))
    keep_block: float = parameter(1.5, later("miner: a block"))
    keep_deblock: float = parameter(2.5, later("miner: a deblock"))
    keep_rockfall: float = parameter(2.0, later("miner: a rockfall"))
    saboteur_keep_tunnel: float = parameter(0.0, later("saboteur: a tunnel card (good path cards go first)"))
    saboteur_keep_dead_end: float = parameter(2.5, later("saboteur: a dead-end"))
    saboteur_keep_map: float = parameter(1.0, later("saboteur: a map that is of no use now"))
    saboteur_keep_block: float = parameter(3.0, later("saboteur: a block"))
    saboteur_keep_deblock: float = parameter(2.0, later("saboteur: a deblock"))
    saboteur_keep_rockfall: float = parameter(2.5, later("saboteur: a rockfall"))


NORMAL = Kripke2012()
EDITIONS = {
    "normal": NORMAL,
    "depth-1": replace(NORMAL, depth=1),
    "strong-disbelief": replace(NORMAL, disbelief=5.0),
    "explicit": replace(NORMAL, strategy="explicit"),
    "undercover": replace(NORMAL, strategy="undercover"),
}
"""The paper's executable is `strong-disbelief`."""
