"""Schedulers beside each other, in the columns of LEE's table 4.1."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from rich.table import Table

from utilitysched.analysis.metrics import LEE_LEVELS, LeeRow, lee_table_row
from utilitysched.report.console import beside, column, console, grid, show
from utilitysched.report.numbers import UNKNOWN, figures, percent, whole

Five = Sequence[float | None]


NOTES = """\
x%: that share of the jobs waited at most this long, or earned at least this much.
expansion factor: (wait + p) / p by the requested time p, the scale of LEE's figures; the one by
run times is in summary.json and --json.
ratio: utility to that of the first line; used: of the machine, first submission to last end;
time: of the simulation."""

STOPPED_NOTES = """\
work lost, overhead: processor-hours of work done again, and of restarts; useful: of the machine,
without these; time in queue: mean, all of it (wait is up to the first start)."""


class Line(NamedTuple):
    """One scheduler's figures.

    Attributes
    ----------
    summary : mapping
        What `utilitysched.analysis.metrics.summary` gives.
    seconds : float
        Wall-clock time of the simulation.
    """

    summary: Mapping[str, Any]
    seconds: float


def print_comparison(titles: Sequence[str], lines: Sequence[Line]) -> None:
    """Print titles and two tables with the columns of LEE's table 4.1, and a few more.

    Percentiles of waits and expansion factors count upward, those of the share of the start value
    from the best downward: 25 means that a quarter of the jobs earned at least this.
    """
    to = console()
    for title in titles:
        to.print(title)
    to.print()
    rows = [lee_table_row(line.summary) for line in lines]
    names = column("scheduler", [row.scheduler for row in rows], left=True)
    waits = _five("wait (s)", [row.wait for row in rows], whole)
    show(to, beside(names, waits, _others(rows, lines)), uncut=True)
    to.print()
    factors = [row.requested_expansion_factor for row in rows]
    earned = [row.start_value_share for row in rows]
    stretch = _five("expansion factor", factors, figures)
    show(to, beside(names, stretch, _five("% of start value earned", earned, percent)), uncut=True)
    to.print()
    to.print(NOTES)
    if any("bumps" in line.summary for line in lines):
        to.print()
        show(to, beside(names, _stopped(lines)), uncut=True)
        to.print()
        to.print(STOPPED_NOTES)


def _five(title: str, rows: Sequence[Five], write: Callable[[float | None], str]) -> Table:
    table = grid([f"{level}%" for level in LEE_LEVELS], left=0, title=title)
    for row in rows:
        table.add_row(*(write(value) for value in row))
    return table


def _others(rows: Sequence[LeeRow], lines: Sequence[Line]) -> Table:
    table = grid(
        ["bounded\nslowdown", "utility\n(SU)", "\nratio", "used\n(%)", "time\n(s)"], left=0
    )
    for row, line in zip(rows, lines, strict=True):
        table.add_row(
            figures(row.bounded_slowdown),
            whole(row.aggregate_utility),
            _ratio(row, rows[0]),
            percent(line.summary["utilisation"]),
            figures(line.seconds, 2),
        )
    return table


def _stopped(lines: Sequence[Line]) -> Table:
    """Return what became of jobs that could be stopped; nothing is known of schedules without."""
    titles = ["bumps", "jobs\nbumped (%)", "failures", "time in\nqueue (s)", "work lost\n(h)"]
    table = grid([*titles, "overhead\n(h)", "useful\n(%)"], left=0)
    for line in lines:
        hours = (line.summary.get(f"processor_hours_{what}") for what in ("lost", "overhead"))
        table.add_row(
            whole(line.summary.get("bumps")),
            percent(line.summary.get("share_bumped")),
            whole(line.summary.get("failures")),
            whole(line.summary.get("queued_mean")),
            *(figures(each) for each in hours),
            percent(line.summary.get("effective_utilisation")),
        )
    return table


def _ratio(row: LeeRow, first: LeeRow) -> str:
    if not first.aggregate_utility:
        return UNKNOWN
    return f"{row.aggregate_utility / first.aggregate_utility:.3f}"
