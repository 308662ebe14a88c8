"""Processes on this machine: the same results, and none is left behind."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import forkserver
from pathlib import Path
from typing import Any

import pytest

from swfx import InputError
from tests.utilitysched.experiments.small import SMALL, small, small_cell
from tests.utilitysched.workers.sums import FALLING
from utilitysched.experiments.cell import Cell, run_cell
from utilitysched.experiments.grid import cells
from utilitysched.experiments.work import CELLS
from utilitysched.workers.local import (
    KILLED,
    ProcessExecutor,
    SerialExecutor,
    local_executor,
    processors,
    standing_processes,
)


def test_results_do_not_depend_on_the_number_of_processes(tmp_path: Path) -> None:
    grid = cells(small(tmp_path, SMALL)[1])

    serial = {cell.key: result for cell, result in local_executor(1).run(CELLS, grid)}
    parallel = {cell.key: result for cell, result in local_executor(2).run(CELLS, grid)}

    assert list(serial) == [cell.key for cell in grid]
    assert parallel == serial


def test_cells_are_taken_when_there_is_room() -> None:
    taken = []

    def offered() -> Iterator[Cell]:
        for seed in range(100):
            taken.append(seed)
            yield small_cell(seed=seed)

    results = ProcessExecutor(2).run(CELLS, offered())
    next(results)
    results.close()  # type: ignore[attr-defined]

    assert len(taken) <= 5


def test_standing_processes_stand_up_again() -> None:
    with standing_processes(1, FALLING) as submit:
        assert [submit(number).result() for number in (1, 2)] == [1, 2]
        with pytest.raises(KILLED):
            submit(-1).result()
        assert submit(3).result() == 3


def test_a_mistake_comes_back_from_a_process() -> None:
    cell = small_cell("no-such-scheduler")

    ((_, result),) = ProcessExecutor(2).run(CELLS, [cell])

    assert result.error == run_cell(cell).error
    assert (result.error or "").startswith("unknown scheduler 'no-such-scheduler'")


def test_a_killed_process_is_told() -> None:
    others = _workers()  # of earlier tests, on their way out

    def offered() -> Iterator[Cell]:
        yield small_cell()
        yield small_cell(seed=1)
        os.kill(_new_worker(others), signal.SIGKILL)
        yield from (small_cell(seed=seed) for seed in range(2, 40))

    with pytest.raises(InputError, match="a process was killed while it worked"):
        list(ProcessExecutor(1).run(CELLS, offered()))


def _new_worker(others: set[int]) -> int:
    until = time.monotonic() + 300
    while time.monotonic() < until:
        for worker in _workers() - others:
            return worker
        time.sleep(0.01)
    raise AssertionError("no process was started")


def _workers() -> set[int]:
    """Grandchildren: the fork server is our child, workers are its."""
    return {worker for child in _children(os.getpid()) for worker in _children(child)}


def _children(process: int) -> list[int]:
    try:
        listed = Path(f"/proc/{process}/task/{process}/children").read_text()
    except (FileNotFoundError, ProcessLookupError):  # it has ended
        return []
    return [int(each) for each in listed.split()]


def test_what_starts_processes_ignores_interrupts_from_the_beginning(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """It imports for seconds before it would say so itself, and Ctrl-C reaches it, too."""
    before = signal.getsignal(signal.SIGINT)
    meanwhile = []
    ensure_running = forkserver.ensure_running

    def observed() -> None:
        meanwhile.append(signal.getsignal(signal.SIGINT))
        ensure_running()

    monkeypatch.setattr(forkserver, "ensure_running", observed)
    list(local_executor(2).run(CELLS, [small_cell()]))

    assert meanwhile[0] == signal.SIG_IGN
    assert signal.getsignal(signal.SIGINT) == before


def test_an_interrupt_waits_until_a_process_has_started(monkeypatch: pytest.MonkeyPatch) -> None:
    submit = ProcessPoolExecutor.submit
    submitted = []

    def interrupted(*given: Any) -> Any:
        signal.raise_signal(signal.SIGINT)
        submitted.append(submit(*given))
        return submitted[-1]

    monkeypatch.setattr(ProcessPoolExecutor, "submit", interrupted)
    with pytest.raises(KeyboardInterrupt):
        list(local_executor(2).run(CELLS, [small_cell()]))

    assert len(submitted) == 1


def test_there_is_a_processor() -> None:
    assert 1 <= processors() <= (os.cpu_count() or 1)
    assert isinstance(local_executor(1), SerialExecutor)
