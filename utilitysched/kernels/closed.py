"""Queues that are all there is: nobody comes any more, as to a campaign or a benchmark load."""

import numpy as np

from utilitysched.kernels.compiling import leaf_kernel
from utilitysched.model.state import Floats, Integers

WINDOW = 86400.0
"""Time that is looked back for arrivals (s)."""

SHARE = 0.02
"""Submissions in that time per queued job, up to which a queue counts as closed."""


@leaf_kernel
def is_closed(now: float, queue: Integers, submit: Floats) -> bool:
    """Return whether almost nobody arrives any more: in a day at most 2% as many as are queued.

    Jobs submitted at the same instant count once, as an array of jobs or a script that submits a
    campaign says nothing of who comes next. The first submission of the log does not count: what
    was there at the beginning did not arrive.

    Parameters
    ----------
    now : float
        Time of the decision (s).
    queue : (k,) int64
        Queued jobs, by index in arrival order.
    submit : (n,) float64
        Submit times (s): those of all jobs so far ascend; rows behind may hold anything.
    """
    # the last job that has come
    last = 0
    for job in queue:
        last = max(last, job)
    while last + 1 < len(submit) and submit[last] <= submit[last + 1] <= now:
        last += 1
    # submissions before it
    allowed = SHARE * len(queue)
    arrivals, later = 0, np.inf
    for i in range(last, -1, -1):
        if submit[i] <= now - WINDOW or submit[i] <= submit[0]:
            break
        arrivals += submit[i] != later
        if arrivals > allowed:
            return False
        later = submit[i]
    return True
