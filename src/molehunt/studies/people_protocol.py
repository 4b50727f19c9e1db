"""What a person is told and asked who plays for docs/people.md: the consent, the questions, and when they are asked."""

from __future__ import annotations

import msgspec

PROTOCOL = 1
"""Which wording of this file it is; it is kept with every person who agreed to it."""

CONSENT = (
    (
        "You will play a card game against computer players, up to 54 games in several sittings. You may stop at any time, "
        "without giving a reason; games that you have finished stay unless you ask for them to be deleted, which you may do until "
        "the day of the analysis."
    ),
    (
        "What is kept: your moves, who won, and your answers to some questions, under a number. Your name, your address and the "
        "times at which you played are not kept. What is kept may be published under that number. The players are programs; "
        "nobody judges you."
    ),
)
"""What is agreed to before the first game, in paragraphs."""
AGREEMENT = "I am an adult, I have read this, and I agree to take part."


class Question(msgspec.Struct, frozen=True):
    """A question: what it is kept under, its words, and what may be answered; without choices, any words."""

    id: str
    text: str
    choices: tuple[str, ...] = ()


OFTEN = ("never", "at times", "often")
LAST = (
    Question("experience", "How often had you played Cluedo or Clue before?", ("never", "a few times", "often")),
    Question("notes", "What did you write down besides your sheet?"),
    Question("own_cards", "Did you name cards of your own in suggestions?", OFTEN),
    Question(
        "own_cards_why",
        "If you did: what for?",
        ("I did not", "to hide them", "so that only one card could be shown", "for both", "for something else"),
    ),
    Question("concluded", "Did you conclude anything from which cards others kept suggesting, and what?"),
    Question("early", "Did you accuse before you were certain?", OFTEN),
)
"""Asked once, at the end of the series or when somebody stops."""
STRONGER = ("no", "in some games", "in most games")


def questions_after(players: int) -> tuple[Question, ...]:
    """Asked after all games with a number of players, before their strategies are told."""
    return (
        Question(f"stronger_{players}", "Did some of these computer players seem stronger than others?", STRONGER),
        Question(f"stronger_{players}_why", "If they did: what told you?"),
    )


LONGEST = 2000
"""Signs of an answer in words of one's own."""
