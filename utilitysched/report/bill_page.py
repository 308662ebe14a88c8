"""A bill as one page: the statement, and why each job is charged what it is."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np

from pricing import Charges
from pricing.evidence import LossesByCause
from pricing.ledger import amount
from pricing.resources import resource_hour
from swfx.base.numbers import plural, span
from swfx.base.options import as_text
from utilitysched.analysis.documents import Description, ResultTable, plain_table
from utilitysched.report.bill import bill_sentences, heading, statement_table
from utilitysched.report.description import write_page
from utilitysched.report.sentences import few, stop_sentences

LOSERS = 5
"""Jobs that lost by another are named, the most first; the files have them all."""

EXPLAINED = 1000
"""Jobs that have a line; charges.csv has them all."""


def write_bill_page(charges: Charges, by: str, path: Path, *, decimals: int | None = None) -> None:
    """Write a bill as a page that needs nothing but itself; ``-`` is standard output.

    Parameters
    ----------
    charges : Charges
        What every job pays.
    by : str
        What each line of the statement is for.
    path : Path
        Of the page.
    decimals : int, optional
        Of the statement.

    Raises
    ------
    InputError
        The log does not say `by`, or the page cannot be written.
    """
    lead = [*(charges.basis.notices if charges.basis else ()), f"{heading(charges, by)}."]
    statement = statement_table(charges, by, decimals, shown=len(charges))
    panels = [statement, jobs_table(charges)]
    lead += [charges.about, *bill_sentences(charges, decimals)]
    write_page(Description(f"Bill by {charges.mechanism}", panels, lead), path)


def jobs_table(charges: Charges) -> ResultTable:
    """Return the most expensive jobs, each with why it is charged."""
    jobs, outcome, losses = charges.workload, charges.outcome, LossesByCause(charges)
    order = np.argsort(-charges.ledger.units, kind="stable").tolist()
    users = jobs.labels.in_field("user").of_jobs()
    rows = [
        (
            str(jobs.job_id[place]),
            users[place],
            f"{outcome.start[place]:,.0f}",
            span(outcome.held.item(place)),
            str(jobs.size[place]),
            f"{outcome.processor_hours[place]:,.6g}",
            f"{amount(int(charges.ledger.units[place]), charges.ledger.decimals):,.2f}",
            " ".join(charge_sentences(charges, losses, place)),
        )
        for place in order[:EXPLAINED]
    ]
    heads = ["job", "user", "started (s)", "ran", "processors", "processor-hours", "charge (SU)"]
    more = order[EXPLAINED:]
    caption = "Jobs, the most expensive first"
    if more:
        caption += f"; {plural(len(more), 'other')} in charges.csv"
    return plain_table([*heads, "why"], rows, left=2, caption=caption)


def charge_sentences(charges: Charges, losses: LossesByCause, place: int) -> Iterator[str]:
    """Yield why a job is charged: its rate or the reason, who lost by it, and its stops.

    Parameters
    ----------
    charges : Charges
        What every job pays.
    losses : LossesByCause
        Of these charges.
    place : int
        Of the job, among those that pay.
    """
    rate = charges.rate.item(place)
    if np.isnan(rate):
        reason = charges.reason[place]
        yield f"{reason[:1].upper()}{reason[1:]}."
    else:
        yield f"{as_text(rate)} SU per {resource_hour(charges.per)}."
    if lost := lost_by(charges, losses, place):
        yield f"{lost}."
    yield from stop_sentences(charges, place)


def lost_by(charges: Charges, losses: LossesByCause, place: int) -> str:
    """Return who lost how much because of a job; empty where the charge does not rest on that."""
    if charges.asked.units[place] == 0:
        return ""
    number = charges.outcome.everybody
    lost = losses.of(charges.outcome.position.item(place))
    said = [f"job {number[one.job]} ({one.loss:,.6g} SU)" for one in lost]
    return f"Because of it others lost: {few(said, LOSERS)}" if said else ""
