"""Price mechanisms by name.

A mechanism is a frozen dataclass with a method ``price(outcome) -> Prices``; its fields are its
options, made with `option`. Names and options are written ``NAME[:key=value,...]``. A piece without
``=`` belongs to the value before it: ``multi-queue:rates=1:1.7,2:2,other=1`` has two options.
Other packages enter theirs through the entry-point group `ENTRY_POINTS`: the entry's name is the
mechanism's, and loading it runs `register`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import ClassVar, Literal, NamedTuple, Protocol

import numpy as np

from pricing.counterfactual import PivotRule, ReplayRule
from pricing.outcome import Outcome, by_the_hour, requested_hours
from pricing.pivots import Pivots
from pricing.rates import rate_text, read_rate
from pricing.reader import Readings, Rounds
from pricing.replays import Replays
from pricing.resources import CPU, amounts_of, read_resource
from pricing.waste import CENTRE, LOST_RATE, OWNERS, PAYERS, PREEMPTED, RECEIVERS
from swfx import Workload
from swfx.base.columns import Floats
from swfx.base.configured import ANY, Configured, choice, named, option
from swfx.base.options import as_choice
from swfx.base.registry import Registry

__all__ = [
    "ENTRY_POINTS",
    "MECHANISMS",
    "ConfiguredMechanism",
    "HourlyMechanism",
    "Mechanism",
    "PriceMechanism",
    "Prices",
    "RatedMechanism",
    "make_mechanism",
    "mechanism_names",
    "option",
    "register",
]

ENTRY_POINTS = "pricing.mechanisms"

Evidence = Pivots | Replays | Rounds | Readings

ABOUT = (
    "What each job pays follows from a rule of the centre, {}. How it came about for each job is in"
    " the evidence."
)
"""What mechanisms that say nothing say of themselves."""


class Prices(NamedTuple):
    """Charges of all jobs (SU), with the evidence for each.

    Attributes
    ----------
    charge : ndarray of float64, shape (n,)
        SU.
    rate : ndarray of float64, shape (n,)
        SU per hour of `per`; NaN where the charge does not come from a rate.
    evidence : Pivots, Replays, Rounds or Readings, optional
        What would have been without each job, whose bid is its price, or what the scheduler read,
        where the charge comes from that.
    why : sequence of str
        Why each job is charged, or not, in a few words of which many jobs share the same; none by
        default.
    per : str
        The resource that the rates are for, as `pricing.resources` calls it: processors.
    """

    charge: Floats
    rate: Floats
    evidence: Evidence | None = None
    why: Sequence[str] = ()
    per: str = CPU


class Mechanism(Protocol):
    """Anything with a label and a price for every job of an outcome."""

    @property
    def label(self) -> str:
        """Name and options that differ from their defaults, as typed on the command line."""

    def price(self, outcome: Outcome) -> Prices:
        """Charge of every job."""


@dataclass(frozen=True, kw_only=True)
class PriceMechanism(Configured, ABC):
    """What all mechanisms with a name have, whether or not they charge by the hour.

    Attributes
    ----------
    displaced : {"owners", "owners-only", "centre", "no"}
        Who gets what a job pays for the value lost by those that it displaced: their owners, up to
        what these jobs were still worth and pay themselves, and the centre the rest; the owners,
        and the rest is not charged; the centre; or it does not pay for that.
    promises : frozenset of str
        Which of `pricing.PROPERTIES` hold of every bill that it makes.
    scope : {"job", "round", "schedule"}
        What a charge depends on: the job and what is asked about it alone; besides, the jobs of its
        queue that are submitted and have not started before it, whatever the queue's number;
        everything. Quotes are faster the less it is.
    """

    promises: ClassVar[frozenset[str]] = frozenset()
    scope: ClassVar[Literal["job", "round", "schedule"]] = "schedule"

    displaced: str = choice(RECEIVERS, OWNERS)

    @property
    def replays(self) -> ReplayRule | None:
        """How it has the log replayed, which takes long and may be run elsewhere; None if not."""
        return None

    @property
    def pivots(self) -> PivotRule | None:
        """Rule that prices starts by plans; None for other mechanisms."""
        return None

    @property
    def ranks(self) -> bool:
        """Whether charges go by how the scheduler read utility functions when it ranked jobs."""
        return False

    @property
    def tells_bids(self) -> bool:
        """Whether a charge rests on the bids of others, and so tells something of them."""
        return self.scope != "job" or self.pivots is not None or self.replays is not None

    @property
    def about(self) -> str:
        """What a user pays for, in two sentences."""
        return ABOUT.format(self.label)

    def notes(self, workload: Workload) -> Iterable[str]:  # noqa: ARG002 - of most there are none
        """Return what has to be known of options that do not fit these jobs, in sentences."""
        return ()

    def for_later(self, outcome: Outcome) -> Floats:
        """Return what jobs pay besides for those who come later (SU), (n,)."""
        return np.zeros(len(outcome))

    @abstractmethod
    def price(self, outcome: Outcome) -> Prices:
        """Charge of every job of `outcome`, for what it did: lost work is no concern of this."""


def _payer(text: str, source: str, field: str) -> str:
    return as_choice(text, PAYERS, source, field)


@dataclass(frozen=True, kw_only=True)
class ConfiguredMechanism(PriceMechanism):
    """Base of the mechanisms that have a name, and options that are dataclass fields.

    Attributes
    ----------
    lost : {"centre", "preemptor", "preempted", "stopped"}
        Who pays for the lost work and the restart overhead of jobs that were stopped; see
        `pricing.shares`.
    lost_rate : float
        SU per processor-hour of that.
    """

    lost: str = named(_payer, CENTRE, choices=PAYERS)
    lost_rate: float = option(partial(read_rate, field="lost_rate"), LOST_RATE, rate_text, ANY)


@dataclass(frozen=True, kw_only=True)
class HourlyMechanism(PriceMechanism):
    """Base of those that charge each job at a rate for its processor-hours.

    Attributes
    ----------
    lost : {"centre", "preemptor", "preempted", "stopped"}
        Who pays for lost work and restart overhead, at the rate of the job that was stopped: by
        default that job where it was preempted, and the centre where its processors failed.
    """

    lost_rate: ClassVar[None] = None

    lost: str = named(_payer, PREEMPTED, choices=PAYERS)


@dataclass(frozen=True, kw_only=True)
class RatedMechanism(HourlyMechanism):
    """Base of those whose rates are known beforehand.

    Attributes
    ----------
    of : str
        The resource whose hours are charged, by Slurm's name: processors (``cpu``), ``node``,
        ``gres/gpu``, ``billing``, ...
    """

    of: str = option(read_resource, CPU)

    @abstractmethod
    def hourly_rates(self, workload: Workload) -> Floats:
        """SU per hour of every job, shape (n,)."""

    def price(self, outcome: Outcome) -> Prices:
        """Rate x hours of every job."""
        rate = self.hourly_rates(outcome.workload)
        with np.errstate(over="ignore"):  # refused as a charge
            charge = rate * outcome.hours_of(self.of)
        known = ~np.isnan(amounts_of(outcome.workload, self.of))
        return Prices(charge, rate, why=by_the_hour(charge, self.of, known), per=self.of)

    def ceiling(self, workload: Workload) -> Floats:
        """Return rate x hours requested."""
        return self.hourly_rates(workload) * requested_hours(workload, self.of)


MECHANISMS: Registry[PriceMechanism] = Registry("price mechanism", ENTRY_POINTS)
"""Price mechanisms by name."""

register = MECHANISMS.register
"""Class decorator that enters a mechanism: a frozen dataclass, under a name."""


def mechanism_names() -> tuple[str, ...]:
    """Names of all known mechanisms, sorted."""
    return MECHANISMS.names()


def make_mechanism(text: str) -> PriceMechanism:
    """Mechanism from its name and options.

    Parameters
    ----------
    text : str
        For instance ``first-price`` or ``single-price:rate=0.5``.

    Raises
    ------
    InputError
        If name or option is unknown (the nearest names are suggested), or a value is unusable.

    Examples
    --------
    >>> make_mechanism("single-price:rate=0.5").label
    'single-price:rate=0.5'
    """
    return MECHANISMS.make(text)
