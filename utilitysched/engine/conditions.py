"""Conditions of a simulation: failures, their record in a schedule, and terms of stops."""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from checkpoint import PreemptionRules
from checkpoint.failures import Outages
from swfx import InputError, Workload
from swfx.base.options import as_choice, split_options
from utilitysched.model.arrivals import Arrivals
from utilitysched.model.scheduler import Scheduler
from utilitysched.model.state import Floats, Integers

if TYPE_CHECKING:
    from checkpoint.domains import FailureDomains


SOURCE = "failures"
PREFERENCES = ("lowest", "safe")


@dataclass(frozen=True, eq=False)
class Failures:
    """Failures of a machine's processors.

    Attributes
    ----------
    domains : FailureDomains or Outages
        What fails at random; or when which processors are down, and never else.
    prefer : str
        Which free processors a job gets: the ``lowest``, or the ``safe`` ones, that fail least
        often, their domains included.
    seed : int
        Of the draws, unless the domains have their own.
    text : str
        What they were read from.
    since : float or None
        When everything works (s); None for the submission of the first job.
    """

    domains: "FailureDomains | Outages"
    prefer: str = "lowest"
    seed: int = 0
    text: str = ""
    since: float | None = None

    @classmethod
    def from_text(cls, text: str, seed: int = 0) -> "Failures":
        """Read failure domains with an option ``prefer``; see `failure_domains`.

        Raises
        ------
        InputError
            An unknown preference, or what `failure_domains` refuses.
        """
        # networkx takes a fifth of a second to import, which runs without failures do not need
        from checkpoint.failure_text import failure_domains  # noqa: PLC0415

        options = split_options(text, SOURCE)
        prefer = as_choice(options.pop("prefer", "lowest"), PREFERENCES, SOURCE, "prefer")
        rest = ",".join(f"{key}={value}" for key, value in options.items())
        return cls(failure_domains(rest), prefer, seed, text)

    @classmethod
    def of(
        cls, given: "Failures | Outages | str | None", machine_size: int, seed: int
    ) -> "Failures | None":
        """Return the failures of a simulation, None for none.

        Raises
        ------
        InputError
            The text cannot be read, or the failures are of another machine.
        """
        if given is None:
            return None
        if isinstance(given, str):
            failures = cls.from_text(given, seed)
        else:
            failures = cls(given) if isinstance(given, Outages) else given
        failures.check(machine_size)
        return failures

    def __str__(self) -> str:
        if self.text:
            return self.text
        return f"{len(self.domains)} outages" if isinstance(self.domains, Outages) else "domains"

    @property
    def digest(self) -> str:
        """sha256 (hex) of failure domains, preference and seed."""
        told = self.domains.digest, self.prefer, self.seed
        return hashlib.sha256(repr(told).encode()).hexdigest()

    def check(self, machine_size: int) -> None:
        """Refuse a machine to which these failures do not belong.

        Raises
        ------
        InputError
            It has other processors.
        """
        if not isinstance(self.domains, Outages):
            self.domains.check(machine_size)
        elif self.domains.processors > machine_size:
            raise InputError(
                f"processor {self.domains.processors - 1} fails, the machine has {machine_size}",
                source=SOURCE,
                remedy="give outages of this machine",
            )

    @property
    def rate(self) -> Floats | None:
        """Failure rate of each processor (1/s), None where processors are handed out by number."""
        if self.prefer == "lowest" or isinstance(self.domains, Outages):
            return None
        return self.domains.rate

    def between(self, begin: float, end: float) -> Outages:
        """Return the outages that start from `begin` on, before `end`.

        A later `end` adds outages and changes none.
        """
        if isinstance(self.domains, Outages):
            return self.domains
        return self.domains.outages(begin, end, self.seed)

    def bounds(self, now: float) -> Integers:
        """Return where stretches of processors begin that fail together, if at all, after `now`."""
        if not isinstance(self.domains, Outages):
            return self.domains.starts
        coming = self.domains.start > now
        return np.union1d(self.domains.low[coming], self.domains.high[coming])

    def least_rate(self, sizes: Integers) -> Floats:
        """Return how often a job of each size fails at least, wherever it runs (1/s).

        By the nodes that fail least often; what is larger than a node counts as if it never failed.
        """
        if isinstance(self.domains, Outages):
            return np.zeros(len(sizes))
        tree, lifetimes = self.domains.tree, self.domains.lifetimes
        nodes = [lifetimes.get(name) for name, parts in tree.out_degree() if parts == 0]
        rates = sorted(0.0 if life is None else life.rate for life in nodes)
        least = np.concatenate([[0.0], np.cumsum(rates)])
        found: Floats = least[-(-sizes // self.domains.node_size)]
        return found

    @property
    def all_known(self) -> bool:
        """Whether no outages are drawn."""
        return isinstance(self.domains, Outages)


@dataclass(frozen=True, eq=False)
class FailureRecord:
    """Failures of a schedule.

    Attributes
    ----------
    text : str
        What they were read from, or how many outages were given.
    seed : int or None
        Of their draws; None where no text says what failed.
    digest : str
        Of the outages until the last job ended; empty if the schedule does not say.
    given : Failures or Outages, optional
        What failed, where no text says it.
    """

    text: str
    seed: int | None
    digest: str
    given: Failures | Outages | None = None

    @classmethod
    def of(
        cls, simulation: Mapping[str, object], given: Failures | Outages | None = None
    ) -> "FailureRecord | None":
        """Return what a schedule's provenance says; None if nothing failed."""
        if "failures" not in simulation:
            return None
        text, told = str(simulation["failures"]), simulation.get("outages")
        if not isinstance(told, Mapping):  # stored by a version that did not note them
            return cls(text, None, "", given)
        return cls(text, told["seed"], str(told["sha256"]), given)

    def again(self, machine_size: int) -> Failures:
        """Return what fails if the schedule is made again.

        Raises
        ------
        InputError
            Nothing says what failed, or the text can no longer be read.
        """
        if self.given is None and self.seed is None:
            raise InputError(
                f"nothing says what failed ({self.text})",
                field="failures",
                remedy="give it: Counterfactuals.of(workload, schedule, failures=...), or simulate"
                " again, then bill",
            )
        # no outages at all are outages, too
        given = self.text if self.given is None else self.given
        failures = Failures.of(given, machine_size, self.seed or 0)
        assert failures is not None
        return failures

    def check(self, again: Outages | None) -> None:
        """Refuse outages of a schedule made again, up to its end, that are others.

        Raises
        ------
        InputError
            The outages are others.
        """
        if again is None or again.digest != self.digest:
            raise InputError(
                f"{self.text} no longer fails as it did: the outages are others",
                field="failures",
                remedy="give the failures of this schedule, or simulate again, then bill",
            )


@dataclass(frozen=True)
class StopTerms:
    """What preempting means for each job, in arrival order.

    Attributes
    ----------
    interval, overhead : (n,) float64
        See `utilitysched.model.state.Preemption`.
    periodic : (n,) float64
        Work between two checkpoints that a job writes by itself (s), -1 for none: what failures
        leave of it.
    actual : float
        What a restart really takes, over what it is expected to take.
    kills : bool
        Whether a restarted job ends at its limit even if it has work left.
    """

    interval: Floats
    overhead: Floats
    periodic: Floats
    actual: float
    kills: bool

    @classmethod
    def of(cls, workload: Workload, order: Integers, rules: PreemptionRules) -> "StopTerms":
        """Apply rules to a workload of which `order` is the arrival order."""
        return cls(
            rules.intervals(workload)[order],
            rules.overheads(workload)[order],
            workload.checkpoint_interval[order],
            rules.actual,
            rules.overrun == "kill",
        )


HOPELESS = 23.0
"""Failures expected in a stretch that has to be without: one try in ten thousand million is."""


def rules_for(
    scheduler: Scheduler,
    preemption: PreemptionRules | str | None,
    *,
    fails: bool = False,
) -> PreemptionRules | None:
    """Return the rules of preemption in a simulation, None where no job can be stopped.

    Parameters
    ----------
    scheduler : Scheduler
        Says whether it preempts.
    preemption : PreemptionRules or str or None
        What was asked for.
    fails : bool
        Whether processors fail.

    Raises
    ------
    InputError
        An unknown key or an unusable value in the text of rules.
    """
    if preemption is None and not fails and not scheduler.preempts:
        return None
    if preemption is None:
        return PreemptionRules()
    return PreemptionRules.from_text(preemption) if isinstance(preemption, str) else preemption


def refuse_hopeless(failures: Failures, arrivals: Arrivals, terms: StopTerms) -> None:
    """Refuse failures among which a job would be tried again and again, and never end.

    Raises
    ------
    InputError
        A job needs a stretch without failures, up to its end or its next checkpoint, that
        practically never comes.
    """
    run, size = arrivals.run, arrivals.known.size
    # the longest time that has to pass without a failure for anything to be gained
    stretch = np.where(terms.periodic < 0, run, np.minimum(run, terms.periodic))
    rate = failures.least_rate(size)
    hopeless = np.flatnonzero(rate * stretch > HOPELESS)
    if len(hopeless):
        job = hopeless[0]
        raise InputError(
            f"job {arrivals.job_id[job]} needs {stretch[job]:,.0f} s without a failure on"
            f" {size[job]:,} processors, of which one fails every {1 / rate[job]:,.0f} s or more"
            " often: it would never end",
            source=SOURCE,
            remedy="give it checkpoints, or processors that fail less often",
        )
