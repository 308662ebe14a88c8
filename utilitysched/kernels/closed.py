"""Whether a queue is all there is: a drained queue, a campaign, a benchmark load."""

import numpy as np

from utilitysched.kernels.leaf import leaf
from utilitysched.model.state import Floats

WINDOW = 86400.0
"""Time that is looked back for arrivals (s)."""

SHARE = 0.02
"""Submissions in that time per queued job, up to which a queue counts as closed."""


@leaf
def is_closed(now: float, queued: int, submit: Floats) -> bool:
    """Return whether almost nobody arrives any more: in a day at most 2% as many as are queued.

    Jobs submitted at the same instant count once, as an array of jobs or a script that submits a
    campaign says nothing of who comes next. The first submission of the log does not count: what
    was there at the beginning did not arrive.

    Parameters
    ----------
    now : float
        Time of the decision (s).
    queued : int
        Jobs in the queue.
    submit : (n,) float64
        Submit times of all jobs so far, ascending (s); later ones are not looked at.
    """
    allowed = SHARE * queued
    arrivals, later = 0, np.inf
    for i in range(np.searchsorted(submit, now, side="right") - 1, -1, -1):
        if submit[i] <= now - WINDOW or submit[i] <= submit[0]:
            break
        arrivals += submit[i] != later
        if arrivals > allowed:
            return False
        later = submit[i]
    return True
