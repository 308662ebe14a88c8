"""Audits as tables, and as a page with the gains drawn."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from swfx.base.numbers import fixed, percent, plural
from utilitysched.analysis.documents import (
    Column,
    Description,
    IntervalChart,
    IntervalRow,
    ResultTable,
    plain_table,
)
from utilitysched.market.audit import Audit, MeasureRow
from utilitysched.market.audit.audit import STRATA
from utilitysched.market.audit.summary import ALL, MEASURES, by_lie

NOTES = """\
gain: what a job's user gets more than with the truth (true value less charges, in service units, \
SU), mean over the jobs.
interval: 95%, by bootstrap over the jobs.
best: chosen for each job, {seeds}.
for all: the one misreport that is best for the other jobs.
placebo: the truth with other random draws.
{lies}, {values} of them of the value: they change nothing but the utility function."""

BEST_LIE = MEASURES[1]
"""Measure of the verdict: the best misreport of each job."""

WORDS = dict(
    zip(
        MEASURES,
        ("best, value only", "best", "for all, value only", "for all", "placebo"),
        strict=True,
    )
)
"""Measures for people; files keep the short word."""

FRESH = "on other random draws than it is scored on"
HINDSIGHT = "in hindsight, since nothing is drawn: an upper bound"


def audit_description(audit: Audit, rows: Sequence[MeasureRow]) -> Description:
    """Return an audit as a document: a verdict per mechanism, a chart of gains, tables."""
    tables = [_gains(rows)]
    best = [row for row in rows if (row.measure, row.congestion) == (BEST_LIE, ALL)]
    chart = IntervalChart(
        "gains",
        "Gain of the best misreport",
        "Mean over the jobs. Lines: 95% intervals, jobs drawn anew. Grey: nothing is gained.",
        "SU per job",
        [IntervalRow(row.mechanism, row.gain, row.low, row.high) for row in best],
        0.0,
    )
    if (others := _others(audit)) is not None:
        tables.append(replace(others, key="others", caption="Who gains and who loses"))
    tables[-1] = replace(tables[-1], notes=_notes(audit).splitlines())
    title = f"Audit of {audit.scheduler}: what users would gain by misreporting"
    return Description(title, [chart, *tables], [verdict(row) for row in best])


def verdict(row: MeasureRow) -> str:
    """Return whether the best misreport pays under a mechanism, in a sentence."""
    if row.low is not None and row.low > 0:
        share = "" if row.share is None else f", {percent(row.share)}% of what the jobs are worth"
        interval = interval_text(row.low, row.high)
        gain = f"{fixed(row.gain)} SU a job"
        return f"{row.mechanism}: misreporting pays, {gain} (95% interval {interval}){share}."
    return f"{row.mechanism}: a gain of {fixed(row.gain)} SU a job could be chance."


def _notes(audit: Audit) -> str:
    seeds = FRESH if audit.draws else HINDSIGHT
    return NOTES.format(
        seeds=seeds, lies=plural(len(audit.lies), "misreport"), values=sum(audit.about_value)
    )


def _gains(rows: Sequence[MeasureRow]) -> ResultTable:
    """Return the gains by mechanism and choice of misreports, of all jobs and by congestion."""
    at = {(row.mechanism, row.measure, row.congestion): row for row in rows}
    lines = []
    for mechanism, measure in dict.fromkeys((row.mechanism, row.measure) for row in rows):
        row = at[mechanism, measure, ALL]
        strata = (fixed(at[mechanism, measure, stratum].gain) for stratum in STRATA)
        texts = (mechanism, WORDS[measure], fixed(row.gain), interval_text(row.low, row.high))
        lines.append((*texts, percent(row.share), percent(row.lying), *strata))
    columns = [
        Column("mechanism", left=True),
        Column("misreport", left=True, fold=True),
        Column("gain\n(SU)", main=True),
        Column("95% interval\n(SU)", main=True),
        Column("of value\n(%)"),
        Column("of jobs\n(%)"),
        *(Column(f"{stratum}\n(SU)", group="gain at congestion") for stratum in STRATA),
    ]
    caption = f"Gains of {plural(rows[0].jobs, 'job')}"
    return ResultTable(columns, lines, caption, key="gains-by-misreport", broken=False)


def _others(audit: Audit) -> ResultTable | None:
    """Return the effect of each misreport on its user and on other users; None if not measured."""
    rows = [row for row in by_lie(audit) if row.others_value is not None]
    heads = ("mechanism", "misreport", "gain\n(SU)", "interval\n(SU)")
    lines = [
        (
            *(row.mechanism, row.lie, fixed(row.gain), interval_text(row.low, row.high)),
            *(percent(row.others_charge), percent(row.others_value)),
        )
        for row in rows
    ]
    more = ("others'\nbills (%)", "others'\nvalue (%)")
    return plain_table((*heads, *more), lines) if rows else None


def interval_text(low: float | None, high: float | None) -> str:
    """Return the text of an interval, ``low to high``; empty if either end is unknown."""
    return "" if low is None or high is None else f"{fixed(low)} to {fixed(high)}"
