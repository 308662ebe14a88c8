"""Executors and the work they do: what all places where tasks run have in common."""

from __future__ import annotations

import pickle
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from dataclasses import dataclass
from itertools import islice
from typing import Any, Generic, NoReturn, Protocol, TypeVar

from swfx.base.errors import InputError
from swfx.base.plugin_file import load_plugins, loaded_plugins

Task = TypeVar("Task")
Result = TypeVar("Result")


def _refuse(reason: str) -> NoReturn:
    raise InputError(reason)


def _lacks_nothing(_: object) -> None:
    """Accept any task."""


@dataclass(frozen=True)
class Work(Generic[Task, Result]):
    """One kind of work on many tasks; it, tasks and results can be pickled.

    Attributes
    ----------
    name : str
        What a task is called, in messages.
    prepare : callable
        Returns what does a task. Called once in every process that works, and sent there once:
        what all tasks need, however large, belongs in its arguments.
    fail : callable
        From the reason why a task was given up to what is its result all the same; by default an
        `InputError` is raised.
    check : callable
        Called with every task on other machines, before it is done there; raises an `InputError`
        if they lack what it needs, and so ends the run.
    """

    name: str
    prepare: Callable[[], Callable[[Task], Result]]
    fail: Callable[[str], Result] = _refuse
    check: Callable[[Task], None] = _lacks_nothing


def packed(work: Work[Any, Any]) -> bytes:
    """Return work pickled for other processes, together with the loaded plug-ins."""
    return pickle.dumps((loaded_plugins(), pickle.dumps(work)))


def unpacked(sent: bytes) -> Work[Any, Any]:
    """Return work that was sent, once its plug-ins are loaded."""
    plugins, pickled = pickle.loads(sent)
    load_plugins(plugins)
    work: Work[Any, Any] = pickle.loads(pickled)
    return work


class Executor(Protocol):
    """A place where tasks run. The results are the same in all of them."""

    def run(self, work: Work[Task, Result], tasks: Iterable[Task]) -> Iterator[tuple[Task, Result]]:
        """Yield tasks with their results in the order of completion.

        A task is taken from `tasks` when there is room for it, a few per worker, not all at once;
        taking one must not wait. Closing the iterator stops what still runs.

        Raises
        ------
        InputError
            The workers are gone or unfit, or a task was refused.
        """
        ...


def in_flight(
    tasks: Iterator[Task],
    submit: Callable[[Task], Future[Any]],
    room: Callable[[], int],
    look: float,
) -> Iterator[tuple[Task, Future[Any]]]:
    """Keep a limited number of tasks in flight; yield each task with its ended future.

    Parameters
    ----------
    tasks : iterator
        Taken from when there is room.
    submit : callable
        Sends a task on its way.
    room : callable
        Returns how many may be on their way; called whenever some have ended.
    look : float
        Seconds after which it is called at the latest.
    """
    flying: dict[Future[Any], Task] = {}
    while True:
        free = room() - len(flying)
        flying |= {submit(task): task for task in islice(tasks, max(free, 0))}
        if not flying:
            return
        done, _ = wait(flying, look, return_when=FIRST_COMPLETED)
        landed = [(flying.pop(future), future) for future in done]
        yield from landed  # before room is asked for: that may find out that the workers are gone


class TaskRounds(Generic[Task, Result]):
    """TaskRounds of tasks on one executor, each made from the results of the one before.

    The executor sees one stream of tasks, so that its processes are started once. To be closed
    when no more rounds follow.

    Parameters
    ----------
    executor : Executor
        Where tasks run.
    work : Work
        What is done.
    """

    def __init__(self, executor: Executor, work: Work[Task, Result]) -> None:
        self._waiting: deque[Task] = deque()
        self._results = executor.run(work, self)

    def __iter__(self) -> Iterator[Task]:
        return self

    def __next__(self) -> Task:
        # an executor asks again once there may be more: after each result
        if not self._waiting:
            raise StopIteration
        return self._waiting.popleft()

    def run(self, tasks: Sequence[Task]) -> list[Result]:
        """Return the results of a round, in the order of its tasks."""
        places = {id(task): i for i, task in enumerate(tasks)}
        self._waiting.extend(tasks)
        results = islice(self._results, len(tasks))
        by_place = {places[id(task)]: result for task, result in results}
        return [by_place[i] for i in range(len(tasks))]

    def close(self) -> None:
        """Cancel the tasks still running."""
        if isinstance(self._results, Generator):
            self._results.close()
