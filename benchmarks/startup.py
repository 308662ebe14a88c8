"""What the command line takes before it computes, and on the first start after installing."""

import sys
import tempfile
from collections.abc import Iterator
from statistics import median

from benchmarks.row import Row
from benchmarks.timing import ROUNDS, Finished, program

COMMAND = (sys.executable, "-m", "utilitysched")
SIMULATE = ("simulate", "sample:", "--scheduler", "easy")


def measure() -> Iterator[Row]:
    """Run the command line as programs of their own."""
    program([*COMMAND, *SIMULATE])
    yield _row("utilitysched --help", ("--help",), 0.15, "Usage:")
    yield _row("simulate sample:, warm", SIMULATE, 0.6, "easy")
    with tempfile.TemporaryDirectory() as folder:
        demo = program([*COMMAND, "demo", "--quiet"], NUMBA_CACHE_DIR=folder)
    assert "ga" in demo.output
    note = f"{demo.clock:.1f} s on the clock; once"
    yield Row("demo, cold compilation cache", demo.cpu, "CPU s", 45, note=note)


def _row(what: str, arguments: tuple[str, ...], target: float, expected: str) -> Row:
    runs: list[Finished] = [program([*COMMAND, *arguments]) for _ in range(ROUNDS)]
    assert all(expected in run.output for run in runs)
    note = f"{min(run.clock for run in runs):.2f} s on the clock at best"
    return Row(what, median(run.cpu for run in runs), "CPU s", target, note=note)
