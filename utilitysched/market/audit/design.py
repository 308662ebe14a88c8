"""Design of an audit: the misreports, how many jobs and draws, and the queues that jobs go to."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from pricing.counterfactual import horizon_seconds
from pricing.outcome import requested_hours
from pricing.rates import read_rates
from swfx import InputError, Workload
from utilitysched.market.audit.misreport import MISREPORTS, Misreport
from utilitysched.model.state import Integers

Thresholds = tuple[tuple[int, float], ...]

AS_LOGGED = "log"

QUEUES = "1:1.7,2:2,3:1,4:0"
"""The queues of SDSC-Blue: low (4), normal (3), express (1) and high (2), each from its rate on."""


def read_thresholds(text: str) -> Thresholds | None:
    """Read ``QUEUE:LEAST`` separated by commas; None for ``log``.

    Raises
    ------
    InputError
        Anything else, a queue named twice, or a negative number.
    """
    return None if text == AS_LOGGED else read_rates(text)


def with_queues(workload: Workload, thresholds: Thresholds | None) -> Workload:
    """Return the jobs in the queues that they go to by what they are said to be worth.

    A job goes to the queue with the highest threshold that it reaches with the value that its curve
    begins with, per processor-hour requested: where thresholds are rates, to the most expensive
    queue whose price for all the time it requests it would still be worth. One that reaches none
    goes to that with the lowest. Jobs without a curve stay where they are.

    Parameters
    ----------
    workload : Workload
        n jobs.
    thresholds : tuple of (int, float), or None
        Queue number and least value (SU per processor-hour requested); None leaves all as it is.
    """
    if thresholds is None:
        return workload
    by_threshold = sorted(thresholds, key=lambda pair: pair[1])
    least = np.array([threshold for _, threshold in by_threshold])
    queue: Integers = np.array([number for number, _ in by_threshold], dtype=np.int64)
    hours, worth = requested_hours(workload), workload.utility.start_values
    density = np.divide(worth, hours, out=np.zeros(len(workload)), where=hours > 0)
    reached = np.maximum(np.searchsorted(least, density, side="right") - 1, 0)
    return workload.replace(
        queue=np.where(workload.utility.defined, queue[reached], workload.queue),
        header=workload.header.without("QueueMeans"),  # these are queues, whatever the log has
    )


TOLD = (
    "scale:factor=0.1",
    "scale:factor=0.5",
    "scale",
    "scale:factor=10",
    "steeper",
    "flatter",
    "earlier",
    "later",
    "step",
    "request:factor=0.5",
    "request",
    "split",
    "delay",
)
"""Lies that are tried."""

MECHANISMS = (
    "single-price",
    "multi-queue",
    "first-price",
    "second-price",
    "vcg",
    "vcg:method=replay",
)
"""Mechanisms that are audited."""


@dataclass(frozen=True)
class Design:
    """How an audit is made.

    Attributes
    ----------
    jobs : int
        Jobs to sample.
    draws : int
        Seeds on which lies are chosen, and as many others on which they are scored; a scheduler
        that does not draw has one for both.
    lies : tuple of str
        Lies to try, in place of the truth.
    horizon : str
        How long after a job's submission accounts are closed: ``24h``, ``1w`` or the like, or
        ``recoupled`` for once all have started.
    queues : str
        Queues with the least value (SU per processor-hour requested) from which on a job goes to
        them, or ``log``; see `utilitysched.market.audit.design`.
    """

    jobs: int = 30
    draws: int = 2
    lies: tuple[str, ...] = TOLD
    horizon: str = "24h"
    queues: str = QUEUES

    def __post_init__(self) -> None:
        for name in ("jobs", "draws"):
            if getattr(self, name) < 1:
                raise InputError(f"{getattr(self, name)} {name}", field=name, remedy="give 1")
        if not self.lies:
            raise InputError("no lie to try", field="lies", remedy="name one or more")
        for label in (labels := [misreport.label for misreport in self.told]):
            if labels.count(label) > 1:
                raise InputError(f"{label} is named twice", field="lies", remedy="once will do")
        assert self.seconds > 0
        assert self.thresholds is None or self.thresholds

    @cached_property
    def told(self) -> tuple[Misreport, ...]:
        """The lies."""
        return tuple(MISREPORTS.make(text) for text in self.lies)

    @property
    def adds_jobs(self) -> bool:
        """Whether a misreport adds jobs, so that what happens to other users is measured."""
        return any(misreport.adds_jobs for misreport in self.told)

    @cached_property
    def seconds(self) -> float:
        """The horizon (s)."""
        return horizon_seconds(self.horizon)

    @cached_property
    def thresholds(self) -> Thresholds | None:
        """The queues' thresholds, None if jobs stay in those of the log."""
        return read_thresholds(self.queues)
