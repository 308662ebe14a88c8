"""What a quote takes with a hundred jobs in the queue, and from the command line."""

import sys
import tempfile
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from statistics import median

import numpy as np

from benchmarks.row import Row
from benchmarks.timing import ROUNDS, program, timed
from swfx import UtilityFunction
from utilitysched.market.quote import Quote, QuotedJob, QuoteTerms, quote
from utilitysched.runs.snapshot import FinishedJob, QueuedJob, RunningJob, Snapshot
from utilitysched.runs.snapshot.document import write_snapshot

QUEUED = 100
PROCESSORS = 1152
HOUR = 3600.0
CURVE = UtilityFunction([0, 4 * HOUR, 24 * HOUR], [60, 60, 0])
JOB = QuotedJob(64, 4 * HOUR, user=3, curves={"": CURVE})
TYPED = ("--processors", "64", "--request", "4h", "--user", "3", "--curve", "0:60,4h:60,24h:0")
TARGET = 1.0


def moment() -> Snapshot:
    """Return a full machine, a hundred jobs that wait and some that ended; always the same."""
    rng = np.random.default_rng(1)
    running, free = [], PROCESSORS
    while free:
        size = min(free, int(2 ** rng.integers(3, 8)))
        free -= size
        start = -rng.uniform(0, 4 * HOUR)
        end = rng.uniform(600.0, 12 * HOUR)
        running.append(RunningJob(1000 + free, size, end, int(rng.integers(20)), start))
    queued = [_waiting(rng, number) for number in range(QUEUED)]
    finished = [
        FinishedJob(int(rng.integers(20)), HOUR, HOUR * float(rng.uniform(0.05, 1.0)))
        for _ in range(200)
    ]
    return Snapshot(0.0, PROCESSORS, tuple(running), tuple(queued), tuple(finished))


def _waiting(rng: np.random.Generator, number: int) -> QueuedJob:
    size, request = int(2 ** rng.integers(0, 9)), float(rng.integers(1, 13)) * HOUR
    worth = size * request / HOUR * rng.uniform(0.2, 2.0)
    curve = UtilityFunction([0, 6 * HOUR, 48 * HOUR], [worth, worth * rng.uniform(0.3, 1.0), 0])
    user = int(rng.integers(20))
    return QueuedJob(number, -rng.uniform(0, 6 * HOUR), size, request, curve, user)


def measure() -> Iterator[Row]:
    """Quote a job with one utility function, now, twice as fast and ten hours later."""
    now = moment()
    for scheduler in ("easy", "ga"):
        terms = QuoteTerms(scheduler, later=10 * HOUR)
        ask = partial(quote, now, JOB, terms)
        ask()
        runs = [timed(ask) for _ in range(ROUNDS)]
        note = f"{QUEUED} queued; {_bought(runs[0][1])}"
        yield Row(f"quote, {scheduler}", median(cpu for cpu, _ in runs), "CPU s", TARGET, note=note)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "queue.json"
        write_snapshot(now, path)
        for scheduler in ("easy", "ga"):
            yield _typed(path, scheduler)


def _typed(path: Path, scheduler: str) -> Row:
    command = [sys.executable, "-m", "utilitysched", "quote", str(path), *TYPED]
    command += ["--scheduler", scheduler, "--until", str(10 * HOUR)]
    runs = [program(command) for _ in range(1 + ROUNDS)][1:]
    assert all("saves" in run.output for run in runs)
    note = f"{min(run.clock for run in runs):.2f} s on the clock at best; starting Python included"
    cpu = median(run.cpu for run in runs)
    return Row(f"utilitysched quote, {scheduler}, warm", cpu, "CPU s", note=note)


def _bought(made: Quote) -> str:
    hurry = made.offers[0].hurry
    return hurry.why if hurry.factor is None else f"{hurry.factor:.3g} times the bid"
