"""Running cells on this machine."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from functools import partial
from itertools import islice
from multiprocessing import forkserver, get_context
from multiprocessing.connection import Connection
from multiprocessing.synchronize import Event
from typing import TypeVar

from swfx import InputError
from utilitysched.experiments.cell import Cell, CellResult, run_cell
from utilitysched.experiments.runner import Runner
from utilitysched.kernels.compiling import telling_of_compilation

Task = TypeVar("Task")
Result = TypeVar("Result")

AHEAD = 2
"""Cells in work or waiting per process: one more than it can do, so that it never waits."""


LOOK = 0.5
"""Seconds between looks at whether a process compiles."""


def processors() -> int:
    """Return how many processors this process may use."""
    return len(os.sched_getaffinity(0))


def local_runner(processes: int, on_compile: Callable[[], None] = lambda: None) -> Runner:
    """Return what runs cells in so many processes; one is this process itself.

    Parameters
    ----------
    processes : int
        At least 1.
    on_compile : callable
        Called once if other processes have to compile, which takes up to a minute.
    """
    if processes == 1:
        return in_this_process
    return partial(in_processes, processes=processes, on_compile=on_compile)


def in_this_process(cells: Iterable[Cell]) -> Iterator[tuple[Cell, CellResult]]:
    """Run one cell after the other."""
    return ((cell, run_cell(cell)) for cell in cells)


def in_processes(
    cells: Iterable[Cell], processes: int, on_compile: Callable[[], None]
) -> Iterator[tuple[Cell, CellResult]]:
    """Run cells in processes that end with this one, however it ends; see `local_runner`.

    Raises
    ------
    InputError
        A process was killed, for instance because memory ran out.
    """
    return work_in_processes(run_cell, cells, processes, on_compile)


def work_in_processes(
    work: Callable[[Task], Result],
    tasks: Iterable[Task],
    processes: int,
    on_compile: Callable[[], None],
) -> Iterator[tuple[Task, Result]]:
    """Do any work as `in_processes` runs cells; it and the tasks can be pickled."""
    left = iter(tasks)
    with _pool(processes) as (pool, compiling):
        told = False
        running: dict[Future[Result], Task] = {}
        while True:
            for task in islice(left, AHEAD * processes - len(running)):
                with _interrupts_later():  # it may start a process, which has to be waited for
                    running[pool.submit(work, task)] = task
            if not running:
                return
            done, _ = wait(running, None if told else LOOK, return_when=FIRST_COMPLETED)
            if compiling.is_set() and not told:
                told = True
                on_compile()
            for future in done:
                yield running.pop(future), _result(future)


def _result(future: Future[Result]) -> Result:
    try:
        return future.result()
    except BrokenProcessPool as error:
        raise InputError(
            "a process was killed while it worked, perhaps because memory ran out",
            remedy="run it again, with fewer --processes; what is finished is kept",
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
def _pool(processes: int) -> Iterator[tuple[ProcessPoolExecutor, Event]]:
    """Start processes that end when the block does, or this process dies; and when they compile."""
    context = get_context("forkserver")
    context.set_forkserver_preload(["utilitysched.experiments.cell"])
    with _deaf_to_interrupts():
        forkserver.ensure_running()
    reader, writer = context.Pipe(duplex=False)
    compiling = context.Event()
    pool = ProcessPoolExecutor(processes, context, _prepare, (reader, compiling))
    try:
        yield pool, compiling
    except BaseException:
        writer.close()  # what still runs is of no use any more
        raise
    finally:
        pool.shutdown(cancel_futures=True)
        writer.close()
        reader.close()


def _prepare(parent: Connection, compiling: Event) -> None:
    """Get a process ready: Ctrl-C is the parent's business, and its end is ours."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    telling_of_compilation(compiling.set).__enter__()  # as long as the process lives
    threading.Thread(target=_end_with, args=(parent,), daemon=True).start()


def _end_with(parent: Connection) -> None:
    parent.poll(None)  # nothing is ever sent: the end of the pipe is all that there is to read
    os._exit(0)
