"""Tables for those who type, hear the page, or let their system set the colours."""

from __future__ import annotations

import re
from collections.abc import Sequence

import pytest
from playwright.sync_api import Page, expect

from browser.clicking import OVER, ROUND, all_of, my_move, one_move, open_table, play_clue, tap_on, tap_tunnels, waits
from browser.conftest import DESKTOP, PATIENCE, Open, Server, allowing
from browser.test_playing import TABLES, setup

PHONE = (390, 844)
FOCUSED = "() => document.activeElement !== document.body && document.activeElement.checkVisibility()"
STOPS_IN_LOG = "() => [...document.querySelectorAll('#log, #log *')].filter((one) => one.tabIndex >= 0).length"
HEARD = """() => {
    window.heard = [];
    const note = (change) => heard.push(...[...change.addedNodes].map((node) => node.textContent));
    const live = document.getElementById("live");
    new MutationObserver((changes) => changes.forEach(note)).observe(live, { childList: true, subtree: true });
}"""
"""Keeps what is told from now on, as somebody hears it."""


def go_to(page: Page, selector: str) -> None:
    """Press Tab until the focus is on what a selector finds."""
    for _ in range(60):
        if page.evaluate("(selector) => document.activeElement.matches(selector)", selector):
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"no way by Tab to {selector}")


def test_a_whole_game_of_clue_is_played_by_the_keyboard_and_the_focus_is_never_lost(
    people: Open, server: Server
) -> None:
    page = people()
    open_table(page, server.address, TABLES["speed_clue"])
    made = 0
    while waits(page) != OVER:
        entries = page.locator("#log > li").count()
        if page.locator("#clue-suggest").count():
            for group in range(1, 4):
                go_to(page, f".clue-act .clue-group:nth-of-type({group}) input")
                for _ in range(made * group % 5 + 1):
                    page.keyboard.press("ArrowRight")
            go_to(page, "#clue-suggest")
        else:
            go_to(page, "#clue-end, .clue-act button[data-card]")
        page.keyboard.press("Enter")
        expect(page.locator("#log > li")).not_to_have_count(entries)
        assert page.evaluate(FOCUSED)
        made += 1
    assert made > 2
    expect(page.locator("#over-title")).to_be_focused()
    hands = page.get_by_role("region", name="Hands", exact=True).locator(".clue-hand-of > :last-child")
    assert all(re.fullmatch(r"(\w[\w ]+, )+\w[\w ]+\. ", hand) for hand in all_of(hands))
    assert hands.count() == 3
    asked = page.get_by_role("region", name="Suggestions so far").locator(".clue-line").last
    expect(asked).to_contain_text(re.compile(r"^1\w+(\w[\w ]+, ){2}\w[\w ]+\. \w+"))


@pytest.mark.parametrize("game", ["saboteur", "duel"])
@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_who_reads_the_seats_by_ear_hears_once_who_is_to_move(
    people: Open, server: Server, game: str, size: tuple[int, int]
) -> None:
    page = people(size)
    open_table(page, server.address, TABLES[game])
    assert my_move(page)
    heard = page.locator("#seats").aria_snapshot()
    assert heard.count("to move") == 1
    assert re.search(r"Ann.* you · to move", " ".join(heard.split()))


def suggest(page: Page, cards: Sequence[int]) -> None:
    """Suggest these cards by the keyboard, and wait until that is told."""
    for group, card in enumerate(cards, 1):
        page.locator(f".clue-act .clue-group:nth-of-type({group}) input").nth(card).press("Space")
    with one_move(page):
        page.locator("#clue-suggest").press("Enter")


def test_who_hears_the_table_of_clue_hears_each_card_and_what_the_sheet_says_of_the_envelope(
    people: Open, server: Server
) -> None:
    page = people()
    open_table(page, server.address, TABLES["speed_clue"])
    assert my_move(page)
    expect(page.locator("#lines")).to_contain_text("You are on turn")
    hand = page.locator(".clue-hand").get_by_role("list").get_by_role("listitem")
    held = all_of(page.locator(".clue-hand .clue-name"))
    assert all_of(hand) == held != []
    suggest(page, [0, 0, 0])
    assert my_move(page)
    expect(page.locator(".clue-stage").get_by_role("listitem").filter(has=page.locator(".clue-name"))).to_have_count(3)
    for _ in range(30):
        if (
            page.locator(".clue-act .clue-tile").count()
            and page.locator(".clue-tile.away:not(:has(.clue-note))").count()
        ):
            break
        if page.locator("#clue-suggest").count():
            suggest(page, [1, 1, 1])
        else:
            with one_move(page):
                page.locator("#clue-end, .clue-act button[data-card]").first.press("Enter")
        assert my_move(page)
    crossed = page.locator(".clue-tile.away:not(:has(.clue-note))").first
    name = crossed.locator(".clue-name").text_content()
    expect(crossed.get_by_role("radio")).to_have_accessible_name(f"{name} not in the envelope")


def test_who_accuses_by_the_keyboard_goes_on_at_the_cards_and_hears_what_it_means(people: Open, server: Server) -> None:
    page = people()
    open_table(page, server.address, TABLES["speed_clue"])
    assert my_move(page)
    suggest(page, [0, 0, 0])
    assert my_move(page)
    page.locator("#clue-accuse").press("Enter")
    expect(page.locator(".clue-act .clue-group input").first).to_be_focused()
    for group in range(1, 4):
        go_to(page, f".clue-act .clue-group:nth-of-type({group}) input")
        page.keyboard.press("Space")
    go_to(page, "#clue-accuse")
    page.keyboard.press("Enter")
    dialog = page.get_by_role("dialog", name="Accuse?")
    expect(dialog).to_be_visible()
    names = all_of(dialog.locator(".clue-name"))
    assert len(names) == 3
    expect(dialog).to_have_accessible_description(
        re.compile(".*".join(map(re.escape, names)) + ".*You accuse once in the game")
    )
    page.keyboard.press("Escape")
    expect(page.locator("#clue-accuse")).to_be_focused()


def test_who_wants_what_cannot_be_done_is_told_what_would_be_right(people: Open, server: Server) -> None:
    page = people(PHONE)
    open_table(page, server.address, TABLES["saboteur"])
    assert my_move(page)
    page.evaluate(HEARD)
    prompt, moves = page.locator("#prompt"), page.locator("#log > li").count()
    page.locator(".cell.reachable").first.click(force=True)
    expect(prompt).to_have_text("First choose a card.")
    cards = page.locator(".hand [data-card]")
    for place in range(cards.count()):
        cards.nth(place).click()
        if page.locator(".cell.lit").count():
            break
    page.locator(".cell.lying").first.click(force=True)
    expect(prompt).to_have_text("It does not go there: choose a lit cell")
    heard = page.evaluate("() => heard")
    assert heard.count("First choose a card.") == 1
    assert heard.count("It does not go there: choose a lit cell") == 1
    assert page.locator("#log > li").count() == moves


def test_who_turns_a_card_hears_how_it_lies_then(people: Open, server: Server) -> None:
    page = people()
    open_table(page, server.address, TABLES["duel"])
    turn = page.locator("#action-turn")
    card = page.locator(".hand [data-card]")
    for made in range(10):
        assert my_move(page)
        for place in range(card.count()):
            if not turn.count():
                page.keyboard.press("Escape")
                card.nth(place).press("Enter")
        if turn.count():
            break
        with one_move(page):
            tap_tunnels(page, made)
    held = page.locator(".hand [aria-pressed=true]")
    other = {"up": "down", "down": "up", "left": "right", "right": "left"}
    sides = re.findall("|".join(other), held.get_attribute("aria-label") or "")
    assert sides
    page.evaluate(HEARD)
    for turned in ({other[side] for side in sides}, set(sides)):
        page.keyboard.press("r")
        told = page.evaluate("() => heard.splice(0)")
        expect(held).to_have_accessible_name(told[-1])
        assert len(told) == 1
        assert set(re.findall("|".join(other), told[-1])) == turned


def test_a_card_that_was_played_is_not_chosen_again_where_its_like_comes_to_its_place(
    people: Open, server: Server
) -> None:
    page = people()
    open_table(
        page, server.address, {**TABLES["duel"], "seed": 2}
    )  # among the cards are two equal tunnels side by side
    assert my_move(page)
    cards = page.locator(".hand [data-card]")
    held = [card.get_attribute("data-card") for card in cards.all()]
    place = next(place for place in range(len(held) - 1) if held[place] == held[place + 1])
    cards.nth(place).press("Enter")
    with one_move(page):
        page.keyboard.press("ArrowUp")
        page.keyboard.press("Enter")
    assert my_move(page)
    expect(cards.nth(place)).to_have_attribute("data-card", held[place] or "")
    expect(page.locator(".hand [aria-pressed=true]")).to_have_count(0)


def test_who_hears_a_round_end_and_the_next_begin_hears_the_gold_and_whose_move_it_is(
    people: Open, server: Server
) -> None:
    page = people()
    table = setup("saboteur", "random", "random", ruleset="official", seed=3)
    open_table(page, server.address, table)
    made = 0
    doubted = False
    while waits(page) != ROUND:
        own = page.locator(".hand [data-card^='break']")
        if not doubted and own.count():
            page.evaluate(HEARD)
            own.first.press("Enter")
            mine = page.locator("#seats").get_by_role("button", name=re.compile("^Break your own"))
            if mine.count():
                mine.press("Enter")
                expect(page.get_by_role("button", name="No", exact=True)).to_be_focused()
                assert re.match("Break your own .*It hurts you alone", page.evaluate("() => heard.at(-1)"))
                doubted = True
            page.keyboard.press("Escape")
        with one_move(page):
            tap_tunnels(page, made)
        made += 1
    assert doubted
    roles = page.get_by_role("list", name="Roles").get_by_role("listitem")
    assert all(re.search(r"\d+ nuggets?", role.inner_text().replace("\n", " ")) for role in roles.all())
    page.evaluate(HEARD)
    page.locator("#next-round").press("Enter")
    assert waits(page) not in (ROUND, OVER)
    assert "Your move" in " ".join(page.evaluate("() => heard"))


@pytest.mark.parametrize("question", ["hint", "beliefs", "how"])
@pytest.mark.parametrize("size", [PHONE, (1280, 800)], ids=lambda size: f"{size[0]}x{size[1]}")
def test_who_closes_an_answer_goes_on_where_they_asked(
    people: Open, server: Server, question: str, size: tuple[int, int]
) -> None:
    page = people(size)
    open_table(page, server.address, TABLES["saboteur"])
    assert my_move(page)
    opener, panel = page.locator(f"#{question}"), page.locator("#help" if question == "how" else "#answer")
    page.evaluate(HEARD)
    opener.press("Enter")
    expect(panel).to_be_focused()
    assert page.evaluate("() => heard") == ([] if question == "how" else ["Thinking …"])
    page.keyboard.press("Escape")
    expect(opener).to_be_focused()
    expect(page.locator("#practice")).not_to_have_class("asked")
    if question == "how" and size != PHONE:
        return  # it stands beside the board, and stays
    opener.press("Enter")
    close = page.locator("#help-close" if question == "how" else "#answer .close")
    close.click(timeout=5000)
    expect(panel).to_be_hidden()
    expect(opener).to_be_focused()


def test_every_move_of_others_is_told_once_and_what_a_chosen_card_can_do(people: Open, server: Server) -> None:
    page = people()
    open_table(page, server.address, TABLES["saboteur"])
    assert my_move(page)
    page.evaluate(HEARD)
    before = page.locator("#log > li").count()
    cards = page.locator(".hand [data-card]")
    for place in range(cards.count()):
        cards.nth(place).press("Enter")
        if page.locator(".cell.lit").count():
            break
        page.keyboard.press("Escape")
    lit = page.locator(".cell.lit").count()
    told = page.evaluate("() => heard.splice(0)")
    assert told[-1] == f"Choose a lit cell. {lit} {'cell is' if lit == 1 else 'cells are'} lit"
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Enter")
    expect(page.locator("#log > li")).not_to_have_count(before)
    assert waits(page) != ROUND
    made = page.locator("#log > li .log-text").all_text_contents()[before:]
    assert len(made) > 2
    heard = page.evaluate("() => heard")
    assert [sum(line.startswith(move) for line in heard) for move in made] == [1] * len(made)
    still = page.locator(
        "#live > p"
    ).all_text_contents()  # what comes at once replaces nothing that may not yet be read out
    assert still[-len(heard) :] == heard


def test_the_log_is_one_tab_stop_and_arrows_go_through_what_can_be_asked_there(people: Open, server: Server) -> None:
    page = people()
    open_table(page, server.address, TABLES["speed_clue"])
    for made in range(2):
        assert my_move(page)
        with one_move(page):
            play_clue(page, made)
    assert my_move(page)
    asked = page.locator("#log [data-why]")
    count = asked.count()
    assert count > 3
    assert page.evaluate(STOPS_IN_LOG) == 1
    go_to(page, "#log *")
    expect(asked.last).to_be_focused()
    for key, place in (("ArrowUp", -2), ("ArrowUp", -3), ("ArrowDown", -2), ("Home", 0), ("End", -1), ("ArrowUp", -2)):
        page.keyboard.press(key)
        expect(asked.nth(place)).to_be_focused()
        assert page.evaluate(STOPS_IN_LOG) == 1
    here = asked.nth(-2)
    number = here.get_attribute("data-why")
    expect(here).to_have_accessible_name(f"Why? Move {number}")
    expect(here).to_have_accessible_description(page.locator(f'[data-move="{number}"] .log-text').text_content() or "-")
    page.keyboard.press("Enter")
    expect(page.locator("#answer h2").first).to_contain_text(f"ove {number}", timeout=PATIENCE)
    page.keyboard.press("Escape")
    expect(here).to_be_focused()
    page.keyboard.press("Tab")
    assert not page.evaluate("() => document.activeElement.closest('#log')")
    page.keyboard.press("Shift+Tab")
    expect(here).to_be_focused()
    page.evaluate("() => document.activeElement.blur()")
    with one_move(page):
        play_clue(page, 2)
    assert my_move(page)
    assert asked.count() > count
    assert page.evaluate(STOPS_IN_LOG) == 1
    expect(asked.last).to_have_attribute("tabindex", "0")


def test_who_takes_moves_back_by_the_keyboard_stays_there_and_hears_of_it(people: Open, server: Server) -> None:
    page = people()
    open_table(page, server.address, TABLES["duel"])
    entries = page.locator("#log > li")
    counts = []
    for _ in range(2):
        assert my_move(page)
        counts.append(entries.count())
        with one_move(page):
            tap_tunnels(page, 0)
    assert my_move(page)
    page.evaluate(HEARD)
    undo = page.locator("#undo")
    for left, after in ((True, counts[1]), (False, counts[0])):
        back = entries.count() - after
        undo.press("Enter")
        expect(entries).to_have_count(after)
        expect(undo if left else page.locator("#hint")).to_be_focused()
        assert undo.is_enabled() == left
        assert page.evaluate("() => heard.splice(0)")[-1].startswith(f"{back} moves taken back")


AT_ONCE = """() => {
    const undo = document.getElementById("undo");
    undo.focus();
    undo.click();
    const until = performance.now() + 500;
    while (performance.now() < until); // the answer comes before the page is drawn without the button's focus
}"""


def test_who_takes_moves_back_keeps_their_place_however_soon_the_answer_comes(people: Open, server: Server) -> None:
    page = people()
    open_table(page, server.address, TABLES["duel"])
    assert my_move(page)
    before = page.locator("#log > li").count()
    with one_move(page):
        tap_tunnels(page, 0)
    assert my_move(page)
    page.evaluate(AT_ONCE)
    expect(page.locator("#log > li")).to_have_count(before)
    expect(page.locator("#hint")).to_be_focused(timeout=5000)


def test_what_is_chosen_is_seen_where_the_system_sets_the_colours(people: Open, server: Server) -> None:
    page = people()
    page.emulate_media(forced_colors="active")
    ground = "(one) => getComputedStyle(one).backgroundColor"
    page.goto(server.address)
    games = page.locator(".segment")
    expect(games.first).to_be_visible()
    assert games.nth(0).evaluate(ground) != games.nth(1).evaluate(ground)
    open_table(page, server.address, TABLES["speed_clue"])
    assert my_move(page)
    tiles = page.locator(".clue-act label.clue-tile")
    tiles.nth(0).click()
    assert page.locator(".clue-act label.clue-tile:has(:checked)").evaluate(ground) != tiles.nth(1).evaluate(ground)
    open_table(page, server.address, TABLES["saboteur"])
    assert my_move(page)
    tag = page.locator("#seats .tag").first  # its edge lies over what is painted behind letters
    assert tag.evaluate("(one) => getComputedStyle(one).outlineStyle") == "solid"
    assert tag.evaluate("(one) => parseFloat(getComputedStyle(one).outlineOffset)") < 0
    cards = page.locator(".hand [data-card]")
    for place in range(cards.count()):
        cards.nth(place).click()
        if page.locator(".cell.lit").count():
            break
    dashes = "(one) => getComputedStyle(one, '::after').borderTopColor"
    free = page.locator(".cell.reachable").first.evaluate(dashes)
    page.emulate_media(forced_colors="none")
    assert free == page.locator(".cell.reachable").first.evaluate(dashes)  # the mine keeps its own colours
    page.emulate_media(forced_colors="active")
    edge = "(one) => parseFloat(getComputedStyle(one).borderTopWidth)"
    assert page.locator(".cell.lit").first.evaluate(edge) >= 3 > page.locator(".cell.lying").first.evaluate(edge)
    assert page.locator(".card.picked .art").evaluate("(one) => getComputedStyle(one).outlineStyle") == "solid"
    page.locator("#beliefs").click()
    bar = page.locator(".track .bar").first
    expect(bar).to_be_attached()
    assert bar.evaluate(ground) != bar.evaluate("(one) => getComputedStyle(one.parentElement).backgroundColor")


def test_who_is_refused_a_table_by_the_keyboard_stays_at_the_button(
    people: Open, server: Server, faults: list[str]
) -> None:
    page = people()
    page.goto(server.address)
    page.route("**/api/tables", lambda asked: asked.fulfill(status=503, json={"error": "There are too many tables."}))
    with allowing(faults, "503"):
        for button, told in (('[data-preset="0"]', "#preset-error"), ("#create", "#form-error")):
            page.locator(button).press("Enter")
            expect(page.locator(told)).to_have_text("There are too many tables.")
            expect(page.locator(button)).to_be_focused()


SPACED = """() => {
    const spacing = new CSSStyleSheet();
    spacing.replaceSync("* { line-height: 1.5 !important; letter-spacing: .12em !important; word-spacing: .16em !important }"
        + "p { margin-bottom: 2em !important }");
    document.adoptedStyleSheets = [spacing];
}"""
"""What WCAG 1.4.12 lets readers set."""


def test_what_readers_set_for_their_eyes_is_followed_and_cuts_nothing_off(people: Open, server: Server) -> None:
    page = people(PHONE)
    page.emulate_media(contrast="more")
    open_table(page, server.address, setup("saboteur", "random", "random", seed=1))  # a saboteur: the longer word
    role = page.locator(".dealt-role .role-front")
    expect(role).to_be_visible()
    page.evaluate(SPACED)
    assert role.evaluate("(card) => card.scrollWidth <= card.clientWidth")
    page.goto(server.address)
    colour = "(one) => getComputedStyle(one).color"
    assert page.locator(".lead").evaluate(colour) == page.locator("body").evaluate(colour)
    page.emulate_media(contrast="no-preference")
    assert page.locator(".lead").evaluate(colour) != page.locator("body").evaluate(colour)
    page.set_viewport_size({"width": 320, "height": 256})  # 1280 x 1024 enlarged to four times its size
    assert page.locator(".top-nav").evaluate("(nav) => nav.scrollWidth <= nav.clientWidth")


OUTSIDE = """() => [...document.querySelectorAll(".clue-table th:not(.unseen)")].filter((head) => {
    const words = document.createRange();
    words.selectNodeContents(head);
    const [box, said] = [head.getBoundingClientRect(), words.getBoundingClientRect()];
    return said.left < box.left - 1 || said.right > box.right + 1 || said.top < box.top - 1 || said.bottom > box.bottom + 1;
}).map((head) => head.textContent)"""
"""Names of cards and players at a sheet of Clue that are not whole in their places."""


@pytest.mark.parametrize("size", [PHONE, DESKTOP], ids=["phone", "desktop"])
def test_a_sheet_of_clue_cuts_no_name_where_readers_set_letters_wider(
    people: Open, server: Server, size: tuple[int, int]
) -> None:
    page = people(size)
    page.goto(f"{server.address}/adviser")
    for card in HELD:
        page.get_by_role("checkbox", name=card, exact=True).press("Space")
    page.locator(".setup-player input:not([type=radio])").nth(2).fill("Bartholomew")
    page.get_by_role("button", name="Start").press("Enter")
    rows = page.locator(".adviser-grid .clue-table tbody th[scope=row]")
    expect(rows).to_have_count(21)
    heights = rows.evaluate_all("(rows) => rows.map((row) => row.getBoundingClientRect().height)")
    assert len({round(height) for height in heights}) == 1  # as long as nothing is set, each has one line
    page.evaluate(SPACED)
    assert page.evaluate(OUTSIDE) == []
    open_table(page, server.address, TABLES["speed_clue"])
    assert my_move(page)
    page.evaluate(SPACED)
    assert page.evaluate(OUTSIDE) == []


def test_who_takes_a_table_off_the_list_of_the_lobby_goes_on_at_the_next(people: Open, server: Server) -> None:
    page = people()
    for game in ("speed_clue", "duel"):
        open_table(page, server.address, TABLES[game])
        assert my_move(page)
    page.goto(server.address)
    tables = page.locator("#own-tables-list li")
    expect(tables).to_have_count(2)
    expect(tables.last.get_by_role("link")).to_have_accessible_name(re.compile("^Resume Speed Clue · .*, Alice, Bob$"))
    tables.first.get_by_role("button").press("Enter")
    expect(tables).to_have_count(1)
    expect(tables.get_by_role("button")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("#own-tables")).to_be_hidden()
    expect(page.locator("#main")).to_be_focused()


TOLD = """() => {
    window.heard = [];
    const note = (change) => heard.push(...[...change.addedNodes].filter((one) => !one.ariaHidden).map((node) => node.textContent));
    const watch = new MutationObserver((changes) => changes.forEach(note));
    for (const id of ["live", "toasts"]) watch.observe(document.getElementById(id), { childList: true });
}"""
"""Keeps what is told from now on, also by what comes up and goes."""
HELD = ("Miss Scarlett", "Colonel Mustard", "Candlestick", "Ballroom", "Hall", "Study")


def test_the_adviser_is_used_by_the_keyboard_and_the_focus_is_never_lost(people: Open, server: Server) -> None:
    page = people()
    page.goto(f"{server.address}/adviser")
    expect(page.get_by_role("radio", name="Player 2: me")).to_be_visible()
    for card in HELD:
        page.get_by_role("checkbox", name=card, exact=True).press("Space")
    form, chosen = page.locator("#entry-form"), page.locator("#entry-form :checked").first
    page.get_by_role("button", name="Start").press("Enter")
    expect(chosen).to_be_focused()
    page.locator("#adviser-table").press("Enter")
    expect(page.locator("#adviser-setup").locator("select, input").first).to_be_focused()
    page.locator("#adviser-setup").get_by_role("button", name="Back").press("Enter")
    expect(chosen).to_be_focused()
    for tile in ("Dr Orchid", "Dagger", "Kitchen", "Nobody could"):
        form.get_by_role("radio", name=tile, exact=True).press("Space")
    page.evaluate(TOLD)
    page.locator("#entry-save").press("Enter")
    expect(page.locator("#entry-last")).to_contain_text("nobody could show a card")
    expect(chosen).to_be_focused()
    told = " ".join(page.evaluate("() => heard"))
    assert told.count("Kitchen is in the envelope") == 1
    page.locator("#entry-last button").press("Enter")
    page.locator("#entry-cancel").press("Enter")
    expect(chosen).to_be_focused()
    undo, redo = page.locator("#adviser-undo"), page.locator("#adviser-redo")
    undo.press("Enter")
    expect(redo).to_be_focused()
    expect(undo).to_be_disabled()  # at the first change
    redo.press("Enter")
    expect(undo).to_be_focused()
    expect(redo).to_be_disabled()
    page.locator("[data-remove]").press("Enter")
    expect(page.locator("#log-body")).to_contain_text("Nothing was entered yet.")
    expect(chosen).to_be_focused()


def test_who_hears_the_adviser_hears_what_undo_and_each_change_of_the_entries_did(people: Open, server: Server) -> None:
    page = people()
    page.goto(f"{server.address}/adviser")
    for card in HELD:
        page.get_by_role("checkbox", name=card, exact=True).press("Space")
    page.get_by_role("button", name="Start").press("Enter")
    form, log = page.locator("#entry-form"), page.locator("#log-body li")
    expect(page.locator("#log-body")).to_contain_text("Nothing was entered yet.")
    page.evaluate(TOLD)

    def heard(entries: int) -> str:
        """What is told of a change, after which there are so many entries."""
        expect(log).to_have_count(entries)
        page.wait_for_function("() => heard.length")
        return " ".join(page.evaluate("() => heard.splice(0)"))

    for entries, weapon in enumerate(("Dagger", "Rope"), 1):
        for tile in ("Dr Orchid", weapon, "Kitchen", "Nobody could"):
            form.get_by_role("radio", name=tile, exact=True).press("Space")
        form.locator("#entry-save").press("Enter")
        told = heard(entries)
        assert weapon in told
        assert told.count(" suggested ") == 1
    page.locator("#adviser-undo").press("Enter")
    assert re.match("Undone. Removed: [^.]*Rope", heard(1))
    page.locator("#adviser-redo").press("Enter")
    assert re.match("Redone. (?!Removed)[^.]*Rope", heard(2))
    page.locator("[data-edit='1']").last.press("Enter")
    form.get_by_role("radio", name="Wrench", exact=True).press("Space")
    assert heard(2) == "Still needed: who showed a card."
    form.get_by_role("radio", name="Nobody could", exact=True).press("Space")
    form.locator("#entry-save").press("Enter")
    told = heard(2)
    assert told.startswith("Entry 1 is now: ")
    assert "Wrench" in told
    page.locator("[data-remove='1']").press("Enter")
    assert re.match("Removed: [^.]*Wrench", heard(1))


def test_what_comes_up_beside_the_adviser_lies_over_no_button_of_the_entry(people: Open, server: Server) -> None:
    page = people()
    page.goto(f"{server.address}/adviser")
    for card in HELD:
        page.get_by_role("checkbox", name=card, exact=True).press("Space")
    page.get_by_role("button", name="Start").press("Enter")
    for tile in ("Dr Orchid", "Dagger", "Kitchen", "Nobody could"):
        page.locator("#entry-form").get_by_role("radio", name=tile, exact=True).press("Space")
    page.locator("#entry-save").press("Enter")
    toast = page.locator(".toast")
    expect(toast).to_be_visible()
    beside = toast.evaluate(
        "(toast) => toast.getBoundingClientRect().left >= document.getElementById('entry-save').getBoundingClientRect().right"
    )
    assert beside


def test_who_steps_through_a_replay_by_the_keyboard_can_turn_back_at_its_ends(people: Open, server: Server) -> None:
    page = people()
    open_table(page, server.address, TABLES["duel"])
    tap_on(page, "duel")
    page.goto(f"{server.address}{page.locator('#replay').get_attribute('href')}")
    expect(page.locator("#first")).to_be_disabled()
    for pressed, then in (("last", "back"), ("first", "forth"), ("forth", "forth"), ("back", "forth")):
        page.locator(f"#{pressed}").press("Enter")
        expect(page.locator(f"#{then}")).to_be_focused()
    page.locator("#ask-beliefs").press("Enter")
    expect(page.locator("#believer")).to_be_focused()  # nobody believes anything here


def test_what_a_slider_of_the_pause_says_is_said_in_seconds(people: Open, server: Server) -> None:
    page = people()
    page.goto(server.address)
    expect(page.locator("#pace")).to_have_attribute("aria-valuetext", "0.7 s")
    page.locator("#pace").press("ArrowRight")
    expect(page.locator("#pace")).to_have_attribute("aria-valuetext", "0.8 s")
    open_table(page, server.address, TABLES["duel"])
    expect(page.locator("#pace")).to_have_attribute("aria-valuetext", "none")
