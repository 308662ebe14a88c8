"""Replaying whole logs: EASY against its twin, other orders and placements against EASY."""

from collections.abc import Iterator

import numpy as np

from benchmarks.logs import BLUE, REPLAYED, check_starts, log, loop, short
from benchmarks.row import Row
from benchmarks.timing import race
from swfx import Workload
from utilitysched import make_scheduler, simulate
from utilitysched.engine.simulation import Simulation
from utilitysched.model.arrivals import Arrivals
from utilitysched.model.scheduler import Setting
from utilitysched.model.state import Floats

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
    """Time the first jobs only: the readable loop takes long."""
    arrivals = Arrivals.of(workload)
    raced = race({"ours": loop(workload, "easy"), "twin": lambda: _readable(arrivals)})
    assert np.array_equal(raced.results["ours"][arrivals.order], raced.results["twin"])
    note = f"first {len(workload):,} jobs, readable loop {raced.median('twin'):.2f} s"
    ratio = raced.ratio("twin", "ours")
    return Row(f"replay {short(name)}, to the readable loop", ratio, "x", 20, "at least", note)


def _readable(arrivals: Arrivals) -> Floats:
    """Return the starts (s) by the loop for schedulers that decide in Python."""
    easy = make_scheduler("easy")
    easy.prepare(Setting(arrivals.known.machine_size, arrivals.longest_request, 0))
    simulation = Simulation(arrivals, easy)
    simulation.finish()
    return simulation.start


def _to_easy(name: str, targets: dict[str, float]) -> Iterator[Row]:
    workload = log(name)
    raced = race({text: loop(workload, text) for text in ("easy", *targets)})
    for text, target in targets.items():
        check_starts(name, text, raced.results[text])
        note = f"{raced.median(text) * 1e3:.0f} ms"
        ratio = raced.ratio(text, "easy")
        yield Row(f"{text} on {short(name)}, to easy", ratio, "x", target, note=note)
