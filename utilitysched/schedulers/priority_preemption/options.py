"""The options of priority preemption."""

from dataclasses import dataclass

from swfx import InputError
from swfx.base.configured import Configured, option
from swfx.base.options import as_choice, as_int, as_seconds, as_text

FAMILY = "priority-preempt"

VICTIMS = ("least-lost", "latest")
"""Who is preempted first within a class."""


def _count(name: str, text: str) -> int:
    count = as_int(text, FAMILY, name)
    if count < 0:
        raise InputError(f"{count} is below 0", source=FAMILY, field=name, remedy="give 0 or more")
    return count


def _minimum(text: str) -> float:
    seconds = as_seconds(text, FAMILY, "minimum")
    if not seconds >= 0:
        raise InputError(
            f"{seconds:g} s is below 0", source=FAMILY, field="minimum", remedy="give 0 or more"
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
    bumps : int
        How often one job may be preempted.
    minimum : float
        Least time between a start of a job and its preemption (s).

    Examples
    --------
    >>> PriorityOptions.from_text("urgent=0,minimum=10min").minimum
    600.0
    """

    name = FAMILY

    urgent: int = option(lambda text: _count("urgent", text), 1)
    victim: str = option(lambda text: as_choice(text, VICTIMS, FAMILY, "victim"), "least-lost")
    bumps: int = option(lambda text: _count("bumps", text), 1)
    minimum: float = option(_minimum, 0.0, as_text)
