"""Request for learning the weights of an ordering."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from swfx.base.document_values import valid, whole
from swfx.base.options import slice_of
from swfx.base.request_fields import Seed, Steps
from swfx.base.typed import Typed

__all__ = ["LearningRequest"]


@dataclass(frozen=True)
class LearningRequest:
    """Weights to learn, the logs that the cells are drawn from, and the search.

    Attributes
    ----------
    logs : sequence of str
        As other commands take a workload; used in turn.
    scheduler : str
        Whose weights are learned: index:key=value,...
    jobs : sequence of str
        Job lines A to B only; once for all logs, or once for each, in order.
    machine_size : int or None
        Processors of the machine.
    apply : sequence of str
        Transformations of the jobs, in order.
    loads : str
        Offered loads of the cells.
    utilities : str
        Utility functions: factor=3,step=1, diurnal:at=09:00, curves:file=FILE, default.
    metric : str
        Metric to maximise; see docs/metrics.md.
    least : bool
        Minimise it instead.
    cell_jobs : int
        Jobs of a cell.
    batch : int
        Cells that each generation is tried on.
    generations : int
        Generations of the search.
    start : Path or None
        Weights to begin with.
    fixed : str
        Weights that stay as they begin.
    seed : int
        Seed of everything random.
    """

    logs: Annotated[Sequence[str], Typed("LOG...")]
    scheduler: Annotated[str, Typed("--scheduler -s SPEC")] = "index"
    jobs: Annotated[Sequence[Annotated[str, valid(slice_of)]], Typed("--jobs A:B")] = ()
    machine_size: Annotated[
        int | None, whole(1), Typed("--machine-size N", shown="the log's header")
    ] = None
    apply: Steps = ()
    loads: Annotated[str, Typed("--loads A:B")] = "0.8:1"
    utilities: Annotated[str, Typed("--utilities SPEC")] = "default"
    metric: Annotated[str, Typed("--objective NAME")] = "aggregate_utility"
    least: Annotated[bool, Typed("--least")] = False
    cell_jobs: Annotated[int, whole(1), Typed("--cell-jobs N")] = 2000
    batch: Annotated[int, whole(1), Typed("--batch N")] = 14
    generations: Annotated[int, whole(1), Typed("--generations N")] = 120
    start: Annotated[Path | None, Typed("--start FILE", shown="a simple rule")] = None
    fixed: Annotated[str, Typed("--fix NAME,...")] = ""
    seed: Seed = 0
