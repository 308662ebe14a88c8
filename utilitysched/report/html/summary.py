"""Summary of a report: metrics of all runs, and what repeats the runs."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from swfx.base.numbers import UNKNOWN, percent, significant, span, whole
from utilitysched.analysis.documents import Cell, Column, Fact, Facts, ResultTable, column, panel
from utilitysched.analysis.metrics.catalogue import METRICS, RESERVED, Metric, known_metrics
from utilitysched.exact.ceiling import stored_ceiling_metrics
from utilitysched.report.html.shown import Shown
from utilitysched.runs import RunResults
from utilitysched.runs.notes import shared_notes


class Listed(NamedTuple):
    """A metric of summary.json: key, title, formatter."""

    metric: str
    name: str
    write: Callable[[float], str] = significant


def in_percent(share: float) -> str:
    """Return a share of 1 in percent."""
    return f"{percent(share)}%"


def service_units(value: float) -> str:
    """Return a value or charge."""
    return f"{whole(value)} SU" if abs(value) >= LEAST_WHOLE else f"{significant(value)} SU"


def processor_hours(hours: float) -> str:
    """Return work."""
    return f"{whole(hours)} processor-hours"


LEAST_WHOLE = 100
"""SU from which decimals are left out."""

ROWS = (
    Listed("jobs", "jobs", whole),
    Listed("jobs_measured", "jobs that means and percentiles are over", whole),
    Listed("aggregate_utility", "aggregate utility", service_units),
    Listed("ceiling", "ceiling of the utility", service_units),
    Listed("gap_share", "share of the gap between EASY and the ceiling", in_percent),
    Listed("effective_losers", "effective number of jobs that lose utility"),
    Listed("aggregate_share", "share of all start values earned", in_percent),
    Listed(
        "start_value_share_p50",
        "half of the jobs earned at least, of their start value",
        in_percent,
    ),
    Listed("utilisation", "utilisation, first submission to last end", in_percent),
    Listed("submission_utilisation", "utilisation, first to last submission", in_percent),
    Listed("makespan", "makespan", span),
    Listed("wait_mean", "mean wait", span),
    Listed("wait_p50", "half of the jobs waited at most", span),
    Listed("wait_p98", "98% of the jobs waited at most", span),
    Listed("wait_p100", "longest wait", span),
    Listed("turnaround_mean", "mean turnaround", span),
    Listed("bounded_slowdown_mean", "mean bounded slowdown"),
    Listed("requested_expansion_factor_p75", "75% of the jobs: expansion factor at most"),
    Listed("share_run_at_once", "jobs run at once", in_percent),
    Listed("share_backfilled", "jobs backfilled", in_percent),
    Listed("jobs_starved", "jobs starved", whole),
    Listed("room_wait_hours", "hours waited for room, by all jobs together"),
    Listed("limit_wait_hours", "hours waited for limits"),
    Listed("window_wait_hours", "hours waited for windows"),
    Listed("share_held_by_limits", "jobs held by limits", in_percent),
    Listed("share_held_by_windows", "jobs held by windows", in_percent),
    Listed("share_deviation", "deviation of weekly usage from shares", in_percent),
    Listed("jobs_cut_short", "jobs killed before their work was done", whole),
    Listed("preemptions", "preemptions", whole),
    Listed("share_preempted", "jobs preempted", in_percent),
    Listed("failures", "jobs stopped by failures, times", whole),
    Listed("queued_mean", "mean time in the queue, after stops included", span),
    Listed("processor_hours_lost", "work lost", processor_hours),
    Listed("processor_hours_overhead", "restart overhead", processor_hours),
    Listed("effective_utilisation", "utilisation without lost work and overhead", in_percent),
    Listed("jain_user_bounded_slowdown", "fairness among users: Jain's index"),
    Listed("gini_user_bounded_slowdown", "fairness among users: Gini coefficient"),
)


SMALL = 0.01
"""Differences up to this share of the baseline's value are grey: they may be chance."""


def figures(shown: Shown) -> list[tuple[Listed, list[float | None]]]:
    """Return the metrics that any run has and that say something, with the value of each run."""
    summaries = [run.summary | _ceiling(run) for run in shown.runs]
    idle = set() if shown.workload.has_utilities else {"aggregate_utility"}
    if all(each.get("jobs") == each.get("jobs_measured") for each in summaries):
        idle.add("jobs_measured")
    if not any(each.get("jobs_cut_short") for each in summaries):
        idle.add("jobs_cut_short")
    listed = [row for row in (*ROWS, *_own(summaries)) if row.metric not in idle]
    rows = [(row, [each.get(row.metric) for each in summaries]) for row in listed]
    return [(row, values) for row, values in rows if any(value is not None for value in values)]


def figures_table(shown: Shown) -> ResultTable:
    """Return the table; metrics that no run has a value of are left out."""
    rows: list[list[Cell]] = [
        [row.name, *(UNKNOWN if value is None else row.write(value) for value in values)]
        for row, values in figures(shown)
    ]
    columns = [Column(label, key=label) for label in shown.labels]
    note = figures_note(shown)
    return panel("summary", "Figures", note, [column("figure", "text", "figure"), *columns], rows)


def figures_note(shown: Shown) -> str:
    """Return what is to be known of the figures."""
    note = "Every figure is in summary.json of its run."
    if shown.workload.has_utilities:
        note = f"SU: service units, in which values and charges are counted. {note}"
    if len(shown) > 1:
        close = f"within {100 * SMALL:.0f}% of {shown.labels[0]}"
        note += f" Grey: {close}, which with one workload may be chance."
    return note


def _own(summaries: Sequence[Mapping[str, Any]]) -> Iterator[Listed]:
    """Yield the metrics in the summaries that plug-ins measured, loaded now or not."""
    known, ours = known_metrics(), {*METRICS, *RESERVED}
    for name in dict.fromkeys(name for each in summaries for name in each):
        each = known.get(name, Metric(name, name.replace("_", " ")))
        if each.function or name not in ours:
            yield Listed(name, each.title, _writer(each.unit))


def _writer(unit: str) -> Callable[[float], str]:
    units = {"s": span, "SU": service_units, "": significant}
    behind = unit if unit == "%" else f" {unit}"
    return units.get(unit, lambda value: f"{significant(value)}{behind}")


def _ceiling(run: RunResults) -> dict[str, float | None]:
    """Return the metrics of a run's distance to the ceiling, empty without a ceiling file."""
    folder = run.directory.resolve().parent
    # dependencies move submissions: those of the ceiling are the log's
    return stored_ceiling_metrics(folder, run.workload, run.schedule)


def provenance(shown: Shown) -> Facts:
    """Return commands, seeds, versions and digests: what repeats the runs."""
    return Facts("provenance", "Provenance", [*_workload(shown.runs[0]), *_runs(shown)])


def _workload(run: RunResults) -> Iterator[Fact]:
    record = run.record
    workload = record["workload"]
    yield _fact("workload", workload.get("source"))
    yield _fact("job lines", workload.get("slice"))
    yield _fact("cleaning", workload.get("cleaning"))
    yield _fact("digest as read", workload.get("read_digest"))
    yield _fact("digest as simulated", workload["digest"])
    yield _fact(
        "transformations", ", ".join((record.get("transformations") or {}).get("applied", []))
    )
    yield _fact("utility functions", "; ".join((record.get("utilities") or {}).get("models", [])))


def _runs(shown: Shown) -> Iterator[Fact]:
    for label, run in shown:
        yield _fact(f"{label}: command", run.record.get("command"))
        yield _fact(f"{label}: seeds", _pairs(run.record.get("seeds")))
        for note in shared_notes(run.schedule):
            yield _fact(f"{label}: nodes that jobs share", note)
        yield _fact(f"{label}: versions", _pairs(run.record.get("versions")))
        yield _fact(f"{label}: sha256 of jobs.csv", run.record["files"]["jobs.csv"])


def _pairs(values: Mapping[str, Any] | None) -> str:
    return ", ".join(f"{name} {value}" for name, value in (values or {}).items())


def _fact(name: str, value: object) -> Fact:
    text = "" if value is None else str(value)
    return Fact(name, name, text, text)
