"""Rules for running jobs: who can be preempted, and what a restart then takes."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from checkpoint.overhead import Overhead
from swfx.base.columns import Floats
from swfx.base.configured import Configured, choice, flag, named, option
from swfx.base.errors import InputError
from swfx.base.options import as_float, as_text
from swfx.fields import MISSING
from swfx.workload import Workload

__all__ = ["OVERRUNS", "PreemptionRules"]

NAME = "preemption"

OVERRUNS = ("kill", "run")
"""What may happen to a job whose restart took longer than expected, at its limit."""


def _factor(text: str, source: str, field: str) -> float:
    factor = as_float(text, source, field)
    if factor < 0:
        raise InputError(
            f"{text!r} is below 0", source=source, field=field, remedy="give a factor from 0"
        )
    return factor


def _on_demand(text: str, _: str, field: str) -> Overhead:
    return Overhead.from_text(text, field)


@dataclass(frozen=True, kw_only=True)
class PreemptionRules(Configured):
    """Rules of a simulation in which running jobs may be preempted.

    Attributes
    ----------
    scratch : bool
        Whether jobs that take no checkpoints may be preempted, too, re-runnable or not: they start
        from scratch.
    overhead : Overhead
        What a restart takes, for jobs of which the workload does not say it.
    on_demand : Overhead or None
        If given, the system writes a checkpoint of whatever job is preempted: none loses work, each
        may be preempted, and this is the overhead of every restart.
    actual : float
        What a restart really takes, over what it is expected to take, by which the request of a
        preempted job is extended.
    overrun : str
        What happens to a restarted job at its limit, if its restart took longer than expected:
        ``kill``, it ends there as any job does, or ``run``, it goes on until its work is done.

    Examples
    --------
    >>> str(PreemptionRules.from_text("actual=1.5,on_demand=2/processor"))
    'on_demand=2/processor,actual=1.5'

    References
    ----------
    Lee, C. B. (2009). On the user-scheduler relationship in high-performance computing.
    Dissertation, University of California, San Diego. Sections 6.7.1 and 6.7.2.
    """

    name = NAME

    scratch: bool = flag()
    overhead: Overhead = option(Overhead.from_text, Overhead(0.0))
    on_demand: Overhead | None = named(_on_demand, None)  # noqa: RUF009  a field
    actual: float = named(_factor, 1.0, as_text)
    overrun: str = choice(OVERRUNS, "kill")

    @classmethod
    def from_text(cls, options: str) -> PreemptionRules:
        """Make rules from ``key=value,...``; ``default`` and no text at all give the defaults.

        Raises
        ------
        InputError
            An unknown key or an unusable value.
        """
        return super().from_text("" if options == "default" else options)

    def __str__(self) -> str:
        return self.label.removeprefix(f"{NAME}:") if self != PreemptionRules() else "default"

    def intervals(self, workload: Workload) -> Floats:
        """Return the work between two checkpoints of each job (s), (n,).

        It is 0 where a preemption writes one, infinite where a preempted job starts from scratch,
        as re-runnable ones without checkpoints do, and -1 where it must not be preempted.
        """
        stated = workload.checkpoint_interval
        if self.on_demand is not None:
            return np.zeros(len(stated))
        without = np.where(self.scratch | workload.rerunnable, math.inf, MISSING)
        interval: Floats = np.where(stated == MISSING, without, stated)
        return interval

    def overheads(self, workload: Workload) -> Floats:
        """Return what a restart of each job is expected to take (s), (n,)."""
        if self.on_demand is not None:
            return self.on_demand.of(workload.size)
        stated = workload.restart_overhead
        expected: Floats = np.where(stated == MISSING, self.overhead.of(workload.size), stated)
        return expected
