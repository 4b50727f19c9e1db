"""A made-up person takes part in a study with people, in a real browser."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect

from browser.clicking import FAULTS, tap_on
from browser.conftest import DESKTOP, PHONE, Open, Server, allowing
from molehunt.studies.people_store import Kept, PeopleStore


@pytest.fixture
def study(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    monkeypatch.setattr("molehunt.web.clue_people.PACE", 0)
    with PeopleStore(tmp_path / "people", rehearsal=True) as people:
        running = Server(tmp_path / "tables.sqlite", people)
        yield running
        running.stop()


def kept_of(study: Server, address: str) -> Kept | None:
    """What is kept of who has an address, None where nobody has it."""
    assert study.people is not None
    person = study.people.person(address.rpartition("/")[2])
    return None if person is None else study.people.kept(person)


def test_a_made_up_person_agrees_plays_answers_and_withdraws(people: Open, study: Server, faults: list[str]) -> None:
    page = people(PHONE)
    page.goto(f"{study.address}/study")
    expect(page.locator("#study-consent")).to_contain_text("You may stop at any time")
    page.locator("#study-join").click()
    expect(page.locator("#study-consent")).to_be_visible()  # not without agreeing
    page.locator("#study-agree").check()
    page.locator("#study-join").click()
    page.wait_for_url(re.compile("/study/.+"))
    own = page.url
    expect(page.locator("#study-next h2")).to_have_text("Game 1 of 9 with 3 players")
    assert page.evaluate(FAULTS) == []
    page.locator("#study-play").click()
    page.wait_for_url("**/t/*")
    assert tap_on(page, "speed_clue") > 0
    page.locator("#back").click()
    page.wait_for_url(own)
    expect(page.locator("#study-next")).to_contain_text("1 of 54 games played")
    page.locator("#study-stop").click()
    page.locator("#study-stop").press("Enter")
    expect(page.locator("#study-questions")).to_contain_text("Did some of these computer players seem stronger")
    page.locator("#q-stronger_3-1").check()
    page.locator("#q-stronger_3_why").fill("They asked for what I had.")
    page.locator("#study-answer").click()
    expect(page.locator("#study-strategies")).to_contain_text(re.compile("basic|advanced"))
    for question in ("experience", "own_cards", "own_cards_why", "early"):
        page.locator(f"#q-{question}-0").check()
    assert page.evaluate(FAULTS) == []
    page.locator("#study-answer").click()
    expect(page.locator("#study-next")).to_contain_text("Thank you")
    kept = kept_of(study, own)
    assert kept is not None and len(kept.records) == 1
    assert kept.answers["stronger_3_why"] == "They asked for what I had." and kept.answers["early"] == "never"
    # Another browser comes back by the address alone; then everything is deleted.
    other = people(DESKTOP, dark=True)
    other.goto(own)
    expect(other.locator("#study-number")).to_have_text("person 0")
    other.locator("#study-withdraw").click()
    other.locator("#study-withdraw").press("Enter")
    other.wait_for_url("**/study")
    expect(other.locator("#study-consent")).to_be_visible()
    with allowing(faults, "404 (Not Found)"):
        page.goto(own)
        expect(page.locator("#study-told")).to_contain_text("withdrawn")
    assert kept_of(study, own) is None
