"""Schedulers around others, which stop running jobs where those preempt nobody."""

from collections.abc import Mapping
from copy import copy
from dataclasses import replace
from typing import Generic, Self, TypeVar

from swfx.base.configured import Configured
from utilitysched.model.scheduler import Scheduler, Setting
from utilitysched.model.state import QueueState

Settings = TypeVar("Settings", bound=Configured)


class AroundScheduler(Scheduler, Generic[Settings]):
    """Base of schedulers that stop jobs where another one decides what starts.

    Parameters
    ----------
    scheduler : Scheduler
        The other, which preempts nobody.
    settings : Configured
        On what terms.
    label : str
        Text that makes this scheduler.
    """

    label = "around"
    preempts = True

    def __init__(self, scheduler: Scheduler, settings: Settings, label: str) -> None:
        self.scheduler = scheduler
        self.settings = settings
        self.label = label
        self.stochastic = scheduler.stochastic
        self.rule = scheduler.rule

    @property
    def options(self) -> Mapping[str, object]:
        """Every option in force."""
        return {**self.scheduler.options, **vars(self.settings)}

    def prepare(self, setting: Setting) -> None:
        """Forget everything and get ready for a new workload."""
        self.scheduler.prepare(setting)
        self.starvation_threshold = self.scheduler.starvation_threshold

    def fork(self, seed: int | None = None) -> Self:
        """Return a scheduler that remembers as much, and draws as for `seed` from now on."""
        other = copy(self)
        other.scheduler = self.scheduler.fork(seed)
        return other

    def undisturbed(self, state: QueueState) -> QueueState:
        """Return the state as the other scheduler is to see it: nobody can be stopped."""
        return replace(state, preemption=None)
