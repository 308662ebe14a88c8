"""Running a grid: every cell once, whatever happens."""

from __future__ import annotations

import multiprocessing
import sys
import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest

from swfx import InputError
from tests.utilitysched.experiments.small import HALF_FAILS, SIMULATIONS, SMALL, small
from utilitysched.analysis.metrics import metric
from utilitysched.analysis.metrics.catalogue import METRICS
from utilitysched.experiments.cell import Cell, run_cell
from utilitysched.experiments.grid import cells
from utilitysched.experiments.store import Store
from utilitysched.experiments.work import run_experiment, run_missing
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


ONE = """\
[workload]
source = "sample:"
jobs = "0:20"
[schedulers]
names = ["easy"]
[report]
metrics = ["wait_mean"]
"""


def test_only_comparisons_need_scipy_and_say_so_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "scipy", None)
    file, store = tmp_path / "grid.toml", tmp_path / "store"
    file.write_text(ONE.replace('"easy"', '"easy", "fcfs"'))
    with pytest.raises(InputError, match="a test of significance needs scipy"):
        run_experiment(file, store, processes=1)
    assert not list(store.rglob("*.json"))

    file.write_text(ONE)
    assert len(run_experiment(file, store, processes=1).runs) == 1


def test_a_metric_whose_edits_nobody_notices_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("utilitysched.analysis.metrics.catalogue.METRICS", {**METRICS})
    metric("mine")(lambda *_: 2.0)
    file = tmp_path / "grid.toml"
    file.write_text(ONE.replace("wait_mean", "mine"))

    with pytest.raises(InputError, match="the metric 'mine' is of no plug-in, so"):
        run_experiment(file, processes=1)


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


def run_all(folder: Path, ran: Any) -> None:
    """Run the grid in a process of its own; put the keys of the cells that it ran into `ran`."""
    executor = Counted()
    with Store(folder / "store") as store:
        run_missing(whole(folder), store, executor)
    ran.put(executor.ran)


def test_two_processes_run_each_cell_once(tmp_path: Path) -> None:
    grid = whole(tmp_path)
    context = multiprocessing.get_context("spawn")
    ran = context.Queue()
    with Store(tmp_path / "store") as store:
        assert all(store.claim(cell) for cell in grid[4:])
        processes = [context.Process(target=run_all, args=(tmp_path, ran)) for _ in range(2)]
        for process in processes:
            process.start()
        while len(store.missing(grid[:4])):
            time.sleep(0.01)
        for cell in grid[4:8]:
            store.put(cell, run_cell(cell))
    keys = [key for _ in processes for key in ran.get()]
    for process in processes:
        process.join()

    assert sorted(keys) == sorted(cell.key for cell in (*grid[:4], *grid[8:]))
    assert Store(tmp_path / "store").missing(grid) == []
