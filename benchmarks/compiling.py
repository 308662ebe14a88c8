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
_NAMES = ("easy", "value-density", "ga")
_SIMULATE = ["-m", "utilitysched", "simulate", "sample:", *(f"-s{name}" for name in _NAMES)]


def measure() -> Iterator[Row]:
    """Time each program with an empty cache of compiled code, and again with what it left."""
    yield _row("compile the event loop", ["-c", _PLAIN])
    yield _row("compile the loop with outages", ["-c", _OUTAGES])
    yield _row("compile the loop with restarts", ["-c", _RESTARTS])
    yield _row("compile easy, value-density and ga", _SIMULATE)


def _row(what: str, arguments: Sequence[str]) -> Row:
    with tempfile.TemporaryDirectory() as folder:
        cold, warm = (
            program([sys.executable, *arguments], NUMBA_CACHE_DIR=folder).cpu for _ in range(2)
        )
    return Row(what, cold - warm, "CPU s", note=f"warm start {warm:.1f} s; once")
