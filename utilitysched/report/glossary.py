"""Terms of art that pages link to their meaning."""

TERMS = {
    "utility": "what a job is worth to its user, by when it ends, in service units (SU)",
    "start value": "what a job would be worth if it ended the moment it was submitted",
    "aggregate utility": "the sum of the utility of all jobs",
    "ceiling": "a value that no schedule can exceed in which each job runs in one piece",
    "gap": "what the ceiling is above the utility that EASY earns: a scheduler that closes all of "
    "it has a share of 100%",
    "effective number of jobs that lose utility": "the number of jobs with equal losses that would "
    "be as concentrated as the losses are: the squared sum of what jobs lost by waiting, over the "
    "sum of its squares. Where ten such losers hold most of the losses, the workload decides "
    "nothing by itself",
    "wait": "from the submission of a job until it first started",
    "turnaround": "from the submission of a job until it ended",
    "bounded slowdown": "turnaround over run time, at least 1; run times below 10 s count as 10 s, "
    "so that short jobs do not outweigh all others",
    "expansion factor": "time in the queue and requested time together, over the requested time",
    "starved": "waited longer than the scheduler's threshold or, if it has none, than three times "
    "the longest request",
    "backfilled": "started while a job that was ahead of it in the queue stayed blocked",
    "run at once": "started the instant they were submitted",
    "utilisation": "processor-seconds used, over all that there were in the time that is named",
    "makespan": "from the first submission to the last end",
    "preempted": "stopped while it ran, for another job, to go on later",
    "work lost": "what jobs that were stopped have to do again",
    "restart overhead": "time that jobs need to go on after they were stopped",
    "Jain's index": "1 if all users fared alike, 1/n if one of n has everything: the squared sum "
    "over n times the sum of squares",
    "Gini coefficient": "0 if all users fared alike, near 1 if one has everything",
    "Lorenz curve": "which share of the whole the users with least have together",
    "service units": "SU, in which values and charges are counted",
}
"""Meanings by term."""


def place(term: str) -> str:
    """Name of the element of a page that explains a term.

    Examples
    --------
    >>> place("Jain's index")
    'term-jains-index'
    """
    return f"term-{term.lower().replace(' ', '-').replace(chr(39), '')}"
