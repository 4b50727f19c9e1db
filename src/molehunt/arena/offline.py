"""A process without a network: it gives up for good, for itself and all that it starts, what reaches other processes.

It can open no connection, wait for none, and share no memory, queues or keys of the system with others; what it holds already,
as the line to whoever has started it, stays. The system is asked to refuse the calls (seccomp; `man 2 seccomp`, Linux 4.14 and
later on x86-64 and arm64), which needs no rights of an administrator. Elsewhere nothing is refused; `is_possible` says whether it
is.

`arena.confinement` keeps a process from files; what lies there as a socket it does not.
"""

from __future__ import annotations

import ctypes
import errno
import platform
import socket
import struct
import sys
import threading
from collections.abc import Iterator, Mapping
from functools import cache
from types import MappingProxyType
from typing import NamedTuple

from molehunt.arena.system_calls import call, gain_no_privileges, libc

SET_FILTER, IS_ACTION_THERE = 1, 2
ALL_THREADS, AS_FAST = 1, 4
"""From linux/seccomp.h. Before Linux 5.16 a process with a filter computes more slowly, if not set AS_FAST (4.17 and later)."""
REFUSE, ALLOW = 0x00050000 | errno.EACCES, 0x7FFF0000
"""A call fails as one that is not permitted, or goes on."""
OTHER_NUMBERS = 0x40000000
"""From here on x86-64 has the same calls once more, with short addresses."""

LOAD, IF_EQUAL, IF_AT_LEAST, RETURN = 0x20, 0x15, 0x35, 0x06
"""Instructions of the filter, from linux/filter.h."""
INSTRUCTION = struct.Struct("=HBBI")
"""What it does, how many of the next are passed over where a comparison holds, and where it does not, and a number."""
NUMBER, PROCESSOR, FIRST_ARGUMENT = 0, 4, 16
"""Where they lie in what the filter is given (struct seccomp_data), in bytes."""


class Calls(NamedTuple):
    """The numbers of system calls on a kind of processor, from its unistd.h, and what the filter calls the kind (linux/audit.h)."""

    kind: int
    seccomp: int
    socket: int
    refused: Mapping[str, int]


ON: Mapping[str, Calls] = MappingProxyType(
    {
        "x86_64": Calls(
            0xC000003E,
            317,
            41,
            {
                "connect": 42,
                "bind": 49,
                "shmget": 29,
                "semget": 64,
                "msgget": 68,
                "mq_open": 240,
                "add_key": 248,
                "request_key": 249,
                "keyctl": 250,
                "io_uring_setup": 425,
            },
        ),
        "aarch64": Calls(
            0xC00000B7,
            277,
            198,
            {
                "connect": 203,
                "bind": 200,
                "shmget": 194,
                "semget": 190,
                "msgget": 186,
                "mq_open": 180,
                "add_key": 217,
                "request_key": 218,
                "keyctl": 219,
                "io_uring_setup": 425,
            },
        ),
    }
)


_gone = threading.Event()
"""Set where this process, or one of which it comes, has gone offline."""


@cache
def is_possible() -> bool:
    """Whether the system can keep a process from the network and from what processes share."""
    calls = _calls()
    if calls is None:
        return False
    action = ctypes.c_uint32(REFUSE & 0xFFFF0000)
    return int(libc().syscall(calls.seccomp, IS_ACTION_THERE, 0, ctypes.byref(action))) == 0


def go_offline() -> None:
    """From now on this process and those it starts reach no other by what is not in their hands already.

    Nothing happens where it is not `is_possible`. OSError where the system refuses.
    """
    calls = _calls()
    if calls is None or not is_possible():
        return
    content = b"".join(_filter(calls))
    instructions = ctypes.create_string_buffer(content, len(content))
    program = struct.pack("@HP", len(content) // INSTRUCTION.size, ctypes.addressof(instructions))
    gain_no_privileges()
    try:
        call(calls.seccomp, SET_FILTER, ALL_THREADS | AS_FAST, program)
    except OSError as error:
        if error.errno != errno.EINVAL:
            raise
        call(calls.seccomp, SET_FILTER, ALL_THREADS, program)
    _gone.set()


def comes_of_it(error: BaseException) -> bool:
    """Whether an error comes of having gone offline: a call was refused, or nobody could be asked where a machine is.

    An error that is about a file has its name.
    """
    refused = isinstance(error, PermissionError) and error.errno == errno.EACCES and error.filename is None
    return _gone.is_set() and (refused or isinstance(error, socket.gaierror))


def _calls() -> Calls | None:
    wide = struct.calcsize("P") == 8  # a narrow Python makes other calls on the same processor
    return ON.get(platform.machine()) if sys.platform == "linux" and wide else None


def _filter(calls: Calls) -> Iterator[bytes]:
    """The instructions: a call that is refused fails, and one of another processor.

    Of sockets those of the kind go on that links processes of one machine: pairs of them, as they can neither wait nor connect.
    """
    refused = [*calls.refused.values()]
    refuse = 7 + len(refused)  # where the last but one stands; jumps count from the next instruction
    yield _instruction(LOAD, PROCESSOR)
    yield _instruction(IF_EQUAL, calls.kind, other=refuse - 2)
    yield _instruction(LOAD, NUMBER)
    yield _instruction(IF_AT_LEAST, OTHER_NUMBERS, same=refuse - 4)
    for place, number in enumerate(refused, 4):
        yield _instruction(IF_EQUAL, number, same=refuse - place - 1)
    yield _instruction(IF_EQUAL, calls.socket, other=3)
    yield _instruction(LOAD, FIRST_ARGUMENT)
    yield _instruction(IF_EQUAL, socket.AF_UNIX, same=1)
    yield _instruction(RETURN, REFUSE)
    yield _instruction(RETURN, ALLOW)


def _instruction(code: int, value: int, *, same: int = 0, other: int = 0) -> bytes:
    return INSTRUCTION.pack(code, same, other, value)
