"""Executors on Dask clusters: one that exists, or one that lives as long as the work."""

from __future__ import annotations

import logging
import pickle
import re
import socket
import time
import warnings
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from functools import partial
from itertools import count
from typing import TYPE_CHECKING, Any, Generic
from uuid import uuid4

from swfx.base.errors import InputError
from swfx.base.missing import importing
from utilitysched.workers.executor import Result, Task, Work, in_flight, packed
from utilitysched.workers.remote import (
    TaskStatus,
    UnfitWorker,
    compute,
    installation,
    require_installed,
)

if TYPE_CHECKING:
    from distributed import Client

CONNECT = 10.0
"""Seconds within which a scheduler has to answer."""

PATIENCE = 60.0
"""Seconds that a cluster may be without workers."""

LOOK = 2.0
"""Seconds between two looks at the workers."""

AHEAD = 4
"""Tasks in flight per thread of the workers: a worker never waits for its next one."""

LEAST_AHEAD = 16

SMALL = 1000
"""Bytes of work that are sent with every task; larger work is sent once."""

UNSEEN = {"dashboard": False, "dashboard_address": "127.0.0.1:0"}
"""Options of a scheduler without its web page; what still is served is for this machine alone."""

ADDRESS = "give the address that `dask scheduler` prints, as in tcp://host:8786"

CONTINUE = "what has finished is kept: run the same command again to go on"

Say = Callable[[str], None]


class ClusterLost(InputError):  # noqa: N818 - what has happened, as in Dask's own KilledWorker
    """The cluster is gone; what has finished is kept."""


@dataclass(frozen=True)
class Cluster:
    """A Dask cluster, connected to.

    Attributes
    ----------
    client : distributed.Client
        The connection.
    name : str
        As people know it.
    patience : float
        How long it may be without workers (s).
    """

    client: Client
    name: str
    patience: float = PATIENCE


@dataclass(frozen=True)
class DaskExecutor:
    """The workers of a Dask cluster.

    Attributes
    ----------
    enter : callable
        Returns a context manager of the cluster, which ends what was started for it.
    say : callable
        Takes a line for people.
    """

    enter: Callable[[], AbstractContextManager[Cluster]]
    say: Say = lambda _: None

    def run(self, work: Work[Task, Result], tasks: Iterable[Task]) -> Iterator[tuple[Task, Result]]:
        """Yield tasks with results in the order of completion; see `Executor`.

        A task that its workers have died of, one after the other, has failed.

        Raises
        ------
        ClusterLost
            There is no cluster any more.
        UnfitWorker
            A worker would not give the results that others give.
        """
        with _quiet(), self.enter() as cluster:
            _require_fit_workers(cluster.client)
            yield from _Flight(cluster, work, self.say).results(tasks)


def dask_executor(text: str, say: Say = lambda _: None) -> DaskExecutor:
    """Return an executor on an existing cluster, or on one on this machine.

    Parameters
    ----------
    text : str
        Address of a scheduler, or ``local:N`` for N processes.
    say : callable
        Takes a line for people.

    Raises
    ------
    InputError
        Neither of these, or Dask is not installed.

    Examples
    --------
    >>> dask_executor("local:none")
    Traceback (most recent call last):
    swfx.base.errors.InputError: field `dask`: 'local:none' is not local:N with N from 1
    """
    library()
    kind, _, number = text.partition(":")
    if kind != "local":
        _host_and_port(text)
        return DaskExecutor(partial(existing, text), say)
    if not re.fullmatch("[1-9][0-9]{0,3}", number):
        raise InputError(f"{text!r} is not local:N with N from 1", field="`dask`")
    return DaskExecutor(partial(local, int(number)), say)


@contextmanager
def existing(address: str) -> Iterator[Cluster]:
    """Connect to the scheduler of a cluster.

    Raises
    ------
    InputError
        None answers at this address.
    """
    _require_listener(address)
    with connected(address, address) as client:
        yield Cluster(client, address)


def _host_and_port(address: str) -> tuple[str, int]:
    parts = re.fullmatch(r"(?:[a-z]+://)?\[?([^\s/]+?)\]?:([0-9]{1,5})/?", address)
    if not parts:
        raise InputError(f"{address!r} is no address", field="`dask`", remedy=ADDRESS)
    return parts[1], int(parts[2])


def _require_listener(address: str) -> None:
    """Refuse an address where nothing listens; a client that fails leaves a trace of its calls."""
    if "://" in address and not address.startswith(("tcp://", "tls://")):
        return
    try:
        socket.create_connection(_host_and_port(address), CONNECT).close()
    except (OSError, OverflowError) as error:
        raise _no_answer(address, error) from error


def _no_answer(name: str, error: Exception) -> InputError:
    return InputError(f"no Dask scheduler answers at {name}: {error}", remedy=ADDRESS)


@contextmanager
def local(workers: int) -> Iterator[Cluster]:
    """Start a cluster of so many processes on this machine, reachable from here only.

    Their memory is not limited: they share this machine's, as plain processes do.
    """
    name = f"local:{workers}"
    with (
        library().LocalCluster(
            n_workers=workers,
            threads_per_worker=1,
            memory_limit=None,
            host="127.0.0.1",
            dashboard_address=UNSEEN["dashboard_address"],
            scheduler_kwargs=UNSEEN,
            silence_logs=logging.CRITICAL,
        ) as cluster,
        connected(cluster, name) as client,
    ):
        yield Cluster(client, name)


@contextmanager
def connected(cluster: object, name: str) -> Iterator[Client]:
    """Connect to a cluster, or to the scheduler at an address.

    Raises
    ------
    InputError
        It does not answer.
    """
    from distributed.versions import VersionMismatchWarning  # noqa: PLC0415

    try:
        with warnings.catch_warnings():
            # `require_installed` refuses what would give other results, and says more
            warnings.simplefilter("ignore", VersionMismatchWarning)
            client = library().Client(
                cluster, timeout=CONNECT, set_as_default=False, name="utilitysched"
            )
    except (OSError, ValueError, ImportError) as error:
        raise _no_answer(name, error) from error
    with client:
        yield client


def library() -> Any:
    """Import Dask's.

    Raises
    ------
    InputError
        It is not installed.
    """
    with importing("running on Dask", "distributed"):
        import distributed  # noqa: PLC0415  an optional dependency, slow to import
    return distributed


class _Flight(Generic[Task, Result]):
    """Tasks on their way, never more of them than the workers will soon do."""

    def __init__(self, cluster: Cluster, work: Work[Task, Result], say: Say) -> None:
        self.cluster = cluster
        self.work = work
        self.watch = _Watch(cluster, say)
        self.executor = cluster.client.get_executor(pure=False)
        # names of their own: what another run left on the cluster is not taken up
        self.names = (f"{work.name}-{uuid4().hex}-{number}" for number in count())
        self.sent = self._sent()

    def results(self, tasks: Iterable[Task]) -> Iterator[tuple[Task, Result]]:
        suspects = []
        for task, future in self._landed(tasks):
            if _died(future):
                suspects.append(task)
            else:
                yield task, self._result(future)
        # Dask blames all tasks that a worker held for its death: each shows alone which it was
        for suspect in suspects:
            for task, future in self._landed([suspect]):
                yield task, self._result(future)

    def _sent(self) -> Any:
        """Return the work as a task, if it is large: workers get it from each other, or anew."""
        pickled = packed(self.work)
        if len(pickled) < SMALL:
            return pickled
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", "Sending large graph")
            return self.cluster.client.submit(bytes, pickled, key=next(self.names))

    def _landed(self, tasks: Iterable[Task]) -> Iterator[tuple[Task, Future[tuple[str, Any]]]]:
        return in_flight(iter(tasks), self._send, self._room, LOOK)

    def _room(self) -> int:
        self.watch.look()
        return max(LEAST_AHEAD, AHEAD * self.watch.threads)

    def _send(self, task: Task) -> Future[tuple[str, Any]]:
        future: Future[tuple[str, Any]] = self.executor.submit(
            compute, self.sent, pickle.dumps(task), installation(), key=next(self.names)
        )
        return future

    def _result(self, future: Future[tuple[str, Any]]) -> Result:
        if future.cancelled():
            raise lost(self.cluster.name, f"has gone, or has dropped our {self.work.name}s")
        if _died(future):
            problem = "its workers have died, one after the other; give them more memory"
            return self.work.fail(f"{problem}, and see their logs")
        if error := future.exception():
            raise _explained(error)
        kind, content = future.result()
        if kind == TaskStatus.UNFIT:
            raise UnfitWorker(content)
        if kind == TaskStatus.BUG:
            raise RuntimeError(f"a Dask worker could not run a {self.work.name}: {content}")
        return self.work.fail(content) if kind == TaskStatus.FAILED else pickle.loads(content)


def _died(future: Future[Any]) -> bool:
    """Whether several workers have died of a task, or beside one."""
    return not future.cancelled() and isinstance(future.exception(), library().KilledWorker)


class _Watch:
    """Looks at the workers now and then."""

    def __init__(self, cluster: Cluster, say: Say) -> None:
        self.cluster = cluster
        self.say = say
        self.threads = 0
        self._next = 0.0
        self._alone_since: float | None = None

    def look(self) -> None:
        """Count the workers' threads, if it is time to; as often as possible while there are none.

        Raises
        ------
        ClusterLost
            The scheduler does not answer, or has been without workers for too long.
        """
        now = time.monotonic()
        if now < self._next and self.threads:
            return
        self.threads = sum(self._workers().values())
        self._be_patient(now)
        self._next = time.monotonic() + LOOK

    def _workers(self) -> dict[str, int]:
        if self.cluster.client.status == "running":
            try:
                return dict(self.cluster.client.nthreads())
            except OSError:  # closed while it was asked
                pass
        raise lost(self.cluster.name, "does not answer any more")

    def _be_patient(self, now: float) -> None:
        if self.threads:
            self._alone_since = None
        elif self._alone_since is None:
            self._alone_since = now
            self.say(f"{self.cluster.name} has no workers: waiting for them")
        elif now - self._alone_since > self.cluster.patience:
            waited = f"for {self.cluster.patience:.0f} s"
            raise lost(self.cluster.name, f"has been without workers {waited}")


def lost(name: str, what: str) -> ClusterLost:
    """Return the error for a cluster that is gone."""
    return ClusterLost(f"the Dask cluster {name} {what}", remedy=CONTINUE)


def _require_fit_workers(client: Client) -> None:
    """Refuse to begin if one of the workers there are would refuse; later ones do so themselves."""
    answers = client.run(require_installed, installation(), on_error="return")
    for answer in answers.values():
        # one that has gone meanwhile is not asked to compute anything
        if isinstance(answer, Exception) and not isinstance(answer, OSError):
            raise _explained(answer)


def _explained(error: BaseException) -> BaseException:
    """Return the error of a worker; failed imports become an `UnfitWorker` with a remedy."""
    if isinstance(error, ImportError) or "deserialization" in str(error):
        message = " ".join(str(error).split())
        return UnfitWorker(
            f"a machine of the Dask cluster cannot load utilitysched: {message}",
            remedy="install the same utilitysched on every machine, the scheduler's included",
        )
    return error


@contextmanager
def _quiet() -> Iterator[None]:
    """Keep Dask's own log off the terminal: what it would say is told in one line, by an error."""
    handlers = [(handler, handler.level) for handler in logging.getLogger("distributed").handlers]
    for handler, _ in handlers:
        handler.setLevel(logging.CRITICAL)
    try:
        yield
    finally:
        for handler, level in handlers:
            handler.setLevel(level)
