"""The sheet of a statement: one printed page."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from html import escape
from itertools import accumulate
from typing import TYPE_CHECKING

import numpy as np

from pricing.ledger import amount
from pricing.rules.invoice import rounded
from utilitysched.report.amounts import aligned
from utilitysched.report.numbers import plural
from utilitysched.report.reconciliation import HEADS, Reconciled, agreement, figures
from utilitysched.report.statements.applied import applied, tax_name
from utilitysched.report.statements.html import facts, link, page, table
from utilitysched.report.statements.statement import Statement, anchor, completion

if TYPE_CHECKING:
    from pricing.accounts import Period

INDEX = "index.html"

LISTED = 40
"""Jobs of a statement that are listed on it; of more the dearest only."""

DEAREST = 15

QUEUES = 12
"""Lines of a summary; the rest is one line more."""

MONTHS = 4
"""Lines of an account; what was before is the first."""

ROOM = 360
"""Characters that rules and notes take at most, so that the sheet stays one."""

LETTERS = "abcdefghijklmnopqrstuvwxyz"


def sheet(mine: Statement) -> str:
    """Return a statement as a page: what is to be paid, why, and by whom it was paid."""
    body = "\n".join(
        [
            f"<nav class=small>{link(INDEX, 'all statements')}</nav>",
            _head(mine),
            "<main>",
            _top(mine),
            _account(mine),
            *(_all_jobs(mine) if len(mine.places) <= LISTED else _summary(mine)),
            _rules(mine),
            "</main>",
            _foot(mine),
        ]
    )
    return page(f"Statement: {mine.name}", body)


def _head(mine: Statement) -> str:
    centre = mine.bill.rules.centre
    name = escape(centre.name) if centre else ""
    address = escape(" · ".join(centre.address)) if centre else ""
    return (
        f"<header><div><div class=name>{name}</div><div class=address>{address}</div></div>"
        "<h1>Statement of charges</h1></header>"
    )


def _top(mine: Statement) -> str:
    bill = mine.bill
    net, tax = mine.money(bill.net), mine.money(bill.tax)
    ((_, asked, due, _),) = _sums(mine, [mine.places])
    shown = [
        ("for", f"<b>{escape(mine.name)}</b>"),
        (
            "jobs",
            f"{len(mine.places):,} completed in {escape(mine.span)}, {_charged(mine)} charged",
        ),
        ("charges", f"{asked} SU by {escape(bill.charges.mechanism)}"),
        ("stops", _stops(mine)),
        ("due", f"{due} SU by the rules"),
        ("posting", _posting(mine.all.reconciled)),
    ]
    taxed = f"{net} net, {tax} {escape(tax_name(bill))}" if bill.rules.tax else "no tax"
    return (
        f"<div class=top>{facts(shown)}<div class=due><div class=label>To be paid</div>"
        f"<div class=sum>{mine.money(bill.net, bill.tax)} {escape(bill.currency)}</div>"
        f"<div class=label>{taxed}</div></div></div>"
    )


def _stops(mine: Statement) -> str:
    """Say how often jobs were stopped and what is charged for that; nothing if none was."""
    charges = mine.bill.charges
    shares, parts = charges.shares, charges.parts
    if shares is None or parts is None:
        return ""
    bumps, failures = (
        int(np.isin(shares.stopped[stops], mine.places).sum())
        for stops in (shares.waste.bumped, ~shares.waste.bumped)
    )
    said = [plural(bumps, "bump")] * bool(bumps) + [plural(failures, "failure")] * bool(failures)
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


def _account(mine: Statement) -> str:
    found, periods = mine.all.reconciled, mine.periods
    if found is None:
        return ""
    if not periods:
        return f"<h2>In the ledger</h2><p class=small>{escape(agreement(found))}</p>"
    money = found.money
    months, lines = zip(*_lines(periods), strict=True)
    columns = (aligned(column, money.decimals) for column in zip(*lines, strict=True))
    rows = zip(months, *columns, strict=True)
    heads = ["month", *HEADS[:-1], f"{HEADS[-1]} ({money.unit})"]
    billed = sum(period.billed for period in periods)
    said = (
        f"This statement comes to {mine.money(mine.bill.net, mine.bill.tax)} {mine.bill.currency};"
        f" posting {found.accounts.posting} charges the account {money.text(billed)}."
    )
    title = escape(f"Account {periods[0].account}")
    return f"<h2>{title}</h2>{table(heads, rows, kind='jobs')}<p class=small>{escape(said)}</p>"


def _lines(periods: Sequence[Period]) -> Iterator[tuple[str, tuple[int, ...]]]:
    """Yield months with their figures, the earliest of many as one."""
    before, shown = periods[: 1 - MONTHS], periods[1 - MONTHS :]
    if len(periods) <= MONTHS:
        before, shown = [], periods
    if before:
        moved = zip(*(figures(period)[1:-1] for period in before), strict=True)
        span = f"{before[0].month} to {before[-1].month}"
        yield span, (before[0].opening, *map(sum, moved), before[-1].closing)
    for period in shown:
        yield period.month, figures(period)


def _all_jobs(mine: Statement) -> list[str]:
    return [f"<h2>Jobs</h2>{_jobs(mine, mine.places)}", _legend(mine, mine.places)]


def _summary(mine: Statement) -> list[str]:
    """Return a line for each queue, and the dearest jobs."""
    paid = mine.bill.net + mine.bill.tax
    dearest = sorted(mine.places, key=lambda place: -int(paid[place]))[:DEAREST]
    every = link(mine.table, mine.table)
    return [
        f"<h2>Jobs by queue</h2>{_queues(mine)}",
        f"<h2>The {DEAREST} dearest of {len(mine.places):,} jobs</h2>",
        f"<p class=small>All of them, and why each was charged: {every}.</p>",
        _jobs(mine, dearest),
        _legend(mine, dearest),
    ]


def _queues(mine: Statement) -> str:
    queue = mine.bill.charges.workload.queue
    by: dict[str, list[int]] = defaultdict(list)
    for place in mine.places:
        by[str(queue[place]) if queue[place] >= 0 else "unknown"].append(place)
    groups = sorted(by.items(), key=lambda item: -len(item[1]))
    shown = [*groups[:QUEUES]]
    if rest := [place for _, places in groups[QUEUES:] for place in places]:
        shown.append((f"{len(groups) - QUEUES} others", rest))
    sums = _sums(mine, [places for _, places in shown])
    rows = [
        (escape(name), f"{len(places):,}", *line)
        for (name, places), line in zip(shown, sums, strict=True)
    ]
    (every,) = _sums(mine, [mine.places])
    heads = ["queue", "jobs", "processor-hours", "asked (SU)", "due (SU)"]
    total = ("total", f"{len(mine.places):,}", *every)
    return table([*heads, f"amount ({mine.bill.currency})"], rows, total)


def _sums(mine: Statement, groups: Sequence[list[int]]) -> list[tuple[str, ...]]:
    """Return processor-hours, what is asked, what is due and the amount of each group of jobs.

    All are rounded by one rule: lines add up to what their exact sum is rounded to.
    """
    bill, due = mine.bill, mine.bill.steps.due
    hours, ledger = bill.charges.outcome.processor_hours, bill.charges.ledger
    exact = (
        [sum(map(Fraction, hours[places].tolist()), Fraction(0)) for places in groups],
        [Fraction(sum(ledger.units[places].tolist()), 10**ledger.decimals) for places in groups],
        [sum((due[place] for place in places), Fraction(0)) for places in groups],
    )
    amounts = [mine.money(bill.net, bill.tax, places=places) for places in groups]
    return list(zip(*map(_cents, exact), amounts, strict=True))


def _jobs(mine: Statement, places: list[int]) -> str:
    bill, letters = mine.bill, _letters(mine, places)
    jobs = bill.charges.workload
    sums = _sums(mine, [[place] for place in places])
    rows = [
        (
            link(f"{mine.evidence}#{anchor(place)}", str(jobs.job_id[place])),
            completion(bill, place),
            str(jobs.user[place]),
            str(jobs.queue[place]),
            str(jobs.size[place]),
            *line,
            letters[bill.steps.reason[place]],
        )
        for place, line in zip(places, sums, strict=True)
    ]
    heads = ["job", "completed", "user", "queue", "processors", "processor-hours", "asked (SU)",
             "due (SU)", f"amount ({bill.currency})", "note"]  # fmt: skip
    (every,) = _sums(mine, [places])
    total = ("total", "", "", "", "", *every, "")
    return table(heads, rows, total, left=(0, 1), kind="jobs")


def _letters(mine: Statement, places: list[int]) -> dict[str, str]:
    reasons = dict.fromkeys(mine.bill.steps.reason[place] for place in places)
    return {reason: LETTERS[i] if i < len(LETTERS) else str(i) for i, reason in enumerate(reasons)}


def _legend(mine: Statement, places: list[int]) -> str:
    letters = _letters(mine, places)
    said = (f"{letter}: {reason}" for reason, letter in letters.items())
    return f"<p class=small><b>Notes:</b> {_fitting(said, mine)}.</p>"


def _rules(mine: Statement) -> str:
    return f"<p class=small><b>Rules applied:</b> {_fitting(applied(mine.bill), mine)}.</p>"


def _fitting(texts: Iterable[str], mine: Statement) -> str:
    """Return as many texts as there is room for; the evidence has all of them."""
    every = list(texts)
    ends = accumulate(len(text) for text in every)
    shown = [text for text, end in zip(every, ends, strict=True) if end <= ROOM]
    said = escape("; ".join(shown)) or "none"
    if len(shown) == len(every):
        return said
    return f"{said}; {len(every) - len(shown)} more: {link(mine.evidence, 'evidence')}"


def _foot(mine: Statement) -> str:
    centre = mine.bill.rules.centre
    note = f"<p>{escape(centre.note)}</p>" if centre and centre.note else ""
    return (
        f"<footer>{note}<p class=small>How each charge came about: "
        f"{link(mine.evidence, mine.evidence)}. All jobs as a table: "
        f"{link(mine.table, mine.table)}.</p></footer>"
    )
