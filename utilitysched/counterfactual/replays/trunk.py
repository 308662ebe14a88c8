"""What replays branch off from."""

from typing import Protocol

from utilitysched.counterfactual.replays.compiled import CompiledTrunk
from utilitysched.counterfactual.replays.course import Course, Realised
from utilitysched.counterfactual.replays.question import Question
from utilitysched.counterfactual.replays.stepped import SteppedTrunk
from utilitysched.counterfactual.replays.stopped import StoppedTrunk
from utilitysched.engine.conditions import rules_for
from utilitysched.engine.simulation import Simulation
from utilitysched.engine.terms import Terms
from utilitysched.model.arrivals import Arrivals
from utilitysched.model.state import Integers


class Trunk(Protocol):
    """A simulation played again, which stops before the submission of one job after the other."""

    @property
    def realised(self) -> Course:
        """What happened."""
        ...

    def advance(self, until: float) -> None:
        """Process the events before `until` (s)."""
        ...

    def present(self) -> Integers:
        """Return the jobs in the queue or running, ascending."""
        ...

    def having(self, seed: int | None) -> Course:
        """Return the course with the next job, its draws those of `seed`, None for the same."""
        ...

    def lacking(self, job: int, seed: int | None, last: int) -> Course:
        """Return the course without `job`, the next one, in which `last` is the last to arrive."""
        ...


def trunk_of(question: Question, arrivals: Arrivals) -> Trunk:
    """Return the trunk of a schedule, before its first event."""
    scheduler, again = (question.prepared(arrivals) for _ in range(2))
    failures = question.failures
    if scheduler.compiled is not None and failures is None:
        start = question.start[arrivals.order]
        return CompiledTrunk(arrivals, scheduler.compiled, Realised(start, start + arrivals.run))
    rules = rules_for(scheduler, question.preemption, fails=failures is not None)
    if rules is None:
        return SteppedTrunk(Simulation(arrivals, scheduler), Simulation(arrivals, again))
    terms = Terms.of(question.workload, arrivals.order, rules)
    stem, whole = (
        Simulation(arrivals, each, terms=terms, failures=failures) for each in (scheduler, again)
    )
    return StoppedTrunk(stem, whole)
