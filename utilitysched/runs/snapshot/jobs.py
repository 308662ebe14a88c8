"""The rows of a snapshot."""

from typing import NamedTuple

from swfx import UtilityFunction

NORMAL = 3
"""Priority class of a job of which nothing else is known."""

UNKNOWN = -1
"""User, or queue, of a job of which nothing else is known."""


class PreemptionRecord(NamedTuple):
    """What preempting a job means, and what has become of it where it was preempted.

    Attributes
    ----------
    overhead : float
        Restart overhead that a start after a preemption is expected to take (s).
    interval : float or None
        Work between two checkpoints (s), -1 for a job that must not be preempted; None for one
        that takes none, and starts from scratch.
    preemptions : int
        How often it was preempted.
    done : float
        Work that was kept of its earlier starts (s).
    last_start : float or None
        When a job that waits started last (s), if it did.
    paid : float
        Overhead with which the present start, or the last, was expected to begin (s).
    failures : int or None
        How often its processors failed, where that can be.
    periodic : float or None
        Work between two checkpoints that failures leave something of (s), -1 if they leave nothing;
        None where that is `interval`.
    """

    overhead: float
    interval: float | None = None
    preemptions: int = 0
    done: float = 0.0
    last_start: float | None = None
    paid: float = 0.0
    failures: int | None = None
    periodic: float | None = None

    @property
    def stops(self) -> int:
        """How often it was stopped."""
        return self.preemptions + (self.failures or 0)


class RunningJob(NamedTuple):
    """A job that holds processors. Where it may be preempted, all is said that it waits with then.

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
    submit : float or None
        When it was submitted (s).
    priority, queue : int or None
        Priority class, 0 the most urgent, and number of the queue.
    utility : UtilityFunction or None
        SU by turnaround time (s).
    checkpoints : PreemptionRecord or None
        What preempting it means.
    held : str or None
        Which processors it has, as ranges: ``0-7 9``; needed where others will fail.
    """

    id: int
    processors: int
    expected_end: float
    user: int = UNKNOWN
    start: float | None = None
    submit: float | None = None
    priority: int | None = None
    queue: int | None = None
    utility: UtilityFunction | None = None
    checkpoints: PreemptionRecord | None = None
    held: str | None = None

    def request(self, now: float) -> float:
        """Return the requested time in all (s), from now on if the start is not known."""
        limit = self.expected_end - (now if self.start is None else self.start)
        return limit - self.checkpoints.paid + self.checkpoints.done if self.checkpoints else limit


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
    checkpoints : PreemptionRecord or None
        What preempting it means; `request` is what was requested in all.
    """

    id: int
    submit: float
    processors: int
    request: float
    utility: UtilityFunction | None = None
    user: int = UNKNOWN
    priority: int = NORMAL
    queue: int = UNKNOWN
    checkpoints: PreemptionRecord | None = None

    @property
    def limit(self) -> float:
        """Requested time of its next start (s): what is left, and the overhead of a restart."""
        told = self.checkpoints
        if told is None or told.last_start is None:
            return self.request
        return self.request - told.done + told.overhead


class OutageRecord(NamedTuple):
    """Processors that are down, and until when.

    Attributes
    ----------
    first, last : int
        From which to which processor, both included, counted from 0.
    start, end : float
        Since when, and when they are usable again (s).
    """

    first: int
    last: int
    start: float
    end: float

    @property
    def processors(self) -> int:
        """How many."""
        return self.last - self.first + 1

    @property
    def expected_end(self) -> float:
        """When they are usable again (s)."""
        return self.end


class FailureSource(NamedTuple):
    """What fails by itself, from which all outages follow.

    Attributes
    ----------
    domains : str
        As ``--failures`` takes it.
    seed : int
        Of the draws, unless the domains have their own.
    since : float
        When everything worked (s).
    """

    domains: str
    seed: int
    since: float


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
    processors : int or None
        How many it had, None if that is not known.
    worth : float or None
        What it turned out to be worth (SU), None if that is not known.
    """

    user: int
    request: float
    run: float
    processors: int | None = None
    worth: float | None = None
