"""One interface of all places where tasks run."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from swfx import InputError
from tests.utilitysched.workers.dask_processes import DaskProcesses
from tests.utilitysched.workers.sums import CHECKED, FEW, MANY, PREPARED, REFUSING
from utilitysched.workers.cluster import dask_executor
from utilitysched.workers.executor import Executor
from utilitysched.workers.local import ProcessExecutor, SerialExecutor
from utilitysched.workers.remote import UnfitWorker


def same_as_here(executor: Executor) -> None:
    """Check sums, of which each process has prepared its own once."""
    for work, whole in ((FEW, 6), (MANY, 499500)):
        PREPARED.clear()
        found = dict(executor.run(work, range(40)))
        assert found == {number: (number + whole, 1) for number in range(40)}


def refuses(executor: Executor) -> None:
    with pytest.raises(InputError, match="field number: -1 is negative"):
        list(executor.run(REFUSING, [1, -1]))


@pytest.mark.parametrize("executor", [SerialExecutor(), ProcessExecutor(2)])
def test_this_machine_does_any_work(executor: Executor) -> None:
    same_as_here(executor)
    refuses(executor)
    assert list(executor.run(CHECKED, [13])) == [(13, 13)], "nothing is checked here"


def test_a_cluster_does_any_work(dask: DaskProcesses) -> None:
    dask.worker()
    executor = dask_executor(dask.address)

    same_worker = dict(executor.run(MANY, range(40)))

    assert same_worker == {number: (number + 499500, 1) for number in range(40)}
    refuses(executor)
    with pytest.raises(UnfitWorker, match=r"^Dask worker on .*: there is no 13; build one$"):
        list(executor.run(CHECKED, [12, 13]))


def test_a_task_is_taken_when_there_is_room() -> None:
    taken: list[int] = []

    def offered() -> Iterator[int]:
        for number in range(100):
            taken.append(number)
            yield number

    results = SerialExecutor().run(REFUSING, offered())
    next(results)

    assert taken == [0]
