"""Transformations: the jobs of a workload chosen, moved, scaled, or drawn anew."""

from __future__ import annotations

import dataclasses
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import ClassVar, NamedTuple

from swfx.base.columns import Bools, Ints
from swfx.base.configured import Configured
from swfx.base.errors import InputError
from swfx.base.registry import Registry
from swfx.links import chosen
from swfx.workload import Workload

__all__ = [
    "TRANSFORMS",
    "Transformation",
    "Transformed",
    "apply_all",
    "apply_one",
    "lost_links",
    "make_transforms",
    "selected",
]

COUNTS = ("MaxJobs", "MaxRecords", "EndTime")
"""Header keys that may be untrue when jobs came or went."""


class Transformed(NamedTuple):
    """What a transformation gives.

    Attributes
    ----------
    workload : Workload
        The jobs after it.
    notes : tuple of str
        What there is to say, one sentence each.
    dropped : mapping of str to int
        Jobs that are gone, by reason.
    changed : mapping of str to int
        Other things that were done to jobs, and to how many.
    """

    workload: Workload
    notes: tuple[str, ...] = ()
    dropped: Mapping[str, int] = {}
    changed: Mapping[str, int] = {}


class Transformation(Configured, ABC):
    """Base of all transformations: frozen dataclasses whose fields are their options.

    Attributes
    ----------
    keeps_jobs : bool
        No job comes or goes.
    """

    LISTED = "utilitysched list transformations"
    keeps_jobs: ClassVar[bool] = True

    @property
    def stochastic(self) -> bool:
        """Whether random numbers are drawn, all from the seed."""
        return False

    @abstractmethod
    def apply(self, workload: Workload, seed: int) -> Transformed:
        """Transform a workload; the same seed gives the same result.

        Raises
        ------
        InputError
            The workload lacks what the transformation needs.
        """


def selected(workload: Workload, which: slice | Bools | Ints, reason: str) -> Transformed:
    """Choose some jobs of a workload; the others are gone for one reason, and links to them."""
    some, lost = chosen(workload, which)
    gone = len(workload) - len(some)
    return Transformed(some, dropped={reason: gone} if gone else {}, changed=lost_links(lost))


def lost_links(number: int) -> dict[str, int]:
    """Links that had to be taken out, as `Transformed.changed` tells it."""
    return {"links to dropped preceding jobs removed": number} if number else {}


TRANSFORMS: Registry[Transformation] = Registry(
    "transformation", "swfx.transforms", "swfx.families.transforms"
)
"""Transformations by name."""


def make_transforms(texts: Iterable[str]) -> tuple[Transformation, ...]:
    """Make transformations from ``NAME[:key=value,...]``.

    Raises
    ------
    InputError
        Unknown name or option, or an unusable value.
    """
    return tuple(TRANSFORMS.make(text) for text in texts)


def apply_all(workload: Workload, texts: Iterable[str], seed: int = 0) -> Transformed:
    """Apply transformations in turn.

    Each leaves a header line ``Transformation`` that repeats it. Header lines that count jobs or
    say when the last one ended are taken out where jobs may come or go.

    Parameters
    ----------
    workload : Workload
        At least one job.
    texts : iterable of str
        ``NAME[:key=value,...]``, in the order they are applied.
    seed : int, default 0
        Fixes every draw, at least 0.

    Raises
    ------
    InputError
        As `make_transforms`, before anything is done; or one of them cannot be applied, or leaves
        no job.

    Examples
    --------
    >>> log = Workload.from_columns(submit=[0, 5, 9], run=[1, 2, 3], processors=[1, 1, 4])
    >>> few = apply_all(log, ["slice:jobs=1:", "accurate"])
    >>> len(few.workload), few.workload.requested_time.tolist(), dict(few.dropped)
    (2, [2.0, 3.0], {'slice:jobs=1:: outside of it': 1})
    """
    notes: list[str] = []
    dropped, changed = Counter[str](), Counter[str]()
    for transformation in make_transforms(texts):
        label = transformation.label
        done = apply_one(transformation, workload, seed)
        if not len(done.workload):
            raise InputError(
                f"leaves none of {len(workload)} jobs", source=label, remedy="choose other options"
            )
        workload = done.workload
        notes += [f"{label}: {note}" for note in done.notes]
        dropped.update({f"{label}: {why}": jobs for why, jobs in done.dropped.items()})
        changed.update({f"{label}: {what}": jobs for what, jobs in done.changed.items()})
    return Transformed(workload, tuple(notes), dropped, changed)


def apply_one(transformation: Transformation, workload: Workload, seed: int) -> Transformed:
    """Apply a transformation and record it in the header; no job may be left."""
    done = transformation.apply(workload, seed)
    header = done.workload.header
    if not transformation.keeps_jobs:
        header = header.without(*COUNTS)
    record = transformation.label + (f"; seed {seed}" if transformation.stochastic else "")
    header = dataclasses.replace(header, lines=(*header.lines, f" Transformation: {record}"))
    return done._replace(workload=done.workload.replace(header=header))
