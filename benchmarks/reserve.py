"""``python -m benchmarks.reserve rule [DRAWS] | price [SLICES]``: what a reserve brings.

As a rule: the welfare under list schedulers with a reserve, over that without, on slices of 1,500
jobs of three logs at three loads, so many draws of utility functions on each. It was chosen on
others (SDSC-BLUE 20000:24500, SDSC-SP2 10000:21500, KTH-SP2 5000 and 20000).

As a price: what every second job is charged by ``vcg`` without a reserve and with one (chosen on
SDSC-BLUE 20000:25000), and what the others would have had more without it within 24 hours, by
replays of the log, on so many slices of the second halves of four logs, each at three loads.

Intervals are of 95%, by the bootstrap over slices, each at its loads and with its draws.
"""

import math
import sys
from collections.abc import Callable, Iterable
from itertools import product
from typing import NamedTuple

import numpy as np

import pricing
from benchmarks.logs import BLUE, DATASTAR, KTH, SP2, log, short
from pricing.counterfactual import ReplayRule
from pricing.outcome import requested_hours
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
BILLED = (SP2, BLUE, KTH, DATASTAR)
DAY = 86400.0
SCHEDULERS = ("value-and-delay", "easy", "ga")
RULE = "reserve=0.3"
PRICE = 0.1
"""SU per requested processor-hour."""


class Harm(NamedTuple):
    """Sums over every second job (SU), and hours.

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


def main(what: str, count: int) -> int:
    """Print a table."""
    {"rule": as_rule, "price": as_price}[what](count)
    return 0


def as_rule(draws: int) -> None:
    """Print what reserves as a rule bring."""
    for scheduler in SCHEDULERS:
        print(f"Welfare under {scheduler}:{RULE} over that without")
        every: list[float] = []
        for name in SLICES:
            found = [welfare_ratio(jobs, scheduler) for jobs in cells(name, draws)]
            every += found
            print(
                f"  {short(name):<10} {interval(np.array(found)[:, None], mean_ratio)}", flush=True
            )
        print(f"  {'all':<10} {interval(np.array(every)[:, None], mean_ratio)}", flush=True)


def as_price(slices: int) -> None:
    """Print which share of the harm is charged."""
    print(f"Share of the harm within 24 h that is charged, {SCHEDULERS[0]}, vcg:reserve={PRICE}")
    rows: dict[str, list[list[Harm]]] = {name: [] for name in BILLED}
    for place, name in product(range(slices), BILLED):
        middle = len(log(name)) // 2
        first = middle + round((middle - JOBS) * (place + 0.5) / slices)
        jobs = log(name)[first : first + JOBS]
        rows[name].append([harm(valued(jobs, load, 1), SCHEDULERS[0]) for load in LOADS])
        print(f"{short(name)} {first}", *rows[name][-1], file=sys.stderr, flush=True)
    for name, found in rows.items():
        print(f"  {short(name):<10} {shares(np.array(found))}")
    print(f"  {'all':<10} {shares(np.concatenate(list(rows.values())))}")


def cells(name: str, draws: int) -> Iterable[Workload]:
    """Yield the slices of a log at every load, with the utility functions of every draw."""
    for first, load, seed in product(SLICES[name], LOADS, range(1, draws + 1)):
        yield valued(log(name)[first : first + JOBS], load, seed)


def valued(jobs: Workload, load: float, seed: int) -> Workload:
    """Return jobs at a load, with utility functions."""
    step = transforming((f"scale-load:load={load}",), seed)
    assert step is not None
    return attach_utilities(step(jobs).workload, UtilitySpec(), seed=seed)


def welfare_ratio(jobs: Workload, scheduler: str) -> float:
    """Return the welfare with the reserve over that without."""
    plain, reserved = (
        metrics.aggregate_utility(jobs, simulate(jobs, text))
        for text in (scheduler, f"{scheduler}:{RULE}")
    )
    return reserved / plain


def harm(jobs: Workload, scheduler: str) -> Harm:
    """Return what every second job does to the others, and what it is charged."""
    schedule = simulate(jobs, scheduler)
    asked = Counterfactuals.of(jobs, schedule)
    sample = np.arange(0, len(jobs), 2)
    done = asked.replays(ReplayRule(DAY), sample).mean[sample]
    times = jobs, schedule.start, schedule.end
    plans = pricing.charge(*times, "vcg", counterfactual=asked).charge[sample]
    hours = requested_hours(jobs)[sample]
    columns = done, plans, PRICE * hours, hours
    return Harm._make(math.fsum(column) for column in columns)


def shares(found: Floats) -> str:
    """Say which share of the harm is charged without a reserve and with it; a row is a slice."""
    plans = interval(found, lambda rows: rows[..., 1].sum() / rows[..., 0].sum())
    both = interval(found, lambda rows: rows[..., 1:3].sum() / rows[..., 0].sum())
    left = interval(found, lambda rows: (rows[..., 0] - rows[..., 1]).sum() / rows[..., 3].sum())
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
    sys.exit(main(sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 4))
