"""Executors on this machine."""

from __future__ import annotations

import os
import signal
import threading
import warnings
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import cache, partial
from multiprocessing import forkserver, get_context
from multiprocessing.connection import Connection
from multiprocessing.synchronize import Event
from typing import Any

from swfx import InputError
from swfx.base.plugins import BrokenPlugin
from utilitysched.kernels.compiling import telling_of_compilation
from utilitysched.workers.executor import Executor, Result, Task, Work, in_flight, packed, unpacked

AHEAD = 2
"""Tasks in work or waiting per process: one more than it can do, so that it never waits."""


KILLED = BrokenProcessPool
"""Of a task whose process was killed, or that of another."""

LOOK = 0.5
"""Seconds between looks at whether a process compiles."""


def processors() -> int:
    """Return the number of processors available to this process."""
    return len(os.sched_getaffinity(0))


def local_executor(processes: int, on_compile: Callable[[], None] = lambda: None) -> Executor:
    """Return an executor of some processes; a single one is the calling process.

    Parameters
    ----------
    processes : int
        At least 1.
    on_compile : callable
        Called once if other processes have to compile, which takes up to a minute.
    """
    return SerialExecutor() if processes == 1 else ProcessExecutor(processes, on_compile)


@dataclass(frozen=True)
class SerialExecutor:
    """The calling process as an executor: tasks run one by one, in order."""

    def run(self, work: Work[Task, Result], tasks: Iterable[Task]) -> Iterator[tuple[Task, Result]]:
        """Yield every task with its result; see `Executor`."""
        do = work.prepare()
        return ((task, do(task)) for task in tasks)


@dataclass(frozen=True)
class ProcessExecutor:
    """Processes of this machine, ended together with the calling process.

    Attributes
    ----------
    processes : int
        How many; at least 1.
    on_compile : callable
        Called once if they have to compile.
    """

    processes: int
    on_compile: Callable[[], None] = lambda: None

    def run(self, work: Work[Task, Result], tasks: Iterable[Task]) -> Iterator[tuple[Task, Result]]:
        """Yield tasks with results in the order of completion; see `Executor`.

        Raises
        ------
        InputError
            A process was killed, for instance because memory ran out.
        """
        with _pool(self.processes, work) as (pool, compiling):

            def submit(task: Task) -> Future[Result]:
                with _interrupts_later():  # it may start a process, which has to be waited for
                    return pool.submit(_do, task)

            announced = False

            def room() -> int:
                nonlocal announced
                if compiling.is_set() and not announced:
                    announced = True
                    self.on_compile()
                return AHEAD * self.processes

            for task, future in in_flight(iter(tasks), submit, room, LOOK):
                yield task, _result(future)


@contextmanager
def standing_processes(
    processes: int, work: Work[Task, Result]
) -> Iterator[Callable[[Task], Future[Result]]]:
    """Keep processes that do tasks as they are handed in, until the block or this process ends.

    They are made ready by the first task of each. A task that has begun is done to its end; one
    that has not can be cancelled. If a process is killed, all tasks handed in until then raise
    `KILLED`, and others do those that come later.
    """
    with ExitStack() as ending:
        pool, one = ending.enter_context(_pool(processes, work))[0], threading.Lock()

        def submit(task: Task) -> Future[Result]:
            nonlocal pool
            with one:
                try:
                    return pool.submit(_do, task)
                except KILLED:
                    ending.close()
                    pool = ending.enter_context(_pool(processes, work))[0]
                    return pool.submit(_do, task)

        yield submit


def _result(future: Future[Result]) -> Result:
    try:
        return future.result()
    except BrokenProcessPool as error:
        raise InputError(
            "a process was killed while it worked, perhaps because memory ran out",
            remedy="run it again, with fewer `processes`; what is finished is kept",
        ) from error


@contextmanager
def _deaf_to_interrupts() -> Iterator[None]:
    """Ignore Ctrl-C for a moment: what is started meanwhile ignores it from its first import on."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


@contextmanager
def _interrupts_later() -> Iterator[None]:
    """Let Ctrl-C wait until the block is over."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    came: list[int] = []
    before = signal.signal(signal.SIGINT, lambda number, _: came.append(number))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
    if came:
        signal.raise_signal(signal.SIGINT)


@contextmanager
def _pool(processes: int, work: Work[Any, Any]) -> Iterator[tuple[ProcessPoolExecutor, Event]]:
    """Start a pool of processes for a block, with an event that is set when a process compiles."""
    context = get_context("forkserver")
    context.set_forkserver_preload([_module_of(work.prepare)])
    with _deaf_to_interrupts():
        forkserver.ensure_running()
    reader, writer = context.Pipe(duplex=False)
    compiling = context.Event()
    sent = packed(work)
    pool = ProcessPoolExecutor(processes, context, _begin, (reader, compiling, sent))
    try:
        yield pool, compiling
    except BaseException:
        writer.close()  # what still runs is of no use any more
        raise
    finally:
        pool.shutdown(cancel_futures=True)
        writer.close()
        reader.close()


def _module_of(prepare: Callable[..., object]) -> str:
    """Return the module that a process needs first."""
    return (prepare.func if isinstance(prepare, partial) else prepare).__module__


_SENT: list[bytes] = []
"""The work of this process, if it is one of a pool."""


def _begin(parent: Connection, compiling: Event, work: bytes) -> None:
    """Get a process ready: Ctrl-C is the parent's business, and its end is ours."""
    _SENT.append(work)
    warnings.simplefilter("ignore", BrokenPlugin)  # the parent has told
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    telling_of_compilation(compiling.set).__enter__()  # as long as the process lives
    threading.Thread(target=_end_with, args=(parent,), daemon=True).start()


def _end_with(parent: Connection) -> None:
    parent.poll(None)  # nothing is ever sent: the end of the pipe is all that there is to read
    os._exit(0)


@cache
def _prepared() -> Callable[[Any], Any]:
    """Return the function of the pool's work, unpacked with the first task."""
    return unpacked(_SENT.pop()).prepare()


def _do(task: Any) -> Any:
    return _prepared()(task)
