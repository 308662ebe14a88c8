"""Jobs in the order of their submission."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from swfx.families.transformation import TRANSFORMS, Transformation, Transformed
from swfx.workload import Workload


@TRANSFORMS.register("sort")
@dataclass(frozen=True)
class Sort(Transformation):
    """Put the jobs into the order of their submission.

    Those of the same moment stay in theirs; job numbers stay with their jobs.

    Examples
    --------
    >>> log = Workload.from_columns(submit=[9, 5])
    >>> Sort().apply(log, 0).workload.job_id.tolist()
    [2, 1]
    """

    def apply(self, workload: Workload, seed: int) -> Transformed:
        """Bring the jobs into order."""
        order = np.argsort(workload.submit, kind="stable")
        moved = int((order != np.arange(len(order))).sum())
        return Transformed(workload[order], (f"{moved:,} jobs stand elsewhere",))
