"""Card sets: the built-in ones, those of a JSON file, every fault of a file, and names as people type them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from games.speed_clue.playing import SMALL_CARDS, clue, edition_of
from molehunt.core.errors import BadInput, BadNotation
from molehunt.games.speed_clue.edition import BUILT_IN, Edition, load_edition, read_edition
from reference.speed_clue import FULL_EDITION

REPORT = load_edition("report")
CONTEST = load_edition("contest")

# The codes of the contest's protocol, in its order.
CONTEST_CODES: tuple[str, ...] = ("Gr", "Mu", "Pe", "Pl", "Sc", "Wh", "Ca", "Kn", "Pi", "Re", "Ro", "Wr")
CONTEST_CODES += ("Ba", "Bi", "Co", "Di", "Ha", "Ki", "Li", "Lo", "St")


def cards(**changes: Any) -> dict[str, Any]:
    """A card set of two cards each, with changes."""
    small: dict[str, Any] = {
        "title": "six cards",
        "suspects": {"Ann": "An", "Bob": "Bo"},
        "weapons": {"Saw": "Sa", "Axe": "Ax"},
        "locations": {"Loft": "Lo", "Yard": "Ya"},
    }
    return small | changes


def read(**changes: Any) -> Edition:
    return read_edition("mine", json.dumps(cards(**changes)))


# --- What there is ----------------------------------------------------------------------------------------------------


def test_report_has_the_cards_of_the_2020_report() -> None:
    assert REPORT.counts == (6, 6, 9)
    assert edition_of(clue()) == FULL_EDITION


def test_contest_has_the_codes_of_the_contest() -> None:
    assert CONTEST.codes == CONTEST_CODES
    assert CONTEST.counts == (6, 6, 9)


@pytest.mark.parametrize("name", [*BUILT_IN, SMALL_CARDS])
def test_cards_are_numbered_through_suspects_weapons_and_locations(name: str) -> None:
    edition = load_edition(name)
    assert [card for category in range(3) for card in edition.cards(category)] == list(range(len(edition.names)))
    assert [edition.first(category) for category in range(3)] == [0, edition.counts[0], sum(edition.counts[:2])]
    assert all(edition.category(card) == category for category in range(3) for card in edition.cards(category))
    assert edition.mask(list(edition.names)) == 2 ** len(edition.names) - 1
    assert edition.mask([edition.names[3]]) == 8


# --- Files ------------------------------------------------------------------------------------------------------------


def test_any_names_and_any_counts_can_be_read(tmp_path: Path) -> None:
    path = tmp_path / "mine.json"
    path.write_text(json.dumps(cards(suspects={"Zoë of the Hill": "Zo", "Q": "Q", "X 9": "X9"})), "utf-8")
    edition = load_edition(str(path))
    assert edition.counts == (3, 2, 2) and edition.title == "six cards"
    assert edition.names == ("Zoë of the Hill", "Q", "X 9", "Saw", "Axe", "Loft", "Yard")
    assert edition.codes == ("Zo", "Q", "X9", "Sa", "Ax", "Lo", "Ya")


def test_the_title_may_be_left_out() -> None:
    data = cards()
    del data["title"]
    assert read_edition("mine", json.dumps(data)).title == "mine"


def test_as_many_cards_as_fit_in_a_move_can_be_read_and_no_more() -> None:
    places = {f"Place {chr(65 + n)}": f"P{chr(65 + n)}" for n in range(26)}
    assert len(read(locations={**places, "Other": "Ot"}).names) == 31
    with pytest.raises(BadInput, match="has 32 cards; at most 31"):
        read(locations={**places, "Other": "Ot", "Another": "An2"})


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "is not JSON"),
        ("{", "is not JSON"),
        ("[" * 100_000, "is not JSON"),
        ("[]", "must be an object"),
        ("3", "must be an object"),
        ("{}", "suspects must map names"),
        (json.dumps(cards(weapons=["Saw", "Axe"])), "weapons must map names"),
        (json.dumps(cards(locations={"Loft": 1, "Yard": 2})), "locations must map names"),
        (json.dumps(cards(suspects={"Ann": "An"})), "at least 2 suspects, not 1"),
        (json.dumps(cards(weapons={})), "at least 2 weapons, not 0"),
        (json.dumps(cards(weapons={"Ann": "Sa", "Axe": "Ax"})), "the name 'ann' must be given once"),
        (json.dumps(cards(weapons={"ann.": "Sa", "Axe": "Ax"})), "the name 'ann' must be given once"),
        (json.dumps(cards(weapons={"Saw": "an", "Axe": "Ax"})), "the code 'an' must be given once"),
        (json.dumps(cards(weapons={"": "Sa", "Axe": "Ax"})), "not be empty"),
        (json.dumps(cards(weapons={"?!": "Sa", "Axe": "Ax"})), "not be empty"),
        (json.dumps(cards(weapons={"Saw": "", "Axe": "Ax"})), "not be empty"),
        (json.dumps(cards(weapons={"Saw, rusty": "Sa", "Axe": "Ax"})), "no comma"),
    ],
)
def test_a_file_with_a_fault_is_refused_and_the_fault_named(text: str, message: str) -> None:
    with pytest.raises(BadInput, match=message) as refused:
        read_edition("mine", text)
    assert "mine" in str(refused.value) and len(str(refused.value)) < 300


def test_a_file_that_cannot_be_read_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=r"no card set .*report, contest"):
        load_edition(str(tmp_path / "none.json"))
    with pytest.raises(BadInput, match="no card set"):
        load_edition(str(tmp_path))
    binary = tmp_path / "binary.json"
    binary.write_bytes(b"\xff\xfe\x00\x81")
    with pytest.raises(BadInput, match="not a text file"):
        load_edition(str(binary))


def test_a_name_that_no_file_can_have_is_refused() -> None:
    for name in ("a" * 5000, "nul\0"):
        with pytest.raises(BadInput, match="no card set"):
            load_edition(name)


# --- Names as people type them ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text", ["Mrs Peacock", "mrs. peacock", "peacock", "PEACOCK", "mrs p", "Pe", "pe", " Pe ", "peac"]
)
def test_one_card_has_many_names(text: str) -> None:
    assert REPORT.names[REPORT.find(text)] == "Mrs Peacock"


@pytest.mark.parametrize("name", [*BUILT_IN, SMALL_CARDS])
def test_every_card_is_found_by_name_code_and_alone_in_its_category(name: str) -> None:
    edition = load_edition(name)
    for card in range(len(edition.names)):
        for text in (edition.names[card], edition.codes[card]):
            for spelled in (text, text.lower(), text.upper(), f"  {text}."):
                assert edition.find(spelled) == edition.find(spelled, edition.category(card)) == card


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "no card is called"),
        ("?", "no card is called"),
        ("Mr Nobody", "no card is called"),
        ("room", "may be Billiard Room or Dining Room"),
        ("s", "may be Miss Scarlett or Study"),
        ("x" * 5000, "no card is called"),
    ],
)
def test_what_is_no_card_or_more_than_one_is_refused(text: str, message: str) -> None:
    with pytest.raises(BadNotation, match=message) as refused:
        REPORT.find(text)
    assert len(str(refused.value)) < 400


GERMAN = read_edition(
    "mine",
    json.dumps(
        cards(
            weapons={"Frau Weiß": "Wh", "Reverend Grün": "Gr"},
            locations={"Eingangshalle": "Ha", "Küche": "Ki", "台所": "Ky"},
        )
    ),
)


@pytest.mark.parametrize(
    ("text", "name"),
    [
        *[(text, "Reverend Grün") for text in ("grün", "gruen", "grun", "Grün", "REVEREND GRUEN", "Gru\u0308n")],
        *[(text, "Frau Weiß") for text in ("weiß", "weiss", "WEISS", "frau w")],
        *[(text, "Küche") for text in ("küche", "kueche", "kuche")],
        *[(text, "Eingangshalle") for text in ("halle", "eingang", "gangshalle")],
        *[(text, "台所") for text in ("台所", "台")],
    ],
)
def test_letters_with_marks_may_be_written_as_on_any_keyboard_and_words_be_begun_within(text: str, name: str) -> None:
    assert GERMAN.names[GERMAN.find(text)] == name


def test_names_that_differ_in_a_mark_alone_are_found_as_they_are_written() -> None:
    edition = read(suspects={"Bär": "Bä", "Hans": "Hs"}, locations={"Bar": "Ba", "Hall": "Hl"})
    assert [edition.names[edition.find(name)] for name in edition.names] == list(edition.names)
    assert edition.names[edition.find("baer")] == "Bär"
    with pytest.raises(BadNotation, match="may be Bär or Bar"):
        edition.find("bar")


def test_a_short_part_within_a_word_is_no_name() -> None:
    with pytest.raises(BadNotation, match="no card is called 'all'"):
        GERMAN.find("all")


@pytest.mark.parametrize(
    ("name", "meant"), [("Cluedo", "cluedo"), ("CLUE 2016", "clue-2016"), (" master  Detective", "master-detective")]
)
def test_a_card_set_is_named_as_people_write_it(name: str, meant: str) -> None:
    assert load_edition(name) is load_edition(meant)


def test_a_mistyped_card_set_is_guessed() -> None:
    with pytest.raises(BadInput, match="no card set 'cleudo'; did you mean 'cluedo'"):
        load_edition("cleudo")


def test_a_card_of_another_category_is_not_found() -> None:
    with pytest.raises(BadNotation, match=r"no weapon is called .*Wrench"):
        REPORT.find("Mrs Peacock", 1)
    assert REPORT.names[REPORT.find("s", 2)] == "Study"
