"""Nodes of a machine that fail at random and are repaired."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from checkpoint.failures import Failed, Outages
from swfx.base.bounds import require_between
from swfx.base.columns import Ints
from swfx.base.configured import Configured, named, whole, within
from swfx.base.errors import InputError
from swfx.base.options import SECONDS_IN, as_int, as_seconds, as_text
from swfx.families.generators.randomness import stream

__all__ = ["NEVER", "YEAR", "FailingNodes", "as_mtbf"]

YEAR = 365 * SECONDS_IN["d"]
"""What `y` stands for in a time between failures (s)."""

NEVER = "never"
MOST = 10**6


def as_mtbf(text: str, source: str, field: str) -> float:
    """Read a mean time between failures: as `as_seconds`, in years (``5y``), or ``never``.

    Raises
    ------
    InputError
        It is none of these.

    Examples
    --------
    >>> as_mtbf("2y", "nodes", "mtbf"), as_mtbf("never", "nodes", "mtbf")
    (63072000.0, inf)
    """
    if text == NEVER:
        return math.inf
    return as_seconds(text, source, field, {**SECONDS_IN, "y": YEAR})


def _check_repair(value: float, source: str, field: str) -> None:
    require_between(source, field, value, 1, math.inf)
    if math.isinf(value) or value % 1:
        raise InputError(
            f"{value:g} s are not whole seconds",
            source=source,
            field=field,
            remedy="give whole seconds, such as 4h",
        )


@dataclass(frozen=True, kw_only=True)
class FailingNodes(Configured):
    """Nodes of one size that fail independently, at exponential times, and are repaired.

    A failure takes down all processors of a node until its repair. Processors are counted node by
    node from 0.

    Attributes
    ----------
    nodes : int
        Number of nodes.
    per : int
        Processors of a node.
    mtbf : float
        Mean time from a repair of a node to its next failure (s), at least 1; infinite = never.
    repair : float
        Duration of a repair (whole s), at least 1.
    seed : int or None
        Seed of the failures, in place of that of the simulation.

    Examples
    --------
    >>> nodes = FailingNodes.from_text("nodes=8,per=4,mtbf=5y,repair=4h")
    >>> nodes.machine_size, round(nodes.rate * YEAR, 3)
    (32, 0.2)
    """

    name = "failures"
    EXAMPLE = "as in nodes=260,per=8,mtbf=5y,repair=4h"

    nodes: int = whole(bounds=(1, MOST))
    per: int = whole(1, (1, MOST))
    mtbf: float = named(as_mtbf, text=as_text, check=within((1, math.inf)))
    repair: float = named(as_seconds, text=as_text, check=_check_repair)
    seed: int | None = named(as_int, None, check=within((0, math.inf)))

    @property
    def machine_size(self) -> int:
        """Number of processors."""
        return self.nodes * self.per

    @property
    def rate(self) -> float:
        """Failures of one node per second of its work, in the long run."""
        return 1 / self.mtbf

    @property
    def starts(self) -> Ints:
        """First processor of each node, ascending."""
        return np.arange(0, self.machine_size, self.per)

    def check(self, processors: int) -> None:
        """Refuse a machine with another number of processors.

        Raises
        ------
        InputError
            The numbers differ.
        """
        if processors != self.machine_size:
            raise InputError(
                f"these nodes have {self.machine_size:,} processors, not {processors:,}",
                source=self.name,
                remedy="give as many nodes and processors per node as the machine has",
            )

    def outages(self, begin: float, end: float, seed: int = 0) -> Outages:
        """Draw all outages that start from `begin` on, before `end`.

        Every node has a random stream of its own: one node more leaves the failures of all others
        as they are. A later `end` adds outages and changes none.

        Parameters
        ----------
        begin, end : float
            Times on the log's clock (s). All nodes work at `begin`.
        seed : int
            At least 0; not used if the nodes have their own.
        """
        drawn = [self.failures(node, begin, end, seed) for node in range(self.nodes)]
        node = np.repeat(np.arange(self.nodes), [len(instants) for instants in drawn])
        start = np.array([instant for instants in drawn for instant in instants], np.float64)
        low = node * self.per
        failed = Failed(start, start + self.repair, low, low + self.per, node)
        # The machine never fails as a whole, but digests of stored runs count its name.
        return Outages.union(failed, (*(f"node{each}" for each in range(self.nodes)), "machine"))

    def failures(self, node: int, begin: float, end: float, seed: int = 0) -> list[float]:
        """Draw the instants from `begin`, before `end`, at which one node fails.

        The node works at `begin` and has been in use for long: its first failure comes after the
        rest of a lifetime that is met at a random moment. A new lifetime begins with each repair.
        Instants are whole seconds after `begin`, at least one after a repair, as in logs.
        """
        if math.isinf(self.mtbf):
            return []
        rng = stream(seed if self.seed is None else self.seed, f"failures of node{node}")
        # A random moment meets long lifetimes more often: weighted by its length, a lifetime has a
        # gamma distribution; the moment is uniform in it.
        time = begin + _whole(self.mtbf * rng.gamma(2.0) * rng.random())
        instants = []
        while time < end:
            instants.append(time)
            time += self.repair + _whole(self.mtbf * rng.standard_exponential())
        return instants


def _whole(seconds: float) -> float:
    return max(1.0, float(round(seconds)))
