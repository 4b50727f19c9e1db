"""Moves as text: every action is written and read back, forgiving spellings mean the same, and the rest is refused."""

from __future__ import annotations

import random
import string
from itertools import permutations, product

import pytest

from games.speed_clue.playing import ORDERS, SMALL_CARDS, Bits, clue, edition_of, mover, seeds_of, seen_by
from molehunt.core.errors import BadNotation
from molehunt.games.speed_clue.game import SpeedClue
from molehunt.games.speed_clue.notation import format_action

GAME = clue()
CARDS = ("report", "contest", SMALL_CARDS)


def every_move(game: SpeedClue) -> list[str]:
    """Every text that is a move, legal somewhere or not."""
    edition = edition_of(game)
    triples = [", ".join(cards) for cards in product(*edition)]
    moves = [f"{verb} {cards}" for verb in ("suggest", "accuse") for cards in triples]
    return [*moves, *(f"show {card}" for kind in edition for card in kind), "show ?", "end"]


@pytest.mark.parametrize("cards", CARDS, ids=lambda name: name.rpartition("/")[2])
def test_every_move_is_read_and_written_the_same(cards: str) -> None:
    game = clue(3, "mitchell", f"cards={cards}")
    bits = Bits(edition_of(game))
    for move in every_move(game):
        action = game.parse_action(move)
        assert int(action) == bits.action(move)
        assert str(action) == game.format_action(action) == move


@pytest.mark.parametrize("order", ORDERS)
def test_every_legal_action_is_written_and_read_back(order: str) -> None:
    game = clue(3, order)
    known, rng = set(every_move(game)), random.Random(order)
    states = game.new(seeds_of(3, 1))
    for _ in range(6):
        legal = game.legal_actions(seen_by(game, states, mover(game, states)))
        assert {str(action) for action in legal} <= known
        quiet = [action for action in legal if not str(action).startswith("accuse")]
        game.apply(states, game.parse_action(str(rng.choice(quiet))) * (states["moves"] * 0 + 1).astype("int32"))


@pytest.mark.parametrize(
    "text",
    [
        "suggest Mrs Peacock, Rope, Hall",
        "suggest Pe Ro Ha",
        "suggest pe ro ha",
        "suggest Ha, Ro, Pe",
        "suggest Hall, Mrs Peacock, Rope",
        "suggest peacock, rope, hall",
        "suggest peacock rope hall",
        "  suggest   mrs p ,  rop,ha  ",
        "suggest mrs peacock, ro, HALL",
    ],
)
def test_a_suggestion_has_many_spellings(text: str) -> None:
    assert str(GAME.parse_action(text)) == "suggest Mrs Peacock, Rope, Hall"
    accusation = GAME.parse_action(text.replace("suggest", "accuse"))
    assert str(accusation) == "accuse Mrs Peacock, Rope, Hall"


def test_every_order_of_every_three_codes_is_read() -> None:
    edition, rng = GAME.edition, random.Random(0)
    for cards in rng.sample(list(product(*(edition.cards(category) for category in range(3)))), 100):
        names = ", ".join(edition.names[card] for card in cards)
        for order in permutations(cards):
            for separator in (" ", ", ", ","):
                codes = separator.join(edition.codes[card] for card in order)
                assert str(GAME.parse_action(f"suggest {codes}")) == f"suggest {names}"


@pytest.mark.parametrize(("text", "card"), [("show peac", "Mrs Peacock"), ("show Ro", "Rope"), ("show  hall ", "Hall")])
def test_a_card_to_show_has_many_spellings(text: str, card: str) -> None:
    assert str(GAME.parse_action(text)) == f"show {card}"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("sugest Pe Ro Ha", "did you mean 'suggest'"),
        ("Suggest Pe Ro Ha", "did you mean 'suggest'"),
        ("guess", "moves are suggest or accuse Miss Scarlett, Candlestick, Ballroom, show CARD, end"),
        ("suggest", "must name a suspect, a weapon and a location"),
        ("suggest Pe Ro", "must name a suspect, a weapon and a location"),
        ("suggest Pe Ro Ha Ki", "must name a suspect, a weapon and a location"),
        ("suggest Mrs Peacock Rope Hall", "with commas between them"),
        ("suggest Pe Pl Ha", "one suspect, one weapon and one location"),
        ("suggest Pe Pe Pe", "one suspect, one weapon and one location"),
        ("suggest Pe, , Ha", "no card is called"),
        ("suggest ? ? ?", "no card is called"),
        ("accuse Pe Ro Nowhere", "no card is called 'Nowhere'"),
        ("show", "no card is called"),
        ("show Pe Ro", "no card is called"),
        ("show ? ?", "no card is called"),
        ("end now", "nothing comes after end"),
    ],
)
def test_what_is_no_move_is_refused_with_what_would_be_right(text: str, message: str) -> None:
    with pytest.raises(BadNotation) as refused:
        GAME.parse_action(text)
    assert message in str(refused.value)


def test_of_two_thousand_texts_each_is_a_move_or_bad_notation() -> None:
    rng = random.Random("texts")
    words = [*GAME.edition.names, *GAME.edition.codes, "suggest", "accuse", "show", "end", "?", ",", "", "mrs", "room"]
    alphabet = string.printable + "äß€🂡\0\u202e"
    known = set(every_move(GAME))
    read = 0
    for number in range(2000):
        if number % 3 == 0:
            text = "".join(rng.choices(alphabet, k=rng.randrange(40)))
        elif number % 3 == 1:
            text = (
                rng.choice(("suggest", "accuse", "show", "end"))
                + " "
                + rng.choice((" ", ", ")).join(rng.choices(words, k=rng.randrange(5)))
            )
        else:
            letters = list(rng.choice(sorted(known)))
            for _ in range(rng.randrange(3)):
                letters[rng.randrange(len(letters))] = rng.choice(alphabet)
            text = "".join(letters)
        try:
            action = GAME.parse_action(text)
        except BadNotation:
            continue
        assert str(action) in known
        read += 1
    assert 200 < read < 1900


@pytest.mark.parametrize("code", [0, 1, -1, 3 << 16 | 30, 3 << 16 | 21, 4 << 16 | 1, 1 << 16, 5 << 16, 2**31 - 1])
def test_an_int_that_is_no_action_is_written_as_its_number(code: int) -> None:
    assert format_action(code, GAME.edition) == f"action {code}"
