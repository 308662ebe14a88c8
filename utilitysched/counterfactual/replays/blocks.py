"""Replays of some jobs at a time, in this process or in others, here or elsewhere."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

from utilitysched.counterfactual.replays.question import Question
from utilitysched.counterfactual.replays.replayer import Absence, Replayer
from utilitysched.workers.executor import Executor, Work
from utilitysched.workers.local import SerialExecutor

JOBS = 20
"""Jobs in a block: little is lost when a run is stopped, and little time goes into sending."""

Block = tuple[int, ...]
Blocks = Callable[[Question, list[int]], Iterator[list[Absence]]]
"""Answers a question for the jobs given by index in arrival order, in any order."""


def place(executor: Executor) -> Blocks:
    """Return where replays are run: what answers questions in an executor."""
    return partial(_in_executor, executor)


def here(question: Question, jobs: list[int]) -> Iterator[list[Absence]]:
    """Replay in this process."""
    return _in_executor(SerialExecutor(), question, jobs)


def replays(question: Question) -> Work[Block, list[Absence]]:
    """Return a question as work on blocks of jobs."""
    return Work("replay", partial(_replays, question))


def _in_executor(
    executor: Executor, question: Question, jobs: list[int]
) -> Iterator[list[Absence]]:
    return (found for _, found in executor.run(replays(question), _blocks(jobs)))


def _replays(question: Question) -> Callable[[Block], list[Absence]]:
    return partial(_replayed, Replayer(question))


def _blocks(jobs: list[int]) -> Iterator[Block]:
    return (tuple(jobs[first : first + JOBS]) for first in range(0, len(jobs), JOBS))


def _replayed(replayer: Replayer, block: Block) -> list[Absence]:
    return [replayer.without(job) for job in block]
