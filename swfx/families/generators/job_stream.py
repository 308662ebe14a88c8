"""Endless streams of jobs of one class, and their merging by arrival."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from swfx.base.columns import Floats, Ints
from swfx.families.generators.daily_cycle import DailyCycle, slot_weights
from swfx.families.generators.job_class import JobClass
from swfx.families.generators.randomness import stream

BLOCK = 8192
"""Jobs drawn at a time: bounds the memory, and makes the first jobs of a longer run the same."""


class Block(NamedTuple):
    """Jobs in order of arrival: submit (s, unrounded), size before any cut, run time (s)."""

    submit: Floats
    size: Ints
    run: Floats


@dataclass(frozen=True)
class JobStream:
    """The jobs of one class on a machine.

    Parameters
    ----------
    name : str
        Name of the class, part of the purpose of its random draws.
    job_class : JobClass
        Parameters, with their size limits settled.
    processors : int
        Machine size; larger jobs run as if they had this size.
    start_hour : int
        Hour of the day at time 0.
    gap_scale : float
        Factor on all gaps.
    lagging : bool
        Whether every gap is cut to whole seconds.
    """

    name: str
    job_class: JobClass
    processors: int
    start_hour: int
    gap_scale: float
    lagging: bool

    def blocks(self, seed: int) -> Iterator[Block]:
        """Draw blocks of `BLOCK` jobs without end; gaps, sizes and run times independently."""
        gaps, sizes, runs = (
            stream(seed, f"lublin {self.name} {purpose}")
            for purpose in ("gaps", "sizes", "run times")
        )
        for submit in self._submits(gaps):
            size = self.job_class.draw_sizes(BLOCK, sizes)
            cut = np.minimum(size, self.processors)
            yield Block(submit, size, self.job_class.draw_run_times(cut, runs))

    def _submits(self, rng: np.random.Generator) -> Iterator[Floats]:
        weights = slot_weights(self.job_class.a_num, self.job_class.b_num)
        cycle = DailyCycle(weights, self.start_hour)
        weighted = real = printed = 0.0
        while True:
            gaps = self.gap_scale * self.job_class.draw_gaps(BLOCK, rng)
            arrival = weighted + np.cumsum(gaps)
            submit = cycle.real_time(arrival)
            lagging = printed + np.cumsum(np.floor(np.diff(submit, prepend=real)))
            weighted, real, printed = arrival[-1], submit[-1], lagging[-1]
            yield lagging if self.lagging else submit


def merge(streams: Sequence[Iterator[Block]], jobs: int) -> tuple[Block, Ints]:
    """Take the first jobs of all streams together.

    Parameters
    ----------
    streams : sequence of iterators of Block
        Endless; all blocks have the same number of jobs.
    jobs : int
        How many to take.

    Returns
    -------
    tuple of Block and ndarray of int64, shape (jobs,)
        The jobs by submit time (ties: the earlier stream first), and which stream each is of.
    """
    chains = [[next(blocks)] for blocks in streams]
    each = len(chains[0][0].submit)
    # The stream that is behind is always the one extended, so every other one has at most one
    # block beyond its end: all but that many of the jobs drawn are final.
    while each * sum(map(len, chains)) < jobs + each * (len(chains) - 1):
        behind = min(range(len(chains)), key=lambda i: float(chains[i][-1].submit[-1]))
        chains[behind].append(next(streams[behind]))
    drawn = [block for chain in chains for block in chain]
    submit, size, run = (np.concatenate(column) for column in zip(*drawn, strict=True))
    order = np.argsort(submit, kind="stable")[:jobs]
    origin = np.repeat(np.arange(len(chains)), [each * len(chain) for chain in chains])
    return Block(submit[order], size[order], run[order]), origin[order]
