"""Dependencies: jobs that were submitted after another one had ended (SWF fields 17 and 18)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from swfx.base.columns import Floats, Ints
from swfx.base.missing import importing
from swfx.fields import MISSING
from swfx.links import on_cycles
from swfx.workload import Workload

if TYPE_CHECKING:
    import networkx as nx

__all__ = ["RULES", "Dependencies", "DependencyRule", "dependencies", "dependency_graph"]


@dataclass(frozen=True)
class DependencyRule:
    """Something odd about a dependency: its name, whether it is ignored, and what it means."""

    name: str
    ignored: bool
    meaning: str


RULES: tuple[DependencyRule, ...] = (
    DependencyRule("dangling", True, "no job of the workload has the preceding job's number"),
    DependencyRule("ambiguous", True, "several jobs have the preceding job's number"),
    DependencyRule("cycle", True, "the job waits for itself, directly or through others"),
    DependencyRule("later", False, "the preceding job was submitted later than the job"),
    DependencyRule("no-think-time", False, "the think time is unknown: 0 s is taken"),
)
"""Everything that a dependency may be listed for; one ignored leaves its job without any."""


@dataclass(frozen=True, eq=False)
class Dependencies:
    """Which job every job of a workload waits for, and what was odd about it.

    Attributes
    ----------
    predecessor : ndarray of int64, shape (n,)
        Position in the workload of the job that has to end first; -1 for none.
    think_time : ndarray of float64, shape (n,)
        Time (s) from its end to the submission; 0 where unknown or without predecessor.
    listed : dict of str to ndarray of int64
        Numbers (`job_id`) of the jobs listed under each rule that occurs, in workload order.
    """

    predecessor: Ints
    think_time: Floats
    listed: dict[str, Ints]

    @property
    def count(self) -> int:
        """Number of jobs that wait for another."""
        return int(np.count_nonzero(self.predecessor != MISSING))

    @property
    def ignored(self) -> int:
        """Number of jobs whose dependency is ignored."""
        return sum(len(self.listed.get(rule.name, ())) for rule in RULES if rule.ignored)

    def to_dict(self) -> dict[str, Any]:
        """Plain numbers, texts, lists and dicts, fit for JSON."""
        return {
            "jobs_waiting": self.count,
            "jobs_ignored": self.ignored,
            "rules": [
                {
                    "rule": rule.name,
                    "ignored": rule.ignored,
                    "meaning": rule.meaning,
                    "job_ids": self.listed[rule.name].tolist(),
                }
                for rule in RULES
                if rule.name in self.listed
            ],
        }


def dependencies(workload: Workload) -> Dependencies:
    """Return what every job waits for.

    A job names at most one preceding job; a number of 0 or less is none, as the format counts
    jobs from 1. All dependencies along a cycle are ignored, so that none is preferred to another.

    Parameters
    ----------
    workload : Workload
        n jobs.

    Examples
    --------
    >>> jobs = Workload.from_columns(preceding_job=[-1, 1, 9], think_time=[-1, 30, 0])
    >>> found = dependencies(jobs)
    >>> found.predecessor.tolist(), found.think_time.tolist(), found.listed["dangling"].tolist()
    ([-1, 0, -1], [0.0, 30.0, 0.0], [3])
    """
    named = workload.preceding_job > 0
    position, matches = _positions(workload.job_id, workload.preceding_job)
    single = named & (matches == 1)
    predecessor = np.where(single, position, MISSING)
    cyclic = on_cycles(predecessor)
    predecessor[cyclic] = MISSING
    waits = predecessor != MISSING
    unknown = waits & (workload.think_time < 0)
    later = waits & (workload.submit[predecessor] > workload.submit)
    odd = {
        "dangling": named & (matches == 0),
        "ambiguous": named & (matches > 1),
        "cycle": cyclic,
        "later": later,
        "no-think-time": unknown,
    }
    return Dependencies(
        predecessor,
        np.where(waits & ~unknown, workload.think_time, 0.0),
        {rule: workload.job_id[jobs] for rule, jobs in odd.items() if jobs.any()},
    )


def dependency_graph(workload: Workload) -> nx.DiGraph[int]:
    """Return the dependencies that hold, as a graph for networkx: a forest.

    Nodes are the positions of all jobs in the workload; an edge leads from a job to each that
    waits for its end, with the attribute ``think_time`` (s).

    Examples
    --------
    >>> import networkx as nx
    >>> jobs = Workload.from_columns(preceding_job=[-1, 1, 2], think_time=[-1, 30, 5])
    >>> nx.dag_longest_path_length(dependency_graph(jobs), weight="think_time")
    35.0
    """
    links = dependencies(workload)
    graph = _graph(links.predecessor, links.think_time)
    graph.add_nodes_from(range(len(workload)))
    return graph


def _positions(job_id: Ints, wanted: Ints) -> tuple[Ints, Ints]:
    """Return the first position and the count of each wanted job number."""
    order = np.argsort(job_id, kind="stable")
    ascending = job_id[order]
    first = np.searchsorted(ascending, wanted, side="left")
    matches = np.searchsorted(ascending, wanted, side="right") - first
    return order[np.minimum(first, len(order) - 1)], matches


def _graph(predecessor: Ints, think_time: Floats) -> nx.DiGraph[int]:
    jobs = np.flatnonzero(predecessor != MISSING)
    with importing("a graph of dependencies", "networkx"):
        import networkx as nx  # noqa: PLC0415 - an extra

    graph: nx.DiGraph[int] = nx.DiGraph()
    graph.add_weighted_edges_from(
        zip(predecessor[jobs].tolist(), jobs.tolist(), think_time[jobs].tolist(), strict=True),
        weight="think_time",
    )
    return graph
