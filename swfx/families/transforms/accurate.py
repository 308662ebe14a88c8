"""Requests without error."""

from __future__ import annotations

from dataclasses import dataclass

from swfx.families.transformation import TRANSFORMS, Transformation, Transformed
from swfx.workload import Workload


@TRANSFORMS.register("accurate")
@dataclass(frozen=True)
class Accurate(Transformation):
    """Let every job request the time it runs.

    That is its effective run time: a job that overran its request is killed at it in simulations,
    and so its run time ends there, too. Every job then requests what it runs, and all run as long
    as they did in simulations. CARASTAN's condition "actual run times".

    Examples
    --------
    >>> log = Workload.from_columns(submit=[0, 1], run=[60, 90], requested_time=[600, 80])
    >>> done = Accurate().apply(log, 0).workload
    >>> done.requested_time.tolist(), done.run.tolist()
    ([60.0, 80.0], [60.0, 80.0])
    """

    def apply(self, workload: Workload, seed: int) -> Transformed:
        """Replace the requested times, and the run times of jobs that overran theirs."""
        simulated = workload.effective_run
        changed = {
            "requested times became run times": int((workload.requested_time != simulated).sum()),
            "run times ended at the request": int((workload.run != simulated).sum()),
        }
        return Transformed(
            workload.replace(requested_time=simulated, run=simulated),
            changed={what: jobs for what, jobs in changed.items() if jobs},
        )
