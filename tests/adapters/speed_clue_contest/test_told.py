"""A server that says what cannot be: the person is told of it, once a game and with what would be right, and the game goes on."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

import pytest

from adapters.speed_clue_contest.contest_room import EDITION, Chatterer, any_triple, pair
from molehunt.adapters.speed_clue_contest import told
from molehunt.adapters.speed_clue_contest.client import ContestPlayer, play_contest
from molehunt.adapters.speed_clue_contest.protocol import Reset, Show, format_message, format_reply, parse_message
from molehunt.agents.registry import Agents
from molehunt.core.agent import Agent, Player, PlayerAgent
from molehunt.games.speed_clue.suggestions import HeardSuggestion

RESET = "reset 3 0 Gr Ca Ba Mu Ro Ha"
AGENTS = ("exact:deals=50,trials=2,askers=1", "combined", "basic", "random")


class Asker(Agent):
    """Suggests certain cards, and else does what is legal."""

    name = "asker"
    observes = False

    def __init__(self, cards: str) -> None:
        self.cards = cards

    def start(self, game: Any, views: Any, streams: Any) -> Any:
        return game

    def act(self, views: Any, memory: Any, rows: Any) -> Any:
        legal = memory.legal_actions(views)
        named = [action for action in legal if memory.format_action(int(action)) == f"suggest {self.cards}"]
        return [*named, legal[-1]][:1]

    def observe(self, events: Any, memory: Any, rows: Any) -> None:
        raise AssertionError


MINE = "Mrs Peacock, Rope, Billiard Room"
IMPOSSIBLE: dict[str, tuple[list[str], str, str]] = {
    "a card of this hand": (
        ["suggest", "suggestion 0 Pe Ro Bi 1 Ro"], "Ro is in this hand",
        "'suggestion 0 Pe Ro Bi 1 Pe', 'suggestion 0 Pe Ro Bi 1 Bi', 'suggestion 0 Pe Ro Bi 2 Pe' or 2 more",
    ),
    "a card that was not suggested": (
        ["suggest", "suggestion 0 Pe Ro Bi 1 Kn"],
        "Kn was not suggested", "right could be 'suggestion 0 Pe Ro Bi 1 Pe'",
    ),
    "a card that another has": (
        ["suggest", "suggestion 0 Pe Ro Bi 1 Pe", "accuse", "suggestion 1 Pe Kn Di 2 Pe"],
        "it contradicts 'suggestion 0 Pe Ro Bi 1 Pe'", "right could be 'suggestion 1 Pe Kn Di 2'",
    ),
    "a card of one who has none": (
        ["suggestion 2 Pe Kn Co -", "suggest", "suggestion 0 Pe Ro Bi 1 Pe"],
        "it contradicts 'suggestion 2 Pe Kn Co -'", "right could be 'suggestion 0 Pe Ro Bi 1 Bi'",
    ),
    "other cards than were suggested": (
        ["suggest", "suggestion 0 Pe Kn Bi 1 Pe"],
        "this seat suggested Pe, Ro and Bi", "right could be 'suggestion 0 Pe Ro Bi 1 Pe'",
    ),
    "passing over who has a card": (
        ["suggestion 1 Gr Kn Co -"],
        "this seat, player 0, was asked and has Gr", "right could be 'suggestion 1 Gr Kn Co 2' or 'suggestion 1 Gr Kn Co 0 Gr'",
    ),
    "this seat shows what it has not": (
        ["suggestion 2 Gr Kn Co 0 Kn"],
        "this seat has not Kn, but Gr", "right could be 'suggestion 2 Gr Kn Co 0 Gr'",
    ),
    "this seat shows and has none": (
        ["suggestion 2 Pe Kn Co 0 Kn"],
        "this seat has none of these", "right could be 'suggestion 2 Pe Kn Co 1' or 'suggestion 2 Pe Kn Co -'",
    ),
    "all three are in this hand": (
        ["suggestion 1 Gr Ca Ba 2"],
        "Gr, Ca and Ba are in this hand", "right could be 'suggestion 1 Gr Ca Ba 0 Gr'",
    ),
    "an accusation of this hand is right": (
        ["suggestion 1 Gr Kn Co 2", "accusation 1 Gr Kn Co +"],
        "Gr cannot be in the envelope", "right could be 'accusation 1 Gr Kn Co -'",
    ),
}  # fmt: skip


@pytest.mark.parametrize(("lines", "why", "instead"), IMPOSSIBLE.values(), ids=IMPOSSIBLE)
def test_what_cannot_be_is_told_once_with_what_would_be_right(lines: list[str], why: str, instead: str) -> None:
    remarks: list[str] = []
    player = ContestPlayer(Asker(MINE), remark=remarks.append)
    for line in (RESET, *lines[:-1]):
        player.reply(parse_message(line, EDITION))
    assert remarks == []
    for line in lines[-1:]:
        assert format_reply(player.reply(parse_message(line, EDITION)), EDITION) == "ok"
    (said,) = remarks
    assert said.startswith(f"in game 1, the server says what cannot be: {lines[-1]!r}: {why}")
    assert instead in said and said.endswith("; the game goes on")


@pytest.mark.parametrize("spec", AGENTS)
@pytest.mark.parametrize("lines", [case[0] for case in IMPOSSIBLE.values()], ids=IMPOSSIBLE)
def test_the_game_goes_on_with_legal_replies_and_the_next_begins_afresh(lines: list[str], spec: str) -> None:
    made = Agents("speed_clue")
    remarks: list[str] = []
    player = ContestPlayer(made.make(spec), 0, made.make("combined"), remarks.append)

    def say(line: str) -> str:
        return format_reply(player.reply(parse_message(line, EDITION)), EDITION)

    for game in (1, 2):
        said = [say(line) for line in (RESET, *lines)]
        assert said[-1] == "ok" and len(remarks) == game
        if lines[-1].startswith("suggestion 0"):
            assert say("accuse").split()[0] in {"-", "accuse"}
        if not lines[-1].endswith("+"):
            assert say("suggest").startswith("suggest ")


class Diary(Player):
    """Says by seat what it heard, where it is asked."""

    asked = 0

    def choose(self, view: Any) -> str:
        return str(view.legal_actions[0])

    def impressions(self, view: Any) -> Any:
        type(self).asked += 1
        return {"1": "asks for ropes"}

    def meet_again(self, impressions: Any) -> None:
        raise AssertionError("it sits elsewhere now")


def test_as_seats_change_a_plain_player_is_not_asked_what_it_takes_along_of_them() -> None:
    agent = PlayerAgent("diary", Diary)
    player = ContestPlayer(agent)
    for _ in range(3):
        for line in (RESET, "suggest"):
            player.reply(parse_message(line, EDITION))
    assert player.games == 3 and Diary.asked == 0


def test_what_was_told_before_there_was_machine_code_is_held_against_itself_then(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    there = False
    monkeypatch.setattr(told, "is_at_hand", lambda name: there)
    remarks: list[str] = []
    player = ContestPlayer(Agents("speed_clue").make("basic"), remark=remarks.append)
    lines = ["suggestion 1 Pe Pi Bi -", "suggestion 2 Pe Kn Co -", "suggestion 1 Pe Pi Bi 2"]
    for line in (RESET, *lines, "suggestion 2 Sc Wr Lo 1"):
        player.reply(parse_message(line, EDITION))
    assert remarks == []
    there = True
    player.reply(parse_message("suggestion 1 Sc Wr Lo 2", EDITION))
    assert [remark.partition(": ")[2] for remark in remarks] == [
        "'suggestion 1 Pe Pi Bi 2': it contradicts 'suggestion 1 Pe Pi Bi -'; the game goes on"
    ]


def test_of_several_messages_that_cannot_be_the_first_is_told() -> None:
    heard = told.Told(EDITION, Reset(3, 0, (0, 6, 12, 1, 7, 13)))
    heard.hear(HeardSuggestion(1, (0, 8, 14), None))
    first = heard.fault
    heard.hear(HeardSuggestion(2, (1, 9, 15), None))
    assert heard.fault == first and first.startswith("'suggestion 1 ")


def test_a_card_that_cannot_have_been_shown_counts_as_not_seen() -> None:
    heard = told.Told(EDITION, Reset(3, 0, (0, 6, 12, 1, 7, 13)))
    asked = HeardSuggestion(0, (2, 6, 14), 1, 6)
    assert heard.hear(asked) == replace(asked, card=None)
    # Who was asked and showed a card knows better than the server which.
    heard.said(Show(0))
    assert heard.hear(HeardSuggestion(1, (0, 6, 14), 0, 6)) == HeardSuggestion(1, (0, 6, 14), 0, 0)


def test_a_player_that_fails_at_what_cannot_be_is_moved_for() -> None:
    class Fragile(Chatterer):
        def act(self, views: Any, memory: Any, rows: Any) -> Any:
            raise RuntimeError("no deal agrees")

    player = ContestPlayer(Fragile(), remark=lambda text: None)
    for line in (RESET, "suggestion 1 Gr Kn Co -", "suggestion 2 Wh Kn Ki 1"):
        player.reply(parse_message(line, EDITION))
    assert format_reply(player.reply(parse_message("suggest", EDITION)), EDITION).startswith("suggest ")
    player = ContestPlayer(Fragile(), remark=lambda text: None)
    player.reply(parse_message(RESET, EDITION))
    with pytest.raises(RuntimeError):
        player.reply(parse_message("suggest", EDITION))


def test_random_answers_never_stop_a_game() -> None:
    rng = random.Random(5)
    for number in range(12):
        remarks: list[str] = []
        made = Agents("speed_clue")
        player = ContestPlayer(made.make(AGENTS[number % 3]), 0, made.make("combined"), remarks.append)
        player.reply(parse_message(RESET, EDITION))
        for turn in range(12):
            seat = turn % 3
            cards = any_triple(rng)
            if seat == 0:
                reply = format_reply(player.reply(parse_message("suggest", EDITION)), EDITION)
                assert reply.startswith("suggest ")
            by = rng.choice([None, *(other for other in range(3) if other != seat)])
            told_card = by is not None and 0 in {seat, by}
            heard = HeardSuggestion(seat, cards, by, rng.choice((*cards, 3)) if told_card else None)
            assert parse_message(format_message(heard, EDITION), EDITION) == heard
            assert format_reply(player.reply(heard), EDITION) == "ok"
            if seat == 0 and format_reply(player.reply(parse_message("accuse", EDITION)), EDITION) != "-":
                break
        assert len(remarks) == 1


def test_over_the_wire_the_game_is_played_to_its_end() -> None:
    server, client = pair()
    remarks: list[str] = []
    with server, client:
        for line in (RESET, "suggestion 1 Gr Kn Co -", "suggestion 2 Gr Wr Lo 1", "done"):
            server.send(line)
        play_contest(client, "me", ContestPlayer(Agents("speed_clue").make("combined"), remark=remarks.append))
    assert len(remarks) == 1
