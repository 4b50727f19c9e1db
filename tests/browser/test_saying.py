"""Ten players, and what is said before a card: all is reached on every screen, and nothing is said by a tap that was not meant."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from browser.clicking import FAULTS, MOVE, OUT_OF_REACH, ROUND, my_move, one_move, open_table, tap_tunnels, waits
from browser.conftest import Open, Server
from browser.test_playing import setup
from browser.test_screens import DESKTOP, HIDDEN, LYING, PHONE, SIZES, Watched, tap

SPEAKING = "official+talk:speak=yes"
SMALLEST_LYING = (568, 320)


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
def test_one_accuses_a_player_before_a_card(people: Open, server: Server, size: tuple[int, int]) -> None:
    page = people(size)
    watched = Watched(page)
    seats = ["random", "mole", "kripke-2012"]
    open_table(page, server.address, setup("saboteur", *seats, ruleset="official+talk:speak=yes", seed=5))
    assert my_move(page)
    sayings = [move for move in watched.moves if move["kind"] == "say"]
    assert [move["move"] for move in sayings] == ["accuse>1", "accuse>2", "accuse>3"]
    assert page.evaluate(OUT_OF_REACH, watched.moves) == []
    page.keyboard.press("Escape")
    tap(page, "#action-say")
    assert page.evaluate(FAULTS) == []
    tap(page, "#action-silent")
    expect(page.locator("#actions .say-button")).to_have_count(0)
    tap(page, "#action-say")
    tap(page, '[data-play="accuse>2"]')
    whom = sayings[1]["words"].removeprefix("Accuse ")
    expect(page.locator("#log")).to_contain_text(f"You say that {whom} is a saboteur.")
    expect(page.locator("[data-seat='0'] .tag.said")).to_contain_text(f"{whom}!")
    # It is said, and a card is played.
    assert my_move(page)
    expect(page.locator("#action-say")).to_have_count(0)
    assert page.evaluate(FAULTS) == []
    with one_move(page):
        tap_tunnels(page, 0)


@pytest.mark.parametrize("size", [*SIZES[:3], (1280, 800)], ids=lambda size: f"{size[0]}x{size[1]}")
def test_each_of_nine_players_can_be_accused(people: Open, server: Server, size: tuple[int, int]) -> None:
    page = people(size)
    watched = Watched(page)
    open_table(page, server.address, setup("saboteur", *["random"] * 9, ruleset=SPEAKING))
    assert my_move(page)
    assert sum(move["move"].startswith("accuse>") for move in watched.moves) == 9
    before = [page.locator(place).bounding_box() for place in ("#seats", "#hint")]
    assert page.evaluate(OUT_OF_REACH, watched.moves) == []
    page.keyboard.press("Escape")
    tap(page, "#action-say")
    assert page.evaluate(FAULTS) == []
    assert [page.locator(place).bounding_box() for place in ("#seats", "#hint")] == before
    # Somewhat of the mine stays to be seen, and all that may be said lies on the screen or is scrolled to within the hand.
    mine, hand = (page.locator(place).bounding_box() for place in (".mine-box", ".hand-area"))
    assert mine and hand
    assert mine["height"] > 100
    assert hand["y"] + hand["height"] <= size[1] + 1


def double_tap(page: Page, selector: str) -> None:
    """Tap twice where a button lies, whatever lies there at the second tap."""
    box = page.locator(selector).bounding_box()
    assert box
    for _again in range(2):
        if page.evaluate("navigator.maxTouchPoints"):
            page.touchscreen.tap(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        else:
            page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)


@pytest.mark.parametrize("size", [PHONE, LYING, DESKTOP], ids=lambda size: f"{size[0]}x{size[1]}")
def test_a_double_tap_accuses_nobody(people: Open, server: Server, size: tuple[int, int]) -> None:
    page = people(size)
    watched = Watched(page)
    open_table(page, server.address, setup("saboteur", *["random"] * 9, ruleset=SPEAKING))
    assert my_move(page)
    # Wherever the choice appears: an accusation lies under the finger that asked for it.
    page.evaluate("""() => {
        const sheet = new CSSStyleSheet();
        sheet.replaceSync("#actions .say-button { position: fixed; inset: 0; z-index: 99 }");
        document.adoptedStyleSheets = [sheet];
    }""")
    moves = watched.frame["moves"]
    double_tap(page, "#action-say")
    expect(page.locator("#toasts")).to_have_text("Too quick after the last tap: tap once more.")
    expect(page.locator("#actions .say-button")).to_have_count(9)
    page.wait_for_timeout(600)
    assert watched.frame["moves"] == moves
    # Who has seen it and taps again means it.
    page.locator("#actions .say-button").last.click()
    expect(page.locator("#log")).to_contain_text("You say that")


def test_who_goes_on_tapping_is_heard_when_the_first_tap_is_long_ago(people: Open, server: Server) -> None:
    page = people(PHONE)
    open_table(page, server.address, setup("saboteur", *["random"] * 9, ruleset=SPEAKING))
    heard = page.evaluate("""async () => {
        const { guardTaps } = await import("/static/taps.js");
        const root = document.createElement("div");
        for (const key of ["first", "second"]) {
            const button = document.createElement("button");
            button.dataset.key = key;
            root.append(button);
        }
        guardTaps(root, "button");
        const heard = [];
        root.addEventListener("click", (event) => heard.push(event.timeStamp));
        const [first, second] = root.children;
        const tap = (target, at) => {
            const event = new MouseEvent("click", { detail: 1, bubbles: true });
            Object.defineProperty(event, "timeStamp", { value: at });
            target.dispatchEvent(event);
        };
        tap(first, 1000);
        for (const at of [1300, 1450, 1600, 1900]) tap(second, at);
        return heard;
    }""")
    assert heard == [1000, 1600, 1900]


def test_by_the_keyboard_one_comes_from_asking_to_the_first_choice_and_back(people: Open, server: Server) -> None:
    page = people(DESKTOP)
    open_table(page, server.address, setup("saboteur", *["random"] * 4, ruleset=SPEAKING))
    assert my_move(page)
    page.locator("#action-say").focus()
    page.keyboard.press("Enter")
    expect(page.locator("#actions .say-button").first).to_be_focused()
    page.keyboard.press("Escape")
    expect(page.locator("#action-say")).to_be_focused()
    page.keyboard.press("Enter")
    page.keyboard.press("Enter")
    expect(page.locator("#log")).to_contain_text("You say that")


@pytest.mark.parametrize("others", [4, 9])
def test_the_mine_turns_with_the_window_alone(people: Open, server: Server, others: int) -> None:
    page = people(PHONE)
    open_table(page, server.address, setup("saboteur", *["random"] * others, ruleset=SPEAKING))
    assert my_move(page)
    places = page.locator(".place").all_text_contents()
    for _again in range(3):
        tap(page, "#action-say")
        expect(page.locator(".saying")).to_be_visible()
        assert page.locator(".place").all_text_contents() == places
        page.keyboard.press("Escape")
        expect(page.locator(".saying")).to_have_count(0)
        assert page.locator(".place").all_text_contents() == places
        with one_move(page):
            tap_tunnels(page, 0)
        assert my_move(page)
    assert page.locator(".place").all_text_contents() == places
    tap(page, "#action-say")
    page.set_viewport_size({"width": 420, "height": 1600})
    expect(page.locator(".place")).to_have_text(["right", "middle", "left"])
    page.set_viewport_size({"width": LYING[0], "height": LYING[1]})
    expect(page.locator(".place")).to_have_text(["top", "middle", "bottom"])


@pytest.mark.parametrize("size", [*SIZES[:3], (360, 640), SMALLEST_LYING], ids=lambda size: f"{size[0]}x{size[1]}")
def test_ten_players_come_through_a_round_on_a_phone(people: Open, server: Server, size: tuple[int, int]) -> None:
    page = people(size)
    open_table(page, server.address, setup("saboteur", *["random"] * 9, ruleset=SPEAKING, seed=5))
    made = claims = 0
    while waits(page) == MOVE:
        if page.locator("[data-claim]").count():
            claims += 1
            assert page.evaluate(HIDDEN) == []
        with one_move(page):
            tap_tunnels(page, made)
        made += 1
    assert claims
    assert waits(page) == ROUND
    expect(page.locator("#next-round")).to_be_in_viewport(ratio=1)
    assert page.evaluate(FAULTS) == []
    if size[0] >= 360:
        # What each has earned is seen, too, above the buttons.
        gold, foot = (page.locator(part).bounding_box() for part in (".role-gold >> nth=-1", ".scene-foot"))
        beside = size == SMALLEST_LYING
        assert gold and foot and gold["y"] + gold["height"] <= (size[1] if beside else foot["y"] + 1)
        assert not beside or foot["x"] + foot["width"] <= page.locator(".role-cards").bounding_box()["x"]  # type: ignore[index]
    if size == LYING:
        # The mine is small then, and the names of its goals are read whole all the same.
        mine = page.locator(".mine-box").bounding_box()
        names = [name.bounding_box() for name in page.locator(".place").all()]
        assert mine and len(names) == 3
        assert all(name and name["x"] + name["width"] <= mine["x"] + mine["width"] for name in names)
