"""Stops of running jobs and their rates: failures of nodes, and preemptions."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from checkpoint.failing_nodes import as_mtbf
from checkpoint.optimal import together
from swfx.base.columns import Floats, Ints
from swfx.base.errors import InputError

__all__ = ["Stops"]


@dataclass(frozen=True)
class Stops:
    """Mean times between what stops a job.

    Attributes
    ----------
    mtbf : float
        Mean time between failures of one node (s).
    node_size : int
        Processors of a node.
    preemptions : float
        Mean time between preemptions of a running job (s), whatever its size; they act like
        failures.

    Examples
    --------
    >>> Stops(mtbf=7200, node_size=8, preemptions=3600).between(np.array([8, 9])).tolist()
    [2400.0, 1800.0]
    """

    mtbf: float = math.inf
    node_size: int = 1
    preemptions: float = math.inf

    @classmethod
    def from_texts(cls, mtbf: str | None, per: int | None, preemptions: str) -> Stops:
        """Make them from options of the command line.

        Raises
        ------
        InputError
            A text cannot be read, or nothing stops any job.
        """
        between, failing = _seconds(preemptions, "preemptions"), _seconds(mtbf or "never", "mtbf")
        if math.isinf(failing) and math.isinf(between):
            raise InputError(
                "nothing stops any job",
                field="mtbf",
                remedy="give --mtbf 5y, of one node, or --preemptions",
            )
        return cls(failing, per or 1, between)

    def __str__(self) -> str:
        kinds = []
        if math.isfinite(self.mtbf):
            kinds.append(f"one failure per node every {self.mtbf / 3600:,.6g} h")
        if math.isfinite(self.preemptions):
            kinds.append(f"one preemption per running job every {self.preemptions / 3600:,.6g} h")
        return ", and ".join(kinds)

    def between(self, processors: Ints) -> Floats:
        """Return the mean time (s) between stops of jobs by their numbers of processors, (n,)."""
        sizes, job = np.unique(processors, return_inverse=True)
        failures = self.mtbf / np.maximum(-(-sizes // self.node_size), 1)
        return together(failures, self.preemptions)[job]


def _seconds(text: str, field: str) -> float:
    seconds = as_mtbf(text, "", field)
    if not seconds > 0:
        raise InputError(f"{text!r} is not a time above 0", field=field, remedy="write 5y or 90d")
    return seconds
