"""``python -m benchmarks.lee_slices``: slices of the log on which EASY waits as LEE's tables say.

LEE's tables 4.1 and 4.2 are about the same 5,000 jobs, with their own requests and with exact ones.
Every slice of so many jobs of SDSC-BLUE, one each thousand jobs, is simulated with both. Printed
are the slices nearest to one table, to the other and to both, and by how much exact requests
lengthen the longest waits anywhere. Then the jobs of the tables and both nearest slices at higher
loads, and the jobs of the tables if they ran as long as they request.
"""

import sys

import numpy as np

from benchmarks.logs import BLUE, log
from swfx import Workload
from utilitysched import metrics, simulate
from utilitysched.model.state import Floats

JOBS, STEP = 5000, 1000
PUBLISHED = np.array(
    [[0, 0, 5372, 59067, 116552], [11, 7666, 35657, 198790, 252240]], dtype=np.float64
)
"""Waits under EASY (s), percentiles 25, 50, 75, 98 and 100: own requests, exact ones."""

LEAST = 60.0  # s; waits below a minute count as equal
NEAREST = 3
HERS = 5000  # the first job of the tables
FACTORS = (0.95, 0.9, 0.85, 0.8, 0.75, 0.7)  # of the times between arrivals


def main() -> int:
    """Print the tables."""
    whole = log(BLUE)
    first = np.arange(0, len(whole) - JOBS, STEP)
    waits = np.array([both(whole[one : one + JOBS]) for one in first])
    apart = np.abs(np.log((waits + LEAST) / (PUBLISHED + LEAST))).sum(axis=2)
    print(f"{len(first)} slices; apart: sum of |ln(ours / hers)| over five percentiles")
    for title, distance in zip(
        ("nearest to 4.1", "nearest to 4.2", "nearest to both"),
        (apart[:, 0], apart[:, 1], apart.sum(axis=1)),
        strict=True,
    ):
        print(f"\n{title:<16}{'apart':>6}   own requests (s)" + " " * 26 + "exact requests (s)")
        for slice_ in np.argsort(distance, kind="stable")[:NEAREST]:
            own, exact = (" ".join(f"{wait:7,.0f}" for wait in row) for row in waits[slice_])
            print(f"{first[slice_]:>16}{distance[slice_]:6.2f}   {own}    {exact}")
    nearest = {HERS, *(int(first[one]) for one in apart.argmin(axis=0))}
    longer = waits[:, 1, 3] / waits[:, 0, 3]
    print(f"\n98% of waits, exact over own requests: at most {longer.max():.2f}; hers", end=" ")
    print(f"{PUBLISHED[1, 3] / PUBLISHED[0, 3]:.2f}")
    for begin in sorted(nearest):
        print_loads(whole[begin : begin + JOBS], begin)
    hers = whole[HERS : HERS + JOBS]
    as_requested = hers.replace(run=hers.request)
    waits_then = " ".join(f"{wait:,.0f}" for wait in waits_of(as_requested))
    print(f"run times set to requests: load {load(as_requested):.2f}, waits {waits_then} s")
    return 0


def print_loads(jobs: Workload, first: int) -> None:
    """Print how exact requests change the 98% quantile of waits at rising loads."""
    print(f"\njobs {first} on, arrivals closer: load, 98% of waits exact over own requests")
    for factor in FACTORS:
        closer = jobs.replace(submit=jobs.submit * factor)
        own, exact = both(closer)[:, 3]
        print(f"{load(closer):6.2f}{exact / own:6.2f}")


def load(jobs: Workload) -> float:
    """Return the processor-seconds used over those there are from first to last arrival."""
    there = jobs.machine_size * (jobs.submit[-1] - jobs.submit[0])
    return float((jobs.run * jobs.size).sum() / there)


def both(jobs: Workload) -> Floats:
    """Return percentiles of waits with own and with exact requests, (2, 5) (s)."""
    return np.array([waits_of(jobs), waits_of(jobs.replace(requested_time=jobs.run))])


def waits_of(jobs: Workload) -> tuple[float, ...]:
    """Return LEE's percentiles of waits under EASY (s)."""
    wait = metrics.lee_table_row(metrics.summary(jobs, simulate(jobs, "easy"))).wait
    return tuple(float(one or 0.0) for one in wait)


if __name__ == "__main__":
    sys.exit(main())
