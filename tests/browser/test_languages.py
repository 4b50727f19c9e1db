"""The pages in other languages: what is chosen stays, and no text of their own is left that cannot be said in another language."""

from __future__ import annotations

import importlib.util
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from browser.clicking import FAULTS, open_table, tap_on
from browser.conftest import PHONE, Open, Server
from browser.test_playing import TABLES
from molehunt.core import language
from molehunt.core.places import place_said, signed_places, unsigned
from molehunt.core.words import capital
from molehunt.games.registry import all_games
from molehunt.games.speed_clue.edition import load_edition
from molehunt.games.tunnels.wording import looked_sentence
from molehunt.studies.people_store import PeopleStore
from molehunt.table.tunnel_words import tunnel_title
from molehunt.web import pages

MADE_UP = "qps"
"""A language in which every text is the English one in brackets (a code that stands for such languages)."""
NARROW = (320, 740)
NO_WORDS = re.compile(
    r"Ann|Alice|Bob|molehunt|[\w-]+-20\d\d|exact|advanced|English|Deutsch|qps|Enter|Tab|Esc|\bR\b|QR|HTML|\bs\b"
)
"""What is the same in every language: names, players as they are typed, keys."""
EDGES = ("N", "E", "S", "W", "NS", "EW", "NE", "ES", "SW", "NW", "NES", "ESW", "NSW", "NEW", "NESW")
OUTSIDE = """() => {
    const found = new Set();
    const add = (said) => {
        let text = said.trim();
        for (let before = null; before !== text;) [before, text] = [text, text.replace(/⟦[^⟦⟧]*⟧/gu, "")];
        if (/\\p{L}/u.test(text)) found.add(text);
    };
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
        const holder = walker.currentNode.parentElement;
        if (holder.closest("script, style, noscript, svg, .study [lang=en]") || !holder.checkVisibility()) continue;
        // A text with keys in it, or with something strong, is one text.
        add(holder.closest("p:has(kbd), p:has(strong)")?.textContent ?? walker.currentNode.data);
    }
    for (const name of ["title", "aria-label", "alt", "placeholder"])
        for (const element of document.querySelectorAll(`body [${name}]`)) add(element.getAttribute(name));
    return [...found];
}"""
"""The texts outside of all brackets, seen, heard or shown to who points; what the protocol of a study words is English."""


def catalogue_script() -> object:
    found = importlib.util.spec_from_file_location("catalogue", Path(__file__).parents[2] / "release" / "catalogue.py")
    assert found is not None and found.loader is not None
    module = importlib.util.module_from_spec(found)
    found.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def made_up_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where there is a catalogue in which every text stands in brackets."""
    folder = tmp_path_factory.mktemp("made_up")
    script = catalogue_script()
    made = script.updated("de")  # type: ignore[attr-defined]
    titles = {entry.title for entry in all_games().values()}
    for message in made:
        if message.id in titles:  # a game is called by what stands before the colon
            message.string = ":".join(f"⟦{part}⟧" for part in message.id.split(":"))
        elif message.id:
            message.string = (
                f"⟦{message.id}⟧" if isinstance(message.id, str) else tuple(f"⟦{form}⟧" for form in message.id)
            )
    (folder / f"{MADE_UP}.mo").write_bytes(script.as_mo(made))  # type: ignore[attr-defined]
    (folder / f"{MADE_UP}.json").write_bytes(script.as_json(made))  # type: ignore[attr-defined]
    return folder


@pytest.fixture
def made_up(made_up_folder: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """That catalogue is the only one."""
    monkeypatch.setattr(language, "CATALOGUES", made_up_folder)
    monkeypatch.setattr(pages, "MESSAGES", made_up_folder)
    language.languages.cache_clear()
    yield
    language.languages.cache_clear()


def speak(page: Page, server: Server, code: str) -> None:
    page.context.add_cookies([{"name": "lang", "value": code, "url": server.address}])


def untranslated(page: Page) -> list[str]:
    """What a page says, and no catalogue can say otherwise."""
    return [text for text in page.evaluate(OUTSIDE) if re.search(r"[^\W\d_]", NO_WORDS.sub("", text))]


def test_a_language_is_chosen_on_any_page_and_kept(people: Open, server: Server) -> None:
    page = people()
    page.goto(f"{server.address}/rules")
    expect(page.locator("html")).to_have_attribute("lang", "en")
    choice = page.locator("#language")
    assert choice.locator("option").all_text_contents() == ["English", "Deutsch"]
    choice.select_option("de")
    expect(page.locator("html")).to_have_attribute("lang", "de")
    page.goto(server.address)
    expect(page.locator("h1")).to_have_text("Wer ist der Maulwurf?")
    expect(page.locator("#form-note")).to_have_text("Es geht sofort los.")
    page.locator("#language").select_option("en")
    expect(page.locator("h1")).to_have_text("Who is the mole?")


@pytest.mark.parametrize("code", ["en", "de"])
def test_all_that_leads_to_other_pages_is_in_sight_on_a_phone(people: Open, server: Server, code: str) -> None:
    page = people(PHONE)
    speak(page, server, code)
    page.goto(server.address)
    for link in page.locator(".top-nav a:visible").all():
        expect(link).to_be_in_viewport(ratio=0.99)
    expect(page.locator(".top-nav a[href='/rules']")).to_be_visible()


@pytest.mark.parametrize("game", TABLES)
def test_a_game_begun_in_german_fits_a_narrow_screen(people: Open, server: Server, game: str) -> None:
    page = people(NARROW)
    speak(page, server, "de")
    open_table(page, server.address, TABLES[game])
    expect(page.locator("#seats")).to_be_visible()
    expect(page.locator("#board")).to_be_visible()
    page.set_viewport_size({"width": 640, "height": 400})  # a small desktop at 200 %
    assert page.evaluate(FAULTS) == []
    page.set_viewport_size({"width": NARROW[0], "height": NARROW[1]})
    if game == "speed_clue":  # cards have the same pictures in every language
        expect(page.locator(".clue-act .clue-face-suspect")).to_have_count(6)
        expect(page.locator(".clue-face-code")).to_have_count(0)
    assert page.evaluate(FAULTS) == []


@pytest.mark.parametrize("game", ["duel", "speed_clue"])
def test_a_whole_game_is_played_in_german(people: Open, server: Server, game: str) -> None:
    page = people()
    speak(page, server, "de")
    open_table(page, server.address, TABLES[game])
    assert tap_on(page, game) > 2
    expect(page.locator("#headline")).to_have_text("Spiel vorbei")
    expect(page.locator("#over")).to_contain_text(re.compile("gewonnen|verloren"))
    if game == "speed_clue":
        english = "|".join(card for card in load_edition("report").names if card != "Revolver")
        assert not re.findall(rf"\b(?:{english})\b", page.locator("body").inner_text())


@pytest.mark.parametrize("code", ["en", "de"])
@pytest.mark.parametrize(("turn", "letters"), [(1, "ESWN"), (-1, "WNES")], ids=["right", "left"])
def test_words_follow_a_mine_that_is_turned(people: Open, server: Server, code: str, turn: int, letters: str) -> None:
    page = people()
    speak(page, server, code)
    page.goto(server.address)
    around = dict(zip("NESW", letters, strict=True))
    turned = {1: {"top": "right", "middle": "middle", "bottom": "left"}, -1: {"left": "bottom", "right": "top"}}[turn]
    tunnels = [(edges, joined) for edges in EDGES for joined in (True, False)]
    with language.speaking(code):
        with signed_places():
            said = [tunnel_title(edges, joined) for edges, joined in tunnels]
            said += [language._("you look at the {place} goal", place=place_said(place)) for place in turned]
            said.append(looked_sentence([*turned][:2]))
            said += [capital(place_said(place)) for place in turned]
        seen = [
            tunnel_title("".join(sorted((around[edge] for edge in edges), key="NESW".index)), joined)
            for edges, joined in tunnels
        ]
        seen += [language._("you look at the {place} goal", place=language._(place)) for place in turned.values()]
        seen.append(looked_sentence([*turned.values()][:2]))
        seen += [capital(language._(place)) for place in turned.values()]
        same = ["9 cards left", "Bob sagt: links!", language._("top"), language._("left")]
    turn_words = """async ([texts, turn]) => {
        const { turnedWords } = await import("/static/turning.js");
        return texts.map((text) => turnedWords(text, turn));
    }"""
    assert page.evaluate(turn_words, [said, turn]) == seen
    assert page.evaluate(turn_words, [same, turn]) == same
    assert page.evaluate(turn_words, [said, 0]) == [unsigned(text) for text in said]


@pytest.mark.usefixtures("made_up")
@pytest.mark.parametrize("game", TABLES)
def test_what_the_page_of_a_game_says_itself_stands_in_the_catalogue(people: Open, server: Server, game: str) -> None:
    page = people()
    speak(page, server, MADE_UP)
    open_table(page, server.address, TABLES[game])
    tap_on(page, game, 2)
    assert untranslated(page) == []


@pytest.mark.usefixtures("made_up")
@pytest.mark.parametrize("path", ["", "adviser", "replay", "rules/saboteur", "rules/duel", "rules/speed_clue"])
def test_what_a_page_says_itself_stands_in_the_catalogue(people: Open, server: Server, path: str) -> None:
    page = people()
    speak(page, server, MADE_UP)
    page.goto(f"{server.address}/{path}")
    page.wait_for_load_state("networkidle")
    assert untranslated(page) == []


ADVISED = {
    "advice": 1,
    "game": "speed_clue",
    "cards": "report",
    "players": ["Ann", "Bob", "Alice"],
    "me": "Ann",
    "hand": ["Colonel Mustard", "Reverend Green", "Lead Pipe", "Revolver", "Hall", "Library"],
    "hand_sizes": [6, 6, 6],
}
BOB_HAS = {"what": "seen", "player": "Bob", "card": "Dagger", "has": True}
KEEP = "(game) => localStorage.setItem('molehunt.adviser', JSON.stringify({ game, past: [], future: [] }))"


@pytest.mark.usefixtures("made_up")
def test_what_the_adviser_says_of_a_game_stands_in_the_catalogue(people: Open, server: Server) -> None:
    page = people()
    speak(page, server, MADE_UP)
    page.goto(f"{server.address}/adviser")
    for entries, seen in (
        ([BOB_HAS], "#advice-body table"),
        ([BOB_HAS, {**BOB_HAS, "player": "Alice"}], "#adviser-conflict [data-key='mend 2']"),
        ([{**BOB_HAS, "card": "Hall"}], "#adviser-conflict [data-key='mend hand']"),
    ):
        page.evaluate(KEEP, {**ADVISED, "entries": entries})
        page.reload()
        expect(page.locator(seen)).to_be_visible(timeout=150_000)
        assert untranslated(page) == []


@pytest.mark.usefixtures("made_up")
def test_what_the_page_of_a_study_says_itself_stands_in_the_catalogue(people: Open, tmp_path: Path) -> None:
    with PeopleStore(tmp_path / "people", rehearsal=True) as store:
        study = Server(tmp_path / "tables.sqlite", store)
        try:
            page = people()
            speak(page, study, MADE_UP)
            page.goto(f"{study.address}/study")
            expect(page.locator("#study-consent")).to_be_visible()
            assert untranslated(page) == []
            page.locator("#study-agree").check()
            page.locator("#study-join").click()
            expect(page.locator("#study-play")).to_be_visible()
            assert untranslated(page) == []
        finally:
            study.stop()
