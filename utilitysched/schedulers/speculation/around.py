"""Schedulers around others, which stop running jobs where those preempt nobody."""

from abc import abstractmethod
from collections.abc import Mapping
from copy import copy
from dataclasses import dataclass, replace
from typing import ClassVar, Generic, Self, TypeVar

from swfx import InputError
from swfx.base.configured import Configured
from utilitysched.model.forecast import ForecastRule
from utilitysched.model.scheduler import Scheduler, Setting
from utilitysched.model.state import Integers, JobTable, QueueState


@dataclass(frozen=True, kw_only=True)
class AroundOptions(Configured):
    """Base of options on which jobs are stopped where a scheduler preempts nobody itself.

    Attributes
    ----------
    asked_by : tuple of str
        Options that have jobs stopped where they are not at their defaults.
    needless : (str, str)
        Why the others are of no use where no job is ever stopped, and the remedy.
    """

    asked_by: ClassVar[tuple[str, ...]]
    needless: ClassVar[tuple[str, str]]

    @property
    def asking(self) -> str:
        """The option that has jobs stopped, empty where none does."""
        given = (name for name in self.asked_by if getattr(self, name) != getattr(type(self), name))
        return next(given, "")

    @classmethod
    def split(cls, options: Mapping[str, str], source: str) -> tuple[Self, dict[str, str]]:
        """Return these options, and the others.

        Raises
        ------
        InputError
            A value that does not fit, or an option that is of no use.
        """
        names = cls.defaults()
        own = {name: text for name, text in options.items() if name in names}
        made = cls.from_texts(own)
        others = [name for name in own if name not in cls.asked_by]
        if others and not made.asking:
            why, remedy = cls.needless
            raise InputError(why, source=source, field=others[0], remedy=remedy)
        return made, {name: text for name, text in options.items() if name not in names}

    def around(self, scheduler: Scheduler, label: str) -> Scheduler:
        """Return the scheduler on these terms.

        Raises
        ------
        InputError
            It preempts jobs itself, decides nothing, or keeps reservations that this would break.
        """
        if not self.asking:
            return scheduler
        if scheduler.preempts or not scheduler.decides:
            raise InputError(
                f"{scheduler.label} decides itself who is stopped",
                source=label,
                field=self.asking,
                remedy="leave it out",
            )
        if scheduler.options.get("reserve"):
            raise InputError(
                "jobs that wait for idle time are not stopped for others",
                source=label,
                field="reserve",
                remedy=f"leave it out, or {self.asking}",
            )
        return self._around(scheduler, label)

    @abstractmethod
    def _around(self, scheduler: Scheduler, label: str) -> Scheduler:
        """Return it where jobs are stopped."""


Settings = TypeVar("Settings", bound=AroundOptions)


class AroundScheduler(Scheduler, Generic[Settings]):
    """Base of schedulers that stop jobs where another one decides what starts.

    Parameters
    ----------
    scheduler : Scheduler
        The other, which preempts nobody.
    settings : AroundOptions
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

    @property
    def notes(self) -> Mapping[str, object]:
        """What the other scheduler notes of its decisions."""
        return self.scheduler.notes

    @property
    def reading(self) -> ForecastRule | None:
        """That of the other scheduler, which ranks."""
        return self.scheduler.reading

    def prepare(self, setting: Setting) -> None:
        """Forget everything and get ready for a new workload."""
        self.scheduler.prepare(setting)
        self.starvation_threshold = self.scheduler.starvation_threshold

    def fork(self, seed: int | None = None) -> Self:
        """Return a scheduler that remembers as much, and draws as for `seed` from now on."""
        other = copy(self)
        other.scheduler = self.scheduler.fork(seed)
        return other

    def withdraw(self, jobs: Integers, known: JobTable) -> None:
        """Have the other scheduler forget queued jobs that are taken back."""
        self.scheduler.withdraw(jobs, known)

    def undisturbed(self, state: QueueState) -> QueueState:
        """Return the state as the other scheduler is to see it: nobody can be stopped."""
        return replace(state, preemption=None)
