"""For whose sake jobs are bumped."""

from collections.abc import Mapping, Sequence

from utilitysched.engine.preemptive.log import NOBODY


def causes(
    bumped: Sequence[int], started: Sequence[int], size: Sequence[int], free: int
) -> Mapping[int, int]:
    """Return for whom each job was bumped: the first that is started on its processors.

    Started jobs take what was free before the bumps first. One for which this is not enough takes
    the processors of bumped jobs, too; what it leaves of them is for the next. Both come in the
    order of the decision. Who is not needed was bumped for nobody.

    Parameters
    ----------
    bumped, started : sequence of int
        Jobs of one decision.
    size : sequence of int
        Processors of every job.
    free : int
        Processors that were free before the bumps.

    Returns
    -------
    mapping of int to int
        A started job, or -1, for each bumped one.

    Examples
    --------
    >>> causes([3, 4, 5], [7, 8], [0, 0, 0, 2, 2, 9, 0, 1, 3], free=1)
    {3: 8, 4: 8, 5: -1}
    """
    cause = dict.fromkeys(bumped, NOBODY)
    waiting = iter(bumped)
    for job in started:
        while free < size[job]:
            victim = next(waiting)
            cause[victim] = job
            free += size[victim]
        free -= size[job]
    return cause
