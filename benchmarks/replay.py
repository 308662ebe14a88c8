"""Replaying whole logs: EASY against its twin, other orders and placements against EASY."""

from collections.abc import Iterator

import numpy as np

from benchmarks.logs import BLUE, REPLAYED, check_starts, log, loop, short
from benchmarks.row import Row
from benchmarks.timing import race
from swfx import Workload
from tests.reference.engine import simulate as readable
from tests.reference.jobs import Job
from utilitysched import simulate
from utilitysched.model.arrivals import Arrivals

PROTOTYPE = {"KTH-SP2": 7.3, "SDSC-SP2": 6.9, "SDSC-BLUE": 5.7, "CEA-Curie": 3.2}
"""Million jobs a second of an early prototype's loop."""
TWIN_JOBS = 20000


TO_EASY = {"saf": 3.0, "lexp": 6.0}
"""Targets of an order that never changes, and of one that changes with time."""


def measure() -> Iterator[Row]:
    """Compare each log's loop with the twin's, and other loops with that of EASY."""
    for name in REPLAYED:
        yield from _log(name)
        yield from _to_easy(name, TO_EASY)
    yield from _to_easy(BLUE, {"conservative": 25.0})


def _log(name: str) -> Iterator[Row]:
    workload = log(name)
    timed_ = race({"loop": loop(workload, "easy"), "call": lambda: simulate(workload, "easy")})
    check_starts(name, "easy", timed_.results["loop"])
    check_starts(name, "easy", timed_.results["call"].start)
    rate = len(workload) / timed_.median("loop") / 1e6
    best, median_, call = timed_.best("loop"), timed_.median("loop"), timed_.median("call")
    whole = f"{median_ * 1e3:.1f} ms, best {best * 1e3:.1f}; simulate() {call * 1e3:.1f} ms"
    target = PROTOTYPE[short(name)]
    yield Row(f"replay {short(name)}, EASY", rate, "M/s", target, "at least", whole)
    yield _twin(name, workload[:TWIN_JOBS])


def _twin(name: str, workload: Workload) -> Row:
    """Time the first jobs only: the twin's lists make it slower the longer the log is."""
    jobs, size = _jobs(workload), workload.machine_size
    assert size is not None
    raced = race({"ours": loop(workload, "easy"), "twin": lambda: readable(jobs, size)})
    order = Arrivals.of(workload).order
    assert np.array_equal(raced.results["ours"][order], raced.results["twin"].start)
    note = f"first {len(jobs):,} jobs, twin {raced.median('twin'):.2f} s"
    ratio = raced.ratio("twin", "ours")
    return Row(f"replay {short(name)}, to the twin", ratio, "x", 20, "at least", note)


def _jobs(workload: Workload) -> list[Job]:
    known = Arrivals.of(workload)
    columns = (known.known.submit, known.run, known.known.request, known.known.size)
    rows = zip(*(column.tolist() for column in columns), strict=True)
    return [Job(number, *row) for number, row in enumerate(rows)]


def _to_easy(name: str, targets: dict[str, float]) -> Iterator[Row]:
    workload = log(name)
    raced = race({text: loop(workload, text) for text in ("easy", *targets)})
    for text, target in targets.items():
        check_starts(name, text, raced.results[text])
        note = f"{raced.median(text) * 1e3:.0f} ms"
        ratio = raced.ratio(text, "easy")
        yield Row(f"{text} on {short(name)}, to easy", ratio, "x", target, note=note)
