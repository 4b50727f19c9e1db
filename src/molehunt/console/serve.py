"""`molehunt serve`: the browser table on this machine, and for friends on the same network."""

from __future__ import annotations

import contextlib
import errno
import ipaddress
import itertools
import os
import socket
import sys
import threading
import webbrowser
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from rich.markup import escape

from molehunt.advice.session import ADVICE
from molehunt.agents.entry import EVERY
from molehunt.agents.registry import seat_among_us
from molehunt.console.ended import ended_as_by_hand
from molehunt.console.screen import check_count, out, side
from molehunt.core.agent import one_chair
from molehunt.core.beside import Task
from molehunt.core.errors import BadInput
from molehunt.core.interpreting import interpreting
from molehunt.core.made import made_before
from molehunt.core.meanwhile import compile_beside
from molehunt.core.processor_count import cores
from molehunt.studies.people_store import PeopleStore
from molehunt.table.session import Session, Sitter, thinking_of

if TYPE_CHECKING:
    from molehunt.web.tables import Limits

PORT = 8765
MOST_MESSAGE = 64 * 1024
"""Bytes of a message from which a line is cut without an answer; long before that it is refused with a reason."""
SWITCH = 0.0005
"""Seconds after which a thread that thinks lets another one go on: a tenth of the usual, as the loop that answers pages gives way
at every read and write, and would wait so long for each."""
AT_A_TIME = 256
"""Connections that are let in before those are heard who have been let in."""
BACKLOG = 4096
"""Connections that may wait to be let in."""
SPARE_FILES = 200 + AT_A_TIME
"""Files that a server opens beside its connections: the store, the pages, machine code, those who knock and are not let in yet."""


FEWEST_CONNECTIONS = 10
"""With fewer, hardly a page and a person's line fit in."""


def store_path() -> Path:
    """The file in which tables are kept, where no other is named: in MOLEHUNT_DATA, else in the user's folder for data."""
    base = os.environ.get("MOLEHUNT_DATA") or os.environ.get("XDG_DATA_HOME")
    try:
        root = Path(base) if base else Path("~/.local/share").expanduser()
    except RuntimeError:  # there is no home
        raise BadInput(
            "you have no home folder for the tables: name a file for them with --store, or a folder in MOLEHUNT_DATA"
        ) from None
    return root / "molehunt" / "tables.sqlite"


@dataclass(frozen=True)
class Serving:
    """What `molehunt serve` is asked for: where it listens, what it keeps, and how much of it anybody may have.

    `proxy` names proxies by their addresses, or by networks of them, with commas between; their word is taken for who comes
    through them. `people` is the store of a study with people, made up where it is a `rehearsal`. The players of `agents_from` sit
    down at tables, too.
    """

    host: str = "127.0.0.1"
    port: int = PORT
    store: Path | None = None
    tables: int = 500
    pages: int = 30
    keep_hours: int = 72
    workers: int = 0
    client_tables: int = 20
    client_connections: int = 60
    client_requests: int = 50
    connections: int = 2000
    request_seconds: int = 10
    new_minutes: int = 30
    proxy: str = ""
    statistics: bool = True
    people: Path | None = None
    rehearsal: bool = False
    agents_from: tuple[Path, ...] = ()

    def check(self) -> None:
        """BadInput where a number is out of its range, or a proxy is neither an address nor a network."""
        for option, least, most in _RANGES:
            check_count(option, getattr(self, option.removeprefix("--").replace("-", "_")), least, most)
        for address in self.proxies:
            try:
                ipaddress.ip_network(address)
            except ValueError:
                raise BadInput(
                    "--proxy is the address of a proxy, as 127.0.0.1, the network in which it lies, as 172.18.0.0/16, or several "
                    f"with commas between, not {address!r:.60}"
                ) from None
        if self.rehearsal and self.people is None:
            raise BadInput("--rehearsal is of a study with people: add --people STORE")

    @property
    def proxies(self) -> frozenset[str]:
        """The addresses of proxies, and networks in which they lie."""
        return frozenset(filter(None, map(str.strip, self.proxy.split(","))))

    @property
    def believed(self) -> list[str]:
        """The networks of proxies in every form that a socket gives their addresses: `--host ::` has those of IPv4 in IPv6."""
        found = [*map(ipaddress.ip_network, self.proxies)]
        mapped = [f"::ffff:{one.network_address}/{96 + one.prefixlen}" for one in found if one.version == 4]
        return sorted({*map(str, found), *mapped})


_RANGES = (
    ("--port", 0, 65535),
    ("--tables", 1, 100_000),
    ("--pages", 1, 1000),
    ("--keep-hours", 1, 24 * 366),
    ("--workers", 0, 256),
    ("--client-tables", 1, 100_000),
    ("--client-connections", 2, 100_000),
    ("--client-requests", 1, 100_000),
    ("--connections", FEWEST_CONNECTIONS, 100_000),
    ("--request-seconds", 1, 3600),
    ("--new-minutes", 1, 24 * 60 * 366),
)


def serve(wanted: Serving, browser: bool = False) -> int:
    """Serve until stopped with Ctrl-C; the exit status."""
    wanted.check()
    for path in wanted.agents_from:
        seat_among_us(path, EVERY)
    if wanted.people is None:
        return _serve(wanted, browser, None)
    with PeopleStore(wanted.people, wanted.rehearsal) as people:
        return _serve(wanted, browser, people)


def limits_of(wanted: Serving) -> Limits:
    """How much a server takes."""
    from molehunt.web.tables import Limits

    return Limits(
        tables=wanted.tables,
        pages=wanted.pages,
        keep_hours=wanted.keep_hours,
        new_minutes=wanted.new_minutes,
        client_tables=wanted.client_tables,
        client_pages=wanted.client_connections,
        client_requests=wanted.client_requests,
        workers=wanted.workers,
        statistics=wanted.statistics,
        any_player=serves_only_here(wanted),
    )


def serves_only_here(wanted: Serving) -> bool:
    """Whether nobody but this machine is served, straight or by way of a proxy."""
    from molehunt.web.guard import is_loopback

    return is_loopback(_in_address(wanted.host)) and not wanted.proxies


def _serve(wanted: Serving, browser: bool, people: PeopleStore | None) -> int:
    try:
        import uvicorn

        from molehunt.web.app import make_app
        from molehunt.web.connections import Doorkeeper, watched
        from molehunt.web.store import Store
        from molehunt.web.tables import Tables
    except ImportError as error:
        raise BadInput(
            f"the browser table needs {error.name or 'a library that is not installed'}: pip install 'molehunt[web]'"
        ) from None
    limits = limits_of(wanted)
    most = files_for(wanted.connections)
    door = Doorkeeper(most, wanted.client_connections, wanted.request_seconds, wanted.proxies)
    speaks_http, speaks_lines = watched(door)
    listening = _listen(wanted.host, wanted.port)
    path = wanted.store or store_path()
    all_tables = Tables(Store(path), limits)
    door.turns_away = all_tables.turned_away
    here, share = addresses(wanted.host, int(listening.getsockname()[1]))
    if wanted.proxies:
        share = None  # friends come by the proxy's address, under which each page was opened
    _tell_where(wanted, here, share, path, people)
    if browser:
        threading.Timer(0.5, webbrowser.open, [here]).start()
    _make_ready()
    sys.setswitchinterval(SWITCH)
    config = uvicorn.Config(
        make_app(all_tables, serves_only_here(wanted), share, people),
        log_level="error",  # beside errors it warns of requests that are none, which anybody can send without end
        ws_max_size=MOST_MESSAGE,
        ws_per_message_deflate=False,
        http=speaks_http,
        ws=speaks_lines,
        backlog=AT_A_TIME,
        # What a request says of where it came from is believed of named proxies alone.
        proxy_headers=bool(wanted.proxies),
        forwarded_allow_ips=wanted.believed,
        server_header=False,
        timeout_graceful_shutdown=2,
    )

    class Server(uvicorn.Server):
        """One number is two things to asyncio: how many it lets in at a time, and how many may wait for that."""

        async def startup(self, sockets: list[socket.socket] | None = None) -> None:
            await super().startup(sockets)
            listening.listen(BACKLOG)

    with contextlib.suppress(KeyboardInterrupt), ended_as_by_hand():
        Server(config).run(sockets=[listening])
    out.print("The server has stopped; the tables are kept.")
    return 0


def _tell_where(wanted: Serving, here: str, share: str | None, store: Path, people: PeopleStore | None) -> None:
    """Say where the server is open, to whom, and where it keeps what."""
    out.print(f"molehunt is open at [bold]{escape(here)}[/bold]")
    if share:
        out.print(f"Friends on the same network reach it at [bold]{escape(share)}[/bold]")
    elif wanted.proxies:
        out.print(f"Others reach it through the proxy ({' or '.join(sorted(wanted.proxies))}).", markup=False)
    else:
        out.print("Only this machine reaches it; for friends on the same network: molehunt serve --host 0.0.0.0")
    kept = f"Tables are kept in {store} and go {wanted.keep_hours} hours after their last use."
    out.print(f"{kept} Ctrl-C stops the server.", markup=False)
    if people is not None:
        whose, at = "Made-up people" if people.rehearsal else "People", escape(f"{share or here}/study")
        out.print(f"{whose} take part at [bold]{at}[/bold]; what they do is kept in {escape(str(people.folder))}.")


def files_for(connections: int) -> int:
    """As many connections as are wanted, or as this process may have files open, with some left for all else.

    BadInput where hardly any are left.
    """
    try:
        import resource
    except ImportError:  # Windows has no such limit
        return connections
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    unlimited = resource.RLIM_INFINITY
    needed = connections + SPARE_FILES
    if soft != unlimited and soft < needed:
        soft = needed if hard == unlimited else min(needed, hard)
        with contextlib.suppress(OSError, ValueError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
        soft = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    found = connections if soft == unlimited else min(connections, soft - SPARE_FILES)
    if found < FEWEST_CONNECTIONS:
        raise BadInput(
            f"this process may have {soft} files open, and a server needs {FEWEST_CONNECTIONS + SPARE_FILES} at least, "
            f"{needed} for {connections} connections: raise the limit (ulimit -n {needed}, or LimitNOFILE of a service)"
        )
    if found < connections:
        side.print(f"This process may have {soft} files open, so it takes {found} connections, not {connections}.")
    return found


def _listen(host: str, port: int) -> socket.socket:
    """A socket that listens; BadInput where it cannot."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listening = socket.socket(family, socket.SOCK_STREAM)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((host, port))
        listening.listen(BACKLOG)
    except OSError as error:
        listening.close()
        if error.errno in {errno.EADDRINUSE, errno.EACCES}:
            hint = "--port 0 takes a free one"
        else:
            hint = "--host is an address of this machine, or 0.0.0.0 for all of them"
        raise BadInput(f"cannot listen at {host}, port {port}: {error.strerror or error}; {hint}") from None
    return listening


def addresses(host: str, port: int) -> tuple[str, str | None]:
    """Where this machine reaches a server that listens at a host, and where others do: None where it listens for nobody else."""
    from molehunt.web.guard import is_loopback

    here = f"http://{'127.0.0.1' if host in EVERYWHERE else _in_address(host)}:{port}"
    share = None if is_loopback(_in_address(host)) else f"http://{_in_address(_reached_at(host))}:{port}"
    return here, share


def _in_address(host: str) -> str:
    """A host as it stands in an address: one of IPv6 in brackets."""
    return f"[{host}]" if ":" in host else host


EVERYWHERE = ("0.0.0.0", "::")  # noqa: S104
"""The hosts that stand for all addresses of this machine."""


def _reached_at(host: str) -> str:
    """The address under which others on the network reach this machine."""
    if host not in EVERYWHERE:
        return host
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe, contextlib.suppress(OSError):
        # Nothing is sent: this only asks which of this machine's addresses would be used.
        probe.connect(("192.0.2.1", 9))
        return str(probe.getsockname()[0])
    return socket.gethostname()


TRIED_MOVES = 8
"""Moves of a game after which its usual kernels have been used."""


def _usual_table(game: str) -> Session:
    """A table of a game with its first rules, at which only its default players sit."""
    from molehunt.agents.registry import Agents
    from molehunt.games.registry import game_entry, make_game

    entry = game_entry(game)
    ruleset, offered = next(iter(entry.at_table.items()))
    agents = Agents(game)
    sitters = [Sitter(str(seat), agents.make(entry.opponent)) for seat in range(offered.fewest)]
    return Session(make_game(game, ruleset, offered.fewest), sitters, 0)


def get_ready(games: Iterable[str]) -> None:
    """Have the kernels of games at hand before the first table is set."""
    from molehunt.web.minds import suspicions

    for game in games:
        session = _usual_table(game)
        session.game.legal_actions(session.view(0))
        for _ in range(TRIED_MOVES):
            session.step()
        session.public_view()
        suspicions(session, len(session.actions))


def get_thinking_ready(game: str) -> None:
    """Have at hand what the default player of a game thinks with, and no more: all else is interpreted."""
    with interpreting():
        session = _usual_table(game)
        for _ in range(TRIED_MOVES):
            seat = session.to_move
            agent = None if seat is None else session.sitters[seat].agent
            if seat is None or agent is None:
                return
            view = session.view(seat)
            with interpreting(wanted=False):
                action = int(agent.act(view, session.mind(seat), one_chair())[0])
            session.play_thought(action)


SERVED = "tables"
"""What the kernels of all games are used for where tables are served (`core.made`)."""


def tasks(processes: int) -> list[Task]:
    """What is compiled on first use, by so many processes: of each game first what its default player thinks with.

    Interpreted that takes seconds, so its parts are compiled side by side. The first game takes as long as the others together,
    which wait for each other; with two processes it waits for them, too, as one core is left to the games that go on.
    """
    from molehunt.console.advise import get_adviser_ready
    from molehunt.games.registry import BUILT_IN

    first, *others = map(_tasks_of, BUILT_IN)
    side_by_side = [*itertools.chain(*others), [Task(ADVICE, get_adviser_ready)]]
    if processes <= 2:
        return _in_steps([*side_by_side, *first])
    return [*_in_steps(side_by_side), *_in_steps(first)]


def _tasks_of(game: str) -> list[list[Task]]:
    """What is compiled of a game: tasks that can be done side by side, then those that need them, and so on."""
    from molehunt.agents.registry import Agents
    from molehunt.games.registry import game_entry

    agent = Agents(game).make(game_entry(game).opponent)
    thinking = thinking_of(game, agent.name)
    return [
        [Task(f"{thinking}/{part.__name__}", part) for part in agent.compiled_apart],
        [Task(thinking, get_thinking_ready, (game,))],
        [Task(game, get_ready, ([game],))],
    ]


def _in_steps(steps: Iterable[list[Task]]) -> list[Task]:
    """The tasks of all steps, each begun when those of the step before it have ended."""
    some: list[Task] = []
    before = frozenset[str]()
    for step in filter(None, steps):
        some += (replace(task, after=before) for task in step)
        before = frozenset(task.name for task in step)
    return some


def _make_ready() -> None:
    """Have the kernels at hand, without anybody waiting: on first use processes beside this one compile them, each some games."""
    from molehunt.games.registry import BUILT_IN

    if made_before(SERVED):
        threading.Thread(target=get_ready, args=(BUILT_IN,), daemon=True).start()
        return
    side.print(
        "First use: machine code is made beside, once; tables are open, and only players that search wait for it."
    )
    processes = 3 if cores() > 2 else 2
    compile_beside(tasks(processes), processes, lambda: get_ready(BUILT_IN), uses=(SERVED, *BUILT_IN))
