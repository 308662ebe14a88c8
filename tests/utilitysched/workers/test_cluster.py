"""Cells on Dask clusters of real processes: the same results, whatever happens to workers."""

from __future__ import annotations

import shutil
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

from swfx import InputError
from tests.utilitysched.workers.dask_processes import ROOT, DaskProcesses, kill
from utilitysched.experiments.cell import Cell, CellResult, run_cell
from utilitysched.experiments.files import named_files
from utilitysched.experiments.inputs import Inputs, Log
from utilitysched.experiments.work import CELLS
from utilitysched.workers import cluster
from utilitysched.workers.cluster import Cluster, ClusterLost, DaskExecutor, dask_executor, existing
from utilitysched.workers.remote import UnfitWorker, installation

SCHEDULERS = ("easy", "fcfs", "conservative", "saf", "ga:generations=3,population=6")
DEADLY = """
import os
from utilitysched.experiments import work as execution

run = vars(execution).setdefault("run", execution.run_cell)
execution.run_cell = lambda asked: os._exit(1) if asked.seed == 13 else run(asked)
"""
BUGGY = """
from utilitysched.experiments import work as execution

def run_cell(asked):
    return run_cell(asked)

execution.run_cell = run_cell
"""
LINE = "{job} {submit} 0 100 4 -1 -1 4 200 -1 1 1 1 -1 1 -1 -1 -1\n"


def grid(seeds: int) -> list[Cell]:
    return [
        Cell(
            Inputs(Log(f"model:lublin,jobs=30,machine_size=64,seed={seed}"), utility_seed=seed),
            name,
        )
        for seed in range(seeds)
        for name in SCHEDULERS
    ]


def serial(cells: list[Cell]) -> dict[str, CellResult]:
    return {cell.key: run_cell(cell) for cell in cells}


def collected(found: Iterator[tuple[Cell, CellResult]]) -> dict[str, CellResult]:
    results: dict[str, CellResult] = {}
    for cell, result in found:
        assert cell.key not in results
        results[cell.key] = result
    return results


def write_log(file: Path, jobs: int) -> None:
    lines = [LINE.format(job=job + 1, submit=10 * job) for job in range(jobs)]
    file.write_text("".join(lines), "utf-8")


@pytest.fixture(autouse=True)
def _sources_as_they_are() -> None:
    """Workers read the sources when they start: so does each test, should they be edited."""
    installation.cache_clear()


@pytest.mark.slow
def test_a_worker_killed_in_mid_run_loses_nothing(dask: DaskProcesses) -> None:
    cells = grid(8)
    expected = serial(cells)
    victim, survivor = dask.worker(), dask.worker()
    running = dask_executor(dask.address).run(CELLS, cells)
    first = collected(next(running) for _ in range(10))

    kill(victim)
    rest = collected(running)

    assert survivor.poll() is None
    assert first | rest == expected
    assert len(first) + len(rest) == len(cells) == 40


@pytest.mark.slow
def test_a_scheduler_that_dies_is_told_and_what_has_finished_is_there(dask: DaskProcesses) -> None:
    cells = grid(12)
    dask.worker()
    running = dask_executor(dask.address).run(CELLS, cells)
    first = [next(running) for _ in range(3)]

    kill(dask.scheduler)
    with pytest.raises(ClusterLost) as refusal:
        first.extend(running)

    assert all(result == run_cell(cell) for cell, result in first)
    assert len(first) < len(cells)
    assert str(refusal.value) == (
        f"the Dask cluster {dask.address} has gone, or has dropped our cells; "
        "what has finished is kept: run the same command again to go on"
    )


@pytest.mark.slow
def test_two_processes_on_this_machine_give_what_one_gives_errors_of_cells_too() -> None:
    bad = Cell(Inputs(Log("model:lublin,jobs=9,machine_size=64")), "esay")
    cells = [bad, *grid(2)]

    found = collected(dask_executor("local:2").run(CELLS, cells))

    assert found == serial(cells)
    assert (found[bad.key].error or "").startswith("unknown scheduler 'esay'; did you mean 'easy'?")


def test_a_worker_with_other_files_of_ours_is_refused(dask: DaskProcesses, tmp_path: Path) -> None:
    for package in ("swfx", "checkpoint", "pricing", "utilitysched"):
        shutil.copytree(ROOT / package, tmp_path / package)
    with (tmp_path / "utilitysched" / "engine" / "engine.py").open("a", encoding="utf-8") as source:
        source.write("\n")
    dask.worker(cwd=tmp_path, environment={"PYTHONPATH": str(tmp_path)})

    with pytest.raises(UnfitWorker) as refusal:
        collected(dask_executor(dask.address).run(CELLS, grid(1)))

    assert ": has other files of utilitysched: its results might differ; " in str(refusal.value)
    assert str(refusal.value).startswith(f"Dask worker on {socket.gethostname()}, process ")


@pytest.mark.parametrize(
    ("there", "said"),
    [
        (None, "log.swf cannot be found; every worker must see the same file under this path"),
        (9, "log.swf holds other bytes than where the experiment runs; every worker must see"),
    ],
)
def test_a_worker_must_see_the_same_file(
    dask: DaskProcesses,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    there: int | None,
    said: str,
) -> None:
    (tmp_path / "here").mkdir()
    (tmp_path / "there").mkdir()
    write_log(tmp_path / "here" / "log.swf", 5)
    if there:
        write_log(tmp_path / "there" / "log.swf", there)
    monkeypatch.chdir(tmp_path / "here")
    cell = Cell(Inputs(Log("log.swf", machine_size=64), files=named_files("log.swf")), "easy")
    assert run_cell(cell).metrics["jobs"] == 5
    dask.worker(cwd=tmp_path / "there")

    with pytest.raises(UnfitWorker) as refusal:
        collected(dask_executor(dask.address).run(CELLS, [cell]))

    assert said in str(refusal.value)


def test_what_no_cell_should_do_is_a_bug_with_its_trace(
    dask: DaskProcesses, tmp_path: Path
) -> None:
    (tmp_path / "buggy.py").write_text(BUGGY, "utf-8")
    dask.worker("--preload", tmp_path / "buggy.py")

    with pytest.raises(RuntimeError) as bug:
        collected(dask_executor(dask.address).run(CELLS, grid(1)))

    assert str(bug.value).startswith("a Dask worker could not run a cell: Traceback ")
    assert "RecursionError: maximum recursion depth exceeded" in str(bug.value)


@pytest.mark.slow
def test_a_cell_that_kills_its_workers_is_one_cell_with_an_error(
    one_death: None, dask: DaskProcesses, tmp_path: Path
) -> None:
    good = grid(1)[0]
    deadly = replace(good, seed=13)
    expected = serial([good])
    (tmp_path / "deadly.py").write_text(DEADLY, "utf-8")

    with dask.replaced_worker("--preload", tmp_path / "deadly.py"):
        found = collected(dask_executor(dask.address).run(CELLS, [deadly, good]))

    assert found.pop(good.key) == expected[good.key]
    (result,) = found.values()
    assert result.error == (
        "its workers have died, one after the other; give them more memory, and see their logs"
    )


def test_a_cluster_without_workers_is_given_up(
    dask: DaskProcesses, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cluster, "LOOK", 0.1)
    told: list[str] = []

    with pytest.raises(ClusterLost) as refusal:
        collected(DaskExecutor(partial(impatient, dask.address), told.append).run(CELLS, grid(1)))

    assert told == [f"{dask.address} has no workers: waiting for them"]
    assert str(refusal.value).startswith(
        f"the Dask cluster {dask.address} has been without workers for 0 s; what has finished"
    )


@contextmanager
def impatient(address: str) -> Iterator[Cluster]:
    with existing(address) as cluster:
        yield replace(cluster, patience=0.3)


@pytest.mark.parametrize("address", ["tcp://127.0.0.1:1", "nonsense://there:1"])
def test_no_scheduler_is_told_with_its_address(address: str) -> None:
    with pytest.raises(InputError) as refusal:
        collected(dask_executor(address).run(CELLS, grid(1)))

    assert str(refusal.value).startswith(f"no Dask scheduler answers at {address}: ")
    assert str(refusal.value).endswith("as in tcp://host:8786")


@pytest.mark.parametrize("text", ["nonsense", "", "tcp://", "host:port"])
def test_what_is_no_address_is_refused_at_once(text: str) -> None:
    with pytest.raises(InputError) as refusal:
        dask_executor(text)

    assert str(refusal.value) == (
        f"field `dask`: {text!r} is no address; "
        "give the address that `dask scheduler` prints, as in tcp://host:8786"
    )


def test_where_nothing_listens_no_client_is_made(monkeypatch: pytest.MonkeyPatch) -> None:
    """One that fails to connect prints what it was doing when it is thrown away."""
    monkeypatch.setattr("distributed.Client", None)

    with pytest.raises(InputError, match=r"no Dask scheduler answers at tcp://127\.0\.0\.1:1: "):
        collected(dask_executor("tcp://127.0.0.1:1").run(CELLS, grid(1)))


@pytest.mark.parametrize("text", ["local:", "local:0", "local:many", "local:-1", "local:2.5"])
def test_a_number_of_processes_is_a_number_from_1(text: str) -> None:
    with pytest.raises(InputError, match="is not local:N with N from 1"):
        dask_executor(text)
