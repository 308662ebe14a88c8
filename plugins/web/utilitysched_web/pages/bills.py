"""Bills: what was charged and why, recomputed on request; the budget."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from decimal import Decimal
from functools import partial
from typing import Annotated

import numpy as np
from fastapi import APIRouter, Query, Request, Response
from starlette.exceptions import HTTPException

from pricing.disclosure import ClassLoss, losses_by_class
from pricing.evidence import Loss
from pricing.ledger import amount
from pricing.months import months
from swfx.base.columns import Ints
from swfx.base.numbers import money, plural, span, whole
from swfx.clock import calendar_of
from utilitysched.analysis.documents import (
    Column,
    Description,
    Fact,
    Facts,
    Panel,
    ResultTable,
    column,
    panel,
)
from utilitysched.counterfactual.explanation import Explanation, explain
from utilitysched.report.charts import losses
from utilitysched.report.charts.picture import Picture
from utilitysched.report.explanation import verdict
from utilitysched.report.sentences import billed, later, sentences, why
from utilitysched.runs.files import plain
from utilitysched.runs.target import file_digest
from utilitysched_centre.accounts.references import job_references
from utilitysched_web.answers import Shown, View, answer, link_maker, linked
from utilitysched_web.audit import note
from utilitysched_web.budgets import budget_facts
from utilitysched_web.doors import Doors, Identity, Who, limited_as
from utilitysched_web.listed import Listed
from utilitysched_web.pages.invoices import given_back_table, invoices_table
from utilitysched_web.quote_store import KeptQuote
from utilitysched_web.quote_view import quoted_pay
from utilitysched_web.site import Site

router = APIRouter(prefix="/bills", tags=["bills"])

MOST_LOSSES = 25
"""Losses listed beside a charge."""

OWN_ROUNDING = (
    "An invoice is for all jobs of its account in a month. It is rounded by itself: what it takes"
    " for a job may differ from this bill by the smallest amount."
)

User = Annotated[str | None, Query(max_length=300, description="Whose; operators only.")]
"""A page's parameter: whose bill an operator reads."""


@router.get("", dependencies=[Listed])
def bills(request: Request, site: Shown, who: Who, user: User = None) -> Response:
    """Show a user's bill: jobs and what they cost, by month, and the budget."""
    if who.is_operator and user is None:
        return answer(request, View(everybody(site, link_maker(request))))
    document = bill_document(site, _whose(site, who, user), link_maker(request))
    return answer(request, View(document))


@router.get("/{job}")
def charge(request: Request, site: Shown, who: Who, job: str) -> Response:
    """Explain the charge of a job: reason, evidence, and losses of other jobs."""
    number = _require_theirs(site, who, job)
    explained = site.rebill.explained(number)
    picture = graph(explained, who)
    values = {"job": number, "picture": picture, "drawn": picture is not None}
    document = charge_document(explained, who, site.quoted(explained.job))
    (reference,) = job_references(site.results.workload[explained.job : explained.job + 1])
    back = given_back_table(site.issued(who.sees), reference, link_maker(request))
    if back is not None:
        first, *rest = document.panels
        document = replace(document, panels=[first, back, *rest])
    return answer(request, View(document, "charge.html", values))


@router.post("/{job}/recompute")
def recompute(request: Request, site: Shown, who: Who, job: str) -> Response:
    """Dispute a charge: compute it again from the files, and say what each step gives."""
    number = _require_theirs(site, who, job)
    doors: Doors = request.app.state.doors
    doors.disputes.require(limited_as(request, who))
    explained = explain(site.run, number)
    note(request, job=number, verdict="disagrees" if explained.own_faults else "identical")
    return answer(request, View(dispute_document(explained), "recomputed.html"))


def _whose(site: Site, who: Identity, user: str | None) -> str:
    if user is None or user == who.user:
        return who.user
    if not who.is_operator:
        raise HTTPException(403, "bills of others are not yours to read")
    if site.number_of(user) is None:
        raise HTTPException(404, "no job is of such a user")
    return user


def _require_theirs(site: Site, who: Identity, job: str) -> int:
    """Return the number of a job; refuse other users' jobs like jobs that do not exist."""
    rows = site.rows_of(job, who.sees)
    if not rows:
        raise HTTPException(404, f"no job of yours has the number {job}")
    return int(site.results.workload.job_id[rows[0]])


def everybody(site: Site, to: Callable[[str], str]) -> Description:
    """Return what each user was charged, the most first."""
    users, charges = site.results.workload.user, site.bill.charge
    pays = ~np.isnan(charges)
    numbers, place = np.unique(users[pays], return_inverse=True)
    jobs = np.bincount(place)
    sums = np.bincount(place, charges[pays]).round(site.bill.decimals)
    rows = [
        (site.users.name(int(numbers[i])), int(jobs[i]), float(sums[i]))
        for i in np.argsort(-sums, kind="stable")
    ]
    columns = [
        Column("user", write=linked(to, "/bills?user="), left=True, key="user"),
        column("jobs", "count", "jobs"),
        Column("charge", "SU", site.bill.text, key="charge"),
    ]
    table = panel("users", "Users, the largest charge first", "", columns, rows, bars="charge")
    total, payers = site.bill.text(sums.sum()), plural(len(numbers), "user")
    lead = f"{total} SU for {plural(int(jobs.sum()), 'job')} of {payers}, charged under"
    return Description("Bills", (table,), (f"{lead} {site.bill.mechanism}.",))


def bill_document(site: Site, user: str, to: Callable[[str], str]) -> Description:
    """Return the bill of a user, and the budget."""
    bill, jobs = site.bill, site.jobs_of(user)
    paying = jobs[~np.isnan(bill.charge[jobs])]
    total = float(bill.charge[paying].sum())
    whose = f"{site.users.words} {user}"
    jobs_text = plural(len(paying), "job")
    lead = [f"{bill.text(total)} SU for {jobs_text} of {whose}, charged under {bill.mechanism}."]
    panels: list[Panel] = [_months(site, paying), _jobs(site, paying, to)]
    issued = site.issued(user)
    if issued.documents:
        panels.insert(0, invoices_table(site, issued, to, OWN_ROUNDING))
    balance = site.balance_of(user)
    if balance:
        panels.insert(0, budget_facts(site, *balance))
    return Description(f"Bill of {whose}", panels, lead)


def _months(site: Site, paying: Ints) -> ResultTable:
    """Table of what was charged in each month."""
    results = site.results
    when = months(results.schedule.end[paying], calendar_of(results.workload.header))
    names, place = np.unique(when, return_inverse=True)
    hours = results.workload.size[paying] * results.schedule.running_time[paying] / 3600
    jobs = np.bincount(place, minlength=len(names))
    charged = np.bincount(place, site.bill.charge[paying], len(names)).round(site.bill.decimals)
    sums = (np.bincount(place, hours, len(names)), charged)
    rows = list(zip(names.tolist(), jobs.tolist(), *(each.tolist() for each in sums), strict=True))
    columns = [
        column("month", "text", "month"),
        column("jobs", "count", "jobs"),
        column("processor-hours", "number", "processor_hours"),
        Column("charge", "SU", site.bill.text, key="charge"),
    ]
    return panel("months", "By month", "Of the month in which a job ended.", columns, rows)


def _jobs(site: Site, paying: Ints, to: Callable[[str], str]) -> ResultTable:
    """Table of jobs, the most expensive first."""
    workload, schedule = site.results.workload, site.results.schedule
    queue, charges = workload.labels.in_field("queue"), site.bill.charge
    first = paying[np.argsort(-charges[paying], kind="stable")]
    rows = [
        (
            int(workload.job_id[job]),
            queue.name(int(workload.queue[job])),
            int(workload.size[job]),
            float(schedule.start[job] - workload.submit[job]),
            float(schedule.end[job] - schedule.start[job]),
            float(charges[job]),
        )
        for job in first.tolist()
    ]
    columns = [
        Column("job", write=linked(to, "/bills/", workload.job_names.name), key="job_id"),
        column(queue.words, "text", "queue"),
        column("processors", "count", "processors"),
        Column("waited", write=span, key="wait_s"),
        Column("ran", write=span, key="run_s"),
        Column("charge", "SU", site.bill.text, key="charge"),
    ]
    return panel("jobs", "Jobs, the most expensive first", "", columns, rows)


def charge_document(
    explained: Explanation, who: Identity, quoted: KeptQuote | None = None
) -> Description:
    """Return why a job is charged what it is; losses of others by class but for operators.

    What it was quoted stands beside it.
    """
    jobs, job = explained.run.workload, explained.job
    amount = billed(explained)
    facts = [
        Fact("charge", "charge", str(amount), f"{amount:,f} SU"),
        Fact("reason", "reason", why(explained), why(explained).removeprefix("charged: ")),
        Fact("mechanism", "mechanism", explained.charges.mechanism, explained.charges.mechanism),
        Fact("processors", "processors", int(jobs.size[job]), whole(int(jobs.size[job]))),
    ]
    if quoted is not None:
        quote = f"{money(quoted_pay(quoted.made))} SU, quote {quoted.number}"
        facts.insert(1, Fact("quoted", "quoted", quoted_pay(quoted.made), quote))
    panels: list[Panel] = [Facts("charge", "Charge", facts)]
    for key, title, lost in (
        ("losers", "What others lost because of it", explained.losers),
        ("loses_by", "What it lost because of others", explained.causes),
    ):
        if lost:
            panels.append(_losses(explained, who, key, title, lost))
    notices = explained.charges.basis.notices if explained.charges.basis else ()
    verdict, *more = sentences(explained, whole=who.is_operator)
    about = () if who.is_operator else (explained.charges.about,)
    return Description(f"Job {explained.job_name}", panels, (verdict, *about, *more, *notices))


def _losses(
    explained: Explanation, who: Identity, key: str, title: str, losses: Sequence[Loss]
) -> ResultTable:
    """Return losses by job to operators, by class to users."""
    jobs = explained.run.workload
    rows: list[tuple[str, float, str | int]]
    if who.is_operator:
        head, more = "job", column("starts", "text", "starts")
        rows = [
            (f"job {jobs.job_name(each.job)}", float(each.amount), later(each)) for each in losses
        ]
    else:
        head, more = "class", column("jobs", "count", "jobs")
        rows = [(each.name, float(each.amount), each.jobs) for each in _by_class(explained, losses)]
    unit = amount(1, explained.charges.ledger.decimals)
    lost = Column("lost", "SU", partial(_lost_text, unit), key="loss")
    bars = "loss" if min(loss for _, loss, _ in rows) >= 0 else ""
    return panel(key, title, "", [column(head, "text", head), lost, more], rows[:MOST_LOSSES], bars)


def _lost_text(unit: Decimal, loss: float) -> str:
    """Return a loss as on every other page; it is rounded to nothing where it is below the unit."""
    return f"{Decimal(loss).quantize(unit):,f}" if loss else f"less than {unit:f}"


def _by_class(explained: Explanation, losses: Sequence[Loss]) -> list[ClassLoss]:
    """Return losses as the user of the job may see them."""
    users, job = explained.run.workload.user, explained.job
    own = np.flatnonzero(users == users[job]) if users[job] >= 0 else [job]
    return losses_by_class(explained.run.workload, losses, own)


def graph(explained: Explanation, who: Identity) -> Picture | None:
    """Return the chart of the losses around a job; by class but for operators."""
    if not explained.causes and not explained.losers:
        return None
    sides = losses.sides_of(explained) if who.is_operator else _sides(explained)
    return losses.graph(explained.job_name, sides)


def _sides(explained: Explanation) -> dict[str, list[losses.Node]]:
    sides: dict[str, list[losses.Node]] = {losses.CAUSE: [], losses.LOST: []}
    for kind, lost in ((losses.CAUSE, explained.causes), (losses.LOST, explained.losers)):
        for each in _by_class(explained, lost):
            sides[kind].append(losses.node(each.name, each, kind, plural(each.jobs, "job")))
    return sides


def dispute_document(explained: Explanation) -> Description:
    """Return a charge computed again, step by step, from what lies on the disk."""
    run, job, place = explained.run, explained.job, explained.place
    steps: list[Fact] = [
        _step("workload", "digest of jobs and curves", run.workload.digest()[:16]),
        _step(
            "jobs", "when they ran: jobs.csv", file_digest(explained.directory / "jobs.csv")[:16]
        ),
        _step(
            "bill", "the bill: charges.csv", file_digest(explained.directory / "charges.csv")[:16]
        ),
        _step("start", "submitted, started, ended (s)", _times(explained)),
        _step("mechanism", "mechanism", explained.charges.mechanism),
    ]
    if place is not None:
        worth = explained.charges.outcome.utility.item(place)
        steps.append(_step("utility", "worth at its end (SU)", f"{worth!r}"))
        steps.append(
            _step(
                "computed",
                "charge before rounding (SU)",
                repr(plain(explained.charges.charge[place])),
            )
        )
    steps.append(_step("written", "charge in the bill (SU)", str(billed(explained))))
    steps += [_step(f"fault_{i}", "but", str(each)) for i, each in enumerate(explained.own_faults)]
    return Description(
        f"Job {run.workload.job_name(job)}, computed again",
        (Facts("steps", "Step by step", steps),),
        (verdict(explained),),
    )


def _step(key: str, name: str, text: str) -> Fact:
    return Fact(key, name, text, text)


def _times(explained: Explanation) -> str:
    run, job = explained.run, explained.job
    return ", ".join(f"{each.item(job):,.0f}" for each in (run.workload.submit, run.start, run.end))
