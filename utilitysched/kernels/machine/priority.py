"""Multifactor priority, and fair share with value, of the jobs in a queue.

Score functions take their numbers as one array (see `utilitysched.kernels.signatures`). Of an
ordering that reads usage, it has what `room` makes, `settle` writes once and `refresh` at every
pass: when priorities were computed, a code, the weights and constants of a `ShareTable`, and then
three columns of all jobs, their factors of fair share, partition and QOS.
"""

import numpy as np

from utilitysched.kernels.compiling import leaf_kernel
from utilitysched.kernels.curves import mean_value
from utilitysched.kernels.machine.usage import UsageState, compute
from utilitysched.model.forecast import Forecast
from utilitysched.model.machine import ShareTable
from utilitysched.model.state import Floats, Integers, JobTable

COMPUTED, BY, WEIGHTS, CONSTANTS, COLUMNS = 0, 1, 2, 8, 12
"""Places in the numbers: one each, six weights, four constants, and the columns."""

AGE, FAIRSHARE, SIZE, PARTITION, QOS, VALUE = range(WEIGHTS, CONSTANTS)
MAX_AGE, _, FAVOR_SMALL, _ = range(CONSTANTS, COLUMNS)

WORTH = ("usage", "value", "value-density")
"""What `worths` multiplies by the fair-share factor, by code: nothing, value, value per area."""

DENSITY = WORTH.index("value-density")


def room(jobs: int) -> Floats:
    """Return numbers for so many jobs, to be written by `settle` and `refresh`."""
    return np.full(COLUMNS + 3 * jobs, np.nan)


def settle(numbers: Floats, by: float, shares: ShareTable) -> None:
    """Write all that does not change into numbers, for the jobs of a `ShareTable`."""
    jobs = len(shares.entity)
    numbers[BY] = by
    numbers[WEIGHTS:CONSTANTS] = shares.weights
    numbers[CONSTANTS:COLUMNS] = shares.constants
    numbers[COLUMNS + jobs : COLUMNS + 2 * jobs] = shares.partition
    numbers[COLUMNS + 2 * jobs : COLUMNS + 3 * jobs] = shares.qos


@leaf_kernel
def refresh(
    state: UsageState, shares: ShareTable, now: float, queue: Integers, numbers: Floats
) -> None:
    """Write the fair-share factors of queued jobs at a pass into numbers.

    Parameters
    ----------
    state : UsageState
        Usage; its factors are computed anew where that is due.
    shares : ShareTable
        Entities of all jobs.
    now : float
        Time of the pass (s).
    queue : (k,) int64
        Queued jobs.
    numbers : (12 + 3 n,) float64
        Of the score function.
    """
    compute(state, shares, now)
    numbers[COMPUTED] = state.computed[0]
    for job in queue:
        numbers[COLUMNS + job] = state.factor[shares.entity[job]]


@leaf_kernel
def worths(
    by: float,
    when: float,
    queue: Integers,
    known: JobTable,
    forecast: Forecast,
    out: Floats,
) -> None:
    """Write what each queued job is worth if started at a time, by a code of `WORTH`."""
    for i, job in enumerate(queue):
        worth = mean_value(known, forecast, job, max(0.0, when - known.submit[job]))
        if by == DENSITY:
            worth /= known.size[job] * max(forecast.occupancy[job], 1.0)
        out[i] = worth


@leaf_kernel
def scores(
    queue: Integers, known: JobTable, forecast: Forecast, numbers: Floats, out: Floats
) -> None:
    """Write minus the multifactor priority of each queued job.

    Each factor is in [0, 1] and has a weight: the wait so far over the maximum age; fair share;
    processors over those of the machine, or what they lack of them where small jobs are favoured;
    partition; QOS; and value, that is utility per processor-second if started now, over the largest
    in the queue. All is as it was when priorities were computed last.

    Parameters
    ----------
    queue : (k,) int64
        Queued jobs in arrival order.
    known : JobTable
        All jobs.
    forecast : Forecast
        Of the queued jobs.
    numbers : (12 + 3 n,) float64
        As of `refresh`.
    out : (k,) float64
        Filled.
    """
    when, jobs = numbers[COMPUTED], (len(numbers) - COLUMNS) // 3
    # value, relative to the largest in the queue
    largest = 0.0
    if numbers[VALUE] != 0.0:
        worths(DENSITY, when, queue, known, forecast, out)
        for i in range(len(queue)):
            largest = max(largest, out[i])
    for i, job in enumerate(queue):
        value = max(out[i], 0.0) / largest if largest > 0.0 else 0.0
        # the other factors
        age = 1.0
        if numbers[MAX_AGE] > 0.0:
            age = min(1.0, max(0.0, when - known.submit[job]) / numbers[MAX_AGE])
        size = min(1.0, known.size[job] / known.machine_size)
        if numbers[FAVOR_SMALL] != 0.0:
            size = 1.0 - size
        fairshare = numbers[COLUMNS + job]
        partition = numbers[COLUMNS + jobs + job]
        qos = numbers[COLUMNS + 2 * jobs + job]
        # their weighted sum; the highest goes first
        priority = numbers[AGE] * age + numbers[FAIRSHARE] * fairshare + numbers[SIZE] * size
        priority += numbers[PARTITION] * partition + numbers[QOS] * qos + numbers[VALUE] * value
        out[i] = -priority
