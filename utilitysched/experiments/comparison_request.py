"""Request for a comparison of schedulers without an experiment file."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

from swfx.base.document_values import valid, whole
from swfx.base.options import slice_of
from swfx.base.request_fields import Failures, MachineFile, Preemption, Steps
from swfx.base.typed import Typed

__all__ = ["ComparisonRequest"]

METRICS = "aggregate_utility, wait_mean, bounded_slowdown_mean"
"""Metrics that are compared by default, for the help text."""


@dataclass(frozen=True)
class ComparisonRequest:
    """Schedulers to compare, and the workloads and draws that are the pairs.

    Attributes
    ----------
    schedulers : sequence of str
        NAME or NAME:key=value,... of two schedulers or more; the first is the baseline.
    workloads : sequence of str
        Workload, as for other commands, but not standard input; repeatable, each has its own
        tables.
    jobs : sequence of str
        Job lines A to B only; repeatable, each slice is a pair.
    machine_size : int or None
        Processors of the machine.
    apply : sequence of str
        Transformations of the jobs, in order.
    utilities : str
        Utility functions: factor=3,step=1, diurnal:at=09:00, curves:file=FILE, default; 'none'
        simulates as it is.
    seeds : int
        Draws of utility functions, each a pair.
    repeats : int
        Runs of stochastic schedulers, averaged within each pair.
    metrics : sequence of str
        Metric of docs/metrics.md, or a pattern such as 'wait_p*'; repeatable.
    preemption : str or None
        Rules by which running jobs may be preempted.
    failures : str or None
        Processors that fail, the same for all schedulers within a pair.
    machine : Path or None
        Machine file; None for one pool of processors without limits.
    """

    schedulers: Annotated[Sequence[str], Typed("A B...")]
    workloads: Annotated[Sequence[str], Typed("--workload -w WORKLOAD", shown="sample:")] = (
        "sample:",
    )
    jobs: Annotated[Sequence[Annotated[str, valid(slice_of)]], Typed("--jobs A:B")] = ()
    machine_size: Annotated[
        int | None, whole(1), Typed("--machine-size N", shown="the log's header")
    ] = None
    apply: Steps = ()
    utilities: Annotated[str, Typed("--utilities SPEC")] = "default"
    seeds: Annotated[int, whole(1), Typed("--seeds N")] = 8
    repeats: Annotated[int, whole(1), Typed("--repeats N")] = 1
    metrics: Annotated[Sequence[str], Typed("--metric -m NAME", shown=METRICS)] = ()
    preemption: Preemption = None
    failures: Failures = None
    machine: MachineFile = None
