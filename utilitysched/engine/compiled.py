"""Running a list scheduler in the compiled event loop."""

import math
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from utilitysched.engine.conditions import Failures, StopTerms
from utilitysched.engine.event_sources import Incidents
from utilitysched.kernels.progress import ALL_PASSES, ARRIVED, PASSES, QUEUED, Progress
from utilitysched.kernels.replay import advance
from utilitysched.kernels.replay_easy import advance_easy
from utilitysched.kernels.restarts import TakingBack
from utilitysched.model.arrivals import Arrivals
from utilitysched.model.restarts import RestartTerms
from utilitysched.model.schedule import SimulationOutcome
from utilitysched.model.state import Floats, Integers
from utilitysched.schedulers.list_scheduler import ListScheduler
from utilitysched.schedulers.loop_parts import LoopParts
from utilitysched.schedulers.selection.scheduler import PastJobs, SelectionScheduler

if TYPE_CHECKING:
    from swfx.dependencies import Dependencies

PASSES_PER_REPORT = 20_000

Advance = Callable[[Progress, int], bool]


def run_compiled(  # noqa: PLR0913 - one keyword per source
    arrivals: Arrivals,
    scheduler: ListScheduler,
    on_progress: Callable[[float], None] | None,
    *,
    dependencies: "Dependencies | None" = None,
    terms: StopTerms | None = None,
    failures: Failures | None = None,
    restarts: RestartTerms | None = None,
) -> SimulationOutcome:
    """Simulate all jobs, as `utilitysched.engine.simulation.Simulation` does.

    Parameters
    ----------
    arrivals : Arrivals
        The jobs.
    scheduler : ListScheduler
        Ordering and placement, prepared.
    on_progress : callable, optional
        Called now and then with the share of jobs submitted so far.
    dependencies : Dependencies, optional
        Which jobs are submitted only once others have ended.
    terms : StopTerms, optional
        What stopping means for each job; without them, none can be stopped.
    failures : Failures, optional
        What fails; needs terms.
    restarts : RestartTerms, optional
        On what terms processors are taken back; needs terms of stops.

    Raises
    ------
    InputError
        A job fails again and again, or never finds its processors, longer than it is worth to wait.
    """
    # the loop with just the sources that there are
    jobs = len(arrivals.run)
    progress = Progress.blank(jobs, arrivals.known.machine_size, outages=failures is not None)
    incidents = None
    if dependencies is not None or terms is not None:
        incidents = Incidents(arrivals, dependencies, terms, failures)
        step = _loop_with(incidents, arrivals, scheduler, incidents.taking_back(restarts))
    else:
        step = (_easy_loop if scheduler.is_plain_easy else _general_loop)(arrivals, scheduler)
    # it comes back now and then, to report and for room
    while not step(progress, PASSES_PER_REPORT):
        if on_progress:
            on_progress(progress.counts[ARRIVED] / jobs)
    passes = int(progress.counts[PASSES])
    if incidents is not None:
        return incidents.outcome(progress)
    return SimulationOutcome(progress.start, progress.end, progress.backfilled, passes)


def run_in_turns(
    arrivals: Arrivals,
    scheduler: SelectionScheduler,
    on_progress: Callable[[float], None] | None,
) -> SimulationOutcome:
    """Simulate all jobs by list schedulers that take turns, none of which keeps reservations.

    Parameters
    ----------
    arrivals, on_progress
        See `run_compiled`.
    scheduler : SelectionScheduler
        Says whose turn it is, prepared.
    """
    jobs, known = len(arrivals.run), arrivals.known
    members = [LoopParts.of(arrivals, member.compiled) for member in scheduler.members]
    progress = Progress.blank(jobs, known.machine_size)
    past = PastJobs(progress.start, progress.end, arrivals.run)
    until, done = known.submit[0] if jobs else math.inf, not jobs
    while not done:
        # nothing is left to decide once all have started
        if progress.counts[ARRIVED] < jobs or progress.counts[QUEUED] > 0:
            member, until = scheduler.turn(until, known, past)
        else:
            until = math.inf
        done = members[member].advance(arrivals, progress, ALL_PASSES, until)
        if on_progress:
            on_progress(progress.counts[ARRIVED] / jobs)
    passes = int(progress.counts[PASSES])
    return SimulationOutcome(progress.start, progress.end, progress.backfilled, passes)


def _general_loop(arrivals: Arrivals, scheduler: ListScheduler) -> Advance:
    parts = LoopParts.of(arrivals, scheduler)
    return lambda progress, passes: parts.advance(arrivals, progress, passes)


def _loop_with(
    incidents: Incidents,
    arrivals: Arrivals,
    scheduler: ListScheduler,
    restarts: TakingBack | None,
) -> Advance:
    run, known = arrivals.run, incidents.known
    parts = LoopParts.of(arrivals, scheduler, changing=known)

    def step(progress: Progress, passes: int) -> bool:
        most = progress.counts[PASSES] + passes
        until, sources = incidents.until, incidents.sources
        done = bool(advance(run, known, *parts, progress, passes, until, sources, restarts))
        if not done and progress.counts[PASSES] < most:
            incidents.provide(progress)
        return done

    return step


def _easy_loop(arrivals: Arrivals, scheduler: ListScheduler) -> Advance:
    score = scheduler.order.fixed_scores(arrivals.known)
    return partial(advance_easy, arrivals.run, arrivals.known, ranks(score))


def ranks(score: Floats) -> Integers:
    """Return the place of each job in the queue order: the lowest score first, ties by index."""
    rank = np.arange(len(score))
    if not (score[1:] >= score[:-1]).all():
        rank[np.argsort(score, kind="stable")] = rank.copy()
    return rank
