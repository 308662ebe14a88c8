"""Amounts in bands and losses by class: the bids of others as users may see them.

Those who run a centre, and its auditors, read quotes and evidence whole; all that is made for a
user passes through here.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import NamedTuple

import numpy as np

from pricing.evidence import Loss
from pricing.ledger import positions
from pricing.parts import exact_sum
from pricing.reader import NOBODY
from swfx import Workload
from swfx.base.columns import Ints
from swfx.base.numbers import CENT

BANDS = (1.0, 2.0, 5.0, 10.0)
"""Amounts of a decade that users are quoted.

A charge by ``vcg`` is what rivals lose: with exact quotes for jobs of all lengths, anybody can
copy a rival's curve. In these steps a copy stays wrong by 4% of the curve's value on average, and
by 21% somewhere, however many quotes there are; of 50 quotes in two digits one is made that is
wrong by 0.4% (`python -m benchmarks disclosure`). Users lose little: with a long queue, means over
30 samples of two seeds differ by half.
"""

FEWEST = 3
"""Rivals in a class that is shown; a sum over fewer tells one of them what another loses."""

OTHERS = "others"


Rival = tuple[int, int]


class ClassLoss(NamedTuple):
    """Losses of a class of jobs.

    Attributes
    ----------
    name : str
        Name of the class; ``others`` for classes of few rivals, ``job N`` for an own job.
    jobs : int
        Number of jobs.
    loss : float
        Sum (SU), negative where they gained.
    amount : Decimal
        Sum of the losses as they are printed (SU).
    """

    name: str
    jobs: int
    loss: float
    amount: Decimal


def band(amount: float) -> float:
    """Return the nearest of 0.01, 0.02, 0.05, 0.1 and so on, by ratio; 0 for what is less.

    Examples
    --------
    >>> [band(amount) for amount in (29.04, 3.2, 0.7, -71.0, 0.004, 0.0)]
    [20.0, 5.0, 0.5, -100.0, 0.0, 0.0]
    """
    size = abs(amount)
    if not math.isfinite(size):
        return amount
    if size < CENT / math.sqrt(2):
        return 0.0
    decade = math.floor(math.log10(size))
    nearest = min(BANDS, key=lambda step: abs(math.log10(size / step) - decade))
    return math.copysign(float(f"{nearest:.0f}e{decade}"), amount)


def shown_classes(rivals: Mapping[str, set[Rival]]) -> dict[str, str]:
    """Return the name under which each class is shown.

    Classes of fewer than `FEWEST` rivals are merged into ``others``, and the smallest further
    ones with them until that has so many, for a sum of less could be told from the total.

    Parameters
    ----------
    rivals : mapping of str to set
        Rivals of each class, as `rival` has them.

    Examples
    --------
    >>> users = [rival(user, 0) for user in range(8)]
    >>> shown_classes({"short": {*users[:1]}, "long": {*users[1:4]}, "wide": {*users[4:]}})
    {'short': 'others', 'long': 'others', 'wide': 'wide'}
    """
    by_size = sorted(rivals, key=lambda name: (len(rivals[name]), name))
    merged = {name for name in by_size if len(rivals[name]) < FEWEST}
    for name in by_size:
        if not merged or len(set[Rival]().union(*map(rivals.__getitem__, merged))) >= FEWEST:
            break
        merged.add(name)
    return {name: OTHERS if name in merged else name for name in rivals}


def losses_by_class(
    workload: Workload, losses: Sequence[Loss], own: Ints | Sequence[int]
) -> list[ClassLoss]:
    """Return losses by queue, the largest first, as the owner of some jobs may see them.

    Parameters
    ----------
    workload : Workload
        All jobs.
    losses : sequence of Loss
        Losses of single jobs, such as `pricing.evidence.losers` returns; of `NOBODY` where the job
        is not in the workload.
    own : sequence of int
        Positions of the owner's jobs, each of which has a line of its own. The others count as
        rivals by their user; a job of an unknown user is a rival by itself.
    """
    mine = np.isin([lost.job for lost in losses], own).tolist()
    queues = workload.labels.in_field("queue")
    classes: list[str] = []
    rivals: dict[str, set[Rival]] = {}
    for lost, is_mine in zip(losses, mine, strict=True):
        known = lost.job != NOBODY
        classes.append(queues.title(workload.queue.item(lost.job)) if known else OTHERS)
        if not is_mine:
            user = workload.user.item(lost.job) if known else -1
            rivals.setdefault(classes[-1], set()).add(rival(user, lost.job))
    shown = shown_classes(rivals)
    names = [
        f"job {workload.job_name(lost.job)}" if is_mine else shown[name]
        for lost, name, is_mine in zip(losses, classes, mine, strict=True)
    ]
    sums = []
    for name, places in positions(names).items():
        rows = [losses[place] for place in places]
        amount = exact_sum(row.amount for row in rows)
        sums.append(ClassLoss(name, len(rows), math.fsum(row.loss for row in rows), amount))
    return sorted(sums, key=lambda each: (-abs(each.loss), each.name))


def rival(user: int, job: int) -> Rival:
    """Return what tells a rival from others: the user, or the job of an unknown user."""
    return (user, 0) if user >= 0 else (-1, job)
