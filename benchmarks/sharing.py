"""All co-schedulers on one load: on KELLARI's machine, and on a large one."""

from collections.abc import Iterator
from functools import partial

import numpy as np

from benchmarks.row import Row
from benchmarks.timing import timed
from swfx import open_workload
from utilitysched import simulate
from utilitysched.schedulers.coscheduling.options import POLICIES

CORES = 20
SIZES = ((1_000, 420, 0.78), (10_000, 2_000, None))
"""Jobs, nodes, and CPU seconds that are allowed: what it took before nodes had parts."""


def measure() -> Iterator[Row]:
    """Time each scheduler once, compiled before."""
    few = open_workload("model:applications,jobs=30,seed=1").workload
    for jobs, nodes, target in SIZES:
        load = open_workload(f"model:applications,jobs={jobs},seed=1").workload
        seconds = {}
        for policy in POLICIES:
            text, size = f"coscheduled:policy={policy},completion=1", nodes * CORES
            simulate(few, text, machine_size=size)
            spent, schedule = timed(partial(simulate, load, text, machine_size=size))
            assert np.isfinite(schedule.end).all()
            seconds[policy] = spent
        # the target is older than the policy that reads values
        by_value = seconds.pop("value-filler")
        slowest = max(seconds, key=seconds.__getitem__)
        note = (
            f"most of it {slowest}, {seconds[slowest]:.2f} s; least {min(seconds.values()):.2f} s;"
            f" value-filler {by_value:.2f} s besides"
        )
        what = f"{len(seconds)} co-schedulers, {jobs:,} jobs, {nodes:,} nodes"
        yield Row(what, sum(seconds.values()), "s", target, note=note)
