"""The rows of a snapshot."""

from typing import NamedTuple

from swfx import UtilityFunction

NORMAL = 3
"""Priority class of a job of which nothing else is known."""

UNKNOWN = -1
"""User, or queue, of a job of which nothing else is known."""


class RunningJob(NamedTuple):
    """A job that holds processors.

    Attributes
    ----------
    id : int
        What people call it.
    processors : int
        That it holds.
    expected_end : float
        Start + requested time on the log's clock (s).
    user : int
        Whose it is, `UNKNOWN` if nobody knows.
    start : float or None
        When it started (s); None if nobody knows.
    """

    id: int
    processors: int
    expected_end: float
    user: int = UNKNOWN
    start: float | None = None


class QueuedJob(NamedTuple):
    """A job that waits.

    Attributes
    ----------
    id : int
        What people call it.
    submit : float
        When it was submitted, on the log's clock (s).
    processors : int
        That it needs.
    request : float
        Requested time (s), its limit.
    utility : UtilityFunction or None
        SU by turnaround time (s); None is worth nothing.
    user : int
        Whose it is, `UNKNOWN` if nobody knows.
    priority : int
        Priority class, 0 the most urgent.
    queue : int
        Number of the queue, -1 if nobody knows; prices may depend on it.
    """

    id: int
    submit: float
    processors: int
    request: float
    utility: UtilityFunction | None = None
    user: int = UNKNOWN
    priority: int = NORMAL
    queue: int = UNKNOWN


class FinishedJob(NamedTuple):
    """A job that ended before, from which run times can be forecast.

    Attributes
    ----------
    user : int
        Whose it was.
    request : float
        Requested time (s).
    run : float
        Run time (s), at most the request.
    """

    user: int
    request: float
    run: float
