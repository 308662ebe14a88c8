"""What schedulers earn where the queue is all there is: a drained queue, a campaign, a benchmark.

Covers: changing the columns of a workload, comparing schedulers, ceilings, bootstrap intervals.

Scenario: jobs of three logs that lie one behind another there are all present at once on the empty
machine, and request exactly as long as they run. Each figure is the geometric mean over six loads,
two a log, of utility over that of the best simple rule, with its 95% bootstrap interval over the
loads; then the share of the proven ceiling, which takes long to prove for 2,000 jobs.

`offline` knows no more than the others here: nobody arrives, and all run times are requested. What
it earns above them is what longer search earns.

Run: TRACES=folder-of-the-logs python examples/closed_loads.py [JOBS ...]
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

import numpy as np

from swfx import Workload, open_workload
from swfx.families.generators.utilities import attach_utilities
from swfx.families.generators.utility_spec import UtilitySpec
from utilitysched import metrics, simulate
from utilitysched.analysis.statistics import bootstrap_interval, ratio_of_geometric_means
from utilitysched.exact.ceiling import ceiling_of

TRACES = Path(os.environ.get("TRACES", "."))
FIRST = {
    "KTH-SP2-1996-2.1-cln": (20_000, 15_000),
    "SDSC-SP2-1998-4.2-cln": (42_500, 50_000),
    "SDSC-BLUE-2000-4.2-cln": (100_000, 150_000),
}  # job lines that loads begin with
JOBS = (200, 600, 2000)  # of a load; the command line may name others
MOST_PROVEN = 600  # jobs
RULE = "value-and-delay:alpha=0.95,tau=86400,occupancy=requested"  # tau in s
SCHEDULERS = ("easy", "index", "climb", "ga", "offline")
SEARCHES = ("ga", "offline")
SEED = 1


def loads(jobs: int) -> list[Workload]:
    """Return loads of so many jobs, with the utility functions that they have in their logs."""
    found = []
    for name, begins in FIRST.items():
        log = open_workload(str(TRACES / f"{name}.swf.gz")).workload
        for first in begins:
            load = attach_utilities(log[first : first + jobs], UtilitySpec(), seed=SEED)
            found.append(load.replace(submit=np.zeros(jobs), requested_time=load.run))
    return found


def earned(load: Workload, scheduler: str) -> float:
    """Return the utility of a load (SU)."""
    return metrics.aggregate_utility(load, simulate(load, scheduler, seed=SEED))


def described(values: np.ndarray, baseline: np.ndarray) -> str:
    """Return the ratio of geometric means, and its interval."""
    ratio = ratio_of_geometric_means(values, baseline)
    spread = bootstrap_interval(ratio_of_geometric_means, values, baseline, seed=SEED)
    assert spread is not None
    return f"{ratio:7.3f} [{spread.low:.3f}, {spread.high:.3f}]"


def main() -> None:
    """Print a table for each number of jobs."""
    print(f"{'':12}{'utility / that of the rule':>28}{'share of the ceiling':>24}")
    for jobs in map(int, sys.argv[1:] or JOBS):
        several = loads(jobs)
        rule = np.array([earned(load, RULE) for load in several])
        proven = jobs <= MOST_PROVEN
        bound = np.array([ceiling_of(load).bound for load in several]) if proven else None
        print(f"{jobs:,} jobs")
        for scheduler in SCHEDULERS:
            utility = np.array([earned(load, scheduler) for load in several])
            line = f"  {scheduler:10}{described(utility, rule):>28}"
            if bound is not None and scheduler in SEARCHES:
                line += f"{described(utility, bound):>24}"
            print(line, flush=True)


if __name__ == "__main__":
    main()
