"""Runs that make one job of the workload."""

from __future__ import annotations

from typing import Literal, NamedTuple, TypeAlias

import numpy as np

from swfx.base.columns import Ints
from swfx.reading.report import Rule
from swfx.slurm.chains import Chains
from swfx.slurm.records import Records

__all__ = ["JobLines", "Requeue", "job_lines"]

Requeue: TypeAlias = Literal["last", "each", "sum"]
"""What a requeued job is: its last run, one job for each run, or the sum of all runs."""

EARLIER_RUN = Rule("earlier-run", "folded", "an earlier run of a job that was requeued")


class JobLines(NamedTuple):
    """Jobs in the order of the lines that stand for them, (n,) each; all but `length` are records.

    Attributes
    ----------
    chains : Chains
        Runs of each job, in the same order.
    before : ndarray of int64
        The run before, where each run is a job of its own; else -1.
    """

    chains: Chains
    before: Ints

    @property
    def first(self) -> Ints:
        """First run of each job."""
        return self.chains.run[self.chains.first]

    @property
    def last(self) -> Ints:
        """The run whose line stands for each job."""
        return self.chains.run[self.chains.last]


def job_lines(chains: Chains, requeue: Requeue, records: Records) -> JobLines:
    """Jobs that these runs make; runs whose lines stand for none are listed."""
    before = np.full(len(chains.first), -1)
    if requeue == "each":
        before = np.append(-1, chains.run[:-1])[: len(chains.run)]
        before[chains.first] = -1
        chains = chains._replace(first=np.arange(len(chains.run)))
    else:
        earlier = np.ones(len(chains.run), np.bool_)
        earlier[chains.last] = False
        records.list_as(chains.run[earlier], EARLIER_RUN)
    order = np.argsort(records.jobs["line"][chains.run[chains.last]])
    return JobLines(_in_order(chains, order), before[order])


def _in_order(chains: Chains, order: Ints) -> Chains:
    length = chains.length[order]
    first = np.cumsum(length) - length
    place = np.repeat(chains.first[order] - first, length) + np.arange(len(chains.run))
    return Chains(chains.run[place], first)
