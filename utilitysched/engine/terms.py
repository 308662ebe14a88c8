"""Rules of preemption, applied to the jobs of a workload."""

from dataclasses import dataclass

from checkpoint import PreemptionRules
from swfx import Workload
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
