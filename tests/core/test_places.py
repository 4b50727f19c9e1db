"""Names of places have signs where a page may show the board turned, and nowhere else."""

from __future__ import annotations

import re

import msgspec
import pytest
from msgspec.structs import replace

from molehunt.agents.registry import Agents
from molehunt.core.language import speaking
from molehunt.core.panels import Drawing
from molehunt.core.places import PLACE_SIGN, SIDE_SIGN, place_said, side_said, signed_places, unsigned
from molehunt.games.registry import make_game
from molehunt.table import reasons
from molehunt.table.plain_words import plain_reason
from molehunt.table.session import Session, Sitter

BARE = {
    "en": re.compile(rf"\b(?:top|middle|bottom)\b(?!{PLACE_SIGN})", re.IGNORECASE),
    "de": re.compile(rf"\b(?:oben|in der Mitte|unten|links|rechts)\b(?![{PLACE_SIGN}{SIDE_SIGN}])", re.IGNORECASE),
}
"""Names of goals without a sign; in English, the names of goals of Saboteur, which are no other words."""
TABLES = [
    ("means-ends-2016", "decision-2019", "kripke-2012", "mole:worlds=1", "learned"),
    ("stranger", "ismcts:iterations=50", "random", "mole:worlds=1", "kripke-2012"),
]
MOVES = 20


def test_signs_come_for_pages_alone() -> None:
    assert (place_said("top"), side_said("left")) == ("top", "left")
    with signed_places(), speaking("de"):
        assert (place_said("top"), side_said("left")) == (f"oben{PLACE_SIGN}", f"links{SIDE_SIGN}")
        with signed_places(False):
            assert place_said("top") == "oben"
        assert unsigned(f"{place_said('top')}, {side_said('left')}") == "oben, links"
    assert place_said("top") == "top"


def told(game: Session) -> list[str]:
    """All that the players of a game say of their moves, and believe."""
    why = [plain_reason(game.game, text, game.names) for text in reasons.every_reason(game)]
    found = [text for reason in why for text in (reason.text, *(choice.words for choice in reason.choices))]
    seats = range(game.game.seats)
    panels = [panel for seat in seats for step in reasons.course_of_beliefs(game, seat) for panel in step]
    drawn = [replace(panel, svg="") if isinstance(panel, Drawing) else panel for panel in panels]
    return found + [msgspec.json.encode(panel).decode() for panel in drawn]


@pytest.mark.parametrize("players", TABLES)
def test_every_goal_that_a_player_names_has_its_sign(players: tuple[str, ...]) -> None:
    sitters = [Sitter(f"P{seat}", Agents("saboteur").make(player)) for seat, player in enumerate(players)]
    game = Session(make_game("saboteur", "official+talk:rounds=1", 5), sitters, 7)
    for _ in range(MOVES):
        game.step()
    for code, bare in BARE.items():
        with speaking(code):
            plain = told(game)
            with signed_places():
                signed = told(game)
        assert [unsigned(text) for text in signed] == plain
        assert sum(PLACE_SIGN in text for text in signed) > MOVES / 2
        assert [text for text in signed if bare.search(text)] == []
