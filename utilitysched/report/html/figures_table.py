"""Table of the metrics of all runs side by side."""

from __future__ import annotations

from typing import NamedTuple

from utilitysched.analysis.documents import Cell, ResultTable, column, panel
from utilitysched.report.html.shown import Shown


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
    Listed("bumps", "bumps"),
    Listed("share_bumped", "jobs bumped", "%", PERCENT),
    Listed("failures", "jobs stopped by failures, times"),
    Listed("queued_mean", "mean time in the queue, after stops included", "h", HOURS),
    Listed("processor_hours_lost", "work lost", "processor-h"),
    Listed("processor_hours_overhead", "restart overhead", "processor-h"),
    Listed("effective_utilisation", "utilisation without lost work and overhead", "%", PERCENT),
    Listed("jain_user_bounded_slowdown", "evenness among users: Jain's index"),
    Listed("gini_user_bounded_slowdown", "evenness among users: Gini coefficient"),
)


def figures_table(shown: Shown) -> ResultTable:
    """Return the table; metrics that no run has a value of are left out."""
    rows: list[list[Cell]] = []
    for row in ROWS:
        values = [run.summary.get(row.metric) for run in shown.runs]
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


def _scaled(value: float | None, row: Listed) -> float | None:
    return None if value is None else value * row.factor
