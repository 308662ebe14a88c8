"""Questions: what is replayed."""

import hashlib
import json
from dataclasses import asdict, dataclass

import numpy as np

from pricing.counterfactual import ReplayRule
from swfx.base.plugin_file import plugin_digests
from utilitysched.counterfactual.inputs import SimulationInputs
from utilitysched.model.state import Floats
from utilitysched.model.versions import SEMANTICS
from utilitysched.schedulers.registry import make_scheduler


@dataclass(frozen=True, eq=False, kw_only=True)
class Question(SimulationInputs):
    """Schedule to be replayed, with the inputs of its simulation and the rule of the replays.

    Attributes
    ----------
    start : (n,) float64
        When each job started (s), in workload order.
    rule : ReplayRule
        How to play it again.
    """

    start: Floats
    rule: ReplayRule

    @property
    def digest(self) -> str:
        """sha256 (hex) of all that decides the answer for a job."""
        question = {
            "workload": self.workload.digest(),
            "start": hashlib.sha256(np.ascontiguousarray(self.start, "<f8").tobytes()).hexdigest(),
            "scheduler": self.scheduler,
            "machine_size": self.machine_size,
            "seed": self.seed,
            "classes": sorted(self.classes.items()) if self.classes else None,
            "rule": asdict(self.rule) | {"horizon": repr(self.rule.horizon)},
            "semantics": SEMANTICS,
        }
        if plugins := plugin_digests():
            question["plugins"] = plugins
        if self.preemption is not None:
            question["preemption"] = str(self.preemption)
        if self.failures is not None:
            question["failures"] = self.failures.digest
        if self.machine is not None:
            question["machine"] = self.machine.to_dict()
        return hashlib.sha256(json.dumps(question, sort_keys=True).encode()).hexdigest()

    @property
    def draws(self) -> bool:
        """Whether the scheduler draws."""
        return make_scheduler(self.scheduler).stochastic

    @property
    def seeds(self) -> tuple[int, ...]:
        """Seeds of the pairs of replays, that of the schedule first."""
        wanted = self.rule.seeds if self.draws else 1
        return self.seed, *(other_seed(self.seed, number) for number in range(1, wanted))


def other_seed(seed: int, number: int) -> int:
    """Return the seed of another pair of replays."""
    return int(np.random.SeedSequence([seed % 2**63, number]).generate_state(1)[0])
