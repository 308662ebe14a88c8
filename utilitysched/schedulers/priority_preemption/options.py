"""The options of priority preemption."""

from dataclasses import dataclass

from swfx import InputError
from swfx.base.configured import Configured, choice, named
from swfx.base.options import as_int, as_seconds, as_text

FAMILY = "priority-preempt"

VICTIMS = ("least-lost", "latest")
"""Who is preempted first within a class."""


def _count(text: str, source: str, field: str) -> int:
    count = as_int(text, source, field)
    if count < 0:
        raise InputError(f"{count} is below 0", source=source, field=field, remedy="give 0 or more")
    return count


def _minimum(text: str, source: str, field: str) -> float:
    seconds = as_seconds(text, source, field)
    if not seconds >= 0:
        raise InputError(
            f"{seconds:g} s is below 0", source=source, field=field, remedy="give 0 or more"
        )
    return seconds


@dataclass(frozen=True, kw_only=True)
class PriorityOptions(Configured):
    """Who may preempt whom.

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

    urgent: int = named(_count, 1)
    victim: str = choice(VICTIMS, "least-lost")
    preemptions: int = named(_count, 1)
    minimum: float = named(_minimum, 0.0, as_text)
