"""Re-runnable jobs: those that may be killed and run again from scratch, drawn at random."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from swfx.base.configured import number
from swfx.families.generators.randomness import stream
from swfx.families.transformation import TRANSFORMS, Transformation, Transformed
from swfx.workload import Workload


@TRANSFORMS.register("rerunnable")
@dataclass(frozen=True)
class Rerunnable(Transformation):
    """Mark a share of the jobs as re-runnable, and all others as not.

    Every job is drawn for itself, from a random stream that nothing else uses: whatever else the
    seed decides stays as it was. With the same seed the jobs of a smaller share are among those of
    a larger one. Marks that the log has are replaced.

    Parameters
    ----------
    share : float
        Probability of each job, 0 to 1.

    Examples
    --------
    >>> log = Workload.from_columns(run=[60] * 8)
    >>> Rerunnable.from_text("share=0.5").apply(log, 1).workload.rerunnable.tolist().count(True)
    5
    """

    share: float = number(bounds=(0, 1))

    @property
    def stochastic(self) -> bool:
        """Whether random numbers decide."""
        return 0 < self.share < 1

    def apply(self, workload: Workload, seed: int) -> Transformed:
        """Mark jobs as re-runnable."""
        chosen = stream(seed, "rerunnable").random(len(workload)) < self.share
        marked = int(np.count_nonzero(chosen))
        return Transformed(
            workload.replace(rerunnable=chosen.astype(np.int64)),
            changed={"may be killed and run again": marked},
        )
