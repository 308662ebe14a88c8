"""Plausibility of a schedule: it is held against its log before anything is charged for it.

A job that ran in one piece took its run time, cut at its request; a log's own schedule is the log's
to the second. Where jobs could be stopped, each segment is what the rules make of the one before
it. Nobody starts before submission, or before what the job depends on has ended, and no more
processors are in use than the machine has.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import numpy.typing as npt

from checkpoint import PreemptionRules, saved
from pricing.outcome import ONE_END
from swfx import FIELDS, InputError, Workload
from swfx.dependencies import dependencies
from swfx.fields import MISSING
from utilitysched.engine.conditions import StopTerms
from utilitysched.engine.recorded import occupation
from utilitysched.model.segments import Segments, Stop
from utilitysched.model.state import Floats, Integers
from utilitysched.runs.jobs_csv import SEGMENTS_FILE
from utilitysched.runs.stored import SIMULATE_AGAIN, StoredRun
from utilitysched.runs.target import JOBS_FILE, WORKLOAD_FILE
from utilitysched.schedulers.recorded import FAMILY as RECORDED

ROUNDINGS = 4
"""Times are sums of few others: by how many roundings of float64 they may be off."""


def require_plausible(run: StoredRun, directory: Path) -> None:
    """Refuse a run that its log and its rules cannot have led to.

    Parameters
    ----------
    run : StoredRun
        As it was read.
    directory : Path
        From where.

    Raises
    ------
    InputError
        Naming the first such job, and the line.
    """
    require_single(run.logged, str(directory.resolve().parent / WORKLOAD_FILE))
    for problem, wrong in _problems(run):
        if wrong.any():
            raise _refusal(run, int(wrong.argmax()), problem, directory / JOBS_FILE)
    if run.segments is not None:
        _require_segments(run, run.segments, directory / SEGMENTS_FILE)
    _require_room(run, directory)


def require_single(jobs: Workload, source: str) -> None:
    """Refuse a job that occurs twice: it would be charged twice.

    Parameters
    ----------
    jobs : Workload
        As the log has it.
    source : str
        Name of the log.

    Raises
    ------
    InputError
        Naming the job.
    """
    columns = [getattr(jobs, field.name) for field in FIELDS]
    order = np.lexsort(columns)
    same = np.ones(max(len(order) - 1, 0), np.bool_)
    for column in columns:
        same &= column[order[1:]] == column[order[:-1]]
    twice = order[1:][same & (jobs.job_id[order[1:]] > 0)]
    if len(twice):
        raise InputError(
            f"job {jobs.job_name(twice.min())} occurs twice, the same in every field, and would be"
            " charged twice",
            source=source,
            remedy="leave the copy out of the log, and simulate or bill that",
        )


def _require_room(run: StoredRun, directory: Path) -> None:
    """Refuse a simulated schedule with more processors in use than the machine has.

    A log's own schedule may have them: what happened is taken as it is. Where jobs share nodes,
    processors count more than once.
    """
    simulation = run.record["simulation"]
    if simulation["scheduler"] == RECORDED or run.shared:
        return
    pieces = run.segments
    if pieces is None:
        start, end, size = run.start, run.end, run.workload.size
    else:
        start, end, size = pieces.start, pieces.end, run.workload.size[pieces.job]
    machine_size = int(simulation["machine_size"])
    full = occupation(start, end, size, machine_size)
    if full.most > machine_size:
        raise InputError(
            f"has {full.most:,} processors in use at {full.since:,.0f} s, more than the"
            f" {machine_size:,} of the machine",
            source=str(directory / (JOBS_FILE if pieces is None else SEGMENTS_FILE)),
            remedy=SIMULATE_AGAIN,
        )


def _problems(run: StoredRun) -> Iterator[tuple[str, npt.NDArray[np.bool_]]]:
    jobs, start, end = run.workload, run.start, run.end
    runs = np.isfinite(start)
    yield "started, but did not end", runs != np.isfinite(end)
    yield "was submitted at another time", runs & ~_alike(jobs.submit, _submitted(run), end)
    is_recorded = run.record["simulation"]["scheduler"] == RECORDED
    if is_recorded:
        yield "did not start when the log says", ~_alike(start, jobs.submit + jobs.wait, end)
    yield "started before it was submitted", runs & (start < jobs.submit)
    if run.killed is not None:
        lasted = _last_stretch(run)
        yield "ran beyond its limit", runs & (lasted > jobs.request + ONE_END)
        yield "was not killed at its limit", run.killed & (lasted < jobs.request - ONE_END)
    if run.segments is None and not run.shared:
        lasts = jobs.run if is_recorded else jobs.effective_run
        yield "did not run for as long as the log says", runs & ~_alike(end, start + lasts, end)


def _last_stretch(run: StoredRun) -> Floats:
    """Return for how long each job ran since it last started (s): failures begin its time anew."""
    if run.segments is None:
        return run.end - run.start
    return run.segments.per_job(run.segments.kept, len(run.start))


def _alike(one: Floats, other: Floats, scale: Floats) -> npt.NDArray[np.bool_]:
    near: npt.NDArray[np.bool_] = np.abs(one - other) <= ROUNDINGS * np.spacing(np.abs(scale))
    return near


def _submitted(run: StoredRun) -> Floats:
    """Return when jobs came (s): at the earliest when the one that each waits for has ended."""
    jobs = run.logged
    if "dependencies" not in run.record["simulation"]:
        return jobs.submit
    links = dependencies(jobs)
    before = links.predecessor
    released = np.where(before == MISSING, -np.inf, run.end[before] + links.think_time)
    later: Floats = np.maximum(jobs.submit, released)
    return later


def _require_segments(run: StoredRun, segments: Segments, path: Path) -> None:
    """Hold each segment against the rules; the last of a job ends when the job does.

    On shared nodes how long a segment takes follows from its neighbours, and not from the log.
    """
    order = np.argsort(segments.job, kind="stable")
    if not run.shared:
        rules = PreemptionRules.from_text(str(run.record["simulation"]["preemption"]))
        terms = StopTerms.of(run.workload, np.arange(len(run.workload)), rules)
        for places in np.split(order, np.flatnonzero(np.diff(segments.job[order])) + 1):
            if len(places):
                _require_job(run, segments, terms, places, path)
    _require_causes(run, segments, path)
    first, last = np.full((2, len(run.workload)), np.nan)
    first[segments.job[order[::-1]]] = segments.start[order[::-1]]
    last[segments.job[order]] = segments.end[order]
    wrong = ~((first == run.start) & (last == run.end)) & np.isfinite(run.start)
    if wrong.any():
        job = int(wrong.argmax())
        raise _refusal(run, job, "has segments that begin or end at other times", path)


def _require_causes(run: StoredRun, segments: Segments, path: Path) -> None:
    """Refuse a preemption for the sake of a job that did not start then."""
    starts = set(zip(segments.job.tolist(), segments.start.tolist(), strict=True))
    for place in np.flatnonzero(segments.cause >= 0).tolist():
        if (segments.cause.item(place), segments.end.item(place)) not in starts:
            problem = "was preempted for a job that did not start then"
            raise _refusal(run, segments.job.item(place), problem, path, place)


def _require_job(
    run: StoredRun, segments: Segments, terms: StopTerms, places: Integers, path: Path
) -> None:
    job = segments.job.item(places[0])
    work, requested = run.workload.effective_run.item(job), run.workload.request.item(job)
    limit, overhead, free_at = requested, 0.0, run.workload.submit.item(job)
    for place in places.tolist():
        start, end = segments.start.item(place), segments.end.item(place)
        stop, is_last = segments.stop.item(place), place == places[-1]
        if start < free_at or (stop == Stop.COMPLETED) != is_last:
            raise _refusal(run, job, "has segments in an order that cannot be", path, place)
        if is_last:
            needs = overhead + work
            lasts = min(needs, limit) if terms.kills else needs
            kept = min(work, lasts - min(overhead, lasts))
            lost = 0.0
        else:
            lasts = end - start
            done = lasts - min(overhead, lasts)
            interval = (terms.interval if stop == Stop.PREEMPTED else terms.periodic).item(job)
            kept = min(saved(done, interval), work)
            lost = done - kept
        recorded = np.array(
            [end, *(c.item(place) for c in (segments.overhead, segments.kept, segments.lost))]
        )
        follows = np.array([start + lasts, min(overhead, lasts), kept, lost])
        if not _alike(recorded, follows, np.full(4, end)).all():
            raise _refusal(run, job, "has a segment that does not follow from its log", path, place)
        work, requested, free_at = work - kept, requested - kept, end
        limit, overhead = (
            requested + terms.overhead.item(job),
            terms.actual * terms.overhead.item(job),
        )


def _refusal(
    run: StoredRun, job: int, problem: str, path: Path, row: int | None = None
) -> InputError:
    return InputError(
        f"job {run.workload.job_name(job)} {problem}",
        source=str(path),
        line=(job if row is None else row) + 2,
        remedy=SIMULATE_AGAIN,
    )
