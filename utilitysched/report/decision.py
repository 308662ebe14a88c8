"""Decisions of runs beside what others would have planned, and best schedules of queues."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from swfx.base.numbers import fixed, plural, span
from utilitysched.analysis.documents import ResultTable, plain_table
from utilitysched.exact import StaticCharges, StaticProblem
from utilitysched.exact.comparison import Compared
from utilitysched.exact.decision import ExplainedDecision, PlannedStarts
from utilitysched.exact.search import ExplainedSearch
from utilitysched.kernels.evolution import RECORD
from utilitysched.model.state import Floats
from utilitysched.report.terminal import filled, print_table

SHOWN = 20
"""Jobs that have a line of their own."""

NAMED = 8
"""Jobs of a sentence that are named."""


def print_decision(decision: ExplainedDecision) -> None:
    """Print who was queued at a moment, and what each plan was worth."""
    snapshot, own = decision.problem.snapshot, decision.plans[0]
    print(
        filled(
            f"{own.label} at {snapshot.now:,.12g} s:"
            f" {plural(len(snapshot.queued), 'queued job')},"
            f" {snapshot.free:,} of {snapshot.machine_size:,} processors free."
            f" Jobs started: {decision.started.sum():,}. Jobs that would have fitted into idle"
            f" processors, but were passed over: {decision.passed_over.sum():,}."
        )
    )
    print()
    heads = ["job", "processors", "requests", "waits", "SU now", "SU per proc-h", "starts"]
    rows = [_row(decision, place) for place in decision.order[:SHOWN].tolist()]
    print_table(plain_table(heads, rows))
    if len(snapshot.queued) > SHOWN:
        print(f"and {plural(len(snapshot.queued) - SHOWN, 'other job')}, planned later")
    print()
    heads = ["plan", "SU", "to the run's", "starts now", "processors"]
    print_table(plain_table(heads, [_plan_row(decision, plan) for plan in decision.plans]))
    print(
        filled(
            "Values, in service units (SU), are read at the planned start"
            f"{_later(decision.problem.rule.duration)}. Plans are made anew from this moment,"
            " without the memory of the run's scheduler."
        )
    )
    if decision.search:
        _print_search(decision, decision.search)


def _print_search(decision: ExplainedDecision, search: ExplainedSearch) -> None:
    """Print the genetic search of a plan: gain over the first order, fitness by generation."""
    print()
    names = {job.id: job.job_name for job in decision.problem.snapshot.queued}
    for sentence in sentences(search, names):
        print(filled(sentence))
    print()
    columns = list(map(RECORD.index, ("best", "median", "worst", "plans")))
    rows = [
        (str(generation), *_generation(search.trace[generation, columns].tolist()))
        for generation in some_generations(search.generations)
    ]
    heads = ["generation", "best (SU)", "median (SU)", "worst (SU)", "different plans"]
    print_table(plain_table(heads, rows))
    queued = len(decision.problem.snapshot.queued)
    print(
        filled(
            f"Fitness: what the plan of the {plural(search.jobs, 'job')} put in order is worth, of"
            f" {queued:,} queued, less the pull of the prior."
        )
    )


def some_generations(last: int) -> list[int]:
    """Return generations from 0 to the last one, ever further apart.

    Examples
    --------
    >>> some_generations(30), some_generations(2)
    ([0, 1, 2, 5, 10, 20, 30], [0, 1, 2])
    """
    generations, power = [0], 1
    while power < last:
        generations += [step * power for step in (1, 2, 5) if step * power < last]
        power *= 10
    return generations + [last] * (last > 0)


def sentences(search: ExplainedSearch, names: Mapping[int, str]) -> tuple[str, str]:
    """Return what the best plan does otherwise than the first order, and where it comes from.

    Parameters
    ----------
    search : ExplainedSearch
        The search.
    names : mapping of int to str
        Names of the queued jobs by number.
    """
    return _otherwise(search, names), _descent(search)


def _otherwise(search: ExplainedSearch, names: Mapping[int, str]) -> str:
    """Return the sentence on the plan's gain over the first order, and on other starts."""
    order = f"the order by {search.first}"
    starts, leaves = (
        _named([names[number] for number in numbers.tolist()])
        for numbers in (search.starts, search.leaves)
    )
    if not search.gained:
        return f"The search found nothing worth more than {order}."
    sentence = "It starts the same jobs now."
    if starts and leaves:
        sentence = (
            f"It starts {starts}, which that order would not, and not {leaves}, which it would."
        )
    elif starts:
        sentence = f"It starts {starts}, which that order would not."
    elif leaves:
        sentence = f"It does not start {leaves}, which that order would."
    pull = f", of which the prior takes {search.pull:,.2f} SU" if search.pull else ""
    gained = f"{search.gained:,.2f} SU more than {order}"
    return f"The best plan is worth {gained}, as the search reads values{pull}. {sentence}"


def _descent(search: ExplainedSearch) -> str:
    """Say where the best plan comes from."""
    ancestors = ", ".join(search.ancestors[:-1])
    ancestors += f"{' and ' if ancestors else ''}{search.ancestors[-1]}"
    return (
        f"It descends from {ancestors}, and appeared in generation {search.born}"
        f" of {search.generations}."
    )


def _named(jobs: Sequence[str]) -> str:
    """Return jobs by name, the first few of many; empty for none."""
    if not jobs:
        return ""
    names = [*jobs[:NAMED]]
    more = len(jobs) - len(names)
    if more:
        names.append(f"{more:,} more")
    listed = f"{', '.join(names[:-1])}{' and ' if len(names) > 1 else ''}{names[-1]}"
    return f"{'job' if len(jobs) == 1 else 'jobs'} {listed}"


def _generation(row: list[float]) -> tuple[str, ...]:
    *fitness, plans = row
    return *(fixed(value) for value in fitness), f"{plans:,.0f}"


def _later(duration: str) -> str:
    return "" if duration == "zero" else f" plus the run time ({duration})"


def document(decision: ExplainedDecision) -> dict[str, object]:
    """Return the same for machines."""
    snapshot, own = decision.problem.snapshot, decision.plans[0]
    return {
        "at": snapshot.now,
        "scheduler": own.label,
        "free": snapshot.free,
        "machine_size": snapshot.machine_size,
        "duration": decision.problem.rule.duration,
        "jobs": [
            {
                "job_id": job.id,
                **({"job": job.name} if job.name else {}),
                "started": bool(decision.started[place]),
                "passed_over": bool(decision.passed_over[place]),
                "processors": job.processors,
                "requested_time": job.request,
                "wait": snapshot.now - job.submit,
                "value_now": float(decision.value_now[place]),
                "planned_start": float(own.start[place]),
            }
            for place, job in enumerate(snapshot.queued)
        ],
        "plans": {
            plan.label: {
                "utility": math.fsum(plan.value),
                "starts": snapshot.ids[plan.start <= snapshot.now].tolist(),
            }
            for plan in decision.plans
        },
        "search": search_document(decision.search) if decision.search else None,
    }


def search_document(search: ExplainedSearch) -> dict[str, object]:
    """Return a search for machines."""
    return {
        "jobs": search.jobs,
        "generations": [dict(zip(RECORD, row, strict=True)) for row in search.trace.tolist()],
        "first": search.first,
        "ancestors": list(search.ancestors),
        "born": search.born,
        "starts": search.starts.tolist(),
        "leaves": search.leaves.tolist(),
        "gained": search.gained,
        "pull": search.pull,
    }


def _row(decision: ExplainedDecision, place: int) -> tuple[str, ...]:
    snapshot = decision.problem.snapshot
    job, value = snapshot.queued[place], decision.value_now[place]
    hours = job.processors * job.request / 3600.0
    return (
        job.job_name,
        f"{job.processors:,}",
        span(job.request),
        span(snapshot.now - job.submit),
        fixed(value),
        fixed(value / hours) if hours else "",
        _starts(decision, place),
    )


def _starts(decision: ExplainedDecision, place: int) -> str:
    """Say when the run's scheduler starts a job."""
    ahead = float(decision.plans[0].start[place]) - decision.problem.snapshot.now
    if decision.started[place]:
        return "now"
    planned = f"in {span(ahead)}" if ahead > 0 else "now, by a new plan"
    return f"{planned}, passed over" if decision.passed_over[place] else planned


def _plan_row(decision: ExplainedDecision, plan: PlannedStarts) -> tuple[str, ...]:
    worth, own = math.fsum(plan.value), math.fsum(decision.plans[0].value)
    return (
        plan.label,
        fixed(worth),
        fixed(worth / own) if own else "",
        *_starting(decision, plan.start),
    )


def _starting(decision: ExplainedDecision, start: Floats) -> tuple[str, str]:
    """Return how many jobs a plan starts now, and on how many processors."""
    now = start <= decision.problem.snapshot.now
    return f"{now.sum():,}", f"{int(np.sum(decision.problem.size[now])):,}"


def print_bound(problem: StaticProblem, compared: Compared) -> None:
    """Print what the best schedule is worth, and what the plans are."""
    snapshot, best = problem.snapshot, compared.best
    proof = "best of all schedules" if best.proven else "best schedule found"
    first, plan = next(iter(compared.plans.items()), (proof, best.total))
    share = f"; {first}'s plan {plan / best.total:.1%} of that" if best.total else ""
    print(filled(f"The {proof} is worth {fixed(best.total)} SU{share}."))
    print(
        filled(
            f"{plural(len(snapshot.queued), 'queued job')},"
            f" {snapshot.free:,} of {snapshot.machine_size:,} processors free at"
            f" {snapshot.now:,.12g} s; values, in service units (SU), are read"
            f" at start + {problem.rule.duration}"
        )
    )
    print()
    totals = {proof: best.total}
    if compared.orders is not None:
        totals["best of all orders"] = compared.orders
    rows = []
    for name, worth in (totals | compared.plans).items():
        share = f"{worth / best.bound:.2%}" if best.bound else ""
        short = 0.0 if best.proven and name == proof else max(0.0, best.bound - worth)
        rows.append((name, fixed(worth), share, fixed(short)))
    if not best.proven:
        rows.append(("upper bound", fixed(best.bound), "", ""))
    print_table(plain_table(["schedule", "SU", "of the bound", "below it by"], rows))
    if best.timed_out:
        print(filled("The time limit ended the search: a longer one may find a better schedule."))


def print_charges(charged: StaticCharges, problem: StaticProblem) -> None:
    """Print what each queued job of a problem pays by VCG."""
    names = {job.id: job.job_name for job in problem.snapshot.queued}
    rows = [
        (names[job], f"{start:,.12g}", fixed(value), fixed(charge))
        for job, start, value, charge in zip(*(each.tolist() for each in charged), strict=True)
    ]
    columns = [
        replace(column, group="Exact charges by VCG")
        for column in plain_table(["job", "start (s)", "worth (SU)", "charge (SU)"], []).columns
    ]
    print()
    print_table(ResultTable(columns, rows, broken=False))


def bound_document(
    problem: StaticProblem, compared: Compared, charged: StaticCharges | None
) -> dict[str, object]:
    """Return the same for machines."""
    best = compared.best
    answer: dict[str, object] = {
        "queued": len(problem.snapshot.queued),
        "duration": problem.rule.duration,
        "optimum": best.total,
        "bound": best.bound,
        "gap": best.gap,
        "proven": best.proven,
        "timed_out": best.timed_out,
        "starts": dict(zip(problem.snapshot.ids.tolist(), best.start.tolist(), strict=True)),
        "best_order": compared.orders,
        "plans": {
            label: {"utility": worth, "gap": max(0.0, best.bound - worth)}
            for label, worth in compared.plans.items()
        },
    }
    if charged is not None:
        answer["charges"] = [
            dict(zip(("job_id", "start", "utility", "charge"), row, strict=True))
            for row in zip(*(column.tolist() for column in charged), strict=True)
        ]
    return answer
