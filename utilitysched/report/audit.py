"""Audits as tables and as a plot of the gains."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path

from swfx.base.numbers import percent, plural, significant
from utilitysched.analysis.documents import ResultTable, plain_table
from utilitysched.market.audit import Audit, BestResponse, MeasureRow
from utilitysched.market.audit.files import FIGURE
from utilitysched.market.audit.plan import AuditResult
from utilitysched.market.audit.sample import STRATA
from utilitysched.market.audit.summary import ALL, MEASURES
from utilitysched.report.figures.audit import draw
from utilitysched.report.figures.canvas import check_format, require_matplotlib, save
from utilitysched.report.figures.style import PAGE
from utilitysched.report.terminal import paragraph, print_table

NOTES = """\
gain: what a job's user has more than under the truth, true value less charges, mean over the jobs.
interval: 95%, jobs drawn anew. best: chosen for each job,
{seeds}.
for all: the one lie that is best for the other jobs. placebo: the truth under other random draws.
{lies} lies; {values} of them are value lies, which tell nothing but another utility function."""

FRESH = "on other random draws than it is scored on"
HINDSIGHT = "in hindsight, for nothing is drawn: an upper bound"


def check_plot(kind: str) -> None:
    """Refuse a format that cannot be drawn, or any where matplotlib is not installed."""
    require_matplotlib()
    check_format(kind)


def draw_gains(found: AuditResult, out: Path, kind: str) -> Path:
    """Draw the gains of an audit beside its files."""
    path = out / f"{FIGURE}.{kind}"
    save(partial(draw, found.rows, PAGE, found.audit.scheduler), path)
    return path


def print_audit(audit: Audit, rows: Sequence[MeasureRow], replies: Sequence[BestResponse]) -> None:
    """Print the summary, and what became of welfare if that was played."""
    for measure in MEASURES:
        print_table(_gains(measure, [row for row in rows if row.measure == measure]))
        print()
    if replies:
        print_table(_replies(replies))
        print()
    seeds = FRESH if audit.draws else HINDSIGHT
    paragraph(NOTES.format(seeds=seeds, lies=len(audit.lies), values=sum(audit.about_value)))


def _gains(measure: str, rows: Sequence[MeasureRow]) -> ResultTable:
    heads = [f"{measure}, {plural(rows[0].jobs, 'job')}", "gain\n(SU)", "interval\n(SU)"]
    heads += ["share of\nvalue (%)", "lying\n(%)", *(f"{stratum}\n(SU)" for stratum in STRATA)]
    lines = []
    for mechanism in dict.fromkeys(row.mechanism for row in rows):
        found = {row.congestion: row for row in rows if row.mechanism == mechanism}
        row = found[ALL]
        gains = (significant(found[stratum].gain) for stratum in STRATA)
        interval = interval_text(row.low, row.high)
        shares = percent(row.share), percent(row.lying)
        lines.append((mechanism, significant(row.gain), interval, *shares, *gains))
    return plain_table(heads, lines)


def _replies(replies: Sequence[BestResponse]) -> ResultTable:
    heads = ["best responses", "liars", "lying", "rounds", "welfare under\nthe truth (SU)"]
    rows = [
        (
            f"{reply.mechanism}, {percent(reply.share)}%",
            str(reply.liars),
            str(reply.lying),
            f"{reply.rounds}{'' if reply.settled else '+'}",
            significant(reply.truth),
            percent(reply.loss),
            significant(reply.gain),
            significant(reply.others),
        )
        for reply in replies
    ]
    return plain_table([*heads, "lost\n(%)", "gain of\nliars (SU)", "gain of\nothers (SU)"], rows)


def interval_text(low: float | None, high: float | None) -> str:
    """Return an interval as people read it; nothing where there is none."""
    return "" if low is None or high is None else f"{significant(low)} to {significant(high)}"
