"""Transformations of a log that comes in parts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np

from swfx.base.columns import Ints
from swfx.base.number_set import NumberSet
from swfx.families.transformation import Transformation, TransformationReport, apply_one, lost_links
from swfx.header import Header
from swfx.links import cut
from swfx.workload import Workload

__all__ = ["TransformedParts"]


class TransformedParts:
    """The parts of a log after transformations that treat each job by itself; iterate once.

    Together they are what `apply_all` makes of the whole, where the preceding job of each job
    stands before it and no job number repeats. A link to a later job that is dropped stays, and is
    counted.

    Parameters
    ----------
    header : Header
        Of the log.
    parts : iterable of Workload
        Its jobs.
    transformations : tuple of Transformation
        `chunkwise` ones.
    seed : int
        Fixes every draw.

    Attributes
    ----------
    header : Header
        After the transformations, known from the start; it announces what that of the log does.
    account : TransformationReport
        What they say; complete at the end.
    """

    def __init__(
        self,
        header: Header,
        parts: Iterable[Workload],
        transformations: tuple[Transformation, ...],
        seed: int,
    ) -> None:
        assert all(transformation.chunkwise for transformation in transformations)
        self._parts = parts
        self._transformations = transformations
        self._seed = seed
        self._gone = NumberSet()
        self._leads: list[Ints] = []
        self.account = TransformationReport()
        nobody = self._through(Workload.from_columns(job_id=[], header=header))
        self.header = nobody.header.announcing(header.extended, header.extra_columns)
        self.account = TransformationReport()

    def __iter__(self) -> Iterator[Workload]:
        for part in self._parts:
            done = self._through(part)
            leads = done.preceding_job
            done, lost = cut(done, leads[self._gone.has(leads)])
            self.account.changed.update(lost_links(lost))
            if len(done) < len(part):
                self._gone.add(np.setdiff1d(part.job_id, done.job_id))
            self._leads.append(done.preceding_job[done.preceding_job > 0])
            yield done
        self._count_links_left()

    def _count_links_left(self) -> None:
        left = sum(int(self._gone.has(leads).sum()) for leads in self._leads)
        if left:
            self.account.changed["links to a later job that is gone stay"] = left

    def _through(self, part: Workload) -> Workload:
        for transformation in self._transformations:
            done = apply_one(transformation, part, self._seed)
            self.account.add(transformation.label, done)
            part = done.workload
        return part
