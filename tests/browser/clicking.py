"""A person who plays by clicking: what is lit is chosen, without a thought."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from playwright.sync_api import Locator, Page, expect

MOVE, ROUND, OVER = "move", "round", "over"
STOPS = f"""() => document.getElementById("next-round") ? "{ROUND}" : document.getElementById("over")?.hidden === false ? "{OVER}"
    : document.getElementById("headline")?.classList.contains("own-move") && "{MOVE}"
"""
"""What a person can go on with: in any language; nothing where the page of the table is still to come."""
FAULTS = """async () => {
    // Words are there before what lays them out.
    if (document.readyState !== "complete") await new Promise((done) => addEventListener("load", done, { once: true }));
    const faults = [];
    const seen = (element) =>
        element.checkVisibility({ opacityProperty: true, visibilityProperty: true }) && !element.closest(".unseen");
    const named = (element) =>
         `${element.tagName} #${element.id} .${element.getAttribute("class")} ${element.textContent.trim().slice(0, 30)}`;
    const targets = "button:not(:disabled, [aria-disabled=true]), a[href]:not(.skip), select, input:not([type=range])";
    // How much of a box what holds it cuts off for good: what can be scrolled into sight is not cut off.
    const cut = (element, box) => {
        let most = 0;
        const [fixed, scrolls] = [["hidden", "clip"], ["auto", "scroll"]];
        let [across, down] = [true, true];
        for (let holder = element.parentElement; holder && holder !== document.body; holder = holder.parentElement) {
            const [{ overflowX, overflowY }, frame] = [getComputedStyle(holder), holder.getBoundingClientRect()];
            if (scrolls.includes(overflowX)) across = false;
            if (scrolls.includes(overflowY)) down = false;
            if (across && fixed.includes(overflowX)) most = Math.max(most, frame.left - box.left, box.right - frame.right);
            if (down && fixed.includes(overflowY)) most = Math.max(most, frame.top - box.top, box.bottom - frame.bottom);
        }
        return Math.max(most, across ? -box.left - scrollX : 0, down ? -box.top - scrollY : 0);
    };
    for (const element of document.querySelectorAll(targets)) {
        if (!seen(element) || element.matches("input[type=radio], input[type=checkbox]")) continue;
        const box = element.getBoundingClientRect();
        if (box.width < 39.9 || box.height < 39.9)
            faults.push(`${named(element)} is ${box.width.toFixed(1)} x ${box.height.toFixed(1)}`);
        if (cut(element, box) > 1) faults.push(`${named(element)} is cut off by ${cut(element, box).toFixed(1)}`);
    }
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
        const holder = walker.currentNode.parentElement;
        if (!walker.currentNode.data.trim() || !seen(holder) || holder.closest("script, style, symbol")) continue;
        const size = parseFloat(getComputedStyle(holder).fontSize);
        if (size < 12) faults.push(`${named(holder)} has letters of ${size} px`);
    }
    if (document.documentElement.scrollWidth > innerWidth) faults.push("the page is wider than the screen");
    const [mine, hand] = [".mine-box", ".hand-area"].map((name) => document.querySelector(name)?.getBoundingClientRect());
    if (mine && hand && mine.left < hand.right && hand.left < mine.right && mine.top < hand.bottom && hand.top < mine.bottom)
        faults.push("the hand covers the board");
    return faults;
}"""
"""What is too small on a page, cut off, or lies on what it must not lie on."""
FINGER = """
    const all = (selector) => [...document.querySelectorAll(selector)];
    const seek = (selector) => document.querySelector(selector);
    // When all has been laid out anew: a timer that is set before a page is drawn is due after it.
    const frame = () => new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
    // Whether a finger that is put on the middle of an element hits it or what it holds, once it is scrolled into sight.
    const isHit = (element) => {
        if (!element?.checkVisibility({ visibilityProperty: true }) || element.disabled) return false;
        element.scrollIntoView({ block: "nearest", inline: "nearest", behavior: "instant" });
        const box = element.getBoundingClientRect();
        return element.contains(document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2));
    };
    const click = (element) => {
        if (!isHit(element)) return false;
        element.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true }));
        return true;
    };
    const tap = async (element) => {
        if (!click(element)) return false;
        await frame();
        return true;
    };
    // For who only plays on, and does not look at the page: it need not be drawn between two clicks.
    const must = (element) => {
        if (!click(element)) throw new Error(`not to be hit: ${element?.outerHTML.slice(0, 200)}`);
    };
"""
"""What a script of the page needs to tap: whole games in one call a move, as each click of Playwright takes 60 ms."""
OUT_OF_REACH = f"""async (moves) => {{
    {FINGER}
    const faults = [];
    for (const move of moves) {{
        const fault = (words) => faults.push(`${{JSON.stringify(move)}}: ${{words}}`);
        const cell = () => seek(`[data-cell="${{move.x}},${{move.y}}"]`);
        const card = () => seek(`.hand [data-card="${{move.card}}"]`);
        const isChosen = () => card()?.getAttribute("aria-pressed") === "true";
        const isLit = () => cell()?.classList.contains("lit");
        if (move.kind === "claim") {{
            if (!isHit(seek(`[data-claim="${{move.said}}"]`))) fault("not to be said");
            continue;
        }}
        if (move.kind === "say") {{
            await tap(seek("#action-drop"));
            const words = () => seek(`[data-play="${{move.move}}"]`);
            if (!words()) await tap(seek("#action-say"));
            if (!isHit(words())) fault("not to be said");
            continue;
        }}
        if (!isChosen() && !((await tap(card())) && isChosen())) {{
            fault("the card cannot be chosen");
            continue;
        }}
        if (move.kind === "seat" || move.kind === "discard") {{
            const place = move.kind === "seat" ? `[data-seat="${{move.seat}}"] .seat-target` : "[data-discard]";
            if (!isHit(seek(place))) fault("not to be hit");
            continue;
        }}
        const turn = seek("#action-turn");
        if (move.kind === "lay" && turn && !isHit(turn)) fault("not to be turned");
        if (!isLit()) await tap(turn);
        if (!isLit()) fault("its cell is not lit");
        else if (!isHit(cell())) fault("its cell is not to be hit");
    }}
    return faults;
}}"""
"""Those of some legal moves that a finger cannot make; none is made."""
PLAY = f"""(made) => {{
    {FINGER}
    const claims = all("[data-claim]");
    if (claims.length) return must(claims[made % 2]);
    for (let place = 0; place < all(".hand [data-card]").length; place++) {{
        const card = () => all(".hand [data-card]")[place];
        if (card().getAttribute("aria-pressed") !== "true") must(card());
        for (const choices of [all(".cell.lit"), all(".seat-target")])
            if (choices.length) {{
                must(choices[made % choices.length]);
                const asked = all("#actions [data-play]:not([data-claim])");
                return asked.length && must(asked[0]);
            }}
    }}
    return must(seek("[data-discard]"));
}}"""
"""The move that `play_tunnels` makes; an error where a finger cannot make it."""
PLAY_CLUE = f"""(made) => {{
    {FINGER}
    const press = (element) => {{
        element?.scrollIntoView({{ block: "center", behavior: "instant" }}); // between what stays at the top and at the bottom
        return must(element);
    }};
    if (!seek("#clue-suggest")) return press(seek("#clue-end") ?? seek(".clue-act button[data-card]"));
    for (let category = 0; category < 3; category += 1) {{
        const tiles = all(".clue-act .clue-group")[category].querySelectorAll("label.clue-tile");
        press(tiles[(made * (category + 1)) % tiles.length]);
    }}
    return press(seek("#clue-suggest"));
}}"""
"""The move that `play_clue` makes; an error where a finger cannot make it."""
DOUBLE_TAP = 600
"""Milliseconds after which a second tap is one of its own, and no part of a double tap."""
AT_ONCE = 1500
"""Milliseconds in which what was clicked must show."""


def open_table(page: Page, address: str, setup: dict[str, Any]) -> str:
    """Set a table as the lobby does, and open its page; the address of the seat."""
    answer = page.request.post(f"{address}/api/tables", data=setup)
    assert answer.status == 201, answer.text()
    link = f"{address}{answer.json()['link']}"
    page.goto(link)
    return link


def headline(page: Page) -> str:
    return page.locator("#headline").text_content() or ""


def waits(page: Page) -> str:
    """Wait until there is something for the person: a MOVE, the end of a ROUND, or that the game is OVER."""
    found: str = page.wait_for_function(STOPS, timeout=120_000).json_value()
    return found


def my_move(page: Page) -> bool:
    """Wait until it is this person's move, and go on where a round has ended; False where the game is over."""
    while (found := waits(page)) == ROUND:
        page.locator("#next-round").click()
    return found == MOVE


@contextmanager
def one_move(page: Page) -> Iterator[None]:
    """Wait until what is done here is told in the log."""
    entries = page.locator("#log > li").count()
    yield
    expect(page.locator("#log > li")).not_to_have_count(entries)


def play(page: Page, game: str, moves: int = 10_000) -> int:
    """Play so many moves, or to the end, as somebody clicks; how many there were."""
    return _play(page, moves, play_clue if game == "speed_clue" else play_tunnels)


def tap_on(page: Page, game: str, moves: int = 10_000) -> int:
    """As `play`, in a third of the time: each move is one script, where it is not clicking that is tested."""
    return _play(page, moves, tap_clue if game == "speed_clue" else tap_tunnels)


def _play(page: Page, moves: int, move: Callable[[Page, int], None]) -> int:
    for made in range(moves):
        if not my_move(page):
            return made
        with one_move(page):
            move(page, made)
    return moves


def tap_tunnels(page: Page, made: int) -> None:
    """One move of Saboteur or the duel, as a script."""
    page.evaluate(PLAY, made)


def tap_clue(page: Page, made: int) -> None:
    """One move of Speed Clue, as a script."""
    page.evaluate(PLAY_CLUE, made)


def play_tunnels(page: Page, made: int) -> None:
    """One move of Saboteur or the duel."""
    claims = page.locator("[data-claim]")
    if claims.count():
        claims.nth(made % 2).click()
        return
    cards = page.locator(".hand [data-card]")
    for place in range(cards.count()):
        card = cards.nth(place)
        if card.get_attribute("aria-pressed") != "true":
            card.click()
        expect(card).to_have_attribute("aria-pressed", "true")
        for choice in (page.locator(".cell.lit"), page.locator(".seat-target")):
            if choice.count():
                choice.nth(made % choice.count()).click()
                # Which of two tools, or whether one's own is to be broken. What is said of a goal is the next move.
                asked = page.locator("#actions [data-play]:not([data-claim])")
                if asked.count():
                    asked.first.click()
                return
    page.locator("[data-discard]").click()


def play_clue(page: Page, made: int) -> None:
    """One move of Speed Clue: never an accusation."""
    act = page.locator(".clue-act")
    if page.locator("#clue-suggest").count():
        for category in range(3):
            tiles = act.locator(".clue-group").nth(category).locator("label.clue-tile")
            tiles.nth(made * (category + 1) % tiles.count()).click()
        page.locator("#clue-suggest").click()
        return
    page.wait_for_timeout(DOUBLE_TAP)  # what follows may lie where the last tap was
    if page.locator("#clue-end").count():
        page.locator("#clue-end").click()
    else:
        act.locator("button[data-card]").first.click()


def violations(page: Page, axe: str) -> list[str]:
    """The faults that axe finds on a page, small ones too."""
    page.wait_for_load_state()
    if not page.evaluate("() => 'axe' in window"):
        page.evaluate(axe)
    found = page.evaluate("() => axe.run(document, {resultTypes: ['violations']})")
    return [f"{fault['id']}: {fault['nodes'][0]['html'][:200]}" for fault in found["violations"]]


def all_of(locator: Locator) -> list[str]:
    """The texts of all that a locator finds."""
    return locator.all_text_contents()
