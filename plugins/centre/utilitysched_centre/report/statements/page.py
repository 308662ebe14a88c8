"""Contents of the pages of invoices and credit notes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from decimal import Decimal
from itertools import accumulate
from typing import NamedTuple

import numpy as np

from pricing.resources import GPU, amounts_of, known_resources
from swfx.base.columns import Ints
from swfx.base.numbers import plural, span
from swfx.labels import JobLabels
from utilitysched.analysis.documents import ResultTable, plain_table
from utilitysched.report.sentences import uncharged_sentences
from utilitysched_centre.accounts import Period
from utilitysched_centre.payment import Reconciled
from utilitysched_centre.report.amounts import aligned
from utilitysched_centre.report.invoice import MOVEMENTS, agreement, movements
from utilitysched_centre.report.statements.heading import payment_reference
from utilitysched_centre.report.statements.issued import (
    EXACT_DECIMALS,
    INVOICE,
    IssuedDocument,
    UsedResource,
)
from utilitysched_centre.report.statements.statement import (
    Link,
    Statement,
    anchor,
    begun,
    in_currency,
)
from utilitysched_centre.rules import Invoice
from utilitysched_centre.rules.decimals import in_decimals
from utilitysched_centre.rules.lines import InvoiceLine, resource_name, unit_of

LISTED = 20
"""Jobs that have a line of their own, the most expensive; the others are one line more."""

LINES = 12
"""Lines and credits that an invoice shows; of more the last line is the sum of the others."""

MONTHS = 3
"""Lines of an account; what was before is the first."""

LONGEST_NAME = 18
"""Characters of a job's or user's name in a line: 20 lines of two would leave no room on A4."""

LONGEST_TEXT = 56
"""Characters of the description of a line, for the same reason."""

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
    """Balances of an account in a ledger, or a sentence on them, below a title."""

    title: str
    table: ResultTable | None
    text: str = ""


class DocumentPage(NamedTuple):
    """Contents of the page of an invoice or a credit note.

    Attributes
    ----------
    kind : str
        Kind of the document.
    title : str
        Kind and number.
    issuer, recipient : tuple of str
        Lines of their addresses, the name first.
    facts : list of (str, str)
        Number, dates, payment reference and the like.
    warnings : tuple of str
        Sentences that come before everything else.
    heading : str
        Heading of the lines.
    about : str
        Sentences on the price, or on the invoice that is corrected.
    lines : ResultTable
        Charges and credits, without tax.
    sums : list of (str, str)
        Net, tax and amount.
    remarks : list of str
        Parts of the charges: for delaying own jobs, and for stops.
    account : AccountPart or None
        Balances in a ledger.
    jobs : ResultTable or None
        The most expensive jobs, the rest in one line; None on credit notes.
    notes : list of (str, str)
        Use, rules and reasons, each with its label.
    foot : list of (str, tuple of str)
        Bank account, address for questions, note of the centre.
    files : list of (str, Link)
        Evidence, each file with what it holds.
    """

    kind: str
    title: str
    issuer: tuple[str, ...]
    recipient: tuple[str, ...]
    facts: list[tuple[str, str]]
    warnings: tuple[str, ...]
    heading: str
    about: str
    lines: ResultTable
    sums: list[tuple[str, str]]
    remarks: list[str]
    account: AccountPart | None
    jobs: ResultTable | None
    notes: list[tuple[str, str]]
    foot: list[tuple[str, tuple[str, ...]]]
    files: list[tuple[str, Link]]


def invoice_page(issued: IssuedDocument, mine: Statement) -> DocumentPage:
    """Return the page of an invoice.

    Parameters
    ----------
    issued : IssuedDocument
        Contents of the invoice.
    mine : Statement
        Jobs of the payer.
    """
    basis = mine.bill.charges.basis
    kind = "Simulated invoice" if basis and basis.scheduler else "Invoice"
    rules = Fitting.of(issued.rules)
    more = f" {rules.left} more in the evidence." if rules.left else ""
    notes = [
        ("Use, as sreport counts it", f"{used_text(issued.usage)}."),
        ("Rules", " ".join(rules.texts) + more),
        ("Jobs", f"{Fitting.of(count_reasons(mine, mine.places))}."),
    ]
    return DocumentPage(
        kind,
        f"{kind} {issued.number}",
        issued.issuer,
        (issued.recipient, *issued.address),
        list(_facts(issued, mine.all.reconciled)),
        issued.warnings,
        "Charges",
        issued.about,
        lines_table(issued, LINES),
        _sums(issued, "To pay"),
        [*_own(mine), *reserve_sentences(mine, mine.places), *_stops(mine)],
        _account(mine),
        jobs_table(mine) if mine.places else None,
        [(label, text) for label, text in notes if text not in ("", ".")],
        _foot(issued),
        [
            ("how the amount of each job came about", Link(mine.evidence, mine.evidence)),
            ("all jobs with exact amounts", Link(mine.table, mine.table)),
            ("this document for programs", Link(mine.content, mine.content)),
        ],
    )


def credit_note_page(issued: IssuedDocument) -> DocumentPage:
    """Return the page of a credit note."""
    about = (
        f"Invoice {issued.corrects} is cancelled: all that was left of it is given back. What is"
        " to be paid in its place, if anything is, has an invoice of its own."
        if issued.cancels
        else f"Invoice {issued.corrects} is corrected by the amounts below. The rest of it stands."
    )
    content = f"{issued.number}.json"
    return DocumentPage(
        "Credit note",
        f"Credit note {issued.number}",
        issued.issuer,
        (issued.recipient, *issued.address),
        list(_facts(issued, None)),
        issued.warnings,
        "Credits",
        about,
        credits_table(issued),
        _sums(issued, "Given back"),
        [],
        None,
        None,
        [],
        _foot(issued),
        [
            ("the invoice", Link(f"{issued.corrects}.html", issued.corrects)),
            ("this document for programs", Link(content, content)),
        ],
    )


def _facts(issued: IssuedDocument, reconciled: Reconciled | None) -> Iterator[tuple[str, str]]:
    yield "Number", issued.number
    if issued.issued:
        yield "Date of issue", issued.issued
    if issued.corrects:
        yield "Cancels" if issued.cancels else "Corrects", f"invoice {issued.corrects}"
    yield "Period", issued.period
    if issued.due and issued.amount > 0:
        yield "Payment due", issued.due
        yield "Payment reference", payment_reference(issued.number)
    if issued.account:
        yield "Account", issued.account
    if reconciled:
        yield "Posting", f"{reconciled.accounts.posting} of the ledger"
    if issued.basis and not issued.warnings:
        yield "Basis", issued.basis


def _foot(issued: IssuedDocument) -> list[tuple[str, tuple[str, ...]]]:
    by = f", by {issued.due}" if issued.due else ""
    pay_to = issued.pay_to if issued.kind == INVOICE and issued.amount > 0 else ()
    foot = [("Pay to", pay_to), (f"Questions and objections{by}", issued.contact)]
    foot += [("", (issued.note,))] if issued.note else []
    return [(title, lines) for title, lines in foot if lines]


_NO_CELLS = ("", "", "", "")


def credits_table(issued: IssuedDocument) -> ResultTable:
    """Return the amounts that a credit note gives back, by job."""
    taxed = bool(issued.tax_name)
    heads = ["net", issued.tax_name, "amount"] if taxed else ["amount"]
    rows = []
    for each in issued.credits:
        amounts = (each.net, each.tax, each.net + each.tax)[0 if taxed else 2 :]
        rows.append((each.job or "all jobs", each.reason, *map(issued.money, amounts)))
    heads = ["job", "reason", *(f"{head} ({issued.currency})" for head in heads)]
    return plain_table(heads, rows, left=2)


def lines_table(issued: IssuedDocument, most: int | None) -> ResultTable:
    """Return the lines and credits of an invoice; of more than `most` the last is a sum."""
    entries = [(_cells(line), line.net) for line in issued.lines]
    entries += [((f"Credit, {each.text}", *_NO_CELLS), -each.net) for each in issued.credits]
    if most:
        entries = [
            ((shortened(text, LONGEST_TEXT), *cells), net) for (text, *cells), net in entries
        ]
    if most and len(entries) > most:
        rest = entries[most - 1 :]
        more = f"{len(rest)} further lines, in the evidence", *_NO_CELLS
        entries = [*entries[: most - 1], (more, sum(net for _, net in rest))]
    heads = ["description", "jobs", "quantity", "unit", f"unit price ({issued.currency})"]
    heads += [f"amount ({issued.currency})"]
    total = [] if most else [("total", *_NO_CELLS, issued.money(issued.net))]
    return plain_table(heads, [(*cells, issued.money(net)) for cells, net in entries], total=total)


def _cells(line: InvoiceLine) -> tuple[str, ...]:
    exact = (
        "" if each is None else f"{Decimal(in_decimals(each, EXACT_DECIMALS)):,f}"
        for each in (line.quantity, line.unit_price)
    )
    quantity, price = exact
    return line.text, f"{line.jobs:,}" if line.jobs else "", quantity, line.unit, price


def _sums(issued: IssuedDocument, name: str) -> list[tuple[str, str]]:
    """Return net, tax and amount; of a document without tax, the amount."""
    amounts = [(name, issued.amount)]
    if issued.tax_name:
        amounts[:0] = [("Net", issued.net), (issued.tax_name, issued.tax)]
    return [(text, f"{issued.money(units)} {issued.currency}") for text, units in amounts]


def used_text(usage: Sequence[UsedResource]) -> str:
    """Return hours of resources in words.

    >>> from fractions import Fraction
    >>> used_text([UsedResource("cpu", Fraction("768.5")), UsedResource("gres/gpu", Fraction(48))])
    'CPU 768.50 CPU-hours, GPU (gres/gpu) 48.00 GPU-hours'
    """
    return ", ".join(
        f"{resource_name(each.resource)} {float(each.hours):,.2f} {unit_of(each.resource)}"
        for each in usage
        if each.hours
    )


def job_columns(mine: Statement) -> list[tuple[str, JobLabels]]:
    """Return names that tell jobs apart beside their number, with headings.

    Users, where it is not the invoice of one, and names of jobs, where the log has them.
    """
    columns = []
    for heading, known in mine.all.labels:
        values = known.numbers[mine.places]
        if (values >= 0).any() and not (heading == "user" and (values == values[0]).all()):
            columns.append((heading, known))
    return columns


def jobs_table(mine: Statement) -> ResultTable:
    """Return the most expensive jobs, and in one line all others."""
    shown, rest = _most_expensive(mine)
    groups = shown + ([rest] if rest else [])
    named, used = job_columns(mine), _used_columns(mine)
    rows = [_job_cells(mine, parts, named, used) for parts in shown]
    if rest:
        others = plural(mine.bill.jobs(rest), "other" if shown else "job")
        rows.append((Link(mine.table, others), *[""] * (len(named) + len(used) + 2)))
    heads = ["job", *(heading for heading, _ in named), "started", "ran", *used]
    heads += money_heads(mine.bill)
    lines = [
        (*row, *money_cells(mine.bill, places)) for row, places in zip(rows, groups, strict=True)
    ]
    total = (
        f"all {plural(mine.bill.jobs(mine.places), 'job')}",
        *[""] * (len(rows[0]) - 1),
        *money_cells(mine.bill, mine.places),
    )
    return plain_table(heads, lines, left=len(named) + 2, total=[total])


def _job_cells(
    mine: Statement,
    parts: list[int],
    named: Sequence[tuple[str, JobLabels]],
    used: dict[str, Ints],
) -> tuple[Link | str, ...]:
    """Return the cells of a job, up to its amounts."""
    bill, first = mine.bill, parts[0]
    name = bill.job_names[first]
    if len(parts) > 1:
        name = f"{name.partition('+')[0]} ({len(parts)} parts)"
    return (
        Link(f"{mine.evidence}#{anchor(_costliest(mine, parts))}", name),
        *(shortened(named_label(known, first)) for _, known in named),
        begun(bill, first),
        span(bill.charges.outcome.held[parts].max().item()),
        *(f"{amounts[parts].sum():,}" for amounts in used.values()),
    )


def _used_columns(mine: Statement) -> dict[str, Ints]:
    """Return the CPUs of all jobs, and the GPUs if a job of the statement had any."""
    jobs = mine.bill.charges.workload
    columns = {"CPUs": jobs.size}
    if any(name.startswith(GPU) for name in known_resources(jobs)):
        gpus = np.nan_to_num(amounts_of(jobs, GPU)).astype(np.int64)
        columns |= {"GPUs": gpus} if gpus[mine.places].any() else {}
    return columns


def money_heads(bill: Invoice) -> list[str]:
    """Return the headings of the amounts of jobs."""
    return [f"{name} ({bill.currency})" for name in ("net", "amount")[not bill.rules.tax :]]


def money_cells(bill: Invoice, places: Sequence[int]) -> list[str]:
    """Return the amounts of some jobs, without and with tax; once where there is no tax."""
    units = (bill.net, bill.to_pay)[not bill.rules.tax :]
    return [f"{bill.money(each[[*places]]):,f}" for each in units]


def _most_expensive(mine: Statement) -> tuple[list[list[int]], list[int]]:
    """Return the parts of the jobs that are listed, and all other lines."""
    job_of = mine.bill.charges.outcome.job_of
    costs = Counter[int]()
    for job, paid in zip(job_of[mine.places].tolist(), mine.paid.tolist(), strict=True):
        costs[job] += paid
    parts: dict[int, list[int]] = {job: [] for job, cost in costs.most_common(LISTED) if cost}
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


def shortened(name: str, most: int = LONGEST_NAME) -> str:
    """Return a name that fits on a line of the table; the evidence has all of it.

    >>> shortened("relax"), shortened("maximilian.von.hohenlohe-langenburg")
    ('relax', 'maximilia…ngenburg')
    """
    if len(name) <= most:
        return name
    return f"{name[: most // 2]}…{name[most // 2 + 1 - most :]}"


def count_reasons(mine: Statement, places: Sequence[int]) -> list[str]:
    """Count jobs by why they were charged, or not; of several runs the last one counts."""
    keys, reasons = mine.bill.job_keys, mine.bill.steps.reason
    counts = Counter({keys[place]: reasons[place] for place in places}.values())
    told = [f"{count:,} {reason}" for reason, count in counts.most_common()]
    return [in_currency(mine.bill, text) for text in told]


def _own(mine: Statement) -> Iterator[str]:
    """Say what of the list price is for delaying jobs of one's own."""
    bill = mine.bill
    if bill.own is None:
        return
    own = bill.service_units(bill.rounded.own[mine.places])
    text = f"{own:,f} SU" if own else "Nothing"
    said = f"{text} of the list price is for delaying other jobs of the payer."
    for sentence in (said, *uncharged_sentences(bill.charges, mine.places)):
        yield in_currency(bill, sentence)


def reserve_sentences(mine: Statement, places: Sequence[int]) -> Iterator[str]:
    """Say what of the list price of some jobs is the reserve; nothing if none is."""
    reserve = mine.all.for_later
    if reserve is not None and reserve[[*places]].any():
        amount = f"{mine.bill.service_units(reserve[[*places]]):,f} SU"
        said = f"{amount} of the list price is the reserve for later submissions."
        yield in_currency(mine.bill, said)


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
        text = f"{paid} SU of the list price is for work lost in stops ({stops} of these jobs)."
        yield in_currency(mine.bill, text)


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
    table = plain_table(heads, zip(months, *columns, strict=True))
    return AccountPart(f"Account {periods[0].account}", table)


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
