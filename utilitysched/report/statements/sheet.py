"""Sheets of statements, one printed page each, and the files beside them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import accumulate
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from pricing.ledger import amount, plain
from pricing.rules.files import write_job_lines
from pricing.rules.invoice import rounded
from pricing.rules.statements import lines
from swfx.base.numbers import plural
from swfx.labels import field_labels
from utilitysched.analysis.documents import ResultTable, plain_table
from utilitysched.market.payment import Reconciled
from utilitysched.report.amounts import aligned
from utilitysched.report.bill import MOVEMENTS, agreement, money_names, movements
from utilitysched.report.statements.evidence import evidence
from utilitysched.report.statements.statement import (
    Link,
    Statement,
    Statements,
    anchor,
    applied,
    completion,
    tax_name,
)
from utilitysched.report.templating import render, write_html

if TYPE_CHECKING:
    from pricing.accounts import Period

INDEX = "index.html"

LISTED = 40
"""Jobs of a statement that are listed on it; of more the most expensive only."""

MOST_EXPENSIVE = 15

QUEUES = 12
"""Lines of a summary; the rest is one line more."""

MONTHS = 4
"""Lines of an account; what was before is the first."""

ROOM = 360
"""Characters that rules and notes take at most, so that the sheet stays one."""

LETTERS = "abcdefghijklmnopqrstuvwxyz"


class Fitting(NamedTuple):
    """As many texts as there is room for, and how many others there are: the evidence has all."""

    texts: list[str]
    left: int

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


def sheet(mine: Statement) -> str:
    """Return a statement as a page: what is to be paid, why, and by whom it was paid."""
    bill, all_jobs = mine.bill, len(mine.places) <= LISTED
    places = mine.places if all_jobs else _most_expensive(mine)
    net, tax = mine.money(bill.net), mine.money(bill.tax)
    return render(
        "statement.html",
        title=f"Statement: {mine.name}",
        mine=mine,
        index=INDEX,
        centre=bill.rules.centre,
        facts=_facts(mine),
        to_pay=f"{mine.money(bill.net, bill.tax)} {bill.currency}",
        taxed=f"{net} net, {tax} {tax_name(bill)}" if bill.rules.tax else "no tax",
        account=_account(mine),
        queues=None if all_jobs else _queues(mine),
        jobs=_jobs(mine, places),
        notes=Fitting.of(
            f"{letter}: {reason}" for reason, letter in _letters(mine, places).items()
        ),
        applied=Fitting.of(applied(bill)),
    )


def _facts(mine: Statement) -> list[tuple[str, str]]:
    bill = mine.bill
    ((_, list_price, after_discounts, _),) = _sums(mine, [mine.places])
    jobs = f"{len(mine.places):,} completed in {mine.span}, {_charged(mine)} charged"
    return [
        ("jobs", jobs),
        ("charges", f"{list_price} SU by {bill.charges.mechanism}"),
        ("stops", _stops(mine)),
        ("due", f"{after_discounts} SU by the rules"),
        ("posting", _posting(mine.all.reconciled)),
    ]


def _stops(mine: Statement) -> str:
    """Say how often jobs were stopped and what is charged for that; nothing if none was."""
    charges = mine.bill.charges
    shares, parts = charges.shares, charges.parts
    if shares is None or parts is None:
        return ""
    stopped = (
        int(np.isin(shares.stopped[stops], mine.places).sum())
        for stops in (shares.waste.preempted, ~shares.waste.preempted)
    )
    kinds = zip(stopped, ("bump", "failure"), strict=True)
    said = [plural(times, kind) for times, kind in kinds if times]
    units = (charges.ledger.units - parts.own)[mine.places]
    if not said and not units.any():
        return ""
    (paid,) = _cents([Fraction(int(units.sum()), 10**parts.decimals)])
    return f"{' and '.join(said) or 'none'}; {paid} SU of the charges are for work lost in stops"


def _charged(mine: Statement) -> str:
    reasons = mine.bill.steps.reason
    return f"{sum(reasons[place].startswith('charged') for place in mine.places):,}"


def _posting(found: Reconciled | None) -> str:
    return "" if found is None else f"{found.accounts.posting} of the ledger"


def _cents(exact: Sequence[Fraction]) -> list[str]:
    """Round numbers so that they add up to their rounded sum."""
    cents = rounded([each * 100 for each in exact])
    return [f"{amount(units, 2):,f}" for units in cents.tolist()]


def _account(mine: Statement) -> AccountPart | None:
    found, periods = mine.all.reconciled, mine.periods
    if found is None:
        return None
    if not periods:
        return AccountPart("In the ledger", None, agreement(found))
    money = found.money
    months, lines = zip(*_lines(periods), strict=True)
    columns = (aligned(column, money.decimals) for column in zip(*lines, strict=True))
    heads = ["month", *MOVEMENTS[:-1], f"{MOVEMENTS[-1]} ({money.unit})"]
    billed = sum(period.billed for period in periods)
    said = (
        f"This statement comes to {mine.money(mine.bill.net, mine.bill.tax)} {mine.bill.currency};"
        f" posting {found.accounts.posting} charges the account {money.text(billed)}."
    )
    table = plain_table(heads, zip(months, *columns, strict=True))
    return AccountPart(f"Account {periods[0].account}", table, said)


def _lines(periods: Sequence[Period]) -> Iterator[tuple[str, tuple[int, ...]]]:
    """Yield months with their movements, the earliest of many as one."""
    before, shown = periods[: 1 - MONTHS], periods[1 - MONTHS :]
    if len(periods) <= MONTHS:
        before, shown = [], periods
    if before:
        moved = zip(*(movements(period)[1:-1] for period in before), strict=True)
        span = f"{before[0].month} to {before[-1].month}"
        yield span, (before[0].opening, *map(sum, moved), before[-1].closing)
    for period in shown:
        yield period.month, movements(period)


def _most_expensive(mine: Statement) -> list[int]:
    paid = mine.bill.net + mine.bill.tax
    return sorted(mine.places, key=lambda place: -int(paid[place]))[:MOST_EXPENSIVE]


def _queues(mine: Statement) -> ResultTable:
    queue = field_labels(mine.bill.charges.workload, "queue")
    names = queue.of_jobs()
    by: dict[str, list[int]] = defaultdict(list)
    for place in mine.places:
        by[names[place]].append(place)
    groups = sorted(by.items(), key=lambda item: -len(item[1]))
    shown = [*groups[:QUEUES]]
    if rest := [place for _, places in groups[QUEUES:] for place in places]:
        shown.append((f"{len(groups) - QUEUES} others", rest))
    sums = _sums(mine, [places for _, places in shown])
    rows = [
        (name, f"{len(places):,}", *line) for (name, places), line in zip(shown, sums, strict=True)
    ]
    (every,) = _sums(mine, [mine.places])
    heads = [queue.words, "jobs", "processor-hours", "asked (SU)", "due (SU)"]
    total = ("total", f"{len(mine.places):,}", *every)
    return plain_table([*heads, f"amount ({mine.bill.currency})"], rows, total=[total])


def _sums(mine: Statement, groups: Sequence[list[int]]) -> list[tuple[str, ...]]:
    """Return processor-hours, list price, price after discounts and what is to be paid, by group.

    All are rounded by one rule: lines add up to what their exact sum is rounded to.
    """
    bill, after_discounts = mine.bill, mine.bill.steps.due
    hours, ledger = bill.charges.outcome.processor_hours, bill.charges.ledger
    exact = (
        [sum(map(Fraction, hours[places].tolist()), Fraction(0)) for places in groups],
        [Fraction(sum(ledger.units[places].tolist()), 10**ledger.decimals) for places in groups],
        [sum((after_discounts[place] for place in places), Fraction(0)) for places in groups],
    )
    to_pay = [mine.money(bill.net, bill.tax, places=places) for places in groups]
    return list(zip(*map(_cents, exact), to_pay, strict=True))


def _jobs(mine: Statement, places: list[int]) -> ResultTable:
    bill, letters = mine.bill, _letters(mine, places)
    jobs = bill.charges.workload
    user, queue = (field_labels(jobs, field) for field in ("user", "queue"))
    sums = _sums(mine, [[place] for place in places])
    rows = [
        (
            Link(f"{mine.evidence}#{anchor(place)}", str(jobs.job_id[place])),
            completion(bill, place),
            user.name(jobs.user.item(place)),
            queue.name(jobs.queue.item(place)),
            str(jobs.size[place]),
            *line,
            letters[bill.steps.reason[place]],
        )
        for place, line in zip(places, sums, strict=True)
    ]
    heads = ["job", "completed", user.words, queue.words, "processors", "processor-hours"]
    heads += ["asked (SU)", "due (SU)", f"amount ({bill.currency})", "note"]
    (every,) = _sums(mine, [places])
    return plain_table(heads, rows, left=2, total=[("total", "", "", "", "", *every, "")])


def _letters(mine: Statement, places: list[int]) -> dict[str, str]:
    reasons = dict.fromkeys(mine.bill.steps.reason[place] for place in places)
    return {reason: LETTERS[i] if i < len(LETTERS) else str(i) for i, reason in enumerate(reasons)}


def write_pages(statements: Statements, folder: Path) -> list[Path]:
    """Write for each statement a sheet to print, its evidence, and all of its jobs as a table.

    The sheet is one A4 page. Pages refer to each other and to the files of the bill, and to nothing
    else.

    Returns
    -------
    list of Path
        The files, that with the links last.
    """
    written = []
    every = list(statements)
    for mine in every:
        written += [
            write_job_lines(folder / mine.table, mine.bill, mine.places),
            write_html(evidence(mine, folder), folder / mine.evidence, parents=True),
            write_html(sheet(mine), folder / mine.sheet, parents=True),
        ]
    return [*written, write_html(_index(statements, every), folder / INDEX, parents=True)]


def _index(statements: Statements, every: list[Statement]) -> str:
    bill = statements.bill
    found = lines(bill, statements.by)
    rows = [
        (
            Link(mine.sheet, mine.name),
            f"{line.jobs:,}",
            f"{line.charged:,}",
            *map(plain, line.money),
        )
        for mine, line in zip(every, found, strict=True)
    ]
    charged = sum(line.charged for line in found)
    sums = (bill.charges.billed, bill.money(bill.net), bill.money(bill.tax), bill.total)
    total = ("total", f"{len(bill):,}", f"{charged:,}", *map(plain, sums))
    heads = [statements.by, "jobs", "charged", "asked (SU)", *money_names(bill)]
    shown = plain_table(heads, rows, total=[total])
    return render("statements.html", title="Statements", centre=bill.rules.centre, shown=shown)
