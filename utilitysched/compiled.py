"""Running a list scheduler in the compiled event loop."""

from collections.abc import Callable

import numpy as np

from utilitysched.arrivals import Arrivals
from utilitysched.forecast import Recollection
from utilitysched.kernels.history import fill
from utilitysched.kernels.replay import Progress, advance
from utilitysched.list_scheduler import ListScheduler
from utilitysched.outcome import Outcome

PASSES_PER_REPORT = 20_000


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
    known = arrivals.known
    jobs = len(arrivals.run)
    forecast = scheduler.rule.blank(jobs)
    learnt = Recollection.blank(int(known.user.max(initial=0)) + 1)
    policy = scheduler.policy(known, once=True)
    progress = Progress.blank(jobs, known.machine_size)
    if not policy.learns:
        fill(np.arange(jobs), known, learnt, scheduler.rule.codes, forecast)
    while not advance(arrivals.run, known, forecast, learnt, policy, progress, PASSES_PER_REPORT):
        if on_progress:
            on_progress(progress.arrived[0] / jobs)
    return Outcome(progress.start, progress.end, progress.backfilled, int(progress.passes[0]))
