"""A decision of the genetic scheduler that may preempt running jobs, against one that may not."""

from collections.abc import Iterator
from copy import deepcopy
from dataclasses import dataclass, field, replace

from benchmarks.logs import BLUE, log
from benchmarks.row import Row
from benchmarks.timing import race
from checkpoint import ANNOTATIONS
from swfx import Workload
from swfx.families.generators import UtilitySpec, attach_utilities
from utilitysched import Decision, QueueState, simulate
from utilitysched.model.scheduler import Setting
from utilitysched.schedulers.genetic.options import GeneticOptions
from utilitysched.schedulers.genetic.scheduler import GeneticScheduler

JOBS = slice(5000, 7000)
EVERY = 8
"""Of so many decisions one is taken."""


def measure() -> Iterator[Row]:
    """Take the same decisions with and without preemptions."""
    valued = attach_utilities(log(BLUE)[JOBS], UtilitySpec(), seed=0)
    workload = ANNOTATIONS.make("survey").annotate(valued, seed=0)[0]
    for words, options in (
        ("genetic with preemptions", GeneticOptions(preempt=True)),
        (
            "genetic, preset=checkpoints, with preemptions",
            GeneticOptions.parse({"preset": "checkpoints"}),
        ),
    ):
        yield compared(words, options, workload)


def compared(words: str, options: GeneticOptions, workload: Workload) -> Row:
    """Take decisions of a preempting scheduler again, and by the same one without preemption."""
    recorder = Recorder(GeneticScheduler(options))
    simulate(workload, recorder)
    assert recorder.preempted > 50
    plain = GeneticScheduler(replace(options, preempt=False))
    plain.prepare(recorder.setting)
    raced = race(
        {
            "preempting": lambda: [recorder.inner.decide(state) for state in recorder.states],
            "plain": lambda: [plain.decide(state) for state in recorder.states],
        }
    )
    ratio = raced.ratio("preempting", "plain")
    each = raced.median("preempting") / len(recorder.states) * 1e3
    note = f"{len(recorder.states):,} decisions of BLUE 5000..7000, {each:.2f} ms each with them"
    return Row(f"{words}, to the same without, per decision", ratio, "x", 2, note=note)


@dataclass
class Recorder:
    """Passes on to a genetic scheduler, and keeps some of the states as they were."""

    inner: GeneticScheduler
    states: list[QueueState] = field(default_factory=list)
    decisions: int = 0
    preempted: int = 0
    preempts: bool = True

    def prepare(self, setting: Setting) -> None:
        """Prepare the scheduler."""
        self.setting = setting
        self.inner.prepare(setting)

    def decide(self, state: QueueState) -> Decision:
        """Return the scheduler's decision."""
        if self.decisions % EVERY == 0:
            self.states.append(deepcopy(state))  # its columns change with the simulation
        self.decisions += 1
        decision = self.inner.decide(state)
        self.preempted += len(decision.preempts)
        return decision
