"""Running a list scheduler in the compiled event loop."""

import math
from collections.abc import Callable
from functools import partial

import numpy as np

from utilitysched.arrivals import Arrivals
from utilitysched.forecast import Recollection
from utilitysched.kernels.history import fill
from utilitysched.kernels.progress import ARRIVED, PASSES, Progress
from utilitysched.kernels.replay import advance
from utilitysched.kernels.replay_easy import advance_easy
from utilitysched.list_scheduler import ListScheduler
from utilitysched.outcome import Outcome
from utilitysched.state import Floats, Integers

PASSES_PER_REPORT = 20_000

Advance = Callable[[Progress, int], bool]


def run_compiled(
    arrivals: Arrivals, scheduler: ListScheduler, on_progress: Callable[[float], None] | None
) -> Outcome:
    """Simulate all jobs.

    Parameters
    ----------
    arrivals : Arrivals
        The jobs.
    scheduler : ListScheduler
        Ordering and placement, prepared.
    on_progress : callable, optional
        Called now and then with the share of jobs submitted so far.
    """
    jobs = len(arrivals.run)
    progress = Progress.blank(jobs, arrivals.known.machine_size)
    loop = _easy_loop if scheduler.is_plain_easy else _general_loop
    step = loop(arrivals, scheduler)
    while not step(progress, PASSES_PER_REPORT):
        if on_progress:
            on_progress(progress.counts[ARRIVED] / jobs)
    passes = int(progress.counts[PASSES])
    return Outcome(progress.start, progress.end, progress.backfilled, passes)


def _general_loop(arrivals: Arrivals, scheduler: ListScheduler) -> Advance:
    known = arrivals.known
    forecast = scheduler.rule.blank(len(arrivals.run))
    learnt = Recollection.blank(int(known.user.max(initial=0)) + 1)
    policy = scheduler.policy(known, once=True)
    if not policy.learns:
        fill(np.arange(len(arrivals.run)), known, learnt, scheduler.rule.codes, forecast)
    plan = scheduler.placement.blank_plan(len(arrivals.run), known.machine_size)
    loop = partial(advance, arrivals.run, known, forecast, learnt, policy, plan)
    return lambda progress, passes: bool(loop(progress, passes, math.inf))


def _easy_loop(arrivals: Arrivals, scheduler: ListScheduler) -> Advance:
    score = scheduler.order.fixed_scores(arrivals.known)
    return partial(advance_easy, arrivals.run, arrivals.known, _ranks(score))


def _ranks(score: Floats) -> Integers:
    """Return the place of each job in the queue order: the lowest score first, ties by index."""
    rank = np.arange(len(score))
    if not (score[1:] >= score[:-1]).all():
        rank[np.argsort(score, kind="stable")] = rank.copy()
    return rank
