"""How things go on from one state, whatever is told."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from utilitysched.counterfactual.pivot import PivotRecorder
from utilitysched.engine.simulation import Simulation
from utilitysched.market.audit.telling import Told
from utilitysched.market.audit.world import World
from utilitysched.model.scheduler import scheduler_of
from utilitysched.model.state import Floats, Integers


class Course(NamedTuple):
    """What came of it.

    Attributes
    ----------
    told : Told
        m jobs.
    start : (m,) float64
        When each started (s); NaN if it has not.
    charge : (m,) float64
        What each start since the branching costs other users by plans (SU); 0 where that is not
        charged.
    """

    told: Told
    start: Floats
    charge: Floats


@dataclass(frozen=True)
class Trail:
    """The states that a simulation went through, by their instants (s)."""

    states: dict[float, tuple[object, ...]] = field(default_factory=dict)

    def mark(self, simulation: Simulation) -> None:
        """Remember the state after a pass."""
        self.states[simulation.now] = (*_standing(simulation), _memory(simulation))

    def meets(self, simulation: Simulation) -> bool:
        """Whether the state after a pass is the one that was remembered."""
        state = self.states.get(simulation.now)
        if state is None or state[:-1] != _standing(simulation):
            return False
        return state[-1] == _memory(simulation)


def branch(world: World, stem: Simulation, told: Told, seed: int | None) -> Simulation:
    """Return a simulation that goes on from where another is, with what is told to come.

    Parameters
    ----------
    world : World
        Who serves the jobs.
    stem : Simulation
        Stopped before the first job that is told otherwise.
    told : Told
        Jobs that `stem` has seen, as it has seen them, and others.
    seed : int or None
        Draw as for this one from now on; as before if None.
    """
    scheduler = scheduler_of(stem.scheduler).fork(seed)
    simulation = stem.fork(scheduler)
    arrivals = world.arrivals(told.workload)
    simulation.expect(arrivals)
    if isinstance(scheduler, PivotRecorder):
        scheduler.run = arrivals.run
    return simulation


def follow(simulation: Simulation, told: Told, until: float) -> tuple[Course, Trail]:
    """Process the events before `until` (s), and remember every state."""
    trail = Trail()
    while simulation.next_time() < until:
        simulation.step()
        trail.mark(simulation)
    return course_of(simulation, told), trail


def follow_to(
    simulation: Simulation, told: Told, until: float, known: tuple[Course, Trail], job: int
) -> Course:
    """Process the events before `until` (s), or until all goes on as it is known to.

    Parameters
    ----------
    simulation : Simulation
        In which `job` is told otherwise.
    told : Told
        What is told in it.
    until : float
        When to stop (s).
    known : (Course, Trail)
        How things go under the truth; not beyond `until`.
    job : int
        By its place, which is the same in both.
    """
    course, trail = known
    begun = scheduler_of(simulation.scheduler).reads_queued_only
    while simulation.next_time() < until:
        simulation.step()
        starts = np.array([simulation.start[job], course.start[job]])
        over = starts if begun else starts + simulation.table.run[job]
        if (over < simulation.now).all() and trail.meets(simulation):
            return _joined(course_of(simulation, told), course)
    return course_of(simulation, told)


def course_of(simulation: Simulation, told: Told) -> Course:
    """Return what has come of it so far."""
    charge = np.zeros(len(simulation.start))
    if isinstance(simulation.scheduler, PivotRecorder):
        charge = simulation.scheduler.pivots(np.arange(len(charge))).charge
    return Course(told, simulation.start, charge)


def withdraw(simulation: Simulation, jobs: Integers) -> None:
    """Take queued jobs back."""
    gone = set(jobs.tolist())
    scheduler_of(simulation.scheduler).withdraw(jobs, simulation.known)
    simulation.queue = [job for job in simulation.queue if job not in gone]


def _joined(course: Course, known: Course) -> Course:
    """Return a course that goes on as a known one does."""
    later = np.isnan(course.start)
    return course._replace(
        start=np.where(later, known.start, course.start),
        charge=np.where(later, known.charge, course.charge),
    )


def _standing(simulation: Simulation) -> tuple[object, ...]:
    running = tuple((end, job, simulation.start.item(job)) for end, job in simulation.running)
    return tuple(simulation.queue), running, tuple(simulation.finished), simulation.wake_up


def _memory(simulation: Simulation) -> object:
    queued = np.array(simulation.queue, dtype=np.int64)
    return scheduler_of(simulation.scheduler).memory_of(queued)
