"""Replays of some jobs at a time, in any executor."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

from utilitysched.counterfactual.replays.question import Question
from utilitysched.counterfactual.replays.replayer import Absence, Replayer
from utilitysched.workers.executor import Work

JOBS = 20
"""Jobs in a block: little is lost when a run is stopped, and little time goes into sending."""

Block = tuple[int, ...]
"""Jobs by index in arrival order."""


def replays(question: Question) -> Work[Block, list[Absence]]:
    """Return a question as work on blocks of jobs."""
    return Work("replay", partial(_replays, question))


def in_blocks(jobs: list[int]) -> Iterator[Block]:
    """Yield jobs block by block."""
    return (tuple(jobs[first : first + JOBS]) for first in range(0, len(jobs), JOBS))


def _replays(question: Question) -> Callable[[Block], list[Absence]]:
    replayer = Replayer(question)
    return lambda block: [replayer.without(job) for job in block]
