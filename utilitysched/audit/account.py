"""What a course leaves a user."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from pricing.outcome import Outcome
from pricing.registry import Mechanism
from swfx import Workload
from utilitysched.audit.course import Course
from utilitysched.audit.telling import Bools
from utilitysched.audit.world import by_plans, by_replays
from utilitysched.state import Floats, Integers


class Window(NamedTuple):
    """Whose account is drawn up, and over what.

    Attributes
    ----------
    workload : Workload
        The true jobs in the order of their arrival.
    jobs : (k,) bool
        Jobs of the user, by place among the true ones.
    present : (p,) int64
        Jobs in the queue when it opens.
    first : int
        The first job to arrive from then on.
    closes : float
        When it closes (s); who has not started counts as if it started then.
    """

    workload: Workload
    jobs: Bools
    present: Integers
    first: int
    closes: float


class Account(NamedTuple):
    """What a user has in a window.

    Attributes
    ----------
    value : float
        What its jobs turned out to be worth, truly (SU).
    charge : (k,) float64
        What it pays by each of k mechanisms (SU); by one that replays, the utility of the others
        with a minus.
    """

    value: float
    charge: Floats


def account(course: Course, window: Window, mechanisms: tuple[Mechanism, ...]) -> Account:
    """Draw up the account of a user.

    A job is worth what its true curve says of the time from its true submission to the end of its
    last part; nothing, if a part does not run to its end. Charges go by what was told.
    """
    told = course.told
    rows = _rows(course, window)
    outcome = _outcome(course, rows, window.closes)
    mine = window.jobs[told.owner[rows]]
    value = _value(window.workload, told.owner[rows], told.complete[rows], outcome.end, mine)
    charge = np.zeros(len(mechanisms))
    for place, mechanism in enumerate(mechanisms):
        if by_replays(mechanism):
            charge[place] = -math.fsum(outcome.utility[~mine])
        elif by_plans(mechanism):
            charge[place] = math.fsum(course.charge[rows][mine])
        else:
            charge[place] = math.fsum(mechanism.price(outcome).charge[mine])
    return Account(value, charge)


def utility_of_others(course: Course, window: Window) -> float:
    """Return the utility of all others by what they tell (SU)."""
    rows = _rows(course, window)
    mine = window.jobs[course.told.owner[rows]]
    return math.fsum(_outcome(course, rows, window.closes).utility[~mine])


def _rows(course: Course, window: Window) -> Integers:
    """Return the jobs of a window: those present, and those that came."""
    return np.concatenate([window.present, np.arange(window.first, len(course.start))])


def _outcome(course: Course, rows: Integers, closes: float) -> Outcome:
    jobs = course.told.workload[rows]
    start = course.start[rows]
    waits = np.isnan(start) | (start >= closes)
    start = np.where(waits, np.maximum(closes, jobs.submit), start)
    return Outcome(jobs, start, start + jobs.effective_run)


def _value(
    workload: Workload,
    owner: Integers,
    complete: Bools,
    end: Floats,
    mine: Bools,
) -> float:
    jobs, place = np.unique(owner[mine], return_inverse=True)
    last = np.full(len(jobs), -np.inf)
    np.maximum.at(last, place, end[mine])
    whole = np.ones(len(jobs), np.bool_)
    np.logical_and.at(whole, place, complete[mine])
    worth = workload.utility.take(jobs).evaluate(last - workload.submit[jobs])
    return math.fsum(worth[whole])
