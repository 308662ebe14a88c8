"""Schedulers beside each other, in the columns of LEE's table 4.1."""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from swfx.base.numbers import UNKNOWN, percent, plural, shortened, significant, whole
from utilitysched.analysis.documents import Column, ResultTable
from utilitysched.analysis.metrics import LEE_LEVELS, LeeRow, lee_table_row
from utilitysched.report.searches import print_effort
from utilitysched.report.terminal import console, filled, paragraphs, print_table
from utilitysched.runs.records import PreparedWorkload, SimulatedRun, SimulationPlan

NOTES = """\
x%: share of the jobs that waited at most this long, or earned at least this much.
expansion factor: (wait + p) / p with the requested time p, as in LEE's figures; summary.json and \
--json also have it by run times.
utility: in service units (SU); ratio: relative to that of the first scheduler.
used: share of the machine in use, from the first submission to the last end.
time: wall-clock time of the simulation."""

STOPPED_NOTES = """\
work lost, overhead: processor-hours of work done again, and of restarts.
useful: share of the machine in use, less both.
time in queue: mean of all waits of a job (wait: up to its first start)."""


SCHEDULER = Column("scheduler", left=True)


class ComparedRun(NamedTuple):
    """One scheduler's summary of metrics, and the wall-clock time of the simulation (s)."""

    summary: Mapping[str, Any]
    seconds: float


def print_runs(
    plan: SimulationPlan, prepared: PreparedWorkload, runs: Sequence[SimulatedRun]
) -> None:
    """Print what was simulated, how the schedulers compare, and what searches took.

    See `print_comparison`.
    """
    compared = [ComparedRun(run.summary, run.schedule.elapsed) for run in runs]
    print_comparison(comparison_titles(plan, prepared), compared)
    print_effort([run.schedule for run in runs])


def print_comparison(titles: Sequence[str], runs: Sequence[ComparedRun]) -> None:
    """Print titles and two tables with the columns of LEE's table 4.1, and a few more.

    Percentiles of waits and expansion factors count upward, those of the share of the start value
    from the best downward: 25 means that a quarter of the jobs earned at least this.
    """
    to = console()
    for title in titles:
        print(filled(title))
    to.print()
    rows = [lee_table_row(run.summary) for run in runs]
    print_table(_waits(rows, runs))
    to.print()
    print_table(_shares(rows))
    to.print()
    paragraphs(NOTES)
    if any("preemptions" in run.summary for run in runs):
        to.print()
        print_table(_stopped(rows, runs))
        to.print()
        paragraphs(STOPPED_NOTES)


def _levels(group: str, write: Callable[[float | None], str]) -> list[Column]:
    return [Column(f"{level}%", write=write, group=group) for level in LEE_LEVELS]


def _waits(rows: Sequence[LeeRow], runs: Sequence[ComparedRun]) -> ResultTable:
    others = (
        Column("bounded\nslowdown", write=significant, group=" "),
        Column("utility\n(SU)", write=whole, group=" "),
        Column("\nratio", group=" "),
        Column("used\n(%)", write=percent, group=" "),
        Column("time\n(s)", write=_seconds, group=" "),
    )
    cells = [
        (
            row.scheduler,
            *row.wait,
            row.bounded_slowdown,
            row.aggregate_utility,
            _ratio(row, rows[0]),
            run.summary["utilisation"],
            run.seconds,
        )
        for row, run in zip(rows, runs, strict=True)
    ]
    return ResultTable([SCHEDULER, *_levels("wait (s)", whole), *others], cells, broken=False)


def _shares(rows: Sequence[LeeRow]) -> ResultTable:
    factors = _levels("expansion factor", significant)
    earned = _levels("% of start value earned", percent)
    cells = [
        (row.scheduler, *row.requested_expansion_factor, *row.start_value_share) for row in rows
    ]
    return ResultTable([SCHEDULER, *factors, *earned], cells, broken=False)


def _stopped(rows: Sequence[LeeRow], runs: Sequence[ComparedRun]) -> ResultTable:
    """Return what became of jobs that could be stopped; nothing is known of schedules without."""
    columns: dict[str, Column] = {
        "preemptions": Column("times\npreempted", write=whole, group=" "),
        "share_preempted": Column("jobs\npreempted (%)", write=percent, group=" "),
        "failures": Column("failures", write=whole, group=" "),
        "queued_mean": Column("time in\nqueue (s)", write=whole, group=" "),
        "processor_hours_lost": Column("work lost\n(h)", write=significant, group=" "),
        "processor_hours_overhead": Column("overhead\n(h)", write=significant, group=" "),
        "effective_utilisation": Column("useful\n(%)", write=percent, group=" "),
    }
    cells = [
        (row.scheduler, *(run.summary.get(name) for name in columns))
        for row, run in zip(rows, runs, strict=True)
    ]
    return ResultTable([SCHEDULER, *columns.values()], cells, broken=False)


def _seconds(value: float) -> str:
    return significant(value, 2)


def _ratio(row: LeeRow, first: LeeRow) -> str:
    if not first.aggregate_utility:
        return UNKNOWN
    return f"{row.aggregate_utility / first.aggregate_utility:.3f}"


def comparison_titles(plan: SimulationPlan, prepared: PreparedWorkload) -> list[str]:
    """Return the lines that say what the figures below them are about."""
    lines = [_jobs(plan, prepared), _transformed(plan, prepared)]
    return [*filter(None, lines), _conditions(plan, prepared), _utilities(prepared)]


def _jobs(plan: SimulationPlan, prepared: PreparedWorkload) -> str:
    report = prepared.loaded.report
    read = "all job lines" if plan.source.jobs is None else f"job lines {plan.source.slice_text}"
    cleaned = f"{report.dropped:,} dropped, {report.repaired:,} repaired"
    return (
        f"{report.source}, {read}: {plural(report.kept, 'job')} "
        f"({plan.source.cleaning} cleaning: {cleaned})"
    )


def _transformed(plan: SimulationPlan, prepared: PreparedWorkload) -> str:
    if not plan.apply:
        return ""
    return f"transformed by {', '.join(plan.apply)}: {plural(len(prepared.workload), 'job')}"


def _conditions(plan: SimulationPlan, prepared: PreparedWorkload) -> str:
    workload = prepared.workload
    span = float(workload.submit.max() - workload.submit.min()) / 86400
    counted = f"without the first and last {plan.trim:.1%}" if plan.trim else "all jobs counted"
    return (
        f"{plural(workload.machine_size or 0, 'processor')}, {span:,.1f} days of submissions, "
        f"{counted}, tau {plan.tau:g} s, scheduler seed {plan.seeds.scheduler}"
    )


def _utilities(prepared: PreparedWorkload) -> str:
    workload = prepared.workload
    without = len(workload) - int(workload.utility.defined.sum())
    if without == len(workload):
        return "utilities: none, no job is worth anything"
    model = "; ".join(workload.header.all("UtilityModel")) or "as in the workload"
    missing = f"; {plural(without, 'job')} without" if without else ""
    spaced = re.sub(r",(?=[^ \d])", ", ", shortened(model))  # so that the line can be broken
    return f"utilities: {spaced}{missing}"
