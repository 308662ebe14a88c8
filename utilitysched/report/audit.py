"""Audits as tables, and as a page with the gains drawn."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from swfx.base.numbers import fixed, percent, plural
from utilitysched.analysis.documents import (
    Description,
    IntervalChart,
    IntervalRow,
    ResultTable,
    plain_table,
)
from utilitysched.market.audit import Audit, MeasureRow
from utilitysched.market.audit.audit import STRATA
from utilitysched.market.audit.summary import ALL, MEASURES, by_lie
from utilitysched.report.terminal import filled, paragraphs, print_table

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

FRESH = "on other random draws than it is scored on"
HINDSIGHT = "in hindsight, since nothing is drawn: an upper bound"


def print_audit(audit: Audit, rows: Sequence[MeasureRow]) -> None:
    """Print a verdict per mechanism, and the tables of the summary."""
    for row in rows:
        if (row.measure, row.congestion) == (BEST_LIE, ALL):
            print(filled(_verdict(row)))
    print()
    for measure in MEASURES:
        print_table(_gains(measure, [row for row in rows if row.measure == measure]))
        print()
    if (table := _others(audit)) is not None:
        print_table(table)
        print()
    paragraphs(_notes(audit))


def audit_description(audit: Audit, rows: Sequence[MeasureRow]) -> Description:
    """Return an audit as a document: a verdict per mechanism, a chart of gains, tables."""
    by_measure = {measure: [row for row in rows if row.measure == measure] for measure in MEASURES}
    tables = [
        replace(
            _gains(measure, mine),
            key=f"gains-{i}",
            caption=f"Gains: {_words(measure)}",
        )
        for i, (measure, mine) in enumerate(by_measure.items(), 1)
    ]
    best = [row for row in by_measure[BEST_LIE] if row.congestion == ALL]
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
    return Description(title, [chart, *tables], [_verdict(row) for row in best])


def _verdict(row: MeasureRow) -> str:
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


def _words(measure: str) -> str:
    """Return a measure for people; in files it keeps the short word."""
    return measure.replace("lie", "misreport")


def _gains(measure: str, rows: Sequence[MeasureRow]) -> ResultTable:
    heads = [
        f"{_words(measure)}, {plural(rows[0].jobs, 'job')}",
        "gain\n(SU)",
        "interval\n(SU)",
    ]
    heads += [
        "share of\nvalue (%)",
        "misreport\n(%)",
        *(f"{stratum}\n(SU)" for stratum in STRATA),
    ]
    lines = []
    for mechanism in dict.fromkeys(row.mechanism for row in rows):
        by_congestion = {row.congestion: row for row in rows if row.mechanism == mechanism}
        row = by_congestion[ALL]
        gains = (fixed(by_congestion[stratum].gain) for stratum in STRATA)
        interval = interval_text(row.low, row.high)
        shares = percent(row.share), percent(row.lying)
        lines.append((mechanism, fixed(row.gain), interval, *shares, *gains))
    return plain_table(heads, lines)


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
