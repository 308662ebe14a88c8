"""Weaknesses of the terms of a bill: scenarios that are known to pay, and the remedy for each."""

from __future__ import annotations

from typing import NamedTuple

from pricing.counterfactual import PivotRule
from pricing.readings import END, REQUESTED, SCHEDULER
from pricing.registry import Mechanism

ENOUGH, WAITING = 1.3, 0.1
"""Reserves (SU per processor-hour) that covered the harm of worthless jobs on three busy logs: of a
mechanism, and of a scheduler, which lets them wait (docs/audit.md)."""

READERS = ("first-price", "second-price", "vcg")
"""Mechanisms that charge by utility functions; nothing is known of those of other packages."""


class BillConditions(NamedTuple):
    """Conditions of a bill that decide which scenarios pay.

    Attributes
    ----------
    mechanism : Mechanism
        By which jobs are charged.
    read_at : str or None
        For how long a job is taken to run when the scheduler ranks it by its utility function, such
        as ``zero`` or ``requested``; None where it reads none, or is not known.
    reserve : float
        Worth (SU per processor-hour requested) below which the scheduler makes jobs wait for idle
        time; 0 if it does not.
    committed : bool
        Whether utility functions were committed to before they were charged by.
    """

    mechanism: Mechanism
    read_at: str | None = None
    reserve: float = 0.0
    committed: bool = False

    @property
    def name(self) -> str:
        """Name of the mechanism, without options."""
        return self.mechanism.label.partition(":")[0]

    @property
    def plans(self) -> PivotRule | None:
        """Rule by which starts are charged by plans; None for other mechanisms."""
        return getattr(self.mechanism, "pivots", None)


class Weakness(NamedTuple):
    """A scenario that pays under the conditions of a bill.

    Attributes
    ----------
    brief : str
        What pays, or costs too little, in a few words.
    scenario : str
        Misreport of `utilitysched audit`, with its options; or ``tripled``, for the centre itself.
    why : str
        Effect of the scenario, a sentence.
    remedy : str
        What to change, without a full stop.
    """

    brief: str
    scenario: str
    why: str
    remedy: str

    @property
    def sentence(self) -> str:
        """Scenario, effect and remedy, as text."""
        return f"{self.scenario}: {self.why} Remedy: {self.remedy}."


def weaknesses(conditions: BillConditions) -> tuple[Weakness, ...]:
    """Return the known scenarios that pay under the conditions of a bill.

    Parameters
    ----------
    conditions : BillConditions
        Of the bill.

    Returns
    -------
    tuple of Weakness
        Empty where no known scenario pays: others may.
    """
    cases = (
        (_understating_pays(conditions), UNDERSTATED),
        (_cliffs_pay(conditions), CLIFF),
        (_worthless_jobs_are_free(conditions), WORTHLESS),
        (_shills_count(conditions), SHILL),
        (_curves_can_change(conditions), TRIPLED),
    )
    return tuple(weakness for pays, weakness in cases if pays)


UNDERSTATED = Weakness(
    "understating values",
    "scale:factor=0.1",
    "a user who reports a tenth of a job's value pays a tenth.",
    "charge by vcg, whose charges do not depend on the job's own value",
)

CLIFF = Weakness(
    "values that end before they are charged",
    "cliff",
    "a job that reports a hundred times its value until just before it can be done is ranked first"
    " and pays nothing.",
    "rank jobs by what they are charged: simulate --mechanism, or a scheduler with"
    " duration=requested",
)

WORTHLESS = Weakness(
    "harming others by worthless jobs",
    "worthless-rerunnable",
    "jobs worth nothing cost nothing where nobody waits, and delay those who come later.",
    "limit the jobs of a user; a reserve that covers the harm takes all that honest jobs are worth",
)

SHILL = Weakness(
    "raising others' bills by jobs that hardly run",
    "shill",
    "machine-wide jobs that run for a second, with long requests and a high reported value, raise"
    " the bills of others.",
    "count as delayed only jobs that run for a fair share of their request: fair=0.01",
)

TRIPLED = Weakness(
    "changing curves after the fact",
    "tripled",
    "nobody vouches for the utility functions: with others' values tripled after the fact, this"
    " bill would be as consistent.",
    "commit to utility functions when jobs are submitted",
)


def _understating_pays(conditions: BillConditions) -> bool:
    return conditions.name == "first-price"


def _cliffs_pay(conditions: BillConditions) -> bool:
    """Whether jobs are ranked by what they are worth before the time by which they are charged."""
    if conditions.name not in READERS[:2] or conditions.read_at in {None, REQUESTED}:
        return False
    return getattr(conditions.mechanism, "reading", END) != SCHEDULER


def _worthless_jobs_are_free(conditions: BillConditions) -> bool:
    if conditions.name not in READERS or conditions.reserve >= WAITING:
        return False
    reserve: float = getattr(conditions.mechanism, "reserve", 0.0)
    return reserve < ENOUGH


def _shills_count(conditions: BillConditions) -> bool:
    return conditions.plans is not None and not getattr(conditions.mechanism, "fair", 0.0)


def _curves_can_change(conditions: BillConditions) -> bool:
    return conditions.name in READERS and not conditions.committed
