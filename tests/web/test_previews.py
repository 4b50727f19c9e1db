"""What messengers are told of an address: who invites, to what, how many seats are free, and nothing else."""

from __future__ import annotations

import re
from html import unescape
from struct import unpack

import pytest
from starlette.testclient import TestClient

from web.people import line, open_table, server, setup


def preview(client: TestClient, path: str, **headers: str) -> dict[str, str]:
    """What the head of a page holds for messengers."""
    page = client.get(path, headers=headers).text
    return {name: unescape(text) for name, text in re.findall(r'<meta property="og:([\w:]+)" content="([^"]*)">', page)}


def test_the_link_of_a_free_seat_tells_who_invites_to_what_and_how_many_seats_are_free() -> None:
    with server() as client:
        token = open_table(client, setup("saboteur", bots=1, friends=2))
        with line(client, token) as ann:
            ann.hear()
            links = [seat["link"] for seat in ann.frame["seats"] if seat["link"]]
            told = preview(client, links[0])
            assert told["title"] == "Ann invites you to play Saboteur"
            assert told["description"].startswith(f"{ann.frame['label']}. 2 free seats of 4. At the table: Ann")
            german = preview(client, links[0], **{"accept-language": "de-AT,en;q=0.5"})
            assert german["title"] == "Ann lädt dich zu Saboteur ein"
            assert "2 freie Plätze von 4." in german["description"]
            assert german["locale"] == "de"
            assert preview(client, f"{links[0]}?lang=de") == german
            assert preview(client, ann.frame["watch_link"])["title"] == "Watch a game of Saboteur"
            # Nobody sits down by asking.
            with line(client, links[0].removeprefix("/t/")) as ben:
                ben.hear()
                seats = [(seat["kind"], seat["here"]) for seat in ben.frame["seats"]]
                assert seats == [("person", True), ("open", True), ("open", False), ("agent", False)]
                ben.say(do="sit", name='Ben "<b>"')
                ben.until(lambda frame: frame["seats"][1]["kind"] == "person")
            assert 'Ben "<b>"' in preview(client, links[1])["description"]
            assert "1 free seat of 4." in preview(client, links[1])["description"]
            assert preview(client, links[0])["title"] == "A game of Saboteur"


@pytest.mark.parametrize("game", ["saboteur", "speed_clue"])
def test_no_address_of_a_table_tells_more_of_a_game_than_any_other(game: str) -> None:
    with server() as client:
        token = open_table(client, setup(game))
        with line(client, token) as ann:
            ann.play_on(1)
            ann.my_move()
            own, watched = (preview(client, path) for path in (f"/t/{token}", ann.frame["watch_link"]))
            assert own["description"] == watched["description"]
            names = [seat["name"] for seat in ann.frame["seats"]]
            expected = f"{ann.frame['label']}. The game is under way. Players: {', '.join(names[:-1])} and {names[-1]}."
            assert own["description"] == expected


def test_the_picture_is_there_where_the_page_was_asked_for() -> None:
    with server() as client:
        for path in ("/", f"/t/{open_table(client, setup('duel', 0, 1))}"):
            told = preview(client, path)
            assert told["image"].startswith("http://127.0.0.1/static/")
            picture = client.get(told["image"])
            assert picture.headers["content-type"] == told["image:type"] == "image/png"
            size = unpack(">II", picture.content[16:24])
            assert size == (int(told["image:width"]), int(told["image:height"])) == (1200, 630)
            assert len(picture.content) < 300_000
