"""Workers on a Ray cluster that runs: pieces of work go to the processors of its nodes, and come back as they were asked for.

Short pieces go out in bundles, so that a task on a node takes about a second whatever a piece takes; each piece of a bundle is
played as it would be alone, so results do not depend on bundles. A task whose worker or node dies is played again elsewhere.
Errors of a piece come back as themselves. The asker runs on a machine of the cluster, and every node has the same molehunt
installed.
"""

from __future__ import annotations

import contextlib
import logging
import os
import queue
import signal
import socket
import threading
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future, InvalidStateError
from dataclasses import dataclass, field
from typing import Any

from molehunt.arena.node import Bundle, Piece, Sent, do_bundle, identity, introduce, mismatch, unpack
from molehunt.core.errors import BadInput, MolehuntError

ANSWER_SECONDS = 5.0
"""How long a cluster may take to answer at all."""
CHECK_SECONDS = 120.0
"""How long its nodes may take to say what they have installed: the first time, they have to load it."""
GREETING, SETTINGS = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + bytes((0, 0, 0, 4, 0, 0, 0, 0, 0)), b"\x04"
"""What a client of HTTP/2 says first, and the kind of frame that a server answers with (RFC 9113, 3.4): a cluster speaks that, and
Ray itself waits for minutes for one who does not."""
AHEAD = 2
"""Tasks under way for each processor, so that none waits for the next one."""
TASK_SECONDS = 1.0
"""What a task should take, so that a stop is soon and progress is seen."""
SENDING_SECONDS = 0.0013
"""What a task costs this process, as measured (docs/scale.md). On a large cluster tasks are longer, so that sending takes half of
its time."""
MOST_PIECES = 1024
"""Pieces in one task at most."""
LIVES = 5
"""How often a task is played again whose worker or node died; then the task itself is taken to be what kills them."""


@contextlib.contextmanager
def open_cluster(address: str) -> Iterator[ClusterWorkers]:
    """Workers for a while: all processors of the cluster at an address.

    BadInput where nobody answers; MolehuntError where Ray is not installed, or where a node has another molehunt than this process.
    """
    with _connected(address):
        workers = ClusterWorkers()
        try:
            yield workers
        finally:
            workers.shutdown(wait=False, cancel_futures=True)


@contextlib.contextmanager
def _connected(address: str) -> Iterator[None]:
    _check_address(address)
    os.environ.setdefault("RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "0")  # else it speaks of its future at every start
    try:
        import ray
    except ImportError:
        raise MolehuntError("--cluster needs Ray: pip install 'molehunt[cluster]'") from None
    if ray.is_initialized():
        yield
        return
    _check_somebody_answers(address)
    in_main = threading.current_thread() is threading.main_thread()
    before = signal.getsignal(signal.SIGTERM) if in_main else None
    try:
        ray.init(address=address, log_to_driver=False, logging_level=logging.CRITICAL, namespace="molehunt")
    except (ConnectionError, RuntimeError, ValueError, ray.exceptions.RayError) as error:
        reason = str(error).strip().partition("\n")[0]
        raise BadInput(
            f"no Ray cluster answers at {address}: {reason} Start one with `ray start --head`, "
            "and run this on a machine that belongs to it"
        ) from None
    finally:
        if in_main:
            signal.signal(signal.SIGTERM, before)
    _quieten()
    try:
        yield
    finally:
        ray.shutdown()


def _quieten() -> None:
    """Keep Ray from printing the log of every node that dies to standard output, where results go; it has no option for that."""
    from ray._private import worker

    if hasattr(worker, "print_to_stdstream"):
        worker.print_to_stdstream = lambda *_, **__: None


def _check_address(address: str) -> None:
    """Refuse an address that cannot be one."""
    host, colon, port = address.rpartition(":")
    fits = bool(colon and host) and "/" not in host and port.isdecimal() and 0 < int(port) < 2**16
    if address != "auto" and not fits:
        raise BadInput(
            f"--cluster is host:port of a Ray cluster that runs, or auto for the one here, not {address!r:.80}"
        )


def _check_somebody_answers(address: str) -> None:
    """Refuse at once an address where nobody listens."""
    if address == "auto":
        return
    host, _, port = address.rpartition(":")
    try:
        with socket.create_connection((host, int(port)), ANSWER_SECONDS) as line:
            line.settimeout(ANSWER_SECONDS)
            line.sendall(GREETING)
            answered = os.environ.get("RAY_USE_TLS") == "1" or line.recv(9)[3:4] == SETTINGS
    except TimeoutError:
        answered = False
    except OSError as error:
        raise BadInput(
            f"nobody answers at {address}: {error.strerror or error}; start a cluster with `ray start --head --port {port}`"
        ) from None
    if not answered:
        raise BadInput(
            f"what answers at {address} is no Ray cluster; `ray start --head` says at which port its cluster is"
        )


@dataclass
class _Task:
    """A bundle under way: its pieces, and who waits for each."""

    function: Callable[..., Any]
    pieces: list[Piece]
    futures: list[Future[Any]] = field(default_factory=list)


class ClusterWorkers(Executor):
    """The processors of the cluster that this process is connected to. `width` is how many pieces can be done at once.

    A thread of its own sends tasks and hands out what comes back; it sleeps while nothing happens.
    """

    def __init__(self) -> None:
        import ray

        self._ray: Any = ray
        self._ours = identity()
        self._do = ray.remote(num_cpus=1, max_retries=LIVES)(do_bundle)
        self._check_nodes()
        self._waiting: deque[tuple[Callable[..., Any], Piece, Future[Any]]] = deque()
        self._under_way: dict[Any, _Task] = {}
        self._news: queue.SimpleQueue[Any] = queue.SimpleQueue()
        self._closed = self._stopped = False
        self._fault: BaseException | None = None
        """Why nothing is sent any more, where the connection to the cluster was lost."""
        self._seconds: dict[str, float] = {}
        self._last = ""
        self.tasks = 0
        self._count_processors()
        self._clerk = threading.Thread(target=self._serve, name="cluster", daemon=True)
        self._clerk.start()

    @property
    def width(self) -> int:
        """How many pieces can be done at once: those of a bundle on each processor."""
        return self.processors * self._bundle_size(self._last)

    def submit(self, function: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """A piece of work: a function of a module and arguments by position that can be pickled."""
        if kwargs:
            raise TypeError("a piece of work has arguments by position only")
        if self._closed:
            raise RuntimeError("cannot schedule new futures after shutdown")
        future: Future[Any] = Future()
        self._waiting.append((function, args, future))
        self._news.put(None)
        if self._fault is not None:
            self._fail_all(self._fault)
        return future

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Take no more work. With `cancel_futures`, what waits is called off and what runs on the nodes is stopped."""
        self._closed = True
        if cancel_futures:
            while self._waiting:
                self._waiting.popleft()[2].cancel()
            for reference in list(self._under_way):
                with contextlib.suppress(Exception):
                    self._ray.cancel(reference, force=True)
            self._stopped = True
        self._news.put(None)
        if wait:
            self._clerk.join()

    # --- Nodes ----------------------------------------------------------------------------------------------------------

    def _count_processors(self) -> None:
        resources: dict[str, float] = self._ray.cluster_resources()
        self.processors = max(1, int(resources.get("CPU", 1)))

    def _check_nodes(self) -> None:
        """Refuse a cluster in which a node has another molehunt than this process, or none."""
        ray = self._ray
        from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

        nodes = [node for node in ray.nodes() if node["Alive"] and node["Resources"].get("CPU")]
        if not nodes:
            raise BadInput("the cluster has no processors: start its nodes with --num-cpus")
        ask = ray.remote(num_cpus=0, max_retries=LIVES)(introduce)
        asked = {
            node["NodeName"]: ask.options(
                scheduling_strategy=NodeAffinitySchedulingStrategy(node["NodeID"], soft=False)
            ).remote()
            for node in nodes
        }
        for name, answer in asked.items():
            try:
                theirs = ray.get(answer, timeout=CHECK_SECONDS)
            except ray.exceptions.GetTimeoutError:
                raise MolehuntError(f"node {name} of the cluster does not answer") from None
            except ray.exceptions.NodeDiedError:
                continue
            except (ray.exceptions.RayError, RuntimeError, ImportError) as error:
                reason = str(error).strip().rpartition("\n")[2]
                raise MolehuntError(f"node {name} cannot load molehunt ({reason}); install it on every node") from None
            if theirs != self._ours:
                raise MolehuntError(mismatch(name, theirs, self._ours))

    # --- The clerk ------------------------------------------------------------------------------------------------------

    def _serve(self) -> None:
        try:
            self._work()
        except Exception as error:  # noqa: BLE001 - told to all who would wait for ever
            self._fault = self._in_words(error)
            self._fail_all(self._fault)

    def _fail_all(self, fault: BaseException) -> None:
        """Tell all who wait that the clerk has failed."""
        futures = [future for task in self._under_way.values() for future in task.futures]
        while self._waiting:
            with contextlib.suppress(IndexError):  # the other thread may take from it, too
                futures.append(self._waiting.popleft()[2])
        for future in futures:
            with contextlib.suppress(InvalidStateError):  # it has been called off
                future.set_exception(fault)

    def _work(self) -> None:
        while not self._closed or self._under_way or self._waiting:
            ended = self._news.get()
            if self._stopped:
                return
            if ended is not None:
                self._hand_out(*ended)
                if self.tasks % (AHEAD * self.processors) == 0:
                    self._count_processors()
            while self._waiting and len(self._under_way) < AHEAD * self.processors:
                self._send()

    def _bundle_size(self, function: str) -> int:
        wanted = max(TASK_SECONDS, 2 * SENDING_SECONDS * self.processors)
        seconds = self._seconds.get(function, wanted)
        return max(1, min(MOST_PIECES, round(wanted / max(seconds, 1e-9))))

    def _send(self) -> None:
        """One task: pieces of one function, as many as are worth a task; fewer when fewer wait, so that all have some."""
        function = self._waiting[0][0]
        self._last = function.__qualname__
        size = min(self._bundle_size(self._last), -(-len(self._waiting) // self.processors))
        task = _Task(function, [])
        while self._waiting and len(task.pieces) < size and self._waiting[0][0] is function:
            _, piece, future = self._waiting.popleft()
            if future.set_running_or_notify_cancel():
                task.pieces.append(piece)
                task.futures.append(future)
        if task.pieces:
            try:
                reference = self._do.remote(self._ours, function, task.pieces)
            except Exception as error:  # noqa: BLE001 - told to who waits
                for future in task.futures:
                    future.set_exception(self._in_words(error))
                return
            self.tasks += 1
            self._under_way[reference] = task
            reference.future().add_done_callback(lambda answer: self._news.put((reference, answer)))

    def _hand_out(self, reference: Any, answer: Future[Bundle]) -> None:
        task = self._under_way.pop(reference)
        error = answer.exception()
        if error is not None:
            for future in task.futures:
                future.set_exception(self._in_words(error))
            return
        bundle = answer.result()
        name = task.function.__qualname__
        each = bundle.seconds / len(bundle.results)
        before = self._seconds.get(name, each)
        self._seconds[name] = (before + each) / 2
        for number, future in enumerate(task.futures):
            result = bundle.results[min(number, len(bundle.results) - 1)]
            if isinstance(result, Sent):
                future.set_exception(unpack(result))
            else:
                future.set_result(result)

    def _in_words(self, error: BaseException) -> BaseException:
        """What befell a task outside of its pieces, in a sentence."""
        exceptions = self._ray.exceptions
        if isinstance(error, exceptions.TaskCancelledError):
            return MolehuntError("a piece of work was called off")
        if isinstance(error, exceptions.WorkerCrashedError | exceptions.NodeDiedError | exceptions.OutOfMemoryError):
            return MolehuntError(
                f"a piece of work was lost {LIVES + 1} times: whoever did it died ({type(error).__name__})"
            )
        reason = str(error).strip().rpartition("\n")[2]
        return MolehuntError(f"the cluster failed: {type(error).__name__}: {reason}")
