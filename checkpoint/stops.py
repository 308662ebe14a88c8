"""Stops of running jobs and their rates: failures of nodes and what they share, and preemptions."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from checkpoint.domains import FailureDomains
from checkpoint.failure_text import failure_domains
from checkpoint.lifetime import as_mtbf
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
        Between failures of one node (s), where there are no domains.
    node_size : int
        Processors of a node.
    domains : FailureDomains or None
        What fails, in place of nodes that are all alike.
    preemptions : float
        Between preemptions of a running job (s), whatever its size; they act like failures.

    Examples
    --------
    >>> Stops(mtbf=7200, node_size=8, preemptions=3600).between(np.array([8, 9])).tolist()
    [2400.0, 1800.0]
    """

    mtbf: float = math.inf
    node_size: int = 1
    domains: FailureDomains | None = None
    preemptions: float = math.inf

    @classmethod
    def from_texts(
        cls, mtbf: str | None, per: int | None, failures: str | None, preemptions: str
    ) -> Stops:
        """Make them from options of the command line.

        Raises
        ------
        InputError
            A text cannot be read, or there are failures by node and by domains.
        """
        if failures is not None and (mtbf is not None or per is not None):
            raise InputError(
                "says what fails already", field="failures", remedy="leave out --mtbf and --per"
            )
        between = _seconds(preemptions, "preemptions")
        if failures is not None:
            domains = failure_domains(failures)
            return cls(math.inf, domains.node_size, domains, between)
        failing = _seconds(mtbf or "never", "mtbf")
        if math.isinf(failing) and math.isinf(between):
            raise InputError(
                "nothing stops any job",
                field="mtbf",
                remedy="give --mtbf 5y, of one node, or --failures, or --preemptions",
            )
        return cls(failing, per or 1, None, between)

    def __str__(self) -> str:
        kinds = []
        if self.domains is not None:
            failing = len(self.domains.lifetimes)
            kinds.append(
                f"failures of {failing:,} domains of {self.domains.machine_size:,} processors"
            )
        elif math.isfinite(self.mtbf):
            kinds.append(f"one failure per node every {self.mtbf / 3600:,.6g} h")
        if math.isfinite(self.preemptions):
            kinds.append(f"one preemption per running job every {self.preemptions / 3600:,.6g} h")
        return ", and ".join(kinds)

    def between(self, processors: Ints) -> Floats:
        """Mean time (s) between stops of jobs of so many processors, (n,).

        Raises
        ------
        InputError
            A job has more processors than the domains.
        """
        sizes, job = np.unique(processors, return_inverse=True)
        return together(self._failures(sizes), self.preemptions)[job]

    def _failures(self, sizes: Ints) -> Floats:
        if self.domains is None:
            by_nodes: Floats = self.mtbf / np.maximum(-(-sizes // self.node_size), 1)
            return by_nodes
        rates = np.array([self.domains.job_rate(size) for size in sizes.tolist()])
        with np.errstate(divide="ignore"):
            between: Floats = 1 / rates
        return between


def _seconds(text: str, field: str) -> float:
    seconds = as_mtbf(text, "", field)
    if not seconds > 0:
        raise InputError(f"{text!r} is not a time above 0", field=field, remedy="write 5y or 90d")
    return seconds
