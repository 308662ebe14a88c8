"""Requests without error."""

from __future__ import annotations

from dataclasses import dataclass

from swfx.transformation import TRANSFORMS, Transformation, Transformed
from swfx.workload import Workload


@TRANSFORMS.register("accurate")
@dataclass(frozen=True)
class Accurate(Transformation):
    """Let every job request the time it runs.

    That is its effective run time: a job that overran its request was killed at it, and still runs
    as long as before. CARASTAN's condition "actual run times".

    Examples
    --------
    >>> log = Workload.from_columns(submit=[0, 1], run=[60, 90], requested_time=[600, 80])
    >>> Accurate().apply(log, 0).workload.requested_time.tolist()
    [60.0, 80.0]
    """

    chunkwise = True

    def apply(self, workload: Workload, seed: int) -> Transformed:
        """Replace the requested times."""
        changed = int((workload.requested_time != workload.effective_run).sum())
        return Transformed(
            workload.replace(requested_time=workload.effective_run),
            changed={"requested times became run times": changed},
        )
