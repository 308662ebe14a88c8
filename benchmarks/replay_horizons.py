"""``python -m benchmarks.replay_horizons [JOBS] [SEEDS]``: replay charges by horizon, as a table.

A random sample of the jobs 5000:10000 of SDSC-BLUE with default utility functions, every job left
out once per horizon and seed. All amounts are in SU.
"""

import math
import sys
import time
from collections.abc import Iterator

import numpy as np

from benchmarks.logs import BLUE, log
from pricing.counterfactual import ReplayRule
from pricing.replays import Replays
from swfx import Workload
from swfx.families.generators.utilities import attach_utilities
from swfx.families.generators.utility_spec import UtilitySpec
from utilitysched import simulate
from utilitysched.counterfactual.replays import Question, replay_jobs
from utilitysched.model.state import Floats, Integers

HOUR = 3600.0
HORIZONS = {"6h": 6 * HOUR, "24h": 24 * HOUR, "1w": 168 * HOUR, "2w": 336 * HOUR}
ENDLESS = {"recoupled": math.inf}
HEADER = (
    "scheduler  horizon    window  same  mean    |mean|  zero  > own  seed sd  CPU ms\n"
    "                      h       %     SU      SU      %     %      SU       a replay"
)


def main(jobs: int, seeds: int) -> int:
    """Print a line per scheduler and horizon."""
    workload = attach_utilities(log(BLUE)[5000:10000], UtilitySpec(), seed=1)
    sample = np.random.default_rng(1).choice(len(workload), jobs, replace=False)
    print(HEADER, flush=True)
    for line in lines(workload, sample, seeds):
        print(line, flush=True)
    return 0


def lines(workload: Workload, sample: Integers, seeds: int) -> Iterator[str]:
    """Yield the lines of the table."""
    for scheduler, horizons in (("easy", HORIZONS | ENDLESS), ("ga", HORIZONS)):
        schedule = simulate(workload, scheduler, seed=1)
        utility = workload.utility.evaluate(schedule.end - workload.submit)[sample]
        for name, seconds in horizons.items():
            rule = ReplayRule(seconds, seeds)
            question = Question(
                workload, scheduler, schedule.machine_size, 1, start=schedule.start, rule=rule
            )
            began = time.process_time()
            found = replay_jobs(question, sample)
            replays = len(sample) * (2 * len(found.seeds) - 1)
            cost = (time.process_time() - began) / replays
            yield f"{scheduler:<10} {name:<10} {_figures(found, sample, utility)} {cost * 1e3:9.2f}"


def _figures(found: Replays, sample: Integers, utility: Floats) -> str:
    difference = found.difference[sample]
    window = (found.end[sample] - found.begin[sample, np.newaxis]).mean() / HOUR
    spread = math.nan
    if difference.shape[1] > 1:
        spread = math.sqrt(float(difference.var(axis=1, ddof=1).mean()))
    return " ".join(
        (
            f"{window:7.1f}",
            f"{100 * found.recoupled[sample].mean():5.0f}",
            f"{difference.mean():7.1f}",
            f"{np.abs(difference).mean():7.1f}",
            f"{100 * (difference == 0).mean():5.0f}",
            f"{100 * (difference > utility[:, np.newaxis]).mean():6.0f}",
            f"{spread:8.1f}",
        )
    )


if __name__ == "__main__":
    sys.exit(main(*(int(text) for text in [*sys.argv[1:], *("200", "3")[len(sys.argv) - 1 :]])))
