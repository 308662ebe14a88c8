"""An audit as tables."""

from __future__ import annotations

from collections.abc import Sequence

from rich.table import Table

from utilitysched.market.audit import Audit, Reply, Row
from utilitysched.market.audit.sample import STRATA
from utilitysched.market.audit.summary import ALL, MEASURES
from utilitysched.report.console import console, grid, show
from utilitysched.report.numbers import figures, percent, plural

NOTES = """\
gain: what a job's user has more than under the truth, true value less charges, mean over the jobs.
interval: 95%, jobs drawn anew. best: chosen for each job,
{seeds}.
for all: the one lie that is best for the other jobs. placebo: the truth under other random draws.
{lies} lies; {values} of them are value lies, which tell nothing but another utility function."""

FRESH = "on other random draws than it is scored on"
HINDSIGHT = "in hindsight, for nothing is drawn: an upper bound"


def print_audit(audit: Audit, rows: Sequence[Row], replies: Sequence[Reply]) -> None:
    """Print the summary, and what became of welfare if that was played."""
    to = console()
    for measure in MEASURES:
        show(to, _gains(measure, [row for row in rows if row.measure == measure]))
        to.print()
    if replies:
        show(to, _replies(replies))
        to.print()
    to.print(
        NOTES.format(
            seeds=FRESH if audit.draws else HINDSIGHT,
            lies=len(audit.lies),
            values=sum(audit.about_value),
        )
    )


def _gains(measure: str, rows: Sequence[Row]) -> Table:
    jobs = rows[0].jobs
    table = grid(
        [
            f"{measure}, {plural(jobs, 'job')}",
            "gain\n(SU)",
            "interval\n(SU)",
            "share of\nvalue (%)",
            "lying\n(%)",
            *(f"{stratum}\n(SU)" for stratum in STRATA),
        ]
    )
    for mechanism in dict.fromkeys(row.mechanism for row in rows):
        found = {row.congestion: row for row in rows if row.mechanism == mechanism}
        row = found[ALL]
        table.add_row(
            mechanism,
            figures(row.gain),
            interval_text(row.low, row.high),
            percent(row.share),
            percent(row.lying),
            *(figures(found[stratum].gain) for stratum in STRATA),
        )
    return table


def _replies(replies: Sequence[Reply]) -> Table:
    table = grid(
        [
            "best responses",
            "liars",
            "lying",
            "rounds",
            "welfare under\nthe truth (SU)",
            "lost\n(%)",
            "gain of\nliars (SU)",
            "gain of\nothers (SU)",
        ]
    )
    for reply in replies:
        table.add_row(
            f"{reply.mechanism}, {percent(reply.share)}%",
            str(reply.liars),
            str(reply.lying),
            f"{reply.rounds}{'' if reply.settled else '+'}",
            figures(reply.truth),
            percent(reply.loss),
            figures(reply.gain),
            figures(reply.others),
        )
    return table


def interval_text(low: float | None, high: float | None) -> str:
    """Return an interval as people read it; nothing where there is none."""
    return "" if low is None or high is None else f"{figures(low)} to {figures(high)}"
