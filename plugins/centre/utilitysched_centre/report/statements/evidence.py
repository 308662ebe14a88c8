"""Evidence of invoices: how the amount of each job came about, the most expensive first."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

import numpy as np

from pricing import Pivots
from pricing.disclosure import OTHERS, losses_by_class
from pricing.registry import make_mechanism
from swfx.base.numbers import plural, span
from utilitysched.analysis.documents import ResultTable, plain_table
from utilitysched.report.sentences import (
    SharedStart,
    few,
    loss_text,
    shared_starts,
    stop_sentences,
    uncharged_sentences,
)
from utilitysched_centre.report.statements.issued import IssuedDocument
from utilitysched_centre.report.statements.page import (
    count_reasons,
    job_columns,
    lines_table,
    money_cells,
    money_heads,
    named_label,
    reserve_sentences,
)
from utilitysched_centre.report.statements.statement import (
    Statement,
    anchor,
    begun,
    in_currency,
    waited,
)
from utilitysched_centre.report.templating import render
from utilitysched_centre.rules import Invoice
from utilitysched_centre.rules.formula import job_formula
from utilitysched_centre.rules.statements import charged_jobs

NAMED = 5
"""Classes of jobs that lost by another are named, the largest loss first."""

AS_ABOVE = "As the job above."
"""Said where nothing is different, as of jobs that started together."""

EXPLAINED = 1000
"""Jobs that have a line; the table of all jobs has the others, with their formulas."""


def evidence(issued: IssuedDocument, mine: Statement) -> str:
    """Return a page with a line for each job that is to be paid for.

    Parameters
    ----------
    issued : IssuedDocument
        Contents of the invoice.
    mine : Statement
        Jobs of the payer.
    """
    basis, shown = mine.bill.charges.basis, mine.most_expensive[:EXPLAINED]
    return render(
        "evidence.html",
        title=f"Evidence: {issued.number}",
        mine=mine,
        warnings=basis.notices if basis else (),
        lead=list(_lead(issued, mine)),
        rules=issued.rules,
        lines=lines_table(issued, None),
        anchors=[anchor(place) for place in shown],
        shown=_table(mine, shown),
    )


def _lead(issued: IssuedDocument, mine: Statement) -> Iterator[str]:
    """Yield what holds for all jobs: the sum, the price, the reasons."""
    bill, jobs = mine.bill, plural(mine.bill.jobs(mine.places), "job")
    money, charged = f"{mine.owed(mine.places):,f} {bill.currency}", charged_jobs(bill, mine.places)
    of_jobs = f"{money} for {charged:,} of {jobs} of {mine.name}."
    if issued.amount == bill.to_pay[mine.places].sum():
        yield f"To pay: {of_jobs}"
    else:
        whole = f"{issued.money(issued.amount)} {bill.currency}"
        yield f"To pay with all lines and credits: {whole}. Jobs: {of_jobs}"
    yield issued.about
    yield f"All jobs: {'; '.join(count_reasons(mine, mine.places))}."


def _table(mine: Statement, shown: list[int]) -> ResultTable:
    bill, charges, named = mine.bill, mine.bill.charges, job_columns(mine)
    jobs, outcome = charges.workload, charges.outcome
    listed = set(shown)
    rest = [place for place in mine.places if place not in listed]
    how = [" ".join(sentences(mine, place)) for place in shown]
    rows = [
        (
            bill.job_names[place],
            *(named_label(known, place) for _, known in named),
            begun(bill, place),
            span(waited(bill, place)),
            span(outcome.held.item(place)),
            str(jobs.size[place]),
            *money_cells(bill, [place]),
            AS_ABOVE if text == before else text,
        )
        for place, text, before in zip(shown, how, ["", *how], strict=False)
    ]
    blank = [""] * (len(named) + 4)
    if rest:
        count = plural(mine.bill.jobs(rest), "other" if shown else "job")
        why = f"{'; '.join(count_reasons(mine, rest))}."
        rows.append((count, *blank, *money_cells(bill, rest), why))
    heads = ["job", *(heading for heading, _ in named), "started", "waited", "ran", "CPUs"]
    total = ("total", *blank, *money_cells(bill, mine.places), "")
    return plain_table(
        [*heads, *money_heads(bill), "how"], rows, left=len(named) + 2, total=[total]
    )


def sentences(mine: Statement, place: int) -> Iterator[str]:
    """Yield the formula of the amount of a job, and what its charge rests on beside that.

    Parameters
    ----------
    mine : Statement
        Statement of the payer.
    place : int
        Place of the job among all of the bill.
    """
    for sentence in (f"{job_formula(mine.bill, place)}.", *_behind_price(mine, place)):
        yield in_currency(mine.bill, sentence)


def _behind_price(mine: Statement, place: int) -> Iterator[str]:
    """Yield what the list price of a job rests on: losses of others, and stops."""
    charges = mine.bill.charges
    if shared := _shared(mine.bill).get(place):
        yield f"{shared}."
        yield from uncharged_sentences(charges, [place])
    yield from _lost(mine, place)
    yield from stop_sentences(charges, place, whole=False)
    yield from reserve_sentences(mine, [place])


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
    """Yield which classes of jobs lost by the job, where the charge rests on that.

    The page is for who pays: evidence.csv of the bill names the jobs of others.
    """
    charges = mine.bill.charges
    every = mine.all.losses
    if not every or charges.asked.units[place] == 0:
        return
    lost = every.of(int(charges.outcome.position[place]))
    if not lost:
        return
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
        own = mine.bill.service_units(mine.bill.rounded.own[[place]])
        ours = f"; {own:,f} SU of that to jobs of the same payer" if own else ""
        yield f"Its start cost {few(losses, NAMED)}{ours}."
