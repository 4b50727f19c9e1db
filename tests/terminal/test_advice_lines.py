"""Lines that are typed to the adviser: read forgivingly, and read back as they are shown."""

from __future__ import annotations

import random
from dataclasses import replace
from itertools import product

import pytest

from molehunt.advice.entries import Entry, Seen
from molehunt.advice.file import from_json, to_json
from molehunt.advice.lines import read_hand
from molehunt.advice.session import AdviceSession
from molehunt.advice.words import Reader
from molehunt.core.errors import BadInput
from molehunt.core.language import speaking
from molehunt.games.speed_clue.suggestions import Accusation, HeardSuggestion
from molehunt.terminal.advice_setup import read_names
from terminal.advice_person import DEAL, REPORT, Told


def triple(text: str) -> tuple[int, int, int]:
    first, second, third = (REPORT.find(word) for word in text.split())
    return first, second, third


PE_RO_KI = triple("Pe Ro Ki")


@pytest.mark.parametrize(
    ("line", "entry"),
    [
        ("bob Pe Ro Ki carol", HeardSuggestion(1, PE_RO_KI, 2)),
        ("b ki ro pe c", HeardSuggestion(1, PE_RO_KI, 2)),
        ("Bob mrs peacock rope kitchen Carol", HeardSuggestion(1, PE_RO_KI, 2)),
        ("bob, mrs p, rop, kitch, car", HeardSuggestion(1, PE_RO_KI, 2)),
        ("bob Pe Ro Ki -", HeardSuggestion(1, PE_RO_KI, None)),
        ("bob Pe Ro Ki nobody", HeardSuggestion(1, PE_RO_KI, None)),
        ("me Pe Ro Ki bob r", HeardSuggestion(0, PE_RO_KI, 1, REPORT.find("Rope"))),
        ("ann Pe Ro Ki bob mrs peacock", HeardSuggestion(0, PE_RO_KI, 1, REPORT.find("Pe"))),
        ("me Pe Ro Ki bob ?", HeardSuggestion(0, PE_RO_KI, 1)),
        ("bob lead pipe billiard room miss scarlett me", HeardSuggestion(1, triple("Sc Le Bi"), 0, REPORT.find("Le"))),
        ("c Mu Le Ki me le", HeardSuggestion(2, triple("Mu Le Ki"), 0, REPORT.find("Le"))),
    ],
)
def test_a_suggestion_is_read_forgivingly(line: str, entry: HeardSuggestion) -> None:
    assert Reader(DEAL).suggestion(line) == entry


def test_other_lines_are_read_forgivingly() -> None:
    reader = Reader(DEAL)
    assert reader.accusation("bob Pe Ro Ki n") == Accusation(1, PE_RO_KI, right=False)
    assert reader.accusation("me kitchen, mrs p, rope, right") == Accusation(0, PE_RO_KI, right=True)
    assert reader.seen("bob mrs peacock") == Seen(1, REPORT.find("Pe"))
    assert reader.seen("bob lead pipe no") == Seen(1, REPORT.find("Le"), has=False)
    assert reader.at("env wrench") == (3, REPORT.find("Wr"))
    assert reader.at("lead pipe") == (None, REPORT.find("Le"))
    assert read_hand("Re Gr lead pipe, mrs p Ha Mu", REPORT) == tuple(
        sorted(map(REPORT.find, ["Re", "Gr", "Le", "Pe", "Ha", "Mu"]))
    )


def test_a_player_whose_name_begins_the_envelope_is_meant_by_that_name() -> None:
    deal = replace(DEAL, names=(DEAL.names[0], "En", DEAL.names[2]))
    reader, wrench = Reader(deal), REPORT.find("Wr")
    for place in (1, deal.players):
        entry = Seen(place, wrench, has=False)
        assert reader.seen(reader.line(entry).removeprefix("seen ")) == entry
    assert reader.at("en wrench") == (1, wrench) and reader.at("enve wrench") == (deal.players, wrench)


def test_a_name_that_means_something_in_another_language_is_a_name_there() -> None:
    """A game that was begun in English goes on in German; who sets a table there is told."""
    names = ("Umschlag", "Ich", "Keiner")
    entries: list[Entry] = [Seen(0, REPORT.find("Wr")), Seen(3, REPORT.find("Ro"), has=False)]
    asked = triple("Pl Ro Ha")
    entries += [HeardSuggestion(0, asked, by, card) for by, card in ((1, None), (2, REPORT.find("Ha")), (None, None))]
    begun = to_json(AdviceSession(replace(DEAL, names=names, me=2), entries[:2]))
    with speaking("de"):
        session = from_json(begun)
        reader = Reader(session.deal)
        read = {Seen: reader.seen, HeardSuggestion: reader.suggestion}
        for entry in entries:
            assert read[type(entry)](reader.line(entry).partition(" ")[2]) == entry
        assert session.deal.find_player("me") == 2 and session.deal.find_player("ich") == 1
        for name in ("Umschlag", "keiner"):
            with pytest.raises(BadInput, match="bedeutet hier etwas anderes"):
                read_names(f"Ann, {name}, Ich", REPORT)
            assert "bedeutet hier etwas anderes" in Told([f"rename bob {name}"]).said[f"rename bob {name}"]


def test_every_entry_is_read_back_from_the_line_that_it_is_shown_as() -> None:
    chance = random.Random(5)
    reader = Reader(DEAL)
    mine = DEAL.hand
    for by, disprover in product(range(3), (0, 1, 2, None)):
        if by == disprover:
            continue
        cards = tuple(chance.choice(REPORT.cards(category)) for category in range(3))
        held = [card for card in cards if card in mine]
        card = (
            None
            if disprover is None
            else chance.choice(held or [None])
            if disprover == 0
            else chance.choice([*cards, None])
        )
        entry = HeardSuggestion(by, (cards[0], cards[1], cards[2]), disprover, card)
        assert reader.suggestion(reader.line(entry).partition(" ")[2]) == entry
        accused = Accusation(by, (cards[0], cards[1], cards[2]), right=chance.random() < 0.5)
        assert reader.accusation(reader.line(accused).partition(" ")[2]) == accused
    for has in (True, False):
        assert reader.seen(reader.line(Seen(2, 5, has)).partition(" ")[2]) == Seen(2, 5, has)
