"""The contest to the byte: a server and programs that write a message as one chunk without an end and compare chunks exactly.

The streams here are written as the programs of 2014 write them; nothing of the adapter's own reading and writing is used for it.
"""

from __future__ import annotations

import random
import re
import socket
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import pytest

from adapters.speed_clue_contest.contest_room import EDITION, HOST, get_ready, no_remark, ours, pair
from molehunt.adapters.speed_clue_contest import client
from molehunt.adapters.speed_clue_contest.client import ContestPlayer, connect, play_contest
from molehunt.adapters.speed_clue_contest.endings import MessageEndings, ReplyEndings, greeting_endings
from molehunt.adapters.speed_clue_contest.gathering import Gathering
from molehunt.adapters.speed_clue_contest.programs import listen
from molehunt.adapters.speed_clue_contest.protocol import Message, Reply, parse_message
from molehunt.adapters.speed_clue_contest.server import play_tournament
from molehunt.adapters.speed_clue_contest.talk import MUCH_MORE, PIECES, ContestError, Ending, Talk
from molehunt.agents.registry import Agents

SUSPECTS, WEAPONS, ROOMS = (
    ["Gr", "Mu", "Pe", "Pl", "Sc", "Wh"],
    ["Ca", "Kn", "Pi", "Re", "Ro", "Wr"],
    ["Ba", "Bi", "Co", "Di", "Ha", "Ki", "Li", "Lo", "St"],
)
CARDS = [*SUSPECTS, *WEAPONS, *ROOMS]


PATIENCE = 60.0
"""Seconds that the server of 2014 waits for a program here."""


class Disqualified(Exception):
    """What the old server says of a program that breaks its protocol."""


@dataclass
class OldPlayer:
    """A program as the server of 2014 has it: a reply is what one read returns, compared as a whole, but for case and NULs."""

    connection: socket.socket
    hand: set[str] = field(default_factory=set)
    made: set[str] = field(default_factory=set)

    def ask(self, message: str) -> str:
        self.connection.sendall(message.encode())
        return self.connection.recv(512).rstrip(b"\0").decode()

    def tell(self, message: str) -> None:
        reply = self.ask(message)
        if reply.lower() != "ok":
            raise Disqualified(f"{message!r} was answered with {reply!r}")


def parts_of(reply: str, word: str, cards: int) -> list[str]:
    """The cards of a reply of exactly this form."""
    if len(reply) != len(word) + 3 * cards or not reply.lower().startswith(word + " "):
        raise Disqualified(f"{reply!r} for {word}")
    named = reply[len(word) + 1 :].split(" ")
    if not all(card in CARDS for card in named):
        raise Disqualified(f"{reply!r} names no cards")
    return named


def old_game(players: Sequence[OldPlayer], rng: random.Random) -> int:
    """One game as the server of 2014 plays it; who wins."""
    seats = len(players)
    envelope = [rng.choice(kind) for kind in (SUSPECTS, WEAPONS, ROOMS)]
    deck = [card for card in CARDS if card not in envelope]
    rng.shuffle(deck)
    dealt = 0
    for index, player in enumerate(players):
        size = len(deck) // seats + (index < len(deck) % seats)
        hand = deck[dealt : dealt + size]
        dealt += size
        player.hand, player.made = set(hand), set()
        player.tell(f"reset {seats} {index} {' '.join(hand)}")
    left = set(range(seats))
    turn = 0
    while True:
        player = players[turn]
        named = parts_of(player.ask("suggest"), "suggest", 3)
        asked = " ".join(named)
        if asked in player.made or not (named[0] in SUSPECTS and named[1] in WEAPONS and named[2] in ROOMS):
            raise Disqualified(f"suggests {asked!r}")
        player.made.add(asked)
        answer, shown = "-", ""
        for step in range(1, seats):
            other = players[(turn + step) % seats]
            held = [card for card in named if card in other.hand]
            if held:
                answer, shown = str((turn + step) % seats), held[0]
                if len(held) > 1:
                    (shown,) = parts_of(other.ask(f"disprove {turn} {asked}"), "show", 1)
                    if shown not in held:
                        raise Disqualified(f"shows {shown!r}")
                break
        for index, one in enumerate(players):
            card = f" {shown}" if shown and str(index) in {str(turn), answer} else ""
            one.tell(f"suggestion {turn} {asked} {answer}{card}")
        reply = player.ask("accuse")
        if reply == "-":
            if answer == "-" and not set(named) & player.hand:
                raise Disqualified("does not accuse where it must")
        else:
            accused = parts_of(reply, "accuse", 3)
            right = accused == envelope
            for one in players:
                one.tell(f"accusation {turn} {' '.join(accused)} {'+' if right else '-'}")
            if right:
                return turn
            left.discard(turn)
            if len(left) == 1:
                return left.pop()
        turn = next((turn + step) % seats for step in range(1, seats + 1) if (turn + step) % seats in left)


def at_the_old_server(specs: Sequence[str], games: int, farewell: bool = True) -> tuple[list[int], list[Exception]]:
    """Our clients at a server of 2014; wins by client, and what the clients raised."""
    get_ready()
    raised: list[Exception] = []
    with socket.create_server((HOST, 0)) as door:
        door.settimeout(PATIENCE)
        port = door.getsockname()[1]

        def play(name: str, spec: str) -> None:
            try:
                with connect(HOST, port) as talk:
                    play_contest(talk, name, ContestPlayer(Agents("speed_clue").make(spec), remark=no_remark))
            except Exception as error:  # noqa: BLE001 - the test looks at them
                raised.append(error)

        threads, players = [], []
        for number, spec in enumerate(specs):
            threads.append(threading.Thread(target=play, args=(f"p{number}", spec), daemon=True))
            threads[-1].start()
            player = OldPlayer(door.accept()[0])
            player.connection.settimeout(PATIENCE)
            assert player.connection.recv(512) == f"p{number} alive".encode()
            players.append(player)
        wins = [0] * len(specs)
        for number in range(games):
            wins[old_game(players, random.Random(number))] += 1
        for player in players:
            if farewell:
                assert player.ask("done") == "dead"
            player.connection.close()
        for thread in threads:
            thread.join(10)
            assert not thread.is_alive()
    return wins, raised


@pytest.mark.parametrize("seats", [3, 6])
def test_our_client_plays_at_a_server_that_writes_chunks_without_ends_and_compares_exactly(seats: int) -> None:
    wins, raised = at_the_old_server([*["combined", "basic", "advanced"] * 2][:seats], 6)
    assert raised == [] and sum(wins) == 6


@pytest.mark.parametrize("games", [8, pytest.param(100, marks=pytest.mark.long)])
def test_exact_plays_there_without_a_fault(games: int) -> None:
    wins, raised = at_the_old_server(["exact:deals=100,trials=4,askers=1", "combined", "basic"], games)
    assert raised == [] and sum(wins) == games and wins[0] > 0.3 * games


def test_a_server_that_hangs_up_after_a_game_needs_no_farewell() -> None:
    _, raised = at_the_old_server(["combined", "basic", "advanced"], 2, farewell=False)
    assert raised == []


def test_a_program_knows_when_it_is_on_turn_and_waits_for_no_more_of_what_it_is_asked(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked: list[tuple[bool | None, str, str]] = []
    last: dict[ContestPlayer, str] = {}
    reply = ContestPlayer.reply

    def watched(player: ContestPlayer, message: Message) -> Reply:
        kind = type(message).__name__
        asked.append((player.on_turn, kind, last.get(player, "")))
        last[player] = kind
        return reply(player, message)

    monkeypatch.setattr(ContestPlayer, "reply", watched)
    wins, raised = at_the_old_server(["combined", "basic", "advanced"], 4)
    assert raised == [] and sum(wins) == 4
    # Which seat begins is known when it has begun; from then on a turn follows from the one before.
    assert {on_turn for on_turn, kind, before in asked if kind == "Suggest" and before != "Reset"} == {True}
    assert not [kind for on_turn, kind, _ in asked if on_turn and kind == "HeardSuggestion"]


def test_another_answers_in_time_while_machine_code_is_made(monkeypatch: pytest.MonkeyPatch) -> None:
    """Who would take too long until then plays from the move on at which it is there; who would not plays at once."""
    there = False
    monkeypatch.setattr(client, "is_at_hand", lambda name: there)
    get_ready()
    agents = Agents("speed_clue")
    exact, stand_in = agents.make("exact:deals=50,trials=2,askers=0"), agents.make("combined")
    asked: list[str] = []
    for agent in (exact, stand_in):
        act = agent.act

        def watched(*given: Any, act: Any = act, name: str = agent.name) -> Any:
            asked.append(name)
            return act(*given)

        monkeypatch.setattr(agent, "act", watched)
    player = ContestPlayer(exact, 0, stand_in)
    player.reply(parse_message("reset 3 0 Gr Mu Ca Kn Ba Bi", EDITION))
    player.reply(parse_message("suggest", EDITION))
    assert asked == ["combined"]
    there = True
    player.reply(parse_message("reset 3 0 Gr Mu Ca Kn Ba Bi", EDITION))
    player.reply(parse_message("suggest", EDITION))
    assert asked == ["combined", exact.name]
    there = False
    alone = ContestPlayer(stand_in, 0, agents.make("basic"))
    alone.reply(parse_message("reset 3 0 Gr Mu Ca Kn Ba Bi", EDITION))
    alone.reply(parse_message("suggest", EDITION))
    assert asked[2:] == ["combined"]


# --- Programs at our server -------------------------------------------------------------------------------------------


def old_program(
    name: str, wrap: Callable[[bytes], Sequence[bytes]], farewell: bool = True
) -> Callable[[int], list[bytes]]:
    """A program of 2014: it reads a chunk, takes it for one message, and writes one reply; `wrap` says in which pieces."""

    def run(port: int) -> list[bytes]:
        heard = []
        hand: list[str] = []
        turns = 0
        with socket.create_connection((HOST, port)) as server:
            for piece in wrap(f"{name} alive".encode()):
                server.sendall(piece)
            while chunk := server.recv(512):
                heard.append(chunk)
                words = chunk.decode().split(" ")
                if words[0] == "reset":
                    hand, turns = words[3:], 0
                    reply = "ok"
                elif words[0] == "suggest":
                    reply = "suggest " + " ".join(
                        (SUSPECTS[turns // 54 % 6], WEAPONS[turns // 9 % 6], ROOMS[turns % 9])
                    )
                    turns += 1
                elif words[0] == "disprove":
                    reply = "show " + next(card for card in words[2:] if card in hand)
                elif words[0] == "accuse":
                    last = heard[-2].decode().split(" ")
                    must = last[5] == "-" and not set(last[2:5]) & set(hand)
                    reply = "accuse " + " ".join(last[2:5]) if must else "-"
                elif words[0] == "done":
                    if not farewell:
                        break
                    reply = "dead"
                else:
                    assert words[0] in {"suggestion", "accusation"}, chunk
                    reply = "ok"
                for piece in wrap(reply.encode()):
                    server.sendall(piece)
                    time.sleep(0.001 * (len(wrap(reply.encode())) > 1))
        return heard

    return run


WRAPS: dict[str, Callable[[bytes], Sequence[bytes]]] = {
    "as it is": lambda said: [said],
    "with NULs": lambda said: [said + b"\0\0"],
    "as a line": lambda said: [said + b"\n"],
    "as a line of Windows": lambda said: [said + b"\r\n"],
    "in capitals": lambda said: [said.upper()],
    "in small letters": lambda said: [said.lower()],
    "in pieces": lambda said: [said[place : place + 2] for place in range(0, len(said), 2)],
    "with a line end that comes later": lambda said: [said, b"\n"],
}


@pytest.mark.parametrize("wrap", WRAPS.values(), ids=WRAPS)
@pytest.mark.parametrize("farewell", [True, False])
def test_our_server_speaks_with_programs_that_take_chunks_and_write_as_they_like(
    wrap: Callable[[bytes], Sequence[bytes]], farewell: bool
) -> None:
    heard: list[bytes] = []
    get_ready()
    with listen(HOST, 0) as door:
        port = door.getsockname()[1]
        program = old_program("Old", wrap, farewell)
        runs = [ours("a"), ours("b", "basic"), lambda port: heard.extend(program(port))]
        threads = [threading.Thread(target=run, args=(port,), daemon=True) for run in runs]
        for thread in threads:
            thread.start()
        gathering = Gathering(door, EDITION, 10.0)
        try:
            standing = play_tournament(gathering.gather(3, 60.0), 2)
        finally:
            gathering.close()
        for thread in threads:
            thread.join(10)
            assert not thread.is_alive()
    assert (standing.games, standing.faults) == (2, [])
    # One chunk is one message, and nothing but that.
    assert heard[-1] == b"done" and heard[0].startswith(b"reset 3 ") and len(heard) > 20
    assert not [chunk for chunk in heard if set(chunk) & set(b"\n\r\0")]


# --- Where messages end -----------------------------------------------------------------------------------------------

STREAM = [
    "reset 3 0 Gr Mu Ca Kn Ba Bi",
    "suggest",
    "suggestion 0 Pe Pi Co 1 Pi",
    "accuse",
    "suggestion 1 Pe Pi Di -",
    "disprove 2 Gr Ca Ba",
    "suggestion 2 Gr Ca Ba 0 Ca",
    "suggestion 1 Pe Pi Ha 2",
    "accusation 1 Pe Pi Di -",
    "accusation 2 Pl Ro St +",
    "reset 4 3 Gr Mu Ca Kn",
    "done",
]


def pieces_of(data: bytes, sizes: Sequence[int]) -> list[bytes]:
    pieces, place = [], 0
    for size in sizes:
        pieces.append(data[place : place + size])
        place += size
    return [piece for piece in (*pieces, data[place:]) if piece]


def send_all(connection: socket.socket, pieces: Sequence[bytes]) -> None:
    for piece in pieces:
        connection.sendall(piece)


@pytest.mark.parametrize("between", ["", "\n", "\r\n", "\0"])
@pytest.mark.parametrize("seed", range(4))
def test_messages_are_told_apart_however_they_come(between: str, seed: int) -> None:
    """All at once, and cut anywhere; a piece that ends where a message could is followed by the rest soon."""
    rng = random.Random(seed)
    data = "".join(message + between for message in STREAM).encode()
    data = data.upper() if seed % 2 else data
    sizes = [len(data)] if seed == 0 else [rng.choice((1, 2, 5, 40)) for _ in range(len(data))]
    with socket.create_server((HOST, 0)) as door:
        one = socket.create_connection(door.getsockname())
        endings = MessageEndings(EDITION)
        endings.seat = 0
        with Talk(door.accept()[0], endings) as talk, one:
            writer = threading.Thread(target=send_all, args=(one, pieces_of(data, sizes)))
            writer.start()
            got = [talk.receive(time.monotonic() + 30).decode() for _ in STREAM]
            writer.join()
    assert [said.lower() for said in got] == [message.lower() for message in STREAM]


@pytest.mark.parametrize(
    "pieces", [["reset 3 0 Gr Mu Ca", " Kn Ba B", "i"], ["suggestion 0 Pe Pi Co 1", " Pi"], ["disp", "rove 2 Gr Ca Ba"]]
)
def test_a_server_may_pause_within_a_message(pieces: list[str]) -> None:
    def write(line: socket.socket) -> None:
        for place, piece in enumerate(pieces):
            time.sleep(1.5 * PIECES * (place > 0))
            line.sendall(piece.encode())

    with socket.create_server((HOST, 0)) as door, connect(HOST, door.getsockname()[1]) as talk:
        assert isinstance(talk.endings, MessageEndings)
        talk.endings.seat = 0
        with door.accept()[0] as line:
            writer = threading.Thread(target=write, args=(line,))
            writer.start()
            assert talk.receive(time.monotonic() + 30).decode() == "".join(pieces)
            writer.join()


@pytest.mark.parametrize(
    ("text", "length", "sure"),
    [
        (b"suggest", 7, False),
        (b"suggest ", 7, True),
        (b"suggest me", 0, False),
        (b"suggesti", 0, False),
        (b"suggestion 1 Pe Pi Ha 2", 23, True),
        (b"suggestion 0 Pe Pi Ha 2", 0, False),
        (b"suggestion 0 Pe Pi Ha 2 Pe", 26, True),
        (b"SUGGESTreset 3", 7, True),
        (b"suggest 3", 0, False),
        (b"reset 3 0 Gr Mu Ca Kn Ba", 0, False),
        (b"reset 3 0 Gr Mu Ca Kn Ba Bi", 27, True),
        (b"reset 3 0 Gr Mu Ca Kn Ba Bi ", 27, True),
        (b"reset 3 0 Gr Mu Ca Kn Ba ", 0, False),
        (b"suggestion 0 Pe Pi Ha 2 ", 0, False),
        (b"done", 4, True),
        (b"hello", 0, False),
        (b"", 0, False),
        (b"DoneReset", 4, True),
        (b"accusesug", 6, False),
        (b"accuses", 6, False),
        (b"accused!", 0, False),
        (b"reset 3 0 Gr Mu Ca Kn Ba Bingo", 0, False),
    ],
)
def test_where_a_message_ends(text: bytes, length: int, sure: bool) -> None:
    endings = MessageEndings(EDITION)
    endings.seat = 0
    assert endings(text) == Ending(length, sure)
    endings.on_turn = True
    assert endings(text) == Ending(length, sure or text == b"suggest")
    endings.on_turn = False
    assert endings(text) == Ending(length, sure, goes_on=text == b"suggest")


def test_a_network_may_split_a_suggestion_of_another_where_a_message_could_end() -> None:
    """`suggest|ion` with a pause between: whose turn comes next is known, so the first piece is not taken for all.

    Who begins is not known in the first game.
    """

    def serve(door: socket.socket) -> None:
        with door.accept()[0] as line:
            line.settimeout(PATIENCE)
            heard.append(line.recv(512))
            for pieces in (
                ["reset 3 2 Gr Mu Ca Kn Ba Bi"],
                ["suggest", "ion 0 Pe Pi Co 1"],
                ["suggest", "ion 1 Pe Pi Di 0"],
                ["suggest"],
            ):
                for place, piece in enumerate(pieces):
                    time.sleep(0.5 * MUCH_MORE * (place > 0))
                    line.sendall(piece.encode())
                heard.append(line.recv(512))

    heard: list[bytes] = []
    get_ready()
    with socket.create_server((HOST, 0)) as door:
        server = threading.Thread(target=serve, args=(door,), daemon=True)
        server.start()
        player = ContestPlayer(Agents("speed_clue").make("combined"), remark=no_remark)
        with (
            connect(HOST, door.getsockname()[1]) as talk,
            pytest.raises(ContestError, match="the server hung up in game"),
        ):
            play_contest(talk, "p", player)
        server.join(20)
    assert heard[:4] == [b"p alive", b"ok", b"ok", b"ok"]
    assert re.fullmatch(b"suggest .. .. ..", heard[4])


def test_a_server_that_has_passed_over_somebody_is_not_waited_for_again() -> None:
    get_ready()
    player = ContestPlayer(Agents("speed_clue").make("combined"), remark=no_remark)
    known = []
    for text in ("reset 3 2 Gr Mu Ca Kn Ba Bi", "suggestion 0 Pe Pi Co 1", "suggest"):
        player.reply(parse_message(text, EDITION))
        known.append(player.on_turn)
    player.reply(parse_message("reset 3 2 Gr Mu Ca Kn Ba Bi", EDITION))
    player.reply(parse_message("suggestion 0 Pe Pi Co 1", EDITION))
    assert [*known, player.on_turn] == [False, False, None, None]


def test_a_game_is_expected_to_begin_with_a_seat_with_which_one_has_begun() -> None:
    get_ready()
    player = ContestPlayer(Agents("speed_clue").make("combined"), remark=no_remark)
    assert player.on_turn is None

    def expected(seat: int, beginner: int) -> bool | None:
        player.reply(parse_message(f"reset 3 {seat} Gr Mu Ca Kn Ba Bi", EDITION))
        found = player.on_turn
        first = "suggest" if seat == beginner else f"suggestion {beginner} Pe Pi Co -"
        player.reply(parse_message(first, EDITION))
        assert player.on_turn is False if seat == beginner else player.on_turn is not None
        return found

    games = [(0, 0), (1, 0), (0, 0), (2, 2), (2, 0), (1, 2)]
    assert [expected(seat, beginner) for seat, beginner in games] == [False, False, None, False, None, False]


def test_blanks_around_a_message_are_no_part_of_it() -> None:
    one, other = pair()
    with one, other:
        one._socket.sendall(b" ok  \n")
        assert other.receive(time.monotonic() + 30) == b"ok"
        assert other.drain() == b""


@pytest.mark.parametrize("said", ["okay", "okay\n", "oka\n", "ok.", "ok!\0"])
def test_a_reply_that_only_begins_right_is_one_wrong_reply(said: str) -> None:
    one, other = pair()
    with one, other:
        one._socket.sendall(said.encode())
        assert other.receive(time.monotonic() + 30).decode() == said.strip("\n\0")
        one._socket.sendall(b"ok")
        assert other.receive(time.monotonic() + 30) == b"ok"


@pytest.mark.parametrize(
    ("text", "length", "sure"),
    [
        (b"ok", 2, True),
        (b"oksuggest", 2, True),
        (b"okOK", 2, True),
        (b"oksugg", 2, False),
        (b"oka", 2, False),
        (b"okay", 0, False),
        (b"okaysuggest", 0, False),
        (b"ok  ", 2, True),
        (b"ok  then", 0, False),
        (b"o", 0, False),
        (b"-", 1, True),
        (b"--", 1, True),
        (b"-1", 0, False),
        (b"show gr", 7, True),
        (b"show Gr Pe", 0, False),
        (b"show Green", 0, False),
        (b"accuse Gr Ca", 0, False),
        (b"dead", 4, True),
        (b"deadly", 0, False),
    ],
)
def test_where_a_reply_ends(text: bytes, length: int, sure: bool) -> None:
    assert ReplyEndings(EDITION)(text) == Ending(length, sure)
    assert greeting_endings(b"my-Program ALIVE") == Ending(16, sure=True)
    assert greeting_endings(b"my-Program alive ") == Ending(16, sure=True)
    assert greeting_endings(b"my-Program al") == Ending(0, sure=False)
