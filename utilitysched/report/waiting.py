"""Sentences and tables of what jobs waited for on a machine file's pools."""

from collections.abc import Mapping
from typing import Any

from swfx import InputError
from swfx.base.numbers import percent, plural, span
from swfx.clock import clock_of
from utilitysched.analysis.documents import Column, ResultTable, plain_table
from utilitysched.report.terminal import filled, print_table
from utilitysched.runs.waiting import (
    LIMIT,
    RESOURCE,
    WINDOW,
    Holder,
    PassResult,
    WaitingRun,
    WaitReason,
    queued_job,
)

SHOWN = 20
"""Jobs that have a line of their own."""

NAMED = 3
"""Holders that are named."""


def print_life(waiting: WaitingRun, job: str) -> None:
    """Print for how long a job, given by number or name, waited for what."""
    hours = waiting.hours(waiting.workload.job_names.position(job))
    print(filled(life(job, hours)))
    if not hours:
        return
    total = sum(hours.values())
    print()
    rows = [(_what(*key), span(3600 * each), percent(each / total)) for key, each in hours.items()]
    print_table(plain_table(["waited for", "how long", "% of the wait"], rows))


def life(job: str, hours: Mapping[tuple[str, str, str], float]) -> str:
    """Return the sentence on a job's waits by cause.

    Examples
    --------
    >>> life("7", {("limit", "user ann", "jobs"): 20.5, ("turn", "cpu", ""): 2.0})
    'Job 7 waited 22 h 30 min: 2 h for room and 20 h 30 min for limits.'
    """
    total = sum(hours.values())
    if not total:
        return f"Job {job} did not wait."
    sums = causes(hours)
    parts = [f"{span(3600 * each)} for {name}" for name, each in sums.items() if each]
    listed = f"{', '.join(parts[:-1])}{' and ' if len(parts) > 1 else ''}{parts[-1]}"
    return f"Job {job} waited {span(3600 * total)}: {listed}."


def causes(hours: Mapping[tuple[str, str, str], float]) -> dict[str, float]:
    """Return hours waited for room, limits and windows."""
    sums = dict.fromkeys(("room", "limits", "windows"), 0.0)
    for (kind, _, _), each in hours.items():
        sums[{LIMIT: "limits", WINDOW: "windows"}.get(kind, "room")] += each
    return sums


def print_queue(result: PassResult) -> None:
    """Print what each job waits for that a pass left in the queue."""
    jobs = _queue(result)
    workload, now = result.on.workload, result.now
    print(filled(f"{plural(len(jobs), 'job')} still queued after the pass at {now:,.12g} s."))
    print()
    rows = [
        (
            workload.job_name(job),
            result.on.machine.pools[result.on.table.pools.pool[job]].name,
            span(now - workload.submit[job]),
            short(result.reason(job)),
        )
        for job in jobs[:SHOWN]
    ]
    columns = [
        Column("job", left=True),
        Column("pool", left=True),
        Column("waited"),
        Column("waits for", left=True, fold=True),
    ]
    print_table(ResultTable(columns, rows, broken=False))
    if len(jobs) > SHOWN:
        print(f"and {plural(len(jobs) - SHOWN, 'other job')}, submitted later")


def print_reason(result: PassResult, job: str) -> None:
    """Print why a job, given by number or name, did not start at a pass."""
    print(filled(sentence(result, queued_job(result, job))))


def sentence(result: PassResult, job: int) -> str:
    """Return why a queued job, given by its position, did not start: the verdict first."""
    reason, name = result.reason(job), f"Job {result.on.workload.job_name(job)}"
    if reason.kind == LIMIT:
        return f"{name} waits for a limit: {_limited(reason)}."
    if reason.kind == WINDOW:
        return f"{name} waits for window {reason.name}: {_taken(result, job, reason)}."
    if reason.kind == RESOURCE:
        free = f"{reason.most - reason.used:,} of {reason.most:,} free"
        return (
            f"{name} waits for {reason.resource} in pool {reason.name}: it needs"
            f" {reason.needed:,}, with {free} and the rest in use by {_named(reason.holders)}."
        )
    return (
        f"{name} waits for its turn in pool {reason.name}: what it needs is free, but"
        f" {_turn(result, job)}."
    )


def _turn(result: PassResult, job: int) -> str:
    """Return why a job does not start although all its amounts are free."""
    ahead = result.ahead(job)
    if ahead is None:
        return "its scheduler keeps it for later"
    first = f"job {result.on.workload.job_name(ahead)}"
    options = result.on.run.record["simulation"].get("options", {})
    lacks = f"waits ahead of it ({short(result.reason(ahead))})"
    if options.get("placement") == "none":
        return f"{first} {lacks}, and no job overtakes another"
    return f"{first} {lacks}, and could be delayed if it started"


def short(reason: WaitReason) -> str:
    """Return what a job waits for in a few words."""
    if reason.kind == LIMIT:
        what = _counted(reason.resource)
        return f"limit of {reason.name}: {reason.used:,} of {reason.most:,} {what}"
    if reason.kind == RESOURCE:
        free = reason.most - reason.used
        return f"{reason.resource}: needs {reason.needed:,}, {free:,} of {reason.most:,} free"
    return _what(*reason.key)


def _what(kind: str, name: str, resource: str) -> str:
    """Return what jobs wait for, whatever the amounts."""
    if kind == LIMIT:
        return f"limit of {name} on {_counted(resource)}"
    if kind == WINDOW:
        return f"window {name}"
    return f"{resource} of pool {name}" if kind == RESOURCE else f"its turn in pool {name}"


def _counted(resource: str) -> str:
    words = {"jobs": "running jobs", "submitted": "jobs queued or running"}
    return words.get(resource, resource)


def _limited(reason: WaitReason) -> str:
    counted = {
        "jobs": plural(reason.most, "running job"),
        "submitted": f"{plural(reason.most, 'job')} queued or running",
    }
    most = counted.get(reason.resource, f"{reason.most:,} {reason.resource}")
    may = f"{reason.name} may have {most} at a time"
    if reason.resource in counted:
        return f"{may}, and has {reason.used:,}: {_named(reason.holders)}"
    by = f" by {_named(reason.holders)}" if reason.holders else ""
    return f"{may}, and it needs {reason.needed:,}, with {reason.used:,} in use{by}"


def _named(holders: tuple[Holder, ...]) -> str:
    """Return who has what is in use, the first few of many."""
    named = [f"{each.name} ({each.amount:,})" for each in holders[:NAMED]]
    if len(holders) > NAMED:
        rest = sum(each.amount for each in holders[NAMED:])
        named.append(f"{plural(len(holders) - NAMED, 'other')} ({rest:,})")
    return ", ".join(named)


def _taken(result: PassResult, job: int, reason: WaitReason) -> str:
    request = span(result.on.workload.request[job])
    clock = clock_of(result.on.workload.header)
    begin, end = (
        f"{each:,.12g} s" if clock is None else f"{clock.date(each):%Y-%m-%d %H:%M}"
        for each in (reason.begin, reason.end)
    )
    asks = f"asks for {reason.needed:,} for {request}"
    into = f" {asks}" if reason.begin <= result.now else f", which {asks}, would run into it"
    return f"from {begin} to {end} it takes {reason.most:,} {reason.resource}, and the job{into}"


def _queue(result: PassResult) -> list[int]:
    jobs: list[int] = result.queued.tolist()
    if not jobs:
        raise InputError(
            f"no job is queued after the pass at {result.now:.15g} s",
            field="at",
            remedy="give a time between submission_time and starting_time of a job in jobs.csv",
        )
    return jobs


def life_document(waiting: WaitingRun, job: str) -> dict[str, Any]:
    """Return a job's waits for machines."""
    place = waiting.workload.job_names.position(job)
    hours = waiting.hours(place)
    return {
        "job_id": int(waiting.workload.job_id[place]),
        "hours": causes(hours),
        "reasons": [
            {"kind": kind, "name": name, "resource": resource, "hours": each}
            for (kind, name, resource), each in hours.items()
        ],
    }


def queue_document(result: PassResult, job: str | None = None) -> dict[str, Any]:
    """Return what queued jobs wait for, or one of them, for machines."""
    jobs = _queue(result) if job is None else [queued_job(result, job)]
    return {
        "at": result.now,
        "jobs": [_job_document(result, place) for place in jobs],
    }


def _job_document(result: PassResult, job: int) -> dict[str, Any]:
    workload, reason = result.on.workload, result.reason(job)
    window = reason.kind == WINDOW
    return {
        "job_id": int(workload.job_id[job]),
        "wait": result.now - float(workload.submit[job]),
        **reason._asdict(),
        "holders": [holder._asdict() for holder in reason.holders],
        "begin": reason.begin if window else None,
        "end": reason.end if window else None,
    }
