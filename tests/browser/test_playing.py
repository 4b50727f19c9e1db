"""Playing in a real browser: whole games by clicking, on a desktop and on a phone, alone and with others, and coming back."""

from __future__ import annotations

import re
import sqlite3
import threading
from itertools import pairwise
from typing import Any
from unittest.mock import Mock

import pytest
from axe_playwright_python.base import AXE_FILE_PATH
from playwright.sync_api import Page, Route, expect

from browser.clicking import (
    DOUBLE_TAP,
    FAULTS,
    MOVE,
    OVER,
    ROUND,
    headline,
    my_move,
    one_move,
    open_table,
    play,
    play_tunnels,
    tap_on,
    tap_tunnels,
    violations,
    waits,
)
from browser.conftest import DESKTOP, PHONE, Open, Server, allowing
from molehunt.core.errors import AgentFailure, BadInput
from molehunt.table import reasons
from molehunt.table.session import Session
from molehunt.web import running_table, table
from molehunt.web.questions import answer
from molehunt.web.store import Store

AXE = AXE_FILE_PATH.read_text("utf-8")

SIZES = {"desktop": DESKTOP, "phone": PHONE}


def setup(game: str, *agents: str, friends: int = 0, **more: Any) -> dict[str, Any]:
    rules = {"saboteur": "krisnadi", "duel": "mcgill", "speed_clue": "mitchell"}
    people = [{"kind": "me", "name": "Ann"}, *[{"kind": "friend"}] * friends]
    seats = [*people, *({"kind": "agent", "agent": agent} for agent in agents)]
    return {"game": game, "ruleset": rules[game], "seats": seats, "pace": 0, "seed": 3} | more


TABLES = {
    "saboteur": setup("saboteur", "kripke-2012", "decision-2019", ruleset="official+talk:rounds=1", practice=True),
    "duel": setup("duel", "greedy-2020", practice=True, seed=10),  # soon over
    "speed_clue": setup("speed_clue", "advanced", "exact", practice=True),
}


@pytest.mark.parametrize(
    ("game", "size"),
    [
        pytest.param(game, size, marks=[pytest.mark.thorough] * (size == "phone" and game != "saboteur"))
        for game in TABLES
        for size in SIZES
    ],
)
def test_a_whole_game_is_played_by_clicking(people: Open, server: Server, game: str, size: str) -> None:
    page = people(SIZES[size], dark=size == "phone")
    open_table(page, server.address, TABLES[game])
    assert play(page, game) > 2
    expect(page.locator("#over")).to_be_visible()
    expect(page.locator("#over")).to_contain_text(re.compile("won|lost"))
    # Nothing sticks out of a phone's width.
    assert page.evaluate("() => document.documentElement.scrollWidth <= window.innerWidth")
    expect(page.locator("#to-analysis")).to_have_attribute("href", re.compile("^/replay/.*#analysis$"))
    page.locator("#replay").click()
    expect(page.locator("#headline")).to_be_visible()


@pytest.mark.usefixtures("presets_at_once")
def test_a_preset_of_the_lobby_starts_at_once(people: Open, server: Server) -> None:
    page = people()
    page.goto(server.address)
    page.locator("#name").fill("Zoë")
    page.locator(".preset", has_text="four mind readers").click()
    page.wait_for_url("**/t/*")
    assert my_move(page)
    expect(page.locator("#seats")).to_contain_text("Zoë")
    expect(page.locator("#seats [data-seat]")).to_have_count(5)


def test_a_table_of_ones_own_is_built_in_the_lobby_and_what_cannot_be_is_said(
    people: Open, server: Server, faults: list[str]
) -> None:
    page = people()
    page.goto(server.address)
    page.locator("#name").fill("Ann:")
    with allowing(faults, "400 (Bad Request)"):
        page.locator("#create").click()
        expect(page.locator("#form-error")).to_contain_text("A name has 1 to 24 letters")
    page.locator("#name").fill("Ann")
    page.locator("#games label", has_text="Speed Clue").click()
    page.locator("#create").click()
    page.wait_for_url("**/t/*")
    expect(page.locator("#label")).to_contain_text("Speed Clue · ")


def test_who_comes_back_to_a_table_that_plays_again_elsewhere_is_led_there(people: Open, server: Server) -> None:
    ann, ben = people(), people(PHONE)
    open_table(ann, server.address, setup("duel", friends=1))
    ben.goto(ann.locator(".seat-link input").input_value())
    ben.locator("#sit-name").fill("Ben")
    ben.locator("#sit button").click()
    expect(ann.locator("#waiting")).to_be_hidden()
    made = 0
    while ann.locator("#over").is_hidden() and made < 100:
        for page in (ann, ben):
            if page.locator("#headline.own-move").count():
                with one_move(page):
                    tap_tunnels(page, made)
                made += 1
    old = ben.url
    expect(ben.locator("#over")).to_be_visible()
    expect(ben.locator("#following")).to_have_count(0)
    expect(ben.locator("#again-note")).to_contain_text("stay here, and you come along")
    expect(ann.locator("#again-note")).to_have_count(0)
    ben.goto("about:blank")
    with ann.expect_navigation():
        ann.locator("#again").click()
    ben.goto(old)
    expect(ben.locator("#again-note")).to_have_count(0)
    ben.locator("#following").click()
    expect(ben.locator('[data-seat="0"] .seat-name')).to_have_text("Ann")
    expect(ben.locator("#over")).to_be_hidden()
    assert ben.url not in (old, ann.url)
    for page in (ann, ben):
        expect(page.locator("#talk")).to_be_visible()


COVERED = """() => {
    const seat = document.querySelector('[data-seat="2"]');
    const line = seat.querySelector(".counts").cloneNode(true); // as where more is known of a seat
    line.style.gridColumn = "1 / -1";
    seat.querySelector(".seat-more").after(line, line.cloneNode(true));
    const suspects = seat.querySelector(".seat-suspects").getBoundingClientRect();
    const covered = [...seat.querySelectorAll(".counts > *")].filter((one) => {
        const box = one.getBoundingClientRect();
        return box.bottom > suspects.top && box.right > suspects.left && box.width;
    });
    for (const one of seat.querySelectorAll(":scope > .counts")) one.remove();
    return covered.map((one) => one.textContent);
}"""


@pytest.mark.parametrize("game", ["saboteur", "duel", "speed_clue"])
def test_whose_name_is_refused_before_there_is_a_board_takes_another(game: str, people: Open, server: Server) -> None:
    ann, ben = people(), people(PHONE)
    open_table(ann, server.address, setup(game, *["random"] * (game != "duel"), friends=1))
    ben.goto(ann.locator(".seat-link input").input_value())
    for name in ("Ann", "Ben"):
        ben.locator("#sit-name").fill(name)
        ben.locator("#sit button").click()
        if name == "Ann":
            expect(ben.locator("#toasts")).to_contain_text("somebody at the table is called Ann", ignore_case=True)
    expect(ben.locator("#waiting")).to_be_hidden()


def test_two_people_and_artificial_players_at_one_table(people: Open, server: Server) -> None:
    ann, ben = people(), people(PHONE)
    open_table(ann, server.address, setup("saboteur", "decision-2019", "random", friends=1))
    expect(ann.locator("#headline")).to_have_text("Waiting for players")
    ben.goto(ann.locator(".seat-link input").input_value())
    ben.locator("#sit-name").fill("Ann")
    ben.locator("#sit button").click()
    expect(ben.locator("#toasts")).to_contain_text("somebody at the table is called Ann", ignore_case=True)
    ben.locator("#sit-name").fill("Ben")
    ben.locator("#sit button").click()
    for _ in range(4):
        for page in (ann, ben):
            expect(page.locator("#headline")).to_have_text("Your move", timeout=120_000)
            entries = page.locator("#log > li").count()
            play_tunnels(page, 0)
            expect(page.locator("#log > li")).not_to_have_count(entries)
    ann.locator("#phrase").select_option("1")
    ann.locator("#say").click()
    expect(ben.locator("#talk")).to_contain_text("Ann: Trust me.")
    ben.locator("#words").fill("I saw <b>stone</b>")
    ben.locator("#words").press("Enter")
    expect(ann.locator("#talk")).to_contain_text("Ben: I saw <b>stone</b>")
    ben.locator("#phrase").select_option("2")
    for _ in range(5):
        ben.locator("#say").click()
    expect(ben.locator(".talk-lines li")).to_have_count(7)
    assert ben.locator(".talk-lines").evaluate("(lines) => lines.clientHeight") > 120  # five lines and more
    ben.locator('[data-suspect="2"]').click()
    for page in (ann, ben):
        expect(page.locator('[data-seat="2"] .seat-suspects')).to_have_text("⚑ Ben")
        assert page.evaluate(COVERED) == []
        assert violations(page, AXE) == []
    expect(ann.locator("#talk")).to_be_visible()
    ann.locator("#how").click()
    expect(ann.locator("#help")).to_be_visible()
    ann.locator("#help-close").click()
    ann.locator("#free-chat").click()
    expect(ben.locator("#words")).to_be_hidden()
    for page in (ann, ben):
        assert page.evaluate(FAULTS) == []
    expect(ann.locator("#log")).to_contain_text("Ben ")
    expect(ann.locator("#log")).not_to_contain_text("Ben draws")
    expect(ben.locator("#log")).to_contain_text("Ann ")


def test_a_page_comes_back_by_itself_when_the_server_was_away(people: Open, server: Server, faults: list[str]) -> None:
    page = people()
    open_table(page, server.address, TABLES["saboteur"])
    play(page, "saboteur", 3)
    assert my_move(page)
    log = page.locator("#log > li").all_text_contents()
    with allowing(faults, "WebSocket", "ERR_CONNECTION"):
        server.stop()
        expect(page.locator("#banner")).to_be_visible()
        server.start()
        expect(page.locator("#banner")).to_be_hidden(timeout=30_000)
    # The line is there before the first table has come over it.
    expect(page.locator("#log > li")).to_have_count(len(log))
    assert page.locator("#log > li").all_text_contents() == log
    play(page, "saboteur", 2)
    # A laptop that was closed: another page on the same link shows the same.
    again = people()
    again.goto(page.url)
    assert my_move(again)
    assert again.locator("#log > li").all_text_contents() == page.locator("#log > li").all_text_contents()


def test_who_watches_sees_the_table_and_no_hand(people: Open, server: Server) -> None:
    ann, eve = people(), people()
    open_table(ann, server.address, setup("saboteur", "decision-2019", "decision-2019", practice=False))
    assert my_move(ann)
    link = ann.evaluate(
        """() => new Promise((done) => {
            const line = new WebSocket(location.href.replace("http", "ws").replace("/t/", "/ws/"));
            line.onmessage = (event) => { done(JSON.parse(event.data).watch_link); line.close(); };
        })"""
    )
    eve.goto(server.address + link)
    expect(eve.locator("#headline")).to_have_text("Ann is to move")
    expect(eve.locator(".hand [data-card]")).to_have_count(0)
    play(ann, "saboteur", 1)
    expect(eve.locator("#log")).to_contain_text("Ann ")


def test_cards_are_played_with_the_keyboard_alone(people: Open, server: Server) -> None:
    page = people()
    open_table(page, server.address, TABLES["saboteur"])
    assert my_move(page)
    page.locator(".hand [data-card]").first.focus()
    for place in range(6):
        page.keyboard.press("Enter")
        if page.locator(".cell.lit").count():
            break
        page.keyboard.press("Escape")
        page.locator(".hand [data-card]").nth(place).focus()
        page.keyboard.press("ArrowRight")
    expect(page.locator(".cell.lit").first).to_be_visible()
    entries = page.locator("#log > li").count()
    page.locator(".cell.lit").first.focus()
    page.keyboard.press("Enter")
    expect(page.locator("#log > li")).not_to_have_count(entries)


def test_a_card_is_dragged_onto_the_mine(people: Open, server: Server) -> None:
    page = people()
    open_table(page, server.address, setup("saboteur", "decision-2019", "decision-2019", seed=8))
    assert my_move(page)
    cards = page.locator(".hand [data-card]")
    for place in range(cards.count()):
        cards.nth(place).click()
        if page.locator(".cell.lit").count():
            entries = page.locator("#log > li").count()
            page.keyboard.press("Escape")
            card = cards.nth(place).bounding_box()
            cards.nth(place).click()
            cell = page.locator(".cell.lit").first.bounding_box()
            page.keyboard.press("Escape")
            assert card and cell
            page.mouse.move(card["x"] + 20, card["y"] + 20)
            page.mouse.down()
            page.mouse.move(card["x"] + 60, card["y"] - 40, steps=3)
            page.mouse.move(cell["x"] + cell["width"] / 2, cell["y"] + cell["height"] / 2, steps=5)
            page.mouse.up()
            expect(page.locator("#log > li")).not_to_have_count(entries)
            return
    pytest.fail("no card of this hand can be laid")


def test_a_card_that_was_let_go_elsewhere_is_not_lifted_by_passing_over_it(people: Open, server: Server) -> None:
    page = people()
    open_table(page, server.address, TABLES["saboteur"])
    assert my_move(page)
    card = page.locator(".hand [data-card]").first.bounding_box()
    assert card
    page.mouse.move(card["x"] + 5, card["y"] + card["height"] / 2)
    page.mouse.down()
    page.mouse.move(card["x"] - 200, card["y"] + card["height"] / 2)
    page.mouse.up()
    page.mouse.move(card["x"] + card["width"] / 2, card["y"] + card["height"] / 2, steps=4)
    expect(page.locator(".flying")).to_have_count(0)
    expect(page.locator(".hand .picked")).to_have_count(0)


def test_the_reasons_of_hidden_players_are_not_offered(people: Open, server: Server) -> None:
    page = people()
    open_table(page, server.address, setup("speed_clue", "basic", "advanced", practice=True, hide=True))
    play(page, "speed_clue", 1)
    assert my_move(page)
    page.locator("[data-why]").last.click()
    expect(page.locator("#answer")).to_contain_text("secret until the end", timeout=60_000)
    expect(page.locator("#ask-secret")).to_have_count(0)


def test_practice_says_why_what_is_believed_and_what_to_do(
    people: Open, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reasons, "is_at_hand", lambda _game: True)  # else another advises until there is machine code
    page = people()
    players = ("decision-2019", "kripke-2012")
    open_table(page, server.address, setup("saboteur", *players, ruleset="official+talk:rounds=1", practice=True))
    play(page, "saboteur", 1)
    assert my_move(page)
    page.locator("[data-why]").last.click()
    expect(page.locator("#answer")).to_contain_text("secret until the end", timeout=60_000)
    expect(page.locator("#answer")).not_to_contain_text("I am a ")
    # What is asked for comes first, then what else may be asked.
    assert page.locator("#answer").evaluate("answer => answer.lastElementChild.id") == "ask-secret"
    assert page.locator("#answer .then").count()
    page.locator("#ask-secret").click()
    expect(page.locator("#ask-secret")).to_contain_text("tells secrets")
    expect(page.locator("#answer")).not_to_contain_text("I am a ")
    page.wait_for_timeout(DOUBLE_TAP)
    page.locator("#ask-secret").click()
    expect(page.locator("#answer")).to_contain_text("I am a ", timeout=60_000)
    said = page.locator("#answer .prose").text_content() or ""
    assert not re.search(r"[PD]_[NESW]+|@-?\d|:\w+>|rock[12]|\d+ of \d+ states", said), said
    expect(page.locator("#answer")).to_contain_text("The Kripke model")
    page.locator("#answer summary", has_text="Show the drawing").last.click()
    expect(page.locator("#answer svg.kripke").last).to_be_visible()
    page.locator("#beliefs").click()
    expect(page.locator("#answer")).to_contain_text("How likely a saboteur", timeout=60_000)
    expect(page.locator("#answer")).to_contain_text("As an onlooker sees it")
    page.locator("#hint").click()
    expect(page.locator("#answer .hint")).to_be_visible()
    expect(page.locator("#answer")).not_to_contain_text("As an onlooker sees it")
    entries = page.locator("#log > li").count()
    with one_move(page):
        play_tunnels(page, 0)
    assert my_move(page)
    page.locator("#undo").click()
    expect(page.locator("#log > li")).to_have_count(entries)
    assert headline(page).startswith(("Your", "Say"))


HEAR = """async () => {
    const { Sounds } = await import("/static/sounds.js");
    window.heard = [];
    Sounds.prototype.play = (noise) => window.heard.push(noise);
}"""
"""Notes down what would be heard."""


def test_the_end_of_a_round_stays_until_the_reader_goes_on(people: Open, server: Server) -> None:
    page = people(PHONE)
    # Of these games one of the shortest.
    open_table(page, server.address, setup("saboteur", *["decision-2019"] * 2, ruleset="official", seed=10))
    page.evaluate(HEAR)
    rounds = moves = 0
    kept = False  # whether the gold was, from the miners
    while (found := waits(page)) != OVER:
        if found != ROUND:
            with one_move(page):
                tap_tunnels(page, moves)
            moves += 1
            continue
        rounds += 1
        said = headline(page)
        assert said == f"Round {rounds} is over"
        expect(page.locator("#scene-title")).to_have_text(re.compile("^Your side has (won|lost)$"))
        expect(page.locator(".scene .role-card")).to_have_count(3)
        expect(page.locator(".scene .own")).to_contain_text(re.compile("miner|saboteur"))
        gold = page.locator(".cell[aria-label$=': gold']")
        expect(gold).to_have_count(1)
        if "was not reached" in page.locator(".scene").inner_text():
            expect(page.locator(".scene")).to_contain_text(f"The gold lay under the {gold.inner_text()} goal.")
            kept = True
        # Nothing of the next round, for which the cards are dealt.
        expect(page.locator(".seats .counts .tag.count:not(:has([href='#i-nugget']))")).to_have_count(0)
        small = page.locator(".mine").bounding_box()
        page.locator("#look-at-mine").click()
        expect(page.locator(".scene .role-card").first).to_be_hidden()
        assert small
        page.wait_for_function(
            f"() => document.querySelector('.mine').getBoundingClientRect().width > {1.1 * small['width']}"
        )
        page.locator("#look-at-mine").click()
        expect(page.locator(".scene .role-card").first).to_be_visible()
        assert page.locator(".cell .art").count() > 4  # the mine that was dug, not the next one
        expect(page.locator(".hand")).to_be_hidden()
        expect(page.locator("#next-round")).to_be_in_viewport(ratio=1)
        expect(page.locator(".scene")).to_have_class(
            re.compile(r"\bwaits\b")
        )  # the others have moved in the next round
        expect(page.locator("#log > li").last).to_contain_text("The round is over")
        expect(page.locator("#live > p").last).to_have_text(re.compile(rf"^{said}\. .*gold"))
        page.locator("#next-round").press("Enter")
        expect(page.locator("#headline")).not_to_have_text(said)
        expect(page.locator(".hand .card:focus")).to_have_count(1)
        expect(page.locator("#lines")).to_contain_text(f"Round {rounds + 1} of 3")
        assert "The round is over" not in page.locator("#latest").inner_text()
    assert headline(page) == "Game over"
    assert rounds == 2 and kept
    # The end of a round is heard once, whatever the others do meanwhile.
    assert len(page.evaluate("heard.filter((noise) => ['won', 'lost'].includes(noise))")) == rounds + 1
    expect(page.locator("#over h2")).to_have_text(re.compile("You have won|Your side has (won|lost) the last round"))
    expect(page.locator("#over .role-card")).to_have_count(3)
    box, mine = (page.locator(selector).bounding_box() for selector in (".mine-box", ".mine"))
    assert box and mine and box["height"] < mine["height"] + 30


VERDICTS = """async () => {
    const { Ending } = await import("/static/rooms.js");
    const roles = ["miner", "saboteur", "miner"];
    const seats = roles.map((_role, seat) => ({ seat, name: ["Ann", "Bob", "Cid"][seat], kind: "person", here: true }));
    return [3, 1].map((number) => [0, 1, 2].map((you) => {
        const root = document.createElement("section");
        const ended = { number, team: "miners", roles, reason: "The gold was reached", gained: 0, gold: "top" };
        const over = { winners: [2], text: "" };
        new Ending(root, () => {}).update({ you, seats, over, can: [], position: { ended, roles, seats: [] } });
        return root.querySelector("h2").textContent;
    }));
}"""


def test_who_has_not_the_most_gold_is_told_how_their_side_ended_the_last_round(people: Open, server: Server) -> None:
    page = people(PHONE)
    page.goto(server.address)
    assert page.evaluate(VERDICTS) == [
        ["Your side has won the last round", "Your side has lost the last round", "You have won"],
        ["Your side has won", "Your side has lost", "You have won"],
    ]


def test_a_round_that_was_taken_back_ends_again(people: Open, server: Server) -> None:
    page = people(PHONE)
    setting = setup("saboteur", *["decision-2019"] * 2, ruleset="official", seed=10, practice=True)
    open_table(page, server.address, setting)
    while waits(page) != ROUND:
        with one_move(page):
            tap_tunnels(page, 0)
    page.locator("#next-round").click()
    assert my_move(page)
    page.locator("#undo").click()
    expect(page.locator("#lines")).to_contain_text("Round 1 of 3")
    assert waits(page) == MOVE
    while (found := waits(page)) == MOVE and "Round 1 of 3" in page.locator("#lines").inner_text():
        with one_move(page):
            tap_tunnels(page, 0)
    assert found == ROUND
    expect(page.locator("#headline")).to_have_text("Round 1 is over")


def test_who_loses_the_network_is_told_so_and_comes_back_to_the_game(
    people: Open, server: Server, faults: list[str]
) -> None:
    page = people(PHONE)
    open_table(page, server.address, TABLES["saboteur"])
    assert my_move(page)
    entries = page.locator("#log > li").count()
    with allowing(faults, "WebSocket"):
        page.context.set_offline(True)
        expect(page.locator("#banner")).to_contain_text("Connection lost")
        page.context.set_offline(False)
        expect(page.locator("#banner")).to_be_hidden(timeout=15_000)
    expect(page.locator("#log > li")).to_have_count(entries)
    with one_move(page):
        tap_tunnels(page, 0)


DEAF = """(seconds) => {
    window.lines[0].onmessage = null;
    const see = (state) => {
        Object.defineProperty(document, "visibilityState", { get: () => state, configurable: true });
        document.dispatchEvent(new Event("visibilitychange"));
    };
    see("hidden");
    const now = Date.now;
    Date.now = () => now() + 1000 * seconds;
    see("visible");
}"""
"""A phone sleeps for so long: its line is dead, and nothing has told it so."""
LINES = """() => {
    window.lines = [];
    const Line = window.WebSocket;
    window.WebSocket = class extends Line {
        constructor(address) {
            super(address);
            window.lines.push(this);
        }
    };
}"""


def test_a_phone_that_has_slept_sees_what_has_happened(people: Open, server: Server) -> None:
    ann, ben = people(PHONE), people()
    ann.add_init_script(f"({LINES})()")
    open_table(ann, server.address, setup("duel", friends=1))
    ben.goto(ann.locator(".seat-link input").first.input_value())
    ben.locator("#sit-name").fill("Ben")
    expect(ann.locator("#waiting")).to_be_visible()
    ann.evaluate(DEAF, 10)
    assert ann.evaluate("() => window.lines.length") == 1
    ann.evaluate(DEAF, 600)
    ben.locator("#sit button").click()
    expect(ann.locator(".hand-area")).to_be_visible()
    assert ann.evaluate("() => window.lines.length") == 2


def held_back(monkeypatch: pytest.MonkeyPatch) -> threading.Event:
    """From now on questions at tables are answered once this is set."""
    may_answer = threading.Event()

    def answer_later(*question: Any) -> Any:
        assert may_answer.wait(60)
        return answer(*question)

    monkeypatch.setattr(table, "answer", answer_later)
    return may_answer


def asked_for_a_hint(page: Page, monkeypatch: pytest.MonkeyPatch) -> threading.Event:
    """A page has asked for a hint, which does not come until the event is set."""
    assert my_move(page)
    may_answer = held_back(monkeypatch)
    page.locator("#hint").click()
    expect(page.locator("#answer")).to_contain_text("Thinking")
    return may_answer


def test_what_was_asked_before_the_network_was_lost_is_asked_again(
    people: Open, server: Server, faults: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    page = people()
    open_table(page, server.address, TABLES["duel"])
    may_answer = asked_for_a_hint(page, monkeypatch)
    with allowing(faults, "WebSocket"):
        page.context.set_offline(True)
        expect(page.locator("#banner")).to_contain_text("Connection lost")
        may_answer.set()
        page.context.set_offline(False)
        expect(page.locator("#banner")).to_be_hidden(timeout=15_000)
    expect(page.locator("#answer .hint")).to_be_visible()


def test_a_game_that_could_not_go_on_is_no_game_that_was_lost(
    people: Open, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = people()
    open_table(page, server.address, TABLES["duel"])
    assert my_move(page)
    monkeypatch.setattr(Session, "think", Mock(side_effect=AgentFailure("it has lost its head")))
    page.locator(".hand .card").first.click()
    page.locator("[data-discard]").click()
    expect(page.locator("#over")).to_contain_text("it has lost its head")
    page.goto(server.address)
    expect(page.locator("#presets button").first).to_be_visible()
    expect(page.locator("#own-games")).to_be_hidden()


def test_a_table_that_cannot_be_taken_up_now_is_still_listed(
    people: Open, server: Server, faults: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    page = people()
    open_table(page, server.address, TABLES["duel"])
    assert my_move(page)
    with allowing(faults, "WebSocket", "ERR_CONNECTION"):
        server.stop()
        with monkeypatch.context() as missing:
            missing.setattr(running_table, "the_player", Mock(side_effect=BadInput("unknown agent")))
            server.start()
            expect(page.locator("#over")).to_contain_text("unknown agent", timeout=30_000)
    lobby = page.context.new_page()
    lobby.goto(server.address)
    lobby.locator("#own-tables-list a").click()
    assert my_move(lobby)


def test_two_clicks_take_back_one_move(people: Open, server: Server) -> None:
    page = people()
    open_table(page, server.address, TABLES["saboteur"])
    entries = []
    for _ in range(2):
        assert my_move(page)
        entries.append(page.locator("#log > li").count())
        with one_move(page):
            play_tunnels(page, 0)
    assert my_move(page)
    page.locator("#undo").evaluate("undo => { undo.click(); undo.click(); }")
    expect(page.locator("#log > li")).to_have_count(entries[1])
    page.wait_for_timeout(500)
    expect(page.locator("#log > li")).to_have_count(entries[1])
    page.locator("#undo").click()
    expect(page.locator("#log > li")).to_have_count(entries[0])


def test_a_hint_that_comes_after_the_move_is_not_shown(
    people: Open, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = people()
    open_table(page, server.address, TABLES["saboteur"])
    may_answer = asked_for_a_hint(page, monkeypatch)
    with one_move(page):
        play_tunnels(page, 0)
    assert my_move(page)
    may_answer.set()
    expect(page.locator("#answer")).to_be_hidden()
    expect(page.locator(".hinted")).to_have_count(0)
    page.locator("#hint").click()
    expect(page.locator("#answer .hint")).to_be_visible()


@pytest.mark.parametrize("script", ["tunnels.js", "mine.js"])
def test_a_board_that_could_not_be_fetched_is_fetched_again(
    people: Open, server: Server, faults: list[str], script: str
) -> None:
    page = people()
    page.route(f"**/static/{script}", lambda board: board.abort())
    with allowing(faults, "ERR_FAILED"):
        open_table(page, server.address, TABLES["duel"])
        expect(page.locator("#banner")).to_contain_text("could not be fetched")
        page.unroute(f"**/static/{script}")
        expect(page.locator(".hand-area")).to_be_visible()
    expect(page.locator("#banner")).to_be_hidden()
    assert my_move(page)


def test_all_that_was_said_is_there_whatever_happens_while_a_page_is_loaded(people: Open, server: Server) -> None:
    ann, ben = people(), people()
    open_table(ann, server.address, setup("duel", friends=1))
    ben.goto(ann.locator(".seat-link input").first.input_value())
    ben.locator("#sit-name").fill("Ben")
    ben.locator("#sit button").click()
    for words in ("one", "two"):
        ben.locator("#words").fill(words)
        ben.locator("#words").press("Enter")
        expect(ann.locator(".talk-lines li")).to_have_count(1 + (words == "two"))
    boards: list[Route] = []
    ann.route("**/static/tunnels.js", lambda board: boards.append(board))  # noqa: PLW0108 - the library looks into it
    ann.reload(wait_until="commit")
    while not boards:
        ann.wait_for_timeout(20)
    ann.wait_for_timeout(300)  # the table has come
    ben.locator("#words").fill("three")
    ben.locator("#words").press("Enter")
    expect(ben.locator(".talk-lines li")).to_have_count(3)
    ann.wait_for_timeout(300)
    for board in boards:
        board.continue_()
    expect(ann.locator(".talk-lines li")).to_have_text(["Ben: one", "Ben: two", "Ben: three"])


DEAL = "async () => (await import('/static/scenes.js')).dealRole(document.getElementById('board'), 'miner')"
ABOVE = """() => [".status", ".seats", ".hand-area"]
    .map((selector) => document.querySelector(selector).getBoundingClientRect().height)"""
APART = """() => [...document.querySelectorAll(".seat .counts")]
    .map((counts) => [...counts.querySelectorAll(".tag.count")].map((tag) => tag.getBoundingClientRect().top))
    .filter((tops) => new Set(tops).size > 1)"""
"""Seats whose gold and cards do not stand side by side."""
WHOLE = """() => {
    const box = (selector) => document.querySelector(selector).getBoundingClientRect();
    return box(".mine").bottom <= box(".mine-box").bottom + 1 && box(".mine-box").bottom <= box(".scene").top + 1;
}"""


def test_at_the_end_of_a_round_five_roles_lie_in_a_row_below_the_whole_mine(people: Open, server: Server) -> None:
    page = people(PHONE)
    open_table(page, server.address, setup("saboteur", *["random"] * 4, ruleset="official", seed=5))
    moves = 0
    heights = []
    while waits(page) != ROUND:
        heights.append(page.evaluate(ABOVE))
        page.evaluate(DEAL)
        assert page.evaluate(APART) == []
        with one_move(page):
            tap_tunnels(page, moves)
        moves += 1
    assert not page.locator(".dealt-role").count()  # it would lie on the roles
    # What stands above the mine grows at most, so that the mine does not jump.
    above = [height[:2] for height in heights]
    assert all(one <= other for before, now in pairwise(above) for one, other in zip(before, now, strict=True))
    assert max(hand for *_above, hand in heights) - min(hand for *_above, hand in heights) < 1
    cards = page.locator(".scene .role-card")
    expect(cards).to_have_count(5)
    assert len({box["y"] for card in cards.all() if (box := card.bounding_box())}) == 1
    assert page.evaluate(WHOLE)
    assert page.evaluate(FAULTS) == []
    page.set_viewport_size({"width": 640, "height": 400})  # where the roles stand beside the mine, it has the rest
    expect(page.locator(".mine-box")).to_have_css("width", re.compile(r"^2[3-9]\d"))
    page.set_viewport_size({"width": PHONE[0], "height": PHONE[1]})
    page.locator("#next-round").click()
    tap_on(page, "saboteur")
    # So they do at the end of the game, and on a desktop what one may do then.
    cards = page.locator("#over .role-card")
    expect(cards).to_have_count(5)
    assert len({box["y"] for card in cards.all() if (box := card.bounding_box())}) == 1
    page.set_viewport_size({"width": DESKTOP[0], "height": DESKTOP[1]})
    page.locator("#over > p").evaluate("(words) => { words.textContent = 'It is over.'; }")
    title, words = (page.locator(f"#over > {part}").bounding_box() for part in ("h2", "p"))
    assert title and words and words["y"] - title["y"] < 50
    assert len({box["y"] for link in page.locator("#over .row > *").all() if (box := link.bounding_box())}) == 1
    assert page.locator(".hand-area").is_visible() == bool(page.locator(".hand-area [data-card]").count())


def test_a_page_that_is_loaded_again_shows_the_end_of_a_round_until_the_reader_goes_on(
    people: Open, server: Server
) -> None:
    page = people(PHONE)
    open_table(page, server.address, setup("saboteur", *["decision-2019"] * 3, ruleset="official", seed=5))
    while waits(page) != ROUND:
        with one_move(page):
            tap_tunnels(page, 0)
    expect(page.locator(".scene")).to_have_class(re.compile(r"\bwaits\b"))  # the others have moved in the next round
    page.reload()
    expect(page.locator("#headline")).to_have_text("Round 1 is over")
    expect(page.locator(".scene .role-card")).to_have_count(4)
    page.locator("#next-round").click()
    assert my_move(page)
    page.reload()
    assert my_move(page)
    expect(page.locator("#lines")).to_contain_text("Round 2 of 3")


def test_no_cell_of_a_new_round_is_marked_as_new(people: Open, server: Server) -> None:
    page = people()
    seats = [{"kind": "me", "name": "Ann"}, *[{"kind": "agent", "agent": "decision-2019"}] * 3]
    open_table(page, server.address, setup("saboteur", ruleset="official") | {"seats": seats, "seed": 4})
    while waits(page) != ROUND:
        with one_move(page):
            tap_tunnels(page, 0)
    expect(page.locator(".cell.fresh")).not_to_have_count(0)
    page.locator("#next-round").click()
    expect(page.locator("#headline")).not_to_have_text(re.compile("Round"))
    goals = page.locator(".cell:has(.place)")
    expect(goals).to_have_count(3)
    expect(page.locator(".cell.fresh:has(.place)")).to_have_count(0)


def test_no_cell_is_marked_as_new_that_a_move_taken_back_had_changed(people: Open, server: Server) -> None:
    page = people()
    open_table(page, server.address, setup("saboteur", "random", "random", practice=True))
    assert my_move(page)
    maps = page.locator(".hand [data-card='map']")
    while not maps.count():
        with one_move(page):
            tap_tunnels(page, 0)
        assert my_move(page)
    maps.first.click()
    with one_move(page):
        page.locator(".cell.lit.look").first.click()
    seen = page.locator(".cell.fresh:has(.place)")
    expect(seen).not_to_have_count(0)
    page.locator("#undo").click()
    expect(page.locator("#live")).to_contain_text("taken back")
    expect(seen).to_have_count(0)


def test_who_finds_a_move_that_was_not_theirs_is_told_whose_it_was(
    people: Open, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = vars(Session)["time_left"].fget
    monkeypatch.setattr(
        Session, "time_left", property(lambda session: None if clock(session) is None else clock(session) / 10)
    )
    page = people(PHONE)
    open_table(page, server.address, setup("duel", "random", seconds=5))
    assert my_move(page)
    expect(page.locator(".toast").first).to_have_text("Your time was up: the adviser has moved for you.")


def test_every_line_has_its_question_after_the_end_at_every_table(people: Open, server: Server) -> None:
    page = people()
    open_table(page, server.address, setup("duel", "random"))
    assert my_move(page)
    expect(page.locator("[data-why]")).to_have_count(0)
    tap_on(page, "duel")
    numbers = page.locator("[data-why]").evaluate_all("(all) => all.map((why) => Number(why.dataset.why))")
    lines = page.locator("#log > li").count()
    # Ann moves first or second, and every move of the other's has its question.
    assert numbers in (list(range(1, lines + 1, 2)), list(range(2, lines + 1, 2)))


def test_the_lobby_lists_the_tables_at_which_one_sits(people: Open, server: Server) -> None:
    page = people()
    page.goto(server.address)
    expect(page.locator("#own-tables")).to_be_hidden()
    link = open_table(page, server.address, TABLES["saboteur"])
    play(page, "saboteur", 2)
    page.goto(server.address)
    expect(page.locator("#own-tables li")).to_have_count(1)
    expect(page.locator("#own-tables")).to_contain_text("with Alice, Bob")
    page.locator("#own-tables a", has_text="Resume").click()
    page.wait_for_url(link)
    assert my_move(page)
    page.goto(server.address)
    page.locator("#own-tables button").click()
    expect(page.locator("#own-tables")).to_be_hidden()


def test_a_game_is_gone_on_with_in_another_tab(people: Open, server: Server) -> None:
    page = people()
    lobby = page.context.new_page()
    lobby.goto(server.address)
    expect(lobby.locator("#own-tables")).to_be_hidden()
    open_table(page, server.address, TABLES["duel"])
    assert play(page, "duel", 1) == 1
    expect(lobby.locator("#own-tables")).to_contain_text("The duel")
    lobby.locator("#own-tables a", has_text="Resume").click()
    assert my_move(lobby)
    page.close()
    assert play(lobby, "duel", 1) == 1


def test_a_game_whose_last_move_could_not_be_kept_is_none_of_ones_own_before_it_is_over(
    people: Open, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("molehunt.web.tables.SWEEP", 0.05)
    add_move, full = Store.add_move, threading.Event()
    full.set()

    def fails_at_the_end(store: Store, name: str, number: int, move: str) -> None:
        session = server.tables._tables[name].session
        if full.is_set() and session is not None and session.outcome is not None:
            raise sqlite3.OperationalError("database or disk is full")
        add_move(store, name, number, move)

    monkeypatch.setattr(Store, "add_move", fails_at_the_end)
    page = people()
    link = open_table(page, server.address, TABLES["duel"])
    tap_on(page, "duel")
    expect(page.locator("#over h2")).to_have_text("The game has stopped")
    page.goto(server.address)
    expect(page.locator("#own-tables li")).to_have_count(1)  # it may go on
    expect(page.locator("#own-games")).to_be_hidden()
    full.clear()
    page.goto(link)
    tap_on(page, "duel")  # no move, where the last was the other player's: it is made again at once
    expect(page.locator("#over h2")).not_to_have_text("The game has stopped")
    won = page.locator("#over h2").text_content() == "You have won"
    page.goto(server.address)
    expect(page.locator("#own-games-list li")).to_have_count(1)
    expect(page.locator(".statistics").first).to_have_text(re.compile(rf"The duel1{int(won)}{100 * won}\s%"))


def test_the_lobby_counts_ones_games_and_leads_to_their_replays(people: Open, server: Server) -> None:
    page = people()
    page.goto(server.address)
    expect(page.locator("#own-games")).to_be_hidden()
    open_table(page, server.address, TABLES["duel"])
    tap_on(page, "duel")
    won = page.locator("#over h2").text_content() == "You have won"
    page.goto(server.address)
    expect(page.locator("#own-games-list li")).to_have_count(1)
    expect(page.locator(".statistics").first).to_have_text(re.compile(rf"The duel1{int(won)}{100 * won}\s%"))
    expect(page.locator("#statistics")).to_contain_text("the hasty digger, The duel")
    page.locator("#own-games-list a").click()
    expect(page.locator("#label")).to_contain_text("duel", ignore_case=True)
    expect(page.locator("#seats")).to_contain_text("Ann")
    page.goto(server.address)
    page.locator("#forget-games").press("Enter")
    expect(page.locator("#own-games-list li")).to_have_count(1)
    expect(page.locator("#forget-games")).to_be_focused()
    expect(page.locator("#forget-games")).to_have_text("Forget them for good")
    page.keyboard.press("Enter")
    expect(page.locator("#own-games")).to_be_hidden()
    expect(page.locator("#main")).to_be_focused()
