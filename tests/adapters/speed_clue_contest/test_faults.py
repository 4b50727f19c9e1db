"""Programs that misbehave: each is named with its reason, loses that game alone, and the tournament goes on."""

from __future__ import annotations

import contextlib
import random
import re
import select
import socket
import time
from collections.abc import Callable

import pytest

from adapters.speed_clue_contest.contest_room import (
    EDITION,
    HOST,
    Chatterer,
    Leave,
    any_message,
    hold,
    ours,
    pair,
    scripted,
)
from molehunt.adapters.speed_clue_contest import gathering as room
from molehunt.adapters.speed_clue_contest.client import ContestPlayer, connect, play_contest
from molehunt.adapters.speed_clue_contest.gathering import Gathering
from molehunt.adapters.speed_clue_contest.programs import end_process, listen, start_program
from molehunt.adapters.speed_clue_contest.protocol import (
    Accuse,
    Disprove,
    Done,
    Message,
    Ok,
    OwnSuggestion,
    Reset,
    Suggest,
    parse_message,
)
from molehunt.adapters.speed_clue_contest.talk import ContestError, Late, Talk, TooLong
from molehunt.agents.registry import Agents
from molehunt.core.errors import AgentFailure
from molehunt.games.speed_clue.suggestions import Accusation, HeardSuggestion

pytestmark = pytest.mark.usefixtures("messages_in_one_piece")

GAMES = 7
Change = Callable[[int, Message, str], str | None]


def once(game: int, kind: type[Message], what: Callable[[str], str | None], place: int = 1) -> Change:
    """In one game, at the `place`-th message of a kind, say something else."""
    seen = 0

    def change(now: int, message: Message, reply: str) -> str | None:
        nonlocal seen
        seen += now == game and isinstance(message, kind)
        return what(reply) if now == game and isinstance(message, kind) and seen == place else reply

    return change


def leave(_: str) -> str | None:
    raise Leave


def late(reply: str) -> str:
    time.sleep(1.5)
    return reply


def against_two(change: Change, games: int = GAMES, seconds: float = 20.0) -> tuple[list[tuple[int, str, str]], str]:
    """(game, player, kind) of every fault of a program beside two of ours, and the reason of the first."""
    standing, raised = hold([ours("a"), scripted("bad", change), ours("c", "basic")], games, seconds)
    assert (raised, standing.games, sum(standing.wins)) == ([], games, games)
    assert standing.failed == [0, len({fault.game for fault in standing.faults if fault.game}), 0]
    return [(fault.game, fault.player, fault.kind) for fault in standing.faults], standing.faults[0].reason


def repeat_the_first() -> Change:
    """Suggests the same cards in every turn."""
    first: dict[int, str] = {}

    def change(game: int, message: Message, reply: str) -> str:
        return first.setdefault(game, reply) if isinstance(message, Suggest) and game == 2 else reply

    return change


def show_what_it_does_not_hold() -> Change:
    cards: tuple[int, ...] = ()

    def change(game: int, message: Message, reply: str) -> str:
        nonlocal cards
        if isinstance(message, Reset):
            cards = message.cards
        if isinstance(message, Disprove):
            return "show " + next(EDITION.codes[card] for card in range(21) if card not in cards)
        return reply

    return change


def accuse_with_its_own_card() -> Change:
    cards: tuple[int, ...] = ()

    def change(game: int, message: Message, reply: str) -> str:
        nonlocal cards
        if isinstance(message, Reset):
            cards = message.cards
        if isinstance(message, Accuse) and game == 2:
            places = [next((card for card in cards if card in EDITION.cards(kind)), -1) for kind in range(3)]
            return "accuse " + " ".join(
                EDITION.codes[card if card >= 0 else EDITION.first(kind)] for kind, card in enumerate(places)
            )
        return reply

    return change


def never_accuse(game: int, message: Message, reply: str) -> str:
    return "-" if isinstance(message, Accuse) else reply


ONE_GAME_LOST: dict[str, tuple[Change, str, str]] = {
    "nonsense to suggest": (once(2, Suggest, lambda _: "hello"), "nonsense", "answered 'suggest' with nonsense: 'hello'"),
    "a card out of place": (once(2, Suggest, lambda _: "suggest Ro Gr Ba"), "nonsense", "no suspect has the code 'Ro'"),
    "another reply": (once(2, Suggest, lambda _: "ok"), "nonsense", "with 'ok'; right is: suggest SUSPECT WEAPON ROOM"),
    "no ok to reset": (once(2, Reset, lambda _: "yes"), "nonsense", "answered 'reset 3 "),
    "okay for ok": (once(2, Reset, lambda _: "okay"), "nonsense", "'okay' is no reply; did you mean 'ok'?"),
    "no ok to suggestion": (once(2, HeardSuggestion, lambda _: "-"), "nonsense", "with '-'; right is: ok"),
    "nonsense to accuse": (once(2, Accuse, lambda _: "no"), "nonsense", "answered 'accuse' with nonsense"),
    "two lines for one": (once(2, Suggest, lambda reply: f"{reply}\nok"), "nonsense", "said b'ok' without having been"),
    "a repeated suggestion": (repeat_the_first(), "illegal", "nobody repeats a suggestion of their own"),
    "an accusation of own cards": (accuse_with_its_own_card(), "illegal", "accuses with a card that they hold"),
}  # fmt: skip


@pytest.mark.parametrize(("change", "kind", "words"), ONE_GAME_LOST.values(), ids=ONE_GAME_LOST)
def test_who_says_what_is_wrong_loses_that_game_only(change: Change, kind: str, words: str) -> None:
    faults, reason = against_two(change)
    assert faults == [(2, "bad", kind)]
    assert words in reason


def test_a_card_that_is_not_held_cannot_be_shown() -> None:
    faults, reason = against_two(show_what_it_does_not_hold())
    assert faults and {fault[1:] for fault in faults} == {("bad", "illegal")}
    assert "the card shown must be in the hand" in reason


def test_what_nobody_disproves_must_be_accused() -> None:
    standing, raised = hold([ours("a", Chatterer()), scripted("bad", never_accuse), ours("c", Chatterer())], 1)
    assert (raised, standing.failed, standing.wins, standing.outcomes) == ([], [0, 1, 0], [0, 0, 0], [0, 0, 1])
    assert [(fault.player, fault.kind) for fault in standing.faults] == [("bad", "illegal")]
    assert standing.faults[0].reason.startswith("end: ") and "must accuse with it" in standing.faults[0].reason


def test_a_late_answer_loses_that_game_only_and_is_not_taken_for_the_next_one() -> None:
    faults, reason = against_two(once(2, Suggest, late), seconds=1.0)
    # It is still asleep when the next game begins, or just awake.
    assert faults[0] == (2, "bad", "late") and len(faults) <= 3
    assert {fault[1:] for fault in faults} == {("bad", "late")}
    assert reason == "did not answer 'suggest' within 1 s"


def test_who_never_answers_is_late_in_every_game() -> None:
    faults, _ = against_two(lambda game, message, reply: reply if isinstance(message, Reset | Done) else None, 3, 0.7)
    assert [fault for fault in faults if fault[0]] == [(game, "bad", "late") for game in (1, 2, 3)]


def test_who_answers_nothing_at_all_is_told_what_is_mostly_the_matter() -> None:
    faults, reason = against_two(lambda *_: None, 1, 0.7)
    assert faults[0] == (1, "bad", "late")
    assert reason.endswith("within 0.7 s; messages have no line end, so a program must not read lines")


def test_a_program_that_dies_in_mid_game_loses_it_and_all_that_follow() -> None:
    standing, raised = hold([ours("a"), scripted("bad", once(3, Suggest, leave, 2)), ours("c")], GAMES)
    assert raised == []
    assert [(fault.game, fault.player, fault.kind, fault.reason) for fault in standing.faults] == [
        (3, "bad", "hung up", "hung up")
    ]
    assert (standing.games, standing.failed) == (GAMES, [0, GAMES - 2, 0])
    assert sum(standing.wins) == GAMES and standing.outcomes[2] == 0
    assert standing.wins[0] + standing.wins[2] >= GAMES - 2


def test_the_server_shows_the_cards_of_a_dead_program_truthfully() -> None:
    hands: dict[int, dict[int, set[int]]] = {}
    told: dict[tuple[int, int], list[HeardSuggestion]] = {}

    def watch(seat: int, dies: bool) -> Change:
        def change(game: int, message: Message, reply: str) -> str:
            if isinstance(message, Reset):
                hands.setdefault(game, {})[message.seat] = set(message.cards)
            if dies and isinstance(message, Suggest):
                raise Leave
            if isinstance(message, HeardSuggestion):
                told.setdefault((game, seat), []).append(message)
            return reply

        return change

    programs = [scripted(name, watch(seat, dies=name == "b"), "basic") for seat, name in enumerate("abc")]
    standing, raised = hold(programs, 1)
    assert raised == [] and [(fault.game, fault.player) for fault in standing.faults] == [(1, "b")]
    shown_for_it = 0
    for seat in (0, 2):
        for message in told[1, seat]:
            others = [(message.by + step) % 3 for step in (1, 2)]
            held = [other for other in others if hands[1][other] & set(message.cards)]
            assert message.disprover == (held[0] if held else None)
            if message.by == seat and message.disprover == 1:
                assert message.card in hands[1][1]
                shown_for_it += 1
        assert all(message.by != 1 for message in told[1, seat])
    assert shown_for_it >= 3


def test_a_wrong_accusation_against_the_rules_is_told_to_all() -> None:
    heard: list[tuple[int, int]] = []

    def listen_in(game: int, message: Message, reply: str) -> str:
        if isinstance(message, Accusation) and not message.right:
            heard.append((game, message.by))
        return reply

    standing, _ = hold([scripted("a", listen_in), scripted("bad", accuse_with_its_own_card()), ours("c")], 2)
    assert [(fault.game, fault.kind) for fault in standing.faults] == [(2, "illegal")]
    assert heard == [(2, 0)]  # in the second game `bad` sits first


def test_where_all_die_nobody_wins_and_the_tournament_ends() -> None:
    programs = [scripted(name, once(2, Reset, leave)) for name in "abc"]
    standing, raised = hold(programs, 4)
    assert (raised, standing.games, standing.failed, standing.outcomes[2]) == ([], 4, [3, 3, 3], 3)
    assert sorted(fault.player for fault in standing.faults) == ["a", "b", "c"]


def test_who_is_left_alone_wins() -> None:
    standing, _ = hold(
        [ours("a"), scripted("b", once(1, Reset, leave)), scripted("c", once(1, HeardSuggestion, leave))], 3
    )
    assert (standing.wins[0], standing.failed) == (3, [0, 3, 3])


def test_a_line_without_end_is_not_waited_for() -> None:
    bad = scripted("bad", once(2, Suggest, lambda _: "x" * 5000))
    standing, raised = hold([ours("a"), bad, ours("c")], 4)
    assert (raised, standing.failed) == ([], [0, 3, 0])
    assert [(fault.game, fault.kind) for fault in standing.faults] == [(2, "nonsense")]
    assert standing.faults[0].reason.endswith("bytes that are no message; one has 400 at most")
    one, other = pair()
    with one, other:
        one._socket.sendall(b"x" * 5000)
        with pytest.raises(TooLong, match="that are no message"):
            other.receive()


def test_what_came_in_time_is_read_after_the_time_too() -> None:
    one, other = pair()
    with one, other:
        one.send("ok")
        time.sleep(0.05)
        assert other.receive(time.monotonic() - 1) == b"ok"
        with pytest.raises(Late):
            other.receive(time.monotonic() - 1)


def test_random_bytes_make_named_faults_only() -> None:
    rng = random.Random(9)

    def noise(port: int) -> None:
        with connect(HOST, port) as lines, contextlib.suppress(ContestError, OSError):
            lines.send("noise alive")
            while True:
                lines.receive()
                lines._socket.sendall(rng.randbytes(rng.choice((1, 3, 40))) + b"\n" * rng.choice((0, 1, 1, 2)))

    standing, raised = hold([ours("a"), noise, ours("z")], 6, seconds=0.7)
    assert (raised, standing.games, standing.failed, sum(standing.wins)) == ([], 6, [0, 6, 0], 6)
    assert {fault.player for fault in standing.faults} == {"noise"}
    assert {fault.kind for fault in standing.faults} <= {"nonsense", "late", "hung up"}
    assert len({fault.game for fault in standing.faults if fault.game}) == 6


# --- Coming together ----------------------------------------------------------------------------------------------------


def test_no_server_and_a_port_in_use_are_said_in_words() -> None:
    with listen(HOST, 0) as door:
        port = door.getsockname()[1]
        with pytest.raises(
            ContestError, match=f"cannot listen at '{HOST}', port {port}: Address already in use; port 0"
        ):
            listen(HOST, port)
    with pytest.raises(
        ContestError, match=f"cannot reach a server at '{HOST}', port {port}: Connection refused; is it"
    ):
        connect(HOST, port)


def test_a_client_may_wait_for_a_server_that_is_not_there_yet(monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.socket() as door:
        door.bind((HOST, 0))  # nobody listens yet
        monkeypatch.setattr(time, "sleep", lambda seconds: door.listen())
        connect(HOST, door.getsockname()[1], 60.0).close()


@pytest.mark.parametrize(
    ("host", "family"),
    [("::1", socket.AF_INET6), (HOST, socket.AF_INET), ("localhost", socket.AF_INET)],
)
def test_a_door_is_of_the_kind_of_its_address(
    host: str, family: socket.AddressFamily, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[object] = []
    monkeypatch.setattr(socket, "create_server", lambda place, family: opened.append((place, family)))
    listen(host, 0)
    assert opened == [((host, 0), family)]


def has_newer_addresses() -> bool:
    """Whether this machine lets a program listen at ::1, which a container often does not."""
    try:
        socket.create_server(("::1", 0), family=socket.AF_INET6).close()
    except OSError:
        return False
    return True


@pytest.mark.skipif(not has_newer_addresses(), reason="this machine has no addresses of the newer kind")
def test_programs_come_also_to_an_address_of_the_newer_kind() -> None:
    with listen("::1", 0) as door, connect("::1", door.getsockname()[1]) as caller:
        caller.send("z alive")
        gathering = Gathering(door, EDITION, 0.2)
        assert [program.identifier for program in gathering.gather(1, 5.0)] == ["z"]
        gathering.close()


def test_who_does_not_greet_or_takes_a_name_twice_is_let_go() -> None:
    remarks: list[str] = []
    with listen(HOST, 0) as door:
        port = door.getsockname()[1]
        callers = [connect(HOST, port) for _ in range(6)]
        for caller, line in zip(
            callers, ("z alive", "z alive", "ok", "my name alive", "b alive", "a alive"), strict=True
        ):
            caller.send(line)
        silent = connect(HOST, port)
        gathering = Gathering(door, EDITION, 0.2, remark=remarks.append)
        programs = gathering.gather(3, 5.0)
        assert [program.identifier for program in programs] == ["a", "b", "z"]
        gathering.close()
        for caller in (*callers, silent):
            caller.close()
    assert sorted(remark.split(";")[0] for remark in remarks)[:2] == [
        "a caller does not greet: a program cannot be called 'my name'",
        "a caller says 'ok'",
    ]
    assert any("a second program calls itself 'z'" in remark for remark in remarks)


def test_nobody_waits_for_callers_that_say_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Who looks for open ports, or watches whether a server is there, may call often and stay; programs come all the same."""
    monkeypatch.setattr(room, "MOST_CALLERS", 3)
    remarks: list[str] = []
    waited: list[bool] = []
    received = Talk.receive

    def receive(talk: Talk, deadline: float | None = None) -> bytes:
        if not select.select([talk], [], [], 0)[0]:
            waited.append(deadline is None or deadline > time.monotonic())
        return received(talk, deadline)

    monkeypatch.setattr(Talk, "receive", receive)
    with listen(HOST, 0) as door, contextlib.ExitStack() as calls:
        port = door.getsockname()[1]
        for _ in range(7):
            calls.enter_context(connect(HOST, port))
        calls.enter_context(connect(HOST, port)).send("z alive")
        gathering = Gathering(door, EDITION, 0.1, remark=remarks.append)
        while len(remarks) < 7:
            gathering._look(1)
            assert len(gathering._callers) <= 3
        assert [program.identifier for program in gathering.gather(1, 60.0)] == ["z"]
        gathering.close()
    assert all(remark.startswith("a caller did not answer in time") for remark in remarks)
    assert waited == [False] * 7


def test_waiting_ends_and_a_program_that_ends_first_is_named() -> None:
    with listen(HOST, 0) as door:
        with pytest.raises(ContestError, match=r"3 programs were to come within 0.1 s; 0 did \(none\), and 2 must"):
            Gathering(door, EDITION, 1.0).gather(3, 0.1)
        started = start_program("sh -c 'exit 3' {id}", "player1", 1)
        with pytest.raises(ContestError, match=r"player1: .* ended with status 3 before it greeted as 'player1'"):
            Gathering(door, EDITION, 1.0, [started]).gather(3, 2.5)


def test_people_whose_programs_do_not_come_are_absent_and_the_others_play() -> None:
    remarks: list[str] = []
    with listen(HOST, 0) as door, contextlib.ExitStack() as calls:
        for name in ("ann", "absent1"):
            calls.enter_context(connect(HOST, door.getsockname()[1])).send(f"{name} alive")
        gathering = Gathering(door, EDITION, 1.0, remark=remarks.append)
        programs = gathering.gather(4, 1.0)
        gathering.close()
    why = "4 programs were to come within 1 s; 2 did (absent1, ann)"
    assert [program.identifier for program in programs] == ["absent1", "absent2", "absent3", "ann"]
    assert [program.absent for program in programs] == ["", why, why, ""]
    told = "in the standing absent2 and absent3 stand for those that did not come and lose every game"
    assert remarks == [f"{why}; {told}"]


def test_who_came_by_a_name_of_its_own_is_not_absent_as_well() -> None:
    """Which process has called nobody knows; a program that was started, greeted otherwise and ended has had its seat."""
    with listen(HOST, 0) as door, contextlib.ExitStack() as calls:
        for name in ("mine", "player2"):
            calls.enter_context(connect(HOST, door.getsockname()[1])).send(f"{name} alive")
        started = [start_program("true", f"player{number}", 1) for number in (1, 2, 3)]
        gathering = Gathering(door, EDITION, 1.0, started)
        programs = gathering.gather(3, 60.0)
        gathering.close()
    assert [program.identifier for program in programs if not program.absent] == ["mine", "player2"]
    assert [program.identifier for program in programs if program.absent] == ["player3"]


def test_it_is_said_who_is_waited_for_and_how_long(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(room, "PATIENCE", 0.0)
    remarks: list[str] = []
    with listen(HOST, 0) as door, connect(HOST, door.getsockname()[1]) as caller:
        caller.send("ann alive")
        started = [start_program("sh -c 'exec sleep 600'", "player1", 1)]
        gathering = Gathering(door, EDITION, 1.0, started, remarks.append)
        with pytest.raises(ContestError, match="4 programs were to come within 2 s"):
            gathering.gather(4, 2.0)
        gathering.close()
        assert started[0].process is not None
        end_process(started[0].process, 0.0)
    # Whether Ann has come by then or not.
    assert re.fullmatch(
        r"waiting for player1 .* and [23] programs that are started elsewhere, 2 s more at most", remarks[0]
    )


# --- The client at a server that misbehaves -----------------------------------------------------------------------------

RESET = "reset 3 0 Gr Ca Ba Mu Ro Ha"


@pytest.mark.parametrize(
    ("lines", "words"),
    [
        (["hello"], "in game 0, the server breaks the protocol: 'hello' is no message"),
        (["suggest"], "in game 0, the server breaks the protocol: 'suggest' comes before any game has begun"),
        (["reset 3 0 Gr Ca"], "place 0 of 3 is dealt 6 cards, not 2"),
        ([RESET, "accuse"], "in game 1, the server breaks the protocol: it asks for what this seat cannot do now"),
        ([RESET, "disprove 1 Pe Kn Bi"], "in game 1, the server breaks the protocol: it asks for what this seat cannot do now"),
        ([RESET, "suggestion 4 Pe Kn Bi -"], "there is no player 4 among 3"),
        ([RESET, "suggestion 0 Pe Kn Bi 4"], "there is no player 4 among 3"),
        ([RESET, "suggestion 0 Pe Kn Bi 1"], "are told which card was shown"),
        ([RESET, "accusation 1 Pe Kn Bi -"], "player 1 accuses without having suggested"),
        ([RESET, "suggestion 1 Gr Ca Bi 0 Gr", "accusation 1 Pe Kn Bi +", "suggest"], "game that is over"),
        ([RESET, "disprove 1 Gr Ca Bi", "suggestion 1 Gr Ca Bi -"], "was disproved by nobody"),
        ([RESET, "disprove 1 Gr Ca Bi", "suggestion 1 Gr Ca Bi 2"], "player 2 shows a card that somebody else was asked"),
    ],
)  # fmt: skip
def test_a_server_that_breaks_the_protocol_is_told_of_in_words(lines: list[str], words: str) -> None:
    server, client = pair()
    with server, client:
        for line in lines:
            server.send(line)
        server._socket.shutdown(1)
        with pytest.raises(ContestError) as error:
            play_contest(client, "me", ContestPlayer(Agents("speed_clue").make("basic")))
    assert words in str(error.value)


def test_messages_out_of_all_order_are_refused_in_words() -> None:
    rng = random.Random(4)
    replied = refused = 0
    for number in range(60):
        player = ContestPlayer(Agents("speed_clue").make(("basic", "combined", "random")[number % 3]))
        player.reply(parse_message(RESET, EDITION))
        for _ in range(30):
            message = any_message(rng)
            try:
                if not isinstance(message, Reset) or len(message.cards) > 2:
                    player.reply(message)
                    replied += 1
            except (ContestError, AgentFailure) as error:
                refused += len(str(error)) > 0
    assert replied > 100 and refused > 500


def test_who_was_passed_over_once_may_come_back_and_who_accused_wrongly_may_not() -> None:
    player = ContestPlayer(Agents("speed_clue").make("basic"))

    def say(*lines: str) -> None:
        for line in lines:
            assert player.reply(parse_message(line, EDITION)) == Ok()

    def suggest() -> None:
        asked = player.reply(Suggest())
        assert isinstance(asked, OwnSuggestion)
        first, second, third = (EDITION.codes[card] for card in asked.cards)
        say(f"suggestion 0 {first} {second} {third} 1 {first}")

    say(RESET, "suggestion 1 Pe Kn Bi 2")
    suggest()  # player 2 was passed over
    say("suggestion 1 Pe Kn Co 2", "suggestion 2 Sc Wr Co 1")
    suggest()
    say("suggestion 1 Sc Wr Di 2", "accusation 1 Sc Wr Di -", "suggestion 2 Sc Wr Li 1")
    with pytest.raises(ContestError, match="player 1 is on turn, but is out of the game"):
        say("suggestion 1 Sc Wr Lo 2")


def test_a_server_that_hangs_up_before_the_greeting_is_told_of_in_words() -> None:
    server, client = pair()
    with client, server:
        client._socket.shutdown(socket.SHUT_WR)  # as where the other side has gone for good
        with pytest.raises(ContestError, match="the server hung up before it heard 'me alive'"):
            play_contest(client, "me", ContestPlayer(Agents("speed_clue").make("basic")))


def test_a_server_that_hangs_up_is_told_of_in_words() -> None:
    server, client = pair()
    with client:
        server.send(RESET)
        server._socket.shutdown(1)
        with pytest.raises(ContestError, match="the server hung up in game 1, before it was done"):
            play_contest(client, "me", ContestPlayer(Agents("speed_clue").make("basic")))
        server.close()
