"""How far pivot charges are from exact ones: ``python -m benchmarks.exact_charges``.

Moments of a queue of two to eight jobs at which the genetic scheduler starts a job and leaves
another waiting: drawn at random, and sampled from a run of SDSC-BLUE. Each start's pivot charge is
compared with the job's exact charge by VCG, and with what the best plans lose by the very start, of
which it is an estimate.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from benchmarks.logs import BLUE, log
from swfx import UtilityFunction
from swfx.families.generators import UtilitySpec, attach_utilities
from utilitysched import Decision, QueueState, make_scheduler, simulate
from utilitysched.counterfactual.pivots import PivotRecorder
from utilitysched.exact import (
    StaticProblem,
    UnprovenOptimum,
    exact_charges,
    exact_pivot,
)
from utilitysched.model.scheduler import Setting
from utilitysched.runs.snapshot import QueuedJob, RunningJob, Snapshot
from utilitysched.schedulers.genetic.scheduler import GeneticScheduler

MOMENTS = 60
MOST = 8
EFFORT = 1.0
JOBS = slice(5000, 10000)
HOUR = 3600.0
NOW = 1e6
NOTHING = 1e-6
"""Less than this (SU) is no charge."""


class Charge(NamedTuple):
    """What one start costs, in SU: by the plans, exactly, and by the best plans with it and not."""

    pivot: float
    exact: float
    best: float
    worth: float


def drawn(rng: np.random.Generator) -> Snapshot:
    """Draw a moment on 64 processors: sizes are powers of two, curves fall to 0 in some hours."""
    running, free = [], 64
    while free > 16:
        size = min(free, int(2 ** rng.integers(0, 6)))
        running.append(RunningJob(100 + free, size, NOW + float(rng.integers(60, 10 * 3600))))
        free -= size
    queued = []
    for number in range(int(rng.integers(3, MOST + 1))):
        size = int(2 ** rng.integers(0, 7))
        request = float(rng.integers(1, 73) * 600)
        waited = float(rng.integers(0, 20_000))
        deadline = waited + request * rng.uniform(0.5, 4.0)
        value = size * request / HOUR * rng.uniform(0.5, 2.0)
        times = [0.0, *np.sort(rng.uniform(1.0, deadline - 1.0, 4)).tolist(), deadline]
        values = [value, *np.sort(rng.uniform(0.0, value, 4))[::-1].tolist(), 0.0]
        curve = UtilityFunction(times, values)
        queued.append(QueuedJob(number, NOW - waited, size, request, curve, number % 3))
    return Snapshot(NOW, 64, tuple(running), tuple(queued))


@dataclass
class Sampler:
    """The genetic scheduler, and the moments at which it had a choice in a short queue."""

    inner: GeneticScheduler
    moments: list[Snapshot] = field(default_factory=list)

    def prepare(self, setting: Setting) -> None:
        """Prepare the scheduler."""
        self.inner.prepare(setting)

    def decide(self, state: QueueState) -> Decision:
        """Return the scheduler's decision."""
        decision = self.inner.decide(state)
        if 0 < len(decision.starts) < len(state.queued) <= MOST:
            self.moments.append(Snapshot.of_state(state))
        return decision


def logged() -> list[Snapshot]:
    """Sample moments of a run of SDSC-BLUE, evenly over its time."""
    workload = attach_utilities(log(BLUE)[JOBS], UtilitySpec(), seed=0)
    sampler = Sampler(_genetic())
    simulate(workload, sampler)
    found = sampler.moments
    return [found[i * len(found) // MOMENTS] for i in range(min(MOMENTS, len(found)))]


def _genetic() -> GeneticScheduler:
    scheduler = make_scheduler("ga")
    assert isinstance(scheduler, GeneticScheduler)
    return scheduler


def charges(moment: Snapshot, seed: int) -> Iterator[Charge]:
    """Charge what the genetic scheduler starts at a moment, by its plans and exactly."""
    recorder = PivotRecorder(_genetic())
    longest = max(job.request for job in moment.queued)
    recorder.prepare(Setting(moment.machine_size, longest, seed))
    state = moment.state()
    starts = recorder.decide(state).starts.tolist()
    if not 0 < len(starts) < len(state.queued):
        return
    pivots = recorder.pivots(np.arange(len(state.known.submit)))
    problem = StaticProblem(moment, _genetic().rule)
    exact = exact_charges(problem, EFFORT)
    now = problem.values(np.full(len(state.queued), moment.now))
    for job in starts:
        if moment.queued[job].request > 0:
            best = exact_pivot(problem, moment.queued[job].id, EFFORT)
            yield Charge(pivots.charge[job], exact.charge[job], best, now[job])


def table(name: str, moments: list[Snapshot]) -> None:
    """Print how far the charges of these moments' starts are from the exact ones."""
    rows, unproven = [], 0
    for seed, moment in enumerate(moments):
        try:
            rows += list(charges(moment, seed))
        except UnprovenOptimum:
            unproven += 1
    pivot, exact, best, worth = np.array(rows).T
    print(f"{name}: {len(moments)} moments, {unproven} without proof, {len(rows)} starts")
    print(f"  mean worth {worth.mean():.2f} SU")
    print("  charge           mean  share 0  above worth   bias   mean abs. error  correlation")
    for label, charge in (("exact VCG", exact), ("best plans", best), ("pivot", pivot)):
        off = charge - exact
        print(
            f"  {label:<12} {charge.mean():8.3f}  {np.mean(charge < NOTHING):6.1%}"
            f"  {np.mean(charge > worth + NOTHING):10.1%}  {off.mean():+6.3f}"
            f"  {np.abs(off).mean():13.3f}  {np.corrcoef(charge, exact)[0, 1]:11.3f}"
        )
    off = pivot - best
    print(
        f"  pivot less best plans: bias {off.mean():+.3f}, mean abs. error {np.abs(off).mean():.3f}"
    )


def main() -> None:
    """Print both tables."""
    rng = np.random.default_rng(0)
    table("random queues", [drawn(rng) for _ in range(MOMENTS)])
    table("SDSC-BLUE under ga", logged())


if __name__ == "__main__":
    main()
