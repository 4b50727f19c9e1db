"""Taps, keys and drags that come at an awkward moment: nothing is lost, nothing is made twice, and what goes nowhere is said."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, Route, expect

from browser.clicking import all_of, my_move, open_table, tap_on
from browser.conftest import DESKTOP, PHONE, Open, Server
from browser.test_by_keyboard import HEARD
from browser.test_playing import TABLES, setup
from browser.test_saying import SPEAKING

HOLD = """() => {
    const send = WebSocket.prototype.send;
    window.held = [];
    window.holding = false;
    WebSocket.prototype.send = function (text) {
        if (holding && JSON.parse(text).do === "play") held.push([this, text]);
        else send.call(this, text);
    };
    window.release = () => {
        holding = false;
        held.splice(0).forEach(([socket, text]) => send.call(socket, text));
    };
}"""
"""A line on which moves wait, from `holding = true` until `release()`."""


def pick_a_tunnel(page: Page) -> int:
    """Choose a card that can be laid; its place in the hand."""
    cards = page.locator(".hand [data-card]")
    for place in range(cards.count()):
        cards.nth(place).click()
        if page.locator(".cell.lit").count():
            return place
    raise AssertionError("no card of this hand can be laid")


IN_SIGHT = """(selector) => {
    for (const element of document.querySelectorAll(selector)) {
        const box = element.getBoundingClientRect();
        const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
        if (element.contains(document.elementFromPoint(x, y))) return [x, y];
    }
}"""
"""The middle of the first element of a selector that is in sight."""


def drag(page: Page, card: str, to: str) -> None:
    """Drag what one selector finds to what another finds, by the mouse."""
    x, y = page.evaluate(IN_SIGHT, card)
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 30, y - 50, steps=3)
    page.mouse.move(*page.evaluate(IN_SIGHT, to), steps=4)
    page.mouse.up()


@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_a_card_that_is_let_go_where_it_does_not_go_says_why(
    people: Open, server: Server, size: tuple[int, int]
) -> None:
    page = people(size)
    open_table(page, server.address, TABLES["saboteur"])
    assert my_move(page)
    moves = page.locator("#log > li").count()
    place = pick_a_tunnel(page) + 1
    usual = page.locator("#prompt").text_content() or ""
    page.keyboard.press("Escape")
    page.evaluate(HEARD)
    card = f".hand [data-card]:nth-child({place})"
    drag(page, card, ".cell.lying")
    told = "It does not go there: choose a lit cell"
    expect(page.locator("#prompt")).to_have_text(told)
    assert page.evaluate("() => heard").count(told) == 1
    # Who puts it back among the others wants nothing of it.
    page.keyboard.press("Escape")
    drag(page, card, f".hand [data-card]:nth-child({place})")
    expect(page.locator("#prompt")).to_have_text(usual)
    assert page.evaluate("() => heard").count(told) == 1
    assert page.locator("#log > li").count() == moves


def test_a_card_that_goes_to_players_says_so_where_it_is_let_go_on_the_mine(people: Open, server: Server) -> None:
    page = people()
    open_table(page, server.address, setup("saboteur", *["random"] * 4, seed=5))
    assert my_move(page)
    card = page.locator('.hand [data-card^="break"]').first
    card.click()
    expect(page.locator(".seat.lit").first).to_be_visible()
    page.keyboard.press("Escape")
    drag(page, '.hand [data-card^="break"]', ".cell.lying")
    expect(page.locator("#prompt")).to_have_text("It does not go there: choose a lit player")


def test_who_drags_or_taps_while_others_move_is_told_that_it_is_not_their_move(people: Open, server: Server) -> None:
    page, other = people(), people()
    open_table(page, server.address, setup("saboteur", "random", friends=1))
    link = page.locator(".seat-link input").first.input_value()
    other.goto(link)
    other.locator("#sit-name").fill("Ben")
    other.locator("#sit button").click()
    assert my_move(page)
    expect(other.locator("#prompt")).to_have_text("")
    other.evaluate(HEARD)
    drag(other, ".hand [data-card]", ".cell.lying")
    expect(other.locator("#prompt")).to_have_text("It is not your move.")
    expect(other.locator(".hand .picked")).to_have_count(0)
    other.locator(".cell.lying").first.click(force=True)
    assert other.evaluate("() => heard").count("It is not your move.") == 2
    # A hand that trembles has tapped a card all the same, which may be chosen before one's move.
    drag(other, ".hand [data-card]", ".hand [data-card]")
    expect(other.locator(".hand .picked")).to_have_count(1)


def test_what_happens_while_a_move_is_on_its_way_loses_nothing_and_makes_it_once(people: Open, server: Server) -> None:
    pages = [people(), people(), people()]
    open_table(pages[0], server.address, setup("saboteur", friends=2))
    expect(pages[0].locator(".seat-link input")).to_have_count(2)
    links = [link.input_value() for link in pages[0].locator(".seat-link input").all()]
    for page, name, link in zip(pages[1:], ("Ben", "Eve"), links, strict=True):
        page.goto(link)
        page.locator("#sit-name").fill(name)
        page.locator("#sit button").click()
    expect(pages[0].locator(".seat.moving")).to_have_count(1)
    mover = next(page for page in pages if page.locator(".seat.moving.own").count())
    other = next(page for page in pages if page is not mover)
    mover.evaluate(HOLD)
    moves = mover.locator("#log > li").count()
    place = pick_a_tunnel(mover)
    mover.evaluate("() => { holding = true; }")
    mover.locator(".cell.lit").first.click()
    expect(mover.locator("#prompt")).to_have_text("…")
    # What is said at the table is no answer to the move, which cannot be made once more.
    other.locator("#say").click()
    expect(mover.locator(".talk-lines li")).to_have_count(1)
    expect(mover.locator("#prompt")).to_have_text("…")
    expect(mover.locator(".cell.lit")).to_have_count(0)
    # The card of the next move may be chosen already, and stays so.
    cards = mover.locator(".hand [data-card]")
    wanted = cards.nth((place + 1) % cards.count())
    wanted.click()
    chosen = wanted.get_attribute("data-card")
    mover.evaluate("() => release()")
    expect(mover.locator("#log > li")).to_have_count(moves + 1)
    expect(mover.locator(".hand .picked")).to_have_attribute("data-card", str(chosen))
    assert all_of(mover.locator(".toast")) == []


def test_a_suggestion_is_made_once_whatever_is_said_meanwhile(people: Open, server: Server) -> None:
    ann, ben = people(), people()
    open_table(ann, server.address, setup("speed_clue", "advanced", friends=1))
    ben.goto(ann.locator(".seat-link input").input_value())
    ben.locator("#sit-name").fill("Ben")
    ben.locator("#sit button").click()
    assert my_move(ann)
    ann.evaluate(HOLD)
    for group in ann.locator(".clue-act .clue-group").all():
        group.locator("label.clue-tile").first.click()
    ann.evaluate("() => { holding = true; }")
    ann.locator("#clue-suggest").click()
    expect(ann.locator("#clue-suggest")).to_be_disabled()
    ben.locator("#say").click()
    expect(ann.locator(".talk-lines li")).to_have_count(1)
    expect(ann.locator("#clue-suggest")).to_be_disabled()
    ann.evaluate("() => release()")
    expect(ann.locator("#clue-suggest")).to_have_count(0)
    assert all_of(ann.locator(".toast")) == []


def test_a_double_tap_suggests_and_does_not_end_the_turn(people: Open, server: Server) -> None:
    page = people()
    open_table(page, server.address, TABLES["speed_clue"])
    assert my_move(page)
    for group in page.locator(".clue-act .clue-group").all():
        group.locator("label.clue-tile").first.click()
    # Wherever what follows appears: it lies under the finger that has suggested.
    page.evaluate("""() => {
        const sheet = new CSSStyleSheet();
        sheet.replaceSync("#clue-end { position: fixed; inset: 0; z-index: 99 }");
        document.adoptedStyleSheets = [sheet];
    }""")
    box = page.locator("#clue-suggest").bounding_box()
    assert box
    ends = page.locator("#clue-end")
    page.mouse.click(box["x"] + 9, box["y"] + 9)
    page.evaluate(
        """([x, y]) => {
        const again = () => document.getElementById("clue-end")
            ? document.elementFromPoint(x, y).dispatchEvent(
                new MouseEvent("click", { bubbles: true, cancelable: true, clientX: x, clientY: y, detail: 2 }))
            : requestAnimationFrame(again);
        again();
    }""",
        [box["x"] + 9, box["y"] + 9],
    )
    expect(ends).to_be_visible()
    page.wait_for_timeout(600)
    expect(ends).to_be_visible()
    ends.click()
    expect(ends).to_have_count(0)


def test_enter_that_is_held_down_says_nothing_that_was_not_chosen(people: Open, server: Server) -> None:
    page = people()
    open_table(page, server.address, setup("saboteur", *["random"] * 4, ruleset=SPEAKING))
    assert my_move(page)
    moves = page.locator("#log > li").count()
    page.locator("#action-say").focus()
    for _press in range(4):
        page.keyboard.down("Enter")  # from the second on it repeats
    page.keyboard.up("Enter")
    expect(page.locator("#actions .say-button").first).to_be_focused()
    expect(page.locator("#log > li")).to_have_count(moves)
    page.keyboard.press("Enter")
    expect(page.locator("#log > li")).not_to_have_count(moves)


def test_who_taps_twice_on_a_slow_line_sets_one_table(people: Open, server: Server) -> None:
    page = people(PHONE)
    tables = []
    page.on("request", lambda request: tables.append(request.url) if request.url.endswith("/api/tables") else None)
    leaves: list[Route] = []
    page.route("**/t/*", lambda route: leaves.append(route))  # noqa: PLW0108 - Playwright marks what it calls
    page.goto(server.address)
    before = len(tables)
    page.locator("[data-preset]").first.scroll_into_view_if_needed()
    box = page.locator("[data-preset]").first.bounding_box()
    assert box
    for _tap in range(2):
        page.mouse.click(box["x"] + 50, box["y"] + 20)
        while not leaves:
            page.wait_for_timeout(50)
    page.wait_for_timeout(300)
    assert len(tables) == before + 1
    leaves[0].continue_()
    page.wait_for_url("**/t/*")


def test_what_is_to_be_forgotten_for_good_is_asked_again_of_who_did_something_else(
    people: Open, server: Server
) -> None:
    page = people(PHONE)
    open_table(page, server.address, TABLES["duel"])
    tap_on(page, "duel")
    page.clock.install()
    page.goto(server.address)
    forget = page.locator("#forget-games")
    forget.click()
    expect(forget).to_have_text("Forget them for good")
    page.locator("#own-games h2").click()  # elsewhere
    expect(forget).to_have_text("Forget these games")
    forget.click()
    page.clock.fast_forward(11_000)  # waits
    expect(forget).to_have_text("Forget these games")
    forget.click()
    page.keyboard.press("Shift+Tab")  # goes on by the keyboard
    expect(forget).to_have_text("Forget these games")
    forget.dblclick()  # a double tap is no answer
    expect(forget).to_have_text("Forget them for good")
    expect(page.locator("#own-games-list li")).to_have_count(1)
    page.clock.fast_forward(1000)
    forget.click()
    expect(page.locator("#own-games")).to_be_hidden()


def test_a_double_tap_tells_no_secrets(people: Open, server: Server) -> None:
    page = people()
    players = ["kripke-2012", "mole:fast", "decision-2019"]
    open_table(page, server.address, setup("saboteur", *players, ruleset="official+talk:rounds=1", practice=True))
    tap_on(page, "saboteur", 1)
    assert my_move(page)
    page.locator("[data-why]").last.dispatch_event("click")
    ask = page.locator("#ask-secret")
    ask.dblclick()
    expect(ask).to_contain_text("This tells secrets")
    page.locator("#answer h2").first.click()
    expect(ask).to_contain_text("own reasons")
