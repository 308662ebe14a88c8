"""Evidence of invoices: how the charge of each job came about, the most expensive first."""

from __future__ import annotations

import math
from collections.abc import Iterator
from decimal import Decimal
from functools import lru_cache

import numpy as np

from pricing import Pivots
from pricing.disclosure import OTHERS, losses_by_class
from pricing.registry import make_mechanism
from pricing.resources import resource_hour
from swfx.base.columns import Ints
from swfx.base.numbers import plural, span
from swfx.base.options import as_text
from utilitysched.analysis.documents import ResultTable, plain_table
from utilitysched.report.sentences import (
    SharedStart,
    few,
    loss_text,
    shared_starts,
    stop_sentences,
    uncharged_sentences,
    usual,
)
from utilitysched_centre.report.statements.page import count_reasons, job_columns, named_label
from utilitysched_centre.report.statements.statement import (
    Statement,
    anchor,
    begun,
    waited,
)
from utilitysched_centre.report.templating import render
from utilitysched_centre.rules import Invoice
from utilitysched_centre.rules.statements import charged_jobs

NAMED = 5
"""Classes of jobs that lost by another are named, the largest loss first."""

AS_ABOVE = "As the job above."
"""Said where nothing is different, as of jobs that started together."""

EXPLAINED = 1000
"""Jobs that have a line; the table of all jobs has the others, with their reasons."""


def evidence(mine: Statement) -> str:
    """Return a page with a line for each job that is to be paid for."""
    basis, shown = mine.bill.charges.basis, mine.most_expensive[:EXPLAINED]
    common = usual(_priced_by(mine, place) for place in shown)
    return render(
        "evidence.html",
        title=f"Evidence: {mine.heading.number or mine.name}",
        mine=mine,
        warnings=basis.notices if basis else (),
        lead=list(lead(mine, common)),
        rules=mine.all.rules,
        anchors=[anchor(place) for place in shown],
        shown=_table(mine, shown, common),
    )


def lead(mine: Statement, common: str = "") -> Iterator[str]:
    """Yield what holds for all jobs: the sum and for what, the mechanism, the usual price.

    Parameters
    ----------
    mine : Statement
        Whose evidence it is.
    common : str
        What most list prices rest on; rows say where theirs does not.
    """
    bill, jobs = mine.bill, plural(mine.jobs(mine.places), "job")
    money, charged = f"{mine.owed(mine.places):,f} {bill.currency}", charged_jobs(bill, mine.places)
    yield f"To pay: {money} for {charged:,} of {jobs} of {mine.name}."
    yield bill.charges.about
    yield f"All jobs: {'; '.join(count_reasons(mine, mine.places))}."
    if common:
        yield f"List price of a job, unless its row says otherwise: {common}."


def _table(mine: Statement, shown: list[int], common: str) -> ResultTable:
    bill, charges, named = mine.bill, mine.bill.charges, job_columns(mine)
    jobs, outcome = charges.workload, charges.outcome
    listed = set(shown)
    rest = [place for place in mine.places if place not in listed]
    how = [" ".join(sentences(mine, place, common)) for place in shown]
    rows = [
        (
            jobs.job_name(place),
            *(named_label(known, place) for _, known in named),
            begun(bill, place),
            span(waited(bill, place)),
            span(outcome.held.item(place)),
            str(jobs.size[place]),
            f"{outcome.processor_hours[place]:,.2f}",
            f"{mine.all.listed([place]):,f}",
            f"{mine.owed([place]):,f}",
            AS_ABOVE if text == before else text,
        )
        for place, text, before in zip(shown, how, ["", *how], strict=False)
    ]
    if rest:
        blank = [""] * (len(named) + 5)
        count = plural(mine.jobs(rest), "other" if shown else "job")
        why = f"{'; '.join(count_reasons(mine, rest))}."
        prices = f"{mine.all.listed(rest):,f}", f"{mine.owed(rest):,f}"
        rows.append((count, *blank, *prices, why))
    heads = ["job", *(heading for heading, _ in named), "started", "waited", "ran", "processors"]
    heads += ["processor-hours", "list price (SU)", f"to pay ({bill.currency})", "how"]
    sums = f"{mine.all.listed(mine.places):,f}", f"{mine.owed(mine.places):,f}"
    total = ("total", *[""] * (len(named) + 5), *sums, "")
    return plain_table(heads, rows, left=len(named) + 2, total=[total])


def sentences(mine: Statement, place: int, common: str = "") -> Iterator[str]:
    """Say how the charge of a job came about, by its place among all of the bill.

    Parameters
    ----------
    mine : Statement
        To which the job belongs.
    place : int
        Of the job.
    common : str
        What list prices rest on, unless anything else is said here.
    """
    bill, charges = mine.bill, mine.bill.charges
    price = _priced_by(mine, place)
    if price != common:
        yield f"List price: {price}."
    if shared := _shared(bill).get(place):
        yield f"{shared}."
        yield from uncharged_sentences(charges, [place])
    yield from _lost(mine, place)
    yield from stop_sentences(charges, place, whole=False)
    for units, what in (
        (None if charges.parts is None else charges.parts.for_work, "for work lost in stops"),
        (mine.all.for_later, "the reserve for later submissions"),
    ):
        if part := _amount(bill, units, place):
            yield f"{part:,f} SU of the list price is {what}."
    yield from _changes(bill, place)


def _changes(bill: Invoice, place: int) -> Iterator[str]:
    """Yield what the rules add to the list price of a job, and take from it; these add up."""
    done, asked = bill.rounded, bill.charges.asked.units
    quantity, others = done.base - asked, done.due + done.allowed - done.displaced
    steps = [
        (quantity, "more for the quantity", "less for the quantity"),
        (done.idle, "more for processors that stood idle before it", ""),
        (others - done.base - done.idle, "more by the minimum", "less by the rules"),
        (-done.allowed, "", "free by the allowance"),
        (done.displaced, "more for jobs that it displaced", "less for being displaced"),
    ]
    changes = [
        f"{abs(change):,f} SU {more if change > 0 else less}"
        for units, more, less in steps
        if (change := _amount(bill, units, place))
    ]
    if changes:
        due = _amount(bill, done.due, place)
        yield f"{', '.join(changes)}: {due:,f} SU ({bill.steps.reason[place]})."


def _amount(bill: Invoice, units: Ints | None, place: int) -> Decimal:
    return Decimal(0) if units is None else bill.service_units(units[place])


def _priced_by(mine: Statement, place: int) -> str:
    """Return what the list price of a job rests on."""
    charges = mine.bill.charges
    rate = float(charges.rate[place])
    if math.isnan(rate):
        return charges.reason[place].removeprefix("charged: ")
    return f"{as_text(rate)} SU per {resource_hour(charges.per)}"


@lru_cache(maxsize=1)
def _shared(bill: Invoice) -> dict[int, SharedStart]:
    """Return the starts that jobs share, by place; none where they did not all start once."""
    charges = bill.charges
    known, rule = charges.evidence, make_mechanism(charges.mechanism).pivots
    if (
        not isinstance(known, Pivots)
        or rule is None
        or known.starts is not None
        or charges.excluded
    ):
        return {}
    cost = np.nan_to_num(known.without_job - known.with_job)[charges.outcome.position]
    return shared_starts(charges.workload, charges.outcome.start, cost, rule.players)


def _lost(mine: Statement, place: int) -> Iterator[str]:
    """Say which classes of jobs lost by the job, where the charge rests on that.

    The page is for who pays: evidence.csv of the bill names the jobs of others.
    """
    charges = mine.bill.charges
    if charges.asked.units[place] == 0:
        return
    lost = mine.all.losses.of(int(charges.outcome.position[place]))
    places = charges.outcome.places(np.array([one.job for one in lost], dtype=np.int64))
    lost = [one._replace(job=row) for one, row in zip(lost, places.tolist(), strict=True)]
    classes = losses_by_class(charges.workload, lost, mine.places)
    nameless = {OTHERS, charges.workload.labels.in_field("queue").title(-1)}
    if len(classes) == 1 and classes[0].name in nameless:
        jobs = plural(len(lost), "job")
        yield f"Its start cost {jobs} of others {loss_text(classes[0])} SU."
    elif classes:
        losses = [
            f"{one.name} ({loss_text(one)} SU{f', {one.jobs} jobs' if one.jobs > 1 else ''})"
            for one in classes
        ]
        own = _amount(mine.bill, mine.bill.rounded.own, place)
        ours = f"; {own:,f} SU of that to jobs of the same payer" if own else ""
        yield f"Its start cost {few(losses, NAMED)}{ours}."
