"""Two hundred cells, three runs killed and a Dask worker lost: the table is the undisturbed one."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.utilitysched.experiments.dask_processes import DaskProcesses, kill
from tests.utilitysched.experiments.small import small_file
from tests.utilitysched.experiments.test_killed import (
    LARGE,
    OUTPUTS,
    ROOT,
    finished,
    outcome,
    stopped,
)


def run(file: Path, store: Path, address: str) -> subprocess.Popen[bytes]:
    words = ["experiment", "run", str(file), "--store", str(store), "--dask", address]
    return subprocess.Popen(
        [sys.executable, "-m", "utilitysched", *words],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )


@pytest.mark.slow
def test_killed_three_times_and_a_worker_lost_it_ends_like_undisturbed(tmp_path: Path) -> None:
    text = LARGE.replace("[report]", '[report]\ntables = ["terminal", "csv"]')
    file, store = small_file(tmp_path, text), tmp_path / "store"
    serial = outcome(file, tmp_path / "serial", 1)
    (tmp_path / "dask").mkdir()

    with DaskProcesses(tmp_path / "dask") as dask:
        victim, survivor = dask.worker(), dask.worker()
        for more in (7, 40, 61):
            process = run(file, store, dask.address)
            stopped(process, store, more, signal.SIGKILL)
            assert process.returncode == -signal.SIGKILL
        assert 108 <= finished(store) < 190
        process = run(file, store, dask.address)
        before = finished(store)
        while finished(store) < before + 5:
            assert process.poll() is None, dask.logs()
        kill(victim)
        printed, said = process.communicate(timeout=120)
        assert survivor.poll() is None

    assert process.returncode == 0, said.decode()
    folder = store / file.stem
    assert (printed, *((folder / name).read_bytes() for name in OUTPUTS)) == serial
    assert finished(store) == 200
