"""CPU seconds that compiling costs on an empty cache, by kernel and by room, and what is compiled for more than one signature.

    python benchmarks/compile_time.py                 the usual players of each game, one short match each
    python benchmarks/compile_time.py "arena duel --seats duel-star,greedy-2020 --games 1" ...

Each argument is a command of `molehunt`. All run in one process, in order, with the machine code in a temporary folder, so
a kernel counts for the command that first needs it. A kernel's seconds are its own: those of the kernels that are compiled while
it is being compiled are theirs. CPU seconds of the thread that compiles, so other programs disturb little.
With one thread no other process compiles beside (`molehunt.core.ahead`).
"""

from __future__ import annotations

import argparse
import contextlib
import io
import os
import runpy
import sys
import tempfile
import threading
import time
from collections import Counter, defaultdict
from collections.abc import Iterator
from typing import Any

COMMANDS = (
    "arena saboteur/krisnadi --seats decision-2019*5 --games 10",
    "arena saboteur/krisnadi --seats means-ends-2016*3,random*2 --games 10",
    "arena saboteur/veldhuis --seats kripke-2012*5 --games 2",
    "arena saboteur/krisnadi --seats mole:worlds=1,decision-2019*3 --games 1",
    "arena speed_clue/mitchell --seats advanced*3 --games 10",
    "arena speed_clue/mitchell --seats exact*2,random --games 2",
    "arena duel/mcgill --seats greedy-2020,random-listed --games 2",
    "arena duel/mcgill --seats and-or-2020:depth=1,random --games 2",
    "arena duel/mcgill --seats duel-star:deals=2,greedy-2020 --games 2",
    "study mitchell2020 --games 2",
)
SHOWN = 40


class Clock:
    """Takes the time of everything that Numba compiles, nested as it comes."""

    def __init__(self) -> None:
        self.seconds: Counter[str] = Counter()
        self.signatures: defaultdict[str, list[str]] = defaultdict(list)
        self._running = threading.local()

    @contextlib.contextmanager
    def compiling(self, function: Any, signature: str) -> Iterator[None]:
        """While inside, one kernel is being compiled for one signature."""
        name = f"{function.__module__.removeprefix('molehunt.')}.{function.__qualname__}"
        stack = self._running.__dict__.setdefault("stack", [])
        began, stack_below = time.thread_time(), stack
        stack.append(0.0)
        try:
            yield
        finally:
            whole = time.thread_time() - began
            self.seconds[name] += whole - stack.pop()
            self.signatures[name].append(signature)
            if stack_below:
                stack_below[-1] += whole


def watch(clock: Clock) -> None:
    """Let the clock see every compilation of this process, of kernels and of functions that are reached by address."""
    from numba.core import ccallback, dispatcher

    kernels: Any = vars(dispatcher)["_FunctionCompiler"]  # there is no other place to stand
    functions: Any = ccallback.CFunc
    compile_kernel, compile_function = kernels.compile, functions._compile_uncached  # noqa: SLF001 - as above

    def kernel(self: Any, args: Any, return_type: Any) -> Any:
        with clock.compiling(self.py_func, str(tuple(args))):
            return compile_kernel(self, args, return_type)

    def function(self: Any) -> Any:
        with clock.compiling(self._pyfunc, str(tuple(self._sig.args))):
            return compile_function(self)

    kernels.compile = kernel
    functions._compile_uncached = function  # noqa: SLF001 - as above


def run(command: str) -> None:
    """Run a command of the program, with all compiling in this process; what it prints is not shown."""
    sys.argv = ["molehunt", *command.split(), "--threads", "1"]
    with contextlib.redirect_stdout(io.StringIO()), contextlib.suppress(SystemExit):
        runpy.run_module("molehunt", run_name="__main__")


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("commands", nargs="*", metavar="COMMAND", help="as after `molehunt`, each in quotation marks")
    commands = parser.parse_args().commands or list(COMMANDS)
    with tempfile.TemporaryDirectory() as folder:
        os.environ["MOLEHUNT_CACHE"] = folder
        clock = Clock()
        watch(clock)
        for command in commands:
            before = clock.seconds.total()
            run(command)
            print(f"{clock.seconds.total() - before:8.1f} s  {command}", flush=True)
    print(f"{clock.seconds.total():8.1f} s  all, {sum(map(len, clock.signatures.values()))} compilations\n")
    rooms: Counter[str] = Counter()
    for name, seconds in clock.seconds.items():
        rooms[name.rsplit(".", 2)[0]] += seconds
    for room, seconds in rooms.most_common():
        print(f"{seconds:8.1f} s  {room}")
    print("\nThe dearest kernels")
    for name, seconds in clock.seconds.most_common(SHOWN):
        print(f"{seconds:8.1f} s  {len(clock.signatures[name]):3} x  {name}")
    print("\nCompiled for more than one signature")
    for name, signatures in sorted(clock.signatures.items(), key=lambda entry: -clock.seconds[entry[0]]):
        if len(signatures) > 1 and clock.seconds[name] >= 1:
            print(f"{clock.seconds[name]:8.1f} s  {name}")
            for signature in signatures:
                print(f"              {signature}")


if __name__ == "__main__":
    main()
