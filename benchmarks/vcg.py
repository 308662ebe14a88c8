"""``vcg`` by plans: what a bill takes, whom it counts, and what shills do to the bills of others.

Three busy cells of recorded logs, under an order that reads no values and one that does.
"""

import math
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from benchmarks.logs import BLUE, KTH, SP2, log, short
from benchmarks.row import Row
from benchmarks.timing import race
from pricing import Charges, Pivots, charge
from swfx import UtilityFunction, UtilityTable, Workload
from swfx.families.transformation import apply_all
from utilitysched import simulate
from utilitysched.counterfactual.charges import Counterfactuals
from utilitysched.engine.valued import ensure
from utilitysched.model.schedule import Schedule

CELLS = ((SP2, 30000, 31500, 0.90), (BLUE, 5000, 6500, 0.90), (KTH, 10000, 11500, 0.95))
"""Log, first job, job after the last, load."""

SCHEDULERS = ("easy", "value-and-delay")
MOST_TIME = 4.0
HOUR = 3600.0


class Shills(NamedTuple):
    """Machine-wide jobs that nobody needs: they say that they are worth much, and hardly run.

    Attributes
    ----------
    every : float
        Time between two submissions (s).
    request, run : float
        Their requested and their run time (s).
    value : float
        Start value, in multiples of the 95th percentile of the log's; it falls to 0 in two days.
    """

    every: float = 4 * HOUR
    request: float = 18 * HOUR
    run: float = 1.0
    value: float = 10.0


def cell(name: str, first: int, last: int, load: float, seed: int = 0) -> Workload:
    """Return some jobs of a log at a load, with drawn utility functions."""
    jobs = apply_all(log(name)[first:last], [f"scale-load:load={load}"]).workload
    return ensure(jobs, None, seed, classes=None, say=lambda _: None).workload


def with_shills(jobs: Workload, shills: Shills) -> Workload:
    """Return the jobs with shills of one user more, the one with the highest number."""
    at = np.arange(jobs.submit.min() + shills.every / 2, jobs.submit.max(), shills.every)
    new = np.ones(len(at))
    most = shills.value * float(np.percentile(jobs.utility.start_values, 95))
    curve = UtilityFunction([0, 48 * HOUR], [most, 0])
    columns = {
        "submit": (jobs.submit, at),
        "run": (jobs.run, shills.run * new),
        "requested_time": (jobs.requested_time, shills.request * new),
        "processors": (jobs.size, (jobs.machine_size or 1) * new.astype(np.int64)),
        "user": (jobs.user, (jobs.user.max() + 1) * new.astype(np.int64)),
        "queue": (jobs.queue, new.astype(np.int64)),
        "status": (jobs.status, new.astype(np.int64)),
    }
    curves = [*(jobs.utility[job] for job in range(len(jobs))), *[curve] * len(at)]
    together = Workload.from_columns(
        header=jobs.header,
        utility=UtilityTable.from_functions(curves),
        **{name: np.concatenate(parts) for name, parts in columns.items()},
    )
    return together[np.argsort(together.submit, kind="stable")]


def billed(jobs: Workload, schedule: Schedule, mechanism: str = "vcg") -> Charges:
    """Return the bill of a schedule."""
    asked = Counterfactuals.of(jobs, schedule)
    return charge(jobs, schedule.start, schedule.end, mechanism, counterfactual=asked)


def beyond(charges: Charges) -> float:
    """Return what is charged for victims beyond all that they had (SU)."""
    assert isinstance(charges.evidence, Pivots)
    losses = charges.evidence.losses
    lost, had = np.zeros((2, len(charges.outcome.everybody)))
    np.add.at(lost, losses.victim, losses.loss)
    had[losses.victim] = losses.had
    return math.fsum(np.maximum(lost - had * (1 + 1e-12), 0.0))


def measure() -> Iterator[Row]:
    """Yield the rows of each cell and scheduler."""
    for name, first, last, load in CELLS:
        jobs = cell(name, first, last, load)
        crowded = with_shills(jobs, Shills())
        for scheduler in SCHEDULERS:
            yield from _measured(f"{short(name)} {scheduler}", scheduler, jobs, crowded)


def _measured(what: str, scheduler: str, jobs: Workload, crowded: Workload) -> Iterator[Row]:
    schedule = simulate(jobs, scheduler)
    inputs = Counterfactuals.of(jobs, schedule).inputs()
    timing = race(
        {
            "schedule": lambda: inputs.simulation(inputs.arrivals(), inputs.prepared()).finish(),
            "bill": lambda: billed(jobs, schedule),
        }
    )
    charges = timing.results["bill"]
    ratio = timing.best("bill") / timing.best("schedule")
    note = "CPU time to the schedule's, event by event"
    yield Row(f"{what} bill", ratio, "x", MOST_TIME, note=note)
    yield Row(f"{what} beyond all victims had", beyond(charges), "SU", 0.0)
    shilled = billed(crowded, simulate(crowded, scheduler))
    others = crowded.user[shilled.outcome.position] <= jobs.user.max()
    value = math.fsum(shilled.outcome.utility[others]) / math.fsum(charges.outcome.utility)
    change = math.fsum(shilled.charge[others]) / math.fsum(charges.charge)
    note = f"others' value {value - 1:+.1%}, shills pay {math.fsum(shilled.charge[~others]):,.0f}"
    yield Row(f"{what} others' bills by shills", 100 * (change - 1), "%", 10.0, note=f"{note} SU")
