"""Evidence of invoices: how the charge of each job came about, the most expensive first."""

from __future__ import annotations

import math
from collections.abc import Iterator
from fractions import Fraction

import numpy as np

from pricing.disclosure import losses_by_class
from pricing.resources import resource_hour
from swfx.base.numbers import money, plural, span
from swfx.base.options import as_text
from utilitysched.analysis.documents import ResultTable, plain_table
from utilitysched.report.sentences import few, stop_sentences
from utilitysched_centre.report.statements.page import count_reasons, job_columns, named_label
from utilitysched_centre.report.statements.statement import (
    Statement,
    anchor,
    begun,
    waited,
)
from utilitysched_centre.report.templating import render
from utilitysched_centre.rules.files import in_decimals

NAMED = 5
"""Classes of jobs that lost by another are named, the largest loss first."""

EXPLAINED = 1000
"""Jobs that have a line; the table of all jobs has the others, with their reasons."""


def evidence(mine: Statement) -> str:
    """Return a page with a line for each job that is to be paid for."""
    basis, shown = mine.bill.charges.basis, mine.most_expensive[:EXPLAINED]
    return render(
        "evidence.html",
        title=f"Evidence: {mine.heading.number or mine.name}",
        mine=mine,
        warnings=basis.notices if basis else (),
        rules=mine.all.rules,
        anchors=[anchor(place) for place in shown],
        shown=_table(mine, shown),
    )


def _table(mine: Statement, shown: list[int]) -> ResultTable:
    bill, charges, named = mine.bill, mine.bill.charges, job_columns(mine)
    jobs, outcome = charges.workload, charges.outcome
    listed = set(shown)
    rest = [place for place in mine.places if place not in listed]
    rows = [
        (
            jobs.job_name(place),
            *(named_label(known, place) for _, known in named),
            begun(bill, place),
            span(waited(bill, place)),
            span(outcome.held.item(place)),
            str(jobs.size[place]),
            f"{outcome.processor_hours[place]:,.6g}",
            money(mine.all.listed(place)),
            money(mine.owed([place])),
            " ".join(sentences(mine, place)),
        )
        for place in shown
    ]
    if rest:
        blank = [""] * (len(named) + 5)
        count = plural(mine.jobs(rest), "other" if shown else "job")
        why = f"{'; '.join(count_reasons(mine, rest))}."
        prices = sum((mine.all.listed(place) for place in rest), Fraction(0)), mine.owed(rest)
        rows.append((count, *blank, *map(money, prices), why))
    heads = ["job", *(heading for heading, _ in named), "started", "waited", "ran", "processors"]
    heads += ["processor-hours", "list price (SU)", f"to pay ({bill.currency})", "how"]
    return plain_table(heads, rows, left=len(named) + 2)


def sentences(mine: Statement, place: int) -> Iterator[str]:
    """Say how the charge of a job came about, by its place among all of the bill."""
    bill = mine.bill
    yield _asked(mine, place)
    yield from _lost(mine, place)
    yield from stop_sentences(bill.charges, place, whole=False)
    done = bill.steps
    changes = [
        (
            done.base[place] - mine.all.listed(place),
            "more for the quantity",
            "less for the quantity",
        ),
        (done.idle[place], "for processors that stood idle before it", ""),
    ]
    for change, more, less in changes:
        if in_decimals(abs(change)) != "0":
            yield f"{money(abs(change))} SU {more if change > 0 else less}."
    if done.allowed[place]:
        yield f"{money(done.allowed[place])} SU are free by the allowance."
    if between := done.displaced[place]:
        surplus = "more for jobs that it displaced" if between > 0 else "less for being displaced"
        yield f"{money(abs(between))} SU {surplus}."
    yield f"After discounts: {money(done.due[place])} SU ({done.reason[place]})."


def _asked(mine: Statement, place: int) -> str:
    charges = mine.bill.charges
    rate = float(charges.rate[place])
    list_price = f"List price: {money(mine.all.listed(place))} SU"
    if charges.parts and (for_stops := charges.parts.for_work[place]):
        part = Fraction(int(for_stops), 10**charges.parts.decimals)
        list_price += f", {money(part)} of them for work lost in stops"
    if later := mine.for_later([place]):
        list_price += f", {money(later)} of them the reserve for later submissions"
    if not math.isnan(rate):
        return f"{list_price}, {as_text(rate)} SU per {resource_hour(charges.per)}."
    return f"{list_price}, {charges.reason[place]}."


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
    losses = [
        f"{one.name} ({one.loss:,.6g} SU{f' in {one.jobs} jobs' if one.jobs > 1 else ''})"
        for one in classes
    ]
    if losses:
        own = "" if mine.bill.own is None else _own(float(mine.bill.own[place]))
        yield f"Other jobs lost by it: {few(losses, NAMED)}{own}."


def _own(lost: float) -> str:
    return f"; {money(lost)} SU of it jobs of the same payer" if money(lost) != "0.00" else ""
