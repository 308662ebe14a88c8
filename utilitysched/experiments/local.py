"""Running cells on this machine."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from itertools import islice
from multiprocessing import get_context
from multiprocessing.connection import Connection

from swfx import InputError
from utilitysched.experiments.cell import Cell, CellResult, run_cell
from utilitysched.experiments.runner import Runner

AHEAD = 2
"""Cells in work or waiting per process: one more than it can do, so that it never waits."""


def processors() -> int:
    """Return how many processors this process may use."""
    return len(os.sched_getaffinity(0))


def local_runner(processes: int) -> Runner:
    """Return what runs cells in so many processes; one is this process itself."""
    if processes == 1:
        return in_this_process

    def run(cells: Iterable[Cell]) -> Iterator[tuple[Cell, CellResult]]:
        return in_processes(cells, processes)

    return run


def in_this_process(cells: Iterable[Cell]) -> Iterator[tuple[Cell, CellResult]]:
    """Run one cell after the other."""
    return ((cell, run_cell(cell)) for cell in cells)


def in_processes(cells: Iterable[Cell], processes: int) -> Iterator[tuple[Cell, CellResult]]:
    """Run cells in processes that end with this one, however it ends.

    Raises
    ------
    InputError
        A process was killed, for instance because memory ran out.
    """
    left = iter(cells)
    with _pool(processes) as pool:
        running: dict[Future[CellResult], Cell] = {}
        while True:
            for cell in islice(left, AHEAD * processes - len(running)):
                running[pool.submit(run_cell, cell)] = cell
            if not running:
                return
            done, _ = wait(running, return_when=FIRST_COMPLETED)
            for future in done:
                yield running.pop(future), _result(future)


def _result(future: Future[CellResult]) -> CellResult:
    try:
        return future.result()
    except BrokenProcessPool as error:
        raise InputError(
            "a process that runs cells was killed, perhaps because memory ran out",
            remedy="run it again, with fewer --processes; finished cells are kept",
        ) from error


@contextmanager
def _pool(processes: int) -> Iterator[ProcessPoolExecutor]:
    """Start processes; they end when the block does, or this process dies."""
    context = get_context("forkserver")
    context.set_forkserver_preload(["utilitysched.experiments.cell"])
    reader, writer = context.Pipe(duplex=False)
    pool = ProcessPoolExecutor(processes, context, _prepare, (reader,))
    try:
        yield pool
    except BaseException:
        writer.close()  # what still runs is of no use any more
        raise
    finally:
        pool.shutdown(cancel_futures=True)
        writer.close()
        reader.close()


def _prepare(parent: Connection) -> None:
    """Get a process ready: Ctrl-C is the parent's business, and its end is ours."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with, args=(parent,), daemon=True).start()


def _end_with(parent: Connection) -> None:
    parent.poll(None)  # nothing is ever sent: the end of the pipe is all that there is to read
    os._exit(0)
