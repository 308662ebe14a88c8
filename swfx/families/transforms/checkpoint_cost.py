"""Time that checkpoints take to be written, as part of the run times."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from swfx.base.columns import Floats
from swfx.base.configured import ANY, seconds
from swfx.families.transformation import TRANSFORMS, Transformation, Transformed
from swfx.fields import MISSING
from swfx.workload import Workload


@TRANSFORMS.register("checkpoint-cost")
@dataclass(frozen=True)
class CheckpointCost(Transformation):
    """Let jobs that take checkpoints run longer by the time it takes to write them.

    A job of so much work writes one whenever the work of an interval is done, and none at its end.
    The interval grows by the same time: what a job holds when it is preempted is the work up to its
    last complete checkpoint. Requested times grow as the job would that uses all of it.

    Parameters
    ----------
    cost : float
        Time to write a checkpoint (s).

    Examples
    --------
    >>> log = Workload.from_columns(run=[3600], requested_time=[7200], checkpoint_interval=[900])
    >>> longer = CheckpointCost.from_text("cost=1min").apply(log, 0).workload
    >>> longer.run.tolist(), longer.requested_time.tolist(), longer.checkpoint_interval.tolist()
    ([3780.0], [7620.0], [960.0])
    """

    keeps_jobs = True

    cost: float = seconds(bounds=ANY)

    def apply(self, workload: Workload, seed: int) -> Transformed:
        """Make run times, requests and intervals longer."""
        takes = workload.checkpoint_interval != MISSING

        def longer(time: Floats) -> Floats:
            known = takes & (time != MISSING)
            work = np.where(known, time, 0.0)
            written = np.ceil(work / np.where(known, workload.checkpoint_interval, 1.0)) - 1
            return time + np.where(known, self.cost * np.maximum(written, 0.0), 0.0)

        changed = workload.replace(
            run=longer(workload.run),
            requested_time=longer(workload.requested_time),
            checkpoint_interval=workload.checkpoint_interval + np.where(takes, self.cost, 0.0),
        )
        jobs = int(np.count_nonzero(takes)) if self.cost else 0
        return Transformed(
            changed, changed={"run longer by their checkpoints": jobs} if jobs else {}
        )
