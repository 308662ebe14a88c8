"""Conditions of a simulation: failures, their record in a schedule, and terms of stops."""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from checkpoint import PreemptionRules
from checkpoint.failing_nodes import FailingNodes
from checkpoint.failures import Outages
from swfx import InputError, Workload
from utilitysched.model.arrivals import Arrivals
from utilitysched.model.scheduler import Scheduler
from utilitysched.model.state import Floats, Integers

SOURCE = "failures"


@dataclass(frozen=True, eq=False)
class Failures:
    """Failures of a machine's processors.

    Attributes
    ----------
    source : FailingNodes or Outages
        Nodes that fail at random; or all outages there are.
    seed : int
        Seed of the draws, unless the nodes have their own.
    text : str
        Text that the failures were read from.
    since : float or None
        When everything works (s); None for the submission of the first job.
    """

    source: FailingNodes | Outages
    seed: int = 0
    text: str = ""
    since: float | None = None

    @classmethod
    def from_text(cls, text: str, seed: int = 0) -> "Failures":
        """Read ``nodes=N,per=P,mtbf=TIME,repair=TIME,seed=N``; see `FailingNodes`.

        Raises
        ------
        InputError
            An unknown key, an unusable value, or one that is missing.
        """
        return cls(FailingNodes.from_text(text), seed, text)

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
        return f"{len(self.source)} outages" if isinstance(self.source, Outages) else "nodes"

    @property
    def digest(self) -> str:
        """sha256 (hex) of everything that decides which processors fail, and when."""
        source = self.source.digest if isinstance(self.source, Outages) else self.source
        return hashlib.sha256(repr((source, self.seed)).encode()).hexdigest()

    def check(self, machine_size: int) -> None:
        """Refuse a machine to which these failures do not belong.

        Raises
        ------
        InputError
            It has other processors.
        """
        if not isinstance(self.source, Outages):
            self.source.check(machine_size)
        elif self.source.processors > machine_size:
            raise InputError(
                f"processor {self.source.processors - 1} fails, the machine has {machine_size}",
                source=SOURCE,
                remedy="give outages of this machine",
            )

    def between(self, begin: float, end: float) -> Outages:
        """Return the outages that start from `begin` on, before `end`.

        A later `end` adds outages and changes none.
        """
        if isinstance(self.source, Outages):
            return self.source
        return self.source.outages(begin, end, self.seed)

    def bounds(self, now: float) -> Integers:
        """Return where stretches of processors begin that fail together, if at all, after `now`."""
        if not isinstance(self.source, Outages):
            return self.source.starts
        coming = self.source.start > now
        return np.union1d(self.source.low[coming], self.source.high[coming])

    def least_rate(self, sizes: Integers) -> Floats:
        """Return the rate at which a job of each size fails at least, wherever it runs (1/s)."""
        if isinstance(self.source, Outages):
            return np.zeros(len(sizes))
        nodes = np.asarray(-(-sizes // self.source.per), np.float64)
        return nodes * self.source.rate

    @property
    def all_known(self) -> bool:
        """Whether no outages are drawn."""
        return isinstance(self.source, Outages)


@dataclass(frozen=True, eq=False, kw_only=True)
class PoolFailures(Failures):
    """Failures of the processors of a pool, which are numbered from 0 in it.

    Attributes
    ----------
    low, high : int
        Its processors in the machine, from `low` on, below `high`.
    """

    low: int
    high: int

    def between(self, begin: float, end: float) -> Outages:
        """Return the outages that start from `begin` on, before `end`; see `Failures`."""
        whole = super().between(begin, end)
        low, high = (self._within(bound) for bound in (whole.low, whole.high))
        here = np.flatnonzero(low < high)
        times, cause = (whole.start[here], whole.end[here]), whole.cause[here]
        return Outages(*times, low[here], high[here], cause, whole.causes)

    def bounds(self, now: float) -> Integers:
        """Return where stretches of processors begin that fail together; see `Failures`."""
        return np.unique(self._within(super().bounds(now)))

    def _within(self, processor: Integers) -> Integers:
        """Return processors of the machine as those of the pool, others as its first or last."""
        return processor.clip(self.low, self.high) - self.low


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
        text, outages = str(simulation["failures"]), simulation.get("outages")
        if not isinstance(outages, Mapping):  # stored by a version that did not note them
            return cls(text, None, "", given)
        return cls(text, outages["seed"], str(outages["sha256"]), given)

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

    def only(self, jobs: Integers) -> "StopTerms":
        """Return the terms of some of the jobs."""
        columns = self.interval[jobs], self.overhead[jobs], self.periodic[jobs]
        return StopTerms(*columns, self.actual, self.kills)


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


def refuse_hopeless(failures: Failures, arrivals: Arrivals, periodic: Floats) -> None:
    """Refuse failures among which a job would be tried again and again, and never end.

    Parameters
    ----------
    failures : Failures
        What fails.
    arrivals : Arrivals
        The n jobs.
    periodic : (n,) float64
        See `StopTerms`.

    Raises
    ------
    InputError
        A job needs a stretch without failures, up to its end or its next checkpoint, that
        practically never comes.
    """
    run, size = arrivals.run, arrivals.known.size
    # the longest time that has to pass without a failure for anything to be gained
    stretch = np.where(periodic < 0, run, np.minimum(run, periodic))
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
