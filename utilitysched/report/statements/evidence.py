"""Evidence of statements: how the charge of each job came about, in sentences."""

from __future__ import annotations

import math
import os
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from urllib.parse import quote

from pricing.evidence import losers
from pricing.evidence_tables import EVIDENCE_FILES
from pricing.ledger import amount, plain
from pricing.resources import resource_hour
from pricing.rules.files import INVOICE_FILE, in_decimals
from pricing.rules.invoice import Invoice
from swfx.base.numbers import money, plural
from swfx.base.options import as_text
from utilitysched.report.sentences import few, stop_sentences
from utilitysched.report.statements.statement import (
    Link,
    Statement,
    anchor,
    applied,
    completion,
    tax_name,
)
from utilitysched.report.templating import render
from utilitysched.runs.bill_csv import CHARGES_FILE

NAMED = 5
"""Jobs that lost by another are named, the most expensive first; the files have them all."""


def evidence(mine: Statement, folder: Path) -> str:
    """Return a page with a paragraph for each job of a statement."""
    numbers = mine.bill.charges.workload.job_id
    return render(
        "evidence.html",
        title=f"Evidence: {mine.name}",
        mine=mine,
        files=_files(mine, folder),
        rules=applied(mine.bill),
        jobs=[
            (anchor(place), numbers[place], " ".join(sentences(mine.bill, place)))
            for place in mine.places
        ],
    )


def sentences(bill: Invoice, place: int) -> Iterator[str]:
    """Say how the charge of a job came about, by its place among all of the bill."""
    yield _ran(bill, place)
    yield _asked(bill, place)
    yield from _lost(bill, place)
    yield from stop_sentences(bill.charges, place)
    done = bill.steps
    changes = [
        (done.base[place] - _charge(bill, place), "more for the quantity", "less for the quantity"),
        (done.idle[place], "for processors that stood idle before it", ""),
    ]
    for change, more, less in changes:
        if in_decimals(abs(change)) != "0":
            yield f"{money(abs(change))} SU {more if change > 0 else less}."
    if done.allowed[place]:
        yield f"{money(done.allowed[place])} SU are free by the allowance."
    yield f"Due: {money(done.due[place])} SU ({done.reason[place]})."
    yield _paid(bill, place)


def _ran(bill: Invoice, place: int) -> str:
    jobs, outcome = bill.charges.workload, bill.charges.outcome
    ran = outcome.held[place]
    waited = outcome.start[place] - jobs.submit[place]
    if outcome.used is not None:
        waited = outcome.end[place] - jobs.submit[place] - ran
    return (
        f"It waited {as_text(waited)} s, ran {as_text(ran)} s on"
        f" {plural(int(jobs.size[place]), 'processor')}"
        f" ({outcome.processor_hours[place]:,.6g} processor-hours) and completed on"
        f" {completion(bill, place)}."
    )


def _asked(bill: Invoice, place: int) -> str:
    charges = bill.charges
    rate = float(charges.rate[place])
    asked = f"{charges.mechanism} asks {money(_charge(bill, place))} SU"
    if charges.parts and (for_stops := charges.ledger.units[place] - charges.parts.own[place]):
        part = Fraction(int(for_stops), 10**charges.parts.decimals)
        asked += f", {money(part)} of them for work lost in stops"
    if not math.isnan(rate):
        return f"{asked}, {as_text(rate)} SU per {resource_hour(charges.per)}."
    return f"{asked}: {charges.reason[place]}."


def _lost(bill: Invoice, place: int) -> Iterator[str]:
    """Say who lost most because of the job, where the charge rests on that."""
    charges = bill.charges
    if charges.charge[place] == 0:
        return
    lost = losers(charges, int(charges.outcome.position[place]))
    number = charges.outcome.everybody
    said = [f"job {number[one.job]} ({one.loss:,.6g} SU)" for one in lost]
    if said:
        yield f"Because of it others lost: {few(said, NAMED)}."


def _charge(bill: Invoice, place: int) -> Fraction:
    ledger = bill.charges.ledger
    return Fraction(int(ledger.units[place]), 10**ledger.decimals)


def _paid(bill: Invoice, place: int) -> str:
    net, tax = int(bill.net[place]), int(bill.tax[place])
    said = f"To be paid: {plain(amount(net + tax, bill.decimals))} {bill.currency}"
    if not bill.rules.tax:
        return f"{said}."
    parts = [plain(amount(units, bill.decimals)) for units in (net, tax)]
    return f"{said}, of which {parts[1]} {tax_name(bill)} on {parts[0]}."


def _files(mine: Statement, folder: Path) -> list[Link]:
    """Link the files of the bill that are there when the page is made."""
    directory = mine.all.directory
    if directory is None:
        return []
    names = [CHARGES_FILE, INVOICE_FILE, *EVIDENCE_FILES]
    base = quote(os.path.relpath(directory, folder), errors="replace")
    return [Link(f"{base}/{name}", name) for name in names if (directory / name).exists()]
