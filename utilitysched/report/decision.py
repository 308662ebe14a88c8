"""Decisions of runs, beside what others would have planned."""

import math

import numpy as np

from swfx.base.numbers import plural, span
from utilitysched.analysis.documents import plain_table
from utilitysched.exact.decision import ExplainedDecision, PlannedStarts
from utilitysched.report.terminal import filled, print_table

SHOWN = 20
"""Jobs that have a line of their own."""


def print_decision(found: ExplainedDecision, shown: int = SHOWN) -> None:
    """Print who was queued at a moment, and what each plan was worth."""
    snapshot, own = found.problem.snapshot, found.plans[0]
    print(
        filled(
            f"{own.label} at {snapshot.now:.15g} s: {plural(len(snapshot.queued), 'queued job')},"
            f" {snapshot.free:,} of {snapshot.machine_size:,} processors free."
            f" Started: {found.started.sum():,}; passed over though they fitted into what stayed"
            f" idle: {found.passed_over.sum():,}."
        )
    )
    print()
    heads = ["job", "processors", "requests", "waits", "SU now", "SU per proc-h", "starts"]
    rows = [_row(found, place) for place in found.order[:shown].tolist()]
    print_table(plain_table(heads, rows))
    if len(snapshot.queued) > shown:
        print(f"and {plural(len(snapshot.queued) - shown, 'other job')}, planned later")
    print()
    heads = ["plan", "SU", "to the run's", "starts now", "processors"]
    print_table(plain_table(heads, [_plan_row(found, plan) for plan in found.plans]))
    print(
        filled(
            f"values read at planned start + {found.problem.rule.duration}; plans are made anew"
            " from this moment, without what the run's scheduler remembered"
        )
    )


def document(found: ExplainedDecision) -> dict[str, object]:
    """Return the same for machines."""
    snapshot, own = found.problem.snapshot, found.plans[0]
    return {
        "at": snapshot.now,
        "scheduler": own.label,
        "free": snapshot.free,
        "machine_size": snapshot.machine_size,
        "duration": found.problem.rule.duration,
        "jobs": [
            {
                "job_id": job.id,
                "started": bool(found.started[place]),
                "passed_over": bool(found.passed_over[place]),
                "processors": job.processors,
                "requested_time": job.request,
                "wait": snapshot.now - job.submit,
                "value_now": float(found.value_now[place]),
                "planned_start": float(own.start[place]),
            }
            for place, job in enumerate(snapshot.queued)
        ],
        "plans": {
            plan.label: {
                "utility": math.fsum(plan.value),
                "starts": snapshot.ids[plan.start <= snapshot.now].tolist(),
            }
            for plan in found.plans
        },
    }


def _row(found: ExplainedDecision, place: int) -> tuple[str, ...]:
    snapshot = found.problem.snapshot
    job, value = snapshot.queued[place], found.value_now[place]
    hours = job.processors * job.request / 3600.0
    return (
        str(job.id),
        f"{job.processors:,}",
        span(job.request),
        span(snapshot.now - job.submit),
        f"{value:,.2f}",
        f"{value / hours:,.3g}" if hours else "",
        _starts(found, place),
    )


def _starts(found: ExplainedDecision, place: int) -> str:
    """Say when the run's scheduler starts a job."""
    ahead = float(found.plans[0].start[place]) - found.problem.snapshot.now
    if found.started[place]:
        return "now"
    planned = f"in {span(ahead)}" if ahead > 0 else "now, by a new plan"
    return f"{planned}, passed over" if found.passed_over[place] else planned


def _plan_row(found: ExplainedDecision, plan: PlannedStarts) -> tuple[str, ...]:
    now = plan.start <= found.problem.snapshot.now
    worth, own = math.fsum(plan.value), math.fsum(found.plans[0].value)
    return (
        plan.label,
        f"{worth:,.2f}",
        f"{worth / own:.4f}" if own else "",
        f"{now.sum():,}",
        f"{int(np.sum(found.problem.size[now])):,}",
    )
