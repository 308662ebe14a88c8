"""Summary of a report: the metrics of all runs side by side, and what repeats the runs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from utilitysched.analysis.documents import Cell, Fact, Facts, ResultTable, column, panel
from utilitysched.exact.ceiling import stored_ceiling_metrics
from utilitysched.report.html.shown import Shown
from utilitysched.runs import RunResults


class Listed(NamedTuple):
    """A metric of summary.json: its name there, name and unit for people, and a factor."""

    metric: str
    name: str
    unit: str = ""
    factor: float = 1.0


HOURS, PERCENT = 1 / 3600, 100.0

ROWS = (
    Listed("jobs", "jobs"),
    Listed("jobs_measured", "jobs that means and percentiles are over"),
    Listed("aggregate_utility", "aggregate utility", "SU"),
    Listed("ceiling", "ceiling of the utility", "SU"),
    Listed("gap_share", "share of the gap between EASY and the ceiling", "%", PERCENT),
    Listed("effective_losers", "effective number of jobs that lose utility"),
    Listed("aggregate_share", "share of all start values earned", "%", PERCENT),
    Listed(
        "start_value_share_p50", "half of the jobs earned at least", "% of start value", PERCENT
    ),
    Listed("utilisation", "utilisation, first submission to last end", "%", PERCENT),
    Listed("submission_utilisation", "utilisation, first to last submission", "%", PERCENT),
    Listed("makespan", "makespan", "h", HOURS),
    Listed("wait_mean", "mean wait", "h", HOURS),
    Listed("wait_p50", "half of the jobs waited at most", "h", HOURS),
    Listed("wait_p98", "98% of the jobs waited at most", "h", HOURS),
    Listed("wait_p100", "longest wait", "h", HOURS),
    Listed("turnaround_mean", "mean turnaround", "h", HOURS),
    Listed("bounded_slowdown_mean", "mean bounded slowdown"),
    Listed("requested_expansion_factor_p75", "75% of the jobs: expansion factor at most"),
    Listed("share_run_at_once", "jobs run at once", "%", PERCENT),
    Listed("share_backfilled", "jobs backfilled", "%", PERCENT),
    Listed("jobs_starved", "jobs starved"),
    Listed("preemptions", "preemptions"),
    Listed("share_preempted", "jobs preempted", "%", PERCENT),
    Listed("failures", "jobs stopped by failures, times"),
    Listed("queued_mean", "mean time in the queue, after stops included", "h", HOURS),
    Listed("processor_hours_lost", "work lost", "processor-h"),
    Listed("processor_hours_overhead", "restart overhead", "processor-h"),
    Listed("effective_utilisation", "utilisation without lost work and overhead", "%", PERCENT),
    Listed("jain_user_bounded_slowdown", "fairness among users: Jain's index"),
    Listed("gini_user_bounded_slowdown", "fairness among users: Gini coefficient"),
)


def figures_table(shown: Shown) -> ResultTable:
    """Return the table; metrics that no run has a value of are left out."""
    rows: list[list[Cell]] = []
    summaries = [run.summary | _ceiling(run) for run in shown.runs]
    for row in ROWS:
        values = [each.get(row.metric) for each in summaries]
        if any(value is not None for value in values):
            rows.append([row.name, row.unit, *(_scaled(value, row) for value in values)])
    return panel(
        "summary",
        "Figures",
        "Every figure is in summary.json of its run.",
        [
            column("figure", "text", "figure"),
            column("unit", "text", "unit"),
            *(column(label, "number", label) for label in shown.labels),
        ],
        rows,
    )


def _ceiling(run: RunResults) -> dict[str, float | None]:
    """Return how near a run comes to the ceiling, where one was written beside its workload."""
    folder = run.directory.resolve().parent
    # dependencies move submissions: those of the ceiling are the log's
    return stored_ceiling_metrics(folder, run.workload, run.schedule)


def _scaled(value: float | None, row: Listed) -> float | None:
    return None if value is None else value * row.factor


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
        yield _fact(f"{label}: versions", _pairs(run.record.get("versions")))
        yield _fact(f"{label}: sha256 of jobs.csv", run.record["files"]["jobs.csv"])


def _pairs(values: Mapping[str, Any] | None) -> str:
    return ", ".join(f"{name} {value}" for name, value in (values or {}).items())


def _fact(name: str, value: object) -> Fact:
    text = "" if value is None else str(value)
    return Fact(name, name, text, text)
