"""Some jobs at a time, in this process or in others, here or elsewhere."""

from __future__ import annotations

import os
import pickle
import tempfile
from collections.abc import Callable, Iterator
from functools import lru_cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

from swfx import InputError
from utilitysched.counterfactual.replays.question import Question
from utilitysched.counterfactual.replays.replayer import Absence, Replayer
from utilitysched.workers.work import Work

if TYPE_CHECKING:
    from utilitysched.workers.cluster import DaskRunner

JOBS = 20
"""Jobs in a block: little is lost when a run is stopped, and little time goes into sending."""

Block = tuple[int, ...]
Blocks = Callable[[Question, list[int]], Iterator[list[Absence]]]
"""Answers a question for the jobs given by index in arrival order, in any order."""


def place(processes: int, on_compile: Callable[[], None] = lambda: None) -> Blocks:
    """Return where replays are run: in so many processes; one is this process itself."""
    if processes == 1:
        return here
    return partial(in_processes, processes=processes, on_compile=on_compile)


def here(question: Question, jobs: list[int]) -> Iterator[list[Absence]]:
    """Replay in this process."""
    replayer = Replayer(question)
    return (_replayed(replayer, block) for block in _blocks(jobs))


def in_processes(
    question: Question,
    jobs: list[int],
    processes: int,
    on_compile: Callable[[], None],
) -> Iterator[list[Absence]]:
    """Replay in other processes of this machine.

    Raises
    ------
    InputError
        A process was killed.
    """
    from utilitysched.workers.local import work_in_processes  # noqa: PLC0415  slow to import

    handle, name = tempfile.mkstemp(prefix="utilitysched-", suffix=".pickle")
    try:
        with os.fdopen(handle, "wb") as file:
            pickle.dump(question, file)
        work = partial(_replay, name)
        for _, found in work_in_processes(work, _blocks(jobs), processes, on_compile):
            yield found
    finally:
        Path(name).unlink()


def on_cluster(question: Question, jobs: list[int], cluster: DaskRunner) -> Iterator[list[Absence]]:
    """Replay on the workers of a cluster.

    Raises
    ------
    InputError
        The cluster is gone, a worker would not find what others find, or workers die of a replay.
    """
    work: Work[Block, list[Absence]] = Work(
        name="replay",
        function="utilitysched.counterfactual.replays.blocks:replay_sent",
        send=tuple,
        read=list,
        fail=_refuse,
        shared=pickle.dumps(question),
    )
    return (found for _, found in cluster.results(work, _blocks(jobs)))


def replay_sent(question: bytes, block: Block) -> list[Absence]:
    """Replay where the question was sent, and is kept."""
    return _replayed(_replayer_of(question), block)


def _refuse(reason: str) -> NoReturn:
    raise InputError(reason)


def _blocks(jobs: list[int]) -> Iterator[Block]:
    return (tuple(jobs[first : first + JOBS]) for first in range(0, len(jobs), JOBS))


def _replay(name: str, block: Block) -> list[Absence]:
    return _replayed(_replayer(name), block)


@lru_cache(maxsize=1)
def _replayer(name: str) -> Replayer:
    return _replayer_of(Path(name).read_bytes())


@lru_cache(maxsize=1)
def _replayer_of(question: bytes) -> Replayer:
    return Replayer(pickle.loads(question))


def _replayed(replayer: Replayer, block: Block) -> list[Absence]:
    return [replayer.without(job) for job in block]
