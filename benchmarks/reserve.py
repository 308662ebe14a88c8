"""``python -m benchmarks.reserve [DRAWS]``: what a reserve brings, as a price and as a rule.

Slices of 1,500 jobs of three logs at three loads, so many draws of utility functions on each. The
rule was chosen on others (SDSC-BLUE 20000:24500, SDSC-SP2 10000:21500, KTH-SP2 5000 and 20000), the
price on SDSC-BLUE 20000:25000.

As a rule: the welfare under list schedulers with a reserve, over that without. As a price: what
every third job is charged by ``vcg`` without a reserve and with one, and what the others would have
had more without it within 24 hours, by replays of the log. Intervals are
of 95%, by the bootstrap over slices, loads and draws.
"""

import math
import sys
from collections.abc import Callable, Iterable
from itertools import product
from typing import NamedTuple

import numpy as np

import pricing
from benchmarks.logs import BLUE, KTH, SP2, log, short
from pricing.counterfactual import ReplayRule
from pricing.mechanisms.vcg import Vcg
from swfx import Workload
from swfx.families.generators.utilities import attach_utilities
from swfx.families.generators.utility_spec import UtilitySpec
from utilitysched import metrics, simulate
from utilitysched.counterfactual.charges import Counterfactuals
from utilitysched.model.state import Floats
from utilitysched.runs.steps import transforming

SLICES = {SP2: (30000, 40000), BLUE: (5000, 100000), KTH: (10000, 15000)}
JOBS = 1500
LOADS = (0.8, 0.9, 1.0)
EVERY = 3
"""Of so many jobs one is left out to see what harm it does."""

DAY = 86400.0
SCHEDULERS = ("value-and-delay", "easy")
RULE = "reserve=0.3"
PRICE = "0.1"
"""SU per requested processor-hour."""


class Harm(NamedTuple):
    """Sums over the sampled jobs of a cell (SU), and hours.

    Attributes
    ----------
    done : float
        What others would have had more without each within a day.
    plans, reserve : float
        What the jobs are charged by plans, and by a reserve of `PRICE` besides.
    hours : float
        Processor-hours requested.
    """

    done: float
    plans: float
    reserve: float
    hours: float


def main(draws: int) -> int:
    """Print both tables."""
    for scheduler in SCHEDULERS:
        ratios = {
            name: [welfare_ratio(jobs, scheduler) for jobs in cells(name, draws)] for name in SLICES
        }
        print(f"Welfare under {scheduler}:{RULE} over that without")
        for name, found in ratios.items():
            print(
                f"  {short(name):<10} {interval(np.array(found)[:, None], mean_ratio)}", flush=True
            )
        every = np.concatenate(list(ratios.values()))
        print(f"  {'all':<10} {interval(every[:, None], mean_ratio)}", flush=True)
    print(f"Share of the harm within 24 h that is charged, {SCHEDULERS[0]}, vcg:reserve={PRICE}")
    rows: list[Floats] = []
    for name in SLICES:
        rows.append(np.array([harm(jobs, SCHEDULERS[0]) for jobs in cells(name, draws)]))
        print(f"  {short(name):<10} {shares(rows[-1])}", flush=True)
    print(f"  {'all':<10} {shares(np.concatenate(rows))}", flush=True)
    return 0


def cells(name: str, draws: int) -> Iterable[Workload]:
    """Yield the slices of a log at every load, with the utility functions of every draw."""
    for first, load, seed in product(SLICES[name], LOADS, range(1, draws + 1)):
        step = transforming((f"scale-load:load={load}",), seed)
        assert step is not None
        jobs = step(log(name)[first : first + JOBS]).workload
        yield attach_utilities(jobs, UtilitySpec(), seed=seed)


def welfare_ratio(jobs: Workload, scheduler: str) -> float:
    """Return the welfare with the reserve over that without."""
    plain, reserved = (
        metrics.aggregate_utility(jobs, simulate(jobs, text))
        for text in (scheduler, f"{scheduler}:{RULE}")
    )
    return reserved / plain


def harm(jobs: Workload, scheduler: str) -> Harm:
    """Return what every third job does to the others, and what it is charged."""
    schedule = simulate(jobs, scheduler)
    asked = Counterfactuals.of(jobs, schedule)
    sample = np.arange(0, len(jobs), EVERY)
    done = asked.replays(ReplayRule(DAY), sample).mean[sample]
    times = jobs, schedule.start, schedule.end
    plans = pricing.charge(*times, "vcg", counterfactual=asked).charge[sample]
    mechanism = Vcg.from_text(f"reserve={PRICE}")
    hours = jobs[sample].size * jobs[sample].request / 3600.0
    reserve = float(mechanism.reserve) * hours
    sums = [math.fsum(column) for column in (done, plans, reserve)]
    return Harm(sums[0], sums[1], sums[2], math.fsum(hours))


def shares(found: Floats) -> str:
    """Say which share of the harm is charged without a reserve and with it."""
    plans = interval(found, lambda rows: rows[:, 1].sum() / rows[:, 0].sum())
    both = interval(found, lambda rows: rows[:, 1:3].sum() / rows[:, 0].sum())
    left = interval(found, lambda rows: (rows[:, 0] - rows[:, 1]).sum() / rows[:, 3].sum())
    return f"plans {plans}, with the reserve {both}; plans leave {left} SU per processor-hour"


def mean_ratio(rows: Floats) -> float:
    """Return the geometric mean."""
    return float(np.exp(np.log(rows).mean()))


def interval(rows: Floats, figure: Callable[[Floats], float]) -> str:
    """Return a figure of all rows, and its interval over the rows."""
    rng = np.random.default_rng(0)
    again = [figure(rows[rng.integers(0, len(rows), len(rows))]) for _ in range(2000)]
    low, high = np.percentile(again, [2.5, 97.5])
    return f"{figure(rows):.3f} [{low:.3f}, {high:.3f}]"


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else 4))
