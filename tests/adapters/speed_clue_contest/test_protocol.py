"""The lines of the contest: what is written is read back, and what is malformed is refused in words."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import pytest

from adapters.speed_clue_contest.contest_room import EDITION, any_message, any_triple
from molehunt.adapters.speed_clue_contest import protocol
from molehunt.adapters.speed_clue_contest.protocol import (
    Accuse,
    Alive,
    Dead,
    Disprove,
    Done,
    Message,
    Ok,
    OwnAccusation,
    OwnSuggestion,
    Reply,
    Reset,
    Show,
    Suggest,
    check_identifier,
    decode_message,
    format_message,
    format_reply,
    parse_message,
    parse_reply,
)
from molehunt.core.errors import BadNotation
from molehunt.games.speed_clue.suggestions import Accusation, HeardSuggestion

GREEN, MUSTARD, CANDLESTICK, ROPE, BALLROOM, HALL = 0, 1, 6, 10, 12, 16

MESSAGES: dict[str, Message] = {
    "reset 3 2 Gr Ca Ba Mu Ro Ha": Reset(3, 2, (GREEN, CANDLESTICK, BALLROOM, MUSTARD, ROPE, HALL)),
    "suggest": Suggest(),
    "disprove 1 Mu Ro Ha": Disprove(1, (MUSTARD, ROPE, HALL)),
    "suggestion 0 Gr Ca Ba -": HeardSuggestion(0, (GREEN, CANDLESTICK, BALLROOM)),
    "suggestion 0 Gr Ca Ba 5": HeardSuggestion(0, (GREEN, CANDLESTICK, BALLROOM), 5),
    "suggestion 0 Gr Ca Ba 5 Ca": HeardSuggestion(0, (GREEN, CANDLESTICK, BALLROOM), 5, CANDLESTICK),
    "accuse": Accuse(),
    "accusation 4 Mu Ro Ha +": Accusation(4, (MUSTARD, ROPE, HALL), right=True),
    "accusation 4 Mu Ro Ha -": Accusation(4, (MUSTARD, ROPE, HALL), right=False),
    "done": Done(),
}
REPLIES: dict[str, Reply] = {
    "my-program alive": Alive("my-program"),
    "ok": Ok(),
    "suggest Mu Ro Ha": OwnSuggestion((MUSTARD, ROPE, HALL)),
    "show Ro": Show(ROPE),
    "-": OwnAccusation(None),
    "accuse Mu Ro Ha": OwnAccusation((MUSTARD, ROPE, HALL)),
    "dead": Dead(),
}


@pytest.mark.parametrize("line", MESSAGES)
def test_messages_are_written_as_the_contest_writes_them(line: str) -> None:
    assert parse_message(line, EDITION) == MESSAGES[line]
    assert format_message(MESSAGES[line], EDITION) == line


@pytest.mark.parametrize("line", REPLIES)
def test_replies_are_written_as_the_contest_writes_them(line: str) -> None:
    assert parse_reply(line, EDITION) == REPLIES[line]
    assert format_reply(REPLIES[line], EDITION) == line


def any_reply(rng: random.Random) -> Reply:
    name = "".join(rng.choice("abzAZ019_-.!~") for _ in range(rng.randint(1, 60)))
    cards = any_triple(rng)
    choices = (
        Alive(name),
        Ok(),
        OwnSuggestion(cards),
        Show(rng.randrange(21)),
        OwnAccusation(None),
        OwnAccusation(cards),
        Dead(),
    )
    return rng.choice(choices)


def test_every_message_and_reply_is_read_back() -> None:
    rng = random.Random(2014)
    for _ in range(1500):
        message, reply = any_message(rng), any_reply(rng)
        assert parse_message(format_message(message, EDITION), EDITION) == message
        assert parse_reply(format_reply(reply, EDITION), EDITION) == reply


MALFORMED = {
    "": "nothing is no message",
    "sugest": "did you mean 'suggest'?",
    "suggest now": "1 words after the first; right is: suggest",
    "reset 3 0": "right is: reset PLAYERS INDEX CARD...",
    "reset 7 0 Gr": "the number of players is a number from 3 to 6, not '7'",
    "reset 3 3 Gr": "the own place is a number from 0 to 2, not '3'",
    "reset 3 0 Gr Gr": "deals a card twice",
    "reset 3 0 gx": "no card has the code 'gx'; there are Gr Mu Pe Pl Sc Wh Ca",
    "disprove 1 Mu Ro": "right is: disprove PLAYER SUSPECT WEAPON ROOM",
    "disprove 1 Ro Mu Ha": "no suspect has the code 'Ro'; there are Gr Mu Pe Pl Sc Wh",
    "disprove x Mu Ro Ha": "a player is a number from 0 to 5, not 'x'",
    "suggestion 1 Mu Ro Ha": "right is: suggestion PLAYER SUSPECT WEAPON ROOM -, or",
    "suggestion 1 Mu Ro Ha 1": "nobody disproves their own suggestion",
    "suggestion 1 Mu Ro Ha - Ro": "where nobody disproves (-) no card is shown",
    "accusation 1 Mu Ro Ha": "right is: accusation PLAYER SUSPECT WEAPON ROOM + or -",
    "accusation 1 Mu Ro Ha ?": "ends in + (right) or - (wrong), not '?'",
    "ok": "'ok' is no message; it begins with reset, suggest,",
}


@pytest.mark.parametrize(("line", "words"), MALFORMED.items())
def test_malformed_messages_are_refused_with_what_would_be_right(line: str, words: str) -> None:
    with pytest.raises(BadNotation) as error:
        parse_message(line, EDITION)
    assert words in str(error.value)


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("show", "0 words after the first; right is: show CARD"),
        ("show Zz", "no card has the code 'Zz'"),
        ("suggest Ha Ro Mu", "no suspect has the code 'Ha'"),
        ("accuse - - -", "no suspect has the code '-'"),
        ("- -", "right is: -"),
        ("okay", "did you mean 'ok'?"),
        (f"{'x' * 61} alive", "a name is 1 to 60 printable ASCII characters"),
    ],
)
def test_malformed_replies_are_refused_with_what_would_be_right(line: str, words: str) -> None:
    with pytest.raises(BadNotation) as error:
        parse_reply(line, EDITION)
    assert words in str(error.value)


def test_messages_are_printable_ascii_with_line_ends_and_nuls_around_them() -> None:
    assert {decode_message(said) for said in (b"ok", b"ok\r\n", b"ok\n", b"ok\0\0", b"\nok")} == {"ok"}
    for line in (b"o\xc3\xa4", b"o\x00k", b"o\tk"):
        with pytest.raises(BadNotation, match="a message is printable ASCII, which the byte 0x"):
            decode_message(line)
    with pytest.raises(BadNotation, match="no spaces"):
        check_identifier("my program")


@pytest.mark.parametrize("parse", [parse_message, parse_reply])
def test_random_lines_never_raise_anything_else(parse: Callable[..., Any]) -> None:
    rng = random.Random(14)
    good = [*MESSAGES, *REPLIES]
    read = refused = 0
    for _ in range(6000):
        line = bytearray(rng.choice(good).encode())
        kind = rng.random()
        if kind < 0.3:
            line = bytearray(rng.randbytes(rng.choice((0, 1, 3, 20, 200))))
        elif kind < 0.6:
            line[rng.randrange(len(line))] = rng.choice((rng.randrange(256), *b" -+019RoX"))
        elif kind < 0.8:
            words: list[bytes | bytearray] = [*line.split()]
            words[rng.randrange(len(words))] = rng.choice((b"", b"-", b"Ro", b"99999999999999999999", b"3", b"+"))
            line = bytearray(b" ".join(words))
        elif kind < 0.9:
            del line[rng.randrange(len(line)) :]
        try:
            parse(decode_message(bytes(line)), EDITION)
            read += 1
        except BadNotation as error:
            refused += len(str(error)) > 0
    assert read > 300 and refused > 2000 and read + refused == 6000


def test_the_description_names_every_code_of_a_card() -> None:
    """Who writes a program has nothing else to learn them from."""
    listed = [word for line in (protocol.__doc__ or "").splitlines() for word in line.split() if word in EDITION.codes]
    assert tuple(listed) == tuple(EDITION.codes)
