"""Overview for operators: use, queue, charges, budgets, disputes and open invoices at a glance."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from swfx.base.numbers import plural, span
from utilitysched.analysis.documents import (
    Column,
    ColumnChart,
    Description,
    ResultTable,
    column,
    panel,
)
from utilitysched_centre.accounts import CREDIT_NOTE, Book
from utilitysched_web.audit import audit_lines_with
from utilitysched_web.budgets import (
    SPENT,
    Spenders,
    Spending,
    account_column,
    amount_text,
    date_after,
    running_out,
)
from utilitysched_web.invoices import Issued
from utilitysched_web.site import Site
from utilitysched_web.trends import Trend, change_text, trend_panels

NAMED, SHOWN = 3, 10
"""Budgets that a sentence names, and that the overview lists."""


def overview_document(
    site: Site, spenders: Spenders, trend: Trend, account: str, to: Callable[[str], str]
) -> Description:
    """Return what an operator wants to know first, of all accounts or of one."""
    panels = trend_panels(trend, site.bill)
    if account:
        (row,) = (each for each in spenders.spending() if each.account == account)
        lead = [f"Jobs that {account} pays for.", _period_said(site, trend), *_left_said(site, row)]
        return Description(f"Operators: {account}", panels, lead)
    spending = spenders.spending()
    soon = running_out(spending)
    lead = [
        _period_said(site, trend),
        _queue_said(site),
        budgets_said(site, soon),
        disputes_said(site),
        *_invoices_said(site.issued(None)),
    ]
    if income := site.books.ask(_income_chart):
        panels.insert(1, income)
    tables = (_soon_table(site, soon, to), _largest_table(site, spending, to))
    return Description("Operators", [*panels, *tables], lead)


def _left_said(site: Site, row: Spending) -> list[str]:
    """Say what an account has left, if it is in the ledger."""
    if row.left is None:
        return []
    unit, lasts = site.books.ask(lambda book: book.money.unit), date_after(site, row.days)
    said = f"{amount_text(row.left)} {unit} left; {amount_text(row.pending)} used, not charged yet"
    until = {"": "", SPENT: "; all is spent"}.get(lasts, f"; lasts until: {lasts}")
    return [f"{said}{until}."]


def _soon_table(site: Site, soon: Sequence[Spending], to: Callable[[str], str]) -> ResultTable:
    """Return the budgets that run out next."""
    columns = [
        account_column(to),
        Column("spent a day", write=amount_text, key="spent_a_day"),
        Column("left", write=amount_text, key="left"),
        Column("not charged yet", write=amount_text, key="pending"),
        Column("lasts until", key="lasts_until"),
    ]
    rows = [
        (row.account, row.rate, row.left, row.pending, date_after(site, row.days)) for row in soon
    ]
    caption = "Budgets that run out within 30 days at this rate"
    return panel("runs_out", caption, _more(len(rows)), columns, rows[:SHOWN])


def _largest_table(
    site: Site, spending: Sequence[Spending], to: Callable[[str], str]
) -> ResultTable:
    """Return the accounts that were charged most, with their shares."""
    total = sum(row.charge for row in spending) or 1.0
    columns = [
        account_column(to),
        Column("charged", "SU", site.bill.text, key="charge"),
        column("share (%)", "percent", "share"),
        Column("change (%)", write=change_text, key="change"),
    ]
    rows = [(row.account, row.charge, row.charge / total, row.change) for row in spending[:SHOWN]]
    caption = "Accounts that were charged most"
    note = f"Change: the last 30 days beside the 30 before. {_more(len(spending))}"
    return panel("largest", caption, note, columns, rows)


def _more(count: int) -> str:
    return f"{count - SHOWN:,} more are among the accounts." if count > SHOWN else ""


def _invoices_said(issued: Issued) -> list[str]:
    """Say what is open of the invoices, if there are any."""
    if not issued.documents:
        return []
    text, overdue = issued.money.text, issued.overdue
    given = [each for each in issued.documents if each.kind == CREDIT_NOTE]
    total = sum(each.open for each in issued.open.values())
    said = f"{text(total)} open on {plural(len(issued.open), 'invoice')}"
    if overdue:
        late = sum(each.open for each in overdue)
        part = "all" if late == total else text(late)
        longest = max(each.overdue for each in overdue)
        said += f", {part} of it overdue, for {longest:,} days at most"
    if given:
        back = text(sum(each.amount for each in given))
        said += f"; {back} given back by {plural(len(given), 'credit note')}"
    return [f"{said}."]


def _income_chart(book: Book) -> ColumnChart | None:
    """Return the income by month of a ledger that does not count as the bill does, in SU."""
    months = income_by_month(book)
    if book.money.unit == "SU" or not months:
        return None
    income = [float(book.money.plain(charged - back)) for charged, back in months.values()]
    title, about = "Income by month", "Charged less what was given back, by the ledger."
    return ColumnChart("income", title, about, book.money.unit, list(months), income)


def _period_said(site: Site, trend: Trend) -> str:
    """Say what the last whole period was like, or the last one so far, beside the one before."""
    whole, labels, length = trend.periods.last_whole, trend.periods.labels, trend.periods.length
    row = len(labels) - 1 if whole is None else whole
    named = f"{labels[row]} so far" if whole is None else f"Last whole {length}, {labels[row]}"
    charge, share, waiting = (
        float(values[row]) for values in (trend.charge, trend.share, trend.waiting)
    )
    said = (
        f"{named}: {share:.0%} of the processors in use,"
        f" {waiting:,.1f} jobs waiting on average, {site.bill.text(charge)} SU charged"
    )
    if whole and trend.periods.whole[row - 1] and trend.charge[row - 1] > 0:
        change = charge / float(trend.charge[row - 1]) - 1
        said += f", {abs(change):.0%} {'more' if change >= 0 else 'less'} than the {length} before"
    return f"{said}."


def _queue_said(site: Site) -> str:
    """Say what waits and runs at the moment that the pages show."""
    snapshot = site.moment.snapshot
    hours = sum(job.processors * job.request for job in snapshot.queued) / 3600
    said = f"{plural(len(snapshot.queued), 'job')} waiting for {hours:,.0f} processor-hours"
    if snapshot.queued:
        longest = max(snapshot.now - job.submit for job in snapshot.queued)
        said += f", the longest for {span(longest)}"
    running = f"{len(snapshot.running):,} running on {snapshot.machine_size - snapshot.free:,}"
    busy = "" if site.live else " at a busy moment,"
    return f"{said}; {running} of {snapshot.machine_size:,} processors{busy}{site.moment.when}."


def budgets_said(site: Site, soon: Sequence[Spending]) -> str:
    """Say which budgets run out, the next one first."""
    if not soon:
        return "No budget runs out within 30 days at the rate of the last 30."
    named = [f"{row.account} ({date_after(site, row.days)})" for row in soon[:NAMED]]
    more = f" and {len(soon) - NAMED:,} more" if len(soon) > NAMED else ""
    budgets = "budget runs" if len(soon) == 1 else "budgets run"
    return f"{len(soon):,} {budgets} out within 30 days at this rate: {', '.join(named)}{more}."


def disputes_said(site: Site) -> str:
    """Say how many charges were recomputed on request, and what came of it."""
    lines = recomputations(site)
    if not lines:
        return "No charge was disputed."
    wrong = sum(line["verdict"] != "identical" for line in lines)
    came = f"{wrong:,} disagree with the bill" if wrong else "all are identical to the bill"
    return f"{plural(len(lines), 'charge')} recomputed on request: {came}."


def recomputations(site: Site) -> list[dict[str, Any]]:
    """Return lines of the audit log about charges that were computed again, the latest first."""
    return audit_lines_with(site.state, "verdict")


def income_by_month(book: Book) -> dict[str, tuple[int, int]]:
    """Return what was charged and given back in each month, all accounts together."""
    months: dict[str, tuple[int, int]] = {}
    for each in sorted(book.income(), key=lambda each: each.month):
        charged, back = months.get(each.month, (0, 0))
        months[each.month] = charged + each.charged, back + each.refunded
    return months
