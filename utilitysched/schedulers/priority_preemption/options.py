"""The options of priority preemption."""

from dataclasses import dataclass

from swfx.base.configured import ANY, Configured, choice, seconds, whole

FAMILY = "priority-preempt"

VICTIMS = ("least-lost", "latest")
"""Who is preempted first within a class."""


@dataclass(frozen=True, kw_only=True)
class PriorityOptions(Configured):
    """Options of priority preemption: which classes preempt, which jobs are victims.

    Attributes
    ----------
    urgent : int
        Classes from 0 to this one may preempt, and are never preempted; 1 is LEE's queues
        interactive and express.
    victim : str
        Within a class, the first to be preempted is who loses the least work since its last
        checkpoint (``least-lost``), or who started latest (``latest``).
    preemptions : int
        How often one job may be preempted.
    minimum : float
        Least time between a start of a job and its preemption (s).

    Examples
    --------
    >>> PriorityOptions.from_text("urgent=0,minimum=10min").minimum
    600.0
    """

    name = FAMILY

    urgent: int = whole(1, ANY)
    victim: str = choice(VICTIMS, "least-lost")
    preemptions: int = whole(1, ANY)
    minimum: float = seconds(0.0, ANY)
