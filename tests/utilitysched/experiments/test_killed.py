"""The table of an experiment is the same, however it came about."""

from __future__ import annotations

import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.effort import calls_made
from tests.utilitysched.experiments.small import SMALL, small, small_file
from tests.utilitysched.workers.dask_processes import DaskProcesses, kill
from tests.warm import Started
from utilitysched.experiments.cell import Cell
from utilitysched.experiments.grid import cells
from utilitysched.experiments.store import Store
from utilitysched.experiments.work import CELLS
from utilitysched.workers.local import local_executor

LARGE = (
    SMALL.replace('["0:20", "20:40"]', '["0:20", "10:30", "20:40", "30:50", "40:60"]')
    .replace("jobs=40", "jobs=60")
    .replace("[1, 2]", "[1, 2, 3]")
    .replace('"fcfs"', '"fcfs", "saf", "conservative"')
    .replace("repeats = 2", "repeats = 4")
)
SIMULATIONS = 120
"""Of it: 5 slices x 3 draws x (4 schedulers that draw nothing + 4 runs of one that does)."""

TABLES = LARGE.replace("[report]", '[report]\ntables = ["terminal", "csv"]')

ONE = """\
[[workload]]
source = "model:lublin,jobs={},machine_size=64,seed=3"
[schedulers]
names = ["easy", "fcfs"]
"""

OUTPUTS = ("results.csv", "comparisons.csv")


def run(file: Path, store: Path, *where: object) -> Started:
    """Start a run in a session of its own; `where` are its options."""
    return Started("experiment", "run", file, "--store", store, *where)


def outcome(file: Path, store: Path, processes: int) -> tuple[bytes, ...]:
    """Run to the end; what is printed and what is written."""
    return ended(run(file, store, "--processes", processes), file, store)


def ended(process: Started, file: Path, store: Path) -> tuple[bytes, ...]:
    printed, said = process.communicate()
    assert process.returncode == 0, said.decode()
    folder = store / file.stem
    return printed, *((folder / name).read_bytes() for name in OUTPUTS)


def finished(store: Path) -> int:
    return len(list(store.glob("cells/*/*.json")))


def await_more(store: Path, more: int, process: Started) -> None:
    before = finished(store)
    while finished(store) < before + more and process.poll() is None:
        time.sleep(0.001)


def stopped(process: Started, store: Path, more: int, how: int) -> bytes:
    """Send a signal when so many more cells are finished; what was said until then."""
    await_more(store, more, process)
    process.send_signal(how)
    return process.communicate()[1]


def members(group: int) -> list[int]:
    """Processes of a session."""
    found = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = stat.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if int(fields[3]) == group and fields[0] != "Z":
            found.append(int(stat.parent.name))
    return found


def gone(group: int) -> bool:
    until = time.monotonic() + 600
    while members(group) and time.monotonic() < until:
        time.sleep(0.05)
    return not members(group)


@contextmanager
def held_back(store: Path, grid: list[Cell]) -> Iterator[None]:
    """Claim cells: a run is not over before we leave them, however late we look."""
    with Store(store) as mine:
        assert all(mine.claim(cell) or mine.get(cell) for cell in grid)
        yield


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> tuple[bytes, ...]:
    """What one process prints and writes that nobody disturbs."""
    folder = tmp_path_factory.mktemp("undisturbed")
    found = outcome(small_file(folder, TABLES), folder / "store", 1)
    assert finished(folder / "store") == SIMULATIONS
    return found


@pytest.mark.slow
def test_killed_twice_and_a_dask_worker_lost_it_ends_like_undisturbed(
    undisturbed: tuple[bytes, ...], tmp_path: Path
) -> None:
    file, store = small_file(tmp_path, TABLES), tmp_path / "store"
    grid = cells(small(tmp_path, TABLES)[1])

    with DaskProcesses(tmp_path) as dask:
        victim, survivor = dask.worker(), dask.worker()
        here, there = ("--processes", 2), ("--dask", dask.address)
        for more, where in ((7, here), (21, there)):
            with held_back(store, grid[4 * more :]):
                process = run(file, store, *where)
                stopped(process, store, more, signal.SIGKILL)
            assert process.returncode == -signal.SIGKILL
            assert gone(process.pid), "a killed run leaves no process behind"
            assert not (store / file.stem / "results.csv").exists()
        left = SIMULATIONS - finished(store)
        with held_back(store, grid[-8:]):
            process = run(file, store, *there)
            await_more(store, 20, process)
            kill(victim)
        killed = ended(process, file, store)
        assert survivor.poll() is None

    assert SIMULATIONS - 84 <= left <= SIMULATIONS - 28
    assert killed == undisturbed
    assert finished(store) == SIMULATIONS
    assert list(store.glob("cells/*/.*")) == []


@pytest.mark.slow
def test_two_processes_write_what_one_does(undisturbed: tuple[bytes, ...], tmp_path: Path) -> None:
    assert outcome(small_file(tmp_path, TABLES), tmp_path / "two", 2) == undisturbed


@pytest.mark.slow
def test_ctrl_c_leaves_what_is_finished_and_nobody_behind(tmp_path: Path) -> None:
    file = small_file(tmp_path, LARGE)
    with held_back(tmp_path / "store", cells(small(tmp_path, LARGE)[1])[40:]):
        process = run(file, tmp_path / "store", "--processes", 2)
        said = stopped(process, tmp_path / "store", 20, signal.SIGINT)

    assert process.returncode == 130
    assert said.decode().endswith("error: interrupted; the files written so far are complete\n")
    assert b"Traceback" not in said
    assert gone(process.pid)
    store = Store(tmp_path / "store")
    left = store.missing(cells(small(tmp_path, LARGE)[1]))
    assert SIMULATIONS - 40 <= len(left) <= SIMULATIONS - 20


@pytest.mark.slow
def test_little_is_added_to_a_simulation_however_many_jobs_it_has(tmp_path: Path) -> None:
    small_grid = cells(small(tmp_path, ONE.format(60))[1])
    large_grid = cells(small(tmp_path, ONE.format(3000))[1])

    few, many = (added(grid, tmp_path / "store") for grid in (small_grid, large_grid))

    print(f"{few} calls in a cell of 60 jobs, {many} in one of 3000")
    assert few < many < few + 100
    assert few < 6000


def added(grid: list[Cell], path: Path) -> int:
    """Functions that are called for a cell beyond its simulation, once its workload is there."""
    executor = local_executor(1)

    def complete(each: Cell) -> None:
        assert store.claim(each)
        ((_, result),) = executor.run(CELLS, [each])
        store.put(each, result)
        assert result.error is None

    with Store(path) as store:
        complete(grid[0])
        return calls_made(lambda: complete(grid[1]), "simulate")
