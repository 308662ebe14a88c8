"""Reserves of vcg against a user who submits a hundred worthless jobs.

``python -m benchmarks reserve [SLICE [DRAWS [SCHEDULER ...]]]``: the slices on which a reserve was
chosen (``discovery``) or others of the same logs (``holdout``, the default).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from benchmarks.cells import (
    CELLS,
    HOUR,
    Added,
    at_random,
    bill,
    cell,
    machine,
    value,
    with_added,
)
from benchmarks.logs import BLUE, KTH, SP2, short
from swfx import UtilityFunction, UtilityTable, Workload
from utilitysched import simulate
from utilitysched.model.state import Floats

DISCOVERY = ((SP2, 40_000, 0.90), (BLUE, 20_000, 0.90), (KTH, 15_000, 0.95))
SLICES = {"discovery": (DISCOVERY, 1), "holdout": (CELLS, 11)}
"""Cells, and the seed of the first draw."""
SCHEDULERS = ("easy", "value-and-delay", "value-and-delay:reserve=0.1")
RESERVES = (0, 0.01, 0.02, 0.05, 0.1, 0.2, 0.4, 0.8, 1.6)
SHAPES = {
    "machine, 1 h": (1.0, HOUR),
    "half, 12 h": (0.5, 12 * HOUR),
    "1/32, 12 h": (1 / 32, 12 * HOUR),
}
"""Share of the machine, and run time (s), which is also requested, of each worthless job."""


class Measured(NamedTuple):
    """One draw: columns of the honest jobs, and a row of each shape of worthless jobs.

    Attributes
    ----------
    worth, charge, hours : (n,) float64
        Realised utility (SU), charge without a reserve (SU), processor-hours requested.
    vandals : (s, 3) float64
        What others lose (SU), what the worthless jobs are charged without a reserve (SU), and the
        processor-hours that they request.
    """

    worth: Floats
    charge: Floats
    hours: Floats
    vandals: Floats


def measured(jobs: Workload, scheduler: str) -> Measured:
    """Serve and bill jobs without the worthless ones, and with those of each shape."""
    schedule = simulate(jobs, scheduler)
    worth, vandals = value(jobs, schedule), []
    nothing = UtilityFunction([0, 1], [0, 0])
    for share, run in SHAPES.values():
        size = max(1, int(machine(jobs) * share))
        both, mine = with_added(jobs, Added(at_random(jobs, 100), size, run, run, nothing))
        made = simulate(both, scheduler)
        lost = worth.sum() - value(both, made)[~mine].sum()
        vandals.append((lost, bill(both, made, "vcg").charge[mine].sum(), 100 * size * run / HOUR))
    charge = bill(jobs, schedule, "vcg").charge
    return Measured(worth, charge, jobs.size * jobs.request / HOUR, np.array(vandals))


def table(draws: list[Measured]) -> Iterator[str]:
    """Yield a line for each reserve: what is paid of the harm, and what honest users pay."""
    lost, paid, hours = np.mean([draw.vandals for draw in draws], axis=0).T
    whole = np.mean([draw.worth.sum() for draw in draws])
    shares = ", ".join(
        f"{name} {share:.1%}" for name, share in zip(SHAPES, lost / whole, strict=True)
    )
    least = ", ".join(f"{each:.2f}" for each in np.maximum(lost - paid, 0) / hours)
    yield f"  others lose {shares}; least sufficient reserve {least} SU/h"
    for reserve in RESERVES:
        pays = paid + reserve * hours
        honest = [draw.charge + reserve * draw.hours for draw in draws]
        share = np.mean(
            [each.sum() / draw.worth.sum() for each, draw in zip(honest, draws, strict=True)]
        )
        above = np.mean(
            [(each > draw.worth).mean() for each, draw in zip(honest, draws, strict=True)]
        )
        ratios = " ".join(
            f"{pay:8,.0f} ({pay / harm if harm > 0.001 * whole else np.inf:5.2f})"
            for pay, harm in zip(pays, lost, strict=True)
        )
        yield f"  {reserve:<5} {ratios}   {share:6.1%} {above:6.1%}"


def without_curves(jobs: Workload, scheduler: str) -> float:
    """Return the mean wait (h) of the jobs without curves, if every second job has none."""
    place = np.where(np.arange(len(jobs)) % 2, np.arange(len(jobs)), len(jobs))
    none = UtilityTable.from_functions([None])
    some = jobs.replace(utility=UtilityTable.stacked([jobs.utility, none]).take(place))
    return float(simulate(some, scheduler).wait(some)[::2].mean() / HOUR)


def main(words: list[str]) -> int:
    """Print the tables; return the exit code."""
    (which, seed), draws = SLICES[words[0] if words else "holdout"], int((words[1:] or ["3"])[0])
    print("reserve, SU the vandal pays (share of what others lose) by shape; honest users pay,")
    print(
        "share of value; jobs charged above their value; wait of jobs without curves, if half are"
    )
    for scheduler in words[2:] or SCHEDULERS:
        for name, first, load in which:
            drawn = [cell(name, first, load, seed + number) for number in range(draws)]
            wait = np.mean([without_curves(jobs, scheduler) for jobs in drawn])
            print(f"{scheduler}, {short(name)}; wait {wait:.1f} h")
            for line in table([measured(jobs, scheduler) for jobs in drawn]):
                print(line, flush=True)
    return 0
