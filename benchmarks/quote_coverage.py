"""``python -m benchmarks.quote_coverage [JOBS]``: how often jobs are done when a quote says.

Random jobs of the jobs 5000:10000 of SDSC-BLUE, each quoted at the instant of its submission, and
compared with what became of it; jobs that came later are in that, and not in the quote.
"""

import sys
from collections.abc import Iterator

import numpy as np

from benchmarks.logs import BLUE, log
from swfx import UtilityFunction, Workload, priority_classes
from swfx.families.generators.utilities import attach_utilities
from swfx.families.generators.utility_spec import UtilitySpec
from utilitysched import make_scheduler, simulate
from utilitysched.market.quote import Inquiry, Spread
from utilitysched.market.quote.foresight import foresight_of
from utilitysched.market.quote.quantiles import Quantiles
from utilitysched.market.quote.quote import QUANTILES, SAMPLES
from utilitysched.market.quote.scenario import Scenario
from utilitysched.model.state import Floats
from utilitysched.runs.snapshot.stored import snapshot_of
from utilitysched.runs.stored import StoredRun

WORTHLESS = UtilityFunction([0, 1], [0, 0])
NUMBER = 10**9
"""What the job is called; nobody else is."""

EDGE = 300
"""Jobs at both ends of the log that are not asked about: the queue is not a real one there."""

HEADER = "scheduler   jobs  before 10%  by 50%  after 90%  of those that wait: before  by  after"


def main(jobs: int) -> int:
    """Print a line per scheduler."""
    workload = attach_utilities(log(BLUE)[5000:10000], UtilitySpec(), seed=1)
    print(HEADER, flush=True)
    for scheduler in ("easy", "ga"):
        found = np.array(list(outcomes(workload, scheduler, jobs)))
        waiting = found[found[:, 0] > 0, 1:].mean(axis=0)
        figures = [f"{share:8.1%}" for share in (*found[:, 1:].mean(axis=0), *waiting)]
        print(f"{scheduler:<10} {len(found):>5} {' '.join(figures)}", flush=True)
    return 0


def outcomes(workload: Workload, scheduler: str, jobs: int) -> Iterator[Floats]:
    """Yield, for each job asked about, whether it waited, was early, by the median, or late."""
    schedule = simulate(workload, scheduler, seed=1)
    run = StoredRun(workload, schedule.start, schedule.end, {"simulation": schedule.provenance})
    priority = priority_classes(workload)
    rows = np.random.default_rng(1).choice(
        np.arange(EDGE, len(workload) - EDGE), jobs, replace=False
    )
    for row in rows.tolist():
        now = float(workload.submit[row])
        moment = snapshot_of(run, now, [int(workload.user[row])])
        inquiry = Inquiry(
            int(workload.size[row]),
            float(workload.request[row]),
            int(workload.user[row]),
            int(workload.queue[row]),
            int(priority[row]),
        )
        moment = moment.without([int(workload.job_id[row])])
        scenario = Scenario.of(
            moment, inquiry.submitted(NUMBER, now, workload.utility[row] or WORTHLESS)
        )
        runs = scenario.runs(Quantiles(moment, SAMPLES, seed=1).shares(scenario))
        completion = (
            foresight_of(make_scheduler(scheduler), scenario.snapshot, seed=1)
            .futures(scenario, runs)
            .completion
        )
        early, half, late = Spread.of(completion, QUANTILES).quantiles
        end = schedule.end[row]
        yield np.array([schedule.start[row] > now, end < early, end <= half, end > late], float)


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else 300))
