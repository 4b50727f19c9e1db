"""A process without a network: what it can no longer do, what goes on, and what is said to an isolated player that tries."""

from __future__ import annotations

import contextlib
import json
import socket
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from cli.calling import call
from molehunt.arena import offline

needs_seccomp = pytest.mark.skipif(
    not offline.is_possible(), reason="only Linux on x86-64 and arm64 keeps a process from the network"
)

TRIES = """
import asyncio
import ctypes
import json
import os
import socket
import subprocess
import sys
import tempfile
import threading

from molehunt.arena import offline

place = tempfile.mkdtemp() + "/line"
libc = ctypes.CDLL(None, use_errno=True)
server = socket.create_server(("127.0.0.1", 0))
beside = socket.socket(socket.AF_UNIX)
beside.bind(place)
beside.listen()


def call(number, *arguments):
    if libc.syscall(number, *arguments) < 0:
        raise OSError(ctypes.get_errno(), "refused")


calls = offline.ON[os.uname().machine].refused
queue = 0x6D6F6C65 + os.getpid()  # of which there is none, and none is made, as it would stay
TRIES = {
    "tcp": lambda: socket.create_connection(server.getsockname()).close(),
    "udp": lambda: socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b"", server.getsockname()),
    "ip6": lambda: socket.socket(socket.AF_INET6, socket.SOCK_STREAM).close(),
    "netlink": lambda: socket.socket(socket.AF_NETLINK, socket.SOCK_RAW).close(),
    "connect": lambda: socket.socket(socket.AF_UNIX).connect(place),
    "bind": lambda: socket.socket(socket.AF_UNIX).bind(f"{place}-{threading.get_ident()}-{os.getpid()}"),
    "shmget": lambda: call(calls["shmget"], queue, ctypes.c_size_t(4096), 0),
    "semget": lambda: call(calls["semget"], queue, 1, 0),
    "msgget": lambda: call(calls["msgget"], queue, 0),
    "add_key": lambda: call(calls["add_key"], b"user", b"molehunt", b"word", ctypes.c_size_t(4), -2),
    "pair": lambda: socket.socketpair()[0].close(),
    "pipe": os.pipe,
    "loop": lambda: asyncio.run(asyncio.sleep(0)),
    "program": lambda: subprocess.run(["true"], check=True),
}


def tried():
    found = {}
    for name, do in TRIES.items():
        try:
            do()
            found[name] = "done"
        except OSError as error:
            found[name] = "refused" if offline.comes_of_it(error) else error.errno
    return found


def tried_in_another():
    near, far = socket.socketpair()
    if not os.fork():
        far.sendall(json.dumps(tried()).encode())
        os._exit(0)
    far.close()
    return json.loads(b"".join(iter(lambda: near.recv(1 << 12), b"")))


def tried_in_a_thread(begun):
    found = []
    go = threading.Event()
    thread = threading.Thread(target=lambda: (go.wait(), found.append(tried())))
    if begun:
        thread.start()
    return lambda: (begun or thread.start(), go.set(), thread.join(), found[0])[-1]


before = tried_in_a_thread(True)
free = tried()
offline.go_offline()
print(json.dumps([free, tried(), before(), tried_in_a_thread(False)(), tried_in_another()]))
"""
GOES_ON = {"pair", "pipe", "loop", "program"}


@needs_seccomp
def test_a_process_without_a_network_reaches_nobody_nor_do_its_threads_and_children() -> None:
    done = subprocess.run([sys.executable, "-c", TRIES], capture_output=True, text=True, check=True)
    free, *offline_ones = json.loads(done.stdout)
    assert {free[name] for name in ("tcp", "udp", "connect", "bind", *GOES_ON)} == {"done"}
    assert len(offline_ones) == 4
    for tried in offline_ones:
        assert tried == {name: "done" if name in GOES_ON else "refused" for name in free}


def test_every_kind_of_processor_refuses_the_same_calls_by_numbers_of_its_own() -> None:
    one, other = offline.ON.values()
    assert one.refused.keys() == other.refused.keys() >= {"connect", "bind", "io_uring_setup"}
    for calls in (one, other):
        numbers = [calls.seccomp, calls.socket, *calls.refused.values()]
        assert len({*numbers}) == len(numbers) and max(numbers) < offline.OTHER_NUMBERS


@pytest.mark.parametrize("machine", offline.ON)
def test_the_filter_refuses_what_it_should_and_nothing_else(machine: str) -> None:
    """The instructions are followed here, so that those for other processors are tried, too."""
    calls = offline.ON[machine]
    code = [*map(tuple, map(_unpacked, offline._filter(calls)))]

    def answer(kind: int, number: int, first: int) -> int:
        given = {offline.PROCESSOR: kind, offline.NUMBER: number, offline.FIRST_ARGUMENT: first}
        at, held = 0, 0
        while True:
            what, same, other, value = code[at]
            at += 1
            if what == offline.LOAD:
                held = given[value]
            elif what == offline.RETURN:
                return value
            else:
                at += same if (held == value if what == offline.IF_EQUAL else held >= value) else other

    assert all(answer(calls.kind, number, 1) == offline.REFUSE for number in calls.refused.values())
    assert answer(calls.kind, calls.socket, 1) == offline.ALLOW
    assert all(answer(calls.kind, calls.socket, family) == offline.REFUSE for family in (0, 2, 10, 16, 40))
    free = {*range(500)} - {*calls.refused.values(), calls.socket}
    assert all(answer(calls.kind, number, 2) == offline.ALLOW for number in free)
    assert answer(calls.kind, offline.OTHER_NUMBERS, 1) == answer(calls.kind + 1, 0, 1) == offline.REFUSE


def _unpacked(instruction: bytes) -> tuple[int, int, int, int]:
    what, same, other, value = offline.INSTRUCTION.unpack(instruction)
    return what, same, other, value


@needs_seccomp
@pytest.mark.parametrize(
    "doing",
    [
        'socket.create_connection(("127.0.0.1", 9))',
        'socket.getaddrinfo("molehunt.invalid", 80)',
        'urllib.request.urlopen("http://127.0.0.1:9/")',
    ],
)
def test_an_isolated_player_that_reaches_for_the_network_is_told_that_it_has_none(tmp_path: Path, doing: str) -> None:
    path = tmp_path / "caller.py"
    path.write_text(
        "import socket\nimport urllib.request\nimport molehunt\n"
        f"class Caller(molehunt.Player):\n    def choose(self, view):\n        {doing}\n"
    )
    made = call(*f"arena duel/mcgill --agents-from {path} --seats caller,random --games 1 --isolate".split())
    assert made.status == 1
    said = " ".join((made.out + made.err).split())
    assert "an isolated player has no network: to let it reach a server, say --isolate-network" in said


@pytest.mark.parametrize("error", ["socket.gaierror(-3, 'unknown')", "PermissionError(13, 'a port of the system')"])
def test_who_has_the_network_is_not_told_that_there_is_none(tmp_path: Path, error: str) -> None:
    path = tmp_path / "caller.py"
    path.write_text(
        f"import socket\nimport molehunt\nclass Caller(molehunt.Player):\n    def choose(self, view):\n        raise {error}\n"
    )
    words = f"arena duel/mcgill --agents-from {path} --seats caller,random --games 1 --isolate --isolate-network"
    made = call(*words.split())
    said = " ".join((made.out + made.err).split())
    assert made.status == 1 and "caller failed in choose" in said and "has no network" not in said


ASKING = """
import socket
from pathlib import Path

import molehunt


class Asking(molehunt.Player):
    def choose(self, view):
        port = int((Path(__file__).parent / "port").read_text())
        with socket.create_connection(("127.0.0.1", port)) as server:
            return view.legal_actions[server.recv(1)[0] % len(view.legal_actions)]
"""


@pytest.mark.parametrize("by", ["arena", "tournament"])
def test_a_player_that_asks_a_server_can_be_isolated_where_that_is_allowed(tmp_path: Path, by: str) -> None:
    (tmp_path / "asking.py").write_text(ASKING)
    (tmp_path / "asked.toml").write_text(
        'game = "duel/mcgill"\nplayers = ["asking", "random"]\nagents_from = ["asking.py"]\n'
        "deals = 1\nisolate = true\nisolate_network = true\n"
    )
    with socket.create_server(("127.0.0.1", 0)) as server:
        (tmp_path / "port").write_text(str(server.getsockname()[1]))
        answers = threading.Thread(target=answer_all, args=(server,), daemon=True)
        answers.start()
        seated = f"arena duel/mcgill --agents-from {tmp_path}/asking.py --seats asking,random --games 1 --isolate"
        asked = f"{seated} --isolate-network" if by == "arena" else f"tournament {tmp_path}/asked.toml"
        made = call(*asked.split())
        server.shutdown(socket.SHUT_RDWR)
    answers.join()
    assert made.status == 0, made.err


def answer_all(server: socket.socket) -> None:
    """Answer each that asks with a number, until the server is shut."""
    with contextlib.suppress(OSError):
        while True:
            asking, _ = server.accept()
            with asking:
                asking.sendall(b"\x07")


@needs_seccomp
def test_a_game_that_a_player_with_a_network_has_lost_is_played_again_with_it(tmp_path: Path) -> None:
    (tmp_path / "asking.py").write_text(ASKING)
    (tmp_path / "port").write_text("no number")
    words = f"arena duel/mcgill --agents-from {tmp_path}/asking.py --seats asking,random --games 1 --isolate"
    made = call(*words.split(), "--isolate-network")
    assert made.status == 1 and "--isolate --isolate-network" in " ".join((made.out + made.err).split())
