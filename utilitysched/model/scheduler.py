"""Schedulers: what the engine asks of one, and what one may say of itself."""

import hashlib
import math
import pickle
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from copy import copy, deepcopy
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple, Never, Protocol, Self, TypeVar

import numpy as np
from numpy.typing import NDArray

from swfx import InputError, Workload
from utilitysched.model.forecast import ForecastRule
from utilitysched.model.plans import Planner
from utilitysched.model.restarts import RestartTerms
from utilitysched.model.segments import Segments
from utilitysched.model.state import Decision, Floats, Integers, JobTable, QueueState

if TYPE_CHECKING:
    from utilitysched.model.machine import ShareTable

Copied = TypeVar("Copied")


@dataclass(frozen=True, slots=True)
class Setting:
    """What is settled before the first event.

    Attributes
    ----------
    machine_size : int
        Processors of the machine.
    longest_request : float
        Longest requested time in the workload (s); only relative starvation thresholds use it.
    seed : int
        Seed of the scheduler's random draws.
    downtime : utilitysched.engine.outages.Downtime or None
        Outages, for a scheduler that decides nothing on the way (`Scheduler.meets_failures`).
    """

    machine_size: int
    longest_request: float
    seed: int
    downtime: Any = None


class Decider(Protocol):
    """Anything that decides: all that `utilitysched.simulate` asks for.

    It may have whatever else `Scheduler` has; for what it lacks, that has a default.
    """

    def decide(self, state: QueueState) -> Decision:
        """Return the decision of this pass: starts, preemptions, wake-up."""
        ...


class RecordedTimes(NamedTuple):
    """When each job of a workload started and ended on the log's clock (s), (n,) float64 each.

    `shared` says, for provenance, on what terms jobs shared nodes and so ran for longer or shorter
    than the workload says, and `processors` which each had, as ranges; None where they did not.
    `segments` are the stretches in which jobs ran, where nodes fail: starts are first starts then.
    `killed`, (n,) bool, are those that their neighbours kept from being done at their limits; None
    where jobs may finish.
    """

    start: Floats
    end: Floats
    shared: Mapping[str, object] | None = None
    processors: tuple[str, ...] | None = None
    segments: Segments | None = None
    killed: NDArray[np.bool_] | None = None


class Scheduler(ABC):
    """A scheduler, and what it can do: declared here, and asked nowhere else.

    Whoever wants something of a scheduler finds it among these attributes and methods. All but
    `decide` have defaults that hold for any scheduler, if not in the fastest way.

    Attributes
    ----------
    label : str
        Canonical text; `make_scheduler` turns it back into an equal scheduler. Default: the name
        of the class.
    stochastic : bool
        Results depend on the seed.
    preempts : bool
        Running jobs may be preempted.
    decides : bool
        `decide` says what starts; if not, `recorded` has said it all.
    meets_failures : bool
        `recorded` reckons with the outages of its `Setting`.
    starvation_threshold : float
        Wait (s) beyond which a job goes ahead of all others, infinite if none.
    keeps_reservations : bool
        Reservations made at earlier passes are kept, not made anew at each.
    remembers : bool
        Anything but the queue and the running jobs decides.
    reads_queued_only : bool
        Utility functions and requested times matter until a job starts, and of a running job
        nothing but when it is expected to end.
    bids_matter : bool
        Utility functions can change what it does.
    rule : ForecastRule
        How it reads utility functions when it plans.
    reading : ForecastRule or None
        How it reads them when it ranks jobs that may start, so that charges can go by what it read;
        default None: it reads none, or does not say.
    """

    label: str
    stochastic: bool = False
    preempts: bool = False
    decides: bool = True
    meets_failures: bool = False
    starvation_threshold: float = math.inf
    rule: ForecastRule = ForecastRule()

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        if "label" not in vars(cls):
            cls.label = cls.__name__

    @property
    def options(self) -> Mapping[str, object]:
        """Every option in force, for provenance."""
        return {}

    @property
    def keeps_reservations(self) -> bool:
        """See the class."""
        return False

    @property
    def remembers(self) -> bool:
        """See the class."""
        return True

    @property
    def reads_queued_only(self) -> bool:
        """See the class."""
        return False

    @property
    def bids_matter(self) -> bool:
        """See the class."""
        return True

    @property
    def reading(self) -> ForecastRule | None:
        """See the class."""
        return None

    @property
    def compiled(self) -> Any:
        """What the compiled event loop can play, None if `decide` is to be asked at every pass."""
        return None

    @property
    def compiled_on_machine(self) -> Any:
        """What the compiled loop for machines can play; default: `compiled`."""
        return self.compiled

    @property
    def reads_usage(self) -> bool:
        """Whether a machine has to keep account of usage for it."""
        return False

    def shares(self, table: "ShareTable") -> "ShareTable":
        """Return shares with weights of its own, if it has any, in place of the machine's."""
        return table

    @property
    def restart_terms(self) -> RestartTerms | None:
        """On what terms it takes processors back from jobs that may be run again; default: none."""
        return None

    @property
    def compiled_base(self) -> Any:
        """List scheduler for that loop, under any `restart_terms`; default: `compiled`."""
        return self.compiled

    @property
    def in_turns(self) -> Any:
        """What has that loop play list schedulers by turns, None where nothing does.

        It has `members`, and ``turn(now, known, past)`` says which of them decides until when; see
        `utilitysched.schedulers.selection`.
        """
        return None

    @property
    def notes(self) -> Mapping[str, object]:
        """What else is to be kept of how it decided the jobs last played; default: nothing."""
        return {}

    @property
    def order_search(self) -> Any:
        """What searches for an order that can be followed for a while, None where nothing does."""
        return None

    def indifferent(self, known: JobTable) -> bool:  # noqa: ARG002 - most are not, or do not say
        """Return whether these jobs are served in order of arrival."""
        return False

    def prepare(self, setting: Setting) -> None:  # noqa: B027 - most have nothing to forget
        """Forget everything and get ready for a new workload."""

    @abstractmethod
    def decide(self, state: QueueState) -> Decision:
        """Return the decision of this pass: starts, preemptions, wake-up."""

    def fork(self, seed: int | None = None) -> Self:
        """Return a scheduler that remembers as much, and draws as for `seed` from now on.

        Raises
        ------
        InputError
            It cannot change its draws.
        """
        return forked(self, seed, self.label)

    def memory_of(self, queued: Integers) -> object:  # noqa: ARG002 - all of it is taken to matter
        """Return the memory that can still affect decisions on queued or later jobs.

        Equal memories make equal decisions. One that cannot be pickled is equal to no other.
        """
        if not self.remembers:
            return None
        try:
            return hashlib.sha256(pickle.dumps(self)).digest()
        except (pickle.PicklingError, TypeError, AttributeError):
            return object()

    def withdraw(self, jobs: Integers, known: JobTable) -> None:  # noqa: B027 - see `decide`
        """Forget queued jobs that are taken back."""

    def preemptible(self, state: QueueState) -> Integers:
        """Return the running jobs that it might preempt, now or later."""
        rules, running = state.preemption, state.running
        if rules is None or not self.preempts:
            return running[:0]
        jobs: Integers = running[rules.interval[running] >= 0]
        return jobs

    def played_first(self, workload: Workload) -> "tuple[Workload, Scheduler] | None":  # noqa: ARG002
        """Return jobs and a scheduler to be played before `recorded`; default: none.

        `begin_from` then takes when those jobs start. They are the jobs given, changed.
        """
        return None

    def begin_from(self, start: Floats) -> None:  # noqa: B027 - see `played_first`
        """Take when jobs start in a schedule (s), in workload order."""

    def recorded(
        self,
        workload: Workload,  # noqa: ARG002 - most decide
        watch: Callable[[float], None] | None = None,  # noqa: ARG002
    ) -> RecordedTimes | None:
        """Return when jobs ran, in workload order, where that is known and nothing is decided.

        `watch` takes the share that is done, where it takes long to find out.
        """
        return None

    def planner(self) -> Planner | None:
        """Plans of the scheduler; None for the plans that playing it out would give."""
        return None


class KnownSchedule(Scheduler):
    """Base of those of whom all is known beforehand, so that nothing is decided on the way.

    Attributes
    ----------
    told : str
        What says when jobs run, for messages.
    instead : str
        What to choose where it is of no use.
    """

    decides = False
    told: str
    instead: str

    def decide(self, state: QueueState) -> Never:  # noqa: ARG002 - nothing is decided
        """Refuse.

        Raises
        ------
        InputError
            Always.
        """
        raise InputError(
            f"{self.told} does not say what would have been otherwise",
            field="scheduler",
            remedy=f"charge by single-price or multi-queue, or {self.instead}",
        )


class Wrapper(Scheduler):
    """Adapter that makes any object with `decide` a full scheduler.

    Parameters
    ----------
    scheduler : Decider
        With as much of what `Scheduler` has as it likes.
    label : str, optional
        What it is called if it does not say; default: the name of its class.
    """

    def __init__(self, scheduler: Decider, label: str = "") -> None:
        self.scheduler = scheduler
        self.label = str(getattr(scheduler, "label", label or type(scheduler).__name__))
        self.stochastic = bool(self._declared("stochastic"))
        self.preempts = bool(self._declared("preempts"))
        self.rule = self._declared("rule")
        self.starvation_threshold = float(self._declared("starvation_threshold"))

    def _declared(self, name: str) -> Any:
        """Return an attribute of the scheduler, or what any has."""
        return getattr(self.scheduler, name, getattr(super(), name))

    @property
    def options(self) -> Mapping[str, object]:
        """Every option in force."""
        return dict(self._declared("options"))

    @property
    def notes(self) -> Mapping[str, object]:
        """Notes on the scheduler's decisions, by heading."""
        return dict(self._declared("notes"))

    @property
    def keeps_reservations(self) -> bool:
        """See `Scheduler`."""
        return bool(self._declared("keeps_reservations"))

    @property
    def remembers(self) -> bool:
        """See `Scheduler`."""
        return bool(self._declared("remembers"))

    @property
    def reads_queued_only(self) -> bool:
        """See `Scheduler`."""
        return bool(self._declared("reads_queued_only"))

    @property
    def bids_matter(self) -> bool:
        """See `Scheduler`."""
        return bool(self._declared("bids_matter"))

    @property
    def reading(self) -> ForecastRule | None:
        """See `Scheduler`."""
        rule: ForecastRule | None = self._declared("reading")
        return rule

    @property
    def reads_usage(self) -> bool:
        """See `Scheduler`."""
        return bool(self._declared("reads_usage"))

    def shares(self, table: "ShareTable") -> "ShareTable":
        """Return the scheduler's shares."""
        shares: ShareTable = self._declared("shares")(table)
        return shares

    def prepare(self, setting: Setting) -> None:
        """Prepare the scheduler."""
        self._declared("prepare")(setting)
        self.starvation_threshold = float(self._declared("starvation_threshold"))

    def decide(self, state: QueueState) -> Decision:
        """Return what the scheduler decides."""
        return self.scheduler.decide(state)

    def fork(self, seed: int | None = None) -> Self:
        """Return a wrapper of a fork of the scheduler."""
        other = copy(self)
        fork = getattr(self.scheduler, "fork", None)
        other.scheduler = fork(seed) if fork else forked(self.scheduler, seed, self.label)
        return other

    def memory_of(self, queued: Integers) -> object:
        """Return the scheduler's memory."""
        return self._declared("memory_of")(queued)

    def withdraw(self, jobs: Integers, known: JobTable) -> None:
        """Have the scheduler forget queued jobs."""
        self._declared("withdraw")(jobs, known)

    def preemptible(self, state: QueueState) -> Integers:
        """Return the running jobs that the scheduler might preempt."""
        jobs: Integers = self._declared("preemptible")(state)
        return jobs

    def planner(self) -> Planner | None:
        """Return the scheduler's plans."""
        planner: Planner | None = self._declared("planner")()
        return planner


def scheduler_of(decider: Decider, label: str = "") -> Scheduler:
    """Return anything that decides as a scheduler; see `Wrapper`."""
    return decider if isinstance(decider, Scheduler) else Wrapper(decider, label)


def forked(scheduler: Copied, seed: int | None, label: str) -> Copied:
    """Return a copy of all that a scheduler has.

    Parameters
    ----------
    scheduler : object
        Of which a copy is wanted.
    seed : int or None
        Of other draws, by the random number generators among its attributes.
    label : str
        Its name.

    Raises
    ------
    InputError
        It has no random number generators.
    """
    other = deepcopy(scheduler)
    if seed is None:
        return other
    own = getattr(other, "__dict__", {})
    generators = [name for name, value in own.items() if isinstance(value, np.random.Generator)]
    if not generators:
        raise InputError(
            f"{label} cannot go on with other random draws",
            field="seeds",
            remedy="give seeds=1, or the scheduler a method fork(seed)",
        )
    for place, name in enumerate(generators):
        setattr(other, name, np.random.default_rng([seed % 2**63, place]))
    return other
