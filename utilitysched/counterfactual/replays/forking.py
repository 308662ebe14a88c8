"""A second scheduler that goes on from where a first one is."""

import hashlib
import pickle
from copy import deepcopy
from typing import Protocol, runtime_checkable

from swfx import InputError
from utilitysched.model.scheduler import Decider
from utilitysched.model.state import Integers
from utilitysched.schedulers.list_scheduler import ListScheduler


@runtime_checkable
class Forkable(Decider, Protocol):
    """A scheduler that says what it remembers."""

    def fork(self, seed: int | None = None) -> Decider:
        """Return a scheduler that remembers as much, and draws as for `seed` from now on."""
        ...

    def memory_of(self, queued: Integers) -> object:
        """Return what is remembered that can change a decision on these jobs or later ones."""
        ...


def fork_of(scheduler: Decider, seed: int | None) -> Decider:
    """Return a scheduler that remembers as much.

    Parameters
    ----------
    scheduler : Decider
        Whose copy is wanted.
    seed : int or None
        Draw as for this one from now on.

    Raises
    ------
    InputError
        It cannot change its seed.
    """
    if isinstance(scheduler, Forkable):
        return scheduler.fork(seed)
    if seed is not None:
        name = getattr(scheduler, "label", type(scheduler).__name__)
        raise InputError(
            f"{name} cannot go on with other random draws",
            field="seeds",
            remedy="give seeds=1, or the scheduler a method fork(seed)",
        )
    return deepcopy(scheduler)


def memory_of(scheduler: Decider, queued: Integers) -> object:
    """Return what a scheduler remembers; equal memories make equal decisions.

    All of a scheduler that does not say what matters is taken to matter; if it cannot be pickled
    either, its memory is equal to no other.
    """
    if isinstance(scheduler, Forkable):
        return scheduler.memory_of(queued)
    if is_forgetful(scheduler):
        return None
    try:
        return hashlib.sha256(pickle.dumps(scheduler)).digest()
    except (pickle.PicklingError, TypeError, AttributeError):
        return object()


def is_forgetful(scheduler: Decider) -> bool:
    """Whether it is known to decide by the queue and the running jobs alone."""
    return type(scheduler) is ListScheduler and not scheduler.remembers
