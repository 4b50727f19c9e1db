"""Looking at games in a real browser: replays, watching, the adviser's page; and every page for everybody."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.base import AXE_FILE_PATH
from playwright.sync_api import Page, Route, expect

from browser.clicking import FAULTS, my_move, open_table, tap_on, violations
from browser.conftest import DESKTOP, PATIENCE, PHONE, Open, Server, allowing
from browser.test_by_keyboard import HEARD
from browser.test_playing import TABLES, setup
from molehunt.advice.deal import Deal
from molehunt.advice.entries import Seen
from molehunt.advice.file import to_json
from molehunt.advice.session import AdviceSession
from molehunt.agents.registry import Agents
from molehunt.games.registry import make_game
from molehunt.games.speed_clue.edition import load_edition
from molehunt.table.session import Session, Sitter

AXE = AXE_FILE_PATH.read_text("utf-8")
PLAYERS = {
    "saboteur": ("official+talk:rounds=1", "kripke-2012", 4),
    "duel": ("mcgill", "greedy-2020", 2),
    "speed_clue": ("mitchell", "exact", 3),
}


def a_record(game: str, folder: Path) -> Path:
    """A finished game of artificial players as a file."""
    ruleset, agent, seats = PLAYERS[game]
    sitters = [Sitter(str(seat), Agents(game).make(agent)) for seat in range(seats)]
    session = Session(make_game(game, ruleset, seats), sitters, 4)
    while session.step():
        pass
    path = folder / f"{game}.jsonl"
    path.write_bytes(session.record().line())
    return path


def open_record(page: Page, server: Server, path: Path) -> None:
    page.goto(f"{server.address}/replay")
    page.locator("#file").set_input_files(path)
    page.wait_for_url("**/replay/*")
    expect(page.locator("#scrubber")).to_be_visible()


@pytest.mark.parametrize("game", PLAYERS)
def test_a_record_opens_with_every_move_every_view_and_beliefs(
    people: Open, server: Server, tmp_path: Path, game: str
) -> None:
    page = people()
    path = a_record(game, tmp_path)
    moves = len(json.loads(path.read_bytes())["moves"])
    open_record(page, server, path)
    expect(page.locator("#at")).to_have_text(f"0 / {moves}")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    expect(page.locator("#at")).to_have_text(f"2 / {moves}")
    page.locator("#ask-beliefs").click()
    expect(page.locator("#reason")).not_to_be_empty(timeout=120_000)
    if game != "duel":  # greedy-2020 believes nothing
        expect(page.locator("#answer")).not_to_be_empty()
        # Below the reason of who moved stands whose beliefs these are.
        believer = page.locator("#believer option:checked").inner_text()
        expect(page.locator("#believed-title")).to_have_text(f"Beliefs of {believer}")
    page.locator("#viewpoint").select_option(index=2)
    expect(page).to_have_url(re.compile("move=2&seat=1"))
    with page.expect_download() as picture:
        page.locator("#png").click()
    assert Path(picture.value.path()).read_bytes()[:4] == b"\x89PNG"
    page.locator("#last").click()
    expect(page.locator("#headline")).to_have_text("Game over")
    expect(page).to_have_url(re.compile(f"move={moves}&"))
    stop = page.locator('#log button:not([tabindex="-1"])')
    expect(stop).to_have_count(1)
    stop.press("ArrowUp")
    page.keyboard.press("Enter")
    expect(page.locator("#at")).to_have_text(f"{moves - 1} / {moves}")
    expect(stop).to_be_focused()
    expect(stop).to_have_attribute("aria-current", "true")
    again = people(PHONE)
    again.goto(re.sub(r"move=\d+", "move=1", page.url))
    expect(again.locator("#at")).to_have_text(f"1 / {moves}")


def test_beliefs_that_could_not_be_fetched_are_asked_for_again(
    people: Open, server: Server, faults: list[str], tmp_path: Path
) -> None:
    page = people()
    open_record(page, server, a_record("speed_clue", tmp_path))
    page.route("**/beliefs?**", lambda question: question.abort())
    with allowing(faults, "ERR_FAILED"):
        page.locator("#ask-beliefs").click()
        expect(page.locator("#answer")).to_contain_text("The server cannot be reached")
    page.unroute("**/beliefs?**")
    page.locator("#forth").click()
    page.locator("#back").click()
    expect(page.locator("#answer")).not_to_contain_text("The server cannot be reached")
    expect(page.locator("#answer")).not_to_contain_text("Thinking")
    expect(page.locator("#answer")).not_to_be_empty()


def test_an_exported_replay_needs_no_server(people: Open, server: Server, tmp_path: Path) -> None:
    page = people()
    open_record(page, server, a_record("saboteur", tmp_path))
    with page.expect_download() as download:
        page.locator("#export").click()
    kept = tmp_path / "replay.html"
    download.value.save_as(kept)
    alone = people()
    alone.context.set_offline(True)
    alone.goto(kept.as_uri())
    alone.locator("#last").click()
    expect(alone.locator("#headline")).to_have_text("Game over")
    alone.locator("#ask-beliefs").click() if alone.locator("#ask-beliefs").is_visible() else None
    expect(alone.locator("#answer")).to_contain_text("Suspected")
    with page.expect_download() as record:
        page.locator("#record").click()
    assert json.loads(Path(record.value.path()).read_bytes())["game"] == "saboteur"


def test_all_that_leads_on_from_finished_games_is_large_enough_for_a_finger(
    people: Open, server: Server, tmp_path: Path
) -> None:
    page = people(PHONE)
    open_table(page, server.address, setup("duel", "random"))
    tap_on(page, "duel")
    page.goto(f"{server.address}/statistics")
    expect(page.locator(".statistics a", has_text="Ann")).to_be_visible()
    assert page.evaluate(FAULTS) == []
    page.goto(f"{server.address}/puzzle?day=2026-06-11")
    expect(page.locator("#puzzle-before a")).to_be_visible(timeout=PATIENCE)
    assert page.evaluate(FAULTS) == []
    open_record(page, server, a_record("saboteur", tmp_path))
    assert page.evaluate(FAULTS) == []
    page.locator("#analyse").click()
    expect(page.locator(".line-chart").first).to_be_visible(timeout=PATIENCE)
    page.locator("#every-move").check()
    assert page.evaluate(FAULTS) == []


def test_a_file_that_is_no_record_is_refused_with_the_reason(
    people: Open, server: Server, tmp_path: Path, faults: list[str]
) -> None:
    page = people()
    wrong = tmp_path / "letter.txt"
    wrong.write_text("Dear Ann")
    page.goto(f"{server.address}/replay")
    with allowing(faults, "400 (Bad Request)"):
        page.locator("#file").set_input_files(wrong)
        expect(page.locator("#open-error")).to_contain_text("not a record of a game", ignore_case=True)


def test_of_a_long_file_with_many_games_the_first_is_shown(people: Open, server: Server, tmp_path: Path) -> None:
    page = people()
    record = a_record("duel", tmp_path).read_text("utf-8").strip()
    many = tmp_path / "many.jsonl"
    many.write_text(f"{record}\n" * (400_000 // len(record)), "utf-8")
    page.goto(f"{server.address}/replay")
    page.locator("#file").set_input_files(many)
    expect(page.locator("#scrubber")).to_be_visible()


def test_artificial_players_are_watched_at_a_speed_of_ones_own(people: Open, server: Server) -> None:
    page = people()
    seats = [{"kind": "agent", "agent": "decision-2019"}] * 3
    # At this pace the 67 moves of the game would take 67 s, so it is neither over too early nor in time by itself.
    open_table(page, server.address, setup("saboteur") | {"seats": seats, "pace": 1000, "open": True})
    expect(page.locator("#log > li").first).to_be_visible()
    expect(page.locator(".hands .shown")).to_have_count(3)
    expect(page.locator(".seat .role")).to_have_count(3)
    expect(page.locator(".thought:visible")).to_have_count(1, timeout=60_000)
    suspicion = page.locator(".seat-suspicion").first
    assert re.fullmatch(r"suspected [<>]?\d+\s%", suspicion.inner_text())
    page.set_viewport_size({"width": PHONE[0], "height": PHONE[1]})
    expect(suspicion.locator(".suspicion-sign")).to_be_visible()  # there is no room for the word
    assert suspicion.evaluate("(one) => one.scrollWidth <= one.clientWidth")
    page.set_viewport_size({"width": DESKTOP[0], "height": DESKTOP[1]})
    expect(page.locator("#pace-words")).to_have_text("1.0 s")
    page.locator("#pace").fill("0")
    expect(page.locator("#headline")).to_have_text("Game over", timeout=40_000)
    expect(page.locator("#over")).to_contain_text("The game is over")


@pytest.mark.parametrize("size", [(360, 740), (740, 360), DESKTOP], ids=lambda size: f"{size[0]}x{size[1]}")
def test_what_a_watched_player_thinks_and_goals_are_called_is_on_the_screen_whole(
    people: Open, server: Server, size: tuple[int, int]
) -> None:
    page = people(size)
    seats = [{"kind": "agent", "agent": "decision-2019"}] * 5
    open_table(page, server.address, setup("saboteur") | {"seats": seats, "pace": 3000, "open": True})
    expect(page.locator(".seat")).to_have_count(5)
    # Names of goals neither: the mine's box cuts off what does not fit.
    goals = page.locator(".place")
    expect(goals).to_have_count(3)
    edges = "(one) => { const { left, right } = one.getBoundingClientRect(); return [left, right]; }"
    low, high = page.locator(".mine-box").evaluate(edges)
    assert all(low <= left < right <= high for left, right in (goal.evaluate(edges) for goal in goals.all()))
    found, left = page.evaluate(
        """async () => {
            const { SeatsBar } = await import("/static/panels.js");
            const root = document.getElementById("seats");
            root.replaceChildren();
            const bar = new SeatsBar(root);
            const names = ["Alice", "Bob", "Carol", "Dave", "Eve"];
            const seats = names.map((name, seat) => ({ seat, name, kind: "person", here: true }));
            bar.update({ seats, you: null, to_move: 0, over: null }, null);
            const places = [];
            // What comes while the seats are not shown has its place, too, once they are.
            const thought = "I am a saboteur. Goals: top unknown, middle unknown.";
            const place = () => {
                const { left, right } = root.querySelector(".thought:not([hidden])").getBoundingClientRect();
                places.push([left, right]);
            };
            root.hidden = true;
            bar.showMinds({ seat: 4, thought, suspicion: [] });
            root.hidden = false;
            bar.update({ seats, you: null, to_move: 0, over: null }, null);
            await Promise.all(root.getAnimations({ subtree: true }).map((each) => each.finished));
            place();
            for (const { seat } of seats) {
                bar.showMinds({ seat, thought, suspicion: [] });
                await Promise.all(root.getAnimations({ subtree: true }).map((each) => each.finished));
                place();
            }
            // At the end it lies on the mine no longer, nor does the last one that comes.
            bar.update({ seats, you: null, to_move: null, over: { winners: [] } }, null);
            const left = root.querySelectorAll(".thought:not([hidden])").length;
            bar.showMinds({ seat: 4, thought, suspicion: [] });
            return [places, left + root.querySelectorAll(".thought:not([hidden])").length];
        }"""
    )
    assert not left
    assert all(0 <= left < left + 200 < right < size[0] - 4 for left, right in found), found


def test_what_is_almost_certain_and_almost_never_won_is_not_said_to_be_so_altogether(
    people: Open, server: Server
) -> None:
    page = people()
    page.goto(f"{server.address}/statistics")
    suspected, shares = page.evaluate(
        """async () => {
            const { SeatsBar } = await import("/static/panels.js");
            const { countsTable } = await import("/static/counts.js");
            const [side, root] = ["aside", "ul"].map((tag) => document.createElement(tag));
            side.className = "side";
            document.body.replaceChildren(side);
            const bar = new SeatsBar(root);
            const seats = ["Ann", "Bob", "Cid", "Dora"].map((name, seat) => ({ seat, name, kind: "person", here: true }));
            bar.update({ seats, you: null, to_move: 0, over: null }, null);
            bar.showMinds({ seat: 0, thought: "", suspicion: [0, 0.003, 0.997, 1] });
            const rows = [0, 1, 299, 300].map((won) => ({ name: `${won}`, played: 300, won }));
            const texts = (found) => [...found].map((each) => each.textContent);
            return [texts(root.querySelectorAll(".seat-suspicion span:last-child")),
                texts(countsTable("", rows).querySelectorAll("td:nth-child(4)"))];
        }"""
    )
    said = ["0 %", "<1 %", ">99 %", "100 %"]
    assert [re.sub(r"\s", " ", each) for each in suspected] == said
    assert [re.sub(r"\s", " ", each) for each in shares] == said


def test_the_adviser_of_a_real_table_is_told_a_game_and_says_what_to_do(people: Open, server: Server) -> None:
    page = people(PHONE)
    page.goto(f"{server.address}/adviser")
    expect(page.locator("#setup-board")).to_be_checked()
    for place, name in enumerate(("Me", "Ben", "Cid")):
        field = page.locator(f"#setup-name-{place}")
        if not field.count():
            page.locator("#setup-add").click()
        page.locator(f"#setup-name-{place}").fill(name)
    tiles = page.locator("#adviser-setup label.clue-tile")
    for place in (0, 1, 6, 7, 12, 13):
        tiles.nth(place).click()
    # A phone may load a page anew that was left for a while: what was filled in is still there.
    page.reload()
    expect(page.locator("#setup-name-2")).to_have_value("Cid")
    expect(tiles.locator(":checked")).to_have_count(6)
    page.locator("#setup-start").click()
    expect(page.locator("#grid-body table")).to_be_visible(timeout=120_000)
    expect(page.locator("#advice-body")).to_contain_text("Why the first", timeout=150_000)
    expect(page.locator("#envelope-body")).not_to_be_empty()
    for card in (2, 8, 14):
        page.locator(f'#entry-form label.clue-tile[data-card="{card}"]').click()
    page.locator('[data-pick="entry-shown-by 2"]').click()
    page.locator('[data-pick="entry-card 8"]').click()
    expect(page.locator(".entry-vain")).to_have_text("Could show none: Ben.")

    # Once it is entered, the next entry begins in sight, below the one that was made; what contradicts it comes into sight, too.
    page.locator("#entry-save").click()
    expect(page.locator("#entry-last")).to_contain_text(
        "Last entry: You suggested Dr Orchid, Lead Pipe, Conservatory; Ben had none"
    )
    expect(page.locator("#entry-title")).to_be_in_viewport()
    for card in (2, 8, 14):
        page.locator(f'#entry-form label.clue-tile[data-card="{card}"]').click()
    expect(page.locator('[data-pick="entry-shown-by 0"]')).to_be_in_viewport(ratio=1)
    # What is said so far is still there when the page is loaded anew, and where it was on the screen.
    stood = page.locator("#entry-title").bounding_box()
    page.reload()
    expect(page.locator("#grid-body table")).to_be_visible(timeout=30_000)
    expect(page.locator("#entry-form .clue-tile :checked")).to_have_count(3)
    expect(page.locator('[data-pick="entry-by 1"] input')).to_be_checked()
    stands = page.locator("#entry-title").bounding_box()
    assert stood is not None and stands is not None and abs(stood["y"] - stands["y"]) < 3
    page.locator('[data-pick="entry-shown-by null"]').click()
    page.locator("#entry-save").click()
    expect(page.locator("#conflict-title")).to_be_in_viewport()
    assert violations(page, AXE) == []
    page.get_by_role("button", name="Cid showed a card").click()
    expect(page.locator("#adviser-conflict")).to_be_hidden()
    expect(page.locator("#entry-last")).to_contain_text(
        "Ben suggested Dr Orchid, Lead Pipe, Conservatory; Cid showed a card."
    )

    # Which card to show stands whole above the bar at the end of the form.
    page.locator('[data-pick="entry-kind asked"]').click()
    for card in (0, 6, 14):
        page.locator(f'#entry-form label.clue-tile[data-card="{card}"]').click()
    page.locator("#entry-save").click()
    expect(page.locator(".entry-showing [data-show]")).to_have_count(2, timeout=150_000)
    showing, bar = (page.locator(part).bounding_box() for part in (".entry-showing", ".entry-bar"))
    assert showing is not None and bar is not None and showing["y"] + showing["height"] <= bar["y"]
    page.reload()
    expect(page.locator("#grid-body table")).to_be_visible(timeout=30_000)
    assert page.evaluate("() => document.documentElement.scrollWidth <= window.innerWidth")
    assert violations(page, AXE) == []
    expect(page.locator('[data-pick="entry-kind asked"] input')).to_be_checked()
    # A new game begins with nothing of the one that was set up.
    page.locator("#adviser-more").click()
    page.locator("#adviser-new").click()
    expect(page.locator("#setup-name-1")).to_have_value("")
    expect(tiles.locator(":checked")).to_have_count(0)


def test_who_has_missed_a_card_of_their_hand_is_asked_before_the_adviser_begins(people: Open, server: Server) -> None:
    page = people(PHONE)
    page.goto(f"{server.address}/adviser")
    tiles, start = page.locator("#adviser-setup label.clue-tile"), page.locator("#setup-start")
    for place in (0, 1, 6, 7, 12):
        tiles.nth(place).click()
    start.click()
    expect(page.locator("#setup-error")).to_have_text(
        "You have tapped 5, and by an even deal you would have 6. Where 5 is right, choose “Start” once more."
    )
    for place in (13, 14):
        tiles.nth(place).click()
    expect(page.locator("#setup-error")).to_have_count(0)
    start.click()
    expect(page.locator("#setup-error")).to_contain_text("You have tapped 7")
    start.click()  # the deal was uneven
    expect(page.locator("#adviser-lines")).to_contain_text("you (7)", timeout=PATIENCE)


def test_an_entry_that_could_not_be_made_is_told_of_in_sight(people: Open, server: Server, faults: list[str]) -> None:
    page = people(PHONE)
    advised(page, server, 1)
    for card in (4, 10, 14):
        page.locator(f'#entry-form label.clue-tile[data-card="{card}"]').click()
    page.locator('[data-pick="entry-shown-by 2"]').click()
    page.locator('[data-pick="entry-card 10"]').click()
    with allowing(faults, "ERR_INTERNET_DISCONNECTED"):
        page.context.set_offline(True)
        page.locator("#entry-save").click()
        expect(page.locator("#entry-error")).to_be_visible()
        assert page.locator("#entry-error").evaluate(HIT)
    page.context.set_offline(False)
    page.locator("#entry-save").click()
    expect(page.locator("#log-body li")).to_have_count(2)


HIT = """(element) => {
    const box = element.getBoundingClientRect();
    return [box.top + 2, box.bottom - 2].every((y) => document.elementFromPoint(box.x + box.width / 2, y) === element);
}"""
"""Whether all of an element is seen, and lies under nothing else."""


def test_nothing_is_written_as_less_than_nothing(people: Open, server: Server) -> None:
    page = people()
    page.goto(server.address)
    written = page.evaluate(
        """async () => {
            const { inNumbers } = await import("/static/language.js");
            return [[-0, 1], [-0.004, 2], [-0.006, 2], [0.25, 2]].map(([value, places]) => inNumbers(value, places));
        }"""
    )
    assert written == ["0.0", "0.00", "-0.01", "0.25"]


def advised(page: Page, server: Server, entries: int) -> None:
    """Open the adviser where the browser keeps a game with so many entries, each of which can be undone."""
    deal = Deal(load_edition("report"), ("Me", "Ben", "Cid"), 0, (0, 1, 2, 7, 8, 9), (6, 6, 6))
    seen = [Seen(1, card, True) for card in (3, 4, 5)][:entries]
    *past, game = (json.loads(to_json(AdviceSession(deal, seen[:made]))) for made in range(entries + 1))
    page.goto(f"{server.address}/adviser")
    kept = json.dumps({"game": game, "past": past, "future": []})
    page.evaluate("kept => localStorage.setItem('molehunt.adviser', kept)", kept)
    page.reload()
    expect(page.locator("#log-body li")).to_have_count(entries, timeout=PATIENCE)


def test_the_entries_of_the_adviser_are_one_tab_stop_and_arrows_go_through_them(people: Open, server: Server) -> None:
    page = people(DESKTOP)
    advised(page, server, 3)
    stops = page.locator("#log-body [data-key]:not([tabindex='-1'])")
    expect(stops).to_have_count(1)
    expect(stops).to_have_accessible_name("Edit entry 3")
    stops.focus()
    for key, name in (
        ("ArrowRight", "Insert before entry 3"),
        ("ArrowDown", "Insert before entry 2"),
        ("End", "Insert before entry 1"),
        ("ArrowDown", "Insert before entry 1"),
        ("ArrowRight", "Remove entry 1"),
        ("ArrowRight", "Remove entry 1"),
        ("Home", "Remove entry 3"),
        ("ArrowDown", "Remove entry 2"),
    ):
        page.keyboard.press(key)
        expect(page.locator("#log-body :focus")).to_have_accessible_name(name)
        expect(stops).to_have_count(1)
    # The focus stays in the log where an entry is taken away.
    page.keyboard.press("Enter")
    expect(page.locator("#log-body li")).to_have_count(2)
    expect(page.locator("#log-body :focus")).to_have_accessible_name("Remove entry 2")
    page.keyboard.press("Tab")
    assert not page.evaluate("() => document.activeElement.closest('#log-body')")


def test_what_the_adviser_is_told_at_once_is_done_one_after_the_other(people: Open, server: Server) -> None:
    page = people()
    advised(page, server, 3)
    asked: list[Route] = []
    page.route("**/api/adviser", lambda question: asked.append(question))  # noqa: PLW0108 - the library looks into it
    page.locator("#adviser-undo").click()
    page.locator("#adviser-undo").click()
    for _ in range(2):
        page.wait_for_timeout(200)
        while asked:
            asked.pop().continue_()
    page.unroute("**/api/adviser")
    entries = page.locator("#log-body li")
    expect(entries).to_have_count(1, timeout=PATIENCE)
    page.locator("#adviser-redo").click()
    expect(entries).to_have_count(2)
    page.locator("#adviser-redo").click()
    expect(entries).to_have_count(3)
    expect(page.locator("#adviser-redo")).to_be_disabled()


def test_why_an_answer_of_the_adviser_takes_long_is_shown_and_told_once(people: Open, server: Server) -> None:
    page = people()
    page.clock.install()
    advised(page, server, 2)
    page.evaluate(HEARD)
    lines, usual = page.locator("#adviser-lines"), page.locator("#adviser-lines").text_content() or ""
    asked: list[Route] = []
    page.route("**/api/adviser", lambda question: asked.append(question))  # noqa: PLW0108 - the library looks into it
    with page.expect_request("**/api/adviser"):
        page.locator("#adviser-undo").click()
    expect(lines).to_have_text(usual)
    page.clock.fast_forward(1000)
    expect(lines).to_have_text("Thinking …")
    assert page.evaluate("() => heard") == []
    page.clock.fast_forward(4000)
    why = "Thinking … The first answer after the program was started takes longer, up to two minutes."
    expect(lines).to_have_text(why)
    assert page.evaluate("() => heard") == [why]
    page.wait_for_function("() => true")  # so that the library hands over what was asked
    asked.pop().continue_()
    expect(page.locator("#log-body li")).to_have_count(1, timeout=PATIENCE)
    expect(lines).to_have_text(usual)
    page.clock.fast_forward(5000)
    expect(lines).to_have_text(usual)
    assert page.evaluate("() => heard").count(why) == 1


def test_the_entries_of_a_file_that_the_adviser_opens_are_undone_one_by_one(people: Open, server: Server) -> None:
    deal = Deal(load_edition("report"), ("Me", "Ben", "Cid"), 0, (0, 1, 2, 7, 8, 9), (6, 6, 6))
    saved = to_json(AdviceSession(deal, [Seen(1, card) for card in (3, 4)]))
    page = people()
    page.goto(f"{server.address}/adviser")
    with page.expect_file_chooser() as chooser:
        page.locator("#setup-open").click()
    chooser.value.set_files({"name": "game.json", "mimeType": "application/json", "buffer": saved})
    entries = page.locator("#log-body li")
    for left in (2, 1, 0):
        expect(entries).to_have_count(left, timeout=PATIENCE)
        if left:
            page.locator("#adviser-undo").click()
    expect(page.locator("#adviser-undo")).to_be_disabled()
    page.locator("#adviser-redo").click()
    expect(entries).to_have_count(1)


def test_where_nothing_is_corrected_there_is_nothing_to_undo(people: Open, server: Server) -> None:
    deal = Deal(load_edition("report"), ("Me", "Ben", "Cid"), 0, (0, 1, 2, 7, 8, 9), (6, 6, 6))
    saved = to_json(AdviceSession(deal))
    page = people()
    page.goto(f"{server.address}/adviser")
    with page.expect_file_chooser() as chooser:
        page.locator("#setup-open").click()
    chooser.value.set_files({"name": "game.json", "mimeType": "application/json", "buffer": saved})
    undo = page.locator("#adviser-undo")
    expect(undo).to_be_disabled(timeout=PATIENCE)
    page.locator("#adviser-table").click()
    page.locator("#setup-start").click()
    expect(page.locator("#adviser-game")).to_be_visible()
    expect(page.locator("#toasts")).to_contain_text("Nothing was changed.")
    expect(undo).to_be_disabled()
    page.locator("#adviser-table").click()
    expect(page.locator("#setup-start")).to_be_enabled()
    page.locator("#setup-name-1").fill("Benno")
    page.locator("#setup-start").click()
    expect(page.locator("#adviser-lines")).to_contain_text("Benno")
    expect(undo).to_be_enabled()


@pytest.mark.parametrize("size", [PHONE, DESKTOP], ids=lambda size: f"{size[0]}x{size[1]}")
def test_the_adviser_is_told_of_a_player_who_leaves(people: Open, server: Server, size: tuple[int, int]) -> None:
    page = people(size)
    advised(page, server, 1)
    more = page.locator("#entry-more")
    if more.is_visible():
        more.click()
    page.locator('[data-pick="entry-kind left"]').click()
    expect(page.locator('[data-pick="entry-player 0"]')).to_have_count(0)
    page.locator('[data-pick="entry-player 2"]').click()
    for card in (4, 5, 10, 11, 12):
        page.locator(f'[data-pick="left {card}"]').click()
    expect(page.locator("#entry-missing")).to_have_text("Still needed: 1 more card.")
    page.locator('[data-pick="left 13"]').click()
    assert size != PHONE or page.evaluate(FAULTS) == []
    page.locator("#entry-save").click()
    expect(page.locator("#log-body")).to_contain_text("Cid left the table and laid open", timeout=PATIENCE)
    expect(page.locator('[data-pick^="entry-by "]')).to_have_count(2)
    for card in (3, 10, 14):
        page.locator(f'#entry-form label.clue-tile[data-card="{card}"]').click()
    expect(page.locator('[data-pick^="entry-shown-by "]')).to_have_count(2)
    page.locator('[data-key="edit 2"]').click()
    expect(page.locator('[data-key^="left "]:checked')).to_have_count(6)


def test_the_adviser_goes_on_with_what_another_tab_was_told(people: Open, server: Server) -> None:
    page = people()
    advised(page, server, 2)
    other = page.context.new_page()
    other.goto(page.url)
    expect(other.locator("#log-body li")).to_have_count(2)
    other.locator("#adviser-undo").click()
    for each in (other, page):
        expect(each.locator("#log-body li")).to_have_count(1)
    page.locator("#adviser-redo").click()
    for each in (other, page):
        expect(each.locator("#log-body li")).to_have_count(2)


def test_the_adviser_is_told_of_a_board_on_a_phone(people: Open, server: Server) -> None:
    page = people(PHONE)
    page.goto(f"{server.address}/adviser")
    page.locator("#setup-cards").select_option("clue")
    page.get_by_role("button", name="Take player 3 away").click()
    page.locator("#setup-name-1").fill("Ben")
    # With the cards of the board game one plays on the board.
    expect(page.locator("#setup-board")).to_be_checked()
    expect(page.locator("#setup-turns")).to_have_value("2")
    page.locator("#setup-cards").select_option("report")
    expect(page.locator("#setup-board")).not_to_be_checked()
    page.locator("#setup-cards").select_option("clue")
    page.locator(".setup-face-up summary").click()
    for card in (5, 20):  # Professor Plum and the Study
        page.locator(f'[data-pick="face up {card}"]').click()
    tiles = page.locator("#adviser-setup label.clue-tile")
    for place in (0, 1, 6, 7, 12, 13, 14, 15):
        tiles.nth(place).click()
    page.locator("#setup-start").click()
    expect(page.locator("#grid-body")).to_contain_text("Study (face up)", timeout=120_000)

    # A suggestion of which the weapon was not heard.
    page.locator('[data-pick="entry-by 1"]').click()
    page.locator('#entry-form label.clue-tile[data-card="3"]').click()
    page.locator('[data-pick="unheard 1"]').click()
    page.locator('#entry-form label.clue-tile[data-card="17"]').click()
    page.locator('[data-pick="entry-shown-by null"]').click()
    page.locator("#entry-save").click()
    expect(page.locator("#log-body")).to_contain_text(
        "Ben suggested Mr Green, some weapon, Kitchen; nobody could show a card."
    )

    # One of two cards is his. What is rare stands behind a button.
    page.locator("#entry-more").click()
    expect(page.locator('[data-pick="entry-kind accusation"] input')).to_be_focused()
    page.locator('[data-pick="entry-kind seen"]').click()
    page.locator('[data-pick="entry-player 1"]').click()
    page.locator('[data-pick="entry-has one of"]').click()
    page.locator("#entry-seen-card").select_option("10")
    page.locator("#entry-seen-card-1").select_option("11")
    page.locator("#entry-save").click()
    expect(page.locator("#log-body")).to_contain_text("Ben has one of Rope, Wrench.")

    # What can be suggested in the room that I can reach, all of it; and how Ben seems to play.
    expect(page.locator("#advice-body")).to_contain_text("Why the first", timeout=150_000)
    page.locator(".advice-rooms summary").click()
    page.locator('[data-pick="room 18"]').click()
    expect(page.locator(".advice-table tbody tr")).to_have_count(36, timeout=30_000)
    expect(page.locator("#advice-body")).to_contain_text("How they seem to play")
    assert page.evaluate("() => document.documentElement.scrollWidth <= window.innerWidth")
    assert violations(page, AXE) == []
    page.reload()
    expect(page.locator("#grid-body")).to_contain_text("Study (face up)", timeout=30_000)

    # What was entered comes back to be corrected.
    page.locator('[data-edit="2"]').click()
    expect(page.locator("#entry-seen-card-1")).to_have_value("11")
    page.locator("#entry-seen-card-1").select_option("9")
    page.locator("#entry-save").click()
    expect(page.locator("#log-body")).to_contain_text("Ben has one of Rope, Revolver.")
    page.locator('[data-edit="1"]').click()
    expect(page.locator('[data-group="1"]')).to_contain_text("not heard")
    page.locator('[data-group="1"]').click()
    expect(page.locator('[data-pick="unheard 1"] input')).to_be_checked()
    page.locator("#entry-form").get_by_text("Room of a player").click()
    expect(page.locator("#entry-form")).to_contain_text(
        "Enter in which room a player stands, before they suggest there"
    )
    page.locator('[data-pick="entry-player 1"]').click()
    page.locator('[data-pick="entry-room 17"]').click()
    page.locator("#entry-save").click()
    expect(page.locator("#log-body")).to_contain_text("Ben stands in Kitchen.")

    # A suggestion in another room is taken, and pointed out.
    page.locator('[data-pick="entry-by 1"]').click()
    page.locator('#entry-form label.clue-tile[data-card="3"]').click()
    page.locator('[data-pick="unheard 1"]').click()
    page.locator('#entry-form label.clue-tile[data-card="19"]').click()
    page.locator('[data-pick="entry-shown-by null"]').click()
    page.locator("#entry-save").click()
    expect(page.locator(".log-remark")).to_contain_text("Ben stands in Kitchen (entry 1), and this suggestion names")
    expect(page.locator(".toast").last).to_contain_text("and this suggestion names")


COMPARED = """async ([before, after]) => {
    const { comparePanels, drawPanels } = await import("/static/panels.js");
    const [compared, rest] = comparePanels(before, after);
    const root = document.createElement("div");
    drawPanels(root, compared);
    const texts = [...root.querySelectorAll(".bar-text")].map((text) => text.textContent.replaceAll("\\u00a0", " "));
    return [texts, rest.map((panel) => panel.title)];
}"""


def test_what_was_believed_before_a_move_stands_beside_what_is_after_it(people: Open, server: Server) -> None:
    page = people(DESKTOP)
    page.goto(server.address)

    def bars(title: str, **texts: str) -> dict[str, Any]:
        rows = [{"label": label, "value": int(text[:-2]) / 100, "text": text} for label, text in texts.items()]
        return {"kind": "bars", "title": title, "low": 0, "high": 1, "rows": rows}

    text = {"kind": "text", "title": "Style", "text": "Bob plays like the mind reader."}
    grid = {"kind": "grid", "title": "Cards", "columns": ["Bob"], "groups": []}
    before = [bars("Roles", Bob="25 %", Cid="63 %"), bars("Gold", left="33 %"), text, grid]
    after = [bars("Roles", Cid="69 %", Bob="25 %"), bars("Gold", left="33 %", middle="10 %"), text]
    assert page.evaluate(COMPARED, [before, after]) == [
        ["63 % → 69 %", "25 %", "33 %", "10 %"],
        ["Gold", "Cards"],  # with other rows, and what is no longer there
    ]


def test_what_is_entered_at_every_turn_fits_on_a_small_screen(people: Open, server: Server) -> None:
    page = people((360, 640))
    page.goto(f"{server.address}/adviser")
    tiles = page.locator("#adviser-setup label.clue-tile")
    for place in (0, 1, 6, 7, 12, 13):
        tiles.nth(place).click()
    page.locator("#setup-start").click()
    expect(page.locator("#adviser-redo ~ .button:visible")).to_have_count(1)
    page.locator('[data-pick="entry-by 1"]').click()
    bar = page.locator("#adviser-jump").bounding_box()
    assert bar

    def fits() -> bool:
        form = page.locator("#entry-form").bounding_box()
        assert form
        return form["height"] < bar["y"]

    # One group of cards is open, and what was chosen of the others can be opened again.
    for card, group in ((2, 1), (8, 2), (14, None)):
        assert fits()
        expect(page.locator("#entry-form .clue-tiles:visible")).to_have_count(1)
        page.locator(f'#entry-form label.clue-tile[data-card="{card}"]').click()
        if group is not None:
            expect(page.locator(f"#entry-form .clue-group:nth-child({group + 1}) :focus")).to_have_count(1)
    expect(page.locator("#entry-form .clue-tiles:visible")).to_have_count(0)
    expect(page.locator("[data-group]")).to_contain_text(["Dr Orchid", "Lead Pipe", "Conservatory"])
    page.locator('[data-pick="entry-shown-by 2"]').click()
    assert fits()
    page.locator('[data-group="1"]').click()
    page.locator('#entry-form label.clue-tile[data-card="9"]').click()
    expect(page.locator('[data-group="1"]')).to_contain_text("Revolver")
    # With the keyboard one goes through a group that stays open.
    page.locator('[data-group="1"]').press("Enter")
    page.keyboard.press("ArrowRight")
    expect(page.locator('#entry-form label.clue-tile[data-card="10"] input')).to_be_focused()
    assert violations(page, AXE) == []
    # A large screen has room for all of them.
    page.set_viewport_size({"width": DESKTOP[0], "height": DESKTOP[1]})
    expect(page.locator("#entry-form .clue-tiles:visible")).to_have_count(3)
    expect(page.locator("#entry-more")).to_be_hidden()


def test_every_card_of_the_usual_editions_has_a_picture(people: Open, server: Server) -> None:
    page = people(DESKTOP)
    page.goto(f"{server.address}/adviser")
    for edition in ("clue-2016", "clue", "cluedo"):
        page.locator("#setup-cards").select_option(edition)
        expect(page.locator(".setup-hand .clue-face")).to_have_count(21)
        # A card without a picture shows a code of two letters.
        expect(page.locator(".setup-hand .clue-face-code")).to_have_count(0)


def test_who_sits_down_with_an_edition_for_ten_is_told_how_many_can_play_here(people: Open, server: Server) -> None:
    page = people(PHONE)
    page.goto(f"{server.address}/adviser")
    page.locator("#setup-cards").select_option("master-detective")
    expect(page.locator("#setup-most")).to_contain_text("2 to 6 players")
    while page.locator("#setup-add").count():
        page.locator("#setup-add").click()
    expect(page.locator(".setup-player")).to_have_count(6)


@pytest.mark.parametrize("size", [PHONE, (740, 360), (320, 640)], ids=lambda size: f"{size[0]}x{size[1]}")
def test_a_finger_hits_all_of_the_adviser_on_a_phone(people: Open, server: Server, size: tuple[int, int]) -> None:
    page = people(size)
    page.goto(f"{server.address}/adviser")
    for _ in range(3):
        page.locator("#setup-add").click()
    # What families have comes first.
    expect(page.locator("#setup-cards optgroup").first).to_have_attribute("label", "Editions of the board game")
    expect(page.locator("#setup-cards")).to_have_value("clue-2016")
    assert page.evaluate(FAULTS) == []
    for place in (0, 9, 17):
        page.locator(".setup-hand label.clue-tile").nth(place).click()
    page.locator("#setup-start").click()
    expect(page.locator("#advice-body")).to_contain_text("Tells you: how much the answer tells", timeout=150_000)
    assert page.evaluate(FAULTS) == []
    # However many sit at the table, what the envelope holds is in sight.
    page.locator("#grid-body td.envelope").first.scroll_into_view_if_needed()
    expect(page.locator("#grid-body td.envelope").first).to_be_in_viewport(ratio=0.9)
    assert page.locator("#grid-body .clue-sheet-box").evaluate("(box) => box.scrollLeft") == 0


@pytest.mark.parametrize(("size", "dark"), [(DESKTOP, False), (PHONE, True)])
def test_no_page_has_a_fault_for_those_who_hear_or_type(
    people: Open, server: Server, tmp_path: Path, size: tuple[int, int], dark: bool
) -> None:
    page = people(size, dark)
    page.goto(server.address)
    expect(page.locator("#presets li").first).to_be_visible()
    assert violations(page, AXE) == []
    for game, table in TABLES.items():
        open_table(page, server.address, table)
        tap_on(page, game, 2)
        assert my_move(page)
        page.locator("#beliefs").click()
        expect(page.locator("#answer")).not_to_be_empty()
        assert violations(page, AXE) == [], game
    open_record(page, server, a_record("duel", tmp_path))
    assert violations(page, AXE) == []


def test_the_first_page_and_a_table_weigh_little(people: Open, server: Server) -> None:
    page = people()
    weights: list[int] = []
    page.on("response", lambda answer: weights.append(len(answer.body())))
    page.goto(server.address)
    page.wait_for_load_state("networkidle")
    assert 0 < sum(weights) < 300_000
    weights.clear()
    open_table(page, server.address, TABLES["saboteur"])
    assert my_move(page)
    assert 0 < sum(weights) < 300_000


def test_the_faces_come_after_the_page_and_are_kept(people: Open, server: Server) -> None:
    page = people()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url.rpartition("/")[2]))
    page.goto(server.address)
    page.wait_for_function("() => document.fonts.check('700 16px Almendra', 'Größe') && document.fonts.size === 2")
    page.wait_for_function("() => [...document.fonts].every((face) => face.status === 'loaded')")
    assert asked.index("site.css") < asked.index("lobby.js") < asked.index("fonts.css")
    fonts = [name for name in asked if name.endswith(".woff2")]
    assert len(fonts) == 2
    for name in fonts:
        font = page.request.get(f"{server.address}/static/fonts/{name}")
        assert 0 < len(font.body()) < 40_000
        assert "immutable" in font.headers["cache-control"]
    assert page.request.get(f"{server.address}/static/site.css").headers["cache-control"] == "no-cache"


def test_panels_of_a_replay_stand_below_one_another_on_a_phone(people: Open, server: Server, tmp_path: Path) -> None:
    page = people(PHONE)
    open_record(page, server, a_record("saboteur", tmp_path))
    parts = [page.locator(part).bounding_box() for part in (".mine-box", ".hand-area", ".side", ".log-panel")]
    edges = [(part["y"], part["y"] + part["height"]) for part in parts if part is not None]
    assert len(edges) == 4
    assert edges[0][1] <= edges[1][0] and edges[1][1] <= edges[2][0]
    log = page.locator("#log").bounding_box()
    assert log is not None and log["y"] + log["height"] <= edges[3][1]


def test_a_replay_is_printed_light_with_all_its_moves_and_without_what_one_presses(
    people: Open, server: Server
) -> None:
    page = people(dark=True)
    open_table(page, server.address, TABLES["duel"])
    tap_on(page, "duel")
    page.locator("#replay").click()
    expect(page.locator("#log li").last).to_be_attached()
    page.emulate_media(media="print", color_scheme="dark")
    log = "(log) => log.scrollHeight - log.clientHeight"
    assert page.locator("#log").evaluate(log) <= 1
    for pressed in ("#play", "#scrubber", "#copy-link", "nav.top-nav", "#ask-beliefs"):
        expect(page.locator(pressed)).to_be_hidden()
    ink = page.locator("#log li").last.evaluate("(line) => getComputedStyle(line).color")
    page.emulate_media(media="screen", color_scheme="light")
    assert page.locator("#log li").last.evaluate("(line) => getComputedStyle(line).color") == ink
    assert page.locator("#log").evaluate(log) > 1


def test_a_page_of_rules_is_printed_with_all_rules(people: Open, server: Server) -> None:
    page = people()
    page.goto(f"{server.address}/rules/saboteur")
    rules = page.locator(".rules-all .rules")
    expect(rules).to_be_hidden()
    page.emulate_media(media="print")
    assert rules.evaluate("(rules) => rules.getBoundingClientRect().height") > 200
    expect(page.locator("main > nav")).to_be_hidden()
