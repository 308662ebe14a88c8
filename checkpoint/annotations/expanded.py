"""Checkpoints as users reported them, for their other jobs, too."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from checkpoint.registry import ANNOTATIONS, CheckpointAnnotation, Intervals
from checkpoint.survey_file import read_answers
from swfx.base.columns import Bools, Floats, Ints
from swfx.base.configured import option
from swfx.families.generators.randomness import stream
from swfx.fields import MISSING
from swfx.workload import Workload

NOBODY = -1


@ANNOTATIONS.register("expanded")
@dataclass(frozen=True, kw_only=True)
class Expanded(CheckpointAnnotation):
    """Answers of these jobs, and for the others one drawn from answers for jobs like them.

    Jobs are alike if they have the same user and the same processors. Each job without an answer
    gets one of the answers given for jobs like it, yes or no, drawn at random; where there is none,
    or the user is unknown, it takes no checkpoints.

    Attributes
    ----------
    file : str
        CSV of answers, as `read_answers` reads it.

    References
    ----------
    LEE, section 6.6, the second workload.
    """

    file: str = option(str)

    def intervals(self, workload: Workload, seed: int) -> Intervals:
        """Take the intervals of the file and draw the others."""
        answered, reported, notes = read_answers(self.file, workload)
        uniform = stream(seed, "checkpoint answers").random(len(workload))
        source = _like(_pools(workload), answered, uniform)
        drawn = np.flatnonzero(source != NOBODY)
        interval = reported.copy()
        interval[drawn] = reported[source[drawn]]
        alone = int(np.count_nonzero(~answered)) - len(drawn)
        note = f"{len(drawn):,} answers drawn from similar jobs; {alone:,} jobs have none"
        return Intervals(interval, (*notes, note))


def _pools(workload: Workload) -> Ints:
    """Say which pool each job is in, equal for equal user and processors; -1: unknown user."""
    both = np.stack([workload.user, workload.size], axis=1)
    number = np.unique(both, axis=0, return_inverse=True)[1].reshape(-1)  # 2-d in numpy 2.0
    pools: Ints = np.where(workload.user == MISSING, NOBODY, number)
    return pools


def _like(pool: Ints, answered: Bools, uniform: Floats) -> Ints:
    """Choose the job whose answer each job gets; -1 if it has its own, or nobody's."""
    given = np.flatnonzero(answered & (pool != NOBODY))
    given = given[np.argsort(pool[given], kind="stable")]
    first = np.searchsorted(pool[given], pool, side="left")
    size = np.searchsorted(pool[given], pool, side="right") - first
    drawn = np.flatnonzero(~answered & (size > 0))
    source = np.full(len(pool), NOBODY)
    source[drawn] = given[first[drawn] + (uniform[drawn] * size[drawn]).astype(np.int64)]
    return source
