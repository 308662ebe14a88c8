"""Commitments to a log: made when it is read, and held against it when it is billed."""

from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import swfx
from benchmarks.logs import BLUE, path
from benchmarks.row import Row
from benchmarks.timing import race
from pricing.commitments import changed_jobs, commit, read_commitments, write_commitments
from swfx import Workload
from utilitysched.engine.valued import ensure

SECRET = b"secret of a benchmark"
SECONDS = 1.5
"""At most, to commit to the log."""


def measure() -> Iterator[Row]:
    """Commit to SDSC-BLUE with drawn curves, and check it."""
    loaded = swfx.read(path(BLUE)).workload
    jobs = ensure(loaded, "default", 0, classes=None, say=lambda _: None).workload
    with TemporaryDirectory() as folder:
        file = Path(folder) / "commitments.csv"
        timed = race({"commit": lambda: _commit(jobs, file), "check": lambda: _check(jobs, file)})
        size = file.stat().st_size
    points = len(jobs.utility.times)
    note = f"CPU s of {len(jobs):,} jobs, {points:,} points; the file has {size / 1e6:.0f} MB"
    yield Row("commit to SDSC-BLUE", timed.median("commit"), "s", SECONDS, note=note)
    yield Row("check SDSC-BLUE", timed.median("check"), "s", note="CPU s")


def _commit(jobs: Workload, file: Path) -> None:
    write_commitments(file, commit(jobs, SECRET))


def _check(jobs: Workload, file: Path) -> None:
    assert changed_jobs(jobs, read_commitments(file), SECRET) == []
