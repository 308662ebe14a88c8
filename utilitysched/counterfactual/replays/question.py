"""Questions: what is replayed."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass

import numpy as np

from pricing.counterfactual import ReplayRule
from swfx import Workload
from utilitysched.engine.failures import Failures
from utilitysched.model.arrivals import Arrivals
from utilitysched.model.scheduler import Scheduler, Setting
from utilitysched.model.semantics import SEMANTICS
from utilitysched.model.state import Floats
from utilitysched.schedulers.registry import make_scheduler


@dataclass(frozen=True, eq=False)
class Question:
    """A schedule, what made it, and how to play it again. Can be pickled.

    Attributes
    ----------
    workload : Workload
        n jobs.
    start : (n,) float64
        When each started (s), in workload order.
    scheduler : str
        Text of the scheduler.
    machine_size : int
        Processors.
    seed : int
        Seed of its draws.
    classes : mapping of int to int or None
        Priority class of each queue number.
    rule : ReplayRule
        How to play it again.
    preemption : str or None
        Rules by which running jobs could be bumped.
    failures : Failures or None
        What failed, with the job and without it.
    """

    workload: Workload
    start: Floats
    scheduler: str
    machine_size: int
    seed: int
    classes: Mapping[int, int] | None
    rule: ReplayRule
    preemption: str | None = None
    failures: Failures | None = None

    @property
    def digest(self) -> str:
        """sha256 (hex) of all that decides the answer for a job."""
        asked = {
            "workload": self.workload.digest(),
            "start": hashlib.sha256(np.ascontiguousarray(self.start, "<f8").tobytes()).hexdigest(),
            "scheduler": self.scheduler,
            "machine_size": self.machine_size,
            "seed": self.seed,
            "classes": sorted(self.classes.items()) if self.classes else None,
            "rule": asdict(self.rule) | {"horizon": repr(self.rule.horizon)},
            "semantics": SEMANTICS,
        }
        if self.preemption is not None:
            asked["preemption"] = self.preemption
        if self.failures is not None:
            asked["failures"] = self.failures.digest
        return hashlib.sha256(json.dumps(asked, sort_keys=True).encode()).hexdigest()

    @property
    def draws(self) -> bool:
        """Whether the scheduler draws."""
        return make_scheduler(self.scheduler).stochastic

    @property
    def seeds(self) -> tuple[int, ...]:
        """Seeds of the pairs of replays, that of the schedule first."""
        wanted = self.rule.seeds if self.draws else 1
        return self.seed, *(other_seed(self.seed, number) for number in range(1, wanted))

    def arrivals(self) -> Arrivals:
        """Return the jobs in arrival order."""
        return Arrivals.of(self.workload, self.machine_size, self.classes)

    def prepared(self, arrivals: Arrivals) -> Scheduler:
        """Return the scheduler as it was before the first event."""
        scheduler = make_scheduler(self.scheduler)
        scheduler.prepare(Setting(self.machine_size, arrivals.longest_request, self.seed))
        return scheduler


def other_seed(seed: int, number: int) -> int:
    """Return the seed of another pair of replays."""
    return int(np.random.SeedSequence([seed % 2**63, number]).generate_state(1)[0])
