"""What the engine asks of a scheduler."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from utilitysched.model.state import Decision, QueueState


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
    """

    machine_size: int
    longest_request: float
    seed: int


class Decider(Protocol):
    """Anything that decides: the least that `utilitysched.simulate` accepts.

    One that bumps running jobs says so: it has an attribute ``preempts = True``.
    """

    def decide(self, state: QueueState) -> Decision:
        """Return what to do at this pass."""
        ...


@runtime_checkable
class Scheduler(Decider, Protocol):
    """A scheduler with a name, as `utilitysched.make_scheduler` makes them.

    Attributes
    ----------
    label : str
        Canonical text; `make_scheduler` turns it back into an equal scheduler.
    options : mapping
        Every option in force, for provenance.
    stochastic : bool
        Results depend on the seed.
    """

    label: str
    stochastic: bool

    @property
    def options(self) -> Mapping[str, object]:
        """Every option in force."""
        ...

    def prepare(self, setting: Setting) -> None:
        """Forget everything and get ready for a new workload."""
        ...
