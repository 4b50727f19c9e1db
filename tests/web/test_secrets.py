"""No page is sent what its seat may not know: what all pages are sent in whole games is searched for it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import msgspec
import pytest

from molehunt.games.registry import guests
from molehunt.table.session import Session
from molehunt.web import faces
from molehunt.web.table import WebTable
from molehunt.web.table_pages import Page
from web import cups
from web.people import line, open_table, server, setup
from web.secrets_search import PERSON, Counts, LeakError, Table

SEED = 6_021_407_600_000_000
"""The least seed: so long a number is nowhere in a frame by chance."""
GAMES = {
    "saboteur/official+talk:rounds=1": (PERSON, "decision-2019", PERSON, "random"),
    "saboteur/krisnadi": (PERSON, "decision-2019", "means-ends-2016"),
    "saboteur/official+talk": ("random", PERSON, "random"),
    "saboteur/official": (PERSON, "random", "decision-2019"),
    "saboteur/veldhuis": (PERSON, "random", "random", PERSON, "random"),
    "duel/mcgill": (PERSON, "greedy-2020"),
    "speed_clue/mitchell": (PERSON, "advanced", PERSON),
    "speed_clue/contest": ("basic", PERSON, "advanced", "basic"),
    "cups/six": (PERSON, "peeker", PERSON),
    **{
        f"{entry.name}/{ruleset}": (PERSON, entry.opponent, PERSON, *["random"] * (rules.usual - 3))[: rules.usual]
        for entry in guests().values()
        for ruleset, rules in entry.at_table.items()
    },
}
"""Who sits where, by the game: those built in, one that a package might bring, and all that packages have brought."""
THOUSAND = {
    "saboteur/official+talk:rounds=1": 150,
    "saboteur/krisnadi": 150,
    "saboteur/official+talk": 25,
    "saboteur/official": 25,
    "saboteur/veldhuis": 25,
    "duel/mcgill": 225,
    "speed_clue/mitchell": 200,
    "speed_clue/contest": 200,
    "cups/six": 200,
}
"""So many games of each make the thousand, and more of one that a package might bring."""
BROUGHT = 25
"""Games of each ruleset that a package has brought: its own checks play them, too."""


@pytest.fixture(autouse=True)
def a_guest() -> Iterator[None]:
    with cups.installed():
        yield


@pytest.mark.parametrize("ruleset", GAMES)
def test_what_a_page_is_sent_does_not_depend_on_what_its_seat_may_not_know(ruleset: str) -> None:
    rounds = 3 if THOUSAND.get(ruleset) == 25 else 1
    assert Table(ruleset, GAMES[ruleset], SEED).play(every=2 * rounds).frames > 20


def test_people_talk_while_frames_are_searched() -> None:
    table = Table("saboteur/krisnadi", (PERSON,) * 3, SEED)
    assert table.play(every=10).said > 2
    assert table.table.state.talk.said > 0


@pytest.mark.slow
@pytest.mark.long
@pytest.mark.parametrize("ruleset", GAMES)
def test_no_page_is_sent_a_secret_in_a_thousand_games(ruleset: str) -> None:
    counts = Counts()
    games = THOUSAND.get(ruleset, BROUGHT)
    for seed in range(SEED, SEED + games):
        counts += Table(ruleset, GAMES[ruleset], seed).play()
    print(ruleset, counts)  # noqa: T201
    assert counts.games == games


# --- The search finds what there is to find -------------------------------------------------------------------------------


def mover_of(session: Session, number: int) -> int:
    return int(session.events[number - 1][0]["seat"])


def as_sent(frame: Any) -> dict[str, Any]:
    """A frame, or a part of one, as a page reads it."""
    found: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(frame))
    return found


def with_seed(self: WebTable, page: Page) -> dict[str, Any]:
    return as_sent(honest_frame(self, page)) | {"deal": self.state.seed}


def with_links(self: WebTable, page: Page, seat: int) -> dict[str, Any]:
    link = next(link for link in self.links if link.seat == seat)
    return as_sent(honest_seat(self, page, seat)) | {"link": f"/t/{link.token}"}


def with_deck(self: WebTable, session: Session, seat: int | None) -> dict[str, Any]:
    return as_sent(honest_position(self, session, seat)) | {"next": sum(session.position.states.tobytes()) % 97}


def with_hands(self: WebTable, session: Session, seat: int | None) -> dict[str, Any]:
    found = as_sent(honest_position(self, session, seat))
    own = "drawing" if "drawing" in found else "hand"
    return found | {
        "hands": [as_sent(honest_position(self, session, other))[own] for other in range(session.game.seats)]
    }


def with_notice(self: WebTable, session: Session, seat: int | None) -> dict[str, Any]:
    found = as_sent(honest_position(self, session, seat))
    if session.events and session.outcome is None:
        mover = mover_of(session, len(session.events))
        event = session.events[-1][mover]
        found["notice"] = faces.sentence(session.game, event, session.names, None)
    return found


def with_movers_event(self: Session, number: int, seat: int | None) -> Any:
    return self.events[number - 1][mover_of(self, number)]


honest_frame, honest_seat, honest_position = WebTable.frame, WebTable._seat, WebTable._position


@pytest.mark.parametrize(
    "ruleset", ["saboteur/official+talk:rounds=1", "duel/mcgill", "speed_clue/contest", "cups/six"]
)
@pytest.mark.parametrize(
    ("owner", "name", "leak", "told"),
    [
        (WebTable, "frame", with_seed, "602140760"),
        (WebTable, "_seat", with_links, "the link of"),
        (WebTable, "_position", with_deck, "another frame"),
        (WebTable, "_position", with_hands, "another frame"),
        (WebTable, "_position", with_notice, "which tells"),
        (Session, "event", with_movers_event, "which tells"),
    ],
)
def test_a_leak_is_found(
    ruleset: str, owner: type, name: str, leak: Callable[..., Any], told: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(owner, name, leak)
    with pytest.raises(LeakError, match=told):
        Table(ruleset, GAMES[ruleset], SEED).play()


# --- Links ----------------------------------------------------------------------------------------------------------------


def test_only_the_owner_is_sent_the_links_of_others_and_only_while_their_seats_are_open() -> None:
    with server() as client:
        token = open_table(client, setup("saboteur", bots=1, friends=2))
        with line(client, token) as ann:
            ann.until(lambda frame: frame["phase"] == "waiting")
            ben_token, cid_token = (seat["link"].removeprefix("/t/") for seat in ann.frame["seats"] if seat["link"])
            with line(client, ben_token) as ben, line(client, cid_token) as cid:
                ben.say(do="sit", name="Ben")
                ann.until(lambda frame: frame["seats"][1]["name"] == "Ben")
                assert ben_token not in ann.raw[-1]
                assert cid_token in ann.raw[-1]
                cid.say(do="sit", name="Cid")
                for person in (ann, ben, cid):
                    person.until(lambda frame: frame["position"])
                assert ben_token not in ann.raw[-1] and cid_token not in ann.raw[-1]
                assert not any(token in raw or cid_token in raw for raw in ben.raw)
                assert not any(token in raw or ben_token in raw for raw in cid.raw)
                with line(client, ben.frame["watch_link"].removeprefix("/t/")) as eve:
                    eve.until(lambda frame: frame["position"])
                    assert not any(other in raw for raw in eve.raw for other in (token, ben_token, cid_token))
