"""Checkpoints as users reported them."""

from __future__ import annotations

from dataclasses import dataclass

from checkpoint.registry import ANNOTATIONS, CheckpointAnnotation, Intervals
from checkpoint.survey_file import read_answers
from swfx.base.configured import option
from swfx.workload import Workload


@ANNOTATIONS.register("reported")
@dataclass(frozen=True, kw_only=True)
class Reported(CheckpointAnnotation):
    """What the users of these jobs answered; a job without an answer takes no checkpoints.

    A lower bound of checkpointing.

    Attributes
    ----------
    file : str
        CSV of answers, as `read_answers` reads it.

    References
    ----------
    LEE, section 6.6, the first workload.
    """

    file: str = option(str)

    def intervals(self, workload: Workload, seed: int) -> Intervals:  # noqa: ARG002  not random
        """Take the intervals of the file."""
        _, interval, notes = read_answers(self.file, workload)
        return Intervals(interval, notes)
