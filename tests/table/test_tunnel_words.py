"""The words of both games of tunnels: every move and event has some, and they tell what the event holds and no more."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from types import ModuleType, SimpleNamespace
from typing import Any

import numpy as np
import pytest

from molehunt.core.errors import BadNotation
from molehunt.core.game import Game
from molehunt.core.language import speaking
from molehunt.core.seats import NOBODY
from molehunt.games.duel import cards as duel_cards
from molehunt.games.registry import make_game
from molehunt.games.saboteur import cards as saboteur_cards
from molehunt.table import duel_words, saboteur_words

NAMES = ("Ann", "Bob", "Carol", "Dave", "Eve")
TABLES = {
    "krisnadi": ("saboteur", "krisnadi", 5),
    "official+talk": ("saboteur", "official+talk", 4),
    "veldhuis": ("saboteur", "veldhuis", 5),
    "veldhuis with speech": ("saboteur", "veldhuis:speak=yes,rounds=1", 5),
    "krisnadi with speech": ("saboteur", "krisnadi:speak=yes", 5),
    "duel": ("duel", "mcgill", 2),
}
WORDS: dict[str, ModuleType] = {"saboteur": saboteur_words, "duel": duel_words}


def events_of(game: Game, seed: int) -> Iterator[tuple[list[str], Any]]:
    """The legal moves at every move of a random game, and the events that all seats receive."""
    states = game.new(np.array([seed], np.uint64))
    chance = np.random.default_rng(seed)
    while (seat := int(game.to_move(states)[0])) != NOBODY:
        legal = game.legal_actions(game.views(states, np.array([seat], np.int8)))
        action = int(legal[int(chance.integers(len(legal)))])
        moves = [str(move) for move in legal]
        yield moves, game.apply(states, np.array([action], np.int32))[0]


@pytest.mark.parametrize("table", TABLES)
def test_every_move_and_every_event_of_random_games_has_words(table: str) -> None:
    name, ruleset, seats = TABLES[table]
    game, words, names = make_game(name, ruleset, seats), WORDS[name], NAMES[:seats]
    for seed in range(4):
        for moves, events in events_of(game, seed):
            mover = int(events[0]["seat"])
            said = [words.move_words(move, names, mover) for move in moves]
            assert len(set(said)) == len(moves), "two moves with the same words"
            for seat, event in enumerate(events):
                friendly = game.friendly_event(event)
                told = words.sentence(friendly, names, seat)
                assert told.startswith("You " if seat == mover else names[mover]) and told.endswith(".")
                assert names[seat] not in told
                assert "You" not in words.sentence(friendly, names, None)


@pytest.mark.parametrize("table", TABLES)
def test_others_are_not_told_what_only_the_mover_may_know(table: str) -> None:
    name, ruleset, seats = TABLES[table]
    game, words = make_game(name, ruleset, seats), WORDS[name]
    hidden = 0
    for _, events in events_of(game, 7):
        mover = int(events[0]["seat"])
        own = game.friendly_event(events[mover])
        for seat in set(range(seats)) - {mover}:
            told = words.sentence(game.friendly_event(events[seat]), NAMES, seat)
            assert "draw" not in told
            if own.move.startswith(("discard:", "drop:")):
                assert f"{NAMES[mover]} discards a card." in told
                hidden += 1
            if own.seen:
                assert f"{NAMES[mover]} looks at the {own.move.partition(':')[2]} goal." in told
                hidden += 1
    assert hidden


def test_every_card_has_a_title_of_its_own() -> None:
    for names, title in (
        (saboteur_cards.CARD_NAMES, saboteur_words.card_title),
        (duel_cards.CARD_NAMES, duel_words.card_title),
    ):
        assert len({title(name) for name in names}) == len(names)


@pytest.mark.parametrize(
    ("title", "name", "said"),
    [
        (saboteur_words.card_title, "P_NESW", "crossing"),
        (saboteur_words.card_title, "P_NS", "straight tunnel up-down"),
        (saboteur_words.card_title, "P_NSE", "T-junction up-down-right"),
        (saboteur_words.card_title, "D_SW", "dead-end bend down-left"),
        (saboteur_words.card_title, "D_N", "dead end up"),
        (saboteur_words.card_title, "break:cart", "broken cart"),
        (saboteur_words.card_title, "fix:cart+lantern", "repair: cart or lantern"),
        (saboteur_words.card_title, "rockfall", "rockfall"),
        (duel_words.card_title, "5", "bend down-right"),
        (duel_words.card_title, "malus", "malus"),
    ],
)
def test_cards_are_called_by_their_shapes(title: Callable[[str], str], name: str, said: str) -> None:
    assert title(name) == said


@pytest.mark.parametrize(
    ("words", "move", "said"),
    [
        (saboteur_words, "P_NESW@3,1", "Lay a crossing at 3,1"),
        (saboteur_words, "P_NSE@3,-1r", "Lay a T-junction up-down-left at 3,-1"),
        (saboteur_words, "break:lantern>1", "Break Bob's lantern"),
        (saboteur_words, "break:lantern>0", "Break your own lantern"),
        (saboteur_words, "fix:cart+lantern>0/cart", "Mend your cart with the cart and lantern card"),
        (saboteur_words, "fix:cart+lantern>1", "Mend Bob's tools with the cart and lantern card"),
        (saboteur_words, "fix:cart>1", "Mend Bob's cart"),
        (saboteur_words, "fix:cart>1/cart", "Mend Bob's cart"),
        (saboteur_words, "block>0", "Block yourself"),
        (saboteur_words, "deblock>2", "Take away Carol's block"),
        (saboteur_words, "map:top", "Look at the top goal"),
        (saboteur_words, "claim:top=gold", "Say that the top goal is gold"),
        (saboteur_words, "accuse>1", "Accuse Bob"),
        (saboteur_words, "ask:lantern", "Ask for your lantern to be mended"),
        (saboteur_words, "ask:block", "Ask for your block to be taken away"),
        (saboteur_words, "rockfall@3,1", "Play a rockfall on 3,1"),
        (saboteur_words, "discard:map", "Discard the map"),
        (saboteur_words, "discard:fix:cart", "Discard the cart repair"),
        (duel_words, "5_flip@7,5", "Lay a bend up-left at 7,5"),
        (duel_words, "malus", "Lay a malus in front of Bob"),
        (duel_words, "bonus", "Play a bonus against a malus"),
        (duel_words, "destroy@6,5", "Destroy the tile at 6,5"),
        (duel_words, "drop:destroy", "Discard the destroy card"),
    ],
)
def test_moves_are_said_as_what_to_do(words: ModuleType, move: str, said: str) -> None:
    assert words.move_words(move, NAMES, 0) == said


@pytest.mark.parametrize(
    ("move", "said"),
    [
        ("ask:lantern", "Ask for the lantern to be mended"),
        ("ask:block", "Ask for the block to be taken away"),
        ("break:lantern>0", "Break Ann's lantern"),
        ("deblock>0", "Take away Ann's block"),
    ],
)
def test_nothing_is_the_readers_in_a_move_that_another_speaks_of(move: str, said: str) -> None:
    assert saboteur_words.move_words(move, NAMES, None) == said


@pytest.mark.parametrize("table", ["krisnadi", "duel"])
def test_a_tunnel_is_called_before_it_is_laid_as_it_is_called_afterwards(table: str) -> None:
    name, ruleset, seats = TABLES[table]
    game, words, names = make_game(name, ruleset, seats), WORDS[name], NAMES[:seats]
    laid = 0
    for _, events in events_of(game, 3):
        event = game.friendly_event(events[0])
        before = words.move_words(event.move, names, None) if "?" not in event.move else ""
        if before.startswith("Lay a ") and "malus" not in before:
            assert before.removeprefix("Lay ") in words.sentence(event, names, None)
            laid += 1
    assert laid


@pytest.mark.parametrize("words", [saboteur_words, duel_words])
def test_words_for_what_is_no_move_are_refused(words: ModuleType) -> None:
    with pytest.raises(BadNotation, match="moves look like"):
        words.move_words("action 123", NAMES, 0)


@dataclass
class Told:
    """An event of Saboteur as a seat receives it."""

    seat: int
    move: str
    seen: str | None = None
    drew: str | None = None
    mended: frozenset[str] = frozenset()
    removed: tuple[str, bool] | None = None
    revealed: dict[str, str] | None = None
    ended: str | None = None
    roles: tuple[str, ...] | None = None
    gained: int = 0
    role: str | None = None

    def __post_init__(self) -> None:
        self.revealed = self.revealed or {}


ROLES = ("miner", "saboteur", "saboteur", "miner", "miner")


@pytest.mark.parametrize(
    ("event", "said"),
    [
        (Told(1, "P_NS@3,1"), "Bob lays a straight tunnel up-down at 3,1."),
        (Told(1, "P_SE@3,1r"), "Bob lays a bend up-left at 3,1."),
        (Told(0, "map:top", seen="gold"), "You look at the top goal: it is the gold."),
        (Told(1, "claim:top=gold"), "Bob says: gold at the top goal."),
        (Told(0, "accuse>1"), "You say that Bob is a saboteur."),
        (Told(1, "accuse>0"), "Bob says that you are a saboteur."),
        (Told(1, "accuse>2"), "Bob says that Carol is a saboteur."),
        (Told(0, "ask:cart"), "You ask for your cart to be mended."),
        (Told(1, "ask:cart"), "Bob asks for the cart to be mended."),
        (Told(1, "ask:block"), "Bob asks for the block to be taken away."),
        (Told(1, "break:lantern>0"), "Bob breaks your lantern."),
        (Told(1, "break:cart>1"), "Bob breaks their own cart."),
        (Told(0, "break:cart>0"), "You break your own cart."),
        (Told(0, "fix:cart+lantern>0", mended=frozenset({"lantern", "cart"})), "You mend your own cart and lantern."),
        (Told(1, "block>0"), "Bob lays a block in front of you."),
        (Told(0, "block>0"), "You lay a block in front of yourself."),
        (Told(1, "deblock>2"), "Bob takes away Carol's block."),
        (Told(1, "rockfall@3,1", removed=("P_NESW", False)), "Bob plays a rockfall on 3,1: the crossing is gone."),
        (Told(1, "discard:?"), "Bob discards a card."),
        (Told(0, "discard:map", drew="break:cart"), "You discard the map. You draw a broken cart."),
        (
            Told(
                1,
                "P_EW@7,0",
                revealed={"top": "rock1", "middle": "gold"},
                ended="gold",
                roles=ROLES,
                gained=3,
                role="saboteur",
            ),
            (
                "Bob lays a straight tunnel left-right at 7,0. The top goal turns over: it is a stone. "
                "The middle goal turns over: it is the gold. The round is over: the gold was reached. "
                "Bob and Carol were the saboteurs. You are paid 3 nuggets. In the next round you are a saboteur."
            ),
        ),
        (
            Told(1, "discard:?", ended="exhausted", roles=("saboteur", *["miner"] * 4)),
            (
                "Bob discards a card. The round is over: all cards are gone and the gold was not reached. You were the saboteur. "
                "You are paid nothing."
            ),
        ),
    ],
)
def test_events_of_saboteur_as_sentences(event: Any, said: str) -> None:
    assert saboteur_words.sentence(event, NAMES, 0) == said


def test_of_the_reader_among_the_saboteurs_it_is_said_as_the_language_has_it() -> None:
    event: Any = Told(0, "discard:?", ended="exhausted", roles=ROLES)
    assert "Bob and you were the saboteurs." in saboteur_words.sentence(event, NAMES, 2)
    with speaking("de"):
        assert "Bob und du wart die Saboteure." in saboteur_words.sentence(event, NAMES, 2)
        assert "Bob und Carol waren die Saboteure." in saboteur_words.sentence(event, NAMES, 0)


def test_a_watcher_is_told_of_nobody_as_you() -> None:
    event: Any = Told(0, "break:cart>1", ended="exhausted", roles=ROLES)
    assert saboteur_words.sentence(event, NAMES, None) == (
        "Ann breaks Bob's cart. The round is over: all cards are gone and the gold was not reached. "
        "Bob and Carol were the saboteurs."
    )


@pytest.mark.parametrize(
    ("seat", "move", "more", "said"),
    [
        (1, "5_flip@7,5", {}, "Bob lays a bend up-left at 7,5."),
        (
            0,
            "map:left",
            {"seen": "nugget", "drew": "map"},
            "You look at the left goal: it is the nugget. You draw a map.",
        ),
        (1, "malus", {}, "Bob lays a malus in front of you."),
        (0, "bonus", {}, "You play a bonus and are rid of a malus."),
        (1, "destroy@6,5", {"removed": "8"}, "Bob destroys the crossing at 6,5."),
        (1, "drop:?", {}, "Bob discards a card."),
        (
            1,
            "8@11,5",
            {"revealed": {"left": "blank", "middle": "nugget"}},
            (
                "Bob lays a crossing at 11,5. The left goal is reached: it is blank. The middle goal is reached: it is the nugget. "
                "Bob wins."
            ),
        ),
    ],
)
def test_events_of_the_duel_as_sentences(seat: int, move: str, more: dict[str, Any], said: str) -> None:
    event: Any = SimpleNamespace(
        seat=seat, move=move, **{"seen": None, "drew": None, "removed": None, "revealed": {}} | more
    )
    assert duel_words.sentence(event, NAMES[:2], 0) == said
