"""The parameters of `exact`."""

from __future__ import annotations

from dataclasses import dataclass

from molehunt.core.language import later
from molehunt.core.specs import parameter

ASK = ("likeliest", "gain")


@dataclass(frozen=True)
class Parameters:
    """What can be set in `exact`."""

    deals: int = parameter(
        1000, later("deals that suggestions are weighed over; all of them where there are fewer"), low=1, high=1_000_000
    )
    seconds: float = parameter(0.0, later("time for one move, in seconds; 0 = any"), low=0.0, high=3600.0)
    ask: str = parameter("likeliest", later("suggest the likeliest envelope, or what tells most"), choices=ASK)
    read: bool = parameter(True, later("read what the others' suggestions betray"))
    never: float = parameter(
        0.8,
        later("how many others, as far as is not known, never name own cards; the rest do from seldom to often"),
        low=0,
        high=1,
    )
    lacked: float = parameter(
        0.3,
        later(
            "how many others, as far as is not known, name first what the most others are known to lack; the rest name any card"
        ),
        low=0,
        high=1,
    )
    fresh: float = parameter(
        0.9,
        later(
            "how many others, as far as is not known, never name a card that they were shown; the rest do from seldom to at random"
        ),
        low=0,
        high=1,
    )
    choose: bool = parameter(
        True, later("weigh that who holds several of the cards asked for chooses which one to show")
    )
    first: float = parameter(
        0.7,
        later("how many others show the first card that fits; half of the rest the last, half a random one"),
        low=0,
        high=1,
    )
    silence: float = parameter(
        0.02, later("the chance that who accuses when certain does not see that they are"), low=0.001, high=1.0
    )
    late: float = parameter(
        0.08,
        later("how many others, as far as is not known, accuse only when a turn of theirs begins"),
        low=0.0,
        high=1.0,
    )
    hasty: float = parameter(
        0.08, later("how many others, as far as is not known, accuse when two envelopes are left"), low=0.0, high=1.0
    )
    silent: float = parameter(
        0.04, later("how many others, as far as is not known, often do not accuse though they could"), low=0.0, high=1.0
    )
    rest: float = parameter(
        0.3, later("what a bit about the others' hands is worth, in bits about the envelope"), low=0.0, high=1.0
    )
    now: float = parameter(
        4.0, later("what the chance to name the envelope after the answer is worth, in bits"), low=0.0, high=10.0
    )
    leak: float = parameter(
        0.0, later("what a mark costs that everybody can put on a sheet, in bits"), low=0.0, high=1.0
    )
    danger: float = parameter(
        0.0, later("what the chance costs that another wins before one's next turn, in bits"), low=0.0, high=100.0
    )
    looked: int = parameter(6, later("suggestions of which that chance is looked into"), low=1, high=1000)
    early: bool = parameter(True, later("accuse before the envelope is certain, where another would win first"))
    likely: float = parameter(
        0.1,
        later("an early accusation must gain with every habit of another that is at least so likely"),
        low=0.0,
        high=1.0,
    )
    least: float = parameter(0.4, later("the least chance with which it accuses early"), low=0.0, high=1.0)
    news: float = parameter(
        0.3,
        later("how much of what is missing the others' turns are expected to tell until one's next"),
        low=0.0,
        high=1.0,
    )
    trials: int = parameter(
        100, later("deals that are played on to one's next turn before an early accusation"), low=1, high=100_000
    )
    askers: int = parameter(
        4, later("deals in which it is looked at what a card shown tells; 0 = show the first"), low=0, high=1000
    )


EDITIONS: dict[str, Parameters] = {
    "tuned": Parameters(),
    "people": Parameters(ask="gain", never=0.15, fresh=0.3, first=0.1, late=0.1, hasty=0.1, silent=0.2),
}
"""What is expected of others before anything is known of them: `tuned` of programs of any kind, `people` of people (untested).

Advice is better what tells most; most people bluff with their own cards at times, they show any card, and overlook things.
"""
