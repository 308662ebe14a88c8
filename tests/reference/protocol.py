"""What a scheduler sees at a pass and may answer with, for the checker and for readable twins."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import NamedTuple

from tests.reference.jobs import Job

COMPLETED, PREEMPTED, FAILED = 0, 1, 2
"""Why an attempt ended."""


class Checkpoints(NamedTuple):
    """What a job saves: work between checkpoints (s), and its expected restart overhead (s).

    An interval of 0 saves all, an infinite one nothing, and one of -1 forbids to stop the job.
    `periodic` is the interval at which it saves its work by itself, -1 if it does not.
    """

    interval: float
    overhead: float
    periodic: float = -1.0


NEVER_STOPPED = Checkpoints(-1.0, 0.0)


class Rules(NamedTuple):
    """What a restart really takes over what is expected, and whether jobs are killed at limits."""

    actual: float = 1.0
    kill: bool = True


class Conventions(NamedTuple):
    """Four points in which honest simulators differ; the defaults are ours (section 2).

    The first two are those of the event loop, the others those of a placement.
    """

    one_pass_per_event: bool = False
    submissions_first: bool = False
    overdue_is_free: bool = False
    shadow_releases_spare: bool = True


OURS = Conventions()
PYSS = Conventions(one_pass_per_event=True, submissions_first=True, overdue_is_free=True)


class After(NamedTuple):
    """A job's predecessor by number, and the think time after the predecessor's end (s)."""

    number: int
    think_time: float


class Outage(NamedTuple):
    """Processors from `low`, below `high`, that are down for some time (s)."""

    start: float
    end: float
    low: int
    high: int


class Attempt(NamedTuple):
    """One stretch in which a job ran, as `utilitysched.model.segments.Segments` has it."""

    job: int
    start: float
    end: float
    overhead: float
    kept: float
    lost: float
    stop: int
    cause: int


class Seen(NamedTuple):
    """A job as a scheduler sees it, with the request of its present or next start (s).

    `paid` is the overhead that its present start is expected to take (s), 0 while it waits.
    """

    number: int
    request: float
    preemptions: int
    paid: float
    size: int
    interval: float


class State(NamedTuple):
    """What a scheduler sees: running jobs with their expected ends (s), ended with run times.

    `ends` says when they ended. `repairs` are the ends of outages with their sizes, `come` the jobs
    as they came, and `places` their numbers in the log. It is `disrupted` if since the last pass
    something went down, a job was stopped, or one that was stopped before has ended, or if one runs
    past its limit.
    """

    now: float
    free: int
    queued: list[Seen]
    running: list[tuple[float, Seen]]
    ended: list[tuple[int, float, float]]
    last_start: list[float | None]
    repairs: list[tuple[float, int]]
    disrupted: bool
    come: list[Job]
    places: list[int]
    ends: tuple[float, ...] = ()


class Choice(NamedTuple):
    """Whom to preempt and whom to start, and the order of the queue, that of arrival if None.

    At `wake_up` (s) there is a pass even if nothing happens. `causes` says for whom each is
    preempted, by number in the log; if it does not, that follows from who takes its processors.
    """

    preemptions: list[int]
    starts: list[int]
    order: list[int] | None = None
    wake_up: float = math.inf
    causes: Mapping[int, int] | None = None


Chooser = Callable[[State], Choice]
"""A twin of a scheduler, asked at every pass."""
