"""What the workers of a cluster are asked to do, task by task."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

Task = TypeVar("Task")
Result = TypeVar("Result")


@dataclass(frozen=True)
class Work(Generic[Task, Result]):
    """How tasks go to workers, and results come back.

    Attributes
    ----------
    name : str
        What a task is called.
    function : str
        What a worker calls with `shared` and the task as it was sent, ``package.module:function``:
        by name, so that it is not loaded before the installations have been compared.
    send : callable
        From a task to what is sent.
    read : callable
        From what the function returned to the result.
    fail : callable
        From the reason why a task has no result to what is its result all the same; may raise.
    shared : bytes
        What all tasks need: sent once, and kept by the workers.
    """

    name: str
    function: str
    send: Callable[[Task], Any]
    read: Callable[[Any], Result]
    fail: Callable[[str], Result]
    shared: bytes = b""
