"""Whole nodes in place of processors."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from swfx.base.columns import LIMIT, Floats, Ints
from swfx.base.configured import named
from swfx.base.errors import InputError
from swfx.base.options import as_int
from swfx.families.transformation import TRANSFORMS, Transformation, Transformed, lost_links
from swfx.links import chosen
from swfx.workload import Workload

PER_NODE = "counted in nodes, and so are values drawn later: SU a processor-hour are a node-hour's"


def _count(text: str, source: str, field: str) -> int:
    value = as_int(text, source, field)
    if not 1 <= value <= LIMIT:
        raise InputError(
            f"{value} is out of bounds",
            source=source,
            field=field,
            remedy=f"give a whole number from 1 to {LIMIT}",
        )
    return value


@TRANSFORMS.register("nodes")
@dataclass(frozen=True)
class Nodes(Transformation):
    """Count nodes in place of processors, for the jobs and the machine.

    A job of q processors takes ceil(q / per) nodes; jobs wider than the machine are dropped. What
    SWF gives per processor is from then on per node: memory is multiplied by the processors that a
    job has on each of its nodes. CPU time, a mean over processors, stays.

    Parameters
    ----------
    per : int
        Processors of a node.
    count : int, optional
        Nodes of the machine; by default as many as its processors fill.

    Examples
    --------
    >>> log = Workload.from_columns(submit=[0, 5], processors=[9, 40])
    >>> done = Nodes.from_text("per=8,count=4").apply(log, 0)
    >>> done.workload.processors.tolist(), done.dropped
    ([2], {'wider than 4 nodes': 1})
    """

    per: int = named(_count)
    count: int | None = named(_count, None)
    keeps_jobs = False

    def apply(self, workload: Workload, seed: int) -> Transformed:
        """Count nodes, and drop jobs that do not fit."""
        count = self._machine(workload)
        header = workload.header.with_value("MaxProcs", count).with_value("MaxNodes", count)
        used, requested = workload.processors, workload.requested_processors
        counted = workload.replace(
            processors=self._nodes(used),
            requested_processors=self._nodes(requested),
            memory=self._memory(workload.memory, used),
            requested_memory=self._memory(workload.requested_memory, requested),
            header=header,
        )
        narrow = counted.size <= count
        fitting, lost = chosen(counted, narrow)
        gone = int((~narrow).sum())
        dropped = {f"wider than {count} nodes": gone} if gone else {}
        changed = lost_links(lost) | {PER_NODE: len(fitting)}
        return Transformed(fitting, dropped=dropped, changed=changed)

    def _machine(self, workload: Workload) -> int:
        if self.count is not None:
            return self.count
        if workload.machine_size is None:
            raise InputError(
                "the size of the machine is unknown", source=self.label, remedy="give count=N"
            )
        return -(-workload.machine_size // self.per)

    def _nodes(self, processors: Ints) -> Ints:
        return np.where(processors > 0, -(-processors // self.per), processors)

    def _memory(self, memory: Floats, processors: Ints) -> Floats:
        known = (memory > 0) & (processors > 0)
        nodes = np.maximum(self._nodes(processors), 1)
        return np.where(known, memory * processors / nodes, memory)
