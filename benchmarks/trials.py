"""Trials of orders: the time of one tuple of jobs at the size of CARASTAN 3.2.2."""

import time
from collections.abc import Iterator

from benchmarks.row import Row
from utilitysched.experiments.inputs import Log
from utilitysched.learning.first_jobs import FirstJobTrials

MODEL = "model:lublin,jobs=5000,procs=256,seed=1"
ORDERS = 256_000
"""Of a tuple; the source made them in 11 minutes on six cores."""


def measure() -> Iterator[Row]:
    """Yield the time of all orders of a tuple, compilation and reading left out."""
    trials = FirstJobTrials(Log(MODEL), (), "default", 16, 32, ORDERS, "slowdown", 0)
    first, second = trials.draw(2)
    trials.scores(first)
    begun = time.process_time()
    trials.scores(second)
    taken = time.process_time() - begun
    yield Row("orders of a tuple", taken, "CPU s", 3.0, note=f"{ORDERS:,} of 32 jobs behind 16")
