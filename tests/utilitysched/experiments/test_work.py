"""Running a grid: every cell once, whatever happens."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

from swfx import InputError
from tests.utilitysched.experiments.small import HALF_FAILS, SIMULATIONS, SMALL, small
from utilitysched.experiments import work as grid_work
from utilitysched.experiments.cell import Cell, run_cell
from utilitysched.experiments.grid import cells
from utilitysched.experiments.store import Store
from utilitysched.experiments.work import run_missing
from utilitysched.workers.executor import Result, Task, Work
from utilitysched.workers.local import SerialExecutor


class Counted:
    """An executor of cells that knows what it has run."""

    def __init__(self, most: int = 1000) -> None:
        self.most = most
        self.ran: list[str] = []

    def run(self, work: Work[Task, Result], tasks: Iterable[Task]) -> Iterator[tuple[Task, Result]]:
        do = work.prepare()
        for cell in tasks:
            assert isinstance(cell, Cell)
            if len(self.ran) == self.most:
                raise KeyboardInterrupt
            self.ran.append(cell.key)
            yield cell, do(cell)


def whole(folder: Path, text: str = SMALL) -> list[Cell]:
    return cells(small(folder, text)[1])


def test_what_is_finished_is_not_run_again(tmp_path: Path) -> None:
    grid = whole(tmp_path)
    first, second = Counted(), Counted()
    shares: list[float] = []
    for executor in (first, second):
        with Store(tmp_path / "store") as store:
            assert run_missing(grid, store, executor, shares.append) == []

    assert first.ran == [cell.key for cell in grid]
    assert second.ran == []
    assert shares == [(i + 1) / SIMULATIONS for i in range(SIMULATIONS)]


def test_an_interrupted_run_goes_on_where_it_was(tmp_path: Path) -> None:
    grid = whole(tmp_path)
    first, second = Counted(most=5), Counted()
    with pytest.raises(KeyboardInterrupt), Store(tmp_path / "store") as store:
        run_missing(grid, store, first)
    with Store(tmp_path / "store") as store:
        run_missing(grid, store, second)

    assert len(first.ran) == 5
    assert first.ran + second.ran == [cell.key for cell in grid]


def test_a_cell_that_fails_takes_no_other_with_it(tmp_path: Path) -> None:
    grid = whole(tmp_path, HALF_FAILS)

    with Store(tmp_path / "store") as store:
        failures = run_missing(grid, store, SerialExecutor())

        assert len(failures) == SIMULATIONS / 2
        assert all("filter:user=9999" in failure.cell.title for failure in failures)
        assert failures[0].reason.startswith("filter:user=9999: leaves none of 20 jobs")
        assert len(store.missing(grid)) == SIMULATIONS / 2


def test_an_error_of_the_place_is_raised(tmp_path: Path) -> None:
    class Lost(SerialExecutor):
        def run(
            self, work: Work[Task, Result], tasks: Iterable[Task]
        ) -> Iterator[tuple[Task, Result]]:
            yield next(super().run(work, tasks))
            raise InputError("the cluster is gone")

    with pytest.raises(InputError, match="the cluster is gone"), Store(tmp_path / "s") as store:
        run_missing(whole(tmp_path), store, Lost())

    assert len(Store(tmp_path / "s").missing(whole(tmp_path))) == SIMULATIONS - 1


def test_two_at_once_run_each_cell_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(grid_work, "POLL", 0.01)
    grid = whole(tmp_path)
    executors = [Counted(), Counted()]

    def work(executor: Counted) -> None:
        with Store(tmp_path / "store") as store:
            run_missing(grid, store, executor)

    threads = [threading.Thread(target=work, args=(executor,)) for executor in executors]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert sorted(executors[0].ran + executors[1].ran) == sorted(cell.key for cell in grid)
    assert Store(tmp_path / "store").missing(grid) == []


def test_nothing_is_waited_for_when_another_finishes_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(grid_work, "POLL", 0.01)
    grid = whole(tmp_path)
    other = Store(tmp_path / "store")
    for cell in grid:
        assert other.claim(cell)
    executor = Counted()
    timer = threading.Timer(0.05, lambda: [other.put(cell, run_cell(cell)) for cell in grid])
    timer.start()

    with Store(tmp_path / "store") as store:
        assert run_missing(grid, store, executor) == []

    assert executor.ran == []
    other.close()
