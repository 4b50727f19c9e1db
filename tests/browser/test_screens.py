"""Every screen, from a small phone to a large desktop: nothing is too small to be hit or read, nothing covers anything else, and
every legal move can be made by tapping."""

from __future__ import annotations

import json
import re
from itertools import pairwise, product
from typing import Any

import pytest
from axe_playwright_python.base import AXE_FILE_PATH
from playwright.sync_api import Page, expect

from browser.clicking import (
    FAULTS,
    FINGER,
    OUT_OF_REACH,
    my_move,
    one_move,
    open_table,
    play,
    tap_clue,
    tap_on,
    tap_tunnels,
    violations,
)
from browser.conftest import Open, Server
from browser.test_playing import TABLES, setup

AXE = AXE_FILE_PATH.read_text("utf-8")
SIZES = [(320, 640), (360, 740), (740, 360), (1280, 800), (2560, 1440)]
PHONE, LYING, DESKTOP = SIZES[1], SIZES[2], SIZES[3]
ENLARGED = [(195, 422), (320, 180)]
"""What a phone has left, upright and lying, for pages that it enlarges to twice their size."""
GAMES = {
    "saboteur": setup("saboteur", *["random"] * 4, ruleset="official+talk:rounds=1", practice=True, seed=5),
    "duel": setup("duel", "greedy-2020", practice=True),
}
WAYS = re.compile(r"\b(up|down|left|right)\b")


class Watched:
    """A page with the last table that it was sent."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.frame: dict[str, Any] = {}
        page.on("websocket", lambda line: line.on("framereceived", self._hear))

    def _hear(self, sent: str | bytes) -> None:
        message = json.loads(sent)
        if message["type"] == "table":
            self.frame = message

    @property
    def moves(self) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = self.frame["position"]["moves"]
        return found


def tap(page: Page, selector: str) -> None:
    """Tap what is there once: Playwright scrolls it into sight and fails where something else lies on it."""
    page.locator(selector).click(timeout=5000)


def pick(page: Page, card: str) -> None:
    """Have a card of the hand chosen, the first of its kind."""
    button = page.locator(f'.hand [data-card="{card}"]').first
    if button.get_attribute("aria-pressed") != "true":
        button.click(timeout=5000)
    expect(button).to_have_attribute("aria-pressed", "true")


CUT = """() => [...document.querySelectorAll("#headline, #latest, #notice, #lines")]
    .filter((words) => getComputedStyle(words).overflow !== "visible"
        && (words.scrollHeight > words.clientHeight + 3 || words.scrollWidth > words.clientWidth + 1))
    .map((words) => words.textContent)"""
"""What is said above the board, and not shown whole."""


@pytest.mark.parametrize("game", TABLES)
@pytest.mark.parametrize("size", ENLARGED, ids=lambda size: f"{size[0]}x{size[1]}")
def test_a_game_is_played_on_a_phone_that_shows_pages_at_twice_their_size(
    people: Open, server: Server, size: tuple[int, int], game: str
) -> None:
    page = people(size)
    open_table(page, server.address, TABLES[game])
    for _ in range(2):
        assert my_move(page)
        assert page.evaluate(FAULTS) == []
        tap_on(page, game, 2)
    tap_on(page, game)
    expect(page.locator("#over")).to_be_visible()
    assert page.evaluate(FAULTS) == []


@pytest.mark.parametrize("path", ["/", "/adviser", "/rules/saboteur", "/puzzle", "/statistics"])
@pytest.mark.parametrize("size", ENLARGED, ids=lambda size: f"{size[0]}x{size[1]}")
def test_pages_at_twice_their_size_fit_a_phone(people: Open, server: Server, size: tuple[int, int], path: str) -> None:
    page = people(size)
    answer = page.goto(f"{server.address}{path}")
    assert answer is not None and answer.ok
    page.wait_for_load_state("networkidle")
    assert page.evaluate(FAULTS) == []


@pytest.mark.parametrize("size", [SIZES[0], LYING], ids=lambda size: f"{size[0]}x{size[1]}")
@pytest.mark.parametrize("game", ["saboteur", "speed_clue"])
def test_what_is_said_above_a_board_is_said_whole(
    people: Open, server: Server, game: str, size: tuple[int, int]
) -> None:
    page = people(size)
    open_table(page, server.address, GAMES[game] if game in GAMES else TABLES[game])
    for _ in range(6):
        if not my_move(page):
            break
        assert page.evaluate(CUT) == []
        tap_on(page, game, 1)
    assert page.locator("#lines").text_content()
    assert page.locator("#latest, #notice").filter(visible=True).count() == 1


@pytest.mark.parametrize(
    ("game", "size"),
    [
        pytest.param(
            game,
            size,
            id=f"{game}-{size[0]}x{size[1]}",
            marks=[pytest.mark.thorough] * (game == "duel" and size not in (LYING, SIZES[0])),
        )
        for game in GAMES
        for size in SIZES
    ],
)
def test_every_legal_move_can_be_made_by_tapping(
    people: Open, server: Server, game: str, size: tuple[int, int]
) -> None:
    page = people(size)
    watched = Watched(page)
    open_table(page, server.address, GAMES[game])
    made = 0
    while my_move(page) and made < 400:
        if made in (0, 3, 7, 12):
            assert watched.moves
            assert page.evaluate(OUT_OF_REACH, watched.moves) == []
            assert page.evaluate(FAULTS) == []
            page.keyboard.press("Escape")
        with one_move(page):
            tap_tunnels(page, made)
        made += 1
    expect(page.locator("#over")).to_be_visible()
    assert page.evaluate(FAULTS) == []
    assert violations(page, AXE) == []


HIDDEN = """() => {
    const faults = [];
    const all = (selector) => [...document.querySelectorAll(selector)];
    const boxes = (selector) => all(selector).map((element) => element.getBoundingClientRect());
    const meet = (one, two) => one.top < two.bottom - 2 && two.top < one.bottom - 2
        && one.left < two.right - 2 && two.left < one.right - 2;
    for (const name of all(".seat-name"))
        if (name.scrollWidth > name.clientWidth + 1) faults.push(`the name ${name.textContent} is cut off`);
    const [prompt] = all(".prompt");
    if (prompt.scrollHeight > prompt.clientHeight + 6) faults.push(`"${prompt.textContent}" is cut off`);
    const [cards, words] = [boxes(".hand .card:not(.picked)"), ...boxes(".prompt")];
    const lines = words.height / parseFloat(getComputedStyle(prompt).fontSize);
    if (lines > (innerWidth > innerHeight ? 7 : 5)) faults.push(`"${prompt.textContent}" is squeezed`);
    if (cards.some((card) => meet(card, words))) faults.push("a card lies on the prompt");
    const glow = 3; // pixels around the chosen card
    for (const card of boxes(".hand .picked")) {
        const covers = (other) => card.top - glow < other.bottom && other.top < card.bottom
            && card.left < other.right && other.left < card.right;
        if ([words, ...boxes("#actions .button")].some(covers)) faults.push("the chosen card lies on the prompt or on an action");
    }
    for (const action of boxes("#actions .button")) {
        if ([...cards, words].some((other) => meet(action, other))) faults.push("an action lies on a card or on the prompt");
        if (action.bottom > innerHeight + 1) faults.push("an action lies below the screen");
    }
    return faults;
}"""
"""What cannot be read or told apart of the seats and of the hand."""
HIDDEN_BY_CARD = f"""async () => {{
    {FINGER}
    const hidden = {HIDDEN};
    const faults = [];
    for (const place of all(".hand [data-card]").keys()) {{
        if (!(await tap(all(".hand [data-card]")[place]))) faults.push(`card ${{place}} is not to be hit`);
        const picked = all(".hand .picked").length;
        if (picked !== 1) faults.push(`${{picked}} cards are chosen`);
        faults.push(...hidden());
    }}
    return faults;
}}"""
"""The same for every card of the hand, while it is chosen."""


@pytest.mark.parametrize("size", SIZES[:3], ids=lambda size: f"{size[0]}x{size[1]}")
@pytest.mark.parametrize("others", [2, 4, 9])
def test_names_and_what_a_card_can_do_are_read_on_a_phone(
    people: Open, server: Server, others: int, size: tuple[int, int]
) -> None:
    page = people(size)
    open_table(page, server.address, setup("saboteur", *["random"] * others, ruleset="official"))
    for made in range(3):
        assert my_move(page)
        assert page.evaluate(HIDDEN_BY_CARD) == []
        page.keyboard.press("Escape")
        with one_move(page):
            tap_tunnels(page, made)


@pytest.mark.parametrize("size", SIZES[:3], ids=lambda size: f"{size[0]}x{size[1]}")
def test_both_names_are_read_through_a_whole_duel(people: Open, server: Server, size: tuple[int, int]) -> None:
    page = people(size)
    open_table(page, server.address, setup("duel", "random"))
    tap_on(page, "duel")
    names = page.locator(".seat-name")
    expect(names).to_have_text(["Ann", "Alice"])
    assert names.evaluate_all("(all) => all.every((name) => name.scrollWidth <= name.clientWidth + 1)")


@pytest.mark.parametrize(
    "size",
    [
        pytest.param(PHONE, id="phone"),
        pytest.param(LYING, id="lying", marks=pytest.mark.thorough),
        pytest.param(DESKTOP, id="desktop", marks=pytest.mark.thorough),
    ],
)
def test_a_whole_game_of_speed_clue_fits_every_screen(people: Open, server: Server, size: tuple[int, int]) -> None:
    page = people(size)
    open_table(page, server.address, TABLES["speed_clue"])
    made = 0
    while my_move(page):
        if made % 6 == 0:
            assert page.evaluate(FAULTS) == []
        with one_move(page):
            tap_clue(page, made)
        made += 1
    expect(page.locator("#over")).to_be_visible()
    assert page.evaluate(FAULTS) == []
    assert violations(page, AXE) == []


@pytest.mark.parametrize("size", [(360, 640), (390, 844)], ids=lambda size: f"{size[0]}x{size[1]}")
def test_what_is_said_of_a_move_has_its_place_before_it_comes(
    people: Open, server: Server, size: tuple[int, int]
) -> None:
    page = people(size)
    open_table(page, server.address, GAMES["saboteur"] | {"practice": False})
    assert my_move(page)
    page.evaluate("() => Promise.all(document.getAnimations().map((each) => each.finished))")
    tops = page.evaluate("""() => {
        const [latest, notice] = ["latest", "notice"].map((id) => document.getElementById(id));
        const top = () => document.querySelector(".mine-box").getBoundingClientRect().top;
        const tops = [];
        const long = "You play a rockfall on 3,0: the straight tunnel up-down is gone. You draw a lantern repair.";
        for (const words of ["", "Bob discards a card.", long]) {
            latest.textContent = words;
            tops.push(top());
        }
        [latest.hidden, notice.hidden, notice.textContent] = [true, false, "You looked at the middle goal: it is a stone."];
        return [...tops, top()];
    }""")
    assert len(set(tops)) == 1, tops


@pytest.mark.parametrize("size", [(390, 844), PHONE, (360, 640)], ids=lambda size: f"{size[0]}x{size[1]}")
def test_the_mine_of_a_phone_lies_still_while_tools_are_broken(
    people: Open, server: Server, size: tuple[int, int]
) -> None:
    page = people(size)
    players = ["decision-2019"] * 4
    open_table(page, server.address, setup("saboteur", *players, ruleset="official+talk:rounds=1", seed=5))
    tops = set()
    for made in range(7):
        assert my_move(page)
        tops.add(page.locator(".mine-box").evaluate("(box) => box.getBoundingClientRect().top"))
        with one_move(page):
            tap_tunnels(page, made)
    expect(page.locator(".seat .icon.broken")).not_to_have_count(0)
    assert len(tops) == 1


BROKEN_WORDS = """([place, said]) => {
    const prompt = document.querySelector(place);
    prompt.textContent = said;
    return [...said.matchAll(/\\p{L}+/gu)].filter((word) => {
        const range = document.createRange();
        range.setStart(prompt.firstChild, word.index);
        range.setEnd(prompt.firstChild, word.index + word[0].length);
        return new Set([...range.getClientRects()].map((box) => Math.round(box.top))).size > 1;
    }).map((word) => word[0]);
}"""
"""The words of a text, put in a place of the page, that go on in another line."""


@pytest.mark.parametrize("game", GAMES)
def test_long_words_of_what_a_card_can_do_are_whole_on_a_phone_that_lies(
    people: Open, server: Server, game: str
) -> None:
    page = people(LYING)
    open_table(page, server.address, GAMES[game])
    assert my_move(page)
    assert page.evaluate(BROKEN_WORDS, [".prompt", "Zerbrochene Laterne: halte einen Spieler auf"]) == []
    assert page.evaluate(BROKEN_WORDS, [".prompt", "Donaudampfschifffahrtsgesellschaft"]) != []


@pytest.mark.parametrize("size", [DESKTOP, (1024, 700)], ids=str)
def test_long_words_below_a_card_are_whole(people: Open, server: Server, size: tuple[int, int]) -> None:
    page = people(size)
    open_table(page, server.address, GAMES["saboteur"])
    assert my_move(page)
    count = page.locator(".card-name").count()
    for number in range(count):
        place = f".card:nth-child({number + 1} of :has(.card-name)) .card-name"
        assert page.evaluate(BROKEN_WORDS, [place, "zerbrochene Laterne"]) == []
    boxes = page.locator(".card-name").evaluate_all("(all) => all.map((name) => name.getBoundingClientRect())")
    assert count > 1 and all(left["right"] <= right["left"] for left, right in pairwise(boxes))


def test_a_target_that_is_cut_off_or_too_small_is_found(people: Open, server: Server) -> None:
    page = people(DESKTOP)
    page.goto(server.address)
    expect(page.locator("#presets li").first).to_be_visible()
    assert page.evaluate(FAULTS) == []
    page.locator(".preset").first.evaluate(
        "(preset) => { preset.parentElement.style.cssText = 'height: 50px; overflow: hidden'; }"
    )
    assert any("cut off" in fault for fault in page.evaluate(FAULTS))
    page.locator("#create").evaluate("(button) => { button.style.cssText = 'min-height: 0; height: 30px'; }")
    assert any("x 30.0" in fault for fault in page.evaluate(FAULTS))


def test_a_move_that_something_lies_on_or_that_is_not_offered_is_found(people: Open, server: Server) -> None:
    page = people(DESKTOP)
    watched = Watched(page)
    open_table(page, server.address, GAMES["saboteur"])
    assert my_move(page)
    assert page.evaluate(OUT_OF_REACH, watched.moves) == []
    nowhere = {"kind": "lay", "card": watched.moves[0]["card"], "x": 40, "y": 40}
    assert "is not lit" in page.evaluate(OUT_OF_REACH, [nowhere])[0]
    page.evaluate("""() => {
        const cover = document.createElement("div");
        cover.style.cssText = "position: fixed; inset: 0; z-index: 99";
        document.body.append(cover);
    }""")
    assert len(page.evaluate(OUT_OF_REACH, watched.moves)) == len(watched.moves)


NAMES = """() => {
    const box = document.querySelector(".mine-box");
    const { left, top } = box.getBoundingClientRect();
    const [right, bottom] = [left + box.clientWidth + 1, top + box.clientHeight + 1];
    const names = [...document.querySelectorAll(".place, .beyond:not([hidden])")];
    const found = names.map((name) => [name, name.getBoundingClientRect()])
        .filter(([, name]) => name.left >= left - 1 && name.top >= top - 1 && name.right <= right && name.bottom <= bottom);
    const apart = found.every(([, a], place) => found.slice(place + 1).every(([, b]) =>
        a.right <= b.left || b.right <= a.left || a.bottom <= b.top || b.bottom <= a.top));
    return apart ? found.map(([name]) => name.textContent.split(" ")[0]).sort() : "names lie on each other";
}"""
"""The names of goals that are to be seen whole in the mine, each by itself."""


@pytest.mark.parametrize("size", [(360, 640), (390, 844), (844, 390), DESKTOP], ids=lambda size: f"{size[0]}x{size[1]}")
def test_the_names_of_all_goals_are_read_whatever_part_of_the_mine_is_seen(
    people: Open, server: Server, size: tuple[int, int]
) -> None:
    page = people(size)
    for table in (GAMES["saboteur"], setup("saboteur", *["random"] * 6, ruleset="official", seed=5), GAMES["duel"]):
        open_table(page, server.address, table)
        assert my_move(page)
        box = page.locator(".mine-box")
        for across, down in product((0, 1), (0, 1)):
            part = "(box, [x, y]) => box.scrollTo(x * box.scrollWidth, y * box.scrollHeight)"
            box.evaluate(part, [across, down])
            # A page says with its next frame that it was scrolled; from then on this holds.
            right = f"() => ['bottom,middle,top', 'left,middle,right'].includes(({NAMES})().toString())"
            page.wait_for_function(right, timeout=5000)
            page.wait_for_timeout(100)
            assert page.evaluate(right), page.evaluate(NAMES)
        assert page.evaluate(FAULTS) == []


def test_what_is_larger_than_its_place_is_seen_on_a_small_map(people: Open, server: Server) -> None:
    page = people((320, 480))
    open_table(page, server.address, GAMES["duel"])
    assert my_move(page)
    box = page.locator(".mine-box")
    assert box.evaluate("(box) => box.scrollHeight > box.clientHeight || box.scrollWidth > box.clientWidth")
    expect(page.locator(".mine-map")).to_be_visible()
    expect(page.locator(".map-goal")).to_have_count(3)
    expect(page.locator(".place").nth(1)).not_to_be_in_viewport()
    place = page.locator(".map-goal").nth(1).bounding_box()
    assert place
    page.mouse.click(place["x"] + place["width"] / 2, place["y"] + place["height"] / 2)
    expect(page.locator(".place").nth(1)).to_be_in_viewport()
    page.set_viewport_size({"width": 1280, "height": 800})
    expect(page.locator(".mine-map")).to_be_hidden()


@pytest.mark.parametrize(("height", "side"), [(640, "top"), (480, "left")])
def test_rows_and_columns_keep_their_numbers_in_sight_where_one_scrolls(
    people: Open, server: Server, height: int, side: str
) -> None:
    page = people((320, height))
    open_table(page, server.address, GAMES["duel"])
    assert my_move(page)
    box = page.locator(".mine-box")
    box.evaluate("(box) => box.scrollTo(box.scrollWidth, box.scrollHeight)")
    assert box.evaluate("(box) => box.scrollTop + box.scrollLeft") > 100
    numbers = """(all, side) => {
        const edge = document.querySelector(".mine-box").getBoundingClientRect()[side];
        const away = all.map((axis) => axis.getBoundingClientRect()[side] - edge);
        return away.filter((pixels) => pixels > -1 && pixels < 20).length;
    }"""
    assert page.locator(".axis").evaluate_all(numbers, side) >= 5


def test_the_duel_lies_on_its_side_on_a_wide_screen_and_is_said_so(people: Open, server: Server) -> None:
    page = people(DESKTOP)
    open_table(page, server.address, GAMES["duel"])
    assert my_move(page)
    goals = [page.locator(".place", has_text=place).bounding_box() for place in ("top", "middle", "bottom")]
    ladder = page.locator('[data-cell="5,5"]').bounding_box()
    assert all(goals) and ladder
    top, middle, bottom = (goal for goal in goals if goal)
    assert top["y"] < middle["y"] < bottom["y"]
    assert ladder["x"] < top["x"]
    said = page.locator(".hand .path").evaluate_all("(cards) => cards.map((card) => card.getAttribute('aria-label'))")
    page.set_viewport_size({"width": PHONE[0], "height": PHONE[1]})
    expect(page.locator(".place").first).to_have_text("left")
    upright = page.locator(".hand .path").evaluate_all(
        "(cards) => cards.map((card) => card.getAttribute('aria-label'))"
    )
    turned = {"up": "left", "left": "down", "down": "right", "right": "up"}
    for lies, stands in zip(said, upright, strict=True):
        assert {turned[way] for way in WAYS.findall(stands)} == set(WAYS.findall(lies)) != set()


@pytest.mark.parametrize("game", TABLES)
def test_the_log_stays_where_it_is_when_an_answer_opens(people: Open, server: Server, game: str) -> None:
    page = people(DESKTOP)
    open_table(page, server.address, (TABLES | GAMES)[game])
    play(page, game, 1)
    assert my_move(page)
    before = page.locator("#log").bounding_box()
    for asked in ("#hint", "#beliefs", "[data-why] >> nth=-1"):
        page.locator(asked).click()
        expect(page.locator("#answer .close")).to_be_visible(timeout=60_000)
        assert page.locator("#log").bounding_box() == before
        page.locator("#answer .close").click()
        expect(page.locator("#help")).to_be_visible()
        assert page.locator("#log").bounding_box() == before


def test_ones_own_tool_is_broken_only_after_a_question(people: Open, server: Server) -> None:
    page = people(DESKTOP)
    watched = Watched(page)
    open_table(page, server.address, GAMES["saboteur"] | {"seed": 2})
    while my_move(page):
        own = [
            move
            for move in watched.moves
            if move["kind"] == "seat" and move["card"].startswith("break") and move["seat"] == 0
        ]
        if not own:
            with one_move(page):
                tap_tunnels(page, 0)
            continue
        entries = page.locator("#log > li").count()
        pick(page, own[0]["card"])
        tap(page, '[data-seat="0"] .seat-target')
        expect(page.locator("#prompt")).to_contain_text("It hurts you alone")
        tap(page, "#action-drop")
        assert page.locator("#log > li").count() == entries
        pick(page, own[0]["card"])
        tap(page, '[data-seat="0"] .seat-target')
        tap(page, "#actions [data-play]")
        expect(page.locator("#log")).to_contain_text("You break your own")
        return
    pytest.fail("no tool could be broken in this game")


FADES = """(box) => {
    const style = getComputedStyle(box);
    return (style.maskImage || style.webkitMaskImage || "none") !== "none";
}"""
"""Whether a box fades at its lower edge."""


@pytest.mark.parametrize(
    ("size", "box"),
    [
        pytest.param(LYING, "#seats", id="seats"),
        pytest.param(DESKTOP, "#answer", id="answer"),
        pytest.param(DESKTOP, "#help", id="help"),
    ],
)
def test_what_scrolls_fades_while_there_is_more_below(
    people: Open, server: Server, size: tuple[int, int], box: str
) -> None:
    page = people(size)
    open_table(page, server.address, GAMES["saboteur"])
    assert my_move(page)
    if box == "#answer":
        page.locator("#beliefs").click()
        expect(page.locator("#answer .close")).to_be_visible(timeout=60_000)
    there = page.locator(box)
    expect(there).to_have_class(re.compile(r"\bmore-below\b"))
    assert there.evaluate(FADES)
    there.evaluate("(box) => box.scrollTo(0, box.scrollHeight)")
    expect(there).not_to_have_class(re.compile(r"\bmore-below\b"))
    assert not there.evaluate(FADES)
    there.evaluate("(box) => box.scrollTo(0, 0)")
    expect(there).to_have_class(re.compile(r"\bmore-below\b"))
    page.set_viewport_size({"width": 1280, "height": 3000})
    expect(there).not_to_have_class(re.compile(r"\bmore-below\b"))


IDLE = """async (own) => {
    const { idleWords } = await import("/static/tunnel_parts.js");
    const cards = ["P_EW", "3", "fix:cart", "deblock", "bonus", "rockfall", "destroy", "map", "break:cart"];
    return cards.map((card) => idleWords({ card }, { broken: [], malus: 0, ...own }));
}"""


def test_it_is_said_what_a_card_does_to_a_player_and_why_it_can_only_be_discarded(people: Open, server: Server) -> None:
    page = people(PHONE)
    open_table(
        page, server.address, setup("saboteur", *["decision-2019"] * 2, ruleset="official+talk:rounds=1", seed=9)
    )
    assert my_move(page)
    for card, said in [
        ("break:lantern", "Broken lantern: stop a player"),
        ("fix:cart", "Repair: cart: nothing to mend now"),
    ]:
        pick(page, card)
        expect(page.locator("#prompt")).to_have_text(said)
        assert page.locator("#prompt").bounding_box()["height"] < 40  # type: ignore[index]
        assert page.evaluate(FAULTS) == []
    fits = "fits nowhere now"
    mends, clears = ["nothing to mend now"] * 2 + ["you have no malus"], ["nothing to take away"] * 2
    others = [*mends, *clears, "every goal lies open", "nobody left to play it on"]
    assert page.evaluate(IDLE, {}) == [fits, fits, *others]
    for own, why in [
        ({"broken": ["lantern", "cart"]}, "not while your lantern is broken"),
        ({"broken": ["block"]}, "not while you are blocked"),
        ({"malus": 1}, "not while you have a malus"),
    ]:
        assert page.evaluate(IDLE, own) == [why, why, *others]


def test_the_log_goes_on_scrolling_for_who_is_at_its_end_alone(people: Open, server: Server) -> None:
    page = people(DESKTOP)
    open_table(page, server.address, setup("saboteur", *["random"] * 4, ruleset="official"))
    tap_on(page, "saboteur", 4)
    assert my_move(page)
    hidden = "(log) => [log.scrollTop, log.scrollHeight - log.clientHeight - log.scrollTop]"
    above, below = page.locator("#log").evaluate(hidden)
    assert above > 100 and below < 2
    page.locator("#log").evaluate("(log) => { log.scrollTop = 0; }")
    tap_on(page, "saboteur", 1)
    assert my_move(page)
    above, below = page.locator("#log").evaluate(hidden)
    assert above == 0 and below > 100
