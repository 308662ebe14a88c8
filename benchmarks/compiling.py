"""What a first start compiles: each variant of the event loop, and a usual command."""

import sys
import tempfile
from collections.abc import Iterator, Sequence

from benchmarks.row import Row
from benchmarks.timing import program

_JOBS = """
from swfx import Workload
from utilitysched import simulate
jobs = Workload.from_columns(
    submit=range(30), run=[40] * 30, requested_time=[90] * 30, processors=[2, 1] * 15,
    checkpoint_interval=[1] * 30, restart_overhead=[1] * 30,
)
"""
_PLAIN = _JOBS + "simulate(jobs, 'conservative', machine_size=3)"
_OUTAGES = (
    _JOBS + "simulate(jobs, 'conservative', machine_size=3, failures='nodes=3,mtbf=20,repair=5')"
)
_RESTARTS = _JOBS + "simulate(jobs, 'easy:restarts=true', machine_size=3, preemption='default')"
_SIMULATE = [
    "-m",
    "utilitysched",
    "simulate",
    "sample:",
    "-s",
    "easy",
    "-s",
    "value-density",
    "-s",
    "ga",
    "-q",
]


def measure() -> Iterator[Row]:
    """Time each program with an empty cache of compiled code, and again with what it left."""
    yield _row("compile the event loop", ["-c", _PLAIN], 16)
    yield _row("compile the loop with outages", ["-c", _OUTAGES], 16)
    yield _row("compile the loop with restarts", ["-c", _RESTARTS], 20)
    yield _row("compile simulate easy, value-density, ga", _SIMULATE, 25)


def _row(what: str, arguments: Sequence[str], target: float) -> Row:
    with tempfile.TemporaryDirectory() as folder:
        cold, warm = (
            program([sys.executable, *arguments], NUMBA_CACHE_DIR=folder).cpu for _ in range(2)
        )
    return Row(what, cold - warm, "CPU s", target, note=f"warm start {warm:.1f} s; once")
