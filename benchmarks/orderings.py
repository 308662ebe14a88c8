"""Orderings other than arrival: one that never changes, and one that changes with time."""

from collections.abc import Iterator

from benchmarks.logs import REPLAYED, check_starts, log, loop, short
from benchmarks.row import Row
from benchmarks.timing import race

TARGETS = {"saf": 3.0, "lexp": 6.0}


def measure() -> Iterator[Row]:
    """Compare the event loops with that of EASY."""
    for name in REPLAYED:
        workload = log(name)
        raced = race({text: loop(workload, text) for text in ("easy", *TARGETS)})
        for text, target in TARGETS.items():
            check_starts(name, text, raced.results[text])
            note = f"{raced.median(text) * 1e3:.0f} ms"
            yield Row(f"{text} on {short(name)}, to easy", raced.ratio(text, "easy"), "x", target,
                      note=note)  # fmt: skip
