"""Speed Clue as a page shows it: a finished game with all cards open."""

from __future__ import annotations

from molehunt.agents.registry import Agents
from molehunt.games.registry import make_game
from molehunt.table.session import Session, Sitter
from molehunt.web import faces
from molehunt.web.clue_face import CluePosition

NAMES = ("Ann", "Bob", "Carol")


def test_with_all_cards_open_every_card_that_was_shown_lies_in_the_hand_of_who_showed_it() -> None:
    player = Agents("speed_clue").make("advanced")
    session = Session(make_game("speed_clue", "mitchell", 3), [Sitter(name, player) for name in NAMES], 5)
    while session.step():
        pass
    found = faces.open_position(session.game, session.truth(), NAMES)
    assert isinstance(found, CluePosition)
    assert found.hands is not None and found.envelope is not None
    answered = [made for made in found.record if made.disprover is not None]
    assert len(answered) > 3
    for made in answered:
        assert made.disprover is not None and made.shown is not None
        assert made.shown in made.cards
        assert made.shown in found.hands[made.disprover]
    assert sorted(card for cards in (*found.hands, found.envelope) for card in cards) == list(range(21))
