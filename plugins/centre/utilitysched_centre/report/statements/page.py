"""Contents of an invoice."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from decimal import Decimal
from itertools import accumulate
from typing import NamedTuple

import numpy as np

from swfx import Workload
from swfx.base.columns import Ints
from swfx.base.numbers import plural, span
from swfx.labels import JobLabels
from utilitysched.analysis.documents import ResultTable, plain_table
from utilitysched.report.sentences import uncharged_sentences
from utilitysched_centre.accounts import Period
from utilitysched_centre.payment import Reconciled
from utilitysched_centre.report.amounts import aligned
from utilitysched_centre.report.invoice import MOVEMENTS, agreement, movements
from utilitysched_centre.report.statements.statement import (
    Link,
    Statement,
    anchor,
    begun,
    tax_name,
    waited,
)
from utilitysched_centre.rules import Rules
from utilitysched_centre.rules.decimals import in_decimals

LISTED = 20
"""Jobs that have a line of their own, the most expensive; the others are one line more."""

MONTHS = 4
"""Lines of an account; what was before is the first."""

LONGEST_NAME = 18
"""Characters of a job's or user's name in a line: 20 lines of two would leave no room on A4."""

ROOM = 280
"""Characters that rules take at most, so that the invoice stays one page."""


class Fitting(NamedTuple):
    """Texts that fit into `ROOM`, and the number of texts left to the evidence."""

    texts: list[str]
    left: int

    def __str__(self) -> str:
        more = [f"{self.left} more in the evidence"] if self.left else []
        return "; ".join([*self.texts, *more]) or "none"

    @classmethod
    def of(cls, texts: Iterable[str]) -> Fitting:
        """Take texts while there is room."""
        every = list(texts)
        ends = accumulate(len(text) for text in every)
        shown = [text for text, end in zip(every, ends, strict=True) if end <= ROOM]
        return cls(shown, len(every) - len(shown))


class AccountPart(NamedTuple):
    """What a ledger says below a title: a table, and a sentence."""

    title: str
    table: ResultTable | None
    text: str


class InvoicePage(NamedTuple):
    """All that stands on an invoice.

    Attributes
    ----------
    kind : str
        What it is.
    title : str
        The same with its number.
    issuer, recipient : tuple of str
        Lines of their addresses, the name first.
    facts : list of (str, str)
        Number, dates, payment reference and the like.
    warnings : tuple of str
        What has to be known before anything else.
    about : str
        What a user pays for, in two sentences.
    sums : list of (str, str)
        From the list price to what is to be paid, the last of them.
    jobs : ResultTable or None
        The most expensive ones, the rest in one line; none on credit notes.
    reasons : Fitting
        How many jobs were charged, or not, and why.
    remarks : list of str
        What was for delaying jobs of one's own, and for stops.
    applied : Fitting
        Rules in words.
    account : AccountPart or None
        What a ledger says.
    foot : list of (str, tuple of str)
        Where to pay, whom to ask, and what else the centre has to say.
    heading : str
        Above the sums.
    """

    kind: str
    title: str
    issuer: tuple[str, ...]
    recipient: tuple[str, ...]
    facts: list[tuple[str, str]]
    warnings: tuple[str, ...]
    about: str
    sums: list[tuple[str, str]]
    jobs: ResultTable | None
    reasons: Fitting
    remarks: list[str]
    applied: Fitting
    account: AccountPart | None
    foot: list[tuple[str, tuple[str, ...]]]
    heading: str = "What is to be paid"

    @classmethod
    def of(cls, mine: Statement) -> InvoicePage:
        """Return what stands on the invoice of a statement."""
        rules, basis = mine.bill.rules, mine.bill.charges.basis
        centre, terms = rules.centre, rules.invoice
        number, simulated = mine.heading.number, basis is not None and bool(basis.scheduler)
        kind = ("Simulated invoice" if simulated else "Invoice") if number else "Statement"
        foot = [("Pay to", terms.pay_to), ("Questions", terms.contact)]
        foot += [("", (centre.note,))] if centre and centre.note else []
        return cls(
            kind,
            f"{kind} {number or mine.name}",
            issuer_of(rules),
            (mine.name, *terms.address_of(mine.name)),
            list(_facts(mine)),
            basis.warnings if basis else (),
            _about(mine),
            list(_sums(mine)),
            jobs_table(mine),
            Fitting.of(count_reasons(mine, mine.places)),
            [*_own(mine), *_stops(mine)],
            Fitting.of(mine.all.rules),
            _account(mine),
            [(title, lines) for title, lines in foot if lines],
        )


def issuer_of(rules: Rules) -> tuple[str, ...]:
    """Return the lines of who sends invoices, the name first."""
    centre, number = rules.centre, rules.invoice.tax_number
    issuer = (centre.name, *centre.address) if centre else ("",)
    return issuer + ((f"Tax number {number}",) if number else ())


def _facts(mine: Statement) -> Iterator[tuple[str, str]]:
    heading, basis, reconciled = mine.heading, mine.bill.charges.basis, mine.all.reconciled
    if heading.number:
        yield "Number", heading.number
    if heading.issued:
        yield "Date of issue", str(heading.issued)
    yield "Period", heading.period
    if heading.number and heading.due and mine.owed(mine.places) > 0:
        yield "Payment due", str(heading.due)
        yield "Payment reference", heading.reference
    if reconciled:
        yield "Posting", f"{reconciled.accounts.posting} of the ledger"
    if basis and not basis.warnings:
        yield "Rests on", basis.brief


def _about(mine: Statement) -> str:
    """Return the sentence about billed quantities, and about requested time if it is billed."""
    quantity, about = mine.bill.rules.quantity, mine.bill.charges.about
    if quantity and quantity.basis == "request":
        return f"{about} By the rules of the centre the time asked for counts as used."
    return about


def _sums(mine: Statement) -> Iterator[tuple[str, str]]:
    """Yield each step from the list price to what is to be paid, once."""
    bill, rules, places = mine.bill, mine.bill.rules, mine.places
    done, parts = bill.rounded, bill.charges.parts

    def in_su(units: Ints) -> Decimal:
        return bill.service_units(units[places])

    listed, before, due, between = map(
        in_su, (bill.charges.asked.units, done.before, done.due, done.displaced)
    )
    later = Decimal(0) if mine.all.for_later is None else in_su(mine.all.for_later)
    price = f"List price of {plural(mine.jobs(places), 'job')} by {bill.charges.mechanism}"
    if mine.all.for_later is None:
        yield price, f"{listed:,f} SU"
    else:
        yield f"{price}, less the reserve", f"{listed - later:,f} SU"
        yield "Reserve for later submissions", f"{later:,f} SU"
    if before != listed:
        yield "Quantity, idle time and minimums by the rules", f"{before - listed:,f} SU"
    if due - between != before:
        yield "Discounts and exemptions", f"{due - between - before:,f} SU"
    if parts and (parts.for_displaced[places].any() or parts.received[places].any()):
        yield "For jobs of others that these displaced", f"{in_su(parts.for_displaced):,f} SU"
        yield "Received for having been displaced", f"{-in_su(parts.received):,f} SU"
    if rules.currency:
        at = f"{in_decimals(rules.currency.rate)} {rules.code}"
        yield f"Net, at {at} per SU", f"{bill.money(bill.net[places]):,f} {rules.code}"
    if rules.tax:
        yield tax_name(bill), f"{bill.money(bill.tax[places]):,f} {rules.code}"
    yield "To pay", f"{mine.owed(places):,f} {rules.code}"


def job_columns(mine: Statement) -> list[tuple[str, JobLabels]]:
    """Return what tells jobs apart beside their number, with headings.

    Users, where it is not the invoice of one, and names of jobs, where the log has them.
    """
    columns = []
    for heading, known in mine.all.labels:
        values = known.numbers[mine.places]
        if (values >= 0).any() and not (heading == "user" and (values == values[0]).all()):
            columns.append((heading, known))
    return columns


def _name(jobs: Workload, parts: Sequence[int]) -> str:
    """Name of a job, of one of several parts without the number of the part."""
    name = jobs.job_name(parts[0])
    return name.partition("+")[0] if len(parts) > 1 else name


def jobs_table(mine: Statement) -> ResultTable:
    """Return the most expensive jobs, and in one line all others."""
    bill, jobs = mine.bill, mine.bill.charges.workload
    shown, rest = _most_expensive(mine)
    groups = shown + ([rest] if rest else [])
    named = job_columns(mine)
    rows = [
        (
            Link(f"{mine.evidence}#{anchor(_costliest(mine, parts))}", _name(jobs, parts)),
            *(shortened(named_label(known, first)) for _, known in named),
            begun(bill, first),
            span(waited(bill, first)),
            span(bill.charges.outcome.held[parts].max().item()),
            f"{jobs.size[parts].sum()}{f' in {len(parts)} parts' if len(parts) > 1 else ''}",
        )
        for parts in shown
        for first in parts[:1]
    ]
    if rest:
        others = plural(mine.jobs(rest), "other" if shown else "job")
        blank = [""] * (len(named) + 4)
        rows.append((Link(mine.table, others), *blank))
    heads = ["job", *(heading for heading, _ in named), "started", "waited", "ran", "processors"]
    heads += ["list price (SU)", f"to pay ({bill.currency})"]
    lines = [
        (*row, f"{mine.all.listed(places):,f}", f"{mine.owed(places):,f}")
        for row, places in zip(rows, groups, strict=True)
    ]
    return plain_table(heads, lines, left=len(named) + 2)


def _most_expensive(mine: Statement) -> tuple[list[list[int]], list[int]]:
    """Return the parts of the jobs that are listed, and all other lines."""
    job_of = mine.bill.charges.outcome.job_of
    listed = dict.fromkeys(job_of[mine.most_expensive].tolist())
    parts: dict[int, list[int]] = {job: [] for job in list(listed)[:LISTED]}
    rest: list[int] = []
    for place in mine.places:
        parts.get(int(job_of[place]), rest).append(place)
    return list(parts.values()), rest


def _costliest(mine: Statement, parts: Sequence[int]) -> int:
    """Return the part of a job that costs most: the evidence has it first."""
    return max(parts, key=lambda place: mine.owed([place]))


def named_label(known: JobLabels, place: int) -> str:
    """Return the name of a job's label; nothing if it has none."""
    number = int(known.numbers[place])
    return known.name(number) if number >= 0 else ""


def shortened(name: str) -> str:
    """Return a name that fits on a line of the table; the evidence has all of it.

    >>> shortened("relax"), shortened("maximilian.von.hohenlohe-langenburg")
    ('relax', 'maximilia…ngenburg')
    """
    if len(name) <= LONGEST_NAME:
        return name
    head, tail = LONGEST_NAME // 2, LONGEST_NAME - LONGEST_NAME // 2 - 1
    return f"{name[:head]}…{name[-tail:]}"


def count_reasons(mine: Statement, places: Sequence[int]) -> list[str]:
    """Count jobs by why they were charged, or not."""
    counts: dict[str, int] = {}
    first = mine.bill.charges.outcome.first_parts
    for place in (place for place in places if first[place]):
        reason = mine.bill.steps.reason[place]
        counts[reason] = counts.get(reason, 0) + 1
    ordered = sorted(counts.items(), key=lambda item: -item[1])
    return [f"{count:,} {reason}" for reason, count in ordered]


def _own(mine: Statement) -> Iterator[str]:
    """Say what of the list price is for delaying jobs of one's own."""
    if mine.bill.own is None:
        return
    own = mine.bill.service_units(mine.bill.rounded.own[mine.places])
    amount = f"{own:,f} SU" if own else "Nothing"
    yield f"{amount} of the list price is for delaying other jobs of the same payer."
    yield from uncharged_sentences(mine.bill.charges, mine.places)


def _stops(mine: Statement) -> Iterator[str]:
    """Say how often jobs were stopped and what is charged for that; nothing if none was."""
    charges = mine.bill.charges
    shares, parts = charges.shares, charges.parts
    if shares is None or parts is None:
        return
    stopped = (
        int(np.isin(shares.stopped[stops], mine.places).sum())
        for stops in (shares.waste.preempted, ~shares.waste.preempted)
    )
    kinds = zip(stopped, ("preemption", "failure"), strict=True)
    counts = [plural(times, kind) for times, kind in kinds if times]
    units = parts.for_work[mine.places]
    if counts or units.any():
        paid, stops = f"{parts.money(units):,f}", " and ".join(counts) or "no stop"
        yield f"{paid} SU of the list price is for work lost in stops ({stops} of these jobs)."


def _account(mine: Statement) -> AccountPart | None:
    reconciled, periods = mine.all.reconciled, mine.periods
    if reconciled is None:
        return None
    if not periods:
        return AccountPart("In the ledger", None, agreement(reconciled))
    return _of_account(reconciled, periods)


def _of_account(reconciled: Reconciled, periods: Sequence[Period]) -> AccountPart:
    money = reconciled.money
    months, lines = zip(*_lines(periods), strict=True)
    columns = (aligned(column, money.decimals) for column in zip(*lines, strict=True))
    heads = ["month", *MOVEMENTS[:-1], f"{MOVEMENTS[-1]} ({money.unit})"]
    billed = sum(period.billed for period in periods)
    sentence = f"Posting {reconciled.accounts.posting} charges the account {money.text(billed)}."
    table = plain_table(heads, zip(months, *columns, strict=True))
    return AccountPart(f"Account {periods[0].account}", table, sentence)


def _lines(periods: Sequence[Period]) -> Iterator[tuple[str, tuple[int, ...]]]:
    """Yield rows of months and movements; many early months share one row."""
    before, shown = periods[: 1 - MONTHS], periods[1 - MONTHS :]
    if len(periods) <= MONTHS:
        before, shown = [], periods
    if before:
        moved = zip(*(movements(period)[1:-1] for period in before), strict=True)
        months = f"{before[0].month} to {before[-1].month}"
        yield months, (before[0].opening, *map(sum, moved), before[-1].closing)
    for period in shown:
        yield period.month, movements(period)
