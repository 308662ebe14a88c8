"""Schedules of one workload under many numbers of an ordering."""

import numpy as np
from numba import njit

from utilitysched.kernels.policy import Policy
from utilitysched.kernels.progress import ALL_PASSES, FREE, Progress
from utilitysched.kernels.replay import advance
from utilitysched.kernels.trials import costs
from utilitysched.model.forecast import Forecast, RuntimeHistory
from utilitysched.model.scheduling_pass import Plan
from utilitysched.model.state import Floats, JobTable


@njit(cache=True)
def mean_costs(
    run: Floats,
    known: JobTable,
    forecast: Forecast,
    history: RuntimeHistory,
    policy: Policy,
    plan: Plan,
    progress: Progress,
    candidates: Floats,
    aim: int,
) -> Floats:
    """Return the mean cost of a job under each candidate, from an empty machine, (k,).

    Nothing is forgotten between candidates but `progress`: for several of them, the policy must
    neither learn nor keep reservations.

    Parameters
    ----------
    run : (n,) float64
        Actual run times (s), at most the requests.
    policy : Policy
        Its queue order takes the numbers of each candidate; no score is fixed.
    progress : Progress
        Blank.
    candidates : (k, p) float64
        Numbers of the ordering.
    aim : int
        What a job costs: one of `utilitysched.kernels.trials.AIMS`.
    """
    jobs = np.arange(len(run))
    found = np.empty(len(candidates))
    for k in range(len(candidates)):
        policy.primary.parameters[:] = candidates[k]
        progress.counts[:] = 0
        progress.counts[FREE] = known.machine_size
        progress.wake_up[0] = np.inf
        # numba would compile the loop anew for a literal number
        passes = int(ALL_PASSES)
        advance(run, known, forecast, history, policy, plan, progress, passes, np.inf)
        found[k] = costs(known, jobs, progress.start - known.submit, run, aim).mean()
    return found
