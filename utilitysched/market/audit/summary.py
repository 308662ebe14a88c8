"""Summary of an audit, in figures with intervals."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from utilitysched.analysis.statistics import bootstrap_interval, difference_of_means
from utilitysched.market.audit.audit import STRATA, Audit
from utilitysched.market.audit.reported import Bools
from utilitysched.model.state import Floats, Integers

TRUTH = -1
"""In place of a lie: none was expected to bring anything."""

REMAINDER = 1e-9
"""A lie that brings no more than this (SU) is expected to bring nothing: sums are rounded."""

ALL = "all"

MEASURES = (
    "best value lie",
    "best lie",
    "one value lie for all",
    "one lie for all",
    "placebo",
)


class Gains(NamedTuple):
    """Misreports chosen by a rule, and their gains.

    Attributes
    ----------
    lie : (m, k) int64
        Which lie, for each of m jobs and k mechanisms; `TRUTH` for none.
    gain : (m, k) float64
        What it brings on the seeds of scoring (SU).
    """

    lie: Integers
    gain: Floats


class MeasureRow(NamedTuple):
    """A line of the summary.

    Attributes
    ----------
    mechanism : str
        Text of the price mechanism.
    measure : str
        One of `MEASURES`.
    congestion : str
        One of `STRATA`, or `ALL`.
    jobs : int
        Sampled jobs.
    gain : float
        Mean gain of a job's user (SU).
    low, high : float or None
        95% bootstrap interval of that, jobs being drawn anew; None for fewer than three jobs.
    share : float or None
        The gain as a share of what the jobs turned out to be worth under the truth; None if that
        is nothing.
    lying : float
        Share of the jobs for which a lie was chosen, 0 for the placebo.
    """

    mechanism: str
    measure: str
    congestion: str
    jobs: int
    gain: float
    low: float | None
    high: float | None
    share: float | None
    lying: float


class MisreportRow(NamedTuple):
    """Gain by one misreport of all sampled jobs.

    Attributes
    ----------
    mechanism, lie : str
        Texts of both.
    gain : float
        Mean gain of a job's user on all seeds (SU).
    low, high : float or None
        Interval as in `MeasureRow`.
    others_charge, others_value : float or None
        Change of what other users pay, and of what their jobs are worth to them, as a share of both
        under the truth; None where it was not measured.
    """

    mechanism: str
    lie: str
    gain: float
    low: float | None
    high: float | None
    others_charge: float | None
    others_value: float | None


def best(audit: Audit, misreports: Bools) -> Gains:
    """Return what the lie brings that is best for each job on the seeds of choosing.

    Parameters
    ----------
    audit : Audit
        m jobs, k mechanisms, l lies.
    misreports : (l,) bool
        Which may be chosen; where none is better than the truth, the truth is told.
    """
    return _scored(audit, np.where(misreports, audit.chosen, -np.inf))


def common(audit: Audit, misreports: Bools) -> Gains:
    """Return what the lie brings that is best on the average of all other jobs.

    What it brings a job had no part in choosing it; see `best`.
    """
    others = audit.chosen.sum(axis=0) - audit.chosen
    return _scored(audit, np.where(misreports, others, -np.inf))


def summarise(audit: Audit) -> tuple[MeasureRow, ...]:
    """Return all measures by mechanism and by congestion."""
    value = np.array(audit.about_value)
    everything = np.ones(len(audit.lies), np.bool_)
    choice = np.full(audit.placebo.shape, TRUTH)
    rows = (
        best(audit, value),
        best(audit, everything),
        common(audit, value),
        common(audit, everything),
        Gains(choice, audit.placebo),
    )
    return tuple(
        _row(audit, place, measure, gains, stratum)
        for place in range(len(audit.mechanisms))
        for measure, gains in zip(MEASURES, rows, strict=True)
        for stratum in (ALL, *STRATA)
    )


def by_lie(audit: Audit) -> tuple[MisreportRow, ...]:
    """Return what every lie brings by every mechanism; nothing is chosen."""
    gains = (audit.chosen + audit.scored) / 2
    others = audit.others.sum(axis=0)
    return tuple(
        MisreportRow(
            mechanism,
            misreport,
            float(gains[:, place, number].mean()),
            *_interval(gains[:, place, number], audit.seed),
            _change(others[1 + place], number),
            _change(others[0], number),
        )
        for place, mechanism in enumerate(audit.mechanisms)
        for number, misreport in enumerate(audit.lies)
    )


def _change(sums: Floats, number: int) -> float | None:
    """Return the relative change of a sum over the sampled jobs from the truth to a lie."""
    truth, lied = sums[0].item(), sums[1 + number].item()
    return (lied - truth) / truth if truth > 0 else None


def _scored(audit: Audit, expected: Floats) -> Gains:
    choice = np.where(expected.max(axis=2) > REMAINDER, expected.argmax(axis=2), TRUTH)
    gain = np.take_along_axis(audit.scored, np.maximum(choice, 0)[..., np.newaxis], axis=2)[..., 0]
    return Gains(choice, np.where(choice == TRUTH, 0.0, gain))


def _row(audit: Audit, place: int, measure: str, gains: Gains, stratum: str) -> MeasureRow:
    jobs = np.ones(len(audit.job), np.bool_)
    if stratum != ALL:
        jobs = audit.stratum == STRATA.index(stratum)
    gain, choice = gains.gain[jobs, place], gains.lie[jobs, place]
    count = len(gain)
    mean = float(gain.mean()) if count else 0.0
    worth = float(audit.value[jobs].sum())
    return MeasureRow(
        audit.mechanisms[place],
        measure,
        stratum,
        count,
        mean,
        *_interval(gain, audit.seed),
        count * mean / worth if worth > 0 else None,
        float((choice != TRUTH).mean()) if count else 0.0,
    )


def _interval(gain: Floats, seed: int) -> tuple[float | None, float | None]:
    interval = bootstrap_interval(difference_of_means, gain, np.zeros(len(gain)), seed=seed)
    return interval or (None, None)
