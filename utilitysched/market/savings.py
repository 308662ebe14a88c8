"""Savings of single jobs: what each would have been charged, had its user chosen otherwise.

What others lose by a job is another question in another schedule. So the log is played again with
the job submitted at night, with less time asked for, or of less value, everybody else doing what
they did, and the job is charged there as it was here.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from datetime import time
from typing import NamedTuple

import numpy as np

from pricing import Charges, make_mechanism
from pricing.evidence import reserve_of
from pricing.outcome import Outcome
from swfx import InputError, Workload
from swfx.base.numbers import span
from swfx.base.options import as_text
from swfx.clock import clock_of, next_time
from utilitysched.counterfactual.charges import Counterfactuals
from utilitysched.counterfactual.otherwise import ChangedJobs, ChargedJob
from utilitysched.market.audit.misreport import Misreport
from utilitysched.market.audit.misreports.delay import Delay
from utilitysched.market.audit.misreports.request import Request
from utilitysched.market.audit.misreports.scale import Scale
from utilitysched.market.audit.reported import tell

NIGHT, MORNING = time(22), time(6)
"""From when to when a job is at night, by the clock of the log."""

MARGIN = 0.1
"""Share of the time that a job took, by which what it could have asked for is longer."""

LOWER = 0.5
"""Share of its value that a job could have been said to have."""


class JobSaving(NamedTuple):
    """What one other choice would have made of a job.

    Attributes
    ----------
    place : int
        The job, among those of the bill.
    choice : str
        A clause behind *if*.
    price : float
        What it would have been charged (SU).
    later : float
        How much later it would have started (s).
    """

    place: int
    choice: str
    price: float
    later: float


def require_playable(mechanism: str, asked: Counterfactuals) -> None:
    """Refuse what cannot be charged with one job otherwise.

    Raises
    ------
    InputError
        The charges ask nobody what would have been, or of this schedule it is not defined.
    """
    made = make_mechanism(mechanism)
    if not (made.pivots or made.replays):
        raise InputError(
            f"{made.label} does not ask what would have been",
            field="--savings",
            remedy="leave it out: invoices say what other choices save, where arithmetic tells it",
        )
    if asked.dependencies or asked.preemption is not None or asked.failures:
        raise InputError(
            "what a job would have cost is not defined where jobs wait for others or were stopped",
            field="--savings",
            remedy="leave it out",
        )


def job_savings(
    charges: Charges, payer: Sequence[str], most: int, on_progress: Callable[[float], None]
) -> list[JobSaving]:
    """Return what the most expensive jobs would have been charged by other choices.

    Every payer's most expensive job comes before anybody's second. Jobs without a utility function
    are left out.

    Parameters
    ----------
    charges : Charges
        Of n jobs, by a mechanism that asks what would have been; see `require_playable`.
    payer : sequence of str, length n
        Who pays for each.
    most : int
        Jobs, of all payers together.
    on_progress : callable
        Takes the share of jobs that are done.
    """
    asked, mechanism = charges.outcome.counterfactual, make_mechanism(charges.mechanism)
    rule = mechanism.replays or mechanism.pivots
    assert isinstance(asked, Counterfactuals)
    assert rule is not None
    order = np.argsort(asked.workload.submit, kind="stable")
    jobs = asked.workload[order]
    rank = np.argsort(order)[charges.outcome.position]
    changes = ChangedJobs(replace(asked.inputs(), workload=jobs), rule)
    found = []
    places = sorted(_most_expensive(charges, payer, most), key=lambda place: rank[place])
    for done, place in enumerate(places, start=1):
        job = rank.item(place)
        for choice, lie in _choices(jobs, job, charges.outcome.held.item(place)):
            told = tell(jobs, {job: lie}, None)
            where = int(np.flatnonzero(told.owner == job)[0])
            charged = changes.charged(job, told.workload, where)
            more = charged.charge + _reserve(charges, place, told.workload, where)
            charged = charged._replace(charge=more)
            price = _cut(charged, told.workload, where) if charges.terms.cap else charged.charge
            later = charged.start - charges.outcome.start.item(place)
            found.append(JobSaving(place, choice, price, later))
        on_progress(done / len(places))
    return found


def _most_expensive(charges: Charges, payer: Sequence[str], most: int) -> list[int]:
    """Return the places of jobs that pay, everybody's most expensive first, then the second."""
    known = (charges.charge > 0) & charges.workload.utility.defined
    before: Counter[str] = Counter()
    ranked = []
    for place in np.argsort(-charges.charge, kind="stable").tolist():
        if known[place]:
            ranked.append((before[payer[place]], place))
            before[payer[place]] += 1
    return [place for _, place in sorted(ranked, key=lambda pair: pair[0])[:most]]


def _choices(jobs: Workload, job: int, ran: float) -> Iterator[tuple[str, Misreport]]:
    clock, submit, request = clock_of(jobs.header), jobs.submit.item(job), jobs.request.item(job)
    if clock and MORNING <= clock.date(submit).time() < NIGHT:
        by = math.ceil(next_time(clock, submit, NIGHT) - submit)
        yield f"it had been submitted at {clock.date(submit + by):%Y-%m-%d %H:%M}", Delay(by=by)
    enough = ran * (1 + MARGIN)
    if 0 < enough < request:
        said = f"{span(enough)} had been asked for, not {span(request)}"
        yield said, Request(factor=enough / request)
    yield "its utility function had been half as high", Scale(factor=LOWER)


def _reserve(charges: Charges, place: int, jobs: Workload, job: int) -> float:
    """Return what a job that is otherwise pays for those who come later, at the price billed."""
    reserve = reserve_of(charges)
    if reserve is None:
        return 0.0
    billed = make_mechanism(f"vcg:reserve={as_text(reserve.price.item(place))}")
    alone = jobs[job : job + 1]
    ran = Outcome(alone, alone.submit, alone.submit + alone.effective_run)
    return billed.for_later(ran).item()


def _cut(charged: ChargedJob, jobs: Workload, place: int) -> float:
    """Return a charge that is at most what the job turned out to be worth (SU)."""
    turnaround = charged.start + jobs.effective_run[place] - jobs.submit[place]
    return min(charged.charge, jobs.utility.take([place]).evaluate(np.array([turnaround])).item())
