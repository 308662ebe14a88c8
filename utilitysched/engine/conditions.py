"""Conditions under which jobs can be stopped in a simulation, and their rules."""

from dataclasses import dataclass

import numpy as np

from checkpoint import PreemptionRules
from swfx import InputError, Workload
from utilitysched.engine.failures import SOURCE, Failures
from utilitysched.model.arrivals import Arrivals
from utilitysched.model.scheduler import Scheduler
from utilitysched.model.state import Floats, Integers


@dataclass(frozen=True)
class StopTerms:
    """What preempting means for each job, in arrival order.

    Attributes
    ----------
    interval, overhead : (n,) float64
        See `utilitysched.model.state.Preemption`.
    periodic : (n,) float64
        Work between two checkpoints that a job writes by itself (s), -1 for none: what failures
        leave of it.
    actual : float
        What a restart really takes, over what it is expected to take.
    kills : bool
        Whether a restarted job ends at its limit even if it has work left.
    """

    interval: Floats
    overhead: Floats
    periodic: Floats
    actual: float
    kills: bool

    @classmethod
    def of(cls, workload: Workload, order: Integers, rules: PreemptionRules) -> "StopTerms":
        """Apply rules to a workload of which `order` is the arrival order."""
        return cls(
            rules.intervals(workload)[order],
            rules.overheads(workload)[order],
            workload.checkpoint_interval[order],
            rules.actual,
            rules.overrun == "kill",
        )


HOPELESS = 23.0
"""Failures expected in a stretch that has to be without: one try in ten thousand million is."""


def rules_for(
    scheduler: Scheduler,
    preemption: PreemptionRules | str | None,
    *,
    fails: bool = False,
) -> PreemptionRules | None:
    """Return the rules of preemption in a simulation, None where no job can be stopped.

    Parameters
    ----------
    scheduler : Scheduler
        Says whether it preempts.
    preemption : PreemptionRules or str or None
        What was asked for.
    fails : bool
        Whether processors fail.

    Raises
    ------
    InputError
        An unknown key or an unusable value in the text of rules.
    """
    if preemption is None and not fails and not scheduler.preempts:
        return None
    if preemption is None:
        return PreemptionRules()
    return PreemptionRules.from_text(preemption) if isinstance(preemption, str) else preemption


def refuse_hopeless(failures: Failures, arrivals: Arrivals, terms: StopTerms) -> None:
    """Refuse failures among which a job would be tried again and again, and never end.

    Raises
    ------
    InputError
        A job needs a stretch without failures, up to its end or its next checkpoint, that
        practically never comes.
    """
    run, size = arrivals.run, arrivals.known.size
    # the longest time that has to pass without a failure for anything to be gained
    stretch = np.where(terms.periodic < 0, run, np.minimum(run, terms.periodic))
    rate = failures.least_rate(size)
    hopeless = np.flatnonzero(rate * stretch > HOPELESS)
    if len(hopeless):
        job = hopeless[0]
        raise InputError(
            f"job {arrivals.job_id[job]} needs {stretch[job]:,.0f} s without a failure on"
            f" {size[job]:,} processors, of which one fails every {1 / rate[job]:,.0f} s or more"
            " often: it would never end",
            source=SOURCE,
            remedy="give it checkpoints, or processors that fail less often",
        )
