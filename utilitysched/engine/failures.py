"""Failures of a simulation: nodes that fail at random, or a list of outages."""

import hashlib
from dataclasses import dataclass

import numpy as np

from checkpoint.failing_nodes import FailingNodes
from checkpoint.failures import Outages
from swfx import InputError
from utilitysched.model.state import Floats, Integers

SOURCE = "failures"


@dataclass(frozen=True, eq=False)
class Failures:
    """Failures of a machine's processors.

    Attributes
    ----------
    source : FailingNodes or Outages
        Nodes that fail at random; or all outages there are.
    seed : int
        Seed of the draws, unless the nodes have their own.
    text : str
        Text that the failures were read from.
    since : float or None
        When everything works (s); None for the submission of the first job.
    """

    source: FailingNodes | Outages
    seed: int = 0
    text: str = ""
    since: float | None = None

    @classmethod
    def from_text(cls, text: str, seed: int = 0) -> "Failures":
        """Read ``nodes=N,per=P,mtbf=TIME,repair=TIME,seed=N``; see `FailingNodes`.

        Raises
        ------
        InputError
            An unknown key, an unusable value, or one that is missing.
        """
        return cls(FailingNodes.from_text(text), seed, text)

    def __str__(self) -> str:
        if self.text:
            return self.text
        return f"{len(self.source)} outages" if isinstance(self.source, Outages) else "nodes"

    @property
    def digest(self) -> str:
        """sha256 (hex) of everything that decides which processors fail, and when."""
        source = self.source.digest if isinstance(self.source, Outages) else self.source
        return hashlib.sha256(repr((source, self.seed)).encode()).hexdigest()

    def check(self, machine_size: int) -> None:
        """Refuse a machine to which these failures do not belong.

        Raises
        ------
        InputError
            It has other processors.
        """
        if not isinstance(self.source, Outages):
            self.source.check(machine_size)
        elif self.source.processors > machine_size:
            raise InputError(
                f"processor {self.source.processors - 1} fails, the machine has {machine_size}",
                source=SOURCE,
                remedy="give outages of this machine",
            )

    def between(self, begin: float, end: float) -> Outages:
        """Return the outages that start from `begin` on, before `end`.

        A later `end` adds outages and changes none.
        """
        if isinstance(self.source, Outages):
            return self.source
        return self.source.outages(begin, end, self.seed)

    def bounds(self, now: float) -> Integers:
        """Return where stretches of processors begin that fail together, if at all, after `now`."""
        if not isinstance(self.source, Outages):
            return self.source.starts
        coming = self.source.start > now
        return np.union1d(self.source.low[coming], self.source.high[coming])

    def least_rate(self, sizes: Integers) -> Floats:
        """Return the rate at which a job of each size fails at least, wherever it runs (1/s)."""
        if isinstance(self.source, Outages):
            return np.zeros(len(sizes))
        nodes = np.asarray(-(-sizes // self.source.per), np.float64)
        return nodes * self.source.rate

    @property
    def all_known(self) -> bool:
        """Whether no outages are drawn."""
        return isinstance(self.source, Outages)
