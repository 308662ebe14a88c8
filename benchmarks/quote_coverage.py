"""``python -m benchmarks.quote_coverage [JOBS]``: how often jobs are done when a quote says.

Random jobs of SDSC-BLUE, each quoted at the instant of its submission and compared with what became
of it; jobs that came later are in that, and not in the quote. Levels are learned from jobs of one
part of the log, and tried on those of the next.
"""

import sys
from collections.abc import Iterator

import numpy as np

from benchmarks.logs import BLUE, log
from swfx.families.generators.utilities import attach_utilities
from swfx.families.generators.utility_spec import UtilitySpec
from utilitysched import make_scheduler, simulate
from utilitysched.market.quote.coverage import (
    PLAIN,
    BandLevels,
    OutcomePlace,
    calibrated,
    past_submission,
)
from utilitysched.market.quote.foresight import foresight_of
from utilitysched.market.quote.quantiles import Quantiles
from utilitysched.market.quote.scenario import Scenario
from utilitysched.runs.stored import StoredRun

LEARNED, TRIED = slice(5000, 10000), slice(10000, 15000)
NUMBER = 10**9
"""What the job is called; nobody else is."""

EDGE = 300
"""Jobs at both ends of a part that are not asked about: the queue is not a real one there."""

SAMPLES = 100
HEADER = "scheduler  band           jobs   held  early   late  of those that wait: held"

Outcomes = list[tuple[OutcomePlace, bool]]
"""Where each job's completion is among the samples, and whether it waited."""


def main(jobs: int) -> int:
    """Print two lines per scheduler."""
    print(HEADER, flush=True)
    for scheduler in ("easy", "ga"):
        learned, tried = (list(outcomes(part, scheduler, jobs)) for part in (LEARNED, TRIED))
        learned_levels = calibrated([place for place, _ in learned])
        for levels in (PLAIN, learned_levels):
            print(_line(scheduler, levels, tried), flush=True)
    return 0


def outcomes(part: slice, scheduler: str, jobs: int) -> Iterator[tuple[OutcomePlace, bool]]:
    """Yield the outcomes of jobs drawn at random."""
    workload = attach_utilities(log(BLUE)[part], UtilitySpec(), seed=1)
    schedule = simulate(workload, scheduler, seed=1)
    run = StoredRun(workload, schedule.start, schedule.end, {"simulation": schedule.provenance})
    asked = np.arange(EDGE, len(workload) - EDGE)
    for row in np.random.default_rng(1).choice(asked, jobs, replace=False).tolist():
        moment, inquiry, curve, end = past_submission(run, row)
        scenario = Scenario.of(moment, inquiry.submitted(NUMBER, moment.now, curve))
        runs = scenario.runs(Quantiles(moment, SAMPLES, seed=1).shares(scenario))
        foresight = foresight_of(make_scheduler(scheduler), scenario.snapshot, seed=1)
        completion = foresight.futures(scenario, runs).completion
        yield OutcomePlace.of(completion, end), bool(schedule.start[row] > moment.now)


def _line(scheduler: str, levels: BandLevels, tried: Outcomes) -> str:
    places, waited = [place for place, _ in tried], [place for place, waits in tried if waits]
    early = sum(place.upto < levels.low for place in places) / len(places)
    late = sum(place.below >= levels.high for place in places) / len(places)
    band = f"{levels.low:.1%} to {levels.high:.1%}"
    held = f"{levels.held(places):6.1%} {early:6.1%} {late:6.1%}"
    return f"{scheduler:<10} {band:<14} {len(tried):>4} {held} {levels.held(waited):>24.1%}"


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else 400))
