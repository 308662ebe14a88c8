"""Failure domains: a tree of what fails together, from the machine down to its nodes."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import cached_property

import networkx as nx
import numpy as np

from checkpoint.failures import Failed, Outages
from checkpoint.lifetime import Lifetime
from swfx.base.columns import Floats, Ints
from swfx.base.errors import InputError
from swfx.families.generators.randomness import stream

__all__ = ["FailureDomains", "Processors"]

Processors = tuple[int, int]
"""Processors from the first number, below the second."""


@dataclass(frozen=True, eq=False)
class FailureDomains:
    """Domains that fail, each with all processors below it in a tree.

    Processors are counted in the order in which a depth-first walk, children in the order in which
    they were added, comes to the leaves: those of a domain are neighbours.

    Attributes
    ----------
    tree : networkx.DiGraph
        An arborescence: its nodes are names of domains, its edges lead from a domain to its parts.
        Node attributes: ``lifetime``, a `Lifetime`, where the domain fails by itself; and
        ``processors`` (at least 1) of every leaf.
    seed : int or None
        Of the failures, in place of that of the simulation.

    Raises
    ------
    InputError
        It is no such tree.

    Examples
    --------
    >>> tree = nx.DiGraph([("machine", "node0"), ("machine", "node1")])
    >>> tree.nodes["machine"]["lifetime"] = Lifetime(mtbf=5e6, repair=3600)
    >>> tree.nodes["node0"]["processors"] = tree.nodes["node1"]["processors"] = 8
    >>> FailureDomains(tree).processors["node1"]
    (8, 16)
    """

    tree: nx.DiGraph[str]
    seed: int | None = None

    def __post_init__(self) -> None:
        if not self.tree or not nx.is_arborescence(self.tree):
            raise InputError(
                "these failure domains are no tree",
                remedy="give every domain but one exactly one domain that it is part of",
            )
        for name, parts in self.tree.out_degree():
            if parts == 0 and self.tree.nodes[name].get("processors", 0) < 1:
                raise InputError(
                    f"{name} has neither parts nor processors",
                    field="processors",
                    remedy="give it a whole number of processors from 1",
                )

    @cached_property
    def processors(self) -> dict[str, Processors]:
        """Range of processors of every domain, by a depth-first walk."""
        found: dict[str, Processors] = {}
        after = 0
        for name in nx.dfs_postorder_nodes(self.tree, next(nx.topological_sort(self.tree))):
            parts = list(self.tree.successors(name))
            if parts:
                found[name] = found[parts[0]][0], found[parts[-1]][1]
            else:
                found[name] = after, after + self.tree.nodes[name]["processors"]
                after = found[name][1]
        return found

    @cached_property
    def machine_size(self) -> int:
        """Number of processors."""
        return max(high for _, high in self.processors.values())

    @cached_property
    def lifetimes(self) -> dict[str, Lifetime]:
        """Lifetimes of the domains that fail by themselves."""
        attributes: dict[str, Lifetime] = nx.get_node_attributes(self.tree, "lifetime")
        return attributes

    @property
    def digest(self) -> str:
        """sha256 (hex) of all that decides outages, but a seed that is given to `outages`."""
        parts = [
            (*where, self.lifetimes.get(name), name) for name, where in self.processors.items()
        ]
        return hashlib.sha256(repr((self.seed, parts)).encode()).hexdigest()

    @property
    def rate(self) -> Floats:
        """Failures per second of work that hit each processor, those of its domains included.

        In the long run, 1 / mtbf summed over the processor and every domain that it is part of.
        """
        rate = np.zeros(self.machine_size)
        for name, lifetime in self.lifetimes.items():
            low, high = self.processors[name]
            rate[low:high] += lifetime.rate
        return rate

    def job_rate(self, processors: int) -> float:
        """Return failures per second of work that hit a job somewhere, on average over its places.

        The job runs on neighbours from the first processor of a random node on, past the last from
        the first again, and every domain of which it has a part can stop it.

        Raises
        ------
        InputError
            It has more processors than there are.
        """
        self.check(processors, at_most=True)
        size, starts = self.machine_size, self.starts
        twice = np.concatenate([starts - size, starts])
        return sum(
            min(1.0, _between(twice, low - processors, high) / len(starts))
            * self.lifetimes[name].rate
            for name, (low, high) in self.processors.items()
            if name in self.lifetimes
        )

    @property
    def node_size(self) -> int:
        """Processors of the largest node."""
        sizes: dict[str, int] = nx.get_node_attributes(self.tree, "processors")
        return max(sizes.values())

    @cached_property
    def starts(self) -> Ints:
        """First processors of the nodes, ascending: all processors of a node fail together."""
        leaves = [name for name, parts in self.tree.out_degree() if parts == 0]
        return np.array(sorted(self.processors[name][0] for name in leaves), np.int64)

    def check(self, processors: int, *, at_most: bool = False) -> None:
        """Refuse a machine, or with `at_most` a job, of other processors than these.

        Raises
        ------
        InputError
            The numbers do not agree.
        """
        size = self.machine_size
        if processors > size or (processors < size and not at_most):
            raise InputError(
                f"these failure domains have {size:,} processors, not {processors:,}",
                source="failures",
                remedy="give as many nodes and processors per node as the machine has",
            )

    def outages(self, begin: float, end: float, seed: int = 0) -> Outages:
        """Draw all outages that start from `begin` on, before `end`.

        Every domain fails and is repaired by a random stream of its own, keyed by seed and name:
        another domain more or less leaves the failures of all others as they are. A later `end`
        adds outages and changes none.

        Parameters
        ----------
        begin, end : float
            On the log's clock (s). At `begin` everything works.
        seed : int
            At least 0; not used if the domains have their own.
        """
        names = tuple(self.processors)
        chosen = seed if self.seed is None else self.seed
        horizon = end + 2 * max((life.repair for life in self.lifetimes.values()), default=0.0)
        while True:
            found = Outages.union(self._failed(begin, horizon, chosen), names).before(end)
            # a failure after `end` may prolong an outage that began before
            reached = found.end.max(initial=end)
            if reached <= horizon:
                return found
            horizon = 2 * reached - end

    def failures(self, name: str, begin: float, end: float, seed: int) -> list[float]:
        """Draw the instants at which one domain fails by itself, whatever else is down."""
        lifetime = self.lifetimes.get(name)
        if lifetime is None:
            return []
        return lifetime.failures(stream(seed, f"failures of {name}"), begin, end)

    def _failed(self, begin: float, end: float, seed: int) -> Failed:
        found = [self.failures(name, begin, end, seed) for name in self.processors]
        lifetimes = map(self.lifetimes.get, self.processors)
        repair = np.array([life.repair if life else 0.0 for life in lifetimes])
        cause = np.repeat(np.arange(len(found)), [len(instants) for instants in found])
        start = np.array([instant for instants in found for instant in instants], np.float64)
        low, high = np.array(list(self.processors.values()), np.int64).reshape(-1, 2)[cause].T
        return Failed(start, start + repair[cause], low, high, cause)


def _between(ascending: Ints, low: int, high: int) -> int:
    """How many numbers are above one and below another."""
    above = np.searchsorted(ascending, low, side="right")
    return int(np.searchsorted(ascending, high, side="left") - above)
