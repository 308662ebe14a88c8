"""Amounts that groups of jobs have, counted against the limits of a machine."""

from copy import copy
from typing import NoReturn, Self

import numpy as np

from swfx import InputError
from utilitysched.model.machine import RUNNING_JOBS, SUBMITTED_JOBS, LimitTable
from utilitysched.model.state import Integers

UNLIMITED = np.iinfo(np.int64).max


def refuse_for_ever(job: int, what: str) -> NoReturn:
    """Refuse a job, by its number in the log, that nothing will ever let start.

    Raises
    ------
    InputError
        Always.
    """
    raise InputError(
        f"job {job} waits for ever for {what}",
        source="machine",
        remedy="change the machine, or drop the job",
    )


class LimitUse:
    """Use of limits by the jobs of all pools, which are named by their place in arrival order.

    Parameters
    ----------
    limits : LimitTable
        The limits.
    demand : (n, r) int64
        Amounts of each job.

    Attributes
    ----------
    used : list of int
        Amount in use of each limit.
    """

    def __init__(self, limits: LimitTable, demand: Integers) -> None:
        self.used = [0] * len(limits.most)
        self._most: list[int] = limits.most.tolist()
        # limits on what runs, with the amount of the job; limits on what is queued or runs
        self._running: list[list[tuple[int, int]]] = []
        self._submitted: list[list[int]] = []
        self._waiting: dict[int, None] = {}
        measure: list[int] = limits.measure.tolist()
        for counters, amounts in zip(limits.counter.tolist(), demand.tolist(), strict=True):
            own = [counter for counter in counters if counter >= 0]
            self._submitted.append([each for each in own if measure[each] == SUBMITTED_JOBS])
            self._running.append(
                [
                    (each, 1 if measure[each] == RUNNING_JOBS else amounts[measure[each]])
                    for each in own
                    if measure[each] != SUBMITTED_JOBS
                ]
            )

    def __bool__(self) -> bool:
        return bool(self._most)

    def fork(self) -> Self:
        """Return the same, to go on separately."""
        other = copy(self)
        other.used, other._waiting = self.used.copy(), self._waiting.copy()
        return other

    def bars(self, job: int) -> bool:
        """Whether a job would break a limit if it started, or is not admitted."""
        used, most = self.used, self._most
        breaks = any(
            used[counter] + amount > most[counter] for counter, amount in self._running[job]
        )
        return breaks or job in self._waiting

    def begin(self, job: int) -> None:
        """Count a job that starts."""
        for counter, amount in self._running[job]:
            self.used[counter] += amount

    def stop(self, job: int) -> None:
        """Count a job no longer that ends or is stopped."""
        for counter, amount in self._running[job]:
            self.used[counter] -= amount

    def submit(self, job: int) -> None:
        """Let a job that has come wait until it is admitted."""
        if self._submitted[job]:
            self._waiting[job] = None

    def admit(self) -> None:
        """Admit waiting jobs in the order in which they came, as long as limits let them."""
        for job in list(self._waiting):
            if all(self.used[each] < self._most[each] for each in self._submitted[job]):
                self.enter(job)

    def enter(self, job: int) -> None:
        """Count a job that is queued or runs."""
        self._waiting.pop(job, None)
        for counter in self._submitted[job]:
            self.used[counter] += 1

    def leave(self, job: int) -> None:
        """Count a job no longer that has ended or is taken back."""
        if job in self._waiting:
            del self._waiting[job]
            return
        for counter in self._submitted[job]:
            self.used[counter] -= 1

    def go_on_from(self, other: "LimitUse", queued: list[int], running: list[int]) -> None:
        """Come to where jobs that are there have come in `other`, by limits that may be others."""
        for job in running:
            self.begin(job)
        for job in (*running, *queued):
            if job in other._waiting:
                self.submit(job)
            else:
                self.enter(job)

    def memory(self) -> tuple[int, ...]:
        """Return the jobs that are not admitted; what is used follows from those that are there."""
        return tuple(self._waiting)


def within_a_pass(
    limits: LimitTable, used: list[int], jobs: Integers
) -> tuple[LimitTable, Integers]:
    """Return the limits that a pass can break, by numbers of jobs, and what is in use of each.

    Parameters
    ----------
    limits : LimitTable
        All limits.
    used : list of int
        Amount in use of each.
    jobs : (m,) int64
        Place in arrival order of each job by its number in the pass.
    """
    # who is not admitted is not in the queue of the pass
    most = np.where(limits.measure == SUBMITTED_JOBS, UNLIMITED, limits.most)
    return LimitTable(limits.counter[jobs], limits.measure, most), np.array(used, dtype=np.int64)
