"""Hunts for lies, as documents of results."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from swfx.base.numbers import percent, plural, significant
from utilitysched.analysis.documents import Column, Description, Fact, Facts, ResultTable
from utilitysched.market.audit.design import JOBS
from utilitysched.market.audit.hunt import PLACEBO
from utilitysched.market.audit.hunt_plan import PAGE, HuntResult, write_hunt
from utilitysched.market.audit.hunt_summary import HuntRow
from utilitysched.market.audit.whole_market import MarketRow
from utilitysched.report.description import write_page

TOLD = {
    JOBS: "lies about single jobs",
    "users": "lies about all jobs of a user",
}

NOTE = (
    "Lies found with the jobs of half of the users (trained), told of jobs of the others: gain and"
    " interval in percent of what these are worth under the truth, gains of users in service units"
    " (SU). Interval: 95%, users drawn anew. p: how often they then gain nothing, after Holm for"
    f" the lies of a table. Placebo: {PLACEBO} instead, which says nothing: what comes of it is"
    " chance."
)


def write_hunt_files(result: HuntResult, out: Path) -> list[Path]:
    """Write what was found as files, and as a page."""
    written = write_hunt(out, result)
    write_page(hunt_description(result), out / PAGE)
    return [*written, out / PAGE]


def hunt_description(result: HuntResult) -> Description:
    """Return what a hunt found as a document: by what lies are told of, then by mechanism."""
    tables = [
        _lies(told_of, mechanism, [row for row in result.rows if row[:2] == (told_of, mechanism)])
        for told_of, mechanism in dict.fromkeys(row[:2] for row in result.rows)
    ]
    tables[-1] = replace(tables[-1], notes=[NOTE])
    market = [_market(result.market)] if result.market else []
    return Description(
        f"Hunt for lies to {result.found[0].scheduler}", [_facts(result), *tables, *market]
    )


def _facts(result: HuntResult) -> Facts:
    jobs = [len(cell) for cell in result.cells]
    found = [
        Fact(
            each.told_of,
            TOLD[each.told_of],
            each.tried,
            f"{each.tried} tried; the best told of {plural(len(each.holdout.value), thing)}",
        )
        for each in result.found
        for thing in ("job" if each.told_of == JOBS else "user",)
    ]
    cells = f"{plural(len(jobs), 'stretch', 'stretches')} of {plural(sum(jobs), 'job')} in all"
    return Facts("hunt", "What was hunted in", [Fact("jobs", "jobs", sum(jobs), cells), *found])


def _lies(told_of: str, mechanism: str, rows: Sequence[HuntRow]) -> ResultTable:
    columns = [
        Column("lie", left=True, key="lie", fold=True),
        Column("trained\n(%)", write=_signed, key="trained"),
        Column("gain\n(SU)", write=significant, key="gain"),
        Column("gain\n(%)", write=_signed, key="share"),
        Column("interval\n(%)", write=_interval, key="interval"),
        Column("p", write=_chance, key="p"),
        Column("placebo\n(%)", write=_interval, key="placebo"),
    ]
    lines = [
        (
            row.lie,
            row.trained,
            row.gain,
            row.share,
            (row.share_low, row.share_high),
            row.p,
            (row.placebo_low, row.placebo_high),
        )
        for row in rows
    ]
    who = plural(rows[0].jobs, "job" if told_of == JOBS else "user")
    whose = f", of {plural(rows[0].users, 'user')}" if told_of == JOBS else ""
    caption = f"{mechanism}: {TOLD[told_of]}, told of {who}{whose}"
    return ResultTable(columns, lines, caption, key=f"{told_of}-{mechanism}")


def _market(rows: Sequence[MarketRow]) -> ResultTable:
    columns = [
        Column("mechanism", left=True, key="mechanism", fold=True),
        Column("lie", left=True, key="lie", fold=True),
        Column("liars\n(%)", write=percent, key="share"),
        Column("welfare\n(%)", write=_signed, key="welfare_change"),
        Column("revenue\n(%)", write=_signed, key="revenue_change"),
        Column("gain of\nliars (SU)", write=significant, key="gain"),
    ]
    lines = [
        (
            row.mechanism,
            row.lie or "the truth",
            row.share,
            row.welfare_change,
            row.revenue_change,
            row.gain,
        )
        for row in rows
    ]
    note = (
        "Shares of all users tell the lie that brought most in training, of all their jobs; the "
        "truth where none brought anything. Welfare: what all jobs are truly worth; welfare and "
        "revenue beside those of truthful reports."
    )
    return ResultTable(columns, lines, "If many tell the best lie", [note], key="market")


def _interval(ends: tuple[float | None, float | None]) -> str:
    low, high = ends
    return "-" if low is None or high is None else f"{_signed(low)} to {_signed(high)}"


def _chance(p: float | None) -> str:
    return "-" if p is None else "<0.001" if p < 0.001 else f"{p:.3f}"


def _signed(share: float | None) -> str:
    """Return a share in percent with its sign, one decimal."""
    return "-" if share is None else f"{100 * share:+.1f}".replace("+0.0", "0").replace("-0.0", "0")
