"""The table of an experiment is the same, however it came about."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from statistics import quantiles

import pytest

from tests.utilitysched.experiments.small import SMALL, small, small_file
from tests.utilitysched.workers.dask_processes import DaskProcesses, kill
from utilitysched import Schedule, simulate
from utilitysched.experiments import cell
from utilitysched.experiments.cell import Cell
from utilitysched.experiments.execution import CELLS
from utilitysched.experiments.grid import cells
from utilitysched.experiments.store import Store
from utilitysched.workers.local import local_executor

ROOT = Path(__file__).parents[3]
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

BLUE = """\
[[workload]]
source = "{}/SDSC-BLUE-2000-4.2-cln.swf.gz"
jobs = "5000:10000"
[utilities]
seeds = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]
[schedulers]
names = ["easy", "fcfs", "saf", "lexp", "priority-fifo"]
"""

PATIENCE = 600
"""For what takes seconds where nothing else is run (s)."""

OUTPUTS = ("results.csv", "results.parquet", "comparisons.csv")


def run(file: Path, store: Path, *where: object) -> subprocess.Popen[bytes]:
    """Start a run in a process group of its own; `where` are its options."""
    words = ["experiment", "run", str(file), "--store", str(store), *map(str, where)]
    return subprocess.Popen(
        [sys.executable, "-m", "utilitysched", *words],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )


def outcome(file: Path, store: Path, processes: int) -> tuple[bytes, ...]:
    """Run to the end; what is printed and what is written."""
    return ended(run(file, store, "--processes", processes), file, store)


def ended(process: subprocess.Popen[bytes], file: Path, store: Path) -> tuple[bytes, ...]:
    printed, said = process.communicate(timeout=PATIENCE)
    assert process.returncode == 0, said.decode()
    folder = store / file.stem
    return printed, *((folder / name).read_bytes() for name in OUTPUTS)


def finished(store: Path) -> int:
    return len(list(store.glob("cells/*/*.json")))


def await_more(store: Path, more: int, process: subprocess.Popen[bytes]) -> None:
    before = finished(store)
    until = time.monotonic() + PATIENCE
    while finished(store) < before + more and process.poll() is None:
        assert time.monotonic() < until
        time.sleep(0.001)


def stopped(process: subprocess.Popen[bytes], store: Path, more: int, how: int) -> bytes:
    """Send a signal when so many more cells are finished; what was said until then."""
    await_more(store, more, process)
    os.kill(process.pid, how)
    return process.communicate(timeout=PATIENCE)[1]


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
    until = time.monotonic() + PATIENCE
    while members(group) and time.monotonic() < until:
        time.sleep(0.05)
    return not members(group)


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

    with DaskProcesses(tmp_path) as dask:
        victim, survivor = dask.worker(), dask.worker()
        here, there = ("--processes", 2), ("--dask", dask.address)
        for more, where in ((7, here), (21, there)):
            process = run(file, store, *where)
            stopped(process, store, more, signal.SIGKILL)
            assert process.returncode == -signal.SIGKILL
            assert gone(process.pid), "a killed run leaves no process behind"
            assert not (store / file.stem / "results.csv").exists()
        left = SIMULATIONS - finished(store)
        process = run(file, store, *there)
        await_more(store, 20, process)
        assert finished(store) < SIMULATIONS
        kill(victim)
        killed = ended(process, file, store)
        assert survivor.poll() is None

    assert 20 < left <= SIMULATIONS - 28
    assert killed == undisturbed
    assert finished(store) == SIMULATIONS
    assert list(store.glob("cells/*/.*")) == list((store / "owners").iterdir()) == []


@pytest.mark.slow
def test_two_processes_write_what_one_does(undisturbed: tuple[bytes, ...], tmp_path: Path) -> None:
    assert outcome(small_file(tmp_path, TABLES), tmp_path / "two", 2) == undisturbed


@pytest.mark.slow
def test_ctrl_c_leaves_what_is_finished_and_nobody_behind(tmp_path: Path) -> None:
    file = small_file(tmp_path, LARGE)
    process = run(file, tmp_path / "store", "--processes", 2)

    said = stopped(process, tmp_path / "store", 20, signal.SIGINT)

    assert process.returncode == 130
    assert said.decode().endswith("error: interrupted; the files written so far are complete\n")
    assert b"Traceback" not in said
    assert gone(process.pid)
    store = Store(tmp_path / "store")
    left = store.missing(cells(small(tmp_path, LARGE)[1]))
    assert 0 < len(left) <= SIMULATIONS - 20
    assert list((tmp_path / "store" / "owners").iterdir()) == []


@pytest.mark.slow
def test_two_runs_share_a_store(tmp_path: Path) -> None:
    file = small_file(tmp_path, LARGE)
    first = run(file, tmp_path / "store", "--processes", 1)
    second = run(file, tmp_path / "store", "--processes", 1)

    printed = [process.communicate(timeout=PATIENCE)[0] for process in (first, second)]

    assert first.returncode == second.returncode == 0
    assert printed[0] == printed[1] != b""
    assert finished(tmp_path / "store") == SIMULATIONS
    assert list((tmp_path / "store" / "claims").glob("[0-9a-f]*")) == []


@pytest.fixture
def simulating(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """How long each simulation took of the processor (s)."""
    taken = []

    def timed(*arguments: object, **options: object) -> Schedule:
        began = time.process_time()
        schedule = simulate(*arguments, **options)  # type: ignore[arg-type]
        taken.append(time.process_time() - began)
        return schedule

    monkeypatch.setattr(cell, "simulate", timed)
    return taken


def added_per_cell(grid: list[Cell], path: Path, simulating: list[float]) -> float:
    """Seconds of the processor beyond the simulation itself, of the quickest tenth of the cells."""
    list(local_executor(1).run(CELLS, grid[:20]))  # compiled, and the log read
    added = []
    with Store(path) as store:
        for each in grid:
            began = time.process_time()
            assert store.claim(each)
            ((_, result),) = local_executor(1).run(CELLS, [each])
            store.put(each, result)
            added.append(time.process_time() - began - simulating[-1])
    return quantiles(added, n=10)[0]


@pytest.mark.slow
def test_little_is_added_to_the_time_of_a_small_simulation(
    tmp_path: Path, simulating: list[float]
) -> None:
    added = added_per_cell(cells(small(tmp_path, LARGE)[1]), tmp_path / "store", simulating)

    print(f"{1000 * added:.1f} ms per cell of 20 jobs")
    assert added < 0.020


@pytest.mark.slow
def test_little_is_added_to_the_time_of_a_large_simulation(
    tmp_path: Path, traces: Path, simulating: list[float]
) -> None:
    grid = cells(small(tmp_path, BLUE.format(traces))[1])
    added = added_per_cell(grid, tmp_path / "store", simulating)

    print(f"{1000 * added:.1f} ms per cell of 5000 jobs")
    assert len(grid) == 50
    assert added < 0.020
