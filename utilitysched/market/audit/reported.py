"""A workload of which some jobs are told otherwise."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from swfx import UtilityTable, Workload
from utilitysched.market.audit.design import Thresholds, with_queues
from utilitysched.market.audit.misreport import OWN, Misreport, Report
from utilitysched.model.state import Integers

Bools = npt.NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class ReportedJobs:
    """What the centre is told.

    Attributes
    ----------
    workload : Workload
        m jobs in the order of their arrival.
    owner : (m,) int64
        Which of the true jobs each of them is, or is a part of.
    complete : (m,) bool
        Whether each runs to its end.
    decoy : (m,) bool
        Whether each does none of the work of its owner.
    """

    workload: Workload
    owner: Integers
    complete: Bools
    decoy: Bools

    @property
    def keeps_places(self) -> bool:
        """Whether every job arrives in the place in which it would under the truth."""
        return np.array_equal(self.owner, np.arange(len(self.owner)))

    def taken(self, kept: Bools) -> ReportedJobs:
        """Return the reports of the jobs in the mask `kept`."""
        rest = self.owner[kept], self.complete[kept], self.decoy[kept]
        return ReportedJobs(self.workload[kept], *rest)


def truth(workload: Workload) -> ReportedJobs:
    """Return the truthful reports of all jobs, in arrival order."""
    jobs = len(workload)
    return ReportedJobs(
        workload, np.arange(jobs), np.ones(jobs, np.bool_), np.zeros(jobs, np.bool_)
    )


def tell(
    workload: Workload,
    misreports: Mapping[int, Misreport],
    thresholds: Thresholds | None,
    machine: int = 0,
) -> ReportedJobs:
    """Return what is told if some jobs are lied about.

    Parameters
    ----------
    workload : Workload
        n true jobs in the order of their arrival.
    misreports : mapping of int to Misreport
        By job; one without a utility function is told as it is.
    thresholds : Thresholds or None
        Which queue a job goes to by what is said; see `with_queues`.
    machine : int
        Processors of the machine.
    """
    reports = {
        job: misreport.tell(report)
        for job, misreport in sorted(misreports.items())
        if (report := true_report(workload, job, machine)) is not None
    }
    if not reports:
        return truth(workload)
    counts = np.ones(len(workload), dtype=np.int64)
    counts[list(reports)] = [len(parts) for parts in reports.values()]
    owner = np.repeat(np.arange(len(workload)), counts)
    places = np.flatnonzero(np.isin(owner, list(reports)))
    parts = [part for reported in reports.values() for part in reported]
    reported = _with(workload[owner], places, parts, thresholds)
    complete = np.ones(len(owner), np.bool_)
    complete[places] = [part.completes for part in parts]
    decoy = np.zeros(len(owner), np.bool_)
    decoy[places] = [part.decoy for part in parts]
    order = np.argsort(reported.submit, kind="stable")
    return ReportedJobs(reported[order], owner[order], complete[order], decoy[order])


def true_report(workload: Workload, job: int, machine: int) -> Report | None:
    """Return what an honest user tells of a job; None if it has no utility function.

    A job that was killed at its limit is taken to have done by then what it was to do.
    """
    curve = workload.utility[job]
    if curve is None:
        return None
    return Report(
        workload.submit.item(job),
        workload.size.item(job),
        workload.effective_run.item(job),
        workload.request.item(job),
        curve,
        workload.rerunnable.item(job),
        job,
        machine=machine,
    )


def _with(
    workload: Workload, places: Integers, parts: list[Report], thresholds: Thresholds | None
) -> Workload:
    """Return the workload with the reported parts at some places."""
    curves = UtilityTable.from_functions([part.curve for part in parts])
    reported = with_queues(
        workload[places].replace(
            submit=np.array([part.submit for part in parts]),
            processors=np.array([part.size for part in parts]),
            run=np.array([part.run for part in parts]),
            requested_time=np.array([part.request for part in parts]),
            rerunnable=np.array([part.rerunnable for part in parts], dtype=np.int64),
            utility=curves,
        ),
        thresholds,
    )
    reported = reported.replace(user=_names(workload.user, places, parts))
    changed = {}
    for name in ("submit", "processors", "run", "requested_time", "queue", "rerunnable", "user"):
        column = workload.column(name).copy()
        column[places] = reported.column(name)
        changed[name] = column
    index = np.arange(len(workload))
    index[places] = len(workload) + np.arange(len(places))
    utility = UtilityTable.stacked([workload.utility, curves]).take(index)
    return workload.replace(**changed, utility=utility)


def _names(user: Integers, places: Integers, parts: list[Report]) -> Integers:
    """Return the users that jobs at some places are said to be of; other names are new numbers."""
    own = user[places]
    account = np.array([part.account for part in parts])
    # who is not known stands for itself
    owner = np.where(own >= 0, own, -1 - np.array([part.place for part in parts]))
    names = np.column_stack([owner, account])
    _, number = np.unique(names, axis=0, return_inverse=True)
    return np.where(account == OWN, own, max(user.max(), 0) + 1 + number)
