"""Jobs moved in time."""

from __future__ import annotations

from dataclasses import dataclass

from swfx.base.configured import seconds
from swfx.base.errors import InputError
from swfx.families.transformation import TRANSFORMS, Transformation, Transformed
from swfx.workload import Workload


@TRANSFORMS.register("shift")
@dataclass(frozen=True)
class Shift(Transformation):
    """Submit every job later, also by the clock on the wall.

    `rebase` moves the zero of the log's clock instead.

    Parameters
    ----------
    by : float
        Seconds, or with a unit as in 2h; below 0 is earlier.

    Examples
    --------
    >>> log = Workload.from_columns(submit=[0, 5])
    >>> Shift.from_text("by=3600").apply(log, 0).workload.submit.tolist()
    [3600.0, 3605.0]
    """

    by: float = seconds()

    def apply(self, workload: Workload, seed: int) -> Transformed:
        """Move the submit times."""
        submit = workload.submit + self.by
        early = (submit < 0) & (workload.submit >= 0)
        if early.any():
            raise InputError(
                f"{int(early.sum())} jobs would be submitted before time 0 of the log",
                source=self.label,
                remedy="use rebase to move time 0",
            )
        header = workload.header.without("EndTime")
        return Transformed(workload.replace(submit=submit, header=header))
